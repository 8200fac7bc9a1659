//! carom's own broad phases.

use carom::broad::{BroadPhase, BruteForce, Mobility, Pair};

use crate::frames::{Finder, Frames};
use crate::results::CAROM;
use crate::scenes::Scene;

struct Carom<B> {
    broad: B,
    pairs: Vec<Pair>,
}

impl<B: BroadPhase> Carom<B> {
    fn new(mut broad: B, scene: &Scene) -> Self {
        for (id, &(bounds, mobility)) in (0..).zip(scene.boxes()) {
            broad.set(id, bounds, mobility);
        }
        Self { broad, pairs: Vec::new() }
    }
}

impl<B: BroadPhase> Finder for Carom<B> {
    fn frame(&mut self, scene: &Scene) {
        for (id, bounds) in scene.moving() {
            self.broad.set(id, bounds, Mobility::Moving);
        }
        self.broad.find_pairs(&mut self.pairs);
    }

    fn pairs(&mut self) -> Vec<Pair> {
        self.pairs.clone()
    }
}

pub fn add(frames: &mut Frames) {
    if frames.boxes() <= 1_000 {
        let finder = Carom::new(BruteForce::new(), frames.scene());
        frames.add(CAROM, "brute force", finder);
    }
}
