//! The hash of a world's state.

use crate::math::Vec2;
use crate::query::Contact;
use crate::shape::{AsShape, Shape};
use crate::world::World;
use crate::world::slot_map::SlotMap;

impl World {
    pub(super) fn hash_into(&self, hash: &mut StateHash) {
        self.hash_bodies(hash);
        self.hash_colliders(hash);
        self.hash_contact_pairs(hash);
        self.strikes.hash(hash);
        self.frames.hash(hash);
        for name in self.layer_names() {
            hash.text(name);
        }
        hash.words([
            self.max_pairs as u64,
            u64::from(self.is_up_to_date),
            u64::from(self.is_complete),
        ]);
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
        let colliders = &self.storage.colliders;
        hash_slots(colliders, hash, |hash, record| {
            hash.shape(record.local.shape());
            hash.words([record.user_data, u64::from(record.next), u64::from(record.tag)]);
            record.one_way.into_iter().for_each(|up| hash.vector(up));
        });
        let props = (0..).zip(&self.storage.props);
        for (slot, props) in props.filter(|&(slot, _)| colliders.get_slot(slot).is_some()) {
            hash.words([
                props.mask.bits(),
                u64::from(props.body),
                u64::from(props.layer.number()),
                props.role as u64,
                u64::from(props.enabled),
                u64::from(self.storage.dirty.contains(slot)),
            ]);
        }
    }

    fn hash_contact_pairs(&self, hash: &mut StateHash) {
        for pair in self.contact_pairs.pairs() {
            hash.words(pair.pair.map(u64::from));
            hash.words([u64::from(pair.began), u64::from(pair.contact.is_some())]);
            if let Some(contact) = &pair.contact {
                hash.contact(contact);
            }
        }
        for ended in self.contact_pairs.ended() {
            hash.words(ended.colliders.map(|key| key.to_bits()));
            hash.words(ended.bodies.map(|key| key.to_bits()));
        }
    }
}

/// Hashes which slots are live, their values, and the order in which free slots will be reused.
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

/// A hash function that yields the same value on every machine. Each word is multiplied into the state,
/// and the two halves of the product are folded together, as in wyhash (Wang Yi 2019).
pub(crate) struct StateHash(u64);

impl StateHash {
    pub fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

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

    /// Hashes minus zero like zero, because they are equal.
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

    /// Hashes the kind of a shape and the points of its parts.
    pub fn shape(&mut self, shape: &Shape) {
        // An `Obb` is hashed as "Rect", its first name, so that renaming the type has not changed the
        // hashes of worlds.
        self.text(if shape.kind() == "Obb" { "Rect" } else { shape.kind() });
        shape.as_shape().for_each_part(&mut |part| {
            self.number(part.convex.radius);
            self.word(
                part.convex.points.len() as u64 | u64::from(part.one_way_direction.is_some()) << 32,
            );
            part.convex.points.iter().for_each(|&point| self.vector(point));
        });
    }
}
