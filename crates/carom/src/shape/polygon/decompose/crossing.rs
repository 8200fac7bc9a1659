//! The edges of the sweep: their vertical order, and the test whether two cross.

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
        cross_sign(self.left, self.right, self.left, point)
    }

    /// Compares the heights of two edges that both intersect the sweep line and do not cross.
    fn cmp_height(&self, other: &Self) -> Ordering {
        if leftmost_first(self.left, other.left).is_gt() {
            return other.cmp_height(self).reverse();
        }
        self.side(other.left).then_with(|| self.side(other.right)).reverse()
    }

    /// Returns a point inside both edges, rounded, if they cross there.
    ///
    /// Edges that intersect at an end of one of them do not count: the sweep stops at that end.
    pub fn crossing(&self, other: &Self) -> Option<Vec2> {
        let strictly_apart = |e: &Self, f: &Self| {
            let (left, right) = (e.side(f.left), e.side(f.right));
            left != Ordering::Equal && left == right.reverse()
        };
        (strictly_apart(self, other) && strictly_apart(other, self))
            .then(|| self.nearly_common_point(other))
    }

    fn nearly_common_point(&self, other: &Self) -> Vec2 {
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

/// A key of the ordered map of the sweep: an edge, or a position next to the edges through a point.
#[derive(Clone, Copy, Debug)]
pub(super) enum StatusKey {
    /// Just below all edges through the point.
    Below(Vec2),
    At(Edge),
    /// Just above all edges through the point.
    Above(Vec2),
}

impl Ord for StatusKey {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::At(e), Self::At(f)) => e.cmp_height(f),
            (Self::Below(p), Self::At(e)) => e.side(*p).then(Ordering::Less),
            (Self::Above(p), Self::At(e)) => e.side(*p).then(Ordering::Greater),
            (Self::At(_), _) => other.cmp(self).reverse(),
            // Only keys for the same point are compared.
            (Self::Below(_), Self::Above(_)) => Ordering::Less,
            (Self::Above(_), Self::Below(_)) => Ordering::Greater,
            _ => Ordering::Equal,
        }
    }
}

impl PartialOrd for StatusKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for StatusKey {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for StatusKey {}

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

    #[test]
    fn heights_order_edges_from_bottom_to_top() {
        let low = StatusKey::At(edge([0.0, 0.0], [4.0, 0.0]));
        let high = StatusKey::At(edge([1.0, 1.0], [4.0, 0.0]));
        let through = StatusKey::At(edge([0.0, 0.0], [4.0, 4.0]));
        assert!(low < high && low < through && through < StatusKey::Above(Vec2::ONE));
        assert!(StatusKey::Below(Vec2::ONE) < through && StatusKey::Below(Vec2::ONE) > low);
    }
}
