//! `carom fit`: fits hitboxes to sprites.

use std::io::{self, Write};
use std::path::PathBuf;

use carom::draw::{self, Color, Drawing, Style, View};
use carom::prelude::*;
use carom::sheet::{MAX_DIRECTIONS, Playback, Role, Sheet, SheetError};
use carom_files::{
    FileError, FitOptions, FitResult, FitShape, Image, Pivot, Shrink, SlicedFrame, Slicing, sheet,
    write_atomically,
};
use clap::builder::NonEmptyStringValueParser;
use clap::value_parser;

use crate::args::{self, input_error};
use crate::progress::Progress;
use crate::render::{self, draw_sprite};

/// The help text after the options.
pub const HELP: &str = "Example:
  carom fit fighter.png --grid 48x48 --shape hull --out fighter.json --preview boxes.png

Without --grid and --auto, each image is a frame. Frames without opaque pixels are skipped.

The output is a sheet: frames with named boxes, in pixels from the top left corner of each frame, with y \
down. Without --out, it goes to the standard output. The table shows for each fit the area inside the \
sprite, the area outside it and the uncovered sprite area, in pixels, and the intersection over union (IoU).

With --phases 16, the sheet has 16 directions, one per sixteenth of a turn, as pre-rotated sprites have. \
The table and the preview show the first direction. \
Boxes (--shape box) are fitted to the rotated pixels, so that they stay tight and axis-aligned; other \
shapes are rotated.";

/// The options of `carom fit`.
#[derive(clap::Args)]
pub struct Options {
    /// PNG, GIF, WebP, BMP or TGA files; each frame of an animated image is a frame of the sheet
    #[arg(required = true, value_name = "IMAGE")]
    images: Vec<PathBuf>,
    /// Shape to fit
    #[arg(short, long, value_enum, default_value = "box")]
    shape: FitShape,
    /// Slice each image into cells of this size, row by row
    #[arg(short, long, value_name = "WxH", value_parser = size, allow_hyphen_values = true)]
    grid: Option<[u32; 2]>,
    /// Split each image at transparent gaps wider than GAP pixels [default GAP: 1]
    #[arg(long, value_name = "GAP", num_args = 0..=1, default_missing_value = "1", conflicts_with = "grid")]
    #[arg(allow_negative_numbers = true)]
    auto: Option<u32>,
    /// Pixels with an alpha above this (0 to 255) are opaque
    #[arg(long, value_name = "ALPHA", default_value_t = 127)]
    threshold: u8,
    /// Maximum deviation of simplified outlines, in pixels
    #[arg(short, long, value_name = "PIXELS", default_value_t = 1.0, value_parser = tolerance)]
    #[arg(allow_negative_numbers = true)]
    tolerance: f32,
    /// Maximum number of boxes, with `--shape boxes`
    #[arg(short, long, visible_alias = "max-boxes", value_name = "COUNT", default_value_t = 4)]
    #[arg(value_parser = value_parser!(u32).range(1..))]
    most: u32,
    /// Shrink the shapes by pixels (2) or by a percentage (20%)
    #[arg(long, value_name = "PIXELS|PERCENT", value_parser = shrink, allow_hyphen_values = true)]
    shrink: Option<Shrink>,
    /// Name of the boxes; several boxes of a frame are numbered
    #[arg(long, default_value = "body", value_parser = NonEmptyStringValueParser::new())]
    name: String,
    /// Role of the boxes
    #[arg(long, value_parser = args::role(), default_value = "hurtbox")]
    role: Role,
    /// Point of each frame that is placed at the body's position
    #[arg(long, value_enum, default_value = "corner")]
    pivot: Pivot,
    /// Ticks per second, for the frame times of animated images
    #[arg(long, value_name = "TICKS", default_value_t = 60.0, value_parser = args::rate)]
    #[arg(allow_negative_numbers = true)]
    rate: f32,
    /// Number of directions to which frames can be rotated about their pivot
    #[arg(long, value_name = "COUNT", default_value_t = 1)]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(MAX_DIRECTIONS)))]
    phases: u32,
    /// Write the sheet to this file
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw the shapes over the sprites, to an .svg or .png file
    #[arg(short, long, value_name = "FILE")]
    preview: Option<PathBuf>,
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once(['x', 'X']).map(|(w, h)| (w.trim().parse(), h.trim().parse()));
    match sides {
        Some((Ok(width), Ok(height))) => Ok([width, height]),
        _ => Err("expected a width and a height, such as 32x32".into()),
    }
}

