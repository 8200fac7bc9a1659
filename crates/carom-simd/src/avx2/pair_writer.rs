//! A writer that appends pairs to a list without a branch per pair.

use alloc::vec::Vec;
use core::arch::x86_64::*;

use super::{CACHE_LINE, PAGE};
use crate::{COPY_FLAG, LANES, Pair};

/// A writer that appends pairs to a list: it always writes eight of them, and advances the length by the number of
/// valid ones.
///
/// The list has the right length again when the writer is dropped.
pub struct PairWriter<'a> {
    pairs: &'a mut Vec<Pair>,
    /// A copy of the list's pointer. Without it, the compiler would load the pointer again after each store,
    /// because it cannot rule out that the store has overwritten it.
    to: *mut Pair,
    /// A copy of the list's capacity.
    capacity: usize,
    /// The number of pairs in the list. All of them are initialized, and it is at most the capacity.
    len: usize,
}

impl<'a> PairWriter<'a> {
    #[inline]
    pub fn new(pairs: &'a mut Vec<Pair>) -> Self {
        Self { to: pairs.as_mut_ptr(), capacity: pairs.capacity(), len: pairs.len(), pairs }
    }

    /// Reserves room for `additional` more pairs.
    #[inline]
    pub fn reserve(&mut self, additional: usize) {
        if self.capacity - self.len < additional {
            self.grow(additional);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, additional: usize) {
        self.with_list(|list| list.reserve(additional));
    }

    /// Calls a function with the list, which may change it in any way.
    #[inline]
    pub fn with_list(&mut self, change: impl FnOnce(&mut Vec<Pair>)) {
        self.set_len();
        change(self.pairs);
        (self.to, self.capacity) = (self.pairs.as_mut_ptr(), self.pairs.capacity());
        self.len = self.pairs.len();
    }

    /// Prefetches the memory that will be written soon, one page ahead.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn prefetch_next_page(&self) {
        let ahead = self.to.wrapping_add(self.len).cast::<i8>().wrapping_add(PAGE);
        _mm_prefetch::<_MM_HINT_ET0>(ahead);
        _mm_prefetch::<_MM_HINT_ET0>(ahead.wrapping_add(CACHE_LINE));
    }

    /// Appends the pairs of `id` with the ids in some lanes, which may have the [`COPY_FLAG`].
    ///
    /// # Safety
    /// The caller must have reserved room for [`LANES`] more pairs.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn push_with_id(&mut self, lanes: u32, ids: __m256i, id: __m256i) {
        let split = _mm256_permutevar8x32_epi32(ids, COMPACT_SPLIT.get(lanes));
        let (min, max) = ordered(split, id);
        // SAFETY: the caller has reserved room for `LANES` more pairs.
        unsafe { self.push_split(min, max, lanes.count_ones()) }
    }

    /// Appends the same pairs as [`push_with_id`](Self::push_with_id). This is faster if there are seldom more than
    /// four.
    ///
    /// # Safety
    /// The caller must have reserved room for [`LANES`] more pairs.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn push_few_with_id(&mut self, mut lanes: u32, ids: __m256i, id: __m256i) {
        let mut count = lanes.count_ones() as usize;
        loop {
            let twice = _mm256_permutevar8x32_epi32(ids, COMPACT_TWICE.get(lanes));
            let (min, max) = ordered(twice, id);
            let four = _mm256_blend_epi32::<0b1010_1010>(min, max);
            // SAFETY: the store writes four pairs of eight bytes each from index `len` on and needs no
            // alignment. The caller has reserved room for eight more pairs, and this is done at most twice,
            // the second time after four of them.
            unsafe { _mm256_storeu_si256(self.to.add(self.len).cast(), four) };
            self.len += count.min(4);
            if count <= 4 {
                break;
            }
            count -= 4;
            for _ in 0..4 {
                lanes &= lanes - 1; // clears the lowest lane
            }
        }
    }

    /// Appends the pairs of two numbers in some lanes.
    ///
    /// # Safety
    /// The caller must have reserved room for [`LANES`] more pairs.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn push(&mut self, lanes: u32, firsts: __m256i, seconds: __m256i) {
        let order = COMPACT_SPLIT.get(lanes);
        let firsts = _mm256_permutevar8x32_epi32(firsts, order);
        let seconds = _mm256_permutevar8x32_epi32(seconds, order);
        // SAFETY: the caller has reserved room for `LANES` more pairs.
        unsafe { self.push_split(firsts, seconds, lanes.count_ones()) }
    }

    /// Appends `count` pairs, whose numbers are in the lanes to which [`COMPACT_SPLIT`] moves them.
    ///
    /// # Safety
    /// The caller must have reserved room for [`LANES`] more pairs.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn push_split(&mut self, firsts: __m256i, seconds: __m256i, count: u32) {
        // SAFETY: the two stores write eight pairs of eight bytes each from index `len` on, for which the
        // caller has reserved room. They need no alignment.
        unsafe {
            let to: *mut __m256i = self.to.add(self.len).cast();
            _mm256_storeu_si256(to, _mm256_unpacklo_epi32(firsts, seconds));
            _mm256_storeu_si256(to.add(1), _mm256_unpackhi_epi32(firsts, seconds));
        }
        self.len += count as usize;
    }

    #[inline]
    fn set_len(&mut self) {
        // SAFETY: the first `len` pairs are initialized, because `len` is only advanced over pairs that have
        // just been written. It is at most the capacity, because room for these had been reserved.
        unsafe { self.pairs.set_len(self.len) };
    }
}

