//! Several of the same.

use std::f32::consts::TAU;

use carom::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Area, Motion, Scene, SceneBody};
use crate::form::Fault;

/// Copies of a body, strewn over a part of the world; those that fly do so in all directions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Crowd {
    /// How many, 100,000 at most.
    pub count: u32,
    /// Where their positions are.
    pub within: Area,
}

const MOST: u32 = 100_000;

impl Crowd {
    pub(super) fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        if self.count > MOST {
            faults.push(Fault::new("count", format!("{}; it must be {MOST} at most", self.count)));
        }
        if let Err(error) = self.within.aabb() {
            faults.push(Fault::new("within", error));
        }
        faults
    }

    /// A member of a crowd.
    fn member(&self, body: &SceneBody, number: u32, chance: &mut Chance) -> SceneBody {
        let Area { min, max } = self.within;
        let position = min + (max - min) * Vec2::new(chance.next(), chance.next());
        let turn = Rotation::from_angle(chance.next() * TAU);
        let mut member = SceneBody { crowd: None, position, ..body.clone() };
        member.name = format!("{} {number}", body.name);
        if let Some(Motion::Travel { velocity, .. }) = &mut member.motion {
            *velocity = turn.rotate(*velocity);
        }
        member
    }
}

impl Scene {
    /// The same scene with all members of its crowds, named and numbered: the same for the same seed.
    #[must_use]
    pub fn scattered(&self, seed: u64) -> Self {
        let mut chance = Chance(seed);
        let mut bodies = Vec::new();
        for body in &self.bodies {
            match &body.crowd {
                Some(crowd) => bodies.extend(
                    (1..=crowd.count.min(MOST)).map(|i| crowd.member(body, i, &mut chance)),
                ),
                None => bodies.push(body.clone()),
            }
        }
        Self { bodies, ..self.clone() }
    }
}

/// A sequence of numbers that look random (SplitMix64).
struct Chance(u64);

impl Chance {
    /// From 0 to 1, without 1.
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 40) as f32 / (1u32 << 24) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_is_the_same_for_the_same_seed_and_within_its_area() {
        let scene = Scene::from_json(
            r#"{"carom": 1, "bodies": [{"name": "ball",
                "crowd": {"count": 30, "within": {"min": [2, 3], "max": [8, 4]}},
                "motion": {"type": "travel", "velocity": [5, 0], "response": "bounce"}}]}"#,
        );
        let scene = scene.unwrap();
        let crowd = scene.scattered(7);
        assert_eq!(crowd, scene.scattered(7));
        assert_ne!(crowd, scene.scattered(8));
        assert_eq!((crowd.bodies.len(), crowd.bodies[29].name.as_str()), (30, "ball 30"));
        let area = Aabb::new([2.0, 3.0], [8.0, 4.0]);
        assert!(crowd.bodies.iter().all(|body| area.contains(&Point::new(body.position))));
        assert!(crowd.faults().is_empty());
    }
}
