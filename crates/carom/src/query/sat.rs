//! The separating axis test (SAT) for two convex cores, without their radii.
//!
//! Two convex polygons are disjoint exactly if the line of one of their edges separates them. The
//! *gap* of an edge is the signed distance of the other core from the line of that edge: positive
//! if the line separates them, zero if the other core touches the line, negative if it extends
//! across the line. The edge with the largest gap is the *edge of maximum separation*. It determines
//! all results: the sign of its gap is the relation; a negative gap is minus the penetration depth;
//! with a positive gap, the edge or one of its ends is closest to the other core.
//!
//! Each computation has three stages:
//!
//! 1. *Filter*: all gaps in `f32`, four edges at a time, with a proven error bound. This usually
//!    decides the relation, and leaves one or two candidates for the edge of maximum separation.
//! 2. *`f64`*: the gaps of the candidates.
//! 3. *Exact*: if the sign of a gap is uncertain, exact orientation tests
//!    ([`orient2d`](crate::math::exact::orient2d)).
//!
//! A segment is a polygon with two edges, one in each direction. Two segments on one line have no
//! separating edge, so pairs of segments and points also compare their bounding boxes.

use core::ops::ControlFlow;

use glam::{DVec2, Vec2};
use wide::{f32x4, f64x4};

use crate::math::exact::{Orientation, OrientedLine, is_on_exact_grid};
use crate::query::relation::Relation;
use crate::shape::Aabb;
use crate::shape::convex::{Convex, HalfPlanes4};

/// Relative error bound of an `f32` gap. The error is at most this times the L1 distance from the
/// first vertex of one core to the farthest of the other: eight roundings, and twice that for the
/// offset, which is bounded by that distance and the gap.
const GAP_ERROR: f32 = 16.0 * (f32::EPSILON / 2.0);
/// Absolute error bound for operations on subnormal numbers.
const SUBNORMAL_ERROR: f32 = 1e-43;
/// The largest number of blocks of four edges for which each edge has a bit in an edge set.
const MAX_BLOCKS: usize = 4;
/// The largest product of edge blocks and vertices for the `f32` filter. Beyond it, walking around
/// both polygons at once is faster.
const MAX_FILTER_WORK: usize = 512;

/// One of the two shapes of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    A,
    B,
}

impl Operand {
    #[inline(always)]
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    /// Returns this operand and the other one. Indexed rather than branched on: which of them it
    /// is depends on the data, and the branch would mispredict.
    #[inline(always)]
    pub fn select<T: Copy>(self, a: T, b: T) -> (T, T) {
        let index = usize::from(self == Self::B);
        ([a, b][index], [b, a][index])
    }
}

/// The gap of one edge, in `f64`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeSeparation {
    /// The core that has the edge.
    pub owner: Operand,
    /// The edge, by the index of its first vertex.
    pub edge: usize,
    /// The vertex of the other core that reaches farthest across: its support point against the
    /// normal.
    pub support: usize,
    /// The unit normal, out of the owner.
    pub normal: DVec2,
    /// The signed distance of the other core from the line of the edge.
    pub gap: f64,
}

impl EdgeSeparation {
    /// Returns the normal, pointing out of `b` towards `a`.
    #[inline(always)]
    pub fn normal_towards_a(&self) -> DVec2 {
        if self.owner == Operand::A { -self.normal } else { self.normal }
    }
}

// Stage 1: gaps in `f32`.

/// Returns the largest `f32` gap of the edges of `owner`; minus infinity for a point, which has no
/// edges.
#[inline(always)]
fn max_gap_f32(owner: &Convex<'_>, other: &Convex<'_>) -> f32 {
    let origin = owner.points[0];
    let mut max = f32x4::splat(f32::NEG_INFINITY);
    for half_planes in owner.half_planes {
        max = max.fast_max(block_gaps(half_planes, other.points, origin));
    }
    max_lane(max)
}

/// Returns the gaps of four edges, relative to the owner's first vertex `origin`.
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

/// Returns the largest of four lanes.
#[inline(always)]
pub(crate) fn max_lane(lanes: f32x4) -> f32 {
    let [a, b, c, d] = lanes.to_array();
    let max = |a: f32, b: f32| if a > b { a } else { b };
    max(max(a, b), max(c, d))
}

