//! What is held against eight boxes at once, and in which order they are to be looked at.

use carom_simd::{Lanes, Node, NodeTest};

use super::span::Span;
use crate::broad::SweptAabb;
use crate::math::{DVec2, Vec2, round_up, sqrt};
use crate::shape::Aabb;

/// What is more than the roundings of a few operations: every test leaves that much room.
const GROWN: f32 = 1.0 + 1.0 / (1 << 20) as f32;
const SHRUNK: f32 = 1.0 - 1.0 / (1 << 20) as f32;

/// The boxes near one box. Keys are squares of distances.
///
/// Gaps are off by one rounding each and squares by two more, all relative. A square too large for a
/// number is infinite, as is that of every limit it could be within; one too small is zero or off by
/// less than the least normal number, which the limit has added.
pub struct NearTest {
    from: Span,
}

impl NearTest {
    pub fn new(from: &Aabb) -> Self {
        Self { from: Span::of(*from) }
    }

    /// The distance that a key stands for, or something less; infinite if the key is.
    #[inline(always)]
    pub fn distance(key: f32) -> f32 {
        (sqrt(f64::from(key)) as f32) * SHRUNK
    }
}

impl NodeTest for NearTest {
    #[inline(always)]
    fn lanes<L: Lanes>(&self, node: &Node, limit: f32) -> (L, L) {
        let [left, low, right, high] = node.sides::<L>();
        let Span { min, max } = self.from;
        let none = L::splat(0.0);
        let x = left.sub(L::splat(max.x)).max(L::splat(min.x).sub(right)).max(none);
        let y = low.sub(L::splat(max.y)).max(L::splat(min.y).sub(high)).max(none);
        let square = x.mul(x).add(y.mul(y));
        let near = square.le(L::splat(limit)).and(left.le(right));
        (near, square)
    }

    #[inline(always)]
    fn key_limit(&self, told: f32) -> f32 {
        if told < 0.0 { told } else { told * told * GROWN + f32::MIN_POSITIVE }
    }
}

/// The boxes on a path. Keys are how far along its main axis, the one on which it goes furthest, the
/// path has come when it enters a box.
///
/// With lengths for times, the main axis is divided by one and the other by the share of its speed, so
/// nothing gets too small, and what gets too large for a number becomes infinite on the same side of
/// every length that is not. The start is grown by what [`SweptAabb::time_of_impact`] leaves for rounding beside the
/// coordinates of the start, and by the least normal number; a box by what it leaves beside the box's.
/// All that remains are a few roundings, relative to the lengths: the slopes leave room for them.
pub struct PathTest {
    x: Slab,
    y: Slab,
    scale: f64,
    /// Whether the path goes aside so slowly that the test takes it for being everywhere that it gets
    /// to.
    is_coarse: bool,
}

/// A path seen along one axis.
struct Slab {
    /// The sides of a box that the path meets first and last, and what is subtracted from them.
    sides: [usize; 2],
    starts: [f32; 2],
    /// Length along the main axis per length along this one, a little less and a little more.
    slopes: [f32; 2],
    /// The same for the room left around a box, per coordinate.
    room: f32,
    /// Whether the path does not get anywhere on this axis.
    is_still: bool,
}

/// More than the share of a box's coordinates that [`SweptAabb::time_of_impact`] leaves for rounding.
const ROOM: f64 = 1.0 / (1u64 << 36) as f64;
/// The same for the start, and more than the rounding of `f32`.
const START_ROOM: f32 = 1.0 / (1 << 22) as f32;
/// The least share of the speed that is not taken for standing still. The room around a box stays
/// finite at any coordinate when divided by it.
const LEAST_SHARE: f64 = 1.0 / (1u64 << 34) as f64;

