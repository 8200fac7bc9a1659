//! The constrained Delaunay triangulation: compact triangles, and always the same ones.
//!
//! The edge between two triangles is flipped to the other diagonal of their quadrilateral if the
//! fourth point lies inside the circle through the first three (Lawson 1977). Of four points on one
//! circle, the diagonal at the point with the lowest index is taken. All tests are exact, so there
//! is exactly one triangulation in which nothing is left to flip, whichever triangulation the flips
//! start from: points on a circle behave as if they were moved inwards a little, the more the lower
//! their index. A polygon that is transformed therefore gets the triangles that it would get if it
//! were made from its new vertices.

use core::cmp::Ordering;

use alloc::vec::Vec;

use glam::Vec2;

use super::mesh::{Mesh, NONE};
use crate::math::exact::in_circle;

/// The average number of flips per edge after which the search for the Delaunay triangulation ends
/// without a result. Combs, spirals and random stars take 0.2.
const BUDGET: usize = 8;

/// Flips the edges between triangles until the triangulation is Delaunay. Returns `false` if that
/// would take too long. `open` is working memory.
pub(in super::super) fn make_delaunay(
    mesh: &mut Mesh,
    points: &[Vec2],
    open: &mut Vec<u32>,
) -> bool {
    open.clear();
    open.reserve(mesh.half_edges.len());
    open.extend(mesh.inner_edges());
    let mut budget = BUDGET * open.len();
    while let Some(edge) = open.pop() {
        if is_locally_delaunay(mesh, points, edge) {
            continue;
        }
        if budget == 0 {
            return false;
        }
        budget -= 1;
        let around = flip(mesh, edge);
        open.extend(around.into_iter().filter(|&edge| mesh.get(edge).twin != NONE));
    }
    true
}

/// Returns `true` if the edge is the right diagonal of the two triangles beside it. If it is not,
/// the quadrilateral is strictly convex, so the edge can be flipped.
fn is_locally_delaunay(mesh: &Mesh, points: &[Vec2], edge: u32) -> bool {
    let [a, b] = mesh.ends(edge);
    let (one, other) = (mesh.get(edge), mesh.get(mesh.get(edge).twin));
    let (c, d) = (mesh.get(one.prev).point, mesh.get(other.prev).point);
    let at = |i: u32| points[i as usize];
    match in_circle(at(a), at(b), at(c), at(d)) {
        Ordering::Less => true,
        Ordering::Equal => a.min(b) < c.min(d),
        Ordering::Greater => false,
    }
}

/// Turns an edge to the other diagonal, and returns the edges around the quadrilateral.
fn flip(mesh: &mut Mesh, edge: u32) -> [u32; 4] {
    let a = mesh.get(edge);
    let b = mesh.get(a.twin);
    let (apex, twin_apex) = (mesh.get(a.prev).point, mesh.get(b.prev).point);
    mesh.half_edges[edge as usize].point = twin_apex;
    mesh.half_edges[a.twin as usize].point = apex;
    mesh.close([edge, a.prev, b.next]);
    mesh.close([a.twin, b.prev, a.next]);
    [a.prev, a.next, b.prev, b.next]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_diagonal_of_a_kite_wins() {
        let kite = [[0.0, 0.0], [4.0, -1.0], [9.0, 0.0], [4.0, 1.0]].map(Vec2::from);
        let mut mesh = Mesh::new(&[[0, 1, 2], [0, 2, 3]]);
        assert!(make_delaunay(&mut mesh, &kite, &mut Vec::new()));
        assert_eq!(mesh.sorted_triangles(), [[0, 1, 3], [1, 2, 3]]);
        assert_eq!(mesh.inner_edges().count(), 1);
    }

    #[test]
    fn points_on_a_circle_form_a_fan_from_the_lowest_index() {
        // Twelve points at the distance 65 from the origin.
        let circle: Vec<Vec2> = [[65, 0], [60, 25], [52, 39], [39, 52], [25, 60], [0, 65]]
            .into_iter()
            .flat_map(|[x, y]| [[x, y], [-x, -y]])
            .map(|[x, y]: [i16; 2]| Vec2::new(f32::from(x), f32::from(y)))
            .collect();
        let mut ring: Vec<Vec2> = circle;
        ring.sort_by(|a, b| libm::atan2f(a.y, a.x).total_cmp(&libm::atan2f(b.y, b.x)));
        let n = ring.len() as u32;
        let fan = |apex: u32| -> Vec<[u32; 3]> {
            (1..n - 1).map(|i| [apex, (apex + i) % n, (apex + i + 1) % n]).collect()
        };
        for apex in 0..n {
            let mut mesh = Mesh::new(&fan(apex));
            assert!(make_delaunay(&mut mesh, &ring, &mut Vec::new()));
            assert_eq!(mesh.sorted_triangles(), fan(0));
        }
    }
}
