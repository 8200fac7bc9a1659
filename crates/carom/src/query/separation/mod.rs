//! How two convex shapes lie to each other: all that tests, contacts and distances need.

mod closest;
mod radii;

pub(crate) use closest::closest_segments;
pub(crate) use radii::cmp_point_segment;

use closest::{Closest, closest};
use glam::DVec2;
use radii::cmp_distance_to_radii;

use crate::math::exact::cmp_distance;
use crate::math::length;
use crate::query::relation::Relation;
use crate::query::sat::{Axis, best_axis, core_relation};
use crate::shape::convex::Convex;

/// How two rounded cores lie to each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Separation {
    /// Apart (`Greater`), touching (`Equal`) or overlapping (`Less`), exactly.
    pub relation: Relation,
    /// The distance, or minus the depth.
    pub distance: f64,
    /// The unit vector out of `b` towards `a` along which they part soonest.
    pub normal: DVec2,
    /// Where the cores come closest; for cores that overlap, the corner furthest in and its foot
    /// on the other's edge.
    pub point_a: DVec2,
    pub point_b: DVec2,
    /// The edge across which they lie, unless two corners are closest.
    pub reference_edge: Option<Axis>,
}

/// The direction among equals, where nothing else tells one: two points in one place.
const ANY: DVec2 = DVec2::X;

/// How two rounded cores lie to each other; `None` where they are surely further apart than
/// `limit`.
#[inline(always)]
pub(crate) fn separation(a: &Convex<'_>, b: &Convex<'_>, limit: f64) -> Option<Separation> {
    match (a.points.len(), b.points.len()) {
        (1, 1) => separation_of_points(a, b, limit),
        (2, 2) if a.radius + b.radius > 0.0 => separation_of_segments(a, b, limit),
        _ => separation_of_polygons(a, b, limit),
    }
}

/// Capsules.
#[inline(never)]
fn separation_of_segments(a: &Convex<'_>, b: &Convex<'_>, limit: f64) -> Option<Separation> {
    let Some((closest, axis)) = closest_segments(a, b) else {
        return separation_of_polygons(a, b, limit);
    };
    let radii = f64::from(a.radius) + f64::from(b.radius);
    if closest.distance > (radii + limit) * (1.0 + 1e-9) + 1e-12 * (a.extent + b.extent) {
        return None;
    }
    let relation = Relation::from_distance(cmp_distance_to_radii(a, b, &closest));
    Some(from_closest(&closest, &axis, relation, radii))
}

#[inline(always)]
fn separation_of_polygons(a: &Convex<'_>, b: &Convex<'_>, limit: f64) -> Option<Separation> {
    let radii = f64::from(a.radius) + f64::from(b.radius);
    let axis = best_axis(a, b, radii + limit)?;
    Some(separation_along(a, b, axis, radii))
}

/// How two cores lie to each other, given the edge with the largest gap.
#[inline(always)]
pub(crate) fn separation_along(
    a: &Convex<'_>,
    b: &Convex<'_>,
    axis: Axis,
    radii: f64,
) -> Separation {
    let cores = core_order(a, b, &axis);
    if cores == Relation::Disjoint {
        return separation_of_apart(a, b, &axis, radii);
    }
    let other = if axis.of_a { b } else { a };
    let corner = other.points[axis.support].as_dvec2();
    let gap = axis.gap.min(0.0);
    let foot = corner - axis.normal * gap;
    let relation = if radii > 0.0 { Relation::Overlapping } else { cores };
    let distance = if cores == Relation::Touching { -radii } else { gap - radii };
    let (normal, point_a, point_b) =
        if axis.of_a { (-axis.normal, foot, corner) } else { (axis.normal, corner, foot) };
    Separation { relation, distance, normal, point_a, point_b, reference_edge: Some(axis) }
}

/// The exact sign of the cores' gap, by `f64` where that is sure. The error is that of all edges: the
/// gap of another may be the largest in truth, and was lost among larger numbers.
#[inline(always)]
fn core_order(a: &Convex<'_>, b: &Convex<'_>, axis: &Axis) -> Relation {
    let between = (b.points[0] - a.points[0]).abs();
    let error = 1e-13 * (a.extent + b.extent + f64::from(between.x + between.y));
    if axis.gap > error {
        Relation::Disjoint
    } else if axis.gap < -error {
        Relation::Overlapping
    } else {
        core_relation(a, b)
    }
}

#[inline(always)]
fn separation_of_apart(a: &Convex<'_>, b: &Convex<'_>, axis: &Axis, radii: f64) -> Separation {
    let closest = closest(a, b, axis);
    let relation = if radii > 0.0 {
        Relation::from_distance(cmp_distance_to_radii(a, b, &closest))
    } else {
        Relation::Disjoint
    };
    from_closest(&closest, axis, relation, radii)
}

#[inline(always)]
fn from_closest(closest: &Closest, axis: &Axis, relation: Relation, radii: f64) -> Separation {
    let out_of_b = if axis.of_a { -axis.normal } else { axis.normal };
    Separation {
        relation,
        distance: closest.distance - radii,
        normal: closest.normal,
        point_a: closest.point_a,
        point_b: closest.point_b,
        reference_edge: (closest.on_edge && closest.normal.dot(out_of_b) > 1.0 - 1e-9)
            .then_some(*axis),
    }
}

#[inline(always)]
fn separation_of_points(a: &Convex<'_>, b: &Convex<'_>, limit: f64) -> Option<Separation> {
    let (point_a, point_b) = (a.points[0].as_dvec2(), b.points[0].as_dvec2());
    let radii = f64::from(a.radius) + f64::from(b.radius);
    let between = point_a - point_b;
    let distance = length(between);
    if distance > (radii + limit) * (1.0 + 1e-12) {
        return None;
    }
    let relation =
        Relation::from_distance(cmp_distance(a.points[0], b.points[0], a.radius, b.radius));
    let normal = if distance > 0.0 { between / distance } else { ANY };
    Some(Separation {
        relation,
        distance: distance - radii,
        normal,
        point_a,
        point_b,
        reference_edge: None,
    })
}

/// Apart (`Greater`), touching (`Equal`) or overlapping (`Less`), exactly.
#[inline]
pub(crate) fn convex_relation(a: &Convex<'_>, b: &Convex<'_>) -> Relation {
    if a.radius == 0.0 && b.radius == 0.0 {
        core_relation(a, b)
    } else {
        separation(a, b, 0.0).map_or(Relation::Disjoint, |separation| separation.relation)
    }
}
