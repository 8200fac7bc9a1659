//! Boxes by strips and cells.

use alloc::vec::Vec;
use core::ops::Range;

use carom_simd::{BoxCells, BoxColumns, BoxEntry, COPY_FLAG, StripGrid, find_cells, find_ends};

use super::blocks::Blocks;

/// If a grid has more than so many cells for a box, there should rather be blocks.
const SPARSE: usize = 3;

/// Then a block has so many boxes on average.
const BOXES: usize = 4;

/// The most parts that blocks can have together: numbers must not overflow.
const MOST_PARTS: usize = 1 << 31;

/// Places of boxes in a list, sorted by strips, and within a strip by the cells in which the boxes
/// begin. Each stands in all strips that its box reaches, marked in all but the first.
#[derive(Debug, Default)]
pub(super) struct Partition {
    places: Vec<u32>,
    /// Where each cell starts in the list of places, and where the last one ends.
    starts: Vec<u32>,
    grid: StripGrid,
    cells: BoxCells,
    blocks: Blocks,
    /// Whether the cells are not those of the grid but of the blocks, of whose parts it consists.
    has_blocks: bool,
}

impl Partition {
    /// Sorts boxes by the cells of a grid.
    pub fn fill(&mut self, grid: &StripGrid, boxes: &[BoxEntry]) {
        find_cells(grid, boxes, &mut self.cells);
        (self.grid, self.has_blocks) = (*grid, false);
        self.sort(grid.columns() * grid.strips());
    }

    /// Sorts boxes by the strips of a grid, and by its cells or, if most of them would stay empty, by
    /// finer ones where the boxes are.
    pub fn fill_by_need(&mut self, grid: &StripGrid, boxes: &[BoxEntry]) {
        let strips = grid.strips();
        if grid.columns() * strips < SPARSE * boxes.len() {
            return self.fill(grid, boxes);
        }
        let blocks = (boxes.len() / BOXES / strips).clamp(1, MOST_PARTS / Blocks::PARTS / strips);
        let grid = StripGrid { x: grid.x.with_len(blocks * Blocks::PARTS), y: grid.y };
        find_cells(&grid, boxes, &mut self.cells);
        (self.grid, self.has_blocks) = (grid, true);
        let blocks = grid.columns() / Blocks::PARTS * strips;
        let cells = self.blocks.divide(blocks, &self.cells);
        self.sort(cells);
    }

    /// Sorts by counting: how many boxes there are in each cell tells where each cell begins.
    fn sort(&mut self, cells: usize) {
        self.starts.clear();
        self.starts.resize(cells + 1, 0);
        // Of every cell first the number of boxes, then the start, and when it is full the end.
        let nexts = &mut self.starts[1..];
        if self.has_blocks {
            self.blocks.replace_parts(&mut self.cells, |cell| nexts[cell as usize] += 1);
        } else {
            let BoxCells { firsts, copies } = &self.cells;
            firsts.iter().for_each(|&cell| nexts[cell as usize] += 1);
            copies.iter().for_each(|&[cell, _]| nexts[cell as usize] += 1);
        }

        let total = exclusive_prefix_sum(nexts) as usize;
        if self.places.len() < total {
            self.places.resize(total, 0);
        }

        let places = &mut self.places[..total];
        let mut put = |cell: u32, place: u32| {
            let next = &mut nexts[cell as usize];
            let at = *next;
            *next += 1; // before the place is written, which need not be waited for then
            places[at as usize] = place;
        };
        let BoxCells { firsts, copies } = &self.cells;
        (0..).zip(firsts).for_each(|(place, &cell)| put(cell, place));
        copies.iter().for_each(|&[cell, place]| put(cell, place | COPY_FLAG));
    }

    /// The places, of all strips.
    pub fn places(&self) -> &[u32] {
        &self.places[..self.starts.last().map_or(0, |&end| end as usize)]
    }

    /// Which of the places are in a strip.
    #[inline]
    pub fn strip(&self, strip: usize) -> Range<usize> {
        let columns = self.grid.columns();
        let [first, end] =
            [strip * columns, (strip + 1) * columns].map(|cell| match self.has_blocks {
                true => self.blocks.cell(cell as u32) as usize,
                false => cell,
            });
        self.starts[first] as usize..self.starts[end] as usize
    }

    /// Finds the ends of those that each box in the row of a strip has to be held against. Gives the
    /// number of tests.
    pub fn find_ends(&self, strip: usize, row: &BoxColumns, ends: &mut Vec<u32>) -> u64 {
        let first = (strip * self.grid.columns()) as u32;
        let start = self.strip(strip).start as u32;
        let end = |cell: u32| self.starts[cell as usize + 1];
        if self.has_blocks {
            find_ends(row, &self.grid.x, start, |part| end(self.blocks.cell(first + part)), ends)
        } else {
            find_ends(row, &self.grid.x, start, |cell| end(first + cell), ends)
        }
    }
}

/// Replaces each number by the sum of those before it, and returns the sum of all.
fn exclusive_prefix_sum(numbers: &mut [u32]) -> u32 {
    let mut sum = 0;
    for number in numbers {
        (*number, sum) = (sum, sum + *number);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad::packed_bvh::tests::Random;
    use carom_simd::{AxisCells, gather};

    #[test]
    fn boxes_in_clusters_are_sorted_as_well_by_far_fewer_cells() {
        let mut random = Random(5);
        let mut boxes: Vec<BoxEntry> = (0..3000)
            .map(|i| {
                let [x, y] = [random.within(0.0, 20.0), random.within(0.0, 20.0)];
                let [x, y] = [x + (i % 4) as f32 * 300.0, y + (i % 3) as f32 * 400.0];
                BoxEntry { bounds: [x, y, x + 1.0, y + 1.0], id: i }
            })
            .collect();
        boxes[1234].bounds = [-1e9, 3.0, 1e9, 700.0];
        let grid =
            StripGrid { x: AxisCells::new(0.0, 1000.0, 8000), y: AxisCells::new(0.0, 1000.0, 50) };
        let (mut by_need, mut plain) = (Partition::default(), Partition::default());
        by_need.fill_by_need(&grid, &boxes);
        plain.fill(&grid, &boxes);
        assert!(by_need.has_blocks && by_need.starts.len() < plain.starts.len() / 50);
        assert_eq!(by_need.places().len(), plain.places().len());

        let (mut row, mut ends, mut ways) = (BoxColumns::new(), Vec::new(), [0; 2]);
        for (partition, way) in [by_need, plain].iter().zip(&mut ways) {
            for strip in 0..grid.strips() {
                let places = &partition.places()[partition.strip(strip)];
                gather(&mut row, &boxes, places);
                partition.find_ends(strip, &row, &mut ends);
                for (at, &end) in ends.iter().enumerate() {
                    let right = row.max_x()[at];
                    assert!(row.min_x()[end as usize..].iter().all(|&left| left > right));
                    *way += end as usize - at;
                }
            }
        }
        assert!(ways[0] < ways[1] * 2, "{ways:?}");
    }
}
