//! `carom run`: plays a scene, tells what happened, and draws it.

mod style;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use carom::draw::{Drawing, WorldStyle};
use carom::prelude::*;
use carom_files::scene::{SceneEvent, Simulation};
use carom_files::{Scene, write_atomically};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::arguments;
use crate::drawing::{self, Drawn};
use crate::picture::{self, Files};

/// What the long help says after the options.
pub const HELP: &str = r#"Examples:
  carom run                                   the built-in scene, told and drawn to tour.png
  carom run --gif tour.gif                    and as a film
  carom run scenes/one_way.json --svg a.svg   another scene: the last frame, and the ways
  carom run scenes/one_way.json --json        and for machines
  carom run scenes/crowd.json --seed 7        the same with other luck
  carom run - < scenes/one_way.json           a scene from the standard input

Scenes are JSON: see scenes/ for small ones; with schema/scene.json editors complete them. A scene that
cannot be read is refused with all that is wrong with it, each with its place, and nothing is written."#;

/// The scene that is played if none is given, and where it is drawn if nothing is said about that.
const TOUR: &str = include_str!("../../scenes/tour.json");
const TOUR_PICTURE: &str = "tour.png";

/// Above so many frames, progress is shown.
const LONG: u32 = 2000;
/// In films, one picture for so many frames.
const FILM_STEP: u32 = 3;

/// Which scene, and what is wanted of it.
#[derive(Default, clap::Args)]
pub struct Options {
    /// A scene file, or - for the standard input; a built-in one if left out
    scene: Option<String>,
    /// How many frames to play, instead of what the scene says
    #[arg(short, long, value_name = "N")]
    frames: Option<u32>,
    /// Where chance starts, for scenes with crowds
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    picture: picture::Files,
    /// Draw all of it, as a GIF that moves
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,
    /// Draw all of it, as an SVG that moves
    #[arg(long, value_name = "FILE")]
    animated_svg: Option<PathBuf>,
    /// Write what happened as JSON
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
    /// Write nothing but errors
    #[arg(short, long)]
    quiet: bool,
}

/// What came of a scene, for machines.
#[derive(Serialize)]
struct Account<'a> {
    frames: u32,
    happenings: &'a [SceneEvent],
    bodies: Vec<Place<'a>>,
    /// The same on every machine.
    state_hash: String,
}

#[derive(Serialize)]
struct Place<'a> {
    name: &'a str,
    position: [f32; 2],
    angle: f32,
}

