//! Rollback: worlds copied, restored and compared.

use crate::math::Vec2;
use crate::query::Contact;
use crate::shape::{AsShape, Shape};
use crate::world::World;
use crate::world::slot_map::SlotMap;

/// A copy is a snapshot: it has the same keys and will tell the same events for the same calls.
/// `world.clone_from(&snapshot)` restores one in the memory that the world has already.
impl Clone for World {
    fn clone(&self) -> Self {
        Self {
            broad: self.broad.clone(),
            storage: self.storage.clone(),
            layers: self.layers.clone(),
            contact_pairs: self.contact_pairs.clone(),
            strikes: self.strikes.clone(),
            frames: self.frames.clone(),
            scratch: self.scratch.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.broad.clone_from(&source.broad);
        self.storage.clone_from(&source.storage);
        self.layers.clone_from(&source.layers);
        self.contact_pairs.clone_from(&source.contact_pairs);
        self.strikes.clone_from(&source.strikes);
        self.frames.clone_from(&source.frames);
        self.scratch.clone_from(&source.scratch);
        self.is_up_to_date = source.is_up_to_date;
        self.is_complete = source.is_complete;
        self.max_pairs = source.max_pairs;
    }
}

/// # Snapshots
impl World {
    /// A number that is the same for equal states, on every machine and with any broad phase: two
    /// players whose numbers differ have gone out of step. It covers all that decides about the
    /// future (bodies, colliders, shapes, layers, which keys come next) and the last events.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let hero = world.add_body(Body::moving([0.0, 0.0]))?;
    /// let snapshot = world.clone();
    /// world.translate(hero, [1.0, 0.0])?;
    /// assert_ne!(world.state_hash(), snapshot.state_hash());
    /// world.clone_from(&snapshot);
    /// assert_eq!(world.state_hash(), snapshot.state_hash());
    /// # Ok::<(), WorldError>(())
    /// ```
    pub fn state_hash(&self) -> u64 {
        let mut hash = StateHash::new();
        self.hash_bodies(&mut hash);
        self.hash_colliders(&mut hash);
        self.hash_touching(&mut hash);
        self.strikes.hash(&mut hash);
        self.frames.hash(&mut hash);
        for name in self.layer_names() {
            hash.text(name);
        }
        hash.words([
            self.max_pairs as u64,
            u64::from(self.is_up_to_date),
            u64::from(self.is_complete),
        ]);
        hash.value()
    }

    fn hash_bodies(&self, hash: &mut StateHash) {
        hash_slots(&self.storage.bodies, hash, |hash, record| {
            let body = &record.body;
            hash.vector(body.pose.position);
            hash.number(body.pose.rotation.angle());
            hash.number(body.pose.scale);
            hash.words([
                body.mobility as u64,
                u64::from(body.enabled),
                u64::from(body.visible),
                u64::from(body.team),
                body.user_data,
                u64::from(record.has_pending_events),
            ]);
        });
        hash.words(self.storage.first_colliders.iter().map(|&first| u64::from(first)));
    }

    fn hash_colliders(&self, hash: &mut StateHash) {
        let mut props = self.storage.props.iter();
        hash_slots(&self.storage.colliders, hash, |hash, record| {
            hash.shape(record.local.shape());
            hash.words([record.user_data, u64::from(record.next), u64::from(record.tag)]);
            record.one_way.into_iter().for_each(|up| hash.vector(up));
        });
        for slot in 0..self.storage.colliders.slot_count() as u32 {
            let props = props.next().filter(|_| self.storage.colliders.get_slot(slot).is_some());
            hash.words(props.into_iter().flat_map(|props| {
                [
                    props.mask.bits(),
                    u64::from(props.body),
                    u64::from(props.layer.number()),
                    props.role as u64,
                    u64::from(props.enabled),
                    u64::from(self.storage.dirty.has(slot)),
                ]
            }));
        }
    }

    fn hash_touching(&self, hash: &mut StateHash) {
        for touch in self.contact_pairs.touches() {
            hash.words(touch.pair.map(u64::from));
            hash.words([u64::from(touch.began), u64::from(touch.contact.is_some())]);
            if let Some(contact) = &touch.contact {
                hash.contact(contact);
            }
        }
        for ended in self.contact_pairs.ended() {
            hash.words(ended.colliders.map(|key| key.to_bits()));
            hash.words(ended.bodies.map(|key| key.to_bits()));
        }
    }
}

fn hash_slots<T>(slots: &SlotMap<T>, hash: &mut StateHash, each: impl Fn(&mut StateHash, &T)) {
    hash.word(slots.slot_count() as u64);
    for slot in 0..slots.slot_count() as u32 {
        hash.words([u64::from(slots.generation(slot)), u64::from(slots.is_live(slot))]);
        if let Some(value) = slots.get_slot(slot) {
            each(hash, value);
        }
    }
    for list in [slots.free(), slots.retired()] {
        hash.word(list.len() as u64);
        hash.words(list.iter().map(|&slot| u64::from(slot)));
    }
}

/// A hash that is the same on every machine. Each word is multiplied into the state, and the two
/// halves of the product folded together, as in wyhash (Wang Yi 2019).
pub(crate) struct StateHash(u64);

impl StateHash {
    pub fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    /// What has been hashed so far, as one number.
    pub fn value(&self) -> u64 {
        self.0
    }

    #[inline]
    pub fn word(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0xa076_1d64_78bd_642f;
        self.0 = (product as u64) ^ ((product >> 64) as u64) ^ 0xe703_7ed1_a0b4_28db;
    }

    pub fn words(&mut self, words: impl IntoIterator<Item = u64>) {
        words.into_iter().for_each(|word| self.word(word));
    }

    /// Minus zero is zero.
    pub fn number(&mut self, number: f32) {
        self.word(u64::from((number + 0.0).to_bits()));
    }

    pub fn vector(&mut self, v: Vec2) {
        let [x, y] = [v.x, v.y].map(|number| u64::from((number + 0.0).to_bits()));
        self.word(x << 32 | y);
    }

    pub fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        self.words(text.bytes().map(u64::from));
    }

    pub fn contact(&mut self, contact: &Contact) {
        self.vector(contact.normal);
        self.number(contact.depth);
        self.vector(contact.push);
        contact.points.iter().for_each(|&point| self.vector(point));
    }

    /// A shape by its kind and the corners of its parts.
    pub fn shape(&mut self, shape: &Shape) {
        self.text(shape.kind());
        shape.as_shape().for_each_part(&mut |part| {
            self.number(part.convex.radius);
            self.word(
                part.convex.points.len() as u64 | u64::from(part.one_way_direction.is_some()) << 32,
            );
            part.convex.points.iter().for_each(|&point| self.vector(point));
        });
    }
}
