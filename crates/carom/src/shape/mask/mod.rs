//! Pixel masks.

mod boxes;
mod parts;
#[cfg(test)]
mod tests;

use alloc::sync::Arc;

use glam::Vec2;

use crate::error::ShapeError;
use crate::math::{Flip, Pose};
use crate::shape::grid::{Cell, GridPlacement};
use crate::shape::{Aabb, Bitmap, ConvexPolygon, Shape, Transform, validate};

/// A bitmap with a place in the world: the union of the squares that its set pixels are.
///
/// Rows run along +y from the origin, columns along +x. Sides at which pixels lie flush are inside:
/// they stop nothing and have no normal.
///
/// Questions cost what the pixels near the other shape cost, and two masks whose pixels are equally
/// large and lie the same way are compared 64 pixels at a time. Copies and placed versions share their
/// pixels until one of them is edited.
///
/// ```
/// use carom::prelude::*;
/// let ship = Mask::from_rows([10.0, 20.0], 2.0, &[".##.", "####"]);
/// let shot = Circle::new([10.5, 20.5], 1.0);
/// assert!(ship.bounds().overlaps(&shot) && !ship.overlaps(&shot));
/// assert!(ship.flipped(Flip::Y).transformed(&Pose::new([0.0, 43.0], 0.0)).overlaps(&shot));
/// let turned = ship.rotated(0.3, [14.0, 22.0]);
/// assert!(turned.contains(&Circle::new([14.0, 22.0], 1.5)));
/// ```
#[derive(Clone, PartialEq)]
pub struct Mask {
    pixels: Arc<Bitmap>,
    place: GridPlacement,
}

impl Mask {
    /// From its corner with the least coordinates, the side of a pixel, and the bitmap.
    ///
    /// # Panics
    /// Panics if [`Mask::try_new`] returns an error.
    pub fn new(origin: impl Into<Vec2>, pixel: f32, pixels: impl Into<Arc<Bitmap>>) -> Self {
        Self::try_new(origin, pixel, pixels).unwrap_or_else(|error| panic!("{error}"))
    }

    /// From its corner with the least coordinates, the side of a pixel, and the bitmap, checked.
    ///
    /// # Errors
    /// A number that is not finite; a pixel without a size.
    pub fn try_new(
        origin: impl Into<Vec2>,
        pixel: f32,
        pixels: impl Into<Arc<Bitmap>>,
    ) -> Result<Self, ShapeError> {
        validate::positive(pixel, "pixel")?;
        let pixels = pixels.into();
        let size = (pixels.width(), pixels.height());
        let place = GridPlacement::try_new(origin.into(), Vec2::splat(pixel), size)?;
        Ok(Self { pixels, place })
    }

    /// A mask drawn as text: a row of pixels a line, the first at the origin; `#` is set, a dot and a
    /// space are clear.
    ///
    /// # Panics
    /// Panics if [`Mask::try_from_rows`] returns an error.
    pub fn from_rows<R: AsRef<str>>(origin: impl Into<Vec2>, pixel: f32, rows: &[R]) -> Self {
        Self::try_from_rows(origin, pixel, rows).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A mask drawn as text, checked.
    ///
    /// # Errors
    /// As [`Mask::try_new`] and [`Bitmap::try_from_rows`].
    pub fn try_from_rows<R: AsRef<str>>(
        origin: impl Into<Vec2>,
        pixel: f32,
        rows: &[R],
    ) -> Result<Self, ShapeError> {
        Self::try_new(origin, pixel, Bitmap::try_from_rows(rows)?)
    }

    /// The pixels.
    pub fn bitmap(&self) -> &Bitmap {
        &self.pixels
    }

    /// Changes the pixels. Copies of the mask keep theirs.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut ground = Mask::from_rows([0.0, 0.0], 1.0, &["####", "####"]);
    /// let crater = Bitmap::from_rows(&["##"]);
    /// ground.edit(|pixels| pixels.erase(&crater, [1, 1]));
    /// assert!(!ground.intersects(&Point::new([2.0, 1.5])));
    /// ```
    pub fn edit(&mut self, change: impl FnOnce(&mut Bitmap)) {
        let pixels = Arc::make_mut(&mut self.pixels);
        change(pixels);
        // Another bitmap may have been put in its place.
        self.place = self.place.resized((pixels.width(), pixels.height()));
    }

    /// The corner with the least coordinates, before the mask was placed.
    pub fn origin(&self) -> Vec2 {
        self.place.origin
    }

    /// The side of a pixel, before the mask was placed.
    pub fn pixel(&self) -> f32 {
        self.place.cell.x
    }

    /// How the mask has been mirrored, before it was placed.
    pub fn flip(&self) -> Flip {
        self.place.mirror
    }

    /// How the mask has been placed since it was made.
    pub fn pose(&self) -> &Pose {
        &self.place.pose
    }

    /// The pixel that a point lies in; of those whose borders it lies on, the one with the greatest
    /// coordinates, or the last. `None` outside the bitmap.
    pub fn pixel_at(&self, point: impl Into<Vec2>) -> Option<Cell> {
        self.place.cell_at(point.into())
    }

    /// The corners of a pixel, set or not, from the one with the least column and row on:
    /// counter-clockwise (y up) unless the mask is mirrored.
    pub fn pixel_corners(&self, pixel: impl Into<Cell>) -> [Vec2; 4] {
        self.place.corners(pixel.into())
    }

    /// The square that a pixel is, as a shape of its own; `None` where it is clear.
    pub fn pixel_shape(&self, pixel: impl Into<Cell>) -> Option<Shape> {
        let pixel = pixel.into();
        let corners = self.pixel_corners(pixel);
        self.pixels.get(pixel).then(|| {
            if self.place.is_axis_aligned() {
                Aabb::of_vertices(&corners).into()
            } else {
                ConvexPolygon::from_hull(corners.to_vec(), 0.0).into()
            }
        })
    }

    /// The outlines of all areas and of the holes in them: the corners of each, counter-clockwise
    /// around areas and clockwise around holes (y up).
    pub fn outlines(&self) -> alloc::vec::Vec<alloc::vec::Vec<Vec2>> {
        let mut outlines = self.pixels.outlines();
        for outline in &mut outlines {
            outline
                .iter_mut()
                .for_each(|corner| *corner = self.place.frame.corner(corner.as_dvec2()));
            if self.place.mirror.reverses() {
                outline.reverse();
            }
        }
        outlines
    }

    /// Whether some of its parts may be lines: pixels that rounding has left no width.
    pub(crate) fn has_lines(&self) -> bool {
        self.place.may_be_flat()
    }
}

impl Transform for Mask {
    type Transformed = Self;

    fn apply_pose(&self, pose: &Pose) -> Self {
        Self { place: self.place.transformed(pose), ..self.clone() }
    }

    fn apply_translation(&self, by: Vec2) -> Self {
        Self { place: self.place.translated(by), ..self.clone() }
    }

    fn apply_flip(&self, flip: Flip) -> Self {
        Self { place: self.place.flipped(flip), ..self.clone() }
    }
}
