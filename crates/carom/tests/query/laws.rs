//! Laws that hold for every ordered pair of shapes.

use crate::support::cases::Case;
use crate::support::harness::CheckResult;
use crate::support::oracle::sweep::Path;
use crate::support::oracle::{decompose, point_distance, predicates};
use crate::support::results::{QueryResults, bits_of_hit};
use crate::support::{exact_pair, extent, ulp};
use carom::prelude::*;

laws! {
    5000 swapping_the_arguments_mirrors_the_results,
    5000 the_results_are_consistent,
    2000 closest_points_lie_on_the_shapes_at_their_distance,
    5000 the_push_ends_the_overlap,
    5000 normal_depth_and_push_agree,
    1000 the_same_input_gives_the_same_bits,
}

pub(crate) fn swapping_the_arguments_mirrors_the_results(case: &Case) -> CheckResult {
    let Case { a, b, .. } = case;
    let (there, back) = (case.results(), QueryResults::of(b, a));
    ensure!(there.intersects == back.intersects, "intersects differs");
    ensure!(there.overlaps == back.overlaps, "overlaps differs");
    let (d, e) = (there.distance, back.distance);
    ensure!(d.to_bits() == e.to_bits(), "distance: {d:?} and {e:?}");
    let (d, e) = (there.closest.distance, back.closest.distance);
    ensure!(d.to_bits() == e.to_bits(), "closest points' distance: {d:?} and {e:?}");
    match (&there.contact, &back.contact) {
        (None, None) => Ok(()),
        (Some(there), Some(back)) => {
            let (d, e) = (there.depth, back.depth);
            ensure!(d.to_bits() == e.to_bits(), "depth: {d:?} and {e:?}");
            check_opposite_normals(a, b, there, back)
        }
        _ => Err("contact: one order only".into()),
    }
}

/// Checks that the normals are opposite. If several pushes are equally short, the opposite of one must be
/// another.
fn check_opposite_normals(a: &Shape, b: &Shape, there: &Contact, back: &Contact) -> CheckResult {
    if there.normal == -back.normal || there.depth == 0.0 {
        return Ok(());
    }
    let mirrored = (-back.push).as_dvec2().to_array();
    let left = Path::new(&exact_pair(a, b), mirrored).depth_at(1.0);
    let allowed = 1e-5 * extent(a, b) + 16.0 * ulp(&[a, b]);
    ensure!(left <= allowed, "normals: {} and {}", there.normal, back.normal);
    Ok(())
}

pub(crate) fn the_results_are_consistent(case: &Case) -> CheckResult {
    let &QueryResults { intersects, overlaps, distance, contact, .. } = case.results();
    ensure!(intersects || !overlaps, "overlaps but does not intersect");
    ensure!(contact.is_some() == intersects, "contact {contact:?}, intersects {intersects}");
    if let Some(Contact { normal, depth, push, points, .. }) = contact {
        ensure!((depth > 0.0) == overlaps, "depth {depth:?}, overlaps {overlaps}");
        ensure!((normal.as_dvec2().length() - 1.0).abs() < 1e-6, "normal {normal}");
        ensure!(push.is_finite(), "push {push}");
        ensure!(overlaps || push == Vec2::ZERO, "push {push} where they only touch");
        ensure!(!points.is_empty() && points.len() <= 2, "points {points:?}");
        ensure!(points.iter().all(|p| p.is_finite()), "points {points:?}");
    }
    ensure!((distance == 0.0) == intersects, "distance {distance:?}, intersects {intersects}");
    Ok(())
}

