//! What is known of a bitmap without reading its pixels: how many there are in each block, the shadows
//! of rows, and from where to where there are any.
//!
//! Eight rows throw a *shadow*: a row that has each pixel set that one of the eight has set. Where the
//! shadows of two bitmaps have no pixel in common, their rows have none, which takes an eighth of the
//! reads to see.

use core::ops::Range;

use super::{BLOCK, Bitmap};

/// How many rows throw a shadow together.
pub(super) const TALL: u32 = 8;

/// The number of the shadow that a row is part of.
pub(super) fn shadow_of(row: u32) -> u32 {
    row / TALL
}

/// How many words the shadows of so many rows take: a clear one lies before the first, and another
/// behind the last, so that there is one beside each.
pub(super) fn shadow_words(height: u32, stride: usize) -> usize {
    (height.div_ceil(TALL) as usize + 2) * stride
}

impl Bitmap {
    /// Where a shadow starts among the words of all; that before the first has number -1.
    pub(super) fn shadow_start(&self, number: i64) -> usize {
        (number + 1) as usize * self.stride
    }

    /// The words of a shadow.
    #[inline]
    pub(crate) fn shadow(&self, number: i64) -> &[u64] {
        let start = self.shadow_start(number);
        &self.shadows[start..start + self.stride]
    }

    /// Counts the blocks, throws the shadows and finds the used columns and rows anew, after many words
    /// have changed.
    pub(super) fn recount(&mut self) {
        self.recount_in(0..self.width, 0..self.height);
    }

    /// The same, after pixels have changed in some columns and rows only.
    pub(super) fn recount_in(&mut self, columns: Range<u32>, rows: Range<u32>) {
        if columns.is_empty() || rows.is_empty() {
            return;
        }
        for down in rows.start / BLOCK..rows.end.div_ceil(BLOCK) {
            for across in columns.start / BLOCK..columns.end.div_ceil(BLOCK) {
                self.recount_block(across as usize, down);
            }
        }
        self.columns = joined(&self.columns, &columns);
        self.rows = joined(&self.rows, &rows);
        self.tighten();
    }

    fn recount_block(&mut self, across: usize, down: u32) {
        let mut count = 0;
        for row in (down * BLOCK..self.height.min((down + 1) * BLOCK)).step_by(TALL as usize) {
            self.throw_shadow(row, across);
            count += self.words_below(row, across).map(u64::count_ones).sum::<u32>();
        }
        let stride = self.stride;
        self.blocks[down as usize * stride + across] = count as u16; // at most 64 times 64
    }

    /// Throws the shadow of a row and those that share it anew, in a word.
    pub(super) fn throw_shadow(&mut self, row: u32, across: usize) {
        let number = shadow_of(row);
        let shadow = self.words_below(number * TALL, across).fold(0, |any, word| any | word);
        let start = self.shadow_start(number.into());
        self.shadows[start + across] = shadow;
    }

    /// A word of eight rows from one on, or of those that are left.
    fn words_below(&self, row: u32, across: usize) -> impl Iterator<Item = u64> {
        let rows = row..self.height.min(row + TALL);
        rows.map(move |row| self.row(row)[across])
    }

    /// Adds a pixel to the used columns and rows.
    pub(super) fn stretch_to(&mut self, column: u32, row: u32) {
        self.columns = joined(&self.columns, &(column..column + 1));
        self.rows = joined(&self.rows, &(row..row + 1));
    }

    /// Whether a pixel is in one of the outermost columns and rows that are used.
    pub(super) fn is_outermost(&self, column: u32, row: u32) -> bool {
        let is_end = |range: &Range<u32>, at: u32| at == range.start || at + 1 == range.end;
        is_end(&self.columns, column) || is_end(&self.rows, row)
    }

    /// Takes the outermost rows and columns off while they are clear.
    pub(super) fn tighten(&mut self) {
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

    /// The columns from the first pixel that is set to the last, of which there is one.
    fn tight_columns(&self, rows: &Range<u32>) -> Range<u32> {
        let shadows = shadow_of(rows.start)..=shadow_of(rows.end - 1);
        let any = |across: u32| {
            let words = shadows.clone().map(|number| self.shadow(number.into())[across as usize]);
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

/// From the first place of two ranges to the last.
fn joined(range: &Range<u32>, other: &Range<u32>) -> Range<u32> {
    if range.is_empty() {
        other.clone()
    } else {
        range.start.min(other.start)..range.end.max(other.end)
    }
}
