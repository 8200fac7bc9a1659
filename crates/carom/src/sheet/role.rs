//! What boxes are there for.

/// What a box or a collider is there for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Role {
    /// It stops things: touching it gives a contact, with the push that parts the two.
    #[default]
    Solid,
    /// It notices things: touching it is told, without a contact.
    Sensor,
    /// It strikes: it meets hurtboxes, and other hitboxes where clashes are asked for.
    Hitbox,
    /// It can be struck: it meets hitboxes and nothing else.
    Hurtbox,
}
