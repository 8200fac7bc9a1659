//! Snapshots: worlds that are cloned, restored, compared and saved.

mod hash;
#[cfg(feature = "serde")]
mod serde;

pub(crate) use hash::{ShapeHashes, StateHash};

use crate::world::World;

/// A clone is a snapshot: it has the same keys and yields the same events for the same calls.
/// `world.clone_from(&snapshot)` restores it and reuses the memory of `world`.
///
/// A snapshot contains the whole state, including layers and sheets. A world that is restored forgets those
/// that were added after the snapshot, and adding them again yields the same keys. So add layers and sheets
/// before the first snapshot, or as part of the frame that is played again.
impl Clone for World {
    fn clone(&self) -> Self {
        Self {
            broad: self.broad.clone(),
            storage: self.storage.clone(),
            layers: self.layers.clone(),
            contact_pairs: self.contact_pairs.clone(),
            strikes: self.strikes.clone(),
            frames: self.frames.clone(),
            passages: self.passages.clone(),
            scratch: self.scratch.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.broad.clone_from(&source.broad);
        self.storage.clone_from(&source.storage);
        self.layers.clone_from(&source.layers);
        self.contact_pairs.clone_from(&source.contact_pairs);
        self.strikes.clone_from(&source.strikes);
        self.frames.clone_from(&source.frames);
        self.passages.clone_from(&source.passages);
        self.scratch.clone_from(&source.scratch);
        self.is_up_to_date = source.is_up_to_date;
        self.is_complete = source.is_complete;
        self.max_pairs = source.max_pairs;
    }
}

/// # Snapshots and rollback
impl World {
    /// Returns a hash of the state, which is the same on every machine and with any broad phase. Two
    /// players of a rollback or lockstep game whose hashes differ have desynchronized.
    ///
    /// The hash covers everything that determines future results (bodies, colliders, shapes, layers, the
    /// keys that will be assigned next) and the events of the last update. It does not cover user data,
    /// which the world never reads: it often contains entity ids, which differ between machines. If
    /// your user data must agree, hash it along with the rest of your game's state.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let hero = world.add_body(Body::moving([0.0, 0.0]))?;
    /// let snapshot = world.clone();
    /// world.translate(hero, [1.0, 0.0])?;
    /// assert_ne!(world.state_hash(), snapshot.state_hash());
    /// world.clone_from(&snapshot);
    /// assert_eq!(world.state_hash(), snapshot.state_hash());
    /// # Ok::<(), WorldError>(())
    /// ```
    #[doc(alias = "checksum")]
    #[doc(alias = "desync")]
    #[doc(alias = "rollback")]
    pub fn state_hash(&self) -> u64 {
        let mut hash = StateHash::new();
        self.hash_into(&mut hash);
        hash.value()
    }
}
