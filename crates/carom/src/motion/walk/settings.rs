//! The settings of a walker and its state from frame to frame.

use crate::math::{DVec2, Vec2, sqrt, try_normalize};
use crate::shape::Cell;
use crate::world::{BodyKey, ColliderKey};

/// How a body walks: settings that many can share. Lengths are in the units of the world.
///
/// ```
/// use carom::prelude::*;
/// // A hero 16 pixels wide on a screen where y points down.
/// let hero = Walker::new().up([0.0, -1.0]).step(4.0).snap(6.0).corner(3.0).pixel(1.0);
/// assert_eq!(hero.up, Vec2::new(0.0, -1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Walker {
    /// Away from the ground; any length. (0, 1) unless set.
    pub up: Vec2,
    /// How steep a floor may be, in radians; what is steeper is a wall, and what hangs over as far
    /// the other way is a ceiling. 46° unless set: 45° and some room for rounding.
    pub max_slope: f32,
    /// How far below its feet a walker looks for the floor it has left, so that it stays on the
    /// ground over bumps and down steps. 0.1 unless set; 0 lets it leave the ground at every chance.
    pub snap: f32,
    /// How high a step it goes up without a jump. 0 unless set.
    pub step: f32,
    /// By how much it is put aside in a jump to pass the corner of a ceiling. 0 unless set.
    pub corner: f32,
    /// Whether it goes up and down slopes as fast as on the level; else its level speed stays the
    /// same, and slopes are taken the faster the steeper they are. True unless set.
    pub constant_speed: bool,
    /// For games on whole pixels: it goes whole multiples of this only, and what is left over is
    /// kept for the next frame. 0, unless set, is off. Slopes and odd obstacles still lead off the grid.
    pub pixel: f32,
}

impl Walker {
    /// With the defaults.
    pub fn new() -> Self {
        Self {
            up: Vec2::Y,
            max_slope: 46f32.to_radians(),
            snap: 0.1,
            step: 0.0,
            corner: 0.0,
            constant_speed: true,
            pixel: 0.0,
        }
    }

    /// With another way up.
    #[must_use]
    pub fn up(self, up: impl Into<Vec2>) -> Self {
        Self { up: up.into(), ..self }
    }

    /// On floors up to an angle, in radians.
    #[must_use]
    pub fn max_slope(self, max_slope: f32) -> Self {
        Self { max_slope, ..self }
    }

    /// Keeping to floors as far below.
    #[must_use]
    pub fn snap(self, snap: f32) -> Self {
        Self { snap, ..self }
    }

    /// Up steps as high.
    #[must_use]
    pub fn step(self, step: f32) -> Self {
        Self { step, ..self }
    }

    /// Put aside by as much to pass the corner of a ceiling.
    #[must_use]
    pub fn corner(self, corner: f32) -> Self {
        Self { corner, ..self }
    }

    /// With the same level speed on slopes.
    #[must_use]
    pub fn level_speed(self) -> Self {
        Self { constant_speed: false, ..self }
    }

    /// On whole pixels of a size.
    #[must_use]
    pub fn pixel(self, pixel: f32) -> Self {
        Self { pixel, ..self }
    }
}

impl Default for Walker {
    fn default() -> Self {
        Self::new()
    }
}

/// What a walker stands on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Floor {
    /// The body that it belongs to.
    pub body: BodyKey,
    /// The collider.
    pub collider: ColliderKey,
    /// Which tile, if the collider is a tile map.
    pub tile: Option<Cell>,
    /// Unit vector out of the floor.
    pub normal: Vec2,
    /// How steep it is, in radians.
    pub angle: f32,
}

/// What a walker remembers from frame to frame. It is part of the game's state: copy it with your
/// snapshots.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WalkerState {
    /// What it stands on; `None` in the air.
    pub floor: Option<Floor>,
    /// How many frames ago it stood on a floor: 0 while it does. More than can be counted if never.
    pub frames_in_air: u32,
    /// What is left over of motions by whole pixels.
    pub remainder: Vec2,
    /// Whether it is about to drop through the platform it stands on.
    pub drops: bool,
}

impl WalkerState {
    /// In the air, as if for ever.
    pub fn new() -> Self {
        Self { frames_in_air: u32::MAX, ..Self::default() }
    }

    /// Whether it stands on a floor.
    pub fn on_floor(&self) -> bool {
        self.floor.is_some()
    }

    /// Whether it stands on a floor or did no more than some frames ago: players who press jump
    /// just after the edge of a platform meant to jump from it.
    ///
    /// ```
    /// # use carom::prelude::*;
    /// let mut state = WalkerState::new();
    /// assert!(!state.was_on_floor(6));
    /// state.frames_in_air = 5;
    /// assert!(state.was_on_floor(6) && !state.was_on_floor(4));
    /// ```
    pub fn was_on_floor(&self, frames: u32) -> bool {
        self.frames_in_air <= frames
    }

    /// Whether it stands on a body: such a one moves with it, see
    /// [`World::carry`](crate::world::World::carry).
    pub fn stands_on(&self, body: BodyKey) -> bool {
        self.floor.is_some_and(|floor| floor.body == body)
    }

    /// Lets it drop through the platform that it stands on, with the next walk. Solid floors hold.
    pub fn drop_through(&mut self) {
        self.drops = true;
    }

    /// In the air from now on: for jumps whose first frame does not rise, and for being thrown.
    pub fn leave_floor(&mut self) {
        self.floor = None;
        self.frames_in_air = self.frames_in_air.max(1);
    }
}

/// The numbers that a walk works with, derived from the settings.
#[derive(Clone, Copy, Debug)]
pub(super) struct WalkParams {
    pub up: DVec2,
    /// The least rise of a floor's normal: the cosine of the steepest slope.
    pub least_rise: f64,
    /// How far the steepest floor falls on a level distance of 1.
    pub steepest: f64,
    pub snap: f64,
    pub step: f64,
    pub corner: f64,
}

impl WalkParams {
    pub fn new(walker: &Walker) -> Self {
        let up = Some(walker.up.as_dvec2()).filter(|up| up.is_finite()).and_then(try_normalize);
        let least_rise = libm::cos(clamp_setting(walker.max_slope, 1.57));
        let [snap, step, corner] =
            [walker.snap, walker.step, walker.corner].map(|length| clamp_setting(length, 1e30));
        let steepest = sqrt(1.0 - least_rise * least_rise) / least_rise;
        Self { up: up.unwrap_or(DVec2::Y), least_rise, steepest, snap, step, corner }
    }
}

/// Clamps a setting to 0..=`max`; 0 if it is not a number.
fn clamp_setting(setting: f32, max: f64) -> f64 {
    if setting > 0.0 { f64::from(setting).min(max) } else { 0.0 }
}
