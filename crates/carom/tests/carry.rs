//! Platforms that move rows and piles of bodies (R7).

mod support;

use carom::broad::AabbTree;
use carom::prelude::*;
use support::rng::Rng;

/// Bodies that are boxes of two units, and walls.
struct Yard {
    world: World,
}

impl Yard {
    fn new() -> Self {
        Self { world: World::new() }
    }

    fn add(&mut self, body: Body, half: [f32; 2]) -> BodyKey {
        let key = self.world.add_body(body).unwrap();
        let shape = Aabb::from_center_half_size([0.0, 0.0], half);
        self.world.add_collider(key, Collider::new(shape)).unwrap();
        key
    }

    fn crate_at(&mut self, x: f32, y: f32) -> BodyKey {
        self.add(Body::moving([x, y]), [1.0, 1.0])
    }

    fn at(&self, body: BodyKey) -> Vec2 {
        self.world.body(body).unwrap().pose.position
    }

    fn placed(&self, body: BodyKey) -> Shape {
        let collider = self.world.colliders_of(body).next().unwrap();
        self.world.collider(collider).unwrap().placed().to_shape()
    }

    /// Returns whether two bodies overlap by more than rounding.
    fn overlap(&self, a: BodyKey, b: BodyKey) -> bool {
        self.placed(a).contact(&self.placed(b)).is_some_and(|contact| contact.depth > 1e-5)
    }
}

#[test]
fn a_crate_pushed_into_a_crate_pushes_it_on() {
    let mut yard = Yard::new();
    let block = yard.crate_at(0.0, 0.0);
    let crates = [2.5, 5.0, 7.0].map(|x| yard.crate_at(x, 0.0));
    let aside = yard.crate_at(5.0, 2.0);
    let carry = yard.world.carry(block, [3.0, 0.0]).unwrap();
    assert_eq!(carry.moved(), crates);
    assert!(carry.squashed().is_empty());
    for (body, x) in crates.into_iter().zip([5.0, 7.0, 9.0]) {
        assert!((yard.at(body) - Vec2::new(x, 0.0)).length() < 1e-5, "{}", yard.at(body));
    }
    let row = [block, crates[0], crates[1], crates[2]];
    assert!(row.windows(2).all(|pair| !yard.overlap(pair[0], pair[1])));
    assert_eq!(yard.at(aside), Vec2::new(5.0, 2.0));
}

#[test]
fn a_row_at_a_wall_squashes_only_the_body_next_to_the_platform() {
    let mut yard = Yard::new();
    let block = yard.crate_at(0.0, 0.0);
    let crates = [2.0, 4.5].map(|x| yard.crate_at(x, 0.0));
    let wall = yard.add(Body::fixed([7.5, 0.0]), [1.0, 5.0]);
    let carry = yard.world.carry(block, [1.0, 0.0]).unwrap();
    assert!(carry.squashed().is_empty());
    let carry = yard.world.carry(block, [1.0, 0.0]).unwrap();
    assert_eq!(carry.squashed(), [crates[0]]);
    assert!(!yard.overlap(crates[0], crates[1]) && !yard.overlap(crates[1], wall));
}

#[test]
fn a_body_between_platforms_does_not_push_one_that_platforms_ignore() {
    let mut yard = Yard::new();
    let [platforms, others] =
        ["platforms", "others"].map(|name| yard.world.add_layer(name).unwrap());
    let bodies = [0.0, 2.5, 5.0].map(|x| yard.crate_at(x, 0.0));
    for (body, is_platform) in bodies.into_iter().zip([true, false, true]) {
        let collider = yard.world.colliders_of(body).next().unwrap();
        let layer = if is_platform { platforms } else { others };
        yard.world.set_layers(collider, layer).unwrap();
        let all = platforms | others;
        let mask = if is_platform { Layers::from(others) } else { all };
        yard.world.set_mask(collider, mask).unwrap();
    }
    let carry = yard.world.carry(bodies[0], [2.0, 0.0]).unwrap();
    assert_eq!((carry.moved(), carry.squashed()), (&bodies[1..2], &bodies[1..2]));
    assert_eq!(yard.at(bodies[2]), Vec2::new(5.0, 0.0));
}

