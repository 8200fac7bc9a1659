//! The convex parts of a tile map: full tiles side by side as one box, all others one by one.
//!
//! Tiles are put together only within blocks of columns that do not depend on the question, so a
//! map always has the same parts; and only where the grid is level, so that the box has no other
//! corners than its tiles.

use core::ops::{ControlFlow, Range};

use glam::Vec2;
use smallvec::SmallVec;

use super::kind::Side;
use super::region::Region;
use super::{Cell, TileMap};
use crate::shape::Aabb;
use crate::shape::core::{Scratch, with_core};
use crate::shape::parts::{Near, Outline, Part};

/// How many columns a block has.
const BLOCK: u32 = 16;

/// One or more tiles of a row that make up a part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<'a> {
    map: &'a TileMap,
    row: u32,
    start: u32,
    end: u32,
}

impl TileMap {
    /// Visits the parts near something, row by row.
    #[inline]
    pub(crate) fn visit_near<B>(
        &self,
        near: &Near<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_runs(near, &mut |run| run.visit(visit))
    }

    /// The same as runs of tiles.
    #[inline]
    pub(crate) fn visit_runs<B>(
        &self,
        near: &Near<'_>,
        visit: &mut dyn FnMut(Run<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (columns, rows) = (self.grid.used_columns.clone(), self.grid.used_rows.clone());
        let region = Region::new(self, near, columns, rows);
        let mut rows = region.rows.clone();
        rows.try_for_each(|row| self.visit_row(row, region.columns_in(row), visit))
    }

    /// Visits the cells near something, empty ones too, row by row.
    pub(crate) fn visit_cells<B>(
        &self,
        near: &Near<'_>,
        visit: &mut dyn FnMut(Cell) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let region = Region::new(self, near, 0..self.columns(), 0..self.rows());
        let mut rows = region.rows.clone();
        rows.try_for_each(|row| {
            super::cells(region.columns_in(row), row..row + 1).try_for_each(&mut *visit)
        })
    }

    /// Visits the parts whose boxes pass, block by block.
    pub(crate) fn visit_parts<B>(
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
        if rows.is_empty() || columns.is_empty() || !passes(&self.bounds_of(&columns, &rows)) {
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
                if passes(&run.bounds()) { run.visit(visit) } else { ControlFlow::Continue(()) }
            })
        }
    }

    fn bounds_of(&self, columns: &Range<u32>, rows: &Range<u32>) -> Aabb {
        let (low, high) = (Cell::new(columns.start, rows.start), Cell::new(columns.end, rows.end));
        self.frame.bounds(low.low(), high.low())
    }

    /// The runs of a row that have a cell in some columns.
    #[inline]
    fn visit_row<B>(
        &self,
        row: u32,
        columns: Range<u32>,
        visit: &mut dyn FnMut(Run<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (cells, kinds) = (self.grid.row(row), &self.grid.kinds);
        let is_full = |column: u32| kinds[usize::from(cells[column as usize])].is_solid();
        let joins = self.frame.is_level();
        let mut column = columns.start;
        while column < columns.end {
            let number = cells[column as usize];
            if number == TileMap::EMPTY || kinds[usize::from(number)].is_empty() {
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
            visit(Run { map: self, row, start, end })?;
            column = end;
        }
        ControlFlow::Continue(())
    }

    /// Visits the one part that a tile alone makes.
    pub(crate) fn visit_tile<B>(
        &self,
        cell: Cell,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.kind(cell).is_empty() {
            return ControlFlow::Continue(());
        }
        Run { map: self, row: cell.row, start: cell.column, end: cell.column + 1 }.visit(visit)
    }
}

impl Run<'_> {
    fn first(&self) -> Cell {
        Cell::new(self.start, self.row)
    }

    /// The box around whole tiles.
    fn bounds(&self) -> Aabb {
        self.map.bounds_of(&(self.start..self.end), &(self.row..self.row + 1))
    }

    /// The box that full tiles of a level grid are.
    #[inline]
    pub(crate) fn full_box(&self) -> Option<Aabb> {
        let is_box = self.map.frame.is_level() && self.map.kind(self.first()).is_solid();
        is_box.then(|| {
            let low = self.map.frame.corner(self.first().low());
            let high = self.map.frame.corner(Cell::new(self.end, self.row + 1).low());
            Aabb::spanning(low.min(high), low.max(high))
        })
    }

    #[inline]
    pub(crate) fn visit<B>(
        self,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let outline = Outline::Tiles(self);
        if let Some(tiles) = self.full_box() {
            let mut scratch = Scratch::new();
            return visit(Part { core: tiles.core(&mut scratch), outline, front: None });
        }
        let kind = self.map.kind(self.first());
        let corners = kind.points().iter().map(|&point| self.map.point_in(self.first(), point));
        let mut corners: SmallVec<[Vec2; 16]> = corners.collect();
        if self.map.mirror.reverses() {
            corners.reverse(); // counter-clockwise again, and the front of a platform on the left
        }
        let front = kind.is_one_way().then(|| corners[1] - corners[0]);
        with_core(corners, 0.0, |core| {
            // Rounding far from the origin may let the ends of a platform fall together.
            let front = front.filter(|_| core.points.len() == 2);
            visit(Part { core, outline, front })
        })
    }

    /// Whether an edge of this part lies along a side at which tiles lie flush all along.
    pub(crate) fn is_seam(&self, start: Vec2, end: Vec2) -> bool {
        let frame = &self.map.frame;
        let (a, b) = (frame.in_grid(start.as_dvec2()), frame.in_grid(end.as_dvec2()));
        let row = f64::from(self.row);
        let on_line = |at: f64, line: f64, slack: f64| (at - line).abs() <= 1e-6 + slack;
        let on_row = |line: f64| [a, b].iter().all(|p| on_line(p.y, line, frame.slack.y));
        let on_column = |line: f64| [a, b].iter().all(|p| on_line(p.x, line, frame.slack.x));
        let (low, high) = (a.min(b), a.max(b));
        if on_column(self.start.into()) || on_column(self.end.into()) {
            let right = !on_column(self.start.into());
            let cell = Cell::new(if right { self.end - 1 } else { self.start }, self.row);
            let side = Side { across_x: true, high: right };
            return self.map.covers_side(cell, side, low.y - row, high.y - row);
        }
        if on_row(row) || on_row(row + 1.0) {
            let side = Side { across_x: false, high: !on_row(row) };
            return (self.start..self.end).all(|column| {
                let (from, to) = (low.x - f64::from(column), high.x - f64::from(column));
                self.map.covers_side(Cell::new(column, self.row), side, from, to)
            });
        }
        false
    }
}

impl TileMap {
    /// Whether the neighbour at a side of a cell covers a stretch of it.
    fn covers_side(&self, cell: Cell, side: Side, from: f64, to: f64) -> bool {
        const ROUNDING: f64 = 1e-6;
        let slack = ROUNDING + if side.across_x { self.frame.slack.y } else { self.frame.slack.x };
        self.neighbour(cell, side)
            .and_then(|kind| kind.cover(side.opposite()))
            .is_some_and(|(low, high)| low <= from.max(0.0) + slack && high >= to.min(1.0) - slack)
    }

    /// The kind of the cell next to one; `None` at the end of the grid.
    pub(super) fn neighbour(&self, cell: Cell, side: Side) -> Option<&super::TileKind> {
        let next = |place: u32| if side.high { place.checked_add(1) } else { place.checked_sub(1) };
        let cell = if side.across_x {
            Cell { column: next(cell.column)?, ..cell }
        } else {
            Cell { row: next(cell.row)?, ..cell }
        };
        Some(self.kind(cell))
    }
}
