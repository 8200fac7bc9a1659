//! Bodies and colliders of a scene.

use carom::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Crowd, Motion, Sight, is_default};
use crate::form::{RoleForm, ShapeForm};

/// A body, its colliders and its motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SceneBody {
    /// What it is called, once in a scene.
    pub name: String,
    /// Whether it hardly ever moves.
    #[serde(default, skip_serializing_if = "is_default")]
    pub fixed: bool,
    /// Where it is.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(with = "[f32; 2]")]
    pub position: Vec2,
    /// How it is turned, in radians.
    #[serde(default, skip_serializing_if = "is_default")]
    pub angle: f32,
    /// How it is scaled.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub scale: f32,
    /// Whether it takes no part: it touches nothing, and nothing finds it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub disabled: bool,
    /// Whether it cannot be seen.
    #[serde(default, skip_serializing_if = "is_default")]
    pub hidden: bool,
    /// Whose side it is on; 0 is nobody's.
    #[serde(default, skip_serializing_if = "is_default")]
    pub team: u32,
    /// Whatever the game wants to know it by.
    #[serde(default, skip_serializing_if = "is_default")]
    pub user_data: u64,
    /// Whether the first that touches it on foot, or in a maze, takes it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pick_up: bool,
    /// What it is made of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub colliders: Vec<SceneCollider>,
    /// The sheet and the animation that it plays, as `sheet/animation`, or `sheet/frame`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plays: Option<String>,
    /// The phase of the frame that it shows: how many steps it is turned.
    #[serde(default, skip_serializing_if = "is_default")]
    pub phase: u32,
    /// Whether its boxes are mirrored from left to right.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mirrored: bool,
    /// Whether its boxes are upside down.
    #[serde(default, skip_serializing_if = "is_default")]
    pub upside_down: bool,
    /// What it looks along, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sight: Option<Sight>,
    /// Whether there are several of it: [`Scene::scattered`](super::Scene::scattered) makes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crowd: Option<Crowd>,
    /// How it moves, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<Motion>,
}

/// A collider of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SceneCollider {
    /// Its shape, relative to the body.
    #[schemars(with = "ShapeForm")]
    pub shape: Shape,
    /// The layer that it is on, if not the default one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// The layers that it pays attention to, if not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hits: Option<Vec<String>>,
    /// What it is there for; it is solid unless given.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(with = "Option<RoleForm>")]
    pub role: Role,
    /// Whether it takes no part.
    #[serde(default, skip_serializing_if = "is_default")]
    pub disabled: bool,
    /// A number that tells the colliders of a body apart.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tag: u32,
    /// Whatever the game wants to know it by.
    #[serde(default, skip_serializing_if = "is_default")]
    pub user_data: u64,
    /// For what lets everything through but what comes from here.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<[f32; 2]>")]
    pub one_way: Option<Vec2>,
}

impl SceneBody {
    /// A body that moves, with nothing to it yet.
    pub fn moving(name: impl Into<String>, position: impl Into<Vec2>) -> Self {
        Self {
            name: name.into(),
            fixed: false,
            position: position.into(),
            angle: 0.0,
            scale: one(),
            disabled: false,
            hidden: false,
            team: 0,
            user_data: 0,
            pick_up: false,
            colliders: Vec::new(),
            plays: None,
            phase: 0,
            mirrored: false,
            upside_down: false,
            sight: None,
            crowd: None,
            motion: None,
        }
    }

    /// A body that hardly ever moves, with nothing to it yet.
    pub fn fixed(name: impl Into<String>, position: impl Into<Vec2>) -> Self {
        Self { fixed: true, ..Self::moving(name, position) }
    }

    /// The same body and a collider.
    #[must_use]
    pub fn with(mut self, collider: SceneCollider) -> Self {
        self.colliders.push(collider);
        self
    }

    pub(super) fn body(&self) -> Body {
        let body = if self.fixed { Body::fixed } else { Body::moving };
        let body = body(self.position).with_pose(self.pose());
        let body = body.with_team(self.team).with_user_data(self.user_data);
        Body { enabled: !self.disabled, visible: !self.hidden, ..body }
    }

    /// Where it is, how it is turned and scaled.
    pub(super) fn pose(&self) -> Pose {
        Pose::new(self.position, self.angle).with_scale(self.scale)
    }

    /// The sheet that it plays, and the animation or frame of it.
    pub fn playing(&self) -> Option<(&str, &str)> {
        self.plays.as_deref().map(|plays| plays.split_once('/').unwrap_or((plays, "")))
    }
}

impl SceneCollider {
    /// A collider on the default layer that pays attention to all layers.
    pub fn new(role: Role, shape: impl Into<Shape>) -> Self {
        Self {
            shape: shape.into(),
            layer: None,
            hits: None,
            role,
            disabled: false,
            tag: 0,
            user_data: 0,
            one_way: None,
        }
    }

    pub(super) fn collider(&self) -> Collider {
        let collider = Collider::new(self.shape.clone()).with_role(self.role);
        let mut collider = collider.with_tag(self.tag).with_user_data(self.user_data);
        if self.disabled {
            collider = collider.disabled();
        }
        if let Some(layer) = &self.layer {
            collider = collider.on_layer(layer.as_str());
        }
        if let Some(hits) = &self.hits {
            let hits: Vec<&str> = hits.iter().map(String::as_str).collect();
            collider = collider.with_mask(hits.as_slice());
        }
        match self.one_way {
            Some(up) => collider.one_way(up),
            None => collider,
        }
    }
}

fn one() -> f32 {
    1.0
}

fn is_one(scale: &f32) -> bool {
    *scale == one()
}
