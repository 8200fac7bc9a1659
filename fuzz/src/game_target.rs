//! A level with a body in it that travels, walks, is carried, and is rolled back.

use carom::broad::{AabbTree, Mobility};
use carom::prelude::*;

use crate::support::random_rooms::{
    any_motion, any_obstacle, any_place, any_pose, any_room, any_walker, overlapped,
};
use crate::support::rng::Rng;

const MOVES: usize = 8;

/// Plays a few moves. After each, the body overlaps nothing new; a plan and another broad phase give the
/// same result; and after a rollback, the same moves lead to the same state.
pub fn games(bytes: &[u8]) {
    let mut rng = Rng::from_bytes(bytes);
    let (mut world, body) = any_room(&mut rng);
    let walker = any_walker(&mut rng);
    let mut state = WalkerState::new();
    for _ in 0..MOVES {
        let (snapshot, snapshot_state) = (world.clone(), state);
        let mut again = rng.clone();
        play(&mut world, body, &walker, &mut state, &mut rng);
        let mut replayed = snapshot.with_broad_phase(AabbTree::new());
        let mut replayed_state = snapshot_state;
        play(&mut replayed, body, &walker, &mut replayed_state, &mut again);
        assert_eq!(world.state_hash(), replayed.state_hash(), "after a rollback");
        assert_eq!(state, replayed_state, "after a rollback");
    }
    let text = serde_json::to_string(&world).expect("every state can be written");
    let read: World = serde_json::from_str(&text).expect("what is written can be read");
    assert_eq!(world.state_hash(), read.state_hash(), "{text}");
}

/// Plays one move: what it is depends on the random numbers only.
fn play(world: &mut World, body: BodyKey, walker: &Walker, state: &mut WalkerState, rng: &mut Rng) {
    let motion = any_motion(rng);
    let old = overlapped(world, body);
    if crate::is_traced() {
        let text = serde_json::to_string(world).expect("every state can be written");
        eprintln!("{text}\nmotion {motion:?} of {body:?}, {walker:?}, {state:?}\n");
    }
    match rng.below(6) {
        0 | 1 => {
            let response = rng.pick(&[
                Response::Slide,
                Response::Slide,
                Response::Touch,
                Response::Bounce(0.75),
            ]);
            let planned = world.plan_travel(body, motion, |_| response).expect("the body exists");
            let travel = world.travel(body, motion, |_| response).expect("the body exists");
            assert_eq!(planned, travel);
            assert_no_new_overlap(world, body, &old, &format!("{motion:?}: {travel:?}"));
        }
        2 | 3 => {
            let motion = motion.clamp_length_max(10.0);
            let planned = world.plan_walk(body, walker, state, motion, &Filter::new());
            let walk = world.walk(body, walker, state, motion).expect("the body exists");
            assert_eq!(planned.expect("the body exists"), (walk.clone(), *state));
            assert_no_new_overlap(world, body, &old, &format!("{motion:?}: {walk:?}"));
        }
        4 => {
            let platform = rng.pick(&world.bodies().map(|(key, _)| key).collect::<Vec<_>>());
            world.carry(platform, motion.clamp_length_max(4.0)).expect("the body exists");
        }
        _ => {
            let other = rng.pick(&world.bodies().map(|(key, _)| key).collect::<Vec<_>>());
            if other == body {
                let mobility = rng.pick(&[Mobility::Moving, Mobility::Moving, Mobility::Fixed]);
                let key = world.add_body(Body::moving(any_place(rng, 6.0)).with_mobility(mobility));
                let key = key.expect("the pose is finite");
                world.add_collider(key, Collider::new(any_obstacle(rng))).expect("the body exists");
            } else if rng.one_in(2) {
                world.remove_body(other).map(drop).expect("the body exists");
            } else {
                world.set_pose(other, any_pose(rng, 6.0)).expect("the pose is finite");
            }
        }
    }
    world.update();
}

fn assert_no_new_overlap(world: &World, body: BodyKey, old: &[ColliderKey], report: &str) {
    let new: Vec<ColliderKey> =
        overlapped(world, body).into_iter().filter(|key| !old.contains(key)).collect();
    assert!(new.is_empty(), "{new:?} overlapped after {report}");
}
