//! Points.

use glam::Vec2;

use crate::error::ShapeError;
use crate::math::{Flip, IntoVec2, Pose, to_vec2};
use crate::shape::convex::Convex;
use crate::shape::{Transform, validate};

/// A single point: a mouse cursor, a pixel, a bullet without size.
///
/// ```
/// use carom::prelude::*;
/// let button = Aabb::new([10.0, 10.0], [90.0, 30.0]);
/// assert!(button.contains(&Point::new([42.0, 30.0])));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    position: Vec2,
}

impl Point {
    /// Creates a point.
    ///
    /// # Panics
    /// Panics if [`Point::try_new`] returns an error.
    pub fn new(position: impl IntoVec2) -> Self {
        Self::try_new(position).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a point, or returns an error if the input is invalid.
    ///
    /// # Errors
    /// Returns an error if a coordinate is not finite.
    pub fn try_new(position: impl IntoVec2) -> Result<Self, ShapeError> {
        Ok(Self { position: validate::vector(position.into_vec2(), "at.x", "at.y")? })
    }

    /// Returns the position.
    #[inline]
    pub fn position(&self) -> Vec2 {
        self.position
    }

    #[inline]
    pub(crate) fn as_convex(&self) -> Convex<'_> {
        Convex::point(&self.position, 0.0)
    }
}

impl Transform for Point {
    type Transformed = Self;

    fn apply_pose(&self, pose: &Pose) -> Self {
        Self { position: pose.transform_point(self.position) }
    }

    fn apply_translation(&self, by: Vec2) -> Self {
        Self { position: to_vec2(self.position.as_dvec2() + by.as_dvec2()) }
    }

    fn apply_flip(&self, flip: Flip) -> Self {
        Self { position: flip.apply(self.position) }
    }
}
