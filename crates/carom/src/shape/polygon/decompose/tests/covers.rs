//! Tests that the parts cover the polygon exactly.

use alloc::{vec, vec::Vec};
use core::f32::consts::TAU;

use glam::Vec2;
use num_bigint::BigInt;

use super::{Random, Ring, area, check_apart, checked, decompose, ring, square};
use crate::error::ShapeError;

/// Returns a bar with teeth that lean sideways.
fn comb(teeth: u32, lean: f32) -> Ring {
    let mut outer = ring(&[[teeth as f32 * 2.0, -1.0], [0.0, -1.0]]);
    for i in 0..teeth {
        let x = i as f32 * 2.0;
        outer.extend([Vec2::new(x, 0.0), Vec2::new(x + lean, 100.0), Vec2::new(x + 1.0, 0.0)]);
    }
    outer
}

fn spiral(turns: u32, steps: u32) -> Ring {
    let arm = |i: u32, width: f32| {
        let angle = i as f32 / steps as f32 * TAU;
        Vec2::new(libm::cosf(angle), libm::sinf(angle)) * (1.0 + angle / TAU * 2.0 + width)
    };
    let n = turns * steps;
    (0..n).map(|i| arm(i, 0.0)).chain((0..n).rev().map(|i| arm(i, 1.0))).collect()
}

fn star(points: u32, radius: impl FnMut(u32) -> f32) -> Ring {
    let angle = |i: u32| i as f32 / points as f32 * TAU;
    let radii = (0..points).map(radius);
    radii.zip(0..).map(|(r, i)| Vec2::new(libm::cosf(angle(i)), libm::sinf(angle(i))) * r).collect()
}

#[test]
fn a_convex_outline_is_one_part_even_with_points_on_its_edges() {
    assert_eq!(checked(&square(0.0, 0.0, 2.0), &[]).parts.len(), 1);
    assert_eq!(checked(&star(64, |_| 3.0), &[]).parts.len(), 1);
    let dotted: Ring = (0..8).flat_map(|i| ring(&[[i as f32, 0.0]])).collect();
    let dotted =
        [dotted, (0..8).map(|i| Vec2::new(8.0, i as f32)).collect(), vec![Vec2::splat(8.0)]]
            .concat();
    let result = checked(&dotted, &[]);
    assert_eq!(result.parts.len(), 1);
    assert_eq!(result.parts[0].corners.len(), 17);
    assert!(result.parts[0].outline.iter().all(|&on| on));
}

#[test]
fn an_l_is_two_parts_and_a_plus_three_in_either_winding() {
    let l = ring(&[[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]]);
    let plus: Ring = ring(&[
        [1.0, 0.0],
        [2.0, 0.0],
        [2.0, 1.0],
        [3.0, 1.0],
        [3.0, 2.0],
        [2.0, 2.0],
        [2.0, 3.0],
        [1.0, 3.0],
        [1.0, 2.0],
        [0.0, 2.0],
        [0.0, 1.0],
        [1.0, 1.0],
    ]);
    for (mut outer, parts) in [(l, 2), (plus, 3)] {
        for _ in 0..2 {
            for _ in 0..outer.len() {
                let result = checked(&outer, &[]);
                assert_eq!(result.parts.len(), parts);
                check_apart(&result);
                outer.rotate_left(1);
            }
            outer.reverse();
        }
    }
}

#[test]
fn a_hole_is_not_covered() {
    let result = checked(&square(0.0, 0.0, 4.0), &[square(1.0, 1.0, 2.0)]);
    assert_eq!(result.triangles.len(), 8);
    assert_eq!(result.parts.len(), 4);
    check_apart(&result);
}

