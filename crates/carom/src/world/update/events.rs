//! Step 6 of an update: the events, which report the pairs that began, stayed or ended.

use alloc::vec::Vec;
use core::iter::Peekable;
use core::slice;

use super::contact_pairs::{ContactPair, ContactPairs, EndedPair};
use super::strikes::Strikes;
use crate::query::Contact;
use crate::world::storage::Storage;
use crate::world::{BodyKey, Clash, ColliderKey, Strike, World};

/// The change of a pair of colliders since the update before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[doc(alias = "CollisionStarted")]
#[doc(alias = "on_collision_enter")]
#[doc(alias = "on_trigger_enter")]
pub enum EventKind {
    /// The colliders touch, and did not touch before.
    Began,
    /// The colliders touch, as they did before.
    Stayed,
    /// The colliders no longer touch: they moved apart, one of them was disabled or removed, or their
    /// layers, masks or roles changed.
    Ended,
}

/// A pair of colliders that began to touch, still touches, or ceased to touch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[doc(alias = "CollisionEvent")]
#[doc(alias = "ContactPair")]
pub struct Event {
    /// The change of the pair: it began, stayed or ended.
    pub kind: EventKind,
    /// The two colliders, the lesser key first.
    pub colliders: [ColliderKey; 2],
    /// Their bodies, in the same order.
    pub bodies: [BodyKey; 2],
    /// The contact of the first collider with the second: its push moves the first one out of the
    /// second. `None` if one of them is a sensor, or if the pair has ended.
    pub contact: Option<Contact>,
}

impl Event {
    /// Returns `true` if `body` is one of the two bodies.
    pub fn involves(&self, body: BodyKey) -> bool {
        self.bodies.contains(&body)
    }

    /// Returns the event with `body` first and the contact mirrored accordingly; `None` if `body` is
    /// neither of the two.
    pub fn seen_from(&self, body: BodyKey) -> Option<Self> {
        if self.bodies[0] == body {
            return Some(*self);
        }
        let ([a, b], [c, d]) = (self.colliders, self.bodies);
        let contact = self.contact.map(Contact::swapped);
        (d == body).then_some(Self { kind: self.kind, colliders: [b, a], bodies: [d, c], contact })
    }
}

/// A pair of bodies that began to touch, still touches, or ceased to touch, regardless of the number of their
/// colliders that do: see [`Events::body_events`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct BodyEvent {
    /// The change of the pair: it began, stayed or ended.
    pub kind: EventKind,
    /// The two bodies, the lesser key first.
    pub bodies: [BodyKey; 2],
}

impl BodyEvent {
    /// Returns the other body if `body` is one of the two.
    pub fn other(&self, body: BodyKey) -> Option<BodyKey> {
        let [a, b] = self.bodies;
        if a == body { Some(b) } else { (b == body).then_some(a) }
    }
}

/// The events of an update, ordered by the keys of the colliders.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "collision events")]
pub struct Events<'w> {
    storage: &'w Storage,
    pairs: &'w [ContactPair],
    ended: &'w [EndedPair],
    strikes: &'w Strikes,
}

impl<'w> Events<'w> {
    pub(crate) fn new(
        storage: &'w Storage,
        contact_pairs: &'w ContactPairs,
        strikes: &'w Strikes,
        is_complete: bool,
    ) -> Self {
        let (pairs, ended) = if is_complete {
            (contact_pairs.pairs(), contact_pairs.ended())
        } else {
            (&[][..], &[][..])
        };
        Self { storage, pairs, ended, strikes }
    }

    /// Returns an iterator over all events.
    #[inline]
    pub fn iter(&self) -> EventIter<'w> {
        EventIter {
            storage: self.storage,
            pairs: self.pairs.iter().peekable(),
            ended: self.ended.iter().peekable(),
        }
    }

    /// Returns the events of kind [`Began`](EventKind::Began).
    pub fn began(&self) -> impl Iterator<Item = Event> + use<'w> {
        let Self { storage, pairs, .. } = *self;
        pairs.iter().filter(|pair| pair.began).map(|pair| pair_event(storage, pair))
    }

    /// Returns the events of kind [`Stayed`](EventKind::Stayed).
    pub fn stayed(&self) -> impl Iterator<Item = Event> + use<'w> {
        let Self { storage, pairs, .. } = *self;
        pairs.iter().filter(|pair| !pair.began).map(|pair| pair_event(storage, pair))
    }

    /// Returns the events of kind [`Ended`](EventKind::Ended).
    pub fn ended(&self) -> impl Iterator<Item = Event> + use<'w> {
        self.ended.iter().map(ended_event)
    }

    /// Returns the events of pairs of bodies, ordered by the keys of the bodies: a pair has begun if the
    /// first two of its colliders touch, and has ended if the last two have parted. So a hero with two
    /// colliders begins to touch a coin once, and can collect it at once:
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom::world::{BodyEvent, EventKind};
    /// let mut world = World::new();
    /// let hero = world.add_body(Body::moving([0.0, 0.0]))?;
    /// for y in [0.0, 1.0] {
    ///     world.add_collider(hero, Collider::new(Circle::new([0.0, y], 0.75)))?;
    /// }
    /// let coin = world.add_body(Body::fixed([0.5, 0.5]))?;
    /// world.add_collider(coin, Collider::sensor(Circle::new([0.0, 0.0], 0.25)))?;
    ///
    /// assert_eq!(world.update().began().count(), 2); // head and feet
    /// let events: Vec<BodyEvent> = world.events().body_events();
    /// assert_eq!(events.len(), 1);
    /// for event in events.iter().filter(|event| event.kind == EventKind::Began) {
    ///     if let Some(coin) = event.other(hero) {
    ///         world.remove_body(coin)?;
    ///     }
    /// }
    /// assert_eq!(world.update().body_events()[0].kind, EventKind::Ended);
    /// # Ok::<(), WorldError>(())
    /// ```
    ///
    /// Each call computes the list from the events of the colliders, so that updates need no time for it.
    pub fn body_events(&self) -> Vec<BodyEvent> {
        // A pair of bodies touched before if a pair of colliders has stayed or ended, and touches now if
        // one has stayed or begun.
        let mut all: Vec<_> = self
            .iter()
            .map(|Event { kind, bodies: [a, b], .. }| {
                let (before, now) = (kind != EventKind::Began, kind != EventKind::Ended);
                ([a.min(b), a.max(b)], before, now)
            })
            .collect();
        all.sort_unstable();
        let mut events = Vec::new();
        for pair in all.chunk_by(|(a, ..), (b, ..)| a == b) {
            let before = pair.iter().any(|&(_, before, _)| before);
            let now = pair.iter().any(|&(.., now)| now);
            let kind = match (before, now) {
                (false, _) => EventKind::Began,
                (true, true) => EventKind::Stayed,
                (true, false) => EventKind::Ended,
            };
            events.push(BodyEvent { kind, bodies: pair[0].0 });
        }
        events
    }

    /// Returns the strikes, ordered by the keys of the attackers and then of the victims.
    pub fn strikes(&self) -> &'w [Strike] {
        self.strikes.strikes()
    }

    /// Returns the clashes of hitboxes, ordered by the keys of the bodies. There are none unless
    /// [`StrikeRules::clashes`](crate::world::StrikeRules::clashes) is set.
    pub fn clashes(&self) -> &'w [Clash] {
        self.strikes.clashes()
    }

    /// Returns the number of events.
    pub fn len(&self) -> usize {
        self.pairs.len() + self.ended.len()
    }

    /// Returns `true` if there are no events.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'w> IntoIterator for Events<'w> {
    type Item = Event;
    type IntoIter = EventIter<'w>;

    fn into_iter(self) -> EventIter<'w> {
        self.iter()
    }
}

