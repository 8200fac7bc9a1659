//! Cases that were answered wrongly once, spelled out.
#![allow(clippy::approx_constant)] // cases are kept to the digit as they were found

use core::f32::consts::FRAC_PI_4;

use carom::prelude::*;

/// Intersects and overlaps, which must be the same in both orders.
fn verdicts(a: impl Into<Shape>, b: impl Into<Shape>) -> (bool, bool) {
    let (a, b) = (a.into(), b.into());
    let verdicts = (a.intersects(&b), a.overlaps(&b));
    assert_eq!(verdicts, (b.intersects(&a), b.overlaps(&a)), "the orders differ");
    verdicts
}

const TOUCH: (bool, bool) = (true, false);
const OVERLAP: (bool, bool) = (true, true);

#[test]
fn a_point_touches_the_corner_it_stands_on() {
    let segment = Segment::new([1.0, 7.0], [2.0, 0.0]);
    assert_eq!(verdicts(Point::new([1.0, 7.0]), segment), TOUCH);
    let triangle = Triangle::new([6.0, 4.0], [7.0, 8.0], [3.0, 0.0]);
    assert_eq!(verdicts(Point::new([6.0, 4.0]), triangle), TOUCH);
    let chain = Chain::new(&[[6.0, 5.0], [0.0, 0.0], [1.0, 6.0]]);
    assert_eq!(verdicts(Point::new([6.0, 5.0]), chain), TOUCH);
    let dot = Segment::new([6.0, 2.0], [6.0, 2.0]);
    assert_eq!(verdicts(Segment::new([6.0, 2.0], [8.0, 7.0]), dot), TOUCH);
}

#[test]
fn a_segment_through_a_joint_crosses_the_chain() {
    let chain = Chain::new(&[[1.0, 2.5], [2.5, 2.75], [6.0, 7.0]]);
    assert_eq!(verdicts(Segment::new([2.0, 3.0], [4.0, 2.0]), chain), OVERLAP);
}

#[test]
fn a_point_never_overlaps_a_chain() {
    let chain = Chain::closed(&[[-1e-45, 8.0], [7.0, 6.0], [5.0, 8.0], [0.0, 8.0]]);
    assert_eq!(verdicts(Point::new([0.0, 8.0]), chain), TOUCH);
}

#[test]
fn round_shapes_touch_exactly_far_from_the_origin() {
    let segment = Segment::new([65543.0, 8388613.0], [65539.0, 8388616.0]);
    assert_eq!(verdicts(segment, Circle::new([65538.0, 8388613.0], 3.0)), TOUCH);
    let capsule = Capsule::new([65544.0, -999995.0], [65540.0, -999998.0], 1.0);
    assert_eq!(verdicts(capsule, Circle::new([65540.0, -999993.0], 3.0)), TOUCH);
    let tile = Aabb::new([-999995.0, 1000004.0], [-999993.0, 1000005.0]);
    let capsule = Capsule::new([-999997.0, 1000005.0], [-999994.0, 1000001.0], 1.0);
    assert_eq!(verdicts(tile, capsule), TOUCH);
}

#[test]
fn a_circle_on_a_box_leaves_no_inner_point_between_them() {
    let ball = Circle::new([1000006.0, -8388593.0], 1.0);
    let pillar = Rect::new([1000006.0, -8388599.0], [1.0, 5.0], 0.0);
    let both = Compound::new([Shape::from(ball), Shape::from(pillar)]);
    assert_eq!(verdicts(both, Point::new([1000006.0, -8388594.0])), TOUCH);
}

#[test]
fn the_seam_of_a_capsule_lying_on_a_box_is_inside() {
    let parts = [
        Shape::from(Aabb::new([8388609.0, -8388600.0], [8388610.0, -8388597.0])),
        Shape::from(Capsule::new([8388609.0, -8388594.0], [8388610.0, -8388594.0], 3.0)),
    ];
    let chain = Chain::new(&[[8388616.0, -8388597.0], [8388609.0, -8388597.0]]);
    assert_eq!(verdicts(chain, Compound::new(parts)), OVERLAP);
}

fn push(a: impl Into<Shape>, b: impl Into<Shape>) -> f32 {
    let (a, b) = (a.into(), b.into());
    let contact = a.contact(&b).expect("they overlap");
    assert!(!a.translated(contact.push).overlaps(&b), "{} does not clear", contact.push);
    contact.push.length()
}

