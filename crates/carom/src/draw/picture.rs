//! A picture: marks in pixels, with a legend and a scale below them.

use alloc::string::String;
use alloc::vec::Vec;

use glam::Vec2;

use super::{Canvas, Color, LabelPlace, Paint, View};

/// A drawing that is kept, for a file: see [`to_svg`](Self::to_svg), or go through its
/// [`marks`](Self::marks) to make another kind of picture of it.
///
/// The legend and the scale stand below what is drawn, so that they cover nothing.
#[derive(Clone, Debug)]
pub struct Picture {
    view: View,
    marks: Vec<Mark>,
    legend: Vec<(Color, String)>,
}

/// Something drawn, in pixels from the left and from the top.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// Lines, or the rings of an area.
    Path {
        /// The points of each.
        lines: Vec<Vec<Vec2>>,
        /// Whether each goes back to its first point.
        is_closed: bool,
        /// How it is drawn.
        paint: Paint,
    },
    /// A circle.
    Circle {
        /// Its middle.
        center: Vec2,
        /// Its radius.
        radius: f32,
        /// How it is drawn.
        paint: Paint,
    },
    /// Words in letters of [`LETTERS`](Mark::LETTERS) pixels, with a white rim.
    Text {
        /// Where their line begins, has its middle, or ends.
        at: Vec2,
        /// Which of these it is.
        anchor: Anchor,
        /// The words.
        text: String,
        /// Their colour.
        color: Color,
    },
}

impl Mark {
    /// How high letters are, in pixels.
    pub const LETTERS: f32 = 13.0;

    fn text(at: Vec2, anchor: Anchor, text: impl Into<String>, color: Color) -> Self {
        Self::Text { at, anchor, text: text.into(), color }
    }
}

/// Which end of the words stands at their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The first letter.
    Start,
    /// The middle.
    Middle,
    /// The last letter.
    End,
}

/// The height of a line below the picture.
const LINE: f32 = 22.0;

impl Picture {
    /// An empty picture.
    pub fn new(view: View) -> Self {
        Self { view, marks: Vec::new(), legend: Vec::new() }
    }

    /// What it shows of the world.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Says below the picture what a colour means.
    pub fn explain(&mut self, color: Color, meaning: impl Into<String>) {
        self.legend.push((color, meaning.into()));
    }

    /// Everything in the picture, in the order in which it is drawn; the legend and the scale come
    /// last. With them, the width and the height in pixels.
    pub fn marks(&self) -> (Vec<Mark>, [f32; 2]) {
        let [width, height] = self.view.size();
        let mut marks = self.marks.clone();
        let left = self.view.margin;
        let (mut x, mut y) = (left, height + LINE / 2.0);
        for (color, meaning) in &self.legend {
            let room = 36.0 + 7.5 * meaning.chars().count() as f32;
            if x + room > width && x > left {
                (x, y) = (left, y + LINE);
            }
            let corners = [(0.0, -6.0), (14.0, -6.0), (14.0, 6.0), (0.0, 6.0)];
            let swatch = corners.map(|corner| Vec2::new(x, y) + Vec2::from(corner)).to_vec();
            marks.push(Mark::Path {
                lines: Vec::from([swatch]),
                is_closed: true,
                paint: Paint::fill(*color),
            });
            let at = Vec2::new(x + 20.0, y + 4.5);
            marks.push(Mark::text(at, Anchor::Start, meaning.as_str(), Color::BLACK));
            x += room;
        }
        if !self.legend.is_empty() {
            y += LINE;
        }
        let (unit, pixels) = scale_bar(self.view.scale, width - 2.0 * left - 60.0);
        let bar =
            [(0.0, -4.0), (0.0, 4.0), (0.0, 0.0), (pixels, 0.0), (pixels, -4.0), (pixels, 4.0)];
        let bar = bar.map(|corner| Vec2::new(left, y) + Vec2::from(corner)).to_vec();
        let paint = Paint::default().width(1.0);
        marks.push(Mark::Path { lines: Vec::from([bar]), is_closed: false, paint });
        let at = Vec2::new(left + pixels + 8.0, y + 4.5);
        marks.push(Mark::text(at, Anchor::Start, alloc::format!("{unit}"), Color::BLACK));
        (marks, [width, y + LINE])
    }

