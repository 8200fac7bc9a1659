//! Plays an example by a script of keys, without a window.
#![allow(dead_code, reason = "an example uses a part, its test another")]

use bevy_app::prelude::*;
use bevy_carom::{CaromPlugin, CaromWorld};
use bevy_ecs::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::keyboard::KeyCode;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use carom::draw::{self, Drawing, View, WorldStyle};
use carom::shape::Aabb;

/// Keys that are held, and for how many steps of 1/64 s.
pub type Script<'a> = &'a [(&'a [KeyCode], usize)];

/// The corners of the part of the world that is shown.
pub type Area = [[f32; 2]; 2];

/// Creates an app with an example, before its first step.
pub fn app(example: fn(&mut App)) -> App {
    let mut app = App::new();
    app.add_plugins(TimePlugin);
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.init_resource::<ButtonInput<KeyCode>>();
    example(&mut app);
    if !app.is_plugin_added::<CaromPlugin>() {
        app.add_plugins(CaromPlugin::default());
    }
    app.update(); // runs `Startup`; the first frame takes no time
    app
}

/// Presses and releases keys, so that the given ones are held.
pub fn hold(keys: &mut ButtonInput<KeyCode>, held: &[KeyCode]) {
    let released: Vec<KeyCode> =
        keys.get_pressed().copied().filter(|key| !held.contains(key)).collect();
    released.into_iter().for_each(|key| keys.release(key));
    held.iter().for_each(|&key| keys.press(key));
}

/// Plays a script and calls a function after each step.
pub fn play_with(app: &mut App, script: Script, mut each: impl FnMut(&mut App)) {
    for &(held, steps) in script {
        for _ in 0..steps {
            let mut keys = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
            keys.clear();
            hold(&mut keys, held);
            app.update();
            each(app);
        }
    }
}

/// Plays a script.
pub fn play(app: &mut App, script: Script) {
    play_with(app, script, |_| ());
}

/// Returns the only entity with a component.
pub fn only<C: Component>(app: &mut App) -> Entity {
    app.world_mut().query_filtered::<Entity, With<C>>().single(app.world()).unwrap()
}

/// Returns the number of entities with a component.
pub fn count<C: Component>(app: &mut App) -> usize {
    app.world_mut().query_filtered::<(), With<C>>().iter(app.world()).count()
}

/// Plays an example and draws it into an animated SVG file, which browsers show.
pub fn film(name: &str, example: fn(&mut App), script: Script, area: Area) {
    let mut app = app(example);
    let view = View::new(Aabb::new(area[0], area[1])).scale(32.0);
    let (mut frames, mut step) = (Vec::new(), 0);
    play_with(&mut app, script, |app| {
        step += 1;
        if step % 4 == 0 {
            let mut drawing = Drawing::new(view);
            let world = app.world().resource::<CaromWorld>().get();
            draw::world(&mut drawing, world, &WorldStyle::default());
            frames.push(drawing);
        }
    });
    let path = format!("{name}.svg");
    let svg = Drawing::to_animated_svg(&frames, step as f32 / 64.0);
    std::fs::write(&path, svg).unwrap_or_else(|error| panic!("{path}: {error}"));
    println!("{step} steps are drawn in {path}. A browser shows them.");
}
