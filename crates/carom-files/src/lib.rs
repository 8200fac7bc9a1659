//! Reading and writing of carom's files: scenes, sprite sheets, images, and the files of Aseprite, Tiled and LDtk.
//!
//! Scenes ([`Scene`]) and sheets ([`sheet`]) are JSON files. Each format has a JSON Schema ([`scene_schema`],
//! [`sheet_schema`]; also in the folder `schema` of the crate), so that editors can complete and check
//! them. An error lists all faults in a file at once, each with its position, the found and the expected value. A
//! [`Simulation`](scene::Simulation) plays a scene.
//!
//! [`Slicing`] divides an [`Image`] into frames, and [`FitOptions`] fit a shape to each frame. The frames with
//! their boxes are a [`Sheet`](carom::sheet::Sheet):
//!
//! ```no_run
//! use carom_files::{FitOptions, FitShape, Image, Slicing, sheet, sheet_from_fits};
//!
//! let image = Image::read("fighter.png")?;
//! let frames = Slicing::Grid { width: 48, height: 48 }.frames(&image, 127)?;
//! let options = FitOptions { shape: FitShape::Hull, ..FitOptions::default() };
//! let fits = options.fit_all(&frames)?;
//! sheet::save(&sheet_from_fits(&fits)?, "fighter.json")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An [`Importer`] converts the files of Aseprite, Tiled and LDtk to sheets and scenes; see [`import`].
//!
//! # Features
//!
//! - `clap`: [`FitShape`] and [`Pivot`] are values of command-line arguments.
#![forbid(unsafe_code)]

mod error;
mod fit;
mod image;
pub mod import;
mod json;
pub mod scene;
pub mod sheet;

pub use self::image::{Image, SlicedFrame, Slicing};
pub use error::{Diagnostic, Diagnostics, FileError, Position};
pub use fit::{FitOptions, FitResult, FitShape, Pivot, Shrink, sheet_from_fits};
pub use import::{Content, ImportResult, Importer};
pub use json::{VERSION, scene_schema, sheet_schema, write_atomically};
pub use scene::Scene;
