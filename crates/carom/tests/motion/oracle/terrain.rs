//! Random grounds and ceilings for walkers, and the same ground built of different shapes.

use carom::prelude::*;

use crate::stage::Random;

/// The kinds of shapes that a ground is built of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// A box or a convex polygon under each edge, each a collider of its own.
    Columns,
    /// The same columns as parts of one compound.
    Compound,
    Polygon,
    Chain,
    /// A segment for each edge, each a collider of its own.
    Segments,
    /// Square tiles with slopes; the ground is on the grid.
    Tiles,
    /// Pixels; the ground consists of level and upright edges on the grid.
    Mask,
    /// One-way platforms: a one-sided chain, a chain with a direction, segments, planks.
    OneSidedChain,
    OneWayChain,
    OneWaySegments,
    OneWayPlanks,
}

/// A ground, and a ceiling above it.
#[derive(Clone, Debug)]
pub struct Terrain {
    /// A polyline from left to right, with solid below.
    pub ground: Vec<Vec2>,
    /// A polyline from left to right, with solid above.
    pub ceiling: Option<Vec<Vec2>>,
    pub build: Build,
    /// The side of a tile or pixel.
    pub unit: f32,
}

/// The depth of gaps, and the bottom of the ground and the top of the ceiling, in units.
pub const DEPTH: f32 = 16.0;
const BOTTOM: f32 = 20.0;

/// The angles of ramps, in degrees.
const ANGLES: [f32; 14] =
    [0.01, 0.03, 0.1, 0.3, 0.57, 0.9, 2.0, 5.0, 10.0, 20.0, 26.565, 35.0, 40.0, 44.0];

impl Build {
    pub fn is_one_way(self) -> bool {
        matches!(
            self,
            Self::OneSidedChain | Self::OneWayChain | Self::OneWaySegments | Self::OneWayPlanks
        )
    }
}

impl Terrain {
    pub fn random(random: &mut Random) -> Self {
        let unit = [1.0, 1.0, 16.0][random.below(3)];
        let build = match random.below(12) {
            0..=2 => Build::Columns,
            3 => Build::Compound,
            4 | 5 => Build::Polygon,
            6 => Build::Chain,
            7 => Build::Segments,
            8 => Build::Tiles,
            9 => Build::Mask,
            _ => {
                let builds = [
                    Build::OneSidedChain,
                    Build::OneWayChain,
                    Build::OneWaySegments,
                    Build::OneWayPlanks,
                ];
                builds[random.below(4)]
            }
        };
        let ground = match build {
            Build::Tiles => tiles(random),
            Build::Mask => pixels(random),
            _ if build.is_one_way() => hills(random),
            _ => country(random),
        };
        let has_ceiling = !build.is_one_way() && random.chance(0.3);
        let ceiling = has_ceiling.then(|| cave(random, &ground));
        let scaled = |points: Vec<Vec2>| points.into_iter().map(|p| p * unit).collect::<Vec<_>>();
        Self { ground: scaled(ground), ceiling: ceiling.map(scaled), build, unit }
    }

