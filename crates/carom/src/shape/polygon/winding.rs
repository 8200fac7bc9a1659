//! The winding-number test for a point in a polygon.

use alloc::vec::Vec;
use core::ops::Range;

use glam::Vec2;
use wide::{f32x4, u32x4};

/// The edges of all outlines, in blocks of four. The winding number of a point is the number of
/// edges that cross the horizontal ray to its right upwards, less those that cross it downwards.
///
/// Crossings are computed in `f32`. The result is uncertain for points too close to an edge, or at
/// the height of a vertex.
#[derive(Clone, Debug, Default)]
pub(crate) struct WindingTest {
    blocks: Vec<Block>,
    /// A bound on the rounding error of a crossing.
    error: f32,
}

/// Four edges: their starts, the heights of their ends, and their inverse slopes. The inverse slope
/// of a horizontal edge is infinite, so that its crossing is NaN exactly at its height.
#[derive(Clone, Copy, Debug)]
struct Block {
    x: [f32; 4],
    y: [f32; 4],
    end_y: [f32; 4],
    slope: [f32; 4],
}

/// The number of edges above which a search among the parts is faster.
const MAX_EDGES: usize = 160;

impl WindingTest {
    /// Removes all edges, so that every result is uncertain.
    pub fn clear(&mut self) {
        self.blocks.clear();
    }

    /// Stores the edges of closed rings, unless there are too many or `f32` might overflow.
    pub fn refill(&mut self, points: &[Vec2], rings: &[Range<u32>]) {
        self.clear();
        let far = points.iter().fold(0.0f32, |far, p| far.max(p.abs().max_element()));
        if points.len() > MAX_EDGES || far > 1e15 {
            return;
        }
        // The edges that fill the last block are horizontal and far away, so they are never crossed.
        let none = Block { x: [f32::MAX; 4], y: [0.0; 4], end_y: [0.0; 4], slope: [0.0; 4] };
        self.blocks.resize(points.len().div_ceil(4), none);
        for ring in rings {
            let ring = ring.start as usize..ring.end as usize;
            for i in ring.clone() {
                let (a, b) =
                    (points[i], points[if i + 1 == ring.end { ring.start } else { i + 1 }]);
                let (block, lane) = (&mut self.blocks[i / 4], i % 4);
                let edge = b.as_dvec2() - a.as_dvec2();
                let slope = if edge.y == 0.0 { f32::INFINITY } else { (edge.x / edge.y) as f32 };
                if slope.abs() > 1e15 && edge.y != 0.0 {
                    return self.clear();
                }
                (block.x[lane], block.y[lane], block.end_y[lane]) = (a.x, a.y, b.y);
                block.slope[lane] = slope;
            }
        }
        // For a point within the bounds, the inverse slope, the height difference, their product,
        // the offset to the start and the sum are each rounded once, and none is larger than twice
        // the width.
        let (low, high) =
            points.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), p| {
                (low.min(p.x), high.max(p.x))
            });
        self.error = 8.0 * f32::EPSILON * (high - low) + 1e-30;
    }

    /// Returns whether the outlines wind around a point within their bounds, or `None` if rounding
    /// makes that uncertain.
    #[inline(always)]
    pub fn contains(&self, at: Vec2) -> Option<bool> {
        if self.blocks.is_empty() {
            return None;
        }
        let (x, y) = (f32x4::splat(at.x), f32x4::splat(at.y));
        let error = f32x4::splat(self.error);
        let (mut turns, mut certain) = (u32x4::ZERO, u32x4::MAX);
        for block in &self.blocks {
            let (start, end) = (f32x4::new(block.y), f32x4::new(block.end_y));
            // A set lane is −1: the sum counts 1 for an edge that crosses downwards and −1 for
            // upwards.
            let crosses = start.simd_le(y).to_bits() - end.simd_le(y).to_bits();
            let right = (f32x4::new(block.x) - x) + (y - start) * f32x4::new(block.slope);
            turns += crosses & right.simd_gt(f32x4::ZERO).to_bits();
            // This includes edges that are not crossed: the point may be their upper end.
            certain &= right.abs().simd_gt(error).to_bits();
        }
        let [a, b, c, d] = turns.to_array();
        let is_inside = a.wrapping_add(b).wrapping_add(c.wrapping_add(d)) != 0;
        if certain == u32x4::MAX { Some(is_inside) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn points_that_the_outlines_wind_around_are_in_the_parts() {
        let hole = alloc::vec![[1.0, 1.0], [3.0, 1.0], [2.0, 2.5]];
        let outer =
            [[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [3.0, 3.0], [3.5, 1.0], [2.0, 4.0], [0.0, 3.0]];
        let plain = Polygon::with_holes(&outer, &[hole]);
        let turned = plain.rotated(0.7, [2.0, 1.5]);
        let far = plain.translated([1e6, -1e6]);
        let (mut certain, mut queries) = (0, 0);
        for polygon in [&plain, &turned, &far] {
            let bounds = polygon.bounds();
            for i in 0..=64u8 {
                for j in 0..=64u8 {
                    // A grid that includes vertices and runs along horizontal edges.
                    let step = Vec2::new(f32::from(i), f32::from(j)) / 64.0;
                    let at = bounds.min() + bounds.size() * step;
                    let point = Point::new(at);
                    let expected = polygon.convex_parts().any(|part| part.intersects(&point));
                    assert_eq!(polygon.contains(&point), expected, "{at:?}");
                    queries += 1;
                    if let Some(contains) = polygon.fast_contains_point(at) {
                        assert_eq!(contains, expected, "{at:?}");
                        certain += 1;
                    }
                }
            }
        }
        assert!(certain > queries * 9 / 10);
    }
}
