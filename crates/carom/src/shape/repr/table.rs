//! The table from which reading, writing and the JSON Schema of shapes are generated.
//!
//! A field's name means the same in every shape, so all fields are read into one pool as they come.
//! `type`, which may come last, then determines which of them are required.

use alloc::format;
use alloc::string::String;
use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::tiles::{LegendRepr, TileDetails};
use super::value::{List, Number, Xy, within};
use crate::math::Flip;
use crate::suggest::unknown_name;

/// Defines [`ShapeRepr`] and the code that reads it.
///
/// - `fields` lists the names of all fields and their types.
/// - Each row is a shape: its variant, its tag and its fields. `: Option` makes a field optional, and
///   `= value` is its default in the schema. Every shape also has an optional `pose`.
/// - Doc comments become descriptions in the schema.
macro_rules! shape_repr {
    (
        fields { $($name:ident: $type:ty),* $(,)? }
        $(
            $(#[$doc:meta])*
            $Variant:ident $tag:literal {
                $( $(#[$attribute:meta])* $field:ident $(: $optional:ident $(= $default:tt)?)? ),*
            }
        )*
    ) => {
        #[allow(non_camel_case_types, dead_code)] // the types have the names of the fields; some are not of shapes
        mod field {
            use super::*;
            $(pub type $name = $type;)*
        }

        /// A shape.
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        #[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
        #[serde(rename = "Shape", tag = "type", deny_unknown_fields)]
        pub enum ShapeRepr {
            $(
                $(#[$doc])*
                #[serde(rename = $tag)]
                $Variant {
                    $(
                        $(#[$attribute])*
                        $($(#[cfg_attr(feature = "schemars", schemars(extend("default" = $default)))])?)?
                        $field: field_type!($field $($optional)?),
                    )*
                    #[serde(skip_serializing_if = "Option::is_none")]
                    pose: Option<PoseRepr>,
                },
            )*
        }

        /// The tags and the names of their fields.
        const TYPES: &[(&str, &[&str])] = &[$(($tag, &[$(stringify!($field),)* "pose"])),*];

        impl ShapeRepr {
            pub fn pose(&self) -> Option<PoseRepr> {
                match self {
                    $(Self::$Variant { pose, .. })|* => *pose,
                }
            }

            fn from_fields(fields: Fields) -> Result<Self, String> {
                let Type(tag, known) = fields.shape_type.ok_or_else(|| missing("type"))?;
                fields.reject_unknown(known)?;
                Ok(match tag {
                    $($tag => Self::$Variant {
                        $($field: take_field!(fields.$field $($optional)?),)*
                        pose: fields.pose,
                    },)*
                    _ => unreachable!("`Type` has one of the tags"),
                })
            }
        }

        #[derive(Default)]
        struct Fields {
            shape_type: Option<Type>,
            $($name: Option<$type>,)*
            /// The first field that no shape has.
            unknown: Option<String>,
        }

        #[allow(non_camel_case_types)] // the variants are the names of the fields
        enum Key { shape_type, $($name,)* Unknown(String) }

        impl Key {
            fn new(name: &str) -> Self {
                match name {
                    "type" => Self::shape_type,
                    $(stringify!($name) => Self::$name,)*
                    _ => Self::Unknown(name.into()),
                }
            }
        }

        impl Fields {
            fn read<'de, A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
                let mut fields = Self::default();
                while let Some(key) = map.next_key()? {
                    match key {
                        Key::shape_type => set_once(&mut fields.shape_type, "type", map.next_value()?)?,
                        $(Key::$name => {
                            let name = stringify!($name);
                            let value = map.next_value().map_err(|error| within(name, error))?;
                            set_once(&mut fields.$name, name, value)?;
                        })*
                        Key::Unknown(name) => {
                            map.next_value::<IgnoredAny>()?;
                            fields.unknown.get_or_insert(name);
                        }
                    }
                }
                Ok(fields)
            }

            /// Returns an error if a field is given that is not one of `known`.
            fn reject_unknown(&self, known: &[&str]) -> Result<(), String> {
                let given = [$(self.$name.as_ref().map(|_| stringify!($name))),*];
                let mut given = self.unknown.as_deref().into_iter().chain(given.into_iter().flatten());
                match given.find(|name| !known.contains(name)) {
                    Some(name) => Err(unknown_name("field", name, known)),
                    None => Ok(()),
                }
            }
        }
    };
}

macro_rules! field_type {
    ($field:ident) => { field::$field };
    ($field:ident Option) => { Option<field::$field> };
}

macro_rules! take_field {
    ($fields:ident.$field:ident) => {
        $fields.$field.ok_or_else(|| missing(stringify!($field)))?
    };
    ($fields:ident.$field:ident Option) => {
        $fields.$field
    };
}

shape_repr! {
    fields {
        at: Xy, a: Xy, b: Xy, center: Xy, min: Xy, max: Xy, half: Xy, radii: Xy,
        radius: Number, angle: Number, pixel: Number,
        points: List<Xy>, outer: List<Xy>, holes: List<List<Xy>>,
        closed: bool, one_sided: bool,
        parts: List<ShapeRepr>,
        origin: Xy, tile: Xy, up: Xy, rows: List<String>, legend: LegendRepr, mirror: Flip,
        pose: PoseRepr, position: Xy, scale: Number,
        kind: String, data: u32,
    }

    /// A point.
    Point "point" { at }

    /// A line segment.
    Segment "segment" { a, b }

    /// A circle.
    Circle "circle" { center, radius }

    /// An ellipse, rotated by an angle in radians.
    Ellipse "ellipse" { center, radii, angle: Option = 0.0 }

    /// A capsule: all points within a radius of a line segment.
    Capsule "capsule" { a, b, radius }

    /// An axis-aligned box.
    Aabb "aabb" { min, max }

    /// An oriented box with half its width and height, rotated by an angle in radians.
    Rect "rect" { center, half, angle: Option = 0.0 }

    /// A triangle.
    Triangle "triangle" {
        #[cfg_attr(feature = "schemars", schemars(with = "[Xy; 3]"))]
        points
    }

    /// A convex polygon, with rounded corners if it has a radius.
    Convex "convex" { points, radius: Option = 0.0 }

    /// A simple polygon, convex or not, with holes.
    Polygon "polygon" { outer, holes: Option = [] }

    /// A polyline.
    Chain "chain" {
        points,
        /// `true` if the last point is connected to the first.
        closed: Option = false,
        /// `true` if it blocks only bodies that come from its left (y up).
        one_sided: Option = false
    }

    /// Several shapes as one.
    Compound "compound" {
        #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
        parts
    }

    /// A tile map; the rows run along +y from the origin.
    Tiles "tiles" {
        origin,
        /// The width and height of a tile.
        tile,
        /// One character per tile; a dot and a space are empty.
        rows,
        /// The kind of tile of each character.
        legend,
        /// The up direction of platforms and slopes; towards the first row if left out.
        #[serde(skip_serializing_if = "Option::is_none")]
        up: Option,
        #[serde(skip_serializing_if = "Option::is_none")]
        mirror: Option
    }

    /// A pixel mask; the rows run along +y from the origin.
    Mask "mask" {
        origin,
        /// The side of a pixel; 1 if left out.
        pixel: Option,
        /// One character per pixel: `#` is opaque, a dot and a space are transparent.
        rows,
        #[serde(skip_serializing_if = "Option::is_none")]
        mirror: Option
    }
}

/// A position, a rotation in radians, and a scale.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename = "Pose", deny_unknown_fields)]
pub struct PoseRepr {
    pub position: Option<Xy>,
    pub angle: Option<Number>,
    pub scale: Option<Number>,
}

impl PoseRepr {
    fn from_fields(fields: Fields) -> Result<Self, String> {
        fields.reject_unknown(&["position", "angle", "scale"])?;
        Ok(Self { position: fields.position, angle: fields.angle, scale: fields.scale })
    }
}

impl TileDetails {
    fn from_fields(fields: Fields) -> Result<Self, String> {
        fields.reject_unknown(&["kind", "points", "data"])?;
        let kind = fields.kind.ok_or_else(|| missing("kind"))?;
        Ok(Self { kind, points: fields.points, data: fields.data.unwrap_or(0) })
    }

    pub fn read<'de, A: MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        Self::from_fields(Fields::read(map)?).map_err(A::Error::custom)
    }
}

fn missing(field: &str) -> String {
    format!("missing field `{field}`")
}

fn set_once<T, E: Error>(slot: &mut Option<T>, name: &str, value: T) -> Result<(), E> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(E::custom(format_args!("field `{name}` is given twice"))),
    }
}

/// A tag and its fields.
#[derive(Clone, Copy)]
struct Type(&'static str, &'static [&'static str]);

impl<'de> Deserialize<'de> for Type {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TypeVisitor)
    }
}

struct TypeVisitor;

impl Visitor<'_> for TypeVisitor {
    type Value = Type;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of a shape type")
    }

    fn visit_str<E: Error>(self, found: &str) -> Result<Type, E> {
        match TYPES.iter().find(|entry| entry.0 == found) {
            Some(&(tag, fields)) => Ok(Type(tag, fields)),
            None => {
                let known: alloc::vec::Vec<&str> = TYPES.iter().map(|entry| entry.0).collect();
                Err(E::custom(unknown_name("shape type", found, &known)))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_identifier(KeyVisitor)
    }
}

struct KeyVisitor;

impl Visitor<'_> for KeyVisitor {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of a field")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Key, E> {
        Ok(Key::new(name))
    }
}

/// A visitor that reads the fields of an object and converts them to a `T`.
struct ObjectVisitor<T> {
    expecting: &'static str,
    from_fields: fn(Fields) -> Result<T, String>,
}

impl<'de, T> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.expecting)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        (self.from_fields)(Fields::read(map)?).map_err(A::Error::custom)
    }
}

impl<'de> Deserialize<'de> for ShapeRepr {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expecting = "a shape such as {\"type\":\"circle\",\"center\":[x,y],\"radius\":r}";
        deserializer.deserialize_map(ObjectVisitor { expecting, from_fields: Self::from_fields })
    }
}

impl<'de> Deserialize<'de> for PoseRepr {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expecting = "a pose such as {\"position\":[x,y],\"angle\":r,\"scale\":s}";
        deserializer.deserialize_map(ObjectVisitor { expecting, from_fields: Self::from_fields })
    }
}
