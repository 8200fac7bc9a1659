//! Whole worlds: bodies are moved one by one, then one call finds all contacts and the events for those
//! that began and ended. Every other body is a circle, the rest are boxes.

mod box2d;
mod carom;
mod rapier;

use ::carom::broad::Pair;

use crate::frames::Frames;
use crate::scenes::BoxScene;

pub fn add_all(frames: &mut Frames) {
    carom::add(frames);
    rapier::add(frames);
    box2d::add(frames);
}

/// The shape in a box of the scene, relative to its center.
enum Form {
    Circle(f32),
    /// Half the width and height.
    Box([f32; 2]),
}

/// Shapes do not change from frame to frame: boxes only move.
fn forms(scene: &BoxScene) -> Vec<Form> {
    let form = |(id, (bounds, _)): (usize, &(::carom::shape::Aabb, _))| {
        let half = bounds.size() / 2.0;
        if is_circle(id as u32) { Form::Circle(half.min_element()) } else { Form::Box(half.into()) }
    };
    scene.boxes().iter().enumerate().map(form).collect()
}

fn is_circle(id: u32) -> bool {
    id.is_multiple_of(2)
}

/// Returns the distance of two bodies; for two boxes, along the axis on which they are farther apart.
pub fn gap(scene: &BoxScene, [a, b]: Pair) -> f32 {
    let [(p, p_half), (q, q_half)] = [a, b].map(|id| {
        let bounds = scene.boxes()[id as usize].0;
        (bounds.center().as_dvec2(), (bounds.size() / 2.0).as_dvec2())
    });
    let apart = (p - q).abs();
    let [p_radius, q_radius] = [p_half, q_half].map(|half| half.min_element());
    let gap = match (is_circle(a), is_circle(b)) {
        (true, true) => apart.length() - p_radius - q_radius,
        (true, false) => (apart - q_half).max(Default::default()).length() - p_radius,
        (false, true) => (apart - p_half).max(Default::default()).length() - q_radius,
        (false, false) => (apart - p_half - q_half).max_element(),
    };
    gap as f32
}
