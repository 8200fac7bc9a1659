use alloc::vec::Vec;

use crate::prelude::*;
use crate::shape::Island;

/// Numbers from a linear congruential generator (Knuth's MMIX).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((self.0 >> 33) % u64::from(end)) as u32
    }

    /// Returns a bitmap with random rectangles, so that it has long runs, clear blocks and single
    /// pixels.
    fn bitmap(&mut self, width: u32, height: u32) -> Bitmap {
        let mut bitmap = Bitmap::new(width, height);
        for _ in 0..self.below(6) {
            let mut blot = Bitmap::new(1 + self.below(width), 1 + self.below(height));
            blot.fill();
            let at = [self.below(width) as i32 - 5, self.below(height) as i32 - 5];
            if self.below(3) == 0 { bitmap.toggle(&blot, at) } else { bitmap.draw(&blot, at) }
        }
        for _ in 0..self.below(20) {
            let at = [self.below(width), self.below(height)];
            let value = self.below(2) == 0;
            bitmap.set(at, value);
        }
        bitmap
    }
}

/// Calls `test` with 300 random pairs of bitmaps and an offset for each.
fn for_each_pair(mut test: impl FnMut(&Bitmap, &Bitmap, [i32; 2])) {
    let mut numbers = Numbers(7);
    for _ in 0..300 {
        let [w, h, v, k] = [200, 150, 140, 180].map(|side| 1 + numbers.below(side));
        let (a, b) = (numbers.bitmap(w, h), numbers.bitmap(v, k));
        let at = [w, h].map(|side| numbers.below(2 * side) as i32 - side as i32);
        test(&a, &b, at);
    }
}

/// Returns the value of a pixel of the other bitmap, shifted by an offset.
fn get_shifted(other: &Bitmap, [x, y]: [i32; 2], pixel: Cell) -> bool {
    let moved = |at: u32, by: i32| u32::try_from(i64::from(at) - i64::from(by)).unwrap_or(u32::MAX);
    other.get([moved(pixel.column, x), moved(pixel.row, y)])
}

/// Creates a bitmap of the same size, pixel by pixel.
fn by_pixel(like: &Bitmap, mut is_set: impl FnMut(Cell) -> bool) -> Bitmap {
    Bitmap::from_fn(like.width(), like.height(), |x, y| is_set(Cell::new(x, y)))
}

#[test]
fn m1_word_operations_agree_with_single_pixels() {
    let mut overlapping = 0;
    for_each_pair(|a, b, at| {
        let common: Vec<Cell> = a.pixels().filter(|&pixel| get_shifted(b, at, pixel)).collect();
        overlapping += u32::from(!common.is_empty());
        assert_eq!(a.overlaps_at(b, at), !common.is_empty());
        assert_eq!(a.overlap_count(b, at), common.len() as u64);
        assert_eq!(a.first_overlap(b, at), common.first().copied());
        assert_eq!(
            a.overlap(b, at),
            by_pixel(a, |pixel| a.get(pixel) && get_shifted(b, at, pixel))
        );
        let offsets = [-1, 0, 1].map(|x| [-1, 0, 1].map(|y| [at[0] + x, at[1] + y]));
        let any = offsets.as_flattened().iter().any(|&at| a.overlaps_at(b, at));
        let around = |at: i32| at - 1..=at + 1;
        assert_eq!(a.overlaps_at_any(b, around(at[0]), around(at[1])), any);
    });
    assert!(overlapping > 50, "{overlapping} of 300 pairs overlap");
}

