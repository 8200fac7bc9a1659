//! Overlap of composite shapes.
//!
//! Two areas overlap if the interiors of two parts do. Segments and points have no interior: they
//! overlap an area if they enter the interior of the *union* of its parts. An internal edge, shared
//! by two adjacent parts, is in that interior, although it is on the boundary of both parts. Two
//! polylines overlap if they cross, also at a joint.
//!
//! 1. If a pair of parts overlaps, so do the shapes.
//! 2. Otherwise, if a segment or point touches a part, test whether it lies on an internal edge
//!    ([`lies_on_internal_edge`]) or crosses the other shape at a joint ([`crosses_at_joint`]).

use core::cmp::Ordering;
use core::ops::ControlFlow;

use glam::Vec2;
use smallvec::SmallVec;

use crate::math::exact::{
    Orientation, cmp_distance, cmp_line_distance, cross_sign, dot_sign, orient2d,
};
use crate::query::composite::{ConvexParts, any_part_pair, break_if, visit_part_pairs};
use crate::query::relation::Relation;
use crate::query::separation::convex_relation;
use crate::shape::convex::Convex;
use crate::shape::parts::QueryRegion;

/// Returns `true` if two shapes overlap. Exact.
pub(crate) fn composites_overlap(a: &dyn ConvexParts, b: &dyn ConvexParts) -> bool {
    let mut zero_area_part_touches = false;
    let parts_overlap = any_part_pair(a, b, &mut |a, b| {
        let relation = convex_relation(&a.convex, &b.convex);
        zero_area_part_touches |=
            relation == Relation::Touching && (a.convex.has_no_area() || b.convex.has_no_area());
        relation.overlaps()
    });
    let on_internal_edge = |lines: &dyn ConvexParts, areas: &dyn ConvexParts| {
        areas.may_have_area() && lies_on_internal_edge(lines, areas)
    };
    parts_overlap
        || (zero_area_part_touches
            && (on_internal_edge(a, b) || on_internal_edge(b, a) || crosses_at_joint(a, b)))
}

/// Returns `true` if a segment or point of `lines` lies on an internal edge of `areas`.
fn lies_on_internal_edge(lines: &dyn ConvexParts, areas: &dyn ConvexParts) -> bool {
    let corners = areas.bounds().corners();
    let found = lines.visit_parts_in(&QueryRegion::of_corners(&corners), &mut |line| {
        break_if(match *line.convex.points {
            _ if !line.convex.has_no_area() => false,
            [point] => point_on_internal_edge(point, areas),
            [start, end] => segment_on_internal_edge(&line.convex, start, end, areas),
            _ => false,
        })
    });
    found.is_break()
}

/// An edge or direction, from one point to another.
type Edge = (Vec2, Vec2);

/// Returns the sign of the cross product of two directions.
fn turn(a: Edge, b: Edge) -> Ordering {
    cross_sign(a.0, a.1, b.0, b.1)
}

fn same_direction(a: Edge, b: Edge) -> bool {
    turn(a, b) == Ordering::Equal && dot_sign(a.0, a.1, b.0, b.1) == Ordering::Greater
}

/// The directions from a boundary point of a part that lead into the part, counterclockwise from
/// one limit to the other; at most half a turn.
#[derive(Clone, Copy)]
struct Cone {
    from: ConeLimit,
    to: ConeLimit,
}

#[derive(Clone, Copy)]
struct ConeLimit {
    direction: Edge,
    /// `true` if the boundary is straight in this direction. A round boundary curves away at once,
    /// which leaves the adjacent directions outside.
    is_straight: bool,
}

