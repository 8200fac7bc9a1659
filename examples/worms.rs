//! Worms: two teams on an island that explosions carve.
//!
//! Keys: A/D or the arrows walk, space jumps, the mouse aims; hold the mouse button for power and let go to
//! fire. Tab changes the weapon. Enter starts a new game. The computer plays the red team.
//!
//! The island is a `Mask`: one bit per pixel. Worms walk on it, shots hit it, and an explosion erases a disc.
//! Worms that fall open parachutes.
//! The computer tries its shots in copies of the game, and takes the best.
//!
//! `Game::step` needs no window: the story in `stories/worms.rs` plays it as a test. y points down.

use carom::prelude::*;
use carom_examples::{
    Clock, PLAY_AGAIN, STEP, axis, banner, fill, hud, is_down, mouse, position, show, spawn, text,
    window,
};
use macroquad::prelude as mq;
use mq::{Color, KeyCode};

#[cfg(test)]
#[path = "stories/worms.rs"]
mod story;

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

const VIEW: [f32; 2] = [960.0, 540.0];
const PIXEL: f32 = 2.0; // the size of a pixel of the island
const WATER: f32 = 500.0; // the height of the sea
const UP: [f32; 2] = [0.0, -1.0];
const GRAVITY: f32 = 500.0; // units per second squared
const WALK: f32 = 60.0;
const JUMP: f32 = 220.0;
const SINK: f32 = 120.0; // the speed of a fall with a parachute
const POWER: f32 = 700.0; // the speed of the hardest shot
const CHARGE_STEPS: f32 = 60.0; // how long it takes to charge for it
const FUSE: u32 = 150; // steps until a grenade explodes
const CRATER: f32 = 34.0; // the radius of an explosion
const TEAMS: [u32; 2] = [0x63b3ed, 0xfc8181]; // their colors
const ISLAND: u64 = 0x68774e; // the user data of a body is its color
const SHOT: u64 = 0xffffff;

/// The controls during a step.
#[derive(Clone, Copy, Default)]
struct Input {
    left: bool,
    right: bool,
    jump: bool,
    fire: bool,
    change_weapon: bool,
    aim: Vec2, // a position in the world
}

#[derive(Clone)]
struct Worm {
    body: BodyKey,
    state: WalkerState,
    velocity: Vec2,
    has_parachute: bool,
    team: usize,
    health: i32,
}

#[derive(Clone)]
struct Shot {
    body: BodyKey,
    velocity: Vec2,
    fuse: Option<u32>, // steps until a grenade explodes; a rocket explodes when it hits something
}

/// The phase of a turn.
#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Aiming { charge: f32 },
    Flying,
    Settling { steps: u32 },
}

#[derive(Clone)]
struct Game {
    world: World,
    island: ColliderKey,
    worms: Vec<Worm>,
    current: usize, // the worm whose turn it is
    shot: Option<Shot>,
    throws_grenade: bool,
    phase: Phase,
    turn: u32,
    aim: Vec2,                  // a unit vector
    blast: Option<(Vec2, u32)>, // the last explosion, and for how many steps it is still shown
    last_input: Input,
}

impl Game {
    fn new() -> Result<Self> {
        let mut world = World::new();
        for layer in ["island", "worm", "shot"] {
            world.add_layer(layer)?;
        }
        // 1. The island: hills with a cave.
        let [width, height] = VIEW.map(|side| (side / PIXEL) as u32);
        let pixels = Bitmap::from_fn(width, height, |x, y| {
            let (x, y) = (x as f32 * PIXEL, y as f32 * PIXEL);
            let hills = 330.0 - 70.0 * (x / 130.0).sin() - 40.0 * (x / 53.0).cos();
            let is_cave = Vec2::new((x - 500.0) / 2.5, y - 420.0).length() < 35.0;
            (40.0..920.0).contains(&x) && y > hills && !is_cave
        });
        let mask = Mask::new([0.0, 0.0], PIXEL, pixels);
        let body = spawn(&mut world, ISLAND, Body::fixed([0.0, 0.0]), [])?;
        let island = world.add_collider(body, Collider::new(mask).on_layer("island"))?;

        // 2. The worms drop from the sky.
        let mut worms = Vec::new();
        for (i, x) in [120.0, 840.0, 330.0, 660.0, 450.0, 560.0].into_iter().enumerate() {
            let team = i % 2;
            let shape = Capsule::new([0.0, -12.0], [0.0, -7.0], 7.0);
            let collider = Collider::new(shape).on_layer("worm").with_mask(["island", "shot"]);
            let body = Body::moving([x, 100.0]);
            let body = spawn(&mut world, u64::from(TEAMS[team]), body, [collider])?;
            let (state, velocity) = (WalkerState::new(), Vec2::ZERO);
            worms.push(Worm { body, state, velocity, has_parachute: false, team, health: 100 });
        }
        Ok(Self {
            world,
            island,
            worms,
            current: 5, // the first turn is that of the next worm
            shot: None,
            throws_grenade: false,
            phase: Phase::Settling { steps: 0 },
            turn: 0,
            aim: Vec2::X,
            blast: None,
            last_input: Input::default(),
        })
    }

