//! Fitting shapes to frames.

use carom::fit::{self, FitQuality};
use carom::prelude::*;
use carom::sheet::{Frame, FrameBox, Role, Sheet, SheetError};

use crate::FileError;
use crate::image::SlicedFrame;
use crate::sheet::ticks;

/// The shape to fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum FitShape {
    /// The smallest axis-aligned box.
    #[default]
    Box,
    /// The smallest oriented box.
    Rect,
    /// The smallest circle.
    Circle,
    /// The smallest ellipse.
    Ellipse,
    /// The convex hull.
    Hull,
    /// Polygons with holes that cover all pixels.
    Around,
    /// Polygons with holes that cover no transparent pixel.
    Within,
    /// Polygons with holes that approximate the pixels with fewer vertices.
    Near,
    /// Convex parts.
    Parts,
    /// A few axis-aligned boxes.
    Boxes,
    /// The pixels themselves.
    Mask,
}

/// The amount by which a fit is shrunk, for forgiving hitboxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shrink {
    /// A margin in pixels.
    Pixels(f32),
    /// A percentage of the width and height.
    Percent(f32),
}

/// The point of a frame that is at the body's position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Pivot {
    /// The first corner of the frame, usually the top left one.
    #[default]
    Corner,
    /// The center of the frame.
    Middle,
    /// The center of the frame's last row: between the feet if y points down.
    Feet,
}

/// The shape that is fitted to every frame, and its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct FitOptions {
    /// The shape to fit.
    pub shape: FitShape,
    /// The maximum deviation of outlines, in pixels.
    pub tolerance: f32,
    /// The maximum number of boxes of [`FitShape::Boxes`].
    pub max_boxes: usize,
    /// The amount by which the fit is shrunk.
    pub shrink: Option<Shrink>,
    /// The name of the box; if there are several, they are numbered from 1.
    pub name: String,
    /// The role of the box.
    pub role: Role,
    /// The point of the frame that is at the body's position.
    pub pivot: Pivot,
    /// The number of ticks per second, for the durations of the frames of animations.
    pub rate: f32,
    /// The number of directions to which each frame can be rotated about its pivot (pre-rotated
    /// phases). With more than one, [`FitShape::Box`] is fitted separately in each direction, so that the
    /// boxes stay tight and axis-aligned. The sheet rotates all other shapes: pass the number to
    /// [`Sheet::with_directions`].
    pub phases: u32,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self {
            shape: FitShape::default(),
            tolerance: 1.0,
            max_boxes: 4,
            shrink: None,
            name: "body".into(),
            role: Role::Hurtbox,
            pivot: Pivot::default(),
            rate: 60.0,
            phases: 1,
        }
    }
}

/// A frame and the quality of its fit.
#[derive(Clone, Debug, PartialEq)]
pub struct FitResult {
    /// The frame with the fitted boxes.
    pub frame: Frame,
    /// The quality of the fit.
    pub quality: FitQuality,
}

impl FitOptions {
    /// Fits shapes to a frame.
    ///
    /// # Errors
    /// Returns an error if the tolerance or the margin is not valid, and if nothing is left of a fit after
    /// shrinking it.
    pub fn fit(&self, frame: &SlicedFrame) -> Result<FitResult, FileError> {
        let failed = |error| FileError::Shape { frame: frame.name.clone(), error };
        if !(self.tolerance >= 0.0 && self.tolerance.is_finite()) {
            return Err(failed(ShapeError::Negative { field: "tolerance", value: self.tolerance }));
        }
        let shapes = self.shapes(&frame.pixels).into_iter().map(|shape| self.shrunk(shape));
        let shapes = shapes.collect::<Result<Vec<Shape>, _>>().map_err(failed)?;
        let whole = Compound::try_new(shapes.iter().cloned()).map_err(failed)?;
        let quality = fit::quality(&frame.pixels, &whole);
        let is_only_one = shapes.len() == 1;
        let mut boxes = Frame::new(&frame.name).pivot(self.pivot_of(&frame.pixels));
        if let Some(duration_ms) = frame.duration_ms {
            boxes = boxes.ticks(ticks(duration_ms, self.rate));
        }
        for (i, shape) in shapes.into_iter().enumerate() {
            let name = &self.name;
            let name = if is_only_one { name.clone() } else { format!("{name}_{}", i + 1) };
            boxes = boxes.with(FrameBox::new(name, self.role, shape));
        }
        if self.shape == FitShape::Box {
            for phase in 1..self.phases {
                let tight = self.rotated_box(&frame.pixels, phase);
                let shape =
                    tight.map(|tight| self.shrunk(tight.into())).transpose().map_err(failed)?;
                let shape = shape.map(|shape| FrameBox::new(&self.name, self.role, shape));
                boxes = boxes.direction(phase, shape);
            }
        }
        Ok(FitResult { frame: boxes, quality })
    }

