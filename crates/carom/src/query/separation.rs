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
use wide::{f32x4, f64x4};

use crate::math::exact::{cmp_distance, cmp_line_distance, dot_sign, orient};
use crate::math::{length, outward};
use crate::shape::Aabb;
use crate::shape::core::{Core, Facets};

/// The `f32` gaps err by less than this times the reach, the way from the first corner of one core
/// to the furthest of the other: eight roundings, and twice that for the offset, whose size is
/// bounded by reach and gap.
const ERROR: f32 = 16.0 * (f32::EPSILON / 2.0);
/// What operations on numbers so small that they lose bits may add to that.
const TINY: f32 = 1e-43;
/// How many blocks of edges one core may have for the `f32` pass.
const BLOCKS: usize = 4;
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
    /// The unit vector from `on_b` to `on_a`.
    pub normal: DVec2,
    /// Whether one of the two lies within an edge, so that the normal is that edge's.
    pub on_edge: bool,
}

/// The largest of an owner's `f32` gaps; minus infinity for a point, which has no edges.
#[inline(always)]
fn quick_gap(owner: &Core<'_>, other: &Core<'_>) -> f32 {
    let origin = owner.points[0];
    let mut top = f32x4::splat(f32::NEG_INFINITY);
    for facets in owner.facets {
        top = top.fast_max(block_gaps(facets, other.points, origin));
    }
    largest(top)
}

/// Four edges' gaps to a set of points.
#[inline(always)]
pub(crate) fn block_gaps(facets: &Facets, points: &[Vec2], origin: Vec2) -> f32x4 {
    let (x, y) = (f32x4::new(facets.normal_x), f32x4::new(facets.normal_y));
    let mut low = f32x4::splat(f32::INFINITY);
    for &point in points {
        let at = point - origin;
        low = low.fast_min(x * f32x4::splat(at.x) + y * f32x4::splat(at.y));
    }
    low - f32x4::new(facets.offset)
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
pub(crate) fn error_bound(a: &Core<'_>, b: &Core<'_>) -> f32 {
    let between = (b.points[0] - a.points[0]).abs();
    let reach = between.x + between.y + (a.size + b.size) as f32;
    if reach < 1e37 { ERROR * reach + TINY } else { f32::INFINITY }
}

#[inline(always)]
fn is_quick(owner: &Core<'_>, other: &Core<'_>) -> bool {
    owner.facets.len() <= BLOCKS && owner.facets.len() * other.points.len() <= WORK
}

/// Whether two cores are apart (`Greater`), touch (`Equal`) or overlap (`Less`), exactly.
#[inline(always)]
pub(crate) fn core_verdict(a: &Core<'_>, b: &Core<'_>) -> Ordering {
    if is_quick(a, b) && is_quick(b, a) {
        let error = error_bound(a, b);
        let gap_a = quick_gap(a, b);
        if gap_a > error {
            return Ordering::Greater;
        }
        let gap_b = quick_gap(b, a);
        if gap_b > error {
            return Ordering::Greater;
        }
        // Two points have no edges and so no gaps: nothing is sure about them.
        if gap_a < -error && gap_b < -error && a.facets.len() + b.facets.len() > 0 {
            return Ordering::Less;
        }
    }
    exact_verdict(a, b)
}

/// The verdict by exact signs, for the edges that the quick pass cannot judge.
#[cold]
#[inline(never)]
pub(crate) fn exact_verdict(a: &Core<'_>, b: &Core<'_>) -> Ordering {
    if let (Some(a), Some(b)) = (level_box(a.points), level_box(b.points)) {
        return a.order(&b); // tiles: coordinates tell
    }
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
        let shared = if is_quick(owner, other) {
            judge_near_edges(owner, other, -error_bound(a, b), &mut verdict)
        } else {
            let mut shared = false;
            each_gap(owner, other, |axis, error| {
                if axis.gap > -error {
                    shared |= judge_edge(owner, axis.edge, other, &mut verdict);
                }
            });
            shared
        };
        // An edge that parts them settles it; so does one across which they share a point.
        if verdict == Ordering::Greater || shared {
            return verdict;
        }
    }
    verdict
}

