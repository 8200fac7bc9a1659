//! Parsing Tiled's XML.

use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;

use carom::shape::repr::FieldPath;
use roxmltree::{Document, Node, ParsingOptions, TextPos};

use super::model::{Chunk, Data, Layer, Map, Object, Offset, Template, Tile, Tileset};
use crate::import::properties::Properties;
use crate::{Diagnostic, FileError};

/// The maximum nesting depth of groups.
const MAX_DEPTH: usize = 100;

/// An error about an element.
pub struct ElementError<'a, 'i> {
    node: Node<'a, 'i>,
    message: String,
}

type Parsed<'a, 'i, T> = Result<T, ElementError<'a, 'i>>;

/// Parses a file whose root element has a name.
pub fn parse<T>(
    path: &Path,
    text: &str,
    name: &str,
    parse_root: impl for<'a, 'i> Fn(Node<'a, 'i>) -> Parsed<'a, 'i, T>,
) -> Result<T, FileError> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let position = error.pos();
        let message = error.to_string();
        let message = message.strip_suffix(&format!(" at {position}")).unwrap_or(&message);
        FileError::invalid(path, at(position, message))
    })?;
    let at_node = |node: Node<'_, '_>, message: String| {
        FileError::invalid(path, at(document.text_pos_at(node.range().start), message))
    };
    let root = document.root_element();
    let found = root.tag_name().name();
    if found != name {
        let part = matches!(found, "tileset" | "template") && name == "map";
        let hint = if part { "; import the map that uses it" } else { "" };
        let message = format!("found <{found}>, expected <{name}>{hint}");
        return Err(at_node(root, message));
    }
    parse_root(root).map_err(|ElementError { node, message }| {
        at_node(node, format!("<{}>: {message}", node.tag_name().name()))
    })
}

fn at(position: TextPos, message: impl Display) -> Diagnostic {
    let (line, column) = (position.row as usize, position.col as usize);
    Diagnostic::new(FieldPath::default(), message).at(line, column)
}

/// Returns the value of an attribute; `None` if the element does not have it.
fn optional_attribute<'a, 'i, T: Number>(
    node: Node<'a, 'i>,
    name: &str,
) -> Parsed<'a, 'i, Option<T>> {
    let Some(text) = node.attribute(name) else { return Ok(None) };
    match T::parse(text.trim()) {
        Some(value) => Ok(Some(value)),
        None => Err(ElementError {
            node,
            message: format!("{name}: found {text:?}, expected {}", T::EXPECTED),
        }),
    }
}

/// A number in an attribute. A fraction must be finite as `f32`: not NaN, and not as large as 1e39.
trait Number: FromStr {
    const EXPECTED: &str = "a number";

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl Number for i32 {}
impl Number for u32 {}
impl Number for u64 {}
impl Number for f32 {
    const EXPECTED: &str = "a finite number";

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok().filter(|value: &f32| value.is_finite())
    }
}

/// Returns the value of an attribute; the default if the element does not have it.
fn attribute<'a, 'i, T: Number + Default>(node: Node<'a, 'i>, name: &str) -> Parsed<'a, 'i, T> {
    optional_attribute(node, name).map(Option::unwrap_or_default)
}

fn text(node: Node<'_, '_>, name: &str) -> String {
    node.attribute(name).unwrap_or_default().into()
}

fn elements<'a, 'i>(node: Node<'a, 'i>, name: &str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| child.has_tag_name(name))
}

fn element<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    elements(node, name).next()
}

pub fn map<'a, 'i>(node: Node<'a, 'i>) -> Parsed<'a, 'i, Map> {
    Ok(Map {
        orientation: text(node, "orientation"),
        tilewidth: attribute(node, "tilewidth")?,
        tileheight: attribute(node, "tileheight")?,
        layers: layers(node, 0)?,
        tilesets: elements(node, "tileset").map(tileset).collect::<Result<_, _>>()?,
        properties: properties(node),
    })
}

fn layers<'a, 'i>(node: Node<'a, 'i>, depth: usize) -> Parsed<'a, 'i, Vec<Layer>> {
    if depth > MAX_DEPTH {
        return Err(ElementError {
            node,
            message: format!("groups are nested more than {MAX_DEPTH} levels deep"),
        });
    }
    let is_layer = |node: &Node<'_, '_>| {
        ["layer", "objectgroup", "imagelayer", "group"].contains(&node.tag_name().name())
    };
    node.children().filter(is_layer).map(|node| layer(node, depth)).collect()
}

