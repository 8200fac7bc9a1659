//! Passages: the sensors, hitboxes and hurtboxes that a body enters during its moves, in order.

use alloc::vec::Vec;

use crate::broad::{Pair, SweptAabb};
use crate::math::{Pose, Vec2, length, to_f32, to_vec2};
use crate::query::{Contact, ContactPoints};
use crate::shape::AsShape;
use crate::sheet::Role;
use crate::world::placed_shape::PlacedShape;
use crate::world::snapshot::StateHash;
use crate::world::storage::{NONE, Storage};
use crate::world::update::contact_pairs::ContactPair;
use crate::world::{BodyKey, ColliderKey, World, WorldError};

/// The entry of a collider of a [swept](crate::world::Body::swept) body into another collider during a move.
/// See [`World::passages`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Passage {
    /// The body that moved.
    pub mover: BodyKey,
    /// The collider of that body.
    pub collider: ColliderKey,
    /// The collider that it entered.
    pub other: ColliderKey,
    /// The body of that collider.
    pub body: BodyKey,
    /// The fraction of the path before the entry, from 0 at the start to 1 at the end.
    pub time: f32,
    /// The position of the body that moved when it entered the collider.
    pub position: Vec2,
    /// The unit normal out of the other collider.
    pub normal: Vec2,
    /// The point where the two colliders touched first.
    pub point: Vec2,
}

impl Passage {
    /// Returns the contact of the collider with the lesser slot with the other one, at the time of the entry.
    fn contact(&self) -> Contact {
        let Self { normal, point, .. } = *self;
        let normal = if self.collider.slot < self.other.slot { normal } else { -normal };
        Contact {
            normal,
            depth: 0.0,
            push: Vec2::ZERO,
            points: ContactPoints::one(point.as_dvec2()),
        }
    }

    fn pair(&self) -> Pair {
        let [a, b] = [self.collider.slot, self.other.slot];
        [a.min(b), a.max(b)]
    }
}

/// The passages of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Passages {
    list: Vec<Passage>,
    /// `true` if an update has used the list. The next move starts a new one.
    is_used: bool,
}

/// Buffers reused between moves. Not part of the simulation state.
#[derive(Debug, Default)]
pub(crate) struct PassageBuffers {
    /// The colliders of the body, placed at the start of a piece of the path.
    placed: Vec<PlacedShape>,
}

/// # Swept sensors
impl World {
    /// Returns the entries of the colliders of [swept](crate::world::Body::swept) bodies into other colliders since
    /// the last update, in the order of the moves, and for each move in the order of time. After an update, the
    /// list stays until a swept body moves again, or until the next update.
    ///
    /// Events and strikes report where bodies are at the update. A body that is faster than a sensor is wide may
    /// never be inside the sensor at that time. A swept body reports everything that its colliders enter in
    /// [`travel`](Self::travel), [`walk`](Self::walk) and [`carry`](Self::carry):
    ///
    /// - the entered collider is in this list, once per move, with the time;
    /// - the next update reports the pair as begun, and the one after it as ended, unless they still touch;
    /// - a hitbox strikes each hurtbox that it has passed, by the usual [rules](crate::world::StrikeRules).
    ///
    /// The path is that of the body's position, at a constant angle, with all its bends. A body that is carried or
    /// pushed by another one is swept along the straight line between its old and its new position. A collider
    /// that contains the start of the path is not listed if the last update has reported the pair. Other bodies
    /// are tested at their current positions.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let line = || Collider::sensor(Aabb::new([0.0, 0.0], [0.1, 2.0]));
    /// let finish = world.spawn(Body::fixed([30.0, 0.0]), [line()])?;
    /// let checkpoint = world.spawn(Body::fixed([10.0, 0.0]), [line()])?;
    /// let hero = Collider::new(Aabb::new([0.0, 0.0], [1.0, 2.0]));
    /// let hero = world.spawn(Body::moving([-1.0, 0.0]).swept(), [hero])?;
    ///
    /// let travel = world.travel(hero, [40.0, 0.0], |_| Response::Slide)?; // all in one frame
    /// let passed: Vec<_> = world.passages().iter().map(|it| (it.body, it.time)).collect();
    /// assert_eq!(passed, [(checkpoint, 0.25), (finish, 0.75)]);
    /// assert_eq!(world.update().began().count(), 2);
    /// assert_eq!(world.update().ended().count(), 2);
    /// # Ok::<(), WorldError>(())
    /// ```
    #[doc(alias = "swept sensor")]
    #[doc(alias = "trigger")]
    #[doc(alias = "continuous_cd")]
    pub fn passages(&self) -> &[Passage] {
        &self.passages.list
    }

