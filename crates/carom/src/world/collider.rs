//! Colliders: the shapes of bodies.

use alloc::sync::Arc;

use crate::math::{IntoVec2, Pose, Vec2};
use crate::shape::canonical::canonicalize;
use crate::shape::{Aabb, AsShape, Shape, ShapeRef};
use crate::sheet::Role;
use crate::world::body::check_pose;
use crate::world::placed_shape::{LocalShape, PlacedShape};
use crate::world::storage::{ColliderExtras, ColliderProps, ColliderRecord, Storage};
use crate::world::{
    Body, BodyKey, ColliderKey, Layer, LayerName, LayerNames, Layers, Rehit, World, WorldError,
};

/// A shape in body space, with collision layers, a mask and a role.
///
/// Two colliders touch if their shapes intersect, each one's mask contains a layer of the other, their
/// [`Role`]s interact, and they belong to different bodies. See [the overview](crate::world).
///
/// ```
/// use carom::prelude::*;
/// let mut world = World::new();
/// for name in ["player", "enemy", "wall"] {
///     world.add_layer(name)?;
/// }
/// let hero = world.add_body(Body::moving([0.0, 0.0]))?;
/// let feet = Aabb::new([-0.5, 0.0], [0.5, 0.25]);
/// world.add_collider(hero, Collider::new(feet).on_layer("player").with_mask(["enemy", "wall"]))?;
/// # Ok::<(), WorldError>(())
/// ```
///
/// Many colliders can share a shape:
///
/// ```
/// # use carom::prelude::*;
/// # use std::sync::Arc;
/// let bullet: Arc<Shape> = Circle::new([0.0, 0.0], 0.1).into();
/// let colliders = [Collider::new(bullet.clone()), Collider::new(bullet)];
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Collider {
    shape: Arc<Shape>,
    layers: LayerNames,
    mask: LayerNames,
    role: Role,
    enabled: bool,
    tag: u32,
    user_data: u64,
    one_way: Option<Vec2>,
    rehit: Rehit,
    detects_hurtboxes: bool,
    local_pose: Pose,
}

impl Collider {
    /// Creates a solid collider on layer 0 whose mask contains all layers.
    pub fn new(shape: impl Into<Arc<Shape>>) -> Self {
        Self {
            shape: shape.into(),
            layers: Layer::DEFAULT.into(),
            mask: Layers::ALL.into(),
            role: Role::Solid,
            enabled: true,
            tag: 0,
            user_data: 0,
            one_way: None,
            rehit: Rehit::PerSwing,
            detects_hurtboxes: false,
            local_pose: Pose::IDENTITY,
        }
    }

    /// Creates a sensor: a collider that reports what touches it but stops nothing. The classic name is
    /// trigger.
    #[doc(alias = "trigger")]
    #[doc(alias = "Area2D")]
    pub fn sensor(shape: impl Into<Arc<Shape>>) -> Self {
        Self::new(shape).with_role(Role::Sensor)
    }

    /// Puts the collider on a layer. See [`on_layers`](Self::on_layers) for several.
    #[doc(alias = "collision layer")]
    #[must_use]
    pub fn on_layer(self, layer: impl Into<LayerName>) -> Self {
        self.on_layers(layer.into())
    }

    /// Puts the collider on any number of layers. A mask that contains one of them is enough. A collider
    /// on no layer touches nothing, and no query finds it.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// for name in ["wall", "glass", "bird"] {
    ///     world.add_layer(name)?;
    /// }
    /// let window = world.add_body(Body::fixed([0.0, 0.0]))?;
    /// let pane = Collider::new(Aabb::new([0.0, 0.0], [0.25, 4.0]));
    /// world.add_collider(window, pane.on_layers(["wall", "glass"]))?;
    /// let bird = world.add_body(Body::moving([0.0, 1.0]))?;
    /// let collider = Collider::new(Circle::new([0.0, 0.0], 0.5));
    /// world.add_collider(bird, collider.on_layer("bird").with_mask("glass"))?;
    /// assert_eq!(world.update().iter().count(), 1);
    /// # Ok::<(), WorldError>(())
    /// ```
    #[doc(alias = "category bits")]
    #[doc(alias = "memberships")]
    #[must_use]
    pub fn on_layers(self, layers: impl Into<LayerNames>) -> Self {
        Self { layers: layers.into(), ..self }
    }

    /// Sets the mask: the layers that the collider can touch.
    #[doc(alias = "collision mask")]
    #[must_use]
    pub fn with_mask(self, layers: impl Into<LayerNames>) -> Self {
        Self { mask: layers.into(), ..self }
    }

