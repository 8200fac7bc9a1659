//! Bitmaps: images with one bit per pixel.

mod aligned;
mod bits;
mod combine;
mod convert;
mod images;
mod islands;
mod outline;
mod overlap;
mod summary;
#[cfg(test)]
mod tests;
mod transform;

pub(crate) use bits::{ones, runs, span_bits};
pub use islands::Island;

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use glam::{DVec2, Vec2};

use crate::error::ShapeError;
use crate::math::to_vec2;
use crate::shape::Cell;
use aligned::AlignedWords;
use bits::low_bits;
use images::Images;
use summary::summary_words;

/// An image with one bit per pixel, set or clear: the pixels of a [`Mask`](crate::shape::Mask).
///
/// A pixel is identified by its [`Cell`]: its column along +x and its row along +y. Two bitmaps are
/// compared and combined with the first pixel of the second at a position in the first, as with the
/// masks of pygame. All of these operations process 64 pixels at a time, and skip clear areas eight
/// rows at a time.
///
/// ```
/// use carom::prelude::*;
/// let ship = Bitmap::from_rows(&[".##.", "####", ".##."]);
/// let shot = Bitmap::from_rows(&["###"]);
/// assert!(!ship.overlaps_at(&shot, [3, 0]));
/// assert_eq!(ship.first_overlap(&shot, [3, 1]), Some(Cell::new(3, 1)));
/// assert_eq!(ship.overlap_count(&shot, [1, 1]), 3);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Bitmap {
    width: u32,
    height: u32,
    /// The number of words per row.
    stride: usize,
    /// The pixels, row by row; the lowest bit is the first pixel. Bits beyond the width are 0.
    words: AlignedWords,
    /// The summaries of eight rows each, with as many words as a row.
    summaries: AlignedWords,
    /// The number of set pixels in each block, row by row.
    blocks: Vec<u16>,
    /// The range of columns with set pixels. `rows` is the range of rows.
    columns: Range<u32>,
    rows: Range<u32>,
    /// The flipped and turned images, once they have been needed.
    images: Images,
}

/// The side of a block in pixels: the number of bits in a word.
pub(crate) const BLOCK: u32 = 64;

impl Bitmap {
    /// The largest width and height.
    pub const MAX_SIDE: u32 = 16_384;

    /// Creates a bitmap of clear pixels.
    ///
    /// # Panics
    /// Panics if [`Bitmap::try_new`] returns an error.
    pub fn new(width: u32, height: u32) -> Self {
        Self::try_new(width, height).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a bitmap of clear pixels, or returns an error if the size is invalid.
    ///
    /// # Errors
    /// Returns an error if the width or height is zero or greater than [`Bitmap::MAX_SIDE`].
    pub fn try_new(width: u32, height: u32) -> Result<Self, ShapeError> {
        if width == 0 || height == 0 {
            return Err(ShapeError::EmptyBitmap);
        }
        if width.max(height) > Self::MAX_SIDE {
            return Err(ShapeError::TooManyPixels { width, height });
        }
        let (across, down) = (width.div_ceil(BLOCK) as usize, height.div_ceil(BLOCK) as usize);
        Ok(Self {
            width,
            height,
            stride: across,
            words: AlignedWords::zeros(across * height as usize),
            summaries: AlignedWords::zeros(summary_words(height, across)),
            blocks: vec![0; across * down],
            columns: 0..0,
            rows: 0..0,
            images: Images::default(),
        })
    }

    /// Returns the number of columns.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the number of rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    fn contains_cell(&self, at: Cell) -> bool {
        at.column < self.width && at.row < self.height
    }

    /// Returns the words of a row.
    #[inline]
    pub(crate) fn row(&self, row: u32) -> &[u64] {
        let start = row as usize * self.stride;
        &self.words[start..start + self.stride]
    }

    /// Returns the number of set pixels in a block.
    #[inline]
    pub(crate) fn count_in_block(&self, across: u32, down: u32) -> u32 {
        self.blocks[down as usize * self.stride + across as usize].into()
    }

    /// Returns the ranges of columns and rows with set pixels.
    pub(crate) fn used(&self) -> (Range<u32>, Range<u32>) {
        (self.columns.clone(), self.rows.clone())
    }

    /// Returns `true` if a pixel is set. Pixels outside the bitmap are clear.
    #[inline]
    pub fn get(&self, at: impl Into<Cell>) -> bool {
        let at = at.into();
        self.contains_cell(at)
            && self.row(at.row)[(at.column / BLOCK) as usize] >> (at.column % BLOCK) & 1 == 1
    }

