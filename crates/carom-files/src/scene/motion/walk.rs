//! Bodies that walk and jump (a character controller with scripted input).

use carom::prelude::*;
use serde::{Deserialize, Serialize};

use crate::scene::simulation::{Action, Simulation};
use crate::scene::validator::Validator;
use crate::scene::{Input, InputScript, is_default};

/// The grace period of jumps: six frames after the body has left a floor (coyote time).
const JUMP_GRACE: JumpGrace = JumpGrace::frames(6, 0);

/// The settings of a body that walks and jumps, controlled by scripted input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(inline))]
pub struct WalkMotion {
    /// The walking speed, in units per second.
    pub speed: f32,
    /// The upward speed at the start of a jump.
    #[serde(default)]
    pub jump: f32,
    /// The keys that are pressed.
    #[serde(default)]
    pub input: InputScript,
    /// The settings of the walker; its up direction is that of the scene.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, schemars(with = "Option<WalkerSettings>"))]
    pub walker: WalkerSettings,
}

/// The settings of a [`Walker`], except its up direction, which is that of the scene. A setting that is left out
/// has the default of [`Walker::new`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(rename = "Walker"))]
pub struct WalkerSettings {
    /// The steepest slope that counts as a floor, in radians.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_slope: Option<f32>,
    /// Floor snapping: the distance below the feet within which the body returns to a floor that it has just left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snap: Option<f32>,
    /// The highest step that is climbed without a jump.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<f32>,
    /// Corner correction: the maximum distance by which a jump is moved sideways past a ceiling corner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corner: Option<f32>,
    /// `true` if the speed along slopes is the same as on level ground.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constant_speed: Option<bool>,
    /// The pixel size of a pixel-art game: moves are whole multiples of it. 0 turns this off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pixel: Option<f32>,
    /// The largest total weight of the pushable bodies that are pushed ahead; no limit if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub push_limit: Option<u32>,
}

impl WalkerSettings {
    /// Returns the walker with these settings and an up direction.
    pub fn walker(&self, up: Vec2) -> Walker {
        let default = Walker::new();
        Walker {
            up,
            max_slope_angle: self.max_slope.unwrap_or(default.max_slope_angle),
            snap_distance: self.snap.unwrap_or(default.snap_distance),
            max_step_height: self.step.unwrap_or(default.max_step_height),
            corner_correction: self.corner.unwrap_or(default.corner_correction),
            constant_speed: self.constant_speed.unwrap_or(default.constant_speed),
            pixel_size: self.pixel.unwrap_or(default.pixel_size),
            push_limit: self.push_limit.unwrap_or(default.push_limit),
        }
    }
}

impl WalkMotion {
    pub(super) fn validate(&self, at: &mut Validator<'_>) {
        at.field("speed").at_least(self.speed, 0.0);
        at.field("jump").at_least(self.jump, 0.0);
    }

    pub(super) fn step(&self, simulation: &mut Simulation<'_>, i: usize) -> Result<(), WorldError> {
        let (key, scene) = (simulation.bodies[i].key, simulation.scene);
        let walker = self.walker.walker(scene.up);
        let up = walker.up.normalize_or_zero();
        let Input { left, right, jump, drop, .. } = self.input.at(simulation.frame - 1);
        let mut state = simulation.bodies[i].walker;
        // The right direction on the screen, where y points down if the up direction does.
        let along = if up.y < 0.0 { up.perp() } else { -up.perp() };
        let rise = simulation.bodies[i].velocity.dot(up);
        let wanted = f32::from(i8::from(right) - i8::from(left)) * self.speed;
        let mut velocity = along * wanted + up * rise + scene.gravity / scene.rate;
        if jump {
            state.request_jump();
        }
        if state.jump(JUMP_GRACE) {
            velocity = along * wanted + up * self.jump;
            simulation.push_event(Action::Jumped, &[key]);
        }
        if drop {
            state.drop_through();
        }
        let walk = simulation.built.world.walk(key, &walker, &mut state, velocity / scene.rate)?;
        if let Some(pushed) = walk.pushed {
            simulation.push_event(Action::PushedBody, &[key, pushed]);
        }
        if walk.landed
            && let Some(floor) = &walk.floor
        {
            simulation.push_event(Action::Landed, &[key, floor.body]);
        }
        if let Some(ceiling) = &walk.ceiling {
            simulation.push_event(Action::HitCeiling, &[key, ceiling.body]);
        }
        simulation.bodies[i].velocity = walk.velocity(velocity);
        simulation.bodies[i].walker = state;
        Ok(())
    }
}
