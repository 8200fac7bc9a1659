//! Levels on a grid, built of any kind of shape, and random stories.

use carom::prelude::*;

use crate::stage::{Random, aabb, capsule, circle, convex};
use crate::story::{Actor, Frame, Piece, Story};

/// The kinds of shapes that a level can be built of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    Tiles,
    Boxes,
    Rows,
    Polygon,
    Compound,
    Chain,
    Mask,
}

impl Build {
    pub const ALL: [Self; 7] = [
        Self::Tiles,
        Self::Boxes,
        Self::Rows,
        Self::Polygon,
        Self::Compound,
        Self::Chain,
        Self::Mask,
    ];
}

/// A level on a grid: `#` solid, `/` and `\` slopes, `-` one-way platforms. The first row is the lowest.
#[derive(Clone, Debug)]
pub struct Grid {
    pub origin: Vec2,
    pub cell: f32,
    pub rows: Vec<String>,
}

impl Grid {
    fn cells(&self) -> impl Iterator<Item = (usize, usize, char)> + '_ {
        let row = |(y, row): (usize, &String)| {
            row.chars().enumerate().map(move |(x, letter)| (x, y, letter)).collect::<Vec<_>>()
        };
        self.rows.iter().enumerate().flat_map(row)
    }

    fn at(&self, x: usize, y: usize) -> Vec2 {
        self.origin + Vec2::new(x as f32, y as f32) * self.cell
    }

    /// The corners of a solid cell, counter-clockwise, in cells.
    fn corners(x: usize, y: usize, letter: char) -> Vec<[usize; 2]> {
        let all = [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]];
        match letter {
            '#' => all.to_vec(),
            '/' => vec![all[0], all[1], all[2]],
            '\\' => vec![all[0], all[1], all[3]],
            _ => Vec::new(),
        }
    }

    fn shape(&self, x: usize, y: usize, letter: char) -> Option<Shape> {
        let corners = Self::corners(x, y, letter);
        match corners[..] {
            [] => None,
            [a, b, c] => {
                let [a, b, c] = [a, b, c].map(|[x, y]| self.at(x, y));
                Some(Triangle::new(a, b, c).into())
            }
            _ => Some(Aabb::new(self.at(x, y), self.at(x + 1, y + 1)).into()),
        }
    }

    /// Builds the level of one kind of shape; `None` if that kind cannot represent it.
    pub fn build(&self, build: Build) -> Option<Vec<Piece>> {
        let shapes = || self.cells().filter_map(|(x, y, letter)| self.shape(x, y, letter));
        let mut pieces: Vec<Piece> = match build {
            Build::Tiles => {
                let kinds = [
                    ('#', TileKind::SOLID),
                    ('/', TileKind::convex(&[[0., 0.], [1., 0.], [1., 1.]])),
                    ('\\', TileKind::convex(&[[0., 0.], [1., 0.], [0., 1.]])),
                    ('-', TileKind::one_way_line([0., 1.], [1., 1.])),
                    ('.', TileKind::EMPTY),
                ];
                let map = TileMap::from_rows(self.origin, [self.cell; 2], &self.rows, &kinds);
                return Some(vec![Piece::solid(map)]);
            }
            Build::Boxes => shapes().map(Piece::solid).collect(),
            Build::Rows => {
                let mut pieces: Vec<Piece> = self
                    .runs('#')
                    .map(|(x, end, y)| Piece::solid(Aabb::new(self.at(x, y), self.at(end, y + 1))))
                    .collect();
                let slopes = self.cells().filter(|(_, _, letter)| *letter != '#');
                pieces.extend(slopes.filter_map(|(x, y, l)| self.shape(x, y, l)).map(Piece::solid));
                pieces
            }
            Build::Compound => {
                let shapes: Vec<Shape> = shapes().collect();
                if shapes.is_empty() {
                    Vec::new()
                } else {
                    vec![Piece::solid(Compound::new(shapes))]
                }
            }
            Build::Chain => {
                self.outlines().iter().map(|o| Piece::solid(Chain::closed(o))).collect()
            }
            Build::Polygon => self.polygons()?.into_iter().map(Piece::solid).collect(),
            Build::Mask => {
                if self.cells().any(|(_, _, letter)| "/\\".contains(letter)) {
                    return None;
                }
                let rows: Vec<String> = self.rows.iter().map(|row| row.replace('-', ".")).collect();
                vec![Piece::solid(Mask::from_rows(self.origin, self.cell, &rows))]
            }
        };
        for (x, end, y) in self.runs('-') {
            let [a, b] = [self.at(x, y + 1), self.at(end, y + 1)];
            if matches!(build, Build::Boxes | Build::Mask) {
                let at = |x| self.at(x, y + 1);
                let cells = (x..end).map(|x| Chain::new(&[at(x), at(x + 1)]).one_sided());
                pieces.extend(cells.map(Piece::solid));
            } else {
                pieces.push(Piece::one_way(Segment::new(a, b), [0.0, 1.0]));
            }
        }
        Some(pieces)
    }

    /// The runs of a letter in the rows: the first cell, the one after the last, and the row.
    fn runs(&self, letter: char) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        let runs = move |(y, row): (usize, &String)| {
            let row: Vec<char> = row.chars().chain(['.']).collect();
            let mut runs = Vec::new();
            let mut start = None;
            for (x, &other) in row.iter().enumerate() {
                match (start, other == letter) {
                    (None, true) => start = Some(x),
                    (Some(from), false) => {
                        runs.push((from, x, y));
                        start = None;
                    }
                    _ => {}
                }
            }
            runs
        };
        self.rows.iter().enumerate().flat_map(runs)
    }

    /// The outlines of the solid cells, with the inside on the left, and no vertices on straight edges.
    fn outlines(&self) -> Vec<Vec<Vec2>> {
        // 1. All edges of all cells, without those that two cells share.
        let mut edges: Vec<[[usize; 2]; 2]> = Vec::new();
        for (x, y, letter) in self.cells() {
            let corners = Self::corners(x, y, letter);
            for i in 0..corners.len() {
                let edge = [corners[i], corners[(i + 1) % corners.len()]];
                match edges.iter().position(|other| *other == [edge[1], edge[0]]) {
                    Some(shared) => drop(edges.swap_remove(shared)),
                    None => edges.push(edge),
                }
            }
        }
        // 2. Follow them. Where two outlines touch, turn left, so that they stay apart.
        let mut outlines = Vec::new();
        let way = |edge: [[usize; 2]; 2]| {
            let [a, b] = edge.map(|[x, y]| Vec2::new(x as f32, y as f32));
            b - a
        };
        while let Some(first) = edges.pop() {
            let mut outline = vec![first];
            loop {
                let last = outline[outline.len() - 1];
                if last[1] == first[0] {
                    break;
                }
                let next = (0..edges.len()).filter(|&i| edges[i][0] == last[1]);
                let turn = |i: usize| {
                    let (a, b) = (way(last), way(edges[i]));
                    f32::atan2(a.perp_dot(b), a.dot(b))
                };
                let next = next.max_by(|&a, &b| turn(a).total_cmp(&turn(b)));
                outline.push(edges.swap_remove(next.expect("outlines are closed")));
            }
            let count = outline.len();
            let bends = (0..count).filter(|&i| {
                way(outline[(i + count - 1) % count]).perp_dot(way(outline[i])) != 0.0
            });
            outlines.push(bends.map(|i| self.at(outline[i][0][0], outline[i][0][1])).collect());
        }
        outlines
    }

    fn polygons(&self) -> Option<Vec<Polygon>> {
        let area = |ring: &[Vec2]| -> f32 {
            (0..ring.len()).map(|i| ring[i].perp_dot(ring[(i + 1) % ring.len()])).sum()
        };
        let (outer, inner): (Vec<_>, Vec<_>) =
            self.outlines().into_iter().partition(|ring| area(ring) > 0.0);
        let mut polygons: Vec<(Vec<Vec2>, Vec<Vec<Vec2>>)> =
            outer.into_iter().map(|ring| (ring, Vec::new())).collect();
        for hole in inner {
            let around = polygons.iter_mut().filter(|(outer, _)| {
                Polygon::try_new(outer)
                    .is_ok_and(|p| hole.iter().all(|&v| p.intersects(&Point::new(v))))
            });
            let smallest = around.min_by(|a, b| area(&a.0).total_cmp(&area(&b.0)));
            smallest?.1.push(hole);
        }
        polygons.iter().map(|(outer, holes)| Polygon::try_with_holes(outer, holes).ok()).collect()
    }
}

