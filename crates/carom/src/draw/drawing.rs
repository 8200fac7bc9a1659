//! A canvas that records a picture: elements in pixels, with a legend and a scale bar.

use alloc::string::String;
use alloc::vec::Vec;

use glam::Vec2;

use super::{Canvas, Color, LabelPlacement, Style, View};

/// A picture to be written to a file: as SVG with [`to_svg`](Self::to_svg), or in another format from the
/// elements of its [`layout`](Self::layout).
///
/// The legend and the scale bar are placed below the view, so that they cover nothing.
#[derive(Clone, Debug)]
pub struct Drawing {
    view: View,
    elements: Vec<Element>,
    legend: Vec<(Color, String)>,
}

/// A drawn element, in pixels from the left and from the top.
#[derive(Clone, Debug, PartialEq)]
pub enum Element {
    /// Polylines, or the rings of a polygon.
    Path {
        /// The points of each polyline or ring.
        lines: Vec<Vec<Vec2>>,
        /// `true` if the last point of each is connected to the first.
        is_closed: bool,
        /// The fill and stroke.
        style: Style,
    },
    /// A circle.
    Circle {
        /// The center.
        center: Vec2,
        /// The radius.
        radius: f32,
        /// The fill and stroke.
        style: Style,
    },
    /// Text of size [`FONT_SIZE`](Element::FONT_SIZE) with a white outline.
    Text {
        /// The position of the anchor on the baseline.
        at: Vec2,
        /// The part of the text at that position.
        anchor: Anchor,
        /// The text.
        text: String,
        /// The color.
        color: Color,
    },
}

impl Element {
    /// The font size in pixels.
    pub const FONT_SIZE: f32 = 13.0;

    fn text(at: Vec2, anchor: Anchor, text: impl Into<String>, color: Color) -> Self {
        Self::Text { at, anchor, text: text.into(), color }
    }
}

/// The part of a text that is at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The start of the text.
    Start,
    /// The middle of the text.
    Middle,
    /// The end of the text.
    End,
}

/// A [`Drawing`] with its legend and scale bar laid out, in pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// The elements in drawing order; the legend and the scale bar come last.
    pub elements: Vec<Element>,
    /// The width and height of the whole image.
    pub size: [f32; 2],
}

/// The height of a line of the legend, in pixels.
const LEGEND_LINE: f32 = 22.0;

impl Drawing {
    /// Creates an empty drawing.
    pub fn new(view: View) -> Self {
        Self { view, elements: Vec::new(), legend: Vec::new() }
    }

    /// Returns the view.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Adds an entry to the legend, which explains a color.
    pub fn add_legend(&mut self, color: Color, meaning: impl Into<String>) {
        self.legend.push((color, meaning.into()));
    }

    /// Gives all drawings the same legend, with the entries of all of them, so that it does not move while
    /// they are shown as an animation.
    pub fn share_legend(drawings: &mut [Self]) {
        let mut legend: Vec<(Color, String)> = Vec::new();
        for entry in drawings.iter().flat_map(|drawing| &drawing.legend) {
            if !legend.contains(entry) {
                legend.push(entry.clone());
            }
        }
        drawings.iter_mut().for_each(|drawing| drawing.legend.clone_from(&legend));
    }

    /// Returns all elements, with the legend and the scale bar, and the size of the picture.
    pub fn layout(&self) -> Layout {
        let [width, height] = self.view.size();
        let mut elements = self.elements.clone();
        let left = self.view.margin;
        let (mut x, mut y) = (left, height + LEGEND_LINE / 2.0);
        for (color, meaning) in &self.legend {
            let entry_width = 36.0 + 7.5 * meaning.chars().count() as f32; // of a swatch and the text
            if x + entry_width > width && x > left {
                (x, y) = (left, y + LEGEND_LINE);
            }
            let corners = [(0.0, -6.0), (14.0, -6.0), (14.0, 6.0), (0.0, 6.0)];
            let swatch = corners.map(|corner| Vec2::new(x, y) + Vec2::from(corner)).to_vec();
            elements.push(Element::Path {
                lines: Vec::from([swatch]),
                is_closed: true,
                style: Style::fill(*color),
            });
            let at = Vec2::new(x + 20.0, y + 4.5);
            elements.push(Element::text(at, Anchor::Start, meaning.as_str(), Color::BLACK));
            x += entry_width;
        }
        if !self.legend.is_empty() {
            y += LEGEND_LINE;
        }
        let (unit, pixels) = scale_bar(self.view.scale, width - 2.0 * left - 60.0);
        let bar =
            [(0.0, -4.0), (0.0, 4.0), (0.0, 0.0), (pixels, 0.0), (pixels, -4.0), (pixels, 4.0)];
        let bar = bar.map(|corner| Vec2::new(left, y) + Vec2::from(corner)).to_vec();
        let style = Style::default().width(1.0);
        elements.push(Element::Path { lines: Vec::from([bar]), is_closed: false, style });
        let at = Vec2::new(left + pixels + 8.0, y + 4.5);
        elements.push(Element::text(at, Anchor::Start, alloc::format!("{unit}"), Color::BLACK));
        Layout { elements, size: [width, y + LEGEND_LINE] }
    }

