//! Events per pair of bodies.

use std::collections::BTreeSet;

use crate::support::rng::Rng;
use carom::prelude::*;
use carom::world::{BodyEvent, EventKind};

fn ball(at: [f32; 2]) -> Collider {
    Collider::new(Circle::new(at, 1.0))
}

fn kinds(world: &mut World) -> Vec<EventKind> {
    world.update().body_events().iter().map(|event| event.kind).collect()
}

#[test]
fn a_pair_of_bodies_begins_and_ends_once_for_any_number_of_colliders() {
    let mut world = World::new();
    let hero = world.add_body(Body::moving([0.0, 0.0])).unwrap();
    let [head, _feet] = [1.0, -1.0].map(|y| world.add_collider(hero, ball([0.0, y])).unwrap());
    let coin = world.add_body(Body::moving([1.5, 0.0])).unwrap();
    world.add_collider(coin, ball([0.0, 0.0])).unwrap();

    assert_eq!(world.update().began().count(), 2);
    assert_eq!(world.events().body_events().len(), 1);
    assert_eq!(world.touching_bodies(hero), [coin]);
    world.set_collider_enabled(head, false).unwrap();
    assert_eq!(world.update().ended().count(), 1);
    assert_eq!(world.events().body_events()[0].kind, EventKind::Stayed);
    world.set_collider_enabled(head, true).unwrap();
    assert_eq!(kinds(&mut world), [EventKind::Stayed]);
    world.remove_body(coin).unwrap();
    let [event] = world.update().body_events()[..] else { panic!("one event") };
    assert_eq!((event.kind, event.other(hero)), (EventKind::Ended, Some(coin)));
    assert_eq!(kinds(&mut world), []);
}

#[test]
fn the_next_body_in_a_slot_begins_while_the_last_one_ends() {
    let mut world = World::new();
    let hero = world.add_body(Body::moving([0.0, 0.0])).unwrap();
    world.add_collider(hero, ball([0.0, 0.0])).unwrap();
    let first = world.add_body(Body::moving([1.0, 0.0])).unwrap();
    world.add_collider(first, ball([0.0, 0.0])).unwrap();
    world.update();
    world.remove_body(first).unwrap();
    let second = world.add_body(Body::moving([1.0, 0.0])).unwrap();
    world.add_collider(second, ball([0.0, 0.0])).unwrap();
    let events = world.update().body_events();
    let find = |other| events.iter().find(|it| it.other(hero) == Some(other)).unwrap().kind;
    assert_eq!((find(first), find(second)), (EventKind::Ended, EventKind::Began));
}

/// Compares with an oracle that tests every two colliders, and stores the pairs of bodies that touch.
#[test]
fn body_events_agree_with_testing_every_pair_of_bodies() {
    for seed in 0..20 {
        let rng = &mut Rng::new(seed);
        let mut world = World::new();
        let mut bodies = Vec::new();
        let mut before: BTreeSet<[BodyKey; 2]> = BTreeSet::new();
        for _frame in 0..60 {
            let place = |rng: &mut Rng| [rng.signed() * 4.0, rng.signed() * 4.0];
            if bodies.len() < 12 {
                let body = world.add_body(Body::moving(place(rng))).unwrap();
                for _ in 0..1 + rng.below(3) {
                    world.add_collider(body, ball(place(rng).map(|x| x / 4.0))).unwrap();
                }
                bodies.push(body);
            }
            if rng.one_in(4) {
                world.remove_body(bodies.swap_remove(rng.below(bodies.len()))).unwrap();
            }
            for &body in &bodies {
                world.translate(body, place(rng).map(|x| x / 8.0)).unwrap();
            }
            let mut expected = Vec::new();
            let mut now = BTreeSet::new();
            let all: Vec<_> = world.colliders().collect();
            for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
                if a.body_key() < b.body_key() && a.placed().intersects(&b.placed()) {
                    now.insert([a.body_key(), b.body_key()]);
                }
            }
            drop(all);
            for &bodies in before.union(&now) {
                let kind = match (before.contains(&bodies), now.contains(&bodies)) {
                    (false, _) => EventKind::Began,
                    (true, true) => EventKind::Stayed,
                    (true, false) => EventKind::Ended,
                };
                expected.push((bodies, kind));
            }
            let events: Vec<BodyEvent> = world.update().body_events();
            assert_eq!(events.iter().map(|it| (it.bodies, it.kind)).collect::<Vec<_>>(), expected);
            before = now;
        }
    }
}
