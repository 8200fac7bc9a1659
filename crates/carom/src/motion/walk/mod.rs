//! Walking: a body with feet, on floors, slopes, steps and platforms.

mod feet;
mod state;
mod stride;
mod walker;

pub use state::{Floor, WalkerState};
pub(super) use walker::Gait;
pub use walker::Walker;

use crate::math::{Vec2, to_vec2};
use crate::motion::course::Course;
use crate::motion::travel::{Hits, TravelHit, checked_motion};
use crate::world::{BodyKey, Filter, World, WorldError};
use stride::Stride;

/// How a walk went.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Walk {
    /// Where the body was.
    pub start: Vec2,
    /// Where it is now.
    pub end: Vec2,
    /// What it stands on now; `None` in the air.
    pub floor: Option<Floor>,
    /// The last wall that stopped it.
    pub wall: Option<TravelHit>,
    /// The ceiling that stopped it.
    pub ceiling: Option<TravelHit>,
    /// Whether it came onto a floor with this walk.
    pub landed: bool,
    /// Whether it was on a floor and is no more.
    pub left_floor: bool,
    /// Whether it went up a step.
    pub stepped: bool,
    /// The push that took it out of what it overlapped at the start; zero if it was free.
    pub push: Vec2,
    /// Whether it overlapped something at the start, and no free place was near.
    pub is_stuck: bool,
    hits: Hits,
    up: Vec2,
}

impl Walk {
    /// To be filled in where it is: it is too large to be handed around.
    fn new() -> Self {
        Self {
            start: Vec2::ZERO,
            end: Vec2::ZERO,
            floor: None,
            wall: None,
            ceiling: None,
            landed: false,
            left_floor: false,
            stepped: false,
            push: Vec2::ZERO,
            is_stuck: false,
            hits: Hits::new(),
            up: Vec2::ZERO,
        }
    }

    /// Whether the body stands on a floor.
    pub fn on_floor(&self) -> bool {
        self.floor.is_some()
    }

    /// All that it met on its way, in order. Their times are those of the part of the way that they
    /// were met on.
    pub fn hits(&self) -> &[TravelHit] {
        &self.hits
    }

    /// How far it got: from `start` to `end`.
    pub fn moved(&self) -> Vec2 {
        to_vec2(self.end.as_dvec2() - self.start.as_dvec2())
    }

    /// A velocity without what floor, wall and ceiling have stopped: no falling while it stands, no
    /// pressing on a wall, no rising at a ceiling. What goes along a floor stays as it is.
    ///
    /// ```
    /// # use carom::prelude::*;
    /// # let mut world = World::new();
    /// # let floor = world.add_body(Body::fixed([0.0, 0.0]))?;
    /// # world.add_collider(floor, Collider::new(Aabb::new([-9.0, -1.0], [9.0, 0.0])))?;
    /// # let hero = world.add_body(Body::moving([0.0, 0.0]))?;
    /// # world.add_collider(hero, Collider::new(Aabb::new([-0.5, 0.0], [0.5, 1.0])))?;
    /// # let (walker, mut state) = (Walker::new(), WalkerState::new());
    /// let velocity = Vec2::new(3.0, -0.5);
    /// let walk = world.walk(hero, &walker, &mut state, velocity / 60.0)?;
    /// assert_eq!(walk.velocity(velocity), Vec2::new(3.0, 0.0));
    /// # Ok::<(), WorldError>(())
    /// ```
    pub fn velocity(&self, velocity: impl Into<Vec2>) -> Vec2 {
        let up = self.up.as_dvec2();
        let mut velocity = velocity.into().as_dvec2();
        let rise = velocity.dot(up);
        if self.on_floor() && rise < 0.0 || self.ceiling.is_some() && rise > 0.0 {
            velocity -= up * rise;
        }
        if let Some(wall) = &self.wall {
            // Only what is level counts: a wall that leans does not lift.
            let normal = wall.normal.as_dvec2();
            let level = normal - up * normal.dot(up);
            let into = velocity.dot(level);
            if into < 0.0 {
                velocity -= level * (into / level.dot(level));
            }
        }
        to_vec2(velocity)
    }
}

