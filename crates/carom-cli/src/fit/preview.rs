//! The shapes over the sprites.

use std::collections::BTreeMap;

use carom::draw::{self, Color, Paint, Picture as Drawing, View};
use carom::prelude::*;
use carom_files::Picture;

use super::Done;

/// How far pictures stand apart, in their pixels.
const APART: f32 = 8.0;

/// All pictures below each other, with the shapes of their frames.
pub fn drawn(pictures: &[Picture], done: &[Done]) -> Drawing {
    let mut tops: Vec<f32> = Vec::new();
    let (mut width, mut height) = (0.0f32, 0.0);
    for picture in pictures {
        let [w, h] = picture.size();
        tops.push(height);
        (width, height) = (width.max(w as f32), height + h as f32 + APART);
    }
    let area = Aabb::new([0.0, 0.0], [width, height - APART]);
    let mut drawing = Drawing::new(View::new(area).y_down());
    for (picture, &top) in pictures.iter().zip(&tops) {
        draw_picture(&mut drawing, picture, top);
    }
    for Done { picture, frame, fitted } in done {
        let at = Vec2::new(frame.at.column as f32, frame.at.row as f32 + tops[*picture]);
        for frame_box in &fitted.frame.boxes {
            let shape = frame_box.shape.translated(at);
            let paint = Paint::area(Color::VERMILION);
            draw::shape(&mut drawing, &shape, &paint);
        }
    }
    drawing
}

/// The pixels of a picture, colour by colour.
fn draw_picture(drawing: &mut Drawing, picture: &Picture, top: f32) {
    let [width, height] = picture.size();
    let mut colors: BTreeMap<[u8; 4], Bitmap> = BTreeMap::new();
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let [r, g, b, a] = picture.pixel(x, y);
        if a > 0 {
            // Eight steps of each are enough for a preview.
            let color = [r, g, b, a].map(|part| (part & 0xe0) | (part >> 3 & 0x1c) | part >> 6);
            colors.entry(color).or_insert_with(|| Bitmap::new(width, height)).set([x, y], true);
        }
    }
    for (color, pixels) in colors {
        let mask = Mask::new([0.0, top], 1.0, pixels);
        draw::shape(drawing, &mask, &Paint::fill(Color(color)));
    }
}
