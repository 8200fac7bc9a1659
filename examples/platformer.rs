//! A platformer: run, jump, dash, climb, swim, push crates, ride lifts, fight, and rewind time.
//!
//! Keys: arrows or A/D/W/S move and climb, space jumps, shift dashes, X swings the sword, down crouches
//! and drops through a platform, R rewinds, Enter starts again.
//!
//! The game is in `Game::step`, which needs no window: the story in `stories/platformer.rs` plays it as
//! a test. `Game::draw` only looks at it. y points down, as on the screen; one tile is one unit.

use std::collections::VecDeque;

use carom::prelude::*;
use carom::sheet::{Frame, FrameRef, Playback, Role, Sheet};
use carom::world::{Rehit, SheetKey};
use carom_examples::{
    Clock, PLAY_AGAIN, STEP, axis, banner, fill, hud, is_down, letters, position, show, spawn,
    tiles, window,
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
    "#..........oo..........................rH####.......####...###.............#####",
    "#...................##.......W........r.H####~~~~~~~####...###.............#####",
    "#.....oo..----......##...o...........r..H####~~~~~~~####.o.###.............#####",
    "#...................##..............r...H####~~~~~~~####...###.............#####",
    "#.@../##\\......C....##-.......E......F..H..o#~~~~~~~####...###.............#####",
    "########################...#######..#########~~~~~~~##########.............#####",
    "########################^^^#######^^#########~~~*~~~##########^^^^^^^^^^^^^#####",
    "################################################################################",
];

// Speeds are in tiles per second; a step lasts 1/60 s.
const UP: [f32; 2] = [0.0, -1.0];
const STANDING: f32 = 1.4; // the height of the hero
const CROUCHING: f32 = 0.8;
const RUN: f32 = 8.0;
const ACCELERATION: f32 = 80.0;
const GRAVITY: f32 = 42.0;
const FALL: f32 = 18.0; // the fastest fall
const JUMP: f32 = 17.0; // rises JUMP² / (2 · GRAVITY) = 3.4 tiles
const CLIMB: f32 = 4.0;
const DASH: f32 = 20.0;
const DASH_STEPS: u32 = 9;
const WALL_SLIDE: f32 = 3.0;
const WALL_REACH: f32 = 0.2; // how near a wall has to be for a jump off it
const GRACE: JumpGrace = JumpGrace::frames(6, 6); // coyote time and jump buffering, in steps

// What a body is, stored in its user data: a number for each kind, which is also its color.
const GROUND: u64 = 0x4a5568;
const WATER: u64 = 0x2c5282;
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
    facing: f32, // 1 is right, -1 is left
    can_dash: bool,
    dash_steps: u32, // steps that the dash still lasts
    is_pushing: bool,
    is_crouching: bool,
    is_climbing: bool,
    swing: Option<u64>, // the age of the swing of the sword, in steps
    safe_steps: u32,    // steps during which nothing hurts
    hearts: u32,
    coins: u32,
    checkpoint: Vec2,
    has_won: bool,
}

