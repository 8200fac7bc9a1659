//! Shapes as the numbers that define them.

use carom::prelude::*;

use super::depth::length;
use super::exact_pair::Part;

/// Returns the shape as parts. A placed shape is defined by its `f32` vertices.
pub fn parts(shape: &Shape) -> Vec<Part> {
    let convex = |points: &[Vec2], radius: f32| {
        vec![Part::Convex { points: exact(points), radius: radius.into() }]
    };
    let line = |points: &[Vec2], closed| vec![Part::Line { points: exact(points), closed }];
    match shape {
        Shape::Point(s) => convex(&[s.position()], 0.0),
        Shape::Segment(s) => line(&[s.a(), s.b()], false),
        Shape::Circle(s) => convex(&[s.center()], s.radius()),
        Shape::Ellipse(s) => convex(s.points(), 0.0),
        Shape::Capsule(s) => convex(&[s.a(), s.b()], s.radius()),
        Shape::Aabb(s) => {
            let (min, max) = (s.min(), s.max());
            convex(&[min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)], 0.0)
        }
        Shape::Obb(s) => convex(s.corners(), 0.0),
        Shape::Triangle(s) => convex(s.points(), 0.0),
        Shape::ConvexPolygon(s) => convex(s.points(), s.radius()),
        Shape::Polygon(s) => {
            let rings = [s.outer()].into_iter().chain(s.holes());
            vec![Part::Outline { rings: rings.map(exact).collect() }]
        }
        Shape::Chain(s) => line(s.points(), s.is_closed()),
        Shape::Compound(s) => s.parts().iter().flat_map(parts).collect(),
        Shape::TileMap(s) => {
            let tile = |cell: Cell| s.tile_shape(cell);
            let tiles = s.tiles().filter(|&cell| !is_side_of_another(cell, s.columns(), tile));
            tiles.filter_map(tile).flat_map(|tile| parts(&tile)).collect()
        }
        Shape::Mask(s) => {
            let (bitmap, square) = (s.bitmap(), |pixel: Cell| s.pixel_shape(pixel));
            let pixels =
                bitmap.pixels().filter(|&it| !is_side_of_another(it, bitmap.width(), square));
            pixels.filter_map(square).flat_map(|square| parts(&square)).collect()
        }
        _ => panic!("the oracle does not know {} yet", shape.kind()),
    }
}

/// Returns `true` if rounding has flattened a full tile of an axis-aligned map, or a pixel of such a mask, onto
/// the side of another in its row. The tiles of a row form one box, so a flattened one is not a separate line.
fn is_side_of_another(cell: Cell, columns: u32, shape: impl Fn(Cell) -> Option<Shape>) -> bool {
    let full = |column: u32| match shape(Cell { column, ..cell })? {
        Shape::Aabb(tile) => Some(tile.min().cmplt(tile.max()).all()),
        _ => None,
    };
    let left = (0..cell.column).rev().map_while(full);
    let right = (cell.column + 1..columns).map_while(full);
    full(cell.column) == Some(false) && left.chain(right).any(|has_area| has_area)
}

/// The part of a shape that something with a given motion can hit: without the one-sided segments that it
/// approaches from behind or along. Every segment that is left blocks this motion like an ordinary one.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // one value per case, which is matched at once
pub enum Facing {
    Part(Shape),
    Nothing,
    /// The motion is so nearly parallel to a one-sided segment that rounding decides.
    Uncertain,
}

