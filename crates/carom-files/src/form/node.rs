//! JSON in which every value knows its place. `serde_json` reads it level by level, as raw values,
//! which are parts of the text.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{Fault, Problem, Problems};

/// As deep as `serde_json` reads.
const DEEPEST: usize = 127;

/// A text and what is in it.
pub struct Document<'a> {
    text: &'a str,
    pub root: Node<'a>,
}

/// A value.
pub struct Node<'a> {
    pub text: &'a str,
    /// Where it starts, in bytes.
    start: usize,
    pub value: Value<'a>,
}

/// What a value is made of.
pub enum Value<'a> {
    Object(Vec<Field<'a>>),
    List(Vec<Node<'a>>),
    Plain,
}

/// A field of an object.
pub struct Field<'a> {
    pub name: String,
    /// Where its name starts, in bytes.
    pub start: usize,
    pub node: Node<'a>,
}

impl<'a> Document<'a> {
    /// Reads a text that is JSON.
    ///
    /// # Errors
    /// With the first thing that is not.
    pub fn read(text: &'a str) -> Result<Self, Problems> {
        let raw: &RawValue = serde_json::from_str(text).map_err(|e| Problems::from_json(&e))?;
        match Node::read(text, raw, 0) {
            Ok(root) => Ok(Self { text, root }),
            Err(fault) => Err(Problems(vec![Problem { line: 1, column: 1, fault }])),
        }
    }

    /// A fault with its place: that of the innermost value on its path that there is.
    pub fn locate(&self, fault: Fault) -> Problem {
        self.problem(self.root.at(&fault.path).start, fault)
    }

    /// A fault at a byte of the text.
    pub fn problem(&self, start: usize, fault: Fault) -> Problem {
        let before = &self.text[..start];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&letter| letter != '\n').count() + 1;
        Problem { line, column, fault }
    }
}

impl<'a> Node<'a> {
    fn read(whole: &str, raw: &'a RawValue, depth: usize) -> Result<Self, Fault> {
        let text = raw.get();
        let start = place(whole, text);
        let failed = |error: serde_json::Error| Fault::new("", error);
        if depth > DEEPEST {
            return Err(Fault::new("", format!("nested more than {DEEPEST} deep")));
        }
        let value = match text.as_bytes().first() {
            Some(b'{') => {
                let RawFields(fields) = serde_json::from_str(text).map_err(failed)?;
                let field = |(name, value): (&'a RawValue, &'a RawValue)| {
                    let start = place(whole, name.get());
                    let name = serde_json::from_str(name.get()).map_err(failed)?;
                    Ok(Field { name, start, node: Self::read(whole, value, depth + 1)? })
                };
                Value::Object(fields.into_iter().map(field).collect::<Result<_, _>>()?)
            }
            Some(b'[') => {
                let items: Vec<&'a RawValue> = serde_json::from_str(text).map_err(failed)?;
                let item = |item| Self::read(whole, item, depth + 1);
                Value::List(items.into_iter().map(item).collect::<Result<_, _>>()?)
            }
            _ => Value::Plain,
        };
        Ok(Self { text, start, value })
    }

    /// Where it starts in the text, in bytes.
    pub fn start(&self) -> usize {
        self.start
    }

    /// A field of an object.
    pub fn field(&self, name: &str) -> Option<&Self> {
        let Value::Object(fields) = &self.value else { return None };
        fields.iter().find(|field| field.name == name).map(|field| &field.node)
    }

    /// The value at the end of a path such as `bodies[3].motion`, as far as there is one.
    pub fn at(&self, path: &str) -> &Self {
        let path = path.trim_start_matches('.');
        let next = match &self.value {
            Value::Object(fields) => fields.iter().find_map(|field| {
                let rest = path.strip_prefix(field.name.as_str())?;
                (rest.is_empty() || rest.starts_with(['.', '['])).then_some((&field.node, rest))
            }),
            Value::List(items) => path.strip_prefix('[').and_then(|path| {
                let (place, rest) = path.split_once(']')?;
                Some((items.get(place.parse::<usize>().ok()?)?, rest))
            }),
            Value::Plain => None,
        };
        next.map_or(self, |(node, rest)| node.at(rest))
    }

    /// Its type, in the words of JSON Schema.
    pub fn kind(&self) -> &'static str {
        match self.text.as_bytes().first() {
            Some(b'{') => "object",
            Some(b'[') => "array",
            Some(b'"') => "string",
            Some(b't' | b'f') => "boolean",
            Some(b'n') => "null",
            _ => "number",
        }
    }

    /// The text of a string.
    pub fn string(&self) -> Option<String> {
        serde_json::from_str(self.text).ok()
    }
}

/// What was found, for messages.
impl fmt::Display for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            "object" => write!(f, "an object"),
            "array" => write!(f, "a list"),
            _ if self.text.chars().count() > 40 => {
                write!(f, "{}…", self.text.chars().take(40).collect::<String>())
            }
            _ => write!(f, "{}", self.text),
        }
    }
}

/// Where a part of a text starts in it.
fn place(whole: &str, part: &str) -> usize {
    part.as_ptr().addr() - whole.as_ptr().addr()
}

/// The fields of an object as they are written, names too.
struct RawFields<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de> Deserialize<'de> for RawFields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = RawFields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(RawFields(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_where_they_stand() {
        let document = Document::read("{\"é\": [1,\n  {\"b.c\": true}]}").unwrap();
        let at = |path: &str| {
            let Problem { line, column, .. } = document.locate(Fault::new(path, ""));
            (line, column, document.root.at(path).text)
        };
        assert_eq!(at("é[0]"), (1, 8, "1"));
        assert_eq!(at("é[1].b.c"), (2, 11, "true"));
        assert_eq!(at("é[1].gone[7]"), (2, 3, "{\"b.c\": true}"));
        assert_eq!(at("é[2]").1, 7);
    }

    #[test]
    fn what_is_nested_too_deep_is_refused() {
        for depth in [100_000, 129] {
            let text = "[".repeat(depth) + &"]".repeat(depth);
            let problems = Document::read(&text).err().unwrap();
            assert!(problems.to_string().contains("nested more than"), "{problems}");
        }
        assert!(Document::read(&("[".repeat(128) + &"]".repeat(128))).is_ok());
    }
}
