//! Ellipses.

use glam::{DVec2, Vec2};

use crate::error::ShapeError;
use crate::math::{Flip, IntoVec2, Pose, Rotation, to_vec2};
use crate::shape::{ConvexPolygon, Transform, validate};

/// The number of vertices that approximate an ellipse: a multiple of four, so that the ends of
/// both axes are among them.
const VERTICES: usize = 256;

/// A filled ellipse.
///
/// Queries treat it as a convex polygon with 256 vertices on the ellipse, the ends of its axes
/// among them. Between vertices the polygon lies inside the true ellipse, at most
/// 1 − cos(π/256) < 7.6e-5 of the larger radius away from it.
///
/// ```
/// use carom::prelude::*;
/// let shield = Ellipse::new([0.0, 0.0], [3.0, 1.0], 0.0);
/// let wall = Aabb::new([3.0, -1.0], [4.0, 1.0]);
/// assert!(shield.intersects(&wall) && !shield.overlaps(&wall));
/// ```
#[derive(Clone, PartialEq)]
pub struct Ellipse {
    center: Vec2,
    radii: Vec2,
    rotation: Rotation,
    pub(crate) polygon: ConvexPolygon,
}

impl Ellipse {
    /// Creates an ellipse from its center, its two radii, and the angle of the first radius in
    /// radians.
    ///
    /// # Panics
    /// Panics if [`Ellipse::try_new`] returns an error.
    pub fn new(center: impl IntoVec2, radii: impl IntoVec2, angle: f32) -> Self {
        Self::try_new(center, radii, angle).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates an ellipse, or returns an error if the input is invalid.
    ///
    /// # Errors
    /// Returns an error if a number is not finite or a radius is not greater than zero.
    pub fn try_new(
        center: impl IntoVec2,
        radii: impl IntoVec2,
        angle: f32,
    ) -> Result<Self, ShapeError> {
        let center = validate::vector(center.into_vec2(), "center.x", "center.y")?;
        let radii = radii.into_vec2();
        validate::positive(radii.x, "radii.x")?;
        validate::positive(radii.y, "radii.y")?;
        let rotation = Rotation::from_angle(validate::finite(angle, "angle")?);
        Ok(Self::derive(center, radii, rotation, &Pose::IDENTITY))
    }

    fn derive(center: Vec2, radii: Vec2, rotation: Rotation, pose: &Pose) -> Self {
        let polygon = ConvexPolygon::blank();
        let mut ellipse = Self { center, radii, rotation, polygon };
        ellipse.apply(pose);
        ellipse
    }

    /// Works like [`Transform::apply_pose`], but writes into the buffers of another ellipse.
    pub(crate) fn transform_into(&self, pose: &Pose, target: &mut Self) {
        (target.center, target.radii) = (self.center, self.radii);
        target.rotation = self.rotation;
        target.apply(pose);
    }

    /// Transforms the ellipse in place and recomputes its vertices.
    fn apply(&mut self, pose: &Pose) {
        let Self { center, radii, rotation, polygon } = self;
        let (middle, turn, arms_at) = (center.as_dvec2(), *rotation, radii.as_dvec2());
        let points = unit_vertices()
            .map(|arm| to_vec2(pose.transform_point_f64(middle + turn.rotate_f64(arm * arms_at))));
        polygon.refill(points, 0.0);
        *center = pose.transform_point(*center);
        *radii = Vec2::new(pose.scale_length(radii.x), pose.scale_length(radii.y));
        *rotation = pose.rotation * turn;
    }

    /// Returns the center.
    pub fn center(&self) -> Vec2 {
        self.center
    }

    /// Returns the two radii.
    pub fn radii(&self) -> Vec2 {
        self.radii
    }

    /// Returns the angle of the first radius in radians.
    pub fn angle(&self) -> f32 {
        self.rotation.angle()
    }

    /// Returns the vertices of the polygon that approximates the ellipse, counterclockwise (y up).
    pub fn points(&self) -> &[Vec2] {
        self.polygon.points()
    }
}

impl Transform for Ellipse {
    type Transformed = Self;

    fn apply_pose(&self, pose: &Pose) -> Self {
        Self::derive(self.center, self.radii, self.rotation, pose)
    }

    fn apply_translation(&self, by: Vec2) -> Self {
        let center = to_vec2(self.center.as_dvec2() + by.as_dvec2());
        // Name all fields: `..self.clone()` would copy the polygon, which is kilobytes, to drop it.
        let polygon = self.polygon.apply_translation(by);
        Self { center, polygon, radii: self.radii, rotation: self.rotation }
    }

    fn apply_flip(&self, flip: Flip) -> Self {
        Self {
            center: flip.apply(self.center),
            radii: self.radii,
            rotation: flip.flip_rotation(self.rotation),
            polygon: self.polygon.flipped(flip),
        }
    }
}

/// Returns the vertices on the unit circle. One quarter is computed and the others are rotations
/// of it, so the polygon is symmetric to the bit.
pub(super) fn unit_vertices() -> impl Iterator<Item = DVec2> {
    let quarter: [DVec2; VERTICES / 4] = core::array::from_fn(|i| {
        let (sin, cos) = libm::sincos(core::f64::consts::TAU * i as f64 / VERTICES as f64);
        DVec2::new(cos, sin)
    });
    (0..VERTICES).map(move |i| {
        let arm = quarter[i % quarter.len()];
        match i / quarter.len() {
            0 => arm,
            1 => DVec2::new(-arm.y, arm.x),
            2 => -arm,
            _ => DVec2::new(arm.y, -arm.x),
        }
    })
}
