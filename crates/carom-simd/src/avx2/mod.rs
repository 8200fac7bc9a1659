//! The loops with AVX2 intrinsics. The rows `simd` of the bench compare them with the portable versions.
//!
//! All functions are `#[target_feature(enable = "avx2")]`, so calling them from elsewhere requires that the
//! CPU supports AVX2 (and POPCNT, where that is enabled too). Functions that are not `unsafe fn` have no
//! other condition.
#![allow(unsafe_code, reason = "vector loads and stores, and writing past the length of a list")]

mod all_pairs;
mod bitmaps;
mod columns;
mod distribute;
mod join;
mod lanes;
mod pair_writer;
mod uninit_array;

use alloc::vec::Vec;
use core::arch::x86_64::*;

use crate::axis_cells::{CELL_MASK, FIRST_CENTER, ROUND_TO_INTEGER};
use crate::sweep_steps::{SPLIT_COST, SweepSteps};
use crate::{
    AxisCells, Bounds, BoxCells, BoxColumns, BoxEntry, BvhView, COPY_FLAG, LANES, NodeTest, Pair,
    StripGrid, bvh, portable,
};
pub use all_pairs::all_pairs;
pub use bitmaps::bitmaps_overlap;
use columns::Columns;
pub use distribute::distribute;
pub use join::join;
use lanes::{F32x8Avx2, horizontal_max, horizontal_min};
use pair_writer::PairWriter;

/// The size of a memory page on most machines, in bytes.
const PAGE: usize = 4096;

/// The size of a cache line, in bytes.
const CACHE_LINE: usize = 64;

/// Prefetches the memory one page after some values that are read sequentially: the CPU's own prefetcher
/// does not cross page boundaries.
#[inline]
#[target_feature(enable = "avx2")]
fn prefetch_next_page<T>(values: &T) {
    let ahead = (&raw const *values).cast::<i8>().wrapping_add(PAGE);
    for offset in (0..size_of::<T>()).step_by(CACHE_LINE) {
        _mm_prefetch::<_MM_HINT_T0>(ahead.wrapping_add(offset));
    }
}

/// Implements [`crate::find_cells`].
#[target_feature(enable = "avx2,popcnt")]
pub fn find_cells(grid: &StripGrid, boxes: &[BoxEntry], cells: &mut BoxCells) {
    grid.cell_count(); // panics if cell numbers could overflow
    let BoxCells { firsts, copies } = cells;
    firsts.resize(boxes.len(), 0);
    copies.clear();
    let (x_axis, y_axis) = (AxisCellsX8::new(&grid.x), AxisCellsX8::new(&grid.y));
    let columns = _mm256_set1_epi32(grid.columns() as i32);
    let (groups, rest) = boxes.as_chunks();
    let (first_groups, first_rest) = firsts.as_chunks_mut();
    let mut writer = PairWriter::new(copies);
    let mut start = 0;
    for (group, firsts) in groups.iter().zip(first_groups) {
        prefetch_next_page(group);
        let [left, low, _, high] = transpose(group.each_ref().map(|entry| &entry.bounds));
        let (x, first, last) = (x_axis.cells(left), y_axis.cells(low), y_axis.cells(high));
        let cell = _mm256_add_epi32(_mm256_mullo_epi32(first, columns), x);
        store_u32(firsts, cell);
        let next = _mm256_add_epi32(first, _mm256_set1_epi32(1));
        if lane_mask(_mm256_cmpgt_epi32(last, next)) != 0 {
            // Some box spans more than two strips: append the copies one by one.
            writer.with_list(|copies| {
                for (index, entry) in (start..).zip(group) {
                    portable::cells_of(grid, &entry.bounds, index, copies);
                }
            });
        } else {
            let lanes = lane_mask(_mm256_cmpgt_epi32(last, first));
            let cell = _mm256_add_epi32(cell, columns);
            let indices = _mm256_add_epi32(lane_indices(), _mm256_set1_epi32(start as i32));
            writer.reserve(LANES);
            // SAFETY: room for `LANES` pairs has just been reserved.
            unsafe { writer.push(lanes, cell, indices) };
        }
        start += LANES as u32;
    }
    writer.with_list(|copies| {
        for ((index, entry), first) in (start..).zip(rest).zip(first_rest) {
            *first = portable::cells_of(grid, &entry.bounds, index, copies);
        }
    });
}

