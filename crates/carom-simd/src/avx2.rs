//! The loops with AVX2: three to four times as fast as the portable ones.
#![allow(unsafe_code, reason = "vector loads and stores, and writing behind the end of a list")]

use alloc::vec::Vec;
use core::arch::x86_64::*;
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

/// [`crate::sweep`] with AVX2.
#[target_feature(enable = "avx2,bmi2,popcnt")]
pub fn sweep(row: &Row, ends: &[u32], pairs: &mut Vec<Pair>) {
    let columns = Padded::of(row);
    let mut writer = Writer::new(pairs);
    for (place, &end) in ends.iter().enumerate() {
        let (bounds, id) = row.get(place);
        let end = row.len().min(end as usize);
        scan_places(&columns, place + 1..end, &bounds, id, &mut writer);
    }
}

/// [`crate::scan`] with AVX2.
#[target_feature(enable = "avx2,bmi2,popcnt")]
pub fn scan(
    row: &Row,
    places: Range<usize>,
    (bounds, id): (&Bounds, u32),
    continuing: bool,
    pairs: &mut Vec<Pair>,
) {
    let id = if continuing { id } else { id | CONTINUING };
    scan_places(&Padded::of(row), places, bounds, id, &mut Writer::new(pairs));
}

/// Holds one box against those at some places. If its id is marked as continuing, against those that
/// are not.
#[inline]
#[target_feature(enable = "avx2,bmi2,popcnt")]
fn scan_places(
    columns: &Padded<'_>,
    places: Range<usize>,
    &[min_x, min_y, max_x, max_y]: &Bounds,
    id: u32,
    writer: &mut Writer<'_>,
) {
    let (min_x, min_y) = (_mm256_set1_ps(min_x), _mm256_set1_ps(min_y));
    let (max_x, max_y) = (_mm256_set1_ps(max_x), _mm256_set1_ps(max_y));
    let left_out = (id as i32 >> 31) as u32;
    let id_here = _mm256_set1_epi32((id & !CONTINUING) as i32);
    let mut at = places.start;
    while at < places.end {
        let x = _mm256_and_ps(
            _mm256_cmp_ps::<_CMP_LE_OQ>(load(columns.min_x, at), max_x),
            _mm256_cmp_ps::<_CMP_GE_OQ>(load(columns.max_x, at), min_x),
        );
        let y = _mm256_and_ps(
            _mm256_cmp_ps::<_CMP_LE_OQ>(load(columns.min_y, at), max_y),
            _mm256_cmp_ps::<_CMP_GE_OQ>(load(columns.max_y, at), min_y),
        );
        let ids = load_ids(columns.ids, at);
        let meet = _mm256_movemask_ps(_mm256_and_ps(x, y)) as u32;
        let continuing = _mm256_movemask_ps(_mm256_castsi256_ps(ids)) as u32;
        let within = _bzhi_u32(meet, (places.end - at).min(LANES) as u32);
        writer.push(within & !(continuing & left_out), ids, id_here);
        at += LANES;
    }
}

/// The columns of a row with what stands behind the row, all of one length.
struct Padded<'a> {
    min_x: &'a [f32],
    max_x: &'a [f32],
    min_y: &'a [f32],
    max_y: &'a [f32],
    ids: &'a [u32],
}

impl<'a> Padded<'a> {
    #[inline]
    fn of(row: &'a Row) -> Self {
        let len = row.len() + LANES;
        Self {
            min_x: &row.min_x[..len],
            max_x: &row.max_x[..len],
            min_y: &row.min_y[..len],
            max_y: &row.max_y[..len],
            ids: &row.ids[..len],
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(column: &[f32], at: usize) -> __m256 {
    let lanes = &column[at..at + LANES];
    // SAFETY: the slice has eight numbers.
    unsafe { _mm256_loadu_ps(lanes.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_ids(ids: &[u32], at: usize) -> __m256i {
    let lanes = &ids[at..at + LANES];
    // SAFETY: the slice has eight numbers.
    unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) }
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

    /// Pairs an id with the ones in some lanes.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn push(&mut self, lanes: u32, ids: __m256i, id: __m256i) {
        if self.pairs.capacity() - self.len < LANES {
            self.grow();
        }
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

    #[cold]
    fn grow(&mut self) {
        self.finish();
        self.pairs.reserve(LANES);
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
