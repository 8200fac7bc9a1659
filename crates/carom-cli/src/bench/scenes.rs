//! Scenes of many boxes, the same on every run and every machine, each box moving a little from
//! frame to frame. The bench crate includes this file, so that both speak of the same scenes.

use carom::broad::Mobility::{self, Fixed, Moving};
use carom::shape::Aabb;

/// The scenes there are.
pub const KINDS: [Kind; 10] = [
    Kind::new("uniform", "unit boxes, two pairs a box", uniform),
    Kind::new("sparse", "unit boxes in a hundred times the space", sparse),
    Kind::new("cluster", "blobs of unit boxes in an empty world, four pairs a box", cluster),
    Kind::new("mixed", "one box in a hundred is fifty times as wide and high", mixed),
    Kind::new("thin", "one box in a hundred is long and thin, one covers everything", thin),
    Kind::new("tiles", "nine of ten boxes are static unit tiles in rows", tiles),
    Kind::new("powerlaw", "sizes over three decades, the small ones many", powerlaw),
    Kind::new("one-giant", "unit boxes and one that covers them all", one_giant),
    Kind::new("far-from-origin", "unit boxes a million units away", far_from_origin),
    // Twice as many boxes are four times as many pairs.
    Kind {
        most: 2_000,
        speed: 1e-3,
        ..Kind::new("all-coincident", "all in one place", coincident)
    },
];

/// A kind of scene, of any size.
pub struct Kind {
    pub name: &'static str,
    /// What there is in it, in a few words.
    pub about: &'static str,
    /// The most boxes it makes sense with.
    pub most: usize,
    /// How far a box moves in a frame, at most, along each axis.
    speed: f32,
    place: fn(usize, &mut Random) -> Vec<(Aabb, Mobility)>,
}

impl Kind {
    const fn new(
        name: &'static str,
        about: &'static str,
        place: fn(usize, &mut Random) -> Vec<(Aabb, Mobility)>,
    ) -> Self {
        Self { name, about, most: usize::MAX, speed: 0.1, place }
    }
}

/// Boxes, and how they move. A box's id is its place in the list.
pub struct Scene {
    boxes: Vec<(Aabb, Mobility)>,
    /// Those that move, once more, side by side: who goes through them on the clock reads nothing else.
    moving: Vec<(u32, Aabb)>,
    /// For each of them where it starts, and how far it goes in a frame.
    courses: Vec<(Aabb, [f32; 2])>,
    frame: u32,
}

/// After so many frames all boxes turn round, and again when they are back: scenes keep their
/// density however long they run.
const TURN: u32 = 100;

impl Scene {
    /// A scene of so many boxes, as it is before it moves.
    pub fn new(kind: &Kind, count: usize) -> Self {
        let random = &mut Random::new(count as u64);
        let boxes = (kind.place)(count, random);
        let mut speed = || random.between(-kind.speed, kind.speed);
        let moving = (0..).zip(&boxes).filter(|(_, (_, mobility))| *mobility == Moving);
        let (moving, courses) =
            moving.map(|(id, &(start, _))| ((id, start), (start, [speed(), speed()]))).unzip();
        Self { boxes, moving, courses, frame: 0 }
    }

    /// All boxes as they are now.
    pub fn boxes(&self) -> &[(Aabb, Mobility)] {
        &self.boxes
    }

    /// Those that move, as they are now, in the order of their ids.
    pub fn moving(&self) -> impl ExactSizeIterator<Item = (u32, Aabb)> {
        self.moving.iter().copied()
    }

    /// Moves all that moves.
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

/// A box by its centre and size.
fn around([x, y]: [f32; 2], [width, height]: [f32; 2]) -> Aabb {
    Aabb::from_center_half_size([x, y], [width / 2.0, height / 2.0])
}

/// As many moving boxes as asked for, one like the other.
fn many(count: usize, mut draw: impl FnMut() -> Aabb) -> Vec<(Aabb, Mobility)> {
    (0..count).map(|_| (draw(), Moving)).collect()
}

/// The side of a square that has `area` for each of `count` boxes.
fn side(count: usize, area: f32) -> f32 {
    (count as f32 * area).sqrt()
}

/// Unit boxes in a square with a corner at `corner`.
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
    // Up to which share of all boxes each blob has its own.
    let shares = blobs.iter().scan(0.0, |sum, (_, weight)| {
        *sum += weight / total;
        Some(*sum)
    });
    let shares: Vec<f32> = shares.collect();
    many(count, || {
        let share = random.unit();
        let blob = shares.partition_point(|&end| end <= share).min(blobs.len() - 1);
        let ([x, y], weight) = blobs[blob];
        // As wide as gives a box of the blob eight others to meet: with a normal spread `s` both
        // ways, two of its boxes are within 1 of each other on both axes with chance 1 / (pi s²).
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

/// A wide level, three tenths of it filled with rows of 3 to 16 tiles, and those who move in it.
fn tiles(count: usize, random: &mut Random) -> Vec<(Aabb, Mobility)> {
    /// What is left free between two tiles, on each side: neighbours do not touch.
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

/// SplitMix64.
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

    /// From 0 up to, but not including, 1.
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

    /// Two independent numbers of the normal distribution (Box and Muller's method).
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
