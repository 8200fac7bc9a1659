//! Immediate questions about the world: what is where, right now?

use alloc::vec::Vec;
use core::ops::ControlFlow;

use glam::Vec2;

use crate::broad::SweptAabb;
use crate::query::{Contact, Ray, RayHit, SweepHit};
use crate::shape::{Aabb, AsShape, Point};
use crate::world::placed_shape::PlacedShape;
use crate::world::{ColliderKey, Filter, World};

/// # Queries
///
/// They see bodies where they are now, whether or not there has been an update since they moved.
/// Answers come in the order of distance or time, then of keys. A point, box or motion that is not
/// finite finds nothing.
impl World {
    /// The colliders that a point lies in or on.
    pub fn at_point(&self, point: impl Into<Vec2>, filter: &Filter<'_>) -> Vec<ColliderKey> {
        match Point::try_new(point) {
            Ok(point) => self.intersecting(&point, filter),
            Err(_) => Vec::new(),
        }
    }

    /// The colliders that share a point with a box. (Not only their bounds: their shapes.)
    pub fn intersecting_box(&self, area: &Aabb, filter: &Filter<'_>) -> Vec<ColliderKey> {
        self.intersecting(area, filter)
    }

    /// The colliders that share a point with a shape.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let crate_ = world.add_body(Body::moving([3.0, 0.0]))?;
    /// let side = world.add_collider(crate_, Collider::new(Aabb::new([0.0, 0.0], [1.0, 1.0])))?;
    /// let blast = Circle::new([0.0, 0.0], 3.0);
    /// assert_eq!(world.intersecting(&blast, &Filter::new()), [side]); // just so
    /// assert_eq!(world.intersecting(&blast, &Filter::new().exclude(crate_)), []);
    /// # Ok::<(), WorldError>(())
    /// ```
    pub fn intersecting(&self, shape: &impl AsShape, filter: &Filter<'_>) -> Vec<ColliderKey> {
        let found = self
            .each_near(shape, filter, |placed| placed.as_shape().intersects(shape).then_some(()));
        found.into_iter().map(|(key, ())| key).collect()
    }

    /// What a shape would touch, with the contacts: each push takes the shape out of one collider.
    pub fn contacts(
        &self,
        shape: &impl AsShape,
        filter: &Filter<'_>,
    ) -> Vec<(ColliderKey, Contact)> {
        self.each_near(shape, filter, |placed| shape.as_shape().contact(placed))
    }

    /// The first collider that a ray hits.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// for x in [4.0, 7.0] {
    ///     let post = world.add_body(Body::fixed([x, 0.0]).with_user_data(x as u64))?;
    ///     world.add_collider(post, Collider::new(Circle::new([0.0, 0.0], 1.0)))?;
    /// }
    /// let sight = Ray::new([0.0, 0.0], [1.0, 0.0], 100.0);
    /// let (post, hit) = world.raycast(&sight, &Filter::new()).unwrap();
    /// assert_eq!((world.collider(post).unwrap().body().user_data, hit.distance), (4, 3.0));
    /// assert_eq!(world.raycast_all(&sight, &Filter::new()).len(), 2);
    /// # Ok::<(), WorldError>(())
    /// ```
    pub fn raycast(&self, ray: &Ray, filter: &Filter<'_>) -> Option<(ColliderKey, RayHit)> {
        let hit = |placed: &PlacedShape| placed.as_shape().raycast(ray);
        self.first_on_path(&SweptAabb::from_ray(ray), filter, hit, |hit| hit.distance)
    }

    /// All colliders that a ray hits, and where it hits each first.
    pub fn raycast_all(&self, ray: &Ray, filter: &Filter<'_>) -> Vec<(ColliderKey, RayHit)> {
        let hit = |placed: &PlacedShape| placed.as_shape().raycast(ray);
        self.all_on_path(&SweptAabb::from_ray(ray), filter, hit, |hit| hit.distance)
    }

    /// The first collider that a moving shape hits: see [`Shape::sweep`](crate::shape::Shape::sweep).
    pub fn sweep(
        &self,
        shape: &impl AsShape,
        motion: impl Into<Vec2>,
        filter: &Filter<'_>,
    ) -> Option<(ColliderKey, SweepHit)> {
        let motion = finite(motion)?;
        let hit = |placed: &PlacedShape| shape.as_shape().sweep(motion, placed);
        self.first_on_path(&SweptAabb::from_motion(shape, motion), filter, hit, |hit| hit.time)
    }

