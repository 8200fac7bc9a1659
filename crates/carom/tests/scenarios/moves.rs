//! Features of walkers that players expect: slopes, steps, platforms, corner correction (R7).

use carom::prelude::*;

use super::stage::Stage;

#[test]
fn steps_are_gone_up_without_a_jump_and_down_without_a_fall() {
    let rows = [
        "..........", //
        "@._#_.....",
        "##########",
    ];
    let mut stage = Stage::new(&rows);
    stage.walker = stage.walker.max_step_height(0.5).snap_distance(0.5);
    stage.expect(
        "wait, right 48",
        "
            1 x 0 0 floor
            9 x +0.125 0 floor
            1 x +0.125 -0.5 floor
            7 x +0.125 0 floor
            1 x +0.125 -0.5 floor
            12 x +0.125 0 floor
            1 x +0.125 +0.5 floor
            7 x +0.125 0 floor
            1 x +0.125 +0.5 floor
            9 x +0.125 0 floor
        ",
    );
    let mut clumsy = Stage::new(&rows);
    clumsy.expect(
        "wait, right 14",
        "
            1 x 0 0 floor
            9 x +0.125 0 floor
            5 x 0 0 floor wall
        ",
    );
}

#[test]
fn a_platform_that_slopes_is_jumped_through_walked_along_and_dropped_through() {
    let mut stage = Stage::new(&[
        "......--", //
        ".....%..", "....%...", "...%@...", "########",
    ]);
    stage.expect(
        "wait, jump, wait 14",
        "
            1 x 0 0 floor
            1 x 0 -0.5
            1 x 0 -0.4375
            1 x 0 -0.375
            1 x 0 -0.3125
            1 x 0 -0.25
            1 x 0 -0.1875
            1 x 0 -0.125
            1 x 0 -0.0625
            1 x 0 0
            1 x 0 +0.0625
            1 x 0 +0.125
            1 x 0 +0.1875 floor
            3 x 0 0 floor
        ",
    );
    stage.expect(
        "right 8",
        "
            8 x +0.0884 -0.0884 floor
        ",
    );
    stage.expect(
        "down, wait 20",
        "
            1 x 0 +0.0625
            1 x 0 +0.125
            1 x 0 +0.1875
            1 x 0 +0.25
            1 x 0 +0.3125
            1 x 0 +0.375
            1 x 0 +0.4375
            1 x 0 +0.5
            1 x 0 +0.3321 floor
            12 x 0 0 floor
        ",
    );
}

#[test]
fn a_rising_platform_lifts_a_body_that_lands_on_it() {
    let mut stage = Stage::new(&[
        "......", //
        "......", "..@...", "......", ".aaaa.", "######",
    ])
    .platform('a', "up 64");
    stage.expect(
        "wait 40",
        "
            1 x 0 +0.0625
            1 x 0 +0.125
            1 x 0 +0.1875
            1 x 0 +0.25
            1 x 0 +0.0625 floor
            35 x 0 -0.0625 floor carried
        ",
    );
}

#[test]
fn a_block_that_comes_down_on_the_hero_reports_it_and_so_does_a_lift_under_a_ceiling() {
    let mut press = Stage::new(&[
        ".A..", //
        "....", ".@..", "####",
    ])
    .platform('A', "down 32");
    press.expect(
        "wait 20",
        "
            18 x 0 0 floor
            2 x 0 0 floor squashed stuck
        ",
    );
    let mut lift = Stage::new(&[
        "####", //
        "....", ".@..", ".A..",
    ])
    .platform('A', "up 32");
    lift.expect(
        "wait 20",
        "
            18 x 0 -0.0625 floor carried
            2 x 0 0 floor squashed stuck
        ",
    );
}

#[test]
fn a_block_pushes_the_hero_off_a_ledge() {
    let mut stage = Stage::new(&[
        "......", //
        "A@....", "###...", "......", "######",
    ])
    .platform('A', "right 64");
    stage.expect(
        "wait 44",
        "
            2 x 0 0 floor
            29 x +0.0625 0 floor carried
            1 x +0.0625 +0.0625 carried
            1 x +0.0625 +0.125 carried
            1 x +0.0625 +0.1875 carried
            1 x +0.0625 +0.25 carried
            1 x +0.0625 +0.3125 carried
            1 x 0 +0.375
            1 x 0 +0.4375
            1 x 0 +0.25 floor
            5 x 0 0 floor
        ",
    );
}

