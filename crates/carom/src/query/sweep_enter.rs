//! Where the ray of a sweep enters the obstacle of two convex shapes, in `f64`.

use core::cmp::Ordering;
use core::ops::ControlFlow;

use glam::{DVec2, Vec2};

use crate::math::exact::{Orientation, cross_sign, det, orient2d};
use crate::math::{cross, length, perp_cw, sqrt, to_vec2, try_normalize};
use crate::query::minkowski::difference;
use crate::query::parts::with_moved;
use crate::query::relation::Relation;
use crate::query::sat::{Axis, each_gap};
use crate::query::separation::separation;
use crate::query::sweep::SweepHit;
use crate::query::sweep_quick::EDGES;
use crate::shape::convex::Convex;

/// A hit of two convex shapes, before rounding.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub time: f64,
    pub normal: DVec2,
    pub point: DVec2,
    /// The edge over which a sharp polygon enters another.
    pub edge: Option<Threshold>,
}

/// Angles below this count as none: over a whole motion they lead less far than `f32` can tell.
pub(super) const SLIDING: f64 = 1e-12;

/// An edge of a sharp polygon over which another enters.
#[derive(Clone, Copy)]
pub(super) struct Threshold {
    pub of_b: bool,
    pub edge: usize,
}

impl Threshold {
    /// Whether the edge's line still parts the two when `a` has been moved and rounded: a proof
    /// that they do not overlap which takes less than the verdict.
    pub fn parts(self, a: &Convex<'_>, by: Vec2, b: &Convex<'_>) -> bool {
        let moved = |point: Vec2| to_vec2(point.as_dvec2() + by.as_dvec2());
        let outside =
            |start, end, point| orient2d(start, end, point) != Orientation::CounterClockwise;
        if self.of_b {
            let (start, end) = b.edge(self.edge);
            a.points.iter().all(|&point| outside(start, end, moved(point)))
        } else {
            let (start, end) = a.edge(self.edge);
            let (start, end) = (moved(start), moved(end));
            // Rounding may have turned a sliver inside out.
            let inside =
                |&point: &Vec2| orient2d(start, end, moved(point)) != Orientation::Clockwise;
            start != end
                && a.points.iter().all(inside)
                && b.points.iter().all(|&point| outside(start, end, point))
        }
    }
}

impl Threshold {
    /// Where a corner of the other meets the edge when `a` has gone its way. A corner beyond the edge is
    /// the end of a side that lies along it: then they meet from the end of the edge on.
    fn point(self, a: &Convex<'_>, way: DVec2, b: &Convex<'_>, corner: Vec2) -> DVec2 {
        let there =
            |point: Vec2, of_a: bool| point.as_dvec2() + if of_a { way } else { DVec2::ZERO };
        let (start, end) = (if self.of_b { b } else { a }).edge(self.edge);
        let [start, end] = [start, end].map(|point| there(point, !self.of_b));
        let corner = there(corner, self.of_b);
        let (side, along) = (end - start, (end - start).dot(corner - start));
        if along < 0.0 {
            start
        } else if along > side.dot(side) {
            end
        } else {
            corner
        }
    }
}

impl Entry {
    pub fn hit(&self, time: f32) -> SweepHit {
        SweepHit { time, normal: to_vec2(self.normal), point: to_vec2(self.point), depth: 0.0 }
    }
}

/// Where the ray enters the obstacle of two convex shapes that do not overlap.
pub(super) fn enter(
    a: &Convex<'_>,
    motion: DVec2,
    b: &Convex<'_>,
    relation: Relation,
) -> Option<Entry> {
    if motion == DVec2::ZERO {
        None
    } else if a.radius > 0.0 || b.radius > 0.0 {
        enter_rounded(a, motion, b, relation)
    } else if is_obstacle_flat(a, b) {
        enter_flat(a, motion, b, relation)
    } else {
        enter_polygon(a, motion, b)
    }
}

/// Whether two shapes can only touch: points, and lines along each other.
pub(super) fn is_obstacle_flat(a: &Convex<'_>, b: &Convex<'_>) -> bool {
    if !(a.has_no_area() && b.has_no_area()) {
        return false;
    }
    let (Some(&a_end), Some(&b_end)) = (a.points.get(1), b.points.get(1)) else { return true };
    cross_sign(a.points[0], a_end, b.points[0], b_end) == Ordering::Equal
}

