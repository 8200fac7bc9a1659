//! Two bitmaps, the second's first pixel at a place in the first.

use core::ops::{ControlFlow, Range, RangeInclusive};

use carom_simd::{Shift, Words, bits_meet};
use glam::Vec2;

use super::words::bits_from;
use super::{BLOCK, Bitmap};
use crate::shape::Cell;

/// Where one bitmap lies on another: the columns and rows of the first that the second covers, and
/// where the second's first pixel is.
struct Shared {
    columns: Range<u32>,
    rows: Range<u32>,
    at: [i64; 2],
}

impl Shared {
    /// Between ranges of columns and rows of the two.
    fn new(
        (columns, rows): (Range<u32>, Range<u32>),
        (other_columns, other_rows): (Range<u32>, Range<u32>),
        at: [i32; 2],
    ) -> Self {
        let at = at.map(i64::from);
        let both = |range: Range<u32>, other: Range<u32>, at: i64| {
            let start = i64::from(range.start).max(i64::from(other.start) + at);
            let end = i64::from(range.end).min(i64::from(other.end) + at);
            start as u32..end.max(start) as u32 // between the ends of the first, if not empty
        };
        let columns = both(columns, other_columns, at[0]);
        let rows = both(rows, other_rows, at[1]);
        if columns.is_empty() || rows.is_empty() {
            return Self { columns: 0..0, rows: 0..0, at };
        }
        Self { columns, rows, at }
    }

    /// The bits of the other's row that lie on a word of the first.
    #[inline]
    fn bits(&self, other: &Bitmap, row: u32, across: u32) -> u64 {
        let other_row = (i64::from(row) - self.at[1]) as u32;
        bits_from(other.row(other_row), i64::from(across * BLOCK) - self.at[0])
    }

    /// Whether both have a pixel set in some words of some rows.
    fn meets(
        &self,
        bitmap: &Bitmap,
        other: &Bitmap,
        band: &Range<u32>,
        words: &Range<u32>,
    ) -> bool {
        let block = i64::from(BLOCK);
        let shift = Shift {
            across: (-self.at[0]).div_euclid(block) as isize,
            bit: (-self.at[0]).rem_euclid(block) as u32,
        };
        let other_row = (i64::from(band.start) - self.at[1]) as u32;
        let words = words.start as usize..words.end as usize;
        bits_meet(
            bitmap.rows_from(band.start),
            other.rows_from(other_row),
            band.len(),
            words,
            shift,
        )
    }
}

impl Bitmap {
    /// The words of all rows from one on.
    fn rows_from(&self, row: u32) -> Words<'_> {
        let stride = self.stride();
        Words { words: &self.words[row as usize * stride..], stride }
    }

    fn all(&self) -> (Range<u32>, Range<u32>) {
        (0..self.width, 0..self.height)
    }

    fn combine(&mut self, other: &Self, at: [i32; 2], both: impl Fn(u64, u64) -> u64) {
        let shared = Shared::new(self.all(), other.all(), at);
        let (columns, rows) = (shared.columns.clone(), shared.rows.clone());
        self.change_words(columns, rows, |row, across, meant, word| {
            both(word, shared.bits(other, row, across) & meant)
        });
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
        let _ = self.each_common::<()>(other, at, |row, across, bits| {
            let stride = common.stride();
            common.words[row as usize * stride + across as usize] = bits;
            ControlFlow::Continue(())
        });
        common.recount();
        common
    }

    /// How many pixels both have in common, with the other's first pixel at a place.
    pub fn overlap_count(&self, other: &Self, at: [i32; 2]) -> u64 {
        let mut count = 0;
        let _ = self.each_common::<()>(other, at, |_, _, bits| {
            count += u64::from(bits.count_ones());
            ControlFlow::Continue(())
        });
        count
    }

    /// The first pixel, row by row, that both have in common, with the other's first pixel at a place.
    pub fn first_overlap(&self, other: &Self, at: [i32; 2]) -> Option<Cell> {
        let mut first: Option<Cell> = None;
        let _ = self.each_common::<()>(other, at, |row, across, bits| {
            let found = Cell::new(across * BLOCK + bits.trailing_zeros(), row);
            let before = |a: Cell, b: Cell| (a.row, a.column) < (b.row, b.column);
            if bits != 0 && first.is_none_or(|first| before(found, first)) {
                first = Some(found);
            }
            ControlFlow::Continue(())
        });
        first
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
        let shared = Shared::new(self.used(), other.used(), at);
        self.each_stretch(other, &shared, |band, words| {
            match shared.meets(self, other, &band, &words) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })
        .is_break()
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

    /// Tells the words of the first, where the second covers them, with the bits that both have set;
    /// a block in which either is clear is left out.
    fn each_common<B>(
        &self,
        other: &Self,
        at: [i32; 2],
        mut visit: impl FnMut(u32, u32, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let shared = Shared::new(self.used(), other.used(), at);
        self.each_stretch(other, &shared, |mut band, words| {
            band.try_for_each(|row| {
                words.clone().try_for_each(|across| {
                    let bits = self.row(row)[across as usize] & shared.bits(other, row, across);
                    visit(row, across, bits)
                })
            })
        })
    }

    /// Tells stretches of blocks side by side in which both may have pixels set: their rows, and the
    /// numbers of their words.
    fn each_stretch<B>(
        &self,
        other: &Self,
        shared: &Shared,
        mut visit: impl FnMut(Range<u32>, Range<u32>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Shared { columns, rows, .. } = shared;
        let words = columns.start / BLOCK..columns.end.div_ceil(BLOCK);
        if self.clear_blocks + other.clear_blocks == 0 && !rows.is_empty() {
            return visit(rows.clone(), words); // there is nothing to leave out
        }
        for down in rows.start / BLOCK..rows.end.div_ceil(BLOCK) {
            let band = rows.start.max(down * BLOCK)..rows.end.min((down + 1) * BLOCK);
            let mut start = words.start;
            for across in words.clone() {
                if self.in_block(across, down) == 0 || !other.may_meet(shared, across, &band) {
                    if start < across {
                        visit(band.clone(), start..across)?;
                    }
                    start = across + 1;
                }
            }
            if start < words.end {
                visit(band, start..words.end)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether some of the blocks that lie on a word's rows have pixels set.
    fn may_meet(&self, shared: &Shared, across: u32, band: &Range<u32>) -> bool {
        let block = |place: i64, size: u32| {
            place.clamp(0, i64::from(size) - 1).div_euclid(i64::from(BLOCK)) as u32
        };
        let first = i64::from(across * BLOCK) - shared.at[0];
        let (left, right) =
            (block(first, self.width), block(first + i64::from(BLOCK) - 1, self.width));
        let row = |row: u32| block(i64::from(row) - shared.at[1], self.height);
        let (top, bottom) = (row(band.start), row(band.end - 1));
        (top..=bottom).any(|down| (left..=right).any(|across| self.in_block(across, down) > 0))
    }
}
