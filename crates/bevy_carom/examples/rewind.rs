//! A ball flies on while the key is up. Holding the key rewinds the time, step by step.

mod headless;

use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_carom::{CaromSnapshot, CaromSystems};
use bevy_ecs::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::keyboard::KeyCode;
use bevy_math::Vec2;
use bevy_transform::prelude::*;

/// The snapshots of all steps so far.
#[derive(Resource, Default)]
pub struct Past(pub Vec<CaromSnapshot>);

pub fn example(app: &mut App) {
    app.add_plugins(CaromPlugin::default())
        .init_resource::<Past>()
        .add_systems(Startup, spawn)
        .add_systems(FixedPostUpdate, rewind.after(CaromSystems::Touch));
}

fn spawn(mut commands: Commands) {
    for (x, y, width, height) in [(0.0, -3.0, 8.0, 0.5), (0.0, 3.0, 8.0, 0.5)] {
        commands.spawn((Collider::rectangle(width, height), Transform::from_xyz(x, y, 0.0)));
    }
    for x in [-3.75, 3.75] {
        commands.spawn((Collider::rectangle(0.5, 6.0), Transform::from_xyz(x, 0.0, 0.0)));
    }
    commands.spawn((Mover::Bounce(1.0), Collider::circle(0.4), Velocity(Vec2::new(5.0, 3.0))));
}

fn rewind(world: &mut World) {
    if world.resource::<ButtonInput<KeyCode>>().pressed(KeyCode::Backspace) {
        if let Some(snapshot) = world.resource_mut::<Past>().0.pop() {
            snapshot.restore(world);
        }
    } else {
        let snapshot = CaromSnapshot::take(world);
        world.resource_mut::<Past>().0.push(snapshot);
    }
}

pub const SCRIPT: headless::Script = &[(&[], 100), (&[KeyCode::Backspace], 100)];
pub const AREA: headless::Area = [[-4.5, -4.0], [4.5, 4.0]];

fn main() {
    headless::film("rewind", example, SCRIPT, AREA);
}
