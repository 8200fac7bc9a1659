//! Do two shapes share more than boundary points?
//!
//! Areas overlap where the insides of two parts meet. Lines and points have no inside; they
//! overlap an area where they enter the inside of the *union* of its parts: a seam between two
//! flush parts is inside, though it is on the boundary of both. And lines overlap lines where they
//! cross, also at a joint of a chain.

use core::cmp::Ordering;
use core::ops::ControlFlow;

use glam::{DVec2, Vec2};
use smallvec::SmallVec;

use crate::math::exact::{cmp_line_distance, cross_sign, dot_sign, orient};
use crate::query::order::order;
use crate::query::parts::{Parts, any_pair, core_bounds, each_pair};
use crate::query::relation::verdict;
use crate::query::separation::cmp_point_segment;
use crate::shape::ShapeRef;
use crate::shape::core::Core;

/// Whether the insides meet: touch does not count. Exact.
#[inline(always)]
pub(crate) fn overlaps(a: ShapeRef<'_>, b: ShapeRef<'_>) -> bool {
    match order(a, b) {
        Some(order) => order == Ordering::Less,
        None => overlaps_parts(&a, &b),
    }
}

/// The same for anything made of parts.
pub(crate) fn overlaps_parts(a: &dyn Parts, b: &dyn Parts) -> bool {
    // A flat part that touches without entering may still enter a seam or cross at a joint.
    let mut flat_touch = false;
    let inside = any_pair(a, b, &mut |a, b| {
        let order = verdict(&a.core, &b.core);
        flat_touch |= order == Ordering::Equal && (a.core.is_flat() || b.core.is_flat());
        order == Ordering::Less
    });
    inside || (flat_touch && (enters_seam(a, b) || enters_seam(b, a) || crosses_at_joint(a, b)))
}

