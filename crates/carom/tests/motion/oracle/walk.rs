//! Walkers of every shape over random terrain, each frame compared with its prediction.

use carom::motion::Walk;
use carom::prelude::*;
use glam::DVec2;

use super::distance::{Hull, hulls};
use super::number;
use super::predict_walk::{Frame, Rules, Space};
use super::terrain::{Build, Terrain};
use super::travel::Outcome;
use crate::rust_source::source;
use crate::stage::{Random, Stage};

/// The frames of one story.
const FRAMES: usize = 90;

/// The number of failures that are shrunk and printed.
const SHRUNK: usize = 8;

/// One frame of a walker.
#[derive(Clone)]
struct Case {
    terrain: Terrain,
    shape: Shape,
    walker: Walker,
    at: Vec2,
    is_on_floor: bool,
    motion: Vec2,
}

fn wide(points: &[Vec2]) -> Vec<DVec2> {
    points.iter().map(|p| p.as_dvec2()).collect()
}

impl Case {
    /// Returns the space of the walker, and those of one that is larger and smaller by a rounding error: a gap
    /// or pit exactly as wide as the walker is a tie.
    fn spaces(&self) -> [Space; 3] {
        [0.0, 1.0, -1.0].map(|grow| self.space(grow * 8.0 * self.terrain.unit as f64 * 1e-6))
    }

    fn space(&self, grow: f64) -> Space {
        let Hull { mut points, radius } = hulls(&self.shape).swap_remove(0);
        if radius == 0.0 {
            let [low, high] = [f64::min, f64::max].map(|pick: fn(f64, f64) -> f64| {
                points.iter().map(|p| p.x).reduce(pick).expect("a hull has points")
            });
            let (middle, scale) = ((low + high) / 2.0, 1.0 + 2.0 * grow / (high - low));
            points.iter_mut().for_each(|p| p.x = middle + (p.x - middle) * scale);
        }
        let radius = if radius > 0.0 { radius + grow } else { 0.0 };
        let hull = Hull { points, radius };
        let ceiling = self.terrain.ceiling.as_deref().map(wide);
        let is_one_way = self.terrain.build.is_one_way();
        Space::new(&wide(&self.terrain.ground), ceiling.as_deref(), &hull, is_one_way)
    }

    fn stage(&self) -> Stage {
        let mut stage = Stage::new(self.shape.clone(), self.at.into());
        for collider in self.terrain.colliders() {
            stage.world.add_collider(stage.level, collider).unwrap();
        }
        stage.walker = self.walker;
        if self.is_on_floor {
            stage.stand();
        }
        stage
    }

    fn rules(&self) -> Rules {
        Rules {
            max_slope: self.walker.max_slope_angle.into(),
            snap: self.walker.snap_distance.into(),
            step: self.walker.max_step_height.into(),
            constant_speed: self.walker.constant_speed,
            tolerance: 6.0 * self.ulp(),
        }
    }

    /// The distance of neighboring `f32` at the largest coordinate.
    fn ulp(&self) -> f64 {
        let bounds = self.shape.bounds();
        let size = bounds.min().abs().max(bounds.max().abs()).max_element();
        let far = self.at.abs().max((self.at + self.motion).abs()).max_element() + size;
        f64::from(far) * f64::from(f32::EPSILON)
    }

