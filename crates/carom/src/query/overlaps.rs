//! Do two shapes share more than boundary points?
//!
//! Areas overlap where the insides of two parts meet. Lines and points have no inside; they
//! overlap an area where they enter the inside of the *union* of its parts: a seam between two
//! flush parts is inside, though it is on the boundary of both. And lines overlap lines where they
//! cross, also at a joint of a chain.

use core::cmp::Ordering;
use core::ops::ControlFlow;

use glam::Vec2;
use smallvec::SmallVec;

use crate::math::exact::{
    Orientation, cmp_distance, cmp_line_distance, cross_sign, dot_sign, orient2d,
};
use crate::query::order::order;
use crate::query::parts::{Parts, any_pair, each_pair};
use crate::query::relation::Relation;
use crate::query::separation::convex_relation;
use crate::shape::ShapeRef;
use crate::shape::convex::Convex;
use crate::shape::parts::QueryRegion;

/// Whether the insides meet: touch does not count. Exact.
#[inline(always)]
pub(crate) fn overlaps(a: ShapeRef<'_>, b: ShapeRef<'_>) -> bool {
    match order(a, b) {
        Some(relation) => relation.overlaps(),
        None => overlaps_parts(&a, &b),
    }
}

/// The same for anything made of parts.
pub(crate) fn overlaps_parts(a: &dyn Parts, b: &dyn Parts) -> bool {
    // A flat part that touches without entering may still enter a seam or cross at a joint.
    let mut flat_touch = false;
    let inside = any_pair(a, b, &mut |a, b| {
        let relation = convex_relation(&a.convex, &b.convex);
        flat_touch |=
            relation == Relation::Touching && (a.convex.has_no_area() || b.convex.has_no_area());
        relation.overlaps()
    });
    let enters = |a: &dyn Parts, b: &dyn Parts| b.has_areas() && enters_seam(a, b);
    inside || (flat_touch && (enters(a, b) || enters(b, a) || crosses_at_joint(a, b)))
}

