//! Step 5 of an update: the pairs of colliders that touch, kept from update to update.

use alloc::vec::Vec;

use crate::broad::Pair;
use crate::query::Contact;
use crate::world::storage::{NONE, Storage};
use crate::world::{BodyKey, ColliderKey};

/// Two colliders that touch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct ContactPair {
    /// Their slots, the lesser first.
    pub pair: Pair,
    /// The contact of the first collider with the second; `None` if one of them is a sensor.
    pub contact: Option<Contact>,
    /// `true` if they did not touch before the last update.
    pub began: bool,
    /// `true` if they are a hitbox and a hurtbox, or two hitboxes. Only valid in the update that tested
    /// the pair.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub is_combat: bool,
    /// `true` if a swept body has entered the other one. Only valid in the update that tested the pair.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub is_passed: bool,
    /// The index of the next pair with the same second collider, or [`NONE`].
    #[cfg_attr(feature = "serde", serde(skip))]
    next: u32,
}

impl ContactPair {
    pub fn new(pair: Pair, contact: Option<Contact>, is_combat: bool) -> Self {
        Self { pair, contact, began: true, is_combat, is_passed: false, next: NONE }
    }
}

/// Two colliders that have ceased to touch. It stores keys instead of slots because a collider may have
/// been removed, and its slot reused.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct EndedPair {
    pub colliders: [ColliderKey; 2],
    pub bodies: [BodyKey; 2],
}

impl EndedPair {
    pub fn pair(&self) -> Pair {
        self.colliders.map(|key| key.slot)
    }
}

/// The pairs that touch as of the last update, and those that ended with it.
///
/// Pairs are sorted, so the pairs in which a collider is the first are adjacent. The pairs in which it is
/// the second form a linked list.
#[derive(Debug)]
pub(crate) struct ContactPairs {
    /// The pairs that touch, in ascending order.
    pairs: Vec<ContactPair>,
    /// The pairs that ended, in ascending order.
    ended: Vec<EndedPair>,
    /// For each slot, the index of the first pair with that collider as the second, or [`NONE`].
    heads: Vec<u32>,
}

impl Clone for ContactPairs {
    fn clone(&self) -> Self {
        let Self { pairs, ended, heads } = self;
        Self { pairs: pairs.clone(), ended: ended.clone(), heads: heads.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.pairs.clone_from(&source.pairs);
        self.ended.clone_from(&source.ended);
        self.heads.clone_from(&source.heads);
    }
}

impl ContactPairs {
    pub const fn new() -> Self {
        Self { pairs: Vec::new(), ended: Vec::new(), heads: Vec::new() }
    }

    /// Restores deserialized pairs.
    #[cfg(feature = "serde")]
    pub fn from_parts(pairs: Vec<ContactPair>, ended: Vec<EndedPair>, slot_count: usize) -> Self {
        let mut contact_pairs = Self { pairs, ended, heads: Vec::new() };
        contact_pairs.rebuild_links(slot_count);
        contact_pairs
    }

    pub fn pairs(&self) -> &[ContactPair] {
        &self.pairs
    }

    pub fn ended(&self) -> &[EndedPair] {
        &self.ended
    }

    /// Marks all pairs as stayed, and removes those that ended, for an update in which nothing has changed.
    pub fn mark_all_stayed(&mut self) {
        self.ended.clear();
        for pair in &mut self.pairs {
            pair.began = false;
        }
    }

    /// Replaces the pairs that have a dirty collider by those in `found`, which are sorted. The other
    /// pairs stay as they are. `began` is a buffer.
    pub fn update(&mut self, storage: &Storage, found: &[ContactPair], began: &mut Vec<u32>) {
        let is_dirty = |slot: u32| storage.dirty.contains(slot);
        // 1. Go through the old pairs and the new ones side by side; both are sorted. A new pair without
        //    an old one has begun. An old one without a new one has ended if it was tested again.
        let mut new_pairs = (0..).zip(found).peekable();
        self.ended.clear();
        began.clear();
        self.pairs.retain_mut(|old| {
            while let Some((index, _)) = new_pairs.next_if(|(_, new)| new.pair < old.pair) {
                began.push(index);
            }
            old.began = false;
            if !old.pair.into_iter().any(is_dirty) {
                return true;
            }
            match new_pairs.next_if(|(_, new)| new.pair == old.pair) {
                Some((_, new)) => {
                    old.contact = new.contact;
                    true
                }
                None => {
                    self.ended.push(EndedPair {
                        colliders: old.pair.map(|slot| storage.collider_key(slot)),
                        bodies: old.pair.map(|slot| storage.body_key_of(slot)),
                    });
                    false
                }
            }
        });
        began.extend(new_pairs.map(|(index, _)| index));
        // 2. Insert the pairs that have begun. Only they and the ended ones change the links.
        self.insert_sorted(began.iter().map(|&index| found[index as usize]));
        if !(began.is_empty() && self.ended.is_empty()) {
            self.rebuild_links(storage.colliders.slot_count());
        }
    }

    /// Merges sorted pairs into the list, from the back, so that no pair is moved twice.
    fn insert_sorted(
        &mut self,
        new: impl DoubleEndedIterator<Item = ContactPair> + ExactSizeIterator,
    ) {
        let mut read = self.pairs.len();
        let mut write = read + new.len();
        self.pairs.resize(write, ContactPair::new([NONE; 2], None, false));
        for new in new.rev() {
            while read > 0 && self.pairs[read - 1].pair > new.pair {
                (read, write) = (read - 1, write - 1);
                self.pairs[write] = self.pairs[read];
            }
            write -= 1;
            self.pairs[write] = new;
        }
    }

    /// Rebuilds the lists of pairs with the same second collider.
    fn rebuild_links(&mut self, slot_count: usize) {
        self.heads.clear();
        self.heads.resize(slot_count, NONE);
        for (index, pair) in self.pairs.iter_mut().enumerate().rev() {
            let head = &mut self.heads[pair.pair[1] as usize];
            pair.next = core::mem::replace(head, index as u32);
        }
    }

    /// Returns the pairs of a collider, ordered by the slot of the other collider.
    pub fn of_collider(&self, slot: u32) -> impl Iterator<Item = &ContactPair> {
        let mut index = self.heads.get(slot as usize).copied().unwrap_or(NONE);
        let as_second = core::iter::from_fn(move || {
            let pair = self.pairs.get(index as usize)?;
            index = pair.next;
            Some(pair)
        });
        let start = self.pairs.partition_point(|pair| pair.pair[0] < slot);
        as_second.chain(self.pairs[start..].iter().take_while(move |pair| pair.pair[0] == slot))
    }

    /// Returns `true` if a collider touches anything.
    pub fn involves(&self, slot: u32) -> bool {
        self.of_collider(slot).next().is_some()
    }
}
