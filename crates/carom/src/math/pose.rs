//! [`Pose`]: position, rotation and scale.

use core::ops::Mul;

use glam::{DVec2, Vec2};

use crate::error::ShapeError;
use crate::math::IntoVec2;

/// A rotation by an angle in radians, counterclockwise if y points up.
///
/// Quarter turns are exact: an angle that is the `f32` closest to a multiple of π/2 rotates a box
/// into a box without any rounding.
#[derive(Clone, Copy, PartialEq)]
pub struct Rotation {
    angle: f32,
    cos: f64,
    sin: f64,
}

impl Rotation {
    /// The identity rotation.
    pub const IDENTITY: Self = Self { angle: 0.0, cos: 1.0, sin: 0.0 };

    /// Creates a rotation by `angle` radians. NaN and infinity give the identity; see
    /// [`Pose::try_new`] for a constructor that reports them.
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

    /// Creates the rotation that turns `Vec2::X` into the direction of (`cos`, `sin`), which need not
    /// have the length 1. The angle is rounded to `f32`; quarter turns stay exact.
    ///
    /// # Panics
    /// Panics if a number is not finite, or both are zero.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let up = Rotation::from_cos_sin(0.0, 1.0);
    /// assert_eq!(up.rotate([100.0, 1.0]), Vec2::new(-1.0, 100.0));
    /// ```
    pub fn from_cos_sin(cos: f32, sin: f32) -> Self {
        assert!(
            cos.is_finite() && sin.is_finite() && (cos, sin) != (0.0, 0.0),
            "the cosine is {cos} and the sine {sin}; they must be finite and not both zero"
        );
        Self::from_angle(libm::atan2(f64::from(sin), f64::from(cos)) as f32)
    }

    fn from_quarter_turn(cos: f64, sin: f64) -> Self {
        let (cos, sin) = (cos + 0.0, sin + 0.0); // no minus zero
        Self { angle: libm::atan2(sin, cos) as f32, cos, sin }
    }

    /// Returns the angle in radians, as it was given.
    pub fn angle(self) -> f32 {
        self.angle
    }

    /// Returns `true` if this is the identity.
    pub fn is_identity(self) -> bool {
        self.cos == 1.0 && self.sin == 0.0
    }

    /// Returns `true` for a multiple of a quarter turn, which maps axis-aligned boxes to such boxes.
    pub(crate) fn keeps_axes_aligned(self) -> bool {
        self.sin == 0.0 || self.cos == 0.0
    }

    /// Rotates a vector.
    pub fn rotate(self, v: impl IntoVec2) -> Vec2 {
        crate::math::to_vec2(self.rotate_f64(v.into_vec2().as_dvec2()))
    }

    pub(crate) fn rotate_f64(self, v: DVec2) -> DVec2 {
        DVec2::new(v.x * self.cos - v.y * self.sin, v.x * self.sin + v.y * self.cos)
    }

    /// Returns the inverse rotation.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let turn = Rotation::from_angle(0.3);
    /// assert_eq!(turn.inverse(), Rotation::from_angle(-0.3));
    /// ```
    #[must_use]
    pub fn inverse(self) -> Self {
        Self { angle: -self.angle, sin: -self.sin, ..self }
    }
}

/// `second * first` applies `first` and then `second`. Exact if both are quarter turns.
///
/// The angles are added. A sum beyond ±π is reduced by full turns, and rounded to `f32`.
///
/// ```
/// use carom::prelude::*;
/// use core::f32::consts::{FRAC_PI_2, PI};
/// let quarter = Rotation::from_angle(FRAC_PI_2);
/// assert_eq!(quarter * quarter, Rotation::from_angle(PI));
/// assert!((quarter * quarter * quarter * quarter).is_identity());
/// ```
impl Mul for Rotation {
    type Output = Self;

    fn mul(self, first: Self) -> Self {
        // The product follows from its angle alone, because a file stores only the angle.
        if self.is_identity() {
            return first;
        }
        if first.is_identity() {
            return self;
        }
        let sum = f64::from(self.angle) + f64::from(first.angle);
        if self.keeps_axes_aligned() && first.keeps_axes_aligned() {
            // The sum of rounded angles need not be a rounded multiple of a quarter turn.
            let (cos, sin) = (
                self.cos * first.cos - self.sin * first.sin,
                self.sin * first.cos + self.cos * first.sin,
            );
            return Self::from_quarter_turn(cos, sin);
        }
        let is_large = sum.abs() > f64::from(core::f32::consts::PI);
        let turns = if is_large { libm::round(sum / core::f64::consts::TAU) } else { 0.0 };
        Self::from_angle(crate::math::to_f32(sum - turns * core::f64::consts::TAU))
    }
}

/// Prints the angle in radians.
impl core::fmt::Debug for Rotation {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Rotation({:?})", self.angle)
    }
}

