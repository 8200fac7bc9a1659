//! Going through a file with its schema in hand.
//!
//! This knows as much of JSON Schema as the schemas of this crate use, and says what is wrong in words:
//! which field is unknown and which one was meant, what was found and what was expected.

use carom::prelude::*;
use carom::shape::repr::unknown_name;
use serde::de::DeserializeOwned;
use serde_json::Value as Schema;

use super::node::{Document, Field, Node, Value};
use super::{Fault, Problem, Problems};
use crate::scene::Script;

/// Forms that have more to say than a schema can: their own readers say it.
const READERS: [(&str, Reader); 3] =
    [("Shape", fault::<Shape>), ("Sheet", fault::<Sheet>), ("Script", fault::<Script>)];

type Reader = fn(&str) -> Option<String>;

fn fault<T: DeserializeOwned>(text: &str) -> Option<String> {
    let error = serde_json::from_str::<T>(text).err()?;
    let Problem { fault, .. } = Problems::from_json(&error).0.swap_remove(0);
    Some(fault.message)
}

/// Tells all that is wrong with a document.
///
/// # Errors
/// If anything is.
pub fn check(document: &Document<'_>, schema: &Schema) -> Result<(), Problems> {
    let mut check = Check { document, definitions: &schema["$defs"], problems: Vec::new() };
    check.value(&document.root, schema, "");
    let own = schema["title"].as_str().unwrap_or_default();
    check.ask_reader(own, &document.root, "", 0);
    if check.problems.is_empty() { Ok(()) } else { Err(Problems::sorted(check.problems)) }
}

struct Check<'c> {
    document: &'c Document<'c>,
    definitions: &'c Schema,
    problems: Vec<Problem>,
}

impl<'c> Check<'c> {
    fn tell(&mut self, start: usize, path: &str, message: impl std::fmt::Display) {
        self.problems.push(self.document.problem(start, Fault::new(path, message)));
    }

    fn expected(&mut self, node: &Node<'_>, path: &str, expected: &str) {
        self.tell(node.start(), path, format_args!("found {node}, expected {expected}"));
    }

    /// Follows a reference to a definition, and asks its own reader if there is one.
    fn value(&mut self, node: &Node<'_>, schema: &'c Schema, path: &str) {
        let so_far = self.problems.len();
        match schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/$defs/")) {
            Some(name) => {
                self.value(node, &self.definitions[name], path);
                self.ask_reader(name, node, path, so_far);
            }
            None => match schema["oneOf"].as_array().or(schema["anyOf"].as_array()) {
                Some(forms) => self.one_of(node, forms, path),
                None => self.plain(node, schema, path),
            },
        }
    }

    /// Lets the reader of a form look at what is sound as far as the schema goes.
    fn ask_reader(&mut self, name: &str, node: &Node<'_>, path: &str, so_far: usize) {
        let reader = READERS.iter().find(|(form, _)| *form == name).map(|(_, reader)| reader);
        if let Some(reader) = reader.filter(|_| self.problems.len() == so_far)
            && let Some(message) = reader(node.text)
        {
            // Messages begin with the field that they are about.
            let inner = message.split([' ', ':']).next().unwrap_or_default();
            self.tell(node.at(inner).start(), path, message);
        }
    }

    /// A value that has one of several forms: a word, an object with a `type`, or by its kind.
    fn one_of(&mut self, node: &Node<'_>, forms: &'c [Schema], path: &str) {
        let words: Vec<&str> = forms.iter().flat_map(words).collect();
        let types: Vec<&str> = forms.iter().filter_map(type_name).collect();
        if types.len() == forms.len() {
            return self.tagged(node, forms, &types, path);
        }
        if words.len() >= forms.len() {
            return self.word(node, &words, path);
        }
        let fits = |form: &&Schema| allows(self.resolved(form), node);
        match forms.iter().find(fits) {
            Some(form) => self.value(node, form, path),
            None => {
                let all = forms.iter().map(|form| expectation(self.resolved(form)));
                let all: Vec<String> = all.filter(|form| form != "null").collect();
                self.expected(node, path, &all.join(" or "));
            }
        }
    }

    fn resolved(&self, form: &'c Schema) -> &'c Schema {
        match form["$ref"].as_str().and_then(|name| name.strip_prefix("#/$defs/")) {
            Some(name) => &self.definitions[name],
            None => form,
        }
    }

    fn tagged(&mut self, node: &Node<'_>, forms: &'c [Schema], types: &[&str], path: &str) {
        if node.kind() != "object" {
            return self.expected(node, path, "an object with a `type`");
        }
        let Some(tag) = node.field("type") else {
            let names = types.join("`, `");
            let message = format!("missing field `type`, expected one of `{names}`");
            return self.tell(node.start(), path, message);
        };
        let name = tag.string().unwrap_or_default();
        match types.iter().position(|known| *known == name) {
            Some(i) => self.plain(node, &forms[i], path),
            None if tag.kind() == "string" => {
                self.tell(tag.start(), path, unknown_name("type", &name, types));
            }
            None => self.expected(tag, path, "the name of a type"),
        }
    }

    fn word(&mut self, node: &Node<'_>, words: &[&str], path: &str) {
        match node.string() {
            Some(word) if words.contains(&word.as_str()) => {}
            Some(word) => self.tell(node.start(), path, unknown_name("value", &word, words)),
            None => self.expected(node, path, &format!("one of `{}`", words.join("`, `"))),
        }
    }

    fn plain(&mut self, node: &Node<'_>, schema: &'c Schema, path: &str) {
        if !allows(schema, node) {
            return self.expected(node, path, &expectation(schema));
        }
        let words = words(schema);
        match &node.value {
            Value::Object(fields) => self.object(node, fields, schema, path),
            Value::List(items) => {
                for (i, item) in items.iter().enumerate() {
                    self.value(item, &schema["items"], &format!("{path}[{i}]"));
                }
            }
            Value::Plain if !words.is_empty() && node.kind() == "string" => {
                self.word(node, &words, path);
            }
            Value::Plain => {}
        }
    }

    fn object(&mut self, node: &Node<'_>, fields: &[Field<'_>], schema: &'c Schema, path: &str) {
        let known: Vec<&str> = schema["properties"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, _)| &**name)
            .collect();
        for (i, Field { name, start, node }) in fields.iter().enumerate() {
            let inner = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            if fields[..i].iter().any(|other| other.name == *name) {
                self.tell(*start, path, format_args!("field `{name}` is given twice"));
            }
            let others = &schema["additionalProperties"];
            match schema["properties"].get(name) {
                Some(schema) => self.value(node, schema, &inner),
                None if others.is_object() => self.value(node, others, &inner),
                None if others == false => {
                    self.tell(*start, path, unknown_name("field", name, &known))
                }
                None => {}
            }
        }
        let required = schema["required"].as_array().into_iter().flatten();
        for name in required.filter_map(Schema::as_str) {
            if node.field(name).is_none() {
                self.tell(node.start(), path, format_args!("missing field `{name}`"));
            }
        }
    }
}