/// Returns the part of a shape that faces a motion of something else.
pub fn facing(shape: &Shape, motion: Vec2) -> Facing {
    // A motion faces a segment if it crosses it from its front, so against the direction `front`.
    let faces = |[from, to]: [[f64; 2]; 2], front: [f64; 2], rounded: &[[f64; 2]]| {
        let along = [to[0] - from[0], to[1] - from[1]];
        let across = |v: [f64; 2]| along[0] * v[1] - along[1] * v[0];
        let motion = [motion.x.into(), motion.y.into()];
        // The ends follow from rounded points, so their line may be rotated by a few units in the last place.
        let largest = rounded.as_flattened().iter().fold(0.0, |max: f64, x| max.max(x.abs()));
        let ulp = (f64::from(f32::EPSILON) * largest).max(f64::from(f32::from_bits(1)));
        let rounding = 1e-6 * length(along) + 4.0 * ulp;
        let is_certain = |v: [f64; 2]| across(v).abs() > rounding * length(v);
        // Along an axis, rounding keeps a motion parallel to a segment.
        let is_along_axis = across(motion) == 0.0 && along.contains(&0.0);
        if !is_certain(front) || !(is_certain(motion) || is_along_axis) {
            return None;
        }
        Some(across(motion) * across(front) < 0.0)
    };
    match shape {
        Shape::Chain(chain) if chain.is_one_sided() => {
            let mut runs: Vec<Vec<Vec2>> = vec![Vec::new()];
            for (from, to) in chain.segments() {
                let (ends, along) = ([from, to].map(|end| exact(&[end])[0]), to - from);
                let front = [-f64::from(along.y), along.x.into()];
                let Some(faces) = faces(ends, front, &ends) else { return Facing::Uncertain };
                if !faces {
                    runs.push(Vec::new());
                    continue;
                }
                let run = runs.last_mut().expect("there is always a run");
                if run.is_empty() {
                    run.push(from);
                }
                run.push(to);
            }
            let runs = runs.iter().filter_map(|run| Chain::try_new(run).ok());
            compound(runs.map(Shape::from).collect())
        }
        Shape::TileMap(map) => {
            let mut left = map.clone();
            for cell in map.tiles().filter(|cell| map.kind(*cell).is_one_way()) {
                // In the tile's own coordinates the front is on the left. The placement may mirror it.
                let corners = exact(&map.cell_corners(cell));
                let place = |[x, y]: [f64; 2]| {
                    [0, 1].map(|i| {
                        let (low, right, up) = (corners[0][i], corners[1][i], corners[3][i]);
                        low + (right - low) * x + (up - low) * y
                    })
                };
                let [from, to] = [0, 1].map(|i| exact(&map.kind(cell).points()[i..])[0]);
                let beside = [from[0] - (to[1] - from[1]), from[1] + (to[0] - from[0])];
                let front = [0, 1].map(|i| place(beside)[i] - place(from)[i]);
                match faces([place(from), place(to)], front, &corners) {
                    Some(true) => {}
                    Some(false) => drop(left.set(cell, TileMap::EMPTY)),
                    None => return Facing::Uncertain,
                }
            }
            let is_empty = left.tiles().next().is_none();
            if is_empty { Facing::Nothing } else { Facing::Part(left.into()) }
        }
        Shape::Compound(all) => {
            let mut left = Vec::new();
            for part in all.parts() {
                match facing(part, motion) {
                    Facing::Part(part) => left.push(part),
                    Facing::Nothing => {}
                    Facing::Uncertain => return Facing::Uncertain,
                }
            }
            compound(left)
        }
        _ => Facing::Part(shape.clone()),
    }
}

fn compound(parts: Vec<Shape>) -> Facing {
    Compound::try_new(parts).map_or(Facing::Nothing, |parts| Facing::Part(parts.into()))
}

fn exact(points: &[Vec2]) -> Vec<[f64; 2]> {
    points.iter().map(|p| [p.x.into(), p.y.into()]).collect()
}

/// Returns the points that define a shape, without its radii.
pub fn points(shape: &Shape) -> Vec<Vec2> {
    let round = |p: &[f64; 2]| Vec2::new(p[0] as f32, p[1] as f32);
    let lists = parts(shape).into_iter().flat_map(|part| match part {
        Part::Convex { points, .. } | Part::Line { points, .. } => vec![points],
        Part::Outline { rings } => rings,
    });
    lists.flatten().map(|p| round(&p)).collect()
}

/// Returns the largest radius in a shape.
pub fn radius(shape: &Shape) -> f32 {
    let radii = parts(shape).into_iter().map(|part| match part {
        Part::Convex { radius, .. } => radius as f32,
        _ => 0.0,
    });
    radii.fold(0.0, f32::max)
}
