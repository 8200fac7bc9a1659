//! JSON values with their positions in the text.

use std::fmt;

use carom::shape::repr::{FieldPath, PathSegment};
use serde::de::IgnoredAny;

use super::pretty::string_length;
use crate::{Diagnostic, Diagnostics};

/// The maximum nesting depth that `serde_json` accepts.
const MAX_DEPTH: usize = 128;

/// A JSON text and its values.
pub struct Document<'a> {
    text: &'a str,
    pub root: Node<'a>,
}

/// A JSON value and its position.
pub struct Node<'a> {
    pub text: &'a str,
    /// The byte offset of its first character.
    pub start: usize,
    pub content: Content<'a>,
}

/// The children of a value.
pub enum Content<'a> {
    Object(Vec<Field<'a>>),
    List(Vec<Node<'a>>),
    Scalar,
}

/// A field of an object.
pub struct Field<'a> {
    pub name: String,
    /// The byte offset of its name.
    pub start: usize,
    pub node: Node<'a>,
}

impl<'a> Document<'a> {
    /// Parses a JSON text.
    ///
    /// # Errors
    /// Returns the first syntax error.
    pub fn parse(text: &'a str) -> Result<Self, Diagnostics> {
        // serde_json reports syntax errors, so that the scanner can rely on valid JSON.
        serde_json::from_str::<IgnoredAny>(text)?;
        let mut scanner = Scanner { text, at: 0 };
        match scanner.node(1) {
            Ok(root) => Ok(Self { text, root }),
            Err(message) => Err(Diagnostic::new(FieldPath::default(), message).at(1, 1).into()),
        }
    }

    /// Adds the position of the value at the error's path, or of the innermost value that exists on it.
    pub fn locate(&self, error: Diagnostic) -> Diagnostic {
        let start = self.root.at(&error.path).start;
        self.with_position(error, start)
    }

    /// Adds the position of a byte offset.
    pub fn with_position(&self, error: Diagnostic, offset: usize) -> Diagnostic {
        let before = &self.text[..offset];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&letter| letter != '\n').count() + 1;
        error.at(line, column)
    }
}

impl Node<'_> {
    /// Returns the value of a field of an object.
    pub fn field(&self, name: &str) -> Option<&Self> {
        let Content::Object(fields) = &self.content else { return None };
        fields.iter().find(|field| field.name == name).map(|field| &field.node)
    }

    /// Returns the value at a path, or the innermost value that exists on it.
    pub fn at(&self, path: &FieldPath) -> &Self {
        let mut node = self;
        for segment in &path.0 {
            let next = match (segment, &node.content) {
                (PathSegment::Field(name), _) => node.field(name),
                (PathSegment::Index(index), Content::List(items)) => items.get(*index),
                _ => None,
            };
            let Some(next) = next else { break };
            node = next;
        }
        node
    }

    /// Returns the type as JSON Schema names it.
    pub fn json_type(&self) -> &'static str {
        match self.text.as_bytes().first() {
            Some(b'{') => "object",
            Some(b'[') => "array",
            Some(b'"') => "string",
            Some(b't' | b'f') => "boolean",
            Some(b'n') => "null",
            _ => "number",
        }
    }

    /// Returns the value of a string.
    pub fn string(&self) -> Option<String> {
        serde_json::from_str(self.text).ok()
    }
}

/// Describes the value as found in error messages.
impl fmt::Display for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.json_type() {
            "object" => write!(f, "an object"),
            "array" => write!(f, "a list"),
            _ if self.text.chars().count() > 40 => {
                write!(f, "{}…", self.text.chars().take(40).collect::<String>())
            }
            _ => write!(f, "{}", self.text),
        }
    }
}

/// A scanner that finds the values in a valid JSON text, in one pass.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn node(&mut self, depth: usize) -> Result<Node<'a>, String> {
        if depth > MAX_DEPTH {
            return Err(format!("nested more than {MAX_DEPTH} levels deep"));
        }
        self.skip_spaces();
        let start = self.at;
        let content = match self.byte() {
            b'{' => {
                let mut fields = Vec::new();
                while self.has_item(b'}') {
                    let start = self.at;
                    let name = self.skip_scalar();
                    let name = serde_json::from_str(name).map_err(|_| {
                        format!("found the field name {name}, expected valid Unicode")
                    })?;
                    self.skip_spaces();
                    self.at += 1; // the colon
                    fields.push(Field { name, start, node: self.node(depth + 1)? });
                }
                Content::Object(fields)
            }
            b'[' => {
                let mut items = Vec::new();
                while self.has_item(b']') {
                    items.push(self.node(depth + 1)?);
                }
                Content::List(items)
            }
            _ => {
                self.skip_scalar();
                Content::Scalar
            }
        };
        Ok(Node { text: &self.text[start..self.at], start, content })
    }

    /// Moves to the next item of a list or object. At its end, moves past it and returns `false`.
    fn has_item(&mut self, end: u8) -> bool {
        self.skip_spaces();
        if self.byte() == end {
            self.at += 1;
            return false;
        }
        self.at += usize::from(matches!(self.byte(), b',' | b'[' | b'{'));
        self.skip_spaces();
        if self.byte() == end {
            self.at += 1;
            return false;
        }
        true
    }

    /// Moves past a string, number, boolean or null, and returns its text.
    fn skip_scalar(&mut self) -> &'a str {
        let start = self.at;
        let bytes = &self.text.as_bytes()[start..];
        let length = if bytes[0] == b'"' {
            string_length(&self.text[start..])
        } else {
            let end = bytes.iter().position(|byte| b",]} \t\r\n".contains(byte));
            end.unwrap_or(bytes.len())
        };
        self.at += length;
        &self.text[start..self.at]
    }

    fn skip_spaces(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|byte| b" \t\r\n".contains(byte)).count();
    }

    fn byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    #[test]
    fn values_have_the_positions_of_their_text() {
        let document = Document::parse("{\"é\": [1,\n  {\"b.c\": true}]}").unwrap();
        let at = |path: FieldPath| {
            let text = document.root.at(&path).text;
            let Position { line, column } =
                document.locate(Diagnostic::new(path, "")).position.unwrap();
            (line, column, text)
        };
        let list = FieldPath::default().field("é");
        assert_eq!(at(list.index(0)), (1, 8, "1"));
        assert_eq!(at(list.index(1).field("b.c")), (2, 11, "true"));
        assert_eq!(at(list.index(1).field("gone").index(7)), (2, 3, "{\"b.c\": true}"));
        assert_eq!(at(list.index(2)).1, 7);
    }

    #[test]
    fn deeply_nested_values_are_an_error() {
        for depth in [100_000, 129] {
            let text = "[".repeat(depth) + &"]".repeat(depth);
            let errors = Document::parse(&text).err().unwrap();
            assert!(errors.to_string().contains("nested more than"), "{errors}");
        }
        assert!(Document::parse(&("[".repeat(128) + &"]".repeat(128))).is_ok());
    }

    #[test]
    fn spaces_and_empty_values_are_scanned() {
        let document =
            Document::parse(" { \"a\" : [ ] , \"b\\\"\" : { } , \"c\":[ [] , 2 ] } ").unwrap();
        assert_eq!(document.root.field("a").unwrap().text, "[ ]");
        assert_eq!(document.root.field("b\"").unwrap().text, "{ }");
        let path = FieldPath::default().field("c").index(1);
        assert_eq!(document.root.at(&path).text, "2");
    }
}