/// Whether a flat part of `lines` runs along a seam inside `areas`, or is a point on one.
fn enters_seam(lines: &dyn Parts, areas: &dyn Parts) -> bool {
    let corners = areas.bounds().corners();
    let found = lines.visit_parts_in(&QueryRegion::of_corners(&corners), &mut |line| {
        let inside = match *line.convex.points {
            _ if !line.convex.has_no_area() => false,
            [point] => point_on_seam(point, areas),
            [start, end] => segment_on_seam(&line.convex, start, end, areas),
            _ => false,
        };
        if inside { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found.is_break()
}

/// A direction, from one point to another.
type Way = (Vec2, Vec2);

fn turn(a: Way, b: Way) -> Ordering {
    cross_sign(a.0, a.1, b.0, b.1)
}

fn same_way(a: Way, b: Way) -> bool {
    turn(a, b) == Ordering::Equal && dot_sign(a.0, a.1, b.0, b.1) == Ordering::Greater
}

/// The directions from a point of a part's border that lead into the part, counter-clockwise from
/// one to another. At most a half turn.
#[derive(Clone, Copy)]
struct Cone {
    from: Limit,
    to: Limit,
}

/// Where a cone begins or ends.
#[derive(Clone, Copy)]
struct Limit {
    way: Way,
    /// Whether the border runs straight this way. A round one bends away at once, and leaves the
    /// directions next to it outside.
    straight: bool,
}

impl Cone {
    /// The cone of a part at a point of its border.
    fn at(point: Vec2, core: &Convex<'_>) -> Self {
        let n = core.points.len();
        let is_nearest =
            |corner: &Vec2| cmp_distance(point, *corner, core.radius, 0.0) == Ordering::Equal;
        let Some(i) = core.points.iter().position(is_nearest) else {
            return Self::beside_edge(point, core);
        };
        let (corner, before, after) =
            (core.points[i], core.points[(i + n - 1) % n], core.points[(i + 1) % n]);
        if core.radius == 0.0 {
            let straight = |way: Way| Limit { way, straight: true };
            return Self { from: straight((corner, after)), to: straight((corner, before)) };
        }
        // The border runs across the line to the corner: turned a quarter clockwise, (x, y) to
        // (y, -x), the half turn from it holds the corner. It is straight where an edge begins.
        let turned = |p: Vec2| Vec2::new(p.y, -p.x);
        let (p, c) = (turned(point), turned(corner));
        let limit = |way: Way| {
            let straight = n > 1 && [before, after].iter().any(|&end| same_way((corner, end), way));
            Limit { way, straight }
        };
        Self { from: limit((p, c)), to: limit((c, p)) }
    }

    /// The cone where no corner is nearest, but the inside of an edge.
    fn beside_edge(point: Vec2, core: &Convex<'_>) -> Self {
        let is_on_border = |&(a, b): &Way| {
            let beside = dot_sign(a, b, a, point) == Ordering::Greater
                && dot_sign(b, a, b, point) == Ordering::Greater;
            beside
                && orient2d(a, b, point) != Orientation::CounterClockwise
                && cmp_line_distance(a, b, a, point, core.radius, 0.0) == Ordering::Equal
        };
        let (a, b) = core.edges().find(is_on_border).unwrap_or_else(|| core.edge(0));
        let straight = |way: Way| Limit { way, straight: true };
        Self { from: straight((a, b)), to: straight((b, a)) }
    }

    /// Whether this cone holds a direction and all those next to it.
    fn holds(&self, way: Way) -> bool {
        turn(self.from.way, way) == Ordering::Greater && turn(way, self.to.way) == Ordering::Greater
    }
}

/// Whether a point on the border of some parts is inside their union: together their cones then
/// go all the way round. They do if they go on beyond the end of each: one of them holds the limit
/// well inside, or two straight borders meet there from both sides.
fn point_on_seam(point: Vec2, areas: &dyn Parts) -> bool {
    let core = Convex::point(&point, 0.0);
    let mut cones: SmallVec<[Cone; 8]> = SmallVec::new();
    let _ = areas.visit_parts_in(&QueryRegion::of_convex(&core), &mut |part| {
        if !part.convex.has_no_area() && convex_relation(&core, &part.convex) == Relation::Touching
        {
            cones.push(Cone::at(point, &part.convex));
        }
        ControlFlow::Continue(())
    });
    let goes_on = |limit: Way| {
        let meets = |end: Limit| end.straight && same_way(end.way, limit);
        cones.iter().any(|cone| cone.holds(limit))
            || cones.iter().any(|cone| meets(cone.to)) && cones.iter().any(|cone| meets(cone.from))
    };
    !cones.is_empty() && cones.iter().all(|cone| goes_on(cone.to.way))
}

/// Whether a segment that enters no part runs along a seam: for a stretch, parts lie flush on both
/// sides of it. (Where it only meets parts at single points, it does not enter their union: what
/// is inside is so with a stretch around it.)
fn segment_on_seam(core: &Convex<'_>, start: Vec2, end: Vec2, areas: &dyn Parts) -> bool {
    // The order of two points along the segment; where their straight side lies a radius beyond
    // them, that is square to the segment and changes nothing.
    let is_before = |p: Vec2, q: Vec2| dot_sign(start, end, p, q) == Ordering::Greater;
    let shared = |(a, b): Way, (c, d): Way| {
        (if is_before(a, c) { c } else { a }, if is_before(b, d) { b } else { d })
    };
    let mut left: SmallVec<[Way; 4]> = SmallVec::new();
    let mut right: SmallVec<[Way; 4]> = SmallVec::new();
    let _ = areas.visit_parts_in(&QueryRegion::of_convex(core), &mut |part| {
        for (a, b) in part.convex.edges().filter(|_| !part.convex.has_no_area()) {
            if runs_along(&part.convex, a, b, start, end) {
                if is_before(a, b) { left.push((a, b)) } else { right.push((b, a)) }
            }
        }
        ControlFlow::Continue(())
    });
    left.iter().any(|&l| {
        right.iter().any(|&r| {
            let (from, to) = shared((start, end), shared(l, r));
            is_before(from, to)
        })
    })
}

/// Whether the straight side of a part that belongs to the edge from `a` to `b` lies on the line of
/// a segment.
fn runs_along(core: &Convex<'_>, a: Vec2, b: Vec2, start: Vec2, end: Vec2) -> bool {
    if core.radius == 0.0 {
        return orient2d(start, end, a) == Orientation::Collinear
            && orient2d(start, end, b) == Orientation::Collinear;
    }
    cross_sign(a, b, start, end) == Ordering::Equal
        && orient2d(a, b, start) == Orientation::Clockwise
        && cmp_line_distance(a, b, a, start, core.radius, 0.0) == Ordering::Equal
}

/// Whether lines cross at a place where one of them has a joint: two arms of one lie on different
/// sides of two arms of the other.
fn crosses_at_joint(a: &dyn Parts, b: &dyn Parts) -> bool {
    let found = each_pair(a, b, 0.0, &mut |part_a, part_b| {
        let (core_a, core_b) = (&part_a.convex, &part_b.convex);
        if !(core_a.has_no_area() && core_b.has_no_area()) {
            return ControlFlow::Continue(());
        }
        for &joint in core_a.points.iter().chain(core_b.points) {
            if arms_interleave(&arms(joint, a), &arms(joint, b)) {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    });
    found.is_break()
}

/// The ends of the segments that lead away from a point.
pub(super) fn arms(joint: Vec2, lines: &dyn Parts) -> SmallVec<[Vec2; 8]> {
    let core = Convex::point(&joint, 0.0);
    let mut arms = SmallVec::new();
    let _ = lines.visit_parts_in(&QueryRegion::of_convex(&core), &mut |part| {
        if part.convex.has_no_area() && convex_relation(&core, &part.convex) == Relation::Touching {
            arms.extend(part.convex.points.iter().copied().filter(|&end| end != joint));
        }
        ControlFlow::Continue(())
    });
    // Later tests need where they start, so the joint comes first.
    arms.insert(0, joint);
    arms
}

fn arms_interleave(a: &[Vec2], b: &[Vec2]) -> bool {
    let joint = a[0];
    // Whether `p` lies strictly between two arms, counter-clockwise from the first.
    let between = |from: Vec2, to: Vec2, p: Vec2| {
        let left_of_from = orient2d(joint, from, p);
        let right_of_to = orient2d(joint, p, to);
        match orient2d(joint, from, to) {
            Orientation::CounterClockwise => {
                left_of_from == Orientation::CounterClockwise
                    && right_of_to == Orientation::CounterClockwise
            }
            Orientation::Clockwise => {
                left_of_from == Orientation::CounterClockwise
                    || right_of_to == Orientation::CounterClockwise
            }
            Orientation::Collinear => {
                left_of_from == Orientation::CounterClockwise
                    && dot_sign(joint, from, joint, to) == Ordering::Less
            }
        }
    };
    let arms_a = &a[1..];
    let arms_b = &b[1..];
    arms_a.iter().any(|&from| {
        arms_a.iter().any(|&to| {
            arms_b.iter().any(|&p| between(from, to, p))
                && arms_b.iter().any(|&p| between(to, from, p))
        })
    })
}
