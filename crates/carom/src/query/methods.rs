//! The query methods of every shape type, written once.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use glam::Vec2;

use super::{
    ClosestPoints, Contact, Explanation, Ray, RayHit, RigidMotion, SweepHit, contains, dispatch,
    distance, explain, outline, ray, sweep,
};
use crate::math::IntoVec2;
use crate::shape::*;

macro_rules! query_methods {
    ($($fence:literal: $shape:ty => $owned:ty, $transformed:ty;)*) => {$(
        /// # Queries about two shapes, and rays
        ///
        /// See [`query`](crate::query) for an overview.
        impl $shape {
            /// Returns `true` if the two shapes share at least one point. Touching counts. Exact.
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// let tile = Aabb::new([0.0, 0.0], [1.0, 1.0]);
            /// assert!(tile.intersects(&Aabb::new([1.0, 0.0], [2.0, 1.0])));
            /// ```
            #[doc(alias = "collides")]
            #[doc(alias = "hit_test")]
            #[inline(always)]
            pub fn intersects(&self, other: &impl AsShape) -> bool {
                dispatch::intersects(self.as_shape(), other.as_shape())
            }

            /// Returns `true` if the two shapes share more than boundary points. Touching does not
            /// count. Exact.
            ///
            /// Two areas overlap if their interiors intersect. An area and a line or point overlap
            /// if the line or point enters the interior. Two lines overlap if they cross at a
            /// point inside both. Points never overlap points or lines.
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// let tile = Aabb::new([0.0, 0.0], [1.0, 1.0]);
            /// assert!(!tile.overlaps(&Aabb::new([1.0, 0.0], [2.0, 1.0])));
            /// ```
            #[doc(alias = "penetrates")]
            #[inline(always)]
            pub fn overlaps(&self, other: &impl AsShape) -> bool {
                dispatch::overlaps(self.as_shape(), other.as_shape())
            }

            /// Returns `true` if every point of the other shape belongs to this shape, boundary
            /// included.
            ///
            /// Exact, with one exception: if a round shape is contained only in several parts of a
            /// [`Compound`], or several tiles of a rotated map, together, then gaps between the
            /// parts narrower than about 1e-11 of the largest coordinate go unnoticed. The same
            /// holds if the parts are round.
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// let floor = Compound::new([
            ///     Aabb::new([0.0, 0.0], [1.0, 1.0]),
            ///     Aabb::new([1.0, 0.0], [2.0, 1.0]),
            /// ]);
            /// assert!(floor.contains(&Circle::new([1.0, 0.5], 0.5)));
            /// assert!(!floor.contains(&Circle::new([1.0, 0.5], 0.51)));
            /// ```
            #[doc(alias = "encloses")]
            #[doc(alias = "covers")]
            #[inline(always)]
            pub fn contains(&self, other: &impl AsShape) -> bool {
                contains::contains(self.as_shape(), other.as_shape())
            }

            /// Returns the contact of the two shapes: the normal, the penetration depth, and the
            /// push (the minimum translation vector) that separates them. Returns `None` if they
            /// do not intersect.
            ///
            /// For composite shapes the push separates all parts at once, and is the shortest one
            /// that does.
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// let hero = Aabb::new([0.0, 0.75], [1.0, 2.75]);
            /// let floor = Compound::new([
            ///     Aabb::new([-1.0, 0.0], [0.5, 1.0]),
            ///     Aabb::new([0.5, 0.0], [2.0, 1.0]),
            /// ]);
            /// assert_eq!(hero.contact(&floor).unwrap().push, Vec2::new(0.0, 0.25));
            /// ```
            #[doc(alias = "mtv")]
            #[doc(alias = "minimum_translation_vector")]
            #[doc(alias = "penetration_depth")]
            #[doc(alias = "manifold")]
            #[inline(always)]
            pub fn contact(&self, other: &impl AsShape) -> Option<Contact> {
                dispatch::contact(self.as_shape(), other.as_shape())
            }

            /// Returns the distance between the two shapes. It is 0 exactly if they intersect.
            ///
            /// It is accurate to 1e-6 of itself plus 1e-9 of the extent of the two shapes together,
            /// at any distance from the origin.
            #[inline(always)]
            pub fn distance(&self, other: &impl AsShape) -> f32 {
                distance::distance(self.as_shape(), other.as_shape())
            }

            /// Returns a pair of closest points, one on each shape, and their distance.
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// let ball = Circle::new([0.0, 0.0], 1.0);
            /// let wall = Segment::new([3.0, -5.0], [3.0, 5.0]);
            /// let closest = ball.closest_points(&wall);
            /// assert_eq!((closest.distance, closest.on_a.x, closest.on_b.x), (2.0, 1.0, 3.0));
            /// ```
            #[doc(alias = "gjk")]
            #[doc(alias = "nearest_point")]
            pub fn closest_points(&self, other: &impl AsShape) -> ClosestPoints {
                distance::closest_points(self.as_shape(), other.as_shape())
            }

            /// Returns `true` if the distance between the two shapes is at most `tolerance`.
            ///
            /// Exact for two convex shapes if at most one of them has a radius and that radius
            /// plus the tolerance needs no rounding.
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// let handle = Circle::new([0.0, 0.0], 1.0);
            /// assert!(handle.is_within_distance(&Point::new([3.0, 4.0]), 4.0));
            /// ```
            pub fn is_within_distance(&self, other: &impl AsShape, tolerance: f32) -> bool {
                distance::is_within(self.as_shape(), other.as_shape(), tolerance)
            }

            /// Moves this shape along `motion` and returns its first impact on the other shape.
            /// No speed is too high: fast shapes do not tunnel.
            ///
            /// If the shapes touch at the start, only motion into the other shape is a hit;
            /// sliding along it or moving away is not. If they overlap at the start, the hit has
            /// time 0 and the penetration depth. A motion that is not finite counts as zero.
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// let bullet = Circle::new([0.0, 0.0], 0.1);
            /// let paper = Aabb::new([50.0, -1.0], [50.01, 1.0]);
            /// let hit = bullet.sweep([100_000.0, 0.0], &paper).unwrap();
            /// assert!((hit.time - 49.9 / 100_000.0).abs() < 1e-9);
            /// assert_eq!(hit.normal, Vec2::new(-1.0, 0.0));
            /// ```
            #[doc(alias = "shape_cast")]
            #[doc(alias = "time_of_impact")]
            #[doc(alias = "toi")]
            #[doc(alias = "ccd")]
            #[inline(always)]
            pub fn sweep(
                &self,
                motion: impl IntoVec2,
                other: &impl AsShape,
            ) -> Option<SweepHit> {
                let motion = motion.into_vec2();
                let motion = if motion.is_finite() { motion } else { Vec2::ZERO };
                sweep::sweep(self.as_shape(), motion, other.as_shape())
            }

            /// Moves and rotates this shape and returns its first impact on the other shape, by
            /// conservative advancement. At the hit the shape is at
            /// `self.transformed(&motion.at(hit.time))`.
            ///
            /// It works like [`sweep`](Self::sweep), with two differences: shapes without area that can
            /// only touch each other do not hit, and motion in contact is tested in 4096 to 65,536
            /// steps. A corner may be cut by less than one step. No part is skipped unless the
            /// path of the farthest point is more than 16,384 times as long as the part is wide.
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// use carom::query::RigidMotion;
            /// let sword = Aabb::new([0.0, -0.1], [4.0, 0.1]).to_obb();
            /// let swing = RigidMotion::new([0.0, 0.0], core::f32::consts::FRAC_PI_2, [0.0, 0.0]);
            /// let hit = sword.sweep_rotating(&swing, &Point::new([2.0, 2.0])).unwrap();
            /// assert!(hit.time > 0.45 && hit.time < 0.5);
            /// ```
            #[doc(alias = "conservative_advancement")]
            #[doc(alias = "nonlinear_shape_cast")]
            pub fn sweep_rotating(
                &self,
                motion: &RigidMotion,
                other: &impl AsShape,
            ) -> Option<SweepHit> {
                sweep::sweep_rotating(self.as_shape(), motion, other.as_shape())
            }

            /// Returns the first hit of a ray on this shape. Touching counts; a ray that starts
            /// inside hits at distance 0. A one-sided chain, or a one-way platform of a tile map,
            /// is hit from its front only. A ray along a segment hits its near end.
            ///
            /// Rays are computed in `f64`. The distance is accurate to 1e-6 of the extent of ray and
            /// shape. A ray that passes a shape at less than 1e-12 of the coordinates may count as
            /// touching it.
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// let ball = Circle::new([5.0, 0.0], 1.0);
            /// let hit = ball.raycast(&Ray::new([0.0, 0.0], [1.0, 0.0], 10.0)).unwrap();
            /// assert_eq!((hit.distance, hit.exit), (4.0, 6.0));
            /// ```
            #[doc(alias = "line_of_sight")]
            #[doc(alias = "hitscan")]
            #[inline(always)]
            pub fn raycast(&self, ray: &Ray) -> Option<RayHit> {
                ray::raycast(self.as_shape(), ray)
            }

            /// Returns every entry of a ray into this shape, in order. Parts that overlap or
            /// touch count as one.
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// let posts = Compound::new([Circle::new([2.0, 0.0], 0.5), Circle::new([5.0, 0.0], 0.5)]);
            /// let hits = posts.raycast_all(&Ray::new([0.0, 0.0], [1.0, 0.0], 10.0));
            /// assert_eq!((hits[0].distance, hits[1].distance), (1.5, 4.5));
            /// ```
            pub fn raycast_all(&self, ray: &Ray) -> Vec<RayHit> {
                ray::raycast_all(self.as_shape(), ray)
            }

            /// Calls `visit` with each hit of [`raycast_all`](Self::raycast_all) in order until it
            /// returns `Break`.
            pub fn visit_ray_hits<B>(
                &self,
                ray: &Ray,
                mut visit: impl FnMut(RayHit) -> ControlFlow<B>,
            ) -> ControlFlow<B> {
                ray::visit_ray_hits(self.as_shape(), ray, &mut visit)
            }

            /// Returns `true` if the other shape intersects the boundary of this shape, as if this
            /// shape were hollow: a shape strictly inside does not.
            ///
            /// Exact, except for a compound, where a shape inside that comes within about 1e-7 of
            /// the boundary counts as touching it.
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// let pond = Circle::new([0.0, 0.0], 5.0);
            /// let fish = Capsule::new([0.0, 0.0], [1.0, 0.0], 0.5);
            /// assert!(pond.intersects(&fish) && !pond.outline_intersects(&fish));
            /// ```
            pub fn outline_intersects(&self, other: &impl AsShape) -> bool {
                outline::intersects(self.as_shape(), other.as_shape())
            }

            /// Returns the distance of the other shape from the boundary of this shape, from
            /// inside or outside.
            pub fn outline_distance(&self, other: &impl AsShape) -> f32 {
                outline::distance(self.as_shape(), other.as_shape())
            }

            /// Returns the first hit of a ray on the boundary of this shape. A ray that starts
            /// inside hits where it leaves the shape; there, too, the normal points against the
            /// ray, which is inwards.
            pub fn outline_raycast(&self, ray: &Ray) -> Option<RayHit> {
                ray::outline_raycast(self.as_shape(), ray)
            }

            /// Explains the relation of two convex shapes by the separating axis theorem: all
            /// axes, the projections of both shapes onto them, the gaps, and the deciding axis.
            /// The result implements `Display` as a table.
            ///
            /// Returns `None` if either shape is composite (a polygon, chain, compound, tile map
            /// or mask); its parts can be explained one by one.
            ///
            #[doc = $fence]
            /// use carom::prelude::*;
            /// let tile = Aabb::new([0.0, 0.0], [1.0, 1.0]);
            /// let explanation = tile.explain(&Circle::new([3.0, 0.5], 1.0)).unwrap();
            /// assert_eq!(explanation.relation, Relation::Disjoint);
            /// let deciding = explanation.deciding();
            /// assert_eq!((deciding.axis, deciding.gap), (Vec2::X, 1.0));
            /// ```
            #[doc(alias = "sat")]
            #[doc(alias = "separating_axis")]
            pub fn explain(&self, other: &impl AsShape) -> Option<Explanation> {
                explain::explain(self.as_shape(), other.as_shape())
            }
        }
    )*};
}

for_each_shape_type!(query_methods);
