//! Broad phases find the boxes that intersect, among many.
//!
//! Testing every two shapes of a game against each other takes too long once there are a few hundred. A broad
//! phase stores a box around each shape, and finds the few pairs that are worth an exact test; or the boxes
//! near a point, a box, a ray or a moving shape, without testing the others.
//!
//! | method | how it finds pairs | good for |
//! | --- | --- | --- |
//! | [`Strips`] | sweep and prune, strip by strip, eight boxes at a time | everything: the default, which needs no tuning |
//! | [`BruteForce`] | tests every two boxes | a few dozen boxes; testing the other methods |
//! | [`SweepAndPrune`] | sorts the boxes along one axis, tests those that overlap there | levels that are much longer than high |
//! | [`Grid`] | uniform grid (spatial hash): tests the boxes that share a cell | boxes that are all of about one size |
//! | [`QuadTree`] | splits cells into four where there are many boxes | boxes of many sizes, unevenly distributed |
//! | [`AabbTree`] | dynamic bounding volume hierarchy: boxes within boxes | little movement, any sizes, many queries |
//!
//! All of them implement [`BroadPhase`], with the same pairs, so changing the method means changing the line
//! that creates it. [`BroadPhaseExt`] adds the queries that games use.
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
//! Every search returns the number of box tests it made, so the methods can be compared in your own game:
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
//!     ("quadtree", Box::new(QuadTree::new())),
//!     ("AABB tree", Box::new(AabbTree::new())),
//! ];
//! let mut pairs = Vec::new();
//! for (name, mut broad) in methods {
//!     for id in 0..1000 {
//!         let min = Vec2::new((id * 7 % 1000) as f32, (id * id % 100) as f32);
//!         broad.set(id, Aabb::from_min_size(min, [3.0, 3.0]), Mobility::Moving);
//!     }
//!     let tests = broad.find_pairs(&mut pairs);
//!     println!("{name}: {tests} tests for {} pairs", pairs.len());
//!     assert!(tests == 1000 * 999 / 2 || tests < 50_000); // brute force, or another
//! }
//! ```
//!
//! Boxes are closed: touching counts, as in [`intersects`](crate::shape::Shape::intersects). Each box has an
//! id of your choosing, which is meant to be an index into a list of yours: a broad phase uses memory for all
//! ids up to the largest.
//!
//! # Layout of this module
//!
//! There is one file or folder per method. `shared` contains what several methods have in common,
//! `packed_bvh` the tree that [`Strips`] uses for queries, and the crate `carom-simd` its innermost loops.

mod aabb_tree;
mod brute_force;
mod ext;
mod grid;
mod packed_bvh;
mod pair_limit;
mod quad_tree;
mod shared;
mod strips;
mod sweep_and_prune;
mod swept_aabb;

pub use aabb_tree::AabbTree;
pub use brute_force::BruteForce;
pub use ext::BroadPhaseExt;
pub(crate) use ext::last_of_interest;
pub use grid::Grid;
pub use pair_limit::{PairCounter, PairFilter, PairLimit};
pub use quad_tree::QuadTree;
pub use strips::Strips;
pub use sweep_and_prune::SweepAndPrune;
pub use swept_aabb::SweptAabb;

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::shape::Aabb;

/// The ids of two boxes that intersect, the smaller id first.
pub type Pair = [u32; 2];

/// The largest id that a box can have.
pub const MAX_ID: u32 = u32::MAX >> 1;

/// The mobility of a box: fixed, or expected to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mobility {
    /// The box may move at any time. It forms pairs with all boxes.
    #[doc(alias = "dynamic")]
    #[doc(alias = "kinematic")]
    Moving,
    /// The box hardly ever moves, like walls and tiles. Two such boxes are never a pair, and while none of them
    /// is set or removed, they cost almost nothing. Setting one is allowed, but may cost as much as inserting
    /// all of them again.
    #[doc(alias = "static")]
    #[cfg_attr(feature = "serde", serde(rename = "Static"))] // the name in saved worlds
    Fixed,
}

