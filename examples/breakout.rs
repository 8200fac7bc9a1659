//! Breakout: a ball, a paddle and a wall of bricks.
//!
//! The mouse or the arrow keys move the paddle; space or a click starts the ball; Enter starts a new game.
//! Where the ball hits the paddle decides where it goes. Some bricks drop a capsule: a wider paddle, or three
//! balls.
//!
//! `Game::step` needs no window: the story in `stories/breakout.rs` plays it as a test. y points down, and
//! one unit is one pixel.

use carom::prelude::*;
use carom::world::EventKind;
use carom_examples::{
    Clock, PLAY_AGAIN, STEP, axis, banner, fill, hud, is_down, mouse, position, show, spawn, window,
};
use macroquad::prelude as mq;
use mq::{Color, KeyCode};

#[cfg(test)]
#[path = "stories/breakout.rs"]
mod story;

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

const FIELD: [f32; 2] = [800.0, 600.0];
// The window shows the field and two lines of text above it.
const CORNER: [f32; 2] = [0.0, -80.0];
const VIEW: [f32; 2] = [800.0, 680.0];
const BRICKS: [&str; 7] = [
    "====..........====",
    "rrrrrrrrrrrrrrrrrr",
    "rrrrrr3rrrr3rrrrrr",
    "oooooooooooooooooo",
    "ooooWooooooooWoooo",
    "yyyyyyyyyyyyyyyyyy",
    "yyyyyyyyy3yyyyyyyy",
];
const PADDLE_SPEED: f32 = 900.0; // pixels per second
const BALL_SPEED: f32 = 420.0;
const FALL_SPEED: f32 = 140.0; // of capsules

// What a body is, stored in its user data: a number for each kind, which is also its color.
const WALL: u64 = 0x4a5568;
const PADDLE: u64 = 0x63b3ed;
const BALL: u64 = 0xffffff;
const WIDER: u64 = 0x48bb78;
const THREE: u64 = 0xd53f8c;

/// The controls during a step.
#[derive(Clone, Copy, Default)]
struct Input {
    left: bool,
    right: bool,
    start: bool,
    mouse: Option<f32>, // the x to which the mouse has moved
}

struct Ball {
    body: BodyKey,
    velocity: Vec2,
}

struct Game {
    world: World,
    bricks: ColliderKey,
    paddle: BodyKey,
    paddle_shape: ColliderKey,
    half_width: f32, // of the paddle
    balls: Vec<Ball>,
    is_waiting: bool, // the ball lies on the paddle
    score: u32,
    lives: u32,
}

impl Game {
    fn new() -> Result<Self> {
        let mut world = World::new();
        for layer in ["wall", "ball", "capsule"] {
            world.add_layer(layer)?;
        }
        // 1. Three walls; below, the field is open.
        let [width, height] = FIELD;
        let walls = [
            Aabb::new([-20.0, -20.0], [10.0, height]),
            Aabb::new([width - 10.0, -20.0], [width + 20.0, height]),
            Aabb::new([-20.0, -20.0], [width + 20.0, 10.0]),
        ];
        let walls = walls.map(|wall| Collider::new(wall).on_layer("wall"));
        spawn(&mut world, WALL, Body::fixed([0.0, 0.0]), walls)?;

        // 2. The bricks are the tiles of one map. The data of a tile is its color.
        let legend = [
            ('=', TileKind::SOLID.with_data(0xa0aec0)), // has to be hit twice
            ('r', TileKind::SOLID.with_data(0xe53e3e)),
            ('o', TileKind::SOLID.with_data(0xdd6b20)),
            ('y', TileKind::SOLID.with_data(0xf6e05e)),
            ('W', TileKind::SOLID.with_data(WIDER as u32)),
            ('3', TileKind::SOLID.with_data(THREE as u32)),
        ];
        let map = TileMap::from_rows([40.0, 60.0], [40.0, 20.0], &BRICKS, &legend);
        let body = world.add_body(Body::fixed([0.0, 0.0]))?;
        let bricks = world.add_collider(body, Collider::new(map).on_layer("wall"))?;

        // 3. The paddle is a capsule, so that it is round at its ends.
        let paddle = spawn(&mut world, PADDLE, Body::moving([width / 2.0, height - 40.0]), [])?;
        let paddle_shape = world.add_collider(paddle, Collider::new(bar(50.0)).on_layer("wall"))?;

        let balls = Vec::new();
        let mut game = Self {
            world,
            bricks,
            paddle,
            paddle_shape,
            half_width: 50.0,
            balls,
            is_waiting: true,
            score: 0,
            lives: 3,
        };
        game.add_ball(Vec2::ZERO)?;
        Ok(game)
    }

