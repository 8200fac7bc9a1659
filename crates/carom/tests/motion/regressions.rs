//! Stories that once differed between images of a world, shrunk by the suites.
#![allow(clippy::approx_constant)] // cases are kept to the digit as they were found

use carom::prelude::*;

use crate::images::{Change, compare};
use crate::levels::{Build, Grid};
use crate::stage::{Stage, aabb, capsule, circle, convex};
use crate::story::{Actor, Frame, Map, Piece, Story};

/// The tiles of a row are one obstacle, those of a column several: the vertices at their seams add nothing.
#[test]
fn tiles_in_a_row_and_in_a_column_stop_a_pointed_foot_at_the_same_position() {
    let story = Story {
        level: vec![Piece::solid(TileMap::from_rows(
            [-5.0, -1.0],
            [1.0, 1.0],
            &["##########", "...#.ba...", "..cb...a#.", "......a...", ".........a"],
            &[
                ('#', TileKind::SOLID),
                ('a', TileKind::convex(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])),
                ('b', TileKind::convex(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])),
                ('c', TileKind::one_way_line([0.0, 1.0], [1.0, 1.0])),
            ],
        ))],
        lift: vec![],
        hero: vec![
            ConvexPolygon::new(&[
                [0.0, 0.0],
                [0.2842236, 0.3697487],
                [0.01421118, 0.7394974],
                [-0.2842236, 0.33277383],
            ])
            .into(),
        ],
        start: Vec2::new(4.0822754, 5.352539),
        actor: Actor::Walker(Walker {
            up: Vec2::new(0.6, 0.8),
            max_slope_angle: 0.3,
            snap_distance: 0.089999996,
            max_step_height: 0.99,
            corner_correction: 0.207,
            constant_speed: false,
            pixel_size: 0.0,
            ..Walker::new()
        }),
        frames: [
            vec![Frame::new([5.713135, 0.0]); 14],
            vec![Frame::new([2.6530762, 0.0]); 14],
            vec![Frame::new([5.9089355, 0.0]); 28],
            vec![Frame::new([-0.23242188, 0.0]); 4],
        ]
        .concat(),
    };
    compare(
        &story,
        &Change::Image(Map {
            axes: [Vec2::new(0.0, 1.0), Vec2::new(1.0, 0.0)],
            scale: 1.0,
            shift: Vec2::ZERO,
        }),
    )
    .unwrap();
}

/// The request moved the walker down by a few tolerances, with or without a platform underfoot.
#[test]
fn a_request_to_drop_does_nothing_in_the_air() {
    let story = Story {
        level: vec![Piece::solid(TileMap::from_rows(
            [-5.0, -1.0],
            [1.0, 1.0],
            &[
                "##############",
                ".c#..#.....b..",
                "........#.....",
                "c.............",
                ".........#.c.#",
                "............a.",
            ],
            &[
                ('#', TileKind::SOLID),
                ('a', TileKind::convex(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])),
                ('b', TileKind::convex(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])),
                ('c', TileKind::one_way_line([0.0, 1.0], [1.0, 1.0])),
            ],
        ))],
        lift: vec![],
        hero: vec![Circle::new([0.0, 0.27521104], 0.27521104).into()],
        start: Vec2::new(-2.5585938, 2.9360352),
        actor: Actor::Walker(Walker {
            up: Vec2::new(0.0, 1.0),
            max_slope_angle: 0.803,
            snap_distance: 0.0,
            max_step_height: 0.243,
            corner_correction: 0.0,
            constant_speed: false,
            pixel_size: 0.0,
            ..Walker::new()
        }),
        frames: [
            vec![Frame::new([0.0, 0.0]); 1],
            vec![Frame::new([2.66333, 0.0]); 3],
            vec![Frame { jump: true, ..Frame::new([2.66333, 0.0]) }; 1],
            vec![Frame::new([2.66333, 0.0]); 3],
            vec![Frame::new([6.5007324, 0.0]); 13],
            vec![Frame { jump: true, ..Frame::new([6.5007324, 0.0]) }; 1],
            vec![Frame::new([6.5007324, 0.0]); 5],
            vec![Frame { jump: true, ..Frame::new([6.5007324, 0.0]) }; 1],
            vec![Frame::new([6.5007324, 0.0]); 13],
            vec![Frame { jump: true, ..Frame::new([6.5007324, 0.0]) }; 1],
            vec![Frame::new([6.5007324, 0.0]); 7],
            vec![Frame { drop: true, ..Frame::new([6.5007324, 0.0]) }; 1],
        ]
        .concat(),
    };
    compare(&story, &Change::Shift(Vec2::new(-17.0, -20.0))).unwrap();
}

/// The platform ends flush with a wall that the hero slides down.
#[test]
fn a_vertex_that_grazes_the_end_of_a_one_way_platform_passes_it() {
    let story = Story {
        level: vec![
            Piece::solid(Aabb::new([2.5, 1.5], [3.0, 2.0])),
            Piece::one_way(Segment::new([2.5, 1.5], [3.0, 1.5]), [0.0, 1.0]),
        ],
        lift: vec![],
        hero: vec![
            ConvexPolygon::new(&[
                [0.0, 0.0],
                [0.09040983, 0.08812285],
                [0.0045204917, 0.1762457],
                [-0.09040983, 0.079310566],
            ])
            .into(),
        ],
        start: Vec2::new(-0.895874, 1.826416),
        actor: Actor::Traveller,
        frames: [
            vec![Frame::new([0.0, 0.2319336]); 14],
            vec![Frame::new([0.45117188, -0.087768555]); 7],
            vec![Frame::new([0.0, -0.115112305]); 7],
            vec![Frame::new([0.0, -0.09753418]); 21],
            vec![Frame::new([0.39697266, -0.31835938]); 1],
        ]
        .concat(),
    };
    compare(&story, &Change::Shift(Vec2::new(-29.0, 2.0))).unwrap();
}

