//! The separation of two convex shapes: signed distance, normal and closest points.
//!
//! A convex shape is a *core* (a point, a segment or a polygon) with a radius. The steps:
//!
//! 1. Find the edge of maximum separation of the cores ([`max_separation_edge`]).
//! 2. If the cores touch or overlap, the gap of that edge is minus the penetration depth, and its
//!    normal is the direction of least penetration.
//! 3. If they are disjoint, that edge, or one of its ends, is where the closest points are: walk
//!    from there to the closest features ([`Closest`]).
//! 4. Subtract the radii from the distance. If the sign of the result is uncertain, compare the
//!    distance with the sum of the radii exactly.
//!
//! Two points, and two segments with radii (capsules), have fast paths.

use core::cmp::Ordering;

use glam::{DVec2, Vec2};
use wide::f64x4;

use crate::math::exact::{cmp_distance, cmp_line_distance, dot_sign};
use crate::math::{length, perp_cw, sqrt};
use crate::query::relation::Relation;
use crate::query::sat::{EdgeSeparation, Operand, core_relation, max_separation_edge};
use crate::shape::convex::Convex;

/// The separation of two convex shapes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Separation {
    /// The exact relation.
    pub relation: Relation,
    /// The signed distance: the distance, or minus the penetration depth.
    pub distance: f64,
    /// The unit vector out of `b` towards `a`: the direction of least penetration, or of the
    /// closest points.
    pub normal: DVec2,
    /// The closest points of the cores (witness points). For overlapping cores, the deepest vertex
    /// and its projection onto the reference edge.
    pub point_a: DVec2,
    pub point_b: DVec2,
    /// The edge whose normal this is; `None` if two vertices are closest.
    pub reference_edge: Option<EdgeSeparation>,
}

/// The normal for two points at the same position, which have no other.
const ARBITRARY_NORMAL: DVec2 = DVec2::X;

/// Returns the relation of two convex shapes. Exact.
#[inline]
pub(crate) fn convex_relation(a: &Convex<'_>, b: &Convex<'_>) -> Relation {
    if a.radius == 0.0 && b.radius == 0.0 {
        core_relation(a, b)
    } else {
        separation(a, b, 0.0).map_or(Relation::Disjoint, |separation| separation.relation)
    }
}

/// Returns the separation of two convex shapes; `None` if their distance certainly exceeds
/// `limit`.
#[inline(always)]
pub(crate) fn separation(a: &Convex<'_>, b: &Convex<'_>, limit: f64) -> Option<Separation> {
    match (a.points.len(), b.points.len()) {
        (1, 1) => point_separation(a, b, limit),
        (2, 2) if a.radius + b.radius > 0.0 => segment_separation(a, b, limit),
        _ => polygon_separation(a, b, limit),
    }
}

/// Returns the separation of two circles.
#[inline(always)]
fn point_separation(a: &Convex<'_>, b: &Convex<'_>, limit: f64) -> Option<Separation> {
    let (point_a, point_b) = (a.points[0].as_dvec2(), b.points[0].as_dvec2());
    let radii = f64::from(a.radius) + f64::from(b.radius);
    let between = point_a - point_b;
    let distance = length(between);
    if distance > (radii + limit) * (1.0 + 1e-12) {
        return None;
    }
    let relation =
        Relation::from_distance(cmp_distance(a.points[0], b.points[0], a.radius, b.radius));
    let normal = if distance > 0.0 { between / distance } else { ARBITRARY_NORMAL };
    Some(Separation {
        relation,
        distance: distance - radii,
        normal,
        point_a,
        point_b,
        reference_edge: None,
    })
}

/// Returns the separation of two capsules.
#[inline(never)]
fn segment_separation(a: &Convex<'_>, b: &Convex<'_>, limit: f64) -> Option<Separation> {
    let Some((closest, edge)) = closest_segments(a, b) else {
        return polygon_separation(a, b, limit);
    };
    let radii = f64::from(a.radius) + f64::from(b.radius);
    if closest.distance > (radii + limit) * (1.0 + 1e-9) + 1e-12 * (a.extent + b.extent) {
        return None;
    }
    let relation = Relation::from_distance(cmp_distance_to_radii(a, b, &closest));
    Some(from_closest(&closest, &edge, relation, radii))
}

/// Returns the separation in general.
#[inline(always)]
fn polygon_separation(a: &Convex<'_>, b: &Convex<'_>, limit: f64) -> Option<Separation> {
    let radii = f64::from(a.radius) + f64::from(b.radius);
    let edge = max_separation_edge(a, b, radii + limit)?;
    Some(separation_along(a, b, edge, radii))
}

