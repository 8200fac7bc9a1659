//! A convex shape is a core and a radius.

use alloc::vec::Vec;

use glam::{DVec2, Vec2};

use crate::math::exact::{Orientation, orient2d};
use crate::math::{length, perp_cw};

/// What every convex shape is to the questions: a convex point set, rounded by a radius.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Core<'a> {
    /// One point, the two ends of a segment, or the corners of a strictly convex polygon,
    /// counter-clockwise.
    pub points: &'a [Vec2],
    /// The edges as half-planes, four to a block; empty for a single point.
    pub facets: &'a [Facets],
    /// How far the corners lie from the first, at most, in the sum of both coordinates.
    pub size: f64,
    /// How far the shape reaches beyond its core.
    pub radius: f32,
}

impl<'a> Core<'a> {
    /// A single point.
    #[inline]
    pub fn point(at: &'a Vec2, radius: f32) -> Self {
        Self { points: core::slice::from_ref(at), facets: &[], size: 0.0, radius }
    }

    /// How many edges the core has. A segment has two: there and back.
    pub fn edge_count(&self) -> usize {
        if self.points.len() < 2 { 0 } else { self.points.len() }
    }

    /// The ends of the edge that starts at corner `i`.
    #[inline]
    pub fn edge(&self, i: usize) -> (Vec2, Vec2) {
        let next = if i + 1 == self.points.len() { 0 } else { i + 1 };
        (self.points[i], self.points[next])
    }

    /// The exact direction of an edge, and its unit normal out of the core.
    #[inline(always)]
    pub fn edge_normal(&self, i: usize) -> (DVec2, DVec2) {
        let (start, end) = self.edge(i);
        (end.as_dvec2() - start.as_dvec2(), self.facets[i / 4].normals[i % 4])
    }

    /// All edges, in order.
    pub fn edges(self) -> impl Iterator<Item = (Vec2, Vec2)> + 'a {
        (0..self.edge_count()).map(move |i| self.edge(i))
    }

    /// Whether the shape is only a line or a point.
    pub fn is_flat(&self) -> bool {
        self.radius == 0.0 && self.points.len() < 3
    }
}

/// Up to four edges as half-planes, side by side so that four are computed at once: the unit
/// normal out of the shape, and how far the edge's line lies from the first corner along it.
/// Lanes that are not needed repeat the first.
///
/// They are rounded to `f32`: good for ruling out and for choosing, not for verdicts. For values,
/// the normals are there in `f64` too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Facets {
    pub normal_x: [f32; 4],
    pub normal_y: [f32; 4],
    pub offset: [f32; 4],
    pub normals: [DVec2; 4],
}

impl Facets {
    pub const EMPTY: Self = Self {
        normal_x: [0.0; 4],
        normal_y: [0.0; 4],
        offset: [0.0; 4],
        normals: [DVec2::ZERO; 4],
    };

    /// The half-planes of edges `first..first + 4` of a ring of at least two points.
    pub fn of(points: &[Vec2], first: usize) -> Self {
        let mut facets = Self::EMPTY;
        let origin = points[0].as_dvec2();
        for lane in 0..4 {
            let i = first + lane;
            let (normal, offset) = if i < points.len() {
                let a = points[i].as_dvec2();
                let b = points[if i + 1 == points.len() { 0 } else { i + 1 }].as_dvec2();
                let normal = perp_cw(b - a) / length(b - a);
                (normal, normal.dot(a - origin) as f32)
            } else {
                (facets.normals[0], facets.offset[0])
            };
            facets.normals[lane] = normal;
            facets.normal_x[lane] = normal.x as f32;
            facets.normal_y[lane] = normal.y as f32;
            facets.offset[lane] = offset;
        }
        facets
    }
}

/// Where the core of a shape that does not keep one is written down.
pub(crate) struct Scratch {
    pub points: [Vec2; 4],
    pub facets: Facets,
    pub size: f64,
}

impl Scratch {
    #[inline(always)]
    pub fn new() -> Self {
        Self { points: [Vec2::ZERO; 4], facets: Facets::EMPTY, size: 0.0 }
    }

    /// The core of the first so many points.
    #[inline]
    pub fn core(&self, len: usize) -> Core<'_> {
        let blocks = usize::from(len > 1);
        Core {
            points: &self.points[..len],
            facets: &core::slice::from_ref(&self.facets)[..blocks],
            size: self.size,
            radius: 0.0,
        }
    }
}

/// A core of at most `N` corners (`N` is 3 or 4) that lives inside its shape.
///
/// Rounding may flatten or flip a small shape far from the origin: the core is then the hull of
/// the rounded points, down to a segment or a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SmallCore<const N: usize> {
    points: [Vec2; N],
    len: u8,
    facets: Facets,
    size: f64,
}

