//! Boxes that may be empty.

use carom_simd::{Bounds, Node};

use crate::math::Vec2;
use crate::shape::Aabb;

/// A box that may be empty.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub min: Vec2,
    pub max: Vec2,
}

impl Span {
    pub const EMPTY: Self = Self { min: Vec2::INFINITY, max: Vec2::NEG_INFINITY };

    #[inline(always)]
    pub fn of(bounds: Aabb) -> Self {
        Self { min: bounds.min(), max: bounds.max() }
    }

    #[inline(always)]
    pub fn in_lane(node: &Node, lane: usize) -> Self {
        Self::from_sides(&node.get(lane))
    }

    #[inline(always)]
    pub fn from_sides(&[min_x, min_y, max_x, max_y]: &Bounds) -> Self {
        Self { min: Vec2::new(min_x, min_y), max: Vec2::new(max_x, max_y) }
    }

    #[inline(always)]
    pub fn sides(self) -> Bounds {
        [self.min.x, self.min.y, self.max.x, self.max.y]
    }

    /// The box; to be asked only of one that is not empty.
    #[inline(always)]
    pub fn bounds(self) -> Aabb {
        Aabb::new_unchecked(self.min, self.max)
    }

    #[inline(always)]
    pub fn with(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    #[inline(always)]
    pub fn holds(self, other: Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    /// Width and height, added up: what a look-up is likely to meet of it. May be infinite.
    #[inline(always)]
    pub fn size(self) -> f32 {
        (self.max - self.min).max(Vec2::ZERO).element_sum()
    }

    /// Whether there is not much more than the two in a box around them.
    #[inline(always)]
    pub fn is_near(self, other: Self) -> bool {
        self.with(other).size() <= 2.0 * (self.size() + other.size())
    }
}
