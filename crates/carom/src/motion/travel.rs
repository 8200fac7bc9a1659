//! Moving a body along a vector, with a response to everything it meets.

use core::fmt;
use core::ops::Deref;

use smallvec::SmallVec;

use crate::math::{DVec2, Vec2, to_f32, to_vec2};
use crate::motion::course::Course;
use crate::motion::leg::Leg;
use crate::motion::meet::Meet;
use crate::motion::planes;
use crate::shape::{Cell, validate};
use crate::world::storage::Storage;
use crate::world::{BodyKey, ColliderKey, ColliderRef, Filter, World, WorldError};

/// What a body does when it meets an obstacle on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Response {
    /// It stops there.
    Touch,
    /// It goes through, this obstacle and no other.
    Cross,
    /// It goes on along the obstacle: what would lead into it is taken from the motion. Along level
    /// and upright obstacles, the rest is kept exactly.
    Slide,
    /// It is thrown back; 1 gives all the speed back, 0 none of it.
    Bounce(f32),
    /// It goes on by a motion of your own. (What is not finite is no motion.)
    Go(Vec2),
}

/// A body met an obstacle on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TravelHit {
    /// The collider of the body.
    pub collider: ColliderKey,
    /// The collider it met.
    pub other: ColliderKey,
    /// The body it met.
    pub body: BodyKey,
    /// Which tile it met, if the other is a tile map.
    pub tile: Option<Cell>,
    /// When, from 0 at the start of the whole motion to 1 at its end.
    pub time: f32,
    /// Unit vector out of the other.
    pub normal: Vec2,
    /// Where they meet.
    pub point: Vec2,
    /// How deep they overlap; 0 unless the body starts in the other, and is told to cross it or
    /// [stuck](Travel::is_stuck) in it.
    pub depth: f32,
    /// Where the body is.
    pub position: Vec2,
    /// What is left of its motion.
    pub motion: Vec2,
    /// What it was told to do.
    pub response: Response,
}

impl TravelHit {
    /// A velocity after sliding along what was met.
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
    pub fn slid(&self, velocity: impl Into<Vec2>) -> Vec2 {
        let (velocity, normal) = (velocity.into().as_dvec2(), self.normal.as_dvec2());
        if velocity.dot(normal) >= 0.0 {
            return to_vec2(velocity);
        }
        to_vec2(planes::along(velocity, normal))
    }

    /// A velocity after bouncing off what was met.
    pub fn bounced(&self, velocity: impl Into<Vec2>, restitution: f32) -> Vec2 {
        let velocity = velocity.into().as_dvec2();
        to_vec2(planes::bounced(velocity, self.normal.as_dvec2(), restitution.into()))
    }
}

/// A [`TravelHit`] that waits for its response, with a look at the colliders.
#[derive(Clone, Copy)]
pub struct Encounter<'w> {
    hit: &'w TravelHit,
    storage: &'w Storage,
}

impl<'w> Encounter<'w> {
    /// The collider of the body that moves.
    pub fn own(&self) -> ColliderRef<'w> {
        self.collider(self.hit.collider)
    }

    /// The collider that it meets.
    pub fn other(&self) -> ColliderRef<'w> {
        self.collider(self.hit.other)
    }

    fn collider(&self, key: ColliderKey) -> ColliderRef<'w> {
        ColliderRef::new(self.storage, key.slot).expect("what takes part is there")
    }
}

impl Deref for Encounter<'_> {
    type Target = TravelHit;

    fn deref(&self) -> &TravelHit {
        self.hit
    }
}

impl fmt::Debug for Encounter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encounter")
            .field("hit", self.hit)
            .field("own", &self.own())
            .field("other", &self.other())
            .finish()
    }
}

/// How a body's way went.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Travel {
    /// Where the body was.
    pub start: Vec2,
    /// Where it is now.
    pub end: Vec2,
    /// What is left of the motion, where it was told to stop.
    pub remaining: Vec2,
    /// The push that took it out of what it overlapped at the start; zero if it was free.
    pub push: Vec2,
    /// Whether it overlapped something at the start, and no free place was near. It can move out
    /// then, but not deeper.
    pub is_stuck: bool,
    pub(super) hits: Hits,
}

/// What a body met, in order.
pub(super) type Hits = SmallVec<[TravelHit; 4]>;

