//! Straight paths of boxes: what rays and sweeps look like to a broad phase.

use glam::{DVec2, Vec2};

use crate::math::{length, round_down};
use crate::query::Ray;
use crate::query::contact::rounding_margin;
use crate::shape::{Aabb, AsShape};

/// A box on its way along a straight line. The box of a ray is a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweptAabb {
    start: Aabb,
    /// How far the box goes in one unit of time.
    velocity: DVec2,
    end: f32,
}

/// By how much of its distance from the origin a box is taken to be larger than it is: more than
/// all roundings of the questions asked afterwards.
const SLACK: f64 = 1e-11;

impl SweptAabb {
    /// The path of a shape's bounds; time 1 is the end of the motion.
    ///
    /// The box is as much larger as a sweep may stop short of what it hits, for the rounding of the
    /// moved shape: else a hit could be told for a time before the path has met it.
    pub fn from_motion(shape: &impl AsShape, motion: impl Into<Vec2>) -> Self {
        let (bounds, velocity) = (shape.as_shape().bounds(), motion.into().as_dvec2());
        let far = bounds.min().abs().max(bounds.max().abs()).max_element();
        let margin = 2.0 * rounding_margin(f64::from(far) + length(velocity));
        Self { start: bounds.fattened(margin), velocity, end: 1.0 }
    }

    /// The path of a ray; times are distances from its start.
    pub fn from_ray(ray: &Ray) -> Self {
        let start = Aabb::new_unchecked(ray.origin(), ray.origin());
        Self { start, velocity: ray.line.direction / ray.line.length, end: ray.max_distance() }
    }

    /// Where the box is at time 0.
    pub fn start(&self) -> Aabb {
        self.start
    }

    /// How far the box goes in one unit of time.
    pub fn velocity(&self) -> [f64; 2] {
        self.velocity.to_array()
    }

    /// When the path ends; may be infinite.
    pub fn end(&self) -> f32 {
        self.end
    }

    /// Between which coordinates the box stays until a time.
    pub(crate) fn extent(&self, until: f32, along_y: bool) -> (f64, f64) {
        let axis = usize::from(along_y);
        let [min, max] = [self.start.min(), self.start.max()].map(|p| f64::from(p[axis]));
        // A path without an end that stands still on this axis gets nowhere.
        let velocity = self.velocity[axis];
        let way = if velocity == 0.0 { 0.0 } else { velocity * f64::from(until.next_up()) };
        (min + way.min(0.0), max + way.max(0.0))
    }

    /// When the path meets a box, or a little earlier; `None` if it does not until a given time, which
    /// may have been rounded down. Where it misses by no more than rounding, it may count as meeting.
    #[inline]
    pub fn time_of_impact(&self, bounds: &Aabb, until: f32) -> Option<f32> {
        let [low, high] = [bounds.min(), bounds.max()].map(|corner| corner.as_dvec2());
        let [start_low, start_high] = [self.start.min(), self.start.max()].map(|p| p.as_dvec2());
        // Seen from a point: the box grown by the one that moves.
        let slack = (low.abs().max(high.abs()) + start_low.abs().max(start_high.abs())) * SLACK;
        let (low, high) = (low - start_high - slack, high - start_low + slack);
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

/// How far two boxes are apart, or a little less.
#[inline]
pub(crate) fn distance(a: &Aabb, b: &Aabb) -> f32 {
    let right = b.min().as_dvec2() - a.max().as_dvec2();
    let left = a.min().as_dvec2() - b.max().as_dvec2();
    let gap = right.max(left).max(DVec2::ZERO);
    // The root of the sum of two squares is off by less than two roundings.
    round_down(length(gap) * (1.0 - 2.0 * f64::EPSILON))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Circle, Point};

    #[test]
    fn a_path_meets_what_the_ray_or_sweep_meets_and_not_later() {
        let wall = Aabb::new([4.0, -1.0], [5.0, 1.0]);
        let ray = Ray::new([0.0, 0.0], [2.0, 0.0], 100.0);
        let path = SweptAabb::from_ray(&ray);
        let met = path.time_of_impact(&wall, path.end()).unwrap();
        assert!((3.9999..=4.0).contains(&met), "{met}");
        assert_eq!(path.time_of_impact(&wall, 3.0), None);

        let ball = Circle::new([0.0, 2.0], 1.0);
        let path = SweptAabb::from_motion(&ball, [8.0, 0.0]);
        let met = path.time_of_impact(&wall, path.end()).unwrap(); // touching all the way
        assert!((0.3749..=0.375).contains(&met), "{met}");
        let path = SweptAabb::from_motion(&ball, [0.0, 8.0]);
        assert_eq!(path.time_of_impact(&wall, path.end()), None);
    }

    #[test]
    fn paths_take_every_finite_number() {
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
