//! Oriented boxes.

use glam::{DVec2, Vec2};

use crate::error::ShapeError;
use crate::math::{Flip, IntoVec2, Pose, Rotation, length, round_up, to_vec2};
use crate::shape::convex::SmallConvex;
use crate::shape::{Aabb, Transform, validate};

/// An oriented box (OBB): a center, half its width and height, and an angle.
///
/// Its corners are computed in `f64` and rounded once. Queries use the quadrilateral of the
/// rounded corners.
///
/// ```
/// use carom::prelude::*;
/// let crate_ = Obb::new([0.0, 0.0], [1.0, 1.0], core::f32::consts::FRAC_PI_4);
/// assert!(crate_.contains(&Point::new([1.4, 0.0])));
/// assert!(!crate_.contains(&Point::new([1.0, 1.0])));
/// ```
// 232 bytes: 40 for the definition, 40 for the corners and their extent, 112 for the half-planes
// and 32 for the approximation, with padding. Deriving the last two takes about 60 ns per box
// (most of a translation), where a test of two boxes takes 5 ns and a contact 34 ns, so both are
// stored. See also `HalfPlanes4`.
#[derive(Clone, Copy, PartialEq)]
#[doc(alias = "oriented bounding box")]
#[doc(alias = "rotated rectangle")]
pub struct Obb {
    center: Vec2,
    half_size: Vec2,
    rotation: Rotation,
    pub(crate) convex: SmallConvex<4>,
    pub(crate) approx: ApproxObb,
}

/// A bound on the relative rounding error of the few `f32` operations of a fast path.
pub(crate) const ERROR: f32 = 16.0 * (f32::EPSILON / 2.0);

/// The rectangle closest to the rounded corners, for the fast paths, with a bound on its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ApproxObb {
    pub center: Vec2,
    pub axis: Vec2,
    pub half_size: Vec2,
    /// A bound on the distance of a corner from the true one, plus the rounding error of the fast
    /// paths in proportion to the box.
    pub error: f32,
    /// A bound on the error of the direction of a side.
    pub tilt: f32,
}

impl ApproxObb {
    fn of(corners: &[Vec2]) -> Self {
        let &[a, b, c, d] = corners else {
            // Rounding has merged corners: an infinite error disables the fast paths.
            let (error, tilt) = (f32::INFINITY, f32::INFINITY);
            return Self { center: corners[0], axis: Vec2::X, half_size: Vec2::ZERO, error, tilt };
        };
        let [a, b, c, d] = [a, b, c, d].map(|corner| corner.as_dvec2());
        let (across, up) = (((b - a) + (c - d)) / 4.0, ((d - a) + (c - b)) / 4.0);
        let width = length(across);
        let axis = (across / width).as_vec2();
        let center = ((a + b + c + d) / 4.0).as_vec2();
        let half_size = Vec2::new(width as f32, length(up) as f32);
        // The distance of the approximate corners from the true ones.
        let (along, mid) = (axis.as_dvec2(), center.as_dvec2());
        let (x, y) = (
            along * f64::from(half_size.x),
            DVec2::new(-along.y, along.x) * f64::from(half_size.y),
        );
        let off = [(a, mid - x - y), (b, mid + x - y), (c, mid + x + y), (d, mid - x + y)];
        let off = off.iter().fold(0.0f64, |off, &(p, q)| off.max(length(p - q)));
        let size = f64::from(half_size.x) + f64::from(half_size.y);
        // The squares of larger sizes overflow `f32`.
        let error = if size < 1e18 {
            round_up(2.0 * off + 3.0 * f64::from(ERROR) * size + 1e-18)
        } else {
            f32::INFINITY
        };
        let tilt = round_up(2.0 * off / f64::from(half_size.min_element()));
        Self { center, axis, half_size, error, tilt }
    }
}

