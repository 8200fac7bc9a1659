//! A fighting game: punches, kicks, sweeps, jumps and blocks.
//!
//! Blue: A/D walk, W jumps, S crouches, F punches, G kicks; walking away from the other blocks. Red: arrows,
//! K and L. C lets the computer play red, or stop playing it; Enter starts again. A block does not stop a kick
//! from a crouch. The first to win three rounds wins the fight.
//!
//! Each frame of the sheet has hurtboxes (what can be struck) and some have a hitbox (what strikes). The
//! world finds the strikes, once per swing. The sheet is drawn facing right; a fighter that faces left shows it
//! mirrored.
//!
//! `Game::step` needs no window: the story in `stories/fighter.rs` plays it as a test. y points down.

use carom::prelude::*;
use carom::sheet::{Frame, FrameRef, Playback, Role, Sheet};
use carom::world::{SheetKey, StrikeRules};
use carom_examples::{
    Clock, PLAY_AGAIN, STEP, axis, banner, fill, is_down, position, show, spawn, text, window,
};
use macroquad::prelude as mq;
use mq::{Color, KeyCode};

#[cfg(test)]
#[path = "stories/fighter.rs"]
mod story;

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

const VIEW: [f32; 2] = [640.0, 320.0];
const FLOOR: f32 = 280.0;
const UP: [f32; 2] = [0.0, -1.0];
const WALK: f32 = 150.0; // units per second
const JUMP: f32 = 420.0;
const GRAVITY: f32 = 1200.0;
const STUN: u32 = 14; // steps during which someone who was struck cannot act
const HIT_STOP: u32 = 6; // steps for which the game freezes, so that a strike is felt
const STAGE: u64 = 0x4a5568; // the user data of a body is its color
const COLORS: [u64; 2] = [0x63b3ed, 0xfc8181];
const START: [f32; 2] = [240.0, 400.0];
const ROUNDS: u32 = 3; // the number of rounds that wins the fight

/// The keys of one player that are down during a step.
#[derive(Clone, Copy, Default, PartialEq)]
struct Input {
    left: bool,
    right: bool,
    jump: bool,
    crouch: bool,
    punch: bool,
    kick: bool,
}

struct Fighter {
    body: BodyKey,
    reach: ColliderKey, // a sensor as wide as the fists reach
    state: WalkerState,
    velocity: Vec2,
    facing: f32,                         // 1 is right, -1 is left
    attack: Option<(&'static str, u64)>, // the animation, and its age in steps
    stun: u32,
    is_crouching: bool,
    is_blocking: bool,
    health: u32,
    wins: u32,
    last_input: Input,
}

struct Game {
    world: World,
    sheet: SheetKey,
    fighters: [Fighter; 2],
    hit_stop: u32,
    pause: u32,       // steps until the next round
    steps: u32,       // since the first round began
    is_waiting: bool, // for the first key
}

impl Game {
    fn new() -> Result<Self> {
        let mut world = World::new();
        world.set_strike_rules(StrikeRules::default().with_clashes(true));
        world.add_layer("reach")?;
        let [width, height] = VIEW;
        let stage = [
            Aabb::new([0.0, FLOOR], [width, height]),
            Aabb::new([-20.0, -400.0], [0.0, height]),
            Aabb::new([width, -400.0], [width + 20.0, height]),
        ];
        spawn(&mut world, STAGE, Body::fixed([0.0, 0.0]), stage.map(Collider::new))?;
        let sheet = world.add_sheet(moves()?)?;
        let mut add = |i: usize| -> Result<Fighter> {
            // A plain box for walking. What can be struck changes with the frames of the sheet.
            let collider = Collider::new(Aabb::new([-14.0, -60.0], [14.0, 0.0]));
            let body = Body::moving([START[i], FLOOR]).with_team(i as u32 + 1);
            let body = spawn(&mut world, COLORS[i], body, [collider])?;
            let near = Aabb::new([-45.0, -90.0], [45.0, 0.0]);
            let near = Collider::sensor(near).detecting_hurtboxes();
            let reach = world.add_collider(body, near.on_layer("reach").with_mask("default"))?;
            Ok(Fighter {
                body,
                reach,
                state: WalkerState::new(),
                velocity: Vec2::ZERO,
                facing: [1.0, -1.0][i],
                attack: None,
                stun: 0,
                is_crouching: false,
                is_blocking: false,
                health: 100,
                wins: 0,
                last_input: Input::default(),
            })
        };
        let fighters = [add(0)?, add(1)?];
        let (hit_stop, pause, steps, is_waiting) = (0, 0, 0, true);
        let mut game = Self { world, sheet, fighters, hit_stop, pause, steps, is_waiting };
        game.show_frame(0)?;
        game.show_frame(1)?;
        Ok(game)
    }

