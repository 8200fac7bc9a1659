//! Tests of growth: a grid with twice as many rows and columns may take about twice as many
//! operations in a query, not four times as many.
//!
//! The operations are visits to parts, halvings of rectangles of cells, tests of boxes of translations
//! and tests of poses. They are counted, so the tests do not depend on the speed of the machine.

use crate::operation_count;
use crate::prelude::*;
use crate::query::RigidMotion;

/// Asserts that the number of operations that `query` takes for a grid of `n` by `n` cells grows at
/// most in proportion to `n`.
fn assert_linear(name: &str, query: impl Fn(u32)) {
    let [one, two, four] = [64, 128, 256].map(|n| operation_count::during(|| query(n)));
    std::println!("{name}: {one}, {two}, {four} operations for 64, 128, 256");
    // The constants allow for operations that do not depend on the number.
    assert!(0 < one && two <= 2 * one + 200 && four <= 4 * one + 400, "{one}, {two}, {four}");
}

fn full_map(n: u32) -> TileMap {
    let rows = alloc::vec!["#".repeat(n as usize); n as usize];
    TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &rows, &[('#', TileKind::SOLID)])
}

fn disc(n: u32) -> Bitmap {
    let half = n as f32 / 2.0;
    Bitmap::from_fn(n, n, |x, y| {
        let offset = Vec2::new(x as f32, y as f32) + 0.5 - half;
        offset.length_squared() < half * half
    })
}

#[test]
fn a_contact_deep_inside_a_grid_grows_with_the_depth_not_its_square() {
    for angle in [0.0, 0.3] {
        assert_linear("contact inside a full map", |n| {
            let middle = n as f32 / 2.0 + 0.3;
            let map = full_map(n).rotated(angle, [middle, middle]);
            let hero = Aabb::new([middle, middle], [middle + 0.8, middle + 1.6]);
            let depth = hero.contact(&map).unwrap().depth;
            assert!(depth > n as f32 / 2.0 - 1.0 && depth < n as f32 / 2.0 + 2.0);
        });
        assert_linear("contact inside a disc of pixels", |n| {
            let middle = n as f32 / 2.0 + 0.3;
            let mask = Mask::new([0.0, 0.0], 1.0, disc(n)).rotated(angle, [middle, middle]);
            let depth = Circle::new([middle, middle], 0.7).contact(&mask).unwrap().depth;
            assert!((depth - n as f32 / 2.0).abs() < 2.0);
        });
    }
}

#[test]
fn a_contact_of_a_large_body_deep_inside_a_map_does_not_visit_all_tiles() {
    for angle in [0.0, 0.3] {
        assert_linear("contact of a large body inside a full map", |n| {
            let middle = 2.0 * n as f32 + 0.3;
            let map = full_map(4 * n).rotated(angle, [middle, middle]);
            let ship = Aabb::from_center_half_size([middle, middle], [35.0, 30.0]);
            let depth = ship.contact(&map).unwrap().depth;
            assert!(depth > 2.0 * n as f32 + 25.0 && depth < 2.0 * n as f32 + 45.0, "{depth}");
        });
    }
}

#[test]
fn a_contact_of_masks_that_overlap_deeply_grows_with_the_depth_not_its_square() {
    for flip in [Flip::NONE, Flip::X] {
        assert_linear("contact of two discs of pixels", |n| {
            let mask = Mask::new([0.0, 0.0], 1.0, disc(n));
            let other = mask.flipped(flip).translated([n as f32 * 0.1, n as f32 * 0.2 + 0.25]);
            let other = if flip.x { other.translated([n as f32, 0.0]) } else { other };
            let depth = mask.contact(&other).unwrap().depth;
            assert!(depth > n as f32 * 0.5 && depth < n as f32, "{depth}");
        });
    }
}

