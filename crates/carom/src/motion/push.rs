//! Pushing: bodies that are shoved ahead by one that travels or walks, and chains of them.
//!
//! A body stops in front of what it pushes. Then:
//!
//! 1. **find** the chain: what is touched, what that presses on, and what stands on any of these. The search is
//!    that of moving platforms, but only pushable bodies are pressed on, up to a limit of their weight.
//! 2. **move** the chain, those that are pressed on before the ones that press. Each slides as far as it gets.
//! 3. **follow**: the body goes on, as far as the chain has made room. If there is no room, the chain goes back.
//! 4. **pull back** what has gone farther than the body behind it could follow: a crate is not thrown when the
//!    one beside it meets a wall.
//!
//! Every position that is kept is free, so nothing overlaps that did not before.

use smallvec::SmallVec;

use crate::math::{DVec2, Vec2, length, to_vec2, try_normalize};
use crate::motion::carry::PlatformMotion;
use crate::motion::carry::find::{Chain, FirstPushed};
use crate::motion::mover::Mover;
use crate::motion::travel::{PendingPush, Pushing, Respond, Response, Travel, TravelHit};
use crate::motion::walk::{Walk, Walker, WalkerState};
use crate::world::move_buffers::{CarryBuffers, MoveBuffers, PushedBody};
use crate::world::{BodyKey, Filter, World};

/// The maximum number of pushes of one move. Each push has made room for the body, or is the last one of what it touched.
const MAX_PUSHES: usize = 16;

/// A body that ends more than this many tolerances short of its target was stopped by something.
const STOPPED: f64 = 8.0;

/// The maximum number of bodies below a pusher that are visited: it stands on a crate on a crate, and so on.
const MAX_SUPPORTS: usize = 16;

impl World {
    /// Goes on with a move that has stopped in front of bodies to push.
    #[cold]
    pub(super) fn travel_pushing(
        &mut self,
        body: BodyKey,
        filter: &Filter<'_>,
        respond: Respond<'_>,
        travel: &mut Travel,
        mut pending: PendingPush,
    ) {
        let mut settled: SmallVec<[u32; 8]> = SmallVec::new();
        for _ in 0..MAX_PUSHES {
            // 1. Push what is in the way, and see how far the body can follow.
            let hits: SmallVec<[TravelHit; 4]> = travel.hits[pending.first_hit..].into();
            let limit = hits.iter().filter_map(|hit| match hit.response {
                Response::Push(limit) => Some(limit),
                _ => None,
            });
            let limit = limit.min().unwrap_or(0);
            let motion = pending.motion;
            let first = hits.iter().map(|hit| {
                let normal = hit.normal.as_dvec2();
                let into = motion.dot(normal) / normal.dot(normal);
                FirstPushed { body: hit.body, motion: normal * into.min(0.0), normal: -normal }
            });
            let first: SmallVec<[FirstPushed; 4]> = first.collect();
            let crossed: SmallVec<[u32; 4]> = crossed_slots(travel).collect();
            let push = self.push_chain(body, motion, &first, limit, |world, buffers| {
                let Ok(mut mover) = Mover::new(world.mover_view(), buffers, body, filter) else {
                    return DVec2::ZERO;
                };
                crossed.iter().for_each(|&slot| mover.cross(slot));
                if mover.is_blocked(motion) { DVec2::ZERO } else { motion * mover.cast(motion) }
            });
            // 2. Do not ask again about what cannot be pushed any farther.
            let is_done = length(motion - push.followed) <= STOPPED * push.tolerance;
            for (hit, shortfall) in hits.iter().zip(push.shortfalls) {
                if is_done || push.is_undone || shortfall > STOPPED * push.tolerance {
                    settled.push(hit.body.slot);
                }
            }
            // 3. Go on.
            let Self { storage, broad, scratch, .. } = &mut *self;
            let view = (&*storage, broad.as_dyn());
            let Ok(mut mover) = Mover::new(view, &mut scratch.moves, body, filter) else { return };
            crossed.iter().for_each(|&slot| mover.cross(slot));
            mover.buffers.settled.extend_from_slice(&settled);
            let mut rest = Travel::new(mover.position());
            let next = mover.travel(to_vec2(motion), respond, &mut rest, Pushing::Allowed);
            let (done, shift) = (hits[0].time, travel.hits.len());
            travel.hits.extend(
                rest.hits
                    .into_iter()
                    .map(|hit| TravelHit { time: done + (1.0 - done) * hit.time, ..hit }),
            );
            (travel.end, travel.remaining) = (rest.end, rest.remaining);
            travel.is_stuck |= rest.is_stuck;
            if rest.end != rest.start {
                self.move_to(body, rest.end);
            }
            let Some(next) = next else { return };
            pending = PendingPush { first_hit: next.first_hit + shift, ..next };
        }
    }

