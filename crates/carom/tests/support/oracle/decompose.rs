//! Shapes as the numbers that define them.

use carom::prelude::*;

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

/// Returns whether rounding has flattened a full tile of an axis-aligned map, or a pixel of such a mask, onto the
/// side of another in its row. The tiles of a row form one box, so a flattened one is not a separate line.
fn is_side_of_another(cell: Cell, columns: u32, shape: impl Fn(Cell) -> Option<Shape>) -> bool {
    let full = |column: u32| match shape(Cell { column, ..cell })? {
        Shape::Aabb(tile) => Some(tile.min().cmplt(tile.max()).all()),
        _ => None,
    };
    let left = (0..cell.column).rev().map_while(full);
    let right = (cell.column + 1..columns).map_while(full);
    full(cell.column) == Some(false) && left.chain(right).any(|has_area| has_area)
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
