//! Riders: random platforms with stacks, rows, crates, walls and ceilings, checked by a model in `f64` that
//! shares no code with the library.
//!
//! Each play builds a world and lets platforms move. After every carry:
//!
//! 1. the platform is where it was sent;
//! 2. nothing overlaps that did not before, except squashed bodies, and the platform with fixed ones;
//! 3. nobody is squashed who has room: a free position within the platform's motion and half of the body's
//!    width and height;
//! 4. a body that stands on the platform has moved with it, or is blocked by something.
//!
//! The same play with its bodies in another order, mirrored, and turned by a quarter, ends at the same
//! positions to the bit.
//!
//! `CAROM_CASES=N` runs N plays, `CAROM_SEED=S` starts with another one. A failure is shrunk and printed as
//! Rust.

mod found;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use carom::prelude::*;
use glam::DVec2;

use crate::stage::Random;

/// A convex shape around the position of its body.
#[derive(Clone, Debug, PartialEq)]
enum Form {
    /// Half of the width and height.
    Box([f32; 2]),
    Circle(f32),
    /// Half of the length along y between the centers, and the radius.
    Capsule(f32, f32),
    /// Any convex polygon, counter-clockwise.
    Polygon(Vec<[f32; 2]>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Platform,
    OneWayPlatform,
    /// It walks: gravity presses it down before every carry.
    Walker,
    /// A moving body that does not walk.
    Crate,
    Fixed,
}

#[derive(Clone, Debug, PartialEq)]
struct Item {
    kind: Kind,
    form: Form,
    at: [f32; 2],
}

/// Bodies, and the motions of each platform, frame by frame.
#[derive(Clone, Debug, PartialEq)]
struct Play {
    items: Vec<Item>,
    motions: Vec<[f32; 2]>,
}

use Form::{Box as Block, Capsule as Pill, Circle as Ball, Polygon as Poly};
use Kind::{Crate, Fixed, OneWayPlatform, Platform, Walker as Walks};

fn item(kind: Kind, form: Form, at: [f32; 2]) -> Item {
    Item { kind, form, at }
}

/// Overlaps up to this depth are rounding errors: a few units in the last place of coordinates up to 32.
const ROUNDING: f64 = 2e-5;

/// A squashed body overlaps something by more than this: ten units in the last place of coordinates of 4.
const LEAST_SQUASHED: f64 = 5e-6;

/// The changes of a play that must not matter.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Image {
    Same,
    /// The bodies are added in another order.
    Reordered,
    MirroredX,
    QuarterTurn,
}

impl Image {
    fn apply(self, [x, y]: [f32; 2]) -> [f32; 2] {
        match self {
            Image::Same | Image::Reordered => [x, y],
            Image::MirroredX => [-x, y],
            Image::QuarterTurn => [-y, x],
        }
    }
}

impl Form {
    fn points(&self) -> Vec<[f32; 2]> {
        match self {
            Block([w, h]) => vec![[-w, -h], [*w, -h], [*w, *h], [-w, *h]],
            Ball(_) => vec![[0.0, 0.0]],
            Pill(half, _) => vec![[0.0, -half], [0.0, *half]],
            Poly(points) => points.clone(),
        }
    }

    fn radius(&self) -> f32 {
        match self {
            Ball(radius) | Pill(_, radius) => *radius,
            _ => 0.0,
        }
    }

    /// The lesser of width and height, by which the search for room is limited.
    fn least_extent(&self) -> f64 {
        let points = self.points();
        let extent = |axis: usize| {
            let values = points.iter().map(|point| f64::from(point[axis]));
            let (low, high) = values.fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
            high - low
        };
        extent(0).min(extent(1)) + 2.0 * f64::from(self.radius())
    }

    fn shape(&self, image: Image) -> Shape {
        let mut points: Vec<[f32; 2]> = self.points().into_iter().map(|p| image.apply(p)).collect();
        match self {
            Block(_) => {
                let min = points.iter().fold(Vec2::MAX, |min, &p| min.min(p.into()));
                let max = points.iter().fold(Vec2::MIN, |max, &p| max.max(p.into()));
                Aabb::new(min, max).into()
            }
            Ball(radius) => Circle::new([0.0, 0.0], *radius).into(),
            Pill(_, radius) => Capsule::new(points[0], points[1], *radius).into(),
            Poly(_) => {
                if image == Image::MirroredX {
                    points.reverse();
                }
                ConvexPolygon::new(&points).into()
            }
        }
    }
}

