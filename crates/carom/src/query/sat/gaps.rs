//! The gaps of edges: four at a time in `f32`, and the largest in `f64`.

use core::ops::ControlFlow;

use glam::{DVec2, Vec2};
use wide::f32x4;

use crate::shape::convex::{Convex, HalfPlanes4};

/// The `f32` gaps err by less than this times the reach, the way from the first corner of one core
/// to the furthest of the other: eight roundings, and twice that for the offset, whose size is
/// bounded by reach and gap.
const ERROR: f32 = 16.0 * (f32::EPSILON / 2.0);
/// What operations on numbers so small that they lose bits may add to that.
const TINY: f32 = 1e-43;
/// How many blocks of edges one core may have for each edge to have a bit.
const BLOCKS: usize = 4;
/// How many blocks of edges times points are worth the `f32` pass: beyond, walking around both
/// polygons at once is faster.
const WORK: usize = 512;

/// The gap of one edge, in `f64`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    /// Whether the edge is one of `a`, else of `b`.
    pub of_a: bool,
    /// The edge, by the corner it starts at.
    pub edge: usize,
    /// The corner of the other core that reaches furthest in.
    pub support: usize,
    /// The unit normal out of the edge's own core.
    pub normal: DVec2,
    /// How far the other core stays beyond the edge.
    pub gap: f64,
}

/// The largest of an owner's `f32` gaps; minus infinity for a point, which has no edges.
#[inline(always)]
pub(super) fn quick_gap(owner: &Convex<'_>, other: &Convex<'_>) -> f32 {
    let origin = owner.points[0];
    let mut top = f32x4::splat(f32::NEG_INFINITY);
    for half_planes in owner.half_planes {
        top = top.fast_max(block_gaps(half_planes, other.points, origin));
    }
    largest(top)
}

/// Four edges' gaps to a set of points.
#[inline(always)]
pub(crate) fn block_gaps(half_planes: &HalfPlanes4, points: &[Vec2], origin: Vec2) -> f32x4 {
    let (x, y) = (f32x4::new(half_planes.normal_x), f32x4::new(half_planes.normal_y));
    let mut low = f32x4::splat(f32::INFINITY);
    for &point in points {
        let at = point - origin;
        low = low.fast_min(x * f32x4::splat(at.x) + y * f32x4::splat(at.y));
    }
    low - f32x4::new(half_planes.offset)
}

#[inline(always)]
pub(crate) fn largest(lanes: f32x4) -> f32 {
    let [a, b, c, d] = lanes.to_array();
    let max = |a: f32, b: f32| if a > b { a } else { b };
    max(max(a, b), max(c, d))
}

/// How much the gaps of either core may err. Where points lie so far out that `f32` might overflow
/// on the way, nothing is sure.
#[inline(always)]
pub(crate) fn error_bound(a: &Convex<'_>, b: &Convex<'_>) -> f32 {
    let between = (b.points[0] - a.points[0]).abs();
    let reach = between.x + between.y + (a.extent + b.extent) as f32;
    if reach < 1e37 { ERROR * reach + TINY } else { f32::INFINITY }
}

#[inline(always)]
pub(super) fn is_quick(owner: &Convex<'_>, other: &Convex<'_>) -> bool {
    owner.half_planes.len() * other.points.len() <= WORK
}

