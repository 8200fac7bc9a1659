//! A maze: eat all dots, and keep away from the ghosts.
//!
//! The arrow keys or W/A/S/D steer; a turn that comes early is made at the next crossing. Everyone waits for
//! the first key. After a power pill the ghosts can be eaten for a while. Enter starts a new game.
//!
//! Everything moves with `MazeMover`, which stores a cell and an offset, so no collision test is needed for
//! the walls. Only the hero and the ghosts are tested against each other, with a sweep. There is no world.
//!
//! `Game::step` needs no window: the story in `stories/maze.rs` plays it as a test. y points down, and one
//! unit is one tile.

use carom::motion::{Heading, MazeMover};
use carom::prelude::*;
use carom_examples::{
    Clock, PLAY_AGAIN, STEP, banner, fill, hud, is_down, letters, show, tiles, window,
};
use macroquad::prelude as mq;
use mq::{Color, KeyCode};

#[cfg(test)]
#[path = "stories/maze.rs"]
mod story;

const MAZE: [&str; 21] = [
    "###################",
    "#........#........#",
    "#o##.###.#.###.##o#",
    "#.................#",
    "#.##.#.#####.#.##.#",
    "#....#...#...#....#",
    "####.###.#.###.####",
    "####.#.......#.####",
    "####.#.##-##.#.####",
    "       #GGG#       ",
    "####.#.#####.#.####",
    "####.#.......#.####",
    "####.#.#####.#.####",
    "#........#........#",
    "#.##.###.#.###.##.#",
    "#o.#.....@.....#.o#",
    "##.#.#.#####.#.#.##",
    "#....#...#...#....#",
    "#.######.#.######.#",
    "#.................#",
    "###################",
];
const HERO_SPEED: f32 = 7.0; // tiles per second
const GHOST_SPEED: f32 = 6.3;
const SCARED_SPEED: f32 = 4.0;
const SCARED_STEPS: u32 = 360;
const DOT: u32 = 10; // points
const PILL: u32 = 50;
const DOOR: u32 = 1; // the data of the tile that only ghosts pass
const COLORS: [u32; 3] = [0xe53e3e, 0xd53f8c, 0xdd6b20]; // of the ghosts

/// The direction that the player wants, if a key is down.
type Input = Option<Heading>;

#[derive(Clone)]
struct Ghost {
    mover: MazeMover,
    home: Cell,
    wait: u32, // steps until it leaves its home
}

struct Game {
    maze: TileMap,
    dots: TileMap, // the data of a tile is the points that it gives
    hero: MazeMover,
    start: Cell,
    ghosts: Vec<Ghost>,
    scared_steps: u32, // steps for which the ghosts can be eaten
    step: u32,
    score: u32,
    lives: u32,
}

impl Game {
    fn new() -> Self {
        let door = TileKind::SOLID.with_data(DOOR);
        let maze = tiles(&MAZE, &[('#', TileKind::SOLID), ('-', door)]);
        let [dot, pill] = [DOT, PILL].map(|points| TileKind::SOLID.with_data(points));
        let dots = tiles(&MAZE, &[('.', dot), ('o', pill)]);
        let cell_of = |at: Vec2| Cell::new(at.x as u32, at.y as u32);
        let (mut start, mut ghosts) = (Cell::new(0, 0), Vec::new());
        for (letter, at) in letters(&MAZE) {
            match letter {
                '@' => start = cell_of(at),
                'G' => {
                    let (home, wait) = (cell_of(at), 120 * ghosts.len() as u32);
                    ghosts.push(Ghost { mover: MazeMover::new(home), home, wait });
                }
                _ => {}
            }
        }
        let hero = MazeMover::new(start);
        Self { maze, dots, hero, start, ghosts, scared_steps: 0, step: 0, score: 0, lives: 3 }
    }

