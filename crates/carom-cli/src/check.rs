//! `carom check`: what touches what in a scene, right now.

use std::io::{self, Write};

use carom::draw::WorldStyle;
use carom::prelude::*;
use carom_files::scene::{BuiltScene, world_bounds};
use serde::Serialize;

use crate::drawing::{self, Drawn};
use crate::{arguments, picture};

/// Which scene.
#[derive(clap::Args)]
pub struct Options {
    /// A scene file, or - for the standard input
    scene: String,
    #[command(flatten)]
    picture: picture::Files,
    /// Write what touches what as JSON
    #[arg(long)]
    json: bool,
}

/// What the long help says after the options.
pub const HELP: &str = r#"Examples:
  carom check scenes/seams.json                    in words
  carom check scenes/seams.json --png seams.png    drawn, with points and pushes
  carom check scenes/seams.json --json             for machines"#;

/// Two bodies that meet, for machines.
#[derive(Serialize)]
struct Meeting<'a> {
    bodies: [&'a str; 2],
    /// None for sensors and the boxes of fighters.
    contact: Option<Contact>,
}

/// Tells what touches what before anything has moved.
///
/// # Errors
/// Where the scene cannot be read, and where writing fails.
pub fn run(options: &Options, out: &mut impl Write) -> io::Result<()> {
    let scene = arguments::scene(&options.scene)?.expand_crowds(0);
    let BuiltScene { mut world, bodies, .. } = scene.build().map_err(arguments::invalid)?;
    let name = |key: BodyKey| {
        let found = bodies.iter().position(|&other| other == key);
        found.map_or("?", |i| scene.bodies[i].name.as_str())
    };
    let events = world.update();
    let meetings: Vec<Meeting<'_>> = events
        .iter()
        .map(|event| Meeting { bodies: event.bodies.map(name), contact: event.contact })
        .collect();
    options.picture.write(|| {
        let bodies = scene.bodies.iter().zip(&bodies);
        let bodies =
            bodies.map(|(form, &body)| Drawn { name: &form.name, body, trails: &[], sight: None });
        let area = world_bounds(&world);
        drawing::picture(&scene, &world, area, bodies, &WorldStyle::default())
    })?;
    if options.json {
        serde_json::to_writer(&mut *out, &meetings)?;
        return writeln!(out);
    }
    for Meeting { bodies: [a, b], contact } in &meetings {
        match contact {
            Some(Contact { depth, push, .. }) if *depth > 0.0 => {
                writeln!(out, "{a} overlaps {b}: depth {depth}, out by ({}, {})", push.x, push.y)?;
            }
            Some(contact) => {
                let at = contact.points[0];
                writeln!(out, "{a} touches {b} at ({}, {})", at.x, at.y)?;
            }
            None => writeln!(out, "{a} meets {b}, a sensor or a box of a fighter")?,
        }
    }
    if meetings.is_empty() {
        writeln!(out, "nothing touches anything")?;
    }
    for path in options.picture.iter() {
        writeln!(out, "Drawn: {}", path.display())?;
    }
    Ok(())
}
