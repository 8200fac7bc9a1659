//! Shapes as Rust expressions, to paste a failed case into a test.

use std::fmt::Write as _;

use carom::prelude::*;

/// Returns the shape as an expression to paste into a test.
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

/// Returns the calls that flip and transform a grid.
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
