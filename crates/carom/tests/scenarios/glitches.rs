//! The classic glitches of platform games, each as a scene in which it would occur.

use carom::prelude::*;

use super::stage::Stage;

#[test]
fn a_jump_that_ends_inside_a_one_way_platform_is_not_pulled_up_onto_it() {
    let mut stage = Stage::new(&[
        "...--", //
        ".....", "..@..", "#####",
    ]);
    stage.expect(
        "wait, right+jump, right 5, wait 16",
        "
            1 x 0 0 floor
            1 x +0.125 -0.5
            1 x +0.125 -0.4375
            1 x +0.125 -0.375
            1 x +0.125 -0.3125
            1 x +0.125 -0.25
            1 x +0.125 -0.1875
            1 x 0 -0.125
            1 x 0 -0.0625
            1 x 0 0
            1 x 0 +0.0625
            1 x 0 +0.125
            1 x 0 +0.1875
            1 x 0 +0.25
            1 x 0 +0.3125
            1 x 0 +0.375
            1 x 0 +0.4375
            1 x 0 +0.5 floor
            5 x 0 0 floor
        ",
    );
    assert_eq!(stage.feet().y, 3.0);
}

/// Heroes of every shape, relative to their feet.
pub fn heroes() -> [Shape; 5] {
    [
        Aabb::new([-0.375, -0.875], [0.375, 0.0]).into(),
        Circle::new([0.0, -0.375], 0.375).into(),
        Capsule::new([0.0, -0.625], [0.0, -0.25], 0.25).into(),
        ConvexPolygon::new(&[[-0.25, 0.0], [0.25, 0.0], [0.5, -0.5], [0.0, -1.0], [-0.5, -0.5]])
            .into(),
        Polygon::new(&[[-0.5, 0.0], [0.5, 0.0], [0.5, -0.5], [0.25, -0.25], [0.0, -0.75]]).into(),
    ]
}

/// Heroes of every shape run over a floor of several pieces at full speed in every frame of `right 70`.
fn run_over(floor: impl Fn(&Shape) -> Stage) {
    for shape in heroes() {
        let mut stage = floor(&shape);
        stage.expect("wait, right 70", "1 x 0 0 floor\n70 x +0.125 0 floor");
        assert_eq!(stage.feet(), Vec2::new(9.25, 2.0), "{shape:?}");
    }
}

#[test]
fn running_over_the_seams_of_tiles_costs_no_speed() {
    run_over(|hero| {
        Stage::new(&["..........", "@.........", "##########"]).with_hero(hero.clone())
    });
}

#[test]
fn running_over_the_seams_of_separate_blocks_costs_no_speed() {
    run_over(|hero| {
        Stage::new(&["..........", "@.........", "##AABBCCDD"]).with_hero(hero.clone())
    });
}

#[test]
fn running_over_the_seams_of_one_way_platforms_costs_no_speed() {
    run_over(|hero| {
        Stage::new(&["..........", "@.........", "##--aabb#-"]).with_hero(hero.clone())
    });
}

#[test]
fn running_from_a_platform_onto_tiles_costs_no_speed() {
    for shape in heroes() {
        // With the platform overhead, not all tiles of the map are full.
        let mut stage = Stage::new(&["...-....", "...@....", "aaaa####"]).with_hero(shape.clone());
        stage.expect("wait, right 12", "1 x 0 0 floor\n12 x +0.125 0 floor");
        assert_eq!(stage.feet(), Vec2::new(5.0, 2.0), "{shape:?}");
    }
}

#[test]
fn running_over_the_joints_of_a_chain_costs_no_speed() {
    run_over(|hero| {
        let mut stage = Stage::new(&["..........", "@.........", ".........."]);
        let joints: Vec<[f32; 2]> = (0..=10).map(|x| [x as f32, 2.0]).collect();
        let body = stage.world.add_body(Body::fixed([0.0, 0.0])).unwrap();
        stage.world.add_collider(body, Collider::new(Chain::new(&joints))).unwrap();
        stage.with_hero(hero.clone())
    });
}

