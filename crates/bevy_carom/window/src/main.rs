//! Plays an example in a window, drawn by `CaromDebugPlugin`.
//!
//! ```sh
//! cargo run --ignore-rust-version -- platformer               # with the keys of the example
//! cargo run --ignore-rust-version -- platformer 90 game.png   # by its script; saves a picture of step 90
//! cargo run --ignore-rust-version -- platformer 90 game.png 0 0 20 8   # of the part from (0, 0) to (20, 8)
//! ```
#![allow(clippy::duplicate_mod, reason = "every example is a program with its own copy")]

use std::iter::repeat_n;

use bevy::input::InputSystems;
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use bevy::time::TimeUpdateStrategy;
use bevy_carom::{CaromDebugPlugin, CaromGizmos, CaromPlugin};
use headless::{Area, Script, hold};

#[path = "../../examples/headless/mod.rs"]
mod headless;

/// Declares the modules of the examples, and a list of their names, scripts and areas.
macro_rules! examples {
    ($($name:ident $path:literal)*) => {
        $(
            #[path = $path]
            #[allow(dead_code, reason = "`main` draws the example, and tests use its components")]
            mod $name;
        )*
        const EXAMPLES: &[(&str, fn(&mut App), Script<'static>, Area)] =
            &[$((stringify!($name), $name::example, $name::SCRIPT, $name::AREA)),*];
    };
}

examples! {
    breakable_tiles "../../examples/breakable_tiles.rs"
    breakout "../../examples/breakout.rs"
    bullets "../../examples/bullets.rs"
    fighter "../../examples/fighter.rs"
    four_lines "../../examples/four_lines.rs"
    line_of_sight "../../examples/line_of_sight.rs"
    moving_platform "../../examples/moving_platform.rs"
    one_way "../../examples/one_way.rs"
    platformer "../../examples/platformer.rs"
    pressure_plate "../../examples/pressure_plate.rs"
    rewind "../../examples/rewind.rs"
    selection "../../examples/selection.rs"
    sword "../../examples/sword.rs"
    top_down "../../examples/top_down.rs"
    turning_platform "../../examples/turning_platform.rs"
}

/// The picture that is taken.
#[derive(Resource)]
struct Picture {
    script: Script<'static>,
    step: usize,
    path: String,
}

fn main() -> AppExit {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let name = arguments.first().map_or("platformer", String::as_str);
    let Some(&(_, example, script, area)) = EXAMPLES.iter().find(|(other, ..)| *other == name)
    else {
        let names: Vec<&str> = EXAMPLES.iter().map(|(name, ..)| *name).collect();
        eprintln!("There is no example {name:?}. The examples are {}.", names.join(", "));
        return AppExit::error();
    };

    let corners: Option<Vec<f32>> = arguments.iter().skip(3).map(|it| it.parse().ok()).collect();
    let [[left, bottom], [right, top]] = match corners.as_deref() {
        Some([]) => area,
        Some(&[left, bottom, right, top]) if left < right && bottom < top => {
            [[left, bottom], [right, top]]
        }
        _ => {
            eprintln!("The part to show is given by four numbers: left, bottom, right, top.");
            return AppExit::error();
        }
    };
    let (min, max) = (Vec2::new(left, bottom), Vec2::new(right, top));
    let pixels = (max - min) * (1280.0 / (max.x - min.x)).min(80.0);
    let window = Window {
        title: format!("bevy_carom: {name}"),
        resolution: pixels.round().as_uvec2().into(),
        ..default()
    };
    let mut app = App::new();
    app.add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }));
    app.add_plugins(CaromDebugPlugin);
    app.world_mut().resource_mut::<GizmoConfigStore>().config_mut::<CaromGizmos>().0.line.width =
        3.0;
    example(&mut app);
    if !app.is_plugin_added::<CaromPlugin>() {
        app.add_plugins(CaromPlugin::default());
    }
    app.add_systems(Startup, move |mut commands: Commands| {
        let scaling_mode = bevy::camera::ScalingMode::AutoMin {
            min_width: max.x - min.x,
            min_height: max.y - min.y,
        };
        let projection =
            OrthographicProjection { scaling_mode, ..OrthographicProjection::default_2d() };
        let center = Transform::from_translation(((min + max) / 2.0).extend(0.0));
        commands.spawn((Camera2d, Projection::Orthographic(projection), center));
    });

    if let [_, step, path, ..] = &arguments[..] {
        let Ok(step) = step.parse() else {
            eprintln!("The step is a number: {step:?}.");
            return AppExit::error();
        };
        app.insert_resource(TimeUpdateStrategy::FixedTimesteps(0))
            .insert_resource(Picture { script, step, path: path.clone() })
            .add_systems(PreUpdate, play.after(InputSystems));
    }
    app.run()
}

/// Plays the script with one step per frame. Then it stops the time, and takes the picture some frames later,
/// when everything that draws has been loaded.
fn play(
    picture: Res<Picture>,
    mut frame: Local<usize>,
    mut keys: ResMut<ButtonInput<KeyCode>>,
    mut time: ResMut<TimeUpdateStrategy>,
    mut commands: Commands,
) {
    // The first frame has no step. The time of a frame is set in the frame before.
    let mut held = picture.script.iter().flat_map(|&(keys, steps)| repeat_n(keys, steps));
    if let Some(step) = picture.step.min(*frame).checked_sub(1) {
        hold(&mut keys, held.nth(step).unwrap_or(&[]));
    }
    *time = TimeUpdateStrategy::FixedTimesteps(u32::from(*frame < picture.step));
    if *frame == picture.step + 60 {
        commands
            .spawn(Screenshot::primary_window())
            .observe(save_to_disk(picture.path.clone()))
            .observe(|_: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
                exit.write(AppExit::Success);
            });
    }
    *frame += 1;
}