/// Returns the error bound of the `f32` gaps of both cores. It is infinite, so that nothing is
/// certain, if intermediate results might overflow `f32`.
#[inline(always)]
pub(crate) fn error_bound(a: &Convex<'_>, b: &Convex<'_>) -> f32 {
    let between = (b.points[0] - a.points[0]).abs();
    let distance = between.x + between.y + (a.extent + b.extent) as f32;
    if distance < 1e37 { GAP_ERROR * distance + SUBNORMAL_ERROR } else { f32::INFINITY }
}

/// Returns `true` if the filter is faster than walking around both polygons.
#[inline(always)]
fn is_filter_worthwhile(owner: &Convex<'_>, other: &Convex<'_>) -> bool {
    owner.half_planes.len() * other.points.len() <= MAX_FILTER_WORK
}

// Stage 2: the edge of maximum separation in `f64`.

/// Returns the edge of maximum separation (Box2D: `b2FindMaxSeparation`); among equals the first,
/// with the edges of `a` before those of `b`. `None` for two points, which have no edges, and if
/// the gap certainly exceeds `limit`.
#[inline(always)]
pub(crate) fn max_separation_edge(
    a: &Convex<'_>,
    b: &Convex<'_>,
    limit: f64,
) -> Option<EdgeSeparation> {
    Some(match candidate_edges(a, b, limit)? {
        CandidateEdges::Single(edge) => edge_separation(a, b, edge),
        CandidateEdges::Several(edges) => best_of_several(a, b, edges),
        CandidateEdges::TooMany => return max_separation_walking(a, b, limit),
    })
}

/// The edges that may be the one of maximum separation, as a bit set: the edges of `a` in the low
/// half, those of `b` in the high half.
pub(crate) enum CandidateEdges {
    Single(u32),
    Several(u32),
    /// The polygons have more edges than the set has bits.
    TooMany,
}

/// Returns the edges whose gaps may be the largest; `None` if there are none or the largest
/// certainly exceeds `limit`.
#[inline(always)]
pub(crate) fn candidate_edges(
    a: &Convex<'_>,
    b: &Convex<'_>,
    limit: f64,
) -> Option<CandidateEdges> {
    let edges = match (a.half_planes, b.half_planes) {
        ([block_a], [block_b]) => candidates_of_two_blocks(a, b, [block_a, block_b], limit)?,
        _ if a.half_planes.len().max(b.half_planes.len()) <= MAX_BLOCKS => {
            candidates_of_blocks(a, b, limit)?
        }
        _ => return Some(CandidateEdges::TooMany),
    };
    Some(if edges.is_power_of_two() {
        CandidateEdges::Single(edges)
    } else {
        CandidateEdges::Several(edges)
    })
}

/// Returns the candidates if each core has one block of edges: boxes, triangles, segments.
#[inline(always)]
fn candidates_of_two_blocks(
    a: &Convex<'_>,
    b: &Convex<'_>,
    half_planes: [&HalfPlanes4; 2],
    limit: f64,
) -> Option<u32> {
    let error = error_bound(a, b);
    let limit = limit + f64::from(error);
    let gaps_a = block_gaps(half_planes[0], b.points, a.points[0]);
    let max_a = max_lane(gaps_a);
    if f64::from(max_a) > limit {
        return None;
    }
    let gaps_b = block_gaps(half_planes[1], a.points, b.points[0]);
    let max_b = max_lane(gaps_b);
    if f64::from(max_b) > limit {
        return None;
    }
    // Both the largest gap and a candidate's may be off by the error.
    let floor = f32x4::splat(if max_a > max_b { max_a } else { max_b } - 2.0 * error);
    // NaN, the result of an overflow, is not below the floor and so stays a candidate.
    let bits = |gaps: f32x4, convex: &Convex<'_>| {
        !gaps.simd_lt(floor).to_bitmask() & ((1 << convex.points.len()) - 1)
    };
    Some(bits(gaps_a, a) | bits(gaps_b, b) << (4 * MAX_BLOCKS))
}

