//! The mover: one body among the obstacles around it. `travel`, `walk` and `carry` all move bodies by it.
//!
//! A body that only translates is a *point*, its position, among configuration-space obstacles: the
//! Minkowski differences of the obstacles' convex parts and its own. A move repeats these steps, one
//! file each:
//!
//! 1. **gather**: collect the obstacles near the motion, once, and build their differences.
//! 2. **contacts**: find what the position touches, and which arcs of directions that blocks.
//! 3. **cast**: in a direction that is not blocked, find the first obstacle on the path.
//! 4. **stop**: choose the representable position nearest to that point which is free.
//! 5. **respond**: where the direction is blocked, slide along the end of the blocked arc, or bounce.
//!
//! One box among boxes, which is what most moves are, takes the fast path of `boxes.rs` through steps 2 and 3.
//!
//! There is one predicate, [`Mover::is_free`], and every position that is kept has passed it. A union of
//! arcs has no order, so the order in which colliders were added cannot matter, nor can the kind of shape
//! that a surface is made of.

mod boxes;
mod cast;
mod contacts;
mod cspace;
#[cfg(test)]
mod fast_path_tests;
mod gather;
mod respond;
mod stop;

pub(super) use contacts::{
    ArcEnd, Turn, blocked_arc, blocking, end_of_blocked, flat_normal, is_blocked,
};
pub(super) use gather::bounds_of;
pub(super) use respond::{bounce, is_symmetric, project, slide};
pub(super) use stop::Surface;

use crate::broad::BroadPhase;
use crate::math::{DVec2, Pose, Vec2, length};
use crate::shape::Aabb;
use crate::sheet::Role;
use crate::world::bit_set::BitSet;
use crate::world::move_buffers::{Bounds, CObstacle, ContactList, MoveBuffers};
use crate::world::storage::{NONE, Storage};
use crate::world::{BodyKey, Filter, World, WorldError};

/// A body that is being moved.
pub(super) struct Mover<'w> {
    pub storage: &'w Storage,
    broad: &'w dyn BroadPhase,
    filter: &'w Filter<'w>,
    bodies: Bodies<'w>,
    pub buffers: &'w mut MoveBuffers,
    /// The body's pose; its position is where the move has come to, and passes `is_free`.
    pose: Pose,
    /// The body's shape relative to its position, if it is one axis-aligned box.
    single_box: Option<Aabb>,
    /// The body is a single box and so are all obstacles that were gathered: their differences have not
    /// been built. See `boxes.rs`.
    is_box_among_boxes: bool,
    /// All colliders of the body have the same layers and mask.
    is_uniform: bool,
    /// The bounds of the body relative to its position, and the largest of their coordinates.
    bounds: Bounds,
    reach: f64,
    /// The diagonal of the bounds.
    size: f64,
    /// The length of [`MoveBuffers::points`] that the body's own parts take.
    own_points: usize,
    /// The bounds of the body's positions within which all obstacles have been gathered.
    gathered: Option<Bounds>,
    /// Instead, the obstacles along a piece of a long motion have been gathered.
    is_path_gathered: bool,
    has_one_way: bool,
    has_flat: bool,
    /// The radius that points and lines get, as of the last gathering.
    skin: f64,
    /// The body overlaps something that it cannot leave.
    pub is_stuck: bool,
    /// The positions that are kept are recorded in [`MoveBuffers::path`].
    records_path: bool,
}

/// Which bodies can be obstacles of a move. The sets contain body slots.
#[derive(Clone, Copy)]
pub(super) enum Bodies<'w> {
    All,
    Only(BodyKey),
    NotIn(&'w BitSet),
    /// A body, and all bodies that do not move.
    FixedAnd(BodyKey),
}

/// The distance below which shapes count as touching, in units in the last place of the coordinates.
const TOLERANCE_ULPS: f64 = 6.0;

/// The radius that points and lines get, in units in the last place of the coordinates: three to six tolerances. The
/// unit is rounded down to a power of two, so that the skin seldom changes on the way.
const SKIN_ULPS: f64 = 6.0 * TOLERANCE_ULPS;