/// The tangent at a vertex between two pixels was taken for a slope.
#[test]
fn a_round_foot_does_not_follow_a_vertex_of_a_flush_floor() {
    let story = Story {
        level: vec![Piece::solid(Mask::from_rows(
            [-5.0, -1.0],
            1.0,
            &[
                "####.##########",
                "...............",
                ".#..#......#.#.",
                "......#.....#..",
                "..#....#.....#.",
                "#.......#..#...",
                "..#....#....#..",
            ],
        ))],
        lift: vec![],
        hero: vec![Capsule::new([0.0, 0.16483487], [0.0, 0.634368], 0.16483487).into()],
        start: Vec2::new(4.818115, 0.4428711),
        actor: Actor::Walker(Walker {
            up: Vec2::new(0.6, 0.8),
            max_slope_angle: 1.2,
            snap_distance: 0.060000002,
            max_step_height: 0.0,
            corner_correction: 0.13800001,
            constant_speed: true,
            pixel_size: 0.0,
            ..Walker::new()
        }),
        frames: [
            vec![Frame::new([6.244873, 0.0]); 14],
            vec![Frame::new([0.0, 0.0]); 21],
            vec![Frame::new([-3.5200195, 0.0]); 1],
        ]
        .concat(),
    };
    compare(
        &story,
        &Change::Image(Map {
            axes: [Vec2::new(0.0, 1.0), Vec2::new(1.0, 0.0)],
            scale: 1.0,
            shift: Vec2::ZERO,
        }),
    )
    .unwrap();
}

/// The diagonal of an L ends in its inner corner, where a corner of the hero is.
#[test]
fn the_edge_between_two_parts_in_a_corner_has_no_normal_of_its_own() {
    let story = Story {
        level: vec![Piece::solid(Polygon::new(&[
            [8.0, 3.0],
            [6.0, 3.0],
            [6.0, 2.0],
            [7.0, 2.0],
            [7.0, 1.0],
            [8.0, 1.0],
        ]))],
        lift: vec![],
        hero: vec![
            Polygon::new(&[
                [-0.4130001, 0.0],
                [0.4130001, 0.0],
                [0.4130001, 1.207037],
                [0.08260002, 1.207037],
                [0.04130001, 0.4828148],
                [-0.4130001, 0.3621111],
            ])
            .into(),
        ],
        start: Vec2::new(2.364502, 0.6586914),
        actor: Actor::Traveller,
        frames: [
            vec![Frame::new([0.37646484, 0.0]); 9],
            vec![Frame::new([0.8588867, 0.685791]); 2],
        ]
        .concat(),
    };
    compare(
        &story,
        &Change::Image(Map {
            axes: [Vec2::new(-1.0, -0.0), Vec2::new(0.0, 1.0)],
            scale: 1.0,
            shift: Vec2::ZERO,
        }),
    )
    .unwrap();
}

/// Two faces are equally far away at a vertex.
#[test]
fn a_stop_at_a_vertex_of_a_polygon_does_not_depend_on_the_order_of_faces() {
    let story = Story {
        level: vec![Piece::solid(Chain::closed(&[
            [-2.0, 1.0],
            [-2.0, 0.0],
            [-4.0, 0.0],
            [-5.0, 1.0],
            [-5.0, -1.0],
            [7.0, -1.0],
            [7.0, 0.0],
            [-1.0, 0.0],
            [-1.0, 1.0],
        ]))],
        lift: vec![],
        hero: vec![
            Polygon::new(&[
                [-0.26523742, 0.0],
                [0.26523742, 0.0],
                [0.26523742, 1.1998409],
                [0.053047486, 1.1998409],
                [0.026523743, 0.47993636],
                [-0.26523742, 0.35995227],
            ])
            .into(),
        ],
        start: Vec2::new(-2.3903809, 3.3808594),
        actor: Actor::Traveller,
        frames: [
            vec![Frame::new([0.0, -0.6154785]); 6],
            vec![Frame::new([0.6887207, -0.7541504]); 1],
        ]
        .concat(),
    };
    compare(
        &story,
        &Change::Image(Map {
            axes: [Vec2::new(-1.0, -0.0), Vec2::new(0.0, 1.0)],
            scale: 1.0,
            shift: Vec2::ZERO,
        }),
    )
    .unwrap();
}

/// Two faces are equally far away at a vertex.
#[test]
fn a_stop_at_a_vertex_of_a_slope_does_not_depend_on_the_order_of_faces() {
    let story = Story {
        level: vec![Piece::solid(TileMap::from_rows(
            [-5.0, -1.0],
            [1.0, 1.0],
            &[
                "c########.####",
                "#..#.aa......c",
                "a..#..##.#....",
                "b..##b..c...#.",
                "a...c..#....a.",
                "....a.#.....b.",
                "#..##.cc#....#",
                ".......c...#..",
            ],
            &[
                ('#', TileKind::SOLID),
                ('a', TileKind::convex(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])),
                ('b', TileKind::convex(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])),
                ('c', TileKind::one_way_line([0.0, 1.0], [1.0, 1.0])),
            ],
        ))],
        lift: vec![],
        hero: vec![
            Polygon::new(&[
                [-0.25645953, 0.0],
                [0.25645953, 0.0],
                [0.25645953, 0.99214274],
                [0.05129191, 0.99214274],
                [0.025645955, 0.3968571],
                [-0.25645953, 0.29764283],
            ])
            .into(),
        ],
        start: Vec2::new(5.451416, 5.562256),
        actor: Actor::Walker(Walker {
            up: Vec2::new(0.6, 0.8),
            max_slope_angle: 0.3,
            snap_distance: 0.060000002,
            max_step_height: 0.16200002,
            corner_correction: 0.0,
            constant_speed: true,
            pixel_size: 0.0,
            ..Walker::new()
        }),
        frames: [
            vec![Frame::new([0.0, 0.0]); 14],
            vec![Frame { drop: true, ..Frame::new([-0.7883301, 0.0]) }; 1],
            vec![Frame::new([-0.7883301, 0.0]); 13],
            vec![Frame::new([-2.9189453, 0.0]); 11],
            vec![Frame { drop: true, ..Frame::new([-2.9189453, 0.0]) }; 1],
            vec![Frame::new([-2.9189453, 0.0]); 9],
            vec![Frame::new([0.0, 0.0]); 8],
        ]
        .concat(),
    };
    compare(
        &story,
        &Change::Image(Map {
            axes: [Vec2::new(-1.0, -0.0), Vec2::new(0.0, 1.0)],
            scale: 1.0,
            shift: Vec2::ZERO,
        }),
    )
    .unwrap();
}