/// Uses bitmaps with several steps of rows, and with common pixels in some summaries.
#[test]
fn m1_word_operations_on_large_bitmaps_agree_with_single_pixels() {
    let mut numbers = Numbers(19);
    let mut found = [0; 2];
    for round in 0..60 {
        let [w, h, v, k] = [300, 2200, 300, 2200].map(|side| side / 2 + numbers.below(side / 2));
        let at = [numbers.below(60) as i32 - 30, numbers.below(300) as i32 - 150];
        // Rows of alternating pixels, then random rows, then alternating ones again.
        let [first, last] = [200 + numbers.below(300), 700 + numbers.below(300)];
        let mut spots = Numbers(round);
        let mut a = Bitmap::from_fn(w, h, |x, y| match y {
            _ if y < first || y >= last => x % 2 == 0,
            _ => spots.below(2) == 0,
        });
        let mut b = Bitmap::from_fn(v, k, |x, y| {
            let [x, y] = [x as i32 + at[0], y as i32 + at[1]];
            x < 0 || y < 0 || !a.get([x as u32, y as u32])
        });
        assert!(!a.overlaps_at(&b, at) && a.first_overlap(&b, at).is_none());
        // Now they have a few pixels in common, most of which are removed again.
        for _ in 0..numbers.below(4) {
            let pixel = [numbers.below(w), numbers.below(h)];
            a.set(pixel, !a.get(pixel));
            let pixel = [numbers.below(v), numbers.below(k)];
            b.set(pixel, !b.get(pixel));
        }
        let common: Vec<Cell> = a.pixels().filter(|&pixel| get_shifted(&b, at, pixel)).collect();
        found[usize::from(common.is_empty())] += 1;
        assert_eq!(a.overlaps_at(&b, at), !common.is_empty());
        assert_eq!(a.first_overlap(&b, at), common.first().copied());
        assert_eq!(a.overlap_count(&b, at), common.len() as u64);
    }
    assert!(found.iter().all(|&count| count > 10), "overlapping and disjoint: {found:?}");
}

/// Returns `true` if the summaries are those of the rows, and clear outside.
fn has_correct_summaries(bitmap: &Bitmap) -> bool {
    let count = i64::from(bitmap.height().div_ceil(8));
    (-1..=count).all(|number| {
        let rows = (8 * number..8 * number + 8)
            .filter(|row| (0..i64::from(bitmap.height())).contains(row))
            .map(|row| bitmap.row(row as u32));
        let mut summary = alloc::vec![0; bitmap.summary(number).len()];
        rows.for_each(|row| summary.iter_mut().zip(row).for_each(|(any, word)| *any |= word));
        summary == bitmap.summary(number)
    })
}

#[test]
fn m2_summaries_follow_every_edit() {
    let mut numbers = Numbers(5);
    for_each_pair(|a, b, at| {
        let mut edited = a.clone();
        for _ in 0..8 {
            let pixel = [numbers.below(a.width()), numbers.below(a.height())];
            match numbers.below(9) {
                0 => edited.draw(b, at),
                1 => edited.erase(b, at),
                2 => edited.toggle(b, at),
                3 => edited.keep(b, at),
                4 => edited.invert(),
                5 => edited = edited.flipped(Flip::BOTH),
                6 => edited.clear(),
                value => drop(edited.set(pixel, value == 7)),
            }
            assert!(has_correct_summaries(&edited));
            assert_eq!(edited, by_pixel(&edited, |pixel| edited.get(pixel)));
        }
        assert!(edited.islands().iter().all(|island| has_correct_summaries(&island.pixels)));
    });
}

#[test]
fn m2_combining_bitmaps_agrees_with_single_pixels() {
    for_each_pair(|a, b, at| {
        let combined = |change: fn(&mut Bitmap, &Bitmap, [i32; 2])| {
            let mut copy = a.clone();
            change(&mut copy, b, at);
            copy
        };
        let expected = |both: fn(bool, bool) -> bool| {
            by_pixel(a, |pixel| both(a.get(pixel), get_shifted(b, at, pixel)))
        };
        assert_eq!(combined(Bitmap::draw), expected(|a, b| a | b));
        assert_eq!(combined(Bitmap::erase), expected(|a, b| a & !b));
        assert_eq!(combined(Bitmap::toggle), expected(|a, b| a ^ b));
        assert_eq!(combined(Bitmap::keep), expected(|a, b| a & b));
        let mut inverted = a.clone();
        inverted.invert();
        assert_eq!(inverted, by_pixel(a, |pixel| !a.get(pixel)));
    });
}