#[test]
fn holes_may_touch_the_outline_and_each_other_at_points() {
    let outer = square(0.0, 0.0, 8.0);
    let at_a_corner = ring(&[[0.0, 0.0], [3.0, 2.0], [2.0, 3.0]]);
    let at_an_edge = ring(&[[8.0, 4.0], [6.0, 5.0], [6.0, 3.0]]);
    let below = ring(&[[4.0, 0.0], [5.0, 2.0], [3.0, 2.0]]);
    let above = ring(&[[4.0, 8.0], [3.0, 6.0], [5.0, 6.0]]);
    let twin = ring(&[[2.0, 3.0], [3.0, 4.0], [1.0, 4.0]]); // its point on another hole's point
    let side = ring(&[[5.5, 5.0], [6.0, 4.5], [5.0, 4.0]]); // its point on another hole's edge
    let holes = [at_a_corner, at_an_edge, below, above, twin, side];
    let result = checked(&outer, &holes);
    check_apart(&result);
    // Three edges of the outline and one of a hole have received a point.
    assert_eq!(result.points.len(), 4 + 6 * 3 + 4);
    assert_eq!(result.rings[0], 0..7);
}

#[test]
fn holes_may_split_the_interior() {
    let diamond = ring(&[[4.0, 0.0], [8.0, 4.0], [4.0, 8.0], [0.0, 4.0]]);
    let result = checked(&square(0.0, 0.0, 8.0), &[diamond]);
    assert_eq!((result.triangles.len(), result.parts.len()), (4, 4));
    let eight = |x, y| ring(&[[x, y], [x + 1.0, y - 1.0], [x + 2.0, y], [x + 1.0, y + 1.0]]);
    let row: Vec<Ring> = (0..4).map(|i| eight(2.0 * i as f32, 4.0)).collect();
    check_apart(&checked(&square(0.0, 0.0, 8.0), &row));
}

#[test]
fn combs_spirals_and_stars_are_split_into_few_parts() {
    for lean in [0.5, 1.0, 40.0, -40.0] {
        let result = checked(&comb(12, lean), &[]);
        check_apart(&result);
        assert_eq!(result.parts.len(), 13, "the bar and the teeth");
    }
    let result = checked(&spiral(3, 16), &[]);
    check_apart(&result);
    assert!(result.parts.len() < 3 * 16, "at most one for each inward corner");
    let result = checked(&star(10, |i| if i % 2 == 0 { 1.0 } else { 4.0 }), &[]);
    check_apart(&result);
    assert_eq!(result.parts.len(), 6, "the middle and the rays");
}

#[test]
fn thousands_of_points_are_decomposed_quickly() {
    for lean in [1.0, 5000.0, -20000.0] {
        checked(&comb(7000, lean), &[]);
    }
    checked(&spiral(100, 100), &[]);
    let mut random = Random(1);
    checked(&star(20000, |_| 1000.0 + 4000.0 * random.unit()), &[]);
    let holes: Vec<Ring> =
        (0..5000).map(|i| square((i % 70) as f32, (i / 70) as f32, 0.5)).collect();
    checked(&square(-1.0, -1.0, 100.0), &holes);
}

#[test]
fn far_tiny_and_huge_polygons_are_exact_too() {
    let shape =
        ring(&[[0.0, 0.0], [4.0, 1.0], [7.0, 0.0], [5.0, 3.0], [7.0, 7.0], [3.0, 5.0], [0.0, 6.0]]);
    let hole = ring(&[[3.0, 3.0], [4.0, 2.0], [4.0, 3.0]]);
    for scale in [1e-45, 1e-40, 1e-20, 1e10, 1e30, 4e37] {
        let scaled = |ring: &Ring, from: f32| -> Ring {
            ring.iter().map(|&p| p * scale + Vec2::splat(from)).collect()
        };
        check_apart(&checked(&scaled(&shape, 0.0), &[scaled(&hole, 0.0)]));
        checked(&scaled(&shape, -scale), &[]);
    }
    let far: Ring = shape.iter().map(|&p| p + Vec2::new(16_777_000.0, -16_777_000.0)).collect();
    check_apart(&checked(&far, &[]));
    let wide = [
        [-f32::MAX, -f32::MAX],
        [f32::MAX, -f32::MAX],
        [0.0, f32::from_bits(1)],
        [f32::MAX, f32::MAX],
        [-f32::MAX, f32::MAX],
    ];
    checked(&ring(&wide), &[]);
}

