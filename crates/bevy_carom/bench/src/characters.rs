//! Characters that patrol and jump on tiles, with the character controllers of the libraries.
//!
//! Each character turns around at some distance from its home, so that it is at the same position in all libraries
//! even if it meets a wall a step earlier or later. Characters ignore each other. The peers only look for touches
//! with coins; carom also finds and reports those with the level, which are not counted here.

use super::{Answers, Counts, Index, SECONDS, Scene, app, random};
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_transform::prelude::*;

const CHARACTERS: usize = 1_000;
const COINS: usize = 2_000;
const COLUMNS: usize = 400;
const STOREYS: usize = 10;
/// The height of a storey in tiles.
const HEIGHT: usize = 8;
const SIZE: Vec2 = Vec2::new(0.8, 0.9);
const COIN_RADIUS: f32 = 0.25;
const SPEED: f32 = 4.0;
const JUMP_SPEED: f32 = 12.0;
const GRAVITY: f32 = -30.0;
/// The largest distance from home, after which a character turns around.
const RANGE: f32 = 8.0;
/// The number of steps after which a character jumps again, if it is on the floor.
const JUMP_PERIOD: usize = 50;

/// The collision layers of the peers, as bits.
#[cfg(any(feature = "avian", feature = "rapier"))]
mod layers {
    pub const LEVEL: u32 = 1;
    pub const CHARACTER: u32 = 2;
    pub const COIN: u32 = 4;
}

#[derive(Component)]
struct Coin;

/// The state of a character that is the same in all libraries.
#[derive(Component, Clone, Copy)]
struct Character {
    index: usize,
    home: f32,
    direction: f32,
    on_floor: bool,
}

impl Character {
    /// Sets the velocity for a step.
    fn control(&mut self, step: usize, x: f32, velocity: &mut Vec2) {
        if (x - self.home).abs() > RANGE {
            self.direction = (self.home - x).signum();
        }
        velocity.x = SPEED * self.direction;
        if self.on_floor && (step + self.index).is_multiple_of(JUMP_PERIOD) {
            velocity.y = JUMP_SPEED;
        }
    }

    /// Notes whether the character is on the floor, and returns whether it has landed.
    #[cfg(any(feature = "avian", feature = "rapier"))]
    fn update(&mut self, on_floor: bool) -> bool {
        !std::mem::replace(&mut self.on_floor, on_floor) && on_floor
    }
}

/// The level, which is the same for all libraries.
struct Level {
    /// Rows of tiles, from the lowest.
    rows: Vec<String>,
    characters: Vec<(Character, Vec2)>,
    coins: Vec<Vec2>,
}

impl Level {
    fn new() -> Self {
        let mut random = random();
        let mut below = |n: usize| ((random() * 0.5 + 0.5) * n as f32) as usize;
        // Each storey has stairs and walls of one and two tiles, all low enough to be jumped onto.
        let heights: Vec<Vec<usize>> = (0..STOREYS)
            .map(|_| (0..COLUMNS / 4).flat_map(|_| [1 + below(3); 4]).collect())
            .collect();
        let is_solid = |x: usize, y: usize| {
            let is_border = x == 0 || x == COLUMNS - 1 || y == STOREYS * HEIGHT;
            is_border || y % HEIGHT < heights[y / HEIGHT][x]
        };
        let row = |y| (0..COLUMNS).map(|x| if is_solid(x, y) { '#' } else { '.' }).collect();
        let rows = (0..=STOREYS * HEIGHT).map(row).collect();
        let characters = (0..CHARACTERS).map(|index| {
            let home = 10.5 + below(COLUMNS - 20) as f32;
            let direction = if index.is_multiple_of(2) { 1.0 } else { -1.0 };
            let character = Character { index, home, direction, on_floor: false };
            (character, Vec2::new(home, (index % STOREYS * HEIGHT) as f32 + 4.0))
        });
        let characters = characters.collect();
        let coins = (0..COINS).map(|index| {
            let (x, storey) = (1 + below(COLUMNS - 2), index % STOREYS);
            let floor = storey * HEIGHT + heights[storey][x];
            Vec2::new(x as f32 + 0.5, floor as f32 + 0.6)
        });
        let coins = coins.collect();
        Self { rows, characters, coins }
    }

