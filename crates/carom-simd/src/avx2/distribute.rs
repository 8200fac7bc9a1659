//! Giving boxes to lists.

use alloc::vec::Vec;
use core::arch::x86_64::*;

use super::{Rulers, fetch_a_page_ahead, mask, store, transposed};
use crate::{AxisCells, BoxEntry, COPY_FLAG, LANES, portable};

/// So many boxes at a time, before it is made sure again that every list has room for them.
const BATCH: usize = 512;

/// [`crate::distribute`] with AVX2.
#[target_feature(enable = "avx2,popcnt")]
pub fn distribute(ruler: &AxisCells, boxes: &[BoxEntry], lists: &mut [Vec<BoxEntry>]) {
    assert!(ruler.len() <= lists.len(), "{} cells have {} lists", ruler.len(), lists.len());
    let rulers = Rulers::of(ruler);
    for batch in boxes.chunks(BATCH) {
        lists.iter_mut().for_each(|list| list.reserve(batch.len()));
        let (eights, rest) = batch.as_chunks::<LANES>();
        for eight in eights {
            fetch_a_page_ahead(eight);
            let [_, low, _, high] = transposed(eight.each_ref().map(|entry| &entry.bounds));
            let (first, last) = (rulers.cells(low), rulers.cells(high));
            let (mut firsts, mut lasts) = ([0; LANES], [0; LANES]);
            store(&mut firsts, first);
            for (&list, &entry) in firsts.iter().zip(eight) {
                // SAFETY: no cell is behind the last, each has a list, and a list gets every box of the
                // batch once at most, for which it has room.
                unsafe { give(lists, list, entry) };
            }
            let mut lanes = mask(_mm256_cmpgt_epi32(last, first));
            if lanes == 0 {
                continue; // as most do
            }
            store(&mut lasts, last);
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize % LANES;
                let BoxEntry { bounds, id } = eight[lane];
                for list in firsts[lane] + 1..=lasts[lane] {
                    // SAFETY: as above.
                    unsafe { give(lists, list, BoxEntry { bounds, id: id | COPY_FLAG }) };
                }
                lanes &= lanes - 1;
            }
        }
        portable::distribute(ruler, rest, lists);
    }
}

/// Appends a box to one of the lists.
///
/// # Safety
/// There is such a list, and it has room.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn give(lists: &mut [Vec<BoxEntry>], list: u32, entry: BoxEntry) {
    // SAFETY: what is written lies in the room behind the end of the list, and counts from then on.
    unsafe {
        let list = lists.get_unchecked_mut(list as usize);
        let to = list.as_mut_ptr().add(list.len());
        // What comes next is asked for now: with so many lists, no CPU foresees where it writes.
        _mm_prefetch::<_MM_HINT_T0>(to.wrapping_add(8).cast());
        to.write(entry);
        list.set_len(list.len() + 1);
    }
}