    /// Returns the colliders.
    pub fn colliders(&self) -> Vec<Collider> {
        let bottom = -BOTTOM * self.unit;
        let edges = || self.ground.windows(2).map(|edge| [edge[0], edge[1]]);
        let walkable = || edges().filter(|[a, b]| a.x < b.x);
        let columns = || walkable().map(|edge| column(edge, bottom)).collect::<Vec<_>>();
        let up = Vec2::Y;
        let mut all: Vec<Collider> = match self.build {
            Build::Columns => columns().into_iter().map(Collider::new).collect(),
            Build::Compound => vec![Collider::new(Compound::new(columns()))],
            Build::Polygon => match outline(&self.ground, bottom) {
                Some(polygon) => vec![Collider::new(polygon)],
                None => columns().into_iter().map(Collider::new).collect(),
            },
            Build::Chain => vec![Collider::new(Chain::new(&self.ground))],
            Build::Segments => edges().map(|[a, b]| Collider::new(Segment::new(a, b))).collect(),
            Build::Tiles => vec![Collider::new(self.tile_map())],
            Build::Mask => vec![Collider::new(self.mask())],
            Build::OneSidedChain => vec![Collider::new(Chain::new(&self.ground).one_sided())],
            Build::OneWayChain => vec![Collider::new(Chain::new(&self.ground)).one_way(up)],
            Build::OneWaySegments => {
                edges().map(|[a, b]| Collider::new(Segment::new(a, b)).one_way(up)).collect()
            }
            Build::OneWayPlanks => {
                let plank = |[a, b]: [Vec2; 2]| {
                    let down = Vec2::Y * (0.5 * self.unit);
                    Collider::new(ConvexPolygon::new(&[a - down, b - down, b, a])).one_way(up)
                };
                edges().map(plank).collect()
            }
        };
        if let Some(ceiling) = &self.ceiling {
            let top = BOTTOM * self.unit;
            match (self.build, outline(ceiling, top)) {
                (Build::Chain | Build::Segments, _) => {
                    all.push(Collider::new(Chain::new(ceiling)));
                }
                (Build::Polygon, Some(polygon)) => all.push(Collider::new(polygon)),
                _ => {
                    let edges = ceiling.windows(2).map(|edge| [edge[0], edge[1]]);
                    let wide = edges.filter(|[a, b]| a.x < b.x);
                    all.extend(wide.map(|edge| Collider::new(column(edge, top))));
                }
            }
        }
        all
    }

    /// Tiles from the height -4 on: full ones, and slopes where an edge of the ground passes through.
    fn tile_map(&self) -> TileMap {
        let (low, unit) = (-4, self.unit);
        let origin = Vec2::new(self.ground[0].x, low as f32 * unit);
        let width = ((self.ground.last().expect("a ground").x - origin.x) / unit).round() as usize;
        let mut rows = vec![vec!['.'; width]; 16];
        for edge in self.ground.windows(2).filter(|edge| edge[0].x < edge[1].x) {
            let column = ((edge[0].x - origin.x) / unit).round() as usize;
            let [a, b] = [edge[0].y / unit, edge[1].y / unit];
            for (i, row) in rows.iter_mut().enumerate() {
                let floor = (low + i as i32) as f32;
                if floor + 1.0 <= a.min(b) {
                    row[column] = '#';
                } else if floor < a.max(b) {
                    row[column] = match (a - floor, b - floor) {
                        (0.0, 1.0) => '/',
                        (1.0, 0.0) => '\\',
                        (0.0, 0.5) => '1',
                        (0.5, 1.0) => '2',
                        (1.0, 0.5) => '3',
                        (0.5, 0.0) => '4',
                        other => panic!("no tile for {other:?}"),
                    };
                }
            }
        }
        let slope = |left: f32, right: f32| TileKind::slope(left, right, [0.0, 1.0]);
        let legend = [
            ('#', TileKind::SOLID),
            ('/', slope(0.0, 1.0)),
            ('\\', slope(1.0, 0.0)),
            ('1', slope(0.0, 0.5)),
            ('2', slope(0.5, 1.0)),
            ('3', slope(1.0, 0.5)),
            ('4', slope(0.5, 0.0)),
        ];
        let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
        TileMap::from_rows(origin, [unit, unit], &rows, &legend)
    }

    /// Pixels of a quarter of a unit, from the height -4 on.
    fn mask(&self) -> Mask {
        let pixel = 0.25 * self.unit;
        let origin = Vec2::new(self.ground[0].x, -4.0 * self.unit);
        let width = ((self.ground.last().expect("a ground").x - origin.x) / pixel).round() as usize;
        let mut rows = vec![vec!['.'; width]; 48];
        for edge in self.ground.windows(2).filter(|edge| edge[0].x < edge[1].x) {
            let [from, to] = [edge[0].x, edge[1].x].map(|x| ((x - origin.x) / pixel) as usize);
            let height = ((edge[0].y - origin.y) / pixel).max(0.0) as usize;
            rows[..height].iter_mut().for_each(|row| row[from..to].fill('#'));
        }
        let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
        Mask::from_rows(origin, pixel, &rows)
    }
}

