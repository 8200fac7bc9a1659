//! Pushing: crates, chains of crates, limits, and random yards full of them.

use carom::prelude::*;

use super::stage::{Random, aabb, circle, convex};

const UNIT: [[f32; 2]; 2] = [[0.0, 0.0], [1.0, 1.0]];

fn unit() -> [Collider; 1] {
    [Collider::new(aabb(UNIT[0], UNIT[1]))]
}

fn add_crate(world: &mut World, at: [f32; 2]) -> BodyKey {
    world.spawn(Body::moving(at).pushable(), unit()).unwrap()
}

fn add_wall(world: &mut World, at: [f32; 2]) -> BodyKey {
    world.spawn(Body::fixed(at), unit()).unwrap()
}

fn hero_at(at: [f32; 2]) -> (World, BodyKey) {
    let mut world = World::new();
    let hero = world.spawn(Body::moving(at), unit()).unwrap();
    (world, hero)
}

fn travel(world: &mut World, hero: BodyKey, motion: [f32; 2], limit: u32) -> Travel {
    world.travel(hero, motion, |_| Response::Push(limit)).unwrap()
}

fn push(world: &mut World, hero: BodyKey, motion: [f32; 2], limit: u32) {
    let _ = travel(world, hero, motion, limit);
}

fn at(world: &World, body: BodyKey) -> [f32; 2] {
    world.position(body).unwrap().to_array()
}

#[test]
fn r11_a_crate_moves_as_far_as_its_pusher() {
    let (mut world, hero) = hero_at([0.0, 0.0]);
    let wood = add_crate(&mut world, [2.0, 0.5]);
    let travel = travel(&mut world, hero, [3.0, 0.0], 1);
    assert_eq!((at(&world, hero), at(&world, wood)), ([3.0, 0.0], [4.0, 0.5]));
    assert_eq!(travel.remaining, Vec2::ZERO);
    let [hit] = travel.hits() else { panic!("{:?}", travel.hits()) };
    assert_eq!((hit.body, hit.time, hit.response), (wood, 1.0 / 3.0, Response::Push(1)));
}

#[test]
fn a_body_that_is_not_pushable_is_slid_along() {
    let (mut world, hero) = hero_at([0.0, 0.0]);
    let rock = world.spawn(Body::moving([2.0, 0.5]), unit()).unwrap();
    push(&mut world, hero, [3.0, 1.0], u32::MAX);
    assert_eq!((at(&world, hero), at(&world, rock)), ([1.0, 1.0], [2.0, 0.5]));
    world.set_pushable(rock, true).unwrap();
    push(&mut world, hero, [1.0, 0.0], u32::MAX);
    assert_eq!(at(&world, rock), [3.0, 0.5]);
    world.set_mobility(rock, carom::broad::Mobility::Fixed).unwrap();
    push(&mut world, hero, [1.0, 0.0], u32::MAX);
    assert_eq!(at(&world, rock), [3.0, 0.5]);
}

#[test]
fn crates_and_their_pusher_stop_at_walls() {
    let (mut world, hero) = hero_at([0.0, 0.0]);
    let wood = add_crate(&mut world, [1.0, 0.0]);
    add_wall(&mut world, [2.5, 0.0]);
    let travel = travel(&mut world, hero, [1.0, 1.0], 1);
    // Half a unit to the wall, then along the side of the crate.
    assert_eq!((at(&world, hero), at(&world, wood)), ([0.5, 1.0], [1.5, 0.0]));
    assert_eq!(travel.hits().len(), 1, "{:?}", travel.hits());
}

#[test]
fn a_chain_with_gaps_is_pushed_together() {
    let (mut world, hero) = hero_at([0.0, 0.0]);
    let crates = [1.5, 3.0, 4.75].map(|x| add_crate(&mut world, [x, 0.25]));
    push(&mut world, hero, [4.0, 0.0], 3);
    assert_eq!(at(&world, hero), [4.0, 0.0]);
    assert_eq!(crates.map(|it| at(&world, it)[0]), [5.0, 6.0, 7.0]);
}

