//! Bitmaps flipped, rotated and scaled.

use glam::DVec2;

use super::bits::bits_from;
use super::{BLOCK, Bitmap};
use crate::error::ShapeError;
use crate::math::{Flip, Rotation};

/// Swaps bit `i` of word `j` with bit `j` of word `i`, for all of them: first halves, then quarters,
/// down to single bits (Warren, *Hacker's Delight*, section 7-3).
fn transpose_block(block: &mut [u64; 64]) {
    let (mut width, mut low) = (32, u64::from(u32::MAX));
    while width > 0 {
        for i in (0..64).filter(|i| i & width == 0) {
            let swapped = ((block[i] >> width) ^ block[i + width]) & low;
            block[i + width] ^= swapped;
            block[i] ^= swapped << width;
        }
        width /= 2;
        low ^= low << width;
    }
}

impl Bitmap {
    /// Returns the flipped bitmap, which has the same size. Exact.
    #[must_use]
    pub fn flipped(&self, flip: Flip) -> Self {
        let mut image = Self::new(self.width, self.height);
        let stride = self.stride;
        let unused = stride as u32 * BLOCK - self.width;
        for (y, words) in image.words.chunks_mut(stride).enumerate() {
            let row = self.row(if flip.y { self.height - 1 - y as u32 } else { y as u32 });
            words.copy_from_slice(row);
            if flip.x {
                words.reverse();
                words.iter_mut().for_each(|word| *word = word.reverse_bits());
                for across in 0..stride {
                    // Later words have not been overwritten yet.
                    words[across] = bits_from(words, across as isize, unused);
                }
            }
        }
        image.update_summaries();
        image
    }

    /// Returns the bitmap with rows and columns swapped. Exact.
    pub(crate) fn transposed(&self) -> Self {
        let mut image = Self::new(self.height, self.width);
        let (across, down) = (self.stride, image.stride);
        for (x, y) in (0..across).flat_map(|x| (0..down).map(move |y| (x, y))) {
            let row = |i: usize| (y * BLOCK as usize + i) as u32;
            let mut block: [u64; 64] =
                core::array::from_fn(
                    |i| {
                        if row(i) < self.height { self.row(row(i))[x] } else { 0 }
                    },
                );
            transpose_block(&mut block);
            let rows = image.words.chunks_mut(down).skip(x * BLOCK as usize);
            rows.zip(block).for_each(|(words, bits)| words[y] = bits);
        }
        image.update_summaries();
        image
    }

    /// Returns the bitmap rotated by a number of quarter turns, counterclockwise in a y-up frame.
    /// Exact.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let flag = Bitmap::from_rows(&["##.", "#.."]); // y up: the pole is on the left
    /// assert_eq!(flag.turned(1), Bitmap::from_rows(&["##", ".#", ".."]));
    /// assert_eq!(flag.turned(-3), flag.turned(1));
    /// ```
    #[must_use]
    pub fn turned(&self, quarters: i32) -> Self {
        match quarters.rem_euclid(4) {
            0 => self.clone(),
            1 => self.transposed().flipped(Flip::X),
            2 => self.flipped(Flip::BOTH),
            _ => self.transposed().flipped(Flip::Y),
        }
    }

    /// Returns the bitmap rotated by an angle in radians, counterclockwise in a y-up frame, in the
    /// smallest bitmap that contains it. Each pixel takes the value at its center. Quarter turns
    /// are exact.
    ///
    /// # Errors
    /// Returns an error if the angle is not finite or the result would be too large.
    pub fn rotated(&self, angle: f32) -> Result<Self, ShapeError> {
        crate::shape::validate::finite(angle, "angle")?;
        let turn = Rotation::from_angle(angle);
        let size = DVec2::new(self.width.into(), self.height.into());
        let [across, up] =
            [DVec2::new(size.x, 0.0), DVec2::new(0.0, size.y)].map(|v| turn.rotate_f64(v));
        let extent = across.abs() + up.abs();
        // Rounding errors must not add a column or row.
        let side = |long: f64| libm::ceil(long - 1e-9) as u32;
        let image = Self::try_new(side(extent.x), side(extent.y))?;
        let (back, middle) =
            (turn.inverse(), DVec2::new(image.width.into(), image.height.into()) / 2.0);
        Ok(Self::from_fn(image.width, image.height, |x, y| {
            let from = back.rotate_f64(DVec2::new(x.into(), y.into()) + 0.5 - middle) + size / 2.0;
            from.cmpge(DVec2::ZERO).all() && self.get([from.x as u32, from.y as u32])
        }))
    }

    /// Returns the bitmap scaled to another width and height. Each pixel takes the value at its
    /// center (nearest neighbor).
    ///
    /// # Errors
    /// Returns the errors of [`Bitmap::try_new`].
    pub fn scaled(&self, width: u32, height: u32) -> Result<Self, ShapeError> {
        Self::try_new(width, height)?;
        // The center of pixel x is at (2x + 1) / 2 of `new`; sides are below 2¹⁵.
        let under = |x: u32, new: u32, old: u32| (2 * x + 1) * old / (2 * new);
        Ok(Self::from_fn(width, height, |x, y| {
            self.get([under(x, width, self.width), under(y, height, self.height)])
        }))
    }
}
