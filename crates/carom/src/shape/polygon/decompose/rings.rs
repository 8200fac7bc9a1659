//! The rings of a polygon, without repeated points and in canonical winding.

use alloc::vec::Vec;
use core::{cmp::Ordering, ops::Range};

use glam::Vec2;

use crate::math::exact::Orientation;
use crate::{error::ShapeError, math::exact::orient2d};

/// All rings of a polygon, one after another. Edge `i` runs from point `i` to `next(i)`; the
/// polygon lies on its left.
pub(super) struct Rings {
    pub points: Vec<Vec2>,
    /// The range of each ring in `points`.
    pub ranges: Vec<Range<u32>>,
    /// The ring of each point.
    ring_of: Vec<u32>,
    /// The index of each edge in the caller's list.
    given_edge: Vec<u32>,
}

/// A point of one ring inside an edge of another.
#[derive(Clone, Copy)]
pub(super) struct Touch {
    pub edge: u32,
    pub at: Vec2,
}

impl Rings {
    /// Drops repeated points and orients the outline counterclockwise, the holes clockwise.
    pub fn clean(outer: &[Vec2], holes: &[Vec<Vec2>]) -> Result<Self, ShapeError> {
        let mut rings = Self::empty();
        rings.push_cleaned(outer, Orientation::CounterClockwise)?;
        holes.iter().try_for_each(|hole| rings.push_cleaned(hole, Orientation::Clockwise))?;
        Ok(rings)
    }

    fn empty() -> Self {
        Self { points: Vec::new(), ranges: Vec::new(), ring_of: Vec::new(), given_edge: Vec::new() }
    }

    fn push_cleaned(&mut self, given: &[Vec2], winding: Orientation) -> Result<(), ShapeError> {
        if let Some(index) = given.iter().position(|point| !point.is_finite()) {
            return Err(ShapeError::PointNotFinite { index, point: given[index] });
        }
        // Of equal neighbors the last is kept: the edge starts at it.
        let mut kept: Vec<usize> = (0..given.len())
            .filter(|&i| given.len() == 1 || given[i] != given[(i + 1) % given.len()])
            .collect();
        if kept.len() < 3 {
            // A list of one point repeated many times has no points left.
            let count = kept.len().max(usize::from(!given.is_empty()));
            return Err(ShapeError::TooFewPoints { count, needed: 3 });
        }
        let (a, b) = (given[kept[0]], given[kept[1]]);
        if kept[2..].iter().all(|&i| orient2d(a, b, given[i]) == Orientation::Collinear) {
            return Err(ShapeError::Collinear { at: given[0] });
        }
        let mut edges = kept.clone();
        if turn_at_extreme(given, &kept) == winding.reverse() {
            kept.reverse();
            edges.reverse();
            edges.rotate_left(1);
        }
        let ring = self.ranges.len();
        let start = self.points.len();
        self.points.reserve(kept.len());
        self.ring_of.reserve(kept.len());
        self.given_edge.reserve(kept.len());
        for (point, edge) in kept.into_iter().zip(edges) {
            self.push(given[point], ring, edge as u32);
        }
        self.ranges.push(start as u32..self.points.len() as u32);
        Ok(())
    }

    fn push(&mut self, point: Vec2, ring: usize, given_edge: u32) {
        self.points.push(point);
        self.ring_of.push(ring as u32);
        self.given_edge.push(given_edge);
    }

    pub fn ring(&self, point: u32) -> u32 {
        self.ring_of[point as usize]
    }

    pub fn point(&self, index: u32) -> Vec2 {
        self.points[index as usize]
    }

    pub fn next(&self, point: u32) -> u32 {
        let range = &self.ranges[self.ring(point) as usize];
        if point + 1 == range.end { range.start } else { point + 1 }
    }

    pub fn prev(&self, point: u32) -> u32 {
        let range = &self.ranges[self.ring(point) as usize];
        if point == range.start { range.end - 1 } else { point - 1 }
    }

    /// Returns the error for two edges that intersect in an invalid way.
    pub fn intersection_error(&self, edge: u32, other: u32, at: Vec2) -> ShapeError {
        let ring_and_edge =
            |edge: u32| (self.ring(edge) as usize, self.given_edge[edge as usize] as usize);
        let ((ring, edge), (other_ring, other_edge)) = (
            ring_and_edge(edge).min(ring_and_edge(other)),
            ring_and_edge(edge).max(ring_and_edge(other)),
        );
        ShapeError::SelfIntersection { ring, edge, other_ring, other_edge, at }
    }

    /// Inserts a point where another ring touches an edge. Also returns the new index of each old point.
    pub fn with_touches(self, touches: &mut [Touch]) -> (Self, Vec<u32>) {
        if touches.is_empty() {
            let same = (0..self.points.len() as u32).collect();
            return (self, same);
        }
        // The sweep lists these points from left to right, and the stable sort keeps that order.
        touches.sort_by_key(|touch| touch.edge);
        let mut rest = &*touches;
        let (mut result, mut moved) = (Self::empty(), Vec::with_capacity(self.points.len()));
        for (ring, range) in self.ranges.iter().enumerate() {
            let start = result.points.len() as u32;
            for edge in range.clone() {
                let given_edge = self.given_edge[edge as usize];
                moved.push(result.points.len() as u32);
                result.push(self.point(edge), ring, given_edge);
                let count = rest.iter().take_while(|touch| touch.edge == edge).count();
                let (here, later) = rest.split_at(count);
                rest = later;
                let mut add = |touch: &Touch| result.push(touch.at, ring, given_edge);
                if leftmost_first(self.point(edge), self.point(self.next(edge))).is_lt() {
                    here.iter().for_each(&mut add);
                } else {
                    here.iter().rev().for_each(&mut add);
                }
            }
            result.ranges.push(start..result.points.len() as u32);
        }
        (result, moved)
    }

