//! The shapes over the sprites.

use carom::draw::{self, Color, Paint, Picture as Drawing, View};
use carom::prelude::*;
use carom_files::Picture;

use super::Done;
use crate::picture::draw_sprite;

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
        draw_sprite(&mut drawing, picture, Vec2::new(0.0, top));
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
