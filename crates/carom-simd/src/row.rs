//! Boxes by columns.

use alloc::vec::Vec;

use crate::{BoxEntry, LANES};

/// The columns of a row are longer than it by so many places: by more than are read, since with just
/// those the columns lie so in memory that searches among a thousand boxes take longer (by 3%).
const PADDING: usize = 2 * LANES;

/// A list of boxes with their ids, each coordinate in a list of its own, so that those of eight boxes
/// lie side by side.
///
/// The columns are longer than the row by places that no box meets: eight boxes can be read from every
/// place of the row, and from its end.
#[derive(Clone, Debug)]
pub struct BoxColumns {
    pub(crate) min_x: Vec<f32>,
    pub(crate) max_x: Vec<f32>,
    pub(crate) min_y: Vec<f32>,
    pub(crate) max_y: Vec<f32>,
    pub(crate) ids: Vec<u32>,
    len: usize,
}

impl BoxColumns {
    /// With no boxes.
    pub fn new() -> Self {
        let column = || alloc::vec![0.0; PADDING];
        Self {
            min_x: alloc::vec![f32::NAN; PADDING],
            max_x: column(),
            min_y: column(),
            max_y: column(),
            ids: alloc::vec![0; PADDING],
            len: 0,
        }
    }

    /// The most boxes in a row. Twice a place and a few more fit in `i32`, in which the AVX2 loops compute.
    pub const MAX_LEN: usize = (1 << 30) - PADDING;

    /// Makes the row shorter or longer. What stands at the places is not specified.
    ///
    /// # Panics
    /// Panics if `len` is greater than [`Self::MAX_LEN`].
    pub fn resize(&mut self, len: usize) {
        assert!(len <= Self::MAX_LEN, "a row has at most {} boxes, not {len}", Self::MAX_LEN);
        let padded = len + PADDING;
        if padded > self.ids.len() {
            for column in [&mut self.min_x, &mut self.max_x, &mut self.min_y, &mut self.max_y] {
                column.resize(padded, 0.0);
            }
            self.ids.resize(padded, 0);
        }
        self.min_x[len..padded].fill(f32::NAN);
        self.len = len;
    }

    /// How many boxes there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no box.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Writes a box at a place.
    ///
    /// # Panics
    /// If the row is not that long.
    #[inline]
    pub fn put(&mut self, at: usize, BoxEntry { bounds, id }: BoxEntry) {
        assert!(at < self.len, "a row of {} has no place {at}", self.len);
        [self.min_x[at], self.min_y[at], self.max_x[at], self.max_y[at]] = bounds;
        self.ids[at] = id;
    }

    /// The least x of every box.
    #[inline]
    pub fn min_x(&self) -> &[f32] {
        &self.min_x[..self.len]
    }

    /// The greatest x of every box.
    #[inline]
    pub fn max_x(&self) -> &[f32] {
        &self.max_x[..self.len]
    }

    /// The box at a place.
    ///
    /// # Panics
    /// If the row is not that long.
    #[inline]
    pub fn get(&self, at: usize) -> BoxEntry {
        assert!(at < self.len, "a row of {} has no place {at}", self.len);
        let bounds = [self.min_x[at], self.min_y[at], self.max_x[at], self.max_y[at]];
        BoxEntry { bounds, id: self.ids[at] }
    }
}

impl Default for BoxColumns {
    fn default() -> Self {
        Self::new()
    }
}