/// A random level on a grid, about 12 by 8 cells, with a floor.
pub fn random_grid(random: &mut Random) -> Grid {
    let (columns, rows) = (8 + random.below(8), 5 + random.below(4));
    let density = random.unit() * 0.35;
    let has_slopes = random.chance(0.6);
    let mut level: Vec<Vec<char>> = (0..rows).map(|_| vec!['.'; columns]).collect();
    for (y, row) in level.iter_mut().enumerate() {
        for cell in row.iter_mut() {
            let is_floor = y == 0 && !random.chance(0.05);
            *cell = match random.below(10) {
                _ if is_floor => '#',
                _ if !random.chance(density) => '.',
                0 | 1 => '-',
                2 if has_slopes => '/',
                3 if has_slopes => '\\',
                _ => '#',
            };
        }
    }
    // Slopes that lead up to blocks and down from them.
    for _ in 0..if has_slopes { random.below(4) } else { 0 } {
        let (x, y) = (random.below(columns), 1 + random.below(rows - 2));
        if level[y][x] == '.' && level[y - 1][x] == '#' {
            let is_right = x + 1 < columns && level[y][x + 1] == '#';
            level[y][x] = if is_right { '/' } else { '\\' };
        }
    }
    let cell = [0.5, 1.0, 1.0, 2.0][random.below(4)];
    let rows = level.into_iter().map(|row| row.into_iter().collect()).collect();
    Grid { origin: Vec2::new(-5.0, -1.0) * cell, cell, rows }
}

