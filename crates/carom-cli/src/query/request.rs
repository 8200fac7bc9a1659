//! A single query: one line of JSON in, one line of JSON out.

use std::fmt;

use carom::prelude::*;
use carom::query::RigidMotion;
use carom::shape::repr::{Number, Xy, unknown_name};
use carom_files::Diagnostics;
use serde::Serialize;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The maximum length of a line, in bytes.
pub const MAX_LINE: usize = 64 << 20;

/// The maximum length of an error message, in bytes. Messages may quote the input.
const MAX_ERROR: usize = 1000;

/// The operations and their fields, besides `id` and `op`.
const OPS: [(&str, &[&str]); 7] = [
    ("intersects", &["a", "b"]),
    ("overlaps", &["a", "b"]),
    ("contains", &["a", "b"]),
    ("contact", &["a", "b"]),
    ("distance", &["a", "b"]),
    ("sweep", &["a", "b", "motion", "turn", "pivot"]),
    ("raycast", &["origin", "direction", "max", "b"]),
];

/// A response, without its id.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Intersects(bool),
    Overlaps(bool),
    Contains(bool),
    Contact(Option<Contact>),
    #[serde(rename = "hit")]
    Sweep(Option<SweepHit>),
    #[serde(rename = "hit")]
    Raycast(Option<RayHit>),
    Error(String),
    #[serde(untagged)]
    Distance(ClosestPoints),
}

/// Returns the response to a line, with a line break, or nothing for a blank line.
pub fn respond(line: &[u8]) -> Vec<u8> {
    if line.trim_ascii().is_empty() {
        return Vec::new();
    }
    if line.len() > MAX_LINE {
        return error_response(line, &format!("the line is longer than {MAX_LINE} bytes"));
    }
    let text = match str::from_utf8(line) {
        Ok(text) => text,
        Err(error) => return error_response(line, &format!("not UTF-8: {error}")),
    };
    match Fields::read(text).and_then(|fields| Ok((fields.evaluate()?, fields.get("id")))) {
        Ok((answer, id)) => to_line(id, answer),
        Err(error) => error_response(line, &error),
    }
}

/// Returns an error response, with the id of the line if it can be read.
pub fn error_response(line: &[u8], error: &str) -> Vec<u8> {
    let error = match error.char_indices().find(|&(at, _)| at >= MAX_ERROR) {
        Some((end, _)) => format!("{}…", &error[..end]),
        None => error.to_owned(),
    };
    let text = str::from_utf8(line)
        .or_else(|error| str::from_utf8(&line[..error.valid_up_to()]))
        .unwrap_or_default();
    let mut fields = Fields::default();
    // This reads the fields before a syntax error.
    let _ = fields.fill(text);
    to_line(Some(fields.get("id").unwrap_or(RawValue::NULL)), Answer::Error(error))
}

fn to_line(id: Option<&RawValue>, answer: Answer) -> Vec<u8> {
    #[derive(Serialize)]
    struct Response<'a> {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a RawValue>,
        #[serde(flatten)]
        answer: Answer,
    }
    let mut line = Vec::with_capacity(64);
    serde_json::to_writer(&mut line, &Response { id, answer })
        .expect("responses have no maps with other keys than strings");
    line.push(b'\n');
    line
}

/// The fields of a request, not parsed yet, so that an error can name the field.
#[derive(Default)]
struct Fields<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Fields<'a> {
    fn read(text: &'a str) -> Result<Self, String> {
        let mut fields = Self::default();
        match fields.fill(text) {
            Ok(()) => Ok(fields),
            Err(error) if error.is_data() => Err(message(error)),
            Err(error) => {
                let column = error.column();
                Err(format!("not valid JSON: {} at column {column}", message(error)))
            }
        }
    }

    fn fill(&mut self, text: &'a str) -> serde_json::Result<()> {
        let mut json = serde_json::Deserializer::from_str(text);
        json.deserialize_map(&mut *self)?;
        json.end()
    }

    fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.0.iter().find(|field| field.0 == name).map(|field| field.1)
    }

    fn optional<T: Deserialize<'a>>(&self, name: &str) -> Result<Option<T>, String> {
        let read = |raw: &'a RawValue| serde_json::from_str(raw.get());
        self.get(name).map(read).transpose().map_err(|error| format!("{name}: {}", message(error)))
    }

    fn required<T: Deserialize<'a>>(&self, name: &str) -> Result<T, String> {
        self.optional(name)?.ok_or_else(|| format!("missing field `{name}`"))
    }

    fn evaluate(&self) -> Result<Answer, String> {
        let op: String = self.required("op")?;
        let Some((_, known)) = OPS.iter().find(|known| known.0 == op) else {
            return Err(unknown_name("op", &op, &OPS.map(|known| known.0)));
        };
        let known = [&["id", "op"], *known].concat();
        if let Some((name, _)) = self.0.iter().find(|field| !known.contains(&&*field.0)) {
            return Err(unknown_name("field", name, &known));
        }
        if op == "raycast" {
            let ray = self.ray()?;
            return Ok(Answer::Raycast(self.required::<Shape>("b")?.raycast(&ray)));
        }
        let (a, b): (Shape, Shape) = (self.required("a")?, self.required("b")?);
        Ok(match &*op {
            "intersects" => Answer::Intersects(a.intersects(&b)),
            "overlaps" => Answer::Overlaps(a.overlaps(&b)),
            "contains" => Answer::Contains(a.contains(&b)),
            "contact" => Answer::Contact(a.contact(&b)),
            "distance" => Answer::Distance(a.closest_points(&b)),
            _ => Answer::Sweep(self.sweep(&a, &b)?),
        })
    }

    fn sweep(&self, a: &Shape, b: &Shape) -> Result<Option<SweepHit>, String> {
        let motion: Xy = self.required("motion")?;
        let turn = self.optional("turn")?.map_or(0.0, |turn: Number| turn.0);
        let pivot = self.optional("pivot")?.map_or_else(|| a.centroid(), |pivot: Xy| pivot.0);
        if turn == 0.0 {
            return Ok(a.sweep(motion, b));
        }
        let motion =
            RigidMotion::try_new(motion, turn, pivot).map_err(|error| error.to_string())?;
        Ok(a.sweep_rotating(&motion, b))
    }

    fn ray(&self) -> Result<Ray, String> {
        let (origin, direction): (Xy, Xy) = (self.required("origin")?, self.required("direction")?);
        let max: Number = self.required("max")?;
        Ray::try_new(origin, direction, max.0).map_err(|error| error.to_string())
    }
}

impl<'de> Visitor<'de> for &mut Fields<'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a request such as {{\"op\":\"intersects\",\"a\":SHAPE,\"b\":SHAPE}}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            let value = map.next_value()?;
            if self.get(&name).is_some() {
                return Err(A::Error::custom(format_args!("field `{name}` is given twice")));
            }
            self.0.push((name, value));
        }
        Ok(())
    }
}

/// Returns the message of an error without its line and column.
fn message(error: serde_json::Error) -> String {
    let Diagnostics(errors) = error.into();
    errors.into_iter().map(|error| error.message).collect()
}
