//! When does a shape that moves and turns first meet another?
//!
//! While the shapes are apart, the way is covered in steps that cannot skip over a meeting: no
//! point of the moving shape goes further in a step than the distance to the other. In touch that
//! distance is none; the way is then covered in a fixed number of small steps, each tested for
//! overlap. The time of entry is narrowed down by halving.

use glam::{DVec2, Vec2};

use crate::error::ShapeError;
use crate::math::{Pose, length};
use crate::query::{Hit, Query};
use crate::shape::{AsShape, Place, Shape, ShapeRef, check};

/// How many steps a whole motion takes in touch.
const STEPS: f64 = 4096.0;

/// A move with a turn: over its course a shape is translated evenly and turned evenly about a
/// pivot, which moves along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    translation: Vec2,
    angle: f32,
    pivot: Vec2,
}

impl Motion {
    /// A translation, with a turn by an angle in radians about a pivot.
    ///
    /// # Panics
    /// Where [`Motion::try_new`] gives an error.
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
            translation: check::vector(translation.into(), "translation.x", "translation.y")?,
            angle: check::finite(angle, "angle")?,
            pivot: check::vector(pivot.into(), "pivot.x", "pivot.y")?,
        })
    }

    /// The pose at a time from 0 to 1; `shape.placed(&motion.at(time))` is where the shape is then.
    pub fn at(&self, time: f32) -> Pose {
        let turned = Pose::turn_about(self.pivot, self.angle * time);
        Pose { position: turned.position + self.translation * time, ..turned }
    }
}

pub(crate) fn sweep_turning(a: ShapeRef<'_>, motion: &Motion, b: ShapeRef<'_>) -> Option<Hit> {
    let shape = a.to_shape();
    let placed = |time: f32| -> Shape { shape.placed(&motion.at(time)) };
    if placed(0.0).overlaps(&b) {
        return hit(&placed(0.0), 0.0, b, true);
    }
    let mut reach = 0.0f64;
    a.each_part(&mut |part| {
        for point in part.core.points {
            let arm = length(point.as_dvec2() - motion.pivot.as_dvec2());
            reach = reach.max(arm + f64::from(part.core.radius));
        }
    });
    let path = length(motion.translation.as_dvec2()) + f64::from(motion.angle.abs()) * reach;
    if path == 0.0 {
        return None;
    }
    let mut clear = 0.0f32;
    while clear < 1.0 {
        let distance = f64::from(placed(clear).distance(&b));
        let step = (distance / path * 0.999).max(1.0 / STEPS);
        let next = crate::math::round1(f64::from(clear) + step).min(1.0);
        if placed(next).overlaps(&b) {
            let (free, inside) = narrow(clear, next, |time| placed(time).overlaps(&b));
            return hit(&placed(inside), free, b, false);
        }
        clear = next;
    }
    None
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
fn hit(inside: &Shape, time: f32, b: ShapeRef<'_>, from_start: bool) -> Option<Hit> {
    let contact = inside.as_shape().contact(&b)?;
    let middle = contact.points.iter().fold(DVec2::ZERO, |sum, p| sum + p.as_dvec2())
        / contact.points.len() as f64;
    Some(Hit {
        time,
        normal: contact.normal,
        point: crate::math::round(middle),
        depth: if from_start { contact.depth } else { 0.0 },
    })
}
