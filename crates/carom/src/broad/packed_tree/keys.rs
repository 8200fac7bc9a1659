//! Eight boxes side by side, and what they are held against, all eight at once.

use wide::f32x8;

use crate::broad::Path;
use crate::math::{DVec2, Vec2, round_down, round_up};
use crate::shape::Aabb;

/// How many boxes there are in a node.
pub const WIDTH: usize = 8;

/// Eight boxes as four rows of numbers. A lane without a box has its sides the wrong way round.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    x0: f32x8,
    y0: f32x8,
    x1: f32x8,
    y1: f32x8,
}

impl Node {
    /// From the boxes of its lanes; the ones that are missing are empty.
    #[inline(always)]
    pub fn new(boxes: impl IntoIterator<Item = Span>) -> Self {
        let (mut low, mut high) = ([[f32::INFINITY; 8]; 2], [[f32::NEG_INFINITY; 8]; 2]);
        for (lane, Span { min, max }) in (0..WIDTH).zip(boxes) {
            (low[0][lane], low[1][lane]) = (min.x, min.y);
            (high[0][lane], high[1][lane]) = (max.x, max.y);
        }
        let ([x0, y0], [x1, y1]) = (low.map(f32x8::new), high.map(f32x8::new));
        Self { x0, y0, x1, y1 }
    }

    #[inline(always)]
    pub fn get(&self, lane: usize) -> Span {
        let of = |row: &f32x8| row.as_array()[lane];
        Span {
            min: Vec2::new(of(&self.x0), of(&self.y0)),
            max: Vec2::new(of(&self.x1), of(&self.y1)),
        }
    }

    #[inline(always)]
    pub fn set(&mut self, lane: usize, bounds: Span) {
        self.x0.as_mut_array()[lane] = bounds.min.x;
        self.y0.as_mut_array()[lane] = bounds.min.y;
        self.x1.as_mut_array()[lane] = bounds.max.x;
        self.y1.as_mut_array()[lane] = bounds.max.y;
    }

    /// The box around all lanes.
    pub fn span(&self) -> Span {
        (0..WIDTH).fold(Span::EMPTY, |all, lane| all.with(self.get(lane)))
    }
}

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

    /// The box; to be asked only of one that is not empty.
    #[inline(always)]
    pub fn bounds(self) -> Aabb {
        Aabb::spanning(self.min, self.max)
    }

    #[inline(always)]
    pub fn with(self, other: Self) -> Self {
        let lesser = |a: f32, b: f32| if a < b { a } else { b };
        Self {
            min: Vec2::new(lesser(self.min.x, other.min.x), lesser(self.min.y, other.min.y)),
            max: Vec2::new(-lesser(-self.max.x, -other.max.x), -lesser(-self.max.y, -other.max.y)),
        }
    }

    #[inline(always)]
    pub fn holds(self, other: Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    #[inline(always)]
    pub fn meets(self, other: Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }
}

/// A test of eight boxes at once, which never rules out a box that matters.
pub trait Test {
    /// Which lanes may matter, as bits, and their keys: those of lesser key are looked at first.
    fn lanes(&self, node: &Node, limit: f32) -> (u32, f32x8);

    /// The greatest key that still matters, from what the visitor said.
    fn limit(&self, told: f32) -> f32;
}

/// The boxes that share a point with one box. Comparing is exact.
pub struct BoxTest {
    x0: f32x8,
    y0: f32x8,
    x1: f32x8,
    y1: f32x8,
}

impl BoxTest {
    pub fn new(bounds: &Aabb) -> Self {
        let (min, max) = (bounds.min(), bounds.max());
        Self {
            x0: f32x8::splat(min.x),
            y0: f32x8::splat(min.y),
            x1: f32x8::splat(max.x),
            y1: f32x8::splat(max.y),
        }
    }

    #[inline(always)]
    pub fn lanes(&self, node: &Node) -> u32 {
        let x = node.x0.simd_le(self.x1) & node.x1.simd_ge(self.x0);
        let y = node.y0.simd_le(self.y1) & node.y1.simd_ge(self.y0);
        (x & y).to_bitmask()
    }
}

/// What is more than the roundings of a few operations: every test leaves that much room.
const GROWN: f32 = 1.0 + 1.0 / (1 << 20) as f32;
const SHRUNK: f32 = 1.0 - 1.0 / (1 << 20) as f32;

/// The boxes near one box. Keys are squares of distances.
///
/// Gaps are off by one rounding each and squares by two more, all relative. A square too large for a
/// number is infinite, as is that of every limit it could be within; one too small is zero or off by
/// less than the least normal number, which the limit has added.
pub struct NearTest {
    x0: f32x8,
    y0: f32x8,
    x1: f32x8,
    y1: f32x8,
}

impl NearTest {
    pub fn new(from: &Aabb) -> Self {
        let BoxTest { x0, y0, x1, y1 } = BoxTest::new(from);
        Self { x0, y0, x1, y1 }
    }
}

