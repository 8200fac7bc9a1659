//! Lists of pairs as the loops write them.

use alloc::vec::Vec;
use core::arch::x86_64::*;

use crate::{CONTINUING, LANES, Pair};

/// Appends to a list without a branch for each pair: eight are written every time, and the length
/// grows by those that count.
pub struct Writer<'a> {
    pairs: &'a mut Vec<Pair>,
    /// How many are written; the list is told in the end.
    len: usize,
}

impl<'a> Writer<'a> {
    #[inline]
    pub fn new(pairs: &'a mut Vec<Pair>) -> Self {
        Self { len: pairs.len(), pairs }
    }

    /// Makes sure that so many pairs can be written.
    #[inline]
    pub fn make_room(&mut self, pairs: usize) {
        if self.pairs.capacity() - self.len < pairs {
            self.grow(pairs);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, pairs: usize) {
        self.finish();
        self.pairs.reserve(pairs);
    }

    /// Pairs an id with the ones in some lanes, which may be marked.
    ///
    /// # Safety
    /// There is room for eight pairs.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn push_ids(&mut self, lanes: u32, ids: __m256i, id: __m256i) {
        let others = _mm256_permutevar8x32_epi32(ids, order(lanes));
        let others = _mm256_and_si256(others, _mm256_set1_epi32(!CONTINUING as i32));
        let (least, greatest) = (_mm256_min_epu32(others, id), _mm256_max_epu32(others, id));
        // SAFETY: there is room.
        unsafe { self.push(least, greatest, lanes.count_ones()) }
    }

    /// Pairs the numbers in the first lanes.
    ///
    /// # Safety
    /// There is room for eight pairs.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn push(&mut self, ones: __m256i, others: __m256i, count: u32) {
        let low = _mm256_unpacklo_epi32(ones, others);
        let high = _mm256_unpackhi_epi32(ones, others);
        // SAFETY: there is room for eight pairs, of eight bytes each, behind the first `len`.
        unsafe {
            let to: *mut __m256i = self.pairs.as_mut_ptr().add(self.len).cast();
            _mm256_storeu_si256(to, _mm256_permute2x128_si256::<0x20>(low, high));
            _mm256_storeu_si256(to.add(1), _mm256_permute2x128_si256::<0x31>(low, high));
        }
        self.len += count as usize;
    }

    #[inline]
    fn finish(&mut self) {
        // SAFETY: the first `len` pairs are written, and `len` is at most the capacity.
        unsafe { self.pairs.set_len(self.len) };
    }
}

impl Drop for Writer<'_> {
    #[inline]
    fn drop(&mut self) {
        self.finish();
    }
}

/// Aligned, so that an entry lies in one line of the cache.
#[repr(align(32))]
struct Table([[u32; LANES]; 1 << LANES]);

/// For every set of lanes, the lanes of the set from the least on.
static LANES_OF: Table = {
    let mut table = [[0; LANES]; 1 << LANES];
    let mut set = 0;
    while set < table.len() {
        let (mut lane, mut count) = (0, 0);
        while lane < LANES {
            if set >> lane & 1 == 1 {
                table[set][count] = lane as u32;
                count += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    Table(table)
};

/// Brings some lanes to the front.
#[inline]
#[target_feature(enable = "avx2")]
pub fn order(lanes: u32) -> __m256i {
    // SAFETY: every entry of the table has eight numbers.
    unsafe { _mm256_loadu_si256(LANES_OF.0[lanes as usize & 0xff].as_ptr().cast()) }
}
