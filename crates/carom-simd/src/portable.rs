//! The loops in safe code, for every CPU. They are also the reference that the AVX2 versions are tested
//! against.

use alloc::vec::Vec;
use core::ops::{Range, RangeInclusive};

use wide::f32x8;

use crate::pair_blocks::blocks;
use crate::strip_index::{BATCH, StripRange};
use crate::sweep_steps::SweepSteps;
use crate::{
    AxisCells, BitOffset, Bounds, BoxCells, BoxColumns, BoxEntry, BvhView, COPY_FLAG, LANES,
    NodeTest, Overlay, Pair, StripGrid, StripIndex, bvh,
};

/// Implements [`crate::find_cells`].
///
/// # Panics
/// Panics if the grid has more than [`StripGrid::MAX_CELLS`] cells.
pub fn find_cells(grid: &StripGrid, boxes: &[BoxEntry], cells: &mut BoxCells) {
    grid.cell_count(); // panics if cell numbers could overflow
    let BoxCells { firsts, copies } = cells;
    firsts.clear();
    copies.clear();
    firsts.extend((0..).zip(boxes).map(|(index, it)| cells_of(grid, &it.bounds, index, copies)));
}

/// Returns the first cell of a box, and appends its other cells to `copies`.
#[inline]
pub(crate) fn cells_of(
    grid: &StripGrid,
    bounds: &Bounds,
    index: u32,
    copies: &mut Vec<[u32; 2]>,
) -> u32 {
    let columns = grid.columns() as u32;
    let [x, first, last] = [grid.x.cell(bounds[0]), grid.y.cell(bounds[1]), grid.y.cell(bounds[3])];
    copies.extend((first + 1..last + 1).map(|strip| [strip * columns + x, index]));
    first * columns + x
}

/// Implements [`crate::distribute`].
///
/// # Panics
/// Panics if there are fewer lists than cells.
pub fn distribute(axis: &AxisCells, boxes: &[BoxEntry], lists: &mut [Vec<BoxEntry>]) {
    check_lists(axis, lists);
    for group in boxes.chunks(LANES) {
        for entry in group {
            lists[axis.cell(entry.bounds[1]) as usize].push(*entry);
        }
        for &BoxEntry { bounds, id } in group {
            for cell in axis.cell(bounds[1]) + 1..=axis.cell(bounds[3]) {
                lists[cell as usize].push(BoxEntry { bounds, id: id | COPY_FLAG });
            }
        }
    }
}

/// Panics if there are fewer lists than cells.
pub(crate) fn check_lists(axis: &AxisCells, lists: &[Vec<BoxEntry>]) {
    let (cells, lists) = (axis.len(), lists.len());
    assert!(cells <= lists, "expected one list per cell: {cells} cells, {lists} lists");
}

/// Implements [`crate::gather`].
///
/// # Panics
/// Panics if an index is out of bounds, or if there are more than [`BoxColumns::MAX_LEN`] indices.
pub fn gather(columns: &mut BoxColumns, boxes: &[BoxEntry], indices: &[u32]) {
    columns.resize(indices.len());
    for (to, &index) in indices.iter().enumerate() {
        columns.set(to, BoxEntry::at(boxes, index));
    }
}

/// Implements [`crate::find_ends`].
pub fn find_ends(
    strip: &BoxColumns,
    axis: &AxisCells,
    start: u32,
    cell_end: impl Fn(u32) -> u32,
    ends: &mut Vec<u32>,
) -> u64 {
    ends.clear();
    ends.extend(strip.max_x().iter().map(|&x| cell_end(axis.cell(x)) - start));
    (1..).zip(ends).map(|(next, end)| u64::from(*end - next)).sum()
}

