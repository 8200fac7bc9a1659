//! Settings of bodies and colliders: changes that have no effect, poses on bodies, hidden bodies, free positions.

use carom::prelude::*;
use carom::sheet::{Frame, Role, Sheet};
use carom::world::{Layer, Rehit};

fn unit() -> Collider {
    Collider::new(Aabb::new([0.0, 0.0], [1.0, 1.0]))
}

#[test]
fn setting_an_equal_value_is_no_change() {
    let mut world = World::new();
    let pose = Pose::new([1.0, 2.0], 0.5);
    let body =
        world.spawn(Body::moving([0.0, 0.0]).with_pose(pose).with_team(3), [unit()]).unwrap();
    let key = world.colliders_of(body).next().unwrap();
    world.update();
    let hash = world.state_hash(); // covers which colliders have changed
    world.set_pose(body, pose).unwrap();
    world.set_position(body, [1.0, 2.0]).unwrap();
    world.set_enabled(body, true).unwrap();
    world.set_visible(body, true).unwrap();
    world.set_team(body, 3).unwrap();
    world.set_mobility(body, carom::broad::Mobility::Moving).unwrap();
    world.set_shape(key, Aabb::new([0.0, 0.0], [1.0, 1.0])).unwrap();
    world.set_role(key, Role::Solid).unwrap();
    world.set_collider_enabled(key, true).unwrap();
    world.set_one_way(key, None).unwrap();
    world.set_rehit(key, Rehit::PerSwing).unwrap();
    world.set_local_pose(key, Pose::IDENTITY).unwrap();
    world.set_angle(body, 0.5).unwrap();
    world.translate(body, [0.0, 0.0]).unwrap();
    world.set_positions([(body, [1.0, 2.0])]).unwrap();
    world.set_layers(key, "default").unwrap();
    world.set_mask(key, Layers::ALL).unwrap();
    world.set_tag(key, 0).unwrap();
    world.set_support(body, None).unwrap();
    world.clear_frame(body).unwrap();
    world.set_hidden_bodies_collide(true);
    world.set_max_pairs(world.max_pairs());
    world.set_strike_rules(Default::default());
    assert_eq!(world.state_hash(), hash);
    world.set_role(key, Role::Sensor).unwrap();
    assert_ne!(world.state_hash(), hash);
}

#[test]
fn set_positions_moves_all_valid_bodies() {
    let mut world = World::new();
    let keys: Vec<BodyKey> =
        (0..30).map(|_| world.add_body(Body::moving([0.0, 0.0])).unwrap()).collect();
    world.remove_body(keys[4]).unwrap();
    world.remove_body(keys[20]).unwrap();
    let result = world.set_positions(keys.iter().map(|&key| (key, [1.0, 0.0])));
    assert_eq!(result, Err(WorldError::NoSuchBody(keys[4])));
    assert!(world.bodies().all(|(_, body)| body.pose.position == Vec2::X));
}

#[test]
fn a_layer_with_a_name_never_gets_a_number_that_is_in_use() {
    let mut world = World::new();
    let enemy = world.add_layer("enemy").unwrap();
    assert_eq!(enemy, Layer::new(1));
    let bullet = Collider::new(Circle::new([0.0, 0.0], 1.0)).on_layer(Layer::new(3));
    let body = world.spawn(Body::moving([0.0, 0.0]), [bullet]).unwrap();
    assert_eq!(world.add_layer("coin"), Ok(Layer::new(2)));
    let error = world.add_layer("wall").unwrap_err();
    assert_eq!(error, WorldError::LayerInUse { name: "wall".into(), number: 3 });
    let message = "cannot add layer `wall`: colliders are on layer 3 already, which has no name; \
                   add the layers that have names first";
    assert_eq!(error.to_string(), message);
    assert_eq!(world.layer_names(), ["default", "enemy", "coin"]);
    world.remove_body(body).unwrap();
    assert_eq!(world.add_layer("wall"), Ok(Layer::new(3)));
}

#[test]
fn a_layer_has_a_name() {
    let mut world = World::new();
    let error = world.add_layer("").unwrap_err();
    assert_eq!(error, WorldError::EmptyLayerName);
    assert_eq!(error.to_string(), "the name of a layer is empty");
    assert_eq!(world.layer_names(), ["default"]);
}

#[test]
fn the_same_calls_yield_the_same_keys_in_every_world() {
    let keys = || {
        let mut world = World::new();
        let first = world.spawn(Body::moving([0.0, 0.0]), [unit()]).unwrap();
        world.remove_body(first).unwrap();
        let second = world.spawn(Body::moving([0.0, 0.0]), [unit()]).unwrap();
        (first, second, world.colliders_of(second).next().unwrap())
    };
    assert_eq!(keys(), keys());
}

#[test]
fn a_new_walker_state_is_the_default_one() {
    assert_eq!(WalkerState::default(), WalkerState::new());
}

#[test]
fn spawn_adds_all_or_nothing() {
    let mut world = World::new();
    let colliders = [unit(), unit().on_layer("no such layer")];
    assert!(world.spawn(Body::moving([0.0, 0.0]), colliders).is_err());
    assert_eq!((world.body_count(), world.collider_count()), (0, 0));
}