    /// Advances the game by one step of 1/60 s.
    fn step(&mut self, input: Input) -> Result {
        if self.winner().is_some() {
            return Ok(());
        }
        self.blast = self.blast.filter(|blast| blast.1 > 0).map(|(at, steps)| (at, steps - 1));
        match self.phase {
            Phase::Aiming { charge } => self.aim(input, charge)?,
            Phase::Flying => self.move_shot()?,
            Phase::Settling { steps } => self.settle(steps),
        }
        self.move_worms(input)?;
        self.last_input = input;
        Ok(())
    }

    fn aim(&mut self, input: Input, charge: f32) -> Result {
        if self.worms[self.current].team == 1 {
            let (aim, power) = self.best_shot()?;
            self.aim = aim;
            return self.fire(power);
        }
        if input.change_weapon && !self.last_input.change_weapon {
            self.throws_grenade = !self.throws_grenade;
        }
        self.aim = (input.aim - self.muzzle()).normalize_or(self.aim);
        let charge = if input.fire { charge + 1.0 / CHARGE_STEPS } else { charge };
        self.phase = Phase::Aiming { charge };
        if charge >= 1.0 || charge > 0.0 && !input.fire {
            self.fire(charge)?;
        }
        Ok(())
    }

    /// Returns the position at which shots of the current worm begin.
    fn muzzle(&self) -> Vec2 {
        position(&self.world, self.worms[self.current].body) - Vec2::new(0.0, 10.0)
    }

    fn fire(&mut self, power: f32) -> Result {
        let at = self.muzzle() + self.aim * 14.0;
        let collider = Collider::new(Circle::new([0.0, 0.0], 4.0)).on_layer("shot");
        let collider = collider.with_mask(["island", "worm"]);
        let body = spawn(&mut self.world, SHOT, Body::moving(at), [collider])?;
        let fuse = self.throws_grenade.then_some(FUSE);
        self.shot = Some(Shot { body, velocity: self.aim * power * POWER, fuse });
        self.phase = Phase::Flying;
        Ok(())
    }

    /// A rocket flies until it hits something; a grenade bounces until its fuse has burnt down.
    fn move_shot(&mut self) -> Result {
        let Some(shot) = &mut self.shot else { return Ok(()) };
        shot.velocity.y += GRAVITY * STEP;
        let response = if shot.fuse.is_some() { Response::Bounce(0.5) } else { Response::Touch };
        let travel = self.world.travel(shot.body, shot.velocity * STEP, |_| response)?;
        for hit in travel.hits() {
            shot.velocity = hit.bounced(shot.velocity, 0.5);
        }
        shot.fuse = shot.fuse.map(|steps| steps - 1);
        let explodes = shot.fuse.map_or(!travel.hits().is_empty(), |steps| steps == 0);
        if explodes || travel.end.y > WATER || (travel.end.x - VIEW[0] / 2.0).abs() > VIEW[0] {
            self.world.remove_body(shot.body)?;
            self.shot = None;
            self.phase = Phase::Settling { steps: 0 };
        }
        if explodes {
            self.explode(travel.end)?;
        }
        Ok(())
    }

