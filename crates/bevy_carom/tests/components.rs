//! Components in the world: hidden and disabled bodies, layers, frames, turning platforms, reflection.

mod support;

use std::time::Duration;

use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_carom::{
    BodyDisabled, BodyHidden, CaromWorld, ColliderDisabled, InvalidComponent, RehitRule,
};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::message::MessageCursor;
use bevy_ecs::prelude::*;
use bevy_ecs::reflect::AppTypeRegistry;
use bevy_ecs::system::RunSystemOnce;
use bevy_math::{Quat, Vec2, Vec3};
use bevy_time::TimeUpdateStrategy;
use bevy_transform::prelude::*;
use carom::shape::{Aabb, Circle, Mask, Triangle};
use carom::sheet::{Frame, Sheet};
use carom::world::Rehit;
use support::*;

#[test]
fn components_removed_in_frames_without_a_step_are_noticed() {
    let mut app = app_with(CaromPlugin::default().with_layers(["ghost"]));
    let (mut starts, mut ends) = (MessageCursor::default(), MessageCursor::default());
    let ball = || (Body::Moving, Collider::circle(1.0));
    let a = app.world_mut().spawn((ball(), BodyDisabled)).id();
    let b = app.world_mut().spawn((ball(), ColliderDisabled)).id();
    let c = app.world_mut().spawn((ball(), CollisionLayers::new("ghost", ["ghost"]))).id();
    let d = app.world_mut().spawn((ball(), Team(3))).id();
    steps(&mut app, 1);
    assert!(began(&app, &mut starts).is_empty());

    app.world_mut().entity_mut(a).remove::<BodyDisabled>();
    app.world_mut().entity_mut(b).remove::<ColliderDisabled>();
    app.world_mut().entity_mut(c).remove::<CollisionLayers>();
    app.world_mut().entity_mut(d).remove::<Team>();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    steps(&mut app, 5);
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    steps(&mut app, 1);
    assert_eq!(began(&app, &mut starts).len(), 12); // all six pairs, from both sides
    let carom = app.world().resource::<CaromWorld>();
    assert!(carom.get().bodies().all(|(_, body)| body.team == 0));
    assert!(ended(&app, &mut ends).is_empty());
}

#[test]
fn entities_that_bevy_disables_leave_the_world_until_they_are_enabled() {
    let mut app = app();
    let (mut starts, mut ends) = (MessageCursor::default(), MessageCursor::default());
    let a = app.world_mut().spawn((Body::Moving, Collider::circle(1.0))).id();
    let b = app.world_mut().spawn((Body::Moving, Collider::circle(1.0))).id();
    steps(&mut app, 1);
    assert_eq!(began(&app, &mut starts), [[a, b], [b, a]]);
    app.world_mut().entity_mut(b).insert(Disabled);
    steps(&mut app, 1);
    assert_eq!(ended(&app, &mut ends), [[a, b], [b, a]]);
    app.world_mut().entity_mut(b).remove::<Disabled>();
    steps(&mut app, 1);
    assert_eq!(began(&app, &mut starts), [[a, b], [b, a]]);
    app.world_mut().entity_mut(b).insert(Disabled);
    app.world_mut().despawn(b);
    steps(&mut app, 1);
    assert_eq!(app.world().resource::<CaromWorld>().get().body_count(), 1);
}

#[test]
fn a_hidden_body_collides_but_is_not_seen() {
    let mut app = app();
    let mut starts = MessageCursor::default();
    let ghost = (Body::Moving, Collider::circle(1.0), BodyHidden);
    let ghost = app.world_mut().spawn(ghost).id();
    let hero = app.world_mut().spawn((Body::Moving, Collider::circle(1.0))).id();
    steps(&mut app, 1);
    assert_eq!(began(&app, &mut starts), [[ghost, hero], [hero, ghost]]);
    let see = |query: SpatialQuery| query.at_point(Vec2::ZERO, &Filter::new().visible());
    assert_eq!(app.world_mut().run_system_once(see).unwrap(), [hero]);
    app.world_mut().entity_mut(ghost).remove::<BodyHidden>();
    steps(&mut app, 1);
    assert_eq!(app.world_mut().run_system_once(see).unwrap(), [ghost, hero]);
}