#[test]
fn a_contact_of_masks_at_another_angle_or_scale_grows_with_the_area_not_its_square() {
    for (angle, scale) in [(0.3, 1.0), (0.0, 0.75), (0.3, 0.75)] {
        for part in [0.25, 0.75] {
            let count = |n: u32| {
                let half = n as f32 / 2.0;
                let mask = Mask::new([-half, -half], 1.0, disc(n));
                let other = mask.scaled(scale, [0.0, 0.0]).rotated(angle, [0.0, 0.0]);
                let other = other.translated([half * (1.0 + scale - part), 0.25]);
                operation_count::during(|| {
                    let depth = mask.contact(&other).unwrap().depth;
                    assert!((depth - half * part).abs() < 2.5, "{depth}");
                })
            };
            // The search takes steps, so several sizes are counted together.
            let [one, four] = [64, 256].map(|n| (4..8).map(|i| count(n * i / 4)).sum::<u64>());
            std::println!(
                "contact of rotated or scaled discs: {one}, {four} operations for 64, 256"
            );
            // The area is 16 times as large, and its logarithm grows from 12 to 16.
            assert!(four <= one * 16 * 16 / 12, "{one}, {four}");
        }
    }
}

#[test]
fn a_distance_to_a_rotated_grid_does_not_visit_all_cells() {
    assert_linear("distance to a rotated map", |n| {
        let map = full_map(n).rotated(0.3, [0.0, 0.0]);
        let far = n as f32 * 3.0;
        assert!(Circle::new([-far, -far], 0.5).distance(&map) > n as f32);
        assert!(!Circle::new([-far, -far], 0.5).is_within_distance(&map, n as f32));
    });
    assert_linear("distance of two rotated masks", |n| {
        let mask = Mask::new([0.0, 0.0], 1.0, disc(n));
        let other = mask.rotated(0.3, [0.0, 0.0]).translated([n as f32 * 2.0, 7.0]);
        assert!(mask.distance(&other) > 0.0);
    });
}

#[test]
fn a_new_kind_of_tile_is_not_compared_with_all_others() {
    assert_linear("kinds added", |n| {
        let mut map = TileMap::new([0.0, 0.0], [1.0, 1.0], [1, 1]);
        for i in 0..n {
            let kind = TileKind::SOLID.with_data(i);
            assert_eq!(map.add_kind(kind.clone()), map.add_kind(kind));
        }
        assert_eq!(map.kinds().len() as u32, n + 1); // with the empty kind; data 0 is plain
    });
}

#[test]
fn a_rotating_sweep_of_huge_numbers_tests_no_more_than_8300_poses() {
    for size in [1.0f32, 3e38] {
        let spike = Triangle::new([-0.5 * size, 0.0], [0.5 * size, 0.0], [0.0, 0.5 * size]);
        let dent = [[-size, 0.0], [-size, -size], [size, -size], [size, 0.0], [0.0, -0.5 * size]];
        let dent = Polygon::new(&dent);
        for (x, angle) in [(3e38, 0.0), (3e38, 1.0), (0.0, 1e6), (0.0, 3e38), (3e38, 3e38)] {
            for lift in [0.0, 1e-9, 0.1] {
                let mover = spike.translated([0.0, lift * size]);
                let motion = RigidMotion::new([x, 0.0], angle, mover.centroid());
                let poses = operation_count::during(|| _ = mover.sweep_rotating(&motion, &dent));
                assert!((2..=8300).contains(&poses), "{poses} poses, {size} {motion:?} {lift}");
            }
        }
    }
}

#[test]
fn a_rotating_sweep_of_a_sliver_tests_no_more_than_70_000_poses() {
    let sliver = Triangle::new([-0.5, 0.0], [0.5, 0.0], [0.0, 1e-6]);
    let floor = Aabb::new([-1.0, -1.0], [1.0, 0.0]);
    let motion = RigidMotion::new([0.25, 0.0], 0.0, [0.0, 0.0]);
    let poses = operation_count::during(|| _ = sliver.sweep_rotating(&motion, &floor));
    assert!((60_000..=70_000).contains(&poses), "{poses}");
}
