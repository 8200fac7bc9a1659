//! Triangles.

use glam::Vec2;

use crate::error::ShapeError;
use crate::math::exact::{Orientation, orient2d};
use crate::math::{Flip, IntoVec2, Pose, to_vec2};
use crate::shape::convex::SmallConvex;
use crate::shape::{Transform, validate};

/// A filled triangle, given in either winding.
///
/// ```
/// use carom::prelude::*;
/// let spike = Triangle::new([0.0, 0.0], [2.0, 0.0], [1.0, 3.0]);
/// let foot = Circle::new([1.0, 4.0], 1.0);
/// assert!(spike.intersects(&foot) && !spike.overlaps(&foot));
/// ```
#[derive(Clone, Copy, PartialEq)]
pub struct Triangle {
    pub(crate) convex: SmallConvex<3>,
}

impl Triangle {
    /// Creates a triangle from its vertices.
    ///
    /// # Panics
    /// Panics if [`Triangle::try_new`] returns an error.
    pub fn new(a: impl IntoVec2, b: impl IntoVec2, c: impl IntoVec2) -> Self {
        Self::try_new(a, b, c).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a triangle, or returns an error if the input is invalid.
    ///
    /// # Errors
    /// Returns an error if a coordinate is not finite or the points are collinear.
    pub fn try_new(
        a: impl IntoVec2,
        b: impl IntoVec2,
        c: impl IntoVec2,
    ) -> Result<Self, ShapeError> {
        let mut points = [a.into_vec2(), b.into_vec2(), c.into_vec2()];
        validate::points(&points)?;
        match orient2d(points[0], points[1], points[2]) {
            Orientation::Collinear => return Err(ShapeError::Collinear { at: points[0] }),
            Orientation::Clockwise => points.swap(1, 2),
            Orientation::CounterClockwise => {}
        }
        Ok(Self { convex: SmallConvex::hull(points) })
    }

    /// Returns the vertices, counterclockwise (y up). There are three, unless the triangle is so
    /// small and so far from the origin that rounding has flattened it.
    #[inline]
    pub fn points(&self) -> &[Vec2] {
        self.convex.points()
    }

    fn mapped(&self, f: impl Fn(Vec2) -> Vec2) -> Self {
        let mut points = [self.convex.points()[0]; 3];
        points[..self.points().len()].copy_from_slice(self.points());
        Self { convex: SmallConvex::hull(points.map(f)) }
    }
}

impl Transform for Triangle {
    type Transformed = Self;

    fn apply_pose(&self, pose: &Pose) -> Self {
        self.mapped(|point| pose.transform_point(point))
    }

    fn apply_translation(&self, by: Vec2) -> Self {
        let by = by.as_dvec2();
        self.mapped(|point| to_vec2(point.as_dvec2() + by))
    }

    fn apply_flip(&self, flip: Flip) -> Self {
        Self { convex: self.convex.mapped(|ring| flip.flip_ring(ring)) }
    }
}
