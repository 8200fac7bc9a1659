//! Simplification of outlines by removing vertices, as in Visvalingam and Whyatt, "Line generalisation by repeated
//! elimination of points" (1993), but ordered by distance instead of area.
//!
//! A vertex may be removed if the triangle that it forms with its neighbors contains no other vertex of any
//! outline: then the new edge crosses nothing, and all outlines stay simple. Vertices are removed in the order
//! of the error that this causes. Removing a left turn (y up) makes the area smaller, removing a right turn
//! makes it larger. So an outer approximation removes only right turns, and an inner one only left turns.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use glam::Vec2;

use crate::math::exact::{Orientation, orient2d};
use crate::math::{cross, length};
use crate::shape::Aabb;

/// The side to which outlines may move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bias {
    /// Outwards: the inside stays inside.
    Outer,
    /// Inwards: the outside stays outside.
    Inner,
    /// To either side.
    None,
}

impl Bias {
    /// Returns `true` if a vertex with this turn may be removed.
    fn allows(self, turn: Orientation) -> bool {
        match self {
            Self::Outer => turn != Orientation::CounterClockwise,
            Self::Inner => turn != Orientation::Clockwise,
            Self::None => true,
        }
    }
}

/// Removes vertices from rings that have their inside on the left, as long as all original vertices stay
/// within `tolerance` of the outline. A ring narrower than that becomes empty if `bias` allows it.
pub(super) fn simplify(rings: &[Vec<Vec2>], tolerance: f64, bias: Bias) -> Vec<Vec<Vec2>> {
    let mut outlines = Outlines::new(rings, tolerance, bias);
    for i in 0..outlines.points.len() {
        outlines.push_if_removable(i);
    }
    while let Some(Reverse(next)) = outlines.heap.pop() {
        if outlines.stamps[next.vertex] == next.stamp {
            outlines.remove(next.vertex);
        }
    }
    outlines.rings(rings)
}

/// All vertices of all rings, each linked to the previous and the next one.
struct Outlines {
    points: Vec<Vec2>,
    before: Vec<usize>,
    after: Vec<usize>,
    /// The number of times that the neighbors of each vertex have changed, or `REMOVED`.
    stamps: Vec<u32>,
    /// The ring of each vertex.
    ring_of: Vec<usize>,
    /// The number of remaining vertices of each ring.
    remaining: Vec<usize>,
    /// The vertices that may be removed, the least error first. Entries with an old stamp are skipped.
    heap: BinaryHeap<Reverse<Candidate>>,
    grid: VertexGrid,
    tolerance: f64,
    bias: Bias,
}

/// The stamp of a vertex that has been removed.
const REMOVED: u32 = u32::MAX;

/// A vertex that may be removed, ordered by the error that this causes.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    /// The bits of the error. For non-negative floats, they have the same order as the numbers.
    error: u64,
    vertex: usize,
    stamp: u32,
}

impl Outlines {
    fn new(rings: &[Vec<Vec2>], tolerance: f64, bias: Bias) -> Self {
        let points: Vec<Vec2> = rings.iter().flatten().copied().collect();
        let count = points.len();
        let (mut before, mut after, mut ring_of) = (Vec::new(), Vec::new(), Vec::new());
        for (number, ring) in rings.iter().enumerate() {
            let (start, len) = (before.len(), ring.len());
            before.extend((0..len).map(|i| start + (i + len - 1) % len));
            after.extend((0..len).map(|i| start + (i + 1) % len));
            ring_of.resize(start + len, number);
        }
        Self {
            grid: VertexGrid::new(&points),
            points,
            before,
            after,
            stamps: alloc::vec![0; count],
            ring_of,
            remaining: rings.iter().map(Vec::len).collect(),
            heap: BinaryHeap::new(),
            tolerance,
            bias,
        }
    }

    /// Pushes a vertex on the heap if it may be removed.
    fn push_if_removable(&mut self, vertex: usize) {
        let (a, b) = (self.before[vertex], self.after[vertex]);
        let (start, at, end) = (self.points[a], self.points[vertex], self.points[b]);
        let turn = orient2d(start, at, end);
        if self.remaining[self.ring_of[vertex]] <= 3 || !self.bias.allows(turn) {
            return;
        }
        let error = self.removal_error(a, b);
        if error <= self.tolerance && self.is_empty_triangle([a, vertex, b], turn) {
            let stamp = self.stamps[vertex];
            self.heap.push(Reverse(Candidate { error: error.to_bits(), vertex, stamp }));
        }
    }

