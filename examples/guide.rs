//! The platformer of the guide, in a window. The chapter lists this program.

use carom::draw::{self, Canvas, Style, WorldStyle};
use carom::prelude::*;
use carom::world::EventKind;
use macroquad::prelude as mq;

/// The keys that are down during a frame.
#[derive(Clone, Copy, Default)]
struct Keys {
    left: bool,
    right: bool,
    jump: bool,
    drop: bool,
}

/// The whole state of the game. To rewind it, clone it and put the clone back.
#[derive(Clone)]
struct Game {
    world: World,
    hero: BodyKey,
    state: WalkerState,
    velocity: Vec2,
    lift: BodyKey,
    ticks: u32,
    gems: u32,
    damage: u32,
}

const TICKS_PER_SECOND: f32 = 60.0;
const RUN_SPEED: f32 = 6.0; // units per second
const GRAVITY: f32 = 30.0; // units per second squared
const JUMP_SPEED: f32 = 12.5; // rises JUMP_SPEED² / (2 · GRAVITY) = 2.6 units
const JUMP_GRACE: JumpGrace = JumpGrace::frames(6, 6); // frames after a ledge, and before landing
const UP: [f32; 2] = [0.0, 1.0];

const LEVEL: [&str; 7] = [
    "########################", // y points up, so the first row is the lowest
    "#......./##\\.........###",
    "#.....................##",
    "#.............----.....#",
    "#......................#",
    "#......................#",
    "########################",
];

// The kinds of bodies, stored in their user data.
const GEM: u64 = 1;
const SPIKES: u64 = 2;

impl Game {
    fn new() -> Result<Self, WorldError> {
        let mut world = World::new();
        let kinds = [
            ('#', TileKind::SOLID),
            ('/', TileKind::slope(0.0, 1.0, UP)), // height 0 at the left side, 1 at the right
            ('\\', TileKind::slope(1.0, 0.0, UP)),
            ('-', TileKind::one_way(UP)),
        ];
        let tiles = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &LEVEL, &kinds);
        world.spawn(Body::fixed([0.0, 0.0]), [Collider::new(tiles)])?;

        // Sensors (triggers) report contacts, but block nothing.
        let gem = Mask::from_rows([-0.25, -0.25], 0.125, &[".##.", "####", "####", ".##."]);
        let spike = Triangle::new([0.0, 0.0], [0.5, 0.0], [0.25, 0.5]);
        world.spawn(Body::fixed([14.25, 4.75]).with_user_data(GEM), [Collider::sensor(gem)])?;
        world.spawn(Body::fixed([13.0, 1.0]).with_user_data(SPIKES), [Collider::sensor(spike)])?;

        // The position of a body is the origin of its shapes: the upper left corner of the lift, and the
        // point between the feet of the hero.
        let lift = Collider::new(Aabb::new([0.0, -0.25], [1.75, 0.0]));
        let lift = world.spawn(Body::moving([19.0, 1.25]), [lift])?;
        let hero = Collider::new(Capsule::new([0.0, 0.3], [0.0, 0.9], 0.3));
        let hero = world.spawn(Body::moving([2.0, 1.0]), [hero])?;

        Ok(Self {
            world,
            hero,
            state: WalkerState::new(),
            velocity: Vec2::ZERO,
            lift,
            ticks: 0,
            gems: 0,
            damage: 0,
        })
    }

    /// Advances the game by one tick.
    fn step(&mut self, keys: Keys) -> Result<(), WorldError> {
        self.ticks += 1;

        // 1. Platforms move first and carry the bodies that stand on them: up for 2 s, down for 2 s.
        let direction = if self.ticks % 240 < 120 { 1.0 } else { -1.0 };
        let motion = [0.0, direction / TICKS_PER_SECOND];
        let carry = self.world.carry(self.lift, motion)?;
        self.damage += carry.squashed().len() as u32;

        // 2. Keys and gravity change the velocity.
        let run = f32::from(i8::from(keys.right) - i8::from(keys.left)) * RUN_SPEED;
        self.velocity = Vec2::new(run, self.velocity.y - GRAVITY / TICKS_PER_SECOND);
        if keys.jump {
            self.state.request_jump();
        }
        if self.state.jump(JUMP_GRACE) {
            self.velocity.y = JUMP_SPEED;
        }
        if keys.drop {
            self.state.drop_through();
        }

        // 3. The walk moves the hero; what blocked it is taken from the velocity.
        let walker = Walker::new().snap_distance(0.25).max_step_height(0.3).corner_correction(0.2);
        let motion = self.velocity / TICKS_PER_SECOND;
        let walk = self.world.walk(self.hero, &walker, &mut self.state, motion)?;
        self.velocity = walk.velocity(self.velocity);

        // 4. The update reports the pairs of bodies that began to touch in this tick.
        for event in self.world.update().body_events() {
            let Some(body) = event.other(self.hero) else { continue };
            if event.kind != EventKind::Began {
                continue;
            }
            match self.world.body(body).map(|body| body.user_data) {
                Some(GEM) => {
                    self.gems += 1;
                    self.world.remove_body(body)?;
                }
                Some(SPIKES) => self.damage += 1,
                _ => {}
            }
        }
        Ok(())
    }
}

