//! From a drawn sprite sheet to a fight (F1, F2, W3, W4): hurtboxes from all that can be seen, hitboxes
//! from what is drawn in the colour of a strike, and who strikes whom with them.

#[path = "../examples/fighter/draw.rs"]
mod draw;

use carom::prelude::*;
use carom::sheet::{Frame, FrameRef, Playback, Role, Sheet};
use carom_files::{FitOptions, FitResult, FitShape, Image, Pivot, Slicing};
use draw::{FRAMES, SIDE, STRIKING};

fn picture() -> Image {
    Image::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/art/fighter.png")).expect("a picture")
}

/// The frames with their names, hurtboxes and hitboxes.
fn sheet() -> Sheet {
    let picture = picture();
    let cut = Slicing::Grid { width: SIDE, height: SIDE }.frames(&picture, 127).unwrap();
    let striking = picture.bitmap_by_color(STRIKING, [0; 4]);
    let body = FitOptions {
        shape: FitShape::Boxes,
        max_boxes: 3,
        pivot: Pivot::Feet,
        ..FitOptions::default()
    };
    let blow = FitOptions {
        shape: FitShape::Circle,
        name: "blow".into(),
        role: Role::Hitbox,
        ..FitOptions::default()
    };
    let frames = cut.iter().zip(FRAMES).map(|(frame, name)| {
        let FitResult { frame: mut boxes, quality } = body.fit(frame).unwrap();
        assert!(quality.missed < 1e-3 && quality.iou() > 0.5, "{name}: {quality:?}");
        let blows = frame.with_pixels_from(&striking);
        if !blows.pixels.is_clear() {
            boxes.boxes.extend(blow.fit(&blows).unwrap().frame.boxes);
        }
        Frame { name: name.into(), ..boxes }
    });
    let sheet = Sheet::from_frames(frames).unwrap();
    let sheet = sheet.with_animation("punch", "punch_1", "punch_2", Playback::Forward).unwrap();
    sheet.with_animation("kick", "kick_1", "kick_2", Playback::Forward).unwrap()
}

#[test]
fn the_image_is_the_one_that_the_example_draws() {
    let (drawn, read) = (draw::sheet(), picture());
    assert_eq!(<[u32; 2]>::from(drawn.dimensions()), read.size());
    assert!(drawn.enumerate_pixels().all(|(x, y, pixel)| pixel.0 == read.pixel(x, y)));
}

#[test]
fn only_the_frames_with_a_blow_have_hitboxes() {
    let sheet = sheet();
    for frame in sheet.frames() {
        let hitboxes = frame.boxes.iter().filter(|it| it.role == Role::Hitbox).count();
        assert_eq!(hitboxes, usize::from(frame.name.ends_with("_2")), "{}", frame.name);
    }
}

/// The strikes of Ann, who looks right, on Bob, who stands so far from her and looks left.
fn strikes(animation: &str, apart: f32) -> Vec<(u64, String, String)> {
    let mut world = World::new();
    let key = world.add_sheet(sheet()).unwrap();
    let sheet = world.sheet(key).cloned().unwrap();
    let ann = world.add_body(Body::moving([0.0, 0.0])).unwrap();
    let bob = world.add_body(Body::moving([apart, 0.0])).unwrap();
    let mut found = Vec::new();
    for tick in 0..2 {
        let frame = sheet.frame_at(animation, tick).unwrap();
        world.set_frame(ann, key, FrameRef::from(frame)).unwrap();
        world.set_frame(bob, key, FrameRef::from("idle").flipped(Flip::X)).unwrap();
        world.update();
        for strike in world.strikes() {
            assert_eq!((strike.attacker, strike.victim), (ann, bob));
            let name = |collider| world.box_name(collider).unwrap_or("?").to_owned();
            found.push((tick, name(strike.hitbox), name(strike.hurtbox)));
        }
    }
    found
}

#[test]
fn a_punch_lands_on_its_second_frame_where_the_fist_reaches() {
    // Her fist ends 18 pixels in front of her, his chest begins about 7 in front of him.
    let [(tick, blow, hit)] = &strikes("punch", 22.0)[..] else { panic!("one strike") };
    assert_eq!((*tick, blow.as_str()), (1, "blow"));
    assert!(hit.starts_with("body"), "{hit}");
    assert!(strikes("punch", 40.0).is_empty());
}

#[test]
fn a_kick_reaches_further_than_a_punch() {
    let reach =
        |animation| (0..60).filter(|&apart| !strikes(animation, apart as f32).is_empty()).max();
    let (punch, kick) = (reach("punch").unwrap(), reach("kick").unwrap());
    assert!((20..36).contains(&punch) && kick > punch, "punch {punch}, kick {kick}");
}
