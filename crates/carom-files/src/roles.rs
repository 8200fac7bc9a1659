//! Roles by their names.

use carom::sheet::Role;

/// What boxes and colliders can be there for, by the names that files and commands use.
pub const ROLES: [(&str, Role); 4] = [
    ("solid", Role::Solid),
    ("sensor", Role::Sensor),
    ("hitbox", Role::Hitbox),
    ("hurtbox", Role::Hurtbox),
];

/// The role of a name, in capitals or not.
pub fn role_named(name: &str) -> Option<Role> {
    ROLES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|&(_, role)| role)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_in_files() {
        for (name, role) in ROLES {
            assert_eq!(serde_json::to_value(role).unwrap(), name);
            assert_eq!(role_named(&name.to_uppercase()), Some(role));
        }
    }
}
