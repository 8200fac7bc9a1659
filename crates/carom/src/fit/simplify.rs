//! Leaving corners out of outlines.
//!
//! A corner may go where the triangle that it spans with its neighbours holds no other corner of any
//! outline: then the new edge meets nothing, and all outlines stay simple. The corners whose going
//! changes least go first. At a left turn (y up) the area becomes smaller, at a right turn larger; so
//! what must stay covered loses only right turns, and what must stay clear only left ones.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use glam::Vec2;

use crate::math::exact::{Orientation, orient2d};
use crate::math::{cross, length};
use crate::shape::Aabb;

/// What must not change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bias {
    /// All that is inside stays inside.
    Outer,
    /// All that is outside stays outside.
    Inner,
    /// Neither.
    None,
}

impl Bias {
    fn allows(self, turn: Orientation) -> bool {
        match self {
            Self::Outer => turn != Orientation::CounterClockwise,
            Self::Inner => turn != Orientation::Clockwise,
            Self::None => true,
        }
    }
}

/// Leaves corners out of rings, which run with the inside on their left, as long as all corners of the
/// original stay within a tolerance. A ring narrower than that is left out altogether, if it may be.
pub(super) fn simplify(rings: &[Vec<Vec2>], tolerance: f64, bias: Bias) -> Vec<Vec<Vec2>> {
    let mut outlines = Outlines::new(rings, tolerance, bias);
    for i in 0..outlines.points.len() {
        outlines.consider(i);
    }
    while let Some(Reverse(next)) = outlines.heap.pop() {
        if outlines.stamps[next.corner] == next.stamp {
            outlines.leave_out(next.corner);
        }
    }
    outlines.rings(rings)
}

/// All corners of all rings, each linked to those before and after it.
struct Outlines {
    points: Vec<Vec2>,
    before: Vec<usize>,
    after: Vec<usize>,
    /// How often a corner's neighbours have changed; `GONE` once it is left out.
    stamps: Vec<u32>,
    /// How many corners the ring of each corner has left.
    ring_of: Vec<usize>,
    left: Vec<usize>,
    heap: BinaryHeap<Reverse<Next>>,
    buckets: Buckets,
    tolerance: f64,
    bias: Bias,
}

const GONE: u32 = u32::MAX;

