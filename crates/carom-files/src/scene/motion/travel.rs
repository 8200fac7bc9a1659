//! Bodies that fly and respond to the obstacles that they hit.

use std::collections::BTreeMap;

use carom::prelude::*;
use carom::world::ColliderRef;
use serde::{Deserialize, Serialize};

use crate::scene::simulation::{Action, Simulation};
use crate::scene::validator::Validator;

/// The minimum speed of hits that are reported, in units per second along the normal.
const MIN_REPORTED_SPEED: f32 = 3.0;

/// The settings of a body that flies, and responds to the obstacles that it hits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(inline))]
pub struct TravelMotion {
    /// The velocity at the start, in units per second.
    #[cfg_attr(test, schemars(with = "[f32; 2]"))]
    pub velocity: Vec2,
    /// `true` if gravity accelerates the body.
    #[serde(default)]
    pub falls: bool,
    /// The response to obstacles.
    pub response: ResponseKind,
    /// The responses to obstacles on layers for which they differ, by layer name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub responses: BTreeMap<String, ResponseKind>,
    /// The fraction of the normal speed that a bounce keeps.
    #[serde(default = "full_restitution")]
    pub restitution: f32,
    /// The largest total weight of the pushable bodies that the response `push` moves; no limit if left
    /// out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub push_limit: Option<u32>,
    /// The angular velocity, in radians per second.
    #[serde(default)]
    pub spin: f32,
}

/// The response of a body to an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, schemars(rename = "Reply"))]
pub enum ResponseKind {
    /// Stops where it hits.
    Touch,
    /// Passes through.
    Cross,
    /// Continues along the obstacle.
    Slide,
    /// Is reflected.
    Bounce,
    /// Pushes the obstacle ahead if it is pushable, and otherwise continues along it.
    Push,
}

impl TravelMotion {
    /// Returns a response with the settings of this motion.
    pub fn response(&self, kind: ResponseKind) -> Response {
        match kind {
            ResponseKind::Touch => Response::Touch,
            ResponseKind::Cross => Response::Cross,
            ResponseKind::Slide => Response::Slide,
            ResponseKind::Bounce => Response::Bounce(self.restitution),
            ResponseKind::Push => Response::Push(self.push_limit.unwrap_or(u32::MAX)),
        }
    }

    pub(super) fn validate(&self, world: &World, at: &mut Validator<'_>) {
        at.field("restitution").at_least(self.restitution, 0.0);
        at.field("spin").at_least(self.spin, f32::MIN);
        for layer in self.responses.keys() {
            at.field("responses").check(world.layer(layer.as_str()));
        }
    }

    pub(super) fn step(&self, simulation: &mut Simulation<'_>, i: usize) -> Result<(), WorldError> {
        let (key, rate) = (simulation.bodies[i].key, simulation.scene.rate);
        let world = &mut simulation.built.world;
        let start_velocity = simulation.bodies[i].velocity;
        let mut velocity = start_velocity;
        if self.falls {
            velocity += simulation.scene.gravity / rate;
        }
        if self.spin != 0.0
            && let Some(body) = world.body(key)
        {
            let angle = body.pose.rotation.angle() + self.spin / rate;
            world.set_angle(key, angle)?;
        }
        let layers = world.layer_names().to_vec();
        let response_to = |other: ColliderRef<'_>| {
            let names = other.layers().iter().filter_map(|it| layers.get(usize::from(it.number())));
            let mut responses = names.filter_map(|name| self.responses.get(name));
            responses.next().copied().unwrap_or(self.response)
        };
        let travel = world.travel(key, velocity / rate, |encounter| {
            self.response(response_to(encounter.other()))
        })?;
        for hit in travel.hits() {
            velocity = match hit.response {
                Response::Touch => Vec2::ZERO,
                Response::Slide => hit.slid(velocity),
                Response::Bounce(keep) => hit.bounced(velocity, keep),
                // Along the normal of a push, the body keeps the speed at which it has actually moved.
                Response::Push(_) => {
                    let moved = (travel.end - travel.start).dot(hit.normal) * rate;
                    velocity + hit.normal * (moved - velocity.dot(hit.normal)).max(0.0)
                }
                _ => velocity,
            };
            let is_crossing_on = hit.depth > 0.0 && hit.response == Response::Cross;
            let is_fast = start_velocity.dot(hit.normal) < -MIN_REPORTED_SPEED;
            if is_fast && !is_crossing_on {
                let is_pushable =
                    simulation.built.world.body(hit.body).is_some_and(|it| it.pushable);
                let response = match hit.response {
                    Response::Push(_) if !is_pushable => Response::Slide,
                    response => response,
                };
                let action = Action::Hit { response, point: hit.point };
                simulation.push_event(action, &[key, hit.body]);
            }
        }
        simulation.bodies[i].velocity = velocity;
        Ok(())
    }
}

