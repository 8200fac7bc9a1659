//! Moves and walks that once differed from the oracles.
#![allow(clippy::approx_constant)] // cases are kept to the digit as they were found

use carom::prelude::*;

use crate::stage::{Stage, aabb, capsule, convex};

/// The edges at a vertex of a one-way surface were not known, so a
/// round foot that rolled over a crest onto a steep slope lost the crest, which is the edge of a step.
#[test]
fn a_round_foot_stands_on_the_crest_of_a_one_way_hill_as_on_a_solid_one() {
    let end = |is_one_way: bool, is_first: bool| {
        let (chain, hero, at, walker, motion) = if is_first {
            (
                Chain::new(&[
                    [-2.3459175, -3.116775],
                    [0.8405497, -2.5472293],
                    [4.885358, -5.3794346],
                ]),
                capsule([0.0, 0.45870557], [0.0, 1.2844852], 0.45870557),
                [0.96709913, -2.5650308],
                Walker::new().max_slope_angle(0.37284318).max_step_height(0.10999323),
                [0.125, 0.0],
            )
        } else {
            (
                Chain::new(&[
                    [-7.661005, 0.41133654],
                    [-5.7388487, 0.07240856],
                    [-4.9443836, -0.30520648],
                ]),
                capsule([0.0, 0.47714326], [0.0, 1.3032273], 0.47714326),
                [-5.633423, 0.060615793],
                Walker::new().max_slope_angle(0.40254772).max_step_height(0.49436787),
                [0.09375, -0.015625],
            )
        };
        let mut stage = Stage::new(hero, at);
        stage.add(if is_one_way { chain.one_sided() } else { chain });
        stage.walker = walker.snap_distance(0.3);
        stage.stand();
        let walk = stage.walk(motion);
        assert!(walk.on_floor(), "one-way: {is_one_way}, first: {is_first}");
        walk.end
    };
    for is_first in [true, false] {
        let [one_way, solid] = [true, false].map(|is_one_way| end(is_one_way, is_first));
        assert!((one_way - solid).length() < 1e-6, "{one_way} instead of {solid}");
    }
}

/// It leads into a box and, by the rounding of an angle, into the slope below.
#[test]
fn a_slope_that_a_motion_only_grazes_is_no_hit_beside_a_wall() {
    let mut stage = Stage::new(
        Aabb::new([-0.5952966, -0.6224194], [0.5952966, 0.6224194]),
        [1.0103285, 3.2324355],
    )
    .with(Obb::new([2.2508707, 2.8973436], [0.65628755, 0.2562274], 0.7853982))
    .with(Obb::new([-0.71661735, 1.7119751], [1.4352074, 1.3318306], 0.7853982));
    let travel = stage.slide([0.25, -0.25]);
    let normals: Vec<Vec2> = travel.hits().iter().map(|hit| hit.normal).collect();
    assert_eq!(normals, [Vec2::NEG_X]);
}

/// The skin of the point was made far from the origin, where coordinates are
/// coarser than at the end of the slide, and no margin there was as wide: the point went back half of the way.
#[test]
fn a_point_slides_towards_the_origin_as_far_as_away_from_it() {
    let mut stage = Stage::new(Point::new([0.0, 0.0]), [-0.98483086, -0.14722382])
        .with(Aabb::new([-0.9960227, -0.6649309], [0.55273056, -0.14722484]));
    let travel = stage.slide([0.75, -0.5]);
    assert!((travel.end.x - -0.23483086).abs() < 1e-6, "{}", travel.end);
}

/// At a corner, a body without area is within its own skin. It slid along, or stopped at, the nearest face.
#[test]
fn points_and_lines_leave_a_corner_freely() {
    let mut stage = Stage::new(Segment::new([0.0, 0.0], [1.25, 0.5]), [-5.0, -1.25])
        .with(Aabb::new([-3.75, -0.75], [-2.25, 1.25]));
    assert_eq!(stage.slide([-2.0, 2.0]).end, Vec2::new(-7.0, 0.75));

    let rows = ["..#.###", "...##.#", "#..####", ".##...#", "#####..", "#####.#"];
    let mut stage = Stage::new(Point::new([0.0, 0.0]), [28.0, 64.0]).with(Mask::from_rows(
        [28.0, 40.0],
        4.0,
        &rows,
    ));
    assert_eq!(stage.slide([-169.0, -119.5]).end, Vec2::new(-141.0, -55.5));

    let mut stage = Stage::new(Segment::new([0.0, 0.0], [0.25, 1.25]), [1.75, -1.9999965])
        .with(Aabb::new([1.25, -2.5], [1.75, -2.0]));
    assert!((stage.slide([1.0, -0.75]).end - Vec2::new(2.75, -2.75)).length() < 1e-5);

    let mut stage =
        Stage::new(Point::new([0.0, 0.0]), [4.5, -0.75]).with(Aabb::new([4.0, -1.0], [4.5, -0.75]));
    assert_eq!(stage.slide([-7.5, 2.75]).end, Vec2::new(-3.0, 2.0));

    let mut stage =
        Stage::new(Point::new([0.0, 0.0]), [-2.260183, -4.0774345]).with(Polygon::new(&[
            [-5.046355, -4.0774345],
            [-2.2601924, -4.0774345],
            [-2.2601924, -2.4695222],
            [-3.188913, -2.4695222],
            [-3.188913, -3.2734783],
            [-4.117634, -3.2734783],
            [-4.117634, -2.4695222],
            [-5.046355, -2.4695222],
        ]));
    let end = Vec2::new(-4.260183, -8.077_435);
    assert!((stage.slide([-2.0, -4.0]).end - end).length() < 1e-5);
}

