//! Containment in a union: the test whether several convex parts together cover a convex shape.
//!
//! A shape is covered if the boundary of the union does not pass through its interior and it is not
//! outside. The boundary of a part is not on the boundary of the union where other parts cover its
//! outer side. So each piece of boundary that passes through the shape has to be covered on its outer
//! side:
//!
//! - *Edges of parts without a radius* ([`EdgeLine`]): intersect the line of the edge with each
//!   part, which gives intervals on the line, and test whether the union of the intervals covers
//!   the edge. The ends of the intervals are exact fractions ([`LineParam`]), so the result is
//!   exact if no part has a radius.
//! - *Parts with a radius*: move the boundary outwards by a tiny distance and test whether the
//!   other parts cover it there, in `f64`: straight sides by intervals, arcs between the angles at
//!   which they intersect other boundaries. Gaps narrower than a tolerance go unnoticed.
//!
//! Single points between two intervals do not matter: all sets are closed, and an area that is not
//! covered has a boundary of positive length.

use core::cmp::Ordering;
use core::f64::consts::TAU;
use core::ops::ControlFlow;

use alloc::vec::Vec;
use glam::{DVec2, Vec2};
use smallvec::SmallVec;

use crate::math::exact::{Orientation, orient2d};
use crate::math::{LineParam, length, perp_cw};
use crate::query::composite::{ConvexParts, any_part_in, convex_bounds, with_segment};
use crate::query::line_clip::{Grazing, Line, TOLERANCE};
use crate::query::separation::convex_relation;
use crate::shape::ShapeRef;
use crate::shape::convex::Convex;
use crate::shape::parts::QueryRegion;

/// The distance by which the boundary of a part with a radius is moved outwards, relative to the largest
/// coordinate.
const OUTWARD_OFFSET: f64 = 1e-14;
/// The width of a gap that goes unnoticed, relative to the largest coordinate.
const GAP_TOLERANCE: f64 = 1e-11;

/// A closed interval.
#[derive(Clone, Debug)]
pub(super) struct Interval<T> {
    pub low: T,
    pub high: T,
}

/// Returns `true` if the union of some intervals covers another one. Sorts the intervals by their
/// lower ends, with `total_cmp`.
pub(super) fn union_covers<T: PartialOrd>(
    intervals: &mut [Interval<T>],
    target: Interval<T>,
    total_cmp: impl Fn(&T, &T) -> Ordering,
) -> bool {
    intervals.sort_by(|p, q| total_cmp(&p.low, &q.low));
    let mut covered_to = &target.low;
    for Interval { low, high } in intervals.iter() {
        if low <= covered_to && high > covered_to {
            covered_to = high;
        }
    }
    *covered_to >= target.high
}

/// Returns `true` if the union of the parts of a shape contains `b`.
pub(crate) fn union_contains(shape: ShapeRef<'_>, b: &Convex<'_>) -> bool {
    let union = UnionTest { shape: &shape, b };
    // The vertices are tested exactly, however thin the shape is there.
    if !b.points.iter().all(|vertex| union.contains_vertex(vertex)) {
        return false;
    }
    if b.has_no_area() {
        return b.points.len() == 1 || EdgeLine::new(b.points[0], b.points[1]).is_covered(&union);
    }
    let mut overlaps = false;
    let is_exposed = union.any_part(&mut |part| {
        if part.has_no_area() {
            return false;
        }
        overlaps |= convex_relation(part, b).overlaps();
        !union.covers_boundary_of(part)
    });
    overlaps && !is_exposed
}

/// A test whether the union of the parts of `shape` contains `b`.
struct UnionTest<'a> {
    shape: &'a dyn ConvexParts,
    b: &'a Convex<'a>,
}

