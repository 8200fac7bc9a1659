//! Step 2: a counting sort of boxes by strip and cell.

use alloc::vec::Vec;
use core::ops::Range;

use carom_simd::{BoxCells, BoxColumns, BoxEntry, COPY_FLAG, StripGrid, find_cells, find_ends};

/// If a grid has at least this many cells per box, adaptive cells are used instead.
const SPARSE: usize = 3;

/// The number of boxes per block of adaptive cells, on average.
const BOXES_PER_BLOCK: usize = 4;

/// Indices of boxes in a list, sorted by strip, and within a strip by the cell in which the box begins. A box
/// that spans several strips is in each of them, with the [`COPY_FLAG`] in all but the first.
#[derive(Debug, Default)]
pub(super) struct CellSort {
    indices: Vec<u32>,
    /// The start of each cell in `indices`, and the end of the last one.
    starts: Vec<u32>,
    grid: StripGrid,
    cells: BoxCells,
    adaptive: AdaptiveCells,
    /// `true` if the cells are the adaptive ones. Then the cells of the grid are their parts.
    is_adaptive: bool,
}

impl CellSort {
    /// Sorts boxes by the strips of a grid, and within each by its cells; or by adaptive cells, if most of the
    /// grid's would stay empty.
    pub fn sort(&mut self, grid: &StripGrid, boxes: &[BoxEntry]) {
        let strips = grid.strips();
        if grid.columns() * strips < SPARSE * boxes.len() {
            return self.sort_by_grid(grid, boxes);
        }
        let max_blocks = StripGrid::MAX_CELLS / AdaptiveCells::PARTS / strips;
        let blocks = (boxes.len() / BOXES_PER_BLOCK / strips).clamp(1, max_blocks);
        let grid = StripGrid { x: grid.x.with_len(blocks * AdaptiveCells::PARTS), y: grid.y };
        find_cells(&grid, boxes, &mut self.cells);
        (self.grid, self.is_adaptive) = (grid, true);
        let blocks = grid.columns() / AdaptiveCells::PARTS * strips;
        let cells = self.adaptive.divide(blocks, &self.cells);
        self.counting_sort(cells);
    }

    fn sort_by_grid(&mut self, grid: &StripGrid, boxes: &[BoxEntry]) {
        find_cells(grid, boxes, &mut self.cells);
        (self.grid, self.is_adaptive) = (*grid, false);
        self.counting_sort(grid.cell_count());
    }

    fn counting_sort(&mut self, cells: usize) {
        // 1. Count the boxes in each cell.
        self.starts.clear();
        self.starts.resize(cells + 1, 0);
        let counts = &mut self.starts[1..];
        if self.is_adaptive {
            self.adaptive.replace_parts(&mut self.cells, |cell| counts[cell as usize] += 1);
        } else {
            let BoxCells { firsts, copies } = &self.cells;
            firsts.iter().for_each(|&cell| counts[cell as usize] += 1);
            copies.iter().for_each(|&[cell, _]| counts[cell as usize] += 1);
        }

        // 2. An exclusive prefix sum turns counts into starts.
        let mut total = 0;
        for count in &mut *counts {
            (*count, total) = (total, total + *count);
        }
        let total = total as usize;
        if self.indices.len() < total {
            self.indices.resize(total, 0);
        }

        // 3. Write each index to its cell. This turns the start of each cell into its end, which is the start of
        //    the next: that is why the counts are at an offset of one.
        let (nexts, indices) = (counts, &mut self.indices[..total]);
        let mut write = |cell: u32, index: u32| {
            let next = &mut nexts[cell as usize];
            let to = *next;
            *next += 1; // before the index is written, so that the CPU need not wait for that
            indices[to as usize] = index;
        };
        let BoxCells { firsts, copies } = &self.cells;
        (0..).zip(firsts).for_each(|(index, &cell)| write(cell, index));
        copies.iter().for_each(|&[cell, index]| write(cell, index | COPY_FLAG));
    }

    /// Returns the indices of all strips.
    pub fn indices(&self) -> &[u32] {
        &self.indices[..self.starts.last().map_or(0, |&end| end as usize)]
    }

    /// Returns which of the indices are in a strip.
    #[inline]
    pub fn strip(&self, strip: usize) -> Range<usize> {
        let columns = self.grid.columns();
        let [first, end] =
            [strip * columns, (strip + 1) * columns].map(|cell| match self.is_adaptive {
                true => self.adaptive.cell(cell as u32) as usize,
                false => cell,
            });
        self.starts[first] as usize..self.starts[end] as usize
    }

