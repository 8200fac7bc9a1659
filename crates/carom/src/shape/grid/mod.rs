//! Grids of cells: the common part of tile maps and masks.

mod bits;
mod boxes;
mod cover;
mod placement;
mod run;
mod transform;
mod traversal;

pub(crate) use bits::{CellBits, Lanes};
pub(crate) use boxes::visit_boxes;
pub(crate) use cover::CellCover;
pub(crate) use placement::GridPlacement;
pub(crate) use run::{NeighborCover, Run};
pub(crate) use transform::{GridTransform, Lattice, Orientation};
pub(crate) use traversal::Step;

use core::ops::{ControlFlow, Range};

use glam::{DVec2, Vec2};

use crate::shape::parts::{Part, QueryRegion};
use crate::shape::{Aabb, AsShape};

/// The column and row of a tile in its map, or of a pixel in its mask or bitmap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cell {
    /// The column, counted from 0 along +x.
    pub column: u32,
    /// The row, counted from 0 along +y.
    pub row: u32,
}

impl Cell {
    /// Creates a cell from its column and row.
    pub const fn new(column: u32, row: u32) -> Self {
        Self { column, row }
    }

    /// Returns the corner with the smallest grid coordinates.
    pub(crate) fn low(self) -> DVec2 {
        DVec2::new(self.column.into(), self.row.into())
    }

    /// Returns the corners in grid coordinates, counterclockwise (y up), starting with the
    /// smallest.
    pub(crate) fn corners(self) -> [DVec2; 4] {
        let offsets = [DVec2::ZERO, DVec2::X, DVec2::ONE, DVec2::Y];
        offsets.map(|offset| self.low() + offset)
    }

    /// Returns the cell next to this one, or `None` before the first column or row.
    pub(crate) fn next(self, side: CellSide) -> Option<Self> {
        let next = |i: u32| if side.is_high() { i.checked_add(1) } else { i.checked_sub(1) };
        Some(if side.is_vertical() {
            Self { column: next(self.column)?, ..self }
        } else {
            Self { row: next(self.row)?, ..self }
        })
    }
}

impl From<[u32; 2]> for Cell {
    /// Creates a cell from a column and a row.
    fn from([column, row]: [u32; 2]) -> Self {
        Self { column, row }
    }
}

/// A side of a cell, named for a y axis that points up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum CellSide {
    Bottom,
    Right,
    Top,
    Left,
}

impl CellSide {
    /// All sides, counterclockwise (y up) from the one with the smallest y: side `i` starts at
    /// corner `i`.
    pub const ALL: [Self; 4] = [Self::Bottom, Self::Right, Self::Top, Self::Left];

    /// Returns `true` for the left and the right side.
    pub fn is_vertical(self) -> bool {
        matches!(self, Self::Left | Self::Right)
    }

    /// Returns `true` for the sides with the larger coordinate: the right one and the top.
    pub fn is_high(self) -> bool {
        matches!(self, Self::Right | Self::Top)
    }

    pub fn opposite(self) -> Self {
        match self {
            Self::Bottom => Self::Top,
            Self::Right => Self::Left,
            Self::Top => Self::Bottom,
            Self::Left => Self::Right,
        }
    }
}

/// A grid of cells, each empty or with a convex shape in it: the interface that queries use.
pub(crate) trait CellGrid: AsShape {
    fn placement(&self) -> &GridPlacement;

    /// Returns the ranges of columns and rows that are not empty.
    fn used(&self) -> (Range<u32>, Range<u32>);

    /// Visits the parts near a region in a fixed order, until `visit` returns `Break`.
    fn visit_parts_in<B>(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// Visits the part of a single cell, if it is not empty.
    fn visit_cell<B>(
        &self,
        cell: Cell,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// Visits the boundary edges of the areas in cells near a region: all edges without the
    /// intervals that neighbors cover. The interior is on their left (y up).
    fn visit_edges<B>(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Vec2, Vec2) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// Works like [`visit_edges`](Self::visit_edges), including one-way segments.
    fn visit_outline<B>(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Vec2, Vec2) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_edges(near, visit)
    }

    /// Returns the bounds of all rows and columns that are not empty.
    fn used_bounds(&self) -> Aabb {
        let (columns, rows) = self.used();
        let transform = &self.placement().transform;
        if columns.is_empty() {
            let at = transform.world_point(DVec2::ZERO);
            return Aabb::new_unchecked(at, at);
        }
        transform.bounds_of(&columns, &rows)
    }
}

/// Iterates over the cells of a range of columns and rows, row by row.
pub(crate) fn cells(columns: Range<u32>, rows: Range<u32>) -> impl Iterator<Item = Cell> {
    rows.flat_map(move |row| columns.clone().map(move |column| Cell { column, row }))
}