#[test]
fn a_limit_counts_the_weights_of_the_whole_chain() {
    for (limit, expected) in [(1, [1.5, 2.5, 3.5]), (3, [1.75, 2.75, 3.75]), (6, [2.0, 3.0, 4.0])] {
        let (mut world, hero) = hero_at([0.0, 0.0]);
        let crates = [1.0, 2.5, 3.75].map(|x| add_crate(&mut world, [x, 0.0]));
        for (it, weight) in crates.into_iter().zip([1, 2, 3]) {
            world.set_weight(it, weight).unwrap();
        }
        let most = expected[0] - 1.0;
        push(&mut world, hero, [1.0, 0.0], limit);
        // Weight 1 alone closes the first gap, 1 and 2 the second one.
        let expected = match limit {
            1 => [1.5, 2.5, 3.75],
            3 => [1.75, 2.75, 3.75],
            _ => expected,
        };
        assert_eq!(crates.map(|it| at(&world, it)[0]), expected, "limit {limit}");
        assert_eq!(at(&world, hero), [most, 0.0]);
    }
}

#[test]
fn a_limit_of_zero_pushes_nothing() {
    let (mut world, hero) = hero_at([0.0, 0.0]);
    let wood = add_crate(&mut world, [1.0, 0.0]);
    push(&mut world, hero, [1.0, 0.0], 0);
    assert_eq!((at(&world, hero), at(&world, wood)), ([0.0, 0.0], [1.0, 0.0]));
}

#[test]
fn a_crate_beside_one_that_is_stopped_is_not_thrown() {
    let (mut world, _) = hero_at([0.0, 9.0]);
    let tall = Collider::new(aabb([0.0, 0.0], [1.0, 2.0]));
    let hero = world.spawn(Body::moving([0.0, 0.0]), [tall]).unwrap();
    let low = add_crate(&mut world, [1.0, 0.0]);
    let high = add_crate(&mut world, [1.0, 1.0]);
    add_wall(&mut world, [2.25, 0.0]);
    push(&mut world, hero, [1.0, 0.0], 9);
    assert_eq!(at(&world, hero), [0.25, 0.0]);
    assert_eq!((at(&world, low), at(&world, high)), ([1.25, 0.0], [1.25, 1.0]));
}

#[test]
fn a_crate_goes_no_farther_than_a_pusher_that_something_else_stops() {
    let (mut world, _) = hero_at([0.0, 9.0]);
    let tall = Collider::new(aabb([0.0, 0.0], [1.0, 2.0]));
    let hero = world.spawn(Body::moving([0.0, 0.0]), [tall]).unwrap();
    let wood = add_crate(&mut world, [1.0, 0.0]);
    add_wall(&mut world, [1.5, 1.5]);
    push(&mut world, hero, [2.0, 0.0], 1);
    assert_eq!((at(&world, hero), at(&world, wood)), ([0.5, 0.0], [1.5, 0.0]));
}

#[test]
fn a_wall_flush_with_a_crate_keeps_it_from_being_pushed() {
    let (mut world, _) = hero_at([0.0, 9.0]);
    let tall = Collider::new(aabb([0.0, 0.0], [1.0, 2.0]));
    let hero = world.spawn(Body::moving([0.0, 0.0]), [tall]).unwrap();
    let wood = add_crate(&mut world, [1.0, 0.0]);
    add_wall(&mut world, [1.0, 1.0]);
    push(&mut world, hero, [2.0, 0.0], 1);
    assert_eq!((at(&world, hero), at(&world, wood)), ([0.0, 0.0], [1.0, 0.0]));
}

#[test]
fn a_slanting_push_moves_the_crate_along_its_normal_only() {
    let (mut world, hero) = hero_at([0.0, 0.0]);
    let wood = add_crate(&mut world, [1.0, 0.25]);
    push(&mut world, hero, [0.5, 0.25], 1);
    assert_eq!((at(&world, hero), at(&world, wood)), ([0.5, 0.25], [1.5, 0.25]));
}