/// Judges the edges of a core whose `f32` gaps are not surely below zero.
#[inline(always)]
fn judge_near_edges(
    owner: &Core<'_>,
    other: &Core<'_>,
    below: f32,
    verdict: &mut Ordering,
) -> bool {
    let mut shared = false;
    for (block, facets) in owner.facets.iter().enumerate() {
        let gaps = block_gaps(facets, other.points, owner.points[0]);
        // NaN, from numbers beyond f32, may be anything.
        let mut near = !gaps.simd_lt(f32x4::splat(below)).to_bitmask();
        near &= (1 << (owner.edge_count() - 4 * block).min(4)) - 1;
        while near != 0 {
            let edge = 4 * block + near.trailing_zeros() as usize;
            shared |= judge_edge(owner, edge, other, verdict);
            near &= near - 1;
        }
    }
    shared
}

/// Raises the verdict to an edge's exact sign; tells whether the cores share a point across it.
#[inline(always)]
fn judge_edge(owner: &Core<'_>, edge: usize, other: &Core<'_>, verdict: &mut Ordering) -> bool {
    let (sign, meets) = exact_gap_sign(owner, edge, other);
    *verdict = (*verdict).max(sign);
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
    is_level.then(|| Aabb::spanning(low[0].min(high[0]), low[0].max(high[0])))
}

/// The exact sign of one edge's gap, and, where it is zero, whether a corner of the other core lies
/// on the edge itself.
fn exact_gap_sign(owner: &Core<'_>, edge: usize, other: &Core<'_>) -> (Ordering, bool) {
    let (start, end) = owner.edge(edge);
    let (low, high) = (start.min(end), start.max(end));
    let (mut sign, mut meets) = (Ordering::Greater, false);
    for &point in other.points {
        match orient(start, end, point) {
            Ordering::Greater => return (Ordering::Less, false),
            Ordering::Equal => {
                sign = Ordering::Equal;
                meets |= point.cmpge(low).all() && point.cmple(high).all();
            }
            Ordering::Less => {}
        }
    }
    (sign, meets)
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
    let origin = other.points[0].as_dvec2();
    // Where sides are parallel, rounding may let a step down look like a step up.
    let noise = 1e-15 * other.size;
    for edge in 0..owner.edge_count() {
        let start = owner.points[edge].as_dvec2();
        let (side, normal) = owner.edge_normal(edge);
        let along = |j: usize| normal.dot(other.points[j].as_dvec2() - origin);
        let mut least = along(support);
        if edge == 0 {
            for j in 1..m {
                let next = along(j);
                if next < least {
                    (least, support) = (next, j);
                }
            }
        }
        // On the same way round; and back, should ties have led too far.
        for step in [1, m - 1] {
            let mut ahead = support;
            for _ in 1..m {
                ahead = (ahead + step) % m;
                let next = along(ahead);
                if next > least + noise {
                    break;
                }
                if next <= least {
                    (least, support) = (next, ahead);
                }
            }
        }
        let far = other.points[support].as_dvec2() - start;
        let gap = normal.dot(far);
        let error = 1e-13 * (far.x.abs() + far.y.abs() + side.x.abs() + side.y.abs());
        visit(Axis { of_a: false, edge, support, normal, gap }, error);
    }
}

/// The gap of one edge in `f64`.
#[inline(always)]
fn axis(owner: &Core<'_>, edge: usize, other: &Core<'_>) -> Axis {
    let start = owner.points[edge].as_dvec2();
    let (_, normal) = owner.edge_normal(edge);
    let (mut gap, mut support) = (f64::INFINITY, 0);
    for (j, point) in other.points.iter().enumerate() {
        let along = normal.dot(point.as_dvec2() - start);
        let lower = along < gap;
        gap = if lower { along } else { gap };
        support = if lower { j } else { support };
    }
    Axis { of_a: false, edge, support, normal, gap }
}

