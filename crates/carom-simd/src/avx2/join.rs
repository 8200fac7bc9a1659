//! Looking up boxes in a row that is sorted.

use alloc::vec::Vec;
use core::arch::x86_64::*;
use core::ops::Range;

use super::columns::Columns;
use super::lanes::greatest;
use super::list::List;
use super::writer::{Writer, order};
use super::{BYTES, Rulers, bytes_set, first_lanes, mask};
use crate::sorted::{AT_A_TIME, ROUNDING_SHARE};
use crate::{BoxColumns, LANES, Pair, StripIndex};

/// [`crate::join`] with AVX2.
#[target_feature(enable = "avx2,popcnt")]
pub fn join(
    row: &BoxColumns,
    places: Range<usize>,
    sorted: &StripIndex,
    pairs: &mut Vec<Pair>,
) -> u64 {
    assert!(places.end <= row.len(), "a row of {} has no place {}", row.len(), places.end);
    let columns = Columns::of(row);
    let finder = Finder::of(sorted);
    let mut writer = Writer::new(pairs);
    let mut steps = 0;
    for start in places.clone().step_by(AT_A_TIME) {
        let end = places.end.min(start + AT_A_TIME);
        let mut reaches = Reaches::new();
        // SAFETY: the places are in the row.
        let any_more = unsafe { finder.find(&columns, start..end, &mut reaches) };
        // SAFETY: the cells are those of the sorted row's grid.
        steps += unsafe { reaches.look_up::<true>(sorted, &mut writer) };
        if any_more {
            reaches.go_on(finder.columns);
            while reaches.len > 0 {
                // SAFETY: as above.
                steps += unsafe { reaches.look_up::<false>(sorted, &mut writer) };
                reaches.go_on(finder.columns);
            }
        }
    }
    (steps * LANES) as u64
}

/// A number for each of the boxes that are looked for at a time, and eight more.
type Numbers = List<{ AT_A_TIME + LANES }>;

/// Boxes, and where they are to be looked for: from a cell of one strip on, and in so many more strips.
struct Reaches {
    firsts: Numbers,
    mores: Numbers,
    ids: Numbers,
    /// In the order of [`crate::Bounds`].
    sides: [Numbers; 4],
    /// How many boxes there are. So many numbers of each list are written, and eight more.
    len: usize,
}

impl Reaches {
    #[inline]
    fn new() -> Self {
        let sides = core::array::from_fn(|_| List::new());
        Self { firsts: List::new(), mores: List::new(), ids: List::new(), sides, len: 0 }
    }

    /// Adds those in some lanes: first cells, strips, ids, and sides.
    ///
    /// # Safety
    /// There are at most [`AT_A_TIME`] boxes before.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn push(&mut self, lanes: u32, numbers: [__m256i; 3], sides: [__m256i; 4]) {
        let order = order(lanes);
        let lists = [&mut self.firsts, &mut self.mores, &mut self.ids];
        for (list, numbers) in lists.into_iter().zip(numbers) {
            // SAFETY: there is room for eight more.
            unsafe { list.put(self.len, _mm256_permutevar8x32_epi32(numbers, order)) };
        }
        for (list, sides) in self.sides.iter_mut().zip(sides) {
            // SAFETY: as above.
            unsafe { list.put(self.len, _mm256_permutevar8x32_epi32(sides, order)) };
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
            // SAFETY: eight more than there were boxes are written.
            let ([first, more, id], sides) = unsafe {
                let lists = [&self.firsts, &self.mores, &self.ids];
                let sides = self.sides.each_ref().map(|list| list.eight(start));
                (lists.map(|list| list.eight(start)), sides)
            };
            let lanes = mask(_mm256_cmpgt_epi32(more, none)) & first_lanes(count - start);
            if lanes == 0 {
                continue;
            }
            let first = _mm256_add_epi32(first, columns);
            let more = _mm256_sub_epi32(more, _mm256_set1_epi32(1));
            // SAFETY: no more boxes go on than there were before these.
            unsafe { self.push(lanes, [first, more, id], sides) };
        }
    }

    /// Holds each box against those of the sorted row from its cell on; if that is not in its first strip,
    /// against those that begin there. Gives the number of steps.
    ///
    /// First, all boxes take one step, and only bits are noted: so the CPU works on many of them at a time.
    /// Then pairs are written, and at last those few go on for whom there is more than one step.
    ///
    /// # Safety
    /// The cells are cells of the sorted row's grid.
    #[inline(never)]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn look_up<const FIRST: bool>(
        &self,
        sorted: &StripIndex,
        writer: &mut Writer<'_>,
    ) -> usize {
        let (others, mut steps) = (Columns::of(&sorted.row), self.len);
        // SAFETY: there are so many boxes, and cells have starts, with eight places from there on.
        let start =
            |i| unsafe { *sorted.starts.get_unchecked(self.firsts.get(i) as usize) as usize };
        let (mut met, mut begun) = ([0; AT_A_TIME], [0; AT_A_TIME]);
        for (i, (met, begun)) in met.iter_mut().zip(&mut begun).enumerate().take(self.len) {
            // SAFETY: as above.
            let (meet, begin) = unsafe { others.compare::<FIRST>(start(i), &self.bounds(i)) };
            (*met, *begun) = (meet as u8, begin as u8);
        }
        writer.make_room((self.len + 1) * LANES);
        let mut set = places_set(&met);
        while set != 0 {
            let i = take_first(&mut set);
            // SAFETY: as above, and there is room.
            unsafe { writer.push_few_ids(met[i].into(), others.ids(start(i)), self.id(i)) };
        }
        // Those for whom the last of eight begins no later than they end.
        let mut set = places_set(&begun.map(|lanes| lanes >> (LANES - 1)));
        while set != 0 {
            let i = take_first(&mut set);
            // SAFETY: as above.
            let (mut at, bounds, id) = unsafe { (start(i), self.bounds(i), self.id(i)) };
            loop {
                at += LANES;
                steps += 1;
                writer.make_room(2 * LANES);
                // SAFETY: the last eight were boxes of the strip, and eight more are behind it; there is room.
                let (meet, begin) = unsafe { others.compare::<FIRST>(at, &bounds) };
                // SAFETY: as above.
                unsafe { writer.push_few_ids(meet, others.ids(at), id) };
                if begin >> (LANES - 1) == 0 {
                    break;
                }
            }
        }
        steps
    }

    /// The sides of a box, each in all lanes.
    ///
    /// # Safety
    /// There are so many boxes.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn bounds(&self, i: usize) -> [__m256; 4] {
        // SAFETY: there are so many boxes.
        self.sides.each_ref().map(|list| _mm256_set1_ps(f32::from_bits(unsafe { list.get(i) })))
    }

    /// The id of a box, in all lanes.
    ///
    /// # Safety
    /// There are so many boxes.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn id(&self, i: usize) -> __m256i {
        // SAFETY: there are so many boxes.
        _mm256_set1_epi32(unsafe { self.ids.get(i) } as i32)
    }
}

