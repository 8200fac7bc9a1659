//! The laws of the library, for every ordered pair of shapes.

mod support;

use carom::prelude::*;
use support::cases::Case;
use support::harness::{Verdict, for_every_pair};
use support::sweeping::Path;
use support::{describe, extent, questions, scene, scene_of, ulp};

#[test]
fn swapping_the_shapes_mirrors_the_answers() {
    for_every_pair(3000, |Case { a, b, .. }| {
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
    let scene = scene_of(a, b);
    let clears = |push: Vec2| !questions::overlaps(&scene.moved(push.as_dvec2().to_array()));
    ensure!(clears(-back.push), "normals: {} and {}", there.normal, back.normal);
    Ok(())
}

#[test]
fn the_answers_imply_each_other() {
    for_every_pair(3000, |Case { a, b, .. }| {
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
        if a.contains(b) {
            ensure!(intersects, "contains but does not intersect");
        }
        Ok(())
    });
}

#[test]
fn closest_points_lie_on_their_shapes_and_apart_by_the_distance() {
    for_every_pair(600, |Case { a, b, .. }| {
        let ClosestPoints { distance, on_a, on_b } = a.closest_points(b);
        ensure!(on_a.is_finite() && on_b.is_finite(), "{on_a} {on_b}");
        let allowed = 2.0 * ulp(&[a, b]) + 1e-6 * f64::from(distance);
        for (shape, at) in [(a, on_a), (b, on_b)] {
            let off = questions::distance(&scene_of(shape, &Point::new(at).into()));
            ensure!(off <= allowed, "{at} is {off:?} off its shape");
        }
        let apart = (on_a.as_dvec2() - on_b.as_dvec2()).length();
        ensure!((apart - f64::from(distance)).abs() <= 2.0 * allowed, "{apart:?} for {distance:?}");
        Ok(())
    });
}

#[test]
fn pushed_out_is_out() {
    for_every_pair(2000, |Case { a, b, .. }| {
        let Some(contact) = a.contact(b) else { return Ok(()) };
        let moved = a.translated(contact.push);
        if !describe::points(&moved).iter().all(|p| p.is_finite()) {
            return Ok(());
        }
        ensure!(!moved.overlaps(b), "still overlaps after {:?}", contact.push);
        ensure!(
            !questions::overlaps(&scene_of(&moved, b)),
            "still overlaps after {:?}, though the library denies it",
            contact.push
        );
        Ok(())
    });
}

#[test]
fn sweeps_stop_in_time_and_only_where_they_must() {
    for_every_pair(600, check_sweep);
}

fn check_sweep(case: &Case) -> Verdict {
    let Case { a, b, motion, .. } = case;
    let scene = scene(case);
    let hit = a.sweep(*motion, b);
    if let Some(Hit { time, normal, point, depth }) = hit {
        ensure!((0.0..=1.0).contains(&time), "time {time:?}");
        ensure!((normal.as_dvec2().length() - 1.0).abs() < 1e-6, "normal {normal}");
        ensure!(point.is_finite(), "point {point}");
        ensure!(depth >= 0.0, "depth {depth:?}");
    }
    if questions::overlaps(&scene) {
        let Some(hit) = hit else { return Err("no hit from within".into()) };
        ensure!(hit.time == 0.0 && hit.depth > 0.0, "from within: {hit:?}");
        return Ok(());
    }
    let path = Path::new(&scene, motion.as_dvec2().to_array());
    let end = a.translated(*motion);
    if !describe::points(&end).iter().all(|p| p.is_finite()) {
        return Ok(());
    }
    let size = extent(a, b) + motion.as_dvec2().length();
    let rounding = 4.0 * ulp(&[a, b, &end]) + 1e-6 * size;
    let Some(hit) = hit else {
        let (depth, time) = path.deepest(1.0);
        ensure!(depth <= rounding, "no hit, but {depth:?} deep at {time:?}");
        for i in 0..=8 {
            let moved = scene.moved(path.at(f64::from(i) / 8.0));
            let inside = questions::overlaps(&moved) && depth <= 0.0;
            ensure!(!inside, "no hit, but it overlaps at {i}/8");
        }
        return Ok(());
    };
    ensure!(hit.depth == 0.0, "depth {:?} without overlap at the start", hit.depth);
    let there = a.translated(*motion * hit.time);
    ensure!(!questions::overlaps(&scene_of(&there, b)), "overlaps at {:?}", hit.time);
    let (depth, time) = path.deepest(hit.time.into());
    ensure!(depth <= rounding, "hit at {:?}, but {depth:?} deep at {time:?}", hit.time);
    ensure!(hit.normal.dot(*motion) <= 1e-6 * motion.length(), "normal {} along", hit.normal);
    if path.has_thin_pair {
        return Ok(());
    }
    ensure!(path.enters || hit.time == 1.0, "hit at {:?}, but it only slides", hit.time);
    ensure!(depth >= -rounding, "hit at {:?}, still {:?} away", hit.time, -depth);
    Ok(())
}

#[test]
fn the_same_input_gives_the_same_bits() {
    for_every_pair(600, |Case { a, b, motion, .. }| {
        let answers = |a: &Shape, b: &Shape| {
            let (contact, closest) = (a.contact(b), a.closest_points(b));
            let hit = a.sweep(*motion, b);
            format!("{contact:?} {closest:?} {hit:?} {} {}", a.overlaps(b), a.contains(b))
        };
        let first = answers(a, b);
        ensure!(first == answers(&a.clone(), &b.clone()), "differs when asked again");
        Ok(())
    });
}
