//! A slot map: freed slots are reused, and a generation counter invalidates old keys.

use alloc::vec::Vec;

use carom_simd::prefetch;

/// Values in numbered slots. The slot freed last is reused first, so the same calls always assign the
/// same slots.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct SlotMap<T> {
    values: Vec<Option<T>>,
    states: Vec<State>,
    /// The freed slots, a stack.
    free: Vec<u32>,
    /// The slots whose value has been removed but can still be accessed by slot.
    retired: Vec<u32>,
    /// The number of slots that are never reused.
    exhausted: usize,
}

/// The generation of a slot, shifted left by one. The lowest bit is set if no key is valid for the slot.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
struct State(u32);

impl State {
    const NEW: Self = Self(0);
    const EXHAUSTED: Self = Self(u32::MAX);

    fn generation(self) -> u32 {
        self.0 >> 1
    }

    fn is_live(self) -> bool {
        self.0 & 1 == 0
    }

    fn not_live(self) -> Self {
        Self(self.0 | 1)
    }

    /// Returns the state for the next value in the slot; `None` if the generation would overflow.
    fn next(self) -> Option<Self> {
        Some(Self(self.not_live().0.checked_add(1)?))
    }
}

impl<T: Clone> Clone for SlotMap<T> {
    fn clone(&self) -> Self {
        let Self { values, states, free, retired, exhausted } = self;
        Self {
            values: values.clone(),
            states: states.clone(),
            free: free.clone(),
            retired: retired.clone(),
            exhausted: *exhausted,
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.values.clone_from(&source.values);
        self.states.clone_from(&source.states);
        self.free.clone_from(&source.free);
        self.retired.clone_from(&source.retired);
        self.exhausted = source.exhausted;
    }
}

impl<T> SlotMap<T> {
    pub const fn new() -> Self {
        Self {
            values: Vec::new(),
            states: Vec::new(),
            free: Vec::new(),
            retired: Vec::new(),
            exhausted: 0,
        }
    }

    /// Reserves memory for `more` values.
    pub fn reserve(&mut self, more: usize) {
        self.values.reserve_exact(more);
        self.states.reserve_exact(more);
    }

    /// Inserts a value. Returns its slot and generation.
    pub fn insert(&mut self, value: T) -> (u32, u32) {
        if let Some(slot) = self.free.pop() {
            let state = &mut self.states[slot as usize];
            *state = state.next().unwrap_or(State::EXHAUSTED); // not reached: such slots are never free
            self.values[slot as usize] = Some(value);
            return (slot, state.generation());
        }
        self.values.push(Some(value));
        self.states.push(State::NEW);
        (self.values.len() as u32 - 1, State::NEW.generation())
    }

    /// Removes a value and frees its slot.
    pub fn remove(&mut self, slot: u32) -> Option<T> {
        let value = self.values.get_mut(slot as usize)?.take()?;
        let state = &mut self.states[slot as usize];
        *state = state.not_live();
        // A slot whose generation would overflow is never reused.
        if state.next().is_some() {
            self.free.push(slot);
        } else {
            self.exhausted += 1;
        }
        Some(value)
    }

    /// Invalidates the key of a slot. Its value stays accessible by slot until
    /// [`release_retired`](Self::release_retired).
    pub fn retire(&mut self, slot: u32) {
        self.states[slot as usize] = self.states[slot as usize].not_live();
        self.retired.push(slot);
    }

    /// Removes all retired values and frees their slots.
    pub fn release_retired(&mut self) {
        while let Some(slot) = self.retired.pop() {
            self.remove(slot);
        }
    }

    /// Prefetches the value in a slot.
    #[inline]
    pub fn prefetch(&self, slot: u32) {
        prefetch(&self.values, slot as usize);
    }

    /// Returns `true` if a key is valid.
    #[inline]
    fn is_current(&self, slot: u32, generation: u32) -> bool {
        let state = self.states.get(slot as usize);
        state.is_some_and(|state| state.is_live() && state.generation() == generation)
    }

    /// Returns the value of a key, if the key is valid.
    #[inline]
    pub fn get(&self, slot: u32, generation: u32) -> Option<&T> {
        if self.is_current(slot, generation) { self.get_slot(slot) } else { None }
    }

