//! How bodies move in a scene.

use carom::prelude::*;
use carom::shape::form::Xy;
use serde::Deserialize;

use super::Script;

/// How a body moves.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Motion {
    /// It flies, and responds to what it meets.
    Travel {
        velocity: Xy,
        /// Whether it falls.
        #[serde(default)]
        falls: bool,
        response: Reply,
        /// How much of its speed it keeps when it bounces.
        #[serde(default = "full")]
        restitution: f32,
        /// How far it turns, per second.
        #[serde(default)]
        spin: f32,
    },
    /// It has feet, and somebody presses keys.
    Walk {
        speed: f32,
        #[serde(default)]
        jump: f32,
        #[serde(default)]
        input: Script,
        #[serde(default)]
        walker: Walker,
    },
    /// It goes from point to point, relative to where it stands, and takes along what stands on it.
    Path {
        points: Vec<Xy>,
        speed: f32,
        #[serde(default)]
        end: PathEnd,
    },
}

/// What a body does at an obstacle.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    Touch,
    Cross,
    Slide,
    Bounce,
}

/// What follows at the end of a path.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum PathEnd {
    /// It stays there.
    Stop,
    /// It goes back the way it came.
    #[default]
    Back,
    /// It goes straight to the start, and on.
    Around,
}

impl Motion {
    /// What is wrong with its numbers.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let mut check = |name: &str, value: f32, least: f32| {
            if !(value >= least && value.is_finite()) {
                problems.push(format!("{name} is {value}; it must be at least {least}"));
            }
        };
        match self {
            Self::Travel { restitution, spin, .. } => {
                check("restitution", *restitution, 0.0);
                check("spin", *spin, f32::MIN);
            }
            Self::Walk { speed, jump, .. } => {
                check("speed", *speed, 0.0);
                check("jump", *jump, 0.0);
            }
            Self::Path { points, speed, .. } => {
                check("speed", *speed, 0.0);
                if points.len() < 2 {
                    let found = points.len();
                    problems.push(format!("points has {found}; a path takes at least 2"));
                }
            }
        }
        problems
    }
}

impl Reply {
    /// As a response; a bounce keeps so much of the speed.
    pub fn response(self, restitution: f32) -> Response {
        match self {
            Self::Touch => Response::Touch,
            Self::Cross => Response::Cross,
            Self::Slide => Response::Slide,
            Self::Bounce => Response::Bounce(restitution),
        }
    }
}

fn full() -> f32 {
    1.0
}
