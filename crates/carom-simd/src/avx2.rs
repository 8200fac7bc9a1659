//! The loops with AVX2. The rows `simd` of the bench tell how much faster they are than the portable
//! ones.
#![allow(unsafe_code, reason = "vector loads and stores, and writing behind the end of a list")]

mod bits;
mod columns;
mod distribute;
mod few;
mod join;
mod lanes;
mod list;
mod writer;

use alloc::vec::Vec;
use core::arch::x86_64::*;
use core::ops::Range;

use crate::ruler::{CELL, FIRST, ROUNDING};
use crate::steps::{PARTING, Steps};
use crate::{
    AxisCells, Bounds, BoxCells, BoxColumns, BoxEntry, BvhView, COPY_FLAG, LANES, NodeTest, Pair,
    StripGrid, portable, walk,
};
pub use bits::bitmaps_overlap;
use columns::Columns;
pub use distribute::distribute;
pub use few::all_pairs;
pub use join::join;
use lanes::{Eight, greatest, least};
use writer::Writer;

/// The bytes of a page of memory on most machines.
const PAGE: usize = 4096;

/// The bytes of a line of the cache.
const LINE: usize = 64;

/// Asks for what comes a page of memory after some values that are read one after the other: within a page,
/// a CPU foresees by itself what comes next, but not beyond.
#[inline]
#[target_feature(enable = "avx2")]
fn fetch_a_page_ahead<T>(values: &T) {
    let ahead = (&raw const *values).cast::<i8>().wrapping_add(PAGE);
    for offset in (0..size_of::<T>()).step_by(LINE) {
        _mm_prefetch::<_MM_HINT_T0>(ahead.wrapping_add(offset));
    }
}

/// [`crate::find_cells`] with AVX2. The list of other cells is empty.
#[target_feature(enable = "avx2,popcnt")]
pub fn find_cells(grid: &StripGrid, boxes: &[BoxEntry], cells: &mut BoxCells) {
    let _ = grid.cells(); // panics if their numbers would not fit
    let BoxCells { firsts, others } = cells;
    firsts.resize(boxes.len(), 0);
    let (x_ruler, y_ruler) = (Rulers::of(&grid.x), Rulers::of(&grid.y));
    let columns = _mm256_set1_epi32(grid.columns() as i32);
    let (eights, rest) = boxes.as_chunks();
    let (to_eights, to_rest) = firsts.as_chunks_mut();
    let mut writer = Writer::new(others);
    let mut place = 0;
    for (eight, to) in eights.iter().zip(to_eights) {
        fetch_a_page_ahead(eight);
        let [left, low, _, high] = transposed(eight.each_ref().map(|entry| &entry.bounds));
        let (x, first, last) = (x_ruler.cells(left), y_ruler.cells(low), y_ruler.cells(high));
        let cell = _mm256_add_epi32(_mm256_mullo_epi32(first, columns), x);
        store(to, cell);
        let next = _mm256_add_epi32(first, _mm256_set1_epi32(1));
        if mask(_mm256_cmpgt_epi32(last, next)) != 0 {
            // Some box reaches more than two strips.
            writer.with_list(|others| {
                for (place, entry) in (place..).zip(eight) {
                    portable::cell(grid, &entry.bounds, place, others);
                }
            });
        } else {
            let lanes = mask(_mm256_cmpgt_epi32(last, first));
            let other = _mm256_add_epi32(cell, columns);
            let places = _mm256_add_epi32(lane_numbers(), _mm256_set1_epi32(place as i32));
            writer.make_room(LANES);
            // SAFETY: there is room.
            unsafe { writer.push(lanes, other, places) };
        }
        place += LANES as u32;
    }
    writer.with_list(|others| {
        for ((place, entry), to) in (place..).zip(rest).zip(to_rest) {
            *to = portable::cell(grid, &entry.bounds, place, others);
        }
    });
}

