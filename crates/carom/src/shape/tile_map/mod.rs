//! Tile maps.

mod grid;
mod kind;
mod kind_ids;
mod outline;
mod parts;
#[cfg(test)]
mod tests;

pub use kind::TileKind;

use alloc::sync::Arc;

use glam::Vec2;

use crate::error::ShapeError;
use crate::math::{Flip, IntoVec2, Pose};
use crate::shape::grid::{Cell, CellGrid, GridPlacement, cells};
use crate::shape::{Aabb, ConvexPolygon, Segment, Shape, Transform, validate};
use grid::Grid;

/// A grid of tiles: empty, solid, slopes, one-way platforms, or any convex shape ([`TileKind`]).
///
/// Rows extend along +y from the origin, columns along +x. Edges covered by a neighboring tile are
/// internal: they stop nothing and have no normal. Everything outside the grid is empty.
///
/// A cell takes one byte and two bits (two bytes and two bits in a map of more than 256 kinds). The
/// cost of a query depends only on the tiles near the other shape. Copies and transformed copies
/// share their cells until one of them is edited: an edit changes one cell, but the first edit of a
/// map whose cells are shared copies all of them.
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
#[derive(Clone, PartialEq)]
pub struct TileMap {
    grid: Arc<Grid>,
    placement: GridPlacement,
}

impl TileMap {
    /// The index of the empty kind in every map.
    pub const EMPTY: u16 = 0;
    /// The index of the solid kind in every map.
    pub const SOLID: u16 = 1;

    /// The largest number of tiles in a map: the largest number of pixels in a bitmap.
    pub const MAX_TILES: u64 = 1 << 28;