/// Returns the candidates for up to [`MAX_BLOCKS`] blocks of edges per core.
#[inline(always)]
fn candidates_of_blocks(a: &Convex<'_>, b: &Convex<'_>, limit: f64) -> Option<u32> {
    let mut lanes = [[f32x4::ZERO; MAX_BLOCKS]; 2];
    let mut max = f32x4::splat(f32::NEG_INFINITY);
    let error = error_bound(a, b);
    for (lanes, (owner, other)) in lanes.iter_mut().zip([(a, b), (b, a)]) {
        let origin = owner.points[0];
        for (half_planes, lane) in owner.half_planes.iter().zip(lanes.iter_mut()) {
            *lane = block_gaps(half_planes, other.points, origin);
            max = max.fast_max(*lane);
        }
        if f64::from(max_lane(max)) > limit + f64::from(error) {
            return None;
        }
    }
    let floor = f32x4::splat(max_lane(max) - 2.0 * error);
    let mut edges = 0u32;
    for (half, (lanes, owner)) in lanes.iter().zip([a, b]).enumerate() {
        let mut bits = 0;
        for (block, gaps) in lanes.iter().take(owner.half_planes.len()).enumerate() {
            // NaN, the result of an overflow, is not below the floor.
            bits |= (!gaps.simd_lt(floor).to_bitmask() & 0xf) << (4 * block);
        }
        edges |= (bits & ((1 << owner.edge_count()) - 1)) << (half * 4 * MAX_BLOCKS);
    }
    if edges == 0 { None } else { Some(edges) }
}

/// Returns the separation along the first edge of a set.
#[inline(always)]
pub(crate) fn edge_separation(a: &Convex<'_>, b: &Convex<'_>, edges: u32) -> EdgeSeparation {
    let bit = edges.trailing_zeros() as usize;
    let owner = if bit < 4 * MAX_BLOCKS { Operand::A } else { Operand::B };
    let (convex, other) = owner.select(a, b);
    EdgeSeparation { owner, ..separation_along_edge(convex, bit % (4 * MAX_BLOCKS), other) }
}

/// Returns the separation along one edge, with [`Operand::B`] as its owner.
#[inline(always)]
fn separation_along_edge(convex: &Convex<'_>, edge: usize, other: &Convex<'_>) -> EdgeSeparation {
    let start = convex.points[edge].as_dvec2();
    let (_, normal) = convex.edge_normal(edge);
    let at = |j: usize, point: Vec2| (normal.dot(point.as_dvec2() - start), j);
    let lower =
        |a: (f64, usize), b: (f64, usize)| (min(a.0, b.0), if b.0 < a.0 { b.1 } else { a.1 });
    let (gap, support) = match *other.points {
        // A tree of comparisons has a shorter dependency chain than a sequence.
        [p, q, r, s] => lower(lower(at(0, p), at(1, q)), lower(at(2, r), at(3, s))),
        _ => (other.points.iter().enumerate())
            .fold((f64::INFINITY, 0), |best, (j, &point)| lower(best, at(j, point))),
    };
    EdgeSeparation { owner: Operand::B, edge, support, normal, gap }
}

