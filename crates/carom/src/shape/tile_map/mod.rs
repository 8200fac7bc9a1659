//! Tile maps.

mod frame;
mod grid;
mod kind;
mod outline;
mod parts;
mod region;
#[cfg(test)]
mod tests;
mod walk;

pub use kind::TileKind;
pub(crate) use parts::Run;
pub(crate) use walk::Step;

use alloc::sync::Arc;
use core::ops::Range;

use glam::{DVec2, Vec2};

use crate::error::ShapeError;
use crate::math::{Mirror, Pose, round, round1};
use crate::shape::{Aabb, ConvexPolygon, Place, Segment, Shape, check};
use frame::Frame;
use grid::Grid;

/// A grid of tiles: empty, solid, slopes, platforms, or any convex form of their own ([`TileKind`]).
///
/// Rows run along +y from the origin, columns along +x. Sides at which tiles lie flush are inside:
/// they stop nothing and have no normal. What is outside the grid is empty.
///
/// A cell takes two bytes, and questions cost what the tiles near the other shape cost, however large
/// the map is. Copies and placed versions share their cells until one of them is edited: editing
/// is a matter of one cell, but the first edit of a map whose cells are shared copies all of them.
///
/// ```
/// use carom::prelude::*;
/// let rows = ["....", "..-.", "#../", "####"]; // y down
/// let legend = [
///     ('#', TileKind::SOLID),
///     ('-', TileKind::one_way([0.0, -1.0])),
///     ('/', TileKind::slope(0.0, 1.0, [0.0, -1.0])),
/// ];
/// let map = TileMap::from_rows([0.0, 0.0], [16.0, 16.0], &rows, &legend);
/// let hero = Aabb::new([20.0, 10.0], [28.0, 24.0]);
/// let hit = hero.sweep([0.0, 100.0], &map).unwrap();
/// assert_eq!((hit.time, hit.normal), (0.24, Vec2::new(0.0, -1.0)));
/// assert_eq!(map.tile_at_hit(hit.point, hit.normal), Some(Cell::new(1, 3)));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TileMap {
    grid: Arc<Grid>,
    origin: Vec2,
    tile: Vec2,
    mirror: Mirror,
    pose: Pose,
    frame: Frame,
}

/// The place of a tile in its map.
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
    fn low(self) -> DVec2 {
        DVec2::new(self.column.into(), self.row.into())
    }
}

impl From<[u32; 2]> for Cell {
    /// From a column and a row.
    fn from([column, row]: [u32; 2]) -> Self {
        Self { column, row }
    }
}

impl TileMap {
    /// The number of the empty kind, in every map.
    pub const EMPTY: u16 = 0;
    /// The number of the solid kind, in every map.
    pub const SOLID: u16 = 1;

