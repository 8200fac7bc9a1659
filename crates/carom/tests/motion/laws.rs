//! Laws of motion over random worlds: a walker on a floor touches it, stuck bodies enter nothing new, and
//! turning platforms keep their riders.
//!
//! `CAROM_CASES=N` runs N cases of each, from `CAROM_SEED=S` on.

use carom::prelude::*;
use carom::world::EventKind;

use crate::levels::{Build, choose_start, random_grid, random_hero, random_pieces, random_story};
use crate::stage::{Random, aabb, capsule, circle};
use crate::story::{Actor, Map, Play};

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn seeds(default: u64) -> std::ops::Range<u64> {
    let first = number("CAROM_SEED", 0);
    first..first + number("CAROM_CASES", default)
}

/// Returns whether the world reports that two bodies touch.
pub fn touch(world: &mut World, a: BodyKey, b: BodyKey) -> bool {
    let events = world.update();
    events
        .iter()
        .any(|event| event.kind != EventKind::Ended && event.involves(a) && event.involves(b))
}

/// Levels of tiles, boxes, polygons, compounds, chains, masks, one-way platforms and lifts, and walkers of
/// every shape with all settings.
#[test]
fn a_walker_on_a_floor_touches_it() {
    let (mut frames, mut on_floor) = (0, 0);
    for seed in seeds(400) {
        let mut random = Random(seed.wrapping_mul(0x2545_f491) ^ 0x5a5a_5a5a);
        let is_grid = random.chance(0.5);
        let grid = random_grid(&mut random);
        let size = if is_grid { grid.cell } else { 1.0 };
        let mut story = random_story(&mut random, size);
        if !matches!(story.actor, Actor::Walker(_)) {
            continue;
        }
        story.level = if is_grid {
            let build = Build::ALL[random.below(7)];
            grid.build(build).unwrap_or_default()
        } else {
            random_pieces(&mut random)
        };
        let level = story.level.clone();
        choose_start(&mut random, &mut story, &level, size);
        let mut play = Play::new(&story, Map::IDENTITY, false);
        for i in 0..story.frames.len() {
            let seen = play.frame(i);
            frames += 1;
            on_floor += u64::from(seen.floor.is_some());
            assert!(
                play.is_floor_touched(),
                "seed {seed}, frame {i}: no touch with {seen:?}\n{}",
                story.source()
            );
        }
    }
    assert!(on_floor > frames / 8);
    eprintln!("{frames} frames, {on_floor} of them on a floor");
}

/// A random surface that holds walkers, 80 units long and lower than 4 near the origin: level, sloped or hilly,
/// one-way or solid, of one part or of several.
fn random_surface(random: &mut Random) -> Collider {
    let degrees = [0.0, 10.0, 30.0, 45.0, random.between(0., 45.)][random.below(5)];
    let angle = if random.chance(0.5) { degrees } else { -degrees }.to_radians();
    let (along, normal) = (Vec2::from_angle(angle), Vec2::from_angle(angle).perp());
    let [a, b] = [along * -40.0, along * 40.0];
    let below = Vec2::new(0.0, -0.5);
    let is_one_way = random.chance(0.6);
    let shape: Shape = match random.below(9) {
        0 => Segment::new(a, b).into(),
        1 => Obb::new(normal * -0.25, [40., 0.25], angle).into(),
        2 => Capsule::new(a, b, 0.2).into(),
        3 => ConvexPolygon::new(&[a, a + below, b + below, b]).into(),
        4 => Compound::new([Segment::new(a, Vec2::ZERO), Segment::new(Vec2::ZERO, b)]).into(),
        5 => {
            // Flush one-way tiles, level or each one tile higher than the one before.
            let is_level = random.chance(0.5);
            let rows: Vec<String> = match is_level {
                true => vec!["-".repeat(80)],
                false => {
                    (0..80).map(|x| format!("{}/{}", ".".repeat(x), ".".repeat(79 - x))).collect()
                }
            };
            let line = |to| TileKind::one_way_line([0.0, 0.0], [1.0, to]);
            let kinds = [('-', line(0.0)), ('/', line(1.0)), ('.', TileKind::EMPTY)];
            let origin = [-40.0, if is_level { 0.0 } else { -40.0 }];
            return Collider::new(TileMap::from_rows(origin, [1.0; 2], &rows, &kinds));
        }
        kind => {
            let mut points = vec![Vec2::new(-40.0, 0.0)];
            while let Some(last) = points.last().filter(|last| last.x < 40.0) {
                let x = last.x + random.between(0.5, 4.0);
                let y = random.between(-0.7, 0.7) * (x - last.x) + last.y;
                points.push(Vec2::new(x, y.clamp(-3.0, 3.0)));
            }
            let hills = Chain::new(&points);
            if kind == 6 {
                let edges = points.windows(2).map(|ends| Segment::new(ends[0], ends[1]));
                Compound::new(edges).into()
            } else if is_one_way {
                return Collider::new(hills.one_sided());
            } else {
                hills.into()
            }
        }
    };
    let collider = Collider::new(shape);
    if is_one_way { collider.one_way([0.0, 1.0]) } else { collider }
}

