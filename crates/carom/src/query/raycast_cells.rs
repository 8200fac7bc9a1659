//! Rays through tile maps and masks: cell after cell, only as far as it takes.

use core::ops::ControlFlow;

use smallvec::SmallVec;

use crate::query::ray::Ray;
use crate::query::raycast::{Piece, part_span};
use crate::query::span::{SLACK, Span};
use crate::shape::grid::{CellGrid, Step};

/// Tells the pieces of the ray that lie in the grid, in order.
pub(super) fn each_piece_of_cells<B>(
    grid: &impl CellGrid,
    ray: &Ray,
    visit: &mut dyn FnMut(&Piece) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut pieces = Pieces { ray, waiting: SmallVec::new(), open: None, visit };
    let (columns, rows) = grid.used();
    let (origin, along) = (ray.line.origin, ray.line.along);
    let walked =
        grid.placement().frame.walk(origin, along, columns, rows, &mut |step| match step {
            Step::On(place) => pieces.pass(place),
            Step::At(cell) => grid.visit_cell(cell, &mut |part| {
                pieces.waiting.extend(part_span(&part, ray));
                ControlFlow::Continue(())
            }),
        });
    match walked {
        ControlFlow::Continue(()) => pieces.pass(f64::INFINITY),
        broken => broken,
    }
    .map_break(|stop| match stop {
        Stop::Asked(answer) => Some(answer),
        Stop::Done => None,
    })
    .break_value()
    .flatten()
    .map_or(ControlFlow::Continue(()), ControlFlow::Break)
}

/// Why a walk is over before its end.
enum Stop<B> {
    /// Nothing that comes can matter.
    Done,
    /// It was asked for.
    Asked(B),
}

/// Spans that come nearly in order, put together to pieces.
struct Pieces<'a, B> {
    ray: &'a Ray,
    waiting: SmallVec<[Span; 8]>,
    open: Option<Piece>,
    visit: &'a mut dyn FnMut(&Piece) -> ControlFlow<B>,
}

impl<B> Pieces<'_, B> {
    /// Takes in all spans that begin before a place, before which no other will begin.
    fn pass(&mut self, place: f64) -> ControlFlow<Stop<B>> {
        self.waiting.sort_by(|a, b| a.enter.total_cmp(&b.enter));
        let ready = self.waiting.iter().take_while(|span| span.enter < place).count();
        let ready: SmallVec<[Span; 8]> = self.waiting.drain(..ready).collect();
        for span in ready {
            if !self.open.as_mut().is_some_and(|piece| piece.absorb(span)) {
                self.close()?;
                self.open = Some(Piece::new(span));
            }
        }
        let next = self.waiting.first().map_or(place, |span| span.enter.min(place));
        let leave = self.open.map_or(f64::NEG_INFINITY, |piece| piece.span.leave);
        if leave + 2.0 * SLACK * leave.abs() < next {
            self.close()?;
            if next > self.ray.end {
                return ControlFlow::Break(Stop::Done);
            }
        }
        ControlFlow::Continue(())
    }

    /// Tells the piece that is complete.
    fn close(&mut self) -> ControlFlow<Stop<B>> {
        match self.open.take() {
            Some(piece) if piece.is_within(self.ray) => (self.visit)(&piece).map_break(Stop::Asked),
            _ => ControlFlow::Continue(()),
        }
    }
}
