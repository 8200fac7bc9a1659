//! Translations at which a shape certainly overlaps a tile map or mask, found without visiting single
//! tiles or pixels.
//!
//! Deep inside a map, all translations shorter than the distance to the boundary overlap, and the
//! number of tiles within that distance grows with its square. Let `B` be a box inside the other shape
//! and `N` a box of translations. On each axis,
//!
//! - if `B` is wider than `N`, the intersection of `B + t` over all `t` in `N` is as wide as their
//!   difference, and one full cell in it suffices;
//! - otherwise every `B + t` reaches into an interval as wide as their difference, and all cells in
//!   it must be full.
//!
//! Both are tested 64 cells at a time, so boxes of translations far from any boundary are discarded
//! as a whole.

use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};

use glam::DVec2;
use smallvec::SmallVec;

use crate::math::{cross, length};
use crate::shape::convex::Convex;
use crate::shape::grid::{CellBits, Lanes};
use crate::shape::{Aabb, ShapeRef};

/// Finds boxes of translations of `a` at which it certainly overlaps `b`.
pub(super) struct CertainOverlap<'a> {
    grids: SmallVec<[BoxesInGrid<'a>; 2]>,
}

/// A tile map or mask, and boxes inside the other shape.
struct BoxesInGrid<'a> {
    grid: &'a dyn CellBits,
    /// The centers in grid coordinates and the half sizes of boxes inside the other shape.
    boxes: Vec<(DVec2, DVec2)>,
    /// 1 if the other shape is `a`, which moves, and -1 if the grid does.
    sign: f64,
    /// A bound on all rounding errors, in grid coordinates.
    margin: DVec2,
}

/// The largest number of boxes for a shape. More boxes exclude more translations, but each costs.
const MAX_BOXES: usize = 128;

impl<'a> CertainOverlap<'a> {
    /// Prepares two shapes. Overlaps of less than `tolerance` do not count.
    pub fn new(a: ShapeRef<'a>, b: ShapeRef<'a>, tolerance: f64) -> Self {
        let mut grids = SmallVec::new();
        for (moving, fixed, sign) in [(a, b, 1.0), (b, a, -1.0)] {
            if let Some(grid) = fixed.cell_bits() {
                let margin = grid.transform().grid_error * 4.0
                    + grid.transform().disc_extent(tolerance)
                    + 1e-9;
                // Skip grids in which rounding moves cells by a considerable part of their size.
                if margin.max_element() < 0.125 {
                    let (boxes, error) = boxes_inside(moving, grid);
                    grids.push(BoxesInGrid { grid, boxes, sign, margin: margin + error });
                }
            }
        }
        Self { grids }
    }

    /// Returns `true` if the shapes overlap at every translation in a box.
    pub fn covers(&self, low: DVec2, high: DVec2) -> bool {
        #[cfg(test)]
        crate::operation_count::add(1);
        let (middle, half) = ((low + high) / 2.0, (high - low) / 2.0);
        self.grids.iter().any(|grid| grid.covers(middle, half))
    }
}

impl BoxesInGrid<'_> {
    fn covers(&self, middle: DVec2, half: DVec2) -> bool {
        let transform = self.grid.transform();
        let shift = transform.vector_to_grid(middle * self.sign);
        // The extent of the box of translations in the grid, which may be rotated.
        let [x, y] = [DVec2::new(half.x, 0.0), DVec2::new(0.0, half.y)]
            .map(|side| transform.vector_to_grid(side).abs());
        let extent = x + y;
        let (columns, rows) = self.grid.used_range();
        self.boxes.iter().any(|&(center, size)| {
            let lanes = |i: usize, range: &Range<u32>| {
                lanes(center[i] + shift[i], size[i] - extent[i], self.margin[i], range)
            };
            match (lanes(0, &columns), lanes(1, &rows)) {
                (Some(columns), Some(rows)) => self.grid.has_full(&columns, &rows),
                _ => false,
            }
        })
    }
}

/// Returns the lanes of cells around a coordinate that all must be full if `excess` is negative, or
/// one of which must be if it is positive; `None` if there are none, or not all of them in `range`.
fn lanes(center: f64, excess: f64, margin: f64, range: &Range<u32>) -> Option<Lanes> {
    let reach = if excess > margin { excess - margin } else { (-excess).max(0.0) + margin };
    let (low, high) = (libm::floor(center - reach), libm::ceil(center + reach));
    let (first, last) = (f64::from(range.start), f64::from(range.end));
    if excess > margin {
        let (low, high) = (low.max(first), high.min(last));
        (low < high).then_some(Lanes::Any(low as u32..high as u32))
    } else {
        (low >= first && high <= last).then_some(Lanes::All(low as u32..high as u32))
    }
}

/// Returns boxes inside a shape, parallel to the axes of a grid: their centers and half sizes in
/// grid coordinates, the largest first. Also returns a bound on the error of their position.
fn boxes_inside(shape: ShapeRef<'_>, grid: &dyn CellBits) -> (Vec<(DVec2, DVec2)>, DVec2) {
    let transform = grid.transform();
    let mut boxes = Vec::new();
    let mut error = DVec2::ZERO;
    if let Some(cells) = shape.cell_bits() {
        let from = cells.transform();
        error = transform.disc_extent(4.0 * from.error);
        for (columns, rows) in cells.full_squares(MAX_BOXES) {
            let [left, right] = [columns.start, columns.end].map(f64::from);
            let [bottom, top] = [rows.start, rows.end].map(f64::from);
            let corners = [(left, bottom), (right, bottom), (right, top), (left, top)];
            let ring =
                corners.map(|(x, y)| transform.to_grid(from.world_point_f64(DVec2::new(x, y))));
            boxes.extend(box_inside(&ring));
        }
    } else {
        let _ = shape.visit_parts_where::<()>(&mut |_: &Aabb| true, &mut |part| {
            boxes.extend(box_inside_convex(&part.convex, grid));
            ControlFlow::Continue(())
        });
    }
    let area = |(_, half): &(DVec2, DVec2)| half.x * half.y;
    boxes.sort_by(|p, q| area(q).total_cmp(&area(p)));
    boxes.truncate(MAX_BOXES);
    (boxes, error)
}

