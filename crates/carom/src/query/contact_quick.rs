//! Contacts that deserve a way of their own: of circles, of circles with polygons, and of boxes.
//!
//! They compute what the general way would, without looking for what such pairs cannot have:
//! a circle has no edges, and boxes meet across four. `None` stands for whatever is not plain, such
//! as touches and middles that coincide; the general way answers then. Tests prove that they agree.

use crate::query::Relation;

use core::cmp::Ordering;

use glam::{DVec2, Vec2};
use wide::f32x4;

use crate::math::exact::cmp_squares;
use crate::math::{add_round_up, sqrt, to_f32, to_vec2};
use crate::query::contact::{
    Contact, ContactPoints, along_axis, level_push, plain, points_across, push, push_or,
    rounding_margin,
};
use crate::query::order::{capsule_capsule, circle_aabb, circle_obb};
use crate::query::sat::{block_gaps, error_bound, largest};
use crate::query::separation::closest_segments;
use crate::shape::convex::Convex;
use crate::shape::obb::{ApproxObb, ERROR};
use crate::shape::{Aabb, Capsule, Circle, Obb};

/// A contact, or that there is none, for sure.
pub(super) type Sure = Option<Option<Contact>>;

/// Two circles, apart or overlapping.
#[inline(always)]
pub(super) fn circles(a: &Circle, b: &Circle) -> Sure {
    let (between, radii) = (a.center() - b.center(), a.radius() + b.radius());
    if cmp_squares(between.length_squared(), radii * radii)? == Ordering::Greater {
        return Some(None);
    }
    let (center_a, center_b) = (a.center().as_dvec2(), b.center().as_dvec2());
    let (radius_a, radius_b) = (f64::from(a.radius()), f64::from(b.radius()));
    let between = center_a - center_b;
    let distance = sqrt(between.dot(between));
    if distance == 0.0 {
        return None;
    }
    let (normal, depth) = (between / distance, radius_a + radius_b - distance);
    let point = (center_a + center_b) / 2.0 + normal * ((radius_b - radius_a) / 2.0);
    let level = || discs_along_axis(a, b, normal);
    Some(Some(round_contact(&a.as_convex(), &b.as_convex(), normal, depth, point, level)))
}

/// The push along an axis. (Here the cores are written down, which the plain case need not.)
#[inline(never)]
fn discs_along_axis(a: &Circle, b: &Circle, normal: DVec2) -> Vec2 {
    along_axis(&a.as_convex(), &b.as_convex(), normal)
}

/// A polygon `a`, rounded or not, and a disc `b`, apart or overlapping; or the other way round.
///
/// The closest point of the polygon is on the edge with the largest gap, or at its nearer end: any
/// other edge on which it lay would have a gap as large. So that edge must stand out.
#[inline(always)]
pub(super) fn polygon_and_disc(a: &Convex<'_>, b: &Convex<'_>, swapped: bool) -> Sure {
    let reach = f64::from(a.radius) + f64::from(b.radius);
    let error = error_bound(a, b);
    let (mut top, mut lanes) = (f32::NEG_INFINITY, [f32x4::ZERO; 4]);
    if a.half_planes.len() > lanes.len() {
        return None;
    }
    for (half_planes, lane) in a.half_planes.iter().zip(&mut lanes) {
        *lane = block_gaps(half_planes, b.points, a.points[0]);
        let largest = largest(*lane);
        top = if largest > top { largest } else { top };
    }
    if f64::from(top) > reach + f64::from(error) {
        return Some(None);
    }
    let floor = f32x4::splat(top - 2.0 * error);
    let mut near = 0;
    for (block, lane) in lanes.iter().take(a.half_planes.len()).enumerate() {
        near |= (!lane.simd_lt(floor).to_bitmask() & 0xf) << (4 * block);
    }
    near &= (1 << a.points.len()) - 1;
    if near.is_power_of_two() {
        let (moved, still) = if swapped { (b, a) } else { (a, b) };
        let edge = near.trailing_zeros() as usize;
        by_edge(a, b, edge, swapped, |normal| along_axis(moved, still, normal))
    } else {
        None
    }
}

