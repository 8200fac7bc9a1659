//! The content of Tiled's files. The types have the fields of the JSON format; XML is parsed to the same types.

use std::fmt;

use carom::prelude::*;
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Visitor};

use crate::import::properties::Properties;

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Map {
    pub orientation: String,
    pub tilewidth: u32,
    pub tileheight: u32,
    pub layers: Vec<Layer>,
    pub tilesets: Vec<Tileset>,
    pub properties: Properties,
}

/// A layer of any type, or the shapes of a tile.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct Layer {
    /// `tilelayer`, `objectgroup`, `imagelayer` or `group`.
    #[serde(rename = "type")]
    pub kind: String,
    pub name: String,
    pub class: String,
    #[serde(deserialize_with = "finite")]
    pub offsetx: f32,
    #[serde(deserialize_with = "finite")]
    pub offsety: f32,
    pub properties: Properties,
    pub width: u32,
    pub height: u32,
    pub encoding: String,
    pub compression: String,
    pub data: Data,
    /// The chunks of an infinite layer.
    pub chunks: Vec<Chunk>,
    pub objects: Vec<Object>,
    pub layers: Vec<Layer>,
}

/// The tiles of a layer.
#[derive(Clone)]
pub enum Data {
    Gids(Vec<u32>),
    /// The tiles as text, in the encoding of the layer.
    Text(String),
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct Chunk {
    pub x: i32,
    pub y: i32,
    pub width: u32,
    pub height: u32,
    pub data: Data,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct Tileset {
    pub firstgid: u32,
    /// The file of an external tileset.
    pub source: Option<String>,
    pub name: String,
    pub tilewidth: u32,
    pub tileheight: u32,
    pub tileoffset: Offset,
    pub tiles: Vec<Tile>,
    pub properties: Properties,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default)]
pub struct Offset {
    #[serde(deserialize_with = "finite")]
    pub x: f32,
    #[serde(deserialize_with = "finite")]
    pub y: f32,
}

/// Reads a number that is finite as `f32`.
fn finite<'de, D: Deserializer<'de>>(from: D) -> Result<f32, D::Error> {
    let value = f64::deserialize(from)?;
    match value as f32 {
        number if number.is_finite() => Ok(number),
        _ => Err(D::Error::custom(format!("found {value:e}, expected a finite number"))),
    }
}

fn finite_or_none<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f32>, D::Error> {
    finite(from).map(Some)
}

impl From<Offset> for Vec2 {
    fn from(Offset { x, y }: Offset) -> Self {
        Self::new(x, y)
    }
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct Tile {
    pub id: u32,
    #[serde(rename = "type", alias = "class")]
    pub class: String,
    pub properties: Properties,
    /// Its collision shapes.
    pub objectgroup: Option<Layer>,
    /// The size of its image, if every tile has its own image.
    pub imagewidth: u32,
    pub imageheight: u32,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct Object {
    pub id: u64,
    pub name: Option<String>,
    #[serde(rename = "type", alias = "class")]
    pub class: Option<String>,
    #[serde(deserialize_with = "finite")]
    pub x: f32,
    #[serde(deserialize_with = "finite")]
    pub y: f32,
    #[serde(deserialize_with = "finite_or_none")]
    pub width: Option<f32>,
    #[serde(deserialize_with = "finite_or_none")]
    pub height: Option<f32>,
    /// The rotation about the object's position, in degrees, clockwise on the screen.
    #[serde(deserialize_with = "finite_or_none")]
    pub rotation: Option<f32>,
    /// The global tile id of a tile object.
    pub gid: Option<u32>,
    pub point: bool,
    pub ellipse: bool,
    pub capsule: bool,
    pub polygon: Option<Vec<Offset>>,
    pub polyline: Option<Vec<Offset>>,
    #[serde(deserialize_with = "is_present")]
    pub text: bool,
    /// The file with the values that the object itself does not have.
    pub template: Option<String>,
    pub properties: Properties,
}

/// The common values of all objects that refer to the template.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Template {
    pub object: Object,
}

impl Object {
    /// Returns the object, with the values that it does not have taken from its template.
    pub fn with_template(self, Template { object: other }: Template) -> Self {
        let has_shape = self.point || self.ellipse || self.capsule || self.text;
        let has_points = self.polygon.is_some() || self.polyline.is_some();
        let shape = if has_shape || has_points { &self } else { &other };
        Self {
            point: shape.point,
            ellipse: shape.ellipse,
            capsule: shape.capsule,
            text: shape.text,
            polygon: shape.polygon.clone(),
            polyline: shape.polyline.clone(),
            name: self.name.filter(|name| !name.is_empty()).or(other.name),
            class: self.class.filter(|class| !class.is_empty()).or(other.class),
            width: self.width.or(other.width),
            height: self.height.or(other.height),
            rotation: self.rotation.or(other.rotation),
            properties: Properties::merged(&[&self.properties, &other.properties]),
            template: None,
            ..self
        }
    }

    pub fn size(&self) -> Vec2 {
        Vec2::new(self.width.unwrap_or(0.0), self.height.unwrap_or(0.0))
    }
}

impl Default for Data {
    fn default() -> Self {
        Self::Gids(Vec::new())
    }
}

fn is_present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(deserializer).map(|_| true)
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DataVisitor)
    }
}

struct DataVisitor;

impl<'de> Visitor<'de> for DataVisitor {
    type Value = Data;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tiles as numbers or as text")
    }

    fn visit_str<E>(self, text: &str) -> Result<Data, E> {
        Ok(Data::Text(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Data, A::Error> {
        let mut gids = Vec::new();
        while let Some(gid) = list.next_element()? {
            gids.push(gid);
        }
        Ok(Data::Gids(gids))
    }
}
