//! What each tile of a map is in the way of things.

use std::collections::BTreeMap;
use std::path::Path;

use carom::prelude::*;

use super::model::{Map, Tile, Tileset};
use super::piece::Piece;
use super::{fault, read_tileset};
use crate::FileError;
use crate::import::affine::Affine;
use crate::import::properties::Properties;

/// The bits of a tile's number that say how it is flipped: left to right, upside down, and about the
/// diagonal. The fourth is for hexagonal maps.
const FLIPS: [u32; 3] = [1 << 31, 1 << 30, 1 << 29];
const NUMBER: u32 = (1 << 28) - 1;

/// The tilesets of a map, from the first number on.
pub struct Tiles {
    sets: Vec<Tileset>,
    /// The size of the map's cells.
    cell: Vec2,
    /// Whether all tiles are solid, because nothing says otherwise.
    pub all_solid: bool,
    known: BTreeMap<(u32, bool, bool), Form>,
}

/// What a tile is, in a cell.
#[derive(Clone)]
pub enum Form {
    Empty,
    Kind(TileKind),
    /// Shapes, relative to the corner of the cell.
    Shapes(Vec<Shape>),
}

impl Tiles {
    /// Reads the tilesets of a map, also those in files of their own.
    pub fn read(path: &Path, map: &Map) -> Result<Self, FileError> {
        let mut sets = Vec::new();
        for set in &map.tilesets {
            let set = match &set.source {
                Some(source) => {
                    let read = read_tileset(path, source)?;
                    Tileset { firstgid: set.firstgid, ..read }
                }
                None => set.clone(),
            };
            sets.push(set);
        }
        sets.sort_by_key(|set| set.firstgid);
        let cell = Vec2::new(map.tilewidth as f32, map.tileheight as f32);
        Ok(Self { sets, cell, all_solid: false, known: BTreeMap::new() })
    }

    /// Whether any tile says what it is in the way of.
    pub fn say_anything(&self) -> bool {
        let says = |properties: &Properties| {
            ["solid", "one_way"].iter().any(|name| properties.get(name).is_some())
        };
        self.sets.iter().any(|set| {
            let tile = |tile: &Tile| tile.objectgroup.is_some() || says(&tile.properties);
            says(&set.properties) || set.tiles.iter().any(tile)
        })
    }

    /// What a tile is, by its number with flips, in a layer with properties.
    pub fn form(
        &mut self,
        path: &Path,
        number: u32,
        layer: &Properties,
    ) -> Result<Form, FileError> {
        let key = (number, layer.is("solid"), layer.is("one_way"));
        if let Some(form) = self.known.get(&key) {
            return Ok(form.clone());
        }
        let form = self.work_out(path, number, layer)?;
        self.known.insert(key, form.clone());
        Ok(form)
    }

    fn work_out(&self, path: &Path, number: u32, layer: &Properties) -> Result<Form, FileError> {
        let Some(found) = self.find(path, number)? else { return Ok(Form::Empty) };
        let none = Properties::default();
        let tile = found.tile.map_or(&none, |tile| &tile.properties);
        let all = Properties::merged(&[tile, layer, &found.set.properties]);
        let place = || format!("tileset `{}`: tile {}", found.set.name, found.id);
        let failed = |error: &dyn std::fmt::Display| fault(path, &place(), error);
        let data = all.number("data").map_err(|error| failed(&error))?.unwrap_or(0);
        // Larger tiles than the cells stand on the lower side of the cell.
        let lower = Vec2::new(0.0, self.cell.y - found.size.y) + Vec2::from(found.set.tileoffset);
        let to_cell = flip(number, found.size).then(Affine::moved(lower));
        let to_unit = to_cell.then(Affine::stretched(Vec2::ONE / self.cell));
        let mut pieces = found.pieces();
        if pieces.is_empty() {
            let is_solid = all.is("solid") || self.all_solid;
            if all.is("one_way") {
                return Ok(Form::Kind(TileKind::one_way([0.0, -1.0]).with_data(data)));
            }
            if !is_solid {
                return Ok(Form::Empty);
            }
            pieces.push(Piece::rect(found.size));
        }
        if let [piece] = &pieces[..]
            && let Some(kind) = piece.mapped(&to_unit).kind(all.is("one_way"))
        {
            return Ok(Form::Kind(kind.with_data(data)));
        }
        let shapes = pieces.iter().map(|piece| piece.mapped(&to_cell).shape());
        let shapes: Result<Vec<Shape>, _> = shapes.collect();
        Ok(Form::Shapes(shapes.map_err(|error| failed(&error))?))
    }

