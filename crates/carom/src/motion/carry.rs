//! Moving platforms: they carry what stands on them, push what is in their way, and squash what has no
//! room.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use smallvec::SmallVec;

use crate::broad::Mobility;
use crate::math::{DVec2, Vec2, to_vec2, try_normalize};
use crate::motion::mover::Mover;
use crate::motion::travel::checked_motion;
use crate::motion::walk::WalkerState;
use crate::shape::Aabb;
use crate::sheet::Role;
use crate::world::move_buffers::{MoveBuffers, PushedBody};
use crate::world::{BodyKey, Filter, World, WorldError};

/// What a platform did on its way.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use]
pub struct Carry {
    moved: SmallVec<[BodyKey; 16]>,
    squashed: SmallVec<[BodyKey; 32]>,
}

impl Carry {
    /// The bodies that it took along or pushed, those first that stood in the way of others. Up to
    /// sixteen need no memory of their own.
    pub fn moved(&self) -> &[BodyKey] {
        &self.moved
    }

    /// The bodies that could not give way: they overlap what moves them now, as a rule the platform.
    pub fn squashed(&self) -> &[BodyKey] {
        &self.squashed
    }
}

/// # Moving platforms
impl World {
    /// Moves a platform, with what stands on it and what is in its way.
    ///
    /// Nothing stops the platform. Walkers that stand on it (their states say so; the others are
    /// left alone) go with it as far as they can, and so do those that stand on them. Other moving
    /// bodies whose solid colliders it meets are pushed ahead; they push such ahead as the platform
    /// itself would, by their layers, and take along who stands on them. A body that has no room
    /// ends up in the platform, and is told of as [`squashed`](Carry::squashed). A
    /// [one-way](crate::world::Collider::one_way) platform pushes only what is beyond its front, and
    /// squashes nothing.
    ///
    /// # Errors
    /// [`WorldError::NoSuchBody`] for the platform (walkers that are gone are left out);
    /// [`WorldError::BadPose`] if the motion is not finite.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let lift = world.add_body(Body::moving([0.0, 0.0]))?;
    /// world.add_collider(lift, Collider::new(Aabb::new([-2.0, -0.5], [2.0, 0.0])))?;
    /// let hero = world.add_body(Body::moving([1.0, 0.0]))?;
    /// world.add_collider(hero, Collider::new(Aabb::new([-0.5, 0.0], [0.5, 2.0])))?;
    /// let (walker, mut state) = (Walker::new(), WalkerState::new());
    /// let _ = world.walk(hero, &walker, &mut state, [0.0, -0.1])?;
    /// assert!(state.stands_on(lift));
    ///
    /// let carry = world.carry(lift, [0.25, -0.5], &[(hero, state)])?;
    /// assert_eq!(carry.moved(), [hero]);
    /// assert_eq!(world.body(hero).unwrap().pose.position, Vec2::new(1.25, -0.5));
    /// # Ok::<(), WorldError>(())
    /// ```
    pub fn carry(
        &mut self,
        platform: BodyKey,
        motion: impl Into<Vec2>,
        walkers: &[(BodyKey, WalkerState)],
    ) -> Result<Carry, WorldError> {
        let motion = checked_motion(motion.into())?;
        let from = self.body(platform).ok_or(WorldError::NoSuchBody(platform))?.pose.position;
        let mut buffers = core::mem::take(&mut self.scratch.moves);
        // 1. Find the bodies that the platform carries and pushes, and how far each of them should go.
        let mut pushed = core::mem::take(&mut buffers.push_list);
        pushed.clear();
        PushSearch { world: self, platform, walkers, buffers: &mut buffers, pushed: &mut pushed }
            .find(motion);
        // 2. Find the order in which they can move: a body that presses another moves after it.
        let order = self.order_of_moves(&pushed, &mut buffers);
        // 3. Move the platform, which nothing stops, then the bodies.
        let at = from.as_dvec2() + motion.as_dvec2();
        self.move_to(platform, to_vec2(at));
        let mut carry = Carry::default();
        let stopped = self.move_pushed(platform, &pushed, &order, &mut buffers, &mut carry);
        // 4. Let each body come to rest against the one that moved it.
        self.resolve_pushed(&pushed, &stopped, &mut buffers, &mut carry);
        buffers.push_list = pushed;
        self.scratch.moves = buffers;
        Ok(carry)
    }

