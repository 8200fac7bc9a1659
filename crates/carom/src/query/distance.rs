//! How far apart are two shapes?

use core::cmp::Ordering;
use core::ops::ControlFlow;

use glam::{DVec2, Vec2};
use smallvec::SmallVec;

use crate::math::{length, outward, round, round1};
use crate::query::parts::{Parts, core_bounds};
use crate::query::relation::{Relation, relate};
use crate::shape::core::Core;
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
    let convex = a.with_core(|a| b.with_core(|b| relate(&a, &b, f64::INFINITY)));
    match convex.flatten() {
        Some(relation) => relation.map_or(0.0, |relation| distance_of(&relation)),
        None => least(&a, &b, &mut |_, _, _| {}),
    }
}

pub(crate) fn closest_points(a: ShapeRef<'_>, b: ShapeRef<'_>) -> ClosestPoints {
    let mut closest = ClosestPoints { distance: 0.0, on_a: Vec2::ZERO, on_b: Vec2::ZERO };
    closest.distance =
        least(&a, &b, &mut |a, b, relation| (closest.on_a, closest.on_b) = points(a, b, relation));
    closest
}

fn distance_of(relation: &Relation) -> f32 {
    if relation.order == Ordering::Greater {
        // Apart by less than f32 can tell is still apart.
        round1(relation.separation).max(f32::from_bits(1))
    } else {
        0.0
    }
}

/// The least distance over all pairs of parts; `found` is told each pair that is closer than those
/// before. Stops at the first pair that intersects.
fn least(
    a: &dyn Parts,
    b: &dyn Parts,
    found: &mut dyn FnMut(&Core<'_>, &Core<'_>, &Relation),
) -> f32 {
    let mut best = f32::INFINITY;
    let (all_a, all_b) = (a.bounds(), b.bounds());
    let best_cell = core::cell::Cell::new(f64::INFINITY);
    let may_be_closer = |p: &Aabb, q: &Aabb| box_distance(p, q) < best_cell.get();
    let _ = a.visit(&mut |bounds| may_be_closer(bounds, &all_b), &mut |part_a| {
        let near = core_bounds(&part_a.core);
        debug_assert!(near.touches(&all_a));
        b.visit(&mut |bounds| may_be_closer(bounds, &near), &mut |part_b| {
            if let Some(relation) = relate(&part_a.core, &part_b.core, f64::INFINITY) {
                let distance = distance_of(&relation);
                if distance < best {
                    best = distance;
                    best_cell.set(f64::from(distance) * (1.0 + 1e-6));
                    found(&part_a.core, &part_b.core, &relation);
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
fn points(a: &Core<'_>, b: &Core<'_>, relation: &Relation) -> (Vec2, Vec2) {
    let (ra, rb) = (f64::from(a.radius), f64::from(b.radius));
    if relation.order == Ordering::Greater {
        let on_a = relation.on_a - relation.normal * ra;
        let on_b = relation.on_b + relation.normal * rb;
        return (round(on_a), round(on_b));
    }
    let shared = if relation.separation > -(ra + rb) {
        // The cores are apart; between them the radii reach over.
        relation.on_a + (relation.on_b - relation.on_a) * (ra / (ra + rb))
    } else {
        shared_point(a, b).unwrap_or((relation.on_a + relation.on_b) / 2.0)
    };
    (round(shared), round(shared))
}

/// A point of both cores: the middle of what is left of one, clipped by the other's edges.
fn shared_point(a: &Core<'_>, b: &Core<'_>) -> Option<DVec2> {
    // The core with fewer corners does the clipping; a point clips nothing.
    let (kept, knife) = if a.points.len() >= b.points.len() { (a, b) } else { (b, a) };
    if knife.points.len() == 1 {
        return Some(knife.points[0].as_dvec2());
    }
    let mut ring: SmallVec<[DVec2; 16]> = kept.points.iter().map(|p| p.as_dvec2()).collect();
    for (start, end) in knife.edges() {
        let (start, side) = (start.as_dvec2(), end.as_dvec2() - start.as_dvec2());
        let normal = outward(side) / length(side);
        let beyond = |p: DVec2| normal.dot(p - start);
        let slack = 1e-12
            * (length(side) + ring.iter().fold(0.0, |far: f64, p| far.max(length(*p - start))));
        let mut left = SmallVec::new();
        for (i, &p) in ring.iter().enumerate() {
            let q = ring[(i + 1) % ring.len()];
            let (at_p, at_q) = (beyond(p), beyond(q));
            if at_p <= slack {
                left.push(p);
            }
            if (at_p > slack) != (at_q > slack) {
                left.push(p + (q - p) * (at_p / (at_p - at_q)).clamp(0.0, 1.0));
            }
        }
        ring = left;
    }
    // A flat knife keeps the strip along its line; the ends are left to cut.
    if let [start, end] = *knife.points {
        let (start, side) = (start.as_dvec2(), end.as_dvec2() - start.as_dvec2());
        let along = |p: &DVec2| side.dot(*p - start) / side.dot(side);
        let low = ring.iter().map(along).fold(f64::INFINITY, f64::min).max(0.0);
        let high = ring.iter().map(along).fold(f64::NEG_INFINITY, f64::max).min(1.0);
        return (!ring.is_empty()).then(|| start + side * ((low + high) / 2.0));
    }
    let count = ring.len() as f64;
    (!ring.is_empty()).then(|| ring.iter().fold(DVec2::ZERO, |sum, &p| sum + p) / count)
}