#[test]
fn a_vertex_all_but_on_the_core_is_pushed_the_short_way() {
    let near = |found: f32, expected: f32| assert!((found - expected).abs() < 1e-5, "{found}");
    let segment = Segment::new([0.0, 7.0], [3.0, 0.0]);
    near(push(segment, Circle::new([1e-45, 7.0], 0.5)), 0.5);
    let triangle = Triangle::new([3.0, 2.0], [4.0, 6.0], [0.0, 8.0]);
    near(push(triangle, Capsule::new([-1e-45, 8.0], [4.0, 11.0], 0.5)), 0.5);
    let capsule = Capsule::new([3.0, 0.0], [0.0, 4.0], 2.0);
    let polygon = Polygon::new(&[[2.9999998, 2.0], [6.0, 2.0], [8.0, 4.0], [1e-45, 4.0]]);
    near(push(capsule, polygon), 2.0);
}

#[test]
fn a_push_clears_also_where_a_vertex_is_denormal() {
    let capsule = Capsule::new([0.0, 3.5], [0.0, 2.0], 0.5);
    push(capsule, Triangle::new([-1e-45, 3.0], [0.0, 0.5], [1.0, 2.0]));
    let rect = Rect::new([0.0, 0.5], [0.25, 4.0], 0.0);
    push(rect, ConvexPolygon::rounded(&[[-1e-45, 0.5], [0.25, -3.5], [3.5, 3.0]], 1.0));
}

#[test]
fn depth_mirrors_for_lines_against_outlines() {
    let mirrors = |a: Shape, b: Shape| {
        let depths = (a.contact(&b).unwrap().depth, b.contact(&a).unwrap().depth);
        assert_eq!(depths.0, depths.1);
    };
    mirrors(
        Segment::new([4.0, 5.0], [7.0, 5.0]).into(),
        Chain::new(&[[0.0, 1.0], [5.5, 5.0], [3.0, 7.0], [4.0, 5.0], [2.0, 0.0]]).into(),
    );
    mirrors(
        Segment::new([1.0, 0.0], [2.5, 3.0]).into(),
        Polygon::new(&[[0.25, -1.5], [1.0, 0.0], [3.5, 0.0], [1.75, 1.5], [0.5, 3.5], [0.5, 2.0]])
            .into(),
    );
}