/// A walker of every shape on every kind of surface, at rest or moving.
#[test]
fn a_walker_never_loses_a_surface_that_holds_it() {
    let (mut frames, mut moving) = (0, 0);
    for seed in seeds(300) {
        let mut random = Random(seed.wrapping_mul(0x1b87_3593) ^ 0x1551);
        let mut world = World::new();
        let (collider, own) = (random_surface(&mut random), random_hero(&mut random, 1.0));
        let describe = format!("{own:?} on {collider:?}");
        let surface = world.spawn(Body::moving([0.0, 0.0]), [collider]).unwrap();
        let start = [random.between(-3., 3.), 4.0];
        let hero = world.spawn(Body::moving(start), own.into_iter().map(Collider::new)).unwrap();
        let walker = Walker::new().snap_distance([0.1, 0.25][random.below(2)]);
        let (mut state, mut velocity) = (WalkerState::new(), Vec2::ZERO);
        // The surface goes round on a circle, to and fro, or up and down.
        let is_moving = random.chance(0.5);
        let radii = [Vec2::ONE, Vec2::X, Vec2::Y][random.below(3)] * random.between(0.1, 3.0);
        let turn = random.between(-0.06, 0.06);
        let (mut speed, mut landed) = (3.0, None);
        for frame in 0..240 {
            if random.chance(0.05) {
                speed = [0.0, 3.0, -3.0, random.between(-8., 8.)][random.below(4)];
            }
            velocity = Vec2::new(speed, velocity.y - 30.0 / 60.0);
            let walk = world.walk(hero, &walker, &mut state, velocity / 60.0).unwrap();
            velocity = walk.velocity(velocity);
            if walk.on_floor() && landed.is_none() {
                landed = Some(frame);
            }
            let Some(landed) = landed else { continue };
            let case = || format!("seed {seed}, frame {frame}, at {}: {describe}", walk.end);
            assert!(walk.on_floor(), "no floor, {}", case());
            assert!(touch(&mut world, hero, surface), "no touch, {}", case());
            assert!(!walk.is_stuck, "stuck, {}", case());
            frames += 1;
            if is_moving {
                let t = turn * (frame - landed + 1) as f32;
                let to = radii * Vec2::new(libm::cosf(t) - 1.0, libm::sinf(t));
                let carry = world.carry(surface, to - world.position(surface).unwrap()).unwrap();
                assert!(carry.squashed().is_empty(), "squashed, {}", case());
                moving += 1;
            }
        }
        assert!(landed.is_some(), "seed {seed} fell through: {describe}");
    }
    eprintln!("{frames} frames on a surface, {moving} of them on one that moves");
}

/// A random solid around a point.
fn random_solid(random: &mut Random, at: Vec2) -> Shape {
    let [w, h] = [random.between(0.2, 1.5), random.between(0.2, 1.5)];
    let local = match random.below(6) {
        0 | 1 => aabb([-w, -h], [w, h]),
        2 => circle([0., 0.], w),
        3 => Obb::new([0., 0.], [w, h], random.between(0., 3.)).into(),
        4 => Polygon::new(&[[-w, -h], [w, -h], [w, h], [0., 0.], [-w, h]]).into(),
        _ => Compound::new([aabb([-w, -h], [0., 0.]), aabb([0., 0.], [w, h])]).into(),
    };
    let on_grid = random.chance(0.5);
    let place = |x: f32| if on_grid { (x * 4.0).round() / 4.0 } else { x };
    local.translated([place(at.x), place(at.y)])
}

