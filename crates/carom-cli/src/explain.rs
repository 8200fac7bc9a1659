//! `carom explain`: the separating axis test of two shapes, as a table and as a diagram.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use carom::draw::{Color, Drawing, SatDiagram};
use carom::prelude::*;
use carom::query::{ExplainedAxis, Explanation};
use carom::shape::repr::unknown_name;
use carom_files::FileError;
use carom_files::scene::BuiltScene;
use serde_json::json;

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
The axis marked > has the greatest gap, and decides; a loop may stop at the first gap, which is
labelled.

Shapes that are not convex (polygon, chain, compound, tiles, mask) are explained one convex part at
a time. Append # and the number of the part: in a scene, level#4 is the fifth convex part of the
body `level`; level.json#4 is that of the shape in a file, and '{"type":"chain", ...}#4' that of a
shape.

With --json, the output is one object: `a` and `b` (name and kind), `relation`, `axes` (one per
direction, as in the table), the indices `deciding` and `early_exit` (null without a gap), `contact`
(null if the shapes are disjoint) and `distance`."#;

/// The options of `carom explain`.
#[derive(clap::Args)]
pub struct Options {
    /// Two shapes, or a scene and two of its bodies
    #[arg(required = true, num_args = 1..=3, value_name = "SHAPE|SCENE")]
    what: Vec<String>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    images: ImageOutputs,
}

