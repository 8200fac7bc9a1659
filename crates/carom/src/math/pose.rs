//! Where a shape is: position, rotation and scale.

use glam::{DVec2, Vec2};

use crate::error::ShapeError;

/// A turn by an angle in radians, counter-clockwise in a y-up frame.
///
/// Quarter turns are exact: an angle that is the `f32` nearest to a multiple of π/2 turns a box
/// into a box with no rounding at all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation {
    angle: f32,
    cos: f64,
    sin: f64,
}

impl Rotation {
    /// No turn.
    pub const IDENTITY: Self = Self { angle: 0.0, cos: 1.0, sin: 0.0 };

    /// A turn by `angle` radians. NaN and infinity count as no turn; see [`Pose::try_new`] for a
    /// checked way in.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let quarter = Rotation::from_angle(core::f32::consts::FRAC_PI_2);
    /// assert_eq!(quarter.rotate(Vec2::new(100.0, 1.0)), Vec2::new(-1.0, 100.0));
    /// ```
    pub fn from_angle(angle: f32) -> Self {
        if !angle.is_finite() {
            return Self::IDENTITY;
        }
        let quarter = core::f64::consts::FRAC_PI_2;
        let turns = libm::round(f64::from(angle) / quarter);
        if (turns * quarter) as f32 == angle {
            // `turns` is below 2¹²⁸; its remainder by 4 is exact.
            let (cos, sin) = match (turns % 4.0 + 4.0) % 4.0 {
                0.0 => (1.0, 0.0),
                1.0 => (0.0, 1.0),
                2.0 => (-1.0, 0.0),
                _ => (0.0, -1.0),
            };
            return Self { angle, cos, sin };
        }
        let (sin, cos) = libm::sincos(f64::from(angle));
        Self { angle, cos, sin }
    }

    /// The angle in radians, as it was given.
    pub fn angle(self) -> f32 {
        self.angle
    }

    /// Whether this turn leaves everything as it is.
    pub fn is_identity(self) -> bool {
        self.cos == 1.0 && self.sin == 0.0
    }

    /// Whether level stays level or becomes upright: a turn by quarters, or none.
    pub(crate) fn keeps_axes_aligned(self) -> bool {
        self.sin == 0.0 || self.cos == 0.0
    }

    /// A vector, turned.
    pub fn rotate(self, v: impl Into<Vec2>) -> Vec2 {
        crate::math::to_vec2(self.rotate_f64(v.into().as_dvec2()))
    }

    pub(crate) fn rotate_f64(self, v: DVec2) -> DVec2 {
        DVec2::new(v.x * self.cos - v.y * self.sin, v.x * self.sin + v.y * self.cos)
    }

    /// The same turn the other way.
    pub(crate) fn inverse(self) -> Self {
        Self { angle: -self.angle, sin: -self.sin, ..self }
    }

    /// This turn after `first`; exact where both are quarter turns.
    pub(crate) fn compose(self, first: Self) -> Self {
        let angle = crate::math::to_f32(f64::from(self.angle) + f64::from(first.angle));
        Self {
            angle,
            cos: self.cos * first.cos - self.sin * first.sin,
            sin: self.sin * first.cos + self.cos * first.sin,
        }
    }
}

impl Default for Rotation {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Where a shape is placed: scaled and turned about its own origin, then moved to `position`.
///
/// A shape keeps its original coordinates; [`transformed`](crate::shape::Shape::transformed) derives the
/// placed version from them, so errors never pile up over many moves. Coordinates are computed in
/// `f64` and rounded to `f32` once; what would leave the range of `f32` stops at its edge.
///
/// ```
/// use carom::prelude::*;
/// let door = Aabb::new([0.0, 0.0], [4.0, 1.0]);
/// let hinge = Vec2::new(4.0, 0.0);
/// let open = door.transformed(&Pose::rotation_about(hinge, core::f32::consts::FRAC_PI_2));
/// assert_eq!(open.bounds(), Aabb::new([3.0, -4.0], [4.0, 0.0]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Where the shape's own origin comes to stand.
    pub position: Vec2,
    /// How it is turned.
    pub rotation: Rotation,
    /// How many times its own size it is; greater than zero.
    pub scale: f32,
}

impl Pose {
    /// Leaves a shape as it is.
    pub const IDENTITY: Self =
        Self { position: Vec2::ZERO, rotation: Rotation::IDENTITY, scale: 1.0 };

    /// At a position, turned by an angle in radians.
    ///
    /// # Panics
    /// Where a number is NaN or infinite; see [`Pose::try_new`].
    pub fn new(position: impl Into<Vec2>, angle: f32) -> Self {
        Self::try_new(position, angle, 1.0).unwrap_or_else(|error| panic!("{error}"))
    }

    /// At a position, turned by an angle and scaled, checked.
    ///
    /// # Errors
    /// [`ShapeError::NotFinite`] for NaN and infinity, [`ShapeError::NotPositive`] for a scale
    /// that is not above zero.
    pub fn try_new(position: impl Into<Vec2>, angle: f32, scale: f32) -> Result<Self, ShapeError> {
        use crate::shape::validate;
        let position = validate::vector(position.into(), "position.x", "position.y")?;
        validate::finite(angle, "angle")?;
        validate::positive(scale, "scale")?;
        Ok(Self { position, rotation: Rotation::from_angle(angle), scale })
    }

    /// Moved by a vector, neither turned nor scaled.
    pub fn from_translation(position: impl Into<Vec2>) -> Self {
        Self { position: position.into(), ..Self::IDENTITY }
    }

    /// Turned about a pivot, which stays where it is.
    pub fn rotation_about(pivot: impl Into<Vec2>, angle: f32) -> Self {
        Self { rotation: Rotation::from_angle(angle), ..Self::IDENTITY }.about(pivot)
    }

    /// Scaled about a pivot, which stays where it is.
    pub fn scale_about(pivot: impl Into<Vec2>, scale: f32) -> Self {
        Self { scale, ..Self::IDENTITY }.about(pivot)
    }

    /// The same with another scale.
    #[must_use]
    pub fn with_scale(self, scale: f32) -> Self {
        Self { scale, ..self }
    }

    /// The same turn and scale, but about `pivot` in place of the shape's own origin; the pivot
    /// ends at its old place plus `position`.
    #[must_use]
    pub fn about(self, pivot: impl Into<Vec2>) -> Self {
        let pivot = pivot.into().as_dvec2();
        let moved = self.rotation.rotate_f64(pivot * f64::from(self.scale));
        Self { position: crate::math::to_vec2(self.position.as_dvec2() + pivot - moved), ..self }
    }

    /// Where a point of the shape comes to stand.
    pub fn transform_point(&self, point: impl Into<Vec2>) -> Vec2 {
        crate::math::to_vec2(self.transform_point_f64(point.into().as_dvec2()))
    }

    /// Whether it neither turns nor scales.
    #[inline]
    pub(crate) fn is_translation(&self) -> bool {
        self.scale == 1.0 && self.rotation.is_identity()
    }

    pub(crate) fn transform_point_f64(&self, point: DVec2) -> DVec2 {
        self.position.as_dvec2() + self.rotation.rotate_f64(point * f64::from(self.scale))
    }

    pub(crate) fn scale_length(&self, length: f32) -> f32 {
        crate::math::to_f32(f64::from(length) * f64::from(self.scale))
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}