    /// Compares a frame with its prediction.
    fn check(&self, spaces: &[Space; 3], walk: &Walk) -> Outcome {
        let ulp = self.ulp();
        let (at, motion, rules) = (self.at.as_dvec2(), self.motion.as_dvec2(), self.rules());
        // 1. Predict, from here and from around here, with settings that differ by rounding.
        let predict = |space: &Space, shift: [f64; 2], more: f64| {
            let (snap, step) = (rules.snap + more * ulp, rules.step + more * ulp);
            let rules = Rules {
                snap: if rules.snap > 0.0 { snap } else { 0.0 },
                step: if rules.step > 0.0 { step } else { 0.0 },
                tolerance: rules.tolerance + 0.65 * more * ulp,
                ..rules
            };
            space.frame(&rules, at + DVec2::from(shift) * ulp, self.is_on_floor, motion)
        };
        let [space, larger, smaller] = spaces;
        let Ok(base) = predict(space, [0.0, 0.0], 0.0) else { return Outcome::Tie };
        let mut spread = 0.0;
        let around = [
            ([0.0, 0.0], 8.0),
            ([0.0, 0.0], -8.0),
            ([8.0, 0.0], 0.0),
            ([-8.0, 0.0], 0.0),
            ([2.0, 0.0], 0.0),
            ([-2.0, 0.0], 0.0),
            ([0.0, 8.0], 0.0),
            ([0.0, -8.0], 0.0),
        ];
        let around = around.into_iter().map(|(shift, more)| (space, shift, more));
        let sizes = [larger, smaller].map(|space| (space, [0.0, 0.0], 0.0));
        let flags = |frame: &Frame| {
            let Frame { floor, wall, ceiling, .. } = frame;
            [floor.is_some(), wall.is_some(), ceiling.is_some()]
        };
        for (space, shift, more) in around.chain(sizes) {
            match predict(space, shift, more) {
                Ok(other) if flags(&other) == flags(&base) => {
                    spread = f64::max(spread, (other.end - base.end).length());
                }
                _ => return Outcome::Tie,
            }
        }
        // Pinned between two walls, a rounding error decides whether it falls from one to the other.
        let touch = space.ground.touch(base.end, 2.0 * rules.tolerance);
        let is_pinned = touch.blocks(DVec2::NEG_Y) && base.floor.is_none();
        if is_pinned && base.wall.is_some() || spread > 1e-3 * f64::from(self.terrain.unit) {
            return Outcome::Tie;
        }
        match self.compare(space, walk, &base, 24.0 * ulp + 4.0 * spread) {
            Ok(()) => Outcome::Agrees,
            Err(text) => Outcome::Differs(format!("{text}; predicted {base:?}")),
        }
    }

    fn compare(
        &self,
        space: &Space,
        walk: &Walk,
        expected: &Frame,
        error: f64,
    ) -> Result<(), String> {
        let end = walk.end.as_dvec2();
        if (end - expected.end).length() > error {
            return Err(format!("ends at {}", walk.end));
        }
        let surfaces = [
            ("floor", walk.floor.map(|floor| floor.normal), expected.floor),
            ("wall", walk.wall.map(|hit| hit.normal), expected.wall),
            ("ceiling", walk.ceiling.map(|hit| hit.normal), expected.ceiling),
        ];
        for (name, actual, expected) in surfaces {
            // At a vertex, or pinned between two walls, any of the surfaces that are touched will do.
            let is_same = match (actual.map(|normal| normal.as_dvec2()), expected) {
                (None, None) => true,
                (Some(actual), Some(expected)) => {
                    let others = space.ground.normals(end, 12.0 * self.ulp());
                    let mut all = others.chain([expected]);
                    all.any(|normal| (actual - normal).length() < 2e-2)
                }
                _ => false,
            };
            if !is_same {
                return Err(format!("{name}: {actual:?}"));
            }
        }
        // On a floor means in touch with it.
        let ulp = self.ulp();
        let height = |x: f64| (end.y - space.ground.height(end.x + x * ulp)).abs();
        let above =
            [0.0, 2.0, -2.0, 8.0, -8.0].into_iter().map(height).fold(f64::INFINITY, f64::min);
        if expected.floor.is_some_and(|normal| above * normal.y > 12.0 * ulp) {
            return Err(format!("stands {above} above the floor"));
        }
        // The velocity: what was blocked is lost, and nothing else.
        let velocity = self.motion * 60.0;
        let mut left = velocity;
        if walk.wall.is_some_and(|hit| hit.normal.x * left.x < 0.0) {
            left.x = 0.0;
        }
        if expected.floor.is_some() && left.y < 0.0 || expected.ceiling.is_some() && left.y > 0.0 {
            left.y = 0.0;
        }
        let actual = walk.velocity(velocity);
        if actual.distance(left) > 1e-5 * velocity.length() {
            return Err(format!("velocity {actual} instead of {left}"));
        }
        if walk.stepped != expected.stepped {
            return Err(format!("stepped: {}", walk.stepped));
        }
        Ok(())
    }

