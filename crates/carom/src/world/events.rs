//! What an update tells: touches that began, stayed or ended.

use core::iter::Peekable;
use core::slice;

use crate::query::Contact;
use crate::world::contact_pairs::{ContactPair, ContactPairs, Ended};
use crate::world::storage::Storage;
use crate::world::strikes::Strikes;
use crate::world::{BodyKey, Clash, ColliderKey, Strike, World};

/// What has become of two colliders since the update before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum EventKind {
    /// They touch, and did not before.
    Began,
    /// They touch, as they did before.
    Stayed,
    /// They do not touch any more: they have moved apart, have changed, or one has been removed.
    Ended,
}

/// Two colliders and what has become of them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Event {
    /// Whether they began to touch, stayed in touch, or ended it.
    pub kind: EventKind,
    /// The two colliders, the lesser key first.
    pub colliders: [ColliderKey; 2],
    /// Their bodies, in the same order.
    pub bodies: [BodyKey; 2],
    /// How deep they are in each other and the push that takes the first one out of the second;
    /// `None` if one is a sensor, or the touch has ended.
    pub contact: Option<Contact>,
}

impl Event {
    /// Whether a body is one of the two.
    pub fn involves(&self, body: BodyKey) -> bool {
        self.bodies.contains(&body)
    }

    /// The event with a body first, its contact turned about to match; `None` if the body has no
    /// part in it.
    pub fn seen_from(&self, body: BodyKey) -> Option<Self> {
        if self.bodies[0] == body {
            return Some(*self);
        }
        let ([a, b], [c, d]) = (self.colliders, self.bodies);
        let contact = self.contact.map(Contact::swapped);
        (d == body).then_some(Self { kind: self.kind, colliders: [b, a], bodies: [d, c], contact })
    }
}

/// The events of an update, in the order of the colliders' keys.
#[derive(Clone, Copy, Debug)]
pub struct Events<'w> {
    storage: &'w Storage,
    touches: &'w [ContactPair],
    ended: &'w [Ended],
    strikes: &'w Strikes,
    is_complete: bool,
}

impl<'w> Events<'w> {
    pub(crate) fn new(
        storage: &'w Storage,
        touching: &'w ContactPairs,
        strikes: &'w Strikes,
        is_complete: bool,
    ) -> Self {
        let (touches, ended) =
            if is_complete { (touching.touches(), touching.ended()) } else { (&[][..], &[][..]) };
        Self { storage, touches, ended, strikes, is_complete }
    }

    /// All of them.
    #[inline]
    pub fn iter(&self) -> EventIter<'w> {
        EventIter {
            storage: self.storage,
            touches: self.touches.iter().peekable(),
            ended: self.ended.iter().peekable(),
        }
    }

    /// Those that began.
    pub fn began(&self) -> impl Iterator<Item = Event> + use<'w> {
        let Self { storage, touches, .. } = *self;
        touches.iter().filter(|touch| touch.began).map(|touch| pair_event(storage, touch))
    }

    /// Those that stayed.
    pub fn stayed(&self) -> impl Iterator<Item = Event> + use<'w> {
        let Self { storage, touches, .. } = *self;
        touches.iter().filter(|touch| !touch.began).map(|touch| pair_event(storage, touch))
    }

    /// Those that ended.
    pub fn ended(&self) -> impl Iterator<Item = Event> + use<'w> {
        self.ended.iter().map(ended_event)
    }

    /// Who struck whom, in the order of the attackers' keys and then of the victims'.
    pub fn strikes(&self) -> &'w [Strike] {
        self.strikes.strikes()
    }

    /// Whose hitboxes clashed, in the order of the bodies' keys; only where the
    /// [rules](crate::world::StrikeRules) ask for it.
    pub fn clashes(&self) -> &'w [Clash] {
        self.strikes.clashes()
    }

    /// How many touches began, stayed or ended.
    pub fn len(&self) -> usize {
        self.touches.len() + self.ended.len()
    }

    /// Whether none did.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the update went through. It gives up where more pairs of colliders would have to be
    /// asked about than [`World::max_pairs`]: a million things at one point are 500 000 000 000.
    /// Then no event is told and what touched still counts as touching, until an update goes
    /// through again.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }
}

impl<'w> IntoIterator for Events<'w> {
    type Item = Event;
    type IntoIter = EventIter<'w>;

    fn into_iter(self) -> EventIter<'w> {
        self.iter()
    }
}

/// Goes through [`Events`].
#[derive(Clone, Debug)]
pub struct EventIter<'w> {
    storage: &'w Storage,
    touches: Peekable<slice::Iter<'w, ContactPair>>,
    ended: Peekable<slice::Iter<'w, Ended>>,
}

impl Iterator for EventIter<'_> {
    type Item = Event;

    #[inline] // a caller who reads a part of it need not wait until all of it has been written
    fn next(&mut self) -> Option<Event> {
        let ended = match (self.touches.peek(), self.ended.peek()) {
            (Some(touch), Some(ended)) => ended.pair() < touch.pair,
            (None, _) => true,
            (_, None) => false,
        };
        if ended {
            self.ended.next().map(ended_event)
        } else {
            self.touches.next().map(|touch| pair_event(self.storage, touch))
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.touches.len() + self.ended.len();
        (len, Some(len))
    }
}

impl ExactSizeIterator for EventIter<'_> {}

#[inline]
fn pair_event(storage: &Storage, touch: &ContactPair) -> Event {
    Event {
        kind: if touch.began { EventKind::Began } else { EventKind::Stayed },
        colliders: touch.pair.map(|slot| storage.collider_key(slot)),
        bodies: touch.pair.map(|slot| storage.body_key_of(slot)),
        contact: touch.contact,
    }
}

#[inline]
fn ended_event(ended: &Ended) -> Event {
    let Ended { colliders, bodies } = *ended;
    Event { kind: EventKind::Ended, colliders, bodies, contact: None }
}

/// # What touches one thing
impl World {
    /// What touches a collider as of the last update, as events seen from its body, in the order of
    /// the other colliders' keys. What has been removed since is left out.
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
    pub fn touching(&self, collider: ColliderKey) -> impl Iterator<Item = Event> {
        let exists = self.storage.collider(collider).map(|_| collider.slot);
        exists.into_iter().flat_map(|slot| self.touching_slot(slot))
    }

    /// What touches a body as of the last update: all that touches one of its colliders.
    pub fn touching_body(&self, body: BodyKey) -> impl Iterator<Item = Event> {
        self.storage.colliders_of(body).flat_map(|collider| self.touching_slot(collider.slot))
    }

    fn touching_slot(&self, slot: u32) -> impl Iterator<Item = Event> {
        let storage = &self.storage;
        let touches = self.contact_pairs.of(slot);
        let live = touches.filter(|touch| touch.pair.iter().all(|&s| storage.colliders.is_live(s)));
        live.filter_map(move |touch| {
            pair_event(storage, touch).seen_from(storage.body_key_of(slot))
        })
    }
}