    /// Fits shapes to all frames.
    ///
    /// # Errors
    /// Returns the errors of [`FitOptions::fit`].
    pub fn fit_all(&self, frames: &[SlicedFrame]) -> Result<Vec<FitResult>, FileError> {
        frames.iter().map(|frame| self.fit(frame)).collect()
    }

    fn shapes(&self, pixels: &Bitmap) -> Vec<Shape> {
        fn all<S: Into<Shape>>(shapes: impl IntoIterator<Item = S>) -> Vec<Shape> {
            shapes.into_iter().map(Into::into).collect()
        }
        match self.shape {
            FitShape::Box => all(fit::aabb(pixels)),
            FitShape::Rect => all(fit::obb(pixels)),
            FitShape::Circle => all(fit::circle(pixels)),
            FitShape::Ellipse => all(fit::ellipse(pixels)),
            FitShape::Hull => all(fit::hull(pixels)),
            FitShape::Around => all(fit::polygons_around(pixels, self.tolerance)),
            FitShape::Within => all(fit::polygons_within(pixels, self.tolerance)),
            FitShape::Near => all(fit::polygons_approx(pixels, self.tolerance)),
            FitShape::Parts => all(fit::convex_parts(pixels, self.tolerance)),
            FitShape::Boxes => all(fit::boxes(pixels, self.max_boxes.max(1))),
            FitShape::Mask => all([Mask::new([0.0, 0.0], 1.0, pixels.clone())]),
        }
    }

    /// Returns the smallest axis-aligned box of the pixels after a rotation about the pivot, which is also the
    /// box of their rotated convex hull.
    fn rotated_box(&self, pixels: &Bitmap, phase: u32) -> Option<Aabb> {
        let turn = f64::from(phase) / f64::from(self.phases);
        let angle = (core::f64::consts::TAU * turn) as f32;
        Some(fit::hull(pixels)?.rotated(angle, self.pivot_of(pixels)).bounds())
    }

    fn shrunk(&self, shape: Shape) -> Result<Shape, ShapeError> {
        match self.shrink {
            None => Ok(shape),
            Some(Shrink::Pixels(margin)) => shape.grown(-margin),
            Some(Shrink::Percent(percent)) => shape.resized(100.0 - percent),
        }
    }

    fn pivot_of(&self, pixels: &Bitmap) -> Vec2 {
        let size = Vec2::new(pixels.width() as f32, pixels.height() as f32);
        match self.pivot {
            Pivot::Corner => Vec2::ZERO,
            Pivot::Middle => size / 2.0,
            Pivot::Feet => Vec2::new(size.x / 2.0, size.y),
        }
    }
}

/// Creates a sheet of the fitted frames.
///
/// # Errors
/// Returns an error if two frames have the same name.
pub fn sheet_from_fits(fits: &[FitResult]) -> Result<Sheet, SheetError> {
    Sheet::from_frames(fits.iter().map(|fit| fit.frame.clone()))
}
