//! Tiled: converts a map to a scene, in pixels, with y down.
//!
//! **Tile layers** become one body each, with a tile map. A tile collides with the shapes from Tiled's tile
//! collision editor, flipped and rotated with the tile. A single convex shape inside the tile becomes a kind
//! of tile, which has no internal edges to its neighbors; other shapes become separate colliders. A tile
//! without shapes is solid if it, its tileset or its layer has the property `solid`. If nothing in the map
//! has collision data, all tiles of all layers are solid. With the property `one_way`, only the upper side
//! of a tile blocks. The property `data` becomes the data of the tile's kind.
//!
//! **Objects** become one body each, fixed unless it has a `motion`: a sensor, unless the object or its
//! layer has another role. The object's id becomes `user_data`.
//!
//! The contents of a layer inherit its properties. Maps must be orthogonal.

mod layers;
mod model;
mod shapes;
mod tile_data;
mod tileset;
mod xml;

use std::path::Path;

use serde::de::DeserializeOwned;

use super::{ImportContext, ImportResult, decode_utf8, from_json};
use crate::FileError;
use model::{Map, Template, Tileset};

/// Imports a `.tmx` file.
pub(super) fn import_xml(
    context: &ImportContext<'_>,
    path: &Path,
    text: &str,
) -> Result<ImportResult, FileError> {
    layers::import(context, path, &xml::parse(path, text, "map", xml::map)?)
}

/// Imports a `.tmj` file.
pub(super) fn import_json(
    context: &ImportContext<'_>,
    path: &Path,
    text: &str,
) -> Result<ImportResult, FileError> {
    layers::import(context, path, &from_json::<Map>(path, text)?)
}

/// Reads a tileset that a map refers to.
fn read_tileset(context: &ImportContext<'_>, map: &Path, name: &str) -> Result<Tileset, FileError> {
    read_either(context, map, name, |path, text| xml::parse(path, text, "tileset", xml::tileset))
}

/// Reads a template that an object refers to.
fn read_template(
    context: &ImportContext<'_>,
    map: &Path,
    name: &str,
) -> Result<Template, FileError> {
    read_either(context, map, name, |path, text| xml::parse(path, text, "template", xml::template))
}

/// Reads a file that is XML or JSON.
fn read_either<T: DeserializeOwned>(
    context: &ImportContext<'_>,
    map: &Path,
    name: &str,
    parse_xml: impl Fn(&Path, &str) -> Result<T, FileError>,
) -> Result<T, FileError> {
    let (path, bytes) = &context.read_relative(map, name)?;
    let text = decode_utf8(path, bytes)?;
    if text.trim_start().starts_with('<') { parse_xml(path, text) } else { from_json(path, text) }
}
