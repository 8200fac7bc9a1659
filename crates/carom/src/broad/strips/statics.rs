//! Boxes that do not move: sorted once, looked up by those that move.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use carom_simd::{Bounds, CONTINUING, Grid, Pair, Row, gather, scan};

use super::partition::Partition;
use super::{aabb, plan::plan};
use crate::broad::packed_tree::PackedTree;

/// The height of strips, in heights of a typical box. Lower than where boxes are swept: being in many
/// strips costs only once.
const HEIGHTS: f64 = 2.0;

/// If boxes share their cell with more others than that on average, a tree is faster.
const CROWDED: u64 = 64;

/// Static boxes, those of about one size together: how far to the left of a box others can begin that
/// reach it follows from how wide they can be, and one wide floor must not widen it for all tiles.
#[derive(Debug, Default)]
pub(super) struct Statics {
    sizes: Vec<Size>,
    /// The boxes where cells do not tell them apart, if there are any.
    crowds: Option<PackedTree>,
}

/// Boxes of about one size, in strips and cells.
#[derive(Debug)]
struct Size {
    grid: Grid,
    partition: Partition,
    row: Row,
    /// No box is wider.
    widest: f32,
}

impl Statics {
    /// Sorts boxes.
    pub fn new(boxes: impl Iterator<Item = (u32, Bounds)>) -> Self {
        let mut by_size: Vec<(u32, u32, Bounds)> =
            boxes.map(|(id, bounds)| (size_class(&bounds), id, bounds)).collect();
        by_size.sort_unstable_by_key(|&(class, id, _)| (class, id));
        let mut statics = Self::default();
        let mut crowds = Vec::new();
        for class in by_size.chunk_by(|a, b| a.0 == b.0) {
            let boxes: Vec<Bounds> = class.iter().map(|&(.., bounds)| bounds).collect();
            let ids: Vec<u32> = class.iter().map(|&(_, id, _)| id).collect();
            let size = Size::new(&boxes, &ids);
            if size.partition.squares() > CROWDED * boxes.len() as u64 {
                crowds.extend_from_slice(class);
            } else {
                statics.sizes.push(size);
            }
        }
        if !crowds.is_empty() {
            crowds.sort_unstable_by_key(|&(_, id, _)| id);
            let at = |id| crowds.partition_point(|&(_, other, _)| other < id);
            let tree = statics.crowds.insert(PackedTree::default());
            tree.rebuild(crowds.iter().map(|&(_, id, _)| id), |id| aabb(&crowds[at(id)].2));
        }
        statics
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty() && self.crowds.is_none()
    }

    /// Appends the pairs of a box with static ones. Gives the number of tests.
    #[inline]
    pub fn find_pairs(&self, bounds: &Bounds, id: u32, pairs: &mut Vec<Pair>) -> u64 {
        let sizes = self.sizes.iter();
        let tests: u64 = sizes.map(|size| size.find_pairs(bounds, id, pairs)).sum();
        let Some(crowds) = &self.crowds else { return tests };
        let among_crowds = crowds.visit_box(&aabb(bounds), |other| {
            pairs.push([id.min(other), id.max(other)]);
            ControlFlow::Continue(())
        });
        tests + among_crowds
    }
}

/// Sizes of one class differ by less than a factor of eight.
fn size_class(&[left, low, right, high]: &Bounds) -> u32 {
    let size = (right - left).max(high - low); // may be infinite
    (size.to_bits() >> 23) / 3
}

impl Size {
    fn new(boxes: &[Bounds], ids: &[u32]) -> Self {
        let grid = plan(boxes, HEIGHTS);
        let (mut partition, mut row) = (Partition::default(), Row::new());
        partition.fill(&grid, boxes);
        gather(&mut row, boxes, ids, partition.places());
        let widest = boxes.iter().map(|b| b[2] - b[0]).fold(0.0, f32::max).next_up();
        Self { grid, partition, row, widest }
    }

    /// As in a strip sweep, a pair counts in the strip where one of the two begins.
    #[inline]
    fn find_pairs(&self, bounds: &Bounds, id: u32, pairs: &mut Vec<Pair>) -> u64 {
        let [left, low, right, high] = *bounds;
        let (first, last) = (self.grid.y.cell(low), self.grid.y.cell(high));
        let from = self.grid.x.cell((left - self.widest).next_down());
        let to = self.grid.x.cell(right);
        let mut tests = 0;
        for strip in first..=last {
            let places = self.partition.cells(strip as usize, from, to);
            tests += places.len() as u64;
            scan(&self.row, places, (bounds, id & !CONTINUING), strip == first, pairs);
        }
        tests
    }
}