/// Bodies of several parts that start inside of solids, mostly without room nearby.
#[test]
fn stuck_bodies_enter_nothing_new() {
    let (mut moves, mut stuck) = (0, 0);
    for seed in seeds(3_000) {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9) ^ 0x77);
        let mut world = World::new();
        let hero = world.add_body(Body::moving([0.0, 0.0])).unwrap();
        let size = random.between(0.5, 2.0);
        let parts = if random.chance(0.5) {
            random_hero(&mut random, size)
        } else {
            let parts: Vec<Shape> = (0..2 + random.below(3))
                .map(|_| {
                    let at = Vec2::new(random.between(-1.5, 1.5), random.between(-1.5, 1.5));
                    random_solid(&mut random, at)
                })
                .collect();
            if random.chance(0.5) { vec![Compound::new(parts).into()] } else { parts }
        };
        let describe = format!("{parts:?}");
        for part in parts {
            world.add_collider(hero, Collider::new(part)).unwrap();
        }
        let level = world.add_body(Body::fixed([0.0, 0.0])).unwrap();
        let crowd = 4 + random.below(24);
        for _ in 0..crowd {
            let at = Vec2::new(random.between(-4., 4.), random.between(-4., 4.));
            let solid = random_solid(&mut random, at);
            world.add_collider(level, Collider::new(solid)).unwrap();
        }
        let overlapped = |world: &World| -> Vec<ColliderKey> {
            let own: Vec<ColliderKey> = world.colliders_of(hero).collect();
            let level = world.colliders_of(level);
            let is_in = |other: &ColliderKey| {
                let other = world.collider(*other).unwrap();
                own.iter()
                    .any(|own| world.collider(*own).unwrap().placed().overlaps(&other.placed()))
            };
            level.filter(is_in).collect()
        };
        let (walker, mut state) = (Walker::new().max_step_height(0.3), WalkerState::new());
        for turn in 0..6 {
            let before = overlapped(&world);
            let start = world.body(hero).unwrap().pose.position;
            let motion = Vec2::new(random.between(-2., 2.), random.between(-2., 2.));
            let motion = if random.chance(0.3) { motion * Vec2::X } else { motion };
            let response =
                [Response::Slide, Response::Slide, Response::Bounce(0.5), Response::Touch]
                    [random.below(4)];
            let (is_stuck, name) = if random.chance(0.5) {
                (world.travel(hero, motion, |_| response).unwrap().is_stuck, "travel")
            } else {
                (world.walk(hero, &walker, &mut state, motion).unwrap().is_stuck, "walk")
            };
            moves += 1;
            stuck += u64::from(is_stuck);
            for other in overlapped(&world) {
                assert!(
                    before.contains(&other),
                    "seed {seed}, turn {turn}: {name} by {motion} ({response:?}) from {start}, \
                     stuck: {is_stuck}, enters {:?} with {describe}",
                    world.collider(other).unwrap().placed()
                );
            }
        }
    }
    assert!(stuck > moves / 8, "{stuck} of {moves} moves");
    eprintln!("{moves} moves, {stuck} of them stuck");
}

/// A hero of a random shape with its feet at the origin.
fn random_rider(random: &mut Random) -> Shape {
    let [w, h] = [random.between(0.15, 0.4), random.between(0.3, 0.8)];
    match random.below(3) {
        0 => aabb([-w, 0.], [w, h]),
        1 => circle([0., w], w),
        _ => capsule([0., w], [0., w + h], w),
    }
}

