//! Compares composite shapes that were placed after their construction with the exact oracle: polygons with
//! holes, chains, compounds, masks and tile maps with slopes, rotated by any angle, flipped, scaled and moved
//! far away, against every kind of shape.
//!
//! The oracle takes the outlines of polygons and the corners of tiles and pixels as they are after placement.
//! It does not use the library's convex parts.

use crate::support::cases::Case;
use crate::support::harness::CheckResult;
use crate::support::oracle::decompose;
use crate::support::rng::Rng;
use crate::{contains, exact, rays, sweeps};
use carom::prelude::*;

const COMPOSITES: [&str; 5] = ["Polygon", "Chain", "Compound", "TileMap", "Mask"];

/// Returns `true` if all polygons still have a valid outline after rounding. Otherwise the shape is not
/// defined by its outline; see the documentation of [`Polygon`].
fn is_defined_by_outlines(shape: &Shape) -> bool {
    match shape {
        Shape::Polygon(polygon) => {
            let holes: Vec<Vec<Vec2>> = polygon.holes().map(<[_]>::to_vec).collect();
            Polygon::try_with_holes(polygon.outer(), &holes).is_ok()
        }
        Shape::Compound(compound) => compound.parts().iter().all(is_defined_by_outlines),
        _ => true,
    }
}

/// Places both shapes of a case at the same pose, and often moves the second so that it has a vertex in common
/// with the first.
pub(crate) fn placed(case: &Case, rng: &mut Rng) -> Option<Case> {
    let Case { seed, a, b, motion, .. } = case;
    let size = decompose::points(a).iter().fold(0.0f32, |size, p| size.max(p.abs().max_element()));
    if !(1e-3..1e6).contains(&size) {
        return None; // The generator has made a huge or a tiny case already.
    }
    let angle = rng.pick(&[0.0, 0.7, core::f32::consts::FRAC_PI_2, 3.0 * rng.clone().signed()]);
    let far = rng.pick(&[0.0, 1.0, 100.0, 1e4, 1e6]);
    let at = Vec2::new(rng.signed(), rng.signed()) * far * size;
    let pose = Pose::new(at, angle).with_scale(rng.pick(&[1.0, 1.0, 0.3, 7.0]));
    let flip = rng.pick(&Flip::ALL);
    let (a, mut b) = (a.flipped(flip).transformed(&pose), b.flipped(flip).transformed(&pose));
    if rng.one_in(2) {
        let (to, from) = (rng.pick(&decompose::points(&a)), rng.pick(&decompose::points(&b)));
        b = b.translated(to - from);
    }
    let motion = pose.rotation.rotate(flip.apply(*motion)) * pose.scale;
    let is_valid = is_defined_by_outlines(&a) && is_defined_by_outlines(&b) && motion.is_finite();
    is_valid.then(|| Case::of(*seed, a, b, motion))
}

/// Checks a number of cases for each composite with each kind of shape. `CAROM_CASES` overrides the number.
fn check(law: fn(&Case) -> CheckResult, cases: u64) {
    let cases = std::env::var("CAROM_CASES").map_or(cases, |n| n.parse().expect("a number"));
    let mut failures = Vec::new();
    let mut checked = 0;
    for (i, composite) in COMPOSITES.into_iter().enumerate() {
        for other in Shape::KINDS {
            for round in 0..cases {
                let mut rng = Rng::new(round * 64 + i as u64);
                let pair = if rng.one_in(2) { [composite, other] } else { [other, composite] };
                let case = Case::new(pair[0], pair[1], rng.next());
                let Some(case) = placed(&case, &mut rng) else { continue };
                checked += 1;
                if let Err(message) = law(&case) {
                    failures.push(format!(
                        "{} and {}: {message}\n{}",
                        pair[0],
                        pair[1],
                        case.source()
                    ));
                }
            }
        }
    }
    assert!(checked > 20 * cases, "only {checked} cases are within range");
    failures.sort_by_key(String::len);
    let shortest = failures.first();
    assert!(failures.is_empty(), "{} of {checked} cases: {}", failures.len(), shortest.unwrap());
}

#[test]
fn intersects_and_overlaps_are_exact_after_placement() {
    check(exact::intersects_and_overlaps_are_exact, 60);
}

/// Adds one-way platforms to the tile maps of a case. For queries without motion they are segments.
pub(crate) fn with_platforms(case: &Case, rng: &mut Rng) -> Case {
    let mut add = |shape: &Shape| {
        let Shape::TileMap(map) = shape else { return shape.clone() };
        let mut map = map.clone();
        let (columns, rows) = (map.columns(), map.rows());
        for cell in (0..rows).flat_map(|y| (0..columns).map(move |x| Cell::new(x, y))) {
            let up = rng.pick(&[Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y]);
            let [a, b, c] = [(); 3].map(|()| rng.below(5) as f32 / 4.0);
            let line = TileKind::try_one_way_line([a, b], [c, 0.5]);
            let kind = if rng.one_in(2) { Ok(TileKind::one_way(up)) } else { line };
            if let (true, Ok(kind)) = (rng.one_in(3), kind) {
                let number = map.add_kind(kind);
                map.set(cell, number);
            }
        }
        map.into()
    };
    Case::of(case.seed, add(&case.a), add(&case.b), case.motion)
}

#[test]
fn one_way_platforms_are_segments_in_queries_without_motion() {
    let cases = std::env::var("CAROM_CASES").map_or(40, |n| n.parse().expect("a number"));
    let (mut checked, mut contained) = (0, 0);
    for kind in Shape::KINDS {
        for round in 0..cases {
            let mut rng = Rng::new(round * 64 + 7);
            let pair = if rng.one_in(3) { [kind, "TileMap"] } else { ["TileMap", kind] };
            let case = with_platforms(&Case::new(pair[0], pair[1], rng.next()), &mut rng);
            let case = if rng.one_in(3) { Some(case) } else { placed(&case, &mut rng) };
            let Some(case) = case else { continue };
            checked += 1;
            contained += u32::from(case.a.contains(&case.b));
            for law in [
                exact::intersects_and_overlaps_are_exact,
                contains::contains_is_exact,
                exact::distances_are_accurate,
            ] {
                law(&case).unwrap_or_else(|message| panic!("{message}\n{}", case.source()));
            }
        }
    }
    assert!(checked > 10 * cases && u64::from(contained) > cases / 4, "{checked} {contained}");
}

#[test]
fn contains_is_exact_after_placement() {
    check(contains::contains_is_exact, 20);
}

#[test]
fn distances_are_accurate_after_placement() {
    check(exact::distances_are_accurate, 40);
}

#[test]
fn ray_hits_are_neither_early_nor_late_after_placement() {
    check(rays::ray_hits_are_neither_early_nor_late, 20);
}

#[test]
fn sweep_hits_are_neither_early_nor_late_after_placement() {
    check(sweeps::sweep_hits_are_neither_early_nor_late_nor_spurious, 10);
}

#[test]
fn a_mask_far_away_contains_a_circle_across_pixels_without_width() {
    // The clear column in the middle is rounded to no width, so the pixels beside it are flush.
    let pose = Pose::from_translation([54_133_430.0, 47_491_280.0]);
    let mask = Mask::from_rows([0.0, 0.0], 3.0, &["#.##", "##.#", "...#", ".###"]);
    let circle = Circle::new([54_133_440.0, 47_491_288.0], 1.0);
    assert!(mask.transformed(&pose).contains(&circle));
}
