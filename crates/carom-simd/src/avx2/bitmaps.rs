//! Comparing bitmaps, four words at a time.

use core::arch::x86_64::*;
use core::ops::Range;

use crate::{BitOffset, BitRows, Overlay};

/// The number of words in a vector.
const WORDS: usize = 4;

/// The number of rows between two checks for a common bit: before the first check, and before each further one.
const ROW_CHUNKS: [usize; 2] = [32, 64];

/// The number of words between two checks, as in [`ROW_CHUNKS`], for bitmaps that are compared as one row.
const WORD_CHUNKS: [usize; 2] = [32, 1024];

/// Implements [`crate::bitmaps_overlap`].
#[target_feature(enable = "avx2")]
pub fn bitmaps_overlap(overlay: &Overlay<'_>) -> bool {
    if !overlay.check() {
        return false;
    }
    let Overlay { first: a, second: b, offset, words, rows } = overlay;
    let is_aligned = offset.bit == 0 && offset.across == 0 && a.stride == b.stride;
    if is_aligned && words.start == 0 && words.end == a.stride {
        // The words of all rows are adjacent in both: compare them as one row.
        return words_overlap(&a.words[..rows * a.stride], &b.words[..rows * b.stride]);
    }
    // SAFETY: `check` has just returned true.
    unsafe { rows_overlap(overlay) }
}

/// Compares two lists of words.
#[target_feature(enable = "avx2")]
fn words_overlap(a: &[u64], b: &[u64]) -> bool {
    chunks(a.len(), WORD_CHUNKS).any(|chunk| {
        let words = a[chunk.clone()].iter().zip(&b[chunk]);
        words.fold(0, |common, (a, b)| common | a & b) != 0
    })
}

/// Compares row by row.
///
/// # Safety
/// The caller must guarantee that [`Overlay::check`] returned `true` for this overlay.
#[target_feature(enable = "avx2")]
unsafe fn rows_overlap(overlay: &Overlay<'_>) -> bool {
    let words = &overlay.words;
    let whole = overlay.whole_words();
    // Words that are wholly covered by the second bitmap are compared four at a time; the words before and
    // after them separately. If there are fewer than four, all are "after".
    let start = if whole.len() < WORDS { words.start } else { whole.start };
    let fours = start..start + whole.len() / WORDS * WORDS;
    let edges = [words.start..fours.start, fours.end..words.end];
    chunks(overlay.rows, ROW_CHUNKS).any(|rows| {
        // SAFETY: `check` has made sure that both bitmaps have `overlay.rows` rows, and `rows` is part of
        // these. `fours` is empty or part of `whole`, and its length is a multiple of four.
        let common = unsafe { fours_overlap(overlay, rows.clone(), fours.clone()) };
        let mut edges = edges.iter().filter(|edge| !edge.is_empty());
        // SAFETY: `check` has made sure that both bitmaps have `overlay.rows` rows, of which `rows` are part,
        // and that `overlay.words`, of which each edge is part, is within a row of the first.
        common || edges.any(|edge| unsafe { edge_overlaps(overlay, rows.clone(), edge.clone()) })
    })
}

/// Splits `0..count` into chunks. The first chunk is shorter, because bitmaps with many common bits often have
/// some of them there. If `count` is at most twice its length, everything is one chunk.
fn chunks(count: usize, [first, next]: [usize; 2]) -> impl Iterator<Item = Range<usize>> {
    let first = if count <= 2 * first { count } else { first };
    let rest = (first..count).step_by(next).map(move |start| start..count.min(start + next));
    core::iter::once(0..first).chain(rest)
}

