//! Sweeps of composite shapes: the first impact over all pairs of parts.
//!
//! 1. If the shapes overlap at the start, the contact is the hit.
//! 2. Find the earliest impact of a pair of parts ([`first_impact`]). Its normal is that of the
//!    surface that all parts touched there form together: internal edges, and vertices between flush
//!    parts, have no separate normal. This prevents ghost collisions.
//! 3. Segments and points may enter a union along an internal edge, or cross a polyline at a joint,
//!    without entering any single part ([`enter_internal_edge`]).
//! 4. Step back from the impact until the moved shape is clear.

use core::cmp::Ordering;
use core::ops::ControlFlow;

use glam::{DVec2, Vec2};
use smallvec::SmallVec;

use super::SweepHit;
use super::surface::impact_on_surface;
use super::toi::{Impact, PARALLEL_TOLERANCE, can_only_touch, latest_clear_time, time_of_impact};
use crate::math::exact::cross_sign;
use crate::math::{cross, length, try_normalize};
use crate::query::composite::{
    ConvexParts, Translated, any_part_in, moves_by_parts, visit_part_pairs_swept, with_translated,
};
use crate::query::contact::rounding_margin;
use crate::query::dispatch;
use crate::query::overlap::{arms, composites_overlap};
use crate::query::relation::Relation;
use crate::query::separation::convex_relation;
use crate::shape::convex::Convex;
use crate::shape::parts::{Part, QueryRegion};
use crate::shape::{Aabb, AsShape, ShapeRef};

/// Returns the first hit of `a`, moved along a vector, on `b`.
pub(super) fn sweep(a: ShapeRef<'_>, motion: Vec2, b: ShapeRef<'_>) -> Option<SweepHit> {
    let path = motion.as_dvec2();
    let facing_a = FrontFacing { shape: a, approach: -path };
    let facing_b = FrontFacing { shape: b, approach: path };
    if composites_overlap(&facing_a, &facing_b) {
        return Some(SweepHit::at_start(&dispatch::contact(a, b)?));
    }
    let tolerance = time_tolerance(&facing_a, path, &facing_b);
    let impact = first_impact(&facing_a, path, &facing_b, tolerance);
    let before = impact.map_or(f64::INFINITY, |impact| impact.time);
    let internal = enter_internal_edge(&facing_a, motion, &facing_b, before.min(1.0))
        .filter(|internal| internal.time < before - tolerance);
    let impact = internal.or(impact)?;
    let time = latest_clear_time(&facing_a.bounds().corners(), &impact, motion, |by| {
        // The moved parts are tested, and then the moved shape, if that may differ.
        !composites_overlap(&Translated { shape: &facing_a, by }, &facing_b)
            && !segments_come_to_touch(&facing_a, by, &facing_b)
            && (moves_by_parts(a)
                || !composites_overlap(
                    &FrontFacing { shape: a.to_shape().translated(by).as_shape(), approach: -path },
                    &facing_b,
                ))
    });
    Some(SweepHit::at_impact(&impact, time))
}

/// A view of a shape without the one-sided segments that something approaches from behind.
struct FrontFacing<'a> {
    shape: ShapeRef<'a>,
    /// The motion of the other shape relative to this one.
    approach: DVec2,
}

impl FrontFacing<'_> {
    fn is_approached_from_behind(&self, part: &Part<'_>) -> bool {
        part.one_way_direction
            .is_some_and(|direction| cross(direction.as_dvec2(), self.approach) >= 0.0)
    }
}

impl ConvexParts for FrontFacing<'_> {
    fn bounds(&self) -> Aabb {
        ConvexParts::bounds(&self.shape)
    }

    fn visit_parts_in(
        &self,
        region: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.shape.visit_parts_in(region, &mut |part| {
            if self.is_approached_from_behind(&part) {
                ControlFlow::Continue(())
            } else {
                visit(part)
            }
        })
    }

    fn cell_size(&self) -> Option<f64> {
        self.shape.cell_size()
    }

    fn may_have_zero_area_parts(&self) -> bool {
        self.shape.may_have_zero_area_parts()
    }

    fn may_have_area(&self) -> bool {
        self.shape.may_have_area()
    }
}

/// Returns `true` if segments of `a`, moved, touch segments of `b` that they can only touch and did
/// not touch before: the next motion would start on the other side.
fn segments_come_to_touch(a: &dyn ConvexParts, by: Vec2, b: &dyn ConvexParts) -> bool {
    let bounds = b.bounds();
    let corners = bounds.corners();
    let far = bounds.max().abs().max(bounds.min().abs()).max_element();
    let rounding = rounding_margin(f64::from(far));
    let region =
        QueryRegion::of_corners(&corners).swept(-by.as_dvec2(), DVec2::ZERO).inflated(rounding);
    any_part_in(a, &region, &mut |part_a| {
        part_a.has_no_area()
            && with_translated(part_a, by, |moved| {
                any_part_in(b, &QueryRegion::of_convex(&moved), &mut |part_b| {
                    can_only_touch(part_a, part_b)
                        && convex_relation(&moved, part_b).intersects()
                        && convex_relation(part_a, part_b) == Relation::Disjoint
                })
            })
    })
}

