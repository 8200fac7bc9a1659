//! `carom fit`: shapes from pictures.

mod preview;

use std::io::{self, Write};
use std::path::PathBuf;

use carom::sheet::{Playback, Role, Sheet, SheetError};
use carom_files::{
    Cut, CutFrame, FileError, Fitted, Fitting, Form, Picture, Pivot, Shrink, sheet,
    write_atomically,
};
use clap::builder::NonEmptyStringValueParser;
use clap::value_parser;
use indicatif::{ProgressBar, ProgressStyle};

use crate::{arguments, picture};

/// What the long help says after the options.
pub const HELP: &str = "A sprite sheet becomes hitboxes:
  carom fit fighter.png --grid 48x48 --shape hull --out fighter.json --preview boxes.png

Without --grid and --auto each picture is a frame. Frames in which nothing is to be seen are left out.

The file that is written is a sheet: frames with named boxes, in pixels from the top left corner of \
each frame, y down. Without --out it goes to the standard output. The table tells how good each fit is: \
how many pixels of its area lie on the sprite, how many beside it, and how many of the sprite it leaves \
out.";

/// Which pictures, which shapes, and where they go.
#[derive(clap::Args)]
pub struct Options {
    /// The pictures: PNG, GIF, WebP, BMP or TGA; each frame of one that moves is a frame of the sheet
    #[arg(required = true, value_name = "IMAGE")]
    images: Vec<PathBuf>,
    /// Which shape to fit
    #[arg(short, long, value_enum, default_value = "box")]
    shape: Form,
    /// Cut each picture into cells of this size, row by row
    #[arg(short, long, value_name = "WxH", value_parser = size, allow_hyphen_values = true)]
    grid: Option<[u32; 2]>,
    /// Cut each picture where nothing is to be seen for more than so many pixels (1 unless given)
    #[arg(long, value_name = "GAP", num_args = 0..=1, default_missing_value = "1", conflicts_with = "grid")]
    #[arg(allow_negative_numbers = true)]
    auto: Option<u32>,
    /// A pixel counts if its alpha is above this, from 0 to 255
    #[arg(long, value_name = "ALPHA", default_value_t = 127)]
    threshold: u8,
    /// How far outlines may be off, in pixels
    #[arg(short, long, value_name = "PIXELS", default_value_t = 1.0, value_parser = tolerance)]
    #[arg(allow_negative_numbers = true)]
    tolerance: f32,
    /// How many boxes there may be, with `--shape boxes`
    #[arg(short, long, value_name = "COUNT", default_value_t = 4)]
    #[arg(value_parser = value_parser!(u32).range(1..))]
    most: u32,
    /// Make the shapes smaller, by pixels (2) or in proportion (20%)
    #[arg(long, value_name = "PIXELS|PERCENT", value_parser = shrink, allow_hyphen_values = true)]
    shrink: Option<Shrink>,
    /// What the boxes are called; several of a frame are numbered
    #[arg(long, default_value = "body", value_parser = NonEmptyStringValueParser::new())]
    name: String,
    /// What the boxes are there for
    #[arg(long, value_parser = arguments::role(), default_value = "hurtbox")]
    role: Role,
    /// Which point of a frame sits on the body's position
    #[arg(long, value_enum, default_value = "corner")]
    pivot: Pivot,
    /// How many ticks a second has, for the times of pictures that move
    #[arg(long, value_name = "TICKS", default_value_t = 60.0, value_parser = arguments::rate)]
    #[arg(allow_negative_numbers = true)]
    rate: f32,
    /// Write the sheet to this file
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw the shapes over the sprites, to a .svg or .png file
    #[arg(short, long, value_name = "FILE")]
    preview: Option<PathBuf>,
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once(['x', 'X']).map(|(w, h)| (w.trim().parse(), h.trim().parse()));
    match sides {
        Some((Ok(width), Ok(height))) => Ok([width, height]),
        _ => Err("expected a width and a height such as 32x32".into()),
    }
}

fn tolerance(text: &str) -> Result<f32, String> {
    let pixels = text.parse().ok().filter(|pixels: &f32| *pixels >= 0.0 && pixels.is_finite());
    pixels.ok_or_else(|| "expected pixels from 0 on".into())
}

fn shrink(text: &str) -> Result<Shrink, String> {
    let (number, is_percent) = match text.strip_suffix('%') {
        Some(number) => (number, true),
        None => (text, false),
    };
    let number: f32 =
        number.trim().parse().map_err(|_| "expected pixels such as 2, or percent such as 20%")?;
    if !(number.is_finite() && number >= 0.0) || (is_percent && number >= 100.0) {
        return Err("expected pixels from 0 on, or percent from 0 to below 100".into());
    }
    Ok(if is_percent { Shrink::Percent(number) } else { Shrink::Pixels(number) })
}

