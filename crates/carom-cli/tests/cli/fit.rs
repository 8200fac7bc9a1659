//! `carom fit`, from outside: pictures in, a sheet and a preview out (F1, F2).

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use carom::prelude::*;
use carom::sheet::{Role, Sheet};
use tempfile::TempDir;

/// Two frames of 16 by 16 pixels: a disc and a bar; and a third that is empty.
fn sprite(path: &Path) {
    let mut pixels = tiny_skia::Pixmap::new(48, 16).unwrap();
    for (x, y) in (0..16u32).flat_map(|y| (0..48u32).map(move |x| (x, y))) {
        let (dx, dy) = (x as f32 + 0.5 - 8.0, y as f32 + 0.5 - 8.0);
        let is_set = dx * dx + dy * dy < 36.0 || (20..30).contains(&x) && (4..7).contains(&y);
        let color = if is_set { [200, 80, 40, 255] } else { [0, 0, 0, 0] };
        let at = (y * 48 + x) as usize * 4;
        pixels.data_mut()[at..at + 4].copy_from_slice(&color);
    }
    pixels.save_png(path).unwrap();
}

fn carom(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.current_dir(folder.path()).arg("fit").args(arguments).output().expect("carom starts")
}

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    sprite(&folder.path().join("hero.png"));
    folder
}

fn sheet(json: &[u8]) -> Sheet {
    serde_json::from_slice(json).expect("a sheet")
}

#[test]
fn f2_a_sheet_is_cut_into_frames_and_written() {
    let folder = folder();
    let output = carom(&folder, &["hero.png", "--grid", "16x16", "--out", "hero.json"]);
    assert!(output.status.success(), "{output:?}");
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("hero_1      1     30.0      0.0      0.0    100.0%"), "{table}");
    let sheet = sheet(&fs::read(folder.path().join("hero.json")).unwrap());
    let names: Vec<&str> = sheet.frames().iter().map(|frame| frame.name.as_str()).collect();
    assert_eq!(names, ["hero_0", "hero_1"]); // the third is empty
    let bar = &sheet.frames()[1].boxes[0];
    assert_eq!((bar.name.as_str(), bar.role), ("body", Role::Hurtbox));
    assert_eq!(bar.shape, Aabb::new([4.0, 4.0], [14.0, 7.0]).into());
    assert!(fs::read_dir(folder.path()).unwrap().count() == 2); // no file beside them is left
}

#[test]
fn every_shape_can_be_fitted_and_comes_with_a_preview() {
    let folder = folder();
    let forms = [
        "box", "rect", "circle", "ellipse", "hull", "around", "within", "near", "parts", "boxes",
        "mask",
    ];
    for form in forms {
        let preview = format!("{form}.png");
        let output = carom(&folder, &["hero.png", "--auto", "-s", form, "--preview", &preview]);
        assert!(output.status.success(), "{form}: {output:?}");
        assert!(sheet(&output.stdout).frames().len() == 2, "{form}");
        assert!(fs::metadata(folder.path().join(preview)).unwrap().len() > 500, "{form}");
    }
}

#[test]
fn the_frames_of_a_gif_are_an_animation_with_their_times() {
    let folder = folder();
    let film = ["run", "-q", "--frames", "9", "--gif", "film.gif"]; // a picture for three frames
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    assert!(command.current_dir(folder.path()).args(film).status().unwrap().success());
    let output = carom(&folder, &["film.gif", "--rate", "20", "--preview", "film.png"]);
    assert!(output.status.success(), "{output:?}");
    let sheet = sheet(&output.stdout);
    let names: Vec<&str> = sheet.frames().iter().map(|frame| frame.name.as_str()).collect();
    assert_eq!(names, ["film_0", "film_1", "film_2"]);
    assert!(sheet.frames().iter().all(|frame| frame.ticks == 1)); // of 50 ms each
    assert_eq!(sheet.frame_at("film", 2), Ok(2));
}

#[test]
fn fits_are_shrunk_by_pixels_or_percent() {
    let folder = folder();
    let bar = |shrink: &str| {
        let output = carom(&folder, &["hero.png", "-g", "16x16", "--shrink", shrink]);
        sheet(&output.stdout).frames()[1].boxes[0].shape.clone()
    };
    assert_eq!(bar("1"), Aabb::new([5.0, 5.0], [13.0, 6.0]).into());
    assert_eq!(bar("50%"), Aabb::new([6.5, 4.75], [11.5, 6.25]).into());
}

