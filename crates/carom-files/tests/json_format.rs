//! Scenes and sheets as files (F2, F4): what they contain, what is said of bad ones, and that they read
//! back.

use std::fs;
use std::path::{Path, PathBuf};

use carom::prelude::*;
use carom::world::StrikeRules;
use carom_files::{FileError, Scene, scene_schema, sheet};
use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn scenes() -> Vec<PathBuf> {
    let files = fs::read_dir(root().join("scenes")).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|kind| kind == "json")).collect()
}

#[test]
fn f4_scenes_read_back_as_they_were_written() {
    assert!(scenes().len() >= 12);
    for path in scenes() {
        let scene = Scene::load(&path).unwrap_or_else(|error| panic!("{error}"));
        let again = Scene::from_json(&scene.to_json()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again, scene, "{}", path.display());
        assert_eq!(again.to_json(), scene.to_json(), "{}", path.display());
    }
}

#[test]
fn the_scenes_in_the_guide_can_be_read() {
    let chapter = fs::read_to_string(root().join("docs/src/scenes.md")).unwrap();
    let blocks: Vec<&str> = chapter.split("```json\n").skip(1).collect();
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        let scene = block.split("```").next().unwrap_or_default();
        Scene::from_json(scene).unwrap_or_else(|error| panic!("{error}\n{scene}"));
    }
}

#[test]
fn files_are_written_as_a_whole_and_load_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tour.json");
    let scene = Scene::load(root().join("crates/carom-cli/scenes/tour.json")).unwrap();
    scene.save(&path).unwrap();
    assert_eq!(Scene::load(&path).unwrap(), scene);
    let (_, fighter) = scene.sheets.first_key_value().unwrap();
    sheet::save(fighter, &path).unwrap();
    assert_eq!(sheet::load(&path).unwrap(), *fighter);
    let marked = "\u{feff}".to_owned() + &sheet::to_json(fighter); // as some editors write it
    fs::write(&path, marked).unwrap();
    assert_eq!(sheet::load(&path).unwrap(), *fighter);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1); // no file beside it is left
    let error = Scene::load(folder.path().join("gone.json")).unwrap_err();
    assert!(matches!(error, FileError::Read { .. }), "{error}");
}

fn faults(text: &str) -> Vec<String> {
    let problems = Scene::from_json(text).expect_err("there is something wrong");
    problems.0.iter().map(ToString::to_string).collect()
}

#[test]
fn f4_all_errors_are_reported_at_once_with_positions() {
    let found = faults(
        r#"{
  "carom": 1,
  "gravty": [0, -30],
  "rate": "fast",
  "view": {"min": [0, 0], "max": [1, 2, 3]},
  "bodies": [
    {"name": "hero", "colliders": [
      {"shape": {"type": "cirle", "center": [0, 0], "radius": 1}},
      {"shape": {"type": "circle", "center": [0, 1e99], "radius": 1}},
      {"shape": {"type": "circle", "radius": 1, "color": "red"}},
      {"shape": {"type": "circle", "center": [0, 0], "radius": -1}, "role": "hitboxx"}],
     "motion": {"type": "walk", "speed": 3, "input": "righ 10", "walker": {"stepp": 1}}},
    {"team": -1, "fixed": null},
    {"name": "crate", "pushable": 1, "weight": 65536, "swpet": true}
  ]
}"#,
    );
    let expected = [
        "3:3: unknown field `gravty` (did you mean `gravity`?), expected one of",
        "4:11: rate: found \"fast\", expected a finite 32-bit number",
        "5:34: view.max: found 3 items, expected [x, y]",
        "8:26: bodies[0].colliders[0].shape: unknown type `cirle` (did you mean `circle`?)",
        "9:50: bodies[0].colliders[1].shape.center[1]: found 1e99, expected a finite 32-bit number",
        "10:17: bodies[0].colliders[2].shape: missing field `center`",
        "10:49: bodies[0].colliders[2].shape: unknown field `color`, expected one of",
        "11:64: bodies[0].colliders[3].shape: radius is -1; it must be greater than 0",
        "11:77: bodies[0].colliders[3].role: unknown value `hitboxx` (did you mean `hitbox`?)",
        "12:54: bodies[0].motion.input: unknown key `righ` (did you mean `right`?)",
        "12:76: bodies[0].motion.walker: unknown field `stepp` (did you mean `step`?)",
        "13:5: bodies[1]: missing field `name` (the name, unique in the scene)",
        "13:14: bodies[1].team: found -1, expected a non-negative integer",
        "13:27: bodies[1].fixed: found null, expected true or false",
        "14:35: bodies[2].pushable: found 1, expected true or false",
        "14:48: bodies[2].weight: found 65536, expected an integer from 0 to 65535",
        "14:55: bodies[2]: unknown field `swpet` (did you mean `swept`?)",
    ];
    let is_so = |(found, expected): (&String, &str)| found.starts_with(expected);
    assert!(found.iter().zip(expected).all(is_so), "{found:#?}");
    assert_eq!(found.len(), expected.len(), "{found:#?}");
}

