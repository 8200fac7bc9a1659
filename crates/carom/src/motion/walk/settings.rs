//! The settings of a walker and its state from frame to frame.

use crate::math::{DVec2, IntoVec2, Vec2, sqrt, try_normalize};
use crate::shape::Cell;
use crate::world::{BodyKey, ColliderKey};

/// The settings of a character controller, which many characters can share. Lengths are in world units.
///
/// A setting that is negative or NaN counts as 0, and an `up` without a direction as (0, 1).
///
/// ```
/// use carom::prelude::*;
/// // A hero 16 pixels wide on a screen where y points down.
/// let hero = Walker::new()
///     .up([0.0, -1.0])
///     .max_step_height(4.0)
///     .snap_distance(6.0)
///     .corner_correction(3.0)
///     .pixel_size(1.0);
/// assert_eq!(hero.up, Vec2::new(0.0, -1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
#[doc(alias = "CharacterController")]
#[doc(alias = "CharacterBody2D")]
pub struct Walker {
    /// The direction away from the ground, of any length. (0, 1) by default.
    pub up: Vec2,
    /// The angle of the steepest floor, in radians. A steeper surface is a wall, and a surface that overhangs
    /// as much as a floor rises is a ceiling. 46° by default: 45° and some room for rounding.
    #[doc(alias = "floor_max_angle")]
    pub max_slope_angle: f32,
    /// The distance below its feet within which a walker finds the floor again that falls away under it, so
    /// that it stays on the ground over bumps and down steps. 0.1 by default. With 0 the walker leaves the
    /// ground wherever the ground falls away, even by a little.
    #[doc(alias = "floor_snap_length")]
    pub snap_distance: f32,
    /// The height of the highest step that a walker climbs without a jump. 0 by default.
    ///
    /// A round walker of radius `r` also climbs edges that are higher by up to
    /// `r * (1 - cos(max_slope_angle))`, even if this setting is 0: where the edge touches the round foot, it
    /// is no steeper than a slope that the walker may walk on.
    #[doc(alias = "autostep")]
    pub max_step_height: f32,
    /// The distance by which a jump may be moved aside to pass the corner of a ceiling. 0 by default. The
    /// shorter of both corrections is made; one against the horizontal motion only if the other is not
    /// possible.
    #[doc(alias = "corner nudge")]
    pub corner_correction: f32,
    /// If `true`, the default, a walker is as fast along slopes as on level ground. If `false`, its
    /// horizontal speed stays the same, so that it is faster along steeper slopes.
    #[doc(alias = "floor_constant_speed")]
    pub constant_speed: bool,
    /// The size of a pixel, for games on whole pixels: a walker moves by multiples of this, and the rest of
    /// the motion is kept for the next frame. 0, the default, turns this off. Slopes, and obstacles that
    /// are not on the grid, still lead off the grid.
    pub pixel_size: f32,
    /// The largest total [weight](crate::world::Body::weight) of the [pushable](crate::world::Body::pushable)
    /// bodies that it pushes ahead. It pushes everything by default, and nothing with 0.
    pub push_limit: u32,
}

impl Walker {
    /// Creates the default settings.
    pub fn new() -> Self {
        Self {
            up: Vec2::Y,
            max_slope_angle: 46f32.to_radians(),
            snap_distance: 0.1,
            max_step_height: 0.0,
            corner_correction: 0.0,
            constant_speed: true,
            pixel_size: 0.0,
            push_limit: u32::MAX,
        }
    }

    /// Sets the direction away from the ground.
    #[must_use]
    pub fn up(self, up: impl IntoVec2) -> Self {
        Self { up: up.into_vec2(), ..self }
    }

    /// Sets the angle of the steepest floor, in radians.
    #[must_use]
    pub fn max_slope_angle(self, max_slope_angle: f32) -> Self {
        Self { max_slope_angle, ..self }
    }

    /// Sets the distance below its feet within which a walker finds a floor that falls away under it.
    #[must_use]
    pub fn snap_distance(self, snap_distance: f32) -> Self {
        Self { snap_distance, ..self }
    }

    /// Sets the height of the highest step that a walker climbs without a jump.
    #[must_use]
    pub fn max_step_height(self, max_step_height: f32) -> Self {
        Self { max_step_height, ..self }
    }

    /// Sets the distance by which a jump may be moved aside to pass the corner of a ceiling.
    #[must_use]
    pub fn corner_correction(self, corner_correction: f32) -> Self {
        Self { corner_correction, ..self }
    }

    /// Keeps the horizontal speed on slopes constant, instead of the speed along them.
    #[must_use]
    pub fn level_speed(self) -> Self {
        Self { constant_speed: false, ..self }
    }

    /// Sets the largest total weight that it pushes ahead.
    #[must_use]
    pub fn push_limit(self, push_limit: u32) -> Self {
        Self { push_limit, ..self }
    }

