//! A tree of boxes within boxes, kept in balance.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::broad::boxes::{Boxes, NONE, Places};
use crate::broad::swept_aabb::SweptAabb;
use crate::broad::walk::{Below, Tree};
use crate::broad::{BroadPhase, Mobility, Pair, meet, pair};
use crate::shape::Aabb;

/// A binary tree in which each node's box holds those of its two children.
///
/// A new box goes down to where it makes the boxes on its way grow least; on the way back up, nodes
/// change places where that makes a box smaller, or where the tree leans too far to one side. The leaves are a little larger
/// than what is in them: a box that moves within its leaf changes nothing. Pairs are found by going
/// down two branches at a time, as long as their boxes meet.
///
/// Strength: it needs no tuning, takes boxes of all sizes anywhere, and costs nothing for what stands
/// still. Weakness: fast movers have to be taken out and put in again, which costs more than making
/// some other structures anew.
///
/// ```
/// use carom::broad::{AabbTree, BroadPhase, BroadPhaseExt, Mobility};
/// use carom::prelude::*;
///
/// let mut broad = AabbTree::new();
/// broad.set(0, Aabb::new([-1e6, -1.0], [1e6, 0.0]), Mobility::Fixed); // the ground
/// broad.set(1, Aabb::new([3.0, 0.0], [3.5, 0.5]), Mobility::Moving); // a pebble on it
/// broad.set(2, Aabb::new([3.0, 9.0], [3.5, 9.5]), Mobility::Moving);
///
/// let mut pairs = Vec::new();
/// broad.find_pairs(&mut pairs);
/// assert_eq!(pairs, [[0, 1]]);
/// let (under, _) = broad.raycast_first(&Ray::new([3.2, 8.0], [0.0, -1.0], 100.0)).unwrap();
/// assert_eq!(under, 1);
/// ```
#[derive(Clone, Debug)]
pub struct AabbTree {
    boxes: Boxes,
    /// The leaf of each box.
    leaf_of: Places,
    nodes: Vec<Node>,
    root: u32,
    free: Vec<u32>,
    /// Branches still to be held against each other.
    branches: Vec<(u32, u32)>,
}

#[derive(Clone, Debug)]
struct Node {
    bounds: Aabb,
    parent: u32,
    /// The two below, or the id of a leaf's box and none.
    below: [u32; 2],
    /// How many levels are below.
    height: i32,
    /// Whether something in it or below is moving.
    moving: bool,
}

impl Node {
    fn is_leaf(&self) -> bool {
        self.below[1] == NONE
    }
}

/// By which share of its size a leaf is larger than its box, on each side.
const MARGIN: f64 = 0.125;

/// How many levels one child may be higher than the other. Small boxes matter more than a low tree: with
/// one level at most, boxes are torn from their neighbours all the time.
const MOST_LEAN: i32 = 8;

impl Default for AabbTree {
    fn default() -> Self {
        Self::new()
    }
}

impl AabbTree {
    /// With no boxes yet.
    pub fn new() -> Self {
        Self {
            boxes: Boxes::default(),
            leaf_of: Places::default(),
            nodes: Vec::new(),
            root: NONE,
            free: Vec::new(),
            branches: Vec::new(),
        }
    }

    fn node(&self, place: u32) -> &Node {
        &self.nodes[place as usize]
    }

    fn node_mut(&mut self, place: u32) -> &mut Node {
        &mut self.nodes[place as usize]
    }

