//! Diagrams of the separating axis test.

use alloc::format;
use alloc::vec::Vec;

use glam::Vec2;

use super::{Canvas, Color, LabelPlacement, Style, View, shape};
use crate::math::{DVec2, length, perp_cw, to_f32, to_vec2};
use crate::query::{ExplainedAxis, Explanation, Relation};
use crate::shape::convex::ConvexBuffer;
use crate::shape::{Aabb, AsShape, ShapeRef};

/// A diagram of the separating axis test (SAT) on two convex shapes.
///
/// The upper part shows the shapes, with the number and the normal of each edge, and beside them the
/// deciding axis with both projections. Below it, each direction has a row with the projections of both
/// shapes and the gap or overlap between them; the row at which a loop over the directions stops early is
/// labeled.
///
/// ```
/// use carom::draw::{SatDiagram, Drawing};
/// use carom::prelude::*;
/// let (a, b) = (Obb::new([0.0, 0.0], [2.0, 1.0], 0.3), Circle::new([3.0, 1.5], 1.0));
/// let diagram = SatDiagram::new(&a, &b).unwrap();
/// let mut drawing = Drawing::new(diagram.view());
/// diagram.draw(&mut drawing);
/// assert!(drawing.to_svg().contains("overlap"));
/// ```
#[derive(Clone, Debug)]
pub struct SatDiagram<'a> {
    shapes: [ShapeRef<'a>; 2],
    explanation: Explanation,
    /// The axes, one for each direction.
    rows: Vec<ExplainedAxis>,
    /// The size of a pixel in world units.
    pixel: f32,
    /// The bounds of the upper part: the shapes and the deciding axis.
    top: Aabb,
}

/// The size of the larger side of the shapes' bounds, in pixels.
const SHAPES_SIZE: f32 = 420.0;
/// The height of a row, in pixels.
const ROW_HEIGHT: f32 = 46.0;
/// The width of the labels left of the rows, in pixels.
const LABEL_WIDTH: f32 = 200.0;
/// The distance between the shapes and the deciding axis, in pixels.
const AXIS_DISTANCE: f32 = 40.0;
/// The length of the arrow for the normal of an edge, in pixels.
const NORMAL_LENGTH: f32 = 20.0;
/// The largest number of edges that are numbered.
const MAX_NUMBERED_EDGES: usize = 12;
/// The stroke width of a projection, in pixels.
const PROJECTION_WIDTH: f32 = 6.0;

const COLORS: [Color; 2] = [Color::BLUE, Color::ORANGE];

impl<'a> SatDiagram<'a> {
    /// Creates the diagram of two convex shapes. Returns `None` if either of them is composite.
    pub fn new(a: &'a impl AsShape, b: &'a impl AsShape) -> Option<Self> {
        let explanation = a.as_shape().explain(&b.as_shape())?;
        let shapes = [a.as_shape(), b.as_shape()];
        let around = Aabb::union(shapes.map(|shape| shape.bounds()));
        let pixel = (around.size().max_element() / SHAPES_SIZE).max(f32::MIN_POSITIVE);
        let rows = explanation.directions().into_iter().copied().collect();
        let mut diagram = Self { shapes, explanation, rows, pixel, top: around };
        let deciding = diagram.deciding();
        let ends = [deciding.projection_a, deciding.projection_b].concat();
        let mut points: Vec<Vec2> = ends.iter().map(|&at| diagram.on_axis(at, 2.0)).collect();
        points.extend(around.corners());
        diagram.top = Aabb::from_points(&points).unwrap_or(around);
        Some(diagram)
    }

    /// Returns the numbers shown in the diagram.
    pub fn explanation(&self) -> &Explanation {
        &self.explanation
    }

    /// Returns a view of the whole diagram.
    pub fn view(&self) -> View {
        let (min, max) = (self.top.min(), self.top.max());
        let rows = self.rows.len() as f32 * ROW_HEIGHT * self.pixel;
        let center = (min.x + max.x) / 2.0;
        let half = (max.x - min.x).max(self.max_row_width()) / 2.0 + 20.0 * self.pixel;
        let area = Aabb::new_unchecked(
            Vec2::new(center - half - LABEL_WIDTH * self.pixel, min.y - rows - 10.0 * self.pixel),
            Vec2::new(center + half, max.y),
        );
        View { scale: 1.0 / self.pixel, ..View::new(area) }
    }

    /// Draws the diagram.
    pub fn draw(&self, canvas: &mut dyn Canvas) {
        for (drawn, color) in self.shapes.iter().zip(COLORS) {
            shape(canvas, drawn, &Style::translucent(color));
        }
        self.draw_edge_normals(canvas);
        for (drawn, name) in self.shapes.iter().zip(["A", "B"]) {
            canvas.label(drawn.centroid(), name, LabelPlacement::Center, &Style::default());
        }
        self.draw_deciding(canvas);
        let mut y = self.top.min().y;
        for row in &self.rows {
            y -= ROW_HEIGHT * self.pixel;
            self.draw_row(canvas, row, y);
        }
    }

    /// Draws the number of each edge and its normal, as an arrow. Shapes with many edges would be covered by
    /// them and get none.
    fn draw_edge_normals(&self, canvas: &mut dyn Canvas) {
        for (drawn, color) in self.shapes.iter().zip(COLORS) {
            let mut buffer = ConvexBuffer::new();
            let Some(convex) = drawn.as_convex(&mut buffer) else { continue };
            if convex.edges().count() > MAX_NUMBERED_EDGES {
                continue;
            }
            for (i, (start, end)) in convex.edges().enumerate() {
                let (start, end) = (start.as_dvec2(), end.as_dvec2());
                let normal = perp_cw(end - start) / length(end - start);
                let from = (start + end) / 2.0 + normal * f64::from(convex.radius);
                let to = from + normal * f64::from(NORMAL_LENGTH * self.pixel);
                let number = from - normal * f64::from(0.6 * NORMAL_LENGTH * self.pixel);
                canvas.arrow(to_vec2(from), to_vec2(to), &Style::stroke(color));
                let place = LabelPlacement::Center;
                canvas.label(to_vec2(number), &format!("{i}"), place, &Style::stroke(color));
            }
        }
    }

