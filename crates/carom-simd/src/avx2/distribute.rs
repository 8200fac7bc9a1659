//! Distributing boxes to lists.

use alloc::vec::Vec;
use core::arch::x86_64::*;

use super::{AxisCellsX8, lane_mask, prefetch_next_page, store_u32, transpose};
use crate::{AxisCells, BoxEntry, COPY_FLAG, LANES, portable};

/// The number of boxes for which room is reserved in every list at a time.
const BATCH: usize = 512;

/// Implements [`crate::distribute`].
#[target_feature(enable = "avx2,popcnt")]
pub fn distribute(axis: &AxisCells, boxes: &[BoxEntry], lists: &mut [Vec<BoxEntry>]) {
    portable::check_lists(axis, lists);
    let axis_x8 = AxisCellsX8::new(axis);
    for batch in boxes.chunks(BATCH) {
        lists.iter_mut().for_each(|list| list.reserve(batch.len()));
        let (groups, rest) = batch.as_chunks::<LANES>();
        for group in groups {
            prefetch_next_page(group);
            let [_, low, _, high] = transpose(group.each_ref().map(|entry| &entry.bounds));
            let (first, last) = (axis_x8.cells(low), axis_x8.cells(high));
            let (mut firsts, mut lasts) = ([0; LANES], [0; LANES]);
            store_u32(&mut firsts, first);
            for (&list, &entry) in firsts.iter().zip(group) {
                // SAFETY: `list` is a cell of the axis, and `check_lists` has made sure that there is a list
                // for each cell. A list gets every box of the batch at most once, and room for all of them
                // has been reserved.
                unsafe { push(lists, list, entry) };
            }
            let mut lanes = lane_mask(_mm256_cmpgt_epi32(last, first));
            if lanes == 0 {
                continue; // no box spans several cells, as is usual
            }
            store_u32(&mut lasts, last);
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize % LANES;
                let BoxEntry { bounds, id } = group[lane];
                for list in firsts[lane] + 1..=lasts[lane] {
                    // SAFETY: `list` is at most the last cell of the box, so a cell of the axis, and
                    // `check_lists` has made sure that there is a list for each cell. The list differs from
                    // all others of this box, so it gets the box once, and room for it has been reserved.
                    unsafe { push(lists, list, BoxEntry { bounds, id: id | COPY_FLAG }) };
                }
                lanes &= lanes - 1;
            }
        }
        portable::distribute(axis, rest, lists);
    }
}

/// Appends a box to one of the lists.
///
/// # Safety
/// The caller must guarantee that `list` is less than the number of lists, and that the length of that list
/// is less than its capacity.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn push(lists: &mut [Vec<BoxEntry>], list: u32, entry: BoxEntry) {
    // SAFETY: `list` is in bounds. There is room for one more entry at the end of the list, which is written
    // before the length is increased to include it.
    unsafe {
        let list = lists.get_unchecked_mut(list as usize);
        let to = list.as_mut_ptr().add(list.len());
        // With many lists, the CPU does not prefetch the memory that each will write to next.
        _mm_prefetch::<_MM_HINT_T0>(to.wrapping_add(8).cast());
        to.write(entry);
        list.set_len(list.len() + 1);
    }
}
