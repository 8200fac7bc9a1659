//! Do the radii reach from one core to the other? Exactly.

use core::cmp::Ordering;

use glam::Vec2;

use super::closest::Closest;
use crate::math::exact::{cmp_distance, cmp_line_distance, dot_sign};
use crate::math::length;
use crate::shape::convex::Convex;

/// Compares the distance of two cores that are apart with the sum of their radii, exactly.
/// `closest` is where they come closest, in `f64`.
#[inline]
pub(crate) fn cmp_distance_to_radii(a: &Convex<'_>, b: &Convex<'_>, closest: &Closest) -> Ordering {
    let radii = f64::from(a.radius) + f64::from(b.radius);
    let distance = closest.distance;
    // Far more than the few roundings of the distance can come to.
    let slack = 1e-12 * (distance + radii + a.extent + b.extent);
    if (distance - radii).abs() > slack {
        return if distance > radii { Ordering::Greater } else { Ordering::Less };
    }
    cmp_near_features(a, b, radii + 16.0 * slack)
}

/// The exact comparison, over the corners and edges that come within `reach` of each other. (Not
/// over those in front along the closest direction: beside a long edge, that is not known well
/// enough to tell which they are.)
#[cold]
#[inline(never)]
fn cmp_near_features(a: &Convex<'_>, b: &Convex<'_>, reach: f64) -> Ordering {
    let mut result = Ordering::Greater;
    for (p, q) in [(a, b), (b, a)] {
        for &corner in p.points {
            for j in 0..q.points.len() {
                let (start, end) = q.edge(j);
                let start_at = start.as_dvec2();
                let (side, at) = (end.as_dvec2() - start_at, corner.as_dvec2() - start_at);
                let t = (side.dot(at) / side.dot(side).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
                if length(at - side * t) <= reach {
                    let cmp = cmp_point_segment(corner, start, end, a.radius, b.radius);
                    result = result.min(cmp);
                }
            }
        }
    }
    result
}

/// Compares the distance of a point from a segment with the sum of two radii, exactly.
pub(crate) fn cmp_point_segment(p: Vec2, a: Vec2, b: Vec2, r: f32, s: f32) -> Ordering {
    if dot_sign(a, b, a, p) != Ordering::Greater {
        cmp_distance(a, p, r, s)
    } else if dot_sign(b, a, b, p) != Ordering::Greater {
        cmp_distance(b, p, r, s)
    } else {
        cmp_line_distance(a, b, a, p, r, s)
    }
}
