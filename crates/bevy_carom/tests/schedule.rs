//! Schedules, pause, interpolation and read-only queries.

mod support;

use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_carom::{CaromInterpolationPlugin, CaromWorld, Interpolated};
use bevy_ecs::message::MessageCursor;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_ecs::system::RunSystemOnce;
use bevy_math::Vec2;
use bevy_time::{Time, Virtual};
use bevy_transform::prelude::*;
use carom::shape::{Aabb, Circle};
use support::*;

#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct NetworkStep;

#[test]
fn the_step_runs_in_the_schedule_of_choice() {
    let mut app = app_with(CaromPlugin::default().in_schedule(NetworkStep));
    app.init_schedule(NetworkStep);
    let ball = (Mover::Free, Velocity(Vec2::new(64.0, 0.0)), Collider::circle(1.0));
    let ball = app.world_mut().spawn(ball).id();
    steps(&mut app, 3);
    assert_eq!(position(&app, ball), Vec2::ZERO);
    app.world_mut().resource_mut::<Time>().advance_by(std::time::Duration::from_secs_f64(0.25));
    app.world_mut().run_schedule(NetworkStep);
    assert_eq!(position(&app, ball), Vec2::new(16.0, 0.0));
}

#[test]
fn nothing_moves_while_the_time_is_paused() {
    let mut app = app();
    let mut starts = MessageCursor::default();
    let ball = (Mover::Free, Velocity(Vec2::new(64.0, 0.0)), Collider::circle(1.0));
    let ball = app.world_mut().spawn(ball).id();
    app.insert_resource(bevy_time::TimeUpdateStrategy::ManualDuration(
        std::time::Duration::from_secs_f64(1.0 / 64.0),
    ));
    steps(&mut app, 2);
    let before = position(&app, ball);
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    app.world_mut().spawn((Body::Moving, Collider::circle(1.0), at(before.x, 0.0)));
    steps(&mut app, 5);
    assert_eq!(position(&app, ball), before);
    assert!(began(&app, &mut starts).is_empty());
    app.world_mut().resource_mut::<Time<Virtual>>().unpause();
    steps(&mut app, 2);
    assert!(position(&app, ball).x > before.x);
    assert_eq!(began(&app, &mut starts).len(), 2);
}

#[test]
fn a_condition_on_the_sets_pauses_the_world() {
    #[derive(Resource)]
    struct IsPlaying(bool);
    let mut app = app();
    app.insert_resource(IsPlaying(true)).configure_sets(
        FixedPostUpdate,
        (CaromSystems::Sync, CaromSystems::Move, CaromSystems::Touch)
            .run_if(|playing: Res<IsPlaying>| playing.0),
    );
    let (mut starts, mut ends) = (MessageCursor::default(), MessageCursor::default());
    let ball = (Mover::Free, Velocity(Vec2::new(64.0, 0.0)), Collider::circle(1.0));
    let ball = app.world_mut().spawn(ball).id();
    let other = app.world_mut().spawn((Body::Moving, Collider::circle(1.0), at(3.0, 0.0))).id();
    steps(&mut app, 1);
    assert_eq!(began(&app, &mut starts).len(), 2);
    app.insert_resource(IsPlaying(false));
    steps(&mut app, 5);
    assert_eq!(position(&app, ball).x, 1.0);
    app.world_mut().despawn(other);
    steps(&mut app, 5);
    assert!(ended(&app, &mut ends).is_empty());
    app.insert_resource(IsPlaying(true));
    steps(&mut app, 1);
    assert_eq!(position(&app, ball).x, 2.0);
    assert_eq!(ended(&app, &mut ends), [[ball, other], [other, ball]]);
}

#[test]
fn systems_can_be_ordered_between_the_sets() {
    #[derive(Resource, Default)]
    struct Seen(Vec<f32>);
    let mut app = app();
    app.init_resource::<Seen>().add_systems(
        FixedPostUpdate,
        (|balls: Query<&Transform, With<Velocity>>, mut seen: ResMut<Seen>| {
            seen.0.extend(balls.iter().map(|transform| transform.translation.x));
        })
        .after(CaromSystems::Move)
        .before(CaromSystems::Touch),
    );
    app.world_mut().spawn((Mover::Free, Velocity(Vec2::new(64.0, 0.0)), Collider::circle(1.0)));
    steps(&mut app, 2);
    assert_eq!(app.world().resource::<Seen>().0, [1.0, 2.0]);
}