#[test]
fn random_star_shaped_outlines_are_covered_exactly() {
    let mut random = Random(7);
    for round in 0..300 {
        let n = 3 + random.below(40);
        let outer = star(n, |_| 10.0 + 30.0 * random.unit());
        // For three points, the center may lie outside.
        let holes =
            if n < 8 { vec![] } else { vec![star(3 + n / 2, |_| 1.0 + 4.0 * random.unit())] };
        let result = checked(&outer, &holes);
        if round % 10 == 0 {
            check_apart(&result);
        }
    }
}

/// Returns the rings of a union of grid cells. Cells that touch only at a corner are separated
/// there, so that rings touch.
fn cell_rings(filled: &[Vec<bool>]) -> Vec<Ring> {
    let full = |x: i32, y: i32| {
        let row = usize::try_from(y).ok().and_then(|y| filled.get(y));
        row.and_then(|row| row.get(usize::try_from(x).ok()?)).copied().unwrap_or(false)
    };
    let mut edges: Vec<[i32; 4]> = Vec::new(); // from, to, with the filled cell on the left
    for y in -1..=filled.len() as i32 {
        for x in -1..=filled[0].len() as i32 {
            if full(x, y) {
                let sides = [
                    (0, -1, 0, 0, 1, 0),
                    (1, 0, 1, 0, 1, 1),
                    (0, 1, 1, 1, 0, 1),
                    (-1, 0, 0, 1, 0, 0),
                ];
                for (dx, dy, ax, ay, bx, by) in sides {
                    if !full(x + dx, y + dy) {
                        edges.push([x + ax, y + ay, x + bx, y + by]);
                    }
                }
            }
        }
    }
    let mut rings = Vec::new();
    while let Some(first) = edges.pop() {
        let mut ring = vec![first];
        loop {
            let last = ring[ring.len() - 1];
            if last[2..] == first[..2] {
                break;
            }
            let (dx, dy) = (last[2] - last[0], last[3] - last[1]);
            let left = [last[2], last[3], last[2] - dy, last[3] + dx];
            let at = edges.iter().position(|e| *e == left);
            let at = at.or_else(|| edges.iter().position(|e| e[..2] == last[2..])).unwrap();
            ring.push(edges.swap_remove(at));
        }
        rings.push(ring.iter().map(|e| Vec2::new(e[0] as f32, e[1] as f32)).collect());
    }
    rings
}

#[test]
fn random_unions_of_cells_with_holes_are_covered_exactly() {
    let mut random = Random(99);
    let (mut holes_seen, mut split_seen) = (0, 0);
    for _ in 0..400 {
        let n = 3 + random.below(8) as usize;
        // A frame around the cells makes them one outline with many holes.
        let cell = |x: usize, y: usize, r: &mut Random| {
            x == 0 || y == 0 || x == n || y == n || r.below(100) < 65
        };
        let filled: Vec<Vec<bool>> =
            (0..=n).map(|y| (0..=n).map(|x| cell(x, y, &mut random)).collect()).collect();
        let mut rings = cell_rings(&filled);
        let outer = rings.iter().position(|ring| ring.contains(&Vec2::ZERO)).unwrap();
        let outer = rings.swap_remove(outer);
        // Islands inside holes are separate polygons and are left out.
        let (islands, holes): (Vec<_>, Vec<_>) =
            rings.into_iter().partition(|ring| area(ring.iter().copied()) > BigInt::from(0));
        if !islands.is_empty() {
            continue;
        }
        match decompose(&outer, &holes) {
            Ok(_) => {
                check_apart(&checked(&outer, &holes));
                holes_seen += holes.len();
            }
            // A hole may return to its own vertex, which a single ring must not.
            Err(ShapeError::SelfIntersection { ring, other_ring, .. }) if ring == other_ring => {
                split_seen += 1
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert!(holes_seen > 200 && split_seen < 300, "{holes_seen} {split_seen}");
}
