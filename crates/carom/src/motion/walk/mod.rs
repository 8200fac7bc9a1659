//! Walking: a body with feet, on floors, slopes, steps and platforms.

mod air;
mod ground;
mod settings;

pub use settings::{Floor, Walker, WalkerState};

use crate::math::{DVec2, Vec2, length, to_f32, to_vec2};
use crate::motion::mover::{Mover, project, surface_normal};
use crate::motion::travel::{Hits, Response, TravelHit, checked_motion};
use crate::world::move_buffers::{Contact, MoveBuffers};
use crate::world::{BodyKey, Filter, World, WorldError};
use settings::WalkParams;

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
    fn new(start: Vec2, up: DVec2) -> Self {
        Self {
            start,
            end: start,
            floor: None,
            wall: None,
            ceiling: None,
            landed: false,
            left_floor: false,
            stepped: false,
            push: Vec2::ZERO,
            is_stuck: false,
            hits: Hits::new(),
            up: to_vec2(up),
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
        self.walk_filtered(body, walker, state, motion, &Filter::new())
    }

    /// The same among those obstacles only that a filter lets through.
    ///
    /// # Errors
    /// As [`travel`](Self::travel).
    pub fn walk_filtered(
        &mut self,
        body: BodyKey,
        walker: &Walker,
        state: &mut WalkerState,
        motion: impl Into<Vec2>,
        filter: &Filter<'_>,
    ) -> Result<Walk, WorldError> {
        let motion = checked_motion(motion.into())?;
        let Self { storage, broad, scratch, .. } = &mut *self;
        let mover = Mover::new((storage, broad.as_dyn()), &mut scratch.moves, body, filter)?;
        let walk = WalkMove::new(mover, walker).walk(state, motion);
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
        self.plan_walk_in(&mut MoveBuffers::default(), body, walker, state, motion, filter)
    }

    /// Like [`plan_walk`](Self::plan_walk), but works in the caller's buffers, so that planning many walks
    /// allocates nothing.
    ///
    /// # Errors
    /// As [`travel`](Self::travel).
    pub fn plan_walk_in(
        &self,
        buffers: &mut MoveBuffers,
        body: BodyKey,
        walker: &Walker,
        state: &WalkerState,
        motion: impl Into<Vec2>,
        filter: &Filter<'_>,
    ) -> Result<(Walk, WalkerState), WorldError> {
        let (motion, mut state) = (checked_motion(motion.into())?, *state);
        let mover = Mover::new(self.mover_view(), buffers, body, filter)?;
        let walk = WalkMove::new(mover, walker).walk(&mut state, motion);
        Ok((walk, state))
    }
}

/// How many straight pieces one walk may have.
const MAX_PIECES: usize = 16;

/// A body in the middle of a walk.
struct WalkMove<'a, 'w> {
    mover: Mover<'w>,
    walker: &'a Walker,
    params: WalkParams,
    walk: Walk,
    /// The walker stood on a floor before this walk.
    was_on_floor: bool,
    /// The position that a step started from: heights of steps are measured from there.
    step_from: Vec2,
    /// The motion led into a floor.
    has_landed: bool,
}

impl<'a, 'w> WalkMove<'a, 'w> {
    fn new(mover: Mover<'w>, walker: &'a Walker) -> Self {
        let params = WalkParams::new(walker);
        let walk = Walk::new(mover.position(), params.up);
        let step_from = mover.position();
        Self { mover, walker, params, walk, was_on_floor: false, step_from, has_landed: false }
    }

    /// Walks: gets free, then moves on the floor or through the air, and looks at what is underfoot.
    fn walk(mut self, state: &mut WalkerState, motion: Vec2) -> Walk {
        self.gather(motion.as_dvec2());
        if !self.mover.is_clear_of_solids(self.mover.position()) {
            self.mover.depenetrate();
            self.walk.is_stuck = self.mover.is_stuck;
            self.walk.push = to_vec2(self.mover.at() - self.walk.start.as_dvec2());
        }
        let before = state.floor;
        (self.was_on_floor, self.step_from) = (before.is_some(), self.mover.position());
        if core::mem::take(&mut state.drops) {
            self.drop_through();
        }
        let motion = self.whole_pixels(state, motion);
        let is_rising = self.rise(motion) > 0.0;
        if before.is_some() && !is_rising && self.floor_contact().is_some() {
            self.move_on_floor(motion);
        } else {
            self.move_in_air(motion);
        }
        if !is_rising || self.has_landed {
            self.walk.floor = self.floor();
        }
        self.walk.end = self.mover.position();
        self.walk.landed = before.is_none() && self.walk.on_floor();
        self.walk.left_floor = before.is_some() && !self.walk.on_floor();
        self.save_state(state);
        self.walk
    }

