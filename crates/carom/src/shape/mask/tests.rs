use crate::prelude::*;
use crate::query::parts::any_pair;
use crate::query::relation::verdict;

/// A disc of pixels.
fn disc(size: u32) -> Bitmap {
    let middle = f64::from(size) / 2.0;
    Bitmap::from_fn(size, size, |x, y| {
        let (x, y) = (f64::from(x) + 0.5 - middle, f64::from(y) + 0.5 - middle);
        x * x + y * y < middle * middle
    })
}

#[test]
fn many_pixels_at_a_time_agree_with_the_parts() {
    let blots = [disc(9), disc(70), Bitmap::from_rows(&["#.#", ".#.", "##."])];
    let mut found = [0; 3];
    for (i, (a, b)) in blots.iter().flat_map(|a| blots.iter().map(move |b| (a, b))).enumerate() {
        for pixel in [1.0, 0.3] {
            for angle in [0.0, ::core::f32::consts::FRAC_PI_2, 0.4] {
                let a = Mask::new([0.0, 0.0], pixel, a.clone()).rotated(angle, [0.0, 0.0]);
                for step in 0..24 {
                    // Every fourth lies beside the other, and may touch it.
                    let way = match step % 4 {
                        0 => Vec2::new(a.bitmap().width() as f32, (step / 4) as f32),
                        _ => Vec2::from_angle((step + i as i32) as f32) * (step * 3) as f32,
                    } * pixel;
                    let b = Mask::new(way, pixel, b.clone()).rotated(angle, [0.0, 0.0]);
                    let orders = |a: &Mask, b: &Mask| {
                        let (a, b) = (a.as_shape(), b.as_shape());
                        let touches =
                            any_pair(&a, &b, &mut |a, b| verdict(&a.core, &b.core).is_le());
                        let overlaps =
                            any_pair(&a, &b, &mut |a, b| verdict(&a.core, &b.core).is_lt());
                        (touches, overlaps)
                    };
                    let (touches, overlaps) = orders(&a, &b);
                    assert_eq!(
                        (a.intersects(&b), a.overlaps(&b)),
                        (touches, overlaps),
                        "{a:?} {b:?}"
                    );
                    assert_eq!((b.intersects(&a), b.overlaps(&a)), (touches, overlaps));
                    found[usize::from(touches) + usize::from(overlaps)] += 1;
                }
            }
        }
    }
    assert!(found.iter().all(|&count| count > 10), "apart, touching, overlapping: {found:?}");
}

#[test]
fn a_vast_mask_can_be_asked_about() {
    let mut pixels = Bitmap::new(16_384, 16_384);
    for place in (0..16_384).step_by(4096) {
        pixels.set([place, place], true);
        pixels.set([place, 16_383 - place], true);
    }
    let vast = Mask::new([0.0, 0.0], 1.0, pixels);
    let other = vast.translated([1.5, 0.0]);
    assert!(!vast.overlaps(&other) && !vast.intersects(&other));
    assert!(!vast.intersects(&Aabb::new([100.0, 50.0], [16_000.0, 90.0])));
    assert!(vast.contains(&Aabb::new([4096.0, 4096.0], [4097.0, 4097.0])));
    assert_eq!(vast.distance(&Circle::new([4000.5, 4096.5], 10.0)), 85.5);
}

#[test]
fn edits_leave_copies_alone() {
    let mask = Mask::from_rows([0.0, 0.0], 1.0, &["##", "##"]);
    let mut copy = mask.translated([5.0, 0.0]);
    assert!(alloc::sync::Arc::ptr_eq(&copy.pixels, &mask.pixels));
    copy.edit(|pixels| *pixels = disc(30));
    assert_eq!(mask.bounds(), Aabb::new([0.0, 0.0], [2.0, 2.0]));
    assert_eq!(copy.bounds(), Aabb::new([5.0, 0.0], [35.0, 30.0]));
    assert!(copy.overlaps(&Circle::new([20.0, 15.0], 1.0)));
}