    /// Returns whether a walker may push the wall that has stopped it.
    #[inline]
    pub(super) fn is_pushable_wall(&self, walker: &Walker, walk: &Walk) -> bool {
        let is_pushable = |hit: TravelHit| self.body(hit.body).is_some_and(|body| body.pushable);
        walk.wall.is_some_and(is_pushable) && walker.push_limit > 0
    }

    /// Pushes the wall that has stopped a walk, and walks again, in place of the walk before.
    #[cold]
    pub(super) fn walk_pushing(
        &mut self,
        call: &WalkCall<'_>,
        state: &mut WalkerState,
        walk: &mut Walk,
    ) {
        let &WalkCall { body, walker, before, motion, filter } = call;
        let mut pushed = None;
        for _ in 0..MAX_PUSHES {
            let Some(wall) = walk.wall.filter(|_| self.is_pushable_wall(walker, walk)) else {
                break;
            };
            // 1. All that blocks the way must be pushable. Only level motions push: a walker that falls
            //    beside a crate does not press it into the floor.
            let up = walk.up.as_dvec2();
            let level = |v: Vec2| v.as_dvec2() - up * v.as_dvec2().dot(up);
            let motion_left = level(wall.motion);
            let first: SmallVec<[FirstPushed; 4]> = walk
                .hits()
                .iter()
                .filter(|hit| hit.position == wall.position && hit.motion == wall.motion)
                .filter(|hit| hit.normal.as_dvec2().dot(motion_left) < 0.0)
                .map(|hit| FirstPushed {
                    body: hit.body,
                    motion: motion_left,
                    normal: -hit.normal.as_dvec2(),
                })
                .collect();
            let can_push =
                |first: &FirstPushed| self.body(first.body).is_some_and(|it| it.pushable);
            if !first.iter().all(can_push) {
                break;
            }
            // 2. Push, and walk again from the start.
            let walk_again = |world: &mut Self, buffers: &mut MoveBuffers| {
                let (mut again, mut state) = (Walk::new(walk.start), before);
                world.move_to(body, walk.start);
                if let Ok(mut mover) = Mover::new(world.mover_view(), buffers, body, filter) {
                    again.perform(&mut mover, walker, &mut state, motion);
                }
                world.move_to(body, again.end);
                (again, state)
            };
            let mut again = None;
            let limit = walker.push_limit;
            let push = self.push_chain(body, motion_left, &first, limit, |world, buffers| {
                let (again, _) = again.insert(walk_again(world, buffers));
                again.end.as_dvec2() - walk.end.as_dvec2()
            });
            if push.is_undone {
                break;
            }
            if push.is_pulled_back {
                // A body that has come back may touch the walker, or be its floor.
                let mut buffers = core::mem::take(&mut self.scratch.moves);
                again = Some(walk_again(self, &mut buffers));
                self.scratch.moves = buffers;
            }
            let Some(again) = again else { break };
            pushed = pushed.or(Some(wall.body));
            (*walk, *state) = again;
        }
        walk.pushed = pushed;
        self.move_to(body, walk.end);
    }

    /// Pushes bodies ahead of another one. `follow` returns how far that one can go after the push, and may move
    /// it there; nothing stays farther ahead of it than before.
    fn push_chain(
        &mut self,
        pusher: BodyKey,
        motion: DVec2,
        first: &[FirstPushed],
        limit: u32,
        follow: impl FnOnce(&mut Self, &mut MoveBuffers) -> DVec2,
    ) -> Push {
        let mut buffers = core::mem::take(&mut self.scratch.moves);
        let mut group = core::mem::take(&mut buffers.carry);
        group.start(self.storage.bodies.slot_count());
        // 1. Find the chain.
        let from = self.body(pusher).map_or_else(Default::default, |body| body.pose);
        let position = to_vec2(from.position.as_dvec2() + motion);
        let platform = PlatformMotion { from, to: crate::math::Pose { position, ..from } };
        let chain = Some(Chain { limit, supports: self.supports_below(pusher) });
        let tolerance = self.find_chain(pusher, &platform, first, chain, &mut group, &mut buffers);
        // 2. Move it.
        self.move_chain(tolerance, &mut group, &mut buffers);
        self.undo_overlaps(&group, &mut buffers);
        // 3. Follow.
        let followed = follow(self, &mut buffers);
        // 4. Pull back, from the pusher outwards.
        let ahead = try_normalize(motion).unwrap_or(DVec2::ZERO);
        let is_undone = followed.dot(ahead) <= 0.0;
        let is_pulled_back = if is_undone {
            self.put_back(&group);
            false
        } else {
            self.pull_back(pusher, followed, tolerance, &group, &mut buffers)
        };
        let shortfall = |first: &FirstPushed| match group.members.contains(first.body.slot) {
            true => self.shortfall(&group, first.body),
            false => f64::INFINITY,
        };
        let shortfalls = first.iter().map(shortfall).collect();
        for pushed in &group.pushed {
            let end = self.body(pushed.body).filter(|body| body.swept).map(|it| it.pose.position);
            if let Some(end) = end {
                self.record_passages(pushed.body, [pushed.from, end].into_iter());
            }
        }
        buffers.carry = group;
        self.scratch.moves = buffers;
        Push { followed, is_undone, is_pulled_back, tolerance, shortfalls }
    }

