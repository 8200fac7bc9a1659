//! Are two cores apart, in touch or overlapping? Exactly.

use core::ops::ControlFlow;

use glam::Vec2;
use wide::f32x4;

use super::gaps::{block_gaps, each_gap, error_bound, is_quick, quick_gap};
use super::quad::Quad;
use crate::math::exact::{Orientation, OrientedLine};
use crate::query::relation::Relation;
use crate::shape::Aabb;
use crate::shape::convex::Convex;

/// Whether two cores are apart (`Greater`), touch (`Equal`) or overlap (`Less`), exactly.
#[inline(always)]
pub(crate) fn core_relation(a: &Convex<'_>, b: &Convex<'_>) -> Relation {
    if is_quick(a, b) && is_quick(b, a) {
        let error = error_bound(a, b);
        let gap_a = quick_gap(a, b);
        if gap_a > error {
            return Relation::Disjoint;
        }
        // What may touch across an edge of the first is for the exact signs anyway.
        if gap_a.is_nan() || gap_a >= -error {
            return exact_relation(a, b);
        }
        let gap_b = quick_gap(b, a);
        if gap_b > error {
            return Relation::Disjoint;
        }
        // Two points have no edges and so no gaps: nothing is sure about them.
        if gap_b < -error && a.half_planes.len() + b.half_planes.len() > 0 {
            return Relation::Overlapping;
        }
    }
    exact_relation(a, b)
}

/// The same for a polygon and a point.
#[inline(always)]
pub(crate) fn point_relation(polygon: &Convex<'_>, point: Vec2) -> Relation {
    let at = Convex::point(&point, 0.0);
    let (gap, error) = (quick_gap(polygon, &at), error_bound(polygon, &at));
    if gap.abs() > error {
        if gap > 0.0 { Relation::Disjoint } else { Relation::Overlapping }
    } else {
        exact_relation(polygon, &at)
    }
}

/// The relation by exact signs, for the edges that the quick pass cannot judge.
#[cold]
#[inline(never)]
pub(crate) fn exact_relation(a: &Convex<'_>, b: &Convex<'_>) -> Relation {
    if let (Some(a), Some(b)) = (level_box(a.points), level_box(b.points)) {
        return Relation::of_aabbs(&a, &b); // tiles: coordinates tell
    }
    if let (Some(a), Some(b)) = (Quad::on_grid(a.points), Quad::on_grid(b.points)) {
        return a.relation(&b); // slopes and other tiles
    }
    let mut relation = Relation::Overlapping;
    if a.points.len() <= 2 && b.points.len() <= 2 {
        if boxes_apart(a.points, b.points) {
            return Relation::Disjoint;
        }
        if a.points.len() == 1 && b.points.len() == 1 {
            return Relation::Touching;
        }
    }
    for (owner, other) in [(a, b), (b, a)] {
        let shared = if is_quick(owner, other) {
            judge_near_edges(owner, other, -error_bound(a, b), &mut relation)
        } else {
            let walk = each_gap(owner, other, |axis, error| {
                let is_near = axis.gap > -error;
                let settled = is_near
                    && (judge_edge(owner, axis.edge, other, &mut relation)
                        || relation == Relation::Disjoint);
                if settled { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            walk.is_break()
        };
        // An edge that parts them settles it; so does one across which they share a point.
        if relation == Relation::Disjoint || shared {
            return relation;
        }
    }
    relation
}

/// Judges the edges of a core whose `f32` gaps are not surely below zero.
#[inline(always)]
fn judge_near_edges(
    owner: &Convex<'_>,
    other: &Convex<'_>,
    below: f32,
    relation: &mut Relation,
) -> bool {
    let mut shared = false;
    for (block, half_planes) in owner.half_planes.iter().enumerate() {
        let gaps = block_gaps(half_planes, other.points, owner.points[0]);
        // NaN, from numbers beyond f32, may be anything.
        let mut near = !gaps.simd_lt(f32x4::splat(below)).to_bitmask();
        near &= (1 << (owner.edge_count() - 4 * block).min(4)) - 1;
        while near != 0 {
            let edge = 4 * block + near.trailing_zeros() as usize;
            shared |= judge_edge(owner, edge, other, relation);
            near &= near - 1;
        }
    }
    shared
}

/// Raises the relation to an edge's exact sign; tells whether the cores share a point across it.
#[inline(always)]
fn judge_edge(
    owner: &Convex<'_>,
    edge: usize,
    other: &Convex<'_>,
    relation: &mut Relation,
) -> bool {
    let (sign, meets) = exact_gap_sign(owner, edge, other);
    *relation = (*relation).max(sign);
    meets
}

/// The box that a core's corners are, where its sides are level and upright.
#[inline(always)]
fn level_box(points: &[Vec2]) -> Option<Aabb> {
    let &[a, b, c, d] = points else { return None };
    let (low, high) = if a.y == b.y { ([a, b], [c, d]) } else { ([b, c], [d, a]) };
    let is_level = low[0].y == low[1].y
        && high[0].y == high[1].y
        && low[1].x == high[0].x
        && high[1].x == low[0].x;
    is_level.then(|| Aabb::new_unchecked(low[0].min(high[0]), low[0].max(high[0])))
}

/// The exact sign of one edge's gap, and, where it is zero, whether a corner of the other core lies
/// on the edge itself.
fn exact_gap_sign(owner: &Convex<'_>, edge: usize, other: &Convex<'_>) -> (Relation, bool) {
    let (start, end) = owner.edge(edge);
    let (low, high) = (start.min(end), start.max(end));
    let (mut relation, mut meets) = (Relation::Disjoint, false);
    let line = OrientedLine::new(start, end);
    for &point in other.points {
        match line.orientation(point) {
            Orientation::CounterClockwise => return (Relation::Overlapping, false),
            Orientation::Collinear => {
                relation = Relation::Touching;
                meets |= point.cmpge(low).all() && point.cmple(high).all();
            }
            Orientation::Clockwise => {}
        }
    }
    (relation, meets)
}

/// Whether the boxes around two small point sets have no point in common.
fn boxes_apart(a: &[Vec2], b: &[Vec2]) -> bool {
    let low = |points: &[Vec2]| points.iter().fold(points[0], |low, &p| low.min(p));
    let high = |points: &[Vec2]| points.iter().fold(points[0], |high, &p| high.max(p));
    high(a).cmplt(low(b)).any() || high(b).cmplt(low(a)).any()
}
