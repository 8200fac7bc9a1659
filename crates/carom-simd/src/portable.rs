//! The loops in safe code, for every machine.

use alloc::vec::Vec;
use core::ops::{Range, RangeInclusive};

use wide::f32x8;

use crate::few::blocks;
use crate::sorted::{AT_A_TIME, Reach};
use crate::steps::Steps;
use crate::{
    AxisCells, BitOffset, Bounds, BoxCells, BoxColumns, BoxEntry, BvhView, COPY_FLAG, LANES,
    NodeTest, Overlay, Pair, StripGrid, StripIndex, walk,
};

/// [`crate::find_cells`] in safe code; the list of other cells has to be empty.
pub fn find_cells(grid: &StripGrid, boxes: &[BoxEntry], cells: &mut BoxCells) {
    let _ = grid.cells(); // panics if their numbers would not fit
    let BoxCells { firsts, others } = cells;
    firsts.clear();
    firsts.extend((0..).zip(boxes).map(|(place, it)| cell(grid, &it.bounds, place, others)));
}

/// The first cell of a box; the others are written down.
#[inline]
pub(crate) fn cell(
    grid: &StripGrid,
    bounds: &Bounds,
    place: u32,
    others: &mut Vec<[u32; 2]>,
) -> u32 {
    let columns = grid.columns() as u32;
    let [x, first, last] = [grid.x.cell(bounds[0]), grid.y.cell(bounds[1]), grid.y.cell(bounds[3])];
    others.extend((first + 1..last + 1).map(|strip| [strip * columns + x, place]));
    first * columns + x
}

/// [`crate::distribute`] in safe code.
///
/// # Panics
/// If there are less lists than cells.
pub fn distribute(ruler: &AxisCells, boxes: &[BoxEntry], lists: &mut [Vec<BoxEntry>]) {
    assert!(ruler.len() <= lists.len(), "{} cells have {} lists", ruler.len(), lists.len());
    for eight in boxes.chunks(LANES) {
        for entry in eight {
            lists[ruler.cell(entry.bounds[1]) as usize].push(*entry);
        }
        for &BoxEntry { bounds, id } in eight {
            for list in ruler.cell(bounds[1]) + 1..=ruler.cell(bounds[3]) {
                lists[list as usize].push(BoxEntry { bounds, id: id | COPY_FLAG });
            }
        }
    }
}

/// [`crate::gather`] in safe code; the row has to be as long as the places are many.
pub fn gather(row: &mut BoxColumns, boxes: &[BoxEntry], places: &[u32]) {
    for (at, &place) in places.iter().enumerate() {
        row.put(at, BoxEntry::at(boxes, place));
    }
}

/// [`crate::find_ends`] in safe code.
pub fn find_ends(
    row: &BoxColumns,
    ruler: &AxisCells,
    start: u32,
    end: impl Fn(u32) -> u32,
    ends: &mut Vec<u32>,
) -> u64 {
    ends.clear();
    ends.extend(row.max_x().iter().map(|&x| end(ruler.cell(x)) - start));
    (1..).zip(ends).map(|(next, end)| u64::from(*end - next)).sum()
}

/// [`crate::exclusive_prefix_sum`] in safe code.
pub fn exclusive_prefix_sum(numbers: &mut [u32]) -> u32 {
    let mut sum = 0;
    for number in numbers {
        (*number, sum) = (sum, sum + *number);
    }
    sum
}

/// [`crate::sweep`] in safe code.
///
/// # Panics
/// If there are more ends than boxes, or one lies behind the row.
pub fn sweep(row: &BoxColumns, ends: &[u32], pairs: &mut Vec<Pair>) {
    assert_eq!(ends.len(), row.len(), "a row of boxes needs an end for each");
    let (eights, rest) = Steps::eights(ends, row.len());
    for (start, ends) in (0..).step_by(LANES).zip(eights.iter().copied().chain(rest)) {
        let steps = Steps::new(start, &ends);
        step(row, start, start + 1..=start + steps.together, pairs);
        for lane in steps.lanes_alone() {
            let BoxEntry { bounds, id } = row.get(start + lane);
            let rest = start + lane + 1 + steps.together..ends[lane] as usize;
            test_range(row, rest, (&bounds, id & !COPY_FLAG), id & COPY_FLAG == 0, pairs);
        }
    }
}

/// [`crate::all_pairs`] in safe code.
///
/// # Panics
/// If there are more than [`ALL_PAIRS_MAX`](crate::ALL_PAIRS_MAX) boxes.
pub fn all_pairs(row: &BoxColumns, pairs: &mut Vec<Pair>) {
    for block in blocks(row.len()) {
        let [start, others] = block.map(usize::from);
        step(row, start, others + 1..=others + LANES, pairs);
    }
}

/// Holds eight boxes from a place on against eight from another, each against its own, for all of some
/// places.
#[inline(always)]
fn step(row: &BoxColumns, start: usize, places: RangeInclusive<usize>, pairs: &mut Vec<Pair>) {
    let columns = [&row.min_x, &row.min_y, &row.max_x, &row.max_y];
    let ones = columns.map(|column| eight(column, start));
    for at in places {
        let meet = meeting(ones, columns.map(|column| eight(column, at)));
        push_set(meet, pairs, |lane| (row.ids[start + lane], row.ids[at + lane]));
    }
}

/// The lanes in which two boxes share a point.
#[inline(always)]
fn meeting([min_x, min_y, max_x, max_y]: [f32x8; 4], [left, low, right, high]: [f32x8; 4]) -> u32 {
    let meet =
        left.simd_le(max_x) & right.simd_ge(min_x) & low.simd_le(max_y) & high.simd_ge(min_y);
    meet.to_bitmask()
}

