//! The common representation of convex shapes: a convex point set, rounded by a radius.
//!
//! The points without the radius are called the *core*. Box2D calls this representation a shape
//! proxy. Every query is written once for [`Convex`].

use alloc::vec::Vec;

use glam::{DVec2, Vec2};

use crate::math::exact::{Orientation, orient2d};
use crate::math::{length, perp_cw};

/// A borrowed convex shape: a convex point set (the core), rounded by a radius.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Convex<'a> {
    /// One point, the two ends of a segment, or the vertices of a strictly convex polygon in
    /// counterclockwise order.
    pub points: &'a [Vec2],
    /// The edges of the core as half-planes, four per block; empty for a single point.
    pub half_planes: &'a [HalfPlanes4],
    /// The largest L1 distance of a vertex from the first vertex.
    pub extent: f64,
    /// The distance by which the shape extends beyond its core.
    pub radius: f32,
}

impl<'a> Convex<'a> {
    /// Creates a point, or a disc if the radius is not zero.
    #[inline]
    pub fn point(center: &'a Vec2, radius: f32) -> Self {
        Self { points: core::slice::from_ref(center), half_planes: &[], extent: 0.0, radius }
    }

    /// Returns the number of edges of the core. A segment has two, one in each direction.
    pub fn edge_count(&self) -> usize {
        if self.points.len() < 2 { 0 } else { self.points.len() }
    }

    /// Returns the ends of the edge that starts at vertex `i`.
    #[inline]
    pub fn edge(&self, i: usize) -> (Vec2, Vec2) {
        let next = if i + 1 == self.points.len() { 0 } else { i + 1 };
        (self.points[i], self.points[next])
    }

    /// Returns the exact edge vector and the outward unit normal of edge `i`.
    #[inline(always)]
    pub fn edge_normal(&self, i: usize) -> (DVec2, DVec2) {
        let (start, end) = self.edge(i);
        (end.as_dvec2() - start.as_dvec2(), self.half_planes[i / 4].normals[i % 4])
    }

    /// Iterates over all edges in order.
    pub fn edges(self) -> impl Iterator<Item = (Vec2, Vec2)> + 'a {
        (0..self.edge_count()).map(move |i| self.edge(i))
    }

    /// Returns `true` if the shape is only a point or a segment.
    pub fn has_no_area(&self) -> bool {
        self.radius == 0.0 && self.points.len() < 3
    }
}

/// Up to four edges as half-planes, in structure-of-arrays layout so that four are evaluated at
/// once: the outward unit normal, and the offset of the edge's line from the first vertex along
/// that normal. Unused lanes repeat the first.
///
/// The `f32` values serve filters and the choice of an edge, never the final result. The `f64`
/// normals serve depths and distances. They take 64 bytes; computing one on demand costs a square
/// root and a division in every contact: measured back to back, 34.4 ns become 44.6 for a contact
/// of two oriented boxes, 68.6 become 83.6 for their sweep, and 27.2 become 34.6 for a contact of
/// two triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HalfPlanes4 {
    pub normal_x: [f32; 4],
    pub normal_y: [f32; 4],
    pub offset: [f32; 4],
    pub normals: [DVec2; 4],
}

impl HalfPlanes4 {
    pub const EMPTY: Self = Self {
        normal_x: [0.0; 4],
        normal_y: [0.0; 4],
        offset: [0.0; 4],
        normals: [DVec2::ZERO; 4],
    };

    /// Computes the half-planes of edges `first..first + 4` of a ring of at least two points.
    pub fn of(points: &[Vec2], first: usize) -> Self {
        let mut half_planes = Self::EMPTY;
        let origin = points[0].as_dvec2();
        for lane in 0..4 {
            let i = first + lane;
            let (normal, offset) = if i < points.len() {
                let a = points[i].as_dvec2();
                let b = points[if i + 1 == points.len() { 0 } else { i + 1 }].as_dvec2();
                let normal = perp_cw(b - a) / length(b - a);
                (normal, normal.dot(a - origin) as f32)
            } else {
                (half_planes.normals[0], half_planes.offset[0])
            };
            half_planes.normals[lane] = normal;
            half_planes.normal_x[lane] = normal.x as f32;
            half_planes.normal_y[lane] = normal.y as f32;
            half_planes.offset[lane] = offset;
        }
        half_planes
    }
}

/// Stack storage for the [`Convex`] of a shape that does not cache one.
pub(crate) struct ConvexBuffer {
    pub points: [Vec2; 4],
    pub half_planes: HalfPlanes4,
    pub extent: f64,
}

impl ConvexBuffer {
    #[inline(always)]
    pub fn new() -> Self {
        Self { points: [Vec2::ZERO; 4], half_planes: HalfPlanes4::EMPTY, extent: 0.0 }
    }

    /// Returns the first `len` points as a convex shape without radius.
    #[inline]
    pub fn as_convex(&self, len: usize) -> Convex<'_> {
        let blocks = usize::from(len > 1);
        Convex {
            points: &self.points[..len],
            half_planes: &core::slice::from_ref(&self.half_planes)[..blocks],
            extent: self.extent,
            radius: 0.0,
        }
    }
}

