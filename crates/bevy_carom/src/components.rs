//! The components that games put on their entities.

use std::sync::Arc;

use bevy_ecs::entity::{EntityMapper, MapEntities};
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_math::Vec2;
use bevy_reflect::prelude::{Reflect, ReflectDefault};
use bevy_transform::components::Transform;
use carom::broad::Mobility;
use carom::math::{Flip, IntoVec2};
use carom::motion::{self, JumpGrace, Response, WalkerState};
use carom::shape::{
    Aabb, Capsule, Cell, Chain, Circle, Compound, ConvexPolygon, Ellipse, Mask, Polygon, Segment,
    Shape, TileMap, Triangle,
};
use carom::sheet::{Sheet, SheetError};
use carom::world::{self, BodyKey, ColliderKey, LayerNames, Rehit};

use crate::CaromWorld;
use crate::placement::Placement;

/// An object with a pose, which is its [`Transform`].
///
/// The colliders of a body are those on its entity and on the entities below it, down to the next body.
/// A [`Collider`] without a body at or above its entity gets a fixed one. Fixed bodies do not touch each other, so add
/// a `Body::Moving` to entities that the game moves by their `Transform`.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default, PartialEq)]
#[component(on_remove = remove_body)]
#[require(Transform, BodyLink)]
#[doc(alias = "RigidBody")]
pub enum Body {
    /// The body moves: by its [`Velocity`], or when the game changes its [`Transform`].
    #[default]
    Moving,
    /// The body rarely moves, like walls and floors, and costs nothing while it does not. Two fixed bodies never
    /// touch each other.
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
#[component(on_remove = mark_dirty)]
pub struct Team(pub u32);

/// Disables a [`Body`] while it is present: the body touches nothing and is found by no query. It still moves by its
/// velocity, and nothing stops it. Bevy's own `Disabled` works as well, and also stops the movement.
#[derive(Component, Clone, Copy, Debug, Default, Reflect)]
#[reflect(Component, Default)]
#[component(on_remove = mark_dirty)]
pub struct BodyDisabled;

/// Hides a [`Body`] while it is present. A hidden body collides as before, unless
/// [`World::set_hidden_bodies_collide`](world::World::set_hidden_bodies_collide) is called with `false`.
/// Queries skip it if their filter is [`visible`](world::Filter::visible).
#[derive(Component, Clone, Copy, Debug, Default, Reflect)]
#[reflect(Component, Default)]
#[component(on_remove = mark_dirty)]
pub struct BodyHidden;

/// Lets others push a [`Body`]: a [`Walker`], and a mover that [responds](Responses) with `Response::Push`.
/// The number is the weight of the body, which counts towards the limit of a pusher.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component, Default, PartialEq)]
#[component(on_remove = mark_dirty)]
#[require(Body)]
#[doc(alias = "crate")]
pub struct Pushable(pub u16);

impl Default for Pushable {
    /// A weight of 1.
    fn default() -> Self {
        Self(1)
    }
}

/// Lets a fast [`Body`] report the sensors, hitboxes and hurtboxes that it passes within a step, as touches and
/// strikes: bullets, and heroes that are faster than a finish line is wide. Solid obstacles always stop a body
/// that moves by a [`Mover`] or a [`Walker`].
#[derive(Component, Clone, Copy, Debug, Default, Reflect)]
#[reflect(Component, Default)]
#[component(on_remove = mark_dirty)]
#[require(Body)]
#[doc(alias = "CCD")]
pub struct Swept;

/// Disables a [`Collider`] while it is present.
#[derive(Component, Clone, Copy, Debug, Default, Reflect)]
#[reflect(Component, Default)]
#[component(on_remove = mark_dirty)]
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
/// Every shape of carom can be a collider. A negative scale in the [`Transform`] flips it, and so does a half
/// turn about an axis in the plane, such as `Quat::from_rotation_y(PI)`. A scale that is not uniform works for
/// shapes that consist of vertices, even if it skews them, and makes ellipses of circles; for others it is reported
/// as [`InvalidComponent`](crate::InvalidComponent).
///
/// ```
/// use bevy_carom::prelude::*;
/// let hero = Collider::capsule(0.4, 0.8);
/// let coin = (Collider::circle(0.25), Role::Sensor);
/// let rock = Collider::new(bevy_carom::carom::shape::Triangle::new([0.0, 0.0], [2.0, 0.0], [1.0, 1.5]));
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

    /// Creates a capsule between two points.
    pub fn capsule_between(a: impl IntoVec2, b: impl IntoVec2, radius: f32) -> Self {
        Self::new(Capsule::new(a, b, radius))
    }