    fn failure(&self) -> Option<String> {
        let (mut stage, spaces) = (self.stage(), self.spaces());
        let space = &spaces[0];
        let (at, error) = (self.at.as_dvec2(), 24.0 * self.ulp());
        let settled = space.settled(at, error)?;
        let is_on_floor = settled.y - space.ground.height(settled.x) < error;
        if self.is_on_floor && !is_on_floor || !is_free(&stage) {
            return None;
        }
        match self.check(&spaces, &stage.walk(self.motion)) {
            Outcome::Differs(text) => Some(text),
            _ => None,
        }
    }

    fn source(&self) -> String {
        let vec = |v: Vec2| format!("[{:?}, {:?}]", v.x, v.y);
        let mut text =
            format!("let mut stage = Stage::new({}, {});\n", source(&self.shape), vec(self.at));
        for collider in self.terrain.colliders() {
            let shape = source(collider.shape());
            text += &match collider.one_way_direction() {
                Some(up) => format!("stage.add_one_way({shape}, {});\n", vec(up)),
                None => format!("stage.add({shape});\n"),
            };
        }
        let Walker { max_slope_angle, snap_distance, max_step_height, constant_speed, .. } =
            self.walker;
        text += &format!(
            "stage.walker = Walker::new().max_slope_angle({max_slope_angle:?})\
             .snap_distance({snap_distance:?}).max_step_height({max_step_height:?}){};\n",
            if constant_speed { "" } else { ".level_speed()" },
        );
        if self.is_on_floor {
            text += "stage.stand();\n";
        }
        text + &format!("let walk = stage.walk({});\n", vec(self.motion))
    }

    /// Makes the case simpler as long as it still fails. Returns it as Rust.
    fn shrink(&self) -> String {
        let mut case = self.clone();
        let Some(mut text) = case.failure() else {
            return format!("// does not fail alone\n{}", case.source());
        };
        let mut attempt = |case: &mut Self, smaller: Self| match smaller.failure() {
            Some(failure) => {
                (*case, text) = (smaller, failure);
                true
            }
            None => false,
        };
        let mut smaller = case.clone();
        smaller.terrain.ceiling = None;
        attempt(&mut case, smaller);
        let builds: &[Build] = match case.terrain.build.is_one_way() {
            true => &[Build::OneSidedChain],
            false => &[Build::Columns, Build::Polygon, Build::Chain],
        };
        for &build in builds {
            let mut smaller = case.clone();
            smaller.terrain.build = build;
            if attempt(&mut case, smaller) {
                break;
            }
        }
        if !matches!(case.terrain.build, Build::Tiles | Build::Mask) {
            let mut index = 0;
            while index < case.terrain.ground.len() && case.terrain.ground.len() > 2 {
                let mut smaller = case.clone();
                smaller.terrain.ground.remove(index);
                // An upright edge at an end is not part of a ground.
                let ground = &smaller.terrain.ground;
                let [.., before, last] = ground[..] else { break };
                let is_ground = ground[0].x < ground[1].x && before.x < last.x;
                if !is_ground || !attempt(&mut case, smaller) {
                    index += 1;
                }
            }
        }
        let mut index = 0;
        while let Some(ceiling) = &case.terrain.ceiling
            && index < ceiling.len()
            && ceiling.len() > 2
        {
            let mut smaller = case.clone();
            smaller.terrain.ceiling.as_mut().expect("as before").remove(index);
            if !attempt(&mut case, smaller) {
                index += 1;
            }
        }
        let plain = Walker::new();
        for walker in [
            plain,
            Walker { max_step_height: 0.0, ..case.walker },
            Walker { snap_distance: plain.snap_distance, ..case.walker },
            Walker { constant_speed: true, ..case.walker },
        ] {
            let smaller = Case { walker, ..case.clone() };
            attempt(&mut case, smaller);
        }
        for digits in [4.0f32, 64.0, 1024.0] {
            let round = |v: Vec2| (v * digits).round() / digits;
            let smaller = Case { motion: round(case.motion), ..case.clone() };
            attempt(&mut case, smaller);
            let smaller = Case { at: round(case.at), ..case.clone() };
            attempt(&mut case, smaller);
        }
        format!("// {text}\n{}\n", case.source())
    }
}

