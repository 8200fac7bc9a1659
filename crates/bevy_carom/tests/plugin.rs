//! The plugin in an app without a window. Each update runs one fixed step of 1/64 s.

mod support;

use std::f32::consts::FRAC_PI_2;
use std::time::Duration;

use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_carom::{BodyDisabled, CaromWorld, ColliderDisabled, InvalidComponent, SpawnOrder};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::message::MessageCursor;
use bevy_ecs::prelude::*;
use bevy_ecs::system::RunSystemOnce;
use bevy_math::{Quat, Vec2, Vec3};
use bevy_time::TimeUpdateStrategy;
use bevy_transform::prelude::*;
use carom::shape::{Aabb, Circle};
use support::*;

fn hill() -> TileMap {
    let rows = ["################", "......../###...."]; // the first row is the lowest
    let kinds = [('#', TileKind::SOLID), ('/', TileKind::slope(0.0, 1.0, [0.0, 1.0]))];
    TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &rows, &kinds)
}

#[test]
fn a_walker_lands_on_tiles_and_walks_up_a_hill() {
    let mut app = app();
    let (mut landed, mut left) = (MessageCursor::default(), MessageCursor::default());
    let level = app.world_mut().spawn((Body::Fixed, Collider::tiles(hill()))).id();
    let hero =
        app.world_mut().spawn((Walker::default(), Collider::capsule(0.4, 0.8), at(2.0, 3.0))).id();

    steps(&mut app, 2);
    assert!(footing(&app, hero).floor.is_none());
    let mut landings = Vec::new();
    for _ in 0..64 {
        app.update();
        landings.extend(read::<Landed>(&app, &mut landed));
    }
    assert_eq!(landings.len(), 1);
    assert_eq!((landings[0].entity, landings[0].floor), (hero, level));
    assert_eq!(footing(&app, hero).floor, Some(level));
    assert_eq!(footing(&app, hero).normal, Vec2::Y);
    assert!((position(&app, hero) - Vec2::new(2.0, 1.8)).length() <= 1e-6);

    // At rest, nothing changes, not even the last bit.
    let rest = position(&app, hero);
    steps(&mut app, 64);
    assert_eq!(position(&app, hero), rest);
    assert_eq!(app.world().get::<Transform>(hero).unwrap().translation.z, 5.0);

    for _ in 0..128 {
        app.world_mut().get_mut::<Velocity>(hero).unwrap().0.x = 4.0;
        app.update();
        assert!(footing(&app, hero).on_floor());
    }
    assert!(position(&app, hero).x > 9.0 && (position(&app, hero).y - 2.8).abs() < 1e-5);
    assert!(read::<LeftFloor>(&app, &mut left).is_empty());
}

#[derive(Resource, Default)]
struct Seen(Vec<(&'static str, Entity)>);

#[test]
fn touches_of_a_sensor_are_reported_even_for_despawned_entities() {
    let mut app = app();
    app.init_resource::<Seen>();
    let (mut starts, mut ends) = (MessageCursor::default(), MessageCursor::default());
    let plate = app.world_mut().spawn((Collider::circle(2.0), Role::Sensor)).id();
    app.world_mut()
        .entity_mut(plate)
        .observe(|touch: On<TouchBegan>, mut seen: ResMut<Seen>| {
            assert!(touch.contact.is_none());
            seen.0.push(("began", touch.other));
        })
        .observe(|touch: On<TouchEnded>, mut seen: ResMut<Seen>| {
            seen.0.push(("ended", touch.other));
        });
    let ball = (Mover::Free, Velocity(Vec2::new(64.0, 0.0)), Collider::circle(0.5), at(-4.0, 0.0));
    let ball = app.world_mut().spawn(ball).id();

    steps(&mut app, 1); // at -3
    assert!(began(&app, &mut starts).is_empty());
    steps(&mut app, 2); // at -1
    assert_eq!(began(&app, &mut starts), [[plate, ball], [ball, plate]]);
    app.world_mut().despawn(ball);

    // Frames without a fixed step lose nothing.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    steps(&mut app, 5);
    assert!(ended(&app, &mut ends).is_empty());
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));

    // The freed entity index may be reused at once; the end of the touch still names the old entity.
    let other = app.world_mut().spawn((Body::Moving, Collider::circle(0.5), at(1.0, 0.0))).id();
    steps(&mut app, 1);
    assert_eq!(ended(&app, &mut ends), [[plate, ball], [ball, plate]]);
    assert_eq!(began(&app, &mut starts), [[plate, other], [other, plate]]);
    assert!(!app.world().entities().contains(ball));
    let mut seen = std::mem::take(&mut app.world_mut().resource_mut::<Seen>().0);
    seen[1..].sort_unstable();
    assert_eq!(seen, [("began", ball), ("began", other), ("ended", ball)]);
}