    /// Sets the size of a pixel, for games on whole pixels.
    #[must_use]
    pub fn pixel_size(self, pixel_size: f32) -> Self {
        Self { pixel_size, ..self }
    }
}

impl Default for Walker {
    fn default() -> Self {
        Self::new()
    }
}

/// The floor that a walker stands on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Floor {
    /// The body that the floor belongs to.
    pub body: BodyKey,
    /// The collider of that body.
    pub collider: ColliderKey,
    /// The tile, if the collider is a tile map.
    pub tile: Option<Cell>,
    /// The unit vector out of the floor. Under a round foot on an edge it points from the edge to the center
    /// of the foot.
    pub normal: Vec2,
    /// The angle between the floor and level ground, in radians.
    pub angle: f32,
}

/// The state of one walker from frame to frame. It is part of the game's state: save it with your
/// snapshots.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WalkerState {
    /// The floor that the walker stands on; `None` in the air.
    pub floor: Option<Floor>,
    /// The number of frames since the walker stood on a floor, for coyote time: 0 while it stands on one,
    /// and counted up after it has walked off. `u32::MAX` after a jump or any other motion that rises, and if
    /// the walker never stood on a floor.
    pub frames_in_air: u32,
    /// The number of frames since a jump was [requested](Self::request_jump); `u32::MAX` if there is no
    /// request.
    pub frames_since_jump_request: u32,
    /// Is `true` from a [`jump`](Self::jump) until the landing. Use it to cut a jump short when the key is
    /// released.
    pub is_jumping: bool,
    /// The part of the past motions that is not a whole pixel yet; see [`Walker::pixel_size`].
    pub remainder: Vec2,
    /// Is `true` if the next walk drops through the one-way platform that the walker stands on.
    pub drop_requested: bool,
}

impl WalkerState {
    /// Creates the state of a walker in the air that has never stood on a floor.
    pub fn new() -> Self {
        Self {
            floor: None,
            frames_in_air: u32::MAX,
            frames_since_jump_request: u32::MAX,
            is_jumping: false,
            remainder: Vec2::ZERO,
            drop_requested: false,
        }
    }

    /// Returns `true` if the walker stands on a floor.
    pub fn on_floor(&self) -> bool {
        self.floor.is_some()
    }

    /// Returns `true` if the walker stands on a floor or walked off one no more than `frames` frames ago
    /// (coyote time). Players who press jump just after the edge of a platform meant to jump from it.
    ///
    /// A motion that rises ends the coyote time, so a walker cannot jump twice.
    ///
    /// ```
    /// # use carom::prelude::*;
    /// let mut state = WalkerState::new();
    /// assert!(!state.was_on_floor(6));
    /// state.frames_in_air = 5;
    /// assert!(state.was_on_floor(6) && !state.was_on_floor(4));
    /// ```
    #[doc(alias = "coyote time")]
    pub fn was_on_floor(&self, frames: u32) -> bool {
        self.frames_in_air <= frames
    }

    /// Returns `true` if the walker stands on a body. [`World::carry`](crate::world::World::carry) takes it
    /// along with that body.
    pub fn stands_on(&self, body: BodyKey) -> bool {
        self.floor.is_some_and(|floor| floor.body == body)
    }

    /// Requests a jump. Call this in the frame in which the key is pressed; [`jump`](Self::jump) decides
    /// when the walker jumps.
    #[doc(alias = "jump buffering")]
    pub fn request_jump(&mut self) {
        self.frames_since_jump_request = 0;
    }

    /// Starts a jump if one has been requested and the walker may jump. Returns `true` if it does. Call this
    /// once per frame, before the walk, and set the velocity if it returns `true`.
    ///
    /// The walker may jump from a floor and during the coyote time. The request and the coyote time are
    /// used up: neither leads to a second jump.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let ground = world.add_body(Body::fixed([0.0, 0.0]))?;
    /// world.add_collider(ground, Collider::new(Aabb::new([-9.0, -1.0], [9.0, 0.0])))?;
    /// let hero = world.add_body(Body::moving([0.0, 0.5]))?;
    /// world.add_collider(hero, Collider::new(Aabb::new([-0.5, 0.0], [0.5, 1.0])))?;
    ///
    /// let (walker, grace) = (Walker::new(), JumpGrace::seconds(0.1, 0.1, 60.0));
    /// let mut state = WalkerState::new();
    /// let mut velocity = Vec2::new(0.0, -6.0);
    /// let mut jumps = 0;
    /// for frame in 0..30 {
    ///     if frame == 2 || frame == 9 {
    ///         state.request_jump(); // shortly before it lands, and in the air
    ///     }
    ///     velocity.y -= 20.0 / 60.0;
    ///     if state.jump(grace) {
    ///         velocity.y = 8.0;
    ///         jumps += 1;
    ///     }
    ///     let walk = world.walk(hero, &walker, &mut state, velocity / 60.0)?;
    ///     velocity = walk.velocity(velocity);
    /// }
    /// assert_eq!(jumps, 1);
    /// # Ok::<(), WorldError>(())
    /// ```
    #[doc(alias = "coyote time")]
    #[doc(alias = "jump buffer")]
    pub fn jump(&mut self, grace: JumpGrace) -> bool {
        self.was_on_floor(grace.coyote_frames) && self.air_jump(grace)
    }