/// An oriented box and a circle. In the box's own frame, which edge is nearest is plain to see.
#[inline(always)]
pub(super) fn obb_and_circle(obb: &Obb, circle: &Circle, swapped: bool) -> Sure {
    let ApproxObb { center, axis, half_size, error, tilt } = obb.approx;
    let at = circle.center() - center;
    let (x, y) = (axis.dot(at), axis.perp_dot(at));
    let (beyond_x, beyond_y) = (x.abs() - half_size.x, y.abs() - half_size.y);
    if circle_obb(circle, &obb.approx) == Some(Relation::Disjoint) {
        return Some(None);
    }
    let far = at.x.abs() + at.y.abs();
    let error = error + ERROR * (far + circle.radius());
    let upright = beyond_x > beyond_y;
    // Not so where numbers are too large for f32, or rounding has left no box or bent its sides.
    let bent = tilt * (far + half_size.x + half_size.y);
    let stands_out = (beyond_x - beyond_y).abs() > 2.0 * (error + bent);
    if !stands_out {
        return None;
    }
    let edge = if upright { [3, 1][usize::from(x > 0.0)] } else { [0, 2][usize::from(y > 0.0)] };
    by_edge(&obb.convex.as_convex(), &circle.as_convex(), edge, swapped, |normal| {
        obb_and_circle_along_axis(obb, circle, swapped, normal)
    })
}

#[inline(never)]
fn obb_and_circle_along_axis(obb: &Obb, disc: &Circle, swapped: bool, normal: DVec2) -> Vec2 {
    let (obb, disc) = (&obb.convex.as_convex(), &disc.as_convex());
    if swapped { along_axis(disc, obb, normal) } else { along_axis(obb, disc, normal) }
}

/// The same, given the polygon's edge with the largest gap, and the push for a normal along an axis.
#[inline(always)]
fn by_edge(
    a: &Convex<'_>,
    b: &Convex<'_>,
    edge: usize,
    swapped: bool,
    along_axis: impl Fn(DVec2) -> Vec2,
) -> Sure {
    let (side, out) = a.edge_normal(edge);
    let (center, forward) = (b.points[0].as_dvec2(), DVec2::new(-out.y, out.x));
    let way = center - a.points[edge].as_dvec2();
    let (gap, along, long) = (out.dot(way), forward.dot(way), forward.dot(side));
    let ahead = along > 0.0;
    let beyond = if ahead { along - long } else { along };
    let at_corner = (gap > 0.0) & (ahead == (beyond > 0.0));
    // Both ways at once: which it is could not be predicted.
    let corner_distance = sqrt(gap * gap + beyond * beyond);
    let corner_normal = (out * gap + forward * beyond) / corner_distance;
    let distance = if at_corner { corner_distance } else { gap };
    let normal = if at_corner { corner_normal } else { out };
    let radii = f64::from(a.radius) + f64::from(b.radius);
    let (depth, size) = (radii - distance, a.extent + radii);
    // So close to a corner that its direction is not known well, or so close to a touch.
    if (at_corner & (distance < 1e-10 * size)) | (depth.abs() < 1e-11 * size) {
        return None;
    }
    if depth < 0.0 {
        return Some(None);
    }
    let lift = (f64::from(a.radius) - f64::from(b.radius) - distance) / 2.0;
    let point = center + normal * lift;
    Some(Some(if swapped {
        round_contact(b, a, normal, depth, point, || along_axis(normal))
    } else {
        round_contact(a, b, -normal, depth, point, || along_axis(-normal))
    }))
}

