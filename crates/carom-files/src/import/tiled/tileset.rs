//! The collision shapes of the tiles of a map.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use carom::prelude::*;

use super::model::{Map, Tile, Tileset};
use super::read_tileset;
use super::shapes::{Affine, TiledShape};
use crate::FileError;
use crate::import::ImportContext;
use crate::import::properties::Properties;

/// The bits of a global tile id (gid) that flip the tile: horizontally, vertically, and diagonally. The fourth flag
/// is for hexagonal maps.
const FLIP_FLAGS: [u32; 3] = [1 << 31, 1 << 30, 1 << 29];
/// The bits of a gid without flags.
const GID_MASK: u32 = (1 << 28) - 1;

/// The tilesets of a map, in the order of their first gids.
pub struct Tilesets {
    /// The file of the map.
    path: PathBuf,
    sets: Vec<Tileset>,
    /// The size of the map's cells.
    cell: Vec2,
    /// `true` if all tiles are solid, because nothing in the map has collision data.
    pub all_solid: bool,
    /// The collision shapes that have been resolved, by gid and by the properties `solid` and `one_way` of the layer.
    resolved: BTreeMap<(u32, bool, bool), TileCollision>,
}

/// The collision shape of a tile.
#[derive(Clone)]
pub enum TileCollision {
    None,
    Kind(TileKind),
    /// Shapes, relative to the corner of the cell.
    Shapes(Vec<Shape>),
}

impl Tilesets {
    /// Reads the tilesets of a map, including those in other files.
    pub fn read(context: &ImportContext<'_>, path: &Path, map: &Map) -> Result<Self, FileError> {
        let mut sets = Vec::new();
        for set in &map.tilesets {
            let set = match &set.source {
                Some(source) => {
                    let external = read_tileset(context, path, source)?;
                    Tileset { firstgid: set.firstgid, ..external }
                }
                None => set.clone(),
            };
            sets.push(set);
        }
        sets.sort_by_key(|set| set.firstgid);
        let cell = Vec2::new(map.tilewidth as f32, map.tileheight as f32);
        let (path, resolved) = (path.to_path_buf(), BTreeMap::new());
        Ok(Self { path, sets, cell, all_solid: false, resolved })
    }

    /// Returns `true` if any tile has a collision shape or a property `solid` or `one_way`.
    pub fn has_collision_data(&self) -> bool {
        self.sets.iter().any(|set| {
            let has_data =
                |tile: &Tile| tile.objectgroup.is_some() || tile.properties.has_collision_data();
            set.properties.has_collision_data() || set.tiles.iter().any(has_data)
        })
    }

    /// Returns the collision shape of a tile in a layer with some properties.
    pub fn collision(&mut self, gid: u32, layer: &Properties) -> Result<TileCollision, FileError> {
        let key = (gid, layer.is_true("solid"), layer.is_true("one_way"));
        if let Some(collision) = self.resolved.get(&key) {
            return Ok(collision.clone());
        }
        let collision = self.resolve(gid, layer)?;
        self.resolved.insert(key, collision.clone());
        Ok(collision)
    }

    fn resolve(&self, gid: u32, layer: &Properties) -> Result<TileCollision, FileError> {
        let Some(tile) = self.find(gid)? else { return Ok(TileCollision::None) };
        let none = Properties::default();
        let own = tile.tile.map_or(&none, |tile| &tile.properties);
        let properties = Properties::merged(&[own, layer, &tile.set.properties]);
        let failed = |error: &dyn std::fmt::Display| {
            let message = format!("tileset `{}`: tile {}: {error}", tile.set.name, tile.id);
            FileError::invalid(&self.path, message)
        };
        let data = properties.number("data").map_err(|error| failed(&error))?.unwrap_or(0);
        // Tiles that are larger than the cells are aligned with the lower side of the cell.
        let offset = Vec2::new(0.0, self.cell.y - tile.size.y) + Vec2::from(tile.set.tileoffset);
        let to_cell = flip(gid, tile.size).then(Affine::translation(offset));
        let to_unit = to_cell.then(Affine::scale(Vec2::ONE / self.cell));
        let mut shapes = tile.shapes();
        if shapes.is_empty() {
            if properties.is_true("one_way") {
                return Ok(TileCollision::Kind(TileKind::one_way([0.0, -1.0]).with_data(data)));
            }
            if !properties.is_true("solid") && !self.all_solid {
                return Ok(TileCollision::None);
            }
            shapes.push(TiledShape::rectangle(tile.size));
        }
        if let [shape] = &shapes[..]
            && let Some(kind) = shape.transformed(&to_unit).kind(properties.is_true("one_way"))
        {
            return Ok(TileCollision::Kind(kind.with_data(data)));
        }
        let shapes = shapes.iter().map(|shape| shape.transformed(&to_cell).shape());
        let shapes: Result<Vec<Shape>, _> = shapes.collect();
        Ok(TileCollision::Shapes(shapes.map_err(|error| failed(&error))?))
    }

