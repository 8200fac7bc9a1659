//! Making a packed tree, from the top: the boxes of a node are cut in two at the middle one, across the
//! longer side of the space they take, and again, and once more, and are those of its eight children
//! then. Nodes come out about as wide as high, which few look-ups meet that need not.
//!
//! Tried and not kept: strips of leaves in the order of x (sort-tile-recursive), which are made three
//! times as fast by counting, but have nodes of eight leaves in a row: a fifth more are opened. The
//! order of a Hilbert curve is a third worse.

use alloc::vec::Vec;

use carom_simd::{LANES, Node};

use super::span::Span;
use super::{NOWHERE, PackedBvh};
use crate::math::Vec2;
use crate::shape::Aabb;

/// The middle of a box.
#[derive(Clone, Copy, Debug)]
pub struct Middle {
    at: Vec2,
    id: u32,
}

impl Middle {
    #[inline]
    fn of(id: u32, bounds: Aabb) -> Self {
        // Halves first, or the sum may be too large for a number; halves again for differences.
        Self { at: bounds.min() * 0.25 + bounds.max() * 0.25, id }
    }
}

/// Memory kept for the next time.
#[derive(Debug, Default)]
pub struct Scratch {
    order: Vec<Middle>,
}

/// A copy of a tree needs no memory of that kind yet.
impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// So many boxes are asked one by one in less time than it takes to go through a node.
const LIST_MAX: usize = 4;

impl PackedBvh {
    /// Makes the tree anew from the boxes with these ids, which must be different.
    pub fn rebuild(&mut self, ids: impl Iterator<Item = u32>, bounds: impl Fn(u32) -> Aabb) {
        let order = &mut self.scratch.order;
        order.clear();
        order.extend(ids.map(|id| Middle::of(id, bounds(id))));
        if order.len() <= LIST_MAX {
            return self.list_few(bounds);
        }
        let mut capacity = LANES;
        while capacity < order.len() {
            capacity *= LANES;
        }
        arrange(order, capacity);
        self.pack_leaves(bounds);
        self.stack_levels();
        self.built_size = self.size();
    }

    /// Leaves all boxes beside a tree without nodes.
    fn list_few(&mut self, bounds: impl Fn(u32) -> Aabb) {
        let few = core::mem::take(&mut self.scratch.order);
        self.clear_all();
        for &Middle { id, .. } in &few {
            self.set(id, bounds(id));
        }
        self.scratch.order = few;
    }

    fn pack_leaves(&mut self, bounds: impl Fn(u32) -> Aabb) {
        self.clear_all();
        let order = &self.scratch.order;
        self.built = order.len();
        self.ids.extend(order.iter().map(|middle| middle.id));
        let ends = self.ids.iter().max().map_or(0, |&greatest| greatest as usize + 1);
        self.places.resize(ends, NOWHERE);
        for (place, &id) in (0..).zip(&self.ids) {
            self.places[id as usize] = place;
        }
        self.nodes.reserve(order.len() / 6);
        let sides = |&id: &u32| Span::of(bounds(id)).sides();
        self.nodes.extend(self.ids.chunks(LANES).map(|eight| {
            match <&[u32; LANES]>::try_from(eight) {
                Ok(eight) => Node::new(eight.each_ref().map(sides)),
                Err(_) => Node::new(eight.iter().map(sides)),
            }
        }));
        self.ids.resize(self.nodes.len() * LANES, NOWHERE);
    }

    /// Takes everything out; the memory stays.
    fn clear_all(&mut self) {
        (self.built, self.built_size, self.widened) = (0, 0.0, 0);
        self.nodes.clear();
        self.levels.clear();
        self.ids.clear();
        self.loose.clear();
        self.places.clear();
    }

    fn stack_levels(&mut self) {
        self.levels.clear();
        self.levels.push(0);
        let (mut begin, mut end) = (0, self.nodes.len());
        while end > begin {
            self.levels.push(end as u32);
            if end - begin == 1 {
                break;
            }
            for first in (begin..end).step_by(LANES) {
                let eight = &self.nodes[first..end.min(first + LANES)];
                let node = Node::new(eight.iter().map(Node::union));
                self.nodes.push(node);
            }
            (begin, end) = (end, self.nodes.len());
        }
    }

    /// Narrows the nodes above leaves to what is in them.
    pub(super) fn narrow(&mut self) {
        self.widened = 0;
        let leaves = self.levels.get(1).map_or(0, |&end| end as usize);
        self.nodes.truncate(leaves);
        self.stack_levels();
    }

    /// The sizes of all leaves, added up.
    pub(super) fn size(&self) -> f32 {
        let leaves = self.levels.get(1).map_or(0, |&end| end as usize);
        self.nodes[..leaves].iter().map(|leaf| Span::from_sides(&leaf.union()).size()).sum()
    }
}

/// Puts the boxes of a node with children of a capacity, or of less than one, into the order of its
/// leaves. All but the last child are full.
fn arrange(boxes: &mut [Middle], capacity: usize) {
    if boxes.len() <= LANES {
        boxes.sort_unstable_by_key(|middle| middle.id);
        return;
    }
    if boxes.len() <= capacity {
        return arrange(boxes, capacity / LANES);
    }
    let first_half = boxes.len().div_ceil(capacity) / 2 * capacity;
    let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    for middle in &*boxes {
        (low, high) = (low.min(middle.at), high.max(middle.at));
    }
    let extent = high - low;
    let axis = if extent.x > extent.y { |it: &Middle| it.at.x } else { |it: &Middle| it.at.y };
    // Ids tell apart what is in one place, so which boxes come first depends on nothing else.
    boxes.select_nth_unstable_by(first_half, |a, b| {
        axis(a).total_cmp(&axis(b)).then(a.id.cmp(&b.id))
    });
    let (first, second) = boxes.split_at_mut(first_half);
    arrange(first, capacity);
    arrange(second, capacity);
}
