//! Boxes by their ids, moving and static ones apart.

use alloc::vec::Vec;

use carom_simd::{Bounds, Ids};

use super::{aabb, sides};
use crate::broad::{MAX_ID, Mobility};
use crate::shape::Aabb;

/// Boxes by their ids, as they will be read: one after the other.
///
/// All that is kept follows from which boxes there are, not from how they came to be. So does the
/// order of the pairs.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    bounds: Vec<Bounds>,
    kinds: Vec<Option<Mobility>>,
    len: usize,
    /// The ids of moving boxes, ascending, if `listed`.
    moving: Vec<u32>,
    listed: bool,
    /// The moving boxes, if they are not all there are.
    gathered: Vec<Bounds>,
}

impl Store {
    /// Gives a box that was and is moving new bounds. Whether there is one under this id.
    #[inline]
    pub fn move_to(&mut self, id: u32, to: &Aabb) -> bool {
        let moving = self.kinds.get(id as usize) == Some(&Some(Mobility::Moving));
        if moving && let Some(bounds) = self.bounds.get_mut(id as usize) {
            *bounds = sides(to);
        }
        moving
    }

    /// Puts a box under an id. Tells what it was before.
    pub fn set(&mut self, id: u32, bounds: &Aabb, mobility: Mobility) -> Option<Mobility> {
        let place = id as usize;
        if place >= self.kinds.len() {
            self.grow(id);
        }
        self.bounds[place] = sides(bounds);
        let last = self.kinds[place];
        if last != Some(mobility) {
            self.kinds[place] = Some(mobility);
            self.len += usize::from(last.is_none());
            self.listed = false;
        }
        last
    }

    #[cold]
    fn grow(&mut self, id: u32) {
        assert!(id <= MAX_ID, "a box has id {id}; the largest is {MAX_ID}");
        self.bounds.resize(id as usize + 1, [0.0; 4]);
        self.kinds.resize(id as usize + 1, None);
    }

    /// Takes a box out. Tells what it was.
    pub fn remove(&mut self, id: u32) -> Option<Mobility> {
        let last = self.kinds.get_mut(id as usize)?.take()?;
        self.len -= 1;
        self.listed = false;
        Some(last)
    }

    /// The box under an id.
    #[inline]
    pub fn get(&self, id: u32) -> Option<(Aabb, Mobility)> {
        let mobility = (*self.kinds.get(id as usize)?)?;
        Some((aabb(&self.bounds[id as usize]), mobility))
    }

    /// The box under an id that has one.
    #[inline]
    pub fn bounds(&self, id: u32) -> Aabb {
        aabb(&self.bounds[id as usize])
    }

    /// How many boxes there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The ids of the boxes of a kind, ascending.
    pub fn ids(&self, kind: Mobility) -> impl Iterator<Item = u32> {
        (0..).zip(&self.kinds).filter(move |&(_, &k)| k == Some(kind)).map(|(id, _)| id)
    }

    /// All static boxes.
    pub fn statics(&self) -> impl Iterator<Item = (u32, Bounds)> {
        self.ids(Mobility::Static).map(|id| (id, self.bounds[id as usize]))
    }

    /// The moving boxes and their ids.
    pub fn moving(&mut self) -> (&[Bounds], Ids<'_>) {
        if !self.listed {
            let mut moving = core::mem::take(&mut self.moving);
            moving.clear();
            moving.extend(self.ids(Mobility::Moving));
            self.moving = moving;
            self.listed = true;
        }
        if self.moving.len() == self.bounds.len() {
            return (&self.bounds, Ids::Places);
        }
        self.gathered.clear();
        self.gathered.extend(self.moving.iter().map(|&id| self.bounds[id as usize]));
        (&self.gathered, Ids::List(&self.moving))
    }
}
