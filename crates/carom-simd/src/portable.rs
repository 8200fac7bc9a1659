//! The loops in safe code, for every machine.

use alloc::vec::Vec;
use core::ops::Range;

use wide::f32x8;

use crate::{Bounds, CONTINUING, LANES, Pair, Row};

/// [`crate::sweep`] in safe code.
///
/// # Panics
/// If there are not as many ends as boxes.
pub fn sweep(row: &Row, ends: &[u32], pairs: &mut Vec<Pair>) {
    assert_eq!(ends.len(), row.len(), "a row of boxes needs an end for each");
    for (place, &end) in ends.iter().enumerate() {
        let (bounds, id) = row.get(place);
        let others = place + 1..row.len().min(end as usize);
        scan(row, others, (&bounds, id & !CONTINUING), id & CONTINUING == 0, pairs);
    }
}

/// [`crate::scan`] in safe code.
///
/// # Panics
/// If the row is shorter than the places.
#[inline]
pub fn scan(
    row: &Row,
    places: Range<usize>,
    (bounds, id): (&Bounds, u32),
    continuing: bool,
    pairs: &mut Vec<Pair>,
) {
    assert!(places.end <= row.len(), "a row of {} has no place {}", row.len(), places.end);
    let [min_x, min_y, max_x, max_y] = bounds.map(f32x8::splat);
    let left_out = if continuing { 0 } else { CONTINUING };
    for at in places.step_by(LANES) {
        let meet = eight(&row.min_x, at).simd_le(max_x)
            & eight(&row.max_x, at).simd_ge(min_x)
            & eight(&row.min_y, at).simd_le(max_y)
            & eight(&row.max_y, at).simd_ge(min_y);
        let mut meet = meet.to_bitmask() as u32;
        while meet != 0 {
            let place = at + meet.trailing_zeros() as usize;
            meet &= meet - 1;
            let other = row.ids[place];
            if other & left_out == 0 {
                let other = other & !CONTINUING;
                pairs.push([id.min(other), id.max(other)]);
            }
        }
    }
}

#[inline(always)]
fn eight(column: &[f32], at: usize) -> f32x8 {
    let mut lanes = [0.0; LANES];
    lanes.copy_from_slice(&column[at..at + LANES]);
    f32x8::new(lanes)
}