    /// Advances the game by one step of 1/60 s.
    fn step(&mut self, inputs: [Input; 2]) -> Result {
        self.is_waiting &= inputs == [Input::default(); 2];
        if self.is_waiting || self.winner().is_some() {
            return Ok(());
        }
        if self.pause > 0 {
            self.pause -= 1;
            if self.pause == 0 {
                self.start_round()?;
            }
            return Ok(());
        }
        if self.hit_stop > 0 {
            self.hit_stop -= 1;
            return Ok(());
        }
        self.steps += 1;
        for (i, input) in inputs.into_iter().enumerate() {
            self.act(i, input)?;
            self.show_frame(i)?;
        }
        self.world.update();
        self.strike()
    }

    /// Returns the fighter who has won enough rounds.
    fn winner(&self) -> Option<usize> {
        self.fighters.iter().position(|fighter| fighter.wins == ROUNDS)
    }

    /// Lets a fighter move, or begin an attack.
    fn act(&mut self, i: usize, input: Input) -> Result {
        let other = position(&self.world, self.fighters[1 - i].body);
        let fighter = &mut self.fighters[i];
        let last = std::mem::replace(&mut fighter.last_input, input);
        let on_floor = fighter.state.on_floor();
        fighter.stun = fighter.stun.saturating_sub(1);

        // 1. An attack goes on until its animation ends.
        let sheet = self.world.sheet(self.sheet).expect("the sheet was added");
        if let Some((name, tick)) = fighter.attack {
            let is_over = tick + 1 == sheet.loop_ticks(name)?;
            fighter.attack = if is_over { None } else { Some((name, tick + 1)) };
        }
        let is_free = fighter.stun == 0 && fighter.attack.is_none();
        fighter.is_crouching = on_floor && input.crouch && is_free;
        fighter.is_blocking = false;
        let mut run = 0.0;
        if is_free {
            fighter.facing =
                if position(&self.world, fighter.body).x < other.x { 1.0 } else { -1.0 };
            let kick = if fighter.is_crouching { "sweep" } else { "kick" };
            fighter.attack = if input.punch && !last.punch {
                Some(("punch", 0))
            } else if input.kick && !last.kick {
                Some((kick, 0))
            } else {
                None
            };
            run = axis(input.left, input.right);
            // 2. A fighter who walks away from the other is blocking.
            fighter.is_blocking = run == -fighter.facing && on_floor && fighter.attack.is_none();
        }

        // 3. Movement. In the air and when stunned, the velocity stays as it is.
        if on_floor && fighter.stun == 0 {
            let stands = fighter.is_crouching || fighter.attack.is_some();
            fighter.velocity.x = if stands { 0.0 } else { run * WALK };
            if input.jump && !last.jump && is_free {
                fighter.velocity.y = -JUMP;
                fighter.state.leave_floor();
            }
        }
        fighter.velocity.y += GRAVITY * STEP;
        let (walker, motion) = (Walker::new().up(UP), fighter.velocity * STEP);
        let walk = self.world.walk(fighter.body, &walker, &mut fighter.state, motion)?;
        fighter.velocity = walk.velocity(fighter.velocity);
        Ok(())
    }

    /// Shows the frame of the sheet that fits what a fighter does. Its boxes become colliders.
    fn show_frame(&mut self, i: usize) -> Result {
        let fighter = &self.fighters[i];
        let sheet = self.world.sheet(self.sheet).expect("the sheet was added");
        let frame = match fighter.attack {
            Some((name, tick)) => sheet.frame_at(name, tick)?,
            None if fighter.stun > 0 => sheet.index_of("hurt")?,
            None if fighter.is_crouching => sheet.index_of("crouch")?,
            None if !fighter.state.on_floor() => sheet.index_of("jump")?,
            None => sheet.index_of("stand")?,
        };
        let flip = if fighter.facing < 0.0 { Flip::X } else { Flip::NONE };
        self.world.set_frame(fighter.body, self.sheet, FrameRef::from(frame).flipped(flip))?;
        Ok(())
    }

