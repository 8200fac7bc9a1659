//! parry2d. Its shapes are local. It is measured with a relative pose that is computed before, with both
//! poses, and with placed points where its shapes allow that.

pub use parry2d::bounding_volume::{Aabb, BoundingVolume};
pub use parry2d::math::{Pose, Vector};
pub use parry2d::query::{details, *};
pub use parry2d::shape::{Ball, Capsule, Compound, ConvexPolygon, Cuboid, TriMesh, Triangle};

use crate::harness::{Answer, Row};
use crate::inputs::{Pair, Point, Solid, each};
use crate::results::{Comparability, PARRY};

/// Functions that create the two shapes of a pair.
pub type Makers<A, B> = (fn(&Solid) -> A, fn(&Solid) -> B);

pub type Manifold = ContactManifold<(), ()>;

pub fn vectors(points: &[Point]) -> Vec<Vector> {
    points.iter().copied().map(Vector::from).collect()
}

pub fn pose(solid: &Solid) -> Pose {
    Pose::new(solid.center.into(), solid.angle)
}

/// The pose of the second shape relative to the first.
pub fn relative(pair: &Pair) -> Pose {
    pose(&pair.a).inv_mul(&pose(&pair.b))
}

/// Adds two contenders: one with a prepared relative pose, one that computes it from both poses.
pub fn add_posed<'a, A: 'a, B: 'a, R>(
    row: &mut Row<'a>,
    [prepared, posed]: [&'static str; 2],
    pairs: &[Pair],
    (a, b): Makers<A, B>,
    ask: impl Fn(&Pose, &A, &B) -> R + Copy + 'a,
    read: impl Fn(&R) -> Answer + Copy,
) {
    let items = each(pairs, |it| (relative(it), a(&it.a), b(&it.b)));
    row.add(PARRY, prepared, items, move |(pose, a, b)| ask(pose, a, b), read)
        .but(Comparability::Prepared);
    let items = each(pairs, |it| (pose(&it.a), pose(&it.b), a(&it.a), b(&it.b)));
    row.add(PARRY, posed, items, move |(p, q, a, b)| ask(&p.inv_mul(q), a, b), read);
}

/// The pose of the first shape relative to the second: parry moves the second shape of a cast.
pub fn swapped(pair: &Pair) -> Pose {
    pose(&pair.b).inv_mul(&pose(&pair.a))
}

pub fn local_motion(pair: &Pair) -> Vector {
    pose(&pair.b).rotation.inverse() * Vector::from(pair.motion)
}

pub fn ray(pair: &Pair) -> Ray {
    Ray::new(pair.a.center.into(), pair.direction().into())
}

pub fn local_ray(pair: &Pair) -> Ray {
    ray(pair).inverse_transform_by(&pose(&pair.b))
}

pub fn ball(solid: &Solid) -> Ball {
    Ball::new(solid.radius)
}

pub fn cuboid(solid: &Solid) -> Cuboid {
    Cuboid::new(solid.half.into())
}

pub fn aabb(solid: &Solid) -> Aabb {
    Aabb::from_half_extents(solid.center.into(), solid.half.into())
}

pub fn capsule(solid: &Solid) -> Capsule {
    Capsule::new(solid.local[0].into(), solid.local[1].into(), solid.radius)
}

pub fn triangle(solid: &Solid) -> Triangle {
    triangle_of(&solid.local)
}

pub fn placed_triangle(solid: &Solid) -> Triangle {
    triangle_of(&solid.points)
}

fn triangle_of(points: &[Point]) -> Triangle {
    Triangle::new(points[0].into(), points[1].into(), points[2].into())
}

pub fn convex(solid: &Solid) -> ConvexPolygon {
    ConvexPolygon::from_convex_polyline(vectors(&solid.local)).expect("the input is convex")
}

pub fn placed_convex(solid: &Solid) -> ConvexPolygon {
    ConvexPolygon::from_convex_polyline(vectors(&solid.points)).expect("the input is convex")
}

pub fn read_contact(contact: &Option<Contact>) -> Answer {
    contact.map(|contact| -contact.dist).filter(|&depth| depth >= 0.0).into()
}

/// Returns the depth if the shapes intersect.
#[inline]
pub fn depth(manifold: &Manifold) -> Option<f32> {
    manifold.find_deepest_contact().map(|point| -point.dist).filter(|&depth| depth >= 0.0)
}