/// A platform that goes round on a circle, rocks or turns like a seesaw: riders stay where they stand.
#[test]
fn circling_and_rocking_platforms_keep_their_riders() {
    for seed in seeds(60) {
        let mut random = Random(seed ^ 0xc1c1);
        let mut world = World::new();
        let platform = world.add_body(Body::moving([0.0, 0.0])).unwrap();
        let one_way = random.chance(0.3);
        let mut top = Collider::new(Aabb::new([-4.0, -0.5], [4.0, 0.0]));
        if one_way {
            top = top.one_way([0.0, 1.0]);
        }
        world.add_collider(platform, top).unwrap();
        let heroes: Vec<(BodyKey, f32)> = [-2.5, 0.0, 2.5]
            .map(|x| {
                let key = world.add_body(Body::moving([x, 0.0])).unwrap();
                let shape = random_rider(&mut random);
                world.add_collider(key, Collider::new(shape)).unwrap();
                (key, x)
            })
            .into();
        let walker = Walker::new().snap_distance(0.2);
        let mut states = vec![WalkerState::new(); heroes.len()];
        let (radius, speed) = (random.between(0.0, 3.0), random.between(-0.06, 0.06));
        let rock = if random.chance(0.7) { random.between(0.0, 0.5) } else { 0.0 };
        for frame in 0..400 {
            for (i, &(key, _)) in heroes.iter().enumerate() {
                let walk = world.walk(key, &walker, &mut states[i], [0.0, -0.05]).unwrap();
                assert!(walk.on_floor(), "seed {seed}, frame {frame}: {i} has lost the platform");
                assert!(touch(&mut world, key, platform), "seed {seed}, frame {frame}: no touch");
            }
            let t = speed * (frame + 1) as f32;
            let position = Vec2::new(libm::cosf(t) - 1.0, libm::sinf(t)) * radius;
            let pose = Pose::new(position, rock * libm::sinf(0.5 * t));
            let carry = world.carry_to(platform, pose).unwrap();
            assert!(carry.squashed().is_empty(), "seed {seed}, frame {frame}: squashed");
        }
        // Where they stood, along the platform: flat feet roll over their edges when it rocks.
        let pose = world.body(platform).unwrap().pose;
        for &(key, x) in &heroes {
            let at = world.body(key).unwrap().pose.inverse_of(&pose);
            assert!((at - x).abs() < 0.75, "seed {seed}: went from {x} to {at}");
        }
    }
}

/// The position of a body along a platform.
trait Along {
    fn inverse_of(&self, platform: &Pose) -> f32;
}

impl Along for Pose {
    fn inverse_of(&self, platform: &Pose) -> f32 {
        platform.rotation.inverse().rotate(self.position - platform.position).x
    }
}

/// A wheel of four spokes with heroes in between: they ride the spokes, slide off and fall, and nobody is
/// squashed or stuck, since there is room everywhere.
#[test]
fn a_spoke_wheel_in_the_open_squashes_nobody() {
    let mut rode = 0;
    for seed in seeds(40) {
        let mut random = Random(seed ^ 0x5110);
        let mut world = World::new();
        let wheel = world.add_body(Body::moving([0.0, 0.0])).unwrap();
        let thick = random.between(0.1, 0.3);
        for spoke in
            [Aabb::new([-4.0, -thick], [4.0, thick]), Aabb::new([-thick, -4.0], [thick, 4.0])]
        {
            world.add_collider(wheel, Collider::new(spoke)).unwrap();
        }
        let hero = world.add_body(Body::moving([random.between(1.0, 3.0), 1.0])).unwrap();
        world.add_collider(hero, Collider::new(random_rider(&mut random))).unwrap();
        let (walker, mut state) = (Walker::new().snap_distance(0.2), WalkerState::new());
        let turn = random.between(0.01, 0.05) * if random.chance(0.5) { 1.0 } else { -1.0 };
        let mut fall = 0.0;
        for frame in 0..500 {
            fall -= 0.005;
            let walk = world.walk(hero, &walker, &mut state, [0.0, fall]).unwrap();
            if walk.on_floor() {
                (fall, rode) = (0.0, rode + 1);
                assert!(touch(&mut world, hero, wheel), "seed {seed}, frame {frame}: no touch");
            }
            assert!(!walk.is_stuck, "seed {seed}, frame {frame}: stuck");
            let angle = turn * (frame + 1) as f32;
            let carry = world.carry_to(wheel, Pose::new([0.0, 0.0], angle)).unwrap();
            assert!(carry.squashed().is_empty(), "seed {seed}, frame {frame}: squashed");
            let [own] = [world.colliders_of(hero).next().unwrap()];
            for spoke in world.colliders_of(wheel).collect::<Vec<_>>() {
                let [own, spoke] = [own, spoke].map(|key| world.collider(key).unwrap().placed());
                let depth = own.contact(&spoke).map_or(0.0, |contact| contact.depth);
                assert!(depth < 1e-5, "seed {seed}, frame {frame}: {depth} inside a spoke");
            }
            if walk.end.y < -20.0 {
                break; // it has fallen off
            }
        }
    }
    assert!(rode > 500, "all heroes together rode for {rode} frames");
}
