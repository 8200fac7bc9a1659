//! The convex parts of a mask: runs of set pixels, or single pixels.
//!
//! Pixels are joined only within a word of 64, so that a mask always has the same parts; and only
//! in an axis-aligned mask, where the box has no other vertices than its pixels.

use core::ops::{ControlFlow, Range};

use glam::Vec2;

use super::Mask;
use crate::shape::Aabb;
use crate::shape::bitmap::{BLOCK, ones, runs, span_bits};
use crate::shape::convex::{ConvexBuffer, with_convex};
use crate::shape::grid::{
    Cell, CellBits, CellCover, CellGrid, CellSide, GridPlacement, GridTransform, NeighborCover, Run,
};
use crate::shape::parts::{BoundaryEdges, Part, QueryRegion};

/// Some bits of a word: its row, its index, and the bits.
#[derive(Clone, Copy)]
struct Bits {
    row: u32,
    across: u32,
    bits: u64,
}

impl Mask {
    /// Visits the set pixels near a region, block by block. Clear blocks are skipped.
    #[inline]
    fn visit_bits<B>(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Bits) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (columns, rows) = self.used();
        let region = CellCover::new(&self.placement.transform, near, columns, rows);
        let CellCover { columns, rows, .. } = &region;
        if columns.is_empty() || rows.is_empty() {
            return ControlFlow::Continue(());
        }
        for down in rows.start / BLOCK..rows.end.div_ceil(BLOCK) {
            let band = rows.start.max(down * BLOCK)..rows.end.min((down + 1) * BLOCK);
            for across in columns.start / BLOCK..columns.end.div_ceil(BLOCK) {
                if self.pixels.count_in_block(across, down) == 0 {
                    continue;
                }
                let in_all_rows = span_bits(columns, across);
                for row in band.clone() {
                    let word = self.pixels.row(row)[across as usize];
                    if word & in_all_rows == 0 {
                        continue;
                    }
                    let bits = if region.has_edges() {
                        span_bits(&region.columns_in(row), across)
                    } else {
                        in_all_rows
                    };
                    visit(Bits { row, across, bits })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the parts near a region.
    #[inline]
    pub(crate) fn visit_runs<B>(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Run<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let joins = self.placement.is_axis_aligned();
        self.visit_bits(near, &mut |bits| self.visit_word(bits, joins, visit))
    }

    /// Visits runs of pixels near a region as convex parts. Apart from rounding, their union is
    /// that of the parts. The mask may be rotated.
    pub(crate) fn visit_bulk<B>(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut visit_run = |run: Run<'_>| self.visit_run(run, visit);
        self.visit_bits(near, &mut |bits| self.visit_word(bits, true, &mut visit_run))
    }

    /// Visits the runs of a word that include some of the given bits, or the single pixels if the
    /// mask is rotated.
    #[inline]
    fn visit_word<B>(
        &self,
        Bits { row, across, bits }: Bits,
        joins: bool,
        visit: &mut dyn FnMut(Run<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let word = self.pixels.row(row)[across as usize];
        let first = across * BLOCK;
        let run = |range: Range<u32>| Run {
            grid: self,
            row,
            start: first + range.start,
            end: first + range.end,
        };
        if !joins {
            return ones(word & bits).try_for_each(|bit| visit(run(bit..bit + 1)));
        }
        runs(word)
            .filter(|range| span_bits(range, 0) & bits != 0)
            .try_for_each(|range| visit(run(range)))
    }

    #[inline]
    fn visit_run<B>(
        &self,
        run: Run<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        #[cfg(test)]
        crate::operation_count::add(1);
        let boundary = BoundaryEdges::Cells(run);
        if self.placement.is_axis_aligned() {
            let mut buffer = ConvexBuffer::new();
            let convex = run.run_box();
            return visit(Part {
                convex: convex.as_convex(&mut buffer),
                boundary,
                one_way_direction: None,
            });
        }
        let (first, last) = (Cell::new(run.start, run.row), Cell::new(run.end - 1, run.row));
        let ([a, _, _, d], [_, b, c, _]) =
            (self.placement.corners(first), self.placement.corners(last));
        let mut corners = [a, b, c, d];
        if self.placement.flip.reverses() {
            corners.reverse(); // counterclockwise again
        }
        with_convex(corners.into_iter().collect(), 0.0, |convex| {
            visit(Part { convex, boundary, one_way_direction: None })
        })
    }

    /// Visits the parts whose bounds pass the test, block by block.
    pub(crate) fn visit_parts_where<B>(
        &self,
        passes: &mut dyn FnMut(&Aabb) -> bool,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let ((columns, rows), joins) = (self.used(), self.placement.is_axis_aligned());
        for down in rows.start / BLOCK..rows.end.div_ceil(BLOCK) {
            let band = rows.start.max(down * BLOCK)..rows.end.min((down + 1) * BLOCK);
            for across in columns.start / BLOCK..columns.end.div_ceil(BLOCK) {
                let block = across * BLOCK..columns.end.min((across + 1) * BLOCK);
                if self.pixels.count_in_block(across, down) == 0
                    || !passes(&self.placement.transform.bounds_of(&block, &band))
                {
                    continue;
                }
                for row in band.clone() {
                    self.visit_word(Bits { row, across, bits: !0 }, joins, &mut |run| {
                        if passes(&run.bounds()) {
                            self.visit_run(run, visit)
                        } else {
                            ControlFlow::Continue(())
                        }
                    })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the set pixels of a word whose neighbor at a side is clear.
    fn open_bits(&self, row: u32, across: u32, side: CellSide) -> u64 {
        let words = self.pixels.row(row);
        let word = words[across as usize];
        let word_at = |across: Option<u32>| {
            across.and_then(|across| words.get(across as usize)).copied().unwrap_or(0)
        };
        let row_at = |row: Option<u32>| {
            let row = row.filter(|&row| row < self.pixels.height());
            row.map_or(0, |row| self.pixels.row(row)[across as usize])
        };
        let beside = match side {
            CellSide::Right => word >> 1 | word_at(across.checked_add(1)) << (BLOCK - 1),
            CellSide::Left => word << 1 | word_at(across.checked_sub(1)) >> (BLOCK - 1),
            CellSide::Top => row_at(row.checked_add(1)),
            CellSide::Bottom => row_at(row.checked_sub(1)),
        };
        word & !beside
    }
}

impl CellGrid for Mask {
    fn placement(&self) -> &GridPlacement {
        &self.placement
    }

    fn used(&self) -> (Range<u32>, Range<u32>) {
        self.pixels.used()
    }

    #[inline]
    fn visit_parts_in<B>(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_runs(near, &mut |run| self.visit_run(run, visit))
    }

    fn visit_cell<B>(
        &self,
        cell: Cell,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if !self.pixels.get(cell) {
            return ControlFlow::Continue(());
        }
        let run = Run { grid: self, row: cell.row, start: cell.column, end: cell.column + 1 };
        self.visit_run(run, visit)
    }

    fn visit_edges<B>(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Vec2, Vec2) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_bits(near, &mut |Bits { row, across, bits }| {
            for (i, side) in CellSide::ALL.into_iter().enumerate() {
                ones(self.open_bits(row, across, side) & bits).try_for_each(|bit| {
                    let corners = self.placement.corners(Cell::new(across * BLOCK + bit, row));
                    let (start, end) = self.placement.wound(corners[i], corners[(i + 1) % 4]);
                    visit(start, end)
                })?;
            }
            ControlFlow::Continue(())
        })
    }
}

impl NeighborCover for Mask {
    fn transform(&self) -> &GridTransform {
        &self.placement.transform
    }

    fn covers_side(&self, cell: Cell, side: CellSide, _: (f64, f64), _: f64) -> bool {
        cell.next(side).is_some_and(|cell| self.pixels.get(cell))
    }
}

impl CellBits for Mask {
    fn used_range(&self) -> (Range<u32>, Range<u32>) {
        self.pixels.used()
    }

    #[inline]
    fn full_bits(&self, row: u32, across: u32) -> u64 {
        self.pixels.row(row)[across as usize]
    }

    #[inline]
    fn used_bits(&self, row: u32, across: u32) -> u64 {
        self.full_bits(row, across)
    }

    #[inline]
    fn block_counts(&self, across: u32, down: u32) -> [u16; 2] {
        [self.pixels.count_in_block(across, down) as u16; 2] // at most 64 times 64
    }

    fn visit_row_parts(
        &self,
        row: u32,
        columns: Range<u32>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let joins = self.placement.is_axis_aligned();
        (columns.start / BLOCK..columns.end.div_ceil(BLOCK)).try_for_each(|across| {
            let bits = Bits { row, across, bits: span_bits(&columns, across) };
            self.visit_word(bits, joins, &mut |run| self.visit_run(run, visit))
        })
    }
}
