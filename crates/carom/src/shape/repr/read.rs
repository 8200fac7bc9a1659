//! Reading shapes and poses.
//!
//! A field's name means the same in every shape, so all fields are read into one pool as they
//! come; `type`, which may come last, then says which of them must be there.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use glam::Vec2;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::tiles::{Legend, UP};
use super::value::{List, Number, Xy, within};
use crate::error::ShapeError;
use crate::math::{Flip, Pose};
use crate::shape::{
    Aabb, Capsule, Chain, Circle, Compound, ConvexPolygon, Ellipse, Mask, Obb, Point, Polygon,
    Segment, Shape, TileMap, Triangle,
};
use crate::suggest::unknown_name;

/// The shape types and their fields. A type added here is built in [`Fields::shape`].
const TYPES: [(&str, &[&str]); 14] = [
    ("point", &["at", "pose"]),
    ("segment", &["a", "b", "pose"]),
    ("circle", &["center", "radius", "pose"]),
    ("ellipse", &["center", "radii", "angle", "pose"]),
    ("capsule", &["a", "b", "radius", "pose"]),
    ("aabb", &["min", "max", "pose"]),
    ("rect", &["center", "half", "angle", "pose"]),
    ("triangle", &["points", "pose"]),
    ("convex", &["points", "radius", "pose"]),
    ("polygon", &["outer", "holes", "pose"]),
    ("chain", &["points", "closed", "one_sided", "pose"]),
    ("compound", &["parts", "pose"]),
    ("tiles", &["origin", "tile", "rows", "legend", "up", "mirror", "pose"]),
    ("mask", &["origin", "pixel", "rows", "mirror", "pose"]),
];

/// Declares the pool of fields.
macro_rules! fields {
    ($($field:ident: $form:ty),* $(,)?) => {
        #[derive(Default)]
        struct Fields {
            shape_type: Option<Type>,
            $($field: Option<$form>,)*
            /// The first field that no shape has.
            stranger: Option<String>,
        }

        #[allow(non_camel_case_types)] // the variants are the names in the file
        enum Key { shape_type, $($field,)* Stranger(String) }

        impl Key {
            fn of(name: &str) -> Self {
                match name {
                    "type" => Self::shape_type,
                    $(stringify!($field) => Self::$field,)*
                    _ => Self::Stranger(name.into()),
                }
            }
        }

        impl Fields {
            fn read<'de, A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
                let mut fields = Self::default();
                while let Some(key) = map.next_key()? {
                    match key {
                        Key::shape_type => put(&mut fields.shape_type, "type", map.next_value()?)?,
                        $(Key::$field => {
                            let name = stringify!($field);
                            let value = map.next_value().map_err(|error| within(name, error))?;
                            put(&mut fields.$field, name, value)?;
                        })*
                        Key::Stranger(name) => {
                            map.next_value::<IgnoredAny>()?;
                            fields.stranger.get_or_insert(name);
                        }
                    }
                }
                Ok(fields)
            }

            /// That only these fields are given.
            fn allow(&self, known: &[&str]) -> Result<(), Fault> {
                let given = [$(self.$field.as_ref().map(|_| stringify!($field))),*];
                let mut given = self.stranger.as_deref().into_iter().chain(given.into_iter().flatten());
                match given.find(|name| !known.contains(name)) {
                    Some(name) => Err(Fault(unknown_name("field", name, known))),
                    None => Ok(()),
                }
            }
        }
    };
}

fields! {
    at: Xy, a: Xy, b: Xy, center: Xy, min: Xy, max: Xy, half: Xy, radii: Xy,
    radius: Number, angle: Number, pixel: Number,
    points: List<Xy>, outer: List<Xy>, holes: List<List<Xy>>,
    closed: bool, one_sided: bool,
    parts: List<Shape>,
    origin: Xy, tile: Xy, up: Xy, rows: List<String>, legend: Legend, mirror: Flip,
    pose: Pose, position: Xy, scale: Number,
}

/// Why an object is not what it should be.
struct Fault(String);

impl From<ShapeError> for Fault {
    fn from(error: ShapeError) -> Self {
        Self(error.to_string())
    }
}

/// Takes a field, or says that it is missing.
macro_rules! need {
    ($fields:ident.$field:ident) => {
        $fields.$field.ok_or_else(|| missing(stringify!($field)))?
    };
}

fn missing(field: &str) -> Fault {
    Fault(format!("missing field `{field}`"))
}

fn put<T, E: Error>(slot: &mut Option<T>, name: &str, value: T) -> Result<(), E> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(E::custom(format_args!("field `{name}` is given twice"))),
    }
}

