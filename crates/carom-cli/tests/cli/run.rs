//! `carom run` and `carom check`.
//!
//! `CAROM_BLESS=1 cargo test -p carom-cli --test cli run` writes the expected output of the scenes again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn carom(arguments: &[&str]) -> Output {
    let mut carom = Command::new(env!("CARGO_BIN_EXE_carom"));
    carom.args(arguments).stdin(Stdio::null()).output().expect("carom runs")
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("it is text")
}

fn scenes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

/// The folder of the built-in scene.
fn built_in() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes")
}

#[test]
fn scene_output_matches_the_committed_text() {
    let mut count = 0;
    for entry in [scenes(), built_in()].iter().flat_map(|folder| fs::read_dir(folder).unwrap()) {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|kind| kind != "json") {
            continue;
        }
        count += 1;
        let output = carom(&["run", path.to_str().unwrap()]);
        assert!(output.status.success(), "{}", text(output.stderr));
        let (played, expected) = (text(output.stdout), path.with_extension("txt"));
        if std::env::var_os("CAROM_BLESS").is_some() {
            fs::write(expected, played).unwrap();
            continue;
        }
        let expected = fs::read_to_string(expected).unwrap_or_default();
        assert_eq!(played, expected, "{}", path.display());
    }
    assert!(count >= 12, "{count}");
}

#[test]
fn without_arguments_the_tour_is_played_and_drawn() {
    let tour = fs::read_to_string(built_in().join("tour.txt")).unwrap() + "Wrote tour.png\n";
    for arguments in [&[][..], &["run"]] {
        let folder = tempfile::tempdir().unwrap();
        let mut carom = Command::new(env!("CARGO_BIN_EXE_carom"));
        let output = carom.args(arguments).current_dir(folder.path()).output().unwrap();
        assert_eq!(text(output.stdout), tour);
        assert_eq!(fs::read(folder.path().join("tour.png")).unwrap()[1..4], *b"PNG");
    }
}

#[test]
fn machines_get_the_same_as_json() {
    let output = carom(&["run", "--json", "--frames", "120"]);
    let account: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(account["frames"], 120);
    let kinds: Vec<&str> = account["happenings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|happening| happening["kind"].as_str().unwrap())
        .collect();
    assert!(kinds.contains(&"took") && kinds.contains(&"struck"), "{kinds:?}");
    assert_eq!(account["bodies"][0]["name"], "hero");
}

#[test]
fn numbers_that_are_invalid_are_named_with_their_range() {
    for (option, value, message) in [
        ("--frames", "-3", "'-3' for '--frames <N>': expected a whole number from 0 to 1000000"),
        ("--frames", "1000001", "expected a whole number from 0 to 1000000"),
        (
            "--seed",
            "x",
            "'x' for '--seed <N>': expected a whole number from 0 to 18446744073709551615",
        ),
    ] {
        let output = carom(&["run", option, value]);
        let error = text(output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn a_scene_that_is_not_text_is_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), [0xff, 0xfe]).unwrap();
    let path = file.path().to_str().unwrap();
    let error = text(carom(&["run", path]).stderr);
    assert_eq!(error, format!("carom: {path}: not a text file: expected UTF-8\n"));
}

#[test]
fn images_and_animations_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let output = carom(&["run", "-q", "--png", &file("tour.png"), "--svg", &file("tour.svg")]);
    assert!(output.status.success() && output.stdout.is_empty(), "{}", text(output.stderr));
    let films = ["--gif", &file("tour.gif"), "--animated-svg", &file("film.svg")];
    let output = carom(&[&["run", "--frames", "12", "-q"][..], &films].concat());
    assert!(output.status.success(), "{}", text(output.stderr));
    assert_eq!(fs::read(file("tour.png")).unwrap()[1..4], *b"PNG");
    assert_eq!(fs::read(file("tour.gif")).unwrap()[..6], *b"GIF89a");
    assert!(fs::read_to_string(file("tour.svg")).unwrap().contains(">hero</text>"));
    assert_eq!(fs::read_to_string(file("film.svg")).unwrap().matches("<animate ").count(), 4);
}

