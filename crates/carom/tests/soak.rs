//! A long game: bodies come and go, and the memory stays flat. With the feature `parallel`, the state has the
//! same bits with one thread and with several. `.ci/wasm` compares the hash of all states with that on WebAssembly.
//!
//! `CAROM_SOAK=N` sets the number of frames. 200 bodies leave and 200 come in each, so 5000 frames are a
//! million bodies:
//!
//! ```sh
//! CAROM_SOAK=5000 cargo test --profile long -p carom --features parallel,serde --test soak -- --nocapture
//! ```

mod support;

use std::alloc::System;

use carom::prelude::*;
use carom::world::Layer;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use support::random_rooms::{any_motion, any_obstacle, any_pose, any_solid};
use support::rng::Rng;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const BODIES: usize = 1000;
const CHANGED: usize = 200;
const REACH: f32 = 60.0;

/// A world and the random numbers that drive it.
struct Game {
    world: World,
    rng: Rng,
    walkers: Vec<(BodyKey, WalkerState)>,
    #[cfg(feature = "parallel")]
    threads: rayon::ThreadPool,
}

impl Game {
    fn new(_threads: usize) -> Self {
        Self {
            world: World::new(),
            rng: Rng::new(22),
            walkers: Vec::new(),
            #[cfg(feature = "parallel")]
            threads: rayon::ThreadPoolBuilder::new().num_threads(_threads).build().unwrap(),
        }
    }

    /// Plays a frame and returns the hash of the state.
    fn frame(&mut self) -> u64 {
        let Self { world, rng, walkers, .. } = self;
        // 1. Bodies leave.
        let bodies: Vec<BodyKey> = world.bodies().map(|(key, _)| key).collect();
        if bodies.len() > BODIES {
            for _ in 0..CHANGED {
                let _ = world.remove_body(rng.pick(&bodies));
            }
        }
        walkers.retain(|(key, _)| world.body(*key).is_some());
        // 2. Bodies come.
        while world.body_count() <= BODIES {
            let pose = any_pose(rng, REACH);
            let is_fixed = rng.one_in(4);
            let body = if is_fixed { Body::fixed([0.0, 0.0]) } else { Body::moving([0.0, 0.0]) };
            let key = world.add_body(body.with_pose(pose)).unwrap();
            let shape = if is_fixed { any_obstacle(rng) } else { any_solid(rng) };
            let layer = Layer::new(rng.below(4) as u8);
            world.add_collider(key, Collider::new(shape).on_layer(layer)).unwrap();
            if !is_fixed && walkers.len() < 40 {
                walkers.push((key, WalkerState::new()));
            }
        }
        // 3. They move.
        let walker = Walker::new();
        for (key, state) in walkers {
            let motion = any_motion(rng).clamp_length_max(3.0);
            let _ = world.walk(*key, &walker, state, motion).unwrap();
        }
        for &key in bodies.iter().step_by(7) {
            let motion = any_motion(rng).clamp_length_max(3.0);
            if world.body(key).is_some() {
                let _ = world.travel(key, motion, |_| Response::Slide).unwrap();
            }
        }
        #[cfg(feature = "parallel")]
        self.threads.install(|| self.world.update().len());
        #[cfg(not(feature = "parallel"))]
        self.world.update();
        self.world.state_hash()
    }
}

fn live_bytes() -> i64 {
    let stats = ALLOCATOR.stats();
    stats.bytes_allocated as i64 - stats.bytes_deallocated as i64
}

/// Runs all games in one test, because the memory of other tests would be counted.
#[test]
fn a_long_game_keeps_its_memory_and_its_bits() {
    let frames = std::env::var("CAROM_SOAK").map_or(30, |text| text.parse().expect("a number"));
    let (mut one, mut other) = (Game::new(1), Game::new(4));
    let (mut after_warm_up, mut all_hashes) = (0, 0u64);
    for frame in 0..frames {
        let (hash, same) = (one.frame(), other.frame());
        assert_eq!(hash, same, "frame {frame}");
        all_hashes = all_hashes.rotate_left(5) ^ hash;
        #[cfg(feature = "serde")]
        if frame % 100 == 99 {
            let text = serde_json::to_string(&one.world).unwrap();
            let read: World = serde_json::from_str(&text).unwrap();
            assert_eq!(read.state_hash(), hash, "frame {frame}, read back");
        }
        if frame == frames / 3 {
            after_warm_up = live_bytes();
        }
        if frame % 1000 == 999 {
            println!("frame {}: {} bytes live", frame + 1, live_bytes());
        }
    }
    // Lists may still grow a little; what is lost in each frame would add up.
    let (live, bodies) = (live_bytes(), frames * CHANGED);
    println!("{after_warm_up} bytes live after a third, {live} at the end");
    println!("{frames} frames, {bodies} bodies, hash of all states {all_hashes:016x}");
    assert!(live <= after_warm_up * 5 / 4, "{after_warm_up} bytes grew to {live}");
}