#[test]
fn a_push_moves_a_row_of_any_number_of_crates() {
    for at in [0.0, 3000.0] {
        let mut yard = Yard::new();
        let block = yard.crate_at(at, at);
        let crates: Vec<BodyKey> =
            (1..40).map(|i| yard.crate_at(at + 2.0 * i as f32, at)).collect();
        for frame in 0..60 {
            let carry = yard.world.carry(block, [0.1, 0.0]).unwrap();
            assert_eq!((carry.moved().len(), carry.squashed().len()), (39, 0), "frame {frame}");
        }
        for (i, pair) in crates.windows(2).enumerate() {
            let gap = yard.at(pair[1]).x - yard.at(pair[0]).x - 2.0;
            assert!(gap < 0.05 && !yard.overlap(pair[0], pair[1]), "{gap} after crate {i}");
        }
    }
}

#[test]
fn a_body_on_a_rider_of_a_lift_is_carried_too() {
    let mut yard = Yard::new();
    let lift = yard.add(Body::moving([0.0, 0.0]), [4.0, 0.5]);
    let pile = [1.5, 3.5, 5.5].map(|y| yard.crate_at(0.0, y));
    let settings = Walker::new();
    let mut states = [WalkerState::new(); 3];
    for frame in 0..500 {
        for (body, state) in pile.into_iter().zip(&mut states) {
            let walk = yard.world.walk(body, &settings, state, [0.0, -0.2]).unwrap();
            assert!(walk.on_floor() && frame == 0 || !walk.landed, "frame {frame}: {walk:?}");
        }
        let angle = frame as f32 * 0.02;
        let motion = Vec2::new(angle.cos() * 0.1, angle.sin() * 0.13);
        let carry = yard.world.carry(lift, motion).unwrap();
        assert_eq!((carry.moved().len(), carry.squashed().len()), (3, 0), "frame {frame}");
        for (i, body) in pile.into_iter().enumerate() {
            let off = yard.at(body) - yard.at(lift) - Vec2::new(0.0, 1.5 + 2.0 * i as f32);
            assert!(off.abs().max_element() < 1e-3, "frame {frame}, {i}: {off}");
        }
    }
}

#[test]
fn a_body_on_a_crate_that_is_pushed_is_carried() {
    let mut yard = Yard::new();
    let block = yard.crate_at(0.0, 0.0);
    let pushed = yard.crate_at(2.0, 0.0);
    let hero = yard.add(Body::moving([2.5, 1.5]), [0.25, 0.5]);
    let mut state = WalkerState::new();
    let _ = yard.world.walk(hero, &Walker::new(), &mut state, [0.0, -0.1]).unwrap();
    assert!(state.stands_on(pushed));
    let carry = yard.world.carry(block, [0.75, 0.0]).unwrap();
    assert_eq!(carry.squashed(), []);
    assert_eq!((yard.at(pushed).x, yard.at(hero)), (2.75, Vec2::new(3.25, 1.5)));
}

