//! carom's `World::travel` and `World::walk`. Placing the body at the start of each
//! motion is part of the measured time. Walkers are bodies of the world.

use std::cell::RefCell;

use carom::prelude::*;
use carom::world::Layer;

use super::cave::{Cave, CavePath, HALF};
use super::walkers::{self, Walker, WalkerScene};
use crate::harness::{Answer, Row};
use crate::results::CAROM;

pub fn add_slides(row: &mut Row<'_>, cave: &Cave) {
    let boxes = cave
        .tiles()
        .map(|[x, y]| Shape::from(Aabb::from_min_size([x as f32, y as f32], [1.0, 1.0])));
    add(row, "travel, boxes", cave, boxes.collect());
    let size = [cave.size as u32; 2];
    let mut map = TileMap::new([0.0, 0.0], [1.0, 1.0], size);
    for cell in cave.tiles() {
        map.set(cell.map(|i| i as u32), TileMap::SOLID);
    }
    add(row, "travel, TileMap", cave, vec![map.into()]);
}

fn add(row: &mut Row<'_>, variant: &'static str, cave: &Cave, obstacles: Vec<Shape>) {
    let mut world = World::new();
    for shape in obstacles {
        let body = world.add_body(Body::fixed([0.0, 0.0])).expect("the position is finite");
        world.add_collider(body, Collider::new(shape)).expect("the body exists");
    }
    let hero = world.add_body(Body::moving([0.0, 0.0])).expect("the position is finite");
    let shape = Aabb::from_center_half_size([0.0, 0.0], [HALF as f32; 2]);
    world.add_collider(hero, Collider::new(shape)).expect("the body exists");
    world.update();
    let world = RefCell::new(world);
    let slide = move |path: &CavePath| {
        let mut world = world.borrow_mut();
        world.set_position(hero, path.start).expect("the body exists");
        let travel = world.travel(hero, path.motion, |_| Response::Slide);
        (*path, travel.expect("the motion is finite").end)
    };
    let off = |(path, end): &(CavePath, Vec2)| Answer::Value(path.off(end.to_array()));
    row.add(CAROM, variant, cave.paths.clone(), slide, off);
}

/// Walkers and platforms as bodies; the tiles as one map.
struct WalkerRun {
    world: World,
    platforms: Vec<BodyKey>,
    walkers: Vec<(BodyKey, WalkerState, f32)>,
    settings: carom::motion::Walker,
    frame: usize,
}

impl WalkerRun {
    fn new(scene: &WalkerScene) -> Self {
        let mut world = World::new();
        let [ground, walking] =
            ["ground", "walking"].map(|name| world.add_layer(name).expect("there is room"));
        let mut map = TileMap::new([0.0, 0.0], [1.0, 1.0], [walkers::SIZE as u32; 2]);
        for cell in scene.tiles() {
            map.set(cell.map(|i| i as u32), TileMap::SOLID);
        }
        let mut add = |body: Body, shape: Shape, layer: Layer, hits: Layer| {
            let key = world.add_body(body).expect("the position is finite");
            let collider = Collider::new(shape).on_layer(layer).with_mask(hits);
            world.add_collider(key, collider).expect("the body exists");
            key
        };
        let middle = [0.0, 0.0];
        add(Body::fixed(middle), map.into(), ground, walking);
        let half = Aabb::from_center_half_size(middle, walkers::PLATFORM);
        let mut platforms = Vec::new();
        for &place in &scene.platforms {
            platforms.push(add(Body::moving(place), half.into(), ground, walking));
        }
        let half = Aabb::from_center_half_size(middle, walkers::HALF);
        let mut walkers = Vec::new();
        for walker in &scene.walkers {
            let key = add(Body::moving(walker.start), half.into(), walking, ground);
            walkers.push((key, WalkerState::new(), walker.direction));
        }
        world.update();
        let mut all =
            Self { world, platforms, walkers, settings: carom::motion::Walker::new(), frame: 0 };
        for (body, state, _) in &mut all.walkers {
            let _ = all.world.walk(*body, &all.settings, state, [0.0, -walkers::FALL]);
        }
        all
    }

    fn move_platforms(&mut self) {
        let motion = [walkers::platform_motion(self.frame), 0.0];
        self.frame += 1;
        for &platform in &self.platforms {
            self.world.carry(platform, motion).expect("the motion is finite");
        }
    }

    fn walk(&mut self, i: usize) -> [f32; 2] {
        if i == 0 {
            self.move_platforms();
        }
        let (body, state, direction) = &mut self.walkers[i];
        let motion = [*direction * walkers::SPEED, -walkers::FALL];
        let walk = self.world.walk(*body, &self.settings, state, motion);
        let walk = walk.expect("the motion is finite");
        if walk.wall.is_some() {
            *direction = -*direction;
        }
        walk.end.to_array()
    }
}

pub fn add_walkers(row: &mut Row<'_>, scene: &WalkerScene) {
    let all = RefCell::new(WalkerRun::new(scene));
    let walk = move |&(i, walker): &(usize, Walker)| (walker, all.borrow_mut().walk(i));
    let off = |(walker, end): &(Walker, [f32; 2])| Answer::Value(walker.off(*end));
    row.add(CAROM, "walk and carry", scene.items(), walk, off);
}