#[test]
fn all_images_of_an_animation_have_the_same_view() {
    let folder = tempfile::tempdir().unwrap();
    let film = folder.path().join("film.gif");
    let scene = scenes().join("bullet.json"); // it does not say which part
    let arguments = ["run", "-q", scene.to_str().unwrap(), "--gif", film.to_str().unwrap()];
    assert!(carom(&arguments).status.success());
    let mut film = gif::Decoder::new(fs::File::open(film).unwrap()).unwrap();
    let size = (film.width(), film.height());
    let mut count = 0;
    while let Some(frame) = film.read_next_frame().unwrap() {
        assert_eq!((frame.width, frame.height), size);
        count += 1;
    }
    assert_eq!(count, 10);
}

#[test]
fn the_figures_of_the_guide_match_the_scenes() {
    let folder = tempfile::tempdir().unwrap();
    for (scene, figure) in [
        ("tour", "tour"),
        ("platformer", "platformer"),
        ("slopes", "walking"),
        ("methods", "methods"),
        ("crates", "crates"),
    ] {
        let drawn = folder.path().join(figure);
        let folder = if scene == "tour" { built_in() } else { scenes() };
        let scene = folder.join(scene).with_extension("json");
        let arguments = ["run", "-q", scene.to_str().unwrap(), "--svg", drawn.to_str().unwrap()];
        assert!(carom(&arguments).status.success());
        let committed = scenes().join("../docs/src/figures").join(figure).with_extension("svg");
        if std::env::var_os("CAROM_BLESS").is_some() {
            fs::copy(&drawn, &committed).unwrap();
        }
        let same = fs::read(drawn).unwrap() == fs::read(committed).unwrap_or_default();
        assert!(same, "{figure}: bless it if it should be so");
    }
}

#[test]
fn check_lists_the_contacts_of_the_initial_state() {
    let path = scenes().join("seams.json");
    let printed = text(carom(&["check", path.to_str().unwrap()]).stdout);
    assert!(printed.contains("tile 3 touches ball at (4, 1)"), "{printed}");
    let json = carom(&["check", path.to_str().unwrap(), "--json"]).stdout;
    let meetings: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(meetings[0]["contact"]["depth"], 0.0, "{meetings}");
    let folder = tempfile::tempdir().unwrap();
    let drawn = folder.path().join("seams.svg");
    let check = carom(&["check", path.to_str().unwrap(), "--svg", drawn.to_str().unwrap()]);
    assert!(text(check.stdout).contains("Wrote "));
    assert!(fs::read_to_string(drawn).unwrap().contains("contact points and pushes"));
}

#[test]
fn invalid_scenes_are_rejected_with_all_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.json");
    let refuse = |scene: &str| {
        fs::write(&path, scene).unwrap();
        let output = carom(&["run", path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty());
        text(output.stderr)
    };
    let error = refuse("{\"carom\": 1,\n \"bodys\": []}");
    let hint = "bad.json:2:2: unknown field `bodys` (did you mean `bodies`?)";
    assert!(error.contains(hint), "{error}");

    let error = refuse(
        r#"{"carom": 2, "rate": 0, "bodies": [
            {"name": "a", "motion": {"type": "walk", "speed": -1}},
            {"name": "a", "fixed": true, "motion": {"type": "path", "speed": 1, "points": []}}]}"#,
    );
    for part in [
        "bad.json:1:11: carom: unsupported version 2; expected 1",
        "bad.json:1:22: rate: 0; must be positive",
        "bad.json:2:63: bodies[0].motion.speed: -1; must be at least 0",
        "bad.json:3:22: bodies[1].name: another body is named `a`",
        "bad.json:3:91: bodies[1].motion.points: found 0 points, expected at least 2",
        "bad.json:3:36: bodies[1].fixed: a fixed body cannot have a motion",
    ] {
        assert!(error.contains(part), "{part} is not in: {error}");
    }

    let error = refuse(
        r#"{"carom": 1, "layers": ["wall"], "bodies": [{"name": "a", "colliders": [
            {"shape": {"type": "point", "at": [0, 0]}, "layer": "wal"}]}]}"#,
    );
    assert!(error.contains("colliders[0]: unknown layer `wal` (did you mean `wall`?)"), "{error}");

    let error = refuse(r#"{"carom": 1, "bodies": [{"name": "a", "plays": "hero/idle"}]}"#);
    assert!(error.contains("bodies[0].plays: unknown sheet `hero`"), "{error}");
}
