//! How far two cores are apart, and along which edge: the heart of the narrow phase.
//!
//! Two convex polygons are apart exactly when the line of some edge separates them. An edge's
//! *gap* is how far the other core stays beyond its line: positive where the line separates,
//! zero where they touch across it, negative where the other reaches in. The largest gap over all
//! edges of both tells everything: its sign is the verdict; below zero it is minus the least depth;
//! above zero its edge, or a corner of it, is closest to the other core.
//!
//! Gaps are computed four edges at a time in `f32`, which decides nearly always and leaves few
//! edges to look at again: in `f64` for values, exactly for verdicts. Segments are polygons of two
//! edges, there and back; two of them on one line have no edge that parts them, so flat pairs
//! compare their boxes too.

use core::cmp::Ordering;

use glam::{DVec2, Vec2};

use crate::math::exact::{cmp_distance, cmp_line_distance, dot_sign, orient};
use crate::math::{length, outward};
use crate::shape::core::{Core, Facets};

/// The `f32` gaps err by less than this times the other core's reach from the first corner: eight
/// roundings, and twice that for the offset, whose size is bounded by reach and gap.
const ERROR: f32 = 16.0 * (f32::EPSILON / 2.0);
/// What operations on numbers so small that they lose bits may add to that.
const TINY: f32 = 1e-43;
/// How many edges one core may have for the `f32` pass, a multiple of four.
const LANES: usize = 64;
/// How many blocks of edges times points are worth the `f32` pass: beyond, walking around both
/// polygons at once is faster.
const WORK: usize = 96;

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

/// Where two cores that are apart come closest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closest {
    pub distance: f64,
    pub on_a: DVec2,
    pub on_b: DVec2,
}

/// The largest of an owner's `f32` gaps and a bound on its error.
#[inline(always)]
fn quick_gap(owner: &Core<'_>, other: &Core<'_>) -> (f32, f32) {
    let origin = owner.points[0];
    let mut gap = f32::NEG_INFINITY;
    for block in owner.facets {
        let gaps = block_gaps(block, other.points, origin);
        for lane in gaps {
            gap = if lane > gap || lane.is_nan() { lane } else { gap };
        }
    }
    (gap, ERROR * reach(other.points, origin) + TINY)
}

/// Four edges' gaps to a set of points.
#[inline(always)]
fn block_gaps(facets: &Facets, points: &[Vec2], origin: Vec2) -> [f32; 4] {
    let mut low = [f32::INFINITY; 4];
    for &point in points {
        let at = point - origin;
        for lane in 0..4 {
            let along = facets.normal_x[lane] * at.x + facets.normal_y[lane] * at.y;
            low[lane] = if along < low[lane] { along } else { low[lane] };
        }
    }
    for lane in 0..4 {
        low[lane] -= facets.offset[lane];
    }
    low
}

/// How far points lie from the origin at most, in the sum of both coordinates.
#[inline(always)]
fn reach(points: &[Vec2], origin: Vec2) -> f32 {
    let mut reach = 0.0;
    for &point in points {
        let at = (point - origin).abs();
        let far = at.x + at.y;
        reach = if far > reach { far } else { reach };
    }
    reach
}

fn is_quick(owner: &Core<'_>, other: &Core<'_>) -> bool {
    owner.facets.len() * other.points.len() <= WORK && owner.facets.len() * 4 <= LANES
}

/// Whether two cores are apart (`Greater`), touch (`Equal`) or overlap (`Less`), exactly.
#[inline(always)]
pub(crate) fn core_verdict(a: &Core<'_>, b: &Core<'_>) -> Ordering {
    if is_quick(a, b) && is_quick(b, a) {
        let (gap_a, error_a) = quick_gap(a, b);
        if gap_a > error_a {
            return Ordering::Greater;
        }
        let (gap_b, error_b) = quick_gap(b, a);
        if gap_b > error_b {
            return Ordering::Greater;
        }
        // Two points have no edges and so no gaps: nothing is sure about them.
        if gap_a < -error_a && gap_b < -error_b && a.facets.len() + b.facets.len() > 0 {
            return Ordering::Less;
        }
    }
    exact_verdict(a, b)
}

