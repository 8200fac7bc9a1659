//! `carom import`: sheets and scenes from the files of other programs.

mod preview;
mod summary;

use std::io::{self, Write};
use std::path::PathBuf;

use carom::sheet::Role;
use carom_files::{Imported, Importer, sheet, write_atomically};

use crate::{arguments, picture};

/// What the long help says after the options.
pub const HELP: &str = "Examples:
  carom import hero.aseprite --out sheet.json      slices become boxes, tags animations
  carom import hero.json --preview boxes.png       also from Aseprite's JSON export
  carom import level.tmx --out level.json          a Tiled map (.tmx, .tmj) becomes a scene
  carom import level.tmx --role Decoration=none    without what is on one layer
  carom import world.ldtk --level Level_0 --role Water=sensor --out level.json
  carom import level.tmx | carom run -             and play it

Which program a file is of is told by what is in it. Without --out the result goes to the standard \
output.

What a thing is there for is said by --role, by its property or field `role` (in Aseprite: its user \
data), and by its name, in this order. Further properties that mean something: layer, hits, team, \
one_way, solid, fixed, pick_up, motion (as in a scene), and gravity on a map.";

/// Which file, and where it goes.
#[derive(clap::Args)]
pub struct Options {
    /// The file: .aseprite, .ase or its .json; .tmx or .tmj; .ldtk
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write the sheet or scene to this file
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw what was imported, to a .svg or .png file
    #[arg(short, long, value_name = "FILE")]
    preview: Option<PathBuf>,
    /// What the things of a name are there for: solid, sensor, hitbox, hurtbox, or none to leave them
    /// out; names are those of layers, objects, entities, grid values and slices
    #[arg(short, long, value_name = "NAME=ROLE", value_parser = named_role)]
    role: Vec<(String, Option<Role>)>,
    /// How many ticks a second has, for the times of frames
    #[arg(long, value_name = "TICKS", default_value_t = 60.0, value_parser = arguments::rate)]
    #[arg(allow_negative_numbers = true)]
    rate: f32,
    /// Import one level of an LDtk project, with its corner at the origin
    #[arg(long, value_name = "NAME")]
    level: Option<String>,
}

fn named_role(text: &str) -> Result<(String, Option<Role>), String> {
    let (name, role) = text.rsplit_once('=').ok_or("expected a name and a role: Water=sensor")?;
    let names = || Role::ALL.map(Role::name).join(", ");
    match role.parse().ok() {
        None if role != "none" => Err(format!("`{role}` is none of {}, none", names())),
        role => Ok((name.into(), role)),
    }
}

/// Imports a file. Nothing is written unless all of it worked out.
///
/// # Errors
/// A file that cannot be read, or not be made anything of; files that cannot be written.
pub fn run(options: &Options, out: &mut impl Write) -> io::Result<()> {
    let importer =
        Importer { roles: options.role.clone(), rate: options.rate, level: options.level.clone() };
    let import = importer.read(&options.file).map_err(arguments::refused)?;
    let json = match &import.what {
        Imported::Sheet(sheet) => sheet::to_json(sheet),
        Imported::Scene(scene) => scene.to_json(),
    };
    if let Some(path) = &options.preview {
        picture::write(&preview::drawn(&import)?, path)?;
    }
    match &options.out {
        Some(path) => {
            write_atomically(path, json.as_bytes())?;
            summary::tell(&options.file, &import, out)
        }
        None => {
            out.write_all(json.as_bytes())?;
            summary::tell(&options.file, &import, &mut io::stderr().lock())
        }
    }
}
