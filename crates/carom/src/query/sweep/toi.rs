//! The time of impact of two convex shapes that move relative to each other.
//!
//! The gap of an edge ([`sat`](crate::query::sat)) changes linearly with time. Two polygons without
//! radii overlap while all gaps are negative, so the impact is over the edge whose gap becomes
//! negative last, provided that no other gap has become positive by then. With radii, the ray
//! through the space of translations hits a side or an arc of the rounded Minkowski difference.

use core::cmp::Ordering;
use core::ops::ControlFlow;

use glam::{DVec2, Vec2};
use wide::f32x4;

use super::surface::tied_normal;
use crate::math::exact::{Orientation, cross_sign, det, orient2d};
use crate::math::{cross, length, perp_cw, round_down, sqrt, to_vec2, try_normalize};
use crate::query::composite::with_translated;
use crate::query::contact::rounding_margin;
use crate::query::mtv::cspace::difference;
use crate::query::relation::Relation;
use crate::query::sat::{EdgeSeparation, Operand, block_gaps, error_bound, max_lane, walk_edges};
use crate::query::separation::{convex_relation, separation};
use crate::shape::convex::Convex;

/// An impact of two convex shapes, before rounding.
#[derive(Clone, Copy)]
pub(super) struct Impact {
    pub time: f64,
    /// The unit normal out of the shape that is hit.
    pub normal: DVec2,
    pub point: DVec2,
    /// The edge over which a polygon without a radius enters another.
    pub edge: Option<ImpactEdge>,
}

/// The sine of the angle below which a motion counts as parallel: over a whole motion, the deviation is
/// too small for `f32`.
pub(super) const PARALLEL_TOLERANCE: f64 = 1e-12;

/// An edge over which a polygon without a radius enters another.
#[derive(Clone, Copy)]
pub(super) struct ImpactEdge {
    pub owner: Operand,
    pub edge: usize,
}

impl ImpactEdge {
    /// Returns `true` if the line of the edge still separates the two when `a` is moved and rounded:
    /// a sufficient test that they do not overlap, which is faster than the full one.
    fn separates(self, a: &Convex<'_>, by: Vec2, b: &Convex<'_>) -> bool {
        let moved = |point: Vec2| to_vec2(point.as_dvec2() + by.as_dvec2());
        let is_outside =
            |start, end, point| orient2d(start, end, point) != Orientation::CounterClockwise;
        match self.owner {
            Operand::B => {
                let (start, end) = b.edge(self.edge);
                a.points.iter().all(|&point| is_outside(start, end, moved(point)))
            }
            Operand::A => {
                let (start, end) = a.edge(self.edge);
                let (start, end) = (moved(start), moved(end));
                // Rounding may have turned a sliver inside out.
                let is_inside =
                    |&point: &Vec2| orient2d(start, end, moved(point)) != Orientation::Clockwise;
                start != end
                    && a.points.iter().all(is_inside)
                    && b.points.iter().all(|&point| is_outside(start, end, point))
            }
        }
    }
}

/// An edge over which the impact may be, and the vertex of the other polygon that reaches it first.
#[derive(Clone, Copy)]
struct Candidate {
    edge: ImpactEdge,
    vertex: Vec2,
}

impl Candidate {
    /// Returns the point of contact when `a` is moved by `offset`, and whether the vertex lies beside the
    /// edge. A vertex beyond an end of the edge is the end of an edge along this one; the contact then begins
    /// at the end of this edge.
    fn contact(self, a: &Convex<'_>, offset: DVec2, b: &Convex<'_>) -> (DVec2, bool) {
        let owner = self.edge.owner;
        let placed = |point: Vec2, operand: Operand| {
            point.as_dvec2() + if operand == Operand::A { offset } else { DVec2::ZERO }
        };
        let (start, end) = owner.select(a, b).0.edge(self.edge.edge);
        let [start, end] = [start, end].map(|point| placed(point, owner));
        let vertex = placed(self.vertex, owner.other());
        let (edge, along) = (end - start, (end - start).dot(vertex - start));
        if along < 0.0 {
            (start, false)
        } else if along > edge.dot(edge) {
            (end, false)
        } else {
            (vertex, true)
        }
    }

