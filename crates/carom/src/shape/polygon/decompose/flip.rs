//! Better triangles: a sweep leaves slivers, which would make for long, thin parts.
//!
//! The side between two triangles is flipped to the other diagonal of their quadrilateral where
//! that makes the least angle greater, which leads to the constrained Delaunay triangulation
//! (Lawson 1977). Whether a flip *may* be done is decided exactly. Whether it *should* be is a
//! matter of taste, so rounded numbers will do, and a budget bounds the time on nasty outlines.

use crate::math::exact::Orientation;
use alloc::vec::Vec;

use super::mesh::{Mesh, NONE, Side};

/// How many flips a side may cost, on average; combs, spirals and random stars take 0.2.
const BUDGET: usize = 8;

/// By how much of itself a sum must be negative, so that rounding cannot flip forth and back.
const MARGIN: f64 = 1e-9;

/// Flips the sides between triangles, and gives back the triangles.
pub(super) fn flip(mesh: &mut Mesh<'_>) -> Vec<[u32; 3]> {
    let mut open: Vec<u32> = mesh.inner().collect();
    let mut budget = BUDGET * open.len();
    while let Some(side) = open.pop() {
        if budget > 0 && may_flip(mesh, side) && should_flip(mesh, side) {
            budget -= 1;
            let around = flip_side(mesh, side);
            open.extend(around.into_iter().filter(|&side| mesh.get(side).twin != NONE));
        }
    }
    triangles(mesh)
}

/// Whether the two triangles at a side form a quadrilateral with four true corners.
fn may_flip(mesh: &Mesh<'_>, side: u32) -> bool {
    let (a, b) = (mesh.get(side), mesh.get(mesh.get(side).twin));
    mesh.turn([a.prev, side, b.prev]) == Orientation::CounterClockwise
        && mesh.turn([b.prev, a.twin, a.prev]) == Orientation::CounterClockwise
}

/// Whether the angles opposite to a side sum up to more than a half turn: then the sum of their
/// cotangents is negative.
fn should_flip(mesh: &Mesh<'_>, side: u32) -> bool {
    let Side { prev, twin, .. } = mesh.get(side);
    let [from, to] = mesh.ends(side);
    let angle = |apex: u32| {
        let apex = mesh.points[mesh.get(apex).point as usize];
        let ray = |end: u32| {
            let end = mesh.points[end as usize];
            (f64::from(end.x) - f64::from(apex.x), f64::from(end.y) - f64::from(apex.y))
        };
        let (u, v) = (ray(from), ray(to));
        (u.0 * v.0 + u.1 * v.1, (u.0 * v.1 - u.1 * v.0).abs())
    };
    let ((cos, sin), (twin_cos, twin_sin)) = (angle(prev), angle(mesh.get(twin).prev));
    let (left, right) = (cos * twin_sin, twin_cos * sin);
    left + right < -MARGIN * (left.abs() + right.abs())
}

/// Turns a side to the other diagonal; gives back the sides around it.
fn flip_side(mesh: &mut Mesh<'_>, side: u32) -> [u32; 4] {
    let a = mesh.get(side);
    let b = mesh.get(a.twin);
    let (apex, twin_apex) = (mesh.get(a.prev).point, mesh.get(b.prev).point);
    mesh.sides[side as usize].point = twin_apex;
    mesh.sides[a.twin as usize].point = apex;
    mesh.close([side, a.prev, b.next]);
    mesh.close([a.twin, b.prev, a.next]);
    [a.prev, a.next, b.prev, b.next]
}

fn triangles(mesh: &Mesh<'_>) -> Vec<[u32; 3]> {
    let first_of_its_triangle = |&(i, side): &(u32, &Side)| i < side.next && i < side.prev;
    let triangle = |(i, side): (u32, &Side)| [i, side.next, side.prev].map(|i| mesh.get(i).point);
    (0..).zip(&mesh.sides).filter(first_of_its_triangle).map(triangle).collect()
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;

    #[test]
    fn the_short_diagonal_of_a_kite_wins() {
        let kite = [[0.0, 0.0], [4.0, -1.0], [9.0, 0.0], [4.0, 1.0]].map(Vec2::from);
        let mut mesh = Mesh::new(&kite, &[[0, 1, 2], [0, 2, 3]]);
        assert_eq!(flip(&mut mesh), [[0, 1, 3], [1, 2, 3]]);
        assert_eq!(mesh.inner().count(), 1);
    }
}