/// A corner that may go, by how far off that would be.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Next {
    /// The bits of a number that is not negative sort as it does.
    change: u64,
    corner: usize,
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
            buckets: Buckets::new(&points),
            points,
            before,
            after,
            stamps: alloc::vec![0; count],
            ring_of,
            left: rings.iter().map(Vec::len).collect(),
            heap: BinaryHeap::new(),
            tolerance,
            bias,
        }
    }

    /// Puts a corner on the heap if it may go.
    fn consider(&mut self, corner: usize) {
        let (a, b) = (self.before[corner], self.after[corner]);
        let (start, at, end) = (self.points[a], self.points[corner], self.points[b]);
        let turn = orient2d(start, at, end);
        if self.left[self.ring_of[corner]] <= 3 || !self.bias.allows(turn) {
            return;
        }
        let change = self.change(a, b);
        if change <= self.tolerance && self.is_empty_triangle([a, corner, b], turn) {
            let stamp = self.stamps[corner];
            self.heap.push(Reverse(Next { change: change.to_bits(), corner, stamp }));
        }
    }

    /// How far the corners between two, left out or not, lie from the edge that would join them.
    fn change(&self, a: usize, b: usize) -> f64 {
        let (start, end) = (self.points[a].as_dvec2(), self.points[b].as_dvec2());
        let (way, long) = (end - start, length(end - start));
        let apart = |point: Vec2| {
            let at = point.as_dvec2() - start;
            let along = way.dot(at);
            if along <= 0.0 {
                length(at)
            } else if along >= long * long {
                length(point.as_dvec2() - end)
            } else {
                cross(way, at).abs() / long
            }
        };
        let mut change = 0.0f64;
        let mut i = self.next_of_all(a);
        while i != b {
            change = change.max(apart(self.points[i]));
            i = self.next_of_all(i);
        }
        change
    }

    /// The next corner of the ring as it was.
    fn next_of_all(&self, i: usize) -> usize {
        let next = i + 1;
        if next < self.points.len() && self.ring_of[next] == self.ring_of[i] {
            return next;
        }
        self.ring_of.partition_point(|&ring| ring < self.ring_of[i])
    }

    /// Whether no other corner lies in a triangle or on its border.
    fn is_empty_triangle(&self, corners: [usize; 3], turn: Orientation) -> bool {
        let [mut a, b, mut c] = corners.map(|i| self.points[i]);
        if turn == Orientation::Clockwise {
            (a, c) = (c, a);
        }
        let holds = |p: Vec2| {
            [(a, b), (b, c), (c, a)]
                .iter()
                .all(|&(s, e)| orient2d(s, e, p) != Orientation::Clockwise)
        };
        let bounds = Aabb::new_unchecked(a.min(b).min(c), a.max(b).max(c));
        !self.buckets.any(&bounds, |i| {
            self.stamps[i] != GONE
                && !corners.contains(&i)
                && bounds.intersects_aabb(&Aabb::new_unchecked(self.points[i], self.points[i]))
                && holds(self.points[i])
        })
    }

    fn leave_out(&mut self, corner: usize) {
        let (a, b) = (self.before[corner], self.after[corner]);
        // Since it was put on the heap, another ring may have become so short, but no corner moved.
        let ring = self.ring_of[corner];
        if self.left[ring] <= 3 {
            return;
        }
        self.left[ring] -= 1;
        self.stamps[corner] = GONE;
        (self.after[a], self.before[b]) = (b, a);
        for neighbour in [a, b] {
            self.stamps[neighbour] += 1;
            self.consider(neighbour);
        }
    }

    /// The rings that are left.
    fn rings(&self, originals: &[Vec<Vec2>]) -> Vec<Vec<Vec2>> {
        let mut start = 0;
        let ring = originals.iter().map(|original| {
            let all = start..start + original.len();
            start = all.end;
            let kept: Vec<Vec2> =
                all.filter(|&i| self.stamps[i] != GONE).map(|i| self.points[i]).collect();
            if self.may_vanish(&kept) { Vec::new() } else { kept }
        });
        ring.collect()
    }

    /// Whether a ring is a triangle lower than the tolerance, which may be left out.
    fn may_vanish(&self, ring: &[Vec2]) -> bool {
        let [a, b, c] = *ring else { return false };
        let sides = [b - a, c - b, a - c].map(|side| length(side.as_dvec2()));
        let longest = sides.into_iter().fold(0.0, f64::max);
        let double_area = cross((b - a).as_dvec2(), (c - a).as_dvec2()).abs();
        self.bias.allows(orient2d(a, b, c)) && double_area <= self.tolerance * longest
    }
}

/// Which corners are near a place.
struct Buckets {
    across: usize,
    lists: Vec<Vec<usize>>,
    origin: Vec2,
}

/// The side of a bucket, in pixels.
const BUCKET: f32 = 16.0;

impl Buckets {
    fn new(points: &[Vec2]) -> Self {
        let bounds =
            Aabb::from_points(points).unwrap_or(Aabb::new_unchecked(Vec2::ZERO, Vec2::ZERO));
        let [across, down] = bounds.size().to_array().map(|side| (side / BUCKET) as usize + 1);
        let lists = alloc::vec![Vec::new(); across * down];
        let mut buckets = Self { across, lists, origin: bounds.min() };
        for (i, &point) in points.iter().enumerate() {
            let [x, y] = buckets.place(point);
            buckets.lists[y * across + x].push(i);
        }
        buckets
    }

    fn place(&self, point: Vec2) -> [usize; 2] {
        ((point - self.origin) / BUCKET).to_array().map(|at| at as usize)
    }

    /// Whether a corner in one of the buckets that a box touches passes a test.
    fn any(&self, bounds: &Aabb, test: impl Fn(usize) -> bool) -> bool {
        let ([left, top], [right, bottom]) = (self.place(bounds.min()), self.place(bounds.max()));
        (top..=bottom).any(|y| {
            (left..=right).any(|x| self.lists[y * self.across + x].iter().any(|&i| test(i)))
        })
    }
}
