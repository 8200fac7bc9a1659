//! The laws of the library, for every ordered pair of shapes.

mod support;

use carom::prelude::*;
use support::cases::Case;
use support::harness::{Verdict, for_every_pair};
use support::sweeping::Path;
use support::{describe, extent, questions, scene_of, ulp};

#[test]
fn swapping_the_shapes_mirrors_the_answers() {
    for_every_pair(5000, |Case { a, b, .. }| {
        ensure!(a.intersects(b) == b.intersects(a), "intersects differs");
        ensure!(a.overlaps(b) == b.overlaps(a), "overlaps differs");
        let (d, e) = (a.distance(b), b.distance(a));
        ensure!(d.to_bits() == e.to_bits(), "distance: {d:?} and {e:?}");
        let (there, back) = (a.closest_points(b), b.closest_points(a));
        ensure!(there.distance.to_bits() == back.distance.to_bits(), "closest points' distance");
        match (a.contact(b), b.contact(a)) {
            (None, None) => {}
            (Some(there), Some(back)) => {
                let (d, e) = (there.depth, back.depth);
                ensure!(d.to_bits() == e.to_bits(), "depth: {d:?} and {e:?}");
                mirrored(a, b, &there, &back)?;
            }
            _ => return Err("contact: one order only".into()),
        }
        Ok(())
    });
}

/// Normals are opposite, unless there are several equally short pushes: then the mirrored one must
/// be among them.
fn mirrored(a: &Shape, b: &Shape, there: &Contact, back: &Contact) -> Verdict {
    if there.normal == -back.normal || there.depth == 0.0 {
        return Ok(());
    }
    let mirrored = (-back.push).as_dvec2().to_array();
    let path = Path::new(&scene_of(a, b), mirrored);
    let left = path.blockers.iter().map(|b| b.depth_of(mirrored)).fold(0.0, f64::max);
    let allowed = 1e-5 * extent(a, b) + 16.0 * ulp(&[a, b]);
    ensure!(left <= allowed, "normals: {} and {}", there.normal, back.normal);
    Ok(())
}

#[test]
fn the_answers_imply_each_other() {
    for_every_pair(5000, |Case { a, b, .. }| {
        let (intersects, overlaps) = (a.intersects(b), a.overlaps(b));
        ensure!(intersects || !overlaps, "overlaps but does not intersect");
        let contact = a.contact(b);
        ensure!(contact.is_some() == intersects, "contact {contact:?}, intersects {intersects}");
        if let Some(contact) = &contact {
            let Contact { normal, depth, push, points } = contact;
            ensure!((*depth > 0.0) == overlaps, "depth {depth:?}, overlaps {overlaps}");
            ensure!((normal.as_dvec2().length() - 1.0).abs() < 1e-6, "normal {normal}");
            ensure!(push.is_finite(), "push {push}");
            ensure!(overlaps || *push == Vec2::ZERO, "push {push} where they only touch");
            ensure!(!points.is_empty() && points.len() <= 2, "points {points:?}");
            ensure!(points.iter().all(|p| p.is_finite()), "points {points:?}");
        }
        let distance = a.distance(b);
        ensure!((distance == 0.0) == intersects, "distance {distance:?}, intersects {intersects}");
        Ok(())
    });
}

#[test]
fn closest_points_lie_on_their_shapes_and_apart_by_the_distance() {
    for_every_pair(2000, |Case { a, b, .. }| {
        let ClosestPoints { distance, on_a, on_b } = a.closest_points(b);
        ensure!(on_a.is_finite() && on_b.is_finite(), "{on_a} {on_b}");
        let allowed = 2.0 * ulp(&[a, b]) + 1e-6 * f64::from(distance);
        for (shape, at) in [(a, on_a), (b, on_b)] {
            let off = questions::distance(&scene_of(shape, &Point::new(at).into()));
            ensure!(off <= allowed, "off: {at:?} is {off:?} off its shape");
        }
        let apart = (on_a.as_dvec2() - on_b.as_dvec2()).length();
        ensure!(
            (apart - f64::from(distance)).abs() <= 2.0 * allowed,
            "apart: {apart:?} for {distance:?}"
        );
        Ok(())
    });
}

#[test]
fn pushed_out_is_out() {
    for_every_pair(5000, |Case { a, b, .. }| {
        let Some(contact) = a.contact(b) else { return Ok(()) };
        let moved = a.translated(contact.push);
        if !describe::points(&moved).iter().all(|p| p.is_finite()) {
            return Ok(());
        }
        ensure!(!moved.overlaps(b), "push: still overlaps after {:?}", contact.push);
        ensure!(
            !questions::overlaps(&scene_of(&moved, b)),
            "push: still overlaps after {:?}, though the library denies it",
            contact.push
        );
        Ok(())
    });
}

#[test]
fn the_same_input_gives_the_same_bits() {
    for_every_pair(1000, |Case { a, b, motion, .. }| {
        let first = answers(a, b, *motion);
        ensure!(first == answers(a, b, *motion), "again: differs");
        ensure!(first == answers(&a.clone(), &b.clone(), *motion), "copy: differs");
        ensure!(first == with_static_types(a, b, *motion), "static types: differ");
        Ok(())
    });
}

/// All answers about two shapes, down to the last bit.
fn answers(a: &impl Query, b: &impl AsShape, motion: Vec2) -> String {
    let verdicts = (a.intersects(b), a.overlaps(b));
    format!("{verdicts:?} {:?} {:?} {:?}", a.contact(b), a.closest_points(b), a.sweep(motion, b))
}

/// The same, asked of the types themselves instead of the enum.
fn with_static_types(a: &Shape, b: &Shape, motion: Vec2) -> String {
    macro_rules! unwrapped {
        ($shape:ident, $name:ident => $answer:expr; $($kind:ident)*) => {
            match $shape {
                $(Shape::$kind($name) => $answer,)*
                _ => panic!("no static type known for {}", $shape.kind()),
            }
        };
        ($shape:ident, $name:ident => $answer:expr) => {
            unwrapped!($shape, $name => $answer; Point Segment Circle Ellipse Capsule Aabb Rect
                Triangle ConvexPolygon Polygon Chain Compound)
        };
    }
    unwrapped!(a, a => unwrapped!(b, b => answers(a, b, motion)))
}