impl PathTest {
    /// For a path among boxes, with what gives the box around them all.
    #[inline]
    pub fn new(path: &SweptAabb, around: impl Fn() -> Span) -> Self {
        let velocity = DVec2::from(path.velocity());
        let speed = velocity.abs().max_element();
        let scale = if speed > 0.0 { speed } else { 1.0 };
        // How far the path can get aside that hardly gets anywhere on an axis.
        let drift = |velocity: f64| {
            let Span { min, max } = around();
            let start = path.start();
            let reach = |a: Vec2, b: Vec2| a.abs().max(b.abs()).as_dvec2().max_element();
            let furthest = reach(min, max) + reach(start.min(), start.max());
            round_up(velocity.abs() * (furthest / scale).min(path.end().into()))
        };
        let (x, y) = (Slab::new(path, 0, scale, drift), Slab::new(path, 1, scale, drift));
        let is_coarse = x.is_still && velocity.x != 0.0 || y.is_still && velocity.y != 0.0;
        Self { x, y, scale, is_coarse }
    }

    /// Whether what passes with a key may be far off the path.
    #[inline(always)]
    pub fn is_vague(&self, key: f32) -> bool {
        self.is_coarse || key == f32::INFINITY
    }

    /// The time that a key stands for, or something less. An infinite one was only too large.
    #[inline(always)]
    pub fn time(&self, key: f32) -> f32 {
        ((f64::from(key.min(f32::MAX)) / self.scale) as f32).min(f32::MAX)
    }
}

impl Slab {
    #[inline(always)]
    fn new(path: &SweptAabb, axis: usize, scale: f64, drift: impl Fn(f64) -> f32) -> Self {
        let (min, max) = (path.start().min()[axis], path.start().max()[axis]);
        let velocity = path.velocity()[axis];
        let is_still = velocity.abs() < LEAST_SHARE * scale;
        let aside = if is_still && velocity != 0.0 { drift(velocity) } else { 0.0 };
        let room = min.abs().max(max.abs()) * START_ROOM + f32::MIN_POSITIVE + aside;
        let (min, max) = ((min - room).max(f32::MIN), (max + room).min(f32::MAX));
        let slope = if is_still { 1.0 } else { scale / velocity };
        let (low, high) = (axis, axis + 2);
        Self {
            sides: if slope > 0.0 { [low, high] } else { [high, low] },
            starts: if slope > 0.0 { [max, min] } else { [min, max] },
            slopes: [slope * f64::from(SHRUNK), slope * f64::from(GROWN)].map(|it| it as f32),
            room: (slope.abs() * ROOM) as f32,
            is_still,
        }
    }

    /// When the path is between two sides.
    #[inline(always)]
    fn times<L: Lanes>(&self, node: &Node, low: L, high: L) -> (L, L) {
        let none = L::splat(0.0);
        let room = high.max(none.sub(low)).mul(L::splat(self.room));
        let ([near, far], [start_near, start_far]) = (self.sides, self.starts);
        let enter = node.side::<L>(near).sub(L::splat(start_near));
        let leave = node.side::<L>(far).sub(L::splat(start_far));
        let enter = enter.mul(L::splat(self.slopes[0])).sub(room);
        let leave = leave.mul(L::splat(self.slopes[1])).add(room);
        if self.is_still {
            let beside = enter.le(none).and(none.le(leave));
            return (none, beside.select(L::splat(f32::INFINITY), L::splat(-1.0)));
        }
        (enter, leave)
    }
}

impl NodeTest for PathTest {
    #[inline(always)]
    fn lanes<L: Lanes>(&self, node: &Node, limit: f32) -> (L, L) {
        let [left, low, right, high] = node.sides::<L>();
        let (enter_x, leave_x) = self.x.times(node, left, right);
        let (enter_y, leave_y) = self.y.times(node, low, high);
        let enter = enter_x.max(enter_y).max(L::splat(0.0));
        let on = enter.le(leave_x.min(leave_y).min(L::splat(limit)));
        (on, enter)
    }

    #[inline(always)]
    fn key_limit(&self, told: f32) -> f32 {
        (f64::from(told) * self.scale) as f32 * GROWN
    }
}
