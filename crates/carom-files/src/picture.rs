//! Pictures.

use std::fs;
use std::path::{Path, PathBuf};

use carom::prelude::*;

use crate::FileError;

/// A picture: four bytes a pixel (red, green, blue, alpha), row by row from the top.
#[derive(Clone, PartialEq)]
pub struct Picture {
    path: PathBuf,
    width: u32,
    height: u32,
    rgba: Vec<u8>,
    moment: Option<Moment>,
}

/// Which frame of an animation a picture is, and for how many milliseconds it is shown.
#[derive(Clone, Copy, PartialEq)]
struct Moment {
    number: usize,
    milliseconds: f32,
}

impl Picture {
    /// Reads a picture: a PNG, GIF, WebP, BMP or TGA; of one that moves the first frame (see
    /// [`Picture::read_all`]).
    ///
    /// # Errors
    /// A file that cannot be read, is no picture, or ends too early; a picture larger than
    /// [`Bitmap::MAX_SIDE`] in either direction.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        Self::decode(path, &Self::bytes(path)?)
    }

    pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, FileError> {
        fs::read(path).map_err(|error| FileError::Read { path: path.into(), error })
    }

    /// A picture from the bytes of its file; the path is for the name and for messages.
    ///
    /// # Errors
    /// As [`Picture::read`].
    pub fn decode(path: impl Into<PathBuf>, bytes: &[u8]) -> Result<Self, FileError> {
        let path = path.into();
        let format = Self::format(&path, bytes)?;
        let decoded = image::load_from_memory_with_format(bytes, format);
        let decoded = decoded.map_err(|error| Self::broken(&path, &error))?.into_rgba8();
        let (width, height) = decoded.dimensions();
        Ok(Self::from_rgba(path, [width, height], decoded.into_raw()))
    }

    /// The format of a file whose picture is not too large.
    pub(crate) fn format(path: &Path, bytes: &[u8]) -> Result<image::ImageFormat, FileError> {
        if bytes.is_empty() {
            return Err(Self::broken(path, &"found nothing"));
        }
        // TGA has no mark of its own at the start of the file: there the name has to say it.
        let format = image::guess_format(bytes).or_else(|error| {
            let is_tga = path.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("tga"));
            if is_tga { Ok(image::ImageFormat::Tga) } else { Err(error) }
        });
        let format = format.map_err(|error| Self::broken(path, &error))?;
        if format == image::ImageFormat::WebP && !is_whole_riff(bytes) {
            return Err(Self::broken(path, &"the file ends too early"));
        }
        let cursor = std::io::Cursor::new(bytes);
        let size = image::ImageReader::with_format(cursor, format).into_dimensions();
        let (width, height) = size.map_err(|error| Self::broken(path, &error))?;
        if width.max(height) > Bitmap::MAX_SIDE {
            return Err(FileError::ImageTooLarge { path: path.into(), size: [width, height] });
        }
        Ok(format)
    }

    pub(crate) fn broken(path: &Path, error: &dyn std::fmt::Display) -> FileError {
        FileError::InvalidImage { path: path.into(), error: error.to_string() }
    }

    /// A picture of four bytes a pixel, under a name.
    pub(crate) fn from_rgba(
        name: impl Into<PathBuf>,
        [width, height]: [u32; 2],
        rgba: Vec<u8>,
    ) -> Self {
        Self { path: name.into(), width, height, rgba, moment: None }
    }

    /// The same as a frame of an animation.
    pub(crate) fn in_animation(self, number: usize, milliseconds: f32) -> Self {
        Self { moment: Some(Moment { number, milliseconds }), ..self }
    }

    /// A part of it under another name, at some place in a picture of another size that is clear
    /// otherwise; `None` where there is no such part, or no such place.
    pub(crate) fn part(
        &self,
        name: &str,
        from: [u32; 2],
        size: [u32; 2],
        at: [i32; 2],
        whole: [u32; 2],
    ) -> Option<Self> {
        let fits = |i: usize| {
            let end = from[i].checked_add(size[i]);
            let at_end = u32::try_from(at[i]).ok().and_then(|at| at.checked_add(size[i]));
            end.is_some_and(|end| end <= self.size()[i])
                && at_end.is_some_and(|end| end <= whole[i])
                && whole[i] <= Bitmap::MAX_SIDE
        };
        if !(fits(0) && fits(1)) {
            return None;
        }
        let place = |[x, y]: [u32; 2], width: u32| 4 * (y as usize * width as usize + x as usize);
        let at = at.map(|at| at as u32);
        let mut rgba = vec![0; place([0, whole[1]], whole[0])];
        for row in 0..size[1] {
            let start = place([from[0], from[1] + row], self.width);
            let line = &self.rgba[start..start + 4 * size[0] as usize];
            let start = place([at[0], at[1] + row], whole[0]);
            rgba[start..start + line.len()].copy_from_slice(line);
        }
        Some(Self::from_rgba(name, whole, rgba))
    }

    /// The file it came from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name of the file without what it ends with, for naming frames; with a number for a frame of
    /// an animation.
    pub fn name(&self) -> String {
        let name = self.path.file_stem().map_or("frame".into(), |name| name.to_string_lossy());
        match self.moment {
            Some(Moment { number, .. }) => format!("{name}_{number}"),
            None => name.into_owned(),
        }
    }

    /// For how many milliseconds it is shown, if it is a frame of an animation.
    pub fn milliseconds(&self) -> Option<f32> {
        self.moment.map(|moment| moment.milliseconds)
    }

    /// Its width and height.
    pub fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// The colour of a pixel.
    ///
    /// # Panics
    /// Outside the picture.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let start = 4 * (y as usize * self.width as usize + x as usize);
        self.rgba[start..start + 4].try_into().expect("four bytes a pixel")
    }

    /// The pixels whose alpha is above a threshold.
    ///
    /// # Errors
    /// Where there is none.
    pub fn bitmap(&self, threshold: u8) -> Result<Bitmap, FileError> {
        match Bitmap::from_alpha(self.width, self.height, &self.rgba, threshold) {
            Ok(bitmap) if !bitmap.is_clear() => Ok(bitmap),
            // The size is known to fit.
            _ => Err(FileError::NoOpaquePixels { path: self.path.clone(), threshold }),
        }
    }

    /// The pixels whose colour is near another: each of the four bytes (red, green, blue, alpha) differs
    /// by the tolerance at most. There may be none.
    pub fn bitmap_of(&self, color: [u8; 4], tolerance: [u8; 4]) -> Bitmap {
        let pixels = Bitmap::from_color(self.width, self.height, &self.rgba, color, tolerance);
        pixels.expect("its size was checked when it was read")
    }
}

/// Whether a file is as long as its head says. (Of a WebP that ends too early, the decoder gives the
/// frames that are whole, as if there were no more.)
fn is_whole_riff(bytes: &[u8]) -> bool {
    let length = bytes.get(4..8).and_then(|length| length.try_into().ok());
    length.is_some_and(|length| bytes.len() - 8 >= u32::from_le_bytes(length) as usize)
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture({}, {} by {})", self.path.display(), self.width, self.height)
    }
}
