//! Tests of characters: jumps, getting free, and queries of their surroundings.

use carom::prelude::*;

use crate::stage::{Stage, aabb, capsule, circle, convex};

const GRACE: JumpGrace = JumpGrace::frames(6, 6);

/// A hero on a ledge that ends at x = 0, above nothing.
fn on_a_ledge(x: f32) -> Stage {
    let mut stage = Stage::new(aabb([-0.25, 0.], [0.25, 1.]), [x, 0.]);
    stage.add(aabb([-9., -1.], [0., 0.]));
    let _ = stage.walk([0., -0.01]);
    assert!(stage.state.on_floor());
    stage
}

/// A frame in which a jump is made if the state allows it. Returns whether it was.
fn frame(stage: &mut Stage, speed: f32, is_pressed: bool) -> bool {
    if is_pressed {
        stage.state.request_jump();
    }
    let jumps = stage.state.jump(GRACE);
    if jumps {
        stage.velocity.y = 8. + 20. / 60.;
    }
    let _ = stage.frame(speed, 20., 60.);
    jumps
}

#[test]
fn coyote_time_allows_one_jump_only() {
    for pressed_from in 0..12 {
        let mut stage = on_a_ledge(-1.0);
        let mut in_air = 0;
        let (mut jumps, mut top) = (0, f32::MIN);
        for _ in 0..60 {
            in_air += u32::from(!stage.state.on_floor());
            let is_pressed = in_air > pressed_from;
            jumps += u32::from(frame(&mut stage, 3., is_pressed));
            top = top.max(stage.at().y);
        }
        let allowed = u32::from(pressed_from < 6);
        assert_eq!(jumps, allowed, "pressed from frame {pressed_from} in the air on");
        assert!(top < 1.7, "{top}");
    }
}

/// Issue: with 200 px/s upwards under a gravity of 400 px/s², a jump rises 52 px; holding the key down rose
/// 77 px, since each of the first six frames jumped anew.
#[test]
fn a_key_that_is_pressed_in_every_frame_jumps_no_higher() {
    let rise = |presses: std::ops::Range<usize>| {
        let mut stage = Stage::new(aabb([-5., -20.], [5., 0.]), [0., 0.]);
        stage.add(aabb([-90., 0.], [90., 10.]));
        stage.walker = Walker::new().up([0., -1.]);
        let _ = stage.walk([0., 0.1]);
        let (mut velocity, mut top, mut jumps) = (0.0, 0.0f32, 0);
        for i in 0..40 {
            velocity += 400. / 60.;
            if presses.contains(&i) {
                stage.state.request_jump();
            }
            if stage.state.jump(GRACE) {
                (velocity, jumps) = (-204., jumps + 1);
            }
            let _ = stage.walk([0., velocity / 60.]);
            top = top.min(stage.at().y);
        }
        (jumps, -top)
    };
    let (jumps, height) = rise(0..1);
    assert!(jumps == 1 && (height - 52.).abs() < 2., "{jumps} jumps, {height} px");
    assert_eq!(rise(0..20), (jumps, height));
}

#[test]
fn an_air_jump_uses_up_the_request_and_needs_no_floor() {
    let mut stage = on_a_ledge(-5.0);
    assert!(!stage.state.air_jump(GRACE), "nothing was requested");
    stage.state.request_jump();
    assert!(stage.state.jump(GRACE) && !stage.state.air_jump(GRACE));
    stage.velocity.y = 8.;
    for _ in 0..10 {
        let _ = stage.frame(0., 20., 60.);
    }
    stage.state.request_jump();
    assert!(!stage.state.jump(GRACE) && stage.state.air_jump(GRACE) && stage.state.is_jumping);
    assert!(!stage.state.jump(GRACE) && !stage.state.air_jump(GRACE));
    stage.state.leave_floor();
    assert!(!stage.state.is_jumping, "a walker that is thrown does not jump");
}

#[test]
fn a_motion_that_rises_ends_the_coyote_time() {
    let mut stage = on_a_ledge(-1.0);
    for i in 0..30 {
        if stage.state.was_on_floor(6) && i == 5 {
            stage.velocity.y = 8.;
        }
        let _ = stage.frame(0., 20., 60.);
        assert!(i < 5 || stage.at().y < 0.01 || !stage.state.was_on_floor(6), "frame {i}");
    }
    stage.state.leave_floor();
    assert!(!stage.state.was_on_floor(1000));
}

