//! Sweeps that stopped too early, too late or without reason.

use carom::prelude::*;

#[test]
fn falling_flush_beside_a_wall_is_free() {
    let hero = Aabb::new([6.0, 7.0], [8.0, 8.0]);
    assert_eq!(hero.sweep([0.0, -4.0], &Aabb::new([0.0, 5.0], [6.0, 6.0])), None);
    let point = Point::new([2.0, 3.0]);
    assert_eq!(point.sweep([0.0, 2.0], &Aabb::new([2.0, 4.0], [3.0, 8.0])), None);
    let triangle = Triangle::new([3.5, 0.0], [2.0, 2.5], [0.5, 2.0]);
    assert_eq!(triangle.sweep([4.0, 0.0], &Aabb::new([2.5, 2.5], [3.0, 5.5])), None);
    let triangle = Triangle::new([7.0, 7.0], [0.0, 4.0], [4.0, 4.0]);
    assert_eq!(triangle.sweep([4.0, 4.0], &Segment::new([4.0, 0.0], [8.0, 8.0])), None);
}

#[test]
fn a_point_that_enters_along_an_internal_edge_is_stopped() {
    let tiles =
        Compound::new([Aabb::new([8.0, 6.0], [9.0, 7.0]), Aabb::new([8.0, 7.0], [9.0, 8.0])]);
    let hit = Point::new([8.0, 7.0]).sweep([7.0, 0.0], &tiles).expect("it enters");
    assert_eq!(hit.time, 0.0);
    let outer = [[3.0, 3.0], [3.0, 1.0], [5.0, 1.0], [5.0, 3.0]];
    let hole = vec![[4.5, 2.5], [4.5, 1.5], [3.5, 1.5], [3.5, 2.5]];
    let frame = Polygon::with_holes(&outer, &[hole]);
    assert!(Point::new([3.0, 3.0]).sweep([0.5, -0.5], &frame).is_some());
}

#[test]
fn a_capsule_does_not_tunnel_through_a_point_beside_it() {
    let capsule = Capsule::new([0.5, 2.0], [3.0, 1.0], 4.0);
    let hit = capsule.sweep([4.0, 4.0], &Point::new([0.49999997, 6.0])).expect("it is in the way");
    assert!(hit.time < 1e-6, "{hit:?}");
}

#[test]
fn sliding_along_an_edge_that_floats_cannot_follow_is_free() {
    let triangle =
        Triangle::new([2.1126628, 1.3491483], [3.3603868, -0.3840376], [3.9163814, 0.28602827]);
    let chain = Chain::new(&[[1.353333, -3.9855914], [2.1126628, 1.3491483]]);
    assert_eq!(triangle.sweep([-1.247724, 1.7331859], &chain), None);
}

#[test]
fn a_segment_that_moves_along_itself_is_stopped_by_a_joint() {
    let segment = Segment::new([0.0, 0.3], [0.4, 0.0]);
    let chain = Chain::new(&[[0.8, 0.0], [0.3, 0.0], [0.0, 0.3], [0.4, 0.8], [0.2, 0.3]]);
    let hit = segment.sweep([-0.4, 0.3], &chain).expect("it crosses the joint");
    assert_eq!(hit.time, 0.0);
}

#[test]
fn a_sweep_far_from_the_origin_stops_next_to_the_obstacle() {
    let point = Point::new([-1000000.2, 65537.05]);
    let ellipse = Ellipse::new([-999997.3, 65537.79], [0.38869667, 1.6216657], 0.0);
    let motion = Vec2::new(2.875, -0.8828125);
    let hit = point.sweep(motion, &ellipse).expect("it is in the way");
    assert!(point.translated(motion * hit.time).distance(&ellipse) < 0.0625, "{hit:?}");
}

#[test]
fn a_sweep_that_slides_along_one_line_into_another_stops_at_the_other() {
    let segment = Segment::new([0.5, 0.7], [0.6, 0.2]);
    let chain = Chain::new(&[[0.4, 0.8], [0.4, 0.6], [0.4, 0.8], [0.5, 0.7]]);
    let hit = segment.sweep([-0.099999994, 0.100000024], &chain);
    assert!(hit.is_none_or(|hit| hit.time > 0.9999), "{hit:?}");
}

#[test]
fn a_one_sided_chain_blocks_only_from_its_front() {
    let floor = Chain::new(&[[0.0, 0.0], [8.0, 0.0]]).one_sided();
    let above = Aabb::new([1.0, 1.0], [2.0, 2.0]);
    assert_eq!(above.sweep([0.0, -4.0], &floor).expect("it lands").time, 0.25);
    let below = Aabb::new([1.0, -2.0], [2.0, -1.0]);
    assert_eq!(below.sweep([0.0, 4.0], &floor), None);
    // The result is the same if the chain moves.
    assert!(floor.sweep([0.0, 4.0], &above).is_some());
    assert_eq!(floor.sweep([0.0, -4.0], &below), None);
}

