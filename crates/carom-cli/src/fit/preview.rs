//! The shapes over the sprites.

use carom::draw::{self, Color, Drawing, Style, View};
use carom::prelude::*;
use carom_files::Picture;

use super::Done;
use crate::picture::draw_sprite;

/// How far pictures stand apart, in their pixels.
const APART: f32 = 8.0;

/// All pictures, with the shapes of their frames.
pub fn drawn(pictures: &[Picture], done: &[Done]) -> Drawing {
    let (corners, end) = laid_out(pictures);
    let shapes = done.iter().flat_map(|Done { picture, frame, fitted }| {
        let at = Vec2::new(frame.at.column as f32, frame.at.row as f32) + corners[*picture];
        fitted.frame.boxes.iter().map(move |it| it.shape.translated(at))
    });
    let shapes: Vec<Shape> = shapes.collect();
    // Round shapes reach out of the pictures.
    let (low, high) = shapes
        .iter()
        .map(Shape::bounds)
        .fold((Vec2::ZERO, end), |(low, high), it| (low.min(it.min()), high.max(it.max())));
    let mut drawing = Drawing::new(View::new(Aabb::new(low, high)).y_down());
    for (picture, &corner) in pictures.iter().zip(&corners) {
        draw_sprite(&mut drawing, picture, corner);
    }
    for shape in &shapes {
        draw::shape(&mut drawing, shape, &Style::translucent(Color::VERMILION));
    }
    drawing
}

/// The corners of the pictures in rows that make about a square, and where all of them end.
fn laid_out(pictures: &[Picture]) -> (Vec<Vec2>, Vec2) {
    let sizes = pictures.iter().map(|picture| Vec2::from(picture.size().map(|side| side as f32)));
    let area: f32 = sizes.clone().map(|size| (size.x + APART) * (size.y + APART)).sum();
    let (mut at, mut end) = (Vec2::ZERO, Vec2::ZERO);
    let corner = |size: Vec2| {
        if at.x > 0.0 && at.x + size.x > area.sqrt() {
            at = Vec2::new(0.0, end.y + APART);
        }
        let corner = at;
        end = end.max(corner + size);
        at.x += size.x + APART;
        corner
    };
    let corners = sizes.map(corner).collect();
    (corners, end)
}
