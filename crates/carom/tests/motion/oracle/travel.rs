//! Random moves of every shape among obstacles of every shape, compared with the prediction.

use std::f64::consts::FRAC_PI_4;

use carom::motion::TravelHit;
use carom::prelude::*;
use glam::DVec2;

use super::distance::{Difference, Hull, differences, hulls};
use super::level::Maker;
use super::number;
use super::predict::{Oracle, Prediction};
use super::shrink::{Case, shrink};
use crate::stage::Random;

/// The moves of one body in one level.
const MOVES: usize = 8;

/// The number of failures that are shrunk and printed.
const SHRUNK: usize = 8;

/// The largest skin of a body without area, in the units of [`ulp`].
const SKIN: f64 = 9.0;

/// The comparison of a move with its prediction.
pub enum Outcome {
    Agrees,
    /// The prediction itself depends on rounding.
    Tie,
    Differs(String),
}

/// The distance of neighboring `f32` at the largest coordinate of a case. Bodies without area keep a skin of a
/// few of these, so more counts as the same for them.
fn ulp(case: &Case) -> f64 {
    let bounds = case.body.bounds();
    let size = bounds.min().abs().max(bounds.max().abs()).max_element();
    let end = (case.at + case.motion).abs().max_element().min(6.0 * case.unit);
    let far = case.at.abs().max_element().max(end) + size;
    let has_area = hulls(&case.body).iter().all(Hull::has_area);
    f64::from(far) * f64::from(f32::EPSILON) * if has_area { 1.0 } else { 4.0 }
}

impl Case {
    /// Plays the move, or returns `None` if the body overlaps something at the start.
    pub fn play(&self) -> Option<(Travel, Vec<ColliderKey>)> {
        let mut world = World::new();
        let level = world.add_body(Body::fixed([0.0, 0.0])).unwrap();
        let body = world.add_body(Body::moving(self.at)).unwrap();
        let own = world.add_collider(body, Collider::new(self.body.clone())).unwrap();
        let keys: Vec<ColliderKey> = self
            .obstacles
            .iter()
            .map(|shape| world.add_collider(level, Collider::new(shape.clone())).unwrap())
            .collect();
        let overlaps = |world: &World| {
            let own = world.collider(own).unwrap();
            keys.iter().any(|&key| own.placed().overlaps(&world.collider(key).unwrap().placed()))
        };
        if overlaps(&world) {
            return None;
        }
        let travel = world.travel(body, self.motion, |_| self.response).unwrap();
        assert!(!overlaps(&world), "ends in overlap at {}", travel.end);
        Some((travel, keys))
    }

