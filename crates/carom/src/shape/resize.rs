//! Growing and shrinking shapes, for forgiving hitboxes.

use alloc::vec::Vec;
use core::ops::Range;

use glam::{DVec2, Vec2};

use crate::error::ShapeError;
use crate::math::{Pose, length, perp_cw, to_f32, to_vec2};
use crate::shape::convex::Convex;
use crate::shape::{
    Aabb, AsShape, Capsule, Chain, Circle, Compound, ConvexPolygon, Ellipse, Obb, Polygon, Shape,
    ShapeRef, validate,
};

/// Scales the shape about its centroid to a percentage of its size.
pub(super) fn resized(shape: ShapeRef<'_>, percent: f32) -> Result<Shape, ShapeError> {
    validate::positive(percent, "percent")?;
    let pose = Pose::scale_about(shape.centroid(), (percent / 100.0).max(f32::from_bits(1)));
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
        ShapeRef::TileMap(_) | ShapeRef::Mask(_) if margin < 0.0 => {
            pieces(Rings::of(&[shape]).inset(-margin)).ok_or(vanished)?
        }
        ShapeRef::TileMap(_) | ShapeRef::Mask(_) => {
            let mut parts = Vec::new();
            shape.for_each_part(&mut |part| {
                parts.extend(resized_convex(part.convex.points, 0.0, by))
            });
            Compound::try_new(parts).map_err(|_| vanished)?.into()
        }
        ShapeRef::Compound(_) if margin < 0.0 => {
            let mut leaves = Vec::new();
            collect_leaves(shape, &mut leaves);
            let left = group_connected(&leaves).into_iter().flat_map(|group| match *group {
                [part] => grown(part, margin).into_iter().collect(),
                _ => Rings::of(&group).inset_union(-margin),
            });
            Compound::try_new(left.collect::<Vec<_>>()).map_err(|_| vanished)?.into()
        }
        ShapeRef::Compound(s) => {
            let parts = s.parts().iter().map(|part| grown(part.as_shape(), margin));
            Compound::try_new(parts.collect::<Result<Vec<_>, _>>()?)?.into()
        }
    })
}

/// Collects the parts of a compound, and of the compounds in it.
fn collect_leaves<'a>(shape: ShapeRef<'a>, leaves: &mut Vec<ShapeRef<'a>>) {
    match shape {
        ShapeRef::Compound(s) => {
            s.parts().iter().for_each(|part| collect_leaves(part.as_shape(), leaves));
        }
        leaf => leaves.push(leaf),
    }
}

/// Groups shapes so that those that touch are in one group. Groups and their shapes keep their order.
fn group_connected<'a>(shapes: &[ShapeRef<'a>]) -> Vec<Vec<ShapeRef<'a>>> {
    let mut group_of: Vec<usize> = (0..shapes.len()).collect();
    for i in 0..shapes.len() {
        for j in 0..i {
            let (a, b) = (group_of[i], group_of[j]);
            if a != b && shapes[i].intersects(&shapes[j]) {
                let (low, high) = (a.min(b), a.max(b));
                group_of.iter_mut().filter(|group| **group == high).for_each(|group| *group = low);
            }
        }
    }
    let members = |group: usize| {
        let all = shapes.iter().zip(&group_of);
        all.filter(|&(_, of)| *of == group).map(|(shape, _)| *shape).collect::<Vec<_>>()
    };
    (0..shapes.len()).map(members).filter(|group| !group.is_empty()).collect()
}

/// The outlines of shapes with an area, with the interior on their left.
#[derive(Default)]
struct Rings {
    points: Vec<Vec2>,
    ranges: Vec<Range<u32>>,
}

impl Rings {
    fn of(shapes: &[ShapeRef<'_>]) -> Self {
        let mut rings = Self::default();
        for shape in shapes {
            match shape {
                ShapeRef::TileMap(s) => {
                    let (points, ranges) = s.rings();
                    ranges.into_iter().for_each(|ring| {
                        rings.push(points[ring.start as usize..ring.end as usize].iter().copied());
                    });
                }
                ShapeRef::Mask(s) => s.outlines().into_iter().for_each(|ring| rings.push(ring)),
                _ => shape.for_each_part(&mut |part| rings.push_convex(&part.convex)),
            }
        }
        rings
    }

    fn push(&mut self, ring: impl IntoIterator<Item = Vec2>) {
        let start = self.points.len() as u32;
        self.points.extend(ring);
        self.ranges.push(start..self.points.len() as u32);
    }

    /// Adds a convex shape. Round corners become polygons with the vertices of an [`Ellipse`].
    fn push_convex(&mut self, convex: &Convex<'_>) {
        if convex.has_no_area() {
            return;
        }
        if convex.radius == 0.0 {
            return self.push(convex.points.iter().copied());
        }
        let radius = f64::from(convex.radius);
        let around = |center: &Vec2| {
            let center = center.as_dvec2();
            super::ellipse::unit_vertices().map(move |arm| to_vec2(center + arm * radius))
        };
        if let Ok(hull) =
            ConvexPolygon::hull(&convex.points.iter().flat_map(around).collect::<Vec<_>>())
        {
            self.push(hull.points().iter().copied());
        }
    }

    fn inset(&self, margin: f32) -> Vec<Polygon> {
        Polygon::inset_rings(&self.points, &self.ranges, margin)
    }

    /// Moves the outline of the union inwards. Rings may touch and overlap.
    fn inset_union(&self, margin: f32) -> Vec<Shape> {
        let left = Polygon::inset_union(&self.points, &self.ranges, margin);
        left.into_iter().map(Shape::from).collect()
    }
}

/// Returns the result of shrinking a shape: one polygon, several as a compound, or `None`.
fn pieces(mut left: Vec<Polygon>) -> Option<Shape> {
    match left.len() {
        1 => Some(left.remove(0).into()),
        _ => Compound::try_new(left).ok().map(Shape::from),
    }
}

/// Returns a convex polygon with its radius changed. If the radius would become negative, the edges
/// are moved inwards by the rest.
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

/// Clips a convex ring to the inner side of a line.
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
