//! Which cells of a tile map are under, along or in the way of something?

use alloc::vec::Vec;
use core::ops::ControlFlow;

use glam::{DVec2, Vec2};
use smallvec::SmallVec;

use crate::math::to_vec2;
use crate::query::Ray;
use crate::query::separation::{convex_relation, separation};
use crate::shape::convex::{Convex, with_convex};
use crate::shape::grid::{CellGrid, Step};
use crate::shape::parts::QueryRegion;
use crate::shape::{AsShape, Cell, TileMap};

impl TileMap {
    /// The cells that a shape touches, empty ones too, row by row: those under a box, around a
    /// circle, along a line. CellGrid that two parts of the shape touch are told twice.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let map = TileMap::new([0.0, 0.0], [16.0, 16.0], [100, 100]);
    /// let under = map.cells_under(&Aabb::new([20.0, 5.0], [40.0, 12.0]));
    /// assert_eq!(under, [Cell::new(1, 0), Cell::new(2, 0)]);
    /// ```
    pub fn cells_under(&self, shape: &impl AsShape) -> Vec<Cell> {
        self.cells_swept(shape, [0.0, 0.0])
    }

    /// The cells that a shape touches when it is moved along a vector, empty ones too, row by row.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let map = TileMap::new([0.0, 0.0], [1.0, 1.0], [100, 100]);
    /// let ball = Circle::new([1.5, 1.5], 0.25);
    /// assert_eq!(map.cells_swept(&ball, [2.0, 0.0]), [[1, 1], [2, 1], [3, 1]].map(Cell::from));
    /// ```
    pub fn cells_swept(&self, shape: &impl AsShape, motion: impl Into<Vec2>) -> Vec<Cell> {
        let mut found = Vec::new();
        let _ = self.visit_cells_swept::<()>(shape, motion, |cell| {
            found.push(cell);
            ControlFlow::Continue(())
        });
        found
    }

    /// The same, told one by one until `visit` breaks.
    pub fn visit_cells_swept<B>(
        &self,
        shape: &impl AsShape,
        motion: impl Into<Vec2>,
        mut visit: impl FnMut(Cell) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let motion = motion.into();
        let path = if motion.is_finite() { motion.as_dvec2() } else { DVec2::ZERO };
        shape.as_shape().visit_parts_where(&mut |_| true, &mut |part| {
            let near = QueryRegion::of_convex(&part.convex).swept(DVec2::ZERO, path);
            // All that the part covers on its way is convex too.
            let ends = part.convex.points.iter().map(|point| to_vec2(point.as_dvec2() + path));
            let all: SmallVec<[Vec2; 16]> =
                part.convex.points.iter().copied().chain(ends).collect();
            with_convex(all, part.convex.radius, |swept| {
                self.visit_cells(&near, &mut |cell| {
                    if self.is_touched(cell, &swept) {
                        visit(cell)
                    } else {
                        ControlFlow::Continue(())
                    }
                })
            })
        })
    }

    fn is_touched(&self, cell: Cell, core: &Convex<'_>) -> bool {
        let corners = self.cell_corners(cell).into_iter().collect();
        with_convex(corners, 0.0, |cell| convex_relation(&cell, core).intersects())
    }

    /// The cells along a ray, empty ones too, in the order in which it comes to them.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let map = TileMap::new([0.0, 0.0], [1.0, 1.0], [8, 8]);
    /// let cells = map.cells_along(&Ray::new([2.5, 0.5], [-2.0, 1.0], 2.0));
    /// assert_eq!(cells, [[2, 0], [1, 0], [1, 1], [0, 1]].map(Cell::from));
    /// ```
    pub fn cells_along(&self, ray: &Ray) -> Vec<Cell> {
        let mut found = Vec::new();
        let _ = self.visit_cells_along::<()>(ray, |cell| {
            found.push(cell);
            ControlFlow::Continue(())
        });
        found
    }

    /// The same, told one by one until `visit` breaks.
    pub fn visit_cells_along<B>(
        &self,
        ray: &Ray,
        mut visit: impl FnMut(Cell) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let line = &ray.line;
        // Those of a lane wait until all of them are known.
        let mut lane: SmallVec<[(f64, Cell); 4]> = SmallVec::new();
        let mut tell = |lane: &mut SmallVec<[(f64, Cell); 4]>| {
            lane.sort_by(|a, b| a.0.total_cmp(&b.0));
            lane.drain(..).try_for_each(|(_, cell)| visit(cell)).map_break(Some)
        };
        let (columns, rows) = (0..self.columns(), 0..self.rows());
        let frame = &self.placement().frame;
        let walked = frame.walk(line.origin, line.along, columns, rows, &mut |step| {
            match step {
                Step::On(place) => {
                    tell(&mut lane)?;
                    if place > ray.end {
                        return ControlFlow::Break(None);
                    }
                }
                Step::At(cell) => {
                    let corners = self.cell_corners(cell).into_iter().collect();
                    let span = with_convex(corners, 0.0, |cell| line.span(&cell));
                    let within = span.filter(|span| span.leave >= 0.0 && span.enter <= ray.end);
                    lane.extend(within.map(|span| (span.enter + span.leave, cell)));
                }
            }
            ControlFlow::Continue(())
        });
        let told = match walked {
            ControlFlow::Continue(()) => tell(&mut lane),
            broken => broken,
        };
        told.break_value().flatten().map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    /// The tile that a hit or contact with this map belongs to, from where it is and the normal out
    /// of the map: the one that lies behind that point. `None` if no tile is next to it.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let map = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &["##", "##"], &[('#', TileKind::SOLID)]);
    /// let hit = map.raycast(&Ray::new([1.5, 5.0], [0.0, -1.0], 9.0)).unwrap();
    /// assert_eq!(map.tile_at_hit(hit.point, hit.normal), Some(Cell::new(1, 1)));
    /// ```
    pub fn tile_at_hit(&self, point: impl Into<Vec2>, normal: impl Into<Vec2>) -> Option<Cell> {
        self.tile_behind(point.into(), normal.into().as_dvec2())
    }

    /// The same for those in a hurry.
    #[inline(always)]
    pub(crate) fn tile_behind(&self, point: Vec2, normal: DVec2) -> Option<Cell> {
        let inwards = normal * (1e-3 * self.placement().shortest_side());
        let behind = to_vec2(point.as_dvec2() - inwards);
        // There is a full tile as a rule, and then that is the one.
        match self.cell_at(behind) {
            Some(cell) if self.is_full(cell) => Some(cell),
            _ => self.tile_near(behind),
        }
    }

    /// The tile nearest to a point, if one is near.
    #[inline(never)] // the common way stays small
    fn tile_near(&self, point: Vec2) -> Option<Cell> {
        let point = Convex::point(&point, 0.0);
        let mut best: Option<(f64, Cell)> = None;
        let near = QueryRegion::of_convex(&point).inflated(0.5 * self.placement().shortest_side());
        let _ = self.visit_cells::<()>(&near, &mut |cell| {
            self.visit_cell(cell, &mut |part| {
                let apart = separation(&part.convex, &point, f64::INFINITY);
                let apart = apart.map_or(f64::INFINITY, |separation| separation.distance.max(0.0));
                if best.is_none_or(|(least, _)| apart < least) {
                    best = Some((apart, cell));
                }
                ControlFlow::Continue(())
            })
        });
        best.map(|(_, cell)| cell)
    }
}
