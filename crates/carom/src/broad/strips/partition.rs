//! Boxes by strips and cells.

use alloc::vec::Vec;
use core::ops::Range;

use carom_simd::{Bounds, CONTINUING, Cells, Grid, find_cells};

/// Places of boxes in a list, sorted by strips, and within a strip by the cells in which the boxes
/// begin. Each stands in all strips that its box reaches, marked in all but the first.
#[derive(Debug, Default)]
pub(super) struct Partition {
    places: Vec<u32>,
    /// Where each cell ends in the list of places.
    ends: Vec<u32>,
    columns: usize,
    cells: Cells,
}

impl Partition {
    /// Sorts by counting: how many boxes there are in each cell tells where each cell begins.
    pub fn fill(&mut self, grid: &Grid, boxes: &[Bounds]) {
        self.columns = grid.columns();
        find_cells(grid, boxes, &mut self.cells);
        let Cells { firsts, others } = &self.cells;
        let count = grid.columns() * grid.strips();
        self.ends.clear();
        self.ends.resize(count, 0);
        let ends = &mut self.ends[..count];
        for &cell in firsts {
            ends[cell as usize] += 1;
        }
        for &[cell, _] in others {
            ends[cell as usize] += 1;
        }

        let mut total = 0;
        for end in &mut *ends {
            (*end, total) = (total, total + *end);
        }
        let total = total as usize;
        if self.places.len() < total {
            self.places.resize(total, 0);
        }

        let places = &mut self.places[..total];
        for (place, &cell) in (0..).zip(firsts) {
            let end = &mut ends[cell as usize];
            places[*end as usize] = place;
            *end += 1;
        }
        for &[cell, place] in others {
            let end = &mut ends[cell as usize];
            places[*end as usize] = place | CONTINUING;
            *end += 1;
        }
    }

    /// The places, of all strips.
    pub fn places(&self) -> &[u32] {
        &self.places[..self.ends.last().map_or(0, |&end| end as usize)]
    }

    /// Which of the places are in a strip.
    #[inline]
    pub fn strip(&self, strip: usize) -> Range<usize> {
        self.start(strip * self.columns)..self.cell_ends(strip)[self.columns - 1] as usize
    }

    /// Where the cells of a strip end in the list of places.
    #[inline]
    pub fn cell_ends(&self, strip: usize) -> &[u32] {
        &self.ends[strip * self.columns..][..self.columns]
    }

    /// Where the cells of all strips end in the list of places.
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    #[inline]
    fn start(&self, cell: usize) -> usize {
        if cell == 0 { 0 } else { self.ends[cell - 1] as usize }
    }

    /// How many boxes begin in the same cell as each, summed up.
    pub fn squares(&self) -> u64 {
        let mut start = 0;
        let mut counts = self.ends.iter().map(|&end| end - core::mem::replace(&mut start, end));
        counts
            .try_fold(0u64, |sum, n| sum.checked_add(u64::from(n) * u64::from(n)))
            .unwrap_or(u64::MAX)
    }
}
