//! The cells near a region: a range of rows, and in each a range of columns.

use core::ops::Range;

use glam::DVec2;
use smallvec::SmallVec;

use super::GridTransform;
use crate::shape::Aabb;
use crate::shape::parts::QueryRegion;

/// The cells that a convex region, possibly swept, can touch. It may include others, but misses
/// none.
pub(crate) struct CellCover {
    pub rows: Range<u32>,
    pub columns: Range<u32>,
    /// The edges of the region in grid coordinates, if its bounds have many cells that it does not
    /// touch.
    edges: SmallVec<[(DVec2, DVec2); 12]>,
    pad: DVec2,
}

/// The number of cells above which it pays to compute the columns of each row.
const MIN_CELLS_FOR_EDGES: u64 = 24;

impl CellCover {
    /// Returns the cells near a region within a range of columns and rows.
    pub fn new(
        transform: &GridTransform,
        near: &QueryRegion<'_>,
        columns: Range<u32>,
        rows: Range<u32>,
    ) -> Self {
        // The rounding error of `f64` in the conversion back from distant coordinates.
        let far = near.bounds.min().abs().max(near.bounds.max().abs()).max_element();
        let far = f64::from(far) + near.path.abs().max_element() + near.offset.abs().max_element();
        let pad = transform.grid_error + transform.disc_extent(near.margin + 1e-14 * far);
        let mut region = Self { rows, columns, edges: SmallVec::new(), pad };
        if !pad.is_finite() {
            return region;
        }
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        let mut add = |at: DVec2| {
            let at = transform.to_grid(at);
            (low, high) = (low.min(at), high.max(at));
        };
        if transform.is_axis_aligned() && near.path == DVec2::ZERO {
            // The bounds include the whole path and the margin.
            add(near.bounds.min().as_dvec2());
            add(near.bounds.max().as_dvec2());
            region.pad = transform.grid_error * 2.0;
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
        if transform.is_axis_aligned() && near.is_box() {
            return region; // it touches the same columns in every row
        }
        if count(&region.columns) * count(&region.rows) > MIN_CELLS_FOR_EDGES {
            region.pad = pad;
            region.find_edges(transform, near);
        }
        region
    }

    /// Collects the edges of the region at its start and at its end, and the paths of its vertices.
    /// They include all edges of the swept region, and none lies outside it.
    fn find_edges(&mut self, transform: &GridTransform, near: &QueryRegion<'_>) {
        let path = transform.vector_to_grid(near.path);
        let n = near.hull.len();
        let at = |i: usize| transform.to_grid(near.hull[i % n].as_dvec2() + near.offset);
        for i in 0..n {
            let (start, end) = (at(i), at(i + 1));
            self.edges.push((start, end));
            if path != DVec2::ZERO {
                self.edges.push((start + path, end + path));
                self.edges.push((start, start + path));
            }
        }
    }

    /// Returns `true` if the columns differ from row to row.
    #[inline]
    pub fn has_edges(&self) -> bool {
        !self.edges.is_empty()
    }

    /// Returns the columns of a row in which the region can touch a cell.
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
    /// Returns the columns and rows of all cells that a box touches, in an axis-aligned grid.
    /// Returns `None` if rounding makes them uncertain.
    pub fn cells_near(
        &self,
        near: &Aabb,
        columns: &Range<u32>,
        rows: &Range<u32>,
    ) -> Option<(Range<u32>, Range<u32>)> {
        // The rounding error of `f64` here is smaller than that of `f32` in the corners of the
        // cells.
        let pad = self.grid_error * 2.0;
        let [a, b] = [near.min(), near.max()].map(|corner| self.to_grid(corner.as_dvec2()));
        let (low, high) = (a.min(b) - pad, a.max(b) + pad);
        let is_known = (low + high).is_finite(); // not where the pad is infinite, either
        is_known.then(|| (clipped(columns, low.x, high.x), clipped(rows, low.y, high.y)))
    }
}

/// Returns the cells of a range that an interval touches.
pub(super) fn clipped(range: &Range<u32>, low: f64, high: f64) -> Range<u32> {
    // Casts round towards zero and saturate. NaN does not occur.
    let start = range.start.max(low as u32);
    let end = range.end.min((high + 1.0) as u32);
    if low > high { start..start } else { start..end }
}
