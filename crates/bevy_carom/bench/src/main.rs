//! Measures `app.update()` with one fixed step for the same scenes in bevy_carom, avian2d and bevy_rapier2d.
//!
//! ```sh
//! cargo run --release --ignore-rust-version -- [NAME…]
//! ```
//!
//! - `movers`: 10,000 moving circles and boxes among 2,000 fixed boxes. Nothing is pushed or stopped; the
//!   libraries move the bodies by their velocity and report the touches that begin and end.
//! - `sensors`: the same, but the movers are sensors, without contact points.
//!
//! The peers simulate rigid bodies; this is not what they are made for. Nothing was tuned.

use std::time::{Duration, Instant};

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;

const MOVERS: usize = 10_000;
const FIXED: usize = 2_000;
/// Half the side of the square that contains the scene.
const HALF: f32 = 150.0;
const RADIUS: f32 = 0.4;
const MOVER_HALF: Vec2 = Vec2::new(0.4, 0.3);
const FIXED_HALF: Vec2 = Vec2::new(1.0, 0.5);
const WARM_UP: usize = 60;
const TIMED: usize = 300;

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Movers,
    Sensors,
}

#[derive(Clone, Copy)]
enum Kind {
    Circle,
    Box,
    Wall,
}

/// Returns the position, the velocity and the kind of every body: the same for all libraries.
fn scene() -> Vec<(Vec2, Vec2, Kind)> {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    };
    let mut bodies = Vec::new();
    for n in 0..MOVERS + FIXED {
        let position = Vec2::new(random(), random()) * (HALF - 2.0);
        let velocity = Vec2::new(random(), random()) * 8.0;
        bodies.push(match n {
            n if n >= MOVERS => (position, Vec2::ZERO, Kind::Wall),
            n if n % 2 == 0 => (position, velocity, Kind::Circle),
            _ => (position, velocity, Kind::Box),
        });
    }
    bodies
}

/// The numbers of touches that have begun and ended.
#[derive(Resource, Default, Debug, Clone, Copy, PartialEq)]
struct Counts {
    began: usize,
    ended: usize,
}

/// Returns a velocity that leads back from the border.
fn turned(position: Vec2, velocity: Vec2) -> Vec2 {
    let back = |at: f32, speed: f32| {
        if at.abs() > HALF { -speed.abs() * at.signum() } else { speed }
    };
    Vec2::new(back(position.x, velocity.x), back(position.y, velocity.y))
}

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((bevy_app::TaskPoolPlugin::default(), TimePlugin, TransformPlugin));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1)).init_resource::<Counts>();
    app
}

fn carom(mode: Mode) -> App {
    use bevy_carom::prelude::*;
    fn turn(mut movers: Query<(&Transform, &mut Velocity)>) {
        for (transform, mut velocity) in &mut movers {
            let turned = turned(transform.translation.truncate(), velocity.0);
            velocity.set_if_neq(Velocity(turned));
        }
    }
    fn count(
        mut began: MessageReader<TouchBegan>,
        mut ended: MessageReader<TouchEnded>,
        mut counts: ResMut<Counts>,
    ) {
        // Each touch is reported from both sides.
        counts.began += began.read().count() / 2;
        counts.ended += ended.read().count() / 2;
    }
    let mut app = app();
    app.add_plugins(CaromPlugin::default())
        .add_systems(FixedUpdate, turn)
        .add_systems(FixedLast, count);
    for (position, velocity, kind) in scene() {
        let rectangle = |half: Vec2| Collider::rectangle(2.0 * half.x, 2.0 * half.y);
        let collider = match kind {
            Kind::Circle => Collider::circle(RADIUS),
            Kind::Box => rectangle(MOVER_HALF),
            Kind::Wall => rectangle(FIXED_HALF),
        };
        let place = Transform::from_translation(position.extend(0.0));
        let mut entity = app.world_mut().spawn((collider, place));
        match kind {
            Kind::Wall => entity.insert(Body::Fixed),
            _ => entity.insert((Mover::Free, Velocity(velocity))),
        };
        if mode == Mode::Sensors && !matches!(kind, Kind::Wall) {
            entity.insert(Role::Sensor);
        }
    }
    app
}

