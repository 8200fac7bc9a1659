//! Enclosing boxes and the convex hull.

use alloc::vec::Vec;

use glam::{DVec2, Vec2};

use crate::math::{length, perp_cw, round_up, to_vec2};
use crate::shape::{Aabb, Bitmap, ConvexPolygon, Obb};

/// Returns the smallest axis-aligned box around all set pixels, or `None` if no pixel is set.
pub fn aabb(bitmap: &Bitmap) -> Option<Aabb> {
    let (first, size) = bitmap.pixel_bounds()?;
    let corner = Vec2::new(first.column as f32, first.row as f32);
    Some(Aabb::from_min_size(corner, Vec2::new(size[0] as f32, size[1] as f32)))
}

/// Returns the convex hull of all set pixels, or `None` if no pixel is set.
pub fn hull(bitmap: &Bitmap) -> Option<ConvexPolygon> {
    let mut corners: Vec<Vec2> = Vec::new();
    bitmap.for_each_run(|row, columns| {
        for y in [row, row + 1] {
            corners.extend([columns.start, columns.end].map(|x| Vec2::new(x as f32, y as f32)));
        }
    });
    ConvexPolygon::hull(&corners).ok()
}

/// Returns the oriented box of least area around all set pixels, or `None` if no pixel is set.
///
/// One side of the minimum-area box lies on an edge of the convex hull (Freeman and Shapira, 1975), so all edges
/// are tried.
pub fn obb(bitmap: &Bitmap) -> Option<Obb> {
    let hull = hull(bitmap)?;
    let points = hull.points();
    let mut best: Option<(f64, Obb)> = None;
    for i in 0..points.len() {
        let edge = points[(i + 1) % points.len()].as_dvec2() - points[i].as_dvec2();
        let (size, rect) = box_along(points, edge / length(edge));
        if best.is_none_or(|(least, _)| size.x * size.y < least) {
            best = Some((size.x * size.y, rect));
        }
    }
    best.map(|(_, rect)| enlarge_to_contain(&rect, &hull))
}

/// Returns the size of the smallest box around points with a side along an axis, and the box. Of its four
/// equivalent angles, the box has the one closest to zero.
fn box_along(points: &[Vec2], axis: DVec2) -> (DVec2, Obb) {
    let mut axis = axis;
    while !(axis.x > 0.0 && axis.x.abs() >= axis.y.abs()) {
        axis = perp_cw(axis);
    }
    let across = -perp_cw(axis);
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    for point in points {
        let at = DVec2::new(axis.dot(point.as_dvec2()), across.dot(point.as_dvec2()));
        (low, high) = (low.min(at), high.max(at));
    }
    let middle = (low + high) / 2.0;
    let half = (high - low) / 2.0;
    let angle = libm::atan2(axis.y, axis.x) as f32;
    let center = to_vec2(axis * middle.x + across * middle.y);
    (high - low, Obb::new(center, Vec2::new(round_up(half.x), round_up(half.y)), angle))
}

/// Enlarges a box slightly if rounding has left a vertex of the hull outside.
fn enlarge_to_contain(rect: &Obb, hull: &ConvexPolygon) -> Obb {
    let mut grown = *rect;
    let mut by = 1e-6;
    while !grown.contains(hull) {
        let half = rect.half_size() + rect.half_size().max_element() * by;
        grown = Obb::new(rect.center(), half, rect.angle());
        by *= 2.0;
    }
    grown
}
