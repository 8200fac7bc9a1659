//! Searches in a tree of boxes of any kind.

use core::ops::ControlFlow;

use smallvec::SmallVec;

use crate::broad::swept_aabb::{SweptAabb, distance};
use crate::shape::Aabb;

/// Defines the queries of [`BroadPhase`](crate::broad::BroadPhase) in its implementation for a [`BoxTree`].
macro_rules! visit_by_traversal {
    () => {
        fn visit_intersecting(
            &self,
            bounds: &Aabb,
            visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
        ) -> u64 {
            self.traverse_intersecting(bounds, visit)
        }

        fn visit_swept(
            &self,
            swept: &SweptAabb,
            visit: &mut dyn FnMut(u32, &Aabb, f32) -> f32,
        ) -> u64 {
            self.traverse_swept(swept, visit)
        }

        fn visit_within(
            &self,
            from: &Aabb,
            max_distance: f32,
            visit: &mut dyn FnMut(u32, &Aabb, f32) -> f32,
        ) -> u64 {
            self.traverse_within(from, max_distance, visit)
        }
    };
}
pub(crate) use visit_by_traversal;

/// A child of a node.
pub(crate) enum Child {
    /// A node, and a box that contains everything below it.
    Node(u32, Aabb),
    /// The id of a box, and the box.
    Box(u32, Aabb),
}

/// A tree whose nodes contain nodes and boxes.
pub(crate) trait BoxTree {
    /// Returns the root, or `None` if the tree is empty.
    fn root(&self) -> Option<u32>;

    /// Calls `visit` with each child of a node, in a fixed order, until it returns `Break`.
    fn for_each_child(
        &self,
        node: u32,
        visit: impl FnMut(Child) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// Implements [`BroadPhase::visit_intersecting`](crate::broad::BroadPhase::visit_intersecting) by a
    /// depth-first search.
    fn traverse_intersecting(
        &self,
        bounds: &Aabb,
        visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> u64 {
        let mut tests = 0;
        let mut stack: SmallVec<[u32; 64]> = self.root().into_iter().collect();
        while let Some(node) = stack.pop() {
            let flow = self.for_each_child(node, |child| {
                tests += 1;
                match child {
                    Child::Node(node, around) if bounds.intersects_aabb(&around) => {
                        stack.push(node)
                    }
                    Child::Box(id, other) if bounds.intersects_aabb(&other) => return visit(id),
                    _ => {}
                }
                ControlFlow::Continue(())
            });
            if flow.is_break() {
                break;
            }
        }
        tests
    }

    /// Implements [`BroadPhase::visit_swept`](crate::broad::BroadPhase::visit_swept).
    fn traverse_swept(
        &self,
        swept: &SweptAabb,
        visit: &mut dyn FnMut(u32, &Aabb, f32) -> f32,
    ) -> u64 {
        self.traverse_ordered(swept.end(), |bounds, end| swept.time_of_impact(bounds, end), visit)
    }

    /// Implements [`BroadPhase::visit_within`](crate::broad::BroadPhase::visit_within).
    fn traverse_within(
        &self,
        from: &Aabb,
        max_distance: f32,
        visit: &mut dyn FnMut(u32, &Aabb, f32) -> f32,
    ) -> u64 {
        let key = |bounds: &Aabb, max| Some(distance(from, bounds)).filter(|&it| it <= max);
        self.traverse_ordered(max_distance, key, visit)
    }

    /// Visits the boxes that have a key, which `key` returns unless it is beyond the limit. Of the children of
    /// a node, the one with the smallest key is searched first. The visitor returns the new limit.
    fn traverse_ordered(
        &self,
        mut limit: f32,
        key: impl Fn(&Aabb, f32) -> Option<f32>,
        visit: &mut dyn FnMut(u32, &Aabb, f32) -> f32,
    ) -> u64 {
        let mut tests = 0;
        let root = self.root().map(|root| (f32::NEG_INFINITY, root));
        let mut stack: SmallVec<[(f32, u32); 64]> = root.into_iter().collect();
        while let Some((node_key, node)) = stack.pop() {
            // The limit may have become smaller since the node was pushed.
            if node_key > limit {
                continue;
            }
            let bottom = stack.len();
            let _ = self.for_each_child(node, |child| {
                tests += 1;
                match child {
                    Child::Node(node, around) => {
                        stack.extend(key(&around, limit).map(|key| (key, node)));
                    }
                    Child::Box(id, bounds) => {
                        if let Some(key) = key(&bounds, limit) {
                            limit = visit(id, &bounds, key);
                        }
                    }
                }
                ControlFlow::Continue(())
            });
            // Descending, so that the smallest key is popped first.
            stack[bottom..]
                .sort_unstable_by(|(a, first), (b, second)| b.total_cmp(a).then(second.cmp(first)));
        }
        tests
    }
}
