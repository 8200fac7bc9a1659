//! The features of the world (W). Each test name starts with the id of its feature; `tests/FEATURES.md` lists the
//! ids.

use carom::broad::{BruteForce, Mobility};
use carom::prelude::*;
use carom::sheet::Role;
use carom::world::{Event, EventKind, Rehit};

type Done = Result<(), WorldError>;

/// Returns a unit box around the origin of its body.
fn unit() -> Collider {
    Collider::new(Aabb::from_center_half_size([0.0, 0.0], [0.5, 0.5]))
}

fn put(world: &mut World, body: Body, collider: Collider) -> (BodyKey, ColliderKey) {
    let body = world.add_body(body).unwrap();
    (body, world.add_collider(body, collider).unwrap())
}

/// Updates the world and returns the kinds of the events.
fn kinds(world: &mut World) -> Vec<EventKind> {
    world.update().iter().map(|event| event.kind).collect()
}

#[test]
fn w1_a_body_carries_its_colliders_and_user_data() -> Done {
    let mut world = World::new();
    let hero = world.add_body(Body::moving([1.0, 2.0]).with_team(3).with_user_data(7).hidden())?;
    let feet = world.add_collider(hero, unit().with_tag(1).with_user_data(8))?;
    let head = world.add_collider(hero, Collider::sensor(Circle::new([0.0, 2.0], 0.5)))?;

    let body = world.body(hero).unwrap();
    assert_eq!((body.team, body.user_data, body.visible, body.enabled), (3, 7, false, true));
    assert_eq!(world.colliders_of(hero).collect::<Vec<_>>(), [head, feet]);
    let feet = world.collider(feet).unwrap();
    assert_eq!((feet.tag(), feet.user_data(), feet.role()), (1, 8, Role::Solid));
    assert_eq!((feet.body_key(), feet.body().team), (hero, 3));

    let quarter = core::f32::consts::FRAC_PI_2;
    world.set_pose(hero, Pose::new([10.0, 0.0], quarter).with_scale(2.0))?;
    let head = world.collider(head).unwrap();
    assert_eq!(head.placed().to_shape(), Circle::new([6.0, 0.0], 1.0).into());
    assert_eq!(**head.shape(), Circle::new([0.0, 2.0], 0.5).into());
    assert_eq!(head.bounds(), Aabb::new([5.0, -1.0], [7.0, 1.0]));

    world.set_team(hero, 4)?;
    world.set_visible(hero, true)?;
    world.set_user_data(hero, 9)?;
    let body = world.body(hero).unwrap();
    assert_eq!((body.team, body.visible, body.user_data), (4, true, 9));
    assert_eq!((world.body_count(), world.collider_count()), (1, 2));
    assert_eq!(world.remove_body(hero)?.user_data, 9);
    assert_eq!((world.body_count(), world.collider_count()), (0, 0));
    Ok(())
}

#[test]
fn w1_set_positions_agrees_with_set_position() -> Done {
    for count in (0..20).chain([100]) {
        let mut world = World::new();
        let mut bodies = Vec::new();
        for i in 0..count {
            let body = world.add_body(Body::moving([i as f32 * 3.0, 0.0]))?;
            (0..i % 3).try_for_each(|_| world.add_collider(body, unit()).map(drop))?;
            bodies.push(body);
        }
        bodies.reverse();
        // Some bodies occur twice: the last position counts.
        let moves = bodies.iter().chain(&bodies[..count / 2]).zip(1u16..);
        let moves = moves.map(|(&body, to)| (body, [f32::from(to), 5.0]));
        let mut one_by_one = world.clone();
        moves.clone().try_for_each(|(body, to)| one_by_one.set_position(body, to))?;
        world.set_positions(moves)?;
        assert_eq!(world.state_hash(), one_by_one.state_hash());
        let events = [&mut world, &mut one_by_one].map(|it| it.update().iter().collect::<Vec<_>>());
        assert_eq!(events[0], events[1]);
    }
    Ok(())
}