/// The skin grew with the coordinates on the way: the body was inside of it, and met
/// the next tile, or the last vertex of the face that it slid along.
#[test]
fn a_point_that_slides_away_from_the_origin_does_not_leave_the_face() {
    let mut stage = Stage::new(Point::new([0.0, 0.0]), [-11.0, -7.25]).with(Polygon::new(&[
        [41.80902, 8.441401],
        [70.92337, 8.441401],
        [70.92337, 25.110968],
        [61.21859, 25.110968],
        [56.366196, 12.608792],
        [41.80902, 25.110968],
    ]));
    let end = stage.slide([163.75, 47.75]).end;
    assert!((end - Vec2::new(152.75, 8.441401)).length() < 2e-4, "{end}");

    let legend = [
        ('#', TileKind::SOLID),
        ('a', TileKind::convex(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])),
        ('c', TileKind::convex(&[[0.0, 1.0], [1.0, 0.5], [1.0, 1.0]])),
    ];
    let rows = ["a..#c", "c.###", "c###c", "#a##c"];
    let mut stage = Stage::new(Point::new([0.0, 0.0]), [0.25, 0.25]).with(TileMap::from_rows(
        [1.75, -2.25],
        [0.75, 0.25],
        &rows,
        &legend,
    ));
    let end = stage.slide([4.25, -3.75]).end;
    assert!((end - Vec2::new(4.5, -1.25)).length() < 1e-5, "{end}");
}

/// The skin grew when more obstacles were gathered, after the contacts had been found:
/// the line was in the skin of the upper obstacle, which did not block it, and passed through it.
#[test]
fn a_line_does_not_pass_through_a_corner_in_whose_skin_it_has_come() {
    let mut stage = Stage::new(Segment::new([0.0, 0.0], [8.0, 12.0]), [13.514648, -6.4853516])
        .with(Obb::new([32.0, 12.0], [12.0, 12.0], 0.7853982))
        .with(ConvexPolygon::new(&[
            [50.34073, -19.913282],
            [16.68965, -14.087355],
            [23.796303, -48.089474],
        ]));
    let end = stage.slide([32.0, -32.0]).end;
    assert!((end - Vec2::new(22.0435, -15.0142)).length() < 1e-3, "{end}");
}

/// A point in the skin of two sides of a corner was blocked by the side that it was about
/// to leave, and lost a part of its motion.
#[test]
fn a_point_beside_a_corner_goes_around_it() {
    let mut stage =
        Stage::new(Point::new([0.0, 0.0]), [-1.9513848, -1.0693216]).with(Mask::from_rows(
            [-2.2013805, -2.3193173],
            0.25,
            &["##.#.##", "##.#..#", ".#...##", ".#.###.", "..#..#.", "#...#.#"],
        ));
    let end = stage.slide([4.75, 0.5]).end;
    assert!((end - Vec2::new(-1.2013805, -0.5693216)).length() < 1e-5, "{end}");

    let mut stage = Stage::new(Point::new([0.0, 0.0]), [1.7499914, -2.7499936])
        .with(Aabb::new([1.75, -2.75], [2.25, -2.0]));
    let motion = Vec2::new(0.1171875, -0.9433594);
    let end = stage.slide(motion).end;
    assert!((end - (Vec2::new(1.7499914, -2.7499936) + motion)).length() < 1e-5, "{end}");
}

