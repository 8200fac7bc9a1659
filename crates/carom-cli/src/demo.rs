//! A tour on a built-in scene: one shape of each kind, and what the questions say about them.

use std::fmt;
use std::io::{self, Write};

use carom::prelude::*;

/// A little level, y up.
fn scene() -> Vec<(&'static str, Shape)> {
    let cave = [[14.0, 0.0], [19.0, 0.0], [19.0, 4.0], [14.0, 4.0]];
    let room = vec![[15.0, 1.0], [18.0, 1.0], [17.5, 3.0], [15.5, 3.0]];
    let cart = [
        Shape::from(Aabb::new([20.0, 0.5], [23.0, 1.5])),
        Circle::new([20.5, 0.4], 0.4).into(),
        Circle::new([22.5, 0.4], 0.4).into(),
    ];
    let (stairs, legend) = (["####", ".###", "..##"], [('#', TileKind::SOLID)]); // rows go up
    vec![
        ("hero", Capsule::new([3.0, 0.4], [3.0, 1.4], 0.5).into()),
        ("shield", Ellipse::new([3.7, 1.0], [0.3, 0.9], 0.1).into()),
        ("ball", Circle::new([7.0, 1.0], 1.0).into()),
        ("crate", Rect::new([8.2, 0.7], [0.5, 0.5], 0.3).into()),
        ("spike", Triangle::new([10.0, 0.0], [12.0, 0.0], [11.0, 2.0]).into()),
        (
            "gem",
            ConvexPolygon::rounded(&[[10.5, 4.0], [11.0, 3.4], [11.5, 4.0], [11.0, 4.6]], 0.1)
                .into(),
        ),
        ("cave", Polygon::with_holes(&cave, &[room]).into()),
        ("bat", Point::new([16.5, 2.0]).into()),
        ("laser", Segment::new([0.0, 3.0], [24.0, 4.5]).into()),
        ("cart", Compound::new(cart).into()),
        ("hills", Chain::new(&[[-8.0, 1.0], [-5.0, 3.0], [-2.0, 2.0], [0.0, 0.0]]).into()),
        ("floor", Aabb::new([0.0, -1.0], [24.0, 0.0]).into()),
        ("stairs", TileMap::from_rows([24.0, -1.0], [1.0, 1.0], &stairs, &legend).into()),
    ]
}

/// Writes the tour.
///
/// # Errors
/// Where writing fails.
pub fn show(out: &mut impl Write) -> io::Result<()> {
    let scene = scene();
    writeln!(out, "The scene")?;
    for (name, shape) in &scene {
        let bounds = shape.bounds();
        let (kind, min, max) = (shape.kind(), Xy(bounds.min()), Xy(bounds.max()));
        writeln!(out, "  {name:<7} {kind:<14} {min} to {max}")?;
    }

    writeln!(out, "\nWhat touches what")?;
    for (i, (name, shape)) in scene.iter().enumerate() {
        for (other_name, other) in &scene[i + 1..] {
            let Some(contact) = shape.contact(other) else { continue };
            write!(out, "  {name:<7} ")?;
            if shape.overlaps(other) {
                let (depth, push) = (contact.depth, Xy(contact.push));
                writeln!(out, "overlaps {other_name:<7} depth {depth:.3}, pushed out by {push}")?;
            } else {
                writeln!(out, "touches  {other_name:<7} at {}", Xy(contact.points[0]))?;
            }
        }
    }

    writeln!(out, "\nWhat stands free, and what is nearest")?;
    for (i, (name, shape)) in scene.iter().enumerate() {
        let others = scene.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, other)| other);
        let nearest = others.min_by(|a, b| shape.distance(&a.1).total_cmp(&shape.distance(&b.1)));
        let Some((other_name, other)) = nearest else { continue };
        let closest = shape.closest_points(other);
        if closest.distance > 0.0 {
            let (distance, at) = (closest.distance, Xy(closest.on_b));
            writeln!(out, "  {name:<7} {distance:.3} to {other_name} at {at}")?;
        }
    }

    writeln!(out, "\nA ray from (0, 1) to the right")?;
    let ray = Ray::new([0.0, 1.0], [1.0, 0.0], 100.0);
    for (name, shape) in &scene {
        if let Some(hit) = shape.raycast(&ray) {
            let (distance, exit, normal) = (hit.distance, hit.exit, Xy(hit.normal));
            writeln!(out, "  {name:<7} from {distance:.3} to {exit:.3}, normal {normal}")?;
        }
    }

    writeln!(out, "\nA stone of radius 0.2 falls from (x, 3) to (x, -2)")?;
    for x in [-4.0, 3.5, 7.5, 11.0, 16.5, 21.0, 25.0] {
        let stone = Circle::new([x, 3.0], 0.2);
        let hits =
            scene.iter().filter_map(|(name, shape)| Some((name, stone.sweep([0.0, -5.0], shape)?)));
        match hits.min_by(|a, b| a.1.time.total_cmp(&b.1.time)) {
            Some((name, hit)) => writeln!(
                out,
                "  x = {x:<5} meets {name:<6} at time {:.3}, point {}, normal {}",
                hit.time,
                Xy(hit.point),
                Xy(hit.normal)
            )?,
            None => writeln!(out, "  x = {x:<5} meets nothing")?,
        }
    }
    writeln!(out, "\nAsk your own questions: carom query --help")
}

/// A vector for people: three digits, no negative zero.
struct Xy(Vec2);

impl fmt::Display for Xy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y] = self.0.to_array().map(|v| (f64::from(v) * 1000.0).round() / 1000.0 + 0.0);
        write!(f, "({x}, {y})")
    }
}
