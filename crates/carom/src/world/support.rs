//! Supports, the bodies that other bodies stand on.

use crate::math::{DVec2, Vec2, to_vec2};
use crate::shape::validate;
use crate::world::{BodyKey, World, WorldError};

/// The body that another one stands on. See [`World::support`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Support {
    /// The body underneath.
    pub body: BodyKey,
    /// The normal of the surface underneath, towards the body that stands on it.
    pub normal: Vec2,
}

/// The support of a body, as the world stores it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct SupportRecord {
    pub support: Support,
    /// The distance that it has been carried since the support was set.
    pub motion: Vec2,
}

/// # Supports
impl World {
    /// Returns the support of a body: the body and surface that it stands on, or `None` in the air.
    ///
    /// [`walk`](Self::walk) sets the support at the end of every walk, and [`carry`](Self::carry) moves the
    /// bodies that stand on a platform together with it. The support is part of snapshots, saves and the
    /// [state hash](Self::state_hash).
    ///
    /// A body touches its support: [`update`](Self::update) reports the pair even if rounding leaves a gap of
    /// a few units in the last place between them, as it does on most slopes.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let lift = world.add_body(Body::moving([0.0, 0.0]))?;
    /// world.add_collider(lift, Collider::new(Aabb::new([-2.0, -0.5], [2.0, 0.0])))?;
    /// let hero = world.add_body(Body::moving([1.0, 0.0]))?;
    /// world.add_collider(hero, Collider::new(Aabb::new([-0.5, 0.0], [0.5, 2.0])))?;
    /// let mut state = WalkerState::new();
    /// world.walk(hero, &Walker::new(), &mut state, [0.0, -0.1])?;
    /// assert_eq!(world.support(hero).unwrap().body, lift);
    /// # Ok::<(), WorldError>(())
    /// ```
    #[doc(alias = "ground")]
    #[doc(alias = "is_grounded")]
    pub fn support(&self, body: BodyKey) -> Option<Support> {
        self.storage.body(body)?;
        let record = self.storage.supports.get(body.slot as usize).copied().flatten();
        record.map(|record| record.support)
    }

    /// Returns the motion of a body's support by [`carry`](Self::carry) since the body's last walk: the
    /// displacement of the point where the body stands, also on a platform that turns. It is zero in the air.
    ///
    /// Multiplied by the frame rate, it is the velocity of the platform. A walker that jumps between the carry and
    /// its walk can keep this velocity:
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let train = world.spawn(Body::moving([0.0, 0.0]), [Collider::new(Aabb::new([-4.0, -1.0], [4.0, 0.0]))])?;
    /// let hero = world.spawn(Body::moving([0.0, 0.0]), [Collider::new(Aabb::new([-0.5, 0.0], [0.5, 2.0]))])?;
    /// let (walker, mut state, mut velocity) = (Walker::new(), WalkerState::new(), Vec2::new(0.0, -1.0));
    /// world.walk(hero, &walker, &mut state, velocity / 60.0)?;
    ///
    /// world.carry(train, [0.2, 0.0])?;
    /// state.request_jump();
    /// if state.jump(JumpGrace::frames(6, 6)) {
    ///     velocity = Vec2::new(0.0, 8.0) + world.support_motion(hero) * 60.0;
    /// }
    /// assert_eq!(velocity, Vec2::new(12.0, 8.0));
    /// # Ok::<(), WorldError>(())
    /// ```
    #[doc(alias = "get_platform_velocity")]
    #[doc(alias = "momentum jump")]
    pub fn support_motion(&self, body: BodyKey) -> Vec2 {
        let record = self.storage.body(body).and(self.storage.supports.get(body.slot as usize));
        record.copied().flatten().map_or(Vec2::ZERO, |record| record.motion)
    }

    /// Adds to the motion of a body's support.
    pub(crate) fn add_support_motion(&mut self, body: BodyKey, motion: DVec2) {
        if let Some(Some(record)) = self.storage.supports.get_mut(body.slot as usize) {
            record.motion = to_vec2(record.motion.as_dvec2() + motion);
        }
    }

    /// Sets the support of a body. Use it for bodies that do not [`walk`](Self::walk) but ride a
    /// platform, such as crates, and with `None` for a walker that jumps before the platforms move.
    ///
    /// A body that no longer touches its support is not carried by it, so an outdated support has no effect.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchBody`] if the key of the body that stands is invalid, and
    /// [`WorldError::BadPose`] if the normal is not finite.
    pub fn set_support(
        &mut self,
        body: BodyKey,
        support: Option<Support>,
    ) -> Result<(), WorldError> {
        if let Some(Support { normal, .. }) = support {
            validate::vector(normal, "normal.x", "normal.y").map_err(WorldError::BadPose)?;
        }
        self.storage.check_body(body)?;
        self.store_support(body, support);
        Ok(())
    }

    /// Stores the support of a body. The key must be valid and the normal finite.
    pub(crate) fn store_support(&mut self, body: BodyKey, support: Option<Support>) {
        let (supports, slot) = (&mut self.storage.supports, body.slot as usize);
        if slot >= supports.len() && support.is_some() {
            supports.resize(slot + 1, None);
        }
        let Some(known) = supports.get_mut(slot) else { return };
        let has_changed =
            known.map(|known| known.support.body) != support.map(|support| support.body);
        *known = support.map(|support| SupportRecord { support, motion: Vec2::ZERO });
        if has_changed {
            self.sync_colliders_of(body.slot); // its pairs must be tested again
        }
    }
}
