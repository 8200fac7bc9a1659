//! What was imported, as a picture.

use std::io;

use carom::draw::{self, Canvas, Color, Drawing, LabelPlacement, Style, View};
use carom::prelude::*;
use carom::sheet::{Role, Sheet};
use carom_files::{Import, Imported};

use crate::picture::draw_sprite;
use crate::run;

/// How far frames stand apart, as part of their size.
const APART: f32 = 0.25;

/// The level as it stands, or the frames of a sheet beside each other.
pub fn drawn(import: &Import) -> io::Result<Drawing> {
    match &import.what {
        Imported::Scene(scene) => run::first_picture(scene),
        Imported::Sheet(sheet) => Ok(frames(sheet, import)),
    }
}

fn frames(sheet: &Sheet, import: &Import) -> Drawing {
    let size = cell(sheet, import);
    let columns = (sheet.frames().len() as f32).sqrt().ceil().max(1.0) as usize;
    let rows = sheet.frames().len().div_ceil(columns).max(1);
    let step = size.size() * (1.0 + APART);
    let area = Vec2::new(columns as f32, rows as f32) * step;
    let mut drawing = Drawing::new(View::new(Aabb::new([0.0, 0.0], area)).y_down());
    for (i, frame) in sheet.frames().iter().enumerate() {
        let place = Vec2::new((i % columns) as f32, (i / columns) as f32) * step;
        let origin = place + size.size() * APART / 2.0 - size.min();
        if let Some(picture) = import.pictures.get(i) {
            draw_sprite(&mut drawing, picture, origin);
        }
        for frame_box in &frame.boxes {
            let style = Style::translucent(color(frame_box.role));
            draw::shape(&mut drawing, &frame_box.shape.translated(origin), &style);
        }
        let pivot = Point::new(origin + frame.pivot);
        draw::shape(&mut drawing, &pivot, &Style::fill(Color::BLACK));
        let middle = origin + Vec2::new(size.center().x, size.max().y);
        drawing.label(middle, &frame.name, LabelPlacement::Below, &Style::default());
    }
    drawing
}

/// A box that holds every frame.
fn cell(sheet: &Sheet, import: &Import) -> Aabb {
    let pictures = import.pictures.iter().map(|picture| {
        let [width, height] = picture.size();
        Vec2::new(width as f32, height as f32)
    });
    let boxes = sheet.frames().iter().flat_map(|frame| &frame.boxes);
    let corners = boxes.flat_map(|frame_box| frame_box.shape.bounds().corners());
    let points: Vec<Vec2> = pictures.chain(corners).chain([Vec2::ZERO]).collect();
    let whole = Aabb::from_points(&points).filter(|whole| whole.size().min_element() > 0.0);
    whole.unwrap_or(Aabb::new([0.0, 0.0], [1.0, 1.0]))
}

fn color(role: Role) -> Color {
    match role {
        Role::Sensor => Color::SKY,
        Role::Hitbox => Color::VERMILION,
        Role::Hurtbox => Color::GREEN,
        _ => Color::BLUE,
    }
}
