//! R7, R9: walkers on floors, slopes, steps and platforms.

use carom::motion::Walk;
use carom::prelude::*;
use carom::world::EventKind;

const GRAVITY: f32 = -20.0;
const DT: f32 = 1.0 / 60.0;

/// A hero, and the world around it.
struct Game {
    world: World,
    hero: BodyKey,
    walker: Walker,
    state: WalkerState,
    velocity: Vec2,
}

fn hero_box() -> Shape {
    Aabb::new([-0.4, 0.0], [0.4, 1.5]).into()
}

fn hero_capsule() -> Shape {
    Capsule::new([0.0, 0.4], [0.0, 1.1], 0.4).into()
}

fn hero_circle() -> Shape {
    Circle::new([0.0, 0.4], 0.4).into()
}

fn heroes() -> [Shape; 3] {
    [hero_box(), hero_capsule(), hero_circle()]
}

impl Game {
    fn new(hero: Shape, at: [f32; 2]) -> Self {
        let mut world = World::new();
        let body = world.add_body(Body::moving(at)).unwrap();
        world.add_collider(body, Collider::new(hero)).unwrap();
        let (walker, state) = (Walker::new(), WalkerState::new());
        Self { world, hero: body, walker, state, velocity: Vec2::ZERO }
    }

    fn add(&mut self, at: [f32; 2], shape: impl Into<Shape>) -> BodyKey {
        self.add_body(Body::moving(at), shape)
    }

    fn add_body(&mut self, body: Body, shape: impl Into<Shape>) -> BodyKey {
        let body = self.world.add_body(body).unwrap();
        self.world.add_collider(body, Collider::new(shape.into())).unwrap();
        body
    }

    fn add_platform(&mut self, at: [f32; 2], shape: impl Into<Shape>) -> BodyKey {
        let body = self.world.add_body(Body::moving(at)).unwrap();
        self.world.add_collider(body, Collider::new(shape.into()).one_way([0.0, 1.0])).unwrap();
        body
    }

    fn at(&self) -> Vec2 {
        self.world.body(self.hero).unwrap().pose.position
    }

    /// Simulates a frame: walks with a horizontal speed, and falls by gravity.
    fn frame(&mut self, speed: f32) -> Walk {
        self.velocity = Vec2::new(speed, self.velocity.y + GRAVITY * DT);
        let motion = self.velocity * DT;
        let walk = self.world.walk(self.hero, &self.walker, &mut self.state, motion).unwrap();
        self.velocity = walk.velocity(self.velocity);
        walk
    }

    fn frames(&mut self, count: usize, speed: f32) {
        for _ in 0..count {
            let _ = self.frame(speed);
        }
    }

    fn jump(&mut self, speed: f32) {
        self.velocity.y = speed;
    }
}

fn ground() -> Aabb {
    Aabb::new([-100.0, -1.0], [100.0, 0.0])
}

#[test]
fn r9_standing_still_changes_no_bit_for_ten_thousand_frames() {
    let slope = |angle: f32| Obb::new([0.0, 0.0], [50.0, 1.0], angle);
    for (i, hero) in heroes().into_iter().enumerate() {
        for angle in [0.0, 0.1, 0.4636476, -0.7] {
            let mut game = Game::new(hero.clone(), [0.3, 4.0]);
            game.add([0.0, 0.0], slope(angle));
            game.frames(200, 0.0);
            let rest = game.at();
            for frame in 0..10_000 {
                let walk = game.frame(0.0);
                assert_eq!(walk.end, rest, "hero {i} on {angle}, frame {frame}");
                assert!(walk.on_floor() && !walk.landed, "hero {i} on {angle}, frame {frame}");
            }
            let angle_found = game.state.floor.unwrap().angle;
            assert!((angle_found - angle.abs()).abs() < 1e-4, "{angle_found}");
        }
    }
}

#[test]
fn r9_rest_in_a_corner_is_rest_and_no_event_flickers() {
    for hero in heroes() {
        let mut game = Game::new(hero, [0.0, 1.0]);
        game.add([0.0, 0.0], ground());
        game.add([3.0, 0.0], Aabb::new([0.0, 0.0], [1.0, 5.0]));
        game.frames(200, 5.0);
        let rest = game.at();
        game.world.update();
        for _ in 0..1000 {
            let walk = game.frame(5.0); // pressing on the wall
            assert_eq!(walk.end, rest);
            assert!(walk.on_floor() && walk.wall.is_some());
            let events = game.world.update();
            assert!(events.iter().all(|event| event.kind == EventKind::Stayed));
        }
    }
}

