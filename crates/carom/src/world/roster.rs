//! Who is in the world: bodies and colliders, without what keeps track of where they meet.

use alloc::vec::Vec;

use carom_simd::fetch;

use crate::broad::Mobility;
use crate::math::{Pose, Vec2};
use crate::sheet::Role;
use crate::world::body::{Body, BodyRecord};
use crate::world::marks::Marks;
use crate::world::placed::{Local, Placed};
use crate::world::slots::Slots;
use crate::world::{BodyKey, ColliderKey, Layer, Layers, StrikeRules};

/// No slot: the end of a list.
pub(crate) const NONE: u32 = u32::MAX;

/// Bodies and colliders. What the narrow phase reads of a collider is kept apart from the rest.
#[derive(Debug)]
pub(crate) struct Roster {
    pub bodies: Slots<BodyRecord>,
    /// By the bodies' slots: the slot of the first collider; each knows the next. They are not in the
    /// bodies' records so that a body and its collider, wherever they are in memory, are fetched at the
    /// same time.
    pub firsts: Vec<u32>,
    pub colliders: Slots<ColliderRecord>,
    /// By the colliders' slots.
    pub traits: Vec<Traits>,
    /// By the colliders' slots.
    pub placed: Vec<Placed>,
    /// The colliders of which anything that matters to touching has changed since the last update.
    pub changed: Marks,
}

/// What is seldom asked of a collider.
#[derive(Clone, Debug)]
pub(crate) struct ColliderRecord {
    pub local: Local,
    pub user_data: u64,
    /// The slot of the body's next collider.
    pub next: u32,
    pub tag: u32,
    /// For a platform, the way against which it stops things, in the body's frame.
    pub one_way: Option<Vec2>,
}

/// What decides whether two colliders are asked about each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Traits {
    pub mask: Layers,
    /// The slot of its body.
    pub body: u32,
    pub layer: Layer,
    pub role: Role,
    pub enabled: bool,
}

impl Traits {
    /// Whether two colliders that meet are of interest to each other.
    #[inline(always)]
    pub fn pays_attention_to(&self, other: &Self, rules: StrikeRules) -> bool {
        self.body != other.body
            && self.mask.contains(other.layer)
            && other.mask.contains(self.layer)
            && go_together(self.role, other.role, rules)
    }

    /// Whether two colliders that touch have a contact, or only notice each other.
    #[inline(always)]
    pub fn makes_contact_with(&self, other: &Self) -> bool {
        self.role != Role::Sensor && other.role != Role::Sensor
    }

    /// Whether it strikes or can be struck.
    #[inline(always)]
    pub fn fights(&self) -> bool {
        matches!(self.role, Role::Hitbox | Role::Hurtbox)
    }
}

/// Whether colliders of two roles are of interest to each other: solids and sensors among
/// themselves, hitboxes and hurtboxes with each other, hitboxes among themselves where they clash.
#[inline(always)]
fn go_together(a: Role, b: Role, rules: StrikeRules) -> bool {
    match a {
        Role::Solid | Role::Sensor => matches!(b, Role::Solid | Role::Sensor),
        Role::Hitbox => b == Role::Hurtbox || rules.clashes && b == Role::Hitbox,
        Role::Hurtbox => b == Role::Hitbox,
    }
}

impl Clone for Roster {
    fn clone(&self) -> Self {
        let Self { bodies, firsts, colliders, traits, placed, changed } = self;
        Self {
            bodies: bodies.clone(),
            firsts: firsts.clone(),
            colliders: colliders.clone(),
            traits: traits.clone(),
            placed: placed.clone(),
            changed: changed.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.bodies.clone_from(&source.bodies);
        self.firsts.clone_from(&source.firsts);
        self.colliders.clone_from(&source.colliders);
        self.traits.clone_from(&source.traits);
        self.placed.clone_from(&source.placed);
        self.changed.clone_from(&source.changed);
    }
}

impl Roster {
    pub const fn new() -> Self {
        Self {
            bodies: Slots::new(),
            firsts: Vec::new(),
            colliders: Slots::new(),
            traits: Vec::new(),
            placed: Vec::new(),
            changed: Marks::new(),
        }
    }

