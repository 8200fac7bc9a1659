//! Measures calls that may become slow in large games: a crowd that pushes itself, sweeps, edits and new polygons.
//!
//! `cargo run --release -p carom --example costs`
//!
//! Each line has the best of many rounds. The table in the chapter "Speed" of the guide comes from here.

use std::f32::consts::TAU;
use std::hint::black_box;
use std::time::{Duration, Instant};

use carom::prelude::*;
use carom::world::MoveBuffers;

fn main() -> Result<(), WorldError> {
    crowd("circles", Circle::new([0.0, 0.0], 0.5).into())?;
    crowd("boxes", Aabb::new([-0.5, -0.5], [0.5, 0.5]).into())?;
    sweeps("circle", Circle::new([0.0, 0.0], 0.5).into())?;
    sweeps("box", Aabb::new([-0.5, -0.5], [0.5, 0.5]).into())?;
    sweeps("star", Polygon::new(&star(10, 0.5)).into())?;
    sweeps("mask of 16 pixels", Mask::new([-0.5, -0.5], 1.0 / 16.0, disc(8)).into())?;
    [512, 8192].into_iter().try_for_each(tile_edits)?;
    [8, 50, 100].into_iter().try_for_each(explosions)?;
    [10, 40, 100].into_iter().for_each(polygons);
    masks();
    Ok(())
}

/// Prints the best time of a call, as a part of the time of `calls` calls.
fn measure(name: &str, calls: u32, mut run: impl FnMut()) {
    let (start, mut best) = (Instant::now(), Duration::MAX);
    while start.elapsed() < Duration::from_millis(500) {
        let round = Instant::now();
        run();
        best = best.min(round.elapsed());
    }
    println!("{name}: {:.2} µs", best.as_secs_f64() * 1e6 / f64::from(calls));
}

/// A linear congruential generator of numbers from -1 to 1.
fn random(state: &mut u64) -> f32 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    (*state >> 33) as f32 / (1u64 << 30) as f32 - 1.0
}

fn star(points: usize, inner: f32) -> Vec<Vec2> {
    let radius = |i: usize| if i.is_multiple_of(2) { 1.0 } else { inner };
    (0..points).map(|i| Vec2::from_angle(i as f32 / points as f32 * TAU) * radius(i)).collect()
}

fn disc(radius: i32) -> Bitmap {
    let side = 2 * radius as u32;
    Bitmap::from_fn(side, side, |x, y| {
        let [x, y] = [x, y].map(|it| it as i32 - radius);
        x * x + y * y < radius * radius
    })
}

/// 5,000 bodies that cover their square one and a half times all travel towards its middle.
fn crowd(name: &str, shape: Shape) -> Result<(), WorldError> {
    let half = (5000.0 * shape.area() / 1.5).sqrt() / 2.0;
    let (mut world, mut state) = (World::new(), 7);
    let bodies = (0..5000)
        .map(|_| [random(&mut state), random(&mut state)].map(|it| it * half))
        .map(|at| world.spawn(Body::moving(at), [Collider::new(shape.clone())]))
        .collect::<Result<Vec<_>, _>>()?;
    measure(&format!("crowd of 5,000 {name}, a frame"), 1, || {
        for &body in &bodies {
            let at = world.position(body).unwrap();
            let motion = Vec2::new(random(&mut state), random(&mut state)) - at.normalize_or_zero();
            world.travel(body, motion * 0.05, |_| Response::Slide).unwrap();
        }
    });
    Ok(())
}

/// A body among 400 of its kind, most of which lie apart.
fn sweeps(name: &str, shape: Shape) -> Result<(), WorldError> {
    let mut world = World::new();
    for i in 0..400 {
        let at = Vec2::new((i % 20) as f32, (i / 20) as f32) * 3.0;
        world.spawn(Body::moving(at), [Collider::new(shape.clone())])?;
    }
    let at = Vec2::new(28.5, 28.5);
    let hero = world.spawn(Body::moving(at), [Collider::new(shape.clone())])?;
    let (placed, others) = (shape.translated(at), Filter::new().exclude(hero));
    let motions: Vec<Vec2> = (0..64).map(|i| Vec2::from_angle(i as f32 * 0.1) * 2.0).collect();
    measure(&format!("sweep of a {name}"), 64, || {
        for &motion in &motions {
            black_box(world.sweep(&placed, motion, &others));
        }
    });
    let (mut buffers, all) = (MoveBuffers::default(), Filter::new());
    measure(&format!("travel of a {name}, planned"), 64, || {
        for &motion in &motions {
            let travel =
                world.plan_travel_in(&mut buffers, hero, motion, &all, |_| Response::Touch);
            black_box(travel.unwrap());
        }
    });
    Ok(())
}

fn tile_edits(side: u32) -> Result<(), WorldError> {
    let mut map = TileMap::new([0.0, 0.0], [1.0, 1.0], [side, side]);
    for (x, y) in (0..side).flat_map(|x| (0..side).map(move |y| (x, y))) {
        map.set([x, y], TileMap::SOLID);
    }
    let mut world = World::new();
    let ground = world.spawn(Body::fixed([0.0, 0.0]), [])?;
    let key = world.add_collider(ground, Collider::new(map))?;
    let mut i = 0u32;
    measure(&format!("edit of a tile of a map of {side} by {side}"), 1000, || {
        for _ in 0..1000 {
            i = i.wrapping_mul(1_103_515_245).wrapping_add(12345);
            let kind = if i & 1 << 28 == 0 { TileMap::SOLID } else { TileMap::EMPTY };
            let cell = [(i >> 8) % side, (i >> 4) % side];
            world.edit_tiles(key, |map| map.set(cell, kind)).unwrap();
        }
    });
    Ok(())
}

fn explosions(radius: i32) -> Result<(), WorldError> {
    let (bomb, mut land) = (disc(radius), Bitmap::new(1024, 512));
    land.fill();
    let mut world = World::new();
    let ground = world.spawn(Body::fixed([0.0, 0.0]), [])?;
    let key = world.add_collider(ground, Collider::new(Mask::new([0.0, 0.0], 1.0, land)))?;
    let mut i = 0;
    measure(&format!("a circle of radius {radius} erased from 1024 by 512 pixels"), 16, || {
        for _ in 0..16 {
            i += 37;
            let at = [i % 900, i % 400];
            world.edit_mask(key, |mask| mask.edit(|pixels| pixels.erase(&bomb, at))).unwrap();
        }
    });
    Ok(())
}

fn polygons(vertices: usize) {
    let points = star(vertices, 0.7);
    measure(&format!("Polygon::new of a star of {vertices} vertices"), 1, || {
        black_box(Polygon::new(black_box(&points)));
    });
}

/// Contacts of two discs of pixels, the second of which is rotated, and their distance.
fn masks() {
    for side in [64, 256] {
        let half = side as f32 / 2.0;
        let mask = Mask::new([-half, -half], 1.0, disc(side / 2));
        for (name, angle) in [("upright", 0.0), ("rotated", 0.3)] {
            let other = mask.rotated(angle, [0.0, 0.0]);
            for part in [0.05, 0.75] {
                let other = other.translated([half * (2.0 - part), 0.25]);
                let depth = format!("{:.0} pixels deep", half * part);
                measure(&format!("contact of {name} masks of {side} pixels, {depth}"), 1, || {
                    black_box(mask.contact(&other));
                });
            }
            let other = other.translated([side as f32 * 2.5, 7.0]);
            measure(&format!("distance of {name} masks of {side} pixels"), 1, || {
                black_box(mask.distance(&other));
            });
        }
    }
}
