//! The cells of a grid as bits: rectangles of full or empty cells, tested 64 cells at a time.

use core::ops::{ControlFlow, Range};

use alloc::vec::Vec;

use super::NeighborCover;
use crate::shape::bitmap::{BLOCK, span_bits};
use crate::shape::parts::Part;

/// A grid that reports its full and its empty cells as bits.
pub(crate) trait CellBits: NeighborCover {
    /// Returns the ranges of columns and rows outside of which all cells are empty.
    fn used_range(&self) -> (Range<u32>, Range<u32>);

    /// Returns the full cells of a row in a block of 64 columns, one bit each.
    fn full_bits(&self, row: u32, across: u32) -> u64;

    /// Returns the cells of a row in a block of 64 columns that are not empty, one bit each.
    fn used_bits(&self, row: u32, across: u32) -> u64;

    /// Returns the number of full cells, and of those that are not empty, in a block of 64 by 64
    /// cells.
    fn block_counts(&self, across: u32, down: u32) -> [u16; 2];

    /// Calls `visit` with the parts of a row in a range of columns, until it returns `Break`.
    fn visit_row_parts(
        &self,
        row: u32,
        columns: Range<u32>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()>;
}

/// A range of columns or rows, all of which, or any of which, must be full.
#[derive(Clone, Debug)]
pub(crate) enum Lanes {
    All(Range<u32>),
    Any(Range<u32>),
}

impl dyn CellBits + '_ {
    /// Returns `true` if the cells of some of the columns and rows are all full: if both ranges are
    /// `All`, a rectangle; if one is `Any`, a column or row of it; if both are, a cell.
    pub fn has_full(&self, columns: &Lanes, rows: &Lanes) -> bool {
        let words = |columns: &Range<u32>| columns.start / BLOCK..columns.end.div_ceil(BLOCK);
        let is_full = |row: u32, columns: &Range<u32>| {
            words(columns).all(|across| {
                let in_range = span_bits(columns, across);
                self.full_bits(row, across) & in_range == in_range
            })
        };
        let (Lanes::All(column_range) | Lanes::Any(column_range)) = columns;
        let (Lanes::All(row_range) | Lanes::Any(row_range)) = rows;
        if column_range.is_empty() || row_range.is_empty() {
            return false;
        }
        match (columns, rows) {
            (Lanes::All(columns), Lanes::All(rows)) => self.is_rectangle_full(columns, rows),
            (Lanes::All(columns), Lanes::Any(rows)) => {
                rows.clone().any(|row| is_full(row, columns))
            }
            (Lanes::Any(columns), Lanes::All(rows)) => words(columns).any(|across| {
                let mut bits = span_bits(columns, across);
                for row in rows.clone() {
                    bits &= self.full_bits(row, across);
                    if bits == 0 {
                        return false;
                    }
                }
                true
            }),
            (Lanes::Any(columns), Lanes::Any(rows)) => rows.clone().any(|row| {
                words(columns)
                    .any(|across| self.full_bits(row, across) & span_bits(columns, across) != 0)
            }),
        }
    }

    fn is_rectangle_full(&self, columns: &Range<u32>, rows: &Range<u32>) -> bool {
        blocks(columns, rows).all(|(across, down, mut rows)| {
            let in_range = span_bits(columns, across);
            let [full, _] = self.block_counts(across, down);
            u32::from(full) == BLOCK * BLOCK
                || rows.all(|row| self.full_bits(row, across) & in_range == in_range)
        })
    }

    /// Returns `true` if some cell of a rectangle is not empty.
    pub fn is_used(&self, columns: &Range<u32>, rows: &Range<u32>) -> bool {
        blocks(columns, rows).any(|(across, down, mut rows)| {
            let in_range = span_bits(columns, across);
            let [_, used] = self.block_counts(across, down);
            used != 0 && rows.any(|row| self.used_bits(row, across) & in_range != 0)
        })
    }

    /// Returns a rectangle without its outermost columns and rows that are empty, or `None` if all
    /// cells are empty. A large rectangle is returned as it is, since that would cost too much.
    pub fn shrunk(
        &self,
        columns: Range<u32>,
        rows: Range<u32>,
    ) -> Option<(Range<u32>, Range<u32>)> {
        if columns.is_empty() || !self.is_used(&columns, &rows) {
            return None;
        }
        let first = columns.start / BLOCK;
        if columns.end > (first + 1) * BLOCK || rows.len() > BLOCK as usize {
            return Some((columns, rows));
        }
        let in_range = span_bits(&columns, first);
        let (mut any, mut used_rows) = (0, rows.end..rows.end);
        for row in rows {
            let bits = self.used_bits(row, first) & in_range;
            if bits != 0 {
                any |= bits;
                used_rows = used_rows.start.min(row)..row + 1;
            }
        }
        let start = first * BLOCK;
        Some((start + any.trailing_zeros()..start + BLOCK - any.leading_zeros(), used_rows))
    }

    /// Returns disjoint squares of full cells, as ranges of columns and rows: the largest of those
    /// that a quadtree divides the full cells into, at most `limit`.
    pub fn full_squares(&self, limit: usize) -> Vec<(Range<u32>, Range<u32>)> {
        let (columns, rows) = self.used_range();
        let side = (columns.len().max(rows.len()) as u32).next_power_of_two();
        let mut squares = Vec::new();
        // 1. Divide squares that are neither full nor empty, level by level, so that the largest
        //    come first. A level has many squares only along the boundary.
        let mut level = alloc::vec![(columns.start, rows.start)];
        let mut size = side;
        while size > 0 && squares.len() < limit && level.len() <= 16 * limit {
            let mut next = Vec::new();
            for (x, y) in level {
                let clipped_columns = x..(x + size).min(columns.end);
                let clipped_rows = y..(y + size).min(rows.end);
                let has_full = |lanes: fn(Range<u32>) -> Lanes| {
                    self.has_full(&lanes(clipped_columns.clone()), &lanes(clipped_rows.clone()))
                };
                if has_full(Lanes::All) {
                    squares.push((clipped_columns, clipped_rows));
                } else if size > 1 && has_full(Lanes::Any) {
                    let half = size / 2;
                    next.extend([(x, y), (x + half, y), (x, y + half), (x + half, y + half)]);
                }
            }
            // 2. Squares that begin outside the used cells are empty.
            next.retain(|&(x, y)| x < columns.end && y < rows.end);
            level = next;
            size /= 2;
        }
        squares.truncate(limit);
        squares
    }
}

/// Returns the blocks of 64 by 64 cells that a rectangle intersects: the column and the row of each
/// block, and the rows of the rectangle in it.
fn blocks(columns: &Range<u32>, rows: &Range<u32>) -> impl Iterator<Item = (u32, u32, Range<u32>)> {
    let across = columns.start / BLOCK..columns.end.div_ceil(BLOCK);
    let rows = rows.clone();
    (rows.start / BLOCK..rows.end.div_ceil(BLOCK)).flat_map(move |down| {
        let band = rows.start.max(down * BLOCK)..rows.end.min((down + 1) * BLOCK);
        across.clone().map(move |across| (across, down, band.clone()))
    })
}
