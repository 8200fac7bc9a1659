//! Grids of cells: what tile maps and masks have in common.

mod cover;
mod placement;
mod run;
mod transform;
mod traversal;

pub(crate) use cover::CellCover;
pub(crate) use placement::GridPlacement;
pub(crate) use run::{NeighborCover, Run};
pub(crate) use transform::GridTransform;
pub(crate) use traversal::Step;

use core::ops::{ControlFlow, Range};

use glam::{DVec2, Vec2};

use crate::shape::parts::{Part, QueryRegion};
use crate::shape::{Aabb, AsShape};

/// The place of a tile in its map, or of a pixel in its mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cell {
    /// Counted from 0 along +x.
    pub column: u32,
    /// Counted from 0 along +y.
    pub row: u32,
}

impl Cell {
    /// The cell in a column and a row.
    pub const fn new(column: u32, row: u32) -> Self {
        Self { column, row }
    }

    /// Its corner with the least grid coordinates.
    pub(crate) fn low(self) -> DVec2 {
        DVec2::new(self.column.into(), self.row.into())
    }

    /// Its corners in grid coordinates, counter-clockwise (y up) from the least.
    pub(crate) fn corners(self) -> [DVec2; 4] {
        let ways = [DVec2::ZERO, DVec2::X, DVec2::ONE, DVec2::Y];
        ways.map(|way| self.low() + way)
    }

    /// The cell next to it; `None` before the first.
    pub(crate) fn next(self, side: Side) -> Option<Self> {
        let next = |place: u32| if side.high { place.checked_add(1) } else { place.checked_sub(1) };
        Some(if side.across_x {
            Self { column: next(self.column)?, ..self }
        } else {
            Self { row: next(self.row)?, ..self }
        })
    }
}

impl From<[u32; 2]> for Cell {
    /// From a column and a row.
    fn from([column, row]: [u32; 2]) -> Self {
        Self { column, row }
    }
}

/// A side of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Side {
    /// Whether it lies across x, along y.
    pub across_x: bool,
    /// Whether it is the side with the greater coordinate.
    pub high: bool,
}

impl Side {
    /// All four, counter-clockwise (y up) from the lower one: side `i` starts at corner `i`.
    pub const ALL: [Self; 4] = [
        Self { across_x: false, high: false },
        Self { across_x: true, high: true },
        Self { across_x: false, high: true },
        Self { across_x: true, high: false },
    ];

    pub fn opposite(self) -> Self {
        Self { high: !self.high, ..self }
    }
}

/// A grid of cells with convex forms in them, as the questions see it.
pub(crate) trait CellGrid: AsShape {
    fn placement(&self) -> &GridPlacement;

    /// From the first column that is not empty to the last, and the same for rows.
    fn used(&self) -> (Range<u32>, Range<u32>);

    /// Visits the parts near something in a fixed order, until `visit` breaks.
    fn visit_parts_in<B>(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// Visits the part that a cell alone makes, if it is not empty.
    fn visit_cell<B>(
        &self,
        cell: Cell,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// Visits the stretches of the outlines of areas that belong to cells near something: all edges
    /// but for the stretches that neighbours cover. The inside is on their left (y up).
    fn visit_edges<B>(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Vec2, Vec2) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// The same with lines, which are all outline.
    fn visit_outline<B>(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Vec2, Vec2) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_edges(near, visit)
    }

    /// The box around all rows and columns that are not empty.
    fn used_bounds(&self) -> Aabb {
        let (columns, rows) = self.used();
        let frame = &self.placement().frame;
        if columns.is_empty() {
            let at = frame.corner(DVec2::ZERO);
            return Aabb::new_unchecked(at, at);
        }
        frame.bounds_of(&columns, &rows)
    }
}

/// All cells of some columns and rows, row by row.
pub(crate) fn cells(columns: Range<u32>, rows: Range<u32>) -> impl Iterator<Item = Cell> {
    rows.flat_map(move |row| columns.clone().map(move |column| Cell { column, row }))
}
