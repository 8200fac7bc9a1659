//! The law of moves: after a travel or a walk, nothing overlaps that did not overlap before (law 6).
//!
//! `CAROM_CASES=N` sets the number of moves, `CAROM_SEED=S` the first room.

mod support;

use carom::broad::AabbTree;
use carom::motion::TravelHit;
use carom::prelude::*;
use support::random_rooms::{
    any_motion, any_place, any_pose, any_room, any_solid, any_walker, fronts, overlapped,
};
use support::rng::Rng;

const MOVES: u64 = 24;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn any_response(rng: &mut Rng) -> Response {
    match rng.below(8) {
        0 => Response::Touch,
        1 => Response::Cross,
        2 | 3 => Response::Bounce(0.5 + rng.signed() * 0.5),
        4 => Response::Redirect(any_motion(rng)),
        _ => Response::Slide,
    }
}

#[test]
fn a_travel_adds_no_overlap() {
    let (first, cases) = (number("CAROM_SEED", 0), number("CAROM_CASES", 20_000));
    for seed in first..first + cases.div_ceil(MOVES) {
        let mut rng = Rng::new(seed);
        let (mut world, body) = any_room(&mut rng);
        for turn in 0..MOVES {
            let motion = any_motion(&mut rng);
            let (fixed, mut varying) = (any_response(&mut rng), rng.clone());
            let is_fixed = rng.one_in(2);
            let mut respond = move || if is_fixed { fixed } else { any_response(&mut varying) };
            let old = overlapped(&world, body);
            let mut twin = respond.clone();
            let planned = world.plan_travel(body, motion, |_| twin()).unwrap();
            if turn == 0 {
                let mut twin = respond.clone();
                let other = world.clone().with_broad_phase(AabbTree::new());
                assert_eq!(planned, other.plan_travel(body, motion, |_| twin()).unwrap());
            }
            let travel = world.travel(body, motion, |_| respond()).unwrap();
            let place = format!("CAROM_SEED={seed}, move {turn} by {motion:?}");
            assert_eq!(planned, travel, "{place}");
            assert_eq!(world.body(body).unwrap().pose.position, travel.end, "{place}");
            for other in overlapped(&world, body) {
                let crossed =
                    |hit: &TravelHit| hit.other == other && hit.response == Response::Cross;
                assert!(
                    old.contains(&other) || travel.hits().iter().any(crossed),
                    "{place}: {other} is overlapped, after {travel:?}"
                );
            }
            let is_ordered = travel.hits().is_sorted_by(|a, b| a.time <= b.time);
            assert!(is_ordered, "{place}: {travel:?}");
        }
    }
}

/// Returns the one-way surfaces in a world that a body is wholly in front of, by more than rounding, and that
/// its foot comes down on with a motion. (A body that hits the end of such a surface from the side passes.)
fn fronts_below(world: &World, body: BodyKey, motion: Vec2) -> Vec<Segment> {
    let own: Vec<Shape> = placed(world, body);
    let is_beyond = |front: &Segment| {
        let along = front.b() - front.a();
        let up = along.perp().normalize();
        let height = |foot: Vec2| (foot - front.a()).dot(up);
        let feet = own.iter().map(|shape| shape.support(-up));
        let Some(foot) = feet.min_by(|a, b| height(*a).total_cmp(&height(*b))) else {
            return false;
        };
        let landing = foot + motion * (height(foot) / -motion.dot(up));
        let share = (landing - front.a()).dot(along) / along.dot(along);
        height(foot) > 1e-2 && motion.dot(up) < 0.0 && (0.01..0.99).contains(&share)
    };
    // The direction of a platform is that of its collider.
    let others =
        world.colliders().filter(|other| other.body_key() != body && other.one_way().is_none());
    others.flat_map(|other| fronts(&other.placed().to_shape())).filter(is_beyond).collect()
}

fn placed(world: &World, body: BodyKey) -> Vec<Shape> {
    world
        .colliders_of(body)
        .filter_map(|key| Some(world.collider(key)?.placed().to_shape()))
        .collect()
}

#[test]
fn no_front_is_entered_from_beyond_on_a_straight_path() {
    let (first, cases) = (number("CAROM_SEED", 0), number("CAROM_CASES", 20_000));
    let (mut known, mut met) = (0, 0);
    for seed in first..first + cases.div_ceil(MOVES) {
        let mut rng = Rng::new(seed);
        let (mut world, body) = any_room(&mut rng);
        for turn in 0..MOVES {
            let motion = any_motion(&mut rng);
            let below = fronts_below(&world, body, motion);
            let travel = world.travel(body, motion, |_| Response::Touch).unwrap();
            if travel.is_stuck || travel.push != Vec2::ZERO {
                continue;
            }
            known += below.len() as u64;
            met += travel.hits().len() as u64;
            for (front, shape) in below
                .iter()
                .flat_map(|front| placed(&world, body).into_iter().map(move |shape| (front, shape)))
            {
                let place = format!("CAROM_SEED={seed}, move {turn} by {motion:?}");
                // Lines may overlap by the contact tolerance, a few units in the last place.
                let far = shape.bounds().min().abs().max(shape.bounds().max().abs()).max_element();
                let depth = shape.contact(front).map_or(0.0, |contact| contact.depth);
                let is_kept = depth <= 8.0 * f32::EPSILON * far;
                assert!(is_kept, "{place}: {shape:?} in {front:?} after {travel:?}");
            }
        }
    }
    assert!(known * 50 > cases && met * 20 > cases, "{known} {met}");
}

