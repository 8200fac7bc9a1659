//! Pixel masks.

mod parts;
#[cfg(test)]
mod tests;

use alloc::sync::Arc;

use glam::Vec2;

use crate::error::ShapeError;
use crate::math::{Flip, IntoVec2, Pose};
use crate::shape::grid::{Cell, GridPlacement};
use crate::shape::{Aabb, Bitmap, ConvexPolygon, Shape, Transform, validate};

/// A pixel mask for pixel-perfect collision: the union of the squares of all set pixels of a
/// [`Bitmap`].
///
/// Rows extend along +y from the origin, columns along +x. Edges between set pixels are internal:
/// they stop nothing and have no normal.
///
/// The cost of a query depends only on the pixels near the other shape. Two masks with pixels of the
/// same size are compared 64 pixels at a time, also if they are flipped or rotated by quarter turns.
/// Copies and transformed copies share their pixels until one of them is edited.
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
#[doc(alias = "pixel-perfect")]
#[doc(alias = "pixel perfect")]
pub struct Mask {
    pixels: Arc<Bitmap>,
    placement: GridPlacement,
}

impl Mask {
    /// Creates a mask from its minimum corner, the side length of a pixel, and a bitmap.
    ///
    /// # Panics
    /// Panics if [`Mask::try_new`] returns an error.
    pub fn new(origin: impl IntoVec2, pixel: f32, pixels: impl Into<Arc<Bitmap>>) -> Self {
        Self::try_new(origin, pixel, pixels).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a mask, or returns an error if the input is invalid.
    ///
    /// # Errors
    /// Returns an error if a number is not finite or the pixel size is not greater than zero.
    pub fn try_new(
        origin: impl IntoVec2,
        pixel: f32,
        pixels: impl Into<Arc<Bitmap>>,
    ) -> Result<Self, ShapeError> {
        validate::positive(pixel, "pixel")?;
        let pixels = pixels.into();
        let size = (pixels.width(), pixels.height());
        let placement = GridPlacement::try_new(origin.into_vec2(), Vec2::splat(pixel), size)?;
        Ok(Self { pixels, placement })
    }

    /// Creates a mask from text: one row of pixels per line, the first at the origin. `#` is a set
    /// pixel; a dot or a space is a clear one.
    ///
    /// # Panics
    /// Panics if [`Mask::try_from_rows`] returns an error.
    pub fn from_rows<R: AsRef<str>>(origin: impl IntoVec2, pixel: f32, rows: &[R]) -> Self {
        Self::try_from_rows(origin, pixel, rows).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a mask from text, or returns an error if the input is invalid.
    ///
    /// # Errors
    /// Returns the errors of [`Mask::try_new`] and [`Bitmap::try_from_rows`].
    pub fn try_from_rows<R: AsRef<str>>(
        origin: impl IntoVec2,
        pixel: f32,
        rows: &[R],
    ) -> Result<Self, ShapeError> {
        Self::try_new(origin, pixel, Bitmap::try_from_rows(rows)?)
    }

    /// Returns the bitmap.
    pub fn bitmap(&self) -> &Bitmap {
        &self.pixels
    }

    /// Edits the bitmap. Copies of the mask keep their pixels.
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
        // `change` may have replaced the bitmap by one of another size.
        self.placement = self.placement.resized((pixels.width(), pixels.height()));
    }

    /// Returns the minimum corner, before the mask was flipped and transformed.
    pub fn origin(&self) -> Vec2 {
        self.placement.origin
    }

    /// Returns the side length of a pixel, before the mask was transformed.
    pub fn pixel(&self) -> f32 {
        self.placement.cell.x
    }

    /// Returns the flip that is applied before the pose.
    pub fn flip(&self) -> Flip {
        self.placement.flip
    }

    /// Returns the pose by which the mask has been transformed since its creation.
    pub fn pose(&self) -> &Pose {
        &self.placement.pose
    }

    /// Returns the pixel that contains a point, or `None` if the point is outside the bitmap. A
    /// point on an edge belongs to the pixel with the larger coordinates, if there is one.
    pub fn pixel_at(&self, point: impl IntoVec2) -> Option<Cell> {
        self.placement.cell_at(point.into_vec2())
    }

    /// Returns the corners of a pixel, set or not, starting at its minimum column and row:
    /// counterclockwise (y up) unless the mask is flipped.
    pub fn pixel_corners(&self, pixel: impl Into<Cell>) -> [Vec2; 4] {
        self.placement.corners(pixel.into())
    }

    /// Returns the square of a pixel as a shape, or `None` if the pixel is clear.
    pub fn pixel_shape(&self, pixel: impl Into<Cell>) -> Option<Shape> {
        let pixel = pixel.into();
        let corners = self.pixel_corners(pixel);
        self.pixels.get(pixel).then(|| {
            if self.placement.is_axis_aligned() {
                Aabb::of_vertices(&corners).into()
            } else {
                ConvexPolygon::from_hull(corners.to_vec(), 0.0).into()
            }
        })
    }

    /// Returns the outlines of all areas and their holes: counterclockwise around areas and clockwise
    /// around holes (y up).
    pub fn outlines(&self) -> alloc::vec::Vec<alloc::vec::Vec<Vec2>> {
        let mut outlines = self.pixels.outlines();
        for outline in &mut outlines {
            outline.iter_mut().for_each(|corner| {
                *corner = self.placement.transform.world_point(corner.as_dvec2())
            });
            if self.placement.flip.reverses() {
                outline.reverse();
            }
        }
        outlines
    }

    /// Returns `true` if some parts may have no area, because rounding has left a pixel no width.
    pub(crate) fn may_have_zero_area_parts(&self) -> bool {
        self.placement.may_be_flat()
    }
}

impl Transform for Mask {
    type Transformed = Self;

    fn apply_pose(&self, pose: &Pose) -> Self {
        Self { placement: self.placement.transformed(pose), ..self.clone() }
    }

    fn apply_translation(&self, by: Vec2) -> Self {
        Self { placement: self.placement.translated(by), ..self.clone() }
    }

    fn apply_flip(&self, flip: Flip) -> Self {
        Self { placement: self.placement.flipped(flip), ..self.clone() }
    }
}
