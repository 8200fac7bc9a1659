//! Movement: bodies that stop, slide, bounce, walk and ride.
//!
//! | for | use |
//! | --- | --- |
//! | anything that moves among obstacles | [`World::travel`]: stop, slide, bounce, pass through |
//! | characters with feet | [`World::walk`], a character controller: floors, slopes, steps, jumps |
//! | lifts, trains, crushers, wheels | [`World::carry`], [`World::carry_to`]: carry, push and squash |
//! | crates and other things that are pushed | [`Body::pushable`], [`Response::Push`], and walkers |
//! | platforms to jump onto from below | [`Collider::one_way`], one-way tiles, one-sided chains |
//! | bullets | [`World::travel`] at any speed, [`speculative`], [`World::raycast`] |
//! | small games without a world | the [classic methods](#the-classic-methods) |
//!
//! [`World::travel`]: crate::world::World::travel
//! [`World::plan_travel`]: crate::world::World::plan_travel
//! [`World::walk`]: crate::world::World::walk
//! [`World::carry`]: crate::world::World::carry
//! [`World::carry_to`]: crate::world::World::carry_to
//! [`World::raycast`]: crate::world::World::raycast
//! [`World::update`]: crate::world::World::update
//! [`Collider::one_way`]: crate::world::Collider::one_way
//! [`Body::pushable`]: crate::world::Body::pushable
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
//! Four promises hold for every shape of body and obstacle, and at every speed:
//!
//! - *Nothing new overlaps.* A body ends where it overlaps no solid that it did not overlap before, except
//!   those that its responses cross. If it overlaps solids at the start, it is pushed out first; if there is
//!   no room, it is stuck, and still nothing new overlaps.
//! - *No seams.* A body that slides over flush tiles, boxes, parts or segments keeps its speed exactly, and
//!   does not catch on them when it falls along a wall. The hit still names the tile.
//! - *Rest is rest.* A body that presses on a floor or into a corner stays where it is, to the bit. It
//!   touches the floor, or is as near to it as positions in `f32` can be.
//! - *No preferred direction.* A world that is mirrored, turned by quarter turns, scaled by a power of two,
//!   or built in another order moves in the same way, to the bit. A level built of other kinds of shapes
//!   (tiles, boxes, polygon, compound, chain, mask) moves bodies in the same way, up to rounding, and so does
//!   a world that is shifted. Random stories check this; the guide states how many, and what they found. A body
//!   that starts inside of an obstacle is the exception: the way out depends on the parts of the obstacle.
//!
//! Points and lines keep a distance of 18 to 36 units in the last place of their coordinates from all surfaces.
//!
//! ## Ties
//!
//! A few motions run exactly onto an edge between two outcomes. They are decided by these rules:
//!
//! - A slide with a vertex straight onto a vertex, where both directions along the surfaces are equally good,
//!   goes along x.
//! - A slide straight onto a peak or straight into a notch, where both sides are mirror images, stops.
//! - A gap exactly as wide as the body is open if it is parallel to an axis; in another one, rounding decides.
//!   A body that slides across the gap passes over it, unless a move begins exactly above the gap and leads
//!   more into it than across.
//! - A body that bounces in a gap exactly as wide hits both sides in turn, up to 32 times. Rounding decides how
//!   far it gets.
//! - A bounce with a vertex exactly onto a vertex is off the surface along which a slide would go. Where a slide
//!   stops because both sides are mirror images, a bounce goes straight back.
//! - If two surfaces of one collider are hit equally head-on, the hit describes the one with the longer
//!   contact.
//! - A motion that leads into a round corner at a small angle grazes the corner: it passes without a hit. The
//!   angle is the square root of twice the contact tolerance over the radius, and the tolerance is six units
//!   in the last place of the body's coordinates. For a ball of radius 0.5 at a distance of 10 from the
//!   origin, the angle is 0.3 degrees.
//! - A walker whose foot is exactly in the point where two slopes meet that are too steep has no floor, even
//!   if there is one just below that point.
//!
//! # Walking
//!
//! [`World::walk`] is a character controller (`move_and_slide`). A [`Walker`] holds the settings: the up
//! direction, the steepest floor, the highest step. A [`WalkerState`] holds what one character remembers
//! from frame to frame, such as its floor and its coyote time. The velocity belongs to the game, and
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
//! A one-way platform stops bodies that come down onto it, and lets bodies pass that come from below or from
//! the side. It is a [one-way collider](crate::world::Collider::one_way), a
//! [one-way tile](crate::shape::TileKind::one_way) or a [one-sided chain](crate::shape::Chain::one_sided),
//! and may be level, sloped or moving. It blocks a body only if the whole body was in front of its upper side
//! before; a body that touches it counts as in front. A body that has jumped halfway through is not lifted
//! onto it, and is not pushed out of it. A walker on a one-way platform keeps its floor on every slope up to
//! [`Walker::max_slope_angle`], as on a solid one. [`WalkerState::drop_through`] lets a walker drop through.
//!
//! [`World::carry`] moves a platform together with the bodies that
//! [stand on it](crate::world::World::support), pushes those in its way and reports those that it has squashed.
//! Call it before the walkers walk. [`World::carry_to`] also turns the platform.
//!
//! # Pushing
//!
//! A body that is [pushable](crate::world::Body::pushable) can be pushed by a [`World::walk`], which does so by
//! itself, and by a [`World::travel`] that responds with [`Response::Push`].
//!
//! - The pushed body goes ahead of the pusher: against the normal of the side that was touched, by as much as the
//!   motion leads into it. A walker pushes on the level only.
//! - It collides with everything, slides along slopes, and pushes other pushable bodies ahead. What stands on
//!   it rides along, if it is its [support](crate::world::World::support).
//! - The [weights](crate::world::Body::weight) of all bodies that are pushed together count towards the limit of
//!   the pusher, the riders not. A body beyond the limit is an obstacle.
//! - Nothing that is pushed overlaps anything, and nothing goes farther ahead than the pusher follows.
//! - A body does not push what it stands on.
//!
//! Crates have no gravity of their own: let them walk, with a motion that only falls.
//!
//! ```
//! use carom::prelude::*;
//! let mut world = World::new();
//! let ground = Collider::new(Aabb::new([-9.0, -1.0], [9.0, 0.0]));
//! world.spawn(Body::fixed([0.0, 0.0]), [ground])?;
//! let square = || [Collider::new(Aabb::new([-0.5, 0.0], [0.5, 1.0]))];
//! let hero = world.spawn(Body::moving([0.0, 0.0]), square())?;
//! let wood = world.spawn(Body::moving([2.0, 0.0]).pushable(), square())?;
//!
//! let (walker, mut state, mut wood_state) = (Walker::new(), WalkerState::new(), WalkerState::new());
//! for _frame in 0..60 {
//!     let walk = world.walk(hero, &walker, &mut state, [0.05, -0.1])?;
//!     assert_eq!(walk.pushed == Some(wood), walk.end.x > 1.0);
//!     world.walk(wood, &walker, &mut wood_state, [0.0, -0.1])?;
//! }
//! assert!((world.position(wood)?.x - 4.0).abs() < 1e-4); // three units for the hero, two for the crate
//! # Ok::<(), WorldError>(())
//! ```
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
//! // Hitscan: no body at all, only a ray. Obstacles beside the ray are not hit.
//! let aim = Ray::new([0.0, 0.0], [1.0, 0.0], 100_000.0);
//! let (target, hit) = world.raycast(&aim, &Filter::new().exclude(bullet)).unwrap();
//! assert_eq!((world.collider(target).unwrap().body_key(), hit.distance), (paper, 50.0));
//!
//! // Speculative: one distance query, no path. The bullet may stop beside the end of a wall.
//! let wall = world.collider(target).unwrap().placed();
//! let motion = speculative(&Circle::new([0.0, 0.0], 0.1), [100_000.0, 0.0], &wall);
//! assert!((motion.x - 49.9).abs() < 1e-5);
//! # Ok::<(), WorldError>(())
//! ```
//!
//! # Bad input
//!
//! | input | result |
//! | --- | --- |
//! | a body that does not exist | [`WorldError::NoSuchBody`](crate::world::WorldError::NoSuchBody) |
//! | a motion with NaN or infinity | [`WorldError::BadPose`](crate::world::WorldError::BadPose); the body stays where it is |
//! | a response [`Redirect`](Response::Redirect) with NaN or infinity | the body stops |
//! | a body without solid colliders, or not enabled | nothing stops it |
//! | a [`Walker`] with NaN, or without an up direction | the setting counts as off; up is (0, 1) |
//! | a body that bounces for ever between two walls | it stops after 32 responses; [`Travel::remaining`] is the motion that is left |
//! | a body that overlaps solids at the start, without room nearby | [`Travel::is_stuck`]: it can move out, but not deeper |
//!
//! # The classic methods
//!
//! Small functions that need no [`World`](crate::world::World), only a shape and the obstacles near it. The
//! documentation of each shows its use and its known weakness.
//!
//! | method | effect | suits | weakness |
//! | --- | --- | --- | --- |
//! | [`push_out`] | the shortest push out of all obstacles at once | crowds, things that appear inside others | it does not know where the mover came from |
//! | [`direction_velocity`] | one axis at a time, pushed back against the motion | boxes in rooms of boxes | an overlap that the motion did not cause |
//! | [`shallow_axis`] | out of each obstacle along the axis with the least overlap | few, large obstacles | falls that clip a corner |
//! | [`before_after`] | compares where the mover was and is | platforms, moving and one-way | fast diagonal motion |
//! | [`MazeMover`] | a tile and an offset | mazes | everything that is not on the grid |
//!
//! All but the last test only the end of the motion, not the path: a body that moves farther in a frame than
//! it is large may pass through an obstacle.

mod carry;
mod mover;
mod push;
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