    /// Adds a ball above the paddle.
    fn add_ball(&mut self, velocity: Vec2) -> Result {
        let above = position(&self.world, self.paddle) - Vec2::new(0.0, 16.0);
        // Balls pass through each other: the mask has no layer "ball".
        let disc = Collider::new(Circle::new([0.0, 0.0], 7.0)).on_layer("ball").with_mask("wall");
        let body = spawn(&mut self.world, BALL, Body::moving(above), [disc])?;
        self.balls.push(Ball { body, velocity });
        Ok(())
    }

    /// Advances the game by one step of 1/60 s.
    fn step(&mut self, input: Input) -> Result {
        if self.is_over() {
            return Ok(());
        }
        self.move_paddle(input)?;
        self.move_balls(input)?;
        self.move_capsules()?;
        if self.balls.is_empty() {
            (self.lives, self.is_waiting) = (self.lives - 1, true);
            self.add_ball(Vec2::ZERO)?;
        }
        Ok(())
    }

    fn move_paddle(&mut self, input: Input) -> Result {
        let x = position(&self.world, self.paddle).x;
        let target = match input.mouse {
            Some(mouse) => mouse,
            None => x + axis(input.left, input.right) * PADDLE_SPEED * STEP,
        };
        let reach = self.half_width + 18.0;
        let motion = target.clamp(reach, FIELD[0] - reach) - x;
        // `carry` pushes a ball that is in the way, so that the paddle never covers it.
        self.world.carry(self.paddle, [motion, 0.0])?;
        Ok(())
    }

    fn move_balls(&mut self, input: Input) -> Result {
        if self.is_waiting {
            let above = position(&self.world, self.paddle) - Vec2::new(0.0, 16.0);
            self.world.set_position(self.balls[0].body, above)?;
            if !input.start {
                return Ok(());
            }
            self.balls[0].velocity = Vec2::new(0.3, -1.0).normalize() * BALL_SPEED;
            self.is_waiting = false;
        }
        let mut broken = Vec::new();
        let (paddle, half_width) = (self.paddle, self.half_width);
        let middle = position(&self.world, paddle).x;
        for ball in &mut self.balls {
            // The ball bounces, as often as needed within one step. Off the paddle it goes where the
            // player aims: the farther from the middle it hits, the flatter it leaves.
            let motion = ball.velocity * STEP;
            let travel = self.world.travel(ball.body, motion, |hit| {
                if hit.body == paddle {
                    let aim = (hit.point.x - middle) / half_width;
                    Response::Redirect(Vec2::new(aim, -1.0).normalize() * hit.motion.length())
                } else {
                    Response::Bounce(1.0)
                }
            })?;
            for hit in travel.hits() {
                ball.velocity = match hit.response {
                    Response::Redirect(motion) => motion.normalize_or(Vec2::NEG_Y) * BALL_SPEED,
                    _ => hit.bounced(ball.velocity, 1.0),
                };
                if hit.other == self.bricks {
                    broken.extend(hit.tile);
                }
            }
            // The corner of a brick can turn a ball so flat that it would not come back for a minute.
            let flattest = Vec2::new(3.0, 1.0).normalize() * BALL_SPEED;
            if ball.velocity.y.abs() < flattest.y {
                ball.velocity = flattest.copysign(ball.velocity);
            }
        }
        for cell in broken {
            self.hit_brick(cell)?;
        }
        // A ball below the field is lost.
        let world = &mut self.world;
        self.balls.retain(|ball| {
            let is_lost = position(world, ball.body).y > FIELD[1] + 20.0;
            if is_lost {
                world.remove_body(ball.body).expect("the ball is in the world");
            }
            !is_lost
        });
        Ok(())
    }

    fn bricks(&self) -> &TileMap {
        let collider = self.world.collider(self.bricks).expect("the bricks are in the world");
        match &**collider.shape() {
            Shape::TileMap(map) => map,
            _ => unreachable!("the bricks are a tile map"),
        }
    }

