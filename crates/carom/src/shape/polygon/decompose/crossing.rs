//! Edges in the sweep: their order from bottom to top, and whether two cross.

use core::cmp::Ordering;

use glam::Vec2;

use super::rings::{Rings, leftmost_first};
use crate::math::exact::cross_sign;

/// An edge of a ring, or the rest of one behind a touch, without its direction.
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

    /// `Greater` if the point lies above the edge.
    pub fn side(&self, point: Vec2) -> Ordering {
        cross_sign(self.left, self.right, self.left, point)
    }

    /// Compares the heights of two edges that both meet the sweep line, and do not cross.
    fn cmp_height(&self, other: &Self) -> Ordering {
        if leftmost_first(self.left, other.left).is_gt() {
            return other.cmp_height(self).reverse();
        }
        self.side(other.left).then_with(|| self.side(other.right)).reverse()
    }

    /// A point inside both edges (rounded), if they cross there.
    ///
    /// Edges that meet at an end of one do not count: the sweep meets that end as a point.
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
        // Nearly parallel edges can make a quotient of rounding errors.
        let t = if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 };
        let at = |start: f32, length: f64| (f64::from(start) + length * t) as f32;
        Vec2::new(at(self.left.x, along.0), at(self.left.y, along.1))
    }
}

/// A key in the sweep's ordered map: an edge, or a gap next to the edges through a point.
#[derive(Clone, Copy, Debug)]
pub(super) enum Height {
    /// Just below all edges through the point.
    Below(Vec2),
    At(Edge),
    /// Just above all edges through the point.
    Above(Vec2),
}

impl Ord for Height {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::At(e), Self::At(f)) => e.cmp_height(f),
            (Self::Below(p), Self::At(e)) => e.side(*p).then(Ordering::Less),
            (Self::Above(p), Self::At(e)) => e.side(*p).then(Ordering::Greater),
            (Self::At(_), _) => other.cmp(self).reverse(),
            // Only ever asked about the same point.
            (Self::Below(_), Self::Above(_)) => Ordering::Less,
            (Self::Above(_), Self::Below(_)) => Ordering::Greater,
            _ => Ordering::Equal,
        }
    }
}

impl PartialOrd for Height {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Height {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Height {}

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
        let low = Height::At(edge([0.0, 0.0], [4.0, 0.0]));
        let high = Height::At(edge([1.0, 1.0], [4.0, 0.0]));
        let through = Height::At(edge([0.0, 0.0], [4.0, 4.0]));
        assert!(low < high && low < through && through < Height::Above(Vec2::ONE));
        assert!(Height::Below(Vec2::ONE) < through && Height::Below(Vec2::ONE) > low);
    }
}
