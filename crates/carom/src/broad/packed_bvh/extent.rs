//! Boxes that may be empty.

use carom_simd::{Bounds, Node};

use crate::math::Vec2;
use crate::shape::Aabb;

/// A box that may be empty; then its corners are in reverse order.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    pub min: Vec2,
    pub max: Vec2,
}

impl Extent {
    pub const EMPTY: Self = Self { min: Vec2::INFINITY, max: Vec2::NEG_INFINITY };

    #[inline(always)]
    pub fn new(bounds: Aabb) -> Self {
        Self { min: bounds.min(), max: bounds.max() }
    }

    /// Returns the box of a node's lane.
    #[inline(always)]
    pub fn of_lane(node: &Node, lane: usize) -> Self {
        Self::from_array(&node.get(lane))
    }

    #[inline(always)]
    pub fn from_array(&[min_x, min_y, max_x, max_y]: &Bounds) -> Self {
        Self { min: Vec2::new(min_x, min_y), max: Vec2::new(max_x, max_y) }
    }

    #[inline(always)]
    pub fn to_array(self) -> Bounds {
        [self.min.x, self.min.y, self.max.x, self.max.y]
    }

    /// Returns the box, which must not be empty.
    #[inline(always)]
    pub fn to_aabb(self) -> Aabb {
        Aabb::new_unchecked(self.min, self.max)
    }

    #[inline(always)]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    #[inline(always)]
    pub fn contains(self, other: Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    /// Returns half of the perimeter, to which the probability that a query intersects the box is roughly
    /// proportional (the surface area heuristic). May be infinite.
    #[inline(always)]
    pub fn half_perimeter(self) -> f32 {
        (self.max - self.min).max(Vec2::ZERO).element_sum()
    }

    /// Returns `true` if the union of two boxes is not much larger than both.
    #[inline(always)]
    pub fn is_near(self, other: Self) -> bool {
        self.union(other).half_perimeter() <= 2.0 * (self.half_perimeter() + other.half_perimeter())
    }
}
