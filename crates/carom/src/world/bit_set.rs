//! A mark for each slot.

use alloc::vec::Vec;

/// A mark for each slot, a bit each: so few lines of a cache that all of them stay at hand, and that
/// taking all marks away costs nothing.
#[derive(Debug, Default)]
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

    /// Makes room for the marks of so many slots.
    pub fn cover(&mut self, slots: usize) {
        let words = slots.div_ceil(64);
        if words > self.0.len() {
            self.0.resize(words, 0);
        }
    }

    /// Marks a slot that there is room for.
    #[inline]
    pub fn set(&mut self, slot: u32) {
        self.0[slot as usize / 64] |= 1 << (slot % 64);
    }

    /// Whether a slot that there is room for is marked.
    #[inline]
    pub fn has(&self, slot: u32) -> bool {
        self.0[slot as usize / 64] >> (slot % 64) & 1 == 1
    }

    /// Takes all marks away.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }
}
