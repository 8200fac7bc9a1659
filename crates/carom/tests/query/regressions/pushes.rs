//! Contacts that were too shallow, too deep, or not symmetric.

use core::f32::consts::FRAC_PI_4;

use carom::prelude::*;

use super::{intersects_overlaps, push};
use crate::support::rng::Rng;

#[test]
fn a_vertex_almost_on_the_core_is_pushed_the_short_way() {
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
fn a_push_clears_even_if_a_vertex_is_denormal() {
    let capsule = Capsule::new([0.0, 3.5], [0.0, 2.0], 0.5);
    push(capsule, Triangle::new([-1e-45, 3.0], [0.0, 0.5], [1.0, 2.0]));
    let rect = Obb::new([0.0, 0.5], [0.25, 4.0], 0.0);
    push(rect, ConvexPolygon::rounded(&[[-1e-45, 0.5], [0.25, -3.5], [3.5, 3.0]], 1.0));
}

#[test]
fn depth_is_symmetric_for_lines_against_outlines() {
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
fn a_segment_along_edges_of_a_tiny_ellipse_is_inside() {
    let segment = Segment::new([0.0, 1.72e-43], [2.87e-43, 4.02e-43]);
    let ellipse = Ellipse::new([1.43e-43, 4.02e-43], [1.72e-43, 1.43e-43], FRAC_PI_4);
    assert!(segment.contact(&ellipse).is_some());
    assert_eq!(segment.distance(&ellipse), 0.0);
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
    let rect = Obb::new([2.44e-43, 7.31e-43], [3.66e-43, 2.44e-43], FRAC_PI_4);
    let chain = Chain::closed(&[[2.44e-43, 7.31e-43], [1.22e-43, 3.66e-43], [-1.22e-43, 3.66e-43]]);
    assert!(push(rect, chain) < 2.5e-43);
}

#[test]
fn depths_are_symmetric_for_huge_and_tiny_shapes() {
    let rect = Obb::new([-7.1632145e-11, -0.012352262], [3.5510855, 0.010367544], -1.5707964);
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
fn capsules_whose_cores_almost_touch_are_pushed_sideways() {
    let a = Capsule::new([0.0, 2.0], [2.0, 3.5], 1.0);
    assert!(push(a, Segment::new([1.0, 3.0], [-1e-45, 2.0])) < 1.001);
    let b = Capsule::new([1e-45, 7.0], [4.0000005, 5.0], 2.0);
    assert!(push(Segment::new([4.0, 5.0], [0.0, 7.0]), b) < 2.001);
}

#[test]
fn a_polygon_with_a_bent_internal_edge_is_pushed_out_completely() {
    let outline =
        [[1.0, 1.0], [3.0, 4.0], [6.0, 3.0], [6.0, 4.0], [0.0, 7.0], [1.0, 6.0], [2.0, 5.0]];
    assert!(push(Polygon::new(&outline), Point::new([2.5, 4.5])) < 0.607);
}

#[test]
fn a_circle_almost_on_an_edge_is_pushed_out_on_the_near_side() {
    let wedge = ConvexPolygon::new(&[[-1.0, 8.0], [1.0, 8.0], [-1.0, 9.0]]);
    assert!(push(wedge, Circle::new([1e-45, 8.5], 2.0)) < 2.001);
}

#[test]
fn a_normal_is_a_unit_vector_however_far_a_tiny_capsule_is_from_the_end_of_a_line() {
    let capsule = Capsule::new([1.1553205e-8, 1.4472198], [1.20451755e-8, 1.4472198], 22809.21);
    let line = Segment::new([-88491.7, -22807.764], [1.179919e-8, 1.4471959]);
    assert_eq!(capsule.contact(&line).expect("they overlap").normal, Vec2::Y);
    assert_eq!(line.contact(&capsule).expect("they overlap").normal, -Vec2::Y);
}

#[test]
fn a_gap_of_zero_width_is_used_if_floats_can_represent_it() {
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
fn a_push_avoids_a_gap_too_narrow_for_floats() {
    let boxes = [
        Aabb::new([0.20000002, 0.29999995], [0.40000004, 0.49999997]),
        Aabb::new([0.0, 0.29999995], [0.20000002, 0.49999997]),
        Aabb::new([0.40000004, 0.7], [0.6, 0.9]),
        Aabb::new([0.0, 0.7], [0.20000002, 0.9]),
    ];
    assert!(push(Circle::new([0.2, 0.5], 0.1), Compound::new(boxes)) < 0.10001);
}

#[test]
fn a_point_just_beyond_the_corner_of_an_edge_that_leads_far_away_is_outside() {
    let far = [59577150.0, -103862140.0];
    let wedge =
        ConvexPolygon::new(&[[-0.45228285, -3.3796632e-6], [-2.7224331e-8, -20.545822], far]);
    let point = Point::new([-0.45228285, -3.3787383e-6]);
    assert_eq!(intersects_overlaps(point, wedge.clone()), (false, false));
    assert_eq!((point.contact(&wedge), wedge.contact(&point)), (None, None));
    assert!(point.distance(&wedge) > 0.0);
}

#[test]
fn a_box_bent_by_rounding_intersects_circles_correctly() {
    let bent = Obb::new([0.00033614927, 98360.73], [1.9483082, 0.00033614878], 2.6893504);
    let circle = Circle::new([-1.7522546, 98365.58], 4.0);
    assert_eq!(bent.contact(&circle).is_some(), bent.intersects(&circle));
    let bent = Obb::new([-344208260.0, -3.452545e-10], [376.07495, 5.8956342e-5], 0.7853982);
    let circle = Circle::new([-344208500.0, -269.9252], 4.0);
    assert_eq!(bent.contact(&circle).is_some_and(|c| c.depth > 0.0), bent.overlaps(&circle));
}

#[test]
fn a_mask_flattened_by_rounding_is_pushed_out() {
    let mask = Mask::from_rows([0.0, 0.0], 1.8516704e-9, &["#..", "#.#"])
        .flipped(Flip { x: true, y: false })
        .transformed(&Pose::new([0.04474092, -89932990.0], 0.0));
    let circle = Circle::new([0.04474092, -89932990.0], 1.8626451e-9);
    let contact = mask.contact(&circle).unwrap();
    assert!(!mask.translated(contact.push).overlaps(&circle));
}

#[test]
fn the_depth_of_a_tiny_shape_in_a_huge_corner_is_symmetric() {
    let continent = Polygon::new(&[
        [-10108664.0, 0.0025839023],
        [5.0025617e-10, -1240.9736],
        [-0.00032698968, -0.00056409277],
        [1.4703747e-9, 4.6367408e-5],
        [5296496.0, -7.25349e-8],
        [-8.058851e-8, 41545.305],
    ]);
    let speck = Ellipse::new([1.1768076e-5, 41545.305], [1.1848664e-5, 0.027448893], 0.0);
    let depth = continent.contact(&speck).unwrap().depth;
    assert_eq!(speck.contact(&continent).unwrap().depth, depth);
}

#[test]
fn the_depth_of_a_needle_through_a_dart_is_symmetric() {
    let x = 5.38826e-5;
    let dart = Polygon::new(&[
        [x, 8.047413],
        [-5.999946, -3.9525876],
        [x, 0.047412395],
        [6.000054, -3.9525876],
    ]);
    let needle = Ellipse::new([-0.0017493055, 109150.75], [7.889796e-7, 21896164.0], 0.0);
    let depths =
        [dart.contact(&needle), needle.contact(&dart)].map(|contact| contact.unwrap().depth);
    assert_eq!(depths, [5.9981976; 2]);
}

#[test]
fn nearly_equal_pushes_are_chosen_alike_in_both_orders() {
    let hair = 1e-45;
    let flat = Triangle::new([2.0, 2.0], [5.0, hair], [-1.0, 4.0]);
    let zigzag = Chain::new(&[[0.0, 2.0], [-1.0, 4.0], [2.0, 2.0], [4.0, 5.0]]);
    let notched = Polygon::new(&[
        [2.0, 0.0],
        [1.5, 2.5],
        [2.0, 2.0],
        [1.5, 4.0],
        [0.0, 5.0],
        [0.0, 4.0],
        [hair, 4.0],
    ]);
    let jagged = Polygon::new(&[[4.0, 1.0], [2.25, 5.75], [4.0, 7.0], [0.75, 7.25], [-hair, 8.0]]);
    let wing = Triangle::new([4.0, 8.0], [2.0, 7.0], [3.0, 5.0]);
    let pairs: [(Shape, Shape); 3] = [
        (flat.into(), zigzag.into()),
        (Segment::new([3.0, 1.0], [0.0, 4.0]).into(), notched.into()),
        (
            Segment::new([3.0, 5.0], [0.0, 8.0]).into(),
            Compound::new([Shape::from(jagged), Shape::from(wing)]).into(),
        ),
    ];
    for (a, b) in pairs {
        let [there, back] = [a.contact(&b), b.contact(&a)].map(|contact| contact.unwrap().depth);
        assert_eq!(there, back, "{a:?}, {b:?}");
    }
}

#[test]
fn of_equally_deep_parts_the_contact_is_that_of_the_push() {
    let point = Point::new([-3.7172785, 0.974668]);
    let parts = Compound::new([
        Shape::from(Circle::new([-3.7172785, 0.974668], 1.7312212)),
        Obb::new([-1.9396966, 0.974668], [1.285907, 1.7775819], 1.5707964).into(),
    ]);
    let map = TileMap::from_rows(
        [0.0, 0.0],
        [2.0, 2.0],
        &["#.#", "##.", "a.a"],
        &[('#', TileKind::SOLID), ('a', TileKind::convex(&[[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]))],
    )
    .translated([-2.0, -3.0]);
    let boxes = Compound::new([
        Aabb::new([-2.0, -1.0], [-1.5, -0.5]),
        Aabb::new([-2.5, -2.0], [-2.0, -1.5]),
        Aabb::new([-2.0, -1.5], [-1.5, -1.0]),
    ]);
    for (a, b) in [(Shape::from(point), Shape::from(parts)), (map.into(), boxes.into())] {
        for (a, b) in [(&a, &b), (&b, &a)] {
            let Contact { normal, depth, push, .. } = a.contact(b).expect("they overlap");
            assert!((push - normal * depth).length() < 1e-4, "{push} for {normal} and {depth}");
            assert!(!a.translated(push).overlaps(b));
        }
    }
}

#[test]
fn a_circle_at_the_center_of_a_placed_box_is_pushed_out_of_the_nearer_side() {
    // Rounding has moved the corners, so one of two opposite sides is nearer to the middle.
    let mut rng = Rng::new(22);
    for _ in 0..2000 {
        let far = rng.pick(&[10.0, 500.0, 3e4]);
        let pose = Pose::new(Vec2::new(rng.signed(), rng.signed()) * far, rng.signed() * 3.0);
        let placed = Obb::new([0.5, -0.25], [2.0, 5.0], rng.signed()).transformed(&pose);
        let circle = Circle::new(placed.center(), 4.0);
        let general = ConvexPolygon::new(placed.corners()).contact(&circle).unwrap().depth;
        for depth in
            [placed.contact(&circle).unwrap().depth, circle.contact(&placed).unwrap().depth]
        {
            assert!((depth - general).abs() <= 1e-6 * general, "{depth} for {general}: {placed:?}");
        }
    }
}