bevy_carom::collision_layers! {
    enum Layer { Hero, Shield, Bush }
}

#[test]
fn the_variants_of_an_enum_are_layers() {
    let mut app = app_with(CaromPlugin::default().with_layers_of::<Layer>());
    let mut starts = MessageCursor::default();
    let ball = || (Body::Moving, Collider::circle(1.0));
    let hero =
        app.world_mut().spawn((ball(), CollisionLayers::of(Layer::Hero, [Layer::Bush]))).id();
    app.world_mut().spawn((ball(), CollisionLayers::of(Layer::Shield, [Layer::Hero])));
    let bush =
        app.world_mut().spawn((ball(), CollisionLayers::of(Layer::Bush, [Layer::Hero]))).id();
    steps(&mut app, 1);
    assert_eq!(began(&app, &mut starts), [[hero, bush], [bush, hero]]);
    let names = app.world().resource::<CaromWorld>().get().layer_names();
    assert_eq!(names, ["default", "Hero", "Shield", "Bush"]);
}

#[test]
fn a_collider_is_on_several_layers() {
    let mut app = app_with(CaromPlugin::default().with_layers_of::<Layer>());
    let mut starts = MessageCursor::default();
    let ball = || (Body::Moving, Collider::circle(1.0));
    let both = CollisionLayers::of([Layer::Shield, Layer::Bush], Layer::Hero);
    let both = app.world_mut().spawn((ball(), both)).id();
    let spawn = |app: &mut App, mask: Layer| {
        app.world_mut().spawn((ball(), CollisionLayers::of(Layer::Hero, mask))).id()
    };
    let [a, b] = [Layer::Shield, Layer::Bush].map(|mask| spawn(&mut app, mask));
    spawn(&mut app, Layer::Hero);
    steps(&mut app, 1);
    assert_eq!(began(&app, &mut starts), [[both, a], [a, both], [both, b], [b, both]]);
    // A query finds it by either layer.
    let found = |layer: Layer| {
        move |query: SpatialQuery| {
            let filter = query.on_layers(Filter::new(), layer).unwrap();
            query.at_point(Vec2::ZERO, &filter)
        }
    };
    assert_eq!(app.world_mut().run_system_once(found(Layer::Shield)).unwrap(), [both]);
    assert_eq!(app.world_mut().run_system_once(found(Layer::Bush)).unwrap(), [both]);
    // It leaves one of them.
    let mut ends = MessageCursor::default();
    let bush = CollisionLayers::of(Layer::Bush, Layer::Hero);
    app.world_mut().entity_mut(both).insert(bush);
    steps(&mut app, 1);
    assert_eq!(ended(&app, &mut ends), [[both, a], [a, both]]);
}

#[test]
fn a_walker_passes_through_layers_that_it_crosses() {
    let mut app = app_with(CaromPlugin::default().with_layers_of::<Layer>());
    app.world_mut().spawn((Body::Fixed, Collider::rectangle(40.0, 1.0), at(0.0, -0.5)));
    let wall = |layer: Layer, x: f32| {
        let layers = CollisionLayers::new(layer, carom::world::Layers::ALL);
        (Body::Fixed, Collider::rectangle(1.0, 4.0), layers, at(x, 2.0))
    };
    app.world_mut().spawn(wall(Layer::Bush, 3.0));
    let shield = app.world_mut().spawn(wall(Layer::Shield, 8.0)).id();
    let responses = Responses::new().with(Layer::Bush, Response::Cross);
    let hero = (Walker::default(), Collider::rectangle(1.0, 1.0), responses, at(0.0, 0.5));
    let hero = app.world_mut().spawn(hero).id();
    for _ in 0..120 {
        app.world_mut().get_mut::<Velocity>(hero).unwrap().0.x = 6.0;
        app.update();
    }
    assert_eq!(position(&app, hero), Vec2::new(7.0, 0.5));
    assert_eq!(footing(&app, hero).wall, Some(shield));
}

