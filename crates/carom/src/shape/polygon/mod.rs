//! Polygons: any simple outline, with holes.

mod decompose;
mod inset;
mod winding;

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};

use glam::Vec2;
use smallvec::SmallVec;

use crate::error::ShapeError;
use crate::math::exact::{Orientation, orient2d};
use crate::math::{Flip, Pose, to_vec2};
use crate::shape::bvh::Bvh;
use crate::shape::parts::{BoundaryEdges, Part};
use crate::shape::{Aabb, ConvexPolygon, Transform, Triangle, validate};
use decompose::{Decomposition, decompose};
use winding::WindingTest;

/// A filled polygon: a simple outline, convex or not, in either winding, with any number of holes.
///
/// The constructors triangulate it and merge the triangles into few convex parts, exactly: the
/// parts cover the polygon, do not overlap, and use only its own vertices. The edges between parts
/// are internal: they stop nothing and have no normal.
///
/// ```
/// use carom::prelude::*;
/// let u = Polygon::new(&[[0.0, 0.0], [3.0, 0.0], [3.0, 3.0], [2.0, 3.0],
///                        [2.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]]);
/// let coin = Circle::new([1.5, 2.0], 0.5);
/// assert!(u.intersects(&coin) && !u.overlaps(&coin)); // It fits between the arms.
/// ```
#[derive(Clone)]
pub struct Polygon {
    /// The indices, which do not change when the polygon is transformed.
    topology: Arc<Topology>,
    points: Vec<Vec2>,
    pieces: Vec<Piece>,
    tree: Bvh,
    winding: WindingTest,
}

#[derive(Debug, PartialEq)]
struct Topology {
    rings: Vec<Range<u32>>,
    triangles: Vec<[u32; 3]>,
    parts: Vec<decompose::Part>,
}

impl Topology {
    /// Returns the topology for rings that are reversed but start at the same point.
    fn reversed(&self) -> Self {
        let ring = |ring: &Range<u32>| {
            core::iter::once(ring.start).chain((ring.start + 1..ring.end).rev())
        };
        let places: Vec<u32> = self.rings.iter().flat_map(ring).collect();
        let moved = |i: u32| places[i as usize];
        let triangle = |&[a, b, c]: &[u32; 3]| [moved(a), moved(c), moved(b)];
        let part = |part: &decompose::Part| {
            let mut corners: Vec<u32> = part.corners.iter().map(|&i| moved(i)).collect();
            corners[1..].reverse();
            // Edge `i` starts at corner `i`, so the last one comes first.
            decompose::Part { corners, outline: part.outline.iter().rev().copied().collect() }
        };
        Self {
            rings: self.rings.clone(),
            triangles: self.triangles.iter().map(triangle).collect(),
            parts: self.parts.iter().map(part).collect(),
        }
    }
}

/// A convex part, and which of its edges lie on the outline.
#[derive(Clone, Debug)]
struct Piece {
    polygon: ConvexPolygon,
    outline: Vec<bool>,
}