#[test]
fn a_box_that_was_removed_by_hand_comes_back_with_its_frame() {
    let mut world = World::new();
    let frame = Frame::new("idle").hurtbox("body", Circle::new([0.0, 0.0], 1.0));
    let sheet = world.add_sheet(Sheet::from_frames([frame]).unwrap()).unwrap();
    let hero = world.add_body(Body::moving([0.0, 0.0])).unwrap();
    world.set_frame(hero, sheet, "idle").unwrap();
    let first = world.box_of(hero, "body").unwrap();
    world.set_frame(hero, sheet, "idle").unwrap();
    assert_eq!(world.box_of(hero, "body"), Some(first));
    world.remove_collider(first).unwrap();
    assert_eq!(world.box_of(hero, "body"), None);
    world.set_frame(hero, sheet, "idle").unwrap();
    assert!(world.box_of(hero, "body").is_some());
    assert_eq!(world.collider_count(), 1);
}

#[test]
fn a_collider_keeps_its_pose_on_the_body() {
    let mut world = World::new();
    let tank = world.add_body(Body::moving([10.0, 0.0])).unwrap();
    let barrel =
        Collider::new(Obb::new([1.0, 0.0], [1.0, 0.25], 0.0)).at(Pose::new([0.0, 1.0], 0.5));
    let barrel = world.add_collider(tank, barrel).unwrap();
    let expected = |pose: Pose, angle: f32| {
        let on_body =
            Obb::new([1.0, 0.0], [1.0, 0.25], 0.0).transformed(&Pose::new([0.0, 1.0], angle));
        on_body.transformed(&pose).bounds()
    };
    let near = |a: Aabb, b: Aabb| {
        assert!((a.min() - b.min()).length() < 1e-5 && (a.max() - b.max()).length() < 1e-5);
    };
    let pose = Pose::new([3.0, 4.0], 0.25);
    world.set_pose(tank, pose).unwrap();
    near(world.collider(barrel).unwrap().bounds(), expected(pose, 0.5));
    // Many turns accumulate no error: each applies to the original shape.
    for i in 0..1000 {
        world.set_local_pose(barrel, Pose::new([0.0, 1.0], i as f32)).unwrap();
    }
    world.set_local_pose(barrel, Pose::new([0.0, 1.0], 0.75)).unwrap();
    near(world.collider(barrel).unwrap().bounds(), expected(pose, 0.75));
    // A new shape gets the same pose.
    world.set_shape(barrel, Circle::new([2.0, 0.0], 0.5)).unwrap();
    let center = pose.transform_point(Pose::new([0.0, 1.0], 0.75).transform_point([2.0, 0.0]));
    near(world.collider(barrel).unwrap().bounds(), Circle::new(center, 0.5).bounds());
    world.set_local_pose(barrel, Pose::IDENTITY).unwrap();
    assert_eq!(**world.collider(barrel).unwrap().shape(), Circle::new([2.0, 0.0], 0.5).into());
}

#[test]
fn hidden_bodies_collide_unless_the_classic_rule_is_set() {
    let mut world = World::new();
    let hero = world.spawn(Body::moving([0.0, 0.0]), [unit()]).unwrap();
    let ghost = world.spawn(Body::moving([0.5, 0.0]).hidden(), [unit()]).unwrap();
    assert_eq!(world.update().began().count(), 1);
    world.set_hidden_bodies_collide(false);
    assert_eq!(world.update().ended().count(), 1);
    assert_eq!(world.at_point([1.25, 0.5], &Filter::new()), []);
    world.translate(ghost, [0.125, 0.0]).unwrap();
    assert_eq!(world.update().len(), 0);
    world.set_visible(ghost, true).unwrap();
    assert_eq!(world.update().began().count(), 1);
    world.set_visible(hero, false).unwrap();
    assert_eq!(world.update().ended().count(), 1);
}

#[test]
fn a_free_place_overlaps_nothing() {
    let mut world = World::new();
    let mut rng = crate::support::rng::Rng::new(7);
    for _ in 0..60 {
        let place = [rng.signed() * 10.0, rng.signed() * 10.0];
        world.spawn(Body::fixed(place), [Collider::new(Circle::new([0.0, 0.0], 1.0))]).unwrap();
    }
    let (filter, mut moved) = (Filter::new(), 0);
    for _ in 0..200 {
        let at = Vec2::new(rng.signed(), rng.signed()) * 10.0;
        let shape = Aabb::from_center_half_size(at, [0.5, 0.75]);
        let offset = world.find_free_place(&shape, 30.0, &filter).unwrap();
        assert!(world.is_free(&shape.translated(offset), &filter));
        assert_eq!(offset == Vec2::ZERO, world.overlapping(&shape, &filter).is_empty());
        moved += usize::from(offset != Vec2::ZERO);
    }
    assert!(moved > 50, "{moved}");
    let all = Aabb::new([-20.0, -20.0], [20.0, 20.0]);
    world.spawn(Body::fixed([0.0, 0.0]), [Collider::new(all)]).unwrap();
    assert_eq!(world.find_free_place(&Circle::new([0.0, 0.0], 1.0), 5.0, &filter), None);
}
