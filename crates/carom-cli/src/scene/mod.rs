//! Scenes: a world, and what moves in it, as a file that people can write.

mod input;
mod motion;

use std::collections::BTreeMap;
use std::{fmt, fs, io};

use carom::prelude::*;
use carom::shape::form::Xy;
use serde::Deserialize;

pub use input::{Input, Script};
pub use motion::{Motion, PathEnd};

/// The version of the form that this program reads.
const VERSION: u32 = 1;

/// A scene as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a scene: an object with \"carom\" and \"bodies\"")]
pub struct Scene {
    /// The version of the form.
    carom: u32,
    /// What it shows, for people.
    #[serde(default)]
    pub about: String,
    /// Which way is up.
    #[serde(default = "up")]
    up: Xy,
    /// What falls falls by this, per second and second.
    #[serde(default = "zero")]
    gravity: Xy,
    /// How many frames it runs, and how many a second has.
    #[serde(default = "frames")]
    pub frames: u32,
    #[serde(default = "rate")]
    pub rate: f32,
    /// What the picture shows; all of it unless given.
    pub view: Option<Area>,
    #[serde(default)]
    pub layers: Vec<String>,
    #[serde(default)]
    pub sheets: BTreeMap<String, Sheet>,
    pub bodies: Vec<BodyForm>,
}

/// A part of the world.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Area {
    min: Xy,
    max: Xy,
}

/// A body, its colliders and its motion.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a body: an object with a \"name\"")]
pub struct BodyForm {
    pub name: String,
    /// Whether it hardly ever moves.
    #[serde(default)]
    pub fixed: bool,
    #[serde(default = "zero")]
    position: Xy,
    #[serde(default)]
    angle: f32,
    #[serde(default = "one")]
    scale: f32,
    #[serde(default)]
    pub team: u32,
    /// Whether the first walker that touches it takes it.
    #[serde(default)]
    pub pick_up: bool,
    #[serde(default)]
    pub colliders: Vec<ColliderForm>,
    /// The sheet and the animation that it plays, as `sheet/animation`, or `sheet/frame`.
    pub plays: Option<String>,
    /// Whether its boxes are mirrored from left to right.
    #[serde(default)]
    pub mirrored: bool,
    pub motion: Option<Motion>,
}

/// A collider of a body.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a collider: an object with a \"shape\"")]
pub struct ColliderForm {
    shape: Shape,
    layer: Option<String>,
    hits: Option<Vec<String>>,
    role: Option<Role>,
    one_way: Option<Xy>,
}

impl Scene {
    /// Reads a scene from a file, or from the standard input if the name is `-`.
    ///
    /// # Errors
    /// With all that is wrong with it, each with its place.
    pub fn read(path: &str) -> io::Result<Self> {
        let text =
            if path == "-" { io::read_to_string(io::stdin()) } else { fs::read_to_string(path) };
        let text =
            text.map_err(|error| io::Error::new(error.kind(), format!("{path}: {error}")))?;
        Self::parse(&text).map_err(|problems| {
            let message = problems.iter().map(|problem| format!("{path}: {problem}"));
            let message: Vec<String> = message.collect();
            io::Error::new(io::ErrorKind::InvalidData, message.join("\n"))
        })
    }

    /// Reads a scene.
    ///
    /// # Errors
    /// With all that is wrong with it.
    pub fn parse(text: &str) -> Result<Self, Vec<String>> {
        let scene: Self = serde_json::from_str(text).map_err(|error| vec![error.to_string()])?;
        let problems = scene.problems();
        if problems.is_empty() { Ok(scene) } else { Err(problems) }
    }

    /// Away from the ground.
    pub fn up(&self) -> Vec2 {
        self.up.0
    }

    /// What falls falls by this, per second and second.
    pub fn gravity(&self) -> Vec2 {
        self.gravity.0
    }

    /// What is wrong with it beyond its form.
    fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if self.carom != VERSION {
            let found = self.carom;
            problems.push(format!("carom is {found}; this program reads version {VERSION}"));
        }
        if !(self.rate > 0.0 && self.rate.is_finite()) {
            problems.push(format!("rate is {}; it must be above zero", self.rate));
        }
        if self.up() == Vec2::ZERO {
            problems.push("up is [0, 0]; it must have a direction".into());
        }
        if let Some(area) = &self.view
            && let Err(error) = Aabb::try_new(area.min, area.max)
        {
            problems.push(format!("view: {error}"));
        }
        for (i, body) in self.bodies.iter().enumerate() {
            let place = format!("bodies[{i}] ({})", body.name);
            if self.bodies[..i].iter().any(|other| other.name == body.name) {
                problems.push(format!("{place}: there is another body of this name"));
            }
            let motion = body.motion.iter().flat_map(Motion::problems);
            problems.extend(motion.map(|problem| format!("{place}: motion: {problem}")));
            if body.fixed && body.motion.is_some() {
                problems.push(format!("{place}: it is fixed, and has a motion"));
            }
        }
        problems
    }

    /// The world with all bodies in it, in the order in which they are written.
    ///
    /// # Errors
    /// With all that is wrong with the bodies.
    pub fn build(&self) -> Result<(World, Vec<BodyKey>), Vec<String>> {
        let mut world = World::new();
        let mut problems = Vec::new();
        for (i, layer) in self.layers.iter().enumerate() {
            let added = world.add_layer(layer).map(|_| ());
            note(&mut problems, &format!("layers[{i}]"), added);
        }
        let mut keys = Vec::new();
        for (i, body) in self.bodies.iter().enumerate() {
            let place = format!("bodies[{i}] ({})", body.name);
            match world.add_body(body.body()) {
                Ok(key) => keys.push(key),
                Err(error) => {
                    problems.push(format!("{place}: {error}"));
                    continue;
                }
            }
            for (j, collider) in body.colliders.iter().enumerate() {
                let key = keys[keys.len() - 1];
                let added = world.add_collider(key, collider.collider()).map(|_| ());
                note(&mut problems, &format!("{place}: colliders[{j}]"), added);
            }
        }
        if problems.is_empty() { Ok((world, keys)) } else { Err(problems) }
    }
}

fn note<E: fmt::Display>(problems: &mut Vec<String>, place: &str, done: Result<(), E>) {
    problems.extend(done.err().map(|error| format!("{place}: {error}")));
}

impl Area {
    /// As a box; a scene is checked for it being one.
    pub fn aabb(&self) -> Aabb {
        Aabb::new(self.min, self.max)
    }
}

impl BodyForm {
    fn body(&self) -> Body {
        let body = if self.fixed { Body::fixed } else { Body::moving };
        let pose = Pose::new(self.position, self.angle).scaled(self.scale);
        body(self.position.0).with_pose(pose).with_team(self.team)
    }
}

impl ColliderForm {
    fn collider(&self) -> Collider {
        let mut collider = Collider::new(self.shape.clone());
        if let Some(role) = self.role {
            collider = collider.with_role(role);
        }
        if let Some(layer) = &self.layer {
            collider = collider.on(layer.as_str());
        }
        if let Some(hits) = &self.hits {
            let hits: Vec<&str> = hits.iter().map(String::as_str).collect();
            collider = collider.hits(hits.as_slice());
        }
        match self.one_way {
            Some(up) => collider.one_way(up),
            None => collider,
        }
    }
}

fn up() -> Xy {
    Xy(Vec2::Y)
}

fn zero() -> Xy {
    Xy(Vec2::ZERO)
}

fn one() -> f32 {
    1.0
}

fn frames() -> u32 {
    240
}

fn rate() -> f32 {
    60.0
}
