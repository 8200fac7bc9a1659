//! Tests of eight boxes at once: distance, and the slab test for swept boxes and rays.

use carom_simd::{Lanes, Node, NodeTest};

use super::extent::Extent;
use crate::broad::SweptAabb;
use crate::math::{DVec2, Vec2, round_up, sqrt};
use crate::shape::Aabb;

/// Factors a little greater and a little less than 1: by more than the relative rounding error of a few
/// operations.
const ROUNDED_UP: f32 = 1.0 + 1.0 / (1 << 20) as f32;
const ROUNDED_DOWN: f32 = 1.0 - 1.0 / (1 << 20) as f32;

/// Finds the boxes within a distance. Keys are squared distances.
///
/// Each gap has one rounding error and each square two more, all relative. A square that overflows is
/// infinite, but so is that of every limit that it could be within. A square that underflows is zero or wrong
/// by less than the smallest normal number, which is added to the limit.
pub struct WithinTest {
    from: Extent,
}

impl WithinTest {
    pub fn new(from: &Aabb) -> Self {
        Self { from: Extent::new(*from) }
    }

    /// Returns a lower bound of the distance with a key; infinite if the key is.
    #[inline(always)]
    pub fn distance(key: f32) -> f32 {
        (sqrt(f64::from(key)) as f32) * ROUNDED_DOWN
    }
}

impl NodeTest for WithinTest {
    #[inline(always)]
    fn lanes<L: Lanes>(&self, node: &Node, key_limit: f32) -> (L, L) {
        let [left, low, right, high] = node.sides::<L>();
        let Extent { min, max } = self.from;
        let zero = L::splat(0.0);
        let x = left.sub(L::splat(max.x)).max(L::splat(min.x).sub(right)).max(zero);
        let y = low.sub(L::splat(max.y)).max(L::splat(min.y).sub(high)).max(zero);
        let squared = x.mul(x).add(y.mul(y));
        let is_near = squared.le(L::splat(key_limit)).and(left.le(right));
        (is_near, squared)
    }

    #[inline(always)]
    fn key_limit(&self, max_distance: f32) -> f32 {
        if max_distance < 0.0 {
            max_distance
        } else {
            max_distance * max_distance * ROUNDED_UP + f32::MIN_POSITIVE
        }
    }
}

/// Finds the boxes that a swept box hits, by the slab test. Keys are the lengths moved along the main axis,
/// the one along which the box moves further, when it enters another box.
///
/// With such lengths in place of times, the slopes are 1 on the main axis and at least 1 on the other, so
/// nothing underflows, and a length that overflows is infinite, which compares correctly with every finite
/// length. The start is enlarged by the tolerance that [`SweptAabb::time_of_impact`] has for the coordinates of
/// the start, and by the smallest normal number; each box by the tolerance for its own coordinates. A few
/// rounding errors relative to the lengths remain, for which the slopes are rounded outwards.
pub struct SweptTest {
    x: Slab,
    y: Slab,
    /// The speed along the main axis.
    speed: f64,
    /// `true` if the box moves so slowly along one axis that the test uses the whole interval that it passes
    /// along this axis.
    is_coarse: bool,
}

/// The motion along one axis.
struct Slab {
    /// The indices of the sides of a box that are hit first and last, and the start coordinates that are
    /// subtracted from them.
    sides: [usize; 2],
    starts: [f32; 2],
    /// The length along the main axis per length along this axis, rounded down and up.
    slopes: [f32; 2],
    /// The tolerance around a box relative to its coordinates, times the slope.
    tolerance: f32,
    /// `true` if there is no motion along this axis.
    is_still: bool,
}

/// Greater than the tolerance of [`SweptAabb::time_of_impact`] relative to the coordinates of a box.
const BOX_TOLERANCE: f64 = 1.0 / (1u64 << 36) as f64;
/// Greater than the tolerance relative to the coordinates of the start, and than the rounding error of `f32`.
const START_TOLERANCE: f32 = 1.0 / (1 << 22) as f32;
/// A velocity along an axis below this share of the speed counts as zero. The tolerance around a box, divided
/// by it, stays finite for any coordinates.
const MIN_SPEED_SHARE: f64 = 1.0 / (1u64 << 34) as f64;

