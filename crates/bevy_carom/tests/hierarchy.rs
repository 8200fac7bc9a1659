//! Parents, negative scales and skews, compared with the `GlobalTransform` that Bevy draws with.

mod support;

use std::f32::consts::{FRAC_PI_2, PI};

use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_carom::{CaromWorld, InvalidComponent};
use bevy_ecs::message::MessageCursor;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec2, Vec3};
use bevy_transform::prelude::*;
use carom::shape::{AsShape, Point};
use support::*;

const TRIANGLE: [[f32; 2]; 3] = [[0.0, 0.0], [3.0, 0.0], [0.0, 1.0]];

/// Returns a random transform, among which are flips and quarter turns.
fn random_transform(random: &mut impl FnMut(u64) -> u64, is_uniform: bool) -> Transform {
    let mut number = |limit: f32| random(2001) as f32 / 1000.0 * limit - limit;
    let translation = Vec3::new(number(9.0), number(9.0), number(9.0));
    let (angle, size, other) = (number(PI), number(2.0).abs() + 0.25, number(2.0).abs() + 0.25);
    let rotation = match random(6) {
        0 => Quat::IDENTITY,
        1 => Quat::from_rotation_z(FRAC_PI_2 * random(4) as f32),
        2 => Quat::from_rotation_y(PI),
        3 => Quat::from_rotation_z(angle) * Quat::from_rotation_x(PI),
        _ => Quat::from_rotation_z(angle),
    };
    let flips = [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)][random(4) as usize];
    let scale = if is_uniform { Vec2::splat(size) } else { Vec2::new(size, other) };
    Transform { translation, rotation, scale: (scale * Vec2::from(flips)).extend(1.0) }
}

/// Checks that a collider of a triangle is where Bevy draws it.
fn assert_is_drawn_there(app: &App, collider: Entity, global: GlobalTransform, case: &str) {
    let carom = app.world().resource::<CaromWorld>();
    let key = app.world().get::<bevy_carom::ColliderLink>(collider).unwrap().key();
    let key = key.unwrap_or_else(|| panic!("{case}: the collider is not in the world"));
    let placed = carom.get().collider(key).unwrap().placed().to_shape();
    let size = placed.bounds().size().max_element();
    for corner in TRIANGLE {
        let corner = global.transform_point(Vec3::new(corner[0], corner[1], 0.0)).truncate();
        let distance = placed.as_shape().distance(&Point::new(corner.to_array()));
        assert!(distance <= 1e-5 * (size + corner.length()), "{case}: {corner} {placed:?}");
    }
    // The triangle is not larger than its corners, either: they are its bounds.
    let corners = TRIANGLE.map(|[x, y]| global.transform_point(Vec3::new(x, y, 0.0)).truncate());
    let [min, max] = [corners.into_iter().reduce(Vec2::min), corners.into_iter().reduce(Vec2::max)];
    let bounds = placed.bounds();
    for (found, expected) in [(bounds.min(), min.unwrap()), (bounds.max(), max.unwrap())] {
        let found = Vec2::from_array(found.to_array());
        assert!(
            (found - expected).length() <= 1e-5 * (size + expected.length()),
            "{case}: {found} {expected}"
        );
    }
}

#[test]
fn colliders_are_where_bevy_draws_them_below_any_parents() {
    let mut random = random(1);
    for case in 0..600 {
        let mut app = app();
        let is_uniform = case % 2 == 0;
        let transforms: Vec<Transform> =
            (0..3).map(|_| random_transform(&mut random, is_uniform)).collect();
        // A level, a body and an arm; the body may be missing, or one of the three.
        let body = case / 2 % 4;
        let mut parent = None;
        let mut last = Entity::PLACEHOLDER;
        for (index, &transform) in transforms.iter().enumerate() {
            let mut entity = app.world_mut().spawn(transform);
            if let Some(parent) = parent {
                entity.insert(ChildOf(parent));
            }
            if index == body {
                entity.insert(Body::Moving);
            }
            parent = Some(entity.id());
            last = entity.id();
        }
        let [a, b, c] = TRIANGLE;
        app.world_mut().entity_mut(last).insert(Collider::triangle(a, b, c));
        steps(&mut app, 1);
        let global = transforms
            .iter()
            .fold(GlobalTransform::IDENTITY, |global, &transform| global * transform);
        let case = format!("case {case}: {transforms:?}");
        assert_is_drawn_there(&app, last, global, &case);
        // Nothing changes as long as nothing moves.
        let before = hash(&app);
        steps(&mut app, 3);
        assert_eq!(app.world().entity(last).get::<Transform>(), transforms.last(), "{case}");
        assert_eq!(hash(&app), before, "{case}");
    }
}

