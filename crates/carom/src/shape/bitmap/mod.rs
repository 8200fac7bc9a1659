//! Pictures of one bit a pixel.

mod coarse;
mod combine;
mod islands;
mod lines;
mod outline;
mod paint;
mod shared;
#[cfg(test)]
mod tests;
mod transform;
mod words;

pub use islands::Island;
pub(crate) use words::{ones, runs, span_bits};

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use glam::{DVec2, Vec2};

use crate::error::ShapeError;
use crate::math::to_vec2;
use crate::shape::Cell;
use coarse::shadow_words;
use lines::Lines;
use words::low_bits;

/// One bit a pixel: set or clear. What a [`Mask`](crate::shape::Mask) is made of.
///
/// A pixel is named by its [`Cell`]: its column along +x and its row along +y. Two bitmaps are compared
/// and combined with the second's first pixel at a place in the first, as with the masks of pygame. All
/// of that works on 64 pixels at a time; where one is clear, or the two pass each other by, an eighth of
/// them is looked at.
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
    /// How many words a row has.
    stride: usize,
    /// Row by row; the least bit is the first pixel. Bits beyond the width are 0.
    words: Lines,
    /// The shadows of eight rows each, as many words a shadow as a row has.
    shadows: Lines,
    /// How many pixels of each block are set, row of blocks by row of blocks.
    blocks: Vec<u16>,
    /// From the first column that is not clear to the last, and the same for rows.
    columns: Range<u32>,
    rows: Range<u32>,
}

/// The side of a block, in pixels: as many as a word has bits.
pub(crate) const BLOCK: u32 = 64;

impl Bitmap {
    /// The greatest width and height.
    pub const MAX_SIDE: u32 = 16_384;

    /// A bitmap of clear pixels.
    ///
    /// # Panics
    /// Panics if [`Bitmap::try_new`] returns an error.
    pub fn new(width: u32, height: u32) -> Self {
        Self::try_new(width, height).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A bitmap of clear pixels, checked.
    ///
    /// # Errors
    /// No width or no height; either of them above [`Bitmap::MAX_SIDE`].
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
            words: Lines::zeros(across * height as usize),
            shadows: Lines::zeros(shadow_words(height, across)),
            blocks: vec![0; across * down],
            columns: 0..0,
            rows: 0..0,
        })
    }

    /// How many columns there are.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// How many rows there are.
    pub fn height(&self) -> u32 {
        self.height
    }

    fn holds(&self, at: Cell) -> bool {
        at.column < self.width && at.row < self.height
    }

    /// The words of a row.
    #[inline]
    pub(crate) fn row(&self, row: u32) -> &[u64] {
        let start = row as usize * self.stride;
        &self.words[start..start + self.stride]
    }

    /// How many pixels of a block are set.
    #[inline]
    pub(crate) fn in_block(&self, across: u32, down: u32) -> u32 {
        self.blocks[down as usize * self.stride + across as usize].into()
    }

    /// The columns and rows from the first pixel that is set to the last.
    pub(crate) fn used(&self) -> (Range<u32>, Range<u32>) {
        (self.columns.clone(), self.rows.clone())
    }

    /// Whether a pixel is set; none outside the bitmap is.
    #[inline]
    pub fn get(&self, at: impl Into<Cell>) -> bool {
        let at = at.into();
        self.holds(at)
            && self.row(at.row)[(at.column / BLOCK) as usize] >> (at.column % BLOCK) & 1 == 1
    }

    /// Sets or clears a pixel, and tells what it was before.
    ///
    /// This takes the same time in any bitmap; but where it clears the last pixel of an outermost row
    /// or column, the next one with a pixel in it is looked for.
    ///
    /// # Panics
    /// Where the pixel is outside the bitmap.
    pub fn set(&mut self, at: impl Into<Cell>, value: bool) -> bool {
        let at = at.into();
        let Self { width, height, .. } = *self;
        assert!(self.holds(at), "{at:?} is outside a bitmap of {width} by {height} pixels");
        let before = self.get(at);
        if before == value {
            return before;
        }
        let stride = self.stride;
        let across = (at.column / BLOCK) as usize;
        self.words[at.row as usize * stride + across] ^= 1 << (at.column % BLOCK);
        let count = &mut self.blocks[(at.row / BLOCK) as usize * stride + across];
        *count = if value { *count + 1 } else { *count - 1 };
        self.throw_shadow(at.row, across);
        if value {
            self.stretch_to(at.column, at.row);
        } else if self.is_outermost(at.column, at.row) {
            self.tighten();
        }
        before
    }

    /// How many pixels are set.
    pub fn count(&self) -> u64 {
        self.blocks.iter().map(|&count| u64::from(count)).sum()
    }

    /// Whether no pixel is set.
    pub fn is_clear(&self) -> bool {
        self.rows.is_empty()
    }

    /// The smallest box of pixels that holds all that are set: its first pixel, and its width and
    /// height. `None` where none is set.
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

    /// The centre of mass of the pixels that are set, in pixels from the first corner (the middle of
    /// pixel (0, 0) is at 0.5); `None` where none is set.
    pub fn centroid(&self) -> Option<Vec2> {
        let mut sum = DVec2::ZERO;
        self.each_run(|row, columns| {
            let (start, end) = (f64::from(columns.start), f64::from(columns.end));
            sum += DVec2::new((start + end) / 2.0, f64::from(row) + 0.5) * (end - start);
        });
        (!self.is_clear()).then(|| to_vec2(sum / self.count() as f64))
    }

    /// The pixels that are set, row by row.
    pub fn pixels(&self) -> impl Iterator<Item = Cell> + '_ {
        let word = |row: u32| self.row(row).iter().copied().enumerate();
        self.rows.clone().flat_map(move |row| {
            word(row).flat_map(move |(across, word)| {
                ones(word).map(move |bit| Cell::new(across as u32 * BLOCK + bit, row))
            })
        })
    }

    /// Tells the stretches of set pixels, row by row, each as long as it can be.
    pub(crate) fn each_run(&self, mut visit: impl FnMut(u32, Range<u32>)) {
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

    /// The stretches of set pixels of a row within some columns; one that goes on beyond 64 columns may
    /// come in several pieces.
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

    /// The bits of a row's word that are pixels.
    fn within(&self, across: usize) -> u64 {
        low_bits(self.width - across as u32 * BLOCK)
    }
}

/// As rows of text, `#` for each pixel that is set.
impl core::fmt::Debug for Bitmap {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Bitmap({} by {}, {} set)", self.width, self.height, self.count())?;
        if self.width.max(self.height) > 64 {
            return Ok(());
        }
        self.to_rows().iter().try_for_each(|row| write!(f, "\n{row}"))
    }
}
