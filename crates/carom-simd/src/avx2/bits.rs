//! Bitmaps, four words at a time.

use core::arch::x86_64::*;
use core::ops::Range;

use crate::{BitOffset, BitRows, Overlay};

/// BitRows in a register.
const FOUR: usize = 4;

/// After so many rows it is time to see whether a common bit has been found, and so many more each time.
const ROWS: [usize; 2] = [32, 64];

/// The same in words, where rows do not count.
const WORDS: [usize; 2] = [32, 1024];

/// [`crate::bitmaps_overlap`] with AVX2.
#[target_feature(enable = "avx2")]
pub fn bitmaps_overlap(overlay: &Overlay<'_>) -> bool {
    if !overlay.check() {
        return false;
    }
    let Overlay { first: a, second: b, shift, words, rows } = overlay;
    let is_all = shift.bit == 0 && shift.across == 0 && a.stride == b.stride;
    if is_all && words.start == 0 && words.end == a.stride {
        // Rows without anything between them are one.
        return words_meet(&a.words[..rows * a.stride], &b.words[..rows * b.stride]);
    }
    // SAFETY: `check` has made sure that both bitmaps have all rows and words that are compared.
    unsafe { rows_meet(overlay) }
}

/// Word on word.
#[target_feature(enable = "avx2")]
fn words_meet(a: &[u64], b: &[u64]) -> bool {
    stretches(a.len(), WORDS).any(|stretch| {
        let words = a[stretch.clone()].iter().zip(&b[stretch]);
        words.fold(0, |common, (a, b)| common | a & b) != 0
    })
}

/// BoxColumns on row.
///
/// # Safety
/// The caller must have called [`Overlay::check`], and it must have returned `true`.
#[target_feature(enable = "avx2")]
unsafe fn rows_meet(overlay: &Overlay<'_>) -> bool {
    let words = &overlay.words;
    let whole = whole_words(words, overlay.second.stride, overlay.shift);
    // With less than four, all words are at one side.
    let start = if whole.len() < FOUR { words.start } else { whole.start };
    let fours = start..start + whole.len() / FOUR * FOUR;
    let sides = [words.start..fours.start, fours.end..words.end];
    stretches(overlay.rows, ROWS).any(|band| {
        // SAFETY: there are so many rows, and so many words of them have all that lies on them.
        let common = unsafe { fours_meet(overlay, band.clone(), fours.clone()) };
        let mut sides = sides.iter().filter(|side| !side.is_empty());
        // SAFETY: there are so many rows.
        common || sides.any(|side| unsafe { side_meets(overlay, band.clone(), side.clone()) })
    })
}

/// So many in stretches: the first one short, since what has much in common often has it there; unless
/// there is little more.
fn stretches(count: usize, [first, next]: [usize; 2]) -> impl Iterator<Item = Range<usize>> {
    let first = if count <= 2 * first { count } else { first };
    let rest = (first..count).step_by(next).map(move |start| start..count.min(start + next));
    core::iter::once(0..first).chain(rest)
}

/// The words of the first on which there are whole words of the second.
fn whole_words(
    words: &Range<usize>,
    stride: usize,
    BitOffset { across, bit }: BitOffset,
) -> Range<usize> {
    let place = |word: isize| (word - across).clamp(words.start as isize, words.end as isize);
    let (start, end) = (place(0), place(stride as isize - isize::from(bit > 0)));
    start as usize..end.max(start) as usize
}

/// BoxColumns by row, four words at a time.
///
/// # Safety
/// There have to be such rows, and words of the second on all of these of the first.
#[target_feature(enable = "avx2")]
unsafe fn fours_meet(overlay: &Overlay<'_>, rows: Range<usize>, words: Range<usize>) -> bool {
    let Overlay { first: a, second: b, shift: BitOffset { across, bit }, .. } = *overlay;
    let mut common = _mm256_setzero_si256();
    for row in rows {
        let mine = a.words.as_ptr().wrapping_add(row * a.stride);
        let theirs = b.words.as_ptr().wrapping_add(row * b.stride).wrapping_offset(across);
        for word in words.clone().step_by(FOUR) {
            let load = |from: *const u64| {
                // SAFETY: the caller says so.
                unsafe { _mm256_loadu_si256(from.wrapping_add(word).cast()) }
            };
            let low = load(theirs);
            let there =
                if bit == 0 { low } else { shifted(low, load(theirs.wrapping_add(1)), bit) };
            common = _mm256_or_si256(common, _mm256_and_si256(load(mine), there));
        }
    }
    _mm256_testz_si256(common, common) == 0
}

/// Four words of all rows, then the next four, with words missing on either side.
///
/// # Safety
/// There have to be such rows.
#[target_feature(enable = "avx2")]
unsafe fn side_meets(overlay: &Overlay<'_>, rows: Range<usize>, words: Range<usize>) -> bool {
    let Overlay { first: a, second: b, shift: BitOffset { across, bit }, .. } = *overlay;
    words.clone().step_by(FOUR).any(|word| {
        let at = word as isize + across;
        let mine = Column::new(a, word as isize, words.clone());
        let (low, high) = (Column::new(b, at, 0..b.stride), Column::new(b, at + 1, 0..b.stride));
        let mut common = _mm256_setzero_si256();
        for row in rows.clone() {
            // SAFETY: there are so many rows.
            let (mine, low, high) = unsafe { (mine.load(row), low.load(row), high.load(row)) };
            common = _mm256_or_si256(common, _mm256_and_si256(mine, shifted(low, high, bit)));
        }
        _mm256_testz_si256(common, common) == 0
    })
}

/// BitRows that start at a bit of some, and go on in those behind them. (Of these, moved up by a whole
/// word, nothing is left.)
#[inline]
#[target_feature(enable = "avx2")]
fn shifted(low: __m256i, high: __m256i, bit: u32) -> __m256i {
    let (down, up) = (_mm_cvtsi32_si128(bit as i32), _mm_cvtsi32_si128(64 - bit as i32));
    _mm256_or_si256(_mm256_srl_epi64(low, down), _mm256_sll_epi64(high, up))
}

/// Four words side by side in all rows; those outside a range are clear.
struct Column<'a> {
    words: BitRows<'a>,
    first: isize,
    lanes: __m256i,
}

impl<'a> Column<'a> {
    /// The range has to be within a row.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(words: BitRows<'a>, first: isize, range: Range<usize>) -> Self {
        let (start, end) = (range.start as i64, range.end as i64);
        let places =
            _mm256_add_epi64(_mm256_set1_epi64x(first as i64), _mm256_set_epi64x(3, 2, 1, 0));
        let is_from = _mm256_cmpgt_epi64(places, _mm256_set1_epi64x(start - 1));
        let is_to = _mm256_cmpgt_epi64(_mm256_set1_epi64x(end), places);
        Self { words, first, lanes: _mm256_and_si256(is_from, is_to) }
    }

    /// The words in a row.
    ///
    /// # Safety
    /// There has to be such a row.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn load(&self, row: usize) -> __m256i {
        let BitRows { words, stride } = self.words;
        let from = words.as_ptr().wrapping_add(row * stride).wrapping_offset(self.first);
        // SAFETY: lanes outside the row are not read.
        unsafe { _mm256_maskload_epi64(from.cast(), self.lanes) }
    }
}
