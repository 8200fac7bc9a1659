//! Building a packed BVH from the top down.
//!
//! The boxes of a node are split at the median of their centers, across the longer side of the space that
//! they take, three times in a row: the resulting eight parts are its children. Nodes come out about as wide
//! as high, which keeps the number of nodes that a query visits low.
//!
//! Tried without gain: strips of leaves in the order of x (sort-tile-recursive, STR), which are built three
//! times as fast by counting sort, but have nodes of eight leaves in a row: queries visit a fifth more nodes.
//! The order of a Hilbert curve is a third worse.

use alloc::vec::Vec;

use carom_simd::{LANES, Node};

use super::PackedBvh;
use super::extent::Extent;
use crate::broad::shared::box_table::NONE;
use crate::math::Vec2;
use crate::shape::Aabb;

/// The center of a box, halved, and its id.
#[derive(Clone, Copy, Debug)]
pub struct Center {
    position: Vec2,
    id: u32,
}

impl Center {
    #[inline]
    fn new(id: u32, bounds: Aabb) -> Self {
        // Halves before they are added, or else the sum may overflow; and halves again, so that differences
        // of centers do not overflow.
        Self { position: bounds.min() * 0.25 + bounds.max() * 0.25, id }
    }
}

/// Buffers that the next build reuses.
#[derive(Debug, Default)]
pub struct BuildBuffers {
    order: Vec<Center>,
}

/// Buffers are not copied with a tree.
impl Clone for BuildBuffers {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PackedBvh {
    /// Rebuilds the tree from the boxes with these ids, which must be different.
    pub fn rebuild(&mut self, ids: impl Iterator<Item = u32>, bounds: impl Fn(u32) -> Aabb) {
        let order = &mut self.buffers.order;
        order.clear();
        order.extend(ids.map(|id| Center::new(id, bounds(id))));
        #[cfg(test)]
        crate::operation_count::add(order.len() as u64);
        let mut capacity = LANES;
        while capacity < order.len() {
            capacity *= LANES;
        }
        sort_into_leaves(order, capacity);
        self.build_leaves(bounds);
        self.build_levels();
        self.built_size = self.leaf_size();
    }

    fn build_leaves(&mut self, bounds: impl Fn(u32) -> Aabb) {
        self.clear();
        let order = &self.buffers.order;
        self.built_count = order.len();
        self.ids.extend(order.iter().map(|center| center.id));
        for (position, &id) in (0..).zip(&self.ids) {
            self.positions.set(id, position);
        }
        self.nodes.reserve(order.len() / 6); // leaves and the levels above
        let sides = |&id: &u32| Extent::new(bounds(id)).to_array();
        self.nodes.extend(self.ids.chunks(LANES).map(|group| {
            match <&[u32; LANES]>::try_from(group) {
                Ok(group) => Node::new(group.each_ref().map(sides)),
                Err(_) => Node::new(group.iter().map(sides)),
            }
        }));
        self.ids.resize(self.nodes.len() * LANES, NONE);
    }

    /// Removes everything, but keeps the memory.
    fn clear(&mut self) {
        (self.built_count, self.built_size, self.enlarged_count) = (0, 0.0, 0);
        self.nodes.clear();
        self.levels.clear();
        self.ids.clear();
        self.overflow.clear();
        self.positions.clear();
    }

    /// Builds the levels above the leaves.
    fn build_levels(&mut self) {
        self.levels.clear();
        self.levels.push(0);
        let (mut start, mut end) = (0, self.nodes.len());
        while end > start {
            self.levels.push(end as u32);
            if end - start == 1 {
                break;
            }
            for first in (start..end).step_by(LANES) {
                let children = &self.nodes[first..end.min(first + LANES)];
                let node = Node::new(children.iter().map(Node::union));
                self.nodes.push(node);
            }
            (start, end) = (end, self.nodes.len());
        }
    }

    /// Shrinks the nodes above the leaves to what they contain.
    pub(super) fn rebuild_levels(&mut self) {
        self.enlarged_count = 0;
        self.nodes.truncate(self.leaf_count());
        self.build_levels();
    }

    fn leaf_count(&self) -> usize {
        self.levels.get(1).map_or(0, |&end| end as usize)
    }

    /// Returns the sum of the half perimeters of all leaves.
    pub(super) fn leaf_size(&self) -> f32 {
        let leaves = &self.nodes[..self.leaf_count()];
        leaves.iter().map(|leaf| Extent::from_array(&leaf.union()).half_perimeter()).sum()
    }
}

/// Sorts boxes into the order of the leaves of a node whose children have a capacity of `capacity` boxes.
/// All children but the last are full.
fn sort_into_leaves(boxes: &mut [Center], capacity: usize) {
    if boxes.len() <= LANES {
        boxes.sort_unstable_by_key(|center| center.id);
        return;
    }
    if boxes.len() <= capacity {
        return sort_into_leaves(boxes, capacity / LANES);
    }
    // Split the children into two halves, at the median of the longer axis.
    let first_half = boxes.len().div_ceil(capacity) / 2 * capacity;
    let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    for center in &*boxes {
        (low, high) = (low.min(center.position), high.max(center.position));
    }
    let size = high - low;
    let axis =
        if size.x > size.y { |it: &Center| it.position.x } else { |it: &Center| it.position.y };
    // Ids break ties, so that the result depends on the boxes only, not on their order.
    boxes.select_nth_unstable_by(first_half, |a, b| {
        axis(a).total_cmp(&axis(b)).then(a.id.cmp(&b.id))
    });
    let (first, second) = boxes.split_at_mut(first_half);
    sort_into_leaves(first, capacity);
    sort_into_leaves(second, capacity);
}
