//! A rectangle selects units, as in a strategy game. New units get a free position nearby.

mod headless;

use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::keyboard::KeyCode;
use bevy_math::Vec2;
use bevy_transform::prelude::*;
use carom::shape::Circle;

#[derive(Component)]
pub struct Selected;

#[derive(Component)]
pub struct Unit;

pub fn example(app: &mut App) {
    app.add_plugins(CaromPlugin::default()).add_systems(Startup, spawn).add_systems(
        RunFixedMainLoop,
        (select, recruit).in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
    );
}

fn spawn(mut commands: Commands) {
    for x in 0..5 {
        let place = Transform::from_xyz(x as f32 * 2.0, 0.0, 0.0);
        commands.spawn((Unit, Body::Moving, Collider::circle(0.5), place));
    }
}

/// Selects the units in a rectangle. A game would take its corners from the mouse.
fn select(keys: Res<ButtonInput<KeyCode>>, query: SpatialQuery, mut commands: Commands) {
    if keys.just_pressed(KeyCode::KeyS) {
        let (a, b) = (Vec2::new(5.0, 1.0), Vec2::new(1.0, -1.0));
        for unit in query.intersecting_box(a, b, &Filter::new()) {
            commands.entity(unit).insert(Selected);
        }
    }
}

/// Adds a unit near the first one, where nothing is in its way.
fn recruit(keys: Res<ButtonInput<KeyCode>>, query: SpatialQuery, mut commands: Commands) {
    if keys.just_pressed(KeyCode::KeyN) {
        let wanted = Circle::new([0.0, 0.0], 0.5);
        if let Some(free) = query.find_free_place(&wanted, 10.0, &Filter::new()) {
            let place = Transform::from_translation(free.extend(0.0));
            commands.spawn((Unit, Body::Moving, Collider::circle(0.5), place));
        }
    }
}

pub const SCRIPT: headless::Script =
    &[(&[], 2), (&[KeyCode::KeyS], 2), (&[KeyCode::KeyN], 2), (&[], 2), (&[KeyCode::KeyN], 10)];
pub const AREA: headless::Area = [[-3.0, -3.0], [11.0, 3.0]];

fn main() {
    headless::film("selection", example, SCRIPT, AREA);
}