/// The solid between an edge and a level far below or above it.
fn column([a, b]: [Vec2; 2], level: f32) -> Shape {
    let [c, d] = [Vec2::new(b.x, level), Vec2::new(a.x, level)];
    if a.y == b.y {
        return Aabb::new(a.min(c), a.max(c)).into();
    }
    ConvexPolygon::new(&[a, b, c, d]).into()
}

fn outline(line: &[Vec2], level: f32) -> Option<Polygon> {
    let [first, last] = [line[0], line[line.len() - 1]];
    let ends = [Vec2::new(last.x, level), Vec2::new(first.x, level)];
    Polygon::try_new(&[line, &ends].concat()).ok()
}

/// A ground with ramps, hills, stairs, gaps, walls that are upright or lean back, and seams.
fn country(random: &mut Random) -> Vec<Vec2> {
    let is_grid = random.chance(0.3);
    let mut points = vec![Vec2::new(-12.0, 0.0)];
    while let Some(&at) = points.last()
        && at.x < 12.0
    {
        let size = |random: &mut Random, low: f32, high: f32| {
            if is_grid { random.on_grid(low, high, 0.125) } else { random.between(low, high) }
        };
        let mut add = |x: f32, y: f32| {
            let last = *points.last().expect("the first");
            points.push(last + Vec2::new(x, y));
        };
        let sign = if at.y > 3.0 || at.y > -3.0 && random.chance(0.5) { -1.0 } else { 1.0 };
        match random.below(11) {
            0 => add(size(random, 0.5, 4.0), 0.0),
            1 | 2 => {
                let (width, angle) = (size(random, 0.5, 4.0), ANGLES[random.below(ANGLES.len())]);
                add(width, sign * width * angle.to_radians().tan());
            }
            3 => {
                for _ in 0..1 + random.below(4) {
                    let width = size(random, 0.25, 1.5);
                    add(width, size(random, -0.75, 0.75) * width);
                }
            }
            4 | 8 | 9 => {
                let (rise, run) = (size(random, 0.125, 0.5), size(random, 0.25, 1.0));
                for _ in 0..1 + random.below(4) {
                    add(0.0, sign * rise);
                    add(run, 0.0);
                }
            }
            5 => {
                let (width, rise) = (size(random, 0.25, 2.0), size(random, 0.0, 0.5));
                add(0.0, -DEPTH - at.y);
                add(width, 0.0);
                add(0.0, DEPTH + at.y + sign * rise);
                add(0.5, 0.0);
            }
            6 => {
                let height = sign * size(random, 0.5, 2.5);
                let lean = [0.0, 1e-6, 1e-3, 0.05, 0.3, 0.8][random.below(6)];
                add(lean * height.abs(), height);
                add(size(random, 0.5, 2.0), 0.0);
            }
            7 => {
                // Seams on a level or a slope: the same direction several times.
                let (width, slope) = (size(random, 0.25, 1.0), size(random, -0.5, 0.5));
                let slope = if random.chance(0.5) { 0.0 } else { slope };
                (0..2 + random.below(3)).for_each(|_| add(width, slope * width));
            }
            _ => {
                // A notch or a bump.
                let (half, height) = (size(random, 0.25, 1.0), sign * size(random, 0.125, 1.0));
                add(half, height);
                add(half, -height);
            }
        }
    }
    finish(points)
}

/// Slopes without steps, for one-way platforms.
fn hills(random: &mut Random) -> Vec<Vec2> {
    let mut points = vec![Vec2::new(-12.0, random.between(-2.0, 2.0))];
    while let Some(&at) = points.last()
        && at.x < 12.0
    {
        let sign = if at.y > 3.0 || at.y > -3.0 && random.chance(0.5) { -1.0 } else { 1.0 };
        let angle = match random.below(3) {
            0 => 0.0,
            1 => ANGLES[random.below(ANGLES.len())],
            _ => random.between(0.0, 40.0),
        };
        let width = random.between(0.5, 5.0);
        points.push(at + Vec2::new(width, sign * width * angle.to_radians().tan()));
    }
    points
}

