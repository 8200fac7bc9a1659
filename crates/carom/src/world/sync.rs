//! Applies changes of bodies and colliders to the placed shapes, the dirty set and the broad phase.

use crate::math::Pose;
use crate::world::World;
use crate::world::body::{Body, BodyRecord};
use crate::world::storage::NONE;

impl World {
    /// Changes the pose of a body and moves its colliders.
    #[inline(always)]
    pub(crate) fn set_body_pose(&mut self, body: u32, change: impl FnOnce(&mut Pose)) {
        let mut slot = self.storage.first_collider(body);
        let Some(BodyRecord { body, .. }) = self.storage.bodies.get_slot_mut(body) else { return };
        // The pose is changed in a local copy and written once. Reading it back from memory right after
        // writing it would stall the CPU.
        let &mut Body { mut pose, enabled, visible, mobility, .. } = body;
        change(&mut pose);
        if pose == body.pose {
            return; // nothing has to be tested again
        }
        body.pose = pose;
        let is_active = enabled && (visible || self.storage.hidden_bodies_collide);
        while slot != NONE {
            let Some(record) = self.storage.colliders.get_slot(slot) else { return };
            let bounds = self.storage.placed[slot as usize].place_at(&record.local, &pose);
            self.storage.dirty.insert(slot);
            if is_active && self.storage.props[slot as usize].enabled {
                self.broad.set(slot, bounds, mobility);
            }
            slot = record.next;
        }
        self.is_up_to_date = false;
    }

    /// Places a collider's shape at the pose of its body.
    pub(crate) fn update_placed(&mut self, collider: u32) {
        let storage = &mut self.storage;
        let body = storage.props[collider as usize].body;
        if let (Some(record), Some(body)) =
            (storage.colliders.get_slot(collider), storage.bodies.get_slot(body))
        {
            storage.placed[collider as usize].place_at(&record.local, &body.body.pose);
        }
    }

    /// Calls [`sync_collider`](Self::sync_collider) for each collider of a body.
    pub(crate) fn sync_colliders_of(&mut self, body: u32) {
        let mut slot = self.storage.first_collider(body);
        while slot != NONE {
            self.sync_collider(slot);
            slot = self.storage.next_collider(slot);
        }
    }

    /// Inserts the collider into the broad phase, or removes it if it or its body is disabled.
    pub(crate) fn sync_collider(&mut self, collider: u32) {
        self.storage.dirty.insert(collider);
        self.is_up_to_date = false;
        match self.storage.mobility_of(collider) {
            Some(mobility) => {
                let bounds = self.storage.placed[collider as usize].bounds();
                self.broad.set(collider, bounds, mobility);
            }
            None => {
                self.broad.as_dyn_mut().remove(collider);
            }
        }
    }

    /// Inserts all active colliders into a new, empty broad phase.
    pub(crate) fn rebuild_broad_phase(&mut self) {
        for collider in 0..self.storage.colliders.slot_count() as u32 {
            if let Some(mobility) = self.storage.mobility_of(collider) {
                let bounds = self.storage.placed[collider as usize].bounds();
                self.broad.set(collider, bounds, mobility);
            }
        }
    }

    /// Removes a collider that is no longer in its body's list. If it touches something, it and its body
    /// stay accessible by their slots until the next update has reported the end of these pairs.
    pub(crate) fn detach_collider(&mut self, collider: u32) {
        self.storage.dirty.insert(collider);
        self.is_up_to_date = false;
        self.broad.as_dyn_mut().remove(collider);
        if !self.contact_pairs.involves(collider) {
            self.storage.colliders.remove(collider);
            return;
        }
        self.storage.colliders.retire(collider);
        let body = self.storage.props[collider as usize].body;
        if let Some(body) = self.storage.bodies.get_slot_mut(body) {
            body.has_pending_events = true;
        }
    }
}
