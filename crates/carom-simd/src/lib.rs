//! The loops in which carom's broad phase spends its time, eight boxes at a time.
//!
//! [`distribute`] gives boxes to lists by their y. [`find_cells`] places them in a [`StripGrid`], [`exclusive_prefix_sum`] tells from
//! how many are in each cell where those of a cell start, and [`gather`] collects some of them in a [`BoxColumns`],
//! where they are held by columns. [`find_ends`] tells how far each has to look in it, [`sweep`] finds the
//! pairs within a row whose boxes meet, and [`all_pairs`] those of a short one in any order. [`test_range`] finds
//! the boxes of a row that meet one from elsewhere, [`join`] those of a row that meet others, which are
//! [`StripIndex`].
//! [`traverse_intersecting`] and [`traverse_ordered`] look something up in a [`BvhView`] whose [`Node`]s hold eight boxes each.
//! [`bitmaps_overlap`] compares bitmaps, for masks. [`prefetch`] asks for memory before it is needed.
//!
//! Each loop but [`traverse_intersecting`] is there twice: in safe code for every machine ([`portable`]), and with AVX2,
//! which is chosen at run time where the CPU has it. Both give the same results in the same order.
#![no_std]
extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

#[cfg(target_arch = "x86_64")]
mod avx2;
mod entry;
mod few;
mod lanes;
mod node;
pub mod portable;
mod prefetch;
mod row;
mod ruler;
mod sorted;
mod steps;
#[cfg(test)]
mod tests;
mod walk;

pub use entry::BoxEntry;
pub use lanes::Lanes;
pub use node::Node;
pub use prefetch::prefetch;
pub use row::BoxColumns;
pub use ruler::{AxisCells, BoxCells, StripGrid};
pub use sorted::{StripIndex, ascending};
pub use walk::{BvhView, NodeTest, traverse_intersecting};

use alloc::vec::Vec;
use core::ops::Range;

/// Two ids, the lesser first.
pub type Pair = [u32; 2];

/// A box: least x, least y, greatest x, greatest y.
pub type Bounds = [f32; 4];

/// How many boxes are tested at once.
pub const LANES: usize = 8;

/// The most boxes that [`all_pairs`] takes.
pub const ALL_PAIRS_MAX: usize = 128;

/// Marks the id of a box that a row shares with an earlier one. Two such boxes are no pair of this
/// row: they have met in the earlier one.
pub const COPY_FLAG: u32 = 1 << 31;

