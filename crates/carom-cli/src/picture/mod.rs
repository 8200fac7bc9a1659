//! Pictures in files: SVG, PNG and GIF.

mod letters;
mod raster;

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use carom::draw::Picture;

/// How many pixels a PNG has for each of the picture's: sharp on screens with many.
const SHARP: f32 = 2.0;

/// Writes a picture to a file of the kind that its name says: `.svg` or `.png`.
///
/// # Errors
/// For another kind of name, and where the file cannot be written. Then there is no file, or the
/// one that was there before.
pub fn write(picture: &Picture, path: &Path) -> io::Result<()> {
    let bytes = match kind(path).as_str() {
        "svg" => picture.to_svg().into_bytes(),
        "png" => encoded(raster::draw(picture, SHARP).map_err(io::Error::other)?)?,
        _ => return Err(unknown_kind(path, ".svg or .png")),
    };
    replace(path, &bytes)
}

/// Writes pictures one after another to a file that moves: `.gif` or `.svg`.
///
/// # Errors
/// As [`write`].
pub fn write_animation(frames: &[Picture], seconds: f32, path: &Path) -> io::Result<()> {
    let bytes = match kind(path).as_str() {
        "svg" => Picture::to_animated_svg(frames, seconds).into_bytes(),
        "gif" => gif_of(frames, seconds)?,
        _ => return Err(unknown_kind(path, ".gif or .svg")),
    };
    replace(path, &bytes)
}

fn encoded(pixels: tiny_skia::Pixmap) -> io::Result<Vec<u8>> {
    pixels.encode_png().map_err(io::Error::other)
}

fn gif_of(frames: &[Picture], seconds: f32) -> io::Result<Vec<u8>> {
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

fn kind(path: &Path) -> String {
    path.extension().map(|kind| kind.to_string_lossy().to_lowercase()).unwrap_or_default()
}

fn unknown_kind(path: &Path, kinds: &str) -> io::Error {
    let message = format!("{}: the name has to end with {kinds}", path.display());
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

/// Writes a file as a whole or not at all: first beside it, then in its place.
///
/// # Errors
/// Where that fails.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let named =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let written = fs::File::create(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&beside); // it may not be there
    }
    written.map_err(named)
}
