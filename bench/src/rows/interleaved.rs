//! Boxes that query while they move, one after the other: each makes two queries along its motion, moves,
//! and queries what it intersects, so that nothing can be prepared for all of them at once. Then all
//! pairs are found. carom only.

use std::hint::black_box;
use std::ops::ControlFlow;

use ::carom::broad::{BroadPhase, Mobility, Pair, Strips, SweptAabb};

use crate::frames::{Finder, Frames};
use crate::pair_finders::carom;
use crate::report::Bench;
use crate::results::CAROM;
use crate::scenes::{BoxScene, KINDS};

pub fn rows(bench: &mut Bench) {
    for name in ["sparse", "tiles"] {
        let kind = KINDS.iter().find(|kind| kind.name == name).expect("the scene exists");
        for (size, boxes) in [("1k", 1_000), ("10k", 10_000), ("100k", 100_000)] {
            if !bench.is_quick() || boxes <= 10_000 {
                bench.frames(&format!("in turn {name} {size}"), || {
                    let mut frames = Frames::new(|| BoxScene::new(kind, boxes));
                    let broad = carom::filled(Strips::new(), frames.scene());
                    frames.add(CAROM, "Strips", Walkers { broad, pairs: Vec::new() });
                    frames
                });
            }
        }
    }
}

struct Walkers {
    broad: Strips,
    pairs: Vec<Pair>,
}

impl Finder for Walkers {
    fn frame(&mut self, scene: &BoxScene) {
        for (id, bounds) in scene.moving() {
            let broad = &mut self.broad;
            let (last, _) = broad.get(id).expect("all boxes are there");
            let motion = bounds.min() - last.min();
            for share in [1.0, 0.5] {
                let path = SweptAabb::from_motion(&last, motion * share);
                broad.visit_swept(&path, &mut |other, _, time| {
                    black_box((other, time));
                    path.end()
                });
            }
            broad.set(id, bounds, Mobility::Moving);
            broad.visit_intersecting(&bounds, &mut |other| {
                black_box(other);
                ControlFlow::Continue(())
            });
        }
        self.broad.find_pairs(&mut self.pairs);
    }

    fn pairs(&mut self) -> Vec<Pair> {
        self.pairs.clone()
    }
}