    /// Returns the one of two simultaneous candidates that has the point of contact: of two neighboring edges
    /// with nearly the same normal, the edge beside the vertex.
    fn or_edge_beside_vertex(
        self,
        other: Self,
        a: &Convex<'_>,
        offset: DVec2,
        b: &Convex<'_>,
    ) -> Self {
        let is_neighbor = self.edge.owner == other.edge.owner;
        let is_better = || !self.contact(a, offset, b).1 && other.contact(a, offset, b).1;
        if is_neighbor && is_better() { other } else { self }
    }
}

// The filter in `f32`.

/// The result of the filter.
pub(super) enum SweepFilter {
    /// There is no hit.
    Miss,
    /// The shapes are disjoint, and the impact is over one of these edges. A bit set: the edges of
    /// `a` in the low half, those of `b` in the high half.
    Impact(u32),
    /// The shapes are disjoint at the start.
    Disjoint,
    Uncertain,
}

/// The number of edges per core that have a bit in the set.
const MAX_EDGES: usize = 16;
const MAX_BLOCKS: usize = MAX_EDGES / 4;

/// Computes the gaps and their rates of change, four edges at a time:
///
/// 1. An edge whose gap stays positive separates the shapes during the whole motion: a miss.
/// 2. For each closing edge, compute bounds of the time at which its gap becomes negative; for each
///    opening edge, a bound of the time at which its gap becomes positive.
/// 3. If the last closing is certainly before the first opening, the edges that may be the last to
///    close are left to compute in `f64`.
pub(super) fn filter(a: &Convex<'_>, motion: Vec2, b: &Convex<'_>) -> SweepFilter {
    if a.points.len() > MAX_EDGES || b.points.len() > MAX_EDGES {
        return SweepFilter::Uncertain;
    }
    let gap_error = error_bound(a, b);
    let rate_error = 4.0 * f32::EPSILON * (motion.x.abs() + motion.y.abs()) + 1e-43;
    let (gap_errors, rate_errors) = (f32x4::splat(gap_error), f32x4::splat(rate_error));
    let radii = a.radius + b.radius;
    // The gap above which the rounded shapes are certainly disjoint.
    let clear = f32x4::splat(radii + gap_error + f32::EPSILON * radii);
    let mut times = [[f32x4::splat(f32::NEG_INFINITY); MAX_BLOCKS]; 2];
    // A lower bound of the last entry, a lower bound of the first exit, the gaps at the start.
    let (mut enter, mut exit) = (f32x4::splat(f32::NEG_INFINITY), f32x4::splat(f32::INFINITY));
    let (mut max, mut uncertain) = (f32x4::splat(f32::NEG_INFINITY), 0);
    for (times, (owner, other, sign)) in times.iter_mut().zip([(a, b, -1.0), (b, a, 1.0)]) {
        let (x, y) = (f32x4::splat(sign * motion.x), f32x4::splat(sign * motion.y));
        for (half_planes, time) in owner.half_planes.iter().zip(times.iter_mut()) {
            let gap = block_gaps(half_planes, other.points, owner.points[0]);
            let rate = f32x4::new(half_planes.normal_x) * x + f32x4::new(half_planes.normal_y) * y;
            let separates = gap.simd_gt(clear) & (gap + rate).simd_gt(clear + rate_errors);
            if separates.to_bitmask() != 0 {
                return SweepFilter::Miss;
            }
            let (closes, opens) = (rate.simd_lt(-rate_errors), rate.simd_gt(rate_errors));
            // An edge that does neither matters only if its gap may be positive.
            uncertain |= (!(closes | opens) & gap.simd_gt(-gap_errors)).to_bitmask();
            let latest = (gap + gap_errors) / (-rate - rate_errors);
            let earliest = (gap - gap_errors) / (rate_errors - rate);
            *time = closes.select(latest, f32x4::splat(f32::NEG_INFINITY));
            enter = closes.select(enter.fast_max(earliest), enter);
            exit = opens.select(exit.fast_min((-gap - gap_errors) / (rate + rate_errors)), exit);
            max = max.fast_max(gap);
        }
    }
    if max_lane(max) > max_lane(clear) && radii > 0.0 {
        return SweepFilter::Disjoint;
    }
    if radii > 0.0 {
        return SweepFilter::Uncertain;
    }
    let last = times
        .iter()
        .flatten()
        .fold(f32x4::splat(f32::NEG_INFINITY), |last, &time| last.fast_max(time));
    let first_exit = -max_lane(-exit);
    let is_certain = max_lane(max) > gap_error && gap_error < f32::INFINITY && uncertain == 0;
    if !(is_certain && max_lane(last) < first_exit && max_lane(last) < 1.0) {
        return SweepFilter::Uncertain;
    }
    let floor = f32x4::splat(max_lane(enter));
    let mut edges = 0;
    for (half, (times, owner)) in times.iter().zip([a, b]).enumerate() {
        for (block, time) in times.iter().take(owner.half_planes.len()).enumerate() {
            let bits = time.simd_ge(floor).to_bitmask() << (4 * block);
            edges |= (bits & ((1 << owner.edge_count()) - 1)) << (half * MAX_EDGES);
        }
    }
    if edges == 0 { SweepFilter::Uncertain } else { SweepFilter::Impact(edges) }
}