/// Whether a flat part of `lines` runs along a seam inside `areas`, or is a point on one.
fn enters_seam(lines: &dyn Parts, areas: &dyn Parts) -> bool {
    let near = areas.bounds();
    let found = lines.visit(&mut |bounds| bounds.touches(&near), &mut |line| {
        let inside = match *line.core.points {
            _ if !line.core.is_flat() => false,
            [point] => point_on_seam(point, areas),
            [start, end] => segment_on_seam(&line.core, start, end, areas),
            _ => false,
        };
        if inside { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found.is_break()
}

/// The directions from a point that lead into a part, counter-clockwise from one vector to
/// another, each given by two points. At most a half turn.
#[derive(Clone, Copy)]
struct Cone {
    from: (Vec2, Vec2),
    to: (Vec2, Vec2),
    /// Whether the two limits lead along the border: they do along an edge, and do not along a
    /// round border.
    closed: bool,
}

impl Cone {
    /// The cone of a part at a point of its boundary.
    fn at(point: Vec2, core: &Core<'_>) -> Self {
        if core.radius > 0.0 {
            return Self::at_round_border(point, core);
        }
        let n = core.points.len();
        if let Some(i) = core.points.iter().position(|&corner| corner == point) {
            let (before, after) = (core.points[(i + n - 1) % n], core.points[(i + 1) % n]);
            return Self { from: (point, after), to: (point, before), closed: true };
        }
        let on_edge = |i: &usize| {
            let (a, b) = core.edge(*i);
            orient(a, b, point) == Ordering::Equal
        };
        let (a, b) = core.edge((0..n).find(on_edge).unwrap_or(0));
        Self { from: (a, b), to: (b, a), closed: true }
    }

    fn at_round_border(point: Vec2, core: &Core<'_>) -> Self {
        // The border runs along the nearest edge, or across the line to the nearest corner.
        for (a, b) in core.edges() {
            let beside = dot_sign(a, b, a, point) == Ordering::Greater
                && dot_sign(b, a, b, point) == Ordering::Greater;
            if beside
                && orient(a, b, point) == Ordering::Less
                && cmp_point_segment(point, a, b, core.radius, 0.0) == Ordering::Equal
            {
                return Self { from: (a, b), to: (b, a), closed: true };
            }
        }
        let is_nearest = |corner: &&Vec2| {
            crate::math::exact::cmp_distance(point, **corner, core.radius, 0.0) == Ordering::Equal
        };
        let corner = *core.points.iter().find(is_nearest).unwrap_or(&core.points[0]);
        // Turned a quarter: (x, y) to (y, -x) is clockwise, so the half turn from it holds the corner.
        let turned = |p: Vec2| Vec2::new(p.y, -p.x);
        let (p, c) = (turned(point), turned(corner));
        Self { from: (p, c), to: (c, p), closed: false }
    }

    /// Whether directions just beyond the end of another cone lead into this part too. Where a
    /// border is round it bends away at once: then this cone must hold the limit well inside.
    fn continues(&self, other: &Self) -> bool {
        let turn = |a: (Vec2, Vec2), b: (Vec2, Vec2)| cross_sign(a.0, a.1, b.0, b.1);
        let limit = other.to;
        match turn(self.from, limit) {
            Ordering::Greater => turn(limit, self.to) == Ordering::Greater,
            Ordering::Equal => {
                let starts_here =
                    dot_sign(self.from.0, self.from.1, limit.0, limit.1) == Ordering::Greater;
                starts_here && self.closed && other.closed
            }
            Ordering::Less => false,
        }
    }
}

/// Whether a point on the boundary of some parts is inside their union: together their cones then
/// go all the way round.
fn point_on_seam(point: Vec2, areas: &dyn Parts) -> bool {
    let core = Core::point(&point, 0.0);
    let at = core_bounds(&core);
    let mut cones: SmallVec<[Cone; 8]> = SmallVec::new();
    let _ = areas.visit(&mut |bounds| bounds.touches(&at), &mut |part| {
        if !part.core.is_flat() && verdict(&core, &part.core) == Ordering::Equal {
            cones.push(Cone::at(point, &part.core));
        }
        ControlFlow::Continue(())
    });
    let same = |a: (Vec2, Vec2), b: (Vec2, Vec2)| {
        cross_sign(a.0, a.1, b.0, b.1) == Ordering::Equal
            && dot_sign(a.0, a.1, b.0, b.1) == Ordering::Greater
    };
    // Where a round border ends, two straight ones may meet: together they hold its end inside.
    let straddled = |limit: (Vec2, Vec2)| {
        cones.iter().any(|cone| cone.closed && same(cone.to, limit))
            && cones.iter().any(|cone| cone.closed && same(cone.from, limit))
    };
    let goes_on = |cone: &Cone| cones.iter().any(|next| next.continues(cone)) || straddled(cone.to);
    !cones.is_empty() && cones.iter().all(goes_on)
}

/// Whether a segment that enters no part runs along a seam: for a stretch, parts lie flush on both
/// sides of it.
fn segment_on_seam(core: &Core<'_>, start: Vec2, end: Vec2, areas: &dyn Parts) -> bool {
    let near = core_bounds(core);
    // Along the segment, the coordinate that changes more tells the order of points.
    let level = (end.x - start.x).abs() >= (end.y - start.y).abs();
    let along = |p: DVec2| if level { p.x } else { p.y };
    let (low, high) = ordered(along(start.as_dvec2()), along(end.as_dvec2()));
    let mut left: SmallVec<[(f64, f64); 4]> = SmallVec::new();
    let mut right: SmallVec<[(f64, f64); 4]> = SmallVec::new();
    let _ = areas.visit(&mut |bounds| bounds.touches(&near), &mut |part| {
        if part.core.is_flat() {
            return ControlFlow::Continue(());
        }
        for (edge, (a, b)) in part.core.edges().enumerate() {
            if !runs_along(&part.core, a, b, start, end) {
                continue;
            }
            // A rounded part's straight side lies its radius beyond the edge.
            let (_, normal) = part.core.edge_normal(edge);
            let beyond = normal * f64::from(part.core.radius);
            let (from, to) = ordered(along(a.as_dvec2() + beyond), along(b.as_dvec2() + beyond));
            let stretch = (from.max(low), to.min(high));
            if stretch.0 < stretch.1 {
                let same_way = dot_sign(start, end, a, b) == Ordering::Greater;
                if same_way { left.push(stretch) } else { right.push(stretch) }
            }
        }
        ControlFlow::Continue(())
    });
    left.iter().any(|l| right.iter().any(|r| l.0.max(r.0) < l.1.min(r.1)))
}

/// Whether the straight side of a part that belongs to the edge from `a` to `b` lies on the line of
/// a segment.
fn runs_along(core: &Core<'_>, a: Vec2, b: Vec2, start: Vec2, end: Vec2) -> bool {
    if core.radius == 0.0 {
        return orient(start, end, a) == Ordering::Equal
            && orient(start, end, b) == Ordering::Equal;
    }
    cross_sign(a, b, start, end) == Ordering::Equal
        && orient(a, b, start) == Ordering::Less
        && cmp_line_distance(a, b, a, start, core.radius, 0.0) == Ordering::Equal
}

fn ordered(a: f64, b: f64) -> (f64, f64) {
    if a <= b { (a, b) } else { (b, a) }
}

/// Whether lines cross at a place where one of them has a joint: two arms of one lie on different
/// sides of two arms of the other.
fn crosses_at_joint(a: &dyn Parts, b: &dyn Parts) -> bool {
    let found = each_pair(a, b, 0.0, &mut |part_a, part_b| {
        let (core_a, core_b) = (&part_a.core, &part_b.core);
        if !(core_a.is_flat() && core_b.is_flat()) {
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
    let core = Core::point(&joint, 0.0);
    let at = core_bounds(&core);
    let mut arms = SmallVec::new();
    let _ = lines.visit(&mut |bounds| bounds.touches(&at), &mut |part| {
        if part.core.is_flat() && verdict(&core, &part.core) == Ordering::Equal {
            arms.extend(part.core.points.iter().copied().filter(|&end| end != joint));
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
        let left_of_from = orient(joint, from, p);
        let right_of_to = orient(joint, p, to);
        match orient(joint, from, to) {
            Ordering::Greater => {
                left_of_from == Ordering::Greater && right_of_to == Ordering::Greater
            }
            Ordering::Less => left_of_from == Ordering::Greater || right_of_to == Ordering::Greater,
            Ordering::Equal => {
                left_of_from == Ordering::Greater
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
