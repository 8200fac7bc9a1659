//! Aseprite's binary format: a header, then frames, each with chunks.
//!
//! The chunks with tags, slices and user data are read for the boxes, and those with layers, palettes and
//! cels for the images; the others are skipped.

use std::path::Path;

use super::pixels::Pixels;
use super::{Slice, SliceKey, Sprite, SpriteFrame, Tag};
use crate::FileError;
use crate::import::{ImportContext, ImportResult};

const MAGIC: [u8; 2] = [0xe0, 0xa5];
const FRAME_MAGIC: u16 = 0xf1fa;
const HEADER_SIZE: usize = 128;

/// Returns `true` if a file has the extension or the signature of the format.
pub(in crate::import) fn is_binary(path: &Path, bytes: &[u8]) -> bool {
    let has_extension = path.extension().is_some_and(|extension| {
        extension.eq_ignore_ascii_case("aseprite") || extension.eq_ignore_ascii_case("ase")
    });
    has_extension || bytes.get(4..6) == Some(&MAGIC)
}

/// Imports an `.aseprite` file.
pub(in crate::import) fn import(
    context: &ImportContext<'_>,
    path: &Path,
    bytes: &[u8],
) -> Result<ImportResult, FileError> {
    let reader = read(path, bytes).map_err(|error| FileError::invalid(path, error))?;
    let images = reader.pixels.images(&reader.sprite);
    super::import(context, path, &reader.sprite, images)
}

struct SpriteReader {
    sprite: Sprite,
    pixels: Pixels,
}

fn read(path: &Path, bytes: &[u8]) -> Result<SpriteReader, String> {
    let mut header = ByteReader::new(bytes, 0);
    header.skip(4)?;
    if header.take(2)? != MAGIC {
        return Err("byte 4: not the signature of an Aseprite file".into());
    }
    let (count, width, height) = (header.u16()?, header.u16()?, header.u16()?);
    let depth = header.u16()?;
    let flags = header.u32()?;
    header.skip(10)?;
    let transparent_index = header.u8()?;
    let mut reader = SpriteReader {
        sprite: Sprite::default(),
        pixels: Pixels::new([width, height], depth, flags, transparent_index),
    };
    let mut frames = ByteReader::new(bytes, 0);
    frames.skip(HEADER_SIZE)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    for i in 0..count {
        let name = if count == 1 { name.clone().into_owned() } else { format!("{name} {i}") };
        reader.read_frame(name, frames.block(16)?)?;
    }
    Ok(reader)
}

impl SpriteReader {
    /// Reads a frame, starting after its size.
    fn read_frame(&mut self, name: String, mut bytes: ByteReader<'_>) -> Result<(), String> {
        let at = bytes.at();
        let magic = bytes.u16()?;
        if magic != FRAME_MAGIC {
            return Err(format!(
                "byte {at}: found {magic:#x}, expected the signature of a frame ({FRAME_MAGIC:#x})"
            ));
        }
        let old_count = bytes.u16()?;
        let duration_ms = bytes.u16()?.into();
        bytes.skip(2)?;
        let count = match bytes.u32()? {
            0 => old_count.into(), // old versions write the old count only
            count => count,
        };
        self.sprite.frames.push(SpriteFrame { name, duration_ms });
        self.pixels.start_frame();
        let mut follows_slice = false;
        for _ in 0..count {
            let mut chunk = bytes.block(6)?;
            let kind = chunk.u16()?;
            match kind {
                0x2004 => self.pixels.read_layer(&mut chunk)?,
                0x2005 => self.pixels.read_cel(&mut chunk)?,
                0x2018 => self.read_tags(&mut chunk)?,
                0x2019 => self.pixels.read_palette(&mut chunk)?,
                0x2020 if follows_slice => self.read_user_data(&mut chunk)?,
                0x2022 => self.read_slice(&mut chunk)?,
                _ => {}
            }
            follows_slice = kind == 0x2022;
        }
        Ok(())
    }

