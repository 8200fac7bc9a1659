//! A lift carries a character up and down, and squashes the crate that lies below it.

mod headless;

use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_transform::prelude::*;

#[derive(Component)]
pub struct Lift;

#[derive(Component)]
pub struct Crate;

pub fn example(app: &mut App) {
    app.add_plugins(CaromPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, turn_back);
}

fn spawn(mut commands: Commands) {
    commands.spawn((Body::Fixed, Collider::rectangle(10.0, 1.0)));
    let lift = (Lift, Mover::Platform, Collider::rectangle(3.0, 0.5), Velocity(Vec2::Y));
    commands.spawn((lift, Transform::from_xyz(0.0, 3.0, 0.0)));
    let hero = (Walker::default(), Collider::capsule(0.3, 0.5));
    commands.spawn((hero, Transform::from_xyz(0.5, 4.0, 0.0)));
    let place = Transform::from_xyz(-0.5, 1.0, 0.0);
    commands.spawn((Crate, Body::Moving, Collider::rectangle(1.0, 1.0), place)).observe(
        |squashed: On<Squashed>, mut commands: Commands| {
            commands.entity(squashed.entity).despawn();
        },
    );
}

fn turn_back(mut lifts: Query<(&Transform, &mut Velocity), With<Lift>>) {
    for (transform, mut velocity) in &mut lifts {
        match transform.translation.y {
            y if y > 4.0 => velocity.0.y = -2.0,
            y if y < 1.0 => velocity.0.y = 2.0,
            _ => {}
        }
    }
}

pub const SCRIPT: headless::Script = &[(&[], 320)];
pub const AREA: headless::Area = [[-5.0, -1.0], [5.0, 6.0]];

fn main() {
    headless::film("moving_platform", example, SCRIPT, AREA);
}
