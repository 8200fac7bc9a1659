//! Validation of a document against its JSON Schema.
//!
//! This module supports the part of JSON Schema that the schemas of this crate use. Its messages are for people:
//! for an unknown field they suggest a known one, and for a wrong value they contain the found and the expected
//! value.

use carom::prelude::*;
use carom::shape::repr::{FieldPath, ReadRepr, ReprError, unknown_name};
use carom::sheet::Sheet;
use serde_json::Value as Schema;

use super::spans::{Content, Document, Field, Node};
use crate::scene::InputScript;
use crate::{Diagnostic, Diagnostics};

/// The types whose values a schema cannot describe completely. Reading them finds the other errors.
const VALIDATORS: [(&str, Validator); 3] =
    [("Shape", validate_as::<Shape>), ("Sheet", validate_as::<Sheet>), ("Script", validate_script)];

type Validator = fn(&str) -> Result<(), ReprError>;

fn validate_as<T: ReadRepr>(text: &str) -> Result<(), ReprError> {
    let read = T::read_repr(&mut serde_json::Deserializer::from_str(text));
    read.map_err(|error| ReprError::new(Diagnostics::from(error)))?.map(|_| ())
}

fn validate_script(text: &str) -> Result<(), ReprError> {
    let text: String = serde_json::from_str(text).map_err(ReprError::new)?;
    text.parse::<InputScript>().map(|_| ()).map_err(ReprError::new)
}

/// Returns all differences between a document and its schema.
pub fn structure(document: &Document<'_>, schema: &Schema) -> Vec<Diagnostic> {
    check(document, schema, false)
}

/// Returns all differences between a document and its schema, and all invalid shapes, sheets and input
/// scripts in it.
pub fn structure_and_values(document: &Document<'_>, schema: &Schema) -> Vec<Diagnostic> {
    check(document, schema, true)
}

fn check(document: &Document<'_>, schema: &Schema, validates: bool) -> Vec<Diagnostic> {
    let mut check =
        Check { document, definitions: &schema["$defs"], validates, errors: Vec::new() };
    let path = FieldPath::default();
    check.check_value(&document.root, schema, &path);
    check.validate_as(schema["title"].as_str().unwrap_or_default(), &document.root, &path, 0);
    check.errors
}

struct Check<'c> {
    document: &'c Document<'c>,
    definitions: &'c Schema,
    /// `true` if the [`VALIDATORS`] are used.
    validates: bool,
    errors: Vec<Diagnostic>,
}

impl<'c> Check<'c> {
    fn report(&mut self, start: usize, path: &FieldPath, message: impl std::fmt::Display) {
        let error = Diagnostic::new(path.clone(), message);
        self.errors.push(self.document.with_position(error, start));
    }

    fn report_mismatch(&mut self, node: &Node<'_>, path: &FieldPath, expected: &str) {
        self.report(node.start, path, format_args!("found {node}, expected {expected}"));
    }