/// The edge with the largest gap; the first among equals, `a`'s edges first. `None` for two
/// points, which have no edges, and where the quick pass is sure that the gap exceeds `limit`.
#[inline(always)]
pub(crate) fn best_axis(a: &Core<'_>, b: &Core<'_>, limit: f64) -> Option<Axis> {
    if !(is_quick(a, b) && is_quick(b, a)) {
        return best_axis_walking(a, b);
    }
    let mut lanes = [[f32x4::ZERO; BLOCKS]; 2];
    let mut top = f32x4::splat(f32::NEG_INFINITY);
    let error = error_bound(a, b);
    for (lanes, (owner, other)) in lanes.iter_mut().zip([(a, b), (b, a)]) {
        let origin = owner.points[0];
        for (facets, lane) in owner.facets.iter().zip(lanes.iter_mut()) {
            *lane = block_gaps(facets, other.points, origin);
            top = top.fast_max(*lane);
        }
        if f64::from(largest(top)) > limit + f64::from(error) {
            return None;
        }
    }
    // The edges whose gaps may be the largest, a bit for each: `b`'s above `a`'s.
    let floor = f32x4::splat(largest(top) - 2.0 * error);
    let mut near = 0u32;
    for (side, (lanes, owner)) in lanes.iter().zip([a, b]).enumerate() {
        let mut bits = 0;
        for (block, gaps) in lanes.iter().take(owner.facets.len()).enumerate() {
            // NaN, from numbers beyond f32, is not below.
            bits |= (!gaps.simd_lt(floor).to_bitmask() & 0xf) << (4 * block);
        }
        near |= (bits & ((1 << owner.edge_count()) - 1)) << (side * 4 * BLOCKS);
    }
    let mut best: Option<Axis> = None;
    while near != 0 {
        let bit = near.trailing_zeros() as usize;
        let axis = if bit < 4 * BLOCKS {
            Axis { of_a: true, ..axis(a, bit, b) }
        } else {
            axis(b, bit - 4 * BLOCKS, a)
        };
        best = Some(match best {
            Some(best) => better(best, axis, a, b),
            None => axis,
        });
        near &= near - 1;
    }
    best
}

/// The axis with the larger gap. Of equals the first, unless they belong to different cores: then
/// it must not matter which of them is called `a`.
fn better(best: Axis, axis: Axis, a: &Core<'_>, b: &Core<'_>) -> Axis {
    let replaces = if axis.gap == best.gap && axis.of_a != best.of_a {
        (b.points[0].x, b.points[0].y) < (a.points[0].x, a.points[0].y)
    } else {
        axis.gap > best.gap
    };
    if replaces { axis } else { best }
}

/// The same for polygons of many corners.
#[inline(never)]
fn best_axis_walking(a: &Core<'_>, b: &Core<'_>) -> Option<Axis> {
    let mut best: Option<Axis> = None;
    for (owner, other, of_a) in [(a, b, true), (b, a, false)] {
        each_gap(owner, other, |axis, _| {
            let axis = Axis { of_a, ..axis };
            best = Some(best.map_or(axis, |best| better(best, axis, a, b)));
        });
    }
    best
}

/// Where two cores come closest, given the edge with the largest gap, which is not below zero.
///
/// The closest points lie on that edge and the corner furthest in, or at one end of the edge and
/// around that corner. (The gap as a function of direction is concave where it is positive, so the
/// best edge is next to the best direction.)
#[inline(always)]
pub(crate) fn closest(a: &Core<'_>, b: &Core<'_>, axis: &Axis) -> Closest {
    let (owner, other) = if axis.of_a { (a, b) } else { (b, a) };
    let (start, end) = owner.edge(axis.edge);
    let corner = other.points[axis.support].as_dvec2();
    let (start, side) = (start.as_dvec2(), end.as_dvec2() - start.as_dvec2());
    let along = side.dot(corner - start);
    let closest = if along > 0.0 && along < side.dot(side) && axis.gap > 0.0 {
        Closest {
            distance: axis.gap,
            on_a: corner - axis.normal * axis.gap,
            on_b: corner,
            normal: -axis.normal,
            on_edge: true,
        }
    } else {
        let near = if along > 0.0 { axis.edge + 1 } else { axis.edge };
        let near = if near == owner.points.len() { 0 } else { near };
        let (p, q) = (owner.points[near], other.points[axis.support]);
        // Always walked from the same core, so that swapping them mirrors the answer to the bit.
        if (p.x, p.y) <= (q.x, q.y) {
            closest_around(owner, near, other, axis.support, axis.normal)
        } else {
            closest_around(other, axis.support, owner, near, -axis.normal).mirrored()
        }
    };
    if axis.of_a { closest } else { closest.mirrored() }
}

