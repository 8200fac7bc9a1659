//! The questions about two shapes, a file each.
//!
//! All of them are methods of every shape type, for every other shape, in both orders. The
//! static types and [`Shape`](crate::shape::Shape) run the same code and give the same answers.
//!
//! | question | method | answer |
//! | --- | --- | --- |
//! | Do they meet? | [`intersects`](crate::shape::Shape::intersects), [`overlaps`](crate::shape::Shape::overlaps), [`contains`](crate::shape::Shape::contains) | yes or no |
//! | How deep, and how to part them? | [`contact`](crate::shape::Shape::contact) | [`Contact`] |
//! | How far apart? | [`distance`](crate::shape::Shape::distance), [`closest_points`](crate::shape::Shape::closest_points), [`is_within_distance`](crate::shape::Shape::is_within_distance) | [`ClosestPoints`] |
//! | When first? | [`sweep`](crate::shape::Shape::sweep), [`sweep_rotating`](crate::shape::Shape::sweep_rotating) | [`SweepHit`] |
//! | What does a ray see? | [`raycast`](crate::shape::Shape::raycast), [`raycast_all`](crate::shape::Shape::raycast_all), [`visit_ray_hits`](crate::shape::Shape::visit_ray_hits) | [`RayHit`] |
//! | And if the shape is hollow? | [`outline_intersects`](crate::shape::Shape::outline_intersects), [`outline_distance`](crate::shape::Shape::outline_distance), [`outline_raycast`](crate::shape::Shape::outline_raycast) | as above |
//! | Why? | [`explain`](crate::shape::Shape::explain) | [`Explanation`] |
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
mod methods;
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
