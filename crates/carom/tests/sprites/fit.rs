//! Shapes fitted to bitmaps (F1): coverage, minimality and quality.

use carom::fit;
use carom::prelude::*;

/// Numbers from a linear congruential generator (Knuth's MMIX).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((self.0 >> 33) % u64::from(end)) as u32
    }
}

/// Returns a bitmap of overlapping discs with a disc cut out, and some single pixels.
fn sprite(seed: u64) -> Bitmap {
    let mut numbers = Numbers(seed);
    let size = 20 + numbers.below(60);
    let mut discs: Vec<(f32, f32, f32)> = Vec::new();
    for _ in 0..2 + numbers.below(4) {
        let mut place = || numbers.below(size) as f32;
        let (x, y) = (place(), place());
        discs.push((x, y, 2.0 + numbers.below(size / 3) as f32));
    }
    let holds = |&(x, y, r): &(f32, f32, f32), at: Vec2| (at - Vec2::new(x, y)).length() < r;
    Bitmap::from_fn(size, size, |x, y| {
        let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
        let dust = numbers.below(40) == 0;
        (discs[1..].iter().any(|disc| holds(disc, at)) && !holds(&discs[0], at)) != dust
    })
}

fn mask(bitmap: &Bitmap) -> Mask {
    Mask::new([0.0, 0.0], 1.0, bitmap.clone())
}

#[test]
fn f1_every_fit_around_a_sprite_covers_it() {
    for seed in 0..40 {
        let sprite = sprite(seed);
        let pixels = mask(&sprite);
        let fits: [Shape; 6] = [
            fit::aabb(&sprite).unwrap().into(),
            fit::obb(&sprite).unwrap().into(),
            fit::circle(&sprite).unwrap().into(),
            fit::ellipse(&sprite).unwrap().into(),
            fit::hull(&sprite).unwrap().into(),
            Compound::new(fit::boxes(&sprite, 8)).into(),
        ];
        for fit in &fits {
            assert!(fit.contains(&pixels), "{} of sprite {seed}", fit.kind());
            let quality = fit::quality(&sprite, fit);
            assert!(quality.missed.abs() < 0.1, "{} of sprite {seed}: {quality:?}", fit.kind());
        }
        let areas = fits.map(|fit| fit.area());
        let [aabb, rect, circle, ellipse, hull, boxes] = areas;
        assert!(hull <= rect && rect <= aabb * 1.00001 && boxes <= aabb, "{areas:?}");
        assert!(hull <= ellipse && ellipse <= circle * 1.001, "{areas:?}");
    }
}

#[test]
fn f1_smallest_fits_are_minimal() {
    for seed in 0..20 {
        let sprite = sprite(seed);
        let hull = fit::hull(&sprite).unwrap();
        // A slightly smaller circle contains it at no nearby center.
        let circle = fit::circle(&sprite).unwrap();
        for step in 0..400 {
            let by = Vec2::from_angle(step as f32) * (step as f32 / 400.0) * 2.0;
            let other = Circle::new(circle.center() + by, circle.radius() * 0.9999);
            assert!(!other.contains(&hull), "sprite {seed}: {other:?}");
        }
        // No box at a hundred other angles is smaller.
        let rect = fit::obb(&sprite).unwrap();
        for step in 0..100 {
            let bounds = hull.rotated(step as f32 * 0.0157, [0.0, 0.0]).bounds();
            assert!(rect.area() <= bounds.area() * 1.0001, "sprite {seed}, step {step}");
        }
    }
    // Known results.
    let square = Bitmap::from_fn(10, 10, |_, _| true);
    assert_eq!(fit::obb(&square).unwrap(), Obb::new([5.0, 5.0], [5.0, 5.0], 0.0));
    assert!((fit::circle(&square).unwrap().radius() - 50f32.sqrt()).abs() < 1e-5);
    let ellipse = fit::ellipse(&Bitmap::from_fn(20, 10, |_, _| true)).unwrap();
    let expected = Vec2::new(10.0, 5.0) * 2f32.sqrt();
    assert!((ellipse.radii() - expected).abs().max_element() < 0.02, "{ellipse:?}");
}

#[test]
fn f1_polygons_are_simple_and_respect_the_bias() {
    for seed in 0..40 {
        let sprite = sprite(seed);
        let pixels = mask(&sprite);
        let mut clear = sprite.clone();
        clear.invert();
        let ground = mask(&clear);
        for tolerance in [0.0, 0.75, 2.0] {
            let around = fit::polygons_around(&sprite, tolerance);
            let around = Compound::new(around);
            assert!(around.contains(&pixels), "sprite {seed}, tolerance {tolerance}");
            for polygon in &fit::polygons_within(&sprite, tolerance) {
                assert!(!polygon.overlaps(&ground), "sprite {seed}, tolerance {tolerance}");
            }
            let near = fit::polygons_approx(&sprite, tolerance);
            // No two polygons cross: neither contains a vertex of the other.
            for (i, a) in near.iter().enumerate() {
                assert!(near[..i].iter().all(|b| !a.overlaps(b)), "sprite {seed}");
            }
            if tolerance == 0.0 {
                let quality = fit::quality(&sprite, &around);
                assert!(quality.outside.abs() < 1e-3 && quality.missed.abs() < 1e-3, "{quality:?}");
            }
        }
    }
}

