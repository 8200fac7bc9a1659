//! Polygons: any simple outline, with holes.

mod decompose;
mod inset;
mod winding;

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};

use glam::Vec2;
use smallvec::SmallVec;

use crate::error::ShapeError;
use crate::math::exact::{Orientation, orient2d};
use crate::math::{Flip, IntoVec2, Pose, to_vec2};
use crate::shape::bvh::Bvh;
use crate::shape::parts::{BoundaryEdges, Part};
use crate::shape::{Aabb, ConvexPolygon, Transform, validate};
use decompose::{ConvexParts, Mesh, Triangulation, make_delaunay, triangulate};
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
///
/// # Transformed polygons
///
/// The vertices of a transformed polygon are rounded to `f32`; everything else follows from them. The
/// result is identical, to the bit, to a new polygon with the same [`outer`](Self::outer) outline and
/// [`holes`](Self::holes).
///
/// Far from the origin, or at a tiny scale, rounding may make an outline touch or cross itself, or
/// leave it without area. [`Polygon::try_new`] would return an error for such an outline. The
/// transformed polygon is then the union of the triangles of the original that still have an area,
/// or the hull of its vertices if none has. It is written to files as a
/// [`Compound`](crate::shape::Compound) of its convex parts, and a collider uses that compound.
#[derive(Clone)]
pub struct Polygon {
    /// The range of each ring in `points`: the outline, then the holes.
    rings: Arc<[Range<u32>]>,
    points: Vec<Vec2>,
    /// The triangulation.
    mesh: Mesh,
    outline: Outline,
    parts: Vec<ConvexPart>,
    tree: Bvh,
    winding: WindingTest,
    /// Allocated when the polygon is first moved in place.
    buffers: Option<Box<Buffers>>,
}

/// The state of the rings and the triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Outline {
    /// The rings have been checked, and the triangles are their Delaunay triangulation.
    Simple,
    /// The rings have been checked, and their Delaunay triangulation takes too long to find.
    SimpleNotDelaunay,
    /// The triangles were transformed with the rings, and are the Delaunay triangulation if the
    /// rings are still simple, which has not been checked.
    Transformed,
    /// The rings are not simple. Some triangles have no area.
    Folded,
}

/// Working memory, kept by polygons that move often.
#[derive(Clone, Default)]
struct Buffers {
    parts: ConvexParts,
    open: Vec<u32>,
}

/// A convex part, with a flag for each edge that is `true` if the edge lies on the outline.
#[derive(Clone, Debug)]
struct ConvexPart {
    polygon: ConvexPolygon,
    outline: Vec<bool>,
}

