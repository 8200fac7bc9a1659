//! The verdict on two convex shapes, with fast paths for the pairs that games ask about most.
//!
//! A fast path decides in a few operations where it is sure, and leaves the rest to the general
//! [`verdict`]. Tests prove that they agree.

use crate::query::Relation;
use core::ops::ControlFlow;

use glam::Vec2;
use wide::f32x4;

use crate::math::exact::{cmp_distance_f64, cmp_squares};
use crate::query::order_mask::with_mask;
use crate::query::sat::{exact_relation, point_relation};
use crate::query::separation::convex_relation;
use crate::shape::convex::ConvexBuffer;
use crate::shape::obb::{ApproxObb, ERROR};
use crate::shape::parts::QueryRegion;
use crate::shape::{Aabb, Capsule, Circle, ShapeRef, TileMap};

/// Apart (`Greater`), touching (`Equal`) or overlapping (`Less`), exactly; `None` where a shape is
/// made of parts.
#[inline(always)]
pub(crate) fn order(a: ShapeRef<'_>, b: ShapeRef<'_>) -> Option<Relation> {
    judge(a, b, |order| order)
}

/// What `ask` makes of the order. (A yes or no is cheaper to get from each way to the order than
/// from the order that they all lead to.)
#[inline(always)]
pub(crate) fn judge<R>(a: ShapeRef<'_>, b: ShapeRef<'_>, ask: impl Fn(Relation) -> R) -> Option<R> {
    // Where touches are common, the exact answer is a plain call away.
    let quick = match (a, b) {
        (ShapeRef::Circle(a), ShapeRef::Circle(b)) => {
            return Some(match circle_circle(a, b) {
                Some(order) => ask(order),
                None => ask(circle_circle_closely(a, b)),
            });
        }
        (ShapeRef::Aabb(a), ShapeRef::Aabb(b)) => return Some(ask(Relation::of_aabbs(a, b))),
        (ShapeRef::Circle(circle), ShapeRef::Aabb(aabb))
        | (ShapeRef::Aabb(aabb), ShapeRef::Circle(circle)) => circle_aabb(circle, aabb),
        (ShapeRef::Circle(circle), ShapeRef::Obb(obb))
        | (ShapeRef::Obb(obb), ShapeRef::Circle(circle)) => circle_obb(circle, &obb.approx),
        (ShapeRef::Obb(a), ShapeRef::Obb(b)) => {
            return Some(match obb_obb(&a.approx, &b.approx) {
                Some(order) => ask(order),
                None => ask(exact_relation(&a.convex.as_convex(), &b.convex.as_convex())),
            });
        }
        (ShapeRef::Capsule(a), ShapeRef::Capsule(b)) => capsule_capsule(a, b),
        (ShapeRef::Point(point), ShapeRef::ConvexPolygon(polygon))
        | (ShapeRef::ConvexPolygon(polygon), ShapeRef::Point(point))
            if polygon.radius() == 0.0 && polygon.points().len() > 2 =>
        {
            return Some(ask(point_relation(&polygon.as_convex(), point.position())));
        }
        (ShapeRef::TileMap(map), shape) | (shape, ShapeRef::TileMap(map)) => {
            return with_tiles(shape, map).map(ask);
        }
        (ShapeRef::Mask(mask), shape) | (shape, ShapeRef::Mask(mask)) => {
            return with_mask(shape, mask).map(ask);
        }
        _ => return general(a, b).map(ask),
    };
    Some(match quick {
        Some(order) => ask(order),
        None => ask(closely(a, b)),
    })
}

/// The verdict by cores.
#[inline(always)]
fn general(a: ShapeRef<'_>, b: ShapeRef<'_>) -> Option<Relation> {
    let (mut buffer_a, mut buffer_b) = (ConvexBuffer::new(), ConvexBuffer::new());
    let core_a = a.convex_or_empty(&mut buffer_a);
    let core_b = b.convex_or_empty(&mut buffer_b);
    if core_a.points.is_empty() || core_b.points.is_empty() {
        None
    } else {
        Some(convex_relation(&core_a, &core_b))
    }
}