impl Polygon {
    /// From its outline.
    ///
    /// # Panics
    /// Panics if [`Polygon::try_new`] returns an error.
    pub fn new<P: Copy + Into<Vec2>>(outer: &[P]) -> Self {
        Self::try_new(outer).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a polygon without holes, or returns an error if the input is invalid.
    ///
    /// # Errors
    /// Returns the errors of [`Polygon::try_with_holes`].
    pub fn try_new<P: Copy + Into<Vec2>>(outer: &[P]) -> Result<Self, ShapeError> {
        Self::try_with_holes::<P>(outer, &[])
    }

    /// Creates a polygon from its outline and the outlines of its holes.
    ///
    /// # Panics
    /// Panics if [`Polygon::try_with_holes`] returns an error.
    pub fn with_holes<P: Copy + Into<Vec2>>(outer: &[P], holes: &[Vec<P>]) -> Self {
        Self::try_with_holes(outer, holes).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a polygon with holes, or returns an error if the input is invalid. A hole may touch
    /// the outline or another hole at single points.
    ///
    /// # Errors
    /// Returns an error if a coordinate is not finite, a ring has fewer than three distinct points or
    /// is collinear, outlines cross, overlap or touch themselves, or a hole lies outside the outline
    /// or inside another hole.
    pub fn try_with_holes<P: Copy + Into<Vec2>>(
        outer: &[P],
        holes: &[Vec<P>],
    ) -> Result<Self, ShapeError> {
        let outer = validate::points(outer)?;
        let holes =
            holes.iter().map(|hole| validate::points(hole)).collect::<Result<Vec<_>, _>>()?;
        let Decomposition { points, rings, triangles, parts } = decompose(&outer, &holes)?;
        Ok(Self::from_points(Arc::new(Topology { rings, triangles, parts }), points))
    }

    fn from_points(topology: Arc<Topology>, points: Vec<Vec2>) -> Self {
        let (pieces, tree, winding) = (Vec::new(), Bvh::default(), WindingTest::default());
        let mut polygon = Self { topology, points, pieces, tree, winding };
        polygon.derive();
        polygon.tree.trim();
        polygon
    }

    /// Like [`Transform::apply_pose`], but writes into the buffers of another polygon.
    pub(crate) fn transform_into(&self, pose: &Pose, target: &mut Self) {
        target.topology.clone_from(&self.topology);
        target.points.clear();
        target.points.extend(self.points.iter().map(|&point| pose.transform_point(point)));
        target.derive();
    }

    /// Computes the cached values from the points.
    fn derive(&mut self) {
        let Self { topology, points, pieces, tree, winding } = self;
        let (mut count, mut is_whole) = (0, true);
        for part in &topology.parts {
            let corners: Corners = part.corners.iter().map(|&i| points[i as usize]).collect();
            let is_convex = is_convex(&corners);
            if is_convex {
                next_piece(pieces, &mut count).fill(&corners, &part.outline);
            } else {
                // Rounding has bent it: the triangles of a fan, then.
                for i in 1..corners.len() - 1 {
                    if let Ok(triangle) = Triangle::try_new(corners[0], corners[i], corners[i + 1])
                    {
                        next_piece(pieces, &mut count).fill_triangle(&triangle);
                    }
                }
            }
            // As long as no part is turned inside out, outlines wind around what is in the parts.
            is_whole &= is_convex;
        }
        pieces.truncate(count);
        // Rounding far from the origin may flatten parts; they have no inside any more.
        if pieces.iter().any(|piece| piece.polygon.points().len() > 2) {
            pieces.retain(|piece| piece.polygon.points().len() > 2);
        }
        tree.rebuild(pieces.iter().map(|piece| piece.polygon.tight_bounds()));
        if is_whole { winding.refill(points, &topology.rings) } else { winding.clear() }
    }

    /// Returns the outer outline, counter-clockwise (y up). It includes the vertices of holes that
    /// touch its edges.
    pub fn outer(&self) -> &[Vec2] {
        self.ring(&self.topology.rings[0])
    }

    /// Iterates over the outlines of the holes, clockwise (y up).
    pub fn holes(&self) -> impl Iterator<Item = &[Vec2]> {
        self.topology.rings[1..].iter().map(|ring| self.ring(ring))
    }

    /// Iterates over a triangulation of the polygon.
    pub fn triangles(&self) -> impl Iterator<Item = [Vec2; 3]> + '_ {
        self.topology.triangles.iter().map(|corners| corners.map(|i| self.points[i as usize]))
    }

    /// Iterates over a convex decomposition of the polygon.
    pub fn convex_parts(&self) -> impl Iterator<Item = &ConvexPolygon> {
        self.pieces.iter().map(|piece| &piece.polygon)
    }

    /// Iterates over the edges of all outlines, with the interior on their left (y up).
    pub fn edges(&self) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
        self.topology.rings.iter().flat_map(|ring| {
            let ring = self.ring(ring);
            (0..ring.len()).map(move |i| (ring[i], ring[(i + 1) % ring.len()]))
        })
    }

    /// Returns the polygons that are left when all outlines are moved inwards by a margin.
    pub(crate) fn inset(&self, margin: f32) -> Vec<Self> {
        Self::within(&self.points, &self.topology.rings, margin)
    }

