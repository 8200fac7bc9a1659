//! Looking things up in a tree of boxes, whatever the tree.

use core::ops::ControlFlow;

use smallvec::SmallVec;

use crate::broad::meet;
use crate::broad::swept_aabb::{SweptAabb, distance};
use crate::shape::Aabb;

/// What lies below a node.
pub(crate) enum Below {
    /// A node, and a box around everything below that.
    Node(u32, Aabb),
    /// A box and its id.
    Box(u32, Aabb),
}

/// A tree whose nodes hold nodes and boxes.
pub(crate) trait Tree {
    /// The node above all others; `None` if the tree is empty.
    fn root(&self) -> Option<u32>;

    /// Shows what is right below a node, in a fixed order, until told to break.
    fn open(&self, node: u32, show: impl FnMut(Below) -> ControlFlow<()>) -> ControlFlow<()>;

    /// See [`BroadPhase::visit_intersecting`](crate::broad::BroadPhase::visit_intersecting).
    fn walk_box(&self, bounds: &Aabb, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) -> u64 {
        let mut tests = 0;
        let mut stack: SmallVec<[u32; 64]> = self.root().into_iter().collect();
        while let Some(node) = stack.pop() {
            let flow = self.open(node, |below| {
                tests += 1;
                match below {
                    Below::Node(child, around) if meet(bounds, &around) => stack.push(child),
                    Below::Box(id, other) if meet(bounds, &other) => return visit(id),
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

    /// See [`BroadPhase::visit_swept`](crate::broad::BroadPhase::visit_swept).
    fn walk_path(&self, path: &SweptAabb, visit: &mut dyn FnMut(u32, f32) -> f32) -> u64 {
        self.walk_in_order(path.end(), |bounds, end| path.time_of_impact(bounds, end), visit)
    }

    /// See [`BroadPhase::visit_within`](crate::broad::BroadPhase::visit_within).
    fn walk_near(&self, from: &Aabb, within: f32, visit: &mut dyn FnMut(u32, f32) -> f32) -> u64 {
        let near = |bounds: &Aabb, within| Some(distance(from, bounds)).filter(|&d| d <= within);
        self.walk_in_order(within, near, visit)
    }

    /// Visits the boxes that have a key, which is `None` beyond a limit; of the children of a node,
    /// the one of least key first. The visitor gives the new limit.
    fn walk_in_order(
        &self,
        mut limit: f32,
        key_of: impl Fn(&Aabb, f32) -> Option<f32>,
        visit: &mut dyn FnMut(u32, f32) -> f32,
    ) -> u64 {
        let mut tests = 0;
        let root = self.root().map(|root| (f32::NEG_INFINITY, root));
        let mut stack: SmallVec<[(f32, u32); 64]> = root.into_iter().collect();
        while let Some((key, node)) = stack.pop() {
            if key > limit {
                continue;
            }
            let bottom = stack.len();
            let _ = self.open(node, |below| {
                tests += 1;
                match below {
                    Below::Node(child, around) => {
                        stack.extend(key_of(&around, limit).map(|key| (key, child)));
                    }
                    Below::Box(id, bounds) => {
                        if let Some(key) = key_of(&bounds, limit) {
                            limit = visit(id, key);
                        }
                    }
                }
                ControlFlow::Continue(())
            });
            stack[bottom..]
                .sort_unstable_by(|(a, first), (b, second)| b.total_cmp(a).then(second.cmp(first)));
        }
        tests
    }
}