/// A number on a grid so fine that nothing fits by accident, and that shifts are exact.
fn odd(random: &mut Random, low: f32, high: f32) -> f32 {
    (random.between(low, high) * 4096.0).round() / 4096.0
}

/// A random shape for a hero, with its feet near the origin.
pub fn random_hero(random: &mut Random, size: f32) -> Vec<Shape> {
    let s = size * odd(random, 0.7, 1.1);
    let w = s * odd(random, 0.25, 0.5);
    let h = s * odd(random, 0.6, 1.6);
    let shape: Shape = match random.below(13) {
        0..=2 => aabb([-w, 0.], [w, h]),
        3 => circle([0., w], w),
        4 | 5 => capsule([0., w], [0., w + h], w),
        6 => convex(&[[-w * 0.7, 0.], [w * 0.8, 0.], [w, h * 0.4], [0.1 * w, h], [-w, h * 0.5]]),
        7 => convex(&[[0., 0.], [w, h * 0.5], [0.05 * w, h], [-w, h * 0.45]]),
        8 => ConvexPolygon::rounded(&[[-w, w], [w, w], [0.1 * w, h + w]], w * 0.5).into(),
        9 => Polygon::new(&[
            [-w, 0.],
            [w, 0.],
            [w, h],
            [0.2 * w, h],
            [0.1 * w, h * 0.4],
            [-w, h * 0.3],
        ])
        .into(),
        10 => {
            // A grid has exact images if its numbers are short.
            let pixel = (w * 16.0).ceil() / 32.0;
            let rows = [".##.", "####", "####", ".##.", "###."];
            Mask::from_rows([-2.0 * pixel, 0.], pixel, &rows).into()
        }
        11 => Compound::new([aabb([-w, w * 0.5], [w, h]), circle([0., w], w)]).into(),
        _ => return vec![aabb([-w, w * 0.5], [w, h]), circle([0., w], w)],
    };
    vec![shape]
}

