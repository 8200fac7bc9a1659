//! Frames on bodies (W4): the boxes of a body follow its current frame, and contacts continue across frames.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::rng::Rng;
use carom::prelude::*;
use carom::sheet::{Frame, FrameBox, FrameRef, Role, Sheet, SheetError};
use carom::world::{EventKind, Layer, SheetKey, StrikeRules};

fn fighter() -> Sheet {
    Sheet::from_frames([
        Frame::new("idle").hurtbox("body", Aabb::new([-1.0, 0.0], [1.0, 4.0])),
        Frame::new("punch_1")
            .hurtbox("body", Aabb::new([0.0, 0.0], [2.0, 4.0]))
            .hitbox("fist", Circle::new([3.0, 3.0], 0.5)),
        Frame::new("punch_2")
            .hitbox("fist", Circle::new([4.0, 3.0], 0.5))
            .hurtbox("body", Aabb::new([0.0, 0.0], [2.0, 4.0])),
    ])
    .expect("a good sheet")
}

/// Returns a world with a fighter that shows the first frame.
fn ring() -> (World, SheetKey, BodyKey) {
    let mut world = World::new();
    let sheet = world.add_sheet(fighter()).unwrap();
    let ann = world.add_body(Body::moving([0.0, 0.0])).unwrap();
    world.set_frame(ann, sheet, "idle").unwrap();
    (world, sheet, ann)
}

/// Returns the events of the last update by the names of a body's boxes.
fn events_of(world: &World, body: BodyKey) -> Vec<(EventKind, ColliderKey)> {
    let events = world.events().iter().filter_map(|event| event.seen_from(body));
    events.map(|event| (event.kind, event.colliders[0])).collect()
}

#[test]
fn w4_a_box_with_the_same_name_keeps_its_key_and_contacts() {
    let (mut world, sheet, ann) = ring();
    let spike = world.add_body(Body::fixed([1.0, 1.0])).unwrap();
    let tip = Collider::new(Circle::new([0.0, 0.0], 0.25)).with_role(Role::Hitbox);
    world.add_collider(spike, tip).unwrap();
    let dummy = world.add_body(Body::fixed([3.5, 3.0])).unwrap();
    let straw = Collider::new(Circle::new([0.0, 0.0], 0.5)).with_role(Role::Hurtbox);
    world.add_collider(dummy, straw).unwrap();
    let body = world.box_of(ann, "body").unwrap();
    world.update();
    assert_eq!(events_of(&world, ann), [(EventKind::Began, body)]);

    world.set_frame(ann, sheet, "punch_1").unwrap();
    let fist = world.box_of(ann, "fist").unwrap();
    assert_eq!(world.box_of(ann, "body"), Some(body));
    world.update();
    assert_eq!(events_of(&world, ann), [(EventKind::Stayed, body), (EventKind::Began, fist)]);

    world.set_frame(ann, sheet, "punch_2").unwrap(); // in this frame the fist is listed first
    assert_eq!((world.box_of(ann, "body"), world.box_of(ann, "fist")), (Some(body), Some(fist)));
    world.update();
    assert_eq!(events_of(&world, ann), [(EventKind::Stayed, body), (EventKind::Stayed, fist)]);

    world.set_frame(ann, sheet, "idle").unwrap();
    assert!(world.collider(fist).is_none());
    world.update();
    assert_eq!(events_of(&world, ann), [(EventKind::Stayed, body), (EventKind::Ended, fist)]);
    world.clear_frame(ann).unwrap();
    world.update();
    assert_eq!(events_of(&world, ann), [(EventKind::Ended, body)]);
    assert_eq!((world.frame(ann), world.colliders_of(ann).count()), (None, 0));
}

#[test]
fn w4_flipping_moves_the_boxes_about_the_body() {
    let (mut world, sheet, ann) = ring();
    world.set_position(ann, [10.0, 0.0]).unwrap();
    world.set_frame(ann, sheet, FrameRef::from("punch_2").flipped(Flip::X)).unwrap();
    let fist = world.box_of(ann, "fist").unwrap();
    let bounds = |world: &World| world.collider(fist).unwrap().bounds();
    assert_eq!(bounds(&world), Aabb::new([5.5, 2.5], [6.5, 3.5]));
    world.set_frame(ann, sheet, "punch_2").unwrap();
    assert_eq!(bounds(&world), Aabb::new([13.5, 2.5], [14.5, 3.5]));
    let shown = world.frame(ann).unwrap();
    assert_eq!((shown.sheet, shown.frame), (sheet, 2));
    assert_eq!((shown.direction, shown.flip), (0, Flip::NONE));
    assert_eq!(world.sheet(sheet).unwrap().frames()[shown.frame].name, "punch_2");
    assert_eq!(world.box_name(fist), Some("fist"));
}

