//! An index of the fixed boxes: sorted once, then joined with the moving ones in each search for pairs.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use carom_simd::{Bounds, BoxColumns, BoxEntry, COPY_FLAG, Pair, StripIndex, join};

use super::box_store::to_aabb;
use super::choose_grid::choose_grid;
use crate::broad::packed_bvh::PackedBvh;
use crate::broad::shared::visitors::PairSink;

/// The height of strips relative to a typical box: a moving box seldom has more than eight candidates in one.
/// Higher strips contain fewer copies, but are 5 % slower for 1,000 and for 100,000 boxes.
const STRIP_HEIGHT: f64 = 5.0;

/// Moving boxes up to this height, relative to the average fixed box, are looked up in a single strip.
const MAX_HEIGHT: f64 = 2.0;

/// The minimum average number of boxes in a strip.
const MIN_BOXES: usize = 16;

/// If boxes share their cell with more others than this on average, a BVH is faster.
const MAX_CROWDING: u64 = 64;

/// Fixed boxes, grouped by size. The widest box of a group determines the distance to the left of a moving box
/// at which boxes that intersect it can begin. One wide floor must not increase that distance for all tiles.
#[derive(Debug, Default)]
pub(super) struct FixedIndex {
    size_classes: Vec<StripIndex>,
    /// The boxes that crowd in the same cells, if there are any.
    crowded: Option<PackedBvh>,
}

impl FixedIndex {
    pub fn new(boxes: &[BoxEntry]) -> Self {
        let mut by_size = boxes.to_vec();
        by_size.sort_unstable_by_key(|it| (size_class(&it.bounds), it.id));
        let mut index = Self::default();
        let mut crowded = Vec::new();
        for boxes in by_size.chunk_by(|a, b| size_class(&a.bounds) == size_class(&b.bounds)) {
            match strip_index(boxes) {
                Some(strips) => index.size_classes.push(strips),
                None => crowded.extend_from_slice(boxes),
            }
        }
        if !crowded.is_empty() {
            crowded.sort_unstable_by_key(|it| it.id);
            let find = |id| crowded.partition_point(|it| it.id < id);
            let tree = index.crowded.insert(PackedBvh::default());
            tree.rebuild(crowded.iter().map(|it| it.id), |id| to_aabb(&crowded[find(id)].bounds));
        }
        index
    }

    pub fn is_empty(&self) -> bool {
        self.size_classes.is_empty() && self.crowded.is_none()
    }

    /// Adds the pairs of moving boxes, except copies, with fixed ones, until there are more than the limit
    /// allows.
    pub fn find_pairs(&self, moving: &BoxColumns, sink: &mut PairSink<'_>) {
        // The limit is checked after each batch, which costs something.
        let batch = if sink.step() == usize::MAX { moving.len().max(1) } else { 64 };
        for start in (0..moving.len()).step_by(batch) {
            if sink.is_over_limit() {
                break;
            }
            let range = start..moving.len().min(start + batch);
            for strips in &self.size_classes {
                sink.tests += join(moving, range.clone(), strips, sink.pairs);
            }
            if let Some(tree) = &self.crowded {
                for index in range {
                    sink.tests += join_bvh(tree, moving.get(index), sink.pairs);
                }
            }
        }
    }
}

fn join_bvh(tree: &PackedBvh, BoxEntry { bounds, id }: BoxEntry, pairs: &mut Vec<Pair>) -> u64 {
    if id & COPY_FLAG != 0 {
        return 0;
    }
    tree.visit_intersecting(&to_aabb(&bounds), |other| {
        pairs.push([id.min(other), id.max(other)]);
        ControlFlow::Continue(())
    })
}

/// Returns the size class of a box. Sizes in one class differ by less than a factor of eight.
fn size_class(&[left, low, right, high]: &Bounds) -> u32 {
    let size = (right - left).max(high - low); // may be infinite
    (size.to_bits() >> 23) / 3 // the exponent, in steps of three
}

/// Sorts boxes of one size class into strips; `None` if too many share their cells.
fn strip_index(boxes: &[BoxEntry]) -> Option<StripIndex> {
    let heights = boxes.iter().map(|it| f64::from(it.bounds[3]) - f64::from(it.bounds[1]));
    let max_height = (MAX_HEIGHT * heights.sum::<f64>() / boxes.len() as f64) as f32;
    let grid = choose_grid(boxes, STRIP_HEIGHT, MIN_BOXES);
    let index = StripIndex::new(boxes, grid, max_height.min(f32::MAX));
    (index.crowding() <= MAX_CROWDING * boxes.len() as u64).then_some(index)
}