#[test]
fn only_squashed_bodies_have_new_overlaps() {
    let (mut moved, mut squashed) = (0, 0);
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let mut yard = Yard::new();
        let quarter = |rng: &mut Rng, n: i64| 0.25 * rng.between(-n, n) as f32;
        let mut bodies = Vec::new();
        for i in 0..10 {
            let place = [quarter(&mut rng, 16), quarter(&mut rng, 16)];
            let half = [0.25 * rng.between(1, 4) as f32, 0.25 * rng.between(1, 4) as f32];
            let body = if i > 7 { Body::fixed(place) } else { Body::moving(place) };
            bodies.push(yard.add(body, half));
        }
        for _ in 0..6 {
            let motion = if rng.one_in(2) {
                Vec2::new(rng.signed(), rng.signed())
            } else {
                Vec2::new(quarter(&mut rng, 8), quarter(&mut rng, 8))
            };
            let pairs = || bodies.iter().flat_map(|a| bodies.iter().map(move |b| (*a, *b)));
            let old: Vec<_> = pairs().filter(|&(a, b)| a != b && yard.overlap(a, b)).collect();
            let mut twin = yard.world.clone().with_broad_phase(AabbTree::new());
            let carry = yard.world.carry(bodies[0], motion).unwrap();
            assert_eq!(carry, twin.carry(bodies[0], motion).unwrap(), "seed {seed}");
            moved += carry.moved().len();
            squashed += carry.squashed().len();
            for (a, b) in pairs().filter(|&(a, b)| a != b && yard.overlap(a, b)) {
                let is_told = [a, b].iter().any(|body| carry.squashed().contains(body));
                // Nothing stops the platform.
                let by_platform = [a, b].contains(&bodies[0])
                    && [a, b].iter().any(|body| bodies[8..].contains(body));
                let known = is_told || by_platform || old.contains(&(a, b));
                assert!(known, "seed {seed}: {a:?} and {b:?} overlap after {carry:?}");
            }
        }
    }
    assert!(moved > 3000 && squashed > 300, "{moved} {squashed}");
}

/// A wheel with spokes, a floor under it, and a hero who walks.
struct Wheel {
    world: World,
    wheel: BodyKey,
    hero: BodyKey,
    state: WalkerState,
}

impl Wheel {
    fn new(hero: Shape, at: [f32; 2]) -> Self {
        let mut world = World::new();
        let wheel = world.add_body(Body::moving([0.0, 0.0])).unwrap();
        for angle in [0.0, 1.0, 2.0].map(|third| third * core::f32::consts::PI / 3.0) {
            let spoke = Obb::new([0.0, 0.0], [4.0, 0.125], angle);
            world.add_collider(wheel, Collider::new(spoke)).unwrap();
        }
        let floor = world.add_body(Body::fixed([0.0, -5.0])).unwrap();
        world.add_collider(floor, Collider::new(Aabb::new([-20.0, -1.0], [20.0, 0.0]))).unwrap();
        let key = world.add_body(Body::moving(at)).unwrap();
        world.add_collider(key, Collider::new(hero)).unwrap();
        Self { world, wheel, hero: key, state: WalkerState::new() }
    }

    fn at(&self) -> Vec2 {
        self.world.body(self.hero).unwrap().pose.position
    }

    /// Turns the wheel and lets the hero walk. Returns whether it is squashed, and whether it is stuck.
    fn frame(&mut self, angle: f32, speed: f32) -> [bool; 2] {
        let carry = self.world.carry_to(self.wheel, Pose::new([0.0, 0.0], angle)).unwrap();
        let is_squashed = carry.squashed().contains(&self.hero);
        let walk =
            self.world.walk(self.hero, &Walker::new(), &mut self.state, [speed, -0.1]).unwrap();
        [is_squashed, walk.is_stuck]
    }
}

#[test]
fn a_turning_platform_carries_its_riders() {
    // A seesaw that tilts slowly: the rider keeps its place on the plank.
    for hero in
        [Shape::from(Circle::new([0.0, 0.5], 0.5)), Aabb::new([-0.4, 0.0], [0.4, 1.5]).into()]
    {
        let mut world = World::new();
        let plank = world.add_body(Body::moving([0.0, 0.0])).unwrap();
        let shape = Aabb::new([-5.0, -0.5], [5.0, 0.0]);
        world.add_collider(plank, Collider::new(shape)).unwrap();
        let rider = world.add_body(Body::moving([3.0, 0.0])).unwrap();
        world.add_collider(rider, Collider::new(hero)).unwrap();
        let mut state = WalkerState::new();
        let _ = world.walk(rider, &Walker::new(), &mut state, [0.0, -0.1]).unwrap();
        for frame in 0..120 {
            let angle = 0.4 * libm::sinf(frame as f32 * 0.05);
            let carry = world.carry_to(plank, Pose::new([0.0, 0.0], angle)).unwrap();
            assert!(carry.squashed().is_empty(), "frame {frame}");
            let walk = world.walk(rider, &Walker::new(), &mut state, [0.0, -0.02]).unwrap();
            assert!(walk.on_floor() && !walk.is_stuck, "frame {frame}: {walk:?}");
            let at = world.body(rider).unwrap().pose.position;
            let along = at.x * libm::cosf(angle) + at.y * libm::sinf(angle);
            assert!((along - 3.0).abs() < 0.4, "frame {frame}: {along}");
        }
    }
}