/// A convex core of at most `N` vertices (`N` is 3 or 4), stored inside its shape.
///
/// Rounding may flatten or invert a small shape far from the origin. The core is therefore the
/// convex hull of the rounded points, which may be a segment or a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SmallConvex<const N: usize> {
    points: [Vec2; N],
    len: u8,
    half_planes: HalfPlanes4,
    extent: f64,
}

impl<const N: usize> SmallConvex<N> {
    /// Creates the convex hull of the points.
    pub fn hull(mut points: [Vec2; N]) -> Self {
        let mut len = N;
        if !is_strictly_convex(&points) {
            len = hull(&mut points);
        }
        let half_planes =
            if len > 1 { HalfPlanes4::of(&points[..len], 0) } else { HalfPlanes4::EMPTY };
        Self { points, len: len as u8, half_planes, extent: extent(&points[..len]) }
    }

    /// Returns a copy whose vertices `change` has edited. They must still be strictly convex and
    /// counterclockwise.
    pub fn mapped(&self, change: impl FnOnce(&mut [Vec2])) -> Self {
        let mut image = *self;
        let ring = &mut image.points[..usize::from(self.len)];
        change(ring);
        image.half_planes =
            if ring.len() > 1 { HalfPlanes4::of(ring, 0) } else { HalfPlanes4::EMPTY };
        image.extent = extent(ring);
        image
    }

    #[inline]
    pub fn as_convex(&self) -> Convex<'_> {
        let blocks = if self.len > 1 { 1 } else { 0 };
        Convex {
            points: &self.points[..usize::from(self.len)],
            half_planes: &core::slice::from_ref(&self.half_planes)[..blocks],
            extent: self.extent,
            radius: 0.0,
        }
    }

    #[inline]
    pub fn points(&self) -> &[Vec2] {
        &self.points[..usize::from(self.len)]
    }
}

/// Builds a convex shape from its vertices, which rounding may have made slightly non-convex, and
/// calls `f` with it.
pub(crate) fn with_convex<R>(
    mut points: smallvec::SmallVec<[Vec2; 16]>,
    radius: f32,
    f: impl FnOnce(Convex<'_>) -> R,
) -> R {
    let points = hull_if_needed(&mut points);
    let extent = extent(points);
    match points.len() {
        1 => f(Convex { points, half_planes: &[], extent, radius }),
        // Most shapes are small: one block needs no allocation.
        2..=4 => f(Convex { points, half_planes: &[HalfPlanes4::of(points, 0)], extent, radius }),
        count => {
            let half_planes: Vec<HalfPlanes4> =
                (0..count.div_ceil(4)).map(|block| HalfPlanes4::of(points, 4 * block)).collect();
            f(Convex { points, half_planes: &half_planes, extent, radius })
        }
    }
}

/// Replaces the points by their convex hull unless they are one already.
fn hull_if_needed(points: &mut [Vec2]) -> &[Vec2] {
    let is_hull = match *points {
        [_] => true,
        [a, b] => a != b,
        _ => is_strictly_convex(points),
    };
    let count = if is_hull { points.len() } else { hull(points) };
    &points[..count]
}

/// Returns the largest L1 distance of a point from the first point.
#[inline]
pub(crate) fn extent(points: &[Vec2]) -> f64 {
    points.iter().fold(0.0, |far, point| {
        let arm = (point.as_dvec2() - points[0].as_dvec2()).abs();
        far.max(arm.x + arm.y)
    })
}

/// Returns `true` if the ring turns left at every vertex and winds around once. Exact.
pub(crate) fn is_strictly_convex(ring: &[Vec2]) -> bool {
    let n = ring.len();
    let corner = |i: usize| (ring[i], ring[(i + 1) % n], ring[(i + 2) % n]);
    // A ring that turns left everywhere winds around once if it has a single local minimum.
    let minima = (0..n).map(corner).filter(|&(a, b, c)| is_before(b, a) && is_before(b, c)).count();
    n >= 3
        && minima == 1
        && (0..n).map(corner).all(|(a, b, c)| orient2d(a, b, c) == Orientation::CounterClockwise)
}

/// Moves the convex hull of the points to the front of the slice, counterclockwise and without
/// collinear points, and returns the number of its vertices: 1 if all points coincide, 2 if all
/// are collinear.
///
/// Andrew's monotone chain algorithm, with exact orientation tests.
pub(crate) fn hull(points: &mut [Vec2]) -> usize {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut vertices: smallvec::SmallVec<[Vec2; 16]> = smallvec::SmallVec::new();
    let mut chain = |sorted: &mut dyn Iterator<Item = Vec2>| {
        let start = vertices.len();
        for point in sorted {
            while vertices.len() >= start + 2
                && orient2d(vertices[vertices.len() - 2], vertices[vertices.len() - 1], point)
                    != Orientation::CounterClockwise
            {
                vertices.pop();
            }
            if vertices.len() == start || vertices[vertices.len() - 1] != point {
                vertices.push(point);
            }
        }
        vertices.pop(); // It is the first vertex of the other chain.
    };
    // 1. The lower chain, from left to right. 2. The upper chain, back.
    chain(&mut points.iter().copied());
    chain(&mut points.iter().rev().copied());
    if vertices.is_empty() {
        return 1; // All points coincide.
    }
    points[..vertices.len()].copy_from_slice(&vertices);
    vertices.len()
}

/// Compares by x, then by y.
fn is_before(a: Vec2, b: Vec2) -> bool {
    (a.x, a.y) < (b.x, b.y)
}
