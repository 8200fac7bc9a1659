//! The methods on a single shape, written once for all types: transforms, measures and resizing. The
//! queries about two shapes are in `query/methods.rs`.

use glam::Vec2;

use super::{
    Aabb, AsShape, Capsule, Chain, Circle, Compound, ConvexPolygon, Ellipse, Mask, Obb, Point,
    Polygon, Segment, Shape, ShapeRef, TileMap, Transform, Triangle, measure, resize, validate,
};
use crate::error::ShapeError;
use crate::math::{Flip, IntoVec2, Pose};

macro_rules! shape_methods {
    ($($fence:literal: $shape:ty => $owned:ty, $transformed:ty;)*) => {$(
        /// # Transforms
        ///
        /// Each returns a new shape and leaves the original unchanged. Coordinates beyond the range of
        /// `f32` are clamped to it, so no shape has a number that is not finite.
        impl $shape {
            /// Returns the shape scaled, rotated and moved by a pose.
            ///
            /// An [`Aabb`] becomes an [`Obb`], which keeps its size; see
            /// [`Aabb::transformed_bounds`] for an axis-aligned result. As a [`Shape`] or as a part
            /// of a compound, it stays an [`Aabb`] if it is not rotated, or only by quarter turns.
            ///
            /// # Panics
            /// Panics if [`try_transformed`](Self::try_transformed) returns an error.
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// let sword = Segment::new([0.0, 0.0], [2.0, 0.0]);
            /// let carried = sword.transformed(&Pose::new([5.0, 1.0], 0.0).with_scale(0.5));
            /// assert_eq!((carried.a(), carried.b()), (Vec2::new(5.0, 1.0), Vec2::new(6.0, 1.0)));
            /// ```
            #[must_use]
            #[inline]
            pub fn transformed(&self, pose: &Pose) -> $transformed {
                self.try_transformed(pose).unwrap_or_else(|error| panic!("{error}"))
            }

            /// Returns the shape scaled, rotated and moved by a pose, or an error if the pose is
            /// invalid.
            ///
            /// # Errors
            /// Returns an error if a number of the pose is not finite, or the scale is not greater
            /// than zero.
            #[inline]
            pub fn try_transformed(&self, pose: &Pose) -> Result<$transformed, ShapeError> {
                pose.validate()?;
                Ok(self.apply_pose(pose))
            }

            /// Returns the shape moved by a vector.
            ///
            /// # Panics
            /// Panics if a coordinate of the vector is not finite.
            #[must_use]
            #[inline]
            pub fn translated(&self, by: impl IntoVec2) -> $owned {
                self.try_translated(by).unwrap_or_else(|error| panic!("{error}"))
            }

            /// Returns the shape moved by a vector, or an error if the vector is invalid.
            ///
            /// # Errors
            /// Returns an error if a coordinate of the vector is not finite.
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// let error = Circle::new([0.0, 0.0], 1.0).try_translated([0.0, f32::INFINITY]).unwrap_err();
            /// assert_eq!(error.to_string(), "translation.y is inf; it must be a finite number");
            /// ```
            #[inline]
            pub fn try_translated(&self, by: impl IntoVec2) -> Result<$owned, ShapeError> {
                let by = validate::vector(by.into_vec2(), "translation.x", "translation.y")?;
                Ok(self.apply_translation(by))
            }

            /// Returns the shape rotated about a pivot by an angle in radians.
            ///
            /// # Panics
            /// Panics if [`try_rotated`](Self::try_rotated) returns an error.
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// let sword = Segment::new([0.0, 0.0], [2.0, 0.0]);
            /// let raised = sword.rotated(core::f32::consts::FRAC_PI_2, sword.a());
            /// assert_eq!((raised.a(), raised.b()), (Vec2::ZERO, Vec2::new(0.0, 2.0)));
            /// ```
            #[must_use]
            pub fn rotated(&self, angle: f32, pivot: impl IntoVec2) -> $transformed {
                self.try_rotated(angle, pivot).unwrap_or_else(|error| panic!("{error}"))
            }

            /// Returns the shape rotated about a pivot by an angle in radians, or an error if one of
            /// them is invalid.
            ///
            /// # Errors
            /// Returns an error if a number is not finite.
            pub fn try_rotated(
                &self,
                angle: f32,
                pivot: impl IntoVec2,
            ) -> Result<$transformed, ShapeError> {
                validate::finite(angle, "angle")?;
                let pivot = validate::vector(pivot.into_vec2(), "pivot.x", "pivot.y")?;
                Ok(self.apply_pose(&Pose::rotation_about(pivot, angle)))
            }

            /// Returns the shape scaled by a factor about a pivot.
            ///
            /// # Panics
            /// Panics if [`try_scaled`](Self::try_scaled) returns an error.
            #[must_use]
            pub fn scaled(&self, factor: f32, pivot: impl IntoVec2) -> $transformed {
                self.try_scaled(factor, pivot).unwrap_or_else(|error| panic!("{error}"))
            }

            /// Returns the shape scaled by a factor about a pivot, or an error if one of them is
            /// invalid.
            ///
            /// # Errors
            /// Returns an error if a number is not finite, or the factor is not greater than zero.
            pub fn try_scaled(
                &self,
                factor: f32,
                pivot: impl IntoVec2,
            ) -> Result<$transformed, ShapeError> {
                validate::positive(factor, "factor")?;
                let pivot = validate::vector(pivot.into_vec2(), "pivot.x", "pivot.y")?;
                Ok(self.apply_pose(&Pose::scale_about(pivot, factor)))
            }

            /// Returns the mirror image of the shape about the origin. Coordinates only change
            /// sign, so nothing is rounded: flipping twice restores the shape bit for bit.
            ///
            /// Outlines keep their winding. The front of a one-sided chain is mirrored with it.
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// let foot = Obb::new([2.0, 0.5], [1.0, 0.5], 0.3);
            /// assert_eq!(foot.flipped(Flip::X), Obb::new([-2.0, 0.5], [1.0, 0.5], -0.3));
            /// ```
            #[doc(alias = "mirrored")]
            #[must_use]
            pub fn flipped(&self, flip: Flip) -> $owned {
                self.apply_flip(flip)
            }
        }

        /// # Measures
        impl $shape {
            /// Returns the smallest axis-aligned box around the shape. Sides that are not
            /// representable as `f32` are rounded outwards. For a tile map or mask, this is the
            /// box around all rows and columns that are not empty.
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// let bounds = Circle::new([1.0, 2.0], 0.5).bounds();
            /// assert_eq!(bounds, Aabb::new([0.5, 1.5], [1.5, 2.5]));
            /// ```
            #[doc(alias = "aabb")]
            #[doc(alias = "bounding_box")]
            #[inline(always)]
            pub fn bounds(&self) -> Aabb {
                measure::bounds(self.as_shape())
            }

            /// Returns the smallest circle around the shape whose center is that of its
            /// [`bounds`](Self::bounds).
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// let around = Aabb::new([0.0, 0.0], [6.0, 8.0]).bounding_circle();
            /// assert_eq!(around, Circle::new([3.0, 4.0], 5.0));
            /// ```
            pub fn bounding_circle(&self) -> Circle {
                measure::bounding_circle(self.as_shape())
            }

            /// Returns the area; zero for points and lines. If parts of a compound overlap, the
            /// shared area counts once for each of them.
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// assert_eq!(Triangle::new([0.0, 0.0], [4.0, 0.0], [0.0, 3.0]).area(), 6.0);
            /// ```
            pub fn area(&self) -> f32 {
                measure::area(self.as_shape())
            }

            /// Returns the center of mass: of the area if there is one, otherwise of the lines
            /// weighted by length, otherwise of the points.
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// let path = Chain::new(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0]]);
            /// assert_eq!(path.centroid(), Vec2::new(3.0, 1.0));
            /// ```
            #[doc(alias = "center_of_mass")]
            pub fn centroid(&self) -> Vec2 {
                measure::centroid(self.as_shape())
            }

            /// Returns the point of the shape that lies furthest in a direction (its support
            /// point). The zero vector counts as `Vec2::X`.
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// let ball = Circle::new([1.0, 1.0], 2.0);
            /// assert_eq!(ball.support([0.0, 9.0]), Vec2::new(1.0, 3.0));
            /// ```
            pub fn support(&self, direction: impl IntoVec2) -> Vec2 {
                measure::support(self.as_shape(), direction.into_vec2())
            }
        }

        /// # Resizing
        impl $shape {
            /// Returns the shape with its boundary moved outwards by a margin, or inwards by a
            /// negative one, for example to make a hitbox forgiving.
            ///
            /// Boxes and ellipses keep their type. Points, segments and chains grow into circles
            /// and capsules. Polygons, tile maps and masks grow with round corners and shrink with
            /// sharp ones; a map shrinks to polygons without its one-way platforms. A compound shrinks
            /// as a whole: parts that touch become polygons, so that no gap opens between them.
            ///
            /// # Errors
            /// Returns an error if the margin is not finite, or
            /// [`ShapeError::ShrunkToNothing`] if nothing is left.
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// let body = Aabb::new([0.0, 0.0], [16.0, 24.0]);
            /// assert_eq!(body.grown(-2.0).unwrap(), Aabb::new([2.0, 2.0], [14.0, 22.0]).into());
            /// ```
            #[doc(alias = "inflate")]
            #[doc(alias = "inset")]
            #[doc(alias = "offset")]
            pub fn grown(&self, margin: f32) -> Result<Shape, ShapeError> {
                resize::grown(self.as_shape(), margin)
            }

            /// Returns the shape scaled about its centroid to a percentage of its size.
            ///
            /// # Errors
            /// Returns an error if the percentage is not finite or not greater than zero.
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// let body = Aabb::new([0.0, 0.0], [10.0, 20.0]);
            /// assert_eq!(body.resized(75.0).unwrap(), Aabb::new([1.25, 2.5], [8.75, 17.5]).into());
            /// ```
            pub fn resized(&self, percent: f32) -> Result<Shape, ShapeError> {
                resize::resized(self.as_shape(), percent)
            }
        }
    )*};
}

for_each_shape_type!(shape_methods);
