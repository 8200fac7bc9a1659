//! Rows in the order of a grid.

use core::ops::Range;

use crate::{Bounds, Grid, Row};

/// A row of boxes sorted by the cells of a grid in which they begin. A box that reaches several strips
/// stands in each, [marked](crate::CONTINUING) in all but the first.
#[derive(Clone, Copy)]
pub struct Sorted<'a> {
    /// The boxes.
    pub row: &'a Row,
    /// The strips, and the cells in them.
    pub grid: &'a Grid,
    /// Where each cell ends in the row.
    pub ends: &'a [u32],
    /// No box is wider.
    pub widest: f32,
}

/// Where boxes may be in a sorted row that meet a given one.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    /// The first strip and the last.
    pub strips: [u32; 2],
    /// The cells, in each of them, where such boxes begin.
    pub cells: [u32; 2],
}

/// More than a number is off by when it is the difference of two.
pub(crate) const ROUNDING_SHARE: f32 = 2.0 * f32::EPSILON;

impl Sorted<'_> {
    pub(crate) fn reach(&self, &[left, low, right, high]: &Bounds) -> Reach {
        let leftmost = left - self.widest;
        let leftmost = leftmost - (leftmost.abs() * ROUNDING_SHARE + f32::MIN_POSITIVE);
        Reach {
            strips: [self.grid.y.cell(low), self.grid.y.cell(high)],
            cells: [self.grid.x.cell(leftmost), self.grid.x.cell(right)],
        }
    }

    /// Some cells of a strip.
    #[inline(always)]
    pub(crate) fn places(&self, strip: u32, [from, to]: [u32; 2]) -> Range<usize> {
        let first = strip as usize * self.grid.columns();
        let start = match first + from as usize {
            0 => 0,
            cell => self.ends[cell - 1] as usize,
        };
        let end = self.ends[first + to as usize] as usize;
        assert!(end <= self.row.len(), "a row of {} has no place {end}", self.row.len());
        start..end
    }
}