#[test]
fn a_walker_leaves_the_floor_by_jumping_and_when_the_floor_is_despawned() {
    let mut app = app();
    app.init_resource::<Seen>();
    let mut left = MessageCursor::default();
    let floor = (Body::Fixed, Collider::rectangle(8.0, 1.0), at(0.0, -0.5));
    let floor = app.world_mut().spawn(floor).id();
    let hero = (Walker::default(), Collider::rectangle(1.0, 1.0), at(0.0, 0.5));
    let hero = app.world_mut().spawn(hero).id();
    app.world_mut().entity_mut(hero).observe(|left: On<LeftFloor>, mut seen: ResMut<Seen>| {
        seen.0.push(("left", left.entity));
    });
    let mut count = |app: &App| read::<LeftFloor>(app, &mut left).len();
    steps(&mut app, 1);
    assert_eq!((footing(&app, hero).floor, count(&app)), (Some(floor), 0));

    app.world_mut().get_mut::<Velocity>(hero).unwrap().0.y = 4.0;
    steps(&mut app, 1);
    assert_eq!((footing(&app, hero).floor, count(&app)), (None, 1));
    steps(&mut app, 30);
    assert_eq!((footing(&app, hero).floor, count(&app)), (Some(floor), 0));

    app.world_mut().despawn(floor);
    steps(&mut app, 1);
    assert_eq!((footing(&app, hero).floor, count(&app)), (None, 1));
    assert_eq!(app.world().resource::<Seen>().0, [("left", hero); 2]);
}

#[test]
fn what_an_observer_despawns_while_bodies_move_does_not_begin_to_touch() {
    let mut app = app();
    let (mut hits, mut starts) = (MessageCursor::default(), MessageCursor::default());
    let brick = (Body::Fixed, Collider::rectangle(1.0, 1.0), at(1.9, 0.0));
    let brick = app.world_mut().spawn(brick).id();
    let bullet = (Mover::Stop, Velocity(Vec2::new(64.0, 0.0)), Collider::circle(0.5));
    app.world_mut().spawn(bullet).observe(|hit: On<MoverHit>, mut commands: Commands| {
        commands.entity(hit.other).despawn();
    });
    steps(&mut app, 1);
    assert_eq!(read::<MoverHit>(&app, &mut hits).len(), 1);
    assert!(!app.world().entities().contains(brick));
    assert!(began(&app, &mut starts).is_empty());
}

#[test]
fn a_squashed_body_is_reported_with_its_platform_and_may_be_despawned() {
    let mut app = app();
    let (mut squashed, mut ends) = (MessageCursor::default(), MessageCursor::default());
    let press = (Mover::Platform, Velocity(Vec2::new(0.0, -16.0)), Collider::rectangle(4.0, 1.0));
    let press = app.world_mut().spawn((press, at(0.0, 2.0))).id();
    let floor = app.world_mut().spawn((Body::Fixed, Collider::rectangle(8.0, 1.0), at(0.0, -0.5)));
    let floor = floor.id();
    let hero = (Walker::default(), Collider::rectangle(1.0, 1.0), at(0.0, 0.5));
    let hero = app.world_mut().spawn(hero).id();
    app.world_mut().entity_mut(hero).observe(|squashed: On<Squashed>, mut commands: Commands| {
        commands.entity(squashed.entity).despawn();
    });
    let mut reports = Vec::new();
    steps(&mut app, 1);
    ended(&app, &mut ends);
    for _ in 0..8 {
        app.update();
        let squashed: Vec<Squashed> = read(&app, &mut squashed);
        let ended = ended(&app, &mut ends);
        // The touches of the despawned hero end in the same step.
        assert_eq!(ended.contains(&[hero, floor]), !squashed.is_empty());
        reports.extend(squashed.iter().map(|it| [it.entity, it.platform]));
    }
    assert_eq!(reports, [[hero, press]]);
    assert!(!app.world().entities().contains(hero));
}

