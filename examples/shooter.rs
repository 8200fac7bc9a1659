//! A twin-stick shooter: one pilot against a swarm, five thousand bodies in all.
//!
//! Kills leave gems: the pilot who has collected 400 of them wins.
//!
//! Keys: W/A/S/D move, the mouse aims and fires (or the arrow keys do both), E or the right mouse button fires the
//! rail gun, space drops a bomb, Enter starts a new game.
//!
//! The swarm is moved all at once, and one `update` finds every contact; the pushes of the contacts keep the
//! enemies apart. That is much cheaper than letting each enemy `travel`. The pilot and the bullets do
//! travel: they must never pass through anything. The pilot pushes barrels ahead, which stop bullets.
//!
//! `Game::step` needs no window: the story in `stories/shooter.rs` plays it as a test. y points down.

use carom::prelude::*;
use carom::sheet::{Frame, FrameBox, FrameRef, Role, Sheet};
use carom::world::SheetKey;
use carom_examples::{
    Clock, PLAY_AGAIN, STEP, axis, banner, fill, hud, is_down, mouse, position, show, spawn, window,
};
use macroquad::prelude as mq;
use mq::{Color, KeyCode};

#[cfg(test)]
#[path = "stories/shooter.rs"]
mod story;

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

const ARENA: [f32; 2] = [3600.0, 2400.0];
const VIEW: [f32; 2] = [960.0, 640.0];
const ENEMIES: usize = 4950;
const PILLARS: usize = 50;
const BARRELS: usize = 40;
const DIRECTIONS: u32 = 32; // in which the ship can be seen
const PILOT_SPEED: f32 = 260.0; // units per second
const BULLET_SPEED: f32 = 1400.0;
const BULLET_STEPS: u32 = 40; // how long a bullet flies
const FIRE_STEPS: u32 = 5; // from one shot to the next
const RAIL: f32 = 900.0; // the reach of the rail gun
const RAIL_STEPS: u32 = 60; // from one of its shots to the next
const BLAST: f32 = 180.0; // the radius of a bomb
const MAGNET: f32 = 90.0; // gems within this distance fly to the pilot
const GOAL: u32 = 400; // the number of gems that wins the game

// What a body is, stored in its user data: a number for each kind, which is also its color.
const WALL: u64 = 0x4a5568;
const BARREL: u64 = 0x975a16;
const PILOT: u64 = 0x63b3ed;
const ENEMY: u64 = 0xd53f8c;
const BULLET: u64 = 0xffffff;
const GEM: u64 = 0x48bb78;

/// The controls during a step.
#[derive(Clone, Copy, Default)]
struct Input {
    movement: Vec2, // each coordinate is -1, 0 or 1
    aim: Vec2,      // a direction of any length
    fire: bool,
    rail: bool,
    bomb: bool,
}

struct Bullet {
    body: BodyKey,
    velocity: Vec2,
    steps: u32,
}

struct Game {
    world: World,
    pilot: BodyKey,
    ship: SheetKey,
    aim: Vec2,
    enemies: Vec<BodyKey>,
    bullets: Vec<Bullet>,
    reload: u32,                // steps until the next shot
    rail: Option<(Vec2, Vec2)>, // the last shot of the rail gun
    rail_reload: u32,
    blast: u32, // steps for which the blast of a bomb is still shown
    health: u32,
    safe_steps: u32, // steps during which nothing hurts
    bombs: u32,
    gems: u32,
    kills: u32,
    is_waiting: bool, // for the first key
}

