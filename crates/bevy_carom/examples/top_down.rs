//! A character seen from above slides along walls. There is no gravity.

mod headless;

use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::keyboard::KeyCode;
use bevy_math::Vec2;
use bevy_transform::prelude::*;

#[derive(Component)]
pub struct Hero;

pub fn example(app: &mut App) {
    app.add_plugins(CaromPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, control);
}

fn spawn(mut commands: Commands) {
    let rows = ["##########", "#........#", "#..####..#", "#........#", "##########"];
    let map = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &rows, &[('#', TileKind::SOLID)]);
    commands.spawn((Body::Fixed, Collider::tiles(map)));
    let hero = (Hero, Mover::Slide, Collider::circle(0.4));
    commands.spawn((hero, Transform::from_xyz(2.0, 1.5, 0.0)));
}

fn control(keys: Res<ButtonInput<KeyCode>>, mut hero: Single<&mut Velocity, With<Hero>>) {
    let axis = |minus, plus| f32::from(keys.pressed(plus)) - f32::from(keys.pressed(minus));
    let x = axis(KeyCode::ArrowLeft, KeyCode::ArrowRight);
    let y = axis(KeyCode::ArrowDown, KeyCode::ArrowUp);
    hero.0 = Vec2::new(x, y).normalize_or_zero() * 4.0;
}

pub const SCRIPT: headless::Script = &[
    (&[KeyCode::ArrowRight, KeyCode::ArrowUp], 240), // slides along the block and around it
    (&[KeyCode::ArrowDown], 60),
];
pub const AREA: headless::Area = [[0.0, 0.0], [10.0, 5.0]];

fn main() {
    headless::film("top_down", example, SCRIPT, AREA);
}
