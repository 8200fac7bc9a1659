//! A run of cells in a row that form one convex part.

use glam::Vec2;

use super::{Cell, CellSide, GridTransform};
use crate::shape::Aabb;

/// The neighborhood of a part in its grid.
pub(crate) trait NeighborCover {
    fn transform(&self) -> &GridTransform;

    /// Returns `true` if the neighbor at a side of a cell covers an interval of that side, given
    /// in the unit cell, up to a tolerance.
    fn covers_side(&self, cell: Cell, side: CellSide, interval: (f64, f64), tolerance: f64)
    -> bool;
}

/// One or more cells of a row.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    pub grid: &'a dyn NeighborCover,
    pub row: u32,
    pub start: u32,
    pub end: u32,
}

impl core::fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Run({}, {}..{})", self.row, self.start, self.end)
    }
}

impl Run<'_> {
    /// Returns the bounds of the cells.
    pub fn bounds(&self) -> Aabb {
        self.grid.transform().bounds_of(&(self.start..self.end), &(self.row..self.row + 1))
    }

    /// Returns the box of the cells, in an axis-aligned grid where they are full.
    #[inline]
    pub fn run_box(&self) -> Aabb {
        self.grid.transform().run_box(self.row, self.start, self.end)
    }

    /// Returns `true` if an edge of this part lies on a side that neighbors cover completely.
    pub fn is_internal_edge(&self, start: Vec2, end: Vec2) -> bool {
        const ROUNDING_ERROR: f64 = 1e-6;
        let transform = self.grid.transform();
        let tolerance = transform.grid_error + ROUNDING_ERROR;
        let (a, b) = (transform.to_grid(start.as_dvec2()), transform.to_grid(end.as_dvec2()));
        let row = f64::from(self.row);
        let on_line = |at: f64, line: f64, tolerance: f64| (at - line).abs() <= tolerance;
        let on_row = |line: f64| [a, b].iter().all(|p| on_line(p.y, line, tolerance.y));
        let on_column = |line: f64| [a, b].iter().all(|p| on_line(p.x, line, tolerance.x));
        let (low, high) = (a.min(b), a.max(b));
        if on_column(self.start.into()) || on_column(self.end.into()) {
            let right = !on_column(self.start.into());
            let cell = Cell::new(if right { self.end - 1 } else { self.start }, self.row);
            let side = if right { CellSide::Right } else { CellSide::Left };
            return self.grid.covers_side(cell, side, (low.y - row, high.y - row), tolerance.y);
        }
        if on_row(row) || on_row(row + 1.0) {
            let side = if on_row(row) { CellSide::Bottom } else { CellSide::Top };
            return (self.start..self.end).all(|column| {
                let interval = (low.x - f64::from(column), high.x - f64::from(column));
                self.grid.covers_side(Cell::new(column, self.row), side, interval, tolerance.x)
            });
        }
        false
    }
}
