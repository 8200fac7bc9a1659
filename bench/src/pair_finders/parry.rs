//! parry2d's `Bvh`: refitted or rebuilt, by one thread or with its `parallel` feature.
//! Leaves are as large as the boxes: the smallest possible margin marks them as changed without
//! making them larger.

use carom::broad::Pair;
use carom::shape::Aabb as Bounds;
use parry2d::bounding_volume::Aabb;
use parry2d::math::Vector;
use parry2d::partitioning::{Bvh, BvhBuildStrategy, BvhNode, BvhWorkspace};

use super::{Split, ordered};
use crate::frames::{Finder, Frames};
use crate::indexes::{Index, Sides};
use crate::results::PARRY;
use crate::scenes::BoxScene;

const MARGIN: f32 = f32::MIN_POSITIVE;

pub fn aabb(bounds: Bounds) -> Aabb {
    let corner = |corner: [f32; 2]| Vector::new(corner[0], corner[1]);
    Aabb::new(corner(bounds.min().to_array()), corner(bounds.max().to_array()))
}

pub fn tree(boxes: &[(Bounds, u32)]) -> Bvh {
    let leaves = boxes.iter().map(|&(bounds, id)| (id as usize, aabb(bounds)));
    Bvh::from_iter(BvhBuildStrategy::Binned, leaves)
}

/// A tree for spatial queries.
pub struct Leaves(Bvh);

impl Index for Leaves {
    fn build(boxes: &[(Bounds, u32)]) -> Self {
        Self(tree(boxes))
    }

    fn meeting(&self, [left, bottom, right, top]: Sides, found: impl FnMut(u32)) {
        let aabb = Aabb::new(Vector::new(left, bottom), Vector::new(right, top));
        self.0.intersect_aabb(&aabb).for_each(found);
    }
}

/// One tree for all boxes, kept from frame to frame.
struct OneTree {
    tree: Bvh,
    workspace: BvhWorkspace,
    optimize: bool,
    parallel: bool,
    has_static: bool,
    updates: Vec<(Aabb, u32, f32)>,
    pairs: Vec<(u32, u32)>,
}

impl OneTree {
    fn new(scene: &BoxScene, optimize: bool, parallel: bool) -> Self {
        let Split { mut moving, still } = Split::new(scene);
        let has_static = !still.is_empty();
        for (bounds, _) in &mut moving {
            // At another position, so that everything moves in the first frame.
            *bounds = bounds.translated([1.0, 0.0]);
        }
        moving.extend(still);
        Self {
            tree: tree(&moving),
            workspace: BvhWorkspace::default(),
            optimize,
            parallel,
            has_static,
            updates: Vec::new(),
            pairs: Vec::new(),
        }
    }

    fn find<const ONLY_CHANGED: bool>(&mut self) {
        if self.parallel {
            self.pairs = self.tree.traverse_bvtt_single_tree_parallel::<ONLY_CHANGED>();
        } else {
            let pairs = &mut self.pairs;
            pairs.clear();
            let add = &mut |a, b| pairs.push((a, b));
            self.tree.traverse_bvtt_single_tree::<ONLY_CHANGED>(&mut self.workspace, add);
        }
    }
}

impl Finder for OneTree {
    fn frame(&mut self, scene: &BoxScene) {
        if self.parallel {
            self.updates.clear();
            self.updates.extend(scene.moving().map(|(id, it)| (aabb(it), id, MARGIN)));
            let statuses = &mut Vec::new();
            self.tree.insert_or_update_batch_partially_parallel(&self.updates, statuses);
        } else {
            for (id, bounds) in scene.moving() {
                self.tree.insert_or_update_partially(aabb(bounds), id, MARGIN);
            }
        }
        if self.optimize {
            self.tree.optimize_incremental(&mut self.workspace);
        }
        match self.parallel {
            true => self.tree.refit_parallel(&mut self.workspace),
            false => self.tree.refit(&mut self.workspace),
        }
        match self.has_static {
            true => self.find::<true>(),
            false => self.find::<false>(),
        }
    }

    fn pairs(&mut self) -> Vec<Pair> {
        self.pairs.iter().map(|&(a, b)| ordered(a, b)).collect()
    }
}

/// One tree of the moving boxes, refitted or rebuilt, and one of the static boxes.
struct TwoTrees {
    still: Bvh,
    moving: Bvh,
    boxes: Vec<(Bounds, u32)>,
    workspace: BvhWorkspace,
    rebuild: bool,
    pairs: Vec<(u32, u32)>,
}

impl TwoTrees {
    fn new(scene: &BoxScene, rebuild: bool) -> Self {
        let Split { moving, still } = Split::new(scene);
        Self {
            still: tree(&still),
            moving: tree(&moving),
            boxes: moving,
            workspace: BvhWorkspace::default(),
            rebuild,
            pairs: Vec::new(),
        }
    }
}

impl Finder for TwoTrees {
    fn frame(&mut self, scene: &BoxScene) {
        if self.rebuild {
            self.boxes.clear();
            self.boxes.extend(scene.moving().map(|(id, bounds)| (bounds, id)));
            self.moving = tree(&self.boxes);
        } else {
            for (id, bounds) in scene.moving() {
                self.moving.insert_or_update_partially(aabb(bounds), id, MARGIN);
            }
            self.moving.refit(&mut self.workspace);
        }
        let pairs = &mut self.pairs;
        pairs.clear();
        let add = &mut |a, b| pairs.push((a, b));
        self.moving.traverse_bvtt_single_tree::<false>(&mut self.workspace, add);
        if !self.still.is_empty() {
            pairs.extend(self.moving.leaf_pairs(&self.still, BvhNode::intersects));
        }
    }

    fn pairs(&mut self) -> Vec<Pair> {
        self.pairs.iter().map(|&(a, b)| ordered(a, b)).collect()
    }
}

pub fn add(frames: &mut Frames) {
    let variants = [
        ("refit", false, false),
        ("refit, optimize", true, false),
        ("refit, all threads", false, true),
        ("refit, optimize, all threads", true, true),
    ];
    for (variant, optimize, parallel) in variants {
        let finder = OneTree::new(frames.scene(), optimize, parallel);
        match parallel {
            true => frames.add_on_all_threads(PARRY, variant, finder),
            false => frames.add(PARRY, variant, finder),
        }
    }
    let finder = TwoTrees::new(frames.scene(), true);
    frames.add(PARRY, "rebuild", finder);
    if frames.has_static() {
        let finder = TwoTrees::new(frames.scene(), false);
        frames.add(PARRY, "refit, static tree apart", finder);
    }
}
