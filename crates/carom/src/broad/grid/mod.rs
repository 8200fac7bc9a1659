//! A uniform grid (spatial hash): square cells, each with a list of the boxes in it.

mod cell_table;
mod queries;

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::broad::shared::box_table::{BoxTable, IdMap, NONE};
use crate::broad::shared::visitors::PairSink;
use crate::broad::swept_aabb::SweptAabb;
use crate::broad::{BroadPhase, Mobility, Pair, PairLimit};
use crate::math::{Vec2, sqrt};
use crate::shape::Aabb;
use cell_table::{CellIndex, CellRect, CellTable};

/// A uniform grid: divides the plane into square cells of equal size, and tests only boxes that share a cell.
///
/// The cells are in a hash table (a spatial hash), so the world may be arbitrarily large and empty cells
/// cost nothing. A box is in every cell that it intersects. Two boxes that share several cells are a pair
/// only in the first of them, so no pair is found twice. Boxes over a great many cells, or too far away for
/// their cells to be numbered, are in a separate list and tested against all.
///
/// **Strengths:** the fastest of the simple methods if all boxes are about the size of a cell.
/// **Weaknesses:** boxes of very different sizes: small ones crowd in cells that are too large for them, and
/// large ones are in many cells.
///
/// ```
/// use carom::broad::{BroadPhase, BroadPhaseExt, Grid, Mobility};
/// use carom::prelude::*;
///
/// let mut broad = Grid::with_cell_size(32.0);
/// broad.set(0, Aabb::from_min_size([64.0, 0.0], [16.0, 16.0]), Mobility::Fixed);
/// broad.set(1, Aabb::from_min_size([80.0, 0.0], [16.0, 16.0]), Mobility::Moving);
/// broad.set(2, Aabb::from_min_size([96.0, 0.0], [16.0, 16.0]), Mobility::Fixed);
///
/// let mut pairs = Vec::new();
/// broad.find_pairs(&mut pairs);
/// pairs.sort();
/// assert_eq!(pairs, [[0, 1], [1, 2]]); // each touches the next
/// assert_eq!(broad.nearest([0.0, 0.0], 1), [(0, 64.0)]);
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "spatial hash")]
#[doc(alias = "uniform grid")]
pub struct Grid {
    boxes: BoxTable,
    cells: CellTable,
    cell_size: f64,
    /// `true` if the grid chooses the cell size.
    is_size_automatic: bool,
    /// The number of boxes when the cell size was last chosen.
    chosen_for: usize,
    /// The ids of boxes that are in no cell.
    oversized: Vec<u32>,
    /// The indices of boxes in `oversized`.
    oversized_at: IdMap,
    /// Scratch buffer for choosing the cell size.
    sample: Vec<f64>,
}

/// A box over more cells than this is oversized.
const MAX_CELLS_PER_BOX: u64 = 1024;
/// If boxes are in more cells than this on average, then so is a box over more cells than this.
const MAX_AVERAGE_CELLS: u64 = 16;
/// The limit of cell coordinates. Up to there, `f64` coordinates are exact to far less than a cell.
const MAX_CELL: f64 = (1 << 30) as f64;

impl Default for Grid {
    fn default() -> Self {
        Self::new()
    }
}

impl Grid {
    /// Creates an empty grid that chooses the cell size: twice the size of a typical box, or larger if the boxes
    /// are far apart, so that there is about one cell per box. It is chosen again when the number of boxes has
    /// doubled, and if it no longer fits in a search for pairs.
    pub fn new() -> Self {
        Self { is_size_automatic: true, ..Self::with_cell_size(1.0) }
    }

    /// Creates an empty grid with cells of this width and height.
    ///
    /// # Panics
    /// Panics if the size is not finite and greater than zero.
    pub fn with_cell_size(size: f32) -> Self {
        assert!(
            size > 0.0 && size.is_finite(),
            "invalid cell size {size}: expected a finite number greater than zero"
        );
        Self {
            boxes: BoxTable::default(),
            cells: CellTable::default(),
            cell_size: size.into(),
            is_size_automatic: false,
            chosen_for: 0,
            oversized: Vec::new(),
            oversized_at: IdMap::default(),
            sample: Vec::new(),
        }
    }

