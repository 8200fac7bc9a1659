//! The errors of shape constructors.

use core::fmt;

use glam::Vec2;

/// The reason why a shape cannot be created, with the invalid value.
///
/// ```
/// use carom::prelude::*;
/// let error = Circle::try_new([0.0, 0.0], -1.0).unwrap_err();
/// assert_eq!(error, ShapeError::NotPositive { field: "radius", value: -1.0 });
/// assert_eq!(error.to_string(), "radius is -1; it must be greater than 0");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ShapeError {
    /// A number is NaN or infinite.
    NotFinite {
        /// The name of the number: `"radius"`, `"center.x"`, ...
        field: &'static str,
        /// The value given.
        value: f32,
    },
    /// A size is not greater than zero.
    NotPositive {
        /// The name of the size: `"radius"`, `"half.x"`, ...
        field: &'static str,
        /// The value given.
        value: f32,
    },
    /// A size is less than zero.
    Negative {
        /// The name of the size.
        field: &'static str,
        /// The value given.
        value: f32,
    },
    /// A coordinate of a point in a list is NaN or infinite.
    PointNotFinite {
        /// The index of the point in its list.
        index: usize,
        /// The point given.
        point: Vec2,
    },
    /// There are too few points, not counting repetitions of the previous point.
    TooFewPoints {
        /// The number of distinct points.
        count: usize,
        /// The minimum number of points.
        needed: usize,
    },
    /// All points are collinear, so the shape has no area.
    Collinear {
        /// The first point of the outline.
        at: Vec2,
    },
    /// The outline of a convex polygon has a reflex vertex.
    NotConvex {
        /// The index of the vertex in the list given.
        index: usize,
        /// The vertex.
        point: Vec2,
    },
    /// Two edges of an outline cross or overlap.
    SelfIntersection {
        /// The ring of the first edge: 0 is the outer outline, 1 the first hole, ...
        ring: usize,
        /// The index of the first edge in its ring; edge `i` starts at point `i`.
        edge: usize,
        /// The ring of the second edge.
        other_ring: usize,
        /// The index of the second edge in its ring.
        other_edge: usize,
        /// A point that the two edges share, rounded.
        at: Vec2,
    },
    /// A hole does not lie inside the outer outline.
    HoleOutside {
        /// The index of the hole.
        hole: usize,
        /// A point of the hole that lies outside.
        point: Vec2,
    },
    /// A hole lies inside another hole.
    HoleInHole {
        /// The index of the inner hole.
        hole: usize,
        /// The index of the hole around it.
        outer_hole: usize,
    },
    /// A compound has no parts.
    EmptyCompound,
    /// Compounds are nested more than [`Compound::MAX_DEPTH`](crate::shape::Compound::MAX_DEPTH) levels
    /// deep.
    NestedTooDeep,
    /// A tile map has no columns or no rows.
    EmptyTileMap,
    /// A tile map has more than [`TileMap::MAX_TILES`](crate::shape::TileMap::MAX_TILES) tiles.
    TooManyTiles {
        /// The number of columns given.
        columns: u32,
        /// The number of rows given.
        rows: u32,
    },
    /// A bitmap has no width or no height.
    EmptyBitmap,
    /// A bitmap is wider or higher than [`Bitmap::MAX_SIDE`](crate::shape::Bitmap::MAX_SIDE) pixels.
    TooManyPixels {
        /// The width given.
        width: u32,
        /// The height given.
        height: u32,
    },
    /// A character in the text form of a bitmap does not stand for a pixel.
    UnknownPixel {
        /// The character.
        name: char,
        /// Its column.
        column: usize,
        /// Its row.
        row: usize,
    },
    /// A pixel buffer does not have the number of bytes that its width and height require.
    WrongBufferSize {
        /// The number of bytes given.
        count: usize,
        /// The number of bytes required.
        expected: usize,
    },
    /// The rows of a tile map or a bitmap differ in length.
    RaggedRows {
        /// The first row that differs.
        row: usize,
        /// The number of tiles or pixels in that row.
        length: usize,
        /// The number of tiles or pixels in row 0.
        first: usize,
    },
    /// A character of a tile map is not in its legend.
    UnknownTile {
        /// The character.
        name: char,
        /// Its column.
        column: usize,
        /// Its row.
        row: usize,
    },
    /// A vertex of a tile kind lies outside the unit tile.
    OutsideTile {
        /// The index of the vertex in its list.
        index: usize,
        /// The vertex given.
        point: Vec2,
    },
    /// Nothing is left of a shape after shrinking it.
    ShrunkToNothing {
        /// The margin by which the shape was to shrink.
        margin: f32,
    },
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotFinite { field, value } => {
                write!(f, "{field} is {value}; it must be a finite number")
            }
            Self::NotPositive { field, value } => {
                write!(f, "{field} is {value}; it must be greater than 0")
            }
            Self::Negative { field, value } => {
                write!(f, "{field} is {value}; it must be at least 0")
            }
            Self::PointNotFinite { index, point } => write!(
                f,
                "point {index} is ({}, {}); its coordinates must be finite numbers",
                point.x, point.y
            ),
            Self::TooFewPoints { count, needed } => {
                write!(f, "{count} distinct points; at least {needed} are required")
            }
            Self::Collinear { at } => write!(
                f,
                "all points lie on one line through ({}, {}); the shape has no area",
                at.x, at.y
            ),
            Self::NotConvex { index, point } => write!(
                f,
                "the outline turns inwards at point {index}, ({}, {}); use a polygon for shapes that are not convex",
                point.x, point.y
            ),
            Self::SelfIntersection { ring, edge, other_ring, other_edge, at } => {
                let (first, second) = (Ring(ring), Ring(other_ring));
                write!(
                    f,
                    "edge {edge} of {first} intersects edge {other_edge} of {second} at ({}, {}); outlines must not cross or overlap",
                    at.x, at.y
                )
            }
            Self::HoleOutside { hole, point } => write!(
                f,
                "hole {hole} leaves the outer outline at ({}, {}); a hole must lie inside it",
                point.x, point.y
            ),
            Self::HoleInHole { hole, outer_hole } => {
                write!(f, "hole {hole} lies inside hole {outer_hole}; holes must not be nested")
            }
            Self::EmptyCompound => write!(f, "no parts; a compound needs at least one shape"),
            Self::NestedTooDeep => {
                let limit = crate::shape::Compound::MAX_DEPTH;
                write!(f, "compounds are nested more than {limit} levels deep")
            }
            Self::EmptyTileMap => {
                write!(f, "no tiles; a tile map needs at least one row and one column")
            }
            Self::TooManyTiles { columns, rows } => {
                let limit = crate::shape::TileMap::MAX_TILES;
                write!(f, "{columns} by {rows} tiles; a tile map has at most {limit}")
            }
            Self::EmptyBitmap => {
                write!(f, "no pixels; a mask needs at least one row and one column")
            }
            Self::TooManyPixels { width, height } => {
                let limit = crate::shape::Bitmap::MAX_SIDE;
                write!(
                    f,
                    "{width} by {height} pixels; a mask has at most {limit} in each direction"
                )
            }
            Self::UnknownPixel { name, column, row } => write!(
                f,
                "{name:?} in column {column} of row {row} is not a pixel; use '#' for a set pixel and '.' for a clear one"
            ),
            Self::WrongBufferSize { count, expected } => {
                write!(f, "{count} bytes; an image of this size has {expected}")
            }
            Self::RaggedRows { row, length, first } => {
                write!(f, "row {row} has length {length}; expected {first}, the length of row 0")
            }
            Self::UnknownTile { name, column, row } => {
                write!(f, "{name:?} in column {column} of row {row} is not in the legend")
            }
            Self::OutsideTile { index, point } => write!(
                f,
                "point {index} is ({}, {}); coordinates in a tile are from 0 to 1",
                point.x, point.y
            ),
            Self::ShrunkToNothing { margin } => {
                write!(f, "nothing is left after shrinking by {margin}; use a smaller margin")
            }
        }
    }
}

impl core::error::Error for ShapeError {}

/// Names a ring of a polygon in a message.
struct Ring(usize);

impl fmt::Display for Ring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => write!(f, "the outer outline"),
            n => write!(f, "hole {}", n - 1),
        }
    }
}
