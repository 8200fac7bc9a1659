//! A world of bodies with colliders: collision events from frame to frame, and spatial queries.
//!
//! Add everything that can collide to a [`World`], move it as your game requires, and call
//! [`update`](World::update) once per frame:
//!
//! ```
//! use carom::prelude::*;
//! use carom::world::{Event, EventKind};
//!
//! let mut world = World::new();
//! for name in ["hero", "coin", "wall"] {
//!     world.add_layer(name)?;
//! }
//! let wall = world.add_body(Body::fixed([0.0, 0.0]))?;
//! world.add_collider(wall, Collider::new(Aabb::new([8.0, 0.0], [9.0, 4.0])).on_layer("wall"))?;
//! let coin = world.add_body(Body::moving([4.0, 1.0]).with_user_data(50))?; // it is worth 50
//! let shape = Circle::new([0.0, 0.0], 0.5);
//! world.add_collider(coin, Collider::sensor(shape).on_layer("coin").with_mask("hero"))?;
//! let hero = world.add_body(Body::moving([0.0, 0.0]))?;
//! let shape = Aabb::new([0.0, 0.0], [1.0, 2.0]);
//! world.add_collider(hero, Collider::new(shape).on_layer("hero").with_mask(["coin", "wall"]))?;
//!
//! let mut score = 0;
//! for _frame in 0..20 {
//!     world.translate(hero, [0.75, 0.0])?;
//!     world.update();
//!     // One event per pair of bodies, so a coin is collected once, even if several colliders touch it.
//!     for event in world.events().body_events() {
//!         if event.kind == EventKind::Began && event.other(hero) == Some(coin) {
//!             score += world.remove_body(coin)?.user_data;
//!         }
//!     }
//!     // One event per pair of colliders, with a contact if both are solid.
//!     let events: Vec<Event> = world.events().iter().collect();
//!     for event in events.iter().filter_map(|event| event.seen_from(hero)) {
//!         if let Some(contact) = event.contact {
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
//! A [`Body`] has a pose. Its [`Collider`]s are shapes in body space that move with it. Both are
//! identified by keys, [`BodyKey`] and [`ColliderKey`], which are small and `Copy`; the key of an object
//! that was removed stays invalid forever. The world stores each shape in body space and derives the
//! shape in world space from it at every move, so rounding errors do not accumulate. Fixed bodies cost
//! nothing while they do not change.
//!
//! Two colliders touch if
//!
//! - their shapes intersect (see [`intersects`](crate::shape::Shape::intersects): touching counts, and
//!   the test is exact);
//! - each one's mask contains a layer of the other ([`Collider::on_layers`], [`Collider::with_mask`]);
//! - their [`Role`]s interact: solids and sensors with each other, hitboxes with hurtboxes, and hitboxes
//!   with hitboxes if [clashes](StrikeRules::clashes) are enabled;
//! - they belong to different bodies, which are not both fixed;
//! - they and their bodies are enabled.
//!
//! A sensor (also called trigger) reports what touches it, but has no contacts and stops nothing.
//!
//! # Events and queries
//!
//! [`World::update`] returns the pairs that [`Began`](EventKind::Began), [`Stayed`](EventKind::Stayed) or
//! [`Ended`](EventKind::Ended) since the last update, ordered by the keys of the colliders, with a
//! [`Contact`](crate::query::Contact) if neither is a sensor. Every pair that begins also ends: if a
//! collider is removed, disabled or moved to other layers, the next update reports the end of its pairs.
//! [`World::touching`] returns the pairs of one collider at any time until the next update.
//!
//! A body can have several colliders. [`Events::body_events`] reports each pair of bodies once: it begins
//! when the first two of their colliders touch, and ends when no two of them touch any longer.
//!
//! Queries use the current poses, also between updates. Each takes a [`Filter`]:
//!
//! | query | classic name | result |
//! | --- | --- | --- |
//! | [`at_point`](World::at_point) | point query | the colliders that contain a point |
//! | [`intersecting`](World::intersecting), [`intersecting_box`](World::intersecting_box) | overlap query | the colliders that intersect a shape |
//! | [`overlapping`](World::overlapping), [`is_free`](World::is_free), [`find_free_place`](World::find_free_place) | place test | the colliders that overlap a shape, without those that only touch it; `true` if there are none; the nearest free position |
//! | [`contacts`](World::contacts) | contact query | the colliders that intersect a shape, with contacts |
//! | [`raycast`](World::raycast), [`raycast_all`](World::raycast_all) | ray cast, hitscan, line of sight | the colliders that a ray hits |
//! | [`sweep`](World::sweep), [`sweep_all`](World::sweep_all) | shape cast | the colliders that a moving shape hits |
//! | [`nearest`](World::nearest) | nearest neighbors | the colliders nearest to a point |
//!
//! # Strikes and animation frames
//!
//! A collider with the role [`Hitbox`](Role::Hitbox) strikes those with the role
//! [`Hurtbox`](Role::Hurtbox). [`Events::strikes`] lists the attackers and victims with the boxes that
//! touched, once per swing. [`Body::team`] and [`StrikeRules`] decide which bodies can strike each other.
//!
//! The boxes of animated sprites change with every frame. Add a [`Sheet`](crate::sheet::Sheet) to the
//! world with [`add_sheet`](World::add_sheet). Then [`set_frame`](World::set_frame) gives a body the boxes
//! of a frame, optionally mirrored. A box with the same name in the next frame is the same collider, so
//! pairs that still touch have stayed.
//!
//! ```
//! use carom::prelude::*;
//! use carom::sheet::{Frame, FrameRef, Sheet};
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
//!     let (anns, bobs) = if tick == 0 { ("idle", "idle") } else { ("idle", "kick") };
//!     world.set_frame(ann, fighter, anns)?;
//!     world.set_frame(bob, fighter, FrameRef::from(bobs).flipped(Flip::X))?; // he faces left
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
//! `World::new()` uses [`Strips`], a [broad phase](crate::broad) that suits every kind of scene. To use
//! another one, change one line. Events and query results are the same to the bit:
//!
//! ```
//! use carom::broad::QuadTree;
//! use carom::prelude::*;
//! let world = World::with(QuadTree::new());
//! ```
//!
//! # Rollback and saves
//!
//! A [`clone`](Clone::clone) of a world is a snapshot, and `world.clone_from(&snapshot)` restores it
//! without allocating. The same calls on both yield the same keys and the same events, to the bit.
//! [`World::state_hash`] detects when two machines have desynchronized. With the feature `serde`, worlds
//! can be saved and loaded, and a loaded world behaves exactly like the saved one.
//!
//! # Invalid input
//!
//! A call that cannot succeed returns a [`WorldError`] and leaves the world unchanged.
//!
//! | input | result |
//! | --- | --- |
//! | the key of a removed object | [`WorldError::NoSuchBody`] or [`WorldError::NoSuchCollider`]; methods that only read return `None` or nothing |
//! | a pose with NaN, infinity or a scale of 0 or less | [`WorldError::BadPose`] with the value; the body does not move |
//! | a box without width or height | cannot be created: [`ShapeError::NotPositive`](crate::error::ShapeError::NotPositive) |
//! | an empty name | [`WorldError::EmptyLayerName`]; [`SheetError::EmptyName`](crate::sheet::SheetError::EmptyName) |
//! | a new layer with a name whose number colliders use already | [`WorldError::LayerInUse`] with the number |
//! | the name of a layer that does not exist | [`WorldError::UnknownLayer`] with all names and the most similar one |
//! | a frame or direction that a sheet does not have | [`WorldError::Sheet`] with all names; the body shows the same frame as before |
//! | coordinates of 1e30 | valid; positions and bounds are clamped to the range of `f32`: a collider beyond this range touches nothing |
//! | a query with a point, box or motion that is not finite | nothing is found |
//! | a million colliders at one point | 500 000 000 000 pairs: beyond [`World::max_pairs`], [`World::try_update`] returns [`WorldError::TooManyPairs`] and `update` panics; queries and removals work |

