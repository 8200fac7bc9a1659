//! Few convex parts from many triangles.
//!
//! Sides that two faces share are removed one after another, where the joined face stays convex
//! (Hertel and Mehlhorn 1983: never more than four times the least number of parts).

use crate::math::exact::Orientation;
use alloc::{vec, vec::Vec};

use super::{
    Part,
    mesh::{Mesh, NONE},
    rings::Rings,
};

pub(super) fn merge(rings: &Rings, mut mesh: Mesh<'_>) -> Vec<Part> {
    let mut removed = vec![false; mesh.sides.len()];
    for side in removal_order(rings, &mesh) {
        if may_remove(&mesh, side) {
            remove(&mut mesh, side);
            removed[side as usize] = true;
            removed[mesh.get(side).twin as usize] = true;
        }
    }
    parts(&mesh, removed)
}

/// The sides between faces: those first that serve the fewest inward corners of the polygon, and
/// of these the longest. What stays are short cuts between two such corners.
fn removal_order(rings: &Rings, mesh: &Mesh<'_>) -> Vec<u32> {
    let mut order: Vec<(usize, f64, u32)> = mesh
        .inner()
        .map(|side| {
            let ends = mesh.ends(side);
            let inward =
                ends.iter().filter(|&&end| rings.turn(end) == Orientation::Clockwise).count();
            let [a, b] = ends.map(|end| rings.point(end));
            let (x, y) = (f64::from(b.x) - f64::from(a.x), f64::from(b.y) - f64::from(a.y));
            (inward, x * x + y * y, side)
        })
        .collect();
    order.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
    order.into_iter().map(|(_, _, side)| side).collect()
}

/// Whether the corners at both ends of a side stay convex, or become straight, without it.
fn may_remove(mesh: &Mesh<'_>, side: u32) -> bool {
    let (a, b) = (mesh.get(side), mesh.get(mesh.get(side).twin));
    let after = |side: u32| mesh.get(side).next;
    mesh.turn([a.prev, side, after(b.next)]) != Orientation::Clockwise
        && mesh.turn([b.prev, a.twin, after(a.next)]) != Orientation::Clockwise
}

fn remove(mesh: &mut Mesh<'_>, side: u32) {
    let (a, b) = (mesh.get(side), mesh.get(mesh.get(side).twin));
    mesh.connect(a.prev, b.next);
    mesh.connect(b.prev, a.next);
}

/// Collects the faces from the sides that have not been removed.
fn parts(mesh: &Mesh<'_>, mut done: Vec<bool>) -> Vec<Part> {
    let mut parts = Vec::new();
    for first in 0..mesh.sides.len() {
        let mut part = Part { corners: Vec::new(), outline: Vec::new() };
        let mut at = first;
        while !done[at] {
            done[at] = true;
            part.corners.push(mesh.sides[at].point);
            part.outline.push(mesh.sides[at].twin == NONE);
            at = mesh.sides[at].next as usize;
        }
        if !part.corners.is_empty() {
            parts.push(part);
        }
    }
    parts
}
