//! With the feature `parallel`, any number of threads gives the same bits.
#![cfg(feature = "parallel")]

mod support;

use carom::prelude::*;
use support::random_game::any_shape;
use support::rng::Rng;

/// Plays a crowded game with the given number of threads; returns the hash of every frame.
fn hashes(threads: usize) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut rng = Rng::new(5);
        let mut world = World::new();
        let mut bodies = Vec::new();
        for _ in 0..600 {
            let at = [rng.signed() * 9.0, rng.signed() * 9.0];
            let body = world.add_body(Body::moving(at)).unwrap();
            world.add_collider(body, Collider::new(any_shape(&mut rng))).unwrap();
            bodies.push(body);
        }
        let frame = |_| {
            for &body in &bodies {
                world.translate(body, [rng.signed(), rng.signed()]).unwrap();
            }
            // Enough pairs for many threads: each gets at least two thousand.
            assert!(world.update().len() > 5000);
            world.state_hash()
        };
        (0..4).map(frame).collect()
    })
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let alone = hashes(1);
    for threads in [2, 3, 8] {
        assert_eq!(hashes(threads), alone, "{threads} threads");
    }
}