#[test]
fn closest_points_of_crossing_shapes_lie_on_both() {
    let a = Segment::new([1000005.0, -999997.0], [1000006.0, -999994.0]);
    let b = Segment::new([1000003.0, -999993.0], [1000005.5, -999997.0]);
    let closest = a.closest_points(&b);
    let crossing = Vec2::new(1000005.2, -999996.5);
    assert!((closest.on_a - crossing).abs().max_element() <= 0.0625, "{closest:?}");
    assert!((closest.on_b - crossing).abs().max_element() <= 0.0625, "{closest:?}");
}

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
fn a_point_that_enters_along_a_seam_is_stopped() {
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
fn distance_mirrors_to_the_last_bit_for_thin_boxes() {
    let a = Rect::new([5.5895804e-9, -23883296.0], [8.7450225e-9, 23883296.0], 0.0);
    let b = Rect::new([1992691.0, 3.4661178e-7], [1.7490045e-8, 37175230.0], -1.5707964);
    assert_eq!(a.distance(&b), b.distance(&a));
}

#[test]
fn a_circle_beside_the_end_of_a_very_long_sliver_is_judged_exactly() {
    let sliver = ConvexPolygon::new(&[
        [-25640080.0, 17274.125],
        [-21662114.0, 17274.125],
        [-13717382.0, 17274.127],
        [25640080.0, 17274.137],
        [18130274.0, 17274.137],
        [-5617773.5, 17274.13],
        [-21318948.0, 17274.127],
    ]);
    assert_eq!(verdicts(sliver, Circle::new([-25640080.0, 17275.125], 1.0)), OVERLAP);
}

#[test]
fn a_segment_along_sides_of_a_tiny_ellipse_is_found_inside() {
    let segment = Segment::new([0.0, 1.72e-43], [2.87e-43, 4.02e-43]);
    let ellipse = Ellipse::new([1.43e-43, 4.02e-43], [1.72e-43, 1.43e-43], FRAC_PI_4);
    assert!(segment.contact(&ellipse).is_some());
    assert_eq!(segment.distance(&ellipse), 0.0);
}

#[test]
fn distances_of_capsules_mirror_to_the_last_bit() {
    let chain = Chain::new(&[[3.0, 4.0], [2.0, 4.0], [1.0, 6.0]]);
    let capsule = Capsule::new([7.0, 6.0], [6.0, 7.0], 4.2426405);
    assert_eq!(chain.distance(&capsule), capsule.distance(&chain));
}

#[test]
fn a_push_through_a_narrow_corner_gives_way_to_a_shorter_one() {
    let parts = [
        Shape::from(Aabb::new([-813808.4, -0.049447715], [-9.0549234e-5, 4.2955698e-8])),
        Shape::from(Circle::new([-9.0549234e-5, 1.0], 1.0)),
    ];
    let chain = Chain::closed(&[
        [-7.253547e-9, 0.00042140047],
        [0.004398278, 1.1675459e-7],
        [-389567.8, -1.3062436e-7],
    ]);
    assert!(push(Compound::new(parts), chain) < 0.25);
}

#[test]
fn tiny_pushes_are_as_short_as_they_can_be() {
    let rect = Rect::new([2.44e-43, 7.31e-43], [3.66e-43, 2.44e-43], FRAC_PI_4);
    let chain = Chain::closed(&[[2.44e-43, 7.31e-43], [1.22e-43, 3.66e-43], [-1.22e-43, 3.66e-43]]);
    assert!(push(rect, chain) < 2.5e-43);
}

#[test]
fn depths_mirror_where_huge_and_tiny_numbers_meet() {
    let rect = Rect::new([-7.1632145e-11, -0.012352262], [3.5510855, 0.010367544], -1.5707964);
    let chain = Chain::new(&[
        [-0.010367544, -5.42222e-8],
        [374544450.0, 17.695114],
        [-0.010367544, -3.5634377],
        [-56977410.0, 1.0149812e-8],
    ]);
    let depths = (rect.contact(&chain).unwrap().depth, chain.contact(&rect).unwrap().depth);
    assert_eq!(depths.0, depths.1);
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
fn a_sweep_far_from_the_origin_stops_next_to_what_it_hits() {
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
fn a_one_sided_chain_stops_what_comes_from_its_front_only() {
    let floor = Chain::new(&[[0.0, 0.0], [8.0, 0.0]]).one_sided();
    let above = Aabb::new([1.0, 1.0], [2.0, 2.0]);
    assert_eq!(above.sweep([0.0, -4.0], &floor).expect("it lands").time, 0.25);
    let below = Aabb::new([1.0, -2.0], [2.0, -1.0]);
    assert_eq!(below.sweep([0.0, 4.0], &floor), None);
    // The same when the chain moves.
    assert!(floor.sweep([0.0, 4.0], &above).is_some());
    assert_eq!(floor.sweep([0.0, -4.0], &below), None);
}

#[test]
fn a_jump_that_starts_halfway_through_a_one_sided_chain_goes_on() {
    let floor = Chain::new(&[[0.0, 0.0], [8.0, 0.0]]).one_sided();
    let halfway = Aabb::new([1.0, -0.5], [2.0, 0.5]);
    assert_eq!(halfway.sweep([0.0, 4.0], &floor), None);
    let hit = halfway.sweep([0.0, -4.0], &floor).expect("down is not the way through");
    assert!(hit.time == 0.0 && hit.depth > 0.0, "{hit:?}");
    // What is beyond still stops it.
    let ceiling = Compound::new([Shape::from(floor), Aabb::new([0.0, 2.0], [8.0, 3.0]).into()]);
    assert_eq!(halfway.sweep([0.0, 4.0], &ceiling).expect("the ceiling").time, 0.375);
}

#[test]
fn a_thin_capsule_that_grazes_a_long_segment_touches_it_in_both_orders() {
    let segment = Segment::new([2.3674659e-7, 965.03015], [173.52332, -1.23877015e-8]);
    let capsule = Capsule::new([86.76166, 482.51508], [0.06110677, -118.41475], 1.1540871e-7);
    assert!(segment.intersects(&capsule) && capsule.intersects(&segment));
    assert_eq!(segment.distance(&capsule), 0.0);
}

#[test]
fn capsules_whose_cores_all_but_touch_are_pushed_across_the_side() {
    let a = Capsule::new([0.0, 2.0], [2.0, 3.5], 1.0);
    assert!(push(a, Segment::new([1.0, 3.0], [-1e-45, 2.0])) < 1.001);
    let b = Capsule::new([1e-45, 7.0], [4.0000005, 5.0], 2.0);
    assert!(push(Segment::new([4.0, 5.0], [0.0, 7.0]), b) < 2.001);
}

#[test]
fn a_polygon_whose_seam_rounding_bends_is_pushed_all_the_way_out() {
    let outline =
        [[1.0, 1.0], [3.0, 4.0], [6.0, 3.0], [6.0, 4.0], [0.0, 7.0], [1.0, 6.0], [2.0, 5.0]];
    assert!(push(Polygon::new(&outline), Point::new([2.5, 4.5])) < 0.607);
}

#[test]
fn a_circle_all_but_on_an_edge_is_left_by_the_near_side() {
    let wedge = ConvexPolygon::new(&[[-1.0, 8.0], [1.0, 8.0], [-1.0, 9.0]]);
    assert!(push(wedge, Circle::new([1e-45, 8.5], 2.0)) < 2.001);
}

#[test]
fn a_seam_along_the_tangent_of_a_circle_does_not_open_the_inside() {
    let comb = [
        [-2.0, 1.0],
        [0.0, 2.0],
        [-2.0, 3.0],
        [0.0, 4.0],
        [-2.0, 5.0],
        [0.0, 6.0],
        [-2.0, 7.0],
        [0.0, 8.0],
        [-3.0, 8.0],
        [-3.0, 1.0],
    ];
    let parts = [Shape::from(Circle::new([6.0, 5.0], 8.0)), Shape::from(Polygon::new(&comb))];
    assert_eq!(verdicts(Compound::new(parts), Point::new([-2.0, 5.0])), OVERLAP);
}

#[test]
fn straight_sides_that_meet_end_to_end_across_a_line_are_no_seam() {
    let slab = ConvexPolygon::new(&[[0.75, 1.0], [2.25, 3.0], [-1.75, 6.0], [-3.25, 4.0]]);
    let capsule = Capsule::new([6.25, 0.0], [22.0, 21.0], 5.0);
    let both = Compound::new([Shape::from(slab), Shape::from(capsule)]);
    assert_eq!(verdicts(both, Segment::new([0.0, 0.0], [6.0, 8.0])), TOUCH);
}

#[test]
fn a_seam_far_shorter_than_the_radius_beside_it_is_inside() {
    let tiny = 2f32.powi(-60);
    let capsule = Capsule::new([0.0, 0.0], [3.0 * tiny, 4.0 * tiny], 5.0);
    let wedge = Triangle::new([1.0, -7.0], [9.0, -7.0], [7.0, 1.0]);
    let both = Compound::new([Shape::from(capsule), Shape::from(wedge)]);
    assert_eq!(verdicts(both.clone(), Segment::new([1.0, -7.0], [7.0, 1.0])), OVERLAP);
    assert_eq!(verdicts(both, Segment::new([1.0, -7.0], [4.0, -3.0])), TOUCH);
}

#[test]
fn where_a_round_border_turns_straight_it_holds_a_point_on_that_side_only() {
    let capsule = Shape::from(Capsule::new([0.0, 1.0], [2.0, 1.0], 1.0));
    let below = Shape::from(Aabb::new([0.0, -1.0], [1.0, 0.0]));
    let wedge = Shape::from(Triangle::new([0.0, 0.0], [-2.0, 1.0], [0.0, -1.0]));
    let flush = Shape::from(Aabb::new([-1.0, -1.0], [0.0, 0.0]));
    let point = Point::new([0.0, 0.0]);
    assert_eq!(verdicts(Compound::new([capsule.clone(), below.clone(), wedge]), point), OVERLAP);
    assert_eq!(verdicts(Compound::new([capsule, below, flush]), point), TOUCH);
}

#[test]
fn a_normal_is_a_unit_vector_however_far_a_tiny_capsule_is_from_the_end_of_a_line() {
    let capsule = Capsule::new([1.1553205e-8, 1.4472198], [1.20451755e-8, 1.4472198], 22809.21);
    let line = Segment::new([-88491.7, -22807.764], [1.179919e-8, 1.4471959]);
    assert_eq!(capsule.contact(&line).expect("they overlap").normal, Vec2::Y);
    assert_eq!(line.contact(&capsule).expect("they overlap").normal, -Vec2::Y);
}

#[test]
fn a_way_of_no_width_between_two_parts_is_taken_where_floats_can_follow_it() {
    let boxes = [[8.0, 2.0], [8.0, 4.0], [9.0, 3.0]];
    let boxes = boxes.map(|[x, y]| Aabb::new([x, y], [x + 1.0, y + 1.0]));
    let chain =
        Chain::closed(&[[5.0, 8.0], [9.0, 3.0], [2.0, 3.0], [9.0, 4.0], [7.0, 4.0], [6.0, 7.0]]);
    assert!(push(Compound::new(boxes), chain) < 0.20001);
    let chain = Chain::closed(&[
        [65537.0, 65543.0],
        [65538.0, 65538.0],
        [65542.0, 65539.0],
        [65542.0, 65543.0],
        [65539.0, 65541.0],
    ]);
    let boxes = [[65538.0, 65540.0], [65539.0, 65541.0], [65539.0, 65539.0]];
    let boxes = boxes.map(|[x, y]| Aabb::new([x, y], [x + 1.0, y + 1.0]));
    assert!(push(chain, Compound::new(boxes)) < 0.6);
}

#[test]
fn beside_a_gap_that_no_float_fits_into_a_push_finds_room() {
    let boxes = [
        Aabb::new([0.20000002, 0.29999995], [0.40000004, 0.49999997]),
        Aabb::new([0.0, 0.29999995], [0.20000002, 0.49999997]),
        Aabb::new([0.40000004, 0.7], [0.6, 0.9]),
        Aabb::new([0.0, 0.7], [0.20000002, 0.9]),
    ];
    assert!(push(Circle::new([0.2, 0.5], 0.1), Compound::new(boxes)) < 0.10001);
}

#[test]
fn a_circle_that_grazes_a_point_far_from_the_origin_does_not_stop_long_before_it() {
    let circle = Circle::new([-999998.8, 65536.06], 1.9024224);
    let hit = circle.sweep([3.0, 0.0], &Point::new([-999996.94, 65534.16])).expect("it grazes");
    assert!(hit.time > 0.5, "{hit:?}");
}

#[test]
fn thin_capsules_cross_far_from_all_their_ends() {
    let a = Capsule::new([3047.662, 9.479111], [-3.819442e-6, -27606272.0], 8.9407615e-10);
    let b = Capsule::new([5.995551e-8, 2174.504], [3047.662, -13803131.0], 8.9407615e-10);
    assert_eq!(verdicts(a, b), OVERLAP);
}

#[test]
fn a_point_just_beyond_the_corner_of_an_edge_that_leads_far_away_is_outside() {
    let far = [59577150.0, -103862140.0];
    let wedge =
        ConvexPolygon::new(&[[-0.45228285, -3.3796632e-6], [-2.7224331e-8, -20.545822], far]);
    let point = Point::new([-0.45228285, -3.3787383e-6]);
    assert_eq!(verdicts(point, wedge.clone()), (false, false));
    assert_eq!((point.contact(&wedge), wedge.contact(&point)), (None, None));
    assert!(point.distance(&wedge) > 0.0);
}

#[test]
fn a_way_that_all_but_slides_over_an_edge_ends_at_the_edge() {
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
fn a_point_passes_what_it_only_grazes() {
    let capsule = Capsule::new([0.4, 0.5], [-0.20000002, -0.3], 0.5);
    assert_eq!(Point::new([0.0, 0.8]).sweep([-1.8000001, -2.4], &capsule), None);
    let legend = [('#', TileKind::SOLID)];
    let tiles = TileMap::from_rows([0.0, 0.0], [5.0, 5.0], &["#..", ".##"], &legend)
        .placed(&Pose::new([-1.0683758, 9.965519], -1.563947));
    assert_eq!(Point::new([4.0, 0.0]).sweep([-0.102739334, 14.999648], &tiles), None);
}

#[test]
fn a_point_that_slides_along_a_sliver_is_not_on_a_seam_of_it() {
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
fn segments_that_pass_each_other_all_but_parallel_do_not_stop() {
    let a = Segment::new([50865800.0, 1883244.0], [3567742.0, 4.366791]);
    let b = Segment::new([27216772.0, 941624.2], [50865800.0, 26140.945]);
    assert_eq!(a.sweep([-23649028.0, -941619.8], &b), None);
}

#[test]
fn a_box_whose_sides_rounding_has_bent_meets_circles_where_it_is() {
    let bent = Rect::new([0.00033614927, 98360.73], [1.9483082, 0.00033614878], 2.6893504);
    let circle = Circle::new([-1.7522546, 98365.58], 4.0);
    assert_eq!(bent.contact(&circle).is_some(), bent.intersects(&circle));
    let bent = Rect::new([-344208260.0, -3.452545e-10], [376.07495, 5.8956342e-5], 0.7853982);
    let circle = Circle::new([-344208500.0, -269.9252], 4.0);
    assert_eq!(bent.contact(&circle).is_some_and(|c| c.depth > 0.0), bent.overlaps(&circle));
}

#[test]
fn the_normal_of_a_hit_is_against_the_motion_however_far_the_way_to_a_tiny_disc() {
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
        .placed(&Pose::new([867274240.0, -6.333077e-9], 0.0));
    let disc = Circle::new([1068642050.0, -3369.3438], 3.3167702e-10);
    let motion = Vec2::new(201367800.0, -3369.3438);
    assert!(tiles.sweep(motion, &disc).is_none_or(|hit| hit.normal.dot(motion) <= 0.0));
}
