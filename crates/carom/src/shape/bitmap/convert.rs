//! Conversions between bitmaps, images and text.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::bits::span_bits;
use super::{BLOCK, Bitmap};
use crate::error::ShapeError;

impl Bitmap {
    /// Creates a bitmap from text, one row of pixels per line: `#` is a set pixel; a dot or a space
    /// is a clear one.
    ///
    /// # Panics
    /// Panics if [`Bitmap::try_from_rows`] returns an error.
    pub fn from_rows<R: AsRef<str>>(rows: &[R]) -> Self {
        Self::try_from_rows(rows).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a bitmap from text, or returns an error if the input is invalid.
    ///
    /// # Errors
    /// Returns the errors of [`Bitmap::try_new`], or an error if the rows differ in length or
    /// contain another character.
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
        bitmap.update_summaries();
        Ok(bitmap)
    }

    /// Sets a pixel without updating the summaries.
    fn put(&mut self, x: usize, y: usize) {
        let stride = self.stride;
        self.words[y * stride + x / BLOCK as usize] |= 1 << (x % BLOCK as usize);
    }

    /// Sets a run of pixels in a row without updating the summaries.
    pub(super) fn put_run(&mut self, row: u32, columns: Range<u32>) {
        let start = row as usize * self.stride;
        for across in columns.start / BLOCK..columns.end.div_ceil(BLOCK) {
            self.words[start + across as usize] |= span_bits(&columns, across);
        }
    }

    /// Returns the rows as text, with `#` for a set pixel and a dot for a clear one.
    pub fn to_rows(&self) -> Vec<String> {
        let name = |x, y| if self.get([x, y]) { '#' } else { '.' };
        (0..self.height).map(|y| (0..self.width).map(|x| name(x, y)).collect()).collect()
    }

    /// Creates a bitmap by calling a function with the column and row of every pixel.
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
        bitmap.update_summaries();
        bitmap
    }

    /// Creates a bitmap from the alpha channel of an RGBA image with four bytes per pixel, row by
    /// row: a pixel is set if its alpha is greater than the threshold. 127 is common; 0 includes
    /// every pixel that is visible at all.
    ///
    /// # Errors
    /// Returns the errors of [`Bitmap::try_new`], or an error if the number of bytes is not four
    /// times the number of pixels.
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

    /// Creates a bitmap from an RGBA image by color: a pixel is set if each of its four channels
    /// differs from that of the given color by at most the tolerance (a color key).
    ///
    /// # Errors
    /// Returns the errors of [`Bitmap::from_alpha`].
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

    /// Creates a bitmap by calling a function with the bytes of every pixel of an image, row by
    /// row.
    ///
    /// # Errors
    /// Returns the errors of [`Bitmap::from_alpha`].
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
        bitmap.update_summaries();
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
        self.update_summaries();
    }

    /// Inverts all pixels.
    pub fn invert(&mut self) {
        let stride = self.stride;
        for i in 0..self.words.len() {
            self.words[i] ^= self.pixel_bits(i % stride);
        }
        self.update_summaries();
    }
}
