//! Bodies: objects with a pose.

use core::mem::replace;

use crate::broad::Mobility;
use crate::math::{IntoVec2, Pose, Rotation, Vec2, to_vec2};
use crate::shape::validate;
use crate::world::storage::NONE;
use crate::world::{BodyKey, Collider, ColliderKey, World, WorldError};

/// An object with a pose: a hero, a wall, a bullet. Its [`Collider`](crate::world::Collider)s are shapes
/// that move with it.
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
#[non_exhaustive]
#[doc(alias = "RigidBody")]
#[doc(alias = "kinematic body")]
pub struct Body {
    /// Position, rotation and scale.
    pub pose: Pose,
    /// The mobility of the body: fixed, or expected to move. Pairs of fixed bodies are not tested.
    pub mobility: Mobility,
    /// `true` if the body is active. A disabled body touches nothing and is found by no query.
    pub enabled: bool,
    /// `true` if the body is visible. A hidden body is not drawn by [`draw::world`](crate::draw::world())
    /// and not found by queries with [`Filter::visible`](crate::world::Filter::visible). It collides like
    /// any other body, so that walls can be invisible, unless
    /// [`World::set_hidden_bodies_collide`] disables that.
    pub visible: bool,
    /// `true` if other bodies can push the body, as walkers and [`Response::Push`](crate::motion::Response::Push)
    /// do: crates, blocks of ice. Platforms that are [carried](World::carry) push every moving body.
    #[cfg_attr(feature = "serde", serde(default))]
    pub pushable: bool,
    /// `true` if the body reports the sensors, hitboxes and hurtboxes that it passes in its moves: see
    /// [`World::passages`]. Solid obstacles always stop a body, at any speed.
    #[cfg_attr(feature = "serde", serde(default))]
    pub swept: bool,
    /// The weight of a pushable body, in any unit. It counts towards the limit of a pusher, and has no
    /// other effect.
    #[cfg_attr(feature = "serde", serde(default = "default_weight"))]
    pub weight: u16,
    /// The team of the body. A hitbox does not strike its own team. Bodies of team 0 are in no team.
    pub team: u32,
    /// A number for the game to use, such as an entity id. It is part of snapshots and saves, but not of
    /// the [state hash](World::state_hash).
    pub user_data: u64,
}

impl Body {
    /// Creates a moving body.
    #[doc(alias = "kinematic")]
    #[doc(alias = "dynamic")]
    pub fn moving(position: impl IntoVec2) -> Self {
        Self {
            pose: Pose::from_translation(position),
            mobility: Mobility::Moving,
            enabled: true,
            visible: true,
            pushable: false,
            swept: false,
            weight: default_weight(),
            team: 0,
            user_data: 0,
        }
    }

    /// Creates a fixed body, for walls and floors. It can be moved, but is expected to stay; it costs
    /// nothing while it does.
    #[doc(alias = "static")]
    pub fn fixed(position: impl IntoVec2) -> Self {
        Self { mobility: Mobility::Fixed, ..Self::moving(position) }
    }

    /// Sets the pose: position, rotation and scale.
    #[must_use]
    pub fn with_pose(self, pose: Pose) -> Self {
        Self { pose, ..self }
    }

    /// Sets whether the body is expected to move.
    #[must_use]
    pub fn with_mobility(self, mobility: Mobility) -> Self {
        Self { mobility, ..self }
    }

    /// Lets other bodies push the body, with a weight of 1: see [`World::set_pushable`].
    #[must_use]
    pub fn pushable(self) -> Self {
        Self { pushable: true, ..self }
    }

    /// Makes the body report the sensors, hitboxes and hurtboxes that it passes. Use it for bodies that move
    /// farther in a frame than these are wide, such as bullets. See [`World::passages`].
    #[must_use]
    #[doc(alias = "bullet")]
    #[doc(alias = "continuous_cd")]
    pub fn swept(self) -> Self {
        Self { swept: true, ..self }
    }

    /// Sets the weight, which counts towards the limit of a body that pushes this one.
    #[must_use]
    pub fn with_weight(self, weight: u16) -> Self {
        Self { weight, ..self }
    }

