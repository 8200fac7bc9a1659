//! Step 3: let the bodies come to rest, from the platform outwards.

use smallvec::SmallVec;

use crate::math::{DVec2, cross, length, to_vec2, try_normalize};
use crate::motion::carry::moves::part_of;
use crate::motion::carry::{Carry, PlatformMotion};
use crate::motion::mover::{Bodies, Mover};
use crate::world::move_buffers::{CarryBuffers, MoveBuffers, PushProgress};
use crate::world::{BodyKey, Filter, World};

/// The number of surfaces that the search for room considers.
const MAX_PLANES: usize = 24;

impl World {
    /// Takes each pushed body out of what moved into it, and lets it rest against the one that moved it.
    /// Bodies farther out follow later and are not in the way, unless something stopped them.
    pub(super) fn rest_pushed(
        &mut self,
        platform: BodyKey,
        motion: &PlatformMotion,
        tolerance: f64,
        group: &mut CarryBuffers,
        buffers: &mut MoveBuffers,
        carry: &mut Carry,
    ) {
        let filter = Filter::new();
        let reported_before = carry.squashed.len();
        group.embedded.sort_unstable();
        group.ignored.clear();
        for pushed in &group.pushed {
            if pushed.progress != PushProgress::Stopped && pushed.motion != DVec2::ZERO {
                group.ignored.insert(pushed.body.slot);
            }
        }
        for position in (0..group.order.len()).rev() {
            // Those that a body presses on come after it.
            let index = group.order[position] as usize;
            let pushed = group.pushed[index];
            let slot = pushed.body.slot;
            group.ignored.remove(slot);
            let view = self.mover_view();
            let Ok(mut mover) = Mover::new(view, buffers, pushed.body, &filter) else { continue };
            let start = mover.position();
            if pushed.motion == DVec2::ZERO {
                // A body that was only near: it stays, unless the platform is in it.
                mover = mover.among(Bodies::Only(platform));
                if mover.is_free(start) {
                    continue;
                }
                let Ok(anew) = Mover::new(view, buffers, pushed.body, &filter) else { continue };
                mover = anew;
            }
            let mut mover = mover.among(Bodies::NotIn(&group.ignored));
            // A platform enters a body no farther than it moves. (Rounding adds up in a row of bodies.)
            let reach = motion.reach(&mover.bounds_here());
            if !motion.is_translation() && pushed.is_rider && pushed.pusher == platform {
                mover.lift_onto_fronts(reach);
            }
            let before = mover.position();
            if !mover.is_free(before) {
                mover.depenetrate_within(reach.max(64.0 * tolerance));
            }
            if mover.is_stuck {
                let is_old = |body: u32| {
                    let index = index as u32;
                    let is_other =
                        |&[_, other]: &[u32; 2]| group.pushed[other as usize].body.slot == body;
                    part_of(&group.overlaps, index).iter().any(is_other)
                        || part_of(&group.embedded, index).contains(&[index, body])
                };
                let overlapped = mover.overlapped_deeper(tolerance);
                let is_squashed = overlapped.iter().any(|&other| {
                    let body = mover.storage.props[other as usize].body;
                    body == platform.slot || !is_old(body)
                });
                if is_squashed
                    && !mover.move_to_room(reach, pushed.motion)
                    && !group.reported[1].contains(slot)
                {
                    group.reported[1].insert(slot);
                    carry.squashed.push(pushed.body);
                }
            } else {
                mover.rest_against(pushed.pusher, pushed.normal);
            }
            let end = mover.position();
            if end != start {
                self.move_to(pushed.body, end);
            }
        }
        self.catch_up(group, buffers);
        self.take_back_squashed(reported_before, tolerance, group, buffers, carry);
    }

    /// Lets the bodies that were stopped go on, if what stopped them has gone. Those farthest from the
    /// platform go first.
    fn catch_up(&mut self, group: &CarryBuffers, buffers: &mut MoveBuffers) {
        let filter = Filter::new();
        // One that catches up may make room for another one.
        for _ in 0..group.pushed.len() {
            let mut has_moved = false;
            let stopped = group.pushed.iter().rev();
            for pushed in stopped.filter(|pushed| pushed.progress == PushProgress::Stopped) {
                let view = self.mover_view();
                let Ok(mut mover) = Mover::new(view, buffers, pushed.body, &filter) else {
                    continue;
                };
                let before = mover.position();
                if !mover.is_free(before) {
                    continue;
                }
                mover.slide_by(pushed.from.as_dvec2() + pushed.motion - mover.at(), None);
                let end = mover.position();
                if end != before {
                    self.move_to(pushed.body, end);
                    has_moved = true;
                }
            }
            if !has_moved {
                break;
            }
        }
    }

