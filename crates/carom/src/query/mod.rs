//! The questions about two shapes, a file each.
//!
//! All of them are methods of [`Query`], on every shape, for every other shape, in both orders. The
//! static types and [`Shape`](crate::shape::Shape) run the same code and give the same answers.
//!
//! | question | method | answer |
//! | --- | --- | --- |
//! | Do they meet? | [`intersects`](Query::intersects), [`overlaps`](Query::overlaps), [`contains`](Query::contains) | yes or no |
//! | How deep, and how to part them? | [`contact`](Query::contact) | [`Contact`] |
//! | How far apart? | [`distance`](Query::distance), [`closest_points`](Query::closest_points), [`is_within`](Query::is_within) | [`ClosestPoints`] |
//! | When first? | [`sweep`](Query::sweep), [`sweep_rotating`](Query::sweep_rotating) | [`SweepHit`] |
//! | What does a ray see? | [`raycast`](Query::raycast), [`raycast_all`](Query::raycast_all), [`visit_ray_hits`](Query::visit_ray_hits) | [`RayHit`] |
//! | And if the shape is hollow? | [`outline_intersects`](Query::outline_intersects), [`outline_distance`](Query::outline_distance), [`outline_raycast`](Query::outline_raycast) | as above |
//! | Why? | [`explain`](Query::explain) | [`Explanation`] |
//! | Where do two segments cross? | [`Segment::intersection`](crate::shape::Segment::intersection) | [`SegmentIntersection`] |
//! | The same for many? | [`intersects_each`], [`contact_each`], [`intersecting_pairs`] | as above |
//!
//! Two words are kept apart throughout: shapes that *touch* share points of their borders only. They
//! intersect, but do not overlap.
//!
//! # Support matrix
#![doc = include_str!("../../support.md")]

mod batch;
mod candidates;
pub(crate) mod combined_push;
pub(crate) mod contact;
mod contact_quick;
mod contains;
mod contains_cells;
mod contains_outlines;
mod cover;
mod cover_line;
mod distance;
mod explain;
mod intersects;
mod mask_push;
pub(crate) mod minkowski;
mod near;
mod obstacle;
mod order;
mod order_mask;
mod outline;
pub(crate) mod overlaps;
pub(crate) mod parts;
mod ray;
mod raycast;
mod raycast_cells;
mod raycast_quick;
pub(crate) mod relation;
pub(crate) mod sat;
mod segment_intersection;
pub(crate) mod separation;
mod span;
pub(crate) mod sweep;
mod sweep_enter;
pub(crate) mod sweep_parts;
mod sweep_quick;
mod sweep_rotating;
mod sweep_seams;
mod tiles;

pub use batch::{contact_each, intersecting_pairs, intersects_each};
pub use contact::{Contact, ContactPoints};
pub use distance::ClosestPoints;
pub use explain::{AxisSource, ExplainedAxis, Explanation};
pub use ray::{Ray, RayHit};
pub use relation::Relation;
pub use segment_intersection::SegmentIntersection;
pub use sweep::SweepHit;
pub use sweep_rotating::RigidMotion;

use alloc::vec::Vec;
use core::ops::ControlFlow;

use glam::Vec2;

use crate::shape::AsShape;

/// The questions, on every shape.
pub trait Query: AsShape {
    /// Whether the two share a point. Touch counts. Exact.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let tile = Aabb::new([0.0, 0.0], [1.0, 1.0]);
    /// assert!(tile.intersects(&Aabb::new([1.0, 0.0], [2.0, 1.0])));
    /// ```
    #[inline(always)]
    fn intersects(&self, other: &impl AsShape) -> bool {
        intersects::intersects(self.as_shape(), other.as_shape())
    }

    /// Whether the two share more than boundary points. Touch does not count. Exact.
    ///
    /// Two areas overlap where their insides meet; an area and a line or point where the line or
    /// point enters the inside; two lines where they cross at a point inside both. Points never
    /// overlap points or lines.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let tile = Aabb::new([0.0, 0.0], [1.0, 1.0]);
    /// assert!(!tile.overlaps(&Aabb::new([1.0, 0.0], [2.0, 1.0])));
    /// ```
    #[inline(always)]
    fn overlaps(&self, other: &impl AsShape) -> bool {
        overlaps::overlaps(self.as_shape(), other.as_shape())
    }

