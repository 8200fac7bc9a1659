//! Oriented boxes.

use glam::{DVec2, Vec2};

use crate::error::ShapeError;
use crate::math::{Pose, Rotation, round};
use crate::shape::core::SmallCore;
use crate::shape::{Aabb, Place, check};

/// An oriented box: a middle, half its width and height, and an angle.
///
/// Its corners are computed in `f64` and rounded once; what questions see is the box between these
/// corners.
///
/// ```
/// use carom::prelude::*;
/// let crate_ = Rect::new([0.0, 0.0], [1.0, 1.0], core::f32::consts::FRAC_PI_4);
/// assert!(crate_.contains(&Point::new([1.4, 0.0])));
/// assert!(!crate_.contains(&Point::new([1.0, 1.0])));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    center: Vec2,
    half: Vec2,
    rotation: Rotation,
    pub(crate) core: SmallCore<4>,
}

impl Rect {
    /// From the middle, half the width and height, and an angle in radians.
    ///
    /// # Panics
    /// Where [`Rect::try_new`] gives an error.
    pub fn new(center: impl Into<Vec2>, half: impl Into<Vec2>, angle: f32) -> Self {
        Self::try_new(center, half, angle).unwrap_or_else(|error| panic!("{error}"))
    }

    /// From the middle, half the width and height, and an angle in radians, checked.
    ///
    /// # Errors
    /// A number that is not finite; half a width or height that is not above zero.
    pub fn try_new(
        center: impl Into<Vec2>,
        half: impl Into<Vec2>,
        angle: f32,
    ) -> Result<Self, ShapeError> {
        let center = check::vector(center.into(), "center.x", "center.y")?;
        let half = half.into();
        check::positive(half.x, "half.x")?;
        check::positive(half.y, "half.y")?;
        let rotation = Rotation::from_angle(check::finite(angle, "angle")?);
        Ok(Self::derive(center, half, rotation, &Pose::IDENTITY))
    }

    /// An axis-aligned box, placed. The corners come from the box's own, so that a box which is
    /// not turned keeps them to the bit.
    pub(crate) fn from_box(aabb: &Aabb, pose: &Pose) -> Self {
        let (min, max) = (aabb.min().as_dvec2(), aabb.max().as_dvec2());
        let half = round((max - min) / 2.0 * f64::from(pose.scale));
        Self {
            center: round(pose.place((min + max) / 2.0)),
            half,
            rotation: pose.rotation,
            core: SmallCore::hull(aabb.corners().map(|corner| pose.apply(corner))),
        }
    }

    fn derive(center: Vec2, half: Vec2, rotation: Rotation, pose: &Pose) -> Self {
        let corner = |x: f64, y: f64| {
            let arm = DVec2::new(x * f64::from(half.x), y * f64::from(half.y));
            round(pose.place(center.as_dvec2() + rotation.turn(arm)))
        };
        let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        Self {
            center: pose.apply(center),
            half: Vec2::new(pose.place_length(half.x), pose.place_length(half.y)),
            rotation: pose.rotation.after(rotation),
            core: SmallCore::hull(corners),
        }
    }

    /// The middle.
    #[inline]
    pub fn center(&self) -> Vec2 {
        self.center
    }

    /// Half the width and height.
    #[inline]
    pub fn half(&self) -> Vec2 {
        self.half
    }

    /// The angle in radians.
    #[inline]
    pub fn angle(&self) -> f32 {
        self.rotation.angle()
    }

    /// The corners, counter-clockwise (y up): four, but for a box so small and so far from the
    /// origin that rounding has let some of them fall together.
    #[inline]
    pub fn corners(&self) -> &[Vec2] {
        self.core.points()
    }
}

impl Place for Rect {
    type Placed = Self;

    fn placed(&self, pose: &Pose) -> Self {
        Self::derive(self.center, self.half, self.rotation, pose)
    }

    fn translated(&self, by: impl Into<Vec2>) -> Self {
        let by = by.into().as_dvec2();
        let mut points = [self.core.points()[0]; 4];
        points[..self.corners().len()].copy_from_slice(self.corners());
        Self {
            center: round(self.center.as_dvec2() + by),
            core: SmallCore::hull(points.map(|p| round(p.as_dvec2() + by))),
            ..*self
        }
    }
}
