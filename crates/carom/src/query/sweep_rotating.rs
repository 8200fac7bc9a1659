//! When does a shape that moves and turns first meet another?
//!
//! While the shapes are apart, the way is covered in steps that cannot skip over a meeting: no
//! point of the moving shape goes further in a step than the distance to the other. In touch that
//! distance is none; the way is then covered in small steps, each tested for overlap, shorter than
//! the narrowest part is wide. The time of entry is narrowed down by halving.

use core::ops::ControlFlow;

use glam::{DVec2, Vec2};

use crate::error::ShapeError;
use crate::math::{Pose, cross, length, to_f32};
use crate::query::SweepHit;
use crate::shape::parts::QueryRegion;
use crate::shape::{Aabb, AsShape, Shape, ShapeRef, validate};

/// How many steps a whole motion takes in touch, at least, and at most.
const STEPS: f64 = 4096.0;
const MOST_STEPS: f64 = 65536.0;
/// How many shorter steps are taken where the shapes come close.
const PATIENCE: u32 = 4096;

/// A move with a turn: over its course a shape is translated evenly and turned evenly about a
/// pivot, which moves along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion {
    translation: Vec2,
    angle: f32,
    pivot: Vec2,
}

impl RigidMotion {
    /// A translation, with a turn by an angle in radians about a pivot.
    ///
    /// # Panics
    /// Where [`RigidMotion::try_new`] gives an error.
    pub fn new(translation: impl Into<Vec2>, angle: f32, pivot: impl Into<Vec2>) -> Self {
        Self::try_new(translation, angle, pivot).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A translation, with a turn by an angle in radians about a pivot, checked.
    ///
    /// # Errors
    /// A number that is not finite.
    pub fn try_new(
        translation: impl Into<Vec2>,
        angle: f32,
        pivot: impl Into<Vec2>,
    ) -> Result<Self, ShapeError> {
        Ok(Self {
            translation: validate::vector(translation.into(), "translation.x", "translation.y")?,
            angle: validate::finite(angle, "angle")?,
            pivot: validate::vector(pivot.into(), "pivot.x", "pivot.y")?,
        })
    }

    /// The pose at a time from 0 to 1; `shape.transformed(&motion.at(time))` is where the shape is then.
    pub fn at(&self, time: f32) -> Pose {
        let turned = Pose::rotation_about(self.pivot, self.angle * time);
        Pose { position: turned.position + self.translation * time, ..turned }
    }
}

pub(crate) fn sweep_rotating(
    a: ShapeRef<'_>,
    motion: &RigidMotion,
    b: ShapeRef<'_>,
) -> Option<SweepHit> {
    let shape = a.to_shape();
    let placed = |time: f32| -> Shape { shape.transformed(&motion.at(time)) };
    if placed(0.0).overlaps(&b) {
        return hit(&placed(0.0), 0.0, b, true);
    }
    let mut reach = 0.0f64;
    a.for_each_part(&mut |part| {
        for point in part.convex.points {
            let arm = length(point.as_dvec2() - motion.pivot.as_dvec2());
            reach = reach.max(arm + f64::from(part.convex.radius));
        }
    });
    let path = length(motion.translation.as_dvec2()) + f64::from(motion.angle.abs()) * reach;
    if path == 0.0 {
        return None;
    }
    // All that a part of the moving shape can come to is within reach of the pivot's way.
    let way = [motion.pivot, motion.pivot + motion.translation];
    let way = QueryRegion::of_hull(&way, Aabb::of_vertices(&way)).inflated(reach);
    let narrowest = narrowest_part(a, &way).min(narrowest_part(b, &way));
    let in_touch = (narrowest / (2.0 * path)).clamp(1.0 / MOST_STEPS, 1.0 / STEPS);
    let (mut clear, mut patience) = (0.0f32, PATIENCE);
    while clear < 1.0 {
        let mut step = f64::from(placed(clear).distance(&b)) / path * 0.999;
        if step < in_touch {
            let near = step < 1e-3 * in_touch;
            step = if near || patience == 0 { in_touch } else { step };
            patience = patience.saturating_sub(1);
        }
        let next = to_f32(f64::from(clear) + step).clamp(clear.next_up(), 1.0);
        if placed(next).overlaps(&b) {
            let (free, inside) = narrow(clear, next, |time| placed(time).overlaps(&b));
            return hit(&placed(inside), free, b, false);
        }
        clear = next;
    }
    None
}

/// How wide the narrowest part near something is, at least; lines and points have no width.
fn narrowest_part(shape: ShapeRef<'_>, near: &QueryRegion<'_>) -> f64 {
    let mut narrowest = f64::INFINITY;
    let _ = shape.visit_parts_in::<()>(near, &mut |part| {
        let (core, radius) = (&part.convex, f64::from(part.convex.radius));
        if !core.has_no_area() {
            // The area is at most the width times the largest distance.
            let first = core.points[0].as_dvec2();
            let fan = core.points.windows(2);
            let double_area: f64 =
                fan.map(|p| cross(p[0].as_dvec2() - first, p[1].as_dvec2() - first)).sum();
            let reach = core
                .points
                .iter()
                .fold(0.0f64, |reach, point| reach.max(length(point.as_dvec2() - first)));
            let width = if reach > 0.0 { double_area / (4.0 * reach) } else { 0.0 };
            narrowest = narrowest.min(width + 2.0 * radius);
        }
        ControlFlow::Continue(())
    });
    narrowest
}

/// Halves the span between a free and an overlapping time until they are neighbours.
fn narrow(mut free: f32, mut inside: f32, overlaps: impl Fn(f32) -> bool) -> (f32, f32) {
    loop {
        let middle = free + (inside - free) / 2.0;
        if middle <= free || middle >= inside {
            return (free, inside);
        }
        if overlaps(middle) { inside = middle } else { free = middle }
    }
}

/// The hit of a shape that is, or is about to be, just inside the other.
fn hit(inside: &Shape, time: f32, b: ShapeRef<'_>, from_start: bool) -> Option<SweepHit> {
    let contact = inside.as_shape().contact(&b)?;
    let middle = contact.points.iter().fold(DVec2::ZERO, |sum, p| sum + p.as_dvec2())
        / contact.points.len() as f64;
    Some(SweepHit {
        time,
        normal: contact.normal,
        point: crate::math::to_vec2(middle),
        depth: if from_start { contact.depth } else { 0.0 },
    })
}
