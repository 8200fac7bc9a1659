//! Sheets (W4): frames with named boxes, flipped and rotated.

use core::f64::consts::TAU;

use crate::support::generate::Generator;
use crate::support::rng::Rng;
use carom::prelude::*;
use carom::sheet::{Frame, FrameBox, FrameRef, Playback, Role, Sheet, SheetError};

fn fighter() -> Sheet {
    let body = Aabb::new([8.0, 0.0], [24.0, 32.0]);
    let frame = |name: &str| Frame::new(name).pivot([16.0, 32.0]).hurtbox("body", body);
    Sheet::from_frames([
        frame("idle").ticks(8),
        frame("punch_1").ticks(3),
        frame("punch_2").ticks(2).hitbox("fist", Circle::new([30.0, 10.0], 3.0)),
        frame("punch_3").ticks(4),
    ])
    .and_then(|sheet| sheet.with_animation("punch", "punch_1", "punch_3", Playback::Forward))
    .and_then(|sheet| sheet.with_animation("sway", "idle", "punch_3", Playback::PingPong))
    .expect("a good sheet")
}

/// Returns the names and shapes of the boxes of a frame.
fn boxes<'a>(sheet: &'a Sheet, look: impl Into<FrameRef<'a>>) -> Vec<(&'a str, Shape)> {
    let boxes = sheet.boxes(look).expect("a good look");
    boxes.into_iter().map(|it| (it.name, Shape::clone(&it.shape))).collect()
}

#[test]
fn w4_each_frame_has_its_own_boxes_with_the_pivot_at_the_origin() {
    let sheet = fighter();
    let body = ("body", Aabb::new([-8.0, -32.0], [8.0, 0.0]).into());
    let fist = ("fist", Circle::new([14.0, -22.0], 3.0).into());
    assert_eq!(boxes(&sheet, "idle"), std::slice::from_ref(&body));
    assert_eq!(boxes(&sheet, "punch_2"), [body.clone(), fist.clone()]);
    assert_eq!(boxes(&sheet, 2), [body, fist]);
    let roles: Vec<Role> = sheet.boxes(2).unwrap().iter().map(|it| it.role).collect();
    assert_eq!(roles, [Role::Hurtbox, Role::Hitbox]);
}

#[test]
fn w4_boxes_are_flipped_about_the_pivot() {
    let sheet = fighter();
    let fist = |mirror| boxes(&sheet, FrameRef::from("punch_2").flipped(mirror))[1].1.clone();
    assert_eq!(fist(Flip::X), Circle::new([-14.0, -22.0], 3.0).into());
    assert_eq!(fist(Flip::Y), Circle::new([14.0, 22.0], 3.0).into());
    assert_eq!(fist(Flip::BOTH), Circle::new([-14.0, 22.0], 3.0).into());
}

#[test]
fn w4_directions_rotate_the_boxes_about_the_pivot() {
    let rocket = Frame::new("fly")
        .pivot([8.0, 4.0])
        .hitbox("tip", Triangle::new([12.0, 0.0], [16.0, 4.0], [12.0, 8.0]))
        .hurtbox("hull", Aabb::new([0.0, 2.0], [12.0, 6.0]));
    let sheet = Sheet::from_frames([rocket]).unwrap().with_directions(4).unwrap();
    assert_eq!(sheet.directions(), 4);
    let turned = boxes(&sheet, FrameRef::from("fly").direction(1));
    assert_eq!(turned[0].1, Triangle::new([4.0, 4.0], [0.0, 8.0], [-4.0, 4.0]).into());
    assert_eq!(turned[1].1, Aabb::new([-2.0, -8.0], [2.0, 4.0]).into()); // still an axis-aligned box
    // The frame is rotated first, then flipped.
    let below = boxes(&sheet, FrameRef::from("fly").direction(1).flipped(Flip::Y));
    assert_eq!(below[0].1.bounds(), Aabb::new([-4.0, -8.0], [4.0, -4.0]));
}