    /// Gathers the obstacles for the motion, up a step, down to the floor and aside past a corner.
    fn gather(&mut self, motion: DVec2) {
        let WalkParams { up, steepest, snap, step, corner, .. } = self.params;
        if self.mover.is_long(motion) {
            return;
        }
        let level = length(self.horizontal(motion));
        let slope = level * steepest.min(4.0);
        let (up, down) = (up * (step + slope), up * -(snap + slope));
        let ahead = self.horizontal(motion);
        let aside = self.params.up.perp() * corner;
        let low = motion.min(ahead).min(DVec2::ZERO) + up.min(down) - aside.abs();
        let high = motion.max(ahead).max(DVec2::ZERO) + up.max(down) + aside.abs();
        self.mover.gather_between(low, high);
    }

    fn save_state(&self, state: &mut WalkerState) {
        state.floor = self.walk.floor;
        let in_air = state.frames_in_air.saturating_add(1);
        state.frames_in_air = if state.floor.is_some() { 0 } else { in_air };
        // The part of the remainder that presses on an obstacle does not add up.
        let mut left = state.remainder.as_dvec2();
        if self.walk.on_floor() || self.walk.ceiling.is_some() {
            left = self.horizontal(left);
        }
        if self.walk.wall.is_some() {
            left -= self.horizontal(left);
        }
        state.remainder = to_vec2(left);
    }

    /// Returns the part of a motion that is whole pixels, with what was left over before; the rest is left
    /// over for the next walk.
    fn whole_pixels(&self, state: &mut WalkerState, motion: Vec2) -> DVec2 {
        let pixel = f64::from(self.walker.pixel);
        if !(pixel > 0.0 && pixel.is_finite()) {
            return motion.as_dvec2();
        }
        let all = motion.as_dvec2() + state.remainder.as_dvec2();
        let whole = DVec2::new(libm::round(all.x / pixel), libm::round(all.y / pixel)) * pixel;
        state.remainder = to_vec2(all - whole);
        whole
    }

    /// Returns the part of a vector that is level.
    fn horizontal(&self, v: DVec2) -> DVec2 {
        project(v, self.params.up)
    }

    fn rise(&self, v: DVec2) -> f64 {
        v.dot(self.params.up)
    }

    fn is_floor_normal(&self, normal: DVec2) -> bool {
        self.rise(normal) >= self.params.least_rise - 1e-6
    }

    /// Returns the contact that the walker stands on, and its normal: of all contacts that are floors the
    /// most level one, then the one with the widest contact.
    ///
    /// A floor must block straight down, or every vertex that is passed at a wall would be one.
    fn floor_contact(&mut self) -> Option<(Contact, DVec2)> {
        let contacts = self.mover.contacts();
        let (up, down) = (self.params.up, -self.params.up);
        let mut best: Option<(Contact, DVec2, f64)> = None;
        for contact in contacts.iter().filter(|contact| contact.arc.contains(down)) {
            let normal = contact.closest_normal(up);
            if !self.is_floor_normal(normal) && !self.is_step_edge(contact, normal) {
                continue;
            }
            let [start, end] = self.mover.touched_segment(contact, normal);
            let width = length(end - start);
            let is_better = best.is_none_or(|(_, known, known_width)| {
                let (rise, known) = (self.rise(normal), self.rise(known));
                rise > known || rise == known && width > known_width
            });
            if is_better {
                best = Some((*contact, normal, width));
            }
        }
        self.mover.recycle(contacts);
        best.map(|(contact, normal, _)| (contact, normal))
    }

    /// Returns whether a round walker that was on a floor stands on the edge of a step: a vertex beside a
    /// face that is a floor, no higher above the floor that the walker came from than it can step.
    fn is_step_edge(&self, contact: &Contact, normal: DVec2) -> bool {
        if !self.was_on_floor || self.params.step == 0.0 {
            return false;
        }
        let up = self.params.up;
        let [point, _] = self.mover.touched_segment(contact, normal);
        let raised = f64::max(0.0, self.rise(self.mover.at() - self.step_from.as_dvec2()));
        let height = self.rise(point) - self.mover.lowest(up) + raised;
        height <= self.params.step + self.mover.tolerance()
            && self.mover.has_face_at(contact, point, |normal| self.is_floor_normal(normal))
    }

