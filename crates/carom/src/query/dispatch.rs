//! Chooses the algorithm for two shapes of any kind.
//!
//! There are three paths, and the first that applies is taken:
//!
//! 1. A *fast path* for the pairs that games test most, such as circle and box ([`fast`]), and for
//!    tile maps and masks ([`grid`]). It computes in `f32` and may return
//!    [`Uncertain`](Filtered::Uncertain), for example for touching shapes; the general path then
//!    decides. Tests prove that both agree.
//! 2. The *general path* for two convex shapes: the separating axis test
//!    ([`sat`](crate::query::sat)), exact.
//! 3. The *composite path* if either shape has several convex parts: pairs of parts
//!    ([`overlap`](crate::query::overlap)), and for a contact the minimum translation that clears
//!    all of them ([`mtv`]).

use crate::math::exact::Filtered;
use crate::query::composite::any_part_pair;
use crate::query::contact::{self, Contact};
use crate::query::overlap::composites_overlap;
use crate::query::relation::Relation;
use crate::query::sat::{exact_relation, point_relation};
use crate::query::separation::convex_relation;
use crate::query::{fast, grid, mtv};
use crate::shape::ShapeRef;
use crate::shape::convex::{Convex, ConvexBuffer};

/// Returns `true` if the closed sets share a point. Touching counts. Exact.
#[inline(always)]
pub(crate) fn intersects(a: ShapeRef<'_>, b: ShapeRef<'_>) -> bool {
    match relation_then(a, b, Relation::intersects) {
        Some(intersects) => intersects,
        None => {
            any_part_pair(&a, &b, &mut |a, b| convex_relation(&a.convex, &b.convex).intersects())
        }
    }
}

/// Returns `true` if the shapes share more than boundary points. Touching does not count. Exact.
#[inline(always)]
pub(crate) fn overlaps(a: ShapeRef<'_>, b: ShapeRef<'_>) -> bool {
    match relation_then(a, b, |relation| relation) {
        Some(relation) => relation.overlaps(),
        None => composites_overlap(&a, &b),
    }
}

/// Applies `f` to the relation of two shapes; `None` for composite shapes without a fast path.
///
/// `f` is applied inside each branch. This is faster than returning the relation and comparing it
/// once at the end.
#[inline(always)]
fn relation_then<R>(a: ShapeRef<'_>, b: ShapeRef<'_>, f: impl Fn(Relation) -> R) -> Option<R> {
    let filtered = match (a, b) {
        // Touching circles and boxes are common, so these have their own exact fallback.
        (ShapeRef::Circle(a), ShapeRef::Circle(b)) => {
            return Some(match fast::circle_circle(a, b) {
                Filtered::Certain(relation) => f(relation),
                Filtered::Uncertain => f(fast::circle_circle_exact(a, b)),
            });
        }
        (ShapeRef::Aabb(a), ShapeRef::Aabb(b)) => return Some(f(Relation::of_aabbs(a, b))),
        (ShapeRef::Circle(circle), ShapeRef::Aabb(aabb))
        | (ShapeRef::Aabb(aabb), ShapeRef::Circle(circle)) => fast::circle_aabb(circle, aabb),
        (ShapeRef::Circle(circle), ShapeRef::Obb(obb))
        | (ShapeRef::Obb(obb), ShapeRef::Circle(circle)) => fast::circle_obb(circle, &obb.approx),
        (ShapeRef::Obb(a), ShapeRef::Obb(b)) => {
            return Some(match fast::obb_obb(&a.approx, &b.approx) {
                Filtered::Certain(relation) => f(relation),
                Filtered::Uncertain => {
                    f(exact_relation(&a.convex.as_convex(), &b.convex.as_convex()))
                }
            });
        }
        (ShapeRef::Capsule(a), ShapeRef::Capsule(b)) => fast::capsule_capsule(a, b),
        (ShapeRef::Point(point), ShapeRef::ConvexPolygon(polygon))
        | (ShapeRef::ConvexPolygon(polygon), ShapeRef::Point(point))
            if polygon.radius() == 0.0 && polygon.points().len() > 2 =>
        {
            return Some(f(point_relation(&polygon.as_convex(), point.position())));
        }
        (ShapeRef::TileMap(map), shape) | (shape, ShapeRef::TileMap(map)) => {
            return grid::tile_map_relation(shape, map).map(f);
        }
        (ShapeRef::Mask(mask), shape) | (shape, ShapeRef::Mask(mask)) => {
            return grid::mask_relation(shape, mask).map(f);
        }
        _ => return via_convex(a, b).map(f),
    };
    Some(match filtered {
        Filtered::Certain(relation) => f(relation),
        Filtered::Uncertain => f(exact_fallback(a, b)),
    })
}