/// Returns the smaller of two numbers; the first if either is NaN.
#[inline(always)]
fn min(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// Returns the maximum separation over a set of edges.
#[inline(never)]
fn best_of_several(a: &Convex<'_>, b: &Convex<'_>, mut edges: u32) -> EdgeSeparation {
    let mut best = edge_separation(a, b, edges);
    edges &= edges - 1;
    while edges != 0 {
        best = larger_gap(best, edge_separation(a, b, edges), a, b);
        edges &= edges - 1;
    }
    best
}

/// Returns the separation with the larger gap. Among equals it is the first; if they belong to
/// different cores, it is the same one whichever core is called `a`.
fn larger_gap(
    best: EdgeSeparation,
    next: EdgeSeparation,
    a: &Convex<'_>,
    b: &Convex<'_>,
) -> EdgeSeparation {
    let replaces = if next.gap == best.gap && next.owner != best.owner {
        (b.points[0].x, b.points[0].y) < (a.points[0].x, a.points[0].y)
    } else {
        next.gap > best.gap
    };
    if replaces { next } else { best }
}

/// Works like [`max_separation_edge`], for polygons with many vertices.
#[inline(never)]
fn max_separation_walking(a: &Convex<'_>, b: &Convex<'_>, limit: f64) -> Option<EdgeSeparation> {
    let (mut best, mut max) = (None, f64::NEG_INFINITY);
    for (convex, other, owner) in [(a, b, Operand::A), (b, a, Operand::B)] {
        let walk = walk_edges(convex, other, |separation, error| {
            if separation.gap < max {
                return ControlFlow::Continue(()); // the usual case
            }
            if separation.gap > limit + error {
                return ControlFlow::Break(());
            }
            let next = EdgeSeparation { owner, ..separation };
            (best, max) = (Some(best.map_or(next, |best| larger_gap(best, next, a, b))), next.gap);
            ControlFlow::Continue(())
        });
        if walk.is_break() {
            return None;
        }
    }
    best
}

/// Calls `visit` with the separation along every edge and its error bound, in linear time: as the
/// normal turns counterclockwise, so does the support point (rotating calipers).
///
/// The walk never has to step back: a vertex that rounding lets look lower is higher by no more
/// than the rounding error, and the normal turns towards it.
pub(crate) fn walk_edges(
    owner: &Convex<'_>,
    other: &Convex<'_>,
    mut visit: impl FnMut(EdgeSeparation, f64) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let m = other.points.len();
    let mut support = 0;
    let origin = other.points[0].as_dvec2();
    // Beside parallel edges, rounding may make a step down look like a step up.
    let tolerance = 1e-15 * other.extent;
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
            } else if next > least + tolerance && edge > 0 {
                break; // the first edge visits all vertices
            }
        }
        let far = other.points[support].as_dvec2() - start;
        let gap = normal.dot(far);
        // Another vertex may reach farther by what rounding hides.
        let error =
            1e-13 * (far.x.abs() + far.y.abs() + side.x.abs() + side.y.abs()) + 2.0 * tolerance;
        visit(EdgeSeparation { owner: Operand::B, edge, support, normal, gap }, error)?;
    }
    ControlFlow::Continue(())
}

// Stage 3: the exact relation.

/// Returns the relation of two cores, without their radii. Exact.
#[inline(always)]
pub(crate) fn core_relation(a: &Convex<'_>, b: &Convex<'_>) -> Relation {
    if is_filter_worthwhile(a, b) && is_filter_worthwhile(b, a) {
        let error = error_bound(a, b);
        let gap_a = max_gap_f32(a, b);
        if gap_a > error {
            return Relation::Disjoint;
        }
        // If they may touch along an edge of `a`, the exact test is needed in any case.
        if gap_a.is_nan() || gap_a >= -error {
            return exact_relation(a, b);
        }
        let gap_b = max_gap_f32(b, a);
        if gap_b > error {
            return Relation::Disjoint;
        }
        // Two points have no edges and so no gaps: nothing is certain about them.
        if gap_b < -error && a.half_planes.len() + b.half_planes.len() > 0 {
            return Relation::Overlapping;
        }
    }
    exact_relation(a, b)
}

/// Returns the relation of a polygon, without its radius, and a point. Exact.
#[inline(always)]
pub(crate) fn point_relation(polygon: &Convex<'_>, point: Vec2) -> Relation {
    let point = Convex::point(&point, 0.0);
    let (gap, error) = (max_gap_f32(polygon, &point), error_bound(polygon, &point));
    if gap.abs() > error {
        if gap > 0.0 { Relation::Disjoint } else { Relation::Overlapping }
    } else {
        exact_relation(polygon, &point)
    }
}

