//! Step 3: let the bodies come to rest outside the platform.

use smallvec::SmallVec;

use crate::math::{DVec2, cross, length, perp_cw, try_normalize};
use crate::motion::carry::PlatformMotion;
use crate::motion::carry::find::FirstPushed;
use crate::motion::carry::moves::{MAX_SLIDES, STOPPED};
use crate::motion::mover::{Bodies, Mover, Surface, bounds_of};
use crate::world::move_buffers::{CarryBuffers, MoveBuffers, PushProgress};
use crate::world::{BodyKey, Filter, World};

/// The largest rounding error of a body in a row of bodies, in tolerances.
const ROUNDING: f64 = 64.0;

impl World {
    /// Finds the bodies that the platform is in, and the shortest displacement of each out of it and out of
    /// what does not move, if there is one.
    ///
    /// A body that has slid along an obstacle instead, which counts as fixed, goes on in the same direction:
    /// `last` says where it was before, and how far it had to go.
    pub(super) fn find_in_platform(
        &self,
        platform: BodyKey,
        motion: &PlatformMotion,
        tolerance: f64,
        last: &[(DVec2, FirstPushed)],
        group: &mut CarryBuffers,
        buffers: &mut MoveBuffers,
    ) -> SmallVec<[(DVec2, FirstPushed); 4]> {
        let filter = Filter::new();
        let CarryBuffers { near, together, .. } = group;
        self.list_near(platform, DVec2::ZERO, near);
        near.retain(|body| !together.contains(body.slot));
        let mut first = SmallVec::new();
        for &body in &*near {
            let Ok(mover) = Mover::new(self.mover_view(), buffers, body, &filter) else { continue };
            let mut mover = mover.among(Bodies::FixedAnd(platform));
            if mover.is_in(platform, tolerance) {
                let start = mover.at();
                let reach = motion.reach(&mover.bounds_here());
                mover.depenetrate_within(reach);
                if mover.is_stuck && !mover.move_to_room(reach, motion.translation()) {
                    continue;
                }
                let mut motion = mover.at() - start;
                if let Some((before, last)) = last.iter().find(|(_, last)| last.body == body) {
                    let (slid, gained) = (start - *before, length(last.motion) - length(motion));
                    if slid.dot(motion) > 0.0 && gained > 0.0 {
                        let rest = slid * (length(motion) / gained);
                        motion = if length(rest) <= reach { rest } else { motion };
                    }
                }
                first.push((start, FirstPushed { body, motion, normal: motion }));
            }
        }
        first
    }

    /// Takes the moved bodies out of what they overlap by a rounding error, and lets each rest against the
    /// one that moved it. Bodies farther out follow later and are not in the way, unless something stopped
    /// them.
    pub(super) fn settle(
        &mut self,
        platform: BodyKey,
        motion: &PlatformMotion,
        tolerance: f64,
        group: &mut CarryBuffers,
        buffers: &mut MoveBuffers,
    ) {
        let filter = Filter::new();
        // A platform that is translated enters its riders by no more than the rounding of its vertices,
        // before and after.
        let bounds = self.colliders_of(platform).filter_map(|key| self.collider(key));
        let bounds = bounds.map(|collider| bounds_of(&collider.bounds()).reach());
        let rounding = 4.0 * f64::from(f32::EPSILON) * bounds.fold(0.0, f64::max);
        group.ignored.clear();
        for pushed in &group.all {
            if pushed.progress != PushProgress::Stopped {
                group.ignored.insert(pushed.body.slot);
            }
        }
        let mut is_crowded = false;
        for pushed in &group.all {
            group.ignored.remove(pushed.body.slot);
            let view = self.mover_view();
            let Ok(mover) = Mover::new(view, buffers, pushed.body, &filter) else { continue };
            let mut mover = mover.among(Bodies::NotIn(&group.ignored));
            let start = mover.position();
            if pushed.is_rider && pushed.pusher == platform {
                let reach = motion.reach(&mover.bounds_here());
                mover.lift_onto_fronts(if motion.is_translation() { rounding } else { reach });
            }
            if !mover.is_free(mover.position()) {
                // Rounding adds up in a row of bodies.
                mover.depenetrate_within(ROUNDING * tolerance);
                is_crowded = true;
            }
            if !mover.is_stuck {
                mover.rest_against(pushed.pusher, pushed.normal);
            }
            let end = mover.position();
            if end != start {
                self.move_to(pushed.body, end);
            }
        }
        if is_crowded {
            self.give_way(platform, tolerance, group, buffers);
        }
    }