    fn hit_brick(&mut self, cell: Cell) -> Result {
        let map = self.bricks();
        let (kind, center) = (map.get(cell), map.cell_center(cell));
        if kind == TileMap::EMPTY {
            return Ok(()); // two balls have hit it in the same step
        }
        let color = u64::from(map.kind(cell).data());
        // A grey brick becomes a red one, the next kind in the legend.
        let next = if color == 0xa0aec0 { kind + 1 } else { TileMap::EMPTY };
        self.world.edit_tiles(self.bricks, |map| map.set(cell, next))?;
        self.score += 10;
        if color == WIDER || color == THREE {
            let shape = Capsule::new([-12.0, 0.0], [12.0, 0.0], 8.0);
            let sensor = Collider::sensor(shape).on_layer("capsule").with_mask("wall");
            spawn(&mut self.world, color, Body::moving(center), [sensor])?;
        }
        Ok(())
    }

    /// Capsules fall. The update reports those that begin to touch the paddle.
    fn move_capsules(&mut self) -> Result {
        let is_capsule = |body: &Body| body.user_data == WIDER || body.user_data == THREE;
        let capsules: Vec<BodyKey> =
            self.world.bodies().filter(|(_, body)| is_capsule(body)).map(|(key, _)| key).collect();
        for capsule in capsules {
            self.world.translate(capsule, [0.0, FALL_SPEED * STEP])?;
            if position(&self.world, capsule).y > FIELD[1] + 20.0 {
                self.world.remove_body(capsule)?;
            }
        }
        for event in self.world.update().body_events() {
            let Some(other) = event.other(self.paddle) else { continue };
            if event.kind != EventKind::Began || !self.world.body(other).is_some_and(is_capsule) {
                continue;
            }
            if self.world.remove_body(other)?.user_data == WIDER {
                self.half_width = 80.0;
                self.world.set_shape(self.paddle_shape, bar(80.0))?;
            } else {
                self.add_ball(Vec2::new(-0.5, -1.0).normalize() * BALL_SPEED)?;
                self.add_ball(Vec2::new(0.5, -1.0).normalize() * BALL_SPEED)?;
            }
        }
        Ok(())
    }

    fn bricks_left(&self) -> usize {
        self.bricks().tiles().count()
    }

    fn is_over(&self) -> bool {
        self.lives == 0 || self.bricks_left() == 0
    }

    fn draw(&self) {
        mq::clear_background(Color::from_hex(0x1a202c));
        show(CORNER, VIEW);
        for collider in self.world.colliders().filter(|collider| collider.key() != self.bricks) {
            fill(&collider.placed(), Color::from_hex(collider.body().user_data as u32));
        }
        let map = self.bricks();
        for cell in map.tiles() {
            let brick = map.tile_shape(cell).expect("the tile is not empty");
            let brick = brick.bounds().grown(-1.0).expect("a brick is larger than two pixels");
            fill(&brick, Color::from_hex(map.kind(cell).data()));
        }
        let keys = "mouse or arrows move   space or click starts the ball   Enter restart";
        hud(&format!("score {}   lives {}", self.score, self.lives), keys);
        match (self.lives, self.bricks_left()) {
            (0, _) => banner("Game over", PLAY_AGAIN),
            (_, 0) => banner("You win!", PLAY_AGAIN),
            _ => {}
        }
    }
}

/// The shape of a paddle.
fn bar(half_width: f32) -> Capsule {
    Capsule::new([8.0 - half_width, 0.0], [half_width - 8.0, 0.0], 8.0)
}

#[macroquad::main(conf)]
async fn main() -> Result {
    let (mut game, mut clock) = (Game::new()?, Clock::default());
    let mut mouse_x = 0.0;
    loop {
        if mq::is_key_pressed(KeyCode::Enter) {
            game = Game::new()?;
        }
        // The mouse takes over when it moves, the keys when one is pressed.
        let x = mouse(CORNER, VIEW).x;
        let input = Input {
            left: is_down(&[KeyCode::Left, KeyCode::A]),
            right: is_down(&[KeyCode::Right, KeyCode::D]),
            start: is_down(&[KeyCode::Space]) || mq::is_mouse_button_down(mq::MouseButton::Left),
            mouse: (x != mouse_x).then_some(x),
        };
        let steps = clock.steps();
        for _ in 0..steps {
            game.step(input)?;
        }
        if steps > 0 {
            mouse_x = x;
        }
        game.draw();
        mq::next_frame().await;
    }
}

fn conf() -> mq::Conf {
    window("carom breakout", VIEW, 1.0)
}
