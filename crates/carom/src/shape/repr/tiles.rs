//! Tile maps: rows of characters, and a legend that maps them to kinds of tiles.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use glam::Vec2;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use super::FieldPath;
use super::convert::{DEFAULT_UP, ReprError};
use super::value::{List, Xy, within};
use crate::shape::{Cell, TileKind, TileMap};
use crate::suggest::unknown_name;

/// Defines [`TileName`].
macro_rules! tile_names {
    ($($Variant:ident $name:literal,)*) => {
        /// A kind of tile that has a name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
        #[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
        pub enum TileName {
            $(#[serde(rename = $name)] $Variant,)*
        }

        impl TileName {
            const ALL: &[Self] = &[$(Self::$Variant),*];
            const NAMES: &[&str] = &[$($name),*];

            fn new(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$Variant),)*
                    _ => None,
                }
            }

            fn as_str(self) -> &'static str {
                match self {
                    $(Self::$Variant => $name,)*
                }
            }
        }
    };
}

tile_names! {
    Empty "empty",
    Solid "solid",
    OneWay "one_way",
    SlopeUp "slope_up",
    SlopeDown "slope_down",
    SlopeUpLow "slope_up_low",
    SlopeUpHigh "slope_up_high",
    SlopeDownHigh "slope_down_high",
    SlopeDownLow "slope_down_low",
}

impl TileName {
    fn kind(self, up: Vec2) -> TileKind {
        let slope = |from, to| TileKind::slope(from, to, up);
        match self {
            Self::Empty => TileKind::EMPTY,
            Self::Solid => TileKind::SOLID,
            Self::OneWay => TileKind::one_way(up),
            Self::SlopeUp => slope(0.0, 1.0),
            Self::SlopeDown => slope(1.0, 0.0),
            Self::SlopeUpLow => slope(0.0, 0.5),
            Self::SlopeUpHigh => slope(0.5, 1.0),
            Self::SlopeDownHigh => slope(1.0, 0.5),
            Self::SlopeDownLow => slope(0.5, 0.0),
        }
    }
}

/// Returns the kind of tile with a name, as in the legend of `tiles`.
pub fn tile_kind(name: &str, up: Vec2) -> Option<TileKind> {
    TileName::new(name).map(|name| name.kind(up))
}

/// The kind of tile of each character.
#[derive(Clone, Debug, PartialEq)]
pub struct LegendRepr(Vec<(String, TileRepr)>);

/// A kind of tile: its name, or an object with its details.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename = "Tile", untagged)]
pub enum TileRepr {
    Name(TileName),
    Details(TileDetails),
}

/// A kind of tile with points in the unit square, or with a number for the game's own use.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename = "TileMore", deny_unknown_fields)]
pub struct TileDetails {
    /// The name of a kind, or `convex`.
    pub kind: String,
    /// The vertices of a `convex` tile, or the ends of the line of a `one_way`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<List<Xy>>,
    /// A number for the game's own use.
    #[serde(default)]
    pub data: u32,
}

impl LegendRepr {
    /// Returns the kinds of tiles, given the up direction.
    pub fn kinds(self, up: Vec2) -> Result<Vec<(char, TileKind)>, ReprError> {
        let kind = |(key, tile): (String, TileRepr)| {
            let mut letters = key.chars();
            let (Some(letter), None) = (letters.next(), letters.next()) else {
                return Err(ReprError::new(format_args!("{key:?} is not a single character")));
            };
            let path = FieldPath::default().field(&key);
            Ok((letter, tile.kind(up).map_err(|error| error.within(&path))?))
        };
        self.0.into_iter().map(kind).collect()
    }

