//! Files of the editors people use, as sheets and scenes.
//!
//! | program | files | become |
//! | --- | --- | --- |
//! | [Aseprite](aseprite) | `.aseprite`, `.ase`, and its JSON export | a [`Sheet`]: slices are boxes, tags animations |
//! | [Tiled](tiled) | `.tmx`, `.tmj`, with `.tsx`, `.tsj` and templates | a [`Scene`]: tile layers and objects |
//! | [LDtk](ldtk) | `.ldtk`, with `.ldtkl` | a [`Scene`]: IntGrid layers and entities |
//!
//! Which program a file is of is told by what is in it.
//!
//! ```no_run
//! use carom_files::{Imported, Importer};
//!
//! let import = Importer::default().read("level.tmx")?;
//! if let Imported::Scene(scene) = &import.what {
//!     scene.save("level.json")?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Editors do not know of solids and sensors. What a thing is there for is looked for in what the caller
//! says ([`Importer::roles`]), in its properties, and in its name; each importer says what it takes for
//! granted, and [`Import::notes`] what it could not take along.
//!
//! **Properties** of layers, objects and entities that mean something here: `role` (`solid`, `sensor`,
//! `hitbox`, `hurtbox`, `none`), `layer` and `hits` (names with commas between them), `team`, `one_way`,
//! `fixed`, `pick_up`, and `motion` (as in a scene, `{"type": "walk", "speed": 60}`). On a map, `gravity`.

mod affine;
pub mod aseprite;
mod gather;
pub mod ldtk;
mod properties;
pub mod tiled;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use carom::sheet::{Role, Sheet};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::{FileError, Picture, Scene};

/// How files are imported.
#[derive(Clone, Debug, PartialEq)]
pub struct Importer {
    /// What things are there for, by the names of layers, objects, entities, slices, and values of
    /// `IntGrid` layers: before all that files say themselves. `None` leaves them out.
    pub roles: Vec<(String, Option<Role>)>,
    /// How many ticks a second has, for the times of frames.
    pub rate: f32,
    /// The one level of an `LDtk` project to import; all of them unless given.
    pub level: Option<String>,
}

impl Default for Importer {
    fn default() -> Self {
        Self { roles: Vec::new(), rate: 60.0, level: None }
    }
}

/// What was made of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The program that the file is of.
    pub program: &'static str,
    /// What it became.
    pub what: Imported,
    /// What people should know: what was taken for granted, and what could not be taken along.
    pub notes: Vec<String>,
    /// The pictures of a sheet's frames, if they are to be had.
    pub pictures: Vec<Picture>,
}

/// What a file became.
#[derive(Clone, Debug, PartialEq)]
pub enum Imported {
    /// The boxes of a sprite.
    Sheet(Sheet),
    /// A level.
    Scene(Scene),
}

/// What files are taken for.
const EXPECTED: &str = "expected a file of Aseprite, Tiled or LDtk";

/// What the fields of a JSON file say about the program that it is of.
#[derive(Deserialize)]
struct Signs {
    frames: Option<IgnoredAny>,
    meta: Option<IgnoredAny>,
    layers: Option<IgnoredAny>,
    tilesets: Option<IgnoredAny>,
    levels: Option<IgnoredAny>,
    defs: Option<IgnoredAny>,
}

impl Importer {
    /// Imports a file, and what it refers to.
    ///
    /// # Errors
    /// A file that cannot be read, is of none of the programs, or is broken, with the place.
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Import, FileError> {
        let path = path.as_ref();
        let bytes =
            fs::read(path).map_err(|error| FileError::Read { path: path.to_path_buf(), error })?;
        self.decode(path, &bytes)
    }

