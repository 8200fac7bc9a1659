//! The kinds of tiles.

use alloc::vec::Vec;

use glam::Vec2;

use crate::error::ShapeError;
use crate::math::IntoVec2;
use crate::shape::convex::hull;
use crate::shape::grid::CellSide;
use crate::shape::{ConvexPolygon, validate};

/// A kind of tile: its shape within the unit tile, from (0, 0) to (1, 1), and a number for your own
/// use.
///
/// The y axis may point up or down: shapes that depend on it take the up direction as a vector, of
/// which only the longer coordinate counts. In a map created from text, the first row has the
/// smallest y.
///
/// ```
/// use carom::prelude::*;
/// let ice = TileKind::SOLID.with_data(7);
/// let ramp = TileKind::slope(0.0, 0.5, [0.0, 1.0]); // y up: the lower half of a gentle slope
/// assert_eq!(ramp.points(), [[0.0, 0.0], [1.0, 0.0], [1.0, 0.5]].map(Vec2::from));
/// assert!(ice.is_solid() && !ramp.is_solid());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TileKind {
    points: Outline,
    one_way: bool,
    data: u32,
}

/// The vertices. Empty and solid kinds need no allocation.
#[derive(Clone, Debug, PartialEq)]
enum Outline {
    Empty,
    Solid,
    Points(Vec<Vec2>),
}

/// The corners of the unit tile.
const UNIT: [Vec2; 4] = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];

impl TileKind {
    /// Returns a hash (FNV-1a): equal for equal kinds, and rarely equal for others.
    pub(super) fn fingerprint(&self) -> u64 {
        let points = self.points().iter().flat_map(|point| [point.x, point.y]);
        // Minus zero equals zero; the sum makes both the same bits.
        let coordinates = points.map(|x| u64::from((x + 0.0).to_bits()));
        [u64::from(self.one_way), u64::from(self.data)]
            .into_iter()
            .chain(coordinates)
            .fold(0xcbf2_9ce4_8422_2325, |hash, value| (hash ^ value).wrapping_mul(0x100_0000_01b3))
    }

    /// The empty kind.
    pub const EMPTY: Self = Self { points: Outline::Empty, one_way: false, data: 0 };

    /// The kind that fills the whole tile.
    pub const SOLID: Self = Self { points: Outline::Solid, one_way: false, data: 0 };

    /// Creates a one-way platform: the side of the tile that faces `up`. It stops only what comes
    /// from there; sweeps and rays from below or along it pass. For queries without motion, such as
    /// `intersects`, `contains` and `contact`, it is an ordinary segment, like a one-sided
    /// [`Chain`](crate::shape::Chain): it has no area, contains only points and segments on it, and
    /// the rest of its tile is empty.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut map = TileMap::new([0.0, 0.0], [1.0, 1.0], [1, 1]);
    /// let platform = map.add_kind(TileKind::one_way([0.0, 1.0]));
    /// map.set([0, 0], platform);
    /// let ball = Circle::new([0.5, 3.0], 0.5);
    /// assert!(ball.sweep([0.0, -9.0], &map).is_some());
    /// assert!(ball.translated([0.0, -9.0]).sweep([0.0, 9.0], &map).is_none());
    /// ```
    pub fn one_way(up: impl IntoVec2) -> Self {
        let up = Up::of(up.into_vec2());
        let ends = if up.is_right_handed() { [Vec2::Y, Vec2::ONE] } else { [Vec2::ONE, Vec2::Y] };
        Self {
            points: Outline::Points(ends.map(|end| up.apply(end)).to_vec()),
            ..Self::empty_one_way()
        }
    }

