//! The hash of a world's state.

use alloc::vec;
use alloc::vec::Vec;
#[cfg(target_has_atomic = "64")]
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::math::{Flip, Pose, Vec2};
use crate::query::Contact;
use crate::shape::{AsShape, Mask, Shape, TileKind, TileMap};
use crate::world::World;
use crate::world::placed_shape::LocalShape;
use crate::world::slot_map::SlotMap;
use crate::world::storage::ColliderExtras;

impl World {
    pub(super) fn hash_into(&self, hash: &mut StateHash) {
        self.hash_bodies(hash);
        self.hash_colliders(hash);
        self.hash_contact_pairs(hash);
        self.strikes.hash(hash);
        self.passages.hash(hash);
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
        hash.word(u64::from(self.storage.hidden_bodies_collide));
        hash_slots(&self.storage.bodies, hash, |hash, slot, record| {
            let support = self.storage.supports.get(slot as usize).copied().flatten();
            let body = &record.body;
            hash.pose(&body.pose);
            hash.words([
                body.mobility as u64,
                u64::from(body.enabled),
                u64::from(body.visible)
                    | u64::from(body.pushable) << 1
                    | u64::from(body.swept) << 2,
                u64::from(body.weight),
                u64::from(body.team),
                u64::from(record.has_pending_events) | u64::from(support.is_some()) << 1,
            ]);
            if let Some(support) = support {
                hash.word(support.support.body.to_bits());
                hash.vector(support.support.normal);
                hash.vector(support.motion);
            }
        });
        hash.words(self.storage.first_colliders.iter().map(|&first| u64::from(first)));
    }

    fn hash_colliders(&self, hash: &mut StateHash) {
        let colliders = &self.storage.colliders;
        hash_slots(colliders, hash, |hash, slot, record| {
            hash.word(self.storage.shape_hashes.get(slot, record.local.shape()));
            hash.words([record.next, record.tag].map(u64::from));
            hash.word(u64::from(record.extras.is_some()));
            if let Some(extras) = &record.extras {
                let ColliderExtras { one_way, rehit, local_pose } = &**extras;
                hash.words([one_way.is_some(), local_pose.is_some()].map(u64::from));
                hash.vector(one_way.unwrap_or_default());
                hash.word(rehit.to_bits());
                if let Some((pose, shape)) = local_pose {
                    hash.pose(pose);
                    hash.word(self.storage.unplaced_hashes.get(slot, shape));
                }
            }
        });
        let props = (0..).zip(&self.storage.props);
        for (slot, props) in props.filter(|&(slot, _)| colliders.get_slot(slot).is_some()) {
            hash.words([
                props.layers.bits(),
                props.mask.bits(),
                u64::from(props.body),
                props.role as u64,
                u64::from(props.enabled) | u64::from(props.detects_hurtboxes) << 1,
                u64::from(self.storage.dirty.contains(slot)),
            ]);
        }
    }

    fn hash_contact_pairs(&self, hash: &mut StateHash) {
        hash.word(self.contact_pairs.pairs().len() as u64);
        for pair in self.contact_pairs.pairs() {
            hash.words(pair.pair.map(u64::from));
            hash.words([u64::from(pair.began), u64::from(pair.contact.is_some())]);
            if let Some(contact) = &pair.contact {
                hash.contact(contact);
            }
        }
        hash.word(self.contact_pairs.ended().len() as u64);
        for ended in self.contact_pairs.ended() {
            hash.words(ended.colliders.map(|key| key.to_bits()));
            hash.words(ended.bodies.map(|key| key.to_bits()));
        }
    }
}

/// The hashes of the colliders' shapes by slot, each computed when it is first needed after the shape has
/// changed: a map of a million tiles takes milliseconds. Small shapes are not worth the memory. Not part of
/// the simulation state.
#[derive(Debug, Default)]
pub(crate) struct ShapeHashes {
    /// The hash for each slot, or 0 if it has not been computed.
    #[cfg(target_has_atomic = "64")]
    known: Vec<AtomicU64>,
}

impl ShapeHashes {
    pub const fn new() -> Self {
        Self {
            #[cfg(target_has_atomic = "64")]
            known: Vec::new(),
        }
    }

    /// Returns the hash of the shape in a slot.
    fn get(&self, slot: u32, shape: &Shape) -> u64 {
        let compute = || {
            #[cfg(test)]
            crate::operation_count::add(1);
            let mut hash = StateHash::new();
            hash.shape(shape);
            hash.value()
        };
        #[cfg(target_has_atomic = "64")]
        if let Some(known) = self.known.get(slot as usize) {
            return match known.load(Relaxed) {
                0 => {
                    let hash = compute();
                    known.store(hash, Relaxed);
                    hash
                }
                hash => hash,
            };
        }
        compute()
    }