/// Implements [`crate::gather`].
#[target_feature(enable = "avx2,popcnt")]
pub fn gather(columns: &mut BoxColumns, boxes: &[BoxEntry], indices: &[u32]) {
    columns.resize(indices.len());
    let BoxColumns { min_x, min_y, max_x, max_y, ids, .. } = columns;
    let (groups, rest) = indices.as_chunks();
    let (left, low) = (min_x.as_chunks_mut().0, min_y.as_chunks_mut().0);
    let (right, high) = (max_x.as_chunks_mut().0, max_y.as_chunks_mut().0);
    let sides = left.iter_mut().zip(low).zip(right).zip(high);
    let to = sides.zip(ids.as_chunks_mut().0);
    for (group, ((((left, low), right), high), ids)) in groups.iter().zip(to) {
        gather_group(boxes, group, [left, low, right, high], ids);
    }
    if rest.is_empty() {
        return;
    }
    // The last eight boxes, some of them for the second time; one by one if there are fewer than eight.
    let start = indices.len().saturating_sub(LANES);
    let sides = [min_x, min_y, max_x, max_y].map(|column| column[start..].first_chunk_mut());
    if let (Some(group), [Some(left), Some(low), Some(right), Some(high)], Some(ids)) =
        (indices[start..].first_chunk(), sides, ids[start..].first_chunk_mut())
    {
        gather_group(boxes, group, [left, low, right, high], ids);
    } else {
        portable::gather(columns, boxes, indices);
    }
}

/// Copies eight boxes: their sides, in the order of [`Bounds`], and their ids.
#[inline]
#[target_feature(enable = "avx2")]
fn gather_group(
    boxes: &[BoxEntry],
    indices: &[u32; LANES],
    sides: [&mut [f32; LANES]; 4],
    ids: &mut [u32; LANES],
) {
    let from = indices.map(|index| &boxes[(index & !COPY_FLAG) as usize]);
    let gathered = transpose(from.map(|entry| &entry.bounds));
    for (to, from) in sides.into_iter().zip(gathered) {
        store_f32(to, from);
    }
    let flags = _mm256_and_si256(load_u32(indices), _mm256_set1_epi32(COPY_FLAG as i32));
    store_u32(ids, _mm256_or_si256(load_u32(&from.map(|entry| entry.id)), flags));
}

/// [`AxisCells`] for eight coordinates at once.
struct AxisCellsX8 {
    half_low: __m256,
    scale: __m256,
    last_center: __m256,
}

impl AxisCellsX8 {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(axis: &AxisCells) -> Self {
        Self {
            half_low: _mm256_set1_ps(axis.half_low),
            scale: _mm256_set1_ps(axis.scale),
            last_center: _mm256_set1_ps(axis.last_center),
        }
    }

    /// Implements [`AxisCells::cell`].
    #[inline]
    #[target_feature(enable = "avx2")]
    fn cells(&self, coordinates: __m256) -> __m256i {
        let half = _mm256_mul_ps(coordinates, _mm256_set1_ps(0.5));
        let position = _mm256_mul_ps(_mm256_sub_ps(half, self.half_low), self.scale);
        // If the first operand is NaN, `max` returns the second.
        let position = _mm256_max_ps(position, _mm256_set1_ps(FIRST_CENTER));
        let position = _mm256_min_ps(position, self.last_center);
        let rounded = _mm256_add_ps(position, _mm256_set1_ps(ROUND_TO_INTEGER));
        _mm256_and_si256(_mm256_castps_si256(rounded), _mm256_set1_epi32(CELL_MASK as i32))
    }
}

