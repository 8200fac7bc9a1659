//! carom's broad phases.

use carom::broad::{BroadPhase, Mobility, Pair, Strips};

use crate::frames::{Finder, Frames};
use crate::results::{CAROM, CAROM_PARALLEL};
use crate::scenes::BoxScene;

struct Carom<B> {
    broad: B,
    pairs: Vec<Pair>,
}

impl<B: BroadPhase> Carom<B> {
    fn new(broad: B, scene: &BoxScene) -> Self {
        Self { broad: filled(broad, scene), pairs: Vec::new() }
    }
}

/// Creates a broad phase with all boxes of a scene.
pub fn filled<B: BroadPhase>(mut broad: B, scene: &BoxScene) -> B {
    for (id, &(bounds, mobility)) in (0..).zip(scene.boxes()) {
        broad.set(id, bounds, mobility);
    }
    broad
}

impl<B: BroadPhase> Finder for Carom<B> {
    fn frame(&mut self, scene: &BoxScene) {
        for (id, bounds) in scene.moving() {
            self.broad.set(id, bounds, Mobility::Moving);
        }
        self.broad.find_pairs(&mut self.pairs);
    }

    fn pairs(&mut self) -> Vec<Pair> {
        self.pairs.clone()
    }
}

/// The default, with one thread and with all.
pub fn add_default(frames: &mut Frames) {
    add(frames, CAROM, Strips::new());
    if cfg!(feature = "parallel") {
        let all = Carom::new(Strips::new(), frames.scene());
        frames.add_on_all_threads(CAROM_PARALLEL, "all threads", all);
    }
}

/// A broad phase with a name.
pub fn add(frames: &mut Frames, name: &'static str, broad: impl BroadPhase + 'static) {
    let finder = Carom::new(broad, frames.scene());
    frames.add(name, "", finder);
}
