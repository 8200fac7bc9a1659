//! The outline of a tile map: all edges of its tiles, without the intervals that neighbors cover.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::{ControlFlow, Range};

use glam::{DVec2, Vec2};

use super::TileMap;
use crate::shape::grid::{Cell, CellGrid, CellSide};
use crate::shape::parts::QueryRegion;

impl TileMap {
    /// Returns the outlines of the areas, the interior on their left (y up): the points, and the
    /// range of each ring. Tiles that touch only at a corner are separated there.
    pub(crate) fn rings(&self) -> (Vec<Vec2>, Vec<Range<u32>>) {
        let mut edges: Vec<(Vec2, Vec2)> = Vec::new();
        let corners = self.used_bounds().corners();
        let _ = self.visit_edges::<()>(&QueryRegion::of_corners(&corners), &mut |start, end| {
            edges.extend((start != end).then_some((start, end)));
            ControlFlow::Continue(())
        });
        let order = |a: Vec2, b: Vec2| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y));
        edges.sort_by(|a, b| order(a.0, b.0));
        let mut used = alloc::vec![false; edges.len()];
        let (mut points, mut rings) = (Vec::new(), Vec::new());
        for first in 0..edges.len() {
            let (start, mut edge) = (points.len() as u32, Some(first).filter(|&i| !used[i]));
            while let Some(i) = edge {
                used[i] = true;
                let (from, to) = edges[i];
                points.push(from);
                let after = edges.partition_point(|other| order(other.0, to) == Ordering::Less);
                let nexts = (after..edges.len()).take_while(|&j| edges[j].0 == to);
                let turn = |j: usize| {
                    let next = edges[j].1 - to;
                    libm::atan2f((to - from).perp_dot(next), (to - from).dot(next))
                };
                edge = nexts.filter(|&j| !used[j]).max_by(|&i, &j| turn(i).total_cmp(&turn(j)));
            }
            if points.len() as u32 > start {
                rings.push(start..points.len() as u32);
            }
        }
        (points, rings)
    }

    /// Visits the intervals of an edge of a tile that its neighbor does not cover.
    pub(super) fn visit_edge<B>(
        &self,
        cell: Cell,
        start: Vec2,
        end: Vec2,
        visit: &mut dyn FnMut(Vec2, Vec2) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let cover = CellSide::of(start, end).and_then(|side| {
            let (low, high) = self.neighbor(cell, side)?.cover(side.opposite())?;
            Some((side, low, high))
        });
        let Some((side, low, high)) = cover else {
            let (start, end) =
                self.placement.wound(self.point_in(cell, start), self.point_in(cell, end));
            return visit(start, end);
        };
        let (from, to) = (f64::from(side.along(start)), f64::from(side.along(end)));
        // In the opposite direction, the covered interval is measured from the other end.
        let (near, far) = if from < to { (low, high) } else { (high, low) };
        let is_before = |a: f64, b: f64| if from < to { a < b } else { a > b };
        let at = |along: f64| {
            let corner = start.as_dvec2() + cell.low();
            let moved = along - from;
            let by =
                if side.is_vertical() { DVec2::new(0.0, moved) } else { DVec2::new(moved, 0.0) };
            self.placement.transform.world_point(corner + by)
        };
        for (a, b) in [
            (from, if is_before(near, to) { near } else { to }),
            (if is_before(from, far) { far } else { from }, to),
        ] {
            if is_before(a, b) {
                let (start, end) = self.placement.wound(at(a), at(b));
                visit(start, end)?;
            }
        }
        ControlFlow::Continue(())
    }
}
