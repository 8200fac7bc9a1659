//! Where a line or point enters a whole though it enters none of its parts.
//!
//! Along a seam between two flush parts it slides along both, and is inside their union. And a
//! line that moves along itself slides past both arms of a chain's joint, and crosses the chain.
//! Both happen only to points, and to segments that move along their own line.

use core::cmp::Ordering;
use core::ops::ControlFlow;

use glam::{DVec2, Vec2};
use smallvec::SmallVec;

use crate::math::exact::cross_sign;
use crate::math::{cross, length, try_normalize};
use crate::query::overlaps::arms;
use crate::query::parts::Parts;
use crate::query::sweep_enter::{Entry, SLIDING};
use crate::shape::convex::Convex;
use crate::shape::parts::QueryRegion;

/// The first entry along a seam or over a joint, up to a time.
pub(super) fn enter_seam(a: &dyn Parts, motion: Vec2, b: &dyn Parts, until: f64) -> Option<Entry> {
    let normal = try_normalize(-motion.as_dvec2())?;
    let mut first: Option<Entry> = None;
    for (lines, others, path, moves) in [(a, b, motion, true), (b, a, -motion, false)] {
        if !lines.has_lines() {
            continue;
        }
        let corners = others.bounds().corners();
        let near = QueryRegion::of_corners(&corners).swept(DVec2::ZERO, -path.as_dvec2() * until);
        let _ = lines.visit_parts_in(&near, &mut |line| {
            if let Some(track) = Track::new(&line.convex, path, until) {
                let times = [track.enters_seam(others), track.enters_joint(others)];
                for time in times.into_iter().flatten() {
                    if first.is_none_or(|first| time < first.time) {
                        let moved = if moves { motion.as_dvec2() * time } else { DVec2::ZERO };
                        let point = track.at(track.front) + moved;
                        first = Some(Entry { time, normal, point, edge: None });
                    }
                }
            }
            ControlFlow::Continue(())
        });
    }
    first
}

/// A point or segment that moves along its own line, seen in the frame of what it meets. Places
/// on the line are distances from its first point, along the motion.
struct Track<'a> {
    core: &'a Convex<'a>,
    path: Vec2,
    along: DVec2,
    speed: f64,
    back: f64,
    front: f64,
    swept: QueryRegion<'a>,
}

impl<'a> Track<'a> {
    fn new(core: &'a Convex<'a>, path: Vec2, until: f64) -> Option<Self> {
        let along = try_normalize(path.as_dvec2()).filter(|_| core.has_no_area())?;
        let last = core.points[core.points.len() - 1];
        // At the least angle to its line it sweeps an area, and enters the parts themselves.
        if cross_sign(Vec2::ZERO, path, core.points[0], last) != Ordering::Equal {
            return None;
        }
        let end = along.dot(last.as_dvec2() - core.points[0].as_dvec2());
        Some(Self {
            core,
            path,
            along,
            speed: length(path.as_dvec2()),
            back: end.min(0.0),
            front: end.max(0.0),
            swept: QueryRegion::of_convex(core).swept(DVec2::ZERO, path.as_dvec2() * until),
        })
    }

    fn at(&self, place: f64) -> DVec2 {
        self.core.points[0].as_dvec2() + self.along * place
    }

    /// Where a point is on the line; `None` if it is not.
    fn place(&self, point: Vec2) -> Option<f64> {
        let on_line = self.is_along(self.core.points[0], point);
        on_line.then(|| self.along.dot(point.as_dvec2() - self.core.points[0].as_dvec2()))
    }

    /// Whether the way from one point to another is along the line.
    fn is_along(&self, from: Vec2, to: Vec2) -> bool {
        cross_sign(Vec2::ZERO, self.path, from, to) == Ordering::Equal
    }

    /// Where the straight side of a part begins on the line that belongs to an edge; `None` if it
    /// does not run along it. That of a rounded part lies its radius beyond the edge, which is not
    /// exactly anywhere.
    fn side_place(&self, core: &Convex<'_>, edge: usize) -> Option<f64> {
        let (start, end) = core.edge(edge);
        if core.radius == 0.0 {
            return self.place(start).filter(|_| self.is_along(start, end));
        }
        let (side, normal) = core.edge_normal(edge);
        let at = start.as_dvec2() + normal * f64::from(core.radius);
        let way = at - self.core.points[0].as_dvec2();
        let is_along = |v: DVec2| cross(self.along, v).abs() <= SLIDING * length(v);
        (is_along(side) && is_along(way)).then(|| self.along.dot(way))
    }

    /// The time at which the front comes to a place, if that is within the motion and ahead.
    fn time(&self, place: f64) -> Option<f64> {
        let ahead = place - self.front;
        let slack = SLIDING * (place.abs() + self.front);
        (ahead >= -slack && ahead <= self.speed).then(|| (ahead / self.speed).max(0.0))
    }

    /// When it comes between two parts that lie flush on both sides of the line.
    fn enters_seam(&self, areas: &dyn Parts) -> Option<f64> {
        let mut left: SmallVec<[(f64, f64); 4]> = SmallVec::new();
        let mut right: SmallVec<[(f64, f64); 4]> = SmallVec::new();
        let _ = areas.visit_parts_in(&self.swept, &mut |part| {
            if part.convex.has_no_area() {
                return ControlFlow::Continue(());
            }
            for (edge, (p, q)) in part.convex.edges().enumerate() {
                if let Some(start) = self.side_place(&part.convex, edge) {
                    let end = start + self.along.dot(q.as_dvec2() - p.as_dvec2());
                    if start < end { left.push((start, end)) } else { right.push((end, start)) }
                }
            }
            ControlFlow::Continue(())
        });
        let seams = left.iter().flat_map(|l| right.iter().map(|r| (l.0.max(r.0), l.1.min(r.1))));
        let times = seams.filter_map(|(start, end)| {
            let slack = SLIDING * (start.abs() + end.abs() + self.front - self.back);
            let start = start.max(self.front);
            if end - start <= slack { None } else { self.time(start) }
        });
        times.reduce(f64::min)
    }

    /// When it comes to cross a chain at a joint, whose arms lie on both sides of the line.
    fn enters_joint(&self, lines: &dyn Parts) -> Option<f64> {
        let [start, end] = *self.core.points else { return None };
        let mut first: Option<f64> = None;
        let _ = lines.visit_parts_in(&self.swept, &mut |part| {
            for &joint in part.convex.points.iter().filter(|_| part.convex.has_no_area()) {
                let time = self.place(joint).and_then(|place| self.time(place));
                if let Some(time) = time.filter(|&time| first.is_none_or(|first| time < first)) {
                    let arms = arms(joint, lines);
                    let has = |side: Ordering| {
                        arms[1..].iter().any(|&arm| cross_sign(start, end, joint, arm) == side)
                    };
                    if has(Ordering::Less) && has(Ordering::Greater) {
                        first = Some(time);
                    }
                }
            }
            ControlFlow::Continue(())
        });
        first
    }
}
