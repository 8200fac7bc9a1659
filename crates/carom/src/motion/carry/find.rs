//! Step 1: find the bodies that a platform carries and pushes, those that these carry and push, and so on.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::ControlFlow;

use smallvec::SmallVec;

use crate::broad::Mobility;
use crate::math::{DVec2, cross, length, round_down, round_up, try_normalize};
use crate::motion::carry::PlatformMotion;
use crate::motion::mover::{Bodies, Mover};
use crate::shape::Aabb;
use crate::sheet::Role;
use crate::world::move_buffers::{CarryBuffers, MoveBuffers, PushProgress, PushedBody};
use crate::world::{Body, BodyKey, Filter, World};

/// The longest push is final, because no push gets longer from body to body. Of equal ones, that along the
/// platform's motion comes first, then riders, then who is next to the platform. Where that is equal too, the
/// position decides: no order of adding, and nothing that changes in a mirror, unless two bodies are mirror
/// images of each other.
impl Ord for PushedBody {
    fn cmp(&self, other: &Self) -> Ordering {
        let [long, along, ahead, aside] = self.rank;
        let [other_long, other_along, other_ahead, other_aside] = other.rank;
        long.total_cmp(&other_long)
            .then(along.total_cmp(&other_along))
            .then(self.is_rider.cmp(&other.is_rider))
            .then(other.depth.cmp(&self.depth))
            .then(other_ahead.total_cmp(&ahead))
            .then(other_aside.total_cmp(&aside))
            .then(other.body.cmp(&self.body))
            .then(other.pusher.cmp(&self.pusher))
    }
}

impl PartialOrd for PushedBody {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for PushedBody {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for PushedBody {}

impl World {
    /// Finds the bodies that a platform moves, and moves the platform. Returns the largest contact
    /// tolerance of all of them: rounding far from the origin passes through a row of bodies to the ones
    /// nearer to it.
    pub(super) fn find_pushed(
        &mut self,
        platform: BodyKey,
        motion: &PlatformMotion,
        group: &mut CarryBuffers,
        buffers: &mut MoveBuffers,
    ) -> f64 {
        group.pushed.clear();
        group.open.clear();
        group.members.clear();
        let translation = motion.translation();
        let pusher = Pusher { body: platform, push: translation, depth: 0 };
        let mut search = PushSearch {
            world: self,
            platform,
            motion,
            buffers,
            group,
            tolerance: 0.0,
            chain: None,
        };
        search.list_near(&pusher, translation);
        search.find_riders(&pusher, translation);
        if motion.is_translation() {
            search.find_ahead(&pusher);
        }
        search.finish();
        let tolerance = search.tolerance;
        self.set_body_pose(platform.slot, |pose| *pose = motion.to);
        tolerance
    }

    /// Finds the bodies that a body pushes: the first ones, which it touches, and what these press on and
    /// carry, within the limits of the chain. Returns the largest contact tolerance of all of them.
    pub(in crate::motion) fn find_chain(
        &self,
        pusher: BodyKey,
        motion: &PlatformMotion,
        first: &[FirstPushed],
        chain: Option<Chain>,
        group: &mut CarryBuffers,
        buffers: &mut MoveBuffers,
    ) -> f64 {
        group.pushed.clear();
        group.open.clear();
        group.members.clear();
        let mut search = PushSearch {
            world: self,
            platform: pusher,
            motion,
            buffers,
            group,
            tolerance: 0.0,
            chain,
        };
        let platform = Pusher { body: pusher, push: motion.translation(), depth: 0 };
        for &FirstPushed { body, motion, normal } in first {
            let filter = Filter::new();
            let view = self.mover_view();
            let Ok(mover) = Mover::new(view, search.buffers, body, &filter) else { continue };
            let (from, tolerance) = (mover.position(), mover.tolerance());
            search.tolerance = search.tolerance.max(tolerance);
            let pushed = search.pushed(body, &platform, from, [motion, motion, normal], false);
            search.group.open.push(pushed);
        }
        search.finish();
        search.tolerance
    }