/// Plays a scene.
///
/// # Errors
/// Where the scene cannot be read, and where writing fails.
pub fn run(options: &Options, out: &mut impl Write) -> io::Result<()> {
    let scene = match options.scene.as_deref() {
        Some(path) => arguments::scene(path)?,
        None => Scene::from_json(TOUR).map_err(arguments::invalid)?,
    };
    let scene = scene.expand_crowds(options.seed);
    let mut simulation = Simulation::new(&scene).map_err(arguments::invalid)?;
    let frames = options.frames.unwrap_or(scene.frames);
    let films = options.gif.is_some() || options.animated_svg.is_some();
    // All pictures of a film show the same part of the world: where it has to be found, play it before.
    let area = if films && scene.view.is_none() { area_of(&scene, frames)? } else { None };
    let progress = progress(frames);
    let (mut happenings, mut film) = (Vec::new(), Vec::new());
    for frame in 0..frames {
        if films && frame % FILM_STEP == 0 {
            film.push(picture_of(&scene, &simulation, area, Trails::Left));
        }
        happenings.extend(simulation.step().map_err(left_the_numbers)?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    let seconds = FILM_STEP as f32 / scene.rate;
    if let Some(path) = &options.gif {
        write_atomically(path, &picture::gif_of(&film, seconds)?)?;
    }
    if let Some(path) = &options.animated_svg {
        write_atomically(path, Drawing::to_animated_svg(&film, seconds).as_bytes())?;
    }
    let last = || picture_of(&scene, &simulation, simulation.bounds(), Trails::Drawn);
    let default = Files { png: Some(TOUR_PICTURE.into()), svg: None };
    let picture = if options.wants_default_picture() { &default } else { &options.picture };
    picture.write(last)?;
    if options.json {
        return tell_machines(&simulation, frames, &happenings, out);
    }
    if !options.quiet {
        tell_people(&scene, &simulation, frames, &happenings, out)?;
        for path in picture.iter().chain(&options.gif).chain(&options.animated_svg) {
            writeln!(out, "Drawn: {}", path.display())?;
        }
    }
    Ok(())
}

/// A scene as it is before anything moves.
///
/// # Errors
/// Where it has faults.
pub fn first_picture(scene: &Scene) -> io::Result<Drawing> {
    let simulation = Simulation::new(scene).map_err(arguments::invalid)?;
    Ok(picture_of(scene, &simulation, simulation.bounds(), Trails::Left))
}

/// A box around all that happens in a scene.
fn area_of(scene: &Scene, frames: u32) -> io::Result<Option<Aabb>> {
    let mut simulation = Simulation::new(scene).map_err(arguments::invalid)?;
    for _ in 0..frames {
        simulation.step().map_err(left_the_numbers)?;
    }
    Ok(simulation.bounds())
}

fn left_the_numbers(error: WorldError) -> io::Error {
    io::Error::other(error.to_string())
}

impl Options {
    /// People who ask for nothing in particular get a picture too.
    fn wants_default_picture(&self) -> bool {
        let asks = self.picture.iter().chain(&self.gif).chain(&self.animated_svg).next().is_some();
        self.scene.is_none() && !asks && !self.json && !self.quiet
    }
}

/// Whether the ways of what moved are drawn.
#[derive(PartialEq, Eq)]
enum Trails {
    Drawn,
    Left,
}

fn picture_of(
    scene: &Scene,
    simulation: &Simulation<'_>,
    area: Option<Aabb>,
    trails: Trails,
) -> Drawing {
    let bodies = simulation.bodies().map(|(name, body)| {
        let trails = if trails == Trails::Drawn { &body.trajectory[..] } else { &[] };
        Drawn { name, body: body.key, trails, sight: simulation.line_of_sight(body) }
    });
    let style = WorldStyle { contacts: None, ..WorldStyle::default() };
    drawing::picture(scene, simulation.world(), area, bodies, &style)
}

fn tell_machines(
    simulation: &Simulation<'_>,
    frames: u32,
    happenings: &[SceneEvent],
    out: &mut impl Write,
) -> io::Result<()> {
    let bodies = places(simulation).map(|(name, pose)| {
        let (position, angle) = (pose.position.to_array(), pose.rotation.angle());
        Place { name, position, angle }
    });
    let state_hash = format!("{:016x}", simulation.world().state_hash());
    let account = Account { frames, happenings, bodies: bodies.collect(), state_hash };
    serde_json::to_writer(&mut *out, &account)?;
    writeln!(out)
}

fn tell_people(
    scene: &Scene,
    simulation: &Simulation<'_>,
    frames: u32,
    happenings: &[SceneEvent],
    out: &mut impl Write,
) -> io::Result<()> {
    if !scene.about.is_empty() {
        writeln!(out, "{}\n", scene.about)?;
    }
    for event in happenings {
        let (number, told, frame) = (style::FAINT, style::of(event.kind()), event.frame);
        writeln!(out, "{number}frame {frame:>4}{number:#}  {told}{event}{told:#}")?;
    }
    let heading = style::STRONG;
    writeln!(out, "\n{heading}After {frames} frames{heading:#}")?;
    for (name, pose) in places(simulation) {
        let Vec2 { x, y } = pose.position;
        writeln!(out, "  {name:<12} ({x:.3}, {y:.3})")?;
    }
    writeln!(out, "  state hash {:016x}", simulation.world().state_hash())
}

/// Where the bodies are that can move.
fn places<'a>(simulation: &'a Simulation<'_>) -> impl Iterator<Item = (&'a str, Pose)> {
    simulation.bodies().filter_map(|(name, body)| {
        let body = simulation.world().body(body.key)?;
        (body.mobility == carom::broad::Mobility::Moving).then_some((name, body.pose))
    })
}

fn progress(frames: u32) -> ProgressBar {
    if frames < LONG || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} frame {pos} of {len}, {eta} left");
    ProgressBar::new(frames.into()).with_style(style.unwrap_or(ProgressStyle::default_bar()))
}
