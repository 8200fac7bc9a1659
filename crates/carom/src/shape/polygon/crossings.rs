//! Is a point inside a polygon? By how often its outlines wind around the point.

use alloc::vec::Vec;
use core::ops::Range;

use glam::Vec2;
use wide::f32x4;

/// The edges of all outlines, four side by side, for a count of those that cross the level line
/// from a point to the right: upwards less downwards.
///
/// A crossing's place is computed in `f32`. Points too close to one for that, or level with a
/// corner, are not judged here.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crossings {
    blocks: Vec<Block>,
    /// How far off a crossing may be.
    error: f32,
}

/// Four edges: where they start, the height at which they end, and how far right a step up leads.
#[derive(Clone, Copy, Debug)]
struct Block {
    x: [f32; 4],
    y: [f32; 4],
    end_y: [f32; 4],
    slope: [f32; 4],
}

/// With more edges than this, a search among the parts is faster.
const MOST: usize = 160;

impl Crossings {
    /// Of closed rings; nothing is judged where there are too many edges or `f32` might overflow.
    pub fn new(points: &[Vec2], rings: &[Range<u32>]) -> Self {
        let far = points.iter().fold(0.0f32, |far, p| far.max(p.abs().max_element()));
        if points.len() > MOST || far > 1e15 {
            return Self::default();
        }
        // Level edges are never crossed; they also fill up the last block.
        let level = Block { x: [0.0; 4], y: [0.0; 4], end_y: [0.0; 4], slope: [0.0; 4] };
        let mut blocks = alloc::vec![level; points.len().div_ceil(4)];
        for ring in rings {
            let ring = ring.start as usize..ring.end as usize;
            for i in ring.clone() {
                let (a, b) =
                    (points[i], points[if i + 1 == ring.end { ring.start } else { i + 1 }]);
                let (block, lane) = (&mut blocks[i / 4], i % 4);
                let way = b.as_dvec2() - a.as_dvec2();
                let slope = if way.y == 0.0 { 0.0 } else { (way.x / way.y) as f32 };
                if slope.abs() > 1e15 {
                    return Self::default();
                }
                (block.x[lane], block.y[lane], block.end_y[lane]) = (a.x, a.y, b.y);
                block.slope[lane] = slope;
            }
        }
        // The slope, the way up, their product and the sum are each rounded once, and what is
        // rounded is at most the width of the polygon, twice `far`; then the point is taken off.
        Self { blocks, error: 8.0 * f32::EPSILON * far + 1e-30 }
    }

    /// Whether the outlines wind around the point; `None` where that cannot be told quickly.
    #[inline(always)]
    pub fn hold(&self, at: Vec2) -> Option<bool> {
        if self.blocks.is_empty() {
            return None;
        }
        let (x, y) = (f32x4::splat(at.x), f32x4::splat(at.y));
        let (one, error) = (f32x4::ONE, f32x4::splat(self.error));
        let (mut turns, mut unsure) = (f32x4::ZERO, f32x4::ZERO);
        for block in &self.blocks {
            let (start, end) = (f32x4::new(block.y), f32x4::new(block.end_y));
            // One where an edge goes down through the height, minus one where it goes up.
            let crosses = (end.simd_le(y) & one) - (start.simd_le(y) & one);
            let right = (f32x4::new(block.x) - x) + (y - start) * f32x4::new(block.slope);
            turns += crosses & right.simd_gt(f32x4::ZERO);
            unsure = unsure | (right.abs().simd_le(error) & crosses) | start.simd_eq(y);
        }
        let [a, b, c, d] = turns.to_array();
        let is_sure = unsure.simd_eq(f32x4::ZERO).to_bitmask() == 0xf;
        if is_sure { Some((a + b) + (c + d) != 0.0) } else { None }
    }
}
