//! Steps 1 and 2 of an update: the pairs that the narrow phase has to test.

use alloc::vec::Vec;

use super::Scratch;
use crate::broad::Pair;
use crate::world::StrikeRules;
use crate::world::storage::Storage;

impl Scratch {
    /// Sorts the pairs for the narrow phase.
    ///
    /// They are sorted here rather than after the narrow phase because a pair of slots is much smaller
    /// than a contact.
    pub(super) fn sort_candidates(&mut self, slot_count: usize) {
        sort_pairs(&self.pairs, slot_count, &mut self.candidates, &mut self.bucket_starts);
    }
}

/// Removes the pairs, from an index on, of which no collider has changed or that should not collide by
/// their layers, roles and bodies.
///
/// The broad phase calls this during its search, so that bodies that ignore each other do not count
/// towards the limit of pairs.
pub(super) fn retain_candidates(
    pairs: &mut Vec<Pair>,
    start: usize,
    storage: &Storage,
    rules: StrikeRules,
) {
    let mut kept = start;
    for index in start..pairs.len() {
        let pair = pairs[index];
        let [a, b] = pair.map(|slot| &storage.props[slot as usize]);
        let is_candidate = pair.iter().any(|&slot| storage.dirty.contains(slot))
            && a.should_collide_with(b, rules);
        // Written without a branch, which would be hard to predict.
        pairs[kept] = pair;
        kept += usize::from(is_candidate);
    }
    pairs.truncate(kept);
}

/// Writes `pairs` to `sorted` in ascending order.
///
/// Slots are small integers, so this is a bucket sort by the first slot: a counting sort distributes the
/// pairs to about as many buckets as there are pairs, and then each bucket is sorted by comparison.
/// `starts` is a buffer.
fn sort_pairs(pairs: &[Pair], slot_count: usize, sorted: &mut Vec<Pair>, starts: &mut Vec<u32>) {
    // 1. Choose the number of leading bits that select the bucket.
    let mut shift = 0;
    while slot_count >> shift > 2 * pairs.len() {
        shift += 1;
    }
    let bucket = |pair: &Pair| (pair[0] >> shift) as usize;
    // 2. Count the pairs of each bucket.
    starts.clear();
    starts.resize((slot_count >> shift) + 1, 0);
    for pair in pairs {
        starts[bucket(pair)] += 1;
    }
    // 3. Turn the counts into the starts of the buckets: an exclusive prefix sum.
    let mut start = 0;
    for next in starts.iter_mut() {
        (*next, start) = (start, start + *next);
    }
    // 4. Distribute the pairs. Each start advances to the end of its bucket.
    sorted.resize(pairs.len(), [0; 2]);
    for pair in pairs {
        let next = &mut starts[bucket(pair)];
        sorted[*next as usize] = *pair;
        *next += 1;
    }
    // 5. Sort within the buckets.
    let mut start = 0;
    for &end in starts.iter() {
        let bucket = &mut sorted[start..end as usize];
        if bucket.len() > 1 {
            bucket.sort_unstable_by_key(|&[a, b]| u64::from(a) << 32 | u64::from(b));
        }
        start = end as usize;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_pairs_is_sorted_by_slots() {
        let (mut sorted, mut starts) = (Vec::from([[9, 9]; 3]), Vec::new());
        for (count, slots) in [(0, 0), (0, 7), (1, 1), (5, 1000), (300, 40), (1000, 1000)] {
            let noise = |i: u32| i.wrapping_mul(2_654_435_761) >> 7;
            let pairs: Vec<Pair> =
                (0..count).map(|i| [noise(i) % slots, noise(i + 9999) % slots]).collect();
            sort_pairs(&pairs, slots as usize, &mut sorted, &mut starts);
            let mut expected = pairs;
            expected.sort_unstable();
            assert_eq!(sorted, expected);
        }
    }
}
