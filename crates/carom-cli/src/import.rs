//! `carom import`: converts the files of Aseprite, Tiled and LDtk.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use carom::draw::{self, Canvas, Color, Drawing, LabelPlacement, Style, View};
use carom::prelude::*;
use carom::sheet::{Frame, Role, Sheet};
use carom_files::scene::SceneBody;
use carom_files::{Content, ImportResult, Importer, Scene, sheet, write_atomically};

use crate::args;
use crate::render::{self, draw_sprite};
use crate::run::draw_initial_state;

/// The help text after the options.
pub const HELP: &str = "Examples:
  carom import hero.aseprite --out sheet.json      slices become boxes, tags animations
  carom import hero.json --preview boxes.png       from Aseprite's JSON export
  carom import level.tmx --out level.json          a Tiled map (.tmx, .tmj) becomes a scene
  carom import level.tmx --role Decoration=none    without one layer
  carom import world.ldtk --level Level_0 --role Water=sensor --out level.json
  carom import level.tmx | carom run -             simulate it

The format is detected from the content. Without --out, the result goes to the standard output.

A role comes from --role, else from the property or field `role` (in Aseprite: the user data of the \
slice), else from the name. These properties are used too: layer, hits, team, one_way, solid, fixed, \
pick_up, pushable, weight, swept, motion (as in a scene), and gravity on a map.";

/// The options of `carom import`.
#[derive(clap::Args)]
pub struct Options {
    /// An .aseprite, .ase or .json file of Aseprite, a .tmx or .tmj file of Tiled, or an .ldtk file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write the sheet or scene to this file
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw the result to an .svg or .png file
    #[arg(short, long, value_name = "FILE")]
    preview: Option<PathBuf>,
    /// Role of every layer, object, entity, IntGrid value or slice with this name: solid, sensor, hitbox,
    /// hurtbox, or none to skip it
    #[arg(short, long, value_name = "NAME=ROLE", value_parser = named_role)]
    role: Vec<(String, Option<Role>)>,
    /// Ticks per second, for the frame times
    #[arg(long, value_name = "TICKS", default_value_t = 60.0, value_parser = args::rate)]
    #[arg(allow_negative_numbers = true)]
    rate: f32,
    /// Import one level of an LDtk project, placed at the origin
    #[arg(long, value_name = "NAME")]
    level: Option<String>,
}

fn named_role(text: &str) -> Result<(String, Option<Role>), String> {
    let (name, role) =
        text.rsplit_once('=').ok_or("expected a name and a role, such as Water=sensor")?;
    let names = || Role::ALL.map(Role::name).join(", ");
    match role.parse().ok() {
        None if role != "none" => {
            Err(format!("unknown role `{role}`, expected one of {}, none", names()))
        }
        role => Ok((name.into(), role)),
    }
}

/// Imports a file. Nothing is written if that fails.
///
/// # Errors
/// Returns an error if the file cannot be read or is invalid, or if writing fails.
pub fn run(options: &Options, out: &mut impl Write) -> io::Result<()> {
    let importer =
        Importer { roles: options.role.clone(), rate: options.rate, level: options.level.clone() };
    let import = importer.read(&options.file).map_err(args::file_error)?;
    let json = match &import.content {
        Content::Sheet(sheet) => sheet::to_json(sheet),
        Content::Scene(scene) => scene.to_json(),
    };
    if let Some(path) = &options.preview {
        render::write(&draw_preview(&import)?, path)?;
    }
    match &options.out {
        Some(path) => {
            write_atomically(path, json.as_bytes())?;
            write_summary(&options.file, &import, out)
        }
        None => {
            out.write_all(json.as_bytes())?;
            write_summary(&options.file, &import, &mut io::stderr().lock())
        }
    }
}

/// The maximum number of frames or bodies that the summary lists.
const MAX_LISTED: usize = 20;

/// Writes a summary of the import, with the warnings.
fn write_summary(file: &Path, import: &ImportResult, out: &mut impl Write) -> io::Result<()> {
    let (file, program) = (file.display(), import.program);
    match &import.content {
        Content::Sheet(sheet) => {
            writeln!(out, "Imported {file} ({program}) as a sheet: {}", sheet_counts(sheet))?;
            let line = |frame: &Frame| {
                let boxes = frame.boxes.iter();
                let boxes = boxes.map(|it| format!("{} ({})", it.name, it.role.name()));
                let boxes: Vec<String> = boxes.collect();
                format!(
                    "{}, {}: {}",
                    frame.name,
                    pluralize(frame.ticks as usize, "tick"),
                    list_or_none(&boxes)
                )
            };
            write_list(sheet.frames().iter().map(line), out)?;
        }
        Content::Scene(scene) => {
            writeln!(out, "Imported {file} ({program}) as a scene: {}", scene_counts(scene))?;
            write_list(scene.bodies.iter().map(body_line), out)?;
        }
    }
    import.warnings.iter().try_for_each(|note| writeln!(out, "note: {note}"))
}

