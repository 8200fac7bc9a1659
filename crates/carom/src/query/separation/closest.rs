//! Where two cores that are apart come closest, in `f64`.

use glam::DVec2;
use wide::f64x4;

use super::gaps::Axis;
use crate::math::{length, outward};
use crate::shape::core::Core;

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
