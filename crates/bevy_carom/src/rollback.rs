//! Snapshots of everything that carom knows, for rollback.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bevy_app::App;
use bevy_ecs::entity::{EntityMapper, MapEntities};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::query::Allow;
use bevy_transform::components::Transform;

use crate::{
    AngularVelocity, Body, BodyDisabled, BodyHidden, BodyLink, CaromWorld, Collider,
    ColliderDisabled, ColliderLink, CollisionLayers, Footing, Gravity, ImplicitBody, Mover, OneWay,
    Pushable, RehitRule, Responses, Role, SheetFrame, SpawnOrder, Swept, Team, Velocity, Walker,
};

/// A copy of carom's world and of the components of all entities with a [`Body`] or a [`Collider`].
///
/// Take one between two steps, and restore it to play these steps again with other input. The components
/// are those of this crate, `Transform`, `ChildOf`, and those that the app has registered with
/// [`RollbackApp::rollback_component`].
///
/// Restoring despawns the entities that have been spawned since, and spawns those that have been despawned.
/// The latter get new names: [`restore`](Self::restore) returns them. Where machines compare their state,
/// give all bodies and colliders a [`SpawnOrder`], so that the order in which they enter the world does not
/// depend on these names.
///
/// ```
/// use bevy_app::prelude::*;
/// use bevy_carom::prelude::*;
/// use bevy_carom::CaromSnapshot;
/// use bevy_math::Vec2;
/// use bevy_time::{TimePlugin, TimeUpdateStrategy};
/// use bevy_transform::prelude::*;
///
/// let mut app = App::new();
/// app.add_plugins((TimePlugin, CaromPlugin::default()));
/// app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// let ball = (Mover::Free, Velocity(Vec2::X), Collider::circle(1.0));
/// let ball = app.world_mut().spawn(ball).id();
/// app.update();
/// app.update();
///
/// let snapshot = CaromSnapshot::take(app.world_mut());
/// let then = *app.world().get::<Transform>(ball).unwrap();
/// app.update();
/// assert_ne!(*app.world().get::<Transform>(ball).unwrap(), then);
/// snapshot.restore(app.world_mut());
/// assert_eq!(*app.world().get::<Transform>(ball).unwrap(), then);
/// ```
#[derive(Clone)]
pub struct CaromSnapshot {
    carom: CaromWorld,
    gravity: Gravity,
    entities: Vec<Entity>,
    /// One table for each registered component, in the order of [`RollbackRegistry`].
    tables: Vec<Arc<dyn Table>>,
}

/// Registers components of the game for [`CaromSnapshot`].
pub trait RollbackApp {
    /// Includes a component of entities with a [`Body`] or a [`Collider`] in every [`CaromSnapshot`].
    fn rollback_component<C: Component + Clone>(&mut self) -> &mut Self;
}

impl RollbackApp for App {
    fn rollback_component<C: Component + Clone>(&mut self) -> &mut Self {
        self.world_mut().resource_mut::<RollbackRegistry>().0.push(save::<C>);
        self
    }
}

type Save = fn(&World, &[Entity]) -> Arc<dyn Table>;

/// The components that a snapshot contains.
#[derive(Resource)]
pub(crate) struct RollbackRegistry(Vec<Save>);

impl Default for RollbackRegistry {
    fn default() -> Self {
        Self(vec![
            save::<Transform>,
            save::<Body>,
            save::<Collider>,
            save::<Role>,
            save::<Team>,
            save::<BodyDisabled>,
            save::<BodyHidden>,
            save::<Pushable>,
            save::<Swept>,
            save::<ColliderDisabled>,
            save::<CollisionLayers>,
            save::<OneWay>,
            save::<RehitRule>,
            save::<SheetFrame>,
            save::<SpawnOrder>,
            save::<ImplicitBody>,
            save::<Velocity>,
            save::<AngularVelocity>,
            save::<Mover>,
            save::<Responses>,
            save::<Walker>,
            save_mapped::<Footing>,
            save::<Disabled>,
            // After the components whose removal clears the links.
            save::<BodyLink>,
            save::<ColliderLink>,
            save_parents,
        ])
    }
}

/// The values of a component, in the order of the entities of a snapshot.
trait Table: Send + Sync {
    /// Gives an entity the component as it was, or removes it.
    fn restore(&self, index: usize, entity: &mut EntityWorldMut, names: &mut Names);
}

