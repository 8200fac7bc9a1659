//! The description of two bitmaps, one over the other.

use core::ops::Range;

/// A bitmap: rows of `stride` words each. The first bit of a row is the lowest bit of its first word.
#[derive(Clone, Copy, Debug)]
pub struct BitRows<'a> {
    /// The words of all rows, from the first word of the first row on.
    pub words: &'a [u64],
    /// The number of words in a row.
    pub stride: usize,
}

/// The horizontal offset between two bitmaps: the first bit of word `w` of the first bitmap is over bit
/// `bit` of word `w + across` of the second. Words that the second does not have count as zero.
#[derive(Clone, Copy, Debug)]
pub struct BitOffset {
    /// The offset in whole words.
    pub across: isize,
    /// The remaining offset in bits, 0 to 63.
    pub bit: u32,
}

/// Two bitmaps, one over the other, and the part in which they are compared.
#[derive(Clone, Debug)]
pub struct Overlay<'a> {
    /// The first bitmap.
    pub first: BitRows<'a>,
    /// The second bitmap. Its first row is over the first row of the first.
    pub second: BitRows<'a>,
    /// The horizontal offset between the two.
    pub offset: BitOffset,
    /// The words of the first bitmap's rows that are compared.
    pub words: Range<usize>,
    /// The number of rows that are compared.
    pub rows: usize,
}

impl Overlay<'_> {
    /// Checks the conditions on which the loops rely. Returns whether the two bitmaps can have a word in
    /// common at all; if so, `w + across` does not overflow for any word `w` of the first bitmap, nor
    /// `w - across` for any word of the second.
    ///
    /// # Panics
    /// See [`bitmaps_overlap`](crate::bitmaps_overlap).
    #[inline]
    pub(crate) fn check(&self) -> bool {
        let Self { first, second, offset, rows, words } = self;
        assert!(
            words.start <= words.end && words.end <= first.stride,
            "words {words:?} out of bounds for rows of {} words",
            first.stride
        );
        assert!(offset.bit < u64::BITS, "bit offset {} is not below 64", offset.bit);
        for BitRows { words, stride } in [first, second] {
            // If the product overflows, it is more than the length of any slice.
            let has_rows = rows.checked_mul(*stride).is_some_and(|needed| needed <= words.len());
            assert!(has_rows, "{rows} rows of {stride} words do not fit in {} words", words.len());
        }
        // With at least one row, strides are at most the lengths of slices, far from overflow.
        *rows > 0
            && second.stride > 0
            && offset.across.unsigned_abs() <= first.stride.max(second.stride)
    }

    /// Returns the compared words of the first bitmap that are covered by whole words of the second. With a
    /// bit offset, each needs two neighboring words of the second.
    ///
    /// Requires that [`check`](Self::check) has returned `true`.
    #[inline]
    pub(crate) fn whole_words(&self) -> Range<usize> {
        let Self { second, offset: BitOffset { across, bit }, words, .. } = self;
        let [first, last] = [words.start, words.end].map(|word| word as isize);
        let under = |word: isize| (word - across).clamp(first, last);
        let (start, end) = (under(0), under(second.stride as isize - isize::from(*bit > 0)));
        start as usize..end.max(start) as usize
    }
}
