//! A small world drawn as text, and a hero that walks in it.
//!
//! y points down, and a tile is 1 by 1:
//!
//! | character | meaning |
//! | --- | --- |
//! | `.` | nothing |
//! | `#` | a solid tile |
//! | `_` | the lower half of a solid tile |
//! | `-` | a one-way platform along the top of the tile |
//! | `%` | a one-way platform that rises to the right, at 45° |
//! | `/` `\` | slopes of 45° |
//! | `l` `h` and `H` `L` | a gentle slope over two tiles, up and down |
//! | `@` | the hero, 0.75 wide and 0.875 high, on the ground of the tile |
//! | `A` to `E` | moving blocks: a run of the same letter is one block |
//! | `a` to `e` | moving blocks that are a quarter as high and one-way |

use std::collections::BTreeMap;

use carom::prelude::*;

use super::script::{self, Input};
use super::trace::{self, Frame};

pub const UP: Vec2 = Vec2::NEG_Y;

// These numbers are sums of few powers of two, so every position on level ground is exact.
/// The distance that the hero runs in a frame.
pub const RUN: f32 = 0.125;
const GRAVITY: f32 = 0.0625;
const JUMP: f32 = 0.5;
const FASTEST_FALL: f32 = 0.75;
const PLATFORM: f32 = 0.0625;

pub struct Stage {
    pub world: World,
    pub hero: BodyKey,
    pub walker: Walker,
    pub state: WalkerState,
    pub velocity: Vec2,
    ground: BodyKey,
    /// The tiles that are solid from all sides, one by one.
    tiles: Vec<Shape>,
    platforms: BTreeMap<char, Platform>,
    frames: Vec<Frame>,
}

struct Platform {
    body: BodyKey,
    /// The script of its motion, which repeats.
    script: Vec<Input>,
}

impl Stage {
    pub fn new(rows: &[&str]) -> Self {
        let mut world = World::new();
        let ground = world.add_body(Body::fixed([0.0, 0.0])).unwrap();
        let map = tile_map(rows);
        let solid = map.tiles().filter(|&tile| !map.kind(tile).is_one_way());
        let tiles = solid.filter_map(|tile| map.tile_shape(tile)).collect();
        world.add_collider(ground, Collider::new(map)).unwrap();
        let mut platforms = BTreeMap::new();
        for (name, [x, y], long) in runs(rows) {
            let body = world.add_body(Body::moving([x, y])).unwrap();
            let collider = if name.is_uppercase() {
                Collider::new(Aabb::new([0.0, 0.0], [long, 1.0]))
            } else {
                Collider::new(Aabb::new([0.0, 0.0], [long, 0.25])).one_way(UP)
            };
            world.add_collider(body, collider).unwrap();
            platforms.insert(name, Platform { body, script: Vec::new() });
        }
        let (column, row) = find(rows, '@').next().expect("every stage has a hero");
        let feet = [column as f32 + 0.5, row as f32 + 1.0];
        let hero = world.add_body(Body::moving(feet)).unwrap();
        let shape = Aabb::new([-0.375, -0.875], [0.375, 0.0]);
        world.add_collider(hero, Collider::new(shape)).unwrap();
        let walker = Walker::new().up(UP);
        let (state, velocity, frames) = (WalkerState::new(), Vec2::ZERO, Vec::new());
        Self { world, hero, walker, state, velocity, ground, tiles, platforms, frames }
    }

    /// Sets the shape of the hero, relative to its feet.
    pub fn with_hero(mut self, shape: impl Into<Shape>) -> Self {
        let collider = self.world.colliders_of(self.hero).next().unwrap();
        self.world.set_shape(collider, shape.into()).unwrap();
        self
    }

    /// Sets the script of a platform, which repeats. A platform moves by 1/16 of a tile per frame.
    pub fn platform(mut self, name: char, script: &str) -> Self {
        let platform = self.platforms.get_mut(&name).expect("the platform is drawn");
        platform.script = script::frames(script);
        self
    }

    pub fn platform_names(&self) -> Vec<char> {
        self.platforms.keys().copied().collect()
    }

    pub fn is_platform(&self, body: BodyKey) -> bool {
        self.platforms.values().any(|platform| platform.body == body)
    }

    pub fn stop_platforms(&mut self) {
        self.platforms.values_mut().for_each(|platform| platform.script.clear());
    }

    /// Returns the position of the hero's feet.
    pub fn feet(&self) -> Vec2 {
        self.world.body(self.hero).unwrap().pose.position
    }

    /// Plays a script and returns its trace.
    pub fn play(&mut self, script: &str) -> String {
        let start = self.frames.len();
        script::frames(script).into_iter().for_each(|input| self.step(input));
        trace::text(&self.frames[start..])
    }

    /// Plays a script and compares its trace with the expected one.
    #[track_caller]
    pub fn expect(&mut self, script: &str, trace: &str) {
        trace::check(&self.play(script), trace);
    }

    /// Plays one frame.
    pub fn step(&mut self, input: Input) {
        let before = self.feet();
        let inside = self.overlapped();
        let squashed = self.move_platforms();
        let carried = self.feet() != before;
        let [way, _] = input.direction();
        self.velocity.x = way * RUN;
        if input.jump && self.state.on_floor() {
            self.velocity.y = -JUMP;
        } else if self.velocity.y < FASTEST_FALL {
            self.velocity.y = (self.velocity.y + GRAVITY).min(FASTEST_FALL);
        }
        if input.down {
            self.state.drop_through();
        }
        let walk =
            self.world.walk(self.hero, &self.walker, &mut self.state, self.velocity).unwrap();
        self.velocity = walk.velocity(self.velocity);
        let flags = [
            (walk.on_floor(), "floor"),
            (walk.wall.is_some(), "wall"),
            (walk.ceiling.is_some(), "ceiling"),
            (carried, "carried"),
            (squashed, "squashed"),
            (walk.push != Vec2::ZERO, "pushed"),
            (walk.is_stuck, "stuck"),
            // A violation of law 6. No expected trace has this word, so every scenario checks the law.
            (!squashed && self.overlapped().iter().any(|other| !inside.contains(other)), "inside"),
        ];
        let flags = flags.into_iter().filter(|flag| flag.0).map(|flag| flag.1).collect();
        self.frames.push(Frame { moved: self.feet() - before, flags });
    }