    /// A map of empty tiles: its corner with the least coordinates, the size of a tile, and how
    /// many columns and rows there are.
    ///
    /// # Panics
    /// Where [`TileMap::try_new`] gives an error.
    pub fn new(origin: impl Into<Vec2>, tile: impl Into<Vec2>, size: [u32; 2]) -> Self {
        Self::try_new(origin, tile, size).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A map of empty tiles, checked.
    ///
    /// # Errors
    /// A number that is not finite; a tile without width or height; a map without columns or rows.
    pub fn try_new(
        origin: impl Into<Vec2>,
        tile: impl Into<Vec2>,
        [columns, rows]: [u32; 2],
    ) -> Result<Self, ShapeError> {
        let origin = check::vector(origin.into(), "origin.x", "origin.y")?;
        let tile = tile.into();
        check::positive(tile.x, "tile.x")?;
        check::positive(tile.y, "tile.y")?;
        if columns == 0 || rows == 0 {
            return Err(ShapeError::NoTiles);
        }
        let grid = Arc::new(Grid::new(columns, rows));
        let (mirror, pose) = (Mirror::NONE, Pose::IDENTITY);
        let frame = Frame::new(origin, tile, mirror, &pose, grid.size());
        Ok(Self { grid, origin, tile, mirror, pose, frame })
    }

    /// A map drawn as text: a row of tiles a line, the first at the origin, and what each character
    /// stands for. A dot and a space are empty unless the legend says otherwise.
    ///
    /// # Panics
    /// Where [`TileMap::try_from_rows`] gives an error.
    pub fn from_rows<R: AsRef<str>>(
        origin: impl Into<Vec2>,
        tile: impl Into<Vec2>,
        rows: &[R],
        legend: &[(char, TileKind)],
    ) -> Self {
        Self::try_from_rows(origin, tile, rows, legend).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A map drawn as text, checked.
    ///
    /// # Errors
    /// As [`TileMap::try_new`]; rows of different lengths; a character that the legend does not have.
    pub fn try_from_rows<R: AsRef<str>>(
        origin: impl Into<Vec2>,
        tile: impl Into<Vec2>,
        rows: &[R],
        legend: &[(char, TileKind)],
    ) -> Result<Self, ShapeError> {
        let count = |row: &R| row.as_ref().chars().count();
        let (columns, height) = (rows.first().map_or(0, count), rows.len());
        let size = [columns, height].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        if let Some(row) = rows.iter().position(|row| count(row) != columns) {
            let length = count(&rows[row]);
            return Err(ShapeError::RaggedRows { row, length, first: columns });
        }
        let mut map = Self::try_new(origin, tile, size)?;
        let numbers: alloc::vec::Vec<(char, u16)> =
            legend.iter().map(|(name, kind)| (*name, map.add_kind(kind.clone()))).collect();
        let grid = Arc::make_mut(&mut map.grid);
        for (y, row) in rows.iter().enumerate() {
            for (x, name) in row.as_ref().chars().enumerate() {
                let known = numbers.iter().find(|number| number.0 == name).map(|number| number.1);
                let number = known
                    .or((name == '.' || name == ' ').then_some(Self::EMPTY))
                    .ok_or(ShapeError::UnknownTile { name, column: x, row: y })?;
                if number != Self::EMPTY {
                    grid.set(Cell::new(x as u32, y as u32), number);
                }
            }
        }
        Ok(map)
    }

    /// How many columns there are.
    pub fn columns(&self) -> u32 {
        self.grid.size().0
    }

    /// How many rows there are.
    pub fn rows(&self) -> u32 {
        self.grid.size().1
    }

    /// The corner with the least coordinates, before the map was placed.
    pub fn origin(&self) -> Vec2 {
        self.origin
    }

    /// The width and height of a tile, before the map was placed.
    pub fn tile(&self) -> Vec2 {
        self.tile
    }

    /// How the map has been mirrored, before it was placed.
    pub fn mirror(&self) -> Mirror {
        self.mirror
    }

    /// How the map has been placed since it was made.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// The kinds of tiles, by their numbers.
    pub fn kinds(&self) -> &[TileKind] {
        &self.grid.kinds
    }

    /// The number of a kind in this map; a kind that is new is added.
    ///
    /// # Panics
    /// On the 65537th kind.
    pub fn add_kind(&mut self, kind: TileKind) -> u16 {
        Arc::make_mut(&mut self.grid).number_of(kind)
    }

    /// The number of a tile's kind; empty outside the grid.
    pub fn get(&self, cell: impl Into<Cell>) -> u16 {
        let cell = cell.into();
        if self.grid.holds(cell) { self.grid.get(cell) } else { Self::EMPTY }
    }

    /// A tile's kind; empty outside the grid.
    pub fn kind(&self, cell: impl Into<Cell>) -> &TileKind {
        self.grid.kind(cell.into())
    }

    /// Makes a tile one of the map's kinds, and gives the number of the kind it was before.
    ///
    /// This takes the same time for any map; but where it empties an outermost row or column, the
    /// next one with a tile in it is looked for.
    ///
    /// # Panics
    /// Where the cell is outside the grid, or the map has no kind of that number.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut wall = TileMap::new([0.0, 0.0], [1.0, 1.0], [8, 8]);
    /// wall.set([3, 4], TileMap::SOLID);
    /// assert!(wall.intersects(&Point::new([3.5, 4.5])));
    /// assert_eq!(wall.set([3, 4], TileMap::EMPTY), TileMap::SOLID);
    /// assert!(!wall.intersects(&Point::new([3.5, 4.5])));
    /// ```
    pub fn set(&mut self, cell: impl Into<Cell>, kind: u16) -> u16 {
        let cell = cell.into();
        let (columns, rows) = self.grid.size();
        assert!(self.grid.holds(cell), "{cell:?} is outside a map of {columns} by {rows} tiles");
        let kinds = self.grid.kinds.len();
        assert!(usize::from(kind) < kinds, "kind {kind} is none of the {kinds} kinds of the map");
        Arc::make_mut(&mut self.grid).set(cell, kind)
    }

    /// The tiles that are not empty, row by row.
    pub fn tiles(&self) -> impl Iterator<Item = Cell> + '_ {
        let (columns, rows) = (self.grid.used_columns.clone(), self.grid.used_rows.clone());
        cells(columns, rows).filter(|&cell| !self.kind(cell).is_empty())
    }

    /// The cell that a point lies in; of those whose borders it lies on, the one with the greatest
    /// coordinates, or the last. `None` outside the grid.
    pub fn cell_at(&self, point: impl Into<Vec2>) -> Option<Cell> {
        let at = self.frame.in_grid(point.into().as_dvec2());
        let (columns, rows) = (f64::from(self.columns()), f64::from(self.rows()));
        let within = (0.0..=columns).contains(&at.x) && (0.0..=rows).contains(&at.y);
        within.then(|| {
            Cell::new((at.x as u32).min(self.columns() - 1), (at.y as u32).min(self.rows() - 1))
        })
    }

    /// The corners of a cell, empty or not, from the one with the least column and row on:
    /// counter-clockwise (y up) unless the map is mirrored.
    pub fn cell_corners(&self, cell: impl Into<Cell>) -> [Vec2; 4] {
        let low = cell.into().low();
        let corner = |x: f64, y: f64| self.frame.corner(low + DVec2::new(x, y));
        [corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)]
    }