fn box_inside_convex(convex: &Convex<'_>, grid: &dyn CellBits) -> Option<(DVec2, DVec2)> {
    let transform = grid.transform();
    let ring: SmallVec<[DVec2; 16]> =
        convex.points.iter().map(|point| transform.to_grid(point.as_dvec2())).collect();
    if ring.len() > 2 {
        return box_inside(&ring);
    }
    // The square inside a disc around the middle, or the point in the middle.
    let middle = ring.iter().copied().sum::<DVec2>() / ring.len() as f64;
    let [x, y] = [DVec2::X, DVec2::Y].map(|axis| length(transform.vector_to_world(axis)));
    let half = f64::from(convex.radius) * core::f64::consts::FRAC_1_SQRT_2 * (1.0 - 1e-12);
    Some((middle, DVec2::new(half / x, half / y)))
}

/// Returns a box inside a convex ring with the proportions of its bounding box, around its middle.
/// For a ring that is a box it is the whole ring.
fn box_inside(ring: &[DVec2]) -> Option<(DVec2, DVec2)> {
    let (low, high) =
        (ring.iter().copied().reduce(DVec2::min)?, ring.iter().copied().reduce(DVec2::max)?);
    let middle = ring.iter().copied().sum::<DVec2>() / ring.len() as f64;
    let half = (high - low) / 2.0;
    // Scaled by this fraction, the box touches the line of an edge. A flipped grid reverses the ring,
    // so only absolute values count.
    let mut part = 1.0f64;
    for (i, &start) in ring.iter().enumerate() {
        let side = ring[(i + 1) % ring.len()] - start;
        let reach = side.y.abs() * half.x + side.x.abs() * half.y;
        if reach > 0.0 {
            part = part.min(cross(side, middle - start).abs() / reach);
        }
    }
    (part > 0.0).then(|| (middle, half * (part * (1.0 - 1e-12))))
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::prelude::*;

    /// A linear congruential generator.
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 33) % end
        }

        fn between(&mut self, low: f32, high: f32) -> f32 {
            low + (high - low) * self.below(1 << 12) as f32 / 4096.0
        }
    }

    fn grid(random: &mut Random) -> Shape {
        let (width, height) = (4 + random.below(90) as u32, 4 + random.below(70) as u32);
        let (every, hole) = (2 + random.below(400), random.below(8) as u32);
        let is_full = |x: u32, y: u32, random: &mut Random| {
            random.below(every) != 0 && (x / 16 + y / 16) % 8 != hole
        };
        let shape: Shape = if random.below(2) == 0 {
            let mut map = TileMap::new([3.0, -2.0], [0.5, 0.75], [width, height]);
            let slope = map.add_kind(TileKind::slope(0.0, 1.0, [0.0, 1.0]));
            for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
                let other = if random.below(2) == 0 { slope } else { TileMap::EMPTY };
                map.set([x, y], if is_full(x, y, random) { TileMap::SOLID } else { other });
            }
            map.into()
        } else {
            let mut pixels = Bitmap::new(width, height);
            for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
                pixels.set([x, y], is_full(x, y, random));
            }
            Mask::new([-7.0, 2.0], 0.5, pixels).into()
        };
        let flip = [Flip::NONE, Flip::X, Flip::Y, Flip::BOTH][random.below(4) as usize];
        let angle = [0.0, core::f32::consts::FRAC_PI_2, 0.3, 2.0][random.below(4) as usize];
        shape.flipped(flip).transformed(&Pose::new([5.0, 1.0], angle))
    }

    #[test]
    fn shapes_overlap_at_all_translations_that_are_certain() {
        let mut random = Random(5);
        let mut certain = 0;
        for round in 0..400 {
            let b = grid(&mut random);
            let size = random.between(0.1, 9.0);
            let at = b.bounds().center();
            let a: Shape = match random.below(6) {
                0 => Aabb::new([at.x, at.y], [at.x + size, at.y + 0.7 * size]).into(),
                1 => Circle::new([at.x, at.y], size).into(),
                2 => Capsule::new([at.x, at.y], [at.x + size, at.y], 0.3).into(),
                3 => Point::new([at.x, at.y]).into(),
                4 => {
                    let corners = [[0.0, 0.0], [size, 0.1], [0.3, size]];
                    Triangle::new(corners[0], corners[1], corners[2]).translated(at).into()
                }
                _ => grid(&mut random),
            };
            for (a, b) in [(&a, &b), (&b, &a)] {
                let overlap = CertainOverlap::new(a.as_shape(), b.as_shape(), 1e-9);
                for _ in 0..20 {
                    let low = Vec2::new(random.between(-15.0, 15.0), random.between(-15.0, 15.0));
                    let side = random.between(0.0, 4.0);
                    if !overlap.covers(low.as_dvec2(), (low + side).as_dvec2()) {
                        continue;
                    }
                    certain += 1;
                    for (x, y) in (0..4).flat_map(|x| (0..4).map(move |y| (x, y))) {
                        let by = low + Vec2::new(x as f32, y as f32) / 3.0 * side;
                        let moved = a.translated(by);
                        assert!(moved.overlaps(b), "round {round}: {moved:?} and {b:?}");
                    }
                }
            }
        }
        assert!(certain > 1000, "{certain}");
    }
}