/// The verdict where a fast path is not sure.
#[cold]
#[inline(never)]
fn closely(a: ShapeRef<'_>, b: ShapeRef<'_>) -> Relation {
    match (a, b) {
        (ShapeRef::Circle(circle), ShapeRef::Aabb(aabb))
        | (ShapeRef::Aabb(aabb), ShapeRef::Circle(circle))
            if circle.radius() > 0.0 =>
        {
            // The point of a box that is closest to the centre is an `f32` too.
            let center = circle.center();
            let closest = center.max(aabb.min()).min(aabb.max());
            Relation::from_distance(cmp_distance_f64(center, closest, circle.radius(), 0.0))
        }
        _ => general(a, b).unwrap_or(Relation::Disjoint),
    }
}

#[inline(always)]
fn circle_circle(a: &Circle, b: &Circle) -> Option<Relation> {
    let (between, radii) = (b.center() - a.center(), a.radius() + b.radius());
    cmp_squares(between.length_squared(), radii * radii).map(Relation::from_distance)
}

/// The same where that is not sure. (By reference, so that the quick way keeps nothing for it.)
#[cold]
#[inline(never)]
fn circle_circle_closely(a: &Circle, b: &Circle) -> Relation {
    Relation::from_distance(cmp_distance_f64(a.center(), b.center(), a.radius(), b.radius()))
}

/// How far the centre lies beyond the sides of the box.
#[inline(always)]
pub(super) fn circle_aabb(circle: &Circle, aabb: &Aabb) -> Option<Relation> {
    let (center, low, high) = (circle.center(), aabb.min(), aabb.max());
    let beyond = |low: f32, high: f32, at: f32| max(max(low - at, at - high), 0.0);
    let (x, y) = (beyond(low.x, high.x, center.x), beyond(low.y, high.y, center.y));
    cmp_squares(x * x + y * y, circle.radius() * circle.radius()).map(Relation::from_distance)
}

