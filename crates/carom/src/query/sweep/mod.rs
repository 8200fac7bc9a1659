//! Sweeps: the first hit of a moving shape on another (time of impact, shape cast, continuous
//! collision detection).
//!
//! Moving `a` along a vector past `b` is a ray cast in the space of translations: from the origin
//! along the motion, against the Minkowski difference `b - a`
//! ([`cspace`](crate::query::mtv::cspace)). There is a hit where the ray enters the interior of
//! that obstacle; sliding along its boundary or leaving it is not a hit. The obstacle of two
//! parallel segments, or of a segment and a point, has no interior; crossing it is a hit.
//!
//! 1. A filter in `f32` rules out most misses and finds the impact edge of most hits
//!    ([`toi::filter`]).
//! 2. Compute the time of impact in `f64` ([`toi`]), for composite shapes over all pairs of parts
//!    ([`composite`]), with the normal of the surface that these form together ([`surface`]).
//! 3. Round the time down to `f32` and test the moved, rounded shape exactly; step back until it is
//!    clear ([`toi::latest_clear_time`]). So a shape never ends in an overlap.
//!
//! A shape that also rotates is swept by conservative advancement ([`rotating`]).

mod composite;
mod rotating;
mod surface;
mod toi;

pub use rotating::RigidMotion;
pub(super) use rotating::sweep_rotating;

use glam::Vec2;

use crate::math::to_vec2;
use crate::query::contact::{self, Contact};
use crate::query::relation::Relation;
use crate::query::separation::convex_relation;
use crate::shape::ShapeRef;
use crate::shape::convex::{Convex, ConvexBuffer};
use toi::{Impact, SweepFilter};

/// The hit of a moving shape on another.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SweepHit {
    /// The time of impact, from 0 at the start of the motion to 1 at its end. The moving shape,
    /// translated by `motion * time`, does not overlap the other, unless it did at the start.
    ///
    /// The translated shape has `f32` coordinates, whose rounding may make it overlap where the
    /// exact motion only comes close. The time is then earlier, by as much as it takes to keep that
    /// promise: at most a few units in the last place of the coordinates if the motion leads into
    /// the surface, more if it goes along a surface at a distance below that.
    #[doc(alias = "time of impact")]
    #[doc(alias = "toi")]
    pub time: f32,
    /// The unit normal out of the surface that is hit. Parts that lie flush, such as the tiles of a
    /// floor, are one surface. A corner that hits a corner exactly hits the surface along which the
    /// motion continues farther; at equal angles, the one along x. If both surfaces are mirror images
    /// of each other, the normal is opposite to the motion.
    pub normal: Vec2,
    /// The point of contact at the exact time of impact.
    pub point: Vec2,
    /// The penetration depth at the start of the motion; 0 unless the shapes overlap there.
    pub depth: f32,
}

impl SweepHit {
    /// Creates the hit of a motion that starts in an overlap.
    fn at_start(contact: &Contact) -> Self {
        let Contact { normal, depth, points, .. } = *contact;
        Self { time: 0.0, normal, point: points[0], depth }
    }

    /// Creates the hit of an impact whose time has been rounded.
    fn at_impact(impact: &Impact, time: f32) -> Self {
        Self { time, normal: to_vec2(impact.normal), point: to_vec2(impact.point), depth: 0.0 }
    }
}

/// Returns the first hit of `a`, moved along a vector, on `b`.
#[inline(always)]
pub(crate) fn sweep(a: ShapeRef<'_>, motion: Vec2, b: ShapeRef<'_>) -> Option<SweepHit> {
    let (mut buffer_a, mut buffer_b) = (ConvexBuffer::new(), ConvexBuffer::new());
    let convex_a = a.convex_or_empty(&mut buffer_a);
    let convex_b = b.convex_or_empty(&mut buffer_b);
    if convex_a.points.is_empty() || convex_b.points.is_empty() {
        composite::sweep(a, motion, b)
    } else {
        sweep_convex(&convex_a, motion, &convex_b)
    }
}

fn sweep_convex(a: &Convex<'_>, motion: Vec2, b: &Convex<'_>) -> Option<SweepHit> {
    let relation = match toi::filter(a, motion, b) {
        SweepFilter::Miss => return None,
        SweepFilter::Impact(edges) => {
            let impact = toi::impact_over_edges(a, motion.as_dvec2(), b, edges);
            let time = toi::convex_clear_time(a, &impact, motion, b, Relation::Overlapping);
            return Some(SweepHit::at_impact(&impact, time));
        }
        SweepFilter::Disjoint => Relation::Disjoint,
        SweepFilter::Uncertain => convex_relation(a, b),
    };
    if relation == Relation::Overlapping {
        return Some(SweepHit::at_start(&contact::convex(a, b)?));
    }
    let impact = toi::time_of_impact(a, motion.as_dvec2(), b, relation)?;
    // If the obstacle has no interior, the shape must stop before it touches: the next motion would
    // start on the other side.
    let stop = if toi::can_only_touch(a, b) { Relation::Touching } else { Relation::Overlapping };
    let time = toi::convex_clear_time(a, &impact, motion, b, stop);
    Some(SweepHit::at_impact(&impact, time))
}