    /// Advances the game by one step of 1/60 s.
    fn step(&mut self, input: Input) {
        self.hero.wanted = input.or(self.hero.wanted);
        if self.is_over() || self.hero.wanted.is_none() {
            return;
        }
        self.step += 1;
        self.scared_steps = self.scared_steps.saturating_sub(1);

        // 1. The hero goes on, and turns as soon as the wanted direction is open.
        let maze = &self.maze;
        let hero_path = advance(&mut self.hero, maze, HERO_SPEED, false);

        // 2. The ghosts choose a direction at each crossing.
        let speed = if self.scared_steps > 0 { SCARED_SPEED } else { GHOST_SPEED };
        let mut touched = Vec::new();
        for i in 0..self.ghosts.len() {
            if self.ghosts[i].wait > 0 {
                self.ghosts[i].wait -= 1;
                continue;
            }
            self.ghosts[i].mover.wanted = self.choose(i);
            let ghost_path = advance(&mut self.ghosts[i].mover, &self.maze, speed, true);
            // 3. Two that change places in one step never share a cell, but their circles touch on the
            //    way. A sweep by the relative motion finds that.
            let (hero, ghost) = (Circle::new(hero_path.0, 0.35), Circle::new(ghost_path.0, 0.35));
            if hero.sweep(hero_path.1 - ghost_path.1, &ghost).is_some() || hero.overlaps(&ghost) {
                touched.push(i);
            }
        }
        self.touch_ghosts(&touched);

        // 4. A dot in the hero's cell is eaten.
        let points = self.dots.kind(self.hero.cell()).data();
        self.dots.set(self.hero.cell(), TileMap::EMPTY);
        self.score += points;
        if points == PILL {
            self.scared_steps = SCARED_STEPS;
        }
    }

    /// The hero loses a life to the ghosts that it touches, or eats them if they are scared.
    fn touch_ghosts(&mut self, touched: &[usize]) {
        if !touched.is_empty() && self.scared_steps == 0 {
            self.lives -= 1;
            self.hero = MazeMover::new(self.start);
            for (i, ghost) in self.ghosts.iter_mut().enumerate() {
                (ghost.mover, ghost.wait) = (MazeMover::new(ghost.home), 60 + 120 * i as u32);
            }
            return;
        }
        for &i in touched {
            let ghost = &mut self.ghosts[i];
            (ghost.mover, ghost.wait) = (MazeMover::new(ghost.home), 180);
            self.score += 200;
        }
    }

    /// Returns the direction that a ghost takes at the next crossing: the one that leads nearest to its target.
    fn choose(&self, index: usize) -> Option<Heading> {
        let mover = &self.ghosts[index].mover;
        let back = mover.heading().map(Heading::reversed);
        let crossing = crossing(mover, &self.maze);
        let hero = self.hero.position(&self.maze);
        let ahead = self.hero.heading().map_or(Vec2::ZERO, Heading::vector);
        let corners = [Vec2::new(1.0, 1.0), Vec2::new(17.0, 19.0), Vec2::new(17.0, 1.0)];
        let target = match index {
            _ if self.scared_steps > 0 => corners[(self.step / 90) as usize % 3],
            0 => hero,                                                  // follows
            1 => hero + ahead * 4.0,                                    // cuts off
            _ if (self.step / 300).is_multiple_of(2) => corners[index], // follows now and then
            _ => hero,
        };
        let open = |heading| exit(&self.maze, crossing, heading, true);
        let distance = |heading: Heading| match open(heading) {
            Some(next) if self.maze.kind(next).data() == DOOR => 0.0, // first of all, leave home
            _ => (self.maze.cell_center(crossing) + heading.vector()).distance(target),
        };
        Heading::ALL
            .into_iter()
            .filter(|&heading| Some(heading) != back && open(heading).is_some())
            .min_by(|&a, &b| distance(a).total_cmp(&distance(b)))
            .or(back)
    }

    fn dots_left(&self) -> usize {
        self.dots.tiles().count()
    }

    fn is_over(&self) -> bool {
        self.lives == 0 || self.dots_left() == 0
    }

