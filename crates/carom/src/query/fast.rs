//! Fast paths for the pairs that games test most: circles, boxes and capsules.
//!
//! A fast path computes what the general path would, without searching for features that such a
//! pair cannot have. It returns [`Filtered::Uncertain`] for touching or degenerate input, such as
//! two circles with the same center; the general path then decides. A test proves that both agree.
//!
//! The functions with `swapped` take the shapes in a fixed order. If `swapped` is `true`, the second
//! of them is the first shape of the contact.

use core::cmp::Ordering;

use glam::{DVec2, Vec2};
use wide::f32x4;

use crate::math::exact::{Filtered, cmp_distance_f64, cmp_squares};
use crate::math::{add_round_up, sqrt, to_f32, to_vec2};
use crate::query::contact::{
    Contact, ContactPoints, axis_push, coordinate_push, edge_circle, points_across, push,
    rounded_push, rounding_margin,
};
use crate::query::relation::Relation;
use crate::query::separation::closest_segments;
use crate::shape::obb::{ApproxObb, ERROR};
use crate::shape::{Aabb, Capsule, Circle, Obb};

// Relations.

/// Compares the squared distance of the centers with the square of the radii.
#[inline(always)]
pub(super) fn circle_circle(a: &Circle, b: &Circle) -> Filtered<Relation> {
    let (between, radii) = (b.center() - a.center(), a.radius() + b.radius());
    cmp_squares(between.length_squared(), radii * radii).map(Relation::from_distance)
}

/// Returns the exact relation of two circles. Takes references, so that the fast path keeps
/// nothing in memory for this call.
#[cold]
#[inline(never)]
pub(super) fn circle_circle_exact(a: &Circle, b: &Circle) -> Relation {
    Relation::from_distance(cmp_distance_f64(a.center(), b.center(), a.radius(), b.radius()))
}

/// Compares the squared distance of the center from the box with the square of the radius.
#[inline(always)]
pub(super) fn circle_aabb(circle: &Circle, aabb: &Aabb) -> Filtered<Relation> {
    let (center, low, high) = (circle.center(), aabb.min(), aabb.max());
    let beyond = |low: f32, high: f32, at: f32| max(max(low - at, at - high), 0.0);
    let (x, y) = (beyond(low.x, high.x, center.x), beyond(low.y, high.y, center.y));
    cmp_squares(x * x + y * y, circle.radius() * circle.radius()).map(Relation::from_distance)
}

/// Returns the exact relation of a circle with a positive radius and a box.
#[cold]
#[inline(never)]
pub(super) fn circle_aabb_exact(circle: &Circle, aabb: &Aabb) -> Relation {
    // The point of the box closest to the center is an `f32` vector too.
    let center = circle.center();
    let closest = center.max(aabb.min()).min(aabb.max());
    Relation::from_distance(cmp_distance_f64(center, closest, circle.radius(), 0.0))
}

/// Compares the squared distance of the center from the box, in the box's own frame, with the
/// square of the radius.
///
/// The `f32` error is proportional to the size of the box, the radius and the distance of the
/// centers. The share of the box is in `approx.error`. The distance is at most the size of the box
/// plus twice what lies beyond it, which is what is compared, so its share is a factor only.
#[inline(always)]
pub(super) fn circle_obb(circle: &Circle, approx: &ApproxObb) -> Filtered<Relation> {
    let at = circle.center() - approx.center;
    let (x, y) = (approx.axis.dot(at), approx.axis.perp_dot(at));
    // Written so that NaN stays NaN, which is never certain.
    let beyond = |x: f32, half: f32| max(0.0, x.abs() - half);
    let (x, y) = (beyond(x, approx.half_size.x), beyond(y, approx.half_size.y));
    let (square, radius) = (x * x + y * y, circle.radius());
    // The errors of the distances, as errors of their squares. One bound for both outcomes leaves
    // one branch, which is nearly always taken.
    let factor = 6.0 * ERROR * (square + radius * radius);
    let error = factor + approx.error * (2.01 * radius + approx.error);
    certain_sign(square - radius * radius, error)
}

