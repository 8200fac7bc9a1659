//! Spatial queries: overlap tests, ray casts, shape casts and nearest neighbors.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::broad::{SweptAabb, last_of_interest};
use crate::math::{IntoVec2, Vec2};
use crate::query::{Contact, Ray, RayHit, SweepHit};
use crate::shape::{Aabb, AsShape, Point, ShapeRef};
use crate::world::{ColliderKey, Filter, World};

/// # Queries
///
/// Queries use the current poses of the bodies, whether or not there was an update since they moved.
/// Results are ordered by distance or time, and then by key. A query with a point, box or motion that is
/// not finite finds nothing.
impl World {
    /// Returns the colliders that contain a point. The boundary counts.
    #[doc(alias = "point query")]
    #[doc(alias = "intersect_point")]
    pub fn at_point(&self, point: impl IntoVec2, filter: &Filter<'_>) -> Vec<ColliderKey> {
        match Point::try_new(point) {
            Ok(point) => self.intersecting(&point, filter),
            Err(_) => Vec::new(),
        }
    }

    /// Returns the colliders whose shapes (not only their bounds) intersect a box.
    #[doc(alias = "overlap query")]
    #[doc(alias = "query_aabb")]
    #[doc(alias = "OverlapBox")]
    pub fn intersecting_box(&self, area: &Aabb, filter: &Filter<'_>) -> Vec<ColliderKey> {
        self.intersecting(area, filter)
    }

    /// Returns the colliders that intersect a shape. Touching counts. The classic name is overlap query.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let crate_ = world.add_body(Body::moving([3.0, 0.0]))?;
    /// let side = world.add_collider(crate_, Collider::new(Aabb::new([0.0, 0.0], [1.0, 1.0])))?;
    /// let blast = Circle::new([0.0, 0.0], 3.0);
    /// assert_eq!(world.intersecting(&blast, &Filter::new()), [side]); // touching counts
    /// assert_eq!(world.intersecting(&blast, &Filter::new().exclude(crate_)), []);
    /// # Ok::<(), WorldError>(())
    /// ```
    #[doc(alias = "overlap query")]
    #[doc(alias = "intersect_shape")]
    #[doc(alias = "OverlapCircle")]
    pub fn intersecting(&self, shape: &impl AsShape, filter: &Filter<'_>) -> Vec<ColliderKey> {
        let test = |placed: ShapeRef<'_>| placed.intersects(shape).then_some(());
        let found = self.collect_intersecting(shape, filter, test);
        found.into_iter().map(|(key, ())| key).collect()
    }

    /// Returns the colliders that overlap a shape. Touching does not count, unlike in
    /// [`intersecting`](Self::intersecting).
    pub fn overlapping(&self, shape: &impl AsShape, filter: &Filter<'_>) -> Vec<ColliderKey> {
        let test = |placed: ShapeRef<'_>| placed.overlaps(shape).then_some(());
        let found = self.collect_intersecting(shape, filter, test);
        found.into_iter().map(|(key, ())| key).collect()
    }

