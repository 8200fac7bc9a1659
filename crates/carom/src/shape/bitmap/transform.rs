//! Bitmaps flipped, turned and scaled.

use glam::DVec2;

use super::words::bits_from;
use super::{BLOCK, Bitmap};
use crate::error::ShapeError;
use crate::math::{Flip, Rotation};

impl Bitmap {
    /// The mirror image, within the same box. Exact.
    #[must_use]
    pub fn flipped(&self, mirror: Flip) -> Self {
        let mut image = Self::new(self.width, self.height);
        let stride = self.stride;
        let unused = stride as u32 * BLOCK - self.width;
        for (y, words) in image.words.chunks_mut(stride).enumerate() {
            let row = self.row(if mirror.y { self.height - 1 - y as u32 } else { y as u32 });
            words.copy_from_slice(row);
            if mirror.x {
                words.reverse();
                words.iter_mut().for_each(|word| *word = word.reverse_bits());
                for across in 0..stride {
                    // Later words are still as they were.
                    words[across] = bits_from(words, across as isize, unused);
                }
            }
        }
        image.recount();
        image
    }

    /// The bitmap turned by so many quarters, counter-clockwise in a y-up frame. Exact.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let flag = Bitmap::from_rows(&["##.", "#.."]); // y up: the pole is on the left
    /// assert_eq!(flag.turned(1), Bitmap::from_rows(&["##", ".#", ".."]));
    /// assert_eq!(flag.turned(-3), flag.turned(1));
    /// ```
    #[must_use]
    pub fn turned(&self, quarters: i32) -> Self {
        let (right, top) = (self.width - 1, self.height - 1);
        let (width, height) = (self.width, self.height);
        match quarters.rem_euclid(4) {
            0 => self.clone(),
            1 => Self::from_fn(height, width, |x, y| self.get([y, top - x])),
            2 => self.flipped(Flip::BOTH),
            _ => Self::from_fn(height, width, |x, y| self.get([right - y, x])),
        }
    }

    /// The bitmap turned by an angle in radians, counter-clockwise in a y-up frame, in a box just
    /// large enough: each pixel is what lies under its middle. Quarter turns are exact.
    ///
    /// # Errors
    /// An angle that is not finite; a box that would be too large.
    pub fn rotated(&self, angle: f32) -> Result<Self, ShapeError> {
        crate::shape::validate::finite(angle, "angle")?;
        let turn = Rotation::from_angle(angle);
        let size = DVec2::new(self.width.into(), self.height.into());
        let [across, up] =
            [DVec2::new(size.x, 0.0), DVec2::new(0.0, size.y)].map(|v| turn.rotate_f64(v));
        let extent = across.abs() + up.abs();
        // What rounding adds is no pixel.
        let side = |long: f64| libm::ceil(long - 1e-9) as u32;
        let image = Self::try_new(side(extent.x), side(extent.y))?;
        let (back, middle) =
            (turn.inverse(), DVec2::new(image.width.into(), image.height.into()) / 2.0);
        Ok(Self::from_fn(image.width, image.height, |x, y| {
            let from = back.rotate_f64(DVec2::new(x.into(), y.into()) + 0.5 - middle) + size / 2.0;
            from.cmpge(DVec2::ZERO).all() && self.get([from.x as u32, from.y as u32])
        }))
    }

    /// The bitmap with another width and height: each pixel is what lies under its middle.
    ///
    /// # Errors
    /// As [`Bitmap::try_new`].
    pub fn scaled(&self, width: u32, height: u32) -> Result<Self, ShapeError> {
        Self::try_new(width, height)?;
        // The middle of pixel x is at (2x + 1) / 2 of `new`; sides are below 2¹⁵.
        let under = |x: u32, new: u32, old: u32| (2 * x + 1) * old / (2 * new);
        Ok(Self::from_fn(width, height, |x, y| {
            self.get([under(x, width, self.width), under(y, height, self.height)])
        }))
    }
}
