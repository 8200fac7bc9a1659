//! Files in carom's own forms: JSON that says where and what is wrong with it.
//!
//! What a form contains is said once, by its types: [`schema`] makes a JSON Schema of them, which
//! editors use to complete what people write, and [`check`] goes through a file with the same schema
//! in hand, so that all faults are found at once, each with its place.

mod check;
mod node;
mod problem;
mod readable;
mod schema;

pub use problem::{Fault, Problem, Problems};
pub(crate) use readable::readable;
pub(crate) use schema::{RoleForm, ShapeForm, SheetForm};
pub use schema::{scene_schema, sheet_schema};

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::FileError;
use node::Document;

/// The version of the forms that are read and written here.
pub const VERSION: u32 = 1;

/// Reads a value of a form; `faults` tells what is wrong with it beyond its form.
pub(crate) fn read<T: DeserializeOwned>(
    text: &str,
    schema: &Value,
    faults: impl Fn(&T) -> Vec<Fault>,
) -> Result<T, Problems> {
    let document = Document::read(text)?;
    check::check(&document, schema)?;
    let value: T = serde_json::from_str(text).map_err(|error| Problems::from_json(&error))?;
    let faults = faults(&value);
    if faults.is_empty() {
        return Ok(value);
    }
    Err(Problems::sorted(faults.into_iter().map(|fault| document.locate(fault)).collect()))
}

/// Reads a file with such a value.
pub(crate) fn load<T>(
    path: &Path,
    read: impl Fn(&str) -> Result<T, Problems>,
) -> Result<T, FileError> {
    let text = read_text(path)?;
    read(&text).map_err(|problems| FileError::Form { path: path.to_path_buf(), problems })
}

/// The text of a file, without the mark that some editors put before it.
pub(crate) fn read_text(path: &Path) -> Result<String, FileError> {
    let text = fs::read_to_string(path)
        .map_err(|error| FileError::Read { path: path.to_path_buf(), error })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(text) => text.to_owned(),
        None => text,
    })
}

/// Writes a file as a whole or not at all: first beside it, then in its place.
///
/// # Errors
/// Where that fails; then there is no file, or the one that was there before.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let named =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    if path.is_dir() {
        return Err(named(io::ErrorKind::IsADirectory.into()));
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let written = fs::File::create(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&beside); // it may not be there
    }
    written.map_err(named)
}
