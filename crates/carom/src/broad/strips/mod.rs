//! The default broad phase: sweep and prune, strip by strip, eight boxes at a time.

mod bands;
mod box_store;
mod cell_sort;
mod choose_grid;
mod fixed_index;
mod pair_finder;
mod query_tree;
#[cfg(test)]
mod tests;

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::broad::packed_bvh::PackedBvh;
use crate::broad::{BroadPhase, Mobility, Pair, PairLimit, SweptAabb};
use crate::shape::Aabb;
use bands::Bands;
use box_store::BoxStore;
use fixed_index::FixedIndex;
use pair_finder::PairSearch;
use query_tree::QueryTree;

/// Sweep and prune, strip by strip: the default, and the one to choose if there is no reason for another. It
/// is fast for few boxes and for a million, for uniform and for clustered scenes, for boxes of one size and of
/// all sizes, and there is nothing to tune.
///
/// ```
/// use carom::broad::{BroadPhase, BroadPhaseExt, Mobility, Strips};
/// use carom::prelude::*;
///
/// let mut broad = Strips::new();
/// broad.set(0, Aabb::new([0.0, -1.0], [100.0, 0.0]), Mobility::Fixed); // the ground
/// for (id, x) in (1..).zip([5.0, 5.5, 20.0]) {
///     broad.set(id, Aabb::from_center_half_size([x, 0.5], [0.5, 0.5]), Mobility::Moving);
/// }
/// let mut pairs = Vec::new();
/// broad.find_pairs(&mut pairs);
/// pairs.sort();
/// assert_eq!(pairs, [[0, 1], [0, 2], [0, 3], [1, 2]]);
/// assert_eq!(broad.nearest([19.0, 3.0], 1)[0].0, 3);
/// ```
///
/// # How it works
///
/// Each search finds all pairs again, so moving a box costs no more than writing it. The plane is divided
/// into horizontal strips. A search has three steps:
///
/// 1. Choose the height of the strips from a small sample of the boxes: a few typical boxes high.
/// 2. Sort the boxes by strip, and within a strip by their left sides, with a counting sort. A box that spans
///    several strips is in each of them.
/// 3. Sweep each strip: each box is tested against the following ones, eight at a time, until these begin too
///    far to the right. Two boxes that share several strips are a pair only in the first of them, where at
///    least one of the two begins; so no pair is found twice.
///
/// In clustered scenes, the sort uses finer cells where the boxes are. If the boxes of a strip turn out to be
/// much smaller than typical, the strip is divided again, by a separate sample; if they crowd in x, they are
/// sorted exactly. All of this affects the speed only: the pairs are the same with any strips. Outliers,
/// giants, boxes without a size and coordinates up to the greatest `f32` are no problem. Up to 128 boxes are each
/// tested against all others instead. Very many boxes are first distributed to bands of the plane, which are
/// searched one after the other: what is accessed at random stays in the caches.
///
/// Fixed boxes are sorted once, by size, strip and x, and moving boxes look up those that they intersect.
/// Since fixed boxes are also stored in the strips a little below them, moving boxes up to twice as high need
/// to look into one strip only. While no fixed box is set or removed, they cost nothing by themselves.
///
/// Queries use a bounding volume hierarchy that is built by the first one, kept up to date while there are
/// more, and dropped when there have been none for a while.
///
/// # Order
///
/// The order of the pairs is determined by the boxes and their ids. It is not sorted, but it does not depend
/// on previous calls, on the CPU or on the number of threads.
///
/// # Many boxes at one position
///
/// If `k` boxes have a point in common, there are `k * (k - 1) / 2` pairs: ten thousand boxes at one position
/// are 50 million pairs, or 400 MB; a million of them are more than fit in any memory.
/// [`find_pairs_within`](BroadPhase::find_pairs_within) stops in time; keep such boxes apart, or make them
/// fixed.
#[doc(alias = "sweep and prune")]
#[doc(alias = "default broad phase")]
#[derive(Debug)]
pub struct Strips {
    store: BoxStore,
    /// `None` if a fixed box was set or removed since it was built.
    fixed_index: Option<Arc<FixedIndex>>,
    moving_tree: QueryTree<Box<PackedBvh>>,
    fixed_tree: QueryTree<Arc<PackedBvh>>,
    bands: Bands,
}

impl Strips {
    /// Creates an empty broad phase.
    pub fn new() -> Self {
        Self {
            store: BoxStore::default(),
            fixed_index: None,
            moving_tree: QueryTree::new(Mobility::Moving),
            fixed_tree: QueryTree::new(Mobility::Fixed),
            bands: Bands::default(),
        }
    }