    fn add(&mut self, node: Node) -> u32 {
        match self.free.pop() {
            Some(place) => {
                *self.node_mut(place) = node;
                place
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        }
    }

    fn insert(&mut self, id: u32, bounds: &Aabb, mobility: Mobility) {
        let moving = mobility == Mobility::Moving;
        let bounds = if moving { fattened(bounds) } else { *bounds };
        let leaf = self.add(Node { bounds, parent: NONE, below: [id, NONE], height: 0, moving });
        self.leaf_of.set(id, leaf);
        if self.root == NONE {
            self.root = leaf;
            return;
        }
        let sibling = self.sibling_for(&bounds);
        let above = self.node(sibling).parent;
        let parent = self.add(Node {
            parent: above,
            below: [sibling, leaf],
            ..self.nodes[sibling as usize].clone()
        });
        self.replace(above, sibling, parent);
        self.node_mut(sibling).parent = parent;
        self.node_mut(leaf).parent = parent;
        self.mend_from(parent);
    }

    /// The node beside which a new box makes the boxes of the tree grow least.
    fn sibling_for(&self, bounds: &Aabb) -> u32 {
        let mut at = self.root;
        while !self.node(at).is_leaf() {
            let node = self.node(at);
            let joined = perimeter(&around(&node.bounds, bounds));
            // A new parent here has the size of both; going on, this node grows to it, and the new
            // parent further down is no smaller than the box itself.
            let here = joined;
            let growth = joined - perimeter(&node.bounds);
            let [one, other] = node.below.map(|below| {
                let below = self.node(below);
                let joined = perimeter(&around(&below.bounds, bounds));
                let further = joined - perimeter(&below.bounds) + perimeter(bounds);
                growth + if below.is_leaf() { joined } else { further }
            });
            if here < one && here < other {
                break;
            }
            // Where it makes no difference, the lower side: boxes in one place stay in balance.
            let [left, right] = node.below.map(|below| self.node(below).height);
            at = node.below[usize::from((other, right) < (one, left))];
        }
        at
    }

    fn take_out(&mut self, id: u32) {
        let leaf = self.leaf_of.get(id);
        let parent = self.node(leaf).parent;
        self.free.push(leaf);
        self.leaf_of.set(id, NONE);
        if parent == NONE {
            self.root = NONE;
            return;
        }
        let Node { below: [one, other], parent: above, .. } = *self.node(parent);
        let sibling = if one == leaf { other } else { one };
        self.replace(above, parent, sibling);
        self.node_mut(sibling).parent = above;
        self.free.push(parent);
        self.mend_from(above);
    }

    /// Puts one node in the place of another below a third, or at the root.
    fn replace(&mut self, above: u32, old: u32, new: u32) {
        match above {
            NONE => self.root = new,
            _ => {
                let below = &mut self.node_mut(above).below;
                below[usize::from(below[1] == old)] = new;
            }
        }
    }

    /// Makes a node and all above it right again after something has changed below.
    fn mend_from(&mut self, mut at: u32) {
        while at != NONE {
            self.refit(at);
            self.improve(at);
            at = self.balance(at);
            at = self.node(at).parent;
        }
    }

    fn refit(&mut self, at: u32) {
        let [one, other] = self.node(at).below.map(|below| self.node(below));
        let bounds = around(&one.bounds, &other.bounds);
        let (height, moving) = (1 + one.height.max(other.height), one.moving || other.moving);
        let node = self.node_mut(at);
        (node.bounds, node.height, node.moving) = (bounds, height, moving);
    }

    /// Lets a child change places with a child of the other where that makes the other smaller.
    fn improve(&mut self, at: u32) {
        let mut best = (0.0, 0, 0);
        for side in 0..2 {
            let [open, stay] = [side, 1 - side].map(|side| self.node(self.node(at).below[side]));
            if open.is_leaf() {
                continue;
            }
            for up in 0..2 {
                let rest = &self.node(open.below[1 - up]).bounds;
                let gain = perimeter(&open.bounds) - perimeter(&around(&stay.bounds, rest));
                if gain > best.0 {
                    best = (gain, side, up);
                }
            }
        }
        let (gain, side, up) = best;
        if gain > 0.0 {
            let [open, down] = [side, 1 - side].map(|side| self.node(at).below[side]);
            let up_node = core::mem::replace(&mut self.node_mut(open).below[up], down);
            self.node_mut(at).below[1 - side] = up_node;
            self.node_mut(down).parent = open;
            self.node_mut(up_node).parent = at;
            self.refit(open);
            self.refit(at);
        }
    }

    /// If one child is many levels higher than the other, it changes places with its parent, and gives
    /// it its own lower child. Gives the node that is now on top.
    ///
    /// A child that is larger than the higher one stays on top: further down, it would make all nodes
    /// above as large as itself, and whatever comes in later would find room there.
    ///
    /// ```text
    ///      at                 heavy
    ///     /  \                /   \
    /// light  heavy    ->     at   higher
    ///        /   \          /  \
    ///     lower  higher  light lower
    /// ```
    fn balance(&mut self, at: u32) -> u32 {
        let [one, other] = self.node(at).below;
        let lean = self.node(other).height - self.node(one).height;
        if lean.abs() <= MOST_LEAN {
            return at;
        }
        let (light, heavy) = if lean > 0 { (one, other) } else { (other, one) };
        if perimeter(&self.node(light).bounds) > perimeter(&self.node(heavy).bounds) {
            return at;
        }
        let [first, second] = self.node(heavy).below;
        let first_higher = self.node(first).height > self.node(second).height;
        let (higher, lower) = if first_higher { (first, second) } else { (second, first) };
        let above = self.node(at).parent;
        self.replace(above, at, heavy);
        self.node_mut(heavy).parent = above;
        self.node_mut(heavy).below = [at, higher];
        self.node_mut(at).parent = heavy;
        self.node_mut(at).below = [light, lower];
        self.node_mut(lower).parent = at;
        self.refit(at);
        self.refit(heavy);
        heavy
    }
}

fn fattened(bounds: &Aabb) -> Aabb {
    let size = (bounds.max().as_dvec2() - bounds.min().as_dvec2()).max_element();
    bounds.fattened(size * MARGIN)
}

fn around(a: &Aabb, b: &Aabb) -> Aabb {
    Aabb::new_unchecked(a.min().min(b.min()), a.max().max(b.max()))
}

fn perimeter(bounds: &Aabb) -> f64 {
    (bounds.max().as_dvec2() - bounds.min().as_dvec2()).element_sum()
}

impl Tree for AabbTree {
    fn root(&self) -> Option<u32> {
        (self.root != NONE).then_some(self.root)
    }