    /// Reacts to strikes and clashes.
    fn strike(&mut self) -> Result {
        for clash in self.world.clashes() {
            // Fist meets fist: both are thrown back, and nobody is hurt.
            for fighter in self.fighters.iter_mut().filter(|f| clash.bodies.contains(&f.body)) {
                fighter.velocity.x = -fighter.facing * 200.0;
                (fighter.attack, fighter.stun, self.hit_stop) = (None, STUN / 2, HIT_STOP);
            }
        }
        for strike in self.world.strikes() {
            // Which box struck which is known by their names.
            let with = self.world.box_name(strike.hitbox).unwrap_or_default();
            let on = self.world.box_name(strike.hurtbox).unwrap_or_default();
            let damage = if with == "fist" { 6 } else { 9 } + if on == "head" { 4 } else { 0 };
            let attacker = self.fighters.iter().position(|f| f.body == strike.attacker);
            let i = attacker.expect("only fighters have hitboxes");
            let (facing, fighter) = (self.fighters[i].facing, &mut self.fighters[1 - i]);
            // A sweep passes under the guard of someone who stands.
            let is_blocked = fighter.is_blocking && with != "sweep";
            fighter.health = fighter.health.saturating_sub(if is_blocked { 1 } else { damage });
            fighter.stun = if is_blocked { STUN / 2 } else { STUN };
            (fighter.attack, self.hit_stop) = (None, HIT_STOP);
            fighter.velocity =
                Vec2::new(facing * 160.0, if with == "sweep" { -200.0 } else { 0.0 });
            if fighter.health == 0 {
                fighter.velocity = Vec2::new(facing * 200.0, -300.0);
                self.fighters[i].wins += 1;
                self.pause = 120;
            }
        }
        Ok(())
    }

    fn start_round(&mut self) -> Result {
        for (fighter, x) in self.fighters.iter_mut().zip(START) {
            (fighter.health, fighter.stun, fighter.attack) = (100, 0, None);
            (fighter.velocity, fighter.state) = (Vec2::ZERO, WalkerState::new());
            self.world.set_position(fighter.body, [x, FLOOR])?;
        }
        Ok(())
    }

