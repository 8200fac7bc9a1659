//! carom's broad phases compared with its default. On no scene may another one be more than 1.3 times as
//! fast, so the ratio must be at least 0.77.

use ::carom::broad::{AabbTree, BruteForce, Grid, QuadTree, SweepAndPrune};

use crate::frames::Frames;
use crate::pair_finders::carom;
use crate::report::Bench;
use crate::scenes::{BoxScene, KINDS, SceneKind};

/// The limit for brute force, which is quadratic.
const MOST_FOR_BRUTE_FORCE: usize = 2_000;

pub fn rows(bench: &mut Bench) {
    for kind in &KINDS {
        for (size, boxes) in [("1k", 1_000), ("10k", 10_000)] {
            if boxes <= kind.max_boxes {
                bench.frames(&format!("methods {} {size}", kind.name), || row(kind, boxes));
            }
        }
    }
}

fn row(kind: &SceneKind, boxes: usize) -> Frames {
    let mut frames = Frames::new(|| BoxScene::new(kind, boxes));
    carom::add_default(&mut frames);
    carom::add(&mut frames, "aabb-tree", AabbTree::new());
    carom::add(&mut frames, "grid", Grid::new());
    carom::add(&mut frames, "quad-tree", QuadTree::new());
    carom::add(&mut frames, "sweep-and-prune", SweepAndPrune::new());
    if boxes <= MOST_FOR_BRUTE_FORCE {
        carom::add(&mut frames, "brute-force", BruteForce::new());
    }
    frames
}
