//! Compares the results of the library with those of the oracle, for every ordered pair of shapes.

use crate::support::cases::Case;
use crate::support::harness::CheckResult;
use crate::support::oracle::decompose::parts;
use crate::support::oracle::{depth, predicates};
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