#[test]
fn a_child_collider_belongs_to_the_nearest_body_above() {
    let mut app = app();
    app.init_resource::<Seen>();
    let mut starts = MessageCursor::default();
    let world = app.world_mut();
    let body = (Mover::Free, Velocity(Vec2::new(64.0, 0.0)), at(10.0, 0.0));
    let body = world.spawn(body).id();
    let arm = world.spawn((at(1.0, 0.0), ChildOf(body))).id();
    let hand = world.spawn((Collider::rectangle(1.0, 0.5), at(1.0, 0.0), ChildOf(arm))).id();
    let other = world.spawn((Body::Moving, at(0.0, 20.0))).id();
    let wall = world.spawn((Body::Fixed, Collider::circle(0.5), at(14.0, 0.0))).id();
    world.entity_mut(body).observe(|touch: On<TouchBegan>, mut seen: ResMut<Seen>| {
        seen.0.push(("began", touch.other)); // triggered on the hand, from where it propagates
    });

    steps(&mut app, 1); // the body is at 11
    assert_eq!(colliders_at(&mut app, 13.5, 0.0), [hand, wall]);
    assert_eq!(began(&app, &mut starts), [[hand, wall], [wall, hand]]);
    assert_eq!(app.world().resource::<Seen>().0, [("began", wall)]);

    // The hand rotates with the body; quarter turns are exact.
    app.world_mut().get_mut::<Velocity>(body).unwrap().0 = Vec2::ZERO;
    app.world_mut().get_mut::<Transform>(body).unwrap().rotation = Quat::from_rotation_z(FRAC_PI_2);
    steps(&mut app, 1);
    assert_eq!(colliders_at(&mut app, 11.25, 2.5), [hand]);
    assert_eq!(colliders_at(&mut app, 11.26, 2.5), []);

    // It moves with the arm.
    app.world_mut().get_mut::<Transform>(arm).unwrap().translation.x = 3.0;
    steps(&mut app, 1);
    assert_eq!(colliders_at(&mut app, 11.0, 4.25), [hand]);
    assert_eq!(colliders_at(&mut app, 11.0, 2.5), []);

    // It can be given to another body. Without a body above it, it gets one of its own.
    app.world_mut().entity_mut(hand).insert(ChildOf(other));
    steps(&mut app, 1);
    assert_eq!(colliders_at(&mut app, 1.0, 20.0), [hand]);
    app.world_mut().entity_mut(hand).remove::<ChildOf>();
    app.world_mut().despawn(other);
    steps(&mut app, 1);
    assert_eq!(colliders_at(&mut app, 1.0, 0.0), [hand]);
    assert_eq!(app.world().get::<Body>(hand), Some(&Body::Fixed));
    app.world_mut().entity_mut(hand).insert(ChildOf(arm));
    steps(&mut app, 1);
    assert!(app.world().get::<Body>(hand).is_none()); // the implicit body is gone
    assert_eq!(colliders_at(&mut app, 11.0, 4.25), [hand]);
    app.world_mut().despawn(body);
    steps(&mut app, 1);
    let collisions = app.world().resource::<CaromWorld>().get();
    assert_eq!((collisions.body_count(), collisions.collider_count()), (1, 1)); // the wall
}

#[test]
fn a_negative_scale_flips_the_colliders_of_a_body() {
    let mut app = app();
    let foot = Collider::new(Aabb::new([0.0, 0.0], [2.0, 1.0]));
    let body = app.world_mut().spawn((Body::Moving, foot, at(10.0, 0.0))).id();
    steps(&mut app, 1);
    assert_eq!(colliders_at(&mut app, 12.0, 1.0), [body]);
    app.world_mut().get_mut::<Transform>(body).unwrap().scale.x = -1.0;
    steps(&mut app, 1);
    assert_eq!(colliders_at(&mut app, 12.0, 1.0), []);
    assert_eq!(colliders_at(&mut app, 8.0, 1.0), [body]);
    app.world_mut().get_mut::<Transform>(body).unwrap().scale = Vec3::new(2.0, -2.0, 1.0);
    steps(&mut app, 1);
    assert_eq!(colliders_at(&mut app, 14.0, -2.0), [body]);
    assert_eq!(colliders_at(&mut app, 8.0, 1.0), []);
}