    /// Checks a value; follows references to definitions.
    fn check_value(&mut self, node: &Node<'_>, schema: &'c Schema, path: &FieldPath) {
        let errors_before = self.errors.len();
        match schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/$defs/")) {
            Some(name) => {
                self.check_value(node, &self.definitions[name], path);
                self.validate_as(name, node, path, errors_before);
            }
            None => match schema["oneOf"].as_array().or(schema["anyOf"].as_array()) {
                Some(variants) => self.check_one_of(node, variants, path),
                None => self.check_by_json_type(node, schema, path),
            },
        }
    }

    /// Validates a value that has the structure of a definition.
    fn validate_as(&mut self, name: &str, node: &Node<'_>, path: &FieldPath, errors_before: usize) {
        let validator = VALIDATORS.iter().find(|(known, _)| *known == name);
        if let Some((_, validator)) = validator
            && self.validates
            && self.errors.len() == errors_before
            && let Err(error) = validator(node.text)
        {
            let start = node.at(&error.path.join(&error.field)).start;
            self.report(start, &path.join(&error.path), error.message);
        }
    }

    /// Checks a value that may have one of several types: words, objects with a `type`, or types that differ in
    /// their JSON types.
    fn check_one_of(&mut self, node: &Node<'_>, variants: &'c [Schema], path: &FieldPath) {
        let words: Vec<&str> = variants.iter().flat_map(enum_values).collect();
        let tags: Vec<&str> = variants.iter().filter_map(type_tag).collect();
        if tags.len() == variants.len() {
            return self.check_tagged(node, variants, &tags, path);
        }
        if words.len() >= variants.len() {
            return self.check_enum(node, &words, path);
        }
        match variants.iter().find(|variant| matches_type(self.resolved(variant), node)) {
            Some(variant) => self.check_value(node, variant, path),
            None => {
                let all = variants.iter().map(|variant| describe_expected(self.resolved(variant)));
                let all: Vec<String> = all.filter(|expected| expected != "null").collect();
                self.report_mismatch(node, path, &all.join(" or "));
            }
        }
    }

    fn resolved(&self, schema: &'c Schema) -> &'c Schema {
        match schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/$defs/")) {
            Some(name) => &self.definitions[name],
            None => schema,
        }
    }

    fn check_tagged(
        &mut self,
        node: &Node<'_>,
        variants: &'c [Schema],
        tags: &[&str],
        path: &FieldPath,
    ) {
        if node.json_type() != "object" {
            return self.report_mismatch(node, path, "an object with a `type`");
        }
        let Some(tag) = node.field("type") else {
            let names = tags.join("`, `");
            let message = format!("missing field `type`, expected one of `{names}`");
            return self.report(node.start, path, message);
        };
        let name = tag.string().unwrap_or_default();
        match tags.iter().position(|known| *known == name) {
            Some(i) => self.check_by_json_type(node, &variants[i], path),
            None if tag.json_type() == "string" => {
                self.report(tag.start, path, unknown_name("type", &name, tags));
            }
            None => self.report_mismatch(tag, path, "the name of a type"),
        }
    }

    fn check_enum(&mut self, node: &Node<'_>, words: &[&str], path: &FieldPath) {
        match node.string() {
            Some(word) if words.contains(&word.as_str()) => {}
            Some(word) => self.report(node.start, path, unknown_name("value", &word, words)),
            None => self.report_mismatch(node, path, &format!("one of `{}`", words.join("`, `"))),
        }
    }

    fn check_by_json_type(&mut self, node: &Node<'_>, schema: &'c Schema, path: &FieldPath) {
        if !matches_type(schema, node) {
            if let Some(message) = wrong_length(schema, node) {
                return self.report(node.start, path, message);
            }
            return self.report_mismatch(node, path, &describe_expected(schema));
        }
        let words = enum_values(schema);
        match &node.content {
            Content::Object(fields) => self.check_object(node, fields, schema, path),
            Content::List(items) => {
                for (i, item) in items.iter().enumerate() {
                    self.check_value(item, &schema["items"], &path.index(i));
                }
            }
            Content::Scalar if !words.is_empty() && node.json_type() == "string" => {
                self.check_enum(node, &words, path);
            }
            Content::Scalar => {}
        }
    }

    fn check_object(
        &mut self,
        node: &Node<'_>,
        fields: &[Field<'_>],
        schema: &'c Schema,
        path: &FieldPath,
    ) {
        let known = schema["properties"].as_object().into_iter().flatten();
        let known: Vec<&str> = known.map(|(name, _)| &**name).collect();
        for (i, Field { name, start, node }) in fields.iter().enumerate() {
            if fields[..i].iter().any(|other| other.name == *name) {
                self.report(*start, path, format_args!("field `{name}` is given twice"));
            }
            let others = &schema["additionalProperties"];
            match schema["properties"].get(name) {
                Some(schema) => self.check_value(node, schema, &path.field(name)),
                None if others.is_object() => self.check_value(node, others, &path.field(name)),
                None if others == false => {
                    self.report(*start, path, unknown_name("field", name, &known));
                }
                None => {}
            }
        }
        let required = schema["required"].as_array().into_iter().flatten();
        for name in required.filter_map(Schema::as_str) {
            if node.field(name).is_none() {
                let about = schema["properties"][name]["description"].as_str();
                let about = about.map_or(String::new(), in_brackets);
                self.report(node.start, path, format_args!("missing field `{name}`{about}"));
            }
        }
    }
}