#[test]
fn w1_set_positions_leaves_out_invalid_bodies_only() -> Done {
    let mut world = World::new();
    let mut bodies: Vec<BodyKey> = Vec::new();
    for _ in 0..30 {
        bodies.push(world.add_body(Body::moving([0.0, 0.0]))?);
    }
    let to = |i: usize| [1.0, if i == 17 { f32::NAN } else { 0.0 }];
    let error = world.set_positions(bodies.iter().enumerate().map(|(i, &body)| (body, to(i))));
    assert!(matches!(error, Err(WorldError::BadPose(_))));
    let moved = bodies.iter().filter(|&&it| world.body(it).unwrap().pose.position.x == 1.0);
    assert!(moved.eq(bodies[..17].iter().chain(&bodies[18..])));

    world.remove_body(bodies[29])?;
    let error = world.set_positions(bodies.iter().map(|&body| (body, [2.0, 0.0])));
    assert_eq!(error, Err(WorldError::NoSuchBody(bodies[29])));
    assert!(world.bodies().all(|(_, body)| body.pose.position.x == 2.0));
    Ok(())
}

#[test]
fn w1_a_box_stays_an_aabb_at_quarter_turns() -> Done {
    let mut world = World::new();
    let (body, collider) = put(&mut world, Body::moving([5.0, 5.0]), unit());
    let kind = |world: &World| world.collider(collider).unwrap().placed().to_shape().kind();
    assert_eq!(kind(&world), "Aabb");
    world.set_angle(body, core::f32::consts::PI)?;
    assert_eq!(kind(&world), "Aabb");
    world.set_angle(body, 0.5)?;
    assert_eq!(kind(&world), "Obb");
    world.set_angle(body, 0.0)?;
    assert_eq!(world.collider(collider).unwrap().bounds(), Aabb::new([4.5, 4.5], [5.5, 5.5]));
    Ok(())
}

#[test]
fn w1_a_box_in_a_compound_stays_an_aabb_at_every_placement() -> Done {
    let legs = [[-1.0, 0.0], [0.5, 0.0]].map(|at| Aabb::from_min_size(at, [0.5, 2.0]));
    let table = || Compound::new(legs);
    // Moved by nothing, by its body, by the pose on the body, by both, and before it came.
    let quarter = core::f32::consts::FRAC_PI_2;
    for angle in [0.0, quarter, -quarter] {
        let pose = Pose::new([3.0, 4.0], angle);
        let back = pose.inverse();
        for (body, local, shape) in [
            (Pose::IDENTITY, pose, table()),
            (pose, Pose::IDENTITY, table()),
            (pose, pose, table().transformed(&back)),
            (Pose::IDENTITY, Pose::IDENTITY, table().transformed(&pose)),
        ] {
            let mut world = World::new();
            let collider = Collider::new(shape).at(local);
            let (_, key) = put(&mut world, Body::moving([0.0, 0.0]).with_pose(body), collider);
            let expected = Compound::new(legs.map(|leg| leg.transformed_bounds(&pose)));
            let placed = |world: &World| world.collider(key).unwrap().placed().to_shape();
            assert_eq!(placed(&world), Shape::from(expected));
            assert_eq!(placed(&world.clone()), placed(&world));
        }
    }
    Ok(())
}

#[test]
fn w1_both_masks_must_contain_the_others_layer() -> Done {
    let mut world = World::new();
    for name in ["player", "enemy"] {
        world.add_layer(name)?;
    }
    let (_, hero) =
        put(&mut world, Body::moving([0.0, 0.0]), unit().on_layer("player").with_mask("enemy"));
    let (_, foe) =
        put(&mut world, Body::moving([0.5, 0.0]), unit().on_layer("enemy").with_mask("enemy"));
    assert_eq!(kinds(&mut world), []);
    world.set_mask(foe, ["enemy", "player"])?;
    assert_eq!(kinds(&mut world), [EventKind::Began]);
    world.set_layers(hero, "enemy")?;
    assert_eq!(kinds(&mut world), [EventKind::Stayed]);
    world.set_mask(hero, Layers::NONE)?;
    assert_eq!(kinds(&mut world), [EventKind::Ended]);
    Ok(())
}