/// Implements [`crate::sweep`].
///
/// # Panics
/// Panics if there are not as many ends as boxes, or if an end is greater than the number of boxes.
pub fn sweep(strip: &BoxColumns, ends: &[u32], pairs: &mut Vec<Pair>) {
    let (groups, last) = SweepSteps::groups(strip, ends);
    for (start, ends) in (0..).step_by(LANES).zip(groups.iter().copied().chain(last)) {
        let steps = SweepSteps::new(start, &ends);
        step(strip, start, start + 1..=start + steps.shared, pairs);
        for lane in steps.straggler_lanes() {
            let BoxEntry { bounds, id } = strip.get(start + lane);
            let rest = start + lane + 1 + steps.shared..ends[lane] as usize;
            test_range(strip, rest, (&bounds, id), pairs);
        }
    }
}

/// Implements [`crate::all_pairs`]: for each block, eight boxes are tested against eight in eight steps. In
/// each step, each is tested against one.
///
/// # Panics
/// Panics if there are more than [`ALL_PAIRS_MAX`](crate::ALL_PAIRS_MAX) boxes.
pub fn all_pairs(boxes: &BoxColumns, pairs: &mut Vec<Pair>) {
    for block in blocks(boxes.len()) {
        let [first, second] = block.map(usize::from);
        step(boxes, first, second + 1..=second + LANES, pairs);
    }
}

/// Tests the eight boxes from `start` on against the eight from each index in `others` on, each against one.
#[inline(always)]
fn step(boxes: &BoxColumns, start: usize, others: RangeInclusive<usize>, pairs: &mut Vec<Pair>) {
    let columns = [&boxes.min_x, &boxes.min_y, &boxes.max_x, &boxes.max_y];
    let ones = columns.map(|column| load(column, start));
    for other in others {
        let lanes = intersecting(ones, columns.map(|column| load(column, other)));
        push_pairs(lanes, pairs, |lane| (boxes.ids[start + lane], boxes.ids[other + lane]));
    }
}

/// Returns the lanes in which two boxes intersect.
#[inline(always)]
fn intersecting(
    [min_x, min_y, max_x, max_y]: [f32x8; 4],
    [left, low, right, high]: [f32x8; 4],
) -> u32 {
    let x = left.simd_le(max_x) & right.simd_ge(min_x);
    (x & low.simd_le(max_y) & high.simd_ge(min_y)).to_bitmask()
}

/// Appends the pairs of some lanes, except those of two copies.
#[inline(always)]
fn push_pairs(mut lanes: u32, pairs: &mut Vec<Pair>, ids: impl Fn(usize) -> (u32, u32)) {
    while lanes != 0 {
        let (one, other) = ids(lanes.trailing_zeros() as usize);
        lanes &= lanes - 1;
        if one & other & COPY_FLAG == 0 {
            let (one, other) = (one & !COPY_FLAG, other & !COPY_FLAG);
            pairs.push([one.min(other), one.max(other)]);
        }
    }
}

/// Appends the pairs of one box with the intersecting boxes in a range of a strip, in the order of the range. Pairs of
/// two copies are skipped.
///
/// # Panics
/// Panics if the range is out of bounds.
#[inline]
pub fn test_range(
    strip: &BoxColumns,
    range: Range<usize>,
    (bounds, id): (&Bounds, u32),
    pairs: &mut Vec<Pair>,
) {
    strip.check_range_end(range.end);
    let columns = [&strip.min_x, &strip.min_y, &strip.max_x, &strip.max_y];
    let bounds = bounds.map(f32x8::splat);
    for start in range.clone().step_by(LANES) {
        let lanes = intersecting(bounds, columns.map(|column| load(column, start)));
        let in_range = (1 << (range.end - start).min(LANES)) - 1;
        push_pairs(lanes & in_range, pairs, |lane| (id, strip.ids[start + lane]));
    }
}

