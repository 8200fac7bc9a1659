//! What touches what: a list of pairs in the order of their slots, kept from update to update.

use alloc::vec::Vec;

use crate::broad::Pair;
use crate::query::Contact;
use crate::world::storage::{NONE, Storage};
use crate::world::{BodyKey, ColliderKey};

/// Two colliders that touch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct ContactPair {
    /// Their slots, the lesser first.
    pub pair: Pair,
    /// How to part them; `None` if one is a sensor.
    pub contact: Option<Contact>,
    /// Whether they did not before the last update.
    pub began: bool,
    /// Whether they strike each other; asked while it is fresh.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub is_combat: bool,
    /// The next touch in which the second collider is the second.
    #[cfg_attr(feature = "serde", serde(skip))]
    next: u32,
}

impl ContactPair {
    pub fn new(pair: Pair, contact: Option<Contact>, is_combat: bool) -> Self {
        Self { pair, contact, began: true, is_combat, next: NONE }
    }
}

/// Two colliders that touch no more. Either may be gone by now, so they are known by their keys.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Ended {
    pub colliders: [ColliderKey; 2],
    pub bodies: [BodyKey; 2],
}

impl Ended {
    pub fn pair(&self) -> Pair {
        self.colliders.map(|key| key.slot)
    }
}

/// All that touches, and what has ended with the last update.
#[derive(Debug)]
pub(crate) struct ContactPairs {
    /// In the order of the pairs.
    touches: Vec<ContactPair>,
    /// In the order of the pairs.
    ended: Vec<Ended>,
    /// By slot: the first touch in which that collider is the second. (Those in which it is the
    /// first lie side by side.)
    heads: Vec<u32>,
}

impl Clone for ContactPairs {
    fn clone(&self) -> Self {
        let Self { touches, ended, heads } = self;
        Self { touches: touches.clone(), ended: ended.clone(), heads: heads.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.touches.clone_from(&source.touches);
        self.ended.clone_from(&source.ended);
        self.heads.clone_from(&source.heads);
    }
}

impl ContactPairs {
    pub const fn new() -> Self {
        Self { touches: Vec::new(), ended: Vec::new(), heads: Vec::new() }
    }

    /// From what has been written.
    #[cfg(feature = "serde")]
    pub fn from_parts(touches: Vec<ContactPair>, ended: Vec<Ended>, slots: usize) -> Self {
        let mut touching = Self { touches, ended, heads: Vec::new() };
        touching.link(slots);
        touching
    }

    pub fn touches(&self) -> &[ContactPair] {
        &self.touches
    }

    pub fn ended(&self) -> &[Ended] {
        &self.ended
    }

    /// Nothing has changed: all that touched stays.
    pub fn settle(&mut self) {
        self.ended.clear();
        for touch in &mut self.touches {
            touch.began = false;
        }
    }

    /// Goes on to the next state. `fresh` tells what touches now of all pairs in which a collider
    /// has changed, in the order of the pairs; the other touches are as they were.
    pub fn advance(&mut self, storage: &Storage, fresh: &[ContactPair], began: &mut Vec<u32>) {
        let has_changed = |slot: u32| storage.dirty.has(slot);
        let mut news = (0..).zip(fresh).peekable();
        self.ended.clear();
        began.clear();
        self.touches.retain_mut(|touch| {
            while let Some((new, _)) = news.next_if(|(_, fresh)| fresh.pair < touch.pair) {
                began.push(new);
            }
            touch.began = false;
            if !touch.pair.into_iter().any(has_changed) {
                return true;
            }
            match news.next_if(|(_, fresh)| fresh.pair == touch.pair) {
                Some((_, fresh)) => {
                    touch.contact = fresh.contact;
                    true
                }
                None => {
                    self.ended.push(Ended {
                        colliders: touch.pair.map(|slot| storage.collider_key(slot)),
                        bodies: touch.pair.map(|slot| storage.body_key_of(slot)),
                    });
                    false
                }
            }
        });
        began.extend(news.map(|(new, _)| new));
        self.merge(began.iter().map(|&new| fresh[new as usize]));
        if !(began.is_empty() && self.ended.is_empty()) {
            self.link(storage.colliders.slot_count());
        }
    }

    /// Puts new touches, in order, among the others: from the back, so that none is moved twice.
    fn merge(&mut self, news: impl DoubleEndedIterator<Item = ContactPair> + ExactSizeIterator) {
        let mut read = self.touches.len();
        let mut write = read + news.len();
        self.touches.resize(write, ContactPair::new([NONE; 2], None, false));
        for new in news.rev() {
            while read > 0 && self.touches[read - 1].pair > new.pair {
                (read, write) = (read - 1, write - 1);
                self.touches[write] = self.touches[read];
            }
            write -= 1;
            self.touches[write] = new;
        }
    }

    /// Links the touches of each collider in which it is the second.
    pub fn link(&mut self, slots: usize) {
        self.heads.clear();
        self.heads.resize(slots, NONE);
        for (place, touch) in self.touches.iter_mut().enumerate().rev() {
            let head = &mut self.heads[touch.pair[1] as usize];
            touch.next = core::mem::replace(head, place as u32);
        }
    }

    /// The touches of a collider, in the order of the other one's slot.
    pub fn of(&self, slot: u32) -> impl Iterator<Item = &ContactPair> {
        let mut place = self.heads.get(slot as usize).copied().unwrap_or(NONE);
        let as_second = core::iter::from_fn(move || {
            let touch = self.touches.get(place as usize)?;
            place = touch.next;
            Some(touch)
        });
        let start = self.touches.partition_point(|touch| touch.pair[0] < slot);
        as_second.chain(self.touches[start..].iter().take_while(move |touch| touch.pair[0] == slot))
    }

    /// Whether a collider touches anything.
    pub fn involves(&self, slot: u32) -> bool {
        self.of(slot).next().is_some()
    }
}
