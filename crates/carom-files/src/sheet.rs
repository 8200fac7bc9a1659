//! Sheet files: frames with named boxes, see [`Sheet`].
//!
//! ```
//! use carom::prelude::*;
//! use carom::sheet::{Frame, Sheet};
//! use carom_files::sheet;
//!
//! let fighter = Sheet::from_frames([
//!     Frame::new("idle").pivot([16.0, 32.0]).hurtbox("body", Aabb::new([8.0, 0.0], [24.0, 32.0])),
//! ])?;
//! let text = sheet::to_json(&fighter);
//! assert!(text.starts_with("{\n  \"carom\": 1,"));
//! assert_eq!(sheet::from_json(&text)?, fighter);
//!
//! let error = sheet::from_json("{\"carom\": 1,\n \"farmes\": []}").unwrap_err();
//! assert!(error.to_string().contains("2:2: unknown field `farmes` (did you mean `frames`?)"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::io;
use std::path::Path;

use carom::sheet::Sheet;
use serde::Serialize;

use crate::json::{self, VERSION};
use crate::{Diagnostics, FileError};

/// Converts the duration of a frame to ticks, at least one.
pub(crate) fn ticks(duration_ms: f32, ticks_per_second: f32) -> u32 {
    (duration_ms * ticks_per_second / 1000.0).round().max(1.0) as u32
}

/// Reads a sheet from a file.
///
/// # Errors
/// Returns all errors in the file, with their positions.
pub fn load(path: impl AsRef<Path>) -> Result<Sheet, FileError> {
    json::load(path.as_ref(), from_json)
}

/// Reads a sheet from JSON.
///
/// # Errors
/// Returns all errors in the text, with their positions.
pub fn from_json(text: &str) -> Result<Sheet, Diagnostics> {
    json::parse(text, json::sheet_schema(), |_| Vec::new())
}

/// Returns the sheet as indented JSON. [`from_json`] reads it back to an equal sheet.
pub fn to_json(sheet: &Sheet) -> String {
    #[derive(Serialize)]
    struct File<'a> {
        carom: u32,
        #[serde(flatten)]
        sheet: &'a Sheet,
    }
    let file = File { carom: VERSION, sheet };
    json::to_pretty(&serde_json::to_string(&file).expect("sheets have only string keys"))
}

/// Writes the sheet to a file, which is replaced atomically.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn save(sheet: &Sheet, path: impl AsRef<Path>) -> io::Result<()> {
    json::write_atomically(path.as_ref(), to_json(sheet).as_bytes())
}
