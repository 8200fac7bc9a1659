//! Bullets stop at walls, bounce off shields and fly through bushes, by the layers of these.

mod headless;

use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::keyboard::KeyCode;
use bevy_math::Vec2;
use bevy_transform::prelude::*;

bevy_carom::collision_layers! {
    pub enum Layer { Bullet, Wall, Shield, Bush }
}

#[derive(Component)]
pub struct Bullet;

pub fn example(app: &mut App) {
    app.add_plugins(CaromPlugin::default().with_layers_of::<Layer>())
        .add_systems(Startup, spawn)
        .add_systems(RunFixedMainLoop, shoot.in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop));
}

fn spawn(mut commands: Commands) {
    for (layer, x) in [(Layer::Bush, 3.0), (Layer::Shield, 6.0), (Layer::Wall, -3.0)] {
        let layers = CollisionLayers::of(layer, [Layer::Bullet]);
        let place = Transform::from_xyz(x, 0.0, 0.0);
        commands.spawn((Body::Fixed, Collider::rectangle(1.0, 3.0), layers, place));
    }
}

fn shoot(keys: Res<ButtonInput<KeyCode>>, mut commands: Commands) {
    if !keys.just_pressed(KeyCode::Space) {
        return;
    }
    let responses = Responses::new()
        .with(Layer::Bush, Response::Cross)
        .with(Layer::Shield, Response::Bounce(1.0));
    let layers = CollisionLayers::of(Layer::Bullet, [Layer::Wall, Layer::Shield, Layer::Bush]);
    let bullet = (Bullet, Mover::Stop, responses, layers, Collider::circle(0.1));
    commands.spawn((bullet, Velocity(Vec2::new(20.0, 0.0)))).observe(
        |hit: On<MoverHit>, mut commands: Commands| {
            if hit.response == Response::Touch {
                commands.entity(hit.entity).despawn(); // at a wall
            }
        },
    );
}

pub const SCRIPT: headless::Script = &[(&[], 1), (&[KeyCode::Space], 1), (&[], 60)];
pub const AREA: headless::Area = [[-4.0, -3.0], [8.0, 3.0]];

fn main() {
    headless::film("bullets", example, SCRIPT, AREA);
}