#[test]
fn a_push_into_a_crate_that_was_crossed_before_still_crosses_it() {
    let (mut world, hero) = hero_at([0.0, 0.0]);
    let ghost = add_wall(&mut world, [1.5, 0.0]);
    let wood = add_crate(&mut world, [2.0, 0.0]);
    let travel = world
        .travel(hero, [2.0, 0.0], |hit| {
            if hit.body == ghost { Response::Cross } else { Response::Push(1) }
        })
        .unwrap();
    assert_eq!((at(&world, hero), at(&world, wood)), ([2.0, 0.0], [3.0, 0.0]));
    assert_eq!(travel.hits().len(), 2);
}

#[test]
fn a_plan_pushes_nothing_and_slides() {
    let (mut world, hero) = hero_at([0.0, 0.0]);
    let wood = add_crate(&mut world, [1.0, 0.0]);
    let plan = world.plan_travel(hero, [1.0, 0.5], |_| Response::Push(1)).unwrap();
    assert_eq!((plan.end, at(&world, wood)), (Vec2::new(0.0, 0.5), [1.0, 0.0]));
}

/// A hero on a level floor whose top is at height 0.
fn hero_on_floor() -> (World, BodyKey, WalkerState) {
    let (mut world, hero) = hero_at([0.0, 0.0]);
    let floor = Collider::new(aabb([-50.0, -1.0], [50.0, 0.0]));
    world.spawn(Body::fixed([0.0, 0.0]), [floor]).unwrap();
    (world, hero, WalkerState::new())
}

fn walk(world: &mut World, hero: BodyKey, state: &mut WalkerState, x: f32) -> carom::motion::Walk {
    world.walk(hero, &Walker::new(), state, [x, -0.125]).unwrap()
}

#[test]
fn a_walker_pushes_a_crate_and_keeps_its_speed() {
    let (mut world, hero, mut state) = hero_on_floor();
    let wood = add_crate(&mut world, [2.0, 0.0]);
    for _ in 0..40 {
        let step = walk(&mut world, hero, &mut state, 0.125);
        assert!(step.on_floor() && step.wall.is_none());
        assert_eq!(step.velocity([3.0, -1.0]), Vec2::new(3.0, 0.0));
        assert_eq!(step.pushed.is_some(), at(&world, wood)[0] > 2.0);
    }
    assert_eq!((at(&world, hero), at(&world, wood)), ([5.0, 0.0], [6.0, 0.0]));
}

#[test]
fn a_walker_stops_at_what_is_too_heavy() {
    let (mut world, hero, mut state) = hero_on_floor();
    let safe = add_crate(&mut world, [1.0, 0.0]);
    world.set_weight(safe, 5).unwrap();
    let weak = Walker::new().push_limit(4);
    let step = world.walk(hero, &weak, &mut state, [0.5, -0.125]).unwrap();
    assert!(step.wall.is_some() && step.pushed.is_none());
    assert_eq!((at(&world, hero), at(&world, safe)), ([0.0, 0.0], [1.0, 0.0]));
}

#[test]
fn a_body_on_a_crate_rides_it_when_it_is_pushed() {
    let (mut world, hero, mut state) = hero_on_floor();
    let wood = add_crate(&mut world, [1.0, 0.0]);
    let cat = world.spawn(Body::moving([1.0, 1.0]), unit()).unwrap();
    let mut cat_state = WalkerState::new();
    let _ = walk(&mut world, cat, &mut cat_state, 0.0);
    assert_eq!(world.support(cat).unwrap().body, wood);
    let _ = walk(&mut world, hero, &mut state, 0.5);
    assert_eq!((at(&world, wood), at(&world, cat)), ([1.5, 0.0], [1.5, 1.0]));
}

#[test]
fn nobody_pushes_the_cart_that_it_stands_in() {
    let (mut world, _, _) = hero_on_floor();
    let cart = [
        Collider::new(aabb([0.0, 0.0], [4.0, 0.25])),
        Collider::new(aabb([3.0, 0.25], [4.0, 3.0])),
    ];
    let cart = world.spawn(Body::moving([5.0, 0.0]).pushable(), cart).unwrap();
    let rider = world.spawn(Body::moving([6.0, 0.25]), unit()).unwrap();
    let mut state = WalkerState::new();
    for _ in 0..20 {
        let _ = walk(&mut world, rider, &mut state, 0.125);
    }
    assert_eq!((at(&world, rider), at(&world, cart)), ([7.0, 0.25], [5.0, 0.0]));
}

