//! What can be wrong with a file.

use std::fmt;
use std::io;
use std::path::PathBuf;

use carom::error::ShapeError;

use crate::form::Problems;

/// Why a file cannot be read, or nothing can be made of it. The message says the file, what was found
/// and what to do.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read.
    Read {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file is no picture, or a broken one.
    NotAPicture {
        /// Which file.
        path: PathBuf,
        /// What the decoder says.
        error: String,
    },
    /// The picture is larger than a mask can be.
    TooLarge {
        /// Which file.
        path: PathBuf,
        /// Its width and height.
        size: [u32; 2],
    },
    /// The cells of a grid have no size, or one that does not fit into the picture.
    CellSize {
        /// Which file.
        path: PathBuf,
        /// The width and height of a cell.
        cell: [u32; 2],
        /// Those of the picture.
        size: [u32; 2],
    },
    /// No pixel of the picture can be seen.
    NothingToSee {
        /// Which file.
        path: PathBuf,
        /// How opaque a pixel has to be.
        threshold: u8,
    },
    /// The file is not what it should be; all that is wrong with it, each with its place.
    Form {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        problems: Problems,
    },
    /// The file of another program is broken, or nothing can be made of it.
    Import {
        /// Which file.
        path: PathBuf,
        /// Where, what was found, and what was expected.
        error: String,
    },
    /// The shape of a frame cannot be made.
    Shape {
        /// The frame.
        frame: String,
        /// Why.
        error: ShapeError,
    },
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { path, error } => write!(f, "{}: {error}", path.display()),
            Self::NotAPicture { path, error } => write!(
                f,
                "{}: {error}; expected a whole picture (PNG, GIF, WebP, BMP or TGA)",
                path.display()
            ),
            Self::TooLarge { path, size: [width, height] } => write!(
                f,
                "{}: {width} by {height} pixels; at most 16384 in each direction can be used",
                path.display()
            ),
            Self::CellSize { path, cell: [w, h], size: [width, height] } => write!(
                f,
                "{}: cells of {w} by {h} pixels; they must be at least 1 by 1 and no larger than the picture, which is {width} by {height}",
                path.display()
            ),
            Self::NothingToSee { path, threshold } => write!(
                f,
                "{}: no pixel has an alpha above {threshold}; use a lower threshold, or another picture",
                path.display()
            ),
            Self::Form { path, problems } => {
                f.write_str(&problems.told(&format!("{}:", path.display())))
            }
            Self::Import { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Shape { frame, error } => write!(f, "frame {frame}: {error}"),
        }
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { error, .. } => Some(error),
            Self::Form { problems, .. } => Some(problems),
            Self::Shape { error, .. } => Some(error),
            _ => None,
        }
    }
}
