//! Exact geometric predicates: the signs of a few polynomials of `f32` coordinates, on which every
//! relation of two shapes is based.
//!
//! Each predicate has three stages, and the first that is certain decides:
//!
//! 1. *Filter*: plain floating point with a proven bound on its rounding error. It decides nearly
//!    always.
//! 2. *Short*: if the coordinate differences have few bits, as on a grid of tiles, their products
//!    are exact in one or two `f64`s. It decides exact contact on such grids.
//! 3. *Expansion*: exact sums of many `f64`s, on the stack (Shewchuk 1997). It decides the rest.
//!
//! Nothing overflows or underflows: the inputs are `f32`, so every term of a polynomial of degree
//! four is a multiple of 2⁻⁵⁹⁶ and below 2⁵²⁰.

use core::cmp::Ordering;

use glam::Vec2;
use wide::f32x4;

use super::expansion::{Expansion, two_product, two_sum};

/// The relative error of one operation: half the distance from 1 to the next `f64`.
const U: f64 = f64::EPSILON / 2.0;
/// The error bound of a 2×2 determinant of differences (Shewchuk 1997, `ccwerrboundA`).
const DET_BOUND: f64 = (3.0 + 16.0 * U) * U;
/// A generous error bound for comparing a sum of two squared differences with the square of a sum:
/// at most four roundings on each side, and one in the comparison.
const SQUARE_BOUND: f64 = 8.0 * U;

/// The result of a floating-point filter. If it is uncertain, a more exact computation decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filtered<T> {
    Certain(T),
    Uncertain,
}

impl<T> Filtered<T> {
    #[inline(always)]
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Filtered<U> {
        match self {
            Self::Certain(value) => Filtered::Certain(f(value)),
            Self::Uncertain => Filtered::Uncertain,
        }
    }

    #[inline(always)]
    pub fn unwrap_or_else(self, exact: impl FnOnce() -> T) -> T {
        match self {
            Self::Certain(value) => value,
            Self::Uncertain => exact(),
        }
    }
}

/// The direction in which three points turn, in a y-up coordinate system.
///
/// The variants are ordered by the sign of the cross product: `Clockwise < Collinear <
/// CounterClockwise`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(i8)]
pub enum Orientation {
    /// The third point lies to the right of the line from the first to the second.
    Clockwise = -1,
    /// The three points lie on one line.
    Collinear,
    /// The third point lies to the left of the line from the first to the second.
    CounterClockwise,
}

impl Orientation {
    /// Returns the opposite orientation; the opposite of `Collinear` is `Collinear`.
    #[inline(always)]
    #[must_use]
    pub fn reverse(self) -> Self {
        match self {
            Self::Clockwise => Self::CounterClockwise,
            Self::Collinear => Self::Collinear,
            Self::CounterClockwise => Self::Clockwise,
        }
    }

    /// Returns the orientation with this sign of the cross product.
    #[inline(always)]
    pub(crate) fn from_sign(sign: Ordering) -> Self {
        match sign {
            Ordering::Less => Self::Clockwise,
            Ordering::Equal => Self::Collinear,
            Ordering::Greater => Self::CounterClockwise,
        }
    }
}

/// Returns the orientation of three points: on which side of the line from `a` to `b` the point
/// `c` lies. Exact.
///
/// This is the predicate `orient2d` of Shewchuk, "Adaptive Precision Floating-Point Arithmetic and
/// Fast Robust Geometric Predicates" (1997).
#[inline]
pub fn orient2d(a: Vec2, b: Vec2, c: Vec2) -> Orientation {
    Orientation::from_sign(cross_sign(a, b, a, c))
}

