//! Pairs in the order of their slots.

use alloc::vec::Vec;

use crate::broad::Pair;

/// Writes pairs in their order into another list.
///
/// Slots are small numbers, so the pairs are put into buckets by the first slot, about as many as there
/// are pairs; what is in one bucket is then sorted. `starts` is memory to work in.
pub(crate) fn sort(pairs: &[Pair], slots: usize, sorted: &mut Vec<Pair>, starts: &mut Vec<u32>) {
    let mut shift = 0;
    while slots >> shift > 2 * pairs.len() {
        shift += 1;
    }
    let bucket = |pair: &Pair| (pair[0] >> shift) as usize;
    starts.clear();
    starts.resize((slots >> shift) + 1, 0);
    for pair in pairs {
        starts[bucket(pair)] += 1;
    }
    let mut start = 0;
    for next in starts.iter_mut() {
        (*next, start) = (start, start + *next);
    }
    sorted.resize(pairs.len(), [0; 2]);
    for pair in pairs {
        let next = &mut starts[bucket(pair)];
        sorted[*next as usize] = *pair;
        *next += 1; // in the end, where the bucket ends
    }
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
    fn pairs_come_in_the_order_of_their_slots_however_many_there_are() {
        let (mut sorted, mut starts) = (Vec::from([[9, 9]; 3]), Vec::new());
        for (count, slots) in [(0, 0), (0, 7), (1, 1), (5, 1000), (300, 40), (1000, 1000)] {
            let noise = |i: u32| i.wrapping_mul(2_654_435_761) >> 7;
            let pairs: Vec<Pair> =
                (0..count).map(|i| [noise(i) % slots, noise(i + 9999) % slots]).collect();
            sort(&pairs, slots as usize, &mut sorted, &mut starts);
            let mut expected = pairs;
            expected.sort_unstable();
            assert_eq!(sorted, expected);
        }
    }
}
