//! Compares the results of the library with those of the oracle, for every ordered pair of shapes.

use crate::support::cases::Case;
use crate::support::hard_outlines::polygons;
use crate::support::harness::CheckResult;
use crate::support::oracle::decompose::parts;
use crate::support::oracle::{depth, predicates};
use crate::support::rng::Rng;
use crate::support::{exact_pair, extent, ulp};
use carom::prelude::*;

laws! {
    10_000 intersects_and_overlaps_are_exact,
    5000 distances_are_accurate,
    2000 depths_are_those_of_the_minimum_translation,
}

pub(crate) fn intersects_and_overlaps_are_exact(case: &Case) -> CheckResult {
    let Case { a, b, .. } = case;
    let pair = case.exact_pair();
    let (expected, found) = (predicates::intersects(pair), a.intersects(b));
    ensure!(found == expected, "intersects: {found} for {expected}");
    let (expected, found) = (predicates::overlaps(pair), a.overlaps(b));
    let debatable = || found && predicates::lines_share_a_segment(pair);
    ensure!(found == expected || debatable(), "overlaps: {found} for {expected}");
    Ok(())
}

/// Checks a number to the precision of `f32`, relative to the result and to the sizes.
const ACCURACY: f64 = 1e-6;

fn close(name: &str, found: f32, expected: f64, size: f64) -> CheckResult {
    let error = (f64::from(found) - expected).abs();
    let allowed = ACCURACY * expected + 1e-3 * ACCURACY * size + f64::from(f32::from_bits(1));
    ensure!(error <= allowed, "{name}: {found:?} for {expected:?}");
    Ok(())
}

pub(crate) fn distances_are_accurate(case: &Case) -> CheckResult {
    let Case { a, b, .. } = case;
    let expected = predicates::distance(case.exact_pair());
    if expected > f64::from(f32::MAX) {
        return Ok(());
    }
    close("distance", a.distance(b), expected, extent(a, b))
}

#[test]
fn distances_to_polygons_with_holes_do_not_lose_accuracy_far_from_the_origin() {
    let frames: Vec<Polygon> =
        polygons().into_iter().filter(|it| it.holes().next().is_some()).collect();
    let mut rng = Rng::new(22);
    let mut positive = 0;
    for _ in 0..2000 {
        let (far, scale) = rng.pick(&[(1e4, 0.1), (1e6, 1.0), (8e6, 4.0), (8e6, 100.0)]);
        let at = Vec2::new(rng.signed(), rng.signed()) * far;
        let frame = rng.pick(&frames);
        let frame = frame.transformed(&Pose::new(at, 3.0 * rng.signed()).with_scale(scale));
        let holes: Vec<Vec<Vec2>> = frame.holes().map(<[_]>::to_vec).collect();
        if Polygon::try_with_holes(frame.outer(), &holes).is_err() {
            continue; // Rounding has made it touch itself.
        }
        // In a hole, beside a vertex, or outside.
        let middle = holes[0].iter().sum::<Vec2>() / holes[0].len() as f32;
        let from = rng.pick(&[middle, holes[0][0], frame.outer()[0]]);
        let beside = from + Vec2::new(rng.signed(), rng.signed()) * scale;
        let radius = rng.pick(&[0.01, 0.25]) * scale;
        let other: Shape = match rng.below(3) {
            0 => Circle::new(beside, radius).into(),
            1 => Capsule::new(from, beside, radius).into(),
            _ => Obb::new(beside, [0.25 * scale, 0.1 * scale], rng.signed()).into(),
        };
        let case = Case::of(0, frame.into(), other, Vec2::ZERO);
        distances_are_accurate(&case).unwrap_or_else(|error| panic!("{error}\n{}", case.source()));
        positive += u32::from(case.a.distance(&case.b) > 0.0);
    }
    assert!(positive > 400, "{positive}");
}

/// Returns the shortest push that still clears after rounding: up to half an ulp in each coordinate, for
/// the shape's position, its vertices and the push itself.
fn least_with_clearance(a: &Shape, b: &Shape, push: f64) -> Option<f64> {
    let numbers = parts(a).iter().flat_map(|part| part.numbers()).collect::<Vec<_>>();
    let far = numbers.into_iter().map(f64::abs).fold(push, f64::max) + push;
    let clearance = 4.0 * f64::from(f32::EPSILON / 2.0) * far + f64::from(f32::from_bits(4));
    depth::depth_with_clearance(&parts(a), &parts(b), clearance)
}

pub(crate) fn depths_are_those_of_the_minimum_translation(case: &Case) -> CheckResult {
    let Case { a, b, .. } = case;
    let pair = case.exact_pair();
    let Some(contact) = a.contact(b) else {
        ensure!(!predicates::intersects(pair), "contact: none, but they intersect");
        return Ok(());
    };
    if !predicates::overlaps(pair) {
        let debatable = || predicates::lines_share_a_segment(pair);
        ensure!(
            contact.depth == 0.0 || debatable(),
            "depth: {:?}, but they only touch",
            contact.depth
        );
        return Ok(());
    }
    let Some(least) = depth::depth(&parts(a), &parts(b)) else { return Ok(()) };
    if least > f64::from(f32::MAX) / 2.0 {
        return Ok(());
    }
    let (found, size) = (f64::from(contact.depth), extent(a, b));
    let push = contact.push.as_dvec2().length();
    let rounding = 16.0 * ulp(&[a, b]);
    let allowed = |least: f64| least * 1.0001 + rounding;
    let least_clear = || least_with_clearance(a, b, push);
    ensure!(
        push <= allowed(least) || least_clear().is_none_or(|least| push <= allowed(least)),
        "push: {push:?} long for {least:?}, {:?} with clearance",
        least_clear()
    );
    ensure!(push >= found * 0.9999 - rounding, "push: {push:?} for a depth of {found:?}");
    let convex = [&pair.a, &pair.b].iter().all(|figure| figure.pieces().len() == 1);
    if convex {
        return close("depth", contact.depth, least, size);
    }
    // For many parts, the oracle's push is only an upper bound, and so is the library's push if the exact
    // test confirms that it clears.
    let allowed = least * (1.0 + 1e-5) + 1e-5 * size + rounding;
    ensure!(found <= allowed, "depth: {found:?} for {least:?}");
    let moved = exact_pair(&a.translated(contact.push), b);
    ensure!(!predicates::overlaps(&moved), "push: {:?} does not clear", contact.push);
    Ok(())
}
