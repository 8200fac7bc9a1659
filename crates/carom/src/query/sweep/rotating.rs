//! Sweeps of shapes that move and rotate, by conservative advancement.
//!
//! 1. While the shapes are disjoint, advance in steps that cannot skip a hit: no point of the moving
//!    shape moves farther in a step than the distance to the other shape.
//! 2. In contact that distance is zero. Advance in small steps, less than half as long as the
//!    narrowest part is wide, and test each for overlap.
//! 3. Bisect between the last clear time and the first overlapping one.

use core::ops::ControlFlow;

use glam::{DVec2, Vec2};

use crate::error::ShapeError;
use crate::math::{IntoVec2, Pose, cross, length, to_f32, to_vec2};
use crate::query::SweepHit;
use crate::shape::parts::QueryRegion;
use crate::shape::{Aabb, AsShape, Shape, ShapeRef, validate};

/// The least and the largest number of steps that a whole motion in contact takes.
const MIN_CONTACT_STEPS: f64 = 4096.0;
const MAX_CONTACT_STEPS: f64 = 65536.0;
/// The number of shorter steps that are taken where the shapes come close.
const MAX_CLOSE_STEPS: u32 = 4096;

/// A rigid motion: over its course a shape is translated at a constant velocity and rotated at a
/// constant angular velocity about a pivot, which moves along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion {
    translation: Vec2,
    angle: f32,
    pivot: Vec2,
}

