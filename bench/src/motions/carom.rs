//! carom's `World::travel`. The body is put at the start of each way on the clock.

use std::cell::RefCell;

use carom::prelude::*;

use super::cave::{Cave, HALF, Way};
use crate::harness::{Answer, Row};
use crate::results::CAROM;

pub fn add_slides(row: &mut Row<'_>, cave: &Cave) {
    let boxes = cave
        .tiles()
        .map(|[x, y]| Shape::from(Aabb::from_corner_size([x as f32, y as f32], [1.0, 1.0])));
    add(row, "travel, boxes", cave, boxes.collect());
    let size = [cave.size as u32; 2];
    let mut map = TileMap::new([0.0, 0.0], [1.0, 1.0], size);
    for cell in cave.tiles() {
        map.set(cell.map(|i| i as u32), TileMap::SOLID);
    }
    add(row, "travel, TileMap", cave, vec![map.into()]);
}

fn add(row: &mut Row<'_>, way: &'static str, cave: &Cave, obstacles: Vec<Shape>) {
    let mut world = World::new();
    for shape in obstacles {
        let body = world.add_body(Body::fixed([0.0, 0.0])).expect("the position is finite");
        world.add_collider(body, Collider::new(shape)).expect("the body exists");
    }
    let hero = world.add_body(Body::moving([0.0, 0.0])).expect("the position is finite");
    let shape = Aabb::from_center_half([0.0, 0.0], [HALF as f32; 2]);
    world.add_collider(hero, Collider::new(shape)).expect("the body exists");
    world.update();
    let world = RefCell::new(world);
    let slide = move |way: &Way| {
        let mut world = world.borrow_mut();
        world.set_position(hero, way.start).expect("the body exists");
        let travel = world.travel(hero, way.motion, |_| Response::Slide);
        (*way, travel.expect("the motion is finite").end)
    };
    let off = |(way, end): &(Way, Vec2)| Answer::Value(way.off(end.to_array()));
    row.add(CAROM, way, cave.ways.clone(), slide, off);
}
