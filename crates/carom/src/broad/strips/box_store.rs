//! Boxes by id, moving and fixed ones in separate lists.

use alloc::vec::Vec;

use carom_simd::{Bounds, BoxEntry};

use crate::broad::Mobility;
use crate::broad::shared::box_table::{NONE, check_id};
use crate::math::Vec2;
use crate::shape::Aabb;

/// Boxes by id. The moving boxes are adjacent in memory, as they will be read.
///
/// Before they are read, they are sorted by id. So their order, and with it the order of the pairs, depends
/// only on the boxes, not on the order of previous calls.
#[derive(Clone, Debug, Default)]
pub(super) struct BoxStore {
    /// For each id the index of its box in one of the lists, with the [`FIXED_FLAG`] if it is in `fixed`;
    /// [`NONE`] if there is no box.
    indices: Vec<u32>,
    moving: Vec<BoxEntry>,
    fixed: Vec<BoxEntry>,
    /// `true` if the moving boxes may not be sorted by id.
    is_unsorted: bool,
    /// `true` if every id up to the largest has a moving box, whose index is its id.
    indices_are_ids: bool,
}

/// Marks the index of a fixed box.
const FIXED_FLAG: u32 = 1 << 31;

impl BoxStore {
    /// Changes the bounds of a moving box. Returns whether there is one with this id.
    #[inline]
    pub fn move_to(&mut self, id: u32, bounds: &Aabb) -> bool {
        let index = match self.indices_are_ids {
            true => id, // saves a memory access
            false => self.indices.get(id as usize).map_or(NONE, |&index| index),
        };
        // Indices with the flag, and `NONE`, are out of bounds.
        let entry = self.moving.get_mut(index as usize);
        let is_moving = entry.is_some();
        if let Some(entry) = entry {
            entry.bounds = to_array(bounds);
        }
        is_moving
    }

    /// Inserts or replaces the box with an id. Returns the mobility of the previous one.
    ///
    /// # Panics
    /// Panics if the id is greater than [`MAX_ID`](crate::broad::MAX_ID).
    pub fn set(&mut self, id: u32, bounds: &Aabb, mobility: Mobility) -> Option<Mobility> {
        if id as usize >= self.indices.len() {
            self.grow(id);
        }
        let previous = self.remove(id);
        let (list, flag) = match mobility {
            Mobility::Moving => {
                self.is_unsorted |= self.moving.last().is_some_and(|last| last.id > id);
                (&mut self.moving, 0)
            }
            Mobility::Fixed => (&mut self.fixed, FIXED_FLAG),
        };
        self.indices[id as usize] = list.len() as u32 | flag;
        list.push(BoxEntry { bounds: to_array(bounds), id });
        self.update_indices_are_ids();
        previous
    }

    #[cold]
    fn grow(&mut self, id: u32) {
        check_id(id);
        self.indices.resize(id as usize + 1, NONE);
    }

    /// Removes the box with an id, and returns its mobility.
    pub fn remove(&mut self, id: u32) -> Option<Mobility> {
        let (mobility, index) = self.find(id)?;
        let (list, flag) = match mobility {
            Mobility::Moving => (&mut self.moving, 0),
            Mobility::Fixed => (&mut self.fixed, FIXED_FLAG),
        };
        list.swap_remove(index);
        if let Some(moved) = list.get(index) {
            self.indices[moved.id as usize] = index as u32 | flag;
            self.is_unsorted |= mobility == Mobility::Moving;
        }
        self.indices[id as usize] = NONE;
        self.update_indices_are_ids();
        Some(mobility)
    }

    /// Returns the mobility of the box with an id, and its index in the list of that mobility.
    #[inline]
    fn find(&self, id: u32) -> Option<(Mobility, usize)> {
        match *self.indices.get(id as usize)? {
            NONE => None,
            index if index & FIXED_FLAG == 0 => Some((Mobility::Moving, index as usize)),
            index => Some((Mobility::Fixed, (index & !FIXED_FLAG) as usize)),
        }
    }

    /// Returns the box with an id, if there is one.
    #[inline]
    pub fn get(&self, id: u32) -> Option<(Aabb, Mobility)> {
        let (mobility, index) = self.find(id)?;
        let list = match mobility {
            Mobility::Moving => &self.moving,
            Mobility::Fixed => &self.fixed,
        };
        Some((to_aabb(&list[index].bounds), mobility))
    }

    /// Returns the number of boxes.
    #[inline]
    pub fn len(&self) -> usize {
        self.moving.len() + self.fixed.len()
    }

    /// Returns the box with an id that is known to exist.
    #[inline]
    pub fn bounds(&self, id: u32) -> Aabb {
        self.get(id).expect("the id has a box").0
    }

    /// Returns the ids of all boxes of a mobility in ascending order.
    pub fn ids(&self, mobility: Mobility) -> impl Iterator<Item = u32> {
        let is_included = move |&id: &u32| self.find(id).is_some_and(|(it, _)| it == mobility);
        (0..self.indices.len() as u32).filter(is_included)
    }

    /// Returns all fixed boxes, in no particular order.
    pub fn fixed(&self) -> &[BoxEntry] {
        &self.fixed
    }

    /// Returns all moving boxes, sorted by id.
    pub fn moving(&mut self) -> &[BoxEntry] {
        if self.is_unsorted {
            self.sort_moving();
        }
        &self.moving
    }

    fn update_indices_are_ids(&mut self) {
        self.indices_are_ids = !self.is_unsorted && self.moving.len() == self.indices.len();
    }

    #[cold]
    fn sort_moving(&mut self) {
        let mut next = 0;
        for id in 0..self.indices.len() {
            let index = self.indices[id] as usize;
            if index < self.moving.len() {
                self.moving.swap(next, index);
                self.indices[self.moving[index].id as usize] = index as u32;
                self.indices[id] = next as u32;
                next += 1;
            }
        }
        self.is_unsorted = false;
        self.update_indices_are_ids();
    }
}

/// Converts a box to an array.
#[inline]
pub(super) fn to_array(bounds: &Aabb) -> Bounds {
    let (min, max) = (bounds.min(), bounds.max());
    [min.x, min.y, max.x, max.y]
}

/// Converts an array to a box.
#[inline]
pub(super) fn to_aabb(&[min_x, min_y, max_x, max_y]: &Bounds) -> Aabb {
    Aabb::new_unchecked(Vec2::new(min_x, min_y), Vec2::new(max_x, max_y))
}