/// Tests the four axes of two oriented boxes: on each, the distance of the centers less both half
/// extents (the textbook OBB–OBB test).
#[inline(always)]
pub(super) fn obb_obb(a: &ApproxObb, b: &ApproxObb) -> Filtered<Relation> {
    let between = b.center - a.center;
    let (cos, sin) = (a.axis.dot(b.axis).abs(), a.axis.perp_dot(b.axis).abs());
    let gap = |along: f32, own: f32, other: f32| along.abs() - (own + other);
    let (half_a, half_b) = (a.half_size, b.half_size);
    let gaps = [
        gap(a.axis.dot(between), half_a.x, half_b.x * cos + half_b.y * sin),
        gap(a.axis.perp_dot(between), half_a.y, half_b.x * sin + half_b.y * cos),
        gap(b.axis.dot(between), half_b.x, half_a.x * cos + half_a.y * sin),
        gap(b.axis.perp_dot(between), half_b.y, half_a.x * sin + half_a.y * cos),
    ];
    let error = ERROR * (between.x.abs() + between.y.abs()) + a.error + b.error;
    certain_sign(max(max(gaps[0], gaps[1]), max(gaps[2], gaps[3])), error)
}

/// The size above which intermediate results may overflow `f32`.
const LARGE: f32 = 1e18;

/// Tests each of the four ends against the other segment at once. Segments that cross have the
/// distance zero.
#[inline(always)]
pub(super) fn capsule_capsule(a: &Capsule, b: &Capsule) -> Filtered<Relation> {
    let ((direction_a, length_a), (direction_b, length_b)) = (a.axis(), b.axis());
    let [p, q, r, s] = [b.a() - a.a(), b.b() - a.a(), b.a() - a.b(), b.b() - a.b()];
    // Lanes: the ends of `b` against `a`, then the ends of `a` against `b`.
    let wx = f32x4::new([p.x, q.x, -p.x, -r.x]);
    let wy = f32x4::new([p.y, q.y, -p.y, -r.y]);
    let ux = f32x4::new([direction_a.x, direction_a.x, direction_b.x, direction_b.x]);
    let uy = f32x4::new([direction_a.y, direction_a.y, direction_b.y, direction_b.y]);
    let length = f32x4::new([length_a, length_a, length_b, length_b]);
    // The position of the end along and beside the segment, and how far it is beyond its ends.
    let (along, beside) = (ux * wx + uy * wy, ux * wy - uy * wx);
    let beyond = (-along).fast_max(along - length).fast_max(f32x4::ZERO);
    let least = min_lane(beyond * beyond + beside * beside);
    let [k, l, m, n] = beside.to_array();
    let extent = |v: Vec2| v.x.abs() + v.y.abs();
    let reach = extent(p) + extent(s) + length_a + length_b;
    let radii = a.radius() + b.radius();
    let error = ERROR * (reach + radii) + 1e-18;
    // They cross if the ends of each lie on both sides of the other. Collinear segments may seem
    // to and be far apart, so both the pessimistic and the optimistic test must agree.
    let crosses = |least: f32| (k * l < least) & (m * n < least);
    let (certainly, possibly) = (crosses(-error * reach), crosses(0.0));
    let least = if certainly { 0.0 } else { least };
    if !((reach < LARGE) & (length_a > 0.0) & (length_b > 0.0) & (certainly == possibly)) {
        return Filtered::Uncertain;
    }
    // The error of the distance, as an error of its square.
    certain_sign(least - radii * radii, error * (2.0 * radii + error))
}

/// Returns the relation by the sign of a distance, if it exceeds the error.
#[inline(always)]
fn certain_sign(distance: f32, error: f32) -> Filtered<Relation> {
    let relation = if distance > 0.0 { Relation::Disjoint } else { Relation::Overlapping };
    if distance.abs() > error { Filtered::Certain(relation) } else { Filtered::Uncertain }
}

/// Returns the larger of two numbers; the second if either is NaN.
#[inline(always)]
fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline(always)]
fn min_lane(lanes: f32x4) -> f32 {
    let [a, b, c, d] = lanes.to_array();
    let min = |a: f32, b: f32| if a < b { a } else { b };
    min(min(a, b), min(c, d))
}

// Contacts.

