//! The features of shapes (S) and queries (Q), with values computed by hand. Each test name starts with the
//! id of its feature; `tests/FEATURES.md` lists the ids.

use core::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use carom::prelude::*;
use carom::query::{
    RigidMotion, SegmentIntersection, contact_each, intersecting_pairs, intersects_each,
};

fn near(found: impl Into<f64>, expected: f64) -> bool {
    (found.into() - expected).abs() < 1e-5
}

#[track_caller]
fn assert_near(found: Vec2, expected: [f32; 2]) {
    assert!((found - Vec2::from(expected)).length() < 1e-5, "{found} in place of {expected:?}");
}

/// Returns a letter U: 3 units wide and high, 1 unit thick, open at the top.
fn letter_u() -> Polygon {
    Polygon::new(&[
        [0.0, 0.0],
        [3.0, 0.0],
        [3.0, 3.0],
        [2.0, 3.0],
        [2.0, 1.0],
        [1.0, 1.0],
        [1.0, 3.0],
        [0.0, 3.0],
    ])
}

fn frame() -> Polygon {
    let square = |low: f32, high: f32| [[low, low], [high, low], [high, high], [low, high]];
    Polygon::with_holes(&square(0.0, 4.0), &[square(1.0, 3.0).to_vec()])
}

#[test]
fn s1_all_box_constructors_agree() {
    let tile = Aabb::new([1.0, 2.0], [4.0, 8.0]);
    assert_eq!(Aabb::from_sides(1.0, 4.0, 8.0, 2.0), tile);
    assert_eq!(Aabb::from_sides(1.0, 4.0, 2.0, 8.0), tile); // y down
    assert_eq!(Aabb::from_min_size([1.0, 2.0], [3.0, 6.0]), tile);
    assert_eq!(Aabb::from_center_half_size([2.5, 5.0], [1.5, 3.0]), tile);
}

#[test]
fn s1_simple_shapes_have_the_correct_area() {
    let areas = [
        (Shape::from(Point::new([3.0, 4.0])), 0.0),
        (Segment::new([0.0, 0.0], [3.0, 4.0]).into(), 0.0),
        (Circle::new([5.0, 5.0], 2.0).into(), 4.0 * f64::from(PI)),
        (Capsule::new([0.0, 0.0], [3.0, 0.0], 1.0).into(), 6.0 + f64::from(PI)),
        (Aabb::new([0.0, 0.0], [3.0, 2.0]).into(), 6.0),
        (Obb::new([9.0, 9.0], [1.5, 1.0], 0.7).into(), 6.0),
        (Triangle::new([0.0, 0.0], [4.0, 0.0], [0.0, 3.0]).into(), 6.0),
        (
            ConvexPolygon::rounded(&[[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]], 1.0).into(),
            4.0 + 8.0 + f64::from(PI),
        ),
    ];
    for (shape, area) in areas {
        assert!(near(shape.area(), area), "{}: {}", shape.kind(), shape.area());
    }
    // An ellipse is a polygon of 256 corners: 1 - sin(τ/256) / (τ/256) = 1e-4 less than πab.
    let ellipse = Ellipse::new([0.0, 0.0], [3.0, 2.0], 0.4).area();
    assert!((ellipse / (6.0 * PI) - 1.0).abs() < 1.1e-4);
}

#[test]
fn s1_invalid_shapes_are_rejected_with_the_offending_value() {
    let text = |error: ShapeError| error.to_string();
    let error = text(Circle::try_new([0.0, 0.0], -2.0).unwrap_err());
    assert_eq!(error, "radius is -2; it must be greater than 0");
    let error = Point::try_new([f32::NAN, 0.0]).unwrap_err();
    assert!(matches!(error, ShapeError::NotFinite { .. }));
    let dart = [[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]];
    let error = ConvexPolygon::try_new(&dart).unwrap_err();
    assert_eq!(error, ShapeError::NotConvex { index: 2, point: Vec2::new(1.0, 1.0) });
    let bow_tie = [[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]];
    let error = Polygon::try_new(&bow_tie).unwrap_err();
    assert!(matches!(error, ShapeError::SelfIntersection { at: Vec2 { x: 1.0, y: 1.0 }, .. }));
}

