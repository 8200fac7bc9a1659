//! The components that games put on their entities.

use std::sync::Arc;

use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_math::Vec2;
use bevy_reflect::prelude::{Reflect, ReflectDefault};
use bevy_transform::components::Transform;
use carom::broad::Mobility;
use carom::math::{IntoVec2, Pose};
use carom::motion::{self, WalkerState};
use carom::shape::Cell;
use carom::shape::{Aabb, Capsule, Chain, Circle, ConvexPolygon, Polygon, Segment, Shape, TileMap};
use carom::world::{self, BodyKey, ColliderKey, LayerName, LayerNames};

use crate::CaromWorld;

/// An object with a pose, which is its [`Transform`].
///
/// The colliders of a body are those on its entity and on the entities below it, down to the next body.
/// A [`Collider`] without a body above it gets a fixed one.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default, PartialEq)]
#[component(on_remove = remove_body)]
#[require(Transform, BodyLink)]
#[doc(alias = "RigidBody")]
pub enum Body {
    /// The body moves: by its [`Velocity`], or when the game changes its [`Transform`].
    #[default]
    Moving,
    /// The body is expected to stay, like walls and floors. It may be moved, but costs nothing while it
    /// stays. Two fixed bodies never touch each other.
    #[doc(alias = "static")]
    Fixed,
}

impl Body {
    pub(crate) fn mobility(self) -> Mobility {
        match self {
            Self::Moving => Mobility::Moving,
            Self::Fixed => Mobility::Fixed,
        }
    }
}

/// The team of a [`Body`]. Hitboxes do not strike their own team. Team 0 is no team.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default, PartialEq)]
pub struct Team(pub u32);

/// Disables a [`Body`] while it is present: the body touches nothing and is found by no query.
#[derive(Component, Clone, Copy, Debug, Default, Reflect)]
#[reflect(Component, Default)]
pub struct BodyDisabled;

/// Disables a [`Collider`] while it is present.
#[derive(Component, Clone, Copy, Debug, Default, Reflect)]
#[reflect(Component, Default)]
pub struct ColliderDisabled;

/// The position of a body or collider in the order in which those that are spawned in the same step enter
/// the world. Lower numbers come first.
///
/// Only games with rollback or replays across machines need it, and only if entities are spawned in an
/// order that differs between machines. Without it, the index of the entity decides.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component, PartialEq)]
pub struct SpawnOrder(pub u64);

/// A shape of the nearest [`Body`] at or above its entity, placed by the transforms in between.
///
/// Every shape of carom can be a collider. A negative scale in the [`Transform`] flips it. A scale that is
/// not uniform works for shapes that consist of vertices; for others it is reported as
/// [`InvalidComponent`](crate::InvalidComponent).
///
/// ```
/// use bevy_carom::prelude::*;
/// let hero = Collider::capsule(0.4, 0.8);
/// let coin = (Collider::circle(0.25), Role::Sensor);
/// let rock = Collider::new(carom::shape::Triangle::new([0.0, 0.0], [2.0, 0.0], [1.0, 1.5]));
/// # let _ = (hero, coin, rock);
/// ```
#[derive(Component, Clone, Debug, Reflect)]
#[reflect(opaque, Component, Clone, Debug)]
#[component(on_remove = remove_collider)]
#[require(Transform, Role, ColliderLink)]
pub struct Collider {
    shape: Arc<Shape>,
}

impl Collider {
    /// Creates a collider from a shape of carom, in the local space of the entity.
    pub fn new(shape: impl Into<Arc<Shape>>) -> Self {
        Self { shape: shape.into() }
    }

    /// Creates a circle around the origin.
    ///
    /// # Panics
    /// Panics if the radius is negative or not finite. So do the other constructors for invalid sizes.
    pub fn circle(radius: f32) -> Self {
        Self::new(Circle::new([0.0, 0.0], radius))
    }

