//! What came of a file, for people.

use std::io::{self, Write};
use std::path::Path;

use carom::prelude::*;
use carom::sheet::{Frame, Role, Sheet};
use carom_files::scene::SceneBody;
use carom_files::{Import, Imported, Scene};

/// How many frames or bodies are told one by one.
const TOLD: usize = 20;

/// Tells what was imported, and what should be known about it.
///
/// # Errors
/// Where writing fails.
pub fn tell(file: &Path, import: &Import, out: &mut impl Write) -> io::Result<()> {
    let (file, program) = (file.display(), import.program);
    match &import.what {
        Imported::Sheet(sheet) => {
            writeln!(out, "{file} ({program}) is now a sheet: {}", sheet_counts(sheet))?;
            let line = |frame: &Frame| {
                let boxes = frame.boxes.iter();
                let boxes = boxes.map(|it| format!("{} ({})", it.name, it.role.name()));
                let boxes: Vec<String> = boxes.collect();
                format!(
                    "{}, {}: {}",
                    frame.name,
                    counted(frame.ticks as usize, "tick"),
                    joined(&boxes)
                )
            };
            tell_each(sheet.frames().iter().map(line), out)?;
        }
        Imported::Scene(scene) => {
            writeln!(out, "{file} ({program}) is now a scene: {}", scene_counts(scene))?;
            tell_each(scene.bodies.iter().map(body_line), out)?;
        }
    }
    import.notes.iter().try_for_each(|note| writeln!(out, "note: {note}"))
}

fn tell_each(lines: impl ExactSizeIterator<Item = String>, out: &mut impl Write) -> io::Result<()> {
    let more = lines.len().saturating_sub(TOLD);
    for line in lines.take(TOLD) {
        writeln!(out, "  {line}")?;
    }
    if more > 0 { writeln!(out, "  and {more} more") } else { Ok(()) }
}

fn sheet_counts(sheet: &Sheet) -> String {
    let boxes = sheet.frames().iter().map(|frame| frame.boxes.len()).sum();
    [
        counted(sheet.frames().len(), "frame"),
        counted(boxes, "box"),
        counted(sheet.animations().len(), "animation"),
    ]
    .join(", ")
}

fn scene_counts(scene: &Scene) -> String {
    let colliders = || scene.bodies.iter().flat_map(|body| &body.colliders);
    let mut parts = vec![counted(scene.bodies.len(), "body")];
    for role in Role::ALL {
        let name = role.name();
        match colliders().filter(|collider| collider.role == role).count() {
            0 => {}
            count => parts.push(counted(count, name)),
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
    format!("{} at ({x}, {y}): {}", body.name, joined(&shapes))
}

fn joined(parts: &[String]) -> String {
    if parts.is_empty() { "no box".into() } else { parts.join(", ") }
}

fn counted(count: usize, what: &str) -> String {
    let plural = match what {
        "body" => "bodies".into(),
        "box" => "boxes".into(),
        _ if what.ends_with("box") => format!("{what}es"),
        _ => format!("{what}s"),
    };
    format!("{count} {}", if count == 1 { what } else { &plural })
}