/// The second surface is at a right angle to the motion: the last bit decided whether
/// the body ran up along it.
#[test]
fn a_slide_at_a_right_angle_to_the_motion_stops() {
    let mut stage = Stage::new(Aabb::new([-0.75, -0.25], [0.75, 0.25]), [3.0, -4.25])
        .with(Capsule::new([0.25, -3.25], [1.25, -3.75], 0.5))
        .with(convex(&[[2.0, -1.75], [1.0, -0.5], [0.0, -1.75], [1.0, -3.0]]));
    assert_eq!(stage.slide([-5.0, 4.0]).end, Vec2::new(2.5, -2.3125));
}

/// The skin was smaller than in the move before, nearer to the origin: the line met
/// one side of the notch before the other, and slid farther along it.
#[test]
fn a_line_in_a_notch_meets_both_sides_at_once() {
    let mut stage = Stage::new(Segment::new([0.0, 0.0], [1.25, 0.75]), [-2.2672477, 1.439664])
        .with(Compound::new([
            Shape::from(Aabb::new([-1.75, 0.75], [-0.75, 1.75])),
            Shape::from(Triangle::new([-1.5, 0.5], [-0.5, 1.0], [-1.0, 2.25])),
        ]));
    let end = stage.slide([2.5, -4.75]).end;
    assert!((end - Vec2::new(-2.5246, 1.28525)).length() < 1e-4, "{end}");
}

/// The position was rounded past the end of the motion along x, and the hit reported a motion along the wall.
#[test]
fn a_motion_that_rounding_has_led_along_a_wall_does_not_hit_it() {
    let mut stage =
        Stage::new(Segment::new([0.0, 0.0], [0.78475565, 0.30644393]), [3.7490916, 1.229821])
            .with(Obb::new([3.4979649, -0.10518217], [0.2511186, 0.83500016], 0.0));
    let motion = Vec2::new(-8.106232e-6, -0.500003);
    let travel = stage.world.travel(stage.hero, motion, |_| Response::Bounce(0.5)).unwrap();
    for hit in travel.hits() {
        assert!(hit.normal.dot(hit.motion) < 0.0, "{hit:?}");
    }
}

/// The vertex of a step beside a rising walker counted as its landing: it lost its rise and was snapped down.
#[test]
fn a_jump_beside_the_edge_of_a_step_keeps_its_rise() {
    let mut stage = Stage::new(capsule([0.0, 4.0], [0.0, 18.0], 4.0), [-53.25, 16.75])
        .with(aabb([-64.8, -320.0], [-48.800003, 16.75]))
        .with(convex(&[[-48.8, -320.0], [-24.8, -320.0], [-24.8, 32.75], [-48.8, 20.75]]));
    stage.walker =
        Walker::new().max_slope_angle(0.80285144).snap_distance(4.8).max_step_height(5.1841183);
    stage.stand();
    let walk = stage.walk([2.0, 2.0]);
    assert!((walk.end.y - 18.75).abs() < 1e-5 && !walk.on_floor(), "{walk:?}");

    let hero = convex(&[[-0.25, 0.25], [0.375, 0.375], [0.625, 1.0], [-0.375, 1.25]]);
    let mut stage = Stage::new(hero, [6.868934, 1.4660678])
        .with(convex(&[[0.0, -20.0], [6.6132774, -20.0], [6.6132774, 1.7613198], [0.0, 2.1705894]]))
        .with(convex(&[[6.6132774, -20.0], [12.38, -20.0], [12.38, 3.33], [6.6132774, 1.4177356]]));
    stage.walker =
        Walker::new().max_slope_angle(0.80285144).snap_distance(0.1).max_step_height(0.5321355);
    stage.stand();
    let walk = stage.walk([-0.109375, 0.0625]);
    assert!((walk.end.y - 1.5285678).abs() < 1e-6 && !walk.on_floor(), "{walk:?}");
}

/// The capsule touched the foot of a ramp that rises by 0.0005, and the end of the floor
/// beside it. The way down the ramp led into the floor, and the capsule stood still.
#[test]
fn a_capsule_walks_off_the_foot_of_a_ramp_that_is_nearly_level() {
    let hero = capsule([0.0, 0.25], [0.0, 1.125], 0.25);
    let mut stage = Stage::new(hero, [1.4242358, 1.015602])
        .with(aabb([0.48180246, -20.0], [1.4241529, 1.0156019]))
        .with(convex(&[
            [1.4241529, -20.0],
            [2.7427733, -20.0],
            [2.7427733, 1.0162923],
            [1.4241529, 1.0156019],
        ]));
    stage.stand();
    let walk = stage.walk([-0.0625, -0.015625]);
    assert!((walk.end.x - 1.3617358).abs() < 1e-5 && walk.on_floor(), "{walk:?}");
}
