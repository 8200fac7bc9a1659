//! Searches of a bounding volume hierarchy (BVH) in which each node has eight children.

use core::ops::ControlFlow;

use wide::f32x8;

use crate::{Bounds, LANES, Lanes, prefetch};

/// A node of a BVH: the boxes of its eight children (or, in a leaf, of eight entries), one array per side.
/// A lane without a box contains [`Node::NO_BOX`].
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))] // spans two cache lines, never three
pub struct Node {
    sides: [[f32; LANES]; 4],
}

impl Node {
    /// An empty box, whose sides are in reverse order: it intersects nothing, and the union with another box
    /// is the other box.
    pub const NO_BOX: Bounds = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];

    /// Creates a node from the boxes of its lanes, of which there may be fewer than eight.
    #[inline(always)]
    pub fn new(boxes: impl IntoIterator<Item = Bounds>) -> Self {
        let mut node = Self { sides: Self::NO_BOX.map(|side| [side; LANES]) };
        for (lane, bounds) in (0..LANES).zip(boxes) {
            node.set(lane, &bounds);
        }
        node
    }

    /// Returns the box of a lane.
    #[inline(always)]
    pub fn get(&self, lane: usize) -> Bounds {
        let [min_x, min_y, max_x, max_y] = &self.sides;
        [min_x[lane], min_y[lane], max_x[lane], max_y[lane]]
    }

    /// Overwrites the box of a lane.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, bounds: &Bounds) {
        for (lanes, &side) in self.sides.iter_mut().zip(bounds) {
            lanes[lane] = side;
        }
    }

    /// Returns one side of every box, by its index in [`Bounds`].
    #[inline(always)]
    pub fn side<L: Lanes>(&self, side: usize) -> L {
        L::load(&self.sides[side % 4])
    }

    /// Returns all sides of every box, in the order of [`Bounds`].
    #[inline(always)]
    pub fn sides<L: Lanes>(&self) -> [L; 4] {
        let [min_x, min_y, max_x, max_y] = &self.sides;
        [L::load(min_x), L::load(min_y), L::load(max_x), L::load(max_y)]
    }

    /// Returns the union of all boxes.
    #[inline]
    pub fn union(&self) -> Bounds {
        let [min_x, min_y, max_x, max_y] = &self.sides;
        let min = |lanes: &[f32; LANES]| lanes.iter().fold(f32::INFINITY, |a, &b| a.min(b));
        let max = |lanes: &[f32; LANES]| lanes.iter().fold(f32::NEG_INFINITY, |a, &b| a.max(b));
        [min(min_x), min(min_y), max(max_x), max(max_y)]
    }
}

/// A BVH without pointers: a list of nodes, level by level from the leaves to the root. The children of the
/// node at index `i` of a level are those at `8 * i` to `8 * i + 7` of the level below.
#[derive(Clone, Copy)]
pub struct BvhView<'a> {
    /// All nodes.
    pub nodes: &'a [Node],
    /// The index in `nodes` at which each level starts, the leaves first, and the end of the last level. Empty if there
    /// are no nodes.
    pub levels: &'a [u32],
}

/// A test of the eight boxes of a node at once, for [`traverse_ordered`](crate::traverse_ordered).
pub trait NodeTest {
    /// Returns a mask of the lanes that pass, and the keys of all lanes. Lanes with smaller keys are visited first.
    /// The keys of lanes that pass must not be negative. A lane without a box must never pass.
    fn lanes<L: Lanes>(&self, node: &Node, key_limit: f32) -> (L, L);

    /// Returns the greatest key that is of interest while the visitor's bound is `bound`. A negative number
    /// ends the search before it begins.
    fn key_limit(&self, bound: f32) -> f32;
}

/// The maximum number of levels: an id of 32 bits has 11 digits to base eight, and there is one level per
/// digit.
const MAX_LEVELS: usize = 11;

impl<'a> BvhView<'a> {
    /// Returns the level of the root, or `None` if there are no nodes.
    #[inline(always)]
    fn root_level(self) -> Option<usize> {
        let root = self.levels.len().checked_sub(2)?;
        assert!(root < MAX_LEVELS, "{} levels are more than {MAX_LEVELS}", root + 1);
        Some(root)
    }

    #[inline(always)]
    fn node(self, level: usize, index: usize) -> &'a Node {
        &self.nodes[self.levels[level] as usize + index]
    }
}

