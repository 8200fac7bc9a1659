//! Sprites of Aseprite.
//!
//! `CAROM_BLESS=1 cargo test -p carom-files --test import` rewrites the binary fixture.

use std::fs;
use std::io::Write;

use carom::prelude::*;
use carom::sheet::{FrameBox, Playback, Role};
use carom_files::Importer;

use super::{fixtures, import, import_with, sheet};

/// Returns a sprite of three frames in the binary format, chunk by chunk as in its specification.
fn sprite() -> Vec<u8> {
    let layers = [chunk(0x2004, &layer("body", 1, 0)), chunk(0x2004, &layer("sketch", 0, 0))];
    let body = cel(0, [4, 4], [8, 12], [60, 120, 200, 255]);
    let fist = cel(0, [4, 4], [16, 6], [200, 60, 60, 255]);
    let sketch = chunk(0x2005, &cel(1, [0, 0], [24, 16], [0, 0, 0, 255])); // on a hidden layer
    let slices = [
        chunk(
            0x2022,
            &slice(
                "torso",
                2,
                &[(0, [4, 4], [8, 12], Some([4, 12])), (2, [5, 4], [8, 12], Some([3, 12]))],
            ),
        ),
        chunk(0x2020, &[1u32.to_le_bytes().to_vec(), string("")].concat()),
        chunk(0x2022, &slice("fist", 0, &[(0, [0, 0], [0, 0], None), (2, [13, 7], [6, 3], None)])),
        chunk(0x2020, &[1u32.to_le_bytes().to_vec(), string("hitbox")].concat()),
    ];
    let tags = [
        [0u16, 1].map(u16::to_le_bytes).concat(),
        vec![2; 1],
        vec![0; 12],
        string("idle"),
        [1u16, 2].map(u16::to_le_bytes).concat(),
        vec![0; 1],
        vec![1, 0, 0, 0, 0, 0, 0, 0, 0xfe, 0x5b, 0x59, 0],
        string("punch"),
    ];
    let tags = chunk(
        0x2018,
        &[[2u16.to_le_bytes().to_vec(), vec![0; 8]].concat(), tags.concat()].concat(),
    );
    let first = [&layers[..], &[tags, chunk(0x2005, &body), sketch], &slices].concat();
    let linked = [cel_start(0, [4, 4], 1), 0u16.to_le_bytes().to_vec()].concat();
    let frames = [
        frame(100, &first),
        frame(50, &[chunk(0x2005, &linked)]),
        frame(200, &[chunk(0x2005, &fist)]),
    ];
    let mut file = vec![0; 128];
    let size = 128 + frames.iter().map(Vec::len).sum::<usize>() as u32;
    file[..4].copy_from_slice(&size.to_le_bytes());
    for (i, word) in [0xa5e0u16, 3, 24, 16, 32, 1].into_iter().enumerate() {
        file[4 + 2 * i..6 + 2 * i].copy_from_slice(&word.to_le_bytes());
    }
    file.extend(frames.concat());
    file
}

fn string(text: &str) -> Vec<u8> {
    [&(text.len() as u16).to_le_bytes()[..], text.as_bytes()].concat()
}

fn chunk(kind: u16, data: &[u8]) -> Vec<u8> {
    [&(data.len() as u32 + 6).to_le_bytes()[..], &kind.to_le_bytes(), data].concat()
}

fn frame(duration: u16, chunks: &[Vec<u8>]) -> Vec<u8> {
    let (data, count) = (chunks.concat(), chunks.len());
    let size = data.len() as u32 + 16;
    let words = [0xf1fa, count as u16, duration, 0].map(u16::to_le_bytes).concat();
    [size.to_le_bytes().to_vec(), words, (count as u32).to_le_bytes().to_vec(), data].concat()
}

fn layer(name: &str, flags: u16, level: u16) -> Vec<u8> {
    let words = [flags, 0, level, 0, 0, 0].map(u16::to_le_bytes).concat();
    [words, vec![255, 0, 0, 0], string(name)].concat()
}

fn cel_start(layer: u16, [x, y]: [i16; 2], kind: u16) -> Vec<u8> {
    let place = [x, y].map(i16::to_le_bytes).concat();
    [layer.to_le_bytes().to_vec(), place, vec![255], kind.to_le_bytes().to_vec(), vec![0; 7]]
        .concat()
}

fn cel(layer: u16, at: [i16; 2], [width, height]: [u16; 2], color: [u8; 4]) -> Vec<u8> {
    let pixels = color.repeat(usize::from(width) * usize::from(height));
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(&pixels).unwrap();
    let size = [width, height].map(u16::to_le_bytes).concat();
    [cel_start(layer, at, 2), size, packed.finish().unwrap()].concat()
}

type KeyBytes = (u32, [i32; 2], [u32; 2], Option<[i32; 2]>);

fn slice(name: &str, flags: u32, keys: &[KeyBytes]) -> Vec<u8> {
    let start = [keys.len() as u32, flags, 0].map(u32::to_le_bytes).concat();
    let key = |&(frame, at, size, pivot): &KeyBytes| {
        let pivot = pivot.map_or(Vec::new(), |pivot| pivot.map(i32::to_le_bytes).concat());
        let size = size.map(u32::to_le_bytes).concat();
        [frame.to_le_bytes().to_vec(), at.map(i32::to_le_bytes).concat(), size, pivot].concat()
    };
    let keys: Vec<Vec<u8>> = keys.iter().map(key).collect();
    [start, string(name), keys.concat()].concat()
}

