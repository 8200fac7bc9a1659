//! Compares the fast path of a box among boxes with the general path: every result must have the same bits.

use alloc::format;
use alloc::vec::Vec;

use crate::math::Vec2;
use crate::motion::{Response, Walker, WalkerState};
use crate::shape::{Aabb, Shape, TileMap};
use crate::world::{Body, BodyKey, Collider, Filter, MoveBuffers, World};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % end
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// A number up to `reach` from zero, mostly a multiple of 0.25: touching and flush sides are common.
    fn coordinate(&mut self, reach: f32) -> f32 {
        let any = (self.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0) * reach;
        match self.below(8) {
            0 => any,
            1 => f32::from_bits(libm::roundf(any).to_bits() + 1), // one unit in the last place beside
            _ => libm::roundf(any * 4.0) / 4.0,
        }
    }

    fn vector(&mut self, reach: f32) -> Vec2 {
        Vec2::new(self.coordinate(reach), self.coordinate(reach))
    }

    /// A box, sometimes one so thin that it becomes flat far away from the origin.
    fn aabb(&mut self, reach: f32) -> Aabb {
        let (low, mut size) = (self.vector(reach), self.vector(reach).abs());
        if self.one_in(16) {
            size.x = 0.0;
        }
        Aabb::new(low, (low + size).max(low + 1e-5))
    }

    fn response(&mut self) -> Response {
        match self.below(8) {
            0 => Response::Touch,
            1 => Response::Cross,
            2 => Response::Bounce(1.0),
            3 => Response::Bounce(0.5),
            4 => Response::Redirect(self.vector(1.0)),
            _ => Response::Slide,
        }
    }
}

/// A room of boxes and tiles, near the origin or far away from it, and a box in it.
fn any_room(random: &mut Random) -> (World, BodyKey) {
    let far = if random.one_in(4) { Vec2::new(1000.0, -3000.0) } else { Vec2::ZERO };
    let mut world = World::new();
    let mut shapes: Vec<(Vec2, Shape)> = Vec::new();
    for _ in 0..random.below(12) {
        shapes.push((far + random.vector(4.0), random.aabb(1.5).into()));
    }
    if random.one_in(2) {
        let mut map = TileMap::new([-4.0, -4.0], [1.0, 0.5], [8, 16]);
        for cell in (0..16).flat_map(|y| (0..8).map(move |x| [x, y])) {
            if random.one_in(4) {
                map.set(cell, TileMap::SOLID);
            }
        }
        shapes.push((far, map.into()));
    }
    for (position, shape) in shapes {
        let body = world.add_body(Body::fixed(position)).unwrap();
        world.add_collider(body, Collider::new(shape)).unwrap();
    }
    let hero = world.add_body(Body::moving(far + random.vector(4.0))).unwrap();
    let half = random.vector(0.5).abs() + 0.25;
    world.add_collider(hero, Collider::new(Aabb::new(-half, half))).unwrap();
    (world, hero)
}

#[test]
fn a_box_among_boxes_travels_and_walks_on_both_paths_with_the_same_bits() {
    let [mut fast, mut general] = [MoveBuffers::default(), MoveBuffers::default()];
    general.is_general = true;
    let (mut hits, mut floors, mut walls) = (0, 0, 0);
    for seed in 0..1500 {
        let mut random = Random(seed);
        let (mut world, hero) = any_room(&mut random);
        let filter = Filter::new();
        for turn in 0..6 {
            let reach = if random.one_in(16) { 100.0 } else { 2.0 };
            let motion = random.vector(reach);
            // The same responses in turn.
            let responses: Vec<Response> = (0..4).map(|_| random.response()).collect();
            let travels = [&mut fast, &mut general].map(|buffers| {
                let mut all = responses.iter().copied().cycle();
                let respond = |_: crate::motion::PendingHit<'_>| all.next().unwrap();
                world.plan_travel_in(buffers, hero, motion, &filter, respond).unwrap()
            });
            let [a, b] = travels.each_ref().map(|travel| format!("{travel:?}"));
            assert_eq!(a, b, "seed {seed}, travel {turn} by {motion}");
            hits += travels[0].hits().len();
            world.set_position(hero, travels[0].end).unwrap();
        }
        let mut walker = Walker::new();
        walker.up = [Vec2::Y, -Vec2::Y, Vec2::X, Vec2::new(0.6, 0.8)][random.below(4) as usize];
        walker.max_step_height = random.coordinate(0.5).abs();
        walker.snap_distance = random.coordinate(0.5).abs();
        walker.corner_correction = random.coordinate(0.25).abs();
        let mut state = WalkerState::new();
        for turn in 0..12 {
            let motion = random.vector(0.5) - walker.up * 0.125;
            let walks = [&mut fast, &mut general].map(|buffers| {
                world.plan_walk_in(buffers, hero, &walker, &state, motion, &filter).unwrap()
            });
            let [a, b] = walks.each_ref().map(|walk| format!("{walk:?}"));
            assert_eq!(a, b, "seed {seed}, walk {turn} by {motion}");
            floors += usize::from(walks[0].0.on_floor());
            walls += usize::from(walks[0].0.wall.is_some());
            state = walks[0].1;
            world.set_position(hero, walks[0].0.end).unwrap();
        }
    }
    assert!(
        hits > 4000 && floors > 1500 && walls > 1000,
        "{hits} hits, {floors} floors, {walls} walls"
    );
}
