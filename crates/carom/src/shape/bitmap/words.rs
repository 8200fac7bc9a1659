//! 64 pixels at a time.

use core::ops::Range;

use super::BLOCK;

/// The first so many bits; all of them from 64 on.
#[inline]
pub(crate) fn low_bits(count: u32) -> u64 {
    if count >= BLOCK { !0 } else { (1 << count) - 1 }
}

/// Which bits of a row's word are in a range of columns.
#[inline]
pub(crate) fn span_bits(columns: &Range<u32>, across: u32) -> u64 {
    let first = across * BLOCK;
    let (start, end) = (columns.start.max(first) - first, columns.end.max(first) - first);
    low_bits(end) & !low_bits(start.min(end))
}

/// The bits that are set, as stretches that are as long as can be.
#[inline]
pub(crate) fn runs(mut word: u64) -> impl Iterator<Item = Range<u32>> {
    core::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let start = word.trailing_zeros();
        let end = start + (word >> start).trailing_ones();
        word &= !low_bits(end);
        Some(start..end)
    })
}

/// The bits that are set.
#[inline]
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (bit < BLOCK).then_some(bit)
    })
}

/// The 64 bits of a row from a bit (0 to 63) of a word on, which may be before its start or beyond its
/// end.
#[inline]
pub(crate) fn bits_from(row: &[u64], across: isize, bit: u32) -> u64 {
    // Before the first is beyond the last.
    let word = |i: isize| row.get(i as usize).copied().unwrap_or(0);
    if bit == 0 { word(across) } else { word(across) >> bit | word(across + 1) << (BLOCK - bit) }
}
