//! Step 3: finding the pairs strip by strip.

use alloc::boxed::Box;
use alloc::vec::Vec;

use carom_simd::{
    ALL_PAIRS_MAX, BoxColumns, BoxEntry, StripGrid, all_pairs, gather, sortable_bits, sweep,
    test_range,
};

use super::cell_sort::CellSort;
use super::choose_grid::choose_grid;
use super::fixed_index::FixedIndex;
use crate::broad::shared::visitors::PairSink;

/// `0..ALL_PAIRS_MAX`: the indices of a few boxes.
static ALL_INDICES: [u32; ALL_PAIRS_MAX] = {
    let (mut indices, mut index) = ([0; ALL_PAIRS_MAX], 0);
    while index < ALL_PAIRS_MAX {
        indices[index] = index as u32;
        index += 1;
    }
    indices
};

/// The height of strips relative to a typical box.
const STRIP_HEIGHT: f64 = 7.0;

/// The minimum average number of boxes in a strip: each strip has a fixed cost.
const MIN_BOXES: usize = 160;

/// The minimum average number of boxes in the strips into which a dense strip is divided.
const MIN_BOXES_IN_DENSE: usize = 16;

/// If boxes have more tests than this on average, sorting exactly by x may help.
const MAX_TESTS_UNSORTED: u64 = 96;

/// If boxes have more tests than this on average, lower strips may help.
const MAX_TESTS_UNDIVIDED: u64 = 48;

/// The maximum number of times that a strip is divided into lower ones. Each time, they can be two thousand
/// times lower.
const MAX_DEPTH: u32 = 6;

/// A search for pairs: the moving boxes, and the fixed ones that they may intersect.
#[derive(Clone, Copy)]
pub(super) struct PairSearch<'a> {
    /// The moving boxes. Those with a [copy flag](carom_simd::COPY_FLAG) are also part of an earlier search.
    pub boxes: &'a [BoxEntry],
    pub fixed: Option<&'a FixedIndex>,
}

/// Finds pairs, and keeps its memory for the next search.
#[derive(Debug, Default)]
pub(super) struct PairFinder {
    cell_sort: CellSort,
    strip: Strip,
    sub_strips: Option<Box<SubStrips>>,
}

/// Divides a strip into lower ones.
#[derive(Debug, Default)]
struct SubStrips {
    finder: PairFinder,
    boxes: Vec<BoxEntry>,
}

impl PairFinder {
    /// Adds the pairs of boxes with each other and with fixed ones, until there are more than the limit allows.
    pub fn find_pairs(&mut self, search: PairSearch<'_>, sink: &mut PairSink<'_>) {
        if search.boxes.len() <= ALL_PAIRS_MAX {
            return self.test_all_pairs(search, sink);
        }
        let grid = choose_grid(search.boxes, STRIP_HEIGHT, MIN_BOXES);
        self.cell_sort.sort(&grid, search.boxes);
        self.sweep_strips(&grid, 0, search, sink);
    }

    /// Tests each box against all others.
    fn test_all_pairs(&mut self, search: PairSearch<'_>, sink: &mut PairSink<'_>) {
        let PairSearch { boxes, fixed } = search;
        let (columns, count) = (&mut self.strip.boxes, boxes.len());
        gather(columns, boxes, &ALL_INDICES[..count]);
        if let Some(fixed) = fixed {
            fixed.find_pairs(columns, sink);
        }
        all_pairs(columns, sink.pairs);
        sink.tests += (count * count.saturating_sub(1) / 2) as u64;
    }