    /// Describes the floor that the walker stands on.
    fn floor(&mut self) -> Option<Floor> {
        let (contact, normal) = self.floor_contact()?;
        let [start, end] = self.mover.touched_segment(&contact, normal);
        let storage = self.mover.storage;
        Some(Floor {
            body: storage.body_key_of(contact.slot),
            collider: storage.collider_key(contact.slot),
            tile: self.mover.tile_at(contact.slot, to_vec2((start + end) / 2.0), normal),
            normal: to_vec2(normal),
            angle: libm::acos(self.rise(normal).clamp(-1.0, 1.0)) as f32,
        })
    }

    /// Records the walls and ceilings that block a motion of which something is left.
    ///
    /// A wall must block the level part of the motion, or a body at rest at the foot of a slope would
    /// report one.
    fn record_blocked(&mut self, motion: DVec2) {
        let contacts = self.mover.contacts();
        let horizontal = self.horizontal(motion);
        let is_level = length(horizontal) > 1e-9 * length(motion);
        let mut hits: smallvec::SmallVec<[(TravelHit, f64); 4]> = smallvec::SmallVec::new();
        for contact in contacts.iter().filter(|contact| contact.arc.contains(motion)) {
            let normal = surface_normal(contact, &contacts, motion);
            let approach = normal.dot(motion);
            let hit = self.hit(contact, normal, motion);
            let is_known = hits.iter_mut().find(|(known, _)| known.other == hit.other);
            match is_known {
                None => hits.push((hit, approach)),
                Some(known) if approach < known.1 => *known = (hit, approach),
                Some(_) => {}
            }
            if self.is_floor_normal(normal) {
                self.has_landed = true;
                continue;
            }
            let is_most_head_on = |known: Option<TravelHit>| {
                known.is_none_or(|known| approach < known.normal.as_dvec2().dot(motion))
            };
            if self.rise(normal) <= -self.params.least_rise && self.rise(motion) > 0.0 {
                if is_most_head_on(self.walk.ceiling) {
                    self.walk.ceiling = Some(hit);
                }
            } else if is_level
                && contact.arc.contains(horizontal)
                && is_most_head_on(self.walk.wall)
            {
                self.walk.wall = Some(hit);
            }
        }
        self.mover.recycle(contacts);
        hits.sort_by(|a, b| a.1.total_cmp(&b.1));
        self.walk.hits.extend(hits.into_iter().map(|(hit, _)| hit));
    }

    fn hit(&self, contact: &Contact, normal: DVec2, motion: DVec2) -> TravelHit {
        let [start, end] = self.mover.touched_segment(contact, normal);
        let point = to_vec2((start + end) / 2.0);
        let storage = self.mover.storage;
        TravelHit {
            collider: self.mover.own_collider(contact),
            other: storage.collider_key(contact.slot),
            body: storage.body_key_of(contact.slot),
            tile: self.mover.tile_at(contact.slot, point, normal),
            time: to_f32(0.0),
            normal: to_vec2(normal),
            point,
            depth: 0.0,
            position: self.mover.position(),
            motion: to_vec2(motion),
            response: Response::Slide,
        }
    }

    /// Moves straight on as far as nothing is in the way. Returns the fraction that was done.
    fn move_straight(&mut self, motion: DVec2) -> f64 {
        let contacts = self.mover.contacts();
        let is_blocked = contacts.iter().any(|contact| contact.arc.contains(motion));
        self.mover.recycle(contacts);
        if is_blocked { 0.0 } else { self.mover.advance(motion) }
    }

    /// Sinks into the one-way surfaces underfoot, just far enough that the walker is no longer in front of
    /// them. Solid floors hold.
    fn drop_through(&mut self) {
        let contacts = self.mover.contacts();
        let down = -self.params.up;
        for contact in contacts.iter().filter(|contact| contact.arc.contains(down)) {
            self.mover.pass_behind(contact);
        }
        self.mover.recycle(contacts);
        self.move_straight(down * (6.0 * self.mover.tolerance()));
    }
}