impl Polygon {
    /// Creates a polygon without holes from its outline.
    ///
    /// # Panics
    /// Panics if [`Polygon::try_new`] returns an error.
    pub fn new<P: IntoVec2>(outer: &[P]) -> Self {
        Self::try_new(outer).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a polygon without holes, or returns an error if the input is invalid.
    ///
    /// # Errors
    /// Returns the errors of [`Polygon::try_with_holes`].
    pub fn try_new<P: IntoVec2>(outer: &[P]) -> Result<Self, ShapeError> {
        Self::try_with_holes::<P>(outer, &[])
    }

    /// Creates a polygon from its outline and the outlines of its holes.
    ///
    /// # Panics
    /// Panics if [`Polygon::try_with_holes`] returns an error.
    pub fn with_holes<P: IntoVec2>(outer: &[P], holes: &[Vec<P>]) -> Self {
        Self::try_with_holes(outer, holes).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a polygon with holes, or returns an error if the input is invalid. A hole may touch
    /// the outline or another hole at single points.
    ///
    /// # Errors
    /// Returns an error if a coordinate is not finite, a ring has fewer than three distinct points or
    /// is collinear, outlines cross, overlap or touch themselves, or a hole lies outside the outline
    /// or inside another hole.
    pub fn try_with_holes<P: IntoVec2>(outer: &[P], holes: &[Vec<P>]) -> Result<Self, ShapeError> {
        let outer = validate::points(outer)?;
        let holes =
            holes.iter().map(|hole| validate::points(hole)).collect::<Result<Vec<_>, _>>()?;
        let mut polygon = Self::blank();
        polygon.fill(triangulate(&outer, &holes)?);
        polygon.trim();
        Ok(polygon)
    }

    fn blank() -> Self {
        Self {
            rings: Arc::new([]),
            points: Vec::new(),
            mesh: Mesh::default(),
            outline: Outline::Folded,
            parts: Vec::new(),
            tree: Bvh::default(),
            winding: WindingTest::default(),
            buffers: None,
        }
    }

    /// Frees the working memory.
    fn trim(&mut self) {
        self.buffers = None;
        self.tree.trim();
    }

    /// Works like [`Transform::apply_pose`], but writes into the buffers of another polygon.
    pub(crate) fn transform_into(&self, pose: &Pose, target: &mut Self) {
        target.points.clear();
        target.points.extend(self.points.iter().map(|&point| pose.transform_point(point)));
        target.mesh.copy_from(&self.mesh);
        target.rings.clone_from(&self.rings);
        target.retriangulate(self.outline);
    }

    fn mapped(&self, f: impl Fn(Vec2) -> Vec2) -> Self {
        let mut image = Self {
            rings: Arc::clone(&self.rings),
            points: self.points.iter().map(|&point| f(point)).collect(),
            mesh: self.mesh.clone(),
            ..Self::blank()
        };
        image.retriangulate(self.outline);
        image.trim();
        image
    }

    /// Derives everything from the rings after they were transformed together with the triangles.
    ///
    /// 1. If all triangles still have an area and the right orientation, they cover what is inside
    ///    the rings: a point is in as many of them as the rings wind around it. From there, the
    ///    Delaunay triangulation is few flips away, usually none.
    /// 2. Otherwise rounding has moved a vertex across an edge, and the rings are triangulated again.
    /// 3. If the rings are not simple any more, the triangles that have an area are kept.
    fn retriangulate(&mut self, original: Outline) {
        let Self { points, mesh, buffers, .. } = self;
        let has_area = |triangle: [u32; 3]| is_counter_clockwise(points, triangle);
        if original != Outline::SimpleNotDelaunay
            && mesh.triangles().all(has_area)
            && make_delaunay(mesh, points, &mut buffers.get_or_insert_default().open)
        {
            self.outline = Outline::Transformed;
            return self.derive();
        }
        match self.rebuilt() {
            Ok(triangulation) => self.fill(triangulation),
            Err(_) => {
                self.outline = Outline::Folded;
                self.derive();
            }
        }
    }

    fn rebuilt(&self) -> Result<Triangulation, ShapeError> {
        triangulate(self.outer(), &self.holes().map(<[_]>::to_vec).collect::<Vec<_>>())
    }

    fn fill(&mut self, triangulation: Triangulation) {
        let Triangulation { points, rings, mesh, is_delaunay } = triangulation;
        (self.points, self.mesh) = (points, mesh);
        if *self.rings != *rings {
            self.rings = rings.into();
        }
        self.outline = if is_delaunay { Outline::Simple } else { Outline::SimpleNotDelaunay };
        self.derive();
    }

    /// Computes the convex parts from the triangles.
    fn derive(&mut self) {
        let Self { rings, points, mesh, outline, parts, tree, winding, buffers } = self;
        let mut count = 0;
        let mut corners = Corners::new();
        if *outline == Outline::Folded {
            for triangle in mesh.sorted_triangles() {
                if is_counter_clockwise(points, triangle) {
                    let corners = triangle.map(|i| points[i as usize]);
                    next_part(parts, &mut count).fill(&corners, &[true; 3]);
                }
            }
            if count == 0 {
                next_part(parts, &mut count).fill_hull(points);
            }
            winding.clear();
        } else {
            let merged = &mut buffers.get_or_insert_default().parts;
            merged.merge(points, rings, mesh);
            parts.reserve(merged.len().saturating_sub(parts.len()));
            merged.for_each(|part| {
                corners.clear();
                corners.extend(part.corners.iter().map(|&i| points[i as usize]));
                next_part(parts, &mut count).fill(&corners, &part.outline);
            });
            winding.refill(points, rings);
        }
        parts.truncate(count);
        tree.rebuild(parts.iter().map(|part| part.polygon.tight_bounds()));
    }

    /// Returns `false` if rounding has made the outline of a transformed polygon touch or cross
    /// itself.
    pub(crate) fn is_simple(&self) -> bool {
        match self.outline {
            Outline::Simple | Outline::SimpleNotDelaunay => true,
            Outline::Transformed => self.rebuilt().is_ok(),
            Outline::Folded => false,
        }
    }

    /// Returns the outer outline, counterclockwise (y up). It includes the vertices of holes that
    /// touch its edges.
    pub fn outer(&self) -> &[Vec2] {
        self.ring(&self.rings[0])
    }

    /// Iterates over the outlines of the holes, clockwise (y up).
    pub fn holes(&self) -> impl Iterator<Item = &[Vec2]> {
        self.rings[1..].iter().map(|ring| self.ring(ring))
    }

    /// Iterates over a triangulation of the polygon.
    pub fn triangles(&self) -> impl Iterator<Item = [Vec2; 3]> + '_ {
        let triangles = self.mesh.sorted_triangles().into_iter();
        triangles.map(|corners| corners.map(|i| self.points[i as usize]))
    }

    /// Iterates over a convex decomposition of the polygon.
    pub fn convex_parts(&self) -> impl Iterator<Item = &ConvexPolygon> {
        self.parts.iter().map(|part| &part.polygon)
    }

    /// Iterates over the edges of all outlines, with the interior on their left (y up).
    pub fn edges(&self) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
        self.rings.iter().flat_map(|ring| {
            let ring = self.ring(ring);
            (0..ring.len()).map(move |i| (ring[i], ring[(i + 1) % ring.len()]))
        })
    }

