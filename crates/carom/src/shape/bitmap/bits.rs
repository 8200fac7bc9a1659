//! Bit operations on words of 64 pixels.

use core::ops::Range;

use super::BLOCK;

/// Returns a word with the first `count` bits set; all of them from 64 on.
#[inline]
pub(crate) fn low_bits(count: u32) -> u64 {
    if count >= BLOCK { !0 } else { (1 << count) - 1 }
}

/// Returns the bits of a word of a row that lie in a range of columns.
#[inline]
pub(crate) fn span_bits(columns: &Range<u32>, across: u32) -> u64 {
    let first = across * BLOCK;
    let (start, end) = (columns.start.max(first) - first, columns.end.max(first) - first);
    low_bits(end) & !low_bits(start.min(end))
}

/// Iterates over the maximal runs of set bits.
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

/// Iterates over the set bits.
#[inline]
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (bit < BLOCK).then_some(bit)
    })
}

/// Returns 64 bits of a row from a bit (0 to 63) of a word on. The word may lie before the row or
/// after it; bits outside the row are 0.
#[inline]
pub(crate) fn bits_from(row: &[u64], across: isize, bit: u32) -> u64 {
    // Index -1 wraps to an index beyond the last.
    let word = |i: isize| row.get(i as usize).copied().unwrap_or(0);
    if bit == 0 { word(across) } else { word(across) >> bit | word(across + 1) << (BLOCK - bit) }
}
