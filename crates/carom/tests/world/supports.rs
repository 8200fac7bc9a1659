//! The supports of bodies: part of snapshots, saves and the state hash.

use carom::prelude::*;
use carom::world::Support;

/// Returns a lift with a hero on it that has walked once.
fn hero_on_a_lift() -> (World, BodyKey, BodyKey) {
    let mut world = World::new();
    let lift = world.add_body(Body::moving([0.0, 0.0])).unwrap();
    world.add_collider(lift, Collider::new(Aabb::new([-2.0, -0.5], [2.0, 0.0]))).unwrap();
    let hero = world.add_body(Body::moving([1.0, 0.0])).unwrap();
    world.add_collider(hero, Collider::new(Aabb::new([-0.5, 0.0], [0.5, 2.0]))).unwrap();
    let walk = world.walk(hero, &Walker::new(), &mut WalkerState::new(), [0.0, -0.1]).unwrap();
    assert!(walk.on_floor());
    (world, lift, hero)
}

#[test]
fn a_walk_records_the_support_of_the_body() {
    let (mut world, lift, hero) = hero_on_a_lift();
    assert_eq!(world.support(hero), Some(Support { body: lift, normal: Vec2::Y }));
    let mut state = WalkerState::new();
    let _ = world.walk(hero, &Walker::new(), &mut state, [0.0, 1.0]).unwrap();
    assert_eq!(world.support(hero), None);
}

#[test]
fn a_platform_carries_a_body_that_has_walked_onto_it() {
    let (mut world, lift, hero) = hero_on_a_lift();
    world.carry(lift, [0.5, 0.25]).unwrap();
    assert_eq!(world.body(hero).unwrap().pose.position, Vec2::new(1.5, 0.25));
}

#[test]
fn a_body_that_has_left_its_support_is_not_carried() {
    let (mut world, lift, hero) = hero_on_a_lift();
    world.set_position(hero, [1.0, 0.5]).unwrap();
    world.carry(lift, [0.5, 0.25]).unwrap();
    assert_eq!(world.body(hero).unwrap().pose.position, Vec2::new(1.0, 0.5));
    world.set_position(hero, [1.0, 0.25]).unwrap();
    world.set_support(hero, None).unwrap();
    world.carry(lift, [0.5, 0.0]).unwrap();
    assert_eq!(world.body(hero).unwrap().pose.position, Vec2::new(1.0, 0.25));
}

#[test]
fn supports_are_part_of_snapshots_and_hashes() {
    let (mut world, _, hero) = hero_on_a_lift();
    let snapshot = world.clone();
    world.set_support(hero, None).unwrap();
    assert_ne!(world.state_hash(), snapshot.state_hash());
    world.clone_from(&snapshot);
    assert_eq!(world.support(hero), snapshot.support(hero));
    assert_eq!(world.state_hash(), snapshot.state_hash());
}

#[cfg(feature = "serde")]
#[test]
fn a_loaded_world_carries_like_the_saved_one() {
    let (mut world, lift, hero) = hero_on_a_lift();
    let text = serde_json::to_string(&world).unwrap();
    let mut loaded: World = serde_json::from_str(&text).unwrap();
    assert_eq!(loaded.state_hash(), world.state_hash());
    for world in [&mut world, &mut loaded] {
        world.carry(lift, [0.5, 0.25]).unwrap();
    }
    assert_eq!(loaded.body(hero), world.body(hero));
}

#[test]
fn a_support_with_a_bad_normal_or_a_removed_body_is_refused() {
    let (mut world, lift, hero) = hero_on_a_lift();
    let support = Support { body: lift, normal: Vec2::new(f32::NAN, 1.0) };
    let error = world.set_support(hero, Some(support)).unwrap_err();
    assert!(error.to_string().contains("normal.x is NaN"), "{error}");
    world.remove_body(hero).unwrap();
    assert_eq!(world.set_support(hero, None), Err(WorldError::NoSuchBody(hero)));
    assert_eq!(world.support(hero), None);
}

#[test]
fn the_motion_of_a_support_lasts_from_the_carry_to_the_walk() {
    let mut world = World::new();
    let wheel = Collider::new(Aabb::new([-4.0, -0.5], [4.0, 0.0]));
    let wheel = world.spawn(Body::moving([0.0, 0.0]), [wheel]).unwrap();
    let square = || [Collider::new(Aabb::new([-0.5, 0.0], [0.5, 1.0]))];
    let hero = world.spawn(Body::moving([2.0, 0.0]), square()).unwrap();
    let cat = world.spawn(Body::moving([2.0, 1.0]), square()).unwrap();
    let (walker, mut state) = (Walker::new(), WalkerState::new());
    for body in [hero, cat] {
        let _ = world.walk(body, &walker, &mut WalkerState::new(), [0.0, -0.1]).unwrap();
    }
    assert_eq!(world.support_motion(hero), Vec2::ZERO);
    world.carry(wheel, [0.25, 0.5]).unwrap();
    world.carry(wheel, [0.25, -0.25]).unwrap();
    for body in [hero, cat] {
        assert_eq!(world.support_motion(body), Vec2::new(0.5, 0.25));
    }
    let copy = world.clone();
    assert_eq!(copy.support_motion(hero), Vec2::new(0.5, 0.25));
    let _ = world.walk(hero, &walker, &mut state, [0.0, -0.1]).unwrap();
    assert_eq!(world.support_motion(hero), Vec2::ZERO);
    assert_ne!(world.state_hash(), copy.state_hash());
    // A wheel that turns moves the point two units from its axle up.
    world.carry_to(wheel, Pose::new([0.5, 0.25], 0.01)).unwrap();
    let motion = world.support_motion(hero);
    assert!((motion - Vec2::new(0.0, 0.02)).length() < 1e-3, "{motion}");
    let _ = world.walk(hero, &walker, &mut state, [0.0, 1.0]).unwrap();
    assert_eq!(world.support_motion(hero), Vec2::ZERO);
}