    /// Returns the indices of pushed bodies in an order in which each can move: those that a body presses
    /// on come before it.
    fn order_of_moves(
        &self,
        pushed: &[PushedBody],
        buffers: &mut MoveBuffers,
    ) -> SmallVec<[usize; 16]> {
        let count = pushed.len();
        let mut presses: SmallVec<[(usize, usize); 16]> = SmallVec::new();
        for (i, one) in pushed.iter().enumerate() {
            for (j, other) in pushed.iter().enumerate() {
                if i != j && self.presses(one, other.body, buffers) {
                    presses.push((i, j));
                }
            }
        }
        let mut order = SmallVec::new();
        while order.len() < count {
            let waits = |i: usize| presses.iter().any(|&(a, b)| a == i && !order.contains(&b));
            let open = (0..count).filter(|i| !order.contains(i));
            // Interlocked bodies press each other in a circle: then any of them goes first.
            let next = open.clone().find(|&i| !waits(i)).or_else(|| open.clone().next());
            order.extend(next);
        }
        order
    }

    /// Returns whether a body that is about to move would run into another.
    fn presses(&self, pushed: &PushedBody, other: BodyKey, buffers: &mut MoveBuffers) -> bool {
        let filter = Filter::new();
        let bodies = [other];
        let Ok(mover) = Mover::new(self.mover_view(), buffers, pushed.body, &filter) else {
            return false;
        };
        let (mut mover, motion) = (mover.only(&bodies), pushed.motion.as_dvec2());
        mover.is_blocked(motion) || mover.cast(motion) < 1.0
    }

    /// Moves the pushed bodies, each as far as it gets. Returns which of them were stopped short.
    fn move_pushed(
        &mut self,
        platform: BodyKey,
        pushed: &[PushedBody],
        order: &[usize],
        buffers: &mut MoveBuffers,
        carry: &mut Carry,
    ) -> SmallVec<[BodyKey; 32]> {
        let filter = Filter::new();
        let tolerance = self.coarsest_tolerance(pushed, buffers);
        let mut stopped = SmallVec::new();
        for (done, &i) in order.iter().enumerate() {
            // The platform and those that have not moved yet will follow: they are not in the way.
            let waiting = order[done..].iter().map(|&later| pushed[later].body);
            let without: SmallVec<[BodyKey; 32]> = waiting.chain([platform]).collect();
            let PushedBody { body, motion, .. } = pushed[i];
            if motion == Vec2::ZERO {
                continue;
            }
            let Ok(mover) = Mover::new(self.mover_view(), buffers, body, &filter) else { continue };
            let mut mover = mover.without(&without);
            let target = mover.at() + motion.as_dvec2();
            mover.slide_by(motion.as_dvec2());
            let missing = (target - mover.at()).abs().max_element();
            if missing > STOPPED * tolerance {
                stopped.push(body);
            }
            let end = mover.position();
            self.move_to(body, end);
            carry.moved.push(body);
        }
        stopped
    }

    /// The largest contact tolerance of all pushed bodies: rounding far from the origin passes through a
    /// row of bodies to the ones nearer to it.
    fn coarsest_tolerance(&self, pushed: &[PushedBody], buffers: &mut MoveBuffers) -> f64 {
        let filter = Filter::new();
        pushed.iter().fold(0.0, |tolerance, pushed| {
            let mover = Mover::new(self.mover_view(), buffers, pushed.body, &filter);
            f64::max(tolerance, mover.map_or(0.0, |mover| mover.tolerance()))
        })
    }