    /// Returns how far a turning platform extends from its position, and the least width or height of the
    /// bodies that could be in its way.
    pub(super) fn turning_extent(&self, platform: BodyKey, motion: &PlatformMotion) -> (f64, f64) {
        let center = motion.from.position.as_dvec2();
        let corners = self
            .colliders_of(platform)
            .flat_map(|key| self.storage.placed[key.slot as usize].bounds().corners());
        let reach =
            corners.fold(0.0, |reach, corner| f64::max(reach, length(corner.as_dvec2() - center)));
        let reach = reach * f64::max(1.0, f64::from(motion.to.scale / motion.from.scale));
        let to = motion.to.position.as_dvec2();
        let (min, max) = (center.min(to) - reach, center.max(to) + reach);
        let region = Aabb::new_unchecked(
            glam::Vec2::new(round_down(min.x), round_down(min.y)),
            glam::Vec2::new(round_up(max.x), round_up(max.y)),
        );
        let mut smallest = f64::INFINITY;
        self.broad.as_dyn().visit_intersecting(&region, &mut |slot| {
            if self.can_be_pushed(slot) && self.storage.props[slot as usize].body != platform.slot {
                let bounds = self.storage.placed[slot as usize].bounds();
                let size = bounds.max().as_dvec2() - bounds.min().as_dvec2();
                smallest = smallest.min(size.min_element());
            }
            ControlFlow::Continue(())
        });
        (reach, smallest)
    }

    /// Returns the bounds of the paths of a body's colliders, with a margin: what touches within the
    /// tolerance is near, too.
    fn paths_of(&self, body: BodyKey, motion: DVec2) -> impl Iterator<Item = Aabb> {
        self.colliders_of(body).map(move |key| {
            let bounds = self.storage.placed[key.slot as usize].bounds();
            let (min, max) = (bounds.min().as_dvec2(), bounds.max().as_dvec2());
            let reach = min.abs().max(max.abs()).max_element() + motion.abs().max_element();
            let margin = 32.0 * f64::from(f32::EPSILON) * reach;
            let min = min + motion.min(DVec2::ZERO) - margin;
            let max = max + motion.max(DVec2::ZERO) + margin;
            Aabb::new_unchecked(
                glam::Vec2::new(round_down(min.x), round_down(min.y)),
                glam::Vec2::new(round_up(max.x), round_up(max.y)),
            )
        })
    }

    /// Lists the moving bodies near a body and its path, each once.
    pub(super) fn list_near(&self, body: BodyKey, motion: DVec2, near: &mut Vec<BodyKey>) {
        near.clear();
        for path in self.paths_of(body, motion) {
            self.broad.as_dyn().visit_intersecting(&path, &mut |slot| {
                let other = self.storage.body_key_of(slot);
                if self.can_be_pushed(slot) && other != body {
                    near.push(other);
                }
                ControlFlow::Continue(())
            });
        }
        near.sort_unstable();
        near.dedup();
    }

    /// Returns whether a collider is solid and belongs to a body that can move.
    fn can_be_pushed(&self, slot: u32) -> bool {
        self.storage.props[slot as usize].role == Role::Solid
            && self.storage.mobility_of(slot) == Some(Mobility::Moving)
    }
}

/// A body that another one touches and pushes.
#[derive(Clone, Copy, Debug)]
pub(in crate::motion) struct FirstPushed {
    pub body: BodyKey,
    /// The motion that it should make.
    pub motion: DVec2,
    /// The direction out of the pusher.
    pub normal: DVec2,
}

/// The limits of a chain of pushed bodies.
pub(in crate::motion) struct Chain {
    /// The largest total weight of the bodies that are pushed. What they carry does not count.
    pub limit: u32,
    /// The bodies that the pusher stands on, which it cannot push.
    pub supports: SmallVec<[BodyKey; 4]>,
}

impl Chain {
    /// Returns whether a body can be pushed by any pusher.
    pub fn is_pushable(&self, world: &World, body: BodyKey) -> bool {
        let can_move = |body: &Body| body.pushable && body.mobility == Mobility::Moving;
        world.body(body).is_some_and(can_move) && !self.supports.contains(&body)
    }

