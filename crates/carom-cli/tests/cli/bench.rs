//! `carom bench`, with few boxes.

use std::process::{Command, Output};

use serde_json::Value;

fn bench(args: &str) -> Output {
    let mut carom = Command::new(env!("CARGO_BIN_EXE_carom"));
    carom.arg("bench").args(args.split_whitespace()).output().expect("carom starts")
}

fn succeed(args: &str) -> String {
    let output = bench(args);
    assert!(output.status.success(), "{args}: {output:?}");
    assert!(output.stderr.is_empty(), "no progress where there is no terminal: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the text on standard error. The exit code must be that of bad arguments.
fn fail(args: &str) -> String {
    let output = bench(args);
    assert_eq!(output.status.code(), Some(2), "{args}: {output:?}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

fn rows(args: &str) -> Vec<Value> {
    serde_json::from_str(&succeed(args)).expect("a list of rows")
}

/// Every scene and every method, and at two sizes: that this succeeds means that all methods agree.
#[test]
fn every_scene_is_measured_with_every_method() {
    let rows = rows("--sizes 20,300 --frames 3 --json");
    for scene in ["uniform", "cluster", "tiles", "one-giant", "far-from-origin", "all-coincident"] {
        let of_scene: Vec<_> = rows.iter().filter(|row| row["scene"] == scene).collect();
        assert!(of_scene.len() >= 2, "{scene}");
        for row in of_scene {
            assert_eq!(row["pairs"]["frames"], 3, "{row}");
            assert!(row["pairs"]["best_ms"].as_f64() <= row["pairs"]["median_ms"].as_f64());
            assert!(row["look_ups_ns"]["nearest"].as_f64().unwrap() > 0.0, "{row}");
        }
    }
}

#[test]
fn brute_force_tests_every_pair_and_coincident_boxes_intersect() {
    let rows = rows("--scene all-coincident --sizes 100 --method brute-force --frames 2 --json");
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["pairs"]["pairs"], 100 * 99 / 2);
    assert_eq!(rows[0]["pairs"]["tests"], 100 * 99 / 2);
}

#[test]
fn methods_that_would_take_too_long_are_skipped_with_a_note() {
    let table = succeed("--scene uniform --sizes 6k --method brute-force");
    assert!(table.contains("6,000  brute-force       skipped: too slow"), "{table}");
    let rows = rows("--scene all-coincident --sizes 100k --json");
    assert!(rows.iter().all(|row| row["skipped"] == "too many pairs" && row["pairs"].is_null()));
}

#[test]
fn only_the_selected_parts_are_measured() {
    let table = succeed("--scene thin --sizes 50 --only pairs --frames 1");
    assert!(table.contains("ms/frame") && !table.contains("nearest"), "{table}");
    let row = rows("--scene thin --sizes 50 --only look-ups --json").remove(0);
    assert!(row["pairs"].is_null() && row["look_ups_ns"]["ray"].is_number(), "{row}");
}

#[test]
fn json_goes_to_a_file_beside_the_table() {
    let file = std::env::temp_dir().join(format!("carom-bench-{}.json", std::process::id()));
    let table = succeed(&format!("--scene mixed --sizes 50 --frames 1 --json {}", file.display()));
    assert!(table.starts_with("mixed: "), "{table}");
    let rows: Vec<Value> = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!((&rows[0]["scene"], &rows[0]["boxes"]), (&"mixed".into(), &50.into()));
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let output = bench("--scene mixed --sizes 9 --frames 1 --json no/such/folder/bench.json");
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("no/such/folder/bench.json"), "{error}");
}

#[test]
fn unknown_names_are_errors_that_tell_the_known_ones() {
    let error = fail("--scene unifrom");
    assert!(error.contains("'unifrom'") && error.contains("similar value exists: 'uniform'"));
    assert!(fail("--method brute").contains("brute-force"));
    assert!(fail("--only everything").contains("look-ups"));
}

#[test]
fn counts_that_make_no_sense_are_errors() {
    for bad in ["0", "-1", "1.5k", "ten", "11m", "99999999999999999999k"] {
        let error = fail(&format!("--sizes={bad}"));
        assert!(error.contains(&format!("'{bad}'")), "{error}");
    }
    fail("--frames 0");
}
