//! [`World::update`]: from moved bodies to events.
//!
//! The steps of an update, in order:
//!
//! 1. the [broad phase](crate::broad) finds the pairs of colliders whose bounding boxes intersect;
//! 2. [`candidates`] keeps the pairs that can interact and that have changed, and sorts them;
//! 3. [`narrow_phase`] tests the shapes of these pairs and computes contacts;
//! 4. [`strikes`] finds out which hitboxes have struck which hurtboxes;
//! 5. [`contact_pairs`] merges the result into the pairs that touched before: each one has begun,
//!    stayed or ended;
//! 6. [`events`] presents the result.

mod candidates;
pub(super) mod contact_pairs;
pub(super) mod events;
mod narrow_phase;
pub(super) mod strikes;

use alloc::vec::Vec;

use self::contact_pairs::ContactPair;
use crate::broad::Pair;
use crate::world::move_buffers::MoveBuffers;
use crate::world::{Events, World};

/// Buffers reused from update to update. Not part of the simulation state.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// The pairs that the broad phase found.
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
    /// Finds the pairs of colliders that touch, and returns what has begun, stayed or ended since the
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
    #[doc(alias = "step")]
    #[doc(alias = "detect_collisions")]
    pub fn update(&mut self) -> Events<'_> {
        self.strikes.clear_reported();
        if self.is_up_to_date {
            self.contact_pairs.mark_all_stayed();
            return self.events();
        }
        let Self { storage, scratch, .. } = self;
        let found = self.broad.as_dyn_mut().find_pairs_within(self.max_pairs, &mut scratch.pairs);
        self.is_complete = found.is_some();
        if self.is_complete {
            scratch.filter_candidates(storage, self.strikes.rules());
            scratch.test_candidates(storage);
            self.strikes.update(storage, &scratch.found);
            self.contact_pairs.update(storage, &scratch.found, &mut scratch.began);
            // Removed colliders that touched something were kept until their pairs had ended.
            storage.release_retired();
            storage.dirty.clear();
            self.is_up_to_date = true;
        }
        self.events()
    }

    /// Returns the events of the last update.
    pub fn events(&self) -> Events<'_> {
        Events::new(&self.storage, &self.contact_pairs, &self.strikes, self.is_complete)
    }

    /// Returns the largest number of pairs of intersecting bounding boxes that an update processes.
    pub fn max_pairs(&self) -> usize {
        self.max_pairs
    }

    /// Sets the largest number of pairs of intersecting bounding boxes that an update processes. If
    /// there are more, the update gives up: see [`Events::is_complete`]. The default is 2²⁴.
    pub fn set_max_pairs(&mut self, pairs: usize) {
        self.max_pairs = pairs;
    }
}
