//! Walking: a character controller for bodies with feet, on floors, slopes, steps and platforms.
//!
//! A walk has these steps:
//!
//! 1. **gather** the obstacles for the whole walk, once;
//! 2. **get free** of what the body overlaps at the start;
//! 3. **drop** through a one-way platform, if that was requested;
//! 4. **round** the motion to whole pixels, if the walker has a pixel size;
//! 5. **move** on the floor (`ground.rs`) or through the air (`air.rs`);
//! 6. **describe** the floor underfoot, and save the state.

mod air;
mod around;
mod ground;
mod settings;

pub use settings::{Floor, JumpGrace, Walker, WalkerState};

use crate::math::{DVec2, IntoVec2, Vec2, length, to_vec2};
use crate::motion::mover::{ArcEnd, Mover, blocked_arc, blocking, flat_normal, project};
use crate::motion::push::WalkCall;
use crate::motion::travel::{Hits, TravelHit, checked_motion};
use crate::world::move_buffers::{Contact, MoveBuffers};
use crate::world::{BodyKey, Filter, Support, World, WorldError};
use settings::WalkParams;

/// The result of [`World::walk`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Walk {
    /// The position of the body before the walk.
    pub start: Vec2,
    /// The position of the body after the walk.
    pub end: Vec2,
    /// The floor that the body stands on after the walk; `None` in the air. The body touches it.
    #[doc(alias = "is_on_floor")]
    pub floor: Option<Floor>,
    /// The wall that stopped the body; of several, the one that was hit most head-on. On a floor, this is
    /// everything that stops the walk, also a low ceiling on the way up a slope. A motion that ends exactly at a
    /// wall has not been stopped by it.
    #[doc(alias = "is_on_wall")]
    pub wall: Option<TravelHit>,
    /// The ceiling that stopped the rise of the body; of several, the one that was hit most head-on.
    #[doc(alias = "is_on_ceiling")]
    pub ceiling: Option<TravelHit>,
    /// Is `true` if the body was in the air before the walk and is on a floor after it.
    pub landed: bool,
    /// Is `true` if the body was on a floor before the walk and is in the air after it.
    pub left_floor: bool,
    /// Is `true` if the body climbed a step.
    pub stepped: bool,
    /// The body that the walker [pushed](crate::motion#pushing); of several, the one that it hit first.
    pub pushed: Option<BodyKey>,
    /// The displacement that took the body out of the solids that it overlapped at the start; zero if it
    /// overlapped none.
    pub push: Vec2,
    /// Is `true` if the body overlapped a solid at the start and no free position was near. A stuck body can
    /// leave that solid, but it cannot go deeper into it or enter another one.
    pub is_stuck: bool,
    hits: Hits,
    pub(super) up: Vec2,
}

impl Walk {
    pub(super) fn new(start: Vec2) -> Self {
        Self {
            start,
            end: start,
            floor: None,
            wall: None,
            ceiling: None,
            landed: false,
            left_floor: false,
            stepped: false,
            pushed: None,
            push: Vec2::ZERO,
            is_stuck: false,
            hits: Hits::new(),
            up: Vec2::ZERO,
        }
    }

    /// Performs a walk, without moving the body in the world.
    #[inline]
    pub(super) fn perform(
        &mut self,
        mover: &mut Mover<'_>,
        walker: &Walker,
        state: &mut WalkerState,
        motion: Vec2,
    ) {
        WalkMove::new(mover, walker, self).walk(state, motion);
    }

    /// Returns `true` if the body stands on a floor after the walk. It then touches that floor.
    pub fn on_floor(&self) -> bool {
        self.floor.is_some()
    }

    /// Returns the obstacles that blocked the body, in the order in which it hit them. A collider that blocks
    /// with several surfaces at once has one hit, with the surface that was hit most head-on. A body that
    /// walks off an edge makes the level part of its motion before it falls, so what it hits in the fall has
    /// the time 1.
    pub fn hits(&self) -> &[TravelHit] {
        &self.hits
    }