    /// Forgets the hash of a slot, which has a new shape.
    #[cfg_attr(
        not(target_has_atomic = "64"),
        allow(unused_variables, reason = "nothing is stored")
    )]
    pub fn forget(&mut self, slot: u32, shape: &LocalShape) {
        #[cfg(target_has_atomic = "64")]
        {
            let slot = slot as usize;
            if slot >= self.known.len() && !shape.is_small() {
                self.known.resize_with(slot + 1, AtomicU64::default);
            }
            if let Some(known) = self.known.get_mut(slot) {
                *known.get_mut() = 0;
            }
        }
    }
}

impl Clone for ShapeHashes {
    fn clone(&self) -> Self {
        let mut new = Self::new();
        new.clone_from(self);
        new
    }

    #[cfg_attr(
        not(target_has_atomic = "64"),
        allow(unused_variables, reason = "nothing is stored")
    )]
    fn clone_from(&mut self, source: &Self) {
        #[cfg(target_has_atomic = "64")]
        {
            let copies = source.known.iter().map(|hash| AtomicU64::new(hash.load(Relaxed)));
            self.known.clear();
            self.known.extend(copies);
        }
    }
}

/// Hashes the state of each slot (live or free), the values, and the order in which free slots will be reused.
fn hash_slots<T>(slots: &SlotMap<T>, hash: &mut StateHash, each: impl Fn(&mut StateHash, u32, &T)) {
    hash.word(slots.slot_count() as u64);
    for slot in 0..slots.slot_count() as u32 {
        hash.words([u64::from(slots.generation(slot)), u64::from(slots.is_live(slot))]);
        if let Some(value) = slots.get_slot(slot) {
            each(hash, slot, value);
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

    pub fn pose(&mut self, pose: &Pose) {
        self.vector(pose.position);
        self.number(pose.rotation.angle());
        self.number(pose.scale);
    }

    /// Hashes the kind of a shape, and what it consists of: pixels, tiles, or the points of its parts.
    pub fn shape(&mut self, shape: &Shape) {
        self.text(shape.kind());
        match shape {
            Shape::Mask(mask) => self.mask(mask),
            Shape::TileMap(map) => self.tile_map(map),
            Shape::Compound(compound) => {
                self.word(compound.parts().len() as u64);
                compound.parts().iter().for_each(|part| self.shape(part));
            }
            _ => self.parts(shape),
        }
    }

    /// Hashes the position, the size and all pixels of a mask, 64 at a time.
    fn mask(&mut self, mask: &Mask) {
        self.vector(mask.origin());
        self.number(mask.pixel());
        self.flip(mask.flip());
        self.pose(mask.pose());
        let bitmap = mask.bitmap();
        self.words([bitmap.width(), bitmap.height()].map(u64::from));
        for row in 0..bitmap.height() {
            self.words(bitmap.row(row).iter().copied());
        }
    }

    /// Hashes the position, the size and all tiles of a map, with their data.
    ///
    /// Two maps with the same tiles have the same hash, also if the indices of their kinds differ: the
    /// kinds are numbered in the order in which they occur, and a loaded map may have other indices than
    /// the saved one.
    fn tile_map(&mut self, map: &TileMap) {
        self.vector(map.origin());
        self.vector(map.tile());
        self.flip(map.flip());
        self.pose(map.pose());
        self.words([map.columns(), map.rows()].map(u64::from));
        let mut numbers: Vec<Option<u16>> = vec![None; map.kinds().len()];
        let mut count = 0;
        for row in 0..map.rows() {
            let (mut word, mut cells) = (0, 0);
            for column in 0..map.columns() {
                let kind = map.get([column, row]);
                let number = *numbers[usize::from(kind)].get_or_insert_with(|| {
                    count += 1;
                    self.tile_kind(&map.kinds()[usize::from(kind)]);
                    (count - 1) as u16
                });
                word = word << 16 | u64::from(number);
                cells += 1;
                if cells == 4 {
                    self.word(word);
                    (word, cells) = (0, 0);
                }
            }
            if cells > 0 {
                self.word(word);
            }
        }
    }

    fn tile_kind(&mut self, kind: &TileKind) {
        self.words([u64::from(kind.is_one_way()), u64::from(kind.data())]);
        self.word(kind.points().len() as u64);
        kind.points().iter().for_each(|&point| self.vector(point));
    }

    fn flip(&mut self, flip: Flip) {
        self.words([flip.x, flip.y].map(u64::from));
    }

    /// Hashes the points of the parts of a shape.
    fn parts(&mut self, shape: &Shape) {
        shape.as_shape().for_each_part(&mut |part| {
            self.number(part.convex.radius);
            self.word(
                part.convex.points.len() as u64 | u64::from(part.one_way_direction.is_some()) << 32,
            );
            part.convex.points.iter().for_each(|&point| self.vector(point));
        });
    }
}
