//! Sweep and prune (sort and sweep): boxes sorted along one axis.

use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};

use crate::broad::shared::box_table::{BoxTable, IdMap, Item};
use crate::broad::shared::visitors::{PairSink, SweptVisitor, WithinVisitor};
use crate::broad::swept_aabb::SweptAabb;
use crate::broad::{BroadPhase, Mobility, Pair, PairLimit};
use crate::math::{DVec2, Vec2};
use crate::shape::Aabb;

/// Sweep and prune (also: sort and sweep) along one axis: keeps the boxes sorted by their lower sides, and
/// tests only those whose intervals along the axis overlap.
///
/// The order is kept from one search to the next. If little has moved, it is nearly right already, and an
/// insertion sort restores it in a step or two per box (temporal coherence).
///
/// **Strengths:** simple, small, and fast if things are spread along one axis, as in many side-scrolling
/// games. **Weaknesses:** boxes above each other are all tested against each other, so a large level that is
/// as high as wide is slow. Queries use the order only until the next change; until pairs are searched for
/// again, they test every box.
///
/// ```
/// use carom::broad::{BroadPhase, Mobility, SweepAndPrune};
/// use carom::prelude::*;
///
/// let mut broad = SweepAndPrune::new();
/// for id in 0..100 { // a row of boxes, each of which touches the next
///     let min = [id as f32, 0.0];
///     broad.set(id, Aabb::from_min_size(min, [1.0, 1.0]), Mobility::Moving);
/// }
/// let mut pairs = Vec::new();
/// assert_eq!(broad.find_pairs(&mut pairs), 99); // every test finds a pair
/// assert_eq!(pairs.len(), 99);
/// ```
#[derive(Clone, Debug, Default)]
#[doc(alias = "sort and sweep")]
#[doc(alias = "SAP")]
pub struct SweepAndPrune {
    boxes: BoxTable,
    /// The boxes, sorted if `is_sorted`, and nearly sorted otherwise.
    items: Vec<Item>,
    /// The index of each box in `items`.
    index_of: IdMap,
    /// `true` if the axis is y.
    along_y: bool,
    is_sorted: bool,
    /// The number of boxes when the axis was chosen.
    chosen_for: usize,
    /// For each index, the greatest upper side of the boxes up to it (a prefix maximum).
    max_before: Vec<f32>,
}

/// If an insertion sort takes more steps per box than this, sorting from scratch is cheaper.
const MAX_STEPS: usize = 8;

impl SweepAndPrune {
    /// Creates an empty broad phase.
    pub fn new() -> Self {
        Self::default()
    }

    fn along(&self, point: Vec2) -> f32 {
        if self.along_y { point.y } else { point.x }
    }

    /// Sorts the boxes, unless they are sorted.
    fn sort(&mut self) {
        if self.is_sorted {
            return;
        }
        let len = self.items.len();
        if len > 2 * self.chosen_for || !self.insertion_sort() {
            self.along_y = is_spread_along_y(&self.items);
            self.chosen_for = len;
            let along_y = self.along_y;
            self.items
                .sort_unstable_by(|a, b| key(a, along_y).partial_cmp(&key(b, along_y)).unwrap());
        }
        self.is_sorted = true;
        self.max_before.clear();
        let mut max = f32::MIN;
        for (index, item) in (0..).zip(&self.items) {
            self.index_of.set(item.id, index);
            let upper = item.bounds.max();
            max = max.max(if self.along_y { upper.y } else { upper.x });
            self.max_before.push(max);
        }
    }

    /// Sorts by insertion. Returns `false` if that takes too many steps.
    fn insertion_sort(&mut self) -> bool {
        let mut steps = MAX_STEPS * self.items.len();
        for i in 1..self.items.len() {
            let item = self.items[i];
            let item_key = key(&item, self.along_y);
            let mut index = i;
            while index > 0 && key(&self.items[index - 1], self.along_y) > item_key {
                self.items[index] = self.items[index - 1];
                index -= 1;
            }
            self.items[index] = item;
            match steps.checked_sub(i - index) {
                Some(left) => steps = left,
                None => return false,
            }
        }
        true
    }

    /// Returns the range of items that can overlap an interval of the axis.
    fn candidates(&self, low: f64, high: f64) -> Range<usize> {
        if !self.is_sorted {
            return 0..self.items.len();
        }
        let first = self.max_before.partition_point(|&max| f64::from(max) < low);
        let starts_in_time = |item: &Item| f64::from(self.along(item.bounds.min())) <= high;
        let end = self.items.partition_point(starts_in_time);
        first..end.max(first)
    }

    /// Returns the distance beyond its interval at which a swept box may hit a box because of rounding; see
    /// [`SweptAabb::time_of_impact`].
    fn tolerance(&self, swept: &SweptAabb) -> f64 {
        let farthest = |bounds: &Aabb| {
            f64::from(self.along(bounds.min()).abs().max(self.along(bounds.max()).abs()))
        };
        let lowest = self.items.first().into_iter().map(|item| farthest(&item.bounds));
        let highest = self.max_before.last().map(|max| f64::from(max.abs()));
        2e-11 * (lowest.chain(highest).fold(0.0, f64::max) + farthest(&swept.start()))
    }
}

