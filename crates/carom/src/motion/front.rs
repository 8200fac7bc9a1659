//! The sides with which a body and what it meets face each other.

use core::ops::ControlFlow;

use crate::math::{DVec2, Vec2};
use crate::motion::course::Course;
use crate::motion::meet::Meet;
use crate::motion::obstacles::Kind;
use crate::shape::convex::{Convex, ConvexBuffer};
use crate::shape::parts::QueryRegion;
use crate::shape::{Aabb, AsShape, ShapeRef};

/// From where to where something reaches along an axis.
pub(super) type Span = (f64, f64);

impl Course<'_> {
    /// How long the line is along which the body and what it meets face each other. It is none for
    /// what is round or comes with a corner, and less than that for what comes beside the other.
    pub fn shared_front(&self, meet: &Meet, motion: Vec2) -> f64 {
        let (out, across) = (meet.normal, meet.normal.perp());
        let by = motion.as_dvec2() * meet.time;
        let own = self.pad.here.shapes[meet.own].as_shape();
        let (a, b) = match (own, meet.obstacle.kind) {
            (ShapeRef::Aabb(own), Kind::Box) => {
                (span_of_box(own, across), span_of_box(&meet.obstacle.bounds, across))
            }
            (_, kind) => {
                let other = match kind {
                    Kind::Box => meet.obstacle.bounds.as_shape(),
                    _ => self.storage.placed[meet.slot() as usize].as_shape(),
                };
                let (corners, slack) = (own.bounds().corners(), 16.0 * self.skin());
                let near = QueryRegion::of_corners(&corners);
                let a = Front::of(own, &near, -out, f64::INFINITY, slack);
                let near = near.swept(by, DVec2::ZERO).inflated(slack);
                let b = Front::of(other, &near, out, by.dot(out) - a.level + slack, slack);
                ((-a.across.1, -a.across.0), b.across)
            }
        };
        let by = by.dot(across);
        (a.1 + by).min(b.1) - (a.0 + by).max(b.0)
    }
}

/// The foremost side of a shape in a direction.
struct Front {
    /// How far it is in that direction.
    level: f64,
    /// From where to where it reaches along the axis to the left of it.
    across: Span,
}

impl Front {
    /// Of the parts near something that do not reach beyond a level. What is round or a corner is in
    /// one place only.
    fn of(
        shape: ShapeRef<'_>,
        near: &QueryRegion<'_>,
        facing: DVec2,
        most: f64,
        slack: f64,
    ) -> Self {
        let mut front = Self { level: f64::NEG_INFINITY, across: NOTHING };
        let _ = shape.visit_parts_in::<()>(near, &mut |part| {
            let (_, level) = span(&part.convex, facing);
            if level <= most && level > front.level + slack {
                front = Self { level, across: NOTHING };
            }
            if (level - front.level).abs() <= slack {
                let nearest = level - f64::from(part.convex.radius) - slack;
                let corners = part.convex.points.iter().map(|corner| corner.as_dvec2());
                let foremost = corners.filter(|corner| corner.dot(facing) >= nearest);
                front.across = span_of_points(foremost, facing.perp(), front.across);
            }
            ControlFlow::Continue(())
        });
        front
    }
}

/// From where to where a convex shape reaches along an axis; `None` if it is made of parts.
pub(super) fn span_of(shape: ShapeRef<'_>, axis: DVec2) -> Option<Span> {
    if let ShapeRef::Aabb(aabb) = shape {
        return Some(span_of_box(aabb, axis));
    }
    shape.as_convex(&mut ConvexBuffer::new()).map(|core| span(&core, axis))
}

fn span(core: &Convex<'_>, axis: DVec2) -> Span {
    let (low, high) = span_of_points(core.points.iter().map(|p| p.as_dvec2()), axis, NOTHING);
    (low - f64::from(core.radius), high + f64::from(core.radius))
}

const NOTHING: Span = (f64::INFINITY, f64::NEG_INFINITY);

/// From where to where points reach along an axis, together with what is known already.
fn span_of_points(points: impl Iterator<Item = DVec2>, axis: DVec2, known: Span) -> Span {
    let places = points.map(|point| point.dot(axis));
    places.fold(known, |(low, high), place| (low.min(place), high.max(place)))
}

pub(super) fn span_of_box(bounds: &Aabb, axis: DVec2) -> Span {
    let (low, high) = (bounds.min().as_dvec2(), bounds.max().as_dvec2());
    let middle = axis.dot(low + high) / 2.0;
    let half = axis.abs().dot(high - low) / 2.0;
    (middle - half, middle + half)
}
