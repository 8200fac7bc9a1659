//! Colliders: what bodies are made of.

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

/// A shape in the frame of a body, and what it pays attention to.
///
/// Two colliders touch where their shapes share a point, each one's mask has the other's layer, their
/// [`Role`]s go together and their bodies are two.
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
/// Many colliders of one shape can share it:
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
    /// A solid shape on layer 0 that pays attention to all layers.
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

    /// A shape that only notices what touches it.
    pub fn sensor(shape: impl Into<Arc<Shape>>) -> Self {
        Self::new(shape).with_role(Role::Sensor)
    }

    /// On a layer.
    #[must_use]
    pub fn on_layer(self, layer: impl Into<LayerName>) -> Self {
        Self { layer: layer.into(), ..self }
    }

    /// With a mask: the layers it pays attention to.
    #[must_use]
    pub fn with_mask(self, layers: impl Into<LayerNames>) -> Self {
        Self { mask: layers.into(), ..self }
    }

    /// With another role.
    #[must_use]
    pub fn with_role(self, role: Role) -> Self {
        Self { role, ..self }
    }

    /// A platform: in [motion](crate::motion) it stops only what comes against `up`, which is a
    /// direction in the body's frame and turns with it. All other ways lead through it. Only the edges that
    /// face `up` stop anything, and only what was wholly beyond them before; touch counts as beyond.
    ///
    /// The zero vector, and what is not finite, makes no platform. Touching and queries take no notice.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let cloud = world.add_body(Body::fixed([0.0, 4.0]))?;
    /// world.add_collider(cloud, Collider::new(Aabb::new([-2.0, -0.5], [2.0, 0.0])).one_way([0.0, 1.0]))?;
    /// let hero = world.add_body(Body::moving([0.0, 0.0]))?;
    /// world.add_collider(hero, Collider::new(Aabb::new([-0.5, 0.0], [0.5, 1.0])))?;
    ///
    /// world.travel(hero, [0.0, 5.0], |_| Response::Touch)?; // up through it
    /// world.travel(hero, [0.0, -5.0], |_| Response::Touch)?; // and down onto it
    /// assert_eq!(world.body(hero).unwrap().pose.position, Vec2::new(0.0, 4.0));
    /// # Ok::<(), WorldError>(())
    /// ```
    #[must_use]
    pub fn one_way(self, up: impl Into<Vec2>) -> Self {
        let up = Some(up.into()).filter(|up| up.is_finite() && *up != Vec2::ZERO);
        Self { one_way: up, ..self }
    }

    /// Taking no part until it is enabled.
    #[must_use]
    pub fn disabled(self) -> Self {
        Self { enabled: false, ..self }
    }

    /// With a number that tells the colliders of a body apart: head, feet, sword.
    #[must_use]
    pub fn with_tag(self, tag: u32) -> Self {
        Self { tag, ..self }
    }

    /// With something to know it by.
    #[must_use]
    pub fn with_user_data(self, user_data: u64) -> Self {
        Self { user_data, ..self }
    }
}