#[test]
fn w1_a_mask_with_one_of_several_layers_is_enough() -> Done {
    let mut world = World::new();
    let [water, ice, boat] = ["water", "ice", "boat"].map(|name| world.add_layer(name).unwrap());
    let lake = unit().on_layers(["water", "ice"]).with_mask("boat");
    let (_, lake) = put(&mut world, Body::moving([0.0, 0.0]), lake);
    let (_, ship) =
        put(&mut world, Body::moving([0.5, 0.0]), unit().on_layer("boat").with_mask("ice"));
    assert_eq!(world.collider(lake).unwrap().layers(), water | ice);
    assert_eq!(kinds(&mut world), [EventKind::Began]);
    world.set_layers(lake, [water, boat])?;
    assert_eq!(kinds(&mut world), [EventKind::Ended]);
    world.set_layers(lake, Layers::ALL)?;
    assert_eq!(kinds(&mut world), [EventKind::Began]);
    world.set_layers(ship, Layers::NONE)?;
    assert_eq!(kinds(&mut world), [EventKind::Ended]);
    let found = |layers: Layers| {
        let filter = Filter::new().layers(layers);
        world.at_point([0.25, 0.0], &filter).len()
    };
    assert_eq!([water.into(), boat.into(), Layers::ALL, Layers::NONE].map(found), [1, 1, 1, 0]);
    Ok(())
}

#[test]
fn w1_colliders_of_one_body_and_two_fixed_bodies_never_touch() -> Done {
    let mut world = World::new();
    let (body, _) = put(&mut world, Body::moving([0.0, 0.0]), unit());
    world.add_collider(body, unit())?;
    let (wall, _) = put(&mut world, Body::fixed([9.0, 0.0]), unit());
    put(&mut world, Body::fixed([9.0, 0.0]), unit());
    assert_eq!(kinds(&mut world), []);
    world.set_mobility(wall, Mobility::Moving)?;
    assert_eq!(kinds(&mut world), [EventKind::Began]);
    world.set_mobility(wall, Mobility::Fixed)?;
    assert_eq!(kinds(&mut world), [EventKind::Ended]);
    Ok(())
}

#[test]
fn w1_sensors_report_and_solids_have_contacts() -> Done {
    let mut world = World::new();
    let (crate_, _) = put(&mut world, Body::moving([0.0, 0.0]), unit());
    let (_, plate) = put(&mut world, Body::fixed([0.75, 0.0]), unit());
    let event = world.update().began().next().unwrap();
    let contact = event.seen_from(crate_).unwrap().contact.unwrap();
    assert_eq!((contact.push, contact.depth), (Vec2::new(-0.25, 0.0), 0.25));

    world.set_role(plate, Role::Sensor)?;
    let event = world.update().stayed().next().unwrap();
    assert_eq!(event.contact, None);
    Ok(())
}

#[test]
fn w2_events_are_immediate_and_ordered_by_key() -> Done {
    let mut world = World::new();
    let bodies: Vec<BodyKey> =
        (0..4).map(|i| put(&mut world, Body::moving([3.0 * i as f32, 0.0]), unit()).0).collect();
    assert!(world.update().is_empty());
    for &body in bodies.iter().rev() {
        world.set_position(body, [0.0, 0.0])?;
    }
    let pairs: Vec<[BodyKey; 2]> = world.update().began().map(|event| event.bodies).collect();
    let [a, b, c, d] = bodies[..] else { unreachable!() };
    assert_eq!(pairs, [[a, b], [a, c], [a, d], [b, c], [b, d], [c, d]]);

    world.remove_body(b)?;
    world.set_position(d, [9.0, 0.0])?;
    use EventKind::{Ended, Stayed};
    assert_eq!(kinds(&mut world), [Ended, Stayed, Ended, Ended, Ended, Ended]);
    assert_eq!(kinds(&mut world), [Stayed]);
    assert_eq!(world.touching_body(a).map(|event| event.bodies[1]).collect::<Vec<_>>(), [c]);
    Ok(())
}

#[test]
fn w2_exact_touch_is_an_event_and_a_tiny_gap_is_not() -> Done {
    let mut world = World::new();
    let (left, _) = put(&mut world, Body::moving([0.0, 0.0]), unit());
    put(&mut world, Body::fixed([1.0, 0.0]), unit());
    assert_eq!(kinds(&mut world), [EventKind::Began]);
    world.set_position(left, [-f32::EPSILON, 0.0])?;
    assert_eq!(kinds(&mut world), [EventKind::Ended]);
    Ok(())
}