    /// Asks for what moving a body needs, before it is needed.
    #[inline]
    pub fn fetch_body(&self, slot: u32) {
        self.bodies.fetch(slot);
        if let Some(&collider) = self.firsts.get(slot as usize) {
            self.colliders.fetch(collider);
            self.fetch_collider(collider);
        }
    }

    /// Asks for what the narrow phase reads of a collider, before it is needed.
    #[inline]
    pub fn fetch_collider(&self, slot: u32) {
        fetch(&self.placed, slot as usize);
        fetch(&self.traits, slot as usize);
    }

    pub fn body(&self, key: BodyKey) -> Option<&Body> {
        Some(&self.bodies.get(key.slot, key.generation)?.body)
    }

    pub fn collider(&self, key: ColliderKey) -> Option<&ColliderRecord> {
        self.colliders.get(key.slot, key.generation)
    }

    /// The key of a collider that is there, or retired.
    #[inline]
    pub fn collider_key(&self, slot: u32) -> ColliderKey {
        ColliderKey { slot, generation: self.colliders.generation(slot) }
    }

    /// The key of a collider's body, even if both are retired.
    #[inline]
    pub fn body_key_of(&self, collider: u32) -> BodyKey {
        let slot = self.traits[collider as usize].body;
        BodyKey { slot, generation: self.bodies.generation(slot) }
    }

    /// The body of a collider that is there.
    #[inline]
    pub fn body_of(&self, collider: u32) -> Option<&Body> {
        Some(&self.bodies.at(self.traits[collider as usize].body)?.body)
    }

    /// The first collider of a body that is there, or [`NONE`].
    #[inline]
    pub fn first_collider(&self, body: u32) -> u32 {
        self.firsts.get(body as usize).copied().unwrap_or(NONE)
    }

    /// The same; the body has none from then on.
    pub fn take_colliders(&mut self, body: u32) -> u32 {
        core::mem::replace(&mut self.firsts[body as usize], NONE)
    }

    pub fn next_collider(&self, collider: u32) -> u32 {
        self.colliders.at(collider).map_or(NONE, |record| record.next)
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

    /// Puts a body without colliders in.
    pub fn add_body(&mut self, body: Body) -> BodyKey {
        let (slot, generation) = self.bodies.insert(BodyRecord { body, is_told_of: false });
        match self.firsts.get_mut(slot as usize) {
            Some(first) => *first = NONE,
            None => self.firsts.push(NONE),
        }
        BodyKey { slot, generation }
    }

    /// Puts a collider at the head of its body's list.
    pub fn add_collider(
        &mut self,
        mut record: ColliderRecord,
        traits: Traits,
        pose: &Pose,
    ) -> ColliderKey {
        record.next = self.first_collider(traits.body);
        let placed = Placed::new(&record.local, pose);
        let (slot, generation) = self.colliders.insert(record);
        if slot as usize == self.traits.len() {
            self.traits.push(traits);
            self.placed.push(placed);
        } else {
            self.traits[slot as usize] = traits;
            self.placed[slot as usize] = placed;
        }
        self.changed.cover(self.traits.len());
        self.changed.set(slot);
        self.firsts[traits.body as usize] = slot;
        ColliderKey { slot, generation }
    }

    /// Takes a collider out of its body's list.
    pub fn unlink(&mut self, collider: u32) {
        let body = self.traits[collider as usize].body;
        let next = self.next_collider(collider);
        let first = self.first_collider(body);
        if first == collider {
            self.firsts[body as usize] = next;
            return;
        }
        let mut before = first;
        while before != NONE {
            let Some(record) = self.colliders.at_mut(before) else { return };
            if record.next == collider {
                record.next = next;
                return;
            }
            before = record.next;
        }
    }

    /// Forgets what had only to be told of.
    pub fn release(&mut self) {
        for &collider in self.colliders.retired() {
            let body = self.traits[collider as usize].body;
            if let Some(body) = self.bodies.at_mut(body) {
                body.is_told_of = false;
            }
        }
        self.colliders.release();
        self.bodies.release();
    }

    /// How a collider takes part in the broad phase; `None` if it does not.
    pub fn mobility_of(&self, collider: u32) -> Option<Mobility> {
        let body = self.body_of(collider)?;
        let takes_part = self.colliders.is_live(collider)
            && body.enabled
            && self.traits[collider as usize].enabled;
        takes_part.then_some(body.mobility)
    }
}