/// Visits the leaves of a BVH with boxes that intersect a query box, until `visit` returns `Break`. Returns
/// the number of nodes tested.
///
/// `visit` receives the index of a leaf, and the lanes of the boxes that intersect as a bit set.
///
/// There is no AVX2 version, because it would not be faster: most of the time passes between two nodes.
///
/// # Panics
/// Panics if the levels of the tree do not match its nodes.
#[inline]
pub fn traverse_intersecting(
    tree: BvhView<'_>,
    &[min_x, min_y, max_x, max_y]: &Bounds,
    mut visit: impl FnMut(usize, u32) -> ControlFlow<()>,
) -> u64 {
    let Some(root) = tree.root_level() else { return 0 };
    let intersecting = |node: &Node| {
        let [left, low, right, high] = node.sides::<f32x8>();
        let x = left.simd_le(f32x8::splat(max_x)) & right.simd_ge(f32x8::splat(min_x));
        let y = low.simd_le(f32x8::splat(max_y)) & high.simd_ge(f32x8::splat(min_y));
        (x & y).to_bitmask()
    };
    // A depth-first search. The current node is given by its level, the index of the first of its eight children,
    // and the lanes of the children that are still to be visited; `stack` contains the latter two for the nodes
    // above it.
    let (mut level, mut first_child, mut lanes) = (root, 0, intersecting(tree.node(root, 0)));
    let mut stack = [(0, 0); MAX_LEVELS];
    let mut tested = 1;
    if root == 0 {
        if lanes != 0 {
            let _ = visit(0, lanes);
        }
        return tested;
    }
    loop {
        // 1. Visit the leaves below, if the children are leaves.
        while level == 1 && lanes != 0 {
            let leaf = first_child + lanes.trailing_zeros();
            lanes &= lanes - 1;
            tested += 1;
            let boxes = intersecting(tree.node(0, leaf as usize));
            if boxes != 0 && visit(leaf as usize, boxes).is_break() {
                return tested;
            }
        }
        // 2. Go up to a node with children left.
        while lanes == 0 {
            if level == root {
                return tested;
            }
            level += 1;
            (first_child, lanes) = stack[level];
        }
        // 3. Go down to the next child.
        let child = first_child + lanes.trailing_zeros();
        stack[level] = (first_child, lanes & (lanes - 1));
        level -= 1;
        tested += 1;
        (first_child, lanes) =
            (child * LANES as u32, intersecting(tree.node(level, child as usize)));
    }
}

/// The children of a node that are still to be visited.
#[derive(Clone, Copy)]
struct Children {
    /// The sort keys of all children: see [`Lanes::sort_keys`].
    keys: [i32; LANES],
    /// The index of the first child.
    first: u32,
    /// The key of the child to be visited next.
    next: i32,
}

/// Implements [`traverse_ordered`](crate::traverse_ordered) for a vector type.
///
/// The CPU mostly waits for the memory of the next node. Meanwhile this function finds the child after that one, and
/// prefetches it.
///
/// Tried without gain: a bit set of the levels with children left, so that the other levels are not checked;
/// testing a leaf before the previous one has been visited; prefetching a third child.
#[inline(always)]
pub(crate) fn traverse_ordered<L: Lanes>(
    tree: BvhView<'_>,
    test: &impl NodeTest,
    mut bound: f32,
    mut visit: impl FnMut(usize, &Bounds, f32, f32) -> f32,
) -> u64 {
    let Some(root) = tree.root_level() else { return 0 };
    let mut limit = test.key_limit(bound);
    if limit < 0.0 {
        return 0;
    }
    let none = Children { keys: [0; LANES], first: 0, next: 0 };
    let mut stack = [none; MAX_LEVELS];
    let (mut level, mut index, mut tested) = (root, 0, 0);
    loop {
        // 1. Test the current node.
        tested += 1;
        let node = tree.node(level, index);
        let (passing, keys) = test.lanes::<L>(node, limit);
        let first = index * LANES;
        if L::to_bitmask(passing) != 0 {
            let sort_keys = L::sort_keys(passing, keys);
            let mut min = L::min_key(&sort_keys);
            if level > 0 {
                // 2a. Descend into the child with the smallest key, and prefetch the one after it. If there is
                //     none, this prefetches another node, which is cheaper than a branch.
                let next = L::next_key(&sort_keys, min);
                stack[level] = Children { keys: sort_keys, first: first as u32, next };
                (level, index) = (level - 1, first + lane(min));
                prefetch(tree.nodes, tree.levels[level] as usize + first + lane(next));
                continue;
            }
            // 2b. Visit the boxes of a leaf in the order of their keys.
            let keys = keys.to_array();
            while is_within(min, limit) {
                let lane = lane(min);
                bound = visit(first + lane, &node.get(lane), keys[lane], bound);
                limit = test.key_limit(bound);
                min = L::next_key(&sort_keys, min);
            }
        }
        // 3. Continue with the next child within the limit, on a level above.
        loop {
            level += 1;
            if level > root {
                return tested;
            }
            let Children { keys, first, next } = &mut stack[level];
            if is_within(*next, limit) {
                (level, index) = (level - 1, *first as usize + lane(*next));
                *next = L::next_key(keys, *next);
                break;
            }
        }
    }
}

/// Returns `true` if a sort key is within the limit, up to its lowest bits, which are lost.
#[inline(always)]
fn is_within(sort_key: i32, limit: f32) -> bool {
    // Floats that are not negative compare like their bits.
    sort_key & !(LANES as i32 - 1) <= limit.to_bits() as i32
}

/// Returns the lane of a sort key.
#[inline(always)]
fn lane(sort_key: i32) -> usize {
    sort_key as usize % LANES
}
