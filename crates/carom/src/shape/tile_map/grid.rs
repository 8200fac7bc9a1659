//! The cells of a tile map, and the bounds of those that are not empty.

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::kind::TileKind;
use super::kind_ids::KindIds;
use crate::shape::grid::Cell;

/// The cells: one byte (two with more than 256 kinds) and two bits each, and a count for each row and
/// column.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Grid {
    columns: u32,
    rows: u32,
    pub kind_ids: KindIds,
    /// The blocks, row by row.
    pub blocks: Vec<Block>,
    /// The number of full cells, and of those that are not empty, in each square of 64 by 64 cells,
    /// row by row.
    in_square: Vec<[u16; 2]>,
    pub kinds: Vec<TileKind>,
    /// The fingerprint and index of every kind, so that a kind is found without comparing all.
    fingerprints: BTreeSet<(u64, u16)>,
    pub has_one_way_kind: bool,
    in_column: Vec<u32>,
    in_row: Vec<u32>,
    /// The range of columns that are not empty. `rows` is the range of rows.
    pub used_columns: Range<u32>,
    pub used_rows: Range<u32>,
}

/// A block of cells in a row, with one bit per cell in each mask, for the tests that most queries
/// need.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Block {
    /// The full cells.
    full: u64,
    /// The cells that are neither full nor empty.
    partial: u64,
}

/// The number of cells in a block.
const BLOCK: u32 = u64::BITS;

impl Grid {
    pub fn new(columns: u32, rows: u32) -> Self {
        Self {
            columns,
            rows,
            kind_ids: KindIds::new(columns as usize * rows as usize),
            blocks: vec![Block::default(); columns.div_ceil(BLOCK) as usize * rows as usize],
            in_square: vec![
                [0; 2];
                columns.div_ceil(BLOCK) as usize * rows.div_ceil(BLOCK) as usize
            ],
            fingerprints: [
                (TileKind::EMPTY.fingerprint(), super::TileMap::EMPTY),
                (TileKind::SOLID.fingerprint(), super::TileMap::SOLID),
            ]
            .into(),
            kinds: vec![TileKind::EMPTY, TileKind::SOLID],
            has_one_way_kind: false,
            in_column: vec![0; columns as usize],
            in_row: vec![0; rows as usize],
            used_columns: 0..0,
            used_rows: 0..0,
        }
    }

    pub fn size(&self) -> (u32, u32) {
        (self.columns, self.rows)
    }

    fn index(&self, cell: Cell) -> usize {
        cell.row as usize * self.columns as usize + cell.column as usize
    }

    pub fn contains(&self, cell: Cell) -> bool {
        cell.column < self.columns && cell.row < self.rows
    }

    /// Returns the index of the kind of a cell within the grid.
    #[inline]
    pub fn get(&self, cell: Cell) -> u16 {
        self.kind_ids.get(self.index(cell))
    }

    /// Returns the kind of any cell; the empty kind outside the grid.
    #[inline]
    pub fn kind(&self, cell: Cell) -> &TileKind {
        let id = if self.contains(cell) { self.get(cell) } else { 0 };
        &self.kinds[usize::from(id)]
    }

    /// Returns the index of the block of a column.
    #[inline]
    fn block_at(&self, row: u32, column: u32) -> usize {
        row as usize * self.columns.div_ceil(BLOCK) as usize + (column / BLOCK) as usize
    }

    /// Returns `true` if a cell within the grid is full.
    #[inline]
    pub fn is_full(&self, cell: Cell) -> bool {
        let block = &self.blocks[self.block_at(cell.row, cell.column)];
        block.full >> (cell.column % BLOCK) & 1 == 1
    }

    /// Returns `true` if a cell within the grid is empty.
    #[inline]
    pub fn is_empty(&self, cell: Cell) -> bool {
        let block = &self.blocks[self.block_at(cell.row, cell.column)];
        (block.full | block.partial) >> (cell.column % BLOCK) & 1 == 0
    }

    /// Returns the full cells of a block, and those that are neither full nor empty, one bit each.
    #[inline]
    pub fn bits(&self, row: u32, across: u32) -> [u64; 2] {
        let Block { full, partial } = self.blocks[self.block_at(row, across * BLOCK)];
        [full, partial]
    }

    /// Returns the number of full cells, and of those that are not empty, in a square of 64 by 64
    /// cells.
    #[inline]
    pub fn counts_in_square(&self, across: u32, down: u32) -> [u16; 2] {
        self.in_square[self.block_at(down, across * BLOCK)]
    }