    /// Sets a box that is new or changes its mobility, or a fixed box.
    #[cold]
    fn set_slow(&mut self, id: u32, bounds: Aabb, mobility: Mobility) {
        let previous = self.store.set(id, &bounds, mobility);
        self.on_removed(id, previous.filter(|&previous| previous != mobility));
        match mobility {
            Mobility::Moving => self.moving_tree.set(id, &self.store),
            Mobility::Fixed => {
                self.fixed_index = None;
                self.fixed_tree.set(id, &self.store);
            }
        }
    }

    /// Updates the derived structures after a box was removed from those of a mobility.
    fn on_removed(&mut self, id: u32, mobility: Option<Mobility>) {
        match mobility {
            Some(Mobility::Moving) => self.moving_tree.remove(id),
            Some(Mobility::Fixed) => {
                self.fixed_index = None;
                self.fixed_tree.remove(id);
            }
            None => {}
        }
    }

    /// Returns the trees for queries that contain boxes.
    #[inline]
    fn trees(&self) -> impl Iterator<Item = &PackedBvh> {
        let trees = [self.moving_tree.get(&self.store), self.fixed_tree.get(&self.store)];
        trees.into_iter().filter(|tree| !tree.is_empty())
    }
}

impl Default for Strips {
    fn default() -> Self {
        Self::new()
    }
}

/// Derived structures are shared until they change, or left out. `clone_from` reuses memory.
impl Clone for Strips {
    fn clone(&self) -> Self {
        Self {
            store: self.store.clone(),
            fixed_index: self.fixed_index.clone(),
            moving_tree: self.moving_tree.clone(),
            fixed_tree: self.fixed_tree.clone(),
            bands: Bands::default(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.store.clone_from(&other.store);
        self.fixed_index.clone_from(&other.fixed_index);
        self.moving_tree = other.moving_tree.clone();
        self.fixed_tree = other.fixed_tree.clone();
    }
}

impl BroadPhase for Strips {
    #[inline]
    fn set(&mut self, id: u32, bounds: Aabb, mobility: Mobility) {
        if mobility == Mobility::Moving && self.store.move_to(id, &bounds) {
            self.moving_tree.set(id, &self.store);
        } else {
            self.set_slow(id, bounds, mobility);
        }
    }

    fn remove(&mut self, id: u32) -> bool {
        let previous = self.store.remove(id);
        self.on_removed(id, previous);
        previous.is_some()
    }

    fn get(&self, id: u32) -> Option<(Aabb, Mobility)> {
        self.store.get(id)
    }

    fn len(&self) -> usize {
        self.store.len()
    }

    fn find_pairs_filtered(&mut self, limit: PairLimit<'_>, pairs: &mut Vec<Pair>) -> Option<u64> {
        self.moving_tree.maintain(&self.store);
        self.fixed_tree.maintain(&self.store);
        let store = &self.store;
        let fixed: &FixedIndex =
            self.fixed_index.get_or_insert_with(|| Arc::new(FixedIndex::new(store.fixed())));
        let fixed = Some(fixed).filter(|fixed| !fixed.is_empty());
        let search = PairSearch { boxes: self.store.moving(), fixed };
        self.bands.find_pairs(search, limit, pairs)
    }

    fn visit_intersecting(
        &self,
        bounds: &Aabb,
        visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> u64 {
        let (mut flow, mut tests) = (ControlFlow::Continue(()), 0);
        for tree in self.trees() {
            tests += tree.visit_intersecting(bounds, |id| {
                flow = visit(id);
                flow
            });
            if flow.is_break() {
                break;
            }
        }
        tests
    }

    fn collect_intersecting(&self, bounds: &Aabb, ids: &mut Vec<u32>) -> u64 {
        let collect = |tree: &PackedBvh| {
            tree.visit_intersecting(bounds, |id| {
                if ids.is_empty() {
                    ids.reserve(32); // one allocation is enough for most queries
                }
                ids.push(id);
                ControlFlow::Continue(())
            })
        };
        self.trees().map(collect).sum()
    }

    fn visit_swept(&self, swept: &SweptAabb, visit: &mut dyn FnMut(u32, &Aabb, f32) -> f32) -> u64 {
        let (mut end, mut tests) = (swept.end(), 0);
        for tree in self.trees() {
            tests += tree.visit_swept(swept, end, |id, bounds, time| {
                end = visit(id, bounds, time);
                end
            });
        }
        tests
    }

    fn visit_within(
        &self,
        from: &Aabb,
        mut max_distance: f32,
        visit: &mut dyn FnMut(u32, &Aabb, f32) -> f32,
    ) -> u64 {
        let mut tests = 0;
        for tree in self.trees() {
            tests += tree.visit_within(from, max_distance, |id, bounds, distance| {
                max_distance = visit(id, bounds, distance);
                max_distance
            });
        }
        tests
    }
}
