//! Bitmaps from pictures and text, and back.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::words::span_bits;
use super::{BLOCK, Bitmap};
use crate::error::ShapeError;

impl Bitmap {
    /// A bitmap drawn as text, a row of pixels a line: `#` is set, a dot and a space are clear.
    ///
    /// # Panics
    /// Panics if [`Bitmap::try_from_rows`] returns an error.
    pub fn from_rows<R: AsRef<str>>(rows: &[R]) -> Self {
        Self::try_from_rows(rows).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A bitmap drawn as text, checked.
    ///
    /// # Errors
    /// As [`Bitmap::try_new`]; rows of different lengths; a character that is none of the three.
    pub fn try_from_rows<R: AsRef<str>>(rows: &[R]) -> Result<Self, ShapeError> {
        let count = |row: &R| row.as_ref().chars().count();
        let width = rows.first().map_or(0, count);
        if let Some(row) = rows.iter().position(|row| count(row) != width) {
            return Err(ShapeError::RaggedRows { row, length: count(&rows[row]), first: width });
        }
        let size = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let mut bitmap = Self::try_new(size(width), size(rows.len()))?;
        for (y, row) in rows.iter().enumerate() {
            for (x, name) in row.as_ref().chars().enumerate() {
                match name {
                    '#' => bitmap.put(x, y),
                    '.' | ' ' => {}
                    _ => return Err(ShapeError::UnknownPixel { name, column: x, row: y }),
                }
            }
        }
        bitmap.recount();
        Ok(bitmap)
    }

    /// Sets a pixel without counting it.
    fn put(&mut self, x: usize, y: usize) {
        let stride = self.stride;
        self.words[y * stride + x / BLOCK as usize] |= 1 << (x % BLOCK as usize);
    }

    /// Sets a stretch of a row without counting it.
    pub(super) fn put_run(&mut self, row: u32, columns: Range<u32>) {
        let start = row as usize * self.stride;
        for across in columns.start / BLOCK..columns.end.div_ceil(BLOCK) {
            self.words[start + across as usize] |= span_bits(&columns, across);
        }
    }

    /// As rows of text, `#` for each pixel that is set and a dot for the others.
    pub fn to_rows(&self) -> Vec<String> {
        let name = |x, y| if self.get([x, y]) { '#' } else { '.' };
        (0..self.height).map(|y| (0..self.width).map(|x| name(x, y)).collect()).collect()
    }

    /// The pixels for which a test says yes, given their column and row.
    ///
    /// # Panics
    /// Panics if [`Bitmap::try_new`] returns an error.
    pub fn from_fn(width: u32, height: u32, mut is_set: impl FnMut(u32, u32) -> bool) -> Self {
        let mut bitmap = Self::new(width, height);
        for y in 0..height {
            for x in (0..width).filter(|&x| is_set(x, y)) {
                bitmap.put(x as usize, y as usize);
            }
        }
        bitmap.recount();
        bitmap
    }

    /// The pixels of a picture that are not transparent: of four bytes a pixel, row by row, the last
    /// is above the threshold. (127 is usual; 0 takes all that can be seen at all.)
    ///
    /// # Errors
    /// As [`Bitmap::try_new`]; a number of bytes that is not four times the number of pixels.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let rgba = [255, 0, 0, 255, 0, 0, 0, 0];
    /// assert_eq!(Bitmap::from_alpha(2, 1, &rgba, 127)?, Bitmap::from_rows(&["#."]));
    /// # Ok::<(), ShapeError>(())
    /// ```
    pub fn from_alpha(
        width: u32,
        height: u32,
        rgba: &[u8],
        threshold: u8,
    ) -> Result<Self, ShapeError> {
        Self::from_bytes(width, height, rgba, |pixel: [u8; 4]| pixel[3] > threshold)
    }

    /// The pixels of a picture whose colour is near another: each of the four bytes (red, green, blue,
    /// alpha) differs by the tolerance at most.
    ///
    /// # Errors
    /// As [`Bitmap::from_alpha`].
    pub fn from_color(
        width: u32,
        height: u32,
        rgba: &[u8],
        color: [u8; 4],
        tolerance: [u8; 4],
    ) -> Result<Self, ShapeError> {
        Self::from_bytes(width, height, rgba, |pixel: [u8; 4]| {
            (0..4).all(|i| pixel[i].abs_diff(color[i]) <= tolerance[i])
        })
    }

    /// The pixels of a picture for which a test says yes: so many bytes a pixel, row by row.
    ///
    /// # Errors
    /// As [`Bitmap::from_alpha`].
    pub fn from_bytes<const N: usize>(
        width: u32,
        height: u32,
        bytes: &[u8],
        is_set: impl Fn([u8; N]) -> bool,
    ) -> Result<Self, ShapeError> {
        let mut bitmap = Self::try_new(width, height)?;
        let (pixels, rest) = bytes.as_chunks::<N>();
        let expected = width as usize * height as usize;
        if pixels.len() != expected || !rest.is_empty() {
            return Err(ShapeError::WrongBufferSize { count: bytes.len(), expected: expected * N });
        }
        let stride = bitmap.stride;
        for (row, words) in pixels.chunks(width as usize).zip(bitmap.words.chunks_mut(stride)) {
            for (pixels, word) in row.chunks(BLOCK as usize).zip(words) {
                let bits = pixels.iter().enumerate();
                *word = bits.fold(0, |word, (i, &pixel)| word | u64::from(is_set(pixel)) << i);
            }
        }
        bitmap.recount();
        Ok(bitmap)
    }

    /// Sets all pixels.
    pub fn fill(&mut self) {
        self.clear();
        self.invert();
    }

    /// Clears all pixels.
    pub fn clear(&mut self) {
        self.words.fill(0);
        self.recount();
    }

    /// Sets all pixels that are clear, and clears all that are set.
    pub fn invert(&mut self) {
        let stride = self.stride;
        for i in 0..self.words.len() {
            self.words[i] ^= self.within(i % stride);
        }
        self.recount();
    }
}