#[test]
fn w4_boxes_are_on_the_layers_that_the_sheet_names() {
    let mut world = World::new();
    let head = FrameBox::new("head", Role::Solid, Circle::new([0.0, 0.0], 1.0));
    let sheet = Sheet::from_frames([
        Frame::new("seen").with(head.clone().layer("heads").mask(["hats", "default"])),
        Frame::new("hidden").with(head),
    ])
    .unwrap();
    world.add_layer("hats").unwrap();
    let error = world.add_sheet(sheet.clone()).unwrap_err();
    assert!(matches!(&error, WorldError::UnknownLayer { name, .. } if name == "heads"), "{error}");
    world.add_layer("heads").unwrap();
    let key = world.add_sheet(sheet).unwrap();
    let body = world.add_body(Body::moving([0.0, 0.0])).unwrap();
    world.set_frame(body, key, "seen").unwrap();
    let head = world.box_of(body, "head").unwrap();
    let layers = |world: &World| world.collider(head).map(|it| (it.layers(), it.mask())).unwrap();
    let named = (world.layers("heads").unwrap(), world.layers(["hats", "default"]).unwrap());
    assert_eq!(layers(&world), named);
    world.set_frame(body, key, "hidden").unwrap();
    assert_eq!(layers(&world), (Layers::from(Layer::DEFAULT), Layers::ALL));
}

#[test]
fn w4_errors_change_nothing() {
    let (mut world, sheet, ann) = ring();
    let error = world.set_frame(ann, sheet, "punch1").unwrap_err();
    assert!(error.to_string().contains("did you mean `punch_1`?"), "{error}");
    let error = world.set_frame(ann, sheet, FrameRef::from("idle").direction(3)).unwrap_err();
    assert_eq!(
        error,
        WorldError::Sheet(SheetError::DirectionOutOfRange { direction: 3, count: 1 })
    );
    assert_eq!(world.frame(ann).map(|shown| shown.frame), Some(0));
    assert_eq!(world.colliders_of(ann).count(), 1);

    let mut other = World::new();
    let stranger = other.add_body(Body::moving([0.0, 0.0])).unwrap();
    assert_eq!(other.set_frame(stranger, sheet, 0), Err(WorldError::NoSuchSheet(sheet)));
    world.remove_body(ann).unwrap();
    assert_eq!(world.set_frame(ann, sheet, 0), Err(WorldError::NoSuchBody(ann)));
    assert_eq!(world.clear_frame(ann), Err(WorldError::NoSuchBody(ann)));
    assert_eq!((world.frame(ann), world.box_of(ann, "body")), (None, None));
}

#[test]
fn w4_a_box_removed_by_hand_comes_back_with_the_next_frame() {
    let (mut world, sheet, ann) = ring();
    let feet = Collider::new(Aabb::new([-1.0, -1.0], [1.0, 0.0]));
    let feet = world.add_collider(ann, feet).unwrap(); // in addition to those of the frame
    let body = world.box_of(ann, "body").unwrap();
    world.remove_collider(body).unwrap();
    assert_eq!((world.box_of(ann, "body"), world.box_name(body)), (None, None));
    world.set_frame(ann, sheet, "punch_1").unwrap();
    assert_eq!(world.colliders_of(ann).count(), 3);
    assert_ne!(world.box_of(ann, "body"), Some(body));
    assert_eq!(world.box_name(feet), None);
}

#[test]
fn w4_settings_of_a_box_last_as_long_as_the_box() {
    let (mut world, sheet, ann) = ring();
    let body = world.box_of(ann, "body").unwrap();
    world.set_collider_user_data(body, 7).unwrap();
    world.set_collider_enabled(body, false).unwrap();
    world.set_frame(ann, sheet, "punch_1").unwrap();
    let collider = world.collider(body).unwrap();
    assert_eq!((collider.user_data(), collider.enabled()), (7, false));
}

/// Returns a sheet of random boxes with few names, so that names recur.
fn random_sheet(rng: &mut Rng) -> Sheet {
    let place = |rng: &mut Rng| [rng.between(-4, 4) as f32 * 0.5, rng.between(-4, 4) as f32 * 0.5];
    let frames = (0..5).map(|i| {
        let mut frame = Frame::new(format!("{i}")).pivot(place(rng));
        for name in ["a", "b", "c"] {
            if rng.one_in(3) {
                continue;
            }
            let shape: Shape = match rng.below(3) {
                0 => Circle::new(place(rng), 0.75).into(),
                1 => Aabb::from_min_size(place(rng), [1.0, 1.5]).into(),
                _ => Segment::new(place(rng), place(rng)).into(),
            };
            let role = rng.pick(&[Role::Hitbox, Role::Hurtbox, Role::Solid, Role::Sensor]);
            frame = frame.with(FrameBox::new(name, role, shape));
        }
        frame
    });
    Sheet::from_frames(frames.collect::<Vec<_>>()).unwrap().with_directions(4).unwrap()
}

