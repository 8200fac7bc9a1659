//! Tests that the pairs agree with brute force in difficult scenes, and that their order does not depend on
//! previous calls.

use alloc::vec::Vec;

use super::*;
use crate::broad::BruteForce;
use crate::broad::packed_bvh::tests::Random;
use crate::broad::shared::visitors::PairSink;
use crate::math::Vec2;
use carom_simd::BoxEntry;

type Scene = Vec<(Aabb, Mobility)>;
/// A source of random numbers between two limits.
type Between<'a> = &'a mut dyn FnMut(f32, f32) -> f32;

fn sized(x: f32, y: f32, width: f32, height: f32) -> Aabb {
    Aabb::new_unchecked(Vec2::new(x, y), Vec2::new(x + width, y + height))
}

/// Returns scenes of `count` boxes, all moving.
fn scenes(count: usize) -> Vec<(&'static str, Vec<Aabb>)> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let side = (count as f32).sqrt();
    let mut many = |make: &mut dyn FnMut(Between<'_>, usize) -> Aabb| {
        let mut between = |low, high| random.within(low, high);
        (0..count).map(|i| make(&mut between, i)).collect::<Vec<_>>()
    };
    let uniform = many(&mut |r, _| sized(r(0.0, side), r(0.0, side), 1.0, 1.0));
    let with = |last: Aabb| {
        let mut boxes = uniform.clone();
        boxes[count / 3] = last;
        boxes
    };
    Vec::from([
        ("one outlier", with(sized(1e8, 1e8, 1.0, 1.0))),
        ("one outlier far out", with(sized(-1e30, 3e38, 1.0, 1.0))),
        ("one giant", with(sized(-1e9, -1e9, 2e9, 2e9))),
        ("all there is", with(sized(f32::MIN, f32::MIN, f32::INFINITY, f32::INFINITY))),
        ("a row", many(&mut |r, _| sized(r(0.0, count as f32), 0.0, 1.0, 1.0))),
        ("a column", many(&mut |r, _| sized(0.0, r(0.0, count as f32), 1.0, 1.0))),
        ("one position", many(&mut |_, i| sized(3.0, -7.0, 1.0, if i < 300 { 1.0 } else { -0.0 }))),
        ("points", many(&mut |r, _| sized(r(0.0, 30.0).floor(), r(0.0, 30.0).floor(), 0.0, 0.0))),
        (
            "denormal",
            many(&mut |r, _| {
                let tiny = f32::from_bits(3);
                sized(r(0.0, side).floor() * tiny, r(0.0, side).floor() * tiny, tiny, tiny)
            }),
        ),
        (
            "dust and one big box",
            many(&mut |r, i| match i {
                0 => sized(0.0, 0.0, 1000.0, 1000.0),
                _ => sized(500.0 + r(0.0, 0.01), 500.0 + r(0.0, 0.01), 1e-4, 1e-4),
            }),
        ),
        (
            "dust and sand",
            many(&mut |r, i| match i % 10 {
                0 => sized(r(0.0, 1e5), r(0.0, 1e5), 100.0, 100.0),
                _ => sized(r(0.0, 0.1), r(0.0, 0.1), 1e-3, 1e-3),
            }),
        ),
        (
            "clusters",
            many(&mut |r, i| {
                let [x, y] = [i % 4, i % 3].map(|n| n as f32 * 50.0 * side);
                sized(x + r(0.0, side), y + r(0.0, side), 1.0, 1.0)
            }),
        ),
        (
            "long and thin",
            many(&mut |r, i| match i % 3 {
                0 => sized(r(0.0, 100.0), r(0.0, 100.0), 30.0, 0.01),
                1 => sized(r(0.0, 100.0), r(0.0, 100.0), 0.01, 30.0),
                _ => sized(r(0.0, 100.0), r(0.0, 100.0), 0.5, 0.5),
            }),
        ),
        ("tall", many(&mut |r, _| sized(r(0.0, count as f32), r(0.0, 1.0), 0.5, 1e6))),
        (
            "far away",
            many(&mut |r, _| sized(3e38 + r(0.0, 1e37), -3e38 + r(0.0, 1e37), 2e35, 2e35)),
        ),
        (
            "all sizes",
            many(&mut |r, _| {
                let [width, height] = [r(-20.0, 8.0), r(-20.0, 8.0)].map(libm::exp2f);
                sized(r(0.0, side), r(0.0, side), width, height)
            }),
        ),
        ("uniform", uniform),
    ])
}

