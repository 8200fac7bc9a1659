//! Boxes by their ids: what the methods share that keep them in a list.

use alloc::vec::Vec;

use crate::broad::{MAX_ID, Mobility};
use crate::shape::Aabb;

/// Boxes under ids.
#[derive(Clone, Debug, Default)]
pub(crate) struct Boxes {
    slots: Vec<Option<(Aabb, Mobility)>>,
    len: usize,
}

impl Boxes {
    /// Puts a box under an id, and gives the one that was there.
    pub fn set(&mut self, id: u32, bounds: Aabb, mobility: Mobility) -> Option<(Aabb, Mobility)> {
        assert!(id <= MAX_ID, "a box has id {id}; the largest is {MAX_ID}");
        let place = id as usize;
        if place >= self.slots.len() {
            self.slots.resize(place + 1, None);
        }
        let last = self.slots[place].replace((bounds, mobility));
        self.len += usize::from(last.is_none());
        last
    }

    /// Takes a box out.
    pub fn remove(&mut self, id: u32) -> Option<(Aabb, Mobility)> {
        let last = self.slots.get_mut(id as usize)?.take();
        self.len -= usize::from(last.is_some());
        last
    }

    /// The box under an id.
    pub fn get(&self, id: u32) -> Option<(Aabb, Mobility)> {
        *self.slots.get(id as usize)?
    }

    /// The box under an id that is known to have one.
    #[inline(always)]
    pub fn at(&self, id: u32) -> (Aabb, Mobility) {
        self.slots[id as usize].expect("the id has a box")
    }

    /// How many boxes there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// All boxes in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Aabb, Mobility)> {
        self.iter_from(0)
    }

    /// The boxes from an id on, in the order of their ids.
    pub fn iter_from(&self, id: u32) -> impl Iterator<Item = (u32, Aabb, Mobility)> {
        let slots = self.slots.get(id as usize..).unwrap_or_default();
        (id..).zip(slots).filter_map(|(id, slot)| slot.map(|(bounds, how)| (id, bounds, how)))
    }
}

/// A number for each id, where most ids are in use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places(Vec<u32>);

/// No place, node or id.
pub(crate) const NONE: u32 = u32::MAX;

impl Places {
    /// The number of an id, or [`NONE`].
    #[inline(always)]
    pub fn get(&self, id: u32) -> u32 {
        self.0.get(id as usize).copied().unwrap_or(NONE)
    }

    /// Gives an id a number.
    #[inline(always)]
    pub fn set(&mut self, id: u32, number: u32) {
        if id as usize >= self.0.len() {
            self.0.resize(id as usize + 1, NONE);
        }
        self.0[id as usize] = number;
    }
}