    /// Returns the displacement from `start` to `end`.
    pub fn moved(&self) -> Vec2 {
        to_vec2(self.end.as_dvec2() - self.start.as_dvec2())
    }

    /// Returns a velocity without the parts that were blocked: the fall if the body is on a floor, the rise
    /// if a ceiling stopped it, the horizontal part into a wall that stopped it. A wall that leans neither
    /// adds to the rise nor takes from it.
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
    pub fn velocity(&self, velocity: impl IntoVec2) -> Vec2 {
        let up = self.up.as_dvec2();
        let mut velocity = velocity.into_vec2().as_dvec2();
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
    /// Moves a body with feet by the motion of one frame, which includes its fall: a character controller
    /// (Godot's `move_and_slide`).
    ///
    /// On a floor the body follows the floor, up and down slopes, and climbs steps. A motion that rises
    /// takes the body off the floor. In the air it slides along walls and ceilings until it lands; after the
    /// landing, the rest of its horizontal motion follows the floor. The `state` is what one character
    /// remembers from frame to frame. The floor becomes the body's [support](Self::support), so that
    /// [`carry`](Self::carry) knows the riders of a platform.
    ///
    /// - The body ends where it overlaps no solid that it did not overlap before.
    /// - If the body touches a surface that is level enough, it is on the floor, whatever else it touches and
    ///   whichever collider was added first.
    /// - If the body is on a floor, it touches the floor: [`update`](Self::update) reports the pair.
    /// - A walker on a floor that is long enough, one-way or solid, level or sloped, keeps it in every
    ///   frame while it walks, stops and turns.
    /// - A wall takes away the motion towards it. It neither lifts a walker nor takes its rise. For a jump, the
    ///   edge of a step is a wall.
    /// - A motion that ends exactly at a wall or at a step hits nothing and keeps its speed.
    /// - A world that is mirrored, turned by quarter turns or scaled by a power of two, or whose colliders
    ///   are added in another order, gives the same walks to the bit. Levels built of other kinds of
    ///   shapes give the same walks up to rounding. See [the promises of
    ///   travel](crate::motion#travel).
    ///
    /// Ties are decided by the [rules of travel](crate::motion#ties). Of two corner corrections of the same
    /// length in a straight jump, the one to the right of `up` is made.
    ///
    /// # Errors
    /// Returns the errors of [`travel`](Self::travel).
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
    #[doc(alias = "move_and_slide")]
    #[doc(alias = "character controller")]
    pub fn walk(
        &mut self,
        body: BodyKey,
        walker: &Walker,
        state: &mut WalkerState,
        motion: impl IntoVec2,
    ) -> Result<Walk, WorldError> {
        self.walk_filtered(body, walker, state, motion, &Filter::new())
    }

    /// Like [`walk`](Self::walk), but only colliders that pass a filter are obstacles.
    ///
    /// # Errors
    /// Returns the errors of [`travel`](Self::travel).
    pub fn walk_filtered(
        &mut self,
        body: BodyKey,
        walker: &Walker,
        state: &mut WalkerState,
        motion: impl IntoVec2,
        filter: &Filter<'_>,
    ) -> Result<Walk, WorldError> {
        let motion = checked_motion(motion.into_vec2())?;
        self.storage.check_body(body)?;
        Ok(self.walk_body(body, walker, state, motion, filter))
    }

    /// Moves a body that exists. (Apart from the checks, so that the result, which is large, is written
    /// where it belongs.)
    fn walk_body(
        &mut self,
        body: BodyKey,
        walker: &Walker,
        state: &mut WalkerState,
        motion: Vec2,
        filter: &Filter<'_>,
    ) -> Walk {
        let Self { storage, broad, scratch, .. } = &mut *self;
        let mut mover = Mover::of_body((storage, broad.as_dyn()), &mut scratch.moves, body, filter);
        let before = *state;
        let mut walk = Walk::new(mover.position());
        walk.perform(&mut mover, walker, state, motion);
        let is_swept = self.is_swept(body);
        let mut path = core::mem::take(&mut self.scratch.moves.path);
        if self.is_pushable_wall(walker, &walk) {
            let call = WalkCall { body, walker, before, motion, filter };
            self.walk_pushing(&call, state, &mut walk);
            path.clear();
        }
        if walk.end != walk.start {
            self.move_to(body, walk.end);
        }
        if is_swept {
            let bends = path.iter().copied();
            self.record_passages(body, [walk.start].into_iter().chain(bends).chain([walk.end]));
        }
        self.scratch.moves.path = path;
        let support = walk.floor.map(|Floor { body, normal, .. }| Support { body, normal });
        self.store_support(body, support);
        walk
    }

    /// Returns the result that [`walk`](Self::walk) would have, and the state after it, without moving
    /// anything.
    ///
    /// # Errors
    /// Returns the errors of [`travel`](Self::travel).
    pub fn plan_walk(
        &self,
        body: BodyKey,
        walker: &Walker,
        state: &WalkerState,
        motion: impl IntoVec2,
        filter: &Filter<'_>,
    ) -> Result<(Walk, WalkerState), WorldError> {
        self.plan_walk_in(&mut MoveBuffers::default(), body, walker, state, motion, filter)
    }

    /// Like [`plan_walk`](Self::plan_walk), but works in the caller's buffers, so that planning many walks
    /// allocates nothing.
    ///
    /// # Errors
    /// Returns the errors of [`travel`](Self::travel).
    pub fn plan_walk_in(
        &self,
        buffers: &mut MoveBuffers,
        body: BodyKey,
        walker: &Walker,
        state: &WalkerState,
        motion: impl IntoVec2,
        filter: &Filter<'_>,
    ) -> Result<(Walk, WalkerState), WorldError> {
        let (motion, mut state) = (checked_motion(motion.into_vec2())?, *state);
        let mut mover = Mover::new(self.mover_view(), buffers, body, filter)?;
        let mut walk = Walk::new(mover.position());
        walk.perform(&mut mover, walker, &mut state, motion);
        Ok((walk, state))
    }
}

/// The maximum number of straight pieces of one walk.
const MAX_PIECES: usize = 16;

/// A body in the middle of a walk.
struct WalkMove<'a, 'w> {
    mover: &'a mut Mover<'w>,
    walker: &'a Walker,
    params: WalkParams,
    walk: &'a mut Walk,
    /// The walker stood on a floor before this walk.
    was_on_floor: bool,
    /// The whole motion of the walk.
    motion: DVec2,
    /// The share of the walk's time that is left.
    time_left: f64,
    /// The position that a step started from: heights of steps are measured from there.
    step_from: Vec2,
    /// The motion through the air led into a floor.
    has_landed: bool,
    /// The distance by which corner correction has moved the walker aside.
    corrected: f64,
    /// The last result of [`Self::floor_contact`].
    known_floor: Option<KnownFloor>,
}

/// The contact that a walker stands on, if any, and all that it depends on.
#[derive(Clone, Copy)]
struct KnownFloor {
    position: Vec2,
    step_from: Vec2,
    changes: u64,
    floor: Option<FloorContact>,
}

/// The order of several hits: the one that is hit most head-on comes first, then the one with the
/// widest contact, then the one that faces up more. No order of adding matters.
#[derive(Clone, Copy)]
struct HitRank {
    /// The component of the motion along the normal.
    approach: f64,
    width: f64,
    rise: f64,
}

impl HitRank {
    fn order(&self, other: &Self) -> core::cmp::Ordering {
        // `total_cmp` would put -0.0 before 0.0, and a straight jump has either, depending on the mirror.
        let approach = self.approach.partial_cmp(&other.approach);
        (approach.unwrap_or(core::cmp::Ordering::Equal))
            .then(other.width.total_cmp(&self.width))
            .then(other.rise.total_cmp(&self.rise))
    }

