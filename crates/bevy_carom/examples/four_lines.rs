//! A character on tiles collects a coin: the four lines of the README.

mod headless;

use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use bevy_transform::prelude::*;

#[derive(Component)]
pub struct Coin;

pub fn example(app: &mut App) {
    app.add_plugins(CaromPlugin::default()).add_systems(Startup, spawn);
}

fn spawn(mut commands: Commands) {
    let rows = ["########", "#......#", "#......#"]; // y points up: the first row is the lowest
    let map = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &rows, &[('#', TileKind::SOLID)]);
    commands.spawn((Body::Fixed, Collider::tiles(map)));
    let start = Transform::from_xyz(2.0, 3.0, 0.0);
    commands.spawn((Walker::default(), Collider::rectangle(0.8, 0.9), start));
    let place = Transform::from_xyz(2.0, 1.25, 0.0);
    commands.spawn((Coin, Collider::circle(0.25), Role::Sensor, place)).observe(
        |touch: On<TouchBegan>, mut commands: Commands| {
            commands.entity(touch.collider).despawn();
        },
    );
}

pub const SCRIPT: headless::Script = &[(&[], 64)];
pub const AREA: headless::Area = [[0.0, 0.0], [8.0, 4.0]];

fn main() {
    headless::film("four_lines", example, SCRIPT, AREA);
}