    /// Returns the shapes of a tile object, relative to its lower left corner.
    pub fn object_shapes(&self, gid: u32, size: Vec2) -> Result<Vec<TiledShape>, FileError> {
        let Some(tile) = self.find(gid)? else { return Ok(Vec::new()) };
        let size = Vec2::select(size.cmpgt(Vec2::ZERO), size, tile.size);
        let to_object = flip(gid, tile.size)
            .then(Affine::scale(size / tile.size.max(Vec2::ONE)))
            .then(Affine::translation(Vec2::new(0.0, -size.y)));
        let mut shapes = tile.shapes();
        if shapes.is_empty() {
            shapes.push(TiledShape::rectangle(tile.size));
        }
        Ok(shapes.iter().map(|shape| shape.transformed(&to_object)).collect())
    }

    /// Returns the tile with a gid; `None` for gid 0, which is an empty cell.
    fn find(&self, gid: u32) -> Result<Option<TileRef<'_>>, FileError> {
        let gid = gid & GID_MASK;
        if gid == 0 {
            return Ok(None);
        }
        let Some(set) = self.sets.iter().rev().find(|set| set.firstgid <= gid) else {
            let message = format!("tile {gid}: not in any tileset");
            return Err(FileError::invalid(&self.path, message));
        };
        let id = gid - set.firstgid;
        let tile = set.tiles.iter().find(|tile| tile.id == id);
        let own = tile.map_or([0, 0], |tile| [tile.imagewidth, tile.imageheight]);
        let [width, height] = if own == [0, 0] { [set.tilewidth, set.tileheight] } else { own };
        Ok(Some(TileRef { set, id, tile, size: Vec2::new(width as f32, height as f32) }))
    }
}

/// A tile of a tileset.
struct TileRef<'t> {
    set: &'t Tileset,
    id: u32,
    /// The properties and shapes of the tile, if it has any.
    tile: Option<&'t Tile>,
    size: Vec2,
}

impl TileRef<'_> {
    /// Returns its shapes, relative to its upper left corner.
    fn shapes(&self) -> Vec<TiledShape> {
        let objects = self.tile.and_then(|tile| tile.objectgroup.as_ref());
        let objects = objects.into_iter().flat_map(|group| &group.objects);
        let shape = objects.filter_map(|object| {
            let to_tile = Affine::rotation(object.rotation.unwrap_or(0.0))
                .then(Affine::translation(Vec2::new(object.x, object.y)));
            Some(TiledShape::new(object)?.transformed(&to_tile))
        });
        shape.collect()
    }
}

/// Returns the flip of a tile: diagonally first, then horizontally and vertically.
fn flip(gid: u32, size: Vec2) -> Affine {
    let [x, y, diagonal] = FLIP_FLAGS.map(|flag| gid & flag != 0);
    let mut flip = Affine::IDENTITY;
    let mut size = size;
    if diagonal {
        flip = Affine { x: Vec2::Y, y: Vec2::X, origin: Vec2::ZERO };
        size = Vec2::new(size.y, size.x);
    }
    let sign = |is_flipped: bool| if is_flipped { -1.0 } else { 1.0 };
    let origin = Vec2::new(if x { size.x } else { 0.0 }, if y { size.y } else { 0.0 });
    flip.then(Affine::scale(Vec2::new(sign(x), sign(y)))).then(Affine::translation(origin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_flipped_as_tiled_draws_them() {
        let size = Vec2::new(16.0, 16.0);
        let at =
            |flags: u32| flip(flags << 29, size).transform_point(Vec2::new(16.0, 4.0)).to_array();
        assert_eq!(at(0b000), [16.0, 4.0]);
        assert_eq!(at(0b100), [0.0, 4.0]); // horizontally
        assert_eq!(at(0b010), [16.0, 12.0]); // vertically
        assert_eq!(at(0b001), [4.0, 16.0]); // diagonally
        assert_eq!(at(0b101), [12.0, 16.0]); // a clockwise quarter turn
        assert_eq!(at(0b011), [4.0, 0.0]); // a counterclockwise quarter turn
        assert_eq!(at(0b110), [0.0, 12.0]); // a half turn
    }
}
