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
    /// Where each cell starts in the row, and where the last one ends.
    pub starts: &'a [u32],
    /// No box is wider.
    pub widest: f32,
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

impl Sorted<'_> {
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
    #[inline(always)]
    pub(crate) fn places(&self, [first, last]: [u32; 2]) -> Range<usize> {
        let [start, end] = [first, last + 1].map(|cell| self.starts[cell as usize] as usize);
        if start > end || end > self.row.len() {
            refuse(start..end, self.row.len());
        }
        start..end
    }
}

/// Apart, so that nothing is made ready for it.
#[cold]
fn refuse(places: Range<usize>, len: usize) -> ! {
    panic!("a row of {len} has no places {} to {}", places.start, places.end)
}
