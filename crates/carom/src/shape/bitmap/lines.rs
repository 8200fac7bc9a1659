//! Words that start at a cache line.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

/// Bytes in a cache line, on the machines that games run on.
const LINE: usize = 64;

/// Words, the first of them at the start of a cache line. (A read of four words that lies across two
/// lines is as slow as two: bitmaps of 256 by 256 pixels are compared in two thirds of the time.)
pub(super) struct Lines {
    words: Vec<u64>,
    /// How many words lie before the first that counts.
    start: usize,
}

impl Lines {
    /// So many words of zeros.
    pub fn zeros(len: usize) -> Self {
        let word = size_of::<u64>();
        let mut words = vec![0; len + LINE / word - 1];
        let start = words.as_ptr().addr().wrapping_neg() % LINE / word;
        words.truncate(start + len);
        Self { words, start }
    }
}

impl Deref for Lines {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        &self.words[self.start..]
    }
}

impl DerefMut for Lines {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.words[self.start..]
    }
}

/// A copy lies elsewhere, and starts at a line of its own.
impl Clone for Lines {
    fn clone(&self) -> Self {
        let mut copy = Self::zeros(self.len());
        copy.copy_from_slice(self);
        copy
    }
}

impl PartialEq for Lines {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Lines {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_their_copies_start_at_a_cache_line() {
        for len in [0, 1, 7, 8, 9, 1000] {
            let mut lines = Lines::zeros(len);
            lines.iter_mut().zip(1..).for_each(|(word, i)| *word = i);
            let copy = lines.clone();
            assert!(copy == lines && copy.len() == len);
            for words in [lines, copy] {
                assert!(words.as_ptr().addr().is_multiple_of(LINE), "{len} words");
            }
        }
    }
}