#[test]
fn semantic_errors_have_line_and_column() {
    let found = faults(
        r#"{"carom": 2, "rate": 0, "up": [0, 0], "layers": ["wall"],
  "view": {"min": [5, 0], "max": [1, 2]},
  "sheets": {"hero": {"frames": [{"name": "idle"}]}},
  "bodies": [
    {"name": "a", "colliders": [{"shape": {"type": "point", "at": [0, 0]}, "layer": "wal"}]},
    {"name": "a", "fixed": true, "motion": {"type": "path", "speed": -1, "points": []}},
    {"name": "b", "plays": "hero/idlee", "fixed": true, "pushable": true},
    {"name": "c", "plays": "herro/idle", "scale": 0}
  ]
}"#,
    );
    for expected in [
        "1:11: carom: unsupported version 2; expected 1",
        "1:22: rate: 0; must be positive",
        "1:31: up: [0, 0]; must not be zero",
        "2:11: view: ",
        "6:14: bodies[1].name: another body is named `a`",
        "6:70: bodies[1].motion.speed: -1; must be at least 0",
        "6:84: bodies[1].motion.points: found 0 points, expected at least 2",
        "6:28: bodies[1].fixed: a fixed body cannot have a motion",
        "5:33: bodies[0].colliders[0]: unknown layer `wal` (did you mean `wall`?)",
        "7:28: bodies[2].plays: unknown frame `idlee` (did you mean `idle`?)",
        "7:69: bodies[2].pushable: a fixed body cannot be pushed",
        "8:28: bodies[3].plays: unknown sheet `herro` (did you mean `hero`?)",
        "8:5: bodies[3]: ",
    ] {
        assert!(found.iter().any(|found| found.starts_with(expected)), "{expected}: {found:#?}");
    }
}

#[test]
fn every_setting_of_bodies_and_colliders_can_be_declared() {
    let scene = Scene::from_json(
        r#"{"carom": 1, "strikes": {"clashes": true},
  "sheets": {"ship": {"phases": 4, "frames": [{"name": "fly", "boxes": [
    {"name": "gun", "role": "hitbox", "shape": {"type": "aabb", "min": [1, 0], "max": [2, 1]}}]}]}},
  "bodies": [
    {"name": "a", "disabled": true, "colliders": [
      {"tag": 3, "user_data": 9, "shape": {"type": "point", "at": [0, 0]}}]},
    {"name": "b", "hidden": true, "colliders": [
      {"disabled": true, "shape": {"type": "point", "at": [0, 0]}}]},
    {"name": "c", "plays": "ship/fly", "phase": 1},
    {"name": "d", "plays": "ship/fly", "mirrored": true, "upside_down": true},
    {"name": "e", "pushable": true, "weight": 4, "swept": true}
  ]}"#,
    );
    let built = scene.unwrap().build().unwrap();
    let world = &built.world;
    let body = |i: usize| world.body(built.bodies[i]).unwrap();
    let collider = |i: usize| {
        let key = world.colliders_of(built.bodies[i]).next().unwrap();
        world.collider(key).unwrap()
    };
    assert!(!body(0).enabled && body(0).visible && body(1).enabled && !body(1).visible);
    assert!(body(4).pushable && body(4).swept && body(4).weight == 4);
    assert!(!body(3).pushable && !body(3).swept && body(3).weight == 1);
    assert_eq!((collider(0).tag(), collider(0).user_data()), (3, 9));
    assert!(collider(0).enabled() && !collider(1).enabled());
    assert_eq!(world.strike_rules(), StrikeRules::default().with_clashes(true));
    let turned = collider(2).bounds().center(); // by a quarter
    assert!(turned.distance(Vec2::new(-0.5, 1.5)) < 1e-6, "{turned}");
    assert_eq!(collider(3).bounds(), Aabb::new([-2.0, -1.0], [-1.0, 0.0]));
}

