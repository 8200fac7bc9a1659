//! Counts a world's memory with an instrumented allocator: no allocation per frame in a steady state,
//! and few bytes per body. There is only one test, because others would allocate at the same time.

use std::alloc::System;
use std::sync::Arc;

use carom::prelude::*;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Returns the shapes that reuse memory when they are placed.
fn shapes() -> [Shape; 8] {
    [
        Circle::new([0.0, 0.0], 0.5).into(),
        Aabb::from_center_half_size([0.0, 0.0], [0.5, 0.5]).into(),
        Obb::new([0.0, 0.0], [0.6, 0.4], 0.3).into(),
        Capsule::new([-0.4, 0.0], [0.4, 0.0], 0.3).into(),
        Triangle::new([-0.5, -0.5], [0.5, -0.5], [0.0, 0.5]).into(),
        Segment::new([-0.5, 0.0], [0.5, 0.0]).into(),
        Point::new([0.0, 0.0]).into(),
        ConvexPolygon::new(&[[-0.5, 0.0], [0.0, -0.5], [0.5, 0.0], [0.4, 0.4], [0.0, 0.5]]).into(),
    ]
}

/// Moves every body, there and back: in even frames all is where it was two frames ago.
fn play(world: &mut World, bodies: &[BodyKey], frame: usize) -> usize {
    for (i, &body) in bodies.iter().enumerate() {
        let step = if frame.is_multiple_of(2) { 0.25 } else { -0.25 };
        let pose = world.body(body).unwrap().pose;
        let turned = Pose::new(pose.position + Vec2::new(step, 0.0), frame as f32 * 0.1);
        world
            .set_pose(
                body,
                if i.is_multiple_of(3) { turned } else { Pose::from_translation(turned.position) },
            )
            .unwrap();
    }
    world.update().iter().count()
}

fn a_running_world_allocates_nothing() {
    let mut world = World::new();
    let shapes = shapes().map(Arc::new);
    let mut bodies = Vec::new();
    for i in 0..400usize {
        let place = [(i % 20) as f32 * 0.8, (i / 20) as f32 * 0.8];
        let fixed = i % 7 == 0;
        let body = if fixed { Body::fixed(place) } else { Body::moving(place) };
        let key = world.add_body(body).unwrap();
        world.add_collider(key, Collider::new(shapes[i % 8].clone())).unwrap();
        if !fixed {
            bodies.push(key);
        }
    }
    // Long enough for every list to reach its final capacity.
    let warm: Vec<usize> = (0..64).map(|frame| play(&mut world, &bodies, frame)).collect();
    assert!(warm.iter().all(|&events| events > 300), "{warm:?}");

    let region = Region::new(ALLOCATOR);
    for frame in 0..64 {
        play(&mut world, &bodies, frame);
    }
    let change = region.change();
    assert_eq!((change.allocations, change.reallocations), (0, 0), "{change:?}");
}

/// Moves bodies like walkers: each makes queries, moves, and makes queries again before the next one.
fn walkers_that_look_and_move_in_turn_allocate_nothing() {
    let mut world = World::new();
    let shape: Arc<Shape> = Circle::new([0.0, 0.0], 0.4).into();
    let bodies: Vec<BodyKey> = (0..400usize)
        .map(|i| {
            let place = [(i % 20) as f32, (i / 20) as f32];
            let body = if i % 7 == 0 { Body::fixed(place) } else { Body::moving(place) };
            let key = world.add_body(body).unwrap();
            world.add_collider(key, Collider::new(shape.clone())).unwrap();
            key
        })
        .collect();
    let mut walk = |frame: usize| {
        let mut met = 0;
        for (i, &body) in bodies.iter().enumerate().filter(|(i, _)| i % 7 != 0) {
            let angle = (i * 37 + frame / 2) as f32;
            let step = Vec2::new(angle.cos(), angle.sin())
                * if frame.is_multiple_of(2) { 0.3 } else { -0.3 };
            let here = Circle::new(world.body(body).unwrap().pose.position, 0.4);
            let filter = Filter::new().exclude(body);
            met += usize::from(world.sweep(&here, step, &filter).is_some());
            world.translate(body, step).unwrap();
            let sight = Ray::new(here.center(), step, 3.0);
            met += usize::from(world.raycast(&sight, &filter).is_some());
        }
        world.update();
        met
    };
    let met: usize = (0..128).map(&mut walk).sum();
    assert!(met > 10_000, "{met}");
    let region = Region::new(ALLOCATOR);
    let met: usize = (0..64).map(&mut walk).sum();
    let change = region.change();
    assert!(met > 5_000, "{met}");
    assert_eq!((change.allocations, change.reallocations), (0, 0), "{change:?}");
}