/// Implements [`crate::join`].
///
/// # Panics
/// Panics if the range is out of bounds.
pub fn join(
    boxes: &BoxColumns,
    range: Range<usize>,
    index: &StripIndex,
    pairs: &mut Vec<Pair>,
) -> u64 {
    boxes.check_range_end(range.end);
    let (columns, mut steps) = (index.grid.columns() as u32, 0);
    for start in range.clone().step_by(BATCH) {
        let batch = || (start..range.end.min(start + BATCH)).map(|at| boxes.get(at));
        let originals = || batch().filter(|it| it.id & COPY_FLAG == 0);
        let ranges = || originals().map(|it| (it, index.strip_range(&it.bounds)));
        let last_strip = ranges().map(|(_, range)| range.more_strips).max().unwrap_or(0);
        for strip in 0..=last_strip {
            let candidates = || {
                let reaching = ranges().filter(|(_, range)| range.more_strips >= strip);
                reaching.map(|(it, StripRange { first_cell, .. })| {
                    (it, index.starts[(first_cell + strip * columns) as usize] as usize)
                })
            };
            // In strips after its first, a query box counts as a copy. As in a sweep, a pair of two copies has
            // been found in an earlier strip.
            let copy_flag = if strip == 0 { 0 } else { COPY_FLAG };
            let mut test = |BoxEntry { bounds, id }: &BoxEntry, at| {
                test_range(&index.boxes, at..at + LANES, (bounds, id | copy_flag), pairs);
                steps += 1;
            };
            let goes_on = |it: &BoxEntry, at: usize| {
                let last = index.boxes.min_x[at + LANES - 1]; // NaN after the end of a strip
                last <= it.bounds[2]
            };
            for (it, at) in candidates() {
                test(&it, at);
            }
            for (it, mut at) in candidates() {
                while goes_on(&it, at) {
                    at += LANES;
                    test(&it, at);
                }
            }
        }
    }
    (steps * LANES) as u64
}

#[inline(always)]
fn load(column: &[f32], start: usize) -> f32x8 {
    let mut lanes = [0.0; LANES];
    lanes.copy_from_slice(&column[start..start + LANES]);
    f32x8::new(lanes)
}

/// Implements [`crate::traverse_ordered`].
///
/// # Panics
/// Panics if the levels of the tree do not match its nodes.
pub fn traverse_ordered(
    tree: BvhView<'_>,
    test: &impl NodeTest,
    bound: f32,
    visit: impl FnMut(usize, &Bounds, f32, f32) -> f32,
) -> u64 {
    bvh::traverse_ordered::<f32x8>(tree, test, bound, visit)
}

/// Implements [`crate::bitmaps_overlap`].
///
/// # Panics
/// See [`crate::bitmaps_overlap`].
pub fn bitmaps_overlap(overlay: &Overlay<'_>) -> bool {
    if !overlay.check() {
        return false;
    }
    let Overlay { first: a, second: b, offset: BitOffset { across, bit }, .. } = *overlay;
    let (words, whole) = (&overlay.words, overlay.whole_words());
    // With a bit offset, two words of the first bitmap may lie half over the second: one before it and one
    // over its last word.
    let (before, last) = (-1 - across, b.stride as isize - 1 - across);
    let is_compared = |word: isize| bit > 0 && word >= 0 && words.contains(&(word as usize));
    (0..overlay.rows).any(|row| {
        let a_row = &a.words[row * a.stride..][..a.stride];
        let b_row = &b.words[row * b.stride..][..b.stride];
        let mut common = 0;
        if is_compared(before) {
            common |= a_row[before as usize] & b_row[0] << (64 - bit);
        }
        if is_compared(last) {
            common |= a_row[last as usize] & b_row[b.stride - 1] >> bit;
        }
        if !whole.is_empty() {
            let low = &b_row[(whole.start as isize + across) as usize..];
            let a_row = &a_row[whole.clone()];
            if bit == 0 {
                common = a_row.iter().zip(low).fold(common, |any, (a, b)| any | a & b);
            } else {
                let shifted = low.iter().zip(&low[1..]);
                let shifted = shifted.map(|(low, high)| low >> bit | high << (64 - bit));
                common = a_row.iter().zip(shifted).fold(common, |any, (a, b)| any | a & b);
            }
        }
        common != 0
    })
}
