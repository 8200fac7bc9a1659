//! Candidates for two masks whose pixels have the same size and are parallel: flipped or rotated by
//! quarter turns relative to each other, or not.
//!
//! In units of pixels, with `o` the offset of the other mask: after a translation `t`, pixel `i`
//! overlaps pixel `j` if `o - t` differs from `i - j` by less than 1 in both x and y. So each whole
//! offset at which the bitmaps share a pixel excludes `o - t` from an open square of side 2 around
//! it. The free space consists of whole offsets, and of the segments and squares between adjacent
//! free ones. The free offset nearest to `o` is a whole one, or lies straight above, below or beside
//! `o` between two whole ones.
//!
//! Near `o`, all whole offsets are tested ([`FreeOffsets`]). Masks that overlap deeply exclude many of them,
//! so beyond that, squares of offsets are searched from the nearest on, and those at which the masks
//! certainly overlap are discarded as a whole ([`DistantOffsets`]).

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec2;

use crate::math::{length, try_normalize};
use crate::query::grid::MaskPair;
use crate::query::mtv::search::Candidate;
use crate::shape::grid::{CellGrid, GridTransform};
use crate::shape::{Bitmap, Mask};

/// The translations out of each other of two masks whose pixels have the same size and are parallel.
pub(super) struct MaskTranslations<'a> {
    pair: MaskPair<'a>,
    transform: &'a GridTransform,
    /// The side of a pixel.
    pixel: f64,
}

impl<'a> MaskTranslations<'a> {
    /// Returns `None` if the pixels differ in size or are not parallel.
    pub fn new(a: &'a Mask, b: &'a Mask) -> Option<Self> {
        let placement = a.placement();
        let (transform, pixel) = (&placement.transform, placement.longest_side());
        Some(Self { pair: MaskPair::new(a, b)?, transform, pixel })
    }

    /// Returns `true` if a radius is so small that all offsets within it can be tested one by one.
    pub fn can_test_all(&self, radius: f64) -> bool {
        const MAX_REACH: f64 = 24.0;
        radius <= MAX_REACH * self.pixel
    }

    /// Returns the translations within a radius that may be the shortest, nearest first.
    pub fn within(&self, radius: f64) -> Vec<Candidate> {
        let offset = self.pair.lattice.offset;
        let reach = radius / self.pixel + 1.0;
        let free = FreeOffsets::new(self.pair.a, self.pair.b, offset, reach);
        let mut found: Vec<Candidate> = Vec::new();
        let mut add = |candidate: Candidate| {
            if length(candidate.translation) <= radius {
                found.push(candidate);
            }
        };
        free.for_each_straight(offset, &mut |free_offset| add(self.straight(free_offset)));
        free.for_each_whole(&mut |free_offset| add(self.whole(free_offset)));
        found.sort_by(|p, q| length(p.translation).total_cmp(&length(q.translation)));
        found
    }

    /// Returns the translations from a distance on that may be the shortest, nearest first. `covers`
    /// returns `true` only if the masks overlap at all translations in a box.
    pub fn beyond<'s>(
        &'s self,
        nearest: f64,
        covers: &'s dyn Fn(DVec2, DVec2) -> bool,
    ) -> impl Iterator<Item = Candidate> + use<'s, 'a> {
        DistantOffsets::new(self, nearest / self.pixel - 1.0, covers)
    }

    /// Returns the candidate at a free offset straight above, below or beside `o`.
    fn straight(&self, free_offset: DVec2) -> Candidate {
        self.candidate(free_offset, [self.pair.lattice.offset - free_offset; 2])
    }

    /// Returns the candidate at a free whole offset.
    fn whole(&self, free_offset: DVec2) -> Candidate {
        let step = self.pair.lattice.offset - free_offset;
        // Straight above, below or beside `o` there is one boundary; elsewhere two intersect.
        let (x, y) = (DVec2::new(step.x, 0.0), DVec2::new(0.0, step.y));
        let normals = if step.x == 0.0 {
            [y; 2]
        } else if step.y == 0.0 {
            [x; 2]
        } else {
            [x, y]
        };
        self.candidate(free_offset, normals)
    }

    fn candidate(&self, free_offset: DVec2, normals: [DVec2; 2]) -> Candidate {
        let to_world = |vector: DVec2| self.transform.vector_to_world(vector);
        let normals = normals.map(|normal| try_normalize(to_world(normal)).unwrap_or(normal));
        let translation = to_world(self.pair.lattice.offset - free_offset);
        Candidate { translation, normals, edge: None }
    }
}

/// The whole offsets near `o`, each with a flag that is `true` if it is free.
struct FreeOffsets {
    first: [i32; 2],
    side: usize,
    is_free: Vec<bool>,
}

