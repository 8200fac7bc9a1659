//! Scenes of many boxes that move a little in each frame, the same in every run and on every machine. The bench
//! crate includes this file, so that both use the same scenes.

use carom::broad::Mobility::{self, Fixed, Moving};
use carom::shape::Aabb;

/// All kinds of scenes.
pub const KINDS: [SceneKind; 10] = [
    SceneKind::new("uniform", "unit boxes, two pairs per box", uniform),
    SceneKind::new("sparse", "unit boxes in a hundred times the area", sparse),
    SceneKind::new("cluster", "blobs of unit boxes in an empty world, four pairs per box", cluster),
    SceneKind::new("mixed", "one box in a hundred is fifty times as wide and high", mixed),
    SceneKind::new("thin", "one box in a hundred is long and thin, one covers everything", thin),
    SceneKind::new("tiles", "nine of ten boxes are static unit tiles in rows", tiles),
    SceneKind::new("powerlaw", "sizes over three decades, the small ones many", powerlaw),
    SceneKind::new("one-giant", "unit boxes and one that covers them all", one_giant),
    SceneKind::new("far-from-origin", "unit boxes a million units away", far_from_origin),
    // The number of pairs grows with the square of the number of boxes.
    SceneKind {
        max_boxes: 2_000,
        speed: 1e-3,
        ..SceneKind::new("all-coincident", "all boxes at the same position", coincident)
    },
];

/// A kind of scene, of any size.
pub struct SceneKind {
    pub name: &'static str,
    /// A short description.
    pub about: &'static str,
    /// The maximum number of boxes that makes sense.
    pub max_boxes: usize,
    /// The maximum movement of a box in a frame along each axis.
    speed: f32,
    place: fn(usize, &mut Random) -> Vec<(Aabb, Mobility)>,
}

impl SceneKind {
    const fn new(
        name: &'static str,
        about: &'static str,
        place: fn(usize, &mut Random) -> Vec<(Aabb, Mobility)>,
    ) -> Self {
        Self { name, about, max_boxes: usize::MAX, speed: 0.1, place }
    }
}

/// Boxes and their motion. The id of a box is its index.
pub struct BoxScene {
    boxes: Vec<(Aabb, Mobility)>,
    /// A dense copy of the moving boxes, so that a timed loop over them reads no other memory.
    moving: Vec<(u32, Aabb)>,
    /// The start and the velocity per frame of each moving box.
    courses: Vec<(Aabb, [f32; 2])>,
    frame: u32,
}

/// The number of frames after which all boxes reverse their motion, so that scenes keep their density.
const TURN: u32 = 100;

impl BoxScene {
    /// Creates a scene of `count` boxes.
    pub fn new(kind: &SceneKind, count: usize) -> Self {
        let random = &mut Random::new(count as u64);
        let boxes = (kind.place)(count, random);
        let mut speed = || random.between(-kind.speed, kind.speed);
        let moving = (0..).zip(&boxes).filter(|(_, (_, mobility))| *mobility == Moving);
        let (moving, courses) =
            moving.map(|(id, &(start, _))| ((id, start), (start, [speed(), speed()]))).unzip();
        Self { boxes, moving, courses, frame: 0 }
    }

    /// Returns all boxes in their current positions.
    pub fn boxes(&self) -> &[(Aabb, Mobility)] {
        &self.boxes
    }

    /// Returns the moving boxes in their current positions, in the order of their ids.
    pub fn moving(&self) -> impl ExactSizeIterator<Item = (u32, Aabb)> {
        self.moving.iter().copied()
    }

    /// Moves the boxes by one frame.
    pub fn advance(&mut self) {
        self.frame += 1;
        let phase = self.frame % (2 * TURN);
        let time = phase.min(2 * TURN - phase) as f32;
        for ((id, bounds), (start, velocity)) in self.moving.iter_mut().zip(&self.courses) {
            *bounds = start.translated(velocity.map(|speed| speed * time));
            self.boxes[*id as usize].0 = *bounds;
        }
    }
}

/// Returns a box with a center and a size.
fn around([x, y]: [f32; 2], [width, height]: [f32; 2]) -> Aabb {
    Aabb::from_center_half_size([x, y], [width / 2.0, height / 2.0])
}

/// Returns `count` moving boxes.
fn many(count: usize, mut draw: impl FnMut() -> Aabb) -> Vec<(Aabb, Mobility)> {
    (0..count).map(|_| (draw(), Moving)).collect()
}

/// Returns the side of a square with an area of `area` for each of `count` boxes.
fn side(count: usize, area: f32) -> f32 {
    (count as f32 * area).sqrt()
}

/// Returns unit boxes in a square with a corner at `corner`.
fn units(count: usize, random: &mut Random, area: f32, corner: [f32; 2]) -> Vec<(Aabb, Mobility)> {
    let side = side(count, area);
    many(count, || {
        let [x, y] = random.in_square(side);
        around([x + corner[0], y + corner[1]], [1.0, 1.0])
    })
}

fn uniform(count: usize, random: &mut Random) -> Vec<(Aabb, Mobility)> {
    units(count, random, 1.0, [0.0, 0.0])
}

fn sparse(count: usize, random: &mut Random) -> Vec<(Aabb, Mobility)> {
    units(count, random, 100.0, [0.0, 0.0])
}

