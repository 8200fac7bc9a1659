//! Pair finders: they find all pairs of a scene, frame by frame. One file per library.

pub mod box2d;
mod broccoli;
pub mod carom;
pub mod packed;
pub mod parry;
mod rapier;
mod rebuilt;

use ::carom::broad::{Mobility, Pair};
use ::carom::shape::Aabb;

use crate::frames::Frames;
use crate::scenes::BoxScene;

/// Adds all libraries, in the variants that may be their fastest. Large scenes are limited to those within
/// five times of the fastest library at 100,000 boxes: the others take seconds per frame.
pub fn add_all(frames: &mut Frames) {
    const VERY_MANY: usize = 200_000;
    carom::add_default(frames);
    parry::add(frames);
    packed::add(frames);
    broccoli::add(frames);
    if frames.boxes() <= VERY_MANY {
        rapier::add(frames);
        box2d::add(frames);
        rebuilt::add(frames);
    }
}

/// The boxes of a scene with their ids, moving and static ones separately.
struct Split {
    moving: Vec<(Aabb, u32)>,
    still: Vec<(Aabb, u32)>,
}

impl Split {
    fn new(scene: &BoxScene) -> Self {
        let of = |mobility| {
            let boxes = (0..).zip(scene.boxes()).filter(move |(_, it)| it.1 == mobility);
            boxes.map(|(id, &(bounds, _))| (bounds, id)).collect()
        };
        Self { moving: of(Mobility::Moving), still: of(Mobility::Fixed) }
    }

    /// Updates the moved boxes.
    fn update(&mut self, scene: &BoxScene) {
        self.moving.clear();
        self.moving.extend(scene.moving().map(|(id, bounds)| (bounds, id)));
    }
}

/// Orders a pair by id.
pub fn ordered(a: u32, b: u32) -> Pair {
    [a.min(b), a.max(b)]
}
