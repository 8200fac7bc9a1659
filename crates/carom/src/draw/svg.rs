//! SVG output.

use alloc::format;
use alloc::string::String;
use core::fmt::Write;

use glam::Vec2;

use super::{Anchor, Color, Drawing, Element, Style};

impl Drawing {
    /// Returns the drawing as an SVG document.
    pub fn to_svg(&self) -> String {
        let layout = self.layout();
        document(layout.size, &content(&layout.elements))
    }

    /// Returns an animated SVG document that shows each frame for `seconds` and repeats. The first frame
    /// determines the size.
    pub fn to_animated_svg(frames: &[Self], seconds: f32) -> String {
        let mut body = String::new();
        let mut size = [0.0, 0.0];
        let count = frames.len().max(1) as f32;
        for (i, frame) in frames.iter().enumerate() {
            let layout = frame.layout();
            if i == 0 {
                size = layout.size;
            }
            let [from, to] = [i, i + 1].map(|i| i as f32 / count);
            let (values, times) = match i {
                0 => ("inline;none", format!("0;{to:.6}")),
                _ => ("none;inline;none", format!("0;{from:.6};{to:.6}")),
            };
            let shown = if i == 0 { "inline" } else { "none" };
            let _ = write!(
                body,
                "<g display=\"{shown}\">\n<animate attributeName=\"display\" values=\"{values}\" keyTimes=\"{times}\" dur=\"{:.3}s\" calcMode=\"discrete\" repeatCount=\"indefinite\"/>\n{}</g>\n",
                seconds * count,
                content(&layout.elements),
            );
        }
        document(size, &body)
    }
}

fn document([width, height]: [f32; 2], body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.2} {height:.2}\" font-family=\"system-ui, sans-serif\" font-size=\"{}\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{body}</svg>\n",
        Element::FONT_SIZE
    )
}

fn content(elements: &[Element]) -> String {
    let mut out = String::new();
    for element in elements {
        // Writing to a string cannot fail.
        let _ = write_element(&mut out, element);
    }
    out
}

fn write_element(out: &mut String, element: &Element) -> core::fmt::Result {
    match element {
        Element::Path { lines, is_closed, style } => {
            out.push_str("<path d=\"");
            for line in lines {
                for (i, point) in line.iter().enumerate() {
                    let [x, y] = rounded(*point);
                    write!(out, "{}{x} {y}", if i == 0 { "M" } else { "L" })?;
                }
                if *is_closed {
                    out.push('Z');
                }
            }
            out.push('"');
            write_style(out, style)
        }
        Element::Circle { center, radius, style } => {
            let [x, y] = rounded(*center);
            write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\"", hundredths(*radius))?;
            write_style(out, style)
        }
        Element::Text { at, anchor, text, color } => {
            let [x, y] = rounded(*at);
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            writeln!(
                out,
                "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\">{}</text>",
                hex(*color),
                escaped(text),
            )
        }
    }
}

/// Writes the attributes for a style and closes the element.
fn write_style(out: &mut String, style: &Style) -> core::fmt::Result {
    match style.fill {
        Some(fill) => write!(out, " fill=\"{}\" fill-rule=\"evenodd\"", hex(fill))?,
        None => out.push_str(" fill=\"none\""),
    }
    if let Some(line) = style.stroke {
        write!(out, " stroke=\"{}\" stroke-width=\"{}\"", hex(line), style.width)?;
        out.push_str(" stroke-linejoin=\"round\"");
        if style.dashed {
            out.push_str(" stroke-dasharray=\"6 4\"");
        }
    }
    out.push_str("/>\n");
    Ok(())
}

fn rounded(point: Vec2) -> [f32; 2] {
    [hundredths(point.x), hundredths(point.y)]
}

/// Rounds to hundredths of a pixel, which is precise enough and keeps files small.
fn hundredths(x: f32) -> f32 {
    libm::roundf(x * 100.0) / 100.0 + 0.0
}

fn hex(color: Color) -> String {
    let [red, green, blue, opacity] = color.0;
    match opacity {
        255 => format!("#{red:02x}{green:02x}{blue:02x}"),
        _ => format!("#{red:02x}{green:02x}{blue:02x}{opacity:02x}"),
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Canvas, LabelPlacement, View, shape};
    use crate::shape::{Aabb, Circle, Polygon};

    fn drawing() -> Drawing {
        let mut drawing = Drawing::new(View::new(Aabb::new([0.0, 0.0], [4.0, 2.0])).scale(10.0));
        let hole = alloc::vec![[1.0, 0.5], [2.0, 0.5], [2.0, 1.0]];
        let wall = Polygon::with_holes(&[[0.0, 0.0], [3.0, 0.0], [3.0, 2.0], [0.0, 2.0]], &[hole]);
        shape(&mut drawing, &wall, &Style::translucent(Color::GREY));
        shape(&mut drawing, &Circle::new([3.5, 1.0], 0.5), &Style::stroke(Color::BLUE).dashed());
        drawing.label(Vec2::ONE, "a < b & \"c\"", LabelPlacement::Right, &Style::default());
        drawing
    }

    #[test]
    fn shapes_and_text_become_svg_elements() {
        let svg = drawing().to_svg();
        assert!(svg.contains("M16 36L46 36L46 16L16 16ZM"), "{svg}");
        assert!(
            svg.contains("<circle cx=\"51\" cy=\"26\" r=\"5\" fill=\"none\" stroke=\"#0072b2\"")
        );
        assert!(svg.contains(">a &lt; b &amp; &quot;c&quot;</text>"));
        assert_eq!(svg.matches("<svg").count(), 1);
    }

    #[test]
    fn every_frame_of_an_animation_has_its_time() {
        let svg = Drawing::to_animated_svg(&[drawing(), drawing()], 0.5);
        assert!(svg.contains("keyTimes=\"0;0.500000\" dur=\"1.000s\""), "{svg}");
        assert!(svg.contains("values=\"none;inline;none\" keyTimes=\"0;0.500000;1.000000\""));
    }
}