#[test]
fn a_faller_beside_a_crate_does_not_press_it_down() {
    let (mut world, hero) = hero_at([0.0, 5.0]);
    let wood = add_crate(&mut world, [0.5, 2.0]);
    let mut state = WalkerState::new();
    let step = world.walk(hero, &Walker::new(), &mut state, [0.0, -4.0]).unwrap();
    assert!(step.on_floor());
    assert_eq!((at(&world, hero), at(&world, wood)), ([0.0, 3.0], [0.5, 2.0]));
}

#[test]
fn a_wide_walker_pushes_two_crates_that_it_meets_one_after_the_other() {
    let (mut world, _, _) = hero_on_floor();
    let tall = Collider::new(aabb([0.0, 0.0], [1.0, 2.0]));
    let hero = world.spawn(Body::moving([-5.0, 0.0]), [tall]).unwrap();
    let low = add_crate(&mut world, [-3.75, 0.0]);
    let high = add_crate(&mut world, [-3.5, 1.0]);
    let mut state = WalkerState::new();
    let step = walk(&mut world, hero, &mut state, 1.0);
    assert_eq!(step.end, Vec2::new(-4.0, 0.0));
    assert_eq!((at(&world, low)[0], at(&world, high)[0]), (-3.0, -3.0));
}

#[test]
fn pushable_and_weight_are_hashed() {
    let (mut world, _) = hero_at([0.0, 0.0]);
    let wood = add_crate(&mut world, [2.0, 0.0]);
    let before = world.state_hash();
    world.set_weight(wood, 7).unwrap();
    let heavy = world.state_hash();
    assert_ne!(heavy, before);
    world.set_pushable(wood, false).unwrap();
    assert_ne!(world.state_hash(), heavy);
}

#[cfg(feature = "serde")]
#[test]
fn pushable_and_weight_survive_saving() {
    let (mut world, _) = hero_at([0.0, 0.0]);
    let wood = add_crate(&mut world, [2.0, 0.0]);
    world.set_weight(wood, 7).unwrap();
    let saved = serde_json::to_string(&world).unwrap();
    let loaded: World = serde_json::from_str(&saved).unwrap();
    assert_eq!(loaded.state_hash(), world.state_hash());
    assert_eq!(loaded.body(wood), world.body(wood));
}

/// A yard with walls, crates of all shapes and someone who pushes.
#[derive(Clone)]
struct Yard {
    bodies: Vec<(Body, Shape)>,
}

fn any_shape(random: &mut Random, grid: bool) -> Shape {
    let size = |random: &mut Random| match grid {
        true => random.on_grid(0.5, 1.5, 0.25),
        false => random.between(0.4, 1.4),
    };
    let (w, h) = (size(random), size(random));
    match random.below(6) {
        0 => circle([0.0, 0.0], w / 2.0),
        1 => convex(&[[0.0, 0.0], [w, 0.0], [w / 2.0, h]]),
        2 => Capsule::new([0.0, 0.0], [w, 0.0], h / 4.0).into(),
        _ => aabb([0.0, 0.0], [w, h]),
    }
}

impl Yard {
    /// Bodies are added as long as they overlap nothing. The first one is the pusher.
    fn random(random: &mut Random) -> Self {
        let grid = random.chance(0.5);
        let mut world = World::new();
        let mut bodies = Vec::new();
        let count = 4 + random.below(14);
        for _ in 0..count {
            let place = |random: &mut Random| match grid {
                true => random.on_grid(-3.0, 3.0, 0.25),
                false => random.between(-3.0, 3.0),
            };
            let at = [place(random), place(random)];
            let body = match random.below(5) {
                _ if bodies.is_empty() => Body::moving(at),
                0 => Body::fixed(at),
                1 => Body::moving(at),
                _ => Body::moving(at).pushable().with_weight(random.below(3) as u16),
            };
            let shape = any_shape(random, grid);
            let key = world.spawn(body, [Collider::new(shape.clone())]).unwrap();
            if overlaps(&world, key) {
                world.remove_body(key).unwrap();
            } else {
                bodies.push((body, shape));
            }
        }
        Self { bodies }
    }