    /// Returns the [passages](Self::passages) of one body.
    pub fn passed_by(&self, body: BodyKey) -> impl Iterator<Item = &Passage> {
        self.passages.list.iter().filter(move |passage| passage.mover == body)
    }

    /// Sets whether a body reports what it passes in its moves: see [`passages`](Self::passages).
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchBody`] if the key is invalid.
    pub fn set_swept(&mut self, key: BodyKey, swept: bool) -> Result<(), WorldError> {
        let body = self.storage.bodies.get_mut(key.slot, key.generation);
        body.ok_or(WorldError::NoSuchBody(key))?.body.swept = swept;
        Ok(())
    }

    /// Returns `true` if a body reports what it passes.
    #[inline]
    pub(crate) fn is_swept(&self, body: BodyKey) -> bool {
        self.storage.body(body).is_some_and(|body| body.swept)
    }

    /// Records the colliders that a body has entered along a path of positions.
    #[cold]
    pub(crate) fn record_passages(
        &mut self,
        body: BodyKey,
        path: impl Iterator<Item = Vec2> + Clone,
    ) {
        if core::mem::take(&mut self.passages.is_used) {
            self.passages.list.clear();
        }
        let pieces = || path.clone().zip(path.clone().skip(1)).filter(|(from, to)| from != to);
        let long = |(from, to): (Vec2, Vec2)| length(to.as_dvec2() - from.as_dvec2());
        let whole: f64 = pieces().map(long).sum();
        let Some(&record) = self.storage.body(body).filter(|_| whole > 0.0) else { return };
        let first = self.passages.list.len();
        let mut buffers = core::mem::take(&mut self.scratch.passages);
        let mut done = 0.0;
        for (piece, (from, to)) in pieces().enumerate() {
            // 1. Sweep each collider of the body along each piece of the path.
            let (mut own, mut index) = (self.storage.first_collider(body.slot), 0);
            while own != NONE {
                let next = self.storage.next_collider(own);
                if self.storage.mobility_of(own).is_some() {
                    let pose = Pose { position: from, ..record.pose };
                    self.sweep_collider(own, &pose, to, buffers.placed_at(index), |this, hit| {
                        let (other, time) = (hit.0, f64::from(hit.1.time));
                        // 2. Skip a collider that the body has been in since the last update.
                        let is_known = piece == 0
                            && time == 0.0
                            && this
                                .contact_pairs
                                .of_collider(own)
                                .any(|it| it.pair.contains(&other));
                        let position = from.as_dvec2() + (to.as_dvec2() - from.as_dvec2()) * time;
                        let passage = Passage {
                            mover: body,
                            collider: this.storage.collider_key(own),
                            other: this.storage.collider_key(other),
                            body: this.storage.body_key_of(other),
                            time: to_f32((done + long((from, to)) * time) / whole),
                            position: to_vec2(position),
                            normal: hit.1.normal,
                            point: hit.1.point,
                        };
                        (!is_known).then_some(passage)
                    });
                }
                (own, index) = (next, index + 1);
            }
            done += long((from, to));
        }
        self.scratch.passages = buffers;
        self.order_passages(first);
    }

    /// Sweeps a collider from a pose to a position, and adds the result of `passage` for each hit.
    fn sweep_collider(
        &mut self,
        own: u32,
        from: &Pose,
        to: Vec2,
        placed: &mut PlacedShape,
        passage: impl Fn(&Self, (u32, crate::query::SweepHit)) -> Option<Passage>,
    ) {
        let Some(record) = self.storage.colliders.get_slot(own) else { return };
        if !placed.can_hold(&record.local, from) {
            *placed = PlacedShape::new(&record.local, from);
        }
        placed.place_at(&record.local, from);
        let mut list = core::mem::take(&mut self.passages.list);
        let props = &self.storage.props;
        let rules = self.strikes.rules();
        let motion = to_vec2(to.as_dvec2() - from.position.as_dvec2());
        let swept = SweptAabb::from_motion(placed, motion);
        self.broad.as_dyn().visit_swept(&swept, &mut |other, _, _| {
            let [a, b] = [own, other].map(|slot| &props[slot as usize]);
            let are_solid = a.role == Role::Solid && b.role == Role::Solid;
            if !are_solid
                && a.should_collide_with(b, rules)
                && let Some(hit) =
                    placed.as_shape().sweep(motion, &self.storage.placed[other as usize].as_shape())
            {
                list.extend(passage(self, (other, hit)));
            }
            swept.end()
        });
        self.passages.list = list;
    }

    /// Sorts the passages of one move by time, and keeps the first one of each pair of colliders.
    fn order_passages(&mut self, first: usize) {
        let Self { passages, storage, .. } = self;
        let new = &mut passages.list[first..];
        new.sort_unstable_by(|a, b| {
            let pair = |it: &Passage| (it.other, it.collider);
            a.time.total_cmp(&b.time).then_with(|| pair(a).cmp(&pair(b)))
        });
        let mut kept = first;
        for index in first..passages.list.len() {
            let passage = passages.list[index];
            let is_same =
                |it: &Passage| (it.collider, it.other) == (passage.collider, passage.other);
            if !passages.list[first..kept].iter().any(is_same) {
                passages.list[kept] = passage;
                kept += 1;
                // The pair is tested again by the next update.
                storage.dirty.insert(passage.collider.slot);
                self.is_up_to_date = false;
            }
        }
        passages.list.truncate(kept);
    }
}

impl PassageBuffers {
    fn placed_at(&mut self, index: usize) -> &mut PlacedShape {
        if self.placed.len() <= index {
            self.placed.resize_with(index + 1, PlacedShape::default);
        }
        &mut self.placed[index]
    }
}

impl Passages {
    /// Begins an update: forgets what an update has used before.
    pub fn begin_update(&mut self) {
        if self.is_used {
            self.list.clear();
        }
        self.is_used = true;
    }

    /// Adds the pairs that have been passed to the pairs that touch, which are sorted.
    pub fn add_to(&self, storage: &Storage, found: &mut Vec<ContactPair>) {
        for passage in &self.list {
            let slots = [passage.collider, passage.other];
            let takes_part = |key: &ColliderKey| {
                storage.collider(*key).is_some() && storage.mobility_of(key.slot).is_some()
            };
            if !slots.iter().all(takes_part) {
                continue;
            }
            match found.binary_search_by_key(&passage.pair(), |it| it.pair) {
                Ok(index) => found[index].is_passed = true,
                Err(index) => {
                    let [a, b] = passage.pair().map(|slot| &storage.props[slot as usize]);
                    let contact = a.makes_contact_with(b).then(|| passage.contact());
                    let mut pair = ContactPair::new(passage.pair(), contact, a.is_combat_box());
                    pair.is_passed = true;
                    found.insert(index, pair);
                }
            }
        }
    }

    /// Marks the passed colliders as changed, so that the next update tests them again. Returns whether there are
    /// any.
    pub fn mark_dirty(&self, storage: &mut Storage) -> bool {
        self.list.iter().for_each(|passage| storage.dirty.insert(passage.collider.slot));
        !self.list.is_empty()
    }

    pub fn hash(&self, hash: &mut StateHash) {
        hash.words([u64::from(self.is_used), self.list.len() as u64]);
        for it in &self.list {
            hash.words([it.mover, it.body].map(|key| key.to_bits()));
            hash.words([it.collider, it.other].map(|key| key.to_bits()));
            hash.number(it.time);
            [it.position, it.normal, it.point].into_iter().for_each(|v| hash.vector(v));
        }
    }
}
