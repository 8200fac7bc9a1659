//! Conversion of the layers of a map to bodies of a scene.

use std::path::Path;

use carom::prelude::*;
use carom::sheet::Role;

use super::model::{Data, Layer, Map, Object};
use super::shapes::TiledShape;
use super::tileset::{TileCollision, Tilesets};
use super::{read_template, tile_data};
use crate::FileError;
use crate::import::level_builder::LevelBuilder;
use crate::import::properties::Properties;
use crate::import::{ImportContext, ImportResult};
use crate::scene::{SceneBody, SceneCollider};

/// The maximum number of cells of a layer. Each cell takes two bytes.
const MAX_LAYER_CELLS: i64 = 1 << 26;

/// Converts a map to a scene.
pub fn import(
    context: &ImportContext<'_>,
    path: &Path,
    map: &Map,
) -> Result<ImportResult, FileError> {
    if map.orientation != "orthogonal" {
        let message = format!("found orientation {:?}, expected \"orthogonal\"", map.orientation);
        return Err(FileError::invalid(path, message));
    }
    let (width, height) = (map.tilewidth, map.tileheight);
    if width == 0 || height == 0 {
        let message = format!("found tiles of {width}×{height} pixels, expected at least 1×1");
        return Err(FileError::invalid(path, message));
    }
    let mut tilesets = Tilesets::read(context, path, map)?;
    let mut builder = LevelBuilder::new(context, path);
    let gravity: Option<f32> =
        map.properties.number("gravity").map_err(|error| builder.error("map", error))?;
    builder.scene.gravity = Vec2::new(0.0, gravity.unwrap_or(0.0));
    if !tilesets.has_collision_data() && !any_layer(&map.layers, has_collision_data) {
        tilesets.all_solid = true;
        if any_layer(&map.layers, |layer| layer.kind == "tilelayer") {
            builder.warn("no tile has a collision shape, and no tile or layer has the property `solid`; importing all tiles as solid".into());
        }
    }
    let cell = Vec2::new(width as f32, height as f32);
    let mut importer = TiledImporter { builder, tilesets, cell };
    importer.import_layers(&map.layers, &Group::default())?;
    importer.builder.finish("Tiled")
}

/// Returns `true` if a layer, or a layer inside a group, satisfies a condition.
fn any_layer(layers: &[Layer], condition: fn(&Layer) -> bool) -> bool {
    layers.iter().any(|layer| condition(layer) || any_layer(&layer.layers, condition))
}

fn has_collision_data(layer: &Layer) -> bool {
    layer.properties.has_collision_data()
}

struct TiledImporter<'i> {
    builder: LevelBuilder<'i>,
    tilesets: Tilesets,
    /// The size of the cells.
    cell: Vec2,
}

/// The properties that a layer inherits from its groups.
#[derive(Clone, Default)]
struct Group {
    /// The names of the groups, each followed by a slash.
    prefix: String,
    properties: Properties,
    offset: Vec2,
}

/// A rectangle of cells.
#[derive(Clone, Copy)]
struct CellRect {
    first: [i32; 2],
    size: [u32; 2],
}

/// The gids of a rectangle of cells, row by row.
struct Chunk {
    rect: CellRect,
    gids: Vec<u32>,
}

/// The tiles of a layer that are not part of its tile map.
#[derive(Default)]
struct OtherTiles {
    /// The shapes of tiles that a tile map cannot contain.
    shapes: Vec<Shape>,
    /// The number of tiles without a collision shape.
    skipped: usize,
}