fn tolerance(text: &str) -> Result<f32, String> {
    let pixels = text.parse().ok().filter(|pixels: &f32| *pixels >= 0.0 && pixels.is_finite());
    pixels.ok_or_else(|| "expected a non-negative number of pixels".into())
}

fn shrink(text: &str) -> Result<Shrink, String> {
    let (number, is_percent) = match text.strip_suffix('%') {
        Some(number) => (number, true),
        None => (text, false),
    };
    let number: f32 = number
        .trim()
        .parse()
        .map_err(|_| "expected a number of pixels, such as 2, or a percentage, such as 20%")?;
    if !(number.is_finite() && number >= 0.0) || (is_percent && number >= 100.0) {
        return Err("expected a non-negative number of pixels, or a percentage below 100%".into());
    }
    Ok(if is_percent { Shrink::Percent(number) } else { Shrink::Pixels(number) })
}

impl Options {
    fn slicing(&self) -> Slicing {
        match (self.grid, self.auto) {
            (Some([width, height]), _) => Slicing::Grid { width, height },
            (None, Some(gap)) => Slicing::Auto { gap },
            (None, None) => Slicing::Whole,
        }
    }

    fn fit_options(&self) -> FitOptions {
        FitOptions {
            shape: self.shape,
            tolerance: self.tolerance,
            max_boxes: self.most as usize,
            shrink: self.shrink,
            name: self.name.clone(),
            role: self.role,
            pivot: self.pivot,
            rate: self.rate,
            phases: self.phases,
        }
    }
}

/// A frame, the index of its image, and the shapes fitted to it.
struct FittedFrame {
    image: usize,
    frame: SlicedFrame,
    fitted: FitResult,
}

/// Fits shapes to all frames of all images. Nothing is written if any of them fails.
///
/// # Errors
/// Returns an error if an image cannot be read or has no opaque pixels, or if writing fails.
pub fn run(options: &Options, out: &mut impl Write) -> io::Result<()> {
    let mut images = Vec::new();
    for path in &options.images {
        images.extend(Image::read_all(path).map_err(args::file_error)?);
    }
    let fitted = fit_all(options, &images)?;
    let sheet = sheet_from_fits(&images, &fitted)
        .and_then(|sheet| sheet.with_directions(options.phases))
        .map_err(input_error)?;
    let json = sheet::to_json(&sheet);
    if let Some(path) = &options.preview {
        render::write(&draw_preview(&images, &fitted), path)?;
    }
    match &options.out {
        Some(path) => {
            write_atomically(path, json.as_bytes())?;
            write_table(&fitted, out)
        }
        None => {
            out.write_all(json.as_bytes())?;
            write_table(&fitted, &mut io::stderr().lock())
        }
    }
}

/// Creates a sheet of all frames. The frames of an animated image become an animation named after its file.
fn sheet_from_fits(images: &[Image], fitted: &[FittedFrame]) -> Result<Sheet, SheetError> {
    let frames = fitted.iter().map(|it| it.fitted.frame.clone());
    let mut sheet = Sheet::from_frames(frames)?;
    let file = |it: &FittedFrame| images[it.image].path();
    for frames in fitted.chunk_by(|a, b| file(a) == file(b)) {
        let [first, .., last] = frames else { continue };
        if images[first.image].duration_ms().is_some() {
            let name = file(first).file_stem().unwrap_or_default().to_string_lossy();
            let [from, to] = [first, last].map(|it| it.frame.name.as_str());
            sheet = sheet.with_animation(name, from, to, Playback::Forward)?;
        }
    }
    Ok(sheet)
}

