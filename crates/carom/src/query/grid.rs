//! Queries on the cells of a grid: fast relations for tile maps and masks, and the cells of a tile
//! map under a shape or along a ray.

use alloc::vec::Vec;
use core::ops::{ControlFlow, RangeInclusive};

use glam::{DVec2, Vec2};
use smallvec::SmallVec;

use crate::math::{IntoVec2, to_vec2};
use crate::query::composite::break_if;
use crate::query::fast;
use crate::query::ray::Ray;
use crate::query::relation::Relation;
use crate::query::separation::{convex_relation, separation};
use crate::shape::convex::{Convex, ConvexBuffer, with_convex};
use crate::shape::grid::{CellGrid, Lattice, Step};
use crate::shape::parts::QueryRegion;
use crate::shape::{Aabb, AsShape, Bitmap, Cell, Mask, ShapeRef, TileMap};

/// Returns the relation of a tile map and a box or circle; `None` for other shapes. A run of full
/// tiles in a row is one box.
pub(super) fn tile_map_relation(shape: ShapeRef<'_>, map: &TileMap) -> Option<Relation> {
    let corners = bounds_with_area(shape)?.corners();
    let mut relation = Relation::Disjoint;
    let _ = map.visit_runs(&QueryRegion::of_corners(&corners), &mut |run| {
        if let Some(tiles) = map.full_box(&run) {
            relation = relation.min(aabb_relation(&tiles, shape));
        } else {
            let mut buffer = ConvexBuffer::new();
            let convex = shape.convex_or_empty(&mut buffer);
            let _ = map.visit_run::<()>(run, &mut |part| {
                relation = relation.min(convex_relation(&part.convex, &convex));
                ControlFlow::Continue(())
            });
        }
        break_if(relation.overlaps())
    });
    Some(relation)
}

/// Returns the relation of a mask and a box, a circle or another mask; `None` for other shapes.
pub(super) fn mask_relation(shape: ShapeRef<'_>, mask: &Mask) -> Option<Relation> {
    if let ShapeRef::Mask(other) = shape {
        return mask_mask_relation(mask, other);
    }
    let corners = bounds_with_area(shape)?.corners();
    let region = QueryRegion::of_corners(&corners);
    let mut relation = Relation::Disjoint;
    if mask.placement().is_axis_aligned() {
        // A run of pixels in a row is one box.
        let _ = mask.visit_runs(&region, &mut |run| {
            relation = relation.min(aabb_relation(&run.run_box(), shape));
            break_if(relation.overlaps())
        });
    } else {
        let mut buffer = ConvexBuffer::new();
        let convex = shape.convex_or_empty(&mut buffer);
        let _ = mask.visit_parts_in(&region, &mut |part| {
            relation = relation.min(convex_relation(&part.convex, &convex));
            break_if(relation.overlaps())
        });
    }
    Some(relation)
}

/// Returns the bounding box of a box or circle with an area; `None` for other shapes.
fn bounds_with_area(shape: ShapeRef<'_>) -> Option<Aabb> {
    match shape {
        ShapeRef::Aabb(aabb) if aabb.min().cmplt(aabb.max()).all() => Some(*aabb),
        ShapeRef::Circle(circle) if circle.radius() > 0.0 => Some(circle.bounds()),
        _ => None,
    }
}

/// Returns the relation of a box and one of the shapes that [`bounds_with_area`] accepts.
#[inline(always)]
fn aabb_relation(aabb: &Aabb, shape: ShapeRef<'_>) -> Relation {
    match shape {
        ShapeRef::Aabb(other) => Relation::of_aabbs(aabb, other),
        ShapeRef::Circle(circle) => {
            fast::circle_aabb(circle, aabb).unwrap_or_else(|| fast::circle_aabb_exact(circle, aabb))
        }
        _ => Relation::Disjoint,
    }
}

/// Two masks as bitmaps on one lattice.
pub(super) struct MaskPair<'a> {
    pub a: &'a Bitmap,
    /// The other bitmap as it lies in the grid of `a`: flipped and turned.
    pub b: &'a Bitmap,
    pub lattice: Lattice,
}

impl<'a> MaskPair<'a> {
    /// Creates the pair; `None` unless the pixels have the same size and are parallel. The masks may be
    /// flipped and rotated by quarter turns relative to each other; at the first call, and after an
    /// edit, that takes about one operation per 64 pixels.
    pub fn new(a: &'a Mask, b: &'a Mask) -> Option<Self> {
        let bitmap = b.bitmap();
        let size = (bitmap.width(), bitmap.height());
        let lattice = a.placement().transform.shared_lattice(&b.placement().transform, size)?;
        let b = bitmap.image(lattice.orientation);
        Some(Self { a: a.bitmap(), b, lattice })
    }
}

