//! What the tests share: an exact oracle with its own geometry, generators of nasty cases, and
//! the loop that runs one against the other.
#![allow(dead_code, reason = "each test crate uses its own part")]

pub mod answers;
pub mod boxes;
pub mod cases;
pub mod cover;
pub mod depth;
pub mod describe;
pub mod draw;
#[macro_use]
pub mod harness;
pub mod int;
pub mod near;
pub mod plane;
pub mod play;
pub mod questions;
pub mod rng;
pub mod rooms;
pub mod samples;
pub mod scene;
pub mod stencils;
pub mod sweeping;

use carom::prelude::*;

use scene::Scene;

pub fn scene_of(a: &Shape, b: &Shape) -> Scene {
    Scene::new(&describe::parts(a), &describe::parts(b))
}

/// The extent of everything in the case: what "relative to the sizes involved" refers to.
pub fn extent(a: &Shape, b: &Shape) -> f64 {
    let points = [describe::points(a), describe::points(b)].concat();
    let low = points.iter().copied().reduce(Vec2::min).expect("a shape has a point");
    let high = points.iter().copied().reduce(Vec2::max).expect("a shape has a point");
    let size = (high.as_dvec2() - low.as_dvec2()).max_element();
    size + 2.0 * f64::from(describe::radius(a).max(describe::radius(b)))
}

/// The distance between neighbouring floats at the largest coordinate of the shapes.
pub fn ulp(shapes: &[&Shape]) -> f64 {
    let largest = shapes.iter().flat_map(|shape| {
        let radius = describe::radius(shape);
        describe::points(shape).into_iter().map(move |p| p.abs().max_element() + radius)
    });
    let largest = largest.fold(0.0, f32::max).min(f32::MAX / 2.0);
    f64::from(largest.next_up()) - f64::from(largest)
}