#[test]
fn a_scale_that_is_not_uniform_stretches_and_is_reported_for_capsules() {
    let mut app = app();
    let mut invalid = MessageCursor::default();
    let stretched = at(10.0, 0.0).with_scale(Vec3::new(4.0, 1.0, 1.0));
    let plank = app.world_mut().spawn((Collider::rectangle(1.0, 1.0), stretched)).id();
    let egg = app.world_mut().spawn((Collider::circle(1.0), stretched)).id();
    let pill = app.world_mut().spawn((Collider::capsule(1.0, 1.0), stretched)).id();
    steps(&mut app, 1);
    assert_eq!(colliders_at(&mut app, 12.0, 0.5), [plank, egg]);
    assert_eq!(colliders_at(&mut app, 13.75, 0.0), [egg]);
    assert_eq!(colliders_at(&mut app, 13.0, 0.75), []);
    let invalid: Vec<InvalidComponent> = read(&app, &mut invalid);
    assert_eq!(invalid.len(), 1);
    assert_eq!(invalid[0].entity, Some(pill));
    assert!(invalid[0].reason.contains("not uniform"), "{}", invalid[0].reason);
}

/// Plays a scene of walkers, movers, a platform, sensors, crates and child colliders, some of which are disabled,
/// turned around, given to another body or despawned, and returns the state hash of each step.
fn play(spawn_backwards: bool, extra_entities: bool) -> Vec<u64> {
    #[derive(Component)]
    struct Extra;
    let mut app = app();
    let world = app.world_mut();
    let mut numbers: Vec<u64> = (0..60).collect();
    if spawn_backwards {
        numbers.reverse();
    }
    let rows = ["################################", "#..............................#"];
    let level = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &rows, &[('#', TileKind::SOLID)]);
    world.spawn((Body::Fixed, Collider::tiles(level), SpawnOrder(1000)));
    let platform =
        (Mover::Platform, Velocity(Vec2::new(0.5, 0.25)), Collider::rectangle(10.0, 0.5));
    world.spawn((platform, at(12.0, 1.75), SpawnOrder(2000)));
    let mut spawned = vec![Entity::PLACEHOLDER; 60];
    for n in numbers {
        if extra_entities {
            world.spawn_empty();
            world.spawn(at(0.0, 0.0));
        }
        let x = 2.0 + n as f32 * 0.45;
        let velocity = Velocity(Vec2::new(3.0 - n as f32 * 0.1, -4.0));
        let ball = (Collider::circle(0.3), velocity);
        let mut entity = match n % 4 {
            0 => {
                world.spawn((Walker::default(), Collider::capsule(0.3, 0.6), velocity, at(x, 4.0)))
            }
            1 => world.spawn((Mover::Bounce(0.9), ball, at(x, 7.0))),
            2 => world.spawn((Mover::Free, ball, at(x, 2.0), Role::Sensor)),
            _ => world.spawn((Mover::Slide, ball, at(x, 9.0))),
        };
        entity.insert(SpawnOrder(n));
        if n % 5 == 3 {
            entity.remove::<(Mover, Velocity)>().insert(Pushable(2)); // a crate
        }
        if extra_entities && n % 3 == 0 {
            entity.insert(Extra); // another archetype
        }
        spawned[n as usize] = entity.id();
        if n % 6 == 0 {
            let hand = (Collider::rectangle(0.4, 0.1), Role::Hitbox, at(0.4, 0.0));
            world.spawn((hand, SpawnOrder(100 + n), ChildOf(spawned[n as usize])));
        }
    }
    let mut hashes = Vec::new();
    for step in 0..120 {
        let every = |n: usize| {
            let mut chosen: Vec<Entity> = spawned.iter().copied().step_by(n).collect();
            if spawn_backwards {
                chosen.reverse();
            }
            chosen
        };
        let world = app.world_mut();
        match step {
            20 => {
                for entity in every(11) {
                    world.entity_mut(entity).insert(BodyDisabled);
                }
            }
            25 => {
                for entity in every(8) {
                    world.entity_mut(entity).insert(Disabled);
                }
            }
            30 => {
                for entity in every(11) {
                    world.entity_mut(entity).remove::<BodyDisabled>();
                }
            }
            34 => {
                for entity in every(8) {
                    world.entity_mut(entity).remove::<Disabled>();
                }
            }
            40 => every(7).into_iter().for_each(|entity| assert!(world.despawn(entity))),
            50 | 55 | 60 => {
                for entity in every(6) {
                    if let Some(mut transform) = world.get_mut::<Transform>(entity) {
                        transform.scale.x *= -1.0;
                    }
                }
            }
            70 => {
                // Hands go to other bodies.
                for entity in every(12) {
                    let other = spawned[spawned.iter().position(|&it| it == entity).unwrap() + 3];
                    let hand = world.get::<Children>(entity).map(|children| children[0]);
                    if let Some(hand) = hand {
                        world.entity_mut(hand).insert(ChildOf(other));
                    }
                }
            }
            _ => {}
        }
        app.update();
        hashes.push(app.world().resource::<CaromWorld>().state_hash());
    }
    hashes
}

