//! Convex polygons, plain or rounded.

use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::Vec2;

use crate::error::ShapeError;
use crate::math::exact::{Orientation, dot_sign, orient2d};
use crate::math::{Flip, IntoVec2, Pose, to_vec2};
use crate::shape::convex::{Convex, HalfPlanes4, hull, is_strictly_convex};
use crate::shape::{Aabb, Transform, validate};

/// A filled convex polygon with any number of vertices in either winding, optionally rounded by a
/// radius that is added all around.
///
/// Repeated points and points on a straight edge are dropped. For outlines that are not convex see
/// [`Polygon`](crate::shape::Polygon); for the hull of any points, [`ConvexPolygon::hull`].
///
/// ```
/// use carom::prelude::*;
/// let kite = ConvexPolygon::new(&[[0.0, 0.0], [2.0, 1.0], [0.0, 4.0], [-2.0, 1.0]]);
/// assert!(kite.contains(&Point::new([0.0, 3.9])));
/// let soft = ConvexPolygon::rounded(kite.points(), 0.5);
/// assert!(soft.contains(&Point::new([0.0, 4.5])));
/// ```
#[derive(Clone, PartialEq)]
pub struct ConvexPolygon {
    points: Vec<Vec2>,
    half_planes: Vec<HalfPlanes4>,
    extent: f64,
    radius: f32,
    bounds: Aabb,
}