    fn read_tags(&mut self, chunk: &mut ByteReader<'_>) -> Result<(), String> {
        let count = chunk.u16()?;
        chunk.skip(8)?;
        for _ in 0..count {
            let (from, to) = (chunk.u16()?.into(), chunk.u16()?.into());
            let direction = match chunk.u8()? {
                1 => "reverse",
                2 => "pingpong",
                3 => "pingpong_reverse",
                _ => "forward",
            };
            chunk.skip(12)?; // the repeat count and the color
            let name = chunk.string()?;
            self.sprite.tags.push(Tag { name, from, to, direction: direction.into() });
        }
        Ok(())
    }

    fn read_slice(&mut self, chunk: &mut ByteReader<'_>) -> Result<(), String> {
        let (count, flags) = (chunk.u32()?, chunk.u32()?);
        chunk.skip(4)?;
        let name = chunk.string()?;
        let mut keys = Vec::new();
        for _ in 0..count {
            let frame = chunk.u32()? as usize;
            let corner = [chunk.i32()?, chunk.i32()?];
            let size = [chunk.u32()?, chunk.u32()?];
            if flags & 1 != 0 {
                chunk.skip(16)?; // the center of a nine-patch
            }
            let pivot = if flags & 2 != 0 { Some([chunk.i32()?, chunk.i32()?]) } else { None };
            keys.push(SliceKey { frame, corner, size, pivot });
        }
        self.sprite.slices.push(Slice { name, data: String::new(), keys });
        Ok(())
    }

    /// Reads the user data of the last slice.
    fn read_user_data(&mut self, chunk: &mut ByteReader<'_>) -> Result<(), String> {
        let has_text = chunk.u32()? & 1 != 0;
        if let Some(slice) = self.sprite.slices.last_mut().filter(|_| has_text) {
            slice.data = chunk.string()?;
        }
        Ok(())
    }
}

/// A reader of little-endian values that tracks its offset in the file.
pub struct ByteReader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> ByteReader<'b> {
    fn new(bytes: &'b [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    fn at(&self) -> usize {
        self.at
    }

    pub fn take(&mut self, count: usize) -> Result<&'b [u8], String> {
        let Some((taken, rest)) = self.bytes.split_at_checked(count) else {
            let (at, left) = (self.at, self.bytes.len());
            return Err(format!("byte {at}: found {left} more bytes, expected {count}"));
        };
        (self.bytes, self.at) = (rest, self.at + count);
        Ok(taken)
    }

    /// Returns all remaining bytes.
    pub fn rest(&mut self) -> &'b [u8] {
        std::mem::take(&mut self.bytes)
    }

    pub fn skip(&mut self, count: usize) -> Result<(), String> {
        self.take(count).map(|_| ())
    }

    /// Reads the size of a block in bytes, which includes the size itself, and returns a reader of the rest of the
    /// block.
    fn block(&mut self, min_size: usize) -> Result<Self, String> {
        let at = self.at;
        let size = self.u32()? as usize;
        if size < min_size {
            return Err(format!("byte {at}: found size {size}, expected at least {min_size}"));
        }
        let start = self.at;
        Ok(ByteReader::new(self.take(size - 4)?, start))
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        Ok(self.take(N)?.try_into().expect("`take` returns N bytes"))
    }

    pub fn u8(&mut self) -> Result<u8, String> {
        Ok(self.array::<1>()?[0])
    }

    pub fn u16(&mut self) -> Result<u16, String> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub fn i16(&mut self) -> Result<i16, String> {
        Ok(i16::from_le_bytes(self.array()?))
    }

    pub fn u32(&mut self) -> Result<u32, String> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn i32(&mut self) -> Result<i32, String> {
        Ok(i32::from_le_bytes(self.array()?))
    }

    pub fn string(&mut self) -> Result<String, String> {
        let length = self.u16()?;
        Ok(String::from_utf8_lossy(self.take(length.into())?).into_owned())
    }
}