/// Returns the contact of two circles that do not touch exactly.
#[inline(always)]
pub(super) fn circle_circle_contact(a: &Circle, b: &Circle) -> Filtered<Option<Contact>> {
    let (between, radii) = (a.center() - b.center(), a.radius() + b.radius());
    match cmp_squares(between.length_squared(), radii * radii) {
        Filtered::Uncertain => return Filtered::Uncertain,
        Filtered::Certain(Ordering::Greater) => return Filtered::Certain(None),
        Filtered::Certain(_) => {}
    }
    let (center_a, center_b) = (a.center().as_dvec2(), b.center().as_dvec2());
    let (radius_a, radius_b) = (f64::from(a.radius()), f64::from(b.radius()));
    let between = center_a - center_b;
    let distance = sqrt(between.dot(between));
    if distance == 0.0 {
        return Filtered::Uncertain;
    }
    let (normal, depth) = (between / distance, radius_a + radius_b - distance);
    let point = (center_a + center_b) / 2.0 + normal * ((radius_b - radius_a) / 2.0);
    let axis_push = || circle_circle_axis_push(a, b, normal);
    let push = rounded_push(&a.as_convex(), &b.as_convex(), normal, depth, axis_push);
    Filtered::Certain(Some(Contact::overlapping(normal, depth, push, ContactPoints::one(point))))
}

/// Returns the push of two circles along an axis. Not inlined, because it writes the cores to memory,
/// which the usual case does not need.
#[inline(never)]
fn circle_circle_axis_push(a: &Circle, b: &Circle, normal: DVec2) -> Vec2 {
    axis_push(&a.as_convex(), &b.as_convex(), normal)
}

/// Returns the contact of two boxes with an area. Touching is exact, because coordinates are.
#[inline(always)]
pub(super) fn aabb_aabb_contact(a: &Aabb, b: &Aabb) -> Filtered<Option<Contact>> {
    let relation = Relation::of_aabbs(a, b);
    if relation == Relation::Disjoint {
        return Filtered::Certain(None);
    }
    if !(a.min().cmplt(a.max()) & b.min().cmplt(b.max())).all() {
        return Filtered::Uncertain;
    }
    let [low_a, high_a, low_b, high_b] =
        [a.min(), a.max(), b.min(), b.max()].map(|corner| corner.as_dvec2());
    // The distances that `a` would have to move in the positive and negative direction of each axis.
    let (up, down) = (high_b - low_a, high_a - low_b);
    let least = up.min(down);
    let is_horizontal = least.x <= least.y;
    let depth = if is_horizontal { least.x } else { least.y };
    let is_positive = if is_horizontal { up.x <= down.x } else { up.y <= down.y };
    let sign = if is_positive { 1.0 } else { -1.0 };
    let normal = if is_horizontal { Vec2::new(sign, 0.0) } else { Vec2::new(0.0, sign) };
    // Halfway between the two sides, at both ends of what they share.
    let (low, high) = (low_a.max(low_b), high_a.min(high_b));
    let middle = (if is_positive { low_a + high_b } else { high_a + low_b }) / 2.0;
    let ends = if is_horizontal {
        [DVec2::new(middle.x, low.y), DVec2::new(middle.x, high.y)]
    } else {
        [DVec2::new(low.x, middle.y), DVec2::new(high.x, middle.y)]
    };
    let (depth, push) = if relation == Relation::Touching {
        (0.0, Vec2::ZERO)
    } else {
        let pick = |v: Vec2| if is_horizontal { v.x } else { v.y };
        let (from, to) = if is_positive { (a.min(), b.max()) } else { (-a.max(), -b.min()) };
        let push = coordinate_push(pick(from), f64::from(pick(to)));
        (to_f32(depth).max(f32::from_bits(1)), normal * push + Vec2::ZERO)
    };
    let points = ContactPoints::two(ends[0], ends[1]);
    Filtered::Certain(Some(Contact { normal, depth, push, points }))
}

