//! A character breaks the bricks of a tile map with its head. Hits name the tile.

mod headless;

use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::keyboard::KeyCode;
use bevy_transform::prelude::*;

/// The data of tiles that can be broken.
pub const BRICK: u32 = 1;

pub fn example(app: &mut App) {
    app.add_plugins(CaromPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(
            RunFixedMainLoop,
            request_jump.in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        .add_systems(FixedUpdate, jump);
}

fn spawn(mut commands: Commands) {
    let rows = ["########", "#......#", "#......#", "#..bb..#"];
    let kinds = [('#', TileKind::SOLID), ('b', TileKind::SOLID.with_data(BRICK))];
    let map = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &rows, &kinds);
    commands.spawn((Body::Fixed, Collider::tiles(map)));
    let hero = (Walker::default(), Collider::rectangle(0.7, 0.9));
    commands.spawn((hero, Transform::from_xyz(3.5, 1.45, 0.0))).observe(break_tile);
}

fn break_tile(hit: On<MoverHit>, mut colliders: Query<&mut Collider>) {
    let (Some(tile), Ok(mut collider)) = (hit.tile, colliders.get_mut(hit.other)) else { return };
    if hit.normal.y < 0.0 {
        collider.edit_tiles(|map| {
            if map.kind(tile).data() == BRICK {
                map.set(tile, TileMap::EMPTY);
            }
        });
    }
}

/// Runs once per frame, before the fixed steps, so that no press is lost in a frame without a step.
fn request_jump(keys: Res<ButtonInput<KeyCode>>, mut hero: Single<&mut Footing>) {
    if keys.just_pressed(KeyCode::Space) {
        hero.request_jump();
    }
}

fn jump(mut hero: Single<(&mut Footing, &mut Velocity), With<Walker>>) {
    let (footing, velocity) = &mut *hero;
    if footing.jump(JumpGrace::frames(6, 6)) {
        velocity.0.y = 12.0;
    }
}

pub const SCRIPT: headless::Script =
    &[(&[], 8), (&[KeyCode::Space], 60), (&[], 1), (&[KeyCode::Space], 60)];
pub const AREA: headless::Area = [[0.0, 0.0], [8.0, 6.0]];

fn main() {
    headless::film("breakable_tiles", example, SCRIPT, AREA);
}
