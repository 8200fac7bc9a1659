//! The platformer that the chapter "carom in Bevy" of the guide builds. A test compares its listings with these
//! files.
pub mod coins;
pub mod enemies;
pub mod hero;
pub mod level;
pub mod lift;

use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::keyboard::KeyCode;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;

pub fn game(app: &mut App) {
    app.add_plugins(CaromPlugin::default())
        .add_plugins(level::plugin)
        .add_plugins(coins::plugin)
        .add_plugins(enemies::plugin)
        .add_plugins(lift::plugin)
        .add_plugins(hero::plugin);
}

fn main() {
    let mut app = App::new();
    // Each update is one fixed step, however fast the loop is.
    app.add_plugins(TimePlugin).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let mut keys = ButtonInput::default();
    keys.press(KeyCode::ArrowRight);
    app.insert_resource(keys);
    game(&mut app);
    for _ in 0..128 {
        app.update();
    }
    let mut heroes = app.world_mut().query_filtered::<(&Transform, &Footing), With<hero::Hero>>();
    let (at, footing) = heroes.single(app.world()).expect("there is one hero");
    println!("the hero is at {}, on the floor: {}", at.translation, footing.on_floor());
}