    /// Compares the move with its prediction.
    pub fn check(&self, travel: &Travel, keys: &[ColliderKey]) -> Outcome {
        let ulp = ulp(self);
        let body = hulls(&self.body);
        let reach = 0.05 * f64::from(self.unit);
        let (start, motion) = (self.at.as_dvec2(), self.motion.as_dvec2());
        let near = (start, motion.length() + reach);
        let all = differences(&body, &self.obstacles, 24.0 * ulp, near);
        let oracle = |tolerance: f64| Oracle {
            obstacles: &all,
            tolerance: tolerance * ulp,
            reach,
            shift: DVec2::ZERO,
            takes_least: false,
        };
        // 1. Predict. Most moves agree at once.
        let Some(base) = oracle(6.0).predict(start, motion, self.response) else {
            return Outcome::Tie;
        };
        let compare = |others: &[Prediction], spread: f64| {
            let error = (travel.end.as_dvec2() - base.end).length();
            if error > 48.0 * ulp + 8.0 * spread {
                return Err(format!("ends at {}, not at {}", travel.end, base.end));
            }
            // The hits: true surfaces, opposed to the motion, where the prediction stops.
            // At a small angle, a rounding error moves a stop by much more than its own size.
            let stop_with_spread = |&stop: &DVec2| {
                let nearest = |other: &Prediction| {
                    let distances = other.stops.iter().map(|at| (*at - stop).length());
                    distances.fold(f64::INFINITY, f64::min)
                };
                (stop, others.iter().map(nearest).fold(0.0, f64::max))
            };
            let stops: Vec<(DVec2, f64)> = base.stops.iter().map(stop_with_spread).collect();
            self.check_hits(&oracle(12.0), &all, travel, keys, &stops)
        };
        if compare(&[], 0.0).is_ok() {
            return Outcome::Agrees;
        }
        // 2. Predict with rounding errors, and with several tolerances.
        let shifts = [[0.0, 0.0], [0.0, 0.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]];
        let tolerances = [2.0, 12.0, 6.0, 6.0, 6.0, 6.0];
        let mut others = Vec::new();
        for (shift, tolerance) in shifts.into_iter().zip(tolerances) {
            let oracle = Oracle { shift: DVec2::from(shift) * ulp, ..oracle(tolerance) };
            match oracle.predict(start, motion, self.response) {
                Some(other) => others.push(other),
                None => return Outcome::Tie,
            }
        }
        let least = Oracle { takes_least: true, ..oracle(6.0) };
        match least.predict(start, motion, self.response) {
            Some(other) => others.push(other),
            None => return Outcome::Tie,
        }
        let spreads = |others: &[Prediction]| {
            others.iter().map(|other| (other.end - base.end).length()).fold(0.0, f64::max)
        };
        let mut spread = spreads(&others);
        // A body without area keeps a skin, and a path exactly along a face enters it. A line between flush parts
        // of a body enters the body, but none of the parts.
        let has_area = |hulls: &[Hull]| hulls.iter().all(Hull::has_area);
        let has_lines = || !self.obstacles.iter().all(|shape| has_area(&hulls(shape)));
        if !has_area(&body) {
            // The skin depends on the coordinates, so a body may be nearer to a surface than it was before, and meet
            // one side of a corner before the other. It cannot be in a crack between flush obstacles.
            let in_crack = |at: DVec2| oracle(6.0).is_in_exact_gap(at, |_| true);
            if base.stops.iter().copied().chain([start, base.end]).any(in_crack) {
                return Outcome::Tie;
            }
            for angle in 0..8 {
                let shift = DVec2::from_angle(f64::from(angle) * FRAC_PI_4) * SKIN * ulp;
                let oracle = Oracle { shift, ..oracle(0.5) };
                match oracle.predict(start, motion, self.response) {
                    Some(other) => spread = spread.max(spreads(&[other])),
                    None => return Outcome::Tie,
                }
            }
        }
        if !has_area(&body) || body.len() > 1 && has_lines() {
            for skin in [3.0, 6.0, 12.0] {
                let mut all = all.clone();
                for difference in &mut all {
                    difference.grow(skin * ulp);
                }
                let oracle = Oracle { obstacles: &all, ..oracle(0.5) };
                match oracle.predict(start, motion, self.response) {
                    Some(other) => spread = spread.max(spreads(&[other])),
                    None => return Outcome::Tie,
                }
            }
        }
        if spread > 1e-3 * f64::from(self.unit) {
            return Outcome::Tie;
        }
        match compare(&others, spread) {
            Ok(()) => Outcome::Agrees,
            Err(text) => Outcome::Differs(text),
        }
    }