/// The model's view of a placed shape.
#[derive(Clone)]
struct Solid {
    points: Vec<DVec2>,
    radius: f64,
}

impl Solid {
    fn new(form: &Form, at: Vec2) -> Self {
        let at = at.as_dvec2();
        let points = form.points().into_iter().map(|p| at + Vec2::from(p).as_dvec2()).collect();
        Self { points, radius: f64::from(form.radius()) }
    }

    fn moved(&self, by: DVec2) -> Self {
        Self { points: self.points.iter().map(|&p| p + by).collect(), radius: self.radius }
    }

    fn edges(&self) -> impl Iterator<Item = [DVec2; 2]> + '_ {
        let n = self.points.len();
        (0..if n < 2 { 0 } else { n }).map(move |i| [self.points[i], self.points[(i + 1) % n]])
    }

    /// The extent along x.
    fn span(&self) -> (f64, f64) {
        let xs = self.points.iter().map(|point| point.x);
        let (low, high) = xs.fold((f64::MAX, f64::MIN), |(l, h), x| (l.min(x), h.max(x)));
        (low - self.radius, high + self.radius)
    }

    /// Returns the depth of an overlap of two shapes; negative if they are apart.
    fn depth(&self, other: &Self) -> f64 {
        let radii = self.radius + other.radius;
        // 1. Separating axes of the polygons, without the radii.
        let mut separation = f64::MIN;
        for (a, b) in [(self, other), (other, self)] {
            if a.points.len() < 3 {
                continue;
            }
            for [start, end] in a.edges() {
                let normal = -(end - start).perp().normalize();
                let gaps = b.points.iter().map(|&p| normal.dot(p - start));
                separation = separation.max(gaps.fold(f64::MAX, f64::min));
            }
        }
        if separation <= 0.0 && separation > f64::MIN {
            return radii - separation;
        }
        // 2. Apart: the closest vertices and edges.
        let mut distance = f64::MAX;
        for (a, b) in [(self, other), (other, self)] {
            for &p in &a.points {
                distance = b.points.iter().fold(distance, |d, &q| d.min(p.distance(q)));
                for [start, end] in b.edges() {
                    let along = end - start;
                    let t = ((p - start).dot(along) / along.dot(along)).clamp(0.0, 1.0);
                    distance = distance.min(p.distance(start + along * t));
                }
            }
        }
        radii - distance
    }
}

/// Returns whether two bodies touch only with a vertex on a vertex, or a round one has its center exactly over a
/// vertex that it touches.
fn has_vertex_on_vertex(solids: &[Solid]) -> bool {
    const SAME: f64 = 1e-5;
    let overlap = |a: &Solid, b: &Solid, axis: usize| {
        let extent = |solid: &Solid| {
            let values = solid.points.iter().map(|point| point[axis]);
            values.fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)))
        };
        let (a, b) = (extent(a), extent(b));
        a.1.min(b.1) - a.0.max(b.0)
    };
    let is_tie = |a: &Solid, b: &Solid| {
        let radius = a.radius + b.radius;
        let is_point_like = radius > 0.0 || (0..2).all(|axis| overlap(a, b, axis) < SAME);
        let meets = |p: &DVec2, q: &DVec2| {
            let arm = (*p - *q).abs();
            (arm.length() - radius).abs() < SAME && arm.min_element() < SAME
        };
        is_point_like && a.points.iter().any(|p| b.points.iter().any(|q| meets(p, q)))
    };
    let is_round_pair = |a: &Solid, b: &Solid| a.radius > 0.0 && b.radius > 0.0;
    (0..solids.len()).any(|i| {
        let others = solids[..i].iter().filter(|other| !is_round_pair(&solids[i], other));
        others.into_iter().any(|other| is_tie(&solids[i], other))
    })
}

/// A world that plays.
struct Stage<'a> {
    play: &'a Play,
    image: Image,
    world: World,
    keys: Vec<BodyKey>,
    states: Vec<WalkerState>,
}

