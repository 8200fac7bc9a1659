//! `carom explain`: why two shapes overlap, touch or stay apart.

use std::fs;
use std::io::{self, Write};

use carom::draw::{Color, Drawing, SatDiagram};
use carom::prelude::*;
use carom::shape::repr::unknown_name;
use carom_files::scene::BuiltScene;

use crate::arguments::{self, invalid};
use crate::picture;

/// What the long help says after the options.
pub const HELP: &str = r#"Two shapes, as JSON or as files that hold them; or two bodies of a scene, by name:
  carom explain '{"type":"rect","center":[0,0],"half":[2,1],"angle":0.3}' \
                '{"type":"circle","center":[3,1.5],"radius":1}' --png axes.png
  carom explain scenes/seams.json ball "tile 3" --svg axes.svg

Two convex shapes are apart exactly if their shadows on some axis have a gap between them; the only
axes that can show it are the normals of edges, and the line between the closest corners or centres.
A shape made of parts (polygon, chain, compound, tiles) is explained part by part: ask about one."#;

/// Which shapes, and where the picture goes.
#[derive(clap::Args)]
pub struct Options {
    /// Two shapes, or a scene and two of its bodies
    #[arg(required = true, num_args = 1..=3, value_name = "SHAPE|SCENE")]
    what: Vec<String>,
    #[command(flatten)]
    picture: picture::Files,
}

/// Explains two shapes in words and numbers, and as a picture if one is asked for.
///
/// # Errors
/// Where a shape cannot be read or is made of parts, and where writing fails.
pub fn run(options: &Options, out: &mut impl Write) -> io::Result<()> {
    let [a, b] = match &options.what[..] {
        [a, b] => [Named::read("A", a)?, Named::read("B", b)?],
        [scene, bodies @ ..] => Named::of_scene(scene, bodies)?,
        [] => return Err(invalid("there is nothing to explain")),
    };
    let Some(drawn) = SatDiagram::new(&a.shape, &b.shape) else {
        let is_bad = |named: &&Named| named.shape.explain(&named.shape).is_none();
        let Named { name, shape } = [&a, &b].into_iter().find(is_bad).unwrap_or(&a);
        let kind = shape.kind();
        return Err(invalid(format!(
            "{name} is a {kind}, which is made of parts; explain takes convex shapes: ask about one part"
        )));
    };
    let explanation = drawn.explanation();
    let told = [("A", &a), ("B", &b)].map(|(letter, named)| named.told(letter));
    writeln!(out, "{}\n{}\n\n{explanation}", told[0], told[1])?;
    if let Some(contact) = a.shape.contact(&b.shape) {
        let (depth, push) = (contact.depth, contact.push);
        writeln!(
            out,
            "\nA is out again after a push by ({}, {}); the depth is {depth}",
            push.x, push.y
        )?;
    } else {
        writeln!(out, "\nThe distance is {}", a.shape.distance(&b.shape))?;
    }
    options.picture.write(|| {
        let mut canvas = Drawing::new(drawn.view());
        drawn.draw(&mut canvas);
        let [a, b] = told;
        canvas.add_legend(Color::BLUE, a);
        canvas.add_legend(Color::ORANGE, b);
        canvas.add_legend(Color::GREEN, "gap");
        canvas.add_legend(Color::VERMILION, "overlap");
        canvas
    })?;
    for path in options.picture.iter() {
        writeln!(out, "\nDrawn: {}", path.display())?;
    }
    Ok(())
}

/// A shape, and what it is called.
struct Named {
    name: String,
    shape: Shape,
}

impl Named {
    /// A shape from JSON, or from a file if it does not look like JSON.
    fn read(name: &str, given: &str) -> io::Result<Self> {
        let text = if given.trim_start().starts_with('{') {
            given.to_owned()
        } else {
            let named =
                |error| io::Error::new(io::Error::kind(&error), format!("{given}: {error}"));
            fs::read_to_string(given).map_err(named)?
        };
        let shape =
            serde_json::from_str(&text).map_err(|error| invalid(format!("{name}: {error}")))?;
        Ok(Self { name: name.to_owned(), shape })
    }

    /// Two bodies of a scene: those of the names, or the only two that there are.
    fn of_scene(path: &str, names: &[String]) -> io::Result<[Self; 2]> {
        let scene = arguments::scene(path)?.expand_crowds(0);
        let BuiltScene { world, bodies, .. } = scene.build().map_err(invalid)?;
        let all: Vec<&str> = scene.bodies.iter().map(|body| body.name.as_str()).collect();
        let [a, b] = match (names, &all[..]) {
            ([a, b], _) => [a.as_str(), b],
            ([], &[a, b]) => [a, b],
            _ => {
                let list = all.join(", ");
                return Err(invalid(format!("{path}: name two of its bodies: {list}")));
            }
        };
        let find = |name: &str| {
            let i = all.iter().position(|other| *other == name);
            let i =
                i.ok_or_else(|| invalid(format!("{path}: {}", unknown_name("body", name, &all))))?;
            let mut colliders = world.colliders().filter(|c| c.body_key() == bodies[i]);
            let (Some(only), None) = (colliders.next(), colliders.next()) else {
                return Err(invalid(format!("{path}: {name} must have one collider, not several")));
            };
            Ok(Self { name: name.to_owned(), shape: only.placed().to_shape() })
        };
        Ok([find(a)?, find(b)?])
    }

    /// What it is, for people.
    fn told(&self, letter: &str) -> String {
        let (name, kind) = (&self.name, self.shape.kind());
        if name == letter {
            format!("{letter}: {kind}")
        } else {
            format!("{letter}: {name}, {kind}")
        }
    }
}
