//! Bodies that fly and respond to what they hit.

use std::collections::BTreeMap;

use carom::prelude::*;
use carom::world::ColliderRef;
use serde::{Deserialize, Serialize};

use crate::scene::simulation::{Action, Simulation};
use crate::scene::validator::Validator;

/// Hits slower than this, in units per second along the normal, are not reported.
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
    /// The responses to obstacles on some layers, by layer name, where they differ.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub responses: BTreeMap<String, ResponseKind>,
    /// The part of the normal speed that a bounce keeps.
    #[serde(default = "full_restitution")]
    pub restitution: f32,
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
}

impl ResponseKind {
    /// Returns the response; a bounce keeps `restitution` of the normal speed.
    pub fn with_restitution(self, restitution: f32) -> Response {
        match self {
            Self::Touch => Response::Touch,
            Self::Cross => Response::Cross,
            Self::Slide => Response::Slide,
            Self::Bounce => Response::Bounce(restitution),
        }
    }
}

impl TravelMotion {
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
            response_to(encounter.other()).with_restitution(self.restitution)
        })?;
        for hit in travel.hits() {
            velocity = match hit.response {
                Response::Touch => Vec2::ZERO,
                Response::Slide => hit.slid(velocity),
                Response::Bounce(keep) => hit.bounced(velocity, keep),
                _ => velocity,
            };
            let is_crossing_on = hit.depth > 0.0 && hit.response == Response::Cross;
            let is_fast = start_velocity.dot(hit.normal) < -MIN_REPORTED_SPEED;
            if is_fast && !is_crossing_on {
                let action = Action::Hit { response: hit.response, point: hit.point };
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