#[test]
fn w4_a_direction_may_have_boxes_of_its_own() {
    let drawn_anew = FrameBox::new("tip", Role::Sensor, Circle::new([9.0, 9.0], 1.0));
    let fly = Frame::new("fly")
        .pivot([8.0, 8.0])
        .hitbox("tip", Circle::new([15.0, 8.0], 1.0))
        .direction(1, [drawn_anew])
        .direction(2, []);
    let sheet = Sheet::from_frames([fly.clone()]).unwrap();
    assert_eq!(sheet.directions(), 3); // the number of directions that have boxes
    let sheet = sheet.with_directions(4).unwrap();
    let look = |direction| FrameRef::from("fly").direction(direction);
    assert_eq!(boxes(&sheet, look(1)), [("tip", Circle::new([1.0, 1.0], 1.0).into())]);
    assert_eq!(sheet.boxes(look(1)).unwrap()[0].role, Role::Sensor);
    assert_eq!(boxes(&sheet, look(2)), []);
    assert_eq!(boxes(&sheet, look(3)), [("tip", Circle::new([0.0, -7.0], 1.0).into())]);
    let error = Sheet::from_frames([fly]).unwrap().with_directions(2).unwrap_err();
    assert_eq!(error, SheetError::DirectionOutOfRange { direction: 2, count: 2 });
}

#[test]
fn w4_frames_flip_and_rotate_shapes_of_every_kind() {
    for (seed, kind) in (0..).zip(Shape::KINDS.iter().cycle().take(40 * Shape::KINDS.len())) {
        let mut draw = Generator::new(Rng::new(seed));
        let shape = draw.shape(kind);
        draw.remember(&shape);
        let pivot = draw.motion();
        let frame = Frame::new("only").pivot(pivot).solid("it", shape.clone());
        let sheet = Sheet::from_frames([frame]).unwrap().with_directions(16).unwrap();
        for mirror in Flip::ALL {
            let about = shape.translated(-pivot);
            let look = FrameRef::from("only").flipped(mirror);
            assert_eq!(boxes(&sheet, look)[0].1, about.flipped(mirror));
            let turned = about.rotated((TAU * 5.0 / 16.0) as f32, [0.0, 0.0]).flipped(mirror);
            assert_eq!(boxes(&sheet, look.direction(5))[0].1, turned);
        }
    }
}

#[test]
fn w4_animations_show_each_frame_for_its_ticks_and_loop() {
    let sheet = fighter();
    let shown = |animation: &str| -> Vec<usize> {
        (0..30).map(|tick| sheet.frame_at(animation, tick).unwrap()).collect()
    };
    let runs = |frames: &[(usize, usize)]| -> Vec<usize> {
        frames.iter().flat_map(|&(frame, ticks)| std::iter::repeat_n(frame, ticks)).collect()
    };
    assert_eq!(sheet.loop_ticks("punch"), Ok(9));
    let round = [(1, 3), (2, 2), (3, 4)];
    assert_eq!(shown("punch")[..18], runs(&[round, round].concat()));
    assert_eq!(sheet.loop_ticks("sway"), Ok(8 + 3 + 2 + 4 + 2 + 3));
    assert_eq!(shown("sway"), runs(&[(0, 8), (1, 3), (2, 2), (3, 4), (2, 2), (1, 3), (0, 8)]));
    assert_eq!(sheet.frame_at("punch", u64::MAX), sheet.frame_at("punch", u64::MAX % 9));
}

#[test]
fn w4_unknown_names_are_errors_with_suggestions() {
    let sheet = fighter();
    let text = |look: FrameRef<'_>| sheet.boxes(look).unwrap_err().to_string();
    assert_eq!(
        text("punch2".into()),
        "unknown frame `punch2` (did you mean `punch_2`?), \
         expected one of `idle`, `punch_1`, `punch_2`, `punch_3`"
    );
    assert_eq!(text(4.into()), "frame 4 is out of range; the sheet has 4, counted from 0");
    assert_eq!(
        text(FrameRef::from("idle").direction(1)),
        "direction 1 is out of range; the sheet has 1, counted from 0"
    );
    let error = sheet.frame_at("kick", 0).unwrap_err().to_string();
    assert_eq!(error, "unknown animation `kick`, expected one of `punch`, `sway`");
    let bare = Sheet::from_frames([Frame::new("idle")]).unwrap();
    let error = bare.frame_at("kick", 0).unwrap_err().to_string();
    assert_eq!(error, "unknown animation `kick`; the sheet has no animations");
}