/// The window: 1 unit is `scale` pixels, and y points down.
struct Window {
    scale: f32,
    height: f32,
}

impl Canvas for Window {
    fn polygon(&mut self, rings: &[&[Vec2]], style: &Style) {
        for ring in rings {
            self.polyline(ring, style);
            self.polyline(&[ring[ring.len() - 1], ring[0]], style);
        }
    }

    fn polyline(&mut self, points: &[Vec2], style: &Style) {
        let [red, green, blue, alpha] = style.stroke.map_or([0; 4], |color| color.0);
        let color = mq::Color::from_rgba(red, green, blue, alpha);
        let pixel = |at: Vec2| Vec2::new(at.x * self.scale, self.height - at.y * self.scale);
        for ends in points.windows(2) {
            let (from, to) = (pixel(ends[0]), pixel(ends[1]));
            mq::draw_line(from.x, from.y, to.x, to.y, 2.0, color);
        }
    }
}

#[macroquad::main("carom: the platformer of the guide")]
async fn main() -> Result<(), WorldError> {
    let mut game = Game::new()?;
    let (mut keys, mut unspent) = (Keys::default(), 0.0);
    loop {
        // 1. Keys that are held count in every tick, and those that are pressed in the next one.
        keys = Keys {
            left: mq::is_key_down(mq::KeyCode::Left),
            right: mq::is_key_down(mq::KeyCode::Right),
            jump: keys.jump || mq::is_key_pressed(mq::KeyCode::Space),
            drop: keys.drop || mq::is_key_pressed(mq::KeyCode::Down),
        };

        // 2. As many ticks as time has passed.
        unspent += mq::get_frame_time().min(0.1);
        while unspent >= 1.0 / TICKS_PER_SECOND {
            unspent -= 1.0 / TICKS_PER_SECOND;
            game.step(keys)?;
            (keys.jump, keys.drop) = (false, false);
        }

        // 3. The world, as wide as the window.
        mq::clear_background(mq::WHITE);
        let scale = mq::screen_width() / LEVEL[0].len() as f32;
        let mut window = Window { scale, height: mq::screen_height() };
        draw::world(&mut window, &game.world, &WorldStyle::default());
        let score = format!("gems: {}, damage: {}", game.gems, game.damage);
        mq::draw_text(&score, 20.0, 30.0, 30.0, mq::BLACK);
        let keys_text = "left, right: walk   space: jump   down: drop";
        mq::draw_text(keys_text, 20.0, 55.0, 24.0, mq::DARKGRAY);
        mq::next_frame().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chapter_lists_this_program() {
        let (program, _) = include_str!("guide.rs").split_once("\n#[cfg(test)]").unwrap();
        let chapter = include_str!("../docs/src/platformer.md");
        let (_, program) = program.split_once("mq;\n\n").unwrap();
        let (game, window) = program.split_once("\n/// The window").unwrap();
        assert!(chapter.contains(game) && chapter.contains(window));
    }

    #[test]
    fn the_hero_runs_over_the_hill_to_the_spikes() -> Result<(), WorldError> {
        let mut game = Game::new()?;
        let right = Keys { right: true, ..Keys::default() };
        for _tick in 0..120 {
            game.step(right)?;
        }
        assert_eq!(game.damage, 1);
        Ok(())
    }
}