impl Cone {
    /// Returns the cone of a part at a point of its boundary.
    fn at(point: Vec2, convex: &Convex<'_>) -> Self {
        let n = convex.points.len();
        let is_closest =
            |vertex: &Vec2| cmp_distance(point, *vertex, convex.radius, 0.0) == Ordering::Equal;
        let Some(i) = convex.points.iter().position(is_closest) else {
            return Self::on_edge(point, convex);
        };
        let (vertex, before, after) =
            (convex.points[i], convex.points[(i + n - 1) % n], convex.points[(i + 1) % n]);
        if convex.radius == 0.0 {
            let straight = |direction: Edge| ConeLimit { direction, is_straight: true };
            return Self { from: straight((vertex, after)), to: straight((vertex, before)) };
        }
        // The boundary is perpendicular to the line from the point to the vertex: rotated by 90°
        // clockwise, (x, y) to (y, -x), the half turn from that line contains the vertex. The
        // boundary is straight if an edge begins there.
        let rotated = |p: Vec2| Vec2::new(p.y, -p.x);
        let (p, v) = (rotated(point), rotated(vertex));
        let limit = |direction: Edge| {
            let is_straight = n > 1
                && [before, after].iter().any(|&end| same_direction((vertex, end), direction));
            ConeLimit { direction, is_straight }
        };
        Self { from: limit((p, v)), to: limit((v, p)) }
    }

    /// Returns the cone at a point whose closest feature is the inside of an edge.
    fn on_edge(point: Vec2, convex: &Convex<'_>) -> Self {
        let is_on_boundary = |&(a, b): &Edge| {
            let is_beside = dot_sign(a, b, a, point) == Ordering::Greater
                && dot_sign(b, a, b, point) == Ordering::Greater;
            is_beside
                && orient2d(a, b, point) != Orientation::CounterClockwise
                && cmp_line_distance(a, b, a, point, convex.radius, 0.0) == Ordering::Equal
        };
        let (a, b) = convex.edges().find(is_on_boundary).unwrap_or_else(|| convex.edge(0));
        let straight = |direction: Edge| ConeLimit { direction, is_straight: true };
        Self { from: straight((a, b)), to: straight((b, a)) }
    }

    /// Returns `true` if the interior of the cone contains a direction.
    fn contains(&self, direction: Edge) -> bool {
        turn(self.from.direction, direction) == Ordering::Greater
            && turn(direction, self.to.direction) == Ordering::Greater
    }
}

/// Returns `true` if a point on the boundary of parts is in the interior of their union: their cones
/// cover the full turn. They do if they continue beyond the end of each cone: another cone contains
/// that limit, or straight boundaries of two cones coincide there from both sides.
fn point_on_internal_edge(point: Vec2, areas: &dyn ConvexParts) -> bool {
    let convex = Convex::point(&point, 0.0);
    let mut cones: SmallVec<[Cone; 8]> = SmallVec::new();
    let _ = areas.visit_parts_in(&QueryRegion::of_convex(&convex), &mut |part| {
        if !part.convex.has_no_area()
            && convex_relation(&convex, &part.convex) == Relation::Touching
        {
            cones.push(Cone::at(point, &part.convex));
        }
        ControlFlow::Continue(())
    });
    let continues_beyond = |direction: Edge| {
        let continues =
            |limit: ConeLimit| limit.is_straight && same_direction(limit.direction, direction);
        cones.iter().any(|cone| cone.contains(direction))
            || cones.iter().any(|cone| continues(cone.to))
                && cones.iter().any(|cone| continues(cone.from))
    };
    !cones.is_empty() && cones.iter().all(|cone| continues_beyond(cone.to.direction))
}