impl SweptTest {
    /// Creates the test. `tree_extent` returns the box around all boxes.
    #[inline]
    pub fn new(swept: &SweptAabb, tree_extent: impl Fn() -> Extent) -> Self {
        let velocity = DVec2::from(swept.velocity());
        let speed = velocity.abs().max_element();
        let speed = if speed > 0.0 { speed } else { 1.0 };
        // The distance that the box moves along an axis on which its velocity counts as zero, before it has
        // left the tree.
        let drift = |velocity: f64| {
            let Extent { min, max } = tree_extent();
            let start = swept.start();
            let farthest = |a: Vec2, b: Vec2| a.abs().max(b.abs()).as_dvec2().max_element();
            let length = farthest(min, max) + farthest(start.min(), start.max());
            round_up(velocity.abs() * (length / speed).min(swept.end().into()))
        };
        let (x, y) = (Slab::new(swept, 0, speed, drift), Slab::new(swept, 1, speed, drift));
        let is_coarse = x.is_still && velocity.x != 0.0 || y.is_still && velocity.y != 0.0;
        Self { x, y, speed, is_coarse }
    }

    /// Returns `true` if a box that passes with this key may be far from being hit.
    #[inline(always)]
    pub fn is_uncertain(&self, key: f32) -> bool {
        self.is_coarse || key == f32::INFINITY
    }

    /// Returns a lower bound of the time with a key. An infinite key is the result of an overflow.
    #[inline(always)]
    pub fn time(&self, key: f32) -> f32 {
        ((f64::from(key.min(f32::MAX)) / self.speed) as f32).min(f32::MAX)
    }
}

impl Slab {
    #[inline(always)]
    fn new(swept: &SweptAabb, axis: usize, speed: f64, drift: impl Fn(f64) -> f32) -> Self {
        let (min, max) = (swept.start().min()[axis], swept.start().max()[axis]);
        let velocity = swept.velocity()[axis];
        let is_still = velocity.abs() < MIN_SPEED_SHARE * speed;
        let drift = if is_still && velocity != 0.0 { drift(velocity) } else { 0.0 };
        let tolerance = min.abs().max(max.abs()) * START_TOLERANCE + f32::MIN_POSITIVE + drift;
        let (min, max) = ((min - tolerance).max(f32::MIN), (max + tolerance).min(f32::MAX));
        let slope = if is_still { 1.0 } else { speed / velocity };
        let (low, high) = (axis, axis + 2);
        Self {
            sides: if slope > 0.0 { [low, high] } else { [high, low] },
            starts: if slope > 0.0 { [max, min] } else { [min, max] },
            slopes: [ROUNDED_DOWN, ROUNDED_UP].map(|factor| (slope * f64::from(factor)) as f32),
            tolerance: (slope.abs() * BOX_TOLERANCE) as f32,
            is_still,
        }
    }

    /// Returns the lengths at which the moving box enters and leaves the slabs between `low` and `high`.
    #[inline(always)]
    fn interval<L: Lanes>(&self, node: &Node, low: L, high: L) -> (L, L) {
        let zero = L::splat(0.0);
        let tolerance = high.max(zero.sub(low)).mul(L::splat(self.tolerance));
        let ([near, far], [start_near, start_far]) = (self.sides, self.starts);
        let enter = node.side::<L>(near).sub(L::splat(start_near));
        let leave = node.side::<L>(far).sub(L::splat(start_far));
        let enter = enter.mul(L::splat(self.slopes[0])).sub(tolerance);
        let leave = leave.mul(L::splat(self.slopes[1])).add(tolerance);
        if self.is_still {
            // Always inside the slab, or never.
            let is_inside = enter.le(zero).and(zero.le(leave));
            return (zero, is_inside.select(L::splat(f32::INFINITY), L::splat(-1.0)));
        }
        (enter, leave)
    }
}

impl NodeTest for SweptTest {
    #[inline(always)]
    fn lanes<L: Lanes>(&self, node: &Node, key_limit: f32) -> (L, L) {
        let [left, low, right, high] = node.sides::<L>();
        let (enter_x, leave_x) = self.x.interval(node, left, right);
        let (enter_y, leave_y) = self.y.interval(node, low, high);
        let enter = enter_x.max(enter_y).max(L::splat(0.0));
        let is_hit = enter.le(leave_x.min(leave_y).min(L::splat(key_limit)));
        (is_hit, enter)
    }

    #[inline(always)]
    fn key_limit(&self, end: f32) -> f32 {
        (f64::from(end) * self.speed) as f32 * ROUNDED_UP
    }
}