/// Appends the pairs of some lanes but for those of which both are marked.
#[inline(always)]
fn push_set(mut lanes: u32, pairs: &mut Vec<Pair>, ids: impl Fn(usize) -> (u32, u32)) {
    while lanes != 0 {
        let (one, other) = ids(lanes.trailing_zeros() as usize);
        lanes &= lanes - 1;
        if one & other & COPY_FLAG == 0 {
            let (one, other) = (one & !COPY_FLAG, other & !COPY_FLAG);
            pairs.push([one.min(other), one.max(other)]);
        }
    }
}

/// [`crate::test_range`] in safe code.
///
/// # Panics
/// If the row is shorter than the places.
#[inline]
pub fn test_range(
    row: &BoxColumns,
    places: Range<usize>,
    (bounds, id): (&Bounds, u32),
    continuing: bool,
    pairs: &mut Vec<Pair>,
) {
    assert!(places.end <= row.len(), "a row of {} has no place {}", row.len(), places.end);
    let columns = [&row.min_x, &row.min_y, &row.max_x, &row.max_y];
    let bounds = bounds.map(f32x8::splat);
    let id = if continuing { id } else { id | COPY_FLAG };
    for at in places.clone().step_by(LANES) {
        let meet = meeting(bounds, columns.map(|column| eight(column, at)));
        let meant = (1 << (places.end - at).min(LANES)) - 1;
        push_set(meet & meant, pairs, |lane| (id, row.ids[at + lane]));
    }
}

/// [`crate::join`] in safe code.
///
/// # Panics
/// If the row is shorter than the places.
pub fn join(
    row: &BoxColumns,
    places: Range<usize>,
    sorted: &StripIndex,
    pairs: &mut Vec<Pair>,
) -> u64 {
    assert!(places.end <= row.len(), "a row of {} has no place {}", row.len(), places.end);
    let (columns, mut steps) = (sorted.grid.columns() as u32, 0);
    for start in places.clone().step_by(AT_A_TIME) {
        let some = || (start..places.end.min(start + AT_A_TIME)).map(|at| row.get(at));
        let begin = || some().filter(|it| it.id & COPY_FLAG == 0);
        let reaches = || begin().map(|it| (it, sorted.reach(&it.bounds)));
        let most = reaches().map(|(_, reach)| reach.more).max().unwrap_or(0);
        for strip in 0..=most {
            let reaching = || {
                let reaching = reaches().filter(|(_, reach)| reach.more >= strip);
                reaching.map(|(it, Reach { first, .. })| {
                    (it, sorted.starts[(first + strip * columns) as usize] as usize)
                })
            };
            // As in a sweep, a pair counts in the strip where one of the two begins.
            let mut hold = |BoxEntry { bounds, id }: &BoxEntry, at| {
                test_range(&sorted.row, at..at + LANES, (bounds, *id), strip == 0, pairs);
                steps += 1;
            };
            let goes_on = |it: &BoxEntry, at: usize| {
                let last = sorted.row.min_x[at + LANES - 1]; // NaN behind a strip
                last <= it.bounds[2]
            };
            for (it, at) in reaching() {
                hold(&it, at);
            }
            for (it, mut at) in reaching() {
                while goes_on(&it, at) {
                    at += LANES;
                    hold(&it, at);
                }
            }
        }
    }
    (steps * LANES) as u64
}

#[inline(always)]
fn eight(column: &[f32], at: usize) -> f32x8 {
    let mut lanes = [0.0; LANES];
    lanes.copy_from_slice(&column[at..at + LANES]);
    f32x8::new(lanes)
}

/// [`crate::traverse_ordered`] in safe code.
///
/// # Panics
/// If the levels of the tree do not fit its nodes.
pub fn traverse_ordered(
    tree: BvhView<'_>,
    test: &impl NodeTest,
    told: f32,
    visit: impl FnMut(usize, &Bounds, f32, f32) -> f32,
) -> u64 {
    walk::traverse_ordered::<f32x8>(tree, test, told, visit)
}

/// [`crate::bitmaps_overlap`] in safe code.
pub fn bitmaps_overlap(overlay: &Overlay<'_>) -> bool {
    if !overlay.check() {
        return false;
    }
    let Overlay { first: a, second: b, shift: BitOffset { across, bit }, .. } = *overlay;
    let (words, rows) = (&overlay.words, overlay.rows);
    // The words of the first on which there are whole words of the second; of those before and
    // behind, half of the bits may be missing.
    let place = |word: isize| (word - across).clamp(words.start as isize, words.end as isize);
    let last = b.stride as isize - isize::from(bit > 0);
    let whole = place(0) as usize..place(last).max(place(0)) as usize;
    let (before, behind) = (-1 - across, b.stride as isize - 1 - across);
    let has = |word: isize| bit > 0 && words.contains(&(word as usize)) && word >= 0;
    (0..rows).any(|row| {
        let mine = &a.words[row * a.stride..][..a.stride];
        let theirs = &b.words[row * b.stride..][..b.stride];
        let mut common = 0;
        if has(before) {
            common |= mine[before as usize] & theirs[0] << (64 - bit);
        }
        if has(behind) {
            common |= mine[behind as usize] & theirs[b.stride - 1] >> bit;
        }
        if !whole.is_empty() {
            let low = &theirs[(whole.start as isize + across) as usize..];
            let mine = &mine[whole.clone()];
            if bit == 0 {
                common = mine.iter().zip(low).fold(common, |any, (a, b)| any | a & b);
            } else {
                let shifted = low.iter().zip(&low[1..]);
                let shifted = shifted.map(|(low, high)| low >> bit | high << (64 - bit));
                common = mine.iter().zip(shifted).fold(common, |any, (a, b)| any | a & b);
            }
        }
        common != 0
    })
}