/// # Walking
impl World {
    /// Moves a body that walks: by what it wants to go this frame, its fall included.
    ///
    /// On a floor it keeps to it, up and down slopes, and goes up steps; in the air it flies and
    /// slides along walls. The `state` remembers what it stands on from frame to frame; keep one for
    /// each body. Where it ends, it overlaps nothing that it did not overlap before.
    ///
    /// # Errors
    /// As [`travel`](Self::travel).
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let hills = world.add_body(Body::fixed([0.0, 0.0]))?;
    /// let ground = Chain::new(&[[-9.0, 0.0], [3.0, 0.0], [6.0, 3.0], [9.0, 0.0], [20.0, 0.0]]);
    /// world.add_collider(hills, Collider::new(ground))?;
    /// let hero = world.add_body(Body::moving([0.0, 1.0]))?;
    /// world.add_collider(hero, Collider::new(Circle::new([0.0, 0.5], 0.5)))?;
    ///
    /// let walker = Walker::new();
    /// let mut state = WalkerState::new();
    /// let mut velocity = Vec2::ZERO;
    /// for _frame in 0..300 {
    ///     velocity = Vec2::new(3.0, velocity.y - 20.0 / 60.0);
    ///     let walk = world.walk(hero, &walker, &mut state, velocity / 60.0)?;
    ///     velocity = walk.velocity(velocity);
    ///     assert!(!walk.left_floor); // over the top, and down again
    /// }
    /// assert!(world.body(hero).unwrap().pose.position.x > 9.0);
    /// # Ok::<(), WorldError>(())
    /// ```
    pub fn walk(
        &mut self,
        body: BodyKey,
        walker: &Walker,
        state: &mut WalkerState,
        motion: impl Into<Vec2>,
    ) -> Result<Walk, WorldError> {
        self.walk_among(body, walker, state, motion, &Filter::new())
    }

    /// The same among those obstacles only that a filter lets through.
    ///
    /// # Errors
    /// As [`travel`](Self::travel).
    pub fn walk_among(
        &mut self,
        body: BodyKey,
        walker: &Walker,
        state: &mut WalkerState,
        motion: impl Into<Vec2>,
        filter: &Filter<'_>,
    ) -> Result<Walk, WorldError> {
        let motion = checked_motion(motion.into())?;
        let (mut walk, mut pad) = (Walk::new(), self.scratch.motion.take());
        let went = Course::new(self, body, filter, &mut pad)
            .map(|mut course| Stride::new(&mut course, walker, &mut walk).walk(state, motion));
        self.scratch.motion.put(pad);
        went?;
        if walk.end != walk.start {
            self.move_to(body, walk.end);
        }
        Ok(walk)
    }

    /// How [`walk`](Self::walk) would go, without moving anything; the state is as it would be then.
    ///
    /// # Errors
    /// As [`travel`](Self::travel).
    pub fn plan_walk(
        &self,
        body: BodyKey,
        walker: &Walker,
        state: &WalkerState,
        motion: impl Into<Vec2>,
        filter: &Filter<'_>,
    ) -> Result<(Walk, WalkerState), WorldError> {
        let (motion, mut pad) = (checked_motion(motion.into())?, self.scratch.motion.lend());
        let planned = Course::new(self, body, filter, &mut pad)
            .map(|mut course| course.walk(walker, *state, motion));
        self.scratch.motion.put_back(pad);
        planned
    }
}

impl Course<'_> {
    /// How a body walks from here, and what it remembers then.
    pub(super) fn walk(
        &mut self,
        walker: &Walker,
        mut state: WalkerState,
        motion: Vec2,
    ) -> (Walk, WalkerState) {
        let mut walk = Walk::new();
        Stride::new(self, walker, &mut walk).walk(&mut state, motion);
        (walk, state)
    }
}