#[test]
fn slopes_are_walked_at_constant_speed_without_leaving_the_floor() {
    for (i, hero) in heroes().into_iter().enumerate() {
        let mut game = Game::new(hero, [-5.0, 0.5]);
        let hills = [[-50.0, 0.0], [0.0, 0.0], [10.0, 5.0], [20.0, 0.0], [60.0, 0.0]];
        game.add([0.0, 0.0], Chain::new(&hills));
        game.frames(60, 0.0);
        let mut last = game.at();
        for frame in 0..360 {
            let walk = game.frame(6.0);
            assert!(walk.on_floor(), "hero {i}, frame {frame}: {walk:?}");
            let step = (walk.end - last).length();
            last = walk.end;
            let on_one = hills.iter().all(|corner| (corner[0] - last.x).abs() > 1.0);
            if on_one {
                assert!((step - 0.1).abs() < 1e-4, "hero {i}, frame {frame}: {step}");
            }
        }
        assert!(last.x > 24.0, "{last}");
    }
}

#[test]
fn a_fast_walker_is_not_launched_from_the_top_of_a_slope() {
    for hero in heroes() {
        let mut game = Game::new(hero, [-5.0, 0.5]);
        game.add([0.0, 0.0], Chain::new(&[[-50.0, 0.0], [0.0, 0.0], [10.0, 9.0], [60.0, 9.0]]));
        game.frames(60, 0.0);
        for frame in 0..120 {
            let walk = game.frame(20.0);
            assert!(walk.on_floor(), "frame {frame}: {walk:?}");
        }
    }
}

#[test]
fn r8_slopes_of_tiles_are_walked_up_and_down_at_any_speed() {
    let kinds = [
        ('#', TileKind::SOLID),
        ('/', TileKind::slope(0.0, 1.0, [0.0, 1.0])),
        ('\\', TileKind::slope(1.0, 0.0, [0.0, 1.0])),
        ('l', TileKind::slope(0.0, 0.5, [0.0, 1.0])),
        ('h', TileKind::slope(0.5, 1.0, [0.0, 1.0])),
    ];
    let ground = "#".repeat(40);
    let hills = ["#.....lh####\\......./####\\", "#..................../##\\", "#"];
    let hills = hills.map(|row| format!("{row:.<40}"));
    let rows: Vec<&String> = [&ground].into_iter().chain(&hills).collect();
    for (i, hero) in heroes().into_iter().enumerate() {
        for speed in [1.0f32, 3.7, 12.0] {
            let mut game = Game::new(hero.clone(), [2.5, 1.0]);
            let map = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &rows, &kinds);
            game.add([0.0, 0.0], map);
            game.frames(10, 0.0);
            for (turn, speed) in [speed, -speed, speed].into_iter().enumerate() {
                for frame in 0..(30.0 / speed.abs() * 60.0) as usize {
                    let walk = game.frame(speed);
                    let place = format!("hero {i} at {speed}, turn {turn}, frame {frame}");
                    assert!(walk.on_floor(), "{place}: {walk:?}");
                    let blocked = walk.wall.is_some() && (1.5..37.0).contains(&walk.end.x);
                    assert!(!blocked, "{place}: {walk:?}");
                }
            }
            assert!(game.at().x > 30.0, "hero {i} at {speed}: {}", game.at());
        }
    }
}

#[test]
fn steps_are_gone_up_and_walls_are_not() {
    for (i, hero) in heroes().into_iter().enumerate() {
        let mut game = Game::new(hero, [0.0, 0.0]);
        game.walker = Walker::new().max_step_height(0.3).snap_distance(0.35);
        game.add([0.0, 0.0], ground());
        for step in 0..8 {
            let x = 2.0 + step as f32;
            game.add([x, 0.0], Aabb::new([0.0, 0.0], [20.0 - x, 0.25 * (step + 1) as f32]));
        }
        game.add([15.0, 0.0], Aabb::new([0.0, 0.0], [1.0, 2.5])); // half a unit above the last
        let mut stepped = 0;
        for frame in 0..400 {
            let walk = game.frame(4.0);
            assert!(walk.on_floor() || frame < 2, "hero {i}, frame {frame}: {walk:?}");
            stepped += usize::from(walk.stepped);
        }
        let at = game.at();
        assert!((at.y - 2.0).abs() < 1e-5 && (at.x - 14.6).abs() < 1e-4, "hero {i}: {at}");
        assert!(stepped >= 8, "hero {i}: {stepped}");
    }
}