#[cfg(feature = "avian")]
fn avian(mode: Mode) -> App {
    use avian2d::prelude::*;
    fn turn(mut movers: Query<(&Transform, &mut LinearVelocity)>) {
        for (transform, mut velocity) in &mut movers {
            let turned = turned(transform.translation.truncate(), velocity.0);
            velocity.set_if_neq(LinearVelocity(turned));
        }
    }
    fn count(
        mut began: MessageReader<CollisionStart>,
        mut ended: MessageReader<CollisionEnd>,
        mut counts: ResMut<Counts>,
    ) {
        counts.began += began.read().count();
        counts.ended += ended.read().count();
    }
    let mut app = app();
    app.add_plugins(PhysicsPlugins::default().build().disable::<PhysicsInterpolationPlugin>())
        .insert_resource(Gravity(Vec2::ZERO))
        .insert_resource(SubstepCount(1))
        .add_systems(FixedUpdate, turn)
        .add_systems(FixedLast, count);
    for (position, velocity, kind) in scene() {
        let rectangle = |half: Vec2| Collider::rectangle(2.0 * half.x, 2.0 * half.y);
        let collider = match kind {
            Kind::Circle => Collider::circle(RADIUS),
            Kind::Box => rectangle(MOVER_HALF),
            Kind::Wall => rectangle(FIXED_HALF),
        };
        let place = Transform::from_translation(position.extend(0.0));
        let mut entity = app.world_mut().spawn((collider, place));
        let mover = (RigidBody::Kinematic, CollisionEventsEnabled, LinearVelocity(velocity));
        match (kind, mode) {
            (Kind::Wall, _) => entity.insert(RigidBody::Static),
            (_, Mode::Movers) => entity.insert(mover),
            (_, Mode::Sensors) => entity.insert((mover, Sensor)),
        };
    }
    app
}

#[cfg(feature = "rapier")]
fn rapier(mode: Mode) -> App {
    use bevy_rapier2d::prelude::*;
    fn turn(mut movers: Query<(&Transform, &mut Velocity)>) {
        for (transform, mut velocity) in &mut movers {
            let turned = turned(transform.translation.truncate(), velocity.linear);
            if turned != velocity.linear {
                velocity.linear = turned;
            }
        }
    }
    fn count(mut events: MessageReader<CollisionEvent>, mut counts: ResMut<Counts>) {
        for event in events.read() {
            match event {
                CollisionEvent::Started(..) => counts.began += 1,
                CollisionEvent::Stopped(..) => counts.ended += 1,
            }
        }
    }
    let mut app = app();
    app.insert_resource(TimestepMode::Fixed { dt: 1.0 / 64.0, substeps: 1 })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_schedule(FixedPostUpdate))
        .add_systems(FixedUpdate, turn)
        .add_systems(FixedLast, count);
    for (position, velocity, kind) in scene() {
        let rectangle = |half: Vec2| Collider::cuboid(half.x, half.y);
        let collider = match kind {
            Kind::Circle => Collider::ball(RADIUS),
            Kind::Box => rectangle(MOVER_HALF),
            Kind::Wall => rectangle(FIXED_HALF),
        };
        let place = Transform::from_translation(position.extend(0.0));
        let types =
            ActiveCollisionTypes::KINEMATIC_KINEMATIC | ActiveCollisionTypes::KINEMATIC_STATIC;
        let events = (ActiveEvents::COLLISION_EVENTS, types);
        let mut entity = app.world_mut().spawn((collider, place));
        let mover = (RigidBody::KinematicVelocityBased, events, Velocity::linear(velocity));
        match (kind, mode) {
            (Kind::Wall, _) => entity.insert(RigidBody::Fixed),
            (_, Mode::Movers) => entity.insert(mover),
            (_, Mode::Sensors) => entity.insert((mover, Sensor)),
        };
    }
    app
}