/// Returns the separation, given the edge of maximum separation of the cores.
#[inline(always)]
pub(crate) fn separation_along(
    a: &Convex<'_>,
    b: &Convex<'_>,
    edge: EdgeSeparation,
    radii: f64,
) -> Separation {
    let cores = core_relation_along(a, b, &edge);
    if cores == Relation::Disjoint {
        return disjoint_separation(a, b, &edge, radii);
    }
    let (_, other) = edge.owner.select(a, b);
    let vertex = other.points[edge.support].as_dvec2();
    let gap = edge.gap.min(0.0);
    let foot = vertex - edge.normal * gap;
    let relation = if radii > 0.0 { Relation::Overlapping } else { cores };
    let distance = if cores == Relation::Touching { -radii } else { gap - radii };
    let (normal, point_a, point_b) = match edge.owner {
        Operand::A => (-edge.normal, foot, vertex),
        Operand::B => (edge.normal, vertex, foot),
    };
    Separation { relation, distance, normal, point_a, point_b, reference_edge: Some(edge) }
}

/// Returns the exact relation of the cores, by the gap in `f64` if its sign is certain. The error
/// bound is that of all edges, because rounding may have hidden that another edge has the largest
/// gap.
#[inline(always)]
fn core_relation_along(a: &Convex<'_>, b: &Convex<'_>, edge: &EdgeSeparation) -> Relation {
    let between = (b.points[0] - a.points[0]).abs();
    let error = 1e-13 * (a.extent + b.extent + f64::from(between.x + between.y));
    if edge.gap > error {
        Relation::Disjoint
    } else if edge.gap < -error {
        Relation::Overlapping
    } else {
        core_relation(a, b)
    }
}

/// Returns the separation of two shapes with disjoint cores.
#[inline(always)]
fn disjoint_separation(
    a: &Convex<'_>,
    b: &Convex<'_>,
    edge: &EdgeSeparation,
    radii: f64,
) -> Separation {
    let closest = closest(a, b, edge);
    let relation = if radii > 0.0 {
        Relation::from_distance(cmp_distance_to_radii(a, b, &closest))
    } else {
        Relation::Disjoint
    };
    from_closest(&closest, edge, relation, radii)
}

#[inline(always)]
fn from_closest(
    closest: &Closest,
    edge: &EdgeSeparation,
    relation: Relation,
    radii: f64,
) -> Separation {
    // The edge is the reference edge only if the closest points lie across it.
    let is_across = closest.on_edge && closest.normal.dot(edge.normal_towards_a()) > 1.0 - 1e-9;
    Separation {
        relation,
        distance: closest.distance - radii,
        normal: closest.normal,
        point_a: closest.point_a,
        point_b: closest.point_b,
        reference_edge: is_across.then_some(*edge),
    }
}

/// The closest points of two disjoint cores, in `f64`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closest {
    pub distance: f64,
    pub point_a: DVec2,
    pub point_b: DVec2,
    /// The unit vector from `point_b` to `point_a`.
    pub normal: DVec2,
    /// `true` if one of the points lies inside an edge, so that the normal is that of the edge.
    pub on_edge: bool,
}

/// Returns the closest points of two disjoint cores, given the edge of maximum separation.
///
/// They are on that edge and at its support point, or at an end of the edge and near that support
/// point: as a function of the direction, the gap is concave where it is positive, so the best edge
/// is next to the best direction.
#[inline(always)]
fn closest(a: &Convex<'_>, b: &Convex<'_>, edge: &EdgeSeparation) -> Closest {
    let (owner, other) = if edge.owner == Operand::A { (a, b) } else { (b, a) };
    let (start, end) = owner.edge(edge.edge);
    let vertex = other.points[edge.support].as_dvec2();
    let (start, side) = (start.as_dvec2(), end.as_dvec2() - start.as_dvec2());
    let along = side.dot(vertex - start);
    let closest = if along > 0.0 && along < side.dot(side) && edge.gap > 0.0 {
        Closest {
            distance: edge.gap,
            point_a: vertex - edge.normal * edge.gap,
            point_b: vertex,
            normal: -edge.normal,
            on_edge: true,
        }
    } else {
        let near = if along > 0.0 { edge.edge + 1 } else { edge.edge };
        let near = if near == owner.points.len() { 0 } else { near };
        let (p, q) = (owner.points[near], other.points[edge.support]);
        // Always walk from the same core, so that swapping them swaps the result to the bit.
        if (p.x, p.y) <= (q.x, q.y) {
            walk_to_closest(owner, near, other, edge.support, edge.normal)
        } else {
            walk_to_closest(other, edge.support, owner, near, -edge.normal).swapped()
        }
    };
    if edge.owner == Operand::A { closest } else { closest.swapped() }
}

