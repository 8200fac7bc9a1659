//! Is a point inside a polygon? By how often its outlines wind around the point.

use alloc::vec::Vec;
use core::ops::Range;

use glam::Vec2;
use wide::{f32x4, u32x4};

/// The edges of all outlines, four side by side, for a count of those that cross the level line
/// from a point to the right: upwards less downwards.
///
/// A crossing's place is computed in `f32`. Points too close to one for that, or level with a
/// corner, are not judged here.
#[derive(Clone, Debug, Default)]
pub(crate) struct WindingTest {
    blocks: Vec<Block>,
    /// How far off a crossing may be.
    error: f32,
}

/// Four edges: where they start, the height at which they end, and how far right a step up leads:
/// infinitely far along a level edge, so that its place is no number at just its height.
#[derive(Clone, Copy, Debug)]
struct Block {
    x: [f32; 4],
    y: [f32; 4],
    end_y: [f32; 4],
    slope: [f32; 4],
}

/// With more edges than this, a search among the parts is faster.
const MOST: usize = 160;

impl WindingTest {
    /// Judges nothing.
    pub fn clear(&mut self) {
        self.blocks.clear();
    }

    /// Judges by closed rings; nothing where there are too many edges or `f32` might overflow.
    pub fn refill(&mut self, points: &[Vec2], rings: &[Range<u32>]) {
        self.clear();
        let far = points.iter().fold(0.0f32, |far, p| far.max(p.abs().max_element()));
        if points.len() > MOST || far > 1e15 {
            return;
        }
        // What fills up the last block is never crossed, and nowhere near.
        let none = Block { x: [f32::MAX; 4], y: [0.0; 4], end_y: [0.0; 4], slope: [0.0; 4] };
        self.blocks.resize(points.len().div_ceil(4), none);
        for ring in rings {
            let ring = ring.start as usize..ring.end as usize;
            for i in ring.clone() {
                let (a, b) =
                    (points[i], points[if i + 1 == ring.end { ring.start } else { i + 1 }]);
                let (block, lane) = (&mut self.blocks[i / 4], i % 4);
                let way = b.as_dvec2() - a.as_dvec2();
                let slope = if way.y == 0.0 { f32::INFINITY } else { (way.x / way.y) as f32 };
                if slope.abs() > 1e15 && way.y != 0.0 {
                    return self.clear();
                }
                (block.x[lane], block.y[lane], block.end_y[lane]) = (a.x, a.y, b.y);
                block.slope[lane] = slope;
            }
        }
        // Seen from a point within its bounds, the slope, the way up, their product, the way to the
        // start and the sum are each rounded once, and none leads further than twice the width.
        let (low, high) =
            points.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), p| {
                (low.min(p.x), high.max(p.x))
            });
        self.error = 8.0 * f32::EPSILON * (high - low) + 1e-30;
    }

    /// Whether the outlines wind around a point within their bounds; `None` where that cannot be
    /// told quickly.
    #[inline(always)]
    pub fn contains(&self, at: Vec2) -> Option<bool> {
        if self.blocks.is_empty() {
            return None;
        }
        let (x, y) = (f32x4::splat(at.x), f32x4::splat(at.y));
        let error = f32x4::splat(self.error);
        let (mut turns, mut sure) = (u32x4::ZERO, u32x4::MAX);
        for block in &self.blocks {
            let (start, end) = (f32x4::new(block.y), f32x4::new(block.end_y));
            // A set mask is minus one: one for an edge down through the height, minus one for up.
            let crosses = start.simd_le(y).to_bits() - end.simd_le(y).to_bits();
            let right = (f32x4::new(block.x) - x) + (y - start) * f32x4::new(block.slope);
            turns += crosses & right.simd_gt(f32x4::ZERO).to_bits();
            // Also where it is not crossed: the point may be its upper end.
            sure &= right.abs().simd_gt(error).to_bits();
        }
        let [a, b, c, d] = turns.to_array();
        let is_inside = a.wrapping_add(b).wrapping_add(c.wrapping_add(d)) != 0;
        if sure == u32x4::MAX { Some(is_inside) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn what_the_outlines_wind_around_is_in_the_parts() {
        let hole = alloc::vec![[1.0, 1.0], [3.0, 1.0], [2.0, 2.5]];
        let outer =
            [[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [3.0, 3.0], [3.5, 1.0], [2.0, 4.0], [0.0, 3.0]];
        let plain = Polygon::with_holes(&outer, &[hole]);
        let turned = plain.rotated(0.7, [2.0, 1.5]);
        let far = plain.translated([1e6, -1e6]);
        let (mut told, mut asked) = (0, 0);
        for polygon in [&plain, &turned, &far] {
            let bounds = polygon.bounds();
            for i in 0..=64u8 {
                for j in 0..=64u8 {
                    // A grid that meets corners and runs along level edges.
                    let step = Vec2::new(f32::from(i), f32::from(j)) / 64.0;
                    let at = bounds.min() + bounds.size() * step;
                    let point = Point::new(at);
                    let expected = polygon.convex_parts().any(|part| part.intersects(&point));
                    assert_eq!(polygon.contains(&point), expected, "{at:?}");
                    asked += 1;
                    if let Some(holds) = polygon.fast_contains_point(at) {
                        assert_eq!(holds, expected, "{at:?}");
                        told += 1;
                    }
                }
            }
        }
        assert!(told > asked * 9 / 10);
    }
}
