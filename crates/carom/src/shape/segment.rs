//! Segments.

use glam::Vec2;

use crate::error::ShapeError;
use crate::math::{Flip, IntoVec2, Pose, length, to_vec2};
use crate::shape::convex::{Convex, HalfPlanes4, extent};
use crate::shape::{Transform, validate};

/// A line segment: a laser, a wall without thickness.
///
/// The ends may coincide; the segment then acts as a point.
///
/// ```
/// use carom::prelude::*;
/// let laser = Segment::new([0.0, 0.0], [10.0, 0.0]);
/// assert!(laser.overlaps(&Circle::new([5.0, 0.5], 1.0)));
/// ```
#[derive(Clone, Copy, PartialEq)]
pub struct Segment {
    ends: Spine,
}

impl Segment {
    /// Creates a segment from its ends.
    ///
    /// # Panics
    /// Panics if [`Segment::try_new`] returns an error.
    pub fn new(a: impl IntoVec2, b: impl IntoVec2) -> Self {
        Self::try_new(a, b).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a segment, or returns an error if the input is invalid.
    ///
    /// # Errors
    /// Returns an error if a coordinate is not finite.
    pub fn try_new(a: impl IntoVec2, b: impl IntoVec2) -> Result<Self, ShapeError> {
        Ok(Self { ends: Spine::try_new(a.into_vec2(), b.into_vec2())? })
    }

    /// Returns the first end.
    #[inline]
    pub fn a(&self) -> Vec2 {
        self.ends.a()
    }

    /// Returns the second end.
    #[inline]
    pub fn b(&self) -> Vec2 {
        self.ends.b()
    }

    #[inline]
    pub(crate) fn as_convex(&self) -> Convex<'_> {
        self.ends.as_convex(0.0)
    }
}

impl Transform for Segment {
    type Transformed = Self;

    fn apply_pose(&self, pose: &Pose) -> Self {
        Self { ends: self.ends.transformed(pose) }
    }

    fn apply_translation(&self, by: Vec2) -> Self {
        Self { ends: self.ends.translated(by) }
    }

    fn apply_flip(&self, flip: Flip) -> Self {
        Self { ends: self.ends.flipped(flip) }
    }
}

/// The core of segments and capsules: two ends with the half-planes of the line between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spine {
    ends: [Vec2; 2],
    half_planes: HalfPlanes4,
    length: f32,
}

impl Spine {
    pub fn try_new(a: Vec2, b: Vec2) -> Result<Self, ShapeError> {
        validate::vector(a, "a.x", "a.y")?;
        validate::vector(b, "b.x", "b.y")?;
        Ok(Self::new(a, b))
    }

    fn new(a: Vec2, b: Vec2) -> Self {
        let ends = [a, b];
        let half_planes = if a == b { HalfPlanes4::EMPTY } else { HalfPlanes4::of(&ends, 0) };
        Self { ends, half_planes, length: length(b.as_dvec2() - a.as_dvec2()) as f32 }
    }

    #[inline]
    pub fn a(&self) -> Vec2 {
        self.ends[0]
    }

    #[inline]
    pub fn b(&self) -> Vec2 {
        self.ends[1]
    }

    /// Returns the unit vector from the first end to the second and their distance, both zero if
    /// the ends coincide. For fast paths.
    #[inline(always)]
    pub fn axis(&self) -> (Vec2, f32) {
        (Vec2::new(-self.half_planes.normal_y[0], self.half_planes.normal_x[0]), self.length)
    }

    #[inline]
    pub fn as_convex(&self, radius: f32) -> Convex<'_> {
        if self.ends[0] == self.ends[1] {
            return Convex::point(&self.ends[0], radius);
        }
        let (half_planes, extent) = (core::slice::from_ref(&self.half_planes), extent(&self.ends));
        Convex { points: &self.ends, half_planes, extent, radius }
    }

    pub fn transformed(&self, pose: &Pose) -> Self {
        Self::new(pose.transform_point(self.a()), pose.transform_point(self.b()))
    }

    pub fn translated(&self, by: Vec2) -> Self {
        let [a, b] = self.ends.map(|end| to_vec2(end.as_dvec2() + by.as_dvec2()));
        Self::new(a, b)
    }

    pub fn flipped(&self, flip: Flip) -> Self {
        Self::new(flip.apply(self.a()), flip.apply(self.b()))
    }
}