/// The closest points of two cores, walking downhill from a pair of corners. `out` is a direction
/// from the first to the second, for corners that coincide.
#[inline(never)]
fn closest_around(p: &Core<'_>, i: usize, q: &Core<'_>, j: usize, out: DVec2) -> Closest {
    let neighbours = |core: &Core<'_>, i: usize| {
        let last = core.points.len() - 1;
        [if i == 0 { last } else { i - 1 }, if i == last { 0 } else { i + 1 }]
    };
    let (mut i, mut j) = (i, j);
    let mut best = Closest::of_points(p.points[i].as_dvec2(), q.points[j].as_dvec2(), out);
    for _ in 0..p.points.len() + q.points.len() {
        let (from_i, from_j) = (i, j);
        let (corner_p, corner_q) = (p.points[i].as_dvec2(), q.points[j].as_dvec2());
        for to in neighbours(p, from_i) {
            let (found, at_end) =
                Closest::on_side(corner_p, p.points[to].as_dvec2(), corner_q, out);
            if found.distance < best.distance {
                best = found;
                (i, j) = (if at_end { to } else { from_i }, from_j);
            }
        }
        for to in neighbours(q, from_j) {
            let (found, at_end) =
                Closest::on_side(corner_q, q.points[to].as_dvec2(), corner_p, -out);
            if found.distance < best.distance {
                best = found.mirrored();
                (i, j) = (from_i, if at_end { to } else { from_j });
            }
        }
        if (i, j) == (from_i, from_j) {
            break;
        }
    }
    best
}

impl Closest {
    pub fn mirrored(self) -> Self {
        Self { on_a: self.on_b, on_b: self.on_a, normal: -self.normal, ..self }
    }

    /// Two points; `out` is the direction from the first to the second where they coincide.
    fn of_points(on_a: DVec2, on_b: DVec2, out: DVec2) -> Self {
        let between = on_a - on_b;
        let distance = length(between);
        let normal = if distance > 0.0 { between / distance } else { -out };
        Self { distance, on_a, on_b, normal, on_edge: false }
    }

    /// The side from `start` to `end` against a point, and whether `end` is the closest.
    fn on_side(start: DVec2, end: DVec2, point: DVec2, out: DVec2) -> (Self, bool) {
        let side = end - start;
        let (along, square) = (side.dot(point - start), side.dot(side));
        if along <= 0.0 || square == 0.0 {
            return (Self::of_points(start, point, out), false);
        }
        if along >= square {
            return (Self::of_points(end, point, out), true);
        }
        // The edge's own normal is accurate however close the point is.
        let normal = outward(side) / crate::math::sqrt(square);
        let gap = normal.dot(point - start);
        // Where rounding hides on which side the point lies, it lies where it must.
        let far = (point - start).abs();
        let hidden = gap.abs() <= 1e-14 * (far.x + far.y);
        let behind = if hidden { normal.dot(out) < 0.0 } else { gap < 0.0 };
        let (distance, normal) = (gap.abs(), if behind { normal } else { -normal });
        let on_a = start + side * (along / square);
        (Self { distance, on_a, on_b: point, normal, on_edge: true }, false)
    }
}