/// Returns the relation of two masks whose pixels have the same size and are parallel; `None` for
/// others, and if rounding leaves open whether pixels touch or overlap.
///
/// In units of pixels, pixel `i` of the one covers `i` to `i + 1`, and pixel `j` of the other
/// covers `j + o` to `j + o + 1`. They overlap if `i - j` differs from `o` by less than 1 in both x
/// and y, and touch if by exactly 1. So all pairs of pixels are tested at once by laying one bitmap
/// over the other at each of these few offsets.
fn mask_mask_relation(a: &Mask, b: &Mask) -> Option<Relation> {
    let MaskPair { a, b, lattice } = MaskPair::new(a, b)?;
    let offsets = |errors: f64, is_in: fn(f64, f64) -> bool| {
        [0, 1].map(|i| {
            let (offset, limit) = (lattice.offset[i], 1.0 + errors * lattice.error[i]);
            let nearest = libm::round(offset) as i32;
            let is_near = |at: i32| is_in((f64::from(at) - offset).abs(), limit);
            let first = (nearest - 2..=nearest).find(|&at| is_near(at))?;
            let last = (nearest..=nearest + 2).rev().find(|&at| is_near(at))?;
            Some(first..=last)
        })
    };
    let share_pixel = |[x, y]: [Option<RangeInclusive<i32>>; 2]| match (x, y) {
        (Some(x), Some(y)) => a.overlaps_at_any(b, x, y),
        _ => false,
    };
    if !share_pixel(offsets(1.0, |difference, limit| difference <= limit)) {
        return Some(Relation::Disjoint);
    }
    if share_pixel(offsets(-1.0, |difference, limit| difference < limit)) {
        return Some(Relation::Overlapping);
    }
    lattice.is_exact().then_some(Relation::Touching)
}

impl TileMap {
    /// Returns the cells that a shape touches, including empty ones, row by row: those under a box,
    /// around a circle, along a line. A cell that two parts of the shape touch is listed twice.
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

    /// Returns the cells that a shape touches while it moves along a vector, including empty ones,
    /// row by row.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let map = TileMap::new([0.0, 0.0], [1.0, 1.0], [100, 100]);
    /// let ball = Circle::new([1.5, 1.5], 0.25);
    /// assert_eq!(map.cells_swept(&ball, [2.0, 0.0]), [[1, 1], [2, 1], [3, 1]].map(Cell::from));
    /// ```
    pub fn cells_swept(&self, shape: &impl AsShape, motion: impl IntoVec2) -> Vec<Cell> {
        let mut found = Vec::new();
        let _ = self.visit_cells_swept::<()>(shape, motion, |cell| {
            found.push(cell);
            ControlFlow::Continue(())
        });
        found
    }

    /// Calls `visit` with each cell of [`cells_swept`](Self::cells_swept) until it returns `Break`.
    pub fn visit_cells_swept<B>(
        &self,
        shape: &impl AsShape,
        motion: impl IntoVec2,
        mut visit: impl FnMut(Cell) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let motion = motion.into_vec2();
        let path = if motion.is_finite() { motion.as_dvec2() } else { DVec2::ZERO };
        shape.as_shape().visit_parts_where(&mut |_| true, &mut |part| {
            let region = QueryRegion::of_convex(&part.convex).swept(DVec2::ZERO, path);
            // The area that a convex part sweeps is the hull of its start and end.
            let ends = part.convex.points.iter().map(|point| to_vec2(point.as_dvec2() + path));
            let all: SmallVec<[Vec2; 16]> =
                part.convex.points.iter().copied().chain(ends).collect();
            with_convex(all, part.convex.radius, |swept| {
                self.visit_cells(&region, &mut |cell| {
                    if self.is_touched(cell, &swept) {
                        visit(cell)
                    } else {
                        ControlFlow::Continue(())
                    }
                })
            })
        })
    }

    fn is_touched(&self, cell: Cell, convex: &Convex<'_>) -> bool {
        let corners = self.cell_corners(cell).into_iter().collect();
        with_convex(corners, 0.0, |cell| convex_relation(&cell, convex).intersects())
    }

    /// Returns the cells along a ray, including empty ones, in the order in which the ray reaches
    /// them (grid traversal, DDA).
    ///
    /// ```
    /// use carom::prelude::*;
    /// let map = TileMap::new([0.0, 0.0], [1.0, 1.0], [8, 8]);
    /// let cells = map.cells_along(&Ray::new([2.5, 0.5], [-2.0, 1.0], 2.0));
    /// assert_eq!(cells, [[2, 0], [1, 0], [1, 1], [0, 1]].map(Cell::from));
    /// ```
    #[doc(alias = "DDA")]
    pub fn cells_along(&self, ray: &Ray) -> Vec<Cell> {
        let mut found = Vec::new();
        let _ = self.visit_cells_along::<()>(ray, |cell| {
            found.push(cell);
            ControlFlow::Continue(())
        });
        found
    }

