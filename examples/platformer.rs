//! A platformer: run, jump, dash, climb, swim, push crates, ride lifts, fight, and rewind time.
//!
//! Keys: arrows or A/D/W/S move and climb, space jumps, shift dashes, X swings the sword, down drops
//! through a platform, R rewinds.
//!
//! The game is in `Game::step`, which needs no window: the story in `stories/platformer.rs` plays it as
//! a test. `Game::draw` only looks at it. y points down, as on the screen; one tile is one unit.

use std::collections::VecDeque;

use carom::prelude::*;
use carom::sheet::{Frame, FrameRef, Playback, Role, Sheet};
use carom::world::SheetKey;
use carom_examples::{
    Clock, STEP, axis, fill, is_down, letters, position, show, spawn, text, tiles, window,
};
use macroquad::prelude as mq;
use mq::{Color, KeyCode};

#[cfg(test)]
#[path = "stories/platformer.rs"]
mod story;

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

const LEVEL: [&str; 15] = [
    "#..............................................................................#",
    "#..............................................................................#",
    "#..............................................ooo.............................#",
    "#.................................................................ooV..........#",
    "#............................................................................G.#",
    "#.........................................o..........E.....###L............#####",
    "#...................oo..................T####.......####.o.###.............#####",
    "#..........oo...........................H...#.......####...###.............#####",
    "#...................##.......W..........H...#~~~~~~~####...###.............#####",
    "#.....oo..----......##...o..............H...#~~~~~~~####.o.###.............#####",
    "#...................##..................H...#~~~~~~~####...###.............#####",
    "#.@../##\\......C....##........E......F..H...#~~~~~~~####...###.............#####",
    "########################...#######..#########~~~~~~~##########.............#####",
    "########################^^^#######^^#########~~~o~~~##########^^^^^^^^^^^^^#####",
    "################################################################################",
];

// Speeds are in tiles per second; a step lasts 1/60 s.
const UP: [f32; 2] = [0.0, -1.0];
const RUN: f32 = 8.0;
const ACCELERATION: f32 = 80.0;
const GRAVITY: f32 = 42.0;
const FALL: f32 = 18.0; // the fastest fall
const JUMP: f32 = 17.0; // rises JUMP² / (2 · GRAVITY) = 3.4 tiles
const CLIMB: f32 = 4.0;
const DASH: f32 = 20.0;
const DASH_STEPS: u32 = 9;
const WALL_SLIDE: f32 = 3.0;
const WALL_STEPS: u32 = 6; // a jump off a wall still works this long after letting go
const GRACE: JumpGrace = JumpGrace::frames(6, 6); // coyote time and jump buffering, in steps

// What a body is, stored in its user data: a number for each kind, which is also its color.
const GROUND: u64 = 0x4a5568;
const WATER: u64 = 0x4299e1;
const LADDER: u64 = 0x975a16;
const SPIKES: u64 = 0xe53e3e;
const LIFT: u64 = 0x38b2ac;
const CRATE: u64 = 0xdd6b20;
const COIN: u64 = 0xf6e05e;
const FLAG: u64 = 0x48bb78;
const GOAL: u64 = 0xffffff;
const ENEMY: u64 = 0xd53f8c;
const HERO: u64 = 0x63b3ed;

/// The keys that are down during a step.
#[derive(Clone, Copy, Default)]
struct Input {
    left: bool,
    right: bool,
    up: bool,
    down: bool,
    jump: bool,
    dash: bool,
    attack: bool,
    rewind: bool,
}

#[derive(Clone, Default)]
struct Hero {
    state: WalkerState, // what the walker remembers: its floor, and how long it has been in the air
    velocity: Vec2,
    facing: f32,      // 1 is right, -1 is left
    wall_steps: u32,  // steps during which the hero can still jump off a wall
    wall_normal: f32, // 1 if that wall is on the left, -1 if it is on the right
    can_dash: bool,
    dash_steps: u32, // steps that the dash still lasts
    is_pushing: bool,
    is_climbing: bool,
    swing: Option<u64>, // the age of the swing of the sword, in steps
    safe_steps: u32,    // steps during which nothing hurts
    hearts: u32,
    coins: u32,
    checkpoint: Vec2,
    has_won: bool,
}

#[derive(Clone)]
struct Enemy {
    body: BodyKey,
    state: WalkerState,
    direction: f32,
}