/// Diagonally into the corner of a wall and a ceiling, the end of the wall had the normal of the ceiling.
#[test]
fn a_wall_that_is_met_at_its_end_keeps_its_own_normal() {
    let story = Story {
        level: vec![
            Piece::solid(Chain::closed(&[[10.0, 6.0], [10.0, 8.0], [8.0, 8.0], [6.0, 6.0]])),
            Piece::solid(Chain::closed(&[[4.0, 6.0], [4.0, 4.0], [6.0, 4.0], [6.0, 6.0]])),
            Piece::solid(Chain::closed(&[
                [6.0, 4.0],
                [6.0, 2.0],
                [4.0, 4.0],
                [4.0, 0.0],
                [-6.0, 0.0],
                [-6.0, -2.0],
                [10.0, -2.0],
                [10.0, 0.0],
                [8.0, 0.0],
                [8.0, 2.0],
            ])),
        ],
        lift: vec![],
        hero: vec![Aabb::new([-0.34431326, 0.0], [0.34431326, 0.6981709]).into()],
        start: Vec2::new(10.799805, 3.8120117),
        actor: Actor::Walker(Walker {
            up: Vec2::new(0.6, 0.8),
            max_slope_angle: 0.803,
            snap_distance: 0.372,
            max_step_height: 0.0,
            corner_correction: 0.27600002,
            constant_speed: false,
            pixel_size: 0.075,
            ..Walker::new()
        }),
        frames: [
            vec![Frame::new([-7.9052734, 0.0]); 7],
            vec![Frame::new([-7.444336, 0.0]); 25],
            vec![Frame { jump: true, ..Frame::new([-7.444336, 0.0]) }; 2],
            vec![Frame::new([-7.444336, 0.0]); 7],
            vec![Frame { jump: true, ..Frame::new([-7.444336, 0.0]) }; 1],
            vec![Frame::new([-7.444336, 0.0]); 3],
        ]
        .concat(),
    };
    compare(
        &story,
        &Change::Image(Map {
            axes: [Vec2::new(-1.0, -0.0), Vec2::new(0.0, 1.0)],
            scale: 1.0,
            shift: Vec2::ZERO,
        }),
    )
    .unwrap();
}

/// The way straight down is blocked by the wall, and the floor is below the tolerance away.
#[test]
fn a_walker_between_a_steep_wall_and_a_round_floor_keeps_the_floor() {
    let story = Story {
        level: vec![Piece::solid(ConvexPolygon::rounded(
            &[[-0.91015625, 2.1970215], [-0.30078125, 2.335846], [-0.60546875, 3.3076172]],
            0.34991455,
        ))],
        lift: vec![],
        hero: vec![
            Mask::from_rows([-0.25, 0.0], 0.125, &[".##.", "####", "####", ".##.", "###."]).into(),
        ],
        start: Vec2::new(1.2033691, 2.314209),
        actor: Actor::Walker(Walker {
            up: Vec2::new(0.6, 0.8),
            max_slope_angle: 0.803,
            snap_distance: 0.186,
            max_step_height: 0.0,
            corner_correction: 0.13800001,
            constant_speed: true,
            pixel_size: 0.0375,
            ..Walker::new()
        }),
        frames: [vec![Frame::new([5.442383, 0.0]); 7], vec![Frame::new([-6.480713, 0.0]); 14]]
            .concat(),
    };
    compare(&story, &Change::Shift(Vec2::new(-10.0, -22.0))).unwrap();
}

/// Both are walls for a walker with a slanted up direction.
#[test]
fn of_two_walls_met_equally_head_on_the_order_of_adding_chooses_none() {
    let story = Story {
        level: vec![
            Piece::solid(Aabb::new([7.0, 1.0], [8.0, 2.0])),
            Piece::solid(Aabb::new([8.0, 2.0], [9.0, 3.0])),
        ],
        lift: vec![],
        hero: vec![Aabb::new([-0.23438536, 0.0], [0.23438536, 1.2936707]).into()],
        start: Vec2::new(7.625244, 2.3217773),
        actor: Actor::Walker(Walker {
            up: Vec2::new(0.6, 0.8),
            max_slope_angle: 0.3,
            snap_distance: 0.089999996,
            max_step_height: 0.0,
            corner_correction: 0.0,
            constant_speed: false,
            pixel_size: 0.05625,
            ..Walker::new()
        }),
        frames: vec![Frame::new([4.525879, 0.0]); 8],
    };
    compare(&story, &Change::Order).unwrap();
}

