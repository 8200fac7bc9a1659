//! Laws of worlds: plays random games and compares every event and query result with brute force, for every
//! broad phase.

use crate::support::random_game::{
    Touches, add_passed, add_supported, all_touches, any_shape, expected_events, play,
};
use crate::support::rng::Rng;
use carom::broad::{AabbTree, BruteForce, Grid, QuadTree, Strips, SweepAndPrune};
use carom::prelude::*;
use carom::sheet::Role;
use carom::world::{ColliderRef, Event};

const GAMES: u64 = 12;
const FRAMES: u64 = 60;

/// Defines the same tests for several broad phases.
macro_rules! for_each_broad_phase {
    ($($name:ident: $broad:expr),+ $(,)?) => {
        $(
            mod $name {
                use super::*;

                #[test]
                fn events_agree_with_testing_every_pair() {
                    super::events_agree_with_testing_every_pair(|| World::with($broad));
                }

                #[test]
                fn queries_agree_with_testing_every_collider() {
                    super::queries_agree_with_testing_every_collider(|| World::with($broad));
                }

                #[test]
                fn nearest_orders_the_smallest_and_the_largest_distances() {
                    super::nearest_orders_the_smallest_and_the_largest_distances(
                        World::with($broad),
                    );
                }

                #[test]
                fn rays_find_what_is_farther_away_than_the_largest_number() {
                    super::rays_find_what_is_farther_away_than_the_largest_number(World::with($broad));
                }

                #[test]
                fn rollbacks_change_no_event() {
                    super::rollbacks_change_no_event(|world| world.with_broad_phase($broad));
                }
            }
        )+
    };
}

for_each_broad_phase! {
    brute_force: BruteForce::default(),
    strips: Strips::default(),
    quad_tree: QuadTree::default(),
    grid: Grid::default(),
    sweep_and_prune: SweepAndPrune::default(),
    aabb_tree: AabbTree::default(),
}

/// Returns all events of an update, with the bits of their contacts.
fn events(world: &World) -> Vec<Event> {
    let events: Vec<Event> = world.events().iter().collect();
    assert_eq!(events.len(), world.events().len());
    events
}

fn events_agree_with_testing_every_pair(new_world: impl Fn() -> World) {
    let (mut total, mut kinds) = (0, [0; 3]);
    for game in 0..GAMES {
        let mut world = new_world();
        let mut before = Touches::new();
        for frame in 0..FRAMES {
            play(&mut world, game, frame);
            let mut now = all_touches(&world);
            world.update();
            add_supported(&world, &mut now);
            add_passed(&world, &mut now);
            let expected = expected_events(&before, &now);
            let found: Vec<_> =
                events(&world).iter().map(|e| (e.kind, e.colliders, e.contact)).collect();
            assert_eq!(found, expected, "game {game}, frame {frame}");
            check_touching(&world, &now);
            total += found.len();
            found.iter().for_each(|event| kinds[event.0 as usize] += 1);
            before = now;
        }
    }
    assert!(total > 10_000 && kinds.iter().all(|&kind| kind > 300), "{total} events, {kinds:?}");
}

/// Checks that `touching` agrees, seen from each collider.
fn check_touching(world: &World, now: &Touches) {
    let mut count = 0;
    for collider in world.colliders() {
        let mut last = None;
        for event in world.touching(collider.key()) {
            let [this, other] = event.colliders;
            assert_eq!((this, event.bodies[0]), (collider.key(), collider.body_key()));
            assert!(last < Some(other));
            last = Some(other);
            let contact = match now.get(&[this, other]) {
                Some(&contact) => contact,
                None => now[&[other, this]].map(Contact::swapped),
            };
            assert_eq!(event.contact, contact);
            count += 1;
        }
    }
    assert_eq!(count, 2 * now.len());
    let of_bodies = world.bodies().map(|(body, _)| world.touching_body(body).count());
    assert_eq!(of_bodies.sum::<usize>(), count);
}