/// Stores boxes by id, and finds pairs and neighbors among them.
///
/// The order of pairs and of visited boxes depends only on the previous calls. It is the same on every machine
/// and with any number of threads.
///
/// A broad phase provides three `visit` methods, and [`BroadPhaseExt`] builds the queries for games on them.
/// They visit every box in question once. They may also visit boxes that are missed by no more than a rounding
/// error.
///
/// Each search returns the number of boxes that were tested (including those of inner nodes and cells), so
/// that methods can be compared.
#[doc(alias = "broadphase")]
#[doc(alias = "spatial index")]
#[doc(alias = "spatial partitioning")]
pub trait BroadPhase {
    /// Inserts or replaces the box with an id.
    ///
    /// # Panics
    /// Panics if the id is greater than [`MAX_ID`].
    fn set(&mut self, id: u32, bounds: Aabb, mobility: Mobility);

    /// Removes the box with an id. Returns whether there was one.
    fn remove(&mut self, id: u32) -> bool;

    /// Returns the box with an id, if there is one.
    fn get(&self, id: u32) -> Option<(Aabb, Mobility)>;

    /// Returns the number of boxes.
    fn len(&self) -> usize;

    /// Returns `true` if there are no boxes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Finds all pairs of boxes that intersect and of which at least one is moving, overwriting `pairs`. Returns
    /// the number of box tests made.
    fn find_pairs(&mut self, pairs: &mut Vec<Pair>) -> u64 {
        self.find_pairs_within(usize::MAX, pairs).unwrap_or_default()
    }

    /// Does the same as [`find_pairs`](Self::find_pairs), but returns `None` if there are more than `limit`
    /// pairs. The content of the list is unspecified then.
    fn find_pairs_within(&mut self, limit: usize, pairs: &mut Vec<Pair>) -> Option<u64> {
        self.find_pairs_filtered(PairLimit::new(limit), pairs)
    }

    /// Does the same as [`find_pairs`](Self::find_pairs), but leaves out the pairs that the filter of `limit`
    /// rejects, and returns `None` if there are more than the limit allows. The content of the list is
    /// unspecified then.
    ///
    /// An implementation calls [`PairCounter::is_over_limit`] from time to time, and [`PairCounter::finish`] at
    /// the end. Otherwise, many boxes at one position take time and memory that grow with the square of their
    /// number.
    fn find_pairs_filtered(&mut self, limit: PairLimit<'_>, pairs: &mut Vec<Pair>) -> Option<u64>;

    /// Visits the boxes that intersect a box, until `visit` returns `Break`. Returns the number of box tests
    /// made.
    fn visit_intersecting(
        &self,
        bounds: &Aabb,
        visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> u64;

    /// Appends the ids of the boxes that intersect a box, which is faster than
    /// [`visit_intersecting`](Self::visit_intersecting) if there are many. Returns the number of box tests made.
    fn collect_intersecting(&self, bounds: &Aabb, ids: &mut Vec<u32>) -> u64 {
        self.visit_intersecting(bounds, &mut |id| {
            ids.push(id);
            ControlFlow::Continue(())
        })
    }

    /// Visits the boxes that a swept box hits: `visit` receives the id, the box and a lower bound of the time of
    /// impact. It returns the time up to which hits are still of interest; later ones are skipped. So a search
    /// for the first hit returns the earliest time so far, and a search for all hits returns
    /// [`SweptAabb::end`]. Returns the number of box tests made.
    fn visit_swept(&self, swept: &SweptAabb, visit: &mut dyn FnMut(u32, &Aabb, f32) -> f32) -> u64;

    /// Visits the boxes within a distance of a box: `visit` receives the id, the box and a lower bound of its
    /// distance. It returns the distance up to which boxes are still of interest; boxes farther away are
    /// skipped. Returns the number of box tests made.
    fn visit_within(
        &self,
        from: &Aabb,
        max_distance: f32,
        visit: &mut dyn FnMut(u32, &Aabb, f32) -> f32,
    ) -> u64;

    /// Visits the cells into which the plane is divided, for drawings. A method without cells visits none.
    fn visit_cells(&self, _visit: &mut dyn FnMut(&Aabb)) {}
}