/// Returns the closest points of two cores, walking downhill from vertex `i` of `p` and vertex `j`
/// of `q`. `out` is a direction from `p` to `q`, for vertices at the same position.
#[inline(never)]
fn walk_to_closest(p: &Convex<'_>, i: usize, q: &Convex<'_>, j: usize, out: DVec2) -> Closest {
    let neighbors = |convex: &Convex<'_>, i: usize| {
        let last = convex.points.len() - 1;
        [if i == 0 { last } else { i - 1 }, if i == last { 0 } else { i + 1 }]
    };
    let (mut i, mut j) = (i, j);
    let mut best = Closest::of_points(p.points[i].as_dvec2(), q.points[j].as_dvec2(), out);
    for _ in 0..p.points.len() + q.points.len() {
        let (from_i, from_j) = (i, j);
        let (vertex_p, vertex_q) = (p.points[i].as_dvec2(), q.points[j].as_dvec2());
        // An edge that leads away from the other vertex comes no closer than its start.
        for to in neighbors(p, from_i) {
            let end = p.points[to].as_dvec2();
            if (end - vertex_p).dot(vertex_q - vertex_p) <= 0.0 {
                continue;
            }
            let (found, at_end) = Closest::on_edge(vertex_p, end, vertex_q, out);
            if found.is_closer_than(&best) {
                best = found;
                (i, j) = (if at_end { to } else { from_i }, from_j);
            }
        }
        for to in neighbors(q, from_j) {
            let end = q.points[to].as_dvec2();
            if (end - vertex_q).dot(vertex_p - vertex_q) <= 0.0 {
                continue;
            }
            let (found, at_end) = Closest::on_edge(vertex_q, end, vertex_p, -out);
            if found.is_closer_than(&best) {
                best = found.swapped();
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
    #[inline(always)]
    fn swapped(self) -> Self {
        Self { point_a: self.point_b, point_b: self.point_a, normal: -self.normal, ..self }
    }

    /// Returns `true` if the points are closer than others from which they were found. Along an edge
    /// that leads closer, a point is closer than the vertex at its start even if rounding hides the
    /// difference. But a point inside an edge is kept, because its normal is more accurate.
    fn is_closer_than(&self, other: &Self) -> bool {
        let accepts_tie = self.on_edge || !other.on_edge;
        self.distance < if accepts_tie { other.distance * (1.0 + 1e-15) } else { other.distance }
    }

    /// Returns the closest points of two points; `out` is the direction from the first to the
    /// second if they coincide.
    fn of_points(point_a: DVec2, point_b: DVec2, out: DVec2) -> Self {
        let between = point_a - point_b;
        let distance = length(between);
        let normal = if distance > 0.0 { between / distance } else { -out };
        Self { distance, point_a, point_b, normal, on_edge: false }
    }

    /// Returns the closest points of the edge from `start` to `end` and a point, and whether `end`
    /// is one of them.
    fn on_edge(start: DVec2, end: DVec2, point: DVec2, out: DVec2) -> (Self, bool) {
        let edge = end - start;
        let (along, square) = (edge.dot(point - start), edge.dot(edge));
        if along <= 0.0 || square == 0.0 {
            return (Self::of_points(start, point, out), false);
        }
        if along >= square {
            return (Self::of_points(end, point, out), true);
        }
        // The normal of the edge is accurate however close the point is.
        let normal = perp_cw(edge) / sqrt(square);
        let gap = normal.dot(point - start);
        // If rounding hides on which side the point lies, `out` decides.
        let far = (point - start).abs();
        let is_hidden = gap.abs() <= 1e-14 * (far.x + far.y);
        let behind = if is_hidden { normal.dot(out) < 0.0 } else { gap < 0.0 };
        let (distance, normal) = (gap.abs(), if behind { normal } else { -normal });
        let point_a = start + edge * (along / square);
        (Self { distance, point_a, point_b: point, normal, on_edge: true }, false)
    }
}

/// Returns the closest points of two segments, by testing each of the four ends against the other
/// segment at once; `None` if the segments touch, cross or nearly do.
#[inline(always)]
pub(crate) fn closest_segments(
    a: &Convex<'_>,
    b: &Convex<'_>,
) -> Option<(Closest, EdgeSeparation)> {
    let [a0, a1, b0, b1] =
        [a.points[0], a.points[1], b.points[0], b.points[1]].map(|point| point.as_dvec2());
    let (out_a, out_b) = (a.half_planes[0].normals[0], b.half_planes[0].normals[0]);
    // Lanes: the ends of `a` against `b`, then the ends of `b` against `a`.
    let lanes = |p: f64, q: f64, r: f64, s: f64| f64x4::new([p, q, r, s]);
    let (nx, ny) =
        (lanes(out_b.x, out_b.x, out_a.x, out_a.x), lanes(out_b.y, out_b.y, out_a.y, out_a.y));
    // The position of each end beside and along the segment, relative to an end of the segment.
    let relative_to = |b: DVec2, a: DVec2| {
        let wx = lanes(a0.x - b.x, a1.x - b.x, b0.x - a.x, b1.x - a.x);
        let wy = lanes(a0.y - b.y, a1.y - b.y, b0.y - a.y, b1.y - a.y);
        (nx * wx + ny * wy, nx * wy - ny * wx)
    };
    let ((beside, along), (beside_end, beyond_end)) = (relative_to(b0, a0), relative_to(b1, a1));
    // Relative to the nearer end it is more accurate: rounding grows with the distance.
    let beside = (along + beyond_end).simd_gt(f64x4::ZERO).select(beside_end, beside);
    let beyond = (-along).fast_max(beyond_end).fast_max(f64x4::ZERO);
    let squares = (beyond * beyond + beside * beside).to_array();
    let (besides, alongs, beyonds) = (beside.to_array(), along.to_array(), beyond.to_array());
    // The ends of each lie on both sides of the other's line: they cross, or nearly do.
    if (besides[0] * besides[1] <= 0.0) & (besides[2] * besides[3] <= 0.0) {
        return None;
    }
    // If rounding hides which of two lanes is closer, take the one less far beyond the ends.
    let closer = |i: usize, j: usize| {
        let is_tie = (squares[j] - squares[i]).abs() <= 1e-15 * squares[i];
        let is_lower = if is_tie & (beyonds[j] != beyonds[i]) {
            beyonds[j] < beyonds[i]
        } else {
            squares[j] < squares[i]
        };
        if is_lower { j } else { i }
    };
    let lane = closer(closer(0, 1), closer(2, 3));
    let (owner, support) = (if lane >= 2 { Operand::A } else { Operand::B }, lane % 2);
    let (start, out) = [(b0, out_b), (a0, out_a)][usize::from(owner == Operand::A)];
    let point = [a0, a1, b0, b1][lane];
    let (beside, along, beyond) = (besides[lane], alongs[lane], beyonds[lane]);
    let distance = sqrt(squares[lane]);
    // Rounding would decide between ends and sides: leave the choice to the general path.
    if distance.is_nan() || distance <= 1e-10 * (a.extent + b.extent) {
        return None;
    }
    let forward = DVec2::new(-out.y, out.x);
    let ahead = if along < 0.0 { -beyond } else { beyond };
    let normal = (out * beside + forward * ahead) / distance;
    let foot = start + forward * (along - ahead);
    // The edge that faces the point, in one direction or the other.
    let edge = usize::from(beside < 0.0);
    let edge = EdgeSeparation { owner, edge, support, normal, gap: distance };
    let on_edge = beyond == 0.0;
    let closest = Closest { distance, point_a: foot, point_b: point, normal: -normal, on_edge };
    Some((if owner == Operand::A { closest } else { closest.swapped() }, edge))
}

/// Compares the distance of two disjoint cores with the sum of their radii. Exact. `closest` holds
/// their closest points in `f64`.
#[inline]
fn cmp_distance_to_radii(a: &Convex<'_>, b: &Convex<'_>, closest: &Closest) -> Ordering {
    let radii = f64::from(a.radius) + f64::from(b.radius);
    let distance = closest.distance;
    // Far more than the few roundings of the distance.
    let error = 1e-12 * (distance + radii + a.extent + b.extent);
    if (distance - radii).abs() > error {
        return if distance > radii { Ordering::Greater } else { Ordering::Less };
    }
    cmp_features_to_radii(a, b, radii + 16.0 * error)
}

/// Makes the exact comparison, over all pairs of a vertex and an edge within `max_distance`. The
/// closest direction cannot be used to select them: beside a long edge it is not accurate enough.
#[cold]
#[inline(never)]
fn cmp_features_to_radii(a: &Convex<'_>, b: &Convex<'_>, max_distance: f64) -> Ordering {
    let mut result = Ordering::Greater;
    for (p, q) in [(a, b), (b, a)] {
        for &vertex in p.points {
            for j in 0..q.points.len() {
                let (start, end) = q.edge(j);
                let start_at = start.as_dvec2();
                let (edge, at) = (end.as_dvec2() - start_at, vertex.as_dvec2() - start_at);
                let t = (edge.dot(at) / edge.dot(edge).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
                if length(at - edge * t) <= max_distance {
                    let cmp = cmp_point_segment(vertex, start, end, a.radius, b.radius);
                    result = result.min(cmp);
                }
            }
        }
    }
    result
}

/// Compares the distance of a point from a segment with the sum of two radii. Exact.
pub(crate) fn cmp_point_segment(p: Vec2, a: Vec2, b: Vec2, r: f32, s: f32) -> Ordering {
    if dot_sign(a, b, a, p) != Ordering::Greater {
        cmp_distance(a, p, r, s)
    } else if dot_sign(b, a, b, p) != Ordering::Greater {
        cmp_distance(b, p, r, s)
    } else {
        cmp_line_distance(a, b, a, p, r, s)
    }
}