impl Options {
    fn cut(&self) -> Cut {
        match (self.grid, self.auto) {
            (Some([width, height]), _) => Cut::Grid { width, height },
            (None, Some(gap)) => Cut::Auto { gap },
            (None, None) => Cut::Whole,
        }
    }

    fn fitting(&self) -> Fitting {
        Fitting {
            form: self.shape,
            tolerance: self.tolerance,
            most: self.most as usize,
            shrink: self.shrink,
            name: self.name.clone(),
            role: self.role,
            pivot: self.pivot,
            rate: self.rate,
        }
    }
}

/// A frame, the picture that it was cut from, and what was fitted to it.
struct Done {
    picture: usize,
    frame: CutFrame,
    fitted: Fitted,
}

/// Fits shapes to all frames of all pictures. Nothing is written unless all of them worked out.
///
/// # Errors
/// Pictures that cannot be read or in which nothing is to be seen; files that cannot be written.
pub fn run(options: &Options, out: &mut impl Write) -> io::Result<()> {
    let mut pictures = Vec::new();
    for path in &options.images {
        pictures.extend(Picture::read_all(path).map_err(arguments::refused)?);
    }
    let done = fit_all(options, &pictures)?;
    let json = sheet::to_json(&sheet_of(&pictures, &done).map_err(arguments::invalid)?);
    if let Some(path) = &options.preview {
        picture::write(&preview::drawn(&pictures, &done), path)?;
    }
    match &options.out {
        Some(path) => {
            write_atomically(path, json.as_bytes())?;
            table(&done, out)
        }
        None => {
            out.write_all(json.as_bytes())?;
            table(&done, &mut io::stderr().lock())
        }
    }
}

/// All frames; those of a picture that moves are an animation of its name, too.
fn sheet_of(pictures: &[Picture], done: &[Done]) -> Result<Sheet, SheetError> {
    let frames = done.iter().map(|done| done.fitted.frame.clone());
    let mut sheet = Sheet::from_frames(frames)?;
    let file = |done: &Done| pictures[done.picture].path();
    for frames in done.chunk_by(|a, b| file(a) == file(b)) {
        let [first, .., last] = frames else { continue };
        if pictures[first.picture].milliseconds().is_some() {
            let name = file(first).file_stem().unwrap_or_default().to_string_lossy();
            let [from, to] = [first, last].map(|done| done.frame.name.as_str());
            sheet = sheet.with_animation(name, from, to, Playback::Forward)?;
        }
    }
    Ok(sheet)
}

fn fit_all(options: &Options, pictures: &[Picture]) -> io::Result<Vec<Done>> {
    let fitting = options.fitting();
    let mut frames: Vec<(usize, CutFrame)> = Vec::new();
    for (i, picture) in pictures.iter().enumerate() {
        match options.cut().frames(picture, options.threshold) {
            Ok(cut) => frames.extend(cut.into_iter().map(|frame| (i, frame))),
            // Things may blink.
            Err(FileError::NoOpaquePixels { .. }) if is_seen_elsewhere(options, pictures, i) => {}
            Err(error) => return Err(arguments::invalid(error)),
        }
    }
    let style = ProgressStyle::with_template("{pos}/{len} frames {wide_bar} {eta}");
    let bar = ProgressBar::new(frames.len() as u64); // shown on terminals only
    bar.set_style(style.map_err(io::Error::other)?);
    let mut done = Vec::new();
    for (picture, frame) in frames {
        let fitted = fitting.fit(&frame).map_err(arguments::invalid)?;
        done.push(Done { picture, frame, fitted });
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(done)
}

/// Whether something can be seen in another frame of the same animation.
fn is_seen_elsewhere(options: &Options, pictures: &[Picture], i: usize) -> bool {
    let mut others = pictures.iter().filter(|picture| picture.path() == pictures[i].path());
    others.any(|picture| picture.bitmap(options.threshold).is_ok())
}

/// How good the fits are.
fn table(done: &[Done], out: &mut impl Write) -> io::Result<()> {
    let width = done.iter().map(|done| done.frame.name.len()).max().unwrap_or(0).max(5);
    writeln!(out, "{:width$}  boxes   inside  outside   missed  likeness", "frame")?;
    for Done { frame, fitted: Fitted { frame: boxes, quality }, .. } in done {
        writeln!(
            out,
            "{:width$}  {:5} {:8.1} {:8.1} {:8.1}  {:7.1}%",
            frame.name,
            boxes.boxes.len(),
            quality.inside,
            quality.outside.abs(), // no minus zero
            quality.missed.abs(),
            100.0 * quality.iou(),
        )?;
    }
    Ok(())
}
