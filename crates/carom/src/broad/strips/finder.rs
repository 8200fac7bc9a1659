//! Pairs among boxes in a list: strip by strip, in the order of x.

use alloc::boxed::Box;
use alloc::vec::Vec;

use carom_simd::{
    ALL_PAIRS_MAX, BoxColumns, BoxEntry, Pair, StripGrid, all_pairs, gather, sortable_bits, sweep,
    test_range,
};

use super::partition::Partition;
use super::plan::plan;
use super::statics::Statics;

/// The places of few boxes.
static ALL_PLACES: [u32; ALL_PAIRS_MAX] = {
    let (mut places, mut place) = ([0; ALL_PAIRS_MAX], 0);
    while place < ALL_PAIRS_MAX {
        places[place] = place as u32;
        place += 1;
    }
    places
};

/// The height of strips, in heights of a typical box.
const HEIGHTS: f64 = 7.0;

/// A strip has at least so many boxes on average: each costs something by itself.
const FEWEST: usize = 160;

/// The same for the strips that a dense one is cut into.
const FEWEST_IN_DENSE: usize = 16;

/// If a box is held against more others than that on average, an exact order may help.
const CROWDED: u64 = 96;

/// If a box is held against more others than that on average, lower strips may help.
const DENSE: u64 = 48;

/// So often a strip may be cut into lower ones. Each time they can be two thousand times lower.
const DEEPEST: u32 = 6;

/// Boxes, and the static ones they may meet.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    /// With ids that are marked if the box began in an earlier strip.
    pub boxes: &'a [BoxEntry],
    pub statics: Option<&'a Statics>,
    /// Soon after there are more pairs than that, the search may end.
    pub limit: usize,
}

/// Finds the pairs among boxes, and keeps the memory that it needs for that.
#[derive(Debug, Default)]
pub(super) struct Finder {
    partition: Partition,
    strip: Strip,
    finer: Option<Box<Finer>>,
}

/// For strips within a strip: its boxes, as a list again.
#[derive(Debug, Default)]
struct Finer {
    finder: Finder,
    boxes: Vec<BoxEntry>,
}

impl Finder {
    /// Appends the pairs of boxes that meet, with each other and with static ones, up to the limit.
    /// Gives the number of tests.
    pub fn find_pairs(&mut self, scene: Scene<'_>, pairs: &mut Vec<Pair>) -> u64 {
        if scene.boxes.len() <= ALL_PAIRS_MAX {
            return self.find_among_few(scene, pairs);
        }
        let grid = plan(scene.boxes, HEIGHTS, FEWEST);
        self.partition.fill_by_need(&grid, scene.boxes);
        self.sweep_strips(&grid, 0, scene, pairs)
    }

    /// Holds each box against all others.
    fn find_among_few(&mut self, scene: Scene<'_>, pairs: &mut Vec<Pair>) -> u64 {
        let Scene { boxes, statics, limit } = scene;
        let (row, count) = (&mut self.strip.row, boxes.len());
        gather(row, boxes, &ALL_PLACES[..count]);
        let tests = statics.map_or(0, |statics| statics.find_pairs(row, limit, pairs));
        all_pairs(row, pairs);
        tests + (count * count.saturating_sub(1) / 2) as u64
    }

