//! Capsules.

use glam::Vec2;

use crate::error::ShapeError;
use crate::math::{Flip, IntoVec2, Pose};
use crate::shape::convex::Convex;
use crate::shape::segment::Spine;
use crate::shape::{Transform, validate};

/// A segment with a radius: a pill, a rounded bar, a character that does not snag on edges.
///
/// The ends may coincide; the capsule then acts as a circle.
///
/// ```
/// use carom::prelude::*;
/// let hero = Capsule::new([0.0, 1.0], [0.0, 3.0], 1.0);
/// assert_eq!(hero.distance(&Point::new([3.0, 2.0])), 2.0);
/// ```
#[derive(Clone, Copy, PartialEq)]
pub struct Capsule {
    ends: Spine,
    radius: f32,
}

impl Capsule {
    /// Creates a capsule from the centers of its two round ends and its radius.
    ///
    /// # Panics
    /// Panics if [`Capsule::try_new`] returns an error.
    pub fn new(a: impl IntoVec2, b: impl IntoVec2, radius: f32) -> Self {
        Self::try_new(a, b, radius).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a capsule, or returns an error if the input is invalid.
    ///
    /// # Errors
    /// Returns an error if a number is not finite or the radius is not greater than zero.
    pub fn try_new(a: impl IntoVec2, b: impl IntoVec2, radius: f32) -> Result<Self, ShapeError> {
        let ends = Spine::try_new(a.into_vec2(), b.into_vec2())?;
        Ok(Self { ends, radius: validate::positive(radius, "radius")? })
    }

    /// Returns the center of the first round end.
    #[inline]
    pub fn a(&self) -> Vec2 {
        self.ends.a()
    }

    /// Returns the center of the second round end.
    #[inline]
    pub fn b(&self) -> Vec2 {
        self.ends.b()
    }

    /// Returns the radius.
    #[inline]
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// Returns the unit vector from one end to the other and the length, for fast paths.
    #[inline(always)]
    pub(crate) fn axis(&self) -> (Vec2, f32) {
        self.ends.axis()
    }

    #[inline]
    pub(crate) fn as_convex(&self) -> Convex<'_> {
        self.ends.as_convex(self.radius)
    }
}

impl Transform for Capsule {
    type Transformed = Self;

    fn apply_pose(&self, pose: &Pose) -> Self {
        Self { ends: self.ends.transformed(pose), radius: pose.scale_length(self.radius) }
    }

    fn apply_translation(&self, by: Vec2) -> Self {
        Self { ends: self.ends.translated(by), ..*self }
    }

    fn apply_flip(&self, flip: Flip) -> Self {
        Self { ends: self.ends.flipped(flip), ..*self }
    }
}
