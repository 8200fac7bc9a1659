//! Sheets as files: frames with named boxes, see [`Sheet`].
//!
//! ```
//! use carom::prelude::*;
//! use carom::sheet::{Frame, Sheet};
//! use carom_files::sheet;
//!
//! let fighter = Sheet::from_frames([
//!     Frame::new("idle").pivot([16.0, 32.0]).hurtbox("body", Aabb::new([8.0, 0.0], [24.0, 32.0])),
//! ])?;
//! let text = sheet::to_json(&fighter); // for people to read and edit
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

/// How many ticks a frame is shown, of which a second has so many: one at least.
pub(crate) fn ticks(milliseconds: f32, rate: f32) -> u32 {
    (milliseconds * rate / 1000.0).round().max(1.0) as u32
}

/// Reads a sheet from a file.
///
/// # Errors
/// With all that is wrong with it, each with its place; nothing is half loaded.
pub fn load(path: impl AsRef<Path>) -> Result<Sheet, FileError> {
    json::load(path.as_ref(), from_json)
}

/// Reads a sheet.
///
/// # Errors
/// With all that is wrong with it, each with its place.
pub fn from_json(text: &str) -> Result<Sheet, Diagnostics> {
    json::parse(text, json::sheet_schema(), |_| Vec::new())
}

/// The sheet as text that people can read and edit; it reads back to the same.
pub fn to_json(sheet: &Sheet) -> String {
    #[derive(Serialize)]
    struct File<'a> {
        carom: u32,
        #[serde(flatten)]
        sheet: &'a Sheet,
    }
    let file = File { carom: VERSION, sheet };
    json::to_pretty(&serde_json::to_string(&file).expect("all of it can be written"))
}

/// Writes a sheet to a file, as a whole or not at all.
///
/// # Errors
/// Where the file cannot be written.
pub fn save(sheet: &Sheet, path: impl AsRef<Path>) -> io::Result<()> {
    json::write_atomically(path.as_ref(), to_json(sheet).as_bytes())
}
