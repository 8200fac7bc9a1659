//! A ball bounces off walls and a paddle, and breaks the bricks that it hits.

mod headless;

use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::keyboard::KeyCode;
use bevy_math::Vec2;
use bevy_transform::prelude::*;

#[derive(Component)]
pub struct Brick;

#[derive(Component)]
pub struct Paddle;

#[derive(Component)]
pub struct Ball;

pub fn example(app: &mut App) {
    app.add_plugins(CaromPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, control);
}

fn spawn(mut commands: Commands) {
    for (x, y, width, height) in
        [(-6.0, 4.0, 1.0, 10.0), (6.0, 4.0, 1.0, 10.0), (0.0, 9.0, 13.0, 1.0)]
    {
        commands.spawn((Collider::rectangle(width, height), Transform::from_xyz(x, y, 0.0)));
    }
    for x in -4..=4 {
        for y in 5..=7 {
            let place = Transform::from_xyz(x as f32 * 1.1, y as f32 * 0.6 + 2.0, 0.0);
            commands.spawn((Brick, Collider::rectangle(1.0, 0.5), place));
        }
    }
    commands.spawn((Paddle, Mover::Slide, Collider::rectangle(2.0, 0.4)));
    let ball = (Ball, Mover::Bounce(1.0), Velocity(Vec2::new(3.0, 7.0)), Collider::circle(0.2));
    commands.spawn((ball, Transform::from_xyz(0.0, 1.0, 0.0))).observe(break_brick);
}

fn break_brick(hit: On<MoverHit>, bricks: Query<(), With<Brick>>, mut commands: Commands) {
    if bricks.contains(hit.other) {
        commands.entity(hit.other).try_despawn();
    }
}

fn control(
    keys: Res<ButtonInput<KeyCode>>,
    ball: Single<&Transform, With<Ball>>,
    mut paddle: Single<(&Transform, &mut Velocity), With<Paddle>>,
) {
    let (left, right) = (keys.pressed(KeyCode::ArrowLeft), keys.pressed(KeyCode::ArrowRight));
    paddle.1.0.x = 9.0 * (f32::from(right) - f32::from(left));
    if keys.pressed(KeyCode::KeyA) {
        // The paddle plays by itself.
        paddle.1.0.x = (ball.translation.x - paddle.0.translation.x) * 10.0;
    }
}

pub const SCRIPT: headless::Script = &[(&[KeyCode::KeyA], 640)];
pub const AREA: headless::Area = [[-7.0, -1.0], [7.0, 10.0]];

fn main() {
    headless::film("breakout", example, SCRIPT, AREA);
}
