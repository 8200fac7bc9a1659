//! A packed bounding volume hierarchy (BVH): nodes of eight children, without pointers, built all at once.

mod build;
mod extent;
mod node_tests;
#[cfg(test)]
pub(crate) mod tests;

use alloc::vec::Vec;
use core::ops::ControlFlow;

use carom_simd::{BvhView, LANES, Node, traverse_intersecting, traverse_ordered};

use crate::broad::shared::box_table::{IdMap, NONE};
use crate::broad::shared::box_tree::BoxTree;
use crate::broad::swept_aabb::{SweptAabb, distance};
use crate::broad::{AabbTree, BroadPhase, Mobility};
use crate::shape::Aabb;
use extent::Extent;
use node_tests::{SweptTest, WithinTest};

/// A BVH for queries.
///
/// It is built quickly, so it need not stay optimal at all times. A box that moves a little enlarges the nodes
/// above it. A box that moves far takes a free lane of a leaf near its new position; if there is none, it is
/// inserted into a dynamic tree, which is also searched. Once [`needs_refit`](Self::needs_refit) returns
/// `true`, call [`refit`](Self::refit).
///
/// The packed tree is rebuilt when the dynamic tree has become a quarter of its size. So n boxes that are
/// inserted one after the other, with queries in between, take O(n log n) time.
///
/// Eight boxes make a leaf, eight leaves a node above them, and so on: see [`BvhView`].
#[derive(Clone, Debug, Default)]
pub(crate) struct PackedBvh {
    nodes: Vec<Node>,
    /// The start of each level in `nodes`, the leaves first, and the end of the last level.
    levels: Vec<u32>,
    /// The ids of the boxes in the leaves; [`NONE`] for a lane without a box.
    ids: Vec<u32>,
    /// Boxes for which there was no free lane.
    overflow: AabbTree,
    /// For each id its index in `ids`; [`NONE`] if it is not in a leaf.
    positions: IdMap,
    /// The number of boxes from which the tree was built.
    built_count: usize,
    /// The sum of the half perimeters of all leaves when the tree was built.
    built_size: f32,
    /// The number of times that a leaf was enlarged since the levels above were last built.
    enlarged_count: usize,
    buffers: build::BuildBuffers,
}

/// # Changes
impl PackedBvh {
    /// Inserts or replaces the box with an id.
    #[inline(never)]
    pub fn set(&mut self, id: u32, bounds: Aabb) {
        match self.positions.get(id) {
            NONE if self.overflow.get(id).is_some() => {
                self.overflow.set(id, bounds, Mobility::Moving);
            }
            NONE => self.insert(id, bounds),
            position if self.may_stay(position as usize, bounds) => {
                self.write(position as usize, Extent::new(bounds));
            }
            position => {
                self.clear_lane(position as usize);
                self.insert(id, bounds);
            }
        }
    }

    /// Removes the box with an id. Returns whether there was one.
    pub fn remove(&mut self, id: u32) -> bool {
        match self.positions.get(id) {
            NONE => self.overflow.remove(id),
            position => {
                self.clear_lane(position as usize);
                true
            }
        }
    }

    /// Returns `true` if a refit is likely to save more time than it takes.
    pub fn needs_refit(&self) -> bool {
        self.has_large_overflow() || self.enlarged_count > self.built_count
    }

    /// Shrinks the nodes that have been enlarged. Returns whether that has made the tree good enough;
    /// otherwise a rebuild is likely to save more time than it takes.
    pub fn refit(&mut self) -> bool {
        if self.enlarged_count > 0 {
            self.rebuild_levels();
        }
        !self.has_large_overflow() && self.leaf_size() <= 1.5 * self.built_size
    }

    fn has_large_overflow(&self) -> bool {
        self.overflow.len() > 32.max(self.built_count / 4)
    }

    /// Inserts a box that has no position yet.
    fn insert(&mut self, id: u32, bounds: Aabb) {
        if let Some(position) = self.find_free_lane(Extent::new(bounds)) {
            self.positions.set(id, position as u32);
            self.ids[position] = id;
            self.write(position, Extent::new(bounds));
        } else {
            self.overflow.set(id, bounds, Mobility::Moving);
        }
    }

    fn clear_lane(&mut self, position: usize) {
        let id = core::mem::replace(&mut self.ids[position], NONE);
        self.positions.set(id, NONE);
        self.nodes[position / LANES].set(position % LANES, &Node::NO_BOX);
    }

    /// Returns `true` if a box that changes may stay in its leaf.
    fn may_stay(&self, position: usize, bounds: Aabb) -> bool {
        match self.parent(position / LANES, 1) {
            Some((parent, lane)) => {
                Extent::of_lane(&self.nodes[parent], lane).is_near(Extent::new(bounds))
            }
            None => true,
        }
    }

    /// Returns a free position in a leaf that a box would not enlarge by much, if the search finds one.
    fn find_free_lane(&self, extent: Extent) -> Option<usize> {
        let mut node = 0;
        for level in (1..=self.levels.len().checked_sub(2)?).rev() {
            let children = node * LANES..self.level_len(level - 1).min((node + 1) * LANES);
            let child_extent = |child: usize| {
                Extent::of_lane(&self.nodes[self.levels[level] as usize + node], child % LANES)
            };
            let growth = |&child: &usize| {
                let old = child_extent(child);
                old.union(extent).half_perimeter() - old.half_perimeter()
            };
            let fits = |&child: &usize| {
                level > 1 || child_extent(child).is_near(extent) && self.free_lane(child).is_some()
            };
            node = children.filter(fits).min_by(|a, b| growth(a).total_cmp(&growth(b)))?;
        }
        Some(node * LANES + self.free_lane(node)?)
    }

