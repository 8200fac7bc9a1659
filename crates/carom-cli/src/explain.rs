//! `carom explain`: the separating axis test of two shapes, as a table and as a diagram.

use std::fs;
use std::io::{self, Write};

use carom::draw::{Color, Drawing, SatDiagram};
use carom::prelude::*;
use carom::shape::repr::unknown_name;
use carom_files::scene::BuiltScene;

use crate::args::{self, input_error};
use crate::render::ImageOutputs;

/// The help text after the options.
pub const HELP: &str = r#"Pass two shapes, as JSON or as names of files with JSON, or a scene and two of its bodies:
  carom explain '{"type":"rect","center":[0,0],"half":[2,1],"angle":0.3}' \
                '{"type":"circle","center":[3,1.5],"radius":1}' --png axes.png
  carom explain scenes/seams.json ball "tile 3" --svg axes.svg

Two convex shapes are disjoint if and only if their projections onto some axis are (separating axis
theorem). Only edge normals and the line through the closest vertices or centers need testing. The
table and the diagram have one row per direction, with the gap or overlap of the two projections.

Shapes that are not convex (polygon, chain, compound, tiles) are explained one convex part at a time:
in a scene, level#4 is the fifth convex part of the body `level`."#;

/// The options of `carom explain`.
#[derive(clap::Args)]
pub struct Options {
    /// Two shapes, or a scene and two of its bodies
    #[arg(required = true, num_args = 1..=3, value_name = "SHAPE|SCENE")]
    what: Vec<String>,
    #[command(flatten)]
    images: ImageOutputs,
}

/// Explains the relation of two shapes.
///
/// # Errors
/// Returns an error if a shape cannot be read or is not convex, or if writing fails.
pub fn run(options: &Options, out: &mut impl Write) -> io::Result<()> {
    let [a, b] = match &options.what[..] {
        [a, b] => [NamedShape::read("A", a)?, NamedShape::read("B", b)?],
        [scene, bodies @ ..] => NamedShape::from_scene(scene, bodies)?,
        [] => return Err(input_error("expected two shapes or a scene")),
    };
    let Some(diagram) = SatDiagram::new(&a.shape, &b.shape) else {
        let is_composite = |named: &&NamedShape| named.shape.explain(&named.shape).is_none();
        let NamedShape { name, shape } = [&a, &b].into_iter().find(is_composite).unwrap_or(&a);
        return Err(input_error(format_args!(
            "{name} is a {}, which is not convex; pass one of its convex parts",
            shape.kind()
        )));
    };
    let [about_a, about_b] = [("A", &a), ("B", &b)].map(|(letter, named)| named.describe(letter));
    writeln!(out, "{about_a}\n{about_b}\n\n{}\n", diagram.explanation())?;
    match a.shape.contact(&b.shape) {
        Some(Contact { depth, push, .. }) => writeln!(
            out,
            "Penetration depth {depth}; moving A by ({}, {}) separates the shapes",
            push.x, push.y
        )?,
        None => writeln!(out, "Distance {}", a.shape.distance(&b.shape))?,
    }
    options.images.write(|| {
        let mut drawing = Drawing::new(diagram.view());
        diagram.draw(&mut drawing);
        drawing.add_legend(Color::BLUE, about_a);
        drawing.add_legend(Color::ORANGE, about_b);
        drawing.add_legend(Color::GREEN, "gap");
        drawing.add_legend(Color::VERMILION, "overlap");
        drawing
    })?;
    for path in options.images.iter() {
        writeln!(out, "Wrote {}", path.display())?;
    }
    Ok(())
}

/// A shape, and the name that messages use for it.
struct NamedShape {
    name: String,
    shape: Shape,
}

impl NamedShape {
    /// Reads a shape from JSON, or from a file if the argument does not start like JSON.
    fn read(name: &str, argument: &str) -> io::Result<Self> {
        let text = if argument.trim_start().starts_with('{') {
            argument.to_owned()
        } else {
            let with_path =
                |error| io::Error::new(io::Error::kind(&error), format!("{argument}: {error}"));
            fs::read_to_string(argument).map_err(with_path)?
        };
        let shape = serde_json::from_str(&text)
            .map_err(|error| input_error(format_args!("{name}: {error}")))?;
        Ok(Self { name: name.to_owned(), shape })
    }

    /// Returns the shapes of two bodies of a scene. Without names, the scene must have exactly two bodies.
    fn from_scene(path: &str, names: &[String]) -> io::Result<[Self; 2]> {
        let scene = args::scene(path)?.expand_crowds(0);
        let BuiltScene { world, bodies, .. } = scene.build().map_err(input_error)?;
        let known: Vec<&str> = scene.bodies.iter().map(|body| body.name.as_str()).collect();
        let [a, b] = match (names, &known[..]) {
            ([a, b], _) => [a.as_str(), b],
            ([], &[a, b]) => [a, b],
            _ => {
                let list = known.join(", ");
                return Err(input_error(format_args!("{path}: name two of its bodies: {list}")));
            }
        };
        let find = |name: &str| {
            // `NAME#PART` selects a convex part, unless a body has that name.
            let index_of = |name: &str| known.iter().position(|other| *other == name);
            let (body, part) = match (index_of(name), name.rsplit_once('#')) {
                (None, Some((body, part))) => (body, part.parse::<usize>().ok()),
                _ => (name, None),
            };
            let i = index_of(body).ok_or_else(|| unknown_name("body", name, &known))?;
            let colliders = world.colliders().filter(|collider| collider.body_key() == bodies[i]);
            let shapes: Vec<Shape> =
                colliders.map(|collider| collider.placed().to_shape()).collect();
            let parts: Vec<Shape> = shapes.iter().flat_map(convex_parts).collect();
            let shape = match (part, &shapes[..]) {
                (Some(part), _) => parts.get(part),
                (None, [only]) if parts.len() == 1 => Some(only),
                _ => None,
            };
            match (shape, parts.len()) {
                (Some(shape), _) => Ok(Self { name: name.to_owned(), shape: shape.clone() }),
                (None, 0) => Err(format!("{body} has no convex parts")),
                (None, count) => Err(format!(
                    "{body} has {count} convex parts; name one of them, from {body}#0 to {body}#{}",
                    count - 1
                )),
            }
        };
        let find = |name| find(name).map_err(|error| input_error(format_args!("{path}: {error}")));
        Ok([find(a)?, find(b)?])
    }

    /// Returns a line about the shape, for the output and the legend.
    fn describe(&self, letter: &str) -> String {
        let (name, kind) = (&self.name, self.shape.kind());
        if name == letter {
            format!("{letter}: {kind}")
        } else {
            format!("{letter}: {name}, {kind}")
        }
    }
}

/// Returns the convex parts of a shape. Masks have none, because their parts are pixels.
fn convex_parts(shape: &Shape) -> Vec<Shape> {
    match shape {
        Shape::Compound(compound) => compound.parts().iter().flat_map(convex_parts).collect(),
        Shape::Polygon(polygon) => polygon.convex_parts().cloned().map(Shape::from).collect(),
        Shape::TileMap(map) => map.tiles().filter_map(|cell| map.tile_shape(cell)).collect(),
        Shape::Chain(chain) => {
            let points = chain.points();
            let next = points.iter().cycle().skip(1);
            let count = if chain.is_closed() { points.len() } else { points.len() - 1 };
            points.iter().zip(next).take(count).map(|(&a, &b)| Segment::new(a, b).into()).collect()
        }
        Shape::Mask(_) => Vec::new(),
        convex => vec![convex.clone()],
    }
}