#[test]
fn from_the_ground_onto_a_platform_and_off_again_there_is_no_edge() {
    let mut stage = Stage::new(&[
        "..........", //
        "@.........",
        "##AAA#####",
        "##...#####",
    ])
    .platform('A', "down 2, up 2");
    stage.walker = stage.walker.max_step_height(0.25).snap_distance(0.25);
    stage.expect(
        "wait 4, right 60",
        "
            4 x 0 0 floor
            14 x +0.125 0 floor
            1 x +0.125 +0.0625 floor
            1 x +0.125 -0.0625 floor carried
            2 x +0.125 +0.0625 floor carried
            2 x +0.125 -0.0625 floor carried
            2 x +0.125 +0.0625 floor carried
            2 x +0.125 -0.0625 floor carried
            2 x +0.125 +0.0625 floor carried
            2 x +0.125 -0.0625 floor carried
            2 x +0.125 +0.0625 floor carried
            2 x +0.125 -0.0625 floor carried
            1 x +0.125 +0.0625 floor carried
            1 x +0.125 -0.0625 floor carried
            26 x +0.125 0 floor
        ",
    );
    assert!(stage.state.on_floor());
}

#[test]
fn a_jump_is_still_possible_just_after_the_edge() {
    let mut stage = Stage::new(&[
        "......", //
        "@.....", "##....", "......", "######",
    ]);
    stage.play("wait, right 14");
    assert!(stage.state.on_floor());
    stage.play("right 4");
    assert!(!stage.state.on_floor() && stage.state.was_on_floor(4) && !stage.state.was_on_floor(3));
}

#[test]
fn on_whole_pixels_nothing_of_a_motion_is_lost() {
    let mut stage = Stage::new(&[
        ".........", //
        "@........",
        "#########",
    ]);
    stage.walker = stage.walker.pixel_size(0.5);
    stage.expect(
        "wait, right 33",
        "
            2 x 0 0 floor
            1 x +0.5 0 floor
            3 x 0 0 floor
            1 x +0.5 0 floor
            3 x 0 0 floor
            1 x +0.5 0 floor
            3 x 0 0 floor
            1 x +0.5 0 floor
            3 x 0 0 floor
            1 x +0.5 0 floor
            3 x 0 0 floor
            1 x +0.5 0 floor
            3 x 0 0 floor
            1 x +0.5 0 floor
            3 x 0 0 floor
            1 x +0.5 0 floor
            3 x 0 0 floor
        ",
    );
    assert_eq!(stage.feet(), Vec2::new(4.5, 2.0));
}

#[test]
fn a_body_that_arrives_just_at_the_corners_of_a_gap_does_not_stand_on_them() {
    let notched = [[-0.5, 0.0], [0.5, 0.0], [0.5, 0.5], [0.25, 0.25], [0.0, 0.75]];
    let heroes: [Shape; 3] = [
        Aabb::new([-0.5, 0.0], [0.5, 1.0]).into(),
        ConvexPolygon::new(&[[-0.5, 0.0], [0.5, 0.0], [0.0, 1.0]]).into(),
        Polygon::new(&notched).into(),
    ];
    for (form, way) in heroes.iter().flat_map(|form| [-0.125, 0.125].map(|way| (form, way))) {
        let mut world = World::new();
        let legend = [('#', TileKind::SOLID)];
        let map = TileMap::from_rows([-5.5, -1.0], [1.0, 1.0], &["#####.#####"], &legend);
        let level = world.add_body(Body::fixed([0.0, 0.0])).unwrap();
        world.add_collider(level, Collider::new(map)).unwrap();
        let hero = world.add_body(Body::moving([-way, 0.5])).unwrap();
        world.add_collider(hero, Collider::new(form.clone())).unwrap();
        let (walker, mut state) = (Walker::new(), WalkerState::new());
        for (motion, end) in [([way, -0.5], Vec2::ZERO), ([0.0, -0.5], Vec2::new(0.0, -0.5))] {
            let walk = world.walk(hero, &walker, &mut state, motion).unwrap();
            assert_eq!((walk.end, walk.floor), (end, None), "{form:?} by {way}");
        }
    }
}