impl Drop for PairWriter<'_> {
    #[inline]
    fn drop(&mut self) {
        self.set_len();
    }
}

/// Returns the smaller and the greater of two ids. The first may have the [`COPY_FLAG`], which is removed.
#[inline]
#[target_feature(enable = "avx2")]
fn ordered(ids: __m256i, id: __m256i) -> (__m256i, __m256i) {
    let ids = _mm256_and_si256(ids, _mm256_set1_epi32(!COPY_FLAG as i32));
    (_mm256_min_epu32(ids, id), _mm256_max_epu32(ids, id))
}

/// For every set of lanes, a permutation that moves these lanes to the front. AVX2 has no instruction for
/// that ("compress"). Aligned so that each entry is in one cache line.
#[repr(align(32))]
struct PermutationTable([[u32; LANES]; 1 << LANES]);

/// The lanes of the set in ascending order.
static COMPACT: PermutationTable = PermutationTable::new([0, 1, 2, 3, 4, 5, 6, 7]);

/// The first four lanes of the set, each twice.
static COMPACT_TWICE: PermutationTable = PermutationTable::new([0, 0, 1, 1, 2, 2, 3, 3]);

/// The first four lanes of the set in the lower lanes of both halves, the others in the higher ones. Unpack
/// instructions work on each half separately; two vectors in this order are unpacked to pairs in ascending
/// order.
static COMPACT_SPLIT: PermutationTable = PermutationTable::new([0, 1, 4, 5, 2, 3, 6, 7]);

impl PermutationTable {
    /// Creates a table in which lane `i` of an entry is the lane of the set with rank `ranks[i]`.
    const fn new(ranks: [usize; LANES]) -> Self {
        let mut table = [[0; LANES]; 1 << LANES];
        let mut set = 0;
        while set < table.len() {
            let (mut lanes, mut lane, mut count) = ([0; LANES], 0, 0);
            while lane < LANES {
                if set >> lane & 1 == 1 {
                    lanes[count] = lane as u32;
                    count += 1;
                }
                lane += 1;
            }
            let mut to = 0;
            while to < LANES {
                table[set][to] = lanes[ranks[to]];
                to += 1;
            }
            set += 1;
        }
        Self(table)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn get(&self, lanes: u32) -> __m256i {
        // SAFETY: the load reads 32 bytes, which is the size of an entry. Every entry is aligned to 32 bytes,
        // because the table is and 32 is the size of an entry.
        unsafe { _mm256_load_si256(self.0[lanes as usize & 0xff].as_ptr().cast()) }
    }
}

/// Returns the permutation that moves a set of lanes to the front.
#[inline]
#[target_feature(enable = "avx2")]
pub fn compaction(lanes: u32) -> __m256i {
    COMPACT.get(lanes)
}
