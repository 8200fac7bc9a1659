//! Tests and distances.

use carom::prelude::*;

use super::{OVERLAP, TOUCH, intersects_overlaps};

#[test]
fn a_point_touches_the_corner_it_stands_on() {
    let segment = Segment::new([1.0, 7.0], [2.0, 0.0]);
    assert_eq!(intersects_overlaps(Point::new([1.0, 7.0]), segment), TOUCH);
    let triangle = Triangle::new([6.0, 4.0], [7.0, 8.0], [3.0, 0.0]);
    assert_eq!(intersects_overlaps(Point::new([6.0, 4.0]), triangle), TOUCH);
    let chain = Chain::new(&[[6.0, 5.0], [0.0, 0.0], [1.0, 6.0]]);
    assert_eq!(intersects_overlaps(Point::new([6.0, 5.0]), chain), TOUCH);
    let dot = Segment::new([6.0, 2.0], [6.0, 2.0]);
    assert_eq!(intersects_overlaps(Segment::new([6.0, 2.0], [8.0, 7.0]), dot), TOUCH);
}

#[test]
fn a_segment_through_a_joint_crosses_the_chain() {
    let chain = Chain::new(&[[1.0, 2.5], [2.5, 2.75], [6.0, 7.0]]);
    assert_eq!(intersects_overlaps(Segment::new([2.0, 3.0], [4.0, 2.0]), chain), OVERLAP);
}

#[test]
fn a_point_never_overlaps_a_chain() {
    let chain = Chain::closed(&[[-1e-45, 8.0], [7.0, 6.0], [5.0, 8.0], [0.0, 8.0]]);
    assert_eq!(intersects_overlaps(Point::new([0.0, 8.0]), chain), TOUCH);
}

#[test]
fn round_shapes_touch_exactly_far_from_the_origin() {
    let segment = Segment::new([65543.0, 8388613.0], [65539.0, 8388616.0]);
    assert_eq!(intersects_overlaps(segment, Circle::new([65538.0, 8388613.0], 3.0)), TOUCH);
    let capsule = Capsule::new([65544.0, -999995.0], [65540.0, -999998.0], 1.0);
    assert_eq!(intersects_overlaps(capsule, Circle::new([65540.0, -999993.0], 3.0)), TOUCH);
    let tile = Aabb::new([-999995.0, 1000004.0], [-999993.0, 1000005.0]);
    let capsule = Capsule::new([-999997.0, 1000005.0], [-999994.0, 1000001.0], 1.0);
    assert_eq!(intersects_overlaps(tile, capsule), TOUCH);
}

#[test]
fn a_circle_on_a_box_has_no_interior_point_at_the_contact() {
    let ball = Circle::new([1000006.0, -8388593.0], 1.0);
    let pillar = Obb::new([1000006.0, -8388599.0], [1.0, 5.0], 0.0);
    let both = Compound::new([Shape::from(ball), Shape::from(pillar)]);
    assert_eq!(intersects_overlaps(both, Point::new([1000006.0, -8388594.0])), TOUCH);
}