fn play_with_rate(interpolates: bool, frame: f64) -> Vec<u64> {
    #[derive(Resource, Default)]
    struct Hashes(Vec<u64>);
    let mut app = app();
    app.init_resource::<Hashes>();
    app.add_systems(FixedLast, |carom: Res<CaromWorld>, mut hashes: ResMut<Hashes>| {
        hashes.0.push(carom.state_hash());
    });
    if interpolates {
        app.add_plugins(CaromInterpolationPlugin::all_bodies());
    }
    let duration = std::time::Duration::from_secs_f64(frame);
    app.insert_resource(bevy_time::TimeUpdateStrategy::ManualDuration(duration));
    let floor = Collider::rectangle(40.0, 1.0);
    let turning = (Mover::Platform, floor, Velocity(Vec2::new(0.1, 0.3)), AngularVelocity(0.2));
    app.world_mut().spawn((turning, at(0.0, 0.0)));
    let level = app.world_mut().spawn(at(0.3, -0.1)).id();
    for n in 0..10 {
        let x = n as f32 * 1.5 - 7.0;
        let (velocity, turn) = (Velocity(Vec2::new(-x, -1.0)), AngularVelocity(n as f32 - 4.7));
        let spinning = (Mover::Free, Collider::rectangle(1.0, 0.3), velocity, turn);
        app.world_mut().spawn((spinning, at(x, 6.0)));
        let mut walker =
            app.world_mut().spawn((Walker::default(), Collider::circle(0.4), at(x, 2.0)));
        if n % 2 == 0 {
            walker.insert(ChildOf(level));
        }
    }
    while app.world().resource::<Hashes>().0.len() < 100 {
        app.update();
    }
    app.world().resource::<Hashes>().0[..100].to_vec()
}

#[test]
fn interpolated_transforms_change_no_bit_of_the_world() {
    let plain = play_with_rate(false, 1.0 / 64.0);
    assert_eq!(plain, play_with_rate(true, 1.0 / 64.0));
    assert_eq!(plain, play_with_rate(true, 1.0 / 200.0));
    assert_eq!(plain, play_with_rate(true, 1.0 / 25.0)); // several steps per frame
    assert!(plain.windows(2).all(|two| two[0] != two[1]));
}

#[test]
fn interpolated_bodies_are_drawn_between_the_last_two_steps() {
    let mut app = app();
    app.add_plugins(CaromInterpolationPlugin::default());
    let ball = || (Mover::Free, Velocity(Vec2::new(64.0, 0.0)), Collider::circle(1.0));
    let spin = AngularVelocity(64.0 * 0.5);
    let eased = app.world_mut().spawn((ball(), spin, Interpolated::default(), at(0.0, 3.0))).id();
    let plain = app.world_mut().spawn(ball()).id();
    steps(&mut app, 2);
    let quarter = std::time::Duration::from_secs_f64(0.25 / 64.0);
    app.insert_resource(bevy_time::TimeUpdateStrategy::ManualDuration(quarter));
    for n in 1..=11 {
        app.update();
        let x = 1.0 + n as f32 * 0.25;
        let transform = *app.world().get::<Transform>(eased).unwrap();
        assert!((transform.translation - bevy_math::Vec3::new(x, 3.0, 5.0)).length() < 1e-5);
        let angle = transform.rotation.to_euler(bevy_math::EulerRot::ZYX).0;
        assert!((angle - 0.5 * x).abs() < 1e-5, "{angle} {x}");
        assert_eq!(position(&app, plain).x, (2.0 + n as f32 * 0.25).floor());
    }
    // The scale and z are those of the game, at once. A jump of the game is not smoothed, whenever it is made.
    let mut transform = app.world_mut().get_mut::<Transform>(eased).unwrap();
    (transform.scale.x, transform.translation.z) = (-1.0, 7.0);
    app.update(); // a step
    let transform = *app.world().get::<Transform>(eased).unwrap();
    assert_eq!((transform.scale.x, transform.translation.z), (-1.0, 7.0));
    assert!((transform.translation.x - 4.0).abs() < 1e-5, "{transform:?}");
    app.world_mut().get_mut::<Transform>(eased).unwrap().translation.x = 100.0;
    for x in [100.0, 100.0, 100.0, 100.0, 100.25, 100.5] {
        app.update();
        assert!((position(&app, eased).x - x).abs() < 1e-4, "{} {x}", position(&app, eased));
    }
    let jump = |mut entities: Query<(&mut Transform, &mut Interpolated)>| {
        for (mut transform, mut interpolated) in &mut entities {
            transform.translation.x = 200.0;
            interpolated.reset();
        }
    };
    app.add_systems(FixedUpdate, jump);
    steps(&mut app, 2);
    for _ in 0..8 {
        app.update();
        assert_eq!(position(&app, eased).x, 201.0);
    }
}

