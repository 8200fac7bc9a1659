//! Swept sensors and strikes: the colliders that fast bodies pass within one move.

use carom::motion::Walk;
use carom::prelude::*;
use carom::sheet::Role;
use carom::world::{EventKind, Passage, Rehit};

use crate::support::random_game::any_shape;
use crate::support::rng::Rng;

fn square(size: f32) -> Aabb {
    Aabb::new([0.0, 0.0], [size, size])
}

fn coin(world: &mut World, x: f32) -> BodyKey {
    world.spawn(Body::fixed([x, 0.0]), [Collider::sensor(square(0.25))]).unwrap()
}

fn hero(world: &mut World) -> BodyKey {
    world.spawn(Body::moving([0.0, 0.0]).swept(), [Collider::new(square(1.0))]).unwrap()
}

fn fly(world: &mut World, body: BodyKey, motion: [f32; 2]) -> Travel {
    world.travel(body, motion, |_| Response::Bounce(1.0)).unwrap()
}

fn passed(world: &World) -> Vec<BodyKey> {
    world.passages().iter().map(|passage| passage.body).collect()
}

#[test]
fn w7_a_fast_body_passes_sensors_in_order() {
    let mut world = World::new();
    let coins = [7.0, 3.0, 5.0].map(|x| coin(&mut world, x));
    let hero = hero(&mut world);
    let _ = fly(&mut world, hero, [8.0, 0.0]);
    assert_eq!(passed(&world), [coins[1], coins[2], coins[0]]);
    let times: Vec<f32> = world.passed_by(hero).map(|passage| passage.time).collect();
    assert_eq!(times, [0.25, 0.5, 0.75]);
    assert_eq!(world.passages()[0].position, Vec2::new(2.0, 0.0));
    assert_eq!(world.passages()[0].normal, Vec2::new(-1.0, 0.0));
}

#[test]
fn bodies_that_are_not_swept_record_nothing() {
    let mut world = World::new();
    coin(&mut world, 3.0);
    let hero = hero(&mut world);
    world.set_swept(hero, false).unwrap();
    let _ = fly(&mut world, hero, [8.0, 0.0]);
    assert_eq!(world.passages(), []);
    assert_eq!(world.update().iter().count(), 0);
}

#[test]
fn a_passed_sensor_begins_with_the_update_and_ends_with_the_next() {
    let mut world = World::new();
    let coin = coin(&mut world, 3.0);
    let hero = hero(&mut world);
    let _ = fly(&mut world, hero, [8.0, 0.0]);
    let kinds = |world: &mut World| -> Vec<EventKind> {
        let events = world.update().body_events().into_iter();
        events.filter(|event| event.other(hero) == Some(coin)).map(|event| event.kind).collect()
    };
    assert_eq!(kinds(&mut world), [EventKind::Began]);
    assert_eq!(world.passages().len(), 1, "they can be read after the update");
    assert_eq!(kinds(&mut world), [EventKind::Ended]);
    assert_eq!(world.passages(), []);
    assert_eq!(kinds(&mut world), []);
}

#[test]
fn a_sensor_that_the_body_stays_in_is_entered_once() {
    let mut world = World::new();
    let water = world.spawn(Body::fixed([2.0, 0.0]), [Collider::sensor(square(9.0))]).unwrap();
    let hero = hero(&mut world);
    let mut entered = 0;
    for _ in 0..8 {
        let _ = fly(&mut world, hero, [0.5, 0.0]);
        entered += passed(&world).iter().filter(|&&body| body == water).count();
        world.update();
    }
    assert_eq!(entered, 1);
}

#[test]
fn a_body_that_returns_to_its_start_has_passed_the_sensors_between() {
    let mut world = World::new();
    let coin = coin(&mut world, 3.0);
    world.spawn(Body::fixed([5.0, 0.0]), [Collider::new(square(1.0))]).unwrap();
    let hero = hero(&mut world);
    world.update();
    let travel = fly(&mut world, hero, [8.0, 0.0]); // four units ahead, and four back
    assert_eq!(travel.end, Vec2::ZERO);
    assert_eq!((passed(&world), world.passages()[0].time), (vec![coin], 0.25));
    assert_eq!(world.update().began().count(), 1);
    assert_eq!(world.update().ended().count(), 1);
}