#[test]
fn w4_invalid_sheets_are_rejected_with_the_reason() {
    let refused = |frames: Vec<Frame>| Sheet::from_frames(frames).unwrap_err();
    let idle = || Frame::new("idle");
    assert_eq!(refused(vec![idle(), idle()]), SheetError::DuplicateFrame { name: "idle".into() });
    let twice = idle().solid("a", Point::new([0.0, 0.0])).sensor("a", Point::new([0.0, 0.0]));
    let (frame, name) = ("idle".to_string(), "a".to_string());
    assert_eq!(refused(vec![twice]), SheetError::DuplicateBox { frame: frame.clone(), name });
    assert_eq!(refused(vec![idle().ticks(0)]), SheetError::ZeroTicks { frame });
    let nowhere = refused(vec![idle().pivot([f32::NAN, 0.0])]);
    assert!(matches!(nowhere, SheetError::PivotNotFinite { .. }));
    assert!(matches!(
        refused(vec![idle().direction(u32::MAX, [])]),
        SheetError::DirectionCount { .. }
    ));
    let directions = |count| fighter().with_directions(count).unwrap_err();
    assert_eq!(directions(0).to_string(), "0 directions; expected 1 to 1024");
    assert_eq!(directions(1025), SheetError::DirectionCount { count: 1025 });
    let animation = |name: &str, from: &str, to: &str| {
        fighter().with_animation(name, from, to, Playback::Forward).unwrap_err()
    };
    assert!(matches!(animation("punch", "idle", "idle"), SheetError::DuplicateAnimation { .. }));
    assert!(matches!(animation("fall", "punch_1", "idle"), SheetError::ReversedRange { .. }));
    assert!(matches!(animation("fall", "idel", "idle"), SheetError::UnknownFrame { .. }));
}

#[test]
fn w4_every_name_has_a_character() {
    let empty = |owner: &str| SheetError::EmptyName { owner: owner.into() };
    let circle = || Circle::new([0.0, 0.0], 1.0);
    assert_eq!(Sheet::from_frames([Frame::new("")]).unwrap_err(), empty("a frame"));
    let frame = Frame::new("idle").hurtbox("", circle());
    assert_eq!(Sheet::from_frames([frame]).unwrap_err(), empty("a box of frame `idle`"));
    let boxes = [FrameBox::new("", Role::Solid, circle())];
    let error = Sheet::from_frames([Frame::new("idle").direction(2, boxes)]).unwrap_err();
    assert_eq!(error, empty("a box of frame `idle`"));
    assert_eq!(error.to_string(), "the name of a box of frame `idle` is empty");
    let error = fighter().with_animation("", "idle", "idle", Playback::Once).unwrap_err();
    assert_eq!(error, empty("an animation"));
}

#[test]
fn w4_an_animation_that_plays_once_stays_at_its_last_frame() {
    let sheet = fighter().with_animation("fall", "idle", "punch_2", Playback::Once).unwrap();
    let shown = |tick| sheet.frame_at("fall", tick).unwrap();
    assert_eq!(sheet.loop_ticks("fall"), Ok(13));
    assert_eq!([0, 7, 8, 10, 11, 12, 13, u64::MAX].map(shown), [0, 0, 1, 1, 2, 2, 2, 2]);
}

#[test]
fn w4_the_frame_at_a_tick_is_found_as_by_counting_ticks() {
    let mut rng = Rng::new(3);
    for _ in 0..200 {
        let count = rng.between(1, 9) as usize;
        let frames = (0..count).map(|i| Frame::new(format!("{i}")).ticks(rng.between(1, 4) as u32));
        let sheet = Sheet::from_frames(frames).unwrap();
        let first = rng.below(count);
        let last = first + rng.below(count - first);
        for playback in [Playback::Forward, Playback::Reverse, Playback::PingPong, Playback::Once] {
            let (from, to) = (format!("{first}"), format!("{last}"));
            let sheet = sheet.clone().with_animation("all", &from, &to, playback).unwrap();
            let order: Vec<usize> = sheet.animations()[0]
                .frames()
                .flat_map(|frame| (0..sheet.frames()[frame].ticks).map(move |_| frame))
                .collect();
            assert_eq!(sheet.loop_ticks("all"), Ok(order.len() as u64));
            for tick in 0..3 * order.len() {
                let is_over = playback == Playback::Once && tick >= order.len();
                let expected = if is_over { last } else { order[tick % order.len()] };
                assert_eq!(sheet.frame_at("all", tick as u64), Ok(expected), "{playback:?}");
            }
        }
    }
}
