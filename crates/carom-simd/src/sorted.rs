//! Rows in the order of a grid.

use alloc::vec::Vec;
use core::ops::Range;

use crate::{Bounds, Grid, Row};

/// A row of boxes sorted by the cells of a grid in which they begin. A box that reaches several strips
/// stands in each, [marked](crate::CONTINUING) in all but the first.
#[derive(Debug)]
pub struct Sorted {
    pub(crate) row: Row,
    pub(crate) grid: Grid,
    /// Where each cell starts in the row, and where the last one ends: one more than there are cells,
    /// ascending, and none behind the row.
    pub(crate) starts: Vec<u32>,
    /// No box is wider.
    pub(crate) widest: f32,
}

/// Where boxes may be in a sorted row that meet a given one.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    /// The first cell and the last, in the first strip, where such boxes begin.
    pub cells: [u32; 2],
    /// In how many more strips.
    pub more: u32,
}

/// So many boxes are looked for at a time: in the first strip that each of them reaches, then in the
/// second, and so on. A CPU foresees that better than how many strips every box reaches.
pub(crate) const AT_A_TIME: usize = 64;

/// More than a number is off by when it is the difference of two.
pub(crate) const ROUNDING_SHARE: f32 = 2.0 * f32::EPSILON;

impl Sorted {
    /// From a row in the order of the cells of a grid, where each cell starts in it and where the last one
    /// ends, and a width that no box exceeds.
    ///
    /// # Panics
    /// If there are not as many starts as cells and one more, or they do not ascend up to the row's end.
    pub fn new(row: Row, grid: Grid, starts: Vec<u32>, widest: f32) -> Self {
        let cells = grid.columns() * grid.strips();
        assert_eq!(starts.len(), cells + 1, "{cells} cells need their starts and an end");
        assert!(starts.is_sorted(), "cells start one after the other");
        let end = starts[cells] as usize;
        assert_eq!(end, row.len(), "a row of {} has cells up to {end}", row.len());
        Self { row, grid, starts, widest }
    }

    pub(crate) fn reach(&self, &[left, low, right, high]: &Bounds) -> Reach {
        let leftmost = left - self.widest;
        let leftmost = leftmost - (leftmost.abs() * ROUNDING_SHARE + f32::MIN_POSITIVE);
        let Grid { x, y } = self.grid;
        let strip = y.cell(low);
        let first = strip * self.grid.columns() as u32;
        Reach {
            cells: [first + x.cell(leftmost), first + x.cell(right)],
            more: y.cell(high) - strip,
        }
    }

    /// The places of some cells, from the first to the last.
    pub(crate) fn places(&self, [first, last]: [u32; 2]) -> Range<usize> {
        self.starts[first as usize] as usize..self.starts[last as usize + 1] as usize
    }
}
