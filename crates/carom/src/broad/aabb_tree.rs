//! A dynamic AABB tree: a binary bounding volume hierarchy that is updated as boxes move.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::broad::shared::box_table::{BoxTable, IdMap, NONE};
use crate::broad::shared::box_tree::{BoxTree, Child, visit_by_traversal};
use crate::broad::shared::visitors::{PairSink, pair};
use crate::broad::swept_aabb::SweptAabb;
use crate::broad::{BroadPhase, Mobility, Pair, PairLimit};
use crate::shape::Aabb;

/// A dynamic AABB tree, as in Box2D: a binary bounding volume hierarchy (BVH) in which the box of each node
/// contains those of its two children.
///
/// A new box descends to where it enlarges the boxes of the tree least (the surface area heuristic, in 2D by
/// perimeter). On the way back up, nodes are rotated where that makes a box smaller, or where the tree has
/// become too unbalanced. Leaves are a little larger than their boxes ("fat AABBs"), so a box that moves
/// within its leaf changes nothing. Pairs are found by descending into two branches at a time as long as
/// their boxes intersect.
///
/// **Strengths:** needs no tuning, accepts boxes of all sizes anywhere, and costs nothing for boxes that do
/// not move. **Weaknesses:** fast boxes have to be removed and inserted again, which costs more than building
/// some other structures from scratch.
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
#[doc(alias = "BVH")]
#[doc(alias = "AABB tree")]
#[doc(alias = "DynamicTree")]
#[doc(alias = "bounding volume hierarchy")]
pub struct AabbTree {
    boxes: BoxTable,
    /// The leaf of each box.
    leaf_of: IdMap,
    nodes: Vec<Node>,
    root: u32,
    free: Vec<u32>,
    /// Scratch buffer of the search for pairs: branches to be tested against each other.
    stack: Vec<(u32, u32)>,
}

#[derive(Clone, Debug)]
struct Node {
    bounds: Aabb,
    parent: u32,
    /// The two children; in a leaf, the id of its box and [`NONE`].
    children: [u32; 2],
    /// The number of levels below.
    height: i32,
    /// `true` if a box in this node or below is moving.
    is_moving: bool,
}

impl Node {
    fn is_leaf(&self) -> bool {
        self.children[1] == NONE
    }
}

/// The margin of a leaf around its box on each side, relative to the size of the box.
const MARGIN: f64 = 0.125;

/// The number of levels by which one child may be higher than the other. Small boxes matter more than a low
/// tree: with a limit of one level, boxes would often be separated from their neighbors.
const MAX_IMBALANCE: i32 = 8;

impl Default for AabbTree {
    fn default() -> Self {
        Self::new()
    }
}

impl AabbTree {
    /// Creates an empty broad phase.
    pub fn new() -> Self {
        Self {
            boxes: BoxTable::default(),
            leaf_of: IdMap::default(),
            nodes: Vec::new(),
            root: NONE,
            free: Vec::new(),
            stack: Vec::new(),
        }
    }

