//! Colliders: the shapes of bodies.

use alloc::sync::Arc;

use crate::math::Vec2;
use crate::shape::{Aabb, AsShape, Shape, ShapeRef};
use crate::sheet::Role;
use crate::world::placed_shape::LocalShape;
use crate::world::snapshot::canonicalize;
use crate::world::storage::{ColliderProps, ColliderRecord, NONE, Storage};
use crate::world::{
    Body, BodyKey, ColliderKey, Layer, LayerName, LayerNames, Layers, World, WorldError,
};

/// A shape in body space, with a collision layer, a mask and a role.
///
/// Two colliders touch if their shapes intersect, each one's mask contains the other's layer, their
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
    layer: LayerName,
    mask: LayerNames,
    role: Role,
    enabled: bool,
    tag: u32,
    user_data: u64,
    one_way: Option<Vec2>,
}

impl Collider {
    /// Creates a solid collider on layer 0 whose mask contains all layers.
    pub fn new(shape: impl Into<Arc<Shape>>) -> Self {
        Self {
            shape: shape.into(),
            layer: Layer::DEFAULT.into(),
            mask: Layers::ALL.into(),
            role: Role::Solid,
            enabled: true,
            tag: 0,
            user_data: 0,
            one_way: None,
        }
    }

    /// Creates a sensor: a collider that reports what touches it but stops nothing. The classic name is
    /// trigger.
    #[doc(alias = "trigger")]
    #[doc(alias = "Area2D")]
    pub fn sensor(shape: impl Into<Arc<Shape>>) -> Self {
        Self::new(shape).with_role(Role::Sensor)
    }

    /// Sets the layer.
    #[doc(alias = "collision layer")]
    #[must_use]
    pub fn on_layer(self, layer: impl Into<LayerName>) -> Self {
        Self { layer: layer.into(), ..self }
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
    pub fn one_way(self, up: impl Into<Vec2>) -> Self {
        let up = Some(up.into()).filter(|up| up.is_finite() && *up != Vec2::ZERO);
        Self { one_way: up, ..self }
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

    /// Sets the user data.
    #[must_use]
    pub fn with_user_data(self, user_data: u64) -> Self {
        Self { user_data, ..self }
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

    /// Returns the shape in body space.
    pub fn shape(&self) -> &'w Arc<Shape> {
        self.record.local.shape()
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

    /// Returns the layer.
    pub fn layer(&self) -> Layer {
        self.props().layer
    }

    /// Returns the mask: the layers that the collider can touch.
    pub fn mask(&self) -> Layers {
        self.props().mask
    }

    /// Returns the role.
    pub fn role(&self) -> Role {
        self.props().role
    }

    /// Returns whether the collider is enabled. Its body can be disabled nevertheless.
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
        self.record.one_way
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
    /// Returns [`WorldError::NoSuchBody`] if the key is invalid, and [`WorldError::UnknownLayer`] if the
    /// layer or the mask has a name that no layer has.
    pub fn add_collider(
        &mut self,
        body: BodyKey,
        collider: Collider,
    ) -> Result<ColliderKey, WorldError> {
        let pose = self.storage.body(body).ok_or(WorldError::NoSuchBody(body))?.pose;
        let Collider { shape, layer, mask, role, enabled, tag, user_data, one_way } = collider;
        let (layer, mask) = (self.layers.layer(layer)?, self.layers.layers(mask)?);
        let props = ColliderProps { mask, body: body.slot, layer, role, enabled };
        let local = LocalShape::new(canonicalize(shape));
        let record = ColliderRecord { local, user_data, next: NONE, tag, one_way };
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

    /// Sets the shape of a collider. The key stays valid, and pairs that still touch have stayed.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchCollider`] if the key is invalid.
    pub fn set_shape(
        &mut self,
        key: ColliderKey,
        shape: impl Into<Arc<Shape>>,
    ) -> Result<(), WorldError> {
        self.collider_mut(key)?.local = LocalShape::new(canonicalize(shape.into()));
        self.update_placed(key.slot);
        self.sync_collider(key.slot);
        Ok(())
    }

    /// Sets the layer of a collider.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchCollider`] if the key is invalid, and [`WorldError::UnknownLayer`] if no
    /// layer has the name.
    pub fn set_layer(
        &mut self,
        key: ColliderKey,
        layer: impl Into<LayerName>,
    ) -> Result<(), WorldError> {
        let layer = self.layers.layer(layer)?;
        self.set_props(key, |props| props.layer = layer)
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
        self.collider_mut(key)?.one_way = up.filter(|up| up.is_finite() && *up != Vec2::ZERO);
        Ok(())
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
        set(&mut self.storage.props[key.slot as usize]);
        self.sync_collider(key.slot);
        Ok(())
    }
}
