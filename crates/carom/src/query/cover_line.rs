//! Do several parts together cover a stretch of a straight line, and what lies just beyond it?
//!
//! The stretches that sharp parts share with the line end where lines cross, at exact fractions;
//! those of round parts are computed in `f64`, and gaps beside them narrower than about 1e-12 of
//! what is involved go unnoticed. Single points between two stretches do not matter: all sets are
//! closed, and an area that is left out has a border of some length.

use core::ops::ControlFlow;

use alloc::vec::Vec;
use glam::Vec2;

use crate::math::exact::{Orientation, orient2d};
use crate::math::{Place, length};
use crate::query::contains::with_segment;
use crate::query::cover::Cover;
use crate::query::relation::Relation;
use crate::query::separation::convex_relation;
use crate::query::span::{Line, SLACK};
use crate::shape::convex::Convex;

/// The line of an edge that runs from one point to another, what it bounds to its left.
pub(super) struct BorderLine {
    start: Vec2,
    end: Vec2,
}

/// A stretch of a line.
type Stretch = (Place, Place);

impl BorderLine {
    pub fn new(start: Vec2, end: Vec2) -> Self {
        Self { start, end }
    }

    /// Whether the edge itself is covered.
    pub fn is_covered(&self, cover: &Cover<'_>) -> bool {
        self.covers(cover, (Place::end(false), Place::end(true)), false)
    }

    /// Whether the edge, wherever it runs inside what is to be covered, has other parts beyond it.
    pub fn is_hidden(&self, cover: &Cover<'_>) -> bool {
        let enters = with_segment(self.start, self.end, |edge| convex_relation(edge, cover.b));
        if enters != Relation::Overlapping {
            return true;
        }
        let Some((enter, leave)) = self.stretch(cover.b, -SLACK, false) else { return true };
        let inside = (enter.max(Place::end(false)), leave.min(Place::end(true)));
        self.covers(cover, inside, true)
    }

    fn side(&self, point: Vec2) -> Orientation {
        orient2d(self.start, self.end, point)
    }

    /// Whether the parts cover a stretch, or just beyond it.
    fn covers(&self, cover: &Cover<'_>, (from, to): Stretch, beyond: bool) -> bool {
        if from >= to {
            return true;
        }
        let mut stretches: Vec<Stretch> = Vec::new();
        let _ = cover.for_each_part(&mut |part| {
            stretches.extend(self.stretch(part, SLACK, beyond));
            ControlFlow::Continue(())
        });
        stretches.sort_by(|p, q| p.0.cmp(&q.0));
        let mut reach = from;
        for (enter, leave) in stretches {
            if enter <= reach {
                reach = reach.max(leave);
            }
        }
        reach >= to
    }

    /// The stretch that a part shares with the line, or with what lies just beyond, if it is longer
    /// than a point; that of a round one is made longer by some of what is involved.
    fn stretch(&self, core: &Convex<'_>, slack: f64, beyond: bool) -> Option<Stretch> {
        if core.radius == 0.0 {
            let reaches = |&point: &Vec2| self.side(point) == Orientation::Clockwise;
            let is_there = !beyond || core.points.iter().any(reaches);
            return if is_there { self.sharp_stretch(core) } else { None };
        }
        let start = self.start.as_dvec2();
        let line = Line::new(start, self.end.as_dvec2() - start);
        let span = line.span(core).filter(|span| !beyond || span.graze <= 0.0)?;
        let away = core.points.iter().map(|point| length(point.as_dvec2() - start));
        let reach = away.fold(0.0, f64::max) + f64::from(core.radius) + line.length;
        let more = slack * (reach / line.length);
        let (enter, leave) = (span.enter - more, span.leave + more);
        (enter < leave).then(|| (Place::near(enter), Place::near(leave)))
    }

    fn sharp_stretch(&self, core: &Convex<'_>) -> Option<Stretch> {
        let Self { start, end } = *self;
        let mut ends: Option<Stretch> = None;
        let mut add = |place: Place| {
            ends = Some(match ends.take() {
                None => (place.clone(), place),
                Some((low, high)) if place < low => (place, high),
                Some((low, high)) if place > high => (low, place),
                Some(ends) => ends,
            });
        };
        for (p, q) in core.edges() {
            match (self.side(p), self.side(q)) {
                (Orientation::Collinear, _) => add(Place::of(start, end, p)),
                (side, other) if side == other.reverse() => {
                    add(Place::crossing(start, end, p, q));
                }
                _ => {}
            }
        }
        ends.filter(|(low, high)| low < high)
    }
}
