//! Tests of growth: twice as many bodies may take about twice as many operations, not four times as many.
//!
//! The operations are accesses to bodies and colliders, which are counted, so the tests do not depend on
//! the speed of the machine.

use alloc::vec::Vec;

use crate::prelude::*;
use crate::sheet::{Frame, Role, Sheet};
use crate::world::slot_map::access_count;

/// Asserts that the number of accesses that `count` returns for `n` objects grows in proportion to `n`.
fn assert_linear(name: &str, count: impl Fn(usize) -> u64) {
    let [one, two, four] = [1000, 2000, 4000].map(count);
    std::println!("{name}: {one}, {two}, {four} accesses for 1000, 2000, 4000");
    // The constant allows for what does not depend on the number.
    assert!(two <= 2 * one + 200 && four <= 4 * one + 400, "{name}: {one}, {two}, {four}");
}

fn ball(role: Role) -> Collider {
    Collider::new(Circle::new([0.0, 0.0], 1.0)).with_role(role)
}

#[test]
fn removing_the_colliders_of_a_body_in_order_is_linear() {
    assert_linear("colliders removed in order", |n| {
        let mut world = World::new();
        let body = world.add_body(Body::moving([0.0, 0.0])).unwrap();
        let keys: Vec<_> =
            (0..n).map(|_| world.add_collider(body, ball(Role::Solid)).unwrap()).collect();
        access_count::during(|| keys.into_iter().for_each(|it| world.remove_collider(it).unwrap()))
    });
}

#[test]
fn removing_bodies_that_show_frames_is_linear() {
    assert_linear("bodies with frames removed", |n| {
        let mut world = World::new();
        let frame = Frame::new("idle").hurtbox("body", Circle::new([0.0, 0.0], 1.0));
        let sheet = world.add_sheet(Sheet::from_frames([frame]).unwrap()).unwrap();
        let bodies: Vec<_> =
            (0..n).map(|i| world.add_body(Body::moving([i as f32 * 9.0, 0.0])).unwrap()).collect();
        bodies.iter().for_each(|&body| world.set_frame(body, sheet, "idle").unwrap());
        access_count::during(|| bodies.into_iter().for_each(|it| drop(world.remove_body(it))))
    });
}

/// A saw strikes `n` victims, all of which stay where they are.
fn saw(n: usize) -> (World, BodyKey) {
    let mut world = World::new();
    let blade =
        Collider::new(Aabb::new([-1.0, 0.0], [n as f32 * 9.0, 1.0])).with_role(Role::Hitbox);
    let many = (0..50).map(|_| ball(Role::Hurtbox).disabled());
    let saw = world.spawn(Body::moving([0.0, 0.0]), many.chain([blade])).unwrap();
    for i in 0..n {
        let place = Body::moving([i as f32 * 9.0, 0.5]);
        world.spawn(place, [ball(Role::Hurtbox)]).unwrap();
    }
    assert_eq!(world.update().strikes().len(), n);
    (world, saw)
}

#[test]
fn updates_with_standing_strikes_are_linear() {
    assert_linear("an update with standing strikes", |n| {
        let (mut world, saw) = saw(n);
        access_count::during(|| {
            world.translate(saw, [0.0, 0.125]).unwrap();
            assert!(world.update().strikes().is_empty());
        })
    });
}

#[test]
fn starting_the_swings_of_many_attackers_is_linear() {
    assert_linear("swings started", |n| {
        let mut world = World::new();
        let mut attackers = Vec::new();
        for i in 0..n {
            let place = || Body::moving([i as f32 * 9.0, 0.5]);
            attackers.push(world.spawn(place(), [ball(Role::Hitbox)]).unwrap());
            world.spawn(place(), [ball(Role::Hurtbox)]).unwrap();
        }
        assert_eq!(world.update().strikes().len(), n);
        access_count::during(|| {
            attackers.into_iter().for_each(|it| world.start_swing(it).unwrap());
            assert_eq!(world.update().strikes().len(), n);
        })
    });
}

#[test]
fn counting_bodies_accesses_none_of_them() {
    let (world, _) = saw(100);
    assert_eq!(access_count::during(|| assert_eq!(world.body_count(), 101)), 0);
}
