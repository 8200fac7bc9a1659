//! Pictures into frames (F2), and what is said of bad ones.

use std::io::Cursor;

use carom::prelude::*;
use carom::sheet::{FrameBox, Role};
use carom_files::{FileError, FitOptions, FitShape, Image, Pivot, Shrink, SlicedFrame, Slicing};

/// The bytes of a PNG drawn as text.
fn png(rows: &[&str]) -> Vec<u8> {
    let (width, height) = (rows[0].len() as u32, rows.len() as u32);
    let picture = image::RgbaImage::from_fn(width, height, |x, y| {
        let is_set = rows[y as usize].as_bytes()[x as usize] == b'#';
        image::Rgba([255, 120, 0, if is_set { 255 } else { 40 }])
    });
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, image::ImageFormat::Png).expect("memory takes all");
    bytes.into_inner()
}

fn picture(rows: &[&str]) -> Image {
    Image::decode("art/hero.png", &png(rows)).expect("a picture")
}

fn cut(cut: Slicing, rows: &[&str]) -> Vec<SlicedFrame> {
    cut.frames(&picture(rows), 127).expect("frames")
}

#[test]
fn f2_a_grid_gives_its_cells_without_empty_ones() {
    let frames = cut(Slicing::Grid { width: 2, height: 2 }, &["##...", ".#..#", "....#", "..#.#"]);
    let names: Vec<&str> = frames.iter().map(|frame| frame.name.as_str()).collect();
    assert_eq!(names, ["hero_0", "hero_3"]); // the fifth column is no cell
    assert_eq!(frames[1].at, Cell::new(2, 2));
    assert_eq!(frames[1].pixels, Bitmap::from_rows(&["..", "#."]));
    let whole = cut(Slicing::Whole, &["#.", ".#"]);
    assert_eq!((whole[0].name.as_str(), whole.len()), ("hero", 1));
}

#[test]
fn f2_frames_are_found_in_reading_order_and_parts_near_each_other_are_one() {
    let rows = [
        "......##.....",
        "#.....##...##",
        "##.........##",
        "##.#.........",
        ".............",
        ".............",
        "....#........",
        "....#........",
    ];
    let frames = cut(Slicing::Auto { gap: 1 }, &rows);
    let places: Vec<[u32; 2]> = frames.iter().map(|it| [it.at.column, it.at.row]).collect();
    assert_eq!(places, [[6, 0], [0, 1], [11, 1], [4, 6]]);
    assert_eq!(frames[1].pixels, Bitmap::from_rows(&["#...", "##..", "##.#"]));
    assert_eq!(cut(Slicing::Auto { gap: 0 }, &rows).len(), 5);
    assert_eq!(cut(Slicing::Auto { gap: 9 }, &rows).len(), 1);
}

#[test]
fn invalid_images_have_distinct_errors() {
    let bytes = png(&["#.#.#.#.", "########"]);
    let broken = Image::decode("hero.png", &bytes[..bytes.len() - 20]);
    assert!(matches!(broken, Err(FileError::InvalidImage { .. })), "{broken:?}");
    let text = Image::decode("notes.txt", b"dear diary").unwrap_err();
    assert!(text.to_string().starts_with("notes.txt: "), "{text}");
    assert!(matches!(Image::read("no/such/file.png"), Err(FileError::Read { .. })));
    let clear = Slicing::Whole.frames(&picture(&["...", "..."]), 127).unwrap_err();
    assert!(matches!(clear, FileError::NoOpaquePixels { threshold: 127, .. }), "{clear:?}");
    assert!(Slicing::Whole.frames(&picture(&["...", "..."]), 20).is_ok());
    let cells = Slicing::Grid { width: 4, height: 1 }.frames(&picture(&["#"]), 127).unwrap_err();
    assert!(
        matches!(cells, FileError::InvalidCellSize { cell: [4, 1], size: [1, 1], .. }),
        "{cells:?}"
    );
}

#[test]
fn other_formats_are_read_too() {
    for format in [image::ImageFormat::Gif, image::ImageFormat::WebP, image::ImageFormat::Bmp] {
        let picture = image::RgbaImage::from_pixel(5, 3, image::Rgba([9, 200, 9, 255]));
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).expect("memory takes all");
        let read = Image::decode("green", &bytes.into_inner()).expect("a picture");
        assert_eq!((read.size(), read.bitmap(127).unwrap().count()), ([5, 3], 15), "{format:?}");
    }
}

/// A bar of so many columns in a picture of 8 by 4 pixels.
fn bar(width: u32) -> image::RgbaImage {
    image::RgbaImage::from_fn(8, 4, |x, _| {
        image::Rgba([200, 30, 30, if x < width { 255 } else { 0 }])
    })
}

/// Bars of 2 and of 6 columns, shown for 100 and for 300 milliseconds.
const BARS: [(u32, u16); 2] = [(2, 100), (6, 300)];

fn moving_gif() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = image::codecs::gif::GifEncoder::new(&mut bytes);
    let frames = BARS.map(|(width, time)| {
        let delay = image::Delay::from_numer_denom_ms(time.into(), 1);
        image::Frame::from_parts(bar(width), 0, 0, delay)
    });
    encoder.encode_frames(frames).expect("memory takes all");
    drop(encoder);
    bytes
}