fn far_from_origin(count: usize, random: &mut Random) -> Vec<(Aabb, Mobility)> {
    units(count, random, 1.0, [1e6, -1e6])
}

fn one_giant(count: usize, random: &mut Random) -> Vec<(Aabb, Mobility)> {
    let mut boxes = uniform(count, random);
    let (side, middle) = (side(count, 1.0), count / 2);
    boxes[middle].0 = around([side / 2.0; 2], [side; 2]);
    boxes
}

fn coincident(count: usize, _: &mut Random) -> Vec<(Aabb, Mobility)> {
    many(count, || around([0.0, 0.0], [1.0, 1.0]))
}

fn cluster(count: usize, random: &mut Random) -> Vec<(Aabb, Mobility)> {
    let world = side(count, 100.0);
    let blobs: Vec<_> = (0..(count / 2_000).max(4))
        .map(|_| (random.in_square(world), random.between(1.0, 4.0)))
        .collect();
    let total: f32 = blobs.iter().map(|(_, weight)| weight).sum();
    // The cumulative fraction of the boxes of each blob.
    let shares = blobs.iter().scan(0.0, |sum, (_, weight)| {
        *sum += weight / total;
        Some(*sum)
    });
    let shares: Vec<f32> = shares.collect();
    many(count, || {
        let share = random.unit();
        let blob = shares.partition_point(|&end| end <= share).min(blobs.len() - 1);
        let ([x, y], weight) = blobs[blob];
        // Wide enough that a box of the blob overlaps eight others: with standard deviation `s` on both
        // axes, two boxes are within 1 of each other on both with probability 1 / (pi s²).
        let spread = (count as f32 * weight / total / (8.0 * std::f32::consts::PI)).sqrt();
        let [dx, dy] = random.normal().map(|normal| normal * spread);
        around([x + dx, y + dy], [1.0, 1.0])
    })
}

fn mixed(count: usize, random: &mut Random) -> Vec<(Aabb, Mobility)> {
    let world = side(count, 10.0);
    many(count, || {
        let scale = if random.unit() < 0.01 { 50.0 } else { 1.0 };
        let size = random.size(scale);
        around(random.in_square(world), size)
    })
}

fn thin(count: usize, random: &mut Random) -> Vec<(Aabb, Mobility)> {
    let world = side(count, 4.0);
    let length = 200.0f32.min(world / 2.0);
    let mut boxes = many(count, || {
        let size = match random.unit() {
            share if share < 0.005 => [length, 0.2],
            share if share < 0.01 => [0.2, length],
            _ => random.size(1.0),
        };
        around(random.in_square(world), size)
    });
    boxes[count / 2].0 = around([world / 2.0; 2], [world; 2]);
    boxes
}

fn powerlaw(count: usize, random: &mut Random) -> Vec<(Aabb, Mobility)> {
    let world = side(count, 60.0);
    many(count, || {
        let share = random.unit();
        let size = random.size(0.1 * libm::powf(1000.0, share * share * share));
        around(random.in_square(world), size)
    })
}

/// Returns a wide level, three tenths of which are rows of 3 to 16 tiles, with moving boxes in it.
fn tiles(count: usize, random: &mut Random) -> Vec<(Aabb, Mobility)> {
    /// The gap on each side of a tile, so that neighbors do not touch.
    const GAP: f32 = 0.001;
    let tiles = count * 9 / 10;
    let area = tiles as f32 / 0.3;
    let height = (area / 8.0).sqrt().ceil().max(1.0) as usize;
    let width = (area / height as f32).ceil() as usize + 16;
    let mut taken = vec![false; width * height];
    let mut boxes = Vec::with_capacity(count);
    while boxes.len() < tiles {
        let (x, y, length) = (random.below(width), random.below(height), 3 + random.below(14));
        for x in x..width.min(x + length) {
            let taken = &mut taken[y * width + x];
            if !*taken && boxes.len() < tiles {
                *taken = true;
                let center = [x as f32 + 0.5, y as f32 + 0.5];
                boxes.push((around(center, [1.0 - 2.0 * GAP; 2]), Fixed));
            }
        }
    }
    boxes.resize_with(count, || {
        let size = [random.between(0.6, 1.2), random.between(0.6, 1.8)];
        let center = [random.between(0.0, width as f32), random.between(0.0, height as f32)];
        (around(center, size), Moving)
    });
    random.shuffle(&mut boxes);
    boxes
}

/// The pseudorandom number generator SplitMix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number in `0.0..1.0`.
    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }

    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn in_square(&mut self, side: f32) -> [f32; 2] {
        [self.between(0.0, side), self.between(0.0, side)]
    }

    fn size(&mut self, scale: f32) -> [f32; 2] {
        [self.between(0.5, 1.5) * scale, self.between(0.5, 1.5) * scale]
    }

    pub fn direction(&mut self) -> [f32; 2] {
        let (sin, cos) = libm::sincosf(self.between(0.0, std::f32::consts::TAU));
        [cos, sin]
    }

    /// Returns two independent normally distributed numbers (Box-Muller transform).
    fn normal(&mut self) -> [f32; 2] {
        let radius = (-2.0 * libm::logf(1.0 - self.unit())).sqrt();
        self.direction().map(|x| x * radius)
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