    /// Adds a body if that keeps within the limit.
    fn accepts(&mut self, world: &World, body: BodyKey) -> bool {
        let weight = world.body(body).map_or(0, |body| u32::from(body.weight));
        let accepts = self.is_pushable(world, body) && weight <= self.limit;
        if accepts {
            self.limit -= weight;
        }
        accepts
    }
}

/// A body that moves, and may take others along.
struct Pusher {
    body: BodyKey,
    /// The motion with which it pushes.
    push: DVec2,
    depth: u32,
}

struct PushSearch<'a> {
    world: &'a World,
    platform: BodyKey,
    motion: &'a PlatformMotion,
    buffers: &'a mut MoveBuffers,
    group: &'a mut CarryBuffers,
    tolerance: f64,
    /// For a push: what can be pushed. A platform pushes everything that moves.
    chain: Option<Chain>,
}

impl PushSearch<'_> {
    /// Finds what the bodies found so far carry and push, until there is nothing new.
    fn finish(&mut self) {
        while let Some(next) = self.group.open.pop() {
            let slot = next.body.slot;
            if self.group.members.contains(slot) {
                continue;
            }
            if let Some(chain) = &mut self.chain
                && !next.is_rider
                && !chain.accepts(self.world, next.body)
            {
                continue;
            }
            self.group.members.insert(slot);
            self.group.index_of[slot as usize] = self.group.pushed.len() as u32;
            self.group.pushed.push(next);
            if next.motion != DVec2::ZERO {
                let pusher = Pusher { body: next.body, push: next.push, depth: next.depth + 1 };
                self.list_near(&pusher, next.motion);
                self.find_riders(&pusher, next.motion);
                self.find_ahead(&pusher);
            }
        }
    }

    fn list_near(&mut self, pusher: &Pusher, motion: DVec2) {
        self.world.list_near(pusher.body, motion, &mut self.group.near);
        self.group.near.retain(|&body| body != self.platform);
    }

    /// Adds the bodies that stand on a body. They are taken off the list of near ones.
    fn find_riders(&mut self, pusher: &Pusher, motion: DVec2) {
        let mut near = core::mem::take(&mut self.group.near);
        near.retain(|&body| {
            if self.group.members.contains(body.slot) {
                return false;
            }
            let rider = self.rider(body, pusher, motion);
            self.group.open.extend(rider);
            rider.is_none()
        });
        self.group.near = near;
    }

    /// Returns how a body is carried by another one, if it stands on it.
    fn rider(&mut self, body: BodyKey, pusher: &Pusher, motion: DVec2) -> Option<PushedBody> {
        let support = self.world.support(body)?;
        let normal = try_normalize(support.normal.as_dvec2())?;
        let filter = Filter::new();
        let mover = Mover::new(self.world.mover_view(), self.buffers, body, &filter).ok()?;
        let mut mover = mover.among(Bodies::Only(pusher.body));
        let point = mover.point_of_touch(normal)?;
        let mut motion =
            if pusher.body == self.platform { self.motion.displacement(point) } else { motion };
        if support.body != pusher.body {
            // A body shares the motion of its support. Any other body that it stands on takes it along
            // only downwards, so that two platforms do not carry it twice.
            let into = motion.dot(normal);
            if into >= 0.0 {
                return None;
            }
            motion = normal * into;
        }
        // The support lifts the body, and what is above must go. Friction alone pushes nobody.
        let push = normal * f64::max(0.0, motion.dot(normal));
        self.tolerance = self.tolerance.max(mover.tolerance());
        let from = mover.position();
        Some(self.pushed(body, pusher, from, [motion, push, normal], true))
    }

    /// Adds the bodies in the way of a body.
    fn find_ahead(&mut self, pusher: &Pusher) {
        if pusher.push == DVec2::ZERO {
            return;
        }
        for i in 0..self.group.near.len() {
            let body = self.group.near[i];
            let ahead = self.ahead(body, pusher);
            self.group.open.extend(ahead);
        }
    }