impl ConvexPolygon {
    /// Creates a convex polygon from its vertices.
    ///
    /// # Panics
    /// Panics if [`ConvexPolygon::try_new`] returns an error.
    pub fn new<P: IntoVec2>(points: &[P]) -> Self {
        Self::try_new(points).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a convex polygon, or returns an error if the input is invalid.
    ///
    /// # Errors
    /// Returns an error if a coordinate is not finite, there are fewer than three distinct points,
    /// all points are collinear, or the outline is not convex or winds around more than once.
    pub fn try_new<P: IntoVec2>(points: &[P]) -> Result<Self, ShapeError> {
        Self::try_rounded(points, 0.0)
    }

    /// Creates a convex polygon rounded by a radius that is added all around.
    ///
    /// # Panics
    /// Panics if [`ConvexPolygon::try_rounded`] returns an error.
    pub fn rounded<P: IntoVec2>(points: &[P], radius: f32) -> Self {
        Self::try_rounded(points, radius).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a rounded convex polygon, or returns an error if the input is invalid.
    ///
    /// # Errors
    /// Returns the errors of [`ConvexPolygon::try_new`], or an error if the radius is negative or
    /// not finite.
    pub fn try_rounded<P: IntoVec2>(points: &[P], radius: f32) -> Result<Self, ShapeError> {
        let points = corners(&validate::points(points)?)?;
        Ok(Self::from_hull(points, validate::not_negative(radius, "radius")?))
    }

    /// Creates the convex hull of points.
    ///
    /// # Errors
    /// Returns an error if a coordinate is not finite, there are fewer than three distinct points,
    /// or all points are collinear.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let cloud = [[0.0, 0.0], [1.0, 1.0], [4.0, 0.0], [2.0, 0.5], [0.0, 4.0]];
    /// assert_eq!(ConvexPolygon::hull(&cloud)?.points().len(), 3);
    /// # Ok::<(), ShapeError>(())
    /// ```
    pub fn hull<P: IntoVec2>(points: &[P]) -> Result<Self, ShapeError> {
        let mut points = validate::points(points)?;
        let first = points.first().copied();
        let len = if points.is_empty() { 0 } else { hull(&mut points) };
        points.truncate(len);
        match (len, first) {
            (2, Some(at)) => Err(ShapeError::Collinear { at }),
            (0 | 1, _) => Err(ShapeError::TooFewPoints { count: len, needed: 3 }),
            _ => Ok(Self::from_hull(points, 0.0)),
        }
    }

    /// Creates a polygon from vertices that rounding may have made slightly non-convex.
    pub(crate) fn from_hull(points: Vec<Vec2>, radius: f32) -> Self {
        let mut polygon = Self { points, radius, ..Self::blank() };
        polygon.derive();
        polygon
    }

    /// Creates an empty polygon, to be refilled.
    pub(crate) fn blank() -> Self {
        let bounds = Aabb::new_unchecked(Vec2::ZERO, Vec2::ZERO);
        Self { points: Vec::new(), half_planes: Vec::new(), extent: 0.0, radius: 0.0, bounds }
    }

    /// Replaces the vertices by the hull if they are not strictly convex, and computes the cached values.
    fn derive(&mut self) {
        if !is_strictly_convex(&self.points) {
            let len = hull(&mut self.points);
            self.points.truncate(len);
        }
        self.derive_from_convex();
    }

    /// Computes the cached values from the points, which are strictly convex, and the radius.
    fn derive_from_convex(&mut self) {
        let Self { points, half_planes, extent, radius, bounds } = self;
        let blocks = if points.len() < 2 { 0 } else { points.len().div_ceil(4) };
        half_planes.clear();
        half_planes.extend((0..blocks).map(|block| HalfPlanes4::of(points, 4 * block)));
        let around = Aabb::of_vertices(points);
        *bounds = around.fattened(f64::from(*radius));
        *extent = crate::shape::convex::extent(points);
    }

    /// Works like [`from_hull`](Self::from_hull), but reuses the buffers.
    pub(crate) fn refill(&mut self, points: impl Iterator<Item = Vec2>, radius: f32) {
        self.points.clear();
        self.points.extend(points);
        self.radius = radius;
        self.derive();
    }

    /// Works like [`refill`](Self::refill) without a radius, for points that are known to be strictly convex.
    pub(crate) fn refill_convex(&mut self, points: &[Vec2]) {
        debug_assert!(is_strictly_convex(points), "{points:?}");
        self.points.clear();
        self.points.extend_from_slice(points);
        self.radius = 0.0;
        self.derive_from_convex();
    }

    /// Works like [`Transform::apply_pose`], but writes into the buffers of another polygon.
    pub(crate) fn transform_into(&self, pose: &Pose, target: &mut Self) {
        let points = self.points.iter().map(|&point| pose.transform_point(point));
        target.refill(points, pose.scale_length(self.radius));
    }

    /// Returns the vertices, counterclockwise (y up), without collinear points.
    #[inline]
    pub fn points(&self) -> &[Vec2] {
        &self.points
    }

    /// Returns the rounding radius; 0 unless the polygon is rounded.
    #[inline]
    pub fn radius(&self) -> f32 {
        self.radius
    }

    #[inline]
    pub(crate) fn as_convex(&self) -> Convex<'_> {
        Convex {
            points: &self.points,
            half_planes: &self.half_planes,
            extent: self.extent,
            radius: self.radius,
        }
    }

    #[inline]
    pub(crate) fn tight_bounds(&self) -> Aabb {
        self.bounds
    }

    fn mapped(&self, radius: f32, f: impl Fn(Vec2) -> Vec2) -> Self {
        Self::from_hull(self.points.iter().map(|&point| f(point)).collect(), radius)
    }
}

impl Transform for ConvexPolygon {
    type Transformed = Self;

    fn apply_pose(&self, pose: &Pose) -> Self {
        self.mapped(pose.scale_length(self.radius), |point| pose.transform_point(point))
    }

    fn apply_translation(&self, by: Vec2) -> Self {
        let by = by.as_dvec2();
        self.mapped(self.radius, |point| to_vec2(point.as_dvec2() + by))
    }