/// The verdict by exact signs, for the edges that the quick pass cannot judge.
#[cold]
#[inline(never)]
fn exact_verdict(a: &Core<'_>, b: &Core<'_>) -> Ordering {
    let mut verdict = Ordering::Less;
    if a.points.len() <= 2 && b.points.len() <= 2 {
        if boxes_apart(a.points, b.points) {
            return Ordering::Greater;
        }
        if a.points.len() == 1 && b.points.len() == 1 {
            return Ordering::Equal;
        }
    }
    for (owner, other) in [(a, b), (b, a)] {
        let mut judge = |edge: usize| verdict = verdict.max(exact_gap_sign(owner, edge, other));
        if is_quick(owner, other) {
            let origin = owner.points[0];
            let error = ERROR * reach(other.points, origin) + TINY;
            for (block, facets) in owner.facets.iter().enumerate() {
                for (lane, gap) in block_gaps(facets, other.points, origin).into_iter().enumerate()
                {
                    let edge = 4 * block + lane;
                    // NaN, from numbers beyond f32, is not below.
                    if edge < owner.edge_count() && !(gap < -error) {
                        judge(edge);
                    }
                }
            }
        } else {
            each_gap(owner, other, |axis, error| {
                if axis.gap > -error {
                    judge(axis.edge);
                }
            });
        }
        if verdict == Ordering::Greater {
            return verdict;
        }
    }
    verdict
}

/// The exact sign of one edge's gap.
fn exact_gap_sign(owner: &Core<'_>, edge: usize, other: &Core<'_>) -> Ordering {
    let (start, end) = owner.edge(edge);
    let mut sign = Ordering::Greater;
    for &point in other.points {
        sign = sign.min(orient(start, end, point).reverse());
        if sign == Ordering::Less {
            break;
        }
    }
    sign
}

/// Whether the boxes around two small point sets have no point in common.
fn boxes_apart(a: &[Vec2], b: &[Vec2]) -> bool {
    let low = |points: &[Vec2]| points.iter().fold(points[0], |low, &p| low.min(p));
    let high = |points: &[Vec2]| points.iter().fold(points[0], |high, &p| high.max(p));
    high(a).cmplt(low(b)).any() || high(b).cmplt(low(a)).any()
}

/// Every edge's gap in `f64` with a bound on its error, walking around both polygons at once: as
/// the edge's normal turns, the corner that reaches furthest in moves on the same way round.
fn each_gap(owner: &Core<'_>, other: &Core<'_>, mut visit: impl FnMut(Axis, f64)) {
    let m = other.points.len();
    let mut support = 0;
    for edge in 0..owner.edge_count() {
        let (start, end) = owner.edge(edge);
        let (start, end) = (start.as_dvec2(), end.as_dvec2());
        let side = length(end - start);
        let normal = outward(end - start) / side;
        let along = |j: usize| normal.dot(other.points[j].as_dvec2() - start);
        let mut gap = along(support);
        if edge == 0 {
            for j in 1..m {
                let next = along(j);
                if next < gap {
                    (gap, support) = (next, j);
                }
            }
        }
        for _ in 1..m {
            let next_support = if support + 1 == m { 0 } else { support + 1 };
            let next = along(next_support);
            if next > gap {
                break;
            }
            (gap, support) = (next, next_support);
        }
        let far = other.points[support].as_dvec2() - start;
        let error = 1e-13 * (far.x.abs() + far.y.abs() + side);
        visit(Axis { of_a: false, edge, support, normal, gap }, error);
    }
}

/// The gap of one edge in `f64`.
#[inline]
fn axis(owner: &Core<'_>, edge: usize, other: &Core<'_>) -> Axis {
    let (start, end) = owner.edge(edge);
    let (start, end) = (start.as_dvec2(), end.as_dvec2());
    let normal = outward(end - start);
    let (mut gap, mut support) = (f64::INFINITY, 0);
    for (j, point) in other.points.iter().enumerate() {
        let along = normal.dot(point.as_dvec2() - start);
        if along < gap {
            (gap, support) = (along, j);
        }
    }
    let side = length(normal);
    Axis { of_a: false, edge, support, normal: normal / side, gap: gap / side }
}