#[test]
fn responses_make_exceptions_for_layers() {
    let mut app = app_with(CaromPlugin::default().with_layers_of::<Layer>());
    let (mut hits, mut invalid) = (MessageCursor::default(), MessageCursor::default());
    let wall = |x: f32| (Body::Fixed, Collider::rectangle(1.0, 4.0), at(x, 0.0));
    let bush = (wall(3.0), CollisionLayers::new("Bush", carom::world::Layers::ALL));
    let bush = app.world_mut().spawn(bush).id();
    let shield = (wall(8.0), CollisionLayers::new("Shield", carom::world::Layers::ALL));
    let shield = app.world_mut().spawn(shield).id();
    let stop = app.world_mut().spawn(wall(-8.0)).id();
    let responses =
        Responses::new().with("Bush", Response::Cross).with(["Shield"], Response::Bounce(1.0));
    let bullet = (Mover::Stop, responses, Velocity(Vec2::new(64.0, 0.0)), Collider::circle(0.25));
    let bullet = app.world_mut().spawn(bullet).id();
    let mut others = Vec::new();
    for _ in 0..30 {
        app.update();
        others.extend(read::<MoverHit>(&app, &mut hits).iter().map(|hit| hit.other));
    }
    assert_eq!(others, [bush, shield, bush, stop]);
    assert_eq!(position(&app, bullet), Vec2::new(-7.25, 0.0));
    assert_eq!(app.world().get::<Velocity>(bullet).unwrap().0, Vec2::ZERO);

    app.world_mut().entity_mut(bullet).insert(Responses::new().with("Bsh", Response::Cross));
    steps(&mut app, 1);
    let invalid: Vec<InvalidComponent> = read(&app, &mut invalid);
    assert!(invalid.len() == 1 && invalid[0].reason.contains("Bsh"), "{invalid:?}");
}

#[test]
fn a_turning_platform_takes_a_walker_along() {
    let mut app = app();
    let turn = AngularVelocity(0.5);
    let wheel = app.world_mut().spawn((Mover::Platform, turn, Collider::rectangle(8.0, 0.5))).id();
    let hero = (Walker::default(), Collider::circle(0.5), at(3.0, 0.75));
    let hero = app.world_mut().spawn(hero).id();
    steps(&mut app, 1);
    assert!(footing(&app, hero).on_floor());
    steps(&mut app, 32);
    let angle = 33.0 / 64.0 * 0.5_f32;
    let turned = app.world().get::<Transform>(wheel).unwrap().rotation;
    assert!((turned.to_euler(bevy_math::EulerRot::ZYX).0 - angle).abs() < 1e-5);
    assert!(footing(&app, hero).on_floor());
    assert!((position(&app, hero).y - 0.75 - 3.0 * angle.sin()).abs() < 0.1);
    // Its normal is that of the turned floor.
    let normal = footing(&app, hero).normal;
    assert!((normal - Vec2::new(-angle.sin(), angle.cos())).length() < 1e-3, "{normal}");
}

#[test]
fn a_free_mover_turns_and_exact_quarter_turns_stay_exact() {
    let mut app = app();
    let spin = AngularVelocity(64.0 * std::f32::consts::FRAC_PI_2);
    let plank = app.world_mut().spawn((Mover::Free, spin, Collider::rectangle(4.0, 1.0))).id();
    steps(&mut app, 1);
    assert_eq!(colliders_at(&mut app, 0.5, 2.0), [plank]);
    assert_eq!(colliders_at(&mut app, 2.0, 0.5), []);
    steps(&mut app, 1);
    assert_eq!(colliders_at(&mut app, 2.0, 0.5), [plank]);
    assert_eq!(colliders_at(&mut app, 0.5, 2.0), []);
}

