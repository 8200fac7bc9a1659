//! Pictures in files: SVG, PNG and GIF.

mod letters;
mod raster;
mod sprite;

use std::io;
use std::path::{Path, PathBuf};

use carom::draw::Drawing;
use carom_files::write_atomically;

pub use sprite::draw_sprite;

/// How many pixels a PNG has for each of the picture's: sharp on screens with many.
const SHARP: f32 = 2.0;

/// Where a picture goes.
#[derive(Default, clap::Args)]
pub struct Files {
    /// Draw it, as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Draw it, as PNG
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
}

impl Files {
    /// Draws the picture, if it goes anywhere.
    ///
    /// # Errors
    /// Where a file cannot be written. Then there is none, or the one that was there before.
    pub fn write(&self, draw: impl FnOnce() -> Drawing) -> io::Result<()> {
        if self.iter().next().is_none() {
            return Ok(());
        }
        let picture = draw();
        if let Some(path) = &self.svg {
            write_atomically(path, picture.to_svg().as_bytes())?;
        }
        if let Some(path) = &self.png {
            write_atomically(path, &png_of(&picture)?)?;
        }
        Ok(())
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &PathBuf> {
        self.svg.iter().chain(&self.png)
    }
}

/// Writes a picture to a file of the kind that its name says: `.svg` or `.png`.
///
/// # Errors
/// For another kind of name, and as [`Files::write`].
pub fn write(picture: &Drawing, path: &Path) -> io::Result<()> {
    match path.extension().map(|kind| kind.to_string_lossy().to_lowercase()).as_deref() {
        Some("svg") => write_atomically(path, picture.to_svg().as_bytes()),
        Some("png") => write_atomically(path, &png_of(picture)?),
        _ => {
            let message = format!("{}: the name has to end with .svg or .png", path.display());
            Err(io::Error::new(io::ErrorKind::InvalidInput, message))
        }
    }
}

fn png_of(picture: &Drawing) -> io::Result<Vec<u8>> {
    let pixels = raster::draw(picture, SHARP).map_err(io::Error::other)?;
    pixels.encode_png().map_err(io::Error::other)
}

/// Pictures one after another as a GIF that is repeated.
///
/// # Errors
/// Where they are too large for one.
pub fn gif_of(frames: &[Drawing], seconds: f32) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder: Option<gif::Encoder<&mut Vec<u8>>> = None;
    let mut bytes_of_gif = Some(&mut bytes);
    for picture in frames {
        let pixels = raster::draw(picture, 1.0).map_err(io::Error::other)?;
        let side = |side: u32| u16::try_from(side).map_err(io::Error::other);
        let (width, height) = (side(pixels.width())?, side(pixels.height())?);
        if let Some(bytes) = bytes_of_gif.take() {
            let mut first =
                gif::Encoder::new(bytes, width, height, &[]).map_err(io::Error::other)?;
            first.set_repeat(gif::Repeat::Infinite).map_err(io::Error::other)?;
            encoder = Some(first);
        }
        let mut rgba = pixels.take();
        let mut frame = gif::Frame::from_rgba_speed(width, height, &mut rgba, 10);
        frame.delay = (seconds * 100.0).round().clamp(1.0, 65535.0) as u16;
        if let Some(encoder) = &mut encoder {
            encoder.write_frame(&frame).map_err(io::Error::other)?;
        }
    }
    drop(encoder);
    Ok(bytes)
}