#[test]
fn a_bullet_strikes_each_body_on_its_path_once() {
    let mut world = World::new();
    let enemies = [3.0, 5.0].map(|x| {
        let body = Collider::new(square(0.5)).with_role(Role::Hurtbox);
        world.spawn(Body::moving([x, 0.0]).with_team(2), [body]).unwrap()
    });
    let friend = Collider::new(square(0.5)).with_role(Role::Hurtbox);
    world.spawn(Body::moving([4.0, 0.0]).with_team(1), [friend]).unwrap();
    let tip = Collider::new(square(0.1)).with_role(Role::Hitbox);
    let bullet = world.spawn(Body::moving([0.0, 0.2]).with_team(1).swept(), [tip]).unwrap();
    let _ = fly(&mut world, bullet, [20.0, 0.0]);
    let struck: Vec<BodyKey> = world.update().strikes().iter().map(|it| it.victim).collect();
    assert_eq!(struck, enemies);
    assert!(world.strikes().iter().all(|strike| strike.contact.normal == Vec2::new(-1.0, 0.0)));
    assert_eq!(world.passages().len(), 3, "the friend was passed, too");
    assert!(world.update().strikes().is_empty());
    // Back again in the same swing: no strike, unless boxes that have parted count again.
    let _ = fly(&mut world, bullet, [-20.0, 0.0]);
    assert!(world.update().strikes().is_empty());
    let tip = world.colliders_of(bullet).next().unwrap();
    world.set_rehit(tip, Rehit::AfterParting).unwrap();
    world.start_swing(bullet).unwrap();
    for direction in [20.0, -20.0, 20.0] {
        let _ = fly(&mut world, bullet, [direction, 0.0]);
        assert_eq!(world.update().strikes().len(), 2);
        world.update();
    }
}

#[test]
fn a_walker_passes_coins_on_a_slope() {
    let mut world = World::new();
    let hill = Chain::new(&[[-9.0, 0.0], [2.0, 0.0], [6.0, 4.0], [20.0, 4.0]]);
    world.spawn(Body::fixed([0.0, 0.0]), [Collider::new(hill)]).unwrap();
    // One coin on the way over the edge of the hill, one on the straight line below the way.
    let on_way = world.spawn(Body::fixed([6.5, 4.75]), [Collider::sensor(square(0.1))]).unwrap();
    world.spawn(Body::fixed([6.0, 2.0]), [Collider::sensor(square(0.1))]).unwrap();
    let feet = Collider::new(Circle::new([0.0, 0.5], 0.5));
    let hero = world.spawn(Body::moving([0.0, 0.0]).swept(), [feet]).unwrap();
    let (walker, mut state) = (Walker::new().level_speed(), WalkerState::new());
    let walk = |world: &mut World, state: &mut WalkerState, x: f32| -> Walk {
        world.walk(hero, &walker, state, [x, -0.1]).unwrap()
    };
    let _ = walk(&mut world, &mut state, 0.0);
    let step = walk(&mut world, &mut state, 9.0);
    assert!(step.on_floor() && step.end.x > 8.0, "{:?}", step.end);
    assert_eq!(passed(&world), [on_way]);
}

#[test]
fn a_step_that_is_not_climbed_passes_nothing_above() {
    let mut world = World::new();
    let floor = Aabb::new([-9.0, -1.0], [9.0, 0.0]);
    let wall = Aabb::new([1.0, 0.0], [2.0, 5.0]);
    world.spawn(Body::fixed([0.0, 0.0]), [floor, wall].map(Collider::new)).unwrap();
    world.spawn(Body::fixed([-0.5, 1.25]), [Collider::sensor(square(0.1))]).unwrap();
    let hero =
        world.spawn(Body::moving([-1.0, 0.0]).swept(), [Collider::new(square(1.0))]).unwrap();
    let walker = Walker::new().max_step_height(0.5);
    let mut state = WalkerState::new();
    for _ in 0..4 {
        let _ = world.walk(hero, &walker, &mut state, [1.0, -0.1]).unwrap();
    }
    assert_eq!(world.position(hero).unwrap(), Vec2::ZERO);
    assert_eq!(world.passages(), []);
}

#[test]
fn riders_platforms_and_pushed_crates_pass_sensors() {
    let mut world = World::new();
    let lift = Collider::new(Aabb::new([0.0, -0.5], [1.0, 0.0]));
    let lift = world.spawn(Body::moving([0.0, 0.0]).swept(), [lift]).unwrap();
    let hero = hero(&mut world);
    let _ = world.walk(hero, &Walker::new(), &mut WalkerState::new(), [0.0, -0.1]).unwrap();
    let high = world.spawn(Body::fixed([0.5, 4.0]), [Collider::sensor(square(0.1))]).unwrap();
    world.update();
    world.carry(lift, [0.0, 9.0]).unwrap();
    let movers: Vec<_> = world.passages().iter().map(|it| (it.mover, it.body)).collect();
    assert_eq!(movers, [(hero, high), (lift, high)]);

    let mut world = World::new();
    let wood = [Collider::new(square(1.0))];
    let wood = world.spawn(Body::moving([1.0, 0.0]).swept().pushable(), wood).unwrap();
    let plate = coin(&mut world, 5.0);
    let hero = world.spawn(Body::moving([0.0, 0.0]), [Collider::new(square(1.0))]).unwrap();
    let _ = world.travel(hero, [9.0, 0.0], |_| Response::Push(1)).unwrap();
    let movers: Vec<_> = world.passages().iter().map(|it| (it.mover, it.body)).collect();
    assert_eq!(movers, [(wood, plate)]);
}