    /// Creates a rectangle around the origin.
    pub fn rectangle(width: f32, height: f32) -> Self {
        Self::new(Aabb::from_center_half_size([0.0, 0.0], [width / 2.0, height / 2.0]))
    }

    /// Creates an upright capsule around the origin: a segment of the given length with a radius.
    pub fn capsule(radius: f32, length: f32) -> Self {
        Self::new(Capsule::new([0.0, -length / 2.0], [0.0, length / 2.0], radius))
    }

    /// Creates a line segment.
    pub fn segment(a: impl IntoVec2, b: impl IntoVec2) -> Self {
        Self::new(Segment::new(a, b))
    }

    /// Creates the convex hull of points.
    pub fn convex_hull<P: IntoVec2>(points: &[P]) -> Option<Self> {
        ConvexPolygon::hull(points).ok().map(Self::new)
    }

    /// Creates a polygon, convex or concave.
    pub fn polygon<P: IntoVec2>(points: &[P]) -> Self {
        Self::new(Polygon::new(points))
    }

    /// Creates a chain of line segments without an inside.
    #[doc(alias = "polyline")]
    pub fn chain<P: IntoVec2>(points: &[P]) -> Self {
        Self::new(Chain::new(points))
    }

    /// Creates a collider from a tile map.
    pub fn tiles(map: TileMap) -> Self {
        Self::new(map)
    }

    /// Returns the shape in the local space of the entity.
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }
}

/// The purpose of a [`Collider`].
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default, PartialEq)]
pub enum Role {
    /// The collider blocks movement.
    #[default]
    Solid,
    /// The collider reports touches and blocks nothing.
    #[doc(alias = "trigger")]
    Sensor,
    /// The collider strikes hurtboxes.
    Hitbox,
    /// The collider is struck by hitboxes.
    Hurtbox,
}

impl From<Role> for world::Role {
    fn from(role: Role) -> Self {
        match role {
            Role::Solid => Self::Solid,
            Role::Sensor => Self::Sensor,
            Role::Hitbox => Self::Hitbox,
            Role::Hurtbox => Self::Hurtbox,
        }
    }
}

/// Makes a solid [`Collider`] a one-way platform: it blocks only bodies that come from the side to which
/// the vector points, in the local space of the entity.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, PartialEq)]
pub struct OneWay(pub Vec2);

impl Default for OneWay {
    /// A platform that bodies land on from above.
    fn default() -> Self {
        Self(Vec2::Y)
    }
}

/// The collision layer of a [`Collider`], and the layers that it collides with.
///
/// Layers have names, which [`CaromPlugin::with_layers`](crate::CaromPlugin::with_layers) declares.
/// Two colliders interact if each has the layer of the other in its mask.
///
/// ```
/// use bevy_carom::prelude::*;
/// let plugin = CaromPlugin::default().with_layers(["hero", "enemy", "wall"]);
/// let layers = CollisionLayers::new("hero", ["enemy", "wall"]);
/// # let _ = (plugin, layers);
/// ```
#[derive(Component, Clone, Debug)]
pub struct CollisionLayers {
    pub(crate) layer: LayerName,
    pub(crate) mask: LayerNames,
}

impl CollisionLayers {
    /// Creates the component from names or from carom's `Layer` and `Layers`.
    pub fn new(layer: impl Into<LayerName>, mask: impl Into<LayerNames>) -> Self {
        Self { layer: layer.into(), mask: mask.into() }
    }
}

/// The velocity of a [`Body`], in units per second.
///
/// A body with a velocity needs a [`Mover`] or a [`Walker`], which decides how it moves among obstacles. A
/// body below a parent entity moves with its parent, not by its velocity.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default, PartialEq)]
pub struct Velocity(pub Vec2);

