//! Slicing a sprite sheet into frames.

use carom::prelude::*;
use carom::shape::Island;

use super::Image;
use crate::FileError;

/// A method of slicing an image into frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slicing {
    /// The image is one frame.
    Whole,
    /// Cells of equal size, row by row from the top left. Incomplete cells at the right and the bottom
    /// are ignored.
    Grid {
        /// The width of a cell.
        width: u32,
        /// The height of a cell.
        height: u32,
    },
    /// One frame per group of pixels, row by row. Pixels belong to the same group if the gap between
    /// their bounding boxes is not too wide.
    Auto {
        /// The widest gap of transparent pixels inside a frame.
        gap: u32,
    },
}

/// A frame of an image.
#[derive(Clone, Debug, PartialEq)]
pub struct SlicedFrame {
    /// The name of the image, with an index if it has several frames.
    pub name: String,
    /// The position of its first pixel in the image.
    pub at: Cell,
    /// Its opaque pixels.
    pub pixels: Bitmap,
    /// The duration for which it is shown, in milliseconds, if the image is part of an animation.
    pub duration_ms: Option<f32>,
}

impl SlicedFrame {
    /// Returns the frame with the pixels that another bitmap of the whole image has at its position.
    #[must_use]
    pub fn with_pixels_from(&self, pixels: &Bitmap) -> Self {
        let first = [self.at.column, self.at.row];
        let end = [first[0] + self.pixels.width(), first[1] + self.pixels.height()];
        Self { pixels: PixelRect { first, end }.crop(pixels), ..self.clone() }
    }
}

impl Slicing {
    /// Returns the frames that have opaque pixels: those whose alpha is above `threshold`. The indices of
    /// frames count empty cells, too.
    ///
    /// # Errors
    /// Returns an error if no pixel is opaque, and if a cell has no size or is larger than the image.
    pub fn frames(self, image: &Image, threshold: u8) -> Result<Vec<SlicedFrame>, FileError> {
        let [width, height] = image.size();
        if let Self::Grid { width: w, height: h } = self
            && (w == 0 || h == 0 || w > width || h > height)
        {
            let (path, cell) = (image.path().to_path_buf(), [w, h]);
            return Err(FileError::InvalidCellSize { path, cell, size: [width, height] });
        }
        let pixels = image.bitmap(threshold)?;
        let rects: Vec<PixelRect> = match self {
            Self::Whole => vec![PixelRect { first: [0, 0], end: [width, height] }],
            Self::Grid { width: w, height: h } => {
                let cell = |i: u32| [i % (width / w) * w, i / (width / w) * h];
                let count = (width / w) * (height / h);
                let rect = |first: [u32; 2]| PixelRect { first, end: [first[0] + w, first[1] + h] };
                (0..count).map(|i| rect(cell(i))).collect()
            }
            Self::Auto { gap } => connected_groups(&pixels, gap),
        };
        let is_only_one = rects.len() == 1;
        let frames = rects.iter().enumerate().map(|(i, rect)| {
            let name = image.name();
            let name = if is_only_one { name } else { format!("{name}_{i}") };
            let duration_ms = image.duration_ms();
            SlicedFrame { name, at: rect.first.into(), pixels: rect.crop(&pixels), duration_ms }
        });
        Ok(frames.filter(|frame| !frame.pixels.is_clear()).collect())
    }
}

/// A rectangle of pixels, from `first` to `end` exclusive.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PixelRect {
    first: [u32; 2],
    end: [u32; 2],
}

impl PixelRect {
    fn crop(&self, pixels: &Bitmap) -> Bitmap {
        let mut frame = Bitmap::new(self.end[0] - self.first[0], self.end[1] - self.first[1]);
        frame.draw(pixels, self.first.map(|first| -(first as i32)));
        frame
    }

    fn union(&self, other: &Self) -> Self {
        let each = |pick: fn(u32, u32) -> u32, a: [u32; 2], b: [u32; 2]| {
            [pick(a[0], b[0]), pick(a[1], b[1])]
        };
        Self {
            first: each(u32::min, self.first, other.first),
            end: each(u32::max, self.end, other.end),
        }
    }

    fn is_within(&self, gap: u32, other: &Self) -> bool {
        (0..2).all(|i| self.first[i] <= other.end[i] + gap && other.first[i] <= self.end[i] + gap)
    }
}

/// Returns the bounds of the connected groups of pixels in reading order. Groups whose bounds are within
/// `gap` of each other are merged. Groups are in the same row if their heights overlap by more than half of
/// the smaller height.
fn connected_groups(pixels: &Bitmap, gap: u32) -> Vec<PixelRect> {
    let mut rects: Vec<PixelRect> = Vec::new();
    for Island { at, pixels } in pixels.islands() {
        let first = [at.column, at.row];
        let end = [first[0] + pixels.width(), first[1] + pixels.height()];
        let mut rect = PixelRect { first, end };
        // A merged rectangle may be within the gap of other rectangles that its parts were not near.
        while let Some(i) = rects.iter().position(|other| rect.is_within(gap, other)) {
            rect = rect.union(&rects.swap_remove(i));
        }
        rects.push(rect);
    }
    rects.sort_by_key(|rect| (rect.first[1], rect.first[0]));
    let mut sorted: Vec<PixelRect> = Vec::new();
    while let Some(&top) = rects.first() {
        let is_in_row = |rect: &PixelRect| {
            let shared =
                rect.end[1].min(top.end[1]).saturating_sub(rect.first[1].max(top.first[1]));
            2 * shared > (rect.end[1] - rect.first[1]).min(top.end[1] - top.first[1])
        };
        let mut row: Vec<PixelRect> = rects.iter().copied().filter(is_in_row).collect();
        rects.retain(|rect| !is_in_row(rect));
        row.sort_by_key(|rect| rect.first[0]);
        sorted.extend(row);
    }
    sorted
}