/// Returns the contact of a box and a circle: the center lies beyond one side, beyond two sides,
/// or inside.
#[inline(always)]
pub(super) fn aabb_circle_contact(
    aabb: &Aabb,
    circle: &Circle,
    swapped: bool,
) -> Filtered<Option<Contact>> {
    match circle_aabb(circle, aabb) {
        Filtered::Uncertain => return Filtered::Uncertain,
        Filtered::Certain(Relation::Disjoint) => return Filtered::Certain(None),
        Filtered::Certain(_) => {}
    }
    let (low, high) = (aabb.min().as_dvec2(), aabb.max().as_dvec2());
    let (center, radius) = (circle.center().as_dvec2(), f64::from(circle.radius()));
    let max = |a: f64, b: f64| if a > b { a } else { b };
    let beyond_x = max(low.x - center.x, center.x - high.x);
    let beyond_y = max(low.y - center.y, center.y - high.y);
    let (is_right, is_above) =
        (center.x - low.x > high.x - center.x, center.y - low.y > high.y - center.y);
    let sign = DVec2::new(if is_right { 1.0 } else { -1.0 }, if is_above { 1.0 } else { -1.0 });
    // Two sides are equally near, between which the general path chooses; or there is no area.
    if beyond_x == beyond_y || aabb.min().cmpge(aabb.max()).any() {
        return Filtered::Uncertain;
    }
    if beyond_x > 0.0 && beyond_y > 0.0 {
        let distance = sqrt(beyond_x * beyond_x + beyond_y * beyond_y);
        let normal = sign * DVec2::new(beyond_x, beyond_y) / distance;
        let point = center - normal * ((radius + distance) / 2.0);
        let far = if swapped { circle.center() } else { aabb.max().abs().max(aabb.min().abs()) };
        let depth = radius - distance;
        // The margin of `rounded_push`.
        let size = (high.x - low.x) + (high.y - low.y);
        let margin =
            rounding_margin(f64::from(far.abs().max_element()) + depth) + 1e-15 * (radius + size);
        let normal = if swapped { normal } else { -normal };
        let push = to_vec2(normal * (depth + margin));
        let points = ContactPoints::one(point);
        return Filtered::Certain(Some(Contact::overlapping(normal, depth, push, points)));
    }
    let is_horizontal = beyond_x > beyond_y;
    let (distance, sign) = if is_horizontal { (beyond_x, sign.x) } else { (beyond_y, sign.y) };
    let pick = |v: Vec2| if is_horizontal { v.x } else { v.y };
    let outward = if is_horizontal { DVec2::new(sign, 0.0) } else { DVec2::new(0.0, sign) };
    // The side and the center, flipped so that the first shape is pushed in the positive
    // direction.
    let direction = if swapped { sign } else { -sign };
    let side = pick(if sign > 0.0 { aabb.max() } else { aabb.min() }) * direction as f32;
    let middle = pick(circle.center()) * direction as f32;
    let (from, to) = if swapped { (middle, side) } else { (side, middle) };
    let push = coordinate_push(from, add_round_up(f64::from(to), radius)) * direction as f32;
    let normal = if swapped { outward } else { -outward };
    let push = if is_horizontal { Vec2::new(push, 0.0) } else { Vec2::new(0.0, push) };
    let points = ContactPoints::one(center - outward * ((radius + distance) / 2.0));
    Filtered::Certain(Some(Contact::overlapping(normal, radius - distance, push, points)))
}

/// Returns the contact of an oriented box and a circle. In the frame of the box, the edge of
/// maximum separation follows from two comparisons.
#[inline(always)]
pub(super) fn obb_circle_contact(
    obb: &Obb,
    circle: &Circle,
    swapped: bool,
) -> Filtered<Option<Contact>> {
    let ApproxObb { center, axis, half_size, error, tilt } = obb.approx;
    let at = circle.center() - center;
    let (x, y) = (axis.dot(at), axis.perp_dot(at));
    let (beyond_x, beyond_y) = (x.abs() - half_size.x, y.abs() - half_size.y);
    if circle_obb(circle, &obb.approx) == Filtered::Certain(Relation::Disjoint) {
        return Filtered::Certain(None);
    }
    let far = at.x.abs() + at.y.abs();
    let error = error + ERROR * (far + circle.radius());
    let is_vertical_side = beyond_x > beyond_y;
    // The edge is uncertain if the numbers are too large for `f32`, or if rounding has bent the sides.
    let bent = tilt * (far + half_size.x + half_size.y);
    // It is also uncertain for a center midway between two opposite sides.
    let from_middle = if is_vertical_side { x } else { y };
    let is_certain =
        ((beyond_x - beyond_y).abs() > 2.0 * (error + bent)) & (from_middle.abs() > error + bent);
    if !is_certain {
        return Filtered::Uncertain;
    }
    let edge =
        if is_vertical_side { [3, 1][usize::from(x > 0.0)] } else { [0, 2][usize::from(y > 0.0)] };
    edge_circle(&obb.convex.as_convex(), &circle.as_convex(), edge, swapped, |normal| {
        obb_circle_axis_push(obb, circle, swapped, normal)
    })
}