    /// Replaces each index by the lowest index of a point at the same position.
    pub fn use_lowest_indices(&self, indices: &mut [u32]) {
        let by_position =
            |i: &u32, j: &u32| leftmost_first(self.point(*i), self.point(*j)).then(i.cmp(j));
        let mut sorted: Vec<u32> = (0..self.points.len() as u32).collect();
        sorted.sort_unstable_by(by_position);
        let mut lowest = alloc::vec![0; sorted.len()];
        for same in sorted.chunk_by(|&i, &j| self.point(i) == self.point(j)) {
            same.iter().for_each(|&i| lowest[i as usize] = same[0]);
        }
        indices.iter_mut().for_each(|i| *i = lowest[*i as usize]);
    }
}

/// Compares two points in the order of the sweep: from left to right, then from bottom to top.
pub(super) fn leftmost_first(a: Vec2, b: Vec2) -> Ordering {
    (a.x, a.y).partial_cmp(&(b.x, b.y)).unwrap_or(Ordering::Equal)
}

/// Returns the orientation of a ring: that at its leftmost point, the lowest of several, where a
/// simple ring cannot be straight. If the ring folds back there, it is not simple, which the sweep
/// finds.
fn turn_at_extreme(given: &[Vec2], ring: &[usize]) -> Orientation {
    let n = ring.len();
    let at = |i: usize| given[ring[i % n]];
    (0..n)
        .min_by(|&i, &j| leftmost_first(at(i), at(j)))
        .map_or(Orientation::Collinear, |i| orient2d(at(i + n - 1), at(i), at(i + 1)))
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    fn points(list: &[[f32; 2]]) -> Vec<Vec2> {
        list.iter().map(|&p| p.into()).collect()
    }

    #[test]
    fn repeated_points_are_dropped_and_edges_keep_their_given_index() {
        let outer = points(&[[0.0, 0.0], [4.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 0.0]]);
        let rings = Rings::clean(&outer, &[]).unwrap();
        assert_eq!(rings.points, points(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0]]));
        assert_eq!(rings.given_edge, [0, 2, 3]);
    }

    #[test]
    fn rings_are_reversed_to_their_winding() {
        let clockwise = points(&[[0.0, 0.0], [0.0, 4.0], [4.0, 4.0], [4.0, 0.0]]);
        let ccw = points(&[[1.0, 1.0], [3.0, 1.0], [3.0, 3.0], [1.0, 3.0]]);
        let rings = Rings::clean(&clockwise, &[ccw]).unwrap();
        assert_eq!(rings.points[..2], points(&[[4.0, 0.0], [4.0, 4.0]]));
        assert_eq!(rings.points[4..6], points(&[[1.0, 3.0], [3.0, 3.0]]));
        // The edge from (4, 0) to (4, 4) was given as edge 2, from (4, 4) to (4, 0).
        assert_eq!(rings.given_edge[..4], [2, 1, 0, 3]);
    }

    #[test]
    fn touches_are_sorted_along_the_edge_in_either_direction() {
        let square = points(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]);
        let rings = Rings::clean(&square, &[]).unwrap();
        let touch = |edge, x, y| Touch { edge, at: Vec2::new(x, y) };
        let mut touches =
            [touch(0, 1.0, 0.0), touch(2, 1.0, 4.0), touch(0, 2.0, 0.0), touch(2, 2.0, 4.0)];
        let (rings, moved) = rings.with_touches(&mut touches);
        assert_eq!(moved, [0, 3, 4, 7]);
        assert_eq!(rings.points[1..3], points(&[[1.0, 0.0], [2.0, 0.0]]));
        assert_eq!(rings.points[5..7], points(&[[2.0, 4.0], [1.0, 4.0]]));
        assert_eq!(rings.ranges, vec![0..8]);
    }

    #[test]
    fn rings_without_area_or_with_invalid_points_are_errors() {
        let error_of = |list: &[[f32; 2]]| Rings::clean(&points(list), &[]).err().unwrap();
        assert_eq!(error_of(&[]), ShapeError::TooFewPoints { count: 0, needed: 3 });
        assert_eq!(error_of(&[[1.0, 1.0]; 3]), ShapeError::TooFewPoints { count: 1, needed: 3 });
        assert_eq!(
            error_of(&[[0.0, 0.0], [1.0, 1.0], [0.0, 0.0]]),
            ShapeError::TooFewPoints { count: 2, needed: 3 }
        );
        assert_eq!(
            error_of(&[[0.0, 0.0], [1.0, 1.0], [3.0, 3.0]]),
            ShapeError::Collinear { at: Vec2::ZERO }
        );
        assert!(matches!(
            error_of(&[[0.0, 0.0], [1.0, 1.0], [f32::NAN, 3.0]]),
            ShapeError::PointNotFinite { index: 2, .. }
        ));
    }
}
