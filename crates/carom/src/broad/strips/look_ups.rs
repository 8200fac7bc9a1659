//! The trees for look-ups, made when somebody asks.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::ops::Deref;
use core::sync::atomic::{AtomicBool, Ordering};

use once_cell::race::OnceBox;

use super::store::Store;
use crate::broad::Mobility;
use crate::broad::packed_bvh::PackedBvh;

/// After so many searches for pairs without a look-up in between, a tree is given up.
const PATIENCE: u32 = 8;

/// How a tree is kept: what changes all the time is copied with a clone, what seldom changes is shared
/// with it until then.
pub(super) trait Keep: Clone + Deref<Target = PackedBvh> + From<PackedBvh> {
    fn change(&mut self) -> &mut PackedBvh;
}

impl Keep for Box<PackedBvh> {
    #[inline]
    fn change(&mut self) -> &mut PackedBvh {
        self
    }
}

impl Keep for Arc<PackedBvh> {
    fn change(&mut self) -> &mut PackedBvh {
        Arc::make_mut(self)
    }
}

/// A tree of the moving or of the static boxes. It is made at the first look-up and from then on kept
/// up to date, but only as long as there are look-ups.
#[derive(Debug)]
pub(super) struct LookUps<K> {
    mobility: Mobility,
    /// Made in a look-up, which cannot change anything else.
    made: OnceBox<K>,
    /// From the first change after that on.
    kept: Option<K>,
    used: AtomicBool,
    idle: u32,
}

impl<K: Keep> LookUps<K> {
    pub fn new(mobility: Mobility) -> Self {
        let (made, used) = (OnceBox::new(), AtomicBool::new(false));
        Self { mobility, made, kept: None, used, idle: 0 }
    }

    /// The tree.
    #[inline]
    pub fn tree(&self, store: &Store) -> &PackedBvh {
        self.used.store(true, Ordering::Relaxed);
        match &self.kept {
            Some(tree) => tree,
            None => self.made.get_or_init(|| {
                let mut tree = PackedBvh::default();
                tree.rebuild(store.ids(self.mobility), |id| store.bounds(id));
                Box::new(tree.into())
            }),
        }
    }

    /// Whether there is no tree to be kept up to date.
    #[inline]
    pub fn is_asleep(&self) -> bool {
        self.kept.is_none() & self.made.get().is_none() // one branch for both
    }

    /// A box was set.
    #[inline]
    pub fn set(&mut self, id: u32, store: &Store) {
        if !self.is_asleep() {
            self.take_over(id, store);
        }
    }

    #[inline(never)] // those asleep are to be quick
    fn take_over(&mut self, id: u32, store: &Store) {
        if let Some(tree) = self.alive() {
            tree.set(id, store.bounds(id));
            if tree.is_worn() {
                self.look_after(store);
            }
        }
    }

    /// A box was removed.
    pub fn remove(&mut self, id: u32) {
        if let Some(tree) = self.alive() {
            tree.remove(id);
        }
    }

    /// Pairs have been looked for: as good a time as any to tidy a tree that is in use, and to give up
    /// one that is not.
    pub fn settle(&mut self, store: &Store) {
        let used = core::mem::take(self.used.get_mut());
        self.idle = if used { 0 } else { self.idle.saturating_add(1) };
        if self.idle > PATIENCE {
            self.give_up();
        } else if used && self.kept.is_some() {
            self.tidy(store);
        }
    }

    /// The tree if there is one, to be changed.
    #[inline]
    fn alive(&mut self) -> Option<&mut PackedBvh> {
        if self.kept.is_none() {
            self.keep();
        }
        self.kept.as_mut().map(Keep::change)
    }

    #[cold]
    fn keep(&mut self) {
        self.kept = core::mem::take(&mut self.made).get().cloned();
    }

    /// The tree is worn.
    #[cold]
    fn look_after(&mut self, store: &Store) {
        if core::mem::take(self.used.get_mut()) {
            self.tidy(store);
        } else {
            self.give_up();
        }
    }

    /// Tidies the tree, or makes it anew.
    fn tidy(&mut self, store: &Store) {
        let ids = store.ids(self.mobility);
        if let Some(tree) = self.alive()
            && !tree.tidy()
        {
            tree.rebuild(ids, |id| store.bounds(id));
        }
    }

    fn give_up(&mut self) {
        (self.made, self.kept) = (OnceBox::new(), None);
    }
}

impl<K: Keep> Clone for LookUps<K> {
    fn clone(&self) -> Self {
        let kept = self.kept.as_ref().or(self.made.get()).cloned();
        Self { kept, idle: self.idle, ..Self::new(self.mobility) }
    }
}
