//! Vectors, poses, and the exact predicates on which all relations are based.
//!
//! [`Vec2`] is the type of `glam`. Wherever a vector is expected, arrays and tuples work as well, and the
//! vectors of other crates with the features that [`IntoVec2`] lists. A [`Pose`] is a position, a rotation
//! and a scale:
//!
//! ```
//! use carom::prelude::*;
//! let pose = Pose::new([10.0, 0.0], core::f32::consts::FRAC_PI_2).with_scale(2.0);
//! assert_eq!(pose.transform_point([1.0, 0.0]), Vec2::new(10.0, 2.0));
//! ```
//!
//! Angles are in radians, counterclockwise if y points up. The predicates in [`exact`] are never
//! wrong, despite rounding. Use them for your own geometric tests:
//!
//! ```
//! use carom::math::exact::{Orientation, orient2d};
//! use carom::math::Vec2;
//! let (a, b) = (Vec2::new(0.0, 0.0), Vec2::new(3.0, 3.0));
//! assert_eq!(orient2d(a, b, Vec2::new(1e-7, 1e-7)), Orientation::Collinear);
//! assert_eq!(orient2d(a, b, Vec2::new(1e-7, 1.0000001e-7)), Orientation::CounterClockwise); // left
//! ```

pub mod exact;
mod expansion;
mod flip;
mod into_vec2;
mod line_param;
mod pose;

pub use flip::Flip;
pub use glam::Vec2;
pub use into_vec2::IntoVec2;
pub use pose::{Pose, Rotation};

pub(crate) use glam::DVec2;
pub(crate) use line_param::LineParam;

/// Returns the square root, correctly rounded on every platform.
#[inline(always)]
pub(crate) fn sqrt(x: f64) -> f64 {
    #[cfg(feature = "std")]
    return x.sqrt();
    #[cfg(not(feature = "std"))]
    return libm::sqrt(x);
}

/// Returns the length of a vector.
#[inline(always)]
pub(crate) fn length(v: DVec2) -> f64 {
    sqrt(v.x * v.x + v.y * v.y)
}

/// Returns the cross product of two vectors.
#[inline(always)]
pub(crate) fn cross(a: DVec2, b: DVec2) -> f64 {
    a.x * b.y - a.y * b.x
}

/// Returns a vector rotated by 90° clockwise (y up): for an edge of a counterclockwise polygon, the
/// outward normal.
#[inline(always)]
pub(crate) fn perp_cw(edge: DVec2) -> DVec2 {
    DVec2::new(edge.y, -edge.x)
}

/// Rounds to `f32` and clamps to its finite range.
#[inline(always)]
pub(crate) fn to_vec2(v: DVec2) -> Vec2 {
    Vec2::new(to_f32(v.x), to_f32(v.y))
}

/// Rounds to `f32` and clamps to its finite range. Minus zero becomes zero.
#[inline(always)]
pub(crate) fn to_f32(x: f64) -> f32 {
    // Zero is added first: added last, the compiler would branch on whether the number was clamped.
    (x as f32 + 0.0).clamp(f32::MIN, f32::MAX)
}

/// Clamps to the finite range of `f32`. Minus zero becomes zero.
#[inline(always)]
pub(crate) fn clamp_finite(v: Vec2) -> Vec2 {
    let clamp = |x: f32| (x + 0.0).clamp(f32::MIN, f32::MAX);
    Vec2::new(clamp(v.x), clamp(v.y))
}

/// Returns the smallest `f32` that is at least `x`, clamped to the finite range.
#[inline]
pub(crate) fn round_up(x: f64) -> f32 {
    let nearest = to_f32(x);
    let is_below = f64::from(nearest) < x && nearest < f32::MAX;
    // `next_up`, branchless because the branch would mispredict: as integers, the bits of a float
    // increase with it above zero and decrease below.
    let bits = nearest.to_bits() as i32;
    f32::from_bits((bits + i32::from(is_below) * (bits >> 31 | 1)) as u32)
}

/// Returns the sum, rounded up.
#[inline]
pub(crate) fn add_round_up(a: f64, b: f64) -> f64 {
    let (sum, rest) = expansion::two_sum(a, b);
    if rest > 0.0 { sum.next_up() } else { sum }
}

/// Returns the largest `f32` that is at most `x`, clamped to the finite range. A zero is always positive: `max` and
/// `min` may return either of two zeros, so a negative one would make results depend on the compiler.
#[inline]
pub(crate) fn round_down(x: f64) -> f32 {
    0.0 - round_up(-x)
}

/// Returns the unit vector in the direction of `v`; `None` for the zero vector. Works for vectors so
/// short or long that their squared length underflows or overflows.
pub(crate) fn try_normalize(v: DVec2) -> Option<DVec2> {
    let largest = v.x.abs().max(v.y.abs());
    if largest == 0.0 {
        return None;
    }
    let v = v / largest;
    // Along an axis it is a unit vector already.
    Some(if v.x * v.y == 0.0 { v } else { v / length(v) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_down_gives_no_negative_zero() {
        assert_eq!(round_down(0.0).to_bits(), 0.0f32.to_bits());
        assert_eq!(round_down(-0.0).to_bits(), 0.0f32.to_bits());
        assert_eq!(round_down(0.1), 0.1f32.next_down());
        assert_eq!(round_down(-0.5), -0.5);
    }

    #[test]
    fn rounding_up_gives_the_next_number_that_is_not_below() {
        let tiny = f64::from(f32::from_bits(1));
        let most = f64::from(f32::MAX);
        for x in [0.0, tiny, 0.3 * tiny, 0.7 * tiny, 0.1, 1.0, 1.0 + 1e-9, 3e38, most, 1e300] {
            for x in [x, -x] {
                let up = round_up(x);
                assert!(f64::from(up) >= x.min(most) && up.is_finite(), "{x} is above {up}");
                assert!(up == f32::MIN || f64::from(up.next_down()) < x, "{x} is far below {up}");
                assert_eq!(round_down(-x), -up);
            }
        }
    }
}