impl Test for NearTest {
    #[inline(always)]
    fn lanes(&self, node: &Node, limit: f32) -> (u32, f32x8) {
        let x = (node.x0 - self.x1).fast_max(self.x0 - node.x1).fast_max(f32x8::ZERO);
        let y = (node.y0 - self.y1).fast_max(self.y0 - node.y1).fast_max(f32x8::ZERO);
        let square = x * x + y * y;
        let near = square.simd_le(f32x8::splat(limit)) & node.x0.simd_le(node.x1);
        (near.to_bitmask(), square)
    }

    #[inline(always)]
    fn limit(&self, told: f32) -> f32 {
        if told < 0.0 { told } else { told * told * GROWN + f32::MIN_POSITIVE }
    }
}

/// The boxes on a path. Keys are how far along its main axis, the one on which it goes furthest, the
/// path has come when it enters a box.
///
/// With lengths for times, the main axis is divided by one and the other by the share of its speed, so
/// nothing gets too small, and what gets too large for a number becomes infinite on the same side of
/// every length that is not. The start is grown by what [`Path::meets`] leaves for rounding beside the
/// coordinates of the start, and by the least normal number; a box by what it leaves beside the box's.
/// All that remains are a few roundings, relative to the lengths.
pub struct PathTest {
    x: Slab,
    y: Slab,
    scale: f64,
}

/// A path seen along one axis.
struct Slab {
    kind: Kind,
    /// What is subtracted from the near and the far side of a box.
    near: f32x8,
    far: f32x8,
    /// Length along the main axis per length along this one.
    slope: f32x8,
    /// The same for the room left around a box, per coordinate.
    room: f32x8,
}

#[derive(Clone, Copy)]
enum Kind {
    Forward,
    Backward,
    Still,
}

/// More than the share of a box's coordinates that [`Path::meets`] leaves for rounding.
const ROOM: f64 = 1.0 / (1u64 << 36) as f64;
/// The least share of the speed that is not taken for standing still. The room around a box stays
/// finite at any coordinate when divided by it.
const LEAST_SHARE: f64 = 1.0 / (1u64 << 34) as f64;

impl PathTest {
    /// For a path among boxes, with what gives the box around them all.
    pub fn new(path: &Path, around: impl Fn() -> Span) -> Self {
        let velocity = DVec2::from(path.velocity());
        let speed = velocity.abs().max_element();
        let scale = if speed > 0.0 { speed } else { 1.0 };
        let start = path.start();
        let furthest = || {
            let Span { min, max } = around();
            let reach = |a: Vec2, b: Vec2| a.abs().max(b.abs()).as_dvec2().max_element();
            (f64::from(path.end()) * scale).min(reach(min, max) + reach(start.min(), start.max()))
        };
        let slab = |min: f32, max: f32, velocity: f64| {
            let (min, max) = (f64::from(min), f64::from(max));
            let room = min.abs().max(max.abs()) * ROOM + f64::from(f32::MIN_POSITIVE);
            let share = velocity / scale;
            let still = share.abs() < LEAST_SHARE;
            let room = if still && share != 0.0 { room + share.abs() * furthest() } else { room };
            let (min, max) = (round_down(min - room), round_up(max + room));
            let (kind, near, far) = match share {
                _ if still => (Kind::Still, max, min),
                _ if share > 0.0 => (Kind::Forward, max, min),
                _ => (Kind::Backward, min, max),
            };
            let slope = if still { 1.0 } else { 1.0 / share };
            Slab {
                kind,
                near: f32x8::splat(near),
                far: f32x8::splat(far),
                slope: f32x8::splat(slope as f32),
                room: f32x8::splat((slope.abs() * ROOM) as f32),
            }
        };
        Self {
            x: slab(start.min().x, start.max().x, velocity.x),
            y: slab(start.min().y, start.max().y, velocity.y),
            scale,
        }
    }
}

impl Slab {
    /// When the path is between two sides.
    #[inline(always)]
    fn times(&self, low: f32x8, high: f32x8) -> (f32x8, f32x8) {
        let (near, far) = if let Kind::Backward = self.kind { (high, low) } else { (low, high) };
        let room = high.fast_max(-low) * self.room;
        let enter = (near - self.near) * self.slope - room;
        let leave = (far - self.far) * self.slope + room;
        if let Kind::Still = self.kind {
            let beside = enter.simd_le(f32x8::ZERO) & leave.simd_ge(f32x8::ZERO);
            let always = f32x8::splat(f32::INFINITY);
            return (f32x8::ZERO, beside.select(always, f32x8::splat(-1.0)));
        }
        (enter, leave)
    }
}

impl Test for PathTest {
    #[inline(always)]
    fn lanes(&self, node: &Node, limit: f32) -> (u32, f32x8) {
        let (enter_x, leave_x) = self.x.times(node.x0, node.x1);
        let (enter_y, leave_y) = self.y.times(node.y0, node.y1);
        let enter = enter_x.fast_max(enter_y).fast_max(f32x8::ZERO) * f32x8::splat(SHRUNK);
        let leave = leave_x.fast_min(leave_y) * f32x8::splat(GROWN);
        let on = enter.simd_le(leave.fast_min(f32x8::splat(limit)));
        (on.to_bitmask(), enter)
    }

    #[inline(always)]
    fn limit(&self, told: f32) -> f32 {
        (f64::from(told) * self.scale) as f32 * GROWN
    }
}