    /// Moves the bodies that have been pushed into an obstacle that does not move out of it again, towards the
    /// platform. A body without room then overlaps the platform, and nothing else.
    fn give_way(
        &mut self,
        platform: BodyKey,
        tolerance: f64,
        group: &mut CarryBuffers,
        buffers: &mut MoveBuffers,
    ) {
        let filter = Filter::new();
        group.ignored.clear();
        group.ignored.insert(platform.slot);
        for pushed in &group.all {
            group.ignored.insert(pushed.body.slot);
        }
        for pushed in group.all.iter().rev() {
            group.ignored.remove(pushed.body.slot);
            let view = self.mover_view();
            let Ok(mover) = Mover::new(view, buffers, pushed.body, &filter) else { continue };
            let mut mover = mover.among(Bodies::NotIn(&group.ignored));
            if !mover.overlapped_deeper(3.0 * tolerance).is_empty() {
                mover.depenetrate_within(ROUNDING * tolerance);
                let end = mover.position();
                self.move_to(pushed.body, end);
            }
        }
    }

    /// Lets the bodies that were stopped go on, if what stopped them has gone, and lets the riders of a platform
    /// that is translated return to it if others have pushed them aside. Those farthest from the platform go
    /// first. A body that overlaps an obstacle by more than `rounding` has no room, and stays.
    pub(super) fn catch_up(
        &mut self,
        platform: BodyKey,
        motion: &PlatformMotion,
        [tolerance, rounding]: [f64; 2],
        group: &CarryBuffers,
        buffers: &mut MoveBuffers,
    ) {
        let filter = Filter::new();
        // A body that catches up may make room for another one.
        for _ in 0..MAX_SLIDES + group.all.len() {
            let mut has_moved = false;
            for pushed in group.all.iter().rev() {
                let is_rider =
                    pushed.is_rider && pushed.pusher == platform && motion.is_translation();
                if pushed.progress != PushProgress::Stopped && !is_rider {
                    continue;
                }
                let view = self.mover_view();
                let Ok(mut mover) = Mover::new(view, buffers, pushed.body, &filter) else {
                    continue;
                };
                let (before, left) =
                    (mover.position(), pushed.from.as_dvec2() + pushed.motion - mover.at());
                if left.abs().max_element() <= STOPPED * tolerance {
                    continue;
                }
                if !mover.is_free(before) {
                    if !mover.overlapped_deeper(rounding).is_empty() {
                        continue;
                    }
                    mover.accept_overlaps();
                }
                mover.slide_by(left, None);
                let end = mover.position();
                if end != before {
                    self.move_to(pushed.body, end);
                    has_moved |= length(end.as_dvec2() - before.as_dvec2()) > tolerance;
                }
            }
            if !has_moved {
                break;
            }
        }
    }

    /// Moves the bodies that the platform is still in to where they have room. Returns whether there are any; those
    /// that have no room are left in [`CarryBuffers::near`].
    pub(super) fn make_room(
        &mut self,
        platform: BodyKey,
        motion: &PlatformMotion,
        tolerance: f64,
        group: &mut CarryBuffers,
        buffers: &mut MoveBuffers,
    ) -> bool {
        let filter = Filter::new();
        self.list_near(platform, DVec2::ZERO, &mut group.near);
        group.near.retain(|body| !group.together.contains(body.slot));
        let (mut near, mut has_moved) = (core::mem::take(&mut group.near), false);
        near.retain(|&body| {
            let mover = Mover::new(self.mover_view(), buffers, body, &filter);
            let Ok(mut mover) = mover else { return false };
            let is_in = mover.is_in(platform, tolerance);
            let reach = motion.reach(&mover.bounds_here());
            if is_in && mover.move_to_room(reach, motion.translation()) {
                let end = mover.position();
                self.move_to(body, end);
                has_moved = true;
                return false;
            }
            is_in
        });
        group.near = near;
        has_moved
    }
}