/// The words that a schema names.
fn words(schema: &Schema) -> Vec<&str> {
    let several = schema["enum"].as_array().into_iter().flatten();
    several.chain([&schema["const"]]).filter_map(Schema::as_str).collect()
}

/// The `type` that objects of a form have.
fn type_name(form: &Schema) -> Option<&str> {
    form["properties"]["type"]["const"].as_str()
}

/// The types that a schema allows; all if it names none.
fn kinds(schema: &Schema) -> Vec<&str> {
    match &schema["type"] {
        Schema::Array(kinds) => kinds.iter().filter_map(Schema::as_str).collect(),
        kind => kind.as_str().into_iter().collect(),
    }
}

/// Whether a value is of the right type, and in range.
fn allows(schema: &Schema, node: &Node<'_>) -> bool {
    let kinds = kinds(schema);
    let fits = |kind: &str| match kind {
        "integer" => is_whole(schema, node),
        "number" => node.text.parse().is_ok_and(f32::is_finite),
        "array" => is_of_length(schema, node),
        _ => node.kind() == kind,
    };
    kinds.is_empty() || kinds.into_iter().any(fits)
}

fn is_whole(schema: &Schema, node: &Node<'_>) -> bool {
    let most = if schema["format"] == "uint32" { u64::from(u32::MAX) } else { u64::MAX };
    node.text.parse::<u64>().is_ok_and(|number| number <= most)
}

fn is_of_length(schema: &Schema, node: &Node<'_>) -> bool {
    let Value::List(items) = &node.value else { return false };
    let limit = |name: &str| schema[name].as_u64().map(|limit| limit as usize);
    limit("minItems").is_none_or(|least| items.len() >= least)
        && limit("maxItems").is_none_or(|most| items.len() <= most)
}

/// What a schema expects, for messages.
fn expectation(schema: &Schema) -> String {
    let one = |kind: &str| match kind {
        "integer" => "a whole number from 0 on".into(),
        "number" => "a number that fits f32".into(),
        "array" if schema["maxItems"] == 2 => "[x, y]".into(),
        "array" if schema["minItems"].is_u64() => {
            format!("a list of at least {}", schema["minItems"])
        }
        "array" => "a list".into(),
        "object" => match schema["required"].as_array().map_or(&[][..], Vec::as_slice) {
            [] => "an object".into(),
            names => {
                let names: Vec<&str> = names.iter().filter_map(Schema::as_str).collect();
                format!("an object with `{}`", names.join("`, `"))
            }
        },
        "boolean" => "true or false".into(),
        "null" => "null".into(),
        kind => format!("a {kind}"),
    };
    let all: Vec<String> =
        kinds(schema).into_iter().filter(|kind| *kind != "null").map(one).collect();
    if all.is_empty() { "null".into() } else { all.join(" or ") }
}
