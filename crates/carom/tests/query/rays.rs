//! Compares ray casts with the oracle. The ray starts at the first point of the case's first shape and goes
//! along the case's motion.

use crate::support::cases::Case;
use crate::support::harness::CheckResult;
use crate::support::oracle::sweep::Path;
use crate::support::oracle::{decompose, predicates};
use crate::support::rng::Rng;
use crate::support::{exact_pair, extent, ulp};
use carom::prelude::*;

laws!(600 ray_hits_are_neither_early_nor_late);

pub(crate) fn ray_hits_are_neither_early_nor_late(case: &Case) -> CheckResult {
    ray_of(case).map_or(Ok(()), |ray| check_hit(case, case.b.raycast(&ray)))
}

/// Returns the ray of a case.
pub(crate) fn ray_of(Case { a, motion, .. }: &Case) -> Option<Ray> {
    let (origin, max) = (decompose::points(a)[0], motion.length());
    (max.is_normal() && (origin + *motion).is_finite()).then(|| Ray::new(origin, *motion, max))
}

/// Checks the hit of the ray of a case on its second shape.
pub(crate) fn check_hit(Case { a, b, motion, .. }: &Case, hit: Option<RayHit>) -> CheckResult {
    let (origin, max) = (decompose::points(a)[0], motion.length());
    let start = Shape::from(Point::new(origin));
    let end = Shape::from(Point::new(origin + *motion));
    let size = extent(&start, b) + f64::from(max);
    let rounding = 8.0 * ulp(&[&start, &end, b]) + 1e-6 * size;
    let path = Path::new(&exact_pair(&start, b), motion.as_dvec2().to_array());
    let length = motion.as_dvec2().length();
    let Some(hit) = hit else {
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
        // A start that is barely inside counts as on the boundary, and the hit may be after it within the
        // precision of f64.
        let (depth, _) = path.deepest(0.0);
        let is_at_start = distance == 0.0 || depth.max(f64::from(distance)) <= 1e-12 * size;
        ensure!(is_at_start, "within: {distance:?} from inside, {depth:?} deep");
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

#[test]
fn a_ray_along_a_segment_hits_its_near_end_and_one_beside_it_misses() {
    let mut rng = Rng::new(22);
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..20_000 {
        // Multiples of a unit, so that the ray runs exactly along the segment.
        let unit = rng.pick(&[1.0, 0.25, 3.0, 1024.0, 0.001_953_125]);
        let mut number = |most: i64| rng.between(-most, most) as f32 * unit;
        let (end, along) = (Vec2::new(number(999), number(999)), Vec2::new(number(60), number(60)));
        let (back, length) = (1.0 + rng.below(9) as f32, 1.0 + rng.below(9) as f32);
        if along == Vec2::ZERO {
            continue;
        }
        let segment = Segment::new(end, end + along * length);
        let origin = end - along * back;
        let max = along.length() * (back + length);
        for shape in [segment.into(), Shape::from(Chain::new(&[segment.b(), segment.a()]))] {
            let hit = shape.raycast(&Ray::new(origin, along, max));
            let hit = hit.unwrap_or_else(|| panic!("{origin} along {along} misses {shape:?}"));
            let expected = f64::from(back) * along.as_dvec2().length();
            assert!((f64::from(hit.distance) - expected).abs() <= 1e-6 * expected, "{hit:?}");
            assert!(hit.point.distance(end) <= 1e-6 * (end.length() + max), "{hit:?} at {end}");
            hits += 1;
            // Parallel to the segment, and beside it by the least number there is (not around 0, where that is
            // less than 1e-12 of the coordinates).
            let (beside, moved) = match along.x.abs() > along.y.abs() {
                true => (Vec2::new(origin.x, origin.y.next_up()), origin.y),
                false => (Vec2::new(origin.x.next_down(), origin.y), origin.x),
            };
            if moved.abs() > 1e-3 * max {
                let hit = shape.raycast(&Ray::new(beside, along, max));
                assert_eq!(hit, None, "{beside} along {along}, {shape:?}");
                misses += 1;
            }
        }
    }
    assert!(hits > 30_000 && misses > 30_000, "{hits} {misses}");
}

#[test]
fn a_ray_that_ends_exactly_on_a_round_shape_hits_it() {
    let ray = Ray::new([0.0, 0.0], [1.0, 0.0], 4.0);
    assert_eq!(Circle::new([5.0, 0.0], 1.0).raycast(&ray).unwrap().distance, 4.0);
    let capsule = Capsule::new([3.0, 1.0], [1.5, 3.0], 0.5);
    let ray = Ray::new([0.0, 0.0], [2.0, 1.5], 2.5);
    assert_eq!(capsule.raycast(&ray).unwrap().distance, 2.5);
}

#[test]
fn the_first_of_all_hits_is_the_hit() {
    for a in Shape::KINDS {
        for b in Shape::KINDS {
            for seed in 0..20 {
                let case = Case::new(a, b, seed);
                let Some(ray) = ray_of(&case) else { continue };
                let first = case.b.raycast_all(&ray).first().copied();
                assert_eq!(case.b.raycast(&ray), first, "{}", case.source());
            }
        }
    }
}

#[test]
fn a_ray_that_starts_barely_inside_a_thin_capsule_hits_it_at_the_start() {
    // The start is inside by less than the precision of f64.
    let thin =
        Capsule::new([1.280_238_05e-8, 30771.55], [4.273_906e-8, -4_825_690.0], 8.881_784e-16);
    let ray = Ray::new([1.280_238_1e-8, 30771.55], [0.0, -2.0], 2.0);
    assert!(thin.raycast(&ray).unwrap().distance < 1e-9);
}
