//! Merging triangles into few convex parts.
//!
//! Edges between two faces are removed one after another if the joined face stays convex (Hertel
//! and Mehlhorn 1983: at most four times the minimum number of parts).

use core::ops::Range;

use alloc::vec::Vec;

use glam::Vec2;
use smallvec::SmallVec;

use super::mesh::{HalfEdge, Mesh, NONE};
use crate::math::exact::{Orientation, orient2d};

/// The convex parts of a polygon. They depend only on its triangulation, not on the order in which
/// the triangles are stored.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct ConvexParts {
    mesh: Mesh,
    is_reflex: Vec<bool>,
    order: Vec<Candidate>,
    is_done: Vec<bool>,
    faces: Vec<Face>,
}

/// An edge that may be removed. Edges with the fewest reflex vertices of the polygon as ends come
/// first, the longest of them first, so that short edges between two reflex vertices remain.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    reflex_ends: u8,
    squared_length: f64,
    ends: [u32; 2],
    half_edge: u32,
}

/// A convex part, given by the half-edge that starts at its vertex with the lowest index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Face {
    ends: [u32; 2],
    half_edge: u32,
}

/// The indices of the vertices of a part, counterclockwise, and whether the edge from each to the
/// next lies on the boundary of the polygon. Vertices may be collinear.
#[derive(Default)]
pub(in super::super) struct PartIndices {
    pub corners: SmallVec<[u32; 16]>,
    pub outline: SmallVec<[bool; 16]>,
}

impl ConvexParts {
    /// Joins the triangles of a mesh. Reuses the buffers.
    pub fn merge(&mut self, points: &[Vec2], rings: &[Range<u32>], mesh: &Mesh) {
        self.mesh.copy_from(mesh);
        self.sort_candidates(points, rings);
        for i in 0..self.order.len() {
            let half_edge = self.order[i].half_edge;
            if self.may_remove(points, half_edge) {
                self.remove(half_edge);
            }
        }
        self.collect_faces();
    }

    /// Returns the number of parts.
    pub fn len(&self) -> usize {
        self.faces.len()
    }

    /// Calls `visit` with each part, in an order that depends on the indices of the vertices only.
    pub fn for_each(&self, mut visit: impl FnMut(&PartIndices)) {
        let mut part = PartIndices::default();
        for face in &self.faces {
            part.corners.clear();
            part.outline.clear();
            let mut at = face.half_edge;
            loop {
                let HalfEdge { point, next, twin, .. } = self.mesh.get(at);
                part.corners.push(point);
                part.outline.push(twin == NONE);
                at = next;
                if at == face.half_edge {
                    break;
                }
            }
            visit(&part);
        }
    }

    fn sort_candidates(&mut self, points: &[Vec2], rings: &[Range<u32>]) {
        let Self { mesh, is_reflex, order, .. } = self;
        is_reflex.clear();
        for ring in rings {
            let ring = &points[ring.start as usize..ring.end as usize];
            let n = ring.len();
            is_reflex.extend((0..n).map(|i| {
                let (prev, next) =
                    (if i == 0 { n } else { i } - 1, if i + 1 == n { 0 } else { i + 1 });
                orient2d(ring[prev], ring[i], ring[next]) == Orientation::Clockwise
            }));
        }
        order.clear();
        order.reserve(mesh.half_edges.len() / 2);
        order.extend(mesh.inner_edges().map(|half_edge| {
            let [from, to] = mesh.ends(half_edge);
            let [a, b] = [from, to].map(|end| points[end as usize].as_dvec2());
            Candidate {
                reflex_ends: [from, to].map(|end| u8::from(is_reflex[end as usize])).iter().sum(),
                squared_length: (b - a).length_squared(),
                ends: [from.min(to), from.max(to)],
                half_edge,
            }
        }));
        order.sort_unstable_by(|a, b| {
            (a.reflex_ends.cmp(&b.reflex_ends))
                .then(b.squared_length.total_cmp(&a.squared_length))
                .then(a.ends.cmp(&b.ends))
        });
    }

    /// Returns `true` if the angles at both ends of an edge stay convex, or become straight, without
    /// it.
    fn may_remove(&self, points: &[Vec2], half_edge: u32) -> bool {
        let mesh = &self.mesh;
        let (a, b) = (mesh.get(half_edge), mesh.get(mesh.get(half_edge).twin));
        let after = |half_edge: u32| mesh.get(half_edge).next;
        let stays_convex = |half_edges: [u32; 3]| match mesh.turn(points, half_edges) {
            Orientation::CounterClockwise => true,
            Orientation::Clockwise => false,
            // An outline that rounding has folded onto itself may turn back: an angle of 360°.
            Orientation::Collinear => {
                let [a, b, c] = half_edges.map(|it| points[mesh.get(it).point as usize].as_dvec2());
                (b - a).dot(c - b) > 0.0
            }
        };
        stays_convex([a.prev, half_edge, after(b.next)])
            && stays_convex([b.prev, a.twin, after(a.next)])
    }

    fn remove(&mut self, half_edge: u32) {
        let mesh = &mut self.mesh;
        let (a, b) = (mesh.get(half_edge), mesh.get(mesh.get(half_edge).twin));
        mesh.connect(a.prev, b.next);
        mesh.connect(b.prev, a.next);
        mesh.half_edges[half_edge as usize].next = NONE;
        mesh.half_edges[a.twin as usize].next = NONE;
    }

    /// Finds the faces of the half-edges that have not been removed.
    fn collect_faces(&mut self) {
        let Self { mesh, order, is_done, faces, .. } = self;
        faces.clear();
        faces.reserve(order.len() + 1);
        is_done.clear();
        is_done.extend(mesh.half_edges.iter().map(|half_edge| half_edge.next == NONE));
        for first in 0..mesh.half_edges.len() as u32 {
            let mut face: Option<Face> = None;
            let mut at = first;
            while !is_done[at as usize] {
                is_done[at as usize] = true;
                let here = Face { ends: mesh.ends(at), half_edge: at };
                face = Some(face.map_or(here, |face| face.min(here)));
                at = mesh.get(at).next;
            }
            faces.extend(face);
        }
        faces.sort_unstable();
    }
}