#[test]
fn walls_do_not_stop_bodies_that_fall_along_them() {
    for hero in heroes() {
        let mut game = Game::new(hero.clone(), [0.0, 50.0]);
        let mut free = Game::new(hero, [0.0, 50.0]);
        game.add([0.4, 0.0], Aabb::new([0.0, 0.0], [1.0, 100.0]));
        for _ in 0..100 {
            let walk = game.frame(5.0);
            let _ = free.frame(0.0);
            assert_eq!(walk.end, Vec2::new(0.0, free.at().y));
            assert!(walk.wall.is_some() && !walk.on_floor());
        }
    }
}

#[test]
fn a_ceiling_ends_a_jump_and_does_not_hold_the_body() {
    for hero in heroes() {
        let mut game = Game::new(hero, [0.0, 0.0]);
        game.add([0.0, 0.0], ground());
        game.add([0.0, 2.0], Aabb::new([-9.0, 0.0], [9.0, 1.0]));
        game.frames(5, 0.0);
        game.jump(15.0);
        let mut hit = 0;
        for _ in 0..60 {
            let walk = game.frame(1.0);
            if walk.ceiling.is_some() {
                hit += 1;
                assert!(game.velocity.y <= 0.0);
            }
        }
        assert_eq!(hit, 1);
        assert!(game.state.on_floor());
    }
}

#[test]
fn a_jump_is_moved_sideways_past_the_corner_of_a_ceiling() {
    let jump = |corner: f32, x: f32| {
        let mut game = Game::new(hero_box(), [x, 0.0]);
        game.walker = Walker::new().corner_correction(corner);
        game.add([0.0, 0.0], ground());
        game.add([0.0, 2.0], Aabb::new([-9.0, 0.0], [0.0, 1.0]));
        game.frames(5, 0.0);
        game.jump(15.0);
        game.frames(20, 0.0);
        game.at()
    };
    let passed = jump(0.25, 0.2);
    assert!(passed.y > 2.0 && passed.x == 0.4, "{passed}");
    assert!(jump(0.1, 0.2).y < 1.0); // too far
    assert!(jump(0.0, 0.2).y < 1.0); // not asked for
}

#[test]
fn a_walker_that_has_just_left_the_floor_may_still_jump() {
    let mut game = Game::new(hero_box(), [0.0, 0.0]);
    game.add([0.0, 0.0], Aabb::new([-5.0, -1.0], [1.0, 0.0]));
    let mut walked_off = None;
    for frame in 0..60 {
        let walk = game.frame(4.0);
        if walk.left_floor {
            assert_eq!(walked_off, None);
            walked_off = Some(frame);
        }
        if let Some(off) = walked_off {
            assert_eq!(game.state.frames_in_air, frame - off + 1);
            assert_eq!(game.state.was_on_floor(6), frame - off < 6);
        }
    }
    assert!(walked_off.is_some());
}

#[test]
fn platforms_are_jumped_through_stood_on_and_dropped_through() {
    for hero in heroes() {
        let mut game = Game::new(hero, [0.0, 0.0]);
        game.add([0.0, 0.0], ground());
        let cloud = game.add_platform([0.0, 2.0], Aabb::new([-2.0, -0.25], [2.0, 0.0]));
        game.frames(5, 0.0);
        game.jump(12.0);
        game.frames(60, 0.0);
        assert!(game.state.stands_on(cloud));
        assert!((game.at().y - 2.0).abs() < 1e-5);
        game.state.drop_through();
        game.frames(2, 0.0);
        assert!(!game.state.on_floor());
        game.frames(60, 0.0);
        assert!(game.state.on_floor() && game.at().y.abs() < 1e-5);
    }
}