/// The new names of entities that were spawned again.
struct Names(BTreeMap<Entity, Entity>);

impl EntityMapper for Names {
    fn get_mapped(&mut self, source: Entity) -> Entity {
        self.0.get(&source).copied().unwrap_or(source)
    }

    fn set_mapped(&mut self, source: Entity, target: Entity) {
        self.0.insert(source, target);
    }
}

/// The table of a component, and how to map the entities in its values.
struct Column<C> {
    values: Vec<Option<C>>,
    map: fn(&mut C, &mut Names),
}

impl<C: Component + Clone> Table for Column<C> {
    fn restore(&self, index: usize, entity: &mut EntityWorldMut, names: &mut Names) {
        match self.values[index].clone() {
            Some(mut value) => {
                (self.map)(&mut value, names);
                entity.insert(value);
            }
            None => {
                entity.remove::<C>();
            }
        }
    }
}

fn column<C: Component + Clone>(
    world: &World,
    entities: &[Entity],
    map: fn(&mut C, &mut Names),
) -> Arc<dyn Table> {
    let values = entities.iter().map(|&entity| world.get::<C>(entity).cloned()).collect();
    Arc::new(Column { values, map })
}

fn save<C: Component + Clone>(world: &World, entities: &[Entity]) -> Arc<dyn Table> {
    column::<C>(world, entities, |_, _| ())
}

fn save_mapped<C: Component + Clone + MapEntities>(
    world: &World,
    entities: &[Entity],
) -> Arc<dyn Table> {
    column::<C>(world, entities, MapEntities::map_entities)
}

fn save_parents(world: &World, entities: &[Entity]) -> Arc<dyn Table> {
    column::<ChildOf>(world, entities, |parent, names| parent.0 = names.get_mapped(parent.0))
}

/// Returns all entities with a body or a collider.
fn entities(world: &mut World) -> Vec<Entity> {
    type Filter = (Or<(With<Body>, With<Collider>)>, Allow<Disabled>);
    let mut query = world.query_filtered::<Entity, Filter>();
    query.iter(world).collect()
}

impl CaromSnapshot {
    /// Copies the state.
    ///
    /// # Panics
    /// Panics if the world belongs to an app without the [`CaromPlugin`](crate::CaromPlugin).
    pub fn take(world: &mut World) -> Self {
        let own = entities(world);
        // The transforms of parents place colliders on bodies.
        let mut parents = world.query_filtered::<&ChildOf, Allow<Disabled>>();
        let parents = parents.query(world);
        let all = own.iter().flat_map(|&entity| parents.iter_ancestors(entity)).chain(own.clone());
        let entities: Vec<Entity> = all.collect::<BTreeSet<Entity>>().into_iter().collect();
        let tables = world.resource::<RollbackRegistry>().0.iter();
        let tables = tables.map(|save| save(world, &entities)).collect();
        let (carom, gravity) = (world.resource::<CaromWorld>().clone(), *world.resource());
        Self { carom, gravity, entities, tables }
    }

    /// Restores the state. Returns the old and the new names of the entities that were spawned again.
    ///
    /// # Panics
    /// Panics in the same cases as [`take`](Self::take).
    pub fn restore(&self, world: &mut World) -> Vec<[Entity; 2]> {
        // 1. Despawn what was not there. Children go with their parents.
        for entity in entities(world) {
            if self.entities.binary_search(&entity).is_err() {
                let _ = world.try_despawn(entity);
            }
        }
        // 2. Spawn what is no longer there.
        let mut names = Names(BTreeMap::new());
        for &entity in &self.entities {
            if world.get_entity(entity).is_err() {
                names.0.insert(entity, world.spawn_empty().id());
            }
        }
        // 3. Restore the components. All are marked as changed, so that the next step compares all of them
        //    with the world. Parents come last: they must exist.
        for table in &self.tables {
            for (index, &entity) in self.entities.iter().enumerate() {
                let entity = names.get_mapped(entity);
                if let Ok(mut entity) = world.get_entity_mut(entity) {
                    table.restore(index, &mut entity, &mut names);
                }
            }
        }
        // 4. Restore the world last: the hooks of removed components have written to it.
        let mut carom = self.carom.clone();
        carom.map_entities(&mut names);
        world.insert_resource(carom);
        world.insert_resource(self.gravity);
        names.0.into_iter().map(Into::into).collect()
    }
}
