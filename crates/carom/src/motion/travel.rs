//! Moving a body along a vector, with a response to each obstacle on the path.

use core::cmp::Ordering;
use core::fmt;
use core::ops::Deref;

use smallvec::SmallVec;

use crate::math::{DVec2, IntoVec2, Vec2, cross, length, to_f32, to_vec2};
use crate::motion::mover::{self, ArcEnd, Mover, blocked_arc, is_blocked};
use crate::shape::{AsShape, Cell, ShapeRef, validate};
use crate::world::move_buffers::{Contact, MoveBuffers};
use crate::world::storage::Storage;
use crate::world::{BodyKey, ColliderKey, ColliderRef, Filter, World, WorldError};

/// The reaction of a body to an obstacle on its path. The names are those of bump.lua.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Response {
    /// Stops the body where it touches the obstacle (`move_and_collide`).
    Touch,
    /// Lets the body pass through this obstacle for the rest of the move. Other obstacles still block it.
    Cross,
    /// Moves the body along the surface: the part of the motion that leads into the obstacle is removed.
    /// Along horizontal and vertical surfaces, the other coordinate is kept exactly. In a corner that would
    /// turn the body back against its motion, the body stops.
    Slide,
    /// Reflects the body. The number is the restitution: with 1 the body leaves as fast as it came, with 0
    /// only the motion along the surface is left.
    Bounce(f32),
    /// Pushes the obstacle ahead of the body if it is [pushable](crate::world::Body::pushable), together with
    /// the pushable bodies in its way. The number limits their total
    /// [weight](crate::world::Body::weight). The body slides along an obstacle that it cannot push, and so
    /// does a plan, which moves nothing. See [pushing](crate::motion#pushing).
    Push(u32),
    /// Replaces the rest of the motion by another one. If a component is not finite, the body stops.
    Redirect(Vec2),
}

/// An obstacle that blocked a moving body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct TravelHit {
    /// The collider of the moving body.
    pub collider: ColliderKey,
    /// The collider that was hit.
    pub other: ColliderKey,
    /// The body that was hit.
    pub body: BodyKey,
    /// The tile that was hit, if `other` is a tile map.
    pub tile: Option<Cell>,
    /// The time of impact, from 0 at the start of the whole motion to 1 at its end.
    #[doc(alias = "time of impact")]
    pub time: f32,
    /// The unit vector out of the surface that was hit. Flush colliders, tiles and parts are one surface: a
    /// vertex that hits the seam between two of them gets the normal of that surface.
    pub normal: Vec2,
    /// The middle of the segment in which the body touches the obstacle.
    pub point: Vec2,
    /// The penetration depth; 0 unless the body overlaps the obstacle at the start of the move and
    /// crosses it.
    pub depth: f32,
    /// The position of the body when it hit the obstacle.
    pub position: Vec2,
    /// The motion that was left when the body hit the obstacle.
    pub motion: Vec2,
    /// The response that was chosen.
    pub response: Response,
}

impl TravelHit {
    /// Returns a velocity without the part that leads into the surface. A velocity that leads away from the
    /// surface is returned unchanged.
    ///
    /// ```
    /// # use carom::prelude::*;
    /// # let mut world = World::new();
    /// # let floor = world.add_body(Body::fixed([0.0, 0.0]))?;
    /// # world.add_collider(floor, Collider::new(Aabb::new([-9.0, -1.0], [9.0, 0.0])))?;
    /// # let ball = world.add_body(Body::moving([0.0, 2.0]))?;
    /// # world.add_collider(ball, Collider::new(Circle::new([0.0, 0.0], 1.0)))?;
    /// let travel = world.travel(ball, [0.5, -3.0], |_| Response::Touch)?;
    /// let hit = &travel.hits()[0];
    /// assert_eq!(hit.slid([2.0, -12.0]), Vec2::new(2.0, 0.0));
    /// assert_eq!(hit.bounced([2.0, -12.0], 0.5), Vec2::new(2.0, 6.0));
    /// # Ok::<(), WorldError>(())
    /// ```
    pub fn slid(&self, velocity: impl IntoVec2) -> Vec2 {
        let (velocity, normal) = (velocity.into_vec2().as_dvec2(), self.normal.as_dvec2());
        if velocity.dot(normal) >= 0.0 {
            return to_vec2(velocity);
        }
        to_vec2(mover::project(velocity, normal))
    }

