//! An app without a window. Each update runs one fixed step of 1/64 s.
#![allow(dead_code, reason = "each test binary uses a part")]

use bevy_app::prelude::*;
use bevy_carom::CaromWorld;
use bevy_carom::prelude::*;
use bevy_ecs::message::MessageCursor;
use bevy_ecs::prelude::*;
use bevy_ecs::system::RunSystemOnce;
use bevy_math::Vec2;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;

pub fn app() -> App {
    app_with(CaromPlugin::default().with_gravity(Vec2::new(0.0, -32.0)))
}

pub fn app_with(plugin: CaromPlugin) -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, plugin));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update(); // the first frame takes no time
    app
}

pub fn steps(app: &mut App, count: usize) {
    (0..count).for_each(|_| app.update());
}

pub fn position(app: &App, entity: Entity) -> Vec2 {
    app.world().get::<Transform>(entity).unwrap().translation.truncate()
}

pub fn at(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x, y, 5.0)
}

pub fn footing(app: &App, entity: Entity) -> Footing {
    *app.world().get::<Footing>(entity).unwrap()
}

pub fn hash(app: &App) -> u64 {
    app.world().resource::<CaromWorld>().state_hash()
}

pub fn read<M: Message + Clone>(app: &App, cursor: &mut MessageCursor<M>) -> Vec<M> {
    cursor.read(app.world().resource::<Messages<M>>()).cloned().collect()
}

/// The pairs that began to touch since the last call, each from both sides.
pub fn began(app: &App, cursor: &mut MessageCursor<TouchBegan>) -> Vec<[Entity; 2]> {
    read(app, cursor).iter().map(|touch| [touch.collider, touch.other]).collect()
}

pub fn ended(app: &App, cursor: &mut MessageCursor<TouchEnded>) -> Vec<[Entity; 2]> {
    read(app, cursor).iter().map(|touch| [touch.collider, touch.other]).collect()
}

pub fn colliders_at(app: &mut App, x: f32, y: f32) -> Vec<Entity> {
    let query = move |query: SpatialQuery| query.at_point(Vec2::new(x, y), &Filter::new());
    app.world_mut().run_system_once(query).unwrap()
}

/// Returns pseudorandom numbers (xorshift).
pub fn random(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) % below
    }
}
