//! Lists of pairs as the loops write them.

use alloc::vec::Vec;
use core::arch::x86_64::*;

use super::{LINE, PAGE};
use crate::{COPY_FLAG, LANES, Pair};

/// Appends to a list without a branch for each pair: eight are written every time, and the length
/// grows by those that count.
pub struct Writer<'a> {
    pairs: &'a mut Vec<Pair>,
    /// Where the list begins, and how many it has room for. The list itself may lie where pairs are written,
    /// for all that the compiler knows: it would be asked again for each.
    to: *mut Pair,
    room: usize,
    /// How many are written; the list is told in the end.
    len: usize,
}

impl<'a> Writer<'a> {
    #[inline]
    pub fn new(pairs: &'a mut Vec<Pair>) -> Self {
        Self { to: pairs.as_mut_ptr(), room: pairs.capacity(), len: pairs.len(), pairs }
    }

    /// Makes sure that so many pairs can be written.
    #[inline]
    pub fn make_room(&mut self, pairs: usize) {
        if self.room - self.len < pairs {
            self.grow(pairs);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, pairs: usize) {
        self.with_list(|list| list.reserve(pairs));
    }

    /// Lets somebody else change the list.
    #[inline]
    pub fn with_list(&mut self, change: impl FnOnce(&mut Vec<Pair>)) {
        self.finish();
        change(self.pairs);
        (self.to, self.room) = (self.pairs.as_mut_ptr(), self.pairs.capacity());
        self.len = self.pairs.len();
    }

    /// Asks for the memory that will be written soon, a page ahead.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn fetch_ahead(&self) {
        let ahead = self.to.wrapping_add(self.len).cast::<i8>().wrapping_add(PAGE);
        _mm_prefetch::<_MM_HINT_ET0>(ahead);
        _mm_prefetch::<_MM_HINT_ET0>(ahead.wrapping_add(LINE));
    }

    /// Pairs an id with the ones in some lanes, which may be marked.
    ///
    /// # Safety
    /// There is room for eight pairs.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn push_ids(&mut self, lanes: u32, ids: __m256i, id: __m256i) {
        let spread = _mm256_permutevar8x32_epi32(ids, SPREAD.get(lanes));
        let (least, greatest) = sorted(spread, id);
        // SAFETY: there is room.
        unsafe { self.push_spread(least, greatest, lanes.count_ones()) }
    }

    /// The same, faster if there are seldom more than four.
    ///
    /// # Safety
    /// There is room for eight pairs.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn push_few_ids(&mut self, mut lanes: u32, ids: __m256i, id: __m256i) {
        let mut count = lanes.count_ones() as usize;
        loop {
            let (least, greatest) = sorted(_mm256_permutevar8x32_epi32(ids, TWICE.get(lanes)), id);
            let four = _mm256_blend_epi32::<0b1010_1010>(least, greatest);
            // SAFETY: there is room for four pairs, of eight bytes each, behind the first `len`.
            unsafe { _mm256_storeu_si256(self.to.add(self.len).cast(), four) };
            self.len += count.min(4);
            if count <= 4 {
                break;
            }
            count -= 4;
            for _ in 0..4 {
                lanes &= lanes - 1; // the least one is done
            }
        }
    }

    /// Pairs the numbers in some lanes.
    ///
    /// # Safety
    /// There is room for eight pairs.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn push(&mut self, lanes: u32, ones: __m256i, others: __m256i) {
        let order = SPREAD.get(lanes);
        let ones = _mm256_permutevar8x32_epi32(ones, order);
        let others = _mm256_permutevar8x32_epi32(others, order);
        // SAFETY: there is room.
        unsafe { self.push_spread(ones, others, lanes.count_ones()) }
    }

    /// Pairs so many numbers, which lie in the lanes as [`SPREAD`] brings them there.
    ///
    /// # Safety
    /// There is room for eight pairs.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn push_spread(&mut self, ones: __m256i, others: __m256i, count: u32) {
        // SAFETY: there is room for eight pairs, of eight bytes each, behind the first `len`.
        unsafe {
            let to: *mut __m256i = self.to.add(self.len).cast();
            _mm256_storeu_si256(to, _mm256_unpacklo_epi32(ones, others));
            _mm256_storeu_si256(to.add(1), _mm256_unpackhi_epi32(ones, others));
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

/// The lesser and the greater of two ids, of which the first may be marked.
#[inline]
#[target_feature(enable = "avx2")]
fn sorted(ids: __m256i, id: __m256i) -> (__m256i, __m256i) {
    let ids = _mm256_and_si256(ids, _mm256_set1_epi32(!COPY_FLAG as i32));
    (_mm256_min_epu32(ids, id), _mm256_max_epu32(ids, id))
}

/// For every set of lanes, its lanes from the least on. Aligned, so that an entry lies in one line of the
/// cache.
#[repr(align(32))]
struct Table([[u32; LANES]; 1 << LANES]);

static ONCE: Table = Table::of([0, 1, 2, 3, 4, 5, 6, 7]);

/// The first four of them, each two times.
static TWICE: Table = Table::of([0, 0, 1, 1, 2, 2, 3, 3]);

/// The first four in the lower lanes of both halves, the others in the higher ones: two of these are unpacked,
/// which is done half by half, to pairs in the order of the lanes.
static SPREAD: Table = Table::of([0, 1, 4, 5, 2, 3, 6, 7]);

impl Table {
    /// From which of a set's lanes, counted from the least on, goes to each lane.
    const fn of(from: [usize; LANES]) -> Self {
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
                table[set][to] = lanes[from[to]];
                to += 1;
            }
            set += 1;
        }
        Self(table)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn get(&self, lanes: u32) -> __m256i {
        // SAFETY: every entry of the table has eight numbers, and is aligned as they are together.
        unsafe { _mm256_load_si256(self.0[lanes as usize & 0xff].as_ptr().cast()) }
    }
}

/// Brings some lanes to the front.
#[inline]
#[target_feature(enable = "avx2")]
pub fn order(lanes: u32) -> __m256i {
    ONCE.get(lanes)
}