/// A box and a circle: the middle lies beyond one side, or beyond two, or inside.
#[inline(always)]
pub(super) fn box_and_circle(aabb: &Aabb, circle: &Circle, swapped: bool) -> Sure {
    if circle_aabb(circle, aabb)? == Relation::Disjoint {
        return Some(None);
    }
    let (low, high) = (aabb.min().as_dvec2(), aabb.max().as_dvec2());
    let (center, radius) = (circle.center().as_dvec2(), f64::from(circle.radius()));
    let max = |a: f64, b: f64| if a > b { a } else { b };
    let beyond_x = max(low.x - center.x, center.x - high.x);
    let beyond_y = max(low.y - center.y, center.y - high.y);
    let (right, above) =
        (center.x - low.x > high.x - center.x, center.y - low.y > high.y - center.y);
    let sign = DVec2::new(if right { 1.0 } else { -1.0 }, if above { 1.0 } else { -1.0 });
    // Two sides equally near, of which the general way chooses; or no area at all.
    if beyond_x == beyond_y || aabb.min().cmpge(aabb.max()).any() {
        return None;
    }
    if beyond_x > 0.0 && beyond_y > 0.0 {
        let distance = sqrt(beyond_x * beyond_x + beyond_y * beyond_y);
        let normal = sign * DVec2::new(beyond_x, beyond_y) / distance;
        let point = center - normal * ((radius + distance) / 2.0);
        let far = if swapped { circle.center() } else { aabb.max().abs().max(aabb.min().abs()) };
        let depth = radius - distance;
        // As `push` has it for polygons.
        let size = (high.x - low.x) + (high.y - low.y);
        let margin =
            rounding_margin(f64::from(far.abs().max_element()) + depth) + 1e-15 * (radius + size);
        let out = if swapped { normal } else { -normal };
        return Some(Some(Contact {
            normal: plain(out),
            depth: to_f32(depth).max(f32::from_bits(1)),
            push: to_vec2(out * (depth + margin)),
            points: ContactPoints::one(point),
        }));
    }
    let upright = beyond_x > beyond_y;
    let (distance, sign) = if upright { (beyond_x, sign.x) } else { (beyond_y, sign.y) };
    let pick = |v: Vec2| if upright { v.x } else { v.y };
    let normal = if upright { DVec2::new(sign, 0.0) } else { DVec2::new(0.0, sign) };
    // The side and the middle, mirrored so that what is pushed goes up.
    let out = if swapped { sign } else { -sign };
    let side = pick(if sign > 0.0 { aabb.max() } else { aabb.min() }) * out as f32;
    let middle = pick(circle.center()) * out as f32;
    let (from, to) = if swapped { (middle, side) } else { (side, middle) };
    let push = level_push(from, add_round_up(f64::from(to), radius)) * out as f32;
    let normal_out = if swapped { normal } else { -normal };
    Some(Some(Contact {
        normal: plain(normal_out),
        depth: to_f32(radius - distance).max(f32::from_bits(1)),
        push: if upright { Vec2::new(push, 0.0) } else { Vec2::new(0.0, push) },
        points: ContactPoints::one(center - normal * ((radius + distance) / 2.0)),
    }))
}

/// Two capsules whose segments do not meet.
#[inline(always)]
pub(super) fn capsules(a: &Capsule, b: &Capsule) -> Sure {
    if capsule_capsule(a, b)? == Relation::Disjoint {
        return Some(None);
    }
    let (a, b) = (&a.as_convex(), &b.as_convex());
    let (closest, axis) = closest_segments(a, b)?;
    let (radius_a, radius_b) = (f64::from(a.radius), f64::from(b.radius));
    let (normal, depth) = (closest.normal, radius_a + radius_b - closest.distance);
    let lift = normal * ((radius_b - radius_a) / 2.0);
    Some(Some(Contact {
        normal: plain(normal),
        depth: to_f32(depth).max(f32::from_bits(1)),
        push: push(a, b, normal, depth),
        points: if closest.on_edge {
            points_across(a, b, &axis, radius_a + radius_b, lift)
        } else {
            ContactPoints::one((closest.point_a + closest.point_b) / 2.0 + lift)
        },
    }))
}