    /// Returns a velocity reflected at the surface. A restitution of 1 keeps the speed, 0 removes the part
    /// that leads into the surface. A velocity that leads away from the surface is returned unchanged.
    pub fn bounced(&self, velocity: impl IntoVec2, restitution: f32) -> Vec2 {
        let velocity = velocity.into_vec2().as_dvec2();
        to_vec2(mover::bounce(velocity, self.normal.as_dvec2(), restitution.into()))
    }
}

/// A [`TravelHit`] before its response is chosen, with access to both colliders.
///
/// It dereferences to the hit; the field [`response`](TravelHit::response) has no meaning yet.
#[derive(Clone, Copy)]
pub struct PendingHit<'w> {
    hit: &'w TravelHit,
    storage: &'w Storage,
}

impl<'w> PendingHit<'w> {
    /// Returns the collider of the moving body.
    pub fn collider(&self) -> ColliderRef<'w> {
        self.collider_ref(self.hit.collider)
    }

    /// Returns the collider that was hit.
    pub fn other(&self) -> ColliderRef<'w> {
        self.collider_ref(self.hit.other)
    }

    fn collider_ref(&self, key: ColliderKey) -> ColliderRef<'w> {
        ColliderRef::new(self.storage, key.slot)
            .expect("the colliders of a hit exist during the move")
    }
}

impl Deref for PendingHit<'_> {
    type Target = TravelHit;

    fn deref(&self) -> &TravelHit {
        self.hit
    }
}

impl fmt::Debug for PendingHit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PendingHit")
            .field("hit", self.hit)
            .field("collider", &self.collider())
            .field("other", &self.other())
            .finish()
    }
}

/// The result of [`World::travel`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Travel {
    /// The position of the body before the move.
    pub start: Vec2,
    /// The position of the body after the move.
    pub end: Vec2,
    /// The motion that was left when the body stopped; zero if it made the whole motion.
    pub remaining: Vec2,
    /// The displacement that took the body out of the solids that it overlapped at the start; zero if it
    /// overlapped none.
    pub push: Vec2,
    /// Is `true` if the body overlapped a solid at the start and no free position was near. A stuck body can
    /// leave that solid, but it cannot go deeper into it or enter another one.
    pub is_stuck: bool,
    pub(super) hits: Hits,
}

/// The hits of a move, in order.
pub(super) type Hits = SmallVec<[TravelHit; 4]>;

impl Travel {
    pub(super) fn new(start: Vec2) -> Self {
        Self {
            start,
            end: start,
            remaining: Vec2::ZERO,
            push: Vec2::ZERO,
            is_stuck: false,
            hits: SmallVec::new(),
        }
    }

    /// Returns the obstacles that blocked the body, in the order in which it hit them. Of several hit at
    /// the same time, the one that was hit most head-on comes first. Up to four hits are stored without
    /// allocating.
    pub fn hits(&self) -> &[TravelHit] {
        &self.hits
    }

    /// Returns the displacement from `start` to `end`.
    pub fn moved(&self) -> Vec2 {
        to_vec2(self.end.as_dvec2() - self.start.as_dvec2())
    }
}

/// The maximum number of obstacles that a body responds to in one move; crossings are not counted. A body that bounces
/// between the sides of a narrow gap stops then.
const MAX_RESPONSES: usize = 32;

