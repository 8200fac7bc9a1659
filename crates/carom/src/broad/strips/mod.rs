//! Sweeping strip by strip.

mod bands;
mod blocks;
mod finder;
mod look_ups;
mod partition;
mod plan;
mod statics;
mod store;
#[cfg(test)]
mod tests;

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use carom_simd::Bounds;
use glam::Vec2;

use crate::broad::packed_bvh::PackedBvh;
use crate::broad::{BroadPhase, Mobility, Pair, SweptAabb};
use crate::shape::Aabb;
use bands::Bands;
use finder::Scene;
use look_ups::LookUps;
use statics::Statics;
use store::Store;

/// Sweeps the plane strip by strip: the method to take if there is no reason for another. It is fast
/// for few boxes and for a million, for uniform and for clustered ones, for boxes of one size and of
/// all sizes, and there is nothing to set.
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
/// All pairs are found anew each time, so a box that moves costs no more than a write. Strips as high
/// as a few typical boxes divide the plane. Counting sorts the boxes by strips, and within a strip by
/// where they begin in x; a box that reaches several strips stands in each. Then every strip is swept:
/// each box is held against the next ones, eight at a time, until they begin too far to the right. Two
/// boxes that share several strips are a pair only in the first of them, where at least one of the
/// two begins; so nothing has to be looked for twice.
///
/// What is typical, a small sample tells. Where boxes come in clusters, they are counted more finely
/// than elsewhere. Where the boxes of a strip turn out to be far smaller than typical, it is cut into
/// lower strips, by a sample of its own; where they crowd in x, they are sorted exactly. The plan
/// decides about the speed only: under a bad one the pairs are the same. Outliers, giants, boxes without
/// a size and coordinates up to the greatest number do no harm. A hundred boxes or fewer are each held
/// against all others instead. Of very many boxes, each goes to a band of the plane first, and band after
/// band is searched: what is read in no order stays in the caches.
///
/// Static boxes are sorted once, by size, strip and x, and moving ones look up what they meet there: those
/// up to twice as high in one strip, since static ones also stand in the strips a little below them. While
/// no static box is set or removed, they cost nothing by themselves.
///
/// Look-ups use a tree that is made at the first one, kept up to date while there are more, and given
/// up when there are none for a while.
///
/// # Order
///
/// The order of the pairs follows from the boxes and their ids. It is not sorted, but it does not
/// depend on how the boxes came to be where they are, on the CPU or on the number of threads.
///
/// # Many boxes in one place
///
/// Where `k` boxes have a point in common there are `k * (k - 1) / 2` pairs, and the list has to hold
/// them: ten thousand boxes in one place make 50 million pairs, or 400 MB; a million of them make
/// more than fit in any memory. [`find_pairs_within`](BroadPhase::find_pairs_within) stops in time;
/// keep them apart, or make them static.
#[derive(Debug)]
pub struct Strips {
    store: Store,
    /// None if something was set or removed since they were sorted.
    statics: Option<Arc<Statics>>,
    moving_look_ups: LookUps<Box<PackedBvh>>,
    static_look_ups: LookUps<Arc<PackedBvh>>,
    bands: Bands,
}

impl Strips {
    /// With no boxes yet.
    pub fn new() -> Self {
        Self {
            store: Store::default(),
            statics: None,
            moving_look_ups: LookUps::new(Mobility::Moving),
            static_look_ups: LookUps::new(Mobility::Fixed),
            bands: Bands::default(),
        }
    }

    /// Sets a box in all other ways than a moving one is moved.
    #[cold]
    fn set_slowly(&mut self, id: u32, bounds: Aabb, mobility: Mobility) {
        let last = self.store.set(id, &bounds, mobility);
        self.left(id, last.filter(|&last| last != mobility));
        if mobility == Mobility::Fixed {
            self.statics = None;
        }
        match mobility {
            Mobility::Moving => self.moving_look_ups.set(id, &self.store),
            Mobility::Fixed => self.static_look_ups.set(id, &self.store),
        }
    }

    /// Finds pairs, until there are more than the limit.
    fn find_up_to(&mut self, limit: usize, pairs: &mut Vec<Pair>) -> u64 {
        self.moving_look_ups.settle(&self.store);
        self.static_look_ups.settle(&self.store);
        let store = &self.store;
        let statics =
            &**self.statics.get_or_insert_with(|| Arc::new(Statics::new(store.statics())));
        let statics = Some(statics).filter(|all| !all.is_empty());
        self.bands.find_pairs(Scene { boxes: self.store.moving(), statics, limit }, pairs)
    }

