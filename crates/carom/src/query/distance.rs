//! How far apart are two shapes?

use crate::query::Relation;
use core::ops::ControlFlow;

use glam::{DVec2, Vec2};

use crate::math::exact::orient2d;
use crate::math::{cross, length, to_f32, to_vec2};
use crate::query::parts::{Parts, core_bounds, each_pair};
use crate::query::separation::{Separation, convex_relation, separation};
use crate::shape::convex::{Convex, ConvexBuffer};
use crate::shape::{Aabb, ShapeRef};

/// Where two shapes come closest.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ClosestPoints {
    /// The distance; 0 exactly where the shapes intersect.
    pub distance: f32,
    /// The point of the first shape; where the shapes intersect, a point of both.
    pub on_a: Vec2,
    /// The point of the second shape; where the shapes intersect, the same point.
    pub on_b: Vec2,
}

#[inline(always)]
pub(crate) fn distance(a: ShapeRef<'_>, b: ShapeRef<'_>) -> f32 {
    let (mut buffer_a, mut buffer_b) = (ConvexBuffer::new(), ConvexBuffer::new());
    let core_a = a.convex_or_empty(&mut buffer_a);
    let core_b = b.convex_or_empty(&mut buffer_b);
    if core_a.points.is_empty() || core_b.points.is_empty() {
        least_of_parts(&a, &b, &mut |_, _, _| {})
    } else {
        convex_distance(&core_a, &core_b)
    }
}

#[inline(never)]
fn convex_distance(a: &Convex<'_>, b: &Convex<'_>) -> f32 {
    separation(a, b, f64::INFINITY).map_or(0.0, |separation| distance_of(&separation))
}

pub(crate) fn closest_points(a: ShapeRef<'_>, b: ShapeRef<'_>) -> ClosestPoints {
    let mut closest = ClosestPoints { distance: 0.0, on_a: Vec2::ZERO, on_b: Vec2::ZERO };
    closest.distance = least_of_parts(&a, &b, &mut |a, b, separation| {
        (closest.on_a, closest.on_b) = points(a, b, separation)
    });
    closest
}

fn distance_of(separation: &Separation) -> f32 {
    if separation.relation == Relation::Disjoint {
        // Apart by less than f32 can tell is still apart.
        to_f32(separation.distance).max(f32::from_bits(1))
    } else {
        0.0
    }
}

/// The least distance of any two shapes; `found` is told pairs of parts, the closest last. It is
/// infinite where a shape has no parts.
fn least_of_parts(
    a: &dyn Parts,
    b: &dyn Parts,
    found: &mut dyn FnMut(&Convex<'_>, &Convex<'_>, &Separation),
) -> f32 {
    match a.tile().into_iter().chain(b.tile()).reduce(f64::min) {
        Some(tile) => least_within(a, b, tile, found),
        None => least(a, b, found),
    }
}

