//! What a walker remembers from frame to frame.

use crate::math::Vec2;
use crate::shape::Cell;
use crate::world::{BodyKey, ColliderKey};

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
