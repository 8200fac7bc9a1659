//! Laws of sweeps, for every ordered pair of shapes.

use crate::support::cases::Case;
use crate::support::harness::CheckResult;
use crate::support::oracle::exact_pair::Part;
use crate::support::oracle::sweep::Path;
use crate::support::oracle::{decompose, depth, predicates};
use crate::support::rng::Rng;
use crate::support::{exact_pair, extent, ulp};
use carom::glam::DVec2;
use carom::prelude::*;

laws!(4000 sweep_hits_are_neither_early_nor_late_nor_spurious);

/// Returns `true` if the numbers of a case span so many digits that `f64` cannot distinguish a motion
/// that slides along a large shape from one that enters a small one.
fn is_mixed_scale(case: &Case) -> bool {
    let Case { a, b, motion, .. } = case;
    let points = [decompose::points(a), decompose::points(b), vec![*motion]].concat();
    let radii = [decompose::radius(a), decompose::radius(b)];
    let numbers = points.iter().flat_map(|p| p.to_array()).chain(radii).map(f32::abs);
    let (low, high) = numbers
        .filter(|&x| x > 0.0)
        .fold((f32::INFINITY, 0.0), |(low, high), x| (x.min(low), x.max(high)));
    f64::from(low) < 1e-9 * f64::from(high)
}

/// Returns times between the times at which a vertex of `a` passes a vertex of `b`.
fn between_corners(case: &Case, from: f64, until: f64) -> Vec<f64> {
    let Case { a, b, motion, .. } = case;
    let motion = motion.as_dvec2();
    let along = |shape: &Shape| -> Vec<f64> {
        decompose::points(shape).iter().map(|p| p.as_dvec2().dot(motion)).collect()
    };
    let (along_a, along_b) = (along(a), along(b));
    let passes = along_b.iter().flat_map(|b| along_a.iter().map(move |a| b - a));
    let mut times: Vec<f64> = passes.map(|way| way / motion.length_squared()).collect();
    times.retain(|time| (from..until).contains(time));
    times.sort_by(f64::total_cmp);
    times.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0).collect()
}

pub(crate) fn sweep_hits_are_neither_early_nor_late_nor_spurious(case: &Case) -> CheckResult {
    check_hit(case, case.a.sweep(case.motion, &case.b))
}

/// Checks the hit of a sweep of `a` against `b`.
pub(crate) fn check_hit(case: &Case, hit: Option<SweepHit>) -> CheckResult {
    let Case { a, b, motion, .. } = case;
    let pair = case.exact_pair();
    if let Some(SweepHit { time, normal, point, depth, .. }) = hit {
        ensure!((0.0..=1.0).contains(&time), "time {time:?}");
        ensure!((normal.as_dvec2().length() - 1.0).abs() < 1e-6, "normal {normal}");
        ensure!(point.is_finite(), "point {point}");
        ensure!(depth >= 0.0, "depth {depth:?}");
    }
    if predicates::overlaps(pair) {
        let Some(hit) = hit else { return Err("within: no hit".into()) };
        ensure!(hit.time == 0.0 && hit.depth > 0.0, "within: {hit:?}");
        return Ok(());
    }
    let path = Path::new(pair, motion.as_dvec2().to_array());
    let overlaps_at = |time: f64| predicates::overlaps(&pair.moved(path.at(time)));
    if predicates::lines_share_a_segment(pair) {
        return Ok(()); // whether they overlap at the start is a matter of definition
    }
    let end = a.translated(*motion);
    if !decompose::points(&end).iter().all(|p| p.is_finite()) {
        return Ok(());
    }
    let size = extent(a, b) + motion.as_dvec2().length();
    let rounding = 8.0 * ulp(&[a, b, &end]) + 1e-6 * size;
    let Some(hit) = hit else {
        let (depth, time) = path.deepest(1.0);
        ensure!(depth <= rounding, "missed: no hit, but {depth:?} deep at {time:?}");
        // Along an internal edge the motion enters no piece, but the union of two.
        for i in 0..=8 {
            let by = path.at(f64::from(i) / 8.0);
            if overlaps_at(f64::from(i) / 8.0) {
                let there: Vec<Part> = decompose::parts(a).iter().map(|p| p.moved(by)).collect();
                let depth = depth::depth(&there, &decompose::parts(b)).unwrap_or(0.0);
                ensure!(depth <= rounding, "missed: no hit, but {depth:?} deep at {i}/8");
            }
        }
        return Ok(());
    };
    ensure!(hit.depth == 0.0, "depth {:?} without overlap at the start", hit.depth);
    let there = a.translated(*motion * hit.time);
    ensure!(!predicates::overlaps(&exact_pair(&there, b)), "lands: overlaps at {:?}", hit.time);
    let (depth, time) = path.deepest(hit.time.into());
    ensure!(depth <= rounding, "late: hit at {:?}, but {depth:?} deep at {time:?}", hit.time);
    ensure!(hit.normal.dot(*motion) <= 1e-6 * motion.length(), "normal {} along", hit.normal);
    if path.has_thin_pair || is_mixed_scale(case) {
        return Ok(());
    }
    // Shapes entered right after the end count, too. Along an internal edge the motion enters no piece, but
    // the union of two.
    const BEYOND: f64 = 1.0 + 1.0 / 1024.0;
    let after = (1..=50).map(|i| f64::from(hit.time) + 0.5f64.powi(i));
    let after = after.filter(|&time| time < BEYOND).chain([BEYOND]);
    let seam = || after.chain(between_corners(case, hit.time.into(), BEYOND)).any(overlaps_at);
    let justified = path.enters || Path::new(pair, path.at(BEYOND)).enters || seam();
    ensure!(justified, "slides: hit at {:?}, but nothing is entered", hit.time);
    ensure!(depth >= -rounding, "early: hit at {:?}, still {:?} away", hit.time, -depth);
    let point = Point::new(hit.point);
    ensure!(f64::from(point.distance(b)) <= 2.0 * rounding, "point {} is off b", hit.point);
    // At a grazing hit, rounding may stop the shape long before it; and so it may on the way to the hit, but
    // only where the way goes along `b` within the rounding of the coordinates.
    if -hit.normal.dot(*motion) > 1e-3 * motion.length() {
        let off = f64::from(point.distance(&there));
        let time_left = off / motion.as_dvec2().length();
        let times = (0..=8).map(|i| f64::from(hit.time) + time_left * f64::from(i) / 8.0);
        let grazes = || times.map(|time| path.depth_at(time)).all(|depth| depth >= -rounding);
        ensure!(off <= 2.0 * rounding || grazes(), "point {} is {off:?} off a", hit.point);
    }
    Ok(())
}

