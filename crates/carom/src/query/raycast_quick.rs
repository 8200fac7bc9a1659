//! Rays against the shapes that deserve a way of their own: the plain case, in which the ray starts
//! outside and goes in across one feature. Whatever is not plain is left to the general way, the
//! span of the line; tests prove that they agree.

use glam::{DVec2, Vec2};

use crate::math::{cross, perp_cw, sqrt, to_vec2};
use crate::query::ray::{Ray, RayHit};
use crate::query::raycast::{hit_at, through_any};
use crate::query::span::Line;
use crate::shape::convex::{Convex, ConvexBuffer};
use crate::shape::{Aabb, Capsule, Circle};

/// From outside the disc: the two places are a sum and a difference of the middle between them and
/// half the chord.
#[inline(always)]
pub(super) fn through_circle(circle: &Circle, ray: &Ray) -> Option<RayHit> {
    let (line, radius) = (&ray.line, f64::from(circle.radius()));
    let to = circle.center().as_dvec2() - line.origin;
    let (middle, side) = (line.along.dot(to), cross(line.along, to));
    let discriminant = radius * radius * line.along.dot(line.along) - side * side;
    if discriminant < 0.0 {
        return None;
    }
    let product = to.dot(to) - radius * radius;
    if product <= 0.0 || radius == 0.0 {
        return through_any(&circle.as_convex(), ray);
    }
    let root = sqrt(discriminant);
    let far = middle + root;
    // The nearer place by the product of the two: their difference would lose bits. One division
    // serves it and the normal, which is a radius long, times what it is not divided by.
    let over = 1.0 / (far * radius);
    let enter = product * radius * over;
    if middle <= 0.0 || enter > ray.end {
        return None;
    }
    let normal = (perp_cw(line.along) * side - line.along * root) * (far * over * line.over_square);
    let leave = far * line.over_square;
    Some(hit_at(ray, enter, if leave > enter { leave } else { enter }, normal.as_vec2()))
}

/// In the frame of the segment: the line crosses the band of the two straight sides, or goes in and
/// out over the round ends, whichever lies where it crosses the sides' lines.
#[inline(always)]
pub(super) fn through_capsule(capsule: &Capsule, ray: &Ray) -> Option<RayHit> {
    let (line, core) = (&ray.line, capsule.as_convex());
    let &[start, end] = core.points else { return through_any(&core, ray) };
    let (out, radius) = (core.half_planes[0].normals[0], f64::from(core.radius));
    let forward = DVec2::new(-out.y, out.x);
    let [start, end] = [start, end].map(|end| end.as_dvec2() - line.origin);
    let (long, rate) = (forward.dot(end - start), out.dot(line.along));
    let (beside, ahead) = (-out.dot(start), -forward.dot(start));
    // The band of the whole line is missed only by lines along it; they are not plain.
    if rate.abs() <= 1e-9 * line.length {
        return through_any(&core, ray);
    }
    let sign = if rate > 0.0 { 1.0 } else { -1.0 };
    let (over, speed) = (1.0 / rate, forward.dot(line.along));
    let (enter, leave) = ((-sign * radius - beside) * over, (sign * radius - beside) * over);
    let (in_at, out_at) = (ahead + speed * enter, ahead + speed * leave);
    // Where the band is entered beyond an end, only that end's disc can be met first.
    let disc = |at: f64| {
        let to = if at < 0.0 { start } else { end };
        let (middle, side) = (line.along.dot(to), cross(line.along, to));
        let discriminant = radius * radius * line.along.dot(line.along) - side * side;
        (middle, side, discriminant)
    };
    let (enter, normal) = if in_at >= 0.0 && in_at <= long {
        (enter, out * -sign)
    } else {
        let (middle, side, discriminant) = disc(in_at);
        if discriminant < 0.0 {
            return None;
        }
        let root = sqrt(discriminant);
        let normal = perp_cw(line.along) * side - line.along * root;
        ((middle - root) * line.over_square, normal * (line.over_square / radius))
    };
    if enter > ray.end {
        return None;
    }
    if enter <= 1e-9 * radius / line.length {
        return through_any(&core, ray); // from inside, or away from it
    }
    let leave = if out_at >= 0.0 && out_at <= long {
        leave
    } else {
        let (middle, _, discriminant) = disc(out_at);
        (middle + sqrt(if discriminant > 0.0 { discriminant } else { 0.0 })) * line.over_square
    };
    Some(hit_at(ray, enter, if leave > enter { leave } else { enter }, normal.as_vec2()))
}

/// The plain case, quickly: the ray starts outside and enters across a single edge.
#[inline(always)]
pub(super) fn through_polygon(core: &Convex<'_>, ray: &Ray) -> Option<RayHit> {
    match <&[Vec2; 4]>::try_from(core.points) {
        // Most are boxes: where the number of corners is known, there is no loop over them.
        Ok(corners) => through_ring(core, corners, ray),
        Err(_) => through_ring(core, core.points, ray),
    }
}

