//! Summaries of a bitmap that let queries skip pixels: the number of set pixels per block, the
//! union of every eight rows, and the bounds of the set pixels.
//!
//! A *row summary* is the bitwise OR of eight rows. Where the summaries of two bitmaps have no
//! pixel in common, neither do their rows, which takes an eighth of the reads to find out.

use core::ops::Range;

use super::{BLOCK, Bitmap};

/// The number of rows in a summary.
pub(super) const ROWS_PER_SUMMARY: u32 = 8;

/// Returns the index of the summary that includes a row.
pub(super) fn summary_of(row: u32) -> u32 {
    row / ROWS_PER_SUMMARY
}

/// Returns the number of words for the summaries of a bitmap. A clear summary precedes the first
/// one and another follows the last one, so that every summary has two neighbors.
pub(super) fn summary_words(height: u32, stride: usize) -> usize {
    (height.div_ceil(ROWS_PER_SUMMARY) as usize + 2) * stride
}

impl Bitmap {
    /// Returns the index of the first word of a summary. The clear one before the first has index
    /// -1.
    pub(super) fn summary_start(&self, number: i64) -> usize {
        (number + 1) as usize * self.stride
    }

    /// Returns the words of a summary.
    #[inline]
    pub(crate) fn summary(&self, number: i64) -> &[u64] {
        let start = self.summary_start(number);
        &self.summaries[start..start + self.stride]
    }

    /// Recomputes all summaries after many words have changed.
    pub(super) fn update_summaries(&mut self) {
        self.update_summaries_in(0..self.width, 0..self.height);
    }

    /// Recomputes the summaries after pixels have changed in a range of columns and rows.
    pub(super) fn update_summaries_in(&mut self, columns: Range<u32>, rows: Range<u32>) {
        if columns.is_empty() || rows.is_empty() {
            return;
        }
        self.images.clear();
        for down in rows.start / BLOCK..rows.end.div_ceil(BLOCK) {
            for across in columns.start / BLOCK..columns.end.div_ceil(BLOCK) {
                self.update_block(across as usize, down);
            }
        }
        self.columns = joined(&self.columns, &columns);
        self.rows = joined(&self.rows, &rows);
        self.shrink_bounds();
    }

    fn update_block(&mut self, across: usize, down: u32) {
        let mut count = 0;
        for row in
            (down * BLOCK..self.height.min((down + 1) * BLOCK)).step_by(ROWS_PER_SUMMARY as usize)
        {
            self.update_summary(row, across);
            count += self.words_below(row, across).map(u64::count_ones).sum::<u32>();
        }
        let stride = self.stride;
        self.blocks[down as usize * stride + across] = count as u16; // at most 64 times 64
    }

    /// Recomputes one word of the summary that includes a row.
    pub(super) fn update_summary(&mut self, row: u32, across: usize) {
        let number = summary_of(row);
        let summary =
            self.words_below(number * ROWS_PER_SUMMARY, across).fold(0, |any, word| any | word);
        let start = self.summary_start(number.into());
        self.summaries[start + across] = summary;
    }

    /// Iterates over a word in each of the eight rows from `row` on, fewer at the end of the
    /// bitmap.
    fn words_below(&self, row: u32, across: usize) -> impl Iterator<Item = u64> {
        let rows = row..self.height.min(row + ROWS_PER_SUMMARY);
        rows.map(move |row| self.row(row)[across])
    }

    /// Extends the bounds of the set pixels to include a pixel.
    pub(super) fn extend_bounds_to(&mut self, column: u32, row: u32) {
        self.columns = joined(&self.columns, &(column..column + 1));
        self.rows = joined(&self.rows, &(row..row + 1));
    }

    /// Returns `true` if a pixel lies on the border of the bounds of the set pixels.
    pub(super) fn is_on_bounds(&self, column: u32, row: u32) -> bool {
        let is_end = |range: &Range<u32>, at: u32| at == range.start || at + 1 == range.end;
        is_end(&self.columns, column) || is_end(&self.rows, row)
    }

    /// Shrinks the bounds of the set pixels while their outermost rows and columns are clear.
    pub(super) fn shrink_bounds(&mut self) {
        let mut rows = self.rows.clone();
        while !rows.is_empty() && self.row(rows.start).iter().all(|&word| word == 0) {
            rows.start += 1;
        }
        while !rows.is_empty() && self.row(rows.end - 1).iter().all(|&word| word == 0) {
            rows.end -= 1;
        }
        self.columns = if rows.is_empty() { 0..0 } else { self.tight_columns(&rows) };
        self.rows = if rows.is_empty() { 0..0 } else { rows };
    }

    /// Returns the range of columns with set pixels. There must be at least one in the given rows.
    fn tight_columns(&self, rows: &Range<u32>) -> Range<u32> {
        let summaries = summary_of(rows.start)..=summary_of(rows.end - 1);
        let any = |across: u32| {
            let words =
                summaries.clone().map(|number| self.summary(number.into())[across as usize]);
            words.fold(0u64, |any, word| any | word)
        };
        let (mut first, mut last) = (self.columns.start / BLOCK, (self.columns.end - 1) / BLOCK);
        while any(first) == 0 {
            first += 1;
        }
        while any(last) == 0 {
            last -= 1;
        }
        let start = first * BLOCK + any(first).trailing_zeros();
        start..(last + 1) * BLOCK - any(last).leading_zeros()
    }
}

/// Returns the smallest range that includes two ranges.
fn joined(range: &Range<u32>, other: &Range<u32>) -> Range<u32> {
    if range.is_empty() {
        other.clone()
    } else {
        range.start.min(other.start)..range.end.max(other.end)
    }
}