impl RigidMotion {
    /// Creates a motion from a translation and a rotation by an angle in radians about a pivot.
    ///
    /// # Panics
    /// Panics if [`RigidMotion::try_new`] returns an error.
    pub fn new(translation: impl IntoVec2, angle: f32, pivot: impl IntoVec2) -> Self {
        Self::try_new(translation, angle, pivot).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a motion from a translation and a rotation by an angle in radians about a pivot.
    ///
    /// # Errors
    /// Returns an error if a number is not finite.
    pub fn try_new(
        translation: impl IntoVec2,
        angle: f32,
        pivot: impl IntoVec2,
    ) -> Result<Self, ShapeError> {
        Ok(Self {
            translation: validate::vector(
                translation.into_vec2(),
                "translation.x",
                "translation.y",
            )?,
            angle: validate::finite(angle, "angle")?,
            pivot: validate::vector(pivot.into_vec2(), "pivot.x", "pivot.y")?,
        })
    }

    /// Returns the pose at a time from 0 to 1; the shape is then at
    /// `shape.transformed(&motion.at(time))`.
    pub fn at(&self, time: f32) -> Pose {
        let rotated = Pose::rotation_about(self.pivot, self.angle * time);
        let position = crate::math::clamp_finite(rotated.position + self.translation * time);
        Pose { position, ..rotated }
    }
}

/// Returns the first hit of `a`, moved and rotated, on `b`.
pub(in crate::query) fn sweep_rotating(
    a: ShapeRef<'_>,
    motion: &RigidMotion,
    b: ShapeRef<'_>,
) -> Option<SweepHit> {
    let shape = a.to_shape();
    let placed = |time: f32| -> Shape {
        #[cfg(test)]
        crate::operation_count::add(1);
        shape.transformed(&motion.at(time))
    };
    let mut moved = placed(0.0);
    if moved.overlaps(&b) {
        return hit(&moved, 0.0, b, HitAt::Start);
    }
    // The farthest point from the pivot, and how far a point can move at most.
    let mut radius = 0.0f64;
    a.for_each_part(&mut |part| {
        for point in part.convex.points {
            let distance = length(point.as_dvec2() - motion.pivot.as_dvec2());
            radius = radius.max(distance + f64::from(part.convex.radius));
        }
    });
    let path_length =
        length(motion.translation.as_dvec2()) + f64::from(motion.angle.abs()) * radius;
    if path_length == 0.0 {
        return None;
    }
    // The moving shape stays within that radius of the path of the pivot.
    let path = [motion.pivot, motion.pivot + motion.translation];
    let path = QueryRegion::of_hull(&path, Aabb::of_vertices(&path)).inflated(radius);
    let narrowest = narrowest_part(a, &path).min(narrowest_part(b, &path));
    let contact_step = contact_step(path_length, narrowest, radius + size(b));
    let (mut clear, mut close_steps) = (0.0f32, MAX_CLOSE_STEPS);
    while clear < 1.0 {
        // Step 1.
        let mut step = f64::from(moved.distance(&b)) / path_length * 0.999;
        if step < contact_step {
            // Step 2.
            let is_in_contact = step < 1e-3 * contact_step;
            step = if is_in_contact || close_steps == 0 { contact_step } else { step };
            close_steps = close_steps.saturating_sub(1);
        }
        let next = to_f32(f64::from(clear) + step).clamp(clear.next_up(), 1.0);
        moved = placed(next);
        if moved.overlaps(&b) {
            // Step 3.
            let (clear, inside) = bisect(clear, next, |time| placed(time).overlaps(&b));
            return hit(&placed(inside), clear, b, HitAt::Impact);
        }
        clear = next;
    }
    None
}

/// Returns the time of a step in contact. Steps shorter than half the narrowest part skip nothing. If even
/// the shortest steps would skip parts, a path a thousand times as long as the shapes, such as 500 turns,
/// gets the longest steps: shorter ones would find hardly more hits, and take 16 times as long.
fn contact_step(path_length: f64, narrowest: f64, size: f64) -> f64 {
    const LONG_PATH: f64 = 1024.0;
    let step = narrowest / (2.0 * path_length);
    if step < 1.0 / MAX_CONTACT_STEPS && path_length > LONG_PATH * size {
        return 1.0 / MIN_CONTACT_STEPS;
    }
    step.clamp(1.0 / MAX_CONTACT_STEPS, 1.0 / MIN_CONTACT_STEPS)
}

/// Returns the diagonal of the bounding box.
fn size(shape: ShapeRef<'_>) -> f64 {
    let bounds = shape.bounds();
    length(bounds.max().as_dvec2() - bounds.min().as_dvec2())
}

/// Returns a lower bound of the width of the narrowest part in a region; segments and points do not
/// count.
fn narrowest_part(shape: ShapeRef<'_>, region: &QueryRegion<'_>) -> f64 {
    let mut narrowest = f64::INFINITY;
    let _ = shape.visit_parts_in::<()>(region, &mut |part| {
        let (convex, radius) = (&part.convex, f64::from(part.convex.radius));
        if !convex.has_no_area() {
            // The area is at most the width times the largest distance of two vertices.
            let first = convex.points[0].as_dvec2();
            let fan = convex.points.windows(2);
            let double_area: f64 =
                fan.map(|p| cross(p[0].as_dvec2() - first, p[1].as_dvec2() - first)).sum();
            let farthest = convex
                .points
                .iter()
                .fold(0.0f64, |far, point| far.max(length(point.as_dvec2() - first)));
            let width = if farthest > 0.0 { double_area / (4.0 * farthest) } else { 0.0 };
            narrowest = narrowest.min(width + 2.0 * radius);
        }
        ControlFlow::Continue(())
    });
    narrowest
}

/// Bisects between a clear and an overlapping time until they are adjacent floats.
fn bisect(mut clear: f32, mut inside: f32, overlaps: impl Fn(f32) -> bool) -> (f32, f32) {
    loop {
        let middle = clear + (inside - clear) / 2.0;
        if middle <= clear || middle >= inside {
            return (clear, inside);
        }
        if overlaps(middle) { inside = middle } else { clear = middle }
    }
}

/// The kind of a hit: an overlap at the start of the motion or an impact during it.
#[derive(PartialEq, Eq)]
enum HitAt {
    Start,
    Impact,
}

/// Returns the hit of a shape that is just inside the other.
fn hit(inside: &Shape, time: f32, b: ShapeRef<'_>, at: HitAt) -> Option<SweepHit> {
    let contact = inside.as_shape().contact(&b)?;
    let middle = contact.points.iter().fold(DVec2::ZERO, |sum, p| sum + p.as_dvec2())
        / contact.points.len() as f64;
    Some(SweepHit {
        time,
        normal: contact.normal,
        point: to_vec2(middle),
        depth: if at == HitAt::Start { contact.depth } else { 0.0 },
    })
}
