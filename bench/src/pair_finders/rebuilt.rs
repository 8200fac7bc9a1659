//! Indexes of the moving boxes that are rebuilt each frame and queried with one box after the other. The
//! index of the static boxes is kept.

use carom::broad::Pair;

use super::{Split, ordered};
use crate::frames::{Finder, Frames};
use crate::indexes::{GeoIndex, Index, Rstar, StaticAabb2d, sides};
use crate::scenes::BoxScene;

struct Rebuilt<I> {
    boxes: Split,
    still: I,
    pairs: Vec<Pair>,
}

impl<I: Index> Rebuilt<I> {
    fn new(scene: &BoxScene) -> Self {
        let boxes = Split::new(scene);
        Self { still: I::build(&boxes.still), boxes, pairs: Vec::new() }
    }
}

impl<I: Index> Finder for Rebuilt<I> {
    fn frame(&mut self, scene: &BoxScene) {
        self.boxes.update(scene);
        self.pairs.clear();
        let moving = I::build(&self.boxes.moving);
        for (bounds, id) in &self.boxes.moving {
            let (bounds, id) = (sides(bounds), *id);
            moving.meeting(bounds, |other| {
                if other > id {
                    self.pairs.push([id, other]);
                }
            });
            if !self.boxes.still.is_empty() {
                self.still.meeting(bounds, |other| self.pairs.push(ordered(id, other)));
            }
        }
    }

    fn pairs(&mut self) -> Vec<Pair> {
        self.pairs.clone()
    }
}

/// rstar can also join two trees; it reports every pair of a tree with itself twice.
struct RstarJoin {
    boxes: Split,
    still: Rstar,
    pairs: Vec<Pair>,
}

impl Finder for RstarJoin {
    fn frame(&mut self, scene: &BoxScene) {
        self.boxes.update(scene);
        self.pairs.clear();
        let Rstar(moving) = Rstar::build(&self.boxes.moving);
        let twice = moving.intersection_candidates_with_other_tree(&moving);
        self.pairs.extend(twice.filter(|(a, b)| a.data < b.data).map(|(a, b)| [a.data, b.data]));
        let with_still = moving.intersection_candidates_with_other_tree(&self.still.0);
        self.pairs.extend(with_still.map(|(a, b)| ordered(a.data, b.data)));
    }

    fn pairs(&mut self) -> Vec<Pair> {
        self.pairs.clone()
    }
}

pub fn add(frames: &mut Frames) {
    let scene = frames.scene();
    let (rstar, packed, geo) = (
        Rebuilt::<Rstar>::new(scene),
        Rebuilt::<StaticAabb2d>::new(scene),
        Rebuilt::<GeoIndex>::new(scene),
    );
    let boxes = Split::new(scene);
    let join = RstarJoin { still: Rstar::build(&boxes.still), boxes, pairs: Vec::new() };
    frames.add("rstar", "bulk load, look-ups", rstar);
    frames.add("rstar", "bulk load, join", join);
    frames.add("static_aabb2d_index", "", packed);
    frames.add("geo-index", "", geo);
}