/// Returns the sort key: the lower side, and for equal sides the id, so that the order does not depend on the
/// previous one.
#[inline(always)]
fn key(item: &Item, along_y: bool) -> (f32, u32) {
    let low = item.bounds.min();
    (if along_y { low.y } else { low.x }, item.id)
}

/// Returns `true` if the centers of boxes have a greater variance along y than along x.
fn is_spread_along_y(items: &[Item]) -> bool {
    // Twice the centers.
    let centers =
        || items.iter().map(|item| item.bounds.min().as_dvec2() + item.bounds.max().as_dvec2());
    let mean = centers().sum::<DVec2>() / items.len().max(1) as f64;
    let variance = centers().map(|center| (center - mean) * (center - mean)).sum::<DVec2>();
    variance.y > variance.x
}

impl BroadPhase for SweepAndPrune {
    fn set(&mut self, id: u32, bounds: Aabb, mobility: Mobility) {
        let item = Item { id, bounds, mobility };
        match self.boxes.set(id, bounds, mobility) {
            Some((previous, _)) => {
                self.is_sorted &= previous == bounds;
                self.items[self.index_of.get(id) as usize] = item;
            }
            None => {
                self.is_sorted = false;
                self.index_of.set(id, self.items.len() as u32);
                self.items.push(item);
            }
        }
    }

    fn remove(&mut self, id: u32) -> bool {
        let found = self.boxes.remove(id).is_some();
        if found {
            self.index_of.swap_remove(&mut self.items, id, |item| item.id);
            self.is_sorted = false;
        }
        found
    }

    fn get(&self, id: u32) -> Option<(Aabb, Mobility)> {
        self.boxes.get(id)
    }

    fn len(&self) -> usize {
        self.boxes.len()
    }

    fn find_pairs_filtered(&mut self, limit: PairLimit<'_>, pairs: &mut Vec<Pair>) -> Option<u64> {
        self.sort();
        let mut sink = PairSink::new(limit, pairs);
        for (i, item) in self.items.iter().enumerate() {
            let high = self.along(item.bounds.max());
            let begins_in_time = |other: &&Item| self.along(other.bounds.min()) <= high;
            for other in self.items[i + 1..].iter().take_while(begins_in_time) {
                sink.test(item, other);
            }
            if sink.is_over_limit() {
                break;
            }
        }
        sink.finish()
    }

    fn visit_intersecting(
        &self,
        bounds: &Aabb,
        visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> u64 {
        let mut tests = 0;
        let (low, high) = (self.along(bounds.min()), self.along(bounds.max()));
        for item in &self.items[self.candidates(low.into(), high.into())] {
            tests += 1;
            if bounds.intersects_aabb(&item.bounds) && visit(item.id).is_break() {
                break;
            }
        }
        tests
    }

    fn visit_swept(&self, swept: &SweptAabb, visit: &mut dyn FnMut(u32, &Aabb, f32) -> f32) -> u64 {
        let (mut low, mut high) = swept.interval(swept.end(), self.along_y);
        let tolerance = if self.is_sorted { self.tolerance(swept) } else { f64::INFINITY };
        let candidates = self.candidates(low - tolerance, high + tolerance);
        let is_forward = swept.velocity()[usize::from(self.along_y)] >= 0.0;
        let mut visitor = SweptVisitor::new(swept, swept.end(), visit);
        // Tested in the direction of motion, so that early hits shorten the interval soon.
        for nth in 0..candidates.len() {
            let index = if is_forward { candidates.start + nth } else { candidates.end - 1 - nth };
            let item = &self.items[index];
            let is_beyond = match is_forward {
                true => f64::from(self.along(item.bounds.min())) > high + tolerance,
                false => self.is_sorted && f64::from(self.max_before[index]) < low - tolerance,
            };
            if is_beyond {
                break;
            }
            visitor.test(item.id, &item.bounds);
            (low, high) = swept.interval(visitor.end, self.along_y);
        }
        visitor.tests
    }

    fn visit_within(
        &self,
        from: &Aabb,
        max_distance: f32,
        visit: &mut dyn FnMut(u32, &Aabb, f32) -> f32,
    ) -> u64 {
        let (low, high) = (f64::from(self.along(from.min())), f64::from(self.along(from.max())));
        let mut visitor = WithinVisitor::new(from, max_distance, visit);
        // From the middle outwards: boxes that are near along the axis tend to be near.
        let middle = self.candidates(high, high).end;
        for item in &self.items[middle..] {
            let gap = f64::from(self.along(item.bounds.min())) - high;
            if self.is_sorted && gap > visitor.max_distance.into() {
                break;
            }
            visitor.test(item.id, &item.bounds);
        }
        for (index, item) in self.items[..middle].iter().enumerate().rev() {
            if self.is_sorted
                && low - f64::from(self.max_before[index]) > visitor.max_distance.into()
            {
                break;
            }
            visitor.test(item.id, &item.bounds);
        }
        visitor.tests
    }
}