/// Calls a function as compiled for AVX2 if the CPU has it, else the portable one.
macro_rules! fastest {
    ($function:ident($($argument:expr),*)) => {{
        #[cfg(target_arch = "x86_64")]
        if has_avx2() {
            // SAFETY: the CPU has AVX2 and POPCNT, as `has_avx2` has just found out. The function has no
            // other condition: it checks its arguments itself.
            #[allow(unsafe_code, reason = "calls what was compiled for AVX2")]
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
    cells.others.clear();
    fastest!(find_cells(grid, boxes, cells))
}

/// Appends boxes to the lists of all cells of a ruler that they reach in y, their ids marked
/// [`COPY_FLAG`] in all but the first. Eight boxes at a time go to their first lists, then to the others.
///
/// # Panics
/// If there are less lists than cells.
pub fn distribute(ruler: &AxisCells, boxes: &[BoxEntry], lists: &mut [Vec<BoxEntry>]) {
    fastest!(distribute(ruler, boxes, lists))
}

/// Makes a row of the boxes at some places of a list, with their ids. A place may be marked
/// [`COPY_FLAG`], and so will the id.
///
/// # Panics
/// If the list is shorter than a place.
pub fn gather(row: &mut BoxColumns, boxes: &[BoxEntry], places: &[u32]) {
    row.resize(places.len());
    fastest!(gather(row, boxes, places))
}

/// Replaces each number by the sum of those before it. Gives the sum of all, which must not be too large for
/// one.
pub fn exclusive_prefix_sum(numbers: &mut [u32]) -> u32 {
    fastest!(exclusive_prefix_sum(numbers))
}

/// Finds where those boxes of a row end that each has to be held against, in a row that is sorted by
/// the cells of a ruler in which the boxes begin. Those in one cell are in no order, so it is where the
/// cell ends in which the box ends itself: what comes later begins in a greater cell, so at a greater
/// x. They replace the last ends. `end` tells where a cell ends in a list of which the row is the part from
/// `start` on. Gives the number of tests that there will be.
#[inline]
pub fn find_ends(
    row: &BoxColumns,
    ruler: &AxisCells,
    start: u32,
    end: impl Fn(u32) -> u32,
    ends: &mut Vec<u32>,
) -> u64 {
    fastest!(find_ends(row, ruler, start, end, ends))
}

/// Appends the pairs of a row whose boxes share a point: the box at place `i` is held against those
/// at `i + 1` up to and without `ends[i]`, and maybe against some behind them, which it must not meet.
///
/// Eight boxes take steps together: each is held against the next one in the row, then each against the
/// one after that, and so on. A CPU foresees that better than where every box ends. Then those that have
/// far more before them than others go on alone, one after the other. Pairs come in that order.
///
/// # Panics
/// If there are not as many ends as boxes, or one lies behind the row.
pub fn sweep(row: &BoxColumns, ends: &[u32], pairs: &mut Vec<Pair>) {
    fastest!(sweep(row, ends, pairs))
}

/// Appends the pairs of a row whose boxes share a point: each box is held against all after it, which for
/// few boxes is faster than to sort them first. Eight boxes take eight steps together, each held against one
/// box further on in every step: first the first eight, against those up to eight places after each; then
/// against the next eight places, and the second eight against those up to eight places after each; and so
/// on. Pairs come in that order.
///
/// # Panics
/// If there are more than [`ALL_PAIRS_MAX`] boxes.
pub fn all_pairs(row: &BoxColumns, pairs: &mut Vec<Pair>) {
    fastest!(all_pairs(row, pairs))
}

/// Appends the pairs of one box, under an id, with those at some places of a row that share a point
/// with it, in the order of the places. Boxes marked [`COPY_FLAG`] count only if `continuing` is set.
///
/// # Panics
/// If the row is shorter than the places.
pub fn test_range(
    row: &BoxColumns,
    places: Range<usize>,
    (bounds, id): (&Bounds, u32),
    continuing: bool,
    pairs: &mut Vec<Pair>,
) {
    fastest!(test_range(row, places, (bounds, id), continuing, pairs))
}

/// Appends the pairs of the boxes at some places of a row with the sorted ones that share a point with them.
/// Those that the row shares with an earlier one are left out. Some boxes at a time are looked for in the
/// first strip that each reaches, then in the next ones. In a strip, each is held against the first eight
/// that it may meet there, then those for whom there are more go on. Pairs come in that order. Gives the
/// number of tests, eight for each step.
///
/// # Panics
/// If the row is shorter than the places.
pub fn join(
    row: &BoxColumns,
    places: Range<usize>,
    sorted: &StripIndex,
    pairs: &mut Vec<Pair>,
) -> u64 {
    fastest!(join(row, places, sorted, pairs))
}

/// Rows of as many words each.
#[derive(Clone, Copy, Debug)]
pub struct BitRows<'a> {
    /// The words, from the first of the first row on.
    pub words: &'a [u64],
    /// How many words a row has.
    pub stride: usize,
}

/// How one bitmap lies on another: the first bit of word `w` of the first is on bit `bit` (from 0 to 63)
/// of word `w + across` of the second. BitRows that the second does not have are clear.
#[derive(Clone, Copy, Debug)]
pub struct BitOffset {
    /// How many words further.
    pub across: isize,
    /// And how many bits.
    pub bit: u32,
}

/// Two bitmaps, the second lying on the first, and where they are compared.
#[derive(Clone, Debug)]
pub struct Overlay<'a> {
    /// The first.
    pub first: BitRows<'a>,
    /// The one that lies on it, first row on first row.
    pub second: BitRows<'a>,
    /// How it lies there.
    pub shift: BitOffset,
    /// Which words of the first are compared,
    pub words: Range<usize>,
    /// in how many rows.
    pub rows: usize,
}

impl Overlay<'_> {
    /// Checks what the loops rely on. Returns whether the two bitmaps can have a word in common at all;
    /// if so, no sum of a word's number and the shift overflows.
    ///
    /// # Panics
    /// See [`bitmaps_overlap`].
    #[inline]
    pub(crate) fn check(&self) -> bool {
        let Self { first, second, shift, rows, words } = self;
        assert!(
            words.start <= words.end && words.end <= first.stride,
            "words {words:?} out of bounds for rows of {} words",
            first.stride
        );
        assert!(shift.bit < u64::BITS, "a shift of {} bits is more than a word", shift.bit);
        for BitRows { words, stride } in [first, second] {
            // A product that overflows is more words than any slice has.
            let has_rows = rows.checked_mul(*stride).is_some_and(|needed| needed <= words.len());
            assert!(has_rows, "{rows} rows of {stride} words do not fit in {} words", words.len());
        }
        second.stride > 0 && shift.across.unsigned_abs() <= first.stride.max(second.stride)
    }
}

/// Returns whether two bitmaps have a bit in common where they are compared.
///
/// # Panics
/// Panics if either bitmap has fewer than `rows` rows, if `words` is not a range of words within a row of
/// the first, or if the shift is by more than 63 bits.
#[inline]
pub fn bitmaps_overlap(overlay: &Overlay<'_>) -> bool {
    fastest!(bitmaps_overlap(overlay))
}

/// Goes down to the boxes that pass a test, by way of the children of least key first. The visitor gets
/// the place of a box (that of its leaf and the lane in it, as one number), the box, its key, and what
/// it told last, which is `told` at first; what it tells now gives the new limit. Gives the number of
/// nodes opened.
///
/// # Panics
/// If the levels of the tree do not fit its nodes.
#[inline]
pub fn traverse_ordered(
    tree: BvhView<'_>,
    test: &impl NodeTest,
    told: f32,
    visit: impl FnMut(usize, &Bounds, f32, f32) -> f32,
) -> u64 {
    fastest!(traverse_ordered(tree, test, told, visit))
}

/// Whether the CPU has the instructions that `avx2` is compiled for.
#[cfg(target_arch = "x86_64")]
#[inline]
fn has_avx2() -> bool {
    #[cfg(feature = "std")]
    return std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("popcnt");
    #[cfg(not(feature = "std"))]
    return cfg!(all(target_feature = "avx2", target_feature = "popcnt"));
}