/// Transposes eight boxes to four vectors, one for each side.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose(boxes: [&Bounds; LANES]) -> [__m256; 4] {
    // SAFETY: the load reads 16 bytes, which is the size of `Bounds`; it needs no alignment.
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
fn store_u32(to: &mut [u32; LANES], numbers: __m256i) {
    // SAFETY: the store writes 32 bytes, which is the size of the array; it needs no alignment.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), numbers) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_u32(from: &[u32; LANES]) -> __m256i {
    // SAFETY: the load reads 32 bytes, which is the size of the array; it needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_f32(to: &mut [f32; LANES], numbers: __m256) {
    // SAFETY: the store writes 32 bytes, which is the size of the array; it needs no alignment.
    unsafe { _mm256_storeu_ps(to.as_mut_ptr(), numbers) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_f32(from: &[f32; LANES]) -> __m256 {
    // SAFETY: the load reads 32 bytes, which is the size of the array; it needs no alignment.
    unsafe { _mm256_loadu_ps(from.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn lane_indices() -> __m256i {
    _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)
}

/// Returns the highest bits of the lanes as a bit set.
#[inline]
#[target_feature(enable = "avx2")]
fn lane_mask(lanes: __m256i) -> u32 {
    _mm256_movemask_ps(_mm256_castsi256_ps(lanes)) as u32
}

/// The number of bytes in a vector.
const BYTES: usize = 32;

/// Returns the indices of the bytes that are not zero as a bit set.
#[inline]
#[target_feature(enable = "avx2")]
fn nonzero_bytes(bytes: &[u8; BYTES]) -> u32 {
    // SAFETY: the load reads 32 bytes, which is the size of the array; it needs no alignment.
    let bytes = unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) };
    !_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256())) as u32
}

/// Returns the first `count` lanes, or all of them, as a bit set.
#[inline]
fn first_lanes(count: usize) -> u32 {
    (1 << count.min(LANES)) - 1
}

/// Implements [`crate::find_ends`].
#[target_feature(enable = "avx2,popcnt")]
pub fn find_ends(
    strip: &BoxColumns,
    axis: &AxisCells,
    start: u32,
    cell_end: impl Fn(u32) -> u32,
    ends: &mut Vec<u32>,
) -> u64 {
    let axis_x8 = AxisCellsX8::new(axis);
    ends.resize(strip.len(), 0);
    let (groups, rest) = strip.max_x().as_chunks();
    let (end_groups, end_rest) = ends.as_chunks_mut();
    let starts = _mm256_set1_epi32(start as i32);
    let mut sums = _mm256_setzero_si256();
    for (group, to) in groups.iter().zip(end_groups) {
        store_u32(to, axis_x8.cells(load_f32(group)));
        let ends = _mm256_sub_epi32(load_u32(&to.map(&cell_end)), starts);
        store_u32(to, ends);
        // Sum in 64 bits: odd and even lanes separately.
        let odd = _mm256_srli_epi64::<32>(ends);
        let even = _mm256_and_si256(ends, _mm256_set1_epi64x(u32::MAX.into()));
        sums = _mm256_add_epi64(sums, _mm256_add_epi64(odd, even));
    }
    let mut sum = 0;
    for (&x, to) in rest.iter().zip(end_rest) {
        *to = cell_end(axis.cell(x)) - start;
        sum += u64::from(*to);
    }
    sum += _mm256_extract_epi64::<0>(sums) as u64 + _mm256_extract_epi64::<1>(sums) as u64;
    sum += _mm256_extract_epi64::<2>(sums) as u64 + _mm256_extract_epi64::<3>(sums) as u64;
    // No box is tested against itself or those before it: subtract 1 + 2 + ... + len.
    let len = strip.len() as u64;
    sum - len * (len + 1) / 2
}