/// Returns `true` if a segment that enters no part lies on internal edges: over some length, there
/// are adjacent parts on both sides of it. If it only touches parts at single points, it does not
/// enter their union, because an interior point has a neighborhood in the interior.
fn segment_on_internal_edge(
    convex: &Convex<'_>,
    start: Vec2,
    end: Vec2,
    areas: &dyn ConvexParts,
) -> bool {
    // The order of two points along the segment. The straight side of a rounded part lies a radius
    // beyond its edge, perpendicular to the segment, which does not change the order.
    let is_before = |p: Vec2, q: Vec2| dot_sign(start, end, p, q) == Ordering::Greater;
    let intersection = |(a, b): Edge, (c, d): Edge| {
        (if is_before(a, c) { c } else { a }, if is_before(b, d) { b } else { d })
    };
    let mut left: SmallVec<[Edge; 4]> = SmallVec::new();
    let mut right: SmallVec<[Edge; 4]> = SmallVec::new();
    let _ = areas.visit_parts_in(&QueryRegion::of_convex(convex), &mut |part| {
        for (a, b) in part.convex.edges().filter(|_| !part.convex.has_no_area()) {
            if side_lies_on_line(&part.convex, (a, b), (start, end)) {
                if is_before(a, b) { left.push((a, b)) } else { right.push((b, a)) }
            }
        }
        ControlFlow::Continue(())
    });
    left.iter().any(|&l| {
        right.iter().any(|&r| {
            let (from, to) = intersection((start, end), intersection(l, r));
            is_before(from, to)
        })
    })
}

/// Returns `true` if the straight side of a part at the edge from `a` to `b` lies on the line of a
/// segment.
fn side_lies_on_line(convex: &Convex<'_>, (a, b): Edge, (start, end): Edge) -> bool {
    if convex.radius == 0.0 {
        return orient2d(start, end, a) == Orientation::Collinear
            && orient2d(start, end, b) == Orientation::Collinear;
    }
    cross_sign(a, b, start, end) == Ordering::Equal
        && orient2d(a, b, start) == Orientation::Clockwise
        && cmp_line_distance(a, b, a, start, convex.radius, 0.0) == Ordering::Equal
}

/// Returns `true` if polylines cross at a joint of one of them: two arms of the one lie on different
/// sides of two arms of the other.
fn crosses_at_joint(a: &dyn ConvexParts, b: &dyn ConvexParts) -> bool {
    let found = visit_part_pairs(a, b, 0.0, &mut |part_a, part_b| {
        let (convex_a, convex_b) = (&part_a.convex, &part_b.convex);
        let mut joints = convex_a.points.iter().chain(convex_b.points);
        break_if(
            convex_a.has_no_area()
                && convex_b.has_no_area()
                && joints.any(|&joint| arms_interleave(joint, &arms(joint, a), &arms(joint, b))),
        )
    });
    found.is_break()
}

/// Returns the ends of the segments that lead away from a point.
pub(super) fn arms(joint: Vec2, lines: &dyn ConvexParts) -> SmallVec<[Vec2; 8]> {
    let convex = Convex::point(&joint, 0.0);
    let mut arms = SmallVec::new();
    let _ = lines.visit_parts_in(&QueryRegion::of_convex(&convex), &mut |part| {
        if part.convex.has_no_area() && convex_relation(&convex, &part.convex) == Relation::Touching
        {
            arms.extend(part.convex.points.iter().copied().filter(|&end| end != joint));
        }
        ControlFlow::Continue(())
    });
    arms
}

/// Returns whether, around a joint, arms of `b` lie on both sides of two arms of `a`.
fn arms_interleave(joint: Vec2, a: &[Vec2], b: &[Vec2]) -> bool {
    // Returns whether `p` lies strictly between two arms, counterclockwise from the first.
    let is_between = |from: Vec2, to: Vec2, p: Vec2| {
        let is_left_of_from = orient2d(joint, from, p) == Orientation::CounterClockwise;
        let is_right_of_to = orient2d(joint, p, to) == Orientation::CounterClockwise;
        match orient2d(joint, from, to) {
            Orientation::CounterClockwise => is_left_of_from && is_right_of_to,
            Orientation::Clockwise => is_left_of_from || is_right_of_to,
            Orientation::Collinear => {
                is_left_of_from && dot_sign(joint, from, joint, to) == Ordering::Less
            }
        }
    };
    a.iter().any(|&from| {
        a.iter().any(|&to| {
            b.iter().any(|&p| is_between(from, to, p)) && b.iter().any(|&p| is_between(to, from, p))
        })
    })
}
