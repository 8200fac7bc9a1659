//! Axis-aligned boxes.

use glam::{DVec2, Vec2};

use crate::error::ShapeError;
use crate::math::{Flip, IntoVec2, Pose, clamp_finite, to_vec2};
use crate::shape::convex::{Convex, ConvexBuffer, HalfPlanes4};
use crate::shape::{Obb, Transform, validate};

/// An axis-aligned box (AABB).
///
/// The constructors require an area. The [`bounds`](crate::shape::Shape::bounds) of a point or an
/// axis-aligned segment are boxes without width or height; all queries accept them, too.
///
/// ```
/// use carom::prelude::*;
/// let floor = Aabb::new([0.0, 0.0], [10.0, 1.0]);
/// let hero = Aabb::from_center_half_size([5.0, 2.0], [0.5, 1.0]);
/// assert!(floor.intersects(&hero)); // They touch,
/// assert!(!floor.overlaps(&hero)); // but do not overlap.
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "axis-aligned bounding box")]
#[doc(alias = "rectangle")]
pub struct Aabb {
    min: Vec2,
    max: Vec2,
}

impl Aabb {
    /// Creates a box from its minimum and maximum corner.
    ///
    /// # Panics
    /// Panics if [`Aabb::try_new`] returns an error.
    pub fn new(min: impl IntoVec2, max: impl IntoVec2) -> Self {
        Self::try_new(min, max).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a box, or returns an error if the input is invalid.
    ///
    /// # Errors
    /// Returns an error if a number is not finite, or the width or height is not greater than zero.
    pub fn try_new(min: impl IntoVec2, max: impl IntoVec2) -> Result<Self, ShapeError> {
        let min = validate::vector(min.into_vec2(), "min.x", "min.y")?;
        let max = validate::vector(max.into_vec2(), "max.x", "max.y")?;
        for (low, high, field) in [(min.x, max.x, "max.x - min.x"), (min.y, max.y, "max.y - min.y")]
        {
            if low >= high {
                return Err(ShapeError::NotPositive { field, value: high - low });
            }
        }
        Ok(Self { min, max })
    }

    /// Creates a box from its center and half its width and height.
    ///
    /// # Panics
    /// Panics if [`Aabb::try_new`] returns an error for the corners.
    pub fn from_center_half_size(center: impl IntoVec2, half: impl IntoVec2) -> Self {
        let (center, half) = (center.into_vec2(), half.into_vec2());
        Self::new(center - half, center + half)
    }

    /// Creates a box from its minimum corner, and its width and height.
    ///
    /// # Panics
    /// Panics if [`Aabb::try_new`] returns an error for the corners.
    pub fn from_min_size(corner: impl IntoVec2, size: impl IntoVec2) -> Self {
        let corner = corner.into_vec2();
        Self::new(corner, corner + size.into_vec2())
    }

    /// Creates a box from the coordinates of its sides. `top` may be less or greater than `bottom`:
    /// y may point up or down.
    ///
    /// # Panics
    /// Panics if [`Aabb::try_new`] returns an error for the corners.
    pub fn from_sides(left: f32, right: f32, top: f32, bottom: f32) -> Self {
        Self::new([left, top.min(bottom)], [right, top.max(bottom)])
    }

    /// Returns the smallest box around points, which may have no width or height. Returns `None`
    /// if there are no points or one of them is not finite.
    pub fn from_points(points: &[Vec2]) -> Option<Self> {
        let &first = points.first()?;
        if !points.iter().all(|point| point.is_finite()) {
            return None;
        }
        let (min, max) =
            points.iter().fold((first, first), |(min, max), &p| (min.min(p), max.max(p)));
        Some(Self { min, max })
    }

    /// Returns the smallest box around boxes.
    pub(crate) fn union(boxes: impl IntoIterator<Item = Self>) -> Self {
        let mut boxes = boxes.into_iter();
        let first = boxes.next().unwrap_or(Self { min: Vec2::ZERO, max: Vec2::ZERO });
        boxes.fold(first, |all, b| Self { min: all.min.min(b.min), max: all.max.max(b.max) })
    }

    /// Returns the bounds of points, of which there is at least one.
    pub(crate) fn of_vertices(points: &[Vec2]) -> Self {
        Self::union(points.iter().map(|&point| Self::new_unchecked(point, point)))
    }

    /// Creates a box that may have no width or height.
    pub(crate) fn new_unchecked(min: Vec2, max: Vec2) -> Self {
        Self { min, max }
    }

    /// Returns the minimum corner.
    #[inline]
    pub fn min(&self) -> Vec2 {
        self.min
    }

    /// Returns the maximum corner.
    #[inline]
    pub fn max(&self) -> Vec2 {
        self.max
    }

    /// Returns the width and height.
    pub fn size(&self) -> Vec2 {
        self.max - self.min
    }

    /// Returns the center.
    pub fn center(&self) -> Vec2 {
        to_vec2((self.min.as_dvec2() + self.max.as_dvec2()) / 2.0)
    }

    /// Returns the corners, counterclockwise (y up), starting with the minimum.
    #[inline]
    pub fn corners(&self) -> [Vec2; 4] {
        let (min, max) = (self.min, self.max);
        [min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)]
    }

