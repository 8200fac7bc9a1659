//! Drawing of sprites.

use std::collections::BTreeMap;

use carom::draw::{self, Color, Drawing, Style};
use carom::prelude::*;
use carom_files::Image;

/// Draws the pixels of an image with its first corner at `at`, one mask per color.
pub fn draw_sprite(drawing: &mut Drawing, picture: &Image, at: Vec2) {
    let [width, height] = picture.size();
    let mut colors: BTreeMap<[u8; 4], Bitmap> = BTreeMap::new();
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let [r, g, b, a] = picture.pixel(x, y);
        if a > 0 {
            // Eight levels per channel are enough for a preview.
            let color = [r, g, b, a].map(|part| (part & 0xe0) | (part >> 3 & 0x1c) | part >> 6);
            colors.entry(color).or_insert_with(|| Bitmap::new(width, height)).set([x, y], true);
        }
    }
    for (color, pixels) in colors {
        let mask = Mask::new(at, 1.0, pixels);
        draw::shape(drawing, &mask, &Style::fill(Color(color)));
    }
}
