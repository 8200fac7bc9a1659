//! Points.

use glam::Vec2;

use crate::error::ShapeError;
use crate::math::{Flip, Pose, to_vec2};
use crate::shape::convex::Convex;
use crate::shape::{Transform, validate};

/// A single point: a mouse cursor, a pixel, a bullet of no size.
///
/// ```
/// use carom::prelude::*;
/// let button = Aabb::new([10.0, 10.0], [90.0, 30.0]);
/// assert!(button.contains(&Point::new([42.0, 30.0])));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    at: Vec2,
}

impl Point {
    /// The point at a place.
    ///
    /// # Panics
    /// Where [`Point::try_new`] gives an error.
    pub fn new(at: impl Into<Vec2>) -> Self {
        Self::try_new(at).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The point at a place, checked.
    ///
    /// # Errors
    /// A coordinate that is not finite.
    pub fn try_new(at: impl Into<Vec2>) -> Result<Self, ShapeError> {
        Ok(Self { at: validate::vector(at.into(), "at.x", "at.y")? })
    }

    /// Where it is.
    #[inline]
    pub fn position(&self) -> Vec2 {
        self.at
    }

    #[inline]
    pub(crate) fn as_convex(&self) -> Convex<'_> {
        Convex::point(&self.at, 0.0)
    }
}

impl Transform for Point {
    type Transformed = Self;

    fn apply_pose(&self, pose: &Pose) -> Self {
        Self { at: pose.transform_point(self.at) }
    }

    fn apply_translation(&self, by: Vec2) -> Self {
        Self { at: to_vec2(self.at.as_dvec2() + by.as_dvec2()) }
    }

    fn apply_flip(&self, flip: Flip) -> Self {
        Self { at: flip.apply(self.at) }
    }
}