#[inline(always)]
fn round_contact(
    a: &Convex<'_>,
    b: &Convex<'_>,
    normal: DVec2,
    depth: f64,
    point: DVec2,
    along_axis: impl FnOnce() -> Vec2,
) -> Contact {
    Contact {
        normal: plain(normal),
        depth: to_f32(depth).max(f32::from_bits(1)),
        push: push_or(a, b, normal, depth, along_axis),
        points: ContactPoints::one(point),
    }
}

/// Two boxes that have an area. The touch is exact, as coordinates are.
#[inline(always)]
pub(super) fn boxes(a: &Aabb, b: &Aabb) -> Sure {
    let relation = Relation::of_aabbs(a, b);
    if relation == Relation::Disjoint {
        return Some(None);
    }
    if !(a.min().cmplt(a.max()) & b.min().cmplt(b.max())).all() {
        return None;
    }
    let [low_a, high_a, low_b, high_b] =
        [a.min(), a.max(), b.min(), b.max()].map(|corner| corner.as_dvec2());
    // How far `a` would have to go up and down each axis.
    let (up, down) = (high_b - low_a, high_a - low_b);
    let least = up.min(down);
    let level = least.x <= least.y;
    let depth = if level { least.x } else { least.y };
    let ahead = if level { up.x <= down.x } else { up.y <= down.y };
    let sign = if ahead { 1.0 } else { -1.0 };
    let normal = if level { Vec2::new(sign, 0.0) } else { Vec2::new(0.0, sign) };
    // Halfway between the two sides, from end to end of what they share.
    let (low, high) = (low_a.max(low_b), high_a.min(high_b));
    let middle = (if ahead { low_a + high_b } else { high_a + low_b }) / 2.0;
    let ends = if level {
        [DVec2::new(middle.x, low.y), DVec2::new(middle.x, high.y)]
    } else {
        [DVec2::new(low.x, middle.y), DVec2::new(high.x, middle.y)]
    };
    let (depth, push) = if relation == Relation::Touching {
        (0.0, Vec2::ZERO)
    } else {
        let pick = |v: Vec2| if level { v.x } else { v.y };
        let (from, to) = if ahead { (a.min(), b.max()) } else { (-a.max(), -b.min()) };
        let push = level_push(pick(from), f64::from(pick(to)));
        (to_f32(depth).max(f32::from_bits(1)), normal * push + Vec2::ZERO)
    };
    Some(Some(Contact { normal, depth, push, points: ContactPoints::two(ends[0], ends[1]) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use crate::query::contact::general;

    /// Circles, boxes and polygons on a grid of halves and off it, touching and nested among them.
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
    fn the_short_ways_agree_with_the_general_one() {
        let (shapes, mut contacts) = (shapes(), 0);
        for a in &shapes {
            for b in &shapes {
                let (quick, slow) = (a.contact(b), general(a.as_shape(), b.as_shape()));
                assert_eq!(quick.is_some(), slow.is_some(), "{a:?} {b:?}");
                let (Some(quick), Some(slow)) = (quick, slow) else { continue };
                contacts += 1;
                let told = || alloc::format!("{a:?} {b:?}: {quick:?}, in general {slow:?}");
                assert!((quick.depth - slow.depth).abs() <= 1e-6, "{}", told());
                assert_eq!(quick.depth == 0.0, slow.depth == 0.0, "{}", told());
                // Of several ways out that are equally short, either may be taken.
                if quick.normal.dot(slow.normal) > 1.0 - 1e-5 {
                    assert!((quick.push - slow.push).length() <= 2e-6, "{}", told());
                    let off = |p: &Vec2| slow.points.iter().all(|q| p.distance(*q) > 1e-5);
                    assert!(!quick.points.iter().any(off), "{}", told());
                } else {
                    assert!(!a.translated(quick.push).overlaps(b), "{}", told());
                }
            }
        }
        assert!(contacts > 10_000);
    }
}