#[test]
fn a_collider_is_on_one_layer_or_on_a_list_of_layers() {
    let scene = |layer: &str| {
        Scene::from_json(&format!(
            r#"{{"carom": 1, "layers": ["wall", "glass"], "bodies": [{{"name": "pane", "colliders": [
                {{"shape": {{"type": "point", "at": [0, 0]}}, "layer": {layer}}}]}}]}}"#
        ))
    };
    for (text, bits) in [(r#""glass""#, 0b100), (r#"["wall", "glass"]"#, 0b110), ("[]", 0)] {
        let scene = scene(text).unwrap();
        assert_eq!(Scene::from_json(&scene.to_json()).unwrap(), scene);
        let built = scene.build().unwrap();
        let collider = built.world.colliders().next().unwrap();
        assert_eq!(collider.layers().bits(), bits);
    }
    let error = scene(r#"["wall", "glas"]"#).unwrap_err().to_string();
    assert!(error.contains("unknown layer `glas` (did you mean `glass`?)"), "{error}");
    let error = scene("7").unwrap_err().to_string();
    assert!(error.contains("found 7, expected a string or a list"), "{error}");
}

#[test]
fn names_of_mazes_layers_and_places_in_them_are_checked() {
    let scene = |input: &str| {
        let text = r#"{"carom": 1, "layers": ["glass"], "bodies": [
    {"name": "maze", "fixed": true, "scale": 0.5, "colliders": [{"shape": {"type": "tiles",
      "origin": [0, 0], "tile": [2, 2], "legend": {"X": "solid"}, "rows": ["XXX", "X.X", "XXX"]}}]},
    {"name": "a", "position": [1.5, 1.5], "motion": {"type": "maze", "maze": "maze", "speed": 1}},
    {"name": "b", "position": [0.5, 1.5], "motion": {"type": "maze", "maze": "maze", "speed": -1}},
    {"name": "c", "motion": {"type": "maze", "maze": "mase", "speed": 1}},
    {"name": "d", "motion": {"type": "maze", "maze": "a", "speed": 1, "input": "INPUT"}},
    {"name": "e", "sight": {"direction": [0, 0], "reach": 5}},
    {"name": "f", "sight": {"direction": [1, 0], "reach": 5, "layers": ["glas"]}},
    {"name": "g", "motion": {"type": "travel", "velocity": [1, 0], "response": "touch",
      "responses": {"glas": "cross"}}}
  ]}"#;
        faults(&text.replace("INPUT", input))
    };
    let found = scene("upp 3");
    assert!(found[0].contains("unknown key `upp` (did you mean `up`?)"), "{found:#?}");
    let found = scene("up 3");
    let expected = [
        "5:31: bodies[2].position: [0.5, 1.5]; must be in an empty tile of `maze`",
        "bodies[2].motion.speed: -1; must be at least 0",
        "bodies[3].motion.maze: unknown body `mase` (did you mean `maze`?)",
        "bodies[4].motion.maze: `a` has no tiles; a maze is a body with a `tiles` shape",
        "bodies[5].sight.direction: ",
        "bodies[6].sight.layers: unknown layer `glas` (did you mean `glass`?)",
        "bodies[7].motion.responses: unknown layer `glas` (did you mean `glass`?)",
    ];
    for expected in expected {
        assert!(found.iter().any(|found| found.contains(expected)), "{expected}: {found:#?}");
    }
    assert_eq!(found.len(), expected.len(), "{found:#?}");
}

#[test]
fn syntax_errors_have_line_and_column() {
    assert_eq!(faults("{\"carom\": 1,\n \"bodies\": [}"), ["2:13: expected a value"]);
    assert_eq!(faults("{\"carom\": 1,"), ["1:12: the text ends inside an object"]);
    assert_eq!(faults(""), ["1:1: the text ends here, expected a value"]);
    assert_eq!(faults("[]"), ["1:1: found a list, expected an object with `carom`, `bodies`"]);
    assert_eq!(faults("nothing"), ["1:2: expected a value"]);
    let version = "1:1: missing field `carom` (the version of the format: 1)";
    assert_eq!(faults("{}"), [version, "1:1: missing field `bodies` (all bodies)"]);
    let twice = faults(r#"{"carom": 1, "bodies": [], "carom": 1}"#);
    assert_eq!(twice, ["1:28: field `carom` is given twice"]);
    let very_many = faults(&format!("{{\"carom\":1,\"bodies\":[{}0]}}", "0,".repeat(1000)));
    assert_eq!(very_many.len(), 1001);
    let error = Scene::from_json(&format!("[{}0]", "0,".repeat(1000))).unwrap_err();
    assert_eq!(error.to_string().lines().count(), 1);
}

#[test]
fn every_prefix_of_a_scene_is_refused_without_a_panic() {
    let text = fs::read_to_string(root().join("crates/carom-cli/scenes/tour.json")).unwrap();
    let text = text.trim_end();
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)).step_by(7) {
        assert!(Scene::from_json(&text[..end]).is_err());
    }
}