    /// Creates a segment within the tile that stops only what comes from its left (y up), for
    /// example a sloped one-way platform.
    ///
    /// # Panics
    /// Panics if [`TileKind::try_one_way_line`] returns an error.
    pub fn one_way_line(a: impl IntoVec2, b: impl IntoVec2) -> Self {
        Self::try_one_way_line(a, b).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a one-way segment, or returns an error if the input is invalid.
    ///
    /// # Errors
    /// Returns an error if a coordinate is not between 0 and 1, or the two points are equal.
    pub fn try_one_way_line(a: impl IntoVec2, b: impl IntoVec2) -> Result<Self, ShapeError> {
        let ends = check_in_tile(&[a.into_vec2(), b.into_vec2()])?;
        if ends[0] == ends[1] {
            return Err(ShapeError::TooFewPoints { count: 1, needed: 2 });
        }
        Ok(Self { points: Outline::Points(ends), ..Self::empty_one_way() })
    }

    const fn empty_one_way() -> Self {
        Self { one_way: true, ..Self::EMPTY }
    }

    /// Creates a sloped floor, filled on the side away from `up`. The heights, from 0 to 1, are
    /// those at the smallest and the largest x (or y, if `up` is along x).
    ///
    /// Heights from 0 to 1 make a 45° slope in a square tile; 0 to 0.5 and 0.5 to 1 make a gentle
    /// slope over two tiles. A sloped ceiling is a floor with the opposite `up`.
    ///
    /// # Panics
    /// Panics if [`TileKind::try_slope`] returns an error.
    pub fn slope(from: f32, to: f32, up: impl IntoVec2) -> Self {
        Self::try_slope(from, to, up).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a sloped floor, or returns an error if the input is invalid.
    ///
    /// # Errors
    /// Returns an error if a height is not between 0 and 1, or both are 0.
    pub fn try_slope(from: f32, to: f32, up: impl IntoVec2) -> Result<Self, ShapeError> {
        let up = Up::of(up.into_vec2());
        let corners = [Vec2::ZERO, Vec2::X, Vec2::new(1.0, to), Vec2::new(0.0, from)];
        let corners = check_in_tile(&corners)?;
        Self::try_convex(&corners.into_iter().map(|corner| up.apply(corner)).collect::<Vec<_>>())
    }

    /// Creates a kind with any convex polygon within the unit tile.
    ///
    /// # Panics
    /// Panics if [`TileKind::try_convex`] returns an error.
    pub fn convex<P: IntoVec2>(points: &[P]) -> Self {
        Self::try_convex(points).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a kind with a convex polygon, or returns an error if the input is invalid.
    ///
    /// # Errors
    /// Returns the errors of [`ConvexPolygon::try_new`], or an error if a coordinate is not between
    /// 0 and 1.
    pub fn try_convex<P: IntoVec2>(points: &[P]) -> Result<Self, ShapeError> {
        let points = check_in_tile(&validate::points(points)?)?;
        // Each vertex once, counterclockwise from the smallest, so that equal shapes compare
        // equal.
        let mut points = ConvexPolygon::try_new(&points)?.points().to_vec();
        let len = hull(&mut points);
        points.truncate(len);
        let points = if points == UNIT { Outline::Solid } else { Outline::Points(points) };
        Ok(Self { points, ..Self::EMPTY })
    }

    /// Returns the kind with a number for your own use, such as a movement cost or a sound.
    #[must_use]
    pub fn with_data(self, data: u32) -> Self {
        Self { data, ..self }
    }

    /// Returns the number for your own use; 0 by default.
    pub fn data(&self) -> u32 {
        self.data
    }

    /// Returns the vertices within the unit tile, counterclockwise (y up): none if the kind is
    /// empty, two for a one-way platform.
    pub fn points(&self) -> &[Vec2] {
        match &self.points {
            Outline::Empty => &[],
            Outline::Solid => &UNIT,
            Outline::Points(points) => points,
        }
    }

    /// Returns `true` if the kind is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        matches!(self.points, Outline::Empty)
    }

    /// Returns `true` if the kind fills the whole tile.
    #[inline]
    pub fn is_solid(&self) -> bool {
        matches!(self.points, Outline::Solid)
    }

    /// Returns `true` if the kind is a segment that stops only what comes from one side.
    #[inline]
    pub fn is_one_way(&self) -> bool {
        self.one_way
    }

    /// Returns the interval of a side of the tile that the shape covers, if it is more than a
    /// point.
    pub(super) fn cover(&self, side: CellSide) -> Option<(f64, f64)> {
        let points = if self.one_way { &[] } else { self.points() };
        let on_side = points.iter().filter(|&&point| side.has(point));
        let along = on_side.map(|&point| f64::from(side.along(point)));
        let (low, high) = along
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        (low < high).then_some((low, high))
    }
}

impl CellSide {
    /// Returns the side of the unit tile on which two points lie.
    pub fn of(a: Vec2, b: Vec2) -> Option<Self> {
        Self::ALL.into_iter().find(|side| side.has(a) && side.has(b))
    }

    fn has(self, point: Vec2) -> bool {
        let across = if self.is_vertical() { point.x } else { point.y };
        across == if self.is_high() { 1.0 } else { 0.0 }
    }

    pub fn along(self, point: Vec2) -> f32 {
        if self.is_vertical() { point.y } else { point.x }
    }
}

/// The rotation of shapes that are defined with y up.
#[derive(Clone, Copy)]
struct Up {
    along_x: bool,
    reversed: bool,
}

impl Up {
    fn of(up: Vec2) -> Self {
        let along_x = up.x.abs() > up.y.abs();
        Self { along_x, reversed: if along_x { up.x < 0.0 } else { up.y < 0.0 } }
    }

    /// Rotates a point of the unit tile, so that its height is measured along `up`.
    fn apply(self, point: Vec2) -> Vec2 {
        let height = if self.reversed { 1.0 - point.y } else { point.y };
        if self.along_x { Vec2::new(height, point.x) } else { Vec2::new(point.x, height) }
    }

    /// Returns `true` if the transform keeps the winding.
    fn is_right_handed(self) -> bool {
        self.along_x == self.reversed
    }
}

/// Returns the points, or an error if one of them lies outside the unit tile.
fn check_in_tile(points: &[Vec2]) -> Result<Vec<Vec2>, ShapeError> {
    let is_within = |point: &Vec2| point.cmpge(Vec2::ZERO).all() && point.cmple(Vec2::ONE).all();
    match points.iter().position(|point| !is_within(point)) {
        Some(index) => Err(ShapeError::OutsideTile { index, point: points[index] }),
        None => Ok(points.iter().map(|&point| point + Vec2::ZERO).collect()), // no minus zero
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_filled_on_the_side_away_from_up() {
        let corners = |list: &[[f32; 2]]| TileKind::convex(list);
        let slope = |from, to, up| TileKind::slope(from, to, up);
        assert_eq!(slope(0.0, 1.0, [0.0, 1.0]), corners(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]));
        assert_eq!(slope(1.0, 0.0, [0.0, 1.0]), corners(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]));
        assert_eq!(slope(0.0, 1.0, [0.0, -1.0]), corners(&[[0.0, 1.0], [1.0, 1.0], [1.0, 0.0]]));
        assert_eq!(slope(0.0, 1.0, [1.0, 0.0]), corners(&[[0.0, 0.0], [0.0, 1.0], [1.0, 1.0]]));
        let high = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.5]];
        assert_eq!(slope(0.5, 1.0, [0.0, 1.0]), corners(&high));
        assert_eq!(slope(1.0, 1.0, [1.0, 0.0]), TileKind::SOLID);
    }

    #[test]
    fn platforms_have_their_left_side_up() {
        for up in [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y] {
            let kind = TileKind::one_way(up);
            let [a, b] = kind.points() else { panic!("two points") };
            assert_eq!((*b - *a).perp(), up, "{up}");
            assert_eq!((*a + *b) / 2.0, Vec2::splat(0.5) + up / 2.0, "{up}");
        }
    }

    #[test]
    fn shapes_outside_the_tile_are_rejected() {
        let error = TileKind::try_convex(&[[0.0, 0.0], [1.5, 0.0], [1.0, 1.0]]).unwrap_err();
        assert_eq!(error, ShapeError::OutsideTile { index: 1, point: Vec2::new(1.5, 0.0) });
        assert!(TileKind::try_slope(0.0, 0.0, [0.0, 1.0]).is_err());
        assert!(TileKind::try_slope(0.0, f32::NAN, [0.0, 1.0]).is_err());
        assert!(TileKind::try_one_way_line([0.0, 0.5], [0.0, 0.5]).is_err());
    }

    #[test]
    fn a_side_is_covered_as_far_as_the_shape_extends() {
        let right = CellSide::Right;
        let low = TileKind::slope(0.0, 0.5, [0.0, 1.0]);
        assert_eq!(low.cover(right), Some((0.0, 0.5)));
        assert_eq!(low.cover(right.opposite()), None);
        assert_eq!(TileKind::SOLID.cover(right), Some((0.0, 1.0)));
        assert_eq!(TileKind::one_way(Vec2::X).cover(right), None);
    }
}
