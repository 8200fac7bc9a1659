//! What games look up among boxes, on top of what every method can do.

use alloc::vec::Vec;

use glam::Vec2;

use crate::broad::{BroadPhase, SweptAabb};
use crate::math::{DVec2, round_up, sqrt, to_f32};
use crate::query::{Ray, RayHit, SweepHit};
use crate::shape::{Aabb, AsShape};

/// Look-ups on every [`BroadPhase`]. The answers are about the boxes, exact, and the same for every
/// method: ids ascend, or come in the order of time or distance and then of ids.
///
/// ```
/// use carom::broad::{BroadPhase, BruteForce, BroadPhaseExt, Mobility};
/// use carom::prelude::*;
///
/// let mut broad = BruteForce::new();
/// for (id, x) in (0..).zip([0.0, 2.0, 4.0]) {
///     broad.set(id, Aabb::new([x, 0.0], [x + 1.0, 1.0]), Mobility::Fixed);
/// }
/// assert_eq!(broad.intersecting_box(&Aabb::new([1.0, 0.0], [2.0, 1.0])), [0, 1]); // it touches both
/// assert_eq!(broad.intersecting(&Circle::new([1.5, 1.5], 0.6)), [0; 0]); // its bounds do, but not it
/// let (first, hit) = broad.raycast_first(&Ray::new([9.0, 0.5], [-1.0, 0.0], 100.0)).unwrap();
/// assert_eq!((first, hit.distance), (2, 4.0));
/// assert_eq!(broad.nearest([3.5, 0.5], 2), [(1, 0.5), (2, 0.5)]);
/// ```
pub trait BroadPhaseExt: BroadPhase {
    /// The boxes that a point lies in or on.
    fn at_point(&self, point: impl Into<Vec2>) -> Vec<u32> {
        let point = point.into();
        self.intersecting_box(&Aabb::new_unchecked(point, point))
    }

    /// The boxes that share a point with a box.
    fn intersecting_box(&self, bounds: &Aabb) -> Vec<u32> {
        let mut found = Vec::new();
        self.collect_intersecting(bounds, &mut found);
        found.sort_unstable();
        found
    }

    /// The boxes that share a point with a shape.
    fn intersecting(&self, shape: &impl AsShape) -> Vec<u32> {
        let mut found = self.intersecting_box(&shape.as_shape().bounds());
        found.retain(|&id| self.get(id).is_some_and(|(bounds, _)| bounds.intersects(shape)));
        found
    }

    /// The first box that a ray hits.
    fn raycast_first(&self, ray: &Ray) -> Option<(u32, RayHit)> {
        let mut first: Option<(u32, RayHit)> = None;
        let path = SweptAabb::from_ray(ray);
        self.visit_swept_with_boxes(&path, &mut |id, bounds, _| {
            if let Some(hit) = bounds.raycast(ray)
                && first.is_none_or(|(best, f)| (hit.distance, id) < (f.distance, best))
            {
                first = Some((id, hit));
            }
            first.map_or(path.end(), |(_, hit)| hit.distance)
        });
        first
    }

    /// All boxes that a ray hits, in the order in which it does.
    fn raycast_all(&self, ray: &Ray) -> Vec<(u32, RayHit)> {
        let mut hits = Vec::new();
        let path = SweptAabb::from_ray(ray);
        self.visit_swept_with_boxes(&path, &mut |id, bounds, _| {
            hits.extend(bounds.raycast(ray).map(|hit| (id, hit)));
            path.end()
        });
        hits.sort_unstable_by(|(a, first), (b, second)| {
            first.distance.total_cmp(&second.distance).then(a.cmp(b))
        });
        hits
    }

    /// The first box that a moving shape hits.
    fn sweep_first(
        &self,
        shape: &impl AsShape,
        motion: impl Into<Vec2>,
    ) -> Option<(u32, SweepHit)> {
        let (motion, shape) = (motion.into(), shape.as_shape());
        let mut first: Option<(u32, SweepHit)> = None;
        let path = SweptAabb::from_motion(&shape, motion);
        self.visit_swept_with_boxes(&path, &mut |id, bounds, _| {
            if let Some(hit) = shape.sweep(motion, bounds)
                && first.is_none_or(|(best, f)| (hit.time, id) < (f.time, best))
            {
                first = Some((id, hit));
            }
            first.map_or(path.end(), |(_, hit)| hit.time)
        });
        first
    }

    /// The `count` boxes nearest to a point, and how far away they are.
    fn nearest(&self, point: impl Into<Vec2>, count: usize) -> Vec<(u32, f32)> {
        let point = point.into();
        let from = Aabb::new_unchecked(point, point);
        if count == 0 {
            return Vec::new();
        }
        // By the squares, which are exact enough in `f64` to tell distances apart, and whose bits
        // ascend as they do; then by ids.
        let mut best: Vec<u128> = Vec::with_capacity(count.min(self.len()) + 1);
        let square = |entry: u128| f64::from_bits((entry >> 32) as u64);
        let mut within = f32::INFINITY;
        self.visit_within_with_boxes(&from, within, &mut |id, bounds, _| {
            let far = distance_squared(point, bounds).to_bits();
            let entry = u128::from(far) << 32 | u128::from(id);
            let place = best.partition_point(|&other| other < entry);
            if place < count {
                best.truncate(count - 1);
                best.insert(place, entry);
                if best.len() == count {
                    within = round_up(sqrt(square(best[count - 1])));
                }
            }
            within
        });
        best.into_iter().map(|entry| (entry as u32, to_f32(sqrt(square(entry))))).collect()
    }
}

impl<B: BroadPhase + ?Sized> BroadPhaseExt for B {}

fn distance_squared(point: Vec2, bounds: &Aabb) -> f64 {
    let point = point.as_dvec2();
    let (left, right) = (bounds.min().as_dvec2() - point, point - bounds.max().as_dvec2());
    left.max(right).max(DVec2::ZERO).length_squared()
}
