//! Do several parts together cover a convex shape?
//!
//! A shape is covered when no border of the union runs through its inside and it is not outside
//! altogether. A border of a part is none of the union where other parts lie just beyond it. So
//! each border that runs through the shape has to be covered beyond: the edges of sharp parts as
//! [`cover_line`](super::cover_line) tells, exactly where all is sharp. The borders of round parts
//! are moved outwards by next to nothing and must be covered there, in `f64`: their straight
//! stretches span by span, their arcs between the angles at which they meet other borders.

use core::f64::consts::TAU;
use core::ops::ControlFlow;

use glam::{DVec2, Vec2};
use smallvec::SmallVec;

use crate::math::{length, perp_cw};
use crate::query::cover_line::BorderLine;
use crate::query::parts::{Parts, core_bounds};
use crate::query::relation::Relation;
use crate::query::separation::convex_relation;
use crate::query::span::Line;
use crate::shape::ShapeRef;
use crate::shape::convex::Convex;
use crate::shape::parts::QueryRegion;

/// How far outside a border the other parts must be, relative to the largest coordinate.
const BEYOND: f64 = 1e-14;
/// What may stay uncovered, relative to the largest coordinate.
const GAP: f64 = 1e-11;

/// Whether the union of a shape's parts holds all of `b`.
pub(crate) fn covers(shape: ShapeRef<'_>, b: &Convex<'_>) -> bool {
    let cover = Cover { shape: &shape, b };
    // The corners can be told exactly, however thin the shape is there.
    if !b.points.iter().all(|corner| cover.holds_corner(corner)) {
        return false;
    }
    if b.has_no_area() {
        return b.points.len() == 1 || BorderLine::new(b.points[0], b.points[1]).is_covered(&cover);
    }
    let mut overlaps = false;
    let exposed = cover.for_each_part(&mut |part| {
        if part.has_no_area() {
            return ControlFlow::Continue(());
        }
        overlaps |= convex_relation(part, b).overlaps();
        if cover.hides(part) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    overlaps && exposed.is_continue()
}

/// What is to be covered, and by the parts of what.
pub(super) struct Cover<'a> {
    shape: &'a dyn Parts,
    pub b: &'a Convex<'a>,
}

impl Cover<'_> {
    /// Visits the parts near the shape that is to be covered.
    pub fn for_each_part(
        &self,
        visit: &mut dyn FnMut(&Convex<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.shape.visit_parts_in(&QueryRegion::of_convex(self.b), &mut |part| visit(&part.convex))
    }

    fn holds_corner(&self, corner: &Vec2) -> bool {
        let corner = Convex::point(corner, 0.0);
        let held = self.for_each_part(&mut |part| match convex_relation(part, &corner) {
            Relation::Disjoint => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        });
        held.is_break()
    }

    /// Whether the borders of a part are hidden wherever they run inside `b`.
    fn hides(&self, part: &Convex<'_>) -> bool {
        if part.radius == 0.0 {
            return part.edges().all(|(start, end)| BorderLine::new(start, end).is_hidden(self));
        }
        let far = |core: &Convex<'_>| {
            let bounds = core_bounds(core);
            f64::from(bounds.min().abs().max(bounds.max().abs()).max_element())
        };
        let scale = far(self.b).max(far(part));
        self.hides_sides(part, scale) && self.hides_arcs(part, scale)
    }

    /// Whether the straight borders of a round part are hidden.
    fn hides_sides(&self, part: &Convex<'_>, scale: f64) -> bool {
        let radius = f64::from(part.radius) + BEYOND * scale;
        part.edges().all(|(start, end)| {
            let (start, edge) = (start.as_dvec2(), end.as_dvec2() - start.as_dvec2());
            let line = Line::new(start + perp_cw(edge) * (radius / length(edge)), edge);
            let Some(inside) = line.span(self.b) else { return true };
            inside.graze != 0.0 || {
                let margin = GAP * scale / line.length;
                self.covers_stretch(
                    &line,
                    inside.enter.max(0.0) + margin,
                    inside.leave.min(1.0) - margin,
                    margin,
                )
            }
        })
    }

    /// Whether the parts hold a stretch of a line, but for gaps.
    fn covers_stretch(&self, line: &Line, from: f64, to: f64, gap: f64) -> bool {
        let mut spans: SmallVec<[(f64, f64); 8]> = SmallVec::new();
        let _ = self.for_each_part(&mut |part| {
            spans.extend(line.span(part).map(|span| (span.enter, span.leave)));
            ControlFlow::Continue(())
        });
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        let reach =
            spans.iter().fold(
                from,
                |reach, &(enter, leave)| {
                    if enter <= reach + gap { reach.max(leave) } else { reach }
                },
            );
        reach + gap >= to
    }

    /// Whether the arcs of a round part are hidden.
    fn hides_arcs(&self, part: &Convex<'_>, scale: f64) -> bool {
        let radius = f64::from(part.radius) + BEYOND * scale;
        part.points.iter().all(|center| self.hides_circle(center.as_dvec2(), radius, scale))
    }

    fn hides_circle(&self, center: DVec2, radius: f64, scale: f64) -> bool {
        let mut angles: SmallVec<[f64; 16]> = SmallVec::new();
        each_crossing(center, radius, self.b, &mut |angle| angles.push(angle));
        let _ = self.for_each_part(&mut |part| {
            each_crossing(center, radius, part, &mut |angle| angles.push(angle));
            ControlFlow::Continue(())
        });
        angles.extend([0.0, TAU]);
        angles.sort_by(f64::total_cmp);
        angles.windows(2).all(|ends| {
            let (sin, cos) = libm::sincos((ends[0] + ends[1]) / 2.0);
            let point = center + DVec2::new(cos, sin) * radius;
            depth(self.b, point) <= GAP * scale || self.holds(point)
        })
    }

    fn holds(&self, point: DVec2) -> bool {
        let held = self.for_each_part(&mut |part| {
            let inside = depth(part, point) >= 0.0;
            if inside { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        held.is_break()
    }
}

/// How far a point is inside a part; negative outside.
pub(crate) fn depth(core: &Convex<'_>, point: DVec2) -> f64 {
    let mut inside = if core.points.len() > 2 { f64::INFINITY } else { f64::NEG_INFINITY };
    let mut distance = length(point - core.points[0].as_dvec2());
    for (start, end) in core.edges() {
        let (start, edge) = (start.as_dvec2(), end.as_dvec2() - start.as_dvec2());
        inside = inside.min(-perp_cw(edge).dot(point - start) / length(edge));
        let along = (edge.dot(point - start) / edge.dot(edge)).clamp(0.0, 1.0);
        distance = distance.min(length(start + edge * along - point));
    }
    f64::from(core.radius) + if inside >= 0.0 { inside } else { -distance }
}

/// The angles, within one turn, at which a circle meets the lines and circles that a part's border
/// is made of.
fn each_crossing(center: DVec2, radius: f64, core: &Convex<'_>, visit: &mut dyn FnMut(f64)) {
    let mut turn_both_ways = |axis: DVec2, cos: f64| {
        if cos.abs() <= 1.0 {
            let (middle, turn) = (libm::atan2(axis.y, axis.x), libm::acos(cos));
            for angle in [middle - turn, middle + turn] {
                visit(if angle < 0.0 { angle + TAU } else { angle } % TAU);
            }
        }
    };
    let reach = f64::from(core.radius);
    for (start, end) in core.edges() {
        let normal = perp_cw(end.as_dvec2() - start.as_dvec2());
        let normal = normal / length(normal);
        turn_both_ways(normal, (normal.dot(start.as_dvec2() - center) + reach) / radius);
    }
    for corner in core.points.iter().filter(|_| reach > 0.0) {
        let way = corner.as_dvec2() - center;
        let apart = length(way);
        if apart > 0.0 {
            let cos = (apart * apart + radius * radius - reach * reach) / (2.0 * apart * radius);
            turn_both_ways(way, cos);
        }
    }
}