#[test]
fn m2_counts_bounds_and_centroid_follow_every_edit() {
    let mut numbers = Numbers(3);
    let mut bitmap = numbers.bitmap(150, 130);
    for _ in 0..2000 {
        // Mostly clearing, so that outer rows and columns become clear.
        let at = Cell::new(numbers.below(150), numbers.below(130));
        let value = numbers.below(8) == 0;
        let before = bitmap.get(at);
        assert_eq!(bitmap.set(at, value), before);
        let again = by_pixel(&bitmap, |pixel| bitmap.get(pixel));
        assert_eq!(bitmap, again);
    }
    let set: Vec<Cell> = bitmap.pixels().collect();
    assert_eq!(bitmap.count(), set.len() as u64);
    let middle = set.iter().fold(Vec2::ZERO, |sum, pixel| {
        sum + Vec2::new(pixel.column as f32 + 0.5, pixel.row as f32 + 0.5)
    });
    let error = bitmap.centroid().unwrap() - middle / set.len() as f32;
    assert!(error.length() < 1e-3, "{error}");
    bitmap.clear();
    assert_eq!((bitmap.pixel_bounds(), bitmap.centroid(), bitmap.count()), (None, None, 0));
}

#[test]
fn m2_flips_and_quarter_turns_are_exact() {
    for_each_pair(|a, _, _| {
        let (right, top) = (a.width() - 1, a.height() - 1);
        let flipped = a.flipped(Flip::X);
        assert!(a.pixels().all(|pixel| flipped.get([right - pixel.column, pixel.row])));
        assert_eq!(flipped.count(), a.count());
        assert_eq!(flipped.flipped(Flip::X), *a);
        let turned = a.turned(1);
        assert!(a.pixels().all(|pixel| turned.get([top - pixel.row, pixel.column])));
        assert_eq!(turned.turned(1), a.flipped(Flip::BOTH));
        assert_eq!(turned.turned(-1), *a);
        for quarters in 0..4 {
            let angle = quarters as f32 * ::core::f32::consts::FRAC_PI_2;
            assert_eq!(a.rotated(angle).unwrap(), a.turned(quarters));
        }
    });
}

#[test]
fn m2_scaling_and_rotation_sample_the_center_of_each_pixel() {
    let cross = Bitmap::from_rows(&[".#.", "###", ".#."]);
    let large = cross.scaled(6, 6).unwrap();
    assert_eq!(large.to_rows()[..3], ["..##..", "..##..", "######"]);
    assert_eq!(large.scaled(3, 3).unwrap(), cross);
    let mut bar = Bitmap::new(40, 20);
    bar.fill();
    let turned = bar.rotated(0.7).unwrap();
    assert!((turned.count() as f32 - 800.0).abs() < 40.0, "{}", turned.count());
    assert!(turned.get([turned.width() / 2, turned.height() / 2]) && !turned.get([0, 0]));
    assert!(matches!(bar.rotated(f32::NAN), Err(ShapeError::NotFinite { field: "angle", .. })));
    assert!(bar.scaled(0, 3).is_err());
}

#[test]
fn m2_islands_together_are_the_bitmap() {
    for_each_pair(|a, _, _| {
        let islands = a.islands();
        let mut all = Bitmap::new(a.width(), a.height());
        for Island { at, pixels } in &islands {
            let offset = [at.column as i32, at.row as i32];
            assert!(!all.overlaps_at(pixels, offset));
            // No pixel of another island is adjacent to one of this island.
            let near = |x: i32, y: i32| all.overlaps_at(pixels, [offset[0] + x, offset[1] + y]);
            assert!(!(-1..=1).any(|y| (-1..=1).any(|x| near(x, y))));
            let size = [pixels.width(), pixels.height()];
            assert_eq!(pixels.pixel_bounds(), Some((Cell::new(0, 0), size)));
            all.draw(pixels, offset);
        }
        assert_eq!(all, *a);
    });
    let spiral = ["#####", "....#", "###.#", "#...#", "#####"];
    assert_eq!(Bitmap::from_rows(&spiral).islands().len(), 1);
}

