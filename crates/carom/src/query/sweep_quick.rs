//! Which edges a moving polygon may enter another over, four at a time in `f32`.
//!
//! An edge's gap changes evenly with time, at its *rate*. An edge whose gap stays above zero parts
//! the two all along: no hit. Else the polygon enters over the edge whose gap runs out last, before
//! any other opens. Where `f32` is sure of that, only the few edges that may be the last are left
//! to compute in `f64`.

use glam::Vec2;
use wide::f32x4;

use crate::query::sat::{block_gaps, error_bound, largest};
use crate::shape::convex::Convex;

/// What the quick pass can tell.
pub(super) enum Quick {
    /// They never meet.
    Miss,
    /// They are apart, and enter each other over one of these edges: a bit for each, `a`'s below
    /// `b`'s.
    Over(u32),
    /// They are apart at the start.
    Apart,
    /// Nothing for sure.
    Unsure,
}

/// How many edges of each core have a bit.
pub(super) const EDGES: usize = 16;
const BLOCKS: usize = EDGES / 4;

pub(super) fn quick(a: &Convex<'_>, motion: Vec2, b: &Convex<'_>) -> Quick {
    if a.points.len() > EDGES || b.points.len() > EDGES {
        return Quick::Unsure;
    }
    let error = error_bound(a, b);
    let rate_error = 4.0 * f32::EPSILON * (motion.x.abs() + motion.y.abs()) + 1e-43;
    let (slack, rate_slack) = (f32x4::splat(error), f32x4::splat(rate_error));
    let radii = a.radius + b.radius;
    // Rounded shapes must stay their radii apart.
    let clear = f32x4::splat(radii + error + f32::EPSILON * radii);
    let mut times = [[f32x4::splat(f32::NEG_INFINITY); BLOCKS]; 2];
    // The last entry, at the earliest; the first exit, at the earliest; the gaps at the start.
    let (mut enter, mut exit) = (f32x4::splat(f32::NEG_INFINITY), f32x4::splat(f32::INFINITY));
    let (mut top, mut unsure) = (f32x4::splat(f32::NEG_INFINITY), 0);
    for (times, (owner, other, sign)) in times.iter_mut().zip([(a, b, -1.0), (b, a, 1.0)]) {
        let (x, y) = (f32x4::splat(sign * motion.x), f32x4::splat(sign * motion.y));
        for (half_planes, time) in owner.half_planes.iter().zip(times.iter_mut()) {
            let gap = block_gaps(half_planes, other.points, owner.points[0]);
            let rate = f32x4::new(half_planes.normal_x) * x + f32x4::new(half_planes.normal_y) * y;
            let parts = gap.simd_gt(clear) & (gap + rate).simd_gt(clear + rate_slack);
            if parts.to_bitmask() != 0 {
                return Quick::Miss;
            }
            let (closes, opens) = (rate.simd_lt(-rate_slack), rate.simd_gt(rate_slack));
            // An edge that does neither matters only where the other is not surely within.
            unsure |= (!(closes | opens) & gap.simd_gt(-slack)).to_bitmask();
            let latest = (gap + slack) / (-rate - rate_slack);
            let earliest = (gap - slack) / (rate_slack - rate);
            *time = closes.select(latest, f32x4::splat(f32::NEG_INFINITY));
            enter = closes.select(enter.fast_max(earliest), enter);
            exit = opens.select(exit.fast_min((-gap - slack) / (rate + rate_slack)), exit);
            top = top.fast_max(gap);
        }
    }
    if largest(top) > largest(clear) && radii > 0.0 {
        return Quick::Apart;
    }
    if radii > 0.0 {
        return Quick::Unsure;
    }
    let last = times
        .iter()
        .flatten()
        .fold(f32x4::splat(f32::NEG_INFINITY), |last, &time| last.fast_max(time));
    let leaves = -largest(-exit);
    let certain = largest(top) > error && error < f32::INFINITY && unsure == 0;
    if !(certain && largest(last) < leaves && largest(last) < 1.0) {
        return Quick::Unsure;
    }
    let floor = f32x4::splat(largest(enter));
    let mut over = 0;
    for (side, (times, owner)) in times.iter().zip([a, b]).enumerate() {
        for (block, time) in times.iter().take(owner.half_planes.len()).enumerate() {
            let bits = time.simd_ge(floor).to_bitmask() << (4 * block);
            over |= (bits & ((1 << owner.edge_count()) - 1)) << (side * EDGES);
        }
    }
    if over == 0 { Quick::Unsure } else { Quick::Over(over) }
}