/// Returns the impact of two polygons that certainly hit over one of a set of edges: the one whose
/// gap closes last.
pub(super) fn impact_over_edges(
    a: &Convex<'_>,
    motion: DVec2,
    b: &Convex<'_>,
    mut edges: u32,
) -> Impact {
    let mut last: Option<(f64, DVec2, Candidate)> = None;
    let reach = reach(a, b);
    while edges != 0 {
        let bit = edges.trailing_zeros() as usize;
        let owner = if bit < MAX_EDGES { Operand::A } else { Operand::B };
        let (convex, other) = if owner == Operand::A { (a, b) } else { (b, a) };
        let edge = bit % MAX_EDGES;
        let (_, normal) = convex.edge_normal(edge);
        let start = convex.points[edge].as_dvec2();
        let nearest = (f64::INFINITY, other.points[0]);
        let (gap, vertex) = other.points.iter().fold(nearest, |best, &point| {
            let along = normal.dot(point.as_dvec2() - start);
            if along < best.0 { (along, point) } else { best }
        });
        let rate = normal.dot(motion).abs();
        let time = (gap / rate).max(0.0);
        let out = if owner == Operand::B { normal } else { -normal };
        let error = 4e-15 * reach / rate;
        let candidate = Candidate { edge: ImpactEdge { owner, edge }, vertex };
        match &mut last {
            Some((latest, last_out, best)) if (time - *latest).abs() <= 2.0 * error => {
                *last_out = tied_normal(*last_out, out, motion);
                *latest = latest.max(time);
                *best = best.or_edge_beside_vertex(candidate, a, motion * *latest, b);
            }
            Some((latest, ..)) if time < *latest => {}
            _ => last = Some((time, out, candidate)),
        }
        edges &= edges - 1;
    }
    let Some((time, normal, candidate)) = last else {
        return Impact { time: 0.0, normal: DVec2::X, point: a.points[0].as_dvec2(), edge: None };
    };
    let (point, _) = candidate.contact(a, motion * time, b);
    Impact { time, normal, point, edge: Some(candidate.edge) }
}

// The time of impact in `f64`.

/// Returns the impact of two convex shapes that touch or are disjoint at the start.
pub(super) fn time_of_impact(
    a: &Convex<'_>,
    motion: DVec2,
    b: &Convex<'_>,
    relation: Relation,
) -> Option<Impact> {
    if motion == DVec2::ZERO {
        None
    } else if a.radius > 0.0 || b.radius > 0.0 {
        impact_of_rounded(a, motion, b, relation)
    } else if can_only_touch(a, b) {
        impact_of_segments(a, motion, b, relation)
    } else {
        impact_of_polygons(a, motion, b)
    }
}

/// Returns `true` if two shapes can touch but not overlap: points, and parallel segments.
pub(super) fn can_only_touch(a: &Convex<'_>, b: &Convex<'_>) -> bool {
    if !(a.has_no_area() && b.has_no_area()) {
        return false;
    }
    let (Some(&a_end), Some(&b_end)) = (a.points.get(1), b.points.get(1)) else { return true };
    cross_sign(a.points[0], a_end, b.points[0], b_end) == Ordering::Equal
}

