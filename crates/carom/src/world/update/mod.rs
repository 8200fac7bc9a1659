//! [`World::update`]: from moved bodies to events.
//!
//! The steps of an update, in order:
//!
//! 1. the [broad phase](crate::broad) finds the pairs of colliders whose bounding boxes intersect, and
//!    keeps those that can interact and that have changed;
//! 2. [`candidates`] sorts them;
//! 3. [`narrow_phase`] tests the shapes of these pairs and computes contacts, and [`supports`] adds bodies
//!    that stand on another one, which they touch up to rounding;
//! 4. [`strikes`] finds the hitboxes that have struck hurtboxes;
//! 5. [`contact_pairs`] merges the result into the pairs that touched before: each one has begun,
//!    stayed or ended;
//! 6. [`events`] presents the result.

mod candidates;
pub(super) mod contact_pairs;
pub(super) mod events;
mod narrow_phase;
pub(super) mod strikes;
mod supports;

use alloc::vec::Vec;

use self::contact_pairs::ContactPair;
use crate::broad::{Pair, PairLimit};
use crate::world::move_buffers::MoveBuffers;
use crate::world::passages::PassageBuffers;
use crate::world::{Events, World, WorldError};

/// Buffers reused from update to update. Not part of the simulation state.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// The pairs for the narrow phase, as the broad phase found them.
    pairs: Vec<Pair>,
    /// The pairs for the narrow phase, sorted.
    candidates: Vec<Pair>,
    /// The starts of the buckets that candidates are sorted into.
    bucket_starts: Vec<u32>,
    /// The candidates that touch, sorted.
    found: Vec<ContactPair>,
    /// The indices in `found` of the pairs that began to touch.
    began: Vec<u32>,
    /// The buffers of moves.
    pub moves: MoveBuffers,
    pub passages: PassageBuffers,
    /// The pairs that each chunk of the candidates yields.
    #[cfg(feature = "parallel")]
    chunks: Vec<Vec<ContactPair>>,
}

/// Buffers are not state: a clone starts with empty ones.
impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self::default()
    }

    fn clone_from(&mut self, _: &Self) {}
}