/// Level tiles, slopes over one or two tiles, steps and pits.
fn tiles(random: &mut Random) -> Vec<Vec2> {
    let (mut x, mut y) = (-12.0, random.below(3) as f32 - 1.0);
    let mut points = vec![Vec2::new(x, y)];
    while x < 12.0 {
        let sign = if y > 2.0 || y > -2.0 && random.chance(0.5) { -1.0 } else { 1.0 };
        let mut edge = |rise: f32| {
            points.push(Vec2::new(x + 1.0, y + rise));
            (x, y) = (x + 1.0, y + rise);
        };
        match random.below(8) {
            0 | 1 => edge(sign),
            2 | 3 => {
                edge(0.5 * sign);
                edge(0.5 * sign);
            }
            4 => {
                y += sign;
                points.push(Vec2::new(x, y));
                points.push(Vec2::new(x + 1.0, y));
                x += 1.0;
            }
            _ => edge(0.0),
        }
    }
    finish(points)
}

/// Stairs, walls and pits of pixels.
fn pixels(random: &mut Random) -> Vec<Vec2> {
    let (mut x, mut y) = (-12.0, random.on_grid(-1.0, 1.0, 0.25));
    let mut points = vec![Vec2::new(x, y)];
    while x < 12.0 {
        x += random.on_grid(0.25, 2.0, 0.25);
        points.push(Vec2::new(x, y));
        let rise = [0.25, 0.25, 0.25, 0.5, 1.0, 2.0][random.below(6)];
        y += if y > 3.0 || y > -2.0 && random.chance(0.5) { -rise } else { rise };
        points.push(Vec2::new(x, y));
    }
    points.pop();
    finish(points)
}

/// A ceiling: level, sloped, with steps, and walls that lean over down to the ground here and there.
fn cave(random: &mut Random, ground: &[Vec2]) -> Vec<Vec2> {
    let height = |x: f32, random: &mut Random| {
        let near = ground.windows(2).filter(|edge| edge[0].x < x + 1.0 && edge[1].x > x - 1.0);
        let floor = near.flatten().map(|p| p.y).fold(-4.0, f32::max);
        floor + random.between(1.25, 4.0)
    };
    let mut points = vec![Vec2::new(-12.5, height(-12.5, random))];
    while let Some(&at) = points.last()
        && at.x < 12.5
    {
        match random.below(6) {
            0 => points.push(at + Vec2::new(random.between(0.5, 4.0), 0.0)),
            1 => {
                // A wall that leans over, nearly upright.
                let wide = [1e-3, 0.05, 0.5][random.below(3)];
                let low = Vec2::new(at.x + wide, at.y - random.between(1.0, 3.0));
                points.push(low);
                points.push(low + Vec2::new(0.25, 0.0));
                points.push(Vec2::new(low.x + 0.25 + wide, height(low.x, random)));
            }
            2 => {
                let x = at.x + random.between(0.5, 3.0);
                points.push(Vec2::new(x, at.y));
                points.push(Vec2::new(x, height(x, random)));
                points.push(Vec2::new(x + 0.5, points[points.len() - 1].y));
            }
            _ => {
                let x = at.x + random.between(0.5, 4.0);
                points.push(Vec2::new(x, height(x, random)));
            }
        }
    }
    points.dedup();
    points
}

/// Drops points that are equal to the one before, and walls that are folded back on themselves.
fn finish(points: Vec<Vec2>) -> Vec<Vec2> {
    let mut kept: Vec<Vec2> = Vec::new();
    for p in points {
        if let [.., a, b] = kept[..]
            && a.x == b.x
            && b.x == p.x
        {
            kept.pop();
        }
        if kept.last() != Some(&p) {
            kept.push(p);
        }
    }
    kept
}
