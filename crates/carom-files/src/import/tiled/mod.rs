//! Tiled: a map becomes a scene, in pixels, y down.
//!
//! **Tile layers** become a body each, with a tile map. A tile collides in the shapes that Tiled's tile
//! collision editor gave it, turned and flipped with it; where that is one convex shape within the tile
//! it is a kind of tile, without seams to its neighbours, and else shapes of their own. A tile without
//! shapes is solid if it, its tileset or its layer has the property `solid`; and if nothing in the
//! map says what is solid, all tiles of all layers are. With the property `one_way`, only the upper side
//! stops things. The property `data` becomes the number of the tile's kind.
//!
//! **Objects** become a body each, that stands still unless it has a `motion`: a sensor, unless it or
//! its layer says something else. Its number becomes `user_data`.
//!
//! Properties of layers hold for what is in them. Maps have to be orthogonal.

mod data;
mod map;
mod model;
mod objects;
mod piece;
mod tiles;
mod xml;

use std::path::Path;

use super::{Import, Job, from_json, read_beside, text_of};
use crate::FileError;
use model::{Map, Template, Tileset};

/// Imports a `.tmx` file.
pub(super) fn import_xml(job: &Job<'_>, path: &Path, text: &str) -> Result<Import, FileError> {
    map::import(job, path, xml::read(path, text, "map", xml::map)?)
}

/// Imports a `.tmj` file.
pub(super) fn import_json(job: &Job<'_>, path: &Path, text: &str) -> Result<Import, FileError> {
    map::import(job, path, from_json::<Map>(path, text)?)
}

/// Reads a tileset that a map refers to.
fn read_tileset(map: &Path, name: &str) -> Result<Tileset, FileError> {
    let (path, bytes) = &read_beside(map, name)?;
    let text = text_of(path, bytes)?;
    if text.trim_start().starts_with('<') {
        xml::read(path, text, "tileset", xml::tileset)
    } else {
        from_json(path, text)
    }
}

/// Reads a template that an object refers to.
fn read_template(map: &Path, name: &str) -> Result<Template, FileError> {
    let (path, bytes) = &read_beside(map, name)?;
    let text = text_of(path, bytes)?;
    if text.trim_start().starts_with('<') {
        xml::read(path, text, "template", xml::template)
    } else {
        from_json(path, text)
    }
}

/// An error in a part of a map that has a name.
fn fault(path: &Path, place: &str, error: impl std::fmt::Display) -> FileError {
    FileError::invalid(path, format!("{place}: {error}"))
}