/// # Motion
impl World {
    /// Moves a body along a vector, at any speed, and calls `respond` for each solid collider that blocks
    /// it (`move_and_collide` with continuous collision detection; a shape cast that moves the body).
    ///
    /// The obstacles are the solid colliders of other bodies whose layers and masks match those of the
    /// body's own solid colliders. [`travel_filtered`](Self::travel_filtered) leaves some of them out.
    /// Sensors block nothing.
    ///
    /// If several obstacles block the body at once, `respond` is called for each, the most head-on one
    /// first. The body stops if any response is [`Touch`](Response::Touch). Otherwise it passes those it
    /// crosses, and the others are responded to together: a [`Redirect`](Response::Redirect) counts before a
    /// [`Bounce`](Response::Bounce), and the body bounces only if it bounces off all of them; else it slides.
    ///
    /// If the body overlaps solids at the start, `respond` is first called for these. The body is pushed out
    /// of those that it does not cross, by no more than its own size; see [`Travel::push`]. If there is no
    /// free position that near, it is [stuck](Travel::is_stuck).
    ///
    /// The [promises](crate::motion#travel) hold for every shape: the body ends where it overlaps no solid
    /// that it did not overlap before, except those that it crosses, and no obstacle is passed through on
    /// the path.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchBody`] if the body does not exist, and [`WorldError::BadPose`] if a
    /// component of the motion is not finite. The body then stays where it is.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let wall = world.add_body(Body::fixed([4.0, 0.0]))?;
    /// world.add_collider(wall, Collider::new(Aabb::new([0.0, -9.0], [0.01, 9.0])))?;
    /// let coin = world.add_body(Body::fixed([2.0, 0.0]).with_user_data(50))?;
    /// world.add_collider(coin, Collider::new(Circle::new([0.0, 0.0], 0.5)))?;
    /// let hero = world.add_body(Body::moving([0.0, 0.0]))?;
    /// world.add_collider(hero, Collider::new(Aabb::new([-0.5, -0.5], [0.5, 0.5])))?;
    ///
    /// let mut score = 0;
    /// let travel = world.travel(hero, [1000.0, 3.0], |hit| {
    ///     if hit.body == coin {
    ///         score += hit.other().body().user_data;
    ///         Response::Cross
    ///     } else {
    ///         Response::Slide
    ///     }
    /// })?;
    /// assert_eq!(score, 50);
    /// assert_eq!(travel.end, Vec2::new(3.5, 3.0)); // it slid along the wall
    /// assert_eq!(travel.hits()[1].normal, Vec2::new(-1.0, 0.0));
    /// # Ok::<(), WorldError>(())
    /// ```
    #[doc(alias = "move_and_collide")]
    #[doc(alias = "shape cast")]
    #[doc(alias = "CCD")]
    #[doc(alias = "continuous collision detection")]
    pub fn travel(
        &mut self,
        body: BodyKey,
        motion: impl IntoVec2,
        respond: impl FnMut(PendingHit<'_>) -> Response,
    ) -> Result<Travel, WorldError> {
        self.travel_filtered(body, motion, &Filter::new(), respond)
    }

    /// Like [`travel`](Self::travel), but only colliders that pass a filter are obstacles.
    ///
    /// # Errors
    /// Returns the errors of [`travel`](Self::travel).
    pub fn travel_filtered(
        &mut self,
        body: BodyKey,
        motion: impl IntoVec2,
        filter: &Filter<'_>,
        mut respond: impl FnMut(PendingHit<'_>) -> Response,
    ) -> Result<Travel, WorldError> {
        let motion = checked_motion(motion.into_vec2())?;
        self.storage.check_body(body)?;
        Ok(self.travel_body(body, motion, filter, &mut respond))
    }

    /// Moves a body that exists. (Apart from the checks, so that the result, which is large, is written
    /// where it belongs.)
    fn travel_body(
        &mut self,
        body: BodyKey,
        motion: Vec2,
        filter: &Filter<'_>,
        respond: Respond<'_>,
    ) -> Travel {
        let Self { storage, broad, scratch, .. } = &mut *self;
        let mut mover = Mover::of_body((storage, broad.as_dyn()), &mut scratch.moves, body, filter);
        let mut travel = Travel::new(mover.position());
        let pending = mover.travel(motion, respond, &mut travel, Pushing::Allowed);
        if travel.end != travel.start {
            self.move_to(body, travel.end);
        }
        if let Some(pending) = pending {
            self.travel_pushing(body, filter, respond, &mut travel, pending);
        }
        if self.is_swept(body) {
            let Travel { start, end, push, .. } = travel;
            let freed = to_vec2(start.as_dvec2() + push.as_dvec2());
            let bends = travel.hits.iter().map(|hit| hit.position);
            let path = [start, freed].into_iter().chain(bends).chain([end]);
            self.record_passages(body, path);
        }
        travel
    }

    /// Returns the result that [`travel`](Self::travel) would have, without moving anything (a dry run).
    ///
    /// # Errors
    /// Returns the errors of [`travel`](Self::travel).
    pub fn plan_travel(
        &self,
        body: BodyKey,
        motion: impl IntoVec2,
        respond: impl FnMut(PendingHit<'_>) -> Response,
    ) -> Result<Travel, WorldError> {
        self.plan_travel_filtered(body, motion, &Filter::new(), respond)
    }

    /// Returns the result that [`travel_filtered`](Self::travel_filtered) would have, without moving
    /// anything.
    ///
    /// # Errors
    /// Returns the errors of [`travel`](Self::travel).
    pub fn plan_travel_filtered(
        &self,
        body: BodyKey,
        motion: impl IntoVec2,
        filter: &Filter<'_>,
        mut respond: impl FnMut(PendingHit<'_>) -> Response,
    ) -> Result<Travel, WorldError> {
        self.plan_travel_in(&mut MoveBuffers::default(), body, motion, filter, &mut respond)
    }

    /// Like [`plan_travel_filtered`](Self::plan_travel_filtered), but works in the caller's buffers, so that
    /// planning many moves allocates nothing.
    ///
    /// # Errors
    /// Returns the errors of [`travel`](Self::travel).
    pub fn plan_travel_in(
        &self,
        buffers: &mut MoveBuffers,
        body: BodyKey,
        motion: impl IntoVec2,
        filter: &Filter<'_>,
        mut respond: impl FnMut(PendingHit<'_>) -> Response,
    ) -> Result<Travel, WorldError> {
        let motion = checked_motion(motion.into_vec2())?;
        let mut mover = Mover::new(self.mover_view(), buffers, body, filter)?;
        let mut travel = Travel::new(mover.position());
        mover.travel(motion, &mut respond, &mut travel, Pushing::Never);
        Ok(travel)
    }
}

/// Checks that a motion is finite.
pub(super) fn checked_motion(motion: Vec2) -> Result<Vec2, WorldError> {
    validate::vector(motion, "motion.x", "motion.y").map_err(WorldError::BadPose)
}

/// The permission to interrupt a move to push obstacles.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pushing {
    Allowed,
    /// The body slides along what it should push.
    Never,
}

/// A move that waits until its obstacles have been pushed.
pub(super) struct PendingPush {
    /// The first of the hits that are to be pushed; the last one is the last hit of all.
    pub first_hit: usize,
    /// The rest of the motion.
    pub motion: DVec2,
}

/// Decides how the body responds to a hit.
pub(super) type Respond<'r> = &'r mut dyn FnMut(PendingHit<'_>) -> Response;

/// The maximum number of straight pieces of one move, from one collider that is crossed to the next. Pieces that
/// are not blocked do not count as responses.
const MAX_PIECES: usize = 256;

/// A motion whose angle with a surface has a smaller sine than this goes along it: the rounding of a vertex over
/// the length of an edge.
const GRAZING: f64 = 1e-6;

/// The rest of a motion.
#[derive(Clone, Copy)]
struct Remaining {
    /// The direction, and the length as far as the casts know it.
    motion: DVec2,
    /// The target of the motion, which the rounding of stops on the path does not change.
    target: DVec2,
    /// The share of the whole motion's time that is left.
    time: f64,
}

impl Remaining {
    /// Takes off what has been done: a fraction of the motion, up to a position.
    fn after(self, done: f64, at: DVec2) -> Self {
        let left = 1.0 - done;
        if left <= 0.0 {
            return Self { motion: DVec2::ZERO, ..self };
        }
        // The direction stays to the bit; the length is measured from where the body is.
        let ahead = (self.target - at).dot(self.motion) / self.motion.dot(self.motion);
        Self { motion: self.motion * ahead.max(0.0), time: self.time * left, ..self }
    }

    /// Goes on by another motion.
    fn redirected(self, at: DVec2, motion: DVec2) -> Self {
        Self { motion, target: at + motion, ..self }
    }
}

/// A collider that blocks a motion, with the contact that it meets most head-on.
struct Blocker<'c> {
    contact: &'c Contact,
    normal: DVec2,
    /// The component of the motion along the normal: negative, the less the more head-on.
    approach: f64,
}

type Blockers<'c> = SmallVec<[Blocker<'c>; 4]>;

impl Mover<'_> {
    /// Moves the body along a vector and asks for the response to every obstacle that blocks it.
    /// (Fills in `travel`, which is too large to be handed around.)
    ///
    /// Returns early if obstacles are to be pushed first, which the mover cannot do.
    pub(super) fn travel(
        &mut self,
        motion: Vec2,
        respond: Respond<'_>,
        travel: &mut Travel,
        pushing: Pushing,
    ) -> Option<PendingPush> {
        if self.buffers.colliders.is_empty() {
            travel.end = to_vec2(self.at() + motion.as_dvec2());
            return None;
        }
        let mut pending = None;
        let mut asked = motion.as_dvec2();
        self.gather_motion(asked);
        // Every overlapped obstacle is among the contacts.
        let mut contacts = self.contacts();
        if !contacts.is_empty() && !self.is_clear_of_solids(self.position()) {
            self.resolve_initial_overlap(motion, travel, respond);
        }
        let at = self.at();
        let mut left = Remaining { motion: asked, target: at + asked, time: 1.0 };
        // Lengths are compared by their squares: a square root is slow.
        let least_square = 1e-24 * asked.length_squared();
        let (mut pieces, mut responses) = (0, 0);
        while pieces < MAX_PIECES {
            pieces += 1;
            if left.motion.length_squared() <= least_square {
                left.motion = DVec2::ZERO;
                break;
            }
            self.update_contacts(&mut contacts);
            if !is_blocked(&contacts, left.motion) {
                let from = self.position();
                let done = self.advance(left.motion);
                let is_held =
                    self.position() == from && done * length(left.motion) > self.tolerance();
                left = left.after(done, self.at());
                if is_held {
                    break; // there is no free position ahead
                }
                continue;
            }
            let ahead = left.target - self.at();
            if !is_blocked(&contacts, ahead) {
                // Rounding has led past what the direction meets.
                left.motion = ahead;
                continue;
            }
            let blocked = blocked_arc(&contacts, left.motion);
            let slid = self.slid(blocked.as_ref(), &left, asked);
            if is_grazing(left.motion, slid) {
                left = left.redirected(self.at(), slid);
                continue;
            }
            let first_hit = travel.hits.len();
            let normal = self.ask(&contacts, blocked.as_ref(), &left, travel, respond);
            let hits = &travel.hits[first_hit..];
            if hits.iter().any(|hit| matches!(hit.response, Response::Touch)) {
                break;
            }
            if hits.iter().any(|hit| matches!(hit.response, Response::Cross)) {
                pieces = 0; // each collider is crossed only once
                continue;
            }
            // A push needs that nothing else blocks the motion.
            let is_push = |hit: &TravelHit| matches!(hit.response, Response::Push(_));
            if pushing == Pushing::Allowed && !hits.is_empty() && hits.iter().all(is_push) {
                let motion = left.target - self.at();
                pending = Some(PendingPush { first_hit, motion });
                break;
            }
            let bounce_normal =
                || self.bounce_normal(normal, &contacts, blocked.as_ref(), left.motion);
            let next = self.respond(slid, bounce_normal, hits, &left, &mut asked);
            left = left.redirected(self.at(), next);
            responses += 1;
            if responses == MAX_RESPONSES {
                break;
            }
        }
        self.recycle(contacts);
        travel.end = self.position();
        travel.remaining = match left.motion {
            DVec2::ZERO => Vec2::ZERO,
            _ => to_vec2(left.target - self.at()),
        };
        pending
    }

    /// Asks for the responses to all colliders that block a motion. Returns the normal of the surface that is
    /// met most head-on.
    fn ask(
        &mut self,
        contacts: &[Contact],
        blocked: Option<&[ArcEnd; 2]>,
        left: &Remaining,
        travel: &mut Travel,
        respond: Respond<'_>,
    ) -> DVec2 {
        let mut blockers = Blockers::new();
        self.find_blockers(contacts, blocked, left.motion, &mut blockers);
        for blocker in &blockers {
            let slot = blocker.contact.slot;
            if self.is_settled(slot) {
                continue;
            }
            let motion = left.target - self.at();
            let mut hit = self.travel_hit(blocker.contact, blocker.normal, motion, left.time);
            hit.response = respond(PendingHit { hit: &hit, storage: self.storage });
            if matches!(hit.response, Response::Cross) {
                self.cross(slot);
            }
            travel.hits.push(hit);
        }
        blockers[0].normal
    }

    /// Returns the normal that a bounce takes, given that of the surface which is met most head-on. If two
    /// surfaces that are mirror images are met so, neither comes first, and the normal is against the motion.
    fn bounce_normal(
        &self,
        normal: DVec2,
        contacts: &[Contact],
        blocked: Option<&[ArcEnd; 2]>,
        motion: DVec2,
    ) -> DVec2 {
        let is_mirrored = |other: DVec2| {
            let difference = other - normal;
            length(difference) > GRAZING && difference.dot(motion).abs() <= GRAZING * length(motion)
        };
        let ends = blocked.filter(|ends| mover::is_symmetric(ends, motion));
        let mut normals = mover::blocking(contacts, motion)
            .map(|contact| self.surface_normal(contact, blocked, motion))
            .chain(ends.into_iter().flatten().map(|end| end.normal));
        if normals.any(is_mirrored) { -motion } else { normal }
    }

    /// Returns whether a collider could not be pushed any farther: it is slid along, without another question.
    fn is_settled(&self, slot: u32) -> bool {
        let settled = &self.buffers.settled;
        !settled.is_empty() && settled.contains(&self.storage.props[slot as usize].body)
    }

    /// Step 5: returns the motion after the responses to all that blocks it. `slid` is the motion of a
    /// slide, `bounce_normal` returns the normal of a bounce.
    fn respond(
        &self,
        slid: DVec2,
        bounce_normal: impl FnOnce() -> DVec2,
        hits: &[TravelHit],
        left: &Remaining,
        asked: &mut DVec2,
    ) -> DVec2 {
        let motion = left.target - self.at();
        let own = hits.iter().find_map(|hit| match hit.response {
            Response::Redirect(motion) => Some(motion.as_dvec2()),
            _ => None,
        });
        if let Some(own) = own {
            *asked = own;
            return if own.is_finite() { own } else { DVec2::ZERO };
        }
        let restitution = hits.iter().try_fold(None, |_, hit| match hit.response {
            Response::Bounce(restitution) => Some(Some(f64::from(restitution))),
            _ => None,
        });
        if let Some(restitution) = restitution.flatten() {
            // Off the surface that is met most head-on; what is still blocked bounces again.
            let bounced = mover::bounce(motion, bounce_normal(), restitution);
            *asked = bounced;
            return if bounced.is_finite() { bounced } else { DVec2::ZERO };
        }
        slid
    }

    /// Returns what is left of a motion along the closer end of the blocked arc around it.
    fn slid(&self, blocked: Option<&[ArcEnd; 2]>, left: &Remaining, asked: DVec2) -> DVec2 {
        let slid = mover::slide(left.motion, blocked, asked);
        if slid == DVec2::ZERO {
            return slid;
        }
        // From where the body is, so that a slide along an axis keeps the other coordinate exactly.
        let ahead = (left.target - self.at()).dot(slid) / slid.dot(slid);
        slid * ahead.max(0.0)
    }

    /// Lists the colliders that block a motion, the one that is met most head-on first.
    fn find_blockers<'c>(
        &self,
        contacts: &'c [Contact],
        blocked: Option<&[ArcEnd; 2]>,
        motion: DVec2,
        blockers: &mut Blockers<'c>,
    ) {
        for contact in mover::blocking(contacts, motion) {
            let normal = self.surface_normal(contact, blocked, motion);
            let blocker = Blocker { contact, normal, approach: normal.dot(motion) };
            // Of several parts of a collider, the one that is met most head-on decides, then the widest
            // contact.
            match blockers.iter_mut().find(|known| known.contact.slot == contact.slot) {
                None => blockers.push(blocker),
                Some(known) if self.compare(&blocker, known).is_lt() => *known = blocker,
                Some(_) => {}
            }
        }
        if blockers.len() > 1 {
            blockers.sort_by(|a, b| self.compare(a, b));
            // Beside something that is met, a surface that the motion only grazes is no hit.
            let least = GRAZING * length(motion);
            let met = blockers.iter().take_while(|blocker| blocker.approach < -least).count();
            blockers.truncate(met.max(1));
        }
    }

    /// The blocker that is met most head-on comes first, then the one with the widest contact. Of equal
    /// ones the value of the normal decides, not the order of adding.
    fn compare(&self, a: &Blocker<'_>, b: &Blocker<'_>) -> Ordering {
        let width = |blocker: &Blocker<'_>| {
            let [start, end] = self.touched_segment(blocker.contact.index, blocker.normal);
            length(end - start)
        };
        let by_value = |a: f64, b: f64| b.abs().total_cmp(&a.abs()).then(a.total_cmp(&b));
        (a.approach.total_cmp(&b.approach))
            .then_with(|| width(b).total_cmp(&width(a)))
            .then_with(|| by_value(a.normal.y, b.normal.y))
            .then_with(|| by_value(a.normal.x, b.normal.x))
    }