#[test]
fn fit_errors_name_the_file_and_write_nothing() {
    let folder = folder();
    fs::write(folder.path().join("text.png"), "no picture").unwrap();
    fs::write(folder.path().join("empty.png"), "").unwrap();
    let bytes = fs::read(folder.path().join("hero.png")).unwrap();
    fs::write(folder.path().join("half.png"), &bytes[..bytes.len() / 2]).unwrap();
    tiny_skia::Pixmap::new(8, 8).unwrap().save_png(folder.path().join("clear.png")).unwrap();
    for (arguments, words) in [
        (&["gone.png"][..], &["gone.png: "][..]),
        (&["text.png"], &["text.png: ", "expected a complete PNG"]),
        (&["half.png"], &["half.png: ", "expected a complete PNG"]),
        (&["empty.png"], &["empty.png: the file is empty; expected a complete PNG"]),
        (&["clear.png"], &["clear.png: no pixel has an alpha above 127"]),
        (&["hero.png", "--grid", "0x16"], &["cells of 0×16 pixels"]),
        (&["hero.png", "--grid", "16x17"], &["cells of 16×17", "48×16"]),
        (&["hero.png", "-g", "16x16", "--shrink", "9"], &["frame hero_0: nothing is left"]),
    ] {
        let output = carom(&folder, &[arguments, &["-o", "out.json", "-p", "out.png"]].concat());
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {message}");
        assert!(words.iter().all(|word| message.contains(word)), "{arguments:?}: {message}");
        assert!(
            !folder.path().join("out.json").exists() && !folder.path().join("out.png").exists()
        );
    }
    for (arguments, words) in [
        (["--grid", "16"], "expected a width and a height, such as 32x32"),
        (["--grid", "-3x4"], "expected a width and a height, such as 32x32"),
        (["--auto", "-1"], "-1 is not in 0"),
        (["--tolerance", "-1"], "expected a non-negative number of pixels"),
        (["--tolerance", "nan"], "expected a non-negative number of pixels"),
        (["--most", "0"], "0 is not in 1"),
        (["--shrink", "-2"], "expected a non-negative number of pixels, or a percentage"),
        (["--rate", "-5"], "expected a positive number of ticks per second"),
        (["--name", ""], "a value is required for '--name <NAME>'"),
    ] {
        let output = carom(&folder, &[&["hero.png"], &arguments[..]].concat());
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && message.contains(words), "{message}");
    }
    let output = carom(&folder, &["hero.png", "--out", "."]);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "carom: .: is a directory\n");
}

/// The bar has 10 by 3 pixels; a quarter turn swaps its width and height.
#[test]
fn phases_have_tight_boxes_and_other_shapes_rotated() {
    use carom::sheet::FrameRef;
    let folder = folder();
    let arguments = ["hero.png", "--grid", "16x16", "--pivot", "middle", "--phases", "8"];
    let boxes = sheet(&carom(&folder, &arguments).stdout);
    let hulls = sheet(&carom(&folder, &[&arguments[..], &["--shape", "hull"]].concat()).stdout);
    assert_eq!((boxes.directions(), hulls.directions()), (8, 8));
    let bar = boxes.frames()[1].name.clone();
    let shape = |sheet: &Sheet, direction: u32| {
        let frame = FrameRef::from(bar.as_str()).direction(direction);
        sheet.boxes(frame).unwrap()[0].shape.clone()
    };
    for direction in 0..8 {
        let (tight, hull) = (shape(&boxes, direction), shape(&hulls, direction));
        assert!(matches!(*tight, Shape::Aabb(_)), "direction {direction}: {tight:?}");
        let (tight, hull) = (tight.bounds(), hull.bounds());
        let error = (tight.min() - hull.min()).abs().max((tight.max() - hull.max()).abs());
        assert!(error.max_element() < 1e-4, "direction {direction}: {tight:?} {hull:?}");
    }
    assert_eq!(shape(&boxes, 0).bounds().size(), Vec2::new(10.0, 3.0));
    assert_eq!(shape(&boxes, 2).bounds().size(), Vec2::new(3.0, 10.0));
    let output = carom(&folder, &["hero.png", "--phases", "0"]);
    assert_eq!(output.status.code(), Some(2));
}