    /// Returns the width and height of a cell.
    pub fn cell_size(&self) -> f32 {
        self.cell_size as f32
    }

    /// Returns the cells that a box intersects.
    fn cells_of(&self, bounds: &Aabb) -> CellRect {
        let cell = |coordinate: f32| libm::floor(f64::from(coordinate) / self.cell_size) as i32;
        let (min, max) = (bounds.min(), bounds.max());
        CellRect { min: [cell(min.x), cell(min.y)], max: [cell(max.x), cell(max.y)] }
    }

    fn is_oversized(&self, bounds: &Aabb) -> bool {
        let cells = self.cells_of(bounds).count();
        let farthest = bounds.min().abs().max(bounds.max().abs()).max_element();
        f64::from(farthest) >= MAX_CELL * self.cell_size
            || cells > MAX_CELLS_PER_BOX
            || cells > MAX_AVERAGE_CELLS
                && self.cells.len() > MAX_AVERAGE_CELLS as usize * self.boxes.len()
    }

    fn insert(&mut self, id: u32, bounds: &Aabb) {
        if self.is_oversized(bounds) {
            self.oversized_at.set(id, self.oversized.len() as u32);
            self.oversized.push(id);
        } else {
            self.oversized_at.set(id, NONE);
            self.cells_of(bounds).for_each(|cell| self.cells.insert(cell, id));
        }
    }

    fn take_out(&mut self, id: u32, bounds: &Aabb) {
        match self.oversized_at.get(id) {
            NONE => self.cells_of(bounds).for_each(|cell| self.cells.remove(cell, id)),
            _ => self.oversized_at.swap_remove(&mut self.oversized, id, |&id| id),
        }
    }

    /// Chooses another cell size, if the current one does not fit.
    fn choose_cell_size(&mut self) {
        self.chosen_for = self.boxes.len();
        let fitting = self.fitting_size();
        if fitting > 2.0 * self.cell_size || fitting < 0.5 * self.cell_size {
            self.cell_size = fitting;
            self.cells.clear();
            self.oversized.clear();
            let boxes = core::mem::take(&mut self.boxes);
            boxes.iter().for_each(|item| self.insert(item.id, &item.bounds));
            self.boxes = boxes;
        }
    }

    /// Returns the cell size that fits a sample of the boxes.
    fn fitting_size(&mut self) -> f64 {
        let step = self.boxes.len() / 128 + 1;
        let (boxes, sample) = (&self.boxes, &mut self.sample);
        // The median of a measure, and the width of the interval that contains 7/8 of all values.
        let mut median_and_spread = |measure: fn(&Aabb) -> f64| {
            sample.clear();
            sample.extend(boxes.iter().step_by(step).map(|item| measure(&item.bounds)));
            sample.sort_unstable_by(f64::total_cmp);
            let quantile = |nth: usize| sample.get(sample.len() * nth / 16).copied().unwrap_or(0.0);
            (quantile(8), quantile(15) - quantile(1))
        };
        let (size, _) = median_and_spread(|bounds| {
            (bounds.max().as_dvec2() - bounds.min().as_dvec2()).max_element()
        });
        let (x, width) = median_and_spread(|bounds| bounds.min().x.into());
        let (y, height) = median_and_spread(|bounds| bounds.min().y.into());
        let spacing = sqrt(width * height / boxes.len().max(1) as f64);
        // The smallest size at which the cells of most boxes can be numbered.
        let least = x.abs().max(y.abs()).max(width).max(height) / (MAX_CELL / 16.0);
        let fitting = (2.0 * size).max(spacing).max(least);
        if fitting > 0.0 { fitting.clamp(1e-40, 1e38) } else { 1.0 }
    }