    /// Creates an ellipse around the origin.
    pub fn ellipse(radius_x: f32, radius_y: f32) -> Self {
        Self::new(Ellipse::new([0.0, 0.0], [radius_x, radius_y], 0.0))
    }

    /// Creates a triangle.
    pub fn triangle(a: impl IntoVec2, b: impl IntoVec2, c: impl IntoVec2) -> Self {
        Self::new(Triangle::new(a, b, c))
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

    /// Creates a collider from several shapes.
    pub fn compound<S: Into<Shape>>(parts: impl IntoIterator<Item = S>) -> Self {
        Self::new(Compound::new(parts.into_iter().map(Into::into).collect::<Vec<_>>()))
    }

    /// Creates a collider from a pixel mask.
    #[doc(alias = "pixel-perfect")]
    pub fn mask(mask: Mask) -> Self {
        Self::new(mask)
    }

    /// Creates a collider from a tile map.
    pub fn tiles(map: TileMap) -> Self {
        Self::new(map)
    }

    /// Edits the tiles of a tile map, and returns the result of `edit`; `None` if the shape is not a tile map. The
    /// tiles are copied, because carom's world has them, too: make several changes in one call.
    ///
    /// ```
    /// use bevy_carom::prelude::*;
    /// let map = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &["###"], &[('#', TileKind::SOLID)]);
    /// let mut collider = Collider::tiles(map);
    /// assert_eq!(collider.edit_tiles(|map| map.set([1, 0], TileMap::EMPTY)), Some(TileMap::SOLID));
    /// assert_eq!(Collider::circle(1.0).edit_tiles(|map| map.columns()), None);
    /// ```
    pub fn edit_tiles<R>(&mut self, edit: impl FnOnce(&mut TileMap) -> R) -> Option<R> {
        match Arc::make_mut(&mut self.shape) {
            Shape::TileMap(map) => Some(edit(map)),
            _ => None,
        }
    }

    /// Returns the shape in the local space of the entity.
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }
}

/// The purpose of a [`Collider`]. Each collider has one: an enemy that stands on the floor and is struck by swords has
/// a solid collider, and a hurtbox on a child entity.
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
#[reflect(Component, Default, PartialEq)]
#[component(on_remove = mark_dirty)]
pub struct OneWay(pub Vec2);

impl Default for OneWay {
    /// A platform that bodies land on from above.
    fn default() -> Self {
        Self(Vec2::Y)
    }
}

/// The rule by which a hitbox strikes again a body that it has struck. Without it, a hitbox strikes each body once.
/// See [`Rehit`].
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(opaque, Component, Default, Clone, Debug, PartialEq)]
#[component(on_remove = mark_dirty)]
pub struct RehitRule(pub Rehit);

/// The collision layers of a [`Collider`], and the layers that it collides with.
///
/// Layers have names, which [`CaromPlugin::with_layers`](crate::CaromPlugin::with_layers) declares, or they
/// are the variants of an enum: see [`collision_layers!`](crate::collision_layers). Two colliders interact
/// if each has a layer of the other in its mask.
///
/// ```
/// use bevy_carom::prelude::*;
/// let plugin = CaromPlugin::default().with_layers(["hero", "enemy", "wall"]);
/// let hero = CollisionLayers::new("hero", ["enemy", "wall"]);
/// let golem = CollisionLayers::new(["enemy", "wall"], "hero"); // on two layers
/// # let _ = (plugin, hero, golem);
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(opaque, Component, Clone, Debug, PartialEq)]
#[component(on_remove = mark_dirty)]
#[doc(alias = "CollisionGroups")]
pub struct CollisionLayers {
    pub(crate) layers: LayerNames,
    pub(crate) mask: LayerNames,
}

impl CollisionLayers {
    /// Creates the component from names or from carom's `Layer` and `Layers`.
    pub fn new(layers: impl Into<LayerNames>, mask: impl Into<LayerNames>) -> Self {
        Self { layers: layers.into(), mask: mask.into() }
    }

    /// Creates the component from the variants of an enum, single ones or lists. See
    /// [`collision_layers!`](crate::collision_layers).
    pub fn of<L: CollisionLayer>(
        layers: impl IntoIterator<Item = L>,
        mask: impl IntoIterator<Item = L>,
    ) -> Self {
        Self { layers: names(layers), mask: names(mask) }
    }
}

fn names<L: CollisionLayer>(layers: impl IntoIterator<Item = L>) -> LayerNames {
    LayerNames::Names(layers.into_iter().map(|layer| layer.name().to_owned()).collect())
}