    /// Sets the role: solid, sensor, hitbox or hurtbox.
    #[must_use]
    pub fn with_role(self, role: Role) -> Self {
        Self { role, ..self }
    }

    /// Makes the collider a one-way platform: in [motion](crate::motion) it stops only bodies that move
    /// against `up`, a direction in body space that rotates with the body. Bodies pass through it in all
    /// other directions. Only the edges that face `up` stop bodies, and only those that were entirely
    /// beyond them before; touching counts as beyond.
    ///
    /// A vector that is zero or not finite has no effect. Events and queries ignore this setting.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let cloud = world.add_body(Body::fixed([0.0, 4.0]))?;
    /// world.add_collider(cloud, Collider::new(Aabb::new([-2.0, -0.5], [2.0, 0.0])).one_way([0.0, 1.0]))?;
    /// let hero = world.add_body(Body::moving([0.0, 0.0]))?;
    /// world.add_collider(hero, Collider::new(Aabb::new([-0.5, 0.0], [0.5, 1.0])))?;
    ///
    /// world.travel(hero, [0.0, 5.0], |_| Response::Touch)?; // it passes upwards
    /// world.travel(hero, [0.0, -5.0], |_| Response::Touch)?; // and lands on top
    /// assert_eq!(world.body(hero).unwrap().pose.position, Vec2::new(0.0, 4.0));
    /// # Ok::<(), WorldError>(())
    /// ```
    #[must_use]
    #[doc(alias = "one-way platform")]
    #[doc(alias = "jump-through platform")]
    #[doc(alias = "one_way_collision")]
    pub fn one_way(self, up: impl IntoVec2) -> Self {
        let up = Some(up.into_vec2()).filter(|up| up.is_finite() && *up != Vec2::ZERO);
        Self { one_way: up, ..self }
    }

    /// Places the shape on the body: a sword that is rotated in the hand, a wheel at the corner of a car.
    /// [`World::set_local_pose`] changes the pose.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let tank = world.add_body(Body::moving([10.0, 0.0]))?;
    /// let barrel = Collider::new(Aabb::new([0.0, -0.25], [3.0, 0.25])).at(Pose::new([0.0, 1.0], 0.0));
    /// let barrel = world.add_collider(tank, barrel)?;
    /// assert_eq!(world.collider(barrel).unwrap().bounds(), Aabb::new([10.0, 0.75], [13.0, 1.25]));
    ///
    /// let upwards = Pose::new([0.0, 1.0], core::f32::consts::FRAC_PI_2);
    /// world.set_local_pose(barrel, upwards)?;
    /// assert_eq!(world.collider(barrel).unwrap().bounds(), Aabb::new([9.75, 1.0], [10.25, 4.0]));
    /// # Ok::<(), WorldError>(())
    /// ```
    #[must_use]
    pub fn at(self, local_pose: Pose) -> Self {
        Self { local_pose, ..self }
    }

    /// Sets when a hitbox strikes the same victim again; see [`Rehit`].
    ///
    /// Contact damage is a hitbox of the enemy's shape with a separate rule:
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom::sheet::Role;
    /// use carom::world::Rehit;
    /// let mut world = World::new();
    /// let ball = || Collider::new(Circle::new([0.0, 0.0], 1.0));
    /// let lava = ball().with_role(Role::Hitbox).with_rehit(Rehit::AfterTicks(30));
    /// let lava = world.spawn(Body::fixed([0.0, 0.0]), [lava])?;
    /// let hero = world.spawn(Body::moving([1.0, 0.0]), [ball().with_role(Role::Hurtbox)])?;
    /// let ticks: Vec<usize> = (0..100).filter(|_| !world.update().strikes().is_empty()).collect();
    /// assert_eq!(ticks, [0, 30, 60, 90]);
    /// # Ok::<(), WorldError>(())
    /// ```
    #[must_use]
    #[doc(alias = "invincibility frames")]
    pub fn with_rehit(self, rehit: Rehit) -> Self {
        Self { rehit, ..self }
    }

    /// Makes a sensor touch hurtboxes, too, not only solids and sensors: a tower that looks for enemies
    /// which have nothing but hurtboxes. It has no effect on other roles.
    #[must_use]
    pub fn detecting_hurtboxes(self) -> Self {
        Self { detects_hurtboxes: true, ..self }
    }

    /// Makes the collider disabled, until [`World::set_collider_enabled`].
    #[must_use]
    pub fn disabled(self) -> Self {
        Self { enabled: false, ..self }
    }

    /// Sets the tag, a number that distinguishes the colliders of a body: head, feet, sword.
    #[must_use]
    pub fn with_tag(self, tag: u32) -> Self {
        Self { tag, ..self }
    }

