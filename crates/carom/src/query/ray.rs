//! Rays, and what they find.

use glam::{DVec2, Vec2};

use crate::error::ShapeError;
use crate::math::to_vec2;
use crate::query::span::Line;
use crate::shape::validate;

/// A ray: where it starts, where it goes, and how far.
///
/// ```
/// use carom::prelude::*;
/// let wall = Aabb::new([4.0, -1.0], [5.0, 1.0]);
/// let hit = wall.raycast(&Ray::new([0.0, 0.0], [1.0, 0.0], 100.0)).unwrap();
/// assert_eq!((hit.distance, hit.normal, hit.exit), (4.0, Vec2::new(-1.0, 0.0), 5.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    pub(crate) line: Line,
    /// Where on the line the ray ends.
    pub(crate) end: f64,
}

impl Ray {
    /// From a point in a direction of any length, up to a distance, which may be infinite.
    ///
    /// # Panics
    /// Where [`Ray::try_new`] gives an error.
    pub fn new(origin: impl Into<Vec2>, direction: impl Into<Vec2>, max: f32) -> Self {
        Self::try_new(origin, direction, max).unwrap_or_else(|error| panic!("{error}"))
    }

    /// From a point in a direction of any length, up to a distance, which may be infinite; checked.
    ///
    /// # Errors
    /// A coordinate that is not finite; a direction that is zero; a distance that is NaN or
    /// negative.
    pub fn try_new(
        origin: impl Into<Vec2>,
        direction: impl Into<Vec2>,
        max: f32,
    ) -> Result<Self, ShapeError> {
        let origin = validate::vector(origin.into(), "origin.x", "origin.y")?;
        let direction = validate::vector(direction.into(), "direction.x", "direction.y")?;
        if max != f32::INFINITY {
            validate::not_negative(max, "max")?;
        }
        let line = Self::line(origin, direction.as_dvec2())?;
        Ok(Self { line, end: f64::from(max) / line.length })
    }

    /// From one point to another.
    ///
    /// # Panics
    /// Where [`Ray::try_from_to`] gives an error.
    pub fn from_to(from: impl Into<Vec2>, to: impl Into<Vec2>) -> Self {
        Self::try_from_to(from, to).unwrap_or_else(|error| panic!("{error}"))
    }

    /// From one point to another, checked.
    ///
    /// # Errors
    /// A coordinate that is not finite; two points that coincide.
    pub fn try_from_to(from: impl Into<Vec2>, to: impl Into<Vec2>) -> Result<Self, ShapeError> {
        let from = validate::vector(from.into(), "from.x", "from.y")?;
        let to = validate::vector(to.into(), "to.x", "to.y")?;
        Ok(Self { line: Self::line(from, to.as_dvec2() - from.as_dvec2())?, end: 1.0 })
    }

    fn line(origin: Vec2, along: DVec2) -> Result<Line, ShapeError> {
        let line = Line::new(origin.as_dvec2(), along);
        if line.length == 0.0 {
            return Err(ShapeError::NotPositive { what: "the direction's length", value: 0.0 });
        }
        Ok(line)
    }

    /// Where it starts.
    pub fn origin(&self) -> Vec2 {
        to_vec2(self.line.origin)
    }

    /// Where it goes, as a unit vector.
    pub fn direction(&self) -> Vec2 {
        to_vec2(self.line.along / self.line.length)
    }

    /// How far it goes.
    pub fn max_distance(&self) -> f32 {
        (self.end * self.line.length) as f32
    }

    /// The point at a distance from the start.
    pub fn point_at(&self, distance: f32) -> Vec2 {
        to_vec2(self.line.at(f64::from(distance) / self.line.length))
    }
}

/// Where a ray goes into a shape and comes out of it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RayHit {
    /// How far along the ray: 0 where the ray starts inside.
    pub distance: f32,
    /// The point that is hit.
    pub point: Vec2,
    /// Unit vector out of the surface hit; against the ray where there is no surface: the ray
    /// starts inside, or meets a point or the end of a line head on.
    pub normal: Vec2,
    /// How far along the ray it leaves the shape, though perhaps to come back: beyond the ray's
    /// end where it ends inside. The same as `distance` for lines that are crossed.
    pub exit: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_rays_are_named() {
        let error = |direction: [f32; 2], max: f32| {
            alloc::format!("{}", Ray::try_new([0.0, 0.0], direction, max).unwrap_err())
        };
        assert!(error([0.0, 0.0], 1.0).contains("direction"));
        assert!(error([f32::NAN, 0.0], 1.0).contains("direction.x"));
        assert!(error([1.0, 0.0], -1.0).contains("max"));
        assert!(error([1.0, 0.0], f32::NAN).contains("max"));
        assert!(Ray::try_from_to([1.0, 1.0], [1.0, 1.0]).is_err());
    }
}