    /// Removes all boxes, but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.boxes.clear();
        self.leaf_of.clear();
        self.nodes.clear();
        self.free.clear();
        self.root = NONE;
    }

    fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    fn node_mut(&mut self, index: u32) -> &mut Node {
        &mut self.nodes[index as usize]
    }

    fn add_node(&mut self, node: Node) -> u32 {
        match self.free.pop() {
            Some(index) => {
                *self.node_mut(index) = node;
                index
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        }
    }

    fn insert(&mut self, id: u32, bounds: &Aabb, mobility: Mobility) {
        let is_moving = mobility == Mobility::Moving;
        let bounds = if is_moving { fattened(bounds) } else { *bounds };
        let leaf = Node { bounds, parent: NONE, children: [id, NONE], height: 0, is_moving };
        let leaf = self.add_node(leaf);
        self.leaf_of.set(id, leaf);
        if self.root == NONE {
            self.root = leaf;
            return;
        }
        // 1. Find a sibling for the leaf.
        let sibling = self.find_best_sibling(&bounds);
        // 2. Put a new parent of both in the sibling's position.
        let grandparent = self.node(sibling).parent;
        let parent = self.add_node(Node {
            parent: grandparent,
            children: [sibling, leaf],
            ..self.nodes[sibling as usize].clone()
        });
        self.replace_child(grandparent, sibling, parent);
        self.node_mut(sibling).parent = parent;
        self.node_mut(leaf).parent = parent;
        // 3. Update the nodes above.
        self.refit_ancestors(parent);
    }

    /// Returns the node beside which a new box enlarges the boxes of the tree least.
    fn find_best_sibling(&self, bounds: &Aabb) -> u32 {
        let mut index = self.root;
        while !self.node(index).is_leaf() {
            let node = self.node(index);
            // The cost of a new parent here is its perimeter. If we descend instead, this node grows by the
            // difference, and the new parent further down is at least as large as the box itself.
            let here = perimeter(&union(&node.bounds, bounds));
            let growth = here - perimeter(&node.bounds);
            let [one, other] = node.children.map(|child| {
                let child = self.node(child);
                let joined = perimeter(&union(&child.bounds, bounds));
                let further = joined - perimeter(&child.bounds) + perimeter(bounds);
                growth + if child.is_leaf() { joined } else { further }
            });
            if here < one && here < other {
                break;
            }
            // If both cost the same, choose the lower child, so that boxes at one position stay balanced.
            let [left, right] = node.children.map(|child| self.node(child).height);
            index = node.children[usize::from((other, right) < (one, left))];
        }
        index
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
        // The sibling takes the position of the parent.
        let Node { children: [one, other], parent: grandparent, .. } = *self.node(parent);
        let sibling = if one == leaf { other } else { one };
        self.replace_child(grandparent, parent, sibling);
        self.node_mut(sibling).parent = grandparent;
        self.free.push(parent);
        self.refit_ancestors(grandparent);
    }

    /// Replaces a child of a node, or the root if the parent is [`NONE`].
    fn replace_child(&mut self, parent: u32, old: u32, new: u32) {
        match parent {
            NONE => self.root = new,
            _ => {
                let children = &mut self.node_mut(parent).children;
                children[usize::from(children[1] == old)] = new;
            }
        }
    }

    /// Updates a node and all above it after a change below.
    fn refit_ancestors(&mut self, mut index: u32) {
        while index != NONE {
            #[cfg(test)]
            crate::operation_count::add(1);
            self.refit(index);
            self.rotate(index);
            index = self.balance(index);
            index = self.node(index).parent;
        }
    }

    fn refit(&mut self, index: u32) {
        let [one, other] = self.node(index).children.map(|child| self.node(child));
        let bounds = union(&one.bounds, &other.bounds);
        let height = 1 + one.height.max(other.height);
        let is_moving = one.is_moving || other.is_moving;
        let node = self.node_mut(index);
        (node.bounds, node.height, node.is_moving) = (bounds, height, is_moving);
    }

    /// Swaps a child with one of the other child's children, if that makes the other child smaller.
    fn rotate(&mut self, index: u32) {
        // 1. Find the swap with the greatest gain in perimeter.
        let mut best = (0.0, 0, 0);
        for side in 0..2 {
            let children = self.node(index).children;
            let [inner, moved] = [side, 1 - side].map(|side| self.node(children[side]));
            if inner.is_leaf() {
                continue;
            }
            for up in 0..2 {
                let rest = &self.node(inner.children[1 - up]).bounds;
                let gain = perimeter(&inner.bounds) - perimeter(&union(&moved.bounds, rest));
                if gain > best.0 {
                    best = (gain, side, up);
                }
            }
        }
        // 2. Swap.
        let (gain, side, up) = best;
        if gain > 0.0 {
            let [inner, down] = [side, 1 - side].map(|side| self.node(index).children[side]);
            let up_node = core::mem::replace(&mut self.node_mut(inner).children[up], down);
            self.node_mut(index).children[1 - side] = up_node;
            self.node_mut(down).parent = inner;
            self.node_mut(up_node).parent = index;
            self.refit(inner);
            self.refit(index);
        }
    }

    /// Rotates a child above its parent, if the child is many levels higher than its sibling. The parent receives
    /// the lower child of that child. Returns the node that is now on top.
    ///
    /// Does nothing if the lower child is the larger box: further down, it would make all nodes above as large
    /// as itself, and boxes inserted later would all descend to it.
    ///
    /// ```text
    ///     index               heavy
    ///     /  \                /   \
    /// light  heavy    ->  index   higher
    ///        /   \          /  \
    ///     lower  higher  light lower
    /// ```
    fn balance(&mut self, index: u32) -> u32 {
        let [one, other] = self.node(index).children;
        let imbalance = self.node(other).height - self.node(one).height;
        if imbalance.abs() <= MAX_IMBALANCE {
            return index;
        }
        let (light, heavy) = if imbalance > 0 { (one, other) } else { (other, one) };
        if perimeter(&self.node(light).bounds) > perimeter(&self.node(heavy).bounds) {
            return index;
        }
        let [first, second] = self.node(heavy).children;
        let is_first_higher = self.node(first).height > self.node(second).height;
        let (higher, lower) = if is_first_higher { (first, second) } else { (second, first) };
        let parent = self.node(index).parent;
        self.replace_child(parent, index, heavy);
        self.node_mut(heavy).parent = parent;
        self.node_mut(heavy).children = [index, higher];
        self.node_mut(index).parent = heavy;
        self.node_mut(index).children = [light, lower];
        self.node_mut(lower).parent = index;
        self.refit(index);
        self.refit(heavy);
        heavy
    }
}

