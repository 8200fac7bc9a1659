//! Lists whose places are taken again when they are given up, with a count of how often.

use alloc::vec::Vec;

use carom_simd::prefetch;

/// Values in numbered places. A place given up is the next to be taken, so the places that a series
/// of calls fills are always the same.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct SlotMap<T> {
    values: Vec<Option<T>>,
    states: Vec<State>,
    free: Vec<u32>,
    /// Places whose value has been removed but may still be asked for by slot.
    retired: Vec<u32>,
}

/// How often a place has been given up, and in the lowest bit whether no key opens it now.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
struct State(u32);

impl State {
    const NEW: Self = Self(0);
    const USED_UP: Self = Self(u32::MAX);

    fn generation(self) -> u32 {
        self.0 >> 1
    }

    fn is_live(self) -> bool {
        self.0 & 1 == 0
    }

    fn closed(self) -> Self {
        Self(self.0 | 1)
    }

    /// Of the next value in the place; none if it cannot count any further.
    fn next(self) -> Option<Self> {
        Some(Self(self.closed().0.checked_add(1)?))
    }
}

impl<T: Clone> Clone for SlotMap<T> {
    fn clone(&self) -> Self {
        let Self { values, states, free, retired } = self;
        Self {
            values: values.clone(),
            states: states.clone(),
            free: free.clone(),
            retired: retired.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.values.clone_from(&source.values);
        self.states.clone_from(&source.states);
        self.free.clone_from(&source.free);
        self.retired.clone_from(&source.retired);
    }
}

impl<T> SlotMap<T> {
    pub const fn new() -> Self {
        Self { values: Vec::new(), states: Vec::new(), free: Vec::new(), retired: Vec::new() }
    }

    /// Makes room for so many values more.
    pub fn reserve(&mut self, more: usize) {
        self.values.reserve_exact(more);
        self.states.reserve_exact(more);
    }

    /// Takes a place; gives its slot and generation.
    pub fn insert(&mut self, value: T) -> (u32, u32) {
        if let Some(slot) = self.free.pop() {
            let state = &mut self.states[slot as usize];
            *state = state.next().unwrap_or(State::USED_UP); // used up ones are not free
            self.values[slot as usize] = Some(value);
            return (slot, state.generation());
        }
        self.values.push(Some(value));
        self.states.push(State::NEW);
        (self.values.len() as u32 - 1, State::NEW.generation())
    }

    /// Gives a place up at once.
    pub fn remove(&mut self, slot: u32) -> Option<T> {
        let value = self.values.get_mut(slot as usize)?.take()?;
        let state = &mut self.states[slot as usize];
        *state = state.closed();
        // A place that could not count any further is never taken again.
        if state.next().is_some() {
            self.free.push(slot);
        }
        Some(value)
    }

    /// Keys no longer open the place, but its value stays until [`release_retired`](Self::release_retired).
    pub fn retire(&mut self, slot: u32) {
        self.states[slot as usize] = self.states[slot as usize].closed();
        self.retired.push(slot);
    }

    /// Gives up all retired places.
    pub fn release_retired(&mut self) {
        while let Some(slot) = self.retired.pop() {
            self.remove(slot);
        }
    }

    /// Asks for the value in a place, before it is needed.
    #[inline]
    pub fn prefetch(&self, slot: u32) {
        prefetch(&self.values, slot as usize);
    }

    /// Whether a key opens a place.
    #[inline]
    fn is_current(&self, slot: u32, generation: u32) -> bool {
        let state = self.states.get(slot as usize);
        state.is_some_and(|state| state.is_live() && state.generation() == generation)
    }

    /// The value that a key opens.
    #[inline]
    pub fn get(&self, slot: u32, generation: u32) -> Option<&T> {
        if self.is_current(slot, generation) { self.get_slot(slot) } else { None }
    }

    /// The value that a key opens.
    #[inline]
    pub fn get_mut(&mut self, slot: u32, generation: u32) -> Option<&mut T> {
        if self.is_current(slot, generation) { self.get_slot_mut(slot) } else { None }
    }

