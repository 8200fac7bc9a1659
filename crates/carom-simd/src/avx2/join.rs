//! Looking up boxes in a row that is sorted.

use alloc::vec::Vec;
use core::arch::x86_64::*;
use core::ops::Range;

use super::columns::Columns;
use super::writer::{Writer, order};
use super::{Rulers, first_lanes, load, load_sides, mask, store, store_sides};
use crate::sorted::{AT_A_TIME, ROUNDING_SHARE};
use crate::{LANES, Pair, Row, Sorted};

/// [`crate::join`] with AVX2. The places are in the row.
#[target_feature(enable = "avx2,bmi2,popcnt")]
pub fn join(row: &Row, places: Range<usize>, sorted: &Sorted, pairs: &mut Vec<Pair>) -> u64 {
    debug_assert!(places.end <= row.len());
    let columns = Columns::of(row);
    let finder = Finder::of(sorted);
    let mut writer = Writer::new(pairs);
    let mut reaches = Reaches::default();
    let mut tests = 0;
    for start in places.clone().step_by(AT_A_TIME) {
        let end = places.end.min(start + AT_A_TIME);
        // SAFETY: the places are in the row.
        unsafe { finder.find(&columns, start..end, &mut reaches) };
        // SAFETY: the cells are those of the sorted row's grid.
        tests += unsafe { reaches.look_up::<true>(sorted, &mut writer) };
        reaches.go_on(finder.columns);
        while reaches.len > 0 {
            // SAFETY: as above.
            tests += unsafe { reaches.look_up::<false>(sorted, &mut writer) };
            reaches.go_on(finder.columns);
        }
    }
    tests
}

/// A number for each of the boxes that are looked for at a time, and room for eight more.
type List<T> = [T; AT_A_TIME + LANES];

/// Boxes, and where they are to be looked for: in the cells of one strip each, and in so many more strips.
struct Reaches {
    firsts: List<u32>,
    lasts: List<u32>,
    mores: List<u32>,
    ids: List<u32>,
    /// In the order of [`crate::Bounds`].
    sides: [List<f32>; 4],
    len: usize,
}

impl Reaches {
    /// Adds those in some lanes: first and last cells, strips, ids, and sides.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn push(&mut self, lanes: u32, numbers: [__m256i; 4], sides: [__m256; 4]) {
        let (len, order) = (self.len, order(lanes));
        let lists = [&mut self.firsts, &mut self.lasts, &mut self.mores, &mut self.ids];
        for (list, numbers) in lists.into_iter().zip(numbers) {
            store(eight_mut(list, len), _mm256_permutevar8x32_epi32(numbers, order));
        }
        for (list, sides) in self.sides.iter_mut().zip(sides) {
            store_sides(eight_mut(list, len), _mm256_permutevar8x32_ps(sides, order));
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
            let lists = [&self.firsts, &self.lasts, &self.mores, &self.ids];
            let [first, last, more, id] = lists.map(|list| load(eight(list, start)));
            let lanes = mask(_mm256_cmpgt_epi32(more, none)) & first_lanes(count - start);
            if lanes == 0 {
                continue;
            }
            let (first, last) = (_mm256_add_epi32(first, columns), _mm256_add_epi32(last, columns));
            let more = _mm256_sub_epi32(more, _mm256_set1_epi32(1));
            let sides = self.sides.each_ref().map(|list| load_sides(eight(list, start)));
            self.push(lanes, [first, last, more, id], sides);
        }
    }

    /// Holds each box against those of the sorted row in its cells; if these are not of its first strip,
    /// against those that begin there. Gives the number of tests.
    ///
    /// Few have more than eight to be held against. They come last, since a CPU cannot foresee who does.
    ///
    /// # Safety
    /// The cells are cells of the sorted row's grid.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi2,popcnt")]
    unsafe fn look_up<const FIRST: bool>(&self, sorted: &Sorted, writer: &mut Writer<'_>) -> u64 {
        let others = Columns::of(&sorted.row);
        let (mut tests, mut longer, mut long) = (0, [0; AT_A_TIME + 1], 0);
        writer.make_room((self.len + 1) * LANES);
        for i in 0..self.len {
            // SAFETY: the cells have starts.
            let places = unsafe { self.places(i, sorted) };
            tests += places.len() as u64;
            longer[long] = i as u32;
            long += usize::from(places.len() > LANES);
            let (bounds, id) = self.get(i);
            // SAFETY: no place is behind the row, and there is room for the pairs of a step for each box.
            unsafe { others.hold::<FIRST>(places.start, places.len(), &bounds, id, writer) };
        }
        for &i in &longer[..long] {
            // SAFETY: as above.
            let places = unsafe { self.places(i as usize, sorted) };
            writer.make_room(places.len() + LANES);
            let (bounds, id) = self.get(i as usize);
            for at in (places.start + LANES..places.end).step_by(LANES) {
                // SAFETY: as above.
                unsafe { others.hold::<FIRST>(at, places.end - at, &bounds, id, writer) };
            }
        }
        tests
    }

    /// Where a box is to be looked for in the sorted row.
    ///
    /// # Safety
    /// Its cells are cells of the sorted row's grid.
    #[inline]
    unsafe fn places(&self, i: usize, sorted: &Sorted) -> Range<usize> {
        let (first, last) = (self.firsts[i] as usize, self.lasts[i] as usize);
        // SAFETY: there are starts for all cells and one more.
        unsafe {
            let start = *sorted.starts.get_unchecked(first) as usize;
            start..*sorted.starts.get_unchecked(last + 1) as usize
        }
    }

    /// The sides of a box, each in all lanes, and its id.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn get(&self, i: usize) -> ([__m256; 4], __m256i) {
        let sides = self.sides.each_ref().map(|list| _mm256_set1_ps(list[i]));
        (sides, _mm256_set1_epi32(self.ids[i] as i32))
    }
}

/// Eight of a list, from a place on.
#[inline]
fn eight<T>(list: &List<T>, start: usize) -> &[T; LANES] {
    list[start..].first_chunk().expect("a list has room for eight more")
}

#[inline]
fn eight_mut<T>(list: &mut List<T>, start: usize) -> &mut [T; LANES] {
    list[start..].first_chunk_mut().expect("a list has room for eight more")
}

impl Default for Reaches {
    fn default() -> Self {
        let list = [0; AT_A_TIME + LANES];
        let sides = [[0.0; AT_A_TIME + LANES]; 4];
        Self { firsts: list, lasts: list, mores: list, ids: list, sides, len: 0 }
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
    fn of(sorted: &Sorted) -> Self {
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
            let (sides, ids) = unsafe { columns.eight(at) };
            let [left, low, right, high] = sides;
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
            let lanes = !mask(ids) & first_lanes(places.end - at);
            reaches.push(lanes, [first, last, more, ids], sides);
        }
    }
}
