//! Step 2: move the bodies. All that can go by the same displacement go together; the others slide as far as
//! they get.

use smallvec::SmallVec;

use crate::math::{DVec2, length, to_vec2};
use crate::motion::mover::{Bodies, Mover};
use crate::world::move_buffers::{CarryBuffers, MoveBuffers, PushProgress};
use crate::world::{BodyKey, Filter, World};

/// A body that ends more than this many tolerances short of its target was stopped by something.
pub(super) const STOPPED: f64 = 4.0;

/// The maximum number of times that a body goes on around what it has slid along.
pub(super) const MAX_SLIDES: usize = 8;

impl World {
    /// Moves the bodies that a platform carries and pushes. The platform is no obstacle: seen from a body
    /// that goes with it, it stands still.
    ///
    /// Equal displacements do not change how bodies touch each other. So all bodies that go by the
    /// displacement of the first one go together, without regard to each other, unless they press on
    /// something that does not go with them.
    pub(super) fn move_together(
        &mut self,
        platform: BodyKey,
        tolerance: f64,
        group: &mut CarryBuffers,
        buffers: &mut MoveBuffers,
    ) {
        group.ignored.clear();
        group.ignored.insert(platform.slot);
        self.find_presses(tolerance, group, buffers);
        let common = group.pushed.first().map_or(DVec2::ZERO, |first| first.motion);
        // 1. What presses on a body that is obstructed is obstructed. Those that are pressed on are listed
        //    first, so one pass is enough, unless some press on each other.
        let mut has_changed = true;
        while core::mem::take(&mut has_changed) {
            for &index in &group.order {
                let pushed = &group.pushed[index as usize];
                if pushed.is_obstructed {
                    continue;
                }
                let mut pressed = part_of(&group.presses, index).iter();
                let is_stopped = pressed.any(|&[_, it]| group.pushed[it as usize].is_obstructed);
                if is_stopped || pushed.motion != common {
                    group.pushed[index as usize].is_obstructed = true;
                    has_changed = true;
                }
            }
        }
        // 2. Move the others together.
        for pushed in group.pushed.iter_mut().filter(|pushed| !pushed.is_obstructed) {
            pushed.progress = PushProgress::Together;
            self.move_to(pushed.body, to_vec2(pushed.from.as_dvec2() + pushed.motion));
        }
        // 3. Slide.
        for position in 0..group.order.len() {
            let index = group.order[position];
            if group.pushed[index as usize].is_obstructed {
                self.slide_pushed(index, tolerance, group, buffers);
            }
        }
    }

    /// Moves the bodies of a chain one after the other, those that are pressed on before the ones that press.
    /// Every position is free, but bodies that press on each other do not stop each other.
    pub(in crate::motion) fn move_chain(
        &mut self,
        tolerance: f64,
        group: &mut CarryBuffers,
        buffers: &mut MoveBuffers,
    ) {
        group.ignored.clear();
        self.find_presses(tolerance, group, buffers);
        for position in 0..group.order.len() {
            let index = group.order[position];
            group.ignored.clear();
            for &[_, pressed] in part_of(&group.presses, index) {
                let other = group.pushed[pressed as usize];
                if other.progress == PushProgress::Listed {
                    group.ignored.insert(other.body.slot);
                }
            }
            self.slide_pushed(index, tolerance, group, buffers);
        }
    }

    /// Finds which bodies press on which, and which press on or overlap anything else. Lists all bodies so
    /// that those that are pressed on come first.
    fn find_presses(&self, tolerance: f64, group: &mut CarryBuffers, buffers: &mut MoveBuffers) {
        let filter = Filter::new();
        let CarryBuffers { pushed, members, index_of, ignored, presses, order, .. } = group;
        presses.clear();
        order.clear();
        for (index, own) in (0..).zip(pushed.iter_mut()) {
            let view = self.mover_view();
            let Ok(mover) = Mover::new(view, buffers, own.body, &filter) else { continue };
            let mut mover = mover.among(Bodies::NotIn(ignored));
            mover.for_each_entered(own.motion, |slot| {
                let body = self.storage.props[slot as usize].body;
                match members.contains(body) {
                    true => presses.push([index, index_of[body as usize]]),
                    false => own.is_obstructed = true,
                }
            });
            own.is_embedded = !mover.is_clear_of_solids(own.from)
                && !mover.overlapped_deeper(tolerance).is_empty();
        }
        presses.sort_unstable();
        presses.dedup();
        // A depth-first search, from the bodies farthest from the platform.
        for root in (0..group.pushed.len() as u32).rev() {
            group.list(root);
            while let Some([index, edge]) = group.stack.pop() {
                let pressed = group.presses.get(edge as usize).filter(|edge| edge[0] == index);
                if let Some(&[_, pressed]) = pressed {
                    group.stack.push([index, edge + 1]);
                    group.list(pressed);
                } else {
                    group.order.push(index);
                }
            }
        }
    }

    /// Slides a pushed body as far as it gets among all bodies that are not ignored.
    fn slide_pushed(
        &mut self,
        index: u32,
        tolerance: f64,
        group: &mut CarryBuffers,
        buffers: &mut MoveBuffers,
    ) {
        let pushed = &mut group.pushed[index as usize];
        pushed.progress = PushProgress::Moved;
        if pushed.motion == DVec2::ZERO {
            return;
        }
        let filter = Filter::new();
        let view = self.mover_view();
        let Ok(mover) = Mover::new(view, buffers, pushed.body, &filter) else { return };
        let mut mover = mover.among(Bodies::NotIn(&group.ignored));
        mover.gather_motion(pushed.motion);
        if !mover.is_clear_of_solids(mover.position()) {
            mover.accept_overlaps();
        }
        let target = mover.at() + pushed.motion;
        let is_short = |at: DVec2| (target - at).abs().max_element() > STOPPED * tolerance;
        // The obstacle that the body has slid along may end; the body then goes on around it.
        for _ in 0..MAX_SLIDES {
            let before = mover.at();
            mover.slide_by(target - before, pushed.is_rider.then_some(pushed.normal));
            if !is_short(mover.at()) || length(mover.at() - before) <= tolerance {
                break;
            }
        }
        if is_short(mover.at()) {
            pushed.progress = PushProgress::Stopped;
        }
        let (body, end) = (pushed.body, mover.position());
        if end != pushed.from {
            self.move_to(body, end);
        }
    }
}

impl CarryBuffers {
    /// Lists a body after those that it presses on.
    fn list(&mut self, index: u32) {
        let pushed = &mut self.pushed[index as usize];
        if pushed.progress == PushProgress::Waiting {
            pushed.progress = PushProgress::Listed;
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
fn part_of(pairs: &[[u32; 2]], first: u32) -> &[[u32; 2]] {
    let start = pairs.partition_point(|pair| pair[0] < first);
    let end = pairs.partition_point(|pair| pair[0] <= first);
    &pairs[start..end]
}
