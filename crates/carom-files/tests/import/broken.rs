//! Files that end too early, or have been damaged: an error or a value, never a panic.

use std::fs;
use std::path::PathBuf;

use carom_files::Importer;

use super::fixtures;

fn all() -> Vec<PathBuf> {
    let folders = ["aseprite", "tiled", "ldtk"].map(|folder| fixtures().join(folder));
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let files = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
    files.filter(|path| path.extension().is_some_and(|kind| kind != "png")).collect()
}

#[test]
fn every_beginning_of_a_file_is_refused_or_read() {
    assert!(all().len() >= 11);
    let importer = Importer::default();
    for path in all() {
        let bytes = fs::read(&path).unwrap();
        let step = if bytes.len() > 3000 { 7 } else { 1 };
        let whole = importer.decode(&path, &bytes).is_ok();
        for end in (0..bytes.len() - 1).step_by(step) {
            let part = importer.decode(&path, &bytes[..end]);
            assert!(part.is_err() || whole, "{}: {end}", path.display());
        }
    }
}

#[test]
fn every_byte_may_be_wrong() {
    let importer = Importer::default();
    for path in all() {
        let bytes = fs::read(&path).unwrap();
        let step = if bytes.len() > 2000 { 11 } else { 1 };
        for place in (0..bytes.len()).step_by(step) {
            for change in [0x01, 0x40, 0xff] {
                let mut damaged = bytes.clone();
                damaged[place] ^= change;
                let _ = importer.decode(&path, &damaged); // whatever comes of it
            }
        }
    }
}

#[test]
fn files_of_other_programs_are_rejected_with_the_expected_formats() {
    let importer = Importer::default();
    let refused = |bytes: &[u8]| importer.decode("x.bin", bytes).unwrap_err().to_string();
    assert!(refused(b"").contains("the file is empty"));
    assert!(refused(&[0xff; 9]).contains("byte 0: not an Aseprite, Tiled or LDtk file"));
    assert!(refused(b"{\"a\": 1}").contains("not a JSON file of Aseprite"));
    assert!(refused(b"{\"a\": ").contains("x.bin:1:6: the text ends here, expected a value"));
    assert!(refused(b"hello").contains("not an Aseprite, Tiled or LDtk file"));
    assert!(refused(b"[1, 2]").contains("not an Aseprite, Tiled or LDtk file"));
    assert!(refused(b"<tileset/>").contains("expected <map>; import the map that uses it"));
    assert!(refused(b"<html></html>").contains("x.bin:1:1: found <html>, expected <map>"));
    let deep = format!("<map>{}{}</map>", "<group>".repeat(500), "</group>".repeat(500));
    assert!(
        refused(deep.as_bytes()).contains("<group>: groups are nested more than 100 levels deep")
    );
    let deeper = format!("<map>{}{}</map>", "<group>".repeat(200_000), "</group>".repeat(200_000));
    assert!(refused(deeper.as_bytes()).contains("x.bin:1:"));
    let error = importer.read("gone.tmx").unwrap_err().to_string();
    assert!(error.starts_with("gone.tmx: "), "{error}");
}

#[test]
fn a_level_is_refused_where_there_are_none() {
    let importer = Importer { level: Some("Level_0".into()), ..Importer::default() };
    for file in ["aseprite/hero.aseprite", "aseprite/hero_hash.json", "tiled/level.tmx"] {
        let error = importer.read(fixtures().join(file)).unwrap_err().to_string();
        let words = "files have no levels";
        assert!(error.contains(words), "{error}");
    }
    assert!(importer.read(fixtures().join("ldtk/world.ldtk")).is_ok());
}
