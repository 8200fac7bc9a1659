//! A world with one hero in it, and the shapes that the motion tests are made of.

use carom::math::IntoVec2;
use carom::motion::{Floor, Walk};
use carom::prelude::*;

pub fn aabb(min: [f32; 2], max: [f32; 2]) -> Shape {
    Aabb::new(min, max).into()
}

pub fn convex(points: &[[f32; 2]]) -> Shape {
    ConvexPolygon::new(points).into()
}

pub fn circle(center: [f32; 2], radius: f32) -> Shape {
    Circle::new(center, radius).into()
}

pub fn capsule(a: [f32; 2], b: [f32; 2], radius: f32) -> Shape {
    Capsule::new(a, b, radius).into()
}

/// A small generator (SplitMix64): the same numbers on every machine.
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 up to 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit() as f32
    }

    /// A multiple of a step, which makes exact touches likely.
    pub fn on_grid(&mut self, low: f32, high: f32, step: f32) -> f32 {
        low + step * self.below(((high - low) / step) as usize + 1) as f32
    }
}

/// A hero in a level of solid colliders.
pub struct Stage {
    pub world: World,
    pub level: BodyKey,
    pub hero: BodyKey,
    pub walker: Walker,
    pub state: WalkerState,
    pub velocity: Vec2,
}

impl Stage {
    pub fn new(hero: impl Into<Shape>, at: [f32; 2]) -> Self {
        let mut world = World::new();
        let level = world.add_body(Body::fixed([0.0, 0.0])).unwrap();
        let key = world.add_body(Body::moving(at)).unwrap();
        world.add_collider(key, Collider::new(hero.into())).unwrap();
        Self {
            world,
            level,
            hero: key,
            walker: Walker::new(),
            state: WalkerState::new(),
            velocity: Vec2::ZERO,
        }
    }

    pub fn with(mut self, shape: impl Into<Shape>) -> Self {
        self.add(shape);
        self
    }

    pub fn add(&mut self, shape: impl Into<Shape>) {
        self.world.add_collider(self.level, Collider::new(shape.into())).unwrap();
    }

    pub fn add_one_way(&mut self, shape: impl Into<Shape>, up: [f32; 2]) {
        let collider = Collider::new(shape.into()).one_way(up);
        self.world.add_collider(self.level, collider).unwrap();
    }

    /// Puts the hero on the floor, where it stands already: its next walk begins there.
    pub fn stand(&mut self) {
        let collider = self.world.colliders_of(self.level).next().unwrap();
        let (body, normal) = (self.level, self.walker.up);
        self.state.floor = Some(Floor { body, collider, tile: None, normal, angle: 0.0 });
        self.state.frames_in_air = 0;
    }

    pub fn at(&self) -> Vec2 {
        self.world.body(self.hero).unwrap().pose.position
    }

    pub fn slide(&mut self, motion: impl IntoVec2) -> Travel {
        let travel = self.world.travel(self.hero, motion, |_| Response::Slide).unwrap();
        self.assert_free();
        travel
    }

    pub fn walk(&mut self, motion: impl IntoVec2) -> Walk {
        let walk = self.world.walk(self.hero, &self.walker, &mut self.state, motion).unwrap();
        self.assert_free();
        walk
    }

    /// A frame at a level speed under gravity, `rate` times a second.
    pub fn frame(&mut self, speed: f32, gravity: f32, rate: f32) -> Walk {
        let up = self.walker.up;
        let rise = self.velocity.dot(up) - gravity / rate;
        self.velocity = -up.perp() * speed + up * rise;
        let walk = self.walk(self.velocity / rate);
        self.velocity = walk.velocity(self.velocity);
        walk
    }

    /// The hero overlaps no solid collider.
    pub fn assert_free(&self) {
        let own: Vec<ColliderKey> = self.world.colliders_of(self.hero).collect();
        for &own in &own {
            let shape = self.world.collider(own).unwrap().placed();
            for other in self.world.colliders_of(self.level) {
                let other = self.world.collider(other).unwrap();
                let has_one_way = other.one_way().is_some()
                    || matches!(other.placed(), ShapeRef::Chain(chain) if chain.is_one_sided())
                    || matches!(other.placed(), ShapeRef::TileMap(map) if map.kinds().iter().any(|k| k.is_one_way()));
                if !has_one_way {
                    assert!(!shape.overlaps(&other.placed()), "overlap at {}", self.at());
                }
            }
        }
    }
}
