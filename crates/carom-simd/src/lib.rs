//! The hot loops of carom's broad phase, eight boxes at a time.
//!
//! This crate is an implementation detail of carom and contains all of its unsafe code. A broad phase
//! uses the loops in this order:
//!
//! 1. [`find_cells`] computes the cell of each box in a [`StripGrid`]: horizontal strips, each divided into
//!    columns. (Very many boxes are first split into bands of the plane by [`distribute`].)
//! 2. [`gather`] collects the boxes of one strip into [`BoxColumns`], one array per coordinate (a structure
//!    of arrays, SoA), so that eight boxes are loaded by one instruction per coordinate.
//! 3. [`find_ends`] computes how far along the strip each box has to be tested, and [`sweep`] tests them
//!    (sweep and prune). For a few boxes, [`all_pairs`] tests every two instead.
//! 4. [`join`] finds the pairs of moving boxes with fixed ones, which were sorted once into a
//!    [`StripIndex`].
//!
//! Other functions do not search for pairs: [`traverse_intersecting`] and [`traverse_ordered`] search a bounding
//! volume hierarchy (BVH) in which each [`Node`] has eight children; [`bitmaps_overlap`] compares bitmaps, for
//! pixel masks; and [`prefetch`] makes the CPU load memory before it is needed.
//!
//! # Two versions of each loop
//!
//! Most loops exist in two versions: in safe code for every CPU ([`portable`]), and with AVX2 intrinsics (`avx2`),
//! which are chosen at run time if the CPU supports them. Both return the same results in the same order. A loop
//! has an AVX2 version only if that saves a noticeable part of the time of a frame. [`traverse_intersecting`] and
//! [`test_range`] have none.
//!
//! # Soundness
//!
//! Every loop checks its own arguments before its unsafe code relies on them, so the functions of `avx2`
//! have one condition only: the CPU must support AVX2 and POPCNT. Numbers in boxes may be anything,
//! including NaN.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

#[cfg(target_arch = "x86_64")]
mod avx2;
mod axis_cells;
mod bitmaps;
mod box_columns;
mod bvh;
mod lanes;
mod pair_blocks;
pub mod portable;
mod prefetch;
mod strip_index;
mod sweep_steps;
#[cfg(test)]
mod tests;

pub use axis_cells::{AxisCells, BoxCells, StripGrid};
pub use bitmaps::{BitOffset, BitRows, Overlay};
pub use box_columns::{BoxColumns, BoxEntry};
pub use bvh::{BvhView, Node, NodeTest, traverse_intersecting};
pub use lanes::Lanes;
pub use portable::test_range;
pub use prefetch::prefetch;
pub use strip_index::{StripIndex, sortable_bits};

use alloc::vec::Vec;
use core::ops::Range;

/// The ids of two boxes that intersect, the smaller id first.
pub type Pair = [u32; 2];

/// An axis-aligned bounding box: `[min_x, min_y, max_x, max_y]`.
pub type Bounds = [f32; 4];

/// The number of boxes that are tested at once.
pub const LANES: usize = 8;

/// The maximum number of boxes that [`all_pairs`] accepts.
pub const ALL_PAIRS_MAX: usize = 128;

/// The bit of an id (or of an index into a list of boxes) that marks a copy.
///
/// A box that spans several strips is stored in each of them. The entry in the first strip is the original,
/// the others are copies. Two copies in one strip are not reported as a pair: both boxes are also in the
/// strip before, where the pair has already been found.
pub const COPY_FLAG: u32 = 1 << 31;

/// Calls the AVX2 version of a function if the CPU supports it, or else the portable version.
macro_rules! dispatch {
    ($function:ident($($argument:expr),*)) => {{
        #[cfg(target_arch = "x86_64")]
        if has_avx2() {
            // SAFETY: `has_avx2` returned true, so the CPU supports AVX2 and POPCNT. The functions of `avx2`
            // have no other condition: they check their arguments themselves.
            #[allow(unsafe_code, reason = "calls a function that was compiled for AVX2")]
            return unsafe { avx2::$function($($argument),*) };
        }
        portable::$function($($argument),*)
    }};
}

/// Computes the cells of each box, overwriting `cells`.
///
/// # Panics
/// Panics if the grid has more than [`StripGrid::MAX_CELLS`] cells.
pub fn find_cells(grid: &StripGrid, boxes: &[BoxEntry], cells: &mut BoxCells) {
    dispatch!(find_cells(grid, boxes, cells))
}

/// Appends each box to the lists of all cells that it spans in y.
///
/// The ids of all entries but the first of each box get the [`COPY_FLAG`]. Within each group of [`LANES`]
/// boxes, all originals are appended before the copies.
///
/// # Panics
/// Panics if there are fewer lists than cells.
pub fn distribute(axis: &AxisCells, boxes: &[BoxEntry], lists: &mut [Vec<BoxEntry>]) {
    dispatch!(distribute(axis, boxes, lists))
}

