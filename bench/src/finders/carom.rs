//! carom's own default. `carom bench` compares its methods.

use carom::broad::{BroadPhase, Mobility, Pair, Strips};

use crate::frames::{Finder, Frames};
use crate::results::{CAROM, CAROM_PARALLEL};
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
    let [one, all] = [(); 2].map(|()| Carom::new(Strips::new(), frames.scene()));
    frames.add(CAROM, "Strips", one);
    if cfg!(feature = "parallel") {
        frames.add_on_all_threads(CAROM_PARALLEL, "Strips, all threads", all);
    }
}
