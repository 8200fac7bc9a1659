//! What can be wrong with a shape's description.

use core::fmt;

use glam::Vec2;

/// Why a shape cannot be made: one variant for each fault, with the value that is wrong.
///
/// ```
/// use carom::prelude::*;
/// let error = Circle::try_new([0.0, 0.0], -1.0).unwrap_err();
/// assert_eq!(error, ShapeError::NotPositive { what: "radius", value: -1.0 });
/// assert_eq!(error.to_string(), "radius is -1; it must be greater than 0");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ShapeError {
    /// A number is NaN or infinite.
    NotFinite {
        /// Which number: `"radius"`, `"center.x"`, ...
        what: &'static str,
        /// The value given.
        value: f32,
    },
    /// A size must be greater than zero.
    NotPositive {
        /// Which size: `"radius"`, `"half.x"`, ...
        what: &'static str,
        /// The value given.
        value: f32,
    },
    /// A size must not be below zero.
    Negative {
        /// Which size.
        what: &'static str,
        /// The value given.
        value: f32,
    },
    /// A coordinate of a point in a list is NaN or infinite.
    PointNotFinite {
        /// Where the point stands in its list, from 0.
        index: usize,
        /// The point given.
        point: Vec2,
    },
    /// Too few points, after points that repeat their neighbour are dropped.
    TooFewPoints {
        /// How many different points there are.
        count: usize,
        /// How many it takes.
        needed: usize,
    },
    /// All points lie on one line, so there is no area.
    NoArea {
        /// The first point of the outline.
        at: Vec2,
    },
    /// The outline of a convex polygon turns the wrong way at a point.
    NotConvex {
        /// Where the point stands in the list given, from 0.
        index: usize,
        /// The point at which the outline turns inwards.
        point: Vec2,
    },
    /// Two edges of an outline cross or lie on each other.
    SelfCrossing {
        /// Ring of the first edge: 0 is the outer outline, 1 the first hole, ...
        ring: usize,
        /// Index of the first edge in its ring (edge `i` starts at point `i`).
        edge: usize,
        /// Ring of the second edge.
        other_ring: usize,
        /// Index of the second edge in its ring.
        other_edge: usize,
        /// A point the two edges share, rounded.
        at: Vec2,
    },
    /// A hole does not lie inside the outer outline.
    HoleOutside {
        /// Which hole, from 0.
        hole: usize,
        /// A point of the hole that lies outside.
        point: Vec2,
    },
    /// A hole lies inside another hole.
    HoleInHole {
        /// Which hole, from 0.
        hole: usize,
        /// The hole around it.
        outer_hole: usize,
    },
    /// A compound has no parts.
    NoParts,
    /// A tile map has no columns or no rows.
    NoTiles,
    /// A bitmap has no width or no height.
    NoPixels,
    /// A bitmap is wider or higher than 16,384 pixels.
    TooManyPixels {
        /// The width given.
        width: u32,
        /// The height given.
        height: u32,
    },
    /// A character of a bitmap drawn as text is none of those that it takes.
    UnknownPixel {
        /// The character.
        name: char,
        /// Its column, from 0.
        column: usize,
        /// Its row, from 0.
        row: usize,
    },
    /// A picture has more or fewer bytes than its width and height call for.
    WrongBytes {
        /// How many there are.
        count: usize,
        /// How many it takes.
        expected: usize,
    },
    /// The rows of a tile map or a bitmap differ in length.
    RaggedRows {
        /// The first row that differs, from 0.
        row: usize,
        /// How many tiles or pixels it has.
        length: usize,
        /// How many the first row has.
        first: usize,
    },
    /// A character of a tile map is not in its legend.
    UnknownTile {
        /// The character.
        name: char,
        /// Its column, from 0.
        column: usize,
        /// Its row, from 0.
        row: usize,
    },
    /// A point of a tile's form lies outside the unit tile.
    OutsideTile {
        /// Where the point stands in its list, from 0.
        index: usize,
        /// The point given.
        point: Vec2,
    },
    /// The shape has been shrunk to nothing.
    ShrunkToNothing {
        /// The margin that was taken off.
        margin: f32,
    },
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotFinite { what, value } => {
                write!(f, "{what} is {value}; it must be a finite number")
            }
            Self::NotPositive { what, value } => {
                write!(f, "{what} is {value}; it must be greater than 0")
            }
            Self::Negative { what, value } => write!(f, "{what} is {value}; it must be at least 0"),
            Self::PointNotFinite { index, point } => write!(
                f,
                "point {index} is ({}, {}); its coordinates must be finite numbers",
                point.x, point.y
            ),
            Self::TooFewPoints { count, needed } => {
                write!(f, "{count} different points; it takes at least {needed}")
            }
            Self::NoArea { at } => write!(
                f,
                "all points lie on one line through ({}, {}); the shape has no area",
                at.x, at.y
            ),
            Self::NotConvex { index, point } => write!(
                f,
                "the outline turns inwards at point {index}, ({}, {}); use a polygon for shapes that are not convex",
                point.x, point.y
            ),
            Self::SelfCrossing { ring, edge, other_ring, other_edge, at } => {
                let (first, second) = (Ring(ring), Ring(other_ring));
                write!(
                    f,
                    "edge {edge} of {first} meets edge {other_edge} of {second} at ({}, {}); outlines must not cross or overlap",
                    at.x, at.y
                )
            }
            Self::HoleOutside { hole, point } => write!(
                f,
                "hole {hole} leaves the outer outline at ({}, {}); a hole must lie inside it",
                point.x, point.y
            ),
            Self::HoleInHole { hole, outer_hole } => {
                write!(f, "hole {hole} lies inside hole {outer_hole}; holes must lie side by side")
            }
            Self::NoParts => write!(f, "no parts; a compound takes at least one shape"),
            Self::NoTiles => write!(f, "no tiles; a map takes at least one row and one column"),
            Self::NoPixels => write!(f, "no pixels; a mask takes at least one row and one column"),
            Self::TooManyPixels { width, height } => write!(
                f,
                "{width} by {height} pixels; a mask takes at most 16384 in each direction"
            ),
            Self::UnknownPixel { name, column, row } => write!(
                f,
                "{name:?} in column {column} of row {row} is no pixel; use '#' where it is set and '.' where not"
            ),
            Self::WrongBytes { count, expected } => {
                write!(f, "{count} bytes; a picture of this size takes {expected}")
            }
            Self::RaggedRows { row, length, first } => {
                write!(f, "row {row} is {length} long; it must be {first}, as the first row is")
            }
            Self::UnknownTile { name, column, row } => {
                write!(f, "{name:?} in column {column} of row {row} is not in the legend")
            }
            Self::OutsideTile { index, point } => write!(
                f,
                "point {index} is ({}, {}); in a tile, coordinates go from 0 to 1",
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