impl Default for CollisionLayers {
    /// The default layer, which collides with all layers.
    fn default() -> Self {
        Self::new(world::Layer::DEFAULT, world::Layers::ALL)
    }
}

/// An enum whose variants are collision layers. [`collision_layers!`](crate::collision_layers) declares one.
pub trait CollisionLayer: Copy {
    /// The names of all layers.
    const NAMES: &'static [&'static str];

    /// Returns the name of a layer.
    fn name(self) -> &'static str;
}

/// Declares an enum whose variants are collision layers. A variant can be used wherever the name of a layer can.
///
/// ```
/// use bevy_carom::prelude::*;
///
/// bevy_carom::collision_layers! {
///     /// The layers of the game.
///     pub enum Layer {
///         Hero,
///         Enemy,
///         Wall,
///     }
/// }
///
/// let plugin = CaromPlugin::default().with_layers_of::<Layer>();
/// let hero = CollisionLayers::of(Layer::Hero, [Layer::Enemy, Layer::Wall]);
/// let golem = CollisionLayers::of([Layer::Enemy, Layer::Wall], Layer::Hero);
/// # let _ = (plugin, hero, golem);
/// ```
#[macro_export]
macro_rules! collision_layers {
    ($(#[$meta:meta])* $vis:vis enum $name:ident {
        $($(#[$layer_meta:meta])* $layer:ident),+ $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $vis enum $name { $($(#[$layer_meta])* $layer),+ }

        impl $crate::CollisionLayer for $name {
            const NAMES: &'static [&'static str] = &[$(stringify!($layer)),+];

            fn name(self) -> &'static str {
                match self { $(Self::$layer => stringify!($layer)),+ }
            }
        }

        impl From<$name> for $crate::carom::world::LayerNames {
            fn from(layer: $name) -> Self {
                $crate::CollisionLayer::name(layer).into()
            }
        }

        /// A single layer is a list of one.
        impl IntoIterator for $name {
            type Item = Self;
            type IntoIter = std::iter::Once<Self>;

            fn into_iter(self) -> Self::IntoIter {
                std::iter::once(self)
            }
        }
    };
}

/// The velocity of a [`Body`], in units per second.
///
/// A body with a velocity needs a [`Mover`] or a [`Walker`], which decides how it moves among obstacles. The
/// velocity is in world space. The body may be a child of another entity, such as a level, and moves with it, too.
/// A body below another body moves only with that one.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default, PartialEq)]
pub struct Velocity(pub Vec2);

/// The angular velocity of a [`Body`], in radians per second, counter-clockwise.
///
/// Only [`Mover::Platform`] and [`Mover::Free`] turn a body. A platform carries the bodies that stand on it.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default, PartialEq)]
pub struct AngularVelocity(pub f32);

/// Moves a [`Body`] by its [`Velocity`] and responds to the obstacles that it hits. [`Responses`] makes
/// exceptions for single layers.
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

/// The responses of a [`Mover`] to obstacles on single layers. The first entry with a layer of the obstacle
/// counts. Movers that are free or platforms do not respond to obstacles. A [`Walker`] passes through obstacles
/// to which it responds with `Response::Cross`; its other responses are those of walking.
///
/// ```
/// use bevy_carom::prelude::*;
/// // A bullet that stops at walls, bounces off shields and flies through bushes.
/// let bullet = (
///     Mover::Stop,
///     Responses::new().with("shield", Response::Bounce(1.0)).with("bush", Response::Cross),
/// );
/// # let _ = bullet;
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(opaque, Component, Default, Clone, Debug, PartialEq)]
pub struct Responses(pub(crate) Vec<(LayerNames, Response)>);

impl Responses {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a response to obstacles on some layers.
    #[must_use]
    pub fn with(mut self, layers: impl Into<LayerNames>, response: Response) -> Self {
        self.0.push((layers.into(), response));
        self
    }
}