#[test]
fn w2_every_way_to_end_a_contact_is_reported() -> Done {
    type Change = fn(&mut World, BodyKey, ColliderKey) -> Done;
    let changes: [Change; 6] = [
        |world, body, _| world.remove_body(body).map(|_| ()),
        |world, _, collider| world.remove_collider(collider),
        |world, body, _| world.set_enabled(body, false),
        |world, _, collider| world.set_collider_enabled(collider, false),
        |world, _, collider| world.set_role(collider, Role::Hurtbox),
        |world, _, collider| world.set_shape(collider, Circle::new([0.0, 0.0], 0.1)),
    ];
    for change in changes {
        let mut world = World::new();
        let (one, one_box) = put(&mut world, Body::moving([0.0, 0.0]), unit());
        let (other, other_box) = put(&mut world, Body::moving([0.9, 0.0]), unit());
        assert_eq!(kinds(&mut world), [EventKind::Began]);
        change(&mut world, other, other_box)?;
        assert_eq!(world.events().len(), 1, "the last events stay until the next update");
        let event = world.update().ended().next().unwrap();
        assert_eq!((event.bodies, event.colliders), ([one, other], [one_box, other_box]));
        assert_eq!(kinds(&mut world), []);
    }
    Ok(())
}

#[test]
fn w2_a_reused_slot_is_not_mistaken_for_the_removed_body() -> Done {
    let mut world = World::new();
    put(&mut world, Body::moving([0.0, 0.0]), unit());
    let (old_body, old) = put(&mut world, Body::moving([0.5, 0.0]), unit());
    world.update();
    world.remove_collider(old)?;
    world.remove_body(old_body)?;
    let (new_body, new) = put(&mut world, Body::moving([0.5, 0.0]), unit());
    assert!(old != new && old_body != new_body);
    assert_eq!(world.collider(old).map(|c| c.key()), None);
    let mut events: Vec<_> = world.update().iter().map(|e| (e.kind, e.bodies[1])).collect();
    events.sort_unstable();
    assert_eq!(events, [(EventKind::Began, new_body), (EventKind::Ended, old_body)]);
    Ok(())
}

#[test]
fn w2_a_contact_stays_when_a_shape_changes() -> Done {
    let mut world = World::new();
    let (_, fist) = put(&mut world, Body::moving([0.0, 0.0]), unit());
    put(&mut world, Body::moving([0.5, 0.0]), unit());
    world.update();
    world.set_shape(fist, Circle::new([0.0, 0.0], 0.25))?;
    assert_eq!(kinds(&mut world), [EventKind::Stayed]);
    assert_eq!(world.touching(fist).next().unwrap().contact.unwrap().depth, 0.25);
    Ok(())
}

#[test]
fn w5_queries_see_moves_since_the_last_update() -> Done {
    let mut world = World::new();
    let (ghost, collider) = put(&mut world, Body::moving([0.0, 0.0]), unit());
    world.update();
    world.set_position(ghost, [50.0, 0.0])?;
    let all = Filter::new();
    assert_eq!(world.at_point([0.0, 0.0], &all), []);
    assert_eq!(world.at_point([50.5, 0.5], &all), [collider]); // touching counts
    assert_eq!(world.intersecting_box(&Aabb::new([49.0, 0.0], [51.0, 1.0]), &all), [collider]);
    let bullet = Circle::new([0.0, 0.0], 0.5);
    let (hit, at) = world.sweep(&bullet, [98.0, 0.0], &all).unwrap();
    assert_eq!((hit, at.time), (collider, 0.5));
    assert_eq!(world.contacts(&bullet.translated([49.25, 0.0]), &all)[0].1.push.x, -0.25);
    world.set_enabled(ghost, false)?;
    assert_eq!(world.nearest([0.0, 0.0], 1, &all), []);
    Ok(())
}