/// Returns whether the hero overlaps nothing.
fn is_free(stage: &Stage) -> bool {
    let own = stage.world.colliders_of(stage.hero).next().unwrap();
    let shape = stage.world.collider(own).unwrap().placed();
    let mut others = stage.world.colliders_of(stage.level);
    !others.any(|key| shape.overlaps(&stage.world.collider(key).unwrap().placed()))
}

/// Returns a convex walker above its position.
fn any_shape(random: &mut Random, unit: f32) -> Shape {
    let is_grid = random.chance(0.4);
    let size = |random: &mut Random, low: f32, high: f32| {
        unit * if is_grid { random.on_grid(low, high, 0.125) } else { random.between(low, high) }
    };
    let (half, height) = (size(random, 0.25, 0.5), size(random, 0.75, 1.5));
    match random.below(8) {
        0..=2 => Aabb::new([-half, 0.0], [half, height]).into(),
        3 => Circle::new([0.0, half], half).into(),
        4 => Capsule::new([0.0, half], [0.0, half + height], half).into(),
        5 => {
            // A narrow foot, flat or pointed.
            let foot = half * [0.0, 0.5, 0.75][random.below(3)];
            let knee = size(random, 0.25, 0.5);
            let mut points = vec![[foot, 0.0], [half, knee], [half, height]];
            points.extend([[-half, height], [-half, knee]]);
            if foot > 0.0 {
                points.push([-foot, 0.0]);
            }
            ConvexPolygon::new(&points).into()
        }
        6 => {
            let radius = 0.25 * half;
            let points = [[-half, radius], [half, radius], [half, height], [-half, height]];
            ConvexPolygon::rounded(&points, radius).into()
        }
        _ => {
            let point = |random: &mut Random, x: f32, low: f32, high: f32| {
                [x + size(random, -0.125, 0.125), size(random, low, high)]
            };
            let points = [
                point(random, -0.5 * half, 0.0, 0.25),
                point(random, half, 0.0, 0.5),
                point(random, half, 0.75, 1.5),
                point(random, -half, 0.75, 1.5),
            ];
            ConvexPolygon::try_new(&points)
                .map_or_else(|_| Circle::new([0.0, half], half).into(), Shape::from)
        }
    }
}

fn any_walker(random: &mut Random, unit: f32) -> Walker {
    let mut walker = Walker::new().snap_distance(unit * [0.0, 0.1, 0.3][random.below(3)]);
    if random.chance(0.7) {
        walker = walker.max_step_height(unit * random.between(0.1, 0.6));
    }
    if random.chance(0.3) {
        walker = walker.max_slope_angle(random.between(0.3, 0.85));
    }
    if random.chance(0.3) {
        walker = walker.level_speed();
    }
    walker
}

#[derive(Default)]
struct Counts {
    agreed: u64,
    ties: u64,
    on_floor: u64,
    walls: u64,
    ceilings: u64,
    steps: u64,
    failures: Vec<String>,
}

impl Counts {
    fn frames(&self) -> u64 {
        self.agreed + self.ties + self.failures.len() as u64
    }
}