    /// Finds the pairs of oversized boxes with each other and with all others.
    fn find_oversized_pairs(&self, sink: &mut PairSink<'_>) {
        for &id in &self.oversized {
            let item = self.boxes.item(id);
            for other in self.boxes.iter() {
                // Two oversized boxes are tested once, from the one with the smaller id.
                if other.id > id || self.oversized_at.get(other.id) == NONE {
                    sink.test(&item, &other);
                }
            }
            if sink.is_over_limit() {
                return;
            }
        }
    }

    /// Finds the pairs of boxes that share a cell.
    fn find_cell_pairs(&self, sink: &mut PairSink<'_>) {
        let _ = self.cells.for_each_two(|cell, a, b| {
            let (a, b) = (self.boxes.item(a), self.boxes.item(b));
            sink.test_if(&a, &b, || self.is_first_shared(cell, &a.bounds, &b.bounds));
            if sink.is_over_limit() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    }

    /// Returns `true` if a cell is the first of those that two boxes share: the one of the lower corner of
    /// their intersection.
    fn is_first_shared(&self, cell: CellIndex, a: &Aabb, b: &Aabb) -> bool {
        let corner = a.min().max(b.min());
        self.cells_of(&Aabb::new_unchecked(corner, corner)).min == cell
    }
}

impl BroadPhase for Grid {
    fn set(&mut self, id: u32, bounds: Aabb, mobility: Mobility) {
        if let Some((previous, _)) = self.boxes.set(id, bounds, mobility) {
            let stays = self.oversized_at.get(id) == NONE
                && self.cells_of(&previous) == self.cells_of(&bounds);
            if stays && !self.is_oversized(&bounds) {
                return;
            }
            self.take_out(id, &previous);
        }
        self.insert(id, &bounds);
        if self.is_size_automatic && self.boxes.len() > 2 * self.chosen_for {
            self.choose_cell_size();
        }
    }

    fn remove(&mut self, id: u32) -> bool {
        let Some((bounds, _)) = self.boxes.remove(id) else { return false };
        self.take_out(id, &bounds);
        true
    }

    fn get(&self, id: u32) -> Option<(Aabb, Mobility)> {
        self.boxes.get(id)
    }

    fn len(&self) -> usize {
        self.boxes.len()
    }

    fn find_pairs_filtered(&mut self, limit: PairLimit<'_>, pairs: &mut Vec<Pair>) -> Option<u64> {
        if self.is_size_automatic {
            self.choose_cell_size();
        }
        let mut sink = PairSink::new(limit, pairs);
        self.find_oversized_pairs(&mut sink);
        if !sink.is_over_limit() {
            self.find_cell_pairs(&mut sink);
        }
        sink.finish()
    }

    fn visit_intersecting(
        &self,
        bounds: &Aabb,
        visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> u64 {
        self.visit_intersecting_cells(bounds, visit)
    }

    fn visit_swept(&self, swept: &SweptAabb, visit: &mut dyn FnMut(u32, &Aabb, f32) -> f32) -> u64 {
        self.visit_swept_cells(swept, visit)
    }

    fn visit_within(
        &self,
        from: &Aabb,
        max_distance: f32,
        visit: &mut dyn FnMut(u32, &Aabb, f32) -> f32,
    ) -> u64 {
        self.visit_rings(from, max_distance, visit)
    }

    fn visit_cells(&self, visit: &mut dyn FnMut(&Aabb)) {
        for item in self.boxes.iter().filter(|item| self.oversized_at.get(item.id) == NONE) {
            self.cells_of(&item.bounds).for_each(|cell| {
                // Each cell once: with the box of the smallest id in it.
                if self.cells.ids(cell).min() == Some(item.id) {
                    let corner = |cell: CellIndex| {
                        let [x, y] = cell.map(|index| (f64::from(index) * self.cell_size) as f32);
                        Vec2::new(x, y)
                    };
                    visit(&Aabb::new_unchecked(corner(cell), corner(cell.map(|index| index + 1))));
                }
            });
        }
    }
}