impl<'w> Mover<'w> {
    pub fn new(
        world: (&'w Storage, &'w dyn BroadPhase),
        buffers: &'w mut MoveBuffers,
        body: BodyKey,
        filter: &'w Filter<'w>,
    ) -> Result<Self, WorldError> {
        world.0.check_body(body)?;
        Ok(Self::of_body(world, buffers, body, filter))
    }

    /// Like [`Self::new`], for a body that exists.
    pub fn of_body(
        (storage, broad): (&'w Storage, &'w dyn BroadPhase),
        buffers: &'w mut MoveBuffers,
        body: BodyKey,
        filter: &'w Filter<'w>,
    ) -> Self {
        let (pose, enabled, swept) = match storage.body(body) {
            Some(body) => (body.pose, body.enabled, body.swept),
            None => (Pose::IDENTITY, false, false),
        };
        buffers.colliders.clear();
        buffers.crossed.clear();
        buffers.stuck_in.clear();
        buffers.settled.clear();
        buffers.path.clear();
        buffers.changes += 1;
        let mut slot = if enabled { storage.first_collider(body.slot) } else { NONE };
        while slot != NONE {
            let props = &storage.props[slot as usize];
            if props.role == Role::Solid && props.enabled {
                buffers.colliders.push(slot);
            }
            slot = storage.next_collider(slot);
        }
        let layers = |slot: u32| {
            let props = &storage.props[slot as usize];
            (props.layers, props.mask)
        };
        let is_uniform = match buffers.colliders[..] {
            [] | [_] => true,
            [first, ref rest @ ..] => rest.iter().all(|&slot| layers(slot) == layers(first)),
        };
        let (single_box, bounds) = buffers.collect_body_parts(storage, &pose);
        let own_points = buffers.points.len();
        Self {
            storage,
            broad,
            filter,
            bodies: Bodies::All,
            buffers,
            pose,
            single_box,
            is_box_among_boxes: false,
            is_uniform,
            bounds,
            reach: bounds.reach(),
            size: length(bounds.max - bounds.min),
            own_points,
            gathered: None,
            is_path_gathered: false,
            has_one_way: false,
            has_flat: false,
            skin: 0.0,
            is_stuck: false,
            records_path: swept,
        }
    }

    /// Restricts the bodies that can be obstacles.
    pub fn among(self, bodies: Bodies<'w>) -> Self {
        Self { bodies, ..self }
    }

    pub fn position(&self) -> Vec2 {
        self.pose.position
    }

    pub fn at(&self) -> DVec2 {
        self.pose.position.as_dvec2()
    }

    /// The bounds of the body where it is.
    pub fn bounds_here(&self) -> Bounds {
        self.bounds.translated(self.at())
    }

    /// The lesser of the body's width and height.
    pub fn least_extent(&self) -> f64 {
        (self.bounds.max - self.bounds.min).min_element()
    }

    /// A unit in the last place of the largest coordinate that the body has at a position.
    fn ulp(&self, at: DVec2) -> f64 {
        (at.abs().max_element() + self.reach) * f64::from(f32::EPSILON)
    }

    /// The distance below which shapes count as touching, for the body at a position: a few units in
    /// the last place there. (Not of the whole motion: a long one must not be less exact at its start.)
    pub fn contact_tolerance(&self, at: DVec2) -> f64 {
        TOLERANCE_ULPS * self.ulp(at)
    }

    /// The contact tolerance here.
    pub fn tolerance(&self) -> f64 {
        self.contact_tolerance(self.at())
    }

    /// Passes through a collider for the rest of the move.
    pub fn cross(&mut self, slot: u32) {
        if let Err(index) = self.buffers.crossed.binary_search(&slot) {
            self.buffers.crossed.insert(index, slot);
        }
        self.buffers.changes += 1;
    }

    fn slot_of(&self, c: &CObstacle) -> u32 {
        self.buffers.obstacles[c.obstacle as usize].slot
    }

    #[inline]
    fn is_crossed(&self, slot: u32) -> bool {
        !self.buffers.crossed.is_empty() && self.buffers.crossed.binary_search(&slot).is_ok()
    }

    /// Returns whether an obstacle blocks nothing for now: it is crossed, or one-way and not behind.
    #[inline]
    fn is_ignored(&self, c: &CObstacle) -> bool {
        !c.is_in_front || self.is_crossed(self.slot_of(c))
    }