#[test]
fn two_runs_have_the_same_state_in_every_step() {
    let first = play(false, false);
    assert_eq!(first, play(false, false));
    // Other entities, another order of spawning and despawning, and other archetypes do not matter.
    assert_eq!(first, play(true, true));
    assert!(first.windows(2).all(|two| two[0] != two[1])); // something happens
}

#[test]
fn changed_and_removed_components_take_effect_in_the_next_step() {
    let mut app = app();
    let (mut starts, mut ends) = (MessageCursor::default(), MessageCursor::default());
    let square = || (Body::Moving, Collider::rectangle(2.0, 2.0));
    let a = app.world_mut().spawn((square(), at(0.0, 0.0))).id();
    let b = app.world_mut().spawn((square(), at(1.5, 0.0))).id();
    steps(&mut app, 1);
    let touches: Vec<TouchBegan> = read(&app, &mut starts);
    assert_eq!(touches.len(), 2);
    assert_eq!(touches[0].contact.unwrap().push.to_array(), [-0.5, 0.0]);
    assert_eq!(touches[1].contact.unwrap().push.to_array(), [0.5, 0.0]);

    app.world_mut().entity_mut(b).insert(BodyDisabled);
    steps(&mut app, 1);
    assert_eq!(ended(&app, &mut ends), [[a, b], [b, a]]);
    app.world_mut().entity_mut(b).remove::<BodyDisabled>();
    steps(&mut app, 1);
    assert_eq!(began(&app, &mut starts), [[a, b], [b, a]]);
    app.world_mut().entity_mut(b).insert(ColliderDisabled);
    steps(&mut app, 1);
    assert_eq!(ended(&app, &mut ends), [[a, b], [b, a]]);
    app.world_mut().entity_mut(b).remove::<ColliderDisabled>();
    steps(&mut app, 1);
    assert_eq!(began(&app, &mut starts), [[a, b], [b, a]]);
    app.world_mut().entity_mut(b).insert(Collider::circle(0.25)); // replaced by a smaller one
    steps(&mut app, 1);
    assert_eq!(ended(&app, &mut ends), [[a, b], [b, a]]);
    app.world_mut().entity_mut(a).remove::<Collider>();
    app.world_mut().entity_mut(b).remove::<Body>().insert(Body::Fixed);
    steps(&mut app, 1);
    let collisions = app.world().resource::<CaromWorld>().get();
    assert_eq!((collisions.body_count(), collisions.collider_count()), (2, 1));
    app.world_mut().entity_mut(b).clone_and_spawn();
    steps(&mut app, 1);
    assert_eq!(colliders_at(&mut app, 1.5, 0.0).len(), 2); // the clone has its own body
}

#[test]
fn invalid_transforms_are_reported_and_nothing_else_stops() {
    let mut app = app();
    let mut invalid = MessageCursor::default();
    let good = (Mover::Free, Velocity(Vec2::new(64.0, 0.0)), Collider::circle(1.0));
    let good = app.world_mut().spawn(good).id();
    let bad = app.world_mut().spawn((Body::Moving, Collider::circle(1.0))).id();
    steps(&mut app, 1);
    app.world_mut().get_mut::<Transform>(bad).unwrap().translation.x = f32::NAN;
    steps(&mut app, 1);
    let invalid: Vec<InvalidComponent> = read(&app, &mut invalid);
    assert_eq!(invalid.len(), 1);
    assert!(invalid[0].entity == Some(bad) && invalid[0].reason.contains("NaN"), "{invalid:?}");
    assert_eq!(position(&app, good), Vec2::new(2.0, 0.0));
}