/// # Updates and events
impl World {
    /// Finds the pairs of colliders that touch, and returns those that have begun, stayed or ended since the
    /// last update. Call it once per game frame, after moving the bodies.
    ///
    /// Pairs of colliders that have not changed since then are not tested again, and an update of a
    /// world in which nothing has changed returns at once. As long as the number of pairs and colliders
    /// does not grow, neither moving nor updating allocates memory.
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom::world::EventKind;
    /// let mut world = World::new();
    /// let floor = world.add_body(Body::fixed([0.0, 0.0]))?;
    /// world.add_collider(floor, Collider::new(Aabb::new([0.0, -1.0], [10.0, 0.0])))?;
    /// let ball = world.add_body(Body::moving([5.0, 2.0]))?;
    /// world.add_collider(ball, Collider::new(Circle::new([0.0, 0.0], 1.0)))?;
    /// assert_eq!(world.update().iter().count(), 0);
    ///
    /// world.translate(ball, [0.0, -1.25])?;
    /// let event = world.update().began().next().unwrap();
    /// assert!(event.involves(ball) && event.involves(floor));
    /// let push = event.seen_from(ball).unwrap().contact.unwrap().push;
    ///
    /// world.translate(ball, push)?; // it rests on the floor now
    /// assert_eq!(world.update().iter().next().unwrap().kind, EventKind::Stayed);
    /// world.remove_body(ball)?;
    /// assert_eq!(world.update().ended().next().unwrap().colliders, event.colliders);
    /// # Ok::<(), WorldError>(())
    /// ```
    ///
    /// # Panics
    /// Panics if [`try_update`](Self::try_update) returns an error.
    #[doc(alias = "step")]
    #[doc(alias = "detect_collisions")]
    pub fn update(&mut self) -> Events<'_> {
        if let Err(error) = self.find_contacts() {
            panic!("{error}");
        }
        self.events()
    }

    /// Does the same as [`update`](Self::update), or returns an error if too many colliders are at one
    /// position.
    ///
    /// # Errors
    /// Returns [`WorldError::TooManyPairs`] if there are more pairs of colliders than
    /// [`max_pairs`](Self::max_pairs). Then there are no events, and the pairs that touched before count
    /// as touching until an update succeeds again; the next one that does reports all changes since the
    /// last one that did. Queries, moves and removals work. The update counts for
    /// [`Rehit::AfterTicks`](crate::world::Rehit::AfterTicks).
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// world.set_max_pairs(100);
    /// let stars = [(); 20].map(|_| world.add_body(Body::moving([0.0, 0.0])).unwrap());
    /// for star in stars {
    ///     world.add_collider(star, Collider::new(Circle::new([0.0, 0.0], 1.0)))?;
    /// }
    /// assert_eq!(world.try_update().unwrap_err(), WorldError::TooManyPairs { limit: 100 });
    /// for (star, x) in stars.into_iter().zip(0u8..) {
    ///     world.set_position(star, [f32::from(x), 0.0])?;
    /// }
    /// assert_eq!(world.try_update()?.began().count(), 19 + 18); // neighbors, and the next but one
    /// # Ok::<(), WorldError>(())
    /// ```
    pub fn try_update(&mut self) -> Result<Events<'_>, WorldError> {
        self.find_contacts()?;
        Ok(self.events())
    }

    fn find_contacts(&mut self) -> Result<(), WorldError> {
        self.strikes.begin_update();
        self.passages.begin_update();
        self.retest_due_strikes();
        if self.is_up_to_date {
            self.contact_pairs.mark_all_stayed();
            return Ok(());
        }
        let Self { storage, scratch, .. } = self;
        let rules = self.strikes.rules();
        let filter = |pairs: &mut Vec<Pair>, start: usize| {
            candidates::retain_candidates(pairs, start, storage, rules);
        };
        let limit = PairLimit::new(self.max_pairs).with_filter(&filter);
        let found = self.broad.as_dyn_mut().find_pairs_filtered(limit, &mut scratch.pairs);
        self.is_complete = found.is_some();
        if !self.is_complete {
            return Err(WorldError::TooManyPairs { limit: self.max_pairs });
        }
        scratch.sort_candidates(storage.colliders.slot_count());
        scratch.test_candidates(storage);
        scratch.add_supported(storage, self.broad.as_dyn(), rules);
        self.passages.add_to(storage, &mut scratch.found);
        self.strikes.update(storage, &scratch.found);
        self.contact_pairs.update(storage, &scratch.found, &mut scratch.began);
        self.strikes.forget_parted(storage, &self.contact_pairs);
        // Removed colliders that touched something were kept until their pairs had ended.
        storage.release_retired();
        storage.dirty.clear();
        self.is_up_to_date = !self.passages.mark_dirty(storage);
        Ok(())
    }

    /// Returns the events of the last update. There are none if [`try_update`](Self::try_update) returned
    /// an error.
    pub fn events(&self) -> Events<'_> {
        Events::new(&self.storage, &self.contact_pairs, &self.strikes, self.is_complete)
    }

    /// Returns the largest number of pairs of colliders that an update processes.
    pub fn max_pairs(&self) -> usize {
        self.max_pairs
    }

    /// Sets the largest number of pairs of colliders that an update processes. If there are more,
    /// [`try_update`](Self::try_update) returns an error. The default is 2²⁴.
    ///
    /// A pair counts if its bounding boxes intersect, its layers, masks and roles let the two collide, and
    /// one of the two has changed since the last update. Pairs that ignore each other do not count, but take
    /// time: an update also fails if there are more than 16 of them for each pair that is allowed.
    pub fn set_max_pairs(&mut self, pairs: usize) {
        self.max_pairs = pairs;
    }
}
