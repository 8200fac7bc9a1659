//! A shape as the numbers that define it (for the oracle) and as Rust (for the reader).

use std::fmt::Write as _;

use carom::prelude::*;

use super::scene::Part;

/// The shape as parts. A placed shape is defined by its `f32` vertices.
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

/// Whether rounding has flattened a full tile of a level map, or a pixel of a level mask, onto the
/// side of one in its row. Those of a row are one box, so this is no line of its own that could be
/// crossed.
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

/// The points that define a shape, without its radii.
pub fn points(shape: &Shape) -> Vec<Vec2> {
    let round = |p: &[f64; 2]| Vec2::new(p[0] as f32, p[1] as f32);
    let lists = parts(shape).into_iter().flat_map(|part| match part {
        Part::Convex { points, .. } | Part::Line { points, .. } => vec![points],
        Part::Outline { rings } => rings,
    });
    lists.flatten().map(|p| round(&p)).collect()
}

/// The largest radius in a shape.
pub fn radius(shape: &Shape) -> f32 {
    let radii = parts(shape).into_iter().map(|part| match part {
        Part::Convex { radius, .. } => radius as f32,
        _ => 0.0,
    });
    radii.fold(0.0, f32::max)
}

/// The shape as an expression to paste into a test.
pub fn source(shape: &Shape) -> String {
    match shape {
        Shape::Point(s) => format!("Point::new({})", vec(s.position())),
        Shape::Segment(s) => format!("Segment::new({}, {})", vec(s.a()), vec(s.b())),
        Shape::Circle(s) => format!("Circle::new({}, {:?})", vec(s.center()), s.radius()),
        Shape::Ellipse(s) => {
            let (center, radii) = (vec(s.center()), vec(s.radii()));
            format!("Ellipse::new({center}, {radii}, {:?})", s.angle())
        }
        Shape::Capsule(s) => {
            format!("Capsule::new({}, {}, {:?})", vec(s.a()), vec(s.b()), s.radius())
        }
        Shape::Aabb(s) => format!("Aabb::new({}, {})", vec(s.min()), vec(s.max())),
        Shape::Obb(s) => {
            format!("Obb::new({}, {}, {:?})", vec(s.center()), vec(s.half_size()), s.angle())
        }
        Shape::Triangle(s) => {
            let corners: Vec<String> = s.points().iter().map(|&p| vec(p)).collect();
            format!("Triangle::new({})", corners.join(", "))
        }
        Shape::ConvexPolygon(s) if s.radius() > 0.0 => {
            format!("ConvexPolygon::rounded(&{}, {:?})", list(s.points()), s.radius())
        }
        Shape::ConvexPolygon(s) => format!("ConvexPolygon::new(&{})", list(s.points())),
        Shape::Polygon(s) => {
            let holes: Vec<String> = s.holes().map(|h| format!("vec!{}", list(h))).collect();
            match &holes[..] {
                [] => format!("Polygon::new(&{})", list(s.outer())),
                _ => format!("Polygon::with_holes(&{}, &[{}])", list(s.outer()), holes.join(", ")),
            }
        }
        Shape::Chain(s) => {
            let name = if s.is_closed() { "closed" } else { "new" };
            let one_sided = if s.is_one_sided() { ".one_sided()" } else { "" };
            format!("Chain::{name}(&{}){one_sided}", list(s.points()))
        }
        Shape::Compound(s) => {
            let parts = s.parts().iter().fold(String::new(), |mut all, part| {
                write!(all, "Shape::from({}), ", source(part)).expect("strings never fail");
                all
            });
            format!("Compound::new([{}])", parts.trim_end_matches(", "))
        }
        Shape::TileMap(s) => tiles(s),
        Shape::Mask(s) => {
            let (origin, rows) = (vec(s.origin()), s.bitmap().to_rows());
            let changes = changes(s.flip(), s.pose());
            format!("Mask::from_rows({origin}, {:?}, &{rows:?}){changes}", s.pixel())
        }
        _ => format!("{shape:?}"),
    }
}

fn tiles(map: &TileMap) -> String {
    let letter = |number: u16| match number {
        0 => '.',
        1 => '#',
        _ => char::from(b'a' + (number - 2) as u8),
    };
    let row = |row| -> String { (0..map.columns()).map(|x| letter(map.get([x, row]))).collect() };
    let rows: Vec<String> = (0..map.rows()).map(row).collect();
    let legend = map.kinds().iter().enumerate().skip(1).map(|(number, kind)| {
        let form = if kind.is_solid() {
            "TileKind::SOLID".into()
        } else if let [a, b] = *kind.points() {
            format!("TileKind::one_way_line({}, {})", vec(a), vec(b))
        } else {
            format!("TileKind::convex(&{})", list(kind.points()))
        };
        format!("({:?}, {form})", letter(number as u16))
    });
    let legend = legend.collect::<Vec<_>>().join(", ");
    let (origin, tile) = (vec(map.origin()), vec(map.tile()));
    let changes = changes(map.flip(), map.pose());
    format!("TileMap::from_rows({origin}, {tile}, &{rows:?}, &[{legend}]){changes}")
}

/// How a grid has been mirrored and placed.
fn changes(mirror: Flip, pose: &Pose) -> String {
    let placed = format!(
        ".transformed(&Pose::new({}, {:?}).with_scale({:?}))",
        vec(pose.position),
        pose.rotation.angle(),
        pose.scale
    );
    let placed = if *pose == Pose::IDENTITY { "" } else { &placed };
    let mirrored = match mirror {
        Flip::NONE => String::new(),
        Flip { x, y } => format!(".flipped(Flip {{ x: {x}, y: {y} }})"),
    };
    mirrored + placed
}

fn vec(v: Vec2) -> String {
    format!("[{:?}, {:?}]", v.x, v.y)
}

fn list(points: &[Vec2]) -> String {
    format!("[{}]", points.iter().map(|&p| vec(p)).collect::<Vec<_>>().join(", "))
}
