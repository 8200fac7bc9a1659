//! Boxes by strips and cells.

use alloc::vec::Vec;
use core::ops::Range;

use carom_simd::{Bounds, CONTINUING, Cells, Grid, find_cells};

/// Places of boxes in a list, sorted by strips, and within a strip by the cells in which the boxes
/// begin. Each stands in all strips that its box reaches, marked in all but the first.
#[derive(Debug, Default)]
pub(super) struct Partition {
    places: Vec<u32>,
    /// Where each cell starts in the list of places, and where the last one ends.
    starts: Vec<u32>,
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
        self.starts.clear();
        self.starts.resize(count + 1, 0);
        // Of every cell first the number of boxes, then the start, and when it is full the end.
        let nexts = &mut self.starts[1..];
        for &cell in firsts {
            nexts[cell as usize] += 1;
        }
        for &[cell, _] in others {
            nexts[cell as usize] += 1;
        }

        let total = add_up(nexts) as usize;
        if self.places.len() < total {
            self.places.resize(total, 0);
        }

        let places = &mut self.places[..total];
        for (place, &cell) in (0..).zip(firsts) {
            let next = &mut nexts[cell as usize];
            places[*next as usize] = place;
            *next += 1;
        }
        for &[cell, place] in others {
            let next = &mut nexts[cell as usize];
            places[*next as usize] = place | CONTINUING;
            *next += 1;
        }
    }

    /// The places, of all strips.
    pub fn places(&self) -> &[u32] {
        &self.places[..self.starts.last().map_or(0, |&end| end as usize)]
    }

    /// Which of the places are in a strip.
    #[inline]
    pub fn strip(&self, strip: usize) -> Range<usize> {
        let first = strip * self.columns;
        self.starts[first] as usize..self.starts[first + self.columns] as usize
    }

    /// Where cells of a strip end among its places.
    #[inline]
    pub fn cell_ends(&self, strip: usize) -> impl Fn(u32) -> u32 {
        let starts = &self.starts[strip * self.columns..][..=self.columns];
        move |cell| starts[cell as usize + 1] - starts[0]
    }

    /// Where the cells of all strips start in the list of places, and where the last one ends.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// How many boxes begin in the same cell as each, summed up.
    pub fn squares(&self) -> u64 {
        let mut counts = self.starts.windows(2).map(|cell| u64::from(cell[1] - cell[0]));
        counts.try_fold(0u64, |sum, n| sum.checked_add(n * n)).unwrap_or(u64::MAX)
    }
}

/// Replaces each number by the sum of those before it. Gives the sum of all.
fn add_up(numbers: &mut [u32]) -> u32 {
    let mut sum = 0;
    for eight in numbers.chunks_mut(8) {
        if *eight == [0; 8] {
            eight.fill(sum); // most of them, where boxes come in clusters
            continue;
        }
        for number in eight {
            (*number, sum) = (sum, sum + *number);
        }
    }
    sum
}