    /// Whether every point of the other shape belongs to this one, border included. Exact, but for
    /// what only several parts of a [`Compound`](crate::shape::Compound), or several tiles of a map
    /// that is turned, hold together, if it or they are round: there, gaps narrower than about 1e-11
    /// of the largest coordinate go unnoticed.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let floor = Compound::new([Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([1.0, 0.0], [2.0, 1.0])]);
    /// assert!(floor.contains(&Circle::new([1.0, 0.5], 0.5)));
    /// assert!(!floor.contains(&Circle::new([1.0, 0.5], 0.51)));
    /// ```
    #[inline(always)]
    fn contains(&self, other: &impl AsShape) -> bool {
        contains::contains(self.as_shape(), other.as_shape())
    }

    /// How deep the two overlap and how to part them; `None` if they share no point.
    ///
    /// For shapes made of parts the push clears all parts at once, and is the shortest that does.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let hero = Aabb::new([0.0, 0.75], [1.0, 2.75]);
    /// let floor = Compound::new([Aabb::new([-1.0, 0.0], [0.5, 1.0]), Aabb::new([0.5, 0.0], [2.0, 1.0])]);
    /// assert_eq!(hero.contact(&floor).unwrap().push, Vec2::new(0.0, 0.25));
    /// ```
    #[inline(always)]
    fn contact(&self, other: &impl AsShape) -> Option<Contact> {
        contact::contact(self.as_shape(), other.as_shape())
    }

    /// How far the two are apart; 0 exactly where they intersect.
    #[inline(always)]
    fn distance(&self, other: &impl AsShape) -> f32 {
        distance::distance(self.as_shape(), other.as_shape())
    }

    /// Where the two come closest.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let ball = Circle::new([0.0, 0.0], 1.0);
    /// let wall = Segment::new([3.0, -5.0], [3.0, 5.0]);
    /// let closest = ball.closest_points(&wall);
    /// assert_eq!((closest.distance, closest.on_a.x, closest.on_b.x), (2.0, 1.0, 3.0));
    /// ```
    fn closest_points(&self, other: &impl AsShape) -> ClosestPoints {
        distance::closest_points(self.as_shape(), other.as_shape())
    }

    /// Where a ray first hits the shape. Touch counts; a ray that starts inside hits at once. A
    /// one-sided chain, and a platform of a tile map, is hit from its front only.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let ball = Circle::new([5.0, 0.0], 1.0);
    /// let hit = ball.raycast(&Ray::new([0.0, 0.0], [1.0, 0.0], 10.0)).unwrap();
    /// assert_eq!((hit.distance, hit.exit), (4.0, 6.0));
    /// ```
    #[inline(always)]
    fn raycast(&self, ray: &Ray) -> Option<RayHit> {
        raycast::raycast(self.as_shape(), ray)
    }

    /// Every time a ray goes into the shape, in order. Parts that overlap or lie flush count as one.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let posts = Compound::new([Circle::new([2.0, 0.0], 0.5), Circle::new([5.0, 0.0], 0.5)]);
    /// let hits = posts.raycast_all(&Ray::new([0.0, 0.0], [1.0, 0.0], 10.0));
    /// assert_eq!((hits[0].distance, hits[1].distance), (1.5, 4.5));
    /// ```
    fn raycast_all(&self, ray: &Ray) -> Vec<RayHit> {
        raycast::raycast_all(self.as_shape(), ray)
    }

    /// The same, told one by one until `visit` breaks.
    fn visit_ray_hits<B>(
        &self,
        ray: &Ray,
        mut visit: impl FnMut(RayHit) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        raycast::visit_ray_hits(self.as_shape(), ray, &mut visit)
    }

    /// Whether the two come within a tolerance of each other. Exact for a pair of convex shapes
    /// where either has no radius, or one radius and the tolerance add up without rounding.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let handle = Circle::new([0.0, 0.0], 1.0);
    /// assert!(handle.is_within(&Point::new([3.0, 4.0]), 4.0));
    /// ```
    fn is_within(&self, other: &impl AsShape, tolerance: f32) -> bool {
        near::is_within(self.as_shape(), other.as_shape(), tolerance)
    }

