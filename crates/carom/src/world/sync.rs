//! Keeping the broad phase and the marks of change in step with the bodies.

use crate::math::Pose;
use crate::world::World;
use crate::world::body::{Body, BodyRecord};
use crate::world::storage::NONE;

impl World {
    /// Puts a body that is there somewhere else, with all its colliders.
    #[inline(always)]
    pub(crate) fn set_body_pose(&mut self, body: u32, change: impl FnOnce(&mut Pose)) {
        let mut slot = self.storage.first_collider(body);
        let Some(BodyRecord { body, .. }) = self.storage.bodies.get_slot_mut(body) else { return };
        // Changed here and written once: if it were read again right after, the CPU would wait for that.
        let &mut Body { mut pose, enabled, mobility, .. } = body;
        change(&mut pose);
        body.pose = pose;
        while slot != NONE {
            let Some(record) = self.storage.colliders.get_slot(slot) else { return };
            let bounds = self.storage.placed[slot as usize].place_at(&record.local, &pose);
            self.storage.dirty.insert(slot);
            if enabled && self.storage.props[slot as usize].enabled {
                self.broad.set(slot, bounds, mobility);
            }
            slot = record.next;
        }
        self.is_up_to_date = false;
    }

    /// Puts a collider where its body is.
    pub(crate) fn update_placed(&mut self, collider: u32) {
        let storage = &mut self.storage;
        let body = storage.props[collider as usize].body;
        if let (Some(record), Some(body)) =
            (storage.colliders.get_slot(collider), storage.bodies.get_slot(body))
        {
            storage.placed[collider as usize].place_at(&record.local, &body.body.pose);
        }
    }

    /// Lets all colliders of a body take part as it says.
    pub(crate) fn sync_colliders_of(&mut self, body: u32) {
        let mut slot = self.storage.first_collider(body);
        while slot != NONE {
            self.sync_collider(slot);
            slot = self.storage.next_collider(slot);
        }
    }

    /// Lets a collider take part as it and its body say.
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

    /// Puts all colliders into a new broad phase.
    pub(crate) fn rebuild_broad_phase(&mut self) {
        for collider in 0..self.storage.colliders.slot_count() as u32 {
            if let Some(mobility) = self.storage.mobility_of(collider) {
                let bounds = self.storage.placed[collider as usize].bounds();
                self.broad.set(collider, bounds, mobility);
            }
        }
    }

    /// Takes a collider out. If it touches something, it and its body stay known by their slots
    /// until the next update has told of the end.
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