impl Fields {
    fn shape(self) -> Result<Shape, Fault> {
        let Type(name, fields) = self.shape_type.ok_or_else(|| missing("type"))?;
        self.allow(fields)?;
        let shape = match name {
            "point" => Point::try_new(need!(self.at))?.into(),
            "segment" => Segment::try_new(need!(self.a), need!(self.b))?.into(),
            "circle" => Circle::try_new(need!(self.center), need!(self.radius).0)?.into(),
            "ellipse" => {
                let angle = self.angle.map_or(0.0, |angle| angle.0);
                Ellipse::try_new(need!(self.center), need!(self.radii), angle)?.into()
            }
            "capsule" => {
                let (a, b) = (need!(self.a), need!(self.b));
                Capsule::try_new(a, b, need!(self.radius).0)?.into()
            }
            "aabb" => Aabb::try_new(need!(self.min), need!(self.max))?.into(),
            "rect" => {
                let angle = self.angle.map_or(0.0, |angle| angle.0);
                Obb::try_new(need!(self.center), need!(self.half), angle)?.into()
            }
            "triangle" => match need!(self.points).0[..] {
                [a, b, c] => Triangle::try_new(a, b, c)?.into(),
                ref points => {
                    return Err(Fault(format!("points: found {}, expected 3", points.len())));
                }
            },
            "convex" => {
                let radius = self.radius.map_or(0.0, |radius| radius.0);
                ConvexPolygon::try_rounded(&need!(self.points).0, radius)?.into()
            }
            "polygon" => {
                let holes = self.holes.map_or_else(Vec::new, |holes| holes.0);
                let holes: Vec<_> = holes.into_iter().map(|hole| hole.0).collect();
                Polygon::try_with_holes(&need!(self.outer).0, &holes)?.into()
            }
            "chain" => {
                let points = need!(self.points).0;
                let closed = self.closed.unwrap_or(false);
                let chain =
                    if closed { Chain::try_closed(&points) } else { Chain::try_new(&points) };
                if self.one_sided.unwrap_or(false) { chain?.one_sided() } else { chain? }.into()
            }
            "compound" => Compound::try_new(need!(self.parts).0)?.into(),
            "tiles" => {
                let legend = need!(self.legend).kinds(self.up.map_or(UP, Vec2::from));
                let (origin, tile) = (need!(self.origin), need!(self.tile));
                let rows = need!(self.rows).0;
                let map = TileMap::try_from_rows(origin, tile, &rows, &legend.map_err(Fault)?)?;
                map.flipped(self.mirror.unwrap_or(Flip::NONE)).into()
            }
            "mask" => {
                let (origin, pixel) = (need!(self.origin), self.pixel.map_or(1.0, |pixel| pixel.0));
                let mask = Mask::try_from_rows(origin, pixel, &need!(self.rows).0)?;
                mask.flipped(self.mirror.unwrap_or(Flip::NONE)).into()
            }
            _ => unreachable!("a type without a form"),
        };
        Ok(match self.pose {
            Some(pose) if pose != Pose::IDENTITY => place(&shape, &pose),
            _ => shape,
        })
    }

    fn pose(self) -> Result<Pose, Fault> {
        self.allow(&["position", "angle", "scale"])?;
        let position = self.position.unwrap_or(Xy(Pose::IDENTITY.position));
        let angle = self.angle.map_or(0.0, |angle| angle.0);
        let scale = self.scale.map_or(1.0, |scale| scale.0);
        Ok(Pose::try_new(position, angle, scale)?)
    }
}

/// The shape placed; boxes that are not turned stay boxes, within compounds too.
fn place(shape: &Shape, pose: &Pose) -> Shape {
    match shape {
        Shape::Aabb(aabb) if pose.rotation.angle() == 0.0 => aabb.transformed_bounds(pose).into(),
        Shape::Compound(compound) => {
            Compound::new(compound.parts().iter().map(|part| place(part, pose))).into()
        }
        _ => shape.transformed(pose),
    }
}

/// The name of a shape type and its fields.
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
        if let Some(&(name, fields)) = TYPES.iter().find(|entry| entry.0 == found) {
            return Ok(Type(name, fields));
        }
        Err(E::custom(unknown_name("shape type", found, &TYPES.map(|entry| entry.0))))
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
        Ok(Key::of(name))
    }
}

/// Reads an object's fields and makes something of them.
struct Object<T> {
    what: &'static str,
    make: fn(Fields) -> Result<T, Fault>,
}

impl<'de, T> Visitor<'de> for Object<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.what)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        (self.make)(Fields::read(map)?).map_err(|fault| A::Error::custom(fault.0))
    }
}

impl<'de> Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let what = "a shape such as {\"type\":\"circle\",\"center\":[x,y],\"radius\":r}";
        deserializer.deserialize_map(Object { what, make: Fields::shape })
    }
}

impl<'de> Deserialize<'de> for Pose {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let what = "a pose such as {\"position\":[x,y],\"angle\":r,\"scale\":s}";
        deserializer.deserialize_map(Object { what, make: Fields::pose })
    }
}
