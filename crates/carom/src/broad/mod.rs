//! Broad phases: of many boxes, which ones meet?
//!
//! Asking every two shapes of a game about each other takes too long once there are a few hundred.
//! A broad phase keeps a box around each and finds the few pairs worth a closer look, and what is
//! near a point, a box, a ray or a moving shape, without looking at the rest.
//!
//! | method | how it finds pairs | good for |
//! | --- | --- | --- |
//! | [`Strips`] | sweeps the plane strip by strip, eight boxes at a time | everything: the default, which needs no tuning |
//! | [`BruteForce`] | tests every two | a few dozen boxes; checking the others |
//! | [`SweepAndPrune`] | sorts boxes along an axis, tests those that overlap there | levels much longer than high |
//! | [`Grid`] | equal cells, tests what shares one | boxes all of about one size |
//! | [`QuadTree`] | cells that are split where many boxes are | boxes of many sizes, unevenly spread |
//! | [`AabbTree`] | boxes within boxes, kept in balance | little movement, any sizes, many look-ups |
//!
//! All of them are [`BroadPhase`]s: the same calls, the same pairs, so changing the method is
//! changing the line that makes it. The look-ups that all of them share are in [`BroadPhaseExt`].
//!
//! ```
//! use carom::broad::{BroadPhase, BroadPhaseExt, Mobility, Strips};
//! use carom::prelude::*;
//!
//! let mut broad = Strips::new(); // or `QuadTree::new()`, or any other
//! broad.set(0, Aabb::new([0.0, 0.0], [2.0, 2.0]), Mobility::Moving);
//! broad.set(1, Aabb::new([1.0, 1.0], [3.0, 3.0]), Mobility::Moving);
//! broad.set(2, Aabb::new([9.0, 9.0], [10.0, 10.0]), Mobility::Fixed);
//!
//! let mut pairs = Vec::new();
//! broad.find_pairs(&mut pairs);
//! assert_eq!(pairs, [[0, 1]]);
//! assert_eq!(broad.at_point([9.5, 9.5]), [2]);
//! ```
//!
//! Every search tells how many box tests it took, so methods can be compared on a game of your own:
//!
//! ```
//! use carom::broad::*;
//! use carom::prelude::*;
//!
//! let methods: [(&str, Box<dyn BroadPhase>); 6] = [
//!     ("strips", Box::new(Strips::new())),
//!     ("brute force", Box::new(BruteForce::new())),
//!     ("sweep and prune", Box::new(SweepAndPrune::new())),
//!     ("grid", Box::new(Grid::new())),
//!     ("quad tree", Box::new(QuadTree::new())),
//!     ("AABB tree", Box::new(AabbTree::new())),
//! ];
//! let mut pairs = Vec::new();
//! for (name, mut broad) in methods {
//!     for id in 0..1000 {
//!         let corner = Vec2::new((id * 7 % 1000) as f32, (id * id % 100) as f32);
//!         broad.set(id, Aabb::from_min_size(corner, [3.0, 3.0]), Mobility::Moving);
//!     }
//!     let tests = broad.find_pairs(&mut pairs);
//!     println!("{name}: {tests} tests for {} pairs", pairs.len());
//!     assert!(tests == 1000 * 999 / 2 || tests < 50_000); // brute force, or another
//! }
//! ```
//!
//! Boxes are closed: touch counts, as in [`intersects`](crate::shape::Shape::intersects). A box is
//! known by an id of your choosing, which is meant to be a place in a list of yours: a broad phase
//! takes memory for all ids up to the largest.

mod aabb_tree;
mod boxes;
mod brute_force;
mod ext;
mod grid;
mod packed_bvh;
mod quad_tree;
mod strips;
mod sweep_and_prune;
mod swept_aabb;
mod walk;

pub use aabb_tree::AabbTree;
pub use brute_force::BruteForce;
pub use ext::BroadPhaseExt;
pub use grid::Grid;
pub use quad_tree::QuadTree;
pub use strips::Strips;
pub use sweep_and_prune::SweepAndPrune;
pub use swept_aabb::SweptAabb;

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::shape::Aabb;

/// Two ids whose boxes meet, the lesser first.
pub type Pair = [u32; 2];

/// The largest id a box can have.
pub const MAX_ID: u32 = u32::MAX >> 1;

/// Whether a box is expected to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mobility {
    /// It may move at any time. It pairs with every box.
    Moving,
    /// It hardly ever moves, like walls and tiles. Two such boxes are no pair, and while nothing is
    /// set or removed among them, they cost next to nothing. Setting one is allowed, and may cost as
    /// much as making the whole set anew.
    #[cfg_attr(feature = "serde", serde(rename = "Static"))] // the name in saved worlds
    Fixed,
}