impl Obb {
    /// Creates an oriented box from its center, half its width and height, and an angle in
    /// radians.
    ///
    /// # Panics
    /// Panics if [`Obb::try_new`] returns an error.
    pub fn new(center: impl IntoVec2, half_size: impl IntoVec2, angle: f32) -> Self {
        Self::try_new(center, half_size, angle).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates an oriented box, or returns an error if the input is invalid.
    ///
    /// # Errors
    /// Returns an error if a number is not finite or a half size is not greater than zero.
    pub fn try_new(
        center: impl IntoVec2,
        half_size: impl IntoVec2,
        angle: f32,
    ) -> Result<Self, ShapeError> {
        let center = validate::vector(center.into_vec2(), "center.x", "center.y")?;
        let half_size = half_size.into_vec2();
        validate::positive(half_size.x, "half.x")?;
        validate::positive(half_size.y, "half.y")?;
        let rotation = Rotation::from_angle(validate::finite(angle, "angle")?);
        Ok(Self::derive(center, half_size, rotation, &Pose::IDENTITY))
    }

    /// Transforms an axis-aligned box. The corners are computed from those of the box, so that a
    /// box that is not rotated keeps them to the bit.
    pub(crate) fn from_box(aabb: &Aabb, pose: &Pose) -> Self {
        let (min, max) = (aabb.min().as_dvec2(), aabb.max().as_dvec2());
        let half_size = to_vec2((max - min) / 2.0 * f64::from(pose.scale));
        let convex = SmallConvex::hull(aabb.corners().map(|corner| pose.transform_point(corner)));
        Self {
            center: to_vec2(pose.transform_point_f64((min + max) / 2.0)),
            half_size,
            rotation: pose.rotation,
            approx: ApproxObb::of(convex.points()),
            convex,
        }
    }

    fn derive(center: Vec2, half_size: Vec2, rotation: Rotation, pose: &Pose) -> Self {
        let corner = |x: f64, y: f64| {
            let arm = DVec2::new(x * f64::from(half_size.x), y * f64::from(half_size.y));
            to_vec2(pose.transform_point_f64(center.as_dvec2() + rotation.rotate_f64(arm)))
        };
        let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        let convex = SmallConvex::hull(corners);
        Self {
            center: pose.transform_point(center),
            half_size: Vec2::new(pose.scale_length(half_size.x), pose.scale_length(half_size.y)),
            rotation: pose.rotation * rotation,
            approx: ApproxObb::of(convex.points()),
            convex,
        }
    }

    /// Returns the center.
    #[inline]
    pub fn center(&self) -> Vec2 {
        self.center
    }

    /// Returns half the width and height.
    #[inline]
    pub fn half_size(&self) -> Vec2 {
        self.half_size
    }

    /// Returns the angle in radians.
    #[inline]
    pub fn angle(&self) -> f32 {
        self.rotation.angle()
    }

    /// Returns the corners, counterclockwise (y up). There are four, unless the box is so small
    /// and so far from the origin that rounding has merged some of them.
    #[inline]
    pub fn corners(&self) -> &[Vec2] {
        self.convex.points()
    }
}

impl Transform for Obb {
    type Transformed = Self;

    fn apply_pose(&self, pose: &Pose) -> Self {
        Self::derive(self.center, self.half_size, self.rotation, pose)
    }

    fn apply_translation(&self, by: Vec2) -> Self {
        let by = by.as_dvec2();
        let mut points = [self.convex.points()[0]; 4];
        points[..self.corners().len()].copy_from_slice(self.corners());
        let convex = SmallConvex::hull(points.map(|p| to_vec2(p.as_dvec2() + by)));
        let center = to_vec2(self.center.as_dvec2() + by);
        Self { center, approx: ApproxObb::of(convex.points()), convex, ..*self }
    }

    fn apply_flip(&self, flip: Flip) -> Self {
        let convex = self.convex.mapped(|ring| {
            flip.flip_ring(ring);
            if let [_, _, _, _] = ring {
                // Start the ring at the corner that is the minimum before the rotation, as the
                // constructors do.
                ring.rotate_left(match (flip.x, flip.y) {
                    (false, false) => 0,
                    (false, true) => 1,
                    (true, true) => 2,
                    (true, false) => 3,
                });
            }
        });
        Self {
            center: flip.apply(self.center),
            rotation: flip.flip_rotation(self.rotation),
            approx: ApproxObb::of(convex.points()),
            convex,
            ..*self
        }
    }
}
