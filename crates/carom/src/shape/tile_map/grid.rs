//! The cells of a tile map, and which of its rows and columns have tiles in them.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::kind::TileKind;
use super::numbers::Numbers;
use crate::shape::grid::Cell;

/// A byte (two, with more than 256 kinds) and two bits a cell, and a count for each row and column.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Grid {
    columns: u32,
    rows: u32,
    pub numbers: Numbers,
    /// Row by row.
    pub blocks: Vec<Block>,
    pub kinds: Vec<TileKind>,
    in_column: Vec<u32>,
    in_row: Vec<u32>,
    /// From the first column that is not empty to the last, and the same for rows.
    pub used_columns: Range<u32>,
    pub used_rows: Range<u32>,
}

/// CellGrid side by side, a bit each: what most games ask of a cell, in little memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Block {
    /// Those that are full.
    full: u64,
    /// Those that are neither full nor empty.
    odd: u64,
}

/// How many cells a block has.
const BLOCK: u32 = u64::BITS;

impl Grid {
    pub fn new(columns: u32, rows: u32) -> Self {
        Self {
            columns,
            rows,
            numbers: Numbers::new(columns as usize * rows as usize),
            blocks: vec![Block::default(); columns.div_ceil(BLOCK) as usize * rows as usize],
            kinds: vec![TileKind::EMPTY, TileKind::SOLID],
            in_column: vec![0; columns as usize],
            in_row: vec![0; rows as usize],
            used_columns: 0..0,
            used_rows: 0..0,
        }
    }

    pub fn size(&self) -> (u32, u32) {
        (self.columns, self.rows)
    }

    fn place(&self, cell: Cell) -> usize {
        cell.row as usize * self.columns as usize + cell.column as usize
    }

    pub fn holds(&self, cell: Cell) -> bool {
        cell.column < self.columns && cell.row < self.rows
    }

    /// The kind of a cell within the grid, by its number.
    #[inline]
    pub fn get(&self, cell: Cell) -> u16 {
        self.numbers.get(self.place(cell))
    }

    /// The kind of any cell: outside the grid all are empty.
    #[inline]
    pub fn kind(&self, cell: Cell) -> &TileKind {
        let number = if self.holds(cell) { self.get(cell) } else { 0 };
        &self.kinds[usize::from(number)]
    }

    /// Where the block of a column is.
    #[inline]
    fn block_at(&self, row: u32, column: u32) -> usize {
        row as usize * self.columns.div_ceil(BLOCK) as usize + (column / BLOCK) as usize
    }

    /// Whether a cell within the grid is full.
    #[inline]
    pub fn is_full(&self, cell: Cell) -> bool {
        let block = &self.blocks[self.block_at(cell.row, cell.column)];
        block.full >> (cell.column % BLOCK) & 1 == 1
    }

    /// Whether a cell within the grid is empty.
    #[inline]
    pub fn is_empty(&self, cell: Cell) -> bool {
        let block = &self.blocks[self.block_at(cell.row, cell.column)];
        (block.full | block.odd) >> (cell.column % BLOCK) & 1 == 0
    }

    /// Visits the runs of full cells in some rows and columns, row by row, each from its first column
    /// up to another. Whether the rest are empty.
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
            return rows.all(|row| self.visit_full_far(row, columns, |a, b| visit(row, a, b)));
        }
        // All in one block, as most are.
        let asked = u64::MAX << (columns.start - first) & u64::MAX >> (first + BLOCK - columns.end);
        let (mut at, across) =
            (self.block_at(rows.start, first), self.columns.div_ceil(BLOCK) as usize);
        rows.all(|row| {
            let Block { full, odd } = self.blocks[at];
            at += across;
            let mut full = full & asked;
            while full != 0 {
                let start = full.trailing_zeros();
                let after = full.wrapping_add(1 << start); // carries through the run
                visit(row, first + start, first + after.trailing_zeros());
                full &= after;
            }
            odd & asked == 0
        })
    }

    /// The same for one row, through any number of blocks.
    fn visit_full_far(
        &self,
        row: u32,
        columns: &Range<u32>,
        mut visit: impl FnMut(u32, u32),
    ) -> bool {
        // The last run is kept: it may go on in the next block.
        let mut run = columns.start..columns.start;
        for at in columns.start / BLOCK..columns.end.div_ceil(BLOCK) {
            let first = at * BLOCK;
            let Block { full, odd } = self.blocks[self.block_at(row, first)];
            let (from, to) = (columns.start.max(first) - first, (columns.end - first).min(BLOCK));
            let asked = u64::MAX << from & u64::MAX >> (BLOCK - to);
            if odd & asked != 0 {
                return false;
            }
            let mut full = full & asked;
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

    pub fn set(&mut self, cell: Cell, number: u16) -> u16 {
        let place = self.place(cell);
        let before = self.numbers.replace(place, number);
        let kind = &self.kinds[usize::from(number)];
        let (full, odd) = (kind.is_solid(), !kind.is_solid() && !kind.is_empty());
        let (block, at) = (self.block_at(cell.row, cell.column), cell.column % BLOCK);
        let block = &mut self.blocks[block];
        for (bits, is_set) in [(&mut block.full, full), (&mut block.odd, odd)] {
            *bits = *bits & !(1 << at) | u64::from(is_set) << at;
        }
        let is_empty = |number: u16| self.kinds[usize::from(number)].is_empty();
        match (is_empty(before), is_empty(number)) {
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

    /// The number of a kind, which is added if it is new.
    pub fn number_of(&mut self, kind: TileKind) -> u16 {
        let known = self.kinds.iter().position(|other| *other == kind);
        let number = known.unwrap_or_else(|| {
            self.kinds.push(kind);
            self.kinds.len() - 1
        });
        let number = u16::try_from(number).expect("a tile map takes 65536 kinds");
        self.numbers.make_room_for(number);
        number
    }
}

fn count_in(counts: &mut [u32], used: &mut Range<u32>, place: u32) {
    counts[place as usize] += 1;
    *used = if used.start == used.end {
        place..place + 1
    } else {
        used.start.min(place)..used.end.max(place + 1)
    };
}

/// Where an outermost row or column has become empty, the next one that is not is looked for.
fn count_out(counts: &mut [u32], used: &mut Range<u32>, place: u32) {
    counts[place as usize] -= 1;
    while used.start < used.end && counts[used.start as usize] == 0 {
        used.start += 1;
    }
    while used.start < used.end && counts[used.end as usize - 1] == 0 {
        used.end -= 1;
    }
}