    /// Describes a contact that blocks a motion, at a share of the whole motion's time that is left.
    pub(super) fn travel_hit(
        &self,
        contact: &Contact,
        normal: DVec2,
        motion: DVec2,
        time_left: f64,
    ) -> TravelHit {
        let &Contact { index, slot, .. } = contact;
        let [start, end] = self.touched_segment(index, normal);
        let point = to_vec2((start + end) / 2.0);
        let own_part = self.own_part_of(index);
        TravelHit {
            collider: self.storage.collider_key(self.buffers.colliders[own_part.collider as usize]),
            other: self.storage.collider_key(slot),
            body: self.storage.body_key_of(slot),
            tile: self.tile_at(slot, point, normal),
            time: to_f32(1.0 - time_left),
            normal: to_vec2(normal),
            point,
            depth: 0.0,
            position: self.position(),
            motion: to_vec2(motion),
            response: Response::Slide,
        }
    }

    /// The tile of a tile map behind a point of contact.
    pub(super) fn tile_at(&self, slot: u32, point: Vec2, normal: DVec2) -> Option<Cell> {
        match self.storage.placed[slot as usize].as_shape() {
            ShapeRef::TileMap(map) => {
                map.tile_behind(point, normal).or_else(|| map.nearest_tile(point))
            }
            _ => None,
        }
    }