#[test]
fn outlines_go_round_areas_and_holes() {
    let ring = Bitmap::from_rows(&["###", "#.#", "###"]);
    let outlines = ring.outlines();
    let area = |ring: &[Vec2]| {
        let next = ring.iter().cycle().skip(1);
        ring.iter().zip(next).map(|(a, b)| a.perp_dot(*b)).sum::<f32>() / 2.0
    };
    assert_eq!(outlines.iter().map(|ring| area(ring)).collect::<Vec<_>>(), [9.0, -1.0]);
    // A ring that is closed at a corner only is separated there.
    let separated = Bitmap::from_rows(&[".##", "#.#", "###"]).outlines();
    assert_eq!(separated.iter().map(|ring| area(ring)).collect::<Vec<_>>(), [-1.0, 8.0]);
    // Pixels that touch at a corner only have an outline each.
    assert_eq!(Bitmap::from_rows(&["#.", ".#"]).outlines().len(), 2);
    for_each_pair(|a, _, _| {
        let outlines = a.outlines();
        let total: f32 = outlines.iter().map(|ring| area(ring)).sum();
        assert_eq!(total, a.count() as f32);
        for ring in &outlines {
            let mut corners: Vec<_> = ring.iter().map(|p| (p.x as i32, p.y as i32)).collect();
            corners.sort_unstable();
            assert!(corners.windows(2).all(|pair| pair[0] != pair[1]), "{ring:?}");
            let at = |i: usize| ring[i % ring.len()];
            let turns = |i| (at(i + 1) - at(i)).perp_dot(at(i + 2) - at(i + 1)) != 0.0;
            assert!((0..ring.len()).all(turns), "{ring:?}");
        }
    });
}

#[test]
fn images_become_bitmaps_by_alpha_and_by_color() {
    let pixels = [[9, 9, 9, 200], [250, 0, 10, 255], [9, 9, 9, 100]];
    let bytes = pixels.as_flattened();
    let alpha = Bitmap::from_alpha(3, 1, bytes, 127).unwrap();
    assert_eq!(alpha, Bitmap::from_rows(&["##."]));
    let red = Bitmap::from_color(1, 3, bytes, [255, 0, 0, 255], [10, 10, 10, 0]).unwrap();
    assert_eq!(red, Bitmap::from_rows(&[".", "#", "."]));
    let error = Bitmap::from_alpha(3, 1, &bytes[1..], 127).unwrap_err();
    assert_eq!(error, ShapeError::WrongBufferSize { count: 11, expected: 12 });
    let wide: Vec<[u8; 1]> = (0..130).map(|x| [u8::from(x % 3 == 0)]).collect();
    let thirds = Bitmap::from_bytes(130, 1, wide.as_flattened(), |[x]: [u8; 1]| x > 0).unwrap();
    assert_eq!(thirds, Bitmap::from_fn(130, 1, |x, _| x % 3 == 0));
}

#[test]
fn invalid_sizes_and_rows_are_errors() {
    assert_eq!(Bitmap::try_new(0, 4), Err(ShapeError::EmptyBitmap));
    let large = ShapeError::TooManyPixels { width: 16_385, height: 1 };
    assert_eq!(Bitmap::try_new(16_385, 1), Err(large));
    assert!(Bitmap::try_new(16_384, 1).is_ok());
    let ragged = ShapeError::RaggedRows { row: 1, length: 1, first: 2 };
    assert_eq!(Bitmap::try_from_rows(&["##", "#"]), Err(ragged));
    let unknown = ShapeError::UnknownPixel { name: 'x', column: 1, row: 0 };
    assert_eq!(Bitmap::try_from_rows(&[".x"]), Err(unknown));
}
