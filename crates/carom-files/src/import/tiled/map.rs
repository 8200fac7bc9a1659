//! Layers as bodies.

use std::path::Path;

use carom::prelude::*;
use carom::sheet::Role;

use super::model::{Layer, Map};
use super::tiles::{Form, Tiles};
use super::{data, objects};
use crate::FileError;
use crate::import::gather::Gather;
use crate::import::properties::Properties;
use crate::import::{Import, Job};
use crate::scene::{SceneBody, SceneCollider};

/// How many cells a layer can have: two bytes each.
const MOST: i64 = 1 << 26;

/// Makes a scene of a map.
pub fn import(job: &Job<'_>, path: &Path, map: Map) -> Result<Import, FileError> {
    if map.orientation != "orthogonal" {
        let found = &map.orientation;
        return Err(FileError::invalid(
            path,
            format!("found a map that is {found:?}, expected \"orthogonal\""),
        ));
    }
    if map.tilewidth == 0 || map.tileheight == 0 {
        let (width, height) = (map.tilewidth, map.tileheight);
        return Err(FileError::invalid(
            path,
            format!("found tiles of {width} by {height}, expected a size"),
        ));
    }
    let mut tiles = Tiles::read(path, &map)?;
    let mut gather = Gather::new(job, path);
    let gravity: Option<f32> =
        map.properties.number("gravity").map_err(|error| gather.fault("the map", error))?;
    gather.scene.gravity = Vec2::new(0.0, gravity.unwrap_or(0.0));
    if !tiles.say_anything() && !any_layer_says(&map.layers) {
        tiles.all_solid = true;
        if has_tiles(&map.layers) {
            gather.note("no tile has a collision shape, and no tile or layer the property `solid`: all tiles are solid".into());
        }
    }
    let cell = Vec2::new(map.tilewidth as f32, map.tileheight as f32);
    let mut walk = Walk { gather, tiles, cell };
    walk.layers(&map.layers, "", &Properties::default(), Vec2::ZERO)?;
    walk.gather.finish("Tiled")
}

fn any_layer_says(layers: &[Layer]) -> bool {
    layers.iter().any(|layer| {
        let says = ["solid", "one_way"].iter().any(|name| layer.properties.get(name).is_some());
        says || any_layer_says(&layer.layers)
    })
}

fn has_tiles(layers: &[Layer]) -> bool {
    layers.iter().any(|layer| layer.kind == "tilelayer" || has_tiles(&layer.layers))
}

struct Walk<'i> {
    gather: Gather<'i>,
    tiles: Tiles,
    cell: Vec2,
}

/// A rectangle of cells: its first, its columns and rows.
#[derive(Clone, Copy)]
struct Area {
    first: [i32; 2],
    size: [u32; 2],
}

/// What is no kind of tile in a layer: shapes of tiles, and how many tiles have none.
struct Filled {
    others: Vec<Shape>,
    left_out: usize,
}

/// Tiles, row by row.
struct Cells {
    area: Area,
    tiles: Vec<u32>,
}