impl<const N: usize> SmallCore<N> {
    /// The hull of the points.
    pub fn hull(mut points: [Vec2; N]) -> Self {
        let mut len = N;
        if !is_strictly_convex(&points) {
            len = hull(&mut points);
        }
        let facets = if len > 1 { Facets::of(&points[..len], 0) } else { Facets::EMPTY };
        Self { points, len: len as u8, facets, size: size(&points[..len]) }
    }

    /// The core of other corners, as many as before, that are strictly convex too.
    pub fn mapped(&self, change: impl FnOnce(&mut [Vec2])) -> Self {
        let mut image = *self;
        let ring = &mut image.points[..usize::from(self.len)];
        change(ring);
        image.facets = if ring.len() > 1 { Facets::of(ring, 0) } else { Facets::EMPTY };
        image.size = size(ring);
        image
    }

    #[inline]
    pub fn core(&self) -> Core<'_> {
        let blocks = if self.len > 1 { 1 } else { 0 };
        Core {
            points: &self.points[..usize::from(self.len)],
            facets: &core::slice::from_ref(&self.facets)[..blocks],
            size: self.size,
            radius: 0.0,
        }
    }

    #[inline]
    pub fn points(&self) -> &[Vec2] {
        &self.points[..usize::from(self.len)]
    }
}

/// Asks `f` about the core of points that are the corners of a convex polygon, the ends of a segment
/// or a single point but for rounding.
pub(crate) fn with_core<R>(
    mut points: smallvec::SmallVec<[Vec2; 16]>,
    radius: f32,
    f: impl FnOnce(Core<'_>) -> R,
) -> R {
    let points = to_core(&mut points);
    let size = size(points);
    match points.len() {
        1 => f(Core { points, facets: &[], size, radius }),
        // Most are small: no list for the one block.
        2..=4 => f(Core { points, facets: &[Facets::of(points, 0)], size, radius }),
        corners => {
            let facets: Vec<Facets> =
                (0..corners.div_ceil(4)).map(|block| Facets::of(points, 4 * block)).collect();
            f(Core { points, facets: &facets, size, radius })
        }
    }
}

/// Those of the points that are corners of their hull, in order.
fn to_core(points: &mut [Vec2]) -> &[Vec2] {
    let is_core = match *points {
        [_] => true,
        [a, b] => a != b,
        _ => is_strictly_convex(points),
    };
    let corners = if is_core { points.len() } else { hull(points) };
    &points[..corners]
}

/// How far points lie from the first, at most, in the sum of both coordinates.
#[inline]
pub(crate) fn size(points: &[Vec2]) -> f64 {
    points.iter().fold(0.0, |far, point| {
        let arm = (point.as_dvec2() - points[0].as_dvec2()).abs();
        far.max(arm.x + arm.y)
    })
}

/// Whether a ring turns left at every corner, and goes round once.
pub(crate) fn is_strictly_convex(ring: &[Vec2]) -> bool {
    let n = ring.len();
    let corner = |i: usize| (ring[i], ring[(i + 1) % n], ring[(i + 2) % n]);
    let lows = (0..n).map(corner).filter(|&(a, b, c)| is_before(b, a) && is_before(b, c)).count();
    n >= 3
        && lows == 1
        && (0..n).map(corner).all(|(a, b, c)| orient2d(a, b, c) == Orientation::CounterClockwise)
}

/// Turns the points into their convex hull, counter-clockwise without collinear points, at the
/// front of the slice, and tells how many corners it has: 1 if all coincide, 2 if all are on a
/// line. (Andrew's monotone chain, with exact turns.)
pub(crate) fn hull(points: &mut [Vec2]) -> usize {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut corners: smallvec::SmallVec<[Vec2; 16]> = smallvec::SmallVec::new();
    let mut chain = |sorted: &mut dyn Iterator<Item = Vec2>| {
        let start = corners.len();
        for point in sorted {
            while corners.len() >= start + 2
                && orient2d(corners[corners.len() - 2], corners[corners.len() - 1], point)
                    != Orientation::CounterClockwise
            {
                corners.pop();
            }
            if corners.len() == start || corners[corners.len() - 1] != point {
                corners.push(point);
            }
        }
        corners.pop(); // the first of the other chain
    };
    chain(&mut points.iter().copied());
    chain(&mut points.iter().rev().copied());
    if corners.is_empty() {
        return 1; // all points coincide
    }
    points[..corners.len()].copy_from_slice(&corners);
    corners.len()
}

/// The order by x, then by y.
fn is_before(a: Vec2, b: Vec2) -> bool {
    (a.x, a.y) < (b.x, b.y)
}
