//! A mesh of half-edges: the faces are triangles at first, and convex parts after merging.

use alloc::vec::Vec;

use glam::Vec2;

use crate::math::exact::{Orientation, orient2d};

/// The twin of a half-edge on the boundary of the polygon.
pub(super) const NONE: u32 = u32::MAX;

/// An edge of one face, from its own point to that of the next half-edge, counterclockwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfEdge {
    pub point: u32,
    pub next: u32,
    pub prev: u32,
    /// The opposite half-edge, which belongs to the neighboring face.
    pub twin: u32,
}

/// The half-edges of all faces. Points are given by their index in the polygon.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Mesh {
    pub(super) half_edges: Vec<HalfEdge>,
}

impl Mesh {
    pub fn new(triangles: &[[u32; 3]]) -> Self {
        let mut mesh = Self { half_edges: Vec::with_capacity(triangles.len() * 3) };
        for corners in triangles {
            let first = mesh.half_edges.len() as u32;
            let half_edge = |point| HalfEdge { point, next: 0, prev: 0, twin: NONE };
            mesh.half_edges.extend(corners.map(half_edge));
            mesh.close([first, first + 1, first + 2]);
        }
        // Half-edges between the same points, in either direction, are twins.
        let mut order: Vec<(u64, u32)> = (0..mesh.half_edges.len() as u32)
            .map(|i| {
                let [from, to] = mesh.ends(i);
                (u64::from(from.min(to)) << 32 | u64::from(from.max(to)), i)
            })
            .collect();
        order.sort_unstable();
        for pair in order.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            let (i, j) = (pair[0].1, pair[1].1);
            mesh.half_edges[i as usize].twin = j;
            mesh.half_edges[j as usize].twin = i;
        }
        mesh
    }

    /// Replaces this mesh by a copy of another one. Reuses the buffer.
    pub fn copy_from(&mut self, other: &Self) {
        self.half_edges.clone_from(&other.half_edges);
    }

    #[inline]
    pub(super) fn get(&self, half_edge: u32) -> HalfEdge {
        self.half_edges[half_edge as usize]
    }

    /// Returns the points at the start and the end of a half-edge.
    #[inline]
    pub(super) fn ends(&self, half_edge: u32) -> [u32; 2] {
        let HalfEdge { point, next, .. } = self.get(half_edge);
        [point, self.get(next).point]
    }

    /// Iterates over the edges between two faces, each once.
    pub(super) fn inner_edges(&self) -> impl Iterator<Item = u32> + '_ {
        (0..)
            .zip(&self.half_edges)
            .filter(|(i, half_edge)| half_edge.twin != NONE && *i < half_edge.twin)
            .map(|(i, _)| i)
    }

    /// Returns the orientation of the points of three half-edges.
    #[inline]
    pub(super) fn turn(&self, points: &[Vec2], half_edges: [u32; 3]) -> Orientation {
        let [a, b, c] = half_edges.map(|half_edge| points[self.get(half_edge).point as usize]);
        orient2d(a, b, c)
    }

    /// Connects one half-edge to the next of its face.
    pub(super) fn connect(&mut self, half_edge: u32, next: u32) {
        self.half_edges[half_edge as usize].next = next;
        self.half_edges[next as usize].prev = half_edge;
    }

    /// Connects three half-edges to a triangle.
    pub(super) fn close(&mut self, [a, b, c]: [u32; 3]) {
        self.connect(a, b);
        self.connect(b, c);
        self.connect(c, a);
    }

    /// Iterates over the triangles, if all faces are triangles.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        let is_first_of_its_face = |&(i, edge): &(u32, &HalfEdge)| i < edge.next && i < edge.prev;
        (0..)
            .zip(&self.half_edges)
            .filter(is_first_of_its_face)
            .map(|(i, edge)| [i, edge.next, edge.prev].map(|i| self.get(i).point))
    }

    /// Returns the triangles in an order that depends only on their vertices.
    pub fn sorted_triangles(&self) -> Vec<[u32; 3]> {
        let mut triangles: Vec<[u32; 3]> = self
            .triangles()
            .map(|[a, b, c]| {
                if a < b && a < c {
                    [a, b, c]
                } else if b < c {
                    [b, c, a]
                } else {
                    [c, a, b]
                }
            })
            .collect();
        triangles.sort_unstable();
        triangles
    }
}