    /// Imports a file from its bytes; files that it refers to are looked for beside the path.
    ///
    /// # Errors
    /// As [`Importer::read`].
    pub fn decode(&self, path: impl AsRef<Path>, bytes: &[u8]) -> Result<Import, FileError> {
        let path = path.as_ref();
        let job = Job { importer: self, named: RefCell::default() };
        let mut import = job.decode(path, bytes)?;
        match &self.level {
            Some(level) if import.program != ldtk::PROGRAM => {
                let found = format!("found a file of {} for level `{level}`", import.program);
                return Err(FileError::invalid(
                    path,
                    format!("{found}; only projects of LDtk have levels"),
                ));
            }
            _ => {}
        }
        let named = job.named.into_inner();
        let unknown = self.roles.iter().filter(|(name, _)| !named.contains(name));
        import.notes.extend(unknown.map(|(name, _)| format!("nothing there is called `{name}`")));
        Ok(import)
    }
}

/// An import under way.
struct Job<'i> {
    importer: &'i Importer,
    /// The names that the caller gave roles and something had.
    named: RefCell<BTreeSet<String>>,
}

impl Job<'_> {
    fn decode(&self, path: &Path, bytes: &[u8]) -> Result<Import, FileError> {
        if aseprite::is_binary(path, bytes) {
            return aseprite::import_binary(self, path, bytes);
        }
        let text = text_of(path, bytes)?;
        if text.trim_start().starts_with('<') {
            return tiled::import_xml(self, path, text);
        }
        if !text.trim_start().starts_with('{') {
            return Err(FileError::invalid(
                path,
                format!("found text of another kind; {EXPECTED}"),
            ));
        }
        let signs: Signs = from_json(path, text)?;
        match signs {
            Signs { levels: Some(_), defs: Some(_), .. } => ldtk::import(self, path, text),
            Signs { layers: Some(_), tilesets: Some(_), .. } => {
                tiled::import_json(self, path, text)
            }
            Signs { frames: Some(_), meta: Some(_), .. } => aseprite::import_json(self, path, text),
            _ => Err(FileError::invalid(
                path,
                "found JSON of another kind; expected a file of Aseprite (\"frames\" and \"meta\"), Tiled (\"layers\" and \"tilesets\") or LDtk (\"defs\" and \"levels\")",
            )),
        }
    }

    /// What the caller says about the first of these names that it knows.
    fn role_of(&self, names: &[&str]) -> Option<Option<Role>> {
        let known = |name: &&str| self.importer.roles.iter().find(|(known, _)| known == name);
        let said: Vec<_> = names.iter().filter_map(known).collect();
        self.named.borrow_mut().extend(said.iter().map(|(name, _)| name.clone()));
        said.first().map(|(_, role)| *role)
    }
}

/// The text of a file, without the mark that some editors put before it.
fn text_of<'b>(path: &Path, bytes: &'b [u8]) -> Result<&'b str, FileError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        FileError::invalid(path, format!("byte {}: found no text; {EXPECTED}", error.valid_up_to()))
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        Err(FileError::invalid(path, format!("found nothing; {EXPECTED}")))
    } else {
        Ok(text)
    }
}

fn from_json<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, FileError> {
    serde_json::from_str(text).map_err(|error| FileError::invalid(path, error))
}

/// Where a file is that another one refers to.
fn beside(path: &Path, name: &str) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).join(name)
}

/// A file that another one refers to: where it is, and what is in it.
fn read_beside(path: &Path, name: &str) -> Result<(PathBuf, Vec<u8>), FileError> {
    let beside = beside(path, name);
    match fs::read(&beside) {
        Ok(bytes) => Ok((beside, bytes)),
        Err(error) => {
            Err(FileError::invalid(path, format!("it refers to {}: {error}", beside.display())))
        }
    }
}

/// Names that come once: the second `door` is `door 2`.
#[derive(Default)]
struct Names {
    taken: BTreeSet<String>,
    /// The number to try next, for names that came before.
    next: BTreeMap<String, u32>,
}

impl Names {
    fn take(&mut self, wanted: &str) -> String {
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