fn queries_agree_with_testing_every_collider(new_world: impl Fn() -> World) {
    let mut found = 0;
    for game in 0..GAMES {
        let mut world = new_world();
        let mut rng = Rng::new(game);
        for frame in 0..FRAMES / 2 {
            play(&mut world, game, frame);
            if rng.one_in(3) {
                world.update(); // queries must not depend on updates
            }
            let shape = any_shape(&mut rng).translated([rng.signed() * 8.0, rng.signed() * 8.0]);
            let motion = Vec2::new(rng.signed() * 12.0, rng.signed() * 12.0);
            let excluded = world.bodies().next().expect("there are bodies").0;
            let layers = Layers::from_bits(rng.next());
            let even = |collider: ColliderRef<'_>| collider.tag().is_multiple_of(2);
            type Test<'a> = &'a dyn Fn(&ColliderRef<'_>) -> bool;
            let (filter, passes): (Filter<'_>, Test<'_>) = match rng.below(4) {
                0 => (Filter::new(), &|_| true),
                1 => (Filter::new().layers(layers), &|c| layers.intersects(c.layers())),
                2 => (Filter::new().exclude(excluded), &|c| c.body_key() != excluded),
                _ => {
                    let solid = |c: &ColliderRef<'_>| c.role() == Role::Solid && even(*c);
                    (Filter::new().solid().predicate(&even), &{ solid })
                }
            };
            let all: Vec<ColliderRef<'_>> = world
                .colliders()
                .filter(|c| c.enabled() && c.body().enabled && passes(c))
                .collect();
            found += check_shape(&world, &filter, &all, &shape);
            found += check_sweep(&world, &filter, &all, &shape, motion);
            found += check_ray(&world, &filter, &all, shape.bounds().center(), motion);
            check_nearest(&world, &filter, &all, shape.bounds().center());
        }
    }
    assert!(found > 1000, "{found} answers");
}

fn check_shape(
    world: &World,
    filter: &Filter<'_>,
    all: &[ColliderRef<'_>],
    shape: &Shape,
) -> usize {
    let asked = |test: &dyn Fn(&ColliderRef<'_>) -> bool| -> Vec<ColliderKey> {
        all.iter().filter(|c| test(c)).map(|c| c.key()).collect()
    };
    let meeting = asked(&|c| c.placed().intersects(shape));
    assert_eq!(world.intersecting(shape, filter), meeting);
    let contacts = all.iter().filter_map(|c| Some((c.key(), shape.contact(&c.placed())?)));
    assert_eq!(world.contacts(shape, filter), contacts.collect::<Vec<_>>());
    let area = shape.bounds();
    assert_eq!(world.intersecting_box(&area, filter), asked(&|c| c.placed().intersects(&area)));
    let point = Point::new(area.center());
    assert_eq!(world.at_point(area.center(), filter), asked(&|c| c.placed().intersects(&point)));
    meeting.len()
}

fn check_sweep(
    world: &World,
    filter: &Filter<'_>,
    all: &[ColliderRef<'_>],
    shape: &Shape,
    motion: Vec2,
) -> usize {
    let hits = all.iter().filter_map(|c| Some((c.key(), shape.sweep(motion, &c.placed())?)));
    let mut hits: Vec<(ColliderKey, SweepHit)> = hits.collect();
    hits.sort_by(|a, b| a.1.time.total_cmp(&b.1.time).then(a.0.cmp(&b.0)));
    assert_eq!(world.sweep_all(shape, motion, filter), hits);
    assert_eq!(world.sweep(shape, motion, filter), hits.first().copied());
    hits.len()
}

fn check_ray(
    world: &World,
    filter: &Filter<'_>,
    all: &[ColliderRef<'_>],
    origin: Vec2,
    direction: Vec2,
) -> usize {
    check_rays(world, filter, all, &Ray::new(origin, direction, 9.0))
}

fn check_rays(world: &World, filter: &Filter<'_>, all: &[ColliderRef<'_>], ray: &Ray) -> usize {
    let hits = all.iter().filter_map(|c| Some((c.key(), c.placed().raycast(ray)?)));
    let mut hits: Vec<(ColliderKey, RayHit)> = hits.collect();
    hits.sort_by(|a, b| a.1.distance.total_cmp(&b.1.distance).then(a.0.cmp(&b.0)));
    assert_eq!(world.raycast_all(ray, filter), hits);
    assert_eq!(world.raycast(ray, filter), hits.first().copied());
    hits.len()
}

fn check_nearest(world: &World, filter: &Filter<'_>, all: &[ColliderRef<'_>], point: Vec2) {
    let from = Point::new(point);
    let mut near: Vec<(ColliderKey, f32)> =
        all.iter().map(|c| (c.key(), c.placed().distance(&from))).collect();
    near.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    for count in [0, 1, 5, 1000] {
        assert_eq!(world.nearest(point, count, filter), near[..count.min(near.len())]);
    }
}

fn nearest_orders_the_smallest_and_the_largest_distances(mut world: World) {
    let tiny = f32::from_bits(1); // about 1e-45
    let colliders = [
        Collider::new(Point::new([tiny, 0.0])),
        Collider::new(Point::new([0.0, 0.0])),
        Collider::new(Circle::new([0.0, 3.0 * tiny], tiny)),
        Collider::new(Aabb::new([-2.0, -1.0], [-tiny, 1.0])),
        Collider::new(Segment::new([-1.0, tiny], [1.0, tiny])),
        Collider::new(Point::new([f32::MAX, f32::MAX])),
        Collider::new(Point::new([f32::MIN, f32::MAX])),
        Collider::new(Circle::new([f32::MAX, f32::MIN], 1e30)),
        Collider::new(Point::new([1.0, 0.0])),
    ];
    let key = |world: &World, index: usize| world.colliders().nth(index).unwrap().key();
    for collider in colliders {
        world.spawn(Body::moving([0.0, 0.0]), [collider]).unwrap();
    }
    let nearest = world.nearest([0.0, 0.0], 2, &Filter::new());
    assert_eq!(nearest, [(key(&world, 1), 0.0), (key(&world, 0), tiny)]);
    for point in [[0.0, 0.0], [tiny, tiny], [-tiny, 0.0], [f32::MIN, f32::MIN]] {
        let all: Vec<ColliderRef<'_>> = world.colliders().collect();
        check_nearest(&world, &Filter::new(), &all, point.into());
    }
}

fn rays_find_what_is_farther_away_than_the_largest_number(mut world: World) {
    let mut rng = Rng::new(1);
    // The bounds of all shapes are in the range of `f32`. What is beyond it is not found.
    let number = |rng: &mut Rng| rng.between(-12, 12) as f32 * (f32::MAX / 16.0);
    for _ in 0..40 {
        let at = [number(&mut rng), number(&mut rng)];
        let half = [(number(&mut rng) / 8.0).abs() + 1.0, (number(&mut rng) / 8.0).abs() + 1.0];
        let shape: Shape = match rng.below(3) {
            0 => Circle::new(at, half[0]).into(),
            1 => Obb::new(at, half, 0.5).into(),
            _ => Point::new(at).into(),
        };
        world.spawn(Body::moving([0.0, 0.0]), [Collider::new(shape)]).unwrap();
    }
    let all: Vec<ColliderRef<'_>> = world.colliders().collect();
    let mut hits = 0;
    for _ in 0..2000 {
        let origin = [number(&mut rng), number(&mut rng)];
        let direction = [rng.between(-4, 4) as f32, rng.between(-4, 4) as f32];
        if direction != [0.0, 0.0] {
            let ray = Ray::new(origin, direction, f32::INFINITY);
            let beyond = all.iter().filter_map(|it| it.placed().raycast(&ray));
            hits += beyond.filter(|hit| hit.distance == f32::MAX).count();
            check_rays(&world, &Filter::new(), &all, &ray);
        }
    }
    assert!(hits > 50, "{hits} hits beyond the largest number");
}

/// Plays the same game in two worlds. One of them is restored from time to time, from a copy or from saved data,
/// and plays the frames again.
fn rollbacks_change_no_event(with_broad_phase: fn(World) -> World) {
    let new_world = || with_broad_phase(World::new());
    for game in 0..GAMES {
        let (mut steady, mut other) = (new_world(), new_world());
        let mut restored = other.clone();
        let mut rng = Rng::new(game);
        let mut frame = 0;
        while frame < FRAMES {
            let snapshot = saved(&other, &mut rng, with_broad_phase);
            let ahead = rng.below(8) as u64;
            for lost in frame..frame + ahead {
                // The predicted inputs differ from the real ones.
                play(&mut other, game ^ rng.below(2) as u64, lost);
                other.update();
            }
            restored.clone_from(&snapshot);
            core::mem::swap(&mut other, &mut restored);
            assert_eq!(other.state_hash(), steady.state_hash(), "game {game}, frame {frame}");
            for frame in frame..frame + ahead + 1 {
                for world in [&mut steady, &mut other] {
                    play(world, game, frame);
                    world.update();
                }
                assert_eq!(events(&other), events(&steady), "game {game}, frame {frame}");
                assert_eq!(other.state_hash(), steady.state_hash(), "game {game}, frame {frame}");
            }
            frame += ahead + 1;
        }
    }
}

#[cfg(not(feature = "serde"))]
fn saved(world: &World, _: &mut Rng, _: fn(World) -> World) -> World {
    world.clone()
}

#[cfg(feature = "serde")]
fn saved(world: &World, rng: &mut Rng, with_broad_phase: fn(World) -> World) -> World {
    if rng.one_in(2) {
        return world.clone();
    }
    let text = serde_json::to_string(world).expect("worlds can be written");
    with_broad_phase(serde_json::from_str(&text).expect("and read"))
}