#[test]
fn a_platform_carries_a_walker() {
    let mut app = app();
    let platform = (Mover::Platform, Velocity(Vec2::new(1.0, 2.0)), Collider::rectangle(4.0, 0.5));
    let platform = app.world_mut().spawn((platform, at(0.0, -0.25))).id();
    let hero =
        app.world_mut().spawn((Walker::default(), Collider::capsule(0.4, 0.8), at(0.5, 0.8))).id();
    steps(&mut app, 1); // the hero lands on the platform
    let offset = position(&app, hero) - position(&app, platform);
    steps(&mut app, 63);
    assert_eq!(position(&app, platform), Vec2::new(1.0, 1.75));
    assert!((position(&app, hero) - position(&app, platform)).distance(offset) < 1e-5);
    assert_eq!(footing(&app, hero).floor, Some(platform));
}

#[test]
fn a_platform_carries_and_pushes_crates_without_a_velocity() {
    let mut app = app();
    let lift = (Mover::Platform, Velocity(Vec2::new(1.0, 2.0)), Collider::rectangle(4.0, 0.5));
    let lift = app.world_mut().spawn((lift, at(0.0, -0.25))).id();
    let square = || (Pushable::default(), Collider::rectangle(1.0, 1.0));
    let rider = app.world_mut().spawn((square(), at(0.0, 0.5))).id();
    let pushed = app.world_mut().spawn((square(), at(2.5, -0.25))).id();
    steps(&mut app, 32);
    assert_eq!(position(&app, lift), Vec2::new(0.5, 0.75));
    assert_eq!(position(&app, rider), Vec2::new(0.5, 1.5));
    assert_eq!(position(&app, pushed).x, 3.0);
}

#[test]
fn a_mover_reports_the_tile_that_it_hits() {
    let mut app = app();
    let mut hits = MessageCursor::default();
    let level = app.world_mut().spawn((Body::Fixed, Collider::tiles(hill()))).id();
    let ball = (Mover::Bounce(0.5), Velocity(Vec2::new(0.0, -64.0)), Collider::circle(0.25));
    let ball = app.world_mut().spawn((ball, at(3.5, 1.75))).id();
    steps(&mut app, 1);
    let hits: Vec<MoverHit> = read(&app, &mut hits);
    assert_eq!(hits.len(), 1);
    assert_eq!((hits[0].entity, hits[0].other, hits[0].normal), (ball, level, Vec2::Y));
    let tile = hits[0].tile.unwrap();
    assert_eq!((tile.column, tile.row), (3, 0));
    assert_eq!(app.world().get::<Velocity>(ball).unwrap().0, Vec2::new(0.0, 32.0));
}

#[test]
fn a_hitbox_strikes_a_hurtbox_of_another_team() {
    let mut app = app();
    app.init_resource::<Seen>();
    let mut strikes = MessageCursor::default();
    let world = app.world_mut();
    let hero = world.spawn((Body::Moving, Team(1))).id();
    let sword = (Collider::circle(1.0), Role::Hitbox, at(1.0, 0.0), ChildOf(hero));
    let sword = world.spawn(sword).id();
    let enemy = (Body::Moving, Team(2), Collider::circle(0.5), Role::Hurtbox, at(2.0, 0.0));
    let enemy = world.spawn(enemy).id();
    let friend = (Body::Moving, Team(1), Collider::circle(0.5), Role::Hurtbox, at(1.0, 0.5));
    world.spawn(friend);
    world.entity_mut(enemy).observe(|strike: On<Struck>, mut seen: ResMut<Seen>| {
        seen.0.push(("struck by", strike.attacker));
    });
    steps(&mut app, 1);
    let first: Vec<Struck> = read(&app, &mut strikes);
    assert_eq!(first.len(), 1); // not the friend
    assert_eq!((first[0].entity, first[0].attacker, first[0].hitbox), (enemy, hero, sword));
    steps(&mut app, 1);
    assert!(read::<Struck>(&app, &mut strikes).is_empty()); // once per swing
    assert_eq!(app.world().resource::<Seen>().0, [("struck by", hero)]);
}

