//! Rasterization of drawings.

use carom::draw::{Anchor, Color, Drawing, Element, Layout, Style};
use carom::math::Vec2;
use tiny_skia::{
    FillRule, LineCap, LineJoin, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform,
};

use super::stroke_font;

/// Rasterizes a drawing, scaled by a factor.
///
/// # Errors
/// Returns an error if the image would be empty or too large.
pub fn draw(drawing: &Drawing, scale: f32) -> Result<Pixmap, String> {
    let Layout { elements, size } = drawing.layout();
    let [width, height] = size.map(|side| (side * scale).ceil());
    let mut pixels = (width.max(height) <= 16384.0)
        .then(|| Pixmap::new(width as u32, height as u32))
        .flatten()
        .ok_or_else(|| format!("cannot create an image of {width} by {height} pixels"))?;
    pixels.fill(tiny_skia::Color::WHITE);
    let mut pen = Pen { pixels, to_pixels: Transform::from_scale(scale, scale) };
    elements.iter().for_each(|element| pen.element(element));
    Ok(pen.pixels)
}

struct Pen {
    pixels: Pixmap,
    to_pixels: Transform,
}

impl Pen {
    fn element(&mut self, element: &Element) {
        match element {
            Element::Path { lines, is_closed, style } => self.path(path(lines, *is_closed), style),
            Element::Circle { center, radius, style } => {
                self.path(PathBuilder::from_circle(center.x, center.y, *radius), style);
            }
            Element::Text { at, anchor, text, color } => self.text(*at, *anchor, text, *color),
        }
    }

    fn path(&mut self, path: Option<Path>, style: &Style) {
        let Some(path) = path else { return };
        if let Some(fill) = style.fill {
            let fill = ink(fill);
            self.pixels.fill_path(&path, &fill, FillRule::EvenOdd, self.to_pixels, None);
        }
        if let Some(line) = style.stroke {
            let dash = style.dashed.then(|| StrokeDash::new(vec![6.0, 4.0], 0.0)).flatten();
            let line_join = LineJoin::Round;
            let stroke = Stroke { width: style.width, line_join, dash, ..Stroke::default() };
            self.pixels.stroke_path(&path, &ink(line), &stroke, self.to_pixels, None);
        }
    }

    fn text(&mut self, at: Vec2, anchor: Anchor, text: &str, color: Color) {
        let (mut lines, width) = stroke_font::strokes(text, Element::FONT_SIZE);
        let back = match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
        let start = at - Vec2::new(back, 0.0);
        lines.iter_mut().flatten().for_each(|point| *point += start);
        let Some(path) = path(&lines, false) else { return };
        // A white outline first, then the text.
        for (color, width) in [(Color::WHITE, 4.0), (color, 1.3)] {
            let (line_cap, line_join) = (LineCap::Round, LineJoin::Round);
            let stroke = Stroke { width, line_cap, line_join, ..Stroke::default() };
            self.pixels.stroke_path(&path, &ink(color), &stroke, self.to_pixels, None);
        }
    }
}

fn path(lines: &[Vec<Vec2>], is_closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for line in lines {
        for (i, point) in line.iter().enumerate() {
            if i == 0 {
                path.move_to(point.x, point.y);
            } else {
                path.line_to(point.x, point.y);
            }
        }
        if is_closed {
            path.close();
        }
    }
    path.finish()
}

fn ink(Color([red, green, blue, opacity]): Color) -> tiny_skia::Paint<'static> {
    let mut paint = tiny_skia::Paint { anti_alias: true, ..tiny_skia::Paint::default() };
    paint.set_color_rgba8(red, green, blue, opacity);
    paint
}
