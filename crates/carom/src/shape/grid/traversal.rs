//! The cells along a line, in order.

use core::ops::{ControlFlow, Range};

use glam::DVec2;

use super::cover::clipped;
use super::{Cell, GridTransform};

/// A step of the traversal of a line.
pub(crate) enum Step {
    /// No later cell begins before this parameter of the line.
    On(f64),
    /// A cell that the line may touch.
    At(Cell),
}

impl GridTransform {
    /// Visits the cells that a ray touches, and possibly some neighbours, until `visit` returns
    /// `Break`. Parameters of the line are multiples of its direction.
    ///
    /// The traversal goes lane by lane along the axis on which the line moves faster, so that each
    /// lane has only a few cells (compare Amanatides and Woo 1987).
    pub fn walk<B>(
        &self,
        origin: DVec2,
        along: DVec2,
        columns: Range<u32>,
        rows: Range<u32>,
        visit: &mut dyn FnMut(Step) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (start, way) = (self.to_grid(origin), self.way_in_grid(along));
        let slack = self.slack * 2.0;
        if !(slack.is_finite() && start.is_finite() && way.is_finite() && way != DVec2::ZERO) {
            visit(Step::On(f64::NEG_INFINITY))?;
            return super::cells(columns, rows).try_for_each(|cell| visit(Step::At(cell)));
        }
        let by_column = way.x.abs() >= way.y.abs();
        let turn = |v: DVec2| if by_column { v } else { DVec2::new(v.y, v.x) };
        let (start, way, slack) = (turn(start), turn(way), turn(slack));
        let (lanes, others) = if by_column { (columns, rows) } else { (rows, columns) };
        // The lanes ahead.
        let ahead = if way.x > 0.0 {
            clipped(&lanes, start.x - slack.x, f64::MAX)
        } else {
            clipped(&lanes, -1.0, start.x + slack.x)
        };
        let mut lane = |lane: u32| {
            let near = if way.x > 0.0 { f64::from(lane) } else { f64::from(lane) + 1.0 };
            let sign = if way.x > 0.0 { 1.0 } else { -1.0 };
            let enter = (near - sign * slack.x - start.x) / way.x;
            let leave = (near + sign * (1.0 + slack.x) - start.x) / way.x;
            visit(Step::On(enter))?;
            let (a, b) = (start.y + way.y * enter.max(0.0), start.y + way.y * leave);
            // Far along the line, rounding makes its parameters uncertain.
            let pad = slack.y + 1e-12 * (a.abs() + b.abs());
            let mut touched = clipped(&others, a.min(b) - pad, a.max(b) + pad);
            touched.try_for_each(|other| {
                visit(Step::At(if by_column {
                    Cell::new(lane, other)
                } else {
                    Cell::new(other, lane)
                }))
            })
        };
        let mut ahead = ahead;
        if way.x > 0.0 { ahead.try_for_each(lane) } else { ahead.rev().try_for_each(&mut lane) }
    }
}
