//! Square cells, each with a list of what lies in it.

mod cell_table;
mod queries;

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::broad::boxes::{Boxes, NONE, Places};
use crate::broad::swept_aabb::SweptAabb;
use crate::broad::{BroadPhase, Mobility, Pair, can_pair, meet, pair};
use crate::math::{Vec2, sqrt};
use crate::shape::Aabb;
use cell_table::{Cells, Range};

/// Cuts the plane into equal square cells. Each keeps a list of the boxes in it, and only boxes that
/// share a cell are tested. The lists are found by hashing (a spatial hash), so the world may be as
/// large as it likes and empty cells cost nothing.
///
/// A box lies in every cell it reaches into. Two boxes that share several cells are a pair only in the
/// first of them, so no pair is found twice. Boxes over a great many cells, or too far out for their
/// cells to have numbers, are kept in a list of their own and tested against all.
///
/// Strength: the fastest of the simple methods where all boxes are about the size of a cell. Weakness:
/// boxes of very different sizes. To small ones the cells are crowded, and large ones are in many.
///
/// ```
/// use carom::broad::{BroadPhase, Grid, BroadPhaseExt, Mobility};
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
pub struct Grid {
    boxes: Boxes,
    cells: Cells,
    /// The side of a cell.
    size: f64,
    /// Whether the grid chooses the size, and how many boxes there were when it last did.
    is_chosen: bool,
    chosen_for: usize,
    /// Boxes that are in no cell, and where in this list they are.
    large: Vec<u32>,
    large_at: Places,
    sample: Vec<f64>,
}

/// A box over more cells than this is large at once; one over a few only when the lists are long.
const MOST_CELLS: u64 = 1024;
const FEW_CELLS: u64 = 16;
/// Cells have numbers up to this. Where they end, numbers are still exact to far less than a cell.
const FURTHEST: f64 = (1 << 30) as f64;

impl Default for Grid {
    fn default() -> Self {
        Self::new()
    }
}

impl Grid {
    /// With no boxes yet, and cells whose size follows from the boxes: twice the usual box, or what
    /// gives each box a cell if they are far apart. It is chosen again when the number of boxes has
    /// doubled, or when pairs are looked for and it no longer fits.
    pub fn new() -> Self {
        Self { is_chosen: true, ..Self::with_cell_size(1.0) }
    }

    /// With no boxes yet, and cells of this width and height.
    ///
    /// # Panics
    /// If the size is not a finite number above zero.
    pub fn with_cell_size(size: f32) -> Self {
        assert!(size > 0.0 && size.is_finite(), "cells of size {size}; it has to be above zero");
        Self {
            boxes: Boxes::default(),
            cells: Cells::default(),
            size: size.into(),
            is_chosen: false,
            chosen_for: 0,
            large: Vec::new(),
            large_at: Places::default(),
            sample: Vec::new(),
        }
    }

    /// The width and height of a cell.
    pub fn cell_size(&self) -> f32 {
        self.size as f32
    }

    /// The cells that a box reaches into.
    fn range(&self, bounds: &Aabb) -> Range {
        let cell = |coordinate: f32| libm::floor(f64::from(coordinate) / self.size) as i32;
        let (min, max) = (bounds.min(), bounds.max());
        Range { min: [cell(min.x), cell(min.y)], max: [cell(max.x), cell(max.y)] }
    }

    fn is_large(&self, bounds: &Aabb) -> bool {
        let cells = self.range(bounds).count();
        let far = bounds.min().abs().max(bounds.max().abs()).max_element();
        f64::from(far) >= FURTHEST * self.size
            || cells > MOST_CELLS
            || cells > FEW_CELLS && self.cells.len() > FEW_CELLS as usize * self.boxes.len()
    }

    fn insert(&mut self, id: u32, bounds: &Aabb) {
        if self.is_large(bounds) {
            self.large_at.set(id, self.large.len() as u32);
            self.large.push(id);
        } else {
            self.large_at.set(id, NONE);
            self.range(bounds).for_each(|cell| self.cells.add(cell, id));
        }
    }

    fn take_out(&mut self, id: u32, bounds: &Aabb) {
        match self.large_at.get(id) {
            NONE => self.range(bounds).for_each(|cell| self.cells.remove(cell, id)),
            at => {
                self.large.swap_remove(at as usize);
                if let Some(&moved) = self.large.get(at as usize) {
                    self.large_at.set(moved, at);
                }
            }
        }
    }

    /// Chooses the size of the cells if it does not fit.
    fn choose_size(&mut self) {
        self.chosen_for = self.boxes.len();
        let fitting = self.fitting_size();
        if fitting > 2.0 * self.size || fitting < 0.5 * self.size {
            self.size = fitting;
            self.cells.clear();
            self.large.clear();
            let boxes = core::mem::take(&mut self.boxes);
            boxes.iter().for_each(|(id, bounds, _)| self.insert(id, &bounds));
            self.boxes = boxes;
        }
    }

