//! Circles.

use glam::Vec2;

use crate::error::ShapeError;
use crate::math::{Flip, IntoVec2, Pose, clamp_finite};
use crate::shape::convex::Convex;
use crate::shape::{Transform, validate};

/// A filled circle.
///
/// ```
/// use carom::prelude::*;
/// let ball = Circle::new([0.0, 0.0], 2.0);
/// let coin = Circle::new([3.0, 0.0], 1.5);
/// let contact = coin.contact(&ball).unwrap();
/// assert_eq!(contact.push, Vec2::new(0.5, 0.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    center: Vec2,
    radius: f32,
}

impl Circle {
    /// Creates a circle from its center and radius.
    ///
    /// # Panics
    /// Panics if [`Circle::try_new`] returns an error.
    pub fn new(center: impl IntoVec2, radius: f32) -> Self {
        Self::try_new(center, radius).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a circle, or returns an error if the input is invalid.
    ///
    /// # Errors
    /// Returns an error if a number is not finite or the radius is not greater than zero.
    pub fn try_new(center: impl IntoVec2, radius: f32) -> Result<Self, ShapeError> {
        let center = validate::vector(center.into_vec2(), "center.x", "center.y")?;
        Ok(Self { center, radius: validate::positive(radius, "radius")? })
    }

    /// Creates a circle whose radius may be zero.
    pub(crate) fn new_unchecked(center: Vec2, radius: f32) -> Self {
        Self { center, radius }
    }

    /// Returns the center.
    #[inline]
    pub fn center(&self) -> Vec2 {
        self.center
    }

    /// Returns the radius.
    #[inline]
    pub fn radius(&self) -> f32 {
        self.radius
    }

    #[inline]
    pub(crate) fn as_convex(&self) -> Convex<'_> {
        Convex::point(&self.center, self.radius)
    }
}

impl Transform for Circle {
    type Transformed = Self;

    fn apply_pose(&self, pose: &Pose) -> Self {
        Self { center: pose.transform_point(self.center), radius: pose.scale_length(self.radius) }
    }

    #[inline]
    fn apply_translation(&self, by: Vec2) -> Self {
        Self { center: clamp_finite(self.center + by), ..*self }
    }

    fn apply_flip(&self, flip: Flip) -> Self {
        Self { center: flip.apply(self.center), ..*self }
    }
}