#[test]
fn a_jump_is_buffered_until_the_landing() {
    for early in 0..10 {
        // Where it lands without a jump: in the frame in which `landing` walks are done.
        let fall = |pressed: Option<usize>| {
            let mut stage = Stage::new(aabb([-0.25, 0.], [0.25, 1.]), [0., 2.]);
            stage.add(aabb([-9., -1.], [9., 0.]));
            let mut jumped = None;
            for i in 0..60 {
                if frame(&mut stage, 0., pressed == Some(i)) {
                    jumped = Some(i);
                }
                if pressed.is_none() && stage.state.on_floor() {
                    return Some(i + 1);
                }
            }
            jumped
        };
        let first_on_floor = fall(None).unwrap();
        let expected = (early <= 6).then_some(first_on_floor);
        assert_eq!(fall(Some(first_on_floor - early)), expected, "{early} frames early");
    }
}

#[test]
fn is_jumping_lasts_until_the_landing() {
    let mut stage = on_a_ledge(-5.0);
    assert!(frame(&mut stage, 0., true));
    for _ in 0..200 {
        assert_eq!(stage.state.is_jumping, !stage.state.on_floor());
        let _ = frame(&mut stage, 0., false);
    }
    assert!(stage.state.on_floor());
}

#[test]
fn a_walker_on_a_solid_tile_stays_there_inside_the_cell_of_a_one_way_tile() {
    let up = [0.0, 1.0];
    for cell in [0.7f32, 1.0, 1.1, 16.0] {
        for lower in 0..40 {
            let tiles = TileMap::from_rows(
                [0.0, cell * 0.3 * lower as f32],
                [cell, cell],
                &["###", "---"],
                &[('#', TileKind::SOLID), ('-', TileKind::one_way(up))],
            );
            let top = tiles.cell_corners([1, 0]).map(|p| p.y).into_iter().fold(0., f32::max);
            let r = cell * 0.3;
            // One ulp too low, exact, one ulp too high.
            for y in [top.next_down(), top, top.next_up()] {
                let hero = capsule([0., r], [0., 2.5 * r], r);
                let mut stage = Stage::new(hero, [cell * 1.5, y]);
                stage.add(tiles.clone());
                let walk = stage.walk([0.0, -cell / 100.0]);
                let moved = walk.moved().length();
                assert!(moved < 1e-5 * (cell + top), "cell {cell}, row at {top}: {walk:?}");
                assert!(walk.on_floor(), "cell {cell}, row at {top}: {walk:?}");
            }
        }
    }
}

/// A corridor: a floor from -4 to 4, a wall on the left, a ceiling at 2.5, and a hero 1 high.
fn in_a_corridor(x: f32) -> Stage {
    let mut stage = Stage::new(aabb([-0.5, 0.], [0.5, 1.]), [x, 0.]);
    stage.add(aabb([-4., -1.], [4., 0.]));
    stage.add(aabb([-5., -1.], [-4., 3.]));
    stage.add(aabb([-5., 2.5], [9., 3.]));
    let _ = stage.walk([0., -0.01]);
    assert!(stage.state.on_floor());
    stage
}

#[test]
fn walls_are_found_without_pressing_into_them() {
    for (x, distance, is_found) in [
        (-3.5, -0.125, true), // touching
        (-3.25, -0.5, true),
        (-3.25, -0.25, false), // it would only touch
        (-3.5, 0.5, false),
        (0.0, -0.5, false),
    ] {
        let stage = in_a_corridor(x);
        let wall = stage.world.wall_within(stage.hero, &stage.walker, distance).unwrap();
        let normal = is_found.then_some(Vec2::X);
        assert_eq!(wall.map(|wall| wall.normal), normal, "{distance} from {x}");
        assert_eq!(stage.at(), Vec2::new(x, 0.));
    }
}

