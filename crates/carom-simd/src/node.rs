//! Eight boxes side by side.

use crate::{Bounds, LANES, Lanes};

/// Eight boxes, each side in a row of its own. A lane without a box has its sides the wrong way round.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))] // two lines of a cache, never three
pub struct Node {
    rows: [[f32; LANES]; 4],
}

impl Node {
    /// No box: nothing meets it, and what is added to it is all there is.
    pub const NO_BOX: Bounds = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];

    /// From the boxes of its lanes, of which the last may be missing.
    #[inline(always)]
    pub fn new(boxes: impl IntoIterator<Item = Bounds>) -> Self {
        let mut node = Self { rows: Self::NO_BOX.map(|side| [side; LANES]) };
        for (lane, bounds) in (0..LANES).zip(boxes) {
            node.set(lane, &bounds);
        }
        node
    }

    /// The box in a lane.
    #[inline(always)]
    pub fn get(&self, lane: usize) -> Bounds {
        let [min_x, min_y, max_x, max_y] = &self.rows;
        [min_x[lane], min_y[lane], max_x[lane], max_y[lane]]
    }

    /// Puts a box into a lane.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, bounds: &Bounds) {
        for (row, &side) in self.rows.iter_mut().zip(bounds) {
            row[lane] = side;
        }
    }

    /// A side of every lane, by its place in [`Bounds`].
    #[inline(always)]
    pub fn row<L: Lanes>(&self, side: usize) -> L {
        L::load(&self.rows[side % 4])
    }

    /// The least x of every lane, then the least y, the greatest x and the greatest y.
    #[inline(always)]
    pub fn rows<L: Lanes>(&self) -> [L; 4] {
        let [min_x, min_y, max_x, max_y] = &self.rows;
        [L::load(min_x), L::load(min_y), L::load(max_x), L::load(max_y)]
    }

    /// The box around all lanes.
    #[inline]
    pub fn around(&self) -> Bounds {
        let [min_x, min_y, max_x, max_y] = &self.rows;
        let least = |row: &[f32; LANES]| row.iter().fold(f32::INFINITY, |a, &b| a.min(b));
        let greatest = |row: &[f32; LANES]| row.iter().fold(f32::NEG_INFINITY, |a, &b| a.max(b));
        [least(min_x), least(min_y), greatest(max_x), greatest(max_y)]
    }
}