/// [`crate::gather`] with AVX2.
#[target_feature(enable = "avx2,popcnt")]
pub fn gather(row: &mut BoxColumns, boxes: &[BoxEntry], places: &[u32]) {
    let (eights, rest) = places.as_chunks();
    let (min_x, max_x) = (row.min_x.as_chunks_mut().0, row.max_x.as_chunks_mut().0);
    let (min_y, max_y) = (row.min_y.as_chunks_mut().0, row.max_y.as_chunks_mut().0);
    let sides = min_x.iter_mut().zip(min_y).zip(max_x).zip(max_y);
    let to = sides.zip(row.ids.as_chunks_mut().0);
    for (eight, ((((min_x, min_y), max_x), max_y), ids)) in eights.iter().zip(to) {
        gather_eight(boxes, eight, [min_x, min_y, max_x, max_y], ids);
    }
    if rest.is_empty() {
        return;
    }
    let start = places.len().saturating_sub(LANES);
    let sides = [&mut row.min_x, &mut row.min_y, &mut row.max_x, &mut row.max_y];
    let sides = sides.map(|column| column[start..].first_chunk_mut());
    if let (Some(eight), [Some(min_x), Some(min_y), Some(max_x), Some(max_y)], Some(ids)) =
        (places[start..].first_chunk(), sides, row.ids[start..].first_chunk_mut())
    {
        // The last eight, some of them a second time.
        gather_eight(boxes, eight, [min_x, min_y, max_x, max_y], ids);
    } else {
        portable::gather(row, boxes, places);
    }
}

/// Collects eight boxes: their sides, in the order of [`Bounds`], and their ids.
#[inline]
#[target_feature(enable = "avx2")]
fn gather_eight(
    boxes: &[BoxEntry],
    places: &[u32; LANES],
    sides: [&mut [f32; LANES]; 4],
    ids: &mut [u32; LANES],
) {
    let from = places.map(|place| &boxes[(place & !COPY_FLAG) as usize]);
    let gathered = transposed(from.map(|entry| &entry.bounds));
    for (to, from) in sides.into_iter().zip(gathered) {
        store_sides(to, from);
    }
    let marks = _mm256_and_si256(load(places), _mm256_set1_epi32(COPY_FLAG as i32));
    store(ids, _mm256_or_si256(load(&from.map(|entry| entry.id)), marks));
}

/// A ruler in all lanes.
struct Rulers {
    low: __m256,
    scale: __m256,
    last: __m256,
}

impl Rulers {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn of(ruler: &AxisCells) -> Self {
        Self {
            low: _mm256_set1_ps(ruler.low),
            scale: _mm256_set1_ps(ruler.scale),
            last: _mm256_set1_ps(ruler.last),
        }
    }

    /// [`AxisCells::cell`] for eight.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn cells(&self, at: __m256) -> __m256i {
        let half = _mm256_mul_ps(at, _mm256_set1_ps(0.5));
        let along = _mm256_mul_ps(_mm256_sub_ps(half, self.low), self.scale);
        let along = _mm256_min_ps(_mm256_max_ps(along, _mm256_set1_ps(FIRST)), self.last);
        let rounded = _mm256_castps_si256(_mm256_add_ps(along, _mm256_set1_ps(ROUNDING)));
        _mm256_and_si256(rounded, _mm256_set1_epi32(CELL as i32))
    }
}

/// The four sides of eight boxes.
#[inline]
#[target_feature(enable = "avx2")]
fn transposed(boxes: [&Bounds; LANES]) -> [__m256; 4] {
    // SAFETY: a box has four numbers.
    let [a, b, c, d, e, f, g, h] = boxes.map(|bounds| unsafe { _mm_loadu_ps(bounds.as_ptr()) });
    let two = |low, high| _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(low), high);
    let (a, b, c, d) = (two(a, e), two(b, f), two(c, g), two(d, h));
    let (min_ab, min_cd) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
    let (max_ab, max_cd) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
    [
        _mm256_shuffle_ps::<0x44>(min_ab, min_cd),
        _mm256_shuffle_ps::<0xee>(min_ab, min_cd),
        _mm256_shuffle_ps::<0x44>(max_ab, max_cd),
        _mm256_shuffle_ps::<0xee>(max_ab, max_cd),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(to: &mut [u32; LANES], numbers: __m256i) {
    // SAFETY: the list has eight numbers.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), numbers) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(from: &[u32; LANES]) -> __m256i {
    // SAFETY: the list has eight numbers.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_sides(from: &[f32; LANES]) -> __m256 {
    // SAFETY: the list has eight numbers.
    unsafe { _mm256_loadu_ps(from.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_sides(to: &mut [f32; LANES], sides: __m256) {
    // SAFETY: the list has eight numbers.
    unsafe { _mm256_storeu_ps(to.as_mut_ptr(), sides) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn lane_numbers() -> __m256i {
    _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)
}

/// The highest bits of the lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn mask(lanes: __m256i) -> u32 {
    _mm256_movemask_ps(_mm256_castsi256_ps(lanes)) as u32
}

/// How many bytes there are in a register.
const BYTES: usize = 32;

/// Which bytes are not zero, a bit for each.
#[inline]
#[target_feature(enable = "avx2")]
fn bytes_set(bytes: &[u8; BYTES]) -> u32 {
    // SAFETY: the list has 32 bytes.
    let bytes = unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) };
    !_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256())) as u32
}