impl FreeOffsets {
    fn new(a: &Bitmap, b: &Bitmap, offset: DVec2, reach: f64) -> Self {
        let first = [offset.x, offset.y].map(|at| libm::floor(at - reach) as i32);
        let side = libm::ceil(2.0 * reach) as usize + 2;
        #[cfg(test)]
        crate::operation_count::add((side * side) as u64);
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

/// The largest side of a square of offsets that are tested one by one.
const MAX_TESTED: i64 = 8;

/// Finds the free offsets from the nearest on, without a test of each offset at which the masks overlap.
struct DistantOffsets<'a> {
    masks: &'a MaskTranslations<'a>,
    /// Offsets nearer than this, in pixels, do not count.
    nearest: f64,
    covers: &'a dyn Fn(DVec2, DVec2) -> bool,
    queue: BinaryHeap<QueueEntry>,
}

/// An item of the queue, and its least distance from `o` in pixels.
struct QueueEntry {
    distance: f64,
    item: QueueItem,
}

enum QueueItem {
    /// The whole offsets from the first on, in a square.
    Square { first: [i64; 2], side: i64 },
    /// The offset straight above, below or beside `o` at a whole coordinate, and those behind it.
    Straight { axis: usize, step: i64, at: i64 },
    /// A free offset, and its rank among those that are equally far: as in [`FreeOffsets`], the
    /// straight ones come first, then the others row by row.
    Free { offset: DVec2, is_whole: bool, rank: [i64; 2] },
}

impl<'a> DistantOffsets<'a> {
    fn new(
        masks: &'a MaskTranslations<'a>,
        nearest: f64,
        covers: &'a dyn Fn(DVec2, DVec2) -> bool,
    ) -> Self {
        let offset = masks.pair.lattice.offset;
        // Beyond the sizes of both bitmaps, all offsets are free.
        let sides = [masks.pair.a, masks.pair.b].map(|it| i64::from(it.width().max(it.height())));
        let half = (sides[0] + sides[1] + 1).max(MAX_TESTED) as u64;
        let half = half.next_power_of_two() as i64;
        let first = [offset.x, offset.y].map(|at| libm::floor(at) as i64 - half);
        let mut search = Self { masks, nearest, covers, queue: BinaryHeap::new() };
        search.push_square(first, 2 * half);
        for (axis, step) in [(0, -1), (0, 1), (1, -1), (1, 1)] {
            let at = if step < 0 { libm::floor(offset[axis]) } else { libm::ceil(offset[axis]) };
            let skipped = libm::floor(nearest.max(0.0)) as i64;
            search.push_straight(axis, step, at as i64 + step * skipped);
        }
        search
    }

    /// Adds a square of offsets, unless all of them are too near or not free.
    fn push_square(&mut self, first: [i64; 2], side: i64) {
        let offset = self.masks.pair.lattice.offset;
        let low = DVec2::new(first[0] as f64, first[1] as f64);
        let high = low + (side - 1) as f64;
        // Where the bitmaps are apart, no offset has an adjacent one that is not free.
        let MaskPair { a, b, .. } = &self.masks.pair;
        let size = |it: &Bitmap| DVec2::new(it.width().into(), it.height().into());
        if low.cmpgt(size(a)).any() || (high + size(b)).cmplt(DVec2::ZERO).any() {
            return;
        }
        if length((offset - low).abs().max((offset - high).abs())) < self.nearest {
            return;
        }
        // A translation is `o` less an offset. The box around them in the world may be rotated.
        if side > MAX_TESTED {
            let [a, b] = [offset - high, offset - low];
            let corners = [a, b, DVec2::new(a.x, b.y), DVec2::new(b.x, a.y)]
                .map(|corner| self.masks.transform.vector_to_world(corner));
            let least = corners.into_iter().fold(corners[0], DVec2::min);
            let greatest = corners.into_iter().fold(corners[0], DVec2::max);
            if (self.covers)(least, greatest) {
                return;
            }
        }
        let distance = length(offset - offset.clamp(low, high));
        self.queue.push(QueueEntry { distance, item: QueueItem::Square { first, side } });
    }

    fn push_straight(&mut self, axis: usize, step: i64, at: i64) {
        let MaskPair { a, b, .. } = &self.masks.pair;
        let size = |it: &Bitmap| i64::from([it.width(), it.height()][axis]);
        if at > size(a) || at + size(b) < 0 {
            return; // the bitmaps are apart
        }
        let distance = (at as f64 - self.masks.pair.lattice.offset[axis]).abs();
        self.queue.push(QueueEntry { distance, item: QueueItem::Straight { axis, step, at } });
    }

    fn push_free(&mut self, offset: DVec2, is_whole: bool, rank: [i64; 2]) {
        let distance = length(offset - self.masks.pair.lattice.offset);
        if distance >= self.nearest {
            let item = QueueItem::Free { offset, is_whole, rank };
            self.queue.push(QueueEntry { distance, item });
        }
    }

    fn is_free(&self, [x, y]: [i64; 2]) -> bool {
        #[cfg(test)]
        crate::operation_count::add(1);
        let MaskPair { a, b, .. } = &self.masks.pair;
        !a.overlaps_at(b, [x as i32, y as i32]) // bitmaps have less than 2^28 pixels
    }

