//! Moving things so that they stop, slide, bounce, ride and fall as players expect.
//!
//! # Travel
//!
//! [`World::travel`](crate::world::World::travel) moves a body along a vector, however far, and asks
//! what to do about each solid thing in its way: stop, go through, slide along, bounce, or
//! something of your own. It ends where nothing overlaps that did not before.
//! [`World::plan_travel`](crate::world::World::plan_travel) tells the same without moving anything.
//!
//! ```
//! use carom::prelude::*;
//! let mut world = World::new();
//! let room = world.add_body(Body::fixed([0.0, 0.0]))?;
//! world.add_collider(room, Collider::new(Aabb::new([-5.0, -1.0], [5.0, 0.0])))?;
//! world.add_collider(room, Collider::new(Aabb::new([5.0, -1.0], [6.0, 9.0])))?;
//! let ball = world.add_body(Body::moving([0.0, 2.0]))?;
//! world.add_collider(ball, Collider::new(Circle::new([0.0, 0.0], 0.5)))?;
//!
//! let thrown = world.travel(ball, [8.0, -3.0], |_| Response::Bounce(1.0))?;
//! assert_eq!(thrown.hits().len(), 2); // the floor, then the wall
//! # Ok::<(), WorldError>(())
//! ```

mod course;
mod landing;
mod meet;
mod planes;
mod stance;
mod surface;
mod travel;

pub(crate) use course::Pad;
pub use travel::{Encounter, Response, Travel, TravelHit};
