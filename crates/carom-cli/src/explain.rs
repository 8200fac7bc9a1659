//! `carom explain`: why two shapes overlap, touch or stay apart.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use carom::draw::{AxesPicture, Color, Picture};
use carom::prelude::*;

use crate::picture;

/// What the long help says after the options.
pub const HELP: &str = r#"A and B are shapes as JSON, or names of files that hold them:
  carom explain '{"type":"rect","center":[0,0],"half":[2,1],"angle":0.3}' \
                '{"type":"circle","center":[3,1.5],"radius":1}' --picture axes.png

Two convex shapes are apart exactly if their shadows on some axis have a gap between them; the only
axes that can show it are the normals of edges, and the line between the closest corners or centres.
A shape made of parts (polygon, chain, compound, tiles) is explained part by part: ask about one."#;

/// Which shapes, and where the picture goes.
#[derive(clap::Args)]
pub struct Options {
    /// The first shape: JSON, or a file with it
    a: String,
    /// The second shape
    b: String,
    /// Draw the axes with both shadows, to a .svg or .png file
    #[arg(short, long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

/// Explains two shapes in words and numbers, and as a picture if one is asked for.
///
/// # Errors
/// Where a shape cannot be read or is made of parts, and where writing fails.
pub fn run(options: &Options, out: &mut impl Write) -> io::Result<()> {
    let (a, b) = (read("A", &options.a)?, read("B", &options.b)?);
    let Some(drawn) = AxesPicture::new(&a, &b) else {
        let bad =
            [("A", &a), ("B", &b)].into_iter().find(|(_, shape)| shape.explain(*shape).is_none());
        let (name, kind) = bad.map_or(("A", ""), |(name, shape)| (name, shape.kind()));
        return Err(invalid(format!(
            "{name} is a {kind}, which is made of parts; explain takes convex shapes: ask about one part"
        )));
    };
    let explanation = drawn.explanation();
    writeln!(out, "A is a {}, B a {}\n\n{explanation}", a.kind(), b.kind())?;
    if let Some(contact) = a.contact(&b) {
        let (depth, push) = (contact.depth, contact.push);
        writeln!(
            out,
            "\nA is out again after a push by ({}, {}); the depth is {depth}",
            push.x, push.y
        )?;
    } else {
        writeln!(out, "\nThe distance is {}", a.distance(&b))?;
    }
    let Some(path) = &options.picture else { return Ok(()) };
    let mut canvas = Picture::new(drawn.view());
    drawn.draw(&mut canvas);
    canvas.explain(Color::BLUE, format!("A: {}", a.kind()));
    canvas.explain(Color::ORANGE, format!("B: {}", b.kind()));
    canvas.explain(Color::GREEN, "gap");
    canvas.explain(Color::VERMILION, "overlap");
    picture::write(&canvas, path)?;
    writeln!(out, "\nDrawn: {}", path.display())
}

/// A shape from JSON, or from a file if it does not look like JSON.
fn read(name: &str, given: &str) -> io::Result<Shape> {
    let text = if given.trim_start().starts_with('{') {
        given.to_owned()
    } else {
        let named = |error| io::Error::new(io::Error::kind(&error), format!("{given}: {error}"));
        fs::read_to_string(Path::new(given)).map_err(named)?
    };
    serde_json::from_str(&text).map_err(|error| invalid(format!("{name}: {error}")))
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}
