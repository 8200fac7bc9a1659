//! Code that the tests share:
//!
//! - [`oracle`]: every query answered exactly, by brute force, without the library's code;
//! - [`generate`] and [`cases`]: random shapes and pairs, with rare situations made common;
//! - [`harness`]: runs laws over every ordered pair of shapes and prints the shortest failures;
//! - [`random_game`] and [`random_rooms`]: random worlds.
#![allow(dead_code, reason = "each test crate uses its own part")]

pub mod box_scenes;
pub mod cases;
pub mod generate;
pub mod hard_outlines;
#[macro_use]
pub mod harness;
pub mod one_of_each;
pub mod oracle;
pub mod random_game;
pub mod random_rooms;
pub mod results;
pub mod rng;
pub mod rust_source;

use carom::prelude::*;

use oracle::decompose;
use oracle::exact_pair::ExactPair;

/// Returns two shapes as the oracle sees them.
pub fn exact_pair(a: &Shape, b: &Shape) -> ExactPair {
    ExactPair::new(&decompose::parts(a), &decompose::parts(b))
}

/// Returns the extent of both shapes together, to which relative tolerances refer.
pub fn extent(a: &Shape, b: &Shape) -> f64 {
    let points = [decompose::points(a), decompose::points(b)].concat();
    let low = points.iter().copied().reduce(Vec2::min).expect("a shape has a point");
    let high = points.iter().copied().reduce(Vec2::max).expect("a shape has a point");
    let size = (high.as_dvec2() - low.as_dvec2()).max_element();
    size + 2.0 * f64::from(decompose::radius(a).max(decompose::radius(b)))
}

/// Returns the distance between neighboring floats at the largest coordinate of the shapes.
pub fn ulp(shapes: &[&Shape]) -> f64 {
    let largest = shapes.iter().flat_map(|shape| {
        let radius = decompose::radius(shape);
        decompose::points(shape).into_iter().map(move |p| p.abs().max_element() + radius)
    });
    let largest = largest.fold(0.0, f32::max).min(f32::MAX / 2.0);
    f64::from(largest.next_up()) - f64::from(largest)
}