    /// Starts a jump if one has been requested, with or without a floor. Returns `true` if it does. Call this
    /// where the game lets a walker jump without a floor: off a wall, in water, from a ladder, or for a double
    /// jump.
    ///
    /// ```
    /// # use carom::prelude::*;
    /// # let (mut state, grace, mut air_jumps) = (WalkerState::new(), JumpGrace::frames(6, 6), 1);
    /// state.request_jump();
    /// if state.jump(grace) {
    ///     air_jumps = 1;
    /// } else if air_jumps > 0 && state.air_jump(grace) {
    ///     air_jumps -= 1; // a double jump
    /// }
    /// assert!(state.is_jumping && air_jumps == 0);
    /// assert!(!state.air_jump(grace)); // the request is used up
    /// ```
    #[doc(alias = "double jump")]
    pub fn air_jump(&mut self, grace: JumpGrace) -> bool {
        let is_requested = self.frames_since_jump_request <= grace.buffer_frames;
        if is_requested {
            self.leave_floor();
            self.frames_since_jump_request = u32::MAX;
            self.is_jumping = true;
        }
        is_requested
    }

    /// Requests that the next walk drops through the one-way platform that the walker stands on. Solid floors
    /// still hold it.
    pub fn drop_through(&mut self) {
        self.drop_requested = true;
    }

    /// Takes the walker off the floor without coyote time, for example if it is thrown or begins to fly. Ends
    /// a jump.
    pub fn leave_floor(&mut self) {
        self.floor = None;
        self.frames_in_air = u32::MAX;
        self.is_jumping = false;
    }

    /// Counts a frame that ended on a floor or in the air.
    pub(super) fn end_frame(&mut self, floor: Option<Floor>, is_rising: bool) {
        self.floor = floor;
        self.frames_in_air = match floor {
            Some(_) => 0,
            None if is_rising => u32::MAX,
            None => self.frames_in_air.saturating_add(1),
        };
        self.is_jumping &= floor.is_none();
        self.frames_since_jump_request = self.frames_since_jump_request.saturating_add(1);
    }
}

impl Default for WalkerState {
    fn default() -> Self {
        Self::new()
    }
}

/// The tolerances in time for a jump, in frames: coyote time and jump buffering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JumpGrace {
    /// The coyote time: a walker may jump up to this many frames after it has walked off a floor.
    pub coyote_frames: u32,
    /// The jump buffer: a request is kept for up to this many frames, until the walker lands.
    pub buffer_frames: u32,
}

impl JumpGrace {
    /// Creates the settings from numbers of frames.
    pub const fn frames(coyote: u32, buffer: u32) -> Self {
        Self { coyote_frames: coyote, buffer_frames: buffer }
    }

    /// Creates the settings from times in seconds, for a game that walks `rate` times per second. Times
    /// are rounded to whole frames; negative ones and NaN count as 0.
    ///
    /// ```
    /// # use carom::prelude::*;
    /// assert_eq!(JumpGrace::seconds(0.1, 0.15, 60.0), JumpGrace::frames(6, 9));
    /// ```
    pub fn seconds(coyote: f32, buffer: f32, rate: f32) -> Self {
        let frames = |seconds: f32| libm::round(f64::from(seconds) * f64::from(rate)) as u32;
        Self::frames(frames(coyote), frames(buffer))
    }
}

/// The numbers that a walk works with, derived from the settings.
#[derive(Clone, Copy, Debug)]
pub(super) struct WalkParams {
    pub up: DVec2,
    /// The least rise of a floor's normal: the cosine of the steepest slope.
    pub least_rise: f64,
    /// The distance by which the steepest floor falls on a level distance of 1.
    pub steepest: f64,
    pub snap: f64,
    pub step: f64,
    pub corner: f64,
}

impl WalkParams {
    pub fn new(walker: &Walker) -> Self {
        let up = Some(walker.up.as_dvec2()).filter(|up| up.is_finite()).and_then(try_normalize);
        let least_rise = libm::cos(clamp_setting(walker.max_slope_angle, 1.57));
        let [snap, step, corner] =
            [walker.snap_distance, walker.max_step_height, walker.corner_correction]
                .map(|length| clamp_setting(length, 1e30));
        let steepest = sqrt(1.0 - least_rise * least_rise) / least_rise;
        Self { up: up.unwrap_or(DVec2::Y), least_rise, steepest, snap, step, corner }
    }
}

/// Clamps a setting to 0..=`max`; 0 if it is not a number.
fn clamp_setting(setting: f32, max: f64) -> f64 {
    if setting > 0.0 { f64::from(setting).min(max) } else { 0.0 }
}
