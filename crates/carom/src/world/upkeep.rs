//! Keeping the broad phase and the marks of change in step with the bodies.

use crate::broad::BroadPhase;
use crate::math::Pose;
use crate::world::World;
use crate::world::body::{Body, BodyRecord};
use crate::world::roster::NONE;

impl<B: BroadPhase> World<B> {
    /// Puts a body that is there somewhere else, with all its colliders.
    #[inline(always)]
    pub(crate) fn place_body(&mut self, body: u32, change: impl FnOnce(&mut Pose)) {
        let mut slot = self.roster.first_collider(body);
        let Some(BodyRecord { body, .. }) = self.roster.bodies.at_mut(body) else { return };
        // Changed here and written once: if it were read again right after, the CPU would wait for that.
        let &mut Body { mut pose, enabled, mobility, .. } = body;
        change(&mut pose);
        body.pose = pose;
        while slot != NONE {
            let Some(record) = self.roster.colliders.at(slot) else { return };
            let bounds = self.roster.placed[slot as usize].set(&record.local, &pose);
            self.roster.changed.set(slot);
            if enabled && self.roster.traits[slot as usize].enabled {
                self.broad.set(slot, bounds, mobility);
            }
            slot = record.next;
        }
        self.is_settled = false;
    }

    /// Puts a collider where its body is.
    pub(crate) fn place(&mut self, collider: u32) {
        let roster = &mut self.roster;
        let body = roster.traits[collider as usize].body;
        if let (Some(record), Some(body)) = (roster.colliders.at(collider), roster.bodies.at(body))
        {
            roster.placed[collider as usize].set(&record.local, &body.body.pose);
        }
    }

    /// Lets all colliders of a body take part as it says.
    pub(crate) fn refresh_colliders(&mut self, body: u32) {
        let mut slot = self.roster.first_collider(body);
        while slot != NONE {
            self.refresh(slot);
            slot = self.roster.next_collider(slot);
        }
    }

    /// Lets a collider take part as it and its body say.
    pub(crate) fn refresh(&mut self, collider: u32) {
        self.roster.changed.set(collider);
        self.is_settled = false;
        match self.roster.mobility_of(collider) {
            Some(mobility) => {
                let bounds = self.roster.placed[collider as usize].bounds();
                self.broad.set(collider, bounds, mobility);
            }
            None => {
                self.broad.remove(collider);
            }
        }
    }

    /// Puts all colliders into a new broad phase.
    pub(crate) fn fill_broad(&mut self) {
        for collider in 0..self.roster.colliders.places() as u32 {
            if let Some(mobility) = self.roster.mobility_of(collider) {
                let bounds = self.roster.placed[collider as usize].bounds();
                self.broad.set(collider, bounds, mobility);
            }
        }
    }

    /// Takes a collider out. If it touches something, it and its body stay known by their slots
    /// until the next update has told of the end.
    pub(crate) fn drop_collider(&mut self, collider: u32) {
        self.roster.changed.set(collider);
        self.is_settled = false;
        self.broad.remove(collider);
        if !self.touching.involves(collider) {
            self.roster.colliders.remove(collider);
            return;
        }
        self.roster.colliders.retire(collider);
        let body = self.roster.traits[collider as usize].body;
        if let Some(body) = self.roster.bodies.at_mut(body) {
            body.is_told_of = true;
        }
    }
}
