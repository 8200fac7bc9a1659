//! Tile maps: rows of characters and a legend that says what they stand for.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use glam::Vec2;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::value::{List, Xy, within};
use crate::error::ShapeError;
use crate::shape::{Cell, TileKind, TileMap};
use crate::suggest::unknown_name;

/// Which way is up unless a map says so: towards the first row, as the text stands in the file.
pub(super) const UP: Vec2 = Vec2::new(0.0, -1.0);

/// The names that kinds without points have.
const NAMES: [&str; 9] = [
    "empty",
    "solid",
    "one_way",
    "slope_up",
    "slope_down",
    "slope_up_low",
    "slope_up_high",
    "slope_down_high",
    "slope_down_low",
];

/// The kind of tile that a name stands for, as in the legend of `tiles`.
pub fn tile_kind(name: &str, up: Vec2) -> Option<TileKind> {
    let slope = |from, to| TileKind::slope(from, to, up);
    Some(match name {
        "empty" => TileKind::EMPTY,
        "solid" => TileKind::SOLID,
        "one_way" => TileKind::one_way(up),
        "slope_up" => slope(0.0, 1.0),
        "slope_down" => slope(1.0, 0.0),
        "slope_up_low" => slope(0.0, 0.5),
        "slope_up_high" => slope(0.5, 1.0),
        "slope_down_high" => slope(1.0, 0.5),
        "slope_down_low" => slope(0.5, 0.0),
        _ => return None,
    })
}

/// What each character stands for, as read.
pub(super) struct Legend(Vec<(char, Entry)>);

impl Legend {
    /// The kinds, once it is known which way is up.
    pub fn kinds(self, up: Vec2) -> Result<Vec<(char, TileKind)>, String> {
        let kind = |(name, entry): (char, Entry)| match entry.kind(up) {
            Ok(kind) => Ok((name, kind)),
            Err(error) => Err(alloc::format!("legend[{name:?}]: {error}")),
        };
        self.0.into_iter().map(kind).collect()
    }
}

/// A kind as read: a name, or an object.
struct Entry {
    kind: String,
    points: Option<Vec<Xy>>,
    data: u32,
}

impl Entry {
    fn kind(self, up: Vec2) -> Result<TileKind, String> {
        let text = |error: ShapeError| error.to_string();
        let kind = match (self.kind.as_str(), self.points.as_deref()) {
            ("one_way", Some(&[a, b])) => TileKind::try_one_way_line(a, b).map_err(text)?,
            ("one_way", Some(points)) => {
                return Err(alloc::format!("points: found {}, expected 2", points.len()));
            }
            ("convex", Some(points)) => TileKind::try_convex(points).map_err(text)?,
            ("convex", None) => return Err("missing field `points`".into()),
            (name, Some(_)) if NAMES.contains(&name) => {
                return Err(alloc::format!("points: `{name}` takes none"));
            }
            (name, _) => {
                tile_kind(name, up).ok_or_else(|| unknown_name("kind of tile", name, &NAMES))?
            }
        };
        Ok(kind.with_data(self.data))
    }
}

impl<'de> Deserialize<'de> for Legend {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(LegendVisitor)
    }
}

struct LegendVisitor;

impl<'de> Visitor<'de> for LegendVisitor {
    type Value = Legend;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a legend such as {{\"#\":\"solid\"}}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Legend, A::Error> {
        let mut entries: Vec<(char, Entry)> = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            let mut letters = key.chars();
            let (Some(name), None) = (letters.next(), letters.next()) else {
                return Err(A::Error::custom(format_args!("{key:?} is not a single character")));
            };
            if entries.iter().any(|entry| entry.0 == name) {
                return Err(A::Error::custom(format_args!("{name:?} is given twice")));
            }
            let entry = map.next_value();
            entries.push((name, entry.map_err(|e| within(format_args!("[{name:?}]"), e))?));
        }
        Ok(Legend(entries))
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EntryVisitor)
    }
}

struct EntryVisitor;

impl<'de> Visitor<'de> for EntryVisitor {
    type Value = Entry;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a kind of tile such as \"solid\" or {{\"kind\":\"solid\",\"data\":7}}")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Entry, E> {
        Ok(Entry { kind: name.into(), points: None, data: 0 })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entry, A::Error> {
        let (mut kind, mut points, mut data) = (None, None, None);
        while let Some(key) = map.next_key::<String>()? {
            let twice = match key.as_str() {
                "kind" => kind.replace(map.next_value()?).is_some(),
                "points" => {
                    let list = map.next_value::<List<Xy>>();
                    points.replace(list.map_err(|error| within("points", error))?.0).is_some()
                }
                "data" => data.replace(map.next_value()?).is_some(),
                _ => {
                    let known = ["kind", "points", "data"];
                    return Err(A::Error::custom(unknown_name("field", &key, &known)));
                }
            };
            if twice {
                return Err(A::Error::custom(format_args!("field `{key}` is given twice")));
            }
        }
        let kind = kind.ok_or_else(|| A::Error::missing_field("kind"))?;
        Ok(Entry { kind, points, data: data.unwrap_or(0) })
    }
}

/// A map's rows and its legend, as written.
pub(super) struct Written<'a> {
    map: &'a TileMap,
    /// The character of each kind.
    names: Vec<char>,
}

impl<'a> Written<'a> {
    pub fn of(map: &'a TileMap) -> Self {
        let mut spare = ('a'..='z').chain('A'..='Z').chain('\u{100}'..);
        let mut names: Vec<char> = Vec::new();
        for kind in map.kinds() {
            let own = match Form::of(kind) {
                Form::Name("empty") => Some('.'),
                Form::Name("solid") => Some('#'),
                Form::Name("one_way") => Some('-'),
                Form::Name("slope_up") => Some('/'),
                Form::Name("slope_down") => Some('\\'),
                _ => None,
            };
            names.extend(own.or_else(|| spare.next()));
        }
        Self { map, names }
    }

    pub fn rows(&self) -> Vec<String> {
        let name = |cell: Cell| self.names[usize::from(self.map.get(cell))];
        let row = |y| (0..self.map.columns()).map(|x| name(Cell::new(x, y))).collect();
        (0..self.map.rows()).map(row).collect()
    }
}

/// The legend. Kinds that every map has are in it only where they are used.
impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let has_solid = self.map.tiles().any(|cell| self.map.get(cell) == TileMap::SOLID);
        let first = if has_solid { TileMap::SOLID } else { TileMap::SOLID + 1 };
        let kinds = self.map.kinds().iter().zip(&self.names).skip(first.into());
        kinds
            .into_iter()
            .try_for_each(|(kind, name)| map.serialize_entry(name, &Form::of(kind)))?;
        map.end()
    }
}

/// A kind as it is written.
#[derive(serde::Serialize)]
#[serde(untagged)]
enum Form<'a> {
    Name(&'static str),
    Data { kind: &'static str, data: u32 },
    Points { kind: &'static str, points: &'a [Vec2], data: u32 },
}

impl<'a> Form<'a> {
    fn of(kind: &'a TileKind) -> Self {
        let data = kind.data();
        let plain = kind.clone().with_data(0);
        match NAMES.into_iter().find(|name| tile_kind(name, UP).as_ref() == Some(&plain)) {
            Some(kind) if data > 0 => Self::Data { kind, data },
            Some(kind) => Self::Name(kind),
            None => {
                let name = if kind.is_one_way() { "one_way" } else { "convex" };
                Self::Points { kind: name, points: kind.points(), data }
            }
        }
    }
}
