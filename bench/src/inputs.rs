//! Random shapes and poses, the same on every run and for every contender.

use crate::oracle::Gap;

pub type Point = [f32; 2];

/// Number of inputs per row: enough that the branch predictor cannot memorize them, few enough to stay in
/// cache.
pub const COUNT: usize = 2048;

/// The length of every ray. A power of two, so that `direction * RAY_LENGTH` is exact.
pub const RAY_LENGTH: f32 = 8.0;

/// A convex shape as any library may want it: local points and pose, or placed points.
#[derive(Clone, Debug, Default)]
pub struct Solid {
    pub center: Point,
    pub angle: f32,
    /// Half the size, for boxes.
    pub half: Point,
    /// The points of the core relative to its center, before rotation.
    pub local: Vec<Point>,
    /// The core's points in the world.
    pub points: Vec<Point>,
    /// The radius that rounds the core: a circle is a rounded point, a capsule a rounded segment.
    pub radius: f32,
}

impl Solid {
    pub fn polygon(local: Vec<Point>) -> Self {
        Self { local, ..Self::default() }.at([0.0, 0.0])
    }

    pub fn at(mut self, center: Point) -> Self {
        let (sin, cos) = f64::from(self.angle).sin_cos();
        self.center = center;
        self.points = self.local.iter().map(|&[x, y]| turned([x, y], sin, cos, center)).collect();
        self
    }
}

fn turned([x, y]: Point, sin: f64, cos: f64, center: Point) -> Point {
    let (x, y) = (f64::from(x), f64::from(y));
    [
        (f64::from(center[0]) + x * cos - y * sin) as f32,
        (f64::from(center[1]) + x * sin + y * cos) as f32,
    ]
}

/// Two shapes, and for sweeps and rays the motion of the first.
#[derive(Clone, Debug)]
pub struct Pair {
    pub a: Solid,
    pub b: Solid,
    pub motion: Point,
}

impl Pair {
    pub fn direction(&self) -> Point {
        self.motion.map(|x| x / RAY_LENGTH)
    }
}

/// A generator of random shapes, all about one unit in size.
pub type Make = fn(&mut Random) -> Solid;

pub fn point(_: &mut Random) -> Solid {
    Solid::polygon(vec![[0.0, 0.0]])
}

pub fn circle(random: &mut Random) -> Solid {
    Solid { radius: random.between(0.5, 1.5), ..point(random) }
}

pub fn aabb(random: &mut Random) -> Solid {
    let half @ [x, y] = [random.between(0.5, 1.5), random.between(0.5, 1.5)];
    Solid { half, ..Solid::polygon(vec![[-x, -y], [x, -y], [x, y], [-x, y]]) }
}

pub fn obb(random: &mut Random) -> Solid {
    Solid { angle: random.angle(), ..aabb(random) }
}

pub fn capsule(random: &mut Random) -> Solid {
    let half = random.between(0.3, 1.2);
    let radius = random.between(0.3, 0.8);
    Solid { angle: random.angle(), radius, ..Solid::polygon(vec![[-half, 0.0], [half, 0.0]]) }
}

pub fn triangle(random: &mut Random) -> Solid {
    let angle = random.angle();
    Solid { angle, ..Solid::polygon(around(random, 3, 0.25, |random, _| random.between(0.8, 1.6))) }
}

pub fn octagon(random: &mut Random) -> Solid {
    // Points on an ellipse are in convex position, however they are distributed.
    let [wide, high] = [random.between(0.8, 1.5), random.between(0.8, 1.5)];
    let on_circle = around(random, 8, 0.25, |_, _| 1.0);
    let local = on_circle.into_iter().map(|[x, y]| [x * wide, y * high]).collect();
    Solid { angle: random.angle(), ..Solid::polygon(local) }
}

/// A concave outline around the origin that alternates between two radii.
pub fn star(random: &mut Random, vertices: usize) -> Vec<Point> {
    around(random, vertices, 0.3, |random, i| {
        if i % 2 == 0 { random.between(0.9, 1.3) } else { random.between(0.4, 0.8) }
    })
}

/// Points around the origin, evenly spaced except for a `jitter` (in steps) to both sides.
fn around(
    random: &mut Random,
    count: usize,
    jitter: f32,
    radius: fn(&mut Random, usize) -> f32,
) -> Vec<Point> {
    let step = std::f32::consts::TAU / count as f32;
    (0..count)
        .map(|i| {
            let (sin, cos) = (step * (i as f32 + random.between(-jitter, jitter))).sin_cos();
            let radius = radius(random, i);
            [radius * cos, radius * sin]
        })
        .collect()
}

/// The kind of poses that a row uses.
#[derive(Clone, Copy)]
pub enum Keep {
    /// Unfiltered: about half of the pairs intersect.
    Mixed,
    /// At least 0.05 apart, so that no library's contact margin makes them touch.
    Apart,
    Overlapping,
}

/// Pairs with `b` placed near the origin and `a` within `reach` of it.
pub fn pairs(make_a: Make, make_b: Make, reach: f32, keep: Keep) -> Vec<Pair> {
    let mut random = Random::new(1);
    collect(|| {
        let b = make_b(&mut random);
        let b = b.at(random.in_disc(10.0));
        let a = make_a(&mut random);
        let a = a.at(add(b.center, random.in_disc(reach)));
        let separation = Gap::between(&a, &b).separation();
        let kept = match keep {
            Keep::Mixed => true,
            Keep::Apart => separation > 0.05,
            Keep::Overlapping => separation < 0.0,
        };
        kept.then_some(Pair { a, b, motion: [0.0, 0.0] })
    })
}

/// Pairs that start disjoint, with `a` moving past or into `b`: about half of them hit.
pub fn sweeps(make_a: Make, make_b: Make, spread: f32) -> Vec<Pair> {
    let mut random = Random::new(2);
    collect(|| {
        let b = make_b(&mut random);
        let b = b.at(random.in_disc(10.0));
        let away = random.direction().map(|x| x * 4.0);
        let a = make_a(&mut random);
        let a = a.at(add(b.center, away));
        let aim = add(random.in_disc(spread), away.map(|x| -x));
        let length = RAY_LENGTH / aim[0].hypot(aim[1]);
        let motion = aim.map(|x| x * length);
        (Gap::between(&a, &b).separation() > 0.05).then_some(Pair { a, b, motion })
    })
}

/// Rays as sweeps of a point, of length `RAY_LENGTH`.
pub fn rays(make: Make) -> Vec<Pair> {
    sweeps(point, make, 2.5)
}

fn collect(draw: impl FnMut() -> Option<Pair>) -> Vec<Pair> {
    std::iter::repeat_with(draw).flatten().take(COUNT).collect()
}

pub fn add(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1]]
}

/// Converts every item for one contender, before the measurement.
pub fn each<I, T>(inputs: &[I], make: impl FnMut(&I) -> T) -> Vec<T> {
    inputs.iter().map(make).collect()
}

/// SplitMix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 40) as f32 / (1u64 << 24) as f32
    }

    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.between(0.0, end as f32) as usize % end
    }

    pub fn angle(&mut self) -> f32 {
        self.between(-std::f32::consts::PI, std::f32::consts::PI)
    }

    pub fn direction(&mut self) -> Point {
        let (sin, cos) = self.angle().sin_cos();
        [cos, sin]
    }

    pub fn in_disc(&mut self, radius: f32) -> Point {
        let distance = radius * self.unit().sqrt();
        self.direction().map(|x| x * distance)
    }
}
