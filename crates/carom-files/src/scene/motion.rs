//! How bodies move in a scene.

use std::collections::BTreeMap;

use carom::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use super::Script;
use crate::form::Fault;

/// How a body moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Motion {
    /// It flies, and responds to what it meets.
    Travel {
        /// How far it goes in a second.
        #[schemars(with = "[f32; 2]")]
        velocity: Vec2,
        /// Whether it falls.
        #[serde(default)]
        falls: bool,
        /// What it does at an obstacle.
        response: Reply,
        /// What it does at obstacles on some layers, where that is something else.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        responses: BTreeMap<String, Reply>,
        /// How much of its speed it keeps when it bounces.
        #[serde(default = "full")]
        restitution: f32,
        /// How far it turns, per second.
        #[serde(default)]
        spin: f32,
    },
    /// It moves by one of the classic methods, which know only where the motion starts and ends.
    Method {
        /// Which one.
        method: Method,
        /// How far it goes in a second.
        #[schemars(with = "[f32; 2]")]
        velocity: Vec2,
        /// Whether it falls.
        #[serde(default)]
        falls: bool,
    },
    /// It has feet, and somebody presses keys.
    Walk {
        /// How far it goes in a second.
        speed: f32,
        /// How fast a jump starts.
        #[serde(default)]
        jump: f32,
        /// What is pressed.
        #[serde(default)]
        input: Script,
        /// How it walks; which way is up says the scene.
        #[serde(default, serialize_with = "write_walker")]
        #[schemars(with = "Option<WalkerForm>")]
        walker: Walker,
    },
    /// It goes from point to point, relative to where it stands, and takes along what stands on it.
    Path {
        /// The points, at least two.
        #[schemars(with = "Vec<[f32; 2]>")]
        points: Vec<Vec2>,
        /// How far it goes in a second.
        speed: f32,
        /// What follows at the end.
        #[serde(default)]
        end: PathEnd,
    },
    /// It keeps to the corridors of a maze, from tile to tile, and turns where they allow it.
    Maze {
        /// The name of the body whose tiles are the maze; it starts in the tile under its position.
        maze: String,
        /// How many tiles it goes in a second.
        speed: f32,
        /// What is pressed: `left`, `right`, `up`, `down`. A turn is made as soon as it is possible.
        #[serde(default)]
        input: Script,
        /// Whether corridors that are open at the edge of the maze lead to its other side.
        #[serde(default)]
        tunnels: bool,
    },
}

/// What a body does at an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// It stops there.
    Touch,
    /// It goes on as if nothing were there.
    Cross,
    /// It goes on along the obstacle.
    Slide,
    /// It goes back.
    Bounce,
}

/// A way to move without a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// It moves, and is pushed the shortest way out of all that it overlaps then.
    PushOut,
    /// One axis at a time, and back against the motion.
    DirectionVelocity,
    /// Out of each obstacle along the axis with the least overlap.
    ShallowAxis,
    /// Back over the side that it came over; its box, and those of the obstacles, count.
    BeforeAfter,
    /// No further than the distance at the start allows, in the direction of what is nearest.
    Speculative,
}

/// What follows at the end of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
    pub(super) fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut check = |name: &str, value: f32, least: f32| {
            if !(value >= least && value.is_finite()) {
                faults.push(Fault::new(name, format!("{value}; it must be at least {least}")));
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
            Self::Method { .. } => {}
            Self::Maze { speed, .. } => check("speed", *speed, 0.0),
            Self::Path { points, speed, .. } => {
                check("speed", *speed, 0.0);
                if points.len() < 2 {
                    let message = format!("found {}, a path takes at least 2", points.len());
                    faults.push(Fault::new("points", message));
                }
            }
        }
        faults
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

/// A walker as it is written: without its way up, which is that of the scene.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "Walker", deny_unknown_fields)]
struct WalkerForm {
    /// How steep a floor may be, in radians.
    max_slope: Option<f32>,
    /// How far below its feet it looks for the floor that it has left.
    snap: Option<f32>,
    /// How high a step it goes up without a jump.
    step: Option<f32>,
    /// By how much it is put aside in a jump to pass the corner of a ceiling.
    corner: Option<f32>,
    /// Whether it goes up and down slopes as fast as on the level.
    constant_speed: Option<bool>,
    /// For games on whole pixels: it goes whole multiples of this only.
    pixel: Option<f32>,
}

fn write_walker<S: Serializer>(walker: &Walker, serializer: S) -> Result<S::Ok, S::Error> {
    let Walker { up: _, max_slope, snap, step, corner, constant_speed, pixel } = *walker;
    let form = WalkerForm {
        max_slope: Some(max_slope),
        snap: Some(snap),
        step: Some(step),
        corner: Some(corner),
        constant_speed: Some(constant_speed),
        pixel: Some(pixel),
    };
    form.serialize(serializer)
}
