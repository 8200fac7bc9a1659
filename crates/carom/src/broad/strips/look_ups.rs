//! The trees for look-ups, made when somebody asks.

use alloc::boxed::Box;
use core::sync::atomic::{AtomicBool, Ordering};

use once_cell::race::OnceBox;

use super::store::Store;
use crate::broad::Mobility;
use crate::broad::packed_tree::PackedTree;
use crate::shape::Aabb;

/// After so many searches for pairs without a look-up in between, a tree is given up.
const PATIENCE: u32 = 8;

/// A tree of the moving or of the static boxes. It is made at the first look-up and from then on kept
/// up to date, but only as long as there are look-ups.
#[derive(Debug)]
pub(super) struct LookUps {
    mobility: Mobility,
    /// Made in a look-up, which cannot change anything else.
    made: OnceBox<PackedTree>,
    /// From the first change after that on.
    kept: Option<Box<PackedTree>>,
    used: AtomicBool,
    idle: u32,
}

impl LookUps {
    pub fn new(mobility: Mobility) -> Self {
        let (made, used) = (OnceBox::new(), AtomicBool::new(false));
        Self { mobility, made, kept: None, used, idle: 0 }
    }

    /// The tree.
    pub fn tree(&self, store: &Store) -> &PackedTree {
        self.used.store(true, Ordering::Relaxed);
        self.kept.as_deref().unwrap_or_else(|| {
            self.made.get_or_init(|| {
                let mut tree = Box::<PackedTree>::default();
                tree.rebuild(store.ids(self.mobility), |id| store.bounds(id));
                tree
            })
        })
    }

    /// Whether there is no tree to be kept up to date.
    #[inline]
    pub fn is_asleep(&self) -> bool {
        self.kept.is_none() && self.made.get().is_none()
    }

    /// A box was set.
    pub fn set(&mut self, id: u32, bounds: Aabb, store: &Store) {
        if let Some(tree) = self.alive() {
            tree.set(id, bounds);
            if tree.is_worn() {
                self.renew(store);
            }
        }
    }

    /// A box was removed.
    pub fn remove(&mut self, id: u32) {
        if let Some(tree) = self.alive() {
            tree.remove(id);
        }
    }

    /// Pairs have been looked for: as good a time as any to make a tree anew that is in use, and to
    /// give up one that is not.
    pub fn settle(&mut self, store: &Store) {
        let used = core::mem::take(self.used.get_mut());
        self.idle = if used { 0 } else { self.idle + 1 };
        if self.idle > PATIENCE {
            self.give_up();
        } else if used
            && self.mobility == Mobility::Moving
            && let Some(tree) = self.alive()
        {
            tree.rebuild(store.ids(Mobility::Moving), |id| store.bounds(id));
        }
    }

    /// The tree if there is one, to be changed.
    fn alive(&mut self) -> Option<&mut PackedTree> {
        if self.made.get().is_some() {
            self.kept = core::mem::take(&mut self.made).get().map(|tree| Box::new(tree.clone()));
        }
        self.kept.as_deref_mut()
    }

    #[cold]
    fn renew(&mut self, store: &Store) {
        if core::mem::take(self.used.get_mut())
            && let Some(tree) = self.kept.as_deref_mut()
        {
            tree.rebuild(store.ids(self.mobility), |id| store.bounds(id));
        } else {
            self.give_up();
        }
    }

    fn give_up(&mut self) {
        (self.made, self.kept) = (OnceBox::new(), None);
    }
}
