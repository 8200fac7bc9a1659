//! The errors of a world.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::error::ShapeError;
use crate::sheet::SheetError;
use crate::suggest::unknown_name;
use crate::world::{BodyKey, ColliderKey, Layers, SheetKey};

/// The reason why a call on a [`World`](crate::world::World) failed. The world is unchanged.
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
    /// The key is invalid: no body of this world has it, or the body has been removed.
    NoSuchBody(BodyKey),
    /// The key is invalid: no collider of this world has it, or the collider has been removed.
    NoSuchCollider(ColliderKey),
    /// The key is invalid: the sheet belongs to another world, or the world was restored from a snapshot
    /// that was made before the sheet was added.
    NoSuchSheet(SheetKey),
    /// The sheet does not have the requested frame or direction.
    Sheet(SheetError),
    /// Invalid pose: a component is not finite, or the scale is not positive.
    BadPose(ShapeError),
    /// A shape is invalid. No call on a world returns this; it lets `?` convert the error of a shape's
    /// constructor in a function that returns a `WorldError`.
    Shape(ShapeError),
    /// No layer has this name. [`World::add_layer`](crate::world::World::add_layer) adds one.
    UnknownLayer {
        /// The name given.
        name: String,
        /// The names of all layers.
        known: Vec<String>,
    },
    /// There are more pairs of colliders that can touch than an update may process: too many bodies are
    /// at one position. See [`World::set_max_pairs`](crate::world::World::set_max_pairs).
    TooManyPairs {
        /// The largest number of pairs that an update processes.
        limit: usize,
    },
    /// The collider has a shape of another kind than the call expects.
    WrongShape {
        /// The collider.
        key: ColliderKey,
        /// The kind of its shape.
        found: &'static str,
        /// The kind that was expected.
        expected: &'static str,
    },
    /// The name of a layer is empty.
    EmptyLayerName,
    /// A new layer would get a number that colliders use already, without a name: see
    /// [`World::add_layer`](crate::world::World::add_layer).
    LayerInUse {
        /// The name of the layer that was not added.
        name: String,
        /// The number that it would get.
        number: u8,
    },
    /// The world has [`Layers::MAX`] layers already.
    TooManyLayers {
        /// The name of the layer that was not added.
        name: String,
    },
}

impl fmt::Display for WorldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchBody(key) => {
                write!(f, "{key} does not exist in this world, or has been removed")
            }
            Self::NoSuchCollider(key) => {
                write!(f, "{key} does not exist in this world, or has been removed")
            }
            Self::NoSuchSheet(key) => write!(f, "{key} does not exist in this world"),
            Self::Sheet(error) => write!(f, "{error}"),
            Self::BadPose(error) => write!(f, "bad pose: {error}"),
            Self::Shape(error) => write!(f, "{error}"),
            Self::UnknownLayer { name, known } => {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                write!(f, "{}", unknown_name("layer", name, &known))
            }
            Self::TooManyPairs { limit } => write!(
                f,
                "more than {limit} pairs of colliders may touch: too many are at one position \
                 (see World::set_max_pairs)"
            ),
            Self::WrongShape { key, found, expected } => {
                write!(f, "{key} is a {found}, expected a {expected}")
            }
            Self::EmptyLayerName => write!(f, "the name of a layer is empty"),
            Self::LayerInUse { name, number } => write!(
                f,
                "cannot add layer `{name}`: colliders are on layer {number} already, which has no \
                 name; add the layers that have names first"
            ),
            Self::TooManyLayers { name } => {
                write!(f, "cannot add layer `{name}`: a world has at most {} layers", Layers::MAX)
            }
        }
    }
}

impl core::error::Error for WorldError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::BadPose(error) | Self::Shape(error) => Some(error),
            Self::Sheet(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ShapeError> for WorldError {
    fn from(error: ShapeError) -> Self {
        Self::Shape(error)
    }
}

impl From<SheetError> for WorldError {
    fn from(error: SheetError) -> Self {
        Self::Sheet(error)
    }
}