    /// Lets each pushed body come to rest against the body that moved it, those next to the platform first.
    /// Bodies farther out are resolved later and are not in the way, unless something stopped them.
    fn resolve_pushed(
        &mut self,
        pushed: &[PushedBody],
        stopped: &[BodyKey],
        buffers: &mut MoveBuffers,
        carry: &mut Carry,
    ) {
        let filter = Filter::new();
        let tolerance = self.coarsest_tolerance(pushed, buffers);
        for (i, &PushedBody { body, pusher, normal, .. }) in pushed.iter().enumerate() {
            let later = pushed[i + 1..].iter().map(|later| later.body);
            let without: SmallVec<[BodyKey; 32]> =
                later.filter(|later| !stopped.contains(later)).collect();
            let Ok(mover) = Mover::new(self.mover_view(), buffers, body, &filter) else { continue };
            let mut mover = mover.without(&without);
            if !mover.is_free(mover.position()) {
                mover.depenetrate();
                if mover.is_stuck && mover.deepest_overlap() > tolerance {
                    carry.squashed.push(body);
                }
            }
            if !mover.is_stuck {
                mover.rest_against(pusher, normal);
            }
            let end = mover.position();
            if self.body(body).is_some_and(|body| body.pose.position != end) {
                self.move_to(body, end);
            }
        }
    }
}

/// A body that ends more than this many tolerances short of its target was stopped by something.
const STOPPED: f64 = 4.0;

impl Mover<'_> {
    /// Returns whether what the body touches blocks a motion.
    fn is_blocked(&mut self, motion: DVec2) -> bool {
        let contacts = self.contacts();
        let is_blocked = contacts.iter().any(|contact| contact.arc.contains(motion));
        self.recycle(contacts);
        is_blocked
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
}

/// The search for the bodies that a platform moves: those that stand on it, those in its way, those that
/// stand on these, those in the way of these, and so on.
struct PushSearch<'a> {
    world: &'a World,
    platform: BodyKey,
    walkers: &'a [(BodyKey, WalkerState)],
    buffers: &'a mut MoveBuffers,
    /// Each body once, and after the one that moves it.
    pushed: &'a mut Vec<PushedBody>,
}

impl PushSearch<'_> {
    fn find(&mut self, motion: Vec2) {
        // Found, but perhaps not by the longest push.
        let mut open: SmallVec<[PushedBody; 16]> = SmallVec::new();
        self.find_moved_by(self.platform, motion, 0, false, &mut open);
        // No push gets longer from body to body: the longest one is final.
        let along = |pushed: &PushedBody| pushed.motion.as_dvec2().dot(motion.as_dvec2());
        while let Some(longest) = (0..open.len()).max_by(|&a, &b| {
            let (a, b) = (&open[a], &open[b]);
            let by_key = (a.is_rider, b.body).cmp(&(b.is_rider, a.body));
            along(a).total_cmp(&along(b)).then(by_key)
        }) {
            let next = open.swap_remove(longest);
            if self.contains(next.body) {
                continue;
            }
            self.pushed.push(next);
            let PushedBody { body, motion, depth, is_rider, .. } = next;
            self.find_moved_by(body, motion, depth + 1, is_rider, &mut open);
        }
    }

    fn contains(&self, body: BodyKey) -> bool {
        body == self.platform || self.pushed.iter().any(|pushed| pushed.body == body)
    }

    /// Finds the bodies that one body carries or pushes. A rider goes only as far as there is room, and
    /// pushes nobody.
    fn find_moved_by(
        &mut self,
        pusher: BodyKey,
        motion: Vec2,
        depth: u32,
        is_rider: bool,
        open: &mut SmallVec<[PushedBody; 16]>,
    ) {
        let filter = Filter::new();
        let only = [pusher];
        for &(body, state) in self.walkers {
            let Some(floor) = state.floor else { continue };
            if self.contains(body) {
                continue;
            }
            let normal = floor.normal.as_dvec2();
            let view = self.world.mover_view();
            let Ok(mover) = Mover::new(view, self.buffers, body, &filter) else { continue };
            if !mover.only(&only).touches(pusher, normal) {
                continue;
            }
            // A walker shares the motion of the floor that its state names. Any other body it stands on
            // takes it along only downwards, so that two platforms do not carry it twice.
            let into = motion.as_dvec2().dot(normal);
            let motion = if floor.body == pusher {
                motion
            } else if into < 0.0 {
                to_vec2(normal * into)
            } else {
                continue;
            };
            open.push(PushedBody { body, pusher, motion, normal, is_rider: true, depth });
        }
        if is_rider {
            return;
        }
        for body in moving_bodies_near(self.world, pusher, motion) {
            let is_carried = |p: &PushedBody| p.is_rider && p.pusher == pusher && p.body == body;
            if self.contains(body) || open.iter().any(is_carried) {
                continue;
            }
            open.extend(self.push(body, pusher, motion, depth));
        }
    }

    /// Returns how far a body pushes another when it moves.
    fn push(
        &mut self,
        body: BodyKey,
        pusher: BodyKey,
        motion: Vec2,
        depth: u32,
    ) -> Option<PushedBody> {
        let filter = Filter::new();
        let only = [pusher];
        let mover = Mover::new(self.world.mover_view(), self.buffers, body, &filter).ok()?;
        let mut mover = mover.only(&only);
        let is_pushable = depth == 0 || {
            // Another platform is not pushed by a body between the two, if their layers say so.
            let mut platform = self.world.colliders_of(self.platform);
            let own = &mover.buffers.colliders;
            platform.any(|other| own.iter().any(|&own| mover.should_collide(own, other.slot)))
        };
        if !is_pushable {
            return None;
        }
        // Seen from the pusher, the body comes towards it.
        let (approach, position) = (-motion.as_dvec2(), mover.position());
        let is_inside = !mover.is_free(position) && mover.deepest_overlap() > mover.tolerance();
        if is_inside {
            // Only the platform pushes on what it has squashed before.
            let normal = motion.as_dvec2();
            let pushed = PushedBody { body, pusher, motion, normal, is_rider: false, depth };
            return (depth == 0).then_some(pushed);
        }
        let time = if mover.is_blocked(approach) { 0.0 } else { mover.cast(approach) };
        if time >= 1.0 {
            // The pusher may still graze the body by a rounding error, which is resolved at the end.
            let (motion, normal) = (Vec2::ZERO, DVec2::ZERO);
            let pushed = PushedBody { body, pusher, motion, normal, is_rider: false, depth };
            return (depth == 0).then_some(pushed);
        }
        let normal = mover.normal_after(approach * time).unwrap_or(motion.as_dvec2());
        let motion = to_vec2(motion.as_dvec2() * (1.0 - time));
        Some(PushedBody { body, pusher, motion, normal, is_rider: false, depth })
    }
}

