//! Boxes of pixels, as long and as high as they can be.
//!
//! Runs of pixels are a poor cover for asking how to get out of a mask: most of their corners lie inside,
//! and each is looked at. A run that is made as high as the pixels above and below it allow has its
//! corners at the outline.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::Mask;
use crate::shape::Aabb;
use crate::shape::convex::{ConvexBuffer, with_convex};
use crate::shape::grid::{Cell, Run};
use crate::shape::parts::{BoundaryEdges, Part, QueryRegion};

/// Pixels side by side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Strip {
    row: u32,
    start: u32,
    end: u32,
}

/// Strips above each other.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Block {
    rows: [u32; 2],
    columns: [u32; 2],
}

impl Mask {
    /// Visits boxes that cover the pixels near something, whether the mask is level or not: but for
    /// rounding, they cover what its parts do. They overlap each other.
    pub(crate) fn visit_boxes<B>(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let strips = self.strips(near);
        let lines: Vec<&[Strip]> = strips.chunk_by(|p, q| p.row == q.row).collect();
        let mut blocks: Vec<Block> = Vec::new();
        for (i, line) in lines.iter().enumerate() {
            blocks.extend(line.iter().map(|strip| grown(&lines, i, strip)));
        }
        blocks.sort_unstable();
        blocks.dedup();
        blocks.iter().try_for_each(|block| self.visit_block(block, visit))
    }

    /// The runs near something, in order, put together over words.
    fn strips(&self, near: &QueryRegion<'_>) -> Vec<Strip> {
        let mut strips = Vec::new();
        let _ = self.visit_joined(near, &mut |Run { row, start, end, .. }| {
            strips.push(Strip { row, start, end });
            ControlFlow::<()>::Continue(())
        });
        strips.sort_unstable();
        strips.dedup_by(|next, last| {
            let joins = next.row == last.row && next.start == last.end;
            last.end = if joins { next.end } else { last.end };
            joins
        });
        strips
    }

    fn visit_block<B>(
        &self,
        Block { rows: [low, high], columns: [start, end] }: &Block,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let boundary = BoundaryEdges::All; // nobody asks boxes that overlap for seams
        let cells = [(*start, *low), (end - 1, *low), (end - 1, *high), (*start, *high)];
        let corners = [0, 1, 2, 3].map(|i| {
            let (column, row) = cells[i];
            self.place.corners(Cell::new(column, row))[i]
        });
        if self.place.is_axis_aligned() {
            let mut buffer = ConvexBuffer::new();
            let convex = Aabb::of_vertices(&corners);
            return visit(Part {
                convex: convex.as_convex(&mut buffer),
                boundary,
                one_way_direction: None,
            });
        }
        let mut corners = corners;
        if self.place.mirror.reverses() {
            corners.reverse(); // counter-clockwise again
        }
        with_convex(corners.into_iter().collect(), 0.0, |convex| {
            visit(Part { convex, boundary, one_way_direction: None })
        })
    }
}

/// A strip with the same columns of the lines above and below it, as far as they are set.
fn grown(lines: &[&[Strip]], at: usize, strip: &Strip) -> Block {
    let holds = |line: &[Strip], row: u32| {
        let i = line.partition_point(|other| other.start <= strip.start);
        line[0].row == row && i > 0 && strip.end <= line[i - 1].end
    };
    let below =
        lines[..at].iter().rev().zip(1..).take_while(|(line, far)| {
            strip.row.checked_sub(*far).is_some_and(|row| holds(line, row))
        });
    let above =
        lines[at + 1..].iter().zip(1..).take_while(|(line, far)| holds(line, strip.row + far));
    let rows = [strip.row - below.count() as u32, strip.row + above.count() as u32];
    Block { rows, columns: [strip.start, strip.end] }
}
