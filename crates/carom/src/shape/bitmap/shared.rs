//! What two bitmaps share, the second's first pixel at a place in the first.

use core::ops::{Range, RangeInclusive};

use carom_simd::{BitOffset, BitRows, Overlay, bitmaps_overlap};

use super::coarse::{TALL, shadow_of};
use super::words::bits_from;
use super::{BLOCK, Bitmap};
use crate::shape::Cell;

/// How many rows are compared in the first step, and in the first after one that turned out otherwise.
const FIRST_STEP: u32 = 256;

/// How much larger each further step is.
const STEP_GROWS: u32 = 4;

/// Up to how many words are read at once rather than their shadows first.
const SMALL: usize = 256;

/// A bitmap as it lies on another one.
#[derive(Clone, Copy)]
pub(super) struct Laid<'a> {
    bitmap: &'a Bitmap,
    /// From a word of the other to the bits that lie on it.
    offset: BitOffset,
    /// From a row of the other to the one that lies on it.
    down: i64,
}

impl<'a> Laid<'a> {
    /// At a place where they share pixels, which is not further off than they are large.
    #[inline]
    fn new(bitmap: &'a Bitmap, [x, y]: [i32; 2]) -> Self {
        let (across, block) = (-x as isize, BLOCK as isize);
        let offset =
            BitOffset { across: across.div_euclid(block), bit: across.rem_euclid(block) as u32 };
        Self { bitmap, offset, down: -i64::from(y) }
    }

    /// The bits that lie on a word of a row of the other.
    #[inline]
    pub fn bits(&self, row: u32, across: usize) -> u64 {
        self.bits_in(self.bitmap.row((i64::from(row) + self.down) as u32), across)
    }

    #[inline]
    fn bits_in(&self, row: &[u64], across: usize) -> u64 {
        bits_from(row, across as isize + self.offset.across, self.offset.bit)
    }

    /// The numbers of the shadows that the rows of one of the other's lie on: the first and the last, if
    /// it is another.
    fn shadows_on(&self, number: u32) -> RangeInclusive<i64> {
        let row = i64::from(number * TALL) + self.down;
        let shadow = |row: i64| row.div_euclid(TALL.into());
        shadow(row)..=shadow(row + i64::from(TALL) - 1)
    }
}

/// The columns and rows of one bitmap that another one covers.
pub(super) struct Shared<'a, 'b> {
    pub columns: Range<u32>,
    pub rows: Range<u32>,
    first: &'a Bitmap,
    pub second: Laid<'b>,
    /// The words of the first that have these columns.
    words: Range<usize>,
}

impl<'a, 'b> Shared<'a, 'b> {
    /// Of all columns and rows of the two, with the second's first pixel at a place; `None` where none
    /// are shared.
    pub fn of_all(first: &'a Bitmap, second: &'b Bitmap, at: [i32; 2]) -> Option<Self> {
        let all = |bitmap: &Bitmap| [0..bitmap.width, 0..bitmap.height];
        Self::new((first, all(first)), (second, all(second)), at)
    }

    /// Of those from the first pixel that is set to the last only.
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
        Some(Self { columns, rows, first, second: Laid::new(second, at), words })
    }

    /// The bits of a word of a row of the first that both have set.
    #[inline]
    fn common(&self, row: u32, across: usize) -> u64 {
        self.first.row(row)[across] & self.second.bits(row, across)
    }

    /// Rows among which are the first that have a pixel in common, if there are any.
    #[inline]
    pub fn meeting_rows(&self) -> Option<Range<u32>> {
        if self.rows.len() * self.words.len() <= SMALL {
            return self.rows_meet(&self.rows).then(|| self.rows.clone());
        }
        self.meeting_rows_by_shadows()
    }

    /// Of more and more rows at a time, shadows are compared, and where these meet the rows: as long as
    /// the one or the other is the rule, it is seen in few steps.
    fn meeting_rows_by_shadows(&self) -> Option<Range<u32>> {
        let (mut row, mut step, mut last) = (self.rows.start, FIRST_STEP, None);
        while row < self.rows.end {
            let rows = row..self.rows.end.min(row + step);
            let at_a_glance = self.meeting_at(shadow_of(row))(self.words.start);
            let is_near = at_a_glance || self.shadows_meet(&rows);
            if is_near && self.rows_meet(&rows) {
                return Some(rows);
            }
            step = if last == Some(is_near) { step * STEP_GROWS } else { FIRST_STEP };
            (row, last) = (rows.end, Some(is_near));
        }
        None
    }

    /// The first pixel, row by row, that both have set.
    pub fn first_pixel(&self) -> Option<Cell> {
        let mut rows = self.meeting_rows()?;
        while rows.len() > 1 {
            let middle = rows.start.midpoint(rows.end);
            let is_before = self.rows_meet(&(rows.start..middle));
            rows = if is_before { rows.start..middle } else { middle..rows.end };
        }
        let (row, mut words) = (rows.start, self.words.clone());
        words.find_map(|across| {
            let bits = self.common(row, across);
            (bits != 0).then(|| Cell::new(across as u32 * BLOCK + bits.trailing_zeros(), row))
        })
    }

    /// Tells the words of the first in which both may have bits set, with those that they have.
    pub fn each_common(&self, mut visit: impl FnMut(u32, usize, u64)) {
        for number in shadow_of(self.rows.start)..self.rows.end.div_ceil(TALL) {
            let words = self.meeting_words(number);
            let first = number * TALL;
            for row in self.rows.start.max(first)..self.rows.end.min(first + TALL) {
                words.clone().for_each(|across| visit(row, across, self.common(row, across)));
            }
        }
    }

    /// From the first word to the last in which a shadow of the first meets what it lies on.
    fn meeting_words(&self, number: u32) -> Range<usize> {
        let meets = self.meeting_at(number);
        let mut meeting = self.words.clone().filter(|&across| meets(across));
        let Some(first) = meeting.next() else { return 0..0 };
        first..meeting.next_back().unwrap_or(first) + 1
    }

    /// Tells whether a shadow of the first meets what it lies on in a word.
    fn meeting_at(&self, number: u32) -> impl Fn(usize) -> bool {
        let Self { first, second, .. } = self;
        let (mine, on) = (first.shadow(number.into()), second.shadows_on(number));
        let [low, high] = [on.start(), on.end()].map(|&number| second.bitmap.shadow(number));
        move |across| {
            mine[across] & (second.bits_in(low, across) | second.bits_in(high, across)) != 0
        }
    }

    /// Whether the shadows of some rows have a pixel in common.
    fn shadows_meet(&self, rows: &Range<u32>) -> bool {
        let (first, last) = (shadow_of(rows.start), shadow_of(rows.end - 1));
        let mine = self.first.shadows_from(first.into());
        self.second.shadows_on(first).any(|number| {
            let theirs = self.second.bitmap.shadows_from(number);
            self.bitmaps_overlap(mine, theirs, last - first + 1)
        })
    }

    /// Whether some rows have a pixel in common.
    fn rows_meet(&self, rows: &Range<u32>) -> bool {
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
    /// The words of all rows from one on.
    #[inline]
    fn rows_from(&self, row: u32) -> BitRows<'_> {
        BitRows { words: &self.words[row as usize * self.stride..], stride: self.stride }
    }

    /// The words of all shadows from one on.
    #[inline]
    fn shadows_from(&self, number: i64) -> BitRows<'_> {
        BitRows { words: &self.shadows[self.shadow_start(number)..], stride: self.stride }
    }
}