    /// Creates a map of empty tiles from its minimum corner, the size of a tile, and the number of
    /// columns and rows.
    ///
    /// # Panics
    /// Panics if [`TileMap::try_new`] returns an error.
    pub fn new(origin: impl IntoVec2, tile: impl IntoVec2, size: [u32; 2]) -> Self {
        Self::try_new(origin, tile, size).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a map of empty tiles, or returns an error if the input is invalid.
    ///
    /// # Errors
    /// Returns an error if a number is not finite, a tile has no width or height, or the map has no
    /// columns or rows or more than [`TileMap::MAX_TILES`] tiles.
    pub fn try_new(
        origin: impl IntoVec2,
        tile: impl IntoVec2,
        [columns, rows]: [u32; 2],
    ) -> Result<Self, ShapeError> {
        let tile = tile.into_vec2();
        validate::positive(tile.x, "tile.x")?;
        validate::positive(tile.y, "tile.y")?;
        if columns == 0 || rows == 0 {
            return Err(ShapeError::EmptyTileMap);
        }
        if u64::from(columns) * u64::from(rows) > Self::MAX_TILES {
            return Err(ShapeError::TooManyTiles { columns, rows });
        }
        let placement = GridPlacement::try_new(origin.into_vec2(), tile, (columns, rows))?;
        Ok(Self { grid: Arc::new(Grid::new(columns, rows)), placement })
    }

    /// Creates a map from text, one row of tiles per line, the first at the origin, and a legend with
    /// the kind of each character. A dot or a space is empty unless the legend defines it. If characters mark
    /// other things, such as where a hero or a coin appears, give them the kind [`TileKind::EMPTY`], or use
    /// [`TileMap::from_rows_lossy`].
    ///
    /// # Panics
    /// Panics if [`TileMap::try_from_rows`] returns an error.
    pub fn from_rows<R: AsRef<str>>(
        origin: impl IntoVec2,
        tile: impl IntoVec2,
        rows: &[R],
        legend: &[(char, TileKind)],
    ) -> Self {
        Self::try_from_rows(origin, tile, rows, legend).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a map from text like [`TileMap::from_rows`], but characters that are not in the legend are empty
    /// tiles. The same text can therefore define several maps, and mark where other things appear:
    ///
    /// ```
    /// use carom::prelude::*;
    /// let rows = ["..o.@..", "##~~~##"];
    /// let map = |legend| TileMap::from_rows_lossy([0.0, 0.0], [1.0, 1.0], &rows, legend);
    /// let (ground, water) = (map(&[('#', TileKind::SOLID)]), map(&[('~', TileKind::SOLID)]));
    /// assert_eq!((ground.tiles().count(), water.tiles().count()), (4, 3));
    /// ```
    ///
    /// # Panics
    /// Panics if [`TileMap::try_new`] returns an error, or the rows differ in length.
    pub fn from_rows_lossy<R: AsRef<str>>(
        origin: impl IntoVec2,
        tile: impl IntoVec2,
        rows: &[R],
        legend: &[(char, TileKind)],
    ) -> Self {
        Self::read_rows(origin, tile, rows, legend, |_| true)
            .unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a map from text, or returns an error if the input is invalid.
    ///
    /// # Errors
    /// Returns the errors of [`TileMap::try_new`], or an error if the rows differ in length or a
    /// character is not in the legend.
    pub fn try_from_rows<R: AsRef<str>>(
        origin: impl IntoVec2,
        tile: impl IntoVec2,
        rows: &[R],
        legend: &[(char, TileKind)],
    ) -> Result<Self, ShapeError> {
        Self::read_rows(origin, tile, rows, legend, |name| name == '.' || name == ' ')
    }

    /// Creates a map from text. Characters that are not in the legend are empty if `is_empty` returns `true`.
    fn read_rows<R: AsRef<str>>(
        origin: impl IntoVec2,
        tile: impl IntoVec2,
        rows: &[R],
        legend: &[(char, TileKind)],
        is_empty: impl Fn(char) -> bool,
    ) -> Result<Self, ShapeError> {
        let count = |row: &R| row.as_ref().chars().count();
        let (columns, height) = (rows.first().map_or(0, count), rows.len());
        let size = [columns, height].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        if let Some(row) = rows.iter().position(|row| count(row) != columns) {
            let length = count(&rows[row]);
            return Err(ShapeError::RaggedRows { row, length, first: columns });
        }
        let mut map = Self::try_new(origin, tile, size)?;
        let mut ids: alloc::vec::Vec<(char, u16)> =
            legend.iter().map(|(name, kind)| (*name, map.add_kind(kind.clone()))).collect();
        ids.sort_by_key(|id| id.0); // of equal characters, the first counts
        let grid = Arc::make_mut(&mut map.grid);
        for (y, row) in rows.iter().enumerate() {
            for (x, name) in row.as_ref().chars().enumerate() {
                let known = ids.get(ids.partition_point(|id| id.0 < name));
                let known = known.filter(|id| id.0 == name).map(|id| id.1);
                let id = known
                    .or(is_empty(name).then_some(Self::EMPTY))
                    .ok_or(ShapeError::UnknownTile { name, column: x, row: y })?;
                if id != Self::EMPTY {
                    grid.set(Cell::new(x as u32, y as u32), id);
                }
            }
        }
        Ok(map)
    }

    /// Returns the number of columns.
    pub fn columns(&self) -> u32 {
        self.grid.size().0
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> u32 {
        self.grid.size().1
    }

    /// Returns the minimum corner, before the map was flipped and transformed.
    pub fn origin(&self) -> Vec2 {
        self.placement.origin
    }

    /// Returns the width and height of a tile, before the map was transformed.
    pub fn tile(&self) -> Vec2 {
        self.placement.cell
    }

    /// Returns the flip that is applied before the pose.
    pub fn flip(&self) -> Flip {
        self.placement.flip
    }

    /// Returns the pose by which the map has been transformed since its creation.
    pub fn pose(&self) -> &Pose {
        &self.placement.pose
    }

    /// Returns the kinds of tiles, by index.
    pub fn kinds(&self) -> &[TileKind] {
        &self.grid.kinds
    }

    /// Returns the index of a kind in this map, and adds the kind if it is new. With the 257th kind,
    /// each cell takes one more byte.
    ///
    /// # Panics
    /// Panics if the map has 65,536 kinds already.
    pub fn add_kind(&mut self, kind: TileKind) -> u16 {
        Arc::make_mut(&mut self.grid).id_of(kind)
    }

    /// Returns the index of a tile's kind; [`TileMap::EMPTY`] outside the grid.
    pub fn get(&self, cell: impl Into<Cell>) -> u16 {
        let cell = cell.into();
        if self.grid.contains(cell) { self.grid.get(cell) } else { Self::EMPTY }
    }

    /// Returns the kind of a tile; the empty kind outside the grid.
    pub fn kind(&self, cell: impl Into<Cell>) -> &TileKind {
        self.grid.kind(cell.into())
    }

    /// Sets the kind of a tile and returns the index of its previous kind.
    ///
    /// This takes constant time, unless it empties an outermost row or column: then it searches for
    /// the next one that is not empty.
    ///
    /// # Panics
    /// Panics if the cell is outside the grid, or the map has no kind with that index.
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
        assert!(self.grid.contains(cell), "{cell:?} is outside a map of {columns} by {rows} tiles");
        let kinds = self.grid.kinds.len();
        assert!(usize::from(kind) < kinds, "kind {kind} does not exist; the map has {kinds} kinds");
        Arc::make_mut(&mut self.grid).set(cell, kind)
    }

    /// Iterates over the cells that are not empty, row by row.
    pub fn tiles(&self) -> impl Iterator<Item = Cell> + '_ {
        let (columns, rows) = self.used();
        cells(columns, rows).filter(|&cell| !self.kind(cell).is_empty())
    }

    /// Returns the cell that contains a point, or `None` if the point is outside the grid. A point on
    /// an edge belongs to the cell with the larger coordinates, if there is one.
    #[inline]
    pub fn cell_at(&self, point: impl IntoVec2) -> Option<Cell> {
        self.placement.cell_at(point.into_vec2())
    }

    /// Returns the corners of a cell, empty or not, starting at its minimum column and row:
    /// counterclockwise (y up) unless the map is flipped.
    pub fn cell_corners(&self, cell: impl Into<Cell>) -> [Vec2; 4] {
        self.placement.corners(cell.into())
    }

    /// Returns the center of a cell.
    pub fn cell_center(&self, cell: impl Into<Cell>) -> Vec2 {
        self.placement.transform.world_point(cell.into().low() + 0.5)
    }

    /// Returns a tile as a shape, or `None` if it is empty.
    pub fn tile_shape(&self, cell: impl Into<Cell>) -> Option<Shape> {
        let cell = cell.into();
        let kind = self.kind(cell);
        let corners = kind.points().iter().map(|&point| self.point_in(cell, point));
        Some(match *kind.points() {
            [] => return None,
            [a, b] => Segment::new(self.point_in(cell, a), self.point_in(cell, b)).into(),
            _ if kind.is_solid() && self.placement.is_axis_aligned() => {
                Aabb::union(corners.map(|corner| Aabb::new_unchecked(corner, corner))).into()
            }
            _ => ConvexPolygon::from_hull(corners.collect(), 0.0).into(),
        })
    }

    /// Maps a point of the unit tile to world coordinates.
    #[inline]
    fn point_in(&self, cell: Cell, point: Vec2) -> Vec2 {
        self.placement.transform.world_point(cell.low() + point.as_dvec2())
    }

    /// Returns `true` if some parts may have no area: platforms, or tiles that rounding has left no
    /// width.
    pub(crate) fn may_have_zero_area_parts(&self) -> bool {
        self.placement.may_be_flat() || self.grid.has_one_way_kind
    }
}

impl Transform for TileMap {
    type Transformed = Self;

    fn apply_pose(&self, pose: &Pose) -> Self {
        Self { placement: self.placement.transformed(pose), ..self.clone() }
    }

    fn apply_translation(&self, by: Vec2) -> Self {
        Self { placement: self.placement.translated(by), ..self.clone() }
    }

    fn apply_flip(&self, flip: Flip) -> Self {
        Self { placement: self.placement.flipped(flip), ..self.clone() }
    }
}