/// The edge with the largest gap; the first among equals, `a`'s edges first. `None` for two
/// points, which have no edges, and where the quick pass is sure that the gap exceeds `limit`.
#[inline]
pub(crate) fn best_axis(a: &Core<'_>, b: &Core<'_>, limit: f64) -> Option<Axis> {
    let mut best: Option<Axis> = None;
    let mut consider = |axis: Axis, of_a: bool| {
        if best.is_none_or(|best| axis.gap > best.gap) {
            best = Some(Axis { of_a, ..axis });
        }
    };
    if is_quick(a, b) && is_quick(b, a) {
        let mut lanes = [[0.0f32; LANES]; 2];
        let mut top = f32::NEG_INFINITY;
        let mut error = TINY;
        for (lanes, (owner, other)) in lanes.iter_mut().zip([(a, b), (b, a)]) {
            let origin = owner.points[0];
            for (facets, lanes) in owner.facets.iter().zip(lanes.chunks_exact_mut(4)) {
                let gaps = block_gaps(facets, other.points, origin);
                lanes.copy_from_slice(&gaps);
                for gap in gaps {
                    top = if gap > top { gap } else { top };
                }
            }
            error = error.max(ERROR * reach(other.points, origin) + TINY);
            if f64::from(top) > limit + f64::from(error) {
                return None;
            }
        }
        let floor = top - 2.0 * error;
        for (lanes, (owner, other)) in lanes.iter().zip([(a, b), (b, a)]) {
            for (edge, &gap) in lanes[..owner.edge_count()].iter().enumerate() {
                // NaN, from numbers beyond f32, is not below.
                if !(gap < floor) {
                    consider(axis(owner, edge, other), core::ptr::eq(owner, a));
                }
            }
        }
    } else {
        each_gap(a, b, |axis, _| consider(axis, true));
        each_gap(b, a, |axis, _| consider(axis, false));
    }
    best
}

/// Where two cores come closest, given the edge with the largest gap, which is not below zero.
///
/// The closest points lie on that edge and the corner furthest in, or at one end of the edge and
/// around that corner. (The gap as a function of direction is concave where it is positive, so the
/// best edge is next to the best direction.)
#[inline]
pub(crate) fn closest(a: &Core<'_>, b: &Core<'_>, axis: &Axis) -> Closest {
    let (owner, other) = if axis.of_a { (a, b) } else { (b, a) };
    let (start, end) = owner.edge(axis.edge);
    let corner = other.points[axis.support].as_dvec2();
    let (start, side) = (start.as_dvec2(), end.as_dvec2() - start.as_dvec2());
    let along = side.dot(corner - start);
    let square = side.dot(side);
    let (on_owner, on_other) = if along > 0.0 && along < square && axis.gap >= 0.0 {
        (start + side * (along / square), corner)
    } else {
        let near = if along > 0.0 { axis.edge + 1 } else { axis.edge };
        let near = if near == owner.points.len() { 0 } else { near };
        closest_around(owner, near, other, axis.support)
    };
    let distance = length(on_owner - on_other);
    let (on_a, on_b) = if axis.of_a { (on_owner, on_other) } else { (on_other, on_owner) };
    Closest { distance, on_a, on_b }
}

/// The closest points of two cores, walking downhill from a pair of corners.
fn closest_around(p: &Core<'_>, mut i: usize, q: &Core<'_>, mut j: usize) -> (DVec2, DVec2) {
    let before = |core: &Core<'_>, i: usize| if i == 0 { core.points.len() - 1 } else { i - 1 };
    let after = |core: &Core<'_>, i: usize| if i + 1 == core.points.len() { 0 } else { i + 1 };
    let corner = |core: &Core<'_>, i: usize| core.points[i].as_dvec2();
    let mut best = (corner(p, i), corner(q, j));
    let mut least = best.0.distance_squared(best.1);
    for _ in 0..p.points.len() + q.points.len() {
        let (from_i, from_j) = (i, j);
        for to in [before(p, from_i), after(p, from_i)] {
            let (t, on) = closest_on(corner(p, from_i), corner(p, to), corner(q, from_j));
            let square = on.distance_squared(corner(q, from_j));
            if square < least {
                (least, best) = (square, (on, corner(q, from_j)));
                (i, j) = (if t < 1.0 { from_i } else { to }, from_j);
            }
        }
        for to in [before(q, from_j), after(q, from_j)] {
            let (t, on) = closest_on(corner(q, from_j), corner(q, to), corner(p, from_i));
            let square = on.distance_squared(corner(p, from_i));
            if square < least {
                (least, best) = (square, (corner(p, from_i), on));
                (i, j) = (from_i, if t < 1.0 { from_j } else { to });
            }
        }
        if (i, j) == (from_i, from_j) {
            break;
        }
    }
    best
}