#[test]
fn a_sloped_platform_is_walked_from_its_foot_and_passed_from_the_side() {
    for (i, hero) in heroes().into_iter().enumerate() {
        let slope = || Chain::new(&[[0.0, 0.0], [8.0, 4.0]]).one_sided();
        let mut game = Game::new(hero.clone(), [-2.0, 0.0]);
        game.add([0.0, 0.0], ground());
        game.add([0.0, 0.0], slope());
        game.frames(120, 4.0);
        let at = game.at();
        assert!(at.x > 4.0 && at.y > 2.0, "hero {i}: {at}");

        let mut game = Game::new(hero, [9.0, 0.0]);
        game.add([0.0, 0.0], ground());
        game.add([0.0, 0.0], slope());
        game.frames(120, -4.0); // under it, and through
        let at = game.at();
        assert!(at.x < 2.0 && at.y.abs() < 1e-5, "hero {i}: {at}");
    }
}

#[test]
fn r9_platforms_carry_without_slipping() {
    for (i, hero) in heroes().into_iter().enumerate() {
        for one_way in [false, true] {
            let mut game = Game::new(hero.clone(), [0.3, 0.0]);
            let plank = Aabb::new([-2.0, -0.25], [2.0, 0.0]);
            let lift = if one_way {
                game.add_platform([0.0, 0.0], plank)
            } else {
                game.add([0.0, 0.0], plank)
            };
            game.frames(5, 0.0);
            for frame in 0..2000 {
                let angle = frame as f32 * 0.02;
                let motion = Vec2::new(angle.cos() * 0.1, angle.sin() * 0.13);
                let carry = game.world.carry(lift, motion).unwrap();
                assert!(carry.squashed().is_empty());
                let walk = game.frame(0.0);
                assert!(walk.on_floor() && !walk.landed, "hero {i}, frame {frame}: {walk:?}");
                let platform = game.world.body(lift).unwrap().pose.position;
                let off = walk.end - platform - Vec2::new(0.3, 0.0);
                assert!(
                    off.length() < 1e-3 && off.y.abs() < 1e-5,
                    "hero {i}, frame {frame}: {off}"
                );
            }
        }
    }
}

#[test]
fn platforms_push_bodies_ahead_and_squash_those_without_room() {
    let mut game = Game::new(hero_box(), [3.0, 0.0]);
    game.add([0.0, 0.0], ground());
    let block = game.add([0.0, 0.5], Aabb::new([-1.0, 0.0], [1.0, 1.0]));
    game.frames(5, 0.0);
    let carry = game.world.carry(block, [2.0, 0.0]).unwrap();
    assert_eq!((carry.moved(), carry.squashed()), (&[game.hero][..], &[][..]));
    assert_eq!(game.at(), Vec2::new(3.4, 0.0));

    game.add_body(Body::fixed([5.0, 0.0]), Aabb::new([0.0, 0.0], [1.0, 9.0]));
    let carry = game.world.carry(block, [1.0, 0.0]).unwrap();
    assert!(carry.squashed().is_empty());
    assert_eq!(game.at(), Vec2::new(4.4, 0.0));
    let carry = game.world.carry(block, [0.5, 0.0]).unwrap();
    assert_eq!(carry.squashed(), [game.hero]);
}

#[test]
fn a_lift_squashes_its_rider_at_the_ceiling() {
    let mut game = Game::new(hero_box(), [0.0, 0.0]);
    let lift = game.add([0.0, 0.0], Aabb::new([-2.0, -0.5], [2.0, 0.0]));
    game.add_body(Body::fixed([0.0, 2.0]), Aabb::new([-9.0, 0.0], [9.0, 1.0]));
    game.frames(5, 0.0);
    for frame in 1..=8 {
        let carry = game.world.carry(lift, [0.0, 0.125]).unwrap();
        assert_eq!(carry.squashed().is_empty(), frame <= 4, "frame {frame}");
        if frame <= 4 {
            game.frames(1, 0.0);
        }
    }
}

#[test]
fn positions_stay_on_whole_pixels_and_remainders_are_kept() {
    let mut world = World::new();
    let floor = world.add_body(Body::fixed([0.0, 100.0])).unwrap();
    world.add_collider(floor, Collider::new(Aabb::new([-500.0, 0.0], [500.0, 16.0]))).unwrap();
    let hero = world.add_body(Body::moving([0.0, 90.0])).unwrap();
    world.add_collider(hero, Collider::new(Aabb::new([-4.0, -8.0], [4.0, 0.0]))).unwrap();
    let walker = Walker::new().up([0.0, -1.0]).pixel_size(1.0).snap_distance(2.0);
    let mut state = WalkerState::new();
    let mut fall = 0.0;
    for _frame in 0..60 {
        fall += 0.1;
        let walk = world.walk(hero, &walker, &mut state, [0.3, fall]).unwrap();
        fall = walk.velocity([0.3, fall]).y;
        assert_eq!(walk.end, walk.end.round());
    }
    let at = world.body(hero).unwrap().pose.position;
    assert_eq!(at, Vec2::new(18.0, 100.0));
    assert!(state.on_floor());
}

