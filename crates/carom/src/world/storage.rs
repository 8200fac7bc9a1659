//! The bodies and colliders of a world, without the broad phase and the pairs that touch.

use alloc::sync::Arc;
use alloc::vec::Vec;

use carom_simd::prefetch;

use crate::broad::Mobility;
use crate::math::{Pose, Vec2};
use crate::shape::Shape;
use crate::sheet::Role;
use crate::world::bit_set::BitSet;
use crate::world::body::{Body, BodyRecord};
use crate::world::placed_shape::{LocalShape, PlacedShape};
use crate::world::slot_map::SlotMap;
use crate::world::snapshot::ShapeHashes;
use crate::world::support::SupportRecord;
use crate::world::{BodyKey, ColliderKey, Layers, Rehit, StrikeRules, WorldError};

/// No slot: the end of a linked list.
pub(crate) const NONE: u32 = u32::MAX;

/// Bodies and colliders.
///
/// The data of a collider that pair tests read (`props`, `placed`) is stored apart from the rest, so that
/// it stays in the cache.
#[derive(Debug)]
pub(crate) struct Storage {
    pub bodies: SlotMap<BodyRecord>,
    /// For each body slot, the slot of its first collider, which stores the next one. It is not part of
    /// the body's record, so that a body and its first collider can be fetched from memory at the same
    /// time.
    pub first_colliders: Vec<u32>,
    /// For each body slot up to the last body that ever stood on another one, the support of the body.
    pub supports: Vec<Option<SupportRecord>>,
    /// `true` if hidden bodies collide.
    pub hidden_bodies_collide: bool,
    pub colliders: SlotMap<ColliderRecord>,
    /// For each collider slot, the data that decides which others it can touch.
    pub props: Vec<ColliderProps>,
    /// For each collider slot, the shape in world space.
    pub placed: Vec<PlacedShape>,
    pub shape_hashes: ShapeHashes,
    /// The hashes of the shapes of colliders that have a pose on their body, before they were placed there.
    pub unplaced_hashes: ShapeHashes,
    /// The colliders that have changed since the last update, so that their pairs must be tested again.
    pub dirty: BitSet,
}

/// The data of a collider that pair tests do not need.
#[derive(Clone, Debug)]
pub(crate) struct ColliderRecord {
    pub local: LocalShape,
    pub user_data: u64,
    /// The slot of the body's next collider.
    pub next: u32,
    /// The slot of the body's previous collider.
    pub previous: u32,
    pub tag: u32,
    /// `None` if all are the default.
    pub extras: Option<Arc<ColliderExtras>>,
}

impl ColliderRecord {
    /// Creates a record that is in no list.
    pub fn new(local: LocalShape, user_data: u64, tag: u32, extras: ColliderExtras) -> Self {
        let extras = (extras != ColliderExtras::default()).then(|| Arc::new(extras));
        Self { local, user_data, next: NONE, previous: NONE, tag, extras }
    }

    /// Returns the direction, in body space, in which a one-way platform can be passed.
    #[inline]
    pub fn one_way(&self) -> Option<Vec2> {
        self.extras.as_ref()?.one_way
    }

    /// Returns when a hitbox strikes a body again.
    pub fn rehit(&self) -> Rehit {
        self.extras.as_ref().map_or(Rehit::PerSwing, |extras| extras.rehit)
    }

    /// Returns the pose of the collider on its body and the shape before it was placed there; `None` if the
    /// pose is the identity.
    pub fn local_pose(&self) -> Option<&(Pose, Arc<Shape>)> {
        self.extras.as_ref()?.local_pose.as_ref()
    }

    /// Changes the settings that few colliders have.
    pub fn change_extras(&mut self, change: impl FnOnce(&mut ColliderExtras)) {
        let mut extras = self.extras.as_deref().cloned().unwrap_or_default();
        change(&mut extras);
        self.extras = (extras != ColliderExtras::default()).then(|| Arc::new(extras));
    }
}

/// The settings of a collider that few colliders have.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ColliderExtras {
    /// The direction, in body space, in which a one-way platform can be passed.
    pub one_way: Option<Vec2>,
    /// The rule that decides when a hitbox strikes a body again.
    pub rehit: Rehit,
    /// The pose of the collider on its body and the shape before it was placed there; `None` if the pose is
    /// the identity.
    pub local_pose: Option<(Pose, Arc<Shape>)>,
}

/// The data of a collider that decides which others it can touch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct ColliderProps {
    pub layers: Layers,
    pub mask: Layers,
    /// The slot of its body.
    pub body: u32,
    pub role: Role,
    pub enabled: bool,
    /// `true` if it is a sensor that touches hurtboxes, too.
    pub detects_hurtboxes: bool,
}

impl ColliderProps {
    /// Returns `true` if two colliders should collide by their bodies, layers, masks and roles.
    #[inline(always)]
    pub fn should_collide_with(&self, other: &Self, rules: StrikeRules) -> bool {
        self.body != other.body
            && self.mask.intersects(other.layers)
            && other.mask.intersects(self.layers)
            && (roles_interact(self.role, other.role, rules)
                || self.detects(other)
                || other.detects(self))
    }