    /// Step 2: returns the contacts at the position. Give the list back with [`Self::recycle`].
    ///
    /// The list that was given back last is returned again if nothing has changed since.
    pub fn contacts(&mut self) -> ContactList {
        let mut list = self.buffers.contacts.pop().unwrap_or_default();
        self.update_contacts(&mut list);
        list
    }

    /// Updates a list of contacts if the position or the obstacles have changed.
    pub fn update_contacts(&mut self, list: &mut ContactList) {
        self.ensure_gathered(DVec2::ZERO);
        let (position, changes) = (self.position(), self.buffers.changes);
        if list.changes == changes && list.position == position {
            return;
        }
        list.contacts.clear();
        (list.position, list.changes) = (position, changes);
        if self.is_box_among_boxes {
            return self.find_box_contacts(&mut list.contacts);
        }
        let (p, tolerance) = (self.at(), self.tolerance());
        self.build_near(&Bounds { min: p, max: p }.grown(tolerance));
        let cspace = &self.buffers.cspace;
        #[cfg(test)]
        crate::operation_count::add(cspace.obstacles.len() as u64);
        for (index, c) in cspace.obstacles.iter().enumerate() {
            if c.bounds.is_within(p, tolerance) && !self.is_ignored(c) {
                list.contacts.extend(cspace.contact(index, self.slot_of(c), p, tolerance));
            }
        }
    }

    /// Takes a list of contacts back, to return it again or to reuse its memory.
    pub fn recycle(&mut self, contacts: ContactList) {
        self.buffers.contacts.push(contacts);
    }

    /// Steps 3 and 4: moves straight on until something is in the way that is not touched now. The
    /// direction must not be blocked. Returns the fraction of the motion that was done.
    #[inline]
    pub fn advance(&mut self, motion: DVec2) -> f64 {
        if self.has_flat && self.leave_skins(motion) {
            return 0.0; // it may touch something else there
        }
        let skin = self.skin;
        let time = self.cast(motion);
        if self.has_flat && self.skin != skin {
            return 0.0; // it touches more now, which may block the motion
        }
        let stop = self.stop(self.point_along(motion, time));
        self.keep(stop);
        time
    }

    /// Returns the point of a motion at the time of a hit, or the end of the motion at time 1.
    ///
    /// The time of a hit depends in its last bits on which of several obstacles is hit there, and so on the
    /// shapes that a level is built of. The point is rounded to the bits of an `f64` that mean something: to a
    /// power of two, about 2⁻¹⁶ units in the last place of a position.
    pub fn point_along(&self, motion: DVec2, time: f64) -> DVec2 {
        let point = self.at() + motion * time;
        if time == 1.0 {
            return point;
        }
        let power = power_of_two(self.ulp(point));
        // Adding and subtracting this number rounds to a multiple of `power` / 2¹⁶: its own last place.
        let rounding = 1.5 * (1u64 << 36) as f64 * power;
        point + rounding - rounding
    }

    /// Step 3: returns the time, at most 1, at which a motion meets the first obstacle that is not
    /// touched now. (The straight path of a direction that is not blocked never enters a convex obstacle
    /// that is touched.)
    #[inline]
    pub fn cast(&mut self, motion: DVec2) -> f64 {
        if !self.is_gathered(motion) {
            if self.is_long(motion) {
                return self.cast_long(motion);
            }
            self.ensure_gathered(motion);
        }
        self.cast_gathered(motion)
    }

    #[cold]
    fn cast_long(&mut self, motion: DVec2) -> f64 {
        // Most obstacles around a long path come after the first hit: gather piece by piece, each twice
        // as long as the one before.
        let (mut start, mut piece) = (0.0, f64::max(self.long_motion() / length(motion), 1e-3));
        loop {
            let end = f64::min(start + piece, 1.0);
            self.gather_path(motion * start, motion * (end - start));
            let time = self.cast_gathered(motion);
            if time <= end || end == 1.0 {
                return time;
            }
            (start, piece) = (end, 2.0 * piece);
        }
    }

    fn cast_gathered(&mut self, motion: DVec2) -> f64 {
        match self.is_box_among_boxes {
            true => self.cast_among_boxes(motion),
            false => self.cast_among_any(motion),
        }
    }

