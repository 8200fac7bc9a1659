//! Invalid input to a world: every case has a defined outcome, and the world stays usable.

use carom::prelude::*;
use carom::sheet::Role;
use carom::world::Layer;

fn unit() -> Collider {
    Collider::new(Aabb::from_center_half_size([0.0, 0.0], [0.5, 0.5]))
}

#[test]
fn a_stale_key_is_an_error_everywhere() {
    let mut world = World::new();
    let body = world.add_body(Body::moving([0.0, 0.0])).unwrap();
    let collider = world.add_collider(body, unit()).unwrap();
    world.remove_body(body).unwrap();
    // Another body reuses the slot.
    let other = world.add_body(Body::moving([1.0, 0.0])).unwrap();
    world.add_collider(other, unit()).unwrap();
    let before = world.state_hash();

    let gone = Err(WorldError::NoSuchBody(body));
    assert_eq!(world.set_pose(body, Pose::IDENTITY), gone);
    assert_eq!(world.set_position(body, [0.0, 0.0]), gone);
    assert_eq!(world.set_angle(body, 0.0), gone);
    assert_eq!(world.translate(body, [0.0, 0.0]), gone);
    assert_eq!(world.set_enabled(body, false), gone);
    assert_eq!(world.set_visible(body, false), gone);
    assert_eq!(world.set_team(body, 1), gone);
    assert_eq!(world.set_user_data(body, 1), gone);
    assert_eq!(world.remove_body(body), Err(WorldError::NoSuchBody(body)));
    assert_eq!(world.add_collider(body, unit()), Err(WorldError::NoSuchBody(body)));
    let gone = Err(WorldError::NoSuchCollider(collider));
    assert_eq!(world.remove_collider(collider), gone);
    assert_eq!(world.set_shape(collider, Circle::new([0.0, 0.0], 1.0)), gone);
    assert_eq!(world.set_layers(collider, Layer::new(1)), gone);
    assert_eq!(world.set_mask(collider, Layers::NONE), gone);
    assert_eq!(world.set_role(collider, Role::Sensor), gone);
    assert_eq!(world.set_tag(collider, 1), gone);
    assert_eq!(world.set_collider_enabled(collider, false), gone);
    assert_eq!(world.set_collider_user_data(collider, 1), gone);
    assert!(world.body(body).is_none() && world.collider(collider).is_none());
    assert_eq!(world.colliders_of(body).count(), 0);
    assert_eq!(world.touching(collider).count() + world.touching_body(body).count(), 0);
    assert_eq!(world.state_hash(), before, "nothing has changed");

    let error = WorldError::NoSuchBody(body).to_string();
    assert_eq!(error, "body 0 does not exist in this world, or has been removed");
    for bits in [0, 1, u64::MAX, 1 << 32, u64::from(u32::MAX)] {
        world.body(BodyKey::from_bits(bits)); // any number is accepted
        world.collider(ColliderKey::from_bits(bits));
    }
}

#[test]
fn an_invalid_pose_leaves_the_body_in_place() {
    let mut world = World::new();
    let body = world.add_body(Body::moving([1.0, 2.0])).unwrap();
    world.add_collider(body, unit()).unwrap();
    let before = world.state_hash();
    let bad = [
        Pose::from_translation([f32::NAN, 0.0]),
        Pose::from_translation([0.0, f32::INFINITY]),
        Pose::IDENTITY.with_scale(0.0),
        Pose::IDENTITY.with_scale(-1.0),
        Pose::IDENTITY.with_scale(f32::NAN),
    ];
    for pose in bad {
        assert!(matches!(world.set_pose(body, pose), Err(WorldError::BadPose(_))), "{pose:?}");
        let refused = world.add_body(Body::moving([0.0, 0.0]).with_pose(pose));
        assert!(matches!(refused, Err(WorldError::BadPose(_))), "{pose:?}");
    }
    assert!(world.translate(body, [f32::NAN, 0.0]).is_err());
    assert!(world.set_position(body, [f32::NEG_INFINITY, 0.0]).is_err());
    let error = world.set_angle(body, f32::NAN).unwrap_err();
    assert_eq!(error.to_string(), "bad pose: angle is NaN; it must be a finite number");
    let error = world.set_pose(body, Pose::IDENTITY.with_scale(-2.0)).unwrap_err();
    assert_eq!(error.to_string(), "bad pose: scale is -2; it must be greater than 0");
    assert_eq!(world.state_hash(), before);
}

#[test]
fn a_box_without_size_is_rejected() {
    let error = Aabb::try_new([1.0, 1.0], [1.0, 2.0]).unwrap_err();
    assert_eq!(error, ShapeError::NotPositive { field: "max.x - min.x", value: 0.0 });
}