#[test]
fn layers_have_names_and_unknown_names_are_reported() {
    let mut app = app_with(CaromPlugin::default().with_layers(["hero", "ghost"]));
    let (mut starts, mut invalid) = (MessageCursor::default(), MessageCursor::default());
    let ball = || (Body::Moving, Collider::circle(1.0));
    app.world_mut().spawn((ball(), CollisionLayers::new("ghost", ["ghost"])));
    let hero = app.world_mut().spawn((ball(), CollisionLayers::new("hero", ["hero"]))).id();
    steps(&mut app, 1);
    assert!(began(&app, &mut starts).is_empty());
    app.world_mut().entity_mut(hero).insert(CollisionLayers::new("hero", ["hreo"]));
    steps(&mut app, 1);
    let invalid: Vec<InvalidComponent> = read(&app, &mut invalid);
    assert!(invalid.len() == 1 && invalid[0].reason.contains("hreo"), "{invalid:?}");
    app.world_mut().entity_mut(hero).remove::<CollisionLayers>(); // back to the default: all layers
    steps(&mut app, 1);
    assert!(began(&app, &mut starts).is_empty()); // the ghost still ignores it
}

#[test]
fn bodies_with_two_colliders_begin_to_touch_once() {
    let mut app = app();
    let (mut starts, mut ends) = (MessageCursor::default(), MessageCursor::default());
    let hero = app.world_mut().spawn((Body::Moving, Collider::circle(1.0))).id();
    app.world_mut().spawn((Collider::circle(1.0), at(1.0, 0.0), ChildOf(hero)));
    let coin = app.world_mut().spawn((Collider::circle(0.5), Role::Sensor, at(0.5, 0.0))).id();
    steps(&mut app, 1);
    let began: Vec<BodyTouchBegan> = read(&app, &mut starts);
    assert_eq!(began.len(), 2); // from both sides
    assert!(began.iter().any(|touch| (touch.entity, touch.other) == (coin, hero)));
    app.world_mut().despawn(coin);
    steps(&mut app, 1);
    assert_eq!(read::<BodyTouchEnded>(&app, &mut ends).len(), 2);
}

#[test]
fn an_observer_may_despawn_the_reported_entity() {
    let mut app = app();
    let (mut starts, mut ends) = (MessageCursor::default(), MessageCursor::default());
    let coin = app.world_mut().spawn((Body::Moving, Collider::circle(1.0), Role::Sensor)).id();
    app.world_mut().entity_mut(coin).observe(|touch: On<TouchBegan>, mut commands: Commands| {
        commands.entity(touch.collider).try_despawn(); // a second touch finds it gone
    });
    for x in [-0.5, 0.5] {
        app.world_mut().spawn((Body::Moving, Collider::circle(1.0), at(x, 0.0)));
    }
    steps(&mut app, 1);
    assert!(!app.world().entities().contains(coin));
    assert_eq!(began(&app, &mut starts).len(), 6); // three pairs, from both sides
    steps(&mut app, 1);
    let ended = ended(&app, &mut ends);
    assert!(ended.len() == 4 && ended.iter().all(|pair| pair.contains(&coin)));
}

#[test]
fn queries_return_entities() {
    let mut app = app();
    let ball = || (Body::Fixed, Collider::circle(1.0));
    let near = app.world_mut().spawn((ball(), at(4.0, 0.0))).id();
    let far = app.world_mut().spawn((ball(), at(9.0, 0.0))).id();
    let big = app.world_mut().spawn((ball(), at(0.0, 50.0).with_scale(Vec3::splat(2.0)))).id();
    steps(&mut app, 1);
    let check = move |query: SpatialQuery| {
        let all = Filter::new();
        let (hit, ray) = query.raycast(Vec2::ZERO, Vec2::X, 100.0, &all).unwrap();
        assert_eq!((hit, ray.distance), (near, 3.0));
        let others = query.exclude(Filter::new(), [near]);
        assert_eq!(query.raycast(Vec2::ZERO, Vec2::X, 100.0, &others).unwrap().0, far);
        assert_eq!(query.raycast_all(Vec2::ZERO, Vec2::X, 100.0, &all).len(), 2);
        assert!(query.raycast(Vec2::ZERO, Vec2::ZERO, 100.0, &all).is_none());
        let circle = Circle::new([0.0, 0.0], 1.0);
        let (hit, sweep) = query.sweep(&circle, Vec2::new(10.0, 0.0), &all).unwrap();
        assert!(hit == near && (sweep.time - 0.2).abs() < 1e-6);
        assert_eq!(query.nearest(Vec2::ZERO, 2, &all), [(near, 3.0), (far, 8.0)]);
        let area = Aabb::new([5.0, -1.0], [8.0, 1.0]);
        assert_eq!(query.intersecting(&area, &all), [near, far]);
        assert_eq!(
            query.intersecting_box(Vec2::new(8.0, 1.0), Vec2::new(5.0, -1.0), &all),
            [near, far]
        );
        assert_eq!(query.contacts(&area, &all).len(), 2);
        assert_eq!(query.at_point(Vec2::new(0.0, 48.0), &all), [big]);
    };
    app.world_mut().run_system_once(check).unwrap();
}