/// An iterator over [`Events`].
#[derive(Clone, Debug)]
pub struct EventIter<'w> {
    storage: &'w Storage,
    pairs: Peekable<slice::Iter<'w, ContactPair>>,
    ended: Peekable<slice::Iter<'w, EndedPair>>,
}

impl Iterator for EventIter<'_> {
    type Item = Event;

    // Inlined so that the fields that a caller does not read need not be computed.
    #[inline]
    fn next(&mut self) -> Option<Event> {
        let is_ended_next = match (self.pairs.peek(), self.ended.peek()) {
            (Some(pair), Some(ended)) => ended.pair() < pair.pair,
            (None, _) => true,
            (_, None) => false,
        };
        if is_ended_next {
            self.ended.next().map(ended_event)
        } else {
            self.pairs.next().map(|pair| pair_event(self.storage, pair))
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.pairs.len() + self.ended.len();
        (len, Some(len))
    }
}

impl ExactSizeIterator for EventIter<'_> {}

#[inline]
fn pair_event(storage: &Storage, pair: &ContactPair) -> Event {
    Event {
        kind: if pair.began { EventKind::Began } else { EventKind::Stayed },
        colliders: pair.pair.map(|slot| storage.collider_key(slot)),
        bodies: pair.pair.map(|slot| storage.body_key_of(slot)),
        contact: pair.contact,
    }
}

#[inline]
fn ended_event(ended: &EndedPair) -> Event {
    let EndedPair { colliders, bodies } = *ended;
    Event { kind: EventKind::Ended, colliders, bodies, contact: None }
}

/// # Touching colliders
impl World {
    /// Returns the pairs of a collider as of the last update, as events seen from its body, ordered by
    /// the keys of the other colliders. Colliders that have been removed since are left out.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let trap = world.add_body(Body::fixed([0.0, 0.0]))?;
    /// let plate = world.add_collider(trap, Collider::sensor(Circle::new([0.0, 0.0], 2.0)))?;
    /// let mouse = world.add_body(Body::moving([1.0, 0.0]))?;
    /// world.add_collider(mouse, Collider::new(Circle::new([0.0, 0.0], 0.5)))?;
    /// world.update();
    /// assert_eq!(world.touching(plate).next().unwrap().bodies, [trap, mouse]);
    /// # Ok::<(), WorldError>(())
    /// ```
    #[doc(alias = "contact_pairs_with")]
    pub fn touching(&self, collider: ColliderKey) -> impl Iterator<Item = Event> {
        let slot = self.storage.collider(collider).map(|_| collider.slot);
        slot.into_iter().flat_map(|slot| self.touching_slot(slot))
    }

    /// Returns the pairs of all colliders of a body as of the last update, as events seen from it.
    pub fn touching_body(&self, body: BodyKey) -> impl Iterator<Item = Event> {
        self.storage.colliders_of(body).flat_map(|collider| self.touching_slot(collider.slot))
    }

    /// Returns the bodies that a body touches as of the last update, each once, ordered by their keys.
    #[doc(alias = "get_overlapping_bodies")]
    pub fn touching_bodies(&self, body: BodyKey) -> Vec<BodyKey> {
        let mut others: Vec<_> = self.touching_body(body).map(|event| event.bodies[1]).collect();
        others.sort_unstable();
        others.dedup();
        others
    }

    fn touching_slot(&self, slot: u32) -> impl Iterator<Item = Event> {
        let storage = &self.storage;
        let pairs = self.contact_pairs.of_collider(slot);
        let live = pairs.filter(|pair| pair.pair.iter().all(|&s| storage.colliders.is_live(s)));
        live.filter_map(move |pair| pair_event(storage, pair).seen_from(storage.body_key_of(slot)))
    }
}