    /// Returns the polygons that are left when all outlines are moved inwards by a margin.
    pub(crate) fn inset(&self, margin: f32) -> Vec<Self> {
        Self::inset_rings(&self.points, &self.rings, margin)
    }

    /// Returns the polygons that are left when rings, with the interior on their left, are moved
    /// inwards by a margin.
    pub(crate) fn inset_rings(points: &[Vec2], rings: &[Range<u32>], margin: f32) -> Vec<Self> {
        Self::of_outlines(&inset::inset(points, rings, margin))
    }

    /// Works like [`inset_rings`](Self::inset_rings), for the union of rings that may touch and overlap.
    pub(crate) fn inset_union(points: &[Vec2], rings: &[Range<u32>], margin: f32) -> Vec<Self> {
        Self::of_outlines(&inset::inset_union(points, rings, margin))
    }

    fn of_outlines(outlines: &[inset::Outline]) -> Vec<Self> {
        let polygon = |(outer, holes): &inset::Outline| Self::try_with_holes(outer, holes).ok();
        outlines.iter().filter_map(polygon).collect()
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
            let part = &self.parts[i as usize];
            let boundary = BoundaryEdges::Edges(&part.outline);
            visit(Part { convex: part.polygon.as_convex(), boundary, one_way_direction: None })
        })
    }

    /// Tests whether the polygon contains a point inside its bounds, by a floating-point winding
    /// test. Returns `None` if the result is not certain.
    #[inline(always)]
    pub(crate) fn fast_contains_point(&self, point: Vec2) -> Option<bool> {
        self.winding.contains(point)
    }
}

impl PartialEq for Polygon {
    fn eq(&self, other: &Self) -> bool {
        self.points == other.points && self.rings == other.rings
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
        if !flip.reverses() {
            return self.mapped(|point| flip.apply(point));
        }
        // The rings are reversed, but start at the same point.
        let mut image =
            Self { rings: Arc::clone(&self.rings), points: self.points.clone(), ..Self::blank() };
        let mut moved = Vec::with_capacity(self.points.len());
        for ring in &*self.rings {
            flip.flip_ring(&mut image.points[ring.start as usize..ring.end as usize]);
            moved.extend(core::iter::once(ring.start).chain((ring.start + 1..ring.end).rev()));
        }
        let reversed = |[a, b, c]: [u32; 3]| [a, c, b].map(|i: u32| moved[i as usize]);
        image.mesh = Mesh::new(&self.mesh.triangles().map(reversed).collect::<Vec<_>>());
        image.retriangulate(self.outline);
        image.trim();
        image
    }
}

fn is_counter_clockwise(points: &[Vec2], triangle: [u32; 3]) -> bool {
    let [a, b, c] = triangle.map(|i| points[i as usize]);
    orient2d(a, b, c) == Orientation::CounterClockwise
}

/// Returns the orientation of a ring at a vertex.
fn turn(ring: &[Vec2], i: usize) -> Orientation {
    let n = ring.len();
    orient2d(ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n])
}

/// The vertices of a part.
type Corners = SmallVec<[Vec2; 16]>;

/// Returns the next part, reusing the buffers of an old one if there is one.
fn next_part<'p>(parts: &'p mut Vec<ConvexPart>, count: &mut usize) -> &'p mut ConvexPart {
    if *count == parts.len() {
        let polygon = ConvexPolygon::blank();
        parts.push(ConvexPart { polygon, outline: Vec::new() });
    }
    *count += 1;
    &mut parts[*count - 1]
}

impl ConvexPart {
    /// Replaces the part by a convex ring without its collinear vertices. An edge that has lost
    /// some lies on the outline if any of it does.
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
        self.polygon.refill_convex(&kept);
    }

    /// Replaces the part by the convex hull of points, usually a point or a segment.
    fn fill_hull(&mut self, points: &[Vec2]) {
        self.polygon.refill(points.iter().copied(), 0.0);
        self.outline.clear();
        self.outline.resize(self.polygon.points().len(), true);
    }
}