impl TiledImporter<'_> {
    fn import_layers(&mut self, layers: &[Layer], group: &Group) -> Result<(), FileError> {
        for layer in layers {
            let name = format!("{}{}", group.prefix, layer.name);
            let inherited = Group {
                prefix: format!("{name}/"),
                properties: Properties::merged(&[&layer.properties, &group.properties]),
                offset: group.offset + Vec2::new(layer.offsetx, layer.offsety),
            };
            match layer.kind.as_str() {
                "tilelayer" => self.import_tile_layer(layer, &name, inherited)?,
                "objectgroup" => {
                    for object in &layer.objects {
                        self.import_object(layer, object, &inherited)?;
                    }
                }
                "group" => self.import_layers(&layer.layers, &inherited)?,
                _ => self.builder.warn(format!("layer `{name}`: ignored: image layer")),
            }
        }
        Ok(())
    }

    fn import_tile_layer(
        &mut self,
        layer: &Layer,
        name: &str,
        group: Group,
    ) -> Result<(), FileError> {
        let location = format!("layer `{name}`");
        let Group { mut properties, offset, .. } = group;
        let names = [layer.name.as_str(), &layer.class];
        let role = self.builder.role(&names, &[&properties], Role::Solid);
        let Some(role) = role.map_err(|error| self.builder.error(&location, error))? else {
            return Ok(());
        };
        let has_role = self.builder.context.role_of(&names).is_some();
        if has_role || properties.get("role").is_some() {
            // A role that is given for a layer applies to all of its tiles.
            properties.0.entry("solid".into()).or_insert("true".into());
        }
        // 1. Decode the chunks, and create a tile map that contains all of them.
        let chunks = chunks(layer).map_err(|error| self.builder.error(&location, error))?;
        let rect = bounds(&chunks).map_err(|error| self.builder.error(&location, error))?;
        let Some(CellRect { first, size }) = rect else { return Ok(()) };
        let corner = Vec2::new(first[0] as f32, first[1] as f32) * self.cell;
        let map = TileMap::try_new(corner, self.cell, size);
        let mut map = map.map_err(|error| self.builder.error(&location, error))?;
        // 2. Fill the tile map.
        let OtherTiles { shapes, skipped } = self.fill(&mut map, first, &chunks, &properties)?;
        let is_empty = map.tiles().next().is_none();
        if skipped > 0 {
            let name = &layer.name;
            self.builder.warn(format!(
                "{location}: skipped {skipped} tiles without a collision shape; use --role \"{name}=solid\" to import them as full tiles"
            ));
        } else if shapes.is_empty() && is_empty {
            self.builder.warn(format!("{location}: no colliders found"));
        }
        // 3. Add the body.
        let mut body = SceneBody::fixed(name, offset);
        if !is_empty {
            body.colliders.push(SceneCollider::new(role, map));
        }
        body.colliders.extend(shapes.into_iter().map(|shape| SceneCollider::new(role, shape)));
        if body.colliders.is_empty() {
            return Ok(());
        }
        properties.0.remove("one_way"); // the tiles themselves are one-way
        self.builder.add(body, &[&properties])
    }

    /// Fills a tile map with `first` as the position of its first cell. Returns the tiles that it cannot contain.
    fn fill(
        &mut self,
        map: &mut TileMap,
        first: [i32; 2],
        chunks: &[Chunk],
        properties: &Properties,
    ) -> Result<OtherTiles, FileError> {
        let mut others = OtherTiles::default();
        for Chunk { rect: CellRect { first: corner, size }, gids } in chunks {
            for (i, &gid) in gids.iter().enumerate().filter(|(_, gid)| **gid != 0) {
                let i = i as u32;
                let (x, y) = (corner[0] + (i % size[0]) as i32, corner[1] + (i / size[0]) as i32);
                match self.tilesets.collision(gid, properties)? {
                    TileCollision::None => others.skipped += 1,
                    TileCollision::Kind(kind) => {
                        let cell = [(x - first[0]) as u32, (y - first[1]) as u32];
                        self.builder.set_tile(map, cell, kind)?;
                    }
                    TileCollision::Shapes(shapes) => {
                        let by = Vec2::new(x as f32, y as f32) * self.cell;
                        others.shapes.extend(shapes.into_iter().map(|shape| shape.translated(by)));
                    }
                }
            }
        }
        Ok(others)
    }

    fn import_object(
        &mut self,
        layer: &Layer,
        object: &Object,
        group: &Group,
    ) -> Result<(), FileError> {
        let mut object = object.clone();
        if let Some(template) = &object.template {
            let template = read_template(self.builder.context, self.builder.path, template)?;
            object = object.with_template(template);
        }
        let Object { id, properties, .. } = &object;
        let given_name = object.name.as_deref().unwrap_or_default();
        let class = object.class.as_deref().unwrap_or_default();
        let location = format!("layer `{}`: object {id}", layer.name);
        let shapes = match object.gid {
            Some(gid) => self.tilesets.object_shapes(gid, object.size())?,
            None => TiledShape::new(&object).into_iter().collect(),
        };
        if shapes.is_empty() {
            self.builder.warn(format!("{location}: ignored: text"));
            return Ok(());
        }
        let names = [given_name, class, &layer.name, &layer.class];
        let role = self.builder.role(&names, &[properties, &group.properties], Role::Sensor);
        let Some(role) = role.map_err(|error| self.builder.error(&location, error))? else {
            return Ok(());
        };
        let name = match (given_name, class) {
            ("", "") => format!("{} {id}", layer.name),
            ("", class) => class.into(),
            (name, _) => name.into(),
        };
        let mut body = SceneBody::fixed(name, Vec2::new(object.x, object.y) + group.offset);
        body.angle = object.rotation.unwrap_or(0.0).to_radians();
        body.user_data = *id;
        for shape in shapes {
            let shape = shape.shape().map_err(|error| self.builder.error(&location, error))?;
            body.colliders.push(SceneCollider::new(role, shape));
        }
        self.builder.add(body, &[properties, &group.properties])
    }
}

