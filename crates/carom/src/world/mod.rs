//! A world of bodies: what touches what, from frame to frame, and what is where.
//!
//! Put everything that can collide into a [`World`], move it as your game moves it, and call
//! [`update`](World::update) once a frame:
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::new();
//! for name in ["hero", "coin", "wall"] {
//!     world.add_layer(name)?;
//! }
//! let wall = world.add_body(Body::fixed([0.0, 0.0]))?;
//! world.add_collider(wall, Collider::new(Aabb::new([8.0, 0.0], [9.0, 4.0])).on_layer("wall"))?;
//! let coin = world.add_body(Body::moving([4.0, 1.0]).with_user_data(50))?; // it is worth 50
//! world.add_collider(coin, Collider::sensor(Circle::new([0.0, 0.0], 0.5)).on_layer("coin").with_mask("hero"))?;
//! let hero = world.add_body(Body::moving([0.0, 0.0]))?;
//! let shape = Aabb::new([0.0, 0.0], [1.0, 2.0]);
//! world.add_collider(hero, Collider::new(shape).on_layer("hero").with_mask(["coin", "wall"]))?;
//!
//! let mut score = 0;
//! for _frame in 0..20 {
//!     world.translate(hero, [0.75, 0.0])?;
//!     let events: Vec<Event> = world.update().iter().collect();
//!     for event in events.iter().filter_map(|event| event.seen_from(hero)) {
//!         let other = event.bodies[1];
//!         if event.kind == EventKind::Began && other == coin {
//!             score += world.remove_body(coin)?.user_data;
//!         } else if let Some(contact) = event.contact {
//!             world.translate(hero, contact.push)?; // out of the wall
//!         }
//!     }
//! }
//! assert_eq!(score, 50);
//! assert_eq!(world.body(hero).unwrap().pose.position, Vec2::new(7.0, 0.0)); // it stands at the wall
//! # Ok::<(), WorldError>(())
//! ```
//!
//! # Bodies and colliders
//!
//! A [`Body`] has a place; its [`Collider`]s are shapes in its frame and go where it goes. Both are
//! known by keys, [`BodyKey`] and [`ColliderKey`]: small, copied freely, and never mistaken for
//! another once what they named is gone. A shape is kept as it was given and the placed version is
//! derived from it at every move, so errors never pile up. Fixed bodies cost nothing while they are
//! left alone.
//!
//! Two colliders touch where all of this holds:
//!
//! - their shapes share a point ([`intersects`](crate::shape::Shape::intersects): touch counts, exactly);
//! - each one's mask has the layer of the other ([`Collider::on_layer`], [`Collider::with_mask`]);
//! - their [`Role`]s go together: solids and sensors, hitboxes and hurtboxes (and hitboxes among
//!   themselves, where [clashes](StrikeRules::clashes) are asked for);
//! - they are not of one body, both are enabled, and not both bodies are fixed.
//!
//! # Events and queries
//!
//! [`World::update`] tells what [`Began`](EventKind::Began), [`Stayed`](EventKind::Stayed) and
//! [`Ended`](EventKind::Ended) since the update before, at once and in the order of the colliders'
//! keys, with a [`Contact`](crate::query::Contact) where both are solid. Nothing gets lost: what is
//! removed, disabled or put on another layer ends its touches with the next update.
//! [`World::touching`] gives the same for one collider, at any time until the next update.
//!
//! Queries answer at once, wherever bodies have been moved in the meantime: [`World::at_point`],
//! [`intersecting_box`](World::intersecting_box), [`intersecting`](World::intersecting), [`contacts`](World::contacts),
//! [`raycast`](World::raycast), [`sweep`](World::sweep), [`nearest`](World::nearest), each with a
//! [`Filter`].
//!
//! # Strikes and frames
//!
//! A collider with the role [`Hitbox`](Role::Hitbox) strikes those with the role
//! [`Hurtbox`](Role::Hurtbox): [`Events::strikes`] tells who struck whom, with which boxes, once in a
//! swing; [`Body::team`] and the [`StrikeRules`] say who strikes whom at all.
//!
//! Boxes of animated sprites change with every picture. Put a [`Sheet`](crate::sheet::Sheet) into the
//! world with [`add_sheet`](World::add_sheet), and [`set_frame`](World::set_frame) gives a body the
//! boxes of a frame, mirrored if need be. A box of the same name in the next frame is the same
//! collider, so what it goes on touching has stayed.
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::new();
//! let body = Aabb::new([-0.5, 0.0], [0.5, 2.0]);
//! let fighter = world.add_sheet(Sheet::from_frames([
//!     Frame::new("idle").hurtbox("body", body),
//!     Frame::new("kick").hurtbox("body", body).hitbox("foot", Circle::new([1.25, 1.0], 0.25)),
//! ])?)?;
//! let ann = world.add_body(Body::moving([0.0, 0.0]).with_team(1))?;
//! let bob = world.add_body(Body::moving([1.5, 0.0]).with_team(2))?;
//! for tick in 0..3 {
//!     let (of_ann, of_bob) = if tick == 0 { ("idle", "idle") } else { ("idle", "kick") };
//!     world.set_frame(ann, fighter, of_ann)?;
//!     world.set_frame(bob, fighter, FrameRef::from(of_bob).flipped(Flip::X))?; // he looks left
//!     world.update();
//!     for strike in world.strikes() {
//!         assert_eq!((tick, strike.attacker, strike.victim), (1, bob, ann)); // in tick 1 only
//!         assert_eq!(world.box_name(strike.hitbox), Some("foot"));
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The broad phase
//!
//! `World::new()` takes the [broad phase](crate::broad) that is good for every kind of scene.
//! Another one is one line, and gives the same events and answers to the bit:
//!
//! ```
//! use carom::broad::QuadTree;
//! use carom::prelude::*;
//! let world = World::with(QuadTree::new());
//! ```
//!
//! # Rollback and saves
//!
//! A [`clone`](Clone::clone) is a snapshot; `world.clone_from(&snapshot)` restores it in place. The
//! same calls on it give the same keys and the same events, to the bit, and
//! [`World::state_hash`] tells whether two machines are still in step. With the feature `serde` a
//! world can be written and read, and goes on from there just so.
//!
//! # Bad input
//!
//! What cannot be done gives a [`WorldError`] and leaves the world as it was.
//!
//! | what | what comes of it |
//! | --- | --- |
//! | a key of something removed | [`WorldError::NoSuchBody`], [`WorldError::NoSuchCollider`]; `None` or nothing from what only looks |
//! | a pose with NaN or infinity, a scale of 0 or less | [`WorldError::BadPose`] with the value; the body stays where it is |
//! | a box without width or height | it cannot be made: [`ShapeError::NotPositive`](crate::error::ShapeError::NotPositive) |
//! | a layer that has not been made | [`WorldError::UnknownLayer`] with the names there are, and the one that was probably meant |
//! | a frame or a direction that a sheet does not have | [`WorldError::Sheet`] with the names there are; the body shows what it showed |
//! | coordinates of 1e30 | are like any other; what would leave the range of `f32` stops at its edge |
//! | a point, box or motion with NaN in a query | nothing is found |
//! | a million things at one point | 500 000 000 000 pairs: an update gives up beyond [`World::max_pairs`] and says so ([`Events::is_complete`]); queries and removing work as ever |

