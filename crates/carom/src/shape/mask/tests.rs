use ::core::ops::{ControlFlow, Range};
use alloc::vec::Vec;

use crate::prelude::*;
use crate::query::composite::any_part_pair;
use crate::query::separation::convex_relation;
use crate::shape::grid::visit_boxes;
use crate::shape::parts::QueryRegion;

/// Returns a disc of pixels.
fn disc(size: u32) -> Bitmap {
    let middle = f64::from(size) / 2.0;
    Bitmap::from_fn(size, size, |x, y| {
        let (x, y) = (f64::from(x) + 0.5 - middle, f64::from(y) + 0.5 - middle);
        x * x + y * y < middle * middle
    })
}

#[test]
fn comparing_words_of_pixels_agrees_with_the_parts() {
    let blots = [disc(9), disc(70), Bitmap::from_rows(&["#.#", ".#.", "##."])];
    let mut found = [0; 3];
    for (i, (a, b)) in blots.iter().flat_map(|a| blots.iter().map(move |b| (a, b))).enumerate() {
        for pixel in [1.0, 0.3] {
            for angle in [0.0, ::core::f32::consts::FRAC_PI_2, 0.4] {
                let a = Mask::new([0.0, 0.0], pixel, a.clone()).rotated(angle, [0.0, 0.0]);
                for step in 0..24 {
                    // Every fourth mask lies beside the other one, and may touch it.
                    let offset = match step % 4 {
                        0 => Vec2::new(a.bitmap().width() as f32, (step / 4) as f32),
                        _ => Vec2::from_angle((step + i as i32) as f32) * (step * 3) as f32,
                    } * pixel;
                    let b = Mask::new(offset, pixel, b.clone()).rotated(angle, [0.0, 0.0]);
                    let by_parts = |a: &Mask, b: &Mask| {
                        let (a, b) = (a.as_shape(), b.as_shape());
                        let touches = any_part_pair(&a, &b, &mut |a, b| {
                            convex_relation(&a.convex, &b.convex).intersects()
                        });
                        let overlaps = any_part_pair(&a, &b, &mut |a, b| {
                            convex_relation(&a.convex, &b.convex).overlaps()
                        });
                        (touches, overlaps)
                    };
                    let (touches, overlaps) = by_parts(&a, &b);
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
fn queries_work_on_a_mask_of_the_largest_size() {
    let mut pixels = Bitmap::new(16_384, 16_384);
    for i in (0..16_384).step_by(4096) {
        pixels.set([i, i], true);
        pixels.set([i, 16_383 - i], true);
    }
    let large = Mask::new([0.0, 0.0], 1.0, pixels);
    let other = large.translated([1.5, 0.0]);
    assert!(!large.overlaps(&other) && !large.intersects(&other));
    assert!(!large.intersects(&Aabb::new([100.0, 50.0], [16_000.0, 90.0])));
    assert!(large.contains(&Aabb::new([4096.0, 4096.0], [4097.0, 4097.0])));
    assert_eq!(large.distance(&Circle::new([4000.5, 4096.5], 10.0)), 85.5);
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

/// Returns a bitmap of random pixels, of which about `of_ten` in ten are set.
fn noise(width: u32, height: u32, of_ten: u64, state: &mut u64) -> Bitmap {
    Bitmap::from_fn(width, height, |_, _| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (*state >> 33) % 10 < of_ten
    })
}

/// Returns the corners of the boxes that cover the pixels near a region.
fn boxes(mask: &Mask, window: &Aabb) -> Vec<Vec<Vec2>> {
    let mut boxes = Vec::new();
    let corners = window.corners();
    let _ = visit_boxes::<()>(mask, &QueryRegion::of_corners(&corners), &mut |part| {
        boxes.push(part.convex.points.to_vec());
        ControlFlow::Continue(())
    });
    boxes
}

/// Returns the columns and rows of a box of pixels of side 1, with the origin at the first.
fn cells(corners: &[Vec2]) -> [Range<u32>; 2] {
    let bounds = Aabb::of_vertices(corners);
    let (low, high) = (bounds.min(), bounds.max());
    [low.x as u32..high.x as u32, low.y as u32..high.y as u32]
}

#[test]
fn boxes_cover_the_pixels_near_a_window_and_no_others() {
    let mut state = 1;
    for round in 0..40u64 {
        let pixels = noise(90 + round as u32, 37, 2 + round % 8, &mut state);
        let mask = Mask::new([0.0, 0.0], 1.0, pixels);
        let corner = Vec2::new((round * 2) as f32, (round % 30) as f32) + 0.5;
        let window = Aabb::new_unchecked(corner, corner + Vec2::new(30.0, 9.0));
        let boxes = boxes(&mask, &window);
        let mut covered = Bitmap::new(mask.bitmap().width(), mask.bitmap().height());
        for [columns, rows] in boxes.iter().map(|corners| cells(corners)) {
            let mut block = Bitmap::new(columns.len() as u32, rows.len() as u32);
            block.fill();
            let at = [columns.start as i32, rows.start as i32];
            assert_eq!(
                mask.bitmap().overlap_count(&block, at),
                block.count(),
                "{columns:?} {rows:?}"
            );
            covered.draw(&block, at);
        }
        let is_near = |pixel: &Cell| mask.pixel_shape(*pixel).unwrap().intersects(&window);
        let missing = mask.bitmap().pixels().filter(is_near).find(|&pixel| !covered.get(pixel));
        assert_eq!(missing, None, "round {round}");
    }
}

#[test]
fn boxes_are_maximal_and_distinct() {
    let mut state = 2;
    for round in 0..40u64 {
        let mask = Mask::new([0.0, 0.0], 1.0, noise(70, 33, 3 + round % 7, &mut state));
        let mut all: Vec<[Range<u32>; 2]> =
            boxes(&mask, &mask.bounds()).iter().map(|corners| cells(corners)).collect();
        let is_set = |columns: Range<u32>, row: u32| {
            columns.into_iter().all(|column| mask.bitmap().get([column, row]))
        };
        for [columns, rows] in &all {
            // A row above or below is not fully set, and the box's own rows end at both sides.
            let above = rows.start.checked_sub(1).is_some_and(|row| is_set(columns.clone(), row));
            assert!(!above && !is_set(columns.clone(), rows.end), "{columns:?} {rows:?}");
            let ends = |row: u32| {
                let before = columns.start.checked_sub(1);
                !before.is_some_and(|column| mask.bitmap().get([column, row]))
                    && !mask.bitmap().get([columns.end, row])
            };
            assert!(rows.clone().any(ends), "{columns:?} {rows:?}");
        }
        let count = all.len();
        all.sort_by_key(|[columns, rows]| [columns.start, columns.end, rows.start, rows.end]);
        all.dedup();
        assert_eq!(all.len(), count);
    }
}

#[test]
fn boxes_of_a_rotated_mask_have_the_corners_of_their_outermost_pixels() {
    let mut state = 3;
    let level = Mask::new([0.0, 0.0], 1.0, noise(75, 20, 6, &mut state));
    let in_order = |mut corners: Vec<Vec2>| {
        corners.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
        corners
    };
    for mirror in [Flip::NONE, Flip::X] {
        let turned = level.flipped(mirror).rotated(0.4, [3.0, 5.0]);
        let expected = boxes(&level, &level.bounds()).into_iter().map(|corners| {
            let [columns, rows] = cells(&corners);
            let (right, top) = (columns.end - 1, rows.end - 1);
            let pixels = [
                [columns.start, rows.start],
                [right, rows.start],
                [right, top],
                [columns.start, top],
            ];
            in_order((0..4).map(|i| turned.pixel_corners(pixels[i])[i]).collect())
        });
        let found = boxes(&turned, &turned.bounds()).into_iter().map(in_order);
        assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    }
}