/// Returns the impact of polygons without radii: over the edge whose gap closes last, if no gap has
/// opened by then.
fn impact_of_polygons(a: &Convex<'_>, motion: DVec2, b: &Convex<'_>) -> Option<Impact> {
    let speed = length(motion);
    let reach = reach(a, b);
    // The last entry, an upper bound of it, and a lower bound of the first exit.
    let (mut enter, mut enter_at_most) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    let mut exit_at_least = f64::INFINITY;
    let mut last: Option<(Candidate, DVec2)> = None;
    for (convex, other, owner) in [(b, a, Operand::B), (a, b, Operand::A)] {
        let relative_motion = if owner == Operand::A { -motion } else { motion };
        let walk = walk_edges(convex, other, |separation, _| {
            let (gap, rate) = (separation.gap, separation.normal.dot(relative_motion));
            // Along an axis, as between tiles, both are differences of coordinates.
            let is_axis_aligned = separation.normal.x == 0.0 || separation.normal.y == 0.0;
            let is_doubtful =
                gap.abs() <= DOUBT_TOLERANCE * reach || rate.abs() <= DOUBT_TOLERANCE * speed;
            let (gap, rate) = if is_doubtful && !is_axis_aligned {
                accurate_gap_and_rate(convex.edge(separation.edge), relative_motion, other)
            } else {
                (gap, rate)
            };
            let size = if is_doubtful || is_axis_aligned { gap.abs() } else { reach };
            // Beyond an edge and not approaching it: no hit, unless the gap is negative by less
            // than a float can represent.
            if gap >= 0.0 && rate >= 0.0 {
                let is_across = gap == 0.0
                    && rate == 0.0
                    && reaches_across(convex.edge(separation.edge), other);
                return if is_across { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
            }
            let (time, error) = (gap / -rate, 4e-15 * size / rate.abs());
            if rate > 0.0 {
                exit_at_least = exit_at_least.min(time - error);
            } else if rate < 0.0 {
                enter_at_most = enter_at_most.max(time + error);
                let separation = EdgeSeparation { owner, ..separation };
                let normal = separation.normal_towards_a();
                let candidate = Candidate {
                    edge: ImpactEdge { owner, edge: separation.edge },
                    vertex: other.points[separation.support],
                };
                match &mut last {
                    Some((best, tied)) if (time - enter).abs() <= 2.0 * error => {
                        *tied = tied_normal(*tied, normal, motion);
                        enter = enter.max(time);
                        *best =
                            best.or_edge_beside_vertex(candidate, a, motion * enter.max(0.0), b);
                    }
                    _ if time > enter => (enter, last) = (time, Some((candidate, normal))),
                    _ => {}
                }
            }
            ControlFlow::Continue(())
        });
        if walk.is_break() {
            return None;
        }
    }
    let only_grazes = exit_at_least <= enter_at_most;
    if only_grazes || enter > 1.0 || exit_at_least <= 0.0 {
        return None;
    }
    let ((candidate, normal), time) = (last?, enter.max(0.0));
    let (point, _) = candidate.contact(a, motion * time, b);
    Some(Impact { time, normal, point, edge: Some(candidate.edge) })
}

/// Returns the largest L1 distance of a vertex of one core from a vertex of the other.
fn reach(a: &Convex<'_>, b: &Convex<'_>) -> f64 {
    let between = (b.points[0].as_dvec2() - a.points[0].as_dvec2()).abs();
    between.x + between.y + a.extent + b.extent
}

/// Returns `true` if a vertex lies on the inner side of an edge. Exact.
#[cold]
fn reaches_across((start, end): (Vec2, Vec2), other: &Convex<'_>) -> bool {
    other.points.iter().any(|&point| orient2d(start, end, point) == Orientation::CounterClockwise)
}

/// A gap or rate below this, relative to the largest possible one, is computed again more
/// accurately.
const DOUBT_TOLERANCE: f64 = 1e-9;

/// Returns the gap of an edge, measured from the nearer end for each vertex, and its rate of change.
/// Their signs are right if the differences of coordinates are, also for tiny numbers.
#[cold]
fn accurate_gap_and_rate(
    (start, end): (Vec2, Vec2),
    relative_motion: DVec2,
    other: &Convex<'_>,
) -> (f64, f64) {
    let [start, end] = [start, end].map(|p| p.as_dvec2());
    let edge = end - start;
    let along_normal = |v: DVec2| det(v.x, edge.y, v.y, edge.x) / length(edge);
    let gaps = other.points.iter().map(|point| {
        let [from_start, from_end] = [start, end].map(|p| point.as_dvec2() - p);
        let is_start_nearer = from_start.length_squared() <= from_end.length_squared();
        along_normal(if is_start_nearer { from_start } else { from_end })
    });
    (gaps.fold(f64::INFINITY, f64::min), along_normal(relative_motion))
}

/// Returns the impact of shapes with radii: the ray hits a side of the rounded Minkowski difference
/// or the circle at one of its vertices, whichever comes first.
fn impact_of_rounded(
    a: &Convex<'_>,
    motion: DVec2,
    b: &Convex<'_>,
    relation: Relation,
) -> Option<Impact> {
    let speed = length(motion);
    if relation == Relation::Touching {
        let separation = separation(a, b, 0.0)?;
        let closing = -separation.normal.dot(motion);
        return (closing > PARALLEL_TOLERANCE * speed).then(|| Impact {
            time: 0.0,
            normal: separation.normal,
            point: separation.point_b + separation.normal * f64::from(b.radius),
            edge: None,
        });
    }
    let ring = difference(b, a);
    let radius = f64::from(a.radius) + f64::from(b.radius);
    let direction = motion / speed;
    // A miss if the whole ring lies to one side of the ray.
    let side = |vertex: &DVec2| cross(direction, *vertex);
    let low = ring.iter().map(side).fold(f64::INFINITY, f64::min);
    let high = ring.iter().map(side).fold(f64::NEG_INFINITY, f64::max);
    if low >= radius || high <= -radius {
        return None;
    }
    let n = ring.len();
    let mut first: Option<(f64, DVec2)> = None;
    let mut consider = |distance: f64, tolerance: f64, normal: DVec2| {
        // The shapes are disjoint: a time just before the start is the start.
        let time = if distance >= -tolerance { distance.max(0.0) / speed } else { -1.0 };
        if (0.0..=1.0).contains(&time) && first.is_none_or(|(best, _)| time < best) {
            first = Some((time, normal));
        }
    };
    for i in 0..n {
        let vertex = ring[i];
        // The circle at the vertex: the ray enters it half a chord before it passes the vertex.
        let (along, side) = (direction.dot(vertex), side(&vertex));
        let square = (radius - side.abs()) * (radius + side.abs());
        if square > PARALLEL_TOLERANCE * radius * radius && along > 0.0 {
            let half = sqrt(square).min(along);
            consider(along - half, 0.0, perp_cw(direction) * side - direction * half);
        }
        // The side, which is the edge moved outwards by the radius.
        let edge = ring[if i + 1 == n { 0 } else { i + 1 }] - vertex;
        let out = perp_cw(edge);
        let closing = -out.dot(direction);
        if n > 1 && closing > 0.0 {
            let square = edge.dot(edge);
            let edge_length = sqrt(square);
            let distance = (-out.dot(vertex) - radius * edge_length) / closing;
            let foot = edge.dot(direction * distance - vertex);
            let tolerance = PARALLEL_TOLERANCE
                * (length(vertex) + radius + edge_length)
                * (edge_length / closing);
            // If it enters just before the side ends, and nearly parallel to it, it only grazes.
            let remaining = if edge.dot(direction) > 0.0 { square - foot } else { foot };
            let only_grazes = closing < 1e-6 * edge_length && remaining <= tolerance * edge_length;
            if closing > PARALLEL_TOLERANCE * edge_length
                && (0.0..=square).contains(&foot)
                && !only_grazes
            {
                consider(distance, tolerance, out);
            }
        }
    }
    let (time, normal) = first?;
    let normal = try_normalize(normal)?;
    let point = if let [center] = *a.points {
        center.as_dvec2() + motion * time - normal * f64::from(a.radius)
    } else {
        with_translated(a, to_vec2(motion * time), |a| separation(&a, b, f64::INFINITY))
            .map_or(b.points[0].as_dvec2(), |s| s.point_b + s.normal * f64::from(b.radius))
    };
    Some(Impact { time, normal, point, edge: None })
}

/// Returns the impact of points and parallel segments, whose Minkowski difference is a point or a
/// segment: the ray crosses it or runs into its end. If they touch, every motion leads away.
fn impact_of_segments(
    a: &Convex<'_>,
    motion: DVec2,
    b: &Convex<'_>,
    relation: Relation,
) -> Option<Impact> {
    if relation == Relation::Touching {
        return None;
    }
    let ring = difference(b, a);
    let speed = length(motion);
    let (start, end) = (ring[0], ring[ring.len() - 1]);
    let side = |p: DVec2| {
        let side = cross(motion, p);
        if side.abs() <= PARALLEL_TOLERANCE * speed * length(p) { 0.0 } else { side }
    };
    let (side_start, side_end) = (side(start), side(end));
    if side_start * side_end > 0.0 {
        return None;
    }
    let (time, normal) = if side_start == side_end {
        // Head-on: the nearer end.
        let along = |p: DVec2| motion.dot(p) / (speed * speed);
        (along(start).min(along(end)), -motion / speed)
    } else {
        let hit = start + (end - start) * (side_start / (side_start - side_end));
        let normal = try_normalize(perp_cw(end - start))?;
        let against = if normal.dot(motion) > 0.0 { -normal } else { normal };
        (motion.dot(hit) / (speed * speed), against)
    };
    if !(0.0..=1.0).contains(&time) {
        return None;
    }
    let point = with_translated(a, to_vec2(motion * time), |a| separation(&a, b, f64::INFINITY))
        .map_or(b.points[0].as_dvec2(), |separation| separation.point_b);
    Some(Impact { time, normal, point, edge: None })
}

// Rounding the time of impact to `f32`.

/// Returns the latest `f32` time at which the relation of the moved shape to `b` is beyond `stop`.
/// Nearly always it suffices to test whether the impact edge still separates the two.
pub(super) fn convex_clear_time(
    a: &Convex<'_>,
    impact: &Impact,
    motion: Vec2,
    b: &Convex<'_>,
    stop: Relation,
) -> f32 {
    if let Some(edge) = impact.edge {
        let back = rounding_time(a.points, impact, motion);
        // If the shape nearly slides along the edge, that time is long; the distance limits it.
        let longest = rounding_distance(a.points, impact, motion) / length(motion.as_dvec2());
        for step in [0.0, back / 16.0, back / 8.0, back / 4.0] {
            let time = round_down(impact.time - longest.min(step));
            if time > 0.0 && edge.separates(a, motion * time, b) {
                return time;
            }
        }
    }
    latest_clear_time(a.points, impact, motion, |by| {
        with_translated(a, by, |a| convex_relation(&a, b) > stop)
    })
}

/// Returns the time before an impact at which a shape is clear of it for any rounding of its vertices.
fn rounding_time(points: &[Vec2], impact: &Impact, motion: Vec2) -> f64 {
    let closing = -impact.normal.dot(motion.as_dvec2());
    rounding_distance(points, impact, motion) / closing.max(f64::MIN_POSITIVE)
}

/// Returns the largest distance by which rounding may move the vertices of a shape at an impact.
fn rounding_distance(points: &[Vec2], impact: &Impact, motion: Vec2) -> f64 {
    let far = points.iter().fold(0.0f32, |far, p| far.max(p.x.abs()).max(p.y.abs()));
    rounding_margin(f64::from(far) + length(motion.as_dvec2()) * impact.time)
}

/// Returns the latest `f32` time, not after the impact, at which the moved shape is clear. Rounding
/// may have moved it into the other shape at the impact, and again at some times before:
///
/// 1. Round the time down; usually it is clear.
/// 2. Step back, doubling the step, to a clear time.
/// 3. Bisect between that time and the earliest one that is not clear.
pub(super) fn latest_clear_time(
    points: &[Vec2],
    impact: &Impact,
    motion: Vec2,
    is_clear: impl Fn(Vec2) -> bool,
) -> f32 {
    let time = round_down(impact.time);
    if time <= 0.0 || is_clear(motion * time) {
        return time.max(0.0);
    }
    let back = rounding_time(points, impact, motion);
    let finest = f64::from(f32::EPSILON) * impact.time;
    let mut step = (back / 16.0).clamp(finest, impact.time.max(finest));
    let (mut clear, mut inside) = (0.0, time);
    loop {
        let earlier = round_down(impact.time - step);
        if earlier <= 0.0 || is_clear(motion * earlier) {
            clear = earlier.max(clear);
            if step * length(motion.as_dvec2()) <= rounding_distance(points, impact, motion) {
                return clear; // no farther away than rounding, even if it only grazes
            }
            break;
        }
        inside = earlier.min(inside);
        step *= 2.0;
    }
    loop {
        let middle = clear + (inside - clear) / 2.0;
        if middle <= clear || middle >= inside {
            return clear;
        }
        if is_clear(motion * middle) { clear = middle } else { inside = middle }
    }
}
