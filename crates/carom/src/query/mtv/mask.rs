//! Candidates for two masks whose pixels have the same size and are parallel: flipped or rotated by
//! quarter turns relative to each other, or not.
//!
//! In units of pixels, with `o` the offset of the other mask: after a translation `t`, pixel `i`
//! overlaps pixel `j` if `o - t` differs from `i - j` by less than 1 in both x and y. So each whole
//! offset at which the bitmaps share a pixel excludes `o - t` from an open square of side 2 around
//! it. The free space consists of whole offsets, and of the segments and squares between adjacent
//! free ones. The free offset nearest to `o` is a whole one, or lies straight above, below or beside
//! `o` between two whole ones.

use alloc::vec::Vec;

use glam::DVec2;

use crate::math::{length, try_normalize};
use crate::query::grid::MaskPair;
use crate::query::mtv::search::Candidate;
use crate::shape::grid::CellGrid;
use crate::shape::{Bitmap, Mask};

/// Returns the translations within a radius that may be the shortest, nearest first; `None` if the
/// pixels differ in size or are not parallel.
pub(super) fn mask_translations(a: &Mask, b: &Mask, radius: f64) -> Option<Vec<Candidate>> {
    let transform = &a.placement().transform;
    let pair = MaskPair::new(a, b)?;
    let offset = pair.lattice.offset;
    let reach = radius / a.placement().longest_side() + 1.0;
    let free = FreeOffsets::new(pair.a, pair.b, offset, reach);
    let mut found: Vec<Candidate> = Vec::new();
    let mut add = |free_offset: DVec2, normals: [DVec2; 2]| {
        let translation = transform.vector_to_world(offset - free_offset);
        if length(translation) <= radius {
            let normals = normals
                .map(|normal| try_normalize(transform.vector_to_world(normal)).unwrap_or(normal));
            found.push(Candidate { translation, normals, edge: None });
        }
    };
    free.for_each_straight(offset, &mut |free_offset| add(free_offset, [offset - free_offset; 2]));
    free.for_each_whole(&mut |free_offset| {
        let step = offset - free_offset;
        // In line with `o` there is one boundary, elsewhere two meet.
        let (x, y) = (DVec2::new(step.x, 0.0), DVec2::new(0.0, step.y));
        add(
            free_offset,
            if step.x == 0.0 {
                [y; 2]
            } else if step.y == 0.0 {
                [x; 2]
            } else {
                [x, y]
            },
        );
    });
    found.sort_by(|p, q| length(p.translation).total_cmp(&length(q.translation)));
    Some(found)
}

/// The whole offsets near `o`, and whether each is free.
struct FreeOffsets {
    first: [i32; 2],
    side: usize,
    is_free: Vec<bool>,
}

impl FreeOffsets {
    fn new(a: &Bitmap, b: &Bitmap, offset: DVec2, reach: f64) -> Self {
        let first = [offset.x, offset.y].map(|at| libm::floor(at - reach) as i32);
        let side = libm::ceil(2.0 * reach) as usize + 2;
        let offsets = (0..side * side).map(|i| [(i % side) as i32, (i / side) as i32]);
        let is_free = offsets.map(|[x, y]| !a.overlaps_at(b, [first[0] + x, first[1] + y]));
        Self { first, side, is_free: is_free.collect() }
    }

    fn is_free(&self, x: i32, y: i32) -> bool {
        let index = |at: i32, first: i32| {
            usize::try_from(at - first).ok().filter(|&index| index < self.side)
        };
        let found = index(x, self.first[0]).zip(index(y, self.first[1]));
        found.is_some_and(|(x, y)| self.is_free[y * self.side + x])
    }

    /// Calls `visit` with the free offsets that have an adjacent offset that is not free.
    fn for_each_whole(&self, visit: &mut dyn FnMut(DVec2)) {
        let side = self.side as i32;
        for (y, x) in (0..side).flat_map(|y| (0..side).map(move |x| (y, x))) {
            let (x, y) = (self.first[0] + x, self.first[1] + y);
            let is_free = |(dx, dy): (i32, i32)| self.is_free(x + dx, y + dy);
            let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
            if self.is_free(x, y) && !around.into_iter().all(is_free) {
                visit(DVec2::new(x.into(), y.into()));
            }
        }
    }

    /// Calls `visit` with the free offsets straight above, below and beside `at`, each between two
    /// whole ones.
    fn for_each_straight(&self, at: DVec2, visit: &mut dyn FnMut(DVec2)) {
        let (low, high) = (at.floor(), at.ceil());
        let ends = |low: f64, high: f64| [low as i32, high as i32];
        for i in 0..self.side as i32 {
            let (x, y) = (self.first[0] + i, self.first[1] + i);
            if ends(low.x, high.x).into_iter().all(|x| self.is_free(x, y)) {
                visit(DVec2::new(at.x, y.into()));
            }
            if ends(low.y, high.y).into_iter().all(|y| self.is_free(x, y)) {
                visit(DVec2::new(x.into(), at.y));
            }
        }
    }
}
