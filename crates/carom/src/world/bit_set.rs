//! A set of slots, one bit each.

use alloc::vec::Vec;

/// A set of slots, one bit each. It is small enough to stay in the cache, and cheap to clear.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct BitSet(Vec<u64>);

impl Clone for BitSet {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl BitSet {
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Makes room for the slots below `slot_count`. The other methods panic for slots without room.
    pub fn grow(&mut self, slot_count: usize) {
        let words = slot_count.div_ceil(64);
        if words > self.0.len() {
            self.0.resize(words, 0);
        }
    }

    #[inline]
    pub fn insert(&mut self, slot: u32) {
        self.0[slot as usize / 64] |= 1 << (slot % 64);
    }

    #[inline]
    pub fn remove(&mut self, slot: u32) {
        self.0[slot as usize / 64] &= !(1 << (slot % 64));
    }

    #[inline]
    pub fn contains(&self, slot: u32) -> bool {
        self.0[slot as usize / 64] >> (slot % 64) & 1 == 1
    }

    /// Returns `true` if the set contains a slot; `false` for slots without room.
    pub fn contains_slot(&self, slot: u32) -> bool {
        self.0.get(slot as usize / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }

    pub fn clear(&mut self) {
        self.0.fill(0);
    }
}
