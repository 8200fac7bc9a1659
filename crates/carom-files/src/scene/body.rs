//! The bodies of a scene: colliders, lines of sight and crowds.

use std::f32::consts::TAU;

use carom::math::IntoVec2;
use carom::prelude::*;
use carom::shape::repr::Names;
use carom::sheet::Role;
use carom::world::LayerNames;
use serde::{Deserialize, Serialize};

use super::motion::TravelMotion;
use super::validator::Validator;
use super::{Bounds, Motion, Scene, is_default};

/// The maximum number of bodies in a crowd.
const MAX_CROWD: u32 = 100_000;

/// A body with its colliders and its motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SceneBody {
    /// The name, unique in the scene.
    pub name: String,
    /// `true` if the body is fixed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub fixed: bool,
    /// The position.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, schemars(with = "[f32; 2]"))]
    pub position: Vec2,
    /// The rotation, in radians.
    #[serde(default, skip_serializing_if = "is_default")]
    pub angle: f32,
    /// The scale.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub scale: f32,
    /// `true` if the body is disabled: it touches nothing, and no query finds it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub disabled: bool,
    /// `true` if the body is invisible.
    #[serde(default, skip_serializing_if = "is_default")]
    pub hidden: bool,
    /// `true` if bodies that walk, and those that travel with the response `push`, push the body ahead.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pushable: bool,
    /// The weight of a pushable body, which counts towards the `push_limit` of the body that pushes it.
    #[serde(default = "one_weight", skip_serializing_if = "is_one_weight")]
    pub weight: u16,
    /// `true` if the body also touches the sensors, hurtboxes and items that it passes within a frame.
    #[serde(default, skip_serializing_if = "is_default")]
    pub swept: bool,
    /// The number of the team; bodies of team 0 are in no team.
    #[serde(default, skip_serializing_if = "is_default")]
    pub team: u32,
    /// A number for the game's own use.
    #[serde(default, skip_serializing_if = "is_default")]
    pub user_data: u64,
    /// `true` if the first body that touches this one while walking, or in a maze, picks it up.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pick_up: bool,
    /// The colliders.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub colliders: Vec<SceneCollider>,
    /// The animation or frame that the body plays, as `sheet/animation` or `sheet/frame`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plays: Option<String>,
    /// The direction in which the frame is shown, as an index into the directions of the sheet.
    #[serde(default, skip_serializing_if = "is_default")]
    pub phase: u32,
    /// `true` if the boxes of the frame are flipped horizontally.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mirrored: bool,
    /// `true` if the boxes of the frame are flipped vertically.
    #[serde(default, skip_serializing_if = "is_default")]
    pub upside_down: bool,
    /// The line of sight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sight: Option<LineOfSight>,
    /// Replaces the body by copies at random positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crowd: Option<Crowd>,
    /// The motion; the body stands still without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<Motion>,
}

/// A collider of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SceneCollider {
    /// The shape, relative to the body.
    pub shape: Shape,
    /// The layer, or a list of layers; the default layer if left out.
    #[serde(rename = "layer", skip_serializing_if = "Option::is_none")]
    pub layers: Option<Names>,
    /// The layers that the collider interacts with (its mask); all if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hits: Option<Vec<String>>,
    /// The role; `solid` if left out.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, schemars(with = "Option<Role>"))]
    pub role: Role,
    /// `true` if the collider is disabled.
    #[serde(default, skip_serializing_if = "is_default")]
    pub disabled: bool,
    /// A number that distinguishes the colliders of a body.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tag: u32,
    /// A number for the game's own use.
    #[serde(default, skip_serializing_if = "is_default")]
    pub user_data: u64,
    /// The side from which the collider blocks bodies, as a direction; all sides if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<[f32; 2]>"))]
    pub one_way: Option<Vec2>,
}

/// A ray from the position of a body that rotates with it. The body sees the first collider on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(rename = "Sight"))]
pub struct LineOfSight {
    /// The direction, relative to the body.
    #[cfg_attr(test, schemars(with = "[f32; 2]"))]
    pub direction: Vec2,
    /// The length.
    pub reach: f32,
    /// The layers of colliders that the body sees or that block its view; all if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layers: Option<Vec<String>>,
}

