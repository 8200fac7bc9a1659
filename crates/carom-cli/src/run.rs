//! `carom run`: simulates a scene, prints its events and draws it.

use std::io::{self, Write};
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use carom::draw::{Drawing, WorldStyle};
use carom::prelude::*;
use carom_files::scene::{SceneEvent, Simulation};
use carom_files::{Scene, write_atomically};
use serde::Serialize;

use crate::args::{self, input_error};
use crate::progress::Progress;
use crate::render::{self, BodyOverlay, ImageOutputs, draw_scene};

/// The help text after the options.
pub const HELP: &str = r#"Examples:
  carom run                                   the built-in scene, drawn to tour.png
  carom run --gif tour.gif                    the same as an animation
  carom run scenes/one_way.json --svg a.svg   the final frame with trajectories
  carom run scenes/one_way.json --json        events and final positions as JSON
  carom run scenes/crowd.json --seed 7        with another random seed
  carom run - < scenes/one_way.json           a scene from the standard input

Scenes are JSON files; scenes/ has small examples, and schema/scene.json is their JSON Schema.

An invalid scene is rejected with a list of all errors and their positions; nothing is written."#;

/// The scene that is simulated without a SCENE argument.
const TOUR: &str = include_str!("../scenes/tour.json");
/// The image that is then written.
const TOUR_IMAGE: &str = "tour.png";

/// The minimum number of frames for which progress is shown.
const PROGRESS_MIN_FRAMES: u32 = 2000;
/// The number of frames for each image of an animation.
const FRAMES_PER_IMAGE: u32 = 3;

/// The options of `carom run`.
#[derive(Default, clap::Args)]
pub struct Options {
    /// A scene file, or - for the standard input [default: a built-in scene]
    scene: Option<String>,
    /// Number of frames to simulate [default: as the scene says]
    #[arg(short, long, value_name = "N", value_parser = frame_count, allow_negative_numbers = true)]
    frames: Option<u32>,
    /// Random seed for placing crowds
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = random_seed)]
    #[arg(allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    images: ImageOutputs,
    /// Write an animated GIF of the whole run
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,
    /// Write an animated SVG of the whole run
    #[arg(long, value_name = "FILE")]
    animated_svg: Option<PathBuf>,
    /// Print the events and the final positions as JSON
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
    /// Print nothing but errors
    #[arg(short, long)]
    quiet: bool,
}

fn frame_count(text: &str) -> Result<u32, String> {
    let count = text.parse().ok().filter(|count| *count <= Scene::MAX_FRAMES);
    count.ok_or_else(|| format!("expected a whole number from 0 to {}", Scene::MAX_FRAMES))
}

fn random_seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

impl Options {
    /// Returns `true` if the built-in scene is drawn by default, because the options request no other output.
    fn uses_default_image(&self) -> bool {
        let has_outputs =
            self.images.iter().chain(&self.gif).chain(&self.animated_svg).next().is_some();
        self.scene.is_none() && !has_outputs && !self.json && !self.quiet
    }
}

/// Simulates a scene.
///
/// # Errors
/// Returns an error if the scene is invalid, or if writing fails.
pub fn run(options: &Options, out: &mut impl Write) -> io::Result<()> {
    let scene = match options.scene.as_deref() {
        Some(path) => args::scene(path)?,
        None => Scene::from_json(TOUR).map_err(input_error)?,
    };
    let scene = scene.expand_crowds(options.seed);
    let mut simulation = Simulation::new(&scene).map_err(input_error)?;
    let frames = options.frames.unwrap_or(scene.frames);
    let is_animated = options.gif.is_some() || options.animated_svg.is_some();
    // All images of an animation show the same area. If the scene has no view, a first run finds it.
    let area = if is_animated && scene.view.is_none() { run_bounds(&scene, frames)? } else { None };

    let mut progress =
        (frames >= PROGRESS_MIN_FRAMES).then(|| Progress::new(frames as usize, "frame"));
    let (mut events, mut images) = (Vec::new(), Vec::new());
    for frame in 0..frames {
        if is_animated && frame % FRAMES_PER_IMAGE == 0 {
            images.push(draw_simulation(&scene, &simulation, area, Trajectories::Hidden));
        }
        events.extend(simulation.step().map_err(simulation_error)?);
        progress.iter_mut().for_each(Progress::step);
    }
    progress.iter().for_each(Progress::clear);
    Drawing::share_legend(&mut images);

    let seconds = FRAMES_PER_IMAGE as f32 / scene.rate;
    if let Some(path) = &options.gif {
        write_atomically(path, &render::encode_gif(&images, seconds)?)?;
    }
    if let Some(path) = &options.animated_svg {
        write_atomically(path, Drawing::to_animated_svg(&images, seconds).as_bytes())?;
    }
    let default = ImageOutputs { png: Some(TOUR_IMAGE.into()), svg: None };
    let outputs = if options.uses_default_image() { &default } else { &options.images };
    outputs
        .write(|| draw_simulation(&scene, &simulation, simulation.bounds(), Trajectories::Shown))?;

    if options.json {
        return write_json(&simulation, frames, &events, out);
    }
    if !options.quiet {
        write_text(&scene, &simulation, frames, &events, out)?;
        for path in outputs.iter().chain(&options.gif).chain(&options.animated_svg) {
            writeln!(out, "Wrote {}", path.display())?;
        }
    }
    Ok(())
}