    /// Sets the user data, a number for the game to use. It is part of snapshots and saves, but not of the
    /// [state hash](World::state_hash).
    #[must_use]
    pub fn with_user_data(self, user_data: u64) -> Self {
        Self { user_data, ..self }
    }

    /// Returns the shape, before it is [placed](Self::at) on the body.
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// Returns the pose on the body.
    pub fn local_pose(&self) -> &Pose {
        &self.local_pose
    }

    /// Returns the layers, or their names.
    pub fn layers(&self) -> &LayerNames {
        &self.layers
    }

    /// Returns the mask, or the names of its layers.
    pub fn mask(&self) -> &LayerNames {
        &self.mask
    }

    /// Returns the role.
    pub fn role(&self) -> Role {
        self.role
    }

    /// Returns `true` if the collider is enabled.
    pub fn enabled(&self) -> bool {
        self.enabled
    }

    /// Returns the tag.
    pub fn tag(&self) -> u32 {
        self.tag
    }

    /// Returns the user data.
    pub fn user_data(&self) -> u64 {
        self.user_data
    }

    /// Returns the direction in which a [one-way](Self::one_way) platform can be passed.
    pub fn one_way_direction(&self) -> Option<Vec2> {
        self.one_way
    }

    /// Returns when a hitbox strikes the same victim again.
    pub fn rehit(&self) -> Rehit {
        self.rehit
    }

    /// Returns `true` if a sensor touches hurtboxes, too.
    pub fn detects_hurtboxes(&self) -> bool {
        self.detects_hurtboxes
    }
}

/// A reference to a collider of a world.
#[derive(Clone, Copy)]
pub struct ColliderRef<'w> {
    storage: &'w Storage,
    record: &'w ColliderRecord,
    slot: u32,
}

impl<'w> ColliderRef<'w> {
    #[inline]
    pub(crate) fn new(storage: &'w Storage, slot: u32) -> Option<Self> {
        Some(Self { storage, record: storage.colliders.get_slot(slot)?, slot })
    }

    fn props(&self) -> &'w ColliderProps {
        &self.storage.props[self.slot as usize]
    }

    /// Returns the key of the collider.
    pub fn key(&self) -> ColliderKey {
        self.storage.collider_key(self.slot)
    }

    /// Returns the key of its body.
    pub fn body_key(&self) -> BodyKey {
        self.storage.body_key_of(self.slot)
    }

    /// Returns its body.
    pub fn body(&self) -> &'w Body {
        let body = self.storage.body_of(self.slot);
        body.expect("a body is removed after its colliders")
    }

    /// Returns the shape in body space, at the [pose of the collider](Self::local_pose) on its body.
    pub fn shape(&self) -> &'w Arc<Shape> {
        self.record.local.shape()
    }

    /// Returns the shape before it was placed on the body.
    pub(crate) fn unplaced_shape(&self) -> &'w Arc<Shape> {
        self.record.local_pose().map_or(self.record.local.shape(), |(_, shape)| shape)
    }

    /// Returns the shape in world space, at the pose of the body. An [`Aabb`] that is not rotated, or only
    /// by quarter turns, stays an `Aabb`.
    pub fn placed(&self) -> ShapeRef<'w> {
        self.storage.placed[self.slot as usize].as_shape()
    }

    /// Returns the bounding box of the shape in world space.
    pub fn bounds(&self) -> Aabb {
        self.storage.placed[self.slot as usize].bounds()
    }

    /// Returns the layers that the collider is on.
    pub fn layers(&self) -> Layers {
        self.props().layers
    }

    /// Returns the mask: the layers that the collider can touch.
    pub fn mask(&self) -> Layers {
        self.props().mask
    }

    /// Returns the role.
    pub fn role(&self) -> Role {
        self.props().role
    }

    /// Returns `true` if the collider is enabled. Its body can be disabled nevertheless.
    pub fn enabled(&self) -> bool {
        self.props().enabled
    }

    /// Returns the tag, which distinguishes the colliders of a body.
    pub fn tag(&self) -> u32 {
        self.record.tag
    }

    /// Returns the user data.
    pub fn user_data(&self) -> u64 {
        self.record.user_data
    }

    /// Returns the direction, in body space, in which a [one-way](Collider::one_way) platform can be
    /// passed; `None` for other colliders.
    pub fn one_way(&self) -> Option<Vec2> {
        self.record.one_way()
    }

    /// Returns the pose of the collider on its body.
    pub fn local_pose(&self) -> Pose {
        self.record.local_pose().map_or(Pose::IDENTITY, |(pose, _)| *pose)
    }

    /// Returns when a hitbox strikes the same victim again.
    pub fn rehit(&self) -> Rehit {
        self.record.rehit()
    }

    /// Returns `true` if a sensor touches hurtboxes, too.
    pub fn detects_hurtboxes(&self) -> bool {
        self.props().detects_hurtboxes
    }
}