    /// Returns the keys that the computer presses for a fighter: it comes near and attacks for a while, then
    /// it blocks attacks for a while, then it rests.
    fn computer(&self, i: usize) -> Input {
        let [me, other] = [&self.fighters[i], &self.fighters[1 - i]];
        let offset = position(&self.world, other.body).x - position(&self.world, me.body).x;
        let phase = (self.steps / 40 + i as u32) % 3;
        let (is_bold, is_careful) = (phase == 0, phase == 1); // and else it rests
        let blocks = is_careful && other.attack.is_some() && offset.abs() < 90.0;
        let in_reach = self.world.touching(me.reach).any(|event| event.involves(other.body));
        let comes = !in_reach && !blocks && (is_bold || is_careful);
        let (toward, away) = (offset > 0.0, offset < 0.0);
        let attacks = in_reach && is_bold && me.attack.is_none();
        Input {
            left: if comes { away } else { blocks && toward },
            right: if comes { toward } else { blocks && away },
            crouch: attacks && me.health % 3 == 0,
            punch: attacks && other.health % 2 == 0 && !me.last_input.punch,
            kick: attacks && other.health % 2 == 1 && !me.last_input.kick,
            jump: false,
        }
    }
}

/// The frames, drawn facing right, with the feet at the origin.
fn moves() -> Result<Sheet> {
    let torso = Aabb::new([-13.0, -78.0], [13.0, -38.0]);
    let legs = Aabb::new([-12.0, -38.0], [12.0, 0.0]);
    let upright = |name: &str, lean: f32| {
        let frame = Frame::new(name).hurtbox("head", Circle::new([lean, -88.0], 11.0));
        frame.hurtbox("torso", torso).hurtbox("legs", legs)
    };
    let low = |name: &str| {
        let frame = Frame::new(name).hurtbox("head", Circle::new([8.0, -52.0], 11.0));
        let frame = frame.hurtbox("torso", Aabb::new([-15.0, -44.0], [15.0, -16.0]));
        frame.hurtbox("legs", Aabb::new([-18.0, -16.0], [18.0, 0.0]))
    };
    // An attack has three parts: it starts, it strikes, and the fighter recovers from it.
    let fist = Aabb::new([13.0, -90.0], [52.0, -79.0]);
    let foot = Aabb::new([12.0, -54.0], [62.0, -40.0]);
    let sweep = Aabb::new([18.0, -14.0], [60.0, -3.0]);
    let sheet = Sheet::from_frames([
        upright("stand", 2.0),
        upright("hurt", -8.0),
        low("crouch"),
        low("jump"),
        upright("punch starts", -2.0).ticks(4),
        upright("punch strikes", 6.0).ticks(4).hitbox("fist", fist),
        upright("punch ends", 3.0).ticks(11),
        upright("kick starts", -6.0).ticks(7),
        upright("kick strikes", -10.0).ticks(5).hitbox("foot", foot),
        upright("kick ends", -4.0).ticks(11),
        low("sweep starts").ticks(6),
        low("sweep strikes").ticks(5).hitbox("sweep", sweep),
        low("sweep ends").ticks(14),
    ])?;
    let mut moves = sheet;
    for name in ["punch", "kick", "sweep"] {
        let (first, last) = (format!("{name} starts"), format!("{name} ends"));
        moves = moves.with_animation(name, &first, &last, Playback::Forward)?;
    }
    Ok(moves)
}

impl Game {
    fn draw(&self) {
        mq::clear_background(Color::from_hex(0x1a202c));
        show([0.0, 0.0], VIEW);
        for collider in self.world.colliders() {
            let body = collider.body();
            let color = match collider.role() {
                Role::Solid if body.user_data != STAGE => continue, // the plain box
                Role::Sensor => continue,
                Role::Hitbox => mq::YELLOW,
                _ => Color::from_hex(body.user_data as u32),
            };
            fill(&collider.placed(), color);
        }
        for (i, fighter) in self.fighters.iter().enumerate() {
            let bar = fighter.health as f32 * 2.6;
            let min = [[20.0, 44.0], [620.0 - bar, 44.0]][i];
            if bar > 0.0 {
                fill(&Aabb::from_min_size(min, [bar, 14.0]), Color::from_hex(COLORS[i] as u32));
            }
            if fighter.is_blocking {
                let at =
                    position(&self.world, fighter.body) + Vec2::new(fighter.facing * 20.0, -60.0);
                fill(&Aabb::from_center_half_size(at, [3.0, 30.0]), mq::WHITE);
            }
        }
        let [blue, red] = &self.fighters;
        text(&format!("{} : {}", blue.wins, red.wins), [450.0, 80.0], mq::WHITE);
        let [blue_color, red_color] = COLORS.map(|color| Color::from_hex(color as u32));
        let keys = "A/D walk   W jump   S crouch   F punch   G kick   walk away to block";
        text(&format!("blue: {keys}   Enter restart"), [30.0, 445.0], blue_color);
        let keys = "computer (C turns it on and off), or arrows   K punch   L kick";
        text(&format!("red: {keys}"), [30.0, 472.0], red_color);
        match self.winner() {
            _ if self.is_waiting => banner("Fight!", "Press a key to begin"),
            Some(0) => banner("Blue wins!", PLAY_AGAIN),
            Some(_) => banner("Red wins!", PLAY_AGAIN),
            None if self.pause == 0 => {}
            None if blue.health == 0 => banner("Red wins the round", ""),
            None => banner("Blue wins the round", ""),
        }
    }
}

#[macroquad::main(conf)]
async fn main() -> Result {
    let (mut game, mut clock) = (Game::new()?, Clock::default());
    let mut has_computer = true;
    loop {
        if mq::is_key_pressed(KeyCode::Enter) {
            game = Game::new()?;
        }
        has_computer ^= mq::is_key_pressed(KeyCode::C);
        let read = |[left, right, jump, crouch, punch, kick]: [KeyCode; 6]| Input {
            left: is_down(&[left]),
            right: is_down(&[right]),
            jump: is_down(&[jump]),
            crouch: is_down(&[crouch]),
            punch: is_down(&[punch]),
            kick: is_down(&[kick]),
        };
        use KeyCode::{A, D, Down, F, G, K, L, Left, Right, S, Up, W};
        let blue = read([A, D, W, S, F, G]);
        let red = read([Left, Right, Up, Down, K, L]);
        for _ in 0..clock.steps() {
            // The computer waits for the player's first key.
            let has_begun = !game.is_waiting || blue != Input::default();
            let red = if has_computer && has_begun { game.computer(1) } else { red };
            game.step([blue, red])?;
        }
        game.draw();
        mq::next_frame().await;
    }
}

fn conf() -> mq::Conf {
    window("carom fighter", VIEW, 1.5)
}