impl Default for Rotation {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// A transform that scales and rotates a shape about its local origin and then moves it to
/// `position`. (Other libraries call it an isometry or a transform.)
///
/// Keep a shape in local coordinates and derive the transformed copy
/// ([`transformed`](crate::shape::Shape::transformed)) from it, so that rounding errors do not
/// accumulate over many moves. Coordinates are computed in `f64` and rounded to `f32` once. Results
/// beyond the range of `f32` are clamped to it.
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
    /// The position of the shape's local origin.
    pub position: Vec2,
    /// The rotation.
    pub rotation: Rotation,
    /// The scale factor; greater than zero.
    pub scale: f32,
}

impl Pose {
    /// The identity transform.
    pub const IDENTITY: Self =
        Self { position: Vec2::ZERO, rotation: Rotation::IDENTITY, scale: 1.0 };

    /// Creates a pose from a position and an angle in radians.
    ///
    /// # Panics
    /// Panics if [`Pose::try_new`] returns an error.
    pub fn new(position: impl IntoVec2, angle: f32) -> Self {
        Self::try_new(position, angle, 1.0).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a pose from a position, an angle and a scale, or returns an error if the input is
    /// invalid.
    ///
    /// # Errors
    /// Returns [`ShapeError::NotFinite`] for NaN and infinity, and [`ShapeError::NotPositive`] if
    /// the scale is not greater than zero.
    pub fn try_new(position: impl IntoVec2, angle: f32, scale: f32) -> Result<Self, ShapeError> {
        crate::shape::validate::finite(angle, "angle")?;
        let pose =
            Self { position: position.into_vec2(), rotation: Rotation::from_angle(angle), scale };
        pose.validate()?;
        Ok(pose)
    }

    /// Returns an error if a number is not finite, or the scale is not greater than zero. A rotation
    /// is always finite.
    #[inline]
    pub(crate) fn validate(&self) -> Result<(), ShapeError> {
        use crate::shape::validate;
        validate::vector(self.position, "position.x", "position.y")?;
        validate::positive(self.scale, "scale")?;
        Ok(())
    }

    /// Creates a translation.
    pub fn from_translation(position: impl IntoVec2) -> Self {
        Self { position: position.into_vec2(), ..Self::IDENTITY }
    }

    /// Creates a rotation about a pivot.
    pub fn rotation_about(pivot: impl IntoVec2, angle: f32) -> Self {
        Self { rotation: Rotation::from_angle(angle), ..Self::IDENTITY }.about(pivot)
    }

    /// Creates a scaling about a pivot.
    pub fn scale_about(pivot: impl IntoVec2, scale: f32) -> Self {
        Self { scale, ..Self::IDENTITY }.about(pivot)
    }

    /// Returns the pose with another scale.
    #[must_use]
    pub fn with_scale(self, scale: f32) -> Self {
        Self { scale, ..self }
    }

    /// Returns the pose that rotates and scales about `pivot` instead of the local origin. The
    /// pivot is moved by `position`.
    #[must_use]
    pub fn about(self, pivot: impl IntoVec2) -> Self {
        let pivot = pivot.into_vec2().as_dvec2();
        let moved = self.rotation.rotate_f64(pivot * f64::from(self.scale));
        Self { position: crate::math::to_vec2(self.position.as_dvec2() + pivot - moved), ..self }
    }

    /// Transforms a point.
    pub fn transform_point(&self, point: impl IntoVec2) -> Vec2 {
        crate::math::to_vec2(self.transform_point_f64(point.into_vec2().as_dvec2()))
    }

    /// Returns the pose that undoes this one, up to rounding.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let ship = Pose::new([10.0, 5.0], core::f32::consts::FRAC_PI_2).with_scale(2.0);
    /// let gun = ship.transform_point([3.0, 0.0]);
    /// assert_eq!(ship.inverse().transform_point(gun), Vec2::new(3.0, 0.0));
    /// ```
    #[must_use]
    pub fn inverse(&self) -> Self {
        let (rotation, scale) = (self.rotation.inverse(), 1.0 / f64::from(self.scale));
        let position = rotation.rotate_f64(-self.position.as_dvec2() * scale);
        Self { position: crate::math::to_vec2(position), rotation, scale: to_scale(scale) }
    }

    /// Returns `true` if the pose neither rotates nor scales.
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

/// `parent * child` applies `child` and then `parent`: the world pose of something that is placed by
/// `child` on a body at `parent`.
///
/// ```
/// use carom::prelude::*;
/// let ship = Pose::new([10.0, 5.0], core::f32::consts::FRAC_PI_2);
/// let gun = Pose::from_translation([3.0, 0.0]); // on the ship
/// assert_eq!((ship * gun).position, Vec2::new(10.0, 8.0));
/// ```
impl Mul for Pose {
    type Output = Self;

    fn mul(self, child: Self) -> Self {
        Self {
            position: self.transform_point(child.position),
            rotation: self.rotation * child.rotation,
            scale: to_scale(f64::from(self.scale) * f64::from(child.scale)),
        }
    }
}

/// Rounds a scale to the range of the positive `f32`s.
fn to_scale(scale: f64) -> f32 {
    crate::math::to_f32(scale).max(f32::from_bits(1))
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}