    /// The map, for carom.
    fn map(&self) -> carom::shape::TileMap {
        let rows: Vec<&str> = self.rows.iter().map(String::as_str).collect();
        let kinds = [('#', carom::shape::TileKind::SOLID)];
        carom::shape::TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &rows, &kinds)
    }

    /// The cells of the tiles, for the peers.
    #[cfg(any(feature = "avian", feature = "rapier"))]
    fn cells(&self) -> Vec<bevy_math::IVec2> {
        let rows = (0..).zip(&self.rows);
        let cells = rows.flat_map(|(y, row)| (0..).zip(row.chars()).map(move |(x, c)| (x, y, c)));
        let solid = cells.filter(|&(.., c)| c == '#');
        solid.map(|(x, y, _)| bevy_math::IVec2::new(x, y)).collect()
    }
}

fn at(position: Vec2) -> Transform {
    Transform::from_translation(position.extend(0.0))
}

pub fn carom() -> App {
    use bevy_carom::prelude::*;
    bevy_carom::collision_layers! {
        enum Layer { Level, Character, Coin }
    }
    fn control(
        mut step: Local<usize>,
        mut characters: Query<(&mut Character, &Transform, &Footing, &mut Velocity)>,
    ) {
        for (mut character, transform, footing, mut velocity) in &mut characters {
            character.on_floor = footing.on_floor();
            character.control(*step, transform.translation.x, &mut velocity.0);
        }
        *step += 1;
    }
    fn count(
        coins: Query<(), With<Coin>>,
        mut began: MessageReader<TouchBegan>,
        mut ended: MessageReader<TouchEnded>,
        mut landed: MessageReader<Landed>,
        mut counts: ResMut<Counts>,
    ) {
        counts.began += began.read().filter(|touch| coins.contains(touch.entity)).count();
        counts.ended += ended.read().filter(|touch| coins.contains(touch.entity)).count();
        counts.landed += landed.read().count();
    }
    let mut app = app();
    let plugin = CaromPlugin::default().with_gravity(Vec2::new(0.0, GRAVITY));
    app.add_plugins(plugin.with_layers_of::<Layer>())
        .add_systems(FixedUpdate, control)
        .add_systems(FixedLast, count);
    let level = Level::new();
    let layers = CollisionLayers::of(Layer::Level, Layer::Character);
    app.world_mut().spawn((Body::Fixed, Collider::tiles(level.map()), layers));
    for &(character, position) in &level.characters {
        let collider = Collider::rectangle(SIZE.x, SIZE.y);
        let layers = CollisionLayers::of(Layer::Character, [Layer::Level, Layer::Coin]);
        let character = (character, Index(character.index), Walker::default(), collider, layers);
        app.world_mut().spawn((character, at(position)));
    }
    for &position in &level.coins {
        let layers = CollisionLayers::of(Layer::Coin, Layer::Character);
        let coin = (Coin, Collider::circle(COIN_RADIUS), Role::Sensor, layers);
        app.world_mut().spawn((coin, at(position)));
    }
    app
}