/// Returns the difference below which two times are simultaneous.
fn time_tolerance(a: &dyn ConvexParts, path: DVec2, b: &dyn ConvexParts) -> f64 {
    let size = relevant_size(a) + relevant_size(b);
    1e-9 * (size / length(path)).max(1e-300)
}

/// Returns the earliest impact, with the normal of the surface that is hit.
fn first_impact(
    a: &dyn ConvexParts,
    path: DVec2,
    b: &dyn ConvexParts,
    tolerance: f64,
) -> Option<Impact> {
    let mut impacts: SmallVec<[Impact; 4]> = SmallVec::new();
    visit_intervals(a, path, b, &mut |from, to| {
        let interval = (path * from, path * (to - from));
        let _ = visit_part_pairs_swept(a, interval, b, 0.0, &mut |part_a, part_b| {
            let relation = convex_relation(&part_a.convex, &part_b.convex);
            if let Some(impact) = time_of_impact(&part_a.convex, path, &part_b.convex, relation) {
                let first = impacts.first().map_or(f64::INFINITY, |first| first.time);
                if impact.time < first - tolerance {
                    impacts.clear();
                }
                if impact.time <= first + tolerance {
                    impacts.push(impact);
                }
            }
            ControlFlow::Continue(())
        });
        impacts.first().is_some_and(|first| first.time < to - tolerance)
    });
    impact_on_surface(a, path, b, &impacts, tolerance)
}

/// Returns the size of a shape as far as it matters to the accuracy of times; of a grid, only cells
/// next to each other matter.
fn relevant_size(shape: &dyn ConvexParts) -> f64 {
    let bounds = shape.bounds();
    let size = length(bounds.max().as_dvec2() - bounds.min().as_dvec2());
    shape.cell_size().map_or(size, |cell_size| size.min(4.0 * cell_size))
}

/// Calls `is_over` with intervals of time, each twice as long as the last, until it returns `true`:
/// along a long path through a grid, no more cells are visited than needed.
fn visit_intervals(
    a: &dyn ConvexParts,
    path: DVec2,
    b: &dyn ConvexParts,
    is_over: &mut dyn FnMut(f64, f64) -> bool,
) {
    let cell_size = a.cell_size().into_iter().chain(b.cell_size()).reduce(f64::min);
    let mut step = cell_size.map_or(1.0, |size| 8.0 * size / length(path)).max(1e-6);
    let mut from = 0.0;
    while from < 1.0 {
        let to = if from + step < 1.0 { from + step } else { 1.0 };
        if is_over(from, to) {
            break;
        }
        from = to;
        step *= 2.0;
    }
}

// Internal edges and joints.

/// Returns the first impact, before a time, along an internal edge or at a joint.
///
/// A point or segment that moves along an internal edge slides along both adjacent parts and is in
/// the interior of their union. A segment that moves along its own line slides past both arms of a
/// joint and crosses the polyline. Both happen only to points, and to segments that move along
/// their own line.
fn enter_internal_edge(
    a: &dyn ConvexParts,
    motion: Vec2,
    b: &dyn ConvexParts,
    before: f64,
) -> Option<Impact> {
    let normal = try_normalize(-motion.as_dvec2())?;
    let mut first: Option<Impact> = None;
    for (lines, others, path, is_moving) in [(a, b, motion, true), (b, a, -motion, false)] {
        if !lines.may_have_zero_area_parts() {
            continue;
        }
        let corners = others.bounds().corners();
        let region =
            QueryRegion::of_corners(&corners).swept(DVec2::ZERO, -path.as_dvec2() * before);
        let _ = lines.visit_parts_in(&region, &mut |line| {
            if let Some(track) = Track::new(&line.convex, path, before) {
                let times = [track.enters_internal_edge(others), track.enters_joint(others)];
                for time in times.into_iter().flatten() {
                    if first.is_none_or(|first| time < first.time) {
                        let moved = if is_moving { motion.as_dvec2() * time } else { DVec2::ZERO };
                        let point = track.at(track.front) + moved;
                        first = Some(Impact { time, normal, point, edge: None });
                    }
                }
            }
            ControlFlow::Continue(())
        });
    }
    first
}

/// A point or segment that moves along its own line, in the frame of the other shape. Positions on
/// the line are distances from its first point along the motion.
struct Track<'a> {
    convex: &'a Convex<'a>,
    path: Vec2,
    direction: DVec2,
    speed: f64,
    back: f64,
    front: f64,
    swept: QueryRegion<'a>,
}