    /// Sets the team.
    #[must_use]
    pub fn with_team(self, team: u32) -> Self {
        Self { team, ..self }
    }

    /// Sets the user data.
    #[must_use]
    pub fn with_user_data(self, user_data: u64) -> Self {
        Self { user_data, ..self }
    }

    /// Makes the body disabled, until [`World::set_enabled`].
    #[must_use]
    pub fn disabled(self) -> Self {
        Self { enabled: false, ..self }
    }

    /// Makes the body invisible, until [`World::set_visible`].
    #[must_use]
    pub fn hidden(self) -> Self {
        Self { visible: false, ..self }
    }
}

fn default_weight() -> u16 {
    1
}

/// A body as the world stores it.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct BodyRecord {
    pub body: Body,
    /// `true` if the next update will report the end of a pair of this body, because a collider of it that
    /// touched something has been removed. The key must stay known until then.
    pub has_pending_events: bool,
}

/// # Bodies
impl World {
    /// Adds a body to the world.
    ///
    /// # Errors
    /// Returns [`WorldError::BadPose`] if a component of its pose is not finite, or its scale is not
    /// positive.
    pub fn add_body(&mut self, body: Body) -> Result<BodyKey, WorldError> {
        check_pose(&body.pose)?;
        Ok(self.storage.add_body(body))
    }

    /// Adds a body with its colliders. If a collider is invalid, nothing is added.
    ///
    /// # Errors
    /// Returns the errors of [`add_body`](Self::add_body) and [`add_collider`](Self::add_collider).
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let feet = Collider::sensor(Aabb::new([-0.4, -0.1], [0.4, 0.1]));
    /// let body = Collider::new(Aabb::new([-0.5, 0.0], [0.5, 2.0]));
    /// let hero = world.spawn(Body::moving([3.0, 1.0]), [body, feet])?;
    /// assert_eq!(world.position(hero)?, Vec2::new(3.0, 1.0));
    /// assert_eq!(world.colliders_of(hero).count(), 2);
    /// # Ok::<(), WorldError>(())
    /// ```
    pub fn spawn(
        &mut self,
        body: Body,
        colliders: impl IntoIterator<Item = Collider>,
    ) -> Result<BodyKey, WorldError> {
        let key = self.add_body(body)?;
        for collider in colliders {
            if let Err(error) = self.add_collider(key, collider) {
                self.remove_body(key)?;
                return Err(error);
            }
        }
        Ok(key)
    }

    /// Removes a body and its colliders from the world, and returns the body. The next update reports the
    /// end of the pairs that touched.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchBody`] if the key is invalid.
    pub fn remove_body(&mut self, key: BodyKey) -> Result<Body, WorldError> {
        let body = *self.body_mut(key)?;
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
        self.frames.remove(key);
        Ok(body)
    }

    /// Returns a body, or `None` if it has been removed.
    #[inline]
    pub fn body(&self, key: BodyKey) -> Option<&Body> {
        self.storage.body(key)
    }

    /// Returns the position of a body: `world.position(hero)?`.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchBody`] if the key is invalid.
    #[inline]
    pub fn position(&self, key: BodyKey) -> Result<Vec2, WorldError> {
        match self.storage.body(key) {
            Some(body) => Ok(body.pose.position),
            None => Err(WorldError::NoSuchBody(key)),
        }
    }