/// Draws the initial state of a scene.
///
/// # Errors
/// Returns an error if the scene is invalid.
pub fn draw_initial_state(scene: &Scene) -> io::Result<Drawing> {
    let simulation = Simulation::new(scene).map_err(input_error)?;
    Ok(draw_simulation(scene, &simulation, simulation.bounds(), Trajectories::Hidden))
}

/// Returns the bounds of all colliders in all frames of a run.
fn run_bounds(scene: &Scene, frames: u32) -> io::Result<Option<Aabb>> {
    let mut simulation = Simulation::new(scene).map_err(input_error)?;
    for _ in 0..frames {
        simulation.step().map_err(simulation_error)?;
    }
    Ok(simulation.bounds())
}

fn simulation_error(error: WorldError) -> io::Error {
    io::Error::other(error.to_string())
}

#[derive(PartialEq, Eq)]
enum Trajectories {
    Shown,
    Hidden,
}

fn draw_simulation(
    scene: &Scene,
    simulation: &Simulation<'_>,
    area: Option<Aabb>,
    trajectories: Trajectories,
) -> Drawing {
    let bodies = simulation.bodies().map(|(name, body)| BodyOverlay {
        name,
        body: body.key,
        trajectory: if trajectories == Trajectories::Shown { &body.trajectory[..] } else { &[] },
        line_of_sight: simulation.line_of_sight(body),
    });
    let style = WorldStyle { contacts: None, ..WorldStyle::default() };
    draw_scene(scene, simulation.world(), area, bodies, &style)
}

/// The output of `--json`.
#[derive(Serialize)]
struct RunReport<'a> {
    frames: u32,
    #[serde(rename = "happenings")]
    events: &'a [SceneEvent],
    bodies: Vec<BodyPose<'a>>,
    /// A hash of the world's state, which is the same on every machine.
    state_hash: String,
}

#[derive(Serialize)]
struct BodyPose<'a> {
    name: &'a str,
    position: [f32; 2],
    angle: f32,
}

fn write_json(
    simulation: &Simulation<'_>,
    frames: u32,
    events: &[SceneEvent],
    out: &mut impl Write,
) -> io::Result<()> {
    let bodies = moving_bodies(simulation).map(|(name, pose)| BodyPose {
        name,
        position: pose.position.to_array(),
        angle: pose.rotation.angle(),
    });
    let state_hash = format!("{:016x}", simulation.world().state_hash());
    let report = RunReport { frames, events, bodies: bodies.collect(), state_hash };
    serde_json::to_writer(&mut *out, &report)?;
    writeln!(out)
}

fn write_text(
    scene: &Scene,
    simulation: &Simulation<'_>,
    frames: u32,
    events: &[SceneEvent],
    out: &mut impl Write,
) -> io::Result<()> {
    let (dimmed, bold) = (Style::new().dimmed(), Style::new().bold());
    if !scene.about.is_empty() {
        writeln!(out, "{}\n", scene.about)?;
    }
    for event in events {
        let (color, frame) = (event_style(event), event.frame);
        writeln!(out, "{dimmed}frame {frame:>4}{dimmed:#}  {color}{event}{color:#}")?;
    }
    writeln!(out, "\n{bold}After {frames} frames{bold:#}")?;
    for (name, pose) in moving_bodies(simulation) {
        let Vec2 { x, y } = pose.position;
        writeln!(out, "  {name:<12} ({x:.3}, {y:.3})")?;
    }
    writeln!(out, "  state hash {:016x}", simulation.world().state_hash())
}

/// Returns the style of an event on a terminal.
fn event_style(event: &SceneEvent) -> Style {
    match event.kind() {
        "struck" | "squashed" => AnsiColor::Red.on_default(),
        "took" => AnsiColor::Green.on_default(),
        "met" => AnsiColor::Blue.on_default(),
        _ => Style::new(),
    }
}

/// Returns the names and poses of the bodies that can move.
fn moving_bodies<'a>(simulation: &'a Simulation<'_>) -> impl Iterator<Item = (&'a str, Pose)> {
    simulation.bodies().filter_map(|(name, body)| {
        let body = simulation.world().body(body.key)?;
        (body.mobility == carom::broad::Mobility::Moving).then_some((name, body.pose))
    })
}
