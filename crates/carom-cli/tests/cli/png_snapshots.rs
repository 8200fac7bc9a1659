//! Compares drawn PNG files with committed ones, pixel by pixel.
//!
//! `CAROM_BLESS=1 cargo test -p carom-cli --test cli png_snapshots` draws them again; look at them then.

use std::path::{Path, PathBuf};
use std::process::Command;

use carom_files::Image;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The difference of a channel that antialiasing may cause.
const TOLERANCE: u8 = 8;

fn draw(arguments: &[&str], to: &Path) {
    let mut carom = Command::new(env!("CARGO_BIN_EXE_carom"));
    let carom = carom.args(arguments).args(["--png", to.to_str().unwrap()]).current_dir(ROOT);
    assert!(carom.output().unwrap().status.success(), "{arguments:?}");
}

fn check(name: &str, arguments: &[&str]) {
    let committed = PathBuf::from(ROOT).join(format!("tests/pictures/{name}.png"));
    if std::env::var_os("CAROM_BLESS").is_some() {
        draw(arguments, &committed);
    }
    let folder = tempfile::tempdir().unwrap();
    let drawn = folder.path().join("drawn.png");
    draw(arguments, &drawn);
    let [drawn, committed] = [drawn, committed].map(|path| Image::read(path).unwrap());
    assert_eq!(drawn.size(), committed.size(), "{name} has another size");
    let [width, height] = drawn.size();
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let off = pixels.filter(|&(x, y)| {
        let (now, before) = (drawn.pixel(x, y), committed.pixel(x, y));
        now.iter().zip(before).any(|(now, before)| now.abs_diff(before) > TOLERANCE)
    });
    assert_eq!(off.count(), 0, "pixels of {name} differ");
}

#[test]
fn the_axes_of_two_shapes() {
    let rect = r#"{"type":"rect","center":[0,0],"half":[2,1],"angle":0.3}"#;
    let circle = r#"{"type":"circle","center":[3,1.5],"radius":1}"#;
    check("axes", &["explain", rect, circle]);
}

#[test]
fn contacts_in_a_scene() {
    check("contacts", &["check", "../../scenes/seams.json"]);
}

#[test]
fn a_level_with_trajectories() {
    check("platformer", &["run", "-q", "../../scenes/platformer.json"]);
}
