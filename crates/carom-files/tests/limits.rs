//! The limits of files: an input of a few bytes takes no more memory than stated, and the error names
//! what was found.

use std::fmt::Write as _;

use carom_files::{Image, Importer, Scene, sheet};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Returns the error of a reader, and how much memory it took in MiB.
fn measured<T, E: std::fmt::Display>(read: impl FnOnce() -> Result<T, E>) -> (String, usize) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let error = read().err().map_or("no error".into(), |error| error.to_string());
    (error, (MEMORY.peak_usage() - before) >> 20)
}

fn png([width, height]: [u32; 2]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgba);
    let mut writer = encoder.write_header().unwrap();
    writer.write_chunk(png::chunk::IDAT, &[0x78, 0x9c, 3, 0, 0, 0, 0, 1]).unwrap(); // no pixels
    drop(writer);
    bytes
}

fn gif([width, height]: [u16; 2], frames: usize) -> Vec<u8> {
    let mut bytes = b"GIF89a".to_vec();
    bytes.extend([width.to_le_bytes(), height.to_le_bytes()].concat());
    bytes.extend([0x80, 0, 0, 0, 0, 0, 255, 255, 255]);
    for _ in 0..frames {
        bytes.extend([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]); // one pixel
    }
    bytes.push(0x3b);
    bytes
}

fn bmp([width, height]: [i32; 2]) -> Vec<u8> {
    let mut bytes = b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".to_vec();
    bytes.extend([width.to_le_bytes(), height.to_le_bytes()].concat());
    bytes.extend([1, 0, 24, 0]);
    bytes.resize(70, 0);
    bytes
}

/// Returns an Aseprite file with one compressed cel, which has no pixels.
fn aseprite([width, height]: [u16; 2]) -> Vec<u8> {
    let mut cel = [0, 0, 0, 0, 0, 0, 255, 2, 0, 0, 0, 0, 0, 0, 0, 0].to_vec();
    cel.extend([width.to_le_bytes(), height.to_le_bytes()].concat());
    let mut chunk = (6 + cel.len() as u32).to_le_bytes().to_vec();
    chunk.extend([5, 0x20]);
    chunk.extend(cel);
    let mut frame = (16 + chunk.len() as u32).to_le_bytes().to_vec();
    frame.extend([0xfa, 0xf1, 1, 0, 100, 0, 0, 0, 1, 0, 0, 0]);
    frame.extend(chunk);
    let mut file = (128 + frame.len() as u32).to_le_bytes().to_vec();
    file.extend([0xe0, 0xa5, 1, 0, 16, 0, 16, 0, 32, 0, 1, 0, 0, 0]);
    file.resize(128, 0);
    file.extend(frame);
    file
}

/// One test, because the memory of other threads would be counted.
#[test]
fn small_files_with_large_numbers_take_little_memory() {
    // Images: at most 16,384 pixels a side and 2²⁷ in all; reading one takes at most 2 GiB.
    for (name, bytes) in [
        ("a.png", png([100_000, 100_000])),
        ("a.gif", gif([65_535, 65_535], 3)),
        ("a.bmp", bmp([60_000, 60_000])),
        ("a.gif", gif([16_384, 16_384], 1)),
    ] {
        let (error, memory) = measured(|| Image::decode_all(name, &bytes));
        assert!(
            error.contains("the maximum is 16384 per side") && memory < 2,
            "{name}: {error}, {memory} MiB"
        );
    }
    for (name, bytes) in [
        ("a.png", png([16_384, 8_192])),
        ("a.gif", gif([16_384, 8_192], 8)),
        ("a.bmp", bmp([16_384, 8_192])),
    ] {
        let (error, memory) = measured(|| Image::decode_all(name, &bytes));
        assert!(error != "no error" && memory <= 2048, "{name}: {error}, {memory} MiB");
    }

    // A frame of a GIF may be larger than its canvas.
    let mut bytes = gif([16, 16], 1);
    let frame = bytes.len() - 16;
    bytes[frame + 5..frame + 9].copy_from_slice(&[0xfe, 0xff, 0xfd, 0xff]);
    let (error, memory) = measured(|| Image::decode_all("a.gif", &bytes));
    assert!(error.contains("frame 0 takes more than 1 GiB") && memory < 2, "{error}, {memory} MiB");
    let (error, memory) = measured(|| Image::decode("a.gif", &bytes));
    assert!(error.contains("imit") && memory < 2, "{error}, {memory} MiB");

    // Aseprite: the size of all cels.
    let bytes = aseprite([60_000, 60_000]);
    let (error, memory) = measured(|| Importer::default().decode("hero.aseprite", &bytes));
    let expected = "with a cel of 60000×60000 pixels, the cels have more than 512 MiB";
    assert!(error.contains(expected) && memory < 2, "{error}, {memory} MiB");

    // Scenes: the numbers of frames and of bodies in a crowd.
    let scene = |field: &str| format!(r#"{{"carom":1,{field}}}"#);
    let crowd = r#"{"name":"a","colliders":[],"crowd":{"count":1000000000,"within":{"min":[0,0],"max":[1,1]}}}"#;
    for (text, expected) in [
        (scene(r#""frames":1000000000000,"bodies":[]"#), "1000000000000"),
        (scene(r#""frames":4000000000,"bodies":[]"#), "4000000000; must be at most 1000000"),
        (scene(&format!(r#""bodies":[{crowd}]"#)), "1000000000; must be at most 100000"),
    ] {
        let (error, memory) = measured(|| Scene::from_json(&text));
        assert!(error.contains(expected) && memory < 64, "{text}: {error}, {memory} MiB");
    }

    // JSON: nested at most 128 levels deep.
    let (open, close) = ("[".repeat(1_000_000), "]".repeat(1_000_000));
    let deep = format!(r#"{{"carom":1,"bodies":{open}{close}}}"#);
    for (error, memory) in
        [measured(|| Scene::from_json(&deep)), measured(|| sheet::from_json(&deep))]
    {
        assert!(error.contains("nested more than 128") && memory < 256, "{error}, {memory} MiB");
    }

    // Tiled: the number of cells in a layer, and of levels of groups.
    let map = |layer: &str| {
        format!(
            r#"<map version="1.10" orientation="orthogonal" width="2" height="2" tilewidth="16" tileheight="16">{layer}</map>"#
        )
    };
    let vast = r#"<layer id="1" name="solid" width="100000" height="100000"><data encoding="csv">1,1</data></layer>"#;
    let mut groups = String::new();
    (0..100_000).for_each(|i| write!(groups, r#"<group id="{i}" name="g">"#).unwrap());
    groups += &"</group>".repeat(100_000);
    // Two chunks in the same place, each within the limit.
    let chunk = r#"<chunk x="0" y="0" width="8000" height="8000">1</chunk>"#;
    let chunks = format!(
        r#"<layer id="1" name="solid" width="16" height="16"><data encoding="csv">{chunk}{chunk}</data></layer>"#
    );
    for (layer, expected) in [
        (vast, "found 10000000000 cells, expected at most 67108864"),
        (&chunks, "found 128000000 cells, expected at most 67108864"),
        (&groups, "groups are nested more than 100 levels deep"),
    ] {
        let text = map(layer);
        let (error, memory) = measured(|| Importer::default().decode("level.tmx", text.as_bytes()));
        let shown: String = error.chars().take(300).collect();
        assert!(error.contains(expected) && memory < 256, "{shown}, {memory} MiB");
    }
}
