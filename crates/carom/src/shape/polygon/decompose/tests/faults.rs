//! Tests that every invalid outline is rejected with the right error, and no valid one is.

use alloc::{vec, vec::Vec};

use glam::Vec2;

use super::{Random, Ring, check_apart, checked, decompose, ring, square};
use crate::error::ShapeError;

fn error_of(outer: &[Vec2], holes: &[Ring]) -> ShapeError {
    decompose(outer, holes).err().unwrap()
}

fn crossing(
    [ring, edge]: [usize; 2],
    [other_ring, other_edge]: [usize; 2],
    at: [f32; 2],
) -> ShapeError {
    ShapeError::SelfIntersection { ring, edge, other_ring, other_edge, at: at.into() }
}

#[test]
fn edges_of_one_ring_must_not_intersect() {
    let bow_tie = ring(&[[0.0, 0.0], [4.0, 4.0], [4.0, 0.0], [0.0, 4.0]]);
    assert_eq!(error_of(&bow_tie, &[]), crossing([0, 0], [0, 2], [2.0, 2.0]));
    let touch = ring(&[[0.0, 0.0], [8.0, 0.0], [8.0, 4.0], [4.0, 0.0], [0.0, 4.0]]);
    assert_eq!(error_of(&touch, &[]), crossing([0, 0], [0, 3], [4.0, 0.0]));
    let pinch = ring(&[[0.0, 0.0], [2.0, 2.0], [4.0, 0.0], [4.0, 4.0], [2.0, 2.0], [0.0, 4.0]]);
    assert_eq!(error_of(&pinch, &[]), crossing([0, 1], [0, 4], [2.0, 2.0]));
}

#[test]
fn a_ring_must_not_fold_back_on_itself() {
    let right = ring(&[[0.0, 0.0], [8.0, 0.0], [4.0, 0.0], [4.0, 4.0]]);
    assert_eq!(error_of(&right, &[]), crossing([0, 0], [0, 2], [4.0, 0.0]));
    let left = ring(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 0.0]]);
    assert_eq!(error_of(&left, &[]), crossing([0, 0], [0, 3], [0.0, 0.0]));
}

#[test]
fn rings_must_not_cross_or_share_part_of_an_edge() {
    let outer = square(0.0, 0.0, 8.0);
    let across = ring(&[[4.0, 2.0], [12.0, 4.0], [4.0, 6.0]]);
    assert!(matches!(
        error_of(&outer, &[across]),
        ShapeError::SelfIntersection { ring: 0, edge: 1, other_ring: 1, .. }
    ));
    let from_outside = ring(&[[-4.0, 4.0], [4.0, 2.0], [4.0, 6.0]]);
    assert!(matches!(
        error_of(&outer, &[from_outside]),
        ShapeError::SelfIntersection { ring: 0, edge: 3, other_ring: 1, .. }
    ));
    let through_a_corner = ring(&[[4.0, 4.0], [8.0, 8.0], [12.0, 14.0], [4.0, 6.0]]);
    assert!(matches!(
        error_of(&outer, &[through_a_corner]),
        ShapeError::SelfIntersection { ring: 0, other_ring: 1, .. }
    ));
    let along = ring(&[[2.0, 0.0], [4.0, 0.0], [3.0, 2.0]]);
    assert_eq!(error_of(&outer, &[along]), crossing([0, 0], [1, 0], [2.0, 0.0]));
    assert_eq!(
        error_of(&outer, core::slice::from_ref(&outer)),
        crossing([0, 0], [1, 0], [0.0, 0.0])
    );
    let (left, right) = (square(1.0, 1.0, 2.0), square(3.0, 1.0, 2.0));
    assert_eq!(error_of(&outer, &[left, right]), crossing([1, 1], [2, 3], [3.0, 1.0]));
}

#[test]
fn holes_must_lie_inside_the_outline_and_beside_each_other() {
    let outer = square(0.0, 0.0, 8.0);
    let outside = |x, y| ShapeError::HoleOutside { hole: 0, point: Vec2::new(x, y) };
    assert_eq!(error_of(&outer, &[square(9.0, 0.0, 2.0)]), outside(9.0, 0.0));
    assert_eq!(error_of(&outer, &[square(-1.0, -1.0, 10.0)]), outside(-1.0, -1.0));
    assert_eq!(error_of(&outer, &[square(8.0, 8.0, 1.0)]), outside(8.0, 8.0));
    let nested = [square(1.0, 1.0, 6.0), square(2.0, 2.0, 2.0)];
    assert_eq!(error_of(&outer, &nested), ShapeError::HoleInHole { hole: 1, outer_hole: 0 });
    let touching = [square(1.0, 1.0, 6.0), ring(&[[1.0, 1.0], [4.0, 3.0], [3.0, 4.0]])];
    assert_eq!(error_of(&outer, &touching), ShapeError::HoleInHole { hole: 1, outer_hole: 0 });
}

/// The tests above by brute force, with integer coordinates.
mod brute {
    use super::*;

    type Point = [i64; 2];

    fn points(ring: &Ring, scale: i64) -> Vec<Point> {
        ring.iter().map(|p| [p.x as i64 * scale, p.y as i64 * scale]).collect()
    }

    fn cross(a: Point, b: Point, c: Point) -> i64 {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    }

    fn on(a: Point, b: Point, p: Point) -> bool {
        let between = |k: usize| a[k].min(b[k]) <= p[k] && p[k] <= a[k].max(b[k]);
        cross(a, b, p) == 0 && between(0) && between(1)
    }

