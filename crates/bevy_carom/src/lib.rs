//! 2D collision detection for [Bevy](https://bevy.org), based on [carom].
//!
//! Bodies and colliders are components, touches are messages and observer events, characters and moving
//! platforms move by their velocity. There is no physics: no forces, no stacking, no joints.
//!
//! ```
//! use bevy_app::prelude::*;
//! use bevy_carom::prelude::*;
//! use bevy_ecs::prelude::*;
//! use bevy_time::TimePlugin;
//! use bevy_transform::prelude::*;
//!
//! fn spawn_level(mut commands: Commands) {
//!     let rows = ["########", "#......#"]; // y points up: the first row is the lowest
//!     let map = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &rows, &[('#', TileKind::SOLID)]);
//!     commands.spawn((Body::Fixed, Collider::tiles(map)));
//!     commands.spawn((
//!         Walker::default(),
//!         Collider::rectangle(0.8, 0.9),
//!         Transform::from_xyz(2.0, 3.0, 0.0),
//!     ));
//!     commands
//!         .spawn((Collider::circle(0.25), Role::Sensor, Transform::from_xyz(2.0, 2.0, 0.0)))
//!         .observe(|touch: On<TouchBegan>, mut commands: Commands| {
//!             commands.entity(touch.collider).despawn(); // a coin
//!         });
//! }
//!
//! App::new()
//!     .add_plugins((TimePlugin, CaromPlugin::default()))
//!     .add_systems(Startup, spawn_level)
//!     .update();
//! ```
//!
//! # The step
//!
//! Each fixed step runs [`CaromSystems`] in `FixedPostUpdate`: changed components are copied to carom's
//! world, bodies move, touches are found and reported. Set velocities in `FixedUpdate`; read messages
//! wherever you like. [`CaromPlugin::in_schedule`] selects another schedule, for example that of a
//! rollback library.
//!
//! # Determinism
//!
//! The same commands give the same bits on every machine, whatever the archetypes and the order of
//! queries are: bodies are added, moved and removed in an order that depends only on [`SpawnOrder`] and
//! on the index of their entities. [`CaromWorld::state_hash`] compares two machines.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(missing_docs)]

#[cfg(feature = "assets")]
mod assets;
mod components;
#[cfg(feature = "debug")]
mod debug;
#[cfg(feature = "diagnostics")]
mod diagnostics;
mod events;
#[cfg(feature = "image")]
mod image;
mod interpolation;
#[cfg(feature = "mesh")]
mod mesh;
mod motion;
#[cfg(feature = "picking")]
mod picking;
mod placement;
mod query;
mod rollback;
mod sync;
mod touches;

use bevy_app::{App, FixedPostUpdate, Plugin};
use bevy_ecs::entity::{EntityMapper, MapEntities};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_math::Vec2;
use bevy_reflect::prelude::{Reflect, ReflectDefault};
use bevy_time::Time;
use carom::sheet::Sheet;
use carom::world::{BodyKey, ColliderKey, SheetKey, World as Collisions};
use std::sync::Arc;

#[cfg(feature = "assets")]
pub use assets::{
    CaromAssetsPlugin, LevelAsset, LevelLoader, SheetAsset, SheetHandle, SheetLoader, SpawnLevel,
};
pub use carom;
#[cfg(feature = "assets")]
pub use carom_files;
pub use components::{
    AngularVelocity, Body, BodyDisabled, BodyHidden, BodyLink, Collider, ColliderDisabled,
    ColliderLink, CollisionLayer, CollisionLayers, Footing, ImplicitBody, Mover, OneWay, Pushable,
    RehitRule, Responses, Role, SheetFrame, SpawnOrder, Swept, Team, Velocity, Walker,
};
#[cfg(feature = "debug")]
pub use debug::{CaromDebug, CaromDebugPlugin, CaromGizmos, DebugColor};
#[cfg(feature = "diagnostics")]
pub use diagnostics::CaromDiagnosticsPlugin;
pub use events::{
    BodyTouchBegan, BodyTouchEnded, InvalidComponent, Landed, LeftFloor, MoverHit, Squashed,
    Struck, TouchBegan, TouchEnded,
};
#[cfg(feature = "image")]
pub use image::{CaromImagePlugin, ImageCollider, ImageFit};
pub use interpolation::{CaromInterpolationPlugin, Interpolated};
#[cfg(feature = "mesh")]
pub use mesh::{CaromMeshPlugin, MeshCollider};
#[cfg(feature = "picking")]
pub use picking::{CaromPicking, CaromPickingCamera, CaromPickingPlugin};
pub use query::SpatialQuery;
pub use rollback::{CaromSnapshot, RollbackApp};