impl Mover<'_> {
    /// Returns whether the body overlaps another one by more than a tolerance.
    fn is_in(&mut self, other: BodyKey, tolerance: f64) -> bool {
        let mut slots = self.overlapped_deeper(tolerance).into_iter();
        slots.any(|slot| self.storage.props[slot as usize].body == other.slot)
    }

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

    /// Moves the body to the nearest free position, no farther than a distance and half of its width and
    /// height. Returns whether there is one. Of equally near ones, that along a motion is taken.
    ///
    /// The nearest free position is the point of a surface that is closest to where the body is, or one where
    /// two surfaces cross. Surfaces are straight, or round with the radius of a corner.
    fn move_to_room(&mut self, reach: f64, motion: DVec2) -> bool {
        let reach = reach.min(0.5 * self.least_extent());
        self.gather_between(DVec2::splat(-reach), DVec2::splat(reach));
        let mut surfaces = SmallVec::<[Surface; 32]>::new();
        self.collect_surfaces(reach, &mut surfaces);
        let at = self.at();
        surfaces.sort_by(|a, b| length(a.closest(at) - at).total_cmp(&length(b.closest(at) - at)));
        surfaces.truncate(MAX_SURFACES);
        let mut candidates: SmallVec<[(f64, DVec2); 32]> = SmallVec::new();
        let mut consider = |point: DVec2| {
            if length(point - at) <= reach {
                candidates.push((length(point - at), point));
            }
        };
        for (i, surface) in surfaces.iter().enumerate() {
            consider(surface.closest(at));
            surfaces[..i].iter().for_each(|other| surface.cross(other, &mut consider));
        }
        let along = |point: DVec2| (point - at).dot(motion);
        candidates.sort_by(|a, b| a.0.total_cmp(&b.0).then(along(b.1).total_cmp(&along(a.1))));
        // The obstacles that the body is stuck in block it again.
        self.buffers.stuck_in.clear();
        let margins = [0.0, 0.5, 1.0, 2.0, 4.0];
        let free = candidates.iter().find_map(|&(_, at)| {
            let is_near = self.deepest_at(at, |_| true) <= self.contact_tolerance(at);
            is_near.then(|| self.nearest_free(at, &margins)).flatten()
        });
        if let Some(position) = free {
            self.is_stuck = false;
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

/// The number of surfaces that the search for room considers.
const MAX_SURFACES: usize = 32;

impl Surface {
    /// Returns the closest point of the surface.
    fn closest(&self, p: DVec2) -> DVec2 {
        match *self {
            Surface::Line { normal, offset } => p + normal * (offset - normal.dot(p)),
            Surface::Circle { center, radius } => {
                center + try_normalize(p - center).unwrap_or(DVec2::Y) * radius
            }
        }
    }

    /// Visits the points where two surfaces cross.
    fn cross(&self, other: &Self, mut visit: impl FnMut(DVec2)) {
        // The points of a circle that are on a line. Two circles cross on a line, too.
        let (line, circle) = match (*self, *other) {
            (Surface::Line { normal, offset }, Surface::Line { normal: n, offset: o }) => {
                let determinant = cross(normal, n);
                if determinant.abs() > 1e-6 {
                    let point =
                        DVec2::new(offset * n.y - o * normal.y, o * normal.x - offset * n.x);
                    visit(point / determinant);
                }
                return;
            }
            (Surface::Line { normal, offset }, circle @ Surface::Circle { .. })
            | (circle @ Surface::Circle { .. }, Surface::Line { normal, offset }) => {
                ((normal, offset), circle)
            }
            (
                circle @ Surface::Circle { center, radius },
                Surface::Circle { center: c, radius: r },
            ) => {
                let Some(normal) = try_normalize(c - center) else { return };
                let distance = length(c - center);
                let along = (distance * distance + radius * radius - r * r) / (2.0 * distance);
                ((normal, normal.dot(center) + along), circle)
            }
        };
        let Surface::Circle { center, radius } = circle else { return };
        let (normal, offset) = line;
        let along = offset - normal.dot(center);
        let half = crate::math::sqrt(f64::max(0.0, radius * radius - along * along));
        if along.abs() <= radius {
            visit(center + normal * along + perp_cw(normal) * half);
            visit(center + normal * along - perp_cw(normal) * half);
        }
    }
}
