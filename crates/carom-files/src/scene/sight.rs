//! What a body looks along.

use carom::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::form::Fault;

/// A ray from the position of a body, that turns with it: the first thing on it is seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sight {
    /// Which way it looks.
    #[schemars(with = "[f32; 2]")]
    pub direction: Vec2,
    /// How far it looks.
    pub reach: f32,
    /// The layers of what it sees, and what hides it; all unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layers: Option<Vec<String>>,
}

impl Sight {
    /// The ray of a body with a pose.
    ///
    /// # Errors
    /// Where there is no direction, or no reach.
    pub fn ray(&self, pose: &Pose) -> Result<Ray, ShapeError> {
        Ray::try_new(pose.position, pose.rotation.rotate(self.direction), self.reach)
    }

    /// The layers that it pays attention to.
    ///
    /// # Errors
    /// A name that no layer has.
    pub fn layers(&self, world: &World) -> Result<Layers, WorldError> {
        match &self.layers {
            None => Ok(Layers::ALL),
            Some(names) => names.iter().map(|name| world.layer(name.as_str())).collect(),
        }
    }

    pub(super) fn fault(&self) -> Option<Fault> {
        let error = self.ray(&Pose::IDENTITY).err()?;
        let field = if error.to_string().contains("direction") { "direction" } else { "reach" };
        Some(Fault::new(field, error))
    }
}
