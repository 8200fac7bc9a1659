//! `LDtk`: converts levels to a scene, in pixels, with y down.
//!
//! **`IntGrid` layers** become one body each, with a tile map. A value is solid, unless its name or the
//! caller gives another role. Values named `one_way` or `platform` are one-way platforms, and values named
//! `slope_up` or `slope_down` (with `_low` and `_high` for gentle slopes) are slopes. Sensors become a separate
//! collider. The data of a tile's kind is the value.
//!
//! **Entities** become one body each, with their box in the editor, and their pivot at the body's position:
//! a sensor, unless a tag, a field or the name gives another role.
//!
//! The fields of entities are their properties. The contents of a level inherit its fields. Levels keep
//! their positions in the world. Tiles and `AutoLayer` layers have no collision data and are ignored.

use std::path::Path;

use carom::prelude::*;
use carom::shape::repr::{tile_kind, unknown_name};
use carom::sheet::Role;
use serde::Deserialize;
use serde_json::Value;

use super::level_builder::{LevelBuilder, UP};
use super::properties::{Properties, text};
use super::{ImportContext, ImportResult, decode_utf8, from_json};
use crate::FileError;
use crate::scene::{SceneBody, SceneCollider};

/// The name of the program.
pub(super) const PROGRAM: &str = "LDtk";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Project {
    defs: Definitions,
    levels: Vec<Level>,
    world_layout: Option<String>,
    #[serde(default)]
    worlds: Vec<World>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct World {
    levels: Vec<Level>,
    world_layout: Option<String>,
}

#[derive(Deserialize)]
struct Definitions {
    layers: Vec<LayerDefinition>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LayerDefinition {
    uid: i64,
    #[serde(default)]
    int_grid_values: Vec<GridValue>,
}

#[derive(Deserialize)]
struct GridValue {
    value: u32,
    identifier: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Level {
    identifier: String,
    world_x: f32,
    world_y: f32,
    #[serde(default)]
    world_depth: i64,
    px_wid: f32,
    px_hei: f32,
    /// The file of the level, if it is not in the project's file.
    external_rel_path: Option<String>,
    layer_instances: Option<Vec<Layer>>,
    #[serde(default)]
    field_instances: Vec<Field>,
}

#[derive(Deserialize)]
struct Layer {
    #[serde(rename = "__identifier")]
    identifier: String,
    #[serde(rename = "__type")]
    kind: String,
    #[serde(rename = "__cWid")]
    columns: u32,
    #[serde(rename = "__cHei")]
    rows: u32,
    #[serde(rename = "__gridSize")]
    cell: f32,
    #[serde(rename = "__pxTotalOffsetX", default)]
    offset_x: f32,
    #[serde(rename = "__pxTotalOffsetY", default)]
    offset_y: f32,
    #[serde(rename = "layerDefUid")]
    definition: i64,
    #[serde(rename = "intGridCsv", default)]
    values: Vec<u32>,
    #[serde(rename = "entityInstances", default)]
    entities: Vec<Entity>,
}

#[derive(Deserialize)]
struct Entity {
    #[serde(rename = "__identifier")]
    identifier: String,
    #[serde(rename = "__pivot", default)]
    pivot: [f32; 2],
    #[serde(rename = "__tags", default)]
    tags: Vec<String>,
    px: [f32; 2],
    width: f32,
    height: f32,
    #[serde(rename = "fieldInstances", default)]
    fields: Vec<Field>,
}

#[derive(Deserialize)]
struct Field {
    #[serde(rename = "__identifier")]
    identifier: String,
    #[serde(rename = "__value")]
    value: Value,
}

/// The fields of a project that all versions of the format have.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Versioned {
    #[serde(default)]
    json_version: String,
}

/// The first version in which `IntGrid` layers have a list of all values.
const MIN_VERSION: [u32; 2] = [0, 8];

/// Imports an `.ldtk` project.
pub(super) fn import(
    context: &ImportContext<'_>,
    path: &Path,
    file: &str,
) -> Result<ImportResult, FileError> {
    let Versioned { json_version } = from_json(path, file)?;
    let numbers: Vec<u32> = json_version.split('.').map_while(|it| it.parse().ok()).collect();
    if numbers.len() > 1 && numbers[..] < MIN_VERSION[..] {
        let [major, minor] = MIN_VERSION;
        let message = format!(
            "found version {json_version}, expected {major}.{minor} or later; open the project in a newer LDtk and save it"
        );
        return Err(FileError::invalid(path, message));
    }
    let mut project: Project = from_json(path, file)?;
    let first = World { levels: project.levels, world_layout: project.world_layout };
    project.worlds.insert(0, first);
    let names: Vec<&str> =
        project.worlds.iter().flat_map(|world| &world.levels).map(|it| &*it.identifier).collect();
    if let Some(wanted) = context.importer.level.as_deref().filter(|level| !names.contains(level)) {
        return Err(FileError::invalid(path, unknown_name("level", wanted, &names)));
    }
    let has_prefix = names.len() > 1 && context.importer.level.is_none();
    let builder = LevelBuilder::new(context, path);
    let mut importer = LdtkImporter { builder, definitions: &project.defs.layers, has_prefix };
    for world in &project.worlds {
        importer.import_world(world)?;
    }
    importer.builder.finish(PROGRAM)
}

struct LdtkImporter<'i> {
    builder: LevelBuilder<'i>,
    definitions: &'i [LayerDefinition],
    /// `true` if the names of bodies start with the name of their level.
    has_prefix: bool,
}

impl LdtkImporter<'_> {
    fn import_world(&mut self, world: &World) -> Result<(), FileError> {
        let wanted = self.builder.context.importer.level.clone();
        let wanted = |level: &&Level| wanted.as_ref().is_none_or(|name| level.identifier == *name);
        let mut end = Vec2::ZERO;
        for level in &world.levels {
            // The levels of a linear layout follow each other.
            let at = match world.world_layout.as_deref() {
                Some("LinearHorizontal") => Vec2::new(end.x, 0.0),
                Some("LinearVertical") => Vec2::new(0.0, end.y),
                _ => Vec2::new(level.world_x, level.world_y),
            };
            end += Vec2::new(level.px_wid, level.px_hei);
            if !wanted(&level) {
                continue;
            }
            if level.world_depth != world.levels[0].world_depth {
                let warning =
                    "levels with different depths overlap; use --level to import one of them";
                self.builder.warn(warning.into());
            }
            self.import_level(level, if self.has_prefix { at } else { Vec2::ZERO })?;
        }
        Ok(())
    }

    fn import_level(&mut self, level: &Level, at: Vec2) -> Result<(), FileError> {
        let external = match (&level.layer_instances, &level.external_rel_path) {
            (None, Some(name)) => {
                let (path, bytes) = &self.builder.context.read_relative(self.builder.path, name)?;
                Some(from_json::<Level>(path, decode_utf8(path, bytes)?)?)
            }
            _ => None,
        };
        let Level { identifier, layer_instances, field_instances, .. } =
            external.as_ref().unwrap_or(level);
        let prefix = if self.has_prefix { format!("{identifier}/") } else { String::new() };
        let properties = properties(field_instances, &[]);
        for layer in layer_instances.iter().flatten() {
            let at = at + Vec2::new(layer.offset_x, layer.offset_y);
            match layer.kind.as_str() {
                "IntGrid" => self.import_grid(layer, &prefix, &properties, at)?,
                "Entities" => {
                    for entity in &layer.entities {
                        self.import_entity(layer, entity, &prefix, &properties, at)?;
                    }
                }
                _ => {
                    let name = &layer.identifier;
                    self.builder.warn(format!(
                        "layer `{name}`: ignored: Tiles and AutoLayer layers have no collision data"
                    ));
                }
            }
        }
        Ok(())
    }

    fn import_grid(
        &mut self,
        layer: &Layer,
        prefix: &str,
        outer: &Properties,
        at: Vec2,
    ) -> Result<(), FileError> {
        let Layer { identifier, columns, rows, values, .. } = layer;
        let location = format!("{prefix}{identifier}");
        let count = u64::from(*columns) * u64::from(*rows);
        if values.len() as u64 != count {
            let found = values.len();
            let message = format!("found {found} values, expected {columns}×{rows}");
            return Err(self.builder.error(&location, message));
        }
        let empty = TileMap::try_new([0.0, 0.0], Vec2::splat(layer.cell), [*columns, *rows]);
        let empty = empty.map_err(|error| self.builder.error(&location, error))?;
        let mut solids = empty.clone();
        let mut body = SceneBody::fixed(location.clone(), at);
        let mut used: Vec<u32> = values.iter().copied().filter(|&value| value != 0).collect();
        used.sort_unstable();
        used.dedup();
        for value in used {
            let name = self.value_name(layer, value);
            let role = self.builder.role(&[&name, identifier], &[outer], Role::Solid);
            let Some(role) = role.map_err(|error| self.builder.error(&location, error))? else {
                continue;
            };
            let named_kind = named_kind(&name);
            let has_kind = named_kind.is_some();
            let kind = named_kind.unwrap_or(TileKind::SOLID).with_data(value);
            if role == Role::Solid {
                self.paint(&mut solids, values, value, &kind)?;
            } else {
                let mut map = empty.clone();
                self.paint(&mut map, values, value, &kind)?;
                body.colliders.push(SceneCollider::new(role, map));
            }
            if !has_kind {
                self.builder.warn(format!("layer `{identifier}`: `{name}` is {role}"));
            }
        }
        if solids.tiles().next().is_some() {
            body.colliders.insert(0, SceneCollider::new(Role::Solid, solids));
        }
        if body.colliders.is_empty() {
            return Ok(());
        }
        self.builder.add(body, &[outer])
    }

    /// Sets the tiles of all cells that have a value.
    fn paint(
        &self,
        map: &mut TileMap,
        values: &[u32],
        value: u32,
        kind: &TileKind,
    ) -> Result<(), FileError> {
        let columns = map.columns();
        let cells = values.iter().enumerate().filter(|(_, found)| **found == value);
        for (i, _) in cells {
            let cell = [i as u32 % columns, i as u32 / columns];
            self.builder.set_tile(map, cell, kind.clone())?;
        }
        Ok(())
    }

    /// Returns the name of a value, or its number if it has none.
    fn value_name(&self, layer: &Layer, value: u32) -> String {
        let definition = self.definitions.iter().find(|it| it.uid == layer.definition);
        let known = definition.into_iter().flat_map(|it| &it.int_grid_values);
        let name = known.filter(|it| it.value == value).find_map(|it| it.identifier.clone());
        name.unwrap_or_else(|| value.to_string())
    }

    fn import_entity(
        &mut self,
        layer: &Layer,
        entity: &Entity,
        prefix: &str,
        outer: &Properties,
        at: Vec2,
    ) -> Result<(), FileError> {
        let Entity { identifier, pivot, px, width, height, .. } = entity;
        let name = format!("{prefix}{identifier}");
        let properties = properties(&entity.fields, &entity.tags);
        let names = [identifier.as_str(), &layer.identifier];
        let role = self.builder.role(&names, &[&properties, outer], Role::Sensor);
        let Some(role) = role.map_err(|error| self.builder.error(&name, error))? else {
            return Ok(());
        };
        let size = Vec2::new(*width, *height);
        let corner = -size * Vec2::from(*pivot);
        let shape = Aabb::try_new(corner, corner + size);
        let shape = shape.map_err(|error| self.builder.error(&name, error))?;
        let body = SceneBody::fixed(name, at + Vec2::from(*px));
        self.builder.add(body.with(SceneCollider::new(role, shape)), &[&properties, outer])
    }
}

/// Returns fields as properties. A tag that is the name of a role gives the role.
fn properties(fields: &[Field], tags: &[String]) -> Properties {
    let role = tags.iter().find(|tag| tag.parse::<Role>().is_ok());
    let role = role.map(|tag| ("role".to_owned(), tag.to_lowercase()));
    let fields = fields.iter().map(|field| (field.identifier.clone(), text(&field.value)));
    Properties(role.into_iter().chain(fields.filter(|(_, value)| !value.is_empty())).collect())
}

/// Returns the kind of tile with a name, if it is not `empty` or `solid`.
fn named_kind(name: &str) -> Option<TileKind> {
    let kind = match name.to_lowercase().as_str() {
        "oneway" | "platform" | "platforms" => Some(TileKind::one_way(UP)),
        name => tile_kind(name, UP),
    };
    kind.filter(|kind| ![TileKind::EMPTY, TileKind::SOLID].contains(kind))
}
