//! All pairs in every frame: the scenes of `carom bench`, in four sizes.

use crate::frames::Frames;
use crate::pair_finders;
use crate::report::Bench;
use crate::scenes::{BoxScene, KINDS, SceneKind};

const SCENES: [&str; 6] = ["uniform", "cluster", "mixed", "thin", "tiles", "powerlaw"];

const SIZES: [(&str, usize); 4] =
    [("1k", 1_000), ("10k", 10_000), ("100k", 100_000), ("1M", 1_000_000)];

/// The largest sizes take minutes.
const QUICK: usize = 10_000;

pub fn rows(bench: &mut Bench) {
    for name in SCENES {
        let kind = KINDS.iter().find(|kind| kind.name == name).expect("the scene exists");
        for (size, boxes) in SIZES {
            if !bench.is_quick() || boxes <= QUICK {
                bench.frames(&format!("pairs {name} {size}"), || row(kind, boxes));
            }
        }
    }
}

fn row(kind: &SceneKind, boxes: usize) -> Frames {
    let mut frames = Frames::new(|| BoxScene::new(kind, boxes));
    pair_finders::add_all(&mut frames);
    frames
}