    /// Returns `true` if a shape overlaps no collider. Touching is allowed: a crouching hero can stand up
    /// if the standing shape is free, although it touches the floor.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let floor = Collider::new(Aabb::new([-9.0, -1.0], [9.0, 0.0]));
    /// let ceiling = Collider::new(Aabb::new([2.0, 1.5], [9.0, 3.0]));
    /// world.spawn(Body::fixed([0.0, 0.0]), [floor, ceiling])?;
    /// let solids = Filter::new().solid();
    /// let standing_at = |x: f32| Aabb::new([x - 0.5, 0.0], [x + 0.5, 2.0]);
    /// assert!(world.is_free(&standing_at(1.5), &solids)); // touches floor and ceiling
    /// assert!(!world.is_free(&standing_at(4.0), &solids));
    /// # Ok::<(), WorldError>(())
    /// ```
    #[doc(alias = "can stand up")]
    #[doc(alias = "place_free")]
    #[doc(alias = "test_move")]
    pub fn is_free(&self, shape: &impl AsShape, filter: &Filter<'_>) -> bool {
        let mut is_free = true;
        self.broad.as_dyn().visit_intersecting(&shape.as_shape().bounds(), &mut |slot| {
            let test = |placed: ShapeRef<'_>| placed.overlaps(shape).then_some(());
            is_free = self.test_collider(slot, filter, test).is_none();
            if is_free { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        is_free
    }

    /// Searches for the nearest position where a shape overlaps nothing, and returns the translation to it:
    /// zero if the shape is free already, `None` if nothing is found within `max_distance`.
    ///
    /// The search tests translations on a grid, the nearest first. It then moves the shape from the first
    /// free position back towards the start, up to the first collider. The result is free, but the search
    /// can miss a nearer gap that is narrower than a cell of the grid. A cell is half of the shape's smaller
    /// side, or more if `max_distance` is more than 32 times that. The search tests up to about 3,200
    /// positions.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let rock = Collider::new(Aabb::new([-2.0, 0.0], [2.0, 3.0]));
    /// world.spawn(Body::fixed([0.0, 0.0]), [rock])?;
    /// let hero = Aabb::new([0.0, 1.0], [1.0, 2.0]); // inside the rock
    /// let offset = world.find_free_place(&hero, 10.0, &Filter::new().solid()).unwrap();
    /// assert_eq!(offset, Vec2::new(0.0, 2.0)); // onto the rock, or below it: equally far, then by y
    /// # Ok::<(), WorldError>(())
    /// ```
    #[doc(alias = "unstuck")]
    #[doc(alias = "spawn point")]
    pub fn find_free_place(
        &self,
        shape: &impl AsShape,
        max_distance: f32,
        filter: &Filter<'_>,
    ) -> Option<Vec2> {
        /// The number of cells of the grid from the start to the farthest position.
        const MAX_CELLS: f32 = 32.0;
        if self.is_free(shape, filter) {
            return Some(Vec2::ZERO);
        }
        let size = shape.as_shape().bounds().size();
        let cell = (size.min_element() / 2.0).max(max_distance / MAX_CELLS);
        if !(cell > 0.0 && max_distance.is_finite()) {
            return None;
        }
        let cells = (max_distance / cell) as i32; // at most `MAX_CELLS`
        let mut nodes: Vec<[i32; 2]> =
            (-cells..=cells).flat_map(|x| (-cells..=cells).map(move |y| [x, y])).collect();
        nodes.retain(|[x, y]| x * x + y * y <= cells * cells);
        // Sort by distance; at equal distances, from top to bottom, then from right to left.
        nodes.sort_unstable_by_key(|&[x, y]| (x * x + y * y, -y, -x));
        let offset = |[x, y]: [i32; 2]| Vec2::new(x as f32 * cell, y as f32 * cell);
        let shape = shape.as_shape().to_shape();
        let is_free = |by: Vec2| self.is_free(&shape.translated(by), filter);
        let far = nodes.into_iter().map(offset).find(|&by| is_free(by))?;
        let back = self.sweep(&shape.translated(far), -far, filter);
        let near = back.map_or(far, |(_, hit)| far * (1.0 - hit.time));
        Some(if is_free(near) { near } else { far })
    }

    /// Returns the colliders that intersect a shape, with the contacts of the shape with each: the push of
    /// a contact moves the shape out of that collider.
    #[doc(alias = "collide_shape")]
    pub fn contacts(
        &self,
        shape: &impl AsShape,
        filter: &Filter<'_>,
    ) -> Vec<(ColliderKey, Contact)> {
        self.collect_intersecting(shape, filter, |placed| shape.as_shape().contact(&placed))
    }

    /// Returns the first collider that a ray hits. Used for line of sight and hitscan weapons.
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
    #[doc(alias = "line of sight")]
    #[doc(alias = "hitscan")]
    #[doc(alias = "cast_ray")]
    pub fn raycast(&self, ray: &Ray, filter: &Filter<'_>) -> Option<(ColliderKey, RayHit)> {
        let hit = |placed: ShapeRef<'_>| placed.raycast(ray);
        self.first_hit(&SweptAabb::from_ray(ray), filter, hit, |hit| hit.distance)
    }

    /// Returns all colliders that a ray hits, each with its first hit.
    pub fn raycast_all(&self, ray: &Ray, filter: &Filter<'_>) -> Vec<(ColliderKey, RayHit)> {
        let hit = |placed: ShapeRef<'_>| placed.raycast(ray);
        self.all_hits(&SweptAabb::from_ray(ray), filter, hit, |hit| hit.distance)
    }

    /// Returns the first collider that a moving shape hits: a shape cast against all colliders. See
    /// [`Shape::sweep`](crate::shape::Shape::sweep).
    #[doc(alias = "shape cast")]
    #[doc(alias = "cast_shape")]
    #[doc(alias = "time of impact")]
    #[doc(alias = "CircleCast")]
    pub fn sweep(
        &self,
        shape: &impl AsShape,
        motion: impl IntoVec2,
        filter: &Filter<'_>,
    ) -> Option<(ColliderKey, SweepHit)> {
        let motion = finite(motion)?;
        let hit = |placed: ShapeRef<'_>| shape.as_shape().sweep(motion, &placed);
        self.first_hit(&SweptAabb::from_motion(shape, motion), filter, hit, |hit| hit.time)
    }

    /// Returns all colliders that a moving shape would hit if nothing stopped it.
    pub fn sweep_all(
        &self,
        shape: &impl AsShape,
        motion: impl IntoVec2,
        filter: &Filter<'_>,
    ) -> Vec<(ColliderKey, SweepHit)> {
        let Some(motion) = finite(motion) else { return Vec::new() };
        let hit = |placed: ShapeRef<'_>| shape.as_shape().sweep(motion, &placed);
        self.all_hits(&SweptAabb::from_motion(shape, motion), filter, hit, |hit| hit.time)
    }

    /// Returns the `count` colliders nearest to a point, with their distances. The distance is 0 for
    /// colliders that contain the point.
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
    #[doc(alias = "k nearest neighbors")]
    #[doc(alias = "project_point")]
    pub fn nearest(
        &self,
        point: impl IntoVec2,
        count: usize,
        filter: &Filter<'_>,
    ) -> Vec<(ColliderKey, f32)> {
        let mut best: Vec<(f32, u32)> = Vec::new();
        let Ok(point) = Point::try_new(point) else { return Vec::new() };
        if count > 0 {
            self.broad.as_dyn().visit_within(&point.bounds(), f32::INFINITY, &mut |slot, _, _| {
                if filter.passes(&self.storage, slot) {
                    let placed = self.storage.placed[slot as usize].as_shape();
                    let entry = (placed.distance(&point), slot);
                    let index = best.partition_point(|other| *other < entry);
                    if index < count {
                        best.truncate(count - 1);
                        best.insert(index, entry);
                    }
                }
                match best.last() {
                    Some(&(worst, _)) if best.len() == count => {
                        last_of_interest(worst, f32::INFINITY)
                    }
                    _ => f32::INFINITY,
                }
            });
        }
        best.into_iter().map(|(far, slot)| (self.storage.collider_key(slot), far)).collect()
    }

    /// Tests the colliders whose bounds intersect those of a shape.
    fn collect_intersecting<T>(
        &self,
        shape: &impl AsShape,
        filter: &Filter<'_>,
        test: impl Fn(ShapeRef<'_>) -> Option<T>,
    ) -> Vec<(ColliderKey, T)> {
        let mut found = Vec::new();
        self.broad.as_dyn().visit_intersecting(&shape.as_shape().bounds(), &mut |slot| {
            found.extend(self.test_collider(slot, filter, &test));
            ControlFlow::Continue(())
        });
        found.sort_unstable_by_key(|&(key, _)| key);
        found
    }

    /// Returns the hit with the least time, and of equal times the least key.
    fn first_hit<T>(
        &self,
        swept: &SweptAabb,
        filter: &Filter<'_>,
        test: impl Fn(ShapeRef<'_>) -> Option<T>,
        time: impl Fn(&T) -> f32,
    ) -> Option<(ColliderKey, T)> {
        let mut first: Option<(ColliderKey, T)> = None;
        let mut end = swept.end();
        self.broad.as_dyn().visit_swept(swept, &mut |slot, _, _| {
            if let Some((key, hit)) = self.test_collider(slot, filter, &test) {
                let is_better = |(best, other): &(_, T)| (time(&hit), key) < (time(other), *best);
                if first.as_ref().is_none_or(is_better) {
                    end = last_of_interest(time(&hit), swept.end());
                    first = Some((key, hit));
                }
            }
            end
        });
        first
    }

    /// Returns all hits, ordered by time and key.
    fn all_hits<T>(
        &self,
        swept: &SweptAabb,
        filter: &Filter<'_>,
        test: impl Fn(ShapeRef<'_>) -> Option<T>,
        time: impl Fn(&T) -> f32,
    ) -> Vec<(ColliderKey, T)> {
        let mut hits = Vec::new();
        self.broad.as_dyn().visit_swept(swept, &mut |slot, _, _| {
            hits.extend(self.test_collider(slot, filter, &test));
            swept.end()
        });
        hits.sort_unstable_by(|(a, first), (b, second)| {
            time(first).total_cmp(&time(second)).then(a.cmp(b))
        });
        hits
    }

    /// Tests a collider if it passes the filter.
    #[inline]
    fn test_collider<T>(
        &self,
        slot: u32,
        filter: &Filter<'_>,
        test: impl Fn(ShapeRef<'_>) -> Option<T>,
    ) -> Option<(ColliderKey, T)> {
        if !filter.passes(&self.storage, slot) {
            return None;
        }
        Some((
            self.storage.collider_key(slot),
            test(self.storage.placed[slot as usize].as_shape())?,
        ))
    }
}

/// Returns the vector if it is finite.
fn finite(v: impl IntoVec2) -> Option<Vec2> {
    Some(v.into_vec2()).filter(|v| v.is_finite())
}