    /// Asks for the responses to what the body overlaps at the start. It passes through what it crosses and is
    /// pushed out of the rest.
    #[cold]
    fn resolve_initial_overlap(&mut self, motion: Vec2, travel: &mut Travel, respond: Respond<'_>) {
        for slot in self.overlapped() {
            let Some((own, contact)) = self.deepest_contact(slot) else { continue };
            let normal = contact.normal.as_dvec2();
            let mut hit = TravelHit {
                collider: self.storage.collider_key(own),
                other: self.storage.collider_key(slot),
                body: self.storage.body_key_of(slot),
                tile: self.tile_at(slot, contact.points[0], normal),
                time: 0.0,
                normal: contact.normal,
                point: contact.points[0],
                depth: contact.depth,
                position: self.position(),
                motion,
                response: Response::Slide,
            };
            hit.response = respond(PendingHit { hit: &hit, storage: self.storage });
            if hit.response == Response::Cross {
                travel.hits.push(hit);
                self.cross(slot);
            }
        }
        if !self.is_clear_of_solids(self.position()) {
            self.depenetrate();
        }
        travel.is_stuck = self.is_stuck;
        travel.push = to_vec2(self.at() - travel.start.as_dvec2());
    }
}

/// Returns whether a motion leads into the surface that it slides along by no more than the rounding of the
/// surface's vertices: it is meant to go along it, and meets nothing.
fn is_grazing(motion: DVec2, slid: DVec2) -> bool {
    let sine = cross(slid, motion);
    let square = sine * sine;
    let limit = GRAZING * GRAZING * slid.length_squared() * motion.length_squared();
    limit > 0.0 && square <= limit
}
