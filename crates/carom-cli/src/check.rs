//! `carom check`: lists the contacts in a scene's initial state.

use std::io::{self, Write};

use carom::draw::WorldStyle;
use carom::prelude::*;
use carom_files::scene::{BuiltScene, world_bounds};
use serde::Serialize;

use crate::args::{self, input_error};
use crate::render::{BodyOverlay, ImageOutputs, draw_scene};

/// The help text after the options.
pub const HELP: &str = r#"Examples:
  carom check scenes/seams.json                    as text
  carom check scenes/seams.json --png seams.png    as an image, with contact points and pushes
  carom check scenes/seams.json --json             as JSON"#;

/// The options of `carom check`.
#[derive(clap::Args)]
pub struct Options {
    /// A scene file, or - for the standard input
    scene: String,
    #[command(flatten)]
    images: ImageOutputs,
    /// Print the contacts as JSON
    #[arg(long)]
    json: bool,
}

/// Two bodies that intersect.
#[derive(Serialize)]
struct BodyPair<'a> {
    bodies: [&'a str; 2],
    /// The contact; `None` for sensors, hitboxes and hurtboxes.
    contact: Option<Contact>,
}

/// Lists the contacts of a scene before anything has moved.
///
/// # Errors
/// Returns an error if the scene is invalid, or if writing fails.
pub fn run(options: &Options, out: &mut impl Write) -> io::Result<()> {
    let scene = args::scene(&options.scene)?.expand_crowds(0);
    let BuiltScene { mut world, bodies, .. } = scene.build().map_err(input_error)?;
    let name = |key: BodyKey| {
        let found = bodies.iter().position(|&other| other == key);
        found.map_or("?", |i| scene.bodies[i].name.as_str())
    };
    let events = world.try_update().map_err(input_error)?;
    let pairs: Vec<BodyPair<'_>> = events
        .iter()
        .map(|event| BodyPair { bodies: event.bodies.map(name), contact: event.contact })
        .collect();
    options.images.write(|| {
        let bodies = scene.bodies.iter().zip(&bodies).map(|(body, &key)| BodyOverlay {
            name: &body.name,
            body: key,
            trajectory: &[],
            line_of_sight: None,
        });
        draw_scene(&scene, &world, world_bounds(&world), bodies, &WorldStyle::default())
    })?;
    if options.json {
        serde_json::to_writer(&mut *out, &pairs)?;
        return writeln!(out);
    }
    for BodyPair { bodies: [a, b], contact } in &pairs {
        match contact {
            Some(Contact { depth, push, .. }) if *depth > 0.0 => {
                writeln!(out, "{a} overlaps {b}: depth {depth}, push ({}, {})", push.x, push.y)?;
            }
            Some(contact) => {
                let at = contact.points[0];
                writeln!(out, "{a} touches {b} at ({}, {})", at.x, at.y)?;
            }
            None => writeln!(out, "{a} intersects {b} (sensor, hitbox or hurtbox)")?,
        }
    }
    if pairs.is_empty() {
        writeln!(out, "no contacts")?;
    }
    for path in options.images.iter() {
        writeln!(out, "Wrote {}", path.display())?;
    }
    Ok(())
}