    /// Returns `true` if this is a sensor that detects another collider, a hurtbox.
    #[inline(always)]
    fn detects(&self, other: &Self) -> bool {
        self.detects_hurtboxes && self.role == Role::Sensor && other.role == Role::Hurtbox
    }

    /// Returns `true` if a pair has a contact. A pair with a sensor has none.
    #[inline(always)]
    pub fn makes_contact_with(&self, other: &Self) -> bool {
        self.role != Role::Sensor && other.role != Role::Sensor
    }

    /// Returns `true` if the collider is a hitbox or a hurtbox.
    #[inline(always)]
    pub fn is_combat_box(&self) -> bool {
        matches!(self.role, Role::Hitbox | Role::Hurtbox)
    }
}

/// Returns `true` if colliders of two roles interact: solids and sensors with each other, hitboxes with
/// hurtboxes, and hitboxes with hitboxes if the rules enable clashes.
#[inline(always)]
fn roles_interact(a: Role, b: Role, rules: StrikeRules) -> bool {
    match a {
        Role::Solid | Role::Sensor => matches!(b, Role::Solid | Role::Sensor),
        Role::Hitbox => b == Role::Hurtbox || rules.clashes && b == Role::Hitbox,
        Role::Hurtbox => b == Role::Hitbox,
    }
}

impl Clone for Storage {
    fn clone(&self) -> Self {
        Self {
            bodies: self.bodies.clone(),
            first_colliders: self.first_colliders.clone(),
            supports: self.supports.clone(),
            hidden_bodies_collide: self.hidden_bodies_collide,
            colliders: self.colliders.clone(),
            props: self.props.clone(),
            placed: self.placed.clone(),
            shape_hashes: self.shape_hashes.clone(),
            unplaced_hashes: self.unplaced_hashes.clone(),
            dirty: self.dirty.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.bodies.clone_from(&source.bodies);
        self.first_colliders.clone_from(&source.first_colliders);
        self.supports.clone_from(&source.supports);
        self.hidden_bodies_collide = source.hidden_bodies_collide;
        self.colliders.clone_from(&source.colliders);
        self.props.clone_from(&source.props);
        self.placed.clone_from(&source.placed);
        self.shape_hashes.clone_from(&source.shape_hashes);
        self.unplaced_hashes.clone_from(&source.unplaced_hashes);
        self.dirty.clone_from(&source.dirty);
    }
}

impl Storage {
    pub const fn new() -> Self {
        Self {
            bodies: SlotMap::new(),
            first_colliders: Vec::new(),
            supports: Vec::new(),
            hidden_bodies_collide: true,
            colliders: SlotMap::new(),
            props: Vec::new(),
            placed: Vec::new(),
            shape_hashes: ShapeHashes::new(),
            unplaced_hashes: ShapeHashes::new(),
            dirty: BitSet::new(),
        }
    }

    /// Prefetches the data that moving a body accesses.
    #[inline]
    pub fn prefetch_body(&self, slot: u32) {
        self.bodies.prefetch(slot);
        if let Some(&collider) = self.first_colliders.get(slot as usize) {
            self.colliders.prefetch(collider);
            self.prefetch_collider(collider);
        }
    }

    /// Prefetches the data of a collider that the narrow phase reads.
    #[inline]
    pub fn prefetch_collider(&self, slot: u32) {
        prefetch(&self.placed, slot as usize);
        prefetch(&self.props, slot as usize);
    }

    #[inline]
    pub fn body(&self, key: BodyKey) -> Option<&Body> {
        Some(&self.bodies.get(key.slot, key.generation)?.body)
    }

    /// Returns an error if there is no such body.
    #[inline]
    pub fn check_body(&self, key: BodyKey) -> Result<(), WorldError> {
        self.body(key).map(|_| ()).ok_or(WorldError::NoSuchBody(key))
    }

    #[inline]
    pub fn collider(&self, key: ColliderKey) -> Option<&ColliderRecord> {
        self.colliders.get(key.slot, key.generation)
    }

    /// Returns the key of a collider that is live or retired.
    #[inline]
    pub fn collider_key(&self, slot: u32) -> ColliderKey {
        ColliderKey { slot, generation: self.colliders.generation(slot) }
    }

    /// Returns the key of a collider's body, even if both are retired.
    #[inline]
    pub fn body_key_of(&self, collider: u32) -> BodyKey {
        let slot = self.props[collider as usize].body;
        BodyKey { slot, generation: self.bodies.generation(slot) }
    }

    /// Returns the body of a collider that is live or retired.
    #[inline]
    pub fn body_of(&self, collider: u32) -> Option<&Body> {
        Some(&self.bodies.get_slot(self.props[collider as usize].body)?.body)
    }

    /// Returns the slot of a body's first collider, or [`NONE`].
    #[inline]
    pub fn first_collider(&self, body: u32) -> u32 {
        self.first_colliders.get(body as usize).copied().unwrap_or(NONE)
    }