/// The types that most games use.
pub mod prelude {
    #[cfg(feature = "debug")]
    pub use crate::CaromDebugPlugin;
    pub use crate::{
        AngularVelocity, Body, BodyTouchBegan, BodyTouchEnded, CaromPlugin, CaromSystems, Collider,
        CollisionLayers, Footing, Gravity, Landed, LeftFloor, Mover, MoverHit, OneWay, Pushable,
        Responses, Role, SheetFrame, SpatialQuery, Squashed, Struck, Swept, Team, TouchBegan,
        TouchEnded, Velocity, Walker,
    };
    pub use carom::motion::{JumpGrace, Response};
    pub use carom::shape::{TileKind, TileMap};
    pub use carom::world::Filter;
}

/// The acceleration of all [`Walker`]s, in units per second squared.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Resource, Default, PartialEq)]
pub struct Gravity(pub Vec2);

impl Default for Gravity {
    /// 30 units per second squared, downwards: a usual value for characters that are about one unit wide.
    fn default() -> Self {
        Self(Vec2::new(0.0, -30.0))
    }
}

/// carom's world, and the entities of its bodies and colliders.
#[derive(Resource, Clone, Default)]
pub struct CaromWorld {
    collisions: Collisions,
    /// The entities by slot of the key. carom does not reuse a slot before the end of its touches has been
    /// reported, so entries need not be cleared. The user data of carom would not do: it goes with the body or
    /// collider, before the end of its touches.
    bodies: Vec<Entity>,
    colliders: Vec<Entity>,
    removed_bodies: Vec<BodyKey>,
    removed_colliders: Vec<ColliderKey>,
    removed_frames: Vec<BodyKey>,
    /// Entities that the next step updates, though none of their components has changed: they have lost a
    /// component, or the last step has rejected them.
    dirty: Vec<Entity>,
    /// Entities that this step has rejected.
    rejected: Vec<Entity>,
    /// The sheets that have been added to the world.
    sheets: Vec<(Arc<Sheet>, SheetKey)>,
}

impl CaromWorld {
    /// Returns carom's world, for all of its queries.
    pub fn get(&self) -> &Collisions {
        &self.collisions
    }

    /// Returns carom's world, for its settings. Change bodies and colliders by their components instead:
    /// bodies that are added here have no entity.
    pub fn get_mut(&mut self) -> &mut Collisions {
        &mut self.collisions
    }

    /// Returns a hash of the state of all bodies and colliders.
    pub fn state_hash(&self) -> u64 {
        self.collisions.state_hash()
    }

    /// Returns the entity of a body.
    pub fn body_entity(&self, key: BodyKey) -> Option<Entity> {
        Some(linked(&self.bodies, key)).filter(|&entity| entity != Entity::PLACEHOLDER)
    }

    /// Returns the entity of a collider.
    pub fn collider_entity(&self, key: ColliderKey) -> Option<Entity> {
        Some(linked(&self.colliders, key)).filter(|&entity| entity != Entity::PLACEHOLDER)
    }

    /// Returns the name of the box of a [`SheetFrame`] that a collider comes from.
    pub fn box_name(&self, key: ColliderKey) -> Option<&str> {
        self.collisions.box_name(key)
    }
}

/// For libraries that restore entities under other names.
impl MapEntities for CaromWorld {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        let entities = self.bodies.iter_mut().chain(&mut self.colliders).chain(&mut self.dirty);
        for entity in entities.filter(|entity| **entity != Entity::PLACEHOLDER) {
            *entity = mapper.get_mapped(*entity);
        }
    }
}

/// Converts a vector of carom's version of glam to Bevy's.
fn to_bevy(v: carom::Vec2) -> Vec2 {
    Vec2::from_array(v.to_array())
}

/// Returns the index of the slot that a key refers to.
fn slot(key: impl Into<[u32; 2]>) -> usize {
    key.into()[0] as usize
}

/// Returns the entity of a key, or `Entity::PLACEHOLDER` if it has none.
fn linked(entities: &[Entity], key: impl Into<[u32; 2]>) -> Entity {
    entities.get(slot(key)).copied().unwrap_or(Entity::PLACEHOLDER)
}

/// Stores the entity of a key.
fn link(entities: &mut Vec<Entity>, key: impl Into<[u32; 2]>, entity: Entity) {
    let slot = slot(key);
    if entities.len() <= slot {
        entities.resize(slot + 1, Entity::PLACEHOLDER);
    }
    entities[slot] = entity;
}

/// The steps of carom, in this order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CaromSystems {
    /// Copies added, changed and removed components to carom's world.
    Sync,
    /// Takes over transforms that the game has changed, then moves platforms, movers and walkers.
    Move,
    /// Finds touches and strikes and reports them.
    Touch,
}

/// Adds carom to an app. Needs Bevy's `TimePlugin`, which is part of the default and of the minimal plugins.
#[derive(Clone, Debug)]
pub struct CaromPlugin {
    schedule: Interned<dyn ScheduleLabel>,
    gravity: Gravity,
    layers: Vec<String>,
    world: Collisions,
}