fn full_restitution() -> f32 {
    1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scene;
    use crate::scene::BodyState;

    /// Plays a scene of 1 × 1 boxes on the x axis, and returns the events and the final x coordinates, rounded to
    /// thousandths.
    fn play(bodies: &str) -> (Vec<String>, Vec<f32>) {
        let square = r#""colliders": [{"shape": {"type": "aabb", "min": [0, 0], "max": [1, 1]}}]"#;
        let bodies = bodies.replace("SQUARE", square);
        let scene = format!(r#"{{"carom": 1, "frames": 60, "bodies": [{bodies}]}}"#);
        let scene = Scene::from_json(&scene).unwrap_or_else(|error| panic!("{error}"));
        let mut simulation = Simulation::new(&scene).unwrap();
        let mut events = Vec::new();
        for _ in 0..scene.frames {
            events.extend(simulation.step().unwrap().iter().map(ToString::to_string));
        }
        let x = |(_, body): (&str, &BodyState)| simulation.world().position(body.key).unwrap().x;
        let rounded = |x: f32| (x * 1000.0).round() / 1000.0;
        (events, simulation.bodies().map(x).map(rounded).collect())
    }

    #[test]
    fn a_push_moves_crates_up_to_its_limit_and_stops_at_walls() {
        let bodies = r#"
            {"name": "ram", SQUARE, "motion": {"type": "travel", "velocity": [12, 0],
              "response": "push", "push_limit": 3}},
            {"name": "crate", "position": [2, 0], "pushable": true, SQUARE},
            {"name": "stone", "position": [4, 0], "pushable": true, "weight": WEIGHT, SQUARE},
            {"name": "wall", "fixed": true, "position": [8, 0], SQUARE}"#;
        let (events, x) = play(&bodies.replace("WEIGHT", "2"));
        assert_eq!(events, ["ram pushes crate at (2.00, 0.50)"]);
        assert_eq!(x, [5.0, 6.0, 7.0, 8.0]);
        let (_, x) = play(&bodies.replace("WEIGHT", "3"));
        assert_eq!(x, [2.0, 3.0, 4.0, 8.0]);
    }

    #[test]
    fn a_push_slides_along_obstacles_that_are_not_pushable() {
        let (events, x) = play(
            r#"{"name": "ram", SQUARE, "motion": {"type": "travel", "velocity": [12, 0],
              "response": "push"}},
            {"name": "wall", "position": [8, 0], SQUARE}"#,
        );
        assert_eq!(events, ["ram slides along wall at (8.00, 0.50)"]);
        assert_eq!(x, [7.0, 8.0]);
    }

    #[test]
    fn only_a_swept_body_touches_a_sensor_that_it_passes_within_a_frame() {
        let bodies = r#"{"name": "arrow", SWEPT SQUARE, "motion": {"type": "travel",
              "velocity": [600, 0], "response": "touch"}},
            {"name": "ring", "fixed": true, "position": [305, 0], "colliders": [{"role": "sensor",
              "shape": {"type": "aabb", "min": [0, 0], "max": [0.1, 1]}}]}"#;
        let (events, _) = play(&bodies.replace("SWEPT", "\"swept\": true,"));
        assert_eq!(events, ["arrow touches ring", "arrow leaves ring"]);
        let (events, _) = play(&bodies.replace("SWEPT", ""));
        assert!(events.is_empty(), "{events:?}");
    }
}