    fn apply_flip(&self, flip: Flip) -> Self {
        let mut points = self.points.clone();
        flip.flip_ring(&mut points);
        Self::from_hull(points, self.radius)
    }
}

/// Returns the vertices of a convex outline, counterclockwise: drops repeated and collinear
/// points, and checks that the rest is convex.
fn corners(given: &[Vec2]) -> Result<Vec<Vec2>, ShapeError> {
    let mut points: Vec<(usize, Vec2)> = Vec::with_capacity(given.len());
    for (index, &point) in given.iter().enumerate() {
        if points.last().is_none_or(|&(_, last)| last != point) {
            points.push((index, point));
        }
    }
    while points.len() > 1 && points[0].1 == points[points.len() - 1].1 {
        points.pop();
    }
    let n = points.len();
    if n < 3 {
        return Err(ShapeError::TooFewPoints { count: n, needed: 3 });
    }
    let turn = |i: usize| {
        let (a, b, c) = (points[(i + n - 1) % n].1, points[i].1, points[(i + 1) % n].1);
        (orient2d(a, b, c), a, b, c)
    };
    let Some(winding) = (0..n).map(|i| turn(i).0).find(|&turn| turn != Orientation::Collinear)
    else {
        return Err(ShapeError::Collinear { at: points[0].1 });
    };
    let mut kept = Vec::with_capacity(n);
    for (i, &(index, point)) in points.iter().enumerate() {
        let (side, a, b, c) = turn(i);
        if side == winding {
            kept.push(point);
        } else if side != Orientation::Collinear || dot_sign(a, b, b, c) == Ordering::Less {
            return Err(ShapeError::NotConvex { index, point });
        }
    }
    if winding == Orientation::Clockwise {
        kept.reverse();
    }
    if is_strictly_convex(&kept) {
        return Ok(kept);
    }
    // Every vertex turns the same way, so the outline winds around more than once.
    let (index, point) = points[0];
    Err(ShapeError::NotConvex { index, point })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_and_collinear_points_are_dropped_in_either_winding() {
        let square = [
            [0.0, 0.0],
            [1.0, 0.0],
            [2.0, 0.0],
            [2.0, 0.0],
            [2.0, 2.0],
            [0.0, 2.0],
            [0.0, 1.0],
            [0.0, 0.0],
        ];
        let mut reversed = square;
        reversed.reverse();
        for outline in [square, reversed] {
            assert_eq!(ConvexPolygon::new(&outline).points().len(), 4);
        }
    }

    #[test]
    fn invalid_outlines_have_distinct_errors() {
        let dent = [[0.0, 0.0], [2.0, 0.0], [1.0, 0.5], [2.0, 2.0], [0.0, 2.0]];
        assert_eq!(
            ConvexPolygon::try_new(&dent),
            Err(ShapeError::NotConvex { index: 2, point: Vec2::new(1.0, 0.5) })
        );
        let star = [[0.0, 3.0], [-2.0, -3.0], [3.0, 1.0], [-3.0, 1.0], [2.0, -3.0]];
        assert!(matches!(ConvexPolygon::try_new(&star), Err(ShapeError::NotConvex { .. })));
        let line = [[0.0, 0.0], [1.0, 1.0], [3.0, 3.0]];
        assert!(matches!(ConvexPolygon::try_new(&line), Err(ShapeError::Collinear { .. })));
        let spike = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [2.0, 4.0], [2.0, 2.0]];
        assert!(matches!(ConvexPolygon::try_new(&spike), Err(ShapeError::NotConvex { .. })));
        assert!(matches!(
            ConvexPolygon::try_new(&[[1.0, 1.0], [1.0, 1.0], [2.0, 2.0]]),
            Err(ShapeError::TooFewPoints { count: 2, needed: 3 })
        ));
    }

    #[test]
    fn a_polygon_far_away_keeps_the_hull_of_its_rounded_points() {
        let octagon = [[2.0, 0.0], [1.5, 1.5], [0.0, 2.0], [-1.5, 1.5], [-2.0, 0.0], [0.0, -2.0]];
        let far = ConvexPolygon::new(&octagon).translated([1e8, -1e8]);
        assert!(far.points().len() <= 4);
    }
}