/// Returns the first sentence of a description as a part of a message.
fn in_brackets(description: &str) -> String {
    let sentence = description.split(". ").next().unwrap_or_default().trim_end_matches('.');
    let mut rest = sentence.chars();
    let first = rest.next().map_or(String::new(), |letter| letter.to_lowercase().to_string());
    format!(" ({first}{})", rest.as_str())
}

/// Returns the words that a schema lists.
fn enum_values(schema: &Schema) -> Vec<&str> {
    let several = schema["enum"].as_array().into_iter().flatten();
    several.chain([&schema["const"]]).filter_map(Schema::as_str).collect()
}

/// Returns the `type` of the objects that a schema describes.
fn type_tag(schema: &Schema) -> Option<&str> {
    schema["properties"]["type"]["const"].as_str()
}

/// Returns the JSON types that a schema allows; none if it allows all.
fn json_types(schema: &Schema) -> Vec<&str> {
    match &schema["type"] {
        Schema::Array(types) => types.iter().filter_map(Schema::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    }
}

/// Returns `true` if a value has the right type and is in range.
fn matches_type(schema: &Schema, node: &Node<'_>) -> bool {
    let types = json_types(schema);
    let fits = |json_type: &str| match json_type {
        "integer" => {
            let max = match schema["format"].as_str() {
                Some("uint16") => u16::MAX.into(),
                Some("uint32") => u32::MAX.into(),
                _ => u64::MAX,
            };
            node.text.parse::<u64>().is_ok_and(|number| number <= max)
        }
        "number" => node.text.parse().is_ok_and(f32::is_finite),
        "array" => node.json_type() == "array" && wrong_length(schema, node).is_none(),
        _ => node.json_type() == json_type,
    };
    types.is_empty() || types.into_iter().any(fits)
}

/// Returns the message for a list that is too short or too long.
fn wrong_length(schema: &Schema, node: &Node<'_>) -> Option<String> {
    let Content::List(items) = &node.content else { return None };
    let limit = |name: &str| schema[name].as_u64().map(|limit| limit as usize);
    let (min, max) = (limit("minItems").unwrap_or(0), limit("maxItems").unwrap_or(usize::MAX));
    let found = items.len();
    let expected = match (min, max) {
        _ if (min..=max).contains(&found) => return None,
        (2, 2) => "[x, y]".into(),
        (min, max) if min == max => format!("exactly {min}"),
        (min, _) if found < min => format!("at least {min}"),
        (_, max) => format!("at most {max}"),
    };
    let s = if found == 1 { "" } else { "s" };
    Some(format!("found {found} item{s}, expected {expected}"))
}

/// Describes the values that a schema expects.
fn describe_expected(schema: &Schema) -> String {
    let one = |json_type: &str| match json_type {
        "integer" => match schema["maximum"].as_u64() {
            Some(max) => format!("an integer from 0 to {max}"),
            None => "a non-negative integer".into(),
        },
        "number" => "a finite 32-bit number".into(),
        "array" if schema["maxItems"] == 2 => "[x, y]".into(),
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
        other => format!("a {other}"),
    };
    let types = json_types(schema).into_iter().filter(|json_type| *json_type != "null");
    let all: Vec<String> = types.map(one).collect();
    if all.is_empty() { "null".into() } else { all.join(" or ") }
}
