//! Maximal boxes of set pixels.
//!
//! Runs of pixels are a poor cover for the search for a minimum translation: most of their corners
//! lie inside the mask, and each corner costs a test. A run that is extended as far as the pixels above
//! and below allow has its corners on the outline.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::Mask;
use crate::shape::Aabb;
use crate::shape::convex::{ConvexBuffer, with_convex};
use crate::shape::grid::{Cell, Run};
use crate::shape::parts::{BoundaryEdges, Part, QueryRegion};

/// A run of pixels in a row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct RowRun {
    row: u32,
    start: u32,
    end: u32,
}

/// A run of pixels in several rows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct PixelRect {
    rows: [u32; 2],
    columns: [u32; 2],
}

impl Mask {
    /// Visits boxes that cover the pixels near a region. Apart from rounding, their union is that
    /// of the convex parts. The boxes may overlap, and the mask may be rotated.
    pub(crate) fn visit_boxes<B>(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let runs = self.runs(near);
        let rows: Vec<&[RowRun]> = runs.chunk_by(|p, q| p.row == q.row).collect();
        let mut rects: Vec<PixelRect> = Vec::new();
        for (i, line) in rows.iter().enumerate() {
            rects.extend(line.iter().map(|run| extended(&rows, i, run)));
        }
        rects.sort_unstable();
        rects.dedup();
        rects.iter().try_for_each(|rect| self.visit_rect(rect, visit))
    }

    /// Returns the runs near a region, in order, joined across words.
    fn runs(&self, near: &QueryRegion<'_>) -> Vec<RowRun> {
        let mut runs = Vec::new();
        let _ = self.visit_joined(near, &mut |Run { row, start, end, .. }| {
            runs.push(RowRun { row, start, end });
            ControlFlow::<()>::Continue(())
        });
        runs.sort_unstable();
        runs.dedup_by(|next, last| {
            let joins = next.row == last.row && next.start == last.end;
            last.end = if joins { next.end } else { last.end };
            joins
        });
        runs
    }

    fn visit_rect<B>(
        &self,
        PixelRect { rows: [low, high], columns: [start, end] }: &PixelRect,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let boundary = BoundaryEdges::All; // not used: the boxes may overlap
        let cells = [(*start, *low), (end - 1, *low), (end - 1, *high), (*start, *high)];
        let corners = [0, 1, 2, 3].map(|i| {
            let (column, row) = cells[i];
            self.placement.corners(Cell::new(column, row))[i]
        });
        if self.placement.is_axis_aligned() {
            let mut buffer = ConvexBuffer::new();
            let convex = Aabb::of_vertices(&corners);
            return visit(Part {
                convex: convex.as_convex(&mut buffer),
                boundary,
                one_way_direction: None,
            });
        }
        let mut corners = corners;
        if self.placement.flip.reverses() {
            corners.reverse(); // counter-clockwise again
        }
        with_convex(corners.into_iter().collect(), 0.0, |convex| {
            visit(Part { convex, boundary, one_way_direction: None })
        })
    }
}

/// Extends a run to the rows above and below, as long as the same columns are set.
fn extended(rows: &[&[RowRun]], at: usize, run: &RowRun) -> PixelRect {
    let contains_run = |line: &[RowRun], row: u32| {
        let i = line.partition_point(|other| other.start <= run.start);
        line[0].row == row && i > 0 && run.end <= line[i - 1].end
    };
    let below = rows[..at].iter().rev().zip(1..).take_while(|(line, far)| {
        run.row.checked_sub(*far).is_some_and(|row| contains_run(line, row))
    });
    let above =
        rows[at + 1..].iter().zip(1..).take_while(|(line, far)| contains_run(line, run.row + far));
    let rows = [run.row - below.count() as u32, run.row + above.count() as u32];
    PixelRect { rows, columns: [run.start, run.end] }
}