fn fit_all(options: &Options, images: &[Image]) -> io::Result<Vec<FittedFrame>> {
    let fit_options = options.fit_options();
    let mut frames: Vec<(usize, SlicedFrame)> = Vec::new();
    for (i, image) in images.iter().enumerate() {
        match options.slicing().frames(image, options.threshold) {
            Ok(sliced) => frames.extend(sliced.into_iter().map(|frame| (i, frame))),
            // Skip the empty frames of a sprite that blinks.
            Err(FileError::NoOpaquePixels { .. }) if is_opaque_elsewhere(options, images, i) => {}
            Err(error) => return Err(input_error(error)),
        }
    }
    let mut progress = Progress::new(frames.len(), "frame");
    let mut all = Vec::new();
    for (image, frame) in frames {
        let fitted = fit_options.fit(&frame).map_err(input_error)?;
        all.push(FittedFrame { image, frame, fitted });
        progress.step();
    }
    progress.clear();
    Ok(all)
}

/// Returns `true` if another frame of the same animation has opaque pixels.
fn is_opaque_elsewhere(options: &Options, images: &[Image], i: usize) -> bool {
    let mut others = images.iter().filter(|image| image.path() == images[i].path());
    others.any(|image| image.bitmap(options.threshold).is_ok())
}

/// Writes a table of the quality of all fits.
fn write_table(fitted: &[FittedFrame], out: &mut impl Write) -> io::Result<()> {
    let width = fitted.iter().map(|it| it.frame.name.len()).max().unwrap_or(0).max(5);
    writeln!(out, "{:width$}  boxes   inside  outside   missed       IoU", "frame")?;
    for FittedFrame { frame, fitted: FitResult { frame: boxes, quality }, .. } in fitted {
        writeln!(
            out,
            "{:width$}  {:5} {:8.1} {:8.1} {:8.1}  {:7.1}%",
            frame.name,
            boxes.boxes.len(),
            quality.inside,
            quality.outside.abs(), // avoids -0.0
            quality.missed.abs(),
            100.0 * quality.iou(),
        )?;
    }
    Ok(())
}

/// The distance between images in the preview, in their pixels.
const SPACING: f32 = 8.0;

/// Draws all images with the shapes of their frames.
fn draw_preview(images: &[Image], fitted: &[FittedFrame]) -> Drawing {
    let (corners, end) = arrange(images);
    let shapes = fitted.iter().flat_map(|FittedFrame { image, frame, fitted }| {
        let at = Vec2::new(frame.at.column as f32, frame.at.row as f32) + corners[*image];
        fitted.frame.boxes.iter().map(move |it| it.shape.translated(at))
    });
    let shapes: Vec<Shape> = shapes.collect();
    // Circles and ellipses may extend beyond the images.
    let (low, high) = shapes
        .iter()
        .map(Shape::bounds)
        .fold((Vec2::ZERO, end), |(low, high), it| (low.min(it.min()), high.max(it.max())));
    let mut drawing = Drawing::new(View::new(Aabb::new(low, high)).y_down());
    for (image, &corner) in images.iter().zip(&corners) {
        draw_sprite(&mut drawing, image, corner);
    }
    for shape in &shapes {
        draw::shape(&mut drawing, shape, &Style::translucent(Color::VERMILION));
    }
    drawing
}

/// Arranges the images in rows that together form roughly a square. Returns their corners and the size of the
/// square.
fn arrange(images: &[Image]) -> (Vec<Vec2>, Vec2) {
    let sizes = images.iter().map(|image| Vec2::from(image.size().map(|side| side as f32)));
    let area: f32 = sizes.clone().map(|size| (size.x + SPACING) * (size.y + SPACING)).sum();
    let (mut at, mut end) = (Vec2::ZERO, Vec2::ZERO);
    let corner = |size: Vec2| {
        if at.x > 0.0 && at.x + size.x > area.sqrt() {
            at = Vec2::new(0.0, end.y + SPACING);
        }
        let corner = at;
        end = end.max(corner + size);
        at.x += size.x + SPACING;
        corner
    };
    let corners = sizes.map(corner).collect();
    (corners, end)
}
