//! The trees for queries, built when they are first needed.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::ops::Deref;
use core::sync::atomic::{AtomicBool, Ordering};

use once_cell::race::OnceBox;

use super::box_store::BoxStore;
use crate::broad::Mobility;
use crate::broad::packed_bvh::PackedBvh;

/// After this many searches for pairs without a query in between, a tree is dropped.
const MAX_IDLE_SEARCHES: u32 = 8;

/// The owner of a tree: one that changes all the time is copied with a clone (`Box`), one that seldom changes
/// is shared with it until then (`Arc`).
pub(super) trait TreeHandle: Clone + Deref<Target = PackedBvh> + From<PackedBvh> {
    fn make_mut(&mut self) -> &mut PackedBvh;
}

impl TreeHandle for Box<PackedBvh> {
    #[inline]
    fn make_mut(&mut self) -> &mut PackedBvh {
        self
    }
}

impl TreeHandle for Arc<PackedBvh> {
    fn make_mut(&mut self) -> &mut PackedBvh {
        Arc::make_mut(self)
    }
}

/// A tree of all moving or of all fixed boxes. It is built by the first query, and then kept up to date for
/// as long as there are queries.
#[derive(Debug)]
pub(super) struct QueryTree<H> {
    mobility: Mobility,
    /// The tree after a query has built it, and before the first change. (Queries cannot change `owned`.)
    lazy: OnceBox<H>,
    /// The tree from the first change on.
    owned: Option<H>,
    /// `true` if there was a query since the last search for pairs.
    is_used: AtomicBool,
    /// The number of searches for pairs since the last query.
    idle_searches: u32,
}

impl<H: TreeHandle> QueryTree<H> {
    pub fn new(mobility: Mobility) -> Self {
        let (lazy, is_used) = (OnceBox::new(), AtomicBool::new(false));
        Self { mobility, lazy, owned: None, is_used, idle_searches: 0 }
    }

    /// Returns the tree, and builds it first if necessary.
    #[inline]
    pub fn get(&self, store: &BoxStore) -> &PackedBvh {
        self.is_used.store(true, Ordering::Relaxed);
        match &self.owned {
            Some(tree) => tree,
            None => self.lazy.get_or_init(|| {
                let mut tree = PackedBvh::default();
                tree.rebuild(store.ids(self.mobility), |id| store.bounds(id));
                Box::new(tree.into())
            }),
        }
    }

    /// Returns `true` if there is no tree, so nothing to keep up to date.
    #[inline]
    fn is_unbuilt(&self) -> bool {
        self.owned.is_none() & self.lazy.get().is_none() // one branch for both
    }

    /// Updates the tree after a box was set.
    #[inline]
    pub fn set(&mut self, id: u32, store: &BoxStore) {
        if !self.is_unbuilt() {
            self.set_in_tree(id, store);
        }
    }

    #[inline(never)] // keeps the case without a tree fast
    fn set_in_tree(&mut self, id: u32, store: &BoxStore) {
        if let Some(tree) = self.get_mut() {
            tree.set(id, store.bounds(id));
            if tree.needs_refit() {
                self.refit_or_drop(store);
            }
        }
    }

    /// Updates the tree after a box was removed.
    pub fn remove(&mut self, id: u32) {
        if let Some(tree) = self.get_mut() {
            tree.remove(id);
        }
    }

    /// Refits a tree that is in use, and drops one that has not been used for a while. Called once per search
    /// for pairs.
    pub fn maintain(&mut self, store: &BoxStore) {
        let is_used = core::mem::take(self.is_used.get_mut());
        self.idle_searches = if is_used { 0 } else { self.idle_searches.saturating_add(1) };
        if self.idle_searches > MAX_IDLE_SEARCHES {
            self.drop_tree();
        } else if is_used && self.owned.is_some() {
            self.refit(store);
        }
    }

    /// Returns the tree for changes, if there is one.
    #[inline]
    fn get_mut(&mut self) -> Option<&mut PackedBvh> {
        if self.owned.is_none() {
            self.take_ownership();
        }
        self.owned.as_mut().map(TreeHandle::make_mut)
    }

    #[cold]
    fn take_ownership(&mut self) {
        self.owned = core::mem::take(&mut self.lazy).get().cloned();
    }

    #[cold]
    fn refit_or_drop(&mut self, store: &BoxStore) {
        if core::mem::take(self.is_used.get_mut()) {
            self.refit(store);
        } else {
            self.drop_tree();
        }
    }

    /// Refits the tree, or rebuilds it if that is not enough.
    fn refit(&mut self, store: &BoxStore) {
        let ids = store.ids(self.mobility);
        if let Some(tree) = self.get_mut()
            && !tree.refit()
        {
            tree.rebuild(ids, |id| store.bounds(id));
        }
    }

    fn drop_tree(&mut self) {
        (self.lazy, self.owned) = (OnceBox::new(), None);
    }
}

impl<H: TreeHandle> Clone for QueryTree<H> {
    fn clone(&self) -> Self {
        let owned = self.owned.as_ref().or(self.lazy.get()).cloned();
        Self { owned, idle_searches: self.idle_searches, ..Self::new(self.mobility) }
    }
}
