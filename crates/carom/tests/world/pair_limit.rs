//! The limit of pairs: the pairs that count, and the errors and panics above the limit.

use carom::broad::{
    AabbTree, BroadPhase, BruteForce, Grid, Mobility, Pair, PairLimit, QuadTree, Strips,
    SweepAndPrune,
};
use carom::prelude::*;
use carom::world::EventKind;

/// Returns a world with bullets at one position that ignore each other, and a target that they hit.
fn muzzle(bullets: usize, max_pairs: usize) -> (World, BodyKey) {
    let mut world = World::new();
    world.set_max_pairs(max_pairs);
    let [bullet, enemy] = ["bullet", "enemy"].map(|name| world.add_layer(name).unwrap());
    let shape: std::sync::Arc<Shape> = Circle::new([0.0, 0.0], 0.1).into();
    for _ in 0..bullets {
        let body = world.add_body(Body::moving([0.0, 0.0])).unwrap();
        let collider = Collider::new(shape.clone()).on_layer(bullet).with_mask(enemy);
        world.add_collider(body, collider).unwrap();
    }
    let target = world.add_body(Body::moving([0.5, 0.0])).unwrap();
    let collider = Collider::new(Circle::new([0.0, 0.0], 0.5)).on_layer(enemy).with_mask(bullet);
    world.add_collider(target, collider).unwrap();
    (world, target)
}

#[test]
fn bullets_that_ignore_each_other_do_not_count_as_pairs() {
    let (mut world, target) = muzzle(6000, 1 << 24); // 18 million pairs of boxes
    let events = world.try_update().unwrap();
    assert_eq!(events.began().count(), 6000);
    assert!(events.iter().all(|event| event.kind == EventKind::Began && event.involves(target)));
}

#[test]
fn an_update_fails_if_too_many_pairs_ignore_each_other() {
    let (mut world, _) = muzzle(1000, 1000);
    let limit = WorldError::TooManyPairs { limit: 1000 };
    assert_eq!(world.try_update().unwrap_err(), limit); // 499,500 pairs of boxes
    assert!(world.events().is_empty());
    world.set_max_pairs(499_500 / 16);
    assert_eq!(world.try_update().unwrap().began().count(), 1000);
}

#[test]
#[should_panic = "more than 10 pairs of colliders may touch"]
fn an_incomplete_update_panics() {
    muzzle(100, 10).0.update();
}

#[test]
fn a_filter_applies_to_every_broad_phase() {
    let keep = |[a, b]: Pair| (a + b) % 7 == 0;
    let filter = |pairs: &mut Vec<Pair>, start: usize| {
        let new = pairs.split_off(start);
        pairs.extend(new.into_iter().filter(|&pair| keep(pair)));
    };
    let methods: [(&str, Box<dyn BroadPhase>); 6] = [
        ("strips", Box::new(Strips::new())),
        ("brute force", Box::new(BruteForce::new())),
        ("sweep and prune", Box::new(SweepAndPrune::new())),
        ("grid", Box::new(Grid::new())),
        ("quadtree", Box::new(QuadTree::new())),
        ("AABB tree", Box::new(AabbTree::new())),
    ];
    for (name, mut broad) in methods {
        for id in 0..900 {
            let mobility = if id % 9 == 0 { Mobility::Fixed } else { Mobility::Moving };
            let min = Vec2::new((id % 10) as f32 * 0.1, (id % 3) as f32 * 0.1);
            broad.set(id, Aabb::from_min_size(min, [2.0, 2.0]), mobility);
        }
        let (mut all, mut pairs) = (Vec::new(), Vec::new());
        broad.find_pairs(&mut all);
        assert!(all.len() > 300_000, "{name}: several batches");
        all.retain(|&pair| keep(pair));
        let limit = PairLimit::new(all.len()).with_filter(&filter);
        assert!(broad.find_pairs_filtered(limit, &mut pairs).is_some(), "{name}");
        all.sort_unstable();
        pairs.sort_unstable();
        assert_eq!(pairs, all, "{name}");
        let limit = PairLimit::new(all.len() - 1).with_filter(&filter);
        assert_eq!(broad.find_pairs_filtered(limit, &mut pairs), None, "{name}");
    }
}
