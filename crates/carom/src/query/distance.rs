//! Distance, closest points, and the test whether two shapes are within a distance.
//!
//! The distance of two convex shapes is their [`separation`]; of composite shapes it is the least
//! over all pairs of parts, skipping pairs whose bounding boxes are farther apart than the best
//! pair so far. The cells of tile maps and masks are searched by halving them ([`cell_tree`]).
//!
//! [`cell_tree`]: crate::query::cell_tree

use core::cell::Cell;
use core::cmp::Ordering;

use glam::{DVec2, Vec2};

use crate::math::exact::{cmp_distance, cmp_line_distance, orient2d};
use crate::math::{IntoVec2, cross, length, to_f32, to_vec2};
use crate::query::cell_tree::visit_pairs_within;
use crate::query::composite::{ConvexParts, break_if, convex_bounds, visit_part_pairs};
use crate::query::relation::Relation;
use crate::query::separation::{Separation, cmp_point_segment, convex_relation, separation};
use crate::shape::convex::{Convex, ConvexBuffer};
use crate::shape::parts::Part;
use crate::shape::{Aabb, Point, ShapeRef};

/// The closest points of two shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ClosestPoints {
    /// The distance; exactly 0 if the shapes intersect.
    pub distance: f32,
    /// The closest point of the first shape. If the shapes intersect, a point of both.
    pub on_a: Vec2,
    /// The closest point of the second shape. If the shapes intersect, the same point as `on_a`.
    pub on_b: Vec2,
}

/// Returns the distance of two shapes.
#[inline(always)]
pub(crate) fn distance(a: ShapeRef<'_>, b: ShapeRef<'_>) -> f32 {
    let (mut buffer_a, mut buffer_b) = (ConvexBuffer::new(), ConvexBuffer::new());
    let convex_a = a.convex_or_empty(&mut buffer_a);
    let convex_b = b.convex_or_empty(&mut buffer_b);
    if convex_a.points.is_empty() || convex_b.points.is_empty() {
        least_distance(a, b, &mut |_, _, _| {})
    } else {
        convex_distance(&convex_a, &convex_b)
    }
}

#[inline(never)]
fn convex_distance(a: &Convex<'_>, b: &Convex<'_>) -> f32 {
    separation(a, b, f64::INFINITY).map_or(0.0, |separation| rounded_distance(&separation))
}

/// Returns the closest points of two shapes.
pub(crate) fn closest_points(a: ShapeRef<'_>, b: ShapeRef<'_>) -> ClosestPoints {
    let mut closest = ClosestPoints { distance: 0.0, on_a: Vec2::ZERO, on_b: Vec2::ZERO };
    closest.distance = least_distance(a, b, &mut |a, b, separation| {
        (closest.on_a, closest.on_b) = points_of(a, b, separation)
    });
    closest
}

/// Returns the distance in `f32`: 0 exactly if the shapes intersect, so a distance below the
/// smallest `f32` is rounded up to it.
fn rounded_distance(separation: &Separation) -> f32 {
    if separation.relation == Relation::Disjoint {
        to_f32(separation.distance).max(f32::from_bits(1))
    } else {
        0.0
    }
}

/// A callback that receives two parts and their separation.
type OnPair<'a> = &'a mut dyn FnMut(&Convex<'_>, &Convex<'_>, &Separation);

/// Returns the least distance of two shapes of any kind; infinite if a shape has no parts. Calls
/// `found` with each pair of parts that is closer than all before, so the closest comes last.
fn least_distance(a: ShapeRef<'_>, b: ShapeRef<'_>, found: OnPair<'_>) -> f32 {
    if a.cell_bits().is_none() && b.cell_bits().is_none() {
        return least_over_pairs(a, b, found);
    }
    let best = Cell::new(f32::INFINITY);
    let limit = Cell::new(f64::INFINITY);
    let mut visit = |part_a: &Part<'_>, part_b: &Part<'_>| {
        let pair = separation(&part_a.convex, &part_b.convex, limit.get());
        if let Some(separation) = pair.filter(|pair| rounded_distance(pair) < best.get()) {
            best.set(rounded_distance(&separation));
            limit.set(f64::from(best.get()));
            found(&part_a.convex, &part_b.convex, &separation);
        }
        break_if(best.get() == 0.0)
    };
    // 1. Often a cell is near. A search close to the other shape is then faster.
    let cell_size = a.cell_size().into_iter().chain(b.cell_size()).reduce(f64::min);
    let cell_size = cell_size.unwrap_or_default();
    let reach = box_distance(&a.bounds(), &b.bounds()) + cell_size;
    if reach <= 2.0 * cell_size {
        let _ = visit_part_pairs(&a, &b, reach, &mut visit);
    }
    // 2. Otherwise search all cells.
    if limit.get() > reach {
        let _ = visit_pairs_within(a, b, &limit, &mut visit);
    }
    best.get()
}