#[test]
fn falling_along_a_wall_of_tiles_does_not_catch() {
    let mut stage = Stage::new(&[
        ".@#", //
        "..#", "..#", "..#", "..#", "..#", "..#", "###",
    ]);
    stage.expect(
        "right 24",
        "
            1 x +0.125 +0.0625
            1 x 0 +0.125 wall
            1 x 0 +0.1875 wall
            1 x 0 +0.25 wall
            1 x 0 +0.3125 wall
            1 x 0 +0.375 wall
            1 x 0 +0.4375 wall
            1 x 0 +0.5 wall
            1 x 0 +0.5625 wall
            1 x 0 +0.625 wall
            1 x 0 +0.6875 wall
            2 x 0 +0.75 wall
            1 x 0 +0.375 floor wall
            10 x 0 0 floor wall
        ",
    );
}

#[test]
fn a_jump_that_clips_the_corner_of_a_ceiling_goes_round_it() {
    let rows = [
        "......", //
        "......", "###...", "......", "..@...", "######",
    ];
    let mut strict = Stage::new(&rows);
    strict.world.translate(strict.hero, [0.75, 0.0]).unwrap();
    strict.expect(
        "wait, jump, wait 12",
        "
            1 x 0 0 floor
            1 x 0 -0.5
            1 x 0 -0.4375
            1 x 0 -0.1875 ceiling
            1 x 0 +0.0625
            1 x 0 +0.125
            1 x 0 +0.1875
            1 x 0 +0.25
            1 x 0 +0.3125
            1 x 0 +0.1875 floor
            4 x 0 0 floor
        ",
    );
    let mut kind = Stage::new(&rows);
    kind.world.translate(kind.hero, [0.75, 0.0]).unwrap();
    kind.walker.corner_correction = 0.25;
    kind.expect(
        "wait, jump, wait 12",
        "
            1 x 0 0 floor
            1 x 0 -0.5
            1 x 0 -0.4375
            1 x +0.125 -0.375
            1 x 0 -0.3125
            1 x 0 -0.25
            1 x 0 -0.1875
            1 x 0 -0.125
            1 x 0 -0.0625
            1 x 0 0
            1 x 0 +0.0625
            1 x 0 +0.125
            1 x 0 +0.1875
            1 x 0 +0.25
        ",
    );
}

#[test]
fn a_jump_against_a_ceiling_falls_at_once_though_the_player_presses_on() {
    let mut stage = Stage::new(&[
        "######", //
        "......", ".@....", "######",
    ]);
    stage.expect(
        "wait, right+jump 18",
        "
            1 x 0 0 floor
            1 x +0.125 -0.5
            1 x +0.125 -0.4375
            1 x +0.125 -0.1875 ceiling
            1 x +0.125 +0.0625
            1 x +0.125 +0.125
            1 x +0.125 +0.1875
            1 x +0.125 +0.25
            1 x +0.125 +0.3125
            1 x +0.125 +0.1875 floor
            1 x +0.125 -0.5
            1 x +0.125 -0.4375
            1 x +0.125 -0.1875 ceiling
            1 x +0.125 +0.0625
            1 x +0.125 +0.125
            1 x +0.125 +0.1875
            1 x +0.125 +0.25
            1 x +0.125 +0.3125
            1 x +0.125 +0.1875 floor
        ",
    );
}

#[test]
fn running_over_the_top_of_a_slope_and_down_again_never_leaves_the_ground() {
    let mut stage = Stage::new(&[
        "......................",
        "....../##\\............",
        "@..../####\\..lhHL....#",
        "######################",
    ]);
    stage.expect(
        "wait, right 180",
        "
            1 x 0 0 floor
            33 x +0.125 0 floor
            22 x +0.0884 -0.0884 floor
            1 x +0.0884 -0.0555 floor
            21 x +0.125 0 floor
            1 x +0.125 +0.0329 floor
            22 x +0.0884 +0.0884 floor
            1 x +0.1157 +0.0225 floor
            9 x +0.125 0 floor
            1 x +0.1152 -0.0417 floor
            17 x +0.1118 -0.0559 floor
            1 x +0.1118 -0.008 floor
            5 x +0.125 0 floor
            1 x +0.125 +0.0479 floor
            17 x +0.1118 +0.0559 floor
            1 x +0.1246 +0.0018 floor
            25 x +0.125 0 floor
            1 x +0.004 0 floor wall
            1 x 0 0 floor wall
        ",
    );
}