    /// Returns the last frames as text.
    pub fn recent(&self) -> String {
        trace::text(&self.frames[self.frames.len().saturating_sub(8)..])
    }

    /// Describes the last frame.
    pub fn last(&self) -> &Frame {
        self.frames.last().expect("a frame was played")
    }

    pub fn falls(&self) -> bool {
        self.velocity.y > 0.0
    }

    /// Returns `true` if a motion of the hero, from slightly beside its position, hits a solid shape.
    pub fn would_hit(&self, beside: Vec2, motion: Vec2) -> bool {
        let hero = self.shape().translated(beside);
        self.world.sweep(&hero, motion, &Filter::new().exclude(self.hero)).is_some()
    }

    /// Returns the normals of the solid shapes that the motion hits.
    pub fn solid_normals_hit(&self, beside: Vec2, motion: Vec2) -> Vec<Vec2> {
        let hero = self.shape().translated(beside);
        let hits =
            self.solids_near(&hero, motion).filter_map(|(_, solid)| hero.sweep(motion, &solid));
        hits.map(|hit| hit.normal).collect()
    }

    fn shape(&self) -> Shape {
        let collider = self.world.colliders_of(self.hero).next().unwrap();
        self.world.collider(collider).unwrap().placed().to_shape()
    }

    /// Returns the solid shapes near the path of a shape, tile by tile.
    fn solids_near(
        &self,
        shape: &Shape,
        motion: Vec2,
    ) -> impl Iterator<Item = (ColliderKey, ShapeRef<'_>)> {
        let bounds = shape.bounds();
        let (low, high) =
            (bounds.min() + motion.min(Vec2::ZERO), bounds.max() + motion.max(Vec2::ZERO));
        let is_near = move |other: &ShapeRef<'_>| {
            let other = other.bounds();
            other.min().cmple(high).all() && low.cmple(other.max()).all()
        };
        let ground = self
            .world
            .colliders_of(self.ground)
            .flat_map(|key| self.tiles.iter().map(move |tile| (key, tile.as_shape())));
        let blocks = self.platforms.values().flat_map(|platform| {
            let colliders = self.world.colliders_of(platform.body);
            colliders.filter_map(|key| self.world.collider(key))
        });
        let blocks = blocks.filter(|block| block.one_way().is_none());
        let blocks = blocks.map(|block| (block.key(), block.placed()));
        ground.chain(blocks).filter(move |(_, solid)| is_near(solid))
    }

    /// Moves the platforms. Returns whether one of them squashes the hero.
    fn move_platforms(&mut self) -> bool {
        let mut squashed = false;
        for platform in self.platforms.values() {
            if platform.script.is_empty() {
                continue;
            }
            let input = platform.script[self.frames.len() % platform.script.len()];
            let motion = Vec2::from(input.direction()) * PLATFORM;
            let carry = self.world.carry(platform.body, motion).unwrap();
            squashed |= carry.squashed().contains(&self.hero);
        }
        squashed
    }

    /// Returns the solid colliders that the hero overlaps.
    fn overlapped(&self) -> Vec<ColliderKey> {
        let hero = self.shape();
        let near = self.solids_near(&hero, Vec2::ZERO);
        near.filter(|(_, solid)| solid.overlaps(&hero)).map(|(key, _)| key).collect()
    }
}

/// Returns the column and the row of a character.
fn find(rows: &[&str], wanted: char) -> impl Iterator<Item = (usize, usize)> {
    rows.iter().enumerate().flat_map(move |(y, row)| {
        row.chars().enumerate().filter(move |cell| cell.1 == wanted).map(move |cell| (cell.0, y))
    })
}

fn tile_map(rows: &[&str]) -> TileMap {
    let legend = [
        ('#', TileKind::SOLID),
        ('_', TileKind::slope(0.5, 0.5, UP)),
        ('-', TileKind::one_way(UP)),
        ('%', TileKind::one_way_line([1.0, 0.0], [0.0, 1.0])),
        ('/', TileKind::slope(0.0, 1.0, UP)),
        ('\\', TileKind::slope(1.0, 0.0, UP)),
        ('l', TileKind::slope(0.0, 0.5, UP)),
        ('h', TileKind::slope(0.5, 1.0, UP)),
        ('H', TileKind::slope(1.0, 0.5, UP)),
        ('L', TileKind::slope(0.5, 0.0, UP)),
    ];
    let is_tile = |name: char| legend.iter().any(|kind| kind.0 == name);
    let rows: Vec<String> = rows
        .iter()
        .map(|row| row.chars().map(|name| if is_tile(name) { name } else { '.' }).collect())
        .collect();
    TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &rows, &legend)
}

/// Returns the letters, positions and lengths of the moving blocks.
fn runs(rows: &[&str]) -> Vec<(char, [f32; 2], f32)> {
    let mut runs = Vec::new();
    for name in ('A'..='E').chain('a'..='e') {
        if let Some((x, y)) = find(rows, name).next() {
            let long = rows[y].chars().skip(x).take_while(|&other| other == name).count();
            runs.push((name, [x as f32, y as f32], long as f32));
        }
    }
    runs
}
