//! Two bitmaps, the second's first pixel at a place in the first.

use core::ops::RangeInclusive;

use glam::Vec2;

use super::shared::Shared;
use super::words::span_bits;
use super::{BLOCK, Bitmap};
use crate::shape::Cell;

impl Bitmap {
    fn combine(&mut self, other: &Self, at: [i32; 2], both: impl Fn(u64, u64) -> u64) {
        let Some(Shared { columns, rows, second, .. }) = Shared::of_all(self, other, at) else {
            return;
        };
        for row in rows.clone() {
            for across in columns.start / BLOCK..columns.end.div_ceil(BLOCK) {
                let meant = second.bits(row, across as usize) & span_bits(&columns, across);
                let word = &mut self.words[row as usize * self.stride + across as usize];
                *word = both(*word, meant);
            }
        }
        self.recount_in(columns, rows);
    }

    /// Sets the pixels that the other has set, with its first pixel at a place: both together.
    pub fn draw(&mut self, other: &Self, at: [i32; 2]) {
        self.combine(other, at, |word, other| word | other);
    }

    /// Clears the pixels that the other has set, with its first pixel at a place.
    pub fn erase(&mut self, other: &Self, at: [i32; 2]) {
        self.combine(other, at, |word, other| word & !other);
    }

    /// Inverts the pixels that the other has set, with its first pixel at a place: what is set in one
    /// of the two only.
    pub fn toggle(&mut self, other: &Self, at: [i32; 2]) {
        self.combine(other, at, |word, other| word ^ other);
    }

    /// Clears the pixels that the other, with its first pixel at a place, has not set: what both have
    /// in common.
    pub fn keep(&mut self, other: &Self, at: [i32; 2]) {
        *self = self.overlap(other, at);
    }

    /// What both have in common, with the other's first pixel at a place.
    pub fn overlap(&self, other: &Self, at: [i32; 2]) -> Self {
        let mut common = Self::new(self.width, self.height);
        if let Some(shared) = Shared::of_used(self, other, at) {
            shared.each_common(|row, across, bits| {
                common.words[row as usize * self.stride + across] = bits;
            });
            common.recount_in(shared.columns, shared.rows);
        }
        common
    }

    /// How many pixels both have in common, with the other's first pixel at a place.
    pub fn overlap_count(&self, other: &Self, at: [i32; 2]) -> u64 {
        let mut count = 0;
        if let Some(shared) = Shared::of_used(self, other, at) {
            shared.each_common(|_, _, bits| count += u64::from(bits.count_ones()));
        }
        count
    }

    /// The first pixel, row by row, that both have in common, with the other's first pixel at a place.
    pub fn first_overlap(&self, other: &Self, at: [i32; 2]) -> Option<Cell> {
        Shared::of_used(self, other, at)?.first_pixel()
    }

    /// Which way leads out of the other, with its first pixel at a place: how many more pixels both
    /// would have in common if this one were a pixel further left than if it were further right, and
    /// the same for y. Zero where that tells no way.
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

    /// Whether the two have a pixel in common, with the other's first pixel at a place.
    pub fn overlaps_at(&self, other: &Self, at: [i32; 2]) -> bool {
        Shared::of_used(self, other, at).is_some_and(|shared| shared.meeting_rows().is_some())
    }

    /// Whether the two have a pixel in common with the other's first pixel at any of some places that
    /// lie side by side.
    pub(crate) fn overlaps_at_any(
        &self,
        other: &Self,
        x: RangeInclusive<i32>,
        y: RangeInclusive<i32>,
    ) -> bool {
        y.into_iter().any(|y| x.clone().any(|x| self.overlaps_at(other, [x, y])))
    }
}