    /// Sets or clears a pixel, and returns `true` if it was set before.
    ///
    /// This takes constant time, unless it clears the last pixel of an outermost row or column:
    /// then it searches for the next one that is not clear.
    ///
    /// # Panics
    /// Panics if the pixel is outside the bitmap.
    pub fn set(&mut self, at: impl Into<Cell>, value: bool) -> bool {
        let at = at.into();
        let Self { width, height, .. } = *self;
        assert!(self.contains_cell(at), "{at:?} is outside a bitmap of {width} by {height} pixels");
        let before = self.get(at);
        if before == value {
            return before;
        }
        self.images.clear();
        let stride = self.stride;
        let across = (at.column / BLOCK) as usize;
        self.words[at.row as usize * stride + across] ^= 1 << (at.column % BLOCK);
        let count = &mut self.blocks[(at.row / BLOCK) as usize * stride + across];
        *count = if value { *count + 1 } else { *count - 1 };
        self.update_summary(at.row, across);
        if value {
            self.extend_bounds_to(at.column, at.row);
        } else if self.is_on_bounds(at.column, at.row) {
            self.shrink_bounds();
        }
        before
    }

    /// Returns the number of set pixels.
    pub fn count(&self) -> u64 {
        self.blocks.iter().map(|&count| u64::from(count)).sum()
    }

    /// Returns `true` if no pixel is set.
    pub fn is_clear(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the bounds of the set pixels: their first column and row, and their width and
    /// height. Returns `None` if no pixel is set.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let sprite = Bitmap::from_rows(&["....", ".##.", ".#.."]);
    /// assert_eq!(sprite.pixel_bounds(), Some((Cell::new(1, 1), [2, 2])));
    /// ```
    pub fn pixel_bounds(&self) -> Option<(Cell, [u32; 2])> {
        let size = [self.columns.len() as u32, self.rows.len() as u32];
        (!self.is_clear()).then(|| (Cell::new(self.columns.start, self.rows.start), size))
    }

    /// Returns the center of mass of the set pixels, in pixels from the minimum corner of the
    /// bitmap (the center of pixel (0, 0) is at 0.5). Returns `None` if no pixel is set.
    pub fn centroid(&self) -> Option<Vec2> {
        let mut sum = DVec2::ZERO;
        self.for_each_run(|row, columns| {
            let (start, end) = (f64::from(columns.start), f64::from(columns.end));
            sum += DVec2::new((start + end) / 2.0, f64::from(row) + 0.5) * (end - start);
        });
        (!self.is_clear()).then(|| to_vec2(sum / self.count() as f64))
    }

    /// Iterates over the set pixels, row by row.
    pub fn pixels(&self) -> impl Iterator<Item = Cell> + '_ {
        let word = |row: u32| self.row(row).iter().copied().enumerate();
        self.rows.clone().flat_map(move |row| {
            word(row).flat_map(move |(across, word)| {
                ones(word).map(move |bit| Cell::new(across as u32 * BLOCK + bit, row))
            })
        })
    }

    /// Calls `visit` with every maximal run of set pixels, row by row.
    pub(crate) fn for_each_run(&self, mut visit: impl FnMut(u32, Range<u32>)) {
        for row in self.rows.clone() {
            let mut open: Option<Range<u32>> = None;
            for (across, &word) in self.row(row).iter().enumerate() {
                for run in runs(word) {
                    let first = across as u32 * BLOCK;
                    let run = first + run.start..first + run.end;
                    match &mut open {
                        Some(before) if before.end == run.start => before.end = run.end,
                        _ => {
                            if let Some(before) = open.replace(run) {
                                visit(row, before);
                            }
                        }
                    }
                }
            }
            if let Some(last) = open {
                visit(row, last);
            }
        }
    }

    /// Iterates over the runs of set pixels in a row, limited to a range of columns. A run that
    /// crosses a word boundary may be split there.
    pub(crate) fn runs_in(
        &self,
        row: u32,
        columns: &Range<u32>,
    ) -> impl Iterator<Item = Range<u32>> + '_ {
        let columns = columns.clone();
        let words = columns.start / BLOCK..columns.end.div_ceil(BLOCK).max(columns.start / BLOCK);
        words.flat_map(move |across| {
            let word = self.row(row)[across as usize] & span_bits(&columns, across);
            runs(word).map(move |run| across * BLOCK + run.start..across * BLOCK + run.end)
        })
    }

    /// Returns the bits of a word of a row that are pixels.
    fn pixel_bits(&self, across: usize) -> u64 {
        low_bits(self.width - across as u32 * BLOCK)
    }
}

/// Prints the rows as text, with `#` for each set pixel.
impl core::fmt::Debug for Bitmap {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Bitmap({} by {}, {} set)", self.width, self.height, self.count())?;
        if self.width.max(self.height) > 64 {
            return Ok(());
        }
        self.to_rows().iter().try_for_each(|row| write!(f, "\n{row}"))
    }
}
