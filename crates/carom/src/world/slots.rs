//! Lists whose places are taken again when they are given up, with a count of how often.

use alloc::vec::Vec;

/// Values in numbered places. A place given up is the next to be taken, so the places that a series
/// of calls fills are always the same.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Slots<T> {
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
    /// Places whose value has been removed but may still be asked for by slot.
    retired: Vec<u32>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Slot<T> {
    value: Option<T>,
    /// How often the place has been given up.
    generation: u32,
    /// Whether a key still opens it.
    is_live: bool,
}

impl<T: Clone> Clone for Slots<T> {
    fn clone(&self) -> Self {
        let Self { slots, free, retired } = self;
        Self { slots: slots.clone(), free: free.clone(), retired: retired.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.slots.clone_from(&source.slots);
        self.free.clone_from(&source.free);
        self.retired.clone_from(&source.retired);
    }
}

impl<T> Slots<T> {
    pub const fn new() -> Self {
        Self { slots: Vec::new(), free: Vec::new(), retired: Vec::new() }
    }

    /// Takes a place; gives its slot and generation.
    pub fn insert(&mut self, value: T) -> (u32, u32) {
        if let Some(slot) = self.free.pop() {
            let place = &mut self.slots[slot as usize];
            (place.value, place.is_live) = (Some(value), true);
            return (slot, place.generation);
        }
        self.slots.push(Slot { value: Some(value), generation: 0, is_live: true });
        (self.slots.len() as u32 - 1, 0)
    }

    /// Gives a place up at once.
    pub fn remove(&mut self, slot: u32) -> Option<T> {
        let place = self.slots.get_mut(slot as usize)?;
        place.is_live = false;
        let value = place.value.take()?;
        // A place that could not count any further is never taken again.
        if let Some(next) = place.generation.checked_add(1) {
            place.generation = next;
            self.free.push(slot);
        }
        Some(value)
    }

    /// Keys no longer open the place, but its value stays until [`release`](Self::release).
    pub fn retire(&mut self, slot: u32) {
        self.slots[slot as usize].is_live = false;
        self.retired.push(slot);
    }

    /// Gives up all retired places.
    pub fn release(&mut self) {
        while let Some(slot) = self.retired.pop() {
            self.remove(slot);
        }
    }

    /// The value that a key opens.
    #[inline]
    pub fn get(&self, slot: u32, generation: u32) -> Option<&T> {
        let place = self.slots.get(slot as usize)?;
        if place.is_live && place.generation == generation { place.value.as_ref() } else { None }
    }

    /// The value that a key opens.
    #[inline]
    pub fn get_mut(&mut self, slot: u32, generation: u32) -> Option<&mut T> {
        let place = self.slots.get_mut(slot as usize)?;
        if place.is_live && place.generation == generation { place.value.as_mut() } else { None }
    }

    /// The value in a place, retired or not.
    #[inline]
    pub fn at(&self, slot: u32) -> Option<&T> {
        self.slots.get(slot as usize)?.value.as_ref()
    }

    /// The value in a place, retired or not.
    #[inline]
    pub fn at_mut(&mut self, slot: u32) -> Option<&mut T> {
        self.slots.get_mut(slot as usize)?.value.as_mut()
    }

    /// How often a place has been given up.
    #[inline]
    pub fn generation(&self, slot: u32) -> u32 {
        self.slots.get(slot as usize).map_or(0, |place| place.generation)
    }

    /// Whether a key opens the place.
    #[inline]
    pub fn is_live(&self, slot: u32) -> bool {
        self.slots.get(slot as usize).is_some_and(|place| place.is_live)
    }

    /// How many places there are, taken or not.
    pub fn places(&self) -> usize {
        self.slots.len()
    }

    /// How many values keys open.
    pub fn len(&self) -> usize {
        self.slots.len() - self.slots.iter().filter(|place| !place.is_live).count()
    }

    /// Slot and generation of all that keys open, in the order of the slots.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32, &T)> {
        (0..)
            .zip(&self.slots)
            .filter(|(_, place)| place.is_live)
            .filter_map(|(slot, place)| Some((slot, place.generation, place.value.as_ref()?)))
    }

    /// The places that are retired.
    pub fn retired(&self) -> &[u32] {
        &self.retired
    }

    /// The places that will be taken next, the last one first.
    pub fn free(&self) -> &[u32] {
        &self.free
    }

    /// That every place is taken, free or retired, as it says.
    #[cfg(feature = "serde")]
    pub fn check(&self) -> Result<(), alloc::string::String> {
        let mut listed = alloc::vec![false; self.slots.len()];
        let lists = self.free.iter().map(|&slot| (slot, false));
        for (slot, has_value) in lists.chain(self.retired.iter().map(|&slot| (slot, true))) {
            let place = self.slots.get(slot as usize);
            let fits = place.is_some_and(|p| !p.is_live && p.value.is_some() == has_value);
            if !fits || core::mem::replace(&mut listed[slot as usize], true) {
                return Err(alloc::format!("place {slot} is not what the lists say"));
            }
        }
        let lost = self.slots.iter().zip(listed).position(|(place, is_listed)| {
            let is_used_up = place.generation == u32::MAX && place.value.is_none();
            place.is_live != place.value.is_some() && !is_listed
                || !place.is_live && !is_listed && !is_used_up
        });
        match lost {
            Some(slot) => Err(alloc::format!("place {slot} is in no list")),
            None => Ok(()),
        }
    }
}