    /// The value in a place, retired or not.
    #[inline]
    pub fn get_slot(&self, slot: u32) -> Option<&T> {
        self.values.get(slot as usize)?.as_ref()
    }

    /// The value in a place, retired or not.
    #[inline]
    pub fn get_slot_mut(&mut self, slot: u32) -> Option<&mut T> {
        self.values.get_mut(slot as usize)?.as_mut()
    }

    /// How often a place had been given up before its value came.
    #[inline]
    pub fn generation(&self, slot: u32) -> u32 {
        self.states.get(slot as usize).map_or(0, |state| state.generation())
    }

    /// Whether a key opens the place.
    #[inline]
    pub fn is_live(&self, slot: u32) -> bool {
        self.states.get(slot as usize).is_some_and(|state| state.is_live())
    }

    /// How many places there are, taken or not.
    pub fn slot_count(&self) -> usize {
        self.values.len()
    }

    /// How many values keys open.
    pub fn len(&self) -> usize {
        self.states.iter().filter(|state| state.is_live()).count()
    }

    /// Slot and generation of all that keys open, in the order of the slots.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32, &T)> {
        let places = (0..).zip(self.values.iter().zip(&self.states));
        places
            .filter(|(_, (_, state))| state.is_live())
            .filter_map(|(slot, (value, state))| Some((slot, state.generation(), value.as_ref()?)))
    }

    /// The places that are retired.
    pub fn retired(&self) -> &[u32] {
        &self.retired
    }

    /// The places that will be taken next, the last one first.
    pub fn free(&self) -> &[u32] {
        &self.free
    }

    /// That every place is open, free or retired, as the lists say.
    #[cfg(feature = "serde")]
    pub fn check(&self) -> Result<(), alloc::string::String> {
        if self.states.len() != self.values.len() {
            return Err("as many states as values are expected".into());
        }
        let mut listed = alloc::vec![false; self.values.len()];
        let free = self.free.iter().map(|&slot| (slot, false));
        for (slot, has_value) in free.chain(self.retired.iter().map(|&slot| (slot, true))) {
            let state = self.states.get(slot as usize);
            let fits = state.is_some_and(|state| !state.is_live() && state.next().is_some())
                && self.get_slot(slot).is_some() == has_value;
            if !fits || core::mem::replace(&mut listed[slot as usize], true) {
                return Err(alloc::format!("place {slot} is not what the lists say"));
            }
        }
        for (slot, (value, state)) in self.values.iter().zip(&self.states).enumerate() {
            let fits = if state.is_live() {
                value.is_some()
            } else {
                listed[slot] || (value.is_none() && state.next().is_none())
            };
            if !fits {
                return Err(alloc::format!("place {slot} is in no list"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_cannot_count_any_further_is_never_taken_again() {
        let mut slots = SlotMap::new();
        assert_eq!(slots.insert('a'), (0, 0));
        slots.remove(0);
        assert_eq!(slots.insert('b'), (0, 1));
        slots.states[0] = State(u32::MAX - 1); // many removals later
        assert_eq!(slots.get(0, u32::MAX >> 1), Some(&'b'));
        slots.remove(0);
        assert_eq!(slots.insert('c'), (1, 0));
        assert_eq!(slots.get(0, u32::MAX >> 1), None);
    }

    #[test]
    fn what_is_retired_can_be_asked_for_by_slot_until_it_is_released() {
        let mut slots = SlotMap::new();
        slots.insert('a');
        slots.retire(0);
        assert_eq!(
            (slots.get(0, 0), slots.get_slot(0), slots.generation(0)),
            (None, Some(&'a'), 0)
        );
        assert_eq!(slots.insert('b'), (1, 0));
        slots.release_retired();
        assert_eq!((slots.get_slot(0), slots.len()), (None, 1));
        assert_eq!(slots.insert('c'), (0, 1));
    }
}
