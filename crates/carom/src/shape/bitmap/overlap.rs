//! The common pixels of two bitmaps, the second placed at an offset on the first.

use core::ops::{Range, RangeInclusive};

use carom_simd::{BitOffset, BitRows, Overlay, bitmaps_overlap};

use super::bits::bits_from;
use super::summary::{ROWS_PER_SUMMARY, summary_of};
use super::{BLOCK, Bitmap};
use crate::shape::Cell;

/// The number of rows in the first step, and in the first step after one with another outcome.
const FIRST_STEP: u32 = 256;

/// The factor by which each further step is larger.
const STEP_GROWS: u32 = 4;

/// The number of words up to which the rows are compared directly, without their summaries.
const SMALL: usize = 256;

/// A bitmap shifted onto another one.
#[derive(Clone, Copy)]
pub(super) struct Shifted<'a> {
    bitmap: &'a Bitmap,
    /// The offset from a word of the other bitmap to the bits of this one at the same position.
    offset: BitOffset,
    /// The offset from a row of the other bitmap to the row of this one at the same position.
    down: i64,
}

impl<'a> Shifted<'a> {
    /// Creates the view for an offset at which the two bitmaps intersect.
    #[inline]
    fn new(bitmap: &'a Bitmap, [x, y]: [i32; 2]) -> Self {
        let (across, block) = (-x as isize, BLOCK as isize);
        let offset =
            BitOffset { across: across.div_euclid(block), bit: across.rem_euclid(block) as u32 };
        Self { bitmap, offset, down: -i64::from(y) }
    }

    /// Returns the bits at the position of a word of the other bitmap.
    #[inline]
    pub fn bits(&self, row: u32, across: usize) -> u64 {
        self.bits_in(self.bitmap.row((i64::from(row) + self.down) as u32), across)
    }

    #[inline]
    fn bits_in(&self, row: &[u64], across: usize) -> u64 {
        bits_from(row, across as isize + self.offset.across, self.offset.bit)
    }

    /// Returns the indices of the summaries that intersect a summary of the other bitmap: one, or
    /// two adjacent ones.
    fn summaries_at(&self, number: u32) -> RangeInclusive<i64> {
        let row = i64::from(number * ROWS_PER_SUMMARY) + self.down;
        let summary = |row: i64| row.div_euclid(ROWS_PER_SUMMARY.into());
        summary(row)..=summary(row + i64::from(ROWS_PER_SUMMARY) - 1)
    }
}

/// The columns and rows of one bitmap that another one covers.
pub(super) struct OverlapWindow<'a, 'b> {
    pub columns: Range<u32>,
    pub rows: Range<u32>,
    first: &'a Bitmap,
    pub second: Shifted<'b>,
    /// The words of the first bitmap that include these columns.
    words: Range<usize>,
}

impl<'a, 'b> OverlapWindow<'a, 'b> {
    /// Intersects the whole areas of two bitmaps. Returns `None` if they are disjoint.
    pub fn of_all(first: &'a Bitmap, second: &'b Bitmap, at: [i32; 2]) -> Option<Self> {
        let all = |bitmap: &Bitmap| [0..bitmap.width, 0..bitmap.height];
        Self::new((first, all(first)), (second, all(second)), at)
    }

    /// Intersects the bounds of the set pixels of two bitmaps. Returns `None` if they are disjoint.
    #[inline]
    pub fn of_used(first: &'a Bitmap, second: &'b Bitmap, at: [i32; 2]) -> Option<Self> {
        let used = |bitmap: &Bitmap| [bitmap.columns.clone(), bitmap.rows.clone()];
        Self::new((first, used(first)), (second, used(second)), at)
    }