    /// Calls `visit` with each cell of [`cells_along`](Self::cells_along) until it returns `Break`.
    pub fn visit_cells_along<B>(
        &self,
        ray: &Ray,
        mut visit: impl FnMut(Cell) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let line = &ray.line;
        // The cells of one lane (row or column) are collected and then visited in order.
        let mut lane: SmallVec<[(f64, Cell); 4]> = SmallVec::new();
        let mut visit_lane = |lane: &mut SmallVec<[(f64, Cell); 4]>| {
            lane.sort_by(|a, b| a.0.total_cmp(&b.0));
            lane.drain(..).try_for_each(|(_, cell)| visit(cell)).map_break(Some)
        };
        let (columns, rows) = (0..self.columns(), 0..self.rows());
        let transform = &self.placement().transform;
        let result =
            transform.visit_cells_along(line.origin, line.direction, columns, rows, &mut |step| {
                match step {
                    Step::Lane(t) => {
                        visit_lane(&mut lane)?;
                        if t > ray.end {
                            return ControlFlow::Break(None);
                        }
                    }
                    Step::Cell(cell) => {
                        let corners = self.cell_corners(cell).into_iter().collect();
                        let chord = with_convex(corners, 0.0, |cell| line.clip_to(&cell));
                        let within =
                            chord.filter(|chord| chord.exit >= 0.0 && chord.enter <= ray.end);
                        lane.extend(within.map(|chord| (chord.enter + chord.exit, cell)));
                    }
                }
                ControlFlow::Continue(())
            });
        let result = match result {
            ControlFlow::Continue(()) => visit_lane(&mut lane),
            broken => broken,
        };
        result.break_value().flatten().map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    /// Returns the tile that a hit or contact belongs to, given its point and the normal out of the
    /// map: the tile behind that point. Returns `None` if there is no tile next to it.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let map = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &["##", "##"], &[('#', TileKind::SOLID)]);
    /// let hit = map.raycast(&Ray::new([1.5, 5.0], [0.0, -1.0], 9.0)).unwrap();
    /// assert_eq!(map.tile_at_hit(hit.point, hit.normal), Some(Cell::new(1, 1)));
    /// ```
    pub fn tile_at_hit(&self, point: impl IntoVec2, normal: impl IntoVec2) -> Option<Cell> {
        self.tile_behind(point.into_vec2(), normal.into_vec2().as_dvec2())
    }

    /// Implements [`tile_at_hit`](Self::tile_at_hit), inlined for the movement code.
    #[inline(always)]
    pub(crate) fn tile_behind(&self, point: Vec2, normal: DVec2) -> Option<Cell> {
        let inwards = normal * (1e-3 * self.placement().shortest_side());
        let behind = to_vec2(point.as_dvec2() - inwards);
        // Usually the cell is a full tile.
        match self.cell_at(behind) {
            Some(cell) if self.is_full(cell) => Some(cell),
            _ => self.tile_near(behind),
        }
    }

    /// Returns the tile nearest to a point, within half a tile.
    #[inline(never)] // keeps the usual path small
    fn tile_near(&self, point: Vec2) -> Option<Cell> {
        self.tile_within(point, 0.5 * self.placement().shortest_side())
    }

    /// Returns the tile nearest to a point at any distance, or `None` if the map is empty. The point
    /// of contact with a body that is larger than the map may lie outside the map.
    #[cold]
    pub(crate) fn nearest_tile(&self, point: Vec2) -> Option<Cell> {
        let bounds = self.used_bounds();
        let offset = (bounds.min().as_dvec2() - point.as_dvec2())
            .abs()
            .max((bounds.max().as_dvec2() - point.as_dvec2()).abs());
        let mut distance = self.placement().shortest_side();
        loop {
            let found = self.tile_within(point, distance);
            if found.is_some() || distance > offset.x + offset.y {
                return found;
            }
            distance *= 2.0;
        }
    }

    /// Returns the tile nearest to a point, of those within a distance.
    fn tile_within(&self, point: Vec2, max_distance: f64) -> Option<Cell> {
        let point = Convex::point(&point, 0.0);
        let mut best: Option<(f64, Cell)> = None;
        let region = QueryRegion::of_convex(&point).inflated(max_distance);
        let _ = self.visit_cells::<()>(&region, &mut |cell| {
            self.visit_cell(cell, &mut |part| {
                let distance = separation(&part.convex, &point, f64::INFINITY)
                    .map_or(f64::INFINITY, |separation| separation.distance.max(0.0));
                if best.is_none_or(|(least, _)| distance < least) {
                    best = Some((distance, cell));
                }
                ControlFlow::Continue(())
            })
        });
        best.map(|(_, cell)| cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::math::Flip;

    #[test]
    fn flipped_and_quarter_turned_masks_share_a_lattice() {
        let mask = Mask::from_rows([3.0, 5.0], 0.5, &["##..", ".###", "#.#."]);
        let quarter = core::f32::consts::FRAC_PI_2;
        for flip in [Flip::NONE, Flip::X, Flip::Y, Flip::BOTH] {
            for turns in 0..4 {
                let image = mask.flipped(flip).rotated(turns as f32 * quarter, [1.0, 2.0]);
                for mask in [&mask, &mask.rotated(quarter, [0.0, 0.0])] {
                    assert!(
                        MaskPair::new(mask, &image).is_some_and(|pair| pair.lattice.is_exact())
                    );
                }
            }
        }
        assert!(MaskPair::new(&mask, &mask.rotated(0.5, [0.0, 0.0])).is_none());
    }
}