    /// Visits the runs of full cells in a range of rows and columns, row by row. Returns `true` if
    /// the other cells are empty.
    #[inline]
    pub fn visit_full(
        &self,
        mut rows: Range<u32>,
        columns: &Range<u32>,
        mut visit: impl FnMut(u32, u32, u32),
    ) -> bool {
        if columns.is_empty() {
            return true;
        }
        let first = columns.start / BLOCK * BLOCK;
        if columns.end > first + BLOCK {
            return rows.all(|row| self.visit_full_in_row(row, columns, |a, b| visit(row, a, b)));
        }
        // All in one block, the most common case.
        let in_range =
            u64::MAX << (columns.start - first) & u64::MAX >> (first + BLOCK - columns.end);
        let (mut at, across) =
            (self.block_at(rows.start, first), self.columns.div_ceil(BLOCK) as usize);
        rows.all(|row| {
            let Block { full, partial } = self.blocks[at];
            at += across;
            let mut full = full & in_range;
            while full != 0 {
                let start = full.trailing_zeros();
                let after = full.wrapping_add(1 << start); // carries through the run
                visit(row, first + start, first + after.trailing_zeros());
                full &= after;
            }
            partial & in_range == 0
        })
    }

    /// Visits the runs of full cells in a range of columns of one row, across several blocks. Returns
    /// `true` if the other cells are empty.
    fn visit_full_in_row(
        &self,
        row: u32,
        columns: &Range<u32>,
        mut visit: impl FnMut(u32, u32),
    ) -> bool {
        // The last run is not visited yet, because it may continue in the next block.
        let mut run = columns.start..columns.start;
        for at in columns.start / BLOCK..columns.end.div_ceil(BLOCK) {
            let first = at * BLOCK;
            let Block { full, partial } = self.blocks[self.block_at(row, first)];
            let (from, to) = (columns.start.max(first) - first, (columns.end - first).min(BLOCK));
            let in_range = u64::MAX << from & u64::MAX >> (BLOCK - to);
            if partial & in_range != 0 {
                return false;
            }
            let mut full = full & in_range;
            while full != 0 {
                let start = full.trailing_zeros();
                let end = start + (full >> start).trailing_ones();
                full &= u64::MAX.checked_shl(end).unwrap_or(0);
                if run.end != first + start {
                    if !run.is_empty() {
                        visit(run.start, run.end);
                    }
                    run.start = first + start;
                }
                run.end = first + end;
            }
        }
        if !run.is_empty() {
            visit(run.start, run.end);
        }
        true
    }

    pub fn set(&mut self, cell: Cell, id: u16) -> u16 {
        let index = self.index(cell);
        let before = self.kind_ids.replace(index, id);
        let kind = &self.kinds[usize::from(id)];
        let (full, partial) = (kind.is_solid(), !kind.is_solid() && !kind.is_empty());
        let (block, at) = (self.block_at(cell.row, cell.column), cell.column % BLOCK);
        let block = &mut self.blocks[block];
        let state = |block: &Block| {
            [block.full >> at & 1, (block.full | block.partial) >> at & 1].map(|bit| bit as u16)
        };
        let old = state(block);
        for (bits, is_set) in [(&mut block.full, full), (&mut block.partial, partial)] {
            *bits = *bits & !(1 << at) | u64::from(is_set) << at;
        }
        let new = state(block);
        let square = self.block_at(cell.row / BLOCK, cell.column);
        for (i, count) in self.in_square[square].iter_mut().enumerate() {
            *count = *count + new[i] - old[i];
        }
        let is_empty = |id: u16| self.kinds[usize::from(id)].is_empty();
        match (is_empty(before), is_empty(id)) {
            (true, false) => {
                count_in(&mut self.in_column, &mut self.used_columns, cell.column);
                count_in(&mut self.in_row, &mut self.used_rows, cell.row);
            }
            (false, true) => {
                count_out(&mut self.in_column, &mut self.used_columns, cell.column);
                count_out(&mut self.in_row, &mut self.used_rows, cell.row);
            }
            _ => {}
        }
        before
    }

    /// Returns the index of a kind, which is added if it is new.
    pub fn id_of(&mut self, kind: TileKind) -> u16 {
        let fingerprint = kind.fingerprint();
        let similar = self.fingerprints.range((fingerprint, 0)..=(fingerprint, u16::MAX));
        let mut ids = similar.map(|&(_, id)| {
            #[cfg(test)]
            crate::operation_count::add(1);
            id
        });
        if let Some(id) = ids.find(|&id| self.kinds[usize::from(id)] == kind) {
            return id;
        }
        let id = u16::try_from(self.kinds.len()).expect("a tile map has at most 65536 kinds");
        self.has_one_way_kind |= kind.is_one_way();
        self.kinds.push(kind);
        self.fingerprints.insert((fingerprint, id));
        self.kind_ids.widen_for(id);
        id
    }
}

/// Counts a cell that is not empty any more, and extends the bounds to its row or column.
fn count_in(counts: &mut [u32], used: &mut Range<u32>, index: u32) {
    counts[index as usize] += 1;
    *used = if used.start == used.end {
        index..index + 1
    } else {
        used.start.min(index)..used.end.max(index + 1)
    };
}

/// Counts a cell that has become empty, and shrinks the bounds while an outermost row or column is empty.
fn count_out(counts: &mut [u32], used: &mut Range<u32>, index: u32) {
    counts[index as usize] -= 1;
    while used.start < used.end && counts[used.start as usize] == 0 {
        used.start += 1;
    }
    while used.start < used.end && counts[used.end as usize - 1] == 0 {
        used.end -= 1;
    }
}
