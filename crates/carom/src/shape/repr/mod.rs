//! The serialized representation of shapes (feature `serde`), which all carom files and the program
//! `carom` use.
//!
//! A shape is an object with its `type` and the fields that its constructor takes. In JSON:
//!
//! ```text
//! {"type":"point","at":[x,y]}                        {"type":"segment","a":[x,y],"b":[x,y]}
//! {"type":"circle","center":[x,y],"radius":r}        {"type":"ellipse","center":[x,y],"radii":[a,b],"angle":r}
//! {"type":"capsule","a":[x,y],"b":[x,y],"radius":r}  {"type":"aabb","min":[x,y],"max":[x,y]}
//! {"type":"rect","center":[x,y],"half":[w,h],"angle":r}
//! {"type":"triangle","points":[[x,y],[x,y],[x,y]]}   {"type":"convex","points":[[x,y]…],"radius":r}
//! {"type":"polygon","outer":[[x,y]…],"holes":[[[x,y]…]…]}
//! {"type":"chain","points":[[x,y]…],"closed":false,"one_sided":false}
//! {"type":"compound","parts":[SHAPE…]}
//! {"type":"mask","origin":[x,y],"pixel":1.0,"rows":["..##","####"]}
//! {"type":"tiles","origin":[x,y],"tile":[w,h],"rows":["#..","###"],"legend":{"#":"solid","-":"one_way"}}
//! ```
//!
//! `angle` and the `radius` of a `convex` default to 0, `holes` to none, and `closed` and `one_sided` to
//! false.
//!
//! **Poses.** Every shape takes an optional `"pose":{"position":[x,y],"angle":r,"scale":s}`, each part of
//! which is optional, too. It is applied on reading, and the transformed shape is written; only `tiles` and a
//! `mask` keep their pose, and an optional `"mirror":{"x":true,"y":false}` that is applied before it. A box
//! that is moved, scaled or rotated by quarter turns stays an `aabb`; one that is rotated otherwise becomes a
//! `rect`.
//!
//! **Masks.** The rows run along +y from the origin: `#` is an opaque pixel, a dot and a space are
//! transparent. `pixel` is the side of a pixel, 1 by default.
//!
//! **Tiles.** The rows run along +y from the origin. A dot and a space are empty; the legend maps the other
//! characters to `empty`, `solid`, `one_way`, `slope_up`, `slope_down`, or the halves of gentle slopes over
//! two tiles, `slope_up_low`, `slope_up_high`, `slope_down_high` and `slope_down_low`. Slopes go up or down
//! along +x. The up direction of these names is an optional `"up":[x,y]`. It defaults to `[0,-1]`, towards
//! the first row: up in the file, and on a screen where y points down. If y points up, write `"up":[0,1]`.
//! Instead of a name there may be an object with a number for the game's own use, or with points in the
//! unit square: `{"kind":"solid","data":7}`, `{"kind":"convex","points":[[0,0],[1,0],[0.5,1]]}`,
//! `{"kind":"one_way","points":[[0,0],[1,1]]}` (it blocks what comes from its left, y up).
//!
//! **Errors.** Reading is strict: unknown fields, missing fields and invalid values are errors with a path
//! (`parts[2]: radius is -1; …`). [`ReadRepr`] gives the path as data.
//!
//! **Round trips.** A shape reads back to the same coordinates, bit for bit, except for shapes that no
//! constructor makes from their numbers: a `rect` or `ellipse` that was transformed after its construction,
//! whose corners may differ because its center is rounded; `tiles` and a `mask` that were rotated twice, for
//! the same reason; a shape that rounding left without area, which is written as a segment, capsule or point;
//! and a polygon that rounding made touch itself, which is written as the compound of its convex parts.
//! Compounds may nest as deep as the reader of the file format allows (`serde_json`: 63 levels, then an
//! error).
//!
//! With `serde_json`, enable its feature `float_roundtrip`. Without it, a number with very many digits may
//! be read as a neighbor of the nearest `f32`.

mod convert;
mod path;
mod table;
#[cfg(test)]
mod tests;
mod tiles;
mod value;

pub use crate::suggest::{closest_match, unknown_name};
pub use convert::ReprError;
pub use path::{FieldPath, PathSegment};
pub use tiles::tile_kind;
pub use value::{List, Names, Number, Xy, within};

pub(crate) use table::{PoseRepr, ShapeRepr};

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::math::Pose;
use crate::shape::Shape;

/// A type that is read in two steps: first the structure of its representation, then the values.
pub trait ReadRepr: Sized {
    /// Reads a value.
    ///
    /// # Errors
    /// The outer error is one of syntax or structure. The inner error names the value that is invalid.
    fn read_repr<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Result<Self, ReprError>, D::Error>;
}

/// Implements serde's traits, [`ReadRepr`] and `JsonSchema` for a type by those of its representation.
macro_rules! impl_by_repr {
    ($($type:ty => $repr:ty),* $(,)?) => { $(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                <$repr>::from(self).serialize(serializer)
            }
        }

        impl ReadRepr for $type {
            fn read_repr<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Result<Self, ReprError>, D::Error> {
                Ok(Self::try_from(<$repr>::deserialize(deserializer)?))
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::read_repr(deserializer)?.map_err(D::Error::custom)
            }
        }

        #[cfg(feature = "schemars")]
        impl schemars::JsonSchema for $type {
            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                <$repr>::schema_name()
            }

            fn schema_id() -> alloc::borrow::Cow<'static, str> {
                <$repr>::schema_id()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                <$repr>::json_schema(generator)
            }
        }
    )* };
}
pub(crate) use impl_by_repr;

impl_by_repr! { Shape => ShapeRepr, Pose => PoseRepr }