/// The same for a tile map: looks within a reach first, then further and further, so that tiles far
/// off are not looked at where others are near.
fn least_within(
    a: &dyn Parts,
    b: &dyn Parts,
    tile: f64,
    found: &mut dyn FnMut(&Convex<'_>, &Convex<'_>, &Separation),
) -> f32 {
    let (all_a, all_b) = (a.bounds(), b.bounds());
    let everything = Aabb::union([all_a, all_b]);
    let furthest = length(everything.max().as_dvec2() - everything.min().as_dvec2());
    let mut reach = box_distance(&all_a, &all_b) + tile;
    let mut best = f32::INFINITY;
    loop {
        let _ = each_pair(a, b, reach, &mut |part_a, part_b| {
            let here = separation(&part_a.convex, &part_b.convex, f64::INFINITY);
            if let Some(separation) = here.filter(|separation| distance_of(separation) < best) {
                best = distance_of(&separation);
                found(&part_a.convex, &part_b.convex, &separation);
            }
            if best == 0.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if f64::from(best) <= reach || reach > furthest {
            return best;
        }
        reach = if best < f32::INFINITY { f64::from(best) * (1.0 + 1e-6) } else { 2.0 * reach };
    }
}

/// The least distance over all pairs of parts; `found` is told each pair that is closer than those
/// before. Stops at the first pair that intersects.
fn least(
    a: &dyn Parts,
    b: &dyn Parts,
    found: &mut dyn FnMut(&Convex<'_>, &Convex<'_>, &Separation),
) -> f32 {
    let mut best = f32::INFINITY;
    let (all_a, all_b) = (a.bounds(), b.bounds());
    let best_cell = core::cell::Cell::new(f64::INFINITY);
    let may_be_closer = |p: &Aabb, q: &Aabb| box_distance(p, q) < best_cell.get();
    let _ = a.visit(&mut |bounds| may_be_closer(bounds, &all_b), &mut |part_a| {
        let near = core_bounds(&part_a.convex);
        debug_assert!(near.intersects_aabb(&all_a));
        b.visit(&mut |bounds| may_be_closer(bounds, &near), &mut |part_b| {
            if let Some(separation) = separation(&part_a.convex, &part_b.convex, f64::INFINITY) {
                let distance = distance_of(&separation);
                if distance < best {
                    best = distance;
                    best_cell.set(f64::from(distance) * (1.0 + 1e-6));
                    found(&part_a.convex, &part_b.convex, &separation);
                }
            }
            if best == 0.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    });
    best
}

/// The distance of two boxes, never rounded up.
fn box_distance(a: &Aabb, b: &Aabb) -> f64 {
    let gap = |a_low: f32, a_high: f32, b_low: f32, b_high: f32| {
        (f64::from(b_low) - f64::from(a_high)).max(f64::from(a_low) - f64::from(b_high)).max(0.0)
    };
    let x = gap(a.min().x, a.max().x, b.min().x, b.max().x);
    let y = gap(a.min().y, a.max().y, b.min().y, b.max().y);
    length(DVec2::new(x, y)) * (1.0 - 1e-12)
}

/// The closest points on the surfaces, or a point that both shapes hold.
fn points(a: &Convex<'_>, b: &Convex<'_>, separation: &Separation) -> (Vec2, Vec2) {
    let (ra, rb) = (f64::from(a.radius), f64::from(b.radius));
    if separation.relation == Relation::Disjoint {
        let on_a = separation.point_a - separation.normal * ra;
        let on_b = separation.point_b + separation.normal * rb;
        return (to_vec2(on_a), to_vec2(on_b));
    }
    let shared = if separation.distance > -(ra + rb) {
        // The cores are apart; between them the radii reach over.
        separation.point_a + (separation.point_b - separation.point_a) * (ra / (ra + rb))
    } else {
        shared_point(a, b).unwrap_or((separation.point_a + separation.point_b) / 2.0)
    };
    (to_vec2(shared), to_vec2(shared))
}

/// A point of both cores, which touch or overlap: a corner of one in the other, or a crossing of
/// two edges.
fn shared_point(a: &Convex<'_>, b: &Convex<'_>) -> Option<DVec2> {
    let meets = |p: &Convex<'_>, q: &Convex<'_>| convex_relation(&bare(p), &bare(q)).intersects();
    for (p, q) in [(a, b), (b, a)] {
        if let Some(corner) = p.points.iter().find(|&corner| meets(&Convex::point(corner, 0.0), q))
        {
            return Some(corner.as_dvec2());
        }
    }
    for (p, q) in a.edges() {
        let origin = p.as_dvec2();
        let u = q.as_dvec2() - origin;
        for (r, s) in b.edges() {
            let (from, v) = (r.as_dvec2() - origin, s.as_dvec2() - r.as_dvec2());
            let turn = cross(u, v);
            let apart =
                orient2d(p, q, r) == orient2d(p, q, s) || orient2d(r, s, p) == orient2d(r, s, q);
            if !apart && turn != 0.0 {
                return Some(origin + u * (cross(from, v) / turn));
            }
        }
    }
    None
}

/// A core without its radius.
fn bare<'a>(core: &Convex<'a>) -> Convex<'a> {
    Convex { radius: 0.0, ..*core }
}