#[test]
fn sweeps_that_graze_by_1e_8_hit_unless_rounding_may_carry_them_past() {
    let at = Vec2::new(3.3, -1.7);
    let shapes: [Shape; 7] = [
        Point::new(at).into(),
        Segment::new(at, [2.9, 0.4]).into(),
        Circle::new(at, 0.7).into(),
        Capsule::new(at, [4.1, -1.1], 0.3).into(),
        Aabb::from_center_half_size(at, [0.5, 0.25]).into(),
        Triangle::new(at, [4.0, -2.0], [3.5, 0.3]).into(),
        Polygon::new(&[[3.0, -2.0], [4.0, -2.0], [4.0, -1.0], [3.5, -1.6], [3.0, -1.0]]).into(),
    ];
    let mut rng = Rng::new(22);
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..8000 {
        let far = Vec2::new(rng.signed(), rng.signed()) * rng.pick(&[0.0, 10.0, 1e4]);
        let (a, b) = (rng.pick(&shapes), rng.pick(&shapes).translated(far));
        let angle = 3.0 * f64::from(rng.signed());
        let along = DVec2::new(angle.cos(), angle.sin());
        let normal = along.perp();
        // Beside the path, `b` reaches beyond `a` by this much.
        let depth = rng.pick(&[0.0, 1e-8, -1e-8, 1e-7, -1e-7, 1e-6, -1e-6, 1e-5]);
        let low = a.support((-normal).as_vec2()).as_dvec2();
        let high = b.support(normal.as_vec2()).as_dvec2();
        let ahead = 0.5 + 3.0 * f64::from(rng.signed().abs());
        let offset = high - low - normal * depth - along * (2.0 + ahead);
        let motion = (along * 2.0 * (2.0 + ahead)).as_vec2();
        let case = Case::of(0, a.translated(offset.as_vec2()), b, motion);
        let hit = case.a.sweep(case.motion, &case.b);
        check_hit(&case, hit).unwrap_or_else(|error| panic!("{error}\n{}", case.source()));
        if hit.is_some() {
            hits += 1;
            continue;
        }
        misses += 1;
        // Without a hit, the exact motion enters by no more than the tolerance that the guide states.
        let path = Path::new(case.exact_pair(), case.motion.as_dvec2().to_array());
        let size = extent(&case.a, &case.b) + case.motion.as_dvec2().length();
        let (depth, time) = path.deepest(1.0);
        assert!(depth <= 1e-9 * size, "{depth:?} deep at {time:?}\n{}", case.source());
    }
    assert!(hits > 2000 && misses > 2000, "{hits} hits and {misses} misses");
}