/// So many lanes, or all.
#[inline]
fn first_lanes(count: usize) -> u32 {
    (1 << count.min(LANES)) - 1
}

/// [`crate::find_ends`] with AVX2.
#[target_feature(enable = "avx2,popcnt")]
pub fn find_ends(
    row: &BoxColumns,
    ruler: &AxisCells,
    start: u32,
    end: impl Fn(u32) -> u32,
    ends: &mut Vec<u32>,
) -> u64 {
    let rulers = Rulers::of(ruler);
    ends.resize(row.len(), 0);
    let (eights, rest) = row.max_x().as_chunks();
    let (to_eights, to_rest) = ends.as_chunks_mut();
    let starts = _mm256_set1_epi32(start as i32);
    let mut sums = _mm256_setzero_si256();
    for (eight, to) in eights.iter().zip(to_eights) {
        store(to, rulers.cells(load_sides(eight)));
        let ends = _mm256_sub_epi32(load(&to.map(&end)), starts);
        store(to, ends);
        let odd = _mm256_srli_epi64::<32>(ends);
        let even = _mm256_and_si256(ends, _mm256_set1_epi64x(u32::MAX.into()));
        sums = _mm256_add_epi64(sums, _mm256_add_epi64(odd, even));
    }
    let mut sum = 0;
    for (&x, to) in rest.iter().zip(to_rest) {
        *to = end(ruler.cell(x)) - start;
        sum += u64::from(*to);
    }
    sum += _mm256_extract_epi64::<0>(sums) as u64 + _mm256_extract_epi64::<1>(sums) as u64;
    sum += _mm256_extract_epi64::<2>(sums) as u64 + _mm256_extract_epi64::<3>(sums) as u64;
    let len = row.len() as u64;
    sum - len * (len + 1) / 2 // no box is held against those before it, nor against itself
}

/// [`crate::exclusive_prefix_sum`] with AVX2.
#[target_feature(enable = "avx2")]
pub fn exclusive_prefix_sum(numbers: &mut [u32]) -> u32 {
    let mut sum = _mm256_setzero_si256();
    let (eights, rest) = numbers.as_chunks_mut();
    for eight in eights {
        let each = load(eight);
        // Sums of two, then of four, then of the lower four with each of the higher.
        let sums = _mm256_add_epi32(each, _mm256_slli_si256::<4>(each));
        let sums = _mm256_add_epi32(sums, _mm256_slli_si256::<8>(sums));
        let lower = _mm256_permute2x128_si256::<0x08>(sums, sums);
        let sums = _mm256_add_epi32(sums, _mm256_shuffle_epi32::<0xff>(lower));
        store(eight, _mm256_add_epi32(sum, _mm256_sub_epi32(sums, each)));
        // Eight wait for no more than this one sum from those before them.
        sum = _mm256_add_epi32(sum, _mm256_permutevar8x32_epi32(sums, _mm256_set1_epi32(7)));
    }
    let mut sum = _mm256_extract_epi32::<0>(sum) as u32;
    for number in rest {
        (*number, sum) = (sum, sum + *number);
    }
    sum
}