/// Compares some words of some rows, four words at a time.
///
/// # Safety
/// The caller must guarantee that both bitmaps have the rows, that `words` is empty or within
/// [`Overlay::whole_words`], and that its length is a multiple of four.
#[target_feature(enable = "avx2")]
unsafe fn fours_overlap(overlay: &Overlay<'_>, rows: Range<usize>, words: Range<usize>) -> bool {
    let Overlay { first: a, second: b, offset: BitOffset { across, bit }, .. } = *overlay;
    let mut common = _mm256_setzero_si256();
    for row in rows {
        let a_row = a.words.as_ptr().wrapping_add(row * a.stride);
        let b_row = b.words.as_ptr().wrapping_add(row * b.stride).wrapping_offset(across);
        for word in words.clone().step_by(WORDS) {
            let load = |row: *const u64| {
                // SAFETY: the four words from `word` on are within this row of the first bitmap. Since all of
                // them are in `whole_words`, the four words that are `across` further are within this row of
                // the second, and with a bit offset so are the four that start one word later.
                unsafe { _mm256_loadu_si256(row.wrapping_add(word).cast()) }
            };
            let low = load(b_row);
            let under = if bit == 0 { low } else { shift(low, load(b_row.wrapping_add(1)), bit) };
            common = _mm256_or_si256(common, _mm256_and_si256(load(a_row), under));
        }
    }
    _mm256_testz_si256(common, common) == 0
}

/// Compares some words of some rows that are partly beyond the second bitmap: four words of all rows, then
/// the next four.
///
/// # Safety
/// The caller must guarantee that both bitmaps have the rows, and that `words` is within a row of the first.
#[target_feature(enable = "avx2")]
unsafe fn edge_overlaps(overlay: &Overlay<'_>, rows: Range<usize>, words: Range<usize>) -> bool {
    let Overlay { first: a, second: b, offset: BitOffset { across, bit }, .. } = *overlay;
    words.clone().step_by(WORDS).any(|word| {
        let under = word as isize + across;
        let a_words = MaskedWords::new(a, word as isize, words.clone());
        let low = MaskedWords::new(b, under, 0..b.stride);
        let high = MaskedWords::new(b, under + 1, 0..b.stride);
        let mut common = _mm256_setzero_si256();
        for row in rows.clone() {
            // SAFETY: both bitmaps have the row, as the caller guarantees. The ranges are within a row of the
            // first (guaranteed by the caller) and of the second (all of it).
            let [a, low, high] = unsafe { [a_words.load(row), low.load(row), high.load(row)] };
            common = _mm256_or_si256(common, _mm256_and_si256(a, shift(low, high, bit)));
        }
        _mm256_testz_si256(common, common) == 0
    })
}

/// Returns the words that start at bit `bit` of the words `low` and continue in the words `high`. If `bit` is
/// 0, nothing of `high` remains, since AVX2 shifts by 64 bits to zero.
#[inline]
#[target_feature(enable = "avx2")]
fn shift(low: __m256i, high: __m256i, bit: u32) -> __m256i {
    let (down, up) = (_mm_cvtsi32_si128(bit as i32), _mm_cvtsi32_si128(64 - bit as i32));
    _mm256_or_si256(_mm256_srl_epi64(low, down), _mm256_sll_epi64(high, up))
}

/// Four adjacent words in every row of a bitmap, of which those outside a range count as zero.
struct MaskedWords<'a> {
    bits: BitRows<'a>,
    first: isize,
    mask: __m256i,
}

impl<'a> MaskedWords<'a> {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(bits: BitRows<'a>, first: isize, range: Range<usize>) -> Self {
        let (start, end) = (range.start as i64, range.end as i64);
        let words =
            _mm256_add_epi64(_mm256_set1_epi64x(first as i64), _mm256_set_epi64x(3, 2, 1, 0));
        let is_from = _mm256_cmpgt_epi64(words, _mm256_set1_epi64x(start - 1));
        let is_to = _mm256_cmpgt_epi64(_mm256_set1_epi64x(end), words);
        Self { bits, first, mask: _mm256_and_si256(is_from, is_to) }
    }

    /// Returns the words in a row.
    ///
    /// # Safety
    /// The caller must guarantee that the bitmap has the row, and that the range is within it.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn load(&self, row: usize) -> __m256i {
        let BitRows { words, stride } = self.bits;
        let from = words.as_ptr().wrapping_add(row * stride).wrapping_offset(self.first);
        // SAFETY: a masked load reads only the lanes that are set in the mask, which are words of the range, so
        // of this row.
        unsafe { _mm256_maskload_epi64(from.cast(), self.mask) }
    }
}
