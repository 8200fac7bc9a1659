//! Laws of rotating sweeps, for every ordered pair of shapes.

use core::f32::consts::{FRAC_PI_2, PI, TAU};

use crate::support::cases::Case;
use crate::support::harness::CheckResult;
use crate::support::oracle::sweep::Path;
use crate::support::oracle::{decompose, predicates};
use crate::support::{exact_pair, extent, ulp};
use carom::prelude::*;
use carom::query::RigidMotion;

laws!(60 rotating_sweeps_stop_in_time);

/// Returns a motion for a case; half of them rotate far, about a point of one of the shapes.
fn turning(Case { seed, a, b, motion, .. }: &Case) -> Option<RigidMotion> {
    let angle = [0.1, -1.0, FRAC_PI_2, -PI, 5.0, TAU][(seed / 3 % 6) as usize];
    let pivot = decompose::points(if seed % 3 == 0 { b } else { a })[0];
    RigidMotion::try_new(*motion, angle, pivot).ok()
}

/// Checks samples: no overlap at the hit, and none beyond rounding before it.
fn rotating_sweeps_stop_in_time(case: &Case) -> CheckResult {
    let Case { a, b, .. } = case;
    let Some(motion) = turning(case) else { return Ok(()) };
    let at = |time: f32| a.transformed(&motion.at(time));
    let hit = a.sweep_rotating(&motion, b);
    if at(0.0).overlaps(b) {
        let Some(hit) = hit else { return Err("within: no hit".into()) };
        ensure!(hit.time == 0.0 && hit.depth > 0.0, "within: {hit:?}");
        return Ok(());
    }
    if predicates::lines_share_a_segment(case.exact_pair()) {
        return Ok(()); // whether they overlap at the start is a matter of definition
    }
    let until = hit.map_or(1.0, |hit| hit.time);
    if let Some(SweepHit { time, normal, point, depth, .. }) = hit {
        ensure!((0.0..=1.0).contains(&time) && depth == 0.0, "time {time:?}, depth {depth:?}");
        ensure!((normal.as_dvec2().length() - 1.0).abs() < 1e-6, "normal {normal}");
        ensure!(point.is_finite(), "point {point}");
        ensure!(!predicates::overlaps(&exact_pair(&at(time), b)), "lands: overlaps at {time:?}");
    }
    (0..=16).try_for_each(|i| check_no_deep_overlap(&at(until * i as f32 / 16.0), b, until))
}

fn check_no_deep_overlap(moved: &Shape, b: &Shape, until: f32) -> CheckResult {
    let push = moved.contact(b).map_or(0.0, |contact| f64::from(contact.depth));
    // A step from touch may cut a corner by this depth.
    let allowed = 8.0 * ulp(&[moved, b]) + 1e-4 * extent(moved, b);
    if push <= allowed {
        return Ok(());
    }
    // Out of a tight notch the push is long even if the overlap is shallow, so test each pair of pieces.
    let (depth, _) = Path::new(&exact_pair(moved, b), [0.0; 2]).deepest(0.0);
    ensure!(depth <= allowed, "missed: {depth:?} deep before {until:?}");
    Ok(())
}

#[test]
fn a_spinning_bar_does_not_tunnel_past_a_point() {
    let bar = Obb::new([0.0, 0.0], [10.0, 0.05], 0.0);
    let spin = RigidMotion::new([0.0, 0.0], 50.0 * TAU, [0.0, 0.0]);
    let peg = Point::new([0.0, 9.0]);
    let hit = bar.sweep_rotating(&spin, &peg).expect("the peg is in the way");
    let quarter = 1.0 / 200.0;
    assert!(hit.time > 0.98 * quarter && hit.time < quarter, "{hit:?}");
    assert!(!bar.transformed(&spin.at(hit.time)).overlaps(&peg));
}

#[test]
fn rotating_away_from_a_touch_is_free_and_rotating_into_it_is_a_hit() {
    let plank = Aabb::new([0.0, 0.0], [4.0, 1.0]).to_obb();
    let floor = Aabb::new([-8.0, -1.0], [8.0, 0.0]);
    let lift = RigidMotion::new([0.0, 0.0], 0.5, [0.0, 0.0]);
    assert_eq!(plank.sweep_rotating(&lift, &floor), None);
    let press = RigidMotion::new([0.0, 0.0], -0.5, [0.0, 0.0]);
    let hit = plank.sweep_rotating(&press, &floor).expect("it presses into the floor");
    assert!(hit.time < 1e-3, "{hit:?}");
    assert!(!plank.transformed(&press.at(hit.time)).overlaps(&floor));
}