    /// The trees for look-ups that have boxes.
    #[inline]
    fn trees(&self) -> impl Iterator<Item = &PackedBvh> {
        let moving = self.moving_look_ups.tree(&self.store);
        let trees = [moving, self.static_look_ups.tree(&self.store)];
        trees.into_iter().filter(|tree| !tree.is_empty())
    }

    /// A box is no longer one of a kind.
    fn left(&mut self, id: u32, kind: Option<Mobility>) {
        match kind {
            Some(Mobility::Moving) => self.moving_look_ups.remove(id),
            Some(Mobility::Fixed) => {
                self.static_look_ups.remove(id);
                self.statics = None;
            }
            None => {}
        }
    }
}

impl Default for Strips {
    fn default() -> Self {
        Self::new()
    }
}

/// What was only made to find things faster is shared until it changes, or left out. `clone_from` keeps
/// the memory there is.
impl Clone for Strips {
    fn clone(&self) -> Self {
        Self {
            store: self.store.clone(),
            statics: self.statics.clone(),
            moving_look_ups: self.moving_look_ups.clone(),
            static_look_ups: self.static_look_ups.clone(),
            bands: Bands::default(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.store.clone_from(&other.store);
        self.statics.clone_from(&other.statics);
        self.moving_look_ups = other.moving_look_ups.clone();
        self.static_look_ups = other.static_look_ups.clone();
    }
}

impl BroadPhase for Strips {
    #[inline]
    fn set(&mut self, id: u32, bounds: Aabb, mobility: Mobility) {
        if mobility == Mobility::Moving && self.store.move_to(id, &bounds) {
            self.moving_look_ups.set(id, &self.store);
        } else {
            self.set_slowly(id, bounds, mobility);
        }
    }

    fn remove(&mut self, id: u32) -> bool {
        let last = self.store.remove(id);
        self.left(id, last);
        last.is_some()
    }

    fn get(&self, id: u32) -> Option<(Aabb, Mobility)> {
        self.store.get(id)
    }

    fn len(&self) -> usize {
        self.store.len()
    }

    fn find_pairs(&mut self, pairs: &mut Vec<Pair>) -> u64 {
        self.find_up_to(usize::MAX, pairs)
    }

    fn find_pairs_within(&mut self, limit: usize, pairs: &mut Vec<Pair>) -> Option<u64> {
        let tests = self.find_up_to(limit, pairs);
        (pairs.len() <= limit).then_some(tests)
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
        let list = |tree: &PackedBvh| {
            tree.visit_intersecting(bounds, |id| {
                if ids.is_empty() {
                    ids.reserve(32); // in one go what is found around most things
                }
                ids.push(id);
                ControlFlow::Continue(())
            })
        };
        self.trees().map(list).sum()
    }

    fn visit_swept(&self, path: &SweptAabb, visit: &mut dyn FnMut(u32, f32) -> f32) -> u64 {
        self.visit_swept_with_boxes(path, &mut |id, _, time| visit(id, time))
    }

    fn visit_within(
        &self,
        from: &Aabb,
        within: f32,
        visit: &mut dyn FnMut(u32, f32) -> f32,
    ) -> u64 {
        self.visit_within_with_boxes(from, within, &mut |id, _, distance| visit(id, distance))
    }

    fn visit_swept_with_boxes(
        &self,
        path: &SweptAabb,
        visit: &mut dyn FnMut(u32, &Aabb, f32) -> f32,
    ) -> u64 {
        let (mut end, mut tests) = (path.end(), 0);
        for tree in self.trees() {
            tests += tree.visit_swept(path, end, |id, bounds, time| {
                end = visit(id, bounds, time);
                end
            });
        }
        tests
    }

    fn visit_within_with_boxes(
        &self,
        from: &Aabb,
        mut within: f32,
        visit: &mut dyn FnMut(u32, &Aabb, f32) -> f32,
    ) -> u64 {
        let mut tests = 0;
        for tree in self.trees() {
            let start = within;
            tests += tree.visit_within(from, start, |id, bounds, distance| {
                within = visit(id, bounds, distance);
                within
            });
        }
        tests
    }
}

/// The sides of a box.
#[inline]
fn sides(bounds: &Aabb) -> Bounds {
    let (min, max) = (bounds.min(), bounds.max());
    [min.x, min.y, max.x, max.y]
}

/// The box as the library knows it.
#[inline]
fn aabb(&[min_x, min_y, max_x, max_y]: &Bounds) -> Aabb {
    Aabb::new_unchecked(Vec2::new(min_x, min_y), Vec2::new(max_x, max_y))
}