impl<'a> Stage<'a> {
    fn new(play: &'a Play, image: Image) -> Self {
        let mut world = World::new();
        let mut keys = vec![None; play.items.len()];
        let mut order: Vec<usize> = (0..play.items.len()).collect();
        if image == Image::Reordered {
            order.reverse();
        }
        for i in order {
            let Item { kind, form, at } = &play.items[i];
            let at = image.apply(*at);
            let body = if *kind == Fixed { Body::fixed(at) } else { Body::moving(at) };
            let key = world.add_body(body).unwrap();
            let mut collider = Collider::new(form.shape(image));
            if *kind == OneWayPlatform {
                collider = collider.one_way(image.apply([0.0, 1.0]));
            }
            world.add_collider(key, collider).unwrap();
            keys[i] = Some(key);
        }
        let keys = keys.into_iter().map(Option::unwrap).collect();
        Self { play, image, world, keys, states: vec![WalkerState::new(); play.items.len()] }
    }

    fn at(&self, i: usize) -> Vec2 {
        self.world.body(self.keys[i]).unwrap().pose.position
    }

    fn all_positions(&self) -> Vec<Vec2> {
        (0..self.keys.len()).map(|i| self.at(i)).collect()
    }

    fn solid(&self, i: usize) -> Solid {
        Solid::new(&self.play.items[i].form, self.at(i))
    }

    fn solids(&self) -> Vec<Solid> {
        (0..self.keys.len()).map(|i| self.solid(i)).collect()
    }

    /// Lets the walkers fall a little, so that the world knows what they stand on.
    fn walk(&mut self) {
        let walker = Walker::new().up(self.image.apply([0.0, 1.0]));
        let fall = self.image.apply([0.0, -0.03125]);
        for i in 0..self.keys.len() {
            if self.play.items[i].kind == Walks {
                let _ = self.world.walk(self.keys[i], &walker, &mut self.states[i], fall).unwrap();
            }
        }
    }

    fn platforms(&self) -> Vec<usize> {
        let is_platform = |&i: &usize| matches!(self.play.items[i].kind, Platform | OneWayPlatform);
        (0..self.keys.len()).filter(is_platform).collect()
    }

    fn carry(&mut self, platform: usize, frame: usize) -> BTreeSet<usize> {
        let motion = self.image.apply(self.play.motions[frame]);
        let carry = self.world.carry(self.keys[platform], motion).unwrap();
        let index = |key: &BodyKey| self.keys.iter().position(|k| k == key).unwrap();
        carry.squashed().iter().map(index).collect()
    }

    /// Plays without checks. Returns the positions after every carry, and who was squashed. If the walks
    /// lead elsewhere than those of another stage, it stops.
    fn positions(
        mut self,
        mut walks: impl FnMut(usize, &Self) -> bool,
    ) -> Vec<(Vec<Vec2>, BTreeSet<usize>)> {
        let mut all = Vec::new();
        for frame in 0..self.play.motions.len() {
            self.walk();
            if !walks(frame, &self) {
                break;
            }
            for platform in self.platforms() {
                let squashed = self.carry(platform, frame);
                all.push((self.all_positions(), squashed));
            }
        }
        all
    }

    /// Returns whether there is ever an exact tie, which a mirror or another order of adding decides otherwise: a
    /// walker stands on two bodies alike, and which of them is its support is open, or a vertex is on a vertex.
    fn has_tie(mut self) -> bool {
        for frame in 0..self.play.motions.len() {
            if has_vertex_on_vertex(&self.solids()) {
                return true;
            }
            // The walkers walk one after the other, so there may be a tie before, after and between.
            let before = self.solids();
            self.walk();
            let after = self.solids();
            let walkers = (0..before.len()).filter(|&i| self.play.items[i].kind == Walks);
            for i in walkers {
                let stands_alike = |solids: &[Solid]| {
                    let lower = solids[i].moved(DVec2::new(0.0, -0.035));
                    let others = (0..solids.len()).filter(|&other| other != i);
                    let under = others.filter(|&other| lower.depth(&solids[other]) > 0.0);
                    let mut widths: Vec<f64> = under
                        .map(|other| [i, other].map(|i| solids[i].span()))
                        .map(|[a, b]| a.1.min(b.1) - a.0.max(b.0))
                        .collect();
                    widths.sort_by(f64::total_cmp);
                    widths.windows(2).any(|pair| pair[1] - pair[0] < 1e-3)
                };
                if stands_alike(&before) || stands_alike(&after) {
                    return true;
                }
            }
            for platform in self.platforms() {
                if has_vertex_on_vertex(&self.solids()) {
                    return true;
                }
                self.carry(platform, frame);
            }
        }
        false
    }

