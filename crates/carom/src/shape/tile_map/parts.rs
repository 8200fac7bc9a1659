//! The convex parts of a tile map: runs of full tiles as one box each, all other tiles one by one.
//!
//! Tiles are joined only within fixed blocks of columns, so that a map always has the same parts;
//! and only in an axis-aligned grid, where the box has no other vertices than its tiles.

use core::ops::{ControlFlow, Range};

use glam::Vec2;
use smallvec::SmallVec;

use super::TileMap;
use crate::shape::Aabb;
use crate::shape::convex::{ConvexBuffer, with_convex};
use crate::shape::grid::{
    Cell, CellBits, CellCover, CellGrid, CellSide, GridPlacement, GridTransform, NeighborCover,
    Run, cells,
};
use crate::shape::parts::{BoundaryEdges, Part, QueryRegion};

/// The number of columns in a block.
const BLOCK: u32 = 16;

impl CellGrid for TileMap {
    fn placement(&self) -> &GridPlacement {
        &self.placement
    }

    fn used(&self) -> (Range<u32>, Range<u32>) {
        (self.grid.used_columns.clone(), self.grid.used_rows.clone())
    }

    /// Visits the parts near a region, row by row.
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
        if self.kind(cell).is_empty() {
            return ControlFlow::Continue(());
        }
        self.visit_run(self.run(cell.row, cell.column..cell.column + 1), visit)
    }

    fn visit_edges<B>(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Vec2, Vec2) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_cells(near, &mut |cell| {
            let points = self.kind(cell).points();
            let edges = if points.len() > 2 { points.len() } else { 0 };
            (0..edges).try_for_each(|i| {
                self.visit_edge(cell, points[i], points[(i + 1) % points.len()], visit)
            })
        })
    }

    fn visit_outline<B>(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Vec2, Vec2) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_edges(near, visit)?;
        self.visit_cells(near, &mut |cell| match *self.kind(cell).points() {
            [a, b] => visit(self.point_in(cell, a), self.point_in(cell, b)),
            _ => ControlFlow::Continue(()),
        })
    }
}

impl NeighborCover for TileMap {
    fn transform(&self) -> &GridTransform {
        &self.placement.transform
    }

    fn covers_side(
        &self,
        cell: Cell,
        side: CellSide,
        (from, to): (f64, f64),
        tolerance: f64,
    ) -> bool {
        self.neighbor(cell, side).and_then(|kind| kind.cover(side.opposite())).is_some_and(
            |(low, high)| low <= from.max(0.0) + tolerance && high >= to.min(1.0) - tolerance,
        )
    }
}

impl CellBits for TileMap {
    fn used_range(&self) -> (Range<u32>, Range<u32>) {
        self.used()
    }

    #[inline]
    fn full_bits(&self, row: u32, across: u32) -> u64 {
        self.grid.bits(row, across)[0]
    }

    #[inline]
    fn used_bits(&self, row: u32, across: u32) -> u64 {
        let [full, partial] = self.grid.bits(row, across);
        full | partial
    }

    #[inline]
    fn block_counts(&self, across: u32, down: u32) -> [u16; 2] {
        self.grid.counts_in_square(across, down)
    }

    fn visit_row_parts(
        &self,
        row: u32,
        columns: Range<u32>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.visit_row(row, columns, &mut |run| self.visit_run(run, visit))
    }
}

impl TileMap {
    /// Visits the runs of tiles near a region.
    #[inline]
    pub(crate) fn visit_runs<B>(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Run<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (columns, rows) = self.used();
        let region = CellCover::new(&self.placement.transform, near, columns, rows);
        let mut rows = region.rows.clone();
        rows.try_for_each(|row| self.visit_row(row, region.columns_in(row), visit))
    }