    /// The middle of a cell.
    pub fn cell_center(&self, cell: impl Into<Cell>) -> Vec2 {
        self.frame.corner(cell.into().low() + 0.5)
    }

    /// A tile as a shape of its own; `None` where it is empty.
    pub fn tile_shape(&self, cell: impl Into<Cell>) -> Option<Shape> {
        let cell = cell.into();
        let kind = self.kind(cell);
        let corners = kind.points().iter().map(|&point| self.point_in(cell, point));
        Some(match *kind.points() {
            [] => return None,
            [a, b] => Segment::new(self.point_in(cell, a), self.point_in(cell, b)).into(),
            _ if kind.is_solid() && self.frame.is_level() => {
                Aabb::around(corners.map(|corner| Aabb::spanning(corner, corner))).into()
            }
            _ => ConvexPolygon::from_hull(corners.collect(), 0.0).into(),
        })
    }

    /// Where a point of the unit tile comes to lie in a cell.
    #[inline]
    fn point_in(&self, cell: Cell, point: Vec2) -> Vec2 {
        self.frame.corner(cell.low() + point.as_dvec2())
    }

    /// The box around all rows and columns that have tiles in them.
    pub(crate) fn used_bounds(&self) -> Aabb {
        let Grid { used_columns: columns, used_rows: rows, .. } = &*self.grid;
        if columns.is_empty() {
            let at = self.frame.corner(DVec2::ZERO);
            return Aabb::spanning(at, at);
        }
        self.frame.bounds(
            Cell::new(columns.start, rows.start).low(),
            Cell::new(columns.end, rows.end).low(),
        )
    }

    /// Whether some of its parts may be lines: platforms, or tiles that rounding has left no width.
    pub(crate) fn has_lines(&self) -> bool {
        self.frame.slack.max_element() > 0.25 || self.kinds().iter().any(TileKind::is_one_way)
    }

    /// Whether rows and columns are level and upright.
    pub(crate) fn is_level(&self) -> bool {
        self.frame.is_level()
    }

    /// The shorter side of a placed tile.
    pub(crate) fn shortest_side(&self) -> f64 {
        f64::from(self.tile.min_element()) * f64::from(self.pose.scale)
    }

    /// The longer side of a placed tile.
    pub(crate) fn longest_side(&self) -> f64 {
        f64::from(self.tile.max_element()) * f64::from(self.pose.scale)
    }

    fn replaced(&self, mirror: Mirror, pose: Pose) -> Self {
        let frame = Frame::new(self.origin, self.tile, mirror, &pose, self.grid.size());
        Self { grid: Arc::clone(&self.grid), mirror, pose, frame, ..*self }
    }

    /// Two points in order; the other way round in a mirrored map, so that what was on the left of
    /// the line through them is on the left of its image.
    fn in_order<T>(&self, a: T, b: T) -> (T, T) {
        if self.mirror.reverses() { (b, a) } else { (a, b) }
    }
}

/// All cells of some columns and rows, row by row.
fn cells(columns: Range<u32>, rows: Range<u32>) -> impl Iterator<Item = Cell> {
    rows.flat_map(move |row| columns.clone().map(move |column| Cell { column, row }))
}

impl Place for TileMap {
    type Placed = Self;

    fn placed(&self, pose: &Pose) -> Self {
        let pose = Pose {
            position: round(pose.place(self.pose.position.as_dvec2())),
            rotation: pose.rotation.after(self.pose.rotation),
            scale: round1(f64::from(pose.scale) * f64::from(self.pose.scale)),
        };
        self.replaced(self.mirror, pose)
    }

    fn translated(&self, by: impl Into<Vec2>) -> Self {
        let position = round(self.pose.position.as_dvec2() + by.into().as_dvec2());
        self.replaced(self.mirror, Pose { position, ..self.pose })
    }

    fn mirrored(&self, mirror: Mirror) -> Self {
        // The image of a placed map is the image of the map, placed the other way round.
        let both = Mirror { x: self.mirror.x != mirror.x, y: self.mirror.y != mirror.y };
        let position = mirror.apply(self.pose.position) + Vec2::ZERO; // no minus zero
        let rotation = mirror.rotation(self.pose.rotation);
        self.replaced(both, Pose { position, rotation, ..self.pose })
    }
}