/// Returns the tiles of a layer: all of them as one chunk, or the chunks of an infinite layer.
fn chunks(layer: &Layer) -> Result<Vec<Chunk>, String> {
    // Check the size before decoding: tiles are compressed, so a small file can have many.
    let check = |cells: u64| match cells <= MAX_LAYER_CELLS as u64 {
        true => Ok(()),
        false => Err(format!("found {cells} cells, expected at most {MAX_LAYER_CELLS}")),
    };
    if layer.chunks.is_empty() {
        // An empty infinite layer has no chunks, but a size.
        let is_empty = match &layer.data {
            Data::Gids(gids) => gids.is_empty(),
            Data::Text(text) => text.trim().is_empty(),
        };
        if is_empty {
            return Ok(Vec::new());
        }
        let size = [layer.width, layer.height];
        check(u64::from(layer.width) * u64::from(layer.height))?;
        let gids = tile_data::gids(layer, &layer.data, size)?;
        return Ok(vec![Chunk { rect: CellRect { first: [0, 0], size }, gids }]);
    }
    let cells = layer.chunks.iter().map(|chunk| u64::from(chunk.width) * u64::from(chunk.height));
    check(cells.fold(0, u64::saturating_add))?;
    let chunk = layer.chunks.iter().map(|chunk| {
        let size = [chunk.width, chunk.height];
        let gids = tile_data::gids(layer, &chunk.data, size)
            .map_err(|error| format!("chunk at {}, {}: {error}", chunk.x, chunk.y))?;
        Ok(Chunk { rect: CellRect { first: [chunk.x, chunk.y], size }, gids })
    });
    chunk.collect()
}

/// Returns the smallest rectangle that contains all chunks.
fn bounds(chunks: &[Chunk]) -> Result<Option<CellRect>, String> {
    let rects = || chunks.iter().map(|chunk| chunk.rect).filter(|rect| !rect.size.contains(&0));
    let side = |i: usize| {
        let first = rects().map(|rect| i64::from(rect.first[i])).min()?;
        let end = rects().map(|rect| i64::from(rect.first[i]) + i64::from(rect.size[i])).max()?;
        Some((first, end - first))
    };
    let (Some((x, columns)), Some((y, rows))) = (side(0), side(1)) else { return Ok(None) };
    let is_too_far =
        |first: i64, count: i64| first + count > i64::from(i32::MAX) || count > MAX_LAYER_CELLS;
    if is_too_far(x, columns) || is_too_far(y, rows) || columns * rows > MAX_LAYER_CELLS {
        let found = format!("{columns}×{rows} cells starting at {x}, {y}");
        return Err(format!("found {found}, expected at most {MAX_LAYER_CELLS}"));
    }
    Ok(Some(CellRect { first: [x as i32, y as i32], size: [columns as u32, rows as u32] }))
}