/// Sharp polygons: the ray is inside while it is beyond no edge. It enters over the edge that it
/// passes last, if by then it has not left over another.
fn enter_polygon(a: &Convex<'_>, motion: DVec2, b: &Convex<'_>) -> Option<Entry> {
    let speed = length(motion);
    let between = (b.points[0].as_dvec2() - a.points[0].as_dvec2()).abs();
    let reach = between.x + between.y + a.extent + b.extent;
    // The last entry and the first exit, each with what rounding may have made of it.
    let (mut enter, mut enter_at_most) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    let mut exit_at_least = f64::INFINITY;
    let mut last: Option<Axis> = None;
    for (owner, other, of_a) in [(b, a, false), (a, b, true)] {
        let past = if of_a { -motion } else { motion };
        let walk = each_gap(owner, other, |axis, _| {
            let (gap, rate) = (axis.gap, axis.normal.dot(past));
            // Along an axis, as between tiles, both are differences of coordinates.
            let is_level = axis.normal.x == 0.0 || axis.normal.y == 0.0;
            let is_close = gap.abs() <= CLOSE * reach || rate.abs() <= CLOSE * speed;
            let (gap, rate) = if is_close && !is_level {
                gap_and_rate(owner.edge(axis.edge), past, other)
            } else {
                (gap, rate)
            };
            let size = if is_close || is_level { gap.abs() } else { reach };
            // Beyond an edge and not coming over it: never inside.
            if gap >= 0.0 && rate >= 0.0 {
                let hides = gap == 0.0 && rate == 0.0 && reaches_over(owner.edge(axis.edge), other);
                return if hides { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
            }
            let (time, slack) = (gap / -rate, 4e-15 * size / rate.abs());
            if rate > 0.0 {
                exit_at_least = exit_at_least.min(time - slack);
            } else if rate < 0.0 {
                enter_at_most = enter_at_most.max(time + slack);
                if time > enter {
                    (enter, last) = (time, Some(Axis { of_a, ..axis }));
                }
            }
            ControlFlow::Continue(())
        });
        if walk.is_break() {
            return None;
        }
    }
    let grazes = exit_at_least <= enter_at_most;
    if grazes || enter > 1.0 || exit_at_least <= 0.0 {
        return None;
    }
    let (axis, time) = (last?, enter.max(0.0));
    let over = Threshold { of_b: !axis.of_a, edge: axis.edge };
    let corner = (if axis.of_a { b } else { a }).points[axis.support];
    let normal = if axis.of_a { -axis.normal } else { axis.normal };
    let point = over.point(a, motion * time, b, corner);
    Some(Entry { time, normal, point, edge: Some(over) })
}

/// Whether a corner lies on the inner side of an edge, exactly: along it, less than a float can tell
/// decides.
#[cold]
fn reaches_over((start, end): (Vec2, Vec2), other: &Convex<'_>) -> bool {
    other.points.iter().any(|&point| orient2d(start, end, point) == Orientation::CounterClockwise)
}

/// A gap or rate that is less than this of what it could be is looked at closely.
const CLOSE: f64 = 1e-9;

/// An edge's gap, measured from the nearer end for each corner, and how fast it opens: with signs
/// that are right whenever the differences of coordinates are, to the last bits of small numbers
/// too.
#[cold]
fn gap_and_rate((start, end): (Vec2, Vec2), past: DVec2, other: &Convex<'_>) -> (f64, f64) {
    let [start, end] = [start, end].map(|p| p.as_dvec2());
    let side = end - start;
    let along_normal = |v: DVec2| det(v.x, side.y, v.y, side.x) / length(side);
    let gaps = other.points.iter().map(|point| {
        let [from_start, from_end] = [start, end].map(|p| point.as_dvec2() - p);
        let is_start_nearer = from_start.length_squared() <= from_end.length_squared();
        along_normal(if is_start_nearer { from_start } else { from_end })
    });
    (gaps.fold(f64::INFINITY, f64::min), along_normal(past))
}

/// Rounded shapes: the ray enters over a straight side of the rounded ring or over the disc at one
/// of its corners, whichever comes first.
fn enter_rounded(
    a: &Convex<'_>,
    motion: DVec2,
    b: &Convex<'_>,
    relation: Relation,
) -> Option<Entry> {
    let speed = length(motion);
    if relation == Relation::Touching {
        let separation = separation(a, b, 0.0)?;
        let closing = -separation.normal.dot(motion);
        return (closing > SLIDING * speed).then(|| Entry {
            time: 0.0,
            normal: separation.normal,
            point: separation.point_b + separation.normal * f64::from(b.radius),
            edge: None,
        });
    }
    let ring = difference(b, a);
    let radius = f64::from(a.radius) + f64::from(b.radius);
    let direction = motion / speed;
    // The whole ring to one side of the way.
    let aside = |corner: &DVec2| cross(direction, *corner);
    let low = ring.iter().map(aside).fold(f64::INFINITY, f64::min);
    let high = ring.iter().map(aside).fold(f64::NEG_INFINITY, f64::max);
    if low >= radius || high <= -radius {
        return None;
    }
    let n = ring.len();
    let mut first: Option<(f64, DVec2)> = None;
    let mut consider = |way: f64, slack: f64, normal: DVec2| {
        // They are apart: a time just before the start is the start.
        let time = if way >= -slack { way.max(0.0) / speed } else { -1.0 };
        if (0.0..=1.0).contains(&time) && first.is_none_or(|(best, _)| time < best) {
            first = Some((time, normal));
        }
    };
    for i in 0..n {
        let corner = ring[i];
        // The disc: |direction · way - corner| = radius, half a chord before it passes the corner.
        let (along, aside) = (direction.dot(corner), aside(&corner));
        let square = (radius - aside.abs()) * (radius + aside.abs());
        if square > SLIDING * radius * radius && along > 0.0 {
            let half = sqrt(square).min(along);
            consider(along - half, 0.0, perp_cw(direction) * aside - direction * half);
        }
        let side = ring[if i + 1 == n { 0 } else { i + 1 }] - corner;
        let out = perp_cw(side);
        let closing = -out.dot(direction);
        if n > 1 && closing > 0.0 {
            let square = side.dot(side);
            let long = sqrt(square);
            let way = (-out.dot(corner) - radius * long) / closing;
            let foot = side.dot(direction * way - corner);
            let slack = SLIDING * (length(corner) + radius + long) * (long / closing);
            // Where it enters just before the side ends, and all but along it, it only grazes.
            let ahead = if side.dot(direction) > 0.0 { square - foot } else { foot };
            let grazes = closing < 1e-6 * long && ahead <= slack * long;
            if closing > SLIDING * long && (0.0..=square).contains(&foot) && !grazes {
                consider(way, slack, out);
            }
        }
    }
    let (time, normal) = first?;
    let normal = try_normalize(normal)?;
    let point = if let [center] = *a.points {
        center.as_dvec2() + motion * time - normal * f64::from(a.radius)
    } else {
        with_moved(a, to_vec2(motion * time), |a| separation(&a, b, f64::INFINITY))
            .map_or(b.points[0].as_dvec2(), |r| r.point_b + r.normal * f64::from(b.radius))
    };
    Some(Entry { time, normal, point, edge: None })
}

/// The edge of a core that has this normal.
pub(super) fn edge_facing(core: &Convex<'_>, normal: DVec2) -> Option<usize> {
    (0..core.edge_count()).find(|&edge| {
        let (start, end) = core.edge(edge);
        let out = perp_cw(end.as_dvec2() - start.as_dvec2());
        normal.dot(out) > (1.0 - 1e-12) * length(out)
    })
}

/// Lines and points whose obstacle is a point or a segment: the ray hits it where it crosses it,
/// or runs into its end. From a touch every way leads off it.
fn enter_flat(a: &Convex<'_>, motion: DVec2, b: &Convex<'_>, relation: Relation) -> Option<Entry> {
    if relation == Relation::Touching {
        return None;
    }
    let ring = difference(b, a);
    let speed = length(motion);
    let (start, end) = (ring[0], ring[ring.len() - 1]);
    let aside = |p: DVec2| {
        let aside = cross(motion, p);
        if aside.abs() <= SLIDING * speed * length(p) { 0.0 } else { aside }
    };
    let (at_start, at_end) = (aside(start), aside(end));
    if at_start * at_end > 0.0 {
        return None;
    }
    let (time, normal) = if at_start == at_end {
        // Head on: the nearer end.
        let along = |p: DVec2| motion.dot(p) / (speed * speed);
        (along(start).min(along(end)), -motion / speed)
    } else {
        let hit = start + (end - start) * (at_start / (at_start - at_end));
        let normal = try_normalize(perp_cw(end - start))?;
        let against = if normal.dot(motion) > 0.0 { -normal } else { normal };
        (motion.dot(hit) / (speed * speed), against)
    };
    if !(0.0..=1.0).contains(&time) {
        return None;
    }
    let point = with_moved(a, to_vec2(motion * time), |a| separation(&a, b, f64::INFINITY))
        .map_or(b.points[0].as_dvec2(), |separation| separation.point_b);
    Some(Entry { time, normal, point, edge: None })
}

/// The entry of two sharp polygons that surely enter each other over one of some edges: the one
/// whose gap runs out last.
pub(super) fn enter_over(a: &Convex<'_>, motion: DVec2, b: &Convex<'_>, mut edges: u32) -> Entry {
    let mut last: Option<(f64, DVec2, Threshold, Vec2)> = None;
    while edges != 0 {
        let bit = edges.trailing_zeros() as usize;
        let (owner, other, of_b) = if bit < EDGES { (a, b, false) } else { (b, a, true) };
        let edge = bit % EDGES;
        let (_, normal) = owner.edge_normal(edge);
        let start = owner.points[edge].as_dvec2();
        let nearest = (f64::INFINITY, other.points[0]);
        let (gap, corner) = other.points.iter().fold(nearest, |best, &point| {
            let along = normal.dot(point.as_dvec2() - start);
            if along < best.0 { (along, point) } else { best }
        });
        let rate = normal.dot(motion).abs();
        let time = (gap / rate).max(0.0);
        if last.is_none_or(|(last, ..)| time > last) {
            last = Some((time, normal, Threshold { of_b, edge }, corner));
        }
        edges &= edges - 1;
    }
    let Some((time, normal, over, corner)) = last else {
        return Entry { time: 0.0, normal: DVec2::X, point: a.points[0].as_dvec2(), edge: None };
    };
    let normal = if over.of_b { normal } else { -normal };
    let point = over.point(a, motion * time, b, corner);
    Entry { time, normal, point, edge: Some(over) }
}
