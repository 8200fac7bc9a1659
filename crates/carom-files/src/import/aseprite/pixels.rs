//! The images of a sprite's frames, for previews.
//!
//! All layers are blended normally, regardless of their blend mode, and tilemaps are ignored. If the images
//! cannot be created, the boxes are imported without them.

use std::io::Read;
use std::ops::Range;

use flate2::read::ZlibDecoder;

use super::Sprite;
use super::binary::ByteReader;
use crate::Image;

/// The maximum size of all images in memory, in bytes.
const MAX_IMAGE_BYTES: usize = 1 << 28;

/// The maximum size of the pixels of all cels in memory, in bytes. They are compressed, so a small file can have
/// many.
const MAX_CEL_BYTES: usize = 1 << 29;

/// The maximum number of pixels that are drawn for the images of all frames.
const MAX_DRAWN_PIXELS: usize = 1 << 30;

pub struct Pixels {
    size: [u16; 2],
    color_mode: ColorMode,
    /// `true` if the opacity of layers is used.
    has_opacity: bool,
    layers: Vec<Layer>,
    palette: Vec<[u8; 4]>,
    /// The cels of each frame, from the bottom layer to the top one.
    frames: Vec<Vec<Cel>>,
    /// The size of the pixels of all cels that have been read, in bytes.
    cel_bytes: usize,
}

enum ColorMode {
    Rgba,
    Gray,
    Indexed { transparent_index: u8 },
}

struct Layer {
    /// `true` if the layer and all groups that it is in are visible.
    is_visible: bool,
    /// The number of groups that it is in.
    depth: u16,
    opacity: u8,
}

#[derive(Clone)]
struct Cel {
    layer: usize,
    corner: [i16; 2],
    opacity: u8,
    content: Content,
}

#[derive(Clone)]
enum Content {
    Pixels {
        size: [u16; 2],
        bytes: Vec<u8>,
    },
    /// The content of the same layer in another frame.
    Linked(u16),
    Other,
}

impl Pixels {
    pub fn new(size: [u16; 2], bits_per_pixel: u16, flags: u32, transparent_index: u8) -> Self {
        let color_mode = match bits_per_pixel {
            32 => ColorMode::Rgba,
            16 => ColorMode::Gray,
            _ => ColorMode::Indexed { transparent_index },
        };
        let (layers, palette, frames) = (Vec::new(), vec![[0; 4]; 256], Vec::new());
        let has_opacity = flags & 1 != 0;
        Self { size, color_mode, has_opacity, layers, palette, frames, cel_bytes: 0 }
    }

    pub fn start_frame(&mut self) {
        self.frames.push(Vec::new());
    }

    pub fn read_layer(&mut self, chunk: &mut ByteReader<'_>) -> Result<(), String> {
        let is_visible = chunk.u16()? & 1 != 0;
        chunk.skip(2)?;
        let depth = chunk.u16()?;
        chunk.skip(6)?;
        let opacity = if self.has_opacity { chunk.u8()? } else { 255 };
        let parent = self.layers.iter().rev().find(|layer| layer.depth < depth);
        let is_visible = is_visible && parent.is_none_or(|parent| parent.is_visible);
        self.layers.push(Layer { is_visible, depth, opacity });
        Ok(())
    }

    pub fn read_palette(&mut self, chunk: &mut ByteReader<'_>) -> Result<(), String> {
        chunk.skip(4)?;
        let (first, last) = (chunk.u32()? as usize, chunk.u32()? as usize);
        chunk.skip(8)?;
        for index in first..=last.min(255) {
            let has_name = chunk.u16()? & 1 != 0;
            let color = chunk.take(4)?;
            self.palette[index].copy_from_slice(color);
            if has_name {
                chunk.string()?;
            }
        }
        Ok(())
    }

    pub fn read_cel(&mut self, chunk: &mut ByteReader<'_>) -> Result<(), String> {
        let layer = chunk.u16()?.into();
        let corner = [chunk.i16()?, chunk.i16()?];
        let opacity = chunk.u8()?;
        let kind = chunk.u16()?;
        chunk.skip(7)?;
        let content = match kind {
            0 | 2 => {
                let size = [chunk.u16()?, chunk.u16()?];
                let count =
                    size.map(usize::from).iter().product::<usize>() * self.bytes_per_pixel();
                self.cel_bytes += count;
                if self.cel_bytes > MAX_CEL_BYTES {
                    let [width, height] = size;
                    return Err(format!(
                        "with a cel of {width}×{height} pixels, the cels have more than 512 MiB"
                    ));
                }
                let bytes = if kind == 0 {
                    chunk.take(count)?.to_vec()
                } else {
                    let mut bytes = Vec::new();
                    let reader = ZlibDecoder::new(chunk.rest()).take(count as u64);
                    match { reader }.read_to_end(&mut bytes) {
                        Ok(read) if read == count => bytes,
                        _ => return Err("the pixels of a cel are invalid or incomplete".into()),
                    }
                };
                Content::Pixels { size, bytes }
            }
            1 => Content::Linked(chunk.u16()?),
            _ => Content::Other,
        };
        let cels = self.frames.last_mut().ok_or("a cel before the first frame")?;
        cels.push(Cel { layer, corner, opacity, content });
        Ok(())
    }

