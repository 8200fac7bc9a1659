//! Files and lines for `carom query`.

use std::collections::BTreeMap;

use carom_files::scene::Simulation;
use carom_files::{Content, FitOptions, Image, Importer, Scene, Slicing, sheet};
use peak_alloc::PeakAlloc;
use serde_json::value::RawValue;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The memory that reading a file of a few kilobytes may take, in bytes; see the guide for the limits.
const MAX_MEMORY: usize = 2 << 30;

/// Reads a file. The first byte tells how; the rest is the content.
pub fn files(bytes: &[u8]) {
    let Some((&reader, content)) = bytes.split_first() else { return };
    MEMORY.reset_peak_usage();
    match reader % 6 {
        0 => scene(content),
        1 => sheet_file(content),
        2 => import("level.tmx", content),
        3 => import("hero.aseprite", content),
        4 => import("world.ldtk", content),
        _ => image(content),
    }
    let peak = MEMORY.peak_usage();
    assert!(peak <= MAX_MEMORY, "{} bytes of input take {peak} bytes", content.len());
}

/// Answers a line, as `carom query` does.
pub fn query_lines(line: &[u8]) {
    let response = crate::request::respond(line);
    if line.trim_ascii().is_empty() {
        return assert!(response.is_empty());
    }
    assert_eq!(response.iter().filter(|&&byte| byte == b'\n').count(), 1);
    // An id is echoed as it is, also a number that no `f64` can hold.
    let fields: BTreeMap<String, Box<RawValue>> =
        serde_json::from_slice(&response).expect("a response is an object");
    assert!((1..=4).contains(&fields.len()), "{fields:?}");
}

fn scene(content: &[u8]) {
    let Ok(text) = str::from_utf8(content) else { return };
    if let Ok(scene) = Scene::from_json(text) {
        check_scene(&scene);
    }
}

/// Checks that a scene is read back as it was written, and plays a little of it.
fn check_scene(scene: &Scene) {
    let text = scene.to_json();
    let read = Scene::from_json(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    assert_eq!(&read, scene, "{text}");
    if scene.bodies.iter().any(|body| body.crowd.as_ref().is_some_and(|crowd| crowd.count > 20)) {
        return; // Playing it would take long.
    }
    if let Ok(mut simulation) = Simulation::new(scene) {
        for _ in 0..3 {
            let _ = simulation.step();
        }
    }
}

fn sheet_file(content: &[u8]) {
    let Ok(text) = str::from_utf8(content) else { return };
    if let Ok(read) = sheet::from_json(text) {
        check_sheet(&read);
    }
}

fn check_sheet(found: &carom::sheet::Sheet) {
    let text = sheet::to_json(found);
    let read = sheet::from_json(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    assert_eq!(&read, found, "{text}");
}

fn import(path: &str, content: &[u8]) {
    // In an empty directory: the files that it refers to do not exist.
    let path = std::path::Path::new("no such directory").join(path);
    if let Ok(result) = Importer::default().decode(path, content) {
        match &result.content {
            Content::Scene(scene) => check_scene(scene),
            Content::Sheet(sheet) => check_sheet(sheet),
        }
    }
}

fn image(content: &[u8]) {
    let Ok(images) = Image::decode_all("image", content) else { return };
    let Some(first) = images.first() else { return };
    let [width, height] = first.size();
    if u64::from(width) * u64::from(height) > 1 << 16 {
        return; // Fitting would take long.
    }
    let Ok(frames) = Slicing::Auto { gap: 1 }.frames(first, 127) else { return };
    for frame in frames.iter().take(4) {
        let _ = FitOptions::default().fit(frame);
    }
}