/// Every edge's gap in `f64` with a bound on its error, walking around both polygons at once: as
/// the edge's normal turns, the corner that reaches furthest in moves on the same way round. (It
/// never has to go back: a corner that rounding lets look lower is higher by no more than rounding,
/// and the normal turns its way.)
pub(crate) fn each_gap(
    owner: &Convex<'_>,
    other: &Convex<'_>,
    mut visit: impl FnMut(Axis, f64) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let m = other.points.len();
    let mut support = 0;
    let origin = other.points[0].as_dvec2();
    // Where sides are parallel, rounding may let a step down look like a step up.
    let noise = 1e-15 * other.extent;
    for edge in 0..owner.edge_count() {
        let start = owner.points[edge].as_dvec2();
        let (side, normal) = owner.edge_normal(edge);
        let along = |j: usize| normal.dot(other.points[j].as_dvec2() - origin);
        let mut least = along(support);
        let mut ahead = support;
        for _ in 1..m {
            ahead = if ahead + 1 == m { 0 } else { ahead + 1 };
            let next = along(ahead);
            if next < least {
                (least, support) = (next, ahead);
            } else if next > least + noise && edge > 0 {
                break; // where the walk begins, all corners are looked at
            }
        }
        let far = other.points[support].as_dvec2() - start;
        let gap = normal.dot(far);
        // Another corner may reach further in by what rounding hides.
        let error = 1e-13 * (far.x.abs() + far.y.abs() + side.x.abs() + side.y.abs()) + 2.0 * noise;
        visit(Axis { of_a: false, edge, support, normal, gap }, error)?;
    }
    ControlFlow::Continue(())
}

/// The gap of one edge in `f64`.
#[inline(always)]
fn axis(owner: &Convex<'_>, edge: usize, other: &Convex<'_>) -> Axis {
    let start = owner.points[edge].as_dvec2();
    let (_, normal) = owner.edge_normal(edge);
    let at = |j: usize, point: Vec2| (normal.dot(point.as_dvec2() - start), j);
    let lower =
        |a: (f64, usize), b: (f64, usize)| (min(a.0, b.0), if b.0 < a.0 { b.1 } else { a.1 });
    let (gap, support) = match *other.points {
        // As a tree: one after the other, each would wait for the last.
        [p, q, r, s] => lower(lower(at(0, p), at(1, q)), lower(at(2, r), at(3, s))),
        _ => (other.points.iter().enumerate())
            .fold((f64::INFINITY, 0), |best, (j, &point)| lower(best, at(j, point))),
    };
    Axis { of_a: false, edge, support, normal, gap }
}

/// The lesser of two numbers; the first where either is not one.
#[inline(always)]
fn min(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// The edge with the largest gap; the first among equals, `a`'s edges first. `None` for two
/// points, which have no edges, and where the gap surely exceeds `limit`.
#[inline(always)]
pub(crate) fn best_axis(a: &Convex<'_>, b: &Convex<'_>, limit: f64) -> Option<Axis> {
    Some(match near_edges(a, b, limit)? {
        Near::One(edge) => axis_of(a, b, edge),
        Near::Some(edges) => best_of_several(a, b, edges),
        Near::Unknown => return best_axis_walking(a, b, limit),
    })
}

/// The edges whose gaps may be the largest, a bit for each: `b`'s above `a`'s.
pub(crate) enum Near {
    One(u32),
    Some(u32),
    /// Too many to look at in the quick pass.
    Unknown,
}

/// The edges whose gaps may be the largest; `None` if there are none or the largest surely exceeds
/// the limit.
#[inline(always)]
pub(crate) fn near_edges(a: &Convex<'_>, b: &Convex<'_>, limit: f64) -> Option<Near> {
    let near = match (a.half_planes, b.half_planes) {
        ([facets_a], [facets_b]) => near_edges_of_few(a, b, [facets_a, facets_b], limit)?,
        _ if a.half_planes.len().max(b.half_planes.len()) <= BLOCKS => {
            near_edges_of_many(a, b, limit)?
        }
        _ => return Some(Near::Unknown),
    };
    Some(if near.is_power_of_two() { Near::One(near) } else { Near::Some(near) })
}

/// The axis of the edge whose bit is the lowest.
#[inline(always)]
pub(crate) fn axis_of(a: &Convex<'_>, b: &Convex<'_>, near: u32) -> Axis {
    let bit = near.trailing_zeros() as usize;
    let of_a = bit < 4 * BLOCKS;
    // Looked up, not branched on: which core has the edge could not be predicted.
    let side = usize::from(!of_a);
    Axis { of_a, ..axis([a, b][side], bit % (4 * BLOCKS), [b, a][side]) }
}

/// The best of the axes of some edges.
#[inline(never)]
fn best_of_several(a: &Convex<'_>, b: &Convex<'_>, mut near: u32) -> Axis {
    let mut best = axis_of(a, b, near);
    near &= near - 1;
    while near != 0 {
        best = better(best, axis_of(a, b, near), a, b);
        near &= near - 1;
    }
    best
}

/// With a block of edges each.
#[inline(always)]
fn near_edges_of_few(
    a: &Convex<'_>,
    b: &Convex<'_>,
    half_planes: [&HalfPlanes4; 2],
    limit: f64,
) -> Option<u32> {
    let error = error_bound(a, b);
    let limit = limit + f64::from(error);
    let gaps_a = block_gaps(half_planes[0], b.points, a.points[0]);
    let top_a = largest(gaps_a);
    if f64::from(top_a) > limit {
        return None;
    }
    let gaps_b = block_gaps(half_planes[1], a.points, b.points[0]);
    let top_b = largest(gaps_b);
    if f64::from(top_b) > limit {
        return None;
    }
    let floor = f32x4::splat(if top_a > top_b { top_a } else { top_b } - 2.0 * error);
    // NaN, from numbers beyond f32, is not below.
    let bits = |gaps: f32x4, core: &Convex<'_>| {
        !gaps.simd_lt(floor).to_bitmask() & ((1 << core.points.len()) - 1)
    };
    Some(bits(gaps_a, a) | bits(gaps_b, b) << (4 * BLOCKS))
}

