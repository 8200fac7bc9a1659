//! carom's world. Contacts and events are read, as in a game.

use std::hint::black_box;

use carom::broad::{Mobility, Pair};
use carom::prelude::*;
use carom::world::EventKind;

use super::{Form, forms};
use crate::frames::{Finder, Frames};
use crate::pair_finders::ordered;
use crate::results::{CAROM, CAROM_PARALLEL};
use crate::scenes::BoxScene;

struct Carom {
    world: World,
    /// Indexed by the ids of the boxes, which are the tags of the colliders.
    bodies: Vec<BodyKey>,
}

impl Carom {
    fn new(scene: &BoxScene) -> Self {
        let mut world = World::new();
        let mut bodies = Vec::new();
        for (id, ((bounds, mobility), form)) in (0..).zip(scene.boxes().iter().zip(forms(scene))) {
            let body = match mobility {
                Mobility::Moving => Body::moving(bounds.center()),
                Mobility::Fixed => Body::fixed(bounds.center()),
            };
            let shape: Shape = match form {
                Form::Circle(radius) => Circle::new([0.0, 0.0], radius).into(),
                Form::Box(half) => Aabb::from_center_half_size([0.0, 0.0], half).into(),
            };
            let body = world.add_body(body).expect("the position is finite");
            world.add_collider(body, Collider::new(shape).with_tag(id)).expect("the body exists");
            bodies.push(body);
        }
        Self { world, bodies }
    }
}

impl Finder for Carom {
    fn frame(&mut self, scene: &BoxScene) {
        let to = |(id, bounds): (u32, Aabb)| (self.bodies[id as usize], bounds.center());
        self.world.set_positions(scene.moving().map(to)).expect("the bodies exist");
        for event in self.world.update().iter() {
            black_box((event.kind, event.contact));
        }
    }

    fn pairs(&mut self) -> Vec<Pair> {
        let tag = |key| self.world.collider(key).expect("no collider was removed").tag();
        let touching = self.world.events().iter().filter(|event| event.kind != EventKind::Ended);
        touching.map(|event| ordered(tag(event.colliders[0]), tag(event.colliders[1]))).collect()
    }
}

pub fn add(frames: &mut Frames) {
    let [one, all] = [(); 2].map(|()| Carom::new(frames.scene()));
    frames.add(CAROM, "World", one);
    if cfg!(feature = "parallel") {
        frames.add_on_all_threads(CAROM_PARALLEL, "World, all threads", all);
    }
}
