//! A character jumps up through a one-way platform and drops down through it.

mod headless;

use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::keyboard::KeyCode;
use bevy_transform::prelude::*;

pub fn example(app: &mut App) {
    app.add_plugins(CaromPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(
            RunFixedMainLoop,
            press_keys.in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        .add_systems(FixedUpdate, jump);
}

fn spawn(mut commands: Commands) {
    commands.spawn((Body::Fixed, Collider::rectangle(10.0, 1.0)));
    let platform = Transform::from_xyz(0.0, 2.5, 0.0);
    commands.spawn((Body::Fixed, Collider::rectangle(4.0, 0.25), OneWay::default(), platform));
    let hero = (Walker::default(), Collider::capsule(0.3, 0.5));
    commands.spawn((hero, Transform::from_xyz(0.0, 1.1, 0.0)));
}

/// Runs once per frame, before the fixed steps, so that no press is lost in a frame without a step.
fn press_keys(keys: Res<ButtonInput<KeyCode>>, mut heroes: Query<&mut Footing>) {
    for mut footing in &mut heroes {
        if keys.just_pressed(KeyCode::Space) {
            footing.request_jump();
        }
        if keys.just_pressed(KeyCode::ArrowDown) {
            footing.drop_through();
        }
    }
}

fn jump(mut heroes: Query<(&mut Footing, &mut Velocity)>) {
    for (mut footing, mut velocity) in &mut heroes {
        if footing.jump(JumpGrace::frames(6, 6)) {
            velocity.0.y = 13.0;
        }
    }
}

pub const SCRIPT: headless::Script =
    &[(&[], 8), (&[KeyCode::Space], 60), (&[KeyCode::ArrowDown], 60)];
pub const AREA: headless::Area = [[-5.0, -1.0], [5.0, 5.0]];

fn main() {
    headless::film("one_way", example, SCRIPT, AREA);
}
