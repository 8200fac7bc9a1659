//! Chains of segments.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use glam::Vec2;

use crate::error::ShapeError;
use crate::math::{Flip, IntoVec2, Pose, to_vec2};
use crate::shape::bvh::Bvh;
use crate::shape::convex::{Convex, HalfPlanes4, extent};
use crate::shape::parts::{BoundaryEdges, Part};
use crate::shape::{Aabb, Transform, validate};

/// A polyline, open or closed: terrain, a fence, the edge of a level. It has no interior, even if
/// closed; for a filled outline see [`Polygon`](crate::shape::Polygon).
///
/// A one-sided chain stops only what comes from its front, which is on the left in the direction
/// of the points (y up): sweeps and rays from behind pass through. `intersects`, `contact` and
/// other queries without motion ignore sides.
///
/// ```
/// use carom::prelude::*;
/// let hills = Chain::new(&[[0.0, 0.0], [4.0, 2.0], [8.0, 0.0]]);
/// let ball = Circle::new([4.0, 5.0], 1.0);
/// let hit = ball.sweep([0.0, -10.0], &hills).unwrap();
/// assert!((hit.time - 0.2).abs() < 1e-6);
/// ```
#[derive(Clone, PartialEq)]
pub struct Chain {
    /// The points; a closed chain repeats the first at the end.
    points: Vec<Vec2>,
    half_planes: Vec<HalfPlanes4>,
    tree: Bvh,
    closed: bool,
    one_sided: bool,
}

impl Chain {
    /// Creates an open chain.
    ///
    /// # Panics
    /// Panics if [`Chain::try_new`] returns an error.
    pub fn new<P: IntoVec2>(points: &[P]) -> Self {
        Self::try_new(points).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates an open chain, or returns an error if the input is invalid. A point that repeats the
    /// previous one is dropped.
    ///
    /// # Errors
    /// Returns an error if a coordinate is not finite or there are fewer than two distinct points.
    pub fn try_new<P: IntoVec2>(points: &[P]) -> Result<Self, ShapeError> {
        Self::checked(points, false)
    }

    /// Creates a closed chain: the last point is connected to the first.
    ///
    /// # Panics
    /// Panics if [`Chain::try_closed`] returns an error.
    pub fn closed<P: IntoVec2>(points: &[P]) -> Self {
        Self::try_closed(points).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a closed chain, or returns an error if the input is invalid.
    ///
    /// # Errors
    /// Returns an error if a coordinate is not finite or there are fewer than three distinct points.
    pub fn try_closed<P: IntoVec2>(points: &[P]) -> Result<Self, ShapeError> {
        Self::checked(points, true)
    }

    /// Returns the chain as a one-sided chain, which stops only what comes from its front.
    #[must_use]
    pub fn one_sided(self) -> Self {
        Self { one_sided: true, ..self }
    }

    fn checked<P: IntoVec2>(points: &[P], closed: bool) -> Result<Self, ShapeError> {
        let mut points = validate::points(points)?;
        points.dedup();
        if closed && points.len() > 1 && points[0] == points[points.len() - 1] {
            points.pop();
        }
        let needed = if closed { 3 } else { 2 };
        if points.len() < needed {
            return Err(ShapeError::TooFewPoints { count: points.len(), needed });
        }
        if closed {
            points.push(points[0]);
        }
        Ok(Self::from_points(points, closed, false))
    }

    fn from_points(mut points: Vec<Vec2>, closed: bool, one_sided: bool) -> Self {
        let closed = drop_merged(&mut points, closed);
        let (half_planes, tree) = (half_planes(&points).collect(), Bvh::new(boxes(&points)));
        Self { points, half_planes, tree, closed, one_sided }
    }

    /// Works like [`Transform::apply_pose`], but writes into the buffers of another chain.
    pub(crate) fn transform_into(&self, pose: &Pose, target: &mut Self) {
        target.points.clear();
        target.points.extend(self.points.iter().map(|&point| pose.transform_point(point)));
        target.closed = drop_merged(&mut target.points, self.closed);
        target.half_planes.clear();
        target.half_planes.extend(half_planes(&target.points));
        target.tree.rebuild(boxes(&target.points));
        target.one_sided = self.one_sided;
    }

    /// Returns the points in order; a closed chain does not repeat the first.
    pub fn points(&self) -> &[Vec2] {
        &self.points[..self.points.len() - usize::from(self.closed)]
    }

    /// Returns `true` if the last point is connected to the first.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Returns `true` if the chain stops only what comes from its front.
    pub fn is_one_sided(&self) -> bool {
        self.one_sided
    }

    /// Iterates over the segments in order.
    pub fn segments(&self) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
        self.points.windows(2).map(|ends| (ends[0], ends[1]))
    }

    pub(crate) fn tight_bounds(&self) -> Aabb {
        self.tree.bounds().unwrap_or(Aabb::new_unchecked(self.points[0], self.points[0]))
    }

    pub(crate) fn visit_parts_where<B>(
        &self,
        passes: &mut dyn FnMut(&Aabb) -> bool,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.tree.visit(passes, |i| {
            let i = i as usize;
            let ends = &self.points[i..i + 2];
            // The ends of a chain that rounding has shrunk to a point are equal.
            let len = if ends[0] == ends[1] { 1 } else { 2 };
            visit(Part {
                convex: Convex {
                    points: &ends[..len],
                    half_planes: &self.half_planes[i..i + len - 1],
                    extent: extent(ends),
                    radius: 0.0,
                },
                boundary: BoundaryEdges::All,
                one_way_direction: if self.one_sided && len == 2 {
                    Some(ends[1] - ends[0])
                } else {
                    None
                },
            })
        })
    }

    fn mapped(&self, f: impl Fn(Vec2) -> Vec2) -> Self {
        let points = self.points.iter().map(|&point| f(point)).collect();
        Self::from_points(points, self.closed, self.one_sided)
    }
}

/// Drops points that repeat the previous one, because rounding far from the origin may merge points. Returns
/// `true` if the chain stays closed.
///
/// A closed chain of only two distinct points becomes the open one with the same two segments, and a chain of
/// one point keeps it twice.
fn drop_merged(points: &mut Vec<Vec2>, closed: bool) -> bool {
    points.dedup();
    if let [point] = points[..] {
        points.push(point);
    }
    closed && points.len() > 3
}

fn half_planes(points: &[Vec2]) -> impl Iterator<Item = HalfPlanes4> {
    points
        .windows(2)
        .map(|ends| if ends[0] == ends[1] { HalfPlanes4::EMPTY } else { HalfPlanes4::of(ends, 0) })
}

fn boxes(points: &[Vec2]) -> impl Iterator<Item = Aabb> {
    points.windows(2).map(|ends| Aabb::new_unchecked(ends[0].min(ends[1]), ends[0].max(ends[1])))
}

impl Transform for Chain {
    type Transformed = Self;

    fn apply_pose(&self, pose: &Pose) -> Self {
        self.mapped(|point| pose.transform_point(point))
    }

    fn apply_translation(&self, by: Vec2) -> Self {
        let by = by.as_dvec2();
        self.mapped(|point| to_vec2(point.as_dvec2() + by))
    }

    fn apply_flip(&self, flip: Flip) -> Self {
        let mut image = self.mapped(|point| flip.apply(point));
        if flip.reverses() {
            // The flip swaps left and right. Reversing the points keeps the front on the left.
            image.points.reverse();
            image = Self::from_points(image.points, self.closed, self.one_sided);
        }
        image
    }
}