    #[inline]
    fn new(
        (first, [columns, rows]): (&'a Bitmap, [Range<u32>; 2]),
        (second, [other_columns, other_rows]): (&'b Bitmap, [Range<u32>; 2]),
        at: [i32; 2],
    ) -> Option<Self> {
        let both = |range: Range<u32>, other: Range<u32>, at: i32| {
            let start = i64::from(range.start).max(i64::from(other.start) + i64::from(at));
            let end = i64::from(range.end).min(i64::from(other.end) + i64::from(at));
            (start < end).then_some(start as u32..end as u32)
        };
        let (columns, rows) =
            (both(columns, other_columns, at[0])?, both(rows, other_rows, at[1])?);
        let words = (columns.start / BLOCK) as usize..columns.end.div_ceil(BLOCK) as usize;
        Some(Self { columns, rows, first, second: Shifted::new(second, at), words })
    }

    /// Returns the bits of a word of the first bitmap that are set in both.
    #[inline]
    fn common(&self, row: u32, across: usize) -> u64 {
        self.first.row(row)[across] & self.second.bits(row, across)
    }

    /// Returns a range of rows that includes the first row with a common pixel, if there is one.
    #[inline]
    pub fn overlapping_rows(&self) -> Option<Range<u32>> {
        if self.rows.len() * self.words.len() <= SMALL {
            return self.rows_overlap(&self.rows).then(|| self.rows.clone());
        }
        self.overlapping_rows_by_summaries()
    }

    /// Compares summaries, and rows only where the summaries have a common pixel. The step grows as
    /// long as the outcome stays the same, so that large areas of either kind take few steps.
    fn overlapping_rows_by_summaries(&self) -> Option<Range<u32>> {
        let (mut row, mut step, mut last) = (self.rows.start, FIRST_STEP, None);
        while row < self.rows.end {
            let rows = row..self.rows.end.min(row + step);
            let first_word_overlaps = self.summary_overlap_test(summary_of(row))(self.words.start);
            let is_near = first_word_overlaps || self.summaries_overlap(&rows);
            if is_near && self.rows_overlap(&rows) {
                return Some(rows);
            }
            step = if last == Some(is_near) { step * STEP_GROWS } else { FIRST_STEP };
            (row, last) = (rows.end, Some(is_near));
        }
        None
    }

    /// Returns the first pixel, row by row, that is set in both.
    pub fn first_pixel(&self) -> Option<Cell> {
        let mut rows = self.overlapping_rows()?;
        while rows.len() > 1 {
            let middle = rows.start.midpoint(rows.end);
            let is_before = self.rows_overlap(&(rows.start..middle));
            rows = if is_before { rows.start..middle } else { middle..rows.end };
        }
        let (row, mut words) = (rows.start, self.words.clone());
        words.find_map(|across| {
            let bits = self.common(row, across);
            (bits != 0).then(|| Cell::new(across as u32 * BLOCK + bits.trailing_zeros(), row))
        })
    }

    /// Calls `visit` with the row, the word index and the common bits of every word that may have
    /// some.
    pub fn for_each_common_word(&self, mut visit: impl FnMut(u32, usize, u64)) {
        for number in summary_of(self.rows.start)..self.rows.end.div_ceil(ROWS_PER_SUMMARY) {
            let words = self.overlapping_words(number);
            let first = number * ROWS_PER_SUMMARY;
            for row in self.rows.start.max(first)..self.rows.end.min(first + ROWS_PER_SUMMARY) {
                words.clone().for_each(|across| visit(row, across, self.common(row, across)));
            }
        }
    }

    /// Returns the range of words in which a summary of the first bitmap has bits in common with
    /// those of the second.
    fn overlapping_words(&self, number: u32) -> Range<usize> {
        let overlaps = self.summary_overlap_test(number);
        let mut words = self.words.clone().filter(|&across| overlaps(across));
        let Some(first) = words.next() else { return 0..0 };
        first..words.next_back().unwrap_or(first) + 1
    }

    /// Returns a function that tests whether a summary has bits in common with the second bitmap in
    /// a word.
    fn summary_overlap_test(&self, number: u32) -> impl Fn(usize) -> bool {
        let Self { first, second, .. } = self;
        let (mine, on) = (first.summary(number.into()), second.summaries_at(number));
        let [low, high] = [on.start(), on.end()].map(|&number| second.bitmap.summary(number));
        move |across| {
            mine[across] & (second.bits_in(low, across) | second.bits_in(high, across)) != 0
        }
    }

    /// Returns `true` if the summaries of a range of rows have a common pixel.
    fn summaries_overlap(&self, rows: &Range<u32>) -> bool {
        let (first, last) = (summary_of(rows.start), summary_of(rows.end - 1));
        let mine = self.first.summaries_from(first.into());
        self.second.summaries_at(first).any(|number| {
            let theirs = self.second.bitmap.summaries_from(number);
            self.bitmaps_overlap(mine, theirs, last - first + 1)
        })
    }

    /// Returns `true` if a range of rows has a common pixel.
    fn rows_overlap(&self, rows: &Range<u32>) -> bool {
        let other = (i64::from(rows.start) + self.second.down) as u32;
        let theirs = self.second.bitmap.rows_from(other);
        self.bitmaps_overlap(self.first.rows_from(rows.start), theirs, rows.end - rows.start)
    }

    #[inline]
    fn bitmaps_overlap(&self, mine: BitRows<'_>, theirs: BitRows<'_>, rows: u32) -> bool {
        let (offset, words, rows) = (self.second.offset, self.words.clone(), rows as usize);
        bitmaps_overlap(&Overlay { first: mine, second: theirs, offset, words, rows })
    }
}

impl Bitmap {
    /// Returns the words of all rows from one on.
    #[inline]
    fn rows_from(&self, row: u32) -> BitRows<'_> {
        BitRows { words: &self.words[row as usize * self.stride..], stride: self.stride }
    }

    /// Returns the words of all summaries from one on.
    #[inline]
    fn summaries_from(&self, number: i64) -> BitRows<'_> {
        BitRows { words: &self.summaries[self.summary_start(number)..], stride: self.stride }
    }
}