/// A chain has the lower side of a slope as a segment, which ends at the tip of the slope.
#[test]
fn the_edge_under_a_slope_is_no_step() {
    let story = Story {
        level: vec![],
        lift: vec![Piece::solid(Aabb::new([2.8225098, 1.2714844], [4.82251, 1.5714843]))],
        hero: vec![Capsule::new([0.0, 0.3649598], [0.0, 1.1628908], 0.3649598).into()],
        start: Vec2::new(6.3911133, 5.4345703),
        actor: Actor::Walker(Walker {
            up: Vec2::new(0.0, 1.0),
            max_slope_angle: 0.3,
            snap_distance: 0.0,
            max_step_height: 0.99,
            corner_correction: 0.207,
            constant_speed: true,
            pixel_size: 0.0,
            ..Walker::new()
        }),
        frames: [
            vec![
                Frame {
                    lift: Vec2::new(0.047851563, 0.021484375),
                    ..Frame::new([-2.0095215, 0.0])
                };
                20
            ],
            vec![
                Frame { lift: Vec2::new(0.047851563, 0.021484375), ..Frame::new([5.015625, 0.0]) };
                2
            ],
            vec![
                Frame {
                    lift: Vec2::new(-0.047851563, -0.021484375),
                    ..Frame::new([5.015625, 0.0])
                };
                5
            ],
            vec![
                Frame { lift: Vec2::new(-0.047851563, -0.021484375), ..Frame::new([0.0, 0.0]) };
                7
            ],
            vec![
                Frame {
                    lift: Vec2::new(-0.047851563, -0.021484375),
                    ..Frame::new([-3.576416, 0.0])
                };
                11
            ],
            vec![
                Frame { lift: Vec2::new(0.047851563, 0.021484375), ..Frame::new([-3.576416, 0.0]) };
                3
            ],
            vec![
                Frame { lift: Vec2::new(0.047851563, 0.021484375), ..Frame::new([4.498047, 0.0]) };
                19
            ],
        ]
        .concat(),
    };
    compare(
        &story,
        &Change::Build(
            Grid {
                origin: Vec2::new(-5.0, -1.0),
                cell: 1.0,
                rows: vec![
                    "...............".to_string(),
                    "...............".to_string(),
                    "...............".to_string(),
                    "...............".to_string(),
                    "........../....".to_string(),
                    "...........#...".to_string(),
                ],
            },
            Build::Polygon,
            Build::Chain,
        ),
    )
    .unwrap();
}

/// Past one part of the ceiling, the next one begins.
#[test]
fn corner_correction_passes_a_ceiling_of_several_parts() {
    let story = Story {
        level: vec![],
        lift: vec![],
        hero: vec![
            ConvexPolygon::new(&[
                [0.0, 0.0],
                [0.06498213, 0.10293604],
                [0.0032491067, 0.20587207],
                [-0.06498213, 0.092642434],
            ])
            .into(),
        ],
        start: Vec2::new(1.9034424, 1.4799805),
        actor: Actor::Walker(Walker {
            up: Vec2::new(0.6, 0.8),
            max_slope_angle: 0.803,
            snap_distance: 0.0,
            max_step_height: 0.0,
            corner_correction: 0.069000006,
            constant_speed: false,
            pixel_size: 0.01875,
            ..Walker::new()
        }),
        frames: [
            vec![Frame::new([1.1531982, 0.0]); 12],
            vec![Frame { jump: true, ..Frame::new([1.1531982, 0.0]) }; 1],
            vec![Frame::new([1.1531982, 0.0]); 1],
            vec![Frame::new([3.0598145, 0.0]); 14],
            vec![Frame::new([1.78125, 0.0]); 4],
            vec![Frame { jump: true, ..Frame::new([1.78125, 0.0]) }; 2],
            vec![Frame::new([1.78125, 0.0]); 1],
            vec![Frame::new([-0.77685547, 0.0]); 1],
        ]
        .concat(),
    };
    compare(
        &story,
        &Change::Build(
            Grid {
                origin: Vec2::new(-2.5, -0.5),
                cell: 0.5,
                rows: vec![
                    ".......##.".to_string(),
                    "..........".to_string(),
                    "......../#".to_string(),
                    "..........".to_string(),
                    "..........".to_string(),
                    "..........".to_string(),
                    "..........".to_string(),
                ],
            },
            Build::Tiles,
            Build::Polygon,
        ),
    )
    .unwrap();
}

/// The end of the floor under the wall had the same plane as the wall, and took it along when it was left
/// out.
#[test]
fn a_corner_of_boxes_stops_a_box_at_the_same_position_in_every_order() {
    let level = [
        ([0.0, -1.0], [1.0, 0.0]),
        ([1.0, -1.0], [2.0, 0.0]),
        ([2.0, -1.0], [3.0, 0.0]),
        ([0.0, 0.0], [1.0, 1.0]),
    ];
    let story = Story {
        level: level.map(|(min, max)| Piece::solid(Aabb::new(min, max))).into(),
        lift: vec![],
        hero: vec![Aabb::new([-0.26038438, 0.0], [0.26038438, 0.7928542]).into()],
        start: Vec2::new(3.4257813, 4.8720703),
        actor: Actor::Walker(Walker {
            max_slope_angle: 0.803,
            snap_distance: 0.186,
            ..Walker::new()
        }),
        frames: [
            vec![Frame::new([-6.3464355, 0.0]); 7],
            vec![Frame::new([1.9526367, 0.0]); 14],
            vec![Frame::new([0.0, 0.0]); 35],
            vec![Frame::new([-5.5407715, 0.0]); 21],
            vec![Frame::new([-1.7631836, 0.0]); 3],
        ]
        .concat(),
    };
    compare(&story, &Change::Order).unwrap();
}

