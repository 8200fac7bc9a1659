//! The separating-axis test as a picture.

use alloc::format;
use alloc::vec::Vec;

use glam::Vec2;

use super::{Canvas, Color, LabelPlacement, Style, View, shape};
use crate::math::{DVec2, perp_cw, to_f32, to_vec2};
use crate::query::{ExplainedAxis, Explanation, Relation};
use crate::shape::{Aabb, AsShape, ShapeRef};

/// Why two convex shapes overlap, touch or stay apart, as a picture for people who learn how the
/// test works or look for a mistake.
///
/// Above are the shapes, and beside them the axis that decides, with both shadows on it. Below,
/// every axis is a row of its own, with the shadows and the gap or the overlap between them.
///
/// ```
/// use carom::draw::{SatDiagram, Drawing};
/// use carom::prelude::*;
/// let (a, b) = (Obb::new([0.0, 0.0], [2.0, 1.0], 0.3), Circle::new([3.0, 1.5], 1.0));
/// let picture = SatDiagram::new(&a, &b).unwrap();
/// let mut canvas = Drawing::new(picture.view());
/// picture.draw(&mut canvas);
/// assert!(canvas.to_svg().contains("overlap"));
/// ```
#[derive(Clone, Debug)]
pub struct SatDiagram<'a> {
    shapes: [ShapeRef<'a>; 2],
    explanation: Explanation,
    /// One axis of each direction: the one of two opposite edges that tells more.
    rows: Vec<ExplainedAxis>,
    /// Units of the world for a pixel.
    pixel: f32,
    /// Around the shapes and the axis that decides.
    top: Aabb,
}

/// Pixels for the shapes, for each row, and left of the rows for what they are.
const SHAPES: f32 = 420.0;
const ROW: f32 = 46.0;
const NAMES: f32 = 200.0;
/// How far beside the shapes the axis runs, and how wide shadows are, in pixels.
const BESIDE: f32 = 40.0;
const SHADOW: f32 = 6.0;

/// Opposite edges of a turned box are parallel but for rounding.
const PARALLEL: f32 = 1e-5;

const COLORS: [Color; 2] = [Color::BLUE, Color::ORANGE];

impl<'a> SatDiagram<'a> {
    /// A picture of two convex shapes; `None` if either is made of parts.
    pub fn new(a: &'a impl AsShape, b: &'a impl AsShape) -> Option<Self> {
        let explanation = a.as_shape().explain(&b.as_shape())?;
        let shapes = [a.as_shape(), b.as_shape()];
        let around = Aabb::union(shapes.map(|shape| shape.bounds()));
        let pixel = (around.size().max_element() / SHAPES).max(f32::MIN_POSITIVE);
        let mut rows: Vec<ExplainedAxis> = Vec::new();
        for axis in &explanation.axes {
            match rows.iter_mut().find(|row| row.axis.perp_dot(axis.axis).abs() < PARALLEL) {
                Some(row) if axis.gap > row.gap => *row = *axis,
                Some(_) => {}
                None => rows.push(*axis),
            }
        }
        let mut picture = Self { shapes, explanation, rows, pixel, top: around };
        let deciding = picture.deciding();
        let ends = [deciding.projection_a, deciding.projection_b].concat();
        let mut points: Vec<Vec2> = ends.iter().map(|&at| picture.on_axis(at, 2.0)).collect();
        points.extend(around.corners());
        picture.top = Aabb::from_points(&points).unwrap_or(around);
        Some(picture)
    }

    /// What the picture is about, as numbers.
    pub fn explanation(&self) -> &Explanation {
        &self.explanation
    }

    /// A view of all of it.
    pub fn view(&self) -> View {
        let (min, max) = (self.top.min(), self.top.max());
        let rows = self.rows.len() as f32 * ROW * self.pixel;
        let center = (min.x + max.x) / 2.0;
        let half = (max.x - min.x).max(self.widest()) / 2.0 + 20.0 * self.pixel;
        let area = Aabb::new_unchecked(
            Vec2::new(center - half - NAMES * self.pixel, min.y - rows - 10.0 * self.pixel),
            Vec2::new(center + half, max.y),
        );
        View { scale: 1.0 / self.pixel, ..View::new(area) }
    }

    /// Draws it.
    pub fn draw(&self, canvas: &mut dyn Canvas) {
        for (drawn, color) in self.shapes.iter().zip(COLORS) {
            shape(canvas, drawn, &Style::translucent(color));
        }
        for (drawn, name) in self.shapes.iter().zip(["A", "B"]) {
            canvas.label(drawn.centroid(), name, LabelPlacement::Center, &Style::default());
        }
        self.draw_deciding(canvas);
        let mut y = self.top.min().y;
        for row in &self.rows {
            y -= ROW * self.pixel;
            self.draw_row(canvas, row, y);
        }
    }

