//! Boxes by their ids, moving and static ones apart.

use alloc::vec::Vec;

use carom_simd::BoxEntry;

use super::{aabb, sides};
use crate::broad::{MAX_ID, Mobility};
use crate::shape::Aabb;

/// Boxes by their ids, as they will be read: the moving ones side by side, with nothing in between.
///
/// When they are read, their order follows from which boxes there are, not from how they came to be.
/// So does the order of the pairs.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    /// For each id the place of its box in the list of its kind, marked if that is the static one.
    places: Vec<u32>,
    moving: Vec<BoxEntry>,
    statics: Vec<BoxEntry>,
    /// Whether the ids of moving boxes may not ascend.
    is_mixed_up: bool,
    /// Whether there is a moving box under every id, and its place is its id.
    places_are_ids: bool,
}

/// Marks the place of a static box.
const STATIC: u32 = 1 << 31;

/// Of an id that has no box. No list is so long.
const NOWHERE: u32 = u32::MAX;

impl Store {
    /// Gives a box that was and is moving new bounds. Whether there is one under this id.
    #[inline]
    pub fn move_to(&mut self, id: u32, to: &Aabb) -> bool {
        let place = match self.places_are_ids {
            true => id, // one look-up less
            false => self.places.get(id as usize).map_or(NOWHERE, |&place| place),
        };
        let entry = self.moving.get_mut(place as usize);
        let is_moving = entry.is_some();
        if let Some(entry) = entry {
            entry.bounds = sides(to);
        }
        is_moving
    }

    /// Puts a box under an id. Tells what it was before.
    pub fn set(&mut self, id: u32, bounds: &Aabb, mobility: Mobility) -> Option<Mobility> {
        if id as usize >= self.places.len() {
            self.grow(id);
        }
        let last = self.remove(id);
        let list = match mobility {
            Mobility::Moving => {
                self.is_mixed_up |= self.moving.last().is_some_and(|last| last.id > id);
                &mut self.moving
            }
            Mobility::Fixed => &mut self.statics,
        };
        let mark = if mobility == Mobility::Fixed { STATIC } else { 0 };
        self.places[id as usize] = list.len() as u32 | mark;
        list.push(BoxEntry { bounds: sides(bounds), id });
        self.compare_places();
        last
    }

    #[cold]
    fn grow(&mut self, id: u32) {
        assert!(id <= MAX_ID, "a box has id {id}; the largest is {MAX_ID}");
        self.places.resize(id as usize + 1, NOWHERE);
    }

    /// Takes a box out. Tells what it was.
    pub fn remove(&mut self, id: u32) -> Option<Mobility> {
        let (mobility, place) = self.find(id)?;
        let (list, mark) = match mobility {
            Mobility::Moving => (&mut self.moving, 0),
            Mobility::Fixed => (&mut self.statics, STATIC),
        };
        list.swap_remove(place);
        if let Some(moved) = list.get(place) {
            self.places[moved.id as usize] = place as u32 | mark;
            self.is_mixed_up |= mobility == Mobility::Moving;
        }
        self.places[id as usize] = NOWHERE;
        self.compare_places();
        Some(mobility)
    }

    /// Of which kind a box is, and its place among them.
    #[inline]
    fn find(&self, id: u32) -> Option<(Mobility, usize)> {
        match *self.places.get(id as usize)? {
            NOWHERE => None,
            place if place & STATIC == 0 => Some((Mobility::Moving, place as usize)),
            place => Some((Mobility::Fixed, (place & !STATIC) as usize)),
        }
    }

    /// The box under an id.
    #[inline]
    pub fn get(&self, id: u32) -> Option<(Aabb, Mobility)> {
        let (mobility, place) = self.find(id)?;
        let list = match mobility {
            Mobility::Moving => &self.moving,
            Mobility::Fixed => &self.statics,
        };
        Some((aabb(&list[place].bounds), mobility))
    }

    /// How many boxes there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.moving.len() + self.statics.len()
    }

    /// The box under an id that has one.
    #[inline]
    pub fn bounds(&self, id: u32) -> Aabb {
        self.get(id).expect("the id has a box").0
    }

    /// The ids of the boxes of a kind, ascending.
    pub fn ids(&self, kind: Mobility) -> impl Iterator<Item = u32> {
        let is_meant = move |&id: &u32| self.find(id).is_some_and(|(mobility, _)| mobility == kind);
        (0..self.places.len() as u32).filter(is_meant)
    }

    /// All static boxes, in any order.
    pub fn statics(&self) -> &[BoxEntry] {
        &self.statics
    }

    /// The moving boxes, by ascending ids.
    pub fn moving(&mut self) -> &[BoxEntry] {
        if self.is_mixed_up {
            self.put_in_order();
        }
        &self.moving
    }

    /// After boxes have come or gone.
    fn compare_places(&mut self) {
        self.places_are_ids = !self.is_mixed_up && self.moving.len() == self.places.len();
    }

    #[cold]
    fn put_in_order(&mut self) {
        let mut next = 0;
        for id in 0..self.places.len() {
            let place = self.places[id] as usize;
            if place < self.moving.len() {
                self.moving.swap(next, place);
                self.places[self.moving[place].id as usize] = place as u32;
                self.places[id] = next as u32;
                next += 1;
            }
        }
        self.is_mixed_up = false;
        self.compare_places();
    }
}