pub fn random_walker(random: &mut Random, size: f32) -> Walker {
    let pick = |random: &mut Random, all: &[f32]| all[random.below(all.len())];
    let mut walker = Walker::new();
    walker.max_slope_angle = pick(random, &[0.3, 0.803, 0.803, 0.803, 1.2]);
    walker.snap_distance = size * pick(random, &[0.0, 0.1, 0.1, 0.31]);
    walker.max_step_height = size * pick(random, &[0.0, 0.0, 0.27, 0.53, 1.1]);
    walker.corner_correction = size * pick(random, &[0.0, 0.0, 0.23]);
    walker.constant_speed = random.chance(0.7);
    if random.chance(0.15) {
        walker.pixel_size = size / 16.0;
    }
    walker
}

/// The inputs of a walker or a traveller, with a lift that goes there and back.
pub fn random_frames(random: &mut Random, count: usize, size: f32, is_walker: bool) -> Vec<Frame> {
    let mut frame = Frame::new([0.0, 0.0]);
    let mut lift = Vec2::new(odd(random, -0.06, 0.06), odd(random, -0.06, 0.06)) * size;
    match random.below(4) {
        0 => lift.x = 0.0,
        1 => lift.y = 0.0,
        _ => {}
    }
    let period = 8 + random.below(24);
    (0..count)
        .map(|i| {
            if i % 7 == 0 && random.chance(0.5) || i == 0 {
                let speed = size * odd(random, -7.0, 7.0);
                frame.motion = match is_walker {
                    true if random.chance(0.2) => Vec2::ZERO,
                    true => Vec2::new(speed, 0.0),
                    false => {
                        let mut motion =
                            Vec2::new(odd(random, -1., 1.), odd(random, -1., 1.)) * size;
                        match random.below(6) {
                            0 => motion.x = 0.0,
                            1 => motion.y = 0.0,
                            2 => motion *= 10.0,
                            _ => {}
                        }
                        motion
                    }
                };
                frame.response = match random.below(8) {
                    0 => Response::Touch,
                    1 => Response::Bounce(1.0),
                    2 => Response::Bounce(odd(random, 0.2, 0.9)),
                    3 => {
                        let motion = Vec2::new(odd(random, -0.5, 0.5), odd(random, -0.5, 0.5));
                        Response::Redirect(motion * size)
                    }
                    _ => Response::Slide,
                };
            }
            if i % period == 0 {
                lift = -lift;
            }
            frame.jump = is_walker && random.chance(0.06);
            frame.drop = is_walker && random.chance(0.02);
            frame.lift = lift;
            frame
        })
        .collect()
}

/// A random story in a level on a grid. The level itself is not part of it yet.
pub fn random_story(random: &mut Random, size: f32) -> Story {
    let is_walker = random.chance(0.7);
    let hero_size = size * if random.chance(0.5) { 0.9 } else { 0.6 };
    let mut walker = random_walker(random, hero_size);
    if random.chance(0.1) {
        walker.up = Vec2::new(0.6, 0.8);
    }
    let actor = if is_walker { Actor::Walker(walker) } else { Actor::Traveller };
    let lift = match random.below(5) {
        0 => {
            let [x, y] = [odd(random, -4., 4.), odd(random, 0., 4.)].map(|v| v * size);
            let shape = aabb([x, y], [x + 2.0 * size, y + 0.3 * size]);
            match random.below(3) {
                0 => vec![Piece::one_way(shape, [0.0, 1.0])],
                _ => vec![Piece::solid(shape)],
            }
        }
        _ => Vec::new(),
    };
    Story {
        level: Vec::new(),
        lift,
        hero: random_hero(random, hero_size),
        start: Vec2::ZERO,
        actor,
        frames: random_frames(random, 96, size, is_walker),
    }
}