fn write_list(
    lines: impl ExactSizeIterator<Item = String>,
    out: &mut impl Write,
) -> io::Result<()> {
    let more = lines.len().saturating_sub(MAX_LISTED);
    for line in lines.take(MAX_LISTED) {
        writeln!(out, "  {line}")?;
    }
    if more > 0 { writeln!(out, "  and {more} more") } else { Ok(()) }
}

fn sheet_counts(sheet: &Sheet) -> String {
    let boxes = sheet.frames().iter().map(|frame| frame.boxes.len()).sum();
    [
        pluralize(sheet.frames().len(), "frame"),
        pluralize(boxes, "box"),
        pluralize(sheet.animations().len(), "animation"),
    ]
    .join(", ")
}

fn scene_counts(scene: &Scene) -> String {
    let colliders = || scene.bodies.iter().flat_map(|body| &body.colliders);
    let mut parts = vec![pluralize(scene.bodies.len(), "body")];
    for role in Role::ALL {
        let name = role.name();
        match colliders().filter(|collider| collider.role == role).count() {
            0 => {}
            count => parts.push(pluralize(count, name)),
        }
    }
    parts.join(", ")
}

fn body_line(body: &SceneBody) -> String {
    let shapes = body.colliders.iter().map(|collider| {
        let role = collider.role.name();
        match &collider.shape {
            Shape::TileMap(map) => {
                format!("{} by {} tiles ({role})", map.columns(), map.rows())
            }
            shape => format!("{} ({role})", shape.kind()),
        }
    });
    let mut shapes: Vec<String> = shapes.collect();
    let all = shapes.len();
    shapes.dedup();
    if all > 3 && shapes.len() > 3 {
        shapes.truncate(2);
        shapes.push(format!("and {} more", all - 2));
    }
    let Vec2 { x, y } = body.position;
    format!("{} at ({x}, {y}): {}", body.name, list_or_none(&shapes))
}

fn list_or_none(parts: &[String]) -> String {
    if parts.is_empty() { "no boxes".into() } else { parts.join(", ") }
}

/// Returns a count with a noun, in the plural unless the count is 1.
fn pluralize(count: usize, noun: &str) -> String {
    let plural = match noun {
        "body" => "bodies".into(),
        _ if noun.ends_with("box") => format!("{noun}es"),
        _ => format!("{noun}s"),
    };
    format!("{count} {}", if count == 1 { noun } else { &plural })
}

/// The distance between frames in the preview, relative to their size.
const SPACING: f32 = 0.25;

/// Draws the initial state of a scene, or the frames of a sheet side by side.
fn draw_preview(import: &ImportResult) -> io::Result<Drawing> {
    match &import.content {
        Content::Scene(scene) => draw_initial_state(scene),
        Content::Sheet(sheet) => Ok(draw_frames(sheet, import)),
    }
}

fn draw_frames(sheet: &Sheet, import: &ImportResult) -> Drawing {
    let cell = frame_bounds(sheet, import);
    let columns = (sheet.frames().len() as f32).sqrt().ceil().max(1.0) as usize;
    let rows = sheet.frames().len().div_ceil(columns).max(1);
    let step = cell.size() * (1.0 + SPACING);
    let area = Vec2::new(columns as f32, rows as f32) * step;
    let mut drawing = Drawing::new(View::new(Aabb::new([0.0, 0.0], area)).y_down());
    for (i, frame) in sheet.frames().iter().enumerate() {
        let corner = Vec2::new((i % columns) as f32, (i / columns) as f32) * step;
        let origin = corner + cell.size() * SPACING / 2.0 - cell.min();
        if let Some(image) = import.images.get(i) {
            draw_sprite(&mut drawing, image, origin);
        }
        for frame_box in &frame.boxes {
            let style = Style::translucent(role_color(frame_box.role));
            draw::shape(&mut drawing, &frame_box.shape.translated(origin), &style);
        }
        let pivot = Point::new(origin + frame.pivot);
        draw::shape(&mut drawing, &pivot, &Style::fill(Color::BLACK));
        let middle = origin + Vec2::new(cell.center().x, cell.max().y);
        drawing.label(middle, &frame.name, LabelPlacement::Below, &Style::default());
    }
    drawing
}

/// Returns bounds that contain every frame.
fn frame_bounds(sheet: &Sheet, import: &ImportResult) -> Aabb {
    let sizes = import.images.iter().map(|image| {
        let [width, height] = image.size();
        Vec2::new(width as f32, height as f32)
    });
    let boxes = sheet.frames().iter().flat_map(|frame| &frame.boxes);
    let corners = boxes.flat_map(|frame_box| frame_box.shape.bounds().corners());
    let points: Vec<Vec2> = sizes.chain(corners).chain([Vec2::ZERO]).collect();
    let whole = Aabb::from_points(&points).filter(|whole| whole.size().min_element() > 0.0);
    whole.unwrap_or(Aabb::new([0.0, 0.0], [1.0, 1.0]))
}

fn role_color(role: Role) -> Color {
    match role {
        Role::Sensor => Color::SKY,
        Role::Hitbox => Color::VERMILION,
        Role::Hurtbox => Color::GREEN,
        _ => Color::BLUE,
    }
}