    /// Plays and checks every carry. Returns the number of carries.
    fn check(mut self) -> Result<usize, String> {
        let mut carries = 0;
        for frame in 0..self.play.motions.len() {
            self.walk();
            for platform in self.platforms() {
                self.check_carry(platform, frame).map_err(|e| format!("frame {frame}: {e}"))?;
                carries += 1;
            }
        }
        Ok(carries)
    }

    fn check_carry(&mut self, platform: usize, frame: usize) -> Result<(), String> {
        let items = &self.play.items;
        let before = self.solids();
        let starts: Vec<Vec2> = (0..items.len()).map(|i| self.at(i)).collect();
        let riders: Vec<usize> = (0..items.len())
            .filter(|&i| {
                let support = self.world.support(self.keys[i]);
                support.is_some_and(|support| support.body == self.keys[platform])
                    && before[i].depth(&before[platform]).abs() < 1e-6
            })
            .collect();
        let squashed = self.carry(platform, frame);
        let after = self.solids();
        // 1. The platform.
        let asked = Vec2::from(self.play.motions[frame]);
        let target = (starts[platform].as_dvec2() + asked.as_dvec2()).as_vec2();
        if self.at(platform) != target {
            return Err(format!("the platform is at {}, not at {target}", self.at(platform)));
        }
        let motion = self.at(platform).as_dvec2() - starts[platform].as_dvec2();
        // 2. New overlaps.
        let is_one_way = |i: usize| items[i].kind == OneWayPlatform;
        for a in 0..items.len() {
            for b in 0..a {
                let depth = after[a].depth(&after[b]);
                let is_excused = squashed.contains(&a)
                    || squashed.contains(&b)
                    || is_one_way(a)
                    || is_one_way(b)
                    || (a == platform && items[b].kind == Fixed)
                    || (b == platform && items[a].kind == Fixed)
                    || (items[a].kind == Fixed && items[b].kind == Fixed);
                if depth > ROUNDING && depth > before[a].depth(&before[b]) + ROUNDING && !is_excused
                {
                    return Err(format!("{a} and {b} overlap by {depth:e}"));
                }
            }
        }
        // 3. Squashed bodies with room.
        let is_free = |i: usize, by: DVec2, margin: f64| {
            let moved = after[i].moved(by);
            (0..items.len())
                .filter(|&other| other != i && !is_one_way(other))
                .all(|other| moved.depth(&after[other]) < -margin)
        };
        for &i in &squashed {
            let reach = motion.length().min(0.5 * items[i].form.least_extent());
            let overlaps = |other: usize| {
                other != i && !is_one_way(other) && after[i].depth(&after[other]) > LEAST_SQUASHED
            };
            if !(0..items.len()).any(overlaps) {
                return Err(format!("{i} is squashed, but overlaps nothing"));
            }
            for ring in 1..=8 {
                for spoke in 0..64 {
                    let angle = f64::from(spoke) * core::f64::consts::TAU / 64.0;
                    let by = DVec2::from_angle(angle) * (0.98 * reach * f64::from(ring) / 8.0);
                    if is_free(i, by, 1e-3 * reach) {
                        return Err(format!("{i} is squashed, but there is room at {by} from it"));
                    }
                }
            }
        }
        // 4. Riders that are left behind.
        for &i in riders.iter().filter(|i| !squashed.contains(i)) {
            let missing = starts[i].as_dvec2() + motion - self.at(i).as_dvec2();
            if missing.length() <= 4.0 * ROUNDING {
                continue;
            }
            // Something is in the way: on the path, or the rest of the motion leads into what it touches. (A
            // round body that touches a corner near its top is held by less than a rounding error.)
            let is_blocked = (0..items.len()).filter(|&other| other != i).any(|other| {
                let depth = after[i].depth(&after[other]);
                let nearer = after[i].moved(missing * 1e-2).depth(&after[other]);
                if other != platform
                    && depth > -ROUNDING
                    && nearer > depth + 1e-5 * missing.length()
                {
                    return true;
                }
                let is_hit = |t: i32, solids: &[Solid]| {
                    let moved = before[i].moved(motion * (f64::from(t) / 32.0));
                    other != platform && moved.depth(&solids[other]) > 1e-6
                };
                (1..=32).any(|t| is_hit(t, &after))
            });
            if !is_blocked {
                return Err(format!("{i} is left behind by {missing}, and nothing blocks it"));
            }
        }
        Ok(())
    }
}