pub(crate) fn closest_points_lie_on_the_shapes_at_their_distance(case: &Case) -> CheckResult {
    let Case { a, b, .. } = case;
    let ClosestPoints { distance, on_a, on_b, .. } = case.results().closest;
    ensure!(on_a.is_finite() && on_b.is_finite(), "{on_a} {on_b}");
    let allowed = 2.0 * ulp(&[a, b]) + 1e-6 * f64::from(distance);
    for (shape, at) in [(a, on_a), (b, on_b)] {
        let off = point_distance::distance(&decompose::parts(shape), at.as_dvec2().to_array());
        ensure!(off <= allowed, "off: {at:?} is {off:?} off its shape");
    }
    let apart = (on_a.as_dvec2() - on_b.as_dvec2()).length();
    ensure!(
        (apart - f64::from(distance)).abs() <= 2.0 * allowed,
        "apart: {apart:?} for {distance:?}"
    );
    Ok(())
}

pub(crate) fn the_push_ends_the_overlap(case: &Case) -> CheckResult {
    let Case { a, b, .. } = case;
    let Some(Contact { push, .. }) = case.results().contact else { return Ok(()) };
    let moved = a.translated(push);
    if !decompose::points(&moved).iter().all(|p| p.is_finite()) {
        return Ok(());
    }
    ensure!(!moved.overlaps(b), "push: still overlaps after {push:?}");
    ensure!(
        !predicates::overlaps(&exact_pair(&moved, b)),
        "push: still overlaps after {push:?}, though the library denies it"
    );
    Ok(())
}

pub(crate) fn normal_depth_and_push_agree(case: &Case) -> CheckResult {
    let Case { a, b, .. } = case;
    let Some(Contact { push, normal, depth, .. }) = case.results().contact else { return Ok(()) };
    let (way, depth) = (push.as_dvec2(), f64::from(depth));
    if depth < f64::from(f32::MIN_POSITIVE) {
        return Ok(()); // so coarse are the numbers there that only a few directions exist
    }
    let rounding = 1e-6 * extent(a, b) + 16.0 * ulp(&[a, b, &a.translated(push)]);
    let allowed = 1e-4 * depth + rounding;
    let is_direct = way.dot(normal.as_dvec2()) >= depth - allowed;
    if is_direct && way.length() <= depth + allowed {
        return Ok(());
    }
    // A longer push is right only if no `f32` next to the shortest translation clears the shapes.
    let near = normal * depth as f32;
    let steps =
        |x: f32| [x.next_down().next_down(), x.next_down(), x, x.next_up(), x.next_up().next_up()];
    let mut near = steps(near.x).into_iter().flat_map(|x| steps(near.y).map(|y| Vec2::new(x, y)));
    let fits = near.find(|push| !a.translated(*push).overlaps(b));
    ensure!(
        way.length() > depth && fits.is_none(),
        "push {push:?} for normal {normal:?} and depth {depth:?}"
    );
    Ok(())
}

/// Repeats the queries on clones, with the static types instead of the enum.
pub(crate) fn the_same_input_gives_the_same_bits(case: &Case) -> CheckResult {
    let Case { a, b, motion, .. } = case;
    let hit = bits_of_hit(a.sweep(*motion, b));
    let (answers, again) = of_static_types(&a.clone(), &b.clone(), *motion);
    ensure!(case.results().bits() == answers.bits(), "answers differ");
    ensure!(hit == bits_of_hit(again), "sweep differs");
    Ok(())
}

fn of_static_types(a: &Shape, b: &Shape, motion: Vec2) -> (QueryResults, Option<SweepHit>) {
    macro_rules! unwrapped {
        ($shape:ident, $name:ident => $answer:expr; $($kind:ident)*) => {
            match $shape {
                $(Shape::$kind($name) => $answer,)*
                _ => panic!("no static type known for {}", $shape.kind()),
            }
        };
        ($shape:ident, $name:ident => $answer:expr) => {
            unwrapped!($shape, $name => $answer; Point Segment Circle Ellipse Capsule Aabb Obb
                Triangle ConvexPolygon Polygon Chain Compound TileMap Mask)
        };
    }
    unwrapped!(a, a => unwrapped!(b, b => (QueryResults::of(a, b), a.sweep(motion, b))))
}
