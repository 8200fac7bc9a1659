//! Giving boxes to lists.

use core::arch::x86_64::*;

use super::{Rulers, mask, store, transposed};
use crate::{Bounds, CONTINUING, Ids, LANES, List, Ruler, portable};

/// So many boxes at a time, before it is made sure again that every list has room for them.
const BATCH: usize = 512;

/// [`crate::deal`] with AVX2. There are as many lists as cells, and all have as many boxes as ids.
#[target_feature(enable = "avx2,popcnt")]
pub fn deal(ruler: &Ruler, boxes: &[Bounds], ids: Ids<'_>, start: usize, lists: &mut [List]) {
    debug_assert!(ruler.len() <= lists.len());
    let rulers = Rulers::of(ruler);
    for (batch, start) in boxes.chunks(BATCH).zip((start..).step_by(BATCH)) {
        for List { boxes, ids } in &mut *lists {
            boxes.reserve(batch.len());
            ids.reserve(batch.len());
        }
        let (eights, rest) = batch.as_chunks::<LANES>();
        for (eight, start) in eights.iter().zip((start as u32..).step_by(LANES)) {
            let [_, low, _, high] = transposed(eight.each_ref());
            let (first, last) = (rulers.cells(low), rulers.cells(high));
            let (mut firsts, mut lasts) = ([0; LANES], [0; LANES]);
            store(&mut firsts, first);
            for ((&list, bounds), place) in firsts.iter().zip(eight).zip(start..) {
                // SAFETY: no cell is behind the last, each has a list, and a list gets every box of the
                // batch once at most, for which it has room.
                unsafe { give(lists, list, bounds, ids.at(place)) };
            }
            let mut lanes = mask(_mm256_cmpgt_epi32(last, first));
            if lanes == 0 {
                continue; // as most do
            }
            store(&mut lasts, last);
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize % LANES;
                let id = ids.at(start + lane as u32) | CONTINUING;
                for list in firsts[lane] + 1..=lasts[lane] {
                    // SAFETY: as above.
                    unsafe { give(lists, list, &eight[lane], id) };
                }
                lanes &= lanes - 1;
            }
        }
        portable::deal(ruler, rest, ids, start + eights.len() * LANES, lists);
    }
}

/// Appends a box to one of the lists.
///
/// # Safety
/// There is such a list, it has as many boxes as ids, and it has room.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn give(lists: &mut [List], list: u32, bounds: &Bounds, id: u32) {
    // SAFETY: what is written lies in the room behind the ends of the list, and counts from then on.
    unsafe {
        let List { boxes, ids } = lists.get_unchecked_mut(list as usize);
        let len = boxes.len();
        let (to_box, to_id) = (boxes.as_mut_ptr().add(len), ids.as_mut_ptr().add(len));
        // What comes next is asked for now: with so many lists, no CPU foresees where it writes.
        _mm_prefetch::<_MM_HINT_T0>(to_box.wrapping_add(8).cast());
        _mm_prefetch::<_MM_HINT_T0>(to_id.wrapping_add(16).cast());
        to_box.write(*bounds);
        to_id.write(id);
        boxes.set_len(len + 1);
        ids.set_len(len + 1);
    }
}
