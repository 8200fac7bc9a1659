//! Roles of colliders.

/// The purpose of a collider, or of a box of an animation frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Role {
    /// Blocks movement. Touching it produces a contact.
    #[default]
    Solid,
    /// Reports touch events, but has no contact and blocks nothing (a trigger).
    #[doc(alias = "trigger")]
    Sensor,
    /// Strikes hurtboxes, and other hitboxes if clashes are enabled.
    Hitbox,
    /// Can be struck by hitboxes, and collides with nothing else.
    Hurtbox,
}
