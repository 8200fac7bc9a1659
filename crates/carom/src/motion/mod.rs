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
//!
//! # The classic methods
//!
//! Small functions that need no [`World`](crate::world::World): a shape, the obstacles near it, and an
//! answer. Each has its place and its known weakness, both shown where it is documented.
//!
//! | method | what it does | fits | weak where |
//! | --- | --- | --- | --- |
//! | [`push_out`] | the shortest way out of all obstacles at once | crowds, things that appear inside others | it does not know where the mover came from |
//! | [`direction_velocity`] | one axis at a time, pushed back against the motion | boxes in rooms of boxes | an overlap that the motion did not cause |
//! | [`shallow_axis`] | out of each obstacle along the axis with the least overlap | few, large obstacles | falls that clip a corner |
//! | [`before_after`] | compares where the mover was and is | platforms, moving and one-way | fast diagonal motion |
//! | [`MazeMover`] | a tile and an offset | mazes | everything that is not on the grid |
//!
//! All but the last look only at where the motion ends, not at the way there: what moves further in a
//! frame than it is large may pass an obstacle unseen.

mod axis_move;
mod before_after;
mod carry;
mod clear_along;
mod course;
mod direction_velocity;
mod landing;
mod meet;
mod planes;
mod push_out;
mod shallow_axis;
mod stance;
mod surface;
mod tile_offset;
mod travel;
mod walk;

pub use axis_move::AxisMove;
pub use before_after::{BoxObstacle, before_after};
pub use carry::Carry;
pub(crate) use course::Pad;
pub use direction_velocity::direction_velocity;
pub use push_out::push_out;
pub use shallow_axis::shallow_axis;
pub use tile_offset::{Heading, MazeMover, open_in};
pub use travel::{Encounter, Response, Travel, TravelHit};
pub use walk::{Floor, Walk, Walker, WalkerState};