    /// The rank of a hit from an earlier piece of the walk, which only a hit that is more head-on replaces.
    fn of_known(hit: &TravelHit, motion: DVec2) -> Self {
        let approach = hit.normal.as_dvec2().dot(motion);
        Self { approach, width: f64::INFINITY, rise: f64::INFINITY }
    }
}

/// A contact that a walker stands on.
#[derive(Clone, Copy)]
struct FloorContact {
    /// The index and the slot of the [`Contact`].
    index: u32,
    slot: u32,
    normal: DVec2,
}

impl<'a, 'w> WalkMove<'a, 'w> {
    /// Prepares a walk that is described in `walk`, which is too large to be handed around.
    fn new(mover: &'a mut Mover<'w>, walker: &'a Walker, walk: &'a mut Walk) -> Self {
        let params = WalkParams::new(walker);
        walk.up = to_vec2(params.up);
        Self {
            step_from: mover.position(),
            mover,
            walker,
            params,
            walk,
            was_on_floor: false,
            motion: DVec2::ZERO,
            time_left: 1.0,
            has_landed: false,
            corrected: 0.0,
            known_floor: None,
        }
    }

    /// Walks: gets free, then moves on the floor or through the air, and looks at what is underfoot.
    fn walk(&mut self, state: &mut WalkerState, motion: Vec2) {
        // 1. Gather.
        self.gather(motion.as_dvec2());
        // 2. Get free. One-way platforms do not matter here: the body may be anywhere in them.
        if !self.mover.is_clear_of_solids(self.mover.position()) {
            self.mover.depenetrate();
            self.walk.is_stuck = self.mover.is_stuck;
            self.walk.push = to_vec2(self.mover.at() - self.walk.start.as_dvec2());
        }
        let before = state.floor;
        (self.was_on_floor, self.step_from) = (before.is_some(), self.mover.position());
        // 3. Drop through.
        if core::mem::take(&mut state.drop_requested) {
            self.drop_through();
        }
        // 4. Round to whole pixels.
        let motion = self.whole_pixels(state, motion);
        self.motion = motion;
        // 5. Move. A rising motion leaves the floor.
        let is_rising = self.rise(motion) > 0.0;
        if before.is_some() && !is_rising && self.floor_contact().is_some() {
            self.move_on_floor(motion);
        } else {
            self.move_in_air(motion);
        }
        if self.has_landed && self.floor_contact().is_none() {
            // A slide along the floor that it met has led over a vertex, off the floor by a little.
            self.snap_to_floor(self.params.snap);
        }
        // 6. Describe the floor. A rising motion has none, unless it led into one.
        if !is_rising || self.has_landed {
            self.walk.floor = self.floor();
        }
        self.walk.end = self.mover.position();
        self.walk.landed = before.is_none() && self.walk.on_floor();
        self.walk.left_floor = before.is_some() && !self.walk.on_floor();
        self.save_state(state, is_rising);
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

    fn save_state(&self, state: &mut WalkerState, is_rising: bool) {
        state.end_frame(self.walk.floor, is_rising);
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
        let pixel = f64::from(self.walker.pixel_size);
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
        self.params.is_floor_normal(normal)
    }

    fn is_ceiling_normal(&self, normal: DVec2) -> bool {
        self.params.is_ceiling_normal(normal)
    }

    /// Returns the contact that the walker stands on: of all contacts that are floors the most level one,
    /// then the one with the widest contact. Of equal ones a body that can move comes first, since it
    /// carries the walker; then the larger part, and the nearer one, so that no order of adding matters.
    ///
    /// A floor must block straight down, or every vertex that is passed at a wall would be one.
    fn floor_contact(&mut self) -> Option<FloorContact> {
        let (position, step_from) = (self.mover.position(), self.step_from);
        if let Some(known) = &self.known_floor
            && known.position == position
            && known.step_from == step_from
            && known.changes == self.mover.buffers.changes
        {
            return known.floor;
        }
        let floor = self.find_floor_contact();
        let changes = self.mover.buffers.changes;
        self.known_floor = Some(KnownFloor { position, step_from, changes, floor });
        floor
    }

    fn find_floor_contact(&mut self) -> Option<FloorContact> {
        let contacts = self.mover.contacts();
        let down = -self.params.up;
        // Mostly: one flat surface.
        let flat = flat_normal(&contacts);
        let blocked = if flat.is_some() { None } else { blocked_arc(&contacts, down) };
        let mut best: Option<FloorContact> = None;
        for contact in contacts.iter().filter(|contact| contact.arc.contains(down)) {
            let normal = flat.unwrap_or_else(|| self.floor_normal(contact, blocked.as_ref()));
            if !self.is_floor_normal(normal) && !self.is_step_edge(&contacts, contact, normal) {
                continue;
            }
            let floor = FloorContact { index: contact.index, slot: contact.slot, normal };
            if best.is_none_or(|known| self.floor_rank(&floor) > self.floor_rank(&known)) {
                best = Some(floor);
            }
        }
        self.mover.recycle(contacts);
        best
    }

    /// Values by which the better one of two contacts to stand on is chosen.
    fn floor_rank(&self, &FloorContact { index, slot, normal }: &FloorContact) -> [f64; 6] {
        let [start, end] = self.mover.touched_segment(index, normal);
        let [is_moving, long, short, near] = self.mover.support_rank(index, slot);
        [self.rise(normal), length(end - start), is_moving, long, short, near]
    }

    /// Returns the normal of the surface under a contact, given the blocked arc around straight down. If the
    /// contact is part of several surfaces, the most level one counts.
    ///
    /// A vertex on a flush surface is part of that surface, and so has its normal. Otherwise the floor
    /// would depend on which tiles are merged to one obstacle. The same holds at the bottom of a notch,
    /// where the edge between two parts of the ground ends.
    fn floor_normal(&self, contact: &Contact, blocked: Option<&[ArcEnd; 2]>) -> DVec2 {
        let own = contact.closest_normal(self.params.up);
        let Some(ends @ [a, b]) = blocked else { return own };
        let is_end = |end: &&ArcEnd| contact.is_part_of(end);
        let higher = |a: DVec2, b: DVec2| if self.rise(b) > self.rise(a) { b } else { a };
        match ends.iter().filter(is_end).map(|end| end.normal).reduce(higher) {
            Some(normal) => normal,
            None if self.mover.is_between(contact, own, a, b) => higher(a.normal, b.normal),
            None => own,
        }
    }

    /// Returns whether a round walker that was on a floor stands on the edge of a step: a vertex beyond which
    /// the surface is a floor, no higher above the floor that the walker came from than it can step.
    ///
    /// The vertex must be all that it touches of the surface. A walker whose flat side touches the side of a
    /// block touches the end of the block's top, too, if that is a part of its own as in a chain.
    fn is_step_edge(&self, contacts: &[Contact], contact: &Contact, normal: DVec2) -> bool {
        if !self.was_on_floor || self.params.step == 0.0 {
            return false;
        }
        let up = self.params.up;
        let is_face = |contact: &Contact| {
            let [start, end] = self.mover.touched_segment(contact.index, normal);
            length(end - start) > 2.0 * self.mover.tolerance()
        };
        let is_same_surface =
            |other: &&Contact| length(other.closest_normal(normal) - normal) < 1e-5;
        if is_face(contact) || contacts.iter().filter(is_same_surface).any(is_face) {
            return false;
        }
        let [point, _] = self.mover.touched_segment(contact.index, normal);
        let raised = f64::max(0.0, self.rise(self.mover.at() - self.step_from.as_dvec2()));
        let height = self.rise(point) - self.mover.lowest(up) + raised;
        if height > self.params.step + self.mover.tolerance() {
            return false;
        }
        // Of all edges beyond the vertex the highest is the surface; those below it are inside.
        let (beyond, mut surface) = (-self.horizontal(normal), None);
        self.mover.for_each_edge_at(contacts, point, |edge| {
            let is_higher = surface.is_none_or(|known| self.rise(edge) > self.rise(known));
            if edge.dot(beyond) > 1e-6 * length(beyond) && is_higher {
                surface = Some(edge);
            }
        });
        surface.is_some_and(|edge| length(self.horizontal(edge)) >= self.params.least_rise - 1e-6)
    }

    /// Describes the floor that the walker stands on.
    fn floor(&mut self) -> Option<Floor> {
        let FloorContact { index, slot, normal } = self.floor_contact()?;
        let storage = self.mover.storage;
        let [start, end] = self.mover.touched_segment(index, normal);
        Some(Floor {
            body: storage.body_key_of(slot),
            collider: storage.collider_key(slot),
            tile: self.mover.tile_at(slot, to_vec2((start + end) / 2.0), normal),
            normal: to_vec2(normal),
            angle: libm::acos(self.rise(normal).clamp(-1.0, 1.0)) as f32,
        })
    }

    /// Records the walls and ceilings that block a motion of which something is left, given the part of it that
    /// is a walk: its level part in the air, all of it on a floor.
    ///
    /// A wall must block the walk, or a body at rest at the foot of a slope would report one. A ceiling must
    /// block a rise.
    fn record_blocked(&mut self, motion: DVec2, walk: DVec2) {
        let contacts = self.mover.contacts();
        let (is_walking, is_rising) =
            (length(walk) > 1e-9 * length(motion), self.rise(motion - walk) > 0.0);
        let mut hits: smallvec::SmallVec<[(TravelHit, HitRank); 4]> = smallvec::SmallVec::new();
        // A walk has one wall and one ceiling. What counts is how they stop the whole motion, not a slide.
        let (level, asked) = (self.horizontal(self.motion), self.motion);
        let rank_known = |known: Option<TravelHit>, motion: DVec2| {
            known.map(|hit| (hit, HitRank::of_known(&hit, motion)))
        };
        let mut wall = rank_known(self.walk.wall, level);
        let mut ceiling = rank_known(self.walk.ceiling, asked);
        let blocked = blocked_arc(&contacts, motion);
        for contact in blocking(&contacts, motion) {
            let normal = self.mover.surface_normal(contact, blocked.as_ref(), motion);
            let [start, end] = self.mover.touched_segment(contact.index, normal);
            let width = length(end - start);
            let rank = HitRank { approach: normal.dot(motion), width, rise: self.rise(normal) };
            let hit = (self.mover.travel_hit(contact, normal, motion, self.time_left), rank);
            // One hit for each collider.
            match hits.iter_mut().find(|(known, _)| known.other == hit.0.other) {
                None => hits.push(hit),
                Some(known) if rank.order(&known.1).is_lt() => *known = hit,
                Some(_) => {}
            }
            if self.is_floor_normal(normal) {
                continue;
            }
            let (best, stopped) = if self.is_ceiling_normal(normal) && is_rising {
                (&mut ceiling, asked)
            } else if is_walking && contact.arc.contains(walk) {
                (&mut wall, level)
            } else {
                continue;
            };
            let rank = HitRank { approach: normal.dot(stopped), ..rank };
            if best.is_none_or(|(_, known)| rank.order(&known).is_lt()) {
                *best = Some((hit.0, rank));
            }
        }
        self.mover.recycle(contacts);
        [self.walk.wall, self.walk.ceiling] = [wall, ceiling].map(|best| best.map(|(hit, _)| hit));
        hits.sort_by(|a, b| a.1.order(&b.1));
        self.walk.hits.extend(hits.into_iter().map(|(hit, _)| hit));
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
        let (down, mut is_passing) = (-self.params.up, false);
        for contact in contacts.iter().filter(|contact| contact.arc.contains(down)) {
            is_passing |= self.mover.pass_behind(contact);
        }
        self.mover.recycle(contacts);
        if is_passing {
            self.move_straight(down * (6.0 * self.mover.tolerance()));
        }
    }
}
