//! Saving and loading worlds with serde. A loaded world behaves exactly like the saved one.

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
use crate::world::body::{BodyRecord, check_pose};
use crate::world::broad_slot::BroadSlot;
use crate::world::frames::Frames;
use crate::world::layers::LayerRegistry;
use crate::world::passages::Passages;
use crate::world::placed_shape::{LocalShape, PlacedShape};
use crate::world::slot_map::SlotMap;
use crate::world::snapshot::ShapeHashes;
use crate::world::storage::{ColliderExtras, ColliderProps, ColliderRecord, NONE, Storage};
use crate::world::support::SupportRecord;
use crate::world::update::Scratch;
use crate::world::update::contact_pairs::{ContactPair, ContactPairs, EndedPair};
use crate::world::update::strikes::Strikes;
use crate::world::{ColliderKey, Rehit, World};

/// The serialized form of a world: everything that cannot be derived. Placed shapes, the broad phase and
/// the links between contact pairs are rebuilt.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct WorldData {
    layers: LayerRegistry,
    bodies: SlotMap<BodyRecord>,
    first_colliders: Vec<u32>,
    supports: Vec<Option<SupportRecord>>,
    hidden_bodies_collide: bool,
    colliders: SlotMap<ColliderRecord>,
    props: Vec<ColliderProps>,
    /// The slots of the colliders that have changed since the last update.
    dirty: Vec<u32>,
    contact_pairs: Vec<ContactPair>,
    ended: Vec<EndedPair>,
    strikes: Strikes,
    frames: Frames,
    #[serde(default)]
    passages: Passages,
    is_up_to_date: bool,
    is_complete: bool,
    max_pairs: usize,
}

impl Serialize for World {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Storage { bodies, first_colliders, colliders, props, dirty, .. } = &self.storage;
        let data = WorldData {
            layers: self.layers.clone(),
            bodies: bodies.clone(),
            first_colliders: first_colliders.clone(),
            supports: self.storage.supports.clone(),
            hidden_bodies_collide: self.storage.hidden_bodies_collide,
            colliders: colliders.clone(),
            props: props.clone(),
            dirty: (0..props.len() as u32).filter(|&slot| dirty.contains(slot)).collect(),
            contact_pairs: self.contact_pairs.pairs().to_vec(),
            ended: self.contact_pairs.ended().to_vec(),
            strikes: self.strikes.without_old_swings(),
            frames: self.frames.clone(),
            passages: self.passages.clone(),
            is_up_to_date: self.is_up_to_date,
            is_complete: self.is_complete,
            max_pairs: self.max_pairs,
        };
        data.serialize(serializer)
    }
}

/// The loaded world has the default broad phase; [`World::with_broad_phase`] changes it. Numbers must be
/// read exactly as they were written: with `serde_json`, enable its feature `float_roundtrip`.
impl<'de> Deserialize<'de> for World {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let data = WorldData::deserialize(deserializer)?;
        data.check().map_err(D::Error::custom)?;
        Ok(data.into_world())
    }
}

impl WorldData {
    /// Builds the world. The data must have passed [`check`](Self::check).
    fn into_world(self) -> World {
        let Self { layers, bodies, first_colliders, mut colliders, props, .. } = self;
        // The lists of colliders are saved as singly linked ones.
        for &first in &first_colliders {
            let (mut slot, mut previous) = (first, NONE);
            while let Some(record) = colliders.get_slot_mut(slot) {
                record.previous = core::mem::replace(&mut previous, slot);
                slot = record.next;
            }
        }
        let pose = |slot: u32| bodies.get_slot(slot).map_or(Pose::IDENTITY, |it| it.body.pose);
        let placed = (0..).zip(&props).map(|(slot, props)| match colliders.get_slot(slot) {
            Some(record) => PlacedShape::new(&record.local, &pose(props.body)),
            None => PlacedShape::default(),
        });
        let placed = placed.collect();
        let mut dirty = BitSet::new();
        dirty.grow(props.len());
        self.dirty.iter().for_each(|&slot| dirty.insert(slot));
        let slot_count = colliders.slot_count();
        let mut world = World {
            broad: BroadSlot::new(Strips::new()),
            storage: Storage {
                bodies,
                first_colliders,
                supports: self.supports,
                hidden_bodies_collide: self.hidden_bodies_collide,
                colliders,
                props,
                placed,
                shape_hashes: ShapeHashes::new(),
                unplaced_hashes: ShapeHashes::new(),
                dirty,
            },
            layers,
            contact_pairs: ContactPairs::from_parts(self.contact_pairs, self.ended, slot_count),
            strikes: self.strikes,
            frames: self.frames,
            passages: self.passages,
            is_up_to_date: self.is_up_to_date,
            is_complete: self.is_complete,
            max_pairs: self.max_pairs,
            scratch: Scratch::default(),
        };
        (0..slot_count as u32).for_each(|slot| world.storage.forget_hashes(slot));
        world.rebuild_broad_phase();
        world
    }