#[test]
fn w5_filters_restrict_queries() -> Done {
    let mut world = World::new();
    let enemy = world.add_layer("enemy")?;
    let (hero, _) = put(&mut world, Body::moving([0.0, 0.0]).hidden(), unit());
    let (_, foe) = put(&mut world, Body::moving([0.0, 0.0]), unit().on_layer("enemy").with_tag(2));
    let (_, zone) = put(&mut world, Body::fixed([0.0, 0.0]), unit().with_role(Role::Sensor));
    let found = |filter: &Filter<'_>| world.at_point([0.0, 0.0], filter);
    assert_eq!(found(&Filter::new()).len(), 3);
    assert_eq!(found(&Filter::new().exclude(hero)), [foe, zone]);
    assert_eq!(found(&Filter::new().visible()), [foe, zone]);
    assert_eq!(found(&Filter::new().layers(enemy)), [foe]);
    assert_eq!(found(&Filter::new().roles([Role::Sensor])), [zone]);
    assert_eq!(found(&Filter::new().solid().exclude(hero)), [foe]);
    assert_eq!(found(&Filter::new().predicate(&|collider| collider.tag() == 2)), [foe]);
    Ok(())
}

#[test]
fn w6_a_restored_world_gives_the_same_keys_and_the_same_hash() -> Done {
    let mut world = World::new();
    let (body, _) = put(&mut world, Body::moving([0.0, 0.0]), unit());
    put(&mut world, Body::moving([0.5, 0.0]), unit());
    world.update();
    world.remove_body(body)?;
    let snapshot = world.clone();
    assert_eq!(snapshot.state_hash(), world.state_hash());

    let play = |world: &mut World| {
        let key = world.add_body(Body::moving([0.25, 0.0])).unwrap();
        world.add_collider(key, unit()).unwrap();
        (key, world.update().iter().collect::<Vec<Event>>(), world.state_hash())
    };
    let first = play(&mut world);
    world.clone_from(&snapshot);
    assert_eq!(play(&mut world), first);
    assert_ne!(first.2, snapshot.state_hash());
    Ok(())
}

#[test]
fn w6_every_part_of_the_state_is_in_the_hash() -> Done {
    type Change = fn(&mut World, BodyKey, ColliderKey) -> Done;
    let changes: [Change; 17] = [
        |world, body, _| world.translate(body, [1e-7, 0.0]),
        |world, body, _| world.set_angle(body, 1e-7),
        |world, body, _| world.set_enabled(body, false),
        |world, body, _| world.set_visible(body, false),
        |world, body, _| world.set_team(body, 1),
        |world, body, _| world.set_mobility(body, Mobility::Fixed),
        |world, _, collider| world.set_tag(collider, 1),
        |world, _, collider| world.set_role(collider, Role::Sensor),
        |world, _, collider| world.set_one_way(collider, Some(Vec2::Y)),
        |world, _, collider| world.set_rehit(collider, Rehit::AfterParting),
        |world, _, collider| world.set_rehit(collider, Rehit::AfterTicks(2)),
        |world, _, collider| world.set_local_pose(collider, Pose::new([0.0, 0.0], 0.5)),
        |world, _, collider| world.set_mask(collider, Layers::NONE),
        |world, _, collider| world.set_shape(collider, Circle::new([0.0, 0.0], 0.5)),
        |world, body, _| world.remove_body(body).map(|_| ()),
        |world, _, _| world.add_layer("fog").map(|_| ()),
        |world, _, _| {
            world.update();
            Ok(())
        },
    ];
    let mut world = World::new();
    let (body, collider) = put(&mut world, Body::moving([0.0, 0.0]), unit());
    let mut hashes = vec![world.state_hash()];
    for change in changes {
        let mut changed = world.clone();
        change(&mut changed, body, collider)?;
        hashes.push(changed.state_hash());
    }
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), changes.len() + 1);
    Ok(())
}

#[test]
fn the_broad_phase_can_be_replaced() -> Done {
    let mut world = World::new();
    put(&mut world, Body::moving([0.0, 0.0]), unit());
    put(&mut world, Body::moving([0.5, 0.0]), unit());
    world.update();
    let hash = world.state_hash();
    let mut world = world.with_broad_phase(BruteForce::new());
    assert_eq!(world.state_hash(), hash);
    assert_eq!(world.update().stayed().count(), 1);
    assert_eq!(world.at_point([0.25, 0.0], &Filter::new()).len(), 2);
    Ok(())
}

#[test]
fn worlds_are_send_and_sync() {
    fn check<T: Send + Sync>() {}
    check::<World>();
}
