//! Calls on a world, against brute force.

use carom::broad::{AabbTree, BruteForce, Grid, Mobility, QuadTree, SweepAndPrune};
use carom::prelude::*;
use carom::sheet::Role;
use carom::world::Layer;

use crate::support::random_game::{Touches, all_touches, expected_events};
use crate::support::random_rooms::{any_motion, any_obstacle, any_place, any_pose};
use crate::support::rng::Rng;

const FRAMES: usize = 6;
const MAX_BODIES: usize = 24;

/// Plays a few frames of calls and compares every event and query with a test of every collider.
pub fn worlds(bytes: &[u8]) {
    let mut rng = Rng::from_bytes(bytes);
    let mut world = match rng.below(6) {
        0 => World::with(BruteForce::default()),
        1 => World::with(QuadTree::default()),
        2 => World::with(Grid::default()),
        3 => World::with(SweepAndPrune::default()),
        4 => World::with(AabbTree::default()),
        _ => World::new(),
    };
    let mut before = Touches::new();
    for _ in 0..FRAMES {
        for _ in 0..2 + rng.below(10) {
            call(&mut world, &mut rng);
        }
        let now = all_touches(&world);
        let events =
            world.update().iter().map(|event| (event.kind, event.colliders, event.contact));
        assert_eq!(events.collect::<Vec<_>>(), expected_events(&before, &now));
        before = now;
        check_queries(&world, &mut rng);
    }
    let text = serde_json::to_string(&world).expect("every state can be written");
    let read: World = serde_json::from_str(&text).expect("what is written can be read");
    assert_eq!(world.state_hash(), read.state_hash(), "{text}");
    assert_eq!(text, serde_json::to_string(&read).expect("every state can be written"));
}

fn call(world: &mut World, rng: &mut Rng) {
    let bodies: Vec<BodyKey> = world.bodies().map(|(key, _)| key).collect();
    let colliders: Vec<ColliderKey> = world.colliders().map(|collider| collider.key()).collect();
    if bodies.is_empty() || colliders.is_empty() || (bodies.len() < MAX_BODIES && rng.one_in(3)) {
        let mobility = rng.pick(&[Mobility::Moving, Mobility::Moving, Mobility::Fixed]);
        let body = Body::moving(any_place(rng, 6.0)).with_mobility(mobility);
        let key = world.add_body(body).expect("the pose is finite");
        return world.add_collider(key, any_collider(rng)).map(drop).expect("the body exists");
    }
    let (body, collider) = (rng.pick(&bodies), rng.pick(&colliders));
    let result = match rng.below(12) {
        0 => world.remove_body(body).map(drop),
        1 => world.remove_collider(collider),
        2 => world.add_collider(body, any_collider(rng)).map(drop),
        3 => world.set_enabled(body, rng.one_in(2)),
        4 => world.set_collider_enabled(collider, rng.one_in(2)),
        5 => world.set_role(collider, any_role(rng)),
        6 => world.set_mask(collider, Layers::from_bits(rng.next())),
        7 => world.set_shape(collider, any_obstacle(rng)),
        8 => world.set_pose(body, any_pose(rng, 6.0)),
        _ => world.translate(body, any_place(rng, 2.0)),
    };
    result.expect("the keys are valid");
}

fn any_collider(rng: &mut Rng) -> Collider {
    let layer = Layer::new(rng.below(3) as u8);
    Collider::new(any_obstacle(rng)).on_layer(layer).with_role(any_role(rng))
}

fn any_role(rng: &mut Rng) -> Role {
    rng.pick(&[Role::Solid, Role::Solid, Role::Solid, Role::Sensor, Role::Hitbox, Role::Hurtbox])
}

fn check_queries(world: &World, rng: &mut Rng) {
    let shape = any_obstacle(rng).transformed(&any_pose(rng, 6.0));
    let filter = Filter::new();
    let active = || world.colliders().filter(|it| it.enabled() && it.body().enabled);
    let sorted = |mut keys: Vec<ColliderKey>| {
        keys.sort();
        keys
    };
    let by_test = |test: &dyn Fn(ShapeRef<'_>) -> bool| -> Vec<ColliderKey> {
        sorted(active().filter(|it| test(it.placed())).map(|it| it.key()).collect())
    };
    let expected = by_test(&|placed| placed.intersects(&shape));
    assert_eq!(sorted(world.intersecting(&shape, &filter)), expected, "intersecting {shape:?}");
    let expected = by_test(&|placed| placed.overlaps(&shape));
    assert_eq!(sorted(world.overlapping(&shape, &filter)), expected, "overlapping {shape:?}");
    let motion = any_motion(rng);
    let Ok(ray) = Ray::try_new(shape.centroid(), motion, motion.length()) else { return };
    let nearest = active().filter_map(|it| it.placed().raycast(&ray)).map(|hit| hit.distance);
    let found = world.raycast(&ray, &filter).map(|(_, hit)| hit.distance);
    assert_eq!(found, nearest.min_by(f32::total_cmp), "{ray:?}");
    let first = active().filter_map(|it| shape.sweep(motion, &it.placed())).map(|hit| hit.time);
    let found = world.sweep(&shape, motion, &filter).map(|(_, hit)| hit.time);
    assert_eq!(found, first.min_by(f32::total_cmp), "{shape:?} by {motion:?}");
}
