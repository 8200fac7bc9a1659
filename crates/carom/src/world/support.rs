//! Supports: which body another one stands on.

use crate::math::Vec2;
use crate::shape::validate;
use crate::world::{BodyKey, World, WorldError};

/// The body that another one stands on. See [`World::support`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Support {
    /// The body underneath.
    pub body: BodyKey,
    /// The direction out of the surface that carries, towards the body that stands on it.
    pub normal: Vec2,
}

/// # Supports
impl World {
    /// Returns what a body stands on, or `None` in the air.
    ///
    /// [`walk`](Self::walk) sets it at the end of every walk, so the world knows who stands on which
    /// platform, and [`carry`](Self::carry) takes them along. It is part of snapshots, saves and the
    /// [state hash](Self::state_hash).
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let lift = world.add_body(Body::moving([0.0, 0.0]))?;
    /// world.add_collider(lift, Collider::new(Aabb::new([-2.0, -0.5], [2.0, 0.0])))?;
    /// let hero = world.add_body(Body::moving([1.0, 0.0]))?;
    /// world.add_collider(hero, Collider::new(Aabb::new([-0.5, 0.0], [0.5, 2.0])))?;
    /// let mut state = WalkerState::new();
    /// let _ = world.walk(hero, &Walker::new(), &mut state, [0.0, -0.1])?;
    /// assert_eq!(world.support(hero).unwrap().body, lift);
    /// # Ok::<(), WorldError>(())
    /// ```
    #[doc(alias = "ground")]
    #[doc(alias = "is_grounded")]
    pub fn support(&self, body: BodyKey) -> Option<Support> {
        self.storage.body(body)?;
        self.storage.supports.get(body.slot as usize).copied()?
    }

    /// Sets what a body stands on. Use it for bodies that do not [`walk`](Self::walk) but ride a
    /// platform, such as crates, and with `None` for a walker that jumps before the platforms move.
    ///
    /// A body that no longer touches its support is not carried by it, so a support that has become
    /// wrong does no harm.
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
        self.storage.body(body).ok_or(WorldError::NoSuchBody(body))?;
        let (supports, slot) = (&mut self.storage.supports, body.slot as usize);
        if slot >= supports.len() && support.is_some() {
            supports.resize(slot + 1, None);
        }
        if let Some(known) = supports.get_mut(slot) {
            *known = support;
        }
        Ok(())
    }
}