#[test]
fn passages_are_part_of_snapshots_and_hashes() {
    let mut world = World::new();
    coin(&mut world, 3.0);
    let hero = hero(&mut world);
    let before = world.state_hash();
    let _ = fly(&mut world, hero, [8.0, 0.0]);
    let snapshot = world.clone();
    world.set_position(hero, [0.0, 0.0]).unwrap();
    assert_ne!(world.state_hash(), before);
    let mut restored = World::new();
    restored.clone_from(&snapshot);
    assert_eq!(restored.state_hash(), snapshot.state_hash());
    assert_eq!(restored.passages(), snapshot.passages());
    assert_eq!(restored.update().began().count(), 1);
}

#[test]
fn a_sensor_that_is_removed_after_it_was_passed_has_no_event() {
    let mut world = World::new();
    let coin = coin(&mut world, 3.0);
    let hero = hero(&mut world);
    let _ = fly(&mut world, hero, [8.0, 0.0]);
    world.remove_body(coin).unwrap();
    assert_eq!(world.update().iter().count(), 0);
    assert_eq!(world.update().iter().count(), 0);
}

/// Compares with an independent search, which places the body at many positions along its path.
#[test]
fn passages_agree_with_a_dense_sampling_of_the_path() {
    let cases = std::env::var("CAROM_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let (mut found, mut samples_inside) = (0, 0);
    for seed in 0..cases {
        let mut rng = Rng::new(seed);
        let mut world = World::new();
        let at = |rng: &mut Rng| [rng.signed() * 6.0, rng.signed() * 6.0];
        for _ in 0..4 {
            let wall = Aabb::from_center_half_size([0.0, 0.0], [0.5, 0.5]);
            world.spawn(Body::fixed(at(&mut rng)), [Collider::new(wall)]).unwrap();
        }
        for _ in 0..8 {
            let sensor = Collider::sensor(any_shape(&mut rng));
            world.spawn(Body::fixed(at(&mut rng)), [sensor]).unwrap();
        }
        let shape = any_shape(&mut rng);
        let hero = world.spawn(Body::moving(at(&mut rng)).swept(), [Collider::new(shape)]).unwrap();
        let own = world.colliders_of(hero).next().unwrap();
        let travel = fly(&mut world, hero, at(&mut rng));
        let passages: Vec<Passage> = world.passages().to_vec();
        assert!(passages.is_sorted_by(|a, b| a.time <= b.time), "seed {seed}");
        // The way, and the length of each of its pieces.
        let freed = travel.start + travel.push;
        let bends = travel.hits().iter().map(|hit| hit.position);
        let way: Vec<Vec2> =
            [travel.start, freed].into_iter().chain(bends).chain([travel.end]).collect();
        let whole: f32 = way.windows(2).map(|piece| (piece[1] - piece[0]).length()).sum();
        let mut first: std::collections::BTreeMap<ColliderKey, f32> = Default::default();
        let mut done = 0.0;
        for piece in way.windows(2) {
            let long = (piece[1] - piece[0]).length();
            for i in 0..=200 {
                let t = i as f32 / 200.0;
                world.set_position(hero, piece[0].lerp(piece[1], t)).unwrap();
                let shape = world.collider(own).unwrap().placed();
                for sensor in world.colliders().filter(|it| it.role() == Role::Sensor) {
                    if sensor.placed().overlaps(&shape) {
                        samples_inside += 1;
                        first.entry(sensor.key()).or_insert((done + long * t) / whole);
                    }
                }
            }
            done += long;
        }
        for (sensor, time) in &first {
            let passage = passages.iter().find(|it| it.other == *sensor);
            let passage = passage.unwrap_or_else(|| panic!("seed {seed}: {sensor} was missed"));
            let is_near = passage.time <= time + 1e-4 && passage.time >= time - 0.02;
            assert!(is_near, "seed {seed}: {} instead of {time}", passage.time);
        }
        found += passages.len();
    }
    assert!(found > cases as usize / 2 && samples_inside > 10 * cases, "{found}, {samples_inside}");
}