#[test]
fn a_velocity_that_is_not_finite_is_reported() {
    let mut app = app();
    let mut invalid = MessageCursor::default();
    let ball = |mover| (mover, Collider::circle(1.0));
    app.world_mut().spawn((ball(Mover::Free), Velocity(Vec2::new(f32::NAN, 0.0))));
    app.world_mut().spawn((ball(Mover::Free), AngularVelocity(f32::INFINITY)));
    app.world_mut().spawn((ball(Mover::Slide), Velocity(Vec2::new(0.0, f32::INFINITY))));
    app.world_mut().spawn((ball(Mover::Platform), AngularVelocity(f32::NAN)));
    steps(&mut app, 1);
    let invalid: Vec<InvalidComponent> = read(&app, &mut invalid);
    assert_eq!(invalid.len(), 4, "{invalid:?}");
    assert!(invalid.iter().all(|it| it.reason.contains("NaN") || it.reason.contains("inf")));
}

fn fighter() -> std::sync::Arc<Sheet> {
    let body = Aabb::new([-1.0, 0.0], [1.0, 4.0]);
    let fist = Circle::new([2.5, 3.0], 0.5);
    let frames = [
        Frame::new("idle").hurtbox("body", body),
        Frame::new("punch").hurtbox("body", body).hitbox("fist", fist),
    ];
    Sheet::from_frames(frames).unwrap().into()
}

#[test]
fn frames_of_a_sheet_strike_by_name_and_flip_with_the_scale() {
    let mut app = app();
    let mut strikes = MessageCursor::default();
    let sheet = fighter();
    let ann = (SheetFrame::new(sheet.clone(), "idle"), at(0.0, 0.0));
    let ann = app.world_mut().spawn(ann).id();
    let bob = (SheetFrame::new(sheet, "idle"), at(3.5, 0.0).with_scale(Vec3::new(-1.0, 1.0, 1.0)));
    let bob = app.world_mut().spawn(bob).id();
    steps(&mut app, 1);
    assert!(read::<Struck>(&app, &mut strikes).is_empty());
    app.world_mut().get_mut::<SheetFrame>(ann).unwrap().set_frame("punch");
    steps(&mut app, 1);
    let struck: Vec<Struck> = read(&app, &mut strikes);
    assert_eq!(struck.len(), 1);
    assert_eq!((struck[0].attacker, struck[0].entity), (ann, bob));
    assert_eq!((struck[0].hitbox, struck[0].hurtbox), (ann, bob));
    let carom = app.world().resource::<CaromWorld>();
    assert_eq!(struck[0].keys.map(|key| carom.box_name(key)), [Some("fist"), Some("body")]);

    // Bob looks to the left, where Ann is.
    app.world_mut().get_mut::<SheetFrame>(ann).unwrap().set_index(0);
    app.world_mut().get_mut::<SheetFrame>(bob).unwrap().set_frame("punch");
    steps(&mut app, 1);
    let struck: Vec<Struck> = read(&app, &mut strikes);
    assert!(struck.len() == 1 && struck[0].attacker == bob);
    app.world_mut().get_mut::<SheetFrame>(ann).unwrap().set_flip(true, false);
    app.world_mut().get_mut::<SheetFrame>(ann).unwrap().set_frame("punch");
    app.world_mut().get_mut::<Transform>(ann).unwrap().translation.x = 7.0;
    steps(&mut app, 1);
    let struck: Vec<Struck> = read(&app, &mut strikes);
    assert!(struck.len() == 1 && struck[0].attacker == ann);

    app.world_mut().entity_mut(ann).remove::<SheetFrame>();
    steps(&mut app, 1);
    let carom = app.world().resource::<CaromWorld>().get();
    assert_eq!((carom.body_count(), carom.collider_count()), (2, 2)); // Bob's body and fist

    let mut invalid = MessageCursor::default();
    app.world_mut().get_mut::<SheetFrame>(bob).unwrap().set_frame("kick");
    steps(&mut app, 1);
    let invalid: Vec<InvalidComponent> = read(&app, &mut invalid);
    assert!(invalid.len() == 1 && invalid[0].reason.contains("kick"), "{invalid:?}");
}

