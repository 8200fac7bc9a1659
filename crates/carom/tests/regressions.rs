//! Cases that were answered wrongly once, spelled out.

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
