//! Words aligned to a cache line.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

/// The size of a cache line in bytes, on the machines that games run on.
const LINE: usize = 64;

/// Words of which the first is aligned to a cache line. A read of four words that crosses two lines
/// costs as much as two reads: with alignment, comparing bitmaps of 256 by 256 pixels takes two
/// thirds of the time.
pub(super) struct AlignedWords {
    words: Vec<u64>,
    /// The number of unused words before the first one.
    start: usize,
}

impl AlignedWords {
    /// Creates `len` words of zeros.
    pub fn zeros(len: usize) -> Self {
        let word = size_of::<u64>();
        let mut words = vec![0; len + LINE / word - 1];
        let start = words.as_ptr().addr().wrapping_neg() % LINE / word;
        words.truncate(start + len);
        Self { words, start }
    }
}

impl Deref for AlignedWords {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        &self.words[self.start..]
    }
}

impl DerefMut for AlignedWords {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.words[self.start..]
    }
}

/// A copy has another address, so it needs its own alignment.
impl Clone for AlignedWords {
    fn clone(&self) -> Self {
        let mut copy = Self::zeros(self.len());
        copy.copy_from_slice(self);
        copy
    }
}

impl PartialEq for AlignedWords {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for AlignedWords {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_their_copies_start_at_a_cache_line() {
        for len in [0, 1, 7, 8, 9, 1000] {
            let mut lines = AlignedWords::zeros(len);
            lines.iter_mut().zip(1..).for_each(|(word, i)| *word = i);
            let copy = lines.clone();
            assert!(copy == lines && copy.len() == len);
            for words in [lines, copy] {
                assert!(words.as_ptr().addr().is_multiple_of(LINE), "{len} words");
            }
        }
    }
}
