//! Bodies: things that have a place.

use crate::broad::Mobility;
use crate::error::ShapeError;
use crate::math::{Pose, Rotation, Vec2, to_vec2};
use crate::shape::validate;
use crate::world::storage::NONE;
use crate::world::{BodyKey, ColliderKey, World, WorldError};

/// A thing that has a place: a hero, a wall, a bullet. What it is made of are its
/// [`Collider`](crate::world::Collider)s, which go where it goes.
///
/// ```
/// use carom::prelude::*;
/// let mut world = World::new();
/// let hero = world.add_body(Body::moving([10.0, 2.0]).with_team(1).with_user_data(77))?;
/// let wall = world.add_body(Body::fixed([0.0, 0.0]))?;
/// assert_eq!(world.body(hero).unwrap().user_data, 77);
/// # Ok::<(), WorldError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Body {
    /// Where it is, how it is turned and scaled.
    pub pose: Pose,
    /// Whether it is expected to move. Two fixed bodies never touch each other.
    pub mobility: Mobility,
    /// Whether it takes part. A body that does not touches nothing and is found by no query.
    pub enabled: bool,
    /// Whether it is meant to be seen. Nothing here depends on it but
    /// [`Filter::visible`](crate::world::Filter::visible) and what gets drawn.
    pub visible: bool,
    /// Whose side it is on, where that matters: a hitbox does not strike its own side. Side 0 is
    /// nobody's.
    pub team: u32,
    /// Whatever the game wants to know it by.
    pub user_data: u64,
}

impl Body {
    /// A body that moves.
    pub fn moving(position: impl Into<Vec2>) -> Self {
        Self {
            pose: Pose::from_translation(position),
            mobility: Mobility::Moving,
            enabled: true,
            visible: true,
            team: 0,
            user_data: 0,
        }
    }

    /// A body that hardly ever moves, like walls and floors. It costs nothing while it does not.
    pub fn fixed(position: impl Into<Vec2>) -> Self {
        Self { mobility: Mobility::Fixed, ..Self::moving(position) }
    }

    /// In another pose: turned or scaled too.
    #[must_use]
    pub fn with_pose(self, pose: Pose) -> Self {
        Self { pose, ..self }
    }

    /// On a side.
    #[must_use]
    pub fn with_team(self, team: u32) -> Self {
        Self { team, ..self }
    }

    /// With something to know it by.
    #[must_use]
    pub fn with_user_data(self, user_data: u64) -> Self {
        Self { user_data, ..self }
    }

    /// Taking no part until it is enabled.
    #[must_use]
    pub fn disabled(self) -> Self {
        Self { enabled: false, ..self }
    }

    /// Not meant to be seen.
    #[must_use]
    pub fn hidden(self) -> Self {
        Self { visible: false, ..self }
    }
}

/// A body as the world keeps it.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct BodyRecord {
    pub body: Body,
    /// Whether the next update still has to name it: a collider of it that touched something has
    /// been removed.
    pub has_pending_events: bool,
}

/// # Bodies
impl World {
    /// Puts a body into the world.
    ///
    /// # Errors
    /// [`WorldError::BadPose`] if a number of its pose is NaN or infinite, or its scale is not
    /// above zero.
    pub fn add_body(&mut self, body: Body) -> Result<BodyKey, WorldError> {
        check_pose(&body.pose)?;
        Ok(self.storage.add_body(body))
    }

    /// Takes a body and its colliders out of the world. What they touched ends with the next update.
    ///
    /// # Errors
    /// [`WorldError::NoSuchBody`]
    pub fn remove_body(&mut self, key: BodyKey) -> Result<Body, WorldError> {
        let body = *self.existing_body(key)?;
        let mut slot = self.storage.take_colliders(key.slot);
        while slot != NONE {
            let next = self.storage.next_collider(slot);
            self.detach_collider(slot);
            slot = next;
        }
        if self.storage.bodies.get_slot(key.slot).is_some_and(|record| record.has_pending_events) {
            self.storage.bodies.retire(key.slot);
        } else {
            self.storage.bodies.remove(key.slot);
        }
        self.frames.forget(key);
        Ok(body)
    }