    /// Carves a crater, and hurts and throws the worms near it.
    fn explode(&mut self, center: Vec2) -> Result {
        self.blast = Some((center, 20));
        let size = (2.0 * CRATER / PIXEL) as u32;
        let middle = size as f32 / 2.0;
        let disc = Bitmap::from_fn(size, size, |x, y| {
            Vec2::new(x as f32 + 0.5 - middle, y as f32 + 0.5 - middle).length() < middle
        });
        let corner = ((center - CRATER) / PIXEL).to_array().map(|number| number as i32);
        self.world
            .edit_mask(self.island, |mask| mask.edit(|pixels| pixels.erase(&disc, corner)))?;

        let reach = 2.0 * CRATER;
        for worm in &mut self.worms {
            let offset = position(&self.world, worm.body) - Vec2::new(0.0, 10.0) - center;
            let strength = 1.0 - offset.length() / reach;
            if strength > 0.0 {
                worm.health -= (strength * 60.0) as i32;
                worm.velocity += (offset.normalize_or_zero() + Vec2::from(UP)) * strength * 260.0;
                worm.state.leave_floor();
            }
        }
        Ok(())
    }

    /// The next turn begins when all worms stand still.
    fn settle(&mut self, steps: u32) {
        let is_calm = self.worms.iter().all(|worm| worm.state.on_floor());
        if (is_calm && steps > 60) || steps > 600 {
            // The teams take turns, and within a team its worms do.
            let (team, count) = (self.turn as usize % 2, self.worms.len());
            let mut others = (1..=count).map(|i| (self.current + i) % count);
            self.current = others.find(|&i| self.worms[i].team == team).unwrap_or(self.current);
            self.turn += 1;
            self.phase = Phase::Aiming { charge: 0.0 };
        } else {
            self.phase = Phase::Settling { steps: steps + 1 };
        }
    }

    fn move_worms(&mut self, input: Input) -> Result {
        // A pixel is a step of 2: worms climb over a few of them.
        let walker = Walker::new().up(UP).snap_distance(4.0).max_step_height(6.0);
        for (i, worm) in self.worms.iter_mut().enumerate() {
            let is_current = i == self.current && matches!(self.phase, Phase::Aiming { .. });
            if worm.state.on_floor() {
                let run = if is_current { axis(input.left, input.right) } else { 0.0 };
                worm.velocity.x = run * WALK;
                if is_current && input.jump && !self.last_input.jump {
                    worm.velocity = Vec2::new(worm.velocity.x * 2.0, -JUMP);
                    worm.state.leave_floor();
                }
            }
            worm.velocity.y += GRAVITY * STEP;
            // In a fast fall, the parachute opens if there is room above, until the floor is near.
            let is_high = self.world.floor_within(worm.body, &walker, 40.0)?.is_none();
            let has_room = self.world.ceiling_within(worm.body, &walker, 20.0)?.is_none();
            worm.has_parachute = worm.velocity.y > SINK && is_high && has_room;
            if worm.has_parachute {
                worm.velocity.y = SINK;
            }
            let motion = worm.velocity * STEP;
            let walk = self.world.walk(worm.body, &walker, &mut worm.state, motion)?;
            worm.velocity = walk.velocity(worm.velocity);
        }
        // Worms without health and worms in the sea are gone.
        let mut i = 0;
        while i < self.worms.len() {
            let Worm { body, health, .. } = self.worms[i];
            if health > 0 && position(&self.world, body).y < WATER + 10.0 {
                i += 1;
                continue;
            }
            self.world.remove_body(body)?;
            self.worms.remove(i);
            if i == self.current && matches!(self.phase, Phase::Aiming { .. }) {
                self.phase = Phase::Settling { steps: 0 };
            }
            if i < self.current || self.current == self.worms.len() {
                self.current = self.current.saturating_sub(1);
            }
        }
        Ok(())
    }