impl core::fmt::Debug for ColliderRef<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ColliderRef")
            .field("key", &self.key())
            .field("body", &self.body_key())
            .field("props", self.props())
            .field("placed", &self.placed())
            .finish()
    }
}

/// # Colliders
impl World {
    /// Adds a collider to a body.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchBody`] if the key is invalid, [`WorldError::UnknownLayer`] if a layer
    /// or the mask has a name that no layer has, and [`WorldError::BadPose`] if the pose on the body is
    /// invalid.
    pub fn add_collider(
        &mut self,
        body: BodyKey,
        collider: Collider,
    ) -> Result<ColliderKey, WorldError> {
        let pose = self.storage.body(body).ok_or(WorldError::NoSuchBody(body))?.pose;
        check_pose(&collider.local_pose)?;
        let Collider { shape, role, enabled, tag, user_data, one_way, rehit, local_pose, .. } =
            collider;
        let layers = self.layers.layers(collider.layers)?;
        let mask = self.layers.layers(collider.mask)?;
        let detects_hurtboxes = collider.detects_hurtboxes;
        let props =
            ColliderProps { layers, mask, body: body.slot, role, enabled, detects_hurtboxes };
        let (local, local_pose) = place_on_body(shape, local_pose);
        let extras = ColliderExtras { one_way, rehit, local_pose };
        let record = ColliderRecord::new(local, user_data, tag, extras);
        let key = self.storage.add_collider(record, props, &pose);
        self.sync_collider(key.slot);
        Ok(key)
    }

    /// Removes a collider from its body. Its pairs end with the next update.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchCollider`] if the key is invalid.
    pub fn remove_collider(&mut self, key: ColliderKey) -> Result<(), WorldError> {
        self.collider_mut(key)?;
        self.storage.unlink(key.slot);
        self.detach_collider(key.slot);
        Ok(())
    }

