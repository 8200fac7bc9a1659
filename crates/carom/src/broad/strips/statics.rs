//! Boxes that do not move: sorted once, looked up by those that move.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use carom_simd::{Bounds, BoxColumns, BoxEntry, COPY_FLAG, Pair, StripIndex, join};

use super::{aabb, plan::plan};
use crate::broad::packed_bvh::PackedBvh;

/// The height of strips, in heights of a typical box: what is looked up seldom finds more than eight in one.
/// Higher strips hold fewer boxes twice, but are 5 % slower for 1,000 and for 100,000 boxes.
const HEIGHTS: f64 = 5.0;

/// What is no higher than so many average boxes is looked up in one strip.
const REACH: f64 = 2.0;

/// A strip has at least so many boxes on average.
const FEWEST: usize = 16;

/// If boxes share their cell with more others than that on average, a tree is faster.
const CROWDED: u64 = 64;

/// Static boxes, those of about one size together: how far to the left of a box others can begin that
/// reach it follows from how wide they can be, and one wide floor must not widen it for all tiles.
#[derive(Debug, Default)]
pub(super) struct Statics {
    sizes: Vec<StripIndex>,
    /// The boxes where cells do not tell them apart, if there are any.
    crowds: Option<PackedBvh>,
}

impl Statics {
    /// Sorts boxes.
    pub fn new(boxes: &[BoxEntry]) -> Self {
        let mut by_size = boxes.to_vec();
        by_size.sort_unstable_by_key(|it| (size_class(&it.bounds), it.id));
        let mut statics = Self::default();
        let mut crowds = Vec::new();
        for boxes in by_size.chunk_by(|a, b| size_class(&a.bounds) == size_class(&b.bounds)) {
            match sorted(boxes) {
                Some(sorted) => statics.sizes.push(sorted),
                None => crowds.extend_from_slice(boxes),
            }
        }
        if !crowds.is_empty() {
            crowds.sort_unstable_by_key(|it| it.id);
            let at = |id| crowds.partition_point(|it| it.id < id);
            let tree = statics.crowds.insert(PackedBvh::default());
            tree.rebuild(crowds.iter().map(|it| it.id), |id| aabb(&crowds[at(id)].bounds));
        }
        statics
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty() && self.crowds.is_none()
    }

    /// Appends the pairs of moving boxes, which begin here, with static ones; until there are more than
    /// the limit. Gives the number of tests.
    pub fn find_pairs(&self, row: &BoxColumns, limit: usize, pairs: &mut Vec<Pair>) -> u64 {
        // So many boxes at a time, before the limit is looked at again. Each time costs something.
        let batch = if limit == usize::MAX { row.len().max(1) } else { 64 };
        let mut tests = 0;
        for start in (0..row.len()).step_by(batch) {
            if pairs.len() > limit {
                break;
            }
            let places = start..row.len().min(start + batch);
            for size in &self.sizes {
                tests += join(row, places.clone(), size, pairs);
            }
            if let Some(crowds) = &self.crowds {
                tests += places.map(|at| find_in_crowds(crowds, row.get(at), pairs)).sum::<u64>();
            }
        }
        tests
    }
}

fn find_in_crowds(
    crowds: &PackedBvh,
    BoxEntry { bounds, id }: BoxEntry,
    pairs: &mut Vec<Pair>,
) -> u64 {
    if id & COPY_FLAG != 0 {
        return 0;
    }
    crowds.visit_intersecting(&aabb(&bounds), |other| {
        pairs.push([id.min(other), id.max(other)]);
        ControlFlow::Continue(())
    })
}

/// Sizes of one class differ by less than a factor of eight.
fn size_class(&[left, low, right, high]: &Bounds) -> u32 {
    let size = (right - left).max(high - low); // may be infinite
    (size.to_bits() >> 23) / 3
}

/// Boxes of about one size, in strips and cells; `None` if too many share their cells.
fn sorted(boxes: &[BoxEntry]) -> Option<StripIndex> {
    let heights = boxes.iter().map(|it| f64::from(it.bounds[3]) - f64::from(it.bounds[1]));
    let reach = (REACH * heights.sum::<f64>() / boxes.len() as f64) as f32;
    let sorted = StripIndex::new(boxes, plan(boxes, HEIGHTS, FEWEST), reach.min(f32::MAX));
    (sorted.crowding() <= CROWDED * boxes.len() as u64).then_some(sorted)
}