    /// A body, if it is still there.
    #[inline]
    pub fn body(&self, key: BodyKey) -> Option<&Body> {
        self.storage.body(key)
    }

    /// All bodies, in the order of their keys.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyKey, &Body)> {
        let bodies = self.storage.bodies.iter();
        bodies.map(|(slot, generation, record)| (BodyKey { slot, generation }, &record.body))
    }

    /// How many bodies there are.
    pub fn body_count(&self) -> usize {
        self.storage.bodies.len()
    }

    /// The colliders of a body, the last one added first; none if there is no such body.
    pub fn colliders_of(&self, key: BodyKey) -> impl Iterator<Item = ColliderKey> {
        self.storage.colliders_of(key)
    }

    /// Puts a body somewhere else: what queries find changes at once, what touches with the next
    /// update.
    ///
    /// # Errors
    /// [`WorldError::NoSuchBody`]; [`WorldError::BadPose`], and the body stays where it is.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let door = world.add_body(Body::moving([4.0, 0.0]))?;
    /// world.set_pose(door, Pose::new([4.0, 0.0], core::f32::consts::FRAC_PI_2))?;
    ///
    /// let error = world.set_pose(door, Pose::from_translation([f32::NAN, 0.0])).unwrap_err();
    /// assert_eq!(error.to_string(), "bad pose: position.x is NaN; it must be a finite number");
    /// assert_eq!(world.body(door).unwrap().pose.position, Vec2::new(4.0, 0.0));
    /// # Ok::<(), WorldError>(())
    /// ```
    #[inline]
    pub fn set_pose(&mut self, key: BodyKey, pose: Pose) -> Result<(), WorldError> {
        check_pose(&pose)?;
        self.existing_body(key)?;
        self.set_body_pose(key.slot, |of_body| *of_body = pose);
        Ok(())
    }

    /// Puts a body somewhere else, turned and scaled as it is.
    ///
    /// # Errors
    /// As [`set_pose`](Self::set_pose).
    #[inline]
    pub fn set_position(
        &mut self,
        key: BodyKey,
        position: impl Into<Vec2>,
    ) -> Result<(), WorldError> {
        self.existing_body(key)?;
        let position = checked_position(position.into()).map_err(WorldError::BadPose)?;
        self.move_to(key, position);
        Ok(())
    }

    /// Puts many bodies somewhere else, one after the other. The same as
    /// [`set_position`](Self::set_position) for each, but quicker where bodies are strewn over memory:
    /// while one is moved, the next ones are fetched.
    ///
    /// # Errors
    /// As [`set_pose`](Self::set_pose), for the first body that cannot be moved. Those before it have
    /// been moved, those after it have not.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let drop = |x: f32| Body::moving([x, 50.0]);
    /// let rain = [1.0, 2.0, 3.0].map(|x| world.add_body(drop(x)).unwrap());
    /// world.set_positions(rain.iter().zip(1u8..).map(|(&drop, x)| (drop, [f32::from(x), 49.0])))?;
    /// assert!(rain.iter().all(|&drop| world.body(drop).unwrap().pose.position.y == 49.0));
    /// # Ok::<(), WorldError>(())
    /// ```
    pub fn set_positions<P: Into<Vec2>>(
        &mut self,
        positions: impl IntoIterator<Item = (BodyKey, P)>,
    ) -> Result<(), WorldError> {
        /// So many are fetched ahead.
        const AHEAD: usize = 8;
        let mut waiting = [const { None }; AHEAD];
        let mut next = 0;
        for (key, position) in positions {
            self.storage.prefetch_body(key.slot);
            let came = waiting[next].replace((key, position));
            next = (next + 1) % AHEAD;
            if let Some((key, position)) = came {
                self.set_position(key, position)?;
            }
        }
        waiting.rotate_left(next);
        let mut rest = waiting.into_iter().flatten();
        rest.try_for_each(|(key, position)| self.set_position(key, position))
    }

    /// [`set_position`](Self::set_position) for a body that is there and a position that is finite.
    #[inline(always)]
    pub(crate) fn move_to(&mut self, key: BodyKey, position: Vec2) {
        self.set_body_pose(key.slot, |pose| pose.position = position);
    }

    /// Turns a body to an angle in radians.
    ///
    /// # Errors
    /// As [`set_pose`](Self::set_pose).
    pub fn set_angle(&mut self, key: BodyKey, angle: f32) -> Result<(), WorldError> {
        validate::finite(angle, "angle").map_err(WorldError::BadPose)?;
        let pose = self.existing_body(key)?.pose;
        self.set_pose(key, Pose { rotation: Rotation::from_angle(angle), ..pose })
    }

    /// Moves a body by a vector. What would leave the range of `f32` stops at its edge.
    ///
    /// # Errors
    /// As [`set_pose`](Self::set_pose).
    pub fn translate(&mut self, key: BodyKey, by: impl Into<Vec2>) -> Result<(), WorldError> {
        let by = validate::vector(by.into(), "by.x", "by.y").map_err(WorldError::BadPose)?;
        let position = self.existing_body(key)?.pose.position;
        self.set_position(key, to_vec2(position.as_dvec2() + by.as_dvec2()))
    }

    /// Lets a body take part or not. One that does not touches nothing (what it touched ends with
    /// the next update) and is found by no query.
    ///
    /// # Errors
    /// [`WorldError::NoSuchBody`]
    pub fn set_enabled(&mut self, key: BodyKey, enabled: bool) -> Result<(), WorldError> {
        self.existing_body(key)?.enabled = enabled;
        self.sync_colliders_of(key.slot);
        Ok(())
    }

    /// Whether a body is expected to move.
    ///
    /// # Errors
    /// [`WorldError::NoSuchBody`]
    pub fn set_mobility(&mut self, key: BodyKey, mobility: Mobility) -> Result<(), WorldError> {
        self.existing_body(key)?.mobility = mobility;
        self.sync_colliders_of(key.slot);
        Ok(())
    }

    /// Whether a body is meant to be seen.
    ///
    /// # Errors
    /// [`WorldError::NoSuchBody`]
    pub fn set_visible(&mut self, key: BodyKey, visible: bool) -> Result<(), WorldError> {
        self.existing_body(key)?.visible = visible;
        Ok(())
    }

    /// Puts a body on a side.
    ///
    /// # Errors
    /// [`WorldError::NoSuchBody`]
    pub fn set_team(&mut self, key: BodyKey, team: u32) -> Result<(), WorldError> {
        self.existing_body(key)?.team = team;
        self.mark_combat_boxes_dirty(key);
        Ok(())
    }

    /// Gives a body something else to know it by.
    ///
    /// # Errors
    /// [`WorldError::NoSuchBody`]
    pub fn set_user_data(&mut self, key: BodyKey, user_data: u64) -> Result<(), WorldError> {
        self.existing_body(key)?.user_data = user_data;
        Ok(())
    }

    #[inline]
    fn existing_body(&mut self, key: BodyKey) -> Result<&mut Body, WorldError> {
        match self.storage.bodies.get_mut(key.slot, key.generation) {
            Some(record) => Ok(&mut record.body),
            None => Err(WorldError::NoSuchBody(key)),
        }
    }
}

fn checked_position(position: Vec2) -> Result<Vec2, ShapeError> {
    validate::vector(position, "position.x", "position.y")
}

fn check_pose(pose: &Pose) -> Result<(), WorldError> {
    let checked = || -> Result<(), ShapeError> {
        checked_position(pose.position)?;
        validate::positive(pose.scale, "scale")?;
        Ok(())
    };
    checked().map_err(WorldError::BadPose)
}
