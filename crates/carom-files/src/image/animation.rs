//! Animated images: all frames of a GIF, PNG or WebP file.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::codecs::gif::GifDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::{AnimationDecoder, Frames, ImageDecoder, ImageError, ImageFormat, ImageResult, Limits};

use super::{Image, detect_format, invalid_image, read_bytes};
use crate::FileError;

/// The maximum size of all frames of an animation in memory.
const MAX_ANIMATION_BYTES: usize = 1 << 30;

/// The maximum memory for decoding a frame: the canvas and the frame, which may be larger than the canvas.
const MAX_DECODER_BYTES: u64 = 2 * 4 * Image::MAX_PIXELS;

impl Image {
    /// Reads all frames of an animated image (GIF, PNG or WebP), or the only one of another image.
    ///
    /// # Errors
    /// Returns the errors of [`Image::read`], and an error for an animation of more than 1 GiB.
    pub fn read_all(path: impl AsRef<Path>) -> Result<Vec<Self>, FileError> {
        let path = path.as_ref();
        Self::decode_all(path, &read_bytes(path)?)
    }

    /// Decodes all frames of the content of an image file. The path is used for the names and in errors.
    ///
    /// # Errors
    /// Returns the errors of [`Image::read_all`].
    pub fn decode_all(path: impl Into<PathBuf>, bytes: &[u8]) -> Result<Vec<Self>, FileError> {
        let path = path.into();
        let format = detect_format(&path, bytes)?;
        let invalid = |error: &dyn std::fmt::Display| invalid_image(&path, error);
        let Some(frames) = frames(format, bytes).map_err(|error| invalid(&error))? else {
            return Ok(vec![Self::decode(path, bytes)?]);
        };
        let (mut images, mut size) = (Vec::new(), 0);
        for (i, frame) in frames.enumerate() {
            let frame = frame.map_err(|error| match error {
                ImageError::Limits(_) => invalid(&format!("frame {i} takes more than 1 GiB")),
                error => invalid(&format!("frame {i}: {error}")),
            })?;
            let (numerator, denominator) = frame.delay().numer_denom_ms();
            let duration_ms = numerator as f32 / denominator.max(1) as f32;
            let pixels = frame.into_buffer();
            size += pixels.len();
            if size > MAX_ANIMATION_BYTES {
                return Err(invalid(&"the frames have more than 1 GiB"));
            }
            let frame_size = [pixels.width(), pixels.height()];
            let image = Self::from_rgba(path.clone(), frame_size, pixels.into_raw());
            images.push(image.in_animation(i, duration_ms));
        }
        match &mut images[..] {
            [] => Err(invalid(&"no frames")),
            [only] => Ok(vec![Self::decode(only.path(), bytes)?]),
            _ => Ok(images),
        }
    }
}

/// Returns the frames of a file, if its format can have several.
fn frames(format: ImageFormat, bytes: &[u8]) -> ImageResult<Option<Frames<'_>>> {
    let cursor = Cursor::new(bytes);
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MAX_DECODER_BYTES);
    Ok(match format {
        ImageFormat::Gif => {
            let mut decoder = GifDecoder::new(cursor)?;
            decoder.set_limits(limits)?;
            Some(decoder.into_frames())
        }
        ImageFormat::Png => {
            let decoder = PngDecoder::with_limits(cursor, limits)?;
            if decoder.is_apng()? { Some(decoder.apng()?.into_frames()) } else { None }
        }
        ImageFormat::WebP => {
            let mut decoder = WebPDecoder::new(cursor)?;
            decoder.set_limits(limits)?;
            decoder.has_animation().then(|| decoder.into_frames())
        }
        _ => None,
    })
}