    /// Checks that every reference leads to something that exists, and that sorted lists are sorted.
    fn check(&self) -> Result<(), String> {
        self.layers.check()?;
        self.bodies.check().map_err(|error| format!("bodies: {error}"))?;
        self.colliders.check().map_err(|error| format!("colliders: {error}"))?;
        check_len("first_colliders", self.first_colliders.len(), self.bodies.slot_count())?;
        check_len("props", self.props.len(), self.colliders.slot_count())?;
        for (slot, props) in (0..).zip(&self.props) {
            if self.colliders.get_slot(slot).is_some() && self.bodies.get_slot(props.body).is_none()
            {
                return Err(format!("props[{slot}]: body {} does not exist", props.body));
            }
        }
        if let Some(slot) = self.dirty.iter().find(|&&slot| slot as usize >= self.props.len()) {
            return Err(format!("dirty: collider {slot} does not exist"));
        }
        if self.supports.len() > self.bodies.slot_count() {
            return Err(format!("supports: found {} items", self.supports.len()));
        }
        for (slot, support) in self.supports.iter().enumerate() {
            let is_finite =
                |it: &SupportRecord| it.support.normal.is_finite() && it.motion.is_finite();
            if !support.as_ref().is_none_or(is_finite) {
                return Err(format!("supports[{slot}]: the normal or the motion is not finite"));
            }
        }
        self.check_collider_lists()?;
        self.check_contact_pairs()?;
        self.check_frames()?;
        if self.strikes.is_sorted() { Ok(()) } else { Err("strikes: not sorted".into()) }
    }

    /// Checks that each collider is in the list of its body, once.
    fn check_collider_lists(&self) -> Result<(), String> {
        let mut listed = 0;
        for (body, ..) in self.bodies.iter() {
            let mut slot = self.first_colliders[body as usize];
            while slot != NONE {
                listed += 1;
                // The count ends lists that are cyclic.
                let is_its_own = self.colliders.is_live(slot)
                    && self.props[slot as usize].body == body
                    && listed <= self.colliders.slot_count();
                let (true, Some(record)) = (is_its_own, self.colliders.get_slot(slot)) else {
                    return Err(format!("bodies[{body}]: collider {slot} is not its own"));
                };
                slot = record.next;
            }
        }
        let count = self.colliders.len();
        if listed == count {
            Ok(())
        } else {
            Err(format!("bodies: they list {listed} colliders, expected {count}"))
        }
    }

    /// Checks that the pairs are sorted, and between colliders that exist.
    fn check_contact_pairs(&self) -> Result<(), String> {
        let is_pair = |pair: Pair| {
            pair[0] < pair[1] && pair.iter().all(|&slot| self.colliders.get_slot(slot).is_some())
        };
        let is_sorted = self.contact_pairs.is_sorted_by(|a, b| a.pair < b.pair)
            && self.ended.is_sorted_by(|a, b| a.pair() < b.pair());
        match self.contact_pairs.iter().find(|pair| !is_pair(pair.pair)) {
            Some(pair) => Err(format!("contact_pairs: invalid pair {:?}", pair.pair)),
            None if !is_sorted => Err("contact_pairs: not sorted".into()),
            None => Ok(()),
        }
    }

    /// Checks that frames are shown by bodies that exist, with their own colliders, on known layers.
    fn check_frames(&self) -> Result<(), String> {
        for sheet in self.frames.sheets() {
            self.layers.check_sheet(sheet).map_err(|error| format!("frames: {error}"))?;
        }
        for (body, colliders) in self.frames.owners() {
            let exists = self.bodies.get(body.slot, body.generation).is_some();
            // A collider that the game has removed may still be listed.
            let is_its_own = |key: &ColliderKey| {
                self.colliders.get(key.slot, key.generation).is_none()
                    || self.props[key.slot as usize].body == body.slot
            };
            if !exists || !colliders.iter().all(is_its_own) {
                return Err(format!(
                    "frames: {body} does not exist or lists another body's collider"
                ));
            }
        }
        Ok(())
    }
}

fn check_len(name: &str, found: usize, expected: usize) -> Result<(), String> {
    if found == expected {
        Ok(())
    } else {
        Err(format!("{name}: found {found} items, expected {expected}"))
    }
}

impl Serialize for ColliderRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { local, user_data, next, tag, extras, .. } = self;
        let extras = extras.as_ref().map(|extras| {
            let ColliderExtras { one_way, rehit, local_pose } = &**extras;
            (one_way, rehit, local_pose.as_ref().map(|(pose, shape)| (pose, &**shape)))
        });
        (&**local.shape(), user_data, next, tag, extras).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ColliderRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        type Extras = (Option<Vec2>, Rehit, Option<(Pose, Shape)>);
        let (shape, user_data, next, tag, extras) =
            <(Shape, _, _, _, Option<Extras>)>::deserialize(deserializer)?;
        let (one_way, rehit, local_pose) = extras.unwrap_or_default();
        let extras = ColliderExtras {
            one_way: one_way.filter(|up| up.is_finite() && *up != Vec2::ZERO),
            rehit,
            local_pose: local_pose.map(|(pose, shape)| (pose, Arc::new(shape))),
        };
        if let Some((pose, _)) = &extras.local_pose {
            check_pose(pose).map_err(D::Error::custom)?;
        }
        let local = LocalShape::new(Arc::new(shape));
        Ok(Self { next, ..Self::new(local, user_data, tag, extras) })
    }
}
