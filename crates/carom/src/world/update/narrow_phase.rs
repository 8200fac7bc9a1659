//! Step 3 of an update: tests the shapes of the candidate pairs.

use alloc::vec::Vec;

use super::Scratch;
use super::contact_pairs::ContactPair;
use crate::broad::Pair;
use crate::shape::AsShape;
use crate::world::storage::Storage;

/// The number of pairs that one task tests. Fewer are not worth the cost of a task.
#[cfg(feature = "parallel")]
const CHUNK: usize = 2048;

impl Scratch {
    /// Collects the candidates that touch, with their contacts, in order.
    pub(super) fn test_candidates(&mut self, storage: &Storage) {
        self.found.clear();
        #[cfg(feature = "parallel")]
        if self.candidates.len() > CHUNK && rayon::current_num_threads() > 1 {
            return self.test_candidates_in_parallel(storage);
        }
        test_pairs(storage, &self.candidates, &mut self.found);
    }

    /// Tests the candidates on several threads. The chunks do not depend on the number of threads and are
    /// concatenated in order, so the result is always the same.
    #[cfg(feature = "parallel")]
    fn test_candidates_in_parallel(&mut self, storage: &Storage) {
        use rayon::prelude::*;
        let Self { candidates, chunks, found, .. } = self;
        let count = candidates.len().div_ceil(CHUNK);
        chunks.resize_with(count.max(chunks.len()), Vec::new);
        candidates.par_chunks(CHUNK).zip(&mut chunks[..count]).for_each(|(pairs, found)| {
            found.clear();
            test_pairs(storage, pairs, found);
        });
        chunks[..count].iter().for_each(|chunk| found.extend_from_slice(chunk));
    }
}

/// Appends the pairs that touch to `found`.
fn test_pairs(storage: &Storage, pairs: &[Pair], found: &mut Vec<ContactPair>) {
    const BATCH: usize = 16;
    for batch in pairs.chunks(BATCH) {
        // Pairs are sorted by their first collider, so the second one can be anywhere in memory.
        // Prefetching a whole batch overlaps the cache misses.
        batch.iter().for_each(|&[_, slot]| storage.prefetch_collider(slot));
        found.extend(batch.iter().filter_map(|&pair| test_pair(storage, pair)));
    }
}

/// Tests one pair. A pair with a sensor needs no contact, only the cheaper intersection test.
#[inline]
fn test_pair(storage: &Storage, pair: Pair) -> Option<ContactPair> {
    let [a_props, b_props] = pair.map(|slot| &storage.props[slot as usize]);
    let [a, b] = pair.map(|slot| storage.placed[slot as usize].as_shape());
    let contact = if a_props.makes_contact_with(b_props) {
        Some(a.contact(&b)?)
    } else if a.intersects(&b) {
        None
    } else {
        return None;
    };
    Some(ContactPair::new(pair, contact, a_props.is_combat_box()))
}