    /// Returns the bodies that a body stands on: the one below it, the one below that, and so on.
    fn supports_below(&self, body: BodyKey) -> SmallVec<[BodyKey; 4]> {
        let mut supports = SmallVec::new();
        let mut next = self.support(body);
        while let Some(support) = next
            && supports.len() < MAX_SUPPORTS
        {
            supports.push(support.body);
            next = self.support(support.body);
        }
        supports
    }

    /// Puts all bodies back if one of them overlaps something that it did not overlap before. Bodies that are
    /// interlocked do not stop each other, and one of them may have been stopped by something else.
    fn undo_overlaps(&mut self, group: &CarryBuffers, buffers: &mut MoveBuffers) {
        let filter = Filter::new();
        let is_free = |pushed: &PushedBody, buffers: &mut MoveBuffers| {
            let mover = Mover::new(self.mover_view(), buffers, pushed.body, &filter);
            pushed.is_embedded || mover.is_ok_and(|mut mover| mover.is_free(mover.position()))
        };
        let mut bodies = group.pushed.iter();
        if group.pushed.len() == 1 || bodies.all(|pushed| is_free(pushed, buffers)) {
            return;
        }
        self.put_back(group);
    }

    /// Puts all bodies of a chain back to where they were.
    fn put_back(&mut self, group: &CarryBuffers) {
        for pushed in &group.pushed {
            self.move_to(pushed.body, pushed.from);
        }
    }

    /// Moves back what has gone farther than the body that pushes or carries it. Returns whether there is such a
    /// body.
    fn pull_back(
        &mut self,
        pusher: BodyKey,
        followed: DVec2,
        tolerance: f64,
        group: &CarryBuffers,
        buffers: &mut MoveBuffers,
    ) -> bool {
        let filter = Filter::new();
        let mut is_any = false;
        for pushed in &group.pushed {
            let Some(ahead) = try_normalize(pushed.motion) else { continue };
            let behind = match pushed.pusher == pusher {
                true => length(pushed.motion) - followed.dot(ahead),
                false => self.shortfall(group, pushed.pusher),
            };
            let shortfall = self.shortfall(group, pushed.body);
            let excess = (behind - shortfall).min(length(pushed.motion) - shortfall);
            if excess <= STOPPED * tolerance {
                continue;
            }
            let view = self.mover_view();
            let Ok(mut mover) = Mover::new(view, buffers, pushed.body, &filter) else { continue };
            let back = ahead * -excess;
            if !mover.is_blocked(back) {
                mover.advance(back);
                let end = mover.position();
                self.move_to(pushed.body, end);
                is_any = true;
            }
        }
        is_any
    }

    /// Returns how much less than it should a pushed body has moved, in the direction of its motion.
    fn shortfall(&self, group: &CarryBuffers, body: BodyKey) -> f64 {
        let pushed = &group.pushed[group.index_of[body.slot as usize] as usize];
        let at = self.body(body).map_or(pushed.from, |body| body.pose.position);
        match try_normalize(pushed.motion) {
            Some(ahead) => {
                length(pushed.motion) - (at.as_dvec2() - pushed.from.as_dvec2()).dot(ahead)
            }
            None => 0.0,
        }
    }
}

/// The arguments of a walk, which may have to be done again.
pub(super) struct WalkCall<'a> {
    pub body: BodyKey,
    pub walker: &'a Walker,
    /// The state before the walk.
    pub before: WalkerState,
    pub motion: Vec2,
    pub filter: &'a Filter<'a>,
}

/// The result of a push.
struct Push {
    /// The motion that the pusher can make.
    followed: DVec2,
    /// The pusher could not follow, so that nothing was moved.
    is_undone: bool,
    /// Something has moved back behind where the push had led it.
    is_pulled_back: bool,
    tolerance: f64,
    /// For each body that was touched, how much less than it should it has moved.
    shortfalls: SmallVec<[f64; 4]>,
}

/// Returns the slots of the colliders that a move crosses.
fn crossed_slots(travel: &Travel) -> impl Iterator<Item = u32> {
    let crossed = travel.hits.iter().filter(|hit| hit.response == Response::Cross);
    crossed.map(|hit| hit.other.slot)
}