/// Works like [`least_distance`], over all pairs of parts whose bounding boxes are closer than the best
/// pair so far. Stops at the first pair that intersects.
fn least_over_pairs(a: ShapeRef<'_>, b: ShapeRef<'_>, found: OnPair<'_>) -> f32 {
    let mut best = f32::INFINITY;
    let bounds_b = b.bounds();
    let limit = Cell::new(f64::INFINITY);
    let may_be_closer = |p: &Aabb, q: &Aabb| box_distance(p, q) < limit.get();
    let _ =
        a.visit_parts_where::<()>(&mut |bounds| may_be_closer(bounds, &bounds_b), &mut |part_a| {
            let bounds_a = convex_bounds(&part_a.convex);
            b.visit_parts_where(&mut |bounds| may_be_closer(bounds, &bounds_a), &mut |part_b| {
                if let Some(separation) = separation(&part_a.convex, &part_b.convex, f64::INFINITY)
                {
                    let distance = rounded_distance(&separation);
                    if distance < best {
                        best = distance;
                        limit.set(f64::from(distance) * (1.0 + 1e-6));
                        found(&part_a.convex, &part_b.convex, &separation);
                    }
                }
                break_if(best == 0.0)
            })
        });
    best
}

/// Returns the distance of two boxes, never rounded up.
pub(super) fn box_distance(a: &Aabb, b: &Aabb) -> f64 {
    let gap = |a_low: f32, a_high: f32, b_low: f32, b_high: f32| {
        (f64::from(b_low) - f64::from(a_high)).max(f64::from(a_low) - f64::from(b_high)).max(0.0)
    };
    let x = gap(a.min().x, a.max().x, b.min().x, b.max().x);
    let y = gap(a.min().y, a.max().y, b.min().y, b.max().y);
    length(DVec2::new(x, y)) * (1.0 - 1e-12)
}

/// Returns the closest points on the surfaces, or a common point of both shapes.
fn points_of(a: &Convex<'_>, b: &Convex<'_>, separation: &Separation) -> (Vec2, Vec2) {
    let (radius_a, radius_b) = (f64::from(a.radius), f64::from(b.radius));
    if separation.relation == Relation::Disjoint {
        let on_a = separation.point_a - separation.normal * radius_a;
        let on_b = separation.point_b + separation.normal * radius_b;
        return (to_vec2(on_a), to_vec2(on_b));
    }
    let common = if separation.distance > -(radius_a + radius_b) {
        // The cores are disjoint, and the radii overlap between them.
        separation.point_a
            + (separation.point_b - separation.point_a) * (radius_a / (radius_a + radius_b))
    } else {
        common_point(a, b).unwrap_or((separation.point_a + separation.point_b) / 2.0)
    };
    (to_vec2(common), to_vec2(common))
}

/// Returns a common point of two cores that touch or overlap: a vertex of one in the other, or an
/// intersection of two edges.
fn common_point(a: &Convex<'_>, b: &Convex<'_>) -> Option<DVec2> {
    let intersects = |vertex: &Vec2, convex: &Convex<'_>| {
        convex_relation(&Convex::point(vertex, 0.0), &Convex { radius: 0.0, ..*convex })
            .intersects()
    };
    for (p, q) in [(a, b), (b, a)] {
        if let Some(vertex) = p.points.iter().find(|&vertex| intersects(vertex, q)) {
            return Some(vertex.as_dvec2());
        }
    }
    for (p, q) in a.edges() {
        let origin = p.as_dvec2();
        let u = q.as_dvec2() - origin;
        for (r, s) in b.edges() {
            let (from, v) = (r.as_dvec2() - origin, s.as_dvec2() - r.as_dvec2());
            let turn = cross(u, v);
            let is_disjoint =
                orient2d(p, q, r) == orient2d(p, q, s) || orient2d(r, s, p) == orient2d(r, s, q);
            if !is_disjoint && turn != 0.0 {
                return Some(origin + u * (cross(from, v) / turn));
            }
        }
    }
    None
}

impl Point {
    /// Returns `true` if another point is at most `tolerance` away. Exact.
    ///
    /// ```
    /// use carom::prelude::*;
    /// assert!(Point::new([0.0, 0.0]).is_near(&Point::new([3.0, 4.0]), 5.0));
    /// assert!(!Point::new([0.0, 0.0]).is_near(&Point::new([3.0, 4.0]), 4.9999995));
    /// ```
    pub fn is_near(&self, other: &Self, tolerance: f32) -> bool {
        is_within_tolerance(tolerance, |t| cmp_distance(self.position(), other.position(), t, 0.0))
    }