#[test]
fn a_spoke_pushes_bodies_ahead_and_does_not_jump_over_them() {
    let mut yard = Yard::new();
    let spoke = yard.add(Body::moving([0.0, 0.0]), [10.0, 0.1]);
    let pushed = yard.add(Body::moving([8.0, 2.0]), [0.25, 0.25]);
    let carry = yard.world.carry_to(spoke, Pose::new([0.0, 0.0], 0.5)).unwrap();
    assert_eq!((carry.moved(), carry.squashed()), (&[pushed][..], &[][..]));
    let at = yard.at(pushed);
    let height = at.y * libm::cosf(0.5) - at.x * libm::sinf(0.5);
    assert!(height > 0.0 && height < 1.0, "{at}");
    assert!(!yard.overlap(spoke, pushed));
}

#[test]
fn a_turning_platform_squashes_bodies_without_room() {
    let mut yard = Yard::new();
    let door = yard.add(Body::moving([0.0, 0.0]), [4.0, 0.25]);
    let hero = yard.add(Body::moving([3.0, 1.25]), [0.5, 0.5]);
    yard.add(Body::fixed([3.0, 2.5]), [4.0, 0.75]);
    let carry = yard.world.carry_to(door, Pose::new([0.0, 0.0], 0.2)).unwrap();
    assert_eq!(carry.squashed(), [hero]);
}

#[test]
fn a_spoke_wheel_does_not_leave_the_hero_stuck() {
    let heroes: [Shape; 3] = [
        Aabb::new([-0.3, 0.0], [0.3, 1.2]).into(),
        Circle::new([0.0, 0.4], 0.4).into(),
        Capsule::new([0.0, 0.3], [0.0, 0.9], 0.3).into(),
    ];
    for (i, hero) in heroes.into_iter().enumerate() {
        for (x, speed) in [(-2.0, 0.02), (0.5, 0.0), (2.0, -0.03), (3.5, 0.05)] {
            let mut game = Wheel::new(hero.clone(), [x, -5.0]);
            let mut stuck = 0;
            for frame in 1..1500 {
                let [is_squashed, is_stuck] = game.frame(frame as f32 * 0.02, speed);
                assert!(is_squashed || !is_stuck, "hero {i}, {x}, frame {frame} at {}", game.at());
                stuck = if is_stuck { stuck + 1 } else { 0 };
                assert!(stuck < 40, "hero {i}, {x}, frame {frame} at {}", game.at());
            }
        }
    }
}

#[test]
fn a_translation_by_carry_to_is_a_carry() {
    let mut yard = Yard::new();
    let block = yard.crate_at(0.0, 0.0);
    let pushed = yard.crate_at(2.5, 0.0);
    let mut twin = yard.world.clone();
    let carry = yard.world.carry(block, [1.0, 0.25]).unwrap();
    assert_eq!(twin.carry_to(block, Pose::from_translation([1.0, 0.25])), Ok(carry));
    assert_eq!(twin.body(pushed), yard.world.body(pushed));
    let bad = Pose::from_translation([f32::NAN, 0.0]);
    assert!(matches!(twin.carry_to(block, bad), Err(WorldError::BadPose(_))));
}