/// Everything that changes while the game runs. A copy of it is a moment to return to.
#[derive(Clone)]
struct Moment {
    world: World,
    body: BodyKey, // of the hero
    hero: Hero,
    enemies: Vec<Enemy>,
    lifts: Vec<(BodyKey, Vec2, Vec2)>, // with the two positions between which they move
    seesaws: Vec<BodyKey>,
    crates: Vec<(BodyKey, WalkerState, Vec2)>, // with their velocity
    steps: u32,
    last_input: Input,
}

struct Game {
    now: Moment,
    past: VecDeque<Moment>,
    swords: SheetKey,
}

impl Game {
    fn new() -> Result<Self> {
        let mut world = World::new();
        // The hero touches the level and things; enemies touch the level only.
        for layer in ["level", "thing", "hero", "enemy", "ladder", "water"] {
            world.add_layer(layer)?;
        }
        // 1. The level is one tile map. Ladders, water and spikes are maps of their own, as sensors.
        let level = tiles(
            &LEVEL,
            &[
                ('#', TileKind::SOLID),
                ('/', TileKind::slope(0.0, 1.0, UP)), // height 0 at the left side, 1 at the right
                ('\\', TileKind::slope(1.0, 0.0, UP)),
                ('-', TileKind::one_way(UP)),
                ('T', TileKind::one_way(UP)), // the top of a ladder
            ],
        );
        let ladders = tiles(&LEVEL, &[('H', TileKind::SOLID), ('T', TileKind::SOLID)]);
        let water = tiles(&LEVEL, &[('~', TileKind::SOLID)]);
        let spikes =
            tiles(&LEVEL, &[('^', TileKind::convex(&[[0.1, 1.0], [0.9, 1.0], [0.5, 0.3]]))]);
        let mut add = |kind, collider| spawn(&mut world, kind, Body::fixed([0.0, 0.0]), [collider]);
        add(GROUND, solid(level))?;
        add(WATER, Collider::sensor(water).on_layer("water"))?;
        add(LADDER, Collider::sensor(ladders).on_layer("ladder"))?;
        add(SPIKES, thing(spikes))?;

        // 2. The sword: a hitbox in one of the three frames of a swing.
        let blade = Triangle::new([0.3, -1.0], [1.7, -0.8], [0.3, -0.6]);
        let swings = Sheet::from_frames([
            Frame::new("rest"),
            Frame::new("lift").ticks(4),
            Frame::new("cut").ticks(6).hitbox("blade", blade),
            Frame::new("lower").ticks(8),
        ])?;
        let swings = swings.with_animation("swing", "lift", "lower", Playback::Forward)?;
        let swords = world.add_sheet(swings)?;

        // 3. Everything that has a letter in the level.
        let (mut enemies, mut lifts) = (Vec::new(), Vec::new());
        let (mut seesaws, mut crates) = (Vec::new(), Vec::new());
        let mut start = Vec2::ZERO;
        for (letter, corner) in letters(&LEVEL) {
            let feet = corner + Vec2::new(0.5, 1.0); // the middle of the tile's lower side
            match letter {
                '@' => start = feet,
                'o' => {
                    let disc = Circle::new([0.0, 0.0], 0.3);
                    spawn(&mut world, COIN, Body::fixed(corner + 0.5), [thing(disc)])?;
                }
                'F' | 'G' => {
                    let kind = if letter == 'F' { FLAG } else { GOAL };
                    let pole = Aabb::new([-0.1, -2.0], [0.1, 0.0]);
                    spawn(&mut world, kind, Body::fixed(feet), [thing(pole)])?;
                }
                'C' => {
                    let shape = solid(Aabb::new([0.0, 0.0], [1.0, 1.0]));
                    let body = Body::moving(corner).pushable();
                    let body = spawn(&mut world, CRATE, body, [shape])?;
                    crates.push((body, WalkerState::new(), Vec2::ZERO));
                }
                'W' => {
                    let shape = solid(Aabb::new([-2.0, -0.2], [2.0, 0.2]));
                    seesaws.push(spawn(&mut world, LIFT, Body::moving(corner + 0.5), [shape])?);
                }
                'L' | 'V' => {
                    let shape = solid(Aabb::new([0.0, 0.0], [2.0, 0.4]));
                    let body = spawn(&mut world, LIFT, Body::moving(corner), [shape])?;
                    let way = if letter == 'L' { [4.0, 0.0] } else { [0.0, 3.0] };
                    lifts.push((body, corner, corner + Vec2::from(way)));
                }
                'E' => {
                    // A box that walks, a sensor that hurts the hero, and a box for the sword to hit.
                    let shape = Aabb::new([-0.45, -0.8], [0.45, 0.0]);
                    let walks = Collider::new(shape).on_layer("enemy").with_mask("level");
                    let is_hit = Collider::new(shape).with_role(Role::Hurtbox);
                    let colliders = [walks, thing(shape), is_hit];
                    let body = spawn(&mut world, ENEMY, Body::moving(feet), colliders)?;
                    enemies.push(Enemy { body, state: WalkerState::new(), direction: -1.0 });
                }
                _ => {}
            }
        }

        // 4. The hero's position is between the feet. A swept body touches every coin that it passes, at any speed.
        let shape = Aabb::new([-0.35, -1.4], [0.35, 0.0]);
        let collider = Collider::new(shape).on_layer("hero").with_mask(["level", "thing"]);
        let body = spawn(&mut world, HERO, Body::moving(start).swept(), [collider])?;
        let hero = Hero { facing: 1.0, hearts: 3, checkpoint: start, ..Default::default() };
        let last_input = Input::default();
        let now =
            Moment { world, body, hero, enemies, lifts, seesaws, crates, steps: 0, last_input };
        Ok(Self { now, past: VecDeque::new(), swords })
    }