    /// All colliders that a moving shape would hit if nothing stopped it.
    pub fn sweep_all(
        &self,
        shape: &impl AsShape,
        motion: impl Into<Vec2>,
        filter: &Filter<'_>,
    ) -> Vec<(ColliderKey, SweepHit)> {
        let Some(motion) = finite(motion) else { return Vec::new() };
        let hit = |placed: &PlacedShape| shape.as_shape().sweep(motion, placed);
        self.all_on_path(&SweptAabb::from_motion(shape, motion), filter, hit, |hit| hit.time)
    }

    /// The colliders nearest to a point, up to a number of them, and how far away they are: 0 where
    /// the point lies in or on them.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// for x in [9.0, 5.0] {
    ///     let coin = world.add_body(Body::moving([x, 0.0]))?;
    ///     world.add_collider(coin, Collider::new(Circle::new([0.0, 0.0], 1.0)))?;
    /// }
    /// let near = world.nearest([0.0, 0.0], 2, &Filter::new());
    /// assert_eq!([near[0].1, near[1].1], [4.0, 8.0]);
    /// # Ok::<(), WorldError>(())
    /// ```
    pub fn nearest(
        &self,
        point: impl Into<Vec2>,
        count: usize,
        filter: &Filter<'_>,
    ) -> Vec<(ColliderKey, f32)> {
        let mut best: Vec<(f32, u32)> = Vec::new();
        let Ok(point) = Point::try_new(point) else { return Vec::new() };
        if count > 0 {
            self.broad.as_dyn().visit_within(&point.bounds(), f32::INFINITY, &mut |slot, _| {
                if filter.passes(&self.storage, slot) {
                    let entry =
                        (self.storage.placed[slot as usize].as_shape().distance(&point), slot);
                    let place = best.partition_point(|other| *other < entry);
                    if place < count {
                        best.truncate(count - 1);
                        best.insert(place, entry);
                    }
                }
                match best.last() {
                    Some(&(worst, _)) if best.len() == count => worst,
                    _ => f32::INFINITY,
                }
            });
        }
        best.into_iter().map(|(far, slot)| (self.storage.collider_key(slot), far)).collect()
    }

    /// The answers of all colliders whose bounds meet those of a shape.
    fn each_near<T>(
        &self,
        shape: &impl AsShape,
        filter: &Filter<'_>,
        ask: impl Fn(&PlacedShape) -> Option<T>,
    ) -> Vec<(ColliderKey, T)> {
        let mut found = Vec::new();
        self.broad.as_dyn().visit_intersecting(&shape.as_shape().bounds(), &mut |slot| {
            found.extend(self.ask(slot, filter, &ask));
            ControlFlow::Continue(())
        });
        found.sort_unstable_by_key(|&(key, _)| key);
        found
    }

    fn first_on_path<T>(
        &self,
        path: &SweptAabb,
        filter: &Filter<'_>,
        ask: impl Fn(&PlacedShape) -> Option<T>,
        time: impl Fn(&T) -> f32,
    ) -> Option<(ColliderKey, T)> {
        let mut first: Option<(ColliderKey, T)> = None;
        let mut end = path.end();
        self.broad.as_dyn().visit_swept(path, &mut |slot, _| {
            if let Some((key, hit)) = self.ask(slot, filter, &ask) {
                let is_better = |(best, other): &(_, T)| (time(&hit), key) < (time(other), *best);
                if first.as_ref().is_none_or(is_better) {
                    end = time(&hit);
                    first = Some((key, hit));
                }
            }
            end
        });
        first
    }

    fn all_on_path<T>(
        &self,
        path: &SweptAabb,
        filter: &Filter<'_>,
        ask: impl Fn(&PlacedShape) -> Option<T>,
        time: impl Fn(&T) -> f32,
    ) -> Vec<(ColliderKey, T)> {
        let mut hits = Vec::new();
        self.broad.as_dyn().visit_swept(path, &mut |slot, _| {
            hits.extend(self.ask(slot, filter, &ask));
            path.end()
        });
        hits.sort_unstable_by(|(a, first), (b, second)| {
            time(first).total_cmp(&time(second)).then(a.cmp(b))
        });
        hits
    }

    /// What a collider answers, if the filter lets it through.
    #[inline]
    fn ask<T>(
        &self,
        slot: u32,
        filter: &Filter<'_>,
        ask: impl Fn(&PlacedShape) -> Option<T>,
    ) -> Option<(ColliderKey, T)> {
        if !filter.passes(&self.storage, slot) {
            return None;
        }
        Some((self.storage.collider_key(slot), ask(&self.storage.placed[slot as usize])?))
    }
}

fn finite(v: impl Into<Vec2>) -> Option<Vec2> {
    Some(v.into()).filter(|v| v.is_finite())
}