#[test]
fn the_fixture_is_the_sprite_that_is_described_here() {
    let path = fixtures().join("aseprite/hero.aseprite");
    if std::env::var_os("CAROM_BLESS").is_some() {
        // Replace the file atomically, because other tests read it at the same time.
        carom_files::write_atomically(&path, &sprite()).unwrap();
    }
    assert!(fs::read(path).unwrap() == sprite());
}

#[test]
fn f3_slices_become_boxes_and_tags_animations() {
    for file in ["hero.aseprite", "hero_array.json", "hero_hash.json"] {
        let import = import(&format!("aseprite/{file}"));
        let sheet = sheet(&import);
        let frames = sheet.frames();
        let names: Vec<&str> = frames.iter().map(|frame| frame.name.as_str()).collect();
        assert_eq!(names, ["hero 0", "hero 1", "hero 2"], "{file}");
        assert_eq!(frames.iter().map(|frame| frame.ticks).collect::<Vec<_>>(), [6, 3, 12]);
        assert!(frames.iter().all(|frame| frame.pivot == Vec2::new(8.0, 16.0)), "{file}");
        let torso = FrameBox::new("torso", Role::Hurtbox, Aabb::new([4.0, 4.0], [12.0, 16.0]));
        assert_eq!(frames[1].boxes, [torso]); // the fist is not there yet
        let boxes = [
            FrameBox::new("torso", Role::Hurtbox, Aabb::new([5.0, 4.0], [13.0, 16.0])),
            FrameBox::new("fist", Role::Hitbox, Aabb::new([13.0, 7.0], [19.0, 10.0])),
        ];
        assert_eq!(frames[2].boxes, boxes, "{file}");
        let [idle, punch] = sheet.animations() else { panic!("{file}") };
        assert_eq!((&*idle.name, idle.playback), ("idle", Playback::PingPong));
        assert_eq!((&*punch.name, punch.first, punch.last), ("punch", 1, 2));
        assert!(import.warnings.is_empty(), "{:?}", import.warnings);
    }
}

#[test]
fn the_images_of_the_frames_are_imported() {
    for file in ["hero.aseprite", "hero_array.json"] {
        let import = import(&format!("aseprite/{file}"));
        assert_eq!(import.images.len(), 3, "{file}");
        let alpha = |frame: usize, x, y| import.images[frame].pixel(x, y)[3];
        assert_eq!(import.images[0].size(), [24, 16]);
        assert_eq!(import.images[1].pixel(4, 4), [60, 120, 200, 255], "{file}"); // linked
        assert_eq!((alpha(0, 3, 4), alpha(0, 11, 15), alpha(2, 18, 8)), (0, 255, 255), "{file}");
    }
}

#[test]
fn rate_and_roles_of_slices_can_be_set() {
    let roles = vec![("torso".into(), Some(Role::Solid)), ("fist".into(), None)];
    let importer = Importer { roles, rate: 10.0, ..Importer::default() };
    let import = import_with(&importer, "aseprite/hero.aseprite");
    let frame = &sheet(&import).frames()[2];
    assert_eq!((frame.ticks, frame.boxes.len(), frame.boxes[0].role), (2, 1, Role::Solid));
}

#[test]
fn a_sprite_without_slices_has_a_helpful_warning() {
    let text = fs::read_to_string(fixtures().join("aseprite/hero_array.json")).unwrap();
    let (before, _) = text.split_once(",\n  \"slices\"").unwrap();
    let import = Importer::default().decode("hero.json", format!("{before}}}}}").as_bytes());
    let import = import.unwrap();
    assert!(import.warnings[0].contains("--list-slices"), "{:?}", import.warnings);
    assert!(sheet(&import).frames().iter().all(|frame| frame.boxes.is_empty()));
}

#[test]
fn aseprite_errors_name_the_element() {
    let refused =
        |bytes: &[u8]| Importer::default().decode("hero.aseprite", bytes).unwrap_err().to_string();
    let mut bytes = sprite();
    bytes[128 + 4] = 0;
    assert_eq!(
        refused(&bytes),
        "hero.aseprite: byte 132: found 0xf100, expected the signature of a frame (0xf1fa)"
    );
    let mut bytes = sprite();
    bytes[128] = 3;
    bytes[129] = 0;
    assert!(refused(&bytes).contains("byte 128: found size 3, expected at least 16"));
    assert!(refused(b"no sprite").contains("byte 4: not the signature of an Aseprite file"));
    assert!(refused(&sprite()[..200]).contains("expected"));
    let text = fs::read_to_string(fixtures().join("aseprite/hero_hash.json")).unwrap();
    let text = text.replacen("\"to\": 2", "\"to\": 9", 1);
    let error = Importer::default().decode("hero.json", text.as_bytes()).unwrap_err().to_string();
    assert!(
        error.contains("tag `punch`: found frames 1 to 9, but the sprite has 3 frames"),
        "{error}"
    );
}