    /// Returns an iterator over all bodies, ordered by key.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyKey, &Body)> {
        let bodies = self.storage.bodies.iter();
        bodies.map(|(slot, generation, record)| (BodyKey { slot, generation }, &record.body))
    }

    /// Returns the number of bodies.
    pub fn body_count(&self) -> usize {
        self.storage.bodies.len()
    }

    /// Returns the colliders of a body, the last one added first. There are none if the key is invalid.
    pub fn colliders_of(&self, key: BodyKey) -> impl Iterator<Item = ColliderKey> {
        self.storage.colliders_of(key)
    }

    /// Sets the pose of a body, without regard to obstacles ("teleports" it). Queries see it at once,
    /// events come with the next update. [`travel`](Self::travel) moves a body until it hits something.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchBody`] if the key is invalid, and [`WorldError::BadPose`] if the pose
    /// is; then the body does not move.
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
    #[doc(alias = "teleport")]
    pub fn set_pose(&mut self, key: BodyKey, pose: Pose) -> Result<(), WorldError> {
        check_pose(&pose)?;
        self.body_mut(key)?;
        self.set_body_pose(key.slot, |of_body| *of_body = pose);
        Ok(())
    }

    /// Sets the position of a body. Rotation and scale stay as they are.
    ///
    /// # Errors
    /// Returns the same errors as [`set_pose`](Self::set_pose).
    #[inline]
    pub fn set_position(
        &mut self,
        key: BodyKey,
        position: impl IntoVec2,
    ) -> Result<(), WorldError> {
        self.body_mut(key)?;
        let position = validate::vector(position.into_vec2(), "position.x", "position.y")
            .map_err(WorldError::BadPose)?;
        self.move_to(key, position);
        Ok(())
    }

    /// Calls [`set_position`](Self::set_position) for many bodies, in order. It is faster than single
    /// calls if the bodies are scattered in memory, because it prefetches the next ones.
    ///
    /// # Errors
    /// Returns the same errors as [`set_pose`](Self::set_pose), for the first body that cannot be moved.
    /// All others are moved nevertheless: one bullet that has been removed does not stop the rest.
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
    pub fn set_positions<P: IntoVec2>(
        &mut self,
        positions: impl IntoIterator<Item = (BodyKey, P)>,
    ) -> Result<(), WorldError> {
        /// The number of bodies that are prefetched.
        const AHEAD: usize = 8;
        let mut waiting = [const { None }; AHEAD];
        let (mut next, mut result) = (0, Ok(()));
        for (key, position) in positions {
            self.storage.prefetch_body(key.slot);
            let arrived = waiting[next].replace((key, position));
            next = (next + 1) % AHEAD;
            if let Some((key, position)) = arrived {
                result = result.and(self.set_position(key, position));
            }
        }
        waiting.rotate_left(next);
        for (key, position) in waiting.into_iter().flatten() {
            result = result.and(self.set_position(key, position));
        }
        result
    }

    /// Sets the position of a body. The key must be valid and the position finite.
    #[inline(always)]
    pub(crate) fn move_to(&mut self, key: BodyKey, position: Vec2) {
        self.set_body_pose(key.slot, |pose| pose.position = position);
    }

    /// Sets the angle of a body, in radians.
    ///
    /// # Errors
    /// Returns the same errors as [`set_pose`](Self::set_pose).
    pub fn set_angle(&mut self, key: BodyKey, angle: f32) -> Result<(), WorldError> {
        validate::finite(angle, "angle").map_err(WorldError::BadPose)?;
        let pose = self.body_mut(key)?.pose;
        self.set_pose(key, Pose { rotation: Rotation::from_angle(angle), ..pose })
    }

    /// Moves a body by a vector, without regard to obstacles. The position is clamped to the range of
    /// `f32`.
    ///
    /// # Errors
    /// Returns the same errors as [`set_pose`](Self::set_pose).
    pub fn translate(&mut self, key: BodyKey, by: impl IntoVec2) -> Result<(), WorldError> {
        let by = validate::vector(by.into_vec2(), "by.x", "by.y").map_err(WorldError::BadPose)?;
        let position = self.body_mut(key)?.pose.position;
        self.set_position(key, to_vec2(position.as_dvec2() + by.as_dvec2()))
    }

    /// Enables or disables a body. A disabled body touches nothing (its pairs end with the next update)
    /// and is found by no query.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchBody`] if the key is invalid.
    pub fn set_enabled(&mut self, key: BodyKey, enabled: bool) -> Result<(), WorldError> {
        if replace(&mut self.body_mut(key)?.enabled, enabled) != enabled {
            self.sync_colliders_of(key.slot);
        }
        Ok(())
    }

    /// Sets whether a body is expected to move.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchBody`] if the key is invalid.
    pub fn set_mobility(&mut self, key: BodyKey, mobility: Mobility) -> Result<(), WorldError> {
        if replace(&mut self.body_mut(key)?.mobility, mobility) != mobility {
            self.sync_colliders_of(key.slot);
        }
        Ok(())
    }

    /// Sets whether a body is visible.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchBody`] if the key is invalid.
    pub fn set_visible(&mut self, key: BodyKey, visible: bool) -> Result<(), WorldError> {
        let is_changed = replace(&mut self.body_mut(key)?.visible, visible) != visible;
        if is_changed && !self.storage.hidden_bodies_collide {
            self.sync_colliders_of(key.slot);
        }
        Ok(())
    }

    /// Sets whether [hidden](Body::visible) bodies collide. By default they do. With `false`, the classic
    /// rule of sprites applies: a hidden body touches nothing and is found by no query, as if it were
    /// disabled.
    pub fn set_hidden_bodies_collide(&mut self, collide: bool) {
        if replace(&mut self.storage.hidden_bodies_collide, collide) != collide {
            for slot in 0..self.storage.bodies.slot_count() as u32 {
                if self.storage.bodies.get_slot(slot).is_some_and(|it| !it.body.visible) {
                    self.sync_colliders_of(slot);
                }
            }
        }
    }

    /// Returns `true` if hidden bodies collide.
    pub fn hidden_bodies_collide(&self) -> bool {
        self.storage.hidden_bodies_collide
    }

    /// Sets whether other bodies can push a body: bodies that walk, and bodies that travel and respond
    /// with [`Response::Push`](crate::motion::Response::Push). Fixed bodies are not pushed.
    ///
    /// A pushed body collides with everything that it would collide with in its own move. It pushes
    /// other pushable bodies ahead and carries the bodies that stand on it.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchBody`] if the key is invalid.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let square = || [Collider::new(Aabb::new([0.0, 0.0], [1.0, 1.0]))];
    /// let hero = world.spawn(Body::moving([0.0, 0.0]), square())?;
    /// let crates = [1.0, 2.5].map(|x| world.spawn(Body::moving([x, 0.0]).pushable(), square()).unwrap());
    /// let wall = world.spawn(Body::fixed([4.0, 0.0]), square())?;
    /// let travel = world.travel(hero, [5.0, 0.0], |_| Response::Push(2))?;
    /// assert_eq!(travel.end, Vec2::new(1.0, 0.0)); // two crates between the hero and the wall
    /// assert_eq!(world.position(crates[0])?, Vec2::new(2.0, 0.0));
    /// assert_eq!(world.position(crates[1])?, Vec2::new(3.0, 0.0));
    /// # Ok::<(), WorldError>(())
    /// ```
    #[doc(alias = "crate")]
    pub fn set_pushable(&mut self, key: BodyKey, pushable: bool) -> Result<(), WorldError> {
        self.body_mut(key)?.pushable = pushable;
        Ok(())
    }

    /// Sets the weight of a body, which counts towards the limit of a body that pushes it.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchBody`] if the key is invalid.
    pub fn set_weight(&mut self, key: BodyKey, weight: u16) -> Result<(), WorldError> {
        self.body_mut(key)?.weight = weight;
        Ok(())
    }

    /// Sets the team of a body.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchBody`] if the key is invalid.
    pub fn set_team(&mut self, key: BodyKey, team: u32) -> Result<(), WorldError> {
        if replace(&mut self.body_mut(key)?.team, team) != team {
            self.mark_combat_boxes_dirty(key);
        }
        Ok(())
    }

    /// Sets the user data of a body.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchBody`] if the key is invalid.
    pub fn set_user_data(&mut self, key: BodyKey, user_data: u64) -> Result<(), WorldError> {
        self.body_mut(key)?.user_data = user_data;
        Ok(())
    }

    #[inline]
    fn body_mut(&mut self, key: BodyKey) -> Result<&mut Body, WorldError> {
        match self.storage.bodies.get_mut(key.slot, key.generation) {
            Some(record) => Ok(&mut record.body),
            None => Err(WorldError::NoSuchBody(key)),
        }
    }
}

pub(crate) fn check_pose(pose: &Pose) -> Result<(), WorldError> {
    pose.validate().map_err(WorldError::BadPose)
}
