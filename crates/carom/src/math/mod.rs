//! Vectors, poses and the exact predicates that all verdicts rest on.
//!
//! [`Vec2`] is `glam`'s. Wherever a vector is asked for, arrays and tuples will do. A [`Pose`] says
//! where a shape stands, how it is turned and how large it is:
//!
//! ```
//! use carom::prelude::*;
//! let pose = Pose::new([10.0, 0.0], core::f32::consts::FRAC_PI_2).with_scale(2.0);
//! assert_eq!(pose.transform_point([1.0, 0.0]), Vec2::new(10.0, 2.0));
//! ```
//!
//! Angles are radians, counter-clockwise where y points up. [`exact`] has the signs that cannot be
//! wrong, for code that makes verdicts of its own:
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
mod line_param;
mod pose;

pub use flip::Flip;
pub use glam::Vec2;
pub use pose::{Pose, Rotation};

pub(crate) use glam::DVec2;
pub(crate) use line_param::LineParam;

/// The square root, correctly rounded on every platform.
#[inline(always)]
pub(crate) fn sqrt(x: f64) -> f64 {
    #[cfg(feature = "std")]
    return x.sqrt();
    #[cfg(not(feature = "std"))]
    return libm::sqrt(x);
}

/// The length of a vector.
#[inline(always)]
pub(crate) fn length(v: DVec2) -> f64 {
    sqrt(v.x * v.x + v.y * v.y)
}

/// The cross product of two vectors.
#[inline(always)]
pub(crate) fn cross(a: DVec2, b: DVec2) -> f64 {
    a.x * b.y - a.y * b.x
}

/// A vector turned a quarter clockwise (y up): out of a counter-clockwise outline.
#[inline(always)]
pub(crate) fn perp_cw(edge: DVec2) -> DVec2 {
    DVec2::new(edge.y, -edge.x)
}

/// Rounds to `f32`; what lies beyond its range becomes its largest number.
#[inline(always)]
pub(crate) fn to_vec2(v: DVec2) -> Vec2 {
    Vec2::new(to_f32(v.x), to_f32(v.y))
}

/// Rounds one number to `f32`, staying finite. Minus zero becomes zero.
#[inline(always)]
pub(crate) fn to_f32(x: f64) -> f32 {
    // Zero is added first: added last, it becomes a branch on whether the number was clamped.
    (x as f32 + 0.0).clamp(f32::MIN, f32::MAX)
}

/// What lies beyond the range of `f32` becomes its largest number. Minus zero becomes zero.
#[inline(always)]
pub(crate) fn clamp_finite(v: Vec2) -> Vec2 {
    let clamp = |x: f32| (x + 0.0).clamp(f32::MIN, f32::MAX);
    Vec2::new(clamp(v.x), clamp(v.y))
}

/// The smallest `f32` that is not below `x`, staying finite.
#[inline]
pub(crate) fn round_up(x: f64) -> f32 {
    let nearest = to_f32(x);
    let is_below = f64::from(nearest) < x && nearest < f32::MAX;
    // `next_up` without a branch, which could not be predicted: the bits of a number ascend with it
    // above zero and descend below.
    let bits = nearest.to_bits() as i32;
    f32::from_bits((bits + i32::from(is_below) * (bits >> 31 | 1)) as u32)
}

/// The sum, never below the exact one.
#[inline]
pub(crate) fn add_round_up(a: f64, b: f64) -> f64 {
    let (sum, rest) = expansion::two_sum(a, b);
    if rest > 0.0 { sum.next_up() } else { sum }
}

/// The largest `f32` that is not above `x`, staying finite.
#[inline]
pub(crate) fn round_down(x: f64) -> f32 {
    -round_up(-x)
}

/// A unit vector along `v`, also for vectors so short or long that their square is not a number.
/// `None` for the zero vector.
pub(crate) fn try_normalize(v: DVec2) -> Option<DVec2> {
    let largest = v.x.abs().max(v.y.abs());
    if largest == 0.0 {
        return None;
    }
    let v = v / largest;
    // Along an axis it is one already.
    Some(if v.x * v.y == 0.0 { v } else { v / length(v) })
}

#[cfg(test)]
mod tests {
    use super::*;

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