#[cfg(feature = "avian")]
pub fn avian() -> App {
    use avian2d::prelude::*;
    use layers::{CHARACTER, COIN, LEVEL};
    fn walk(
        mut step: Local<usize>,
        mut characters: Query<(&mut Character, &mut Transform, &mut LinearVelocity, &Collider)>,
        move_and_slide: MoveAndSlide,
        time: Res<bevy_time::Time>,
        mut counts: ResMut<Counts>,
    ) {
        let filter = SpatialQueryFilter::from_mask(LEVEL);
        for (mut character, mut transform, mut velocity, collider) in &mut characters {
            let position = transform.translation.truncate();
            character.control(*step, position.x, &mut velocity.0);
            velocity.y += GRAVITY * SECONDS;
            let mut on_floor = false;
            let moved = move_and_slide.move_and_slide(
                collider,
                position,
                0.0,
                velocity.0,
                time.delta(),
                &MoveAndSlideConfig::default(),
                &filter,
                |hit| {
                    on_floor |= hit.normal.y > 0.7;
                    MoveAndSlideHitResponse::Accept
                },
            );
            transform.translation = moved.position.extend(0.0);
            velocity.0 = moved.projected_velocity;
            // The skin keeps a character above the floor, which it does not hit in every step.
            on_floor |= velocity.y <= 0.0 && {
                let config = MoveAndSlideConfig::default();
                let down = Vec2::new(0.0, -2.0 * config.skin_width);
                let (position, skin) = (moved.position, config.skin_width);
                move_and_slide.cast_move(collider, position, 0.0, down, skin, &filter).is_some()
            };
            counts.landed += usize::from(character.update(on_floor));
        }
        *step += 1;
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
        .add_systems(FixedUpdate, walk)
        .add_systems(FixedLast, count);
    let level = Level::new();
    let collider = Collider::voxels(Vec2::ONE, &level.cells());
    let layers = CollisionLayers::from_bits(LEVEL, 0);
    app.world_mut().spawn((RigidBody::Static, collider, Transform::default(), layers));
    for &(character, position) in &level.characters {
        let body = (RigidBody::Kinematic, CustomPositionIntegration, LinearVelocity::ZERO);
        let collider = Collider::rectangle(SIZE.x, SIZE.y);
        let layers = CollisionLayers::from_bits(CHARACTER, COIN);
        let character = (character, Index(character.index), body, collider, layers);
        app.world_mut().spawn((character, at(position)));
    }
    for &position in &level.coins {
        let layers = CollisionLayers::from_bits(COIN, CHARACTER);
        let collider = (Collider::circle(COIN_RADIUS), Sensor, CollisionEventsEnabled, layers);
        app.world_mut().spawn((Coin, RigidBody::Static, collider, at(position)));
    }
    app
}

#[cfg(feature = "rapier")]
pub fn rapier() -> App {
    use bevy_rapier2d::prelude::*;
    use layers::{CHARACTER, COIN, LEVEL};
    /// The velocity of a character: the controller only takes motions.
    #[derive(Component, Default)]
    struct Speed(Vec2);
    fn control(
        mut step: Local<usize>,
        mut characters: Query<(
            &mut Character,
            &Transform,
            &mut Speed,
            &mut KinematicCharacterController,
        )>,
    ) {
        for (mut character, transform, mut speed, mut controller) in &mut characters {
            character.control(*step, transform.translation.x, &mut speed.0);
            speed.0.y += GRAVITY * SECONDS;
            controller.translation = Some(speed.0 * SECONDS);
        }
        *step += 1;
    }
    fn count(
        mut characters: Query<(&mut Character, &mut Speed, &KinematicCharacterControllerOutput)>,
        mut events: MessageReader<CollisionEvent>,
        mut counts: ResMut<Counts>,
    ) {
        for (mut character, mut speed, output) in &mut characters {
            let is_stopped = output.effective_translation.y.abs() < speed.0.y.abs() * SECONDS / 2.0;
            if output.grounded && speed.0.y < 0.0 || is_stopped {
                speed.0.y = 0.0;
            }
            counts.landed += usize::from(character.update(output.grounded));
        }
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
        .add_systems(FixedUpdate, control)
        .add_systems(FixedLast, count);
    let groups = |layers, mask| {
        CollisionGroups::new(Group::from_bits_retain(layers), Group::from_bits_retain(mask))
    };
    let level = Level::new();
    let collider = Collider::voxels(Vec2::ONE, &level.cells());
    let layers = groups(LEVEL, CHARACTER);
    app.world_mut().spawn((RigidBody::Fixed, collider, Transform::default(), layers));
    for &(character, position) in &level.characters {
        let controller = KinematicCharacterController {
            filter_groups: Some(groups(CHARACTER, LEVEL)),
            ..Default::default()
        };
        let body = (RigidBody::KinematicPositionBased, Speed::default(), controller);
        let collider = Collider::cuboid(SIZE.x / 2.0, SIZE.y / 2.0);
        let layers = groups(CHARACTER, COIN);
        let character = (character, Index(character.index), body, collider, layers);
        app.world_mut().spawn((character, at(position)));
    }
    for &position in &level.coins {
        let events = (ActiveEvents::COLLISION_EVENTS, ActiveCollisionTypes::KINEMATIC_STATIC);
        let collider = (Collider::ball(COIN_RADIUS), Sensor, events, groups(COIN, CHARACTER));
        app.world_mut().spawn((Coin, collider, at(position)));
    }
    app
}

/// A character in carom without Bevy.
struct Walking {
    key: carom::world::BodyKey,
    character: Character,
    state: carom::motion::WalkerState,
    velocity: Vec2,
}

/// carom without Bevy: the part of the time that is the library's own.
pub struct Alone {
    world: carom::world::World,
    characters: Vec<Walking>,
    coin_layer: carom::world::Layer,
    step: usize,
    counts: Counts,
}

impl Alone {
    pub fn new() -> Self {
        use carom::prelude::*;
        let mut world = World::new();
        let [_, _, coin_layer] = ["level", "character", "coin"]
            .map(|name| world.add_layer(name).expect("there are few layers"));
        let mut add = |body: Body, collider: Collider| {
            let key = world.add_body(body).expect("the body is valid");
            world.add_collider(key, collider).expect("the collider is valid");
            key
        };
        let level = Level::new();
        let map = Collider::new(level.map()).on_layer("level").with_mask("character");
        add(Body::fixed([0.0, 0.0]), map);
        let mut characters = Vec::new();
        for &(character, position) in &level.characters {
            let shape = Aabb::from_center_half_size([0.0, 0.0], (SIZE / 2.0).to_array());
            let collider = Collider::new(shape).on_layer("character").with_mask(["level", "coin"]);
            characters.push(Walking {
                key: add(Body::moving(position.to_array()), collider),
                character,
                state: carom::motion::WalkerState::new(),
                velocity: bevy_math::Vec2::ZERO,
            });
        }
        for &position in &level.coins {
            let coin = Collider::sensor(Circle::new([0.0, 0.0], COIN_RADIUS));
            add(Body::fixed(position.to_array()), coin.on_layer("coin").with_mask("character"));
        }
        Self { world, characters, coin_layer, step: 0, counts: Counts::default() }
    }
}

impl Scene for Alone {
    fn step(&mut self) {
        let settings = carom::motion::Walker::new();
        for Walking { key, character, state, velocity } in &mut self.characters {
            let body = self.world.body(*key).expect("the body is there");
            character.on_floor = state.on_floor();
            character.control(self.step, body.pose.position.x, velocity);
            velocity.y += GRAVITY * SECONDS;
            let motion = (*velocity * SECONDS).to_array();
            let walk = self.world.walk(*key, &settings, state, motion).expect("the body can walk");
            *velocity = Vec2::from_array(walk.velocity(velocity.to_array()).to_array());
            self.counts.landed += usize::from(walk.landed);
        }
        self.step += 1;
        let is_coin = |world: &carom::world::World, keys: [carom::world::ColliderKey; 2]| {
            let colliders = keys.map(|key| world.collider(key));
            colliders.into_iter().flatten().any(|it| it.layers().contains(self.coin_layer))
        };
        self.world.update();
        let events = self.world.events();
        self.counts.began += events.began().filter(|it| is_coin(&self.world, it.colliders)).count();
        self.counts.ended += events.ended().filter(|it| is_coin(&self.world, it.colliders)).count();
    }

    fn answers(&mut self) -> Answers {
        let place = |it: &Walking| {
            let body = self.world.body(it.key).expect("the body is there");
            Vec2::from_array(body.pose.position.to_array())
        };
        Answers { counts: self.counts, places: self.characters.iter().map(place).collect() }
    }
}