/// Clamps infinite coordinates of a scene.
fn finite(bounds: &Aabb) -> Aabb {
    let (low, high) = (Vec2::splat(f32::MIN), Vec2::splat(f32::MAX));
    let (min, max) = (bounds.min().clamp(low, high), bounds.max().clamp(low, high));
    Aabb::new_unchecked(min.min(max), max)
}

fn pairs(broad: &mut impl BroadPhase) -> Vec<Pair> {
    let mut pairs = Vec::from([[1, 2]]);
    broad.find_pairs(&mut pairs);
    pairs
}

fn check(name: &str, boxes: &Scene) {
    let (mut strips, mut brute) = (Strips::new(), BruteForce::new());
    for (id, &(bounds, mobility)) in (0..).zip(boxes) {
        strips.set(id, bounds, mobility);
        brute.set(id, bounds, mobility);
    }
    let mut found = pairs(&mut strips);
    found.sort_unstable();
    let expected = pairs(&mut brute);
    assert!(found == expected, "{name}: {} pairs, not {}", found.len(), expected.len());
}

#[test]
fn pairs_agree_with_brute_force_in_every_scene() {
    for count in [0, 1, 2, 15, 17, 128, 129, 700, 2500] {
        for (name, boxes) in scenes(count.max(1)) {
            let boxes = boxes.iter().take(count).map(finite);
            check(name, &boxes.clone().map(|bounds| (bounds, Mobility::Moving)).collect());
            let some = |i| if i % 4 == 0 { Mobility::Moving } else { Mobility::Fixed };
            check(name, &boxes.enumerate().map(|(i, bounds)| (bounds, some(i))).collect());
        }
    }
}

#[test]
fn the_order_of_pairs_does_not_depend_on_previous_calls() {
    for (name, boxes) in scenes(2000) {
        let (mut one, mut other) = (Strips::new(), Strips::new());
        for (id, bounds) in (0..).zip(&boxes) {
            one.set(id, finite(bounds), Mobility::Moving);
        }
        for (id, _) in (0..2000).zip(&boxes).rev() {
            other.set(id, sized(1.0, 1.0, 100.0, 1.0), Mobility::Fixed);
        }
        pairs(&mut other);
        for (id, bounds) in (0..2000).zip(&boxes).rev() {
            other.remove(id ^ 1);
            other.set(id, finite(bounds), Mobility::Moving);
        }
        for (id, bounds) in (0..).zip(&boxes) {
            other.set(id, finite(bounds), Mobility::Moving);
        }
        assert!(pairs(&mut one) == pairs(&mut other), "{name}");
        assert!(pairs(&mut one.clone()) == pairs(&mut other), "{name}");
    }
}

#[test]
fn bands_find_every_pair_once() {
    let mut random = Random(7);
    let mut boxes: Vec<BoxEntry> = (0..200_000)
        .map(|id| {
            let [x, y] = [random.within(0.0, 450.0), random.within(0.0, 450.0)];
            BoxEntry { bounds: [x, y, x + 1.0, y + 1.0], id }
        })
        .collect();
    boxes[1234].bounds = [100.0, -50.0, 101.0, 600.0]; // through all bands
    let search = PairSearch { boxes: &boxes, fixed: None };
    let (mut in_bands, mut at_once) = (Vec::new(), Vec::new());
    Bands::default().find_pairs(search, PairLimit::new(usize::MAX), &mut in_bands);
    let mut sink = PairSink::new(PairLimit::new(usize::MAX), &mut at_once);
    pair_finder::PairFinder::default().find_pairs(search, &mut sink);
    in_bands.sort_unstable();
    at_once.sort_unstable();
    assert!(in_bands == at_once, "{} pairs, not {}", in_bands.len(), at_once.len());
    assert!(in_bands.iter().filter(|pair| pair.contains(&1234)).count() > 500);
}