/// The duration of each timed step, and what was reported.
type Timed = (Vec<Duration>, Counts);

/// carom without Bevy: the part of the time that is the library's own.
fn carom_alone() -> Timed {
    use carom::prelude::*;
    let mut world = World::new();
    let mut movers = Vec::new();
    for (position, velocity, kind) in scene() {
        let rectangle = |half: bevy_math::Vec2| {
            Collider::new(Aabb::from_center_half_size([0.0, 0.0], half.to_array()))
        };
        let collider = match kind {
            Kind::Circle => Collider::new(Circle::new([0.0, 0.0], RADIUS)),
            Kind::Box => rectangle(MOVER_HALF),
            Kind::Wall => rectangle(FIXED_HALF),
        };
        let at = position.to_array();
        let body = if matches!(kind, Kind::Wall) { Body::fixed(at) } else { Body::moving(at) };
        let key = world.add_body(body).expect("the body is valid");
        world.add_collider(key, collider).expect("the collider is valid");
        if !matches!(kind, Kind::Wall) {
            movers.push((key, position, velocity));
        }
    }
    let mut counts = Counts::default();
    let mut step = || {
        let start = Instant::now();
        let moved = movers.iter_mut().map(|(key, position, velocity)| {
            *velocity = turned(*position, *velocity);
            *position += *velocity / 64.0;
            (*key, position.to_array())
        });
        world.set_positions(moved).expect("the positions are finite");
        let events = world.update();
        counts.began += events.began().count();
        counts.ended += events.ended().count();
        start.elapsed()
    };
    let times = (0..WARM_UP + TIMED).map(|_| step()).skip(WARM_UP).collect();
    (times, counts)
}

fn time(mut app: App) -> Timed {
    app.finish();
    app.cleanup();
    app.update(); // the first frame takes no time
    let mut step = || {
        let start = Instant::now();
        app.update();
        start.elapsed()
    };
    let times = (0..WARM_UP + TIMED).map(|_| step()).skip(WARM_UP).collect();
    (times, *app.world().resource::<Counts>())
}

fn main() {
    type Run = (&'static str, fn() -> Timed);
    #[allow(unused_mut, reason = "without peers")]
    let mut runs: Vec<Run> = vec![
        ("movers: carom without Bevy", carom_alone),
        ("movers: bevy_carom", || time(carom(Mode::Movers))),
        ("sensors: bevy_carom", || time(carom(Mode::Sensors))),
    ];
    #[cfg(feature = "avian")]
    runs.extend::<[Run; 2]>([
        ("movers: avian2d", || time(avian(Mode::Movers))),
        ("sensors: avian2d", || time(avian(Mode::Sensors))),
    ]);
    #[cfg(feature = "rapier")]
    runs.extend::<[Run; 2]>([
        ("movers: bevy_rapier2d", || time(rapier(Mode::Movers))),
        ("sensors: bevy_rapier2d", || time(rapier(Mode::Sensors))),
    ]);
    runs.sort_by_key(|(name, _)| name.split(':').next());
    let names: Vec<String> = std::env::args().skip(1).collect();
    println!("{:<28}{:>10}{:>10}{:>10}{:>10}", "ms per update", "median", "p95", "began", "ended");
    for (name, run) in runs {
        if !names.is_empty() && !names.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let (mut times, Counts { began, ended }) = run();
        times.sort_unstable();
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let (median, p95) = (ms(times[times.len() / 2]), ms(times[times.len() * 19 / 20]));
        println!("{name:<28}{median:>10.3}{p95:>10.3}{began:>10}{ended:>10}");
    }
}
