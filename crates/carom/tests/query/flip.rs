//! Flipped shapes: the expected image of each kind, and that no bit is lost.

use crate::support::cases::Case;
use crate::support::harness::CheckResult;
use crate::support::oracle::decompose;
use carom::prelude::*;

laws! {
    300 flipping_twice_restores_every_bit,
    1000 flipping_both_shapes_keeps_their_relation,
}

/// Returns shapes with their images flipped in x and in y, written by hand.
fn by_hand() -> Vec<[Shape; 3]> {
    let ring = |points: [[f32; 2]; 4]| ConvexPolygon::rounded(&points, 0.25).into();
    let polygon = |outer: [[f32; 2]; 5], hole: [[f32; 2]; 3]| {
        Polygon::with_holes(&outer, &[hole.to_vec()]).into()
    };
    let steps = |points: [[f32; 2]; 3]| Chain::new(&points).one_sided().into();
    let fence = |points: [[f32; 2]; 3]| Chain::closed(&points).into();
    let both = |at: [f32; 2], min: [f32; 2], max: [f32; 2]| {
        Compound::new([Shape::from(Point::new(at)), Aabb::new(min, max).into()]).into()
    };
    vec![
        [[1.0, 2.0], [-1.0, 2.0], [1.0, -2.0]].map(|at| Point::new(at).into()),
        [[1.0, 2.0], [-1.0, 2.0], [1.0, -2.0]].map(|at| Circle::new(at, 3.0).into()),
        [
            Segment::new([1.0, 2.0], [3.0, 5.0]).into(),
            Segment::new([-1.0, 2.0], [-3.0, 5.0]).into(),
            Segment::new([1.0, -2.0], [3.0, -5.0]).into(),
        ],
        [
            Capsule::new([1.0, 2.0], [3.0, 5.0], 0.5).into(),
            Capsule::new([-1.0, 2.0], [-3.0, 5.0], 0.5).into(),
            Capsule::new([1.0, -2.0], [3.0, -5.0], 0.5).into(),
        ],
        [
            Aabb::new([1.0, 2.0], [3.0, 5.0]).into(),
            Aabb::new([-3.0, 2.0], [-1.0, 5.0]).into(),
            Aabb::new([1.0, -5.0], [3.0, -2.0]).into(),
        ],
        [([1.0, 2.0], 0.3), ([-1.0, 2.0], -0.3), ([1.0, -2.0], -0.3)]
            .map(|(center, angle)| Obb::new(center, [3.0, 1.0], angle).into()),
        [
            Triangle::new([0.0, 0.0], [4.0, 0.0], [1.0, 3.0]).into(),
            Triangle::new([0.0, 0.0], [-1.0, 3.0], [-4.0, 0.0]).into(),
            Triangle::new([0.0, 0.0], [1.0, -3.0], [4.0, 0.0]).into(),
        ],
        [
            ring([[0.0, 0.0], [4.0, 0.0], [5.0, 3.0], [0.0, 2.0]]),
            ring([[0.0, 0.0], [0.0, 2.0], [-5.0, 3.0], [-4.0, 0.0]]),
            ring([[0.0, 0.0], [0.0, -2.0], [5.0, -3.0], [4.0, 0.0]]),
        ],
        [
            polygon(
                [[0.0, 0.0], [6.0, 0.0], [6.0, 6.0], [4.0, 3.0], [0.0, 6.0]],
                [[1.0, 1.0], [1.0, 2.0], [2.0, 1.0]],
            ),
            polygon(
                [[0.0, 0.0], [0.0, 6.0], [-4.0, 3.0], [-6.0, 6.0], [-6.0, 0.0]],
                [[-1.0, 1.0], [-2.0, 1.0], [-1.0, 2.0]],
            ),
            polygon(
                [[0.0, 0.0], [0.0, -6.0], [4.0, -3.0], [6.0, -6.0], [6.0, 0.0]],
                [[1.0, -1.0], [2.0, -1.0], [1.0, -2.0]],
            ),
        ],
        [
            steps([[0.0, 0.0], [2.0, 1.0], [3.0, 5.0]]),
            steps([[-3.0, 5.0], [-2.0, 1.0], [0.0, 0.0]]),
            steps([[3.0, -5.0], [2.0, -1.0], [0.0, 0.0]]),
        ],
        [
            fence([[0.0, 0.0], [2.0, 1.0], [3.0, 5.0]]),
            fence([[0.0, 0.0], [-3.0, 5.0], [-2.0, 1.0]]),
            fence([[0.0, 0.0], [3.0, -5.0], [2.0, -1.0]]),
        ],
        [
            both([9.0, 9.0], [1.0, 2.0], [3.0, 5.0]),
            both([-9.0, 9.0], [-3.0, 2.0], [-1.0, 5.0]),
            both([9.0, -9.0], [1.0, -5.0], [3.0, -2.0]),
        ],
    ]
}

