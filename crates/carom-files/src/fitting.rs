//! Shapes fitted to frames.

use carom::fit::{self, FitQuality};
use carom::prelude::*;
use carom::sheet::{Frame, FrameBox, Role, Sheet, SheetError};

use crate::sheet::ticks;
use crate::{CutFrame, FileError};

/// Which shape is fitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Form {
    /// The smallest level box.
    #[default]
    Box,
    /// The smallest turned box.
    Rect,
    /// The smallest circle.
    Circle,
    /// The smallest ellipse.
    Ellipse,
    /// The convex hull.
    Hull,
    /// Outlines with holes that cover all pixels.
    Around,
    /// Outlines with holes that cover no clear pixel.
    Within,
    /// Outlines with holes that come near the pixels, with fewer corners.
    Near,
    /// Convex parts.
    Parts,
    /// A few level boxes.
    Boxes,
    /// The pixels themselves.
    Mask,
}

/// How much smaller a fit is made, so that a hitbox forgives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shrink {
    /// By a margin of so many pixels.
    Pixels(f32),
    /// By so many percent of its width and height.
    Percent(f32),
}

/// Which point of a frame sits on the body's position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Pivot {
    /// The first corner of the frame, top left as a rule.
    #[default]
    Corner,
    /// The middle of the frame.
    Middle,
    /// The middle of the frame's last row: between the feet, where y points down.
    Feet,
}

/// What is fitted to every frame, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitting {
    /// Which shape.
    pub form: Form,
    /// How far outlines may be off, in pixels.
    pub tolerance: f32,
    /// How many boxes there may be.
    pub most: usize,
    /// How much smaller to make it.
    pub shrink: Option<Shrink>,
    /// The name of the box; several are numbered from 1.
    pub name: String,
    /// What the box is there for.
    pub role: Role,
    /// Which point of the frame sits on the body's position.
    pub pivot: Pivot,
    /// How many ticks a second has, for the frames of animations.
    pub rate: f32,
}

impl Default for Fitting {
    fn default() -> Self {
        Self {
            form: Form::default(),
            tolerance: 1.0,
            most: 4,
            shrink: None,
            name: "body".into(),
            role: Role::Hurtbox,
            pivot: Pivot::default(),
            rate: 60.0,
        }
    }
}

/// A frame with the shapes that were fitted to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The frame, with its boxes.
    pub frame: Frame,
    /// How much of them lies on the pixels and beside them.
    pub quality: FitQuality,
}

impl Fitting {
    /// Fits shapes to a frame.
    ///
    /// # Errors
    /// A tolerance or a margin that is no number; a fit that shrinks to nothing.
    pub fn fit(&self, frame: &CutFrame) -> Result<Fitted, FileError> {
        let failed = |error| FileError::Shape { frame: frame.name.clone(), error };
        if !(self.tolerance >= 0.0 && self.tolerance.is_finite()) {
            return Err(failed(ShapeError::Negative { field: "tolerance", value: self.tolerance }));
        }
        let shapes = self.shapes(&frame.pixels).into_iter().map(|shape| self.shrunk(shape));
        let shapes = shapes.collect::<Result<Vec<Shape>, _>>().map_err(failed)?;
        let whole = Compound::try_new(shapes.iter().cloned()).map_err(failed)?;
        let quality = fit::quality(&frame.pixels, &whole);
        let is_one = shapes.len() == 1;
        let mut boxes = Frame::new(&frame.name).pivot(self.pivot_of(&frame.pixels));
        if let Some(milliseconds) = frame.milliseconds {
            boxes = boxes.ticks(ticks(milliseconds, self.rate));
        }
        for (i, shape) in shapes.into_iter().enumerate() {
            let name = &self.name;
            let name = if is_one { name.clone() } else { format!("{name}_{}", i + 1) };
            boxes = boxes.with(FrameBox::new(name, self.role, shape));
        }
        Ok(Fitted { frame: boxes, quality })
    }

    /// Fits shapes to all frames.
    ///
    /// # Errors
    /// As [`Fitting::fit`].
    pub fn fit_all(&self, frames: &[CutFrame]) -> Result<Vec<Fitted>, FileError> {
        frames.iter().map(|frame| self.fit(frame)).collect()
    }

    fn shapes(&self, pixels: &Bitmap) -> Vec<Shape> {
        fn all<S: Into<Shape>>(shapes: impl IntoIterator<Item = S>) -> Vec<Shape> {
            shapes.into_iter().map(Into::into).collect()
        }
        match self.form {
            Form::Box => all(fit::aabb(pixels)),
            Form::Rect => all(fit::obb(pixels)),
            Form::Circle => all(fit::circle(pixels)),
            Form::Ellipse => all(fit::ellipse(pixels)),
            Form::Hull => all(fit::hull(pixels)),
            Form::Around => all(fit::polygons_around(pixels, self.tolerance)),
            Form::Within => all(fit::polygons_within(pixels, self.tolerance)),
            Form::Near => all(fit::polygons_approx(pixels, self.tolerance)),
            Form::Parts => all(fit::convex_parts(pixels, self.tolerance)),
            Form::Boxes => all(fit::boxes(pixels, self.most.max(1))),
            Form::Mask => all([Mask::new([0.0, 0.0], 1.0, pixels.clone())]),
        }
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

/// The frames as a sheet.
///
/// # Errors
/// Frames of the same name.
pub fn sheet_of(fitted: &[Fitted]) -> Result<Sheet, SheetError> {
    Sheet::from_frames(fitted.iter().map(|fitted| fitted.frame.clone()))
}
