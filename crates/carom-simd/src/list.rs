//! Boxes as they lie in memory.

use alloc::vec::Vec;

use crate::Bounds;

/// Boxes with their ids, in the same order.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// The boxes.
    pub boxes: Vec<Bounds>,
    /// As many ids.
    pub ids: Vec<u32>,
}

impl List {
    /// Takes all boxes out.
    pub fn clear(&mut self) {
        self.boxes.clear();
        self.ids.clear();
    }

    /// Appends a box and its id.
    #[inline]
    pub fn push(&mut self, bounds: Bounds, id: u32) {
        self.boxes.push(bounds);
        self.ids.push(id);
    }

    /// Appends the boxes of another list.
    pub fn append(&mut self, other: &Self) {
        self.boxes.extend_from_slice(&other.boxes);
        self.ids.extend_from_slice(&other.ids);
    }
}