/// A character controller: the [`Body`] walks by its [`Velocity`], to which the
/// [`Gravity`](crate::Gravity) is added in every step. Obstacles stop its solid colliders, and remove the blocked part
/// of the velocity. The component [`Footing`] holds the results.
///
/// The fields are those of [`carom::motion::Walker`], which describes them in detail.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Default, PartialEq)]
#[require(Body, Velocity, Footing)]
#[doc(alias = "character controller")]
pub struct Walker {
    /// The direction away from the ground. (0, 1) by default.
    pub up: Vec2,
    /// The steepest floor, in radians. 46° by default.
    pub max_slope_angle: f32,
    /// The distance below its feet in which a walker looks for the floor that it has left. 0.1 by default.
    pub snap_distance: f32,
    /// The highest step that it climbs without a jump. 0 by default.
    pub max_step_height: f32,
    /// The largest distance by which a jump is moved aside to pass the corner of a ceiling. 0 by default.
    pub corner_correction: f32,
    /// If `true`, the walker is as fast along slopes as on level ground. True by default.
    pub constant_speed: bool,
    /// For games on whole pixels: it moves by multiples of this. 0, the default, turns it off.
    pub pixel_size: f32,
    /// The largest total weight of [`Pushable`] bodies that it pushes ahead. Everything by default.
    pub push_limit: u32,
    /// The factor of gravity: 0 for swimmers and climbers, -1 for those that walk on ceilings. 1 by default.
    pub gravity_scale: f32,
}

impl Default for Walker {
    fn default() -> Self {
        motion::Walker::new().into()
    }
}

impl From<motion::Walker> for Walker {
    fn from(walker: motion::Walker) -> Self {
        Self {
            up: crate::to_bevy(walker.up),
            max_slope_angle: walker.max_slope_angle,
            snap_distance: walker.snap_distance,
            max_step_height: walker.max_step_height,
            corner_correction: walker.corner_correction,
            constant_speed: walker.constant_speed,
            pixel_size: walker.pixel_size,
            push_limit: walker.push_limit,
            gravity_scale: 1.0,
        }
    }
}

impl Walker {
    /// Returns the settings for carom.
    pub(crate) fn settings(&self) -> motion::Walker {
        motion::Walker {
            up: carom::Vec2::from_array(self.up.to_array()),
            max_slope_angle: self.max_slope_angle,
            snap_distance: self.snap_distance,
            max_step_height: self.max_step_height,
            corner_correction: self.corner_correction,
            constant_speed: self.constant_speed,
            pixel_size: self.pixel_size,
            push_limit: self.push_limit,
        }
    }
}

/// The surfaces that a [`Walker`] stands on and touches. Every step updates it.
///
/// ```
/// use bevy_carom::prelude::*;
/// use bevy_ecs::prelude::*;
///
/// fn jump(mut heroes: Query<(&mut Footing, &mut Velocity)>) {
///     for (mut footing, mut velocity) in &mut heroes {
///         footing.request_jump(); // if the key has been pressed
///         if footing.jump(JumpGrace::frames(6, 6)) {
///             velocity.0.y = 12.0;
///         }
///     }
/// }
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Default, Clone, PartialEq)]
pub struct Footing {
    /// The state that carom keeps from step to step.
    #[reflect(ignore, clone)]
    pub state: WalkerState,
    /// The collider that the walker stands on.
    pub floor: Option<Entity>,
    /// The tile that the walker stands on, if the floor is a tile map.
    #[reflect(ignore, clone)]
    pub tile: Option<Cell>,
    /// The normal of the floor; zero in the air.
    pub normal: Vec2,
    /// The wall that stopped the walker in the last step.
    pub wall: Option<Entity>,
    /// The normal of that wall; zero without one.
    pub wall_normal: Vec2,
    /// The ceiling that stopped the walker in the last step.
    pub ceiling: Option<Entity>,
}

impl Footing {
    /// Returns whether the walker stands on a floor.
    pub fn on_floor(&self) -> bool {
        self.state.on_floor()
    }

    /// Returns whether a wall stopped the walker in the last step.
    pub fn on_wall(&self) -> bool {
        self.wall.is_some()
    }

    /// Returns whether a ceiling stopped the walker in the last step.
    pub fn on_ceiling(&self) -> bool {
        self.ceiling.is_some()
    }

    /// Returns whether the walker stands on a floor, or walked off one no more than some steps ago.
    #[doc(alias = "coyote time")]
    pub fn was_on_floor(&self, steps: u32) -> bool {
        self.state.was_on_floor(steps)
    }

    /// Requests a jump. Call it when the key is pressed; [`jump`](Self::jump) decides when to jump.
    #[doc(alias = "jump buffering")]
    pub fn request_jump(&mut self) {
        self.state.request_jump();
    }

    /// Starts a jump if one has been requested and the walker may jump, and returns whether it does. Call
    /// it once per step and set the velocity if it returns `true`. See
    /// [`WalkerState::jump`](motion::WalkerState::jump).
    pub fn jump(&mut self, grace: JumpGrace) -> bool {
        self.state.jump(grace)
    }

    /// Starts a jump if one has been requested, with or without a floor: off a wall, or a double jump. See
    /// [`WalkerState::air_jump`](motion::WalkerState::air_jump).
    #[doc(alias = "double jump")]
    pub fn air_jump(&mut self, grace: JumpGrace) -> bool {
        self.state.air_jump(grace)
    }