/// Returns the bytes per circle of a running world, including scratch memory, and the number of contacts
/// per circle.
fn bytes_per_body(spacing: f32) -> (f64, f64) {
    let count = 1 << 15; // a power of two, so that no list has spare capacity
    let shape: Arc<Shape> = Circle::new([0.0, 0.0], 0.5).into();
    let mut bodies = Vec::with_capacity(count);
    let region = Region::new(ALLOCATOR);
    let mut world = World::new();
    for i in 0..count {
        let place = [(i % 181) as f32 * spacing, (i / 181) as f32 * 1.5];
        let body = world.add_body(Body::moving(place)).unwrap();
        world.add_collider(body, Collider::new(shape.clone())).unwrap();
        bodies.push(body);
    }
    let mut touches = 0;
    for _frame in 0..3 {
        bodies.iter().for_each(|&body| world.translate(body, [0.5, 0.0]).unwrap());
        touches = world.update().len();
    }
    let change = region.change();
    let kept = (change.bytes_allocated - change.bytes_deallocated) as f64;
    (kept / count as f64, touches as f64 / count as f64)
}

fn a_body_takes_at_most_216_bytes_beyond_its_shape() {
    let placed = 24.0; // the local shape is shared
    let (apart, none) = bytes_per_body(1.5);
    let (in_rows, touches) = bytes_per_body(0.75);
    println!("{apart:.0} bytes per body; {in_rows:.0} with {touches:.2} touches each");
    assert!(none == 0.0 && apart - placed <= 216.0, "{apart} bytes per body");
    assert!(touches > 0.9, "{touches}");
}

/// Edits one tile of four million and one pixel of half a million, which must not copy the map.
fn edits_in_place_do_not_copy_the_map() {
    let mut world = World::new();
    let map = TileMap::new([0.0, 0.0], [1.0, 1.0], [2048, 2048]);
    let mask = Mask::new([0.0, 0.0], 1.0, Bitmap::new(1024, 512));
    let body = world.add_body(Body::fixed([3.0, 0.0])).unwrap();
    let placed = Pose::new([7.0, 0.0], 0.0);
    let maps = [Collider::new(map.clone()), Collider::new(map).at(placed)];
    let maps = maps.map(|map| world.add_collider(body, map).unwrap());
    let mask = world.add_collider(body, Collider::new(mask)).unwrap();
    let edit = |world: &mut World, i: u32| {
        let kind = if i.is_multiple_of(3) { TileMap::SOLID } else { TileMap::EMPTY };
        for map in maps {
            world.edit_tiles(map, |map| map.set([i % 2048, i / 7 % 2048], kind)).unwrap();
        }
        let pixel = [i % 1024, i % 512];
        world
            .edit_mask(mask, |mask| mask.edit(|it| _ = it.set(pixel, kind == TileMap::SOLID)))
            .unwrap();
        world.update();
    };
    // The first edits copy what the colliders share.
    (0..64).for_each(|i| edit(&mut world, i));
    let region = Region::new(ALLOCATOR);
    (0..512).for_each(|i| edit(&mut world, i * 37));
    let change = region.change();
    let bytes = change.bytes_allocated / (3 * 512);
    assert!(bytes < 2048, "{bytes} bytes per edit");
}

#[test]
fn updates_do_not_allocate_and_bodies_are_small() {
    a_running_world_allocates_nothing();
    walkers_that_look_and_move_in_turn_allocate_nothing();
    edits_in_place_do_not_copy_the_map();
    a_body_takes_at_most_216_bytes_beyond_its_shape();
}
