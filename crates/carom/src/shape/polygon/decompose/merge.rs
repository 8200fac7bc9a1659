//! Few convex parts from many triangles.
//!
//! Sides that two faces share are removed one after another, where the joined face stays convex
//! (Hertel and Mehlhorn 1983: never more than four times the least number of parts).

use alloc::{vec, vec::Vec};
use core::cmp::Ordering;

use glam::Vec2;

use super::Part;
use crate::math::exact::orient;

/// The side of a face with no face on the other side: it lies on the polygon's boundary.
const NONE: u32 = u32::MAX;

/// A side of a face, from its point to that of the next side.
#[derive(Clone, Copy)]
struct Side {
    point: u32,
    next: u32,
    prev: u32,
    /// The same side as seen from the face behind it.
    twin: u32,
    removed: bool,
}

pub(super) fn merge(points: &[Vec2], triangles: &[[u32; 3]]) -> Vec<Part> {
    let mut sides = sides(triangles);
    for side in removal_order(points, &sides) {
        try_remove(points, &mut sides, side);
    }
    parts(&sides)
}

fn sides(triangles: &[[u32; 3]]) -> Vec<Side> {
    let mut sides = Vec::with_capacity(triangles.len() * 3);
    for (i, corners) in triangles.iter().enumerate() {
        let first = 3 * i as u32;
        sides.extend((0..3).map(|k| Side {
            point: corners[k as usize],
            next: first + (k + 1) % 3,
            prev: first + (k + 2) % 3,
            twin: NONE,
            removed: false,
        }));
    }
    let ends = |i: u32| {
        let (from, to) = (sides[i as usize].point, sides[sides[i as usize].next as usize].point);
        (from.min(to), from.max(to))
    };
    let mut order: Vec<u32> = (0..sides.len() as u32).collect();
    order.sort_by_key(|&i| ends(i));
    let twins: Vec<[u32; 2]> =
        order.windows(2).filter(|w| ends(w[0]) == ends(w[1])).map(|w| [w[0], w[1]]).collect();
    for [i, j] in twins {
        (sides[i as usize].twin, sides[j as usize].twin) = (j, i);
    }
    sides
}

/// The inner sides, each once, long ones first: that leaves the compact parts.
fn removal_order(points: &[Vec2], sides: &[Side]) -> Vec<u32> {
    let length = |i: u32| {
        let side = &sides[i as usize];
        let (a, b) =
            (points[side.point as usize], points[sides[side.next as usize].point as usize]);
        let (x, y) = (f64::from(b.x) - f64::from(a.x), f64::from(b.y) - f64::from(a.y));
        x * x + y * y
    };
    let inner = |&i: &u32| sides[i as usize].twin != NONE && i < sides[i as usize].twin;
    let mut order: Vec<(f64, u32)> =
        (0..sides.len() as u32).filter(inner).map(|i| (length(i), i)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    order.into_iter().map(|(_, side)| side).collect()
}

/// Joins the two faces at a side if the corners at both its ends stay convex.
fn try_remove(points: &[Vec2], sides: &mut [Side], side: u32) {
    let get = |i: u32| sides[i as usize];
    let (a, b) = (get(side), get(get(side).twin));
    let convex = |before: u32, corner: u32, after: u32| {
        let [p, q, r] = [before, corner, after].map(|i| points[get(i).point as usize]);
        orient(p, q, r) != Ordering::Less
    };
    let after = |i: u32| get(i).next;
    if convex(a.prev, side, after(b.next)) && convex(b.prev, a.twin, after(a.next)) {
        for (from, to) in [(a.prev, b.next), (b.prev, a.next)] {
            sides[from as usize].next = to;
            sides[to as usize].prev = from;
        }
        sides[side as usize].removed = true;
        sides[a.twin as usize].removed = true;
    }
}

fn parts(sides: &[Side]) -> Vec<Part> {
    let mut seen = vec![false; sides.len()];
    let mut parts = Vec::new();
    for first in 0..sides.len() {
        if sides[first].removed || seen[first] {
            continue;
        }
        let mut part = Part { corners: Vec::new(), outline: Vec::new() };
        let mut at = first;
        while !seen[at] {
            seen[at] = true;
            part.corners.push(sides[at].point);
            part.outline.push(sides[at].twin == NONE);
            at = sides[at].next as usize;
        }
        parts.push(part);
    }
    parts
}