    /// Computes the end of the boxes that each box of a strip has to be tested against. Returns the number of
    /// tests.
    pub fn find_ends(&self, strip: usize, boxes: &BoxColumns, ends: &mut Vec<u32>) -> u64 {
        let first = (strip * self.grid.columns()) as u32;
        let start = self.strip(strip).start as u32;
        let cell_end = |cell: u32| self.starts[cell as usize + 1];
        if self.is_adaptive {
            let part_end = |part| cell_end(self.adaptive.cell(first + part));
            find_ends(boxes, &self.grid.x, start, part_end, ends)
        } else {
            find_ends(boxes, &self.grid.x, start, |cell| cell_end(first + cell), ends)
        }
    }
}

/// Divides each strip into blocks, and each block into as many cells as boxes begin in it. In clustered
/// scenes, most of the plane is empty, and uniform cells that are fine enough for the clusters would be far
/// too many.
///
/// A block consists of [`PARTS`](Self::PARTS) parts, the cells of a uniform grid. A cell is one part or
/// several.
#[derive(Debug, Default)]
struct AdaptiveCells(Vec<Block>);

#[derive(Clone, Copy, Debug, Default)]
struct Block {
    first_cell: u32,
    cell_count: u32,
}

impl AdaptiveCells {
    /// The number of parts of a block, and its maximum number of cells.
    const PARTS: usize = 256;

    /// Returns the cell of a part. For the part after the last, this is the cell after the last.
    #[inline(always)]
    fn cell(&self, part: u32) -> u32 {
        let Block { first_cell, cell_count } = self.0[part as usize / Self::PARTS];
        first_cell + part % Self::PARTS as u32 * cell_count / Self::PARTS as u32
    }

    /// Replaces the parts in which boxes begin by their cells, and visits each.
    fn replace_parts(&self, parts: &mut BoxCells, mut visit: impl FnMut(u32)) {
        let mut replace = |part: &mut u32| {
            *part = self.cell(*part);
            visit(*part);
        };
        parts.firsts.iter_mut().for_each(&mut replace);
        parts.copies.iter_mut().for_each(|[part, _]| replace(part));
    }

    /// Divides `count` blocks, given the parts in which boxes begin. Returns the number of cells.
    fn divide(&mut self, count: usize, parts: &BoxCells) -> usize {
        self.0.clear();
        self.0.resize(count + 1, Block::default());
        for &part in parts.firsts.iter().chain(parts.copies.iter().map(|[part, _]| part)) {
            self.0[part as usize / Self::PARTS].cell_count += 1;
        }
        let mut first_cell = 0;
        for block in &mut self.0 {
            let cell_count = block.cell_count.clamp(1, Self::PARTS as u32);
            *block = Block { first_cell, cell_count };
            first_cell += cell_count;
        }
        first_cell as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad::packed_bvh::tests::Random;
    use carom_simd::{AxisCells, gather};

    #[test]
    fn clusters_are_sorted_as_well_by_far_fewer_adaptive_cells() {
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
        let (mut adaptive, mut uniform) = (CellSort::default(), CellSort::default());
        adaptive.sort(&grid, &boxes);
        uniform.sort_by_grid(&grid, &boxes);
        assert!(adaptive.is_adaptive && adaptive.starts.len() < uniform.starts.len() / 50);
        assert_eq!(adaptive.indices().len(), uniform.indices().len());

        let (mut strip_boxes, mut ends, mut tests) = (BoxColumns::new(), Vec::new(), [0; 2]);
        for (sort, tests) in [adaptive, uniform].iter().zip(&mut tests) {
            for strip in 0..grid.strips() {
                gather(&mut strip_boxes, &boxes, &sort.indices()[sort.strip(strip)]);
                sort.find_ends(strip, &strip_boxes, &mut ends);
                for (i, &end) in ends.iter().enumerate() {
                    let right = strip_boxes.max_x()[i];
                    assert!(strip_boxes.min_x()[end as usize..].iter().all(|&left| left > right));
                    *tests += end as usize - i;
                }
            }
        }
        assert!(tests[0] < tests[1] * 2, "{tests:?}");
    }

    #[test]
    fn a_block_has_as_many_cells_as_boxes_in_ascending_order() {
        let mut adaptive = AdaptiveCells::default();
        let first_block = 0..300; // more boxes than a block can have cells
        let mut parts =
            BoxCells { firsts: first_block.map(|i| i % 256).collect(), copies: Vec::new() };
        parts.firsts.extend([3 * 256, 3 * 256 + 100, 3 * 256 + 255]);
        parts.copies.extend([[4 * 256, 1], [4 * 256 + 1, 2]]);
        assert_eq!(adaptive.divide(5, &parts), 256 + 1 + 1 + 3 + 2 + 1);
        let cells: Vec<u32> = (0..=5 * 256).map(|part| adaptive.cell(part)).collect();
        assert!(cells.is_sorted());
        assert_eq!([3, 4, 5].map(|block| cells[block * 256]), [258, 261, 263]);
        assert_eq!([100, 255].map(|part| cells[3 * 256 + part]), [259, 260]);
    }
}