    /// Whether the other shape touches this one's outline, as if it were hollow: what lies strictly
    /// inside does not. Exact, but for a compound, where what comes within about 1e-7 of touching
    /// from inside counts as touching.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let pond = Circle::new([0.0, 0.0], 5.0);
    /// let fish = Capsule::new([0.0, 0.0], [1.0, 0.0], 0.5);
    /// assert!(pond.intersects(&fish) && !pond.outline_intersects(&fish));
    /// ```
    fn outline_intersects(&self, other: &impl AsShape) -> bool {
        outline::intersects(self.as_shape(), other.as_shape())
    }

    /// How far the other shape is from this one's outline, from inside or outside.
    fn outline_distance(&self, other: &impl AsShape) -> f32 {
        outline::distance(self.as_shape(), other.as_shape())
    }

    /// Where a ray first hits this shape's outline. A ray that starts inside hits where it comes
    /// out; the normal is against the ray then too, so it points inwards.
    fn outline_raycast(&self, ray: &Ray) -> Option<RayHit> {
        raycast::outline_raycast(self.as_shape(), ray)
    }

    /// Why two convex shapes overlap, touch or stay apart: all axes, both shapes' places on them,
    /// the gaps and which axis decides. `None` if either is made of parts (a polygon, chain,
    /// compound or tile map): its parts can be explained one by one. Displays as a table.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let tile = Aabb::new([0.0, 0.0], [1.0, 1.0]);
    /// let explanation = tile.explain(&Circle::new([3.0, 0.5], 1.0)).unwrap();
    /// assert_eq!(explanation.relation, Relation::Disjoint);
    /// assert_eq!((explanation.deciding().axis, explanation.deciding().gap), (Vec2::X, 1.0));
    /// ```
    fn explain(&self, other: &impl AsShape) -> Option<Explanation> {
        explain::explain(self.as_shape(), other.as_shape())
    }

    /// When this shape, moved along a vector, first meets the other. No speed is too high.
    ///
    /// A motion that starts in touch is a hit only if it goes into the other shape: sliding along
    /// it or leaving it is free. One that starts in overlap hits at time 0, with the depth.
    /// A motion that is not finite goes nowhere.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let bullet = Circle::new([0.0, 0.0], 0.1);
    /// let paper = Aabb::new([50.0, -1.0], [50.01, 1.0]);
    /// let hit = bullet.sweep([100_000.0, 0.0], &paper).unwrap();
    /// assert!((hit.time - 49.9 / 100_000.0).abs() < 1e-9);
    /// assert_eq!(hit.normal, Vec2::new(-1.0, 0.0));
    /// ```
    #[inline(always)]
    fn sweep(&self, motion: impl Into<Vec2>, other: &impl AsShape) -> Option<SweepHit> {
        let motion = motion.into();
        let motion = if motion.is_finite() { motion } else { Vec2::ZERO };
        sweep::sweep(self.as_shape(), motion, other.as_shape())
    }

    /// When this shape, moved and turned, first meets the other; at `hit.time` it is
    /// `self.transformed(&motion.at(hit.time))`. As [`sweep`](Self::sweep), but lines that can only
    /// touch pass each other, and motion in touch is tested in 4096 steps or more: no part is
    /// skipped, but a corner may be cut by less than a step.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let sword = Aabb::new([0.0, -0.1], [4.0, 0.1]).to_obb();
    /// let swing = RigidMotion::new([0.0, 0.0], core::f32::consts::FRAC_PI_2, [0.0, 0.0]);
    /// let hit = sword.sweep_rotating(&swing, &Point::new([2.0, 2.0])).unwrap();
    /// assert!(hit.time > 0.45 && hit.time < 0.5);
    /// ```
    fn sweep_rotating(&self, motion: &RigidMotion, other: &impl AsShape) -> Option<SweepHit> {
        sweep_rotating::sweep_rotating(self.as_shape(), motion, other.as_shape())
    }
}

impl<S: AsShape + ?Sized> Query for S {}