#[test]
fn slopes_that_are_floors_are_no_walls_but_the_wall_on_top_is() {
    let mut stage = Stage::new(circle([0., 0.5], 0.5), [0., 0.]);
    stage.add(Chain::new(&[[-9., 0.], [1., 0.], [2., 0.5], [2., 5.]]));
    let _ = stage.walk([0., -0.01]);
    let look = |distance| stage.world.wall_within(stage.hero, &stage.walker, distance).unwrap();
    assert!(look(1.2).is_none(), "the slope is a floor");
    assert!(look(4.).is_some_and(|wall| wall.normal.x < -0.99), "the wall behind it");
    let walker = Walker { max_slope_angle: 0.3, ..stage.walker };
    let steep = stage.world.wall_within(stage.hero, &walker, 1.2).unwrap();
    assert!(steep.is_some(), "too steep for this walker");
}

#[test]
fn ceilings_and_floors_are_found_within_a_distance() {
    let mut stage = in_a_corridor(0.);
    let above =
        |stage: &Stage, d| stage.world.ceiling_within(stage.hero, &stage.walker, d).unwrap();
    let below = |stage: &Stage, d| stage.world.floor_within(stage.hero, &stage.walker, d).unwrap();
    assert!(above(&stage, 1.5).is_none(), "room to stand up by 1.5");
    assert_eq!(above(&stage, 2.).map(|hit| hit.position.y), Some(1.5));
    assert!(below(&stage, 0.01).is_some());
    stage.world.set_position(stage.hero, [0., 1.]).unwrap();
    assert!(below(&stage, 0.5).is_none());
    assert_eq!(below(&stage, 5.).map(|hit| hit.position.y), Some(0.));
    // A one-way platform holds a fall.
    stage.add_one_way(aabb([-1., 0.25], [1., 0.5]), [0., 1.]);
    assert_eq!(below(&stage, 5.).map(|hit| hit.position.y), Some(0.5));
    // A steep slope is no floor.
    let mut stage = Stage::new(circle([0., 0.5], 0.5), [0., 3.]);
    stage.add(convex(&[[-4., 8.], [-4., -8.], [4., -8.]]));
    assert!(below(&stage, 9.).is_none());
}

#[test]
fn ledges_are_found_and_slopes_and_walls_are_none() {
    for (x, distance, is_ledge) in [(4.375, 0.25, true), (4.25, 0.125, false), (-3.5, -1., false)] {
        let stage = in_a_corridor(x);
        let found = stage.world.is_ledge_within(stage.hero, &stage.walker, &stage.state, distance);
        assert_eq!(found, Ok(is_ledge), "{distance} from {x}");
    }
    let mut stage = Stage::new(circle([0., 0.5], 0.5), [0., 0.]);
    stage.add(Chain::new(&[[-9., 0.], [0.25, 0.], [9., -6.]]));
    let _ = stage.walk([0., -0.01]);
    let ledge = |state| stage.world.is_ledge_within(stage.hero, &stage.walker, state, 2.);
    assert_eq!(ledge(&stage.state), Ok(false), "a slope down");
    assert_eq!(ledge(&WalkerState::new()), Ok(false), "in the air");
}

/// Checks `wall_within`, `floor_within` and the like in a world that is turned upside down and mirrored.
#[test]
fn right_is_on_the_right_of_up_in_every_direction() {
    for up in [Vec2::Y, -Vec2::Y, Vec2::X, -Vec2::X] {
        let right = -up.perp();
        let at = |x: f32, y: f32| right * x + up * y;
        let block = |a: Vec2, b: Vec2| Shape::from(Aabb::new(a.min(b), a.max(b)));
        let hero = block(at(-0.5, 0.), at(0.5, 1.));
        let mut stage = Stage::new(hero, [0., 0.]);
        stage.add(block(at(-2., -1.), at(1., 0.)));
        stage.add(block(at(0.75, 0.), at(1., 3.)));
        stage.walker = Walker::new().up(up);
        let _ = stage.walk(-up * 0.01);
        let look = |d| stage.world.wall_within(stage.hero, &stage.walker, d).unwrap();
        assert_eq!(look(0.5).map(|wall| wall.normal), Some(-right));
        assert!(look(-0.5).is_none());
        let ledge = |d| stage.world.is_ledge_within(stage.hero, &stage.walker, &stage.state, d);
        assert_eq!((ledge(-3.), ledge(0.5)), (Ok(true), Ok(false)), "{up}");
    }
}