#[test]
fn f1_simplifying_stays_within_the_tolerance_and_leaves_few_vertices() {
    let disc =
        Bitmap::from_fn(64, 64, |x, y| Vec2::new(x as f32 - 31.5, y as f32 - 31.5).length() < 30.0);
    let exact = fit::polygons_approx(&disc, 0.0);
    let simple = fit::polygons_approx(&disc, 1.0);
    let (corners, before) = (simple[0].outer().len(), exact[0].outer().len());
    assert!(corners <= 32 && before > 100, "{corners} corners of {before}");
    assert!(fit::quality(&disc, &simple[0]).iou() > 0.96);
    for &corner in exact[0].outer() {
        assert!(simple[0].outline_distance(&Point::new(corner)) <= 1.0001);
    }
    let parts = fit::convex_parts(&disc, 1.0);
    let area: f32 = parts.iter().map(|part| part.area()).sum();
    assert!((area - simple[0].area()).abs() < 0.1);
}

#[test]
fn f1_holes_are_kept_and_regions_that_touch_at_a_corner_are_separate() {
    let ring = Bitmap::from_rows(&["#####", "#...#", "#.#.#", "#...#", "#####"]);
    let polygons = fit::polygons_around(&ring, 0.0);
    assert_eq!(polygons.len(), 2);
    assert_eq!((polygons[0].holes().count(), polygons[1].holes().count()), (1, 0));
    // The holes of these touch at a corner, and so do the regions.
    let lattice = Bitmap::from_rows(&["####", "#.##", "##.#", "####"]);
    assert_eq!(fit::polygons_approx(&lattice, 0.0)[0].holes().count(), 2);
    assert_eq!(fit::polygons_approx(&Bitmap::from_rows(&["#.", ".#"]), 0.0).len(), 2);
    let pinched = Bitmap::from_rows(&[".##", "#.#", "###"]);
    let [polygon] = &fit::polygons_around(&pinched, 0.0)[..] else { panic!("one area") };
    assert_eq!((polygon.holes().count(), polygon.area()), (1, 7.0));
}

#[test]
fn f1_boxes_are_few_and_do_not_overlap() {
    let tee = Bitmap::from_rows(&["#######", "...#...", "...#...", "...#..."]);
    let boxes = fit::boxes(&tee, 5);
    let expected = [Aabb::new([0.0, 0.0], [7.0, 1.0]), Aabb::new([3.0, 1.0], [4.0, 4.0])];
    assert_eq!(boxes, expected);
    for seed in 0..20 {
        let sprite = sprite(seed);
        let mut before = f32::INFINITY;
        for most in 1..10 {
            let boxes = fit::boxes(&sprite, most);
            assert!(boxes.len() <= most);
            for (i, a) in boxes.iter().enumerate() {
                assert!(boxes[..i].iter().all(|b| !a.overlaps(b)));
            }
            let area: f32 = boxes.iter().map(|aabb| aabb.area()).sum();
            assert!(area <= before);
            before = area;
        }
    }
}

#[test]
fn f1_an_empty_bitmap_has_no_fit() {
    let clear = Bitmap::new(8, 8);
    assert!(fit::aabb(&clear).is_none() && fit::obb(&clear).is_none());
    assert!(fit::circle(&clear).is_none() && fit::ellipse(&clear).is_none());
    assert!(fit::hull(&clear).is_none() && fit::boxes(&clear, 4).is_empty());
    assert!(fit::polygons_around(&clear, 1.0).is_empty());
}

#[test]
fn f1_quality_measures_inside_outside_and_missed_area() {
    let sprite = Bitmap::from_rows(&["....", ".##.", ".##.", "...."]);
    let quality = fit::quality(&sprite, &Aabb::new([2.0, -1.0], [5.0, 2.0]));
    assert_eq!((quality.inside, quality.outside, quality.missed), (1.0, 8.0, 3.0));
    let disc = fit::quality(&sprite, &Circle::new([2.0, 2.0], 1.0));
    assert!((disc.inside - core::f64::consts::PI).abs() < 0.01 && disc.outside < 1e-6, "{disc:?}");
    let perfect = fit::quality(&sprite, &mask(&sprite));
    assert_eq!(perfect.iou(), 1.0);
}