/// A collider of a world, to be looked at.
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

    /// Its key.
    pub fn key(&self) -> ColliderKey {
        self.storage.collider_key(self.slot)
    }

    /// The key of its body.
    pub fn body_key(&self) -> BodyKey {
        self.storage.body_key_of(self.slot)
    }

    /// Its body.
    pub fn body(&self) -> &'w Body {
        let body = self.storage.body_of(self.slot);
        body.expect("a collider goes when its body goes")
    }

    /// The shape in the body's frame, as it was given.
    pub fn shape(&self) -> &'w Arc<Shape> {
        self.record.local.shape()
    }

    /// The shape where the body has taken it. A box that is not turned, or by quarters only, is a
    /// box still.
    pub fn placed(&self) -> ShapeRef<'w> {
        self.storage.placed[self.slot as usize].as_shape()
    }

    /// The box around the placed shape.
    pub fn bounds(&self) -> Aabb {
        self.storage.placed[self.slot as usize].bounds()
    }

    /// The layer it is on.
    pub fn layer(&self) -> Layer {
        self.props().layer
    }

    /// The layers it pays attention to.
    pub fn mask(&self) -> Layers {
        self.props().mask
    }

    /// What it is for.
    pub fn role(&self) -> Role {
        self.props().role
    }

    /// Whether it takes part, if its body does.
    pub fn enabled(&self) -> bool {
        self.props().enabled
    }

    /// The number that tells it from its body's other colliders.
    pub fn tag(&self) -> u32 {
        self.record.tag
    }

    /// What the game knows it by.
    pub fn user_data(&self) -> u64 {
        self.record.user_data
    }

    /// For a platform, the direction in the body's frame against which it stops things.
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
    /// Gives a body a collider.
    ///
    /// # Errors
    /// [`WorldError::NoSuchBody`]; [`WorldError::UnknownLayer`].
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

    /// Takes a collider off its body. What it touched ends with the next update.
    ///
    /// # Errors
    /// [`WorldError::NoSuchCollider`]
    pub fn remove_collider(&mut self, key: ColliderKey) -> Result<(), WorldError> {
        self.existing_collider(key)?;
        self.storage.unlink(key.slot);
        self.detach_collider(key.slot);
        Ok(())
    }

    /// A collider, if it is still there.
    pub fn collider(&self, key: ColliderKey) -> Option<ColliderRef<'_>> {
        self.storage.collider(key)?;
        ColliderRef::new(&self.storage, key.slot)
    }

    /// All colliders, in the order of their keys.
    pub fn colliders(&self) -> impl Iterator<Item = ColliderRef<'_>> {
        self.storage.colliders.iter().filter_map(|(slot, ..)| ColliderRef::new(&self.storage, slot))
    }

    /// How many colliders there are.
    pub fn collider_count(&self) -> usize {
        self.storage.colliders.len()
    }

    /// Gives a collider another shape. It keeps its key, and what it goes on touching stays.
    ///
    /// # Errors
    /// [`WorldError::NoSuchCollider`]
    pub fn set_shape(
        &mut self,
        key: ColliderKey,
        shape: impl Into<Arc<Shape>>,
    ) -> Result<(), WorldError> {
        self.existing_collider(key)?.local = LocalShape::new(canonicalize(shape.into()));
        self.update_placed(key.slot);
        self.sync_collider(key.slot);
        Ok(())
    }

    /// Puts a collider on another layer.
    ///
    /// # Errors
    /// [`WorldError::NoSuchCollider`]; [`WorldError::UnknownLayer`].
    pub fn set_layer(
        &mut self,
        key: ColliderKey,
        layer: impl Into<LayerName>,
    ) -> Result<(), WorldError> {
        let layer = self.layers.layer(layer)?;
        self.set_props(key, |props| props.layer = layer)
    }

    /// Says which layers a collider pays attention to.
    ///
    /// # Errors
    /// [`WorldError::NoSuchCollider`]; [`WorldError::UnknownLayer`].
    pub fn set_mask(
        &mut self,
        key: ColliderKey,
        layers: impl Into<LayerNames>,
    ) -> Result<(), WorldError> {
        let mask = self.layers.layers(layers)?;
        self.set_props(key, |props| props.mask = mask)
    }

    /// Gives a collider another role.
    ///
    /// # Errors
    /// [`WorldError::NoSuchCollider`]
    pub fn set_role(&mut self, key: ColliderKey, role: Role) -> Result<(), WorldError> {
        self.set_props(key, |props| props.role = role)
    }

    /// Lets a collider take part or not.
    ///
    /// # Errors
    /// [`WorldError::NoSuchCollider`]
    pub fn set_collider_enabled(
        &mut self,
        key: ColliderKey,
        enabled: bool,
    ) -> Result<(), WorldError> {
        self.set_props(key, |props| props.enabled = enabled)
    }

    /// Gives a collider another number to tell it from its body's others.
    ///
    /// # Errors
    /// [`WorldError::NoSuchCollider`]
    pub fn set_tag(&mut self, key: ColliderKey, tag: u32) -> Result<(), WorldError> {
        self.existing_collider(key)?.tag = tag;
        Ok(())
    }

    /// Gives a collider something else to know it by.
    ///
    /// # Errors
    /// [`WorldError::NoSuchCollider`]
    pub fn set_collider_user_data(
        &mut self,
        key: ColliderKey,
        user_data: u64,
    ) -> Result<(), WorldError> {
        self.existing_collider(key)?.user_data = user_data;
        Ok(())
    }

    /// Makes a collider a platform, or one no more: see [`Collider::one_way`].
    ///
    /// # Errors
    /// [`WorldError::NoSuchCollider`]
    pub fn set_one_way(&mut self, key: ColliderKey, up: Option<Vec2>) -> Result<(), WorldError> {
        self.existing_collider(key)?.one_way = up.filter(|up| up.is_finite() && *up != Vec2::ZERO);
        Ok(())
    }

    fn existing_collider(&mut self, key: ColliderKey) -> Result<&mut ColliderRecord, WorldError> {
        let record = self.storage.colliders.get_mut(key.slot, key.generation);
        record.ok_or(WorldError::NoSuchCollider(key))
    }

    pub(crate) fn set_props(
        &mut self,
        key: ColliderKey,
        set: impl FnOnce(&mut ColliderProps),
    ) -> Result<(), WorldError> {
        self.existing_collider(key)?;
        set(&mut self.storage.props[key.slot as usize]);
        self.sync_collider(key.slot);
        Ok(())
    }
}
