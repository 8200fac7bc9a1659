//! Bodies that move through each other, and report what they touch.

use super::{Answers, Counts, Index, SECONDS, Scene, app, random};
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_transform::prelude::*;

const MOVERS: usize = 10_000;
const FIXED: usize = 2_000;
/// Half the side of the square that contains the scene.
const HALF: f32 = 150.0;
const RADIUS: f32 = 0.4;
const MOVER_HALF: Vec2 = Vec2::new(0.4, 0.3);
const FIXED_HALF: Vec2 = Vec2::new(1.0, 0.5);

#[derive(Clone, Copy, PartialEq)]
pub enum Mode {
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
    let mut random = random();
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

/// Returns a velocity that leads back from the border.
fn turned(position: Vec2, velocity: Vec2) -> Vec2 {
    let back = |at: f32, speed: f32| {
        if at.abs() > HALF { -speed.abs() * at.signum() } else { speed }
    };
    Vec2::new(back(position.x, velocity.x), back(position.y, velocity.y))
}

pub fn carom(mode: Mode) -> App {
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
    for (index, (position, velocity, kind)) in scene().into_iter().enumerate() {
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
            _ => entity.insert((Mover::Free, Velocity(velocity), Index(index))),
        };
        if mode == Mode::Sensors && !matches!(kind, Kind::Wall) {
            entity.insert(Role::Sensor);
        }
    }
    app
}

#[cfg(feature = "avian")]
pub fn avian(mode: Mode) -> App {
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
    for (index, (position, velocity, kind)) in scene().into_iter().enumerate() {
        let rectangle = |half: Vec2| Collider::rectangle(2.0 * half.x, 2.0 * half.y);
        let collider = match kind {
            Kind::Circle => Collider::circle(RADIUS),
            Kind::Box => rectangle(MOVER_HALF),
            Kind::Wall => rectangle(FIXED_HALF),
        };
        let place = Transform::from_translation(position.extend(0.0));
        let mut entity = app.world_mut().spawn((collider, place));
        let mover =
            (RigidBody::Kinematic, CollisionEventsEnabled, LinearVelocity(velocity), Index(index));
        match (kind, mode) {
            (Kind::Wall, _) => entity.insert(RigidBody::Static),
            (_, Mode::Movers) => entity.insert(mover),
            (_, Mode::Sensors) => entity.insert((mover, Sensor)),
        };
    }
    app
}

#[cfg(feature = "rapier")]
pub fn rapier(mode: Mode) -> App {
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
    app.insert_resource(TimestepMode::Fixed { dt: SECONDS, substeps: 1 })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_schedule(FixedPostUpdate))
        .add_systems(FixedUpdate, turn)
        .add_systems(FixedLast, count);
    for (index, (position, velocity, kind)) in scene().into_iter().enumerate() {
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
        let mover =
            (RigidBody::KinematicVelocityBased, events, Velocity::linear(velocity), Index(index));
        match (kind, mode) {
            (Kind::Wall, _) => entity.insert(RigidBody::Fixed),
            (_, Mode::Movers) => entity.insert(mover),
            (_, Mode::Sensors) => entity.insert((mover, Sensor)),
        };
    }
    app
}

/// carom without Bevy: the part of the time that is the library's own.
pub struct Alone {
    world: carom::world::World,
    movers: Vec<(carom::world::BodyKey, Vec2, Vec2)>,
    counts: Counts,
}

impl Alone {
    pub fn new() -> Self {
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
            let is_fixed = matches!(kind, Kind::Wall);
            let body = if is_fixed { Body::fixed(at) } else { Body::moving(at) };
            let key = world.add_body(body).expect("the body is valid");
            world.add_collider(key, collider).expect("the collider is valid");
            if !is_fixed {
                movers.push((key, position, velocity));
            }
        }
        Self { world, movers, counts: Counts::default() }
    }
}

impl Scene for Alone {
    fn step(&mut self) {
        let moved = self.movers.iter_mut().map(|(key, position, velocity)| {
            *velocity = turned(*position, *velocity);
            *position += *velocity * SECONDS;
            (*key, position.to_array())
        });
        self.world.set_positions(moved).expect("the positions are finite");
        let events = self.world.update();
        self.counts.began += events.began().count();
        self.counts.ended += events.ended().count();
    }

    fn answers(&mut self) -> Answers {
        let places = self.movers.iter().map(|&(_, position, _)| position).collect();
        Answers { counts: self.counts, places }
    }
}
