//! rapier2d's `CollisionPipeline`: colliders without bodies, which is the least work for it; a
//! prediction distance of zero; events are collected.

use std::sync::Mutex;

use carom::broad::{Mobility, Pair};
use rapier2d::prelude::*;

use super::{Form, forms};
use crate::frames::{Finder, Frames};
use crate::pair_finders::ordered;
use crate::results::RAPIER;
use crate::scenes::BoxScene;

struct Rapier {
    pipeline: CollisionPipeline,
    islands: IslandManager,
    broad: BroadPhaseBvh,
    narrow: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    handles: Vec<ColliderHandle>,
    events: Events,
}

#[derive(Default)]
struct Events(Mutex<Vec<CollisionEvent>>);

impl EventHandler for Events {
    fn handle_collision_event(
        &self,
        _: &RigidBodySet,
        _: &ColliderSet,
        event: CollisionEvent,
        _: Option<&ContactPair>,
    ) {
        self.0.lock().expect("nobody panics").push(event);
    }

    fn handle_contact_force_event(
        &self,
        _: f32,
        _: &RigidBodySet,
        _: &ColliderSet,
        _: &ContactPair,
        _: f32,
    ) {
    }

    fn handle_soft_body_tear_event(&self, _: &SoftBodySet, _: &SoftBodyTearEvent) {}
}

impl Rapier {
    fn new(scene: &BoxScene) -> Self {
        let mut colliders = ColliderSet::new();
        let insert = |((bounds, mobility), form): (&(carom::shape::Aabb, Mobility), Form)| {
            let builder = match form {
                Form::Circle(radius) => ColliderBuilder::ball(radius),
                Form::Box([x, y]) => ColliderBuilder::cuboid(x, y),
            };
            let types = match mobility {
                Mobility::Moving => ActiveCollisionTypes::all(),
                Mobility::Fixed => ActiveCollisionTypes::default(),
            };
            let center = bounds.center();
            let builder = builder.translation(Vector::new(center.x, center.y));
            let builder = builder.active_collision_types(types);
            colliders.insert(builder.active_events(ActiveEvents::COLLISION_EVENTS))
        };
        let handles = scene.boxes().iter().zip(forms(scene)).map(insert).collect();
        Self {
            pipeline: CollisionPipeline::new(),
            islands: IslandManager::new(),
            broad: BroadPhaseBvh::new(),
            narrow: NarrowPhase::new(),
            bodies: RigidBodySet::new(),
            colliders,
            handles,
            events: Events::default(),
        }
    }
}

impl Finder for Rapier {
    fn frame(&mut self, scene: &BoxScene) {
        for (id, bounds) in scene.moving() {
            let center = bounds.center();
            let collider = self.colliders.get_mut(self.handles[id as usize]);
            let collider = collider.expect("no collider was removed");
            collider.set_translation(Vector::new(center.x, center.y));
        }
        self.events.0.lock().expect("nobody panics").clear();
        let Self { pipeline, islands, broad, narrow, bodies, colliders, events, .. } = self;
        pipeline.step(0.0, islands, broad, narrow, bodies, colliders, &(), events);
    }

    fn pairs(&mut self) -> Vec<Pair> {
        let touching = self.narrow.contact_pairs().filter(|it| it.has_any_active_contact());
        let id = |handle: ColliderHandle| handle.into_raw_parts().0;
        touching.map(|it| ordered(id(it.collider1), id(it.collider2))).collect()
    }
}

pub fn add(frames: &mut Frames) {
    let (one, all) = (Rapier::new(frames.scene()), Rapier::new(frames.scene()));
    frames.add(RAPIER, "CollisionPipeline, one thread", one);
    frames.add_on_all_threads(RAPIER, "CollisionPipeline, all threads", all);
}
