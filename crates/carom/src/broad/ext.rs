//! Queries for games, built on the methods of every broad phase.

use alloc::vec::Vec;

use glam::Vec2;

use crate::broad::{BroadPhase, SweptAabb};
use crate::math::{DVec2, IntoVec2, round_up, sqrt, to_f32};
use crate::query::{Ray, RayHit, SweepHit};
use crate::shape::{Aabb, AsShape};

/// Queries on the boxes of any [`BroadPhase`]. The results are exact for the boxes and the same for every
/// method: ids are in ascending order, or in the order of time or distance and then of ids.
///
/// ```
/// use carom::broad::{BroadPhase, BroadPhaseExt, BruteForce, Mobility};
/// use carom::prelude::*;
///
/// let mut broad = BruteForce::new();
/// for (id, x) in (0..).zip([0.0, 2.0, 4.0]) {
///     broad.set(id, Aabb::new([x, 0.0], [x + 1.0, 1.0]), Mobility::Fixed);
/// }
/// assert_eq!(broad.intersecting_box(&Aabb::new([1.0, 0.0], [2.0, 1.0])), [0, 1]); // it touches both
/// assert_eq!(broad.intersecting(&Circle::new([1.5, 1.5], 0.6)), [0; 0]); // only its bounds do
/// let (first, hit) = broad.raycast_first(&Ray::new([9.0, 0.5], [-1.0, 0.0], 100.0)).unwrap();
/// assert_eq!((first, hit.distance), (2, 4.0));
/// assert_eq!(broad.nearest([3.5, 0.5], 2), [(1, 0.5), (2, 0.5)]);
/// ```
pub trait BroadPhaseExt: BroadPhase {
    /// Returns the boxes that contain a point, inside or on their boundary.
    #[doc(alias = "point query")]
    fn at_point(&self, point: impl IntoVec2) -> Vec<u32> {
        let point = point.into_vec2();
        self.intersecting_box(&Aabb::new_unchecked(point, point))
    }

    /// Returns the boxes that intersect a box.
    #[doc(alias = "region query")]
    #[doc(alias = "range query")]
    fn intersecting_box(&self, bounds: &Aabb) -> Vec<u32> {
        let mut found = Vec::new();
        self.collect_intersecting(bounds, &mut found);
        found.sort_unstable();
        found
    }

    /// Returns the boxes that intersect a shape.
    fn intersecting(&self, shape: &impl AsShape) -> Vec<u32> {
        let mut found = self.intersecting_box(&shape.as_shape().bounds());
        found.retain(|&id| self.get(id).is_some_and(|(bounds, _)| bounds.intersects(shape)));
        found
    }

    /// Returns the first box that a ray hits.
    #[doc(alias = "raycast")]
    fn raycast_first(&self, ray: &Ray) -> Option<(u32, RayHit)> {
        let swept = SweptAabb::from_ray(ray);
        first_hit(self, &swept, |bounds| bounds.raycast(ray), |hit| hit.distance)
    }

    /// Returns all boxes that a ray hits, in the order of the hits.
    fn raycast_all(&self, ray: &Ray) -> Vec<(u32, RayHit)> {
        let mut hits = Vec::new();
        let swept = SweptAabb::from_ray(ray);
        self.visit_swept(&swept, &mut |id, bounds, _| {
            hits.extend(bounds.raycast(ray).map(|hit| (id, hit)));
            swept.end()
        });
        hits.sort_unstable_by(|(a, first), (b, second)| {
            first.distance.total_cmp(&second.distance).then(a.cmp(b))
        });
        hits
    }

    /// Returns the first box that a moving shape hits.
    #[doc(alias = "shape cast")]
    fn sweep_first(&self, shape: &impl AsShape, motion: impl IntoVec2) -> Option<(u32, SweepHit)> {
        let (motion, shape) = (motion.into_vec2(), shape.as_shape());
        let swept = SweptAabb::from_motion(&shape, motion);
        first_hit(self, &swept, |bounds| shape.sweep(motion, bounds), |hit| hit.time)
    }

    /// Returns the `count` boxes nearest to a point with their distances, the nearest first.
    #[doc(alias = "k nearest neighbors")]
    fn nearest(&self, point: impl IntoVec2, count: usize) -> Vec<(u32, f32)> {
        let point = point.into_vec2();
        let from = Aabb::new_unchecked(point, point);
        if count == 0 {
            return Vec::new();
        }
        // Sorted by squared distance, which distinguishes all distances in `f64`, and then by id. Both are
        // packed into an integer: the bits of floats that are not negative ascend with them.
        let mut best: Vec<u128> = Vec::with_capacity(count.min(self.len()) + 1);
        let squared = |entry: u128| f64::from_bits((entry >> 32) as u64);
        let mut max_distance = f32::INFINITY;
        self.visit_within(&from, max_distance, &mut |id, bounds, _| {
            let bits = distance_squared(point, bounds).to_bits();
            let entry = u128::from(bits) << 32 | u128::from(id);
            let index = best.partition_point(|&other| other < entry);
            if index < count {
                best.truncate(count - 1);
                best.insert(index, entry);
                if best.len() == count {
                    let worst = round_up(sqrt(squared(best[count - 1])));
                    max_distance = last_of_interest(worst, f32::INFINITY);
                }
            }
            max_distance
        });
        best.into_iter().map(|entry| (entry as u32, to_f32(sqrt(squared(entry))))).collect()
    }
}

impl<B: BroadPhase + ?Sized> BroadPhaseExt for B {}

/// Returns the earliest hit along a swept box, and of equally early ones that of the smallest id.
fn first_hit<T: Copy>(
    broad: &(impl BroadPhase + ?Sized),
    swept: &SweptAabb,
    test: impl Fn(&Aabb) -> Option<T>,
    time: impl Fn(&T) -> f32,
) -> Option<(u32, T)> {
    let mut first: Option<(u32, T)> = None;
    broad.visit_swept(swept, &mut |id, bounds, _| {
        if let Some(hit) = test(bounds)
            && first.is_none_or(|(best, other)| (time(&hit), id) < (time(&other), best))
        {
            first = Some((id, hit));
        }
        first.map_or(swept.end(), |(_, hit)| last_of_interest(time(&hit), swept.end()))
    });
    first
}

/// Returns the distance or time up to which other results can equal or precede the best one so far.
///
/// Results beyond the range of `f32` are clamped to `f32::MAX`, so they are all equally good.
#[inline]
pub(crate) fn last_of_interest(best: f32, end: f32) -> f32 {
    if best < f32::MAX { best } else { end }
}

fn distance_squared(point: Vec2, bounds: &Aabb) -> f64 {
    let point = point.as_dvec2();
    let (left, right) = (bounds.min().as_dvec2() - point, point - bounds.max().as_dvec2());
    left.max(right).max(DVec2::ZERO).length_squared()
}