/// Returns the push of an oriented box and a circle along an axis. Not inlined, because it writes the
/// cores to memory, which the usual case does not need.
#[inline(never)]
fn obb_circle_axis_push(obb: &Obb, circle: &Circle, swapped: bool, normal: DVec2) -> Vec2 {
    let (obb, circle) = (&obb.convex.as_convex(), &circle.as_convex());
    if swapped { axis_push(circle, obb, normal) } else { axis_push(obb, circle, normal) }
}

/// Returns the contact of two capsules whose segments are disjoint.
#[inline(always)]
pub(super) fn capsule_capsule_contact(a: &Capsule, b: &Capsule) -> Filtered<Option<Contact>> {
    match capsule_capsule(a, b) {
        Filtered::Uncertain => return Filtered::Uncertain,
        Filtered::Certain(Relation::Disjoint) => return Filtered::Certain(None),
        Filtered::Certain(_) => {}
    }
    let (a, b) = (&a.as_convex(), &b.as_convex());
    let Some((closest, edge)) = closest_segments(a, b) else { return Filtered::Uncertain };
    let (radius_a, radius_b) = (f64::from(a.radius), f64::from(b.radius));
    let (normal, depth) = (closest.normal, radius_a + radius_b - closest.distance);
    let offset = normal * ((radius_b - radius_a) / 2.0);
    let push = push(a, b, normal, depth);
    let points = if closest.on_edge {
        points_across(a, b, &edge, radius_a + radius_b, offset)
    } else {
        ContactPoints::one((closest.point_a + closest.point_b) / 2.0 + offset)
    };
    Filtered::Certain(Some(Contact::overlapping(normal, depth, push, points)))
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::prelude::*;
    use crate::query::dispatch::general_contact;

    /// Returns circles, boxes and polygons on a grid of halves and off it. Some touch, and some contain
    /// others.
    fn shapes() -> alloc::vec::Vec<Shape> {
        let mut seed = 7u32;
        let mut next = |n: u32| {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            (seed >> 16) % n
        };
        let mut number = |coarse: bool| {
            if coarse { next(9) as f32 / 2.0 } else { next(4001) as f32 / 1000.0 }
        };
        let mut all = alloc::vec::Vec::new();
        for i in 0..240 {
            let coarse = i % 2 == 0;
            let at = Vec2::new(number(coarse), number(coarse));
            let (x, y) = (number(coarse) / 2.0 + 0.25, number(coarse) / 2.0 + 0.25);
            all.push(match i % 6 {
                5 => Capsule::new(at, at + Vec2::new(x, y - 0.5), y / 2.0).into(),
                0 => Circle::new(at, x).into(),
                1 => Aabb::from_center_half_size(at, [x, y]).into(),
                2 => Obb::new(at, [x, y], if coarse { 0.0 } else { x * y }).into(),
                3 => Triangle::new(at, at + Vec2::new(x, 0.5), at + Vec2::new(0.0, y)).into(),
                _ => {
                    let ring = Ellipse::new(at, [x, y + 0.1], x).points()[..].to_vec();
                    let ring: alloc::vec::Vec<Vec2> = ring.iter().copied().step_by(7).collect();
                    ConvexPolygon::rounded(&ring, if coarse { 0.0 } else { 0.25 }).into()
                }
            });
        }
        all
    }

    #[test]
    fn the_fast_paths_agree_with_the_general_path() {
        let (shapes, mut contacts) = (shapes(), 0);
        for a in &shapes {
            for b in &shapes {
                let (fast, general) = (a.contact(b), general_contact(a.as_shape(), b.as_shape()));
                assert_eq!(fast.is_some(), general.is_some(), "{a:?} {b:?}");
                let (Some(fast), Some(general)) = (fast, general) else { continue };
                contacts += 1;
                let report = || alloc::format!("{a:?} {b:?}: {fast:?}, general path {general:?}");
                assert!((fast.depth - general.depth).abs() <= 1e-6, "{}", report());
                assert_eq!(fast.depth == 0.0, general.depth == 0.0, "{}", report());
                // Of several pushes of equal length, either may be chosen.
                if fast.normal.dot(general.normal) > 1.0 - 1e-5 {
                    assert!((fast.push - general.push).length() <= 2e-6, "{}", report());
                    let off = |p: &Vec2| general.points.iter().all(|q| p.distance(*q) > 1e-5);
                    assert!(!fast.points.iter().any(off), "{}", report());
                } else {
                    assert!(!a.translated(fast.push).overlaps(b), "{}", report());
                }
            }
        }
        assert!(contacts > 10_000);
    }
}
