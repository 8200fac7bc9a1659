//! Moving platforms.

use carom::prelude::*;
use serde::{Deserialize, Serialize};

use crate::scene::simulation::{Action, Simulation};
use crate::scene::validator::Validator;

/// The settings of a body that moves from point to point, and carries the bodies that stand on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(inline))]
pub struct PathMotion {
    /// The points, relative to the start; at least two.
    #[cfg_attr(test, schemars(with = "Vec<[f32; 2]>"))]
    pub points: Vec<Vec2>,
    /// The speed, in units per second.
    pub speed: f32,
    /// The behavior of the body at the end.
    #[serde(default)]
    pub end: PathEnd,
}

/// The behavior of a body at the end of its path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PathEnd {
    /// Stops.
    Stop,
    /// Reverses along the path.
    #[default]
    Back,
    /// Moves straight to the first point and starts again.
    Around,
}

impl PathMotion {
    pub(super) fn validate(&self, at: &mut Validator<'_>) {
        at.field("speed").at_least(self.speed, 0.0);
        if self.points.len() < 2 {
            let found = self.points.len();
            at.field("points").error(format_args!("found {found} points, expected at least 2"));
        }
    }

    pub(super) fn step(&self, simulation: &mut Simulation<'_>, i: usize) -> Result<(), WorldError> {
        let from = simulation.bodies[i].distance;
        let to = from + self.speed / simulation.scene.rate;
        simulation.bodies[i].distance = to;
        let platform = simulation.bodies[i].key;
        let motion = self.point_at_distance(to) - self.point_at_distance(from);
        let carry = simulation.built.world.carry(platform, motion)?;
        for &body in carry.squashed() {
            simulation.push_event(Action::Squashed, &[platform, body]);
        }
        Ok(())
    }

    /// Returns the point of the path after `distance`, which may be beyond its end.
    fn point_at_distance(&self, distance: f32) -> Vec2 {
        let mut points = self.points.clone();
        match self.end {
            PathEnd::Stop => {}
            PathEnd::Back => points.extend(self.points.iter().rev().skip(1)),
            PathEnd::Around => points.extend(self.points.first()),
        }
        let length: f32 = points.windows(2).map(|ends| ends[0].distance(ends[1])).sum();
        let mut left = if self.end == PathEnd::Stop { distance } else { distance % length };
        for ends in points.windows(2) {
            let length = ends[0].distance(ends[1]);
            if left < length {
                return ends[0] + (ends[1] - ends[0]) * (left / length);
            }
            left -= length;
        }
        points[points.len() - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stop_turn_back_or_start_again() {
        let points = vec![Vec2::ZERO, Vec2::new(4.0, 0.0), Vec2::new(4.0, 3.0)];
        let at = |distance, end| {
            PathMotion { points: points.clone(), speed: 1.0, end }.point_at_distance(distance)
        };
        assert_eq!(at(5.0, PathEnd::Stop), Vec2::new(4.0, 1.0));
        assert_eq!(at(99.0, PathEnd::Stop), Vec2::new(4.0, 3.0));
        assert_eq!(at(9.0, PathEnd::Back), Vec2::new(4.0, 1.0));
        assert_eq!(at(12.0, PathEnd::Around), Vec2::ZERO);
    }
}
