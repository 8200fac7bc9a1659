//! How two convex shapes lie to each other: all that tests, contacts and distances need.

use core::cmp::Ordering;

use glam::DVec2;

use crate::math::exact::cmp_distance;
use crate::math::length;
use crate::query::separation::{
    Axis, Closest, best_axis, closest, closest_segments, cmp_distance_to_radii, core_verdict,
};
use crate::shape::core::Core;

/// How two rounded cores lie to each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relation {
    /// Apart (`Greater`), touching (`Equal`) or overlapping (`Less`), exactly.
    pub order: Ordering,
    /// The distance, or minus the depth.
    pub separation: f64,
    /// The unit vector out of `b` towards `a` along which they part soonest.
    pub normal: DVec2,
    /// Where the cores come closest; for cores that overlap, the corner furthest in and its foot
    /// on the other's edge.
    pub on_a: DVec2,
    pub on_b: DVec2,
    /// The edge across which they lie, unless two corners are closest.
    pub face: Option<Axis>,
}

/// The direction among equals, where nothing else tells one: two points in one place.
const ANY: DVec2 = DVec2::X;

/// How two rounded cores lie to each other; `None` where they are surely further apart than
/// `limit`.
#[inline(always)]
pub(crate) fn relate(a: &Core<'_>, b: &Core<'_>, limit: f64) -> Option<Relation> {
    match (a.points.len(), b.points.len()) {
        (1, 1) => relate_points(a, b, limit),
        (2, 2) if a.radius + b.radius > 0.0 => relate_segments(a, b, limit),
        _ => relate_polygons(a, b, limit),
    }
}

/// Capsules.
#[inline(never)]
fn relate_segments(a: &Core<'_>, b: &Core<'_>, limit: f64) -> Option<Relation> {
    let Some((closest, axis)) = closest_segments(a, b) else {
        return relate_polygons(a, b, limit);
    };
    let radii = f64::from(a.radius) + f64::from(b.radius);
    if closest.distance > (radii + limit) * (1.0 + 1e-9) + 1e-12 * (a.size + b.size) {
        return None;
    }
    let order = cmp_distance_to_radii(a, b, &closest);
    Some(from_closest(&closest, &axis, order, radii))
}

#[inline(always)]
fn relate_polygons(a: &Core<'_>, b: &Core<'_>, limit: f64) -> Option<Relation> {
    let radii = f64::from(a.radius) + f64::from(b.radius);
    let axis = best_axis(a, b, radii + limit)?;
    Some(relate_across(a, b, axis, radii))
}

/// How two cores lie to each other, given the edge with the largest gap.
#[inline(always)]
pub(crate) fn relate_across(a: &Core<'_>, b: &Core<'_>, axis: Axis, radii: f64) -> Relation {
    let cores = core_order(a, b, &axis);
    if cores == Ordering::Greater {
        return relate_apart(a, b, &axis, radii);
    }
    let other = if axis.of_a { b } else { a };
    let corner = other.points[axis.support].as_dvec2();
    let gap = axis.gap.min(0.0);
    let foot = corner - axis.normal * gap;
    let order = if radii > 0.0 { Ordering::Less } else { cores };
    let separation = if cores == Ordering::Equal { -radii } else { gap - radii };
    let (normal, on_a, on_b) =
        if axis.of_a { (-axis.normal, foot, corner) } else { (axis.normal, corner, foot) };
    Relation { order, separation, normal, on_a, on_b, face: Some(axis) }
}

/// The exact sign of the cores' gap, by `f64` where that is sure. The error is that of all edges: the
/// gap of another may be the largest in truth, and was lost among larger numbers.
#[inline(always)]
fn core_order(a: &Core<'_>, b: &Core<'_>, axis: &Axis) -> Ordering {
    let between = (b.points[0] - a.points[0]).abs();
    let error = 1e-13 * (a.size + b.size + f64::from(between.x + between.y));
    if axis.gap > error {
        Ordering::Greater
    } else if axis.gap < -error {
        Ordering::Less
    } else {
        core_verdict(a, b)
    }
}

#[inline(always)]
fn relate_apart(a: &Core<'_>, b: &Core<'_>, axis: &Axis, radii: f64) -> Relation {
    let closest = closest(a, b, axis);
    let order = if radii > 0.0 { cmp_distance_to_radii(a, b, &closest) } else { Ordering::Greater };
    from_closest(&closest, axis, order, radii)
}

#[inline(always)]
fn from_closest(closest: &Closest, axis: &Axis, order: Ordering, radii: f64) -> Relation {
    let out_of_b = if axis.of_a { -axis.normal } else { axis.normal };
    Relation {
        order,
        separation: closest.distance - radii,
        normal: closest.normal,
        on_a: closest.on_a,
        on_b: closest.on_b,
        face: (closest.on_edge && closest.normal.dot(out_of_b) > 1.0 - 1e-9).then_some(*axis),
    }
}

#[inline(always)]
fn relate_points(a: &Core<'_>, b: &Core<'_>, limit: f64) -> Option<Relation> {
    let (on_a, on_b) = (a.points[0].as_dvec2(), b.points[0].as_dvec2());
    let radii = f64::from(a.radius) + f64::from(b.radius);
    let between = on_a - on_b;
    let distance = length(between);
    if distance > (radii + limit) * (1.0 + 1e-12) {
        return None;
    }
    let order = cmp_distance(a.points[0], b.points[0], a.radius, b.radius);
    let normal = if distance > 0.0 { between / distance } else { ANY };
    Some(Relation { order, separation: distance - radii, normal, on_a, on_b, face: None })
}

/// Apart (`Greater`), touching (`Equal`) or overlapping (`Less`), exactly.
#[inline]
pub(crate) fn verdict(a: &Core<'_>, b: &Core<'_>) -> Ordering {
    if a.radius == 0.0 && b.radius == 0.0 {
        core_verdict(a, b)
    } else {
        relate(a, b, 0.0).map_or(Ordering::Greater, |relation| relation.order)
    }
}
