//! Brute force: every box against every other.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::broad::shared::box_table::BoxTable;
use crate::broad::shared::visitors::{PairSink, SweptVisitor, WithinVisitor};
use crate::broad::{BroadPhase, Mobility, Pair, PairLimit, SweptAabb};
use crate::shape::Aabb;

/// Tests every box against every other.
///
/// No method is faster for a few dozen boxes, and none is slower for thousands. It is also the simplest, so
/// the other methods are tested against it.
///
/// Pairs are in ascending order.
#[derive(Clone, Debug, Default)]
pub struct BruteForce {
    boxes: BoxTable,
}

impl BruteForce {
    /// Creates an empty broad phase.
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

    fn find_pairs_filtered(&mut self, limit: PairLimit<'_>, pairs: &mut Vec<Pair>) -> Option<u64> {
        let mut sink = PairSink::new(limit, pairs);
        for a in self.boxes.iter() {
            for b in self.boxes.iter_from(a.id + 1) {
                sink.test(&a, &b);
            }
            if sink.is_over_limit() {
                break;
            }
        }
        sink.finish()
    }

    fn visit_intersecting(
        &self,
        bounds: &Aabb,
        visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> u64 {
        let mut tests = 0;
        for item in self.boxes.iter() {
            tests += 1;
            if bounds.intersects_aabb(&item.bounds) && visit(item.id).is_break() {
                break;
            }
        }
        tests
    }

    fn visit_swept(&self, swept: &SweptAabb, visit: &mut dyn FnMut(u32, &Aabb, f32) -> f32) -> u64 {
        let mut visitor = SweptVisitor::new(swept, swept.end(), visit);
        self.boxes.iter().for_each(|item| visitor.test(item.id, &item.bounds));
        visitor.tests
    }

    fn visit_within(
        &self,
        from: &Aabb,
        max_distance: f32,
        visit: &mut dyn FnMut(u32, &Aabb, f32) -> f32,
    ) -> u64 {
        let mut visitor = WithinVisitor::new(from, max_distance, visit);
        self.boxes.iter().for_each(|item| visitor.test(item.id, &item.bounds));
        visitor.tests
    }
}
