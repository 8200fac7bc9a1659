//! Compares the classic methods (R1–R5) with brute force, which tries every position along the motion.

use crate::support::cases::Case;
use crate::support::random_game::any_shape;
use crate::support::rng::Rng;
use carom::motion::{
    BoxObstacle, Heading, MazeMover, before_after, direction_velocity, open_in, push_out,
    shallow_axis,
};
use carom::prelude::*;

/// Returns the number of cases, unless `CAROM_CASES` is set.
fn cases(default: u64) -> u64 {
    std::env::var("CAROM_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// Returns shapes of all kinds around the origin, and one among them to be moved.
fn scene(rng: &mut Rng) -> (Shape, Vec<Shape>) {
    let count = 1 + rng.below(5);
    let obstacles = (0..count).map(|_| any_shape(rng).translated(any_place(rng, 3.0))).collect();
    (any_shape(rng).translated(any_place(rng, 1.5)), obstacles)
}

fn any_place(rng: &mut Rng, reach: f32) -> Vec2 {
    let place = Vec2::new(rng.signed(), rng.signed()) * reach;
    if rng.one_in(2) { (place * 4.0).round() / 4.0 } else { place }
}

fn is_free(mover: &Shape, at: Vec2, obstacles: &[Shape]) -> bool {
    let moved = mover.translated(at);
    !obstacles.iter().any(|obstacle| obstacle.overlaps(&moved))
}

/// Returns boxes with whole coordinates.
fn any_block(rng: &mut Rng, size: i64) -> Aabb {
    let corner = [0; 2].map(|_| rng.between(-5, 5) as f32);
    let size = [0; 2].map(|_| rng.between(1, size) as f32);
    Aabb::from_min_size(corner, size)
}

/// The tolerance: a few units in the last place of the coordinates in these tests.
const ROUNDING: f32 = 2e-6;

#[test]
fn r1_no_shorter_push_clears_all_obstacles() {
    let mut pushed = 0;
    for seed in 0..cases(2000) {
        let (mover, obstacles) = scene(&mut Rng::new(seed));
        let push = push_out(&mover, &obstacles);
        assert!(is_free(&mover, push, &obstacles), "seed {seed}: {push}");
        assert_eq!(push == Vec2::ZERO, is_free(&mover, Vec2::ZERO, &obstacles), "seed {seed}");
        pushed += u64::from(push != Vec2::ZERO);
        for part in [0.25, 0.5, 0.75, 0.9, 0.99] {
            for turn in 0..32 {
                let long = push.length() * part - ROUNDING;
                let way = Vec2::from_angle(turn as f32 * 0.2) * long;
                let shorter = long > 0.0 && is_free(&mover, way, &obstacles);
                assert!(!shorter, "seed {seed}: {way} instead of {push}");
            }
        }
    }
    assert!(pushed > cases(2000) / 3, "{pushed}");
}

#[test]
fn r2_each_axis_ends_at_the_free_position_nearest_to_its_end() {
    let mut stopped = 0;
    for seed in 0..cases(4000) {
        let mut rng = Rng::new(seed);
        let (mover, obstacles) = scene(&mut rng);
        let motion = any_place(&mut rng, 6.0);
        let step = direction_velocity(&mover, motion, &obstacles);
        let moves = motion.x != 0.0 || motion.y != 0.0;
        assert!(!moves || is_free(&mover, step.motion, &obstacles), "seed {seed}: {step:?}");
        // Along x at the height of the start, then along y.
        let x = Vec2::new(step.motion.x, 0.0);
        let legs = [(x, Vec2::new(motion.x, 0.0)), (step.motion, Vec2::new(x.x, motion.y))];
        for (place, end) in legs {
            let back = place - end;
            stopped += u64::from(back != Vec2::ZERO);
            assert!(back.dot(motion) <= 0.0, "seed {seed}: {step:?} is ahead of {motion}");
            for part in [0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999] {
                let nearer = end + back * part;
                let skipped = back.length() > 1e-3 && is_free(&mover, nearer, &obstacles);
                assert!(!skipped, "seed {seed}: {nearer} is nearer than {step:?}");
            }
        }
        assert_eq!(step.pushed.x != 0.0, step.motion.x != motion.x, "seed {seed}: {step:?}");
        assert_eq!(step.pushed.y != 0.0, step.motion.y != motion.y, "seed {seed}: {step:?}");
    }
    assert!(stopped > cases(4000) / 3, "{stopped}");
}

#[test]
fn r2_boxes_on_a_grid_come_to_touch_exactly() {
    for seed in 0..cases(20_000) {
        let mut rng = Rng::new(seed);
        let hero = any_block(&mut rng, 3);
        let blocks: Vec<Aabb> = (0..rng.below(8)).map(|_| any_block(&mut rng, 4)).collect();
        let motion = Vec2::new(rng.between(-6, 6) as f32, rng.between(-6, 6) as f32);
        let is_free = |at: Vec2| !blocks.iter().any(|b| b.overlaps(&hero.translated(at)));
        let mut expected = Vec2::ZERO;
        for axis in [Vec2::X, Vec2::Y] {
            let back = -motion.signum() * axis;
            expected += motion * axis;
            while motion * axis != Vec2::ZERO && !is_free(expected) {
                expected += back;
            }
        }
        let step = direction_velocity(&hero, motion, &blocks);
        assert_eq!(step.motion, expected, "seed {seed}");
    }
}

#[test]
fn r3_the_push_out_of_one_box_is_the_least_overlap() {
    let mut pushed = 0;
    for seed in 0..cases(20_000) {
        let mut rng = Rng::new(seed);
        let (hero, block) = (any_block(&mut rng, 4), any_block(&mut rng, 4));
        let motion = Vec2::new(rng.between(-6, 6) as f32, rng.between(-6, 6) as f32);
        let end = hero.translated(motion);
        let step = shallow_axis(&hero, motion, [&block]);
        let push = step.motion - motion;
        if end.overlaps(&block) {
            let (right, left) = (block.max() - end.min(), end.max() - block.min());
            let least = right.min(left).min_element();
            assert_eq!(push.abs().max_element(), least, "seed {seed}");
            assert_eq!(push / least, step.pushed, "seed {seed}");
            assert!(!hero.translated(step.motion).overlaps(&block), "seed {seed}");
            pushed += 1;
        } else {
            assert_eq!((push, step.pushed), (Vec2::ZERO, Vec2::ZERO), "seed {seed}");
        }
    }
    assert!(pushed > 1000, "{pushed}");
}

#[test]
fn r3_any_shapes_end_clear_where_there_is_room() {
    let mut stuck = 0;
    for seed in 0..cases(2000) {
        let mut rng = Rng::new(seed);
        let (mover, obstacles) = scene(&mut rng);
        let motion = any_place(&mut rng, 2.0);
        let step = shallow_axis(&mover, motion, &obstacles);
        stuck += u64::from(!is_free(&mover, step.motion, &obstacles));
        let (moved, noted) = (step.motion.cmpne(motion), step.pushed.cmpne(Vec2::ZERO));
        assert!(!(moved & !noted).any(), "seed {seed}: {step:?} after {motion}");
    }
    assert!(stuck < cases(2000) / 10, "{stuck}");
}

#[test]
fn r4_the_entry_side_is_the_one_a_sweep_hits() {
    let up = Vec2::Y;
    let (mut met, mut landed) = (0, 0);
    for seed in 0..cases(40_000) {
        let mut rng = Rng::new(seed);
        let (hero, block) = (any_block(&mut rng, 4), any_block(&mut rng, 4));
        let motion = Vec2::new(rng.between(-9, 9) as f32, rng.between(-9, 9) as f32);
        let end = hero.translated(motion);
        let hit = hero.sweep(motion, &block);
        if hero.overlaps(&block) || !end.overlaps(&block) {
            continue; // start and end alone do not decide
        }
        let hit = hit.expect("it ends inside");
        let stopped = {
            // It is put back along the axis of the side that was hit.
            let out = if hit.normal.x + hit.normal.y > 0.0 {
                block.max() - hero.min()
            } else {
                block.min() - hero.max()
            };
            Vec2::select(hit.normal.cmpne(Vec2::ZERO), out, motion)
        };
        let solid = BoxObstacle::still(block);
        let step = before_after(&hero, motion, [&solid]);
        // A corner that is hit exactly has two sides; the method chooses the floor.
        let corner = stopped != step.motion;
        assert!(!corner || is_corner(&hero, motion, &block), "seed {seed}: {step:?}");
        assert!(!hero.translated(step.motion).overlaps(&block), "seed {seed}");
        met += 1;

        let platform = before_after(&hero, motion, [&solid.one_way(up)]);
        let lands = step.pushed == up;
        assert_eq!(platform.motion, if lands { step.motion } else { motion }, "seed {seed}");
        assert!(platform.motion.y <= motion.y.max(0.0), "seed {seed}: teleported");
        landed += u64::from(lands);
    }
    assert!(met > cases(40_000) / 40 && landed > met / 8, "{met} met, {landed} landed");
}

/// Returns `true` if a box hits the corner of another exactly.
fn is_corner(hero: &Aabb, motion: Vec2, block: &Aabb) -> bool {
    let gap =
        Vec2::select(motion.cmpgt(Vec2::ZERO), block.min() - hero.max(), block.max() - hero.min());
    gap.x * motion.y == gap.y * motion.x
}

#[test]
fn r4_only_relative_motion_matters() {
    for seed in 0..cases(20_000) {
        let mut rng = Rng::new(seed);
        let (hero, block) = (any_block(&mut rng, 4), any_block(&mut rng, 4));
        let motion = Vec2::new(rng.between(-5, 5) as f32, rng.between(-5, 5) as f32);
        let still = before_after(&hero, motion, [&BoxObstacle::still(block)]);
        let moving = BoxObstacle::moving(block, block.translated(-motion));
        let pushed = before_after(&hero, [0.0, 0.0], [&moving]);
        assert_eq!(pushed.motion, still.motion - motion, "seed {seed}");
        assert_eq!(pushed.pushed, still.pushed, "seed {seed}");
    }
}

#[test]
fn r5_many_small_steps_lead_where_a_large_one_does() {
    for seed in 0..cases(4000) {
        let mut rng = Rng::new(seed);
        let (columns, rows) = (2 + rng.below(6) as u32, 1 + rng.below(6) as u32);
        let mut map = TileMap::new([0.0, 0.0], [8.0, 4.0], [columns, rows]);
        for _ in 0..rng.below(12) {
            let cell = [rng.below(columns as usize) as u32, rng.below(rows as usize) as u32];
            map.set(cell, TileMap::SOLID);
        }
        map.set([0, 0], TileMap::EMPTY);
        let (mut far, mut near) = (MazeMover::new([0, 0]), MazeMover::new([0, 0]));
        for _ in 0..12 {
            let wanted = Some(rng.pick(&Heading::ALL));
            (far.wanted, near.wanted) = (wanted, wanted);
            let sixteenths = rng.below(60);
            let gone = far.advance(sixteenths as f32 / 16.0, open_in(&map));
            let steps = (0..sixteenths).map(|_| near.advance(1.0 / 16.0, open_in(&map)));
            assert_eq!(gone, steps.sum::<f32>(), "seed {seed}");
            assert_eq!(far, near, "seed {seed}");
            let place = far.position(&map);
            let cell = map.cell_at(place).expect("it is in the maze");
            assert!(map.kind(cell).is_empty(), "seed {seed}: in the wall at {place}");
        }
    }
}

/// Returns shapes of all kinds and sizes, up to the limits of `f32` and down to its smallest numbers.
#[test]
fn r1_to_r3_hard_outlines_are_left_completely() {
    let mut moved = 0;
    for a in Shape::KINDS {
        for b in Shape::KINDS {
            for seed in 0..cases(8) {
                let Case { a, b, .. } = Case::new(a, b, seed);
                let size = a.bounds().size() + b.bounds().size();
                let motion = Vec2::new(size.x, -size.y / 3.0) * 0.25;
                let is_clear = |at: Vec2| !a.translated(at).overlaps(&b);
                let is_far = |at: Vec2| at.abs().max_element() > 1e37;
                let push = push_out(&a, [&b]);
                let (step, axis) =
                    (direction_velocity(&a, motion, [&b]), shallow_axis(&a, motion, [&b]));
                let ends = [push, step.motion, axis.motion];
                if motion.is_finite() && motion.cmpne(Vec2::ZERO).all() {
                    let clear = ends.iter().all(|&end| is_clear(end) || is_far(end));
                    assert!(clear, "{a:?} at {ends:?} in {b:?}");
                    moved += u64::from(step.pushed != Vec2::ZERO);
                }
            }
        }
    }
    assert!(moved > 200, "{moved}");
}