    /// Returns `true` if the segment between two points is at most `tolerance` away. Exact.
    pub fn is_near_segment(&self, a: impl IntoVec2, b: impl IntoVec2, tolerance: f32) -> bool {
        let (a, b) = (a.into_vec2(), b.into_vec2());
        is_within_tolerance(tolerance, |t| cmp_point_segment(self.position(), a, b, t, 0.0))
    }

    /// Returns `true` if the infinite line through two points is at most `tolerance` away. Exact. If
    /// the two points are equal, the distance to that point counts.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let point = Point::new([10.0, 1.0]);
    /// assert!(point.is_near_line([0.0, 0.0], [1.0, 0.0], 1.0));
    /// assert!(!point.is_near_segment([0.0, 0.0], [1.0, 0.0], 1.0));
    /// ```
    pub fn is_near_line(&self, a: impl IntoVec2, b: impl IntoVec2, tolerance: f32) -> bool {
        let (a, b) = (a.into_vec2(), b.into_vec2());
        is_within_tolerance(tolerance, |t| match a == b {
            true => cmp_distance(a, self.position(), t, 0.0),
            false => cmp_line_distance(a, b, a, self.position(), t, 0.0),
        })
    }
}

/// Returns `true` if a distance, which `compare` compares with the tolerance, is within it. Nothing is
/// within a tolerance that is NaN or negative, and everything is within infinity.
fn is_within_tolerance(tolerance: f32, compare: impl FnOnce(f32) -> Ordering) -> bool {
    tolerance == f32::INFINITY || (tolerance >= 0.0 && compare(tolerance) != Ordering::Greater)
}

/// Returns `true` if the distance of two shapes is at most `tolerance`.
pub(crate) fn is_within(a: ShapeRef<'_>, b: ShapeRef<'_>, tolerance: f32) -> bool {
    is_within_tolerance(tolerance, |tolerance| {
        let mut test =
            |a: &Part<'_>, b: &Part<'_>| break_if(convex_within(&a.convex, &b.convex, tolerance));
        let found = if a.cell_bits().is_some() || b.cell_bits().is_some() {
            visit_pairs_within(a, b, &Cell::new(f64::from(tolerance)), &mut test)
        } else {
            visit_part_pairs(&a, &b, f64::from(tolerance), &mut test)
        };
        if found.is_break() { Ordering::Less } else { Ordering::Greater }
    })
}

/// Adds the tolerance to one of the radii and tests whether the shapes intersect. If neither sum is
/// exact, the distance in `f64` decides.
fn convex_within(a: &Convex<'_>, b: &Convex<'_>, tolerance: f32) -> bool {
    let grown = |radius: f32| {
        let sum = f64::from(radius) + f64::from(tolerance);
        (sum <= f64::from(f32::MAX) && f64::from(sum as f32) == sum).then_some(sum as f32)
    };
    if let Some(radius) = grown(a.radius) {
        convex_relation(&Convex { radius, ..*a }, b).intersects()
    } else if let Some(radius) = grown(b.radius) {
        convex_relation(a, &Convex { radius, ..*b }).intersects()
    } else {
        let limit = f64::from(tolerance);
        separation(a, b, limit).is_some_and(|separation| separation.distance <= limit)
    }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn a_distance_equal_to_the_tolerance_is_within_it() {
        let unit = Aabb::new([0.0, 0.0], [1.0, 1.0]);
        assert!(unit.is_within_distance(&Circle::new([5.0, 0.5], 1.0), 3.0));
        assert!(!unit.is_within_distance(&Circle::new([5.0, 0.5], 1.0), 3.0f32.next_down()));
        assert!(unit.is_within_distance(&Point::new([4.0, 5.0]), 5.0));
        assert!(unit.is_within_distance(&unit, 0.0));
        let path = Chain::new(&[[0.0, -2.0], [4.0, -2.0]]);
        assert!(path.is_within_distance(&unit, 2.0) && !path.is_within_distance(&unit, 1.9));
    }

    #[test]
    fn nothing_is_within_an_invalid_tolerance_and_all_within_infinity() {
        let (a, b) = (Point::new([0.0, 0.0]), Point::new([1e38, 1e38]));
        assert!(a.is_within_distance(&b, f32::INFINITY) && a.is_near(&b, f32::INFINITY));
        assert!(!a.is_within_distance(&a, f32::NAN) && !a.is_near(&a, -1.0));
        assert!(!a.is_near_line(b.position(), b.position(), 1.0));
    }
}
