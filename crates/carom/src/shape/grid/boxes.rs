//! Maximal boxes of full cells.
//!
//! Runs of cells are a poor cover for the search for a minimum translation: most of their corners
//! lie inside the grid, and each corner costs a test. A run that is extended as far as the cells above
//! and below allow has its corners on the outline.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::{Cell, CellBits, CellCover, CellGrid};
use crate::shape::Aabb;
use crate::shape::bitmap::{BLOCK, ones, runs, span_bits};
use crate::shape::convex::{ConvexBuffer, with_convex};
use crate::shape::parts::{BoundaryEdges, Part, QueryRegion};

/// A run of full cells in a row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct RowRun {
    row: u32,
    start: u32,
    end: u32,
}

/// A run of full cells in several rows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct CellRect {
    rows: [u32; 2],
    columns: [u32; 2],
}

/// Visits boxes that cover the full cells near a region, and the parts of the other cells. Apart from
/// rounding, their union is that of the convex parts. The boxes may overlap, and the grid may be rotated.
pub(crate) fn visit_boxes<B>(
    grid: &(impl CellGrid + CellBits),
    near: &QueryRegion<'_>,
    visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let (columns, rows) = grid.used();
    let region = CellCover::new(&grid.placement().transform, near, columns, rows);
    let mut found: Vec<RowRun> = Vec::new();
    for row in region.rows.clone() {
        let columns = region.columns_in(row);
        for across in columns.start / BLOCK..columns.end.div_ceil(BLOCK) {
            let (in_range, full) = (span_bits(&columns, across), grid.full_bits(row, across));
            let first = across * BLOCK;
            ones(grid.used_bits(row, across) & !full & in_range)
                .try_for_each(|bit| grid.visit_cell(Cell::new(first + bit, row), visit))?;
            for run in runs(full).filter(|run| span_bits(run, 0) & in_range != 0) {
                let (start, end) = (first + run.start, first + run.end);
                match found.last_mut() {
                    Some(last) if last.row == row && last.end == start => last.end = end,
                    _ => found.push(RowRun { row, start, end }),
                }
            }
        }
    }
    let rows: Vec<&[RowRun]> = found.chunk_by(|p, q| p.row == q.row).collect();
    let mut rects: Vec<CellRect> = Vec::new();
    for (i, line) in rows.iter().enumerate() {
        rects.extend(line.iter().map(|run| extended(&rows, i, run)));
    }
    rects.sort_unstable();
    rects.dedup();
    rects.iter().try_for_each(|rect| visit_rect(grid, rect, visit))
}

fn visit_rect<B>(
    grid: &impl CellGrid,
    CellRect { rows: [low, high], columns: [start, end] }: &CellRect,
    visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    #[cfg(test)]
    crate::operation_count::add(1);
    let placement = grid.placement();
    let boundary = BoundaryEdges::All; // not used: the boxes may overlap
    let cells = [(*start, *low), (end - 1, *low), (end - 1, *high), (*start, *high)];
    let corners = [0, 1, 2, 3].map(|i| {
        let (column, row) = cells[i];
        placement.corners(Cell::new(column, row))[i]
    });
    if placement.is_axis_aligned() {
        let mut buffer = ConvexBuffer::new();
        let convex = Aabb::of_vertices(&corners);
        return visit(Part {
            convex: convex.as_convex(&mut buffer),
            boundary,
            one_way_direction: None,
        });
    }
    let mut corners = corners;
    if placement.flip.reverses() {
        corners.reverse(); // counterclockwise again
    }
    with_convex(corners.into_iter().collect(), 0.0, |convex| {
        visit(Part { convex, boundary, one_way_direction: None })
    })
}

/// Extends a run to the rows above and below, as long as the same columns are full.
fn extended(rows: &[&[RowRun]], at: usize, run: &RowRun) -> CellRect {
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
    CellRect { rows, columns: [run.start, run.end] }
}