    /// Sweeps strip by strip, once the boxes have been sorted into cells.
    fn sweep_strips(
        &mut self,
        grid: &StripGrid,
        depth: u32,
        search: PairSearch<'_>,
        sink: &mut PairSink<'_>,
    ) {
        let PairSearch { boxes, fixed } = search;
        for strip in 0..grid.strips() {
            let range = self.cell_sort.strip(strip);
            if range.is_empty() {
                continue;
            }
            if sink.is_over_limit() {
                break;
            }
            // 1. Collect the boxes of the strip, and compute the number of tests for each.
            gather(&mut self.strip.boxes, boxes, &self.cell_sort.indices()[range]);
            let Strip { boxes, ends, .. } = &mut self.strip;
            let mut expected = self.cell_sort.find_ends(strip, boxes, ends);
            // 2. Pairs with fixed boxes.
            if let Some(fixed) = fixed {
                fixed.find_pairs(boxes, sink);
            }
            // 3. If there are too many tests, sort exactly by x, or divide the strip into lower ones.
            let len = boxes.len() as u64;
            if expected > MAX_TESTS_UNSORTED * len {
                expected = self.strip.sort();
            }
            if expected > MAX_TESTS_UNDIVIDED * len && depth < MAX_DEPTH {
                let sub_strips = self.sub_strips.get_or_insert_default();
                if sub_strips.find_pairs(&self.strip.boxes, depth + 1, sink) {
                    continue;
                }
            }
            // 4. Pairs of moving boxes with each other.
            if expected <= sink.step() as u64 {
                sweep(&self.strip.boxes, &self.strip.ends, sink.pairs);
            } else {
                self.strip.sweep_within(sink);
            }
            sink.tests += expected;
        }
    }
}

impl SubStrips {
    /// Divides a strip into lower ones and finds their pairs. Returns `false` and does nothing if dividing would
    /// gain nothing. Copies stay copies, so that pairs are still found once.
    fn find_pairs(&mut self, strip: &BoxColumns, depth: u32, sink: &mut PairSink<'_>) -> bool {
        let boxes = &mut self.boxes;
        boxes.clear();
        boxes.extend((0..strip.len()).map(|index| strip.get(index)));
        let grid = choose_grid(boxes, STRIP_HEIGHT, MIN_BOXES_IN_DENSE);
        if grid.strips() <= 3 {
            return false;
        }
        let cell_sort = &mut self.finder.cell_sort;
        cell_sort.sort(&grid, boxes);
        // Otherwise, the copies of tall boxes would multiply from depth to depth.
        if cell_sort.indices().len() > boxes.len() * 3 / 2 {
            return false;
        }
        self.finder.sweep_strips(&grid, depth, PairSearch { boxes, fixed: None }, sink);
        true
    }
}

/// The boxes of a strip, sorted approximately or exactly by their left sides.
#[derive(Debug, Default)]
struct Strip {
    boxes: BoxColumns,
    /// For each box, the end of those that it has to be tested against.
    ends: Vec<u32>,
    /// Sort keys: x in the upper half, an index in the lower.
    keys: Vec<u64>,
    /// The target of sorting.
    sorted: BoxColumns,
}

impl Strip {
    /// Sorts the boxes exactly by their left sides. Returns the number of tests.
    fn sort(&mut self) -> u64 {
        self.keys.clear();
        let indexed = (0u64..).zip(self.boxes.min_x());
        self.keys.extend(indexed.map(|(index, &x)| sortable_bits(x) << 32 | index));
        self.keys.sort_unstable();
        self.sorted.resize(self.keys.len());
        for (to, &key) in self.keys.iter().enumerate() {
            self.sorted.set(to, self.boxes.get(key as u32 as usize));
        }
        core::mem::swap(&mut self.boxes, &mut self.sorted);
        let (min_x, max_x) = (self.boxes.min_x(), self.boxes.max_x());
        self.ends.clear();
        self.ends.extend((1..).zip(max_x).map(|(next, &right)| {
            (next + count_leading(&min_x[next..], |left| left <= right)) as u32
        }));
        (1..).zip(&self.ends).map(|(next, &end)| u64::from(end - next)).sum()
    }

    /// Does the same as [`sweep`], but box by box, to be able to stop at the limit.
    fn sweep_within(&self, sink: &mut PairSink<'_>) {
        for (index, &end) in self.ends.iter().enumerate() {
            if sink.is_over_limit() {
                break;
            }
            let BoxEntry { bounds, id } = self.boxes.get(index);
            test_range(&self.boxes, index + 1..end as usize, (&bounds, id), sink.pairs);
        }
    }
}

/// Returns how many numbers at the front of a partitioned list satisfy a condition, by exponential search:
/// fast if they are few.
fn count_leading(list: &[f32], condition: impl Fn(f32) -> bool) -> usize {
    let mut step = 1;
    while step < list.len() && condition(list[step - 1]) {
        step *= 2;
    }
    let known = step / 2;
    known + list[known..step.min(list.len())].partition_point(|&x| condition(x))
}