/// The top of the tile below, and the edge between two parts of a polygon, end at the bottom of the notch.
#[test]
fn the_bottom_of_a_notch_of_steep_slopes_is_no_floor() {
    let outline = [[4., -2.], [6., -2.], [6., 1.], [5., 0.], [4., 1.]];
    let wide = [[-9., -9.], [9., -9.], [9., -1.], [6., 1.], [5., 0.], [4., 1.], [-9., -1.]];
    let slope = |left: f32, right: f32| TileKind::slope(left, right, [0.0, 1.0]);
    let legend = [('#', TileKind::SOLID), ('\\', slope(1., 0.)), ('/', slope(0., 1.))];
    let left = || convex(&[[4., -2.], [5., -2.], [5., 0.], [4., 1.]]);
    let right = || convex(&[[5., -2.], [6., -2.], [6., 1.], [5., 0.]]);
    let levels: [Vec<Shape>; 6] = [
        vec![left(), right()],
        vec![Compound::new([left(), right()]).into()],
        vec![Polygon::new(&outline).into()],
        vec![Polygon::new(&wide).into()],
        vec![TileMap::from_rows([4., -1.], [1., 1.], &["##", "\\/"], &legend).into()],
        vec![Chain::new(&[[4., 1.], [5., 0.], [6., 1.]]).into()],
    ];
    let hero = convex(&[[0., 0.], [0.375, 0.4], [0.375, 0.875], [-0.375, 0.875], [-0.375, 0.4]]);
    for (index, level) in levels.into_iter().enumerate() {
        let mut stage = Stage::new(hero.clone(), [5., 0.]);
        level.into_iter().for_each(|shape| stage.add(shape));
        stage.walker = Walker::new().max_slope_angle(0.77);
        let walk = stage.walk([0., -0.25]);
        assert!(!walk.on_floor() && walk.end == Vec2::new(5., 0.), "level {index}: {walk:?}");
    }
}

/// The faces of a rounded polygon that are not over the end or the joint of a one-way platform were left out, and
/// so nearly every position counted as inside.
#[test]
fn a_rounded_box_rolls_over_the_end_and_the_joint_of_a_one_way_platform() {
    let rounded = |half: f32, radius: f32, top: f32| {
        let points = [[-half, radius], [half, radius], [half, top], [-half, top]];
        ConvexPolygon::rounded(&points, radius)
    };
    let mut stage = Stage::new(rounded(0.25, 0.0625, 1.), [3.8894565, 1.782693]);
    stage.add(Chain::new(&[[0.8809757, 2.0237896], [3.6365, 1.7827126]]).one_sided());
    stage.walker = Walker::new().snap_distance(0.);
    stage.stand();
    let walk = stage.walk([0.015625, -0.015625]);
    assert!(walk.on_floor() && (walk.end.y - 1.779905).abs() < 1e-5, "{walk:?}");

    let mut stage = Stage::new(rounded(0.4420637, 0.11051592, 0.93), [-0.45502222, -2.1147587]);
    let chain = [[-5.683404, -1.8935997], [-0.8812218, -2.1156106], [-0.053497076, -2.529472]];
    stage.add(Chain::new(&chain).one_sided());
    stage.walker = Walker::new().snap_distance(0.3);
    stage.stand();
    let walk = stage.walk([0.046875, 0.]);
    assert!(walk.on_floor() && (walk.end.y + 2.120036).abs() < 1e-5, "{walk:?}");
}

/// The end of the platform is inside the body: it is neither in front of it nor stopped by it.
#[test]
fn a_round_body_halfway_through_the_end_of_a_one_way_platform_falls() {
    let heroes = [
        capsule([0., 0.4], [0., 1.6], 0.4),
        ConvexPolygon::rounded(&[[-0.2, 0.2], [0.2, 0.2], [0.2, 1.8], [-0.2, 1.8]], 0.2).into(),
    ];
    for hero in heroes {
        for (x, chain) in [
            (-0.125, vec![[0., 2.], [4., 2.]]),
            (0.125, vec![[-4., 2.], [0., 2.]]),
            (0.125, vec![[-4., 1.], [0., 2.], [4., 1.]]),
        ] {
            for behind in [0.5, 0.75, 1., 1.25, 1.5, 1.75] {
                let mut stage = Stage::new(hero.clone(), [x, 2. - behind]);
                stage.add(Chain::new(&chain).one_sided());
                for _ in 0..16 {
                    let _ = stage.walk([0., -0.125]);
                }
                let fallen = Vec2::new(x, -behind);
                assert_eq!(stage.at(), fallen, "{chain:?}, {behind} behind");
            }
        }
    }
}

/// Under the end of a platform, the lower box of a wall is touched in a vertex. It had the normal of the platform,
/// which the motion meets more head-on, and hid the wall.
#[test]
fn a_vertex_of_a_flush_wall_does_not_replace_the_wall_in_a_hit() {
    let story = Story {
        level: vec![
            Piece::solid(Mask::from_rows(
                [-5.0, -1.0],
                1.0,
                &[
                    "##.############",
                    ".......#...##..",
                    "...........#...",
                    "....#.#......#.",
                    "#.###..#..#..#.",
                    "..#....#......#",
                ],
            )),
            Piece::solid(Chain::new(&[[1.0, 4.0], [2.0, 4.0]]).one_sided()),
        ],
        lift: vec![],
        hero: vec![
            Polygon::new(&[
                [-0.2781802, 0.0],
                [0.2781802, 0.0],
                [0.2781802, 1.3183849],
                [0.055636045, 1.3183849],
                [0.027818022, 0.52735394],
                [-0.2781802, 0.39551547],
            ])
            .into(),
        ],
        start: Vec2::new(-3.4086914, 3.2990723),
        actor: Actor::Traveller,
        frames: [vec![Frame::new([0.0, 0.4921875]); 5], vec![Frame::new([2.9907227, -7.63916]); 3]]
            .concat(),
    };
    compare(
        &story,
        &Change::Image(Map {
            axes: [Vec2::new(0.0, 1.0), Vec2::new(1.0, 0.0)],
            scale: 1.0,
            shift: Vec2::ZERO,
        }),
    )
    .unwrap();
}