    fn push_path(&mut self, lines: &[&[Vec2]], is_closed: bool, style: Style) {
        let pixels = |line: &&[Vec2]| line.iter().map(|&point| self.view.pixel(point)).collect();
        let lines = lines.iter().map(pixels).collect();
        self.elements.push(Element::Path { lines, is_closed, style });
    }
}

impl Canvas for Drawing {
    fn polygon(&mut self, rings: &[&[Vec2]], style: &Style) {
        self.push_path(rings, true, *style);
    }

    fn polyline(&mut self, points: &[Vec2], style: &Style) {
        self.push_path(&[points], false, Style { fill: None, ..*style });
    }

    fn circle(&mut self, center: Vec2, radius: f32, style: &Style) {
        let (center, radius) = (self.view.pixel(center), radius * self.view.scale);
        self.elements.push(Element::Circle { center, radius, style: *style });
    }

    fn dot(&mut self, at: Vec2, style: &Style) {
        let fill = Style::fill(text_color(style));
        let (center, radius) = (self.view.pixel(at), 1.5 + style.width);
        self.elements.push(Element::Circle { center, radius, style: fill });
    }

    fn label(&mut self, at: Vec2, text: &str, placement: LabelPlacement, style: &Style) {
        let (by, anchor) = match placement {
            LabelPlacement::Center => ((0.0, 0.35), Anchor::Middle),
            LabelPlacement::Left => ((-0.5, 0.35), Anchor::End),
            LabelPlacement::Right => ((0.5, 0.35), Anchor::Start),
            LabelPlacement::Above => ((0.0, -0.5), Anchor::Middle),
            LabelPlacement::Below => ((0.0, 1.2), Anchor::Middle),
        };
        let at = self.view.pixel(at) + Vec2::from(by) * Element::FONT_SIZE;
        self.elements.push(Element::text(at, anchor, text, text_color(style)));
    }

    fn arrow_head(&self) -> f64 {
        f64::from(9.0 / self.view.scale)
    }
}

/// Returns the color of text and dots.
fn text_color(style: &Style) -> Color {
    style.stroke.or(style.fill).unwrap_or(Color::BLACK)
}

/// Returns the length of the scale bar in world units (1, 2 or 5 times a power of ten) and in pixels. It is at
/// most `max_pixels` long.
fn scale_bar(scale: f32, max_pixels: f32) -> (f64, f32) {
    let max_length = f64::from(max_pixels.clamp(20.0, 120.0) / scale);
    let power = libm::pow(10.0, libm::floor(libm::log10(max_length)));
    let unit = [5.0, 2.0].into_iter().map(|step| step * power).find(|&unit| unit <= max_length);
    let unit = unit.unwrap_or(power);
    (unit, (unit * f64::from(scale)) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Aabb;

    #[test]
    fn scale_bar_has_a_round_length_that_fits() {
        assert_eq!(scale_bar(1.0, 300.0), (100.0, 100.0));
        assert_eq!(scale_bar(50.0, 300.0), (2.0, 100.0));
        assert_eq!(scale_bar(10.0, 60.0), (5.0, 50.0));
    }

    #[test]
    fn world_points_become_pixels_with_y_down() {
        let view = View::new(Aabb::new([0.0, 0.0], [8.0, 2.0]));
        assert_eq!(view.pixel(Vec2::new(0.0, 2.0)), Vec2::splat(view.margin));
        assert_eq!(view.y_down().pixel(Vec2::new(0.0, 0.0)), Vec2::splat(view.margin));
        assert_eq!(view.size(), [832.0, 232.0]);
    }

    #[test]
    fn the_drawings_of_an_animation_share_their_legend() {
        let blank = Drawing::new(View::new(Aabb::new([0.0, 0.0], [1.0, 1.0])));
        let mut drawings = [["fixed", "sensor"], ["fixed", "hitbox"]].map(|meanings| {
            let mut drawing = blank.clone();
            for meaning in meanings {
                drawing.add_legend(Color::GREY, meaning);
            }
            drawing
        });
        Drawing::share_legend(&mut drawings);
        for drawing in &drawings {
            let meanings: Vec<&str> = drawing.legend.iter().map(|entry| &*entry.1).collect();
            assert_eq!(meanings, ["fixed", "sensor", "hitbox"]);
        }
    }

    #[test]
    fn a_long_legend_continues_on_the_next_line() {
        let mut drawing = Drawing::new(View::new(Aabb::new([0.0, 0.0], [1.0, 1.0])).scale(200.0));
        let ends = |drawing: &Drawing| {
            let Layout { elements, size } = drawing.layout();
            let below =
                |element: &Element| matches!(element, Element::Text { at, .. } if at.y > size[1]);
            (size[1], elements.iter().any(below))
        };
        let (short, _) = ends(&drawing);
        for meaning in ["fixed bodies", "moving bodies", "a line of sight"] {
            drawing.add_legend(Color::GREY, meaning);
        }
        let (long, is_cut) = ends(&drawing);
        assert!(long >= short + 2.0 * LEGEND_LINE && !is_cut, "{short} {long}");
    }
}
