//! Every box against every other.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::broad::boxes::Boxes;
use crate::broad::swept_aabb::{SweptAabb, distance};
use crate::broad::{BroadPhase, Mobility, Pair, can_pair, meet};
use crate::shape::Aabb;

/// Tests every box against every other. Nothing is faster for a few dozen boxes, nothing slower for
/// thousands; and nothing is simpler, so the other methods are checked against it.
///
/// Pairs come in ascending order.
#[derive(Clone, Debug, Default)]
pub struct BruteForce {
    boxes: Boxes,
}

impl BruteForce {
    /// With no boxes yet.
    pub fn new() -> Self {
        Self::default()
    }
}

impl BroadPhase for BruteForce {
    fn set(&mut self, id: u32, bounds: Aabb, mobility: Mobility) {
        self.boxes.set(id, bounds, mobility);
    }

    fn remove(&mut self, id: u32) -> bool {
        self.boxes.remove(id).is_some()
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
        for (a, a_bounds, a_mobility) in self.boxes.iter() {
            for (b, b_bounds, b_mobility) in self.boxes.iter_from(a + 1) {
                if !can_pair(a_mobility, b_mobility) {
                    continue;
                }
                tests += 1;
                if meet(&a_bounds, &b_bounds) {
                    pairs.push([a, b]);
                }
            }
            if pairs.len() > limit {
                return None;
            }
        }
        Some(tests)
    }

    fn visit_intersecting(
        &self,
        bounds: &Aabb,
        visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> u64 {
        let mut tests = 0;
        for (id, other, _) in self.boxes.iter() {
            tests += 1;
            if meet(bounds, &other) && visit(id).is_break() {
                break;
            }
        }
        tests
    }

    fn visit_swept(&self, path: &SweptAabb, visit: &mut dyn FnMut(u32, f32) -> f32) -> u64 {
        let mut end = path.end();
        for (id, bounds, _) in self.boxes.iter() {
            if let Some(time) = path.time_of_impact(&bounds, end) {
                end = visit(id, time);
            }
        }
        self.len() as u64
    }

    fn visit_within(
        &self,
        from: &Aabb,
        mut within: f32,
        visit: &mut dyn FnMut(u32, f32) -> f32,
    ) -> u64 {
        for (id, bounds, _) in self.boxes.iter() {
            let distance = distance(from, &bounds);
            if distance <= within {
                within = visit(id, distance);
            }
        }
        self.len() as u64
    }
}