/// The point of a segment closest to a point, and where along the segment it lies.
fn closest_on(start: DVec2, end: DVec2, point: DVec2) -> (f64, DVec2) {
    let side = end - start;
    let (along, square) = (side.dot(point - start), side.dot(side));
    if along <= 0.0 || square == 0.0 {
        (0.0, start)
    } else if along >= square {
        (1.0, end)
    } else {
        (along / square, start + side * (along / square))
    }
}

/// Compares the distance of two cores that are apart with the sum of their radii, exactly.
/// `closest` is where they come closest, in `f64`.
#[inline]
pub(crate) fn cmp_distance_to_radii(a: &Core<'_>, b: &Core<'_>, closest: &Closest) -> Ordering {
    let radii = f64::from(a.radius) + f64::from(b.radius);
    let span = |core: &Core<'_>, at: DVec2| {
        core.points.iter().fold(0.0f64, |far, point| {
            let arm = point.as_dvec2() - at;
            far.max(arm.x.abs() + arm.y.abs())
        })
    };
    let distance = closest.distance;
    if (distance - radii).abs() > 1e-12 * (distance + radii) {
        let reach = span(a, closest.on_a) + span(b, closest.on_b);
        let slack = 1e-12 * (distance + radii + reach);
        if (distance - radii).abs() > slack {
            return distance.total_cmp(&radii);
        }
    }
    let reach = span(a, closest.on_a) + span(b, closest.on_b);
    cmp_near_features(a, b, closest, 1e-11 * (distance + radii + reach))
}

/// The exact comparison, over the corners and edges that can come that close at all: those with
/// an end within `slack` of the front along the closest direction.
#[cold]
#[inline(never)]
fn cmp_near_features(a: &Core<'_>, b: &Core<'_>, closest: &Closest, slack: f64) -> Ordering {
    let Some(direction) = crate::math::unit(closest.on_b - closest.on_a) else {
        return Ordering::Less; // closer than f64 can tell, and the radii are not
    };
    let is_front = |core: &Core<'_>, i: usize, front: DVec2, sign: f64| {
        sign * direction.dot(core.points[i].as_dvec2() - front) >= -slack
    };
    let mut result = Ordering::Greater;
    let sides = [
        (a, closest.on_a, 1.0, b, closest.on_b, -1.0),
        (b, closest.on_b, -1.0, a, closest.on_a, 1.0),
    ];
    for (p, front_p, sign_p, q, front_q, sign_q) in sides {
        for i in (0..p.points.len()).filter(|&i| is_front(p, i, front_p, sign_p)) {
            for j in 0..q.points.len() {
                let next = if j + 1 == q.points.len() { 0 } else { j + 1 };
                if is_front(q, j, front_q, sign_q) || is_front(q, next, front_q, sign_q) {
                    let (start, end) = (q.points[j], q.points[next]);
                    let cmp = cmp_point_segment(p.points[i], start, end, a.radius, b.radius);
                    result = result.min(cmp);
                }
            }
        }
    }
    result
}

/// Compares the distance of a point from a segment with the sum of two radii, exactly.
pub(crate) fn cmp_point_segment(p: Vec2, a: Vec2, b: Vec2, r: f32, s: f32) -> Ordering {
    if dot_sign(a, b, a, p) != Ordering::Greater {
        cmp_distance(a, p, r, s)
    } else if dot_sign(b, a, b, p) != Ordering::Greater {
        cmp_distance(b, p, r, s)
    } else {
        cmp_line_distance(a, b, a, p, r, s)
    }
}