    /// The axis that decides, beside the shapes, with what falls on it.
    fn draw_deciding(&self, canvas: &mut dyn Canvas) {
        let axis = self.deciding();
        let all = [axis.projection_a, axis.projection_b].concat();
        let (low, high) = (fold(&all, f32::min), fold(&all, f32::max));
        let pad = 14.0 * self.pixel;
        let black = Style::default().width(1.0);
        canvas.arrow(self.on_axis(low - pad, 0.0), self.on_axis(high + pad, 0.0), &black);
        for (i, ends) in [axis.projection_a, axis.projection_b].into_iter().enumerate() {
            let style = Style::stroke(COLORS[i]);
            for (end, way) in ends.into_iter().zip([-axis.axis, axis.axis]) {
                let from = self.shapes[i].support(way);
                canvas.polyline(&[from, self.on_axis(end, 0.0)], &style.dashed().width(1.0));
            }
            let shifted = ends.map(|end| self.on_axis(end, if i == 0 { -0.6 } else { 0.6 }));
            canvas.polyline(&shifted, &style.width(SHADOW));
        }
    }

    /// One axis as a row: its name, both shadows, and what is between them.
    fn draw_row(&self, canvas: &mut dyn Canvas, axis: &ExplainedAxis, y: f32) {
        let middle = (self.top.min().x + self.top.max().x) / 2.0;
        let all = [axis.projection_a, axis.projection_b].concat();
        let (low, high) = (fold(&all, f32::min), fold(&all, f32::max));
        let at = |place: f32| middle + (place - (low + high) / 2.0);
        let decides = axis.axis == self.deciding().axis;
        let left = middle - self.widest() / 2.0 - 20.0 * self.pixel;
        let ink = Style::default().width(1.0);
        let name = format!("{} ({:.2}, {:.2})", axis.source, axis.axis.x, axis.axis.y);
        canvas.label(Vec2::new(left, y), &name, LabelPlacement::Left, &ink);
        let pad = 10.0 * self.pixel;
        canvas.polyline(&[Vec2::new(at(low) - pad, y), Vec2::new(at(high) + pad, y)], &ink);
        let step = SHADOW * 0.6 * self.pixel;
        for (ends, (color, dy)) in [axis.projection_a, axis.projection_b]
            .into_iter()
            .zip(COLORS.into_iter().zip([step, -step]))
        {
            let ends = ends.map(|end| Vec2::new(at(end), y + dy));
            canvas.polyline(&ends, &Style::stroke(color).width(SHADOW));
        }
        // From the end of the one shadow to the beginning of the other.
        let ways = [
            (axis.projection_a[1], axis.projection_b[0]),
            (axis.projection_b[1], axis.projection_a[0]),
        ];
        let (gap, end, start) = match ways.map(|(end, start)| (start - end, end, start)) {
            [there, back] if there.0 >= back.0 => there,
            [_, back] => back,
        };
        // Of touching shapes, rounding must not make a gap.
        let gap = if decides { axis.gap } else { gap };
        let color = if gap > 0.0 { Color::GREEN } else { Color::VERMILION };
        let between = Style::stroke(color).width(if decides { 4.0 } else { 2.0 });
        let lifted = y + 14.0 * self.pixel;
        let ends = [end, start].map(|end| Vec2::new(at(end), lifted));
        canvas.polyline(&ends, &between);
        let what = match gap {
            gap if gap > 0.0 => format!("gap {gap:.3}"),
            gap if gap < 0.0 => format!("overlap {:.3}", -gap),
            _ => "touch".into(),
        };
        let what = if decides { format!("{what}: {}", self.decision()) } else { what };
        let above = Vec2::new((ends[0].x + ends[1].x) / 2.0, lifted);
        canvas.label(above, &what, LabelPlacement::Above, &Style::stroke(color));
    }

    /// What follows from the axis that decides.
    fn decision(&self) -> &'static str {
        match self.explanation.relation {
            Relation::Disjoint => "they are apart",
            Relation::Touching => "they touch",
            Relation::Overlapping => "no axis has a gap, they overlap",
        }
    }

    fn deciding(&self) -> ExplainedAxis {
        *self.explanation.deciding()
    }

    /// A place on the axis that decides, which runs beside the shapes; a second one some shadows
    /// further out.
    fn on_axis(&self, at: f32, out: f32) -> Vec2 {
        let axis = self.deciding().axis.as_dvec2();
        let side = perp_cw(axis);
        let far = self.shapes.iter().map(|shape| shape.support(to_vec2(side)).as_dvec2().dot(side));
        let beside =
            far.fold(f64::NEG_INFINITY, f64::max) + f64::from(self.pixel * (BESIDE + out * SHADOW));
        let point: DVec2 = axis * f64::from(at) + side * beside;
        Vec2::new(to_f32(point.x), to_f32(point.y))
    }

    /// How much room the longest row takes.
    fn widest(&self) -> f32 {
        let width = |row: &ExplainedAxis| {
            let all = [row.projection_a, row.projection_b].concat();
            fold(&all, f32::max) - fold(&all, f32::min)
        };
        self.rows.iter().map(width).fold(0.0, f32::max)
    }
}

fn fold(values: &[f32], choose: fn(f32, f32) -> f32) -> f32 {
    values.iter().copied().reduce(choose).unwrap_or(0.0)
}