/// Chooses a start where the hero overlaps nothing of some pieces and not the lift.
pub fn choose_start(random: &mut Random, story: &mut Story, pieces: &[Piece], size: f32) {
    for _ in 0..100 {
        story.start = Vec2::new(odd(random, -4., 8.), odd(random, 0.1, 6.)) * size;
        let mut all = pieces.iter().chain(&story.lift);
        let overlaps = all.any(|piece| {
            story.hero.iter().any(|hero| {
                let hero = hero.clone().translated(story.start);
                hero.overlaps(&piece.shape)
            })
        });
        if !overlaps {
            return;
        }
    }
    story.start = Vec2::new(0.0, 20.0) * size;
}

/// A random level of loose pieces: a floor, a wall, hills, planks and blocks of every shape.
pub fn random_pieces(random: &mut Random) -> Vec<Piece> {
    let mut pieces = vec![Piece::solid(aabb([-9., -2.], [9., odd(random, -1.1, -0.9)]))];
    if random.chance(0.5) {
        let x = odd(random, 5., 8.);
        let lean = [0.0, 0.0, 0.25, -0.25, 1e-6][random.below(5)];
        pieces.push(Piece::solid(convex(&[
            [x, -1.5],
            [x + 3., -1.5],
            [x + 3., 6.],
            [x + lean, 6.],
        ])));
    }
    let count = random.below(9);
    for _ in 0..count {
        let at = Vec2::new(odd(random, -6., 8.), odd(random, -1., 4.));
        let [a, b, c] = [0; 3].map(|_| odd(random, 0.2, 1.5));
        let slope = odd(random, -1.0, 1.0);
        let shape: Shape = match random.below(10) {
            0 | 1 => Aabb::new(at, at + Vec2::new(a, b)).into(),
            2 => Circle::new(at, a * 0.625).into(),
            3 => Capsule::new(at, at + Vec2::new(a, slope), c * 0.25).into(),
            4 => Triangle::new(at, at + Vec2::new(2.0 * a, 0.), at + Vec2::new(2.0 * a, b)).into(),
            5 => ConvexPolygon::new(&[
                at,
                at + Vec2::new(a, -0.125 * b),
                at + Vec2::new(a * 1.25, b),
                at + Vec2::new(0.25 * a, b * 1.125),
            ])
            .into(),
            6 => ConvexPolygon::rounded(
                &[at, at + Vec2::new(2.0 * a, 0.125 * b), at + Vec2::new(a, b)],
                0.25 * c,
            )
            .into(),
            7 => Segment::new(at, at + Vec2::new(2.0 * a, slope)).into(),
            8 => {
                let xs = [0.0, 1.0, 2.125, 3.25, 4.25];
                let points = xs.map(|x| at + Vec2::new(x, odd(random, -0.4, 0.4)));
                let chain =
                    Chain::new(&points.map(|p| p.to_array()).into_iter().rev().collect::<Vec<_>>());
                // From the right to the left: the left of the chain is below it.
                if random.chance(0.5) {
                    let points: Vec<Vec2> = points.to_vec();
                    Chain::new(&points).one_sided().into()
                } else {
                    chain.into()
                }
            }
            _ => Polygon::new(&[
                at,
                at + Vec2::new(2. * a, 0.),
                at + Vec2::new(2. * a, b),
                at + Vec2::new(1.5 * a, b),
                at + Vec2::new(1.25 * a, 0.375 * b),
                at + Vec2::new(0.375 * a, 0.5 * b),
                at + Vec2::new(0., b),
            ])
            .into(),
        };
        let is_chain = matches!(shape, Shape::Chain(_));
        pieces.push(match random.below(6) {
            0 if !is_chain => Piece::one_way(shape, [0.0, 1.0]),
            1 if !is_chain => Piece::crossed(shape),
            _ => Piece::solid(shape),
        });
    }
    pieces
}
