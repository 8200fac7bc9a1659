//! The innermost step of every search: one box against another, a swept box or a distance.

use alloc::vec::Vec;

use super::box_table::Item;
use crate::broad::swept_aabb::{SweptAabb, distance};
use crate::broad::{Mobility, Pair, PairCounter, PairLimit};
use crate::shape::Aabb;

/// Returns two ids as a pair.
#[inline(always)]
pub(crate) fn pair(a: u32, b: u32) -> Pair {
    [a.min(b), a.max(b)]
}

/// Collects pairs, counts tests, and watches the limit of
/// [`find_pairs_filtered`](crate::broad::BroadPhase::find_pairs_filtered).
pub(crate) struct PairSink<'a> {
    pub pairs: &'a mut Vec<Pair>,
    counter: PairCounter<'a>,
    /// The number of tests made.
    pub tests: u64,
}

impl<'a> PairSink<'a> {
    /// Clears the list.
    pub fn new(limit: PairLimit<'a>, pairs: &'a mut Vec<Pair>) -> Self {
        pairs.clear();
        Self { pairs, counter: limit.counter(), tests: 0 }
    }

    /// Tests two boxes, unless both are fixed, and adds the pair if they intersect.
    #[inline(always)]
    pub fn test(&mut self, a: &Item, b: &Item) {
        self.test_if(a, b, || true);
    }

    /// Tests two boxes, unless both are fixed, and adds the pair if they intersect and a condition holds.
    #[inline(always)]
    pub fn test_if(&mut self, a: &Item, b: &Item, condition: impl FnOnce() -> bool) {
        if a.mobility == Mobility::Moving || b.mobility == Mobility::Moving {
            self.tests += 1;
            if a.bounds.intersects_aabb(&b.bounds) && condition() {
                self.pairs.push(pair(a.id, b.id));
            }
        }
    }

    /// Returns `true` if there are more pairs than the limit allows.
    #[inline(always)]
    pub fn is_over_limit(&mut self) -> bool {
        self.counter.is_over_limit(self.pairs)
    }

    /// Returns the number of pairs that may be added before the next call of
    /// [`is_over_limit`](Self::is_over_limit).
    #[inline]
    pub fn step(&self) -> usize {
        self.counter.step()
    }

    /// Returns the number of pairs that the filter has rejected so far.
    #[cfg(feature = "parallel")]
    pub fn rejected(&self) -> usize {
        self.counter.rejected()
    }

    /// Returns the number of tests, or `None` if there are more pairs than the limit allows.
    pub fn finish(&mut self) -> Option<u64> {
        self.counter.finish(self.pairs).then_some(self.tests)
    }
}

/// Visits boxes that a swept box hits, up to a time that the visitor may shorten; see
/// [`BroadPhase::visit_swept`](crate::broad::BroadPhase::visit_swept).
pub(crate) struct SweptVisitor<'a, V> {
    swept: &'a SweptAabb,
    /// The time up to which hits are of interest.
    pub end: f32,
    /// The number of tests made.
    pub tests: u64,
    visit: V,
}

impl<'a, V: FnMut(u32, &Aabb, f32) -> f32> SweptVisitor<'a, V> {
    pub fn new(swept: &'a SweptAabb, end: f32, visit: V) -> Self {
        Self { swept, end, tests: 0, visit }
    }

    /// Tests a box, and visits it if it is hit in time.
    #[inline(always)]
    pub fn test(&mut self, id: u32, bounds: &Aabb) {
        self.tests += 1;
        if let Some(time) = self.swept.time_of_impact(bounds, self.end) {
            self.end = (self.visit)(id, bounds, time);
        }
    }
}

/// Visits boxes within a distance that the visitor may shorten; see
/// [`BroadPhase::visit_within`](crate::broad::BroadPhase::visit_within).
pub(crate) struct WithinVisitor<'a, V> {
    from: &'a Aabb,
    /// The distance up to which boxes are of interest.
    pub max_distance: f32,
    /// The number of tests made.
    pub tests: u64,
    visit: V,
}

impl<'a, V: FnMut(u32, &Aabb, f32) -> f32> WithinVisitor<'a, V> {
    pub fn new(from: &'a Aabb, max_distance: f32, visit: V) -> Self {
        Self { from, max_distance, tests: 0, visit }
    }

    /// Tests a box, and visits it if it is near enough.
    #[inline(always)]
    pub fn test(&mut self, id: u32, bounds: &Aabb) {
        self.tests += 1;
        let distance = distance(self.from, bounds);
        if distance <= self.max_distance {
            self.max_distance = (self.visit)(id, bounds, distance);
        }
    }
}