#[test]
fn bodies_below_a_level_move_among_obstacles_as_without_it() {
    let levels = [
        Transform::IDENTITY,
        Transform::from_xyz(1000.5, -300.25, 1.0),
        Transform::from_xyz(-8.0, 3.0, 0.0).with_rotation(Quat::from_rotation_z(0.7)),
        Transform::from_xyz(2.0, 1.0, 0.0).with_scale(Vec3::new(-2.0, 2.0, 1.0)),
        Transform::from_xyz(2.0, 1.0, 0.0).with_scale(Vec3::new(2.0, 0.5, 1.0)),
    ];
    let play = |level: Option<Transform>| {
        let mut app = app();
        let floor = (Body::Fixed, Collider::rectangle(40.0, 1.0), at(0.0, -0.5));
        app.world_mut().spawn(floor);
        app.world_mut().spawn((Body::Fixed, Collider::rectangle(1.0, 4.0), at(6.0, 2.0)));
        let lift = (Mover::Platform, Velocity(Vec2::new(0.0, 0.5)), Collider::rectangle(2.0, 0.5));
        app.world_mut().spawn((lift, at(-5.0, 0.25)));
        // The colliders are children that undo the scale of the level.
        let mut spawn = |x: f32, y: f32, size: f32| {
            let place = at(x, y);
            let Some(level) = level else {
                return app.world_mut().spawn((place, Collider::rectangle(size, size))).id();
            };
            let parent = app.world_mut().spawn(level).id();
            let inverse = level.to_matrix().inverse();
            let local = Transform {
                translation: inverse.transform_point3(place.translation),
                rotation: level.rotation.inverse(),
                scale: Vec3::ONE / level.scale,
            };
            let bundle = (local, Collider::rectangle(size, size), ChildOf(parent));
            app.world_mut().spawn(bundle).id()
        };
        let walker = spawn(0.0, 2.0, 1.0);
        let rider = spawn(-5.0, 1.0, 1.0);
        let bouncer = spawn(3.0, 5.0, 0.5);
        let free = spawn(0.0, 9.0, 0.5);
        let pushed = spawn(3.0, 0.5, 1.0);
        let world = app.world_mut();
        world.entity_mut(walker).insert(Walker::default());
        world.entity_mut(rider).insert(Walker::default());
        world.entity_mut(bouncer).insert((Mover::Bounce(0.5), Velocity(Vec2::new(1.0, -4.0))));
        world.entity_mut(free).insert((Mover::Free, Velocity(Vec2::new(-1.0, 2.0))));
        world.entity_mut(pushed).insert(Pushable::default());
        let mut places = Vec::new();
        for _ in 0..90 {
            app.world_mut().get_mut::<Velocity>(walker).unwrap().0.x = 4.0;
            app.update();
            for entity in [walker, rider, bouncer, free, pushed] {
                let local = *app.world().get::<Transform>(entity).unwrap();
                let global = level.map_or(GlobalTransform::IDENTITY, GlobalTransform::from) * local;
                places.push(global.translation().truncate());
            }
        }
        assert!(footing(&app, walker).on_floor() && footing(&app, rider).on_floor());
        assert!(read::<InvalidComponent>(&app, &mut MessageCursor::default()).is_empty());
        places
    };
    let expected = play(None);
    assert_eq!(expected, play(Some(levels[0])));
    for level in levels {
        let error = if level.translation.length() > 100.0 { 1e-3 } else { 2e-5 };
        for (index, (place, expected)) in play(Some(level)).iter().zip(&expected).enumerate() {
            assert!(place.distance(*expected) < error, "{index}: {place} {expected} {level:?}");
        }
    }
}

