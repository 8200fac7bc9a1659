//! Queries whose results are entities.

use std::borrow::Cow;

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::Vec2;
use carom::query::{Contact, Ray, RayHit, SweepHit};
use carom::shape::{Aabb, AsShape, Shape};
use carom::world::{ColliderKey, ColliderRef, Filter, LayerNames, WorldError};

use crate::{BodyLink, CaromWorld, ColliderLink, to_bevy};

/// Spatial queries. Results are the entities of colliders. Bodies are where the last step left them; those that have
/// been despawned since then are not found.
///
/// ```
/// use bevy_carom::prelude::*;
/// use bevy_ecs::prelude::*;
/// use bevy_math::Vec2;
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
    /// Returns a filter that also excludes bodies. A collider of a child entity stands for its body.
    pub fn exclude<'a>(
        &self,
        filter: Filter<'a>,
        entities: impl IntoIterator<Item = Entity>,
    ) -> Filter<'a> {
        let body_of = |entity| {
            let body = self.bodies.get(entity).ok().and_then(BodyLink::key);
            body.or_else(|| Some(self.colliders.get(entity).ok()?.0?.body))
        };
        entities.into_iter().filter_map(body_of).fold(filter, Filter::exclude)
    }

    /// Returns a filter that also restricts the layers, by their names.
    ///
    /// # Errors
    /// Returns an error that lists all names if no layer has one of them.
    pub fn on_layers<'a>(
        &self,
        filter: Filter<'a>,
        layers: impl Into<LayerNames>,
    ) -> Result<Filter<'a>, WorldError> {
        Ok(filter.layers(self.carom.collisions.layers(layers)?))
    }

    /// Calls a function with a filter that also tests the entities of colliders.
    ///
    /// ```
    /// use bevy_carom::prelude::*;
    /// use bevy_ecs::prelude::*;
    /// use bevy_math::Vec2;
    ///
    /// #[derive(Component)]
    /// struct Enemy;
    ///
    /// fn aim(query: SpatialQuery, enemies: Query<(), With<Enemy>>) {
    ///     let target = query.only(Filter::new(), |entity| enemies.contains(entity), |filter| {
    ///         query.nearest(Vec2::ZERO, 1, filter).first().copied()
    ///     });
    ///     # let _ = target;
    /// }
    /// ```
    pub fn only<T>(
        &self,
        filter: Filter<'_>,
        test: impl Fn(Entity) -> bool,
        query: impl FnOnce(&Filter<'_>) -> T,
    ) -> T {
        let test = |collider: ColliderRef<'_>| {
            self.carom.collider_entity(collider.key()).is_some_and(&test)
        };
        query(&filter.predicate(&test))
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
        let filter = &*self.present(filter);
        if !self.carom.removed_colliders.is_empty() {
            return self
                .entities(self.carom.collisions.raycast_all(&ray, filter))
                .into_iter()
                .next();
        }
        let (key, hit) = self.carom.collisions.raycast(&ray, filter)?;
        Some((self.entity(key)?, hit))
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
        self.entities(self.carom.collisions.raycast_all(&ray, &self.present(filter)))
    }

    /// Returns the first collider that a moving shape hits (shape cast).
    pub fn sweep(
        &self,
        shape: &impl AsShape,
        motion: Vec2,
        filter: &Filter<'_>,
    ) -> Option<(Entity, SweepHit)> {
        let filter = &*self.present(filter);
        if !self.carom.removed_colliders.is_empty() {
            let hits = self.carom.collisions.sweep_all(shape, motion, filter);
            return self.entities(hits).into_iter().next();
        }
        let (key, hit) = self.carom.collisions.sweep(shape, motion, filter)?;
        Some((self.entity(key)?, hit))
    }

    /// Returns all colliders that a moving shape hits, in the order of time.
    pub fn sweep_all(
        &self,
        shape: &impl AsShape,
        motion: Vec2,
        filter: &Filter<'_>,
    ) -> Vec<(Entity, SweepHit)> {
        self.entities(self.carom.collisions.sweep_all(shape, motion, &self.present(filter)))
    }

    /// Returns the colliders that contain a point.
    pub fn at_point(&self, point: Vec2, filter: &Filter<'_>) -> Vec<Entity> {
        self.keys(self.carom.collisions.at_point(point, &self.present(filter)))
    }

    /// Returns the colliders that intersect an axis-aligned box, for example a selection.
    pub fn intersecting_box(&self, min: Vec2, max: Vec2, filter: &Filter<'_>) -> Vec<Entity> {
        let Ok(area) = Aabb::try_new(min.min(max), min.max(max)) else { return Vec::new() };
        self.keys(self.carom.collisions.intersecting_box(&area, &self.present(filter)))
    }

    /// Returns the colliders that intersect a shape.
    pub fn intersecting(&self, shape: &impl AsShape, filter: &Filter<'_>) -> Vec<Entity> {
        self.keys(self.carom.collisions.intersecting(shape, &self.present(filter)))
    }

    /// Returns the colliders that overlap a shape. Touching does not count.
    pub fn overlapping(&self, shape: &impl AsShape, filter: &Filter<'_>) -> Vec<Entity> {
        self.keys(self.carom.collisions.overlapping(shape, &self.present(filter)))
    }

    /// Returns whether a shape overlaps no collider: can a crouching hero stand up?
    pub fn is_free(&self, shape: &impl AsShape, filter: &Filter<'_>) -> bool {
        let filter = &*self.present(filter);
        if !self.carom.removed_colliders.is_empty() {
            return self.overlapping(shape, filter).is_empty();
        }
        self.carom.collisions.is_free(shape, filter)
    }

    /// Returns a translation that moves a shape to a free position nearby, or `None` if none is found within the
    /// distance. See [`World::find_free_place`](carom::world::World::find_free_place).
    #[doc(alias = "spawn point")]
    pub fn find_free_place(
        &self,
        shape: &impl AsShape,
        max_distance: f32,
        filter: &Filter<'_>,
    ) -> Option<Vec2> {
        let filter = &*self.present(filter);
        self.carom.collisions.find_free_place(shape, max_distance, filter).map(to_bevy)
    }

    /// Returns the shape of a collider as it is placed in the world.
    pub fn shape_of(&self, collider: Entity) -> Option<Shape> {
        let key = self.colliders.get(collider).ok()?.key()?;
        Some(self.carom.collisions.collider(key)?.placed().to_shape())
    }

    /// Returns the contacts of a shape with colliders. The push of each moves the shape out of the collider.
    pub fn contacts(&self, shape: &impl AsShape, filter: &Filter<'_>) -> Vec<(Entity, Contact)> {
        self.entities(self.carom.collisions.contacts(shape, &self.present(filter)))
    }

    /// Returns the nearest colliders to a point with their distances, the nearest first.
    pub fn nearest(&self, point: Vec2, count: usize, filter: &Filter<'_>) -> Vec<(Entity, f32)> {
        let more = count.saturating_add(self.carom.removed_colliders.len());
        let nearest = self.carom.collisions.nearest(point, more, &self.present(filter));
        let mut nearest = self.entities(nearest);
        nearest.truncate(count);
        nearest
    }

    /// Returns the colliders that touched a collider in the last step. The push of a contact moves the
    /// given collider out of the other.
    pub fn touching(&self, collider: Entity) -> impl Iterator<Item = (Entity, Option<Contact>)> {
        let key = self.colliders.get(collider).ok().and_then(ColliderLink::key);
        let events = key.into_iter().flat_map(|key| self.carom.collisions.touching(key));
        events.filter_map(|event| {
            let is_present = !self.carom.removed_bodies.contains(&event.bodies[1]);
            Some((self.entity(event.colliders[1]).filter(|_| is_present)?, event.contact))
        })
    }

    /// Returns a filter that also excludes the bodies that have been despawned since the last step. carom's world
    /// has them until the next one.
    fn present<'f, 'a>(&self, filter: &'f Filter<'a>) -> Cow<'f, Filter<'a>> {
        match &self.carom.removed_bodies[..] {
            [] => Cow::Borrowed(filter),
            removed => Cow::Owned(removed.iter().copied().fold(filter.clone(), Filter::exclude)),
        }
    }

    /// Returns the entity of a collider, unless it has been despawned since the last step.
    fn entity(&self, key: ColliderKey) -> Option<Entity> {
        let is_present = !self.carom.removed_colliders.contains(&key);
        self.carom.collider_entity(key).filter(|_| is_present)
    }

    fn keys(&self, keys: Vec<ColliderKey>) -> Vec<Entity> {
        keys.into_iter().filter_map(|key| self.entity(key)).collect()
    }

    fn entities<T>(&self, found: Vec<(ColliderKey, T)>) -> Vec<(Entity, T)> {
        found.into_iter().filter_map(|(key, value)| Some((self.entity(key)?, value))).collect()
    }
}
