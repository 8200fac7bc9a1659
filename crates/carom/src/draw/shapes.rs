//! Drawing of shapes, contacts, hits and rays.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use glam::Vec2;

use super::{Canvas, FULL, Style, arc};
use crate::math::{DVec2, to_vec2};
use crate::query::{Contact, Ray, RayHit, SweepHit};
use crate::shape::grid::CellGrid;
use crate::shape::parts::QueryRegion;
use crate::shape::{Aabb, AsShape, Shape, ShapeRef};

/// Draws a shape.
pub fn shape(canvas: &mut dyn Canvas, shape: &impl AsShape, style: &Style) {
    draw(canvas, shape.as_shape(), style);
}

/// Draws the part of a shape that is in view, for debug lines. Of a tile map or a mask, only the edges of the
/// cells that intersect `area` are drawn, as single lines, so that the cost does not depend on the size of the
/// map. Other shapes are drawn as a whole.
///
/// ```
/// use carom::draw::{self, Drawing, Style, View};
/// use carom::prelude::*;
/// let map = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &["#".repeat(9999)], &[('#', TileKind::SOLID)]);
/// let in_view = Aabb::new([40.0, 0.0], [44.0, 9.0]);
/// let mut drawing = Drawing::new(View::new(in_view));
/// draw::shape_in(&mut drawing, &map, &in_view, &Style::default());
/// assert!(drawing.to_svg().len() < 9999);
/// ```
pub fn shape_in(canvas: &mut dyn Canvas, shape: &impl AsShape, area: &Aabb, style: &Style) {
    draw_in(canvas, shape.as_shape(), area, style);
}

fn draw_in(canvas: &mut dyn Canvas, shape: ShapeRef<'_>, area: &Aabb, style: &Style) {
    match shape {
        ShapeRef::Mask(mask) => draw_cells(canvas, mask, area, style),
        ShapeRef::TileMap(map) => draw_cells(canvas, map, area, style),
        ShapeRef::Compound(compound) => {
            for part in compound.parts() {
                draw_in(canvas, part.as_shape(), area, style);
            }
        }
        _ => draw(canvas, shape, style),
    }
}

fn draw_cells(canvas: &mut dyn Canvas, grid: &impl CellGrid, area: &Aabb, style: &Style) {
    let corners = area.corners();
    let _ = grid.visit_outline::<()>(&QueryRegion::of_corners(&corners), &mut |start, end| {
        canvas.polyline(&[start, end], style);
        ControlFlow::Continue(())
    });
}

fn draw(canvas: &mut dyn Canvas, shape: ShapeRef<'_>, style: &Style) {
    match shape {
        ShapeRef::Point(point) => canvas.dot(point.position(), style),
        ShapeRef::Segment(segment) => canvas.polyline(&[segment.a(), segment.b()], style),
        ShapeRef::Circle(circle) => canvas.circle(circle.center(), circle.radius(), style),
        ShapeRef::Ellipse(ellipse) => canvas.polygon(&[ellipse.points()], style),
        ShapeRef::Capsule(capsule) => {
            canvas.polygon(&[&rounded(&[capsule.a(), capsule.b()], capsule.radius())], style);
        }
        ShapeRef::Aabb(aabb) => canvas.polygon(&[&aabb.corners()], style),
        ShapeRef::Obb(rect) => canvas.polygon(&[rect.corners()], style),
        ShapeRef::Triangle(triangle) => canvas.polygon(&[triangle.points()], style),
        ShapeRef::ConvexPolygon(polygon) => {
            canvas.polygon(&[&rounded(polygon.points(), polygon.radius())], style);
        }
        ShapeRef::Polygon(polygon) => {
            let mut rings = Vec::from([polygon.outer()]);
            rings.extend(polygon.holes());
            canvas.polygon(&rings, style);
        }
        ShapeRef::Chain(chain) => {
            let mut points = chain.points().to_vec();
            points.extend(chain.is_closed().then(|| points[0]));
            canvas.polyline(&points, style);
        }
        ShapeRef::Compound(compound) => {
            compound.parts().iter().map(Shape::as_shape).for_each(|part| draw(canvas, part, style));
        }
        ShapeRef::Mask(mask) => {
            let outlines = mask.outlines();
            let rings: Vec<&[Vec2]> = outlines.iter().map(Vec::as_slice).collect();
            canvas.polygon(&rings, style);
        }
        ShapeRef::TileMap(map) => {
            let (points, rings) = map.rings();
            let rings: Vec<&[Vec2]> =
                rings.iter().map(|ring| &points[ring.start as usize..ring.end as usize]).collect();
            canvas.polygon(&rings, style);
            for cell in map.tiles() {
                if let Some(Shape::Segment(platform)) = map.tile_shape(cell) {
                    canvas.polyline(&[platform.a(), platform.b()], style);
                }
            }
        }
    }
}

/// Returns the outline of a counterclockwise (y up) convex polygon rounded by a radius.
fn rounded(points: &[Vec2], radius: f32) -> Vec<Vec2> {
    if radius == 0.0 {
        return points.to_vec();
    }
    let count = points.len();
    let step_of = |edge: Vec2| {
        let turn = libm::atan2(-f64::from(edge.x), f64::from(edge.y)) / core::f64::consts::TAU;
        libm::round((turn + 1.0) * f64::from(FULL)) as u32 % FULL
    };
    let mut outline = Vec::new();
    for (i, &corner) in points.iter().enumerate() {
        let into = corner - points[(i + count - 1) % count];
        let out = points[(i + 1) % count] - corner;
        let (from, to) = (step_of(into), step_of(out));
        outline.extend(arc(corner, radius, from, (to + FULL - from) % FULL));
    }
    outline
}

/// Draws the points of a contact, and its push as an arrow.
pub fn contact(canvas: &mut dyn Canvas, contact: &Contact, style: &Style) {
    for &point in contact.points.iter() {
        canvas.dot(point, style);
    }
    let start = contact.points.iter().map(|point| point.as_dvec2()).sum::<DVec2>()
        / contact.points.len() as f64;
    canvas.arrow(to_vec2(start), to_vec2(start + contact.push.as_dvec2()), style);
}

/// Draws the point of a sweep hit, and its normal as an arrow of the given length.
pub fn hit(canvas: &mut dyn Canvas, hit: &SweepHit, length: f32, style: &Style) {
    canvas.dot(hit.point, style);
    canvas.arrow(hit.point, hit.point + hit.normal * length, style);
}

/// Draws a ray up to its hit, or to its end without one, and the normal of the hit as an arrow of the given
/// length.
pub fn ray(canvas: &mut dyn Canvas, ray: &Ray, hit: Option<&RayHit>, length: f32, style: &Style) {
    let end = hit.map_or(ray.point_at(ray.max_distance()), |hit| hit.point);
    canvas.polyline(&[ray.origin(), end], style);
    canvas.dot(ray.origin(), style);
    if let Some(hit) = hit {
        canvas.arrow(hit.point, hit.point + hit.normal * length, style);
    }
}
