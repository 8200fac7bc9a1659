//! Whole worlds: moves, broad phase, narrow phase with contacts, and events.

use crate::frames::Frames;
use crate::report::Bench;
use crate::scenes::{BoxScene, KINDS};
use crate::worlds;

pub fn rows(bench: &mut Bench) {
    for name in ["uniform", "tiles"] {
        let kind = KINDS.iter().find(|kind| kind.name == name).expect("the scene exists");
        for (size, bodies) in [("1k", 1_000), ("10k", 10_000), ("100k", 100_000)] {
            if bench.is_quick() && bodies > 1_000 {
                continue;
            }
            bench.frames(&format!("world {name} {size}"), || {
                let mut frames = Frames::of_shapes(|| BoxScene::new(kind, bodies), worlds::gap);
                worlds::add_all(&mut frames);
                frames
            });
        }
    }
}