#[test]
fn a_motion_that_starts_across_a_one_sided_chain_continues() {
    let floor = Chain::new(&[[0.0, 0.0], [8.0, 0.0]]).one_sided();
    let halfway = Aabb::new([1.0, -0.5], [2.0, 0.5]);
    assert_eq!(halfway.sweep([0.0, 4.0], &floor), None);
    let hit = halfway.sweep([0.0, -4.0], &floor).expect("down is not the way through");
    assert!(hit.time == 0.0 && hit.depth > 0.0, "{hit:?}");
    // Obstacles beyond it still block.
    let ceiling = Compound::new([Shape::from(floor), Aabb::new([0.0, 2.0], [8.0, 3.0]).into()]);
    assert_eq!(halfway.sweep([0.0, 4.0], &ceiling).expect("the ceiling").time, 0.375);
}

#[test]
fn a_circle_that_grazes_a_point_far_from_the_origin_does_not_stop_long_before_it() {
    let circle = Circle::new([-999998.8, 65536.06], 1.9024224);
    let hit = circle.sweep([3.0, 0.0], &Point::new([-999996.94, 65534.16])).expect("it grazes");
    assert!(hit.time > 0.5, "{hit:?}");
}

#[test]
fn a_nearly_parallel_motion_over_an_edge_ends_at_the_edge() {
    let time = |a: Shape, motion: [f32; 2], b: Shape| a.sweep(motion, &b).expect("a hit").time;
    let sliver = Aabb::new([-0.068040356, 1582300.3], [-0.068040326, 1582300.5]);
    let point = Point::new([-13.236628, -87.222595]);
    assert!(time(point.into(), [39.505764, 4747163.0], sliver.into()) > 0.33333);
    let sliver = Triangle::new([0.3, 0.4], [0.20000002, 0.35000005], [0.10000001, 0.3]);
    let point = Point::new([0.7, 0.6]);
    assert!(time(point.into(), [-1.8, -0.90000004], sliver.into()) > 0.2222);
    let polygon = ConvexPolygon::new(&[[-0.10000001, 0.6], [0.1, 0.4], [0.2, 0.4], [0.2, 0.5]]);
    let point = Point::new([0.5, 0.4]);
    assert!(time(point.into(), [-0.6, 0.20000002], polygon.into()) > 0.4999);
}

#[test]
fn a_point_passes_shapes_that_it_only_grazes() {
    let capsule = Capsule::new([0.4, 0.5], [-0.20000002, -0.3], 0.5);
    assert_eq!(Point::new([0.0, 0.8]).sweep([-1.8000001, -2.4], &capsule), None);
    let legend = [('#', TileKind::SOLID)];
    let tiles = TileMap::from_rows([0.0, 0.0], [5.0, 5.0], &["#..", ".##"], &legend)
        .transformed(&Pose::new([-1.0683758, 9.965519], -1.563947));
    assert_eq!(Point::new([4.0, 0.0]).sweep([-0.102739334, 14.999648], &tiles), None);
}

#[test]
fn a_point_that_slides_along_a_sliver_is_not_on_an_internal_edge() {
    let x = 4.2863657e-10f32;
    let sliver = Polygon::new(&[
        [x.next_up(), 0.29817516],
        [x, 0.29817516],
        [x, 3.7392738e-7],
        [x, -0.002818643],
    ]);
    assert_eq!(Point::new([x, 0.29817516]).sweep([0.0, -0.3009938], &sliver), None);
}

#[test]
fn nearly_parallel_segments_pass_each_other() {
    let a = Segment::new([50865800.0, 1883244.0], [3567742.0, 4.366791]);
    let b = Segment::new([27216772.0, 941624.2], [50865800.0, 26140.945]);
    assert_eq!(a.sweep([-23649028.0, -941619.8], &b), None);
}

#[test]
fn the_normal_opposes_the_motion_even_for_a_distant_tiny_circle() {
    let slopes = [
        ('#', TileKind::SOLID),
        ('a', TileKind::convex(&[[0.0, 0.0], [1.0, 0.0], [0.0, 0.5]])),
        (
            'b',
            TileKind::convex(&[
                [0.048638105, 0.3447107],
                [0.95376074, 0.1154623],
                [0.1257348, 0.79506004],
            ]),
        ),
    ];
    let rows = ["###.", "#.b#", "#..#", "..ab"];
    let tiles = TileMap::from_rows([0.0, 0.0], [1.8089812e-9; 2], &rows, &slopes)
        .transformed(&Pose::new([867274240.0, -6.333077e-9], 0.0));
    let disc = Circle::new([1068642050.0, -3369.3438], 3.3167702e-10);
    let motion = Vec2::new(201367800.0, -3369.3438);
    assert!(tiles.sweep(motion, &disc).is_none_or(|hit| hit.normal.dot(motion) <= 0.0));
}