#[test]
fn queries_do_not_find_what_has_been_despawned_since_the_last_step() {
    let mut app = app();
    let ball = || (Body::Moving, Collider::circle(1.0));
    let near = app.world_mut().spawn((ball(), at(4.0, 0.0))).id();
    let far = app.world_mut().spawn((ball(), at(5.5, 0.0))).id();
    let hand = app.world_mut().spawn((Collider::circle(0.5), at(-3.5, 0.0), ChildOf(far))).id();
    steps(&mut app, 1);
    let others = move |query: SpatialQuery| {
        let without_far = query.exclude(Filter::new(), [hand]);
        query.nearest(Vec2::ZERO, 9, &without_far).len()
    };
    assert_eq!(app.world_mut().run_system_once(others).unwrap(), 1);
    let find = |app: &mut App| {
        let queries = |query: SpatialQuery| {
            let (all, circle) = (Filter::new(), Circle::new([4.0, 0.0], 0.25));
            let motion = Vec2::new(9.0, 0.0);
            let at_origin = Circle::new([0.0, 0.0], 0.1);
            let found = [
                query.raycast(Vec2::ZERO, Vec2::X, 100.0, &all).map(|hit| hit.0),
                query.sweep(&at_origin, motion, &all).map(|hit| hit.0),
                query.nearest(Vec2::ZERO, 1, &all).first().map(|found| found.0),
                query.raycast_all(Vec2::ZERO, Vec2::X, 100.0, &all).first().map(|hit| hit.0),
                query.sweep_all(&at_origin, motion, &all).first().map(|hit| hit.0),
            ];
            assert!(found.iter().all(|other| *other == found[0]), "{found:?}");
            let at_point = query.at_point(Vec2::new(4.0, 0.0), &all);
            assert_eq!(query.intersecting(&circle, &all), at_point);
            assert_eq!(query.overlapping(&circle, &all), at_point);
            assert_eq!(query.contacts(&circle, &all).len(), at_point.len());
            assert_eq!(query.is_free(&circle, &all), at_point.is_empty());
            (found[0], at_point)
        };
        app.world_mut().run_system_once(queries).unwrap()
    };
    let touching = |app: &mut App| {
        let touching = move |query: SpatialQuery| query.touching(far).count();
        app.world_mut().run_system_once(touching).unwrap()
    };
    assert_eq!(find(&mut app), (Some(hand), vec![near]));
    app.world_mut().despawn(hand);
    assert_eq!(find(&mut app), (Some(near), vec![near]));
    assert_eq!(touching(&mut app), 1);
    app.world_mut().despawn(near);
    assert_eq!(find(&mut app), (Some(far), vec![]));
    assert_eq!(touching(&mut app), 0);
    steps(&mut app, 1);
    assert_eq!(find(&mut app), (Some(far), vec![]));
}

#[test]
#[should_panic(expected = "needs the TimePlugin")]
fn an_app_without_time_is_an_error() {
    let mut app = App::new();
    app.add_plugins(CaromPlugin::default());
    app.finish();
}

#[test]
fn bodies_without_entities_do_not_disturb_events() {
    let mut app = app();
    let mut starts = MessageCursor::default();
    let ball = app.world_mut().spawn((Body::Moving, Collider::circle(1.0))).id();
    steps(&mut app, 1);
    let mut carom = app.world_mut().resource_mut::<CaromWorld>();
    let circle = carom::shape::Circle::new([0.5, 0.0], 1.0);
    let body = carom::world::Body::moving([0.0, 0.0]);
    carom.get_mut().spawn(body, [carom::world::Collider::new(circle)]).unwrap();
    steps(&mut app, 1);
    let touches = began(&app, &mut starts);
    assert_eq!(touches, [[ball, Entity::PLACEHOLDER], [Entity::PLACEHOLDER, ball]]);
}