    fn free_lane(&self, leaf: usize) -> Option<usize> {
        self.ids[leaf * LANES..][..LANES].iter().position(|&id| id == NONE)
    }

    /// Writes a box, and enlarges the nodes above up to one that contains it.
    fn write(&mut self, position: usize, extent: Extent) {
        let mut node = position / LANES;
        self.nodes[node].set(position % LANES, &extent.to_array());
        let mut level = 1;
        while let Some((parent, lane)) = self.parent(node, level) {
            let old = Extent::of_lane(&self.nodes[parent], lane);
            if old.contains(extent) {
                return;
            }
            self.enlarged_count += usize::from(level == 1);
            self.nodes[parent].set(lane, &old.union(extent).to_array());
            (node, level) = (parent, level + 1);
        }
    }

    /// Returns the parent, on `level`, of a node of the level below, and the node's lane in it; `None` for the
    /// root.
    fn parent(&self, node: usize, level: usize) -> Option<(usize, usize)> {
        let index = node - self.levels[level - 1] as usize;
        (level + 1 < self.levels.len())
            .then(|| (self.levels[level] as usize + index / LANES, index % LANES))
    }

    /// Returns the number of nodes on a level.
    fn level_len(&self, level: usize) -> usize {
        (self.levels[level + 1] - self.levels[level]) as usize
    }
}

/// # Queries
impl PackedBvh {
    /// Returns `true` if there are no boxes.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.overflow.is_empty()
    }

    /// Visits the boxes that intersect another, until `visit` returns `Break`. Returns the number of tests
    /// made.
    #[inline]
    pub fn visit_intersecting(
        &self,
        bounds: &Aabb,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> u64 {
        let mut tests = 0;
        if !self.overflow.is_empty() {
            let mut flow = ControlFlow::Continue(());
            tests = self.overflow.visit_intersecting(bounds, &mut |id| {
                flow = visit(id);
                flow
            });
            if flow.is_break() {
                return tests;
            }
        }
        let sides = Extent::new(*bounds).to_array();
        let tested = traverse_intersecting(self.view(), &sides, |leaf, mut lanes| {
            let ids = &self.ids[leaf * LANES..][..LANES];
            while lanes != 0 {
                visit(ids[lanes.trailing_zeros() as usize % LANES])?;
                lanes &= lanes - 1;
            }
            ControlFlow::Continue(())
        });
        count_tests(tests + tested * LANES as u64)
    }

    /// Visits the boxes that a swept box hits up to a time; see
    /// [`BroadPhase::visit_swept`](crate::broad::BroadPhase::visit_swept).
    #[inline]
    pub fn visit_swept(
        &self,
        swept: &SweptAabb,
        mut end: f32,
        mut visit: impl FnMut(u32, &Aabb, f32) -> f32,
    ) -> u64 {
        let mut tests = 0;
        if !self.overflow.is_empty() {
            let time_of_impact = |bounds: &Aabb, end| swept.time_of_impact(bounds, end);
            tests = self.overflow.traverse_ordered(end, time_of_impact, &mut |id, bounds, time| {
                end = visit(id, bounds, time);
                end
            });
        }
        let root_extent =
            || self.nodes.last().map_or(Extent::EMPTY, |root| Extent::from_array(&root.union()));
        let test = SweptTest::new(swept, root_extent);
        let tested = traverse_ordered(self.view(), &test, end, |position, sides, key, end| {
            let bounds = Extent::from_array(sides).to_aabb();
            if test.is_uncertain(key) && swept.time_of_impact(&bounds, end).is_none() {
                return end;
            }
            visit(self.ids[position], &bounds, test.time(key))
        });
        count_tests(tests + tested * LANES as u64)
    }

    /// Visits the boxes within a distance of another; see
    /// [`BroadPhase::visit_within`](crate::broad::BroadPhase::visit_within).
    #[inline]
    pub fn visit_within(
        &self,
        from: &Aabb,
        mut max_distance: f32,
        mut visit: impl FnMut(u32, &Aabb, f32) -> f32,
    ) -> u64 {
        let mut tests = 0;
        if !self.overflow.is_empty() {
            tests = self.overflow.visit_within(from, max_distance, &mut |id, bounds, distance| {
                max_distance = visit(id, bounds, distance);
                max_distance
            });
        }
        let test = WithinTest::new(from);
        let tested =
            traverse_ordered(self.view(), &test, max_distance, |position, sides, key, max| {
                let bounds = Extent::from_array(sides).to_aabb();
                let distance = match WithinTest::distance(key) {
                    f32::INFINITY => distance(from, &bounds), // only its square has overflowed
                    distance => distance,
                };
                if distance <= max { visit(self.ids[position], &bounds, distance) } else { max }
            });
        count_tests(tests + tested * LANES as u64)
    }

    #[inline(always)]
    fn view(&self) -> BvhView<'_> {
        BvhView { nodes: &self.nodes, levels: &self.levels }
    }
}

/// Counts the tests of a query for the tests of growth.
#[inline(always)]
fn count_tests(tests: u64) -> u64 {
    #[cfg(test)]
    crate::operation_count::add(tests);
    tests
}
