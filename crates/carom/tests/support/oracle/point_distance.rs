//! The distance of a point from a shape, in `f64`: for laws whose tolerance is far larger than its rounding errors.

use super::depth::{length, segment_distance, sub};
use super::exact_pair::Part;

type P = [f64; 2];

/// Returns the distance, 0 inside. The error is a few ulps of an `f64` as large as the coordinates.
pub fn distance(parts: &[Part], point: P) -> f64 {
    parts.iter().map(|part| part_distance(part, point)).fold(f64::INFINITY, f64::min)
}

fn part_distance(part: &Part, point: P) -> f64 {
    match part {
        Part::Convex { points, radius } => {
            let rings = std::slice::from_ref(points);
            if is_inside(rings, point) {
                0.0
            } else {
                (ring_distance(points, point) - radius).max(0.0)
            }
        }
        Part::Outline { rings } if is_inside(rings, point) => 0.0,
        Part::Outline { rings } => {
            rings.iter().map(|ring| ring_distance(ring, point)).fold(f64::INFINITY, f64::min)
        }
        Part::Line { points, closed: true } => ring_distance(points, point),
        Part::Line { points, closed: false } => {
            sides_distance(points.windows(2).map(|w| [w[0], w[1]]), points, point)
        }
    }
}

fn ring_distance(ring: &[P], point: P) -> f64 {
    sides_distance(sides(ring), ring, point)
}

/// Returns the distance from edges and vertices; edges of length 0 count through their vertices.
fn sides_distance(sides: impl Iterator<Item = [P; 2]>, corners: &[P], point: P) -> f64 {
    let corners = corners.iter().map(|&p| length(sub(p, point)));
    let sides = sides.map(|[p, q]| segment_distance(point, p, q));
    corners.chain(sides).fold(f64::INFINITY, f64::min)
}

fn sides(ring: &[P]) -> impl Iterator<Item = [P; 2]> {
    ring.iter().zip(ring.iter().cycle().skip(1)).map(|(&p, &q)| [p, q])
}

/// Returns `true` if an odd number of edges lie to the right of a point.
fn is_inside(rings: &[Vec<P>], [x, y]: P) -> bool {
    let crossed = rings.iter().flat_map(|ring| sides(ring)).filter(|[p, q]| {
        (p[1] > y) != (q[1] > y) && x < p[0] + (q[0] - p[0]) * ((y - p[1]) / (q[1] - p[1]))
    });
    crossed.count() % 2 == 1
}