    /// Goes from strip to strip, once the boxes are sorted.
    fn sweep_strips(
        &mut self,
        grid: &StripGrid,
        depth: u32,
        scene: Scene<'_>,
        pairs: &mut Vec<Pair>,
    ) -> u64 {
        let mut tests = 0;
        for strip in 0..grid.strips() {
            let places = self.partition.strip(strip);
            if places.is_empty() {
                continue;
            }
            if pairs.len() > scene.limit {
                break;
            }
            let row = &mut self.strip.row;
            gather(row, scene.boxes, &self.partition.places()[places]);
            let mut expected = self.partition.find_ends(strip, row, &mut self.strip.ends);
            if let Some(statics) = scene.statics {
                tests += statics.find_pairs(&self.strip.row, scene.limit, pairs);
            }
            let len = self.strip.row.len() as u64;
            if expected > CROWDED * len {
                expected = self.strip.sort();
            }
            if expected > DENSE * len && depth < DEEPEST {
                let finer = self.finer.get_or_insert_default();
                if let Some(more) = finer.find_pairs(&self.strip.row, depth + 1, scene.limit, pairs)
                {
                    tests += more;
                    continue;
                }
            }
            if expected <= scene.limit as u64 {
                sweep(&self.strip.row, &self.strip.ends, pairs);
            } else {
                self.strip.sweep_within(scene.limit, pairs);
            }
            tests += expected;
        }
        tests
    }
}

impl Finer {
    /// Cuts a strip into lower ones, if there is something to be gained by it. What began before the
    /// strip keeps its mark, so that pairs are still found once.
    fn find_pairs(
        &mut self,
        row: &BoxColumns,
        depth: u32,
        limit: usize,
        pairs: &mut Vec<Pair>,
    ) -> Option<u64> {
        let boxes = &mut self.boxes;
        boxes.clear();
        boxes.extend((0..row.len()).map(|at| row.get(at)));
        let grid = plan(boxes, HEIGHTS, FEWEST_IN_DENSE);
        if grid.strips() <= 3 {
            return None;
        }
        let partition = &mut self.finder.partition;
        partition.fill_by_need(&grid, boxes);
        // Copies of tall boxes would grow in number from depth to depth.
        if partition.places().len() > boxes.len() * 3 / 2 {
            return None;
        }
        let scene = Scene { boxes, statics: None, limit };
        Some(self.finder.sweep_strips(&grid, depth, scene, pairs))
    }
}

/// The boxes of a strip, in an order in which those that a box may meet and that come after it end
/// somewhere near.
#[derive(Debug, Default)]
struct Strip {
    row: BoxColumns,
    /// For each box, the end of those that it has to be held against.
    ends: Vec<u32>,
    /// To sort: x in the upper half, a place in the lower.
    keys: Vec<u64>,
    sorted: BoxColumns,
}

impl Strip {
    /// Sorts the boxes by their least x itself. Gives the number of tests.
    fn sort(&mut self) -> u64 {
        self.keys.clear();
        let keys = (0u64..).zip(self.row.min_x()).map(|(place, &x)| sortable_bits(x) << 32 | place);
        self.keys.extend(keys);
        self.keys.sort_unstable();
        self.sorted.resize(self.keys.len());
        for (at, &key) in self.keys.iter().enumerate() {
            self.sorted.set(at, self.row.get(key as u32 as usize));
        }
        core::mem::swap(&mut self.row, &mut self.sorted);
        let (min_x, max_x) = (self.row.min_x(), self.row.max_x());
        self.ends.clear();
        self.ends.extend(
            (1..).zip(max_x).map(|(next, &right)| {
                (next + leading(&min_x[next..], |left| left <= right)) as u32
            }),
        );
        (1..).zip(&self.ends).map(|(next, &end)| u64::from(end - next)).sum()
    }

    /// As [`sweep`], box by box, to be able to stop at the limit.
    fn sweep_within(&self, limit: usize, pairs: &mut Vec<Pair>) {
        for (at, &end) in self.ends.iter().enumerate() {
            if pairs.len() > limit {
                break;
            }
            let BoxEntry { bounds, id } = self.row.get(at);
            test_range(&self.row, at + 1..end as usize, (&bounds, id), pairs);
        }
    }
}

/// How many numbers at the front of a partitioned list hold; fast if they are few.
fn leading(list: &[f32], holds: impl Fn(f32) -> bool) -> usize {
    let mut step = 1;
    while step < list.len() && holds(list[step - 1]) {
        step *= 2;
    }
    let known = step / 2;
    known + list[known..step.min(list.len())].partition_point(|&x| holds(x))
}
