//! `carom explain` as people call it.

use std::fs;
use std::process::{Command, Output};

const BOX: &str = r#"{"type":"aabb","min":[0,0],"max":[2,1]}"#;
const BALL: &str = r#"{"type":"circle","center":[3,0.5],"radius":0.5}"#;

fn explain(arguments: &[&str]) -> Output {
    let carom = Command::new(env!("CARGO_BIN_EXE_carom")).arg("explain").args(arguments).output();
    carom.expect("carom runs")
}

#[test]
fn the_axes_are_a_table_with_the_one_that_decides() {
    let output = explain(&[BOX, BALL]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert!(text.contains("\n> edge 1 of A"), "{text}");
    assert!(text.contains("apart: edge 1 of A decides"), "{text}");
    assert!(text.contains("The distance is 0.5"), "{text}");
}

#[test]
fn pictures_are_written_whole_as_svg_and_png() {
    let folder = tempfile::tempdir().unwrap();
    let [svg, png] = ["axes.svg", "axes.png"].map(|name| folder.path().join(name));
    for path in [&svg, &png] {
        assert!(explain(&[BOX, BALL, "--picture", path.to_str().unwrap()]).status.success());
    }
    let text = fs::read_to_string(&svg).unwrap();
    assert!(text.contains(">gap 0.500: they are apart</text>"), "{text}");
    assert_eq!(fs::read(&png).unwrap()[..8], *b"\x89PNG\r\n\x1a\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left behind");
}

#[test]
fn what_cannot_be_explained_says_why() {
    let line = r#"{"type":"chain","points":[[0,0],[1,0],[1,1]]}"#;
    for (arguments, message) in [
        (&[line, BALL][..], "A is a Chain, which is made of parts"),
        (&[BOX, "nowhere.json"], "nowhere.json: No such file"),
        (&[BOX, r#"{"type":"circle","center":[0,0],"radius":-1}"#], "B: radius is -1"),
        (&[BOX, BALL, "--picture", "axes.bmp"], "axes.bmp: the name has to end with .svg or .png"),
        (&[BOX, BALL, "--picture", "no/where/axes.svg"], "no/where/axes.svg: No such file"),
    ] {
        let output = explain(arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(message), "{error}");
    }
}