impl Game {
    fn new() -> Result<Self> {
        let mut world = World::new();
        for layer in ["wall", "pilot", "enemy", "bullet", "gem"] {
            world.add_layer(layer)?;
        }
        // 1. The arena: a closed chain around it, and pillars of three kinds.
        let [width, height] = ARENA;
        let wall = |shape: Shape| Collider::new(shape).on_layer("wall");
        let border = Chain::closed(&[[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]);
        spawn(&mut world, WALL, Body::fixed([0.0, 0.0]), [wall(border.into())])?;
        let mut random = Random(1);
        let center = Vec2::from(ARENA) / 2.0;
        for pillar in 0..PILLARS {
            let at = random.place_away_from(center, 150.0);
            let shape: Shape = match pillar % 3 {
                0 => Circle::new([0.0, 0.0], 40.0).into(),
                1 => Obb::new([0.0, 0.0], [70.0, 25.0], random.next() * 3.0).into(),
                _ => Triangle::new([-50.0, 40.0], [50.0, 40.0], [0.0, -50.0]).into(),
            };
            spawn(&mut world, WALL, Body::fixed(at), [wall(shape)])?;
        }

        // 2. Barrels, and the swarm. They begin where nothing else is: at a random place, or near it. All
        //    enemies share one shape in memory.
        for _ in 0..BARRELS {
            let drum = Circle::new([0.0, 0.0], 18.0);
            let at = free_place(&world, drum, random.place_away_from(center, 80.0));
            spawn(&mut world, BARREL, Body::moving(at).pushable(), [wall(drum.into())])?;
        }
        let disc = Circle::new([0.0, 0.0], 8.0);
        let shared: std::sync::Arc<Shape> = disc.into();
        let mut enemies = Vec::new();
        for _ in 0..ENEMIES {
            let at = free_place(&world, disc, random.place_away_from(center, 350.0));
            let collider = Collider::new(shared.clone()).on_layer("enemy");
            let collider = collider.with_mask(["wall", "pilot", "enemy", "bullet"]);
            enemies.push(spawn(&mut world, ENEMY, Body::moving(at), [collider])?);
        }

        // 3. The pilot. Enemies do not stop the pilot: the mask of the solid collider has walls only. What
        //    touches the pilot is found by a sensor in the form of the ship, a little smaller than it looks.
        //    The sheet has it for each direction.
        let nose = Triangle::new([18.0, 0.0], [-4.0, -12.0], [-4.0, 12.0]);
        let engine = Aabb::new([-12.0, -7.0], [-4.0, 7.0]);
        let hull = Compound::new([Shape::from(nose), engine.into()]).grown(-1.0)?;
        let hull = FrameBox::new("hull", Role::Sensor, hull).layer("pilot").mask(["enemy", "gem"]);
        let ship = Sheet::from_frames([Frame::new("fly").with(hull)])?;
        let ship = world.add_sheet(ship.with_directions(DIRECTIONS)?)?;
        let solid = Collider::new(Circle::new([0.0, 0.0], 12.0)).on_layer("pilot");
        let pilot = Body::moving(center);
        let pilot = spawn(&mut world, PILOT, pilot, [solid.with_mask("wall")])?;
        world.set_frame(pilot, ship, "fly")?;
        Ok(Self {
            world,
            pilot,
            ship,
            aim: Vec2::X,
            enemies,
            bullets: Vec::new(),
            reload: 0,
            rail: None,
            rail_reload: 0,
            blast: 0,
            health: 10,
            safe_steps: 0,
            bombs: 3,
            gems: 0,
            kills: 0,
            is_waiting: true,
        })
    }

    /// Advances the game by one step of 1/60 s.
    fn step(&mut self, input: Input) -> Result {
        self.is_waiting &=
            input.movement == Vec2::ZERO && !input.fire && !input.rail && !input.bomb;
        if self.is_waiting || self.is_over() {
            return Ok(());
        }
        self.safe_steps = self.safe_steps.saturating_sub(1);
        self.blast = self.blast.saturating_sub(1);
        self.move_pilot(input)?;
        self.shoot(input)?;
        self.move_bullets()?;
        self.rail_reload = self.rail_reload.saturating_sub(1);
        if input.rail && self.rail_reload == 0 {
            self.fire_rail_gun()?;
        }
        if input.bomb && self.bombs > 0 && self.blast == 0 {
            self.drop_bomb()?;
        }
        self.pull_gems()?;
        self.move_swarm()?;
        self.react()
    }

    fn is_over(&self) -> bool {
        self.health == 0 || self.gems >= GOAL
    }

    fn move_pilot(&mut self, input: Input) -> Result {
        let motion = input.movement.normalize_or_zero() * PILOT_SPEED * STEP;
        // The pilot pushes up to two barrels, and slides along everything else.
        self.world.travel(self.pilot, motion, |_| Response::Push(2))?;
        self.aim = input.aim.normalize_or(self.aim);
        let ship = self.world.sheet(self.ship).expect("the sheet was added");
        let frame = FrameRef::from("fly").direction(ship.direction_at(self.aim.to_angle()));
        Ok(self.world.set_frame(self.pilot, self.ship, frame)?)
    }

    fn shoot(&mut self, input: Input) -> Result {
        self.reload = self.reload.saturating_sub(1);
        if input.fire && self.reload == 0 {
            self.reload = FIRE_STEPS;
            let at = position(&self.world, self.pilot);
            let shape = Collider::new(Circle::new([0.0, 0.0], 4.0)).on_layer("bullet");
            let shape = shape.with_mask(["wall", "enemy"]);
            let body = spawn(&mut self.world, BULLET, Body::moving(at), [shape])?;
            self.bullets.push(Bullet { body, velocity: self.aim * BULLET_SPEED, steps: 0 });
        }
        Ok(())
    }

    /// Bullets travel until they hit something. They are fast, but `travel` tests the whole path.
    fn move_bullets(&mut self) -> Result {
        let mut i = 0;
        while i < self.bullets.len() {
            let Bullet { body, velocity, steps } = &mut self.bullets[i];
            let travel = self.world.travel(*body, *velocity * STEP, |_| Response::Touch)?;
            *steps += 1;
            let is_spent = *steps == BULLET_STEPS;
            if let Some(hit) = travel.hits().first() {
                self.kill(hit.body)?; // does nothing to walls
            }
            if is_spent || !travel.hits().is_empty() {
                self.world.remove_body(self.bullets.swap_remove(i).body)?;
            } else {
                i += 1;
            }
        }
        Ok(())
    }

    /// The slug of the rail gun flies to the next wall within one step. Its sensor pierces the enemies on its path:
    /// the body is swept, so the world knows all that it has passed, in order.
    fn fire_rail_gun(&mut self) -> Result {
        self.rail_reload = RAIL_STEPS;
        let disc = Circle::new([0.0, 0.0], 5.0);
        let stops = Collider::new(disc).on_layer("bullet").with_mask("wall");
        let pierces = Collider::sensor(disc).on_layer("bullet").with_mask("enemy");
        let at = position(&self.world, self.pilot);
        let slug = spawn(&mut self.world, BULLET, Body::moving(at).swept(), [stops, pierces])?;
        let travel = self.world.travel(slug, self.aim * RAIL, |_| Response::Touch)?;
        self.rail = Some((at, travel.end));
        let victims: Vec<BodyKey> =
            self.world.passed_by(slug).map(|passage| passage.body).collect();
        self.world.remove_body(slug)?;
        victims.into_iter().try_for_each(|victim| self.kill(victim))
    }

    /// Removes an enemy and leaves a gem in its place. Does nothing to other bodies.
    fn kill(&mut self, body: BodyKey) -> Result {
        if self.world.body(body).is_some_and(|body| body.user_data == ENEMY) {
            let at = self.world.remove_body(body)?.pose.position;
            self.enemies.retain(|&enemy| enemy != body);
            self.kills += 1;
            let gem = Collider::sensor(Circle::new([0.0, 0.0], 4.0)).on_layer("gem");
            spawn(&mut self.world, GEM, Body::moving(at), [gem.with_mask("pilot")])?;
        }
        Ok(())
    }

    /// A query finds everything within the blast.
    fn drop_bomb(&mut self) -> Result {
        (self.bombs, self.blast) = (self.bombs - 1, 20);
        let area = Circle::new(position(&self.world, self.pilot), BLAST);
        let enemies = Filter::new().layers(self.world.layers("enemy")?);
        for collider in self.world.intersecting(&area, &enemies) {
            let body = self.world.collider(collider).map(|collider| collider.body_key());
            self.kill(body.expect("the query has just found it"))?;
        }
        Ok(())
    }

    /// Gems near the pilot fly to the pilot.
    fn pull_gems(&mut self) -> Result {
        let pilot = position(&self.world, self.pilot);
        let gems = Filter::new().layers(self.world.layers("gem")?);
        for collider in self.world.intersecting(&Circle::new(pilot, MAGNET), &gems) {
            let gem =
                self.world.collider(collider).expect("the query has just found it").body_key();
            let offset = pilot - position(&self.world, gem);
            self.world.translate(gem, offset.clamp_length_max(400.0 * STEP))?;
        }
        Ok(())
    }

    /// All enemies come nearer, each at a speed of its own.
    fn move_swarm(&mut self) -> Result {
        let pilot = position(&self.world, self.pilot);
        let next = |(i, &enemy): (usize, &BodyKey)| {
            let at = position(&self.world, enemy);
            let speed = 40.0 + (i % 8) as f32 * 8.0;
            (enemy, at + (pilot - at).normalize_or_zero() * speed * STEP)
        };
        let moves: Vec<(BodyKey, Vec2)> = self.enemies.iter().enumerate().map(next).collect();
        self.world.set_positions(moves)?;
        Ok(())
    }

    /// Finds all contacts, pushes the enemies out of each other, and reacts to what touches the pilot.
    fn react(&mut self) -> Result {
        self.world.update();
        let is_enemy = |body| self.world.body(body).is_some_and(|body| body.user_data == ENEMY);
        let mut pushes = Vec::new();
        for event in self.world.events() {
            let [a, b] = event.bodies;
            if let Some(contact) = event.contact {
                // Two enemies share the push. A wall does not move, so the enemy takes all of it.
                match (is_enemy(a), is_enemy(b)) {
                    (true, true) => {
                        pushes.push((a, contact.push / 2.0));
                        pushes.push((b, -contact.push / 2.0));
                    }
                    (true, false) => pushes.push((a, contact.push)),
                    (false, true) => pushes.push((b, -contact.push)),
                    (false, false) => {}
                }
            }
        }
        for (body, push) in pushes {
            self.world.translate(body, push)?;
        }
        for body in self.world.touching_bodies(self.pilot) {
            match self.world.body(body).map(|body| body.user_data) {
                Some(GEM) => {
                    self.world.remove_body(body)?;
                    self.gems += 1;
                }
                Some(ENEMY) if self.safe_steps == 0 => {
                    (self.health, self.safe_steps) = (self.health - 1, 45);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn draw(&self) {
        mq::clear_background(Color::from_hex(0x1a202c));
        let (corner, pilot) = (self.camera(), position(&self.world, self.pilot));
        show(corner, VIEW);
        if self.blast > 0 {
            let glow = Color { a: self.blast as f32 / 40.0, ..mq::YELLOW };
            fill(&Circle::new(pilot, BLAST), glow);
        }
        if let Some((from, to)) = self.rail.filter(|_| self.rail_reload > RAIL_STEPS - 12) {
            mq::draw_line(from.x, from.y, to.x, to.y, 4.0, mq::SKYBLUE);
        }
        // The aim ends where a ray hits the first wall.
        let walls = Filter::new().layers(self.world.layers("wall").unwrap_or_default());
        let sight = Ray::new(pilot, self.aim, 400.0);
        let far = self.world.raycast(&sight, &walls).map_or(400.0, |(_, hit)| hit.distance);
        let end = pilot + self.aim * far;
        mq::draw_line(pilot.x, pilot.y, end.x, end.y, 1.0, Color { a: 0.4, ..mq::WHITE });

        // Only what is in view is drawn: a query again.
        let view = Aabb::from_min_size(corner, VIEW);
        for key in self.world.intersecting_box(&view, &Filter::new()) {
            let collider = self.world.collider(key).expect("the query has just found it");
            if collider.body_key() == self.pilot && collider.role() == Role::Solid {
                continue; // the ship is drawn in its place
            }
            fill(&collider.placed(), Color::from_hex(collider.body().user_data as u32));
        }
        let state = format!(
            "health {}   bombs {}   kills {}   gems {} of {GOAL}",
            self.health, self.bombs, self.kills, self.gems
        );
        hud(&state, "WASD move   mouse aim and fire   E rail gun   space bomb   Enter restart");
        match (self.health, self.gems) {
            _ if self.is_waiting => banner("Collect the gems", "Move or fire to begin"),
            (0, _) => banner("Game over", PLAY_AGAIN),
            (_, GOAL..) => banner("You win!", PLAY_AGAIN),
            _ => {}
        }
    }

    /// Returns the upper left corner of the view, which follows the pilot.
    fn camera(&self) -> Vec2 {
        let (arena, view) = (Vec2::from(ARENA), Vec2::from(VIEW));
        (position(&self.world, self.pilot) - view / 2.0).clamp(Vec2::ZERO, arena - view)
    }
}

/// Returns the place nearest to another one where a disc overlaps nothing.
fn free_place(world: &World, disc: Circle, at: Vec2) -> Vec2 {
    let offset = world.find_free_place(&disc.translated(at), 200.0, &Filter::new());
    at + offset.unwrap_or_default()
}

/// A small generator of random numbers, so that every game begins the same way.
struct Random(u32);

impl Random {
    /// Returns a number from 0 to 1.
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 24) as f32
    }

    /// Returns a place in the arena that is not near a point.
    fn place_away_from(&mut self, point: Vec2, distance: f32) -> Vec2 {
        loop {
            let at = Vec2::new(self.next(), self.next()) * (Vec2::from(ARENA) - 100.0) + 50.0;
            if at.distance(point) > distance {
                return at;
            }
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
        let key = |key| is_down(&[key]);
        let arrows = Vec2::new(
            axis(key(KeyCode::Left), key(KeyCode::Right)),
            axis(key(KeyCode::Up), key(KeyCode::Down)),
        );
        let to_mouse = mouse(game.camera(), VIEW) - position(&game.world, game.pilot);
        let input = Input {
            movement: Vec2::new(
                axis(key(KeyCode::A), key(KeyCode::D)),
                axis(key(KeyCode::W), key(KeyCode::S)),
            ),
            aim: if arrows == Vec2::ZERO { to_mouse } else { arrows },
            fire: arrows != Vec2::ZERO || mq::is_mouse_button_down(mq::MouseButton::Left),
            rail: key(KeyCode::E) || mq::is_mouse_button_down(mq::MouseButton::Right),
            bomb: key(KeyCode::Space),
        };
        for _ in 0..clock.steps() {
            game.step(input)?;
        }
        game.draw();
        mq::next_frame().await;
    }
}

fn conf() -> mq::Conf {
    window("carom shooter", VIEW, 1.0)
}
