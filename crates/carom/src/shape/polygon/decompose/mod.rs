//! From the rings a caller gives to convex parts.
//!
//! 1. [`rings`] cleans each ring: no repeated points, the outline counter-clockwise, holes clockwise.
//! 2. [`sweep`] runs over the plane once, from left to right. It finds every crossing
//!    ([`crossing`]), knows what is inside, and cuts the inside into triangles ([`triangulate`]).
//! 3. [`flip`] makes the triangles compact.
//! 4. [`merge`] joins the triangles to few convex parts.
//!
//! All decisions are signs of exact predicates; no new points are computed. The time is
//! O(n log n) for any input, good or bad.

mod crossing;
mod flip;
mod merge;
mod mesh;
mod rings;
mod sweep;
#[cfg(test)]
mod tests;
mod triangulate;

use alloc::vec::Vec;
use core::ops::Range;

use glam::Vec2;

use crate::error::ShapeError;
use mesh::Mesh;
use rings::Rings;

/// A polygon with all that was found out about it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Decomposition {
    /// The points of all rings, one ring after another.
    pub points: Vec<Vec2>,
    /// Where each ring lies in `points`: first the outline (counter-clockwise), then the holes
    /// (clockwise).
    ///
    /// Where a ring touches the edge of another, the touched edge has a point too. Such points
    /// have one index in each ring; triangles and parts always use the lowest.
    pub rings: Vec<Range<u32>>,
    /// Triangles that cover the polygon without overlap, counter-clockwise.
    pub triangles: Vec<[u32; 3]>,
    /// Convex parts that cover the polygon without overlap.
    pub parts: Vec<Part>,
}

/// A convex part of a polygon.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    /// Indices of the corners, counter-clockwise. The outline may run straight on at a corner.
    pub corners: Vec<u32>,
    /// Whether the edge from each corner to the next lies on the polygon's boundary; if not, it
    /// is a seam to another part.
    pub outline: Vec<bool>,
}

/// Checks the rings of a polygon and cuts it into convex parts.
///
/// Rings may run either way round. Different rings may touch each other at single points.
pub(crate) fn decompose(outer: &[Vec2], holes: &[Vec<Vec2>]) -> Result<Decomposition, ShapeError> {
    let rings = Rings::clean(outer, holes)?;
    let mut swept = sweep::sweep(&rings)?;
    let (rings, moved) = rings.with_touches(&mut swept.touches);
    for corner in swept.triangles.iter_mut().flatten() {
        *corner = moved[*corner as usize];
    }
    let mut mesh = Mesh::new(&rings.points, &swept.triangles);
    let triangles = flip::flip(&mut mesh);
    let parts = merge::merge(&rings, mesh);
    Ok(Decomposition { points: rings.points, rings: rings.ranges, triangles, parts })
}