#[test]
fn spikes_strike_again_by_their_rehit_rule() {
    let mut app = app();
    let mut strikes = MessageCursor::default();
    let spikes = (Body::Fixed, Collider::circle(1.0), Role::Hitbox);
    app.world_mut().spawn((spikes, RehitRule(Rehit::AfterTicks(4))));
    app.world_mut().spawn((Body::Moving, Collider::circle(1.0), Role::Hurtbox));
    let struck = (0..10).map(|_| {
        app.update();
        read::<Struck>(&app, &mut strikes).len()
    });
    assert_eq!(struck.collect::<Vec<_>>(), [1, 0, 0, 0, 1, 0, 0, 0, 1, 0]);
}

#[test]
fn a_walker_pushes_crates_and_their_transforms_follow() {
    let mut app = app();
    app.world_mut().spawn((Body::Fixed, Collider::rectangle(40.0, 1.0), at(0.0, -0.5)));
    let square = || Collider::rectangle(1.0, 1.0);
    let crates =
        [2.0, 3.5].map(|x| app.world_mut().spawn((Pushable::default(), square(), at(x, 0.5))).id());
    let heavy = app.world_mut().spawn((Pushable(50), square(), at(-4.0, 0.5))).id();
    let walker = Walker { push_limit: 10, ..Walker::default() };
    let hero = app.world_mut().spawn((walker, square(), at(0.0, 0.5))).id();
    let run = |app: &mut App, speed: f32, count: usize| {
        for _ in 0..count {
            app.world_mut().get_mut::<Velocity>(hero).unwrap().0.x = speed;
            app.update();
        }
    };
    run(&mut app, 4.0, 80);
    let x = position(&app, hero).x;
    assert!(x > 3.0, "{x}");
    assert!((position(&app, crates[0]).x - x - 1.0).abs() < 1e-3);
    assert!((position(&app, crates[1]).x - x - 2.0).abs() < 1e-3);
    run(&mut app, -8.0, 120);
    assert_eq!(position(&app, heavy).x, -4.0); // too heavy
    assert!((position(&app, hero).x + 3.0).abs() < 1e-3);
    app.world_mut().entity_mut(heavy).insert(Pushable(10));
    run(&mut app, -8.0, 10);
    assert!(position(&app, heavy).x < -4.5);
    app.world_mut().entity_mut(heavy).remove::<Pushable>();
    let before = position(&app, heavy);
    run(&mut app, -8.0, 10);
    assert_eq!(position(&app, heavy), before);
}

#[test]
fn a_swept_bullet_touches_what_it_passes_within_a_step() {
    let mut app = app();
    let mut starts = MessageCursor::default();
    let line =
        app.world_mut().spawn((Collider::rectangle(0.1, 4.0), Role::Sensor, at(5.0, 0.0))).id();
    let bullet = || (Mover::Stop, Collider::circle(0.1), Velocity(Vec2::new(640.0, 0.0)));
    app.world_mut().spawn((bullet(), at(0.0, 1.0)));
    let swept = app.world_mut().spawn((bullet(), Swept, at(0.0, -1.0))).id();
    steps(&mut app, 1);
    assert_eq!(position(&app, swept).x, 10.0);
    assert_eq!(began(&app, &mut starts), [[line, swept], [swept, line]]);
}

#[test]
fn every_shape_is_a_collider() {
    let mut app = app();
    let mask = Mask::from_rows([0.0, 0.0], 1.0, &["##", "##"]);
    let tiles = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &["#"], &[('#', TileKind::SOLID)]);
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let colliders = [
        Collider::new(carom::shape::Point::new([0.5, 0.5])),
        Collider::circle(1.0),
        Collider::ellipse(1.0, 2.0),
        Collider::rectangle(1.0, 1.0),
        Collider::new(carom::shape::Obb::new([0.5, 0.5], [1.0, 1.0], 0.3)),
        Collider::capsule(0.5, 1.0),
        Collider::capsule_between([0.0, 0.0], [1.0, 1.0], 0.5),
        Collider::triangle([0.0, 0.0], [2.0, 0.0], [0.0, 2.0]),
        Collider::segment([0.0, 0.0], [1.0, 1.0]),
        Collider::convex_hull(&square).unwrap(),
        Collider::polygon(&square),
        Collider::chain(&square),
        Collider::compound([Triangle::new([0.0, 0.0], [1.0, 0.0], [0.0, 1.0])]),
        Collider::mask(mask),
        Collider::tiles(tiles),
    ];
    let count = colliders.len();
    for collider in colliders {
        app.world_mut().spawn((Body::Moving, collider));
    }
    steps(&mut app, 1);
    assert!(app.world().resource::<Messages<InvalidComponent>>().is_empty());
    assert_eq!(app.world().resource::<CaromWorld>().get().collider_count(), count);
}