    fn draw(&self) {
        mq::clear_background(Color::from_hex(0x1a202c));
        show(CORNER, VIEW);
        for cell in self.maze.tiles() {
            let is_door = self.maze.kind(cell).data() == DOOR;
            let color = if is_door { 0xd69e2e } else { 0x4a5568 };
            if let Some(tile) = self.maze.tile_shape(cell) {
                fill(&tile, Color::from_hex(color));
            }
        }
        for cell in self.dots.tiles() {
            let radius = if self.dots.kind(cell).data() == PILL { 0.28 } else { 0.1 };
            fill(&Circle::new(self.dots.cell_center(cell), radius), Color::from_hex(0xf6e05e));
        }
        let at = self.hero.position(&self.maze);
        fill(&Circle::new(at, 0.42), Color::from_hex(0x63b3ed));
        let ahead = self.hero.heading().map_or(Vec2::X, Heading::vector);
        fill(&Circle::new(at + ahead * 0.2, 0.1), mq::BLACK);
        for (ghost, color) in self.ghosts.iter().zip(COLORS) {
            let at = ghost.mover.position(&self.maze);
            let scared = self.scared_steps > 120 || self.scared_steps % 20 > 10;
            let color = if scared { 0x68d391 } else { color };
            let body = Capsule::new(at - Vec2::new(0.0, 0.1), at + Vec2::new(0.0, 0.15), 0.33);
            fill(&body, Color::from_hex(color));
            for x in [-0.13, 0.13] {
                fill(&Circle::new(at + Vec2::new(x, -0.1), 0.09), mq::WHITE);
            }
        }
        let keys = "arrows or WASD steer   Enter restart";
        hud(&format!("score {}   lives {}", self.score, self.lives), keys);
        match (self.lives, self.dots_left()) {
            (0, _) => banner("Game over", PLAY_AGAIN),
            (_, 0) => banner("You win!", PLAY_AGAIN),
            _ => {}
        }
    }
}

/// Returns the cell that an exit of a cell leads to; `None` if there is a wall. The open row leads to the
/// other side, and ghosts pass the door upwards.
fn exit(maze: &TileMap, cell: Cell, heading: Heading, is_ghost: bool) -> Option<Cell> {
    let last = maze.columns() - 1;
    let next = match heading {
        Heading::NegX if cell.column == 0 => Cell::new(last, cell.row),
        Heading::PosX if cell.column == last => Cell::new(0, cell.row),
        _ => heading.next(cell)?,
    };
    let is_door = maze.kind(next).data() == DOOR && heading == Heading::NegY;
    (maze.kind(next).is_empty() || is_ghost && is_door).then_some(next)
}

/// Returns the cell in which something can turn next: its own, or the one that it is moving to.
fn crossing(mover: &MazeMover, maze: &TileMap) -> Cell {
    let heading = mover.heading().filter(|_| mover.offset() > 0.0);
    heading.and_then(|heading| exit(maze, mover.cell(), heading, true)).unwrap_or(mover.cell())
}

/// Moves something through the maze. Returns where it began and how it moved.
fn advance(mover: &mut MazeMover, maze: &TileMap, speed: f32, is_ghost: bool) -> (Vec2, Vec2) {
    let from = mover.position(maze);
    mover.advance(speed * STEP, |cell, heading| exit(maze, cell, heading, is_ghost));
    let to = mover.position(maze);
    // In the tunnel it jumps to the other side: that is no motion through the maze.
    if from.distance(to) > 1.0 { (to, Vec2::ZERO) } else { (from, to - from) }
}

// The window shows the maze and two lines of text above it.
const CORNER: [f32; 2] = [0.0, -2.2];
const VIEW: [f32; 2] = [19.0, 23.2];

#[macroquad::main(conf)]
async fn main() {
    let (mut game, mut clock) = (Game::new(), Clock::default());
    loop {
        if mq::is_key_pressed(KeyCode::Enter) {
            game = Game::new();
        }
        let keys = [
            ([KeyCode::Left, KeyCode::A], Heading::NegX),
            ([KeyCode::Right, KeyCode::D], Heading::PosX),
            ([KeyCode::Up, KeyCode::W], Heading::NegY),
            ([KeyCode::Down, KeyCode::S], Heading::PosY),
        ];
        let input = keys.iter().find(|(keys, _)| is_down(keys)).map(|&(_, heading)| heading);
        for _ in 0..clock.steps() {
            game.step(input);
        }
        game.draw();
        mq::next_frame().await;
    }
}

fn conf() -> mq::Conf {
    window("carom maze", VIEW, 28.0)
}