    /// The size of cells that fits a sample of the boxes.
    fn fitting_size(&mut self) -> f64 {
        let step = self.boxes.len() / 128 + 1;
        let (boxes, sample) = (&self.boxes, &mut self.sample);
        // The middle of what is measured, and between which numbers most of it is.
        let mut spread = |measure: fn(&Aabb) -> f64| {
            sample.clear();
            sample.extend(boxes.iter().step_by(step).map(|(_, bounds, _)| measure(&bounds)));
            sample.sort_unstable_by(f64::total_cmp);
            let at = |share: usize| sample.get(sample.len() * share / 16).copied().unwrap_or(0.0);
            (at(8), at(15) - at(1))
        };
        let (size, _) =
            spread(|bounds| (bounds.max().as_dvec2() - bounds.min().as_dvec2()).max_element());
        let (x, width) = spread(|bounds| bounds.min().x.into());
        let (y, height) = spread(|bounds| bounds.min().y.into());
        let apart = sqrt(width * height / boxes.len().max(1) as f64);
        // So large that the cells of most boxes have numbers.
        let least = x.abs().max(y.abs()).max(width).max(height) / (FURTHEST / 16.0);
        let fitting = (2.0 * size).max(apart).max(least);
        if fitting > 0.0 { fitting.clamp(1e-40, 1e38) } else { 1.0 }
    }

    /// Pairs of the large boxes with each other and with all others.
    fn large_pairs(&self, limit: usize, pairs: &mut Vec<Pair>) -> Option<u64> {
        let mut tests = 0;
        for &large in &self.large {
            let (bounds, mobility) = self.boxes.at(large);
            for (id, other, other_mobility) in self.boxes.iter() {
                let is_other_way_round = id <= large && self.large_at.get(id) != NONE;
                if !is_other_way_round && can_pair(mobility, other_mobility) {
                    tests += 1;
                    if meet(&bounds, &other) {
                        pairs.push(pair(large, id));
                    }
                }
            }
            if pairs.len() > limit {
                return None;
            }
        }
        Some(tests)
    }

    /// Pairs of two boxes in one cell.
    fn cell_pairs(&self, limit: usize, pairs: &mut Vec<Pair>) -> Option<u64> {
        let mut tests = 0;
        let flow = self.cells.for_each_two(|cell, a, b| {
            let ((a_bounds, a_mobility), (b_bounds, b_mobility)) =
                (self.boxes.at(a), self.boxes.at(b));
            if can_pair(a_mobility, b_mobility) {
                tests += 1;
                if meet(&a_bounds, &b_bounds) && self.is_first_shared(cell, &a_bounds, &b_bounds) {
                    pairs.push(pair(a, b));
                }
            }
            if pairs.len() > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        flow.is_continue().then_some(tests)
    }

    /// Whether a cell is the first of those that two boxes share.
    fn is_first_shared(&self, cell: [i32; 2], a: &Aabb, b: &Aabb) -> bool {
        let corner = a.min().max(b.min());
        self.range(&Aabb::new_unchecked(corner, corner)).min == cell
    }
}

impl BroadPhase for Grid {
    fn set(&mut self, id: u32, bounds: Aabb, mobility: Mobility) {
        if let Some((last, _)) = self.boxes.set(id, bounds, mobility) {
            let stays = self.large_at.get(id) == NONE && self.range(&last) == self.range(&bounds);
            if stays && !self.is_large(&bounds) {
                return;
            }
            self.take_out(id, &last);
        }
        self.insert(id, &bounds);
        if self.is_chosen && self.boxes.len() > 2 * self.chosen_for {
            self.choose_size();
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

    fn find_pairs(&mut self, pairs: &mut Vec<Pair>) -> u64 {
        self.find_pairs_within(usize::MAX, pairs).unwrap_or_default()
    }

    fn find_pairs_within(&mut self, limit: usize, pairs: &mut Vec<Pair>) -> Option<u64> {
        if self.is_chosen {
            self.choose_size();
        }
        pairs.clear();
        Some(self.large_pairs(limit, pairs)? + self.cell_pairs(limit, pairs)?)
    }

    fn visit_intersecting(
        &self,
        bounds: &Aabb,
        visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> u64 {
        self.look_up_box(bounds, visit)
    }

    fn visit_swept(&self, path: &SweptAabb, visit: &mut dyn FnMut(u32, f32) -> f32) -> u64 {
        self.look_up_path(path, visit)
    }

    fn visit_within(
        &self,
        from: &Aabb,
        within: f32,
        visit: &mut dyn FnMut(u32, f32) -> f32,
    ) -> u64 {
        self.look_up_near(from, within, visit)
    }

    fn visit_cells(&self, visit: &mut dyn FnMut(&Aabb)) {
        for (id, bounds, _) in self.boxes.iter().filter(|&(id, ..)| self.large_at.get(id) == NONE) {
            self.range(&bounds).for_each(|cell| {
                // Each cell once: with the first box that is in it.
                if self.cells.at(cell).min() == Some(id) {
                    let corner = |cell: [i32; 2]| {
                        let [x, y] = cell.map(|at| (f64::from(at) * self.size) as f32);
                        Vec2::new(x, y)
                    };
                    visit(&Aabb::new_unchecked(corner(cell), corner(cell.map(|at| at + 1))));
                }
            });
        }
    }
}
