//! rapier2d's broad phase, fed with box colliders that are moved one by one. It reports the
//! pairs that began and ended instead of all pairs, and enlarges its boxes by a prediction distance and a
//! margin.

use std::collections::BTreeSet;

use carom::broad::Pair;
use rapier2d::prelude::*;

use super::ordered;
use crate::frames::{Finder, Frames};
use crate::results::RAPIER;
use crate::scenes::BoxScene;

struct Rapier {
    broad: BroadPhaseBvh,
    params: IntegrationParameters,
    colliders: ColliderSet,
    bodies: RigidBodySet,
    /// All colliders, indexed by the ids of their boxes.
    handles: Vec<ColliderHandle>,
    modified: Vec<ColliderHandle>,
    events: Vec<BroadPhasePairEvent>,
    pairs: BTreeSet<Pair>,
}

impl Rapier {
    fn new(scene: &BoxScene) -> Self {
        let mut colliders = ColliderSet::new();
        let moving: BTreeSet<u32> = scene.moving().map(|(id, _)| id).collect();
        let insert = |(id, (bounds, _)): (u32, &(carom::shape::Aabb, _))| {
            let [x, y] = (bounds.size() / 2.0).to_array();
            let center = bounds.center();
            // Colliders without a body count as fixed. Pairs of fixed colliders must be enabled explicitly.
            let types = match moving.contains(&id) {
                true => ActiveCollisionTypes::all(),
                false => ActiveCollisionTypes::default(),
            };
            let collider = ColliderBuilder::cuboid(x, y)
                .translation(Vector::new(center.x, center.y))
                .active_collision_types(types);
            colliders.insert(collider)
        };
        let handles: Vec<_> = (0..).zip(scene.boxes()).map(insert).collect();
        Self {
            broad: BroadPhaseBvh::new(),
            params: IntegrationParameters::default(),
            bodies: RigidBodySet::new(),
            modified: handles.clone(),
            handles,
            colliders,
            events: Vec::new(),
            pairs: BTreeSet::new(),
        }
    }
}

impl Finder for Rapier {
    fn frame(&mut self, scene: &BoxScene) {
        for (id, bounds) in scene.moving() {
            let handle = self.handles[id as usize];
            let center = bounds.center();
            let collider = self.colliders.get_mut(handle).expect("no collider was removed");
            collider.set_translation(Vector::new(center.x, center.y));
        }
        self.events.clear();
        let Self { broad, params, colliders, bodies, modified, events, .. } = self;
        broad.update(params, colliders, bodies, modified, &[], events);
        if self.modified.len() > scene.moving().len() {
            // The first frame reported all pairs.
            self.modified = scene.moving().map(|(id, _)| self.handles[id as usize]).collect();
        }
    }

    fn pairs(&mut self) -> Vec<Pair> {
        let pair = |pair: &ColliderPair| {
            let [a, b] = [pair.collider1, pair.collider2].map(|it| it.into_raw_parts().0);
            ordered(a, b) // colliders were inserted in the order of ids
        };
        for event in &self.events {
            match event {
                BroadPhasePairEvent::AddPair(it) => self.pairs.insert(pair(it)),
                BroadPhasePairEvent::DeletePair(it) => self.pairs.remove(&pair(it)),
            };
        }
        self.pairs.iter().copied().collect()
    }
}

pub fn add(frames: &mut Frames) {
    let (one, all) = (Rapier::new(frames.scene()), Rapier::new(frames.scene()));
    frames.add(RAPIER, "broad phase, one thread", one);
    frames.add_on_all_threads(RAPIER, "broad phase, all threads", all);
}