#[test]
fn a_mirrored_one_way_platform_keeps_its_side() {
    let mut app = app();
    let wall = (Collider::rectangle(1.0, 4.0), OneWay(Vec2::X));
    let flipped = at(0.0, 0.0).with_scale(Vec3::new(-1.0, 1.0, 1.0));
    app.world_mut().spawn((wall, flipped)); // now it blocks what comes from the left
    let ball = |x: f32, y: f32, speed: f32| {
        (Mover::Stop, Collider::circle(0.25), Velocity(Vec2::new(speed, 0.0)), at(x, y))
    };
    let left = app.world_mut().spawn(ball(-3.0, 1.0, 64.0)).id();
    let right = app.world_mut().spawn(ball(3.0, -1.0, -64.0)).id();
    steps(&mut app, 8);
    assert_eq!(position(&app, left).x, -0.75);
    assert!(position(&app, right).x < -3.0);
}

#[test]
fn all_components_are_registered_for_reflection() {
    let app = app();
    let registry = app.world().resource::<AppTypeRegistry>().read();
    for name in [
        "Body",
        "Team",
        "BodyDisabled",
        "BodyHidden",
        "Collider",
        "ColliderDisabled",
        "CollisionLayers",
        "Role",
        "OneWay",
        "RehitRule",
        "SheetFrame",
        "SpawnOrder",
        "Swept",
        "Velocity",
        "AngularVelocity",
        "Mover",
        "Pushable",
        "Swept",
        "Responses",
        "Walker",
        "Footing",
    ] {
        let path = format!("bevy_carom::components::{name}");
        let registration = registry.get_with_type_path(&path);
        let registration = registration.unwrap_or_else(|| panic!("{path} is not registered"));
        let is_component = registration.data::<bevy_ecs::reflect::ReflectComponent>().is_some();
        assert!(is_component, "{path} is not a reflected component");
    }
}

#[test]
fn an_entity_that_moves_while_it_is_disabled_is_there_when_it_is_enabled() {
    let mut app = app();
    let ball = app.world_mut().spawn((Body::Moving, Collider::circle(1.0))).id();
    steps(&mut app, 1);
    app.world_mut().entity_mut(ball).insert(Disabled);
    steps(&mut app, 1);
    app.world_mut().get_mut::<Transform>(ball).unwrap().translation.x = 9.0;
    steps(&mut app, 1);
    app.world_mut().entity_mut(ball).remove::<Disabled>();
    steps(&mut app, 1);
    assert_eq!(colliders_at(&mut app, 9.0, 0.0), [ball]);
    assert_eq!(colliders_at(&mut app, 0.0, 0.0), []);
}

#[test]
fn a_rejected_body_enters_when_its_transform_is_mended() {
    let mut app = app();
    let tilted = at(0.0, 0.0).with_rotation(Quat::from_rotation_x(0.5));
    let body = app.world_mut().spawn((Body::Moving, tilted)).id();
    let ball = app.world_mut().spawn((Collider::circle(1.0), ChildOf(body))).id();
    steps(&mut app, 2);
    assert_eq!(colliders_at(&mut app, 0.0, 0.0), []);
    *app.world_mut().get_mut::<Transform>(body).unwrap() = at(3.0, 0.0);
    steps(&mut app, 1);
    assert_eq!(colliders_at(&mut app, 3.0, 0.0), [ball]);
}