mod bit_set;
mod body;
mod broad_slot;
mod collider;
mod error;
mod filter;
mod frames;
mod kept;
mod keys;
mod layers;
pub(crate) mod placed_shape;
mod queries;
mod slot_map;
mod snapshot;
pub(crate) mod storage;
mod sync;
mod update;

pub use crate::sheet::Role;
pub use body::Body;
pub use collider::{Collider, ColliderRef};
pub use error::WorldError;
pub use filter::Filter;
pub use frames::{SheetKey, ShownFrame};
pub use keys::{BodyKey, ColliderKey};
pub use layers::{Layer, LayerName, LayerNames, Layers};
pub use update::events::{Event, EventIter, EventKind, Events};
pub use update::strikes::{Clash, Strike, StrikeRules};

use core::fmt::Debug;

use crate::broad::{BroadPhase, Strips};
use broad_slot::BroadSlot;
use frames::Frames;
use layers::LayerRegistry;
use storage::Storage;
use update::Scratch;
use update::contact_pairs::ContactPairs;
use update::strikes::Strikes;

/// Bodies and colliders, the pairs that touch, and queries about all of them.
#[derive(Debug)]
pub struct World {
    pub(crate) broad: BroadSlot,
    pub(crate) storage: Storage,
    layers: LayerRegistry,
    contact_pairs: ContactPairs,
    strikes: Strikes,
    frames: Frames,
    /// Whether nothing has changed since the last update.
    is_up_to_date: bool,
    /// Whether the last update stayed within `max_pairs`.
    is_complete: bool,
    max_pairs: usize,
    pub(crate) scratch: Scratch,
}

impl World {
    /// Creates an empty world with the default broad phase, [`Strips`], which suits every kind of
    /// scene.
    pub fn new() -> Self {
        Self::with(Strips::new())
    }

    /// Creates an empty world with a broad phase of your choice, which must be empty.
    ///
    /// The choice affects speed only. It can be made at run time, because it is not part of the type:
    ///
    /// ```
    /// use carom::broad::{Grid, QuadTree};
    /// use carom::prelude::*;
    /// let method = "grid";
    /// let world = match method {
    ///     "grid" => World::with(Grid::new()),
    ///     "quad tree" => World::with(QuadTree::new()),
    ///     _ => World::new(),
    /// };
    /// ```
    pub fn with<B>(broad: B) -> Self
    where
        B: BroadPhase + Clone + Debug + Send + Sync + 'static,
    {
        Self {
            broad: BroadSlot::new(broad),
            storage: Storage::new(),
            layers: LayerRegistry::new(),
            contact_pairs: ContactPairs::new(),
            strikes: Strikes::default(),
            frames: Frames::default(),
            is_up_to_date: true,
            is_complete: true,
            max_pairs: 1 << 24,
            scratch: Scratch::default(),
        }
    }

    /// Returns the world with another broad phase, which must be empty. Keys and pairs that touch
    /// stay as they are.
    #[must_use]
    pub fn with_broad_phase<B>(mut self, broad: B) -> Self
    where
        B: BroadPhase + Clone + Debug + Send + Sync + 'static,
    {
        self.broad = BroadSlot::new(broad);
        self.rebuild_broad_phase();
        self
    }

    /// Reserves memory for at least `bodies` more bodies and `colliders` more colliders.
    pub fn reserve(&mut self, bodies: usize, colliders: usize) {
        self.storage.bodies.reserve(bodies);
        self.storage.first_colliders.reserve_exact(bodies);
        self.storage.colliders.reserve(colliders);
        self.storage.props.reserve_exact(colliders);
        self.storage.placed.reserve_exact(colliders);
    }

    /// Returns the broad phase, for queries about bounding boxes. Its ids are the colliders' slots.
    pub fn broad_phase(&self) -> &dyn BroadPhase {
        self.broad.as_dyn()
    }
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}