    /// Returns the error of an edge from vertex `a` to vertex `b`: the greatest distance of the original vertices
    /// between the two from the edge.
    fn removal_error(&self, a: usize, b: usize) -> f64 {
        let (start, end) = (self.points[a].as_dvec2(), self.points[b].as_dvec2());
        let (edge, length_of_edge) = (end - start, length(end - start));
        let distance = |point: Vec2| {
            let at = point.as_dvec2() - start;
            let along = edge.dot(at);
            if along <= 0.0 {
                length(at)
            } else if along >= length_of_edge * length_of_edge {
                length(point.as_dvec2() - end)
            } else {
                cross(edge, at).abs() / length_of_edge
            }
        };
        let mut error = 0.0f64;
        let mut i = self.next_original(a);
        while i != b {
            error = error.max(distance(self.points[i]));
            i = self.next_original(i);
        }
        error
    }

    /// Returns the next vertex of the original ring.
    fn next_original(&self, i: usize) -> usize {
        let next = i + 1;
        if next < self.points.len() && self.ring_of[next] == self.ring_of[i] {
            return next;
        }
        self.ring_of.partition_point(|&ring| ring < self.ring_of[i])
    }

    /// Returns `true` if no other vertex lies in a triangle or on its boundary.
    fn is_empty_triangle(&self, vertices: [usize; 3], turn: Orientation) -> bool {
        let [mut a, b, mut c] = vertices.map(|i| self.points[i]);
        if turn == Orientation::Clockwise {
            (a, c) = (c, a);
        }
        let contains = |p: Vec2| {
            [(a, b), (b, c), (c, a)]
                .iter()
                .all(|&(s, e)| orient2d(s, e, p) != Orientation::Clockwise)
        };
        let bounds = Aabb::new_unchecked(a.min(b).min(c), a.max(b).max(c));
        !self.grid.any_in(&bounds, |i| {
            self.stamps[i] != REMOVED
                && !vertices.contains(&i)
                && bounds.intersects_aabb(&Aabb::new_unchecked(self.points[i], self.points[i]))
                && contains(self.points[i])
        })
    }

    /// Removes a vertex, and pushes its neighbors with their new errors.
    fn remove(&mut self, vertex: usize) {
        let (a, b) = (self.before[vertex], self.after[vertex]);
        // The ring may have lost vertices since this one was pushed, but none has moved.
        let ring = self.ring_of[vertex];
        if self.remaining[ring] <= 3 {
            return;
        }
        self.remaining[ring] -= 1;
        self.stamps[vertex] = REMOVED;
        (self.after[a], self.before[b]) = (b, a);
        for neighbor in [a, b] {
            self.stamps[neighbor] += 1;
            self.push_if_removable(neighbor);
        }
    }

    /// Returns the simplified rings.
    fn rings(&self, originals: &[Vec<Vec2>]) -> Vec<Vec<Vec2>> {
        let mut start = 0;
        let ring = originals.iter().map(|original| {
            let all = start..start + original.len();
            start = all.end;
            let kept: Vec<Vec2> =
                all.filter(|&i| self.stamps[i] != REMOVED).map(|i| self.points[i]).collect();
            if self.can_drop(&kept) { Vec::new() } else { kept }
        });
        ring.collect()
    }

    /// Returns `true` if a ring may be dropped, because it is a triangle with a height within the tolerance.
    fn can_drop(&self, ring: &[Vec2]) -> bool {
        let [a, b, c] = *ring else { return false };
        let sides = [b - a, c - b, a - c].map(|side| length(side.as_dvec2()));
        let longest = sides.into_iter().fold(0.0, f64::max);
        let double_area = cross((b - a).as_dvec2(), (c - a).as_dvec2()).abs();
        self.bias.allows(orient2d(a, b, c)) && double_area <= self.tolerance * longest
    }
}

/// A uniform grid of the vertices.
struct VertexGrid {
    across: usize,
    lists: Vec<Vec<usize>>,
    origin: Vec2,
}

/// The side of a grid cell, in pixels. It affects speed only.
const CELL_SIZE: f32 = 16.0;

impl VertexGrid {
    fn new(points: &[Vec2]) -> Self {
        let bounds =
            Aabb::from_points(points).unwrap_or(Aabb::new_unchecked(Vec2::ZERO, Vec2::ZERO));
        let [across, down] = bounds.size().to_array().map(|side| (side / CELL_SIZE) as usize + 1);
        let lists = alloc::vec![Vec::new(); across * down];
        let mut grid = Self { across, lists, origin: bounds.min() };
        for (i, &point) in points.iter().enumerate() {
            let [x, y] = grid.cell(point);
            grid.lists[y * across + x].push(i);
        }
        grid
    }

    fn cell(&self, point: Vec2) -> [usize; 2] {
        ((point - self.origin) / CELL_SIZE).to_array().map(|at| at as usize)
    }

    /// Returns `true` if a vertex in the cells that intersect a box passes a test.
    fn any_in(&self, bounds: &Aabb, test: impl Fn(usize) -> bool) -> bool {
        let ([left, top], [right, bottom]) = (self.cell(bounds.min()), self.cell(bounds.max()));
        (top..=bottom).any(|y| {
            (left..=right).any(|x| self.lists[y * self.across + x].iter().any(|&i| test(i)))
        })
    }
}
