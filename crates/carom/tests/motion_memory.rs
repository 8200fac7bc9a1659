//! Allocations of moves, counted by the allocator: none once a game runs. One test only:
//! others would allocate at the same time.

use std::alloc::System;

use carom::motion::PendingHit;
use carom::prelude::*;
use carom::world::MoveBuffers;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// A room of tiles with a slope, a platform that goes to and fro, walkers on both, and balls; above
/// it things of many shapes that drift, and come to a ledge and a bump.
struct Game {
    world: World,
    platform: BodyKey,
    walkers: Vec<(BodyKey, WalkerState)>,
    balls: Vec<(BodyKey, Vec2)>,
    /// The bodies, with the number of times that each has touched something.
    drifters: Vec<(BodyKey, usize)>,
    /// A body that pushes two crates back and forth, past sensors.
    pusher: BodyKey,
    frame: usize,
    plans: MoveBuffers,
}

/// Returns shapes that own lists, and others.
fn drifters() -> Vec<Shape> {
    let notched = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [0.0, 0.0], [-0.5, 0.5]];
    let square = Aabb::new([-0.5, -0.5], [0.5, 0.5]);
    vec![
        square.into(),
        ConvexPolygon::new(&[[-0.5, -0.5], [0.5, -0.5], [0.0, 0.5]]).into(),
        Ellipse::new([0.0, 0.0], [0.5, 0.25], 0.3).into(),
        Polygon::new(&notched).into(),
        Obb::new([0.0, 0.0], [0.5, 0.25], 0.3).into(),
        Chain::new(&[[-0.5, 0.0], [0.0, -0.5], [0.5, 0.0]]).into(),
        Compound::new([Shape::from(square), Polygon::new(&notched).into()]).into(),
        Mask::from_rows([-0.5, -0.5], 0.25, &[".##.", "####", "#..#", "####"]).into(),
    ]
}

impl Game {
    fn new() -> Self {
        let mut world = World::new();
        let rows = ["####################", "#......../#........#", "####################"];
        let up = [0.0, 1.0];
        let legend = [('#', TileKind::SOLID), ('/', TileKind::slope(0.0, 1.0, up))];
        let tile = [4.0, 12.0];
        let map = TileMap::from_rows([0.0, 0.0], tile, &rows, &legend);
        let mut add = |body: Body, shape: Shape| {
            let key = world.add_body(body).unwrap();
            world.add_collider(key, Collider::new(shape)).unwrap();
            key
        };
        add(Body::fixed([0.0, 0.0]), map.into());
        let half = |x: f32, y: f32| Shape::from(Aabb::from_center_half_size([0.0, 0.0], [x, y]));
        let platform = add(Body::moving([20.0, 16.0]), half(6.0, 0.5));
        let mut walkers = Vec::new();
        for i in 0..12 {
            let place = if i < 8 { [15.5 + i as f32 * 1.25, 17.5] } else { [i as f32 * 3.0, 13.0] };
            let key = add(Body::moving(place), half(0.5, 1.0));
            walkers.push((key, WalkerState::new()));
        }
        let mut balls = Vec::new();
        for i in 0..6 {
            let key = add(
                Body::moving([50.0 + i as f32 * 3.0, 20.0]),
                Circle::new([0.0, 0.0], 0.5).into(),
            );
            balls.push((key, Vec2::new(0.75 - i as f32 * 0.25, 0.5)));
        }
        for i in 0..self::drifters().len() {
            let x = i as f32 * 16.0;
            add(Body::fixed([x + 4.0, 103.0]), half(2.0, 0.25));
            add(Body::fixed([x + 7.0, 104.0]), Circle::new([0.0, 0.0], 1.0).into());
        }
        let places = (0..).map(|i| Body::moving([i as f32 * 16.0, 100.0]));
        for x in [-3.0, 0.0, 3.0] {
            let key = world.add_body(Body::fixed([x, 200.0])).unwrap();
            let sensor = Aabb::from_center_half_size([0.0, 0.0], [0.01, 2.0]);
            world.add_collider(key, Collider::sensor(sensor)).unwrap();
        }
        let mut add = |body: Body, shape: Shape| {
            let key = world.add_body(body).unwrap();
            world.add_collider(key, Collider::new(shape)).unwrap();
            key
        };
        let pusher = add(Body::moving([0.0, 200.0]).swept(), half(0.5, 0.5));
        for x in [-2.0, 2.0] {
            add(Body::moving([x, 200.0]).pushable().swept(), half(0.5, 0.5));
        }
        let drifters =
            places.zip(self::drifters()).map(|(body, shape)| (add(body, shape), 0)).collect();
        Self {
            world,
            platform,
            walkers,
            balls,
            drifters,
            pusher,
            frame: 0,
            plans: MoveBuffers::default(),
        }
    }

    /// Plays a frame; gives how much was met.
    fn play(&mut self) -> usize {
        let way = if (self.frame / 50).is_multiple_of(2) { 0.125 } else { -0.125 };
        self.frame += 1;
        let carry = self.world.carry(self.platform, [way, 0.0]).unwrap();
        let mut met = carry.moved().len();
        for (body, state) in &mut self.walkers {
            let (walker, motion, all) = (Walker::new(), [way, -0.25], Filter::new());
            let plan = self
                .world
                .plan_walk_in(&mut self.plans, *body, &walker, state, motion, &all)
                .unwrap();
            let walk = self.world.walk(*body, &walker, state, motion).unwrap();
            assert_eq!((plan.0.end, plan.1), (walk.end, *state));
            met += walk.hits().len();
        }
        for (body, velocity) in &mut self.balls {
            let bounce = |_: PendingHit<'_>| Response::Bounce(1.0);
            let plan = self
                .world
                .plan_travel_in(&mut self.plans, *body, *velocity, &Filter::new(), bounce)
                .unwrap();
            let travel = self.world.travel(*body, *velocity, bounce).unwrap();
            assert_eq!(plan, travel);
            for hit in travel.hits() {
                *velocity = hit.bounced(*velocity, 1.0);
            }
            met += travel.hits().len();
        }
        for (i, (body, bumps)) in self.drifters.iter_mut().enumerate() {
            if self.frame % 100 == 1 {
                self.world.set_position(*body, [i as f32 * 16.0, 100.0]).unwrap();
            }
            let plan = self
                .world
                .plan_travel_in(&mut self.plans, *body, [way, way], &Filter::new(), |_| {
                    Response::Slide
                })
                .unwrap();
            let travel = self.world.travel(*body, [way, way], |_| Response::Slide).unwrap();
            assert_eq!(plan, travel);
            *bumps += travel.hits().len();
        }
        let push = [way * 8.0, 0.0];
        let travel = self.world.travel(self.pusher, push, |_| Response::Push(2)).unwrap();
        met += travel.hits().len() + self.world.passages().len();
        self.world.update();
        met
    }
}

#[test]
fn a_running_game_allocates_nothing() {
    let mut game = Game::new();
    // Long enough for every list to have been as long as it will be.
    let met: usize = (0..1000).map(|_| game.play()).sum();
    assert!(met > 3000, "{met}");
    game.drifters.iter_mut().for_each(|(_, bumps)| *bumps = 0);
    let region = Region::new(ALLOCATOR);
    let met: usize = (0..400).map(|_| game.play()).sum();
    let change = region.change();
    assert!(met > 1000, "{met}");
    assert_eq!((change.allocations, change.reallocations), (0, 0), "{change:?}");
    assert!(game.drifters.iter().all(|&(_, bumps)| bumps >= 4), "{:?}", game.drifters);
}
