//! Pictures that move: each frame is a picture.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::codecs::gif::GifDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::{AnimationDecoder, Frames, ImageFormat, ImageResult};

use crate::{FileError, Picture};

/// How many bytes the frames of an animation may have together.
const MOST: usize = 1 << 30;

impl Picture {
    /// Reads all frames of a picture that moves (GIF, PNG or WebP), or the one of a picture that does
    /// not.
    ///
    /// # Errors
    /// As [`Picture::read`]; an animation of more than a gibibyte.
    pub fn read_all(path: impl AsRef<Path>) -> Result<Vec<Self>, FileError> {
        let path = path.as_ref();
        Self::decode_all(path, &Self::bytes(path)?)
    }

    /// All frames of a picture from the bytes of its file; the path is for the names and for messages.
    ///
    /// # Errors
    /// As [`Picture::read_all`].
    pub fn decode_all(path: impl Into<PathBuf>, bytes: &[u8]) -> Result<Vec<Self>, FileError> {
        let path = path.into();
        let format = Self::format(&path, bytes)?;
        let broken = |error: &dyn std::fmt::Display| Self::broken(&path, error);
        let Some(frames) = frames(format, bytes).map_err(|error| broken(&error))? else {
            return Ok(vec![Self::decode(path, bytes)?]);
        };
        let (mut pictures, mut size) = (Vec::new(), 0);
        for (i, frame) in frames.enumerate() {
            let frame = frame.map_err(|error| broken(&format!("frame {i}: {error}")))?;
            let (numerator, denominator) = frame.delay().numer_denom_ms();
            let milliseconds = numerator as f32 / denominator.max(1) as f32;
            let pixels = frame.into_buffer();
            size += pixels.len();
            if size > MOST {
                return Err(broken(&"more than a gibibyte of frames"));
            }
            let frame_size = [pixels.width(), pixels.height()];
            let picture = Self::from_rgba(path.clone(), frame_size, pixels.into_raw());
            pictures.push(picture.in_animation(i, milliseconds));
        }
        match &mut pictures[..] {
            [] => Err(broken(&"no frame")),
            [only] => Ok(vec![Self::decode(only.path(), bytes)?]),
            _ => Ok(pictures),
        }
    }
}

/// The frames of a file, if its format has several.
fn frames(format: ImageFormat, bytes: &[u8]) -> ImageResult<Option<Frames<'_>>> {
    let cursor = Cursor::new(bytes);
    Ok(match format {
        ImageFormat::Gif => Some(GifDecoder::new(cursor)?.into_frames()),
        ImageFormat::Png => {
            let decoder = PngDecoder::new(cursor)?;
            if decoder.is_apng()? { Some(decoder.apng()?.into_frames()) } else { None }
        }
        ImageFormat::WebP => {
            let decoder = WebPDecoder::new(cursor)?;
            decoder.has_animation().then(|| decoder.into_frames())
        }
        _ => None,
    })
}