/// With any number of blocks.
#[inline(always)]
fn near_edges_of_many(a: &Convex<'_>, b: &Convex<'_>, limit: f64) -> Option<u32> {
    let mut lanes = [[f32x4::ZERO; BLOCKS]; 2];
    let mut top = f32x4::splat(f32::NEG_INFINITY);
    let error = error_bound(a, b);
    for (lanes, (owner, other)) in lanes.iter_mut().zip([(a, b), (b, a)]) {
        let origin = owner.points[0];
        for (half_planes, lane) in owner.half_planes.iter().zip(lanes.iter_mut()) {
            *lane = block_gaps(half_planes, other.points, origin);
            top = top.fast_max(*lane);
        }
        if f64::from(largest(top)) > limit + f64::from(error) {
            return None;
        }
    }
    let floor = f32x4::splat(largest(top) - 2.0 * error);
    let mut near = 0u32;
    for (side, (lanes, owner)) in lanes.iter().zip([a, b]).enumerate() {
        let mut bits = 0;
        for (block, gaps) in lanes.iter().take(owner.half_planes.len()).enumerate() {
            // NaN, from numbers beyond f32, is not below.
            bits |= (!gaps.simd_lt(floor).to_bitmask() & 0xf) << (4 * block);
        }
        near |= (bits & ((1 << owner.edge_count()) - 1)) << (side * 4 * BLOCKS);
    }
    if near == 0 { None } else { Some(near) }
}

/// The axis with the larger gap. Of equals the first, unless they belong to different cores: then
/// it must not matter which of them is called `a`.
fn better(best: Axis, axis: Axis, a: &Convex<'_>, b: &Convex<'_>) -> Axis {
    let replaces = if axis.gap == best.gap && axis.of_a != best.of_a {
        (b.points[0].x, b.points[0].y) < (a.points[0].x, a.points[0].y)
    } else {
        axis.gap > best.gap
    };
    if replaces { axis } else { best }
}

/// The same for polygons of many corners.
#[inline(never)]
fn best_axis_walking(a: &Convex<'_>, b: &Convex<'_>, limit: f64) -> Option<Axis> {
    let (mut best, mut top) = (None, f64::NEG_INFINITY);
    for (owner, other, of_a) in [(a, b, true), (b, a, false)] {
        let walk = each_gap(owner, other, |axis, error| {
            if axis.gap < top {
                return ControlFlow::Continue(()); // nearly always
            }
            if axis.gap > limit + error {
                return ControlFlow::Break(());
            }
            let axis = Axis { of_a, ..axis };
            (best, top) = (Some(best.map_or(axis, |best| better(best, axis, a, b))), axis.gap);
            ControlFlow::Continue(())
        });
        if walk.is_break() {
            return None;
        }
    }
    best
}
