//! The convex parts of a tile map: full tiles side by side as one box, all others one by one.
//!
//! Tiles are put together only within blocks of columns that do not depend on the question, so a
//! map always has the same parts; and only where the grid is level, so that the box has no other
//! corners than its tiles.

use core::ops::{ControlFlow, Range};

use glam::Vec2;
use smallvec::SmallVec;

use super::TileMap;
use crate::shape::Aabb;
use crate::shape::convex::{ConvexBuffer, with_convex};
use crate::shape::grid::{
    Cell, CellCover, CellGrid, GridPlacement, GridTransform, NeighborCover, Run, Side, cells,
};
use crate::shape::parts::{BoundaryEdges, Part, QueryRegion};

/// How many columns a block has.
const BLOCK: u32 = 16;

impl CellGrid for TileMap {
    fn placement(&self) -> &GridPlacement {
        &self.place
    }

    fn used(&self) -> (Range<u32>, Range<u32>) {
        (self.grid.used_columns.clone(), self.grid.used_rows.clone())
    }

    /// Row by row.
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
    fn frame(&self) -> &GridTransform {
        &self.place.frame
    }

    fn covers_side(&self, cell: Cell, side: Side, (from, to): (f64, f64), slack: f64) -> bool {
        self.neighbour(cell, side)
            .and_then(|kind| kind.cover(side.opposite()))
            .is_some_and(|(low, high)| low <= from.max(0.0) + slack && high >= to.min(1.0) - slack)
    }
}

impl TileMap {
    /// Visits the runs of tiles near something.
    #[inline]
    pub(crate) fn visit_runs<B>(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Run<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (columns, rows) = self.used();
        let region = CellCover::new(&self.place.frame, near, columns, rows);
        let mut rows = region.rows.clone();
        rows.try_for_each(|row| self.visit_row(row, region.columns_in(row), visit))
    }

    /// Visits the cells near something, empty ones too, row by row.
    pub(crate) fn visit_cells<B>(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Cell) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let region = CellCover::new(&self.place.frame, near, 0..self.columns(), 0..self.rows());
        let mut rows = region.rows.clone();
        rows.try_for_each(|row| {
            cells(region.columns_in(row), row..row + 1).try_for_each(&mut *visit)
        })
    }

    /// Visits the parts whose boxes pass, block by block.
    pub(crate) fn visit_parts_where<B>(
        &self,
        passes: &mut dyn FnMut(&Aabb) -> bool,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let columns = &self.grid.used_columns;
        let blocks = columns.start / BLOCK..columns.end.div_ceil(BLOCK);
        self.visit_blocks(blocks, self.grid.used_rows.clone(), passes, visit)
    }

    /// Halves the longer side until one row of one block is left.
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
            || !passes(&self.place.frame.bounds_of(&columns, &rows))
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

    /// The runs of a row that have a cell in some columns.
    #[inline]
    fn visit_row<B>(
        &self,
        row: u32,
        columns: Range<u32>,
        visit: &mut dyn FnMut(Run<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let is_full = |column: u32| self.grid.is_full(Cell::new(column, row));
        let joins = self.place.is_axis_aligned();
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

    /// Visits the boxes that the full tiles near a box make, those side by side as one, row by row.
    /// Whether there is nothing else near; always false unless the grid is level.
    pub(crate) fn visit_full_tiles(&self, near: &Aabb, visit: &mut impl FnMut(Aabb)) -> bool {
        let frame = &self.place.frame;
        if !frame.is_axis_aligned() {
            return false;
        }
        let (columns, rows) = self.used();
        let Some((columns, rows)) = frame.cells_near(near, &columns, &rows) else { return false };
        let mut visit_run = |row, start, end| visit(frame.level_box(row, start, end));
        self.grid.visit_full(rows, &columns, &mut visit_run)
    }

    /// Whether a cell within the grid is full.
    #[inline]
    pub(crate) fn is_full(&self, cell: Cell) -> bool {
        self.grid.is_full(cell)
    }

    fn run(&self, row: u32, columns: Range<u32>) -> Run<'_> {
        Run { grid: self, row, start: columns.start, end: columns.end }
    }

    /// The box that full tiles of a level grid are.
    #[inline]
    pub(crate) fn full_box(&self, run: &Run<'_>) -> Option<Aabb> {
        let is_box = self.place.is_axis_aligned() && self.kind([run.start, run.row]).is_solid();
        is_box.then(|| run.level_box())
    }

    /// Visits the part that a run of tiles makes.
    #[inline]
    pub(crate) fn visit_run<B>(
        &self,
        run: Run<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
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
        if self.place.mirror.reverses() {
            corners.reverse(); // counter-clockwise again, and the front of a platform on the left
        }
        let front = kind.is_one_way().then(|| corners[1] - corners[0]);
        with_convex(corners, 0.0, |convex| {
            // Rounding far from the origin may let the ends of a platform fall together.
            let front = front.filter(|_| convex.points.len() == 2);
            visit(Part { convex, boundary, one_way_direction: front })
        })
    }

    /// The kind of the cell next to one; `None` at the end of the grid.
    pub(super) fn neighbour(&self, cell: Cell, side: Side) -> Option<&super::TileKind> {
        cell.next(side).map(|cell| self.kind(cell))
    }
}
