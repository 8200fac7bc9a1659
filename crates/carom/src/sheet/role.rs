//! Roles of colliders.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use crate::suggest::unknown_name;

/// The purpose of a collider, or of a box of an animation frame.
///
/// The table shows the pairs that interact. Sensors detect hurtboxes only if
/// [`Collider::detecting_hurtboxes`](crate::world::Collider::detecting_hurtboxes) enables it.
///
/// | | solid | sensor | hitbox | hurtbox |
/// | --- | --- | --- | --- | --- |
/// | **solid** | contact | event | – | – |
/// | **sensor** | event | event | – | event if it detects hurtboxes |
/// | **hitbox** | – | – | clash if the rules allow it | strike |
/// | **hurtbox** | – | event if it is detected | strike | – |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "schemars",
    schemars(description = "The purpose of a collider, or of a box of an animation frame.")
)]
#[non_exhaustive]
pub enum Role {
    /// Blocks movement. Touching it produces a contact.
    #[default]
    Solid,
    /// Reports touch events, but has no contact and blocks nothing (a trigger).
    #[doc(alias = "trigger")]
    Sensor,
    /// Strikes hurtboxes, and other hitboxes if clashes are enabled.
    #[doc(alias = "attack box")]
    #[doc(alias = "damage")]
    Hitbox,
    /// Can be struck by hitboxes and detected by sensors, and collides with nothing else.
    #[doc(alias = "vulnerable box")]
    Hurtbox,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 4] = [Self::Solid, Self::Sensor, Self::Hitbox, Self::Hurtbox];

    /// Returns the name of the role in files: `solid`, `sensor`, `hitbox` or `hurtbox`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Solid => "solid",
            Self::Sensor => "sensor",
            Self::Hitbox => "hitbox",
            Self::Hurtbox => "hurtbox",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Parses the name of a role, ignoring the case of the letters.
impl FromStr for Role {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let role = Self::ALL.into_iter().find(|role| role.name().eq_ignore_ascii_case(name));
        role.ok_or_else(|| unknown_name("role", name, &Self::ALL.map(Self::name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_in_any_case() {
        for role in Role::ALL {
            assert_eq!(role.name().to_uppercase().parse(), Ok(role));
        }
        let error = "hitbos".parse::<Role>().unwrap_err();
        assert!(error.starts_with("unknown role `hitbos` (did you mean `hitbox`?)"), "{error}");
    }

    #[test]
    #[cfg(feature = "serde")]
    fn names_are_those_in_files() {
        for role in Role::ALL {
            assert_eq!(serde_json::to_value(role).unwrap(), role.name());
        }
    }
}
