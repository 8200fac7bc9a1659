//! Scenes: a world, and what moves in it, as a file that people can write.
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

mod body;
mod build;
mod crowd;
mod input;
mod maze;
mod motion;
mod sight;

pub use body::{SceneBody, SceneCollider};
pub use build::{Built, Unfit};
pub use crowd::Crowd;
pub use input::{Input, Script};
pub use motion::{Method, Motion, PathEnd, Reply};
pub use sight::Sight;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use carom::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::FileError;
use crate::form::{self, Problems, SheetForm, VERSION};

/// A scene as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Where the schema of this form is, for editors.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The version of the form: 1.
    pub carom: u32,
    /// What it shows, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Which way is up.
    #[serde(default = "up")]
    #[schemars(with = "[f32; 2]")]
    pub up: Vec2,
    /// What falls falls by this, per second and second.
    #[serde(default)]
    #[schemars(with = "[f32; 2]")]
    pub gravity: Vec2,
    /// How many frames it runs.
    #[serde(default = "frames")]
    pub frames: u32,
    /// How many frames a second has.
    #[serde(default = "rate")]
    pub rate: f32,
    /// What the picture shows; all of it unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<Area>,
    /// The names of the layers, 64 at most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<String>,
    /// What counts as a strike.
    #[serde(default, skip_serializing_if = "is_default")]
    pub strikes: Strikes,
    /// The boxes of sprites, by the names under which bodies play them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<String, SheetForm>")]
    pub sheets: BTreeMap<String, Sheet>,
    /// What is there.
    pub bodies: Vec<SceneBody>,
}

/// A part of the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// The corner with the least coordinates.
    #[schemars(with = "[f32; 2]")]
    pub min: Vec2,
    /// The corner with the greatest coordinates.
    #[schemars(with = "[f32; 2]")]
    pub max: Vec2,
}

/// What counts as a strike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Strikes {
    /// Whether bodies of one team strike each other.
    pub friendly_fire: bool,
    /// Whether hitboxes meet hitboxes, and clashes are told.
    pub clashes: bool,
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
            strikes: Strikes::default(),
            sheets: BTreeMap::new(),
            bodies: Vec::new(),
        }
    }
}

impl Scene {
    /// Reads a scene from a file.
    ///
    /// # Errors
    /// With all that is wrong with it, each with its place; nothing is half loaded.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, FileError> {
        form::load(path.as_ref(), Self::from_json)
    }

    /// Reads a scene.
    ///
    /// # Errors
    /// With all that is wrong with it, each with its place.
    pub fn from_json(text: &str) -> Result<Self, Problems> {
        form::read(text, form::scene_schema(), Self::faults)
    }

    /// The scene as text that people can read and edit; it reads back to the same.
    pub fn to_json(&self) -> String {
        form::readable(&serde_json::to_string(self).expect("all of it can be written"))
    }

    /// Writes the scene to a file, as a whole or not at all.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> io::Result<()> {
        form::replace(path.as_ref(), self.to_json().as_bytes())
    }
}

impl Area {
    /// As a box.
    ///
    /// # Errors
    /// Where the corners are not in order, or not finite.
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

/// Whether something has its default, which goes without saying.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
