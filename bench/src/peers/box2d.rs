//! Box2D v3. Shapes are created in place, so that all transforms are the identity.

use std::mem::zeroed;

pub use boxdd_sys::ffi::*;

use crate::harness::Answer;
use crate::inputs::{Pair, Point, RAY_LENGTH, Solid};

const IDENTITY: b2Transform =
    b2Transform { p: b2Vec2 { x: 0.0, y: 0.0 }, q: b2Rot { c: 1.0, s: 0.0 } };

pub fn vec2([x, y]: Point) -> b2Vec2 {
    b2Vec2 { x, y }
}

pub fn circle(solid: &Solid) -> b2Circle {
    b2Circle { center: vec2(solid.center), radius: solid.radius }
}

pub fn capsule(solid: &Solid) -> b2Capsule {
    let [a, b] = [solid.points[0], solid.points[1]].map(vec2);
    b2Capsule { center1: a, center2: b, radius: solid.radius }
}

/// At most 8 points: Box2D's limit.
pub fn polygon(solid: &Solid) -> b2Polygon {
    let points: Vec<b2Vec2> = solid.points.iter().copied().map(vec2).collect();
    // SAFETY: the pointer and the count describe `points`; the hull comes from `b2ComputeHull`.
    let polygon = unsafe {
        let hull = b2ComputeHull(points.as_ptr(), points.len() as i32);
        b2MakePolygon(&raw const hull, 0.0)
    };
    assert_eq!(polygon.count as usize, points.len(), "Box2D dropped a vertex");
    polygon
}

pub fn proxy(solid: &Solid) -> b2ShapeProxy {
    let points: Vec<b2Vec2> = solid.points.iter().copied().map(vec2).collect();
    // SAFETY: the pointer and the count describe `points`.
    unsafe { b2MakeProxy(points.as_ptr(), points.len() as i32, solid.radius) }
}

pub fn distance_input(pair: &Pair) -> b2DistanceInput {
    b2DistanceInput {
        proxyA: proxy(&pair.a),
        proxyB: proxy(&pair.b),
        transform: IDENTITY,
        useRadii: true,
    }
}

/// Box2D moves the second shape, so the pair is swapped.
pub fn cast_input(pair: &Pair) -> b2ShapeCastPairInput {
    b2ShapeCastPairInput {
        proxyA: proxy(&pair.b),
        proxyB: proxy(&pair.a),
        transform: IDENTITY,
        translationB: vec2(pair.motion),
        maxFraction: 1.0,
        canEncroach: false,
    }
}

pub fn toi_input(pair: &Pair) -> b2TOIInput {
    let [still, motion] = [[0.0, 0.0], pair.motion].map(|to| b2Sweep {
        localCenter: IDENTITY.p,
        c1: IDENTITY.p,
        c2: vec2(to),
        q1: IDENTITY.q,
        q2: IDENTITY.q,
    });
    b2TOIInput {
        proxyA: proxy(&pair.b),
        proxyB: proxy(&pair.a),
        sweepA: still,
        sweepB: motion,
        maxFraction: 1.0,
    }
}

pub fn ray_input(pair: &Pair) -> b2RayCastInput {
    b2RayCastInput { origin: vec2(pair.a.center), translation: vec2(pair.motion), maxFraction: 1.0 }
}

/// A safe name for each function that takes pointers to its inputs.
macro_rules! safe {
    ($($name:ident = $function:ident($($arg:ident: $type:ty),* $(; $transform:expr)?) -> $result:ty;)*) => {$(
        #[inline]
        pub fn $name($($arg: &$type),*) -> $result {
            // SAFETY: these functions only read their arguments, which are valid references.
            unsafe { $function($($arg),* $(, $transform)?) }
        }
    )*};
}

safe! {
    collide_circles = b2CollideCircles(a: b2Circle, b: b2Circle; IDENTITY) -> b2LocalManifold;
    collide_capsules = b2CollideCapsules(a: b2Capsule, b: b2Capsule; IDENTITY) -> b2LocalManifold;
    collide_polygons = b2CollidePolygons(a: b2Polygon, b: b2Polygon; IDENTITY) -> b2LocalManifold;
    collide_polygon_and_circle = b2CollidePolygonAndCircle(a: b2Polygon, b: b2Circle; IDENTITY) -> b2LocalManifold;
    shape_cast = b2ShapeCast(input: b2ShapeCastPairInput) -> b2CastOutput;
    time_of_impact = b2TimeOfImpact(input: b2TOIInput) -> b2TOIOutput;
    ray_cast_circle = b2RayCastCircle(shape: b2Circle, input: b2RayCastInput) -> b2CastOutput;
    ray_cast_capsule = b2RayCastCapsule(shape: b2Capsule, input: b2RayCastInput) -> b2CastOutput;
    ray_cast_polygon = b2RayCastPolygon(shape: b2Polygon, input: b2RayCastInput) -> b2CastOutput;
}

/// Uses an empty cache, as for a new pair.
#[inline]
pub fn shape_distance(input: &b2DistanceInput) -> b2DistanceOutput {
    // SAFETY: all zeros is a valid, empty cache; the null pointer means that no simplexes are returned.
    unsafe { b2ShapeDistance(input, &mut zeroed(), std::ptr::null_mut(), 0) }
}

#[inline]
pub fn capsules_meet(a: &b2Capsule, b: &b2Capsule) -> bool {
    // SAFETY: the function only reads its arguments, which are valid references.
    let result = unsafe { b2SegmentDistance(a.center1, a.center2, b.center1, b.center2) };
    let reach = a.radius + b.radius;
    result.distanceSquared <= reach * reach
}

#[inline]
pub fn point_in_polygon(polygon: &b2Polygon, point: b2Vec2) -> bool {
    // SAFETY: the function only reads its arguments, which are valid references.
    unsafe { b2PointInPolygon(polygon, point) }
}

/// Returns the depth if the shapes intersect. Box2D also reports points that are slightly apart.
fn depth(manifold: &b2LocalManifold) -> Option<f32> {
    let points = &manifold.points[..manifold.pointCount as usize];
    let depth = points.iter().map(|point| -point.separation).reduce(f32::max)?;
    (depth >= 0.0).then_some(depth)
}

#[inline]
pub fn meet(manifold: &b2LocalManifold) -> bool {
    depth(manifold).is_some()
}

pub fn read_depth(manifold: &b2LocalManifold) -> Answer {
    depth(manifold).into()
}

pub fn read_cast(output: &b2CastOutput) -> Answer {
    output.hit.then_some(output.fraction * RAY_LENGTH).into()
}

pub fn read_toi(output: &b2TOIOutput) -> Answer {
    (output.state == b2TOIState_b2_toiStateHit).then_some(output.fraction * RAY_LENGTH).into()
}