#[test]
fn a_walker_rests_below_a_parent_to_the_last_bit() {
    let mut app = app();
    app.world_mut().spawn((Body::Fixed, Collider::rectangle(40.0, 1.0), at(0.0, -0.5)));
    let level = Transform::from_xyz(0.1, 0.7, 0.0).with_rotation(Quat::from_rotation_z(0.3));
    let level = app.world_mut().spawn(level).id();
    let hero = (Walker::default(), Collider::circle(0.4), at(0.3, 2.1), ChildOf(level));
    let hero = app.world_mut().spawn(hero).id();
    steps(&mut app, 60);
    assert!(footing(&app, hero).on_floor());
    let rest = *app.world().get::<Transform>(hero).unwrap();
    let mut is_same = true;
    for _ in 0..60 {
        app.update();
        is_same &=
            *app.world().get::<Transform>(hero).unwrap() == rest && footing(&app, hero).on_floor();
    }
    assert!(is_same);
    // The hero is taken along by the parent.
    let before = rest.translation;
    app.world_mut().get_mut::<Transform>(level).unwrap().translation.y += 2.0;
    steps(&mut app, 1);
    assert!(!footing(&app, hero).on_floor());
    assert!((app.world().get::<Transform>(hero).unwrap().translation - before).length() < 0.1);
}

#[test]
fn a_body_below_a_body_moves_with_it_in_the_same_step() {
    let mut app = app();
    let mut starts = MessageCursor::default();
    let ship = (Mover::Free, Velocity(Vec2::new(64.0, 0.0)), Collider::circle(0.5));
    let ship = app.world_mut().spawn((ship, at(0.0, 0.0))).id();
    let turret = (Body::Moving, Collider::circle(0.25), Role::Sensor, at(3.0, 0.0), ChildOf(ship));
    let turret = app.world_mut().spawn(turret).id();
    let wall = app.world_mut().spawn((Body::Fixed, Collider::circle(0.25), at(6.5, 0.0))).id();
    steps(&mut app, 2);
    assert_eq!(colliders_at(&mut app, 5.0, 0.0), [turret]);
    assert!(began(&app, &mut starts).is_empty());
    steps(&mut app, 1); // the turret is at 6
    assert_eq!(began(&app, &mut starts), [[turret, wall], [wall, turret]]);
    assert_eq!(position(&app, turret), Vec2::new(3.0, 0.0));
}

#[test]
fn a_scaled_and_flipped_body_scales_its_frame() {
    use carom::prelude::Aabb;
    use carom::sheet::{Frame, Sheet};
    let sheet =
        Sheet::from_frames([Frame::new("a").hurtbox("body", Aabb::new([0.0, 0.0], [1.0, 3.0]))]);
    let mut app = app();
    let hero = SheetFrame::new(sheet.unwrap(), "a");
    let hero = (hero, at(10.0, 0.0).with_scale(Vec3::new(-2.0, 2.0, 1.0)));
    let hero = app.world_mut().spawn(hero).id();
    steps(&mut app, 1);
    assert_eq!(colliders_at(&mut app, 8.0, 6.0), [hero]);
    assert_eq!(colliders_at(&mut app, 7.9, 6.0), []);
}

#[test]
fn a_body_that_loses_its_parent_is_where_bevy_draws_it() {
    let mut app = app();
    let level = app.world_mut().spawn(at(10.0, 0.0).with_scale(Vec3::new(-1.0, 1.0, 1.0))).id();
    let wedge = || Collider::triangle([0.0, 0.0], [2.0, 0.0], [0.0, 2.0]);
    let body = app.world_mut().spawn((Body::Moving, wedge(), at(3.0, 0.0), ChildOf(level))).id();
    let bare = app.world_mut().spawn((wedge(), at(3.0, 5.0), ChildOf(level))).id();
    steps(&mut app, 1);
    assert_eq!(colliders_at(&mut app, 5.5, 0.5), [body]);
    assert_eq!(colliders_at(&mut app, 5.5, 5.5), [bare]);
    app.world_mut().entity_mut(body).remove::<ChildOf>();
    app.world_mut().entity_mut(bare).remove::<ChildOf>();
    steps(&mut app, 1);
    assert_eq!(colliders_at(&mut app, 3.5, 0.5), [body]);
    assert_eq!(colliders_at(&mut app, 3.5, 5.5), [bare]);
    assert_eq!(colliders_at(&mut app, 5.5, 0.5), []);
}

