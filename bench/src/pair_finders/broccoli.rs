//! broccoli: a tree that is rebuilt each frame, by one thread or with broccoli-rayon. Static boxes have a
//! separate tree, which is kept.

use broccoli::aabb::{BBox, ManySwappable, pin::AabbPin};
use broccoli::{Tree, TreeData, rect};
use broccoli_rayon::build::RayonBuildPar;
use broccoli_rayon::queries::colfind::RayonQueryPar;
use carom::broad::Pair;
use carom::shape::Aabb;

use super::{Split, ordered};
use crate::frames::{Finder, Frames};
use crate::indexes::sides;
use crate::scenes::BoxScene;

type Entry = ManySwappable<BBox<f32, u32>>;

struct Broccoli {
    moving: Vec<Entry>,
    still: Vec<Entry>,
    still_data: TreeData<f32>,
    parallel: bool,
    pairs: Vec<Pair>,
}

fn entry(bounds: &Aabb, id: u32) -> Entry {
    let [left, bottom, right, top] = sides(bounds);
    BBox::new(rect(left, right, bottom, top), id).many_swap()
}

impl Broccoli {
    fn new(scene: &BoxScene, parallel: bool) -> Self {
        let boxes = Split::new(scene);
        let mut still: Vec<Entry> = boxes.still.iter().map(|(it, id)| entry(it, *id)).collect();
        let still_data = Tree::new(&mut still).get_tree_data();
        Self { moving: Vec::new(), still, still_data, parallel, pairs: Vec::new() }
    }
}

impl Finder for Broccoli {
    fn frame(&mut self, scene: &BoxScene) {
        self.moving.clear();
        self.moving.extend(scene.moving().map(|(id, bounds)| entry(&bounds, id)));
        let mut with_still = Vec::new();
        if !self.still.is_empty() {
            // `find_colliding_pairs_with` only finds boxes that lie within others, so it cannot be used.
            let mut still = Tree::from_tree_data(&mut self.still, &self.still_data);
            for entry in &mut self.moving {
                still.find_all_intersect_rect(AabbPin::new(entry), |a, b| {
                    with_still.push(ordered(*a.unpack_inner(), *b.unpack_inner()));
                });
            }
        }
        self.pairs.clear();
        let mut tree = match self.parallel {
            true => Tree::par_new(&mut self.moving),
            false => Tree::new(&mut self.moving),
        };
        let pairs = &mut self.pairs;
        if self.parallel {
            *pairs = tree.par_find_colliding_pairs_acc_closure(
                Vec::new(),
                |_| Vec::new(),
                |pairs, more| pairs.extend(more),
                |pairs, a, b| pairs.push(ordered(*a.unpack_inner(), *b.unpack_inner())),
            );
        } else {
            tree.find_colliding_pairs(|a, b| {
                pairs.push(ordered(*a.unpack_inner(), *b.unpack_inner()));
            });
        }
        pairs.extend(with_still);
    }

    fn pairs(&mut self) -> Vec<Pair> {
        self.pairs.clone()
    }
}

pub fn add(frames: &mut Frames) {
    let one = Broccoli::new(frames.scene(), false);
    let all = Broccoli::new(frames.scene(), true);
    frames.add("broccoli", "one thread", one);
    frames.add_on_all_threads("broccoli", "all threads", all);
}