#[test]
fn settings_that_are_nan_are_off() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
        let mut game = Game::new(hero_box(), [0.0, 0.0]);
        game.add([0.0, 0.0], ground());
        game.add([2.0, 0.0], Aabb::new([0.0, 0.0], [1.0, 1.0]));
        game.walker = Walker::new()
            .up([bad, 1.0])
            .max_slope_angle(bad)
            .snap_distance(bad)
            .max_step_height(bad)
            .corner_correction(bad);
        game.walker.pixel_size = bad;
        game.frames(60, 4.0);
        assert!(game.at().is_finite());
        let error = game.world.walk(game.hero, &game.walker, &mut game.state, [bad * 2.0, 0.0]);
        assert!(matches!(error, Err(WorldError::BadPose(_))));
    }
}

#[test]
fn a_long_jump_under_a_narrow_ceiling_is_corrected_to_the_nearer_side() {
    // The correction to the right is tried first. It moves the body away from the obstacles around the jump,
    // to which the contacts with the ceiling refer; the one to the left panicked or got a wrong distance.
    for mirror in [1.0, -1.0] {
        let mut world = World::new();
        let post = |left: f32, right: f32, low: f32, high: f32| {
            let (a, b) = (Vec2::new(left * mirror, low), Vec2::new(right * mirror, high));
            Aabb::new(a.min(b), a.max(b))
        };
        for shape in [post(0.05, 0.15, 50.0, 51.0), post(1.5, 2.0, 40.0, 60.0)] {
            world.spawn(Body::fixed([0.0, 0.0]), [Collider::new(shape)]).unwrap();
        }
        let hero = Collider::new(Aabb::new([-0.5, -0.5], [0.5, 0.5]));
        let hero = world.spawn(Body::moving([0.0, 0.0]), [hero]).unwrap();
        let walker = Walker::new().corner_correction(0.7);
        let _ = world.walk(hero, &walker, &mut WalkerState::new(), [0.0, 1000.0]).unwrap();
        let Vec2 { x, y } = world.position(hero).unwrap();
        assert!((x * mirror + 0.45).abs() < 1e-5 && y == 1000.0, "({x}, {y})");
    }
}

#[test]
fn hits_have_the_times_at_which_the_walk_meets_them() {
    let times = |start: [f32; 2], is_standing: bool, motion: [f32; 2]| {
        let mut game = Game::new(Aabb::new([-0.5, 0.0], [0.5, 1.0]).into(), start);
        game.add([0.0, 0.0], Aabb::new([-4.0, -1.0], [0.0, 0.0]));
        game.add([0.0, -2.0], Aabb::new([-4.0, -1.0], [9.0, 0.0]));
        game.add([0.0, 0.0], Aabb::new([4.0, -9.0], [5.0, 9.0]));
        game.add([0.0, 0.0], Aabb::new([-5.0, -9.0], [-4.0, 9.0]));
        if is_standing {
            game.frames(2, 0.0);
        }
        let motion = Vec2::from(motion);
        let walk = game.world.walk(game.hero, &game.walker, &mut game.state, motion).unwrap();
        let hits = walk.hits().iter();
        hits.map(|hit| (hit.time, hit.normal)).collect::<Vec<(f32, Vec2)>>()
    };
    let [up, left, right] = [Vec2::Y, Vec2::NEG_X, Vec2::X];
    // On the floor, up to a wall.
    assert_eq!(times([-3.0, 0.0], true, [-2.0, -0.1]), [(0.25, right)]);
    // Through the air onto a floor, and along it up to a wall.
    assert_eq!(times([2.0, -1.0], false, [2.0, -2.0]), [(0.5, up), (0.75, left)]);
    // Along a wall down to a floor.
    assert_eq!(times([3.0, -1.0], false, [2.0, -2.0]), [(0.25, left), (0.5, up), (0.5, left)]);
    // Off an edge: the fall is at the end.
    assert_eq!(times([-0.25, 0.0], true, [1.0, -3.0]), [(1.0, up)]);
}
