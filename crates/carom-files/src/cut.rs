//! Cutting a sprite sheet into frames.

use carom::prelude::*;
use carom::shape::Island;

use crate::{FileError, Picture};

/// How a picture is cut into frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Not at all: the picture is one frame.
    Whole,
    /// Into cells of equal size, row by row from the top left; what is left over at the right and the
    /// bottom is no cell.
    Grid {
        /// The width of a cell.
        width: u32,
        /// The height of a cell.
        height: u32,
    },
    /// Into what hangs together: a frame for each group of pixels that is further than the gap from all
    /// others, row by row.
    Auto {
        /// How many clear pixels there may be between parts of one frame.
        gap: u32,
    },
}

/// A frame cut out of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct CutFrame {
    /// The name of the picture, with a number where it has several frames.
    pub name: String,
    /// Where its first pixel is in the picture.
    pub at: Cell,
    /// Its pixels that can be seen.
    pub pixels: Bitmap,
    /// For how many milliseconds it is shown, if it comes from an animation.
    pub milliseconds: Option<f32>,
}

impl CutFrame {
    /// The same frame with other pixels: what another bitmap of the whole picture has in its place.
    #[must_use]
    pub fn recut(&self, pixels: &Bitmap) -> Self {
        let first = [self.at.column, self.at.row];
        let end = [first[0] + self.pixels.width(), first[1] + self.pixels.height()];
        Self { pixels: Area { first, end }.cut(pixels), ..self.clone() }
    }
}

impl Cut {
    /// The frames in which something can be seen: pixels whose alpha is above the threshold. Numbers
    /// of frames count empty cells too.
    ///
    /// # Errors
    /// A picture in which nothing can be seen; cells without a size, or larger than the picture.
    pub fn frames(self, picture: &Picture, threshold: u8) -> Result<Vec<CutFrame>, FileError> {
        let [width, height] = picture.size();
        if let Self::Grid { width: w, height: h } = self
            && (w == 0 || h == 0 || w > width || h > height)
        {
            let (path, cell) = (picture.path().to_path_buf(), [w, h]);
            return Err(FileError::InvalidCellSize { path, cell, size: [width, height] });
        }
        let pixels = picture.bitmap(threshold)?;
        let cells: Vec<Area> = match self {
            Self::Whole => vec![Area { first: [0, 0], end: [width, height] }],
            Self::Grid { width: w, height: h } => {
                let cell = |i: u32| [i % (width / w) * w, i / (width / w) * h];
                let count = (width / w) * (height / h);
                let area = |first: [u32; 2]| Area { first, end: [first[0] + w, first[1] + h] };
                (0..count).map(|i| area(cell(i))).collect()
            }
            Self::Auto { gap } => groups(&pixels, gap),
        };
        let is_one = cells.len() == 1;
        let frames = cells.iter().enumerate().map(|(i, cell)| {
            let name = picture.name();
            let name = if is_one { name } else { format!("{name}_{i}") };
            let milliseconds = picture.milliseconds();
            CutFrame { name, at: cell.first.into(), pixels: cell.cut(&pixels), milliseconds }
        });
        Ok(frames.filter(|frame| !frame.pixels.is_clear()).collect())
    }
}

/// A box of pixels: its first, and where it ends.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Area {
    first: [u32; 2],
    end: [u32; 2],
}

impl Area {
    fn cut(&self, pixels: &Bitmap) -> Bitmap {
        let mut frame = Bitmap::new(self.end[0] - self.first[0], self.end[1] - self.first[1]);
        frame.draw(pixels, self.first.map(|place| -(place as i32)));
        frame
    }

    fn joined(&self, other: &Self) -> Self {
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

/// Islands, joined where their boxes are within the gap, in reading order: frames whose heights
/// overlap by more than half of the smaller one stand in a row.
fn groups(pixels: &Bitmap, gap: u32) -> Vec<Area> {
    let mut areas: Vec<Area> = Vec::new();
    for Island { at, pixels } in pixels.islands() {
        let first = [at.column, at.row];
        let mut area = Area { first, end: [first[0] + pixels.width(), first[1] + pixels.height()] };
        // What it is joined with may have come near others by that.
        while let Some(i) = areas.iter().position(|other| area.is_within(gap, other)) {
            area = area.joined(&areas.swap_remove(i));
        }
        areas.push(area);
    }
    areas.sort_by_key(|area| (area.first[1], area.first[0]));
    let mut sorted: Vec<Area> = Vec::new();
    while let Some(&top) = areas.first() {
        let is_beside = |area: &Area| {
            let shared =
                area.end[1].min(top.end[1]).saturating_sub(area.first[1].max(top.first[1]));
            2 * shared > (area.end[1] - area.first[1]).min(top.end[1] - top.first[1])
        };
        let mut row: Vec<Area> = areas.iter().copied().filter(is_beside).collect();
        areas.retain(|area| !is_beside(area));
        row.sort_by_key(|area| area.first[0]);
        sorted.extend(row);
    }
    sorted
}