#[test]
fn a_capsule_slides_along_an_edge_that_ends_just_before_it() {
    let capsule = Capsule::new([0.5, 1.5], [0.0, 1.5], 2.5);
    let floor = Triangle::new([-1.0, 4.0], [0.49999997, 4.0], [-0.25, 4.25]);
    assert_eq!(capsule.sweep([-3.5, 0.0], &floor), None);
    assert_eq!(capsule.contact(&floor).unwrap().normal, Vec2::NEG_Y);
}

#[test]
fn the_normal_never_comes_from_an_internal_edge_of_the_mover() {
    let notched =
        Polygon::new(&[[-0.5, 0.0], [0.5, 0.0], [0.5, -0.5], [0.25, -0.25], [0.0, -0.75]]);
    let wall = Aabb::new([10.0, 5.0], [11.0, 6.0]);
    let hit = notched.translated([9.425, 6.0]).sweep([0.125, 0.0], &wall).unwrap();
    assert_eq!(hit.normal, Vec2::NEG_X);
}

#[test]
fn a_tiny_shape_slides_along_the_side_of_a_capsule_from_its_start() {
    let speck = Obb::new([730691.0, 0.0016857969], [3.2898106e-9, 1.2880592e-9], 0.18869612);
    let capsule = Capsule::new([730689.0, 0.0016857988], [730689.0, 0.0016858025], 2.0);
    assert_eq!(speck.sweep([0.0, 7.0], &capsule), None);
}

#[test]
fn a_point_just_beside_an_internal_edge_enters_along_it() {
    let square = |far: f32| [[far, far], [-far, far], [-far, -far], [far, -far]];
    let frame = Polygon::with_holes(&square(1.0), &[square(0.5).into_iter().rev().collect()]);
    for x in [1e-45, 0.0, -1e-45] {
        let hit = frame.sweep([6.0, 6.0], &Point::new([x, 0.0]));
        assert!(hit.is_some_and(|hit| (hit.time - 0.5 / 6.0).abs() < 1e-6), "{x}: {hit:?}");
    }
}

#[test]
fn a_huge_capsule_slides_along_the_short_side_of_another() {
    let vast = Capsule::new([-2758315.0, -0.036491573], [-2758311.0, 2.9635084], 7626728.0);
    let small = Capsule::new([-10385045.0, -0.036491573], [-10385045.0, -0.020845383], 2.0);
    assert_eq!(vast.sweep([0.0, 0.023469284], &small), None);
}

#[test]
fn a_point_enters_a_comb_at_the_very_end_of_a_long_motion() {
    let y = -2513858.0;
    let teeth = [-5.0f32, -3.0, -1.0, 1.0].into_iter();
    let mut comb = vec![[2.0, y + 1.0], [-5.0, y + 1.0]];
    comb.extend(teeth.flat_map(|x| [[x, y - 2.0], [x + 1.0, y]]));
    let hit = Point::new([86528220.0, y]).sweep([-86528220.0, 0.0], &Polygon::new(&comb));
    assert!(hit.is_some_and(|hit| hit.time > 0.9999999), "{hit:?}");
}

#[test]
fn an_edge_that_lands_across_the_end_of_another_hits_it_there() {
    let table = Aabb::new([0.0, 0.0], [4.0, 1.0]);
    let foot = ConvexPolygon::new(&[[3.5, 2.0], [6.0, 2.0], [6.5, 3.0], [3.0, 3.0]]);
    for (mover, motion, still, at) in [
        (Shape::from(foot.clone()), [0.0, -2.0], Shape::from(table), 1.0),
        (Shape::from(table), [0.0, 2.0], Shape::from(foot), 2.0),
    ] {
        let hit = mover.sweep(motion, &still).expect("they meet");
        assert!((3.5..=4.0).contains(&hit.point.x) && hit.point.y == at, "{hit:?}");
    }
}

#[test]
fn the_point_of_a_hit_beside_a_flat_vertex_lies_on_both_shapes() {
    // Two edges of the sliver are entered at the same time within rounding. The point was the vertex between
    // them, which is 0.4 away from the post.
    let sliver = Triangle::new([0.0, 0.0], [-0.06146297, 1776.6777], [-0.092093684, 2665.0164]);
    let post = Segment::new([0.6308476, 1776.6777], [0.84628546, 1778.046]);
    let hit = sliver.sweep([6.0136576, -3.6954937], &post).unwrap();
    assert!(post.distance(&Point::new(hit.point)) < 1e-3, "{hit:?}");

    let tile = Aabb::new([1474.2, -1833.0498], [1474.3131, -1832.9]);
    let needle =
        Triangle::new([1476.6361, -1829.4749], [-34868284.0, -1829.4646], [-23245034.0, -1829.468]);
    let hit = tile.sweep([-21.0, 28.0], &needle).unwrap();
    assert!((hit.point.x - 1472.0).abs() < 20.0, "{hit:?}");
}