#[test]
fn a_platform_carries_a_body_that_stands_on_it() {
    // In the first frame the hero lands on the block; from then on the block carries it.
    let mut stage = Stage::new(&[
        "........", //
        "..@.....", "..AA....", "........", "########",
    ])
    .platform('A', "right 16, up 8, left 16, down 8");
    stage.expect(
        "wait 97",
        "
            1 x 0 0 floor
            15 x +0.0625 0 floor carried
            8 x 0 -0.0625 floor carried
            16 x -0.0625 0 floor carried
            8 x 0 +0.0625 floor carried
            16 x +0.0625 0 floor carried
            8 x 0 -0.0625 floor carried
            16 x -0.0625 0 floor carried
            8 x 0 +0.0625 floor carried
            1 x +0.0625 0 floor carried
        ",
    );
}

#[test]
fn a_one_way_platform_that_rises_and_sinks_holds_a_body_that_stands_on_it() {
    let mut stage = Stage::new(&[
        "........", //
        "........", "..@.....", "..aa....", "........", "########",
    ])
    .platform('a', "up 20, down 20");
    stage.expect(
        "wait 81",
        "
            20 x 0 -0.0625 floor carried
            20 x 0 +0.0625 floor carried
            20 x 0 -0.0625 floor carried
            20 x 0 +0.0625 floor carried
            1 x 0 -0.0625 floor carried
        ",
    );
}

#[test]
fn a_block_that_presses_the_hero_against_a_wall_reports_it() {
    let mut stage = Stage::new(&[
        "......", //
        "A.@..#", "######",
    ])
    .platform('A', "right 64");
    stage.expect(
        "wait 53",
        "
            18 x 0 0 floor
            34 x +0.0625 0 floor carried
            1 x 0 0 floor squashed stuck
        ",
    );
}

#[test]
fn a_body_that_drops_through_a_platform_is_not_caught_by_it_again() {
    let mut stage = Stage::new(&[
        ".....", //
        "..@..", "-----", ".....", ".....", "#####",
    ]);
    stage.expect(
        "wait 2, down, wait 20",
        "
            2 x 0 0 floor
            1 x 0 +0.0625
            1 x 0 +0.125
            1 x 0 +0.1875
            1 x 0 +0.25
            1 x 0 +0.3125
            1 x 0 +0.375
            1 x 0 +0.4375
            1 x 0 +0.5
            1 x 0 +0.5625
            1 x 0 +0.1875 floor
            11 x 0 0 floor
        ",
    );
    assert_eq!(stage.feet(), Vec2::new(2.5, 5.0));
}

#[test]
fn walking_off_the_edge_of_a_moving_platform_is_a_plain_fall() {
    let mut stage = Stage::new(&[
        ".........", //
        "..@......",
        "..A......",
        ".........",
        "#########",
    ])
    .platform('A', "right 32, left 32");
    stage.expect(
        "wait 4, right 24",
        "
            1 x 0 0 floor
            3 x +0.0625 0 floor carried
            7 x +0.1875 0 floor carried
            1 x +0.1875 +0.0625 carried
            1 x +0.125 +0.125
            1 x +0.125 +0.1875
            1 x +0.125 +0.25
            1 x +0.125 +0.3125
            1 x +0.125 +0.375
            1 x +0.125 +0.4375
            1 x +0.125 +0.25 floor
            9 x +0.125 0 floor
        ",
    );
}

#[test]
fn a_thin_floor_stops_a_fall_at_any_speed() {
    for speed in [1.0, 30.0, 1e3, 1e5] {
        for floor in ["-----", "aaaaa", "#####"] {
            let mut rows = vec!["..@.."];
            rows.extend(["....."; 20]);
            rows.extend([floor, ".....", "....."]);
            let mut stage = Stage::new(&rows);
            stage.velocity = Vec2::new(0.0, speed);
            stage.play("wait 30");
            assert_eq!(stage.feet(), Vec2::new(2.5, 21.0), "{floor} at {speed}");
            assert!(stage.state.on_floor());
        }
    }
}
