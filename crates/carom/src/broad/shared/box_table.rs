//! Tables by id: of boxes, and of the positions of boxes in other lists.

use alloc::vec::Vec;

use crate::broad::{MAX_ID, Mobility};
use crate::shape::Aabb;

/// A box with its id and mobility.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub id: u32,
    pub bounds: Aabb,
    pub mobility: Mobility,
}

/// Boxes by id.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoxTable {
    slots: Vec<Option<(Aabb, Mobility)>>,
    len: usize,
}

impl BoxTable {
    /// Inserts or replaces the box with an id, and returns the previous one.
    ///
    /// # Panics
    /// Panics if the id is greater than [`MAX_ID`].
    pub fn set(&mut self, id: u32, bounds: Aabb, mobility: Mobility) -> Option<(Aabb, Mobility)> {
        check_id(id);
        let slot = id as usize;
        if slot >= self.slots.len() {
            self.slots.resize(slot + 1, None);
        }
        let previous = self.slots[slot].replace((bounds, mobility));
        self.len += usize::from(previous.is_none());
        previous
    }

    /// Removes and returns the box with an id.
    pub fn remove(&mut self, id: u32) -> Option<(Aabb, Mobility)> {
        let previous = self.slots.get_mut(id as usize)?.take();
        self.len -= usize::from(previous.is_some());
        previous
    }

    /// Removes all boxes, but keeps the memory.
    pub fn clear(&mut self) {
        self.slots.clear();
        self.len = 0;
    }

    /// Returns the box with an id, if there is one.
    pub fn get(&self, id: u32) -> Option<(Aabb, Mobility)> {
        *self.slots.get(id as usize)?
    }

    /// Returns the box with an id that is known to exist.
    #[inline(always)]
    pub fn item(&self, id: u32) -> Item {
        let (bounds, mobility) = self.slots[id as usize].expect("the id has a box");
        Item { id, bounds, mobility }
    }

    /// Returns the number of boxes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns all boxes in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = Item> {
        self.iter_from(0)
    }

    /// Returns the boxes from an id on, in the order of their ids.
    pub fn iter_from(&self, first: u32) -> impl Iterator<Item = Item> {
        let slots = self.slots.get(first as usize..).unwrap_or_default();
        (first..)
            .zip(slots)
            .filter_map(|(id, slot)| slot.map(|(bounds, mobility)| Item { id, bounds, mobility }))
    }
}

/// Panics if an id is too large.
pub(crate) fn check_id(id: u32) {
    assert!(id <= MAX_ID, "id {id} of a box is out of range; the largest is {MAX_ID}");
}

/// A number for each id, such as the index of its box in another list.
#[derive(Clone, Debug, Default)]
pub(crate) struct IdMap(Vec<u32>);

/// The absence of an index, node or id.
pub(crate) const NONE: u32 = u32::MAX;

impl IdMap {
    /// Returns the number of an id, or [`NONE`].
    #[inline(always)]
    pub fn get(&self, id: u32) -> u32 {
        self.0.get(id as usize).copied().unwrap_or(NONE)
    }

    /// Sets the number of an id.
    #[inline(always)]
    pub fn set(&mut self, id: u32, number: u32) {
        if id as usize >= self.0.len() {
            self.0.resize(id as usize + 1, NONE);
        }
        self.0[id as usize] = number;
    }

    /// Removes all numbers, but keeps the memory.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Removes the element of an id from a list whose indices are in this map. The last element of the list
    /// takes its index.
    pub fn swap_remove<T>(&mut self, list: &mut Vec<T>, id: u32, id_of: impl Fn(&T) -> u32) {
        let index = core::mem::replace(&mut self.0[id as usize], NONE);
        list.swap_remove(index as usize);
        if let Some(moved) = list.get(index as usize) {
            self.set(id_of(moved), index);
        }
    }
}