    fn edges(ring: &[Point]) -> Vec<[Point; 2]> {
        (0..ring.len()).map(|i| [ring[i], ring[(i + 1) % ring.len()]]).collect()
    }

    fn intersect([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
        let have_opposite_signs = |p: i64, q: i64| p.signum() * q.signum() < 0;
        have_opposite_signs(cross(a, b, c), cross(a, b, d))
            && have_opposite_signs(cross(c, d, a), cross(c, d, b))
            || on(a, b, c)
            || on(a, b, d)
            || on(c, d, a)
            || on(c, d, b)
    }

    /// Returns `true` if edges intersect only as neighbors at their common point.
    pub fn is_simple(ring: &Ring) -> bool {
        let edges = edges(&points(ring, 1));
        let n = edges.len();
        (0..n).all(|i| {
            let next = edges[(i + 1) % n];
            let folds = on(edges[i][0], edges[i][1], next[1]) || on(next[0], next[1], edges[i][0]);
            !folds
                && (0..n)
                    .filter(|&j| j != i && j != (i + 1) % n && (j + 1) % n != i)
                    .all(|j| !intersect(edges[i], edges[j]))
        })
    }

    /// Returns the position of each piece of the ring between intersections with another ring: `1`
    /// inside, `0` along the boundary, `-1` outside.
    pub fn pieces(ring: &Ring, around: &Ring) -> Vec<i64> {
        let mut found = Vec::new();
        for [a, b] in edges(&points(ring, 1)).into_iter().filter(|[a, b]| a != b) {
            let mut cuts = vec![(0, 1), (1, 1)];
            for [c, d] in edges(&points(around, 1)) {
                let (from, to) = (cross(c, d, a), cross(c, d, b));
                if from != to {
                    cuts.push((from * (from - to).signum(), (from - to).abs()));
                }
            }
            cuts.retain(|&(n, d)| 0 <= n && n <= d);
            cuts.sort_by_key(|&(n, d)| n * 232_792_560 / d);
            for pair in cuts.windows(2).filter(|w| w[0].0 * w[1].1 != w[1].0 * w[0].1) {
                let [(n, d), (m, e)] = [pair[0], pair[1]];
                let (part, whole) = (n * e + m * d, 2 * d * e);
                let at = [0, 1].map(|k| a[k] * whole + (b[k] - a[k]) * part);
                found.push(side(at, &points(around, whole)));
            }
        }
        found
    }

    fn side(at: Point, ring: &[Point]) -> i64 {
        let edges = edges(ring);
        if edges.iter().any(|&[a, b]| on(a, b, at)) {
            return 0;
        }
        let crossed = |&&[a, b]: &&[Point; 2]| {
            let (low, high) = if a[1] < b[1] { (a, b) } else { (b, a) };
            low[1] <= at[1] && at[1] < high[1] && cross(low, high, at) > 0
        };
        if edges.iter().filter(crossed).count() % 2 == 1 { 1 } else { -1 }
    }
}

fn random_ring(random: &mut Random, grid: u32, max_points: u32) -> Ring {
    let mut at = || random.below(grid) as f32;
    let points: Ring = (0..8).map(|_| Vec2::new(at(), at())).collect();
    let n = 3 + random.below(max_points - 2) as usize;
    points[..n].to_vec()
}

/// Returns a random valid ring, by rejection.
fn random_simple_ring(random: &mut Random, grid: u32, max_points: u32) -> Ring {
    loop {
        let ring = random_ring(random, grid, max_points);
        if decompose(&ring, &[]).is_ok() {
            return ring;
        }
    }
}

#[test]
fn rings_are_simple_exactly_if_brute_force_finds_no_crossing() {
    let mut random = Random(3);
    let mut simple = 0;
    for round in 0..60_000 {
        let ring = random_ring(&mut random, 3 + round % 6, 8);
        let mut distinct = ring.clone();
        distinct.dedup();
        if distinct.first() == distinct.last() {
            distinct.pop();
        }
        let expected = distinct.len() >= 3 && brute::is_simple(&distinct);
        assert_eq!(decompose(&ring, &[]).is_ok(), expected, "{ring:?}");
        if expected {
            check_apart(&checked(&ring, &[]));
            simple += 1;
        }
    }
    assert!(simple > 5_000, "{simple}");
}

#[test]
fn holes_are_valid_exactly_if_brute_force_finds_no_error() {
    let mut random = Random(5);
    let mut fine = 0;
    for round in 0..30_000 {
        let grid = 5 + round % 4;
        let outer = match round % 3 {
            0 => random_simple_ring(&mut random, grid, 8),
            _ => square(0.0, 0.0, grid as f32 - 1.0),
        };
        let holes = [(); 2].map(|()| random_simple_ring(&mut random, grid, 4));
        let all = |ring: &Ring, around: &Ring, side| {
            brute::pieces(ring, around).iter().all(|&piece| piece == side)
        };
        let expected = holes.iter().all(|hole| all(hole, &outer, 1))
            && all(&holes[0], &holes[1], -1)
            && all(&holes[1], &holes[0], -1);
        assert_eq!(decompose(&outer, &holes).is_ok(), expected, "{outer:?} {holes:?}");
        if expected {
            check_apart(&checked(&outer, &holes));
            fine += 1;
        }
    }
    assert!(fine > 1_000, "{fine}");
}
