//! Looking up boxes in a row that is sorted.

use alloc::vec::Vec;
use core::arch::x86_64::*;
use core::ops::Range;

use super::columns::Columns;
use super::writer::{Writer, order};
use super::{Rulers, first_lanes, load, mask, store};
use crate::sorted::{AT_A_TIME, ROUNDING_SHARE};
use crate::{CONTINUING, LANES, Pair, Row, Sorted};

/// [`crate::join`] with AVX2. The places are in the row.
#[target_feature(enable = "avx2,popcnt")]
pub fn join(row: &Row, places: Range<usize>, sorted: Sorted<'_>, pairs: &mut Vec<Pair>) -> u64 {
    debug_assert!(places.end <= row.len());
    let columns = Columns::of(row);
    let others = Columns::of(sorted.row);
    let finder = Finder::of(&sorted);
    let mut writer = Writer::new(pairs);
    let mut reaches = Reaches::default();
    let mut tests = 0;
    for start in places.clone().step_by(AT_A_TIME) {
        // SAFETY: the places are in the row.
        unsafe { finder.find(&columns, start..places.end.min(start + AT_A_TIME), &mut reaches) };
        let mut mark = 0;
        while reaches.len > 0 {
            for i in 0..reaches.len {
                let places = sorted.places([reaches.firsts[i], reaches.lasts[i]]);
                tests += places.len() as u64;
                // Before anything is loaded: a call would cost registers.
                writer.make_room(places.len() + 2 * LANES);
                // SAFETY: the place is in the row, the places are in the sorted row, and there is room.
                unsafe {
                    let (bounds, id) = columns.get(reaches.places[i] as usize);
                    others.scan::<true, true>(places, bounds, id | mark, &mut writer);
                }
            }
            // A pair counts in the strip where one of the two begins.
            mark = CONTINUING;
            reaches.go_on(finder.columns);
        }
    }
    tests
}

/// Where boxes are to be looked for, those of one strip at a time, and in how many more strips.
struct Reaches {
    firsts: [u32; AT_A_TIME + LANES],
    lasts: [u32; AT_A_TIME + LANES],
    mores: [u32; AT_A_TIME + LANES],
    places: [u32; AT_A_TIME + LANES],
    len: usize,
}

impl Reaches {
    /// Adds those in some lanes.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn push(&mut self, lanes: u32, [first, last, more, place]: [__m256i; 4]) {
        let order = order(lanes);
        let lists = [&mut self.firsts, &mut self.lasts, &mut self.mores, &mut self.places];
        for (list, numbers) in lists.into_iter().zip([first, last, more, place]) {
            let to = list[self.len..].first_chunk_mut().expect("there is room for eight more");
            store(to, _mm256_permutevar8x32_epi32(numbers, order));
        }
        self.len += lanes.count_ones() as usize;
    }

    /// Goes to the next strip with those that reach it.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn go_on(&mut self, columns: __m256i) {
        let count = core::mem::take(&mut self.len);
        let none = _mm256_setzero_si256();
        for start in (0..count).step_by(LANES) {
            let lists = [&self.firsts, &self.lasts, &self.mores, &self.places];
            let [first, last, more, place] =
                lists.map(|list| load(list[start..].first_chunk().expect("a list of more")));
            let lanes = mask(_mm256_cmpgt_epi32(more, none)) & first_lanes(count - start);
            let (first, last) = (_mm256_add_epi32(first, columns), _mm256_add_epi32(last, columns));
            self.push(lanes, [first, last, _mm256_sub_epi32(more, _mm256_set1_epi32(1)), place]);
        }
    }
}

impl Default for Reaches {
    fn default() -> Self {
        let list = [0; AT_A_TIME + LANES];
        Self { firsts: list, lasts: list, mores: list, places: list, len: 0 }
    }
}

/// Finds [`Sorted::reach`] of eight boxes at a time.
struct Finder {
    x: Rulers,
    y: Rulers,
    columns: __m256i,
    widest: __m256,
}

impl Finder {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn of(sorted: &Sorted<'_>) -> Self {
        let (x, y) = (Rulers::of(&sorted.grid.x), Rulers::of(&sorted.grid.y));
        let columns = _mm256_set1_epi32(sorted.grid.columns() as i32);
        Self { x, y, columns, widest: _mm256_set1_ps(sorted.widest) }
    }

    /// Adds those of the boxes at some places, at most [`AT_A_TIME`], which are not marked.
    ///
    /// # Safety
    /// The places are in the row.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn find(&self, columns: &Columns<'_>, places: Range<usize>, reaches: &mut Reaches) {
        for at in places.clone().step_by(LANES) {
            // SAFETY: the place is in the row.
            let ([left, low, right, high], ids) = unsafe { columns.eight(at) };
            let leftmost = _mm256_sub_ps(left, self.widest);
            let size = _mm256_andnot_ps(_mm256_set1_ps(-0.0), leftmost);
            let share = _mm256_mul_ps(size, _mm256_set1_ps(ROUNDING_SHARE));
            let rounding = _mm256_add_ps(share, _mm256_set1_ps(f32::MIN_POSITIVE));
            let leftmost = _mm256_sub_ps(leftmost, rounding);
            let strip = self.y.cells(low);
            let first = _mm256_mullo_epi32(strip, self.columns);
            let last = _mm256_add_epi32(first, self.x.cells(right));
            let first = _mm256_add_epi32(first, self.x.cells(leftmost));
            let more = _mm256_sub_epi32(self.y.cells(high), strip);
            let place = _mm256_set1_epi32(at as i32);
            let place = _mm256_add_epi32(place, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
            let lanes = !mask(ids) & first_lanes(places.end - at);
            reaches.push(lanes, [first, last, more, place]);
        }
    }
}
