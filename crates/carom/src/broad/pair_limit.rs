//! The limit of a search for pairs, and the filter that decides which pairs count.

use alloc::vec::Vec;

use crate::broad::Pair;

/// A function that removes the pairs that are not needed from a list, beginning at an index. It must keep the
/// order of the others.
pub type PairFilter<'a> = dyn Fn(&mut Vec<Pair>, usize) + Sync + 'a;

/// The largest number of pairs that a search may find, and a filter that decides which pairs count.
///
/// Many boxes can be at one position although their pairs are not needed: six thousand bullets at a muzzle are
/// 18 million pairs of boxes. The filter removes them during the search, so they neither count nor need
/// memory. Because they still take time, a search also stops after
/// [`REJECTED_PER_PAIR`](Self::REJECTED_PER_PAIR) rejected pairs for each pair that the limit allows.
///
/// ```
/// use carom::broad::{BroadPhase, Mobility, PairLimit, Strips};
/// use carom::prelude::*;
/// let mut broad = Strips::new();
/// for id in 0..9 {
///     broad.set(id, Aabb::new([0.0, 0.0], [1.0, 1.0]), Mobility::Moving);
/// }
/// let mut pairs = Vec::new();
/// assert_eq!(broad.find_pairs_filtered(PairLimit::new(35), &mut pairs), None); // there are 36
/// let only_with_0 = |pairs: &mut Vec<[u32; 2]>, start: usize| {
///     let mut index = 0;
///     pairs.retain(|pair| (index < start || pair[0] == 0, index += 1).0);
/// };
/// let limit = PairLimit::new(35).with_filter(&only_with_0);
/// assert!(broad.find_pairs_filtered(limit, &mut pairs).is_some());
/// assert_eq!(pairs.len(), 8);
/// ```
#[derive(Clone, Copy)]
pub struct PairLimit<'a> {
    max: usize,
    filter: Option<&'a PairFilter<'a>>,
}

impl<'a> PairLimit<'a> {
    /// The number of pairs that a filter may reject for each pair that the limit allows.
    pub const REJECTED_PER_PAIR: usize = 16;

    /// Creates a limit without a filter: all pairs count.
    pub fn new(max: usize) -> Self {
        Self { max, filter: None }
    }

    /// Sets the filter.
    #[must_use]
    pub fn with_filter(self, filter: &'a PairFilter<'a>) -> Self {
        Self { filter: Some(filter), ..self }
    }

    /// Returns `true` if a search may find this number of pairs, after its filter has rejected others.
    pub fn allows(&self, found: usize, rejected: usize) -> bool {
        found <= self.max && rejected / Self::REJECTED_PER_PAIR <= self.max
    }

    /// Creates a counter for one search.
    pub fn counter(self) -> PairCounter<'a> {
        let mut counter = PairCounter { limit: self, filtered: 0, rejected: 0, next_check: 0 };
        counter.next_check = counter.step();
        counter
    }
}

impl core::fmt::Debug for PairLimit<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("PairLimit")
            .field("max", &self.max)
            .field("filter", &self.filter.is_some())
            .finish()
    }
}

/// Applies a [`PairLimit`] to a list that grows in the course of a search.
#[derive(Clone, Debug)]
pub struct PairCounter<'a> {
    limit: PairLimit<'a>,
    /// The number of pairs at the front of the list that the filter has let pass.
    filtered: usize,
    /// The number of pairs that the filter has rejected.
    rejected: usize,
    /// The length of the list above which it is filtered.
    next_check: usize,
}

impl PairCounter<'_> {
    /// The number of pairs that are filtered at once: few enough to be in the cache still.
    const BATCH: usize = 1 << 15;

    /// Returns `true` if the search has to stop because there are too many pairs. It may remove pairs from
    /// the list, but keeps their order.
    #[inline(always)]
    pub fn is_over_limit(&mut self, pairs: &mut Vec<Pair>) -> bool {
        pairs.len() > self.next_check && !self.check(pairs)
    }

    /// Returns the number of pairs that may be added before the limit is checked again.
    #[inline]
    pub fn step(&self) -> usize {
        if self.limit.filter.is_some() { Self::BATCH } else { self.limit.max }
    }

    /// Filters the rest of the list at the end of a search. Returns `false` if there are too many pairs.
    pub fn finish(&mut self, pairs: &mut Vec<Pair>) -> bool {
        self.check(pairs)
    }

    /// Returns the number of pairs that the filter has rejected so far.
    pub fn rejected(&self) -> usize {
        self.rejected
    }

    /// Filters the pairs that are new. Returns `false` if there are too many.
    fn check(&mut self, pairs: &mut Vec<Pair>) -> bool {
        if let Some(filter) = self.limit.filter {
            let found = pairs.len();
            filter(pairs, self.filtered);
            self.rejected += found - pairs.len();
            self.filtered = pairs.len();
            self.next_check = self.filtered.saturating_add(Self::BATCH);
        }
        self.limit.allows(pairs.len(), self.rejected)
    }
}