/// Returns the relation of two convex shapes by the separating axis test; `None` if either is
/// composite.
#[inline(always)]
fn via_convex(a: ShapeRef<'_>, b: ShapeRef<'_>) -> Option<Relation> {
    let (mut buffer_a, mut buffer_b) = (ConvexBuffer::new(), ConvexBuffer::new());
    let convex_a = a.convex_or_empty(&mut buffer_a);
    let convex_b = b.convex_or_empty(&mut buffer_b);
    if convex_a.points.is_empty() || convex_b.points.is_empty() {
        None
    } else {
        Some(convex_relation(&convex_a, &convex_b))
    }
}

/// Returns the relation where a fast path is uncertain.
#[cold]
#[inline(never)]
fn exact_fallback(a: ShapeRef<'_>, b: ShapeRef<'_>) -> Relation {
    match (a, b) {
        (ShapeRef::Circle(circle), ShapeRef::Aabb(aabb))
        | (ShapeRef::Aabb(aabb), ShapeRef::Circle(circle))
            if circle.radius() > 0.0 =>
        {
            fast::circle_aabb_exact(circle, aabb)
        }
        _ => via_convex(a, b).unwrap_or(Relation::Disjoint),
    }
}

/// Returns the contact of two shapes; `None` if they share no point.
#[inline(always)]
pub(crate) fn contact(a: ShapeRef<'_>, b: ShapeRef<'_>) -> Option<Contact> {
    let filtered = match (a, b) {
        (ShapeRef::Circle(a), ShapeRef::Circle(b)) => fast::circle_circle_contact(a, b),
        (ShapeRef::Aabb(a), ShapeRef::Aabb(b)) => fast::aabb_aabb_contact(a, b),
        (ShapeRef::Aabb(a), ShapeRef::Circle(b)) => fast::aabb_circle_contact(a, b, false),
        (ShapeRef::Circle(a), ShapeRef::Aabb(b)) => fast::aabb_circle_contact(b, a, true),
        (ShapeRef::Obb(a), ShapeRef::Circle(b)) => fast::obb_circle_contact(a, b, false),
        (ShapeRef::Circle(a), ShapeRef::Obb(b)) => fast::obb_circle_contact(b, a, true),
        (ShapeRef::Capsule(a), ShapeRef::Capsule(b)) => fast::capsule_capsule_contact(a, b),
        _ => return contact_by(a, b, contact::convex),
    };
    match filtered {
        Filtered::Certain(contact) => contact,
        Filtered::Uncertain => general_contact(a, b),
    }
}

/// Returns the contact without any fast path.
#[cold]
#[inline(never)]
pub(super) fn general_contact(a: ShapeRef<'_>, b: ShapeRef<'_>) -> Option<Contact> {
    contact_by(a, b, contact::convex_pair)
}

/// Returns the contact, which `of_convex` computes if both shapes are convex.
#[inline(always)]
fn contact_by(
    a: ShapeRef<'_>,
    b: ShapeRef<'_>,
    of_convex: fn(&Convex<'_>, &Convex<'_>) -> Option<Contact>,
) -> Option<Contact> {
    let (mut buffer_a, mut buffer_b) = (ConvexBuffer::new(), ConvexBuffer::new());
    let convex_a = a.convex_or_empty(&mut buffer_a);
    let convex_b = b.convex_or_empty(&mut buffer_b);
    if convex_a.points.is_empty() || convex_b.points.is_empty() {
        mtv::contact(a, b)
    } else {
        of_convex(&convex_a, &convex_b)
    }
}