/// Implements [`crate::sweep`].
///
/// Tried without gain: computing the steps of many groups before the first is taken, so that the CPU need
/// not predict their number (loading boxes twice costs more); writing four pairs at a time and more only
/// where needed (unpredictable in dense scenes); rounding the number of steps up to a multiple of two or
/// four.
#[target_feature(enable = "avx2,popcnt")]
pub fn sweep(strip: &BoxColumns, ends: &[u32], pairs: &mut Vec<Pair>) {
    let (groups, last) = SweepSteps::groups(strip, ends);
    let columns = Columns::new(strip);
    let mut writer = PairWriter::new(pairs);
    let groups = (0..).step_by(LANES).zip(groups.iter().chain(&last));
    let mut groups = groups.map(|(start, ends)| (start, ends, steps(start, ends)));
    let mut next = groups.next();
    while let Some((start, ends, steps)) = next {
        // Computed one group ahead, so that the CPU knows the number of steps before it needs it.
        next = groups.next();
        // SAFETY: `SweepSteps::groups` has checked that there is one end per box, so `start` is below the
        // number of boxes, and that no end is greater than it. `steps` was computed from both.
        unsafe { sweep_group(&columns, start, ends, steps, &mut writer) };
    }
}

/// Tests the eight boxes from `start` on against those before their ends.
///
/// # Safety
/// The caller must guarantee that `start` is less than the number of boxes, that no end is greater than the
/// number of boxes, and that `steps` is [`SweepSteps::new`] of both.
#[inline(never)]
#[target_feature(enable = "avx2,popcnt")]
unsafe fn sweep_group(
    columns: &Columns<'_>,
    start: usize,
    ends: &[u32; LANES],
    steps: SweepSteps,
    writer: &mut PairWriter<'_>,
) {
    writer.reserve(steps.shared * LANES + LANES);
    writer.prefetch_next_page();
    let others = start + 1..start + 1 + steps.shared;
    // SAFETY: `start` is in bounds. So is every index in `others`: some lane has `shared` tests before its
    // end, so `start + shared` is less than that end. Room for `LANES` pairs per step has been reserved.
    unsafe { columns.step(start, others, writer) };
    for lane in steps.straggler_lanes() {
        let rest = start + lane + 1 + steps.shared..ends[lane] as usize;
        writer.reserve(rest.len() + 2 * LANES);
        // SAFETY: a straggler has more tests than `shared`, so `rest` is not empty, and it ends at most at the
        // number of boxes; `start + lane` is before it. Room for `rest.len() + LANES` pairs, rounded up to
        // whole steps, has been reserved.
        unsafe {
            let (bounds, id) = columns.splat(start + lane);
            columns.test_range(rest, bounds, id, writer);
        }
    }
}

/// Implements [`SweepSteps::new`]. All numbers are at most [`BoxColumns::MAX_LEN`], so nothing overflows.
#[inline]
#[target_feature(enable = "avx2")]
fn steps(start: usize, ends: &[u32; LANES]) -> SweepSteps {
    let next = _mm256_set1_epi32(start as i32 + 1);
    let next = _mm256_add_epi32(next, lane_indices());
    let tests = _mm256_sub_epi32(_mm256_max_epi32(load_u32(ends), next), next);
    let limit = 2 * horizontal_min(tests) + SPLIT_COST as i32;
    let stragglers = _mm256_cmpgt_epi32(tests, _mm256_set1_epi32(limit));
    let shared = horizontal_max(_mm256_andnot_si256(stragglers, tests));
    SweepSteps { shared: shared as usize, stragglers: lane_mask(stragglers) }
}

/// Implements [`crate::traverse_ordered`].
#[target_feature(enable = "avx2,popcnt")]
pub fn traverse_ordered(
    tree: BvhView<'_>,
    test: &impl NodeTest,
    bound: f32,
    visit: impl FnMut(usize, &Bounds, f32, f32) -> f32,
) -> u64 {
    bvh::traverse_ordered::<F32x8Avx2>(tree, test, bound, visit)
}