    fn search_square(&mut self, first: [i64; 2], side: i64) {
        let [x, y] = first;
        if side > MAX_TESTED {
            let half = side / 2;
            for first in [[x, y], [x + half, y], [x, y + half], [x + half, y + half]] {
                self.push_square(first, half);
            }
            return;
        }
        for (y, x) in (y..y + side).flat_map(|y| (x..x + side).map(move |x| (y, x))) {
            let mut around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| [x + dx, y + dy]));
            if self.is_free([x, y]) && !around.all(|at| self.is_free(at)) {
                self.push_free(DVec2::new(x as f64, y as f64), true, [y, x]);
            }
        }
    }

    fn search_straight(&mut self, axis: usize, step: i64, at: i64) {
        let offset = self.masks.pair.lattice.offset;
        let other = 1 - axis;
        let ends = [libm::floor(offset[other]), libm::ceil(offset[other])].map(|end| end as i64);
        let is_free = ends.into_iter().all(|end| {
            let mut whole = [end; 2];
            whole[axis] = at;
            self.is_free(whole)
        });
        if is_free {
            let mut free = offset;
            free[axis] = at as f64;
            let rank = [at - libm::floor(offset[axis]) as i64, other as i64];
            self.push_free(free, false, rank);
        }
        self.push_straight(axis, step, at + step);
    }
}

impl Iterator for DistantOffsets<'_> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        loop {
            match self.queue.pop()?.item {
                QueueItem::Square { first, side } => self.search_square(first, side),
                QueueItem::Straight { axis, step, at } => self.search_straight(axis, step, at),
                QueueItem::Free { offset, is_whole: true, .. } => {
                    return Some(self.masks.whole(offset));
                }
                QueueItem::Free { offset, .. } => return Some(self.masks.straight(offset)),
            }
        }
    }
}

impl Ord for QueueEntry {
    /// Compares by distance, the nearest as the greatest. An item to search comes before a free offset at the same
    /// distance.
    fn cmp(&self, other: &Self) -> Ordering {
        let rank = |entry: &Self| match entry.item {
            QueueItem::Free { is_whole, rank, .. } => (true, is_whole, rank),
            _ => (false, false, [0; 2]),
        };
        other.distance.total_cmp(&self.distance).then_with(|| rank(other).cmp(&rank(self)))
    }
}

impl PartialOrd for QueueEntry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for QueueEntry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for QueueEntry {}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::prelude::*;
    use crate::query::mtv::certain::CertainOverlap;

    #[test]
    fn distant_offsets_are_those_of_a_test_of_all_offsets() {
        let mut state = 1u64;
        let mut below = |end: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % end
        };
        for round in 0..60u64 {
            // Blocks of pixels with some holes.
            let mut bitmap = |side: u32| {
                let holes: Vec<[u64; 2]> = (0..below(6)).map(|_| [below(40), below(40)]).collect();
                Bitmap::from_fn(side, side, |x, y| {
                    !holes.iter().any(|hole| {
                        u64::from(x).abs_diff(hole[0]) + u64::from(y).abs_diff(hole[1]) < 4
                    })
                })
            };
            let (first, second) = (bitmap(30 + (round % 17) as u32), bitmap(40));
            let angle = [0.0, 0.0, core::f32::consts::FRAC_PI_2, 0.3][round as usize % 4];
            let a = Mask::new([0.0, 0.0], 0.5, first).rotated(angle, [1.0, 2.0]);
            let at = [below(24) as f32 * 0.25, below(24) as f32 * 0.25];
            let b = Mask::new(at, 0.5, second).rotated(angle, [1.0, 2.0]);
            let masks = MaskTranslations::new(&a, &b).unwrap();
            let radius = 60.0;
            let nearest = [0.0, 1.0, 5.0][round as usize % 3];
            let certain = CertainOverlap::new(a.as_shape(), b.as_shape(), 1e-7);
            let covers = |low: DVec2, high: DVec2| certain.covers(low, high);
            let distances = |candidates: &mut dyn Iterator<Item = Candidate>| {
                let far = candidates.map(|it| length(it.translation)).filter(|it| *it >= nearest);
                far.collect::<Vec<f64>>()
            };
            let all = distances(&mut masks.within(radius).into_iter());
            let found = distances(&mut masks.beyond(nearest, &covers).take(60));
            assert!(found.is_sorted_by(|a, b| *a <= b + 1e-9), "round {round}: {found:?}");
            // The nearest ones are the same, and all are free.
            assert!((all[0] - found[0]).abs() < 1e-9, "round {round}: {all:?} and {found:?}");
            let is_free = |it: &f64| all.iter().any(|other| (it - other).abs() < 1e-9);
            assert!(found.iter().all(is_free), "round {round}: {all:?} and {found:?}");
        }
    }
}