    /// Returns a collider, or `None` if it has been removed.
    pub fn collider(&self, key: ColliderKey) -> Option<ColliderRef<'_>> {
        self.storage.collider(key)?;
        ColliderRef::new(&self.storage, key.slot)
    }

    /// Returns an iterator over all colliders, ordered by key.
    pub fn colliders(&self) -> impl Iterator<Item = ColliderRef<'_>> {
        self.storage.colliders.iter().filter_map(|(slot, ..)| ColliderRef::new(&self.storage, slot))
    }

    /// Returns the number of colliders.
    pub fn collider_count(&self) -> usize {
        self.storage.colliders.len()
    }

    /// Sets the shape of a collider. The key stays valid, pairs that still touch have stayed, and the
    /// [pose](Collider::at) on the body stays as it is.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchCollider`] if the key is invalid.
    pub fn set_shape(
        &mut self,
        key: ColliderKey,
        shape: impl Into<Arc<Shape>>,
    ) -> Result<(), WorldError> {
        let local_pose = self.collider_ref(key)?.local_pose();
        self.place_shape(key, shape.into(), local_pose)
    }

    /// Sets the pose of a collider on its body: see [`Collider::at`]. The new pose applies to the original
    /// shape, so rounding errors do not accumulate.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchCollider`] if the key is invalid, and [`WorldError::BadPose`] if the
    /// pose is.
    pub fn set_local_pose(&mut self, key: ColliderKey, pose: Pose) -> Result<(), WorldError> {
        check_pose(&pose)?;
        let shape = Arc::clone(self.collider_ref(key)?.unplaced_shape());
        self.place_shape(key, shape, pose)
    }

    /// Sets the shape of a collider and its pose on the body. The key and the pose must be valid.
    fn place_shape(
        &mut self,
        key: ColliderKey,
        shape: Arc<Shape>,
        pose: Pose,
    ) -> Result<(), WorldError> {
        let record = self.collider_mut(key)?;
        let (local, local_pose) = place_on_body(shape, pose);
        let is_same = Arc::ptr_eq(record.local.shape(), local.shape())
            || **record.local.shape() == **local.shape();
        if local_pose.is_some() || record.extras.is_some() {
            record.change_extras(|extras| extras.local_pose = local_pose);
        }
        if is_same {
            self.storage.forget_unplaced_hash(key.slot); // the shape before placing may have changed
        } else {
            self.storage.set_shape(key.slot, local);
            self.update_placed(key.slot);
            self.sync_collider(key.slot);
        }
        Ok(())
    }

    /// Sets the layers that a collider is on.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchCollider`] if the key is invalid, and [`WorldError::UnknownLayer`] if no
    /// layer has one of the names.
    pub fn set_layers(
        &mut self,
        key: ColliderKey,
        layers: impl Into<LayerNames>,
    ) -> Result<(), WorldError> {
        let layers = self.layers.layers(layers)?;
        self.set_props(key, |props| props.layers = layers)
    }

    /// Sets the mask of a collider: the layers that it can touch.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchCollider`] if the key is invalid, and [`WorldError::UnknownLayer`] if no
    /// layer has one of the names.
    pub fn set_mask(
        &mut self,
        key: ColliderKey,
        layers: impl Into<LayerNames>,
    ) -> Result<(), WorldError> {
        let mask = self.layers.layers(layers)?;
        self.set_props(key, |props| props.mask = mask)
    }

    /// Sets the role of a collider.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchCollider`] if the key is invalid.
    pub fn set_role(&mut self, key: ColliderKey, role: Role) -> Result<(), WorldError> {
        self.set_props(key, |props| props.role = role)
    }

    /// Enables or disables a collider. A disabled collider touches nothing and is found by no query.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchCollider`] if the key is invalid.
    pub fn set_collider_enabled(
        &mut self,
        key: ColliderKey,
        enabled: bool,
    ) -> Result<(), WorldError> {
        self.set_props(key, |props| props.enabled = enabled)
    }

    /// Sets the tag of a collider.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchCollider`] if the key is invalid.
    pub fn set_tag(&mut self, key: ColliderKey, tag: u32) -> Result<(), WorldError> {
        self.collider_mut(key)?.tag = tag;
        Ok(())
    }

    /// Sets the user data of a collider.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchCollider`] if the key is invalid.
    pub fn set_collider_user_data(
        &mut self,
        key: ColliderKey,
        user_data: u64,
    ) -> Result<(), WorldError> {
        self.collider_mut(key)?.user_data = user_data;
        Ok(())
    }

    /// Makes a collider a one-way platform, or an ordinary collider again with `None`: see
    /// [`Collider::one_way`].
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchCollider`] if the key is invalid.
    pub fn set_one_way(&mut self, key: ColliderKey, up: Option<Vec2>) -> Result<(), WorldError> {
        let up = up.filter(|up| up.is_finite() && *up != Vec2::ZERO);
        self.collider_mut(key)?.change_extras(|extras| extras.one_way = up);
        Ok(())
    }

    /// Sets when a hitbox strikes the same victim again: see [`Collider::with_rehit`]. Earlier strikes keep
    /// the rule that applied when they happened.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchCollider`] if the key is invalid.
    pub fn set_rehit(&mut self, key: ColliderKey, rehit: Rehit) -> Result<(), WorldError> {
        self.collider_mut(key)?.change_extras(|extras| extras.rehit = rehit);
        Ok(())
    }

    fn collider_ref(&self, key: ColliderKey) -> Result<ColliderRef<'_>, WorldError> {
        self.collider(key).ok_or(WorldError::NoSuchCollider(key))
    }

    fn collider_mut(&mut self, key: ColliderKey) -> Result<&mut ColliderRecord, WorldError> {
        let record = self.storage.colliders.get_mut(key.slot, key.generation);
        record.ok_or(WorldError::NoSuchCollider(key))
    }

    /// Changes the properties that decide which colliders it can touch.
    pub(crate) fn set_props(
        &mut self,
        key: ColliderKey,
        set: impl FnOnce(&mut ColliderProps),
    ) -> Result<(), WorldError> {
        self.collider_mut(key)?;
        let props = &mut self.storage.props[key.slot as usize];
        let before = *props;
        set(props);
        if *props != before {
            self.sync_collider(key.slot);
        }
        Ok(())
    }
}

/// Places a shape on a body. Returns the placed shape, and the pose with the original shape unless the pose
/// is the identity.
pub(super) fn place_on_body(
    shape: Arc<Shape>,
    pose: Pose,
) -> (LocalShape, Option<(Pose, Arc<Shape>)>) {
    let shape = canonicalize(shape);
    if pose == Pose::IDENTITY {
        return (LocalShape::new(shape), None);
    }
    // A box that is only moved, or rotated by quarter turns, stays a box.
    let unplaced = LocalShape::new(Arc::clone(&shape));
    let placed = PlacedShape::new(&unplaced, &pose).as_shape().to_shape();
    (LocalShape::new(canonicalize(Arc::new(placed))), Some((pose, shape)))
}