/// Copies the boxes at `indices` to `columns`, overwriting it.
///
/// If an index has the [`COPY_FLAG`], so does the id in the columns.
///
/// # Panics
/// Panics if an index is out of bounds, or if there are more than [`BoxColumns::MAX_LEN`] indices.
pub fn gather(columns: &mut BoxColumns, boxes: &[BoxEntry], indices: &[u32]) {
    dispatch!(gather(columns, boxes, indices))
}

/// Computes, for each box of a strip, the end of the boxes that it has to be tested against, overwriting `ends`.
/// Returns the number of these tests.
///
/// The strip must be sorted by the cells of `axis` in which its boxes begin. Boxes in one cell are in no
/// particular order, so each box has to be tested up to the end of the cell that contains its own right side.
/// All later boxes begin in a later cell, and so at a greater x.
///
/// `cell_end` returns the end of a cell in a list of which the strip is the part from `start` on.
#[inline]
pub fn find_ends(
    strip: &BoxColumns,
    axis: &AxisCells,
    start: u32,
    cell_end: impl Fn(u32) -> u32,
    ends: &mut Vec<u32>,
) -> u64 {
    dispatch!(find_ends(strip, axis, start, cell_end, ends))
}

/// Appends the pairs of intersecting boxes in a strip, by sweep and prune.
///
/// The box at index `i` is tested against those at `i + 1..ends[i]`. It may also be tested against some
/// boxes after these, which it must not intersect.
///
/// Eight neighboring boxes are processed together: in step `n`, each is tested against the box `n` indices
/// after it. This keeps branches predictable. Boxes with far more tests than the other seven ("stragglers")
/// finish alone, each against eight boxes at a time. Pairs are reported in this order.
///
/// # Panics
/// Panics if there are not as many ends as boxes, or if an end is greater than the number of boxes.
#[doc(alias = "sweep and prune")]
pub fn sweep(strip: &BoxColumns, ends: &[u32], pairs: &mut Vec<Pair>) {
    dispatch!(sweep(strip, ends, pairs))
}

/// Appends the pairs of intersecting boxes by testing all pairs. For a few boxes, this is faster than sorting them
/// first.
///
/// The tests are made in blocks of eight boxes against eight: see [`portable::all_pairs`] for their order,
/// which is that of the pairs.
///
/// # Panics
/// Panics if there are more than [`ALL_PAIRS_MAX`] boxes.
pub fn all_pairs(boxes: &BoxColumns, pairs: &mut Vec<Pair>) {
    dispatch!(all_pairs(boxes, pairs))
}

/// Appends the pairs of the boxes in `range` with the intersecting boxes of an index. Copies in the range
/// are skipped. Returns the number of tests made, [`LANES`] for each step.
///
/// Boxes are processed in batches, strip by strip of the index. Within a strip, each box is first tested
/// against eight candidates; then the boxes with more candidates are tested against the rest. Pairs are reported
/// in this order.
///
/// # Panics
/// Panics if the range is out of bounds.
pub fn join(
    boxes: &BoxColumns,
    range: Range<usize>,
    index: &StripIndex,
    pairs: &mut Vec<Pair>,
) -> u64 {
    dispatch!(join(boxes, range, index, pairs))
}

/// Returns `true` if two bitmaps have a set bit in common where they are compared.
///
/// # Panics
/// Panics if either bitmap has fewer than [`Overlay::rows`] rows, if [`Overlay::words`] is not within a row
/// of the first, or if [`BitOffset::bit`] is greater than 63.
#[inline]
pub fn bitmaps_overlap(overlay: &Overlay<'_>) -> bool {
    dispatch!(bitmaps_overlap(overlay))
}

/// Visits the boxes of a BVH that pass a test, descending into the child with the smallest key first (a
/// best-first search within each node). Returns the number of nodes tested.
///
/// `visit` receives the index of a box (eight times the index of its leaf, plus its lane), the box, its key
/// and the current bound, which is `bound` at first. It returns the new bound, from which the test derives
/// the greatest key of interest ([`NodeTest::key_limit`]).
///
/// # Panics
/// Panics if the levels of the tree do not match its nodes.
#[inline]
pub fn traverse_ordered(
    tree: BvhView<'_>,
    test: &impl NodeTest,
    bound: f32,
    visit: impl FnMut(usize, &Bounds, f32, f32) -> f32,
) -> u64 {
    dispatch!(traverse_ordered(tree, test, bound, visit))
}

/// Returns `true` if the CPU supports the instructions that `avx2` is compiled for.
#[cfg(target_arch = "x86_64")]
#[inline]
fn has_avx2() -> bool {
    #[cfg(feature = "std")]
    return std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("popcnt");
    #[cfg(not(feature = "std"))]
    return cfg!(all(target_feature = "avx2", target_feature = "popcnt"));
}
