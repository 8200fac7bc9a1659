//! Step 2: move the bodies, each as far as it gets.

use smallvec::SmallVec;

use crate::math::DVec2;
use crate::motion::mover::{Bodies, Mover};
use crate::shape::Aabb;
use crate::world::move_buffers::{CarryBuffers, MoveBuffers, PushProgress, PushedBody};
use crate::world::{BodyKey, Filter, World};

/// A body that ends more than this many tolerances short of its target was stopped by something.
const STOPPED: f64 = 4.0;

impl World {
    /// Moves the pushed bodies. Those that a body presses on move before it, whatever their positions
    /// are, so that equal motions do not stop each other.
    ///
    /// A platform has moved already, and is no obstacle.
    pub(in crate::motion) fn move_pushed(
        &mut self,
        platform: Option<BodyKey>,
        tolerance: f64,
        group: &mut CarryBuffers,
        buffers: &mut MoveBuffers,
    ) {
        self.find_presses(tolerance, group, buffers);
        group.order.clear();
        // A depth-first search, from the bodies farthest from the platform.
        for root in (0..group.pushed.len() as u32).rev() {
            group.visit(root);
            while let Some([index, edge]) = group.stack.pop() {
                let pressed = group.presses.get(edge as usize).filter(|edge| edge[0] == index);
                if let Some(&[_, pressed]) = pressed {
                    group.stack.push([index, edge + 1]);
                    group.visit(pressed);
                } else {
                    group.order.push(index);
                    self.move_one(platform, index, tolerance, group, buffers);
                }
            }
        }
    }

    /// Finds which pushed bodies press on which, and what each overlaps before anything moves.
    fn find_presses(&self, tolerance: f64, group: &mut CarryBuffers, buffers: &mut MoveBuffers) {
        let filter = Filter::new();
        group.presses.clear();
        group.overlaps.clear();
        group.embedded.clear();
        if group.pushed.len() == 1 {
            return;
        }
        for (index, pushed) in (0..).zip(&group.pushed) {
            if pushed.motion == DVec2::ZERO || !self.is_near_others(pushed, &group.pushed) {
                continue;
            }
            let view = self.mover_view();
            let Ok(mover) = Mover::new(view, buffers, pushed.body, &filter) else { continue };
            let mut mover = mover.among(Bodies::In(&group.members));
            let props = &self.storage.props;
            let index_of = |slot: u32| group.index_of[props[slot as usize].body as usize];
            mover.for_each_entered(pushed.motion, |slot| {
                group.presses.push([index, index_of(slot)]);
            });
            if !mover.is_clear_of_solids(pushed.from) {
                for slot in mover.overlapped_deeper(tolerance) {
                    group.overlaps.push([index, index_of(slot)]);
                }
            }
        }
        group.presses.sort_unstable();
        group.presses.dedup();
        group.overlaps.sort_unstable();
        group.overlaps.dedup();
    }

    /// Returns whether the path of a pushed body comes near another one. If there are many, this is not worth
    /// a comparison with each.
    fn is_near_others(&self, pushed: &PushedBody, all: &[PushedBody]) -> bool {
        const MANY: usize = 16;
        let comes_near = |path: Aabb| {
            let others = all.iter().filter(|other| other.body != pushed.body);
            let mut colliders = others.flat_map(|other| self.colliders_of(other.body));
            colliders
                .any(|key| self.storage.placed[key.slot as usize].bounds().intersects_aabb(&path))
        };
        all.len() > MANY || self.paths_of(pushed.body, pushed.motion).any(comes_near)
    }

    /// Moves a pushed body; all that it presses on have moved, but those that press on it in turn.
    fn move_one(
        &mut self,
        platform: Option<BodyKey>,
        index: u32,
        tolerance: f64,
        group: &mut CarryBuffers,
        buffers: &mut MoveBuffers,
    ) {
        let pushed = group.pushed[index as usize];
        group.pushed[index as usize].progress = PushProgress::Moved;
        if pushed.motion == DVec2::ZERO {
            return;
        }
        let filter = Filter::new();
        // 1. Interlocked bodies, and those that overlap from the start, do not stop each other.
        group.ignored.clear();
        for &[_, pressed] in part_of(&group.presses, index) {
            let other = group.pushed[pressed as usize];
            if other.progress == PushProgress::Open {
                group.ignored.insert(other.body.slot);
            }
        }
        for &[_, other] in part_of(&group.overlaps, index) {
            group.ignored.insert(group.pushed[other as usize].body.slot);
        }
        // 2. The platform has moved already. Seen from a body that goes with it, it stands still.
        if let Some(platform) = platform {
            group.ignored.insert(platform.slot);
        }
        // 3. Slide.
        let view = self.mover_view();
        let Ok(mover) = Mover::new(view, buffers, pushed.body, &filter) else { return };
        let mut mover = mover.among(Bodies::NotIn(&group.ignored));
        mover.gather_motion(pushed.motion);
        if !mover.is_clear_of_solids(mover.position()) {
            for slot in mover.overlapped_deeper(tolerance) {
                let body = mover.storage.props[slot as usize].body;
                if !group.members.contains(body) {
                    group.embedded.push([index, body]);
                }
            }
            mover.accept_overlaps();
        }
        let target = mover.at() + pushed.motion;
        mover.slide_by(pushed.motion, pushed.is_rider.then_some(pushed.normal));
        if (target - mover.at()).abs().max_element() > STOPPED * tolerance {
            group.pushed[index as usize].progress = PushProgress::Stopped;
        }
        let end = mover.position();
        if end != pushed.from {
            self.move_to(pushed.body, end);
        }
    }
}

impl CarryBuffers {
    /// Opens a body that waits.
    fn visit(&mut self, index: u32) {
        let pushed = &mut self.pushed[index as usize];
        if pushed.progress == PushProgress::Waiting {
            pushed.progress = PushProgress::Open;
            let edge = self.presses.partition_point(|edge| edge[0] < index);
            self.stack.push([index, edge as u32]);
        }
    }
}

impl Mover<'_> {
    /// The slots of the colliders that the body overlaps by more than a tolerance.
    pub(super) fn overlapped_deeper(&mut self, tolerance: f64) -> SmallVec<[u32; 4]> {
        let (mut slots, at) = (self.overlapped(), self.at());
        slots.retain(|slot| self.depth_in(*slot, at) > tolerance);
        slots
    }
}

/// The pairs of a sorted list that begin with a number.
pub(super) fn part_of(pairs: &[[u32; 2]], first: u32) -> &[[u32; 2]] {
    let start = pairs.partition_point(|pair| pair[0] < first);
    let end = pairs.partition_point(|pair| pair[0] <= first);
    &pairs[start..end]
}
