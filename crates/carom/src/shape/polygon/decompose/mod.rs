//! Checks the rings of a polygon and decomposes it into convex parts.
//!
//! 1. [`rings`] cleans each ring: no repeated points, the outline counterclockwise, holes clockwise.
//! 2. [`sweep_line`] sweeps the plane once, from left to right. It finds every crossing ([`crossing`]),
//!    separates the inside from the outside, and cuts the inside into triangles ([`triangulate`]).
//! 3. [`delaunay`] makes the triangles compact.
//! 4. [`merge`] joins the triangles to few convex parts.
//!
//! All decisions are signs of exact predicates; no new points are computed. The time is
//! O(n log n) for any input, good or bad.
//!
//! A transformed polygon starts at step 3, with the triangles that it had before.

mod crossing;
mod delaunay;
mod merge;
mod mesh;
mod rings;
mod status;
mod sweep_line;
#[cfg(test)]
mod tests;
mod triangulate;

use alloc::vec::Vec;
use core::ops::Range;

use glam::Vec2;

use crate::error::ShapeError;
use rings::Rings;

pub(super) use delaunay::make_delaunay;
pub(super) use merge::ConvexParts;
pub(super) use mesh::Mesh;

/// A polygon that has been checked and triangulated.
#[derive(Clone, Debug)]
pub(crate) struct Triangulation {
    /// The points of all rings, one ring after another.
    pub points: Vec<Vec2>,
    /// The range of each ring in `points`: first the outline (counterclockwise), then the holes
    /// (clockwise).
    ///
    /// If a ring touches an edge of another ring, a point is inserted into that edge. Such a point
    /// has an index in each ring; triangles and parts use the lowest.
    pub rings: Vec<Range<u32>>,
    /// Triangles that cover the polygon without overlap, counterclockwise.
    pub mesh: Mesh,
    /// `true` if the triangles are the Delaunay triangulation; `false` if it would take too long to find.
    pub is_delaunay: bool,
}

/// Checks the rings of a polygon and triangulates it.
///
/// Rings may have either winding. Different rings may touch each other at single points.
pub(crate) fn triangulate(
    outer: &[Vec2],
    holes: &[Vec<Vec2>],
) -> Result<Triangulation, ShapeError> {
    let rings = Rings::clean(outer, holes)?;
    let mut swept = sweep_line::sweep(&rings)?;
    let (rings, mut moved) = rings.with_touches(&mut swept.touches);
    if !swept.touches.is_empty() {
        rings.use_lowest_indices(&mut moved);
    }
    for corner in swept.triangles.iter_mut().flatten() {
        *corner = moved[*corner as usize];
    }
    let mut mesh = Mesh::new(&swept.triangles);
    let is_delaunay = make_delaunay(&mut mesh, &rings.points, &mut Vec::new());
    Ok(Triangulation { points: rings.points, rings: rings.ranges, mesh, is_delaunay })
}