    /// Returns the polygons that are left when rings, with the interior on their left, are moved
    /// inwards by a margin.
    pub(crate) fn within(points: &[Vec2], rings: &[Range<u32>], margin: f32) -> Vec<Self> {
        inset::inset(points, rings, margin)
            .iter()
            .filter_map(|(outer, holes)| Self::try_with_holes(outer, holes).ok())
            .collect()
    }

    fn ring(&self, range: &Range<u32>) -> &[Vec2] {
        &self.points[range.start as usize..range.end as usize]
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
            let piece = &self.pieces[i as usize];
            let boundary = BoundaryEdges::Edges(&piece.outline);
            visit(Part { convex: piece.polygon.as_convex(), boundary, one_way_direction: None })
        })
    }

    /// Tests whether the polygon contains a point inside its bounds, by a floating-point winding
    /// test. Returns `None` if the result is not certain.
    #[inline(always)]
    pub(crate) fn fast_contains_point(&self, point: Vec2) -> Option<bool> {
        self.winding.contains(point)
    }

    fn mapped(&self, f: impl Fn(Vec2) -> Vec2) -> Self {
        let points = self.points.iter().map(|&point| f(point)).collect();
        Self::from_points(Arc::clone(&self.topology), points)
    }
}

impl PartialEq for Polygon {
    fn eq(&self, other: &Self) -> bool {
        self.points == other.points && self.topology.rings == other.topology.rings
    }
}

impl Transform for Polygon {
    type Transformed = Self;

    fn apply_pose(&self, pose: &Pose) -> Self {
        self.mapped(|point| pose.transform_point(point))
    }

    fn apply_translation(&self, by: Vec2) -> Self {
        let by = by.as_dvec2();
        self.mapped(|point| to_vec2(point.as_dvec2() + by))
    }

    fn apply_flip(&self, flip: Flip) -> Self {
        let mut points = self.points.clone();
        for ring in &self.topology.rings {
            flip.ring(&mut points[ring.start as usize..ring.end as usize]);
        }
        let topology = if flip.reverses() {
            Arc::new(self.topology.reversed())
        } else {
            Arc::clone(&self.topology)
        };
        Self::from_points(topology, points)
    }
}

/// Returns the orientation of a ring at a vertex.
fn turn(ring: &[Vec2], i: usize) -> Orientation {
    let n = ring.len();
    orient2d(ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n])
}

/// Returns `true` if a ring that was convex before its vertices were rounded is still convex.
fn is_convex(ring: &[Vec2]) -> bool {
    (0..ring.len()).all(|i| turn(ring, i) != Orientation::Clockwise)
}

/// The vertices of a part; usually few.
type Corners = SmallVec<[Vec2; 16]>;

/// Returns the next piece, reusing the buffers of an old one if there is one.
fn next_piece<'p>(pieces: &'p mut Vec<Piece>, count: &mut usize) -> &'p mut Piece {
    if *count == pieces.len() {
        let polygon = ConvexPolygon::blank();
        pieces.push(Piece { polygon, outline: Vec::new() });
    }
    *count += 1;
    &mut pieces[*count - 1]
}

impl Piece {
    /// Becomes a convex ring without its collinear corners; an edge that has lost some counts as
    /// outline if any stretch of it is.
    fn fill(&mut self, corners: &[Vec2], outline: &[bool]) {
        let turn = |i: usize| turn(corners, i);
        let first =
            (0..corners.len()).find(|&i| turn(i) == Orientation::CounterClockwise).unwrap_or(0);
        let mut kept = Corners::new();
        self.outline.clear();
        for step in 0..corners.len() {
            let i = (first + step) % corners.len();
            match self.outline.last_mut() {
                Some(edge) if turn(i) == Orientation::Collinear => *edge |= outline[i],
                _ => {
                    kept.push(corners[i]);
                    self.outline.push(outline[i]);
                }
            }
        }
        self.polygon.refill(kept.into_iter(), 0.0);
    }

    /// Fills the piece with a triangle.
    fn fill_triangle(&mut self, triangle: &Triangle) {
        self.outline.clear();
        self.outline.resize(3, true);
        self.polygon.refill(triangle.points().iter().copied(), 0.0);
    }
}