    /// Lets the walker drop through the one-way platform that it stands on, with the next step.
    pub fn drop_through(&mut self) {
        self.state.drop_through();
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
            wall_normal: Vec2::ZERO,
            ceiling: None,
        }
    }
}

impl MapEntities for Footing {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        for entity in [&mut self.floor, &mut self.wall, &mut self.ceiling].into_iter().flatten() {
            *entity = mapper.get_mapped(*entity);
        }
    }
}

/// Gives a [`Body`] the boxes of a frame of a sprite sheet as colliders, in addition to its own.
///
/// Boxes have names, roles and layers. A box that the next frame has, too, keeps its collider, so that
/// touches go on. The colliders have no entities of their own: events name the entity of the body, and
/// [`CaromWorld::box_name`] returns the name of the box. A negative scale of the body flips them.
///
/// ```
/// use bevy_carom::SheetFrame;
/// use bevy_carom::carom::prelude::*;
/// use bevy_carom::carom::sheet::{Frame, Sheet};
/// let body = Aabb::new([-1.0, 0.0], [1.0, 4.0]);
/// let sheet = Sheet::from_frames([
///     Frame::new("idle").hurtbox("body", body),
///     Frame::new("punch").hurtbox("body", body).hitbox("fist", Circle::new([2.0, 3.0], 0.5)),
/// ])?;
/// let mut frame = SheetFrame::new(sheet, "idle");
/// frame.set_frame("punch");
/// # Ok::<(), carom::sheet::SheetError>(())
/// ```
#[derive(Component, Clone, Debug, Reflect)]
#[reflect(opaque, Component, Clone, Debug)]
#[component(on_remove = remove_frame)]
#[require(Body)]
#[doc(alias = "hitbox")]
#[doc(alias = "hurtbox")]
pub struct SheetFrame {
    pub(crate) sheet: Arc<Sheet>,
    pub(crate) frame: FrameSelector,
    pub(crate) direction: u32,
    pub(crate) flip: Flip,
    pub(crate) y_down: bool,
}

/// A frame of a sheet, by name or index.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FrameSelector {
    Name(String),
    Index(usize),
}

impl SheetFrame {
    /// Creates the component with a sheet and the name of a frame. Entities should share the `Arc` of a
    /// sheet.
    pub fn new(sheet: impl Into<Arc<Sheet>>, frame: impl Into<String>) -> Self {
        Self {
            sheet: sheet.into(),
            frame: FrameSelector::Name(frame.into()),
            direction: 0,
            flip: Flip::NONE,
            y_down: false,
        }
    }

    /// Declares that y points down in the sheet, as in images: its boxes are flipped.
    #[must_use]
    pub fn y_down(self) -> Self {
        Self { y_down: true, ..self }
    }

    /// Returns the sheet.
    pub fn sheet(&self) -> &Arc<Sheet> {
        &self.sheet
    }

    /// Sets the sheet.
    pub fn set_sheet(&mut self, sheet: Arc<Sheet>) {
        self.sheet = sheet;
    }

    /// Shows the frame with a name.
    pub fn set_frame(&mut self, name: impl Into<String>) {
        self.frame = FrameSelector::Name(name.into());
    }

    /// Shows the frame with an index.
    pub fn set_index(&mut self, index: usize) {
        self.frame = FrameSelector::Index(index);
    }

    /// Shows the frame of an animation at a tick.
    ///
    /// # Errors
    /// Returns an error if the sheet does not have the animation.
    pub fn set_animation(&mut self, animation: &str, tick: u64) -> Result<(), SheetError> {
        self.frame = FrameSelector::Index(self.sheet.frame_at(animation, tick)?);
        Ok(())
    }

    /// Sets the direction, for sheets with several.
    pub fn set_direction(&mut self, direction: u32) {
        self.direction = direction;
    }

    /// Sets the flip, as `Sprite::flip_x` and `flip_y` do for the image.
    pub fn set_flip(&mut self, x: bool, y: bool) {
        self.flip = Flip { x, y };
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

fn remove_frame(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let key = world.get::<BodyLink>(entity).and_then(|link| link.0);
    if let (Some(key), Some(mut carom)) = (key, world.get_resource_mut::<CaromWorld>()) {
        carom.removed_frames.push(key);
    }
}

/// Lets the next step update all that carom knows about an entity.
pub(crate) fn mark_dirty(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if let Some(mut carom) = world.get_resource_mut::<CaromWorld>() {
        carom.dirty.push(entity);
    }
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
