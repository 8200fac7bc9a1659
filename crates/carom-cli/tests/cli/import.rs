//! `carom import`, from outside: files of editors in, sheets, scenes and previews out (F3).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use carom_files::{Scene, sheet};
use tempfile::TempDir;

fn fixture(name: &str) -> String {
    let folder: PathBuf =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../carom-files/tests/fixtures");
    folder.join(name).to_str().unwrap().to_owned()
}

fn carom(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.current_dir(folder.path()).args(arguments).output().expect("carom starts")
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("it is text")
}

#[test]
fn f3_a_tiled_map_is_imported_and_played() {
    let folder = TempDir::new().unwrap();
    let level = fixture("tiled/level.tmx");
    let output = carom(&folder, &["import", &level, "-o", "level.json", "-p", "level.png"]);
    assert!(output.status.success(), "{output:?}");
    let printed = text(output.stdout);
    for part in [
        "level.tmx (Tiled) as a scene: 11 bodies, 5 solids, 8 sensors",
        "  Ground at (0, 0): 10 by 6 tiles (solid), Aabb (solid), Circle (solid)",
        "  door at (140, 32): Aabb (sensor)",
        "note: layer `Triggers`: object 6: ignored: text",
    ] {
        assert!(printed.contains(part), "{part}\nis not in\n{printed}");
    }
    assert_eq!(fs::read(folder.path().join("level.png")).unwrap()[1..4], *b"PNG");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2); // no file beside them is left
    Scene::load(folder.path().join("level.json")).unwrap();
    let played = text(carom(&folder, &["run", "level.json", "--json"]).stdout);
    assert!(played.contains("hero lands on Ground"), "{played}");
    let account: serde_json::Value = serde_json::from_str(&played).unwrap();
    let hero = &account["bodies"][0]["position"];
    // To the right and up the slope, as far as to what lies on the hill, from x 48 on.
    assert_eq!(
        (hero[0].as_f64().unwrap().round(), hero[1].as_f64().unwrap().round()),
        (40.0, 52.0)
    );
}

#[test]
fn f3_a_sprite_is_imported_with_a_preview() {
    let folder = TempDir::new().unwrap();
    for name in ["hero.aseprite", "hero_array.json", "hero_hash.json"] {
        let file = fixture(&format!("aseprite/{name}"));
        let output = carom(&folder, &["import", &file, "--preview", "boxes.svg"]);
        assert!(output.status.success(), "{output:?}");
        let printed = text(output.stderr);
        let counts = format!("{name} (Aseprite) as a sheet: 3 frames, 4 boxes, 2 animations");
        assert!(printed.contains(&counts), "{printed}");
        assert!(printed.contains("hero 2, 12 ticks: torso (hurtbox), fist (hitbox)"), "{printed}");
        let sheet = sheet::from_json(&text(output.stdout)).unwrap();
        assert_eq!(sheet.frames().len(), 3);
        assert!(fs::read_to_string(folder.path().join("boxes.svg")).unwrap().contains("hero 2"));
    }
}

#[test]
fn f3_a_level_of_a_project_is_imported_with_the_roles_that_are_given() {
    let folder = TempDir::new().unwrap();
    let world = fixture("ldtk/world.ldtk");
    let arguments =
        ["import", &world, "--level", "Level_0", "--role", "Water=sensor", "-o", "w.json"];
    let output = carom(&folder, &arguments);
    assert!(output.status.success(), "{output:?}");
    let printed = text(output.stdout);
    assert!(printed.contains("note: layer `Collisions`: `Water` is sensor"), "{printed}");
    assert!(carom(&folder, &["check", "w.json"]).status.success());
}

#[test]
fn import_errors_name_the_file_and_write_nothing() {
    let folder = TempDir::new().unwrap();
    let bytes = fs::read(fixture("aseprite/hero.aseprite")).unwrap();
    fs::write(folder.path().join("half.aseprite"), &bytes[..bytes.len() / 2]).unwrap();
    let level = fs::read_to_string(fixture("tiled/level.tmx")).unwrap();
    fs::write(folder.path().join("alone.tmx"), level).unwrap();
    fs::write(folder.path().join("text.json"), "no json").unwrap();
    for (file, words) in [
        ("gone.tmx", &["gone.tmx: "][..]),
        ("half.aseprite", &["half.aseprite: byte ", "expected"]),
        ("alone.tmx", &["alone.tmx: cannot read the referenced file ground.tsx: "]),
        ("text.json", &["text.json: not an Aseprite, Tiled or LDtk file"]),
    ] {
        let output = carom(&folder, &["import", file, "-o", "out.json", "-p", "out.png"]);
        let message = text(output.stderr);
        assert_eq!(output.status.code(), Some(1), "{file}: {message}");
        assert!(words.iter().all(|word| message.contains(word)), "{file}: {message}");
        assert!(!folder.path().join("out.json").exists(), "{file}");
        assert!(!folder.path().join("out.png").exists(), "{file}");
    }
    for arguments in [["-r", "Water"], ["-r", "Water=wet"], ["--rate", "0"]] {
        let output = carom(&folder, &[&["import", "x.tmx"][..], &arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}