    /// The shapes of a tile that is an object, relative to its lower left corner.
    pub fn of_object(&self, path: &Path, number: u32, size: Vec2) -> Result<Vec<Piece>, FileError> {
        let Some(found) = self.find(path, number)? else { return Ok(Vec::new()) };
        let size = Vec2::select(size.cmpgt(Vec2::ZERO), size, found.size);
        let to_object = flip(number, found.size)
            .then(Affine::stretched(size / found.size.max(Vec2::ONE)))
            .then(Affine::moved(Vec2::new(0.0, -size.y)));
        let mut pieces = found.pieces();
        if pieces.is_empty() {
            pieces.push(Piece::rect(found.size));
        }
        Ok(pieces.iter().map(|piece| piece.mapped(&to_object)).collect())
    }

    fn find(&self, path: &Path, number: u32) -> Result<Option<Found<'_>>, FileError> {
        let number = number & NUMBER;
        if number == 0 {
            return Ok(None);
        }
        let Some(set) = self.sets.iter().rev().find(|set| set.firstgid <= number) else {
            return Err(fault(path, &format!("tile {number}"), "no tileset has it"));
        };
        let id = number - set.firstgid;
        let tile = set.tiles.iter().find(|tile| tile.id == id);
        let own = tile.map_or([0, 0], |tile| [tile.imagewidth, tile.imageheight]);
        let [width, height] = if own == [0, 0] { [set.tilewidth, set.tileheight] } else { own };
        Ok(Some(Found { set, id, tile, size: Vec2::new(width as f32, height as f32) }))
    }
}

/// A tile of a tileset.
struct Found<'t> {
    set: &'t Tileset,
    id: u32,
    tile: Option<&'t Tile>,
    size: Vec2,
}

impl Found<'_> {
    /// Its shapes, relative to its upper left corner.
    fn pieces(&self) -> Vec<Piece> {
        let objects = self.tile.and_then(|tile| tile.objectgroup.as_ref());
        let objects = objects.into_iter().flat_map(|group| &group.objects);
        let piece = objects.filter_map(|object| {
            let place = Affine::turned(object.rotation.unwrap_or(0.0))
                .then(Affine::moved(Vec2::new(object.x, object.y)));
            Some(Piece::of(object)?.mapped(&place))
        });
        piece.collect()
    }
}

/// How a tile of some size is flipped: about the diagonal first, then left to right and upside down.
fn flip(number: u32, size: Vec2) -> Affine {
    let [x, y, diagonal] = FLIPS.map(|flag| number & flag != 0);
    let mut flip = Affine::IDENTITY;
    let mut size = size;
    if diagonal {
        flip = Affine { x: Vec2::Y, y: Vec2::X, origin: Vec2::ZERO };
        size = Vec2::new(size.y, size.x);
    }
    let mirrored = |is_so: bool| if is_so { -1.0 } else { 1.0 };
    let origin = Vec2::new(if x { size.x } else { 0.0 }, if y { size.y } else { 0.0 });
    flip.then(Affine::stretched(Vec2::new(mirrored(x), mirrored(y)))).then(Affine::moved(origin))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the corners of a tile come to lie, as Tiled draws them.
    #[test]
    fn tiles_are_flipped_as_tiled_draws_them() {
        let size = Vec2::new(16.0, 16.0);
        let at = |flags: u32| flip(flags << 29, size).apply(Vec2::new(16.0, 4.0)).to_array();
        assert_eq!(at(0b000), [16.0, 4.0]);
        assert_eq!(at(0b100), [0.0, 4.0]); // left to right
        assert_eq!(at(0b010), [16.0, 12.0]); // upside down
        assert_eq!(at(0b001), [4.0, 16.0]); // about the diagonal
        assert_eq!(at(0b101), [12.0, 16.0]); // a quarter turn clockwise
        assert_eq!(at(0b011), [4.0, 0.0]); // a quarter turn back
        assert_eq!(at(0b110), [0.0, 12.0]); // half a turn
    }
}
