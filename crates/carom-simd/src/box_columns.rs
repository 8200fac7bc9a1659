//! Boxes in memory: as an array of structures, and as a structure of arrays.

use alloc::vec::Vec;

use crate::{Bounds, COPY_FLAG, LANES};

/// A box and its id, side by side: random access to both costs one cache miss.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BoxEntry {
    /// The box.
    pub bounds: Bounds,
    /// The id, which may have the [`COPY_FLAG`].
    pub id: u32,
}

impl BoxEntry {
    /// Returns the entry at an index. If the index has the [`COPY_FLAG`], so does the returned id.
    #[inline(always)]
    pub(crate) fn at(list: &[Self], index: u32) -> Self {
        let Self { bounds, id } = list[(index & !COPY_FLAG) as usize];
        Self { bounds, id: id | (index & COPY_FLAG) }
    }
}

/// The number of unused entries after the boxes in each column. These are [`LANES`] more than are ever read: with
/// exactly [`LANES`], the columns are aligned so that searches among a thousand boxes take 3 % longer.
const PADDING: usize = 2 * LANES;

/// A list of boxes with their ids as a structure of arrays (SoA): each coordinate has its own array, so that
/// those of eight boxes are adjacent.
///
/// Each array has at least 16 unused entries after the last box. The `min_x` of the first 16 is NaN, so they
/// intersect nothing. The AVX2 loops may therefore load eight boxes from any index up to `len() + 8`.
#[derive(Clone, Debug)]
#[doc(alias = "SoA")]
pub struct BoxColumns {
    pub(crate) min_x: Vec<f32>,
    pub(crate) max_x: Vec<f32>,
    pub(crate) min_y: Vec<f32>,
    pub(crate) max_y: Vec<f32>,
    pub(crate) ids: Vec<u32>,
    len: usize,
}

impl BoxColumns {
    /// The maximum number of boxes. The AVX2 loops compute in `i32`, in which twice an index, plus a few,
    /// must fit.
    pub const MAX_LEN: usize = (1 << 30) - PADDING;

    /// Creates an empty list.
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

    /// Changes the number of boxes. The values of all boxes are unspecified afterwards.
    ///
    /// # Panics
    /// Panics if `len` is greater than [`Self::MAX_LEN`].
    pub fn resize(&mut self, len: usize) {
        assert!(len <= Self::MAX_LEN, "{len} boxes are more than {}", Self::MAX_LEN);
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

    /// Returns the number of boxes.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if there are no boxes.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Overwrites the box at an index.
    ///
    /// # Panics
    /// Panics if the index is out of bounds.
    #[inline]
    pub fn set(&mut self, index: usize, BoxEntry { bounds, id }: BoxEntry) {
        assert!(index < self.len, "index {index} out of bounds for {} boxes", self.len);
        [self.min_x[index], self.min_y[index], self.max_x[index], self.max_y[index]] = bounds;
        self.ids[index] = id;
    }

    /// Returns the box at an index.
    ///
    /// # Panics
    /// Panics if the index is out of bounds.
    #[inline]
    pub fn get(&self, index: usize) -> BoxEntry {
        assert!(index < self.len, "index {index} out of bounds for {} boxes", self.len);
        let bounds = [self.min_x[index], self.min_y[index], self.max_x[index], self.max_y[index]];
        BoxEntry { bounds, id: self.ids[index] }
    }

    /// Returns the smallest x of every box.
    #[inline]
    pub fn min_x(&self) -> &[f32] {
        &self.min_x[..self.len]
    }

    /// Returns the greatest x of every box.
    #[inline]
    pub fn max_x(&self) -> &[f32] {
        &self.max_x[..self.len]
    }

    /// Panics unless `end`, the end of a range of boxes, is at most the number of boxes.
    #[inline]
    pub(crate) fn check_range_end(&self, end: usize) {
        assert!(end <= self.len, "range end {end} out of bounds for {} boxes", self.len);
    }
}

impl Default for BoxColumns {
    fn default() -> Self {
        Self::new()
    }
}
