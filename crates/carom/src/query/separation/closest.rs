//! Where two cores that are apart come closest, in `f64`.

use glam::DVec2;
use wide::f64x4;

use crate::math::{length, perp_cw, sqrt};
use crate::query::sat::Axis;
use crate::shape::convex::Convex;

/// Where two cores that are apart come closest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closest {
    pub distance: f64,
    pub point_a: DVec2,
    pub point_b: DVec2,
    /// The unit vector from `point_b` to `point_a`.
    pub normal: DVec2,
    /// Whether one of the two lies within an edge, so that the normal is that edge's.
    pub on_edge: bool,
}

/// Where two cores come closest, given the edge with the largest gap, which is not below zero.
///
/// The closest points lie on that edge and the corner furthest in, or at one end of the edge and
/// around that corner. (The gap as a function of direction is concave where it is positive, so the
/// best edge is next to the best direction.)
#[inline(always)]
pub(crate) fn closest(a: &Convex<'_>, b: &Convex<'_>, axis: &Axis) -> Closest {
    let (owner, other) = if axis.of_a { (a, b) } else { (b, a) };
    let (start, end) = owner.edge(axis.edge);
    let corner = other.points[axis.support].as_dvec2();
    let (start, side) = (start.as_dvec2(), end.as_dvec2() - start.as_dvec2());
    let along = side.dot(corner - start);
    let closest = if along > 0.0 && along < side.dot(side) && axis.gap > 0.0 {
        Closest {
            distance: axis.gap,
            point_a: corner - axis.normal * axis.gap,
            point_b: corner,
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
            closest_around(other, axis.support, owner, near, -axis.normal).swapped()
        }
    };
    if axis.of_a { closest } else { closest.swapped() }
}