impl UnionTest<'_> {
    /// Returns `true` if `test` holds for any part that may touch `b`.
    fn any_part(&self, test: &mut dyn FnMut(&Convex<'_>) -> bool) -> bool {
        any_part_in(self.shape, &QueryRegion::of_convex(self.b), test)
    }

    fn for_each_part(&self, visit: &mut dyn FnMut(&Convex<'_>)) {
        let _ = self.shape.visit_parts_in(&QueryRegion::of_convex(self.b), &mut |part| {
            visit(&part.convex);
            ControlFlow::Continue(())
        });
    }

    fn contains_vertex(&self, vertex: &Vec2) -> bool {
        let vertex = Convex::point(vertex, 0.0);
        self.any_part(&mut |part| convex_relation(part, &vertex).intersects())
    }

    /// Returns `true` if the boundary of a part is covered on its outer side wherever it passes
    /// through the interior of `b`.
    fn covers_boundary_of(&self, part: &Convex<'_>) -> bool {
        if part.radius == 0.0 {
            return part.edges().all(|(start, end)| EdgeLine::new(start, end).is_internal(self));
        }
        let far = |convex: &Convex<'_>| {
            let bounds = convex_bounds(convex);
            f64::from(bounds.min().abs().max(bounds.max().abs()).max_element())
        };
        let scale = far(self.b).max(far(part));
        self.covers_sides_of(part, scale) && self.covers_arcs_of(part, scale)
    }

    /// Returns `true` if the straight sides of a part with a radius are covered.
    fn covers_sides_of(&self, part: &Convex<'_>, scale: f64) -> bool {
        let radius = f64::from(part.radius) + OUTWARD_OFFSET * scale;
        part.edges().all(|(start, end)| {
            let (start, edge) = (start.as_dvec2(), end.as_dvec2() - start.as_dvec2());
            let line = Line::new(start + perp_cw(edge) * (radius / length(edge)), edge);
            let Some(inside) = line.clip_to(self.b) else { return true };
            inside.grazing != Grazing::No || {
                let tolerance = GAP_TOLERANCE * scale / line.length;
                let low = inside.enter.max(0.0) + tolerance;
                let high = inside.exit.min(1.0) - tolerance;
                self.covers_interval(&line, Interval { low, high }, tolerance)
            }
        })
    }

    /// Returns `true` if the parts cover an interval of a line, except for gaps up to the tolerance.
    fn covers_interval(&self, line: &Line, target: Interval<f64>, tolerance: f64) -> bool {
        let mut covered: SmallVec<[Interval<f64>; 8]> = SmallVec::new();
        self.for_each_part(&mut |part| {
            let chord = line.clip_to(part);
            covered.extend(
                chord.map(|chord| Interval { low: chord.enter, high: chord.exit + tolerance }),
            );
        });
        let target = Interval { low: target.low + tolerance, high: target.high };
        union_covers(&mut covered, target, f64::total_cmp)
    }

    /// Returns `true` if the arcs of a part with a radius are covered.
    fn covers_arcs_of(&self, part: &Convex<'_>, scale: f64) -> bool {
        let radius = f64::from(part.radius) + OUTWARD_OFFSET * scale;
        part.points.iter().all(|center| self.covers_circle(center.as_dvec2(), radius, scale))
    }

    /// Returns `true` if the parts cover a circle wherever it passes through the interior of `b`:
    /// between two angles at which it intersects a boundary, its midpoint decides.
    fn covers_circle(&self, center: DVec2, radius: f64, scale: f64) -> bool {
        let mut angles: SmallVec<[f64; 16]> = SmallVec::new();
        for_each_intersection(center, radius, self.b, &mut |angle| angles.push(angle));
        self.for_each_part(&mut |part| {
            for_each_intersection(center, radius, part, &mut |angle| angles.push(angle));
        });
        angles.extend([0.0, TAU]);
        angles.sort_by(f64::total_cmp);
        angles.windows(2).all(|ends| {
            let (sin, cos) = libm::sincos((ends[0] + ends[1]) / 2.0);
            let point = center + DVec2::new(cos, sin) * radius;
            depth(self.b, point) <= GAP_TOLERANCE * scale
                || self.any_part(&mut |part| depth(part, point) >= 0.0)
        })
    }
}

/// Returns the depth of a point inside a part; negative outside.
pub(crate) fn depth(convex: &Convex<'_>, point: DVec2) -> f64 {
    let mut inside = if convex.points.len() > 2 { f64::INFINITY } else { f64::NEG_INFINITY };
    let mut distance = length(point - convex.points[0].as_dvec2());
    for (start, end) in convex.edges() {
        let (start, edge) = (start.as_dvec2(), end.as_dvec2() - start.as_dvec2());
        inside = inside.min(-perp_cw(edge).dot(point - start) / length(edge));
        let t = (edge.dot(point - start) / edge.dot(edge)).clamp(0.0, 1.0);
        distance = distance.min(length(start + edge * t - point));
    }
    f64::from(convex.radius) + if inside >= 0.0 { inside } else { -distance }
}

/// Calls `visit` with the angles, from 0 to 2π, at which a circle intersects the lines and circles
/// that the boundary of a part consists of.
fn for_each_intersection(
    center: DVec2,
    radius: f64,
    convex: &Convex<'_>,
    visit: &mut dyn FnMut(f64),
) {
    let mut visit_both = |axis: DVec2, cos: f64| {
        if cos.abs() <= 1.0 {
            let (middle, turn) = (libm::atan2(axis.y, axis.x), libm::acos(cos));
            for angle in [middle - turn, middle + turn] {
                visit(if angle < 0.0 { angle + TAU } else { angle } % TAU);
            }
        }
    };
    let core_radius = f64::from(convex.radius);
    for (start, end) in convex.edges() {
        let normal = perp_cw(end.as_dvec2() - start.as_dvec2());
        let normal = normal / length(normal);
        visit_both(normal, (normal.dot(start.as_dvec2() - center) + core_radius) / radius);
    }
    for vertex in convex.points.iter().filter(|_| core_radius > 0.0) {
        let to_vertex = vertex.as_dvec2() - center;
        let distance = length(to_vertex);
        if distance > 0.0 {
            // The law of cosines.
            let cos = (distance * distance + radius * radius - core_radius * core_radius)
                / (2.0 * distance * radius);
            visit_both(to_vertex, cos);
        }
    }
}

