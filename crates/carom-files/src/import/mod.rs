//! Conversion of the files of level and sprite editors to scenes and sheets.
//!
//! | program | files | result |
//! | --- | --- | --- |
//! | [Aseprite](aseprite) | `.aseprite`, `.ase`, and its JSON export | a [`Sheet`]: slices are boxes, tags animations |
//! | [Tiled](tiled) | `.tmx`, `.tmj`, with `.tsx`, `.tsj` and templates | a [`Scene`]: tile layers and objects |
//! | [LDtk](ldtk) | `.ldtk`, with `.ldtkl` | a [`Scene`]: IntGrid layers and entities |
//!
//! The format is detected from the content.
//!
//! ```no_run
//! use carom_files::{Content, Importer};
//!
//! let result = Importer::default().read("level.tmx")?;
//! if let Content::Scene(scene) = &result.content {
//!     scene.save("level.json")?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Editors have no roles such as solid or sensor. The role of a layer, object, entity or slice comes from
//! [`Importer::roles`], else from its properties, else from its name; the documentation of each importer
//! states the default. [`ImportResult::warnings`] lists assumptions, and content that was ignored.
//!
//! The importers use these **properties** of layers, objects and entities: `role` (`solid`, `sensor`, `hitbox`,
//! `hurtbox`, `none`), `layer` and `hits` (layer names, separated by commas), `team`, `one_way`, `fixed`,
//! `pick_up`, `pushable`, `weight`, `swept`, and `motion` (as in a scene, `{"type": "walk", "speed": 60}`). A map
//! may have `gravity`.

pub mod aseprite;
pub mod ldtk;
mod level_builder;
mod properties;
pub mod tiled;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use carom::sheet::{Role, Sheet};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::{FileError, Image, Scene};

/// Options for importing files.
#[derive(Clone, Debug, PartialEq)]
pub struct Importer {
    /// The roles of layers, objects, entities, slices and values of `IntGrid` layers, by name. They take
    /// precedence over the file. `None` skips everything with that name.
    pub roles: Vec<(String, Option<Role>)>,
    /// The number of ticks per second, for the durations of frames.
    pub rate: f32,
    /// The only level of an `LDtk` project to import; all levels if `None`.
    pub level: Option<String>,
}

impl Default for Importer {
    fn default() -> Self {
        Self { roles: Vec::new(), rate: 60.0, level: None }
    }
}

/// The result of an import.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportResult {
    /// The program that wrote the file.
    pub program: &'static str,
    /// The sheet or scene.
    pub content: Content,
    /// Messages about assumptions, and about content that was ignored.
    pub warnings: Vec<String>,
    /// The images of a sheet's frames, if they could be read.
    pub images: Vec<Image>,
}

/// The content of an imported file.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// The frames of a sprite, with their boxes.
    Sheet(Sheet),
    /// A level.
    Scene(Scene),
}

/// The fields of a JSON file that identify the program that wrote it.
#[derive(Deserialize)]
struct FormatHints {
    frames: Option<IgnoredAny>,
    meta: Option<IgnoredAny>,
    layers: Option<IgnoredAny>,
    tilesets: Option<IgnoredAny>,
    levels: Option<IgnoredAny>,
    defs: Option<IgnoredAny>,
}

impl Importer {
    /// Imports a file and the files that it refers to.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, is not of a supported program, or is invalid.
    pub fn read(&self, path: impl AsRef<Path>) -> Result<ImportResult, FileError> {
        let path = path.as_ref();
        let bytes =
            fs::read(path).map_err(|error| FileError::Read { path: path.to_path_buf(), error })?;
        self.decode(path, &bytes)
    }

    /// Imports the content of a file. Files that it refers to are relative to the path.
    ///
    /// # Errors
    /// Returns the errors of [`Importer::read`].
    pub fn decode(&self, path: impl AsRef<Path>, bytes: &[u8]) -> Result<ImportResult, FileError> {
        self.decode_with(path, bytes, |path| fs::read(path))
    }

