//! The cells along a line, in order.

use core::ops::{ControlFlow, Range};

use glam::DVec2;

use super::cover::clipped;
use super::{Cell, GridTransform};

/// A step of the traversal of a line.
pub(crate) enum Step {
    /// No later cell begins before this parameter of the line.
    Lane(f64),
    /// A cell that the line may touch.
    Cell(Cell),
}

impl GridTransform {
    /// Visits the cells that a ray touches, and possibly some neighbors, until `visit` returns
    /// `Break`. Parameters of the line are multiples of its direction.
    ///
    /// The traversal goes lane by lane along the axis on which the line moves faster, so that each
    /// lane has only a few cells (compare Amanatides and Woo 1987).
    pub fn visit_cells_along<B>(
        &self,
        origin: DVec2,
        direction: DVec2,
        columns: Range<u32>,
        rows: Range<u32>,
        visit: &mut dyn FnMut(Step) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (start, direction) = (self.to_grid(origin), self.vector_to_grid(direction));
        let error = self.grid_error * 2.0;
        if !(error.is_finite()
            && start.is_finite()
            && direction.is_finite()
            && direction != DVec2::ZERO)
        {
            visit(Step::Lane(f64::NEG_INFINITY))?;
            return super::cells(columns, rows).try_for_each(|cell| visit(Step::Cell(cell)));
        }
        let by_column = direction.x.abs() >= direction.y.abs();
        let lane_first = |v: DVec2| if by_column { v } else { DVec2::new(v.y, v.x) };
        let (start, direction, error) =
            (lane_first(start), lane_first(direction), lane_first(error));
        let (lanes, others) = if by_column { (columns, rows) } else { (rows, columns) };
        // The lanes ahead.
        let ahead = if direction.x > 0.0 {
            clipped(&lanes, start.x - error.x, f64::MAX)
        } else {
            clipped(&lanes, -1.0, start.x + error.x)
        };
        let mut lane = |lane: u32| {
            let near = if direction.x > 0.0 { f64::from(lane) } else { f64::from(lane) + 1.0 };
            let sign = if direction.x > 0.0 { 1.0 } else { -1.0 };
            let enter = (near - sign * error.x - start.x) / direction.x;
            let exit = (near + sign * (1.0 + error.x) - start.x) / direction.x;
            visit(Step::Lane(enter))?;
            let (a, b) = (start.y + direction.y * enter.max(0.0), start.y + direction.y * exit);
            // Far along the line, rounding makes its parameters uncertain.
            let pad = error.y + 1e-12 * (a.abs() + b.abs());
            let mut touched = clipped(&others, a.min(b) - pad, a.max(b) + pad);
            touched.try_for_each(|other| {
                visit(Step::Cell(if by_column {
                    Cell::new(lane, other)
                } else {
                    Cell::new(other, lane)
                }))
            })
        };
        let mut ahead = ahead;
        if direction.x > 0.0 {
            ahead.try_for_each(lane)
        } else {
            ahead.rev().try_for_each(&mut lane)
        }
    }
}
