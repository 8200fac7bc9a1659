//! What carom reads from disk and makes of it, and what it writes.
//!
//! Scenes ([`Scene`]) and sheets ([`sheet`]) are JSON that people can write. Each has a JSON Schema
//! ([`scene_schema`], [`sheet_schema`]; in the repository under `schema/`), so that editors complete it,
//! and an error tells all that is wrong with a file at once: where, what was found and what was expected.
//!
//! A picture ([`Picture`]) is cut into frames ([`Cut`]); to each a shape is fitted ([`Fitting`]), and
//! the frames with their boxes are a [`Sheet`](carom::sheet::Sheet):
//!
//! ```no_run
//! use carom_files::{Cut, Fitting, Form, Picture, sheet};
//!
//! let picture = Picture::read("fighter.png")?;
//! let frames = Cut::Grid { width: 48, height: 48 }.frames(&picture, 127)?;
//! let fitting = Fitting { form: Form::Hull, ..Fitting::default() };
//! let fitted = fitting.fit_all(&frames)?;
//! sheet::save(&carom_files::sheet_of(&fitted)?, "fighter.json")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Files of Aseprite, Tiled and LDtk become sheets and scenes, too: see [`import`].
//!
//! # Features
//!
//! - `clap`: [`Form`] and [`Pivot`] are values of command-line arguments.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod animation;
mod cut;
mod error;
mod fitting;
pub mod import;
mod json;
mod picture;
pub mod scene;
pub mod sheet;

pub use cut::{Cut, CutFrame};
pub use error::{Diagnostic, Diagnostics, FileError, Position};
pub use fitting::{Fitted, Fitting, Form, Pivot, Shrink, sheet_of};
pub use import::{Import, Imported, Importer};
pub use json::{VERSION, scene_schema, sheet_schema, write_atomically};
pub use picture::Picture;
pub use scene::Scene;
