//! Swept boxes, which represent rays and shape casts in a broad phase.

use glam::DVec2;

use crate::math::{IntoVec2, length, round_down};
use crate::query::Ray;
use crate::query::contact::rounding_margin;
use crate::shape::{Aabb, AsShape};

/// A box that moves along a straight line (a swept AABB). For a ray, the box is a point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "ray")]
#[doc(alias = "shape cast")]
pub struct SweptAabb {
    start: Aabb,
    /// The motion in one unit of time.
    velocity: DVec2,
    end: f32,
}

/// The tolerance relative to the coordinates: greater than all rounding errors of the exact tests that follow.
const TOLERANCE: f64 = 1e-11;

impl SweptAabb {
    /// Creates the swept box of a moving shape. Time 1 is the end of the motion.
    ///
    /// The box is larger than the shape by the distance at which a sweep may stop before an obstacle because of
    /// rounding. Otherwise, a hit of the shape could be earlier than that of the box.
    pub fn from_motion(shape: &impl AsShape, motion: impl IntoVec2) -> Self {
        let (bounds, velocity) = (shape.as_shape().bounds(), motion.into_vec2().as_dvec2());
        let farthest = bounds.min().abs().max(bounds.max().abs()).max_element();
        let margin = 2.0 * rounding_margin(f64::from(farthest) + length(velocity));
        Self { start: bounds.fattened(margin), velocity, end: 1.0 }
    }

    /// Creates the swept box of a ray. Times are distances from its origin.
    pub fn from_ray(ray: &Ray) -> Self {
        let start = Aabb::new_unchecked(ray.origin(), ray.origin());
        Self { start, velocity: ray.line.direction / ray.line.length, end: ray.max_distance() }
    }

    /// Returns the box at time 0.
    pub fn start(&self) -> Aabb {
        self.start
    }

    /// Returns the motion in one unit of time.
    pub fn velocity(&self) -> [f64; 2] {
        self.velocity.to_array()
    }

    /// Returns the time at which the motion ends, which may be infinite.
    pub fn end(&self) -> f32 {
        self.end
    }

    /// Returns the interval of an axis that the box covers up to a time.
    pub(crate) fn interval(&self, until: f32, along_y: bool) -> (f64, f64) {
        let axis = usize::from(along_y);
        let [min, max] = [self.start.min(), self.start.max()].map(|p| f64::from(p[axis]));
        // The time may be infinite, so a velocity of 0 must not be multiplied by it.
        let velocity = self.velocity[axis];
        let motion = if velocity == 0.0 { 0.0 } else { velocity * f64::from(until.next_up()) };
        (min + motion.min(0.0), max + motion.max(0.0))
    }

    /// Returns a lower bound of the time of impact with a box (the slab test), or `None` if the box is not hit
    /// up to a given time, which may have been rounded down. A box that is missed by no more than rounding may
    /// count as hit.
    #[inline]
    #[doc(alias = "TOI")]
    #[doc(alias = "slab test")]
    pub fn time_of_impact(&self, bounds: &Aabb, until: f32) -> Option<f32> {
        let [low, high] = [bounds.min(), bounds.max()].map(|corner| corner.as_dvec2());
        let [start_low, start_high] = [self.start.min(), self.start.max()].map(|p| p.as_dvec2());
        // 1. Enlarge the box by the moving one (Minkowski sum), which is then a point at the origin.
        let tolerance =
            (low.abs().max(high.abs()) + start_low.abs().max(start_high.abs())) * TOLERANCE;
        let (low, high) = (low - start_high - tolerance, high - start_low + tolerance);
        // 2. Intersect the times at which the point is between the two sides on each axis.
        let (mut enter, mut leave) = (0.0f64, f64::from(until.next_up()));
        for (low, high, velocity) in
            [(low.x, high.x, self.velocity.x), (low.y, high.y, self.velocity.y)]
        {
            if velocity == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return None;
                }
                continue;
            }
            let (one, other) = (low / velocity, high / velocity);
            enter = enter.max(one.min(other));
            leave = leave.min(one.max(other));
        }
        (enter <= leave).then(|| round_down(enter))
    }
}

/// Returns a lower bound of the distance between two boxes.
#[inline]
pub(crate) fn distance(a: &Aabb, b: &Aabb) -> f32 {
    let right = b.min().as_dvec2() - a.max().as_dvec2();
    let left = a.min().as_dvec2() - b.max().as_dvec2();
    let gap = right.max(left).max(DVec2::ZERO);
    // The length has a rounding error of less than two units in the last place.
    round_down(length(gap) * (1.0 - 2.0 * f64::EPSILON))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Circle, Point};

    #[test]
    fn times_are_lower_bounds_of_those_of_rays_and_sweeps() {
        let wall = Aabb::new([4.0, -1.0], [5.0, 1.0]);
        let ray = Ray::new([0.0, 0.0], [2.0, 0.0], 100.0);
        let path = SweptAabb::from_ray(&ray);
        let time = path.time_of_impact(&wall, path.end()).unwrap();
        assert!((3.9999..=4.0).contains(&time), "{time}");
        assert_eq!(path.time_of_impact(&wall, 3.0), None);

        let ball = Circle::new([0.0, 2.0], 1.0);
        let path = SweptAabb::from_motion(&ball, [8.0, 0.0]);
        let time = path.time_of_impact(&wall, path.end()).unwrap(); // touching all the way
        assert!((0.3749..=0.375).contains(&time), "{time}");
        let path = SweptAabb::from_motion(&ball, [0.0, 8.0]);
        assert_eq!(path.time_of_impact(&wall, path.end()), None);
    }

    #[test]
    fn every_finite_number_is_accepted() {
        let huge = Aabb::new([f32::MIN, f32::MIN], [f32::MAX, f32::MAX]);
        let tiny = f32::from_bits(1);
        for velocity in [[tiny, tiny], [f32::MAX, f32::MIN], [0.0, 0.0], [tiny, f32::MAX]] {
            for at in [[0.0, 0.0], [tiny, -tiny], [f32::MAX, f32::MIN]] {
                let path = SweptAabb::from_motion(&Point::new(at), velocity);
                assert_eq!(path.time_of_impact(&huge, path.end()), Some(0.0));
            }
        }
        assert_eq!(distance(&huge, &huge), 0.0);
    }
}
