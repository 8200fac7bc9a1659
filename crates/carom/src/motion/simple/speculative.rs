//! Speculative contacts: a motion is cut short at the nearest surface.

use crate::math::{DVec2, IntoVec2, Vec2, to_vec2, try_normalize};
use crate::shape::AsShape;

/// Returns a motion without the part that would lead beyond the nearest surface of an obstacle.
///
/// The obstacle is treated as the half-plane behind its closest point. A motion towards it is shortened to the
/// current distance, and a motion along it or away from it is not changed. The method needs one distance query,
/// for all shapes and at any speed, and up to rounding the mover ends next to the obstacle and not beyond it.
///
/// ```
/// use carom::prelude::*;
/// use carom::motion::speculative;
/// let bullet = Circle::new([0.0, 0.0], 0.5);
/// let paper = Aabb::new([4.0, -2.0], [4.01, 2.0]);
/// assert_eq!(speculative(&bullet, [1000.0, 1.0], &paper), Vec2::new(3.5, 1.0));
/// assert_eq!(speculative(&bullet, [-1000.0, 1.0], &paper), Vec2::new(-1000.0, 1.0));
/// ```
///
/// # Weakness
///
/// The half-plane continues where the obstacle has ended. A mover that would pass beside the obstacle is stopped
/// by nothing (a *ghost collision*):
///
/// ```
/// # use carom::prelude::*;
/// # use carom::motion::speculative;
/// let bullet = Circle::new([0.0, 0.0], 0.5);
/// let post = Aabb::new([4.0, -2.0], [4.5, 0.0]);
/// let motion = Vec2::new(8.0, 8.0);
/// assert!(bullet.sweep(motion, &post).is_none()); // it would pass
/// assert_eq!(speculative(&bullet, motion, &post), Vec2::new(3.5, 8.0)); // but is stopped
/// ```
///
/// [`World::travel`](crate::world::World::travel) tests the whole path, and has no ghost collisions.
///
/// A motion that is not finite counts as zero.
pub fn speculative(shape: &impl AsShape, motion: impl IntoVec2, obstacle: &impl AsShape) -> Vec2 {
    let motion = motion.into_vec2();
    if !motion.is_finite() {
        return Vec2::ZERO;
    }
    let closest = shape.as_shape().closest_points(obstacle);
    let apart = closest.on_a.as_dvec2() - closest.on_b.as_dvec2();
    let touching = || -> Option<DVec2> {
        let contact = shape.as_shape().contact(obstacle)?;
        Some(contact.normal.as_dvec2())
    };
    let Some(normal) = try_normalize(apart).or_else(touching) else { return motion };
    let beyond = -motion.as_dvec2().dot(normal) - f64::from(closest.distance);
    if beyond > 0.0 { to_vec2(motion.as_dvec2() + normal * beyond) } else { motion }
}
