//! A seesaw turns, and carries the character that stands on it.

mod headless;

use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use bevy_transform::prelude::*;

#[derive(Component)]
pub struct Seesaw;

pub fn example(app: &mut App) {
    app.add_plugins(CaromPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, swing);
}

fn spawn(mut commands: Commands) {
    commands.spawn((Seesaw, Mover::Platform, AngularVelocity(0.3), Collider::rectangle(8.0, 0.4)));
    let hero = (Walker::default(), Collider::circle(0.4));
    commands.spawn((hero, Transform::from_xyz(3.0, 0.7, 0.0)));
}

fn swing(mut seesaws: Query<(&Transform, &mut AngularVelocity), With<Seesaw>>) {
    for (transform, mut velocity) in &mut seesaws {
        let turned = 2.0 * transform.rotation.z; // the angle, as long as it is small
        if turned.abs() > 0.35 {
            velocity.0 = -0.3 * turned.signum();
        }
    }
}

pub const SCRIPT: headless::Script = &[(&[], 256)];
pub const AREA: headless::Area = [[-5.0, -3.0], [5.0, 3.0]];

fn main() {
    headless::film("turning_platform", example, SCRIPT, AREA);
}