#[test]
fn a_box_that_shrinks_to_nothing_far_away_still_touches() {
    let mut world = World::new();
    for _ in 0..2 {
        let body = world.add_body(Body::moving([1e30, -1e30])).unwrap();
        world.add_collider(body, unit()).unwrap();
    }
    assert_eq!(world.update().began().count(), 1);
}

#[test]
fn an_unknown_layer_error_lists_the_known_layers() {
    let mut world = World::new();
    world.add_layer("enemy").unwrap();
    let body = world.add_body(Body::moving([0.0, 0.0])).unwrap();
    let error = world.add_collider(body, unit().on_layer("enmy")).unwrap_err();
    let known = vec!["default".into(), "enemy".into()];
    assert_eq!(error, WorldError::UnknownLayer { name: "enmy".into(), known });
    assert!(error.to_string().contains("did you mean `enemy`?"), "{error}");
    assert!(world.add_collider(body, unit().with_mask(["enemy", "wal"])).is_err());
    assert_eq!(world.collider_count(), 0);

    for i in 2..Layers::MAX {
        world.add_layer(&format!("layer {i}")).unwrap();
    }
    let error = world.add_layer("one more").unwrap_err();
    assert_eq!(error, WorldError::TooManyLayers { name: "one more".into() });
    assert!(world.add_layer("enemy").is_ok(), "it is there already");
}

#[test]
fn coordinates_of_any_size_work() {
    let mut world = World::new();
    for far in [1e30, -1e30, f32::MAX, f32::MIN, 0.0] {
        let body = world.add_body(Body::moving([far, far])).unwrap();
        world.add_collider(body, Collider::new(Circle::new([0.0, 0.0], 1e29))).unwrap();
        world.add_collider(body, Collider::new(Obb::new([0.0, 0.0], [1e30, 1.0], 0.5))).unwrap();
    }
    world.update();
    let bodies: Vec<BodyKey> = world.bodies().map(|(key, _)| key).collect();
    for &body in &bodies {
        world.translate(body, [f32::MAX, f32::MAX]).unwrap();
        let position = world.body(body).unwrap().pose.position;
        assert!(position.is_finite());
    }
    // All but one are at f32::MAX by now, and touch.
    world.update();
    assert!(world.touching_body(bodies[0]).count() > 0);
    let sight = Ray::new([f32::MIN, 0.0], [1.0, 1e-3], f32::INFINITY);
    world.raycast_all(&sight, &Filter::new());
    assert_eq!(world.nearest([0.0, 0.0], 100, &Filter::new()).len(), 10);
}

#[test]
fn non_finite_queries_find_nothing() {
    let mut world = World::new();
    let body = world.add_body(Body::moving([0.0, 0.0])).unwrap();
    world.add_collider(body, unit()).unwrap();
    let all = Filter::new();
    assert_eq!(world.at_point([f32::NAN, 0.0], &all), []);
    assert_eq!(world.nearest([0.0, f32::INFINITY], 1, &all), []);
    let ball = Circle::new([-9.0, 0.0], 1.0);
    assert_eq!(world.sweep(&ball, [f32::NAN, 0.0], &all), None);
    assert_eq!(world.sweep_all(&ball, [f32::INFINITY, 0.0], &all), []);
}

#[test]
fn a_million_colliders_at_one_point_exceed_the_pair_limit() {
    let mut world = World::new();
    let shape: std::sync::Arc<Shape> = Circle::new([0.0, 0.0], 1.0).into();
    let mut bodies = Vec::new();
    for i in 0..1_000_000 {
        let body = world.add_body(Body::moving([i as f32 * 4.0, 0.0])).unwrap();
        world.add_collider(body, Collider::new(shape.clone())).unwrap();
        bodies.push(body);
        if i == 1 {
            world.translate(body, [-3.0, 0.0]).unwrap();
            assert_eq!(world.update().began().count(), 1);
        }
    }
    for &body in &bodies {
        world.set_position(body, [3.0, 4.0]).unwrap();
    }
    let error = world.try_update().unwrap_err();
    assert_eq!(error, WorldError::TooManyPairs { limit: 1 << 24 });
    assert!(world.events().is_empty());
    assert_eq!(world.touching_body(bodies[0]).count(), 1, "what touched still does");
    assert_eq!(world.at_point([3.0, 4.0], &Filter::new()).len(), bodies.len());

    // After most of them are removed, updates succeed again.
    for &body in &bodies[100..] {
        world.remove_body(body).unwrap();
    }
    let events = world.update();
    assert_eq!((events.began().count(), events.stayed().count()), (100 * 99 / 2 - 1, 1));
}
