//! The pixels of a sprite, for pictures of its frames: layers over each other, as they are seen.
//!
//! All layers are laid over each other in the plain way, whatever their blend mode; tilemaps are left
//! out. What cannot be read leaves the pictures out, and the boxes are imported all the same.

use std::io::Read;

use flate2::read::ZlibDecoder;

use super::Sprite;
use super::binary::Bytes;
use crate::Picture;

/// As large as pictures get in memory, in bytes, for all frames.
const MOST: usize = 1 << 28;

pub struct Pixels {
    size: [u16; 2],
    depth: Depth,
    /// Whether the opacity of layers counts.
    has_opacity: bool,
    layers: Vec<Layer>,
    palette: Vec<[u8; 4]>,
    /// The cels of each frame, in the order of the file: from the lowest layer up.
    frames: Vec<Vec<Cel>>,
}

enum Depth {
    Rgba,
    Gray,
    /// The number of a colour; this one is clear.
    Indexed(u8),
}

struct Layer {
    is_seen: bool,
    /// Whether it and the groups that it is in are visible; how deep it is in groups.
    level: u16,
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
    /// The same as in another frame.
    Linked(u16),
    Other,
}

impl Pixels {
    pub fn new(size: [u16; 2], depth: u16, flags: u32, clear: u8) -> Self {
        let depth = match depth {
            32 => Depth::Rgba,
            16 => Depth::Gray,
            _ => Depth::Indexed(clear),
        };
        let (layers, palette, frames) = (Vec::new(), vec![[0; 4]; 256], Vec::new());
        Self { size, depth, has_opacity: flags & 1 != 0, layers, palette, frames }
    }

    pub fn start_frame(&mut self) {
        self.frames.push(Vec::new());
    }

    pub fn layer(&mut self, chunk: &mut Bytes<'_>) -> Result<(), String> {
        let is_visible = chunk.u16()? & 1 != 0;
        chunk.skip(2)?;
        let level = chunk.u16()?;
        chunk.skip(6)?;
        let opacity = if self.has_opacity { chunk.u8()? } else { 255 };
        let parent = self.layers.iter().rev().find(|layer| layer.level < level);
        let is_seen = is_visible && parent.is_none_or(|parent| parent.is_seen);
        self.layers.push(Layer { is_seen, level, opacity });
        Ok(())
    }

    pub fn palette(&mut self, chunk: &mut Bytes<'_>) -> Result<(), String> {
        chunk.skip(4)?;
        let (first, last) = (chunk.u32()? as usize, chunk.u32()? as usize);
        chunk.skip(8)?;
        for place in first..=last.min(255) {
            let has_name = chunk.u16()? & 1 != 0;
            let color = chunk.take(4)?;
            self.palette[place].copy_from_slice(color);
            if has_name {
                chunk.string()?;
            }
        }
        Ok(())
    }

    pub fn cel(&mut self, chunk: &mut Bytes<'_>) -> Result<(), String> {
        let layer = chunk.u16()?.into();
        let corner = [chunk.i16()?, chunk.i16()?];
        let opacity = chunk.u8()?;
        let kind = chunk.u16()?;
        chunk.skip(7)?;
        let content = match kind {
            0 | 2 => {
                let size = [chunk.u16()?, chunk.u16()?];
                let count = size.map(usize::from).iter().product::<usize>() * self.pixel_bytes();
                let bytes = if kind == 0 {
                    chunk.take(count)?.to_vec()
                } else {
                    let mut bytes = Vec::new();
                    let reader = ZlibDecoder::new(chunk.rest()).take(count as u64);
                    match { reader }.read_to_end(&mut bytes) {
                        Ok(read) if read == count => bytes,
                        _ => return Err("the pixels of a cel are broken, or end too early".into()),
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

    fn pixel_bytes(&self) -> usize {
        match self.depth {
            Depth::Rgba => 4,
            Depth::Gray => 2,
            Depth::Indexed(_) => 1,
        }
    }

    /// The frames as they are seen; none where they would be too large.
    pub fn pictures(&self, sprite: &Sprite) -> Vec<Picture> {
        let [width, height] = self.size.map(usize::from);
        let count = width * height * 4;
        if count == 0 || count * sprite.frames.len() > MOST {
            return Vec::new();
        }
        let frames = self.frames.iter().zip(&sprite.frames);
        let picture = frames.map(|(cels, frame)| {
            let mut rgba = vec![0; count];
            for cel in cels {
                self.draw(cel, &mut rgba);
            }
            Picture::from_rgba(&frame.name, self.size.map(u32::from), rgba)
        });
        picture.collect()
    }

    /// Lays a cel over what is there.
    fn draw(&self, cel: &Cel, rgba: &mut [u8]) {
        let Some(layer) = self.layers.get(cel.layer).filter(|layer| layer.is_seen) else { return };
        let linked = match cel.content {
            Content::Linked(frame) => self.frames.get(usize::from(frame)),
            _ => None,
        };
        let same = linked.and_then(|cels| cels.iter().find(|other| other.layer == cel.layer));
        let Content::Pixels { size, bytes } = &same.unwrap_or(cel).content else { return };
        let opacity = u32::from(layer.opacity) * u32::from(cel.opacity) / 255;
        let [width, height] = self.size.map(i32::from);
        for (i, pixel) in bytes.chunks_exact(self.pixel_bytes()).enumerate() {
            let (column, row) = (i % usize::from(size[0]), i / usize::from(size[0]));
            let x = i32::from(cel.corner[0]) + column as i32;
            let y = i32::from(cel.corner[1]) + row as i32;
            if (0..width).contains(&x) && (0..height).contains(&y) {
                let at = 4 * (y * width + x) as usize;
                lay_over(&mut rgba[at..at + 4], self.color(pixel), opacity);
            }
        }
    }

    fn color(&self, pixel: &[u8]) -> [u8; 4] {
        match (&self.depth, pixel) {
            (Depth::Rgba, &[r, g, b, a]) => [r, g, b, a],
            (Depth::Gray, &[value, a]) => [value, value, value, a],
            (Depth::Indexed(clear), &[place]) if place != *clear => {
                self.palette[usize::from(place)]
            }
            _ => [0; 4],
        }
    }
}

/// Lays a colour over another.
fn lay_over(below: &mut [u8], [r, g, b, a]: [u8; 4], opacity: u32) {
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
