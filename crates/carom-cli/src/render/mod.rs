//! Image files: SVG, PNG and GIF.

mod raster;
mod scene;
mod sprite;
mod stroke_font;

use std::io;
use std::path::{Path, PathBuf};

use carom::draw::Drawing;
use carom_files::write_atomically;

pub use scene::{BodyOverlay, draw_scene};
pub use sprite::draw_sprite;

/// The scale of PNG files, which makes them sharp on screens with a high pixel density.
const PNG_SCALE: f32 = 2.0;

/// The options for image files.
#[derive(Default, clap::Args)]
pub struct ImageOutputs {
    /// Write an SVG image
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write a PNG image
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
}

impl ImageOutputs {
    /// Writes a drawing to the requested files. Does not draw if there are none.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written. An existing file is then unchanged.
    pub fn write(&self, draw: impl FnOnce() -> Drawing) -> io::Result<()> {
        if self.iter().next().is_none() {
            return Ok(());
        }
        let drawing = draw();
        if let Some(path) = &self.svg {
            write_atomically(path, drawing.to_svg().as_bytes())?;
        }
        if let Some(path) = &self.png {
            write_atomically(path, &encode_png(&drawing)?)?;
        }
        Ok(())
    }

    /// Returns the paths of the files.
    pub fn iter(&self) -> impl Iterator<Item = &PathBuf> {
        self.svg.iter().chain(&self.png)
    }
}

/// Writes a drawing to a file. The extension, `.svg` or `.png`, determines the format.
///
/// # Errors
/// Returns an error for another extension, or if the file cannot be written.
pub fn write(drawing: &Drawing, path: &Path) -> io::Result<()> {
    match path.extension().map(|kind| kind.to_string_lossy().to_lowercase()).as_deref() {
        Some("svg") => write_atomically(path, drawing.to_svg().as_bytes()),
        Some("png") => write_atomically(path, &encode_png(drawing)?),
        _ => {
            let message =
                format!("{}: expected a file name that ends with .svg or .png", path.display());
            Err(io::Error::new(io::ErrorKind::InvalidInput, message))
        }
    }
}

fn encode_png(drawing: &Drawing) -> io::Result<Vec<u8>> {
    let pixels = raster::draw(drawing, PNG_SCALE).map_err(io::Error::other)?;
    pixels.encode_png().map_err(io::Error::other)
}

/// Encodes an animated GIF that repeats forever. Each frame is shown for `seconds`.
///
/// # Errors
/// Returns an error if a frame is too large for a GIF.
pub fn encode_gif(frames: &[Drawing], seconds: f32) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder: Option<gif::Encoder<&mut Vec<u8>>> = None;
    let mut bytes_of_gif = Some(&mut bytes);
    for drawing in frames {
        let pixels = raster::draw(drawing, 1.0).map_err(io::Error::other)?;
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