    /// Empties the body's list of colliders. Returns the slot of the first one, or [`NONE`].
    pub fn take_colliders(&mut self, body: u32) -> u32 {
        core::mem::replace(&mut self.first_colliders[body as usize], NONE)
    }

    #[inline]
    pub fn next_collider(&self, collider: u32) -> u32 {
        self.colliders.get_slot(collider).map_or(NONE, |record| record.next)
    }

    pub fn colliders_of(&self, key: BodyKey) -> impl Iterator<Item = ColliderKey> {
        let body = self.bodies.get(key.slot, key.generation);
        let mut slot = body.map_or(NONE, |_| self.first_collider(key.slot));
        core::iter::from_fn(move || {
            let found = (slot != NONE).then(|| self.collider_key(slot))?;
            slot = self.next_collider(slot);
            Some(found)
        })
    }

    /// Adds a body without colliders.
    pub fn add_body(&mut self, body: Body) -> BodyKey {
        let (slot, generation) = self.bodies.insert(BodyRecord { body, has_pending_events: false });
        if let Some(support) = self.supports.get_mut(slot as usize) {
            *support = None;
        }
        match self.first_colliders.get_mut(slot as usize) {
            Some(first) => *first = NONE,
            None => self.first_colliders.push(NONE),
        }
        BodyKey { slot, generation }
    }

    /// Adds a collider at the head of its body's list.
    pub fn add_collider(
        &mut self,
        mut record: ColliderRecord,
        props: ColliderProps,
        pose: &Pose,
    ) -> ColliderKey {
        record.next = self.first_collider(props.body);
        let placed = PlacedShape::new(&record.local, pose);
        let (slot, generation) = self.colliders.insert(record);
        self.forget_hashes(slot);
        if slot as usize == self.props.len() {
            self.props.push(props);
            self.placed.push(placed);
        } else {
            self.props[slot as usize] = props;
            self.placed[slot as usize] = placed;
        }
        self.dirty.grow(self.props.len());
        self.dirty.insert(slot);
        let next = core::mem::replace(&mut self.first_colliders[props.body as usize], slot);
        if let Some(record) = self.colliders.get_slot_mut(next) {
            record.previous = slot;
        }
        ColliderKey { slot, generation }
    }

    /// Sets the shape of a collider in body space.
    pub fn set_shape(&mut self, collider: u32, local: LocalShape) {
        if let Some(record) = self.colliders.get_slot_mut(collider) {
            record.local = local;
        }
        self.forget_hashes(collider);
    }

    /// Forgets the hashes of a collider's shape, which has changed.
    pub fn forget_hashes(&mut self, collider: u32) {
        if let Some(record) = self.colliders.get_slot(collider) {
            self.shape_hashes.forget(collider, &record.local);
        }
        self.forget_unplaced_hash(collider);
    }

    /// Forgets the hash of a collider's shape before it was placed on the body.
    pub fn forget_unplaced_hash(&mut self, collider: u32) {
        if let Some(record) = self.colliders.get_slot(collider)
            && record.local_pose().is_some()
        {
            self.unplaced_hashes.forget(collider, &record.local);
        }
    }

    /// Removes a collider from its body's list.
    pub fn unlink(&mut self, collider: u32) {
        let Some(&ColliderRecord { next, previous, .. }) = self.colliders.get_slot(collider) else {
            return;
        };
        match self.colliders.get_slot_mut(previous) {
            Some(record) => record.next = next,
            None => self.first_colliders[self.props[collider as usize].body as usize] = next,
        }
        if let Some(record) = self.colliders.get_slot_mut(next) {
            record.previous = previous;
        }
    }

    /// Marks the hitboxes and hurtboxes of a body as changed.
    pub fn mark_combat_boxes_dirty(&mut self, body: u32) {
        let mut slot = self.first_collider(body);
        while slot != NONE {
            if self.props[slot as usize].is_combat_box() {
                self.dirty.insert(slot);
            }
            slot = self.next_collider(slot);
        }
    }

    /// Frees the bodies and colliders that were only kept for the events of this update.
    pub fn release_retired(&mut self) {
        for &collider in self.colliders.retired() {
            let body = self.props[collider as usize].body;
            if let Some(body) = self.bodies.get_slot_mut(body) {
                body.has_pending_events = false;
            }
        }
        self.colliders.release_retired();
        self.bodies.release_retired();
    }

    /// Returns `true` if the colliders of a body can touch others.
    #[inline]
    pub fn is_active(&self, body: &Body) -> bool {
        body.enabled && (body.visible || self.hidden_bodies_collide)
    }

    /// Returns the mobility of a collider in the broad phase; `None` if it or its body is disabled or
    /// removed.
    pub fn mobility_of(&self, collider: u32) -> Option<Mobility> {
        let body = self.body_of(collider)?;
        let is_active = self.colliders.is_live(collider)
            && self.is_active(body)
            && self.props[collider as usize].enabled;
        is_active.then_some(body.mobility)
    }
}
