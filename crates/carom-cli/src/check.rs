//! `carom check`: what touches what in a scene, right now.

use std::io::{self, Write};

use carom::prelude::*;

use crate::scene::Scene;

/// Which scene.
#[derive(clap::Args)]
pub struct Options {
    /// A scene file, or - for the standard input
    scene: String,
}

/// Tells what touches what before anything has moved.
///
/// # Errors
/// Where the scene cannot be read, and where writing fails.
pub fn run(options: &Options, out: &mut impl Write) -> io::Result<()> {
    let scene = Scene::read(&options.scene)?;
    let refused = |problems: Vec<String>| {
        let named: Vec<String> =
            problems.iter().map(|problem| format!("{}: {problem}", options.scene)).collect();
        io::Error::new(io::ErrorKind::InvalidData, named.join("\n"))
    };
    let (mut world, keys) = scene.build().map_err(refused)?;
    let name = |key: BodyKey| {
        let found = keys.iter().position(|&other| other == key);
        found.map_or("?", |i| scene.bodies[i].name.as_str())
    };
    let events = world.update();
    for event in events.iter() {
        let [a, b] = event.bodies.map(name);
        match event.contact {
            Some(contact) if contact.depth > 0.0 => {
                let Contact { depth, push, .. } = contact;
                writeln!(out, "{a} overlaps {b}: depth {depth}, out by ({}, {})", push.x, push.y)?;
            }
            Some(contact) => {
                let at = contact.points[0];
                writeln!(out, "{a} touches {b} at ({}, {})", at.x, at.y)?;
            }
            None => writeln!(out, "{a} meets {b}, a sensor or a box of a fighter")?,
        }
    }
    if events.is_empty() {
        writeln!(out, "nothing touches anything")?;
    }
    Ok(())
}