pub(crate) mod bit_set;
mod body;
mod broad_slot;
mod collider;
mod edit;
mod error;
mod filter;
mod frames;
#[cfg(test)]
mod growth;
mod keys;
mod layers;
pub(crate) mod move_buffers;
mod passages;
pub(crate) mod placed_shape;
mod queries;
mod slot_map;
mod snapshot;
pub(crate) mod storage;
mod support;
mod sync;
mod update;

pub use crate::sheet::Role;
pub use body::Body;
pub(crate) use body::check_pose;
pub use collider::{Collider, ColliderRef};
pub use error::WorldError;
pub use filter::Filter;
pub use frames::{SheetKey, ShownFrame};
pub use keys::{BodyKey, ColliderKey};
pub use layers::{Layer, LayerName, LayerNames, Layers};
pub use move_buffers::MoveBuffers;
pub use passages::Passage;
pub use support::Support;
pub use update::events::{BodyEvent, Event, EventIter, EventKind, Events};
pub use update::strikes::{Clash, Rehit, Strike, StrikeRules, Swings};

use core::fmt::Debug;

use crate::broad::{BroadPhase, Strips};
use broad_slot::BroadSlot;
use frames::Frames;
use layers::LayerRegistry;
use passages::Passages;
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
    passages: Passages,
    /// `true` if nothing has changed since the last update.
    is_up_to_date: bool,
    /// `true` if the last update succeeded.
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
            passages: Passages::default(),
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