#[test]
fn every_kind_has_the_expected_image() {
    for [shape, in_x, in_y] in by_hand() {
        assert_eq!(shape.flipped(Flip::NONE), shape);
        assert_eq!(shape.flipped(Flip::X), in_x);
        assert_eq!(shape.flipped(Flip::Y), in_y);
        assert_eq!(shape.flipped(Flip::BOTH), in_x.flipped(Flip::Y));
    }
}

/// Sorts points, so that the start of an outline does not matter.
fn sorted(mut points: Vec<Vec2>) -> Vec<Vec2> {
    points.sort_by(|a, b| a.to_array().partial_cmp(&b.to_array()).expect("they are finite"));
    points
}

#[test]
fn an_ellipse_has_the_expected_image() {
    let images = [([1.0, 2.0], 0.3), ([-1.0, 2.0], -0.3), ([1.0, -2.0], -0.3), ([-1.0, -2.0], 0.3)];
    let [shape, in_x, in_y, in_both] =
        images.map(|(center, angle)| Ellipse::new(center, [3.0, 1.0], angle));
    for (mirror, expected) in [(Flip::X, in_x), (Flip::Y, in_y), (Flip::BOTH, in_both)] {
        let image = shape.flipped(mirror);
        assert_eq!(image.center(), expected.center());
        assert_eq!((image.radii(), image.angle()), (expected.radii(), expected.angle()));
        assert_eq!(sorted(image.points().to_vec()), sorted(expected.points().to_vec()));
    }
}

#[test]
fn a_flipped_one_sided_chain_blocks_from_the_flipped_side() {
    let floor = Chain::new(&[[5.0, 1.0], [-2.0, 0.0]]).one_sided(); // its front is below
    let from_below = Ray::new([1.0, -9.0], [0.0, 1.0], 100.0);
    let from_above = Ray::new([1.0, 9.0], [0.0, -1.0], 100.0);
    assert!(floor.raycast(&from_below).is_some() && floor.raycast(&from_above).is_none());
    let image = floor.flipped(Flip::X);
    assert!(image.raycast(&from_below).is_some() && image.raycast(&from_above).is_none());
    for mirror in [Flip::Y, Flip::BOTH] {
        let image = floor.flipped(mirror);
        assert!(image.raycast(&from_below).is_none() && image.raycast(&from_above).is_some());
    }
}

fn flipping_twice_restores_every_bit(Case { a, .. }: &Case) -> CheckResult {
    for mirror in Flip::ALL {
        // Unlike `==`, the debug output distinguishes -0.0 from 0.0 and shows derived fields.
        let (before, after) =
            (format!("{a:?}"), format!("{:?}", a.flipped(mirror).flipped(mirror)));
        ensure!(before == after, "{mirror:?}: {before}\n{after}");
    }
    Ok(())
}

fn flipping_both_shapes_keeps_their_relation(case: &Case) -> CheckResult {
    let Case { a, b, .. } = case;
    let answers = case.results();
    for mirror in Flip::ALL {
        let (image_a, image_b) = (a.flipped(mirror), b.flipped(mirror));
        let image = decompose::points(a).into_iter().map(|point| mirror.apply(point)).collect();
        ensure!(sorted(decompose::points(&image_a)) == sorted(image), "points in {mirror:?}");
        let kept = answers.intersects == image_a.intersects(&image_b);
        ensure!(kept, "intersects differs in {mirror:?}");
        let kept = answers.overlaps == image_a.overlaps(&image_b);
        ensure!(kept, "overlaps differs in {mirror:?}");
    }
    Ok(())
}
