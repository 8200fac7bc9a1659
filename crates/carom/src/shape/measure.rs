//! Bounds, area, centroid and support of any shape.

use glam::{DVec2, Vec2};

use crate::math::{length, round_up, to_f32, to_vec2};
use crate::shape::convex::Convex;
use crate::shape::grid::CellGrid;
use crate::shape::{Aabb, Circle, ShapeRef};

/// Returns the smallest circle around the shape whose center is that of its bounds.
pub(super) fn bounding_circle(shape: ShapeRef<'_>) -> Circle {
    let center = bounds(shape).center();
    let mut radius = 0.0f64;
    shape.for_each_part(&mut |part| {
        for &point in part.convex.points {
            let reach = length(point.as_dvec2() - center.as_dvec2());
            radius = radius.max(reach + f64::from(part.convex.radius));
        }
    });
    Circle::new_unchecked(center, round_up(radius))
}

pub(super) fn area(shape: ShapeRef<'_>) -> f32 {
    let mut area = 0.0;
    shape.for_each_part(&mut |part| area += Moments::of(&part.convex).area);
    to_f32(area)
}

pub(super) fn centroid(shape: ShapeRef<'_>) -> Vec2 {
    let mut total = Moments::default();
    shape.for_each_part(&mut |part| total = total.plus(Moments::of(&part.convex)));
    if total.count == 0.0 {
        return bounds(shape).min(); // An empty tile map or mask.
    }
    to_vec2(total.centroid())
}

/// Returns the point of the shape with the largest projection onto the direction.
pub(super) fn support(shape: ShapeRef<'_>, direction: Vec2) -> Vec2 {
    let direction = crate::math::try_normalize(direction.as_dvec2()).unwrap_or(DVec2::X);
    let mut best = (f64::NEG_INFINITY, bounds(shape).min().as_dvec2());
    shape.for_each_part(&mut |part| {
        for &point in part.convex.points {
            let point = point.as_dvec2() + direction * f64::from(part.convex.radius);
            let projection = point.dot(direction);
            if projection > best.0 {
                best = (projection, point);
            }
        }
    });
    to_vec2(best.1)
}

#[inline(always)]
pub(super) fn bounds(shape: ShapeRef<'_>) -> Aabb {
    match shape {
        ShapeRef::Point(s) => Aabb::new_unchecked(s.position(), s.position()),
        ShapeRef::Segment(s) => Aabb::new_unchecked(s.a().min(s.b()), s.a().max(s.b())),
        ShapeRef::Circle(s) => {
            Aabb::new_unchecked(s.center(), s.center()).fattened(f64::from(s.radius()))
        }
        ShapeRef::Ellipse(s) => s.polygon.tight_bounds(),
        ShapeRef::Capsule(s) => {
            Aabb::new_unchecked(s.a().min(s.b()), s.a().max(s.b())).fattened(f64::from(s.radius()))
        }
        ShapeRef::Aabb(s) => *s,
        ShapeRef::Obb(s) => Aabb::of_vertices(s.corners()),
        ShapeRef::Triangle(s) => Aabb::of_vertices(s.points()),
        ShapeRef::ConvexPolygon(s) => s.tight_bounds(),
        ShapeRef::Polygon(s) => s.tight_bounds(),
        ShapeRef::Chain(s) => s.tight_bounds(),
        ShapeRef::Compound(s) => s.tight_bounds(),
        ShapeRef::TileMap(s) => s.used_bounds(),
        ShapeRef::Mask(s) => s.used_bounds(),
    }
}

/// Area, length and count, each with its first moment, from which centroids are computed.
#[derive(Clone, Copy, Default)]
struct Moments {
    area: f64,
    by_area: DVec2,
    length: f64,
    by_length: DVec2,
    count: f64,
    by_count: DVec2,
}

impl Moments {
    fn of(convex: &Convex<'_>) -> Self {
        let origin = convex.points[0].as_dvec2();
        let radius = f64::from(convex.radius);
        let mut sum = Self { count: 1.0, by_count: origin, ..Self::default() };
        // The polygon, as a fan of triangles from the first vertex.
        for edge in convex.points[1..].windows(2) {
            let (a, b) = (edge[0].as_dvec2(), edge[1].as_dvec2());
            let area = crate::math::cross(a - origin, b - origin) / 2.0;
            sum.area += area;
            sum.by_area += (origin + a + b) / 3.0 * area;
        }
        // A strip along each edge. The rounded corners form a whole disc, one sector per vertex
        // with the exterior angle of that vertex; its moment is the mean of the vertices weighted
        // by angle.
        for (a, b) in convex.edges() {
            let (a, b) = (a.as_dvec2(), b.as_dvec2());
            let side = length(b - a);
            let normal = crate::math::perp_cw(b - a) / side;
            let half = if convex.points.len() == 2 { 0.5 } else { 1.0 };
            sum.length += side * half;
            sum.by_length += (a + b) / 2.0 * side * half;
            sum.area += side * radius;
            sum.by_area += ((a + b) / 2.0 + normal * (radius / 2.0)) * (side * radius);
        }
        if radius > 0.0 {
            sum = sum.plus(Self::of_corners(convex, radius));
        }
        sum
    }

    /// Returns the sectors of the disc at the vertices.
    fn of_corners(convex: &Convex<'_>, radius: f64) -> Self {
        let n = convex.points.len();
        let mut sum = Self::default();
        for i in 0..n {
            let corner = convex.points[i].as_dvec2();
            let (turn, chord) = if n == 1 {
                (core::f64::consts::TAU, DVec2::ZERO)
            } else {
                let before = corner - convex.points[(i + n - 1) % n].as_dvec2();
                let after = convex.points[(i + 1) % n].as_dvec2() - corner;
                let turn = libm::atan2(crate::math::cross(before, after), before.dot(after)).abs();
                let normals = crate::math::perp_cw(before) / length(before)
                    + crate::math::perp_cw(after) / length(after);
                let axis = crate::math::try_normalize(normals).unwrap_or(before / length(before));
                // The centroid of a sector lies at 4 r sin(angle / 2) / (3 angle) from its tip.
                (turn, axis * (4.0 * radius * libm::sin(turn / 2.0) / (3.0 * turn)))
            };
            let area = turn / 2.0 * radius * radius;
            sum.area += area;
            sum.by_area += (corner + chord) * area;
        }
        sum
    }

    fn plus(self, other: Self) -> Self {
        Self {
            area: self.area + other.area,
            by_area: self.by_area + other.by_area,
            length: self.length + other.length,
            by_length: self.by_length + other.by_length,
            count: self.count + other.count,
            by_count: self.by_count + other.by_count,
        }
    }

    fn centroid(&self) -> DVec2 {
        if self.area > 0.0 {
            self.by_area / self.area
        } else if self.length > 0.0 {
            self.by_length / self.length
        } else {
            self.by_count / self.count
        }
    }
}