    fn cast_among_any(&mut self, motion: DVec2) -> f64 {
        let (p, tolerance) = (self.at(), self.tolerance());
        let path = Bounds { min: p, max: p }.swept(motion);
        self.build_near(&path);
        let cspace = &self.buffers.cspace;
        #[cfg(test)]
        crate::operation_count::add(cspace.obstacles.len() as u64);
        let mut first = 1.0;
        for (index, c) in cspace.obstacles.iter().enumerate() {
            if !c.bounds.intersects(&path) || self.is_ignored(c) {
                continue;
            }
            let is_touched = || {
                c.bounds.is_within(p, tolerance) && cspace.contact(index, 0, p, tolerance).is_some()
            };
            let tolerance_there = self.contact_tolerance(c.bounds.closest(p));
            if let Some(time) = cspace.entry(c, p, motion, tolerance_there)
                && time < first
                && !is_touched()
            {
                first = time;
            }
        }
        first
    }

    /// Visits the slots of all colliders that a motion enters, those that are touched and block it
    /// included. A slot may be visited several times.
    pub fn for_each_entered(&mut self, motion: DVec2, mut visit: impl FnMut(u32)) {
        if self.is_long(motion) {
            self.gather_path(DVec2::ZERO, motion);
        } else {
            self.ensure_gathered(motion);
        }
        let (p, tolerance) = (self.at(), self.tolerance());
        let path = Bounds { min: p, max: p }.swept(motion).grown(tolerance);
        self.build_near(&path);
        let cspace = &self.buffers.cspace;
        for (index, c) in cspace.obstacles.iter().enumerate() {
            if !c.bounds.intersects(&path) || self.is_ignored(c) {
                continue;
            }
            let is_entered = match cspace.contact(index, 0, p, tolerance) {
                Some(contact) => contact.arc.contains(motion),
                None => {
                    let tolerance = self.contact_tolerance(c.bounds.closest(p));
                    cspace.entry(c, p, motion, tolerance).is_some()
                }
            };
            if is_entered {
                visit(self.slot_of(c));
            }
        }
    }

    /// Returns whether a motion is so long that most of the obstacles around it come after the first hit.
    pub fn is_long(&self, motion: DVec2) -> bool {
        let long = self.long_motion();
        motion.length_squared() > long * long
    }

    /// The length from which on a motion is long. (Points have no size.)
    fn long_motion(&self) -> f64 {
        f64::max(16.0 * self.size, 4096.0 * self.tolerance())
    }

    /// Moves to a position that is free.
    pub fn keep(&mut self, position: Vec2) {
        if position != self.pose.position {
            self.pose.position = position;
            if self.records_path {
                self.buffers.path.push(position);
            }
            if self.has_one_way {
                self.update_fronts();
            }
        }
    }

    /// Returns the number of bends that the path has so far, for [`undo`](Self::undo).
    pub fn bends(&self) -> usize {
        self.buffers.path.len()
    }

    /// Goes back to a position at which the path had a number of bends.
    pub fn undo(&mut self, position: Vec2, bends: usize) {
        self.keep(position);
        self.buffers.path.truncate(bends);
    }

    /// Notes which one-way surfaces the body is in front of. For a body of several parts, all of it
    /// must be in front.
    fn update_fronts(&mut self) {
        self.buffers.changes += 1;
        let (p, tolerance) = (self.at(), self.tolerance());
        let cspace = &mut self.buffers.cspace;
        let mut first = 0;
        while first < cspace.obstacles.len() {
            let part = cspace.obstacles[first].part;
            let same = cspace.obstacles[first..].iter().take_while(|c| c.part == part);
            let end = first + same.count();
            if cspace.obstacles[first].is_one_way() {
                let is_in_front = cspace.obstacles[first..end]
                    .iter()
                    .all(|c| cspace.distance(c, p).distance >= -tolerance);
                for c in &mut cspace.obstacles[first..end] {
                    c.is_in_front = is_in_front;
                }
            }
            first = end;
        }
    }
}

/// Returns the largest power of two that is not above a number.
fn power_of_two(number: f64) -> f64 {
    f64::from_bits(number.to_bits() & f64::INFINITY.to_bits())
}

impl World {
    /// The parts of the world that a mover reads.
    pub(super) fn mover_view(&self) -> (&Storage, &dyn BroadPhase) {
        (&self.storage, self.broad.as_dyn())
    }
}
