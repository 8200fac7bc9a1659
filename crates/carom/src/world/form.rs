//! Worlds as serde values. What is read goes on just as what was written.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::broad::{Pair, Strips};
use crate::math::{Pose, Vec2};
use crate::shape::Shape;
use crate::world::bit_set::BitSet;
use crate::world::body::BodyRecord;
use crate::world::broad_slot::BroadSlot;
use crate::world::contact_pairs::{ContactPair, ContactPairs, Ended};
use crate::world::frames::Frames;
use crate::world::layers::LayerRegistry;
use crate::world::placed_shape::{LocalShape, PlacedShape};
use crate::world::slot_map::SlotMap;
use crate::world::storage::{ColliderProps, ColliderRecord, NONE, Storage};
use crate::world::strikes::Strikes;
use crate::world::update::Scratch;
use crate::world::{ColliderKey, Layer, Layers, Role, World};

/// All of a world that does not follow from the rest.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    layers: LayerRegistry,
    bodies: SlotMap<BodyRecord>,
    first_colliders: Vec<u32>,
    colliders: SlotMap<ColliderRecord>,
    props: Vec<ColliderPropsData>,
    touches: Vec<ContactPair>,
    ended: Vec<Ended>,
    strikes: Strikes,
    frames: Frames,
    is_up_to_date: bool,
    is_complete: bool,
    max_pairs: usize,
}

/// The props of a collider, and whether it has changed since the last update.
#[derive(serde::Serialize, serde::Deserialize)]
struct ColliderPropsData {
    mask: Layers,
    body: u32,
    layer: Layer,
    role: Role,
    enabled: bool,
    changed: bool,
}

/// The broad phase is not written: it follows from the colliders.
impl Serialize for World {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let props = |slot: u32| {
            let ColliderProps { mask, body, layer, role, enabled } =
                self.storage.props[slot as usize];
            let changed = self.storage.dirty.has(slot);
            ColliderPropsData { mask, body, layer, role, enabled, changed }
        };
        let form = Form {
            layers: self.layers.clone(),
            bodies: self.storage.bodies.clone(),
            first_colliders: self.storage.first_colliders.clone(),
            colliders: self.storage.colliders.clone(),
            props: (0..self.storage.props.len() as u32).map(props).collect(),
            touches: self.contact_pairs.touches().to_vec(),
            ended: self.contact_pairs.ended().to_vec(),
            strikes: self.strikes.clone(),
            frames: self.frames.clone(),
            is_up_to_date: self.is_up_to_date,
            is_complete: self.is_complete,
            max_pairs: self.max_pairs,
        };
        form.serialize(serializer)
    }
}

/// Keys, events and their order go on as they would have in the world that was written. Numbers must
/// be read as exactly as they were written: with `serde_json`, turn on its feature `float_roundtrip`.
impl<'de> Deserialize<'de> for World {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = Form::deserialize(deserializer)?;
        form.check().map_err(D::Error::custom)?;
        Ok(form.world())
    }
}

impl Form {
    fn world(self) -> World {
        let Self { layers, bodies, first_colliders, colliders, props, .. } = self;
        let Self { touches, ended, strikes, frames, .. } = self;
        let pose =
            |slot: u32| bodies.get_slot(slot).map_or(Pose::IDENTITY, |record| record.body.pose);
        let placed = (0..).zip(&props).map(|(slot, props)| match colliders.get_slot(slot) {
            Some(record) => PlacedShape::new(&record.local, &pose(props.body)),
            None => PlacedShape::default(),
        });
        let placed = placed.collect();
        let mut dirty = BitSet::new();
        dirty.cover(props.len());
        (0..).zip(&props).filter(|(_, it)| it.changed).for_each(|(slot, _)| dirty.set(slot));
        let props =
            props.iter().map(|&ColliderPropsData { mask, body, layer, role, enabled, .. }| {
                ColliderProps { mask, body, layer, role, enabled }
            });
        let (props, places) = (props.collect(), colliders.slot_count());
        let storage = Storage { bodies, first_colliders, colliders, props, placed, dirty };
        let mut world = World {
            broad: BroadSlot::new(Strips::new()),
            storage,
            layers,
            contact_pairs: ContactPairs::from_parts(touches, ended, places),
            strikes,
            frames,
            is_up_to_date: self.is_up_to_date,
            is_complete: self.is_complete,
            max_pairs: self.max_pairs,
            scratch: Scratch::default(),
        };
        world.rebuild_broad_phase();
        world
    }

