//! The edges of the sweep, and the test whether two cross.

use core::cmp::Ordering;

use glam::Vec2;

use super::rings::{Rings, leftmost_first};
use crate::math::exact::cross_sign;

/// An edge of a ring without its direction, or the rest of one after a point where it is touched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub left: Vec2,
    pub right: Vec2,
    pub id: u32,
    pub ring: u32,
}

impl Edge {
    pub fn new(rings: &Rings, id: u32) -> Self {
        let (a, b) = (rings.point(id), rings.point(rings.next(id)));
        let (left, right) = if leftmost_first(a, b).is_lt() { (a, b) } else { (b, a) };
        Self { left, right, id, ring: rings.ring(id) }
    }

    /// Returns `Greater` if the point lies above the edge.
    pub fn side(&self, point: Vec2) -> Ordering {
        // Most tests are about the ends of an edge itself, where the filters of `cross_sign` never decide.
        if point == self.right || point == self.left {
            return Ordering::Equal;
        }
        cross_sign(self.left, self.right, self.left, point)
    }

    /// Returns a point inside both edges, rounded, if they cross there.
    ///
    /// Edges that intersect at an end of one of them do not count: the sweep stops at that end.
    pub fn crossing(&self, other: &Self) -> Option<Vec2> {
        // The sweep line crosses both edges, so only their y intervals can be disjoint.
        let heights = |edge: &Self| (edge.left.y.min(edge.right.y), edge.left.y.max(edge.right.y));
        let ((low, high), (other_low, other_high)) = (heights(self), heights(other));
        if high < other_low || other_high < low {
            return None;
        }
        let strictly_apart = |e: &Self, f: &Self| {
            let (left, right) = (e.side(f.left), e.side(f.right));
            left != Ordering::Equal && left == right.reverse()
        };
        (strictly_apart(self, other) && strictly_apart(other, self))
            .then(|| self.approximate_intersection(other))
    }

    fn approximate_intersection(&self, other: &Self) -> Vec2 {
        let diff = |from: Vec2, to: Vec2| {
            (f64::from(to.x) - f64::from(from.x), f64::from(to.y) - f64::from(from.y))
        };
        let cross = |a: (f64, f64), b: (f64, f64)| a.0 * b.1 - a.1 * b.0;
        let (along, across) = (diff(self.left, self.right), diff(other.left, other.right));
        let t = cross(diff(self.left, other.left), across) / cross(along, across);
        // For nearly parallel edges, the quotient may consist of rounding errors.
        let t = if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 };
        let at = |start: f32, length: f64| (f64::from(start) + length * t) as f32;
        Vec2::new(at(self.left.x, along.0), at(self.left.y, along.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(left: [f32; 2], right: [f32; 2]) -> Edge {
        Edge { left: left.into(), right: right.into(), id: 0, ring: 0 }
    }

    #[test]
    fn edges_that_share_an_end_or_touch_do_not_cross() {
        let e = edge([0.0, 0.0], [4.0, 4.0]);
        assert_eq!(e.crossing(&edge([0.0, 4.0], [4.0, 0.0])), Some(Vec2::splat(2.0)));
        assert_eq!(e.crossing(&edge([0.0, 0.0], [4.0, 0.0])), None);
        assert_eq!(e.crossing(&edge([2.0, 2.0], [4.0, 0.0])), None);
        assert_eq!(e.crossing(&edge([0.0, 1.0], [4.0, 5.0])), None);
        assert_eq!(e.crossing(&edge([1.0, 1.0], [5.0, 5.0])), None);
    }
}