/// A box, given by its body and name.
type Id = (BodyKey, String);

/// Returns the contacts, computed from the sheets and the poses alone.
fn touching(world: &World) -> BTreeSet<[Id; 2]> {
    let mut boxes = Vec::new();
    for (key, body) in world.bodies() {
        let Some(shown) = world.frame(key) else { continue };
        let look = FrameRef::from(shown.frame).direction(shown.direction).flipped(shown.flip);
        for it in world.sheet(shown.sheet).unwrap().boxes(look).unwrap() {
            boxes.push(((key, it.name.to_string()), it.role, it.shape.transformed(&body.pose)));
        }
    }
    let meets = |a: Role, b: Role| match a {
        Role::Solid | Role::Sensor => matches!(b, Role::Solid | Role::Sensor),
        Role::Hitbox => b == Role::Hurtbox,
        _ => b == Role::Hitbox,
    };
    let mut pairs = BTreeSet::new();
    for (i, (a, a_role, a_shape)) in boxes.iter().enumerate() {
        for (b, b_role, b_shape) in &boxes[i + 1..] {
            if a.0 != b.0 && meets(*a_role, *b_role) && a_shape.intersects(b_shape) {
                let mut pair = [a.clone(), b.clone()];
                pair.sort();
                pairs.insert(pair);
            }
        }
    }
    pairs
}

/// Saves and loads a world.
#[cfg(feature = "serde")]
fn again(world: &World) -> World {
    let text = serde_json::to_string(world).expect("worlds can be written");
    serde_json::from_str(&text).expect("and read")
}

/// Copies a world.
#[cfg(not(feature = "serde"))]
fn again(world: &World) -> World {
    world.clone()
}

#[test]
fn w4_a_copied_or_saved_world_with_frames_continues_identically() {
    let turned = Obb::new([1.0, 0.3], [0.7, 0.2], 0.4).translated([0.1, 0.7]);
    let turned = turned.rotated(0.3, [0.2, 0.1]).rotated(0.1, [0.0, 0.0]);
    let egg = Ellipse::new([0.1, 0.2], [1.0, 0.4], 0.7).translated([0.3, 0.1]);
    let sheet = Sheet::from_frames([
        Frame::new("one").pivot([0.3, 0.1]).hitbox("it", turned).hurtbox("egg", egg.clone()),
        Frame::new("two").pivot([0.2, 0.4]).hurtbox("it", turned).hitbox("egg", egg),
    ]);
    let mut world = World::new();
    let sheet = world.add_sheet(sheet.unwrap().with_directions(7).unwrap()).unwrap();
    let bodies = [[0.0, 0.0], [0.4, 0.3], [0.9, 0.1]]
        .map(|at| world.add_body(Body::moving(at).with_team(1)).unwrap());
    world.set_strike_rules(StrikeRules::default().with_friendly_fire(true).with_clashes(true));
    let (mut rng, mut strikes) = (Rng::new(1), 0);
    for tick in 0..60 {
        let mut other = again(&world);
        assert_eq!(other.state_hash(), world.state_hash(), "tick {tick}");
        let look = FrameRef::from(rng.below(2)).direction(rng.below(7) as u32);
        let look = look.flipped(rng.pick(&Flip::ALL));
        let (body, swings) = (rng.pick(&bodies), rng.one_in(4));
        for world in [&mut world, &mut other] {
            world.set_frame(body, sheet, look).unwrap();
            if swings {
                world.start_swing(body).unwrap();
            }
            world.update();
        }
        assert!(world.events().iter().eq(other.events().iter()), "tick {tick}");
        assert_eq!(world.strikes(), other.strikes(), "tick {tick}");
        assert_eq!(world.clashes(), other.clashes(), "tick {tick}");
        strikes += world.strikes().len();
        if rng.one_in(2) {
            world = other;
        }
    }
    assert!(strikes > 10, "only {strikes} strikes");
}