impl Walk<'_> {
    fn layers(
        &mut self,
        layers: &[Layer],
        group: &str,
        outer: &Properties,
        offset: Vec2,
    ) -> Result<(), FileError> {
        for layer in layers {
            let outer = Properties::merged(&[&layer.properties, outer]);
            let offset = offset + Vec2::new(layer.offsetx, layer.offsety);
            let name = format!("{group}{}", layer.name);
            match layer.kind.as_str() {
                "tilelayer" => self.tile_layer(layer, &name, &outer, offset)?,
                "objectgroup" => {
                    objects::add(&mut self.gather, &self.tiles, layer, &outer, offset)?;
                }
                "group" => self.layers(&layer.layers, &format!("{name}/"), &outer, offset)?,
                _ => self.gather.note(format!("layer `{name}`: pictures have no shape")),
            }
        }
        Ok(())
    }

    fn tile_layer(
        &mut self,
        layer: &Layer,
        name: &str,
        outer: &Properties,
        offset: Vec2,
    ) -> Result<(), FileError> {
        let place = format!("layer `{name}`");
        let role = self.gather.role(&[&layer.name, &layer.class], &[outer], Role::Solid);
        let Some(role) = role.map_err(|error| self.gather.fault(&place, error))? else {
            return Ok(());
        };
        let mut outer = outer.clone();
        let asked = self.gather.job.role_of(&[&layer.name, &layer.class]);
        if asked.is_some() || outer.get("role").is_some() {
            // Who says what a layer is there for means all of its tiles.
            outer.0.entry("solid".into()).or_insert("true".into());
        }
        let parts = parts(layer).map_err(|error| self.gather.fault(&place, error))?;
        let Some(Area { first, size }) =
            extent(&parts).map_err(|error| self.gather.fault(&place, error))?
        else {
            return Ok(());
        };
        let corner = Vec2::new(first[0] as f32, first[1] as f32) * self.cell;
        let map = TileMap::try_new(corner, self.cell, size);
        let mut map = map.map_err(|error| self.gather.fault(&place, error))?;
        let Filled { others, left_out } = self.fill(&mut map, first, &parts, &outer)?;
        if left_out > 0 {
            let name = &layer.name;
            self.gather.note(format!(
                "{place}: tiles without a collision shape are left out ({left_out}); --role \"{name}=solid\" takes them whole"
            ));
        } else if others.is_empty() && map.tiles().next().is_none() {
            self.gather.note(format!("{place}: nothing in it collides"));
        }
        self.add_tiles(name, outer, offset, role, map, others)
    }

    /// Puts tiles into a map, whose first cell is given, and tells what is no kind of tile.
    fn fill(
        &mut self,
        map: &mut TileMap,
        first: [i32; 2],
        parts: &[Cells],
        outer: &Properties,
    ) -> Result<Filled, FileError> {
        let mut filled = Filled { others: Vec::new(), left_out: 0 };
        for Cells { area: Area { first: corner, size }, tiles } in parts {
            for (i, &number) in tiles.iter().enumerate().filter(|(_, number)| **number != 0) {
                let i = i as u32;
                let (x, y) = (corner[0] + (i % size[0]) as i32, corner[1] + (i / size[0]) as i32);
                match self.tiles.form(self.gather.path, number, outer)? {
                    Form::Empty => filled.left_out += 1,
                    Form::Kind(kind) => {
                        let cell = [(x - first[0]) as u32, (y - first[1]) as u32];
                        self.gather.set_tile(map, cell, kind)?;
                    }
                    Form::Shapes(shapes) => {
                        let by = Vec2::new(x as f32, y as f32) * self.cell;
                        filled.others.extend(shapes.into_iter().map(|shape| shape.translated(by)));
                    }
                }
            }
        }
        Ok(filled)
    }

    fn add_tiles(
        &mut self,
        name: &str,
        mut outer: Properties,
        offset: Vec2,
        role: Role,
        map: TileMap,
        others: Vec<Shape>,
    ) -> Result<(), FileError> {
        let mut body = SceneBody::fixed(name, offset);
        if map.tiles().next().is_some() {
            body.colliders.push(SceneCollider::new(role, map));
        }
        body.colliders.extend(others.into_iter().map(|shape| SceneCollider::new(role, shape)));
        if body.colliders.is_empty() {
            return Ok(());
        }
        // The tiles themselves are one-way already.
        outer.0.remove("one_way");
        self.gather.add(body, &[&outer])
    }
}

/// The tiles of a layer: all of them, or the chunks of an infinite one.
fn parts(layer: &Layer) -> Result<Vec<Cells>, String> {
    if layer.chunks.is_empty() {
        let size = [layer.width, layer.height];
        let tiles = data::tiles(layer, &layer.data, size);
        // An infinite layer on which nothing was drawn has no chunks, and a size all the same.
        return match &layer.data {
            super::model::Data::Numbers(numbers) if numbers.is_empty() => Ok(Vec::new()),
            super::model::Data::Text(text) if text.trim().is_empty() => Ok(Vec::new()),
            _ => Ok(vec![Cells { area: Area { first: [0, 0], size }, tiles: tiles? }]),
        };
    }
    let chunk = layer.chunks.iter().map(|chunk| {
        let size = [chunk.width, chunk.height];
        let tiles = data::tiles(layer, &chunk.data, size)
            .map_err(|error| format!("chunk at {}, {}: {error}", chunk.x, chunk.y))?;
        Ok(Cells { area: Area { first: [chunk.x, chunk.y], size }, tiles })
    });
    chunk.collect()
}

/// The cells of all parts, and what is between them.
fn extent(parts: &[Cells]) -> Result<Option<Area>, String> {
    let areas = || parts.iter().map(|part| part.area).filter(|area| !area.size.contains(&0));
    let side = |i: usize| {
        let first = areas().map(|area| i64::from(area.first[i])).min()?;
        let end = areas().map(|area| i64::from(area.first[i]) + i64::from(area.size[i])).max()?;
        Some((first, end - first))
    };
    let (Some((x, columns)), Some((y, rows))) = (side(0), side(1)) else { return Ok(None) };
    let is_far = |first: i64, count: i64| first + count > i64::from(i32::MAX) || count > MOST;
    if is_far(x, columns) || is_far(y, rows) || columns * rows > MOST {
        let found = format!("{columns} by {rows} cells from {x}, {y} on");
        return Err(format!("found {found}, expected {MOST} at most"));
    }
    Ok(Some(Area { first: [x as i32, y as i32], size: [columns as u32, rows as u32] }))
}