    /// Imports the content of a file. Files that it refers to are read by a function, which gets their paths
    /// relative to that of the file: from an archive, or from memory.
    ///
    /// ```
    /// use carom_files::{Content, Importer};
    ///
    /// let map = r#"<map orientation="orthogonal" width="1" height="1" tilewidth="8" tileheight="8">
    ///     <tileset firstgid="1" source="../stone.tsx"/>
    ///     <layer name="walls" width="1" height="1"><data encoding="csv">1</data></layer></map>"#;
    /// let tileset = r#"<tileset name="stone" tilewidth="8" tileheight="8" tilecount="1" columns="1"/>"#;
    /// let imported = Importer::default().decode_with("levels/1.tmx", map.as_bytes(), |path| {
    ///     assert_eq!(path.to_str(), Some("levels/../stone.tsx"));
    ///     Ok(tileset.into())
    /// })?;
    /// assert!(matches!(imported.content, Content::Scene(scene) if scene.bodies.len() == 1));
    /// # Ok::<(), carom_files::FileError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`Importer::read`].
    pub fn decode_with(
        &self,
        path: impl AsRef<Path>,
        bytes: &[u8],
        read_file: impl Fn(&Path) -> io::Result<Vec<u8>>,
    ) -> Result<ImportResult, FileError> {
        let path = path.as_ref();
        let context =
            ImportContext { importer: self, read_file: &read_file, used_roles: RefCell::default() };
        let mut result = context.decode(path, bytes)?;
        match &self.level {
            Some(level) if result.program != ldtk::PROGRAM => {
                let message = format!("level `{level}`: {} files have no levels", result.program);
                return Err(FileError::invalid(path, message));
            }
            _ => {}
        }
        let used = context.used_roles.into_inner();
        let unused = self.roles.iter().filter(|(name, _)| !used.contains(name));
        let warning = |(name, _): &(String, _)| format!("--role: nothing is named `{name}`");
        result.warnings.extend(unused.map(warning));
        Ok(result)
    }
}

/// The state that all parts of an import share.
struct ImportContext<'i> {
    importer: &'i Importer,
    /// Reads a file that the imported one refers to.
    read_file: &'i dyn Fn(&Path) -> io::Result<Vec<u8>>,
    /// The names in [`Importer::roles`] that were found in the file.
    used_roles: RefCell<BTreeSet<String>>,
}

impl ImportContext<'_> {
    fn decode(&self, path: &Path, bytes: &[u8]) -> Result<ImportResult, FileError> {
        if aseprite::is_binary(path, bytes) {
            return aseprite::import_binary(self, path, bytes);
        }
        let text = decode_utf8(path, bytes)?;
        if text.trim_start().starts_with('<') {
            return tiled::import_xml(self, path, text);
        }
        if !text.trim_start().starts_with('{') {
            return Err(FileError::invalid(path, "not an Aseprite, Tiled or LDtk file"));
        }
        let hints: FormatHints = from_json(path, text)?;
        match hints {
            FormatHints { levels: Some(_), defs: Some(_), .. } => ldtk::import(self, path, text),
            FormatHints { layers: Some(_), tilesets: Some(_), .. } => {
                tiled::import_json(self, path, text)
            }
            FormatHints { frames: Some(_), meta: Some(_), .. } => {
                aseprite::import_json(self, path, text)
            }
            _ => Err(FileError::invalid(
                path,
                "not a JSON file of Aseprite (\"frames\" and \"meta\"), Tiled (\"layers\" and \"tilesets\") or LDtk (\"defs\" and \"levels\")",
            )),
        }
    }

    /// Returns the role that the caller gave for the first of these names that has one.
    fn role_of(&self, names: &[&str]) -> Option<Option<Role>> {
        let known = |name: &&str| self.importer.roles.iter().find(|(known, _)| known == name);
        let given: Vec<_> = names.iter().filter_map(known).collect();
        self.used_roles.borrow_mut().extend(given.iter().map(|(name, _)| name.clone()));
        given.first().map(|(_, role)| *role)
    }

    /// Reads a file that another one refers to; returns its path and its content.
    fn read_relative(&self, path: &Path, name: &str) -> Result<(PathBuf, Vec<u8>), FileError> {
        let other = path.parent().unwrap_or(Path::new("")).join(name);
        match (self.read_file)(&other) {
            Ok(bytes) => Ok((other, bytes)),
            Err(error) => {
                let message =
                    format!("cannot read the referenced file {}: {error}", other.display());
                Err(FileError::invalid(path, message))
            }
        }
    }
}

/// Returns the text of a file, without the byte order mark that some editors write.
fn decode_utf8<'b>(path: &Path, bytes: &'b [u8]) -> Result<&'b str, FileError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        FileError::invalid(path, format!("byte {at}: not an Aseprite, Tiled or LDtk file"))
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        Err(FileError::invalid(path, "the file is empty"))
    } else {
        Ok(text)
    }
}

fn from_json<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, FileError> {
    serde_json::from_str(text).map_err(|error| FileError::invalid(path, error))
}

/// A generator of unique names: the second `door` becomes `door 2`.
#[derive(Default)]
struct UniqueNames {
    taken: BTreeSet<String>,
    /// The number to try next, for each name.
    next: BTreeMap<String, u32>,
}

impl UniqueNames {
    fn claim(&mut self, wanted: &str) -> String {
        let wanted = if wanted.is_empty() { "unnamed" } else { wanted };
        let next = self.next.entry(wanted.to_owned()).or_insert(1);
        loop {
            let name = if *next == 1 { wanted.to_owned() } else { format!("{wanted} {next}") };
            *next += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}
