//! From moved bodies to events: broad phase, narrow phase, and what is new.

use alloc::vec::Vec;

use crate::broad::Pair;
use crate::motion::Pad;
use crate::shape::{AsShape, ShapeRef};
use crate::world::contact_pairs::ContactPair;
use crate::world::kept::Kept;
use crate::world::order::sort;
use crate::world::storage::Storage;
use crate::world::{Events, StrikeRules, World};

/// Memory that an update works in and leaves for the next. It is no part of the world's state.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pairs: Vec<Pair>,
    /// The pairs that are asked about, in the order of their slots.
    asked: Vec<Pair>,
    starts: Vec<u32>,
    fresh: Vec<ContactPair>,
    began: Vec<u32>,
    /// What bodies on their way work in. The world only keeps it; its type is named here because
    /// telling it at run time takes a noticeable part of a short way.
    pub motion: Kept<Pad>,
    /// What each chunk of the pairs gives.
    #[cfg(feature = "parallel")]
    chunks: Vec<Vec<ContactPair>>,
}

impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self::default()
    }

    fn clone_from(&mut self, _: &Self) {}
}

/// # What touches
impl World {
    /// Finds out what touches now, and tells what has begun, stayed and ended since the last update.
    ///
    /// Two colliders that have not changed since then are not asked about again, and a world in
    /// which nothing has changed is done at once. Where the number of pairs and colliders stays the
    /// same, neither moving nor updating allocates anything.
    ///
    /// ```
    /// use carom::prelude::*;
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
    pub fn update(&mut self) -> Events<'_> {
        if self.is_up_to_date {
            self.contact_pairs.settle();
            self.strikes.settle();
            return self.events();
        }
        let scratch = &mut self.scratch;
        let found = self.broad.as_dyn_mut().find_pairs_within(self.max_pairs, &mut scratch.pairs);
        self.is_complete = found.is_some();
        self.strikes.settle();
        if self.is_complete {
            scratch.select(&self.storage, self.strikes.rules());
            scratch.narrow(&self.storage);
            self.strikes.advance(&self.storage, &scratch.fresh);
            self.contact_pairs.advance(&self.storage, &scratch.fresh, &mut scratch.began);
            self.storage.release();
            self.storage.dirty.clear();
            self.is_up_to_date = true;
        }
        self.events()
    }

    /// What the last update told.
    pub fn events(&self) -> Events<'_> {
        Events::new(&self.storage, &self.contact_pairs, &self.strikes, self.is_complete)
    }

    /// How many pairs of colliders with intersecting bounds an update goes through at most.
    pub fn max_pairs(&self) -> usize {
        self.max_pairs
    }

    /// Sets how many pairs of colliders with intersecting bounds an update goes through at most. Beyond
    /// that it gives up: see [`Events::is_complete`]. The default is 2²⁴.
    pub fn set_max_pairs(&mut self, pairs: usize) {
        self.max_pairs = pairs;
    }
}

impl Scratch {
    /// Finds out which pairs have to be asked about: something has changed, and they pay attention to
    /// each other. They are put in order before anything is known about them, while they are small.
    fn select(&mut self, storage: &Storage, rules: StrikeRules) {
        self.pairs.retain(|pair| {
            let [a, b] = pair.map(|slot| &storage.props[slot as usize]);
            pair.iter().any(|&slot| storage.dirty.has(slot)) && a.should_collide_with(b, rules)
        });
        sort(&self.pairs, storage.colliders.slot_count(), &mut self.asked, &mut self.starts);
    }

    /// Finds out which of them touch.
    fn narrow(&mut self, storage: &Storage) {
        self.fresh.clear();
        #[cfg(feature = "parallel")]
        if self.asked.len() > CHUNK && rayon::current_num_threads() > 1 {
            return self.narrow_in_chunks(storage);
        }
        find_touches(storage, &self.asked, &mut self.fresh);
    }

    /// The same by several threads. Chunks do not depend on how many there are, and are put together
    /// in their order.
    #[cfg(feature = "parallel")]
    fn narrow_in_chunks(&mut self, storage: &Storage) {
        use rayon::prelude::*;
        let Self { asked, chunks, fresh, .. } = self;
        let count = asked.len().div_ceil(CHUNK);
        chunks.resize_with(count.max(chunks.len()), Vec::new);
        asked.par_chunks(CHUNK).zip(&mut chunks[..count]).for_each(|(asked, found)| {
            found.clear();
            find_touches(storage, asked, found);
        });
        chunks[..count].iter().for_each(|found| fresh.extend_from_slice(found));
    }
}

/// So many pairs are worth a thread's while.
#[cfg(feature = "parallel")]
const CHUNK: usize = 2048;

/// Appends the touches among some pairs.
fn find_touches(storage: &Storage, asked: &[Pair], found: &mut Vec<ContactPair>) {
    const BATCH: usize = 16;
    for pairs in asked.chunks(BATCH) {
        // The second colliders are anywhere in memory: it is asked for all of them at once, so that the
        // CPU does not wait for one after the other.
        pairs.iter().for_each(|&[_, slot]| storage.prefetch_collider(slot));
        found.extend(pairs.iter().filter_map(|&pair| Question::new(storage, pair).answer()));
    }
}

/// Do they touch?
struct Question<'w> {
    pair: Pair,
    shapes: [ShapeRef<'w>; 2],
    makes_contact: bool,
    is_combat: bool,
}

impl<'w> Question<'w> {
    #[inline(always)]
    fn new(storage: &'w Storage, pair: Pair) -> Self {
        let [a, b] = pair.map(|slot| &storage.props[slot as usize]);
        let shapes = pair.map(|slot| storage.placed[slot as usize].as_shape());
        Self { pair, shapes, makes_contact: a.makes_contact_with(b), is_combat: a.is_combat_box() }
    }

    #[inline]
    fn answer(&self) -> Option<ContactPair> {
        let [a, b] = self.shapes;
        let contact = if self.makes_contact {
            Some(a.contact(&b)?)
        } else if a.intersects(&b) {
            None
        } else {
            return None;
        };
        Some(ContactPair::new(self.pair, contact, self.is_combat))
    }
}
