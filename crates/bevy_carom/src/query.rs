//! Queries whose results are entities.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::Vec2;
use carom::query::{Contact, Ray, RayHit, SweepHit};
use carom::shape::{Aabb, AsShape};
use carom::world::{ColliderKey, Filter};

use crate::{BodyLink, CaromWorld, ColliderLink};

/// Spatial queries. Bodies are where the last step has left them; results are the entities of colliders.
///
/// ```
/// use bevy_carom::prelude::*;
/// use bevy_ecs::prelude::*;
/// use bevy_math::Vec2;
/// use carom::world::Filter;
///
/// fn find_ground(query: SpatialQuery) {
///     let hit = query.raycast(Vec2::new(3.0, 9.0), Vec2::NEG_Y, 100.0, &Filter::new().solid());
///     if let Some((collider, hit)) = hit {
///         println!("{collider} is {} below", hit.distance);
///     }
/// }
/// ```
#[derive(SystemParam)]
pub struct SpatialQuery<'w, 's> {
    carom: Res<'w, CaromWorld>,
    bodies: Query<'w, 's, &'static BodyLink>,
    colliders: Query<'w, 's, &'static ColliderLink>,
}

impl SpatialQuery<'_, '_> {
    /// Returns a filter that also excludes bodies.
    pub fn exclude<'a>(
        &self,
        filter: Filter<'a>,
        bodies: impl IntoIterator<Item = Entity>,
    ) -> Filter<'a> {
        let keys = bodies.into_iter().filter_map(|body| self.bodies.get(body).ok()?.0);
        keys.fold(filter, Filter::exclude)
    }

    /// Returns the first collider that a ray hits. A ray without a direction hits nothing.
    pub fn raycast(
        &self,
        origin: Vec2,
        direction: Vec2,
        max_distance: f32,
        filter: &Filter<'_>,
    ) -> Option<(Entity, RayHit)> {
        let ray = Ray::try_new(origin, direction, max_distance).ok()?;
        let (key, hit) = self.carom.collisions.raycast(&ray, filter)?;
        Some((self.carom.collider_entity(key)?, hit))
    }

    /// Returns all colliders that a ray hits, in the order of distance.
    pub fn raycast_all(
        &self,
        origin: Vec2,
        direction: Vec2,
        max_distance: f32,
        filter: &Filter<'_>,
    ) -> Vec<(Entity, RayHit)> {
        let Ok(ray) = Ray::try_new(origin, direction, max_distance) else { return Vec::new() };
        self.entities(self.carom.collisions.raycast_all(&ray, filter))
    }

    /// Returns the first collider that a moving shape hits (shape cast).
    pub fn sweep(
        &self,
        shape: &impl AsShape,
        motion: Vec2,
        filter: &Filter<'_>,
    ) -> Option<(Entity, SweepHit)> {
        let (key, hit) = self.carom.collisions.sweep(shape, motion, filter)?;
        Some((self.carom.collider_entity(key)?, hit))
    }

    /// Returns the colliders that contain a point.
    pub fn at_point(&self, point: Vec2, filter: &Filter<'_>) -> Vec<Entity> {
        self.keys(self.carom.collisions.at_point(point, filter))
    }

    /// Returns the colliders that intersect an axis-aligned box, for example a selection.
    pub fn intersecting_box(&self, min: Vec2, max: Vec2, filter: &Filter<'_>) -> Vec<Entity> {
        let Ok(area) = Aabb::try_new(min.min(max), min.max(max)) else { return Vec::new() };
        self.keys(self.carom.collisions.intersecting_box(&area, filter))
    }

    /// Returns the colliders that intersect a shape.
    pub fn intersecting(&self, shape: &impl AsShape, filter: &Filter<'_>) -> Vec<Entity> {
        self.keys(self.carom.collisions.intersecting(shape, filter))
    }

    /// Returns the contacts of a shape with colliders. The push of each moves the shape out of the collider.
    pub fn contacts(&self, shape: &impl AsShape, filter: &Filter<'_>) -> Vec<(Entity, Contact)> {
        self.entities(self.carom.collisions.contacts(shape, filter))
    }

    /// Returns the nearest colliders to a point with their distances, the nearest first.
    pub fn nearest(&self, point: Vec2, count: usize, filter: &Filter<'_>) -> Vec<(Entity, f32)> {
        self.entities(self.carom.collisions.nearest(point, count, filter))
    }

    /// Returns the colliders that touched a collider in the last step. The push of a contact moves the
    /// given collider out of the other.
    pub fn touching(&self, collider: Entity) -> impl Iterator<Item = (Entity, Option<Contact>)> {
        let key = self.colliders.get(collider).ok().and_then(ColliderLink::key);
        let events = key.into_iter().flat_map(|key| self.carom.collisions.touching(key));
        events.filter_map(|event| {
            Some((self.carom.collider_entity(event.colliders[1])?, event.contact))
        })
    }

    fn keys(&self, keys: Vec<ColliderKey>) -> Vec<Entity> {
        keys.into_iter().filter_map(|key| self.carom.collider_entity(key)).collect()
    }

    fn entities<T>(&self, found: Vec<(ColliderKey, T)>) -> Vec<(Entity, T)> {
        let entity = |(key, value)| Some((self.carom.collider_entity(key)?, value));
        found.into_iter().filter_map(entity).collect()
    }
}