/// Moves a [`Body`] by its [`Velocity`] and responds to the obstacles that it hits.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default, PartialEq)]
#[require(Body, Velocity)]
pub enum Mover {
    /// Nothing stops the body.
    Free,
    /// The body stops at the first obstacle.
    Stop,
    /// The body slides along obstacles.
    #[default]
    Slide,
    /// The body bounces off obstacles. The number is the restitution: 1 keeps the speed, 0 stops.
    Bounce(f32),
    /// The body is a moving platform: it carries what stands on it and pushes what is in its way.
    #[doc(alias = "lift")]
    Platform,
}

/// A character controller: the [`Body`] walks by its [`Velocity`], to which the
/// [`Gravity`](crate::Gravity) is added in every step.
///
/// The contained settings of carom define the largest step, the steepest slope and so on. The component
/// [`Footing`] holds the results.
#[derive(Component, Clone, Copy, Debug, Reflect)]
#[reflect(opaque, Component, Clone, Debug)]
#[require(Body, Velocity, Footing)]
#[doc(alias = "character controller")]
pub struct Walker(pub motion::Walker);

impl Default for Walker {
    fn default() -> Self {
        Self(motion::Walker::new())
    }
}

/// What a [`Walker`] stands on and touches. Every step writes it.
#[derive(Component, Clone, Copy, Debug, Reflect)]
#[reflect(opaque, Component, Clone, Debug)]
pub struct Footing {
    /// The state that carom keeps from step to step. To jump or to drop through a platform, call its
    /// methods.
    pub state: WalkerState,
    /// The collider that the walker stands on.
    pub floor: Option<Entity>,
    /// The tile that the walker stands on, if the floor is a tile map.
    pub tile: Option<Cell>,
    /// The normal of the floor; zero in the air.
    pub normal: Vec2,
    /// The wall that stopped the walker in the last step.
    pub wall: Option<Entity>,
    /// The ceiling that stopped the walker in the last step.
    pub ceiling: Option<Entity>,
}

impl Footing {
    /// Returns whether the walker stands on a floor.
    pub fn on_floor(&self) -> bool {
        self.state.on_floor()
    }
}

impl Default for Footing {
    fn default() -> Self {
        Self {
            state: WalkerState::new(),
            floor: None,
            tile: None,
            normal: Vec2::ZERO,
            wall: None,
            ceiling: None,
        }
    }
}

/// Marks a [`Body`] that was added because a [`Collider`] had none above it.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct ImplicitBody;

/// The key of a [`Body`] in carom's world, while it is there.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub struct BodyLink(pub(crate) Option<BodyKey>);

impl BodyLink {
    /// Returns the key.
    pub fn key(&self) -> Option<BodyKey> {
        self.0
    }
}

/// The key of a [`Collider`] in carom's world, while it is there.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub struct ColliderLink(pub(crate) Option<LinkedCollider>);

impl ColliderLink {
    /// Returns the key.
    pub fn key(&self) -> Option<ColliderKey> {
        self.0.map(|link| link.key)
    }
}

/// A collider in the world: its key, its body, and its placement on the body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkedCollider {
    pub key: ColliderKey,
    pub body: BodyKey,
    pub placement: Placement,
}

/// The transformation of a collider's shape to the space of its body: first scaled along both axes, then
/// transformed by a pose with a uniform scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placement {
    pub scale: Vec2,
    pub pose: Pose,
}

// Removal uses hooks, because `RemovedComponents` are cleared after two frames, even if no fixed step ran
// in between.
fn remove_body(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let key = world.get_mut::<BodyLink>(entity).and_then(|mut link| link.0.take());
    if let (Some(key), Some(mut carom)) = (key, world.get_resource_mut::<CaromWorld>()) {
        carom.removed_bodies.push(key);
    }
}

fn remove_collider(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let link = world.get_mut::<ColliderLink>(entity).and_then(|mut link| link.0.take());
    if let (Some(link), Some(mut carom)) = (link, world.get_resource_mut::<CaromWorld>()) {
        carom.removed_colliders.push(link.key);
    }
}
