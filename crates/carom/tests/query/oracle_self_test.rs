//! Tests the oracle itself with results computed by hand.

use crate::support::oracle::contains::contains;
use crate::support::oracle::depth::depth;
use crate::support::oracle::exact_pair::{ExactPair, Part};
use crate::support::oracle::predicates::{distance, intersects, overlaps};

fn convex(points: &[[f64; 2]], radius: f64) -> Part {
    Part::Convex { points: points.to_vec(), radius }
}

fn circle(x: f64, y: f64, radius: f64) -> Part {
    convex(&[[x, y]], radius)
}

fn dot(x: f64, y: f64) -> Part {
    circle(x, y, 0.0)
}

fn bounds(x: f64, y: f64, u: f64, v: f64) -> Part {
    convex(&[[x, y], [u, y], [u, v], [x, v]], 0.0)
}

fn line(points: &[[f64; 2]]) -> Part {
    Part::Line { points: points.to_vec(), closed: false }
}

fn ring(points: &[[f64; 2]]) -> Part {
    Part::Outline { rings: vec![points.to_vec()] }
}

fn l_shape() -> Part {
    ring(&[[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [2.0, 2.0], [2.0, 4.0], [0.0, 4.0]])
}

/// Returns a frame around the square from 1 to 3.
fn frame() -> Part {
    Part::Outline {
        rings: vec![
            vec![[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]],
            vec![[1.0, 1.0], [3.0, 1.0], [3.0, 3.0], [1.0, 3.0]],
        ],
    }
}

fn pair(a: &[Part], b: &[Part]) -> ExactPair {
    ExactPair::new(a, b)
}

/// Returns `intersects` and `overlaps`, which must be the same in both orders.
fn verdicts(a: &[Part], b: &[Part]) -> (bool, bool) {
    let pair = pair(a, b);
    let swapped = pair.swapped();
    let verdicts = (intersects(&pair), overlaps(&pair));
    assert_eq!(verdicts, (intersects(&swapped), overlaps(&swapped)));
    verdicts
}

const APART: (bool, bool) = (false, false);
const TOUCH: (bool, bool) = (true, false);
const OVERLAP: (bool, bool) = (true, true);

#[test]
fn circles_of_a_3_4_5_triangle_touch() {
    assert_eq!(verdicts(&[circle(0.0, 0.0, 2.0)], &[circle(3.0, 4.0, 3.0)]), TOUCH);
    assert_eq!(verdicts(&[circle(0.0, 0.0, 2.0)], &[circle(3.0, 4.0, 3.000001)]), OVERLAP);
    assert_eq!(verdicts(&[circle(0.0, 0.0, 2.0)], &[circle(3.0, 4.0, 2.999999)]), APART);
}

#[test]
fn a_segment_along_an_edge_touches_and_along_an_internal_edge_overlaps() {
    let (left, right) = (bounds(0.0, 0.0, 1.0, 2.0), bounds(1.0, 0.0, 2.0, 2.0));
    let seam = line(&[[1.0, 0.0], [1.0, 3.0]]);
    assert_eq!(verdicts(std::slice::from_ref(&left), std::slice::from_ref(&seam)), TOUCH);
    assert_eq!(verdicts(&[left.clone(), right.clone()], &[seam]), OVERLAP);
    let end = line(&[[1.0, 2.0], [1.0, 3.0]]);
    assert_eq!(verdicts(&[left.clone(), right.clone()], &[end]), TOUCH);
    assert_eq!(verdicts(&[left.clone(), right.clone()], &[dot(1.0, 1.0)]), OVERLAP);
    assert_eq!(verdicts(&[left, right], &[dot(1.0, 2.0)]), TOUCH);
}

#[test]
fn the_corner_that_four_boxes_share_is_interior() {
    let boxes = [
        bounds(0.0, 0.0, 1.0, 1.0),
        bounds(1.0, 0.0, 2.0, 1.0),
        bounds(0.0, 1.0, 1.0, 2.0),
        bounds(1.0, 1.0, 2.0, 2.0),
    ];
    assert_eq!(verdicts(&boxes, &[dot(1.0, 1.0)]), OVERLAP);
    assert_eq!(verdicts(&boxes[..3], &[dot(1.0, 1.0)]), TOUCH);
}

#[test]
fn a_sliver_between_arc_and_tangent_is_no_interior() {
    let box_below = bounds(-1.0, -1.0, 1.0, 0.0);
    let disk = circle(0.0, 1.0, 1.0);
    assert_eq!(verdicts(&[box_below.clone(), disk], &[dot(0.0, 0.0)]), TOUCH);
    let capsule = convex(&[[-0.5, 1.0], [0.5, 1.0]], 1.0);
    assert_eq!(verdicts(&[box_below.clone(), capsule.clone()], &[dot(0.0, 0.0)]), OVERLAP);
    assert_eq!(verdicts(&[box_below.clone(), capsule.clone()], &[dot(0.5, 0.0)]), TOUCH);
    let steps = [box_below, capsule, bounds(0.5, -1.0, 1.0, 1.0)];
    assert_eq!(verdicts(&steps, &[dot(0.5, 0.0)]), OVERLAP);
}

#[test]
fn lines_cross_only_inside_both_or_through_a_joint() {
    let level = line(&[[-2.0, 0.0], [2.0, 0.0]]);
    let check = |points: &[[f64; 2]], expected| {
        assert_eq!(verdicts(std::slice::from_ref(&level), &[line(points)]), expected, "{points:?}");
    };
    check(&[[0.0, -1.0], [0.0, 1.0]], OVERLAP);
    check(&[[0.0, 0.0], [0.0, 1.0]], TOUCH);
    check(&[[-1.0, 0.0], [3.0, 0.0]], TOUCH);
    check(&[[-1.0, 1.0], [0.0, 0.0], [1.0, 1.0]], TOUCH);
    check(&[[-1.0, 1.0], [0.0, 0.0], [1.0, -1.0]], OVERLAP);
    check(&[[-1.0, 1.0], [2.0, 0.0], [1.0, -1.0]], TOUCH);
    let bent = [line(&[[-2.0, 1.0], [0.0, 0.0], [2.0, 1.0]])];
    assert_eq!(verdicts(&bent, &[line(&[[-1.0, 3.0], [0.0, 0.0], [1.0, 3.0]])]), TOUCH);
    assert_eq!(verdicts(&bent, &[line(&[[0.0, 3.0], [0.0, 0.0], [3.0, 0.0]])]), OVERLAP);
    assert_eq!(verdicts(&bent, &[line(&[[-1.0, -3.0], [0.0, 0.0], [1.0, -3.0]])]), TOUCH);
}

#[test]
fn outlines_are_filled_without_their_holes() {
    assert_eq!(verdicts(&[frame()], &[bounds(1.0, 1.0, 3.0, 3.0)]), TOUCH);
    assert_eq!(verdicts(&[frame()], &[bounds(1.5, 1.5, 2.0, 2.0)]), APART);
    assert_eq!(verdicts(&[frame()], &[dot(0.5, 1.0)]), OVERLAP);
    assert_eq!(verdicts(&[l_shape()], &[dot(2.0, 2.0)]), TOUCH);
    assert_eq!(verdicts(&[l_shape()], &[line(&[[0.5, 2.0], [1.5, 2.0]])]), OVERLAP);
    assert_eq!(verdicts(&[l_shape()], &[line(&[[4.0, 2.0], [2.0, 2.0]])]), TOUCH);
}

#[test]
fn distance_is_exact_at_every_scale() {
    for scale in [1.0, 2f64.powi(96), 2f64.powi(-146)] {
        let a = circle(0.0, 0.0, scale);
        let b = bounds(4.0 * scale, 5.0 * scale, 6.0 * scale, 6.0 * scale);
        let expected = (41f64.sqrt() - 1.0) * scale;
        let found = distance(&pair(&[a], &[b]));
        assert!((found - expected).abs() <= 1e-14 * expected, "{found} for {expected}");
    }
}

#[test]
fn containment_ignores_internal_edges_and_respects_arcs() {
    let two = [bounds(0.0, 0.0, 1.0, 2.0), bounds(1.0, 0.0, 2.0, 2.0)];
    let holds = |a: &[Part], b: Part| contains(&pair(a, &[b]));
    assert_eq!(holds(&two, circle(1.0, 1.0, 1.0)), Some(true));
    assert_eq!(holds(&two, circle(1.0, 1.0, 1.01)), Some(false));
    assert_eq!(holds(&two, bounds(0.0, 0.0, 2.0, 2.0)), Some(true));
    assert_eq!(holds(&two, bounds(0.0, 0.0, 2.0, 2.5)), Some(false));
    assert_eq!(holds(&two, line(&[[0.0, 1.0], [2.0, 1.0]])), Some(true));
    assert_eq!(holds(&two, line(&[[0.0, 1.0], [2.1, 1.0]])), Some(false));
    assert_eq!(holds(&[frame()], bounds(0.0, 0.0, 4.0, 1.0)), Some(true));
    assert_eq!(holds(&[frame()], bounds(0.0, 0.0, 4.0, 4.0)), Some(false));
    assert_eq!(holds(&[frame()], frame()), Some(true));
    assert_eq!(holds(&[circle(0.0, 0.0, 5.0)], bounds(-3.0, -4.0, 3.0, 4.0)), Some(true));
    assert_eq!(holds(&[bounds(0.0, 0.0, 6.0, 6.0)], circle(3.0, 3.0, 3.0)), Some(true));
    assert_eq!(
        holds(&[line(&[[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]])], line(&[[0.5, 0.0], [2.0, 0.0]])),
        Some(true)
    );
}

fn push(a: &[Part], b: &[Part]) -> f64 {
    let (there, back) = (depth(a, b), depth(b, a));
    let (there, back) = (there.expect("free"), back.expect("free"));
    assert!((there - back).abs() < 1e-5, "{there} {back}");
    there
}

#[test]
fn the_least_push_clears_every_piece() {
    let near = |found: f64, expected: f64| {
        assert!((found - expected).abs() < 1e-5, "{found} for {expected}");
    };
    near(push(&[bounds(0.0, 0.0, 2.0, 2.0)], &[bounds(1.0, 0.5, 4.0, 4.0)]), 1.0);
    near(push(&[circle(0.0, 0.0, 2.0)], &[circle(0.0, 0.0, 1.0)]), 3.0);
    // Into the notch of the L, not along its arms.
    near(push(&[bounds(1.5, 1.0, 3.0, 3.0)], &[l_shape()]), 1.25f64.sqrt());
    // A box in the hole is free; a bigger one has to leave the frame.
    near(push(&[bounds(1.0, 1.5, 3.0, 3.5)], &[frame()]), 0.5);
    near(push(&[bounds(1.0, 1.0, 3.25, 3.0)], &[frame()]), 3.0);
    // A point deep inside two flush boxes is not stopped by the internal edge.
    let two = [bounds(0.0, 0.0, 3.0, 4.0), bounds(3.0, 0.0, 6.0, 4.0)];
    near(push(&two, &[dot(2.9, 2.0)]), 2.0);
    near(push(&two, &[dot(3.0, 2.5)]), 1.5);
    near(push(&two, &[line(&[[2.0, 3.0], [4.0, 3.0]])]), 1.0);
}

#[test]
fn generated_cases_include_every_relation_for_every_pair() {
    use crate::support::cases::Case;
    use carom::prelude::Shape;
    let thin = |kind| ["Point", "Segment", "Chain"].contains(&kind);
    for &a in Shape::KINDS {
        for &b in Shape::KINDS {
            let never_overlap = a == "Point" && thin(b) || b == "Point" && thin(a);
            let mut wanted = vec![APART, TOUCH, OVERLAP];
            wanted.truncate(if never_overlap { 2 } else { 3 });
            for seed in 0..500 {
                if wanted.is_empty() {
                    break;
                }
                let case = Case::new(a, b, seed);
                let pair = case.exact_pair();
                let found = (intersects(pair), overlaps(pair));
                wanted.retain(|verdict| *verdict != found);
            }
            assert!(wanted.is_empty(), "{a}-{b} lacks (intersects, overlaps) = {wanted:?}");
        }
    }
}