/// Checks a play and its images.
fn check(play: &Play) -> Result<usize, String> {
    let carries = Stage::new(play, Image::Same).check()?;
    if Stage::new(play, Image::Same).has_tie() {
        return Ok(carries);
    }
    let mut walks = Vec::new();
    let expected = Stage::new(play, Image::Same).positions(|_, stage| {
        walks.push(stage.all_positions());
        true
    });
    for image in [Image::Reordered, Image::MirroredX, Image::QuarterTurn] {
        // Images of walks are another suite's affair.
        let found = Stage::new(play, image).positions(|frame, stage| {
            let here = walks[frame].iter().map(|&at| Vec2::from(image.apply(at.into())));
            here.eq(stage.all_positions())
        });
        for (step, ((expected, squashed), (found, squashed_there))) in
            expected.iter().zip(&found).enumerate()
        {
            for (i, (&expected, &found)) in expected.iter().zip(found).enumerate() {
                if Vec2::from(image.apply(expected.into())) != found {
                    return Err(format!(
                        "{image:?}, carry {step}: {i} is at {found}, here at {expected}"
                    ));
                }
            }
            if squashed != squashed_there {
                return Err(format!("{image:?}, carry {step}: {squashed_there:?} are squashed"));
            }
        }
    }
    Ok(carries)
}

fn check_caught(play: &Play) -> Result<usize, String> {
    catch_unwind(AssertUnwindSafe(|| check(play))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        Err(format!("panics: {}", text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("?")))
    })
}

/// Leaves out bodies and frames for as long as the play still fails.
fn shrink(mut play: Play) -> Play {
    let fails = |play: &Play| check_caught(play).is_err();
    loop {
        let mut smaller = Vec::new();
        for i in 0..play.motions.len() {
            let mut fewer = play.clone();
            fewer.motions.remove(i);
            smaller.push(fewer);
        }
        for i in 0..play.items.len() {
            let mut fewer = play.clone();
            fewer.items.remove(i);
            smaller.push(fewer);
        }
        match smaller.into_iter().find(fails) {
            Some(fewer) => play = fewer,
            None => return play,
        }
    }
}

fn rust_source(play: &Play) -> String {
    let mut text = String::from("check(&Play {\n    items: vec![\n");
    for Item { kind, form, at } in &play.items {
        let kind = if *kind == Walks { "Walks".into() } else { format!("{kind:?}") };
        let form = match form {
            Block(half) => format!("Block({half:?})"),
            Ball(radius) => format!("Ball({radius:?})"),
            Pill(half, radius) => format!("Pill({half:?}, {radius:?})"),
            Poly(points) => format!("Poly(vec!{points:?})"),
        };
        text += &format!("        item({kind}, {form}, {at:?}),\n");
    }
    text + &format!("    ],\n    motions: vec!{:?},\n}})\n.unwrap();\n", play.motions)
}

