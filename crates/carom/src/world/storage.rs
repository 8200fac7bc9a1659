//! The bodies and colliders of a world, without the broad phase and the pairs that touch.

use alloc::vec::Vec;

use carom_simd::prefetch;

use crate::broad::Mobility;
use crate::math::{Pose, Vec2};
use crate::sheet::Role;
use crate::world::bit_set::BitSet;
use crate::world::body::{Body, BodyRecord};
use crate::world::placed_shape::{LocalShape, PlacedShape};
use crate::world::slot_map::SlotMap;
use crate::world::{BodyKey, ColliderKey, Layer, Layers, StrikeRules};

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
    pub colliders: SlotMap<ColliderRecord>,
    /// For each collider slot.
    pub props: Vec<ColliderProps>,
    /// For each collider slot, the shape in world space.
    pub placed: Vec<PlacedShape>,
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
    pub tag: u32,
    /// The direction, in body space, in which a one-way platform can be passed.
    pub one_way: Option<Vec2>,
}

/// The data of a collider that decides which others it can touch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct ColliderProps {
    pub mask: Layers,
    /// The slot of its body.
    pub body: u32,
    pub layer: Layer,
    pub role: Role,
    pub enabled: bool,
}

impl ColliderProps {
    /// Returns whether two colliders should collide by their bodies, layers, masks and roles.
    #[inline(always)]
    pub fn should_collide_with(&self, other: &Self, rules: StrikeRules) -> bool {
        self.body != other.body
            && self.mask.contains(other.layer)
            && other.mask.contains(self.layer)
            && roles_interact(self.role, other.role, rules)
    }

    /// Returns whether a pair has a contact. A pair with a sensor has none.
    #[inline(always)]
    pub fn makes_contact_with(&self, other: &Self) -> bool {
        self.role != Role::Sensor && other.role != Role::Sensor
    }

    /// Returns whether the collider is a hitbox or a hurtbox.
    #[inline(always)]
    pub fn is_combat_box(&self) -> bool {
        matches!(self.role, Role::Hitbox | Role::Hurtbox)
    }
}

/// Returns whether colliders of two roles interact: solids and sensors with each other, hitboxes with
/// hurtboxes, and hitboxes with hitboxes if the rules ask for clashes.
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
        let Self { bodies, first_colliders, colliders, props, placed, dirty } = self;
        Self {
            bodies: bodies.clone(),
            first_colliders: first_colliders.clone(),
            colliders: colliders.clone(),
            props: props.clone(),
            placed: placed.clone(),
            dirty: dirty.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.bodies.clone_from(&source.bodies);
        self.first_colliders.clone_from(&source.first_colliders);
        self.colliders.clone_from(&source.colliders);
        self.props.clone_from(&source.props);
        self.placed.clone_from(&source.placed);
        self.dirty.clone_from(&source.dirty);
    }
}

impl Storage {
    pub const fn new() -> Self {
        Self {
            bodies: SlotMap::new(),
            first_colliders: Vec::new(),
            colliders: SlotMap::new(),
            props: Vec::new(),
            placed: Vec::new(),
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
        if slot as usize == self.props.len() {
            self.props.push(props);
            self.placed.push(placed);
        } else {
            self.props[slot as usize] = props;
            self.placed[slot as usize] = placed;
        }
        self.dirty.grow(self.props.len());
        self.dirty.insert(slot);
        self.first_colliders[props.body as usize] = slot;
        ColliderKey { slot, generation }
    }

    /// Removes a collider from its body's list.
    pub fn unlink(&mut self, collider: u32) {
        let body = self.props[collider as usize].body;
        let next = self.next_collider(collider);
        let first = self.first_collider(body);
        if first == collider {
            self.first_colliders[body as usize] = next;
            return;
        }
        let mut before = first;
        while before != NONE {
            let Some(record) = self.colliders.get_slot_mut(before) else { return };
            if record.next == collider {
                record.next = next;
                return;
            }
            before = record.next;
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

    /// Returns the mobility of a collider in the broad phase; `None` if it or its body is disabled or
    /// removed.
    pub fn mobility_of(&self, collider: u32) -> Option<Mobility> {
        let body = self.body_of(collider)?;
        let is_active = self.colliders.is_live(collider)
            && body.enabled
            && self.props[collider as usize].enabled;
        is_active.then_some(body.mobility)
    }
}