/// The side of an edge that has to be covered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// The edge itself.
    Edge,
    /// The area next to the edge, on its outer side.
    Outer,
}

/// The line of an edge, with the interior of its part on the left.
struct EdgeLine {
    start: Vec2,
    end: Vec2,
}

impl EdgeLine {
    fn new(start: Vec2, end: Vec2) -> Self {
        Self { start, end }
    }

    /// Returns `true` if the parts cover the edge itself.
    fn is_covered(&self, union: &UnionTest<'_>) -> bool {
        let edge = Interval { low: LineParam::start(), high: LineParam::end() };
        self.parts_cover(union, edge, Side::Edge)
    }

    /// Returns `true` if the edge, wherever it passes through the interior of the tested shape, has
    /// other parts on its outer side.
    fn is_internal(&self, union: &UnionTest<'_>) -> bool {
        if !with_segment(self.start, self.end, |edge| convex_relation(edge, union.b).overlaps()) {
            return true;
        }
        let Some(inside) = self.intersection(union.b, -TOLERANCE, Side::Edge) else { return true };
        let low = inside.low.max(LineParam::start());
        let high = inside.high.min(LineParam::end());
        self.parts_cover(union, Interval { low, high }, Side::Outer)
    }

    fn orientation(&self, point: Vec2) -> Orientation {
        orient2d(self.start, self.end, point)
    }

    /// Returns `true` if the parts cover an interval of the line, or the area next to it.
    fn parts_cover(&self, union: &UnionTest<'_>, target: Interval<LineParam>, side: Side) -> bool {
        if target.low >= target.high {
            return true;
        }
        let mut covered: Vec<Interval<LineParam>> = Vec::new();
        union.for_each_part(&mut |part| covered.extend(self.intersection(part, TOLERANCE, side)));
        union_covers(&mut covered, target, LineParam::cmp)
    }

    /// Returns the intersection of a part, or of its outer side, with the line, if it is longer
    /// than a point. That of a part with a radius is extended by a relative tolerance.
    fn intersection(
        &self,
        convex: &Convex<'_>,
        tolerance: f64,
        side: Side,
    ) -> Option<Interval<LineParam>> {
        if convex.radius == 0.0 {
            let is_outside = |&point: &Vec2| self.orientation(point) == Orientation::Clockwise;
            let reaches_side = side == Side::Edge || convex.points.iter().any(is_outside);
            return if reaches_side { self.exact_intersection(convex) } else { None };
        }
        let start = self.start.as_dvec2();
        let line = Line::new(start, self.end.as_dvec2() - start);
        let reaches_side = |grazing: Grazing| side == Side::Edge || grazing != Grazing::Left;
        let chord = line.clip_to(convex).filter(|chord| reaches_side(chord.grazing))?;
        let distances = convex.points.iter().map(|point| length(point.as_dvec2() - start));
        let scale = distances.fold(0.0, f64::max) + f64::from(convex.radius) + line.length;
        let extension = tolerance * (scale / line.length);
        let (low, high) = (chord.enter - extension, chord.exit + extension);
        (low < high)
            .then(|| Interval { low: LineParam::from_f64(low), high: LineParam::from_f64(high) })
    }

    /// Returns the intersection with a part that has no radius. Exact.
    fn exact_intersection(&self, convex: &Convex<'_>) -> Option<Interval<LineParam>> {
        let Self { start, end } = *self;
        let mut interval: Option<Interval<LineParam>> = None;
        let mut include = |t: LineParam| {
            interval = Some(match interval.take() {
                None => Interval { low: t.clone(), high: t },
                Some(Interval { low, high }) if t < low => Interval { low: t, high },
                Some(Interval { low, high }) if t > high => Interval { low, high: t },
                Some(interval) => interval,
            });
        };
        for (p, q) in convex.edges() {
            match (self.orientation(p), self.orientation(q)) {
                (Orientation::Collinear, _) => include(LineParam::of_point(start, end, p)),
                (side, other) if side == other.reverse() => {
                    include(LineParam::of_crossing(start, end, p, q));
                }
                _ => {}
            }
        }
        interval.filter(|Interval { low, high }| low < high)
    }
}