/// The larger of two numbers; the second where either is not one.
#[inline(always)]
fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// A box or a circle and the tiles of a map, whole rows of which are boxes too.
fn with_tiles(shape: ShapeRef<'_>, map: &TileMap) -> Option<Relation> {
    let bounds = match shape {
        ShapeRef::Aabb(aabb) if aabb.min().cmplt(aabb.max()).all() => *aabb,
        ShapeRef::Circle(circle) if circle.radius() > 0.0 => circle.bounds(),
        _ => return None,
    };
    let mut least = Relation::Disjoint;
    let corners = bounds.corners();
    let _ = map.visit_runs(&QueryRegion::of_corners(&corners), &mut |run| {
        if let Some(tiles) = map.full_box(&run) {
            least = order(ShapeRef::Aabb(&tiles), shape).map_or(least, |order| least.min(order));
        } else {
            let mut pad = ConvexBuffer::new();
            let core = shape.convex_or_empty(&mut pad);
            let _ = map.visit_run::<()>(run, &mut |part| {
                least = least.min(convex_relation(&part.convex, &core));
                ControlFlow::Continue(())
            });
        }
        if least == Relation::Overlapping {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    Some(least)
}

/// Beyond this size `f32` may overflow on the way.
const LARGE: f32 = 1e18;

#[inline(always)]
fn sure(gap: f32, error: f32) -> Option<Relation> {
    let order = if gap > 0.0 { Relation::Disjoint } else { Relation::Overlapping };
    if gap.abs() > error { Some(order) } else { None }
}

/// In the box's own frame: how far the centre lies beyond its sides.
///
/// What `f32` loses is in proportion to the box, the radius and the way between the two. The box's
/// share is in the frame's error; the way is at most the box and twice what lies beyond it, which
/// is what is compared, so its share is but a factor.
#[inline(always)]
pub(super) fn circle_obb(circle: &Circle, frame: &ApproxObb) -> Option<Relation> {
    let at = circle.center() - frame.center;
    let (x, y) = (frame.axis.dot(at), frame.axis.perp_dot(at));
    // Written so that NaN stays NaN, of which nothing is sure.
    let beyond = |x: f32, half: f32| max(0.0, x.abs() - half);
    let (x, y) = (beyond(x, frame.half_size.x), beyond(y, frame.half_size.y));
    let (square, radius) = (x * x + y * y, circle.radius());
    // What an error of a few parts of the radius, and of the frame's own, makes of squares. One
    // bound for both sides leaves one branch, nearly always taken.
    let factor = 6.0 * ERROR * (square + radius * radius);
    let error = factor + frame.error * (2.01 * radius + frame.error);
    sure(square - radius * radius, error)
}

/// The four axes of two boxes, each with the distance of the centres less both half extents.
#[inline(always)]
fn obb_obb(a: &ApproxObb, b: &ApproxObb) -> Option<Relation> {
    let between = b.center - a.center;
    let (cos, sin) = (a.axis.dot(b.axis).abs(), a.axis.perp_dot(b.axis).abs());
    let gap = |along: f32, own: f32, other: f32| along.abs() - (own + other);
    let gaps = [
        gap(a.axis.dot(between), a.half_size.x, b.half_size.x * cos + b.half_size.y * sin),
        gap(a.axis.perp_dot(between), a.half_size.y, b.half_size.x * sin + b.half_size.y * cos),
        gap(b.axis.dot(between), b.half_size.x, a.half_size.x * cos + a.half_size.y * sin),
        gap(b.axis.perp_dot(between), b.half_size.y, a.half_size.x * sin + a.half_size.y * cos),
    ];
    let error = ERROR * (between.x.abs() + between.y.abs()) + a.error + b.error;
    let top = max(max(gaps[0], gaps[1]), max(gaps[2], gaps[3]));
    sure(top, error)
}

/// The four ends against the other segment each, all at once; segments that cross are at no
/// distance.
#[inline(always)]
pub(super) fn capsule_capsule(a: &Capsule, b: &Capsule) -> Option<Relation> {
    let ((way_a, long_a), (way_b, long_b)) = (a.way(), b.way());
    let [p, q, r, s] = [b.a() - a.a(), b.b() - a.a(), b.a() - a.b(), b.b() - a.b()];
    // Lanes: b's ends against a, then a's ends against b.
    let wx = f32x4::new([p.x, q.x, -p.x, -r.x]);
    let wy = f32x4::new([p.y, q.y, -p.y, -r.y]);
    let ux = f32x4::new([way_a.x, way_a.x, way_b.x, way_b.x]);
    let uy = f32x4::new([way_a.y, way_a.y, way_b.y, way_b.y]);
    let long = f32x4::new([long_a, long_a, long_b, long_b]);
    // How far along and beside the segment the end lies, and how far beyond its ends.
    let (along, beside) = (ux * wx + uy * wy, ux * wy - uy * wx);
    let beyond = (-along).fast_max(along - long).fast_max(f32x4::ZERO);
    let least = smallest(beyond * beyond + beside * beside);
    let [k, l, m, n] = beside.to_array();
    let size = |v: Vec2| v.x.abs() + v.y.abs();
    let reach = size(p) + size(s) + long_a + long_b;
    let radii = a.radius() + b.radius();
    let error = ERROR * (reach + radii) + 1e-18;
    // They cross where all four ends lie beside the other segment for sure. Those in one line may seem
    // to, and be far apart.
    let crosses = |least: f32| (k * l < least) & (m * n < least);
    let (surely, maybe) = (crosses(-error * reach), crosses(0.0));
    let least = if surely { 0.0 } else { least };
    if !((reach < LARGE) & (long_a > 0.0) & (long_b > 0.0) & (surely == maybe)) {
        return None;
    }
    // An error of the distance, made one of its square.
    sure(least - radii * radii, error * (2.0 * radii + error))
}

#[inline(always)]
fn smallest(lanes: f32x4) -> f32 {
    let [a, b, c, d] = lanes.to_array();
    let min = |a: f32, b: f32| if a < b { a } else { b };
    min(min(a, b), min(c, d))
}