    fn open(&self, node: u32, mut show: impl FnMut(Below) -> ControlFlow<()>) -> ControlFlow<()> {
        // A leaf is larger than its box; the box itself tells more.
        let box_of = |leaf: &Node| Below::Box(leaf.below[0], self.boxes.at(leaf.below[0]).0);
        let node = self.node(node);
        if node.is_leaf() {
            return show(box_of(node));
        }
        node.below.into_iter().try_for_each(|place| match self.node(place) {
            leaf if leaf.is_leaf() => show(box_of(leaf)),
            below => show(Below::Node(place, below.bounds)),
        })
    }
}

impl BroadPhase for AabbTree {
    fn set(&mut self, id: u32, bounds: Aabb, mobility: Mobility) {
        if let Some((_, last)) = self.boxes.set(id, bounds, mobility) {
            let leaf = &self.node(self.leaf_of.get(id)).bounds;
            // A box that has become much smaller gets a new leaf, too.
            if last == mobility
                && leaf.contains_aabb(&bounds)
                && perimeter(leaf) <= 4.0 * perimeter(&fattened(&bounds))
            {
                return;
            }
            self.take_out(id);
        }
        self.insert(id, &bounds, mobility);
    }

    fn remove(&mut self, id: u32) -> bool {
        let found = self.boxes.remove(id).is_some();
        if found {
            self.take_out(id);
        }
        found
    }

    fn get(&self, id: u32) -> Option<(Aabb, Mobility)> {
        self.boxes.get(id)
    }

    fn len(&self) -> usize {
        self.boxes.len()
    }

    fn find_pairs(&mut self, pairs: &mut Vec<Pair>) -> u64 {
        self.find_pairs_within(usize::MAX, pairs).unwrap_or_default()
    }

    fn find_pairs_within(&mut self, limit: usize, pairs: &mut Vec<Pair>) -> Option<u64> {
        pairs.clear();
        let mut tests = 0;
        let mut branches = core::mem::take(&mut self.branches);
        branches.clear();
        branches.extend(self.root().map(|root| (root, root)));
        while pairs.len() <= limit
            && let Some((a, b)) = branches.pop()
        {
            let (first, second) = (self.node(a), self.node(b));
            if !first.moving && !second.moving {
                continue;
            }
            if a == b {
                if !first.is_leaf() {
                    let [one, other] = first.below;
                    branches.extend([(other, other), (one, one), (one, other)]);
                }
                continue;
            }
            tests += 1;
            if !meet(&first.bounds, &second.bounds) {
                continue;
            }
            if first.is_leaf() && second.is_leaf() {
                let [a, b] = [first.below[0], second.below[0]];
                tests += 1;
                if meet(&self.boxes.at(a).0, &self.boxes.at(b).0) {
                    pairs.push(pair(a, b));
                }
            } else if first.height > second.height {
                branches.extend(first.below.map(|below| (below, b)));
            } else {
                branches.extend(second.below.map(|below| (a, below)));
            }
        }
        self.branches = branches;
        (pairs.len() <= limit).then_some(tests)
    }

    fn visit_intersecting(
        &self,
        bounds: &Aabb,
        visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> u64 {
        self.walk_box(bounds, visit)
    }

    fn visit_swept(&self, path: &SweptAabb, visit: &mut dyn FnMut(u32, f32) -> f32) -> u64 {
        self.walk_path(path, visit)
    }

    fn visit_within(
        &self,
        from: &Aabb,
        within: f32,
        visit: &mut dyn FnMut(u32, f32) -> f32,
    ) -> u64 {
        self.walk_near(from, within, visit)
    }
}
