//! What a world cannot do, and why.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::error::ShapeError;
use crate::sheet::SheetError;
use crate::suggest::unknown_name;
use crate::world::{BodyKey, ColliderKey, Layers, SheetKey};

/// Why a world has not done what it was asked to; it is as it was before.
///
/// ```
/// use carom::prelude::*;
/// let mut world = World::new();
/// world.add_layer("player")?;
/// let error = world.layer("plyer").unwrap_err();
/// assert_eq!(error.to_string(),
///            "unknown layer `plyer` (did you mean `player`?), expected one of `default`, `player`");
/// # Ok::<(), WorldError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum WorldError {
    /// The body has been removed, or is of another world.
    NoSuchBody(BodyKey),
    /// The collider has been removed, or is of another world.
    NoSuchCollider(ColliderKey),
    /// The sheet is of another world.
    NoSuchSheet(SheetKey),
    /// The sheet does not have the frame or direction asked for.
    Sheet(SheetError),
    /// The pose is none: a number is NaN or infinite, or the scale is not above zero.
    BadPose(ShapeError),
    /// No layer has this name; [`World::add_layer`](crate::world::World::add_layer) makes one.
    UnknownLayer {
        /// The name given.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// There are as many layers as there can be.
    TooManyLayers {
        /// The name of the one that has no place.
        name: String,
    },
}

impl fmt::Display for WorldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchBody(key) => write!(f, "{key} is not in this world (any more)"),
            Self::NoSuchCollider(key) => write!(f, "{key} is not in this world (any more)"),
            Self::NoSuchSheet(key) => write!(f, "{key} is not in this world"),
            Self::Sheet(error) => write!(f, "{error}"),
            Self::BadPose(error) => write!(f, "bad pose: {error}"),
            Self::UnknownLayer { name, known } => {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                write!(f, "{}", unknown_name("layer", name, &known))
            }
            Self::TooManyLayers { name } => {
                write!(f, "no place for layer `{name}`; a world has at most {}", Layers::MAX)
            }
        }
    }
}

impl core::error::Error for WorldError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::BadPose(error) => Some(error),
            Self::Sheet(error) => Some(error),
            _ => None,
        }
    }
}
