//! Scenes: JSON files that describe a world and the motions in it.
//!
//! ```
//! use carom_files::Scene;
//!
//! let scene = Scene::from_json(r#"{
//!   "carom": 1,
//!   "bodies": [
//!     {"name": "floor", "fixed": true, "colliders": [
//!       {"shape": {"type": "aabb", "min": [0, -1], "max": [20, 0]}}]},
//!     {"name": "ball", "position": [3, 1], "colliders": [
//!       {"shape": {"type": "circle", "center": [0, 0], "radius": 1}}]}
//!   ]
//! }"#)?;
//! let mut built = scene.build()?;
//! assert_eq!(built.world.update().len(), 1); // the ball touches the floor
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Scene::build`] returns the world, for a game that moves the bodies itself. A [`Simulation`] moves the bodies
//! as the scene describes.

mod body;
mod build;
mod input;
mod motion;
mod simulation;
mod validator;

pub use body::{Crowd, LineOfSight, SceneBody, SceneCollider};
pub use build::BuiltScene;
pub use input::{Input, InputScript};
pub use motion::{
    ClassicMethod, ClassicMotion, MazeMotion, Motion, PathEnd, PathMotion, ResponseKind,
    TravelMotion, WalkMotion, WalkerSettings,
};
pub use simulation::{Action, BodyState, Direction, SceneEvent, Simulation, world_bounds};

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use carom::prelude::*;
use carom::sheet::Sheet;
use carom::world::StrikeRules;
use serde::{Deserialize, Serialize};

use crate::json::{self, VERSION};
use crate::{Diagnostics, FileError};

/// The content of a scene file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The location of this schema, for editors.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The version of the format: 1.
    pub carom: u32,
    /// A description for readers.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// The up direction.
    #[serde(default = "up")]
    #[cfg_attr(test, schemars(with = "[f32; 2]"))]
    pub up: Vec2,
    /// The acceleration of falling bodies, in units/s².
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "[f32; 2]"))]
    pub gravity: Vec2,
    /// The number of frames to simulate.
    #[serde(default = "frames")]
    pub frames: u32,
    /// The number of frames per second.
    #[serde(default = "rate")]
    pub rate: f32,
    /// The part of the world to draw; everything if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<Bounds>,
    /// The names of the layers, at most 64.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<String>,
    /// The rules that decide which hitboxes strike which hurtboxes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub strikes: StrikeRules,
    /// The sprite sheets, by the names that bodies use for them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sheets: BTreeMap<String, Sheet>,
    /// All bodies.
    pub bodies: Vec<SceneBody>,
}

/// A rectangle of the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(rename = "Area"))]
pub struct Bounds {
    /// The minimum corner.
    #[cfg_attr(test, schemars(with = "[f32; 2]"))]
    pub min: Vec2,
    /// The maximum corner.
    #[cfg_attr(test, schemars(with = "[f32; 2]"))]
    pub max: Vec2,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            schema: None,
            carom: VERSION,
            about: String::new(),
            up: up(),
            gravity: Vec2::ZERO,
            frames: frames(),
            rate: rate(),
            view: None,
            layers: Vec::new(),
            strikes: StrikeRules::default(),
            sheets: BTreeMap::new(),
            bodies: Vec::new(),
        }
    }
}

impl Scene {
    /// The maximum number of frames to simulate, four and a half hours at 60 frames per second: the events
    /// and trajectories of all frames are kept in memory.
    pub const MAX_FRAMES: u32 = 1_000_000;

    /// Reads a scene from a file.
    ///
    /// # Errors
    /// Returns all errors in the file, with their positions.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, FileError> {
        json::load(path.as_ref(), Self::from_json)
    }

    /// Reads a scene from JSON.
    ///
    /// # Errors
    /// Returns all errors in the text, with their positions.
    pub fn from_json(text: &str) -> Result<Self, Diagnostics> {
        json::parse(text, json::scene_schema(), Self::validate)
    }

    /// Returns the scene as indented JSON. [`Scene::from_json`] reads it back to an equal scene.
    pub fn to_json(&self) -> String {
        json::to_pretty(&serde_json::to_string(self).expect("scenes have only string keys"))
    }

    /// Writes the scene to a file, which is replaced atomically.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> io::Result<()> {
        json::write_atomically(path.as_ref(), self.to_json().as_bytes())
    }
}

impl Bounds {
    /// Returns the rectangle as a box.
    ///
    /// # Errors
    /// Returns an error if the corners are in the wrong order or not finite.
    pub fn aabb(&self) -> Result<Aabb, ShapeError> {
        Aabb::try_new(self.min, self.max)
    }
}

fn up() -> Vec2 {
    Vec2::Y
}

fn frames() -> u32 {
    240
}

fn rate() -> f32 {
    60.0
}

/// Returns `true` if a value is the default, which is not written.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