    /// Returns how a body is pushed by another one that moves straight on.
    fn ahead(&mut self, body: BodyKey, pusher: &Pusher) -> Option<PushedBody> {
        let filter = Filter::new();
        let mover = Mover::new(self.world.mover_view(), self.buffers, body, &filter).ok()?;
        let mut mover = mover.among(Bodies::Only(pusher.body));
        if let Some(chain) = &self.chain {
            if !chain.is_pushable(self.world, body) {
                return None;
            }
        } else if pusher.depth > 0 {
            // Another platform is not pushed by a body between the two, if their layers say so.
            let mut platform = self.world.colliders_of(self.platform);
            let own = &mover.buffers.colliders;
            if !platform.any(|other| own.iter().any(|&own| mover.should_collide(own, other.slot))) {
                return None;
            }
        }
        self.tolerance = self.tolerance.max(mover.tolerance());
        // Seen from the pusher, the body comes towards it.
        let (approach, from) = (-pusher.push, mover.position());
        let is_blocked = mover.is_blocked(approach);
        let is_inside = !mover.is_free(from) && mover.deepest_overlap() > mover.tolerance();
        let time = match (is_blocked, is_inside) {
            // Only the platform pushes on what it has squashed before.
            (true, true) if pusher.depth > 0 => return None,
            (true, _) => 0.0,
            (false, true) => 1.0,
            (false, false) => mover.cast(approach),
        };
        if time >= 1.0 {
            return None;
        }
        let normal = mover.normal_after(approach, time).unwrap_or(pusher.push);
        let mut motion = pusher.push * (1.0 - time);
        if pusher.depth > 0 {
            // Only the platform takes along by friction what it pushes.
            motion = normal * (motion.dot(normal) / normal.dot(normal));
        }
        Some(self.pushed(body, pusher, from, [motion, motion, normal], false))
    }

    fn pushed(
        &self,
        body: BodyKey,
        pusher: &Pusher,
        from: glam::Vec2,
        [motion, push, normal]: [DVec2; 3],
        is_rider: bool,
    ) -> PushedBody {
        let translation = self.motion.translation();
        let arm = from.as_dvec2() - self.motion.from.position.as_dvec2();
        let [long, along] = [motion.dot(motion), motion.dot(translation)];
        let rank = [long, along, arm.dot(translation), cross(arm, translation).abs()];
        PushedBody {
            body,
            pusher: pusher.body,
            from,
            motion,
            push,
            normal,
            is_rider,
            depth: pusher.depth,
            rank,
            is_obstructed: false,
            is_embedded: false,
            progress: PushProgress::Waiting,
        }
    }
}

impl Mover<'_> {
    /// Returns whether what the body touches blocks a motion.
    pub(in crate::motion) fn is_blocked(&mut self, motion: DVec2) -> bool {
        let contacts = self.contacts();
        let is_blocked = contacts.iter().any(|contact| contact.arc.contains(motion));
        self.recycle(contacts);
        is_blocked
    }

    /// Returns the middle of where the body touches something on the side that a normal out of it shows.
    pub(super) fn point_of_touch(&mut self, normal: DVec2) -> Option<DVec2> {
        let contacts = self.contacts();
        let mut closest: Option<(f64, DVec2)> = None;
        for contact in contacts.iter() {
            let own = contact.closest_normal(normal);
            let likeness = own.dot(normal);
            if likeness > LEAST_LIKENESS && closest.is_none_or(|(known, _)| likeness > known) {
                let [start, end] = self.touched_segment(contact.index, own);
                closest = Some((likeness, (start + end) / 2.0));
            }
        }
        self.recycle(contacts);
        closest.map(|(_, point)| point)
    }

    /// Returns the normal of the surface that the body would touch after a part of a motion: of several, the
    /// one that is met most head-on.
    fn normal_after(&mut self, motion: DVec2, time: f64) -> Option<DVec2> {
        let stop = self.stop(self.point_along(motion, time));
        self.keep(stop);
        let contacts = self.contacts();
        let approach = try_normalize(motion)?;
        let normals = contacts.iter().map(|contact| contact.closest_normal(-approach));
        let normal = normals.min_by(|a, b| a.dot(approach).total_cmp(&b.dot(approach)));
        self.recycle(contacts);
        normal
    }
}

/// The least cosine between two normals of the same side of a surface.
const LEAST_LIKENESS: f64 = 0.7;
