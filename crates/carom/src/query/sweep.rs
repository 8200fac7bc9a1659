//! When does a moving shape first meet another?
//!
//! Moving `a` along a vector past `b` is a ray in the space of translations, from the origin to the
//! motion, past the obstacle `b` minus `a` (see [`minkowski`](super::minkowski)). There is a hit
//! where the ray enters the obstacle's inside: sliding along its border or leaving it is free.
//! Lines against lines and points have obstacles without an inside; crossing them is a hit.
//!
//! Times are computed in `f64`, rounded down to `f32`, and then proven on the moved and rounded
//! shape with the exact verdict, so that it never lands in an overlap.

use crate::query::Relation;

use glam::Vec2;

use crate::math::{length, round_down};
use crate::query::contact::{Contact, rounding_margin};
use crate::query::parts::with_moved;
use crate::query::separation::convex_relation;
use crate::query::sweep_enter::{Entry, enter, enter_over, is_obstacle_flat};
use crate::query::sweep_parts;
use crate::query::sweep_quick::{Quick, quick};
use crate::shape::ShapeRef;
use crate::shape::convex::{Convex, ConvexBuffer};

/// A moving shape meets another.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SweepHit {
    /// When, from 0 at the start of the motion to 1 at its end. The moving shape, translated by
    /// `motion * time`, does not overlap the other (unless it did from the start).
    pub time: f32,
    /// Unit vector out of the shape that is hit.
    pub normal: Vec2,
    /// Where they meet.
    pub point: Vec2,
    /// How deep they overlap where the motion starts; 0 unless it starts in overlap.
    pub depth: f32,
}

impl SweepHit {
    /// The hit of a motion that starts in overlap.
    pub(super) fn from_start(contact: &Contact) -> Self {
        let Contact { normal, depth, points, .. } = *contact;
        Self { time: 0.0, normal, point: points[0], depth }
    }
}

/// What a shape is proven on not to land in an overlap.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proof {
    /// The moved shape.
    Shape,
    /// Its moved parts, which takes no memory: for who will place the shape anew and look again.
    Parts,
}

#[inline(always)]
pub(crate) fn sweep(a: ShapeRef<'_>, motion: Vec2, b: ShapeRef<'_>) -> Option<SweepHit> {
    sweep_proven(a, motion, b, Proof::Shape)
}

#[inline(always)]
pub(crate) fn sweep_proven(
    a: ShapeRef<'_>,
    motion: Vec2,
    b: ShapeRef<'_>,
    proof: Proof,
) -> Option<SweepHit> {
    let (mut buffer_a, mut buffer_b) = (ConvexBuffer::new(), ConvexBuffer::new());
    let core_a = a.convex_or_empty(&mut buffer_a);
    let core_b = b.convex_or_empty(&mut buffer_b);
    if core_a.points.is_empty() || core_b.points.is_empty() {
        sweep_parts::sweep(a, motion, b, proof)
    } else {
        convex(&core_a, motion, &core_b)
    }
}

fn convex(a: &Convex<'_>, motion: Vec2, b: &Convex<'_>) -> Option<SweepHit> {
    let order = match quick(a, motion, b) {
        Quick::Miss => return None,
        Quick::Over(edges) => {
            let entry = enter_over(a, motion.as_dvec2(), b, edges);
            return Some(entry.hit(land_convex(a, &entry, motion, b, Relation::Overlapping)));
        }
        Quick::Apart => Relation::Disjoint,
        Quick::Unsure => convex_relation(a, b),
    };
    if order == Relation::Overlapping {
        let contact = crate::query::contact::convex(a, b)?;
        return Some(SweepHit::from_start(&contact));
    }
    let entry = enter(a, motion.as_dvec2(), b, order)?;
    // Where the obstacle has no inside, a touch must not do: the next move would start beyond.
    let stop = if is_obstacle_flat(a, b) { Relation::Touching } else { Relation::Overlapping };
    Some(entry.hit(land_convex(a, &entry, motion, b, stop)))
}

/// Lands where the verdict on the moved shape is beyond `stop`; or, which takes less to prove and
/// nearly always does, where the edge that is met still parts the two, no further off than rounding.
fn land_convex(a: &Convex<'_>, entry: &Entry, motion: Vec2, b: &Convex<'_>, stop: Relation) -> f32 {
    if let Some(edge) = entry.edge {
        let back = rounding_time(a.points, entry, motion);
        // Where it all but slides over the edge, that is far back: a way that long will do.
        let longest = rounding_distance(a.points, entry, motion) / length(motion.as_dvec2());
        for step in [0.0, back / 16.0, back / 8.0, back / 4.0] {
            let time = round_down(entry.time - longest.min(step));
            if time > 0.0 && edge.parts(a, motion * time, b) {
                return time;
            }
        }
    }
    land(a.points, entry, motion, |by| with_moved(a, by, |a| convex_relation(&a, b) > stop))
}

/// How long before an entry a shape is clear of it whatever rounding does to its corners.
fn rounding_time(points: &[Vec2], entry: &Entry, motion: Vec2) -> f64 {
    let closing = -entry.normal.dot(motion.as_dvec2());
    rounding_distance(points, entry, motion) / closing.max(f64::MIN_POSITIVE)
}

/// How far rounding may move a shape's corners at an entry.
fn rounding_distance(points: &[Vec2], entry: &Entry, motion: Vec2) -> f64 {
    let far = points.iter().fold(0.0f32, |far, p| far.max(p.x.abs()).max(p.y.abs()));
    rounding_margin(f64::from(far) + length(motion.as_dvec2()) * entry.time)
}

/// The latest `f32` time, not after the entry, at which the moved shape is clear. Rounding may have
/// left it inside at the entry, and again at some times before: back in ever longer steps to a
/// clear time, then forth again by halving.
pub(super) fn land(
    points: &[Vec2],
    entry: &Entry,
    motion: Vec2,
    is_clear: impl Fn(Vec2) -> bool,
) -> f32 {
    let time = round_down(entry.time);
    if time <= 0.0 || is_clear(motion * time) {
        return time.max(0.0);
    }
    let back = rounding_time(points, entry, motion);
    let finest = f64::from(f32::EPSILON) * entry.time;
    let mut step = (back / 16.0).clamp(finest, entry.time.max(finest));
    let (mut clear, mut inside) = (0.0, time);
    loop {
        let earlier = round_down(entry.time - step);
        if earlier <= 0.0 || is_clear(motion * earlier) {
            clear = earlier.max(clear);
            if step * length(motion.as_dvec2()) <= rounding_distance(points, entry, motion) {
                return clear; // no further off than rounding, also where it only grazes
            }
            break;
        }
        inside = earlier.min(inside);
        step *= 2.0;
    }
    loop {
        let middle = clear + (inside - clear) / 2.0;
        if middle <= clear || middle >= inside {
            return clear;
        }
        if is_clear(motion * middle) { clear = middle } else { inside = middle }
    }
}