    /// Returns the value of a key, if the key is valid.
    #[inline]
    pub fn get_mut(&mut self, slot: u32, generation: u32) -> Option<&mut T> {
        if self.is_current(slot, generation) { self.get_slot_mut(slot) } else { None }
    }

    /// Returns the value in a slot, retired or not.
    #[inline]
    pub fn get_slot(&self, slot: u32) -> Option<&T> {
        #[cfg(test)]
        crate::operation_count::add(1);
        self.values.get(slot as usize)?.as_ref()
    }

    /// Returns the value in a slot, retired or not.
    #[inline]
    pub fn get_slot_mut(&mut self, slot: u32) -> Option<&mut T> {
        #[cfg(test)]
        crate::operation_count::add(1);
        self.values.get_mut(slot as usize)?.as_mut()
    }

    /// Returns the generation of a slot: how often it was freed before its current value.
    #[inline]
    pub fn generation(&self, slot: u32) -> u32 {
        self.states.get(slot as usize).map_or(0, |state| state.generation())
    }

    /// Returns `true` if the slot has a value that is not retired.
    #[inline]
    pub fn is_live(&self, slot: u32) -> bool {
        self.states.get(slot as usize).is_some_and(|state| state.is_live())
    }

    /// Returns the number of slots, used or free.
    pub fn slot_count(&self) -> usize {
        self.values.len()
    }

    /// Returns the number of values that are not retired.
    pub fn len(&self) -> usize {
        self.values.len() - self.free.len() - self.retired.len() - self.exhausted
    }

    /// Returns slot, generation and value of all values that are not retired, ordered by slot.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32, &T)> {
        let slots = (0..).zip(self.values.iter().zip(&self.states));
        slots
            .filter(|(_, (_, state))| state.is_live())
            .filter_map(|(slot, (value, state))| Some((slot, state.generation(), value.as_ref()?)))
    }

    /// Returns the retired slots.
    pub fn retired(&self) -> &[u32] {
        &self.retired
    }

    /// Returns the free slots. The last one is reused first.
    pub fn free(&self) -> &[u32] {
        &self.free
    }

    /// Checks that every slot is live, free, retired or exhausted, and that the lists agree with it.
    #[cfg(feature = "serde")]
    pub fn check(&self) -> Result<(), alloc::string::String> {
        if self.states.len() != self.values.len() {
            let (states, values) = (self.states.len(), self.values.len());
            return Err(alloc::format!("found {states} states for {values} values"));
        }
        let mut listed = alloc::vec![false; self.values.len()];
        let free = self.free.iter().map(|&slot| (slot, false));
        for (slot, has_value) in free.chain(self.retired.iter().map(|&slot| (slot, true))) {
            let state = self.states.get(slot as usize);
            let fits = state.is_some_and(|state| !state.is_live() && state.next().is_some())
                && self.get_slot(slot).is_some() == has_value;
            if !fits || core::mem::replace(&mut listed[slot as usize], true) {
                return Err(alloc::format!("slot {slot}: the lists disagree with its state"));
            }
        }
        for (slot, (value, state)) in self.values.iter().zip(&self.states).enumerate() {
            let fits = if state.is_live() {
                value.is_some()
            } else {
                listed[slot] || (value.is_none() && state.next().is_none())
            };
            if !fits {
                return Err(alloc::format!("slot {slot}: neither live nor in a list"));
            }
        }
        let live = self.states.iter().filter(|state| state.is_live()).count();
        let listed = self.free.len() + self.retired.len();
        if live + listed + self.exhausted != self.values.len() {
            return Err(alloc::format!("found {} exhausted slots", self.exhausted));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_whose_generation_would_overflow_is_never_reused() {
        let mut slots = SlotMap::new();
        assert_eq!(slots.insert('a'), (0, 0));
        slots.remove(0);
        assert_eq!(slots.insert('b'), (0, 1));
        slots.states[0] = State(u32::MAX - 1); // many removals later
        assert_eq!(slots.get(0, u32::MAX >> 1), Some(&'b'));
        slots.remove(0);
        assert_eq!(slots.insert('c'), (1, 0));
        assert_eq!(slots.get(0, u32::MAX >> 1), None);
        assert_eq!(slots.len(), 1);
    }

    #[test]
    fn a_retired_value_can_be_accessed_by_slot_until_it_is_released() {
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
