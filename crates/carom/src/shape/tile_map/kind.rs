//! What a tile can be.

use alloc::vec::Vec;

use glam::Vec2;

use crate::error::ShapeError;
use crate::shape::convex::hull;
use crate::shape::grid::Side;
use crate::shape::{ConvexPolygon, validate};

/// A kind of tile: its form within the unit tile, from (0, 0) to (1, 1), and a number of your own.
///
/// Nothing is assumed about where up is: forms that need it take it as a vector, of which the
/// longer coordinate counts. In a map drawn as text, the first row lies towards −y.
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
    points: Form,
    one_way: bool,
    data: u32,
}

/// The corners; those of the plain kinds need no memory.
#[derive(Clone, Debug, PartialEq)]
enum Form {
    Empty,
    Solid,
    Points(Vec<Vec2>),
}

const UNIT: [Vec2; 4] = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];

impl TileKind {
    /// Nothing.
    pub const EMPTY: Self = Self { points: Form::Empty, one_way: false, data: 0 };

    /// The whole tile.
    pub const SOLID: Self = Self { points: Form::Solid, one_way: false, data: 0 };

    /// A platform: the side of the tile that faces `up`, which stops only what comes from there.
    /// Sweeps and rays from below and along it pass; to questions about sets, such as `intersects`
    /// and `contact`, it is a line like any other, as a one-sided [`Chain`](crate::shape::Chain) is.
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
    pub fn one_way(up: impl Into<Vec2>) -> Self {
        let up = Up::of(up.into());
        let ends = if up.is_right_handed() { [Vec2::Y, Vec2::ONE] } else { [Vec2::ONE, Vec2::Y] };
        Self { points: Form::Points(ends.map(|end| up.turn(end)).to_vec()), ..Self::one_way_form() }
    }

