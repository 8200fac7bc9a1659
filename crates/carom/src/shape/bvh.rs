//! A static bounding volume hierarchy (BVH), to find the parts of a shape near a region.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::shape::Aabb;

/// A binary tree of boxes, stored in depth-first order. Each node is followed by its descendants
/// and has the index of the node to continue with if its box is missed (a skip pointer), so the
/// traversal needs neither a stack nor recursion.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bvh {
    nodes: Vec<Node>,
    /// Working memory, kept by trees that are rebuilt often.
    boxes: Vec<Aabb>,
    items: Vec<u32>,
}

impl PartialEq for Bvh {
    fn eq(&self, other: &Self) -> bool {
        self.nodes == other.nodes
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Node {
    bounds: Aabb,
    /// The index of the node to continue with if this node's box is missed.
    skip: u32,
    /// The index of the item, in a leaf.
    item: Option<u32>,
}

impl Bvh {
    /// Builds a tree over boxes. Items are identified by their index in the list.
    pub fn new(boxes: impl Iterator<Item = Aabb>) -> Self {
        let mut tree = Self::default();
        tree.rebuild(boxes);
        tree.trim();
        tree
    }

    /// Frees the working memory.
    pub fn trim(&mut self) {
        (self.boxes, self.items) = (Vec::new(), Vec::new());
    }

    /// Rebuilds the tree in its own memory.
    pub fn rebuild(&mut self, boxes: impl Iterator<Item = Aabb>) {
        let (mut known, mut items) =
            (core::mem::take(&mut self.boxes), core::mem::take(&mut self.items));
        known.clear();
        known.extend(boxes);
        items.clear();
        items.extend(0..known.len() as u32);
        self.nodes.clear();
        self.nodes.reserve_exact(2 * known.len());
        if !items.is_empty() {
            self.build(&known, &mut items);
        }
        (self.boxes, self.items) = (known, items);
    }

    /// Splits at the median of the longer side, so the depth is logarithmic.
    fn build(&mut self, boxes: &[Aabb], items: &mut [u32]) {
        let bounds = Aabb::union(items.iter().map(|&i| boxes[i as usize]));
        let index = self.nodes.len();
        let item = (items.len() == 1).then(|| items[0]);
        self.nodes.push(Node { bounds, skip: 0, item });
        if items.len() > 1 {
            let wide = f64::from(bounds.max().x) - f64::from(bounds.min().x)
                >= f64::from(bounds.max().y) - f64::from(bounds.min().y);
            let middle = |i: u32| {
                let b = &boxes[i as usize];
                let (low, high) =
                    if wide { (b.min().x, b.max().x) } else { (b.min().y, b.max().y) };
                f64::from(low) + f64::from(high)
            };
            let half = items.len() / 2;
            items.select_nth_unstable_by(half, |&a, &b| {
                middle(a).total_cmp(&middle(b)).then(a.cmp(&b))
            });
            let (low, high) = items.split_at_mut(half);
            low.sort_unstable();
            high.sort_unstable();
            self.build(boxes, low);
            self.build(boxes, high);
        }
        self.nodes[index].skip = self.nodes.len() as u32;
    }

    /// Returns the bounds of all boxes.
    pub fn bounds(&self) -> Option<Aabb> {
        self.nodes.first().map(|root| root.bounds)
    }

    /// Calls `visit` with the items whose boxes pass the test, in the order of the tree, until it
    /// returns `Break`.
    pub fn visit<B>(
        &self,
        mut passes: impl FnMut(&Aabb) -> bool,
        mut visit: impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut index = 0;
        while let Some(node) = self.nodes.get(index) {
            if passes(&node.bounds) {
                if let Some(item) = node.item {
                    visit(item)?;
                }
                index += 1;
            } else {
                index = node.skip as usize;
            }
        }
        ControlFlow::Continue(())
    }
}