    /// That nothing refers to what is not there.
    fn check(&self) -> Result<(), String> {
        self.layers.check()?;
        self.bodies.check().map_err(|error| format!("bodies: {error}"))?;
        if self.first_colliders.len() != self.bodies.slot_count() {
            let (found, expected) = (self.first_colliders.len(), self.bodies.slot_count());
            return Err(format!("first_colliders: found {found}, expected {expected}"));
        }
        self.colliders.check().map_err(|error| format!("colliders: {error}"))?;
        if self.props.len() != self.colliders.slot_count() {
            let (found, expected) = (self.props.len(), self.colliders.slot_count());
            return Err(format!("props: found {found}, expected {expected}"));
        }
        for (slot, props) in (0..).zip(&self.props) {
            if self.colliders.get_slot(slot).is_some() && self.bodies.get_slot(props.body).is_none()
            {
                return Err(format!("props[{slot}]: there is no body {}", props.body));
            }
        }
        self.check_lists()?;
        self.check_touches()?;
        self.check_frames()?;
        if self.strikes.is_in_order() { Ok(()) } else { Err("strikes: not in order".into()) }
    }

    /// That frames are shown by bodies that are there, with colliders of their own on known layers.
    fn check_frames(&self) -> Result<(), String> {
        for sheet in self.frames.sheets() {
            self.layers.check_sheet(sheet).map_err(|error| format!("frames: {error}"))?;
        }
        for (body, colliders) in self.frames.owners() {
            let is_there = self.bodies.get(body.slot, body.generation).is_some();
            let is_its_own = |key: &ColliderKey| {
                self.colliders.get(key.slot, key.generation).is_none()
                    || self.props[key.slot as usize].body == body.slot
            };
            if !is_there || !colliders.iter().all(is_its_own) {
                return Err(format!("frames: {body} is not there, or shows what is not its own"));
            }
        }
        Ok(())
    }

    /// That each collider is in the list of its body, once.
    fn check_lists(&self) -> Result<(), String> {
        let mut listed = 0;
        for (body, ..) in self.bodies.iter() {
            let mut slot = self.first_colliders[body as usize];
            while slot != NONE {
                listed += 1;
                let is_its_own = self.colliders.is_live(slot)
                    && self.props[slot as usize].body == body
                    && listed <= self.colliders.slot_count();
                let (true, Some(record)) = (is_its_own, self.colliders.get_slot(slot)) else {
                    return Err(format!("bodies[{body}]: collider {slot} is not its own"));
                };
                slot = record.next;
            }
        }
        if listed == self.colliders.len() {
            Ok(())
        } else {
            Err(format!("{listed} colliders are listed by bodies, of {}", self.colliders.len()))
        }
    }

    /// That the touches are in order, and between colliders that are there.
    fn check_touches(&self) -> Result<(), String> {
        let is_pair = |pair: Pair| {
            pair[0] < pair[1] && pair.iter().all(|&slot| self.colliders.get_slot(slot).is_some())
        };
        let is_in_order = self.touches.is_sorted_by(|a, b| a.pair < b.pair)
            && self.ended.is_sorted_by(|a, b| a.pair() < b.pair());
        match self.touches.iter().find(|touch| !is_pair(touch.pair)) {
            Some(touch) => Err(format!("touches: no such pair {:?}", touch.pair)),
            None if !is_in_order => Err("touches: not in order".into()),
            None => Ok(()),
        }
    }
}

impl Serialize for ColliderRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { local, user_data, next, tag, one_way } = self;
        (&**local.shape(), user_data, next, tag, one_way).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ColliderRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (shape, user_data, next, tag, one_way) =
            <(Shape, _, _, _, Option<Vec2>)>::deserialize(deserializer)?;
        let one_way = one_way.filter(|up| up.is_finite() && *up != Vec2::ZERO);
        Ok(Self { local: LocalShape::new(Arc::new(shape)), user_data, next, tag, one_way })
    }
}