/// [`crate::sweep`] with AVX2.
///
/// Tried and not kept: writing down the steps of many eights before the first is taken, so that a CPU need
/// not foresee how many each takes (what is loaded twice costs more); writing four pairs at a time and
/// seldom more (a CPU does not foresee when, where boxes crowd); a number of steps that two or four divide.
#[target_feature(enable = "avx2,popcnt")]
pub fn sweep(row: &BoxColumns, ends: &[u32], pairs: &mut Vec<Pair>) {
    assert_eq!(ends.len(), row.len(), "a row of boxes needs an end for each");
    let columns = Columns::of(row);
    let mut writer = Writer::new(pairs);
    let (eights, rest) = Steps::eights(ends, row.len());
    let eights = (0..).step_by(LANES).zip(eights.iter().chain(&rest));
    let mut eights = eights.map(|(start, ends)| (start, ends, steps(start, ends)));
    let mut eight = eights.next();
    while let Some((start, ends, steps)) = eight {
        // Before it is needed: else the CPU would have to foresee where the next eight end.
        eight = eights.next();
        // SAFETY: there are as many ends as boxes, so the place is in the row, and no end lies behind it.
        unsafe { sweep_eight(&columns, start, ends, steps, &mut writer) };
    }
}

/// Holds eight boxes from a place on against those before their ends.
///
/// # Safety
/// The place is in the row, no end lies behind it, and the steps are those for them.
#[inline(never)]
#[target_feature(enable = "avx2,popcnt")]
unsafe fn sweep_eight(
    columns: &Columns<'_>,
    start: usize,
    ends: &[u32; LANES],
    steps: Steps,
    writer: &mut Writer<'_>,
) {
    writer.make_room(steps.together * LANES + LANES);
    writer.fetch_ahead();
    // SAFETY: the steps lead to the last place of the row at most, since no end lies behind it; and
    // there is room.
    unsafe { columns.step(start, start + 1..start + 1 + steps.together, writer) };
    for lane in steps.lanes_alone() {
        let rest = start + lane + 1 + steps.together..ends[lane] as usize;
        writer.make_room(rest.len() + 2 * LANES);
        // SAFETY: as above.
        unsafe {
            let (bounds, id) = columns.get(start + lane);
            columns.test_range::<true, false>(rest, bounds, id, writer);
        }
    }
}

/// [`Steps::new`] with AVX2. The ends and the place are at most [`BoxColumns::MAX_LEN`], so nothing overflows.
#[inline]
#[target_feature(enable = "avx2")]
fn steps(place: usize, ends: &[u32; LANES]) -> Steps {
    let next = _mm256_set1_epi32(place as i32 + 1);
    let next = _mm256_add_epi32(next, lane_numbers());
    let ways = _mm256_sub_epi32(_mm256_max_epi32(load(ends), next), next);
    let most = 2 * least(ways) + PARTING as i32;
    let loners = _mm256_cmpgt_epi32(ways, _mm256_set1_epi32(most));
    let others = _mm256_andnot_si256(loners, ways);
    Steps { together: greatest(others) as usize, loners: mask(loners) }
}

/// [`crate::test_range`] with AVX2.
#[target_feature(enable = "avx2,popcnt")]
pub fn test_range(
    row: &BoxColumns,
    places: Range<usize>,
    (bounds, id): (&Bounds, u32),
    continuing: bool,
    pairs: &mut Vec<Pair>,
) {
    assert!(places.end <= row.len(), "a row of {} has no place {}", row.len(), places.end);
    let id = if continuing { id } else { id | COPY_FLAG };
    let mut writer = Writer::new(pairs);
    writer.make_room(places.len() + LANES);
    let bounds = bounds.map(|side| _mm256_set1_ps(side));
    // SAFETY: the places end in the row, and there is room.
    unsafe { Columns::of(row).test_range::<false, true>(places, bounds, id, &mut writer) };
}

/// [`crate::traverse_ordered`] with AVX2.
#[target_feature(enable = "avx2,popcnt")]
pub fn traverse_ordered(
    tree: BvhView<'_>,
    test: &impl NodeTest,
    told: f32,
    visit: impl FnMut(usize, &Bounds, f32, f32) -> f32,
) -> u64 {
    walk::traverse_ordered::<Eight>(tree, test, told, visit)
}
