//! Errors of files, which name the file, the position, and the found and the expected value.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use carom::error::ShapeError;
use carom::shape::Bitmap;
use carom::shape::repr::FieldPath;

use crate::Image;

/// The maximum number of errors of a file that are shown; a single mistake may cause very many.
const MAX_SHOWN: usize = 20;

/// The error type for reading and converting files. The message names the file, the found value and a
/// remedy.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read.
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The file is not an image, or is damaged.
    InvalidImage {
        /// The file.
        path: PathBuf,
        /// The message of the decoder.
        error: String,
    },
    /// The image is larger than a mask can be.
    ImageTooLarge {
        /// The file.
        path: PathBuf,
        /// The width and height of the image.
        size: [u32; 2],
    },
    /// The cells of a grid have no size, or one that does not fit into the image.
    InvalidCellSize {
        /// The file.
        path: PathBuf,
        /// The width and height of a cell.
        cell: [u32; 2],
        /// The width and height of the image.
        size: [u32; 2],
    },
    /// All pixels of the image are transparent.
    NoOpaquePixels {
        /// The file.
        path: PathBuf,
        /// The alpha that an opaque pixel exceeds.
        threshold: u8,
    },
    /// The content of the file is not valid.
    Invalid {
        /// The file.
        path: PathBuf,
        /// All errors in it.
        errors: Diagnostics,
    },
    /// No shape can be fitted to a frame.
    Shape {
        /// The name of the frame.
        frame: String,
        /// The cause.
        error: ShapeError,
    },
}

impl FileError {
    /// Creates an error about the content of a file.
    pub(crate) fn invalid(path: &Path, errors: impl Into<Diagnostics>) -> Self {
        Self::Invalid { path: path.to_path_buf(), errors: errors.into() }
    }
}

/// An error in the content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The path of the value, such as `bodies[3].motion.speed`; empty if the error is not about a value.
    pub path: FieldPath,
    /// The message: the value that was found, and the one that was expected.
    pub message: String,
    /// The position in the text; `None` if the value does not come from a text file.
    pub position: Option<Position>,
}

/// A position in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, counted from 1.
    pub line: usize,
    /// The character in the line, counted from 1.
    pub column: usize,
}

/// The errors in the content of a file, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl Diagnostic {
    /// Creates an error about the value at a path.
    pub fn new(path: FieldPath, message: impl fmt::Display) -> Self {
        Self { path, message: message.to_string(), position: None }
    }

    /// Sets the position in the text.
    #[must_use]
    pub fn at(self, line: usize, column: usize) -> Self {
        Self { position: Some(Position { line, column }), ..self }
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Self(vec![diagnostic])
    }
}

impl From<&str> for Diagnostics {
    fn from(message: &str) -> Self {
        Diagnostic::new(FieldPath::default(), message).into()
    }
}

impl From<String> for Diagnostics {
    fn from(message: String) -> Self {
        Diagnostic::new(FieldPath::default(), message).into()
    }
}

impl From<serde_json::Error> for Diagnostics {
    fn from(error: serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        // The message ends with the position.
        let message = error.to_string();
        let message = message.strip_suffix(&format!(" at line {line} column {column}"));
        let message = message.map_or_else(|| error.to_string(), ToOwned::to_owned);
        let diagnostic = Diagnostic::new(FieldPath::default(), plain(message));
        // Errors of a constructor have no position, that is, line 0.
        if line == 0 { diagnostic.into() } else { diagnostic.at(line, column.max(1)).into() }
    }
}

/// Replaces the terms of a JSON parser at the end of a message by plain ones.
fn plain(message: String) -> String {
    let terms = [
        ("EOF while parsing a value", "the text ends here, expected a value"),
        ("EOF while parsing a list", "the text ends inside a list"),
        ("EOF while parsing an object", "the text ends inside an object"),
        ("EOF while parsing a string", "the text ends inside a string"),
        ("expected value", "expected a value"),
        ("expected ident", "expected a value"),
    ];
    for (term, plain) in terms {
        if let Some(start) = message.strip_suffix(term) {
            return format!("{start}{plain}");
        }
    }
    message
}

impl Diagnostics {
    /// Returns one line per error, each with the name of the file in front.
    fn render(&self, file: &str) -> String {
        let shown = self.0.iter().take(MAX_SHOWN).map(|error| match error.position {
            _ if file.is_empty() => error.to_string(),
            Some(_) => format!("{file}:{error}"),
            None => format!("{file}: {error}"),
        });
        let mut lines: Vec<String> = shown.collect();
        if self.0.len() > MAX_SHOWN {
            lines.push(format!("{file}: and {} more errors", self.0.len() - MAX_SHOWN));
        }
        lines.join("\n")
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, message, position } = self;
        if let Some(Position { line, column }) = position {
            write!(f, "{line}:{column}: ")?;
        }
        if !path.is_root() {
            write!(f, "{path}: ")?;
        }
        f.write_str(message)
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(""))
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { path, error } => write!(f, "{}: {error}", path.display()),
            Self::InvalidImage { path, error } => write!(
                f,
                "{}: {error}; expected a complete PNG, GIF, WebP, BMP or TGA image",
                path.display()
            ),
            Self::ImageTooLarge { path, size: [width, height] } => {
                write!(
                    f,
                    "{}: {width}×{height} pixels; the maximum is {} per side and {} in total",
                    path.display(),
                    Bitmap::MAX_SIDE,
                    Image::MAX_PIXELS
                )
            }
            Self::InvalidCellSize { path, cell: [w, h], size: [width, height] } => write!(
                f,
                "{}: cells of {w}×{h} pixels; they must be at least 1×1 and at most the size of the image, {width}×{height}",
                path.display()
            ),
            Self::NoOpaquePixels { path, threshold } => write!(
                f,
                "{}: no pixel has an alpha above {threshold}; use a lower threshold or another image",
                path.display()
            ),
            Self::Invalid { path, errors } => {
                f.write_str(&errors.render(&path.display().to_string()))
            }
            Self::Shape { frame, error } => write!(f, "frame {frame}: {error}"),
        }
    }
}

impl std::error::Error for Diagnostic {}

impl std::error::Error for Diagnostics {}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { error, .. } => Some(error),
            Self::Invalid { errors, .. } => Some(errors),
            Self::Shape { error, .. } => Some(error),
            _ => None,
        }
    }
}