#[test]
fn a_collider_on_an_unknown_layer_enters_when_the_layer_is_declared() {
    let mut app = app();
    let layers = CollisionLayers::new("wood", "wood");
    let ball = app.world_mut().spawn((Body::Moving, Collider::circle(1.0), layers)).id();
    steps(&mut app, 2);
    assert_eq!(colliders_at(&mut app, 0.0, 0.0), []);
    app.world_mut().resource_mut::<CaromWorld>().get_mut().add_layer("wood").unwrap();
    steps(&mut app, 1);
    assert_eq!(colliders_at(&mut app, 0.0, 0.0), [ball]);
}

#[test]
fn a_collider_that_gets_a_walker_later_moves() {
    let mut app = app();
    let mut starts = MessageCursor::default();
    let hero = app.world_mut().spawn((Collider::rectangle(1.0, 1.0), at(0.0, 3.0))).id();
    app.world_mut().spawn((Body::Fixed, Collider::rectangle(8.0, 1.0)));
    steps(&mut app, 1);
    app.world_mut().entity_mut(hero).insert(Walker::default());
    let touches = (0..60).map(|_| {
        app.update();
        began(&app, &mut starts).len()
    });
    assert_eq!(touches.sum::<usize>(), 2);
    assert_eq!(app.world().get::<Body>(hero), Some(&Body::Moving));
    assert!(footing(&app, hero).on_floor());
}

#[test]
fn a_body_that_the_game_gave_stays_below_another() {
    let mut app = app();
    let ball = app.world_mut().spawn(Collider::circle(1.0)).id();
    let ship = app.world_mut().spawn((Body::Moving, at(9.0, 0.0))).id();
    steps(&mut app, 1);
    app.world_mut().entity_mut(ball).insert(Body::Moving);
    steps(&mut app, 1);
    app.world_mut().entity_mut(ball).insert(ChildOf(ship));
    steps(&mut app, 2);
    assert_eq!(app.world().get::<Body>(ball), Some(&Body::Moving));
}

#[test]
fn layers_by_name_and_by_enum_add_up() {
    let app = app_with(CaromPlugin::default().with_layers(["wood"]).with_layers_of::<Layer>());
    let names = app.world().resource::<CaromWorld>().get().layer_names();
    assert_eq!(names, ["default", "wood", "Hero", "Shield", "Bush"]);
}

#[test]
fn velocities_without_effect_are_reported_once() {
    let mut app = app();
    let mut invalid = MessageCursor::default();
    let ball = (Body::Moving, Velocity(Vec2::X), Collider::circle(1.0));
    let ball = app.world_mut().spawn(ball).id();
    let ship = app.world_mut().spawn((Mover::Free, Collider::circle(1.0))).id();
    let gunner = app.world_mut().spawn((Walker::default(), ChildOf(ship))).id();
    steps(&mut app, 1);
    let reports: Vec<InvalidComponent> = read(&app, &mut invalid);
    assert_eq!(reports.len(), 2, "{reports:?}");
    assert_eq!([reports[0].entity, reports[1].entity], [Some(ball), Some(gunner)]);
    assert!(reports[0].reason.contains("Mover") && reports[1].reason.contains("below"));
    steps(&mut app, 1);
    assert!(read::<InvalidComponent>(&app, &mut invalid).is_empty());
}

#[test]
fn a_disabled_body_moves_through_everything_by_its_velocity() {
    let mut app = app();
    let mut starts = MessageCursor::default();
    app.world_mut().spawn((Body::Fixed, Collider::rectangle(1.0, 9.0), at(3.0, 0.0)));
    let ghost = (Mover::Slide, Velocity(Vec2::new(64.0, 0.0)), Collider::circle(0.5));
    let ghost = app.world_mut().spawn((ghost, BodyDisabled)).id();
    steps(&mut app, 9);
    assert_eq!(position(&app, ghost), Vec2::new(9.0, 0.0));
    assert!(began(&app, &mut starts).is_empty());
}