    /// Returns the direction and the power of the best of many shots, which the computer fires in copies of
    /// the game. Copies share the pixels of the island until an explosion changes them, so they are cheap.
    fn best_shot(&self) -> Result<(Vec2, f32)> {
        let (mut best, mut best_score) = ((Vec2::from(UP), 0.5), f32::NEG_INFINITY);
        for angle in 1..24 {
            for power in [0.5, 0.7, 0.85, 1.0] {
                let mut copy = self.clone();
                copy.aim = -Vec2::from_angle(angle as f32 / 24.0 * std::f32::consts::PI);
                copy.throws_grenade = false;
                copy.fire(power)?;
                while copy.phase == Phase::Flying {
                    copy.move_shot()?;
                }
                // Damage to the other team is good, and so is an explosion near it.
                let mut score = 0.0f32;
                let mut nearest = f32::INFINITY;
                for worm in &copy.worms {
                    let lost = (100 - worm.health) as f32;
                    score += if worm.team == 0 { lost } else { -2.0 * lost };
                    if let Some((center, _)) = copy.blast.filter(|_| worm.team == 0) {
                        nearest = nearest.min(center.distance(position(&copy.world, worm.body)));
                    }
                }
                score -= nearest.min(1000.0) / 100.0;
                if score > best_score {
                    (best, best_score) = ((copy.aim, power), score);
                }
            }
        }
        Ok(best)
    }

    /// Returns the team that is left alone.
    fn winner(&self) -> Option<usize> {
        let first = self.worms.first().map_or(0, |worm| worm.team);
        self.worms.iter().all(|worm| worm.team == first).then_some(first)
    }

    fn draw(&self) {
        mq::clear_background(Color::from_hex(0x1a202c));
        show([0.0, 0.0], VIEW);
        for collider in self.world.colliders() {
            fill(&collider.placed(), Color::from_hex(collider.body().user_data as u32));
        }
        let sea = Aabb::new([0.0, WATER], VIEW);
        fill(&sea, Color { a: 0.8, ..Color::from_hex(0x2b6cb0) });
        if let Some((at, steps)) = self.blast {
            fill(&Circle::new(at, CRATER), Color { a: steps as f32 / 20.0, ..mq::YELLOW });
        }
        for worm in self.worms.iter().filter(|worm| worm.has_parachute) {
            let at = position(&self.world, worm.body);
            let [left, top, right] = [[-16.0, -26.0], [0.0, -40.0], [16.0, -26.0]];
            fill(&Triangle::new(left, top, right).translated(at), mq::WHITE);
            for corner in [left, right].map(|corner| at + Vec2::from(corner)) {
                mq::draw_line(corner.x, corner.y, at.x, at.y - 12.0, 1.0, mq::WHITE);
            }
        }
        for (i, worm) in self.worms.iter().enumerate() {
            let at = position(&self.world, worm.body);
            let is_current = i == self.current && !matches!(self.phase, Phase::Settling { .. });
            let mark = if is_current { ">" } else { "" };
            let color = Color::from_hex(TEAMS[worm.team]);
            let above = if worm.has_parachute { 48.0 } else { 28.0 };
            text(&format!("{mark}{}", worm.health), [at.x - 18.0, at.y - above], color);
        }
        show([0.0, 0.0], VIEW); // again, because `text` shows pixels
        if let Phase::Aiming { charge } = self.phase {
            let (from, line) = (self.muzzle() + self.aim * 14.0, self.aim * (20.0 + 60.0 * charge));
            mq::draw_line(from.x, from.y, from.x + line.x, from.y + line.y, 3.0, mq::YELLOW);
        }
        let weapon = if self.throws_grenade { "grenade" } else { "rocket" };
        let keys = "A/D walk   space jump   tab weapon   hold the mouse button, let go to fire";
        hud(&format!("you are blue   weapon: {weapon}   Enter restart"), keys);
        match self.winner() {
            Some(0) => banner("You win!", PLAY_AGAIN),
            Some(_) => banner("Red wins!", PLAY_AGAIN),
            None => {}
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
            jump: is_down(&[KeyCode::Space]),
            fire: mq::is_mouse_button_down(mq::MouseButton::Left),
            change_weapon: is_down(&[KeyCode::Tab]),
            aim: mouse([0.0, 0.0], VIEW),
        };
        for _ in 0..clock.steps() {
            game.step(input)?;
        }
        game.draw();
        mq::next_frame().await;
    }
}

fn conf() -> mq::Conf {
    window("carom worms", VIEW, 1.0)
}
