//! Pixel masks: positions of pixels (S5), mask against mask (M1), and queries against other shapes (M3). Bitmaps
//! (M2) are tested beside their source.

use core::f32::consts::FRAC_PI_2;

use crate::support::rng::Rng;
use carom::prelude::*;

fn disc(size: u32) -> Bitmap {
    let middle = size as f32 / 2.0;
    Bitmap::from_fn(size, size, |x, y| {
        Vec2::new(x as f32 + 0.5 - middle, y as f32 + 0.5 - middle).length() < middle
    })
}

#[test]
fn s5_masks_have_a_position_a_pixel_size_a_rotation_and_a_flip() {
    let flag = Mask::from_rows([10.0, 20.0], 2.0, &["##.", "#.."]);
    assert_eq!(flag.bounds(), Aabb::new([10.0, 20.0], [14.0, 24.0]));
    assert_eq!(
        (flag.area(), flag.centroid()),
        (12.0, Vec2::new(10.0 + 5.0 / 3.0, 20.0 + 5.0 / 3.0))
    );
    assert_eq!(flag.pixel_at([13.0, 21.0]), Some(Cell::new(1, 0)));
    assert_eq!(flag.pixel_at([9.0, 21.0]), None);
    let holds = |mask: &Mask, x: f32, y: f32| mask.contains(&Point::new([x, y]));
    assert!(holds(&flag, 13.0, 21.0) && !holds(&flag, 13.0, 23.0));
    let mirrored = flag.flipped(Flip::X);
    assert!(holds(&mirrored, -13.0, 21.0) && !holds(&mirrored, -13.0, 23.0));
    let turned = flag.rotated(FRAC_PI_2, [0.0, 0.0]);
    assert!(holds(&turned, -21.0, 13.0) && !holds(&turned, -23.0, 13.0));
    let placed = flag.transformed(&Pose::new([100.0, 0.0], 0.5).with_scale(3.0));
    let at = |x: f32, y: f32| {
        Vec2::new(100.0, 0.0) + Vec2::from_angle(0.5).rotate(Vec2::new(x, y) * 3.0)
    };
    assert!(placed.contains(&Circle::new(at(11.0, 21.0), 2.9)));
    assert!(!placed.intersects(&Circle::new(at(13.5, 23.5), 4.0)));
}

#[test]
fn m3_masks_intersect_other_shapes_pixel_by_pixel() {
    let sieve = Mask::from_rows([0.0, 0.0], 4.0, &["###", "#.#", "###"]);
    let through = [
        Shape::from(Circle::new([6.0, 6.0], 2.0)),
        Aabb::new([4.0, 4.0], [8.0, 8.0]).into(),
        Capsule::new([5.0, 6.0], [7.0, 6.0], 1.0).into(),
        Polygon::new(&[[4.0, 4.0], [8.0, 4.0], [4.5, 4.5], [4.0, 8.0]]).into(),
        Mask::from_rows([4.0, 4.0], 1.0, &["####", "####"]).into(),
        Mask::from_rows([5.0, 5.0], 1.0, &["##", "##"]).rotated(0.7, [6.0, 6.0]).into(),
    ];
    for shape in &through {
        assert!(!sieve.overlaps(shape), "{shape:?}");
        let moved = shape.translated([2.5, 0.0]);
        assert!(sieve.overlaps(&moved) && moved.overlaps(&sieve), "{shape:?}");
        let push = moved.contact(&sieve).unwrap().push;
        assert!(!moved.translated(push).overlaps(&sieve), "{shape:?} pushed by {push}");
        assert!(push.length() < 2.6, "{shape:?} pushed by {push}");
    }
    assert!(sieve.outline_intersects(&Circle::new([2.0, 2.0], 2.0)));
    assert!(!sieve.outline_intersects(&Segment::new([1.0, 2.0], [11.0, 2.0])));
    let hits = sieve.raycast_all(&Ray::new([-5.0, 6.0], [1.0, 0.0], 100.0));
    assert_eq!(
        hits.iter().map(|hit| (hit.distance, hit.exit)).collect::<Vec<_>>(),
        [(5.0, 9.0), (13.0, 17.0)]
    );
}

