//! The custom properties of layers, objects and entities.

use std::collections::BTreeMap;

use carom::prelude::*;
use carom::shape::repr::Names;
use carom::sheet::Role;
use serde::de::{Deserialize, Deserializer};
use serde_json::Value;

use crate::scene::{SceneBody, SceneCollider};

/// The values of properties as text, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Properties(pub BTreeMap<String, String>);

/// The words in names that imply a role.
const ROLE_WORDS: [(&str, Role); 9] = [
    ("hitbox", Role::Hitbox),
    ("hurtbox", Role::Hurtbox),
    ("sensor", Role::Sensor),
    ("trigger", Role::Sensor),
    ("solid", Role::Solid),
    ("collision", Role::Solid),
    ("collider", Role::Solid),
    ("wall", Role::Solid),
    ("ground", Role::Solid),
];

/// Returns the role that a name implies.
pub fn role_in(name: &str) -> Option<Role> {
    let name = name.to_lowercase();
    ROLE_WORDS.iter().find(|(word, _)| name.contains(word)).map(|&(_, role)| role)
}

impl Properties {
    /// Merges sets of properties. The value of a property comes from the first set that has it.
    pub fn merged(all: &[&Self]) -> Self {
        let all = all.iter().rev().flat_map(|properties| properties.0.clone());
        Self(all.collect())
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|value| value.trim())
    }

    pub fn is_true(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| value == "true")
    }

    /// Returns `true` if there is a property that makes something solid or not.
    pub fn has_collision_data(&self) -> bool {
        self.get("solid").is_some() || self.get("one_way").is_some()
    }

    /// Returns a numeric property; `None` if there is none with this name.
    pub fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, String> {
        self.get(name)
            .map(|text| {
                text.parse()
                    .map_err(|_| format!("property `{name}`: found {text:?}, expected a number"))
            })
            .transpose()
    }

    /// Returns the value of the property `role`: `None` if there is none, and `Some(None)` for `none`.
    pub fn role(&self) -> Result<Option<Option<Role>>, String> {
        let Some(name) = self.get("role").filter(|name| !name.is_empty()) else { return Ok(None) };
        match name.parse() {
            _ if name == "none" => Ok(Some(None)),
            Ok(role) => Ok(Some(Some(role))),
            Err(error) => Err(format!("property {error}, `none`")),
        }
    }

    /// Applies the properties to a body and its colliders.
    pub fn apply(&self, body: &mut SceneBody, up: Vec2) -> Result<(), String> {
        body.team = self.number("team")?.unwrap_or(body.team);
        body.pick_up |= self.is_true("pick_up");
        body.pushable |= self.is_true("pushable");
        body.weight = self.number("weight")?.unwrap_or(body.weight);
        body.swept |= self.is_true("swept");
        if let Some(motion) = self.get("motion").filter(|motion| !motion.is_empty()) {
            let motion = serde_json::from_str(motion);
            body.motion = Some(motion.map_err(|error| format!("property `motion`: {error}"))?);
        }
        body.fixed = match self.get("fixed") {
            Some(fixed) => fixed == "true",
            None => body.motion.is_none() && !body.pushable,
        };
        for collider in &mut body.colliders {
            self.apply_to_collider(collider, up);
        }
        Ok(())
    }

    pub fn apply_to_collider(&self, collider: &mut SceneCollider, up: Vec2) {
        let names = |list: &str| -> Vec<String> {
            let names = list.split(',').map(|name| name.trim().to_owned());
            names.filter(|name| !name.is_empty()).collect()
        };
        if let Some(layers) = self.get("layer").map(names).filter(|names| !names.is_empty()) {
            collider.layers = Some(Names(layers));
        }
        if let Some(hits) = self.get("hits") {
            collider.hits = Some(names(hits));
        }
        if self.is_true("one_way") {
            collider.one_way = Some(up);
        }
    }
}

/// Returns the text of a value.
pub fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Reads a list of names and values, as Tiled writes it.
impl<'de> Deserialize<'de> for Properties {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        struct Property {
            name: String,
            value: Value,
        }
        let list = Vec::<Property>::deserialize(deserializer)?;
        Ok(Self(list.into_iter().map(|it| (it.name, text(&it.value))).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(properties: &[(&str, &str)]) -> Result<SceneBody, String> {
        let properties = properties.iter().map(|&(name, value)| (name.into(), value.into()));
        let mut body = SceneBody::moving("crate", [0.0, 0.0]);
        Properties(properties.collect()).apply(&mut body, Vec2::Y).map(|()| body)
    }

    #[test]
    fn a_pushable_object_is_not_fixed() {
        let body = applied(&[("pushable", "true"), ("weight", "3"), ("swept", "true")]).unwrap();
        assert!(body.pushable && body.swept && !body.fixed && body.weight == 3);
        assert!(applied(&[]).unwrap().fixed);
    }

    #[test]
    fn a_weight_that_is_not_a_number_is_reported() {
        let error = applied(&[("weight", "heavy")]).unwrap_err();
        assert_eq!(error, "property `weight`: found \"heavy\", expected a number");
    }
}