impl Mover<'_> {
    /// Returns the normal of the surface that the body would touch after a motion.
    fn normal_after(&mut self, motion: DVec2) -> Option<DVec2> {
        let stop = self.stop(self.at() + motion);
        self.keep(stop);
        let contacts = self.contacts();
        let approach = try_normalize(motion);
        let normals = contacts.iter().map(|contact| match approach {
            Some(approach) => contact.closest_normal(-approach),
            None => contact.closest_normal(contact.normals[0]),
        });
        let normal = normals.reduce(|a, b| match approach {
            Some(approach) if b.dot(approach) < a.dot(approach) => b,
            _ => a,
        });
        self.recycle(contacts);
        normal
    }
}

/// Lists the moving bodies with solid colliders near the path of a body.
fn moving_bodies_near(world: &World, pusher: BodyKey, motion: Vec2) -> SmallVec<[BodyKey; 16]> {
    let mut near: SmallVec<[BodyKey; 16]> = SmallVec::new();
    for own in world.colliders_of(pusher).filter_map(|collider| world.collider(collider)) {
        let [now, then] = [Vec2::ZERO, motion].map(|by| {
            let [min, max] = [own.bounds().min(), own.bounds().max()]
                .map(|corner| to_vec2(corner.as_dvec2() + by.as_dvec2()));
            Aabb::new_unchecked(min, max)
        });
        let swept = Aabb::union([now, then]);
        world.broad.as_dyn().visit_intersecting(&swept, &mut |slot| {
            let body = world.storage.body_key_of(slot);
            let is_solid = world.storage.props[slot as usize].role == Role::Solid
                && world.storage.mobility_of(slot) == Some(Mobility::Moving);
            if is_solid && body != pusher && !near.contains(&body) {
                near.push(body);
            }
            ControlFlow::Continue(())
        });
    }
    near.sort_unstable();
    near
}