impl<'a> Track<'a> {
    /// Returns `None` if the part has an area or does not move along its own line: at the slightest
    /// angle it sweeps an area and enters the parts themselves.
    fn new(convex: &'a Convex<'a>, path: Vec2, before: f64) -> Option<Self> {
        let direction = try_normalize(path.as_dvec2()).filter(|_| convex.has_no_area())?;
        let last = convex.points[convex.points.len() - 1];
        if cross_sign(Vec2::ZERO, path, convex.points[0], last) != Ordering::Equal {
            return None;
        }
        let end = direction.dot(last.as_dvec2() - convex.points[0].as_dvec2());
        Some(Self {
            convex,
            path,
            direction,
            speed: length(path.as_dvec2()),
            back: end.min(0.0),
            front: end.max(0.0),
            swept: QueryRegion::of_convex(convex).swept(DVec2::ZERO, path.as_dvec2() * before),
        })
    }

    fn at(&self, position: f64) -> DVec2 {
        self.convex.points[0].as_dvec2() + self.direction * position
    }

    /// Returns the position of a point; `None` if it is not on the line.
    fn position(&self, point: Vec2) -> Option<f64> {
        let is_on_line = self.is_parallel(self.convex.points[0], point);
        is_on_line.then(|| self.direction.dot(point.as_dvec2() - self.convex.points[0].as_dvec2()))
    }

    /// Returns `true` if the vector from one point to another is parallel to the line. Exact.
    fn is_parallel(&self, from: Vec2, to: Vec2) -> bool {
        cross_sign(Vec2::ZERO, self.path, from, to) == Ordering::Equal
    }

    /// Returns the position at which the straight side of a part begins that belongs to an edge;
    /// `None` if it does not lie on the line. That of a part with a radius lies the radius beyond
    /// the edge, which is not exact.
    fn side_position(&self, convex: &Convex<'_>, edge: usize) -> Option<f64> {
        let (start, end) = convex.edge(edge);
        if convex.radius == 0.0 {
            return self.position(start).filter(|_| self.is_parallel(start, end));
        }
        let (side, normal) = convex.edge_normal(edge);
        let at = start.as_dvec2() + normal * f64::from(convex.radius);
        let to_side = at - self.convex.points[0].as_dvec2();
        let is_parallel =
            |v: DVec2| cross(self.direction, v).abs() <= PARALLEL_TOLERANCE * length(v);
        (is_parallel(side) && is_parallel(to_side)).then(|| self.direction.dot(to_side))
    }

    /// Returns the time at which the front reaches a position, if it does so during the motion.
    fn time(&self, position: f64) -> Option<f64> {
        let ahead = position - self.front;
        let tolerance = PARALLEL_TOLERANCE * (position.abs() + self.front);
        (ahead >= -tolerance && ahead <= self.speed).then(|| (ahead / self.speed).max(0.0))
    }

    /// Returns the time at which it enters between two adjacent parts on both sides of the line.
    fn enters_internal_edge(&self, areas: &dyn ConvexParts) -> Option<f64> {
        let mut left: SmallVec<[(f64, f64); 4]> = SmallVec::new();
        let mut right: SmallVec<[(f64, f64); 4]> = SmallVec::new();
        let _ = areas.visit_parts_in(&self.swept, &mut |part| {
            if part.convex.has_no_area() {
                return ControlFlow::Continue(());
            }
            for (edge, (p, q)) in part.convex.edges().enumerate() {
                if let Some(start) = self.side_position(&part.convex, edge) {
                    let end = start + self.direction.dot(q.as_dvec2() - p.as_dvec2());
                    if start < end { left.push((start, end)) } else { right.push((end, start)) }
                }
            }
            ControlFlow::Continue(())
        });
        let shared = left.iter().flat_map(|l| right.iter().map(|r| (l.0.max(r.0), l.1.min(r.1))));
        let times = shared.filter_map(|(start, end)| {
            let tolerance = PARALLEL_TOLERANCE * (start.abs() + end.abs() + self.front - self.back);
            let start = start.max(self.front);
            if end - start <= tolerance { None } else { self.time(start) }
        });
        times.reduce(f64::min)
    }

    /// Returns the time at which it crosses a polyline at a joint, whose arms lie on both sides of
    /// the line.
    fn enters_joint(&self, lines: &dyn ConvexParts) -> Option<f64> {
        let [start, end] = *self.convex.points else { return None };
        let mut first: Option<f64> = None;
        let _ = lines.visit_parts_in(&self.swept, &mut |part| {
            for &joint in part.convex.points.iter().filter(|_| part.convex.has_no_area()) {
                let time = self.position(joint).and_then(|position| self.time(position));
                if let Some(time) = time.filter(|&time| first.is_none_or(|first| time < first)) {
                    let arms = arms(joint, lines);
                    let has_arm_on = |side: Ordering| {
                        arms.iter().any(|&arm| cross_sign(start, end, joint, arm) == side)
                    };
                    if has_arm_on(Ordering::Less) && has_arm_on(Ordering::Greater) {
                        first = Some(time);
                    }
                }
            }
            ControlFlow::Continue(())
        });
        first
    }
}