fn fattened(bounds: &Aabb) -> Aabb {
    let size = (bounds.max().as_dvec2() - bounds.min().as_dvec2()).max_element();
    bounds.fattened(size * MARGIN)
}

fn union(a: &Aabb, b: &Aabb) -> Aabb {
    Aabb::new_unchecked(a.min().min(b.min()), a.max().max(b.max()))
}

/// Returns half of the perimeter.
fn perimeter(bounds: &Aabb) -> f64 {
    (bounds.max().as_dvec2() - bounds.min().as_dvec2()).element_sum()
}

impl BoxTree for AabbTree {
    fn root(&self) -> Option<u32> {
        (self.root != NONE).then_some(self.root)
    }

    fn for_each_child(
        &self,
        node: u32,
        mut visit: impl FnMut(Child) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // The box itself, not its leaf, which is larger.
        let box_of = |leaf: &Node| {
            let id = leaf.children[0];
            Child::Box(id, self.boxes.item(id).bounds)
        };
        let node = self.node(node);
        if node.is_leaf() {
            return visit(box_of(node));
        }
        node.children.into_iter().try_for_each(|index| match self.node(index) {
            leaf if leaf.is_leaf() => visit(box_of(leaf)),
            child => visit(Child::Node(index, child.bounds)),
        })
    }
}

impl BroadPhase for AabbTree {
    fn set(&mut self, id: u32, bounds: Aabb, mobility: Mobility) {
        if let Some((_, previous)) = self.boxes.set(id, bounds, mobility) {
            let leaf = &self.node(self.leaf_of.get(id)).bounds;
            // A box that has become much smaller gets a new leaf, too.
            if previous == mobility
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

    fn find_pairs_filtered(&mut self, limit: PairLimit<'_>, pairs: &mut Vec<Pair>) -> Option<u64> {
        let mut sink = PairSink::new(limit, pairs);
        let mut stack = core::mem::take(&mut self.stack);
        stack.clear();
        stack.extend(self.root().map(|root| (root, root)));
        while !sink.is_over_limit()
            && let Some((a, b)) = stack.pop()
        {
            let (first, second) = (self.node(a), self.node(b));
            if !first.is_moving && !second.is_moving {
                continue;
            }
            // A node against itself: each child against itself, and both against each other.
            if a == b {
                if !first.is_leaf() {
                    let [one, other] = first.children;
                    stack.extend([(other, other), (one, one), (one, other)]);
                }
                continue;
            }
            sink.tests += 1;
            if !first.bounds.intersects_aabb(&second.bounds) {
                continue;
            }
            // Two leaves: test the boxes themselves. Otherwise descend into the higher node.
            if first.is_leaf() && second.is_leaf() {
                let [a, b] = [first.children[0], second.children[0]];
                sink.tests += 1;
                if self.boxes.item(a).bounds.intersects_aabb(&self.boxes.item(b).bounds) {
                    sink.pairs.push(pair(a, b));
                }
            } else if first.height > second.height {
                stack.extend(first.children.map(|child| (child, b)));
            } else {
                stack.extend(second.children.map(|child| (a, child)));
            }
        }
        self.stack = stack;
        sink.finish()
    }

    visit_by_traversal!();
}
