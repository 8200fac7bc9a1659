//! All the translations at which one core meets another.

use glam::DVec2;
use smallvec::SmallVec;

use crate::math::cross;
use crate::shape::convex::Convex;

/// A convex ring, counter-clockwise: one point, two, or a polygon.
pub(crate) type Ring = SmallVec<[DVec2; 16]>;

/// The Minkowski difference of two cores: `b` minus `a`, the translations of `a` at which it
/// touches or overlaps `b`. Its edges are those of `b` and, turned half round, of `a`, sorted by
/// direction.
pub(crate) fn difference(b: &Convex<'_>, a: &Convex<'_>) -> Ring {
    if let [point] = *a.points {
        return b.points.iter().map(|corner| corner.as_dvec2() - point.as_dvec2()).collect();
    }
    // Less than twice round; a division would cost more than all the rest.
    let wrapped = |i: usize, n: usize| if i < n { i } else { i - n };
    let at_b = |i: usize| b.points[wrapped(i, b.points.len())].as_dvec2();
    let at_a = |i: usize| -a.points[wrapped(i, a.points.len())].as_dvec2();
    let first = |at: &dyn Fn(usize) -> DVec2, n: usize| {
        (1..n).fold(0, |low, i| {
            let (p, q) = (at(i), at(low));
            if (p.y, p.x) < (q.y, q.x) { i } else { low }
        })
    };
    let (start_b, start_a) = (first(&at_b, b.points.len()), first(&at_a, a.points.len()));
    let (edges_b, edges_a) = (b.edge_count(), a.edge_count());
    let (mut i, mut j) = (0, 0);
    let mut ring = Ring::new();
    loop {
        let (p, q) = (at_b(start_b + i), at_a(start_a + j));
        ring.push(p + q);
        let turn = match (i < edges_b, j < edges_a) {
            (false, false) => break,
            (true, false) => 1.0,
            (false, true) => -1.0,
            (true, true) => cross(at_b(start_b + i + 1) - p, at_a(start_a + j + 1) - q),
        };
        // Parallel edges become one.
        i += usize::from(turn >= 0.0);
        j += usize::from(turn <= 0.0);
    }
    if ring.len() > 1 {
        ring.pop(); // the start again
    }
    ring
}