    /// Advances the game by one step of 1/60 s, or goes one step back in time.
    fn step(&mut self, input: Input) -> Result {
        if input.rewind {
            if let Some(moment) = self.past.pop_back() {
                self.now = moment;
            }
            return Ok(());
        }
        self.past.push_back(self.now.clone());
        if self.past.len() > 600 {
            self.past.pop_front(); // ten seconds are enough
        }
        self.now.step(input, self.swords)
    }
}

impl Moment {
    fn step(&mut self, input: Input, swords: SheetKey) -> Result {
        self.steps += 1;
        self.move_lifts()?; // platforms first: they take along what stands on them
        self.move_enemies()?;
        self.move_hero(input)?;
        self.move_crates()?;
        self.swing_sword(input, swords)?;
        self.react()?;
        self.last_input = input;
        Ok(())
    }

    fn move_lifts(&mut self) -> Result {
        let cycle = self.steps as f32 * STEP / 3.0 % 2.0; // three seconds there, three seconds back
        let part = if cycle < 1.0 { cycle } else { 2.0 - cycle };
        for &(lift, from, to) in &self.lifts {
            let motion = from.lerp(to, part) - position(&self.world, lift);
            self.world.carry(lift, motion)?;
        }
        let angle = 0.5 * (self.steps as f32 * STEP).sin(); // the seesaws tilt to and fro
        for &seesaw in &self.seesaws {
            let pose = Pose::new(position(&self.world, seesaw), angle);
            self.world.carry_to(seesaw, pose)?;
        }
        Ok(())
    }

    /// Enemies walk to and fro; they turn at walls and at ledges.
    fn move_enemies(&mut self) -> Result {
        let walker = Walker::new().up(UP).push_limit(0); // they do not push crates
        for enemy in &mut self.enemies {
            // Right of up is left on the screen, because y points down.
            let Enemy { body, state, direction } = enemy;
            if self.world.is_ledge_within(*body, &walker, state, -0.95 * *direction)? {
                *direction = -*direction;
            }
            let motion = Vec2::new(2.0 * enemy.direction, 10.0) * STEP;
            let walk = self.world.walk(enemy.body, &walker, &mut enemy.state, motion)?;
            if walk.wall.is_some() {
                enemy.direction = -enemy.direction;
            }
        }
        Ok(())
    }

    /// Returns whether a point above the hero's feet is in a zone: in water, or at a ladder.
    fn hero_is_in(&self, layer: &str, height: f32) -> Result<bool> {
        let filter = Filter::new().layers(self.world.layers(layer)?);
        let point = position(&self.world, self.body) - Vec2::new(0.0, height);
        Ok(!self.world.at_point(point, &filter).is_empty())
    }

