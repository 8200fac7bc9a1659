//! `carom explain`.

use std::fs;
use std::process::{Command, Output};

const BOX: &str = r#"{"type":"aabb","min":[0,0],"max":[2,1]}"#;
const BALL: &str = r#"{"type":"circle","center":[3,0.5],"radius":0.5}"#;

const SEAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/seams.json");
const LEVEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/platformer.json");

fn explain(arguments: &[&str]) -> Output {
    let carom = Command::new(env!("CARGO_BIN_EXE_carom")).arg("explain").args(arguments).output();
    carom.expect("carom runs")
}

#[test]
fn the_table_marks_the_deciding_axis() {
    let output = explain(&[BOX, BALL]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert!(text.contains("\n> edge 1 of A"), "{text}");
    assert!(text.contains("disjoint: edge 1 of A decides"), "{text}");
    assert!(text.contains("Distance 0.5"), "{text}");
}

#[test]
fn diagrams_are_written_as_svg_and_png() {
    let folder = tempfile::tempdir().unwrap();
    let [svg, png] = ["axes.svg", "axes.png"].map(|name| folder.path().join(name));
    let [to_svg, to_png] = [&svg, &png].map(|path| path.to_str().unwrap());
    assert!(explain(&[BOX, BALL, "--svg", to_svg, "--png", to_png]).status.success());
    let text = fs::read_to_string(&svg).unwrap();
    assert!(text.contains(">gap 0.500: the shapes are disjoint</text>"), "{text}");
    assert_eq!(fs::read(&png).unwrap()[..8], *b"\x89PNG\r\n\x1a\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left behind");
}

#[test]
fn bodies_of_a_scene_are_explained_by_name() {
    let output = explain(&[SEAMS, "ball", "tile 3"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("A: ball, Circle\nB: tile 3, Aabb\n"), "{text}");
    assert!(text.contains("touch"), "{text}");
}

#[test]
fn parts_of_a_body_are_named_by_number() {
    let output = explain(&[LEVEL, "hero", "level"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("convex parts; name one of them, from level#0 to level#"), "{error}");
    let output = explain(&[LEVEL, "hero", "level#0"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("A: hero, ") && text.contains("\nB: level#0, "), "{text}");
}

/// The numbers in the table and in the diagram are the same, one row for each direction.
#[test]
fn the_table_agrees_with_the_diagram() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("axes.svg");
    let triangle = r#"{"type":"triangle","points":[[0,0],[4,0],[0,3]]}"#;
    let rect = r#"{"type":"rect","center":[5,4],"half":[1,2],"angle":0.4}"#;
    let output = explain(&[triangle, rect, "--svg", svg.to_str().unwrap()]);
    let (text, svg) = (String::from_utf8(output.stdout).unwrap(), fs::read_to_string(svg).unwrap());
    let rows: Vec<&str> = text.lines().filter(|line| line.contains(" of ")).collect();
    assert_eq!(rows.len(), 5 + 1, "{text}"); // and the conclusion
    for row in &rows[..5] {
        let words: Vec<&str> = row.split_whitespace().rev().collect();
        let size: f32 = words[0].parse().unwrap();
        assert!(svg.contains(&format!(">{} {size:.3}", words[1])), "{row}");
    }
}

#[test]
fn parts_of_a_shape_are_selected_by_number() {
    let line = r#"{"type":"chain","points":[[0,0],[1,0],[1,1]]}"#;
    let folder = tempfile::tempdir().unwrap();
    let [shape, mask] = ["line.json", "mask.json"].map(|name| folder.path().join(name));
    fs::write(&shape, line).unwrap();
    fs::write(&mask, r##"{"type":"mask","origin":[0,0],"pixel":1,"rows":["#.#"]}"##).unwrap();
    for (argument, start) in [
        (format!("{line}#1"), "A: A#1, Segment\n"),
        (format!("{}#1", shape.display()), "A: A#1, Segment\n"),
        (format!("{}#1", mask.display()), "A: A#1, Aabb\n"),
    ] {
        let text = String::from_utf8(explain(&[&argument, BALL]).stdout).unwrap();
        assert!(text.starts_with(start), "{argument}: {text}");
    }
    let output = explain(&[&format!("{line}#2"), BALL]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("A has 2 convex parts; there is no part #2"), "{error}");
}

#[test]
fn a_touch_is_not_called_a_penetration() {
    let beside = r#"{"type":"aabb","min":[2,0],"max":[3,1]}"#;
    let text = String::from_utf8(explain(&[BOX, beside]).stdout).unwrap();
    assert!(text.ends_with("The shapes touch\n"), "{text}");
}

#[test]
fn json_has_the_numbers_of_the_table() {
    let far = r#"{"type":"aabb","min":[7,3],"max":[8,4]}"#;
    let output = explain(&[BOX, far, "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["relation"], "disjoint");
    assert_eq!(json["axes"].as_array().unwrap().len(), 3); // the last from vertex to vertex
    let [stop, deciding] =
        ["early_exit", "deciding"].map(|key| json[key].as_u64().unwrap() as usize);
    assert_eq!((stop, deciding), (0, 2));
    assert_eq!((&json["axes"][0]["gap"], &json["axes"][1]["gap"]), (&2.0.into(), &5.0.into()));
    assert_eq!(json["axes"][1]["projection_b"], serde_json::json!([7.0, 8.0]));
    assert!(json["contact"].is_null());
    let output = explain(&[BOX, r#"{"type":"circle","center":[2,0.5],"radius":0.5}"#, "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&json["relation"], &json["early_exit"]), (&"overlapping".into(), &().into()));
    assert_eq!(json["contact"]["depth"], 0.5);
}

#[test]
fn shapes_that_cannot_be_explained_give_an_error() {
    let line = r#"{"type":"chain","points":[[0,0],[1,0],[1,1]]}"#;
    for (arguments, message) in [
        (&[line, BALL][..], "A is a Chain, which is not convex; pass one of its convex parts"),
        (&[BOX, "nowhere.json"], "nowhere.json: No such file"),
        (&[BOX, r#"{"type":"circle","center":[0,0],"radius":-1}"#], "B: radius is -1"),
        (&[BOX, BALL, "--svg", "no/where/axes.svg"], "no/where/axes.svg: No such file"),
        (&[SEAMS], "name two of its bodies: tile 0, tile 1, "),
        (&[SEAMS, "bal", "tile 3"], "unknown body `bal` (did you mean `ball`?)"),
        (&[SEAMS, "ball"], "seams.json: name two of its bodies: tile 0, tile 1, "),
        (&[BOX], "expected two shapes, or a scene and two of its bodies"),
        (&[BOX, r#"{"type":"point","at":[0,NaN]}"#], "B:1:25: at.y: expected a value"),
    ] {
        let output = explain(arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(message), "{error}");
    }
}