fn layer<'a, 'i>(node: Node<'a, 'i>, depth: usize) -> Parsed<'a, 'i, Layer> {
    let kind = node.tag_name().name();
    let mut layer = Layer {
        kind: if kind == "layer" { "tilelayer".into() } else { kind.into() },
        name: text(node, "name"),
        class: text(node, "class"),
        offsetx: attribute(node, "offsetx")?,
        offsety: attribute(node, "offsety")?,
        properties: properties(node),
        width: attribute(node, "width")?,
        height: attribute(node, "height")?,
        objects: elements(node, "object").map(object).collect::<Result<_, _>>()?,
        layers: layers(node, depth + 1)?,
        ..Layer::default()
    };
    if let Some(inner) = element(node, "data") {
        layer.encoding = text(inner, "encoding");
        layer.compression = text(inner, "compression");
        layer.chunks = elements(inner, "chunk").map(chunk).collect::<Result<_, _>>()?;
        layer.data = data(inner)?;
    }
    Ok(layer)
}

fn chunk<'a, 'i>(node: Node<'a, 'i>) -> Parsed<'a, 'i, Chunk> {
    Ok(Chunk {
        x: attribute(node, "x")?,
        y: attribute(node, "y")?,
        width: attribute(node, "width")?,
        height: attribute(node, "height")?,
        data: data(node)?,
    })
}

/// Parses tiles as text, or as elements.
fn data<'a, 'i>(node: Node<'a, 'i>) -> Parsed<'a, 'i, Data> {
    if element(node, "tile").is_none() {
        return Ok(Data::Text(node.text().unwrap_or_default().into()));
    }
    let numbers = elements(node, "tile").map(|tile| attribute(tile, "gid"));
    Ok(Data::Gids(numbers.collect::<Result<_, _>>()?))
}

pub fn tileset<'a, 'i>(node: Node<'a, 'i>) -> Parsed<'a, 'i, Tileset> {
    let tileoffset = match element(node, "tileoffset") {
        Some(node) => Offset { x: attribute(node, "x")?, y: attribute(node, "y")? },
        None => Offset::default(),
    };
    Ok(Tileset {
        firstgid: attribute(node, "firstgid")?,
        source: node.attribute("source").map(Into::into),
        name: text(node, "name"),
        tilewidth: attribute(node, "tilewidth")?,
        tileheight: attribute(node, "tileheight")?,
        tileoffset,
        tiles: elements(node, "tile").map(tile).collect::<Result<_, _>>()?,
        properties: properties(node),
    })
}

fn tile<'a, 'i>(node: Node<'a, 'i>) -> Parsed<'a, 'i, Tile> {
    let image = element(node, "image");
    let side = |name: &str| image.map_or(Ok(0), |image| attribute(image, name));
    Ok(Tile {
        id: attribute(node, "id")?,
        class: text(node, if node.has_attribute("class") { "class" } else { "type" }),
        properties: properties(node),
        objectgroup: element(node, "objectgroup").map(|node| layer(node, 0)).transpose()?,
        imagewidth: side("width")?,
        imageheight: side("height")?,
    })
}

pub fn template<'a, 'i>(node: Node<'a, 'i>) -> Parsed<'a, 'i, Template> {
    let inner = element(node, "object");
    Ok(Template { object: inner.map_or(Ok(Object::default()), object)? })
}

fn object<'a, 'i>(node: Node<'a, 'i>) -> Parsed<'a, 'i, Object> {
    let class = node.attribute("class").or(node.attribute("type"));
    Ok(Object {
        id: attribute(node, "id")?,
        name: node.attribute("name").map(Into::into),
        class: class.map(Into::into),
        x: attribute(node, "x")?,
        y: attribute(node, "y")?,
        width: optional_attribute(node, "width")?,
        height: optional_attribute(node, "height")?,
        rotation: optional_attribute(node, "rotation")?,
        gid: optional_attribute(node, "gid")?,
        point: element(node, "point").is_some(),
        ellipse: element(node, "ellipse").is_some(),
        capsule: element(node, "capsule").is_some(),
        polygon: element(node, "polygon").map(points).transpose()?,
        polyline: element(node, "polyline").map(points).transpose()?,
        text: element(node, "text").is_some(),
        template: node.attribute("template").map(Into::into),
        properties: properties(node),
    })
}

/// Parses points such as `0,0 16,0 16,16`.
fn points<'a, 'i>(node: Node<'a, 'i>) -> Parsed<'a, 'i, Vec<Offset>> {
    let point = |text: &str| {
        let parts = text.split_once(',').map(|(x, y)| (f32::parse(x), f32::parse(y)));
        match parts {
            Some((Some(x), Some(y))) => Ok(Offset { x, y }),
            _ => {
                Err(ElementError { node, message: format!("points: found {text:?}, expected x,y") })
            }
        }
    };
    node.attribute("points").unwrap_or_default().split_whitespace().map(point).collect()
}

/// Parses properties. Their values are attributes, or text if they have several lines.
fn properties(node: Node<'_, '_>) -> Properties {
    let list = element(node, "properties");
    let list = list.into_iter().flat_map(|list| elements(list, "property"));
    let value =
        |node: Node<'_, '_>| node.attribute("value").or(node.text()).unwrap_or_default().to_owned();
    Properties(list.map(|node| (text(node, "name"), value(node))).collect())
}