    /// Visits the cells near a region, including empty ones, row by row.
    pub(crate) fn visit_cells<B>(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Cell) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let region =
            CellCover::new(&self.placement.transform, near, 0..self.columns(), 0..self.rows());
        let mut rows = region.rows.clone();
        rows.try_for_each(|row| {
            cells(region.columns_in(row), row..row + 1).try_for_each(&mut *visit)
        })
    }

    /// Visits the parts whose bounds pass the test, block by block.
    pub(crate) fn visit_parts_where<B>(
        &self,
        passes: &mut dyn FnMut(&Aabb) -> bool,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let columns = &self.grid.used_columns;
        let blocks = columns.start / BLOCK..columns.end.div_ceil(BLOCK);
        self.visit_blocks(blocks, self.grid.used_rows.clone(), passes, visit)
    }

    /// Halves the longer side of a range until one row of one block is left.
    fn visit_blocks<B>(
        &self,
        blocks: Range<u32>,
        rows: Range<u32>,
        passes: &mut dyn FnMut(&Aabb) -> bool,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let used = &self.grid.used_columns;
        let columns = (blocks.start * BLOCK).max(used.start)..(blocks.end * BLOCK).min(used.end);
        if rows.is_empty()
            || columns.is_empty()
            || !passes(&self.placement.transform.bounds_of(&columns, &rows))
        {
            return ControlFlow::Continue(());
        }
        let middle = |range: &Range<u32>| range.start + (range.end - range.start) / 2;
        if rows.len() > 1 && rows.len() as u32 >= BLOCK * (blocks.len() as u32 - 1) {
            let middle = middle(&rows);
            self.visit_blocks(blocks.clone(), rows.start..middle, passes, visit)?;
            self.visit_blocks(blocks, middle..rows.end, passes, visit)
        } else if blocks.len() > 1 {
            let middle = middle(&blocks);
            self.visit_blocks(blocks.start..middle, rows.clone(), passes, visit)?;
            self.visit_blocks(middle..blocks.end, rows, passes, visit)
        } else {
            self.visit_row(rows.start, columns, &mut |run| {
                if passes(&run.bounds()) {
                    self.visit_run(run, visit)
                } else {
                    ControlFlow::Continue(())
                }
            })
        }
    }

    /// Visits the runs of a row that have a cell in a range of columns.
    #[inline]
    fn visit_row<B>(
        &self,
        row: u32,
        columns: Range<u32>,
        visit: &mut dyn FnMut(Run<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let is_full = |column: u32| self.grid.is_full(Cell::new(column, row));
        let joins = self.placement.is_axis_aligned();
        let mut column = columns.start;
        while column < columns.end {
            if self.grid.is_empty(Cell::new(column, row)) {
                column += 1;
                continue;
            }
            let (mut start, mut end) = (column, column + 1);
            if joins && is_full(column) {
                let first = column - column % BLOCK;
                let last = (first + BLOCK).min(self.columns());
                while start > first && is_full(start - 1) {
                    start -= 1;
                }
                while end < last && is_full(end) {
                    end += 1;
                }
            }
            visit(self.run(row, start..end))?;
            column = end;
        }
        ControlFlow::Continue(())
    }

    /// Visits the boxes of full tiles near a box, adjacent tiles joined, row by row. Returns `true`
    /// if no other tiles are near; always `false` if the grid is rotated.
    pub(crate) fn visit_full_tiles(&self, near: &Aabb, visit: &mut impl FnMut(Aabb)) -> bool {
        let transform = &self.placement.transform;
        if !transform.is_axis_aligned() {
            return false;
        }
        let (columns, rows) = self.used();
        let Some((columns, rows)) = transform.cells_near(near, &columns, &rows) else {
            return false;
        };
        let mut visit_run = |row, start, end| visit(transform.run_box(row, start, end));
        self.grid.visit_full(rows, &columns, &mut visit_run)
    }

    /// Returns `true` if a cell within the grid is full.
    #[inline]
    pub(crate) fn is_full(&self, cell: Cell) -> bool {
        self.grid.is_full(cell)
    }

    fn run(&self, row: u32, columns: Range<u32>) -> Run<'_> {
        Run { grid: self, row, start: columns.start, end: columns.end }
    }

    /// Returns the box of a run of full tiles in an axis-aligned grid.
    #[inline]
    pub(crate) fn full_box(&self, run: &Run<'_>) -> Option<Aabb> {
        let is_box = self.placement.is_axis_aligned() && self.kind([run.start, run.row]).is_solid();
        is_box.then(|| run.run_box())
    }

    /// Visits the part of a run of tiles.
    #[inline]
    pub(crate) fn visit_run<B>(
        &self,
        run: Run<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        #[cfg(test)]
        crate::operation_count::add(1);
        let boundary = BoundaryEdges::Cells(run);
        if let Some(tiles) = self.full_box(&run) {
            let mut buffer = ConvexBuffer::new();
            return visit(Part {
                convex: tiles.as_convex(&mut buffer),
                boundary,
                one_way_direction: None,
            });
        }
        let first = Cell::new(run.start, run.row);
        let kind = self.kind(first);
        let corners = kind.points().iter().map(|&point| self.point_in(first, point));
        let mut corners: SmallVec<[Vec2; 16]> = corners.collect();
        if self.placement.flip.reverses() {
            corners.reverse(); // counterclockwise again, and the front of a platform on the left
        }
        let front = kind.is_one_way().then(|| corners[1] - corners[0]);
        with_convex(corners, 0.0, |convex| {
            // Far from the origin, rounding may merge the ends of a one-way platform.
            let front = front.filter(|_| convex.points.len() == 2);
            visit(Part { convex, boundary, one_way_direction: front })
        })
    }

    /// Returns the kind of the neighbor of a cell, or `None` at the border of the grid.
    pub(super) fn neighbor(&self, cell: Cell, side: CellSide) -> Option<&super::TileKind> {
        cell.next(side).map(|cell| self.kind(cell))
    }
}
