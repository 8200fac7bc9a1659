//! Queries on two shapes, ray casts and sweeps.
//!
//! All queries are methods of every shape type, take every other shape type, and work in both
//! orders. The static types and [`Shape`](crate::shape::Shape) run the same code and give the same
//! results.
//!
//! | query | methods | result |
//! | --- | --- | --- |
//! | Do the shapes intersect? | [`intersects`](crate::shape::Shape::intersects), [`overlaps`](crate::shape::Shape::overlaps), [`contains`](crate::shape::Shape::contains) | `bool` |
//! | How deep do they overlap, and what push separates them? | [`contact`](crate::shape::Shape::contact) | [`Contact`] |
//! | How far apart are they? | [`distance`](crate::shape::Shape::distance), [`closest_points`](crate::shape::Shape::closest_points), [`is_within_distance`](crate::shape::Shape::is_within_distance) | [`ClosestPoints`] |
//! | When does a moving shape hit? | [`sweep`](crate::shape::Shape::sweep), [`sweep_rotating`](crate::shape::Shape::sweep_rotating) | [`SweepHit`] |
//! | Where does a ray hit? | [`raycast`](crate::shape::Shape::raycast), [`raycast_all`](crate::shape::Shape::raycast_all), [`visit_ray_hits`](crate::shape::Shape::visit_ray_hits) | [`RayHit`] |
//! | What if the shape is hollow? | [`outline_intersects`](crate::shape::Shape::outline_intersects), [`outline_distance`](crate::shape::Shape::outline_distance), [`outline_raycast`](crate::shape::Shape::outline_raycast) | as above |
//! | Why do they intersect or not (SAT)? | [`explain`](crate::shape::Shape::explain) | [`Explanation`] |
//! | Where do two segments intersect? | [`Segment::intersection`](crate::shape::Segment::intersection) | [`SegmentIntersection`] |
//! | Which of many shapes intersect? | [`intersects_each`], [`contact_each`], [`intersecting_pairs`] | as above |
//!
//! Two shapes that *touch* share boundary points only: they intersect, but they do not overlap. The
//! [`Relation`] of two shapes is one of disjoint, touching and overlapping.
//!
//! # Support matrix
#![doc = include_str!("../../support.md")]

// Order of reading: `relation`, `sat`, `separation` and `contact` for convex shapes; `dispatch`
// chooses between these, the fast paths in `fast` and `grid`, and the composite shapes in
// `composite`, `overlap` and `mtv`.

mod batch;
mod cell_tree;
pub(crate) mod composite;
pub(crate) mod contact;
mod contains;
mod dispatch;
mod distance;
mod explain;
mod fast;
mod grid;
#[cfg(test)]
mod growth;
mod line_clip;
mod methods;
pub(crate) mod mtv;
mod outline;
pub(crate) mod overlap;
mod ray;
pub(crate) mod relation;
pub(crate) mod sat;
mod segment_intersection;
pub(crate) mod separation;
pub(crate) mod sweep;
mod union_contains;

pub use batch::{contact_each, intersecting_pairs, intersects_each};
pub use contact::{Contact, ContactPoints};
pub use distance::ClosestPoints;
pub use explain::{AxisSource, ExplainedAxis, Explanation};
pub use ray::{Ray, RayHit};
pub use relation::Relation;
pub use segment_intersection::SegmentIntersection;
pub use sweep::{RigidMotion, SweepHit};