/// Copies of a body at random positions. Copies that travel do so in random directions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Crowd {
    /// The number of copies, at most 100,000.
    pub count: u32,
    /// The bounds of their positions.
    pub within: Bounds,
}

impl SceneBody {
    /// Creates a moving body without colliders.
    pub fn moving(name: impl Into<String>, position: impl IntoVec2) -> Self {
        Self {
            name: name.into(),
            fixed: false,
            position: position.into_vec2(),
            angle: 0.0,
            scale: one(),
            disabled: false,
            hidden: false,
            pushable: false,
            weight: one_weight(),
            swept: false,
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

    /// Creates a fixed body without colliders.
    pub fn fixed(name: impl Into<String>, position: impl IntoVec2) -> Self {
        Self { fixed: true, ..Self::moving(name, position) }
    }

    /// Adds a collider.
    #[must_use]
    pub fn with(mut self, collider: SceneCollider) -> Self {
        self.colliders.push(collider);
        self
    }

    /// Returns the names of the sheet and of the animation or frame that the body plays.
    pub fn sheet_and_animation(&self) -> Option<(&str, &str)> {
        self.plays.as_deref().map(|plays| plays.split_once('/').unwrap_or((plays, "")))
    }

    pub(super) fn body(&self) -> Body {
        let body = if self.fixed { Body::fixed } else { Body::moving };
        let body = body(self.position).with_pose(self.pose());
        let mut body = body.with_team(self.team).with_user_data(self.user_data);
        (body.enabled, body.visible) = (!self.disabled, !self.hidden);
        (body.pushable, body.weight, body.swept) = (self.pushable, self.weight, self.swept);
        body
    }

    pub(super) fn pose(&self) -> Pose {
        Pose::new(self.position, self.angle).with_scale(self.scale)
    }

    /// Reports invalid values. `world` has the layers of the scene.
    pub(super) fn validate(&self, scene: &Scene, world: &World, at: &mut Validator<'_>) {
        at.check(Pose::try_new(self.position, self.angle, self.scale));
        for (i, collider) in self.colliders.iter().enumerate() {
            for layer in collider.layer_names() {
                at.field("colliders").index(i).check(world.layer(layer.as_str()));
            }
        }
        if self.fixed && self.pushable {
            at.field("pushable").error("a fixed body cannot be pushed");
        }
        if let Some(sight) = &self.sight {
            sight.validate(world, &mut at.field("sight"));
        }
        if let Some(crowd) = &self.crowd {
            crowd.validate(&mut at.field("crowd"));
        }
        if let Some(motion) = &self.motion {
            motion.validate(scene, self, world, at);
            if self.fixed {
                at.field("fixed").error("a fixed body cannot have a motion");
            }
        }
    }
}

impl SceneCollider {
    /// Creates a collider on the default layer that interacts with all layers.
    pub fn new(role: Role, shape: impl Into<Shape>) -> Self {
        Self {
            shape: shape.into(),
            layers: None,
            hits: None,
            role,
            disabled: false,
            tag: 0,
            user_data: 0,
            one_way: None,
        }
    }

    /// Returns the names of all layers that the collider mentions.
    pub(crate) fn layer_names(&self) -> impl Iterator<Item = &String> {
        let layers = self.layers.iter().flat_map(|Names(names)| names);
        layers.chain(self.hits.iter().flatten())
    }

    pub(super) fn collider(&self) -> Collider {
        let collider = Collider::new(self.shape.clone()).with_role(self.role);
        let mut collider = collider.with_tag(self.tag).with_user_data(self.user_data);
        if self.disabled {
            collider = collider.disabled();
        }
        if let Some(Names(names)) = &self.layers {
            collider = collider.on_layers(LayerNames::Names(names.clone()));
        }
        if let Some(hits) = &self.hits {
            collider = collider.with_mask(LayerNames::Names(hits.clone()));
        }
        match self.one_way {
            Some(up) => collider.one_way(up),
            None => collider,
        }
    }
}

impl LineOfSight {
    /// Returns the ray of a body with a pose.
    ///
    /// # Errors
    /// Returns an error if the direction is zero or the length is not valid.
    pub fn ray(&self, pose: &Pose) -> Result<Ray, ShapeError> {
        Ray::try_new(pose.position, pose.rotation.rotate(self.direction), self.reach)
    }

    /// Returns the layers of colliders that the body sees or that block its view.
    ///
    /// # Errors
    /// Returns an error for a name that no layer has.
    pub fn layers(&self, world: &World) -> Result<Layers, WorldError> {
        match &self.layers {
            None => Ok(Layers::ALL),
            Some(names) => names.iter().map(|name| world.layer(name.as_str())).collect(),
        }
    }

    fn validate(&self, world: &World, at: &mut Validator<'_>) {
        // A ray of length 1 can only be invalid because of its direction.
        if let Err(error) = Ray::try_new(Vec2::ZERO, self.direction, 1.0) {
            at.field("direction").error(error);
        } else {
            at.field("reach").check(self.ray(&Pose::IDENTITY));
        }
        at.field("layers").check(self.layers(world));
    }
}

impl Crowd {
    fn validate(&self, at: &mut Validator<'_>) {
        if self.count > MAX_CROWD {
            at.field("count").error(format_args!("{}; must be at most {MAX_CROWD}", self.count));
        }
        at.field("within").check(self.within.aabb());
    }

    /// Creates a copy of `body` at a random position.
    fn create_member(&self, body: &SceneBody, number: u32, random: &mut SplitMix64) -> SceneBody {
        let Bounds { min, max } = self.within;
        let position = min + (max - min) * Vec2::new(random.next(), random.next());
        let rotation = Rotation::from_angle(random.next() * TAU);
        let mut member = SceneBody { crowd: None, position, ..body.clone() };
        member.name = format!("{} {number}", body.name);
        if let Some(Motion::Travel(TravelMotion { velocity, .. })) = &mut member.motion {
            *velocity = rotation.rotate(*velocity);
        }
        member
    }
}

impl Scene {
    /// Returns the scene with each crowd replaced by its members, `name 1`, `name 2`, …, at positions
    /// that depend only on `seed`.
    #[must_use]
    pub fn expand_crowds(&self, seed: u64) -> Self {
        let mut random = SplitMix64(seed);
        let mut bodies = Vec::new();
        for body in &self.bodies {
            match &body.crowd {
                Some(crowd) => bodies.extend(
                    (1..=crowd.count.min(MAX_CROWD))
                        .map(|i| crowd.create_member(body, i, &mut random)),
                ),
                None => bodies.push(body.clone()),
            }
        }
        Self { bodies, ..self.clone() }
    }
}

/// The pseudorandom number generator SplitMix64.
struct SplitMix64(u64);

impl SplitMix64 {
    /// Returns a number from 0 inclusive to 1 exclusive.
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 40) as f32 / (1u32 << 24) as f32
    }
}

fn one() -> f32 {
    1.0
}

fn is_one(scale: &f32) -> bool {
    *scale == one()
}

fn one_weight() -> u16 {
    1
}

fn is_one_weight(weight: &u16) -> bool {
    *weight == one_weight()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_depends_only_on_the_seed_and_stays_within_its_bounds() {
        let scene = Scene::from_json(
            r#"{"carom": 1, "bodies": [{"name": "ball",
                "crowd": {"count": 30, "within": {"min": [2, 3], "max": [8, 4]}},
                "motion": {"type": "travel", "velocity": [5, 0], "response": "bounce"}}]}"#,
        );
        let scene = scene.unwrap();
        let crowd = scene.expand_crowds(7);
        assert_eq!(crowd, scene.expand_crowds(7));
        assert_ne!(crowd, scene.expand_crowds(8));
        assert_eq!((crowd.bodies.len(), crowd.bodies[29].name.as_str()), (30, "ball 30"));
        let area = Aabb::new([2.0, 3.0], [8.0, 4.0]);
        assert!(crowd.bodies.iter().all(|body| area.contains(&Point::new(body.position))));
        assert!(crowd.validate().is_empty());
    }
}