    fn path(&mut self, lines: &[&[Vec2]], is_closed: bool, paint: Paint) {
        let pixels = |line: &&[Vec2]| line.iter().map(|&point| self.view.pixel(point)).collect();
        let lines = lines.iter().map(pixels).collect();
        self.marks.push(Mark::Path { lines, is_closed, paint });
    }
}

impl Canvas for Picture {
    fn area(&mut self, rings: &[&[Vec2]], paint: &Paint) {
        self.path(rings, true, *paint);
    }

    fn line(&mut self, points: &[Vec2], paint: &Paint) {
        self.path(&[points], false, Paint { fill: None, ..*paint });
    }

    fn circle(&mut self, center: Vec2, radius: f32, paint: &Paint) {
        let (center, radius) = (self.view.pixel(center), radius * self.view.scale);
        self.marks.push(Mark::Circle { center, radius, paint: *paint });
    }

    fn dot(&mut self, at: Vec2, paint: &Paint) {
        let fill = Paint::fill(ink(paint));
        let (center, radius) = (self.view.pixel(at), 1.5 + paint.width);
        self.marks.push(Mark::Circle { center, radius, paint: fill });
    }

    fn label(&mut self, at: Vec2, text: &str, place: LabelPlace, paint: &Paint) {
        let (by, anchor) = match place {
            LabelPlace::Middle => ((0.0, 0.35), Anchor::Middle),
            LabelPlace::Left => ((-0.5, 0.35), Anchor::End),
            LabelPlace::Right => ((0.5, 0.35), Anchor::Start),
            LabelPlace::Above => ((0.0, -0.5), Anchor::Middle),
            LabelPlace::Below => ((0.0, 1.2), Anchor::Middle),
        };
        let at = self.view.pixel(at) + Vec2::from(by) * Mark::LETTERS;
        self.marks.push(Mark::text(at, anchor, text, ink(paint)));
    }

    fn arrow_head(&self) -> f64 {
        f64::from(9.0 / self.view.scale)
    }
}

/// The colour of letters and dots.
fn ink(paint: &Paint) -> Color {
    paint.line.or(paint.fill).unwrap_or(Color::BLACK)
}

/// A round number of units that fits into so many pixels, and how many it takes.
fn scale_bar(scale: f32, room: f32) -> (f64, f32) {
    let room = f64::from(room.clamp(20.0, 120.0) / scale);
    let power = libm::pow(10.0, libm::floor(libm::log10(room)));
    let unit = [5.0, 2.0].into_iter().map(|step| step * power).find(|&unit| unit <= room);
    let unit = unit.unwrap_or(power);
    (unit, (unit * f64::from(scale)) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Aabb;

    #[test]
    fn the_scale_is_a_round_number_that_fits() {
        assert_eq!(scale_bar(1.0, 300.0), (100.0, 100.0));
        assert_eq!(scale_bar(50.0, 300.0), (2.0, 100.0));
        assert_eq!(scale_bar(10.0, 60.0), (5.0, 50.0));
    }

    #[test]
    fn points_of_the_world_become_pixels_with_y_down() {
        let view = View::new(Aabb::new([0.0, 0.0], [8.0, 2.0]));
        assert_eq!(view.pixel(Vec2::new(0.0, 2.0)), Vec2::splat(view.margin));
        assert_eq!(view.y_down().pixel(Vec2::new(0.0, 0.0)), Vec2::splat(view.margin));
        assert_eq!(view.size(), [832.0, 232.0]);
    }

    #[test]
    fn a_legend_that_is_too_long_goes_on_in_the_next_line() {
        let mut picture = Picture::new(View::new(Aabb::new([0.0, 0.0], [1.0, 1.0])).scale(200.0));
        let ends = |picture: &Picture| {
            let (marks, size) = picture.marks();
            let below = |mark: &Mark| matches!(mark, Mark::Text { at, .. } if at.y > size[1]);
            (size[1], marks.iter().any(below))
        };
        let (short, _) = ends(&picture);
        for meaning in ["what stands still", "what moves", "what only looks"] {
            picture.explain(Color::GREY, meaning);
        }
        let (long, is_cut) = ends(&picture);
        assert!(long >= short + 2.0 * LINE && !is_cut, "{short} {long}");
    }
}