#[test]
fn spatial_queries_are_read_only_and_can_run_side_by_side() {
    #[derive(Resource, Default)]
    struct Found(std::sync::Mutex<Vec<usize>>);
    fn look(query: SpatialQuery, found: Res<Found>) {
        let circle = Circle::new([0.0, 0.0], 5.0);
        let count = query.intersecting(&circle, &Filter::new()).len();
        found.0.lock().unwrap().push(count);
    }
    fn is_read_only<P: bevy_ecs::system::ReadOnlySystemParam>() {}
    is_read_only::<SpatialQuery>();
    let mut app = app();
    app.init_resource::<Found>();
    // Systems that conflict would be reported as ambiguous.
    app.edit_schedule(Update, |schedule| {
        schedule.set_build_settings(bevy_ecs::schedule::ScheduleBuildSettings {
            ambiguity_detection: bevy_ecs::schedule::LogLevel::Error,
            ..Default::default()
        });
    });
    app.add_systems(Update, (look, |query: SpatialQuery, found: Res<Found>| look(query, found)));
    app.world_mut().spawn((Body::Moving, Collider::circle(1.0)));
    steps(&mut app, 2);
    assert_eq!(*app.world().resource::<Found>().0.lock().unwrap(), [1, 1, 1, 1]);
}

#[test]
fn queries_filter_by_layer_and_entity_and_find_free_places() {
    let mut app = app_with(CaromPlugin::default().with_layers(["wall", "enemy"]));
    let all = carom::world::Layers::ALL;
    let spawn = |app: &mut App, layer: &str, x: f32| {
        let layers = CollisionLayers::new(layer, all);
        app.world_mut().spawn((Body::Fixed, Collider::rectangle(2.0, 2.0), layers, at(x, 0.0))).id()
    };
    let wall = spawn(&mut app, "wall", 4.0);
    let enemy = spawn(&mut app, "enemy", 8.0);
    steps(&mut app, 1);
    let check = move |query: SpatialQuery| {
        let filter = query.on_layers(Filter::new(), "enemy").unwrap();
        let hit = query.raycast(Vec2::ZERO, Vec2::X, 100.0, &filter).unwrap();
        assert_eq!((hit.0, hit.1.distance), (enemy, 7.0));
        let error = query.on_layers(Filter::new(), "enmy").unwrap_err().to_string();
        assert!(error.contains("enmy") && error.contains("enemy"), "{error}");
        let not_wall = |entity| entity != wall;
        let found =
            query.only(Filter::new(), not_wall, |filter| query.nearest(Vec2::ZERO, 5, filter));
        assert_eq!(found, [(enemy, 7.0)]);
        let circle = Circle::new([0.0, 0.0], 0.5);
        let hits = query.sweep_all(&circle, Vec2::new(20.0, 0.0), &Filter::new());
        assert_eq!(hits.iter().map(|hit| hit.0).collect::<Vec<_>>(), [wall, enemy]);
        // Touching is not overlapping.
        let beside = Aabb::new([1.0, -1.0], [3.0, 1.0]);
        assert_eq!(query.intersecting(&beside, &Filter::new()), [wall]);
        assert!(query.overlapping(&beside, &Filter::new()).is_empty());
        assert!(query.is_free(&beside, &Filter::new()));
        let inside = Aabb::new([3.5, -0.5], [4.5, 0.5]);
        let by = query.find_free_place(&inside, 5.0, &Filter::new()).unwrap();
        assert_eq!(by.length(), 1.5);
        assert_eq!(query.find_free_place(&inside, 0.5, &Filter::new()), None);
        let bounds = query.shape_of(wall).unwrap().bounds();
        assert_eq!(bounds, Aabb::new([3.0, -1.0], [5.0, 1.0]));
    };
    app.world_mut().run_system_once(check).unwrap();
}
