//! The values that representations consist of. Their errors have a path. Other formats that contain shapes
//! can use them, too, so that all errors read alike.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Display};
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::math::{IntoVec2, Vec2};

/// A finite `f32`.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[serde(transparent)]
pub struct Number(pub f32);

/// A vector, written `[x, y]`.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[serde(transparent)]
pub struct Xy(pub Vec2);

/// A list. An error in an item has its index, counted from 0.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(transparent)]
pub struct List<T>(pub Vec<T>);

/// A list of names. A single name may be read with or without brackets, and is written without.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names(pub Vec<String>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(items.into_iter().collect())
    }
}

impl IntoVec2 for Xy {
    fn into_vec2(self) -> Vec2 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_f32(NumberVisitor)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Number, E> {
        let number = value as f32;
        if number.is_finite() {
            Ok(Number(number))
        } else {
            Err(E::custom(format_args!("number out of range: {value:e} does not fit f32")))
        }
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Number, E> {
        Ok(Number(value as f32))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Number, E> {
        Ok(Number(value as f32))
    }
}

impl<'de> Deserialize<'de> for Xy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(XyVisitor)
    }
}

struct XyVisitor;

impl<'de> Visitor<'de> for XyVisitor {
    type Value = Xy;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[x, y]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Xy, A::Error> {
        let mut next = |name| list.next_element::<Number>().map_err(|error| within(name, error));
        let (Some(x), y) = (next(".x")?, next(".y")?) else {
            return Err(A::Error::invalid_length(0, &self));
        };
        let Some(y) = y else { return Err(A::Error::invalid_length(1, &self)) };
        match list.next_element::<IgnoredAny>()? {
            None => Ok(Xy(Vec2::new(x.0, y.0))),
            Some(_) => Err(A::Error::custom("more than two numbers, expected [x, y]")),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ListVisitor(PhantomData))
    }
}

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
    type Value = List<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<List<T>, A::Error> {
        let mut values = Vec::new();
        loop {
            let index = format_args!("[{}]", values.len());
            match list.next_element().map_err(|error| within(index, error))? {
                Some(value) => values.push(value),
                None => return Ok(List(values)),
            }
        }
    }
}

impl Serialize for Names {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0[..] {
            [name] => name.serialize(serializer),
            names => names.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NamesVisitor)
    }
}

struct NamesVisitor;

impl<'de> Visitor<'de> for NamesVisitor {
    type Value = Names;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a name or a list of names")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Names, E> {
        Ok(Names(alloc::vec![name.to_string()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Names, A::Error> {
        ListVisitor(PhantomData).visit_seq(list).map(|List(names)| Names(names))
    }
}

/// Returns an error with a path in front: `points`, `[3]` and `.x` add up to `points[3].x: …`.
pub fn within<E: Error>(path: impl Display, error: impl Display) -> E {
    let error = error.to_string();
    let colon = if error.starts_with(['[', '.']) { "" } else { ": " };
    E::custom(format_args!("{path}{colon}{error}"))
}

/// Implements `JsonSchema` by that of a standard type, without a separate definition.
#[cfg(feature = "schemars")]
macro_rules! schema_of {
    ($([$($parameter:ident)?] $type:ty => $standard:ty),* $(,)?) => { $(
        impl$(<$parameter: schemars::JsonSchema>)? schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                <$standard>::schema_name()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                <$standard>::json_schema(generator)
            }
        }
    )* };
}

#[cfg(feature = "schemars")]
schema_of! { [] Number => f32, [] Xy => [f32; 2], [T] List<T> => Vec<T> }

#[cfg(feature = "schemars")]
impl schemars::JsonSchema for Names {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "Names".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let (one, list) = (String::json_schema(generator), Vec::<String>::json_schema(generator));
        schemars::json_schema!({ "anyOf": [one, list] })
    }
}