/// The floor itself blocks the level motion, and the wall blocks only the way along the floor.
#[test]
fn a_wall_that_blocks_the_way_up_the_floor_is_a_wall() {
    let story = Story {
        level: vec![Piece::solid(Segment::new([5.9699707, 0.33081055], [7.0075684, -0.35668945]))],
        lift: vec![],
        hero: vec![
            Mask::from_rows([-0.3125, 0.0], 0.15625, &[".##.", "####", "####", ".##.", "###."])
                .into(),
        ],
        start: Vec2::new(5.281494, 1.1977539),
        actor: Actor::Walker(Walker {
            up: Vec2::new(0.6, 0.8),
            max_slope_angle: 1.2,
            snap_distance: 0.27899998,
            max_step_height: 0.47699997,
            corner_correction: 0.0,
            constant_speed: false,
            pixel_size: 0.0,
            ..Walker::new()
        }),
        frames: [
            vec![Frame::new([4.878418, 0.0]); 9],
            vec![Frame::new([2.588623, 0.0]); 21],
            vec![Frame::new([3.7827148, 0.0]); 7],
            vec![Frame::new([0.17871094, 0.0]); 1],
        ]
        .concat(),
    };
    compare(
        &story,
        &Change::Image(Map {
            axes: [Vec2::new(0.0, 1.0), Vec2::new(1.0, 0.0)],
            scale: 1.0,
            shift: Vec2::ZERO,
        }),
    )
    .unwrap();
}

/// The tip of a slope is in a notch of the hero, between two surfaces that it touches elsewhere.
#[test]
fn the_tip_of_a_slope_in_a_notch_of_the_hero_is_no_wall_of_its_own() {
    let story = Story {
        level: vec![
            Piece::solid(Chain::closed(&[
                [2.0, 6.0],
                [2.0, 2.0],
                [0.0, 2.0],
                [0.0, 0.0],
                [-10.0, 0.0],
                [-10.0, -2.0],
                [14.0, -2.0],
                [14.0, 0.0],
                [10.0, 0.0],
                [10.0, 2.0],
                [12.0, 2.0],
                [10.0, 4.0],
                [8.0, 4.0],
                [8.0, 2.0],
                [6.0, 2.0],
                [6.0, 0.0],
                [4.0, 0.0],
                [4.0, 4.0],
            ])),
            Piece::solid(Chain::closed(&[[-6.0, 4.0], [-6.0, 2.0], [-4.0, 2.0]])),
            Piece::solid(Chain::closed(&[[-10.0, 2.0], [-8.0, 2.0], [-10.0, 4.0]])),
        ],
        lift: vec![],
        hero: vec![
            Mask::from_rows([-0.5625, 0.0], 0.28125, &[".##.", "####", "####", ".##.", "###."])
                .into(),
        ],
        start: Vec2::new(0.5629883, 6.4160156),
        actor: Actor::Walker(Walker {
            up: Vec2::new(0.0, 1.0),
            max_slope_angle: 0.803,
            snap_distance: 0.17999999,
            max_step_height: 0.95399994,
            corner_correction: 0.0,
            constant_speed: false,
            pixel_size: 0.1125,
            ..Walker::new()
        }),
        frames: [
            vec![Frame::new([-1.328125, 0.0]); 5],
            vec![Frame { jump: true, ..Frame::new([-1.328125, 0.0]) }; 1],
            vec![Frame::new([-1.328125, 0.0]); 1],
            vec![Frame::new([-3.0048828, 0.0]); 12],
            vec![Frame { jump: true, ..Frame::new([-3.0048828, 0.0]) }; 1],
            vec![Frame::new([-3.0048828, 0.0]); 3],
            vec![Frame { jump: true, ..Frame::new([-3.0048828, 0.0]) }; 1],
            vec![Frame::new([-3.0048828, 0.0]); 4],
            vec![Frame::new([-9.387207, 0.0]); 7],
            vec![Frame::new([-8.083496, 0.0]); 7],
            vec![Frame { jump: true, ..Frame::new([-11.595215, 0.0]) }; 1],
            vec![Frame::new([-11.595215, 0.0]); 6],
            vec![Frame::new([-4.6088867, 0.0]); 3],
            vec![Frame { jump: true, ..Frame::new([-4.6088867, 0.0]) }; 1],
            vec![Frame::new([-4.6088867, 0.0]); 3],
            vec![Frame::new([-2.3408203, 0.0]); 5],
            vec![Frame { jump: true, ..Frame::new([-2.3408203, 0.0]) }; 1],
            vec![Frame::new([-2.3408203, 0.0]); 8],
            vec![Frame::new([-10.873535, 0.0]); 6],
            vec![Frame { jump: true, ..Frame::new([-10.873535, 0.0]) }; 1],
            vec![Frame::new([-10.873535, 0.0]); 1],
            vec![Frame { jump: true, ..Frame::new([-10.873535, 0.0]) }; 1],
            vec![Frame::new([-10.873535, 0.0]); 11],
        ]
        .concat(),
    };
    compare(
        &story,
        &Change::Image(Map {
            axes: [Vec2::new(0.0, 1.0), Vec2::new(1.0, 0.0)],
            scale: 1.0,
            shift: Vec2::ZERO,
        }),
    )
    .unwrap();
}