    /// Takes back what was reported as squashed while another body, which has moved on since, was in it.
    fn take_back_squashed(
        &self,
        reported_before: usize,
        tolerance: f64,
        group: &mut CarryBuffers,
        buffers: &mut MoveBuffers,
        carry: &mut Carry,
    ) {
        let filter = Filter::new();
        let mut index = 0..;
        carry.squashed.retain(|body| {
            let is_new = index.next() >= Some(reported_before);
            let is_free = is_new
                && Mover::new(self.mover_view(), buffers, *body, &filter)
                    .is_ok_and(|mut mover| mover.overlapped_deeper(tolerance).is_empty());
            if is_free {
                group.reported[1].remove(body.slot);
            }
            !is_free
        });
    }
}

impl Mover<'_> {
    /// Closes the gap of a few units in the last place that rounding leaves between the body and the one
    /// that moved it.
    fn rest_against(&mut self, pusher: BodyKey, normal: DVec2) {
        let Some(normal) = try_normalize(normal) else { return };
        if self.touches(pusher, normal) {
            return;
        }
        let from = self.position();
        let motion = normal * (-8.0 * self.tolerance());
        if !self.is_blocked(motion) {
            self.advance(motion);
        }
        if !self.touches(pusher, normal) {
            self.keep(from);
        }
    }

    /// Moves a stuck body to the nearest free position, no farther than a distance and half of its width
    /// and height. Returns whether there is one.
    ///
    /// The nearest free position is on the surface of an obstacle, closest to where the body is, or where
    /// two surfaces cross. Between round surfaces, some directions are tried, those along a motion first.
    fn move_to_room(&mut self, reach: f64, motion: DVec2) -> bool {
        let reach = reach.min(0.5 * self.least_extent());
        let mut planes = core::mem::take(&mut self.buffers.planes);
        self.collect_planes_within(reach, &mut planes);
        let at = self.at();
        let gap = |(normal, offset): &(DVec2, f64)| offset - normal.dot(at);
        planes.sort_by(|a, b| gap(a).abs().total_cmp(&gap(b).abs()));
        planes.truncate(MAX_PLANES);
        let mut candidates: SmallVec<[(f64, DVec2); 32]> = SmallVec::new();
        let mut consider = |by: DVec2| {
            if length(by) <= reach {
                candidates.push((length(by), at + by));
            }
        };
        for (i, plane) in planes.iter().enumerate() {
            consider(plane.0 * gap(plane));
            for other in &planes[..i] {
                let determinant = cross(plane.0, other.0);
                if determinant.abs() > 1e-6 {
                    let x = (gap(plane) * other.0.y - gap(other) * plane.0.y) / determinant;
                    let y = (gap(other) * plane.0.x - gap(plane) * other.0.x) / determinant;
                    consider(DVec2::new(x, y));
                }
            }
        }
        self.buffers.planes = planes;
        candidates.sort_by(|a, b| a.0.total_cmp(&b.0));
        // What the body was stuck in is in the way again.
        self.buffers.stuck_in.clear();
        let mut free = candidates.iter();
        let mut free = free.find_map(|&(_, at)| self.nearest_free(at, &[0.0, 0.5, 1.0, 2.0, 4.0]));
        if free.is_none() {
            let mut directions = compass();
            directions.sort_by(|a, b| b.dot(motion).total_cmp(&a.dot(motion)));
            free = (1..=8).find_map(|ring| {
                let distance = reach * f64::from(ring) / 8.0;
                let mut positions = directions.iter().map(|by| to_vec2(at + *by * distance));
                positions.find(|&position| self.is_free(position))
            });
        }
        if let Some(position) = free {
            self.keep(position);
        }
        free.is_some()
    }

    /// Returns whether the body touches another one, on the side that a normal out of it shows.
    fn touches(&mut self, other: BodyKey, normal: DVec2) -> bool {
        let contacts = self.contacts();
        let touches = contacts.iter().any(|contact| {
            self.storage.body_key_of(contact.slot) == other
                && contact.closest_normal(normal).dot(normal) > 0.7
        });
        self.recycle(contacts);
        touches
    }
}

/// Sixteen directions, which are the same in all mirrors and quarter turns.
fn compass() -> [DVec2; 16] {
    let (long, short) = (0.923_879_532_511_286_7, 0.382_683_432_365_089_8); // of 22.5 degrees
    let eighth = [
        DVec2::X,
        DVec2::new(long, short),
        DVec2::splat(core::f64::consts::FRAC_1_SQRT_2),
        DVec2::new(short, long),
    ];
    core::array::from_fn(|i| {
        let quarters = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y];
        quarters[i / 4].rotate(eighth[i % 4])
    })
}