#[test]
fn s1_polygons_accept_either_winding_and_repeated_or_collinear_points() {
    let plain = ConvexPolygon::new(&[[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]);
    let odd = [[0.0, 0.0], [0.0, 2.0], [1.0, 2.0], [2.0, 2.0], [2.0, 2.0], [2.0, 0.0]];
    let odd = ConvexPolygon::new(&odd);
    assert_eq!(odd.points().len(), 4);
    assert!(odd.contains(&plain) && plain.contains(&odd));
}

#[test]
fn s2_a_polygon_with_a_hole_is_split_into_triangles_and_parts_that_cover_it() {
    let frame = frame();
    assert_eq!(frame.area(), 12.0);
    let triangles: f32 = frame.triangles().map(|[a, b, c]| Triangle::new(a, b, c).area()).sum();
    let parts: f32 = frame.convex_parts().map(|part| part.area()).sum();
    assert_eq!((triangles, parts), (12.0, 12.0));
    assert_eq!((frame.triangles().count(), frame.holes().count()), (8, 1));
    assert!(!frame.intersects(&Circle::new([2.0, 2.0], 0.9)));
    assert!(frame.overlaps(&Circle::new([2.0, 2.0], 1.1)));
}

#[test]
fn s2_either_winding_gives_the_same_polygon() {
    let there = letter_u();
    let back: Vec<Vec2> = there.outer().iter().rev().copied().collect();
    let back = Polygon::new(&back);
    assert_eq!((there.area(), back.area()), (7.0, 7.0));
    assert!(there.contains(&back) && back.contains(&there));
}

#[test]
fn s3_a_closed_chain_is_hollow_and_an_open_one_has_a_gap() {
    let corners = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
    let (open, closed) = (Chain::new(&corners), Chain::closed(&corners));
    let ball = Circle::new([2.0, 2.0], 1.0);
    assert!(!closed.intersects(&ball));
    assert_eq!(closed.distance(&ball), 1.0);
    let left = Segment::new([-1.0, 2.0], [1.0, 2.0]);
    assert!(closed.overlaps(&left) && !open.intersects(&left));
}

#[test]
fn s3_a_one_sided_chain_blocks_only_from_its_front() {
    // For a chain that runs to the right, the left side is up.
    let ledge = Chain::new(&[[0.0, 0.0], [4.0, 0.0]]).one_sided();
    let (above, below) = (Point::new([2.0, 1.0]), Point::new([2.0, -1.0]));
    assert!(near(above.sweep([0.0, -4.0], &ledge).unwrap().time, 0.25));
    assert_eq!(below.sweep([0.0, 4.0], &ledge), None);
    assert_eq!(ledge.raycast(&Ray::new([2.0, 1.0], [0.0, -1.0], 9.0)).unwrap().distance, 1.0);
    assert_eq!(ledge.raycast(&Ray::new([2.0, -1.0], [0.0, 1.0], 9.0)), None);
}

#[test]
fn s4_several_boxes_act_as_one_shape() {
    let hero =
        Compound::new([Aabb::new([0.0, 0.0], [2.0, 1.0]), Aabb::new([0.5, 1.0], [1.5, 3.0])]);
    assert_eq!(hero.bounds(), Aabb::new([0.0, 0.0], [2.0, 3.0]));
    assert_eq!(hero.area(), 4.0);
    // The space beside the head and above the shoulder is empty.
    assert!(!hero.intersects(&Point::new([1.75, 2.0])));
    assert_eq!(hero.distance(&Point::new([1.75, 2.0])), 0.25);
    // A shape that overlaps both boxes is pushed out of both.
    let bar = Aabb::new([1.25, 0.75], [3.0, 1.5]);
    let contact = bar.contact(&hero).unwrap();
    assert!(!bar.translated(contact.push).overlaps(&hero));
    assert_eq!(contact.push, Vec2::new(0.25, 0.25));
}

#[test]
fn s7_rotating_about_a_corner_keeps_the_corner() {
    let door = Aabb::new([1.0, 1.0], [5.0, 2.0]);
    let open = door.rotated(FRAC_PI_2, [1.0, 1.0]);
    assert_eq!(open.bounds(), Aabb::new([0.0, 1.0], [1.0, 5.0]));
    let ajar = door.rotated(0.3, [1.0, 1.0]);
    assert_near(ajar.corners()[0], [1.0, 1.0]);
    assert_eq!(door.to_obb().rotated(PI, door.center()).bounds(), door);
}

#[test]
fn s7_scaling_about_a_pivot_keeps_the_pivot() {
    let ball = Circle::new([2.0, 0.0], 1.0).scaled(3.0, [1.0, 0.0]);
    assert_eq!((ball.center(), ball.radius()), (Vec2::new(4.0, 0.0), 3.0));
}

#[test]
fn s7_a_pose_scales_then_rotates_then_translates() {
    let pose = Pose::new([10.0, 0.0], FRAC_PI_2).with_scale(2.0);
    let line = Segment::new([1.0, 0.0], [3.0, 0.0]).transformed(&pose);
    assert_eq!((line.a(), line.b()), (Vec2::new(10.0, 2.0), Vec2::new(10.0, 6.0)));
}

#[test]
fn s7_rounding_errors_do_not_accumulate() {
    let ship = Shape::from(letter_u());
    let kept = ship.clone();
    for step in 0..1000 {
        let _ = ship.rotated(step as f32 * 0.1, [1.5, 1.5]);
    }
    assert_eq!(ship, kept);
    assert_eq!(ship.rotated(0.0, [1.5, 1.5]), kept);
}

#[test]
fn s8_a_rotated_box_becomes_an_obb_or_a_larger_aabb() {
    let square = Aabb::new([-1.0, -1.0], [1.0, 1.0]);
    let turn = Pose::new([0.0, 0.0], FRAC_PI_4);
    let (refitted, oriented) = (square.transformed_bounds(&turn), square.transformed(&turn));
    let half_diagonal = core::f32::consts::SQRT_2;
    assert_near(refitted.max(), [half_diagonal, half_diagonal]);
    assert!(near(refitted.area(), 8.0) && near(oriented.area(), 4.0));
    let corner = Point::new([1.2, 1.2]);
    assert!(refitted.contains(&corner) && !oriented.contains(&corner));
}

#[test]
fn s9_bounds_are_tight_and_bounding_circles_enclose() {
    let capsule = Capsule::new([0.0, 0.0], [3.0, 4.0], 1.0);
    assert_eq!(capsule.bounds(), Aabb::new([-1.0, -1.0], [4.0, 5.0]));
    let around = capsule.bounding_circle();
    assert_eq!((around.center(), around.radius()), (Vec2::new(1.5, 2.0), 3.5));
}

#[test]
fn s9_area_centroid_and_support_of_a_concave_shape() {
    let u = letter_u();
    assert_eq!(u.area(), 7.0);
    // Three by one at height 0.5, and two arms of one by two at height 2.
    assert_near(u.centroid(), [1.5, (3.0 * 0.5 + 4.0 * 2.0) / 7.0]);
    assert_eq!(u.support([1.0, -1.0]), Vec2::new(3.0, 0.0));
    assert_eq!(frame().centroid(), Vec2::new(2.0, 2.0));
}

#[test]
fn s9_shapes_that_touch_the_screen_are_visible() {
    let screen = Aabb::new([0.0, 0.0], [320.0, 180.0]);
    let coin = Circle::new([-4.0, 90.0], 4.0);
    assert!(coin.intersects(&screen)); // at its edge
    assert!(!coin.translated([-0.5, 0.0]).intersects(&screen));
    // The bounds of a diamond intersect the corner of the screen; the diamond does not.
    let diamond = Obb::new([-3.0, -3.0], [3.0, 3.0], FRAC_PI_4);
    assert!(diamond.bounds().intersects(&screen) && !diamond.intersects(&screen));
}

#[test]
fn s10_shapes_shrink_and_grow_by_a_margin_or_a_percentage() {
    let body = Aabb::new([0.0, 0.0], [10.0, 20.0]);
    assert_eq!(body.grown(-1.0), Ok(Aabb::new([1.0, 1.0], [9.0, 19.0]).into()));
    assert_eq!(body.resized(50.0), Ok(Aabb::new([2.5, 5.0], [7.5, 15.0]).into()));
    let ball = Circle::new([1.0, 1.0], 2.0);
    assert_eq!(ball.grown(0.5), Ok(Circle::new([1.0, 1.0], 2.5).into()));
    assert_eq!(ball.grown(-2.0), Err(ShapeError::ShrunkToNothing { margin: 2.0 }));
    assert_eq!(Point::new([1.0, 1.0]).grown(2.0), Ok(ball.into()));
    // The arms of the U shrink to 0.5 by 2 and its base to 2.5 by 0.5; they share the corners.
    let thin = letter_u().grown(-0.25).unwrap();
    assert_eq!(thin.bounds(), Aabb::new([0.25, 0.25], [2.75, 2.75]));
    assert!(near(thin.area(), 2.5 * 0.5 + 2.0 * 0.5 * 2.0));
}

#[test]
fn s10_points_and_lines_have_buffer_zones() {
    let cursor = Point::new([3.0, 4.0]);
    assert!(cursor.is_near(&Point::new([0.0, 0.0]), 5.0));
    assert!(!cursor.is_near(&Point::new([0.0, 0.0]), 5.0f32.next_down()));
    assert!(cursor.is_near_segment([0.0, 2.0], [9.0, 2.0], 2.0));
    assert!(!cursor.is_near_segment([5.0, 4.0], [9.0, 4.0], 1.9));
    assert!(cursor.is_near_line([5.0, 4.0], [9.0, 4.0], 0.0));
    assert!(cursor.is_within_distance(&Circle::new([3.0, 0.0], 1.0), 3.0));
}

#[test]
fn q1_touching_counts_for_intersects_and_not_for_overlaps() {
    let ball = Circle::new([0.0, 0.0], 5.0);
    // A 3-4-5 triangle: the corner lies on the circle.
    let tile = Aabb::new([3.0, 4.0], [9.0, 9.0]);
    assert!(ball.intersects(&tile) && !ball.overlaps(&tile));
    assert!(tile.intersects(&ball) && !tile.overlaps(&ball));
    let closer = Aabb::new([3.0, 4.0f32.next_down()], [9.0, 9.0]);
    let further = Aabb::new([3.0, 4.0f32.next_up()], [9.0, 9.0]);
    assert!(ball.overlaps(&closer) && !ball.intersects(&further));
}

#[test]
fn q1_lines_overlap_where_they_cross() {
    let cross = |b: [f32; 2]| {
        let line = Segment::new([0.0, 0.0], [4.0, 0.0]);
        let other = Segment::new([2.0, 1.0], b);
        (line.intersects(&other), line.overlaps(&other))
    };
    assert_eq!(cross([2.0, -1.0]), (true, true));
    assert_eq!(cross([2.0, 0.0]), (true, false)); // it ends on the line
    assert_eq!(cross([2.0, 0.5]), (false, false));
}

#[test]
fn q1_tests_are_exact_over_the_whole_f32_range() {
    // Powers of two, so that no product is rounded: the smallest positive number, 1, and 2¹²⁴.
    for unit in [f32::from_bits(1), 1.0, f32::from_bits(251 << 23)] {
        let ball = Circle::new([0.0, 0.0], 5.0 * unit);
        let at = Point::new([3.0 * unit, 4.0 * unit]);
        assert!(ball.intersects(&at) && !ball.overlaps(&at));
        assert!(ball.overlaps(&Point::new([3.0 * unit, 3.0 * unit])));
        assert!(!ball.intersects(&Point::new([5.0 * unit, 4.0 * unit])));
    }
}

#[test]
fn q2_contact_returns_normal_depth_push_and_two_points() {
    let hero = Aabb::new([1.0, 1.75], [2.0, 4.0]);
    let floor = Aabb::new([0.0, 0.0], [9.0, 2.0]);
    let contact = hero.contact(&floor).unwrap();
    assert_eq!((contact.normal, contact.depth), (Vec2::Y, 0.25));
    assert_eq!(contact.push, Vec2::new(0.0, 0.25));
    let mut across: Vec<f32> = contact.points.iter().map(|point| point.x).collect();
    across.sort_by(f32::total_cmp);
    assert_eq!(across, [1.0, 2.0]);
    assert_eq!(floor.contact(&hero).unwrap().push, Vec2::new(0.0, -0.25));
    assert_eq!(hero.contact(&floor.translated([0.0, -1.0])), None);
}

#[test]
fn q2_concentric_circles_have_a_true_depth_and_a_unit_normal() {
    let ball = Circle::new([1.0, 1.0], 2.0);
    let contact = ball.contact(&Circle::new([1.0, 1.0], 3.0)).unwrap();
    assert_eq!(contact.depth, 5.0);
    assert!(near(contact.normal.length(), 1.0));
}

#[test]
fn q2_the_push_clears_all_parts_at_once() {
    // Between the arms of the U there is room of one unit; the ball must leave upwards.
    let (u, ball) = (letter_u(), Circle::new([1.5, 2.5], 0.75));
    let contact = ball.contact(&u).unwrap();
    // The arms end at height 3, a half unit to either side: 0.75² - 0.5² above them it is free.
    let up = 0.5 + (0.75f32 * 0.75 - 0.25).sqrt();
    assert_near(contact.push, [0.0, up]);
    assert!(!ball.translated(contact.push).overlaps(&u));
    // On the internal edge of two tiles the push is straight up.
    let floor =
        Compound::new([Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([1.0, 0.0], [2.0, 1.0])]);
    let contact = Aabb::new([0.75, 0.5], [1.25, 2.0]).contact(&floor).unwrap();
    assert_eq!(contact.push, Vec2::new(0.0, 0.5));
}

#[test]
fn q3_distance_and_closest_points() {
    let (ball, tile) = (Circle::new([0.0, 0.0], 1.0), Aabb::new([3.0, 4.0], [9.0, 9.0]));
    let closest = ball.closest_points(&tile);
    assert_eq!((closest.distance, ball.distance(&tile)), (4.0, 4.0));
    assert_near(closest.on_a, [0.6, 0.8]);
    assert_near(closest.on_b, [3.0, 4.0]);
    // From inside the hole to its nearest side.
    let closest = frame().closest_points(&Point::new([1.5, 2.0]));
    assert_eq!((closest.distance, closest.on_a), (0.5, Vec2::new(1.0, 2.0)));
}

#[test]
fn q4_fast_bullets_do_not_tunnel() {
    let bullet = Circle::new([0.0, 0.0], 0.5);
    let paper = Segment::new([64.5, -1.0], [64.5, 1.0]);
    let hit = bullet.sweep([1024.0, 0.0], &paper).unwrap();
    assert!((hit.time - 0.0625).abs() < 1e-6);
    assert_eq!((hit.normal, hit.depth), (Vec2::new(-1.0, 0.0), 0.0));
    assert!(!bullet.translated([1024.0 * hit.time, 0.0]).overlaps(&paper));
    assert_eq!(bullet.sweep([1024.0, 1024.0], &paper), None);
}

#[test]
fn q4_touching_shapes_hit_only_when_moving_into_each_other() {
    let floor = Aabb::new([0.0, 0.0], [9.0, 1.0]);
    let hero = Aabb::new([1.0, 1.0], [2.0, 3.0]);
    assert_eq!(hero.sweep([5.0, 0.0], &floor), None);
    assert_eq!(hero.sweep([5.0, 1.0], &floor), None);
    let hit = hero.sweep([5.0, -1.0], &floor).unwrap();
    assert_eq!((hit.time, hit.normal, hit.depth), (0.0, Vec2::Y, 0.0));
    let sunk = hero.translated([0.0, -0.25]).sweep([0.0, 1.0], &floor).unwrap();
    assert_eq!((sunk.time, sunk.depth), (0.0, 0.25));
}

#[test]
fn q4_a_rotating_shape_hits_what_it_sweeps_over() {
    // A segment from the center to (4, 0) makes half a turn to the left.
    let hand = Segment::new([0.0, 0.0], [4.0, 0.0]);
    let turn = RigidMotion::new([0.0, 0.0], PI, [0.0, 0.0]);
    let wall = Aabb::new([-1.0, 2.0], [1.0, 3.0]);
    let hit = hand.sweep_rotating(&turn, &wall).unwrap();
    // It hits the corner (1, 2).
    assert!((f64::from(hit.time) - 2.0f64.atan2(1.0) / f64::from(PI)).abs() < 1e-3);
    assert!((hit.point - Vec2::new(1.0, 2.0)).length() < 0.01);
    let other_way = RigidMotion::new([0.0, 0.0], -PI, [0.0, 0.0]);
    assert_eq!(hand.sweep_rotating(&other_way, &wall), None);
}

#[test]
fn q5_contains_includes_the_boundary() {
    let tile = Aabb::new([0.0, 0.0], [4.0, 4.0]);
    assert!(tile.contains(&Point::new([4.0, 4.0])));
    assert!(!tile.contains(&Point::new([4.0f32.next_up(), 4.0])));
    assert!(tile.contains(&Circle::new([2.0, 2.0], 2.0)));
    assert!(!tile.contains(&Circle::new([2.0, 2.0], 2.0f32.next_up())));
    assert!(tile.contains(&frame()) && !frame().contains(&tile));
    // Across the internal edge of two tiles.
    let floor =
        Compound::new([Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([1.0, 0.0], [2.0, 1.0])]);
    assert!(floor.contains(&Segment::new([0.5, 0.5], [1.5, 1.0])));
}

#[test]
fn q6_segments_cross_run_parallel_or_coincide() {
    let line = Segment::new([0.0, 0.0], [4.0, 4.0]);
    let crossing = |a: [f32; 2], b: [f32; 2]| line.intersection(&Segment::new(a, b));
    let expected = SegmentIntersection::Point { point: Vec2::new(1.0, 1.0), t: 0.25, u: 0.5 };
    assert_eq!(crossing([0.0, 2.0], [2.0, 0.0]), expected);
    assert_eq!(crossing([0.0, 1.0], [4.0, 5.0]), SegmentIntersection::Parallel);
    let expected = SegmentIntersection::Overlap { from: Vec2::splat(2.0), to: Vec2::splat(4.0) };
    assert_eq!(crossing([6.0, 6.0], [2.0, 2.0]), expected);
    assert_eq!(crossing([5.0, 5.0], [6.0, 6.0]), SegmentIntersection::Disjoint);
    assert_eq!(crossing([3.0, 0.0], [4.0, 1.0]), SegmentIntersection::Parallel);
    assert_eq!(crossing([3.0, 0.0], [4.0, 0.0]), SegmentIntersection::Disjoint);
}

#[test]
fn q6_a_segment_intersects_a_filled_shape_or_only_its_outline() {
    let pond = Circle::new([0.0, 0.0], 5.0);
    let (inside, across) =
        (Segment::new([-1.0, 0.0], [1.0, 0.0]), Segment::new([0.0, 0.0], [9.0, 0.0]));
    assert!(pond.overlaps(&inside) && !pond.outline_intersects(&inside));
    assert!(pond.outline_intersects(&across));
    assert_eq!(pond.outline_distance(&inside), 4.0);
}

#[test]
fn q7_rays_report_every_entry_and_exit() {
    let u = letter_u();
    let ray = Ray::new([-1.0, 2.0], [1.0, 0.0], 9.0);
    let spans: Vec<(f32, f32)> =
        u.raycast_all(&ray).iter().map(|hit| (hit.distance, hit.exit)).collect();
    assert_eq!(spans, [(1.0, 2.0), (3.0, 4.0)]);
    let first = u.raycast(&ray).unwrap();
    assert_eq!((first.point, first.normal), (Vec2::new(0.0, 2.0), Vec2::new(-1.0, 0.0)));
    assert_eq!(u.raycast(&Ray::new([-1.0, 2.0], [1.0, 0.0], 0.5)), None);
}

#[test]
fn q7_a_ray_from_inside_hits_at_distance_zero() {
    let tile = Aabb::new([0.0, 0.0], [4.0, 4.0]);
    let hit = tile.raycast(&Ray::new([1.0, 1.0], [0.0, 2.0], 9.0)).unwrap();
    assert_eq!((hit.distance, hit.exit), (0.0, 3.0));
    assert_eq!((hit.point, hit.normal), (Vec2::new(1.0, 1.0), Vec2::new(0.0, -1.0)));
    let wall = tile.outline_raycast(&Ray::new([1.0, 1.0], [0.0, 2.0], 9.0)).unwrap();
    assert_eq!(wall.distance, 3.0);
}

#[test]
fn q7_rays_of_all_slopes_work() {
    let tile = Aabb::new([0.0, 0.0], [2.0, 2.0]);
    let hit = |origin: [f32; 2], direction: [f32; 2]| {
        tile.raycast(&Ray::new(origin, direction, f32::INFINITY)).map(|hit| hit.distance)
    };
    assert_eq!(hit([1.0, 5.0], [0.0, -1.0]), Some(3.0)); // vertical
    assert_eq!(hit([-3.0, 2.0], [1.0, 0.0]), Some(3.0)); // along the edge: touching counts
    assert_eq!(hit([-3.0, 2.0f32.next_up()], [1.0, 0.0]), None);
    assert_eq!(hit([-3.0, -4.0], [3.0, 4.0]), Some(5.0)); // to the corner
    assert_eq!(hit([-3.0, -4.0], [-3.0, -4.0]), None);
}

#[test]
fn q8_every_axis_shows_both_projections_and_the_gap() {
    let (tile, other) = (Aabb::new([0.0, 0.0], [2.0, 2.0]), Aabb::new([3.0, 1.0], [5.0, 4.0]));
    let explanation = tile.explain(&other).unwrap();
    assert_eq!((explanation.relation, explanation.axes.len()), (Relation::Disjoint, 8));
    let axis = explanation.deciding();
    assert_eq!((axis.axis, axis.gap), (Vec2::X, 1.0));
    assert_eq!((axis.projection_a, axis.projection_b), ([0.0, 2.0], [3.0, 5.0]));
    let up = explanation.axes.iter().find(|axis| axis.axis == Vec2::Y).unwrap();
    assert_eq!((up.projection_a, up.projection_b, up.gap), ([0.0, 2.0], [1.0, 4.0], -1.0));
    assert_eq!(tile.explain(&letter_u()), None);
}

#[test]
fn q9_batches_agree_with_single_queries() {
    let blast = Circle::new([0.0, 0.0], 5.0);
    let foes: Vec<Shape> = vec![
        Point::new([3.0, 4.0]).into(),
        Aabb::new([4.0, 4.0], [5.0, 5.0]).into(),
        Circle::new([-6.0, 0.0], 2.0).into(),
    ];
    assert_eq!(intersects_each(&blast, &foes), [true, false, true]);
    let depths: Vec<Option<f32>> =
        contact_each(&blast, &foes).iter().map(|c| c.map(|c| c.depth)).collect();
    assert_eq!(depths, [Some(0.0), None, Some(1.0)]);
    let shots = [Point::new([4.5, 4.5]), Point::new([3.0, 4.0]), Point::new([9.0, 9.0])];
    assert_eq!(intersecting_pairs(&shots, &foes), [(0, 1), (1, 0)]);
}
