//! carom's JSON files: parsing with all errors at once, and writing.
//!
//! The types describe the formats. A test generates JSON Schemas of them ([`schema`]), for editors and for
//! [`check`], which finds all errors in a file at once, each with its position.

mod check;
mod pretty;
mod schema;
mod spans;

pub(crate) use pretty::to_pretty;
pub use schema::{scene_schema, sheet_schema};

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{Diagnostic, Diagnostics, FileError};
use spans::Document;

/// The version of the file formats.
pub const VERSION: u32 = 1;

/// Parses a value. `validate` returns the errors that a schema cannot describe.
pub(crate) fn parse<T: DeserializeOwned>(
    text: &str,
    schema: &Value,
    validate: impl Fn(&T) -> Vec<Diagnostic>,
) -> Result<T, Diagnostics> {
    // 1. Check the syntax.
    let document = Document::parse(text)?;
    // 2. Check the structure. This comes before the values because serde stops at the first error, and is less
    //    strict: it accepts `null` for optional fields.
    let is_valid = check::structure(&document, schema).is_empty();
    // 3. Check the values.
    let parsed = if is_valid { serde_json::from_str::<T>(text).map_err(Some) } else { Err(None) };
    let errors = match parsed {
        Ok(value) => {
            let errors = validate(&value);
            if errors.is_empty() {
                return Ok(value);
            }
            errors.into_iter().map(|error| document.locate(error)).collect()
        }
        Err(error) => {
            let errors = check::structure_and_values(&document, schema);
            match error {
                Some(error) if errors.is_empty() => return Err(error.into()),
                _ => errors,
            }
        }
    };
    let mut errors = Diagnostics(errors);
    errors.0.sort_by_key(|error| error.position);
    Err(errors)
}

/// Reads and parses a file.
pub(crate) fn load<T>(
    path: &Path,
    parse: impl Fn(&str) -> Result<T, Diagnostics>,
) -> Result<T, FileError> {
    let text = fs::read_to_string(path).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => FileError::invalid(path, "not a text file: expected UTF-8"),
        _ => FileError::Read { path: path.to_path_buf(), error },
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text); // some editors write a byte order mark
    parse(text).map_err(|errors| FileError::invalid(path, errors))
}

/// Writes a file completely or not at all: writes a temporary file next to it, and then renames it.
///
/// # Errors
/// Returns an error if the file cannot be written. It is then unchanged, or still does not exist.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let named =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    if path.is_dir() {
        return Err(named(io::ErrorKind::IsADirectory.into()));
    }
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".part");
    let written = fs::File::create(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&temporary); // it may not exist
    }
    written.map_err(named)
}