/// Plays one story: a walker that runs, turns, jumps and falls.
fn play(seed: u64, counts: &mut Counts) {
    let mut random = Random(seed);
    let terrain = Terrain::random(&mut random);
    let unit = terrain.unit;
    let (shape, walker) = (any_shape(&mut random, unit), any_walker(&mut random, unit));
    let mut case =
        Case { terrain, shape, walker, at: Vec2::ZERO, is_on_floor: false, motion: Vec2::ZERO };
    let spaces = case.spaces();
    let space = &spaces[0];
    // 1. A free position on the ground or above it.
    let mut stage = None;
    for _ in 0..20 {
        case.at.x = unit * random.between(-10.0, 10.0);
        let height = space.ground.height(case.at.x.into());
        let above = if random.chance(0.3) { 0.0 } else { random.between(0.0, 1.0) * unit };
        case.at.y = (height as f32 + above).next_up();
        let top = space.ceiling.as_ref().map_or(f64::INFINITY, |c| -c.height(case.at.x.into()));
        let is_inside = f64::from(case.at.y) >= height && f64::from(case.at.y) < top;
        if height > f64::from(-8.0 * unit) && is_inside {
            stage = Some(case.stage()).filter(is_free);
        }
        if stage.is_some() {
            break;
        }
    }
    let Some(mut stage) = stage else { return };
    // 2. The frames.
    let gravity = unit * random.between(15.0, 40.0);
    let (mut speed, mut velocity) = (unit * random.between(-8.0, 8.0), Vec2::ZERO);
    for frame in 0..FRAMES {
        if random.chance(0.04) {
            speed = unit * [0.0, random.between(-8.0, 8.0)][random.below(2)];
        }
        if case.at.x.abs() > 9.0 * unit {
            speed = -speed.abs() * case.at.x.signum();
        }
        let is_below = space.settled(case.at.as_dvec2(), 1e-3 * f64::from(unit)).is_none();
        if is_below || case.at.y < -8.0 * unit || case.at.x.abs() > 11.0 * unit {
            break; // fallen off a platform or into a gap
        }
        case.is_on_floor = stage.state.on_floor();
        velocity = Vec2::new(speed, velocity.y - gravity / 60.0);
        if case.is_on_floor && random.chance(0.03) {
            velocity.y = unit * random.between(4.0, 14.0);
        }
        case.motion = velocity / 60.0;
        let walk = stage.walk(case.motion);
        counts.on_floor += u64::from(walk.on_floor());
        counts.walls += u64::from(walk.wall.is_some());
        counts.ceilings += u64::from(walk.ceiling.is_some());
        counts.steps += u64::from(walk.stepped);
        match case.check(&spaces, &walk) {
            Outcome::Agrees => counts.agreed += 1,
            Outcome::Tie => counts.ties += 1,
            Outcome::Differs(text) => {
                let is_shown = counts.failures.len() < SHRUNK;
                let shrunk = if is_shown { case.shrink() } else { String::new() };
                let text = format!("CAROM_SEED={seed}, frame {frame}: {text}\n{shrunk}");
                counts.failures.push(text);
                return;
            }
        }
        velocity = walk.velocity(velocity);
        case.at = walk.end;
    }
}

#[test]
fn every_frame_of_a_walker_is_what_the_oracle_predicts() {
    let (first, frames) = (number("CAROM_SEED", 0), number("CAROM_CASES", 20_000));
    let (mut seed, mut counts) = (first, Counts::default());
    while counts.frames() < frames {
        play(seed, &mut counts);
        seed += 1;
    }
    let frames = counts.frames();
    let Counts { agreed, ties, on_floor, walls, ceilings, steps, failures } = counts;
    if std::env::var_os("CAROM_PROGRESS").is_some() {
        eprintln!(
            "{frames} frames in {} stories ({on_floor} on a floor, {walls} walls, {ceilings} ceilings, \
             {steps} steps): {agreed} agree, {ties} ties, {} differ",
            seed - first,
            failures.len()
        );
    }
    let shown = &failures[..failures.len().min(SHRUNK)];
    assert!(failures.is_empty(), "{} frames differ\n{}", failures.len(), shown.join("\n"));
}