#[cfg(feature = "serde")]
#[test]
fn w4_a_saved_world_with_invalid_frames_is_rejected() {
    let (mut world, _, ann) = ring();
    world.add_body(Body::moving([0.0, 0.0])).unwrap();
    world.update();
    let good = serde_json::to_string(&world).unwrap();
    let shown = format!(r#""shown":[{{"body":[{},0],"sheet":0,"frame":0,"#, ann.to_bits());
    assert!(good.contains(&shown), "{good}");
    for (from, to, message) in [
        (r#""body":[0,0],"sheet""#, r#""body":[9,0],"sheet""#, "body 9 does not exist or"),
        (r#""body":[0,0],"sheet""#, r#""body":[1,0],"sheet""#, "lists another body's collider"),
        (
            r#""sheet":0,"frame":0"#,
            r#""sheet":7,"frame":0"#,
            "sheet 7 does not exist in this world",
        ),
        (r#""sheet":0,"frame":0"#, r#""sheet":0,"frame":9"#, "frame 9 is out of range"),
        (r#""sheet":0,"frame":0"#, r#""sheet":0,"frame":1"#, "found 1 colliders for 2 boxes"),
        (r#""role":"hitbox""#, r#""layer":"sky","role":"hitbox""#, "unknown layer `sky`"),
        (
            r#""struck":[]"#,
            r#""struck":[[[1,0],null,[0,0],"per_swing",1],[[0,0],null,[1,0],"per_swing",1]]"#,
            "not sorted",
        ),
    ] {
        assert!(good.contains(from), "{from}");
        let bad = good.replacen(from, to, 1);
        let error = serde_json::from_str::<World>(&bad).expect_err(to).to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn w4_the_current_frame_is_part_of_the_state() {
    let (mut world, sheet, ann) = ring();
    let plain = world.state_hash();
    world.set_frame(ann, sheet, FrameRef::from("idle").flipped(Flip::X)).unwrap();
    assert_ne!(world.state_hash(), plain); // though the box is its own mirror image
    world.start_swing(ann).unwrap();
    world.set_frame(ann, sheet, "idle").unwrap();
    let mut other = ring().0;
    other.update();
    world.update();
    assert_eq!(world.state_hash(), other.state_hash());
    other.add_sheet(fighter()).unwrap();
    assert_ne!(world.state_hash(), other.state_hash());
}

#[test]
fn w4_events_follow_the_box_names_for_random_frames() {
    let mut stayed = 0;
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut world = World::new();
        let sheets = [0, 1].map(|_| world.add_sheet(random_sheet(&mut rng)).unwrap());
        let mut before = BTreeSet::new();
        let mut ids: BTreeMap<ColliderKey, Id> = BTreeMap::new();
        for tick in 0..80 {
            let bodies: Vec<BodyKey> = world.bodies().map(|(key, _)| key).collect();
            let at = [rng.between(0, 8) as f32 * 0.5, rng.between(0, 4) as f32 * 0.5];
            match rng.below(8) {
                0 if !bodies.is_empty() && rng.one_in(3) => {
                    world.remove_body(rng.pick(&bodies)).unwrap();
                }
                0 => drop(world.add_body(Body::moving(at)).unwrap()),
                1 if !bodies.is_empty() => world.set_position(rng.pick(&bodies), at).unwrap(),
                2 if !bodies.is_empty() && rng.one_in(4) => {
                    world.clear_frame(rng.pick(&bodies)).unwrap();
                }
                _ if !bodies.is_empty() => {
                    let look = FrameRef::from(rng.below(5)).direction(rng.below(4) as u32);
                    let look = look.flipped(rng.pick(&Flip::ALL));
                    world.set_frame(rng.pick(&bodies), rng.pick(&sheets), look).unwrap();
                }
                _ => {}
            }
            ids.extend(world.colliders().filter_map(|it| {
                Some((it.key(), (it.body_key(), world.box_name(it.key())?.to_string())))
            }));
            world.update();
            let now = touching(&world);
            let mut found: BTreeMap<EventKind, BTreeSet<[Id; 2]>> = BTreeMap::new();
            for event in world.events() {
                let mut pair = event.colliders.map(|key| ids[&key].clone());
                pair.sort();
                found.entry(event.kind).or_default().insert(pair);
            }
            for (kind, expected) in [
                (EventKind::Began, now.difference(&before).cloned().collect()),
                (EventKind::Stayed, now.intersection(&before).cloned().collect()),
                (EventKind::Ended, before.difference(&now).cloned().collect::<BTreeSet<_>>()),
            ] {
                let found = found.remove(&kind).unwrap_or_default();
                assert_eq!(found, expected, "seed {seed}, tick {tick}: {kind:?}");
                stayed += usize::from(kind == EventKind::Stayed) * expected.len();
            }
            before = now;
        }
    }
    assert!(stayed > 1000, "only {stayed} touches went on");
}