/// The places of bytes that are not zero, a bit for each.
#[inline]
#[target_feature(enable = "avx2")]
fn places_set(bytes: &[u8; AT_A_TIME]) -> u64 {
    const { assert!(AT_A_TIME == 2 * BYTES) };
    let halves = bytes.as_chunks().0;
    u64::from(bytes_set(&halves[1])) << BYTES | u64::from(bytes_set(&halves[0]))
}

/// Takes the first place from a set that is not empty.
#[inline]
fn take_first(set: &mut u64) -> usize {
    let first = set.trailing_zeros() as usize;
    *set &= *set - 1;
    first
}

/// Finds [`StripIndex::reach`] of eight boxes at a time.
struct Finder {
    x: Rulers,
    y: Rulers,
    columns: __m256i,
    widest: __m256,
    reach: __m256,
}

impl Finder {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn of(sorted: &StripIndex) -> Self {
        let (x, y) = (Rulers::of(&sorted.grid.x), Rulers::of(&sorted.grid.y));
        let columns = _mm256_set1_epi32(sorted.grid.columns() as i32);
        let [widest, reach] = [sorted.widest, sorted.reach].map(|size| _mm256_set1_ps(size));
        Self { x, y, columns, widest, reach }
    }

    /// Adds those of the boxes at some places, at most [`AT_A_TIME`], which are not marked. Tells whether
    /// any may reach more strips than one.
    ///
    /// # Safety
    /// The places are in the row, and there are no boxes yet.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn find(
        &self,
        columns: &Columns<'_>,
        places: Range<usize>,
        reaches: &mut Reaches,
    ) -> bool {
        let none = _mm256_setzero_si256();
        let mut most = none;
        for at in places.clone().step_by(LANES) {
            // SAFETY: the place is in the row.
            let (sides, ids) = unsafe { columns.eight(at) };
            let [left, low, _, high] = sides;
            let leftmost = _mm256_sub_ps(left, self.widest);
            let size = _mm256_andnot_ps(_mm256_set1_ps(-0.0), leftmost);
            let share = _mm256_mul_ps(size, _mm256_set1_ps(ROUNDING_SHARE));
            let rounding = _mm256_add_ps(share, _mm256_set1_ps(f32::MIN_POSITIVE));
            let leftmost = _mm256_sub_ps(leftmost, rounding);
            let strip = self.y.cells(low);
            let first = _mm256_mullo_epi32(strip, self.columns);
            let first = _mm256_add_epi32(first, self.x.cells(leftmost));
            let last = self.y.cells(_mm256_sub_ps(high, self.reach));
            let more = _mm256_sub_epi32(last, strip);
            most = _mm256_max_epi32(most, more);
            let lanes = !mask(ids) & first_lanes(places.end - at);
            let sides = sides.map(|sides| _mm256_castps_si256(sides));
            // SAFETY: there were less boxes than at a time.
            unsafe { reaches.push(lanes, [first, more, ids], sides) };
        }
        // SAFETY: there are at most as many boxes as at a time.
        unsafe { reaches.push(0, [none; 3], [none; 4]) };
        greatest(most) > 0
    }
}