/// The closest points of two cores, walking downhill from a pair of corners. `out` is a direction
/// from the first to the second, for corners that coincide.
#[inline(never)]
fn closest_around(p: &Convex<'_>, i: usize, q: &Convex<'_>, j: usize, out: DVec2) -> Closest {
    let neighbours = |core: &Convex<'_>, i: usize| {
        let last = core.points.len() - 1;
        [if i == 0 { last } else { i - 1 }, if i == last { 0 } else { i + 1 }]
    };
    let (mut i, mut j) = (i, j);
    let mut best = Closest::of_points(p.points[i].as_dvec2(), q.points[j].as_dvec2(), out);
    for _ in 0..p.points.len() + q.points.len() {
        let (from_i, from_j) = (i, j);
        let (corner_p, corner_q) = (p.points[i].as_dvec2(), q.points[j].as_dvec2());
        // A side that leads away from the other's corner comes no closer than its start.
        for to in neighbours(p, from_i) {
            let end = p.points[to].as_dvec2();
            if (end - corner_p).dot(corner_q - corner_p) <= 0.0 {
                continue;
            }
            let (found, at_end) = Closest::on_side(corner_p, end, corner_q, out);
            if found.is_closer_than(&best) {
                best = found;
                (i, j) = (if at_end { to } else { from_i }, from_j);
            }
        }
        for to in neighbours(q, from_j) {
            let end = q.points[to].as_dvec2();
            if (end - corner_q).dot(corner_p - corner_q) <= 0.0 {
                continue;
            }
            let (found, at_end) = Closest::on_side(corner_q, end, corner_p, -out);
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
    pub fn swapped(self) -> Self {
        Self { point_a: self.point_b, point_b: self.point_a, normal: -self.normal, ..self }
    }

    /// Along a side that leads closer, a point is closer than where it was seen from also where
    /// rounding hides by how much; but what is within a side knows its normal best.
    fn is_closer_than(&self, other: &Self) -> bool {
        let hides = self.on_edge || !other.on_edge;
        self.distance < if hides { other.distance * (1.0 + 1e-15) } else { other.distance }
    }

    /// Two points; `out` is the direction from the first to the second where they coincide.
    fn of_points(point_a: DVec2, point_b: DVec2, out: DVec2) -> Self {
        let between = point_a - point_b;
        let distance = length(between);
        let normal = if distance > 0.0 { between / distance } else { -out };
        Self { distance, point_a, point_b, normal, on_edge: false }
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
        let normal = perp_cw(side) / crate::math::sqrt(square);
        let gap = normal.dot(point - start);
        // Where rounding hides on which side the point lies, it lies where it must.
        let far = (point - start).abs();
        let hidden = gap.abs() <= 1e-14 * (far.x + far.y);
        let behind = if hidden { normal.dot(out) < 0.0 } else { gap < 0.0 };
        let (distance, normal) = (gap.abs(), if behind { normal } else { -normal });
        let point_a = start + side * (along / square);
        (Self { distance, point_a, point_b: point, normal, on_edge: true }, false)
    }
}

/// Where two segments come closest, by the four ends against the other segment each, all at once;
/// `None` where the segments may touch or cross, or all but do.
#[inline(always)]
pub(crate) fn closest_segments(a: &Convex<'_>, b: &Convex<'_>) -> Option<(Closest, Axis)> {
    let [a0, a1, b0, b1] =
        [a.points[0], a.points[1], b.points[0], b.points[1]].map(|point| point.as_dvec2());
    let (out_a, out_b) = (a.half_planes[0].normals[0], b.half_planes[0].normals[0]);
    // Lanes: a's ends against b, then b's ends against a.
    let lanes = |p: f64, q: f64, r: f64, s: f64| f64x4::new([p, q, r, s]);
    let (nx, ny) =
        (lanes(out_b.x, out_b.x, out_a.x, out_a.x), lanes(out_b.y, out_b.y, out_a.y, out_a.y));
    // How far beside the segment and along it the end lies, seen from one of its ends.
    let seen_from = |b: DVec2, a: DVec2| {
        let wx = lanes(a0.x - b.x, a1.x - b.x, b0.x - a.x, b1.x - a.x);
        let wy = lanes(a0.y - b.y, a1.y - b.y, b0.y - a.y, b1.y - a.y);
        (nx * wx + ny * wy, nx * wy - ny * wx)
    };
    let ((beside, along), (beside_end, beyond_end)) = (seen_from(b0, a0), seen_from(b1, a1));
    // The nearer end sees it better: rounding grows with the way.
    let beside = (along + beyond_end).simd_gt(f64x4::ZERO).select(beside_end, beside);
    let beyond = (-along).fast_max(beyond_end).fast_max(f64x4::ZERO);
    let squares = (beyond * beyond + beside * beside).to_array();
    let (besides, alongs, beyonds) = (beside.to_array(), along.to_array(), beyond.to_array());
    // Ends on both sides of each other's line: the segments cross, or nearly so.
    if (besides[0] * besides[1] <= 0.0) & (besides[2] * besides[3] <= 0.0) {
        return None;
    }
    // Where rounding hides which of two is closer, the one that is less far beyond the ends.
    let low = |i: usize, j: usize| {
        let ties = (squares[j] - squares[i]).abs() <= 1e-15 * squares[i];
        let is_lower = if ties & (beyonds[j] != beyonds[i]) {
            beyonds[j] < beyonds[i]
        } else {
            squares[j] < squares[i]
        };
        if is_lower { j } else { i }
    };
    let lane = low(low(0, 1), low(2, 3));
    let (of_a, support) = (lane >= 2, lane % 2);
    let (start, out) = [(b0, out_b), (a0, out_a)][usize::from(of_a)];
    let point = [a0, a1, b0, b1][lane];
    let (beside, along, beyond) = (besides[lane], alongs[lane], beyonds[lane]);
    let distance = sqrt(squares[lane]);
    // So close that rounding decides between ends and sides: not for this short way.
    if distance.is_nan() || distance <= 1e-10 * (a.extent + b.extent) {
        return None;
    }
    let forward = DVec2::new(-out.y, out.x);
    let ahead = if along < 0.0 { -beyond } else { beyond };
    let normal = (out * beside + forward * ahead) / distance;
    let on_side = start + forward * (along - ahead);
    // The edge that faces the point: there, or back.
    let edge = usize::from(beside < 0.0);
    let axis = Axis { of_a, edge, support, normal, gap: distance };
    let on_edge = beyond == 0.0;
    let closest = Closest { distance, point_a: on_side, point_b: point, normal: -normal, on_edge };
    Some((if of_a { closest } else { closest.swapped() }, axis))
}