/// A random play: a platform or two, piles and rows on them, crates, walls and ceilings.
fn random_play(seed: u64) -> Play {
    let mut r = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let on_grid = r.chance(0.5);
    let number = |r: &mut Random, low: f32, high: f32| {
        if on_grid { r.on_grid(low, high, 0.25) } else { r.between(low, high) }
    };
    let mut items: Vec<Item> = Vec::new();
    // 1. Platforms: the top is at y = 0.
    let platform = if r.chance(0.15) { OneWayPlatform } else { Platform };
    let width = number(&mut r, 1.0, 5.0);
    let is_sloped = r.chance(0.2);
    let slope = if is_sloped { r.between(-0.6, 0.6) } else { 0.0 };
    if is_sloped {
        let rise = slope * width;
        let points =
            vec![[-width, -rise - 0.5], [width, rise - 0.5], [width, rise], [-width, -rise]];
        items.push(item(platform, Poly(points), [0.0, 0.0]));
    } else {
        items.push(item(platform, Block([width, 0.25]), [0.0, -0.25]));
        if r.chance(0.25) {
            let other = number(&mut r, 0.5, 3.0);
            let gap = if r.chance(0.5) { 0.0 } else { number(&mut r, 0.0, 0.5) };
            items.push(item(Platform, Block([other, 0.25]), [width + gap + other, -0.25]));
        }
    }
    // 2. Piles side by side, touching, with a gap, or overlapping by a rounding error.
    let mut x = -number(&mut r, 0.0, width);
    for _ in 0..1 + r.below(4) {
        let (mut y, mut left) = (None, x);
        for level in 0..1 + r.below(3) {
            let kind = if r.chance(0.75) { Walks } else { Crate };
            let [w, h] = [number(&mut r, 0.25, 0.75), number(&mut r, 0.25, 1.0)];
            let form = match r.below(if level == 0 { 8 } else { 6 }) {
                6 => Ball(w),
                7 => Pill(h, w),
                _ => Block([w, h]),
            };
            let half = match form {
                Ball(radius) => radius,
                Pill(half, radius) => half + radius,
                _ => h,
            };
            let center = if level == 0 { x + w } else { left + number(&mut r, 0.0, 0.5) };
            // On a slope, above the surface: the walkers come down to it.
            let ground = y.unwrap_or_else(|| slope * center + slope.abs() * w * 1.2);
            items.push(item(kind, form, [center, ground + half]));
            if level == 0 {
                left = center;
                x += 2.0 * w;
            }
            y = Some(ground + 2.0 * half);
        }
        x += match r.below(5) {
            0 | 1 => 0.0,
            2 => -1e-7,
            _ => number(&mut r, 0.0, 0.75),
        };
    }
    // 3. Crates and walls beside, and a ceiling above.
    for _ in 0..r.below(3) {
        let [w, h] = [number(&mut r, 0.25, 1.0), number(&mut r, 0.25, 1.0)];
        let kind = if r.chance(0.6) { Crate } else { Fixed };
        let at = [number(&mut r, -7.0, 7.0), number(&mut r, -2.0, 4.0)];
        items.push(item(kind, Block([w, h]), at));
    }
    if r.chance(0.3) {
        let side = if r.chance(0.5) { 1.0 } else { -1.0 };
        items.push(item(Fixed, Block([0.5, 6.0]), [side * number(&mut r, 2.0, 7.0), 6.5]));
    }
    if r.chance(0.2) {
        items.push(item(Fixed, Block([9.0, 0.5]), [0.0, number(&mut r, 2.0, 6.0)]));
    }
    // 4. Only what does not overlap by more than rounding.
    let mut kept: Vec<Item> = Vec::new();
    for item in items {
        let solid = Solid::new(&item.form, item.at.into());
        let is_apart = |other: &Item| Solid::new(&other.form, other.at.into()).depth(&solid) < 1e-6;
        if kept.iter().all(is_apart) {
            kept.push(item);
        }
    }
    // 5. Motions: straight, on a circle, aside and a little up.
    let speed = number(&mut r, 0.0625, 0.5);
    let [start, turn] =
        [r.between(0.0, 6.3), if r.chance(0.5) { r.between(-0.5, 0.5) } else { 0.0 }];
    let style = r.below(4);
    let step = number(&mut r, 0.0, 0.25);
    let motion = |i: usize| {
        let angle = start + turn * i as f32;
        match style {
            0 => [[speed, 0.0], [-speed, 0.0], [0.0, speed], [0.0, -speed]][start as usize % 4],
            1 => [speed, step],
            2 => [-speed, -step],
            _ => [speed * libm::cosf(angle), speed * libm::sinf(angle)],
        }
    };
    Play { items: kept, motions: (0..1 + r.below(8)).map(motion).collect() }
}

#[test]
fn nobody_is_squashed_left_behind_or_dependent_on_the_order() {
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    let (cases, seed) = (number("CAROM_CASES").unwrap_or(1500), number("CAROM_SEED").unwrap_or(0));
    let (mut carries, mut failures) = (0, Vec::new());
    for seed in seed..seed + cases {
        let play = random_play(seed);
        match check_caught(&play) {
            Ok(count) => carries += count,
            Err(_) if failures.len() >= 12 => failures.push(String::new()),
            Err(_) => {
                let play = shrink(play);
                let error = check_caught(&play).unwrap_err();
                failures.push(format!("// seed {seed}: {error}\n{}", rust_source(&play)));
            }
        }
    }
    println!("{carries} carries, {} failures", failures.len());
    assert!(
        failures.is_empty(),
        "{} of {cases} plays fail\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(carries as u64 > 2 * cases);
}