    /// Draws the deciding axis beside the shapes, with the projections of both.
    fn draw_deciding(&self, canvas: &mut dyn Canvas) {
        let axis = self.deciding();
        let all = [axis.projection_a, axis.projection_b].concat();
        let (low, high) = (fold(&all, f32::min), fold(&all, f32::max));
        let pad = 14.0 * self.pixel;
        let black = Style::default().width(1.0);
        canvas.arrow(self.on_axis(low - pad, 0.0), self.on_axis(high + pad, 0.0), &black);
        for (i, ends) in [axis.projection_a, axis.projection_b].into_iter().enumerate() {
            let style = Style::stroke(COLORS[i]);
            for (end, direction) in ends.into_iter().zip([-axis.axis, axis.axis]) {
                let from = self.shapes[i].support(direction);
                canvas.polyline(&[from, self.on_axis(end, 0.0)], &style.dashed().width(1.0));
            }
            let shifted = ends.map(|end| self.on_axis(end, if i == 0 { -0.6 } else { 0.6 }));
            canvas.polyline(&shifted, &style.width(PROJECTION_WIDTH));
        }
    }

    /// Draws one row: the name of the axis, both projections, and the gap or overlap between them.
    fn draw_row(&self, canvas: &mut dyn Canvas, axis: &ExplainedAxis, y: f32) {
        let middle = (self.top.min().x + self.top.max().x) / 2.0;
        let all = [axis.projection_a, axis.projection_b].concat();
        let (low, high) = (fold(&all, f32::min), fold(&all, f32::max));
        let at = |coordinate: f32| middle + (coordinate - (low + high) / 2.0);
        let decides = axis.axis == self.deciding().axis;
        let left = middle - self.max_row_width() / 2.0 - 20.0 * self.pixel;
        let ink = Style::default().width(1.0);
        let name = format!("{} ({:.2}, {:.2})", axis.source, axis.axis.x, axis.axis.y);
        canvas.label(Vec2::new(left, y), &name, LabelPlacement::Left, &ink);
        let pad = 10.0 * self.pixel;
        canvas.polyline(&[Vec2::new(at(low) - pad, y), Vec2::new(at(high) + pad, y)], &ink);
        let step = PROJECTION_WIDTH * 0.6 * self.pixel;
        for (ends, (color, dy)) in [axis.projection_a, axis.projection_b]
            .into_iter()
            .zip(COLORS.into_iter().zip([step, -step]))
        {
            let ends = ends.map(|end| Vec2::new(at(end), y + dy));
            canvas.polyline(&ends, &Style::stroke(color).width(PROJECTION_WIDTH));
        }
        let gap = axis.gap;
        // The gap or overlap reaches from the end of one projection to the start of the other.
        let (a, b) = (axis.projection_a, axis.projection_b);
        let (end, start) = if b[0] - a[1] >= a[0] - b[1] { (a[1], b[0]) } else { (b[1], a[0]) };
        let color = if gap > 0.0 { Color::GREEN } else { Color::VERMILION };
        let between = Style::stroke(color).width(if decides { 4.0 } else { 2.0 });
        let lifted = y + 14.0 * self.pixel;
        let ends = [end, start].map(|end| Vec2::new(at(end), lifted));
        canvas.polyline(&ends, &between);
        let verdict = match gap {
            gap if gap > 0.0 => format!("gap {gap:.3}"),
            gap if gap < 0.0 => format!("overlap {:.3}", -gap),
            _ => "touch".into(),
        };
        let verdict = if decides { format!("{verdict}: {}", self.conclusion()) } else { verdict };
        let above = Vec2::new((ends[0].x + ends[1].x) / 2.0, lifted);
        canvas.label(above, &verdict, LabelPlacement::Above, &Style::stroke(color));
        if self.explanation.early_exit().is_some_and(|stop| stop == axis) {
            let below = Vec2::new(left, y - 17.0 * self.pixel);
            let text = "first gap: a loop stops";
            canvas.label(below, text, LabelPlacement::Left, &Style::stroke(color));
        }
    }

    /// Returns the conclusion that the deciding axis allows.
    fn conclusion(&self) -> &'static str {
        match self.explanation.relation {
            Relation::Disjoint => "the shapes are disjoint",
            Relation::Touching => "the shapes touch",
            Relation::Overlapping => "no axis has a gap, the shapes overlap",
        }
    }

    fn deciding(&self) -> ExplainedAxis {
        *self.explanation.deciding()
    }

    /// Returns the point at a coordinate of the deciding axis, which is drawn beside the shapes, moved
    /// away from them by `out` times the width of a projection.
    fn on_axis(&self, at: f32, out: f32) -> Vec2 {
        let axis = self.deciding().axis.as_dvec2();
        let side = perp_cw(axis);
        let far = self.shapes.iter().map(|shape| shape.support(to_vec2(side)).as_dvec2().dot(side));
        let beside = far.fold(f64::NEG_INFINITY, f64::max)
            + f64::from(self.pixel * (AXIS_DISTANCE + out * PROJECTION_WIDTH));
        let point: DVec2 = axis * f64::from(at) + side * beside;
        Vec2::new(to_f32(point.x), to_f32(point.y))
    }

    /// Returns the width of the max_row_width row, in world units.
    fn max_row_width(&self) -> f32 {
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
