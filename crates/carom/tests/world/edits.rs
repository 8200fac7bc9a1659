//! Edits of tile maps and masks in place.

use carom::prelude::*;
use carom::world::EventKind;

use crate::support::rng::Rng;

const SIZE: u32 = 12;

fn any_pose(rng: &mut Rng) -> Pose {
    match rng.below(3) {
        0 => Pose::IDENTITY,
        1 => Pose::new([rng.signed() * 4.0, rng.signed() * 4.0], 0.0),
        _ => Pose::new([rng.signed(), rng.signed()], rng.signed() * 3.0).with_scale(1.5),
    }
}

/// Returns a world with one collider of a shape, and some circles that touch it at some points.
fn world_with(shape: Shape, rng: &mut Rng) -> (World, ColliderKey) {
    let (pose, local_pose) = (any_pose(rng), any_pose(rng));
    let mut world = World::new();
    let body = world.add_body(Body::fixed([0.0, 0.0]).with_pose(pose)).unwrap();
    let key = world.add_collider(body, Collider::new(shape).at(local_pose)).unwrap();
    for _ in 0..20 {
        let at = [rng.signed() * 12.0, rng.signed() * 12.0];
        let ball = Collider::new(Circle::new([0.0, 0.0], 0.5));
        world.spawn(Body::moving(at), [ball]).unwrap();
    }
    world.update();
    (world, key)
}

/// Asserts that two worlds have the same observable state.
fn assert_same(edited: &mut World, replaced: &mut World, at: &str) {
    let events = |world: &mut World| world.update().iter().collect::<Vec<_>>();
    assert_eq!(events(edited), events(replaced), "{at}");
    assert_eq!(edited.state_hash(), replaced.state_hash(), "{at}");
    let bounds = |world: &World| world.colliders().map(|it| it.bounds()).collect::<Vec<_>>();
    assert_eq!(bounds(edited), bounds(replaced), "{at}");
}

#[test]
fn an_edited_map_is_like_a_new_one_in_its_place() {
    for seed in 0..16 {
        let mut rng = Rng::new(seed);
        let mut map = TileMap::new([-6.0, -6.0], [1.0, 1.0], [SIZE, SIZE]);
        let (mut edited, key) = world_with(map.clone().into(), &mut rng);
        let mut replaced = edited.clone();
        for step in 0..40 {
            let cell = Cell::new(rng.below(SIZE as usize) as u32, rng.below(SIZE as usize) as u32);
            let kind = rng.pick(&[TileMap::EMPTY, TileMap::SOLID]);
            map.set(cell, kind);
            edited.edit_tiles(key, |map| map.set(cell, kind)).unwrap();
            replaced.set_shape(key, map.clone()).unwrap();
            assert_same(&mut edited, &mut replaced, &format!("seed {seed}, step {step}"));
        }
    }
}

#[test]
fn an_edited_mask_is_like_a_new_one_in_its_place() {
    for seed in 0..16 {
        let mut rng = Rng::new(seed);
        let mut bitmap = Bitmap::new(SIZE, SIZE);
        bitmap.fill();
        let (mut edited, key) =
            world_with(Mask::new([-6.0, -6.0], 1.0, bitmap.clone()).into(), &mut rng);
        let mut replaced = edited.clone();
        for step in 0..40 {
            let at = [rng.below(14) as i32 - 1, rng.below(14) as i32 - 1];
            let brush = Bitmap::from_rows(&[".#.", "###", ".#."]);
            let draws = rng.one_in(3);
            let change = |pixels: &mut Bitmap| match draws {
                true => pixels.draw(&brush, at),
                false => pixels.erase(&brush, at),
            };
            change(&mut bitmap);
            edited.edit_mask(key, |mask| mask.edit(change)).unwrap();
            replaced.set_shape(key, Mask::new([-6.0, -6.0], 1.0, bitmap.clone())).unwrap();
            assert_same(&mut edited, &mut replaced, &format!("seed {seed}, step {step}"));
        }
    }
}

#[test]
fn edits_do_not_reach_snapshots_and_other_colliders() {
    let mut world = World::new();
    let map = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &["##"], &[('#', TileKind::SOLID)]);
    let shared: std::sync::Arc<Shape> = map.into();
    let bodies = [0.0, 10.0].map(|x| world.add_body(Body::fixed([x, 0.0])).unwrap());
    let [one, other] =
        bodies.map(|body| world.add_collider(body, Collider::new(shared.clone())).unwrap());
    let snapshot = world.clone();
    world.edit_tiles(one, |map| map.set([0, 0], TileMap::EMPTY)).unwrap();
    let is_solid = |world: &World, at: [f32; 2]| !world.at_point(at, &Filter::new()).is_empty();
    assert!(!is_solid(&world, [0.5, 0.5]) && is_solid(&world, [10.5, 0.5]));
    assert!(is_solid(&snapshot, [0.5, 0.5]));
    assert_ne!(world.state_hash(), snapshot.state_hash());
    world.edit_tiles(one, |map| map.set([0, 0], TileMap::SOLID)).unwrap();
    world.clone_from(&snapshot);
    assert_eq!(world.state_hash(), snapshot.state_hash());
    assert!(world.collider(other).is_some());
}

#[test]
fn a_walker_falls_when_its_floor_is_taken_away() {
    let mut world = World::new();
    let map = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &["####"], &[('#', TileKind::SOLID)]);
    let ground = world.add_body(Body::fixed([0.0, 0.0])).unwrap();
    let ground = world.add_collider(ground, Collider::new(map)).unwrap();
    let hero = Collider::new(Aabb::new([-0.25, 0.0], [0.25, 1.0]));
    let hero = world.spawn(Body::moving([1.5, 1.0]), [hero]).unwrap();
    let (walker, mut state) = (Walker::new(), WalkerState::new());
    let walk = |world: &mut World, state: &mut WalkerState| {
        world.walk(hero, &walker, state, [0.0, -0.25]).unwrap().on_floor()
    };
    assert!(walk(&mut world, &mut state));
    assert_eq!(world.update().began().count(), 1);
    world.edit_tiles(ground, |map| map.set([1, 0], TileMap::EMPTY)).unwrap();
    assert_eq!(
        world.update().iter().map(|event| event.kind).collect::<Vec<_>>(),
        [EventKind::Ended]
    );
    assert!(!walk(&mut world, &mut state));
    assert_eq!(world.position(hero).unwrap(), Vec2::new(1.5, 0.75));
}

#[test]
fn edits_of_other_shapes_are_errors() {
    let mut world = World::new();
    let ball = world.add_body(Body::moving([0.0, 0.0])).unwrap();
    let key = world.add_collider(ball, Collider::new(Circle::new([0.0, 0.0], 1.0))).unwrap();
    let before = world.state_hash();
    let error = world.edit_mask(key, |_| ()).unwrap_err();
    assert_eq!(error, WorldError::WrongShape { key, found: "Circle", expected: "Mask" });
    assert_eq!(world.state_hash(), before);
    world.remove_collider(key).unwrap();
    assert_eq!(world.edit_tiles(key, |_| ()), Err(WorldError::NoSuchCollider(key)));
}