#[test]
fn the_frame_of_a_child_flips_with_its_parent() {
    use carom::prelude::Aabb;
    use carom::sheet::{Frame, Sheet};
    let sheet =
        Sheet::from_frames([Frame::new("a").hurtbox("body", Aabb::new([0.0, 0.0], [1.0, 3.0]))]);
    let mut app = app();
    let hero = app.world_mut().spawn((Body::Moving, at(10.0, 0.0))).id();
    let looks = app.world_mut().spawn((SheetFrame::new(sheet.unwrap(), "a"), ChildOf(hero))).id();
    steps(&mut app, 2);
    assert_eq!(colliders_at(&mut app, 10.5, 1.0), [looks]);
    app.world_mut().get_mut::<Transform>(hero).unwrap().scale.x = -1.0;
    steps(&mut app, 1);
    assert_eq!(colliders_at(&mut app, 9.5, 1.0), [looks]);
    assert_eq!(colliders_at(&mut app, 10.5, 1.0), []);
    app.world_mut().get_mut::<Transform>(hero).unwrap().scale.x = 1.0;
    app.world_mut().get_mut::<Transform>(hero).unwrap().rotation = Quat::from_rotation_y(PI);
    steps(&mut app, 1);
    assert_eq!(colliders_at(&mut app, 9.5, 1.0), [looks]);
}

#[test]
fn a_walker_that_turns_around_stays_on_the_floor_without_events() {
    let mut app = app();
    let (mut landed, mut left) = (MessageCursor::default(), MessageCursor::default());
    let (mut starts, mut ends) = (MessageCursor::default(), MessageCursor::default());
    app.world_mut().spawn((Body::Fixed, Collider::rectangle(40.0, 1.0), at(0.0, -0.5)));
    let hero = (Walker::default(), Collider::capsule(0.3, 0.5), at(0.0, 0.55));
    let hero = app.world_mut().spawn(hero).id();
    let sword = (Collider::rectangle(0.5, 0.1), Role::Hitbox, at(0.5, 0.0), ChildOf(hero));
    let sword = app.world_mut().spawn(sword).id();
    let mut events = |app: &App| {
        let landed = read::<Landed>(app, &mut landed).len() + began(app, &mut starts).len();
        landed + read::<LeftFloor>(app, &mut left).len() + ended(app, &mut ends).len()
    };
    steps(&mut app, 1);
    assert!(events(&app) > 0);
    for n in 0..60 {
        let direction = if n % 7 < 3 { 1.0 } else { -1.0 };
        app.world_mut().get_mut::<Transform>(hero).unwrap().scale.x = direction;
        app.world_mut().get_mut::<Velocity>(hero).unwrap().0.x = 3.0 * direction;
        app.update();
        assert!(footing(&app, hero).on_floor());
        assert_eq!(events(&app), 0, "step {n}");
        let x = position(&app, hero).x + 0.7 * direction;
        assert_eq!(colliders_at(&mut app, x, 0.55), [sword], "step {n}");
    }
}

#[test]
fn a_platform_whose_colliders_are_children_turns_and_carries() {
    let mut app = app();
    let wheel = (Mover::Platform, AngularVelocity(0.3), Velocity(Vec2::new(0.5, 0.2)));
    let wheel = app.world_mut().spawn(wheel).id();
    let plank = (Collider::rectangle(6.0, 0.5), at(0.0, 1.0), ChildOf(wheel));
    let plank = app.world_mut().spawn(plank).id();
    let hero = (Walker::default(), Collider::circle(0.4), at(1.0, 1.65));
    let hero = app.world_mut().spawn(hero).id();
    steps(&mut app, 64);
    assert_eq!(footing(&app, hero).floor, Some(plank));
    let normal = footing(&app, hero).normal;
    assert!((normal - Vec2::from_angle(0.3).perp()).length() < 1e-3, "{normal}");
}
