//! Compares ray casts with the oracle. The ray starts at the first point of the case's first shape and goes
//! along the case's motion.

use crate::support::cases::Case;
use crate::support::harness::CheckResult;
use crate::support::oracle::sweep::Path;
use crate::support::oracle::{decompose, predicates};
use crate::support::{exact_pair, extent, ulp};
use carom::prelude::*;

laws!(600 ray_hits_are_neither_early_nor_late);

pub(crate) fn ray_hits_are_neither_early_nor_late(Case { a, b, motion, .. }: &Case) -> CheckResult {
    let (origin, max) = (decompose::points(a)[0], motion.length());
    if !(max.is_normal() && (origin + *motion).is_finite()) {
        return Ok(());
    }
    let start = Shape::from(Point::new(origin));
    let end = Shape::from(Point::new(origin + *motion));
    let size = extent(&start, b) + f64::from(max);
    let rounding = 8.0 * ulp(&[&start, &end, b]) + 1e-6 * size;
    let path = Path::new(&exact_pair(&start, b), motion.as_dvec2().to_array());
    let length = motion.as_dvec2().length();
    let Some(hit) = b.raycast(&Ray::new(origin, *motion, max)) else {
        let (depth, time) = path.deepest(1.0);
        ensure!(depth <= rounding, "missed: {depth:?} deep at {time:?}");
        ensure!(!path.crosses_line(rounding), "missed: a line is crossed");
        return Ok(());
    };
    let RayHit { distance, point, normal, exit, .. } = hit;
    ensure!((0.0..=max).contains(&distance), "range: {distance:?} of {max:?}");
    ensure!((normal.as_dvec2().length() - 1.0).abs() < 1e-6, "normal: {normal:?}");
    // A ray that starts on the boundary hits it even if it leads away from it. Rays are computed in f64, so
    // a start within its precision counts as on the boundary.
    let on_border = distance == 0.0 && predicates::distance(&exact_pair(&start, b)) <= 1e-12 * size;
    ensure!(on_border || normal.dot(*motion) <= 1e-5 * max, "normal: {normal:?} along the ray");
    ensure!(exit >= distance, "exit: {exit:?} before {distance:?}");
    let time = f64::from(distance) / length;
    let expected = origin.as_dvec2() + motion.as_dvec2() * time;
    let off = (point.as_dvec2() - expected).length();
    ensure!(off <= rounding, "point: {point:?} is {off:?} off the ray");
    let gap = predicates::distance(&exact_pair(&Point::new(point).into(), b));
    ensure!(gap <= rounding, "early: {point:?} is {gap:?} away");
    if predicates::overlaps(&exact_pair(&start, b)) {
        ensure!(distance == 0.0, "within: {distance:?} from inside");
        // A start that is barely inside counts as on the boundary.
        let (depth, _) = path.deepest(0.0);
        let against = normal.dot(*motion) < -0.999 * max;
        ensure!(against || depth < 1e-9 * size, "within: {normal:?} is not against the ray");
        return Ok(());
    }
    let (depth, when) = path.deepest(time);
    ensure!(depth <= rounding, "late: {distance:?}, but {depth:?} deep at {when:?}");
    if let Some(convex) = path.only_blocker()
        && exit < max
    {
        let left = convex.depth_of(path.at(f64::from(exit) / length)).abs();
        ensure!(left <= rounding, "exit: {left:?} off the boundary");
    }
    Ok(())
}

#[test]
fn rays_pass_a_one_sided_chain_from_behind() {
    let floor = Chain::new(&[[0.0, 0.0], [4.0, 0.0]]).one_sided();
    let (above, below) = ([2.0, 1.0], [2.0, -1.0]);
    assert!(floor.raycast(&Ray::from_to(above, below)).is_some());
    assert_eq!(floor.raycast(&Ray::from_to(below, above)), None);
}
