//! BoxCells that are finer where there are more boxes.

use alloc::vec::Vec;

use carom_simd::BoxCells;

/// Divides a strip into blocks, and each block into as many cells as boxes begin in it: where they come in
/// clusters, most of the plane is empty, and cells that are fine enough for the clusters would
/// be far too many everywhere.
///
/// Boxes are placed by parts of blocks, of which a cell takes one or several.
#[derive(Debug, Default)]
pub(super) struct Blocks(Vec<Block>);

#[derive(Clone, Copy, Debug, Default)]
struct Block {
    /// Its first cell.
    first: u32,
    /// How many cells it has.
    cells: u32,
}

impl Blocks {
    /// So many parts has a block, and at most so many cells.
    pub const PARTS: usize = 256;

    /// The cell of a part. That of the part behind the last is behind the last.
    #[inline(always)]
    pub fn cell(&self, part: u32) -> u32 {
        let Block { first, cells } = self.0[part as usize / Self::PARTS];
        first + part % Self::PARTS as u32 * cells / Self::PARTS as u32
    }

    /// Replaces the parts in which boxes begin by their cells, and shows each.
    pub fn replace_parts(&self, parts: &mut BoxCells, mut visit: impl FnMut(u32)) {
        let mut replace = |part: &mut u32| {
            *part = self.cell(*part);
            visit(*part);
        };
        parts.firsts.iter_mut().for_each(&mut replace);
        parts.copies.iter_mut().for_each(|[part, _]| replace(part));
    }

    /// Divides so many blocks by the parts in which boxes begin. Gives the number of cells.
    pub fn divide(&mut self, count: usize, parts: &BoxCells) -> usize {
        self.0.clear();
        self.0.resize(count + 1, Block::default());
        for &part in parts.firsts.iter().chain(parts.copies.iter().map(|[part, _]| part)) {
            self.0[part as usize / Self::PARTS].cells += 1;
        }
        let mut first = 0;
        for block in &mut self.0 {
            let cells = block.cells.clamp(1, Self::PARTS as u32);
            *block = Block { first, cells };
            first += cells;
        }
        first as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_as_many_cells_as_boxes_and_they_never_descend() {
        let mut blocks = Blocks::default();
        let first_block = 0..300; // more than a block can have cells
        let mut parts =
            BoxCells { firsts: first_block.map(|i| i % 256).collect(), copies: Vec::new() };
        parts.firsts.extend([3 * 256, 3 * 256 + 100, 3 * 256 + 255]);
        parts.copies.extend([[4 * 256, 1], [4 * 256 + 1, 2]]);
        assert_eq!(blocks.divide(5, &parts), 256 + 1 + 1 + 3 + 2 + 1);
        let cells: Vec<u32> = (0..=5 * 256).map(|part| blocks.cell(part)).collect();
        assert!(cells.is_sorted());
        assert_eq!([3, 4, 5].map(|block| cells[block * 256]), [258, 261, 263]);
        assert_eq!([100, 255].map(|part| cells[3 * 256 + part]), [259, 260]);
    }
}