    /// Returns the legend and the rows of a map. Kinds that every map has are in it only if they are used.
    pub fn of(map: &TileMap) -> (Self, Vec<String>) {
        let mut spare = ('a'..='z').chain('A'..='Z').chain('\u{100}'..);
        let mut letters: Vec<char> = Vec::new();
        let tiles: Vec<TileRepr> = map.kinds().iter().map(TileRepr::from).collect();
        for tile in &tiles {
            let usual = match tile {
                TileRepr::Name(TileName::Empty) => Some('.'),
                TileRepr::Name(TileName::Solid) => Some('#'),
                TileRepr::Name(TileName::OneWay) => Some('-'),
                TileRepr::Name(TileName::SlopeUp) => Some('/'),
                TileRepr::Name(TileName::SlopeDown) => Some('\\'),
                _ => None,
            };
            letters.extend(usual.or_else(|| spare.next()));
        }
        let letter = |cell: Cell| letters[usize::from(map.get(cell))];
        let row = |y| (0..map.columns()).map(|x| letter(Cell::new(x, y))).collect();
        let rows = (0..map.rows()).map(row).collect();
        let has_solid = map.tiles().any(|cell| map.get(cell) == TileMap::SOLID);
        let first = if has_solid { TileMap::SOLID } else { TileMap::SOLID + 1 };
        let entries = letters.iter().map(char::to_string).zip(tiles).skip(first.into());
        (Self(entries.collect()), rows)
    }
}

impl TileRepr {
    fn kind(self, up: Vec2) -> Result<TileKind, ReprError> {
        let TileDetails { kind, points, data } = match self {
            Self::Name(name) => return Ok(name.kind(up)),
            Self::Details(details) => details,
        };
        let points = points.as_ref().map(|points| &points.0[..]);
        let in_points =
            |message: String| ReprError::new(message).within(&FieldPath::default().field("points"));
        let tile = match (kind.as_str(), points, TileName::new(&kind)) {
            ("one_way", Some(&[a, b]), _) => TileKind::try_one_way_line(a, b)?,
            ("one_way", Some(points), _) => {
                return Err(in_points(format!("found {} points, expected 2", points.len())));
            }
            ("convex", Some(points), _) => TileKind::try_convex(points)?,
            ("convex", None, _) => return Err(ReprError::new("missing field `points`")),
            (name, Some(_), Some(_)) => return Err(in_points(format!("`{name}` takes no points"))),
            (_, None, Some(name)) => name.kind(up),
            (name, _, None) => {
                return Err(ReprError::new(unknown_name("kind of tile", name, TileName::NAMES)));
            }
        };
        Ok(tile.with_data(data))
    }
}

impl From<&TileKind> for TileRepr {
    fn from(kind: &TileKind) -> Self {
        let data = kind.data();
        let plain = kind.clone().with_data(0);
        let name = TileName::ALL.iter().copied().find(|name| name.kind(DEFAULT_UP) == plain);
        let (name, points) = match name {
            Some(name) if data == 0 => return Self::Name(name),
            Some(name) => (name.as_str(), None),
            None => {
                let points = kind.points().iter().copied().map(Xy).collect();
                (if kind.is_one_way() { "one_way" } else { "convex" }, Some(List(points)))
            }
        };
        Self::Details(TileDetails { kind: name.into(), points, data })
    }
}

impl Serialize for LegendRepr {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, tile)| (key, tile)))
    }
}

impl<'de> Deserialize<'de> for LegendRepr {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(LegendVisitor)
    }
}

struct LegendVisitor;

impl<'de> Visitor<'de> for LegendVisitor {
    type Value = LegendRepr;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a legend such as {{\"#\":\"solid\"}}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<LegendRepr, A::Error> {
        let mut entries: Vec<(String, TileRepr)> = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            if entries.iter().any(|entry| entry.0 == key) {
                return Err(A::Error::custom(format_args!("{key:?} is given twice")));
            }
            let tile =
                map.next_value().map_err(|error| within(format_args!("[{key:?}]"), error))?;
            entries.push((key, tile));
        }
        Ok(LegendRepr(entries))
    }
}

impl<'de> Deserialize<'de> for TileRepr {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TileVisitor)
    }
}

struct TileVisitor;

impl<'de> Visitor<'de> for TileVisitor {
    type Value = TileRepr;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a kind of tile such as \"solid\" or {{\"kind\":\"solid\",\"data\":7}}")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<TileRepr, E> {
        let unknown = || E::custom(unknown_name("kind of tile", name, TileName::NAMES));
        TileName::new(name).map(TileRepr::Name).ok_or_else(unknown)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<TileRepr, A::Error> {
        TileDetails::read(map).map(TileRepr::Details)
    }
}

#[cfg(feature = "schemars")]
impl schemars::JsonSchema for LegendRepr {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "Legend".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        <alloc::collections::BTreeMap<String, TileRepr>>::json_schema(generator)
    }
}
