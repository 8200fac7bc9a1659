//! Images: reading from files, and conversion to bitmaps.

mod animation;
mod slicing;

pub use slicing::{SlicedFrame, Slicing};

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use carom::prelude::*;

use crate::FileError;

/// An RGBA image: four bytes per pixel (red, green, blue, alpha), row by row from the top.
#[derive(Clone, PartialEq)]
pub struct Image {
    path: PathBuf,
    width: u32,
    height: u32,
    rgba: Vec<u8>,
    animation_frame: Option<AnimationFrame>,
}

/// The index of an image in its animation, and the duration for which it is shown.
#[derive(Clone, Copy, PartialEq)]
struct AnimationFrame {
    index: usize,
    duration_ms: f32,
}

impl Image {
    /// The maximum number of pixels in an image: 512 MiB in memory. An image takes up to two GiB while it is
    /// read, as do all frames of an animation together.
    pub const MAX_PIXELS: u64 = 1 << 27;

    /// Reads a PNG, GIF, WebP, BMP or TGA image, or the first frame of an animation. See also
    /// [`Image::read_all`].
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not an image, or is incomplete, and if the image has
    /// more than [`Image::MAX_PIXELS`] pixels or a side longer than [`Bitmap::MAX_SIDE`].
    pub fn read(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        Self::decode(path, &read_bytes(path)?)
    }

    /// Decodes the content of an image file. The path is used for the name and in errors.
    ///
    /// # Errors
    /// Returns the errors of [`Image::read`].
    pub fn decode(path: impl Into<PathBuf>, bytes: &[u8]) -> Result<Self, FileError> {
        let path = path.into();
        let format = detect_format(&path, bytes)?;
        let decoded = image::load_from_memory_with_format(bytes, format);
        let decoded = decoded.map_err(|error| invalid_image(&path, &error))?.into_rgba8();
        let (width, height) = decoded.dimensions();
        Ok(Self::from_rgba(path, [width, height], decoded.into_raw()))
    }

    /// Creates an image from four bytes per pixel.
    pub(crate) fn from_rgba(
        path: impl Into<PathBuf>,
        [width, height]: [u32; 2],
        rgba: Vec<u8>,
    ) -> Self {
        Self { path: path.into(), width, height, rgba, animation_frame: None }
    }

    /// Returns the image as a frame of an animation.
    fn in_animation(self, index: usize, duration_ms: f32) -> Self {
        Self { animation_frame: Some(AnimationFrame { index, duration_ms }), ..self }
    }

    /// Copies a part of the image to position `at` of a new, otherwise transparent image. Returns `None`
    /// if the part is not inside this image or not inside the new one.
    pub(crate) fn crop_into(
        &self,
        name: &str,
        from: [u32; 2],
        size: [u32; 2],
        at: [i32; 2],
        new_size: [u32; 2],
    ) -> Option<Self> {
        let fits = |i: usize| {
            let end = from[i].checked_add(size[i]);
            let at_end = u32::try_from(at[i]).ok().and_then(|at| at.checked_add(size[i]));
            end.is_some_and(|end| end <= self.size()[i])
                && at_end.is_some_and(|end| end <= new_size[i])
                && new_size[i] <= Bitmap::MAX_SIDE
        };
        if !(fits(0) && fits(1)) {
            return None;
        }
        let offset = |[x, y]: [u32; 2], width: u32| 4 * (y as usize * width as usize + x as usize);
        let at = at.map(|at| at as u32);
        let mut rgba = vec![0; offset([0, new_size[1]], new_size[0])];
        for row in 0..size[1] {
            let start = offset([from[0], from[1] + row], self.width);
            let line = &self.rgba[start..start + 4 * size[0] as usize];
            let start = offset([at[0], at[1] + row], new_size[0]);
            rgba[start..start + line.len()].copy_from_slice(line);
        }
        Some(Self::from_rgba(name, new_size, rgba))
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the file name without its extension, for naming frames. The frames of an animation have
    /// their index at the end.
    pub fn name(&self) -> String {
        let name = self.path.file_stem().map_or("frame".into(), |name| name.to_string_lossy());
        match self.animation_frame {
            Some(AnimationFrame { index, .. }) => format!("{name}_{index}"),
            None => name.into_owned(),
        }
    }

    /// Returns the duration for which the image is shown, in milliseconds, if it is a frame of an animation.
    pub fn duration_ms(&self) -> Option<f32> {
        self.animation_frame.map(|frame| frame.duration_ms)
    }

    /// Returns the width and height.
    pub fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// Returns the color of a pixel.
    ///
    /// # Panics
    /// Panics if the pixel is outside the image.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let start = 4 * (y as usize * self.width as usize + x as usize);
        self.rgba[start..start + 4].try_into().expect("a pixel has four bytes")
    }

    /// Returns the pixels whose alpha is above `threshold`.
    ///
    /// # Errors
    /// Returns an error if there are no such pixels.
    pub fn bitmap(&self, threshold: u8) -> Result<Bitmap, FileError> {
        match Bitmap::from_alpha(self.width, self.height, &self.rgba, threshold) {
            Ok(bitmap) if !bitmap.is_clear() => Ok(bitmap),
            // The size was checked when the image was read.
            _ => Err(FileError::NoOpaquePixels { path: self.path.clone(), threshold }),
        }
    }

    /// Returns the pixels of which each color component (red, green, blue, alpha) differs from that of
    /// `color` by at most `tolerance`. There may be none.
    pub fn bitmap_by_color(&self, color: [u8; 4], tolerance: [u8; 4]) -> Bitmap {
        let pixels = Bitmap::from_color(self.width, self.height, &self.rgba, color, tolerance);
        pixels.expect("the size was checked when the image was read")
    }
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    fs::read(path).map_err(|error| FileError::Read { path: path.into(), error })
}

/// Detects the format of an image file, and checks its size.
fn detect_format(path: &Path, bytes: &[u8]) -> Result<image::ImageFormat, FileError> {
    if bytes.is_empty() {
        return Err(invalid_image(path, &"the file is empty"));
    }
    // TGA files have no signature, so their extension decides.
    let format = image::guess_format(bytes).or_else(|error| {
        let is_tga =
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tga"));
        if is_tga { Ok(image::ImageFormat::Tga) } else { Err(error) }
    });
    let format = format.map_err(|error| invalid_image(path, &error))?;
    if format == image::ImageFormat::WebP && !is_complete_riff(bytes) {
        return Err(invalid_image(path, &"the file is incomplete"));
    }
    let cursor = std::io::Cursor::new(bytes);
    let size = image::ImageReader::with_format(cursor, format).into_dimensions();
    let (width, height) = size.map_err(|error| invalid_image(path, &error))?;
    let is_too_large = u64::from(width) * u64::from(height) > Image::MAX_PIXELS;
    if is_too_large || width.max(height) > Bitmap::MAX_SIDE {
        return Err(FileError::ImageTooLarge { path: path.into(), size: [width, height] });
    }
    Ok(format)
}

fn invalid_image(path: &Path, error: &dyn fmt::Display) -> FileError {
    FileError::InvalidImage { path: path.into(), error: error.to_string() }
}

/// Returns `true` if a RIFF file has the length that its header states. (From an incomplete WebP file, the decoder
/// returns the complete frames without an error.)
fn is_complete_riff(bytes: &[u8]) -> bool {
    let length = bytes.get(4..8).and_then(|length| length.try_into().ok());
    length.is_some_and(|length| bytes.len() - 8 >= u32::from_le_bytes(length) as usize)
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Image({}, {}×{})", self.path.display(), self.width, self.height)
    }
}