/// A walker in a wedge grazes the round corner of a ceiling: a documented tie.
#[test]
fn a_walk_that_grazes_the_corner_of_a_ceiling_is_a_tie() {
    let story = Story {
        level: vec![
            Piece::solid(Aabb::new([2.0, 2.0], [4.0, 4.0])),
            Piece::solid(Aabb::new([4.0, 8.0], [8.0, 10.0])),
        ],
        lift: vec![Piece::solid(Aabb::new([0.39746094, 5.116699], [4.397461, 5.716699]))],
        hero: vec![Circle::new([0.0, 0.6281686], 0.6281686).into()],
        start: Vec2::new(0.8730469, 8.178711),
        actor: Actor::Walker(Walker {
            up: Vec2::new(0.0, 1.0),
            max_slope_angle: 1.2,
            snap_distance: 0.17999999,
            max_step_height: 0.95399994,
            corner_correction: 0.0,
            constant_speed: true,
            pixel_size: 0.0,
            ..Walker::new()
        }),
        frames: [
            vec![
                Frame {
                    lift: Vec2::new(-0.118652344, -0.06933594),
                    ..Frame::new([12.5703125, 0.0])
                };
                7
            ],
            vec![
                Frame {
                    lift: Vec2::new(-0.118652344, -0.06933594),
                    ..Frame::new([11.270508, 0.0])
                };
                4
            ],
            vec![
                Frame { lift: Vec2::new(0.118652344, 0.06933594), ..Frame::new([11.270508, 0.0]) };
                3
            ],
            vec![
                Frame { lift: Vec2::new(0.118652344, 0.06933594), ..Frame::new([9.880371, 0.0]) };
                8
            ],
            vec![
                Frame { lift: Vec2::new(-0.118652344, -0.06933594), ..Frame::new([9.880371, 0.0]) };
                11
            ],
            vec![
                Frame { lift: Vec2::new(0.118652344, 0.06933594), ..Frame::new([9.880371, 0.0]) };
                2
            ],
            vec![
                Frame { lift: Vec2::new(0.118652344, 0.06933594), ..Frame::new([-11.207031, 0.0]) };
                9
            ],
        ]
        .concat(),
    };
    compare(&story, &Change::Shift(Vec2::new(-10.0, -25.0))).unwrap();
}

/// A fall that grazes a corner which a lift presses on the hero: a documented tie.
#[test]
fn a_fall_that_grazes_a_corner_is_a_tie() {
    let story = Story {
        level: vec![Piece::solid(Aabb::new([-9.0, -2.0], [9.0, -0.89990234]))],
        lift: vec![Piece::solid(Aabb::new([1.6279297, 1.0043945], [3.6279297, 1.3043945]))],
        hero: vec![
            ConvexPolygon::rounded(
                &[[-0.33844692, 0.33844692], [0.33844692, 0.33844692], [0.03384469, 1.325083]],
                0.16922346,
            )
            .into(),
        ],
        start: Vec2::new(-0.27612305, 3.6530762),
        actor: Actor::Walker(Walker {
            up: Vec2::new(0.6, 0.8),
            max_slope_angle: 0.803,
            snap_distance: 0.089999996,
            max_step_height: 0.47699997,
            corner_correction: 0.0,
            constant_speed: true,
            pixel_size: 0.0,
            ..Walker::new()
        }),
        frames: [
            vec![Frame { lift: Vec2::new(-0.0, 0.025146484), ..Frame::new([3.7702637, 0.0]) }; 7],
            vec![Frame { lift: Vec2::new(-0.0, 0.025146484), ..Frame::new([3.613037, 0.0]) }; 5],
            vec![
                Frame {
                    jump: true,
                    lift: Vec2::new(-0.0, 0.025146484),
                    ..Frame::new([3.613037, 0.0])
                };
                1
            ],
            vec![Frame { lift: Vec2::new(-0.0, 0.025146484), ..Frame::new([3.613037, 0.0]) }; 1],
            vec![Frame { lift: Vec2::new(0.0, -0.025146484), ..Frame::new([3.613037, 0.0]) }; 14],
            vec![Frame { lift: Vec2::new(-0.0, 0.025146484), ..Frame::new([3.1066895, 0.0]) }; 6],
            vec![
                Frame {
                    jump: true,
                    lift: Vec2::new(-0.0, 0.025146484),
                    ..Frame::new([3.1066895, 0.0])
                };
                1
            ],
            vec![Frame { lift: Vec2::new(-0.0, 0.025146484), ..Frame::new([3.928711, 0.0]) }; 7],
            vec![Frame { lift: Vec2::new(0.0, -0.025146484), ..Frame::new([3.928711, 0.0]) }; 14],
            vec![Frame { lift: Vec2::new(-0.0, 0.025146484), ..Frame::new([3.928711, 0.0]) }; 7],
            vec![
                Frame {
                    jump: true,
                    lift: Vec2::new(-0.0, 0.025146484),
                    ..Frame::new([3.928711, 0.0])
                };
                1
            ],
            vec![Frame { lift: Vec2::new(-0.0, 0.025146484), ..Frame::new([3.928711, 0.0]) }; 1],
            vec![
                Frame {
                    jump: true,
                    lift: Vec2::new(-0.0, 0.025146484),
                    ..Frame::new([3.928711, 0.0])
                };
                1
            ],
            vec![Frame { lift: Vec2::new(-0.0, 0.025146484), ..Frame::new([3.928711, 0.0]) }; 4],
            vec![Frame { lift: Vec2::new(0.0, -0.025146484), ..Frame::new([3.928711, 0.0]) }; 7],
            vec![Frame { lift: Vec2::new(0.0, -0.025146484), ..Frame::new([-5.087158, 0.0]) }; 7],
        ]
        .concat(),
    };
    compare(&story, &Change::Shift(Vec2::new(19.0, 12.0))).unwrap();
}