/// Returns the relation of two cores by exact signs, of those edges only that the filter leaves.
#[cold]
#[inline(never)]
pub(crate) fn exact_relation(a: &Convex<'_>, b: &Convex<'_>) -> Relation {
    // Fast paths for tiles, which often touch: axis-aligned boxes compare coordinates, and small
    // polygons on the exact grid need no extended precision.
    if let (Some(a), Some(b)) = (axis_aligned_box(a.points), axis_aligned_box(b.points)) {
        return Relation::of_aabbs(&a, &b);
    }
    if let (Some(a), Some(b)) = (GridQuad::new(a.points), GridQuad::new(b.points)) {
        return a.relation(&b);
    }
    if a.points.len() <= 2 && b.points.len() <= 2 {
        if boxes_are_disjoint(a.points, b.points) {
            return Relation::Disjoint;
        }
        if a.points.len() == 1 && b.points.len() == 1 {
            return Relation::Touching;
        }
    }
    // The relation is that of the edge that separates most.
    let mut relation = Relation::Overlapping;
    for (owner, other) in [(a, b), (b, a)] {
        let share_point = if is_filter_worthwhile(owner, other) {
            raise_by_candidates(owner, other, -error_bound(a, b), &mut relation)
        } else {
            let walk = walk_edges(owner, other, |separation, error| {
                let is_candidate = separation.gap > -error;
                let is_decided = is_candidate
                    && (raise_by_edge(owner, separation.edge, other, &mut relation)
                        || relation == Relation::Disjoint);
                if is_decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            walk.is_break()
        };
        // A separating edge decides; so does an edge on which they share a point.
        if relation == Relation::Disjoint || share_point {
            return relation;
        }
    }
    relation
}

/// Raises the relation by each edge whose `f32` gap is not certainly below `-error`. Returns
/// whether the cores share a point on one of them.
#[inline(always)]
fn raise_by_candidates(
    owner: &Convex<'_>,
    other: &Convex<'_>,
    floor: f32,
    relation: &mut Relation,
) -> bool {
    let mut share_point = false;
    for (block, half_planes) in owner.half_planes.iter().enumerate() {
        let gaps = block_gaps(half_planes, other.points, owner.points[0]);
        // NaN, the result of an overflow, is not below the floor.
        let mut edges = !gaps.simd_lt(f32x4::splat(floor)).to_bitmask();
        edges &= (1 << (owner.edge_count() - 4 * block).min(4)) - 1;
        while edges != 0 {
            let edge = 4 * block + edges.trailing_zeros() as usize;
            share_point |= raise_by_edge(owner, edge, other, relation);
            edges &= edges - 1;
        }
    }
    share_point
}

/// Raises the relation to the exact one across an edge. Returns whether the cores share a point on
/// the edge.
#[inline(always)]
fn raise_by_edge(
    owner: &Convex<'_>,
    edge: usize,
    other: &Convex<'_>,
    relation: &mut Relation,
) -> bool {
    let (across, share_point) = relation_across_edge(owner, edge, other);
    *relation = (*relation).max(across);
    share_point
}

/// Returns the relation of the other core to the inner half-plane of an edge, and, if it touches
/// the line, whether one of its vertices lies on the edge itself. Exact.
fn relation_across_edge(owner: &Convex<'_>, edge: usize, other: &Convex<'_>) -> (Relation, bool) {
    let (start, end) = owner.edge(edge);
    let (low, high) = (start.min(end), start.max(end));
    let (mut relation, mut share_point) = (Relation::Disjoint, false);
    let line = OrientedLine::new(start, end);
    for &point in other.points {
        match line.orientation(point) {
            Orientation::CounterClockwise => return (Relation::Overlapping, false),
            Orientation::Collinear => {
                relation = Relation::Touching;
                share_point |= point.cmpge(low).all() && point.cmple(high).all();
            }
            Orientation::Clockwise => {}
        }
    }
    (relation, share_point)
}

/// Returns the axis-aligned box that four vertices form, if they do.
#[inline(always)]
fn axis_aligned_box(points: &[Vec2]) -> Option<Aabb> {
    let &[a, b, c, d] = points else { return None };
    let (low, high) = if a.y == b.y { ([a, b], [c, d]) } else { ([b, c], [d, a]) };
    let is_axis_aligned = low[0].y == low[1].y
        && high[0].y == high[1].y
        && low[1].x == high[0].x
        && high[1].x == low[0].x;
    is_axis_aligned.then(|| Aabb::new_unchecked(low[0].min(high[0]), low[0].max(high[0])))
}

/// Returns `true` if the bounding boxes of two small point sets share no point.
fn boxes_are_disjoint(a: &[Vec2], b: &[Vec2]) -> bool {
    let low = |points: &[Vec2]| points.iter().fold(points[0], |low, &p| low.min(p));
    let high = |points: &[Vec2]| points.iter().fold(points[0], |high, &p| high.max(p));
    high(a).cmplt(low(b)).any() || high(b).cmplt(low(a)).any()
}

/// A triangle (with the first vertex repeated) or quadrilateral whose vertices lie on the grid on
/// which products of coordinate differences are exact in `f64`. Tests on it are branchless.
struct GridQuad {
    x: [f64; 4],
    y: [f64; 4],
    /// The edge that starts at each vertex.
    edge_x: f64x4,
    edge_y: f64x4,
}

impl GridQuad {
    /// Returns `None` unless there are three or four vertices, all on the exact grid.
    #[inline(always)]
    fn new(points: &[Vec2]) -> Option<Self> {
        let [from, to] = match *points {
            [p, q, r] => [[p, q, r, p], [q, r, p, q]],
            [p, q, r, s] => [[p, q, r, s], [q, r, s, p]],
            _ => return None,
        };
        if !(is_on_exact_grid(from[0], from[1]) & is_on_exact_grid(from[2], from[3])) {
            return None;
        }
        let x = |points: [Vec2; 4]| points.map(|point| f64::from(point.x));
        let y = |points: [Vec2; 4]| points.map(|point| f64::from(point.y));
        let edge_x = f64x4::new(x(to)) - f64x4::new(x(from));
        let edge_y = f64x4::new(y(to)) - f64x4::new(y(from));
        Some(Self { x: x(from), y: y(from), edge_x, edge_y })
    }

    /// Returns the relation of two polygons: they are disjoint if the other lies entirely beyond
    /// an edge of one, and touch if it lies beyond or on the line of an edge.
    #[inline(always)]
    fn relation(&self, other: &Self) -> Relation {
        let least = self.depths_of(other).fast_min(other.depths_of(self)).to_array();
        let min = |a: f64, b: f64| if a < b { a } else { b };
        let least = min(min(least[0], least[1]), min(least[2], least[3]));
        // Branchless: the sign depends on the data and would mispredict.
        Relation::from_distance(0i8.cmp(&(i8::from(least > 0.0) - i8::from(least < 0.0))))
    }

    /// Returns how far the other polygon reaches across each edge, times the length of the edge.
    #[inline(always)]
    fn depths_of(&self, other: &Self) -> f64x4 {
        let (x, y) = (f64x4::new(self.x), f64x4::new(self.y));
        let depths = |vertex: usize| {
            let (at_x, at_y) = (f64x4::splat(other.x[vertex]), f64x4::splat(other.y[vertex]));
            self.edge_x * (at_y - y) - self.edge_y * (at_x - x)
        };
        depths(0).fast_max(depths(1)).fast_max(depths(2).fast_max(depths(3)))
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::prelude::*;

    /// Returns small triangles and quadrilaterals, moved by `off` along x. If `off` is a 64th of a step of
    /// the exact grid, they are not on it.
    fn polygons(off: f32) -> Vec<ConvexPolygon> {
        let mut seed = 3u32;
        let mut next = |n: u32| {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            (seed >> 16) % n
        };
        let mut point = || Vec2::new(next(5) as f32 + off, next(5) as f32);
        let mut all: Vec<ConvexPolygon> = Vec::new();
        while all.len() < 120 {
            let corners = [point(), point(), point(), point()];
            let hull = ConvexPolygon::hull(&corners[..3 + all.len() % 2]);
            all.extend(hull.ok().filter(|it| (3..=4).contains(&it.points().len())));
        }
        all
    }

    #[test]
    fn the_relation_on_the_exact_grid_agrees_with_the_one_off_it() {
        let (on, off) = (polygons(0.0), polygons(1.0 / 16384.0));
        let mut seen = [0; 3];
        for (a, c) in on.iter().zip(&off) {
            for (b, d) in on.iter().zip(&off) {
                let quads = GridQuad::new(a.points()).zip(GridQuad::new(b.points()));
                let (a_quad, b_quad) = quads.expect("on the grid");
                assert!(GridQuad::new(c.points()).is_none());
                let relation = a_quad.relation(&b_quad);
                assert_eq!(relation, exact_relation(&c.as_convex(), &d.as_convex()), "{a:?} {b:?}");
                seen[(relation as i8 + 1) as usize] += 1;
            }
        }
        assert!(seen.iter().all(|&times| times > 500), "{seen:?}");
    }
}