/// Returns the sign of the cross product of `b - a` and `d - c`. Exact.
#[inline]
pub fn cross_sign(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> Ordering {
    let (u, v) = (Diff::new(a, b), Diff::new(c, d));
    det_sign(u.x, v.y, u.y, v.x).unwrap_or_else(|| cross_sign_exact(a, b, c, d))
}

/// A directed line prepared for many [`orient2d`] tests, where collinear points are common.
pub(crate) struct OrientedLine {
    a: Vec2,
    b: Vec2,
    edge: Diff,
    fits_24_bits: bool,
}

impl OrientedLine {
    #[inline(always)]
    pub fn new(a: Vec2, b: Vec2) -> Self {
        let edge = Diff::new(a, b);
        Self { a, b, edge, fits_24_bits: edge.fits_24_bits(a, b) }
    }

    #[inline(always)]
    pub fn orientation(&self, point: Vec2) -> Orientation {
        let (u, v) = (self.edge, Diff::new(self.a, point));
        Orientation::from_sign(if let Some(sign) = det_sign(u.x, v.y, u.y, v.x) {
            sign
        } else if self.fits_24_bits & v.fits_24_bits(self.a, point) {
            cmp_numbers(u.x * v.y, u.y * v.x)
        } else {
            cross_sign_exact(self.a, self.b, self.a, point)
        })
    }
}

/// Returns `true` if two points lie on the grid that most games use: multiples of 1/256 (1/128 from
/// 16384 on), up to 65536. Differences of such coordinates have at most 25 bits, so sums of two
/// products of them are exact in `f64`.
#[inline(always)]
pub(crate) fn is_on_exact_grid(p: Vec2, q: Vec2) -> bool {
    // Adding this rounds to multiples of 1/256, the spacing of `f32` at this size.
    let steps = f32x4::splat(49152.0);
    let at = f32x4::new([p.x, p.y, q.x, q.y]).abs();
    let on_grid = ((at + steps) - steps).simd_eq(at) & at.simd_le(f32x4::splat(65536.0));
    on_grid.to_bitmask() == 0xf
}

#[cold]
#[inline(never)]
fn cross_sign_exact(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> Ordering {
    let (u, v) = (Diff::new(a, b), Diff::new(c, d));
    if u.fits_24_bits(a, b) && v.fits_24_bits(c, d) {
        return cmp_numbers(u.x * v.y, u.y * v.x);
    }
    let (ux, uy, vx, vy) = (a.x..b.x, a.y..b.y, c.x..d.x, c.y..d.y);
    Expansion::<16>::det(&ux, &vy, &uy, &vx).sign()
}

/// Returns the sign of the dot product of `b - a` and `d - c`. Exact.
#[inline]
pub fn dot_sign(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> Ordering {
    // The cross product with the first vector rotated by 90°, which only swaps and negates.
    let rotated = |p: Vec2| Vec2::new(p.y, -p.x);
    cross_sign(rotated(a), rotated(b), c, d)
}

/// Compares the distance of two points with the sum of two radii. Exact. A radius may be negative,
/// but not the sum.
#[inline(always)]
pub fn cmp_distance(p: Vec2, q: Vec2, r: f32, s: f32) -> Ordering {
    let (d, radius) = (q - p, r + s);
    cmp_squares(d.x * d.x + d.y * d.y, radius * radius)
        .unwrap_or_else(|| cmp_distance_slow(p, q, r, s))
}

/// Compares two sums of squares that were computed in `f32` from single differences; uncertain if
/// rounding may have changed their order.
///
/// The bits of non-negative floats, as integers, have the order of the floats. Each side has one
/// rounding in the differences, which squaring doubles, one in the squares and one in the sum: at
/// most four units in the last place, also for subnormal squares, and twice as many steps below a
/// power of two. Squares that overflow come right after the largest float.
#[inline(always)]
pub(crate) fn cmp_squares(left: f32, right: f32) -> Filtered<Ordering> {
    const STEPS: i32 = 24;
    let steps = left.to_bits() as i32 - right.to_bits() as i32;
    let order = if steps < 0 { Ordering::Less } else { Ordering::Greater };
    if (-STEPS..=STEPS).contains(&steps) { Filtered::Uncertain } else { Filtered::Certain(order) }
}

/// Calls [`cmp_distance_f64`] out of line, for callers in which the `f32` filter usually decides.
#[cold]
#[inline(never)]
fn cmp_distance_slow(p: Vec2, q: Vec2, r: f32, s: f32) -> Ordering {
    cmp_distance_f64(p, q, r, s)
}

/// Works like [`cmp_distance`], without the `f32` filter.
#[inline(always)]
pub(crate) fn cmp_distance_f64(p: Vec2, q: Vec2, r: f32, s: f32) -> Ordering {
    let d = Diff::new(p, q);
    let radius = f64::from(r) + f64::from(s);
    let (left, right) = (d.x * d.x + d.y * d.y, radius * radius);
    let is_exact = is_on_exact_grid(p, q) & is_on_exact_grid(Vec2::new(r, s), Vec2::ZERO);
    if is_exact | ((left - right).abs() > SQUARE_BOUND * (left + right)) {
        return cmp_numbers(left, right);
    }
    if d.fits_24_bits(p, q) & sum_fits_24_bits(r, s, radius) {
        // The squares have at most 48 bits: only their sum is rounded, and rounding is monotonic.
        if left != right {
            return cmp_numbers(left, right);
        }
        let (_, rest) = two_sum(d.x * d.x, d.y * d.y);
        return cmp_numbers(rest, 0.0);
    }
    cmp_distance_exact(p, q, r, s)
}

#[cold]
#[inline(never)]
fn cmp_distance_exact(p: Vec2, q: Vec2, r: f32, s: f32) -> Ordering {
    let (x, y) = (Expansion::<2>::diff(p.x, q.x), Expansion::<2>::diff(p.y, q.y));
    let radius = Expansion::<2>::diff(-r, s);
    let square: Expansion<8> = radius.times(&radius);
    let left: Expansion<16> = x.times::<2, 8>(&x).plus(&y.times::<2, 8>(&y));
    left.plus::<8, 24>(&square.negated()).sign()
}

/// Compares the distance of the point `a + (d - c)` from the line through `a` and `b` with the sum
/// of two radii. Exact.
///
/// `a` and `b` must differ; the sum of the radii must not be negative.
#[inline]
pub fn cmp_line_distance(a: Vec2, b: Vec2, c: Vec2, d: Vec2, r: f32, s: f32) -> Ordering {
    let (u, v) = (Diff::new(a, b), Diff::new(c, d));
    let (left, right) = (u.x * v.y, u.y * v.x);
    let cross = (left - right).abs();
    let error = DET_BOUND * (left.abs() + right.abs());
    let radius = f64::from(r) + f64::from(s);
    let limit = radius * radius * (u.x * u.x + u.y * u.y);
    let (low, high) = (cross - error, cross + error);
    // At most ten roundings on this side of the comparison.
    if low > 0.0 && low * low > limit * (1.0 + 16.0 * U) {
        return Ordering::Greater;
    }
    if high * high < limit * (1.0 - 16.0 * U) {
        return Ordering::Less;
    }
    cmp_line_distance_exact([a, b, c, d], r, s)
}

#[cold]
fn cmp_line_distance_exact([a, b, c, d]: [Vec2; 4], r: f32, s: f32) -> Ordering {
    let (u, v) = (Diff::new(a, b), Diff::new(c, d));
    let radius = f64::from(r) + f64::from(s);
    if u.fits_24_bits(a, b) && v.fits_24_bits(c, d) && sum_fits_24_bits(r, s, radius) {
        let (cross, cross_rest) = two_sum(u.x * v.y, -(u.y * v.x));
        let (length, length_rest) = two_sum(u.x * u.x, u.y * u.y);
        if cross_rest == 0.0 && length_rest == 0.0 {
            return cmp_pairs(two_product(cross, cross), two_product(radius * radius, length));
        }
    }
    let (ux, uy) = (Expansion::<2>::diff(a.x, b.x), Expansion::<2>::diff(a.y, b.y));
    let (vx, vy) = (Expansion::<2>::diff(c.x, d.x), Expansion::<2>::diff(c.y, d.y));
    let cross: Expansion<16> = ux.times::<2, 8>(&vy).plus(&uy.times::<2, 8>(&vx).negated());
    let length: Expansion<16> = ux.times::<2, 8>(&ux).plus(&uy.times::<2, 8>(&uy));
    let radius = Expansion::<2>::diff(-r, s);
    let square: Expansion<8> = radius.times(&radius);
    let left: Expansion<512> = cross.times(&cross);
    let right: Expansion<256> = square.times(&length);
    left.plus::<256, 768>(&right.negated()).sign()
}

/// Returns whether the point `d` lies inside (`Greater`), on or outside the circle through three
/// points in counterclockwise order. Exact.
///
/// This is the predicate `incircle` of Shewchuk (1997).
pub(crate) fn in_circle(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> Ordering {
    /// Shewchuk's `iccerrboundA`.
    const BOUND: f64 = (10.0 + 96.0 * U) * U;
    let [a_d, b_d, c_d] = [a, b, c].map(|p| Diff::new(d, p));
    // The height of a point on the paraboloid above `d`, times the cross product of the other two.
    let term = |p: Diff, q: Diff, r: Diff| {
        let (height, left, right) = (p.x * p.x + p.y * p.y, q.x * r.y, q.y * r.x);
        (height * (left - right), height * (left.abs() + right.abs()))
    };
    let terms = [term(a_d, b_d, c_d), term(b_d, c_d, a_d), term(c_d, a_d, b_d)];
    let det = terms[0].0 + terms[1].0 + terms[2].0;
    if det.abs() > BOUND * (terms[0].1 + terms[1].1 + terms[2].1) {
        return cmp_numbers(det, 0.0);
    }
    in_circle_exact([a, b, c, d])
}

#[cold]
#[inline(never)]
fn in_circle_exact(points: [Vec2; 4]) -> Ordering {
    if let Some([a, b, c, d]) = as_integers(points) {
        let [a, b, c] = [a, b, c].map(|p| [p[0] - d[0], p[1] - d[1]]);
        let term = |p: [i128; 2], q: [i128; 2], r: [i128; 2]| {
            (p[0] * p[0] + p[1] * p[1]) * (q[0] * r[1] - q[1] * r[0])
        };
        return (term(a, b, c) + term(b, c, a) + term(c, a, b)).cmp(&0);
    }
    let [a, b, c, d] = points;
    let term = |p: Vec2, q: Vec2, r: Vec2| -> Expansion<512> {
        let (x, y) = (Expansion::<2>::diff(d.x, p.x), Expansion::<2>::diff(d.y, p.y));
        let height: Expansion<16> = x.times::<2, 8>(&x).plus(&y.times::<2, 8>(&y));
        let cross = Expansion::<16>::det(&(d.x..q.x), &(d.y..r.y), &(d.y..q.y), &(d.x..r.x));
        height.times(&cross)
    };
    let sum: Expansion<1024> = term(a, b, c).plus(&term(b, c, a));
    sum.plus::<512, 1536>(&term(c, a, b)).sign()
}

/// Returns four points as multiples of a power of two that are below 2²⁸, so that polynomials of
/// degree four in their differences fit in an `i128`. Returns `None` if there is no such power, that
/// is, if the coordinates differ too much in size.
fn as_integers(points: [Vec2; 4]) -> Option<[[i128; 2]; 4]> {
    let far = points.iter().fold(0.0f32, |far, p| far.max(p.abs().max_element()));
    let unit = libm::scalbn(1.0, libm::ilogb(f64::from(far.max(f32::MIN_POSITIVE))) - 27);
    let steps = points.map(|p| [p.x, p.y].map(|x| f64::from(x) / unit));
    let is_whole = steps.as_flattened().iter().all(|&x| libm::trunc(x) == x);
    is_whole.then(|| steps.map(|p| p.map(|x| x as i128)))
}

/// Returns the sign of `a * b - c * d`, where each factor has one rounding; `None` if that leaves
/// it uncertain.
#[inline(always)]
fn det_sign(a: f64, b: f64, c: f64, d: f64) -> Option<Ordering> {
    let (left, right) = (a * b, c * d);
    let det = left - right;
    if det.abs() > DET_BOUND * (left.abs() + right.abs()) {
        Some(if det > 0.0 { Ordering::Greater } else { Ordering::Less })
    } else if left == 0.0 && right == 0.0 {
        // A factor of each is zero, and a zero difference is never rounded.
        Some(Ordering::Equal)
    } else {
        None
    }
}

/// The difference `to - from` in `f64`, rounded once.
#[derive(Clone, Copy)]
struct Diff {
    x: f64,
    y: f64,
}

impl Diff {
    #[inline]
    fn new(from: Vec2, to: Vec2) -> Self {
        Self { x: f64::from(to.x) - f64::from(from.x), y: f64::from(to.y) - f64::from(from.y) }
    }

    /// Returns `true` if both differences are exact and have at most 24 bits, so that products of two
    /// are exact.
    #[inline(always)]
    fn fits_24_bits(self, from: Vec2, to: Vec2) -> bool {
        sum_fits_24_bits(to.x, -from.x, self.x) & sum_fits_24_bits(to.y, -from.y, self.y)
    }
}

/// Returns `true` if `sum` is exactly `a + b` and fits in the 24 bits of an `f32`. If the sum was
/// rounded, subtracting one of the two does not give back the other.
#[inline(always)]
fn sum_fits_24_bits(a: f32, b: f32, sum: f64) -> bool {
    let (a, b) = (f64::from(a), f64::from(b));
    (f64::from(sum as f32) == sum) & (sum - a == b) & (sum - b == a)
}

/// Compares two numbers that are not NaN.
#[inline]
fn cmp_numbers(left: f64, right: f64) -> Ordering {
    left.partial_cmp(&right).unwrap_or(Ordering::Equal)
}

/// Compares two unevaluated sums, each normalized: the second number is the rounding error of the
/// first.
fn cmp_pairs(a: (f64, f64), b: (f64, f64)) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// Returns `a * b - c * d`, accurate even if the products are nearly equal, and zero only if they
/// are equal.
pub(crate) fn det(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let ((left, left_rest), (right, right_rest)) = (two_product(a, b), two_product(c, d));
    (left - right) + (left_rest - right_rest)
}