#[test]
fn the_internal_edge_of_a_capsule_lying_on_a_box_is_inside() {
    let parts = [
        Shape::from(Aabb::new([8388609.0, -8388600.0], [8388610.0, -8388597.0])),
        Shape::from(Capsule::new([8388609.0, -8388594.0], [8388610.0, -8388594.0], 3.0)),
    ];
    let chain = Chain::new(&[[8388616.0, -8388597.0], [8388609.0, -8388597.0]]);
    assert_eq!(intersects_overlaps(chain, Compound::new(parts)), OVERLAP);
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
fn distance_is_symmetric_to_the_last_bit_for_thin_boxes() {
    let a = Obb::new([5.5895804e-9, -23883296.0], [8.7450225e-9, 23883296.0], 0.0);
    let b = Obb::new([1992691.0, 3.4661178e-7], [1.7490045e-8, 37175230.0], -1.5707964);
    assert_eq!(a.distance(&b), b.distance(&a));
}

#[test]
fn a_circle_beside_the_end_of_a_very_long_sliver_is_tested_exactly() {
    let sliver = ConvexPolygon::new(&[
        [-25640080.0, 17274.125],
        [-21662114.0, 17274.125],
        [-13717382.0, 17274.127],
        [25640080.0, 17274.137],
        [18130274.0, 17274.137],
        [-5617773.5, 17274.13],
        [-21318948.0, 17274.127],
    ]);
    assert_eq!(intersects_overlaps(sliver, Circle::new([-25640080.0, 17275.125], 1.0)), OVERLAP);
}

#[test]
fn distances_of_capsules_are_symmetric_to_the_last_bit() {
    let chain = Chain::new(&[[3.0, 4.0], [2.0, 4.0], [1.0, 6.0]]);
    let capsule = Capsule::new([7.0, 6.0], [6.0, 7.0], 4.2426405);
    assert_eq!(chain.distance(&capsule), capsule.distance(&chain));
}

#[test]
fn a_thin_capsule_that_grazes_a_long_segment_touches_it_in_both_orders() {
    let segment = Segment::new([2.3674659e-7, 965.03015], [173.52332, -1.23877015e-8]);
    let capsule = Capsule::new([86.76166, 482.51508], [0.06110677, -118.41475], 1.1540871e-7);
    assert!(segment.intersects(&capsule) && capsule.intersects(&segment));
    assert_eq!(segment.distance(&capsule), 0.0);
}

#[test]
fn an_internal_edge_tangent_to_a_circle_does_not_open_the_interior() {
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
    assert_eq!(intersects_overlaps(Compound::new(parts), Point::new([-2.0, 5.0])), OVERLAP);
}

#[test]
fn collinear_edges_that_share_an_end_are_no_internal_edge() {
    let slab = ConvexPolygon::new(&[[0.75, 1.0], [2.25, 3.0], [-1.75, 6.0], [-3.25, 4.0]]);
    let capsule = Capsule::new([6.25, 0.0], [22.0, 21.0], 5.0);
    let both = Compound::new([Shape::from(slab), Shape::from(capsule)]);
    assert_eq!(intersects_overlaps(both, Segment::new([0.0, 0.0], [6.0, 8.0])), TOUCH);
}

#[test]
fn an_internal_edge_far_shorter_than_the_radius_is_inside() {
    let tiny = 2f32.powi(-60);
    let capsule = Capsule::new([0.0, 0.0], [3.0 * tiny, 4.0 * tiny], 5.0);
    let wedge = Triangle::new([1.0, -7.0], [9.0, -7.0], [7.0, 1.0]);
    let both = Compound::new([Shape::from(capsule), Shape::from(wedge)]);
    assert_eq!(intersects_overlaps(both.clone(), Segment::new([1.0, -7.0], [7.0, 1.0])), OVERLAP);
    assert_eq!(intersects_overlaps(both, Segment::new([1.0, -7.0], [4.0, -3.0])), TOUCH);
}

#[test]
fn a_boundary_from_arc_to_edge_contains_points_on_one_side_only() {
    let capsule = Shape::from(Capsule::new([0.0, 1.0], [2.0, 1.0], 1.0));
    let below = Shape::from(Aabb::new([0.0, -1.0], [1.0, 0.0]));
    let wedge = Shape::from(Triangle::new([0.0, 0.0], [-2.0, 1.0], [0.0, -1.0]));
    let flush = Shape::from(Aabb::new([-1.0, -1.0], [0.0, 0.0]));
    let point = Point::new([0.0, 0.0]);
    assert_eq!(
        intersects_overlaps(Compound::new([capsule.clone(), below.clone(), wedge]), point),
        OVERLAP
    );
    assert_eq!(intersects_overlaps(Compound::new([capsule, below, flush]), point), TOUCH);
}

#[test]
fn thin_capsules_cross_far_from_all_their_ends() {
    let a = Capsule::new([3047.662, 9.479111], [-3.819442e-6, -27606272.0], 8.9407615e-10);
    let b = Capsule::new([5.995551e-8, 2174.504], [3047.662, -13803131.0], 8.9407615e-10);
    assert_eq!(intersects_overlaps(a, b), OVERLAP);
}

#[test]
fn collinear_capsules_have_the_correct_distance() {
    let a = Capsule::new([-0.28000033, -0.1400004], [0.019999683, 0.25999957], 0.8);
    let b = Capsule::new([0.8, 1.3], [1.1, 1.6999999], 0.5);
    assert_eq!(intersects_overlaps(a, b), (false, false));
    assert_eq!(a.contact(&b), None);
    let far = Capsule::new([8.0, 10.9], [8.3, 11.3], 0.5);
    assert_eq!(intersects_overlaps(a, far), (false, false));
}

#[test]
fn a_tiny_ellipse_at_the_end_of_a_sliver_has_a_contact() {
    let speck = Ellipse::new([0.0030996844, 3.3877856e-9], [7.027303e-10, 7.274563e-9], 1.5707964);
    let sliver = Triangle::new(
        [-14257282.0, 1.3597054e-7],
        [0.003099679, 2.4668858e-9],
        [0.0030996772, 3.2506897e-9],
    );
    assert_eq!(speck.contact(&sliver).is_some(), speck.intersects(&sliver));
}

#[test]
fn distant_tiles_flattened_by_rounding_contain_what_they_cover() {
    let rows = ["#.##", "##.#", "####", "####"];
    let map =
        TileMap::from_rows([0.0, 0.0], [0.54653764, 0.6601505], &rows, &[('#', TileKind::SOLID)])
            .transformed(&Pose::new([8388606.5, 8388610.0], 0.0));
    let triangle = [[8388608.0, 8388610.0], [8388607.5, 8388613.0], [8388607.0, 8388612.0]];
    assert!(map.contains(&Triangle::new(triangle[0], triangle[1], triangle[2])));
    let chip = TileKind::convex(&[
        [0.015472889, 0.43185067],
        [0.12176144, 0.2424469],
        [0.5226482, 0.73278964],
        [0.21214104, 0.90789425],
    ]);
    let legend = [('#', TileKind::SOLID), ('b', chip)];
    let map = TileMap::from_rows([0.0, 0.0], [1.0, 2.0], &[".##b", "##.b", "###."], &legend)
        .transformed(&Pose::new([8388607.0, -8388599.0], 0.0));
    assert!(map.contains(&Segment::new([8388608.0, -8388597.0], [8388611.0, -8388597.5])));
}

#[test]
fn bounds_contain_a_radius_that_rounding_loses() {
    let shapes = [
        Shape::from(Circle::new([126178620.0, -0.13247368], 1.3858639e-9)),
        Circle::new([1e-45, 2.0], 3.0).into(),
        Capsule::new([1e10, 0.0], [2e10, 1.0], 1e-9).into(),
        ConvexPolygon::rounded(&[[1e10, 2e10], [2e10, 3e10], [1e10, 3e10]], 7.4e-7).into(),
    ];
    for shape in shapes {
        assert!(shape.bounds().contains(&shape), "{shape:?} {:?}", shape.bounds());
    }
}

#[test]
fn bounds_of_the_largest_circles_are_finite() {
    for center in [f32::MAX, f32::MIN, 0.0, 1e-45] {
        let bounds = Circle::new([center, -center], f32::MAX).bounds();
        assert!(bounds.min().is_finite() && bounds.max().is_finite(), "{bounds:?}");
    }
}