    fn move_hero(&mut self, input: Input) -> Result {
        let in_water = self.hero_is_in("water", 0.7)?;
        let at_ladder = self.hero_is_in("ladder", 0.05)?;
        let run = axis(input.left, input.right);
        let hero = &mut self.hero;
        let jump_pressed = input.jump && !self.last_input.jump;
        if jump_pressed {
            hero.state.request_jump();
        }
        hero.wall_steps = hero.wall_steps.saturating_sub(1);
        hero.safe_steps = hero.safe_steps.saturating_sub(1);
        if run != 0.0 && hero.dash_steps == 0 {
            hero.facing = run;
        }
        if hero.state.on_floor() || in_water || hero.is_climbing {
            hero.can_dash = true;
        }

        // 1. How the hero moves: by a dash, on a ladder, in water, or with feet and gravity.
        if input.dash && !self.last_input.dash && hero.can_dash {
            (hero.dash_steps, hero.can_dash, hero.is_climbing) = (DASH_STEPS, false, false);
        }
        hero.is_climbing = at_ladder && (hero.is_climbing || input.up) && hero.dash_steps == 0;
        if hero.dash_steps > 0 {
            hero.dash_steps -= 1;
            hero.velocity = Vec2::new(hero.facing * DASH, 0.0);
        } else if hero.is_climbing {
            let climb = axis(input.up, input.down);
            hero.velocity = Vec2::new(run, climb) * CLIMB;
        } else {
            let slow = if in_water { 0.3 } else { 1.0 };
            let speed = if hero.is_pushing { 0.4 * RUN } else { RUN * slow };
            let change = run * speed - hero.velocity.x;
            hero.velocity.x += change.clamp(-ACCELERATION * STEP, ACCELERATION * STEP);
            hero.velocity.y = (hero.velocity.y + GRAVITY * slow * STEP).min(FALL * slow);
            if hero.wall_steps == WALL_STEPS - 1 && run == -hero.wall_normal {
                hero.velocity.y = hero.velocity.y.min(WALL_SLIDE);
            }
        }

        // 2. Jumps. A key that was pressed a little too early or too late still counts.
        let swims = in_water || hero.is_climbing;
        if hero.state.jump(GRACE) || swims && hero.state.air_jump(GRACE) {
            // A jump takes along the speed of the lift.
            let lift = self.world.support_motion(self.body) / STEP;
            hero.velocity = Vec2::new(hero.velocity.x + lift.x, lift.y.min(0.0) - JUMP);
            hero.is_climbing = false;
        } else if hero.wall_steps > 0 && hero.state.air_jump(GRACE) {
            hero.velocity = Vec2::new(hero.wall_normal * RUN, -JUMP); // away from the wall
            hero.wall_steps = 0;
        }
        if hero.state.is_jumping && !input.jump {
            hero.velocity.y = hero.velocity.y.max(-JUMP / 3.0); // a short press is a small jump
        }
        if input.down {
            hero.state.drop_through();
        }

        // 3. The walk. It slides along walls, keeps to slopes, stops at floors and ceilings, and pushes crates.
        let walker =
            Walker::new().up(UP).snap_distance(0.25).max_step_height(0.3).corner_correction(0.3);
        let walk = self.world.walk(self.body, &walker, &mut hero.state, hero.velocity * STEP)?;
        hero.velocity = walk.velocity(hero.velocity);
        hero.is_pushing = walk.pushed.is_some();
        if let (Some(wall), false) = (&walk.wall, walk.on_floor()) {
            (hero.wall_steps, hero.wall_normal) = (WALL_STEPS, wall.normal.x.signum());
        }
        Ok(())
    }

    /// Crates fall if nothing holds them. They walk without steps, so they ride lifts, too.
    fn move_crates(&mut self) -> Result {
        for (body, state, velocity) in &mut self.crates {
            velocity.y = (velocity.y + GRAVITY * STEP).min(FALL);
            let walk = self.world.walk(*body, &Walker::new().up(UP), state, *velocity * STEP)?;
            *velocity = walk.velocity(*velocity);
        }
        Ok(())
    }

    /// Shows the frames of the swing one after the other. Their hitboxes strike once per swing.
    fn swing_sword(&mut self, input: Input, swords: SheetKey) -> Result {
        let sheet = self.world.sheet(swords).expect("the sheet was added").clone();
        let hero = &mut self.hero;
        let last = sheet.loop_ticks("swing")? - 1;
        hero.swing = hero.swing.filter(|&tick| tick < last).map(|tick| tick + 1);
        if input.attack && !self.last_input.attack && hero.swing.is_none() {
            hero.swing = Some(0);
        }
        let frame = match hero.swing {
            Some(tick) => sheet.frame_at("swing", tick)?,
            None => sheet.index_of("rest")?,
        };
        let flip = if hero.facing < 0.0 { Flip::X } else { Flip::NONE };
        self.world.set_frame(self.body, swords, FrameRef::from(frame).flipped(flip))?;
        Ok(())
    }