    /// A line within the tile that stops only what comes from its left (y up), as a sloped platform.
    ///
    /// # Panics
    /// Panics if [`TileKind::try_one_way_line`] returns an error.
    pub fn one_way_line(a: impl Into<Vec2>, b: impl Into<Vec2>) -> Self {
        Self::try_one_way_line(a, b).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A line within the tile that stops only what comes from its left (y up), checked.
    ///
    /// # Errors
    /// A coordinate that is not from 0 to 1; two points in one place.
    pub fn try_one_way_line(a: impl Into<Vec2>, b: impl Into<Vec2>) -> Result<Self, ShapeError> {
        let ends = within_tile(&[a.into(), b.into()])?;
        if ends[0] == ends[1] {
            return Err(ShapeError::TooFewPoints { count: 1, needed: 2 });
        }
        Ok(Self { points: Form::Points(ends), ..Self::one_way_form() })
    }

    const fn one_way_form() -> Self {
        Self { one_way: true, ..Self::EMPTY }
    }

    /// A floor that rises or falls, filled on the side away from `up`: how high it is, from 0 to 1,
    /// where x is least and where it is greatest (y, where `up` is along x). From 0 to 1 is a whole
    /// slope; from 0 to 0.5 and on from 0.5 to 1 is a gentle one over two tiles. A ceiling is a floor
    /// with `up` down.
    ///
    /// # Panics
    /// Panics if [`TileKind::try_slope`] returns an error.
    pub fn slope(from: f32, to: f32, up: impl Into<Vec2>) -> Self {
        Self::try_slope(from, to, up).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A floor that rises or falls, checked.
    ///
    /// # Errors
    /// A height that is not from 0 to 1; two heights of 0.
    pub fn try_slope(from: f32, to: f32, up: impl Into<Vec2>) -> Result<Self, ShapeError> {
        let up = Up::of(up.into());
        let corners = [Vec2::ZERO, Vec2::X, Vec2::new(1.0, to), Vec2::new(0.0, from)];
        let corners = within_tile(&corners)?;
        Self::try_convex(&corners.into_iter().map(|corner| up.turn(corner)).collect::<Vec<_>>())
    }

    /// Any convex form within the unit tile.
    ///
    /// # Panics
    /// Panics if [`TileKind::try_convex`] returns an error.
    pub fn convex<P: Copy + Into<Vec2>>(points: &[P]) -> Self {
        Self::try_convex(points).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Any convex form within the unit tile, checked.
    ///
    /// # Errors
    /// A coordinate that is not from 0 to 1; what [`ConvexPolygon::try_new`] does not take.
    pub fn try_convex<P: Copy + Into<Vec2>>(points: &[P]) -> Result<Self, ShapeError> {
        let points = within_tile(&validate::points(points)?)?;
        // Every corner once, counter-clockwise from the least, so that equal forms are equal.
        let mut points = ConvexPolygon::try_new(&points)?.points().to_vec();
        let len = hull(&mut points);
        points.truncate(len);
        let points = if points == UNIT { Form::Solid } else { Form::Points(points) };
        Ok(Self { points, ..Self::EMPTY })
    }

    /// The same with a number of your own: what it costs to walk on, which sound it makes, ...
    #[must_use]
    pub fn with_data(self, data: u32) -> Self {
        Self { data, ..self }
    }

    /// The number of your own; 0 unless given.
    pub fn data(&self) -> u32 {
        self.data
    }

    /// The corners within the unit tile, counter-clockwise (y up): none where it is empty, two for
    /// a platform.
    pub fn points(&self) -> &[Vec2] {
        match &self.points {
            Form::Empty => &[],
            Form::Solid => &UNIT,
            Form::Points(points) => points,
        }
    }

    /// Whether there is nothing.
    #[inline]
    pub fn is_empty(&self) -> bool {
        matches!(self.points, Form::Empty)
    }

    /// Whether the whole tile is filled.
    #[inline]
    pub fn is_solid(&self) -> bool {
        matches!(self.points, Form::Solid)
    }

    /// Whether it is a line that stops what comes from one side only.
    #[inline]
    pub fn is_one_way(&self) -> bool {
        self.one_way
    }

    /// The stretch of a side of the tile that the form covers, if it is more than a point.
    pub(super) fn cover(&self, side: Side) -> Option<(f64, f64)> {
        let points = if self.one_way { &[] } else { self.points() };
        let on_side = points.iter().filter(|&&point| side.holds(point));
        let along = on_side.map(|&point| f64::from(side.along(point)));
        let (low, high) = along
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        (low < high).then_some((low, high))
    }
}

impl Side {
    /// The side that two points of the unit tile lie on.
    pub fn of(a: Vec2, b: Vec2) -> Option<Self> {
        Self::ALL.into_iter().find(|side| side.holds(a) && side.holds(b))
    }

    fn holds(self, point: Vec2) -> bool {
        let across = if self.across_x { point.x } else { point.y };
        across == if self.high { 1.0 } else { 0.0 }
    }

    pub fn along(self, point: Vec2) -> f32 {
        if self.across_x { point.y } else { point.x }
    }
}

/// The way to turn forms drawn with y up.
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

    /// A point of the unit tile: its height becomes that along `up`.
    fn turn(self, point: Vec2) -> Vec2 {
        let height = if self.reversed { 1.0 - point.y } else { point.y };
        if self.along_x { Vec2::new(height, point.x) } else { Vec2::new(point.x, height) }
    }

    /// Whether turning keeps left on the left.
    fn is_right_handed(self) -> bool {
        self.along_x == self.reversed
    }
}

fn within_tile(points: &[Vec2]) -> Result<Vec<Vec2>, ShapeError> {
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
    fn forms_outside_the_tile_are_refused() {
        let error = TileKind::try_convex(&[[0.0, 0.0], [1.5, 0.0], [1.0, 1.0]]).unwrap_err();
        assert_eq!(error, ShapeError::OutsideTile { index: 1, point: Vec2::new(1.5, 0.0) });
        assert!(TileKind::try_slope(0.0, 0.0, [0.0, 1.0]).is_err());
        assert!(TileKind::try_slope(0.0, f32::NAN, [0.0, 1.0]).is_err());
        assert!(TileKind::try_one_way_line([0.0, 0.5], [0.0, 0.5]).is_err());
    }

    #[test]
    fn sides_are_covered_as_far_as_the_form_goes() {
        let right = Side { across_x: true, high: true };
        let low = TileKind::slope(0.0, 0.5, [0.0, 1.0]);
        assert_eq!(low.cover(right), Some((0.0, 0.5)));
        assert_eq!(low.cover(right.opposite()), None);
        assert_eq!(TileKind::SOLID.cover(right), Some((0.0, 1.0)));
        assert_eq!(TileKind::one_way(Vec2::X).cover(right), None);
    }
}