/// Explains the relation of two shapes.
///
/// # Errors
/// Returns an error if a shape cannot be read or is not convex, or if writing fails.
pub fn run(options: &Options, out: &mut impl Write) -> io::Result<()> {
    let [a, b] = match &options.what[..] {
        [a, b] if !is_scene(a) => [NamedShape::read("A", a)?, NamedShape::read("B", b)?],
        [scene, bodies @ ..] if !is_json(scene) => NamedShape::from_scene(scene, bodies)?,
        _ => return Err(input_error("expected two shapes, or a scene and two of its bodies")),
    };
    let Some(diagram) = SatDiagram::new(&a.shape, &b.shape) else {
        let is_composite = |named: &&NamedShape| named.shape.explain(&named.shape).is_none();
        let NamedShape { name, shape } = [&a, &b].into_iter().find(is_composite).unwrap_or(&a);
        return Err(input_error(format_args!(
            "{name} is a {}, which is not convex; pass one of its convex parts{}",
            shape.kind(),
            match convex_parts(shape).count() {
                0 => String::new(),
                count => format!(": append #0 to #{}", count - 1),
            }
        )));
    };
    let [about_a, about_b] = [("A", &a), ("B", &b)].map(|(letter, named)| named.describe(letter));
    if options.json {
        write_json(diagram.explanation(), &a, &b, out)?;
    } else {
        writeln!(out, "{about_a}\n{about_b}\n\n{}\n", diagram.explanation())?;
        match a.shape.contact(&b.shape) {
            Some(Contact { depth: 0.0, .. }) => writeln!(out, "The shapes touch")?,
            Some(Contact { depth, push, .. }) => writeln!(
                out,
                "Penetration depth {depth}; moving A by ({}, {}) separates the shapes",
                push.x, push.y
            )?,
            None => writeln!(out, "Distance {}", a.shape.distance(&b.shape))?,
        }
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
    for path in options.images.iter().filter(|_| !options.json) {
        writeln!(out, "Wrote {}", path.display())?;
    }
    Ok(())
}

/// Writes the result as one JSON object.
fn write_json(
    explanation: &Explanation,
    a: &NamedShape,
    b: &NamedShape,
    out: &mut impl Write,
) -> io::Result<()> {
    let directions = explanation.directions();
    let index_of = |axis: &ExplainedAxis| directions.iter().position(|other| *other == axis);
    let axes: Vec<_> = directions
        .iter()
        .map(|row| {
            let ExplainedAxis { source, axis, projection_a, projection_b, gap, .. } = row;
            let source = source.to_string();
            json!({
                "source": source, "axis": axis,
                "projection_a": projection_a, "projection_b": projection_b, "gap": gap,
            })
        })
        .collect();
    let [named_a, named_b] =
        [a, b].map(|named| json!({"name": named.name, "kind": named.shape.kind()}));
    let report = json!({
        "a": named_a,
        "b": named_b,
        "relation": explanation.relation.to_string(),
        "axes": axes,
        "deciding": index_of(explanation.deciding()),
        "early_exit": explanation.early_exit().and_then(index_of),
        "contact": a.shape.contact(&b.shape),
        "distance": a.shape.distance(&b.shape),
    });
    writeln!(out, "{report}")
}

/// Returns `true` if an argument is JSON, and not the name of a file.
fn is_json(argument: &str) -> bool {
    argument.trim_start().starts_with('{')
}

/// Returns `true` if an argument is the name of a file with a scene.
fn is_scene(argument: &str) -> bool {
    let text = fs::read_to_string(argument).unwrap_or_default();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    json.get("bodies").is_some()
}

/// A shape, and the name that messages use for it.
struct NamedShape {
    name: String,
    shape: Shape,
}

impl NamedShape {
    /// Reads a shape from JSON, or from a file if the argument does not start like JSON. A suffix
    /// `#NUMBER` selects one of its convex parts, unless a file has that name.
    fn read(name: &str, argument: &str) -> io::Result<Self> {
        let is_json = is_json(argument);
        let (argument, part) = match argument.rsplit_once('#') {
            Some((shape, part)) if !is_json && !Path::new(argument).exists() => (shape, Some(part)),
            Some((shape, part)) if is_json && shape.trim_end().ends_with('}') => {
                (shape, Some(part))
            }
            _ => (argument, None),
        };
        let text = if is_json {
            argument.to_owned()
        } else {
            let path = argument.into();
            fs::read_to_string(argument)
                .map_err(|error| args::file_error(FileError::Read { path, error }))?
        };
        let shape: Shape = serde_json::from_str(&text).map_err(|error| {
            let path = if is_json { name } else { argument }.into();
            args::file_error(FileError::Invalid { path, errors: error.into() })
        })?;
        let Some(part) = part else { return Ok(Self { name: name.to_owned(), shape }) };
        let selected = part.parse().ok().and_then(|part| convex_parts(&shape).nth(part));
        let shape = selected.ok_or_else(|| {
            let count = convex_parts(&shape).count();
            let parts = if count == 1 { "part" } else { "parts" };
            input_error(format_args!("{name} has {count} convex {parts}; there is no part #{part}"))
        })?;
        Ok(Self { name: format!("{name}#{part}"), shape })
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
            let parts = || shapes.iter().flat_map(convex_parts);
            let count = parts().count();
            let shape = match (part, &shapes[..]) {
                (Some(part), _) => parts().nth(part),
                (None, [only]) if count == 1 => Some(only.clone()),
                _ => None,
            };
            match (shape, count) {
                (Some(shape), _) => Ok(Self { name: name.to_owned(), shape }),
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

/// Iterates over the convex parts of a shape: tiles of a map, set pixels of a mask.
fn convex_parts(shape: &Shape) -> Box<dyn Iterator<Item = Shape> + '_> {
    match shape {
        Shape::Compound(compound) => Box::new(compound.parts().iter().flat_map(convex_parts)),
        Shape::Polygon(polygon) => Box::new(polygon.convex_parts().cloned().map(Shape::from)),
        Shape::TileMap(map) => Box::new(map.tiles().filter_map(|cell| map.tile_shape(cell))),
        Shape::Mask(mask) => {
            Box::new(mask.bitmap().pixels().filter_map(|pixel| mask.pixel_shape(pixel)))
        }
        Shape::Chain(chain) => {
            let points = chain.points();
            let next = points.iter().cycle().skip(1);
            let count = if chain.is_closed() { points.len() } else { points.len() - 1 };
            Box::new(points.iter().zip(next).take(count).map(|(&a, &b)| Segment::new(a, b).into()))
        }
        convex => Box::new(std::iter::once(convex.clone())),
    }
}