    /// Updates the world and reacts to what touches what.
    fn react(&mut self) -> Result {
        self.world.update();
        let victims: Vec<BodyKey> =
            self.world.strikes().iter().map(|strike| strike.victim).collect();
        for victim in victims {
            self.enemies.retain(|enemy| enemy.body != victim);
            self.world.remove_body(victim)?;
        }
        for body in self.world.touching_bodies(self.body) {
            let Some(&Body { user_data, pose, .. }) = self.world.body(body) else { continue };
            match user_data {
                COIN => {
                    self.hero.coins += 1;
                    self.world.remove_body(body)?;
                }
                FLAG => self.hero.checkpoint = pose.position,
                GOAL => self.hero.has_won = true,
                SPIKES => self.respawn()?,
                ENEMY if self.hero.safe_steps == 0 => {
                    let hero = &mut self.hero;
                    (hero.hearts, hero.safe_steps) = (hero.hearts - 1, 60);
                    hero.velocity = Vec2::new(-hero.facing * RUN, -JUMP / 2.0); // knock-back
                    hero.state.leave_floor();
                    if hero.hearts == 0 {
                        self.respawn()?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn respawn(&mut self) -> Result {
        (self.hero.velocity, self.hero.state) = (Vec2::ZERO, WalkerState::new());
        (self.hero.hearts, self.hero.safe_steps) = (3, 60);
        self.world.set_position(self.body, self.hero.checkpoint)?;
        Ok(())
    }
}

/// A collider that things stand on and bump into.
fn solid(shape: impl Into<Shape>) -> Collider {
    Collider::new(shape.into()).on_layer("level")
}

/// A sensor that only the hero touches.
fn thing(shape: impl Into<Shape>) -> Collider {
    Collider::sensor(shape.into()).on_layer("thing").with_mask("hero")
}

/// The part of the level that the window shows, in tiles.
const VIEW: [f32; 2] = [32.0, 15.0];

impl Game {
    fn draw(&self) {
        let Moment { world, body, hero, .. } = &self.now;
        mq::clear_background(Color::from_hex(0x1a202c));
        let left = position(world, *body).x - VIEW[0] / 2.0;
        show([left.clamp(0.0, LEVEL[0].len() as f32 - VIEW[0]), 0.0], VIEW);
        for collider in world.colliders() {
            let color = match collider.role() {
                Role::Hitbox => mq::WHITE, // the blade
                Role::Hurtbox => continue,
                _ => Color::from_hex(collider.body().user_data as u32),
            };
            let blinks = collider.body_key() == *body && hero.safe_steps % 10 > 5;
            fill(&collider.placed(), if blinks { mq::WHITE } else { color });
        }
        let eye = position(world, *body) + Vec2::new(hero.facing * 0.15, -1.1);
        fill(&Circle::new(eye, 0.1), mq::BLACK);
        let line = if hero.has_won { "You win!" } else { "arrows, space, shift, X, R: rewind" };
        text(
            &format!("coins {}   hearts {}   {line}", hero.coins, hero.hearts),
            [40.0, 30.0],
            mq::WHITE,
        );
    }
}

#[macroquad::main(conf)]
async fn main() -> Result {
    let (mut game, mut clock) = (Game::new()?, Clock::default());
    loop {
        let input = Input {
            left: is_down(&[KeyCode::Left, KeyCode::A]),
            right: is_down(&[KeyCode::Right, KeyCode::D]),
            up: is_down(&[KeyCode::Up, KeyCode::W]),
            down: is_down(&[KeyCode::Down, KeyCode::S]),
            jump: is_down(&[KeyCode::Space]),
            dash: is_down(&[KeyCode::LeftShift, KeyCode::RightShift]),
            attack: is_down(&[KeyCode::X]),
            rewind: is_down(&[KeyCode::R]),
        };
        for _ in 0..clock.steps() {
            game.step(input)?;
        }
        game.draw();
        mq::next_frame().await;
    }
}

fn conf() -> mq::Conf {
    window("carom platformer", VIEW, 30.0)
}