#[test]
fn the_query_tree_is_kept_up_to_date_and_dropped() {
    use crate::broad::BroadPhaseExt;
    let mut random = Random(11);
    let (mut strips, mut brute) = (Strips::new(), BruteForce::new());
    let everywhere = sized(-1e9, -1e9, 2e9, 2e9);
    for step in 0..4000 {
        let id = (random.within(0.0, 300.0)) as u32;
        let mobility = if id.is_multiple_of(3) { Mobility::Fixed } else { Mobility::Moving };
        let bounds = sized(random.within(0.0, 50.0), random.within(0.0, 50.0), 1.0, 1.0);
        if random.within(0.0, 1.0) < 0.2 {
            assert_eq!(strips.remove(id), brute.remove(id));
        } else {
            strips.set(id, bounds, mobility);
            brute.set(id, bounds, mobility);
        }
        if step % 500 < 200 {
            assert_eq!(strips.intersecting_box(&bounds), brute.intersecting_box(&bounds));
            assert_eq!(strips.nearest([25.0, 25.0], 5), brute.nearest([25.0, 25.0], 5));
        }
        if step % 50 == 0 {
            let (mut found, expected) = (pairs(&mut strips), pairs(&mut brute));
            found.sort_unstable();
            assert_eq!(found, expected);
        }
        assert_eq!((strips.len(), strips.get(id)), (brute.len(), brute.get(id)));
    }
    assert_eq!(strips.intersecting_box(&everywhere).len(), strips.len());
}

#[test]
fn alternating_queries_and_moves_stay_cheap() {
    let mut random = Random(17);
    let mut strips = Strips::new();
    let side = 400.0;
    let mut random_box = || sized(random.within(0.0, side), random.within(0.0, side), 1.0, 1.0);
    for id in 0..10_000 {
        strips.set(id, random_box(), Mobility::Moving);
    }
    // Short moves, long moves, and moves to any position. After the latter, some boxes are on the overflow
    // list, at most four times the square root of their number.
    for (reach, max_tests) in [(0.1, 120), (5.0, 200), (side, 450)] {
        let mut tests = 0;
        for step in 0..20_000u32 {
            let id = step * 7919 % 10_000;
            let (last, _) = strips.get(id).unwrap();
            let mut by = || random.within(-reach, reach);
            let motion = Vec2::new(by(), by()).min(side - last.min()).max(-last.min());
            tests +=
                strips.visit_swept(&SweptAabb::from_motion(&last, motion), &mut |_, _, time| time);
            let moved = Aabb::new_unchecked(last.min() + motion, last.max() + motion);
            strips.set(id, moved, Mobility::Moving);
            tests += strips.visit_intersecting(&moved, &mut |_| ControlFlow::Continue(()));
        }
        let each = tests / 40_000;
        assert!(each < max_tests, "{each} tests per query when moving {reach}");
    }
}

#[test]
fn clones_do_not_see_changes_to_each_other() {
    use crate::broad::BroadPhaseExt;
    let mut random = Random(19);
    let mut random_box = || sized(random.within(0.0, 30.0), random.within(0.0, 30.0), 1.0, 1.0);
    let (mut strips, mut brute) = (Strips::new(), BruteForce::new());
    let mobility = |id: u32| if id.is_multiple_of(4) { Mobility::Fixed } else { Mobility::Moving };
    for id in 0..200 {
        let bounds = random_box();
        strips.set(id, bounds, mobility(id));
        brute.set(id, bounds, mobility(id));
    }
    let agree = |strips: &Strips, brute: &BruteForce| {
        assert_eq!(strips.nearest([15.0, 15.0], 200), brute.nearest([15.0, 15.0], 200));
    };
    agree(&strips, &brute);
    let (snapshot, brute_snapshot) = (strips.clone(), brute.clone());
    for id in (0..200).step_by(3) {
        let bounds = random_box();
        strips.set(id, bounds, mobility(id));
        brute.set(id, bounds, mobility(id));
    }
    agree(&strips, &brute);
    agree(&snapshot, &brute_snapshot);
    strips.clone_from(&snapshot);
    agree(&strips, &brute_snapshot);
}

#[cfg(feature = "parallel")]
#[test]
fn pairs_come_in_the_same_order_with_any_number_of_threads() {
    let mut random = Random(13);
    let mut strips = Strips::new();
    for id in 0..200_000u32 {
        let (x, y) = (random.within(0.0, 450.0), random.within(0.0, 450.0));
        let mobility = if id.is_multiple_of(9) { Mobility::Fixed } else { Mobility::Moving };
        strips.set(id, sized(x, y, 1.0, 1.0), mobility);
    }
    let mut with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| pairs(&mut strips))
    };
    let one = with(1);
    assert!(one.len() > 100_000 && one == with(2) && one == with(5));
}