    /// Adds the bodies in an order, and returns their keys in the order of the yard.
    fn build(&self, order: &[usize]) -> (World, Vec<BodyKey>) {
        let mut world = World::new();
        let mut keys = vec![None; self.bodies.len()];
        for &index in order {
            let (body, shape) = self.bodies[index].clone();
            keys[index] = Some(world.spawn(body, [Collider::new(shape)]).unwrap());
        }
        (world, keys.into_iter().map(Option::unwrap).collect())
    }

    fn forwards(&self) -> Vec<usize> {
        (0..self.bodies.len()).collect()
    }
}

/// Returns whether a body overlaps another one.
fn overlaps(world: &World, body: BodyKey) -> bool {
    world.colliders_of(body).any(|own| {
        let shape = world.collider(own).unwrap().placed();
        let mut others = world.colliders().filter(|other| other.body_key() != body);
        others.any(|other| other.placed().overlaps(&shape))
    })
}

/// Returns whether a body touches a collider, as near as positions can represent it.
fn touches(world: &World, body: BodyKey, other: ColliderKey) -> bool {
    let other = world.collider(other).unwrap().placed();
    world
        .colliders_of(body)
        .any(|own| world.collider(own).unwrap().placed().distance(&other) < 4e-6)
}

fn cases() -> u64 {
    std::env::var("CAROM_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(400)
}

fn first_seed() -> u64 {
    std::env::var("CAROM_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0)
}

fn any_motion(random: &mut Random) -> [f32; 2] {
    match random.below(4) {
        0 => [random.on_grid(-1.0, 1.0, 0.25), 0.0],
        1 => [0.0, random.on_grid(-1.0, 1.0, 0.25)],
        2 => [random.on_grid(-1.0, 1.0, 0.25), random.on_grid(-1.0, 1.0, 0.25)],
        _ => [random.between(-1.0, 1.0), random.between(-1.0, 1.0)],
    }
}

/// One move of a random game: travel with a limit, or a walk.
fn step(world: &mut World, hero: BodyKey, state: &mut WalkerState, random: &mut Random) {
    let (motion, limit) = (any_motion(random), random.below(9) as u32);
    if random.chance(0.5) {
        let _ = world.travel(hero, motion, |_| Response::Push(limit)).unwrap();
    } else {
        let walker = Walker::new().push_limit(limit);
        let _ = world.walk(hero, &walker, state, motion).unwrap();
        return;
    }
    state.leave_floor();
}

#[test]
fn random_pushes_leave_no_overlap_and_no_walker_without_its_floor() {
    let (mut moved, mut pushed) = (0, 0);
    for seed in first_seed()..first_seed() + cases() {
        let mut random = Random(seed);
        let yard = Yard::random(&mut random);
        let (mut world, keys) = yard.build(&yard.forwards());
        let mut state = WalkerState::new();
        for frame in 0..30 {
            let before: Vec<Vec2> = keys.iter().map(|&key| world.position(key).unwrap()).collect();
            step(&mut world, keys[0], &mut state, &mut random);
            let is_floor = |floor: carom::motion::Floor| touches(&world, keys[0], floor.collider);
            assert!(state.floor.is_none_or(is_floor), "seed {seed}, frame {frame}: no floor");
            for (index, &key) in keys.iter().enumerate() {
                assert!(
                    !overlaps(&world, key),
                    "seed {seed}, frame {frame}: body {index} overlaps"
                );
                let body = world.body(key).unwrap();
                if body.pose.position != before[index] {
                    moved += 1;
                    // The hero itself, and what stands on a crate, need not be pushable; nobody else stands.
                    assert!(
                        index == 0 || body.pushable,
                        "seed {seed}, frame {frame}: body {index}"
                    );
                    pushed += u64::from(index > 0);
                }
            }
        }
    }
    assert!(moved > 10 * cases() && pushed > cases(), "{moved}, {pushed}");
}

#[test]
fn pushes_do_not_depend_on_the_order_of_adding() {
    for seed in first_seed()..first_seed() + cases() {
        let mut random = Random(seed);
        let yard = Yard::random(&mut random);
        let mut order = yard.forwards();
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i + 1));
        }
        let (mut one, keys) = yard.build(&yard.forwards());
        let (mut other, other_keys) = yard.build(&order);
        let (mut state, mut other_state) = (WalkerState::new(), WalkerState::new());
        let mut twin = random.clone();
        for frame in 0..30 {
            step(&mut one, keys[0], &mut state, &mut random);
            step(&mut other, other_keys[0], &mut other_state, &mut twin);
            for (index, (&a, &b)) in keys.iter().zip(&other_keys).enumerate() {
                assert_eq!(at(&one, a), at(&other, b), "seed {seed}, frame {frame}, body {index}");
            }
        }
    }
}

