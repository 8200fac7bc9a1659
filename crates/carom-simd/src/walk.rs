//! Going down a tree whose nodes hold eight boxes each.

use core::ops::ControlFlow;

use wide::f32x8;

use crate::{Bounds, LANES, Lanes, Node, prefetch};

/// A tree of nodes in a list: the leaves, then the level above, eight leaves to a node, and so on up
/// to the root. Which are the children of a node follows from its place.
#[derive(Clone, Copy)]
pub struct BvhView<'a> {
    /// All nodes.
    pub nodes: &'a [Node],
    /// Where each level begins in the list, the leaves first, and the end of the last.
    pub levels: &'a [u32],
}

/// A test of eight boxes at once.
pub trait NodeTest {
    /// Sets the lanes that may matter, and gives the keys of all lanes, which are not negative in
    /// those: lesser ones are looked at first. A lane without a box never matters.
    fn lanes<L: Lanes>(&self, node: &Node, limit: f32) -> (L, L);

    /// The greatest key that still matters, from what the visitor said.
    fn limit(&self, told: f32) -> f32;
}

/// A box has less than this many digits to base eight for an id, and a level has one.
const MOST_LEVELS: usize = 11;

impl<'a> BvhView<'a> {
    /// The level of the root, and one that is deep enough; `None` if there is no root.
    #[inline(always)]
    fn top(self) -> Option<usize> {
        let top = self.levels.len().checked_sub(2)?;
        assert!(top < MOST_LEVELS, "a tree has {top} levels");
        Some(top)
    }

    #[inline(always)]
    fn node(self, level: usize, place: usize) -> &'a Node {
        &self.nodes[self.levels[level] as usize + place]
    }
}

/// Visits the leaves of a tree with boxes that share a point with another, until told to break: a
/// leaf's place among the leaves, and a bit for each such box. Gives the number of nodes opened.
///
/// With AVX2 it is no faster: most of the time goes by between two nodes.
///
/// # Panics
/// If the levels of the tree do not fit its nodes.
#[inline]
pub fn traverse_intersecting(
    tree: BvhView<'_>,
    &[min_x, min_y, max_x, max_y]: &Bounds,
    mut visit: impl FnMut(usize, u32) -> ControlFlow<()>,
) -> u64 {
    let Some(top) = tree.top() else { return 0 };
    let meeting = |node: &Node| {
        let [left, low, right, high] = node.rows::<f32x8>();
        let x = left.simd_le(f32x8::splat(max_x)) & right.simd_ge(f32x8::splat(min_x));
        let y = low.simd_le(f32x8::splat(max_y)) & high.simd_ge(f32x8::splat(min_y));
        (x & y).to_bitmask()
    };
    // Of the node that is being looked at: its level, the first of its eight children, and those of
    // them that are still to be opened. For each level above, the same of the node that led here.
    let (mut level, mut first, mut met) = (top, 0, meeting(tree.node(top, 0)));
    let mut waiting = [(0, 0); MOST_LEVELS];
    let mut opened = 1;
    if top == 0 {
        if met != 0 {
            let _ = visit(0, met);
        }
        return opened;
    }
    loop {
        while level == 1 && met != 0 {
            let leaf = first + met.trailing_zeros();
            met &= met - 1;
            opened += 1;
            let boxes = meeting(tree.node(0, leaf as usize));
            if boxes != 0 && visit(leaf as usize, boxes).is_break() {
                return opened;
            }
        }
        while met == 0 {
            if level == top {
                return opened;
            }
            level += 1;
            (first, met) = waiting[level];
        }
        let child = first + met.trailing_zeros();
        waiting[level] = (first, met & (met - 1));
        level -= 1;
        opened += 1;
        (first, met) = (child * LANES as u32, meeting(tree.node(level, child as usize)));
    }
}

/// The children of a node in the order of their keys.
#[derive(Clone, Copy)]
struct Children {
    /// See [`Lanes::order`].
    order: [i32; LANES],
    first: u32,
    /// The one to be taken next.
    next: i32,
}

/// [`crate::traverse_ordered`] in lanes of some kind.
///
/// The CPU mostly waits for the next node. Meanwhile it works out which child comes after that one, and
/// fetches it.
///
/// Tried and not kept: a bit for each level that has more children, so that none is asked in vain;
/// testing a leaf before the one in front of it has been gone through; fetching a third child.
#[inline(always)]
pub(crate) fn traverse_ordered<L: Lanes>(
    tree: BvhView<'_>,
    test: &impl NodeTest,
    mut told: f32,
    mut visit: impl FnMut(usize, &Bounds, f32, f32) -> f32,
) -> u64 {
    let Some(top) = tree.top() else { return 0 };
    let mut limit = test.limit(told);
    if limit < 0.0 {
        return 0;
    }
    let none = Children { order: [0; LANES], first: 0, next: 0 };
    let mut waiting = [none; MOST_LEVELS];
    let (mut level, mut place, mut opened) = (top, 0, 0);
    loop {
        opened += 1;
        let node = tree.node(level, place);
        let (lanes, keys) = test.lanes::<L>(node, limit);
        let first = place * LANES;
        if L::bits(lanes) != 0 {
            let order = L::order(lanes, keys);
            let mut least = L::least(&order);
            if level > 0 {
                let next = L::next(&order, least);
                waiting[level] = Children { order, first: first as u32, next };
                (level, place) = (level - 1, first + lane(least));
                // If there is none it fetches another, which does no harm; asking would.
                prefetch(tree.nodes, tree.levels[level] as usize + first + lane(next));
                continue;
            }
            let keys = keys.to_array();
            while matters(least, limit) {
                let lane = lane(least);
                told = visit(first + lane, &node.get(lane), keys[lane], told);
                limit = test.limit(told);
                least = L::next(&order, least);
            }
        }
        // The next child that matters, on a level above.
        loop {
            level += 1;
            if level > top {
                return opened;
            }
            let Children { order, first, next } = &mut waiting[level];
            if matters(*next, limit) {
                (level, place) = (level - 1, *first as usize + lane(*next));
                *next = L::next(order, *next);
                break;
            }
        }
    }
}

/// Whether a lane is within the limit. It is if its key is but for the lowest bits, which are lost.
#[inline(always)]
fn matters(ordered: i32, limit: f32) -> bool {
    // Numbers that are not negative compare as their bits do.
    ordered & !(LANES as i32 - 1) <= limit.to_bits() as i32
}

/// The lane that a number of the order stands for.
#[inline(always)]
fn lane(ordered: i32) -> usize {
    ordered as usize % LANES
}