    /// Returns the box as an oriented box.
    pub fn to_obb(&self) -> Obb {
        self.transformed(&Pose::IDENTITY)
    }

    /// Returns the axis-aligned box around the transformed corners. It grows when the box is
    /// rotated; [`transformed`](Self::transformed) returns an oriented box of the same size instead.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let sword = Aabb::new([-2.0, -1.0], [2.0, 1.0]);
    /// let quarter = Pose::new([0.0, 0.0], core::f32::consts::FRAC_PI_2);
    /// assert_eq!(sword.transformed_bounds(&quarter), Aabb::new([-1.0, -2.0], [1.0, 2.0]));
    /// ```
    ///
    /// # Panics
    /// Panics if a number of the pose is not finite, or the scale is not greater than zero.
    #[must_use]
    pub fn transformed_bounds(&self, pose: &Pose) -> Self {
        pose.validate().unwrap_or_else(|error| panic!("{error}"));
        let corners = self.corners().map(|corner| pose.transform_point(corner));
        Self::of_vertices(&corners)
    }

    /// Returns the box at a pose that does not rotate it or rotates it by quarter turns. Its corners are those
    /// of the transformed [`Obb`]. Returns `None` for other poses.
    #[inline]
    pub(crate) fn placed(&self, pose: &Pose) -> Option<Self> {
        if pose.is_translation() {
            return Some(self.apply_translation(pose.position)); // the same sums
        }
        pose.rotation.keeps_axes_aligned().then(|| {
            let [a, b] = [self.min, self.max].map(|corner| pose.transform_point(corner));
            Self { min: a.min(b), max: a.max(b) }
        })
    }

    /// Returns `true` if the two boxes share a point.
    #[inline(always)]
    pub(crate) fn intersects_aabb(&self, other: &Self) -> bool {
        // Branchless: the outcome depends on the data and would be mispredicted.
        (self.min.x <= other.max.x)
            & (other.min.x <= self.max.x)
            & (self.min.y <= other.max.y)
            & (other.min.y <= self.max.y)
    }

    /// Returns `true` if the interiors of the two boxes, which have an area, intersect.
    #[inline(always)]
    pub(crate) fn overlaps_aabb(&self, other: &Self) -> bool {
        (self.min.x < other.max.x)
            & (other.min.x < self.max.x)
            & (self.min.y < other.max.y)
            & (other.min.y < self.max.y)
    }

    /// Returns `true` if this box contains the other box.
    #[inline]
    pub(crate) fn contains_aabb(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    /// Returns the box with every side moved outwards, rounded outwards.
    pub(crate) fn fattened(&self, by: f64) -> Self {
        use crate::math::{add_round_up, round_up};
        let above = |x: f32| round_up(add_round_up(f64::from(x), by));
        let below = |x: f32| 0.0 - above(-x);
        Self {
            min: Vec2::new(below(self.min.x), below(self.min.y)),
            max: Vec2::new(above(self.max.x), above(self.max.y)),
        }
    }

    /// Returns the box as a convex shape, stored in the buffer.
    #[inline]
    pub(crate) fn as_convex<'s>(&self, buffer: &'s mut ConvexBuffer) -> Convex<'s> {
        let size = self.max - self.min;
        if size.x > 0.0 && size.y > 0.0 {
            buffer.points = self.corners();
            buffer.half_planes = HalfPlanes4 {
                normal_x: [0.0, 1.0, 0.0, -1.0],
                normal_y: [-1.0, 0.0, 1.0, 0.0],
                offset: [0.0, size.x, size.y, 0.0],
                normals: [DVec2::NEG_Y, DVec2::X, DVec2::Y, DVec2::NEG_X],
            };
            buffer.extent = f64::from(size.x) + f64::from(size.y);
            buffer.as_convex(4)
        } else {
            self.flat_convex(buffer)
        }
    }

    #[cold]
    fn flat_convex<'s>(&self, buffer: &'s mut ConvexBuffer) -> Convex<'s> {
        buffer.points[..2].copy_from_slice(&[self.min, self.max]);
        if self.min == self.max {
            return buffer.as_convex(1);
        }
        buffer.half_planes = HalfPlanes4::of(&buffer.points[..2], 0);
        buffer.extent = crate::shape::convex::extent(&buffer.points[..2]);
        buffer.as_convex(2)
    }
}

impl Transform for Aabb {
    type Transformed = Obb;

    fn apply_pose(&self, pose: &Pose) -> Obb {
        Obb::from_box(self, pose)
    }

    #[inline]
    fn apply_translation(&self, by: Vec2) -> Self {
        Self { min: clamp_finite(self.min + by), max: clamp_finite(self.max + by) }
    }

    fn apply_flip(&self, flip: Flip) -> Self {
        let [a, b] = [self.min, self.max].map(|corner| flip.apply(corner));
        Self { min: a.min(b), max: a.max(b) }
    }
}