#[test]
fn a_mirrored_yard_plays_the_mirrored_story() {
    let mut ties = 0;
    'yards: for seed in first_seed()..first_seed() + cases() {
        let mut random = Random(seed);
        let yard = Yard::random(&mut random);
        let mut mirrored = yard.clone();
        for (body, shape) in &mut mirrored.bodies {
            body.pose.position.x *= -1.0;
            *shape = shape.flipped(Flip::X);
        }
        let (mut one, keys) = yard.build(&yard.forwards());
        let (mut other, other_keys) = mirrored.build(&yard.forwards());
        for frame in 0..30 {
            let ([x, y], limit) = (any_motion(&mut random), random.below(9) as u32);
            let story = travel(&mut one, keys[0], [x, y], limit);
            let image = travel(&mut other, other_keys[0], [-x, y], limit);
            // Corner on corner, two surfaces of one body may be met equally head-on. The hit names one of them,
            // which need not be the image of the other's.
            let flip = |normal: Vec2| Vec2::new(-normal.x, normal.y);
            let mut hits = story.hits().iter().zip(image.hits());
            if hits.any(|(a, b)| flip(a.normal) != b.normal) {
                ties += 1;
                continue 'yards;
            }
            for (index, (&a, &b)) in keys.iter().zip(&other_keys).enumerate() {
                let ([x, y], image) = (at(&one, a), at(&other, b));
                assert_eq!([-x, y], image, "seed {seed}, frame {frame}, body {index}");
            }
        }
    }
    assert!(ties <= 1 + cases() / 100, "{ties}");
}

#[test]
fn a_crate_never_goes_farther_than_its_pusher_nor_beyond_the_limit() {
    for seed in first_seed()..first_seed() + cases() {
        let mut random = Random(seed);
        let mut yard = Yard::random(&mut random);
        // Boxes on the same axes do not slide aside: nothing moves but along the push.
        for (_, shape) in &mut yard.bodies {
            *shape = Shape::Aabb(shape.bounds());
        }
        let (mut world, keys) = yard.build(&yard.forwards());
        if keys.iter().any(|&key| overlaps(&world, key)) {
            continue;
        }
        for frame in 0..30 {
            let before: Vec<Vec2> = keys.iter().map(|&key| world.position(key).unwrap()).collect();
            let [x, _] = any_motion(&mut random);
            let limit = random.below(9) as u32;
            push(&mut world, keys[0], [x, 0.0], limit);
            let moved = |i: usize| world.position(keys[i]).unwrap() - before[i];
            for i in 1..keys.len() {
                assert_eq!(moved(i).y, 0.0, "seed {seed}, frame {frame}, body {i}");
                let is_ahead = moved(i).x * x.signum() <= moved(0).x.abs() + 1e-5;
                assert!(is_ahead, "seed {seed}, frame {frame}: {} after {}", moved(i), moved(0));
            }
            let pushed = (1..keys.len()).filter(|&i| moved(i) != Vec2::ZERO);
            let weight: u32 = pushed.map(|i| u32::from(world.body(keys[i]).unwrap().weight)).sum();
            assert!(weight <= limit, "seed {seed}, frame {frame}: {weight} > {limit}");
        }
    }
}
