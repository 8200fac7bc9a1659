//! Faces that share sides: triangles at first, convex parts in the end.

use alloc::vec::Vec;

use glam::Vec2;

use crate::math::exact::{Orientation, orient2d};

/// The twin of a side with no face behind it: it lies on the polygon's boundary.
pub(super) const NONE: u32 = u32::MAX;

/// A side of a face, from its own point to that of the next side, counter-clockwise.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub point: u32,
    pub next: u32,
    pub prev: u32,
    /// The same side as seen from the face behind it.
    pub twin: u32,
}

/// All sides of all faces.
pub(super) struct Mesh<'a> {
    pub points: &'a [Vec2],
    pub sides: Vec<Side>,
}

impl<'a> Mesh<'a> {
    pub fn new(points: &'a [Vec2], triangles: &[[u32; 3]]) -> Self {
        let mut mesh = Self { points, sides: Vec::with_capacity(triangles.len() * 3) };
        for corners in triangles {
            let first = mesh.sides.len() as u32;
            mesh.sides.extend(corners.map(|point| Side { point, next: 0, prev: 0, twin: NONE }));
            mesh.close([first, first + 1, first + 2]);
        }
        let mut order: Vec<([u32; 2], u32)> = (0..mesh.sides.len() as u32)
            .map(|i| {
                let [from, to] = mesh.ends(i);
                ([from.min(to), from.max(to)], i)
            })
            .collect();
        order.sort_unstable();
        for pair in order.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            let (i, j) = (pair[0].1, pair[1].1);
            mesh.sides[i as usize].twin = j;
            mesh.sides[j as usize].twin = i;
        }
        mesh
    }

    pub fn get(&self, side: u32) -> Side {
        self.sides[side as usize]
    }

    /// The points from and to which a side runs.
    pub fn ends(&self, side: u32) -> [u32; 2] {
        let Side { point, next, .. } = self.get(side);
        [point, self.get(next).point]
    }

    /// The sides between two faces, each once.
    pub fn inner(&self) -> impl Iterator<Item = u32> + '_ {
        (0..)
            .zip(&self.sides)
            .filter(|(i, side)| side.twin != NONE && *i < side.twin)
            .map(|(i, _)| i)
    }

    /// Which way the line through the points of three sides turns.
    pub fn turn(&self, sides: [u32; 3]) -> Orientation {
        let [a, b, c] = sides.map(|side| self.points[self.get(side).point as usize]);
        orient2d(a, b, c)
    }

    /// Lets one side follow on another.
    pub fn connect(&mut self, side: u32, next: u32) {
        self.sides[side as usize].next = next;
        self.sides[next as usize].prev = side;
    }

    /// Makes a triangle of three sides.
    pub fn close(&mut self, [a, b, c]: [u32; 3]) {
        self.connect(a, b);
        self.connect(b, c);
        self.connect(c, a);
    }
}
