//! Files of other programs, as these write them (F3).

mod aseprite;
mod broken;
mod ldtk;
mod tiled;

use std::path::{Path, PathBuf};

use carom::prelude::*;
use carom::sheet::{Role, Sheet};
use carom_files::scene::SceneBody;
use carom_files::{Content, ImportResult, Importer, Scene};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

fn import(file: &str) -> ImportResult {
    import_with(&Importer::default(), file)
}

fn import_with(importer: &Importer, file: &str) -> ImportResult {
    importer.read(fixtures().join(file)).unwrap_or_else(|error| panic!("{error}"))
}

fn scene(import: &ImportResult) -> &Scene {
    match &import.content {
        Content::Scene(scene) => scene,
        Content::Sheet(_) => panic!("a sheet"),
    }
}

fn sheet(import: &ImportResult) -> &Sheet {
    match &import.content {
        Content::Sheet(sheet) => sheet,
        Content::Scene(_) => panic!("a scene"),
    }
}

fn body<'s>(scene: &'s Scene, name: &str) -> &'s SceneBody {
    let names: Vec<&str> = scene.bodies.iter().map(|body| body.name.as_str()).collect();
    let found = scene.bodies.iter().find(|body| body.name == name);
    found.unwrap_or_else(|| panic!("no body `{name}` in {names:?}"))
}

/// The only shape of a body, and its role.
fn only(body: &SceneBody) -> (&Shape, Role) {
    assert_eq!(body.colliders.len(), 1, "{}", body.name);
    (&body.colliders[0].shape, body.colliders[0].role)
}

fn map(body: &SceneBody) -> &TileMap {
    match &body.colliders[0].shape {
        Shape::TileMap(map) => map,
        other => panic!("{}: {}", body.name, other.kind()),
    }
}
