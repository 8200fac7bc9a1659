//! Movement: bodies that stop, slide, bounce, walk and ride.
//!
//! | for | use |
//! | --- | --- |
//! | anything that moves among obstacles | [`World::travel`]: stop, slide, bounce, pass through |
//! | characters with feet | [`World::walk`], a character controller: floors, slopes, steps, jumps |
//! | lifts, trains, crushers | [`World::carry`]: carries, pushes and squashes |
//! | platforms to jump onto from below | [`Collider::one_way`], one-way tiles, one-sided chains |
//! | bullets | [`World::travel`] at any speed, [`speculative`], [`World::raycast`] |
//! | small games without a world | the [classic methods](#the-classic-methods) |
//!
//! [`World::travel`]: crate::world::World::travel
//! [`World::plan_travel`]: crate::world::World::plan_travel
//! [`World::walk`]: crate::world::World::walk
//! [`World::carry`]: crate::world::World::carry
//! [`World::raycast`]: crate::world::World::raycast
//! [`World::update`]: crate::world::World::update
//! [`Collider::one_way`]: crate::world::Collider::one_way
//!
//! # Travel
//!
//! [`World::travel`] moves a body along a vector of any length (`move_and_collide`, with continuous collision
//! detection) and asks for the response to each solid obstacle: stop, pass through, slide, bounce, or another
//! motion. [`World::plan_travel`] returns the same result without moving anything.
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
//! let mut velocity = Vec2::new(8.0, -3.0);
//! let thrown = world.travel(ball, velocity, |_| Response::Bounce(1.0))?;
//! for hit in thrown.hits() {
//!     velocity = hit.bounced(velocity, 1.0); // the floor, then the wall
//! }
//! assert_eq!(velocity, Vec2::new(-8.0, 3.0));
//! # Ok::<(), WorldError>(())
//! ```
//!
//! Four promises, for every shape of mover and obstacle and at every speed:
//!
//! - *Nothing new overlaps.* A body ends where it overlaps no solid that it did not overlap before, except
//!   those that its responses cross. If it starts in overlap, it is pushed out first.
//! - *No seams.* A body that slides over flush tiles, boxes, parts or segments keeps its speed exactly, and
//!   falls along walls without catching. The hit still names the tile.
//! - *Rest is rest.* A body that presses on a floor or into a corner stays where it is, to the bit. It
//!   touches, or is as near as positions in `f32` can be.
//! - *No preferred direction.* A world that is mirrored, turned by quarter turns, scaled by a power of two,
//!   or built in another order moves in the same way, to the bit. A level built of other kinds of shapes
//!   (tiles, boxes, polygon, compound, chain, mask) moves bodies in the same way, up to rounding. Order
//!   and scale hold without exception in random tests; for mirrors, turns and kinds of shapes they still find
//!   exceptions, in fewer than one of a million frames.
//!
//! Exact ties are decided by rule: straight onto a corner, a slide goes along x; straight onto a peak or into
//! a notch, it stops; of two surfaces of one collider that are met equally head-on, the hit names one.
//!
//! # Walking
//!
//! [`World::walk`] is a character controller (`move_and_slide`). A [`Walker`] holds the settings: the up
//! direction, the steepest floor, the highest step. A [`WalkerState`] holds what one character remembers
//! from frame to frame, such as its floor and its coyote time. The game keeps the velocity, and
//! [`Walk::velocity`] removes the part that was blocked:
//!
//! ```
//! use carom::prelude::*;
//! let mut world = World::new();
//! let tiles = TileMap::from_rows(
//!     [0.0, 0.0],
//!     [1.0, 1.0],
//!     &["##########", "......./##", "........-."], // from the bottom up
//!     &[('#', TileKind::SOLID), ('/', TileKind::slope(0.0, 1.0, [0.0, 1.0])),
//!       ('-', TileKind::one_way([0.0, 1.0]))],
//! );
//! let level = world.add_body(Body::fixed([0.0, 0.0]))?;
//! world.add_collider(level, Collider::new(tiles))?;
//! let hero = world.add_body(Body::moving([1.0, 3.0]))?;
//! world.add_collider(hero, Collider::new(Aabb::new([-0.4, 0.0], [0.4, 0.9])))?;
//!
//! let walker = Walker::new();
//! let mut state = WalkerState::new();
//! let mut velocity = Vec2::ZERO;
//! for frame in 0..120 {
//!     velocity.x = 4.0;
//!     velocity.y -= 30.0 / 60.0;
//!     if frame == 50 {
//!         state.request_jump();
//!     }
//!     if state.jump(JumpGrace::frames(6, 6)) {
//!         velocity.y = 8.0; // also a few frames after the edge, or before landing
//!     }
//!     let walk = world.walk(hero, &walker, &mut state, velocity / 60.0)?;
//!     velocity = walk.velocity(velocity);
//! }
//! let at = world.body(hero).unwrap().pose.position;
//! assert!(state.on_floor() || at.x > 10.0); // up the slope, or off the end of the world
//! # Ok::<(), WorldError>(())
//! ```
//!
//! # Platforms
//!
//! A one-way platform stops what comes down on it, and lets pass what comes from below or from the side:
//! a collider that is [one-way](crate::world::Collider::one_way), a
//! [one-way tile](crate::shape::TileKind::one_way), a [one-sided chain](crate::shape::Chain::one_sided);
//! level, sloped or moving. It stops a body only if all of the body was in front of it before, touching
//! included. A body that has jumped only halfway through is not lifted onto it.
//! [`WalkerState::drop_through`] lets a walker drop through it.
//!
//! [`World::carry`] moves a platform together with the walkers that stand on it, pushes what is in
//! its way and reports what it has squashed. Call it before the walkers walk.
//!
//! # Bullets
//!
//! [`World::travel`] tests the whole path, so there is no tunnelling: at no speed does a body pass a wall,
//! however thin. Two other methods are cheaper and weaker:
//!
//! ```
//! use carom::prelude::*;
//! use carom::motion::speculative;
//! let mut world = World::new();
//! let paper = world.add_body(Body::fixed([50.0, 0.0]))?;
//! world.add_collider(paper, Collider::new(Aabb::new([0.0, -1.0], [0.01, 1.0])))?;
//! let bullet = world.add_body(Body::moving([0.0, 0.0]))?;
//! world.add_collider(bullet, Collider::new(Circle::new([0.0, 0.0], 0.1)))?;
//!
//! // Continuous: a body that flies, at 100 000 units a frame.
//! let shot = world.plan_travel(bullet, [100_000.0, 0.0], |_| Response::Touch)?;
//! assert_eq!(shot.hits()[0].body, paper);
//!
//! // Hitscan: no body at all, only a ray. What is beside the ray is not hit.
//! let aim = Ray::new([0.0, 0.0], [1.0, 0.0], 100_000.0);
//! let (target, hit) = world.raycast(&aim, &Filter::new().exclude(bullet)).unwrap();
//! assert_eq!((world.collider(target).unwrap().body_key(), hit.distance), (paper, 50.0));
//!
//! // Speculative: one distance now, in place of a way. It stops at ghosts of walls that have ended.
//! let wall = world.collider(target).unwrap().placed();
//! let way = speculative(&Circle::new([0.0, 0.0], 0.1), [100_000.0, 0.0], &wall);
//! assert!((way.x - 49.9).abs() < 1e-5);
//! # Ok::<(), WorldError>(())
//! ```
//!
//! # Bad input
//!
//! | input | result |
//! | --- | --- |
//! | a body that is gone | [`WorldError::NoSuchBody`](crate::world::WorldError::NoSuchBody) |
//! | a motion with NaN or infinity | [`WorldError::BadPose`](crate::world::WorldError::BadPose); the body stays where it is |
//! | a response [`Redirect`](Response::Redirect) with NaN or infinity | no motion is left |
//! | a body without solid colliders, or not enabled | nothing stops it |
//! | a [`Walker`] with NaN, or without an up direction | the setting counts as off; up is (0, 1) |
//! | a body that bounces for ever between two walls | it stops after 32 responses, with what is left in [`Travel::remaining`] |
//! | no room near where it starts in overlap | [`Travel::is_stuck`]: it can move out, but not deeper |
//!
//! # The classic methods
//!
//! Small functions that need no [`World`](crate::world::World), only a shape and the obstacles near it. The
//! documentation of each shows its use and its known weakness.
//!
//! | method | effect | suits | weakness |
//! | --- | --- | --- | --- |
//! | [`push_out`] | the shortest way out of all obstacles at once | crowds, things that appear inside others | it does not know where the mover came from |
//! | [`direction_velocity`] | one axis at a time, pushed back against the motion | boxes in rooms of boxes | an overlap that the motion did not cause |
//! | [`shallow_axis`] | out of each obstacle along the axis with the least overlap | few, large obstacles | falls that clip a corner |
//! | [`before_after`] | compares where the mover was and is | platforms, moving and one-way | fast diagonal motion |
//! | [`MazeMover`] | a tile and an offset | mazes | everything that is not on the grid |
//!
//! All but the last test only the end of the motion, not the path: a body that moves farther in a frame than
//! it is large may pass through an obstacle.

mod carry;
mod mover;
mod simple;
mod travel;
mod walk;

pub use carry::Carry;
pub use simple::{
    AxisMove, BoxObstacle, Heading, MazeMover, before_after, direction_velocity, open_in, push_out,
    shallow_axis, speculative,
};
pub use travel::{PendingHit, Response, Travel, TravelHit};
pub use walk::{Floor, JumpGrace, Walk, Walker, WalkerState};