impl Default for CaromPlugin {
    fn default() -> Self {
        Self {
            schedule: FixedPostUpdate.intern(),
            gravity: Gravity::default(),
            layers: Vec::new(),
            world: Collisions::new(),
        }
    }
}

impl CaromPlugin {
    /// Runs the step in a schedule instead of `FixedPostUpdate`.
    #[must_use]
    pub fn in_schedule(self, schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern(), ..self }
    }

    /// Sets the initial value of the resource [`Gravity`].
    #[must_use]
    pub fn with_gravity(self, gravity: Vec2) -> Self {
        Self { gravity: Gravity(gravity), ..self }
    }

    /// Declares collision layers by name. See [`CollisionLayers`].
    #[must_use]
    pub fn with_layers<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.layers.extend(names.into_iter().map(Into::into));
        self
    }

    /// Declares the variants of an enum as collision layers. See [`collision_layers!`].
    #[must_use]
    pub fn with_layers_of<L: CollisionLayer>(self) -> Self {
        self.with_layers(L::NAMES.iter().copied())
    }

    /// Sets the world that the app starts with, for its settings: the broad phase, or the rules of strikes.
    ///
    /// ```
    /// use bevy_carom::prelude::*;
    /// use bevy_carom::carom::world::{StrikeRules, World};
    /// let mut world = World::new();
    /// world.set_strike_rules(StrikeRules::default().with_friendly_fire(true));
    /// let plugin = CaromPlugin::default().with_world(world);
    /// # let _ = plugin;
    /// ```
    #[must_use]
    pub fn with_world(self, world: Collisions) -> Self {
        Self { world, ..self }
    }
}

impl Plugin for CaromPlugin {
    /// # Panics
    /// Panics if the layers are invalid: more than carom supports, or a duplicate name.
    fn build(&self, app: &mut App) {
        let mut carom = CaromWorld { collisions: self.world.clone(), ..CaromWorld::default() };
        for name in &self.layers {
            if let Err(error) = carom.collisions.add_layer(name) {
                panic!("collision layer {name:?}: {error}");
            }
        }
        app.insert_resource(carom)
            .insert_resource(self.gravity)
            .init_resource::<rollback::RollbackRegistry>()
            .add_message::<TouchBegan>()
            .add_message::<TouchEnded>()
            .add_message::<BodyTouchBegan>()
            .add_message::<BodyTouchEnded>()
            .add_message::<Struck>()
            .add_message::<Landed>()
            .add_message::<LeftFloor>()
            .add_message::<MoverHit>()
            .add_message::<Squashed>()
            .add_message::<InvalidComponent>()
            .register_type::<Body>()
            .register_type::<Team>()
            .register_type::<BodyDisabled>()
            .register_type::<BodyHidden>()
            .register_type::<Pushable>()
            .register_type::<Swept>()
            .register_type::<Collider>()
            .register_type::<ColliderDisabled>()
            .register_type::<CollisionLayers>()
            .register_type::<Role>()
            .register_type::<OneWay>()
            .register_type::<RehitRule>()
            .register_type::<SheetFrame>()
            .register_type::<SpawnOrder>()
            .register_type::<Velocity>()
            .register_type::<AngularVelocity>()
            .register_type::<Mover>()
            .register_type::<Responses>()
            .register_type::<Walker>()
            .register_type::<Footing>()
            .register_type::<Gravity>()
            .add_observer(sync::mark_disabled)
            .add_observer(sync::mark_enabled)
            .add_observer(sync::mark_orphaned)
            .configure_sets(
                self.schedule,
                (CaromSystems::Sync, CaromSystems::Move, CaromSystems::Touch).chain(),
            )
            .add_systems(
                self.schedule,
                (
                    (
                        sync::add_implicit_bodies,
                        sync::remove_despawned,
                        sync::mark_scaled,
                        sync::sync_bodies,
                        sync::sync_colliders,
                        sync::sync_frames,
                        sync::check_velocities,
                    )
                        .chain()
                        .in_set(CaromSystems::Sync),
                    motion::move_bodies.in_set(CaromSystems::Move),
                    // Observers of movement may have despawned entities.
                    (sync::remove_despawned, touches::report_touches, sync::log_invalid)
                        .chain()
                        .in_set(CaromSystems::Touch),
                ),
            );
    }

    /// # Panics
    /// Panics if the app has no time, because nothing would move.
    fn finish(&self, app: &mut App) {
        let has_time = app.world().contains_resource::<Time>();
        assert!(
            has_time,
            "CaromPlugin needs the TimePlugin of bevy_time, which runs the fixed steps"
        );
    }
}

/// The examples in the README and in the guide, as tests.
#[cfg(doctest)]
mod guide {
    #[doc = include_str!("../README.md")]
    struct Readme;

    #[doc = include_str!("../../../docs/src/bevy.md")]
    struct Guide;
}