fn moving_png() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 8, 4);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_animated(BARS.len() as u32, 0).expect("there are frames");
    let mut writer = encoder.write_header().expect("memory takes all");
    for (width, time) in BARS {
        writer.set_frame_delay(time, 1000).expect("it is animated");
        writer.write_image_data(&bar(width)).expect("memory takes all");
    }
    writer.finish().expect("all frames are there");
    bytes
}

/// The still pictures in a container of their own, as the format has it: numbers of three bytes, sizes
/// less one, chunks of an even length.
fn moving_webp() -> Vec<u8> {
    let chunk = |name: &str, content: &[u8]| {
        let length = (content.len() as u32).to_le_bytes();
        let even = vec![0; content.len() % 2];
        [name.as_bytes(), &length, content, &even].concat()
    };
    let three = |number: u32| number.to_le_bytes()[..3].to_vec();
    let size = [three(7), three(3)].concat();
    let frames = BARS.map(|(width, time)| {
        let mut still = Cursor::new(Vec::new());
        bar(width).write_to(&mut still, image::ImageFormat::WebP).expect("memory takes all");
        let pixels = still.into_inner().split_off(12); // without "RIFF", the length and "WEBP"
        let (place, instead_of_the_last) = ([0; 6], [2]);
        let head = [&place[..], &size, &three(time.into()), &instead_of_the_last].concat();
        chunk("ANMF", &[head, pixels].concat())
    });
    let moves_and_has_alpha = [0x12, 0, 0, 0];
    let head = chunk("VP8X", &[&moves_and_has_alpha[..], &size].concat());
    let no_color_for_ever = chunk("ANIM", &[0; 6]);
    let all = [b"WEBP".to_vec(), head, no_color_for_ever, frames.concat()].concat();
    chunk("RIFF", &all)
}

#[test]
fn each_frame_of_an_animated_image_is_an_image_with_a_duration() {
    for (kind, bytes) in [("gif", moving_gif()), ("png", moving_png()), ("webp", moving_webp())] {
        let path = format!("art/blob.{kind}");
        let frames = Image::decode_all(&path, &bytes).expect(kind);
        let seen = frames.iter().map(|frame| (frame.name(), frame.duration_ms()));
        let expected = [("blob_0".into(), Some(100.0)), ("blob_1".into(), Some(300.0))];
        assert_eq!(seen.collect::<Vec<_>>(), expected, "{kind}");
        let counts = frames.iter().map(|frame| frame.bitmap(127).unwrap().count());
        assert_eq!(counts.collect::<Vec<_>>(), [8, 24], "{kind}");
        let cut = Slicing::Whole.frames(&frames[1], 127).unwrap();
        assert_eq!(FitOptions::default().fit(&cut[0]).unwrap().frame.ticks, 18, "{kind}");

        let first = Image::decode(&path, &bytes).expect(kind);
        assert_eq!(
            (first.name(), first.bitmap(127).unwrap().count()),
            ("blob".into(), 8),
            "{kind}"
        );
        for end in 0..bytes.len() - 12 {
            let half = Image::decode_all(&path, &bytes[..end]).expect_err(kind).to_string();
            assert!(half.starts_with(&format!("{path}: ")), "{end} bytes: {half}");
        }
    }
}

#[test]
fn a_still_image_is_one_frame_without_a_duration() {
    let still = Image::decode_all("hero.png", &png(&["#."])).unwrap();
    assert_eq!((still.len(), still[0].name(), still[0].duration_ms()), (1, "hero".into(), None));
    let gif = moving_gif();
    let half = Image::decode_all("blob.gif", &gif[..gif.len() - 12]).unwrap_err();
    assert!(half.to_string().contains("blob.gif: frame 1: "), "{half}");
}

#[test]
fn f1_fits_become_boxes_of_a_sheet() {
    let frames = cut(Slicing::Auto { gap: 1 }, &["####...##", "####...##", "####....."]);
    let fitting = FitOptions {
        shape: FitShape::Box,
        shrink: Some(Shrink::Percent(50.0)),
        role: Role::Hitbox,
        name: "fist".into(),
        pivot: Pivot::Feet,
        ..FitOptions::default()
    };
    let sheet = carom_files::sheet_from_fits(&fitting.fit_all(&frames).unwrap()).unwrap();
    let frame = &sheet.frames()[0];
    assert_eq!((frame.name.as_str(), frame.pivot), ("hero_0", Vec2::new(2.0, 3.0)));
    let fist = FrameBox::new("fist", Role::Hitbox, Aabb::new([1.0, 0.75], [3.0, 2.25]));
    assert_eq!(frame.boxes, [fist]);
    let parts = FitOptions { shape: FitShape::Boxes, ..FitOptions::default() };
    let tee = cut(Slicing::Whole, &["#######", "...#...", "...#..."]);
    let fitted = parts.fit(&tee[0]).unwrap();
    let names: Vec<&str> = fitted.frame.boxes.iter().map(|it| it.name.as_str()).collect();
    assert_eq!((names, fitted.quality.outside), (vec!["body_1", "body_2"], 0.0));
    let gone = FitOptions { shrink: Some(Shrink::Pixels(9.0)), ..FitOptions::default() };
    assert!(matches!(gone.fit(&tee[0]), Err(FileError::Shape { .. })));
}
