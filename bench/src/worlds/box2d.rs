//! Box2D's world step. Only dynamic bodies have contacts with each other, so all bodies are
//! dynamic, without gravity, and repositioned every frame. A step also solves the contacts (in one
//! substep, the minimum), which the other libraries do not. Its contacts begin up to 0.02 early.

use std::ffi::c_void;
use std::ptr;

use boxdd_sys::ffi::*;
use carom::broad::{Mobility, Pair};

use super::{Form, forms};
use crate::frames::{Finder, Frames};
use crate::results::BOX2D;
use crate::scenes::BoxScene;

const UPRIGHT: b2Rot = b2Rot { c: 1.0, s: 0.0 };
const STILL: b2Vec2 = b2Vec2 { x: 0.0, y: 0.0 };

struct Box2d {
    world: b2WorldId,
    /// Indexed by the ids of the boxes, which are the user data of the shapes.
    bodies: Vec<b2BodyId>,
}

impl Box2d {
    fn new(scene: &BoxScene, workers: i32) -> Self {
        // SAFETY: all ids are Box2D's own, and the definitions come from its own defaults.
        unsafe {
            let mut def = b2DefaultWorldDef();
            def.gravity = STILL;
            def.enableSleep = false;
            def.enableContinuous = false;
            def.workerCount = workers;
            let world = b2CreateWorld(&raw const def);
            let boxes = (0..).zip(scene.boxes().iter().zip(forms(scene)));
            let bodies = boxes.map(|(id, (&(bounds, mobility), form))| {
                let mut def = b2DefaultBodyDef();
                def.type_ = match mobility {
                    Mobility::Moving => b2BodyType_b2_dynamicBody,
                    Mobility::Fixed => b2BodyType_b2_staticBody,
                };
                def.position = position(bounds.center().to_array());
                let body = b2CreateBody(world, &raw const def);
                add_shape(body, id, &form);
                body
            });
            let bodies = bodies.collect();
            Self { world, bodies }
        }
    }

    fn step(&mut self) {
        // SAFETY: the world is valid.
        unsafe { b2World_Step(self.world, 1.0 / 60.0, 1) };
    }
}

/// # Safety
/// The body must be valid.
unsafe fn add_shape(body: b2BodyId, id: usize, form: &Form) {
    // SAFETY: the body is valid, and the definition comes from Box2D's default.
    unsafe {
        let mut def = b2DefaultShapeDef();
        def.userData = ptr::without_provenance_mut::<c_void>(id);
        def.enableContactEvents = true;
        match *form {
            Form::Circle(radius) => {
                let circle = b2Circle { center: STILL, radius };
                b2CreateCircleShape(body, &raw const def, &raw const circle);
            }
            Form::Box([x, y]) => {
                let polygon = b2MakeBox(x, y);
                b2CreatePolygonShape(body, &raw const def, &raw const polygon);
            }
        }
    }
}

fn position([x, y]: [f32; 2]) -> b2Pos {
    b2Pos { x, y }
}

impl Finder for Box2d {
    fn frame(&mut self, scene: &BoxScene) {
        for (id, bounds) in scene.moving() {
            let body = self.bodies[id as usize];
            // SAFETY: the body is valid.
            unsafe {
                b2Body_SetTransform(body, position(bounds.center().to_array()), UPRIGHT);
                b2Body_SetLinearVelocity(body, STILL);
            }
        }
        self.step();
        // SAFETY: the world is valid.
        std::hint::black_box(unsafe { b2World_GetContactEvents(self.world) });
    }

    fn pairs(&mut self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for &body in &self.bodies {
            // SAFETY: the body is valid, and the list has room for as many as are asked for.
            let contacts = unsafe {
                let capacity = b2Body_GetContactCapacity(body);
                let mut contacts = Vec::with_capacity(capacity as usize);
                let count = b2Body_GetContactData(body, contacts.as_mut_ptr(), capacity);
                contacts.set_len(count as usize);
                contacts
            };
            // SAFETY: contacts are between valid shapes.
            let id = |shape| unsafe { b2Shape_GetUserData(shape) }.addr() as u32;
            let ids = contacts
                .iter()
                .map(|it| crate::pair_finders::ordered(id(it.shapeIdA), id(it.shapeIdB)));
            pairs.extend(ids);
        }
        // Both bodies list each of their contacts.
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}

impl Drop for Box2d {
    fn drop(&mut self) {
        // SAFETY: the world is valid, and not used after this.
        unsafe { b2DestroyWorld(self.world) };
    }
}

pub fn add(frames: &mut Frames) {
    let threads = std::thread::available_parallelism().map_or(1, |it| it.get() as i32);
    let (one, all) = (Box2d::new(frames.scene(), 1), Box2d::new(frames.scene(), threads));
    frames.add(BOX2D, "world, one thread", one);
    frames.add(BOX2D, "world, all threads", all);
}
