use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn_level);
}

fn spawn_level(mut commands: Commands) {
    // y points up, so the first row is the lowest.
    let rows = ["################", "#......./##\\...#", "#..............#", "#..............#"];
    let up = [0.0, 1.0];
    let kinds = [
        ('#', TileKind::SOLID),
        ('/', TileKind::slope(0.0, 1.0, up)),
        ('\\', TileKind::slope(1.0, 0.0, up)),
    ];
    let map = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &rows, &kinds);
    commands.spawn((Body::Fixed, Collider::tiles(map)));
}
