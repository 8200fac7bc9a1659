//! Paths to values in a document, for error messages.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The path from the root of a document to a value, such as `bodies[3].motion.speed`; empty for the root.
///
/// ```
/// # use carom::shape::repr::FieldPath;
/// let path = FieldPath::default().field("bodies").index(3).field("motion");
/// assert_eq!(path.to_string(), "bodies[3].motion");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FieldPath(pub Vec<PathSegment>);

/// A step of a [`FieldPath`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PathSegment {
    /// A field of an object.
    Field(String),
    /// An item of a list, counted from 0.
    Index(usize),
}

impl FieldPath {
    /// Returns the path of a field of this value.
    #[must_use]
    pub fn field(&self, name: impl Into<String>) -> Self {
        self.join(&Self(Vec::from([PathSegment::Field(name.into())])))
    }

    /// Returns the path of an item of this value.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.join(&Self(Vec::from([PathSegment::Index(index)])))
    }

    /// Returns the path of a value inside this value.
    #[must_use]
    pub fn join(&self, inner: &Self) -> Self {
        Self([&self.0[..], &inner.0[..]].concat())
    }

    /// Returns `true` if this is the path of the whole document.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, segment) in self.0.iter().enumerate() {
            match segment {
                PathSegment::Field(name) if !is_identifier(name) => write!(f, "[{name:?}]")?,
                PathSegment::Field(name) if i == 0 => write!(f, "{name}")?,
                PathSegment::Field(name) => write!(f, ".{name}")?,
                PathSegment::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// Returns `true` if a name is unambiguous without quotes.
fn is_identifier(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || "_$".contains(letter))
}