/// The motion of a response grazes the round corner that was hit: a documented tie.
#[test]
fn a_redirected_motion_that_grazes_a_corner_is_a_tie() {
    let story = Story {
        level: vec![
            Piece::solid(Aabb::new([-4.9589844, 3.1228027], [-3.83667, 4.0544434])),
            Piece::solid(Polygon::new(&[
                [-3.2416992, 3.6455078],
                [-1.1831055, 3.6455078],
                [-1.1831055, 4.0012207],
                [-1.6977539, 4.0012207],
                [-1.9550781, 3.7789001],
                [-2.855713, 3.8233643],
                [-3.2416992, 4.0012207],
            ])),
        ],
        lift: vec![],
        hero: vec![
            ConvexPolygon::rounded(
                &[[-0.18214281, 0.18214281], [0.18214281, 0.18214281], [0.018214282, 0.6837136]],
                0.091071405,
            )
            .into(),
        ],
        start: Vec2::new(1.9763184, 1.2087402),
        actor: Actor::Traveller,
        frames: [
            vec![Frame::new([0.030029297, -0.125]); 7],
            vec![Frame::new([0.0, 0.115234375]); 21],
            vec![Frame::new([-0.81396484, -0.2722168]); 7],
            vec![
                Frame {
                    response: Response::Redirect(Vec2::new(0.4970703, -0.052978516)),
                    ..Frame::new([-0.1340332, 0.3786621])
                };
                6
            ],
        ]
        .concat(),
    };
    compare(&story, &Change::Shift(Vec2::new(-31.0, -26.0))).unwrap();
}

/// In a notch between two walls, the wall that stopped a slide replaced the one that stopped the motion.
#[test]
fn the_wall_that_stops_the_motion_counts_and_not_the_one_that_stops_a_slide() {
    let story = Story {
        level: vec![
            Piece::solid(ConvexPolygon::rounded(
                &[[7.5751953, 1.4755859], [9.729004, 1.6558228], [8.6521, 2.9174805]],
                0.056518555,
            )),
            Piece::solid(Chain::new(&[
                [8.21875, 2.9074707],
                [7.21875, 2.9394531],
                [6.09375, 3.4335938],
                [4.96875, 3.5493164],
                [3.96875, 3.4899902],
            ])),
        ],
        lift: vec![],
        hero: vec![
            Aabb::new([-0.22331809, 0.11165904], [0.22331809, 0.63069856]).into(),
            Circle::new([0.0, 0.22331809], 0.22331809).into(),
        ],
        start: Vec2::new(6.3479004, 4.697998),
        actor: Actor::Walker(Walker {
            up: Vec2::new(0.0, 1.0),
            max_slope_angle: 0.3,
            snap_distance: 0.060000002,
            max_step_height: 0.16200002,
            corner_correction: 0.0,
            constant_speed: true,
            pixel_size: 0.0,
            ..Walker::new()
        }),
        frames: [
            vec![Frame::new([5.3259277, 0.0]); 2],
            vec![Frame::new([-1.7353516, 0.0]); 14],
            vec![Frame::new([1.2993164, 0.0]); 7],
            vec![Frame::new([-4.7314453, 0.0]); 28],
            vec![Frame::new([4.3549805, 0.0]); 21],
            vec![Frame::new([-1.5397949, 0.0]); 4],
        ]
        .concat(),
    };
    compare(&story, &Change::Shift(Vec2::new(20.0, 26.0))).unwrap();
}

/// The floor below adds nothing to the slopes that meet on it. A level of polygons has none there.
#[test]
fn a_floor_in_the_point_where_two_steep_slopes_meet_is_none() {
    let story = Story {
        level: vec![],
        lift: vec![],
        hero: vec![
            ConvexPolygon::new(&[
                [0.0, 0.0],
                [0.19766293, 0.3517591],
                [0.009883147, 0.7035182],
                [-0.19766293, 0.3165832],
            ])
            .into(),
        ],
        start: Vec2::new(2.8017578, 1.2045898),
        actor: Actor::Walker(Walker {
            up: Vec2::new(0.0, 1.0),
            max_slope_angle: 0.3,
            snap_distance: 0.186,
            max_step_height: 0.16200002,
            corner_correction: 0.0,
            constant_speed: true,
            pixel_size: 0.0,
            ..Walker::new()
        }),
        frames: [vec![Frame::new([0.0, 0.0]); 17], vec![Frame::new([0.6225586, 0.0]); 6]].concat(),
    };
    compare(
        &story,
        &Change::Build(
            Grid {
                origin: Vec2::new(-5.0, -1.0),
                cell: 1.0,
                rows: vec![
                    ".......##.....".to_string(),
                    ".......\\/.....".to_string(),
                    "..............".to_string(),
                    "..............".to_string(),
                    "..............".to_string(),
                ],
            },
            Build::Tiles,
            Build::Boxes,
        ),
    )
    .unwrap();
}

/// The rule for ties that the three stories above rely on.
#[test]
fn a_motion_that_grazes_a_round_corner_passes_it() {
    // A ball of radius 0.5 touches the corner of a box with the normal (0.6, 0.8).
    let hits = |angle: f32| {
        let mut stage = Stage::new(circle([0.0, 0.0], 0.5), [0.3, 0.4]);
        stage.add(aabb([-1.0, -1.0], [0.0, 0.0]));
        let motion = Vec2::new(-0.8, 0.6).rotate(Vec2::from_angle(angle));
        stage.slide(motion).hits().len()
    };
    let tolerance = 6.0 * 0.9 * f32::EPSILON; // the ball's coordinates go up to 0.9
    let hidden = (2.0 * tolerance / 0.5).sqrt();
    assert_eq!((hits(0.5 * hidden), hits(4.0 * hidden)), (0, 1));
}
