//! From moved bodies to events: broad phase, narrow phase, and what is new.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::broad::{BroadPhase, Pair};
use crate::query::Query;
use crate::world::roster::Roster;
use crate::world::touching::{Touch, sort};
use crate::world::{Events, StrikeRules, World};

/// Memory that an update works in and leaves for the next. It is no part of the world's state.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pairs: Vec<Pair>,
    fresh: Vec<Touch>,
    order: Vec<u32>,
    ends: Vec<u32>,
    began: Vec<u32>,
    /// What bodies on their way work in.
    pub motion: Option<Box<crate::motion::Pad>>,
    /// What each chunk of the pairs gives.
    #[cfg(feature = "parallel")]
    chunks: Vec<Vec<Touch>>,
}

impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self::default()
    }

    fn clone_from(&mut self, _: &Self) {}
}

/// # What touches
impl<B: BroadPhase> World<B> {
    /// Finds out what touches now, and tells what has begun, stayed and ended since the last update.
    ///
    /// Two colliders that have not changed since then are not asked about again, and a world in
    /// which nothing has changed is done at once. Where the number of pairs and colliders stays the
    /// same, neither moving nor updating allocates anything, but for shapes made of parts
    /// (polygons, chains, compounds) and ellipses, which are made anew when they move.
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
        if self.is_settled {
            self.touching.settle();
            self.strikes.settle();
            return self.events();
        }
        let scratch = &mut self.scratch;
        let found = self.broad.find_pairs_within(self.max_pairs, &mut scratch.pairs);
        self.is_complete = found.is_some();
        self.strikes.settle();
        if self.is_complete {
            scratch.narrow(&self.roster, self.strikes.rules());
            self.strikes.advance(&self.roster, &scratch.fresh);
            let slots = self.roster.colliders.places();
            sort(&scratch.fresh, slots, &mut scratch.order, &mut scratch.ends);
            self.touching.advance(&self.roster, &scratch.fresh, &scratch.order, &mut scratch.began);
            self.roster.release();
            for traits in &mut self.roster.traits {
                traits.changed = false;
            }
            self.is_settled = true;
        }
        self.events()
    }

    /// What the last update told.
    pub fn events(&self) -> Events<'_> {
        Events::new(&self.roster, &self.touching, &self.strikes, self.is_complete)
    }

    /// How many pairs of colliders with meeting bounds an update goes through at most.
    pub fn max_pairs(&self) -> usize {
        self.max_pairs
    }

    /// Sets how many pairs of colliders with meeting bounds an update goes through at most. Beyond
    /// that it gives up: see [`Events::is_complete`]. The default is 2²⁴.
    pub fn set_max_pairs(&mut self, pairs: usize) {
        self.max_pairs = pairs;
    }
}

impl Scratch {
    /// Finds out which pairs touch, of those in which something has changed.
    fn narrow(&mut self, roster: &Roster, rules: StrikeRules) {
        self.fresh.clear();
        #[cfg(feature = "parallel")]
        if self.pairs.len() > CHUNK {
            return self.narrow_in_chunks(roster, rules);
        }
        self.fresh.extend(self.pairs.iter().filter_map(|&pair| touch(roster, rules, pair)));
    }

    /// The same by several threads. Chunks do not depend on how many there are, and are put together
    /// in their order.
    #[cfg(feature = "parallel")]
    fn narrow_in_chunks(&mut self, roster: &Roster, rules: StrikeRules) {
        use rayon::prelude::*;
        let Self { pairs, chunks, fresh, .. } = self;
        let count = pairs.len().div_ceil(CHUNK);
        chunks.resize_with(count.max(chunks.len()), Vec::new);
        pairs.par_chunks(CHUNK).zip(&mut chunks[..count]).for_each(|(pairs, found)| {
            found.clear();
            found.extend(pairs.iter().filter_map(|&pair| touch(roster, rules, pair)));
        });
        chunks[..count].iter().for_each(|found| fresh.extend_from_slice(found));
    }
}

/// So many pairs are worth a thread's while.
#[cfg(feature = "parallel")]
const CHUNK: usize = 2048;

#[inline]
fn touch(roster: &Roster, rules: StrikeRules, pair: Pair) -> Option<Touch> {
    let [a, b] = pair.map(|slot| &roster.traits[slot as usize]);
    if !(a.changed || b.changed) || !a.pays_attention_to(b, rules) {
        return None;
    }
    let (makes_contact, is_blow) = (a.makes_contact_with(b), a.fights());
    let [a, b] = pair.map(|slot| &roster.placed[slot as usize]);
    if makes_contact {
        Some(Touch::new(pair, Some(a.contact(b)?), is_blow))
    } else {
        a.intersects(b).then(|| Touch::new(pair, None, is_blow))
    }
}