#[test]
fn m1_the_push_between_masks_is_the_shortest() {
    // Two discs with a diameter of 64 pixels whose centers are 50 apart.
    let (a, b) = (Mask::new([0.0, 0.0], 1.0, disc(64)), Mask::new([30.0, 40.0], 1.0, disc(64)));
    let contact = a.contact(&b).unwrap();
    assert!((contact.depth - 14.0).abs() < 1.0, "{contact:?}");
    assert!(contact.normal.dot(Vec2::new(-0.6, -0.8)) > 0.98, "{contact:?}");
    assert!(!a.translated(contact.push).overlaps(&b));
    // No shorter push separates them.
    for step in 0..64 {
        let way = Vec2::from_angle(step as f32 * core::f32::consts::TAU / 64.0);
        assert!(a.translated(way * (contact.depth - 0.01)).overlaps(&b), "{way}");
    }
    // A tooth in a gap of its size is pushed straight up.
    let comb = Mask::from_rows([0.0, 0.0], 0.1, &["#####", "#.#.#", "#.#.#", "#.#.#"]);
    let tooth = Mask::from_rows([0.1, 0.05], 0.1, &["#", "#", "#"]);
    let contact = tooth.contact(&comb).unwrap();
    assert_eq!(contact.normal, Vec2::new(0.0, 1.0));
    assert!((contact.depth - 0.05).abs() < 1e-6 && !tooth.translated(contact.push).overlaps(&comb));
}

#[test]
fn r10_swept_masks_stop_where_their_pixels_touch() {
    let comb = Mask::from_rows([0.0, 0.0], 1.0, &["#.#", "#.#", "###"]); // y down: open at the top
    let peg = Mask::from_rows([1.0, -500.0], 1.0, &["#", "#"]);
    let hit = peg.sweep([0.0, 1000.0], &comb).unwrap();
    assert_eq!((hit.time, hit.normal), (0.5, Vec2::new(0.0, -1.0)));
    let hit = peg.translated([0.5, 0.0]).sweep([0.0, 1000.0], &comb).unwrap();
    assert_eq!((hit.time, hit.normal), (0.498, Vec2::new(0.0, -1.0)));
    let turned = peg.rotated(0.3, [1.5, -499.0]);
    let hit = turned.sweep([0.0, 1000.0], &comb).unwrap();
    assert!(!turned.translated(Vec2::new(0.0, 1000.0) * hit.time).overlaps(&comb));
    assert!(hit.time < 0.5);
}

/// Returns the eight images of a mask under flips and quarter turns, each with the bitmap that has the same
/// pixels where it is.
fn images(bitmap: &Bitmap) -> Vec<(Mask, Mask)> {
    let (width, height) = (bitmap.width(), bitmap.height());
    let mut images = Vec::new();
    for flip in [Flip::NONE, Flip::X, Flip::Y, Flip::BOTH] {
        for quarter in 0..2 {
            let image = Mask::new([0.0, 0.0], 2.0, bitmap.clone())
                .flipped(flip)
                .rotated(quarter as f32 * FRAC_PI_2, [0.0, 0.0]);
            let bounds = image.bounds();
            let low = bounds.min();
            let size = if quarter == 0 { (width, height) } else { (height, width) };
            let plain = Bitmap::from_fn(size.0, size.1, |x, y| {
                let middle = low + Vec2::new(x as f32 + 0.5, y as f32 + 0.5) * 2.0;
                image.pixel_at(middle).is_some_and(|pixel| bitmap.get(pixel))
            });
            images.push((image, Mask::new(low, 2.0, plain)));
        }
    }
    images
}

#[test]
fn m1_flipped_and_quarter_turned_masks_are_compared_like_plain_ones() {
    let mut rng = Rng::new(9);
    let mut sprite = |width: u32, height: u32| {
        let corner = [rng.below(70) as u32, rng.below(70) as u32];
        Bitmap::from_fn(width, height, |x, y| {
            rng.one_in(5) || (x > corner[0] && y > corner[1] && x + y < corner[0] + corner[1] + 50)
        })
    };
    let (one, other) = (sprite(70, 66), sprite(40, 90));
    let mut overlaps = 0;
    for (a, plain_a) in images(&one) {
        for (b, plain_b) in images(&other) {
            for by in [[90.0, 100.0], [101.0, 60.0], [130.0, -2.5], [0.0, 0.0], [-137.0, 177.0]] {
                let (b, plain_b) = (b.translated(by), plain_b.translated(by));
                assert_eq!(a.overlaps(&b), plain_a.overlaps(&plain_b));
                assert_eq!(a.intersects(&b), plain_a.intersects(&plain_b));
                let (contact, plain) = (a.contact(&b), plain_a.contact(&plain_b));
                assert_eq!(contact.map(|c| c.depth), plain.map(|c| c.depth));
                if let Some(contact) = contact.filter(|contact| contact.depth > 0.0) {
                    assert!(!a.translated(contact.push).overlaps(&b));
                    assert!((contact.push.length() - contact.depth).abs() < 1e-3);
                    overlaps += 1;
                }
            }
        }
    }
    assert!(overlaps > 60, "{overlaps}");
}