#[inline(always)]
fn through_ring(core: &Convex<'_>, points: &[Vec2], ray: &Ray) -> Option<RayHit> {
    let line = &ray.line;
    // A bit for every corner on the right; no branches, which could not be predicted.
    let (mut right, mut least) = (0u64, f64::INFINITY);
    for point in points {
        let side = cross(line.along, point.as_dvec2() - line.origin);
        right = right << 1 | u64::from(side < 0.0);
        least = if side.abs() < least { side.abs() } else { least };
    }
    if least == 0.0 {
        return through_any(core, ray);
    }
    let last = points.len() - 1;
    let next = right << 1 | right >> last;
    let (falls, rises) = (!right & next, right & !next & (u64::MAX >> (63 - last)));
    if rises == 0 {
        return None;
    }
    let edge = |bit: u64| last - (bit.trailing_zeros() as usize).min(last);
    let entry = edge(falls);
    let (enter, _) = line.cross_edge(points, entry);
    let (leave, _) = line.cross_edge(points, edge(rises));
    if enter > ray.end || leave < 0.0 {
        return None;
    }
    if enter <= 0.0 {
        return through_any(core, ray);
    }
    let (half_planes, lane) = (&core.half_planes[entry / 4], entry % 4);
    let normal = Vec2::new(half_planes.normal_x[lane], half_planes.normal_y[lane]);
    Some(hit_at(ray, enter, if leave > enter { leave } else { enter }, normal))
}

/// The stretch between two sides of a box that face each other.
#[inline(always)]
fn between_sides(low: f32, high: f32, origin: f64, along: f64) -> (f64, f64) {
    let (to_low, to_high) = (f64::from(low) - origin, f64::from(high) - origin);
    if along > 0.0 {
        (to_low / along, to_high / along)
    } else if along < 0.0 {
        (to_high / along, to_low / along)
    } else if to_low <= 0.0 && to_high >= 0.0 {
        (f64::NEG_INFINITY, f64::INFINITY)
    } else {
        (f64::INFINITY, f64::NEG_INFINITY)
    }
}

#[inline(always)]
pub(super) fn through_box(aabb: &Aabb, ray: &Ray) -> Option<RayHit> {
    let Line { origin, along, .. } = ray.line;
    let (enter_x, leave_x) = between_sides(aabb.min().x, aabb.max().x, origin.x, along.x);
    let (enter_y, leave_y) = between_sides(aabb.min().y, aabb.max().y, origin.y, along.y);
    let (enter, leave) = (enter_x.max(enter_y), leave_x.min(leave_y));
    if enter > leave || leave < 0.0 || enter > ray.end {
        return None;
    }
    if enter < 0.0 && leave > 0.0 && along.x * along.y != 0.0 {
        // From inside, and not along a side: against the ray.
        return Some(hit_at(ray, 0.0, leave, to_vec2(-along / ray.line.length)));
    }
    if enter <= 0.0 {
        return through_any(&aabb.as_convex(&mut ConvexBuffer::new()), ray);
    }
    let level = enter_x > enter_y || (enter_x == enter_y && along.x.abs() >= along.y.abs());
    let against = |along: f64| if along > 0.0 { -1.0 } else { 1.0 };
    let normal =
        if level { Vec2::new(against(along.x), 0.0) } else { Vec2::new(0.0, against(along.y)) };
    Some(hit_at(ray, enter, leave, normal))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn the_short_ways_agree_with_the_general_one() {
        let mut seed = 3u32;
        let mut number = || {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            // Often on a grid, so that rays touch, run along sides and through corners.
            let coarse = seed & 0x100 != 0;
            let x = (seed >> 20) as f32;
            if coarse { (x % 9.0) / 2.0 - 2.0 } else { x / 1024.0 - 2.0 }
        };
        let mut hits = 0;
        for _ in 0..40_000 {
            let [a, b, c, d, e, f] = ::core::array::from_fn(|_| number());
            let (x, y) = (number().abs() / 2.0 + 0.25, number().abs() / 2.0 + 0.25);
            if [c, d] == [0.0, 0.0] {
                continue;
            }
            let ray = Ray::new([1.5 * a, 1.5 * b], [c, d], 4.0 + 4.0 * x);
            let shapes: [Shape; 4] = [
                Circle::new([e, f], x).into(),
                Capsule::new([e, f], [e + x, f + b], y / 2.0).into(),
                Aabb::from_center_half_size([e, f], [x, y]).into(),
                Obb::new([e, f], [x, y], a).into(),
            ];
            for shape in &shapes {
                let mut buffer = ConvexBuffer::new();
                let quick = shape.raycast(&ray);
                let slow = through_any(&shape.as_shape().convex_or_empty(&mut buffer), &ray);
                let told = || alloc::format!("{ray:?} {shape:?}: {quick:?}, in general {slow:?}");
                let (Some(quick), Some(slow)) = (quick, slow) else {
                    // Only at the last bit may one of them miss.
                    let shortest = quick.or(slow).map_or(0.0, |hit| hit.exit - hit.distance);
                    let ends = |hit: RayHit| (hit.distance - ray.max_distance()).abs() < 1e-6;
                    assert!(shortest < 1e-3 || quick.or(slow).is_some_and(ends), "{}", told());
                    continue;
                };
                hits += 1;
                assert!((quick.distance - slow.distance).abs() < 1e-5, "{}", told());
                assert!((quick.exit - slow.exit).abs() < 1e-5, "{}", told());
                assert!(quick.point.distance(slow.point) < 1e-5, "{}", told());
                let is_corner = matches!(shape, Shape::Aabb(_) | Shape::Obb(_));
                assert!(is_corner || quick.normal.distance(slow.normal) < 1e-4, "{}", told());
            }
        }
        assert!(hits > 20_000);
    }
}