/// Adds a hit to those before, and gives it to be filled in.
#[inline(always)]
pub(super) fn noted(hits: &mut Hits, hit: TravelHit) -> &mut TravelHit {
    hits.push(hit);
    hits.last_mut().expect("it was added")
}

impl Travel {
    /// To be filled in where it is: it is too large to be handed around.
    pub(super) fn new() -> Self {
        Self {
            start: Vec2::ZERO,
            end: Vec2::ZERO,
            remaining: Vec2::ZERO,
            push: Vec2::ZERO,
            is_stuck: false,
            hits: SmallVec::new(),
        }
    }

    /// What it met, in order. Up to four hits need no memory of their own.
    pub fn hits(&self) -> &[TravelHit] {
        &self.hits
    }

    /// How far it got: from `start` to `end`.
    pub fn moved(&self) -> Vec2 {
        to_vec2(self.end.as_dvec2() - self.start.as_dvec2())
    }
}

/// How many obstacles a body responds to on one way; crossings are not counted. One that bounces
/// to and fro in a narrow gap stops then.
const RESPONSES: usize = 32;

/// # Motion
impl World {
    /// Moves a body along a vector. Whatever solid it meets, at any speed, `respond` says what it
    /// does.
    ///
    /// Only solid colliders stop it, those whose layers and masks go with its own; see
    /// [`travel_among`](Self::travel_among) for exceptions. Where it ends, it overlaps nothing that
    /// it did not overlap before (but what it was told to cross). Where it starts in overlap,
    /// `respond` is asked about that first: out of what it does not cross it is pushed, by no more
    /// than its own size.
    ///
    /// # Errors
    /// [`WorldError::NoSuchBody`]; [`WorldError::BadPose`] if the motion is not finite, and the body stays
    /// where it is.
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
    /// assert_eq!(travel.end, Vec2::new(3.5, 3.0)); // along the wall
    /// assert_eq!(travel.hits()[1].normal, Vec2::new(-1.0, 0.0));
    /// # Ok::<(), WorldError>(())
    /// ```
    pub fn travel(
        &mut self,
        body: BodyKey,
        motion: impl Into<Vec2>,
        respond: impl FnMut(Encounter<'_>) -> Response,
    ) -> Result<Travel, WorldError> {
        self.travel_among(body, motion, &Filter::new(), respond)
    }

    /// The same among those obstacles only that a filter lets through.
    ///
    /// # Errors
    /// As [`travel`](Self::travel).
    pub fn travel_among(
        &mut self,
        body: BodyKey,
        motion: impl Into<Vec2>,
        filter: &Filter<'_>,
        mut respond: impl FnMut(Encounter<'_>) -> Response,
    ) -> Result<Travel, WorldError> {
        let motion = checked_motion(motion.into())?;
        let (mut travel, mut pad) = (Travel::new(), self.scratch.motion.take());
        let mut moved = None;
        let went = Course::new(self, body, filter, &mut pad)
            .map(|mut course| moved = course.travel(motion, &mut respond, &mut travel));
        self.scratch.motion.put(pad);
        went?;
        if let Some(end) = moved {
            self.move_to(body, end);
        }
        Ok(travel)
    }

    /// How [`travel`](Self::travel) would go, without moving anything.
    ///
    /// # Errors
    /// As [`travel`](Self::travel).
    pub fn plan_travel(
        &self,
        body: BodyKey,
        motion: impl Into<Vec2>,
        respond: impl FnMut(Encounter<'_>) -> Response,
    ) -> Result<Travel, WorldError> {
        self.plan_travel_among(body, motion, &Filter::new(), respond)
    }

    /// How [`travel_among`](Self::travel_among) would go, without moving anything.
    ///
    /// # Errors
    /// As [`travel`](Self::travel).
    pub fn plan_travel_among(
        &self,
        body: BodyKey,
        motion: impl Into<Vec2>,
        filter: &Filter<'_>,
        mut respond: impl FnMut(Encounter<'_>) -> Response,
    ) -> Result<Travel, WorldError> {
        let motion = checked_motion(motion.into())?;
        let (mut travel, mut pad) = (Travel::new(), self.scratch.motion.lend());
        let went = Course::new(self, body, filter, &mut pad)
            .map(|mut course| _ = course.travel(motion, &mut respond, &mut travel));
        self.scratch.motion.put_back(pad);
        went?;
        Ok(travel)
    }
}

/// A motion, if it is finite.
pub(super) fn checked_motion(motion: Vec2) -> Result<Vec2, WorldError> {
    validate::vector(motion, "motion.x", "motion.y").map_err(WorldError::BadPose)
}

/// Says what to do about what is met.
pub(super) type Respond<'r> = &'r mut dyn FnMut(Encounter<'_>) -> Response;

impl Course<'_> {
    /// Gets out of what it is in, then goes. Gives the end, unless it is where it was.
    pub fn travel(
        &mut self,
        motion: Vec2,
        respond: Respond<'_>,
        travel: &mut Travel,
    ) -> Option<Vec2> {
        let start = self.position();
        travel.start = start;
        self.look_ahead(motion);
        if !self.is_clear_here() {
            self.cross_overlapped(motion, travel, respond);
            travel.is_stuck = !self.get_out();
            travel.push = to_vec2(self.position().as_dvec2() - travel.start.as_dvec2());
        }
        self.go(motion, travel, respond);
        let end = self.position();
        travel.end = end;
        (end != start).then_some(end)
    }

    /// Leaves out what it overlaps where it is and is told to cross.
    #[cold]
    fn cross_overlapped(&mut self, motion: Vec2, travel: &mut Travel, respond: Respond<'_>) {
        let (position, mut asked) = (self.position(), None);
        for place in 0..self.pad.near.len() {
            let obstacle = self.pad.near[place];
            if asked == Some(obstacle.slot) {
                continue; // another tile of the same map
            }
            let Some(meet) = self.overlap_here(&obstacle) else { continue };
            asked = Some(obstacle.slot);
            let mut hit = self.hit(&meet, 0.0, position, position.as_dvec2() + motion.as_dvec2());
            hit.tile = self.tile_of(&meet);
            hit.response = respond(Encounter { hit: &hit, storage: self.storage });
            if hit.response == Response::Cross {
                travel.hits.push(hit);
                self.cross(obstacle.slot);
            }
        }
    }

    /// Goes as far as the responses let it.
    fn go(&mut self, motion: Vec2, travel: &mut Travel, respond: Respond<'_>) {
        let mut leg = Leg::new(self.position(), motion.as_dvec2());
        let (mut done, mut last, mut responses) = (0.0, 0.0, 0);
        while let Some((meet, spot)) = self.advance(&mut leg) {
            // What is met at once comes in any order, but no time runs back.
            let time = f64::max(last, done + (1.0 - done) * meet.time);
            last = time;
            let hit = noted(&mut travel.hits, self.hit(&meet, time, spot, leg.target));
            hit.tile = self.tile_of(&meet);
            let response = respond(Encounter { hit, storage: self.storage });
            if response != Response::Slide {
                hit.response = response;
            }
            if response == Response::Cross {
                self.cross(meet.slot());
                continue;
            }
            self.stop_at(spot, &mut leg);
            (done, responses) = (time, responses + 1);
            let left = leg.target - spot.as_dvec2();
            let left = match response {
                Response::Touch | Response::Cross => {
                    travel.remaining = to_vec2(left);
                    return;
                }
                Response::Slide => leg.planes.slide_along(meet.normal, left),
                Response::Bounce(restitution) => {
                    planes::bounced(left, meet.normal, f64::from(restitution))
                }
                Response::Go(way) => way.as_dvec2(),
            };
            if !left.is_finite() || left == DVec2::ZERO {
                return;
            }
            if responses == RESPONSES {
                travel.remaining = to_vec2(left);
                return;
            }
            leg.target = spot.as_dvec2() + left;
        }
    }

    /// What is met, but for the tile, with the most common response.
    #[inline(always)] // straight to where it is kept
    pub fn hit(&self, meet: &Meet, time: f64, position: Vec2, target: DVec2) -> TravelHit {
        let normal = to_vec2(meet.normal);
        TravelHit {
            collider: self.storage.collider_key(self.own[meet.own]),
            other: self.storage.collider_key(meet.slot()),
            body: self.storage.body_key_of(meet.slot()),
            tile: None,
            time: to_f32(time),
            normal,
            point: meet.point,
            depth: meet.depth,
            position,
            motion: to_vec2(target - position.as_dvec2()),
            response: Response::Slide,
        }
    }
}