/// Where two segments come closest, by the four ends against the other segment each, all at once;
/// `None` where the segments may touch or cross, or all but do.
#[inline(always)]
pub(crate) fn closest_segments(a: &Core<'_>, b: &Core<'_>) -> Option<(Closest, Axis)> {
    let [a0, a1, b0, b1] =
        [a.points[0], a.points[1], b.points[0], b.points[1]].map(|point| point.as_dvec2());
    let (side_a, side_b) = (a1 - a0, b1 - b0);
    let square = |core: &Core<'_>, side: DVec2| {
        let rough = f64::from(core.facets[0].inverse[0]);
        let (square, rough) = (side.dot(side), rough * rough);
        // As in `edge_normal`; here for one over the square.
        if rough > 1e-30 && rough < 1e30 { rough * (2.0 - square * rough) } else { 1.0 / square }
    };
    let (over_a, over_b) = (square(a, side_a), square(b, side_b));
    // Lanes: a's ends against b, then b's ends against a.
    let lanes = |p: f64, q: f64, r: f64, s: f64| f64x4::new([p, q, r, s]);
    let (px, py) = (lanes(a0.x, a1.x, b0.x, b1.x), lanes(a0.y, a1.y, b0.y, b1.y));
    let (sx, sy) = (lanes(b0.x, b0.x, a0.x, a0.x), lanes(b0.y, b0.y, a0.y, a0.y));
    let (ux, uy) = (
        lanes(side_b.x, side_b.x, side_a.x, side_a.x),
        lanes(side_b.y, side_b.y, side_a.y, side_a.y),
    );
    let over = lanes(over_b, over_b, over_a, over_a);
    let (wx, wy) = (px - sx, py - sy);
    let turn = ux * wy - uy * wx;
    let t = ((ux * wx + uy * wy) * over).fast_max(f64x4::ZERO).fast_min(f64x4::ONE);
    let (dx, dy) = (wx - ux * t, wy - uy * t);
    let (squares, turns, ts) = ((dx * dx + dy * dy).to_array(), turn.to_array(), t.to_array());
    // Ends on both sides of each other's line: the segments cross, or nearly so.
    if turns[0] * turns[1] <= 0.0 && turns[2] * turns[3] <= 0.0 {
        return None;
    }
    let low = |i: usize, j: usize| if squares[j] < squares[i] { j } else { i };
    let lane = low(low(0, 1), low(2, 3));
    let of_a = lane >= 2;
    let (start, side, point, over) = if of_a {
        (a0, side_a, if lane == 2 { b0 } else { b1 }, over_a)
    } else {
        (b0, side_b, if lane == 0 { a0 } else { a1 }, over_b)
    };
    let t = ts[lane];
    let on_side = start + side * t;
    let (distance, normal, on_edge) = if t > 0.0 && t < 1.0 {
        let long = crate::math::sqrt(over);
        let out = outward(side) * (if turns[lane] < 0.0 { long } else { -long });
        (turns[lane].abs() * long, out, true)
    } else {
        let between = point - on_side;
        let distance = length(between);
        (distance, between / distance, false)
    };
    // So close that rounding decides between ends and sides: not for this short way.
    if distance.is_nan() || distance <= 1e-12 * (a.size + b.size) {
        return None;
    }
    // The edge that faces the point: there, or back.
    let edge = usize::from(turns[lane] > 0.0);
    let axis = Axis { of_a, edge, support: lane % 2, normal, gap: distance };
    let closest = Closest { distance, on_a: on_side, on_b: point, normal: -normal, on_edge };
    Some((if of_a { closest } else { closest.mirrored() }, axis))
}

/// Compares the distance of two cores that are apart with the sum of their radii, exactly.
/// `closest` is where they come closest, in `f64`.
#[inline]
pub(crate) fn cmp_distance_to_radii(a: &Core<'_>, b: &Core<'_>, closest: &Closest) -> Ordering {
    let radii = f64::from(a.radius) + f64::from(b.radius);
    let distance = closest.distance;
    // Far more than the few roundings of the distance can come to.
    let slack = 1e-12 * (distance + radii + a.size + b.size);
    if (distance - radii).abs() > slack {
        return if distance > radii { Ordering::Greater } else { Ordering::Less };
    }
    cmp_near_features(a, b, radii + 16.0 * slack)
}

/// The exact comparison, over the corners and edges that come within `reach` of each other. (Not
/// over those in front along the closest direction: beside a long edge, that is not known well
/// enough to tell which they are.)
#[cold]
#[inline(never)]
fn cmp_near_features(a: &Core<'_>, b: &Core<'_>, reach: f64) -> Ordering {
    let mut result = Ordering::Greater;
    for (p, q) in [(a, b), (b, a)] {
        for &corner in p.points {
            for j in 0..q.points.len() {
                let (start, end) = q.edge(j);
                let start_at = start.as_dvec2();
                let (side, at) = (end.as_dvec2() - start_at, corner.as_dvec2() - start_at);
                let t = (side.dot(at) / side.dot(side).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
                if length(at - side * t) <= reach {
                    let cmp = cmp_point_segment(corner, start, end, a.radius, b.radius);
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
