//! Which cells are near something: the few rows, and in each the columns, that it can touch.

use core::ops::Range;

use glam::DVec2;
use smallvec::SmallVec;

use super::GridTransform;
use crate::shape::Aabb;
use crate::shape::parts::QueryRegion;

/// The cells that a convex thing, perhaps moving, can touch; none that it does is missing.
pub(crate) struct CellCover {
    pub rows: Range<u32>,
    pub columns: Range<u32>,
    /// The edges of what the thing covers, in grid coordinates, where the box around it has many
    /// cells that it does not come near.
    edges: SmallVec<[(DVec2, DVec2); 12]>,
    pad: DVec2,
}

/// From how many cells on it pays to look at every row for itself.
const MANY: u64 = 24;

impl CellCover {
    /// The cells near something, of all or of those that are used.
    pub fn new(
        frame: &GridTransform,
        near: &QueryRegion<'_>,
        columns: Range<u32>,
        rows: Range<u32>,
    ) -> Self {
        // What f64 loses on the way back from far away.
        let far = near.bounds.min().abs().max(near.bounds.max().abs()).max_element();
        let far = f64::from(far) + near.path.abs().max_element() + near.offset.abs().max_element();
        let pad = frame.slack + frame.reach(near.margin + 1e-14 * far);
        let mut region = Self { rows, columns, edges: SmallVec::new(), pad };
        if !pad.is_finite() {
            return region;
        }
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        let mut add = |at: DVec2| {
            let at = frame.to_grid(at);
            (low, high) = (low.min(at), high.max(at));
        };
        if frame.is_axis_aligned() && near.path == DVec2::ZERO {
            // The box knows all of it, and its radius.
            add(near.bounds.min().as_dvec2());
            add(near.bounds.max().as_dvec2());
            region.pad = frame.slack * 2.0;
        } else {
            for point in near.hull {
                add(point.as_dvec2() + near.offset);
                add(point.as_dvec2() + near.offset + near.path);
            }
        }
        (low, high) = (low - region.pad, high + region.pad);
        region.columns = clipped(&region.columns, low.x, high.x);
        region.rows = clipped(&region.rows, low.y, high.y);
        let count = |range: &Range<u32>| u64::from(range.end.saturating_sub(range.start));
        if frame.is_axis_aligned() && near.is_box() {
            return region; // it touches the same columns in every row
        }
        if count(&region.columns) * count(&region.rows) > MANY {
            region.pad = pad;
            region.find_edges(frame, near);
        }
        region
    }

    /// All edges of the thing where it starts and where it ends, and the ways of its corners: among
    /// them are the edges of all that it covers, and none is outside of it.
    fn find_edges(&mut self, frame: &GridTransform, near: &QueryRegion<'_>) {
        let path = frame.way_in_grid(near.path);
        let n = near.hull.len();
        let at = |i: usize| frame.to_grid(near.hull[i % n].as_dvec2() + near.offset);
        for i in 0..n {
            let (start, end) = (at(i), at(i + 1));
            self.edges.push((start, end));
            if path != DVec2::ZERO {
                self.edges.push((start + path, end + path));
                self.edges.push((start, start + path));
            }
        }
    }

    /// The columns of a row in which the thing can touch a cell.
    pub fn columns_in(&self, row: u32) -> Range<u32> {
        if self.edges.is_empty() {
            return self.columns.clone();
        }
        let (low, high) = (f64::from(row) - self.pad.y, f64::from(row) + 1.0 + self.pad.y);
        let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
        for &(start, end) in &self.edges {
            let (bottom, top) = if start.y <= end.y { (start, end) } else { (end, start) };
            if top.y < low || bottom.y > high {
                continue;
            }
            let at = |y: f64| {
                let share = (y - bottom.y) / (top.y - bottom.y);
                bottom.x + (top.x - bottom.x) * share
            };
            let first = if bottom.y >= low { bottom.x } else { at(low) };
            let last = if top.y <= high { top.x } else { at(high) };
            (left, right) = (left.min(first).min(last), right.max(first).max(last));
        }
        clipped(&self.columns, left - self.pad.x, right + self.pad.x)
    }
}

impl GridTransform {
    /// The columns and rows that have all cells that a box touches, in a level grid. `None` where
    /// that cannot be told.
    pub fn cells_near(
        &self,
        near: &Aabb,
        columns: &Range<u32>,
        rows: &Range<u32>,
    ) -> Option<(Range<u32>, Range<u32>)> {
        // What f64 loses on the way back is less than what is lost on the way there, to f32.
        let pad = self.slack * 2.0;
        let [a, b] = [near.min(), near.max()].map(|corner| self.to_grid(corner.as_dvec2()));
        let (low, high) = (a.min(b) - pad, a.max(b) + pad);
        let is_known = (low + high).is_finite(); // not where the pad is infinite, either
        is_known.then(|| (clipped(columns, low.x, high.x), clipped(rows, low.y, high.y)))
    }
}

/// The cells of a range that a stretch touches.
pub(super) fn clipped(range: &Range<u32>, low: f64, high: f64) -> Range<u32> {
    // Casts round towards zero and stop at the ends of what u32 can hold; NaN does not come here.
    let start = range.start.max(low as u32);
    let end = range.end.min((high + 1.0) as u32);
    if low > high { start..start } else { start..end }
}
