//! The inputs as carom's own shapes, as static types and as the `Shape` enum.

use carom::prelude::*;

use crate::harness::Row;
use crate::inputs::{Pair, RAY_LENGTH, Solid, each};
use crate::results::{CAROM, CAROM_ENUM};

pub fn point(solid: &Solid) -> Point {
    Point::new(solid.center)
}

pub fn circle(solid: &Solid) -> Circle {
    Circle::new(solid.center, solid.radius)
}

pub fn capsule(solid: &Solid) -> Capsule {
    Capsule::new(solid.points[0], solid.points[1], solid.radius)
}

pub fn aabb(solid: &Solid) -> Aabb {
    Aabb::from_center_half_size(solid.center, solid.half)
}

pub fn rect(solid: &Solid) -> Obb {
    Obb::new(solid.center, solid.half, solid.angle)
}

pub fn triangle(solid: &Solid) -> Triangle {
    Triangle::new(solid.points[0], solid.points[1], solid.points[2])
}

pub fn convex(solid: &Solid) -> ConvexPolygon {
    ConvexPolygon::new(&solid.points)
}

/// Adds each query twice: for the static types and for the enum.
macro_rules! queries {
    ($($name:ident($variant:literal $(, $also:ident)?): $ask:expr => $read:expr;)*) => {$(
        pub fn $name<'a, A, B>(
            row: &mut Row<'a>,
            pairs: &[Pair],
            a: fn(&Solid) -> A,
            b: fn(&Solid) -> B,
        ) where
            A: AsShape + Into<Shape> + 'a,
            B: AsShape + Into<Shape> + 'a,
        {
            let shapes = each(pairs, |it| (a(&it.a), b(&it.b) $(, it.$also)?));
            row.add(CAROM, $variant, shapes, $ask, $read);
            let shape = |shape: Shape| shape;
            let shapes = each(pairs, |it| {
                (shape(a(&it.a).into()), shape(b(&it.b).into()) $(, it.$also)?)
            });
            row.add(CAROM_ENUM, $variant, shapes, $ask, $read);
        }
    )*};
}

queries! {
    intersects("intersects"): |(a, b)| a.as_shape().intersects(b) => |&yes| yes.into();
    contains("contains"): |(a, b)| b.as_shape().contains(a) => |&yes| yes.into();
    contact("contact"): |(a, b)| a.as_shape().contact(b) => |it| it.as_ref().map(|it| it.depth).into();
    distance("distance"): |(a, b)| a.as_shape().distance(b) => |&it| Some(it).into();
    sweep("sweep", motion): |(a, b, motion)| a.as_shape().sweep(*motion, b) => |hit| {
        hit.as_ref().map(|hit| hit.time * RAY_LENGTH).into()
    };
}

pub fn raycast<'a, S>(row: &mut Row<'a>, pairs: &[Pair], shape: fn(&Solid) -> S)
where
    S: AsShape + Into<Shape> + 'a,
{
    let ray = |it: &Pair| Ray::new(it.a.center, it.direction(), RAY_LENGTH);
    let read = |hit: &Option<RayHit>| hit.as_ref().map(|hit| hit.distance).into();
    let shapes = each(pairs, |it| (ray(it), shape(&it.b)));
    row.add(CAROM, "raycast", shapes, |(ray, shape)| shape.as_shape().raycast(ray), read);
    let shapes = each(pairs, |it| -> (Ray, Shape) { (ray(it), shape(&it.b).into()) });
    row.add(CAROM_ENUM, "raycast", shapes, |(ray, shape)| shape.raycast(ray), read);
}
