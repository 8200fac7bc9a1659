//! The normal of the surface that a moving shape hits.
//!
//! Parts that lie flush are one surface, whichever part of it a vertex hits first. In
//! configuration space (see [`cspace`](crate::query::mtv::cspace)), the directions that lead into
//! one touched pair of parts form an arc: a half circle at a face, less at a vertex. The union of
//! these arcs contains the directions that are blocked at the impact. It depends neither on the
//! division of the surface into parts nor on their order: two flush segments block the same half
//! circle as one long segment, and a vertex beside a face blocks less than the face. The surfaces that
//! are hit are those at the two ends of the union.

use core::ops::ControlFlow;

use glam::DVec2;
use smallvec::SmallVec;

use super::toi::{Impact, can_only_touch};
use crate::math::{cross, length, sqrt, to_vec2};
use crate::query::composite::{ConvexParts, visit_part_pairs_swept, with_translated};
use crate::query::contact::rounding_margin;
use crate::query::sat::{Operand, walk_edges};
use crate::query::separation::{Separation, separation};
use crate::shape::convex::Convex;

/// A touched pair of parts: the directions that it blocks, and its normals.
#[derive(Clone, Copy)]
struct Touch {
    /// The first and the last blocked direction, counterclockwise; at most half a turn.
    arc: [DVec2; 2],
    /// The surfaces at the ends of the arc, in the same order.
    ends: [Surface; 2],
}

/// A face, or a point of a round boundary, that is touched.
#[derive(Clone, Copy)]
struct Surface {
    normal: DVec2,
    /// The distance at the impact, in `f64`; infinite if it is not known so accurately.
    gap: f64,
}

/// Directions that differ by less than this sine are the same.
const SAME_DIRECTION: f64 = 1e-8;
/// One minus the cosine of the angle below which two normals belong to one surface: 1e-5, the
/// rounding of a vertex over the length of a contact.
const SAME_SURFACE: f64 = 5e-11;
/// Normals whose dot product is below this are opposite.
const OPPOSITE: f64 = -0.999;

/// Returns the impact on the surface that is hit, given the earliest impacts of pairs of parts.
/// Impacts whose times differ by less than `tolerance` are simultaneous. None of them needs to have
/// the normal of the surface.
pub(super) fn impact_on_surface(
    a: &dyn ConvexParts,
    path: DVec2,
    b: &dyn ConvexParts,
    impacts: &[Impact],
    tolerance: f64,
) -> Option<Impact> {
    let first = *impacts.first()?;
    let time = impacts.iter().fold(first.time, |time, impact| time.min(impact.time));
    let mut touches = find_touches(a, path, b, &Impact { time, ..first });
    let faces_motion = |surface: &Surface| surface.normal.dot(path) < 0.0;
    // 1. The surfaces at the ends of the union. A wall that the motion slides along or leads away
    //    from is not hit.
    let turns = [Turn::Clockwise, Turn::CounterClockwise];
    let mut ends = turns.map(|turn| end_of(&touches, path, turn).filter(faces_motion));
    // 2. Between two such walls, the surfaces between them are hit.
    if ends.iter().all(Option::is_none) {
        touches.retain(|touch| touch.ends.iter().all(faces_motion));
        ends = turns.map(|turn| end_of(&touches, path, turn));
    }
    // 3. A face that is within the tolerance of `f32`, but not of `f64`, has been passed or is not
    //    reached yet.
    let alignment = |normal: DVec2| move |impact: &Impact| impact.normal.dot(normal);
    let is_hit = |end: &Surface| {
        end.gap.abs() <= tolerance * length(path)
            || impacts.iter().map(alignment(end.normal)).any(|cosine| cosine > 1.0 - SAME_SURFACE)
    };
    let normal = match ends {
        [None, None] => return Some(Impact { time, ..first }),
        [Some(end), None] | [None, Some(end)] => end.normal,
        [Some(one), Some(other)] => match (is_hit(&one), is_hit(&other)) {
            (true, false) => one.normal,
            (false, true) => other.normal,
            _ => tied_normal(one.normal, other.normal, path),
        },
    };
    // 4. The point of contact is that of the simultaneous impact with the most similar normal.
    let best = impacts[1..].iter().fold(first, |best, impact| {
        if alignment(normal)(impact) > alignment(normal)(&best) { *impact } else { best }
    });
    if alignment(normal)(&best) > 1.0 - SAME_SURFACE {
        return Some(Impact { time, ..best });
    }
    Some(Impact { time, normal, edge: None, ..best })
}

/// Returns the normal of an impact on two surfaces at once, a corner on a corner: that of the
/// surface along which the motion continues farther. At equal angles it is the surface along x. If
/// the surfaces are mirror images, the normal is opposite to the motion.
pub(super) fn tied_normal(one: DVec2, other: DVec2, motion: DVec2) -> DVec2 {
    if one.dot(other) > 1.0 - SAME_SURFACE {
        // By value, so that the order does not matter.
        return if (one.x, one.y) < (other.x, other.y) { one } else { other };
    }
    const ROUNDING: f64 = 1e-9;
    let (into_one, into_other) = (-one.dot(motion), -other.dot(motion));
    if (into_one - into_other).abs() > ROUNDING * length(motion) {
        return if into_one < into_other { one } else { other };
    }
    let (along_x_of_one, along_x_of_other) = (one.y.abs(), other.y.abs());
    if (along_x_of_one - along_x_of_other).abs() > ROUNDING {
        return if along_x_of_one > along_x_of_other { one } else { other };
    }
    -motion / length(motion)
}