/// Keeps boxes by their ids, and finds pairs and neighbours among them.
///
/// Pairs and what a look-up visits come in an order that depends only on the calls made before, the
/// same on every machine and with any number of threads.
///
/// The three `visit` methods are what a method has to be able to do; [`BroadPhaseExt`] builds the questions
/// that games ask on them. They visit every box concerned, once. Boxes that a path or a distance
/// misses by no more than rounding may be visited too.
///
/// Each search tells how many boxes it held against each other or against what was looked for (those
/// of inner nodes and cells included), so that methods can be compared.
pub trait BroadPhase {
    /// Puts a box under an id, in place of the last one if there is one.
    ///
    /// # Panics
    /// If the id is greater than [`MAX_ID`].
    fn set(&mut self, id: u32, bounds: Aabb, mobility: Mobility);

    /// Takes a box out. Whether there was one under this id.
    fn remove(&mut self, id: u32) -> bool;

    /// The box under an id, if there is one.
    fn get(&self, id: u32) -> Option<(Aabb, Mobility)>;

    /// How many boxes there are.
    fn len(&self) -> usize;

    /// Whether there is no box.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Finds all pairs of boxes that share a point and of which at least one is moving. They replace
    /// what was in the list. Gives the number of box tests made.
    fn find_pairs(&mut self, pairs: &mut Vec<Pair>) -> u64;

    /// As [`find_pairs`](Self::find_pairs), but gives up once there are more than a number of pairs:
    /// `None`, and the list is of no use. A method that can should stop soon after the limit;
    /// otherwise many boxes in one place take time and memory that grow with the square of their
    /// number.
    fn find_pairs_within(&mut self, limit: usize, pairs: &mut Vec<Pair>) -> Option<u64> {
        let tests = self.find_pairs(pairs);
        (pairs.len() <= limit).then_some(tests)
    }

    /// Visits the boxes that share a point with another, until told to break. Gives the number of
    /// box tests made.
    fn visit_intersecting(
        &self,
        bounds: &Aabb,
        visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> u64;

    /// As [`visit_intersecting`](Self::visit_intersecting), and adds the ids of all of them to a list, which is quicker
    /// where there are many.
    fn collect_intersecting(&self, bounds: &Aabb, ids: &mut Vec<u32>) -> u64 {
        self.visit_intersecting(bounds, &mut |id| {
            ids.push(id);
            ControlFlow::Continue(())
        })
    }

    /// Visits the boxes on a path, with the time from which on they may be met (never later than
    /// they are). The visitor tells up to when the path still matters: later ones are left out, so
    /// a search for the first hit returns the time of the best so far, a search for all of them the
    /// path's [`end`](SweptAabb::end). Gives the number of box tests made.
    fn visit_swept(&self, path: &SweptAabb, visit: &mut dyn FnMut(u32, f32) -> f32) -> u64;

    /// Visits the boxes within a distance of another, with their distance or something less. The
    /// visitor tells up to which distance they still matter: ones further off are left out. Gives the
    /// number of box tests made.
    fn visit_within(&self, from: &Aabb, within: f32, visit: &mut dyn FnMut(u32, f32) -> f32)
    -> u64;

    /// Visits the cells that the plane is divided into, for pictures. A method without cells has
    /// none.
    fn visit_cells(&self, _visit: &mut dyn FnMut(&Aabb)) {}

    /// As [`visit_swept`](Self::visit_swept), and shows the boxes. For methods that have them at hand it
    /// is quicker than [`get`](Self::get).
    fn visit_swept_with_boxes(
        &self,
        path: &SweptAabb,
        visit: &mut dyn FnMut(u32, &Aabb, f32) -> f32,
    ) -> u64 {
        self.visit_swept(path, &mut |id, time| match self.get(id) {
            Some((bounds, _)) => visit(id, &bounds, time),
            None => path.end(), // never: what is visited is there
        })
    }

    /// As [`visit_within`](Self::visit_within), and shows the boxes. For methods that have them at hand it
    /// is quicker than [`get`](Self::get).
    fn visit_within_with_boxes(
        &self,
        from: &Aabb,
        within: f32,
        visit: &mut dyn FnMut(u32, &Aabb, f32) -> f32,
    ) -> u64 {
        self.visit_within(from, within, &mut |id, distance| match self.get(id) {
            Some((bounds, _)) => visit(id, &bounds, distance),
            None => within, // never: what is visited is there
        })
    }
}

/// Whether two boxes share a point.
#[inline(always)]
pub(crate) fn meet(a: &Aabb, b: &Aabb) -> bool {
    a.min().cmple(b.max()).all() && b.min().cmple(a.max()).all()
}

/// Whether two boxes of these mobilities can be a pair.
#[inline(always)]
pub(crate) fn can_pair(a: Mobility, b: Mobility) -> bool {
    a == Mobility::Moving || b == Mobility::Moving
}

/// Two ids as a pair.
#[inline(always)]
pub(crate) fn pair(a: u32, b: u32) -> Pair {
    [a.min(b), a.max(b)]
}
