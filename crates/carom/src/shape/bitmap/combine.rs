//! Operations on two bitmaps. The position of the second one is that of its first pixel, in pixels
//! of the first one.

use core::ops::RangeInclusive;

use glam::Vec2;

use super::bits::span_bits;
use super::overlap::OverlapWindow;
use super::{BLOCK, Bitmap};
use crate::shape::Cell;

impl Bitmap {
    fn combine(&mut self, other: &Self, at: [i32; 2], both: impl Fn(u64, u64) -> u64) {
        let Some(OverlapWindow { columns, rows, second, .. }) =
            OverlapWindow::of_all(self, other, at)
        else {
            return;
        };
        for row in rows.clone() {
            for across in columns.start / BLOCK..columns.end.div_ceil(BLOCK) {
                let bits = second.bits(row, across as usize) & span_bits(&columns, across);
                let word = &mut self.words[row as usize * self.stride + across as usize];
                *word = both(*word, bits);
            }
        }
        self.update_summaries_in(columns, rows);
    }

    /// Sets every pixel that is set in `other`, placed with its first pixel at `at` (union).
    pub fn draw(&mut self, other: &Self, at: [i32; 2]) {
        self.combine(other, at, |word, other| word | other);
    }

    /// Clears every pixel that is set in `other`, placed with its first pixel at `at` (difference).
    pub fn erase(&mut self, other: &Self, at: [i32; 2]) {
        self.combine(other, at, |word, other| word & !other);
    }

    /// Inverts every pixel that is set in `other`, placed with its first pixel at `at` (symmetric
    /// difference).
    pub fn toggle(&mut self, other: &Self, at: [i32; 2]) {
        self.combine(other, at, |word, other| word ^ other);
    }

    /// Clears every pixel that is not set in `other`, placed with its first pixel at `at`
    /// (intersection).
    pub fn keep(&mut self, other: &Self, at: [i32; 2]) {
        *self = self.overlap(other, at);
    }

    /// Returns a bitmap of this size with the pixels that are set in both, `other` placed with its
    /// first pixel at `at`.
    pub fn overlap(&self, other: &Self, at: [i32; 2]) -> Self {
        let mut common = Self::new(self.width, self.height);
        if let Some(shared) = OverlapWindow::of_used(self, other, at) {
            shared.for_each_common_word(|row, across, bits| {
                common.words[row as usize * self.stride + across] = bits;
            });
            common.update_summaries_in(shared.columns, shared.rows);
        }
        common
    }

    /// Returns the number of pixels that are set in both, `other` placed with its first pixel at
    /// `at`.
    pub fn overlap_count(&self, other: &Self, at: [i32; 2]) -> u64 {
        let mut count = 0;
        if let Some(shared) = OverlapWindow::of_used(self, other, at) {
            shared.for_each_common_word(|_, _, bits| count += u64::from(bits.count_ones()));
        }
        count
    }

    /// Returns the first pixel, row by row, that is set in both, `other` placed with its first
    /// pixel at `at`.
    pub fn first_overlap(&self, other: &Self, at: [i32; 2]) -> Option<Cell> {
        OverlapWindow::of_used(self, other, at)?.first_pixel()
    }

    /// Returns the direction in which this bitmap leaves `other`, placed with its first pixel at
    /// `at`, as an approximate contact normal that is not normalized.
    ///
    /// Its x coordinate is the number of common pixels if this bitmap were one pixel further left,
    /// less the number if it were one pixel further right; y likewise. It is zero if the counts are
    /// equal.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let ball = Bitmap::from_rows(&[".##.", "####", "####", ".##."]);
    /// let floor = Bitmap::from_rows(&["########"]);
    /// let normal = ball.overlap_gradient(&floor, [-2, 3]).normalize();
    /// assert_eq!(normal, Vec2::new(0.0, -1.0)); // the floor lies at greater y
    /// ```
    pub fn overlap_gradient(&self, other: &Self, at: [i32; 2]) -> Vec2 {
        let common = |x: i32, y: i32| {
            self.overlap_count(other, [at[0].saturating_add(x), at[1].saturating_add(y)])
        };
        let slope = |more: u64, less: u64| more as f32 - less as f32;
        Vec2::new(slope(common(1, 0), common(-1, 0)), slope(common(0, 1), common(0, -1)))
    }

    /// Returns `true` if a pixel is set in both, `other` placed with its first pixel at `at`.
    pub fn overlaps_at(&self, other: &Self, at: [i32; 2]) -> bool {
        OverlapWindow::of_used(self, other, at)
            .is_some_and(|shared| shared.overlapping_rows().is_some())
    }

    /// Returns `true` if a pixel is set in both for any position in a range of columns and rows.
    pub(crate) fn overlaps_at_any(
        &self,
        other: &Self,
        x: RangeInclusive<i32>,
        y: RangeInclusive<i32>,
    ) -> bool {
        y.into_iter().any(|y| x.clone().any(|x| self.overlaps_at(other, [x, y])))
    }
}