    fn bytes_per_pixel(&self) -> usize {
        match self.color_mode {
            ColorMode::Rgba => 4,
            ColorMode::Gray => 2,
            ColorMode::Indexed { .. } => 1,
        }
    }

    /// Returns the images of all frames; none if they would be too large or take too long.
    pub fn images(&self, sprite: &Sprite) -> Vec<Image> {
        let [width, height] = self.size.map(usize::from);
        let count = width * height * 4;
        // A linked cel is drawn again in every frame, so a small file can have many pixels to draw.
        let cels = self.frames.iter().flatten().filter_map(|cel| self.visible_part(cel));
        let drawn = cels.fold(0, |sum: usize, part| sum.saturating_add(part.pixel_count()));
        if count == 0 || count * sprite.frames.len() > MAX_IMAGE_BYTES || drawn > MAX_DRAWN_PIXELS {
            return Vec::new();
        }
        let frames = self.frames.iter().zip(&sprite.frames);
        let image = frames.map(|(cels, frame)| {
            let mut rgba = vec![0; count];
            for part in cels.iter().filter_map(|cel| self.visible_part(cel)) {
                self.draw(&part, &mut rgba);
            }
            Image::from_rgba(&frame.name, self.size.map(u32::from), rgba)
        });
        image.collect()
    }

    /// Returns the part of a cel that is within the image, if its layer is visible.
    fn visible_part<'a>(&'a self, cel: &'a Cel) -> Option<VisiblePart<'a>> {
        let layer = self.layers.get(cel.layer).filter(|layer| layer.is_visible)?;
        let same = match cel.content {
            Content::Linked(frame) => {
                let mut cels = self.frames.get(usize::from(frame))?.iter();
                cels.find(|other| other.layer == cel.layer)?
            }
            _ => cel,
        };
        let Content::Pixels { size, bytes } = &same.content else { return None };
        let range = |axis: usize| {
            let (corner, end) = (i32::from(cel.corner[axis]), i32::from(self.size[axis]));
            corner.clamp(0, end)..(corner + i32::from(size[axis])).clamp(0, end)
        };
        let opacity = u32::from(layer.opacity) * u32::from(cel.opacity) / 255;
        let corner = cel.corner.map(i32::from);
        Some(VisiblePart { columns: range(0), rows: range(1), corner, size: *size, bytes, opacity })
    }

    /// Blends a cel over an image.
    fn draw(&self, part: &VisiblePart<'_>, rgba: &mut [u8]) {
        let length = self.bytes_per_pixel();
        for y in part.rows.clone() {
            for x in part.columns.clone() {
                let [column, row] = [x - part.corner[0], y - part.corner[1]].map(|i| i as usize);
                let from = length * (row * usize::from(part.size[0]) + column);
                let at = 4 * (y as usize * usize::from(self.size[0]) + x as usize);
                let color = self.color(&part.bytes[from..from + length]);
                blend_over(&mut rgba[at..at + 4], color, part.opacity);
            }
        }
    }

    fn color(&self, pixel: &[u8]) -> [u8; 4] {
        match (&self.color_mode, pixel) {
            (ColorMode::Rgba, &[r, g, b, a]) => [r, g, b, a],
            (ColorMode::Gray, &[value, a]) => [value, value, value, a],
            (ColorMode::Indexed { transparent_index }, &[index]) if index != *transparent_index => {
                self.palette[usize::from(index)]
            }
            _ => [0; 4],
        }
    }
}

/// The pixels of a cel that are within the image.
struct VisiblePart<'a> {
    /// The columns and rows of the image that it covers.
    columns: Range<i32>,
    rows: Range<i32>,
    /// The position of the cel in the image, and its whole size.
    corner: [i32; 2],
    size: [u16; 2],
    bytes: &'a [u8],
    opacity: u32,
}

impl VisiblePart<'_> {
    fn pixel_count(&self) -> usize {
        self.columns.len() * self.rows.len()
    }
}

/// Blends a color over another (the "over" operator).
fn blend_over(below: &mut [u8], [r, g, b, a]: [u8; 4], opacity: u32) {
    let above = u32::from(a) * opacity / 255;
    let left = u32::from(below[3]) * (255 - above) / 255;
    let alpha = above + left;
    if above == 0 || alpha == 0 {
        return;
    }
    for (below, above_part) in below.iter_mut().zip([r, g, b]) {
        let mixed = u32::from(above_part) * above + u32::from(*below) * left;
        *below = (mixed / alpha) as u8;
    }
    below[3] = alpha as u8;
}
