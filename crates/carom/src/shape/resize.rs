//! Growing and shrinking: forgiving hitboxes.

use alloc::vec::Vec;

use glam::{DVec2, Vec2};

use crate::error::ShapeError;
use crate::math::{Pose, length, perp_cw, to_f32, to_vec2};
use crate::shape::{
    Aabb, AsShape, Capsule, Chain, Circle, Compound, ConvexPolygon, Ellipse, Obb, Polygon, Shape,
    ShapeRef, validate,
};

/// Scales the shape about its centroid to a percentage of its size.
pub(super) fn resized(shape: ShapeRef<'_>, percent: f32) -> Result<Shape, ShapeError> {
    validate::positive(percent, "percent")?;
    let pose = Pose::scale_about(shape.centroid(), percent / 100.0);
    Ok(match shape {
        // An unrotated box stays axis-aligned.
        ShapeRef::Aabb(shape) => shape.transformed_bounds(&pose).into(),
        shape => shape.transformed(&pose),
    })
}

/// Moves the boundary of the shape outwards by the margin, or inwards if it is negative.
pub(super) fn grown(shape: ShapeRef<'_>, margin: f32) -> Result<Shape, ShapeError> {
    validate::finite(margin, "margin")?;
    let by = f64::from(margin);
    let vanished = ShapeError::ShrunkToNothing { margin: -margin };
    let more = |size: f32| {
        let size = to_f32(f64::from(size) + by);
        if size > 0.0 { Ok(size) } else { Err(vanished) }
    };
    if margin == 0.0 {
        return Ok(shape.to_shape());
    }
    Ok(match shape {
        ShapeRef::Point(s) => Circle::try_new(s.position(), more(0.0)?)?.into(),
        ShapeRef::Segment(s) => Capsule::try_new(s.a(), s.b(), more(0.0)?)?.into(),
        ShapeRef::Circle(s) => Circle::try_new(s.center(), more(s.radius())?)?.into(),
        ShapeRef::Capsule(s) => Capsule::try_new(s.a(), s.b(), more(s.radius())?)?.into(),
        ShapeRef::Ellipse(s) => {
            let radii = Vec2::new(more(s.radii().x)?, more(s.radii().y)?);
            Ellipse::try_new(s.center(), radii, s.angle())?.into()
        }
        ShapeRef::Aabb(s) => {
            let (min, max) = (s.min().as_dvec2() - by, s.max().as_dvec2() + by);
            Aabb::try_new(to_vec2(min), to_vec2(max)).map_err(|_| vanished)?.into()
        }
        ShapeRef::Obb(s) => {
            let half = Vec2::new(more(s.half_size().x)?, more(s.half_size().y)?);
            Obb::try_new(s.center(), half, s.angle())?.into()
        }
        ShapeRef::Triangle(s) => resized_convex(s.points(), 0.0, by).ok_or(vanished)?.into(),
        ShapeRef::ConvexPolygon(s) => {
            resized_convex(s.points(), s.radius(), by).ok_or(vanished)?.into()
        }
        ShapeRef::Polygon(s) if margin > 0.0 => {
            let grown = |part: &ConvexPolygon| resized_convex(part.points(), 0.0, by);
            Compound::try_new(s.convex_parts().filter_map(grown))?.into()
        }
        ShapeRef::Polygon(s) => pieces(s.inset(-margin)).ok_or(vanished)?,
        ShapeRef::Chain(s) => {
            let radius = more(0.0)?;
            let bar = |(a, b)| Capsule::try_new(a, b, radius);
            Compound::try_new(Chain::segments(s).map(bar).collect::<Result<Vec<_>, _>>()?)?.into()
        }
        ShapeRef::TileMap(s) if margin < 0.0 => {
            let (points, rings) = s.rings();
            pieces(Polygon::within(&points, &rings, -margin)).ok_or(vanished)?
        }
        ShapeRef::Mask(s) if margin < 0.0 => {
            let (mut points, mut rings) = (Vec::new(), Vec::new());
            for outline in s.outlines() {
                rings.push(points.len() as u32..(points.len() + outline.len()) as u32);
                points.extend(outline);
            }
            pieces(Polygon::within(&points, &rings, -margin)).ok_or(vanished)?
        }
        ShapeRef::TileMap(_) | ShapeRef::Mask(_) => {
            let mut parts = Vec::new();
            shape.for_each_part(&mut |part| {
                parts.extend(resized_convex(part.convex.points, 0.0, by))
            });
            Compound::try_new(parts).map_err(|_| vanished)?.into()
        }
        ShapeRef::Compound(s) => {
            let parts: Vec<Shape> =
                s.parts().iter().filter_map(|part| grown(part.as_shape(), margin).ok()).collect();
            Compound::try_new(parts).map_err(|_| vanished)?.into()
        }
    })
}

/// What is left of a shape that has been shrunk: one polygon, several as one shape, or nothing.
fn pieces(mut left: Vec<Polygon>) -> Option<Shape> {
    match left.len() {
        1 => Some(left.remove(0).into()),
        _ => Compound::try_new(left).ok().map(Shape::from),
    }
}

/// A convex polygon with more radius, or less, and once that is used up with its edges moved in.
fn resized_convex(points: &[Vec2], radius: f32, by: f64) -> Option<ConvexPolygon> {
    let radius = f64::from(radius) + by;
    if radius >= 0.0 {
        return Some(ConvexPolygon::from_hull(points.to_vec(), to_f32(radius)));
    }
    let mut left: Vec<DVec2> = points.iter().map(|point| point.as_dvec2()).collect();
    for i in 0..points.len() {
        let (a, b) = (points[i].as_dvec2(), points[(i + 1) % points.len()].as_dvec2());
        let normal = perp_cw(b - a) / length(b - a);
        left = clipped(&left, normal, normal.dot(a) + radius);
    }
    ConvexPolygon::hull(&left.into_iter().map(to_vec2).collect::<Vec<_>>()).ok()
}

/// The part of a convex ring on the inner side of a line.
fn clipped(ring: &[DVec2], normal: DVec2, offset: f64) -> Vec<DVec2> {
    let outside = |p: DVec2| normal.dot(p) - offset;
    let mut kept = Vec::with_capacity(ring.len() + 1);
    for (i, &a) in ring.iter().enumerate() {
        let b = ring[(i + 1) % ring.len()];
        let (at_a, at_b) = (outside(a), outside(b));
        if at_a <= 0.0 {
            kept.push(a);
        }
        if (at_a < 0.0 && at_b > 0.0) || (at_a > 0.0 && at_b < 0.0) {
            kept.push(a + (b - a) * (at_a / (at_a - at_b)));
        }
    }
    kept
}