    fn check_hits(
        &self,
        oracle: &Oracle<'_>,
        all: &[Difference],
        travel: &Travel,
        keys: &[ColliderKey],
        stops: &[(DVec2, f64)],
    ) -> Result<(), String> {
        let has_area = hulls(&self.body).iter().all(Hull::has_area);
        for hit in travel.hits() {
            let (p, normal) = (hit.position.as_dvec2(), hit.normal.as_dvec2());
            let motion = hit.motion.as_dvec2();
            if (normal.length() - 1.0).abs() > 1e-6 || normal.dot(motion) >= 0.0 {
                return Err(format!("normal {} does not oppose {}", hit.normal, hit.motion));
            }
            let index = keys.iter().position(|&key| key == hit.other).expect("a collider");
            let near = all.iter().filter(|c| c.obstacle == index);
            if near.map(|c| c.distance(p)).fold(f64::INFINITY, f64::min) > 2.0 * oracle.tolerance {
                return Err(format!("hits obstacle {index}, which it does not touch"));
            }
            let normals = oracle.normals(p);
            let is_known = |n: &&DVec2| (**n - normal).length() < 2e-3;
            // Near the end of a surface, a finer tolerance tells it from what is beside it.
            let finer = Oracle { tolerance: oracle.tolerance / 6.0, ..*oracle };
            let is_true = normals.iter().any(|n| is_known(&n))
                && [oracle, &finer]
                    .into_iter()
                    .any(|oracle| oracle.is_surface(p, normal) || oracle.is_bottom(p, normal));
            // The skin of a body without area is round at a vertex.
            let is_round = !has_area && normals.len() > 1;
            if !is_true && !is_round {
                return Err(format!("normal {} is none of {normals:?}", hit.normal));
            }
        }
        // A shape with a skin meets a surface earlier, on a grazing path much earlier.
        for (stop, spread) in stops.iter().filter(|_| has_area) {
            let is_reported = |hit: &TravelHit| {
                let distance = (hit.position.as_dvec2() - *stop).length();
                distance <= 16.0 * oracle.tolerance + 8.0 * spread
            };
            if !travel.hits().iter().any(is_reported) {
                return Err(format!("no hit at {stop}"));
            }
        }
        Ok(())
    }
}

/// Returns a level, a body and a place for it.
fn any_case(random: &mut Random) -> Case {
    let is_grid = random.chance(0.5);
    let unit = [1.0, 1.0, 16.0][random.below(3)];
    let mut maker = Maker { random, is_grid, unit };
    let body = maker.body();
    let has_area = hulls(&body).iter().all(Hull::has_area);
    let mut obstacles = Vec::new();
    let count = 1 + maker.random.below(16);
    for _ in 0..count {
        maker.obstacles(&mut obstacles, 4.0, has_area);
    }
    while obstacles.is_empty() {
        maker.obstacles(&mut obstacles, 4.0, has_area); // empty masks and maps are left out
    }
    let at = maker.place(5.0);
    Case { body, at, obstacles, motion: Vec2::ZERO, response: Response::Slide, unit }
}

#[test]
fn every_move_ends_where_the_oracle_predicts() {
    let (first, moves) = (number("CAROM_SEED", 0), number("CAROM_CASES", 4_000));
    let (mut agreed, mut ties, mut hits) = (0, 0, 0);
    let mut failures: Vec<String> = Vec::new();
    let mut seed = first;
    while agreed + ties + (failures.len() as u64) < moves {
        let mut random = Random(seed);
        let mut case = any_case(&mut random);
        for turn in 0..MOVES {
            case.response = match random.below(8) {
                0 => Response::Touch,
                1 | 2 => Response::Bounce([0.0, 0.5, 1.0][random.below(3)]),
                _ => Response::Slide,
            };
            let (is_grid, unit) = (random.chance(0.5), case.unit);
            case.motion =
                Maker { random: &mut random, is_grid, unit }.motion(case.at, &case.obstacles);
            let Some((travel, keys)) = case.play() else { break };
            hits += travel.hits().len();
            match case.check(&travel, &keys) {
                Outcome::Agrees => agreed += 1,
                Outcome::Tie => ties += 1,
                Outcome::Differs(text) => {
                    let shrunk =
                        if failures.len() < SHRUNK { shrink(&case) } else { String::new() };
                    failures.push(format!("CAROM_SEED={seed}, move {turn}: {text}\n{shrunk}"));
                }
            }
            case.at = travel.end;
        }
        seed += 1;
    }
    if std::env::var_os("CAROM_PROGRESS").is_some() {
        eprintln!(
            "{} moves in {} levels, {hits} hits: {agreed} agree, {ties} ties, {} differ",
            agreed + ties + failures.len() as u64,
            seed - first,
            failures.len()
        );
    }
    let shown = &failures[..failures.len().min(SHRUNK)];
    assert!(failures.is_empty(), "{} moves differ\n{}", failures.len(), shown.join("\n"));
}