/// Rooms so dense that bodies often start in overlap and cannot get free.
fn any_dense_room(rng: &mut Rng) -> (World, BodyKey) {
    let mut world = World::new();
    let level = world.add_body(Body::fixed([0.0, 0.0])).unwrap();
    for _ in 0..12 + rng.below(16) {
        let shape = any_solid(rng).transformed(&any_pose(rng, 2.0));
        world.add_collider(level, Collider::new(shape)).unwrap();
    }
    let body = world.add_body(Body::moving(any_place(rng, 1.5))).unwrap();
    let parts: Vec<Shape> =
        (0..1 + rng.below(3)).map(|_| any_solid(rng).transformed(&any_pose(rng, 1.0))).collect();
    let shape = if rng.one_in(4) { parts[0].clone() } else { Compound::new(parts).into() };
    world.add_collider(body, Collider::new(shape)).unwrap();
    (world, body)
}

#[test]
fn a_body_that_is_stuck_enters_nothing_new() {
    let (first, cases) = (number("CAROM_SEED", 0), number("CAROM_CASES", 4_000));
    let mut stuck = 0;
    for seed in first..first + cases.div_ceil(MOVES) {
        let mut rng = Rng::new(seed);
        let (mut world, body) = any_dense_room(&mut rng);
        let (walker, mut state) = (any_walker(&mut rng), WalkerState::new());
        for turn in 0..MOVES {
            let motion = any_motion(&mut rng);
            let old = overlapped(&world, body);
            let place = format!("CAROM_SEED={seed}, move {turn} by {motion:?}");
            let (is_stuck, text) = if rng.one_in(2) {
                let response = rng.pick(&[Response::Touch, Response::Slide, Response::Bounce(0.5)]);
                let travel = world.travel(body, motion, |_| response).unwrap();
                (travel.is_stuck, format!("{travel:?}"))
            } else {
                let walk = world.walk(body, &walker, &mut state, motion).unwrap();
                (walk.is_stuck, format!("{walk:?}"))
            };
            stuck += u64::from(is_stuck);
            for other in overlapped(&world, body) {
                assert!(old.contains(&other), "{place}: {other} is overlapped, after {text}");
            }
        }
    }
    assert!(stuck * 4 > cases, "{stuck} of {cases} were stuck");
}

#[test]
fn a_walk_adds_no_overlap() {
    let (first, cases) = (number("CAROM_SEED", 0), number("CAROM_CASES", 20_000));
    let (mut on_floor, mut stepped, mut walls) = (0, 0, 0);
    for seed in first..first + cases.div_ceil(MOVES) {
        let mut rng = Rng::new(seed);
        let (mut world, body) = any_room(&mut rng);
        let (walker, mut state) = (any_walker(&mut rng), WalkerState::new());
        let ahead = any_motion(&mut rng).clamp_length_max(1.0);
        let way = ahead - walker.up * walker.up.dot(ahead);
        for turn in 0..MOVES {
            let old = overlapped(&world, body);
            let fall = walker.up * (rng.signed() - 0.75);
            let motion = if rng.one_in(8) { any_motion(&mut rng) } else { way + fall };
            if rng.one_in(16) {
                state.drop_through();
            }
            let place = format!("CAROM_SEED={seed}, move {turn} by {motion:?} as {walker:?}");
            let planned = world.plan_walk(body, &walker, &state, motion, &Filter::new()).unwrap();
            let walk = world.walk(body, &walker, &mut state, motion).unwrap();
            assert_eq!(planned, (walk.clone(), state), "{place}");
            for other in overlapped(&world, body) {
                assert!(old.contains(&other), "{place}: {other} is overlapped, after {walk:?}");
            }
            on_floor += u64::from(walk.on_floor());
            stepped += u64::from(walk.stepped);
            walls += u64::from(walk.wall.is_some());
        }
    }
    let enough = |count: u64, share: u64| count * share > cases;
    assert!(
        enough(on_floor, 10) && enough(walls, 10) && enough(stepped, 2000),
        "{on_floor} {walls} {stepped}"
    );
}
