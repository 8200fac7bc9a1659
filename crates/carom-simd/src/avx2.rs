//! The loops with AVX2: three to four times as fast as the portable ones.
#![allow(unsafe_code, reason = "vector loads and stores, and writing behind the end of a list")]

use alloc::vec::Vec;
use core::arch::x86_64::*;
use core::marker::PhantomData;
use core::ops::Range;

use crate::{Bounds, CONTINUING, LANES, Pair, Row};

/// For every set of lanes, the lanes of the set from the least on.
static LANES_OF: [[u32; LANES]; 1 << LANES] = {
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
    table
};

/// [`crate::sweep`] with AVX2. There is an end for each box.
#[target_feature(enable = "avx2,popcnt")]
pub fn sweep(row: &Row, ends: &[u32], pairs: &mut Vec<Pair>) {
    let columns = Columns::of(row);
    let mut writer = Writer::new(pairs);
    for (place, &end) in ends.iter().enumerate() {
        let places = place + 1..row.len().min(end as usize);
        // Before anything is loaded: a call would cost registers.
        writer.make_room(places.len() + LANES);
        // SAFETY: there are as many ends as boxes, so the place is in the row; the places end in it;
        // and there is room.
        unsafe {
            let (bounds, id) = columns.get(place);
            columns.scan(places, bounds, id, &mut writer);
        }
    }
}

/// [`crate::scan`] with AVX2. The places are in the row.
#[target_feature(enable = "avx2,popcnt")]
pub fn scan(
    row: &Row,
    places: Range<usize>,
    (bounds, id): (&Bounds, u32),
    continuing: bool,
    pairs: &mut Vec<Pair>,
) {
    debug_assert!(places.end <= row.len());
    let id = if continuing { id } else { id | CONTINUING };
    let mut writer = Writer::new(pairs);
    writer.make_room(places.len() + LANES);
    let bounds = bounds.map(|side| _mm256_set1_ps(side));
    // SAFETY: the places end in the row, and there is room.
    unsafe { Columns::of(row).scan(places, bounds, id, &mut writer) };
}

/// Where the columns of a row begin. They are longer than the row by [`LANES`].
struct Columns<'a> {
    min_x: *const f32,
    max_x: *const f32,
    min_y: *const f32,
    max_y: *const f32,
    ids: *const u32,
    row: PhantomData<&'a Row>,
}

impl<'a> Columns<'a> {
    #[inline]
    fn of(row: &'a Row) -> Self {
        Self {
            min_x: row.min_x.as_ptr(),
            max_x: row.max_x.as_ptr(),
            min_y: row.min_y.as_ptr(),
            max_y: row.max_y.as_ptr(),
            ids: row.ids.as_ptr(),
            row: PhantomData,
        }
    }

    /// The sides of a box, each in all lanes, and its id.
    ///
    /// # Safety
    /// The place is in the row.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn get(&self, at: usize) -> ([__m256; 4], u32) {
        // SAFETY: the place is in the row, so in every column.
        unsafe {
            let sides = [self.min_x, self.min_y, self.max_x, self.max_y];
            (sides.map(|column| _mm256_broadcast_ss(&*column.add(at))), *self.ids.add(at))
        }
    }

    /// Holds one box against those at some places. If its id is marked as continuing, against those
    /// that are not.
    ///
    /// # Safety
    /// The places end in the row, and there is room for a pair with each and eight more.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn scan(
        &self,
        places: Range<usize>,
        [min_x, min_y, max_x, max_y]: [__m256; 4],
        id: u32,
        writer: &mut Writer<'_>,
    ) {
        let left_out = (id as i32 >> 31) as u32;
        let id = _mm256_set1_epi32((id & !CONTINUING) as i32);
        let mut at = places.start;
        while at < places.end {
            // SAFETY: the place is in the row, and a column goes on for eight numbers behind it.
            let [left, low, right, high] = unsafe {
                let sides = [self.min_x, self.min_y, self.max_x, self.max_y];
                sides.map(|column| _mm256_loadu_ps(column.add(at)))
            };
            // SAFETY: as above.
            let ids = unsafe { _mm256_loadu_si256(self.ids.add(at).cast()) };
            let x = _mm256_and_ps(
                _mm256_cmp_ps::<_CMP_LE_OQ>(left, max_x),
                _mm256_cmp_ps::<_CMP_GE_OQ>(right, min_x),
            );
            let y = _mm256_and_ps(
                _mm256_cmp_ps::<_CMP_LE_OQ>(low, max_y),
                _mm256_cmp_ps::<_CMP_GE_OQ>(high, min_y),
            );
            let meet = _mm256_movemask_ps(_mm256_and_ps(x, y)) as u32;
            let continuing = _mm256_movemask_ps(_mm256_castsi256_ps(ids)) as u32;
            // SAFETY: there is room for a pair with each place left, and eight more.
            unsafe { writer.push(meet & !(continuing & left_out), ids, id) };
            at += LANES;
        }
    }
}

/// Appends to a list without a branch for each pair: eight are written every time, and the length
/// grows by those that count.
struct Writer<'a> {
    pairs: &'a mut Vec<Pair>,
    /// How many are written; the list is told in the end.
    len: usize,
}

impl<'a> Writer<'a> {
    #[inline]
    fn new(pairs: &'a mut Vec<Pair>) -> Self {
        Self { len: pairs.len(), pairs }
    }

    /// Makes sure that so many pairs can be written.
    #[inline]
    fn make_room(&mut self, pairs: usize) {
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

    /// Pairs an id with the ones in some lanes.
    ///
    /// # Safety
    /// There is room for eight pairs.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn push(&mut self, lanes: u32, ids: __m256i, id: __m256i) {
        // Move the ids that count to the front, put the lesser of two first, and interleave them.
        // SAFETY: every entry of the table has eight numbers.
        let order = unsafe { _mm256_loadu_si256(LANES_OF[lanes as usize & 0xff].as_ptr().cast()) };
        let others = _mm256_permutevar8x32_epi32(ids, order);
        let others = _mm256_and_si256(others, _mm256_set1_epi32(!CONTINUING as i32));
        let (least, greatest) = (_mm256_min_epu32(others, id), _mm256_max_epu32(others, id));
        let low = _mm256_unpacklo_epi32(least, greatest);
        let high = _mm256_unpackhi_epi32(least, greatest);
        // SAFETY: there is room for eight pairs, of eight bytes each, behind the first `len`.
        unsafe {
            let to: *mut __m256i = self.pairs.as_mut_ptr().add(self.len).cast();
            _mm256_storeu_si256(to, _mm256_permute2x128_si256::<0x20>(low, high));
            _mm256_storeu_si256(to.add(1), _mm256_permute2x128_si256::<0x31>(low, high));
        }
        self.len += lanes.count_ones() as usize;
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