#[test]
fn f2_a_bad_sheet_is_refused_with_all_that_is_wrong() {
    let problems = sheet::from_json(
        r#"{"carom": 1, "frames": [
  {"name": "walk", "ticks": 1.5, "boxes": [{"name": "b", "role": "hitbox"}]},
  {"name": "run", "pivott": [1, 2]}], "animations": [{"name": "go", "fromm": "walk", "to": "run"}]}"#,
    );
    let problems = problems.unwrap_err().to_string();
    for expected in [
        "2:29: frames[0].ticks: found 1.5, expected a non-negative integer",
        "2:44: frames[0].boxes[0]: missing field `shape`",
        "3:19: frames[1]: unknown field `pivott` (did you mean `pivot`?)",
        "3:69: animations[0]: unknown field `fromm` (did you mean `from`?)",
    ] {
        assert!(problems.contains(expected), "{expected}\nis not in\n{problems}");
    }
    let of = |text: &str| sheet::from_json(text).unwrap_err().to_string();
    assert_eq!(
        of(r#"{"carom": 3, "frames": []}"#),
        "1:11: carom: unsupported version 3; expected 1"
    );
    let unknown = of(r#"{"frames": [{"name": "walk"}],
        "animations": [{"name": "go", "from": "wallk", "to": "walk"}]}"#);
    assert!(unknown.starts_with("2:24: animations[0]: unknown frame `wallk`"), "{unknown}");
}

/// A shape of each type with all its fields.
fn shapes() -> Vec<Value> {
    let pose = json!({"position": [1, 2], "angle": 0.5, "scale": 2});
    let mirror = json!({"x": true, "y": false});
    vec![
        json!({"type": "point", "at": [0, 0], "pose": pose}),
        json!({"type": "segment", "a": [0, 0], "b": [1, 0], "pose": pose}),
        json!({"type": "circle", "center": [0, 0], "radius": 1, "pose": pose}),
        json!({"type": "ellipse", "center": [0, 0], "radii": [1, 2], "angle": 1, "pose": pose}),
        json!({"type": "capsule", "a": [0, 0], "b": [1, 0], "radius": 1, "pose": pose}),
        json!({"type": "aabb", "min": [0, 0], "max": [1, 1], "pose": pose}),
        json!({"type": "rect", "center": [0, 0], "half": [1, 2], "angle": 1, "pose": pose}),
        json!({"type": "triangle", "points": [[0, 0], [1, 0], [0, 1]], "pose": pose}),
        json!({"type": "convex", "points": [[0, 0], [1, 0], [0, 1]], "radius": 1, "pose": pose}),
        json!({"type": "polygon", "outer": [[0, 0], [9, 0], [0, 9]],
               "holes": [[[1, 1], [2, 1], [1, 2]]], "pose": pose}),
        json!({"type": "chain", "points": [[0, 0], [1, 0], [2, 1]], "closed": true,
               "one_sided": true, "pose": pose}),
        json!({"type": "compound", "parts": [{"type": "point", "at": [0, 0]}], "pose": pose}),
        json!({"type": "tiles", "origin": [0, 0], "tile": [1, 1], "rows": ["#a."],
               "legend": {"#": "solid", "a": {"kind": "convex", "data": 7,
                                              "points": [[0, 0], [1, 0], [0, 1]]}},
               "up": [0, 1], "mirror": mirror, "pose": pose}),
        json!({"type": "mask", "origin": [0, 0], "pixel": 2, "rows": ["#."], "mirror": mirror,
               "pose": pose}),
    ]
}

#[test]
fn the_schema_of_shapes_matches_the_reader() {
    let reads = |shape: &Value| serde_json::from_str::<Shape>(&shape.to_string()).is_ok();
    let forms = scene_schema()["$defs"]["Shape"]["oneOf"].as_array().unwrap();
    assert_eq!(forms.len(), shapes().len());
    for shape in shapes() {
        let scene = json!({"carom": 1, "bodies": [{"name": "a", "colliders": [{"shape": shape}]}]});
        assert!(Scene::from_json(&scene.to_string()).is_ok() && reads(&shape), "{shape}");
        let name = &shape["type"];
        let form = forms.iter().find(|form| form["properties"]["type"]["const"] == *name).unwrap();
        let fields: Vec<&String> = shape.as_object().unwrap().keys().collect();
        let known: Vec<&String> = form["properties"].as_object().unwrap().keys().collect();
        assert_eq!(fields, known, "all fields of a {name} are tried");
        let required = form["required"].as_array().unwrap();
        for field in fields {
            let mut without = shape.clone();
            without.as_object_mut().unwrap().remove(field);
            let is_required = required.contains(&json!(field));
            assert_eq!(reads(&without), !is_required, "{field} of {shape}");
        }
        let mut more = shape.clone();
        more["stranger"] = json!(1);
        assert!(form["additionalProperties"] == false && !reads(&more), "{more}");
    }
}