/// Returns the pairs of parts that touch at an impact.
fn find_touches(
    a: &dyn ConvexParts,
    path: DVec2,
    b: &dyn ConvexParts,
    impact: &Impact,
) -> SmallVec<[Touch; 4]> {
    let offset = path * impact.time;
    let bounds = a.bounds();
    let size = (bounds.max().as_dvec2() - bounds.min().as_dvec2()).max_element();
    let far = impact.point.abs().max((impact.point - offset).abs()).max_element() + size;
    // The vertices of both shapes and the moved vertices are rounded.
    let tolerance = 3.0 * rounding_margin(far);
    let mut touches = SmallVec::new();
    let at_impact = (offset, DVec2::ZERO);
    let _ = visit_part_pairs_swept(a, at_impact, b, tolerance, &mut |part_a, part_b| {
        touches.extend(touch(&part_a.convex, path, offset, &part_b.convex, tolerance));
        ControlFlow::Continue(())
    });
    touches
}

/// Returns the touch of two convex shapes when `a` is moved by `offset`, if their distance is within
/// the tolerance.
fn touch(
    a: &Convex<'_>,
    path: DVec2,
    offset: DVec2,
    b: &Convex<'_>,
    tolerance: f64,
) -> Option<Touch> {
    let Separation { distance, normal, reference_edge, .. } =
        with_translated(a, to_vec2(offset), |moved| separation(&moved, b, tolerance))
            .filter(|separation| separation.distance <= tolerance)?;
    let radius = f64::from(a.radius) + f64::from(b.radius);
    let half_circle = |surface: Surface| {
        let along = surface.normal.perp();
        Some(Touch { arc: [along, -along], ends: [surface; 2] })
    };
    if radius > 0.0 {
        let surface = Surface { normal, gap: f64::INFINITY };
        if reference_edge.is_some() {
            return half_circle(surface);
        }
        // The directions that lead into the shapes *shrunk by the tolerance*: at a round vertex it
        // is less than half a circle, so that a vertex beside the point where a ball touches a flat
        // surface adds nothing to it.
        let shrunk = radius - tolerance.min(0.25 * radius);
        let sine = shrunk / (radius + distance).max(shrunk);
        let (along, into) = (normal.perp() * sine, -normal * sqrt(1.0 - sine * sine));
        return Some(Touch { arc: [into + along, into - along], ends: [surface; 2] });
    }
    let mut faces: SmallVec<[Surface; 16]> = SmallVec::new();
    for (owner, other, operand) in [(b, a, Operand::B), (a, b, Operand::A)] {
        let _ = walk_edges(owner, other, |face, _| {
            let normal = if operand == Operand::B { face.normal } else { -face.normal };
            faces.push(Surface { normal, gap: face.gap + normal.dot(offset) });
            ControlFlow::Continue(())
        });
    }
    let &reference = faces.iter().max_by(|f, g| f.gap.total_cmp(&g.gap))?;
    if can_only_touch(a, b) {
        // Without an interior, it blocks from both sides.
        let against = if reference.normal.dot(path) < 0.0 { 1.0 } else { -1.0 };
        return half_circle(Surface { normal: reference.normal * against, ..reference });
    }
    // The faces whose lines pass through the position, within the tolerance.
    let (mut first, mut last) = (reference, reference);
    for face in &faces {
        let is_touched = face.gap >= reference.gap.min(0.0) - tolerance;
        if is_touched && face.normal.dot(reference.normal) > OPPOSITE {
            first = if cross(face.normal, first.normal) > 0.0 { *face } else { first };
            last = if cross(last.normal, face.normal) > 0.0 { *face } else { last };
        }
    }
    if cross(first.normal, last.normal) < 0.0 || first.normal.dot(last.normal) <= OPPOSITE {
        return half_circle(reference); // thinner than the tolerance
    }
    Some(Touch { arc: [last.normal.perp(), -first.normal.perp()], ends: [last, first] })
}

/// A sense of rotation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Clockwise,
    CounterClockwise,
}

/// Returns the surface at one end of the union of arcs that contains a direction; `None` if no arc
/// contains it, or if all directions are blocked.
///
/// Arcs that only share an end are not merged: the direction between them is open.
fn end_of(touches: &[Touch], direction: DVec2, turn: Turn) -> Option<Surface> {
    let (index, sign) = if turn == Turn::Clockwise { (0, -1.0) } else { (1, 1.0) };
    let contains = |touch: &Touch, direction: DVec2| {
        let least = SAME_DIRECTION * length(direction);
        cross(touch.arc[0], direction) > least && cross(direction, touch.arc[1]) > least
    };
    let (mut at, mut end) = (direction, None);
    for _ in 0..=touches.len() {
        let containing = touches.iter().filter(|touch| contains(touch, at));
        let farthest = containing
            .reduce(|a, b| if sign * cross(a.arc[index], b.arc[index]) > 0.0 { b } else { a });
        let Some(touch) = farthest else { return end };
        at = touch.arc[index];
        end = Some(touch.ends[index]);
    }
    None
}