/// Everything that changes while the game runs. A copy of it is a moment to return to.
#[derive(Clone)]
struct Moment {
    world: World,
    body: BodyKey, // of the hero
    shape: ColliderKey,
    hero: Hero,
    enemies: Vec<(BodyKey, WalkerState, f32)>, // with their direction
    lifts: Vec<(BodyKey, Vec2, Vec2, f32)>, // with their start, their path, and how far they tilt
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
        world.set_hidden_bodies_collide(false); // what is not visible does not collide
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
                ('r', TileKind::one_way_line([1.0, 0.0], [0.0, 1.0])), // a ramp
            ],
        );
        let ladders = tiles(&LEVEL, &[('H', TileKind::SOLID), ('T', TileKind::SOLID)]);
        let water = tiles(&LEVEL, &[('~', TileKind::SOLID), ('*', TileKind::SOLID)]);
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
        let (mut enemies, mut lifts, mut crates) = (Vec::new(), Vec::new(), Vec::new());
        let mut start = Vec2::ZERO;
        for (letter, corner) in letters(&LEVEL) {
            let feet = corner + Vec2::new(0.5, 1.0); // the middle of the tile's lower side
            match letter {
                '@' => start = feet,
                'o' | '*' => {
                    // a coin, and a coin in water
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
                    let body = spawn(&mut world, CRATE, Body::moving(corner).pushable(), [shape])?;
                    crates.push((body, WalkerState::new(), Vec2::ZERO));
                }
                'W' => {
                    let shape = solid(Aabb::new([-2.0, -0.2], [2.0, 0.2]));
                    let body = spawn(&mut world, LIFT, Body::moving(corner + 0.5), [shape])?;
                    lifts.push((body, corner + 0.5, Vec2::ZERO, 1.0));
                }
                'L' | 'V' => {
                    let shape = solid(Aabb::new([0.0, 0.0], [2.0, 0.4]));
                    let body = spawn(&mut world, LIFT, Body::moving(corner), [shape])?;
                    let path = if letter == 'L' { Vec2::X * 4.0 } else { Vec2::Y * 3.0 };
                    lifts.push((body, corner, path, 0.0));
                }
                'E' => {
                    // A box that walks, one that hurts the hero once a second, and one for the sword.
                    let shape = Aabb::new([-0.45, -0.8], [0.45, 0.0]);
                    let walks = Collider::new(shape).on_layer("enemy").with_mask("level");
                    let is_hit = Collider::new(shape).with_role(Role::Hurtbox);
                    let hurts = Collider::new(shape).with_role(Role::Hitbox);
                    let colliders = [walks, is_hit, hurts.with_rehit(Rehit::AfterTicks(60))];
                    let body =
                        spawn(&mut world, ENEMY, Body::moving(feet).with_team(2), colliders)?;
                    enemies.push((body, WalkerState::new(), -1.0));
                }
                _ => {}
            }
        }

        // 4. The hero's position is between the feet. A swept body touches every coin that it passes, at any speed.
        let collider = Collider::new(hero_box(STANDING)).on_layer("hero");
        let is_hurt = Collider::new(hero_box(STANDING)).with_role(Role::Hurtbox);
        let body = spawn(&mut world, HERO, Body::moving(start).with_team(1).swept(), [is_hurt])?;
        let shape = world.add_collider(body, collider.with_mask(["level", "thing"]))?;
        let hero = Hero { facing: 1.0, hearts: 3, checkpoint: start, ..Default::default() };
        let (steps, last_input) = (0, Input::default());
        let now = Moment { world, body, shape, hero, enemies, lifts, crates, steps, last_input };
        Ok(Self { now, past: VecDeque::new(), swords })
    }

    /// Advances the game by one step of 1/60 s, or goes one step back in time.
    fn step(&mut self, input: Input) -> Result {
        if input.rewind {
            self.now = self.past.pop_back().unwrap_or(self.now.clone());
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
        self.last_input = input;
        self.react()
    }

    fn move_lifts(&mut self) -> Result {
        // Three seconds there, three seconds back, slower near the ends.
        let part = 0.5 - 0.5 * (self.steps as f32 * STEP * std::f32::consts::PI / 3.0).cos();
        for &(lift, from, path, tilt) in &self.lifts {
            self.world.carry_to(lift, Pose::new(from + path * part, tilt * (part - 0.5)))?;
        }
        Ok(())
    }

    /// Enemies walk to and fro; they turn at walls and at ledges.
    fn move_enemies(&mut self) -> Result {
        let walker = Walker::new().up(UP).push_limit(0); // they do not push crates
        for (body, state, direction) in &mut self.enemies {
            // Right of up is left on the screen, because y points down.
            let is_ledge = self.world.is_ledge_within(*body, &walker, state, -0.95 * *direction)?;
            let motion = Vec2::new(if is_ledge { 0.0 } else { 2.0 * *direction }, 10.0) * STEP;
            let walk = self.world.walk(*body, &walker, state, motion)?;
            if is_ledge || walk.wall.is_some() {
                *direction = -*direction;
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
        let walker =
            Walker::new().up(UP).snap_distance(0.25).max_step_height(0.3).corner_correction(0.3);
        // The direction away from a wall beside the hero, who need not press against it.
        let wall = self.world.wall_within(self.body, &walker, WALL_REACH)?;
        let wall = wall.or(self.world.wall_within(self.body, &walker, -WALL_REACH)?);
        let wall = wall.filter(|_| !self.hero.state.on_floor()).map(|wall| wall.normal.x.signum());
        self.crouch(input.down)?;
        let hero = &mut self.hero;
        if input.jump && !self.last_input.jump {
            hero.state.request_jump();
        }
        hero.safe_steps = hero.safe_steps.saturating_sub(1);
        if run != 0.0 && hero.dash_steps == 0 {
            hero.facing = run;
        }
        hero.can_dash |= hero.state.on_floor() || in_water || hero.is_climbing;

        // 1. How the hero moves: by a dash, on a ladder, in water, or with feet and gravity.
        if input.dash && !self.last_input.dash && hero.can_dash {
            (hero.dash_steps, hero.can_dash, hero.is_climbing) = (DASH_STEPS, false, false);
        }
        hero.is_climbing = at_ladder && (hero.is_climbing || input.up) && hero.dash_steps == 0;
        if hero.dash_steps > 0 {
            hero.dash_steps -= 1;
            hero.velocity = Vec2::new(hero.facing * DASH, 0.0);
        } else if hero.is_climbing {
            hero.velocity = Vec2::new(run, axis(input.up, input.down)) * CLIMB;
        } else {
            let slow = if in_water { 0.3 } else { 1.0 };
            let is_slow = hero.is_pushing || hero.is_crouching;
            let speed = if is_slow { 0.4 * RUN } else { RUN * slow };
            let change = run * speed - hero.velocity.x;
            hero.velocity.x += change.clamp(-ACCELERATION * STEP, ACCELERATION * STEP);
            hero.velocity.y = (hero.velocity.y + GRAVITY * slow * STEP).min(FALL * slow);
            if wall == Some(-run) {
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
        } else if let Some(away) = wall
            && hero.state.air_jump(GRACE)
        {
            hero.velocity = Vec2::new(away * RUN, -JUMP);
        }
        if hero.state.is_jumping && !input.jump {
            hero.velocity.y = hero.velocity.y.max(-JUMP / 3.0); // a short press is a small jump
        }
        if input.down {
            hero.state.drop_through();
        }

        // 3. The walk. It slides along walls, keeps to slopes, stops at floors and ceilings, and pushes crates.
        let walk = self.world.walk(self.body, &walker, &mut hero.state, hero.velocity * STEP)?;
        hero.velocity = walk.velocity(hero.velocity);
        hero.is_pushing = walk.pushed.is_some();
        Ok(())
    }

    /// Crouches on the floor while the key is down, and stands up as soon as there is room.
    fn crouch(&mut self, key: bool) -> Result {
        let standing = hero_box(STANDING).translated(position(&self.world, self.body));
        let solids = Filter::new().solid().exclude(self.body).layers(self.world.layers("level")?);
        let is_low = self.hero.is_crouching && !self.world.is_free(&standing, &solids);
        let crouches = is_low || key && self.hero.state.on_floor();
        if crouches != self.hero.is_crouching {
            self.hero.is_crouching = crouches;
            let height = if crouches { CROUCHING } else { STANDING };
            self.world.set_shape(self.shape, hero_box(height))?;
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
        Ok(self.world.set_frame(self.body, swords, FrameRef::from(frame).flipped(flip))?)
    }

    /// Updates the world and reacts to what touches what.
    fn react(&mut self) -> Result {
        self.world.update();
        let strikes = self.world.strikes().to_vec();
        for victim in strikes.iter().map(|strike| strike.victim) {
            if victim != self.body {
                self.enemies.retain(|(enemy, ..)| *enemy != victim);
                self.world.remove_body(victim)?;
            } else if self.hero.safe_steps == 0 {
                let hero = &mut self.hero;
                (hero.hearts, hero.safe_steps) = (hero.hearts - 1, 60);
                hero.velocity = Vec2::new(-hero.facing * RUN, -JUMP / 2.0); // knock-back
                hero.state.leave_floor();
            }
        }
        for body in self.world.touching_bodies(self.body) {
            let Some(&Body { user_data, pose, .. }) = self.world.body(body) else { continue };
            match user_data {
                COIN => {
                    self.hero.coins += 1;
                    self.world.set_visible(body, false)?;
                }
                FLAG => self.hero.checkpoint = pose.position,
                GOAL => self.hero.has_won = true,
                SPIKES => self.hero.hearts = 0,
                _ => {}
            }
        }
        if self.hero.hearts == 0 { self.respawn() } else { Ok(()) }
    }

    fn respawn(&mut self) -> Result {
        (self.hero.velocity, self.hero.state) = (Vec2::ZERO, WalkerState::new());
        (self.hero.hearts, self.hero.safe_steps, self.hero.dash_steps) = (3, 60, 0);
        Ok(self.world.set_position(self.body, self.hero.checkpoint)?)
    }
}

/// The shape of the hero, relative to the feet.
fn hero_box(height: f32) -> Aabb {
    Aabb::new([-0.35, -height], [0.35, 0.0])
}

/// A collider that things stand on and bump into.
fn solid(shape: impl Into<Shape>) -> Collider {
    Collider::new(shape.into()).on_layer("level")
}

/// A sensor that only the hero touches.
fn thing(shape: impl Into<Shape>) -> Collider {
    Collider::sensor(shape.into()).on_layer("thing").with_mask("hero")
}

/// The size of the window in tiles: a part of the level, and two rows of text above it.
const VIEW: [f32; 2] = [32.0, 17.0];
const KEYS: &str = "arrows or WASD   space jump   down crouch, drop   shift dash   X sword   R rewind   Enter restart";

impl Game {
    fn draw(&self) {
        let Moment { world, body, hero, .. } = &self.now;
        mq::clear_background(Color::from_hex(0x1a202c));
        let left = position(world, *body).x - VIEW[0] / 2.0;
        show([left.clamp(0.0, LEVEL[0].len() as f32 - VIEW[0]), -2.0], VIEW);
        for collider in world.colliders().filter(|collider| collider.body().visible) {
            let color = match collider.role() {
                Role::Hitbox if collider.body_key() == *body => mq::WHITE, // the blade
                Role::Hitbox | Role::Hurtbox => continue,
                _ => Color::from_hex(collider.body().user_data as u32),
            };
            let blinks = collider.body_key() == *body && hero.safe_steps % 10 > 5;
            fill(&collider.placed(), if blinks { mq::WHITE } else { color });
        }
        let eye = position(world, *body) + Vec2::new(hero.facing * 0.15, 0.2 - CROUCHING);
        fill(&Circle::new(eye, 0.1), mq::BLACK);
        hud(&format!("coins {}   hearts {}   reach the white flag", hero.coins, hero.hearts), KEYS);
        if hero.has_won {
            banner("You win!", PLAY_AGAIN);
        }
    }
}

#[macroquad::main(conf)]
async fn main() -> Result {
    let (mut game, mut clock) = (Game::new()?, Clock::default());
    loop {
        if mq::is_key_pressed(KeyCode::Enter) {
            game = Game::new()?;
        }
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
